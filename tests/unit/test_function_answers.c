// Functions of the user that lie while steps are made, against the same functions when they do not; and
// functions that do not lie, which are never accused.
#include "test.h"

#include "collide/answers.h"
#include "support/random.h"
#include "support/shape.h"
#include <rigor/world.h>

#include <math.h>
#include <string.h>

typedef enum Lie {
  HONEST,
  SCALED,        // gradient times `amount`
  TURNED,        // gradient turned about `axis` by `amount`
  ZEROED,        // gradient zero where axis.(x - at) > 0
  SCALED_BEYOND, // gradient times `amount` there
  DENTED,        // value and gradient bent inwards around `at`
  NAN_VALUE,
  NAN_GRADIENT,
  NAN_HESSIAN,
  INFINITE_VALUE,
  INFINITE_GRADIENT,
  INFINITE_HESSIAN,
  GROWN, // the set is larger than when it was added
  LIES
} Lie;

enum { PLANES = 4 };

// s (q + w q^2 + p^8 + sum of soft half-spaces - 1) with p along the first plane and q = (x - c)'A(x - c), all in units of the length `size`.
typedef struct Convex {
  double size, factor, quartic, flat, soft[PLANES];
  rgVec3 center, half, plane[PLANES];
  rgQuat turn;
  Lie lie;
  double amount;
  rgVec3 axis, at;   // [size]
  int calls, silent; // lies after `silent` calls
} Convex;

static void add(double f, double slope, double bend, rgVec3 g, double* value, rgVec3* gradient,
                rgMat3* hessian) {
  *value += f;
  *gradient = v3_axpy(*gradient, slope, g);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      hessian->m[i][k] += bend * v3_get(g, i) * v3_get(g, k);
}

static double honest_value(const Convex* c, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  rgMat3 r = m3_from_quat(c->turn), rt = m3_transpose(&r);
  rgVec3 a =
      v3(1 / (c->half.x * c->half.x), 1 / (c->half.y * c->half.y), 1 / (c->half.z * c->half.z));
  rgMat3 d = m3_diag(2 * a.x, 2 * a.y, 2 * a.z), h = m3_mul(&r, &d);
  h = m3_mul(&h, &rt);
  rgVec3 p = v3_sub(x, c->center), g = m3_apply(&h, p);
  double q = 0.5 * v3_dot(p, g), value = q + c->quartic * q * q - 1;
  *gradient = v3_scale(g, 1 + 2 * c->quartic * q);
  *hessian = m3_scale(&h, 1 + 2 * c->quartic * q);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      hessian->m[i][k] += 2 * c->quartic * v3_get(g, i) * v3_get(g, k);
  double p1 = c->flat * v3_dot(c->plane[0], p), p2 = p1 * p1,
         p6 = p2 * p2 * p2; // flat to a high order
  add(p6 * p2, 8 * c->flat * p6 * p1, 56 * c->flat * c->flat * p6, c->plane[0], &value, gradient,
      hessian);
  for (int i = 0; i < PLANES; i++) { // softplus of a plane, divided by its sharpness
    double k = c->soft[i], z = k * (v3_dot(c->plane[i], p) - 0.8), e = exp(-fabs(z)),
           part = z > 0 ? 1 / (1 + e) : e / (1 + e);
    add((fmax(z, 0) + log1p(e)) / k, part, k * part * (1 - part), c->plane[i], &value, gradient,
        hessian);
  }
  return value;
}

static double bend_inwards(const Convex* c, rgVec3 x, rgVec3* g) {
  rgVec3 p = v3_sub(x, c->at); // a bell of the height `amount` and the width 0.1
  double bell = c->amount * exp(-v3_norm2(p) / 0.02);
  *g = v3_axpy(*g, -bell / 0.01, p);
  return bell;
}

