// range.c - the least and the largest normal force that equilibria have at a contact, or between two
// bodies.
//
// Let F = n . (force on A by B). To bound it, the contacts in question get a body of their own, P, in the
// place of B, and P is held to B by rows: F is then the impulse of the row along n, and the equilibria
// with F >= t are those of that row with the bound t. With lambda = t + lambda', lambda' >= 0, this is
// the question whether the assembly stands, under the load of a unit force along n on P and its opposite
// on B, t times:
//
//     Q(t) = Q + t E.
//
// Where it does not stand, the proof is a motion v with Q(t)'v > 0 that no force resists, so that every
// t with equilibria has Q'v + t E'v <= 0: with E'v > 0 it is at most -Q'v / E'v. That is the next t, from
// above, until it stands: then forces prove that t is reached and a motion that no more is, to the
// tolerance of proofs (statics.c). The least force is found in the same way from below with E reversed.
// What stands far beyond the loads has no bound: it can be wedged.
//
// Cost: about five to twenty solves for each end.
#include "cli/stand/distribution.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SOLVES = 60, ROWS = 6 };
static const double WEDGED = 1e3;   // times the whole load
static const double SETTLED = 1e-7; // of the whole load: a change of t that is none

typedef struct Gauge {
  const CliIsland* island;
  rgProblem problem; // with P, the last body, and its rows, the last ones
  rgProblemBody* bodies;
  rgProblemContact* contacts;
  rgProblemRow* rows;
  rgSolution solution;
  void* work;
  size_t work_size;
  double load; // [N s] of all bodies
  int other;   // the problem's index of B; -1: not moved by it
  rgVec3 n;
  rgTwist reply; // what a unit force along n on P does to B: M^-1 of its opposite
} Gauge;

// --- the problem with P --------------------------------------------------------------------------

static bool open_gauge(Gauge* gauge, const CliIsland* island) {
  const rgProblem* from = &island->problem;
  size_t bodies = (size_t)from->body_count + 1, contacts = (size_t)from->contact_count,
         rows = (size_t)from->row_count + ROWS;
  *gauge = (Gauge){.island = island, .problem = *from};
  gauge->bodies = calloc(bodies + 1, sizeof *gauge->bodies);
  gauge->contacts = calloc(contacts + 1, sizeof *gauge->contacts);
  gauge->rows = calloc(rows + 1, sizeof *gauge->rows);
  gauge->solution.v = calloc(6 * bodies + 4 * contacts + rows + 1, sizeof(double));
  if (!gauge->bodies || !gauge->contacts || !gauge->rows || !gauge->solution.v)
    return false;
  gauge->solution.r = gauge->solution.v + 6 * bodies;
  gauge->solution.lambda = gauge->solution.r + 4 * contacts;
  gauge->problem.body_count = (int)bodies;
  gauge->problem.row_count = (int)rows;
  gauge->problem.bodies = gauge->bodies;
  gauge->problem.contacts = gauge->contacts;
  gauge->problem.rows = gauge->rows;
  for (int i = 0; i < from->body_count; ++i)
    if (from->bodies[i].inverse_mass > 0)
      gauge->load += rg_vec3_norm(from->bodies[i].v_free.linear) / from->bodies[i].inverse_mass;
  return true;
}

static void close_gauge(Gauge* gauge) {
  free(gauge->bodies);
  free(gauge->contacts);
  free(gauge->rows);
  free(gauge->solution.v);
  free(gauge->work);
}

// A row that keeps P at B along a direction, or about it.
static rgProblemRow hold(const Gauge* gauge, rgVec3 arm, rgVec3 axis, bool angular) {
  rgVec3 zero = rg_vec3_zero(), back = rg_vec3_neg(axis);
  rgTwist on_p = angular ? (rgTwist){zero, axis} : (rgTwist){axis, zero},
          on_b = angular ? (rgTwist){zero, back} : (rgTwist){back, rg_vec3_cross(arm, back)};
  return (rgProblemRow){.body_a = gauge->problem.body_count - 1,
                        .body_b = gauge->other,
                        .g_a = on_p,
                        .g_b = gauge->other >= 0 ? on_b : (rgTwist){zero, zero},
                        .lower = -HUGE_VAL,
                        .upper = HUGE_VAL};
}

// The rows of P, that along n first. In the plane those outside it hold nothing and are left out.
static void hold_body(Gauge* gauge, rgVec3 arm) {
  bool plane = gauge->problem.dimension == 2;
  rgVec3 n = gauge->n, t, o, z = rg_vec3(0, 0, 1);
  rg_vec3_frame(n, &t, &o);
  if (plane)
    t = rg_vec3(-n.y, n.x, 0);
  rgProblemRow* row = gauge->rows + gauge->island->problem.row_count;
  *row++ = hold(gauge, arm, n, false);
  *row++ = hold(gauge, arm, t, false);
  if (plane) {
    *row++ = hold(gauge, arm, z, true);
  } else {
    *row++ = hold(gauge, arm, o, false);
    *row++ = hold(gauge, arm, n, true);
    *row++ = hold(gauge, arm, t, true);
    *row++ = hold(gauge, arm, o, true);
  }
  gauge->problem.row_count = (int)(row - gauge->rows);
}

