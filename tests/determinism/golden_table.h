// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x702480934a49f6c9)
GOLDEN(pyramid,     120, 0x20fb64a029136801)
GOLDEN(spheres,     120, 0x601f5d16ab267d0f)
GOLDEN(mixed,       120, 0xc2a53e8fb4197897)
GOLDEN(mesh,        120, 0x2cc60a593e7013d9)
GOLDEN(field,       120, 0x08940ce441608e04)
GOLDEN(bounce,      240, 0x9eccb855d89f4e14)
GOLDEN(torsion,     120, 0x6bdb96c097d86d53)
GOLDEN(shaker,      120, 0xfceb1a4a7e4edcee)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xd31ac33e70d35448)
GOLDEN(compound,    240, 0xa1801165f01d3a6c)
GOLDEN(linkage,     120, 0xcd0f0479590dbcc2)
GOLDEN(plane,       120, 0x03515f89a94899bc)
GOLDEN(anitescu,    120, 0x31659bd615ae91dd)
GOLDEN(stewart,     120, 0xf553f601f956dd64)
GOLDEN(gauss,       120, 0x6c93a930475e4769)
GOLDEN(first_order, 120, 0x70e8e48aa5d85f93)
