# Benches: all of bench/*.c and bench/*.cpp are one program, run by the target `bench`. Peers that are
# installed are announced with BENCH_BULLET and BENCH_ODE. A bench/CMakeLists.txt replaces all this.

enable_language(CXX)
if(EXISTS ${PROJECT_SOURCE_DIR}/bench/CMakeLists.txt)
  add_subdirectory(bench)
  return()
endif()

file(
  GLOB bench_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/bench/*.c
  ${PROJECT_SOURCE_DIR}/bench/*.cpp
)
if(NOT bench_sources)
  add_custom_target(bench COMMAND ${CMAKE_COMMAND} -E echo "There are no benches in bench/ yet.")
  return()
endif()

find_package(PkgConfig REQUIRED)
add_executable(rigor_bench ${bench_sources})
rigor_flags(rigor_bench)
target_include_directories(rigor_bench PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR})
target_link_libraries(rigor_bench PRIVATE rigor::static Threads::Threads m)
foreach(peer bullet ode)
  string(TOUPPER ${peer} name)
  pkg_check_modules(${name} IMPORTED_TARGET ${peer})
  if(${name}_FOUND)
    target_compile_definitions(rigor_bench PRIVATE BENCH_${name}="${${name}_VERSION}")
    target_link_libraries(rigor_bench PRIVATE PkgConfig::${name})
  endif()
endforeach()
set_target_properties(
  rigor_bench PROPERTIES OUTPUT_NAME rigor-bench RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
)
add_custom_target(
  bench
  COMMAND rigor_bench
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
  USES_TERMINAL
)
