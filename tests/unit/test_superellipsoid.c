// The superellipsoid: mass, support, feet, limits, and contacts with every shape against an oracle
// that knows only support functions of its own.
#include "test.h"

#include "collide/pair/pairs.h"
#include "support/random.h"
#include "support/shape.h"

#include <string.h>

static rgShapeDef super_def(rgVec3 half, double across, double along) {
  rgShapeDef def = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
  def.half = half;
  def.parameters[0] = across;
  def.parameters[1] = along;
  return def;
}

static rgShapeDef random_super(double exponent_limit) {
  rgVec3 half = v3(random_between(0.3, 1), random_between(0.3, 1), random_between(0.3, 1));
  return super_def(half, random_between(2, exponent_limit), random_between(2, exponent_limit));
}

// The norm g of the file's prologue, with the C library's powers.
static double norm_at(const rgShape* shape, rgVec3 x) {
  double p = shape->parameters[0], r = shape->parameters[1];
  rgVec3 h = shape->half;
  double m = pow(pow(fabs(x.x / h.x), p) + pow(fabs(x.y / h.y), p), 1 / p);
  return pow(pow(m, r) + pow(fabs(x.z / h.z), r), 1 / r);
}

// --- Mass ----------------------------------------------------------------------------------------

// Midpoint rule on an n^3 grid over one octant: sharp at the surface only to order 1/n^2.
static void numeric_mass(const rgShape* shape, int n, double* volume, rgVec3* second) {
  *volume = 0;
  *second = v3_zero();
  rgVec3 h = shape->half;
  double cell = 8 * h.x * h.y * h.z / ((double)n * n * n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      // Along z the integral is exact: up to the height of the surface.
      double x = (i + 0.5) / n, y = (j + 0.5) / n, p = shape->parameters[0],
             r = shape->parameters[1];
      double m = pow(pow(x, p) + pow(y, p), 1 / p);
      if (m >= 1)
        continue;
      double top = pow(1 - pow(m, r), 1 / r);
      *volume += cell * n * top;
      *second = v3_axpy(*second, cell * n * top, v3(x * x, y * y, top * top / 3));
    }
  *second = v3_mul(*second, v3_mul(h, h));
}

TEST(mass_is_that_of_numeric_integration) {
  for (int trial = 0; trial < 12; trial++) {
    rgShape* shape = make_shape(random_super(8));
    rgMassProperties mass;
    rg_shape_info(shape->kind)->mass(shape, &mass);
    double volume;
    rgVec3 second;
    numeric_mass(shape, 600, &volume, &second);
    CONTEXT("trial %d", trial);
    // The root at the rim of the octant leaves some n^-1.3 of the integral.
    CHECK_NEAR(mass.mass / volume, 1, 1e-3);
    CHECK_NEAR(mass.inertia.m[0][0] / (second.y + second.z), 1, 1e-3);
    CHECK_NEAR(mass.inertia.m[1][1] / (second.z + second.x), 1, 1e-3);
    CHECK_NEAR(mass.inertia.m[2][2] / (second.x + second.y), 1, 1e-3);
    free_shape(shape);
  }
}

TEST(mass_with_exponents_of_two_is_that_of_the_ellipsoid) {
  rgVec3 half = v3(0.5, 0.7, 1.1);
  rgShapeDef ellipsoid = rg_shape_def(RG_SHAPE_ELLIPSOID), super = super_def(half, 2, 2);
  ellipsoid.half = half;
  rgMassProperties a, b;
  REQUIRE(rg_shape_mass(&ellipsoid, &a, NULL) == RG_OK);
  REQUIRE(rg_shape_mass(&super, &b, NULL) == RG_OK);
  CHECK_NEAR(b.mass / a.mass, 1, 1e-14);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(b.inertia.m[i][i] / a.inertia.m[i][i], 1, 1e-14);
}

