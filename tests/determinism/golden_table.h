// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x24576f317936e1a7)
GOLDEN(pyramid,     120, 0x3a466cd506f1539f)
GOLDEN(spheres,     120, 0xdc7f7c8e87f8919f)
GOLDEN(mixed,       120, 0x63ccd727089f1019)
GOLDEN(mesh,        120, 0xb2ff40bb6f779109)
GOLDEN(field,       120, 0x94c032b707d4fc98)
GOLDEN(bounce,      240, 0xaf97e45cdf930ab9)
GOLDEN(torsion,     120, 0xc4c33cd94c213d04)
GOLDEN(shaker,      120, 0xd64f5272e9906866)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x0763b35c29b02d7f)
GOLDEN(compound,    240, 0x5fe525385c306723)
GOLDEN(linkage,     120, 0x476e5931cd9fa390)
GOLDEN(screw,       120, 0xe1353f563734e8ce)
GOLDEN(driven,      240, 0xe91205e6fb1b392b)
GOLDEN(plane,       120, 0x07b571c5d059abbe)
GOLDEN(anitescu,    120, 0x66fbc6f5a69de126)
GOLDEN(stewart,     120, 0x190ecd58a7bd3e4c)
GOLDEN(gauss,       120, 0x6d95853dd1dcf2f0)
GOLDEN(first_order, 120, 0xb9feee4e1a373575)
GOLDEN(walls,       120, 0x78bab619fb4c3e05)
GOLDEN(plates,      120, 0xc09eb82a10d548c5)
GOLDEN(admm,        120, 0x60ecea82818feeb8)
