// joint_place.c - joints where their bodies are: placements, rows, values, errors.
#include "world/couple/couple.h"

#include <string.h>

// A frame of a joint in the world, for the centre of mass of its body at a pose.
static rgPose frame_in_world(const rgWorld* world, int slot, rgPose frame, rgPose body) {
  if (slot < 0)
    return frame;
  rgVec3 arm = v3_sub(frame.position, world->bodies[slot].center);
  return (rgPose){pose_apply(body, arm), quat_mul(body.orientation, frame.orientation)};
}

static rgPose pose_now(const rgWorld* world, int slot) {
  if (slot < 0)
    return pose_identity();
  return (rgPose){world->bodies[slot].position, world->bodies[slot].orientation};
}

rgJointPlace rg_world_joint_place(const rgWorld* world, const rgJoint* joint, rgPose a, rgPose b) {
  return rg_joint_place(frame_in_world(world, joint->body_a, joint->frame_a, a),
                        frame_in_world(world, joint->body_b, joint->frame_b, b), a.position,
                        b.position);
}

rgJointPlace rg_world_joint_place_now(const rgWorld* world, const rgJoint* joint) {
  return rg_world_joint_place(world, joint, pose_now(world, joint->body_a),
                              pose_now(world, joint->body_b));
}

static rgPose frame_about_centre(const rgWorld* world, int slot, rgPose frame) {
  if (slot >= 0)
    frame.position = v3_sub(frame.position, world->bodies[slot].center);
  return frame;
}

rgJointFrames rg_world_joint_frames(const rgWorld* world, const rgJoint* joint) {
  return (rgJointFrames){frame_about_centre(world, joint->body_a, joint->frame_a),
                         frame_about_centre(world, joint->body_b, joint->frame_b)};
}

static inline rgPose put_frame(bool on_body, const rgPose* frame, const rgPose* body) {
  if (!on_body)
    return *frame;
  return (rgPose){pose_apply(*body, frame->position),
                  quat_mul(body->orientation, frame->orientation)};
}

void rg_world_joint_row_place(const rgJoint* joint, const rgJointFrames* frames, rgPose a, rgPose b,
                              rgJointPlace* out) {
  bool on_a = joint->body_a >= 0, on_b = joint->body_b >= 0;
  if (rg_world_joint_needs_points(joint)) {
    rg_joint_place_points(on_a ? pose_apply(a, frames->a.position) : frames->a.position,
                          on_b ? pose_apply(b, frames->b.position) : frames->b.position, a.position,
                          b.position, out);
    return;
  }
  rgPose frame_a = put_frame(on_a, &frames->a, &a), frame_b = put_frame(on_b, &frames->b, &b);
  rg_joint_place_frames(&frame_a, &frame_b, a.position, b.position, out);
}

void rg_world_joint_row_place_now(const rgWorld* world, const rgJoint* joint, rgJointPlace* out) {
  rgJointFrames frames = rg_world_joint_frames(world, joint);
  rg_world_joint_row_place(joint, &frames, pose_now(world, joint->body_a),
                           pose_now(world, joint->body_b), out);
}

rgJointValues rg_world_joint_row_values(const rgJoint* joint, const rgJointPlace* place) {
  if (joint->watched)
    return rg_world_joint_values(joint, place);
  rgJointValues values = {{0}, {0}};
  joint->info->values(place, joint->def.parameters, joint->coordinate, values.fixed, NULL);
  rg_joint_lead_back(joint->info, place, values.fixed);
  return values;
}

void rg_world_joint_rows(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place,
                         rgJointRow* fixed, rgJointRow* axes) {
  axes = joint->axis_rows ? axes : NULL;
  joint->info->rows(place, joint->def.parameters, fixed, axes);
  rg_plane_flatten_rows(world, joint, fixed, axes);
}

rgJointValues rg_world_joint_values(const rgJoint* joint, const rgJointPlace* place) {
  rgJointValues values = {{0}, {0}};
  joint->info->values(place, joint->def.parameters, joint->coordinate, values.fixed, values.axes);
  rg_joint_lead_back(joint->info, place, values.fixed);
  return values;
}

static bool moves(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].kind == RG_BODY_DYNAMIC;
}

// The square of the lever of a joint on a body: its arm there, or the radius of gyration.
static double lever2(const rgWorld* world, int slot, rgVec3 arm) {
  if (!moves(world, slot))
    return 0;
  const rgBody* body = &world->bodies[slot];
  double gyration2 = body->massless ? body->inverse_mass / body->inverse_principal.x
                                    : v3_max_abs(body->principal) * body->inverse_mass;
  return v3_larger(v3_norm2(arm), gyration2);
}

double rg_world_joint_size(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place) {
  return sqrt(v3_larger(lever2(world, joint->body_a, place->arm_a),
                        lever2(world, joint->body_b, place->arm_b)));
}

// Largest error of lengths and of angles.
static void largest_errors(const rgJoint* joint, const rgJointValues* values, double* length,
                           double* angle) {
  const rgJointInfo* info = joint->info;
  *length = *angle = 0;
  for (int i = 0; i < info->fixed_count; i++) {
    double *largest = i < info->point_rows ? length : angle, error = fabs(values->fixed[i]);
    *largest = error > *largest ? error : *largest;
  }
  for (int i = 0; i < info->axis_count && joint->limited; i++) {
    const rgJointAxis* axis = &joint->def.axes[i];
    double* largest = info->axes[i].angle ? angle : length;
    double below = axis->lower - values->axes[i], above = values->axes[i] - axis->upper;
    *largest = below > *largest ? below : above > *largest ? above : *largest;
  }
}