static double lie(const Convex* c, rgVec3 x, double f, rgVec3* g, rgMat3* h) {
  bool beyond = v3_dot(c->axis, v3_sub(x, c->at)) > 0;
  double bad = c->lie >= INFINITE_VALUE ? HUGE_VAL : (double)NAN;
  if (c->lie == SCALED || (c->lie == SCALED_BEYOND && beyond))
    *g = v3_scale(*g, c->amount);
  if (c->lie == TURNED)
    *g = quat_rotate((rgQuat){cos(c->amount / 2), sin(c->amount / 2) * c->axis.x,
                              sin(c->amount / 2) * c->axis.y, sin(c->amount / 2) * c->axis.z},
                     *g);
  if (c->lie == ZEROED && beyond)
    *g = v3_zero();
  if (c->lie == DENTED)
    f += bend_inwards(c, x, g);
  if (c->lie == GROWN)
    f -= c->amount;
  if (c->lie == NAN_GRADIENT || c->lie == INFINITE_GRADIENT)
    g->y = bad;
  if (c->lie == NAN_HESSIAN || c->lie == INFINITE_HESSIAN)
    h->m[1][2] = h->m[2][1] = bad;
  return c->lie == NAN_VALUE || c->lie == INFINITE_VALUE ? bad : f;
}

static double value_of(void* context, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  Convex* c = context;
  rgVec3 own = v3_scale(x, 1 / c->size);
  double f = honest_value(c, own, gradient, hessian);
  if (c->lie != HONEST && c->calls++ >= c->silent)
    f = lie(c, own, f, gradient, hessian);
  *gradient = v3_scale(*gradient, c->factor / c->size);
  *hessian = m3_scale(hessian, c->factor / (c->size * c->size));
  return f * c->factor;
}

static Convex random_convex(double size, double factor) {
  Convex c = {.size = size, .factor = factor, .quartic = random_between(0, 2)};
  c.flat = random_between(0, 3);
  c.center = random_direction();
  c.center = v3_scale(c.center, random_between(0, 0.3));
  c.half = random_within(0.3, 1);
  c.turn = random_rotation();
  for (int i = 0; i < PLANES; i++) {
    c.plane[i] = random_direction();
    c.soft[i] = random_between(1, 20);
  }
  return c;
}

static rgConvexFunction function_of(Convex* c) {
  rgVec3 far = v3_scale(v3(1.4, 1.4, 1.4), c->size); // |center| + the longest half axis, and some
  return (rgConvexFunction){.value = value_of,
                            .context = c,
                            .bounds = {v3_neg(far), far},
                            .mass = {1, v3_scale(c->center, c->size), m3_identity()}};
}

static rgShape* shape_of(Convex* c) {
  rgConvexFunction function = function_of(c);
  rgShapeDef def = rg_shape_def(RG_SHAPE_FUNCTION);
  def.function = &function;
  return make_shape(def);
}

static rgShape* other_shape(int kind, double size) {
  static const rgShapeKind kinds[] = {RG_SHAPE_HALFSPACE, RG_SHAPE_SPHERE,   RG_SHAPE_BOX,
                                      RG_SHAPE_ELLIPSOID, RG_SHAPE_CYLINDER, RG_SHAPE_CAPSULE};
  rgShapeDef def = rg_shape_def(kinds[kind]);
  def.radius = 0.5 * size, def.half_length = 0.6 * size;
  def.half = v3_scale(v3(0.5, 0.7, 0.4), size);
  return make_shape(def);
}
enum { OTHERS = 6 };

// Two shapes, placed so that they all but touch: the gap along the line of their centres is between -0.1
// and 0.1 sizes.
typedef struct Scene {
  const rgShape *a, *b;
  rgPose pose_a, pose_b;
  double reach;
} Scene;

