// axis_pieces.c - the common normal of two convex solids by Newton's method on the conditions of closest
// points.
//
// A is the set of all points within a margin of the core f_i(a) <= 0, B likewise of g_j(b) <= 0
// (pieces.h). Points a, b of the cores and a unit vector n from B to A belong to a common normal when
//   sum_i l_i grad f_i(a) = -n,   sum_j m_j grad g_j(b) = n,   a - b = t n,   |n| = 1,
//   f_i(a) = 0, g_j(b) = 0   for the active i, j, all others < 0, and l, m >= 0.
// This is equation 9 of Chakraborty, Berard, Akella and Trinkle (2007): the normals are opposite and along
// the line between the points. With t as an unknown of its own it is regular at touching and in overlap as
// well, where their form with a - b alone is not. Unknowns a, b, n, t, l, m: 10 and one for each active
// function, at most 16. Newton's method with complete pivoting; directions that the equations leave free
// (a side along a face) are not moved along. Steps are halved until the residual falls.
//
// Active sets. The general distance algorithm knows n to some 1e-7. Of a core with corners the active part
// is the face of it that is highest along n, to a tolerance: one corner fixes the point, two a line, more
// a plane. Of curved pieces it is the smallest subset of at most three whose gradients span n with
// coefficients >= 0, to a tolerance. Where that is ambiguous, several are solved for: h(n) judges them all
// (axis.h), so that a wrong one does no harm.
//
// Start. The witness points of bodies apart are on the surfaces. Those of overlap come from a polytope
// inside (epa.c), by up to the height of its triangles, where no piece is active: then the farthest points
// along n are started from. They are on the surfaces, and n is a normal there, whatever its own error.
//
// Cost: 3 to 6 factorizations of order 16 or less, some 3 us each. Fails where two active surfaces are
// flat to a higher order than two; then what was found before stays.
#include "collide/convex/axis_pieces.h"

#include "shape/smooth/eliminate.h"
#include "shape/smooth/pieces.h"
#include "shape/solid/rounding.h"

enum {
  ITERATIONS = 30,
  HALVINGS = 12,
  ACTIVE_MAX = 3,
  UNKNOWNS = RG_ELIMINATE_MAX,
  NEAR_MAX = 6,
  SETS_MAX = 3
};
// Of the size: how far from a piece the witness point of an active one is at most.
static const double NEAR = 1e-4;
// How far n may be from the span of the active gradients; how level an active corner is, of the extent.
static const double LOOSE[SETS_MAX] = {1e-9, 1e-6, 1e-4};
// Residual of rounding, in units of the size, and what is as good as that.
static const double ROUNDING = 2e-16, SOLVED = 4e-14;
// Residual, in units of the size, that is taken where no step lessens it: what the rounding of the functions
// leaves, which is that of their largest term. A ball of 100 times the size has 100 times its rounding, so
// that pieces of up to some 10^4 times the size are solved for.
static const double STALLED = 1e-11;
// Of the size: how far the one point of A that faces B may be from over that of B.
static const double ALIGNED = 1e-12;
// Pivots below this part of the largest are directions that the equations leave free.
static const double FREE = 1e-11;

// The active functions of one side: pieces of the shape by index, or planes through a corner.
typedef struct Active {
  int count;
  int piece[ACTIVE_MAX]; // -1: a plane
  rgVec3 normal[ACTIVE_MAX], corner;
} Active;

typedef struct Side {
  const rgShape* shape;
  rgPose pose;
  double margin;
  int set_count;
  Active sets[2 * SETS_MAX];
} Side;

// One active function in world axes and in units of the size.
typedef struct Term {
  double f;
  rgVec3 g;
  rgMat3 h;
} Term;

typedef struct Problem {
  const Side* side[2];
  const Active* active[2];
  double weight[2][ACTIVE_MAX]; // 1 / |gradient| at the start
  double size;                  // [m] unit of length
  rgVec3 origin;                // [m] of the world, from where a and b are counted
} Problem;

