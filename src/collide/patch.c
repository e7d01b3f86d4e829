// patch.c - the friction of a flat patch that slides and spins, by a few points of its area.
//
// Problem: a patch of even pressure p moves in its plane by the velocity w x (x - c), c being its
// pole. With d the vector from the pole and e_phi the unit vector across it, Coulomb's law gives
//
//     F = -mu p int e_phi dA,      M_c = -mu p int |d| dA.                                      (1)
//
// The corners of the patch are a poor rule for (1): those of a disc have the arm R against spin, the
// disc has 2/3 R.
//
// Method: e_phi depends on the angle about the pole alone. So a sector of the patch, seen from the
// pole, has the force and the moment of one point: its area at the mean distance
//
//     |d| = 2/3 (b^3 - a^3) / (b^2 - a^2),      a, b where the ray enters and leaves,
//
// and what is left is a rule in the angle.
//
//   pole inside     equal angles, trapezoidal rule for a periodic function
//   pole outside    sin phi = sin beta sin psi with beta where rays touch the circle, equal steps of
//                   psi: the area of a ray is then cos^2 psi, periodic, too
//
// With eight points the force and the moment of a disc are within 3e-3 of (1), within 2e-4 while the
// pole is not near the rim. Rules for polygons, with nodes between their corners, were tried and not taken:
// with them the movement of boxes depended on the axes of the world (tests/laws/test_views.c).
//
// A pole far away, where all slips have one direction, is taken at FAR sizes: the difference is of
// the order of FAR^-2.
#include "collide/patch.h"

#include <rigor/util.h>

#include <math.h>

enum { SECTORS = 8 };
static const double FAR = 1e3;
// A sector with a smaller part of the area is left out.
static const double NOTHING = 1e-3;
typedef struct Rule {
  double radius; // [m]
  double x, y;   // [m] the pole
  rgPatchPoint* points;
  int count;
  double total; // [m2] of the shares so far, which are areas
} Rule;

// Where the ray along the unit vector (x, y) enters and leaves. False when it does not meet the disc.
static bool meets(const Rule* rule, double x, double y, double* enter, double* leave) {
  double r = rule->radius, along = rule->x * x + rule->y * y;
  double root = along * along - (rule->x * rule->x + rule->y * rule->y - r * r);
  if (!(root > 0))
    return false;
  root = sqrt(root);
  *enter = fmax(-along - root, 0);
  *leave = -along + root;
  return *leave > *enter;
}

// The sector about the ray along (x, y), whose full area from the pole to where it leaves is given.
static void add(Rule* rule, double x, double y, double enter, double leave, double area,
                int place) {
  double part = enter / leave, mean = 2.0 / 3 * leave * (1 + part * part / (1 + part));
  double share = area * (1 - part * part);
  if (rule->count == RG_PATCH_POINTS || !(share > 0))
    return;
  rule->points[rule->count++] =
      (rgPatchPoint){rule->x + mean * x, rule->y + mean * y, share, place};
  rule->total += share;
}

static void add_sectors(Rule* rule) {
  double r = rule->radius, distance = sqrt(rule->x * rule->x + rule->y * rule->y);
  double ux = distance > 0 ? -rule->x / distance : 1, uy = distance > 0 ? -rule->y / distance : 0;
  bool inside = distance < r;
  for (int k = 0; k < SECTORS; k++) {
    double angle = (k + 0.5) * RG_PI / SECTORS, s, c, width = 1, enter, leave;
    if (inside) {
      s = rg_sin(2 * angle);
      c = rg_cos(2 * angle);
    } else {
      s = -r / distance * rg_cos(angle); // psi = angle - pi / 2
      c = sqrt(1 - s * s);
      width = rg_sin(angle) / c;
    }
    double x = c * ux - s * uy, y = s * ux + c * uy;
    if (meets(rule, x, y, &enter, &leave))
      add(rule, x, y, enter, leave, width * leave * leave, k);
  }
}

// Parts of the area; those that are nothing are left out.
static void share_out(Rule* rule) {
  int kept = 0;
  double total = 0;
  for (int i = 0; i < rule->count; i++)
    if (rule->points[i].share > NOTHING * rule->total) {
      total += rule->points[i].share;
      rule->points[kept++] = rule->points[i];
    }
  rule->count = kept;
  for (int i = 0; i < kept; i++)
    rule->points[i].share /= total;
}

int rg_patch_rule(double radius, double x, double y, rgPatchPoint* out) {
  Rule rule = {.radius = radius, .x = x, .y = y, .points = out};
  double distance = sqrt(x * x + y * y);
  if (!(distance <= FAR * radius)) {
    double length = fmax(fabs(x), fabs(y)); // may be infinite
    if (!(length < HUGE_VAL))
      return 0;
    x /= length;
    y /= length;
    double factor = FAR * radius / sqrt(x * x + y * y);
    rule.x = factor * x;
    rule.y = factor * y;
  }
  add_sectors(&rule);
  share_out(&rule);
  return rule.count;
}
