// Same bits: every scene ends in the state that the one table says, for any compiler, optimization
// and number of threads. test_golden runs in the release, debug, clang and sanitizer builds; the
// table is common to all.
#include "test.h"

#include "support/variety.h"

enum { MOST_THREADS = 2 };

static const char REFRESH[] = "RIGOR_PRINT_GOLDEN=tests/determinism/golden_table.h "
                              "build/tests/determinism/test_golden print_table";

typedef struct Golden {
  const char* name;
  int steps;
  uint64_t hash;
} Golden;

static const Golden table[] = {
#define GOLDEN(scene, steps, hash) {#scene, (steps), (hash)},
#include "golden_table.h"
#undef GOLDEN
};
enum { GOLDEN_COUNT = sizeof table / sizeof *table };

static uint64_t run(const Variety* scene, int threads, int steps) {
  rgWorld* world = variety_build(scene, threads, NULL);
  run_steps(world, steps);
  uint64_t hash = rg_world_hash(world);
  rg_world_destroy(world);
  return hash;
}

static const Golden* find(const char* name) {
  for (int i = 0; i < GOLDEN_COUNT; ++i)
    if (strcmp(table[i].name, name) == 0)
      return &table[i];
  return NULL;
}

static void check_golden(const Golden* golden) {
  const Variety* scene = variety_find(golden->name);
  for (int threads = test_fast() ? MOST_THREADS : 1; threads <= MOST_THREADS; ++threads) {
    uint64_t hash = run(scene, threads, golden->steps);
    CONTEXT("%s, %d threads; if the change is meant: %s", golden->name, threads, REFRESH);
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

// Writes the table anew, with the steps that are in it and the head of the old file. Like every
// other change to the tests it takes effect when they are built again.
TEST(print_table) {
  const char* path = getenv("RIGOR_PRINT_GOLDEN");
  if (!path || !path[0])
    SKIP("set RIGOR_PRINT_GOLDEN to a path to write the table");
  const int steps_of_a_new_scene = 120;
  char text[4096];
  FILE* old = fopen(path, "r"); // the comment at its head stays
  REQUIRE(old);
  size_t length = 0;
  while (fgets(text + length, (int)(sizeof text - length), old) &&
         strncmp(text + length, "GOLDEN", 6) != 0)
    length += strlen(text + length);
  text[length] = '\0';
  fclose(old);
  FILE* file = fopen(path, "w");
  REQUIRE(file);
  fputs(text, file);
  for (int i = 0; variety(i); ++i) {
    const Variety* scene = variety(i);
    const Golden* golden = find(scene->name);
    int steps = golden ? golden->steps : steps_of_a_new_scene;
    int padding = 12 - (int)strlen(scene->name);
    fprintf(file, "GOLDEN(%s,%*s%3d, 0x%016llx)\n", scene->name, padding > 0 ? padding : 1, "",
            steps, (unsigned long long)run(scene, 1, steps));
  }
  CHECK(fclose(file) == 0);
}