typedef struct State {
  rgVec3 x[2], n; // a, b in units of the size
  double t, force[2][ACTIVE_MAX];
} State;

// --- Active sets ---------------------------------------------------------------------------------

static rgVec3 core_corner(const rgShape* shape, int i) {
  rgCore core = rg_shape_info(shape->kind)->core;
  if (core == RG_CORE_POINT)
    return v3_zero();
  if (core == RG_CORE_AXIS)
    return v3(0, 0, i == 0 ? -shape->half_length : shape->half_length);
  return shape->polyhedron->vertices[i];
}

static int corner_count(const rgShape* shape) {
  rgCore core = rg_shape_info(shape->kind)->core;
  return core == RG_CORE_POINT  ? 1
         : core == RG_CORE_AXIS ? 2
         : shape->polyhedron    ? shape->polyhedron->vertex_count
                                : 0;
}

static bool is_same(const Active* a, const Active* b) {
  if (a->count != b->count || !v3_equal(a->corner, b->corner))
    return false;
  for (int i = 0; i < a->count; i++)
    if (a->piece[i] != b->piece[i] || !v3_equal(a->normal[i], b->normal[i]))
      return false;
  return true;
}

static void add_set(Side* side, const Active* active) {
  for (int i = 0; i < side->set_count; i++)
    if (is_same(&side->sets[i], active))
      return;
  if (side->set_count < 2 * SETS_MAX)
    side->sets[side->set_count++] = *active;
}

// The corners within `level` of the highest along d: their point, line or plane.
static void add_corner_set(Side* side, rgVec3 d, double level) {
  const rgShape* shape = side->shape;
  int count = corner_count(shape), found = 0;
  double top = -HUGE_VAL;
  Active set = {.count = 3, .piece = {-1, -1, -1}};
  for (int i = 0; i < count; i++) {
    double height = v3_dot(d, core_corner(shape, i));
    if (height > top) {
      top = height;
      set.corner = core_corner(shape, i);
    }
  }
  rgVec3 farthest = set.corner, normal = v3_zero();
  for (int i = 0; i < count; i++) {
    rgVec3 c = core_corner(shape, i);
    if (v3_dot(d, c) < top - level)
      continue;
    found++;
    if (v3_norm2(v3_sub(c, set.corner)) > v3_norm2(v3_sub(farthest, set.corner)))
      farthest = c;
  }
  if (found <= 1) {
    set.normal[0] = v3(1, 0, 0), set.normal[1] = v3(0, 1, 0), set.normal[2] = v3(0, 0, 1);
  } else if (found == 2) {
    set.count = 2;
    v3_frame(v3_unit_or(v3_sub(farthest, set.corner), v3(0, 0, 1)), &set.normal[0], &set.normal[1]);
  } else {
    set.count = 1;
    for (int f = 0; f < shape->polyhedron->face_count; f++)
      if (v3_dot(shape->polyhedron->normals[f], d) > v3_dot(normal, d))
        normal = shape->polyhedron->normals[f];
    set.normal[0] = normal;
  }
  add_set(side, &set);
}

// Coefficients >= 0 of up to three unit vectors that come nearest to d, with the rest; false when one is
// negative.
static bool span(const rgVec3* g, int count, rgVec3 d, double* force, double* rest) {
  rgVec3 r = d;
  if (count == 1) {
    force[0] = v3_dot(g[0], d);
  } else if (count == 2) {
    double c = v3_dot(g[0], g[1]), p = v3_dot(g[0], d), q = v3_dot(g[1], d), det = 1 - c * c;
    force[0] = (p - c * q) / det;
    force[1] = (q - c * p) / det;
  } else {
    double det = v3_dot(g[0], v3_cross(g[1], g[2]));
    force[0] = v3_dot(d, v3_cross(g[1], g[2])) / det;
    force[1] = v3_dot(d, v3_cross(g[2], g[0])) / det;
    force[2] = v3_dot(d, v3_cross(g[0], g[1])) / det;
  }
  for (int i = 0; i < count; i++) {
    if (!(force[i] >= 0 && force[i] < 1e12))
      return false;
    r = v3_axpy(r, -force[i], g[i]);
  }
  *rest = v3_norm(r);
  return true;
}

