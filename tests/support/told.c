// told.c - all that a world says, as one hash (told.h).
#include "support/told.h"

#include "base/hash.h"
#include "test.h"
#include <rigor/bulk.h>
#include <rigor/diagnose.h>
#include <rigor/joint.h>
#include <rigor/load.h>
#include <rigor/sensor.h>
#include <rigor/view.h>

#include <stdlib.h>

Told told_begin(rgWorld* world) { return (Told){world, RG_HASH_START}; }

void tell_bytes(Told* told, const void* data, size_t size) {
  told->hash = rg_hash_bytes(told->hash, data, size);
}

void tell_text(Told* told, const char* text) { tell_bytes(told, text, strlen(text) + 1); }

void tell_int(Told* told, int64_t value) { tell_bytes(told, &value, sizeof value); }

void tell(Told* told, double value) {
  double plain = value == 0 ? 0 : value;
  if (isnan(value))
    tell_int(told, -1);
  else
    tell_bytes(told, &plain, sizeof plain);
}

static void tell_all(Told* told, const double* values, size_t count) {
  for (size_t i = 0; i < count; i++)
    tell(told, values[i]);
}

void tell_vector(Told* told, rgVec3 v) { tell_all(told, (double[]){v.x, v.y, v.z}, 3); }

static void tell_twist(Told* told, rgTwist v) {
  tell_vector(told, v.linear);
  tell_vector(told, v.angular);
}

static void tell_wrench(Told* told, rgWrench wrench) {
  tell_vector(told, wrench.force);
  tell_vector(told, wrench.torque);
}

static void tell_pose(Told* told, rgPose pose) {
  rgQuat q = pose.orientation;
  tell_vector(told, pose.position);
  tell_all(told, (double[]){q.w, q.x, q.y, q.z}, 4);
}

static void tell_id(Told* told, uint32_t index, uint32_t generation) {
  tell_int(told, index);
  tell_int(told, generation);
}

static void tell_body_id(Told* told, rgBodyId id) { tell_id(told, id.index, id.generation); }
static void tell_shape_id(Told* told, rgShapeId id) { tell_id(told, id.index, id.generation); }
static void tell_joint_id(Told* told, rgJointId id) { tell_id(told, id.index, id.generation); }

void tell_status(Told* told, rgStatus status) {
  tell_int(told, status);
  if (status != RG_OK)
    tell_text(told, rg_world_message(told->world));
}

void tell_certificate(Told* told, const rgCertificate* certificate) {
  const rgCertificateField* field;
  for (int i = 0; (field = rg_certificate_field(i)); i++)
    tell(told, rg_certificate_value(certificate, field));
  for (int i = 0; i < RG_STAGE_COUNT; i++)
    tell_int(told, certificate->stages[i].count);
}

// -------------------------------------------------------------------------------------------------
// The state
// -------------------------------------------------------------------------------------------------

// A flat world stays in its plane, to the last bit: what has left it would be refused when it is set again.
static void check_flat(rgPose pose, rgTwist v) {
  CHECK(pose.orientation.x == 0 && pose.orientation.y == 0 && pose.position.z == 0);
  CHECK(v.linear.z == 0 && v.angular.x == 0 && v.angular.y == 0);
}

static void tell_bodies(Told* told) {
  const rgWorld* world = told->world;
  for (int i = 0; i < rg_world_body_count(world); i++) {
    rgBodyId id = rg_world_body(world, i);
    rgMassProperties mass = rg_body_mass(world, id);
    tell_body_id(told, id);
    tell_int(told, rg_body_kind(world, id));
    tell_text(told, rg_body_name(world, id));
    tell_pose(told, rg_body_pose(world, id));
    tell_twist(told, rg_body_velocity(world, id));
    if (rg_world_dimension(world) == 2)
      check_flat(rg_body_pose(world, id), rg_body_velocity(world, id));
    tell_vector(told, rg_body_center(world, id));
    tell_vector(told, mass.center);
    tell(told, mass.mass);
    tell_all(told, mass.inertia.m[0], 9);
  }
}

enum { SHAPES_MAX = 200, CORNERS_MAX = 64 };

