// bookkeeping.c - cost of adding, finding and removing single objects as a world grows.
//
// Nothing here should depend on how much else is in the world. For each size the same number of
// objects is dealt out to worlds of that size, so that small worlds are measured for as long as the
// large one. All worlds of a size exist at the same time and take turns, one operation each: memory
// is then as far away from the processor for many small worlds as for one large one, and what
// differs is the bookkeeping. Each world is filled and emptied twice: the first time also pays for
// memory, in the same proportion at every size, but in steps that no two sizes meet alike. Objects
// are removed and looked up in a scrambled order. What disturbs
// the machine only ever adds time, so that the least of several repetitions counts.
#include "bench.h"

#include "base/random.h"
#include "math/vec.h"
#include <rigor/joint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
  ITEMS = 65536, // in all worlds of a size together
  REPEATS = 3,
  PASSES = 2, // in the same worlds: in the second their memory is there
  SPRING_STEPS = 4,
  NAME_SIZE = 16
};

static const double GROWTH = 1.5;      // cost in the largest world over that in the smallest
static const double BOOKS_STEP = 1e-3; // [s]

static const int SIZES[] = {1024, 4096, 16384, 65536};
enum { SIZE_COUNT = sizeof SIZES / sizeof *SIZES };

// The worlds of one size: boxes that lie on static blocks, `items` bodies in all.
typedef struct Fixture {
  int worlds, items; // items in each world
  rgWorld** world;
  int order[ITEMS];     // of the items of a world, scrambled
  rgBodyId body[ITEMS]; // those of a world follow each other
  rgForceId force[ITEMS];
  rgJointId joint[ITEMS];
  bool failed;
} Fixture;

static void expect(Fixture* f, bool right) { f->failed = f->failed || !right; }

// --- worlds --------------------------------------------------------------------------------------

static rgWorld* make_world(void) {
  rgWorldDef def = rg_world_def();
  def.options.step = BOOKS_STEP;
  rgWorld* world = NULL;
  rgMessage message;
  return rg_world_create(&def, &world, &message) == RG_OK ? world : NULL;
}

static void scramble(int* order, int count, uint64_t seed) {
  for (int i = 0; i < count; i++)
    order[i] = i;
  for (int i = count - 1; i > 0; i--) {
    int k = (int)(rg_random_unit(&seed) * (i + 1)), swap = order[i];
    order[i] = order[k];
    order[k] = swap;
  }
}

static Fixture* begin(int items) {
  Fixture* f = calloc(1, sizeof *f);
  if (!f)
    abort();
  f->items = items;
  f->worlds = ITEMS / items;
  f->world = calloc((size_t)f->worlds, sizeof *f->world);
  for (int w = 0; w < f->worlds; w++) {
    f->world[w] = make_world();
    expect(f, f->world[w] != NULL);
    scramble(f->order + w * items, items, (uint64_t)(1 + w));
  }
  return f;
}

static void end(Fixture* f) {
  for (int w = 0; w < f->worlds; w++)
    rg_world_destroy(f->world[w]);
  free(f->world);
  free(f);
}

static const char* name_of(int item, char* text) {
  snprintf(text, NAME_SIZE, "body %d", item);
  return text;
}

// Even items are blocks, and the odd one after each is the box that lies on it.
static void add_body(Fixture* f, int w, int item) {
  char name[NAME_SIZE];
  int pair = item / 2, above = item % 2;
  rgBodyDef def = rg_body_def();
  def.kind = above ? RG_BODY_DYNAMIC : RG_BODY_STATIC;
  def.name = name_of(item, name);
  def.pose.position = v3(3 * (pair % 64), 3 * (pair / 64 % 64), 1.0 * above + 9 * (pair / 4096));
  rgShapeDef shape = rg_shape_def(RG_SHAPE_BOX);
  shape.half = v3(0.5, 0.5, 0.5);
  expect(f,
         rg_world_add_body(f->world[w], &def, &shape, 1, &f->body[w * f->items + item]) == RG_OK);
}

// --- operations ----------------------------------------------------------------------------------

typedef void Operation(Fixture* f, int w, int item);