typedef struct Pieces {
  int count, piece[NEAR_MAX];
  rgVec3 normal[NEAR_MAX];
} Pieces;

// The pieces that are active near x, the nearest first.
static void near_pieces(const rgShape* shape, rgVec3 x, Pieces* out) {
  double height[NEAR_MAX];
  out->count = 0;
  for (int i = 0; i < rg_pieces_count(shape); i++) {
    rgVec3 g;
    rgMat3 h;
    double f = rg_pieces_value(shape, i, x, &g, &h), length = v3_norm(g), away = fabs(f) / length;
    if (!(away <= NEAR * shape->extent))
      continue;
    int k = out->count < NEAR_MAX ? out->count++ : NEAR_MAX - 1;
    for (; k > 0 && height[k - 1] > away; k--) {
      height[k] = height[k - 1];
      out->piece[k] = out->piece[k - 1];
      out->normal[k] = out->normal[k - 1];
    }
    height[k] = away;
    out->piece[k] = i;
    out->normal[k] = v3_scale(g, 1 / length);
  }
}

static void add_subset(Side* side, const Pieces* near, unsigned members, rgVec3 d, double loose) {
  Active set = {.count = 0};
  rgVec3 g[ACTIVE_MAX];
  double force[ACTIVE_MAX], rest;
  for (int i = 0; i < near->count; i++)
    if (members >> i & 1) {
      if (set.count == ACTIVE_MAX)
        return;
      g[set.count] = near->normal[i];
      set.piece[set.count++] = near->piece[i];
    }
  if (set.count > 0 && span(g, set.count, d, force, &rest) && rest <= loose)
    add_set(side, &set);
}

static int bits(unsigned x) { return x ? 1 + bits(x & (x - 1)) : 0; }

// The tips near x, where the normals fill a cone.
static void add_tips(Side* side, rgVec3 x) {
  for (int i = 0; i < rg_pieces_count(side->shape); i++) {
    Active set = {
        .count = 3, .piece = {-1, -1, -1}, .normal = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)}};
    if (rg_pieces_tip(side->shape, i, &set.corner) &&
        v3_norm2(v3_sub(x, set.corner)) <= NEAR * NEAR * side->shape->extent * side->shape->extent)
      add_set(side, &set);
  }
}

// The smallest subsets for each tolerance.
static void add_piece_sets(Side* side, rgVec3 x, rgVec3 d) {
  Pieces near;
  near_pieces(side->shape, x, &near);
  for (int k = SETS_MAX - 1; k >= 0; k--)
    for (int size = 1; size <= ACTIVE_MAX; size++) {
      int before = side->set_count;
      for (unsigned members = 1; members < 1u << near.count; members++)
        if (bits(members) == size)
          add_subset(side, &near, members, d, LOOSE[k]);
      if (side->set_count > before)
        break;
    }
}

// x (world) is the witness point, d (world, unit) outward.
static Side side_of(const rgShape* shape, rgPose pose, rgVec3 x, rgVec3 d) {
  bool cored = rg_shape_info(shape->kind)->core != RG_CORE_NONE || rg_rounding_is(shape);
  Side side = {.shape = shape, .pose = pose, .margin = cored ? shape->radius : 0};
  rgVec3 own = quat_unrotate(pose.orientation, d);
  for (int k = 0; k < SETS_MAX && corner_count(shape) > 0; k++)
    add_corner_set(&side, own, LOOSE[k] * shape->extent);
  if (corner_count(shape) == 0) {
    add_tips(&side, pose_unapply(pose, x));
    add_piece_sets(&side, pose_unapply(pose, x), own);
  }
  return side;
}

// --- Equations -----------------------------------------------------------------------------------