// Volume and moments of a box are missed by what is rounded off, of order 1 / exponent^2.
TEST(large_exponents_tend_to_a_box) {
  rgVec3 half = v3(0.5, 0.7, 1.1);
  double last = HUGE_VAL;
  for (double p = 5; p <= 20; p *= 2) {
    rgShapeDef super = super_def(half, p, p);
    rgMassProperties mass;
    REQUIRE(rg_shape_mass(&super, &mass, NULL) == RG_OK);
    double box = 1000 * 8 * half.x * half.y * half.z, missing = 1 - mass.mass / box;
    CHECK(missing > 0 && missing < 6 / (p * p) && missing < last / 3);
    last = missing;
    rgShape* shape = make_shape(super);
    rgVec3 corner = rg_shape_info(shape->kind)->support(shape, v3(1, 1, 1));
    CHECK(corner.x > half.x * (1 - 3 / p) && corner.z < half.z);
    free_shape(shape);
  }
}

TEST(exponents_out_of_range_are_refused) {
  rgMessage message = {""};
  rgShapeDef def = super_def(v3(1, 1, 1), 1.5, 4);
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_STR(message.text, "exponents[0] is 1.5, must be >= 2 and <= 20");
  def = super_def(v3(1, 1, 1), 4, 21);
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_STR(message.text, "exponents[1] is 21, must be >= 2 and <= 20");
  def = super_def(v3(1, 0, 1), 4, 4);
  CHECK(try_shape(&def, &message) == NULL);
  CHECK_STR(message.text, "half.y is 0, must be > 0");
}

// --- Surface -------------------------------------------------------------------------------------

TEST(support_points_are_on_the_surface_and_none_is_farther) {
  for (int trial = 0; trial < 200; trial += test_fast() ? 5 : 1) {
    rgShape* shape = make_shape(random_super(20));
    const rgShapeInfo* info = rg_shape_info(shape->kind);
    rgVec3 d = trial % 4 == 0 ? v3(0, trial % 8 == 0, 1) : random_direction();
    rgVec3 p = info->support(shape, d);
    CONTEXT("trial %d", trial);
    CHECK_NEAR(norm_at(shape, p), 1, 1e-13);
    for (int i = 0; i < 200; i++) {
      rgVec3 x = random_direction();
      x = v3_scale(x, 1 / norm_at(shape, x));
      CHECK(v3_dot(d, x) <= v3_dot(d, p) + 1e-12);
    }
    free_shape(shape);
  }
}

// Gradient and Hessian against differences; away from the planes of symmetry, where third
// derivatives of small exponents are unbounded.
TEST(gradient_and_hessian_are_those_of_the_function) {
  for (int trial = 0; trial < 200; trial += test_fast() ? 5 : 1) {
    rgShape* shape = make_shape(random_super(8));
    const rgShapeInfo* info = rg_shape_info(shape->kind);
    rgVec3 x = random_direction(), g, unused;
    if (fabs(x.x) < 0.2 || fabs(x.y) < 0.2 || fabs(x.z) < 0.2) {
      free_shape(shape);
      continue;
    }
    rgMat3 h, unused_too;
    CHECK_NEAR(info->value(shape, x, &g, &h), norm_at(shape, x) - 1, 1e-13);
    for (int i = 0; i < 3; i++) {
      double step = 1e-5;
      rgVec3 e = v3(i == 0 ? step : 0, i == 1 ? step : 0, i == 2 ? step : 0), up, down;
      info->value(shape, v3_add(x, e), &up, &unused_too);
      info->value(shape, v3_sub(x, e), &down, &unused_too);
      double high = norm_at(shape, v3_add(x, e)), low = norm_at(shape, v3_sub(x, e));
      CHECK_NEAR(v3_get(g, i), (high - low) / (2 * step), 1e-7);
      unused = v3_scale(v3_sub(up, down), 1 / (2 * step));
      for (int j = 0; j < 3; j++)
        CHECK_NEAR(h.m[i][j], v3_get(unused, j), 1e-5);
    }
    free_shape(shape);
  }
}

