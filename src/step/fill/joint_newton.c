// joint_newton.c - impulses of joints and the ends that they lead to, found together.
//
// Problem: ends.c. Rows G and the ends of the bodies depend on where the step ends, and
// with that on the impulses lambda of the rows:
//
//     w(lambda) = G v + bias + C lambda = 0,    v = v_free + M^-1 G' lambda,
//
// with G, M, v_free and bias those of the end with the velocity v.
//
// Method: Newton's, with the matrix A = G M^-1 G' + C of the first iteration kept for all others.
// An iteration is then lambda -= A^-1 w, the ends with the velocities that follow, the rows that
// belong to them and their w: a few hundred operations per joint where a solve from the beginning
// takes many thousands. What A leaves out, the change of G and M over the step, is of order h |w|,
// and so is the gain of an iteration. A chain whose fastest link needs one more than another's is
// then hardly more expensive.
//
// An island takes part when it has joints and no contacts and none of its rows is bounded, but for
// those whose impulse is given, or has far bodies, and when the solver is one that would factor these rows itself. The impulses found are only a start for
// the solver: the driver sees that they meet the tolerance for the rows that belong to them, and
// has nothing left to do. Where iterations do not converge (turns of half a radian, rows that
// contradict each other) what is left goes the usual way, solve by solve (rounds.c).
//
// Cost: one factorization, linear in the joints of a tree, and the iterations.
#include "problem/operator.h"
#include "solve/direct/direct_model.h"
#include "step/fill/fill.h"

#include <string.h>

enum { ITERATIONS = 24 };
// What the iterations aim at, as a part of the tolerance: far enough below it for the driver to
// agree, whose scale is that of the last one, and for positions not to need the projection.
static const double GOAL = 0.01;
// A change of velocity that is not worth a new end, as a part of the goal: rows see only a part
// h |w| of it, and what they see is measured.
static const double UNSEEN = 10;
// An iteration gains at least this; less is no convergence, or rounding.
static const double PROGRESS = 0.5;

// A body within an iteration: its end stays, is to be made anew, has been.
typedef enum BodyState { KEPT, STALE, MOVED } BodyState;

typedef struct Newton {
  rgDirectModel model;
  bool* out;        // rows that depend on others, which carry no impulse, and given ones
  double* w;        // of the rows, and of welds behind them
  double* weight;   // of the certificate
  double* moved;    // 6 per body: the velocity that its end belongs to
  double* extent;   // [m] of each body: what turns its angular velocity into that of its joints
  double* wrench;   // 6 per body: G' lambda, with the rows of this iteration
  BodyState* state; // of each body, see below
} Newton;

static size_t carve(Newton* newton, const rgProblem* problem, rgCarver* carver) {
  rg_direct_carve(&newton->model, problem, carver);
  size_t all = (size_t)newton->model.matrix.row_limit, bodies = (size_t)problem->body_count;
  newton->out = rg_carve(carver, all, sizeof *newton->out);
  newton->w = rg_carve(carver, all, sizeof(double));
  newton->weight = rg_carve(carver, (size_t)problem->row_count, sizeof(double));
  newton->moved = rg_carve(carver, 6 * bodies, sizeof(double));
  newton->wrench = rg_carve(carver, 6 * bodies, sizeof(double));
  newton->extent = rg_carve(carver, bodies, sizeof(double));
  newton->state = rg_carve(carver, bodies, sizeof *newton->state);
  return carver->used;
}

static bool is_given(const rgProblemRow* row) { return row->lower == row->upper; }

static bool takes_part(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  if (!rg_island_has_joints(set, island) || island->contact_count > 0)
    return false;
  for (int i = island->row_start; i < island->row_start + island->row_count; i++) {
    const rgProblemRow* row = &set->rows[i];
    if (row->far || (!is_given(row) && (row->lower > -HUGE_VAL || row->upper < HUGE_VAL)))
      return false;
  }
  return true;
}

typedef struct Context {
  rgStep* step;
  const rgJointRule* rule;
} Context;

