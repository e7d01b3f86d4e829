// Contacts of what has hardly moved follow their shapes (world/search/follow.c) and are where a search finds them.
//
// Heaps of blocks and of hulls, tilted anyhow, come to rest on a floor and are pushed a little. After every step each pair
// that was not searched is: the search must find as many contacts of the same features, at the same places and
// gaps, as far as the shapes may have moved, which is a hundredth of what solves and projections leave. Gaps
// differ by the square of that alone, and by what they do elsewhere on faces that are tilted.
#include "test.h"

#include "collide/collide.h"
#include "support/builder.h"
#include "support/random.h"
#include "world/world.h"

#include <string.h>

enum { STEPS = 500, QUIET = 350, MANIFOLDS = 16 };

// Of the size: within this of a line a search takes a corner to be on it (collide/convex/clip.c).
static const double CUT = 5e-7;

// Where edges cross at a small angle, their crossing moves by as much more.
static const double SINE = 0.04;

// Faces that touch are no more tilted to each other [rad]: the gap elsewhere is another by as much.
static const double TILT = 0.02;

typedef struct Seen {
  int followed, contacts;
  double place,
      gap; // farthest from those of a search, of the size of the shapes; gaps by more than the tilt
} Seen;

static const rgManifoldPoint* find_point(const rgManifoldList* list,
                                         const rgWorldContact* contact) {
  for (int m = 0; m < list->count; m++)
    for (int k = 0; k < list->items[m].count; k++)
      if (list->items[m].points[k].feature == contact->feature &&
          list->items[m].key == contact->key)
        return &list->items[m].points[k];
  return NULL;
}

static void compare(const rgWorld* world, const rgPair* pair, Seen* seen) {
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  rgManifold items[MANIFOLDS];
  double size = rg_smaller_size(a, b);
  rgManifoldList list = {.items = items,
                         .capacity = MANIFOLDS,
                         .coarseness = world->options.projection_tolerance * size};
  rgPairHint hint = pair->hint;
  rg_collide(a->shape, a->pose, b->shape, b->pose, (double)pair->reach, &hint, &list);
  int count = 0;
  for (int m = 0; m < list.count; m++)
    count += list.items[m].count;
  CHECK_INT(pair->contact_count, count);
  for (int k = 0; k < pair->contact_count; k++) {
    const rgWorldContact* contact = &world->contacts[pair->contact_start + k];
    const rgManifoldPoint* point = find_point(&list, contact);
    if (!CHECK(point != NULL))
      continue;
    seen->contacts++;
    double away = v3_norm(v3_sub(point->point_a, contact->point_a)) / size,
           gap = fabs(point->gap - contact->gap) / size;
    seen->place = fmax(seen->place, away);
    seen->gap = fmax(seen->gap, gap - TILT * away);
  }
}

static rgShapeDef block(int i) {
  return shape_box(v3(0.2 + 0.02 * (i % 3), 0.25, 0.12 + 0.03 * (i % 2)));
}

static rgShapeDef wedge(int i) {
  static rgVec3 points[8];
  for (int k = 0; k < 8; k++) {
    double s = k & 4 ? 0.8 : 1;
    points[k] = v3((k & 1 ? 0.25 : -0.25) * s, (k & 2 ? 0.2 : -0.2) * s, k & 4 ? 0.12 : -0.12);
  }
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = 8;
  def.density = 500 + 100 * (i % 4);
  return def;
}

static rgWorld* make_stacks(const char* preset, rgShapeDef (*shape)(int)) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset(preset, &def.options));
  def.options.step = 1.0 / 120;
  rgWorld* world = build_world_of(&def);
  build_floor(world);
  for (int i = 0; i < 24; i++) {
    rgVec3 place = v3(0.6 * (i % 4), 0.7 * (i / 4 % 2), 0.16 + 0.32 * (i / 8));
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, place);
    body.pose.orientation = quat_unit((rgQuat){1, 0, 0, 0.15 * random_unit()});
    build_body(world, &body, shape(i));
  }
  return world;
}

static void check_stacks(const char* preset, rgShapeDef (*shape)(int)) {
  rgWorld* world = make_stacks(preset, shape);
  const rgOptions* options = rg_world_options(world);
  double limit = 0.01 * fmin(options->tolerance, options->projection_tolerance);
  Seen seen = {0};
  for (int i = 0; i < STEPS; i++) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    for (int k = 0; k < world->search.pair_count; k++) {
      const rgPair* pair = &world->search.pairs[k];
      CONTEXT("%s, step %d, pair %d", preset, i, k);
      if (!(pair->drift > 0) || pair->drift == HUGE_VALF)
        continue;
      seen.followed++;
      compare(world, pair, &seen);
    }
    if (i > QUIET &&
        i % 40 == 0) { // less than rest takes back, so that pairs go on following or not
      rgBodyId id = rg_world_body(world, 1 + (int)(24 * random_unit()));
      rgVec3 push = v3_scale(random_vector(), 1e-9 * pow(10, floor(7 * random_unit())));
      REQUIRE_INT(rg_body_set_velocity(world, id, twist(push, v3_zero())), RG_OK);
    }
  }
  CONTEXT("%s", preset);
  CHECK(seen.followed > 100);
  CHECK(seen.contacts > 100);
  CHECK_MSG(seen.place <= limit / SINE + CUT, "place %g of %g", seen.place, limit);
  CHECK_MSG(seen.gap <= limit * limit + 1e-13, "gap %g of %g squared", seen.gap, limit);
  rg_world_destroy(world);
}

TEST(contacts_that_follow_are_where_a_search_finds_them) {
  static const char* const presets[] = {"realtime", "default"};
  for (int i = 0; i < 2; i++) {
    check_stacks(presets[i], block);
    check_stacks(presets[i], wedge);
  }
}

// A body that comes and goes far away makes the world seek its contacts again: what rests stays as it is to the last bit.
TEST(edits_elsewhere_leave_what_rests_as_it_is) {
  static const char* const presets[] = {"realtime", "default"};
  for (int k = 0; k < 4; k++) {
    rgWorld* worlds[2];
    for (int i = 0; i < 2; i++) {
      random_state = 5;
      worlds[i] = make_stacks(presets[k % 2], k < 2 ? block : wedge);
    }
    for (int step = 0; step < STEPS; step++) {
      if (step > QUIET && step % 7 == 0) {
        rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(500, 700, 0));
        rgBodyId far = build_body(worlds[0], &def, block(0));
        REQUIRE_INT(rg_world_remove_body(worlds[0], far), RG_OK);
      }
      CONTEXT("%s, step %d", presets[k % 2], step);
      for (int i = 0; i < 2; i++)
        REQUIRE_INT(rg_world_step(worlds[i], NULL), RG_OK);
      for (int i = 0; i < rg_world_body_count(worlds[0]); i++) {
        rgPose a = rg_body_pose(worlds[0], rg_world_body(worlds[0], i)),
               b = rg_body_pose(worlds[1], rg_world_body(worlds[1], i));
        CHECK(memcmp(&a, &b, sizeof a) == 0);
      }
    }
    rg_world_destroy(worlds[0]);
    rg_world_destroy(worlds[1]);
  }
}