TEST(feet_are_nearest_points) {
  for (int trial = 0; trial < 400; trial += test_fast() ? 5 : 1) {
    rgShape* shape = make_shape(random_super(10));
    const rgShapeInfo* info = rg_shape_info(shape->kind);
    rgVec3 x = v3_scale(random_direction(), random_between(0.1, 3));
    rgFoot foot = info->foot(shape, x, HUGE_VAL);
    CONTEXT("trial %d", trial);
    CHECK_NEAR(norm_at(shape, foot.point), 1, 1e-13);
    CHECK((foot.distance < 0) == (norm_at(shape, x) < 1));
    rgVec3 back = v3_axpy(foot.point, foot.distance, foot.normal);
    CHECK(v3_norm(v3_sub(back, x)) < 1e-12);
    for (int i = 0; i < 2000; i++) {
      rgVec3 y = random_direction();
      y = v3_scale(y, 1 / norm_at(shape, y));
      CHECK(v3_norm(v3_sub(x, y)) >= fabs(foot.distance) - 1e-12);
    }
    free_shape(shape);
  }
}

// --- The oracle: the largest h(n) = lowest of A minus highest of B along n -------------------------

enum { HULL_POINTS = 14 };

typedef struct Pair {
  rgShape *a, *b;
  rgPose pose_a, pose_b;
} Pair;

// Support along d in the frame of the shape, by formulas that share no code with the library.
static double own_height(const rgShape* shape, rgVec3 d) {
  rgVec3 h = shape->half;
  double across = sqrt(d.x * d.x + d.y * d.y), best = -HUGE_VAL;
  switch (shape->kind) {
  case RG_SHAPE_SPHERE:
    return shape->radius;
  case RG_SHAPE_CAPSULE:
    return shape->radius + shape->half_length * fabs(d.z);
  case RG_SHAPE_CYLINDER:
    return shape->radius * across + shape->half_length * fabs(d.z);
  case RG_SHAPE_BOX:
    return h.x * fabs(d.x) + h.y * fabs(d.y) + h.z * fabs(d.z);
  case RG_SHAPE_ELLIPSOID:
    return v3_norm(v3_mul(h, d));
  case RG_SHAPE_HULL:
    for (int i = 0; i < shape->polyhedron->vertex_count; i++)
      best = fmax(best, v3_dot(d, shape->polyhedron->vertices[i]));
    return best;
  default: {
    double p = shape->parameters[0], r = shape->parameters[1], q = p / (p - 1), s = r / (r - 1);
    double k = pow(pow(fabs(h.x * d.x), q) + pow(fabs(h.y * d.y), q), 1 / q);
    return pow(pow(k, s) + pow(fabs(h.z * d.z), s), 1 / s);
  }
  }
}

static double h_of(const Pair* pair, rgVec3 n) {
  rgVec3 in_a = quat_unrotate(pair->pose_a.orientation, v3_neg(n));
  double low = v3_dot(n, pair->pose_a.position) - own_height(pair->a, in_a);
  if (pair->b->kind == RG_SHAPE_HALFSPACE)
    return low - v3_dot(n, pair->pose_b.position);
  rgVec3 in_b = quat_unrotate(pair->pose_b.orientation, n);
  return low - v3_dot(n, pair->pose_b.position) - own_height(pair->b, in_b);
}

