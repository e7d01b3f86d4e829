// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x3ce096b7d27597d3)
GOLDEN(pyramid,     120, 0x9f495c7a0f299473)
GOLDEN(spheres,     120, 0xba5ab49b95853013)
GOLDEN(mixed,       120, 0xabf3d037b92cdabd)
GOLDEN(mesh,        120, 0xbe68a841da536bbd)
GOLDEN(field,       120, 0x91e867c0a36ebfc4)
GOLDEN(bounce,      240, 0x02650b8d8f9387cc)
GOLDEN(torsion,     120, 0x55b93d078d424a10)
GOLDEN(shaker,      120, 0x6908040fa88880b2)
GOLDEN(rotation,    120, 0x862326c41ca0c3c2)
GOLDEN(tumble,      120, 0xd43334c8a4bc02ab)
GOLDEN(compound,    240, 0x103341d99fbec95e)
GOLDEN(linkage,     120, 0x733f34e4a0eeec23)
GOLDEN(screw,       120, 0xc785e42e2072f028)
GOLDEN(driven,      240, 0x7bfbc602cb46bc1a)
GOLDEN(plane,       120, 0xbe67b8bbe99b265a)
GOLDEN(anitescu,    120, 0x91ab2f0e1f648092)
GOLDEN(stewart,     120, 0x40b96b2da309a920)
GOLDEN(gauss,       120, 0x4dcb4e32e867e304)
GOLDEN(first_order, 120, 0x82c9f28ffadf9bf1)
GOLDEN(walls,       120, 0xc4c6699dd56f7421)
GOLDEN(plates,      120, 0x6416bed4d10e12e9)
GOLDEN(admm,        120, 0xec160e3892424a3c)
