// project.c - removing errors of position after a step: overlaps, and errors of joints.
//
// The smallest displacement d in the kinetic norm that closes the joints and opens the contacts
// (Cline 2002, eq. 3.7),
//
//     minimize 1/2 d' M d   such that   e + G d = 0,   g_c + n_c . (H_c' d) >= -s_c,
//
// is a frictionless problem with rows in which displacements take the place of velocities: v_free =
// 0, bias = e of rows and g + s of contacts. Only joints that are off by more than rounding may
// come to, and contacts that overlap by more than the tolerance, ask for a correction, and only
// islands in which one asks are looked at. A contact that has just been thrown back and will be
// open after the next step does not ask: lifting it would add to the energy of the rebound; unless it
// is so deep that it may be passed instead. All other contacts must not be made deeper than s. The cushion s, half the tolerance, keeps what
// rests touching, and away from the overlap that asks. Limits of joints are treated as contacts
// are.
//
// Corrections are small: gaps and points follow them to first order, and pairs are searched anew
// only where the second order could be seen. A further pass is for normals that turned and for
// joints, whose error falls quadratically from pass to pass. No pass turns or shifts a body by more
// than a bound: where a joint is far off, or a body is squeezed, the tangent leads nowhere. What the passes could
// not finish is left to the next step. Velocities are not touched.
#include "step/stabilize/project.h"

#include "base/prefetch.h"
#include "solve/budget.h"
#include "solve/solver.h"
#include "step/energy/energy.h"
#include "step/fill/fill.h"
#include "step/report.h"
#include "step/stabilize/close.h"
#include "step/stabilize/stabilizer.h"
#include "step/sum.h"
#include "step/trees.h"

enum {
  PROJECTION_PASSES = 3,
  MORE_PASSES = 12, // while errors fall: few where they are near, more where they are far off
  // Overlaps need less care than velocities: this part of the solver's iterations.
  PROJECTION_SHARE = 4,
  // Where the time is bounded, and sweeps are in floats: with a quarter, one heap of spheres in seven that land in long
  // steps was left deeper than what is left alone, with half of the iterations none of 28.
  PROJECTION_SHARE_BOUNDED = 2,
  // Sweeps before newton is asked, and its steps: a body wedged between walls must not cost more than
  // this. What is left is continued in the next step. Islands too large for newton may use all of the
  // projection's share.
  PROJECTION_SWEEPS = 200,
  SHAPES_AHEAD = 8 // contacts ahead for which memory is asked
};
// Error of the correction, as a part of the tolerance, so that the next pass finds nothing to do.
static const double LEFT_OVER = 0.25;
// Part of the tolerance that the second order of a correction may come to.
static const double SECOND_ORDER = 0.01;
// A pass over joints need not be solved better than this: the next one sees what is left.
static const double JOINT_SOLVE = 1e-8;
// Corrections go on while a pass, or two, leave less than this part of the largest error; or two of which
// the second made it worse, less than the other part of the deepest overlap: of thin bodies in a heap, what
// opens one contact closes another, pass by pass. Slow but steady progress is that of bodies which no shift frees.
// Before passes are given up on overlaps that are small beside the bodies, some are made that shift bodies without
// turning them: two thin plates that cross at a small angle are apart along the normal of one or of the other, and
// turns that open them along one close them along the other, for ever; a shift along either by its depth frees
// them, to any order.
static const double PROGRESS = 0.5, PROGRESS_OF_TWO = 0.8;
// [rad] largest turn of a body in one pass; its largest shift as a part of its extent, so that passes that
// gain nothing shift it by no more than that, and in errors that add up: that of a groove of 6 degrees.
static const double LARGEST_TURN = 0.5, LARGEST_SHIFT = 1.0 / PROJECTION_PASSES,
                    LARGEST_FACTOR = 10;

static bool island_asks(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->position;
  for (int i = 0; i < island->contact_count; i++)
    if (step->contacts[set->contact_order[island->contact_start + i]].mark == RG_MARK_ASKS)
      return true;
  for (int i = 0; i < island->row_count; i++)
    if (step->joints[set->row_joint[island->row_start + i]].mark == RG_MARK_ASKS)
      return true;
  return false;
}

