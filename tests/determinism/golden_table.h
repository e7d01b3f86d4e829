// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0xfc9346aabef513aa)
GOLDEN(pyramid,     120, 0xca09360e5b681828)
GOLDEN(spheres,     120, 0x78a64de8b1981fd3)
GOLDEN(mixed,       120, 0xd031bb16bb621cc6)
GOLDEN(mesh,        120, 0xdd729ad52a477f3c)
GOLDEN(field,       120, 0x369aabf7cd18ff98)
GOLDEN(bounce,      240, 0x994fe47a4e0a6eed)
GOLDEN(torsion,     120, 0xa4ba696ab2b1c185)
GOLDEN(shaker,      120, 0x0e738baf0ab21272)
GOLDEN(rotation,    120, 0x862326c41ca0c3c2)
GOLDEN(tumble,      120, 0x99c30a475fa7c40c)
GOLDEN(compound,    240, 0x46066c2f50fc1d37)
GOLDEN(linkage,     120, 0x46f4ff5a2b5c512c)
GOLDEN(screw,       120, 0x87377ad1f28dafa2)
GOLDEN(driven,      240, 0x1c63d178634f31ed)
GOLDEN(plane,       120, 0x875d510cee41c985)
GOLDEN(anitescu,    120, 0x3f2944ada6b34707)
GOLDEN(stewart,     120, 0x38993a9058a2a68c)
GOLDEN(gauss,       120, 0xbf3f12093d3b6144)
GOLDEN(first_order, 120, 0xfaa52535d857323c)
GOLDEN(walls,       120, 0x84fad0b425e06723)
GOLDEN(plates,      120, 0xbaf7aeabf16cd11c)
GOLDEN(admm,        120, 0x8b59bc95be16a2c2)
