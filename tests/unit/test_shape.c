// Shapes: mass, bounds, farthest points, checks, memory.
#include "base/memory.h"
#include "shape/solid/polyhedron.h"
#include "support/random.h"
#include "support/shape.h"
#include "test.h"

#include <float.h>

static const double pi = 3.14159265358979323846;

static rgPose random_pose(void) {
  rgQuat turned = random_rotation();
  return (rgPose){v3_scale(random_vector(), 3), turned};
}

// --- one definition of each solid kind -----------------------------------------------------------

static const rgVec3 wedge_points[6] = {{0, 0, 0}, {2, 0, 0}, {0, 1, 0},
                                       {0, 0, 3}, {2, 0, 3}, {0, 1, 3}};

static rgShapeDef sphere_def(double radius) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_SPHERE);
  def.radius = radius;
  return def;
}

static rgShapeDef round_def(rgShapeKind kind, double radius, double half_length) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = radius;
  def.half_length = half_length;
  return def;
}

static rgShapeDef half_def(rgShapeKind kind, double x, double y, double z) {
  rgShapeDef def = rg_shape_def(kind);
  def.half = v3(x, y, z);
  return def;
}

static rgShapeDef hull_def(const rgVec3* points, int count) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HULL);
  def.points = points;
  def.point_count = count;
  return def;
}

enum { SOLIDS = 6 };
static rgShapeDef solid_def(int i) {
  switch (i) {
  case 0:
    return sphere_def(0.8);
  case 1:
    return half_def(RG_SHAPE_BOX, 0.5, 1.2, 2);
  case 2:
    return round_def(RG_SHAPE_CAPSULE, 0.4, 1.1);
  case 3:
    return round_def(RG_SHAPE_CYLINDER, 0.7, 0.3);
  case 4:
    return half_def(RG_SHAPE_ELLIPSOID, 0.6, 0.9, 1.7);
  default:
    return hull_def(wedge_points, 6);
  }
}

static rgMassProperties mass_of(const rgShapeDef* def) {
  rgMassProperties mass;
  rgMessage message = {""};
  REQUIRE_MSG(rg_shape_mass(def, &mass, &message) == RG_OK, "%s", message.text);
  return mass;
}

// --- mass ----------------------------------------------------------------------------------------

// Points on the boundary of a body of revolution about z, scaled by (a, b, c): rings of a sphere of
// radius r moved apart by 2 h.
static int capsule_points(rgVec3* points, int rings, int around, double r, double h, rgVec3 scale) {
  int n = 0;
  for (int i = 0; i <= 2 * rings + 1; i++) {
    bool upper = i > rings;
    double latitude = pi / 2 * (upper ? i - rings - 1 : i - rings) / rings;
    for (int j = 0; j < around; j++) {
      double longitude = 2 * pi * j / around;
      rgVec3 x = v3(r * cos(latitude) * cos(longitude), r * cos(latitude) * sin(longitude),
                    r * sin(latitude) + (upper ? h : -h));
      points[n++] = v3_mul(x, scale);
    }
  }
  return n;
}

// A hull with rings and sectors of angle d misses O(d^2) of volume and inertia; two of them give
// the limit to O(d^4) by Richardson's extrapolation.
static void check_limit_of_hulls(const rgShapeDef* def, double r, double h, rgVec3 scale) {
  enum { RINGS = 16, AROUND = 64 };
  rgVec3* points = malloc(sizeof(rgVec3) * (size_t)(2 * (2 * RINGS) + 2) * (2 * AROUND));
  REQUIRE(points != NULL);
  rgShapeDef coarse_def = hull_def(points, capsule_points(points, RINGS, AROUND, r, h, scale));
  rgMassProperties coarse = mass_of(&coarse_def);
  rgShapeDef fine_def =
      hull_def(points, capsule_points(points, 2 * RINGS, 2 * AROUND, r, h, scale));
  rgMassProperties fine = mass_of(&fine_def);
  free(points);

  rgMassProperties exact = mass_of(def);
  CHECK(coarse.mass < fine.mass && fine.mass < exact.mass);
  CHECK_REL((4 * fine.mass - coarse.mass) / 3, exact.mass, 1e-5);
  for (int i = 0; i < 3; i++)
    CHECK_REL((4 * fine.inertia.m[i][i] - coarse.inertia.m[i][i]) / 3, exact.inertia.m[i][i], 2e-5);
  // Merging is allowed 1e-5 at the poles, where sectors are that thin.
  CHECK_NEAR(v3_norm(v3_sub(fine.center, exact.center)), 0, 1e-8);
}