static Scene random_scene(const rgShape* a, const rgShape* b, double size) {
  Scene s = {.a = a, .b = b, .reach = size * random_between(0, 0.2)};
  rgVec3 d = random_direction();
  s.pose_a.position = s.pose_b.position = v3_scale(random_direction(), size);
  s.pose_a.orientation = random_rotation();
  s.pose_b.orientation = random_rotation();
  if (b->kind == RG_SHAPE_HALFSPACE)
    d = v3_neg(quat_rotate(s.pose_b.orientation, v3(0, 0, 1)));
  const rgShapeInfo *info_a = rg_shape_info(a->kind), *info_b = rg_shape_info(b->kind);
  double out = v3_dot(d, quat_rotate(s.pose_a.orientation,
                                     info_a->support(a, quat_unrotate(s.pose_a.orientation, d))));
  if (info_b->support)
    out -=
        v3_dot(d, quat_rotate(s.pose_b.orientation,
                              info_b->support(b, quat_unrotate(s.pose_b.orientation, v3_neg(d)))));
  s.pose_b.position = v3_axpy(s.pose_b.position, out + size * random_between(-0.1, 0.1), d);
  return s;
}

static int collide(const Scene* s, rgManifold* items, rgMeetDoubt* doubt, int* side) {
  rgManifoldList list = {.items = items, .capacity = 4};
  rg_collide(s->a, s->pose_a, s->b, s->pose_b, s->reach, NULL, &list);
  CHECK(!list.overflow);
  doubt->kind = RG_MEET_SOUND;
  for (int i = 0; i < list.count; i++)
    if (rg_answers_doubted(&items[i], side, doubt))
      CHECK_INT(list.count, 1);
  return list.count;
}

// --- Honest functions ----------------------------------------------------------------------------

// Lengths and values from 1e-6 to 1e6: nobody is accused.
TEST(an_honest_function_is_never_accused) {
  static const double scales[] = {1e-6, 1e-3, 1, 1e3, 1e6};
  int touching = 0, rounds = test_fast() ? 1 : 2;
  for (int i = 0; i < 25 * rounds; i++) {
    double size = scales[i % 5];
    Convex own = random_convex(size, scales[i / 5 % 5]);
    Convex second = random_convex(size, 1);
    rgShape *a = shape_of(&own), *f = shape_of(&second);
    for (int k = 0; k <= OTHERS; k++) {
      rgShape* b = k < OTHERS ? other_shape(k, size) : f;
      for (int n = 0; n < 6; n++) {
        Scene s = random_scene(a, b, size);
        rgManifold items[4];
        rgMeetDoubt doubt;
        int side;
        touching += collide(&s, items, &doubt, &side) > 0;
        CHECK_INT(doubt.kind, RG_MEET_SOUND);
      }
      if (b != f)
        free_shape(b);
    }
    free_shape(a);
    free_shape(f);
  }
  CHECK(touching > 300 * rounds);
}

// --- Liars ---------------------------------------------------------------------------------------

// Makes the shape of a function that is honest while it is added.
static rgShape* shape_of_liar(Convex* c) {
  Lie later = c->lie;
  c->lie = HONEST;
  rgShape* shape = shape_of(c);
  c->lie = later;
  return shape;
}

static double amount_of(Lie kind) {
  static const double scales[] = {0, 0.5, 0.999, 1.001, 2, -1}, angles[] = {1e-4, 1e-2, 0.1, 1, 3};
  int i = (int)random_between(0, 6) % 6, k = (int)random_between(0, 5) % 5;
  return kind == TURNED ? angles[k] : kind == DENTED ? random_between(0.02, 0.2) : scales[i];
}

static const char* const names[LIES] = {"honest",
                                        "scaled",
                                        "turned",
                                        "zeroed beyond",
                                        "scaled beyond",
                                        "dented",
                                        "nan in value",
                                        "nan gradient",
                                        "nan hessian",
                                        "infinite value",
                                        "infinite gradient",
                                        "infinite hessian",
                                        "grown"};

