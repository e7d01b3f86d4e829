// hold.c - holds what rests by one sparse solve; nsgs for everything else.
//
// Problem: the warm start r leaves a small velocity u = H' v + bias to contacts that press, with v
// = v_free + M^-1 H r. Find v* and dr with
//
//     H' v* + bias = 0,      H dr = M (v* - v),      r_c + dr_c in K_c,
//
// in all contacts c that press. u = 0 satisfies the law with every impulse of the cone, and the
// next step starts from rest with impulses that balance its weight.
//
// Method. Of all dr the one that is smallest against the room in the cones,
//
//     minimize sum dr_c' D_c^-1 dr_c   such that   H dr = M (v* - v),
//
// is dr = D H' w with K w = M (v* - v), K = H D H': a stiffness matrix with a spring at every
// contact, of 6 x 6 blocks, one row of them per body. D_c is the inverse Hessian of the barrier of
// the cone, -log((mu r_n)^2 - |r_T|^2): with x = (mu r_n, r_T) and J = diag(1, -1, -1)
//
//     x x' - x'Jx J / 2,      r_n^2 without friction;
//
// dr_c' D_c^-1 dr_c <= 1 lies in the cone, on whose boundary it is a part of the ray through r_c.
// K is softened by e M, e being tiny, and v* is what the springs make of v,
//
//     (K + e M) v* = e M v - H D bias,      (K + e M) w = M (v* - v):
//
// of a motion that they hold with the eigenvalue l they leave the part e / (l + e), so that what no
// contact holds (a ball that rolls) goes on. Where the room of some contact is too small, only a
// part p of dr is added; that leaves (1 - p) u, in every contact, and a step or two later the room
// has grown. (This is an affine-scaling step, Dikin 1967.)
//
// Why: sweeps take long waves out of a pile a few percent at a time, and what is left grows. Under
// impulses that stay as they are a loaded box is a pendulum upside down, a tilt grows by
// exp(h sqrt(N a / I)) in every step (N the load, a the height, I the inertia). So the number of
// steps for which a warm start stays good goes with the logarithm of how well rest was found, and
// to be exact once in dozens of steps costs less than to be about right in every second one.
//
// Cost: one assembly, linear in contacts, and one factorization: linear in bodies for stacks, n^1.5
// for walls, too expensive for heaps, which are left to nsgs, as are rows, polygons, ellipsoids,
// and everything that slides.
#include "solve/hold/hold.h"
#include "math/block_ldl.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

enum {
  MANY_BODIES = 2048,  // more than these are heaps, or islands that something always moves
  BLOCKS_PER_BODY = 24 // room for fill: twice what a wall needs
};
// 6 x 6 products per contact and body: as long as some forty sweeps, the limit of the preset
// realtime.
static const double EXPENSIVE = 20;
// A start that misses the law by less than this part of the free velocity is at rest, unless
// something that presses is faster.
static const double NEAR = 0.01;
// e, relative to the mean stiffness per mass: below the softest wave of a pile, above rounding.
static const double SOFT = 1e-12;
// Of the room of a contact, so that none is used up; and the part of a step that is worth taking.
static const double ROOM_USED = 0.9, LEAST_PART = 0.05;
// Of an impulse on the boundary of its cone, relative to its size.
static const double ROUNDING = 1e-12;
// Least determinant of an inverse inertia, relative to the cube of its mean: below, the body does
// not turn about some axis.
static const double LOCKED = 1e-12;

// D of a contact in its frame, by components; all zero where the contact is left alone.
typedef struct Spring {
  double nn, nt, no, tt, to, oo; // [N2 s2]
} Spring;

typedef struct Hold {
  const rgProblem* problem;
  rgSolution* solution;
  rgBlockMatrix matrix;
  int (*edges)[2];            // room for one per contact
  double soft;                // e
  Spring* springs;            // one per contact
  double *rest, *w, *scratch; // six per body: v*, w
} Hold;

static bool takes(const rgProblem* problem) {
  return !problem->local && problem->row_count == 0 && problem->contact_count > 0 &&
         problem->body_count <= MANY_BODIES;
}