static void tell_shapes(Told* told) {
  rgShapeId ids[SHAPES_MAX];
  int count = rg_world_shapes(told->world, ids, SHAPES_MAX);
  tell_int(told, count);
  for (int i = 0; i < count && i < SHAPES_MAX; i++) {
    rgShapeView view;
    rgVec3 corners[CORNERS_MAX];
    rgBounds box = rg_shape_bounds(told->world, ids[i]);
    REQUIRE(rg_shape_view(told->world, ids[i], &view) == RG_OK);
    tell_shape_id(told, ids[i]);
    tell_body_id(told, view.body);
    tell_int(told, view.def.kind);
    tell_pose(told, view.def.pose);
    tell_vector(told, view.def.half);
    tell_all(told,
             (double[]){view.def.radius, view.def.half_length, view.def.rounding, view.extent}, 4);
    tell_all(told, view.def.parameters, RG_SHAPE_PARAMETER_MAX);
    tell_id(told, view.def.group, view.def.mask);
    tell_int(told, view.def.material);
    tell_vector(told, box.lower);
    tell_vector(told, box.upper);
    int corner_count = rg_shape_corners(told->world, ids[i], corners, CORNERS_MAX);
    tell_int(told, corner_count);
    for (int k = 0; k < corner_count && k < CORNERS_MAX; k++)
      tell_vector(told, corners[k]);
  }
}

static void tell_material(Told* told, const rgMaterial* material) {
  tell_all(told,
           (double[]){material->mu, material->restitution, material->e_t, material->e_o,
                      material->e_tau},
           5);
  tell_vector(told, material->direction);
}

static void tell_materials(Told* told) {
  int count = rg_world_material_count(told->world);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < count; k++) {
      rgMaterial own, pair;
      REQUIRE(rg_world_material(told->world, i, &own) == RG_OK);
      REQUIRE(rg_world_pair_material(told->world, i, k, &pair) == RG_OK);
      tell_material(told, &own);
      tell_material(told, &pair);
    }
}

static void tell_contacts(Told* told) {
  tell_int(told, rg_world_contact_count(told->world));
  for (int i = 0; i < rg_world_contact_count(told->world); i++) {
    rgContact contact;
    REQUIRE(rg_world_contact(told->world, i, &contact) == RG_OK);
    tell_body_id(told, contact.body_a);
    tell_body_id(told, contact.body_b);
    tell_shape_id(told, contact.shape_a);
    tell_shape_id(told, contact.shape_b);
    tell_vector(told, contact.point);
    tell_vector(told, contact.normal);
    tell_vector(told, contact.impulse);
    tell(told, contact.gap);
    tell(told, contact.torsion);
    tell_int(told, contact.material_a);
    tell_int(told, contact.material_b);
  }
}

static void tell_axis(Told* told, const rgJointAxis* axis) {
  tell_all(told,
           (double[]){axis->lower, axis->upper, axis->motor, axis->motor_speed, axis->motor_force,
                      axis->friction, axis->stiffness, axis->rest, axis->damping, axis->armature,
                      axis->effort, axis->servo, axis->servo_target, axis->servo_speed,
                      axis->servo_stiffness, axis->servo_damping, axis->servo_force},
           17);
}

static void tell_coupling(Told* told, rgJointId id, int axis) {
  rgJointCoupling coupling;
  rgJointCouplingState state;
  if (rg_joint_coupling(told->world, id, axis, &coupling, &state) != RG_OK)
    return;
  tell_joint_id(told, coupling.leader);
  tell_int(told, coupling.axis);
  tell_all(told, coupling.polynomial, RG_COUPLING_TERMS);
  tell_all(told, (double[]){state.error, state.force}, 2);
}

