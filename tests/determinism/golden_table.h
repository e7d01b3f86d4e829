// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x80c82e7c41d74365)
GOLDEN(pyramid,     120, 0x8193f4a8d324e26c)
GOLDEN(spheres,     120, 0x51c36aacb7dc820d)
GOLDEN(mixed,       120, 0x19905ac8960f21e0)
GOLDEN(mesh,        120, 0xc831364323e6a7f1)
GOLDEN(field,       120, 0xcbae1391b90ccf63)
GOLDEN(bounce,      240, 0x1f14f143d1713cea)
GOLDEN(torsion,     120, 0x6b008a541d8a5c7f)
GOLDEN(shaker,      120, 0x8a36758a3fd76d46)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x9f276986a474ebbb)
GOLDEN(compound,    240, 0xdddfe9f2d8507c89)
