// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x702480934a49f6c9)
GOLDEN(pyramid,     120, 0x2f27ae9ed0dee8e8)
GOLDEN(spheres,     120, 0xac2139596121e074)
GOLDEN(mixed,       120, 0x7b40860663b0f38a)
GOLDEN(mesh,        120, 0x047735a0f6d8b18e)
GOLDEN(field,       120, 0x44dcc44fefdf3353)
GOLDEN(bounce,      240, 0x9eccb855d89f4e14)
GOLDEN(torsion,     120, 0xd0a87013deea6dc1)
GOLDEN(shaker,      120, 0xfceb1a4a7e4edcee)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x1c38af6c60686921)
GOLDEN(compound,    240, 0xa1801165f01d3a6c)
GOLDEN(linkage,     120, 0x752a0df0e3afefc0)
GOLDEN(plane,       120, 0x03515f89a94899bc)
GOLDEN(anitescu,    120, 0xff4ef0f905ffabed)
GOLDEN(stewart,     120, 0xf553f601f956dd64)
GOLDEN(gauss,       120, 0x6c93a930475e4769)
GOLDEN(first_order, 120, 0x70e8e48aa5d85f93)