static Term term_of(const Problem* p, int s, int i, rgVec3 x) {
  const Side* side = p->side[s];
  const Active* active = p->active[s];
  rgVec3 own = pose_unapply(side->pose, v3_axpy(p->origin, p->size, x));
  Term term = {.h = m3_zero()};
  if (active->piece[i] < 0) {
    term.g = active->normal[i];
    term.f = v3_dot(term.g, v3_sub(own, active->corner));
  } else {
    term.f = rg_pieces_value(side->shape, active->piece[i], own, &term.g, &term.h);
  }
  double w = p->weight[s][i];
  rgMat3 r = m3_from_quat(side->pose.orientation), rt = m3_transpose(&r), h = m3_mul(&r, &term.h);
  h = m3_mul(&h, &rt);
  return (Term){term.f * w / p->size, v3_scale(m3_apply(&r, term.g), w), m3_scale(&h, w * p->size)};
}

typedef struct Equations {
  int count;
  double residual[UNKNOWNS], matrix[UNKNOWNS][UNKNOWNS];
} Equations;

static void put3(double* out, rgVec3 x) { out[0] = x.x, out[1] = x.y, out[2] = x.z; }

// Rows: forces of A (0-2), of B (3-5), a - b = t n (6-8), |n| = 1 (9), active functions. Columns: a, b, n, t,
// forces.
static void evaluate(const Problem* p, const State* y, Equations* e) {
  *e = (Equations){.count = 10 + p->active[0]->count + p->active[1]->count};
  int row = 10;
  for (int s = 0; s < 2; s++) {
    double sign = s == 0 ? 1 : -1;
    rgVec3 sum = v3_scale(y->n, sign);
    for (int i = 0; i < p->active[s]->count; i++, row++) {
      Term term = term_of(p, s, i, y->x[s]);
      double force = y->force[s][i];
      sum = v3_axpy(sum, force, term.g);
      e->residual[row] = term.f;
      put3(&e->matrix[row][3 * s], term.g);
      for (int k = 0; k < 3; k++) {
        e->matrix[3 * s + k][row] = v3_get(term.g, k);
        for (int l = 0; l < 3; l++)
          e->matrix[3 * s + k][3 * s + l] += force * term.h.m[k][l];
      }
    }
    put3(&e->residual[3 * s], sum);
    for (int k = 0; k < 3; k++) {
      e->matrix[3 * s + k][6 + k] = sign;
      e->matrix[6 + k][3 * s + k] = sign;
    }
  }
  put3(&e->residual[6], v3_axpy(v3_sub(y->x[0], y->x[1]), -y->t, y->n));
  e->residual[9] = 0.5 * (v3_norm2(y->n) - 1);
  for (int k = 0; k < 3; k++) {
    e->matrix[6 + k][6 + k] = -y->t;
    e->matrix[6 + k][9] = -v3_get(y->n, k);
    e->matrix[9][6 + k] = v3_get(y->n, k);
  }
}

static double merit_of(const Equations* e) {
  double sum = 0;
  for (int i = 0; i < e->count; i++)
    sum += e->residual[i] * e->residual[i];
  return sum;
}

// Solves matrix * step = -residual.
static void solve(Equations* e, double* step) {
  for (int i = 0; i < e->count; i++)
    e->residual[i] = -e->residual[i];
  rg_eliminate(e->matrix, e->count, e->residual, FREE, step);
}

static State moved(const Problem* p, const State* y, const double* step, double part) {
  State next = *y;
  next.x[0] = v3_axpy(y->x[0], part, v3(step[0], step[1], step[2]));
  next.x[1] = v3_axpy(y->x[1], part, v3(step[3], step[4], step[5]));
  next.n = v3_axpy(y->n, part, v3(step[6], step[7], step[8]));
  next.t = y->t + part * step[9];
  int row = 10;
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < p->active[s]->count; i++, row++)
      next.force[s][i] = y->force[s][i] + part * step[row];
  return next;
}

