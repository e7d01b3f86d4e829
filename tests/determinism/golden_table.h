// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x8fdb67bc3cd14269)
GOLDEN(pyramid,     120, 0x0e37749ab306f3ab)
GOLDEN(spheres,     120, 0x045ba4754bb82b03)
GOLDEN(mixed,       120, 0x94227eea29074461)
GOLDEN(mesh,        120, 0xb196c4f01d1b7415)
GOLDEN(field,       120, 0xb82b54dd53033ae0)
GOLDEN(bounce,      240, 0x8ce761005a6014e9)
GOLDEN(torsion,     120, 0x6b008a541d8a5c7f)
GOLDEN(shaker,      120, 0x8eb6ce9b60f45e13)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xfaa5c2ca29478a1a)
GOLDEN(compound,    240, 0xed3746dae386cd82)
GOLDEN(plane,       120, 0xb440d4942dafa087)