// Without the blocks of the factor where these come later.
static Hold* carve(Hold* hold, const rgProblem* problem, bool blocks, rgCarver* carver) {
  size_t bodies = (size_t)problem->body_count, contacts = (size_t)problem->contact_count;
  double n = problem->body_count, all = 0.5 * n * (n - 1) + 1,
         most = sqrt(2 * EXPENSIVE * n * (n + problem->contact_count));
  Hold* place = rg_carve(carver, 1, sizeof *hold);
  memset(hold, 0, sizeof *hold);
  hold->problem = problem;
  hold->springs = rg_carve(carver, contacts, sizeof(Spring));
  hold->rest = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  hold->w = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  hold->scratch = rg_carve(carver, RG_BLOCK * bodies, sizeof(double));
  hold->edges = rg_carve(carver, contacts, sizeof *hold->edges);
  int limit = (int)fmin(all, fmin(most, BLOCKS_PER_BODY * n));
  (blocks ? rg_block_ldl_carve : rg_block_ldl_carve_order)(&hold->matrix, problem->body_count,
                                                           problem->contact_count, limit, carver);
  return place;
}

static size_t size_of(const rgProblem* problem, bool blocks) {
  if (!takes(problem))
    return 0;
  Hold hold;
  rgCarver carver = {NULL, 0};
  carve(&hold, problem, blocks, &carver);
  return carver.used;
}

size_t rg_hold_size(const rgProblem* problem) { return size_of(problem, true); }

// -------------------------------------------------------------------------------------------------
// Room in the cones
// -------------------------------------------------------------------------------------------------

static bool is_smooth(const rgProblemContact* contact) {
  return contact->cone == RG_CONE_FRICTIONLESS || contact->mu == 0;
}

static bool is_circular(const rgProblemContact* contact) {
  return is_smooth(contact) || contact->cone == RG_CONE_DISK;
}

static double size2(const double* u) { return u[0] * u[0] + u[1] * u[1] + u[2] * u[2]; }

// Brings an impulse back that is outside of its cone, as where a normal has turned. True when it
// was.
static bool enter_cone(const rgProblemContact* contact, double* r) {
  double slip2 = r[1] * r[1] + r[2] * r[2], limit = contact->mu * r[0];
  if (!is_circular(contact) || (r[0] >= 0 && slip2 <= limit * limit))
    return false;
  double part = r[0] > 0 && !is_smooth(contact) ? limit / sqrt(slip2) : 0;
  r[0] = r[0] > 0 ? r[0] : 0;
  r[1] *= part;
  r[2] *= part;
  return true;
}

// D of a contact with the impulse r, which presses.
static Spring spring_of(const rgProblemContact* contact, const double* r) {
  if (is_smooth(contact))
    return (Spring){.nn = r[0] * r[0]};
  double mu = contact->mu, x = mu * r[0], t = r[1], o = r[2],
         half = 0.5 * fmax(x * x - t * t - o * o, 0);
  return (Spring){
      (x * x - half) / (mu * mu), x * t / mu, x * o / mu, t * t + half, t * o, o * o + half};
}

// False when there is nothing to hold, or something that presses moves.
static bool set_springs(Hold* hold, double fast) {
  const rgProblem* problem = hold->problem;
  bool any = false, outside = false;
  for (int i = 0; i < problem->contact_count; i++)
    outside = enter_cone(&problem->contacts[i], hold->solution->r + 4 * (size_t)i) || outside;
  if (outside)
    rg_problem_velocity(problem, hold->solution);
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    const double* r = hold->solution->r + 4 * (size_t)i;
    double u[4];
    hold->springs[i] = (Spring){0};
    if (!(r[0] > 0))
      continue;
    rg_contact_velocity(contact, hold->solution->v, u);
    if (!(size2(u) <= fast * fast))
      return false;
    if (is_circular(contact))
      hold->springs[i] = spring_of(contact, r);
    any = any || hold->springs[i].nn > 0;
  }
  return any;
}

// -------------------------------------------------------------------------------------------------
// The stiffness matrix
// -------------------------------------------------------------------------------------------------

// Order of elimination; false when the factor would be too expensive.
static bool set_order(Hold* hold) {
  const rgProblem* problem = hold->problem;
  rgBlockMatrix* matrix = &hold->matrix;
  int(*edges)[2] = hold->edges, count = 0;
  for (int i = 0; i < problem->contact_count; i++) {
    int a = problem->contacts[i].body_a, b = problem->contacts[i].body_b;
    if (!(hold->springs[i].nn > 0) || a < 0 || b < 0 || a == b ||
        (count > 0 && edges[count - 1][0] == a && edges[count - 1][1] == b))
      continue;
    edges[count][0] = a;
    edges[count++][1] = b;
  }
  return rg_block_ldl_order(matrix, (const int(*)[2])edges, count) &&
         matrix->multiplications <= EXPENSIVE * (problem->contact_count + problem->body_count);
}

