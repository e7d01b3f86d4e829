// velocity_step.c - the step of all schemes whose unknown is the velocity at the end of the step.
//
//     M (v+ - v) = h F + G' lambda + H r,      q+ = q + h (theta v+ + (1 - theta) v)
//
// with the contact law at the end of the step. What a scheme decides is which contacts are in the
// problem and with which bias in the normal direction; all else is here: the free motion, the
// rounds in which contacts that were left out enter, the certificate, the work of forces and of
// moving ground, and the motion.
#include "step/step.h"

// Rounds of adding contacts; each adds some, so more are needed only where a chain of hits runs
// through more bodies than this.
enum { CONTACT_ROUNDS = 16 };
// Rounds of joints: each gains a factor of about h |w|, and what turns so fast that these are not
// enough is not resolved by the step. Where rounding stops them, as in a body whose inertia is
// nothing against the joint's lever, what they have is taken in the end: beyond the strict rounds,
// each that leaves more than GAINED of what the last one missed lets the next ask for less.
enum { JOINT_ROUNDS = 16, STRICT_ROUNDS = 8 };
static const double GAINED = 0.5, LOOSER = 3;
// With contacts a round is a solve from the beginning. What it finds is for rows that will change,
// so that this part of what it starts with is exact enough; the last round finds nothing left to
// do, at the tolerance that was asked for.
static const double ROUND_PART = 1e-3;
// Rounds that will not get there are given up when this many in a row have said so.
enum { SLOW_ROUNDS = 2 };

void rg_reports_begin(rgWorld* world, rgCertificate* sum) {
  *sum = (rgCertificate){.tolerance = world->options.tolerance, .met = true};
  world->counts.islands = world->counts.solved = world->counts.warm = world->counts.not_met = 0;
}

void rg_reports_add(rgWorld* world, double scale, rgCertificate* sum) {
  const rgProblemSet* set = &world->velocity;
  rgStepCounts* counts = &world->counts;
  int contacts = 0, redundant = 0;
  bool looked = false;
  for (int i = 0; i < set->island_count; i++) {
    redundant += set->islands[i].redundant_rows;
    looked = looked || (set->islands[i].row_count > 0 && set->islands[i].report.iterations > 0);
    const rgCertificate* part = &set->islands[i].report.certificate;
    double residual = part->residual;
    if (scale > part->scale)
      residual *= part->scale / scale;
    sum->dynamics = fmax(sum->dynamics, part->dynamics);
    sum->joint = fmax(sum->joint, part->joint);
    sum->signorini = fmax(sum->signorini, part->signorini);
    sum->coulomb = fmax(sum->coulomb, part->coulomb);
    sum->scale = fmax(sum->scale, part->scale);
    sum->residual = fmax(sum->residual, residual);
    contacts += set->islands[i].contact_count;
    int iterations = set->islands[i].report.iterations;
    if (iterations > sum->iterations)
      sum->iterations = iterations;
    if (iterations > 0)
      counts->solved++;
    else
      counts->warm++;
    if (!(residual <= sum->tolerance))
      counts->not_met++, sum->met = false;
  }
  counts->islands += set->island_count;
  if (looked)
    counts->redundant = redundant;
  if (contacts > sum->contacts)
    sum->contacts = contacts;
}

static rgJointScheme joint_scheme(const rgWorld* world, const rgVelocityScheme* scheme) {
  return (rgJointScheme){.theta = scheme->theta,
                         .mean = scheme->mean_rows,
                         .stabilization = rg_stabilizer_rate(world)};
}

static void scale_mobility(rgProblemSet* set, double factor) {
  for (int i = 0; i < set->body_count; i++) {
    set->bodies[i].inverse_mass *= factor;
    set->bodies[i].inverse_inertia = m3_scale(&set->bodies[i].inverse_inertia, factor);
  }
}

// Of bodies that are known to the problem.
static void fill_problem(rgWorld* world, double h, const rgVelocityScheme* scheme) {
  rgJointScheme joints = joint_scheme(world, scheme);
  rg_contact_problem(world, h, scheme->normal_bias);
  if (scheme->mobility > 0)
    scale_mobility(&world->velocity, scheme->mobility);
  rg_joint_problem(world, h, &joints);
}

// The first guess at where the step ends: under the impulses of the last step, at their rows of the
// present placement.
static void guess_motion(rgWorld* world, double h, const rgVelocityScheme* scheme) {
  rgJointScheme joints = joint_scheme(world, scheme);
  joints.mean = false;
  rg_problem_bodies(world);
  rg_contact_problem(world, h, scheme->normal_bias);
  rg_joint_problem(world, h, &joints);
  rg_joint_motion_start(world, h, scheme->theta);
}

