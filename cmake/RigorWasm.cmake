# The library as WebAssembly: rigor.wasm for the browser page, golden.wasm for the test that it
# computes the same bits. No threads and no files; what the modules import, web/src/module.js gives.

# What clang 14 makes of straight-line code with these vectors computes other numbers (in
# src/collide/convex/axis.c; tests/wasm shows it on scenes with cylinders), so it must leave that code
# alone; the vectors of src/math/simd.h and of loops are right.
set(wasm_flags -msimd128 -fno-slp-vectorize -D_WASI_EMULATED_PROCESS_CLOCKS)
target_compile_options(rigor_objects PRIVATE ${wasm_flags})
set_target_properties(rigor_objects PROPERTIES POSITION_INDEPENDENT_CODE OFF)

# rigor_wasm(name sources...): a module without a main function, that JavaScript calls.
function(rigor_wasm name)
  add_executable(${name} ${ARGN} $<TARGET_OBJECTS:rigor_objects>)
  rigor_flags(${name})
  target_compile_options(${name} PRIVATE ${wasm_flags})
  target_include_directories(
    ${name} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/apps
  )
  # The default of 64 KiB is too small for the solvers' frames.
  target_link_options(
    ${name} PRIVATE -mexec-model=reactor -Wl,-z,stack-size=1048576 -Wl,--gc-sections -Wl,--strip-all
  )
  target_link_libraries(${name} PRIVATE wasi-emulated-process-clocks)
  set_target_properties(
    ${name} PROPERTIES SUFFIX .wasm RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}
  )
endfunction()

file(GLOB page_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/wasm/*.c)
rigor_wasm(
  rigor
  ${page_sources}
  # options as text, shared with the command
  ${PROJECT_SOURCE_DIR}/apps/cli/settings.c
  ${PROJECT_SOURCE_DIR}/apps/cli/suggest.c
  ${PROJECT_SOURCE_DIR}/apps/cli/text/text.c
)

rigor_wasm(
  golden
  ${PROJECT_SOURCE_DIR}/tests/wasm/golden.c ${PROJECT_SOURCE_DIR}/tests/support/builder.c
  ${PROJECT_SOURCE_DIR}/tests/support/variety.c
)
# The first folder has a test.h that does without jumps and signals.
target_include_directories(
  golden PRIVATE ${PROJECT_SOURCE_DIR}/tests/wasm ${PROJECT_SOURCE_DIR}/tests
                 ${PROJECT_SOURCE_DIR}/src
)

# The scenes and the measure of the bench, for bench/web.
rigor_wasm(
  scenes
  ${PROJECT_SOURCE_DIR}/bench/web/scenes.c ${PROJECT_SOURCE_DIR}/bench/scenes.c
  ${PROJECT_SOURCE_DIR}/tests/support/scenes.c ${PROJECT_SOURCE_DIR}/tests/support/piles.c
  ${PROJECT_SOURCE_DIR}/tests/support/overlap.c
)
target_include_directories(scenes PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
