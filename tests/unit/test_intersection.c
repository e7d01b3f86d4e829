// Intersections of convex shapes, and functions of the user: against closed forms, hulls and each other.
#include "test.h"

#include "collide/distance.h"
#include "shape/meet/meet.h"
#include "support/random.h"
#include "support/shape.h"
#include <rigor/world.h>

#include <string.h>

static const double PI = 3.14159265358979323846;

static rgShapeDef def_of(rgShapeKind kind, double radius, double half_length, rgVec3 half) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = radius;
  def.half_length = half_length;
  def.half = half;
  return def;
}

static rgShapeDef ball(double r, rgVec3 at) {
  rgShapeDef def = def_of(RG_SHAPE_SPHERE, r, 0, v3_zero());
  def.pose.position = at;
  return def;
}

static rgShapeDef box(rgVec3 half) { return def_of(RG_SHAPE_BOX, 0, 0, half); }

// The half-space n.x <= offset.
static rgShapeDef plane(rgVec3 n, double offset) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgVec3 axis = v3_cross(v3(0, 0, 1), n);
  def.pose.position = v3_scale(n, offset);
  def.pose.orientation = n.z < -0.999999999 ? (rgQuat){0, 1, 0, 0}
                                            : quat_unit((rgQuat){1 + n.z, axis.x, axis.y, axis.z});
  return def;
}

static rgShapeDef meet_of(const rgShapeDef* members, int count) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_INTERSECTION);
  def.members = members;
  def.member_count = count;
  return def;
}

// --- Mass ----------------------------------------------------------------------------------------

// What is stated as the error holds, against closed forms.
TEST(mass_is_right_to_the_error_that_is_stated) {
  struct {
    rgShapeDef def, same;
    double volume;
  } cases[4];
  rgShapeDef balls[2] = {ball(0.5, v3(0, 0, -0.3)), ball(0.5, v3(0, 0, 0.3))};
  rgShapeDef lens = rg_shape_def(RG_SHAPE_LENS);
  lens.radius = 0.4, lens.parameters[0] = lens.parameters[1] = 0.2;
  rgShapeDef dome[2] = {ball(0.5, v3_zero()), plane(v3(0, 0, -1), 0)};
  rgShapeDef half_ball = rg_shape_def(RG_SHAPE_LENS);
  half_ball.radius = half_ball.parameters[0] = 0.5;
  rgShapeDef pipes[2] = {def_of(RG_SHAPE_CYLINDER, 0.3, 1, v3_zero()),
                         def_of(RG_SHAPE_CYLINDER, 0.3, 1, v3_zero())};
  pipes[1].pose.orientation = quat_unit((rgQuat){1, 1, 0, 0});
  rgShapeDef loose[2] = {box(v3(3, 3, 3)), def_of(RG_SHAPE_ELLIPSOID, 0, 0, v3(0.5, 0.3, 0.7))};
  cases[0].def = meet_of(balls, 2), cases[0].same = lens, cases[0].volume = 0;
  cases[1].def = meet_of(dome, 2), cases[1].same = half_ball, cases[1].volume = 0;
  cases[2].def = meet_of(pipes, 2), cases[2].volume = 16 * 0.027 / 3; // Archimedes
  cases[3].def = meet_of(loose, 2), cases[3].same = loose[1], cases[3].volume = 0;
  for (int i = 0; i < 4; i++) {
    rgMassProperties mass, right;
    cases[i].def.density = cases[i].same.density = 1;
    CONTEXT("case %d", i);
    REQUIRE(rg_shape_mass(&cases[i].def, &mass, NULL) == RG_OK);
    double error = rg_shape_mass_error(&cases[i].def);
    CHECK(error >= 0 && error <= 1e-4);
    if (cases[i].volume > 0) {
      CHECK_NEAR(mass.mass / cases[i].volume, 1, error + 1e-12);
      continue;
    }
    REQUIRE(rg_shape_mass(&cases[i].same, &right, NULL) == RG_OK);
    CHECK_NEAR(mass.mass / right.mass, 1, error + 1e-12);
    CHECK_NEAR(v3_norm(v3_sub(mass.center, right.center)), 0, error + 1e-12);
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(mass.inertia.m[k][k] / right.inertia.m[k][k], 1,
                 4 * error + 1e-12); // fifth powers
    CHECK(rg_shape_mass_error(&cases[i].same) == 0);
  }
}

