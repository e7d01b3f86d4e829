// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0xf3adf0618091cc28)
GOLDEN(pyramid,     120, 0x8ed719cc7ef84cd6)
GOLDEN(spheres,     120, 0x3da3d17b6c1206c2)
GOLDEN(mixed,       120, 0x86ed351e44559886)
GOLDEN(mesh,        120, 0xc948835deefe5cd2)
GOLDEN(field,       120, 0x6c71a138d15b9386)
GOLDEN(bounce,      240, 0xa85430f99c5290e9)
GOLDEN(torsion,     120, 0x0e971df9d9e83016)
GOLDEN(shaker,      120, 0x9cab8b85c40fda29)
GOLDEN(rotation,    120, 0x862326c41ca0c3c2)
GOLDEN(tumble,      120, 0x8135f8b9b12b85b3)
GOLDEN(compound,    240, 0x530aac003b1edb98)
GOLDEN(linkage,     120, 0x44d004e67bde6bf7)
GOLDEN(screw,       120, 0xb084c044f7c97da7)
GOLDEN(driven,      240, 0xcd49a9ae645bddf9)
GOLDEN(plane,       120, 0x628e776f0b255b31)
GOLDEN(anitescu,    120, 0x15a45f55e40034cc)
GOLDEN(stewart,     120, 0x41832b37d384c71a)
GOLDEN(gauss,       120, 0x060a63f82efc01e3)
GOLDEN(first_order, 120, 0x25d13b412c216e16)
GOLDEN(walls,       120, 0xde7453fff93a4c11)
GOLDEN(plates,      120, 0xbaf7aeabf16cd11c)
GOLDEN(admm,        120, 0xb96f0ea664e3f386)
