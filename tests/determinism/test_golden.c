// Same bits: every scene ends in the state that the one table says, for any compiler, optimization
// and number of threads. test_golden runs in the release, debug, clang and sanitizer builds; the
// table is common to all.
#include "test.h"

#include "support/golden.h"
#include "support/variety.h"

static const int threads_of[] = {1, 2, 3, 7};
enum { THREADS = sizeof threads_of / sizeof *threads_of };

static const char REFRESH[] = "RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h "
                              "build/tests/determinism/test_golden print_table";

static uint64_t run(const Variety* scene, int threads, int steps) {
  rgWorld* world = variety_build(scene, threads, NULL);
  run_steps(world, steps);
  uint64_t hash = rg_world_hash(world);
  rg_world_destroy(world);
  return hash;
}

static const Golden* find(const char* name) {
  for (int i = 0; i < GOLDEN_COUNT; ++i)
    if (strcmp(golden_table[i].name, name) == 0)
      return &golden_table[i];
  return NULL;
}

static void check_golden(const Golden* golden) {
  const Variety* scene = variety_find(golden->name);
  for (int i = test_fast() ? THREADS - 1 : 0; i < THREADS; ++i) {
    uint64_t hash = run(scene, threads_of[i], golden->steps);
    CONTEXT("%s, %d threads; if the change is meant: %s", golden->name, threads_of[i], REFRESH);
    CHECK_HEX(hash, golden->hash);
  }
}

// One test for each row of the table.
#define GOLDEN(scene, steps, hash)                                                                 \
  TEST(golden_##scene) { check_golden(find(#scene)); }
#include "golden_table.h"
#undef GOLDEN

TEST(every_scene_has_a_golden_hash) {
  for (int i = 0; variety(i); ++i)
    CHECK_MSG(find(variety(i)->name), "%s has none: %s", variety(i)->name, REFRESH);
}

// Writes the table anew, with the steps that are in it and the head of the old file. All scenes are
// run before the file is touched. The other tests follow the new table when they are built again.
TEST(print_table) {
  const char* path = getenv("RIGOR_PRINT_GOLDEN");
  if (!path || !path[0])
    SKIP("set RIGOR_PRINT_GOLDEN to a path to write the table");
  enum { TEXT = 8192, STEPS_OF_A_NEW_SCENE = 120 };
  char text[TEXT];
  size_t length = 0;
  FILE* old = fopen(path, "r");
  REQUIRE(old);
  while (fgets(text + length, (int)(TEXT - length), old) &&
         strncmp(text + length, "GOLDEN", 6) != 0)
    length += strlen(text + length);
  fclose(old);

  for (int i = 0; variety(i); ++i) {
    const char* name = variety(i)->name;
    const Golden* golden = find(name);
    int steps = golden ? golden->steps : STEPS_OF_A_NEW_SCENE;
    unsigned long long hash = run(variety(i), 1, steps);
    length += (size_t)snprintf(text + length, TEXT - length, "GOLDEN(%s,%*d, 0x%016llx)\n", name,
                               15 - (int)strlen(name), steps, hash);
    REQUIRE(length < TEXT);
  }
  FILE* file = fopen(path, "w");
  REQUIRE(file);
  CHECK(fwrite(text, 1, length, file) == length);
  CHECK(fclose(file) == 0);
}