// Settles the islands that need no further round; false when all are settled.
static bool go_on(rgWorld* world, int round) {
  rgProblemSet* set = &world->velocity;
  bool any = false;
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    bool found = island->last_iterations == 0 && (round > 0 || island->rounded);
    bool exhausted = !island->report.certificate.met || island->hopeless;
    island->settled = island->settled || !rg_island_has_joints(set, island) || found || exhausted;
    any = any || !island->settled;
  }
  return any;
}

// Lets an island ask for less where rounds do not gain any more.
static void loosen(rgIsland* island, int round, double tolerance) {
  if (round + 1 < STRICT_ROUNDS || island->report.start_residual < GAINED * island->missed[1])
    return;
  island->start_tolerance = LOOSER * fmax(island->start_tolerance, tolerance);
}

// Foresees, from what two rounds have gained, whether the rounds that are left will be enough for
// an island with contacts.
static void foresee(rgIsland* island, int round, double tolerance) {
  double now = island->report.start_residual, gain = now / island->missed[0], end = now;
  island->missed[0] = island->missed[1];
  island->missed[1] = now;
  if (island->contact_count == 0 || round < 2)
    return;
  for (int k = round; k < JOINT_ROUNDS && end > tolerance; k += 2)
    end *= gain;
  island->slow_rounds = end <= tolerance ? 0 : island->slow_rounds + 1;
  island->hopeless = island->slow_rounds == SLOW_ROUNDS;
}

// Rows alone are a linear system: what is missed by less than this factor is rounding.
static const double ROUNDING = 10;

// Takes the islands back into work whose last solve missed the tolerance: their impulses do not
// belong to the motion they were found for, and of slender bodies the spin could be anything. False
// when there are none, and all others are settled.
static bool take_back(rgWorld* world) {
  rgProblemSet* set = &world->velocity;
  bool any = go_on(world, JOINT_ROUNDS);
  for (int k = 0; k < set->island_count; k++) {
    rgIsland* island = &set->islands[k];
    double allowed = world->options.tolerance * (island->contact_count > 0 ? 1 : ROUNDING);
    bool missed = !(island->report.certificate.residual <= allowed);
    if (rg_island_has_joints(set, island) && (missed || island->hopeless)) {
      island->settled = false;
      any = true;
    }
  }
  return any;
}

// What the rounds could not settle turns too fast for the step. It gets the plain step instead,
// rows at the start and theta = 1, which is linear and loses energy.
static rgStatus solve_roughly(rgWorld* world, double h, const rgVelocityScheme* scheme,
                              const rgStop* stop) {
  rgJointScheme plain = {.theta = 1, .stabilization = rg_stabilizer_rate(world)};
  rg_joint_motion_plain(world, h);
  rg_problem_bodies(world);
  rg_contact_problem(world, h, scheme->normal_bias);
  rg_joint_problem(world, h, &plain);
  return rg_world_solve_islands(world, &world->velocity, world->options.solver, stop);
}

// Rounds of motion, rows and impulses for the islands with joints, after their first solve.
static rgStatus settle_joints(rgWorld* world, double h, const rgVelocityScheme* scheme,
                              const rgStop* stop) {
  rgStop again = *stop;
  again.start_tolerance = stop->tolerance;
  again.start_part = ROUND_PART;
  for (int round = 0; round < JOINT_ROUNDS && go_on(world, round); round++) {
    rg_joint_keep_impulses(world);
    rg_contact_result(world);
    rg_joint_motion(world, h, scheme->theta);
    fill_problem(world, h, scheme);
    rgStatus status =
        rg_world_solve_islands(world, &world->velocity, world->options.solver, &again);
    if (status != RG_OK)
      return status;
    for (int k = 0; k < world->velocity.island_count; k++) {
      rgIsland* island = &world->velocity.islands[k];
      if (island->settled)
        continue;
      loosen(island, round, stop->tolerance);
      foresee(island, round, stop->tolerance);
    }
  }
  return take_back(world) ? solve_roughly(world, h, scheme, stop) : RG_OK;
}