// The workspace depends on what is held to what.
static bool reserve_work(Gauge* gauge) {
  size_t size = cli_statics_work_size(&gauge->problem);
  if (size <= gauge->work_size)
    return true;
  free(gauge->work);
  gauge->work = malloc(size);
  gauge->work_size = gauge->work ? size : 0;
  return gauge->work != NULL;
}

// Puts P between the contacts of a pair and its body B. False when memory ran out.
static bool set_pair(Gauge* gauge, const CliDistribution* all, const CliPairForce* pair) {
  const rgProblem* from = &gauge->island->problem;
  size_t bodies = (size_t)from->body_count, contacts = (size_t)from->contact_count;
  memcpy(gauge->bodies, from->bodies, bodies * sizeof *gauge->bodies);
  if (from->row_count > 0)
    memcpy(gauge->rows, from->rows, (size_t)from->row_count * sizeof *gauge->rows);
  memcpy(gauge->contacts, from->contacts, contacts * sizeof *gauge->contacts);
  rgVec3 arm = rg_vec3_zero();
  rgProblemBody partner = {0};
  gauge->n = pair->normal;
  for (int i = pair->first; i < pair->first + pair->count; ++i) {
    const CliContactForce* force = &all->contacts[i];
    rgProblemContact* contact = &gauge->contacts[force->contact];
    bool same = force->a.index == pair->a.index;
    int* side = same ? &contact->body_b : &contact->body_a;
    rgVec3 *side_arm = same ? &contact->arm_b : &contact->arm_a,
           off = rg_vec3_sub(force->point, pair->point);
    int a = same ? contact->body_a : contact->body_b;
    gauge->other = *side;
    partner = from->bodies[a >= 0 ? a : *side];
    arm = rg_vec3_sub(*side_arm, off);
    *side = from->body_count;
    *side_arm = off;
  }
  rgTwist rest = {rg_vec3_zero(), rg_vec3_zero()};
  partner.v_free = rest;
  gauge->bodies[bodies] = partner;
  gauge->reply = rest;
  if (gauge->other >= 0) {
    const rgProblemBody* b = &from->bodies[gauge->other];
    gauge->reply.linear = rg_vec3_scale(gauge->n, -b->inverse_mass);
    gauge->reply.angular =
        rg_mat3_apply(&b->inverse_inertia, rg_vec3_neg(rg_vec3_cross(arm, gauge->n)));
  }
  hold_body(gauge, arm);
  return reserve_work(gauge);
}

// --- one end of the range ------------------------------------------------------------------------

// The load of t, and on which side of it the row along n may be.
static void set_bound(Gauge* gauge, double t, bool upwards) {
  const rgProblem* from = &gauge->island->problem;
  rgProblemRow* row = &gauge->rows[from->row_count];
  rgProblemBody* p = &gauge->bodies[from->body_count];
  p->v_free.linear = rg_vec3_scale(gauge->n, t * p->inverse_mass);
  if (gauge->other >= 0) {
    rgTwist* v = &gauge->bodies[gauge->other].v_free;
    *v = from->bodies[gauge->other].v_free;
    v->linear = rg_vec3_add(v->linear, rg_vec3_scale(gauge->reply.linear, t));
    v->angular = rg_vec3_add(v->angular, rg_vec3_scale(gauge->reply.angular, t));
  }
  row->lower = upwards ? 0 : -HUGE_VAL;
  row->upper = upwards ? HUGE_VAL : 0;
}

// Rows at most zero are not asked about by a proof: turned round, they are at least zero.
static void turn_row(Gauge* gauge) {
  rgProblemRow* row = &gauge->rows[gauge->island->problem.row_count];
  if (row->lower == 0)
    return;
  row->lower = 0;
  row->upper = HUGE_VAL;
  row->g_a.linear = rg_vec3_neg(row->g_a.linear);
  row->g_b.linear = rg_vec3_neg(row->g_b.linear);
  row->g_b.angular = rg_vec3_neg(row->g_b.angular);
}

static rgTwist motion_of(const Gauge* gauge, int body) {
  const double* v = gauge->solution.v + 6 * (size_t)(body < 0 ? 0 : body);
  rgTwist none = {rg_vec3_zero(), rg_vec3_zero()};
  return body < 0 ? none : (rgTwist){rg_vec3(v[0], v[1], v[2]), rg_vec3(v[3], v[4], v[5])};
}