// D in world axes.
static rgMat3 world_spring(const rgProblemContact* contact, const Spring* d) {
  rgVec3 n = contact->n, t = contact->t, o = contact->o;
  rgVec3 along_n = v3_axpy(v3_axpy(v3_scale(n, d->nn), d->nt, t), d->no, o),
         along_t = v3_axpy(v3_axpy(v3_scale(n, d->nt), d->tt, t), d->to, o),
         along_o = v3_axpy(v3_axpy(v3_scale(n, d->no), d->to, t), d->oo, o);
  const double left[3][3] = {{n.x, n.y, n.z}, {t.x, t.y, t.z}, {o.x, o.y, o.z}};
  const double right[3][3] = {{along_n.x, along_n.y, along_n.z},
                              {along_t.x, along_t.y, along_t.z},
                              {along_o.x, along_o.y, along_o.z}};
  rgMat3 out;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      out.m[i][j] = left[0][i] * right[0][j] + left[1][i] * right[1][j] + left[2][i] * right[2][j];
  return out;
}

// out += s J_a' D J_b, with J = (I, -[arm]).
static void add_spring(double* out, double s, const rgMat3* d, rgVec3 a, rgVec3 b) {
  const rgVec3 arms[3] = {v3(0, -b.z, b.y), v3(b.z, 0, -b.x), v3(-b.y, b.x, 0)}; // e_j x b
  for (int j = 0; j < RG_BLOCK; j++) {
    rgVec3 force = v3_scale(j < 3 ? m3_column(d, j) : m3_apply(d, arms[j - 3]), s);
    rgVec3 moment = v3_cross(a, force);
    out[j] += force.x;
    out[RG_BLOCK + j] += force.y;
    out[2 * RG_BLOCK + j] += force.z;
    out[3 * RG_BLOCK + j] += moment.x;
    out[4 * RG_BLOCK + j] += moment.y;
    out[5 * RG_BLOCK + j] += moment.z;
  }
}

static double* diagonal_of(const rgBlockMatrix* matrix, int body) {
  return matrix->diagonal + (size_t)matrix->position[body] * RG_BLOCK_AREA;
}

static void add_springs(Hold* hold) {
  const rgProblem* problem = hold->problem;
  rgBlockMatrix* matrix = &hold->matrix;
  int a = -1, b = -1, found = -1;
  bool transposed = false;
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    if (!(hold->springs[i].nn > 0))
      continue;
    if (contact->body_a != a || contact->body_b != b) {
      a = contact->body_a;
      b = contact->body_b;
      found = a >= 0 && b >= 0 && a != b ? rg_block_ldl_find(matrix, a, b, &transposed) : -1;
    }
    rgMat3 d = world_spring(contact, &hold->springs[i]);
    rgVec3 at_a = contact->arm_a, at_b = contact->arm_b;
    if (a >= 0)
      add_spring(diagonal_of(matrix, a), 1, &d, at_a, at_a);
    if (b >= 0)
      add_spring(diagonal_of(matrix, b), 1, &d, at_b, at_b);
    if (found >= 0)
      add_spring(matrix->lower + (size_t)found * RG_BLOCK_AREA, -1, &d, transposed ? at_b : at_a,
                 transposed ? at_a : at_b);
  }
}

// False when a body cannot move in some direction: it has no M.
static bool all_move(const rgProblem* problem) {
  for (int i = 0; i < problem->body_count; i++)
    if (!rg_mass_exists(problem, i, LOCKED))
      return false;
  return true;
}

static void soften(Hold* hold) {
  const rgProblem* problem = hold->problem;
  double stiffness = 0, mass = 0;
  for (int i = 0; i < problem->body_count; i++) {
    const double* block = diagonal_of(&hold->matrix, i);
    stiffness += block[0] + block[7] + block[14];
    mass += rg_mass_linear_trace(problem, i);
  }
  double soft = hold->soft = SOFT * stiffness / mass;
  for (int i = 0; i < problem->body_count; i++)
    rg_mass_add(problem, i, soft, diagonal_of(&hold->matrix, i));
}

