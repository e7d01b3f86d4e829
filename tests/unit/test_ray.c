// Rays against every kind of shape: against the implicit function of the kind, followed along the ray in
// small steps and bisected, which shares nothing with the closed forms; surfaces of triangles against
// every single triangle by another formula (Moeller and Trumbore 1997).
#include "shape/ray/ray.h"
#include "support/random.h"
#include "support/shape.h"

// Negative inside a solid, or on one side of a surface; written from the definition of the kind.
typedef double Implicit(const rgShapeDef* def, rgVec3 x);

static double across(rgVec3 x) { return sqrt(x.x * x.x + x.y * x.y); }
static double clamp(double x, double h) { return fmin(fmax(x, -h), h); }

static double f_sphere(const rgShapeDef* d, rgVec3 x) { return v3_norm(x) - d->radius; }
static double f_box(const rgShapeDef* d, rgVec3 x) {
  double r = d->rounding;
  rgVec3 h = v3_sub(d->half, v3(r, r, r));
  rgVec3 q = v3_sub(x, v3(clamp(x.x, h.x), clamp(x.y, h.y), clamp(x.z, h.z)));
  if (r > 0)
    return v3_norm(q) - r;
  return fmax(fabs(x.x) - h.x, fmax(fabs(x.y) - h.y, fabs(x.z) - h.z));
}

static double f_cone(const rgShapeDef* d, rgVec3 x) {
  double at =
      d->radius + (d->parameters[0] - d->radius) * (x.z + d->half_length) / (2 * d->half_length);
  return fmax(sqrt(x.x * x.x + x.y * x.y) - at, fabs(x.z) - d->half_length);
}

static double f_lens(const rgShapeDef* d, rgVec3 x) {
  double q = d->radius, most = -1;
  for (int i = 0; i < 2; i++) {
    double h = d->parameters[i], r = (q * q + h * h) / (2 * h), c = i == 0 ? h - r : r - h;
    most = fmax(most, v3_norm(v3(x.x, x.y, x.z - c)) - r);
  }
  return most;
}
static double f_capsule(const rgShapeDef* d, rgVec3 x) {
  return v3_norm(v3_sub(x, v3(0, 0, clamp(x.z, d->half_length)))) - d->radius;
}
static double f_cylinder(const rgShapeDef* d, rgVec3 x) {
  return fmax(across(x) - d->radius, fabs(x.z) - d->half_length);
}
static double f_super(const rgShapeDef* d, rgVec3 x) {
  double p = d->kind == RG_SHAPE_ELLIPSOID ? 2 : d->parameters[0],
         r = d->kind == RG_SHAPE_ELLIPSOID ? 2 : d->parameters[1];
  double m = pow(pow(fabs(x.x / d->half.x), p) + pow(fabs(x.y / d->half.y), p), 1 / p);
  return pow(pow(m, r) + pow(fabs(x.z / d->half.z), r), 1 / r) - 1;
}
static double f_octahedron(const rgShapeDef* d, rgVec3 x) {
  (void)d;
  return fabs(x.x) + fabs(x.y) + fabs(x.z) - 1;
}
// Rounded: distance to the octahedron |x| + |y| + |z| <= 1 by projection in one octant.
static double f_round_octahedron(const rgShapeDef* d, rgVec3 x) {
  rgVec3 a = v3_abs(x);
  double v[3] = {a.x, a.y, a.z}, excess = a.x + a.y + a.z - 1;
  if (excess <= 0)
    return excess / sqrt(3) - d->rounding;
  bool on[3] = {true, true, true};
  for (int pass = 0; pass < 3; pass++) { // the simplex: coordinates that would be negative are zero
    double sum = 0;
    int count = 0;
    for (int i = 0; i < 3; i++)
      if (on[i])
        sum += v[i], count++;
    double shift = (sum - 1) / count;
    bool again = false;
    for (int i = 0; i < 3; i++)
      if (on[i] && v[i] - shift < 0)
        on[i] = false, again = true;
    if (!again) {
      double d2 = 0;
      for (int i = 0; i < 3; i++)
        d2 += on[i] ? shift * shift : v[i] * v[i];
      return sqrt(d2) - d->rounding;
    }
  }
  return HUGE_VAL;
}
static double f_halfspace(const rgShapeDef* d, rgVec3 x) {
  (void)d;
  return x.z;
}
static double f_torus(const rgShapeDef* d, rgVec3 x) {
  double a = across(x) - d->parameters[0];
  return sqrt(a * a + x.z * x.z) - d->radius;
}
static double f_tube(const rgShapeDef* d, rgVec3 x) { return across(x) - d->radius; }
static bool in_tube(const rgShapeDef* d, rgVec3 x) {
  return d->half_length == 0 || fabs(x.z) < d->half_length;
}
static bool in_bowl(const rgShapeDef* d, rgVec3 x) { return x.z < d->parameters[0]; }

