// clang-format off
// golden_table.h - the state of each scene of tests/support/variety.h after a number of steps, as
// rg_world_hash gives it: the same for every compiler, optimization and number of threads. When
// results change on purpose, build, and then
//
//   RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h \
//     build/tests/determinism/test_golden print_table
//
//     scene      steps  hash
GOLDEN(stack,       120, 0x05580de083d2f876)
GOLDEN(pyramid,     120, 0xcee979212f924061)
GOLDEN(spheres,     120, 0xb9da507e84f0e3b5)
GOLDEN(mixed,       120, 0xc25afeaf91760108)
GOLDEN(mesh,        120, 0x6aeccd77c006c05b)
GOLDEN(field,       120, 0x0a64c7135147da97)
GOLDEN(bounce,      240, 0x01b815d488a995fc)
GOLDEN(torsion,     120, 0xf2280b30bbe81a9e)
GOLDEN(shaker,      120, 0x6c71bdc441e3c632)
GOLDEN(rotation,    120, 0xffc860d8e9ba62f6)
GOLDEN(tumble,      120, 0x7421c2ddacb5dcba)
GOLDEN(compound,    240, 0x7e4bb12268d92bdf)