static void keep_asking_islands(rgStep* step) {
  rgProblemSet* set = &step->position;
  int count = 0;
  for (int k = 0; k < set->island_count; k++)
    if (island_asks(step, &set->islands[k]))
      set->islands[count++] = set->islands[k];
  set->island_count = count;
}

static void fill_contact(const rgStep* step, int index, int body_start, rgProjectForm form,
                         rgProblemContact* out) {
  const rgWorld* world = step->world;
  const rgWorldContact* contact = &world->contacts[index];
  int a = step->bodies[contact->body_a].problem_body,
      b = step->bodies[contact->body_b].problem_body;
  double cushion = form.closes ? 0 : rg_stabilizer_allowed_overlap(world, contact);
  out->body_a = a < 0 ? -1 : a - body_start;
  out->body_b = b < 0 ? -1 : b - body_start;
  out->n = contact->normal;
  v3_frame(out->n, &out->t, &out->o);
  out->arm_a = v3_sub(contact->point_a, world->bodies[contact->body_a].position);
  out->arm_b = v3_sub(contact->point_b, world->bodies[contact->body_b].position);
  out->bias[0] = rg_project_bias(contact->gap, cushion, step->contacts[index].mark == RG_MARK_ASKS);
  out->bias[1] = out->bias[2] = out->bias[3] = 0;
  out->cone = RG_CONE_FRICTIONLESS;
  out->facets = 0;
  out->mu = out->e_t = out->e_o = out->e_tau = 0;
}

// What the corrections of a problem are measured with [m].
typedef struct Lengths {
  double largest; // |bias| in it
  double overlap; // the smallest one that is left alone, of its contacts
} Lengths;

// An island in a pass over its bodies or contacts.
typedef struct Filling {
  rgStep* step;
  const rgIsland* island;
  rgProjectForm form;
  double bound; // [m] of what bodies are moved by
} Filling;

// Passes over the bodies of an island that look for largest numbers.
static void measure_bodies(Filling* filling, rgRangeMeasure* function, double largest[2]) {
  rg_tasks_measure(filling->step->world->threads.tasks, filling->island->body_count, function,
                   filling, largest);
}

static rgBody* body_at(const Filling* filling, int index) {
  int slot = filling->step->position.body_order[filling->island->body_start + index];
  return &filling->step->world->bodies[slot];
}

static void fill_body_range(void* context, int first, int end) {
  const Filling* filling = context;
  rgProblemSet* set = &filling->step->position;
  int start = filling->island->body_start;
  for (int i = start + first; i < start + end; i++) {
    const rgBody* body = &filling->step->world->bodies[set->body_order[i]];
    set->bodies[i] =
        (rgProblemBody){.inverse_mass = body->inverse_mass,
                        .inverse_inertia = rg_body_inverse_inertia(body, body->orientation)};
  }
}

// Looks for the largest |bias| and the least overlap that is left alone, this with its sign changed.
static void fill_contact_range(void* context, int first, int end, double largest[2]) {
  const Filling* filling = context;
  const rgWorld* world = filling->step->world;
  rgProblemSet* set = &filling->step->position;
  int start = filling->island->contact_start;
  for (int i = start + first; i < start + end; i++) {
    rg_fill_prefetch_contact(filling->step, set, i);
    int index = set->contact_order[i];
    fill_contact(filling->step, index, filling->island->body_start, filling->form,
                 &set->contacts[i]);
    for (int j = 0; j < 4; j++)
      set->r[4 * i + j] = 0;
    double allowed = rg_stabilizer_allowed_overlap(world, &world->contacts[index]);
    largest[0] = fmax(largest[0], fabs(set->contacts[i].bias[0]));
    largest[1] = fmax(largest[1], -allowed);
  }
}

static void fill_island(rgStep* step, const rgIsland* island, rgProjectForm form,
                        Lengths* lengths) {
  rgTasks* tasks = step->world->threads.tasks;
  Filling filling = {.step = step, .island = island, .form = form};
  double measured[2] = {0, -lengths->overlap};
  rg_tasks_ranges(tasks, island->body_count, fill_body_range, &filling);
  rg_tasks_measure(tasks, island->contact_count, fill_contact_range, &filling, measured);
  double largest = measured[0];
  lengths->overlap = -measured[1];
  if (form.closes)
    largest = fmax(largest, rg_close_press(step, island));
  lengths->largest = fmax(lengths->largest, fmax(largest, rg_project_fill_joints(step, island)));
}

