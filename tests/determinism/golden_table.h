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
GOLDEN(mixed,       120, 0x803d6701e7c3e8d8)
GOLDEN(mesh,        120, 0xe8f5ccc023d5f8b0)
GOLDEN(field,       120, 0x42e195534bc91f4f)
GOLDEN(bounce,      240, 0xbfe03d255a9211e1)
GOLDEN(torsion,     120, 0x915409bd6bea3c61)
GOLDEN(shaker,      120, 0x6afe95115d4deb83)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xa3dd12c5ffc0ba67)
GOLDEN(compound,    240, 0x34a336ebdd041dfd)
GOLDEN(linkage,     120, 0x33a2e8495fd43ad1)
GOLDEN(screw,       120, 0x57f233ec839b0bc5)
GOLDEN(plane,       120, 0x06f95fd64cfafebe)
GOLDEN(anitescu,    120, 0x5736f7b3411feebf)
GOLDEN(stewart,     120, 0xb659d57cb19edb5e)
GOLDEN(gauss,       120, 0x98f41af78ec1696b)
GOLDEN(first_order, 120, 0x6244a04a80b3dbbd)