// --- Half-spaces ---------------------------------------------------------------------------------

TEST(half_spaces_make_the_hull_of_their_corners) {
  for (int trial = 0; trial < 20; trial++) {
    rgShapeDef planes[14], sharp = rg_shape_def(RG_SHAPE_HULL);
    rgVec3 normals[14];
    double offsets[14];
    for (int i = 0; i < 14; i++) {
      normals[i] = i < 6 ? v3((i == 0) - (i == 1), (i == 2) - (i == 3), (i == 4) - (i == 5))
                         : random_direction();
      offsets[i] = random_between(0.5, 1);
      planes[i] = plane(normals[i], offsets[i]);
    }
    rgShape* shape = make_shape(meet_of(planes, 14));
    CHECK_INT(shape->kind, sharp.kind);
    // Every face is one of the planes, every vertex inside all.
    for (int f = 0; f < shape->polyhedron->face_count; f++) {
      double best = HUGE_VAL;
      for (int i = 0; i < 14; i++)
        best = fmin(best, v3_norm(v3_sub(normals[i], shape->polyhedron->normals[f])) +
                              fabs(offsets[i] - shape->polyhedron->offsets[f]));
      CHECK(best <= 1e-11); // rounding of quickhull on corners of rounding
    }
    for (int v = 0; v < shape->polyhedron->vertex_count; v++)
      for (int i = 0; i < 14; i++)
        CHECK(v3_dot(normals[i], shape->polyhedron->vertices[v]) <= offsets[i] + 1e-12);
    free_shape(shape);
  }
}

// --- Support, feet, rays -------------------------------------------------------------------------

// A lens is known by closed forms; an intersection of two balls is known by the solver alone.
TEST(an_intersection_of_balls_answers_as_the_lens) {
  for (int trial = 0; trial < 12; trial++) {
    double q = random_between(0.2, 1), up = random_between(0.1, 2) * q,
           down = random_between(0.05, 0.95) * q * q / up;
    double r1 = (q * q + up * up) / (2 * up), r2 = (q * q + down * down) / (2 * down);
    rgShapeDef lens = rg_shape_def(RG_SHAPE_LENS);
    lens.radius = q, lens.parameters[0] = up, lens.parameters[1] = down;
    rgShapeDef balls[2] = {ball(r1, v3(0, 0, up - r1)), ball(r2, v3(0, 0, r2 - down))};
    rgShape *a = make_shape(lens), *b = make_shape(meet_of(balls, 2));
    const rgShapeInfo *info_a = rg_shape_info(a->kind), *info_b = rg_shape_info(b->kind);
    CONTEXT("trial %d", trial);
    for (int k = 0; k < 40; k++) {
      rgVec3 d = random_direction();
      rgVec3 p = info_a->support(a, d), s = info_b->support(b, d);
      CHECK_NEAR(v3_dot(d, s), v3_dot(d, p), 1e-14); // second order in the error of the point
      CHECK_NEAR(v3_norm(v3_sub(p, s)), 0, 1e-11);
      rgVec3 x = v3_scale(random_direction(), random_between(0, 2));
      rgFoot f = info_a->foot(a, x, HUGE_VAL), g = info_b->foot(b, x, HUGE_VAL);
      CHECK_NEAR(g.distance, f.distance, 1e-13);
      if (f.distance > 0)
        CHECK_NEAR(v3_norm(v3_sub(f.point, g.point)), 0, 1e-11);
      rgRay ray = {v3_scale(random_direction(), 3), v3_zero(), 10};
      ray.direction = v3_unit_or(v3_sub(v3_scale(random_vector(), 0.5), ray.origin), v3(0, 0, 1));
      rgRayTouch t, u;
      bool hit = info_a->ray(a, &ray, &t);
      CHECK(info_b->ray(b, &ray, &u) == hit);
      if (hit)
        CHECK_NEAR(u.distance, t.distance, 1e-12);
    }
    free_shape(a);
    free_shape(b);
  }
}