// Newton's method; the residual that it ends with, and whether no step lessens it.
static double iterate(const Problem* p, State* y, bool* stalled) {
  Equations now, trial;
  evaluate(p, y, &now);
  double merit = merit_of(&now);
  *stalled = false;
  for (int i = 0; i < ITERATIONS && merit > ROUNDING * ROUNDING; i++) {
    double step[UNKNOWNS], part = 1;
    solve(&now, step);
    bool better = false;
    for (int k = 0; k < HALVINGS && !better; k++, part *= 0.5) {
      State next = moved(p, y, step, part);
      evaluate(p, &next, &trial);
      double own = merit_of(&trial);
      better = own < merit;
      if (better) {
        *y = next;
        now = trial;
        merit = own;
      }
    }
    if (!better) {
      *stalled = true;
      break;
    }
  }
  return sqrt(merit);
}

// --- Solutions -----------------------------------------------------------------------------------

// Whether x (world) is in the core of the side, to `within` [m].
static bool is_in_core(const Side* side, rgVec3 x, double within) {
  const rgShape* shape = side->shape;
  rgVec3 own = pose_unapply(side->pose, x), g;
  rgMat3 h;
  for (int i = 0; i < rg_pieces_count(shape); i++)
    if (!(rg_pieces_value(shape, i, own, &g, &h) <= within * v3_norm(g)))
      return false;
  // A core without a volume: the equations have put x on its line or its point.
  return rg_shape_info(shape->kind)->core != RG_CORE_AXIS ||
         fabs(own.z) <= shape->half_length + within;
}

// Whether nothing of a core is farther along its normal than x: at pieces by their forces, which is exact
// for convex functions, at corners by the farthest of them.
static bool is_extreme(const Problem* p, const State* y, int s, double within) {
  const Active* active = p->active[s];
  const Side* side = p->side[s];
  rgVec3 d = quat_unrotate(side->pose.orientation, s == 0 ? v3_neg(y->n) : y->n);
  rgVec3 x = pose_unapply(side->pose, v3_axpy(p->origin, p->size, y->x[s]));
  for (int i = 0; i < active->count; i++)
    if (active->piece[i] >= 0 && !(y->force[s][i] >= 0))
      return false;
  for (int i = 0; i < corner_count(side->shape); i++)
    if (!(v3_dot(d, v3_sub(core_corner(side->shape, i), x)) <= within))
      return false;
  return active->piece[0] >= 0 || corner_count(side->shape) > 0; // a tip is judged by h
}

// Whether points of both that meet the conditions are closest, whatever else was found. The farthest
// points of intersections, and so h, are known to some 1e-9 only. Apart they are, by convexity. In overlap, for a
// and b of the cores, h(m) <= m.(a - b) = t m.n along any m: the best normal before, m, is better by
// -t |n - m|^2/2 at most, which has to be rounding.
static bool is_proved(const Problem* p, const State* y, rgVec3 before, double within) {
  for (int s = 0; s < 2; s++)
    if (!is_in_core(p->side[s], v3_axpy(p->origin, p->size, y->x[s]), within) ||
        !is_extreme(p, y, s, within))
      return false;
  return -0.5 * y->t * v3_norm2(v3_sub(y->n, before)) <= STALLED;
}

