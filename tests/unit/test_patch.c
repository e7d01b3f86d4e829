// Points of flat discs: their friction against sums over a fine grid of the area.
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

static Friction of_rule(double radius, double x, double y, int* count) {
  rgPatchPoint points[RG_PATCH_POINTS];
  Friction sum = {0};
  double total = 0;
  *count = rg_patch_rule(radius, x, y, points);
  for (int i = 0; i < *count; i++) {
    CHECK(points[i].share > 0);
    total += points[i].share;
    add(&sum, points[i].x, points[i].y, x, y, points[i].share);
  }
  CHECK_NEAR(total, 1, 1e-12);
  return sum;
}

static Friction of_area(double radius, double x, double y) {
  Friction sum = {0};
  double count = 0;
  for (int i = 0; i < GRID; i++)
    for (int k = 0; k < GRID; k++) {
      double px = radius * (2 * (i + 0.5) / GRID - 1), py = radius * (2 * (k + 0.5) / GRID - 1);
      if (!(px * px + py * py < radius * radius))
        continue;
      count++;
      add(&sum, px, py, x, y, 1);
    }
  return (Friction){sum.x / count, sum.y / count, sum.moment / count};
}

static void compare(double radius, double x, double y, double allowed) {
  int count;
  Friction rule = of_rule(radius, x, y, &count), area = of_area(radius, x, y);
  CONTEXT("pole at %g, %g of radius %g: %d points", x, y, radius, count);
  CHECK_NEAR(rule.x, area.x, allowed);
  CHECK_NEAR(rule.y, area.y, allowed);
  CHECK_NEAR(rule.moment, area.moment, allowed * radius);
}

// The grid itself is off by about 1e-3.
TEST(eight_points_have_the_friction_of_a_disc) {
  random_state = 1;
  for (int k = 0; k < 60; k++) {
    double radius = random_between(0.01, 10);
    double far = radius * (k % 3 == 0 ? random_between(0, 1) : random_between(0, 4)),
           angle = random_between(0, 6);
    compare(radius, far * cos(angle), far * sin(angle), 4e-3);
  }
}

TEST(poles_far_away_and_beyond_numbers_are_taken) {
  const double poles[] = {1e3, 1e9, 1e150};
  for (int k = 0; k < 3; k++) {
    int count;
    Friction rule = of_rule(1, poles[k], -poles[k], &count);
    CONTEXT("pole at %g", poles[k]);
    CHECK_INT(count, 8);
    CHECK_NEAR(rule.x, -sqrt(0.5), 1e-6);
    CHECK_NEAR(rule.y, -sqrt(0.5), 1e-6);
    CHECK_NEAR(rule.moment, 0, 1e-3);
  }
  rgPatchPoint points[RG_PATCH_POINTS];
  CHECK_INT(rg_patch_rule(1, HUGE_VAL, 0, points), 0);
}
