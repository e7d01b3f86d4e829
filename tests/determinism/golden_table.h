// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x8fdb67bc3cd14269)
GOLDEN(pyramid,     120, 0xdc8fd04537f645e1)
GOLDEN(spheres,     120, 0x8af8d20f778ffcc3)
GOLDEN(mixed,       120, 0x0dd0b5a13f776cea)
GOLDEN(mesh,        120, 0x83a26a27cec2a178)
GOLDEN(field,       120, 0xe28e0b4e0d028213)
GOLDEN(bounce,      240, 0x1b792a62af3369d3)
GOLDEN(torsion,     120, 0xff60b86ab2548c88)
GOLDEN(shaker,      120, 0x97d93af79cd648d1)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xea128a9867365fbe)
GOLDEN(compound,    240, 0x5ec68e3ffa24b203)
GOLDEN(linkage,     120, 0xcd0f0479590dbcc2)
GOLDEN(plane,       120, 0xcb93d617c6918516)
GOLDEN(anitescu,    120, 0xaf9a08caa69ba972)
GOLDEN(stewart,     120, 0xf553f601f956dd64)
GOLDEN(gauss,       120, 0xd6102fd45694b8e9)
GOLDEN(first_order, 120, 0x36394421d90a0ce4)
