// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0xb40a896d6b85d7fa)
GOLDEN(pyramid,     120, 0xfcb40b8244ab0cb6)
GOLDEN(spheres,     120, 0xed4e25c7072cfd62)
GOLDEN(mixed,       120, 0x3f8be343fd3d9e2d)
GOLDEN(mesh,        120, 0x91f739cd76356638)
GOLDEN(field,       120, 0x664a28dcbb2e580b)
GOLDEN(bounce,      240, 0x434340779885a43a)
GOLDEN(torsion,     120, 0x22e88b36ef4f15ce)
GOLDEN(shaker,      120, 0x7f445848cfafd29f)
GOLDEN(rotation,    120, 0x862326c41ca0c3c2)
GOLDEN(tumble,      120, 0xe13b2f39fd9ddb0b)
GOLDEN(compound,    240, 0xe2480fb6a2d5e659)
GOLDEN(linkage,     120, 0x353b42ae4f948f6d)
GOLDEN(screw,       120, 0x54e03945743a5893)
GOLDEN(driven,      240, 0xcd49a9ae645bddf9)
GOLDEN(plane,       120, 0xc2c725856ea5fdcd)
GOLDEN(anitescu,    120, 0x5882a8076c97771a)
GOLDEN(stewart,     120, 0x41832b37d384c71a)
GOLDEN(gauss,       120, 0x4dcb4e32e867e304)
GOLDEN(first_order, 120, 0xc50311806b440bee)
GOLDEN(walls,       120, 0xde7453fff93a4c11)
GOLDEN(plates,      120, 0xbaf7aeabf16cd11c)
GOLDEN(admm,        120, 0xb96f0ea664e3f386)