typedef struct Kind {
  const char* name;
  rgShapeDef def;
  Implicit* f;
  bool (*there)(const rgShapeDef* def, rgVec3 x); // NULL: the whole surface
  bool solid;
  double size;
} Kind;

static const rgVec3 octahedron[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

static Kind make_kind(int i) {
  rgShapeDef d = rg_shape_def(RG_SHAPE_SPHERE);
  d.radius = random_between(0.2, 1);
  d.half_length = random_between(0.2, 1.5);
  d.half = random_within(0.3, 1.2);
  d.points = octahedron;
  d.point_count = 6;
  static const char* const names[] = {"sphere",         "box",       "rounded box", "capsule",
                                      "cylinder",       "ellipsoid", "hull",        "rounded hull",
                                      "superellipsoid", "halfspace", "ring",        "torus",
                                      "tube",           "bowl",      "cone",        "lens"};
  static const rgShapeKind kinds[] = {
      RG_SHAPE_SPHERE,         RG_SHAPE_BOX,       RG_SHAPE_BOX,  RG_SHAPE_CAPSULE,
      RG_SHAPE_CYLINDER,       RG_SHAPE_ELLIPSOID, RG_SHAPE_HULL, RG_SHAPE_HULL,
      RG_SHAPE_SUPERELLIPSOID, RG_SHAPE_HALFSPACE, RG_SHAPE_RING, RG_SHAPE_TORUS,
      RG_SHAPE_TUBE,           RG_SHAPE_BOWL,      RG_SHAPE_CONE, RG_SHAPE_LENS};
  static Implicit* const implicit[] = {f_sphere,   f_box,       f_box,        f_capsule,
                                       f_cylinder, f_super,     f_octahedron, f_round_octahedron,
                                       f_super,    f_halfspace, f_torus,      f_torus,
                                       f_tube,     f_sphere,    f_cone,       f_lens};
  d.kind = kinds[i];
  if (i == 2 || i == 7)
    d.rounding = random_between(0.02, 0.25);
  if (i == 8)
    d.parameters[0] = random_between(2, 20), d.parameters[1] = random_between(2, 20);
  if (i == 10 || i == 11)
    d.radius = random_between(0.1, 0.4), d.parameters[0] = random_between(0.45, 1);
  if (i == 12 && random_unit() < 0.3)
    d.half_length = 0;
  if (i == 13)
    d.parameters[0] = random_between(-0.9, 1.1) * d.radius;
  if (i == 14)
    d.parameters[0] = random_unit() < 0.5 ? 0 : random_between(0.1, 1);
  if (i == 15) {
    d.parameters[0] = random_between(0.1, 2) * d.radius;
    d.parameters[1] = random_between(0.05, 1) * d.radius * d.radius / d.parameters[0];
  }
  return (Kind){names[i],         d, implicit[i], i == 12 ? in_tube : i == 13 ? in_bowl : NULL,
                i < 11 || i > 13, 1};
}
enum { KINDS = 16 };

static double at(const Kind* k, rgVec3 o, rgVec3 d, double t) {
  return k->f(&k->def, v3_axpy(o, t, d));
}

// The first change of sign along the ray from `from` on that is on the shape; -1 when there is none.
static double march(const Kind* k, rgVec3 o, rgVec3 d, double from, double far) {
  double step = 2e-3, last = at(k, o, d, from);
  for (double t = from; t < far; t += step) {
    double next = at(k, o, d, t + step);
    if ((last < 0) != (next < 0)) {
      double a = t, b = t + step;
      for (int i = 0; i < 60; i++) {
        double m = 0.5 * (a + b);
        *((at(k, o, d, m) < 0) == (last < 0) ? &a : &b) = m;
      }
      if (!k->there || k->there(&k->def, v3_axpy(o, b, d)))
        return b;
    }
    last = next;
  }
  return -1;
}

static void check_ray(const Kind* k, const rgShape* shape, rgPose pose, rgVec3 o, rgVec3 d,
                      double far) {
  rgRay ray = {pose_apply(pose, o), quat_rotate(pose.orientation, d), HUGE_VAL};
  rgRayTouch touch;
  bool hit = rg_ray_shape(shape, pose, &ray, &touch);
  double away = fmax(0, v3_norm(o) - 3), expected = march(k, o, d, away, away + far);
  if (k->solid && k->f(&k->def, o) < 0) {
    CHECK(hit && touch.inside && touch.distance == 0);
    CHECK(v3_equal(touch.normal, v3_neg(ray.direction)));
    return;
  }
  // What the steps pass over is a hit of a span shorter than a step: then the middle is outside by little.
  if (expected < 0 && hit && touch.distance < away + far) {
    double f = at(k, o, d, touch.distance), beyond = at(k, o, d, touch.distance + 2e-3);
    CHECK_NEAR(f, 0, 1e-12 * (1 + v3_norm(o)));
    bool edge = k->there && !k->there(&k->def, v3_axpy(o, touch.distance + 1e-9, d));
    CHECK(beyond > -1e-3 || edge);
    return;
  }
  if (expected >= 0 && CHECK(hit)) {
    // Where the ray grazes, t is worse determined than the place across it.
    double slope = fabs(v3_dot(touch.normal, ray.direction));
    CHECK_NEAR(touch.distance, expected, 2e-13 * (1 + v3_norm(o)) / fmax(slope, 1e-3));
    CHECK_NEAR(v3_norm(touch.normal), 1, 1e-14);
    CHECK(v3_dot(touch.normal, ray.direction) <= 0);
    CHECK(!touch.inside);
  }
  if (expected < 0)
    CHECK(!hit || (isfinite(touch.distance) && touch.distance >= away + far));
}

TEST(rays_meet_every_kind_where_its_function_changes_sign) {
  int trials = test_fast() ? 40 : 200;
  for (int i = 0; i < KINDS; i++)
    for (int trial = 0; trial < trials; trial++) {
      Kind k = make_kind(i);
      CONTEXT("%s, trial %d", k.name, trial);
      rgShape* shape = make_shape(k.def);
      rgPose pose = {v3_scale(random_vector(), 5), random_rotation()};
      double distance = trial % 10 == 0 ? 200 : random_between(0, 4);
      rgVec3 o = v3_scale(random_direction(), distance), aim = v3_scale(random_vector(), 0.9);
      check_ray(&k, shape, pose, o, v3_unit_or(v3_sub(aim, o), v3(1, 0, 0)), 8);
      free_shape(shape);
    }
}

// The gradient by differences gives the normal.
TEST(normals_are_gradients) {
  for (int i = 0; i < KINDS; i++)
    for (int trial = 0; trial < 20; trial++) {
      Kind k = make_kind(i);
      CONTEXT("%s, trial %d", k.name, trial);
      rgShape* shape = make_shape(k.def);
      rgVec3 o = v3_scale(random_direction(), 3), aim = v3_scale(random_vector(), 0.5);
      rgRay ray = {o, v3_unit_or(v3_sub(aim, o), v3(1, 0, 0)), HUGE_VAL};
      rgRayTouch touch;
      if (rg_ray_shape(shape, pose_identity(), &ray, &touch) && !touch.inside) {
        rgVec3 x = v3_axpy(o, touch.distance, ray.direction);
        double e = 1e-6;
        rgVec3 g = v3(k.f(&k.def, v3(x.x + e, x.y, x.z)) - k.f(&k.def, v3(x.x - e, x.y, x.z)),
                      k.f(&k.def, v3(x.x, x.y + e, x.z)) - k.f(&k.def, v3(x.x, x.y - e, x.z)),
                      k.f(&k.def, v3(x.x, x.y, x.z + e)) - k.f(&k.def, v3(x.x, x.y, x.z - e)));
        CHECK_NEAR(fabs(v3_dot(v3_unit_or(g, v3_zero()), touch.normal)), 1, 1e-4); // differences
      }
      free_shape(shape);
    }
}

TEST(a_ray_that_grazes_a_ball_touches_it_and_one_beside_it_does_not) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_SPHERE);
  def.radius = 1;
  rgShape* ball = make_shape(def);
  rgRayTouch touch;
  rgRay ray = {v3(-5, 0, 1), v3(1, 0, 0), HUGE_VAL};
  CHECK(rg_ray_shape(ball, pose_identity(), &ray, &touch));
  CHECK_NEAR(touch.distance, 5, 0);
  CHECK_NEAR(touch.normal.z, 1, 0);
  ray.origin.z = 1 + 1e-15;
  CHECK(!rg_ray_shape(ball, pose_identity(), &ray, &touch));
  ray.origin = v3(-5, 0, 0);
  ray.length = 4;
  CHECK(rg_ray_shape(ball, pose_identity(), &ray, &touch)); // the end of the ray counts
  ray.length = 3.999;
  CHECK(!rg_ray_shape(ball, pose_identity(), &ray, &touch));
  ray = (rgRay){v3(5, 0, 0), v3(1, 0, 0), HUGE_VAL}; // behind
  CHECK(!rg_ray_shape(ball, pose_identity(), &ray, &touch));
  free_shape(ball);
}

