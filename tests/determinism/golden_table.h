// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x8fdb67bc3cd14269)
GOLDEN(pyramid,     120, 0x6bfbc6f11f8821b3)
GOLDEN(spheres,     120, 0xf508897254237411)
GOLDEN(mixed,       120, 0xe187fa30c200ba0a)
GOLDEN(mesh,        120, 0xc5292e53bdefd60f)
GOLDEN(field,       120, 0xe936ee328fe523c9)
GOLDEN(bounce,      240, 0x1b792a62af3369d3)
GOLDEN(torsion,     120, 0x5bb13dd4baf1b47a)
GOLDEN(shaker,      120, 0x0fb5c3c8f07e3e93)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xbb9b15b9c233f54f)
GOLDEN(compound,    240, 0x78b1cc46c3e2e58e)
GOLDEN(linkage,     120, 0x7cc11e4b47afaecf)
GOLDEN(plane,       120, 0xcb93d617c6918516)