static Lengths fill_problem(rgStep* step, rgProjectForm form) {
  rgProblemSet* set = &step->position;
  Lengths lengths = {0, HUGE_VAL};
  for (int k = 0; k < set->island_count; k++)
    fill_island(step, &set->islands[k], form, &lengths);
  for (int i = 0; i < set->body_count && form.shifts && set->row_count == 0; i++)
    set->bodies[i].inverse_inertia = m3_zero();
  return lengths;
}

typedef struct Displacement {
  rgVec3 shift, turn; // [m], [rad]
} Displacement;

// The correction of a body, zero for what is in no problem.
static Displacement displacement_of(const rgProblemSet* set, int body_start, int body) {
  if (body < 0)
    return (Displacement){v3_zero(), v3_zero()};
  const double* d = &set->v[6 * (body_start + body)];
  return (Displacement){v3(d[0], d[1], d[2]), v3(d[3], d[4], d[5])};
}

static rgVec3 point_displacement(const Displacement* moved, rgVec3 arm) {
  return v3_add(moved->shift, v3_cross(moved->turn, arm));
}

// Makes the part of an island's corrections.
static void make_part(rgStep* step, const rgIsland* island, double part) {
  double* d = &step->position.v[6 * island->body_start];
  for (int i = 0; i < 6 * island->body_count && part < 1; i++)
    d[i] = part == 0 ? 0 : part * d[i];
}

// The part of a body's correction that stays within the bounds of a pass.
static double bounded_part(const rgBody* body, const Displacement* moved, double shift) {
  double turn = v3_norm(moved->turn), way = v3_norm(moved->shift), part = 1;
  double bound = fmin(shift, LARGEST_SHIFT * body->extent);
  if (turn > LARGEST_TURN)
    part = LARGEST_TURN / turn;
  if (body->extent > 0 && way > bound)
    part = fmin(part, bound / way);
  return part;
}

// Looks for the least part, with its sign changed.
static void bound_range(void* context, int first, int end, double largest[2]) {
  const Filling* filling = context;
  for (int i = first; i < end; i++) {
    Displacement moved = displacement_of(&filling->step->position, filling->island->body_start, i);
    largest[0] = fmax(largest[0], -bounded_part(body_at(filling, i), &moved, filling->bound));
  }
}

// Shortens the corrections of an island so that no body turns or shifts too far. n bodies that overlap
// by d push the last one by n d, and walls at a small angle to each other multiply that; but the plane of
// a contact is that of the shapes only as far as they reach, and a body squeezed between walls that
// never open wide enough would be sent beyond all of them.
static void bound_displacement(rgStep* step, const rgIsland* island, double deepest) {
  Filling filling = {
      .step = step, .island = island, .bound = LARGEST_FACTOR * island->body_count * deepest};
  double largest[2] = {-1};
  measure_bodies(&filling, bound_range, largest);
  make_part(step, island, -largest[0]);
}

// A body that turns takes its angular velocity along, so that its energy stays what it was.
static void turn_body(rgBody* body, rgVec3 turn) {
  rgQuat q = quat_cayley(turn);
  body->orientation = quat_unit(quat_mul(q, body->orientation));
  if (!body->isotropic)
    body->velocity.angular = quat_rotate(q, body->velocity.angular);
}

// Work of a displacement against gravity [J].
static double lift_of(const rgStep* step, const rgIsland* island, int index) {
  const rgProblemSet* set = &step->position;
  const rgBody* body = &step->world->bodies[set->body_order[island->body_start + index]];
  Displacement moved = displacement_of(set, island->body_start, index);
  return -body->mass * v3_dot(step->world->options.gravity, moved.shift);
}

static void write_lifts(const rgStep* step, const void* context, int first, int end,
                        double* terms) {
  for (int i = first; i < end; i++, terms += 2) {
    terms[0] = lift_of(step, context, i);
    terms[1] = fabs(terms[0]);
  }
}

typedef struct Asking {
  rgStep* step;
  const rgIsland* island;
  double sum, size; // [J] of lifts, and of what each is
} Asking;

static void ask_range(void* context, int first, int end) {
  const Asking* asking = context;
  const int* slots = &asking->step->position.body_order[asking->island->body_start];
  for (int i = first; i < end; i++)
    asking->step->bodies[slots[i]].asked =
        asking->sum * (fabs(lift_of(asking->step, asking->island, i)) / asking->size);
}

