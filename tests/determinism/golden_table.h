// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as rg_world_hash
// gives it: the same for every compiler, optimization and number of threads. When results change on purpose:
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
// clang-format off
//     scene      steps  hash
GOLDEN(stack,       120, 0xb7230ff4e0c209b7)
GOLDEN(pyramid,     120, 0x0a2a176d0d7e2cc5)
GOLDEN(spheres,     120, 0x9621edb81a99f109)
GOLDEN(mixed,       120, 0xd89167372126562e)
GOLDEN(mesh,        120, 0x96d04604e106ee2a)
GOLDEN(field,       120, 0xa29fa90e4f1d7bbb)
GOLDEN(bounce,      240, 0x9afc295ea830e27a)
GOLDEN(torsion,     120, 0xc943acc4c9ab5e8e)
GOLDEN(shaker,      120, 0x9146d59331910bff)
GOLDEN(rotation,    120, 0xd549c96ea20b29ef)
GOLDEN(compound,    240, 0x79c0db1030b41ece)
