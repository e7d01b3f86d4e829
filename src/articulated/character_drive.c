// character_drive.c - the muscles of a character in the coming step.
//
// Feedforward. The torques that the recorded movement needs over the step, by the discrete inverse
// between its states at both ends (inverse.c): a step that starts on the recorded movement and is given
// these torques ends on it, up to what the movement differs from one of the stepper, O(h^3). The stepper
// moves bodies by theta v+ + (1 - theta) v, so that its velocities belong to times that are
// (theta - 1/2) h before those of its poses: there the recorded ones are taken. Torques are kept in the
// axes of the parent (Cline 2002, eq. 5.6), because the figure may be turned otherwise when they act.
//
// Feedback (eq. 5.7). With R the turn of a link against its parent and R_d the wanted one at the time
// t + theta h that the step evaluates forces at, the error is the rotation vector e of R R_d' in the
// axes of the parent, which is the difference of joint angles where that has a meaning, and
//
//     gamma = max(|tau|, floor, share W) (k_s (-e) + k_d (w_d - w)),
//
// |tau| being the size of the torque of the joint: the thesis takes its components one by one, but axes
// of a ball joint have no meaning of their own. W is the moment of the weight of all that the joint
// carries, stretched out: a trunk in balance needs no torque, and with a feedback in proportion to none
// it would fall over like any inverted pendulum whose spring is weaker than m g l. As a spring and a
// damper along the three axes it enters the step's problem implicitly (fill/joint.c), which is eq. 2.55
// of the thesis.
#include "articulated/character.h"

#include "math/trig.h"
#include "world/world.h"

static rgVec3 rotation_vector(rgQuat q) {
  rgVec3 x = v3(q.x, q.y, q.z);
  double sine = v3_norm(x), sign = q.w < 0 ? -1 : 1;
  return sine > 0 ? v3_scale(x, sign * 2 * rg_atan2(sine, fabs(q.w)) / sine) : v3_zero();
}

// Poses of the recorded movement at a time of the clip, with the velocities that a stepper has there.
static void record_state(rgCharacter* character, double time, double lag, rgBodyMotion* out) {
  const rgFigure* figure = character->figure;
  rg_figure_motion(figure, time, out);
  if (lag == 0 || time - lag < rg_figure_start(figure))
    return;
  rgBodyMotion* earlier = character->earlier;
  rg_figure_motion(figure, time - lag, earlier);
  for (int i = 0; i < character->link_count; i++)
    out[i].velocity = earlier[i].velocity;
}

// What the recorded movement says of all joints for the step from `time` on.
static rgStatus plan(rgCharacter* character, double time, double h, double theta) {
  double from = character->def.from + (time - character->born), lag = (theta - 0.5) * h;
  if (character->end_time == from) {
    rgBodyMotion* held = character->start;
    character->start = character->end;
    character->end = held;
  } else {
    record_state(character, from, lag, character->start);
  }
  character->end_time = character->def.from + (time + h - character->born);
  record_state(character, character->end_time, lag, character->end);
  rgStatus status = rg_inverse_step(character->inverse, h, character->start, character->end, NULL,
                                    character->needs, character->missing);
  if (status == RG_OK && character->def.root == RG_ROOT_FREE) {
    rg_balance_find(character, character->applied);
    status = rg_inverse_step(character->inverse, h, character->start, character->end,
                             character->applied, character->needs, NULL);
  }
  if (status != RG_OK)
    return rg_world_fail(character->world, status, "%s", rg_world_message(character->model));
  const rgBodyMotion* aim = character->end;
  if (theta < 1)
    aim = rg_character_recorded(character, time + theta * h);
  for (int i = 1; i < character->link_count; i++) {
    rgMuscle* muscle = &character->muscles[i];
    int parent = character->figure->links[i].parent;
    rgQuat q = aim[parent].pose.orientation;
    const double* force = character->needs[i - 1].force; // joints are in the order of links
    muscle->torque = v3(force[0], force[1], force[2]);
    muscle->wanted = quat_mul(quat_conj(q), aim[i].pose.orientation);
    muscle->rate = quat_unrotate(q, v3_sub(aim[i].velocity.angular, aim[parent].velocity.angular));
  }
  return RG_OK;
}

