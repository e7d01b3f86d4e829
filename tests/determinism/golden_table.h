// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x46e170f2a524e9f9)
GOLDEN(pyramid,     120, 0xfcb40b8244ab0cb6)
GOLDEN(spheres,     120, 0x78a64de8b1981fd3)
GOLDEN(mixed,       120, 0xd031bb16bb621cc6)
GOLDEN(mesh,        120, 0x96bd3bcfece9ffd7)
GOLDEN(field,       120, 0x23007ce0d28a6073)
GOLDEN(bounce,      240, 0x994fe47a4e0a6eed)
GOLDEN(torsion,     120, 0xdd344f353349d681)
GOLDEN(shaker,      120, 0x0e738baf0ab21272)
GOLDEN(rotation,    120, 0x862326c41ca0c3c2)
GOLDEN(tumble,      120, 0x99c30a475fa7c40c)
GOLDEN(compound,    240, 0x46066c2f50fc1d37)
GOLDEN(linkage,     120, 0xb8e85b22334ac11f)
GOLDEN(screw,       120, 0xb25d8a951f67cd60)
GOLDEN(driven,      240, 0x6240ee7703f340ce)
GOLDEN(plane,       120, 0x875d510cee41c985)
GOLDEN(anitescu,    120, 0x3f2944ada6b34707)
GOLDEN(stewart,     120, 0x299988165064f780)
GOLDEN(gauss,       120, 0xbf3f12093d3b6144)
GOLDEN(first_order, 120, 0xfaa52535d857323c)
GOLDEN(walls,       120, 0x84fad0b425e06723)
GOLDEN(plates,      120, 0xbaf7aeabf16cd11c)
GOLDEN(admm,        120, 0x72a192c16382e4ad)
