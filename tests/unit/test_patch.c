// Points of flat patches: their friction against sums over a fine grid of the area.
#include "collide/patch.h"
#include "support/random.h"
#include "test.h"

#include <math.h>

enum { GRID = 300 };

typedef struct Friction {
  double x, y, moment; // over mu p A, and over the size: means of the slip's direction
} Friction;

static void add(Friction* sum, double x, double y, double pole_x, double pole_y, double share) {
  double dx = x - pole_x, dy = y - pole_y, d = sqrt(dx * dx + dy * dy);
  if (!(d > 0))
    return;
  sum->x -= share * dy / d;
  sum->y += share * dx / d;
  sum->moment += share * (x * dx + y * dy) / d;
}

static Friction of_rule(const rgPatchOutline* outline, double x, double y, int* count) {
  rgPatchPoint points[RG_PATCH_POINTS];
  Friction sum = {0};
  double total = 0;
  *count = rg_patch_rule(outline, x, y, points);
  for (int i = 0; i < *count; i++) {
    CHECK(points[i].share > 0);
    total += points[i].share;
    add(&sum, points[i].x, points[i].y, x, y, points[i].share);
  }
  CHECK_NEAR(total, 1, 1e-12);
  return sum;
}

static bool contains(const rgPatchOutline* o, double x, double y) {
  if (o->circle > 0)
    return x * x + y * y < o->circle * o->circle;
  for (int i = 0, next = 1; i < o->count; i++, next = (i + 1) % o->count)
    if ((o->x[next] - o->x[i]) * (y - o->y[i]) - (o->y[next] - o->y[i]) * (x - o->x[i]) < 0)
      return false;
  return true;
}

static double size_of(const rgPatchOutline* o) {
  double size = o->circle;
  for (int i = 0; i < o->count; i++)
    size = fmax(size, sqrt(o->x[i] * o->x[i] + o->y[i] * o->y[i]));
  return size;
}

static Friction of_area(const rgPatchOutline* o, double x, double y) {
  Friction sum = {0};
  double size = size_of(o), count = 0;
  for (int i = 0; i < GRID; i++)
    for (int k = 0; k < GRID; k++) {
      double px = size * (2 * (i + 0.5) / GRID - 1), py = size * (2 * (k + 0.5) / GRID - 1);
      if (!contains(o, px, py))
        continue;
      count++;
      add(&sum, px, py, x, y, 1);
    }
  return (Friction){sum.x / count, sum.y / count, sum.moment / count};
}

static void compare(const rgPatchOutline* outline, double x, double y, double allowed) {
  double size = size_of(outline);
  int count;
  Friction rule = of_rule(outline, x, y, &count), area = of_area(outline, x, y);
  CONTEXT("%d corners, pole at %g, %g of size %g: %d points", outline->count, x, y, size, count);
  CHECK_NEAR(rule.x, area.x, allowed);
  CHECK_NEAR(rule.y, area.y, allowed);
  CHECK_NEAR(rule.moment, area.moment, allowed * size);
}

// The grid itself is off by about 1e-3.
TEST(eight_points_have_the_friction_of_a_disc) {
  random_state = 1;
  for (int k = 0; k < 60; k++) {
    rgPatchOutline disc = {.circle = random_between(0.01, 10)};
    double far = disc.circle * (k % 3 == 0 ? random_between(0, 1) : random_between(0, 4)),
           angle = random_between(0, 6);
    compare(&disc, far * cos(angle), far * sin(angle), 4e-3);
  }
}

// A polygon about its centre, with corners on an ellipse.
static rgPatchOutline random_polygon(int count) {
  rgPatchOutline out = {.count = count};
  double a = random_between(0.1, 1), b = random_between(0.3, 1) * a, x, y;
  for (int i = 0; i < count; i++) {
    double angle = (i + random_between(-0.3, 0.3)) * 2 * RG_PI / count;
    out.x[i] = 5 + a * cos(angle);
    out.y[i] = b * sin(angle) - 3;
  }
  REQUIRE(rg_patch_outline(&out, &x, &y));
  return out;
}

TEST(points_of_polygons_have_the_friction_of_their_area) {
  random_state = 2;
  for (int k = 0; k < 120; k++) {
    rgPatchOutline outline = random_polygon(3 + k % 6);
    double far = size_of(&outline) * random_between(0, k % 2 ? 1 : 5), angle = random_between(0, 6);
    compare(&outline, far * cos(angle), far * sin(angle), 0.06);
  }
}

// A rectangle of any proportions about its centre, where it spins without sliding.
TEST(spinning_rectangles_have_the_mean_arm_of_their_area) {
  random_state = 3;
  for (int k = 0; k < 20; k++) {
    double a = random_between(0.1, 1), b = random_between(0.05, 1), x, y;
    rgPatchOutline box = {.count = 4, .x = {a, -a, a, -a}, .y = {b, b, -b, -b}}; // in any order
    REQUIRE(rg_patch_outline(&box, &x, &y));
    CHECK_NEAR(x, 0, 1e-15);
    CHECK_NEAR(y, 0, 1e-15);
    compare(&box, 0, 0, 0.02);
  }
}

TEST(what_has_no_area_is_no_patch) {
  double x, y;
  rgPatchOutline line = {.count = 3, .x = {0, 1, 2}, .y = {0, 1, 2}};
  CHECK(!rg_patch_outline(&line, &x, &y));
  rgPatchOutline point = {.count = 4};
  CHECK(!rg_patch_outline(&point, &x, &y));
}

TEST(poles_far_away_and_beyond_numbers_are_taken) {
  rgPatchOutline disc = {.circle = 1};
  const double poles[] = {1e3, 1e9, 1e150};
  for (int k = 0; k < 3; k++) {
    int count;
    Friction rule = of_rule(&disc, poles[k], -poles[k], &count);
    CONTEXT("pole at %g", poles[k]);
    CHECK_INT(count, 8);
    CHECK_NEAR(rule.x, -sqrt(0.5), 1e-6);
    CHECK_NEAR(rule.y, -sqrt(0.5), 1e-6);
    CHECK_NEAR(rule.moment, 0, 1e-3);
  }
  rgPatchPoint points[RG_PATCH_POINTS];
  CHECK_INT(rg_patch_rule(&disc, HUGE_VAL, 0, points), 0);
}
