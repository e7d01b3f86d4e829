// fault_force.c - springs and dampers that are too stiff for the step where it takes them explicitly.
//
// With implicit forces off, and in the stepper gauss, a force is that of the start of the step; springs and
// servos along axes of joints are so in gauss alone. Along its
// line two bodies yield with the compliance c = 1 / m_A + 1 / m_B, levers included, to a stiffness k and a
// damping d. The explicit step is the recursion
//
//     v+ = v - h c (k x + d v),   x+ = x + h v+,
//
// which is stable for h^2 c k + 2 h c d < 4 (its characteristic polynomial z^2 - (2 - h^2 c k - h c d) z +
// (1 - h c d) has a root -1 at the limit). Beyond, the bodies fly apart: wrong. From a quarter of it on the
// spring has less than six steps per period, 2 pi / sqrt(h^2 c k) at h^2 c k = 1, and is not resolved:
// risky. Taken implicitly, any stiffness is stable.
//
// At theta < 1 an implicit spring that is stiff for the step, h^2 c k > 4, is stable but rings on at every
// step without damping of its own, h c d < 1 (docs/limits.md).
#include "cli/doctor/doctor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double STABLE = 4, RESOLVED = 1;
static const double KEEPS_ENERGY = 0.6; // theta up to which ringing does not die out in some steps

static bool is_gauss(const CliDoctor* doctor) {
  return strcmp(doctor->options.stepper, "gauss") == 0;
}

static bool is_explicit(const CliDoctor* doctor) {
  return !doctor->options.implicit_forces || is_gauss(doctor);
}

// A spring of the scene: along a line, about all axes (torsion), or along an axis of a joint.
typedef struct Spring {
  CliWhere where;
  const char* what; // "spring"
  double stiffness, damping;
  double compliance; // [1/kg] or [1/(kg m2)]
  const char *stiffness_unit, *damping_unit;
} Spring;
typedef void Judge(CliDoctor* doctor, const CliFault* fault, const Spring* spring);

static bool force_spring(const CliDoctor* doctor, int index, rgForceId id, Spring* spring) {
  rgForceState state;
  if (rg_force_state(doctor->start, id, &state) != RG_OK ||
      !(state.stiffness > 0 || state.damping > 0))
    return false;
  bool turns = state.kind == RG_FORCE_TORSION;
  *spring = (Spring){cli_where_force(doctor, index),
                     rg_force_kind_name(state.kind),
                     state.stiffness,
                     state.damping,
                     0,
                     turns ? "N m/rad" : "N/m",
                     turns ? "N m s/rad" : "N s/m"};
  rgVec3 line = rg_vec3_sub(state.to, state.from);
  double length = rg_vec3_norm(line);
  line = length > 0 ? rg_vec3_scale(line, 1 / length) : rg_vec3(1, 0, 0);
  const rgBodyId ends[] = {state.body, state.other};
  const rgVec3 points[] = {state.from, state.to};
  for (int i = 0; i < (state.kind == RG_FORCE_DRAG ? 1 : 2); ++i) {
    if (turns) {
      const rgVec3 axes[] = {rg_vec3(1, 0, 0), rg_vec3(0, 1, 0), rg_vec3(0, 0, 1)};
      double most = 0;
      for (int k = 0; k < 3; ++k)
        most = fmax(most, cli_doctor_spin_compliance(doctor, ends[i], axes[k]));
      spring->compliance += most;
    } else {
      spring->compliance += cli_doctor_compliance(doctor, ends[i], points[i], line);
    }
  }
  return true;
}

// Springs, dampers and servos along axes; the compliance is that of the two bodies alone.
static bool axis_spring(const CliDoctor* doctor, int joint, int axis, Spring* spring) {
  rgJointId id = rg_world_joint(doctor->start, joint);
  rgJointState state;
  rgJointAxis values;
  if (rg_joint_state(doctor->start, id, &state) != RG_OK ||
      rg_joint_axis(doctor->start, id, axis, &values) != RG_OK)
    return false;
  double stiffness = values.stiffness + (values.servo ? values.servo_stiffness : 0),
         damping = values.damping + (values.servo ? values.servo_damping : 0);
  if (!(stiffness > 0 || damping > 0))
    return false;
  bool angle = rg_joint_axis_is_angle(state.kind, axis);
  rgVec3 x = rg_quat_rotate(state.frame_a.orientation, rg_vec3(1, 0, 0));
  double compliance = 0;
  const rgBodyId ends[] = {state.body_a, state.body_b};
  for (int i = 0; i < 2; ++i) {
    if (!cli_doctor_dynamic(doctor, ends[i]))
      continue;
    if (!angle) {
      compliance += 1 / cli_doctor_mass(doctor, ends[i]).mass;
      continue;
    }
    // About an axis that passes the centre at the distance d the inertia is J + m d^2.
    rgVec3 d = rg_vec3_sub(rg_body_center(doctor->start, ends[i]), state.frame_b.position);
    double away = rg_vec3_norm2(rg_vec3_cross(d, x));
    double own = cli_doctor_spin_compliance(doctor, ends[i], x);
    double inertia = (own > 0 ? 1 / own : 0) + cli_doctor_mass(doctor, ends[i]).mass * away;
    compliance += inertia > 0 ? 1 / inertia : 0;
  }
  double rotor = values.armature; // turns with the axis
  compliance = compliance > 0 ? 1 / (1 / compliance + rotor) : 0;
  *spring = (Spring){cli_where_joint(doctor, joint),
                     values.servo ? "servo" : "spring of the joint",
                     stiffness,
                     damping,
                     compliance,
                     angle ? "N m/rad" : "N/m",
                     angle ? "N m s/rad" : "N s/m"};
  return true;
}