// The best of many directions, then a search that halves its steps around it.
static double largest_h(const Pair* pair, int samples, rgVec3* normal) {
  rgVec3 best = quat_rotate(pair->pose_b.orientation, v3(0, 0, 1));
  double h = h_of(pair, best);
  if (pair->b->kind == RG_SHAPE_HALFSPACE)
    samples = 0;
  for (int i = 0; i < samples; i++) {
    double z = 1 - (2 * i + 1.0) / samples, angle = 2.39996322972865332 * i, r = sqrt(1 - z * z);
    rgVec3 n = v3(r * cos(angle), r * sin(angle), z);
    double own = h_of(pair, n);
    if (own > h)
      h = own, best = n;
  }
  for (double step = samples ? 0.2 : 0; step > 1e-9;) {
    rgVec3 t, o, from = best;
    v3_frame(from, &t, &o);
    bool better = false;
    for (int k = 0; k < 16; k++) {
      rgVec3 n =
          v3_axpy(v3_axpy(from, step * cos(0.39269908 * k), t), step * sin(0.39269908 * k), o);
      n = v3_scale(n, 1 / v3_norm(n));
      double own = h_of(pair, n);
      if (own > h)
        h = own, best = n, better = true;
    }
    step = better ? step : 0.5 * step;
  }
  *normal = best;
  return h;
}

static rgShapeDef other_def(rgShapeKind kind, rgVec3 points[HULL_POINTS]) {
  rgShapeDef def = rg_shape_def(kind);
  def.radius = random_between(0.3, 1);
  def.half_length = random_between(0.3, 1);
  def.half = v3(random_between(0.3, 1), random_between(0.3, 1), random_between(0.3, 1));
  def.parameters[0] = random_between(2, 8);
  def.parameters[1] = random_between(2, 8);
  for (int i = 0; i < HULL_POINTS; i++)
    points[i] = random_direction();
  def.points = points;
  def.point_count = HULL_POINTS;
  return def;
}

static const rgShapeKind partners[] = {
    RG_SHAPE_SPHERE,    RG_SHAPE_BOX,  RG_SHAPE_CAPSULE,        RG_SHAPE_CYLINDER,
    RG_SHAPE_ELLIPSOID, RG_SHAPE_HULL, RG_SHAPE_SUPERELLIPSOID, RG_SHAPE_HALFSPACE};
enum { PARTNERS = sizeof partners / sizeof *partners };

typedef struct Contacts {
  rgManifold items[8];
  rgManifoldList list;
} Contacts;

static void collide(const Pair* pair, double reach, Contacts* out) {
  out->list = (rgManifoldList){.items = out->items, .capacity = 8};
  rg_collide(pair->a, pair->pose_a, pair->b, pair->pose_b, reach, NULL, &out->list);
}

// A and B turned at random, A far from B.
static Pair random_pair(rgShapeDef a, rgShapeDef b) {
  Pair pair = {make_shape(a),
               make_shape(b),
               {v3_zero(), random_rotation()},
               {random_vector(), random_rotation()}};
  rgVec3 d = b.kind == RG_SHAPE_HALFSPACE ? quat_rotate(pair.pose_b.orientation, v3(0, 0, 1))
                                          : random_direction();
  pair.pose_a.position = v3_axpy(pair.pose_b.position, 4, d);
  return pair;
}

// Moves A away from B, or towards it, until the largest h is `gap`.
static rgVec3 place(Pair* pair, double gap) {
  rgVec3 n;
  for (int i = 0; i < 4; i++) {
    double h = largest_h(pair, 100, &n);
    pair->pose_a.position = v3_axpy(pair->pose_a.position, gap - h, n);
  }
  return n;
}