// Charges bodies with the work of the corrections of an island against gravity (energy/pay.c), and leaves
// the part of these that can be paid. What some are lowered by pays for others: the sum is shared by
// how far each was moved.
static void charge_lift(rgStep* step, const rgIsland* island) {
  const int* slots = &step->position.body_order[island->body_start];
  double sums[2] = {0};
  rg_step_sum(step, island->body_count, 2, write_lifts, island, sums);
  double sum = sums[0], size = sums[1];
  if (!(size > 0) || !isfinite(size))
    return;
  Asking asking = {step, island, sum, size};
  rg_tasks_ranges(step->world->threads.tasks, island->body_count, ask_range, &asking);
  double part = sum > 0 ? rg_energy_lift_part(step, slots, island->body_count) : 1;
  make_part(step, island, part);
  rg_energy_charge_lift(step, slots, island->body_count, part);
}

static void move_range(void* context, int first, int end, double largest[2]) {
  const Filling* filling = context;
  const rgProblemSet* set = &filling->step->position;
  for (int i = first; i < end; i++) {
    Displacement moved = displacement_of(set, filling->island->body_start, i);
    double turn = v3_norm(moved.turn), shift = v3_norm(moved.shift);
    if (!(turn + shift > 0) || !isfinite(turn + shift))
      continue;
    rgBody* body = body_at(filling, i);
    body->position = v3_add(body->position, moved.shift);
    if (turn > 0)
      turn_body(body, moved.turn);
    body->moved = true;
    largest[0] = fmax(largest[0], turn * (shift + turn * body->extent));
  }
}

// Moves the bodies and returns the largest second-order part of the displacement of a surface point
// [m].
static double move_bodies(rgStep* step, const rgIsland* island) {
  Filling filling = {.step = step, .island = island};
  double second[2] = {0};
  measure_bodies(&filling, move_range, second);
  return second[0];
}

// Gaps and points after the displacement, to first order.
static void move_contact_range(void* context, int first, int end) {
  const Filling* filling = context;
  rgStep* step = filling->step;
  const rgIsland* island = filling->island;
  const rgProblemSet* set = &step->position;
  for (int i = island->contact_start + first; i < island->contact_start + end; i++) {
    const rgProblemContact* in = &set->contacts[i];
    rgWorldContact* contact = &step->world->contacts[set->contact_order[i]];
    if (contact->ball_a && contact->ball_b)
      continue; // follow_spheres does it
    Displacement a = displacement_of(set, island->body_start, in->body_a),
                 b = displacement_of(set, island->body_start, in->body_b);
    rgVec3 at_a = point_displacement(&a, in->arm_a), at_b = point_displacement(&b, in->arm_b);
    contact->point_a = v3_add(contact->point_a, at_a);
    contact->point_b = v3_add(contact->point_b, at_b);
    contact->gap += v3_dot(contact->normal, v3_sub(at_a, at_b));
  }
}

static void move_contacts(rgStep* step, const rgIsland* island) {
  Filling filling = {.step = step, .island = island};
  rg_tasks_ranges(step->world->threads.tasks, island->contact_count, move_contact_range, &filling);
}

// Contacts of spheres follow their centres exactly, whether they were in the problem or not: the
// impulse of a contact along its normal must not turn a sphere, and without arms off the normal the
// next solve is cheaper (nsgs_ball.c). Between others the normal stays.
static void follow_range(void* context, int first, int end) {
  rgWorld* world = context;
  for (int i = first; i < end; i++) {
    rgWorldContact* contact = &world->contacts[i];
    if (!contact->ball_a && !contact->ball_b)
      continue;
    const rgWorldContact* later = &world->contacts[rg_ahead(i, SHAPES_AHEAD, world->contact_count)];
    rg_prefetch_line(&world->shapes[later->shape_b]);
    const rgWorldShape *a = &world->shapes[contact->shape_a], *b = &world->shapes[contact->shape_b];
    rgVec3 d = v3_sub(a->pose.position, b->pose.position);
    double distance = a->ball > 0 && b->ball > 0 ? v3_norm(d) : 0;
    if (distance > 0) {
      contact->normal = v3_scale(d, 1 / distance);
      contact->gap = distance - (a->ball + b->ball);
    }
    if (a->ball > 0)
      contact->point_a = v3_axpy(a->pose.position, -a->ball, contact->normal);
    if (b->ball > 0)
      contact->point_b = v3_axpy(b->pose.position, b->ball, contact->normal);
  }
}