static void judge_all(CliDoctor* doctor, const CliFault* fault, bool axes, Judge* judge) {
  Spring spring;
  int count = rg_world_forces(doctor->start, NULL, 0);
  rgForceId* ids = calloc((size_t)count + 1, sizeof *ids);
  doctor->out_of_memory = doctor->out_of_memory || !ids;
  if (ids)
    rg_world_forces(doctor->start, ids, count);
  for (int i = 0; ids && i < count; ++i)
    if (force_spring(doctor, i, ids[i], &spring))
      judge(doctor, fault, &spring);
  free(ids);
  for (int i = 0; axes && i < doctor->joint_count; ++i)
    for (int axis = 0; axis < RG_JOINT_AXIS_MAX; ++axis)
      if (axis_spring(doctor, i, axis, &spring))
        judge(doctor, fault, &spring);
}

static void judge_explicit(CliDoctor* doctor, const CliFault* fault, const Spring* spring) {
  double h = doctor->h, c = spring->compliance;
  double number = h * h * c * spring->stiffness + 2 * h * c * spring->damping;
  if (!(number > RESOLVED))
    return;
  CliFinding* finding = cli_doctor_find(doctor, fault, spring->where, number, STABLE, "");
  finding->severity = number > STABLE ? CLI_WRONG : CLI_RISKY;
  cli_doctor_say(finding,
                 "%s of %.3g %s and %.3g %s is taken explicitly: with the bodies that it moves, "
                 "h^2 k / m + 2 h c / m is %.3g, and steps of %.3g s %s",
                 spring->what, spring->stiffness, spring->stiffness_unit, spring->damping,
                 spring->damping_unit, number, h,
                 number > STABLE ? "are unstable above 4" : "do not resolve it above 1");
  bool gauss = is_gauss(doctor);
  // Both terms fall at least with h.
  cli_doctor_advise(finding, "%s, or use a step of %.2g s (--step)",
                    gauss ? "use another stepper than gauss (--stepper theta)"
                          : "take forces implicitly (--implicit-forces on)",
                    0.5 * h / fmax(sqrt(number), spring->damping > 0 ? number : 1));
}

static void look_explicit(CliDoctor* doctor, const CliFault* fault) {
  if (is_explicit(doctor))
    judge_all(doctor, fault, is_gauss(doctor), judge_explicit);
}

static void judge_ringing(CliDoctor* doctor, const CliFault* fault, const Spring* spring) {
  double h = doctor->h, c = spring->compliance, number = h * h * c * spring->stiffness;
  if (!(number > STABLE) || h * c * spring->damping > 1)
    return;
  CliFinding* finding = cli_doctor_find(doctor, fault, spring->where, number, STABLE, "");
  cli_doctor_say(
      finding,
      "%s of %.3g %s has less than %.2g steps per period (h^2 k / m is %.3g) and theta = %g "
      "keeps its energy: it rings from step to step and does not settle",
      spring->what, spring->stiffness, spring->stiffness_unit, 2 * 3.14159265358979 / sqrt(number),
      number, doctor->options.theta);
  cli_doctor_advise(finding,
                    "use theta = 1 (--theta 1), a step of %.2g s (--step), or a damping of %.2g %s",
                    h / sqrt(number), 1 / (h * c), spring->damping_unit);
}

static void look_ringing(CliDoctor* doctor, const CliFault* fault) {
  if (!is_explicit(doctor) && strcmp(doctor->options.stepper, "theta") == 0 &&
      doctor->options.theta < KEEPS_ENERGY)
    judge_all(doctor, fault, true, judge_ringing);
}

const CliFault cli_faults_force[] = {
    {.name = "unstable-force",
     .severity = CLI_WRONG,
     .summary = "A spring or damper is taken explicitly and is too stiff for the step.",
     .look = look_explicit},
    {.name = "ringing",
     .severity = CLI_RISKY,
     .summary = "A spring is stiff for the step, and theta keeps its energy.",
     .look = look_ringing},
    {0},
};
