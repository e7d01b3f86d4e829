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
GOLDEN(spheres,     120, 0x6dfe5aa635e4e617)
GOLDEN(mixed,       120, 0x988a5841da7c5b5d)
GOLDEN(mesh,        120, 0x6a2698bc38cec17e)
GOLDEN(field,       120, 0xfd503eaca740e053)
GOLDEN(bounce,      240, 0x1b792a62af3369d3)
GOLDEN(torsion,     120, 0x447d0949fe78398a)
GOLDEN(shaker,      120, 0xf33a73c20cecdff6)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xa431830b04520529)
GOLDEN(compound,    240, 0x78b1cc46c3e2e58e)
GOLDEN(linkage,     120, 0x7cc11e4b47afaecf)
GOLDEN(plane,       120, 0xcb93d617c6918516)