// E'v: what a unit of t does along the motion.
static double work_of_unit(const Gauge* gauge) {
  int count = gauge->island->problem.body_count;
  double sum = rg_vec3_dot(gauge->n, motion_of(gauge, count).linear);
  if (gauge->other >= 0) {
    rgTwist v = motion_of(gauge, gauge->other);
    const rgProblemRow* row = &gauge->rows[gauge->island->problem.row_count];
    double sign = rg_vec3_dot(row->g_a.linear, gauge->n) > 0 ? 1 : -1;
    sum +=
        sign * (rg_vec3_dot(row->g_b.linear, v.linear) + rg_vec3_dot(row->g_b.angular, v.angular));
  }
  return sum;
}

// Q'v of the load without t.
static double work_of_load(const Gauge* gauge) {
  rgProblem plain = gauge->island->problem;
  return cli_statics_work(&plain, gauge->solution.v);
}

static CliStatics ask(Gauge* gauge, double t, bool upwards) {
  set_bound(gauge, t, upwards);
  turn_row(gauge);
  memcpy(gauge->solution.r, gauge->island->solution.r,
         4 * (size_t)gauge->problem.contact_count * sizeof(double));
  memset(gauge->solution.lambda, 0, (size_t)gauge->problem.row_count * sizeof(double));
  return cli_statics_proof(&gauge->problem, &gauge->solution, gauge->work);
}

// The end of the range of F on one side: between `inside`, which is in it, and `bound`, beyond which no
// equilibrium is [N s]. A motion that is not quite a proof gives no bound, but a good guess.
static double find_end(Gauge* gauge, double inside, double bound, bool upwards) {
  double t = bound, narrow = SETTLED * gauge->load, part = 0.5;
  for (int i = 0; i < SOLVES && fabs(bound - inside) > narrow; ++i) {
    CliStatics verdict = ask(gauge, t, upwards);
    if (verdict == CLI_STATICS_STANDS) {
      inside = t;
      t = inside + part * (bound - inside);
      continue;
    }
    double unit = work_of_unit(gauge), next = -work_of_load(gauge) / unit;
    bool nearer = (next - inside) * (t - next) > 0 && fabs(next - t) > narrow;
    if (verdict == CLI_STATICS_MOVES && (upwards ? unit > 0 : unit < 0)) {
      bound = nearer ? next : t;
      if (!nearer)
        break;
      t = next;
    } else {
      part = nearer ? 0.1 : 0.5; // after a guess the end is near
      t = nearer ? next : 0.5 * (inside + t);
    }
  }
  return bound;
}

static bool find_range(Gauge* gauge, const CliDistribution* all, const CliPairForce* pair, double h,
                       double range[2]) {
  if (!(rg_vec3_norm2(pair->normal) > 0.5))
    return true;
  bool flat = true; // all contacts push along n: the force is not negative
  for (int i = pair->first; i < pair->first + pair->count; ++i)
    flat = flat && fabs(fabs(rg_vec3_dot(all->contacts[i].normal, pair->normal)) - 1) < 1e-9;
  double far = WEDGED * gauge->load, value = rg_vec3_dot(pair->force, pair->normal) * h;
  if (!set_pair(gauge, all, pair))
    return false;
  range[1] = ask(gauge, far, true) == CLI_STATICS_STANDS ? HUGE_VAL
                                                         : find_end(gauge, value, far, true) / h;
  if (!set_pair(gauge, all, pair))
    return false;
  bool open = !flat && ask(gauge, -far, false) == CLI_STATICS_STANDS;
  range[0] = open ? -HUGE_VAL : find_end(gauge, value, flat ? 0 : -far, false) / h;
  return true;
}

bool cli_distribution_ranges(CliAssembly* assembly, CliDistribution* all) {
  bool whole = true;
  for (int k = 0; whole && k < assembly->island_count; ++k) {
    Gauge gauge;
    whole = open_gauge(&gauge, &assembly->islands[k]);
    for (int p = 0; whole && p < all->pair_count; ++p) {
      CliPairForce* pair = &all->pairs[p];
      if (all->contacts[pair->first].island != k)
        continue;
      double value = rg_vec3_dot(pair->force, pair->normal);
      pair->range[0] = pair->range[1] = value;
      if (!all->known || !pair->unique_normal)
        whole = find_range(&gauge, all, pair, assembly->h, pair->range);
      for (int i = pair->first; i < pair->first + pair->count; ++i) {
        CliContactForce* contact = &all->contacts[i];
        CliPairForce one = {.a = contact->a,
                            .b = contact->b,
                            .first = i,
                            .count = 1,
                            .point = contact->point,
                            .normal = contact->normal,
                            .force = contact->force};
        value = rg_vec3_dot(contact->force, contact->normal);
        contact->range[0] = contact->range[1] = value;
        if (pair->count == 1)
          memcpy(contact->range, pair->range, sizeof contact->range);
        else if (!all->known || !contact->unique_normal)
          whole = whole && find_range(&gauge, all, &one, assembly->h, contact->range);
      }
    }
    close_gauge(&gauge);
  }
  return whole;
}
