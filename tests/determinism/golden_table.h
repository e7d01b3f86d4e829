// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x09f32cf2140049be)
GOLDEN(pyramid,     120, 0x69ed684209bb5fca)
GOLDEN(spheres,     120, 0xdebf3c4619b59e2f)
GOLDEN(mixed,       120, 0xb8217025aabcc195)
GOLDEN(mesh,        120, 0x0b3577941dcc6e8f)
GOLDEN(field,       120, 0x51b1761267c81350)
GOLDEN(bounce,      240, 0x020cbe7449ea0086)
GOLDEN(torsion,     120, 0xa03bf9ec9ab7eaf1)
GOLDEN(shaker,      120, 0x4d5d2502962f5e6f)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x01a85d0a484ba170)
GOLDEN(compound,    240, 0x672d9d0a94622378)