static void follow_spheres(rgWorld* world) {
  rg_tasks_ranges(world->threads.tasks, world->contact_count, follow_range, world);
}

// -------------------------------------------------------------------------------------------------
// Solving
// -------------------------------------------------------------------------------------------------

// Settles all islands but those that have not met their tolerance and that a solver takes (`takes`) or
// refuses. False when none is left.
static bool leave_to(rgProblemSet* set, const rgSolver* solver, bool takes) {
  bool any = false;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    rgProblem problem = rg_island_problem(set, island);
    bool open = !island->report.certificate.met;
    island->settled = !open || (solver->accepts(&problem, NULL) == RG_OK) != takes;
    any = any || !island->settled;
  }
  return any;
}

// Sweeps first; what they do not finish, as a body wedged between others, is left to newton where
// the options allow more than a few sweeps. Islands that newton does not take are swept on.
static rgStatus solve_contacts(rgStep* step, rgStop* stop, int sweeps) {
  rgProblemSet* set = &step->position;
  const rgSolver* newton = rg_solver_find("newton");
  stop->iteration_limit = sweeps < PROJECTION_SWEEPS ? sweeps : PROJECTION_SWEEPS;
  rgStatus status = rg_islands_solve(step, set, "nsgs", stop);
  if (status != RG_OK || sweeps < PROJECTION_SWEEPS)
    return status;
  if (leave_to(set, newton, true))
    status = rg_islands_solve(step, set, "newton", stop);
  stop->iteration_limit = sweeps;
  if (status == RG_OK && leave_to(set, newton, false))
    status = rg_islands_solve(step, set, "nsgs", stop);
  return status;
}

static rgStatus solve(rgStep* step, const rgProjection* asked, double largest) {
  rgProblemSet* set = &step->position;
  int limit = step->world->options.iteration_limit;
  bool bounded = rg_budget(limit).interactive;
  int sweeps = 1 + limit / (bounded ? PROJECTION_SHARE_BOUNDED : PROJECTION_SHARE);
  rgStop stop = {.tolerance = fmin(LEFT_OVER * asked->allowed / largest, LEFT_OVER),
                 .iteration_limit = sweeps};
  if (set->row_count == 0)
    return solve_contacts(step, &stop, sweeps);
  stop.tolerance = fmax(stop.tolerance, JOINT_SOLVE);
  bool all = false;
  rgStatus status = asked->form.closes ? RG_OK : rg_project_solve_trees(step, &stop, largest, &all);
  return all || status != RG_OK ? status : rg_islands_solve(step, set, "auto", &stop);
}

// Parts of corrections that are tried: 1, 1/2, 1/4, ...
enum { PARTS = 7 };

// The deepest overlaps of an island [m], to first order: of none of its corrections, and of each part.
static void overlaps_after(const rgStep* step, const rgIsland* island, double* none,
                           double deepest[PARTS]) {
  const rgProblemSet* set = &step->position;
  *none = 0;
  for (int k = 0; k < PARTS; k++)
    deepest[k] = 0;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    const rgProblemContact* in = &set->contacts[i];
    Displacement a = displacement_of(set, island->body_start, in->body_a),
                 b = displacement_of(set, island->body_start, in->body_b);
    rgVec3 closing = v3_sub(point_displacement(&a, in->arm_a), point_displacement(&b, in->arm_b));
    double start = step->world->contacts[set->contact_order[i]].gap, way = v3_dot(in->n, closing);
    double part = 1;
    *none = fmax(*none, -start);
    for (int k = 0; k < PARTS; k++, part *= 0.5) {
      double gap = start + part * way;
      deepest[k] = -gap <= deepest[k] ? deepest[k] : -gap; // NaN stays
    }
  }
}

// An answer that misses its tolerance may leave bodies deeper in each other than they were. The
// largest part of it is made that does not; none if there is no such part. Rows of joints need no such care: the
// driver returns no answer that misses by more than its start.
static void make_harmless(rgStep* step, const rgIsland* island) {
  if (island->report.certificate.met)
    return;
  double before, deepest[PARTS], part = 1;
  overlaps_after(step, island, &before, deepest);
  int halvings = 0;
  for (; halvings < PARTS && !(deepest[halvings] <= before); halvings++)
    part *= 0.5;
  make_part(step, island, halvings < PARTS ? part : 0);
}

