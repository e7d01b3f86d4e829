# The extension module rigor._core of the Python package: the library and its interface to CPython in one
# file, for every CPython from 3.11 on (the limited interface).

find_program(RIGOR_PYTHON_COMMAND NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
execute_process(
  COMMAND ${RIGOR_PYTHON_COMMAND} -c "import sysconfig; print(sysconfig.get_path('include'))"
  OUTPUT_VARIABLE python_include
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
)
if(NOT EXISTS ${python_include}/Python.h)
  message(FATAL_ERROR "${python_include}/Python.h is missing: install python3-dev")
endif()

file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.c)
add_library(rigor_python MODULE EXCLUDE_FROM_ALL ${python_sources})
rigor_flags(rigor_python)
target_compile_options(rigor_python PRIVATE -fvisibility=hidden)
target_include_directories(rigor_python SYSTEM PRIVATE ${python_include})
target_link_libraries(rigor_python PRIVATE rigor::static Threads::Threads m)
target_link_options(rigor_python PRIVATE -Wl,--exclude-libs,ALL)
set_target_properties(
  rigor_python PROPERTIES PREFIX "" OUTPUT_NAME _core SUFFIX .abi3.so
                          LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/package
)