TEST(sphere_capsule_and_ellipsoid_are_limits_of_hulls) {
  rgShapeDef def = sphere_def(0.8);
  check_limit_of_hulls(&def, 0.8, 0, v3(1, 1, 1));
  def = round_def(RG_SHAPE_CAPSULE, 0.4, 1.1);
  check_limit_of_hulls(&def, 0.4, 1.1, v3(1, 1, 1));
  def = half_def(RG_SHAPE_ELLIPSOID, 0.6, 0.9, 1.7);
  check_limit_of_hulls(&def, 1, 0, v3(0.6, 0.9, 1.7));
}

TEST(a_cylinder_is_the_limit_of_prisms) {
  double r = 0.7, h = 0.3;
  rgShapeDef def = round_def(RG_SHAPE_CYLINDER, r, h);
  rgMassProperties exact = mass_of(&def), prism[2];
  for (int fine = 0; fine < 2; fine++) {
    rgVec3 points[256];
    int sides = 64 << fine;
    for (int i = 0; i < 2 * sides; i++)
      points[i] =
          v3(r * cos(2 * pi * (i / 2) / sides), r * sin(2 * pi * (i / 2) / sides), i % 2 ? h : -h);
    rgShapeDef hull = hull_def(points, 2 * sides);
    prism[fine] = mass_of(&hull);
  }
  CHECK_REL((4 * prism[1].mass - prism[0].mass) / 3, exact.mass, 1e-6);
  for (int i = 0; i < 3; i++)
    CHECK_REL((4 * prism[1].inertia.m[i][i] - prism[0].inertia.m[i][i]) / 3, exact.inertia.m[i][i],
              1e-5);
}

TEST(textbook_values) {
  rgShapeDef def = sphere_def(2);
  def.density = 3;
  rgMassProperties mass = mass_of(&def);
  CHECK_REL(mass.mass, 3 * 4.0 / 3 * pi * 8, 4 * DBL_EPSILON);
  CHECK_REL(mass.inertia.m[2][2], 2.0 / 5 * mass.mass * 4, 4 * DBL_EPSILON);

  def = half_def(RG_SHAPE_BOX, 0.5, 1, 1.5); // 1 x 2 x 3
  mass = mass_of(&def);
  CHECK_REL(mass.mass, 6000, 4 * DBL_EPSILON);
  CHECK_REL(mass.inertia.m[0][0], 6000.0 / 12 * (4 + 9), 4 * DBL_EPSILON);
  CHECK_REL(mass.inertia.m[1][1], 6000.0 / 12 * (1 + 9), 4 * DBL_EPSILON);
  CHECK_REL(mass.inertia.m[2][2], 6000.0 / 12 * (1 + 4), 4 * DBL_EPSILON);

  // Corner tetrahedron with edges a, b, c along the axes: V = abc / 6, centre a / 4, ...;
  // I_xx = 3 m (b^2 + c^2) / 80, I_xy = m a b / 80 with I_xy = -int x y about the centre ...
  const rgVec3 corner[4] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 5}};
  def = hull_def(corner, 4);
  def.density = 1;
  mass = mass_of(&def);
  CHECK_REL(mass.mass, 5, 1e-14);
  CHECK_NEAR(v3_norm(v3_sub(mass.center, v3(0.5, 0.75, 1.25))), 0, 1e-14);
  CHECK_REL(mass.inertia.m[0][0], 3 * 5.0 / 80 * (9 + 25), 1e-14);
  CHECK_REL(mass.inertia.m[1][1], 3 * 5.0 / 80 * (4 + 25), 1e-14);
  CHECK_REL(mass.inertia.m[2][2], 3 * 5.0 / 80 * (4 + 9), 1e-14);
  CHECK_REL(mass.inertia.m[0][1], 5.0 / 80 * 2 * 3, 1e-14);
  CHECK_REL(mass.inertia.m[0][2], 5.0 / 80 * 2 * 5, 1e-14);
  CHECK_REL(mass.inertia.m[1][2], 5.0 / 80 * 3 * 5, 1e-14);
}