// -------------------------------------------------------------------------------------------------
// Passes of corrections
// -------------------------------------------------------------------------------------------------

static void reach_range(void* context, int first, int end, double largest[2]) {
  const Filling* filling = context;
  for (int i = first; i < end; i++) {
    Displacement moved = displacement_of(&filling->step->position, filling->island->body_start, i);
    rgBody* body = body_at(filling, i);
    double shift = v3_norm(moved.shift), way = shift + v3_norm(moved.turn) * body->extent;
    if (!(way > body->travel + filling->bound) || !isfinite(way))
      continue;
    largest[0] = fmax(largest[0], way);
    body->shift = fmax(body->shift, shift);
    body->travel = fmax(body->travel, way);
    body->anew = true;
  }
}

// Lets the bodies of an island reach as far as their corrections take them. Returns the longest way
// [m] of a body that goes farther than its contacts were sought, 0 when there is none.
static double reach_farther(rgStep* step, const rgIsland* island, double allowed) {
  Filling filling = {.step = step, .island = island, .bound = allowed};
  double farthest[2] = {0};
  measure_bodies(&filling, reach_range, farthest);
  return farthest[0];
}

// Shortens corrections so that no body goes farther than its contacts were sought.
static void stay_within_reach(rgStep* step, const rgIsland* island, double allowed) {
  const rgProblemSet* set = &step->position;
  double part = 1;
  for (int i = 0; i < island->body_count; i++) {
    Displacement moved = displacement_of(set, island->body_start, i);
    const rgBody* body = &step->world->bodies[set->body_order[island->body_start + i]];
    double way = v3_norm(moved.shift) + v3_norm(moved.turn) * body->extent;
    if (way > body->travel + allowed)
      part = fmin(part, (body->travel + allowed) / way);
  }
  make_part(step, island, part);
}

// Finds the corrections of all islands in which something asks.
static rgStatus find_corrections(rgStep* step, const rgProjection* asked, Lengths* lengths) {
  rgProblemSet* set = &step->position;
  set->joint_rows = RG_ROWS_CONSTRAINTS;
  rgStatus status = rg_islands_build(step, set);
  if (status != RG_OK)
    return status;
  keep_asking_islands(step);
  status = rg_trees_build(step, set);
  if (status != RG_OK)
    return status;
  *lengths = fill_problem(step, asked->form);
  status = solve(step, asked, lengths->largest);
  for (int k = 0; k < set->island_count && status == RG_OK; k++) {
    if (asked->form.bounded)
      bound_displacement(step, &set->islands[k], asked->deepest);
    make_harmless(step, &set->islands[k]);
  }
  return status;
}

// Corrections that go farther than contacts were sought may meet what is not among them: it is
// sought, and the corrections are found again with it.
static rgStatus find_with_reach(rgStep* step, rgProjection* asked, Lengths* lengths,
                                double* farthest) {
  enum { SEARCHES = 4 };
  *farthest = 0;
  for (int search = 0; search < SEARCHES; search++) {
    rgStatus status = find_corrections(step, asked, lengths);
    double way = 0;
    for (int k = 0; k < step->position.island_count && status == RG_OK; k++)
      way = fmax(way, reach_farther(step, &step->position.islands[k], asked->allowed));
    if (status != RG_OK || way == 0)
      return status;
    *farthest = fmax(*farthest, way);
    status = rg_step_detect_within(step);
    if (status != RG_OK)
      return status;
    *asked = rg_project_mark(step, asked->form, 2 * *farthest);
  }
  rgStatus status = find_corrections(step, asked, lengths);
  for (int k = 0; k < step->position.island_count && status == RG_OK; k++)
    stay_within_reach(step, &step->position.islands[k], asked->allowed);
  return status;
}

// Joints of trees are open by the second order of a pass. Where that is less than what contacts leave of it they are
// closed at once, link by link from the root, and what is looked at next are closed joints. Where it is more, they
// are not closed between passes, which share it among all bodies by their masses: closed there it would be left to the last
// links, unlike in full coordinates.
static bool close_trees(rgStep* step, const rgProjection* asked, double second,
                        const Lengths* lengths) {
  if (asked->form.closes || second > SECOND_ORDER * fmin(lengths->overlap, asked->allowed))
    return false;
  rg_fill_close_trees(step);
  return true;
}