// --- Triangles -----------------------------------------------------------------------------------

// Moeller and Trumbore 1997; negative when missed.
static double other_formula(rgVec3 o, rgVec3 d, const rgVec3 c[3]) {
  rgVec3 e1 = v3_sub(c[1], c[0]), e2 = v3_sub(c[2], c[0]), p = v3_cross(d, e2);
  double det = v3_dot(e1, p);
  rgVec3 s = v3_sub(o, c[0]), q = v3_cross(s, e1);
  double u = v3_dot(s, p) / det, v = v3_dot(d, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 ? v3_dot(e2, q) / det : -1;
}

static void check_surface(const rgShape* shape, int triangles, int trials) {
  for (int trial = 0; trial < trials; trial++) {
    rgPose pose = {v3_scale(random_vector(), 5), random_rotation()};
    rgVec3 o = v3_scale(random_vector(), 3), aim = random_vector();
    if (trial % 4 == 0)
      aim.x = o.x; // along the rows of a field
    if (trial % 4 == 1)
      aim = v3(o.x, o.y, -5); // straight down
    rgVec3 d = v3_unit_or(v3_sub(aim, o), v3(0, 0, 1));
    double expected = HUGE_VAL;
    for (int i = 0; i < triangles; i++) {
      rgTriangle t;
      rg_shape_triangle(shape, i, &t);
      double distance = other_formula(o, d, t.corner);
      expected = distance >= 0 && distance < expected ? distance : expected;
    }
    rgRay ray = {pose_apply(pose, o), quat_rotate(pose.orientation, d), HUGE_VAL};
    rgRayTouch touch;
    bool hit = rg_ray_shape(shape, pose, &ray, &touch);
    if (CHECK_INT(hit, isfinite(expected)) && hit)
      CHECK_NEAR(touch.distance, expected, 1e-12);
  }
}

TEST(rays_meet_fields_and_meshes_at_their_nearest_triangle) {
  enum { ROWS = 9, COLUMNS = 13 };
  double heights[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    heights[i] = random_between(-0.4, 0.4);
  rgShapeDef def = rg_shape_def(RG_SHAPE_FIELD);
  def.heights = heights;
  def.rows = ROWS;
  def.columns = COLUMNS;
  def.spacing_x = 0.2;
  def.spacing_y = 0.3;
  rgShape* field = make_shape(def);
  check_surface(field, 2 * (ROWS - 1) * (COLUMNS - 1), 2000);

  rgVec3 points[ROWS * COLUMNS];
  int triangles[6 * (ROWS - 1) * (COLUMNS - 1)], count = 0;
  for (int i = 0; i < ROWS * COLUMNS; i++) // a sheet that folds over itself
    points[i] = v3_add(v3(0.2 * (i % COLUMNS) - 1.2, 0.3 * (i / COLUMNS) - 1.2, 0),
                       v3_scale(random_vector(), 0.4));
  for (int r = 0; r < ROWS - 1; r++)
    for (int c = 0; c < COLUMNS - 1; c++) {
      int p = r * COLUMNS + c;
      const int cell[6] = {p, p + 1, p + COLUMNS + 1, p, p + COLUMNS + 1, p + COLUMNS};
      memcpy(triangles + count, cell, sizeof cell);
      count += 6;
    }
  rgShapeDef sheet = rg_shape_def(RG_SHAPE_MESH);
  sheet.points = points;
  sheet.point_count = ROWS * COLUMNS;
  sheet.triangles = triangles;
  sheet.triangle_count = count / 3;
  rgShape* mesh = make_shape(sheet);
  check_surface(mesh, count / 3, 2000);
  free_shape(mesh), free_shape(field);
}

// Rays through the edges and corners of a closed surface do not slip through.
TEST(a_closed_mesh_has_no_gaps) {
  rgVec3 corners[8];
  for (int i = 0; i < 8; i++)
    corners[i] = v3(i & 1 ? 0.7 : -0.7, i & 2 ? 0.7 : -0.7, i & 4 ? 0.7 : -0.7);
  static const int faces[36] = {1, 3, 7, 1, 7, 5, 0, 4, 6, 0, 6, 2, 2, 6, 7, 2, 7, 3,
                                0, 1, 5, 0, 5, 4, 4, 5, 7, 4, 7, 6, 0, 2, 3, 0, 3, 1};
  rgShapeDef def = rg_shape_def(RG_SHAPE_MESH);
  def.points = corners;
  def.point_count = 8;
  def.triangles = faces;
  def.triangle_count = 12;
  rgShape* mesh = make_shape(def);
  for (int trial = 0; trial < 5000; trial++) {
    rgVec3 inside = v3_scale(random_vector(), 0.5);
    int i = (int)random_between(0, 8), j = (int)random_between(0, 8);
    double s = trial % 3 == 0 ? 0 : random_unit();
    rgVec3 target = v3_lerp(corners[i], corners[j], s);
    rgRay ray = {inside, v3_unit_or(v3_sub(target, inside), v3(1, 0, 0)), HUGE_VAL};
    rgRayTouch touch;
    CHECK(rg_ray_shape(mesh, pose_identity(), &ray, &touch));
  }
  free_shape(mesh);
}

// --- Flat shapes ---------------------------------------------------------------------------------

static double to_segment(rgVec3 x, rgVec3 p, rgVec3 q) {
  rgVec3 e = v3_sub(q, p);
  double s = v3_dot(v3_sub(x, p), e) / v3_norm2(e);
  return v3_norm(v3_sub(x, v3_axpy(p, fmin(fmax(s, 0), 1), e)));
}

// Distance to the outline, negative inside a polygon.
static double f_flat(const rgVec3* corners, int count, double radius, rgVec3 x) {
  if (count == 1)
    return v3_norm(v3_sub(x, corners[0])) - radius;
  double least = HUGE_VAL;
  bool inside = count > 2;
  for (int i = 0; i < count; i++) {
    rgVec3 p = corners[i], q = corners[(i + 1) % count];
    least = fmin(least, to_segment(x, p, q));
    inside = inside && v3_cross(v3_sub(q, p), v3_sub(x, p)).z > 0;
  }
  return (inside ? -least : least) - radius;
}

TEST(rays_meet_flat_shapes_where_their_distance_is_zero) {
  for (int trial = 0; trial < 800; trial++) {
    rgShapeDef def = rg_shape_def(trial % 3 == 0   ? RG_SHAPE_CIRCLE
                                  : trial % 3 == 1 ? RG_SHAPE_POLYGON
                                                   : RG_SHAPE_CAPSULE);
    rgVec3 corners[5];
    int count = trial % 3 == 0 ? 1 : trial % 3 == 1 ? 5 : 2;
    def.planar = true;
    def.radius = random_between(0.1, 0.8);
    def.half_length = random_between(0.1, 1);
    for (int i = 0; i < 5; i++) { // a pentagon on a circle
      double angle = 1.2566370614359172 * i + random_between(0, 0.9);
      corners[i] = v3(cos(angle), sin(angle), 0);
    }
    if (count == 1)
      corners[0] = v3_zero();
    if (count == 2)
      corners[0] = v3(-def.half_length, 0, 0), corners[1] = v3(def.half_length, 0, 0);
    def.points = corners;
    def.point_count = 5;
    double radius = count == 5 ? 0 : def.radius;
    rgShape* shape = make_shape(def);
    rgVec3 o = random_flat_within(-3, 3), aim = random_flat_within(-1, 1);
    rgRay ray = {o, v3_unit_or(v3_sub(aim, o), v3(1, 0, 0)), HUGE_VAL};
    rgRayTouch touch;
    bool hit = rg_ray_shape(shape, pose_identity(), &ray, &touch);
    double t = 0, f = f_flat(corners, count, radius, o);
    if (f < 0) {
      CHECK(hit && touch.inside);
    } else {
      for (int i = 0; i < 3000 && f > 1e-13 && t < 10; i++) { // no step passes the shape
        t += f;
        f = f_flat(corners, count, radius, v3_axpy(o, t, ray.direction));
      }
      if (CHECK_INT(hit, t < 10) && hit) {
        double slope = fabs(v3_dot(touch.normal, ray.direction));
        CHECK_NEAR(touch.distance, t, 1e-12 / fmax(slope * slope, 1e-6));
        CHECK(touch.normal.z == 0);
      }
    }
    free_shape(shape);
  }
}
