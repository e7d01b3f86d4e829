// masonry_thrust.c - the least thickness of an arch by limit analysis, apart from the simulator.
//
// Stones that do not slide, cannot be crushed and bear no tension stand if and only if there is a line
// of thrust within them (Heyman 1966): forces in balance with the weights that cross every joint
// between its intrados and its extrados. Of the symmetric arch the half is enough. At the crown the
// thrust is horizontal, H at the height y0; up to the joint at the angle f from the crown it carries
// the weight w(f) of the stones between, whose centre of mass is at x(f). Its moment about a point P
// of the joint is
//
//     m(P) = P_y H - H y0 + (P_x - x) w,
//
// and it crosses the joint where m is 0. With Q = H y0 the condition is linear in (H, Q): for each
// joint, I being its point of the intrados and E of the extrados,
//
//     I_y H + (I_x - x) w  <=  Q  <=  E_y H + (E_x - x) w.
//
// For a given H there is a Q when the smallest upper bound is not below the largest lower one; their
// difference is concave in H, and its maximum is found by a search in thirds. The arch stands when
// that is not negative, and the least thickness is found by bisection.
//
// Stones have straight edges, as the convex hulls of the simulated arch: of a circular ring the least
// thickness is 0.1075 mean radii (Milankovitch 1907), and many stones come to it.
#include "experiments/masonry.h"

#include <math.h>
#include <rigor/rigor.h>

enum { THIRDS = 200, BISECTIONS = 60, JOINTS = 1024 };

typedef struct Point {
  double x, y;
} Point;

// The half arch from the crown on.
typedef struct Half {
  Point inside[JOINTS], outside[JOINTS]; // ends of its joints
  double weight[JOINTS], moment[JOINTS]; // of all stones between the crown and the joint: w, x w
  int count;
} Half;

// Area, and the first moment about x = 0, of the quadrangle between two joints.
static void add_quadrangle(Point a, Point b, Point c, Point d, double* area, double* moment) {
  const Point corners[5] = {a, b, c, d, a};
  for (int i = 0; i < 4; ++i) {
    Point p = corners[i], q = corners[i + 1];
    double cross = p.x * q.y - q.x * p.y;
    *area += cross / 2;
    *moment += cross * (p.x + q.x) / 6;
  }
}

static Point at(double radius, double angle) {
  return (Point){radius * rg_sin(angle), radius * rg_cos(angle)};
}

// Of an odd number of stones the crown is the middle of a stone, whose straight edges are there nearer
// to the centre than its corners.
static void cut(Half* half, int voussoirs, double thickness) {
  double part = RG_PI / voussoirs, inner = 1 - thickness / 2, outer = 1 + thickness / 2;
  bool odd = voussoirs % 2 == 1;
  double shrink = odd ? rg_cos(part / 2) : 1;
  Point in = at(inner * shrink, 0), out = at(outer * shrink, 0);
  double area = 0, moment = 0;
  half->count = 0;
  if (!odd) {
    half->inside[0] = in;
    half->outside[0] = out;
    half->weight[0] = half->moment[0] = 0;
    half->count = 1;
  }
  for (int i = 1; 2 * i <= voussoirs + odd; ++i) {
    double angle = part * (odd ? i - 0.5 : i);
    Point next_in = at(inner, angle), next_out = at(outer, angle);
    add_quadrangle(in, next_in, next_out, out, &area, &moment);
    in = next_in;
    out = next_out;
    half->inside[half->count] = in;
    half->outside[half->count] = out;
    half->weight[half->count] = area;
    half->moment[half->count++] = moment;
  }
}

// How far the bounds on Q leave room at the thrust H; negative when they exclude each other.
static double room(const Half* half, double thrust) {
  double lower = -HUGE_VAL, upper = HUGE_VAL;
  for (int i = 0; i < half->count; ++i) {
    Point in = half->inside[i], out = half->outside[i];
    double weight = half->weight[i], moment = half->moment[i];
    lower = fmax(lower, in.y * thrust + in.x * weight - moment);
    upper = fmin(upper, out.y * thrust + out.x * weight - moment);
  }
  return upper - lower;
}

static bool stands(const Half* half) {
  double low = 0, high = 2 * half->weight[half->count - 1];
  for (int i = 0; i < THIRDS; ++i) {
    double a = low + (high - low) / 3, b = high - (high - low) / 3;
    if (room(half, a) < room(half, b))
      low = a;
    else
      high = b;
  }
  return room(half, 0.5 * (low + high)) >= 0;
}

double masonry_least_thickness(int voussoirs) {
  static const double thin = 0.01, thick = 0.5;
  Half half;
  double low = thin, high = thick;
  for (int i = 0; i < BISECTIONS; ++i) {
    double middle = 0.5 * (low + high);
    cut(&half, voussoirs, middle);
    if (stands(&half))
      high = middle;
    else
      low = middle;
  }
  return 0.5 * (low + high);
}
