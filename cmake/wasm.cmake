# Toolchain of the preset `wasm`: Debian's clang, lld and wasi-libc.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# A module needs an entry point or says that it has none, which a test program of CMake does not.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