static void find_name(Fixture* f, int w, int item) {
  char name[NAME_SIZE];
  int at = f->order[w * f->items + item];
  rgBodyId id = rg_world_find_body(f->world[w], name_of(at, name));
  expect(f, id.index == f->body[w * f->items + at].index && id.generation != 0);
}

static void add_force(Fixture* f, int w, int item) {
  int base = w * f->items, pair = item / 2 * 2;
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.body = f->body[base + pair + 1];
  def.other = f->body[base + pair];
  def.stiffness = 10;
  expect(f, rg_world_add_force(f->world[w], &def, &f->force[base + item]) == RG_OK);
}

static void remove_force(Fixture* f, int w, int item) {
  int base = w * f->items;
  expect(f, rg_world_remove_force(f->world[w], f->force[base + f->order[base + item]]) == RG_OK);
}

static void add_joint(Fixture* f, int w, int item) {
  int base = w * f->items, pair = item / 2 * 2;
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_a = f->body[base + pair];
  def.body_b = f->body[base + pair + 1];
  def.point = rg_body_center(f->world[w], def.body_b);
  expect(f, rg_world_add_joint(f->world[w], &def, &f->joint[base + item]) == RG_OK);
}

static void remove_joint(Fixture* f, int w, int item) {
  int base = w * f->items;
  expect(f, rg_world_remove_joint(f->world[w], f->joint[base + f->order[base + item]]) == RG_OK);
}

// Between each body and some other one.
static void set_pair(Fixture* f, int w, int item, bool on) {
  int base = w * f->items, other = f->order[base + item];
  other = other == item ? (item + 1) % f->items : other;
  expect(f, rg_world_set_pair_collision(f->world[w], f->body[base + item], f->body[base + other],
                                        on) == RG_OK);
}

static void pair_off(Fixture* f, int w, int item) { set_pair(f, w, item, false); }
static void pair_on(Fixture* f, int w, int item) { set_pair(f, w, item, true); }

static void replace_body(Fixture* f, int w, int item) {
  int at = f->order[w * f->items + item];
  expect(f, rg_world_remove_body(f->world[w], f->body[w * f->items + at]) == RG_OK);
  add_body(f, w, at);
}

// Finds the contacts, which removing a body has to end.
static void step_all(Fixture* f) {
  for (int w = 0; w < f->worlds; w++) {
    expect(f, rg_world_step(f->world[w], NULL) == RG_OK);
    expect(f, rg_world_contact_count(f->world[w]) >= f->items / 2);
  }
}

// CPU time [s] of one operation, over all items of all worlds.
static double run(Fixture* f, Operation* operation) {
  double start = bench_cpu();
  for (int item = 0; item < f->items; item++)
    for (int w = 0; w < f->worlds; w++)
      operation(f, w, item);
  return (bench_cpu() - start) / ITEMS;
}

// --- springs in a step ---------------------------------------------------------------------------

static void add_spring_pair(Fixture* f, int w, int item) {
  rgBodyId id[2];
  for (int side = 0; side < 2; side++) {
    rgBodyDef def = rg_body_def();
    def.pose.position = v3(3 * (item % 256), 3 * (item / 256), side);
    def.velocity.linear = v3(0, 0, side == 0 ? 0.1 : -0.1);
    def.mass = 1;
    def.inertia_given = true;
    def.inertia = m3_diag(0.1, 0.1, 0.1);
    expect(f, rg_world_add_body(f->world[w], &def, NULL, 0, &id[side]) == RG_OK);
  }
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.body = id[0];
  def.other = id[1];
  def.stiffness = 100;
  def.damping = 1;
  expect(f, rg_world_add_force(f->world[w], &def, &f->force[item]) == RG_OK);
}

// CPU time [s] of a spring in a step.
static double run_springs(int items, bool* failed) {
  Fixture* f = begin(items);
  run(f, add_spring_pair);
  double time = 0;
  for (int i = 0; i <= SPRING_STEPS && !f->failed; i++) {
    double start = bench_cpu();
    for (int w = 0; w < f->worlds; w++) {
      rgCertificate certificate;
      expect(f, rg_world_step(f->world[w], &certificate) == RG_OK && certificate.met);
    }
    time += i > 0 ? bench_cpu() - start : 0; // the first step takes memory
  }
  *failed = *failed || f->failed;
  end(f);
  return time / (SPRING_STEPS * ITEMS);
}