// How far x (frame of the shape) is outside, in some length of the right order; negative inside.
static double outside(const rgShape* shape, rgVec3 x) {
  rgVec3 h = shape->half, q = v3_abs(x);
  double rho = sqrt(x.x * x.x + x.y * x.y), most = -HUGE_VAL;
  switch (shape->kind) {
  case RG_SHAPE_SPHERE:
    return v3_norm(x) - shape->radius;
  case RG_SHAPE_CAPSULE:
    return v3_norm(v3(x.x, x.y, fmax(q.z - shape->half_length, 0))) - shape->radius;
  case RG_SHAPE_CYLINDER:
    return fmax(rho - shape->radius, q.z - shape->half_length);
  case RG_SHAPE_BOX:
    return fmax(q.x - h.x, fmax(q.y - h.y, q.z - h.z));
  case RG_SHAPE_ELLIPSOID:
    return v3_norm(v3(x.x / h.x, x.y / h.y, x.z / h.z)) - 1;
  case RG_SHAPE_HULL:
    for (int f = 0; f < shape->polyhedron->face_count; f++)
      most = fmax(most, v3_dot(shape->polyhedron->normals[f], x) - shape->polyhedron->offsets[f]);
    return most;
  case RG_SHAPE_HALFSPACE:
    return x.z;
  default:
    return norm_at(shape, x) - 1;
  }
}

// The deepest contact has a point of each shape, apart by the gap along the normal, and the gap is
// h of the normal. Every h is a lower bound of the distance and every pair of points an upper one:
// apart, this proves that both are exact. In overlap the directions of the oracle must not do
// better.
static void check_contacts(const Pair* pair, const Contacts* c, double sampled) {
  const double exact = 1e-9;
  REQUIRE_INT(c->list.count, 1);
  const rgManifold* m = &c->items[0];
  const rgManifoldPoint* p = &m->points[0];
  for (int i = 1; i < m->count; i++)
    p = m->points[i].gap < p->gap ? &m->points[i] : p;
  CHECK_NEAR(v3_norm(m->normal), 1, 1e-14);
  CHECK_NEAR(p->gap, h_of(pair, m->normal), exact);
  CHECK(v3_norm(v3_axpy(v3_sub(p->point_a, p->point_b), -p->gap, m->normal)) < exact);
  CHECK_NEAR(outside(pair->a, pose_unapply(pair->pose_a, p->point_a)), 0, exact);
  CHECK_NEAR(outside(pair->b, pose_unapply(pair->pose_b, p->point_b)), 0, exact);
  CHECK(p->gap > sampled - exact);
}

TEST(contacts_with_every_convex_shape_agree_with_the_oracle) {
  static const double gaps[] = {0.1, 1e-3, 1e-9, 0, -1e-9, -1e-3, -0.05};
  for (int k = 0; k < PARTNERS; k++)
    for (int trial = 0; trial < 21; trial += test_fast() ? 5 : 1) {
      rgVec3 points[HULL_POINTS];
      Pair pair = {make_shape(random_super(8)),
                   make_shape(other_def(partners[k], points)),
                   {v3_zero(), random_rotation()},
                   {random_vector(), random_rotation()}};
      pair.pose_a.position = v3_axpy(pair.pose_b.position, 3, random_direction());
      if (partners[k] == RG_SHAPE_HALFSPACE)
        pair.pose_a.position =
            v3_axpy(pair.pose_b.position, 3, quat_rotate(pair.pose_b.orientation, v3(0, 0, 1)));
      double gap = gaps[trial % 7];
      place(&pair, gap);
      rgVec3 n;
      double h = largest_h(&pair, 1000, &n);
      Contacts c;
      collide(&pair, 0.2, &c);
      CONTEXT("%s, trial %d, gap %g", rg_shape_kind_name(partners[k]), trial, gap);
      check_contacts(&pair, &c, h);
      // The other way around: the same contacts, turned.
      Pair turned = {pair.b, pair.a, pair.pose_b, pair.pose_a};
      Contacts t;
      collide(&turned, 0.2, &t);
      REQUIRE_INT(t.list.count, 1);
      CHECK(v3_norm(v3_add(t.items[0].normal, c.items[0].normal)) < 1e-7);
      // Out of reach there are none.
      collide(&pair, c.items[0].points[0].gap - 0.01, &c);
      CHECK_INT(c.list.count, 0);
      free_shape(pair.a), free_shape(pair.b);
    }
}