// Few heaps that are ordered are factored, and these have half the blocks that there may be. Where there is
// more memory to ask for, the blocks that the order has found lie there, and after them the batches of the sweeps.
static bool has_blocks(Hold* hold, const rgSolve* run, rgCarver carver) {
  rgBlockMatrix* matrix = &hold->matrix;
  if (!run->more)
    return true;
  size_t size = (size_t)matrix->block_count * RG_BLOCK_AREA * sizeof *matrix->lower;
  carver = rg_solve_more(run, carver, size);
  matrix->lower = rg_carve(&carver, 1, size);
  return matrix->lower;
}

static bool factor(Hold* hold) {
  rg_block_ldl_clear(&hold->matrix);
  add_springs(hold);
  soften(hold);
  return rg_block_ldl_factor(&hold->matrix);
}

// -------------------------------------------------------------------------------------------------
// The step
// -------------------------------------------------------------------------------------------------

// to = s M (a - b) for six numbers per body; no b where it is NULL.
static void put_momentum(const rgProblem* problem, double s, const double* a, const double* b,
                         double* to) {
  for (int i = 0; i < problem->body_count; i++) {
    rgTwist v = rg_body_twist(a, i);
    if (b) {
      rgTwist other = rg_body_twist(b, i);
      v = (rgTwist){v3_sub(v.linear, other.linear), v3_sub(v.angular, other.angular)};
    }
    rgTwist p = rg_mass_momentum(problem, i, v);
    memset(to + RG_BLOCK * (size_t)i, 0, RG_BLOCK * sizeof(double));
    rg_body_add(to, i, s, p.linear, p.angular);
  }
}

// out = s D u
static void stretch(const Spring* d, double s, const double* u, double out[4]) {
  out[0] = s * (d->nn * u[0] + d->nt * u[1] + d->no * u[2]);
  out[1] = s * (d->nt * u[0] + d->tt * u[1] + d->to * u[2]);
  out[2] = s * (d->no * u[0] + d->to * u[1] + d->oo * u[2]);
  out[3] = 0;
}

// to -= H D bias
static void subtract_bias(const Hold* hold, double* to) {
  for (int i = 0; i < hold->problem->contact_count; i++) {
    const rgProblemContact* contact = &hold->problem->contacts[i];
    if (!(hold->springs[i].nn > 0) || size2(contact->bias) == 0)
      continue;
    double push[4];
    stretch(&hold->springs[i], -1, contact->bias, push);
    rgVec3 force, torque_a, torque_b;
    rg_contact_wrench(contact, push, &force, &torque_a, &torque_b);
    rg_body_add(to, contact->body_a, 1, force, torque_a);
    rg_body_add(to, contact->body_b, -1, force, torque_b);
  }
}

// v* and w.
static void solve_rest(Hold* hold) {
  put_momentum(hold->problem, hold->soft, hold->solution->v, NULL, hold->rest);
  subtract_bias(hold, hold->rest);
  rg_block_ldl_solve(&hold->matrix, hold->rest, hold->scratch);
  put_momentum(hold->problem, 1, hold->rest, hold->solution->v, hold->w);
  rg_block_ldl_solve(&hold->matrix, hold->w, hold->scratch);
}

// dr of one contact; returns dr' D^-1 dr.
static double change_of(const Hold* hold, int i, double change[4]) {
  const rgProblemContact* contact = &hold->problem->contacts[i];
  double u[4];
  rg_contact_relative(contact, rg_body_twist(hold->w, contact->body_a),
                      rg_body_twist(hold->w, contact->body_b), u);
  stretch(&hold->springs[i], 1, u, change);
  return change[0] * u[0] + change[1] * u[1] + change[2] * u[2];
}

// mu r_n - |r_T|
static double slack_of(const rgProblemContact* contact, const double* r) {
  return contact->mu * r[0] - sqrt(r[1] * r[1] + r[2] * r[2]);
}

// Whether the whole change leaves some of the room, although it is large: cones are wide where the
// load grows.
static bool has_room(const rgProblemContact* contact, const double* r, const double* change) {
  const double end[3] = {r[0] + change[0], r[1] + change[1], r[2] + change[2]};
  double left = 1 - ROOM_USED, rounding = ROUNDING * contact->mu * r[0];
  return end[0] >= left * r[0] &&
         (is_smooth(contact) || slack_of(contact, end) >= left * slack_of(contact, r) - rounding);
}

