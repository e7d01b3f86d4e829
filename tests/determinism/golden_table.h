// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0xbd7e35403f2ccba3)
GOLDEN(pyramid,     120, 0x1c394f44cd0f03f7)
GOLDEN(spheres,     120, 0xd9a23bea75dfc2c5)
GOLDEN(mixed,       120, 0x0a2ba14469713bbd)
GOLDEN(mesh,        120, 0x08d8d615eae9ff5b)
GOLDEN(field,       120, 0x55ff7d3d0f0b4f03)
GOLDEN(bounce,      240, 0x020cbe7449ea0086)
GOLDEN(torsion,     120, 0x3d210bb5e1b353de)
GOLDEN(shaker,      120, 0x5123a1f493580f02)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xf6c3cfa1fc6a671f)
GOLDEN(compound,    240, 0x8523851e97d45300)
