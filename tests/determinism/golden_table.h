// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x8fdb67bc3cd14269)
GOLDEN(pyramid,     120, 0x6bfbc6f11f8821b3)
GOLDEN(spheres,     120, 0xf508897254237411)
GOLDEN(mixed,       120, 0x13f555c53669ebe9)
GOLDEN(mesh,        120, 0x7b24615ab9e8766c)
GOLDEN(field,       120, 0x0841873029f1d85a)
GOLDEN(bounce,      240, 0x1b792a62af3369d3)
GOLDEN(torsion,     120, 0x9465d74974f4e435)
GOLDEN(shaker,      120, 0xeaf13cb2edaac165)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0xbb9b15b9c233f54f)
GOLDEN(compound,    240, 0x78b1cc46c3e2e58e)
GOLDEN(linkage,     120, 0x1fc378c4a4f36966)
GOLDEN(plane,       120, 0xcb93d617c6918516)
GOLDEN(anitescu,    120, 0x56db6440506be0de)
GOLDEN(stewart,     120, 0xf553f601f956dd64)
GOLDEN(gauss,       120, 0xd6102fd45694b8e9)
GOLDEN(first_order, 120, 0xa8c8ec371591e87b)
