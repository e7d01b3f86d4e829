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
//   circle, pole inside     equal angles, trapezoidal rule for a periodic function
//   circle, pole outside    sin phi = sin beta sin psi with beta where rays touch it, equal steps of
//                           psi: the area of a ray is then cos^2 psi, periodic, too
//   polygon                 between neighbouring corners, as seen from the pole, Gauss's rule with one
//                           to three nodes along the far side, so that there are at most ten
//
// With eight points a disc's force and moment are within 3e-3 of (1), within 2e-4 while the pole is
// not near the rim; those of polygons are within 6 % of mu p A and of that times their size. Sums of shares
// and the first moments of area are exact where the pole is inside a polygon.
//
// A pole far away, where all slips have one direction, is taken at FAR sizes: the difference is of
// the order of FAR^-2.
#include "collide/patch.h"

#include <rigor/util.h>

#include <math.h>

enum { SECTORS = 8 };
static const double FAR = 1e3;
// A polygon whose area is less than this part of its width squared is a line.
static const double SLIVER = 1e-9;
// A sector with a smaller part of the area is left out.
static const double NOTHING = 1e-3;
// Gauss's rules with one to three nodes between 0 and 1.
enum { NODES_MAX = 3 };
static const struct {
  double at[NODES_MAX], weight[NODES_MAX];
} GAUSS[NODES_MAX + 1] = {
    [1] = {{0.5}, {1}},
    [2] = {{0.21132486540518711775, 0.78867513459481288225}, {0.5, 0.5}},
    [3] = {{0.11270166537925831148, 0.5, 0.88729833462074168852}, {5.0 / 18, 8.0 / 18, 5.0 / 18}},
};

// -------------------------------------------------------------------------------------------------
// Outlines
// -------------------------------------------------------------------------------------------------

static double cross(double ax, double ay, double bx, double by) { return ax * by - ay * bx; }

static void sort_by_angle(rgPatchOutline* o, double x, double y) {
  double angles[RG_PATCH_CORNERS];
  for (int i = 0; i < o->count; i++) {
    double angle = rg_atan2(o->y[i] - y, o->x[i] - x), px = o->x[i], py = o->y[i];
    int k = i;
    for (; k > 0 && angles[k - 1] > angle; k--) {
      angles[k] = angles[k - 1];
      o->x[k] = o->x[k - 1];
      o->y[k] = o->y[k - 1];
    }
    angles[k] = angle;
    o->x[k] = px;
    o->y[k] = py;
  }
}

static void move(rgPatchOutline* o, double x, double y) {
  for (int i = 0; i < o->count; i++) {
    o->x[i] -= x;
    o->y[i] -= y;
  }
}

bool rg_patch_outline(rgPatchOutline* outline, double* x, double* y) {
  rgPatchOutline* o = outline;
  *x = *y = 0;
  for (int i = 0; i < o->count; i++) {
    *x += o->x[i] / o->count;
    *y += o->y[i] / o->count;
  }
  sort_by_angle(o, *x, *y);
  move(o, *x, *y);
  double area = 0, width2 = 0, cx = 0, cy = 0;
  for (int i = 0, next = 1; i < o->count; i++, next = (i + 1) % o->count) {
    double part = cross(o->x[i], o->y[i], o->x[next], o->y[next]);
    area += part;
    cx += part * (o->x[i] + o->x[next]) / 3;
    cy += part * (o->y[i] + o->y[next]) / 3;
    width2 = fmax(width2, o->x[i] * o->x[i] + o->y[i] * o->y[i]);
  }
  if (!(area > SLIVER * width2))
    return false;
  move(o, cx / area, cy / area);
  *x += cx / area;
  *y += cy / area;
  return true;
}

// -------------------------------------------------------------------------------------------------
// Rays
// -------------------------------------------------------------------------------------------------

typedef struct Rule {
  const rgPatchOutline* outline;
  double x, y; // [m] the pole
  rgPatchPoint* points;
  int count;
  double total; // [m2] of the shares so far, which are areas
} Rule;

// Where the ray along the unit vector (x, y) enters and leaves. False when it does not meet the outline.
static bool meets_circle(const Rule* rule, double x, double y, double* enter, double* leave) {
  double r = rule->outline->circle, along = rule->x * x + rule->y * y;
  double root = along * along - (rule->x * rule->x + rule->y * rule->y - r * r);
  if (!(root > 0))
    return false;
  root = sqrt(root);
  *enter = fmax(-along - root, 0);
  *leave = -along + root;
  return *leave > *enter;
}

static bool meets_polygon(const Rule* rule, double x, double y, double* enter, double* leave) {
  const rgPatchOutline* o = rule->outline;
  *enter = 0;
  *leave = HUGE_VAL;
  for (int i = 0, next = 1; i < o->count; i++, next = (i + 1) % o->count) {
    double nx = o->y[next] - o->y[i], ny = o->x[i] - o->x[next]; // outwards
    double above = nx * (o->x[i] - rule->x) + ny * (o->y[i] - rule->y), rate = nx * x + ny * y;
    if (rate > 0)
      *leave = fmin(*leave, above / rate);
    else if (rate < 0)
      *enter = fmax(*enter, above / rate);
    else if (above < 0)
      return false;
  }
  return *leave > *enter && *leave < HUGE_VAL;
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

static void circle_rule(Rule* rule) {
  double r = rule->outline->circle, distance = sqrt(rule->x * rule->x + rule->y * rule->y);
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
    if (meets_circle(rule, x, y, &enter, &leave))
      add(rule, x, y, enter, leave, width * leave * leave, k);
  }
}

