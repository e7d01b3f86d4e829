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

// The scenes above are solved in doubles. A heap that is swept in floats (src/solve/nsgs/nsgs_form.h): 100 boxes and balls
// fall onto a floor, so many that they come to one island of more than 64 bodies.
enum { HEAP_STEPS = 60 };
static const uint64_t heap_hash = 0xaa7fc35b005c1732;

static uint64_t run_heap(int threads, const char* options) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("realtime", &def.options));
  def.options.step = 1.0 / 120;
  def.options.threads = threads;
  snprintf(def.options.solver, sizeof def.options.solver, "nsgs");
  snprintf(def.options.solver_options, sizeof def.options.solver_options, "%s", options);
  rgWorld* world = NULL;
  REQUIRE(rg_world_create(&def, &world, NULL) == RG_OK);
  rgBodyDef floor = body_at(RG_BODY_STATIC, v3_zero());
  rgShapeDef ground = shape_halfspace();
  rgBodyId id;
  REQUIRE(rg_world_add_body(world, &floor, &ground, 1, &id) == RG_OK);
  uint32_t random = 12345;
  for (int i = 0; i < 100; ++i) {
    random = random * 1664525u + 1013904223u;
    double shift = 0.05 * (random / 2147483648.0 - 1);
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0.4 * (i % 5) + shift, 0.4 * (i / 5 % 5) - shift,
                                                 0.22 + 0.42 * (i / 25)));
    rgShapeDef shape = i % 3 ? shape_box(v3(0.19, 0.19, 0.19)) : shape_sphere(0.2);
    REQUIRE(rg_world_add_body(world, &body, &shape, 1, &id) == RG_OK);
  }
  run_steps(world, HEAP_STEPS);
  uint64_t hash = rg_world_hash(world);
  rg_world_destroy(world);
  return hash;
}

TEST(golden_heap_in_floats) {
  for (int i = test_fast() ? THREADS - 1 : 0; i < THREADS; ++i) {
    CONTEXT("%d threads; if the change is meant, heap_hash is to be changed", threads_of[i]);
    CHECK_HEX(run_heap(threads_of[i], ""), heap_hash);
  }
  CHECK(run_heap(1, "single=0") != heap_hash); // floats were used
}

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
