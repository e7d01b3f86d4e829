// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x969109525139f9df)
GOLDEN(pyramid,     120, 0x16360da4045b75fd)
GOLDEN(spheres,     120, 0x2cbd73adf11a6c95)
GOLDEN(mixed,       120, 0xa6a163a187d9c7f8)
GOLDEN(mesh,        120, 0x61ff734fabee97df)
GOLDEN(field,       120, 0x987e5748c1c356eb)
GOLDEN(bounce,      240, 0x9eccb855d89f4e14)
GOLDEN(torsion,     120, 0xcee40699afddb6fb)
GOLDEN(shaker,      120, 0xf99319c8d5d6d8a8)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x45da291fd5b59b45)
GOLDEN(compound,    240, 0x4d32b807c1fbf6e9)
GOLDEN(linkage,     120, 0x752a0df0e3afefc0)
GOLDEN(plane,       120, 0x06f95fd64cfafebe)
GOLDEN(anitescu,    120, 0x3bea5206bf948ffc)
GOLDEN(stewart,     120, 0xf553f601f956dd64)
GOLDEN(gauss,       120, 0x98f41af78ec1696b)
GOLDEN(first_order, 120, 0xe61fabbb08d06d7d)