// One pass. `done`: an island could not be finished; `closed`: joints of trees are.
static rgStatus project_once(rgStep* step, rgProjection* asked, bool* done, bool* closed) {
  rgProblemSet* set = &step->position;
  Lengths lengths;
  double farthest, second = 0;
  rgStatus status = find_with_reach(step, asked, &lengths, &farthest);
  if (status != RG_OK)
    return status;
  step->account.corrected = true;
  for (int k = 0; k < set->island_count; k++) {
    charge_lift(step, &set->islands[k]);
    second = fmax(second, move_bodies(step, &set->islands[k]));
    *done = *done || !set->islands[k].report.certificate.met;
  }
  *closed = farthest == 0 && close_trees(step, asked, second, &lengths);
  if (farthest > 0)
    return rg_step_detect_corrected(step);
  if (second > SECOND_ORDER * lengths.overlap || asked->form.closes)
    return rg_step_detect_moved(step);
  for (int k = 0; k < set->island_count; k++)
    move_contacts(step, &set->islands[k]);
  rg_world_place_moved(step->world);
  follow_spheres(step->world);
  return RG_OK;
}

// Part of the extent of a body that is small beside it.
static const double SHALLOW = 1e-3;

static bool is_shallow(const rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    int bodies[2] = {contact->body_a, contact->body_b};
    for (int k = 0; k < 2; k++)
      if (bodies[k] >= 0 && world->bodies[bodies[k]].kind == RG_BODY_DYNAMIC &&
          -contact->gap > SHALLOW * world->bodies[bodies[k]].extent)
        return false;
  }
  return true;
}

// Whether overlaps fall, given the deepest of now, of the last pass and of the one before.
static bool goes_on(double now, const double last[2]) {
  return now < PROGRESS * last[0] || now < PROGRESS * last[1] ||
         (now > last[0] && now < PROGRESS_OF_TWO * last[1]);
}

rgStatus rg_project_positions(rgStep* step, rgProjectForm form) {
  rgStatus status = RG_OK;
  double last_error = HUGE_VAL,
         overlap[2] = {HUGE_VAL, HUGE_VAL}; // of the last pass, and before it
  rgProjection asked = rg_project_mark(step, form, 0);
  if (!isfinite(asked.allowed))
    return RG_OK;
  // Where the time is bounded a pass has few sweeps, and the next one goes on where they ended. Else newton had
  // its turn too, and would find the same.
  bool bounded = rg_budget(step->world->options.iteration_limit).interactive;
  double promised = asked.promised; // what is told when nothing overlaps any more
  bool closed = false;
  for (int pass = 0; pass < MORE_PASSES && isfinite(asked.allowed); pass++) {
    bool joints = asked.joint_error > 0 && asked.joint_error < PROGRESS * last_error;
    bool overlaps = asked.overlaps && goes_on(asked.deepest, overlap);
    if (pass >= PROJECTION_PASSES && !joints && !overlaps) {
      if (form.shifts || form.closes || !asked.overlaps || !is_shallow(step))
        break;
      form.shifts = asked.form.shifts = true;
      overlap[0] = overlap[1] = HUGE_VAL;
    }
    // Joints whose errors no longer fall contradict each other, or rounding stops them.
    if (asked.joint_error > 0 && !joints && !asked.overlaps)
      break;
    // What a correction of overlaps leaves of joints is of second order in it: it counts as error
    // too.
    last_error = asked.deepest;
    overlap[1] = asked.overlaps ? overlap[0] : overlap[1];
    overlap[0] = asked.overlaps ? asked.deepest : overlap[0];
    bool done = false;
    status = project_once(step, &asked, &done, &closed);
    if (status != RG_OK)
      return status;
    asked = rg_project_mark(step, form, 0);
    if (!form.repeats || (done && !bounded))
      break;
  }
  if (!closed) {
    rg_fill_close_trees(step);
    step->account.judged = false;
  }
  if (!form.closes)
    rg_report_stage(step, RG_STAGE_PROJECTION, asked.promised > 0 ? asked.promised : promised,
                    asked.worst);
  return RG_OK;
}
