# Installation: headers, both libraries, package files for CMake and pkg-config.

include(CMakePackageConfigHelpers)

install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rigor)
install(TARGETS rigor_static EXPORT rigor-static ARCHIVE)
install(TARGETS rigor_shared EXPORT rigor-shared LIBRARY)

# find_package(rigor): one file of targets for each library, so that users of the shared one need
# nothing else on their machine.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rigor)
foreach(kind static shared)
  install(
    EXPORT rigor-${kind}
    NAMESPACE rigor::
    FILE rigor-${kind}.cmake
    DESTINATION ${package_dir}
  )
endforeach()

set(RIGOR_NEEDS_HDF5 OFF)
if(HDF5_FOUND AND h5_sources)
  set(RIGOR_NEEDS_HDF5 ON)
endif()
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/rigorConfig.cmake.in ${PROJECT_BINARY_DIR}/rigorConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO
)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/rigorConfigVersion.cmake COMPATIBILITY SameMinorVersion
)
install(
  FILES ${PROJECT_BINARY_DIR}/rigorConfig.cmake ${PROJECT_BINARY_DIR}/rigorConfigVersion.cmake
  DESTINATION ${package_dir}
)

# pkg-config: the prefix is found from the place of the file itself, so that the tree may be moved.
file(
  RELATIVE_PATH RIGOR_PC_TO_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  ${CMAKE_INSTALL_PREFIX}
)
string(REGEX REPLACE "/$" "" RIGOR_PC_TO_PREFIX "${RIGOR_PC_TO_PREFIX}")
set(RIGOR_PC_LIBS_PRIVATE "-pthread -lm")
if(RIGOR_NEEDS_HDF5)
  string(APPEND RIGOR_PC_LIBS_PRIVATE " ${HDF5_C_LIBRARIES}")
  string(REPLACE ";" " " RIGOR_PC_LIBS_PRIVATE "${RIGOR_PC_LIBS_PRIVATE}")
endif()
if(RIGOR_EXPAT_ARCHIVE AND RIGOR_EXPAT_INCLUDE)
  string(APPEND RIGOR_PC_LIBS_PRIVATE " ${RIGOR_EXPAT_ARCHIVE}")
endif()
configure_file(
  ${PROJECT_SOURCE_DIR}/cmake/rigor.pc.in ${PROJECT_BINARY_DIR}/rigor.pc @ONLY
)
install(FILES ${PROJECT_BINARY_DIR}/rigor.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