TEST(a_box_equals_its_hull_wherever_it_is) {
  for (int trial = 0; trial < 100; trial++) {
    rgShapeDef box = half_def(RG_SHAPE_BOX, 0.3, 0.7, 1.1);
    box.pose = random_pose();
    if (trial % 2) // far away: nothing may cancel
      box.pose.position = v3_scale(box.pose.position, 1e4);
    rgVec3 points[8];
    for (int i = 0; i < 8; i++)
      points[i] =
          pose_apply(box.pose, v3(i & 1 ? 0.3 : -0.3, i & 2 ? 0.7 : -0.7, i & 4 ? 1.1 : -1.1));
    rgShapeDef hull = hull_def(points, 8);
    rgMassProperties a = mass_of(&box), b = mass_of(&hull);
    double rounding = trial % 2 ? 1e-10 : 1e-13; // coordinates up to 3e4 or 5, sizes near 1
    CHECK_REL(a.mass, b.mass, rounding);
    CHECK_NEAR(v3_norm(v3_sub(a.center, b.center)), 0, rounding);
    for (int i = 0; i < 9; i++) {
      CHECK_NEAR(a.inertia.m[i / 3][i % 3], b.inertia.m[i / 3][i % 3], rounding * 1e3);
      CHECK_BITS(a.inertia.m[i / 3][i % 3], a.inertia.m[i % 3][i / 3]);
    }
  }
}

TEST(mass_follows_density_and_units) {
  for (int i = 0; i < SOLIDS; i++) {
    CONTEXT("%s", rg_shape_kind_name(solid_def(i).kind));
    rgShapeDef def = solid_def(i), scaled = def;
    rgVec3 points[6];
    const double s = 1000; // millimetres and grams: density 1000 kg/m3 is 1e-3 g/mm3
    scaled.radius *= s;
    scaled.half_length *= s;
    scaled.half = v3_scale(scaled.half, s);
    for (int k = 0; k < scaled.point_count; k++)
      points[k] = v3_scale(def.points[k], s);
    scaled.points = points;
    scaled.density = 1e-3;
    rgMassProperties a = mass_of(&def), b = mass_of(&scaled);
    CHECK_REL(1000 * a.mass, b.mass, 1e-13);
    for (int k = 0; k < 3; k++)
      CHECK_REL(1e9 * a.inertia.m[k][k], b.inertia.m[k][k], 1e-13);

    scaled = def;
    scaled.density = 0; // for shapes that only collide
    CHECK(mass_of(&scaled).mass == 0);
  }
}

TEST(kinds_without_a_volume_have_no_mass) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgMassProperties mass;
  rgMessage message;
  CHECK_INT(rg_shape_mass(&def, &mass, &message), RG_ERROR_UNSUPPORTED);
  CHECK_STR(message.text, "a halfspace has no volume and so no mass");
  CHECK_INT(rg_shape_mass(&def, &mass, NULL), RG_ERROR_UNSUPPORTED);
}

// --- bounds and farthest points ------------------------------------------------------------------

