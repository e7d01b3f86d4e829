# Compiler flags of everything the project builds.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)

set(RIGOR_WARNINGS
    -Wall
    -Wextra
    -Wshadow
    -Wconversion
    -Wno-sign-conversion
    -Wdouble-promotion
    -Wstrict-prototypes
    -Wmissing-prototypes
    -Wold-style-definition
    -Wpointer-arith
    -Wwrite-strings
    -Wundef
    -Wvla
)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # Messages live in buffers of fixed size; a long one is cut on purpose.
  list(APPEND RIGOR_WARNINGS -Wno-format-truncation)
endif()

# Results must not depend on compiler, level of optimization or machine: no contraction to fused
# multiply-add, nothing of fast-math. Errno and traps of math functions are never read, and leaving
# them out changes no value.
set(RIGOR_CODEGEN -ffp-contract=off -fno-math-errno -fno-trapping-math)
if(NOT RIGOR_WASM)
  list(APPEND RIGOR_CODEGEN -fno-semantic-interposition)
endif()
# The vectorizer of gcc forms fused multiply-adds of its own (vfmaddsub) where the machine has them,
# in spite of -ffp-contract=off. These options come after CMAKE_C_FLAGS, and so after a -march=native
# or -march=x86-64-v3 in it. AVX-512 has such instructions without the others.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND NOT RIGOR_WASM)
  list(APPEND RIGOR_CODEGEN -mno-fma -mno-fma4 -mno-avx512f)
endif()

if(RIGOR_SANITIZE)
  set(RIGOR_SANITIZE_FLAGS -fsanitize=${RIGOR_SANITIZE} -fno-sanitize-recover=all
                           -fno-omit-frame-pointer)
endif()

# rigor_flags(target): compile and link a target as part of the project.
function(rigor_flags target)
  target_compile_options(
    ${target}
    PRIVATE
      $<$<COMPILE_LANGUAGE:C>:${RIGOR_WARNINGS}>
      ${RIGOR_CODEGEN}
      -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=
      $<$<BOOL:${RIGOR_WERROR}>:-Werror>
      ${RIGOR_SANITIZE_FLAGS}
  )
  target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
  rigor_link_flags(${target})
endfunction()

# rigor_link_flags(target): what a target needs at link time when its objects are sanitized. Users of
# a sanitized static library need it too.
function(rigor_link_flags target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    target_link_options(${target} INTERFACE "$<BUILD_INTERFACE:${RIGOR_SANITIZE_FLAGS}>")
  else()
    target_link_options(${target} PRIVATE ${RIGOR_SANITIZE_FLAGS})
  endif()
endfunction()
