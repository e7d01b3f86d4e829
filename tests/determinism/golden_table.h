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
GOLDEN(mixed,       120, 0xfec1b75ac4f0b7b7)
GOLDEN(mesh,        120, 0x2e0ae6f634089c4a)
GOLDEN(field,       120, 0xe02eb64bf3cabf82)
GOLDEN(bounce,      240, 0x9a36105d85570e71)
GOLDEN(torsion,     120, 0x87d4c13fe54a4aa4)
GOLDEN(shaker,      120, 0x9da053f29fb7af17)
GOLDEN(rotation,    120, 0x862326c41ca0c3c2)
GOLDEN(tumble,      120, 0xb7b7e55f5e35acd6)
GOLDEN(compound,    240, 0xc7ca6ae45d6a7188)
GOLDEN(linkage,     120, 0x46f4ff5a2b5c512c)
GOLDEN(screw,       120, 0x87377ad1f28dafa2)
GOLDEN(driven,      240, 0x1c63d178634f31ed)
GOLDEN(plane,       120, 0x875d510cee41c985)
GOLDEN(anitescu,    120, 0x85f91a140ddab35a)
GOLDEN(stewart,     120, 0x9606c3827886cdde)
GOLDEN(gauss,       120, 0xbf3f12093d3b6144)
GOLDEN(first_order, 120, 0xdf7442958066c872)
GOLDEN(walls,       120, 0x1c7deb8c46177079)
GOLDEN(plates,      120, 0xbaf7aeabf16cd11c)
GOLDEN(admm,        120, 0x12acac2184bd8849)