// [m] How far x is outside the surface of the solid, by its defining inequality; <= 0 inside.
static double outside(const rgShape* s, rgVec3 x) {
  double across = sqrt(x.x * x.x + x.y * x.y), z = fabs(x.z);
  double most = -HUGE_VAL;
  rgVec3 scaled;
  switch (s->kind) {
  case RG_SHAPE_SPHERE:
    return v3_norm(x) - s->radius;
  case RG_SHAPE_BOX:
    return fmax(fabs(x.x) - s->half.x, fmax(fabs(x.y) - s->half.y, z - s->half.z));
  case RG_SHAPE_CAPSULE:
    z = z > s->half_length ? z - s->half_length : 0;
    return sqrt(across * across + z * z) - s->radius;
  case RG_SHAPE_CYLINDER:
    return fmax(across - s->radius, z - s->half_length);
  case RG_SHAPE_ELLIPSOID:
    scaled = v3(x.x / s->half.x, x.y / s->half.y, x.z / s->half.z);
    return (v3_norm(scaled) - 1) * s->size;
  default:
    for (int f = 0; f < s->polyhedron->face_count; f++)
      most = fmax(most, v3_dot(s->polyhedron->normals[f], x) - s->polyhedron->offsets[f]);
    return most;
  }
}

TEST(farthest_points_are_on_the_surface_and_no_other_point_is_farther) {
  for (int i = 0; i < SOLIDS; i++) {
    rgShapeDef def = solid_def(i);
    CONTEXT("%s", rg_shape_kind_name(def.kind));
    rgShape* shape = make_shape(def);
    const rgShapeInfo* info = rg_shape_info(def.kind);
    for (int k = 0; k < 300; k++) {
      rgVec3 d = k < 6 ? v3((k % 3 == 0) * (k < 3 ? 1 : -1), (k % 3 == 1) * (k < 3 ? 1 : -1),
                            (k % 3 == 2) * (k < 3 ? 1 : -1))
                       : v3_scale(random_direction(), k % 2 ? 1e-3 : 1e3);
      rgVec3 x = info->support(shape, d);
      CHECK_NEAR(outside(shape, x), 0, 1e-14);
      double length = v3_norm(d);
      for (int j = 0; j < 100; j++) { // points of the solid: random ones, drawn in until inside
        rgVec3 y = v3_axpy(j < 50 ? x : v3_zero(), j < 50 ? 0.05 : 2, random_vector());
        if (outside(shape, y) <= 0)
          CHECK(v3_dot(d, y) <= v3_dot(d, x) + 1e-14 * length);
      }
    }
    free_shape(shape);
  }
}

TEST(bounds_hold_the_shape_and_touch_it_on_all_six_sides) {
  for (int i = 0; i < SOLIDS; i++) {
    rgShapeDef def = solid_def(i);
    CONTEXT("%s", rg_shape_kind_name(def.kind));
    rgShape* shape = make_shape(def);
    const rgShapeInfo* info = rg_shape_info(def.kind);
    for (int k = 0; k < 100; k++) {
      rgPose pose = k == 0 ? pose_identity() : random_pose();
      rgBounds box = info->bounds(shape, pose);
      for (int axis = 0; axis < 3; axis++) {
        rgVec3 d = quat_unrotate(pose.orientation, v3(axis == 0, axis == 1, axis == 2));
        rgVec3 high = pose_apply(pose, info->support(shape, d));
        rgVec3 low = pose_apply(pose, info->support(shape, v3_neg(d)));
        CHECK_NEAR(v3_get(box.upper, axis), v3_get(high, axis), 1e-14);
        CHECK_NEAR(v3_get(box.lower, axis), v3_get(low, axis), 1e-14);
      }
    }
    free_shape(shape);
  }
}

