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
GOLDEN(mixed,       120, 0xe712cc5dddb9e6c0)
GOLDEN(mesh,        120, 0x2cba33bbc9c86dca)
GOLDEN(field,       120, 0x083352c97703b883)
GOLDEN(bounce,      240, 0x8ce761005a6014e9)
GOLDEN(torsion,     120, 0xa3bc6dcc498dbc6b)
GOLDEN(shaker,      120, 0xf932314b281f6f17)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xd65bcd74738f6c0b)
GOLDEN(compound,    240, 0xed3746dae386cd82)
GOLDEN(plane,       120, 0xb440d4942dafa087)