// Solves for one pair of active sets from the witness points; false when the conditions are not met.
static bool solve_for(rgAxisSearch* s, Problem* p, const rgDistance* found, rgDistance* out) {
  State y = {.n = found->normal,
             .t = (found->distance + p->side[0]->margin + p->side[1]->margin) / p->size};
  for (int i = 0; i < 2; i++) {
    rgVec3 g[ACTIVE_MAX], out_of = i == 0 ? v3_neg(y.n) : y.n;
    double rest;
    rgVec3 x = i == 0 ? v3_axpy(found->point_a, p->side[0]->margin, y.n)
                      : v3_axpy(found->point_b, -p->side[1]->margin, y.n);
    y.x[i] = v3_scale(v3_sub(x, p->origin), 1 / p->size);
    for (int k = 0; k < p->active[i]->count; k++) {
      p->weight[i][k] = 1;
      double length = v3_norm(term_of(p, i, k, y.x[i]).g);
      p->weight[i][k] = 1 / length;
      g[k] = term_of(p, i, k, y.x[i]).g;
    }
    span(g, p->active[i]->count, out_of, y.force[i], &rest);
  }
  // Rounding of places far from the origin counts in units of the size.
  double far = v3_norm(p->origin) + fabs(found->distance), solved = SOLVED * (1 + far / p->size);
  bool stalled;
  double residual = iterate(p, &y, &stalled);
  if (!(residual <= (stalled ? fmax(STALLED, solved) : solved)))
    return false;
  solved = fmax(solved, 4 * residual); // four rows carry an error to h: one for a, b, n each and t
  rgVec3 n = v3_unit_or(y.n, v3_zero()), a = v3_axpy(p->origin, p->size, y.x[0]),
         b = v3_axpy(p->origin, p->size, y.x[1]);
  *out = (rgDistance){p->size * y.t - p->side[0]->margin - p->side[1]->margin, n,
                      v3_axpy(a, -p->side[0]->margin, n), v3_axpy(b, p->side[1]->margin, n),
                      found->iterations};
  if (is_proved(p, &y, s->normal, solved * p->size)) {
    s->normal = n;
    s->gap = out->distance;
    return true;
  }
  rgAxisSearch own = rg_axis_search(s->a, s->pose_a, s->b, s->pose_b);
  rg_axis_try(&own, n);
  // The lower bound h(n) is the distance of the points: no solution is better.
  if (!(own.gap >= out->distance - solved * p->size) || !(own.gap >= s->gap - solved * p->size))
    return false;
  s->normal = n;
  s->gap = own.gap;
  return true;
}

bool rg_axis_is_solved(const rgAxisSearch* s) {
  rgVec3 n = s->normal, d = quat_unrotate(s->pose_a.orientation, v3_neg(n)),
         e = quat_unrotate(s->pose_b.orientation, n);
  const rgShapeInfo *a = rg_shape_info(s->a->kind), *b = rg_shape_info(s->b->kind);
  if (!a->single(s->a, d) || !b->single(s->b, e))
    return false;
  rgVec3 apart = v3_sub(pose_apply(s->pose_a, a->support(s->a, d)),
                        pose_apply(s->pose_b, b->support(s->b, e)));
  return v3_norm(v3_cross(apart, n)) <= ALIGNED * (s->a->extent + s->b->extent);
}

// The farthest points along the normal found, which need not lie over one another.
static rgDistance farthest(const rgAxisSearch* s, const rgDistance* found) {
  const rgShapeInfo *a = rg_shape_info(s->a->kind), *b = rg_shape_info(s->b->kind);
  rgVec3 n = found->normal, d = quat_unrotate(s->pose_a.orientation, v3_neg(n)),
         e = quat_unrotate(s->pose_b.orientation, n);
  rgVec3 low = pose_apply(s->pose_a, a->support(s->a, d)),
         high = pose_apply(s->pose_b, b->support(s->b, e));
  return (rgDistance){v3_dot(n, v3_sub(low, high)), n, low, high, found->iterations};
}

// From the points and the normal of `start`.
static bool try_from(rgAxisSearch* s, const rgDistance* start, rgDistance* solved) {
  Side a = side_of(s->a, s->pose_a, start->point_a, v3_neg(start->normal)),
       b = side_of(s->b, s->pose_b, start->point_b, start->normal);
  Problem p = {.side = {&a, &b},
               .size = s->a->extent < s->b->extent ? s->a->extent : s->b->extent,
               .origin = v3_lerp(start->point_a, start->point_b, 0.5)};
  for (int i = 0; i < a.set_count; i++)
    for (int k = 0; k < b.set_count; k++) {
      p.active[0] = &a.sets[i];
      p.active[1] = &b.sets[k];
      if (solve_for(s, &p, start, solved))
        return true;
    }
  return false;
}

bool rg_axis_try_pieces(rgAxisSearch* s, rgDistance* found) {
  rgDistance solved, along = farthest(s, found);
  if (!try_from(s, found, &solved) && !try_from(s, &along, &solved))
    return false;
  *found = solved;
  return true;
}