// Support certified by duality: the gap of the solver is an upper bound of what is missing.
TEST(support_of_mixed_members_is_certified) {
  rgShapeDef cone = def_of(RG_SHAPE_CONE, 0.8, 0.6, v3_zero()),
             super = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
  super.half = v3(0.6, 0.5, 0.55), super.parameters[0] = 4, super.parameters[1] = 3;
  rgShapeDef cases[4][3] = {
      {box(v3(0.5, 0.4, 0.3)), ball(0.55, v3_zero()), ball(0.6, v3(0.1, 0, 0))},
      {cone, super, plane(v3(0, 0.6, 0.8), 0.3)},
      {cone, ball(0.9, v3(0, 0, 0.2)), box(v3(0.5, 2, 2))},
      {super, def_of(RG_SHAPE_CYLINDER, 0.5, 0.4, v3_zero()),
       def_of(RG_SHAPE_ELLIPSOID, 0, 0, v3(0.7, 0.4, 0.6))}};
  for (int i = 0; i < 4; i++) {
    rgShape* shape = make_shape(meet_of(cases[i], 3));
    for (int k = 0; k < 100; k++) {
      rgVec3 d = k < 6 ? v3((k == 0) - (k == 1), (k == 2) - (k == 3), (k == 4) - (k == 5))
                       : random_direction();
      rgMeetGoal goal = {.d = d};
      rgMeetBest best = rg_meet_solve(shape->meet, &goal, shape->extent);
      CONTEXT("case %d, direction %d", i, k);
      rgVec3 farthest = rg_shape_info(shape->kind)->support(shape, d);
      CHECK(v3_dot(d, farthest) >= v3_dot(d, best.point) - 1e-14);
      rgVec3 tip; // where the gradient is not there to tell
      if (!(rg_meet_tip(shape->meet, 0, &tip) && v3_norm(v3_sub(farthest, tip)) < 1e-6))
        CHECK(best.gap <= 1e-11);
      best.point = farthest;
      for (int p = 0; p < shape->meet->piece_count; p++) {
        rgVec3 g;
        rgMat3 h;
        CHECK(rg_meet_value(shape->meet, p, best.point, &g, &h) <= 1e-14);
      }
      for (int m = 0; m < 20; m++) { // no point of the surface is farther
        int piece = 0;
        rgVec3 e = random_direction();
        rgVec3 x = v3_axpy(shape->meet->center,
                           rg_meet_exit(shape->meet, shape->meet->center, e, -1, &piece), e);
        CHECK(v3_dot(d, x) <= v3_dot(d, best.point) + 1e-11);
      }
    }
    free_shape(shape);
  }
}

// A box cut by a ball that does not reach its faces' middles rests on its faces as the box does.
TEST(faces_are_those_of_the_box_where_they_are_the_same) {
  rgShapeDef members[2] = {box(v3(0.3, 0.3, 0.3)), ball(0.6, v3_zero())},
             sharp = box(v3(0.3, 0.3, 0.3));
  rgShape *a = make_shape(meet_of(members, 2)), *b = make_shape(sharp);
  for (int i = 0; i < 6; i++) {
    rgVec3 d = v3((i == 0) - (i == 1), (i == 2) - (i == 3), (i == 4) - (i == 5));
    rgFeature own, right;
    rg_shape_info(a->kind)->feature(a, pose_identity(), d, &own);
    rg_shape_info(b->kind)->feature(b, pose_identity(), d, &right);
    CHECK_INT(own.count, right.count);
    for (int k = 0; k < right.count; k++) {
      double nearest = HUGE_VAL;
      for (int m = 0; m < own.count; m++)
        nearest = fmin(nearest, v3_norm(v3_sub(own.points[m], right.points[k])));
      CHECK(nearest <= 1e-12);
    }
  }
  free_shape(a);
  free_shape(b);
}

// --- What is refused -----------------------------------------------------------------------------

static void check_refused(rgShapeDef def, const char* text) {
  rgMessage message = {""};
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_STR(message.text, text);
}