// The torques of one joint along the axes of the parent: what is given, and what follows the angles.
typedef struct Pull {
  double stiffness, damping; // [N m/rad] [N m s/rad]
  rgVec3 given;              // [N m] besides -stiffness error - damping rate
  rgVec3 error;              // [rad]
} Pull;

// A control loop changes these in every step: rows stay the same ones, and nothing that the world
// knows of the last step is lost. A spring whose rest is moved by force / stiffness gives that force
// besides its own, without another row.
static void set_axis(rgJointAxis* axis, const Pull* pull, int i, double coordinate) {
  double rest = coordinate - v3_get(pull->error, i), given = v3_get(pull->given, i);
  bool spring = pull->stiffness > 0;
  axis->stiffness = pull->stiffness;
  axis->damping = pull->damping;
  axis->rest = spring ? rest + given / pull->stiffness : 0;
  axis->effort = spring ? 0 : given;
}

// Before the first step: the rows that a muscle needs.
static rgStatus give_rows(rgCharacter* character, int link) {
  const rgCharacterDef* def = &character->def;
  rgMuscle* muscle = &character->muscles[link];
  bool implicit = !def->explicit_feedback;
  rgStatus status = RG_OK;
  for (int i = 0; i < 3 && status == RG_OK; i++) {
    rgJointAxis axis = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
    axis.stiffness = implicit ? def->gain * muscle->least : 0;
    axis.damping = implicit ? def->damping * muscle->least : 0;
    axis.effort = axis.stiffness > 0 ? 0 : 1; // so that the row of an effort is looked at
    status = rg_joint_set_axis(character->world, muscle->joint, i, &axis);
  }
  return status;
}

static rgStatus set_muscle(rgCharacter* character, int link) {
  rgWorld* world = character->world;
  const rgCharacterDef* def = &character->def;
  const rgMuscle* muscle = &character->muscles[link];
  rgJoint* joint = rg_world_joint_slot(world, muscle->joint);
  rgJointState state;
  rgStatus status = rg_joint_state(world, muscle->joint, &state);
  if (status != RG_OK)
    return status;
  rgQuat turn = quat_mul(quat_conj(state.frame_a.orientation), state.frame_b.orientation);
  double strength = fmax(v3_norm(muscle->torque), muscle->least);
  Pull pull = {.stiffness = strength * def->gain,
               .damping = strength * def->damping,
               .error = rotation_vector(quat_mul(turn, quat_conj(muscle->wanted)))};
  pull.given = v3_axpy(muscle->torque, pull.damping, muscle->rate);
  if (def->explicit_feedback) {
    rgVec3 rate = v3(state.rate[0], state.rate[1], state.rate[2]);
    pull.given = v3_axpy(v3_axpy(pull.given, -pull.stiffness, pull.error), -pull.damping, rate);
    pull.stiffness = pull.damping = 0;
  }
  for (int i = 0; i < 3; i++)
    set_axis(&joint->def.axes[i], &pull, i, state.coordinate[i]);
  rg_world_see_joint_rows(joint);
  return RG_OK;
}

void rg_character_begin(rgCharacter* character) {
  const rgOptions* options = rg_world_options(character->world);
  double lag = (options->theta - 0.5) * options->step;
  record_state(character, character->def.from, lag, character->start);
}

rgStatus rg_character_drive(rgCharacter* character) {
  const rgOptions* options = rg_world_options(character->world);
  rgStatus status = plan(character, rg_world_time(character->world), options->step, options->theta);
  for (int i = 1; i < character->link_count && status == RG_OK && !character->ready; i++)
    status = give_rows(character, i);
  character->ready = status == RG_OK;
  for (int i = 1; i < character->link_count && status == RG_OK; i++)
    status = set_muscle(character, i);
  return status;
}
