// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0xcb9cdb3be3e4584b)
GOLDEN(pyramid,     120, 0x790f970905d536b2)
GOLDEN(spheres,     120, 0xc75196feabe7d3bc)
GOLDEN(mixed,       120, 0x66070d4101a6e7e7)
GOLDEN(mesh,        120, 0xe83962d1173b3a0f)
GOLDEN(field,       120, 0x8e209433e51ccf50)
GOLDEN(bounce,      240, 0xaf97e45cdf930ab9)
GOLDEN(torsion,     120, 0xf9a8d15303a83893)
GOLDEN(shaker,      120, 0xd64f5272e9906866)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x0763b35c29b02d7f)
GOLDEN(compound,    240, 0x43891b77dc37329d)
GOLDEN(linkage,     120, 0x8dc8b70dfbb330c8)
GOLDEN(screw,       120, 0x2b6525704d3474c6)
GOLDEN(driven,      240, 0x39bb90fc8bf43edf)
GOLDEN(plane,       120, 0x392fd57dd356f2c2)
GOLDEN(anitescu,    120, 0x66fbc6f5a69de126)
GOLDEN(stewart,     120, 0xb659d57cb19edb5e)
GOLDEN(gauss,       120, 0x6d95853dd1dcf2f0)
GOLDEN(first_order, 120, 0xb9feee4e1a373575)
GOLDEN(walls,       120, 0x78bab619fb4c3e05)
GOLDEN(plates,      120, 0xc09eb82a10d548c5)
GOLDEN(admm,        120, 0x4d1a0d618c32e6d2)