TEST(what_has_no_common_interior_is_refused) {
  rgShapeDef apart[2] = {ball(0.5, v3_zero()), ball(0.5, v3(2, 0, 0))};
  rgMessage message = {""};
  rgShapeDef def = meet_of(apart, 2);
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_CONTAINS(message.text, "the members have no common interior: members[");
  apart[1].pose.position.x = 1; // they touch
  CHECK(try_shape(&def, &message) == NULL);
  rgShapeDef walls[3] = {plane(v3(0, 0, 1), 1), plane(v3(0, 0, -1), 1), plane(v3(1, 0, 0), 1)};
  check_refused(meet_of(walls, 3), "the half-spaces do not enclose a bounded set");
  rgShapeDef boxes[2] = {box(v3(1, 1, 1)), box(v3(1, 1, 1))};
  boxes[1].pose.position.y = 5;
  check_refused(meet_of(boxes, 2), "the members have no common interior");
  rgShapeDef ring = rg_shape_def(RG_SHAPE_TORUS);
  check_refused(
      meet_of(&ring, 1),
      "members[0]: a torus cannot be a member, must be a halfspace, box, sphere, ellipsoid, "
      "superellipsoid, cylinder, cone or lens");
  rgShapeDef zero[2] = {ball(1, v3_zero()), def_of(RG_SHAPE_ELLIPSOID, 0, 0, v3(1, 0, 1))};
  check_refused(meet_of(zero, 2), "members[1]: half.y is 0, must be > 0");
  rgShapeDef super = def_of(RG_SHAPE_SUPERELLIPSOID, 0, 0, v3(1, 1, 1));
  super.parameters[0] = 0.5, super.parameters[1] = 2;
  check_refused(meet_of(&super, 1), "members[0]: exponents[0] is 0.5, must be >= 2 and <= 20");
  check_refused(meet_of(zero, 0), "member_count is 0, must be at least 1");
}

// --- Functions of the user -----------------------------------------------------------------------

// x^2/a^2 + y^2/b^2 + z^2/c^2 - 1 with what may go wrong with it.
typedef enum Lie { HONEST, NOT_A_NUMBER, WRONG_GRADIENT, WRONG_HESSIAN, CONCAVE, LATE } Lie;
typedef struct Given {
  rgVec3 half;
  Lie lie;
  bool failing; // of a late liar
} Given;

static double given_value(void* context, rgVec3 x, rgVec3* g, rgMat3* h) {
  const Given* given = context;
  rgVec3 s = v3(1 / (given->half.x * given->half.x), 1 / (given->half.y * given->half.y),
                1 / (given->half.z * given->half.z));
  *g = v3_scale(v3_mul(s, x), given->lie == WRONG_GRADIENT ? 2.1 : 2);
  *h = m3_diag(2 * s.x, 2 * s.y, given->lie == WRONG_HESSIAN ? 3 * s.z : 2 * s.z);
  double f = v3_dot(v3_mul(s, x), x) - 1;
  if (given->lie == CONCAVE) {
    f = x.z * x.z * s.z - 1 + s.x * x.x * x.x - 0.1 * s.y * x.y * x.y;
    g->y = -0.2 * s.y * x.y;
    h->m[1][1] = -0.2 * s.y;
  }
  return given->lie == NOT_A_NUMBER || given->failing ? (double)NAN : f;
}

static rgConvexFunction function_of(Given* given) {
  rgVec3 h = v3_scale(given->half, 1.1);
  return (rgConvexFunction){.value = given_value, .context = given, .bounds = {v3_neg(h), h}};
}

TEST(a_function_of_an_ellipsoid_answers_as_the_ellipsoid) {
  Given given = {v3(0.5, 0.3, 0.7), HONEST, false};
  rgConvexFunction function = function_of(&given);
  rgShapeDef def = rg_shape_def(RG_SHAPE_FUNCTION),
             same = def_of(RG_SHAPE_ELLIPSOID, 0, 0, given.half);
  def.function = &function;
  rgMassProperties mass, right;
  REQUIRE(rg_shape_mass(&def, &mass, NULL) == RG_OK);
  REQUIRE(rg_shape_mass(&same, &right, NULL) == RG_OK);
  CHECK_NEAR(mass.mass / right.mass, 1, 1e-9); // the tolerance of the integration
  CHECK(rg_shape_mass_error(&def) <= 1e-8);
  rgShape *a = make_shape(def), *b = make_shape(same);
  const rgShapeInfo *info_a = rg_shape_info(a->kind), *info_b = rg_shape_info(b->kind);
  for (int k = 0; k < 200; k++) {
    rgVec3 d = random_direction();
    CHECK_NEAR(v3_norm(v3_sub(info_a->support(a, d), info_b->support(b, d))), 0, 1e-12);
    rgVec3 x = v3_scale(d, random_between(0.8, 2));
    rgFoot f = info_a->foot(a, x, HUGE_VAL), g = info_b->foot(b, x, HUGE_VAL);
    CHECK_NEAR(f.distance, g.distance, 1e-12);
  }
  free_shape(a);
  free_shape(b);
}