// A lie everywhere is noticed, in any pose and against any shape, from the first call on or in the midst of a
// search. The function itself, not its partner, is named.
TEST(a_lie_everywhere_is_noticed) {
  int rounds = test_fast() ? 1 : 4;
  static const Lie everywhere[] = {
      SCALED,      TURNED,         NAN_VALUE,         NAN_GRADIENT,
      NAN_HESSIAN, INFINITE_VALUE, INFINITE_GRADIENT, INFINITE_HESSIAN};
  for (int i = 0; i < rounds * 8 * OTHERS; i++) {
    Convex c = random_convex(1, 1);
    c.lie = everywhere[i % 8];
    c.axis = random_direction();
    c.amount = amount_of(c.lie);
    c.silent = i % 3 == 0 ? (int)random_between(0, 40) : 0;
    rgShape *a = shape_of_liar(&c), *b = other_shape(i / 8 % OTHERS, 1);
    Lie later = c.lie;
    c.lie = HONEST;
    Scene s = random_scene(a, b, 1);
    s.reach = 0.2; // so that the function is asked
    bool turn = i % 2;
    if (turn)
      s = (Scene){s.b, s.a, s.pose_b, s.pose_a, s.reach};
    c.lie = later;
    rgManifold items[4];
    rgMeetDoubt doubt;
    int side = -1;
    collide(&s, items, &doubt, &side);
    CHECK_MSG(doubt.kind != RG_MEET_SOUND, "%s by %g against %d", names[c.lie], c.amount,
              i / 8 % OTHERS);
    CHECK_INT(side, turn ? 1 : 0);
    free_shape(a);
    free_shape(b);
  }
}

// A lie in a part of space is noticed, or the contacts are those of the honest function: to 1e-5 of the size,
// which is ten times what the gap of a search may leave.
TEST(a_lie_somewhere_is_noticed_or_does_no_harm) {
  static const Lie somewhere[] = {ZEROED, SCALED_BEYOND, DENTED, GROWN};
  int noticed[LIES] = {0}, harmless[LIES] = {0}, rounds = test_fast() ? 2 : 10;
  for (int i = 0; i < rounds * 4 * OTHERS; i++) {
    Convex c = random_convex(1, 1);
    c.lie = somewhere[i % 4];
    c.axis = random_direction();
    c.at = random_direction();
    c.at = v3_axpy(c.center, random_between(0, 0.5), c.at);
    c.amount = amount_of(c.lie == GROWN ? DENTED : c.lie);
    rgShape *a = shape_of_liar(&c), *b = other_shape(i / 4 % OTHERS, 1);
    Lie later = c.lie;
    c.lie = HONEST;
    Scene s = random_scene(a, b, 1);
    s.reach = 0.2;
    rgManifold right[4], items[4];
    rgMeetDoubt doubt;
    int side = -1, count = collide(&s, right, &doubt, &side);
    c.lie = later;
    if (c.lie == DENTED && count > 0) // where it matters
      c.at = v3_axpy(pose_unapply(s.pose_a, right[0].points[0].point_a), 0.03, c.axis);
    else if (c.lie == DENTED)
      c.lie = NAN_VALUE;
    int found = collide(&s, items, &doubt, &side);
    free_shape(a);
    free_shape(b);
    if (doubt.kind != RG_MEET_SOUND) {
      noticed[c.lie]++;
      continue;
    }
    harmless[c.lie]++;
    if (c.lie == GROWN || c.lie == DENTED) // another set, which may be convex where it is asked
      continue;
    CHECK_INT(found, count);
    for (int m = 0; m < found && m < count; m++)
      CHECK_NEAR(items[m].points[0].gap, right[m].points[0].gap, 1e-5);
  }
  for (int i = 0; i < 4; i++) // the lies are where the contacts are, as a rule
    CHECK_MSG(noticed[somewhere[i]] > (test_fast() ? 1 : 4) * harmless[somewhere[i]],
              "%s: noticed %d, harmless %d", names[somewhere[i]], noticed[somewhere[i]],
              harmless[somewhere[i]]);
}