static void tell_joints(Told* told) {
  for (int i = 0; i < rg_world_joint_count(told->world); i++) {
    rgJointId id = rg_world_joint(told->world, i);
    rgJointState state;
    rgJointAxis axis;
    REQUIRE(rg_joint_state(told->world, id, &state) == RG_OK);
    tell_joint_id(told, id);
    tell_body_id(told, state.body_a);
    tell_body_id(told, state.body_b);
    tell_int(told, state.kind);
    tell_pose(told, state.frame_a);
    tell_pose(told, state.frame_b);
    tell_all(told, state.parameters, RG_JOINT_PARAMETER_MAX);
    tell_all(told, state.coordinate, (size_t)state.axis_count);
    tell_all(told, state.rate, (size_t)state.axis_count);
    tell_all(told, state.force, (size_t)state.axis_count);
    tell_all(told, (double[]){state.gap, state.twist, state.error}, 3);
    tell_wrench(told, state.reaction);
    for (int k = 0; rg_joint_axis(told->world, id, k, &axis) == RG_OK; k++)
      tell_axis(told, &axis);
    for (int k = 0; k < state.axis_count; k++)
      tell_coupling(told, id, k);
  }
}

enum { FORCES_MAX = 64 };

static void tell_forces(Told* told) {
  rgForceId ids[FORCES_MAX];
  int count = rg_world_forces(told->world, ids, FORCES_MAX);
  for (int i = 0; i < count && i < FORCES_MAX; i++) {
    rgForceState state;
    REQUIRE(rg_force_state(told->world, ids[i], &state) == RG_OK);
    tell_id(told, ids[i].index, ids[i].generation);
    tell_int(told, state.kind);
    tell_body_id(told, state.body);
    tell_body_id(told, state.other);
    tell_vector(told, state.from);
    tell_vector(told, state.to);
    tell_all(told, (double[]){state.strength, state.stiffness, state.damping}, 3);
  }
}

// Roots, positions and rates, controls.
static void tell_configuration(Told* told) {
  const rgWorld* world = told->world;
  int positions = rg_world_position_count(world), rates = rg_world_rate_count(world),
      controls = rg_world_coordinate_count(world);
  double* numbers = malloc((size_t)(positions + rates + controls + 1) * sizeof *numbers);
  REQUIRE(numbers);
  for (int i = 0; i < rg_world_root_count(world); i++)
    tell_body_id(told, rg_world_root(world, i));
  rg_world_get_configuration(world, numbers, numbers + positions);
  rg_world_get_controls(world, numbers + positions + rates);
  tell_all(told, numbers, (size_t)(positions + rates + controls));
  free(numbers);
}

void tell_state(Told* told) {
  const rgWorld* world = told->world;
  rgEnergy energy = rg_world_energy(world);
  tell(told, rg_world_time(world));
  tell_int(told, rg_world_steps(world));
  tell_all(told, (double[]){energy.kinetic, energy.potential}, 2);
  tell_twist(told, rg_world_momentum(world));
  tell_bodies(told);
  tell_shapes(told);
  tell_materials(told);
  tell_contacts(told);
  tell_joints(told);
  tell_forces(told);
  tell_configuration(told);
  if (rg_world_sensor_values(world))
    tell_all(told, rg_world_sensor_values(world), (size_t)rg_world_sensor_value_count(world));
}

// -------------------------------------------------------------------------------------------------
// The last step
// -------------------------------------------------------------------------------------------------

// Redundant rows are those that a solve has found last: where none was made, of a step that a snapshot may have
// taken back.
static void tell_counts(Told* told) {
  rgStepCounts counts = rg_world_counts(told->world);
  const int all[] = {counts.islands, counts.solved, counts.warm,
                     counts.not_met, counts.pairs,  counts.solved > 0 ? counts.redundant : 0};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    tell_int(told, all[i]);
}

static void tell_problem(Told* told, const rgProblem* problem) {
  for (int i = 0; i < problem->body_count; i++) {
    const rgProblemBody* body = &problem->bodies[i];
    tell(told, body->inverse_mass);
    tell_all(told, body->inverse_inertia.m[0], 9);
    tell_twist(told, body->v_free);
  }
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    tell_vector(told, contact->t);
    tell_vector(told, contact->o);
    tell_vector(told, contact->arm_a);
    tell_vector(told, contact->arm_b);
    tell_all(told, contact->bias, 4);
    tell_all(told, (double[]){contact->mu, contact->e_t, contact->e_o, contact->e_tau}, 4);
    tell_int(told, contact->cone);
    tell_int(told, contact->facets);
  }
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    tell_twist(told, row->g_a);
    tell_twist(told, row->g_b);
    tell_all(told, (double[]){row->bias, row->lower, row->upper, row->compliance}, 4);
  }
}

