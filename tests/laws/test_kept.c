// Pairs whose shapes have hardly moved keep their contacts: what is kept differs from what a search
// would find by no more than a hundredth of the gap that counts as touching, however slowly and long
// the shapes move.
#include "support/builder.h"
#include "support/snapshot.h"
#include "test.h"
#include "world/world.h"

static const double KEPT_PART = 0.01; // as in detect.c

// The least gap of each pair of shapes that has contacts, in the order of pairs.
static double least_gap(const rgWorld* world, const rgPair* pair) {
  double least = HUGE_VAL;
  for (int i = 0; i < pair->contact_count; i++)
    least = fmin(least, world->contacts[pair->contact_start + i].gap);
  return least;
}

static const rgPair* find_pair(const rgWorld* world, uint32_t a, uint32_t b) {
  for (int i = 0; i < world->search.pair_count; i++)
    if (world->search.pairs[i].a == a && world->search.pairs[i].b == b)
      return &world->search.pairs[i];
  return NULL;
}

typedef struct Tally {
  int kept, searched; // pairs with contacts
} Tally;

// Compares the contacts of a world with those of a twin in the same state that searches all of them.
static void compare(const rgWorld* world, rgWorld* twin, Tally* tally) {
  Snapshot state = save(world);
  REQUIRE(rg_world_load(twin, state.data, state.size) == RG_OK);
  free(state.data);
  rgBodyId any = rg_world_body(twin, 0);
  REQUIRE(rg_body_set_pose(twin, any, rg_body_pose(twin, any)) == RG_OK); // an edit
  REQUIRE(rg_world_find_contacts(twin) == RG_OK);
  for (int i = 0; i < world->search.pair_count; i++) {
    const rgPair* pair = &world->search.pairs[i];
    const rgPair* fresh = find_pair(twin, pair->a, pair->b);
    if (pair->contact_count == 0)
      continue;
    double size = rg_smaller_size(&world->shapes[pair->a], &world->shapes[pair->b]),
           touching = world->options.projection_tolerance * size, gap = least_gap(world, pair);
    tally->kept += pair->worker == RG_PAIR_KEPT;
    tally->searched += pair->worker != RG_PAIR_KEPT;
    if (gap > touching)
      continue;
    REQUIRE(fresh != NULL);
    double off = fabs(least_gap(twin, fresh) - gap);
    CHECK_MSG(off <= KEPT_PART * touching + 1e-15,
              "pair %u %u: kept gap %g m, searched %g m, touching is %g m", pair->a, pair->b, gap,
              least_gap(twin, fresh), touching);
  }
}

// Boxes, spheres and capsules on a plate that creeps by a part of the touching gap in each step.
static rgWorld* build_creeping(const char* preset, double part) {
  rgWorld* world = build_world(preset);
  const rgOptions* options = rg_world_options(world);
  double speed = part * options->projection_tolerance * 0.2 / options->step;
  rgBodyDef plate = body_at(RG_BODY_KINEMATIC, v3(0, 0, -0.5));
  plate.velocity = twist(v3(speed, 0.3 * speed, 0), v3(0, 0, 0.1 * speed));
  build_body(world, &plate, shape_box(v3(5, 5, 0.5)));
  for (int i = 0; i < 9; i++) {
    rgVec3 place = v3(i % 3 - 1.0, i / 3 - 1.0, 0.2);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, place);
    build_body(world, &def,
               i % 3 == 0   ? shape_sphere(0.2)
               : i % 3 == 1 ? shape_box(v3(0.2, 0.25, 0.2))
                            : shape_box(v3(0.3, 0.2, 0.2)));
    if (i % 3 == 0)
      continue;
    def.pose.position.z += 0.4;
    build_body(world, &def, shape_box(v3(0.15, 0.15, 0.2)));
  }
  return world;
}

static void creep(const char* preset, double part) {
  rgWorld *world = build_creeping(preset, part), *twin = build_creeping(preset, part);
  Tally tally = {0, 0};
  for (int i = 0; i < 300; i++) {
    REQUIRE(rg_world_step(world, NULL) == RG_OK);
    compare(world, twin, &tally);
  }
  CHECK_MSG(part > 0.5 * KEPT_PART || tally.kept > 0, "%s, %g: nothing was kept", preset, part);
  CHECK_MSG(part < 1e-6 || tally.searched > 100, "%s, %g: only %d searches", preset, part,
            tally.searched);
  rg_world_destroy(world);
  rg_world_destroy(twin);
}

TEST(what_creeps_is_searched_before_it_is_off) {
  static const double parts[] = {0, 1e-5, 3e-4, 3e-3, 8e-3, 0.03, 0.5};
  for (int i = 0; i < (int)(sizeof parts / sizeof *parts); i++) {
    creep("default", parts[i]);
    creep("realtime", parts[i]);
  }
}

// At rest nothing is searched any more.
TEST(what_rests_keeps_its_contacts) {
  rgWorld* world = build_creeping("default", 0);
  run_steps(world, 100);
  int searched = 0;
  for (int i = 0; i < 50; i++) {
    run_steps(world, 1);
    for (int k = 0; k < world->search.pair_count; k++)
      searched += world->search.pairs[k].worker != RG_PAIR_KEPT;
  }
  CHECK_MSG(searched == 0, "%d searches", searched);
  rg_world_destroy(world);
}
