// Projections on cones and polygons against their characterizations.
#include "problem/cone.h"
#include "sweep/problems.h"
#include "test.h"

// p is the projection of x on a closed convex cone K exactly when p is in K, x - p in the polar
// cone and both are perpendicular (Moreau). The polar cone of |y| <= mu s is s + mu |y| <= 0.
TEST(projection_on_circular_cone_satisfies_moreau) {
  uint64_t seed = 1;
  for (int trial = 0; trial < 100000; trial++) {
    int m = trial % 4;
    double mu = trial % 7 == 0 ? 0 : 3 * made_random(&seed), x[4] = {0}, p[4];
    for (int i = 0; i <= m; i++)
      x[i] = 4 * made_random(&seed) - 2;
    memcpy(p, x, sizeof p);
    rg_cone_project_circular(p, m, mu);
    double p_norm = 0, d_norm = 0, product = (x[0] - p[0]) * p[0];
    for (int i = 1; i <= m; i++) {
      p_norm += p[i] * p[i];
      d_norm += (x[i] - p[i]) * (x[i] - p[i]);
      product += (x[i] - p[i]) * p[i];
    }
    CHECK(sqrt(p_norm) <= mu * p[0] + 1e-14);
    CHECK(mu * sqrt(d_norm) + (x[0] - p[0]) <= 1e-14);
    CHECK_NEAR(product, 0, 1e-14);
  }
}

TEST(projection_leaves_points_of_the_cone_alone) {
  double x[3] = {2, 0.6, -0.8};
  rg_cone_project_circular(x, 2, 0.5);
  CHECK_BITS(x[0], 2.0);
  CHECK_BITS(x[1], 0.6);
  CHECK_BITS(x[2], -0.8);
}

static const struct {
  rgConeKind kind;
  int facets;
} polygons[] = {{RG_CONE_INNER, 3}, {RG_CONE_INNER, 4}, {RG_CONE_INNER, 5}, {RG_CONE_INNER, 8},
                {RG_CONE_OUTER, 3}, {RG_CONE_OUTER, 4}, {RG_CONE_OUTER, 5}, {RG_CONE_OUTER, 8}};
enum { POLYGON_COUNT = sizeof polygons / sizeof polygons[0] };

// The corners from the definitions in problem.h, with the C library's functions.
static void defined_corner(rgConeKind kind, int facets, int i, double corner[2]) {
  const double pi = acos(-1);
  double phase = kind == RG_CONE_INNER ? 0 : pi / facets,
         radius = kind == RG_CONE_INNER ? 1 : 1 / cos(pi / facets);
  corner[0] = radius * cos(phase + 2 * pi * i / facets);
  corner[1] = radius * sin(phase + 2 * pi * i / facets);
}

TEST(corners_are_where_the_definition_puts_them) {
  for (int k = 0; k < POLYGON_COUNT; k++) {
    rgPolygon polygon = rg_polygon(polygons[k].kind, polygons[k].facets);
    for (int i = 0; i < polygons[k].facets; i++) {
      double a[2], b[2];
      rg_polygon_corner(&polygon, i, a);
      defined_corner(polygons[k].kind, polygons[k].facets, i, b);
      CHECK_NEAR(a[0], b[0], 1e-15);
      CHECK_NEAR(a[1], b[1], 1e-15);
    }
  }
}

// p is the projection of x on a polygon exactly when p is in it and (x - p)(d - p) <= 0 for all
// corners d.
TEST(projection_on_polygons_satisfies_the_variational_inequality) {
  uint64_t seed = 2;
  for (int trial = 0; trial < 20000; trial++) {
    int k = trial % POLYGON_COUNT, facets = polygons[k].facets;
    rgPolygon polygon = rg_polygon(polygons[k].kind, facets);
    rgVec3 draw = made_vector(&seed);
    double size = 2 * draw.x, x[2] = {6 * draw.y - 3, 6 * draw.z - 3};
    double p[2] = {x[0], x[1]};
    rg_polygon_project(&polygon, size, p);
    CONTEXT("%s polygon with %d sides, point %g %g, size %g", rg_cone_kind_name(polygons[k].kind),
            facets, x[0], x[1], size);
    for (int i = 0; i < facets; i++) {
      double d[2], e[2];
      defined_corner(polygons[k].kind, facets, i, d);
      defined_corner(polygons[k].kind, facets, i + 1, e);
      double gain = (x[0] - p[0]) * (size * d[0] - p[0]) + (x[1] - p[1]) * (size * d[1] - p[1]);
      double outside = (e[1] - d[1]) * (p[0] - size * d[0]) - (e[0] - d[0]) * (p[1] - size * d[1]);
      CHECK(gain <= 1e-13);
      CHECK(outside <= 1e-13);
    }
  }
}

// The section in two dimensions is the part of the t axis inside the polygon: its ends are on the
// border.
TEST(interval_ends_on_the_border) {
  for (int k = 0; k < POLYGON_COUNT; k++) {
    rgPolygon polygon = rg_polygon(polygons[k].kind, polygons[k].facets);
    double lower, upper;
    rg_polygon_interval(&polygon, &lower, &upper);
    double ends[2] = {lower, upper};
    for (int i = 0; i < 2; i++) {
      double inside[2] = {0.999999 * ends[i], 0}, outside[2] = {1.000001 * ends[i], 0};
      rg_polygon_project(&polygon, 1, inside);
      rg_polygon_project(&polygon, 1, outside);
      CHECK_BITS(inside[0], 0.999999 * ends[i]);
      CHECK(fabs(outside[0]) < fabs(1.000001 * ends[i]));
    }
  }
}