// --- Worlds --------------------------------------------------------------------------------------

typedef struct Run {
  rgWorld* world;
  rgBodyId body;
} Run;

// A body of the function above a floor, moving sideways.
static Run run_of(Convex* c, const char* stepper, int threads) {
  rgWorldDef def = rg_world_def();
  Run run;
  def.options.threads = threads;
  snprintf(def.options.stepper, sizeof def.options.stepper, "%s", stepper);
  REQUIRE(rg_world_create(&def, &run.world, NULL) == RG_OK);
  rgConvexFunction function = function_of(c);
  rgShapeDef floor = rg_shape_def(RG_SHAPE_BOX), shape = rg_shape_def(RG_SHAPE_FUNCTION);
  floor.half = v3(5, 5, 0.5);
  shape.function = &function;
  function.mass.mass = 0; // by integration
  rgBodyDef ground = rg_body_def(), body = rg_body_def();
  ground.kind = RG_BODY_STATIC;
  ground.pose.position.z = -0.5;
  body.pose.position.z = 1.5;
  body.velocity = (rgTwist){v3(1, 0.5, 0), v3(0.2, 1, 3)};
  rgBodyId id;
  REQUIRE(rg_world_add_body(run.world, &ground, &floor, 1, &id) == RG_OK);
  REQUIRE(rg_world_add_body(run.world, &body, &shape, 1, &run.body) == RG_OK);
  return run;
}

static const char* const steppers[] = {"theta", "implicit-geometry", "halving"};

// Honest ones run on, with every stepper.
TEST(honest_functions_run) {
  for (int i = 0; i < 3; i++) {
    Convex c = random_convex(1, 1);
    Run run = run_of(&c, steppers[i], 1);
    for (int k = 0; k < (test_fast() ? 60 : 200); k++)
      REQUIRE_MSG(rg_world_step(run.world, NULL) == RG_OK, "%s: %s", steppers[i],
                  rg_world_message(run.world));
    rg_world_destroy(run.world);
  }
}

// The step that meets a lie says whose function, where, and what would be right; the world is as it was, with
// any number of threads, and goes on when the function answers again.
TEST(a_step_on_a_lie_is_taken_back) {
  static const struct {
    Lie lie;
    double amount;
    const char* text;
  } cases[] = {{SCALED, 1.01, "its gradient must be that of its values; value "},
               {TURNED, 0.01, "its gradient must be that of its values; value "},
               {NAN_VALUE, 0, "value, gradient and Hessian must be finite numbers"},
               {INFINITE_GRADIENT, 0, "value, gradient and Hessian must be finite numbers"},
               {GROWN, 0.1, "it must answer as it did when it was added"}};
  for (int i = 0; i < 3 * 5; i += test_fast() ? 3 : 1) {
    Convex c = random_convex(1, 1);
    c.axis = random_direction();
    Run run = run_of(&c, steppers[i / 5], 1 + i % 2);
    for (int k = 0; k < 70 || rg_world_contact_count(run.world) == 0; k++)
      REQUIRE(k < 200 && rg_world_step(run.world, NULL) == RG_OK);
    uint64_t before = rg_world_hash(run.world);
    c.lie = cases[i % 5].lie;
    c.amount = cases[i % 5].amount;
    CHECK_INT(rg_world_step(run.world, NULL), RG_ERROR_INPUT);
    CHECK_CONTAINS(rg_world_message(run.world), "body 1: the function of shape 1 at (");
    CHECK_CONTAINS(rg_world_message(run.world), cases[i % 5].text);
    CHECK_CONTAINS(rg_world_message(run.world), "differences of values (");
    CHECK_CONTAINS(rg_world_message(run.world), "; the step is taken back");
    CHECK_HEX(rg_world_hash(run.world), before);
    c.lie = HONEST;
    CHECK_INT(rg_world_step(run.world, NULL), RG_OK);
    rg_world_destroy(run.world);
  }
}