TEST(extent_is_the_farthest_point_and_size_the_least_half_width) {
  for (int i = 0; i < SOLIDS; i++) {
    rgShapeDef def = solid_def(i);
    CONTEXT("%s", rg_shape_kind_name(def.kind));
    rgShape* shape = make_shape(def);
    const rgShapeInfo* info = rg_shape_info(def.kind);
    double farthest = 0, least = HUGE_VAL;
    int faces = shape->polyhedron ? shape->polyhedron->face_count : 0;
    for (int k = 0; k < 20000; k++) {
      rgVec3 d = k < 3           ? v3(k == 0, k == 1, k == 2)
                 : k - 3 < faces ? shape->polyhedron->normals[k - 3]
                                 : random_direction();
      rgVec3 x = info->support(shape, d), y = info->support(shape, v3_neg(d));
      farthest = fmax(farthest, v3_norm(x));
      least = fmin(least, 0.5 * v3_dot(d, v3_sub(x, y)));
    }
    CHECK(farthest <= shape->extent * (1 + 4 * DBL_EPSILON));
    CHECK_REL(farthest, shape->extent, 1e-3); // directions are sampled
    CHECK(least >= shape->size * (1 - 4 * DBL_EPSILON));
    CHECK_REL(least, shape->size, 1e-2);
    free_shape(shape);
  }
}

TEST(a_box_has_the_documented_features) {
  rgShapeDef def = half_def(RG_SHAPE_BOX, 1, 2, 3);
  rgShape* shape = make_shape(def);
  const rgPolyhedron* p = shape->polyhedron;
  REQUIRE_INT(p->vertex_count, 8);
  REQUIRE_INT(p->face_count, 6);
  REQUIRE_INT(p->edge_count, 12);
  for (int i = 0; i < 8; i++) {
    CHECK(p->vertices[i].x == (i & 1 ? 1 : -1));
    CHECK(p->vertices[i].y == (i & 2 ? 2 : -2));
    CHECK(p->vertices[i].z == (i & 4 ? 3 : -3));
  }
  for (int f = 0; f < 6; f++) {
    rgVec3 n = v3((f / 2 == 0) * (f % 2 ? -1 : 1), (f / 2 == 1) * (f % 2 ? -1 : 1),
                  (f / 2 == 2) * (f % 2 ? -1 : 1));
    CHECK(v3_dot(n, p->normals[f]) == 1);
    const int* loop = p->face_loop + p->face_start[f];
    REQUIRE_INT(p->face_start[f + 1] - p->face_start[f], 4);
    for (int i = 0; i < 4; i++) { // in the plane, and turning left seen from outside
      rgVec3 a = p->vertices[loop[i]], b = p->vertices[loop[(i + 1) % 4]];
      rgVec3 c = p->vertices[loop[(i + 2) % 4]];
      CHECK(v3_dot(n, a) == p->offsets[f]);
      CHECK(v3_dot(n, v3_cross(v3_sub(b, a), v3_sub(c, b))) > 0);
    }
  }
  for (int e = 0; e < 12; e++) {
    const int* edge = p->edges[e];
    for (int side = 0; side < 2; side++) { // left face forwards, right face backwards
      const int* loop = p->face_loop + p->face_start[edge[2 + side]];
      bool found = false;
      for (int i = 0; i < 4; i++)
        found |= loop[i] == edge[side] && loop[(i + 1) % 4] == edge[1 - side];
      CHECK(found);
    }
  }
  // The same mass as the closed form says.
  rgMassProperties a, b;
  rg_polyhedron_mass(p, &a);
  rg_shape_info(RG_SHAPE_BOX)->mass(shape, &b);
  CHECK_REL(a.mass, b.mass, 1e-15);
  CHECK_REL(a.inertia.m[1][1], b.inertia.m[1][1], 1e-14);
  free_shape(shape);
}