// w of the rows, and the largest that is missed [m/s].
static double compute_w(const Newton* newton, const rgProblem* problem,
                        const rgSolution* solution) {
  double largest = 0;
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    newton->w[i] = 0;
    if (is_given(row))
      continue;
    newton->w[i] = rg_row_velocity(row, solution->v) + row->compliance * solution->lambda[i];
    double missed = fabs(newton->w[i]) * newton->weight[i];
    largest = missed <= largest ? largest : missed; // NaN stays
  }
  return largest;
}

static bool factor(Newton* newton, const rgProblem* problem, rgIsland* island) {
  if (!rg_direct_build(&newton->model))
    return false;
  rg_direct_assemble(&newton->model);
  memset(newton->out, 0, (size_t)newton->model.row_count * sizeof *newton->out);
  for (int i = 0; i < problem->row_count; i++)
    newton->out[i] = is_given(&problem->rows[i]);
  int dependent = rg_rank_factor(&newton->model.matrix, RG_DIRECT_REDUNDANT, newton->out);
  if (dependent > island->redundant_rows)
    island->redundant_rows = dependent;
  for (int i = 0; i < problem->row_count; i++)
    newton->weight[i] = rg_row_weight(problem, &problem->rows[i]);
  return true;
}

// lambda -= A^-1 w.
static void correct(Newton* newton, const rgProblem* problem, double* lambda) {
  int rows = problem->row_count;
  memset(newton->w + rows, 0, (size_t)(newton->model.row_count - rows) * sizeof(double));
  rg_rank_solve(&newton->model.matrix, newton->w);
  for (int i = 0; i < rows; i++)
    lambda[i] -= newton->w[i];
}

static void measure_extents(const rgStep* step, const rgIsland* island, Newton* newton) {
  const rgProblemSet* set = &step->velocity;
  memset(newton->extent, 0, (size_t)island->body_count * sizeof(double));
  int end = island->row_start + island->row_count;
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
    const rgJointStep* joint = &step->joints[set->row_joint[i]];
    double size = joint->size;
    int a = set->rows[i].body_a, b = set->rows[i].body_b;
    if (a >= 0)
      newton->extent[a] = fmax(newton->extent[a], size);
    if (b >= 0)
      newton->extent[b] = fmax(newton->extent[b], size);
    i += joint->row_count;
  }
}

// Finds the bodies whose velocities have changed by more than `least` [m/s] since their last
// end: less moves the rows of others by a small part of it.
static void find_stale(const rgProblemSet* set, const rgIsland* island, Newton* newton,
                       double least) {
  for (int i = 0; i < island->body_count; i++) {
    const double* v = &set->v[6 * (island->body_start + i)];
    double *last = &newton->moved[6 * i], linear = 0, angular = 0;
    for (int k = 0; k < 3; k++) {
      linear += fabs(v[k] - last[k]);
      angular += fabs(v[3 + k] - last[3 + k]);
    }
    newton->state[i] = linear + angular * newton->extent[i] <= least ? KEPT : STALE;
    if (newton->state[i] == STALE)
      memcpy(last, v, 6 * sizeof(double));
  }
}

// True when the body has a new end in this iteration, which it may get here.
static bool follow_body(const Context* context, const rgIsland* island, Newton* newton, int body) {
  if (body < 0 || newton->state[body] == KEPT)
    return false;
  if (newton->state[body] == STALE)
    rg_fill_follow_end(context->step, island->body_start + body, context->rule->theta);
  newton->state[body] = MOVED;
  return true;
}

// New ends for the stale bodies and new rows for their joints, in the order of the joints, so
// that both are in the cache when they are needed.
static void follow(const Context* context, const rgIsland* island, Newton* newton) {
  rgStep* step = context->step;
  const rgProblemSet* set = &step->velocity;
  int end = island->row_start + island->row_count;
  memset(newton->wrench, 0, 6 * (size_t)island->body_count * sizeof(double));
  for (int i = island->row_start; i < end;) {
    const rgProblemRow* row = &set->rows[i];
    bool a = follow_body(context, island, newton, row->body_a);
    bool b = follow_body(context, island, newton, row->body_b);
    int slot = set->row_joint[i];
    const rgJointStep* joint = slot < 0 ? NULL : &step->joints[slot];
    if (joint && (a || b))
      rg_fill_joint_rows(step, slot, island->body_start, context->rule);
    for (int last = joint ? i + joint->row_count : i + 1; i < last; i++, row++) {
      double lambda = set->lambda[i];
      rg_body_add(newton->wrench, row->body_a, lambda, row->g_a.linear, row->g_a.angular);
      rg_body_add(newton->wrench, row->body_b, lambda, row->g_b.linear, row->g_b.angular);
    }
  }
}