TEST(deep_overlaps_are_parted_by_what_their_normal_says) {
  for (int k = 0; k < PARTNERS - 1; k++)
    for (int trial = 0; trial < 20; trial += test_fast() ? 5 : 1) {
      rgVec3 points[HULL_POINTS], n;
      Pair pair = {make_shape(random_super(8)),
                   make_shape(other_def(partners[k], points)),
                   {v3_scale(random_vector(), 0.3), random_rotation()},
                   {v3_zero(), random_rotation()}};
      Contacts c;
      collide(&pair, 0.2, &c);
      CONTEXT("%s, trial %d", rg_shape_kind_name(partners[k]), trial);
      REQUIRE_INT(c.list.count, 1);
      double h = h_of(&pair, c.items[0].normal), best = largest_h(&pair, 1000, &n);
      double least = HUGE_VAL;
      for (int i = 0; i < c.items[0].count; i++)
        least = fmin(least, c.items[0].points[i].gap);
      CHECK_NEAR(least, h, 1e-6);
      CHECK(h > best - 1e-6);
      free_shape(pair.a), free_shape(pair.b);
    }
}

// --- Limits --------------------------------------------------------------------------------------

static void check_same(const Contacts* c, const Contacts* e, double tolerance) {
  REQUIRE_INT(c->list.count, 1);
  REQUIRE_INT(e->list.count, 1);
  REQUIRE_INT(c->items[0].count, e->items[0].count);
  const rgManifoldPoint *p = &c->items[0].points[0], *q = &e->items[0].points[0];
  CHECK_NEAR(p->gap, q->gap, 1e-9);
  CHECK_NEAR(v3_norm(v3_sub(c->items[0].normal, e->items[0].normal)), 0, tolerance);
  CHECK_NEAR(v3_norm(v3_sub(p->point_a, q->point_a)), 0, tolerance);
  CHECK_NEAR(v3_norm(v3_sub(p->point_b, q->point_b)), 0, tolerance);
}

// The special functions for ellipsoids on edges and corners leave normals as the general distance
// algorithm finds them where h does not tell the difference: right to some 1e-8. The general
// function makes them exact, so that there both shapes agree to rounding.
TEST(exponents_of_two_touch_as_the_ellipsoid_does) {
  for (int k = 0; k < PARTNERS; k++)
    for (int trial = 0; trial < 30; trial += test_fast() ? 5 : 1) {
      rgVec3 points[HULL_POINTS];
      rgShapeDef def = rg_shape_def(RG_SHAPE_ELLIPSOID);
      def.half = v3(random_between(0.3, 1), random_between(0.3, 1), random_between(0.3, 1));
      rgShape* ellipsoid = make_shape(def);
      Pair pair = random_pair(super_def(def.half, 2, 2), other_def(partners[k], points));
      place(&pair, random_between(-0.05, 0.1));
      Pair exact = pair;
      exact.a = ellipsoid;
      Contacts c, e;
      collide(&pair, 0.2, &c);
      collide(&exact, 0.2, &e);
      CONTEXT("%s, trial %d", rg_shape_kind_name(partners[k]), trial);
      check_same(&c, &e, 1e-6);
      if (partners[k] != RG_SHAPE_HALFSPACE) {
        rgPairHint none = {v3_zero()};
        e.list = (rgManifoldList){.items = e.items, .capacity = 8};
        rg_pair_convex_convex(ellipsoid, pair.pose_a, pair.b, pair.pose_b, 0.2, &none, &e.list);
        check_same(&c, &e, 1e-9);
      }
      free_shape(pair.a), free_shape(pair.b), free_shape(ellipsoid);
    }
}

// --- Surfaces ------------------------------------------------------------------------------------

