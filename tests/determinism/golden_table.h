// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0xafee729a10a1ae2b)
GOLDEN(pyramid,     120, 0xfcb40b8244ab0cb6)
GOLDEN(spheres,     120, 0x78a64de8b1981fd3)
GOLDEN(mixed,       120, 0xd4f19559f6574740)
GOLDEN(mesh,        120, 0x82251e125acc3775)
GOLDEN(field,       120, 0xe4e98dde0b254904)
GOLDEN(bounce,      240, 0x9a36105d85570e71)
GOLDEN(torsion,     120, 0x7008c34366349142)
GOLDEN(shaker,      120, 0x3d73caa45ee3310c)
GOLDEN(rotation,    120, 0x862326c41ca0c3c2)
GOLDEN(tumble,      120, 0x7745d1471bc090d3)
GOLDEN(compound,    240, 0x098c4d183bcebab8)
GOLDEN(linkage,     120, 0x353b42ae4f948f6d)
GOLDEN(screw,       120, 0x58870698f4a92aa6)
GOLDEN(driven,      240, 0x7da86221b6a03a42)
GOLDEN(plane,       120, 0x39c1b87cadc47bf5)
GOLDEN(anitescu,    120, 0xf6344f315d453f7f)
GOLDEN(stewart,     120, 0x41832b37d384c71a)
GOLDEN(gauss,       120, 0xbf3f12093d3b6144)
GOLDEN(first_order, 120, 0xdebd46926863fbf3)
GOLDEN(walls,       120, 0x1c7deb8c46177079)
GOLDEN(plates,      120, 0xbaf7aeabf16cd11c)
GOLDEN(admm,        120, 0xb96f0ea664e3f386)