TEST(a_function_that_lies_is_refused_with_the_place) {
  static const struct {
    Lie lie;
    const char* text;
  } cases[] = {{NOT_A_NUMBER, "its value is not a finite number"},
               {WRONG_GRADIENT, "its gradient is not that of its values"},
               {WRONG_HESSIAN, "its Hessian is not that of its gradients"},
               {CONCAVE, "its Hessian has a negative eigenvalue: it is not convex"}};
  for (int i = 0; i < 4; i++) {
    Given given = {v3(0.5, 0.3, 0.7), cases[i].lie, false};
    rgConvexFunction function = function_of(&given);
    rgShapeDef def = rg_shape_def(RG_SHAPE_FUNCTION);
    def.function = &function;
    rgMessage message = {""};
    CHECK(try_shape(&def, &message) == NULL);
    CHECK_CONTAINS(message.text, "the function at (");
    CHECK_CONTAINS(message.text, cases[i].text);
  }
  Given given = {v3(0.5, 0.3, 0.7), HONEST, false};
  rgConvexFunction function = function_of(&given);
  rgShapeDef def = rg_shape_def(RG_SHAPE_FUNCTION);
  check_refused(def, "function is NULL, must be given");
  def.function = &function;
  function.bounds.upper.z = 0.3;
  rgMessage message = {""};
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_CONTAINS(message.text, "it is not >= 0 on the border of its bounds");
  function.bounds = (rgBounds){v3(2, 2, 2), v3(3, 3, 3)};
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_CONTAINS(message.text, "the function is nowhere clearly below 0 within its bounds");
}

// A function that fails while the world runs: the step says so and the world is as before it.
TEST(a_function_that_fails_later_leaves_the_world_as_it_was) {
  Given given = {v3(0.5, 0.3, 0.7), LATE, false};
  rgConvexFunction function = function_of(&given);
  rgWorldDef world_def = rg_world_def();
  rgWorld* world;
  REQUIRE(rg_world_create(&world_def, &world, NULL) == RG_OK);
  rgShapeDef floor = box(v3(3, 3, 0.5)), shape = rg_shape_def(RG_SHAPE_FUNCTION);
  shape.function = &function;
  rgBodyDef ground = rg_body_def(), body = rg_body_def();
  ground.kind = RG_BODY_STATIC;
  ground.pose.position = v3(0, 0, -0.5);
  body.pose.position = v3(0, 0, 0.72);
  rgBodyId id;
  REQUIRE(rg_world_add_body(world, &ground, &floor, 1, &id) == RG_OK);
  REQUIRE(rg_world_add_body(world, &body, &shape, 1, &id) == RG_OK);
  for (int i = 0; i < 100; i++)
    CHECK(rg_world_step(world, NULL) == RG_OK);
  CHECK(rg_world_contact_count(world) >= 1);
  uint64_t before = rg_world_hash(world);
  given.failing = true;
  CHECK(rg_world_step(world, NULL) != RG_OK);
  CHECK(rg_world_message(world)[0] != 0);
  CHECK(rg_world_hash(world) == before);
  given.failing = false;
  CHECK(rg_world_step(world, NULL) == RG_OK);
  CHECK(rg_body_pose(world, id).position.z > 0.2);
  rg_world_destroy(world);
}

TEST(a_whole_ball_as_an_intersection_has_its_volume) {
  rgShapeDef members[1] = {ball(0.5, v3(0.2, 0.1, 0))}, def = meet_of(members, 1);
  rgMassProperties mass;
  def.density = 1;
  REQUIRE(rg_shape_mass(&def, &mass, NULL) == RG_OK);
  CHECK_NEAR(mass.mass / (4.0 / 3 * PI * 0.125), 1, rg_shape_mass_error(&def));
  CHECK_NEAR(mass.center.x, 0.2, 1e-9);
}