// A box as a closed mesh, with a hull of the same corners for the oracle.
static void box_mesh(rgVec3 half, rgVec3 points[8], rgShapeDef* mesh, rgShapeDef* hull) {
  static const int triangles[36] = {1, 3, 7, 1, 7, 5, 0, 4, 6, 0, 6, 2, 2, 6, 7, 2, 7, 3,
                                    0, 1, 5, 0, 5, 4, 4, 5, 7, 4, 7, 6, 0, 2, 3, 0, 3, 1};
  for (int i = 0; i < 8; i++)
    points[i] = v3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
  *mesh = rg_shape_def(RG_SHAPE_MESH);
  *hull = rg_shape_def(RG_SHAPE_HULL);
  mesh->points = hull->points = points;
  mesh->point_count = hull->point_count = 8;
  mesh->triangles = triangles;
  mesh->triangle_count = 12;
}

TEST(contacts_with_a_mesh_are_those_with_what_it_encloses) {
  for (int trial = 0; trial < 100; trial += test_fast() ? 5 : 1) {
    rgVec3 points[8], n;
    rgShapeDef mesh_def, hull_def;
    box_mesh(v3(2, 1.5, 1), points, &mesh_def, &hull_def);
    Pair pair = {make_shape(random_super(8)),
                 make_shape(hull_def),
                 {v3_zero(), random_rotation()},
                 {random_vector(), random_rotation()}};
    rgShape* mesh = make_shape(mesh_def);
    pair.pose_a.position = v3_axpy(pair.pose_b.position, 4, random_direction());
    place(&pair, (double[]){0.05, 1e-6, -1e-6, -0.02}[trial % 4]);
    double h = largest_h(&pair, 1000, &n), least = HUGE_VAL;
    rgVec3 normal = v3_zero();
    Pair on_mesh = pair;
    on_mesh.b = mesh;
    Contacts c;
    collide(&on_mesh, 0.1, &c);
    CONTEXT("trial %d", trial);
    REQUIRE(c.list.count >= 1);
    for (int i = 0; i < c.list.count; i++)
      for (int k = 0; k < c.items[i].count; k++)
        if (c.items[i].points[k].gap < least)
          least = c.items[i].points[k].gap, normal = c.items[i].normal;
    CHECK(least > h - 1e-9);
    CHECK_NEAR(h_of(&pair, normal), least, 1e-9);
    free_shape(pair.a), free_shape(pair.b), free_shape(mesh);
  }
}

TEST(contacts_with_a_level_field_are_those_with_a_half_space) {
  double heights[25] = {0};
  rgShapeDef def = rg_shape_def(RG_SHAPE_FIELD);
  def.heights = heights;
  def.rows = def.columns = 5;
  def.spacing_x = def.spacing_y = 1.5;
  rgShape *field = make_shape(def), *plane = make_shape(rg_shape_def(RG_SHAPE_HALFSPACE));
  for (int trial = 0; trial < 100; trial += test_fast() ? 5 : 1) {
    Pair pair = {make_shape(random_super(8)),
                 plane,
                 {random_vector(), random_rotation()},
                 {random_vector(), random_rotation()}};
    rgVec3 up = quat_rotate(pair.pose_b.orientation, v3(0, 0, 1));
    pair.pose_a.position = v3_axpy(pair.pose_b.position, 2, up);
    place(&pair, random_between(-0.05, 0.05));
    Pair on_field = pair;
    on_field.b = field;
    Contacts c, p;
    collide(&on_field, 0.1, &c);
    collide(&pair, 0.1, &p);
    CONTEXT("trial %d", trial);
    REQUIRE_INT(c.list.count, 1);
    REQUIRE_INT(p.list.count, 1);
    CHECK(v3_norm(v3_sub(c.items[0].normal, p.items[0].normal)) < 1e-12);
    CHECK_NEAR(c.items[0].points[0].gap, p.items[0].points[0].gap, 1e-12);
    CHECK(v3_norm(v3_sub(c.items[0].points[0].point_a, p.items[0].points[0].point_a)) < 1e-7);
    free_shape(pair.a);
  }
  free_shape(field), free_shape(plane);
}