// Angles of the corners as seen from the pole, from the direction of the centre on, in order.
static void see_corners(const Rule* rule, double ux, double uy, double* angles) {
  const rgPatchOutline* o = rule->outline;
  for (int i = 0; i < o->count; i++) {
    double x = o->x[i] - rule->x, y = o->y[i] - rule->y;
    double angle = rg_atan2(cross(ux, uy, x, y), ux * x + uy * y);
    int k = i;
    for (; k > 0 && angles[k - 1] > angle; k--)
      angles[k] = angles[k - 1];
    angles[k] = angle;
  }
}

static bool is_inside(const Rule* rule) {
  const rgPatchOutline* o = rule->outline;
  for (int i = 0, next = 1; i < o->count; i++, next = (i + 1) % o->count)
    if (!(cross(o->x[next] - o->x[i], o->y[next] - o->y[i], rule->x - o->x[i], rule->y - o->y[i]) >
          0))
      return false;
  return true;
}

// Where the rays along two directions cross the line of the side that the ray between them leaves by.
static bool far_side(const Rule* rule, const double u[2], const double w[2], double p[2],
                     double q[2]) {
  const rgPatchOutline* o = rule->outline;
  double mx = u[0] + w[0], my = u[1] + w[1], least = HUGE_VAL;
  for (int i = 0, next = 1; i < o->count; i++, next = (i + 1) % o->count) {
    double nx = o->y[next] - o->y[i], ny = o->x[i] - o->x[next];
    double above = nx * (o->x[i] - rule->x) + ny * (o->y[i] - rule->y), rate = nx * mx + ny * my;
    double rate_u = nx * u[0] + ny * u[1], rate_w = nx * w[0] + ny * w[1];
    if (!(rate > 0) || !(above < least * rate) || !(rate_u > 0) || !(rate_w > 0))
      continue;
    least = above / rate;
    p[0] = above / rate_u * u[0];
    p[1] = above / rate_u * u[1];
    q[0] = above / rate_w * w[0];
    q[1] = above / rate_w * w[1];
  }
  return least < HUGE_VAL;
}

// Some nodes between two directions (unit vectors).
static void add_panel(Rule* rule, const double u[2], const double w[2], int panel, int nodes) {
  double p[2] = {0}, q[2] = {0};
  if (!far_side(rule, u, w, p, q))
    return;
  double area = cross(p[0], p[1], q[0], q[1]);
  for (int k = 0; k < nodes; k++) {
    double at = GAUSS[nodes].at[k], weight = GAUSS[nodes].weight[k], enter, leave;
    double x = p[0] + at * (q[0] - p[0]), y = p[1] + at * (q[1] - p[1]);
    double length = sqrt(x * x + y * y);
    if (length > 0 && meets_polygon(rule, x / length, y / length, &enter, &leave))
      add(rule, x / length, y / length, enter, leave, weight * area, nodes * panel + k);
  }
}

static void polygon_rule(Rule* rule) {
  double distance = sqrt(rule->x * rule->x + rule->y * rule->y);
  double ux = distance > 0 ? -rule->x / distance : 1, uy = distance > 0 ? -rule->y / distance : 0;
  double angles[RG_PATCH_CORNERS];
  see_corners(rule, ux, uy, angles);
  int count = rule->outline->count, panels = is_inside(rule) ? count : count - 1;
  int nodes = RG_PATCH_POINTS / panels < NODES_MAX ? RG_PATCH_POINTS / panels : NODES_MAX;
  for (int i = 0; i < panels; i++) {
    double from = angles[i], to = angles[(i + 1) % count];
    const double u[2] = {rg_cos(from) * ux - rg_sin(from) * uy,
                         rg_sin(from) * ux + rg_cos(from) * uy};
    const double w[2] = {rg_cos(to) * ux - rg_sin(to) * uy, rg_sin(to) * ux + rg_cos(to) * uy};
    add_panel(rule, u, w, i, nodes);
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

int rg_patch_rule(const rgPatchOutline* outline, double x, double y, rgPatchPoint* out) {
  Rule rule = {.outline = outline, .x = x, .y = y, .points = out};
  double size = outline->circle;
  for (int i = 0; i < outline->count; i++)
    size = fmax(size, sqrt(outline->x[i] * outline->x[i] + outline->y[i] * outline->y[i]));
  double distance = sqrt(x * x + y * y);
  if (!(distance <= FAR * size)) {
    double length = fmax(fabs(x), fabs(y)); // may be infinite
    if (!(length < HUGE_VAL))
      return 0;
    x /= length;
    y /= length;
    double factor = FAR * size / sqrt(x * x + y * y);
    rule.x = factor * x;
    rule.y = factor * y;
  }
  if (outline->circle > 0)
    circle_rule(&rule);
  else
    polygon_rule(&rule);
  share_out(&rule);
  return rule.count;
}