// v = v_free + M^-1 G' lambda, with the wrenches of this iteration.
static void compute_v(const Newton* newton, const rgProblem* problem, double* v) {
  for (int i = 0; i < problem->body_count; i++) {
    const rgProblemBody* body = &problem->bodies[i];
    rgTwist wrench = rg_body_twist(newton->wrench, i);
    memset(v + 6 * (size_t)i, 0, 6 * sizeof(double));
    rg_body_add(v, i, 1, v3_axpy(body->v_free.linear, body->inverse_mass, wrench.linear),
                v3_add(body->v_free.angular, m3_apply(&body->inverse_inertia, wrench.angular)));
  }
}

static void close_island(void* context, int item, int worker) {
  (void)worker;
  const Context* own = context;
  rgStep* step = own->step;
  rgIsland* island = &step->velocity.islands[item];
  if (island->settles || !island->closed)
    return;
  island->closed = false;
  rgProblem problem = rg_island_problem(&step->velocity, island);
  rgSolution solution = rg_island_solution(&step->velocity, island);
  Newton newton;
  rgCarver carver = {(char*)step->factors + island->factor_start, 0};
  carve(&newton, &problem, &carver);
  if (!factor(&newton, &problem, island))
    return;
  for (int i = 0; i < problem.row_count; i++)
    if (newton.out[i])
      solution.lambda[i] = is_given(&problem.rows[i]) ? problem.rows[i].lower : 0;
  measure_extents(step, island, &newton);
  memcpy(newton.moved, solution.v, 6 * (size_t)problem.body_count * sizeof(double));
  double goal = GOAL * step->world->options.tolerance * rg_problem_scale(&problem);
  double last = HUGE_VAL;
  rg_problem_velocity(&problem, &solution);
  double missed = compute_w(&newton, &problem, &solution);
  int iteration = 0;
  for (; iteration < ITERATIONS && missed > goal && missed < PROGRESS * last; iteration++) {
    last = missed;
    correct(&newton, &problem, solution.lambda);
    rg_problem_velocity(&problem, &solution);
    find_stale(&step->velocity, island, &newton, UNSEEN * goal);
    follow(own, island, &newton);
    compute_v(&newton, &problem, solution.v);
    missed = compute_w(&newton, &problem, &solution);
  }
  island->closed = missed <= goal / GOAL;
  island->report.iterations += iteration;
}

// Each island that takes part was factored once; its iterations are those of its report so far.
static void count_effort(rgStep* step) {
  int most = 0;
  for (int k = 0; k < step->velocity.island_count; k++) {
    if (step->velocity.islands[k].settles)
      continue;
    int iterations = step->velocity.islands[k].report.iterations;
    step->certificate.factorizations += takes_part(step, &step->velocity.islands[k]);
    most = iterations > most ? iterations : most;
  }
  step->certificate.iterations += most;
}

rgStatus rg_fill_close_joints(rgStep* step) {
  rgWorld* world = step->world;
  rgProblemSet* set = &step->velocity;
  const char* solver = world->options.solver;
  if (strcmp(solver, "auto") != 0 && strcmp(solver, "direct") != 0)
    return RG_OK;
  size_t used = 0;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    if (island->settles)
      continue;
    island->closed = takes_part(step, island);
    if (!island->closed)
      continue;
    Newton newton;
    rgCarver counter = {NULL, 0};
    rgProblem problem = rg_island_problem(set, island);
    island->factor_start = used;
    used += carve(&newton, &problem, &counter);
  }
  if (!rg_reserve(&world->allocator, &step->factors, &step->factors_capacity,
                  (int)(used / RG_ALIGNMENT), RG_ALIGNMENT))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for joints");
  rgJointRule rule = rg_fill_joint_rule(step);
  Context context = {step, &rule};
  rg_tasks_run(world->threads.tasks, set->island_count, close_island, &context);
  count_effort(step);
  return RG_OK;
}