TEST(a_half_space_is_bounded_only_above_and_only_when_level) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_HALFSPACE);
  rgShape* shape = make_shape(def);
  CHECK(isinf(shape->extent) && isinf(shape->size));
  const rgShapeInfo* info = rg_shape_info(RG_SHAPE_HALFSPACE);
  rgBounds box = info->bounds(shape, (rgPose){v3(1, 2, 3), quat_identity()});
  CHECK(box.upper.z == 3 && isinf(box.lower.z) && isinf(box.upper.x) && isinf(box.lower.y));
  box = info->bounds(shape, (rgPose){v3(1, 2, 3), {0, 1, 0, 0}}); // half a turn about x
  CHECK(box.lower.z == 3 && isinf(box.upper.z));
  box = info->bounds(shape, (rgPose){v3(1, 2, 3), {0.5, 0.5, 0.5, 0.5}}); // z to x
  CHECK(box.upper.x == 1 && isinf(box.upper.z) && isinf(box.lower.x));
  box = info->bounds(shape, (rgPose){v3(1, 2, 3), {0.5, 0.5, -0.5, -0.5}}); // z to -x
  CHECK(box.lower.x == 1 && isinf(box.upper.x));
  box = info->bounds(shape, (rgPose){v3(1, 2, 3), quat_unit((rgQuat){1, 1e-9, 0, 0})});
  CHECK(isinf(box.upper.z) && isinf(box.lower.z));
  free_shape(shape);
}

// --- checks --------------------------------------------------------------------------------------

static void check_refused(const rgShapeDef* def, const char* text) {
  rgAllocator heap = rg_allocator_default();
  rgStatus status = RG_OK;
  rgMessage message = {""};
  rgShape* shape = rg_shape_create(def, &heap, &status, &message);
  CHECK(shape == NULL);
  CHECK_INT(status, RG_ERROR_INPUT);
  CHECK_STR(message.text, text);
  CHECK(rg_shape_create(def, &heap, &status, NULL) == NULL);
  rg_shape_destroy(shape, &heap);
}

TEST(wrong_numbers_are_refused_with_what_would_be_right) {
  rgShapeDef def = sphere_def(-1);
  check_refused(&def, "radius is -1, must be > 0");
  def = sphere_def(HUGE_VAL);
  check_refused(&def, "radius is inf, must be finite");
  def = round_def(RG_SHAPE_CAPSULE, 1, 0);
  check_refused(&def, "half_length is 0, must be > 0");
  def = round_def(RG_SHAPE_CYLINDER, 0, 1);
  check_refused(&def, "radius is 0, must be > 0");
  def = half_def(RG_SHAPE_BOX, 1, -2, 3);
  check_refused(&def, "half.y is -2, must be > 0");
  def = half_def(RG_SHAPE_ELLIPSOID, 1, 2, HUGE_VAL);
  check_refused(&def, "half.z is inf, must be finite");
  def = sphere_def(1e200);
  check_refused(&def, "the volume or inertia of this sphere is beyond the range of numbers");

  def = sphere_def(1);
  def.kind = (rgShapeKind)99;
  check_refused(&def, "kind is 99, must be 0 to 20");
  def = sphere_def(1);
  def.density = -2;
  check_refused(&def, "density is -2, must be >= 0");
  def = sphere_def(1);
  def.material = -3;
  check_refused(&def, "material is -3, must be at least 0");
  def = sphere_def(1);
  def.pose.position.y = HUGE_VAL;
  check_refused(&def, "pose.position is (0, inf, 0), must be finite");
  def = sphere_def(1);
  def.pose.orientation = (rgQuat){0, 0, 0, 0};
  check_refused(&def, "pose.orientation has length 0, must be 1");
  def.pose.orientation = (rgQuat){1, 0.01, 0, 0};
  check_refused(&def, "pose.orientation has length 1.00005, must be 1");
}

TEST(an_orientation_with_seven_digits_is_taken_and_made_exact) {
  rgShapeDef def = sphere_def(1);
  def.pose.orientation = (rgQuat){0.7071068, 0, 0.7071068, 0};
  rgShape* shape = make_shape(def);
  CHECK_NEAR(quat_norm2(shape->pose.orientation), 1, 4 * DBL_EPSILON);
  free_shape(shape);
}

