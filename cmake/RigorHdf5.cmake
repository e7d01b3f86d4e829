# HDF5 brings some thirty libraries along. The static library has the files that know it inside. The shared
# one has them without it: their functions load librigor-hdf5.so when an .h5 file is written or read
# (src/io/text/hdf5.h), and librigor.so needs nothing but libc and libm. librigor-hdf5.so has all of the
# library that these files need themselves, and shows nothing but their table.

set(plugin librigor-hdf5.so)

# rigor_h5(name definitions...): the files that know HDF5, compiled for one of the libraries.
function(rigor_h5 name)
  add_library(${name} OBJECT ${h5_sources})
  rigor_flags(${name})
  target_include_directories(
    ${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${HDF5_C_INCLUDE_DIRS}
  )
  target_compile_definitions(${name} PRIVATE RIGOR_VERSION="${PROJECT_VERSION}" ${ARGN})
  set_target_properties(
    ${name} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
  )
endfunction()
rigor_h5(rigor_h5_inside RIGOR_HDF5=1)
rigor_h5(rigor_h5_loaded RIGOR_HDF5_PLUGIN="${plugin}")

add_library(
  rigor_hdf5 MODULE $<TARGET_OBJECTS:rigor_objects> $<TARGET_OBJECTS:rigor_h5_inside> ${hdf5_table}
)
rigor_flags(rigor_hdf5)
target_include_directories(
  rigor_hdf5 PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src
)
target_compile_definitions(rigor_hdf5 PRIVATE RIGOR_VERSION="${PROJECT_VERSION}")
target_link_libraries(rigor_hdf5 PRIVATE hdf5::hdf5 Threads::Threads m)
if(RIGOR_EXPAT_ARCHIVE AND RIGOR_EXPAT_INCLUDE)
  target_link_libraries(rigor_hdf5 PRIVATE ${RIGOR_EXPAT_ARCHIVE})
endif()
set(map ${PROJECT_SOURCE_DIR}/cmake/hdf5.map)
target_link_options(rigor_hdf5 PRIVATE -Wl,--version-script=${map})
set_target_properties(
  rigor_hdf5 PROPERTIES PREFIX "" OUTPUT_NAME librigor-hdf5 SUFFIX .so LINKER_LANGUAGE C
                        LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} LINK_DEPENDS ${map}
)
install(TARGETS rigor_hdf5 LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
