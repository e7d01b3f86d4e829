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
GOLDEN(mixed,       120, 0x2f1c3a1523ecba64)
GOLDEN(mesh,        120, 0x2eb5186ecfdc14a9)
GOLDEN(field,       120, 0x3bf87dc5949bd58a)
GOLDEN(bounce,      240, 0xde273cd57bb405e3)
GOLDEN(torsion,     120, 0x878b1f9862b13761)
GOLDEN(shaker,      120, 0x83b265dff824453d)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x45da291fd5b59b45)
GOLDEN(compound,    240, 0xf182e7bfddfdd756)
GOLDEN(linkage,     120, 0x1bdb041c0a4d0648)
GOLDEN(screw,       120, 0x12c2f1cc5638f9cc)
GOLDEN(plane,       120, 0x06f95fd64cfafebe)
GOLDEN(anitescu,    120, 0x3bea5206bf948ffc)
GOLDEN(stewart,     120, 0xf553f601f956dd64)
GOLDEN(gauss,       120, 0x98f41af78ec1696b)
GOLDEN(first_order, 120, 0xe61fabbb08d06d7d)