TEST(the_table_names_every_kind) {
  const char* const names[] = {
      "sphere", "box",   "capsule", "cylinder", "ellipsoid", "hull",           "halfspace",
      "mesh",   "field", "circle",  "polygon",  "segment",   "superellipsoid", "tube",
      "bowl",   "torus", "ring",    "cone",     "lens",      "intersection",   "function"};
  for (int i = 0; i < RG_SHAPE_KIND_COUNT; i++) {
    const rgShapeInfo* info = rg_shape_info((rgShapeKind)i);
    CHECK_STR(rg_shape_kind_name((rgShapeKind)i), names[i]);
    CHECK(rg_shape_kind_summary((rgShapeKind)i) != NULL);
    CHECK_INT(info->kind, i);
    CHECK(info->build && info->bounds);
    CHECK((info->parameters[0] != NULL) == (i != RG_SHAPE_HALFSPACE && i != RG_SHAPE_FUNCTION));
    CHECK(info->solid == (info->mass != NULL));
    CHECK((info->convex && i != RG_SHAPE_HALFSPACE) == (info->support != NULL));
    CHECK(info->convex == (info->triangle == NULL && info->wall == NULL));
  }
  CHECK(rg_shape_kind_name(RG_SHAPE_KIND_COUNT) == NULL);
  CHECK(rg_shape_kind_summary(RG_SHAPE_KIND_COUNT) == NULL);
}

TEST(definitions_have_their_defaults) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_BOX);
  CHECK_INT(def.kind, RG_SHAPE_BOX);
  CHECK(def.density == 1000 && def.group == 1 && def.mask == UINT32_MAX && def.material == 0);
  CHECK(def.pose.orientation.w == 1 && v3_norm(def.pose.position) == 0);
  CHECK(v3_norm(def.half) == 0);
}

// --- memory --------------------------------------------------------------------------------------

typedef struct Counter {
  int allowed, calls, alive;
  size_t bytes;
} Counter;

static void* counted_allocate(size_t size, void* context) {
  Counter* counter = context;
  if (counter->calls++ >= counter->allowed)
    return NULL;
  counter->alive++;
  counter->bytes += size;
  return aligned_alloc(RG_ALIGNMENT, rg_align(size));
}

static void counted_release(void* memory, size_t size, void* context) {
  Counter* counter = context;
  counter->alive--;
  counter->bytes -= size;
  free(memory);
}

TEST(a_shape_is_one_block_and_nothing_is_left_when_memory_runs_out) {
  static const int triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  static const rgVec3 corner[4] = {{0, 0, 0}, {2, 0, 0}, {0, 3, 0}, {0, 0, 5}};
  static const double heights[6] = {0, 1, 2, 3, 4, 5};
  for (int i = 0; i < SOLIDS + 3; i++) {
    rgShapeDef def = i < SOLIDS ? solid_def(i) : hull_def(corner, 4);
    def.kind = i < SOLIDS ? def.kind : (rgShapeKind)(RG_SHAPE_HALFSPACE + i - SOLIDS);
    def.triangles = triangles;
    def.triangle_count = 4;
    def.heights = heights;
    def.rows = 2, def.columns = 3, def.spacing_x = def.spacing_y = 1;
    CONTEXT("%s", rg_shape_kind_name(def.kind));

    rgShape* shape = NULL;
    for (int allowed = 0; !shape && allowed < 10; allowed++) {
      Counter counter = {.allowed = allowed};
      rgAllocator allocator = {counted_allocate, counted_release, &counter};
      rgStatus status = RG_OK;
      rgMessage message = {""};
      shape = rg_shape_create(&def, &allocator, &status, &message);
      CHECK_INT(status, shape ? RG_OK : RG_ERROR_MEMORY);
      CHECK_INT(counter.alive, shape ? 1 : 0);
      if (!shape) {
        CHECK_STR(message.text, "not enough memory for a shape");
        continue;
      }
      CHECK_INT(counter.bytes, shape->memory_size);
      rg_shape_destroy(shape, &allocator);
      CHECK_INT(counter.alive, 0);
      CHECK_INT(counter.bytes, 0);
    }
    CHECK(shape != NULL);
  }
}