// --- the table -----------------------------------------------------------------------------------

enum {
  ADD_BODY,
  FIND_NAME,
  ADD_FORCE,
  REMOVE_FORCE,
  ADD_JOINT,
  REMOVE_JOINT,
  PAIR_OFF,
  PAIR_ON,
  REPLACE_BODY,
  SPRING_STEP,
  LINE_COUNT
};

static const char* const LINES[LINE_COUNT] = {
    "add a body",        "find a body by name", "add a force",
    "remove a force",    "add a joint",         "remove a joint",
    "switch a pair off", "switch a pair on",    "remove and add a body",
    "a spring in a step"};

// One repetition for one size: costs [s] go down to what is measured.
static bool measure(int items, double cost[LINE_COUNT]) {
  static Operation* const operations[] = {
      [ADD_BODY] = add_body,         [FIND_NAME] = find_name, [ADD_FORCE] = add_force,
      [REMOVE_FORCE] = remove_force, [ADD_JOINT] = add_joint, [REMOVE_JOINT] = remove_joint,
      [PAIR_OFF] = pair_off,         [PAIR_ON] = pair_on,     [REPLACE_BODY] = replace_body};
  Fixture* f = begin(items);
  for (int pass = 0; pass < PASSES; pass++)
    for (int line = pass == 0 ? ADD_BODY : FIND_NAME; line < SPRING_STEP && !f->failed; line++) {
      if (line == REPLACE_BODY)
        step_all(f);
      cost[line] = fmin(cost[line], run(f, operations[line]));
    }
  bool failed = f->failed;
  end(f);
  cost[SPRING_STEP] = fmin(cost[SPRING_STEP], run_springs(items, &failed));
  return !failed;
}

static double growth_of(double cost[SIZE_COUNT][LINE_COUNT], int line) {
  return cost[SIZE_COUNT - 1][line] / cost[0][line];
}

static void print_table(double cost[SIZE_COUNT][LINE_COUNT]) {
  printf("\nbookkeeping: CPU time of one item [us] in a world of so many\n%-22s", "");
  for (int k = 0; k < SIZE_COUNT; k++)
    printf(" %9d", SIZES[k]);
  printf(" %8s\n", "growth");
  for (int line = 0; line < LINE_COUNT; line++) {
    double growth = growth_of(cost, line);
    printf("%-22s", LINES[line]);
    for (int k = 0; k < SIZE_COUNT; k++)
      printf(" %9.3f", 1e6 * cost[k][line]);
    printf(" %8.2f  goal %g %s\n", growth, GROWTH, growth <= GROWTH ? "reached" : "MISSED");
  }
}

static void print_json(double cost[SIZE_COUNT][LINE_COUNT]) {
  for (int line = 0; line < LINE_COUNT; line++) {
    printf("%s\n    {\"operation\": \"%s\", \"growth\": %.3f, \"sizes\": [", line ? "," : "",
           LINES[line], growth_of(cost, line));
    for (int k = 0; k < SIZE_COUNT; k++)
      printf("%s{\"items\": %d, \"cpu_s\": %.3e}", k ? ", " : "", SIZES[k], cost[k][line]);
    printf("]}");
  }
}

void bench_bookkeeping(bool json) {
  double cost[SIZE_COUNT][LINE_COUNT];
  bool fine = true;
  for (int k = 0; k < SIZE_COUNT; k++)
    for (int line = 0; line < LINE_COUNT; line++)
      cost[k][line] = HUGE_VAL;
  for (int repeat = 0; repeat < REPEATS; repeat++)
    for (int k = 0; k < SIZE_COUNT; k++)
      fine = measure(SIZES[k], cost[k]) && fine;
  if (json)
    print_json(cost);
  else
    print_table(cost);
  if (!fine)
    fprintf(stderr, "rigor-bench: a call failed in the bookkeeping\n");
  fflush(stdout);
}