static rgStatus solve(rgWorld* world, double h, const rgVelocityScheme* scheme,
                      rgCertificate* certificate) {
  rgStop stop = {.tolerance = world->options.tolerance,
                 .iteration_limit = world->options.iteration_limit,
                 .time_limit = world->options.time_limit};
  for (int i = 0; i < world->contact_count; i++)
    if (world->contacts[i].slip_part != 0)
      world->contacts[i].slip_part = 0;
  for (int i = 0; i < world->joint_slots; i++)
    world->joints[i].mean_friction = 0;
  bool complete = scheme->select(world, h, scheme->theta);
  bool rounds = scheme->mean_rows && world->joint_count > 0;
  rg_joint_select(world);
  rgStatus status = rg_joint_starts(world);
  if (status != RG_OK)
    return status;
  for (int round = 0;; round++) {
    status = rg_world_build_islands(world, &world->velocity);
    if (status != RG_OK)
      return status;
    rg_force_problem(world, h, scheme->theta);
    if (rounds)
      guess_motion(world, h, scheme);
    else
      rg_problem_bodies(world);
    fill_problem(world, h, scheme);
    if (rounds) {
      rgJointScheme joints = joint_scheme(world, scheme);
      status = rg_joint_rounds(world, h, &joints);
    }
    rgStop first = stop;
    first.start_part = rounds ? ROUND_PART : 0;
    if (status == RG_OK)
      status = rg_world_solve_islands(world, &world->velocity, world->options.solver, &first);
    if (status == RG_OK && rounds)
      status = settle_joints(world, h, scheme, &stop);
    if (status != RG_OK)
      return status;
    rg_contact_result(world);
    bool again = !complete && rg_contacts_add_closing(world, h, scheme->theta);
    if (!again) {
      rgJointScheme joints = joint_scheme(world, scheme);
      bool contacts = rg_contacts_end_gains(world, scheme->theta);
      again = rg_joints_end_gains(world, &joints) || contacts;
    }
    if (!again || round == CONTACT_ROUNDS)
      break;
  }
  rg_reports_begin(world, certificate);
  rg_reports_add(world, 0, certificate);
  return RG_OK;
}

bool rg_world_velocities_finite(const rgWorld* world) {
  for (int i = 0; i < world->body_slots; i++) {
    const rgBody* body = &world->bodies[i];
    if (body->alive && !(v3_finite(body->velocity.linear) && v3_finite(body->velocity.angular)))
      return false;
  }
  return true;
}

double rg_ground_work(const rgWorld* world) {
  double work = 0;
  for (int i = 0; i < world->contact_count && world->kinematic_count > 0; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    if (contact->problem_contact < 0)
      continue;
    for (int side = 0; side < 2; side++) {
      const rgBody* body = &world->bodies[side == 0 ? contact->body_a : contact->body_b];
      rgVec3 point = side == 0 ? contact->point_a : contact->point_b;
      if (body->kind != RG_BODY_KINEMATIC)
        continue;
      rgVec3 v = v3_add(body->velocity.linear,
                        v3_cross(body->velocity.angular, v3_sub(point, body->position)));
      double power = v3_dot(contact->impulse, v) +
                     contact->torsion * v3_dot(contact->normal, body->velocity.angular);
      work += side == 0 ? -power : power;
    }
  }
  return work;
}

// Moves a body by the weighted velocity and returns the work of the forces on it.
static double move(rgBody* body, double h, double theta) {
  if (body->kind == RG_BODY_STATIC)
    return 0;
  rgVec3 shift = v3_scale(body->start_velocity.linear, h * (1 - theta));
  shift = v3_axpy(shift, h * theta, body->velocity.linear);
  rgVec3 turn =
      v3_axpy(body->turn_free, h * theta, v3_sub(body->velocity.angular, body->v_free.angular));
  body->position = v3_add(body->position, shift);
  if (v3_norm2(turn) > 0)
    body->orientation = quat_unit(quat_mul(quat_cayley(turn), body->orientation));
  return v3_dot(body->applied.force, shift) + v3_dot(body->applied.torque, turn);
}

rgStatus rg_velocity_step(rgWorld* world, double h, const rgVelocityScheme* scheme,
                          rgCertificate* certificate, double* work) {
  rgStatus status = rg_reserve_forces(world);
  if (status == RG_OK)
    status = rg_joint_motion_prepare(world);
  bool rings = scheme->mean_rows && scheme->theta < 1 && world->joint_count > 0;
  if (status == RG_OK && rings && world->joints_stale)
    status = rg_joint_suit_velocities(world, h);
  if (status != RG_OK)
    return status;
  scheme->free_motion(world, h, scheme->theta);
  if (rg_free_motion_outran_contacts(world, h))
    status = rg_world_detect(world, h);
  if (status == RG_OK)
    status = solve(world, h, scheme, certificate);
  if (status == RG_OK && !rg_world_velocities_finite(world))
    status = rg_step_out_of_range(world, h);
  if (status != RG_OK) {
    rg_step_take_back(world);
    return status;
  }
  rgJointScheme joints = joint_scheme(world, scheme);
  *work = rg_ground_work(world) + rg_joint_result(world, h, &joints) +
          rg_force_result(world, h, scheme->theta);
  bool ends = scheme->mean_rows && world->joint_count > 0;
  if (ends)
    *work += rg_joint_motion_finish(world, h, scheme->theta);
  for (int i = 0; i < world->body_slots; i++) {
    rg_prefetch(&world->bodies[rg_ahead(i, RG_SLOTS_AHEAD, world->body_slots)],
                offsetof(rgBody, mass));
    if (world->bodies[i].alive && !(ends && world->ends[i].known))
      *work += move(&world->bodies[i], h, scheme->theta);
  }
  return rings ? rg_joint_end_ringing(world, h) : RG_OK;
}
