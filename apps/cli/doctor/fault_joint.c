// fault_joint.c - joints that do not fit where they start, limits that are passed, joints that contradict.
//
// An error of a joint is compared with its arm L, the largest distance from it to the centre of mass of one
// of its bodies: an error e turns or shifts a body by the part e / L of its size. Models and scenes give
// three digits and more, so that 1e-3 is what writing numbers by hand may leave.
//
// Joints contradict each other, or what moves their bodies, when one is still open after the run although
// the stabilizer has worked on it in every step: positions that satisfy all of them do not exist, or are
// out of reach. A joint that starts open and is closed afterwards was pulled together: what it pulls gets
// velocities and places that the scene does not mean.
#include "cli/doctor/doctor.h"
#include "cli/text/label.h"

#include <math.h>
#include <string.h>

static const double PART = 1e-3; // of the arm, or [rad]

static double allowed_error(const CliDoctor* doctor, const rgJointState* state) {
  return PART * cli_doctor_arm(doctor, state);
}

static bool state_of(const rgWorld* world, int joint, rgJointState* state) {
  return rg_joint_state(world, rg_world_joint(world, joint), state) == RG_OK;
}

// An axis whose limits are equal is held: what it is off is an error of the joint, not of a limit.
static double held_error(const CliDoctor* doctor, int joint, const rgJointState* state) {
  double error = 0;
  for (int axis = 0; axis < state->axis_count; ++axis) {
    rgJointAxis values;
    rgJointId id = rg_world_joint(doctor->start, joint);
    if (rg_joint_axis(doctor->start, id, axis, &values) != RG_OK || values.lower != values.upper)
      continue;
    double off = fabs(state->coordinate[axis] - values.lower);
    bool angle = rg_joint_axis_is_angle(state->kind, axis);
    error = fmax(error, angle ? off * cli_doctor_arm(doctor, state) : off);
  }
  return error;
}

// --- open at the start ---------------------------------------------------------------------------------

static bool stays_open(const CliDoctor* doctor, int joint) {
  rgJointState start, end;
  if (!state_of(doctor->start, joint, &start) || !state_of(doctor->world, joint, &end))
    return false;
  return doctor->watch.steps > 0 && strcmp(doctor->options.stabilizer, "none") != 0 &&
         end.error > allowed_error(doctor, &start);
}

static void look_open(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->joint_count; ++i) {
    rgJointState state;
    if (!state_of(doctor->start, i, &state) || stays_open(doctor, i))
      continue;
    double allowed = allowed_error(doctor, &state);
    double error = fmax(state.gap, state.twist * cli_doctor_arm(doctor, &state));
    error = fmax(error, held_error(doctor, i, &state));
    if (!(error > allowed))
      continue;
    char ends[256];
    cli_label_ends(doctor->start, &state, ends, sizeof ends);
    CliFinding* finding =
        cli_doctor_find(doctor, fault, cli_where_joint(doctor, i), error, allowed, "m");
    cli_doctor_say(
        finding,
        "%s joint of %s starts open by %.3g m (its frames are turned against each other by "
        "%.3g degrees); the first steps pull its bodies together",
        rg_joint_kind_name(state.kind), ends, error, state.twist * 180 / 3.14159265358979);
    cli_doctor_advise(finding,
                      "place the bodies so that the frames of the joint coincide, or correct "
                      "position_a, position_b and the orientations of the joint");
  }
}

// --- contradictions ------------------------------------------------------------------------------------

static void look_contradictory(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->joint_count; ++i) {
    rgJointState state;
    if (!stays_open(doctor, i) || !state_of(doctor->world, i, &state))
      continue;
    char ends[256];
    cli_label_ends(doctor->start, &state, ends, sizeof ends);
    CliFinding* finding = cli_doctor_find(doctor, fault, cli_where_joint(doctor, i), state.error,
                                          allowed_error(doctor, &state), "m");
    cli_doctor_say(finding,
                   "%s joint of %s is still open by %.3g m after %.3g s: no positions satisfy it "
                   "together with the other joints, limits or motions of its bodies",
                   rg_joint_kind_name(state.kind), ends, state.error, doctor->watch.duration);
    cli_doctor_advise(finding, "remove this joint or one of those that hold the same bodies "
                               "elsewhere, or make their frames agree");
  }
}

// --- limits --------------------------------------------------------------------------------------------

static void tell_limit(CliDoctor* doctor, const CliFault* fault, int joint, int axis,
                       const rgJointState* state, const rgJointAxis* values) {
  bool angle = rg_joint_axis_is_angle(state->kind, axis);
  double q = state->coordinate[axis];
  double beyond = fmax(values->lower - q, q - values->upper);
  double allowed = angle ? PART : allowed_error(doctor, state);
  if (!(beyond > allowed) || values->lower == values->upper)
    return;
  bool low = q < values->lower;
  char ends[256];
  cli_label_ends(doctor->start, state, ends, sizeof ends);
  CliFinding* finding = cli_doctor_find(doctor, fault, cli_where_joint(doctor, joint), beyond,
                                        allowed, angle ? "rad" : "m");
  cli_doctor_say(
      finding,
      "%s joint of %s starts at %s = %.4g %s, %.3g %s %s its limit %.4g; the first steps "
      "force it back",
      rg_joint_kind_name(state->kind), ends, rg_joint_axis_name(state->kind, axis), q,
      angle ? "rad" : "m", beyond, angle ? "rad" : "m", low ? "below" : "above",
      low ? values->lower : values->upper);
  cli_doctor_advise(finding, "set \"%s\" to %s %.4g, or place the bodies within the limits",
                    low ? "lower" : "upper", low ? "at most" : "at least", q);
}

static void look_limit(CliDoctor* doctor, const CliFault* fault) {
  for (int i = 0; i < doctor->joint_count; ++i) {
    rgJointState state;
    rgJointAxis values;
    rgJointId id = rg_world_joint(doctor->start, i);
    if (!state_of(doctor->start, i, &state))
      continue;
    for (int axis = 0; axis < state.axis_count; ++axis)
      if (rg_joint_axis(doctor->start, id, axis, &values) == RG_OK)
        tell_limit(doctor, fault, i, axis, &state, &values);
  }
}

static const char* const by_others[] = {"contradictory-joints", "limit-violated", NULL};
static const char* const by_limit[] = {"limit-violated", NULL};

const CliFault cli_faults_joint[] = {
    {.name = "limit-violated",
     .severity = CLI_WRONG,
     .summary = "A joint starts beyond one of its limits.",
     .look = look_limit},
    {.name = "contradictory-joints",
     .severity = CLI_WRONG,
     .summary = "A joint cannot be closed: others hold its bodies elsewhere.",
     .explained_by = by_limit,
     .look = look_contradictory},
    {.name = "joint-open",
     .severity = CLI_RISKY,
     .summary = "The frames of a joint do not coincide at the start.",
     .explained_by = by_others,
     .look = look_open},
    {0},
};