double rg_world_joint_error_of(const rgJoint* joint, const rgJointValues* values, double size) {
  double length, angle;
  largest_errors(joint, values, &length, &angle);
  return fmax(length, angle * size);
}

bool rg_world_joint_has_spring(const rgJoint* joint) {
  for (int k = joint->constraint_count; k < joint->row_count && joint->axis_rows; k++)
    if (joint->rows[k].kind == RG_ROW_SOFT && joint->def.axes[joint->rows[k].index].stiffness != 0)
      return true;
  return false;
}

double rg_world_joint_springs(const rgJoint* joint, const rgJointValues* values, double sum) {
  for (int k = joint->constraint_count; k < joint->row_count; k++) {
    const rgJointAxis* axis = &joint->def.axes[joint->rows[k].index];
    double stretch = values->axes[joint->rows[k].index] - axis->rest;
    if (joint->rows[k].kind == RG_ROW_SOFT)
      sum += 0.5 * axis->stiffness * stretch * stretch;
  }
  return sum;
}

double rg_world_joint_potential(const rgWorld* world) {
  double sum = 0;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    rg_joint_prefetch_head(world->joints, i, world->joint_slots);
    if (!joint->alive || !rg_world_joint_has_spring(joint))
      continue;
    rgJointPlace place = rg_world_joint_place_now(world, joint);
    rgJointValues values = rg_world_joint_values(joint, &place);
    sum = rg_world_joint_springs(joint, &values, sum);
  }
  return sum;
}

static rgTwist velocity_of(const rgWorld* world, int slot) {
  return slot < 0 ? (rgTwist){v3_zero(), v3_zero()} : world->bodies[slot].velocity;
}

// -------------------------------------------------------------------------------------------------
// Rotors
//
// A rotor is a body of one degree of freedom that is geared to its axis. As of bodies, its rate at
// the end of a step is state and follows from that over the step, s = theta rate+ + (1 - theta) rate
// (step/fill/joint.c), not from the velocities of the bodies at the end. The two differ by O(h^2),
// and to read the rate off the bodies would lose energy in every step, in the first order of h.
// -------------------------------------------------------------------------------------------------

void rg_world_joint_rates(const rgWorld* world, const rgJoint* joint, double* rates) {
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  rgJointRow axes[RG_JOINT_AXIS_MAX];
  joint->info->rows(&place, joint->def.parameters, NULL, axes);
  rgTwist a = velocity_of(world, joint->body_a), b = velocity_of(world, joint->body_b);
  for (int i = 0; i < joint->info->axis_count; i++)
    rates[i] = rg_joint_row_rate(&axes[i], a, b);
}

double rg_world_rotor_energy(const rgWorld* world) {
  double sum = 0;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    rg_joint_prefetch_head(world->joints, i, world->joint_slots);
    if (!joint->alive || !joint->rotors)
      continue;
    double now[RG_JOINT_AXIS_MAX];
    const double* rates = joint->rotor;
    if (world->rotors_stale) {
      rg_world_joint_rates(world, joint, now);
      rates = now;
    }
    for (int k = joint->constraint_count; k < joint->row_count; k++) {
      rgRowUse use = joint->rows[k];
      if (use.kind == RG_ROW_SOFT)
        sum += 0.5 * joint->def.axes[use.index].armature * rates[use.index] * rates[use.index];
    }
  }
  return sum;
}

void rg_world_sync_rotors(rgWorld* world) {
  for (int i = 0; i < world->joint_slots && world->rotors_stale; i++)
    if (world->joints[i].alive && world->joints[i].rotors)
      rg_world_joint_rates(world, &world->joints[i], world->joints[i].rotor);
  world->rotors_stale = false;
}

rgStatus rg_joint_state(const rgWorld* world, rgJointId id, rgJointState* state) {
  const rgJoint* joint = rg_world_joint_slot(world, id);
  if (!joint)
    return RG_ERROR_NOT_FOUND;
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  rgJointValues values = rg_world_joint_values(joint, &place);
  rgPose a = pose_now(world, joint->body_a), b = pose_now(world, joint->body_b);
  *state = (rgJointState){
      .kind = joint->def.kind,
      .body_a = rg_body_id(world, joint->body_a),
      .body_b = rg_body_id(world, joint->body_b),
      .frame_a = frame_in_world(world, joint->body_a, joint->frame_a, a),
      .frame_b = frame_in_world(world, joint->body_b, joint->frame_b, b),
      .axis_count = joint->info->axis_count,
      .error = rg_world_joint_error_of(joint, &values, rg_world_joint_size(world, joint, &place)),
      .reaction = joint->reaction};
  memcpy(state->parameters, joint->def.parameters, sizeof state->parameters);
  if (joint->coupled)
    state->error = fmax(state->error, rg_couple_largest_error(world, joint));
  largest_errors(joint, &values, &state->gap, &state->twist);
  rg_world_joint_rates(world, joint, state->rate);
  for (int i = 0; i < state->axis_count; i++) {
    state->coordinate[i] = values.axes[i];
    state->force[i] = joint->force[i];
  }
  return RG_OK;
}