static void tell_report(Told* told, int island) {
  rgSolveReport report;
  REQUIRE(rg_world_island_report(told->world, island, &report) == RG_OK);
  tell_int(told, report.status);
  tell_text(told, report.solver ? report.solver : "");
  const int counts[] = {report.iterations, report.sweeps, report.factorizations,
                        report.redundant_rows, rg_world_island_is_plain(told->world, island)};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    tell_int(told, counts[i]);
  tell(told, report.start_residual);
}

static void tell_islands(Told* told) {
  const rgWorld* world = told->world;
  int islands[TOLD_BODIES_MAX] = {0},
      count = rg_world_body_islands(world, islands, TOLD_BODIES_MAX);
  for (int i = 0; i < count && i < TOLD_BODIES_MAX; i++)
    tell_int(told, islands[i]);
  for (int i = 0; i < rg_world_island_count(world); i++) {
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    REQUIRE(rg_world_island(world, i, &problem, &solution, &certificate) == RG_OK);
    tell_problem(told, &problem);
    tell_all(told, solution.v, rg_problem_velocity_count(&problem));
    if (problem.contact_count > 0)
      tell_all(told, solution.r, 4 * (size_t)problem.contact_count);
    if (problem.row_count > 0)
      tell_all(told, solution.lambda, (size_t)problem.row_count);
    for (int k = 0; k < problem.row_count; k++)
      tell_joint_id(told, rg_world_row_joint(world, i, k));
    tell_certificate(told, &certificate);
    tell_report(told, i);
  }
}

static void tell_contact_load(Told* told, const rgContactLoad* load) {
  tell_body_id(told, load->body_a);
  tell_body_id(told, load->body_b);
  tell_shape_id(told, load->shape_a);
  tell_shape_id(told, load->shape_b);
  tell_vector(told, load->point);
  tell_vector(told, load->normal);
  tell_vector(told, load->force);
  tell_vector(told, load->arm_a);
  tell_vector(told, load->arm_b);
  tell_all(told, (double[]){load->gap, load->torsion}, 2);
}

// By pairs of neighbours in the list of bodies, and by all.
static void tell_body_loads(Told* told, const rgBodyLoad* loads, int count) {
  const rgWorld* world = told->world;
  const rgBodyId all = {0, 0};
  for (int i = 0; i < count; i++) {
    rgBodyId id = rg_world_body(world, i), other = i > 0 ? rg_world_body(world, i - 1) : all;
    tell_wrench(told, loads[i].applied);
    tell_wrench(told, loads[i].contacts);
    tell_wrench(told, loads[i].joints);
    tell_vector(told, loads[i].correction);
    tell_wrench(told, rg_body_contact_force(world, id, other));
    tell(told, rg_body_normal_force(world, id, other));
    tell(told, rg_body_normal_force(world, id, all));
  }
}

static void tell_loads(Told* told) {
  enum { LOADS_MAX = 100 };
  static rgContactLoad contacts[LOADS_MAX];
  static rgJointLoad joints[LOADS_MAX];
  static rgBodyLoad bodies[LOADS_MAX];
  int count = rg_world_contact_loads(told->world, contacts, LOADS_MAX);
  tell_int(told, count);
  for (int i = 0; i < count && i < LOADS_MAX; i++)
    tell_contact_load(told, &contacts[i]);
  count = rg_world_joint_loads(told->world, joints, LOADS_MAX);
  tell_int(told, count);
  for (int i = 0; i < count && i < LOADS_MAX; i++) {
    tell_joint_id(told, joints[i].joint);
    tell_body_id(told, joints[i].body_a);
    tell_body_id(told, joints[i].body_b);
    tell_all(told, joints[i].drive, (size_t)joints[i].axis_count);
    tell_wrench(told, joints[i].on_a);
    tell_wrench(told, joints[i].on_b);
  }
  count = rg_world_body_loads(told->world, bodies, LOADS_MAX);
  tell_int(told, count);
  tell_body_loads(told, bodies, count < LOADS_MAX ? count : LOADS_MAX);
}