// The part of the change for which there is room everywhere; 0 when some of it is not finite.
static double possible_part(const Hold* hold) {
  double part = 1;
  for (int i = 0; i < hold->problem->contact_count; i++) {
    if (!(hold->springs[i].nn > 0))
      continue;
    double change[4], used = change_of(hold, i, change);
    if (part * part * used <= ROOM_USED * ROOM_USED ||
        has_room(&hold->problem->contacts[i], hold->solution->r + 4 * (size_t)i, change))
      continue;
    part = isfinite(used) ? ROOM_USED / sqrt(used) : 0;
  }
  return part;
}

static void add_change(Hold* hold, double part) {
  for (int i = 0; i < hold->problem->contact_count; i++) {
    if (!(hold->springs[i].nn > 0))
      continue;
    double change[4];
    change_of(hold, i, change);
    for (int k = 0; k < (hold->problem->dimension == 2 ? 2 : 3); k++)
      hold->solution->r[4 * (size_t)i + (size_t)k] += part * change[k];
  }
  rg_problem_velocity(hold->problem, hold->solution);
}

// A step, and if that was a whole one, a second for what softness and rounding left. Returns the
// part of the first.
static double take_steps(Hold* hold) {
  solve_rest(hold);
  double part = possible_part(hold);
  if (part < LEAST_PART)
    return 0;
  add_change(hold, part);
  if (part < 1)
    return part;
  solve_rest(hold);
  if (possible_part(hold) == 1)
    add_change(hold, 1);
  return 1;
}

bool rg_hold(rgSolve* run, void* work) {
  if (!takes(run->problem) || run->measure > NEAR * run->scale || !all_move(run->problem))
    return false;
  rgCarver carver = {work, 0};
  Hold made, *hold = carve(&made, run->problem, !run->more, &carver);
  *hold = made;
  hold->solution = run->solution;
  if (!set_springs(hold, NEAR * run->scale) || !set_order(hold) || !has_blocks(hold, run, carver) ||
      !factor(hold))
    return false;
  double part = take_steps(hold);
  if (part == 0)
    return false;
  run->iterations++;
  rg_solve_count_factorization(run, hold->matrix.multiplications);
  run->measure *= 1 - part;
  rg_solve_record(run, run->measure);
  return run->measure <= run->target;
}

// -------------------------------------------------------------------------------------------------
// The solver
// -------------------------------------------------------------------------------------------------

typedef struct State {
  int nsgs_calls; // calls of nsgs so far
} State;

static const rgSolverOption options[] = {{.name = NULL}};

static rgStatus accepts(const rgProblem* problem, rgMessage* message) {
  return rg_solver_nsgs.accepts(problem, message);
}

static size_t with_sweeps(size_t sweeps, size_t hold) {
  return rg_align(sizeof(State)) + (sweeps > hold ? sweeps : hold);
}

static size_t work_size(const rgProblem* problem) {
  return with_sweeps(rg_solver_nsgs.work_size(problem), size_of(problem, true));
}

static size_t lean_size(const rgProblem* problem) {
  return with_sweeps(rg_solver_nsgs.lean_size(problem), size_of(problem, false));
}

static void solve(rgSolve* run) {
  rgBudget budget = rg_budget(run->iteration_limit);
  double start = run->call == 0 ? run->measure / run->target : 0;
  const double sweep_options[RG_SOLVER_OPTION_MAX] = {[RG_NSGS_MOMENTUM] = 1,
                                                      [RG_NSGS_TRIAL] = rg_budget_trial(budget),
                                                      [RG_NSGS_ENOUGH] =
                                                          rg_budget_enough(budget, start),
                                                      [RG_NSGS_SINGLE] = 1};
  State* state = run->work;
  void* work = (char*)run->work + rg_align(sizeof(State));
  if (run->call == 0) {
    state->nsgs_calls = 0;
    if (rg_hold(run, work) || rg_solve_is_over(run))
      return;
  }
  rgSolve part = *run;
  part.options = sweep_options;
  part.work = work;
  part.call = state->nsgs_calls++;
  rg_solver_nsgs.solve(&part);
  run->iterations = part.iterations;
  run->effort = part.effort;
  run->measure = part.measure;
  run->gave_up = part.gave_up;
  run->history_count = part.history_count;
}

const rgSolver rg_solver_hold = {
    .name = "hold",
    .summary = "holds what rests by one sparse solve for the impulses of sticking contacts; nsgs "
               "for everything else",
    .reference = "Dikin 1967 (affine scaling); nsgs's own",
    .accepts = accepts,
    .options = options,
    .work_size = work_size,
    .lean_size = lean_size,
    .solve = solve,
    .local_rows = true,
};