void tell_step(Told* told) {
  tell_text(told, rg_world_stepper(told->world));
  tell_certificate(told, rg_world_certificate(told->world));
  tell_counts(told);
  tell_islands(told);
  tell_int(told, rg_world_has_loads(told->world));
  tell_loads(told);
}

static void tell_local(Told* told, const rgProblem* problem) {
  const rgLocalMatrix* local = problem->local;
  int nodes = problem->contact_count + problem->row_count;
  tell_int(told, local->block);
  tell_bytes(told, local->row_start, (size_t)(nodes + 1) * sizeof(int));
  tell_bytes(told, local->column, (size_t)local->row_start[nodes] * sizeof(int));
  size_t end = local->value_start
                   ? local->value_start[nodes]
                   : (size_t)local->block * (size_t)local->block * (size_t)local->row_start[nodes];
  tell_all(told, local->values, end);
  if (local->length && problem->row_count > 0)
    tell_all(told, local->length, (size_t)problem->row_count);
  tell_problem(told, problem);
}

// An answer is made worse by a part of itself, in another direction for each number.
static void tell_worse(Told* told, const rgProblem* problem, const rgSolution* solution) {
  size_t contacts = 4 * (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  size_t velocities = rg_problem_velocity_count(problem);
  double* numbers = calloc(2 * contacts + 2 * rows + 2 * velocities + 3, sizeof *numbers);
  REQUIRE(numbers);
  double *r = numbers, *lambda = r + contacts + 1, *v = lambda + rows + 1, *u = v + velocities,
         *w = u + contacts, *effect = w + rows + 1;
  rgSolution worse = {v, r, lambda};
  rgCertificate certificate;
  for (size_t i = 0; i < contacts; i++)
    r[i] = (i % 3 ? 1.25 : 0.75) * solution->r[i];
  for (size_t i = 0; i < rows; i++)
    lambda[i] = (i % 2 ? 1.25 : 0.75) * solution->lambda[i];
  rg_problem_velocity(problem, &worse);
  rg_problem_certify(problem, &worse, 1e-6, &certificate);
  tell_certificate(told, &certificate);
  rg_problem_relative(problem, v, u, w);
  tell_all(told, v, velocities + contacts + rows);
  rg_problem_apply(problem, r, lambda, effect, u, w);
  tell_all(told, v, velocities + contacts + rows);
  tell_all(told, effect, velocities);
  rgContactError error = rg_problem_contact_error(problem, &worse);
  tell_all(told, (double[]){error.plain, error.invariant}, 2);
  for (int i = 0; i < problem->contact_count; i++) {
    double e[4];
    rg_problem_axes(problem, i, e);
    tell_all(told, e, 4);
  }
  free(numbers);
}

void tell_problems(Told* told) {
  for (int i = 0; i < rg_world_island_count(told->world); i++) {
    rgProblem problem, *local;
    rgSolution solution;
    rgMessage message = {.text = ""};
    REQUIRE(rg_world_island(told->world, i, &problem, &solution, NULL) == RG_OK);
    tell_int(told, rg_problem_check(&problem, &message));
    tell_text(told, message.text);
    tell_worse(told, &problem, &solution);
    rgStatus status = rg_problem_to_local(&problem, NULL, &local, &message);
    tell_int(told, status);
    if (status != RG_OK) {
      tell_text(told, message.text);
      continue;
    }
    tell_local(told, local);
    tell_worse(told, local, &solution);
    rgProblem* copy; // the local form of one
    REQUIRE(rg_problem_to_local(local, NULL, &copy, &message) == RG_OK);
    tell_int(told, rg_problem_check(copy, &message));
    tell_local(told, copy);
    tell_worse(told, copy, &solution);
    rg_problem_free(copy, NULL);
    rg_problem_free(local, NULL);
  }
}

rgStatus tell_next_step(Told* told) {
  rgCertificate certificate;
  rgStatus status = rg_world_step(told->world, &certificate);
  tell_status(told, status);
  if (status == RG_OK)
    tell_certificate(told, &certificate);
  tell_state(told);
  tell_step(told);
  return status;
}
