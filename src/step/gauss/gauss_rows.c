// gauss_rows.c - joints at the level of accelerations and of impacts.
//
// For an error or a coordinate e of a joint with e' = G v (joint.h),
//
//     e'' = G a + c,      c = d (G v) / dt at constant velocities,
//
// c being the central difference of G v over the movement by constant velocities, as for contacts.
// What each row asks for, with everything times h:
//
//     fixed, held   e'' + 2 alpha e' + alpha^2 e = 0: Baumgarte's own form (Cline 2002, eq. 3.1) with the
//                   rate alpha of the stabilizer; e'' = 0 without
//     limits        where the limit is reached: e'' >= 0, or so much less that e' does not fall
//                   below zero
//     motor         approaches its speed with the time constant h, within its force
//     friction      the same with speed zero
//     servo         its force, explicit, within its bound
//     soft          the force -k (e - rest) - c e' of spring and damper, explicit, and of a rotor -a e''
//     effort        as given
//
// In an impact fixed rows ask for e' + alpha e = 0, of which the form above is the derivative plus
// alpha times itself, limits for e' >= 0, without restitution, rotors for -a times the change of e', and
// all else does nothing. The rate of a rotor is that of its axis.
#include "step/gauss/gauss.h"
#include "step/stabilize/stabilizer.h"
#include "world/couple/couple.h"

#include <string.h>

// The angle, and the part of the distance between the frames, over which G v is differenced.
static const double SPAN = 1e-5;

typedef struct Rows {
  rgJointRow fixed[RG_JOINT_FIXED_MAX], axes[RG_JOINT_AXIS_MAX];
} Rows;

static const rgTwist STILL = {{0, 0, 0}, {0, 0, 0}};

static rgTwist velocity_of(const rgWorld* world, int slot) {
  return slot < 0 ? STILL : world->bodies[slot].velocity;
}

static bool is_dynamic(const rgWorld* world, int slot) {
  return slot >= 0 && world->bodies[slot].kind == RG_BODY_DYNAMIC;
}

static rgTwist push_of(const rgStep* step, int slot) {
  return is_dynamic(step->world, slot) ? step->bodies[slot].v_free : STILL;
}

static rgPose pose_after(const rgWorld* world, int slot, double s) {
  if (slot < 0)
    return pose_identity();
  const rgBody* body = &world->bodies[slot];
  rgVec3 turn = v3_scale(body->velocity.angular, s);
  return (rgPose){v3_axpy(body->position, s, body->velocity.linear),
                  quat_unit(quat_mul(quat_cayley(turn), body->orientation))};
}

static Rows rows_after(const rgWorld* world, const rgJoint* joint, double s) {
  Rows rows;
  rgJointPlace place = rg_world_joint_place(world, joint, pose_after(world, joint->body_a, s),
                                            pose_after(world, joint->body_b, s));
  joint->info->rows(&place, joint->def.parameters, rows.fixed, rows.axes);
  rg_plane_flatten_rows(world, joint, rows.fixed, rows.axes);
  return rows;
}

// A joint where its bodies are now.
typedef struct Model {
  const rgWorld* world;
  const rgJoint* joint;
  Rows now, before, after;
  rgJointValues values;
  rgTwist v_a, v_b;
  double size; // [m]
  double span; // [s] between now and before, and after; 0 when nothing moves
} Model;

static Model model_of(const rgWorld* world, const rgJoint* joint) {
  Model model = {.world = world, .joint = joint};
  rgJointPlace place = rg_world_joint_place_now(world, joint);
  model.values = rg_world_joint_values(joint, &place);
  model.size = rg_world_joint_size(world, joint, &place);
  joint->info->rows(&place, joint->def.parameters, model.now.fixed, model.now.axes);
  rg_plane_flatten_rows(world, joint, model.now.fixed, model.now.axes);
  model.v_a = velocity_of(world, joint->body_a);
  model.v_b = velocity_of(world, joint->body_b);
  rgVec3 at_a = v3_add(model.v_a.linear, v3_cross(model.v_a.angular, place.arm_a));
  rgVec3 at_b = v3_add(model.v_b.linear, v3_cross(model.v_b.angular, place.arm_b));
  double speed = v3_norm(model.v_a.angular) + v3_norm(model.v_b.angular); // [1/s]
  double length = fmax(place.distance, model.size);
  if (length > 0)
    speed += v3_norm(v3_sub(at_b, at_a)) / length;
  if (!(speed > 0))
    return model;
  model.span = SPAN / speed;
  model.before = rows_after(world, joint, -model.span);
  model.after = rows_after(world, joint, model.span);
  return model;
}

static const rgJointRow* row_in(const Rows* rows, rgRowUse use) {
  return use.kind == RG_ROW_FIXED ? &rows->fixed[use.index] : &rows->axes[use.index];
}

static double own_rate(const Model* model, rgRowUse use) {
  return rg_joint_row_rate(row_in(&model->now, use), model->v_a, model->v_b);
}

static double own_curvature(const Model* model, rgRowUse use) {
  if (model->span == 0)
    return 0;
  double before = rg_joint_row_rate(row_in(&model->before, use), model->v_a, model->v_b);
  double after = rg_joint_row_rate(row_in(&model->after, use), model->v_a, model->v_b);
  return (after - before) / (2 * model->span);
}

// What leads an axis that follows another one: x = f(y), x' = f' y', x'' = f' y'' + f'' y'^2.
typedef struct Leader {
  Model model;
  rgRowUse use;
  double slope, bend; // f' and f''
} Leader;

static Leader leader_of(const Model* model, rgRowUse use) {
  const rgJointLead* lead = &model->joint->leads[use.index];
  Leader leader = {.model = model_of(model->world, &model->world->joints[lead->joint]),
                   .use = {RG_ROW_EFFORT, (uint8_t)lead->axis}};
  double y = leader.model.values.axes[lead->axis];
  leader.slope = rg_couple_slope(lead, y, y);
  leader.bend = rg_couple_bend(lead, y);
  return leader;
}

static double rate_of(const Model* model, rgRowUse use) {
  double rate = own_rate(model, use);
  if (use.kind != RG_ROW_COUPLED)
    return rate;
  Leader leader = leader_of(model, use);
  return rate - leader.slope * own_rate(&leader.model, leader.use);
}

static double curvature_of(const Model* model, rgRowUse use) {
  double curvature = own_curvature(model, use);
  if (use.kind != RG_ROW_COUPLED)
    return curvature;
  Leader leader = leader_of(model, use);
  double rate = own_rate(&leader.model, leader.use);
  return curvature - leader.slope * own_curvature(&leader.model, leader.use) -
         leader.bend * rate * rate;
}

// The axis of a row; of a fixed one, which has none, any.
static const rgJointAxis* axis_of(const rgJoint* joint, rgRowUse use) {
  return &joint->def.axes[use.kind == RG_ROW_FIXED ? 0 : use.index];
}

static bool is_limit(rgRowUse use) { return use.kind == RG_ROW_LOWER || use.kind == RG_ROW_UPPER; }
static bool is_held(rgRowUse use) {
  return use.kind == RG_ROW_FIXED || use.kind == RG_ROW_HELD || use.kind == RG_ROW_COUPLED;
}

static double limit_gap(const rgJoint* joint, const rgJointValues* values, rgRowUse use) {
  const rgJointAxis* axis = &joint->def.axes[use.index];
  double x = values->axes[use.index];
  return use.kind == RG_ROW_LOWER ? x - axis->lower : axis->upper - x;
}

static double limit_touch(const rgWorld* world, const rgJoint* joint, rgRowUse use, double size) {
  return world->options.projection_tolerance * (joint->info->axes[use.index].angle ? 1 : size);
}

static bool limit_reached(const Model* model, rgRowUse use) {
  return limit_gap(model->joint, &model->values, use) <=
         limit_touch(model->world, model->joint, use, model->size);
}

static double error_of(const Model* model, rgRowUse use) {
  if (use.kind == RG_ROW_FIXED)
    return model->values.fixed[use.index];
  if (use.kind == RG_ROW_COUPLED)
    return rg_couple_error(model->world, model->joint, use.index);
  return model->values.axes[use.index] - model->joint->def.axes[use.index].lower;
}

void rg_gauss_joint_rates(const rgStep* step, double* violation, double* scale) {
  const rgWorld* world = step->world;
  *violation = *scale = 0;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    if (!joint->alive)
      continue;
    Model model = model_of(world, joint);
    rgTwist push_a = push_of(step, joint->body_a), push_b = push_of(step, joint->body_b);
    for (int k = 0; k < joint->row_count; k++) {
      rgRowUse use = joint->rows[k];
      bool limit = is_limit(use) && limit_reached(&model, use);
      if (!is_held(use) && !limit)
        continue;
      double rate = rate_of(&model, use);
      if (!limit)
        rate += rg_stabilizer_rate(world) * error_of(&model, use);
      else
        rate = use.kind == RG_ROW_LOWER ? fmin(rate, 0) : fmax(rate, 0);
      const rgJointRow* row = row_in(&model.now, use);
      *violation = fmax(*violation, fabs(rate));
      *scale = fmax(*scale, fabs(rg_joint_row_rate(row, push_a, push_b)) +
                                fabs(step->h * curvature_of(&model, use)));
    }
  }
}

bool rg_gauss_limit_passed(const rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->joint_slots; i++) {
    const rgJoint* joint = &world->joints[i];
    if (!joint->alive)
      continue;
    rgPose ends[2];
    for (int side = 0; side < 2; side++) {
      int slot = side == 0 ? joint->body_a : joint->body_b;
      const rgGaussState* part = slot < 0 ? NULL : &step->gauss->bodies[slot].part;
      ends[side] = part ? (rgPose){part->position, part->orientation} : pose_identity();
    }
    rgJointPlace start = rg_world_joint_place(world, joint, ends[0], ends[1]);
    rgJointPlace now = rg_world_joint_place_now(world, joint);
    rgJointValues at_start = rg_world_joint_values(joint, &start),
                  at_end = rg_world_joint_values(joint, &now);
    double size = rg_world_joint_size(world, joint, &now);
    for (int k = 0; k < joint->row_count; k++) {
      rgRowUse use = joint->rows[k];
      if (!is_limit(use))
        continue;
      double touch = limit_touch(world, joint, use, size);
      double depth = -limit_gap(joint, &at_end, use);
      if (depth > touch + fmax(0, -limit_gap(joint, &at_start, use)))
        return true;
    }
  }
  return false;
}

// Filling -----------------------------------------------------------------------------------------

static void give(rgProblemRow* out, double impulse) { out->lower = out->upper = impulse; }

static double spring_force(const rgJointAxis* axis, double x, double rate) {
  return axis->stiffness * (x - axis->rest) + axis->damping * rate;
}

static double servo_force(const rgJointAxis* axis, double x, double rate) {
  double force = axis->servo_stiffness * (axis->servo_target - x) +
                 axis->servo_damping * (axis->servo_speed - rate);
  return fmax(-axis->servo_force, fmin(force, axis->servo_force));
}

// lambda = impulse - armature w, w being the change of the rate but for `bias`.
static void give_soft(const rgJointAxis* axis, double bias, double impulse, rgProblemRow* out) {
  if (!(axis->armature > 0)) {
    give(out, impulse);
    return;
  }
  out->compliance = 1 / axis->armature;
  out->bias = bias - impulse / axis->armature;
}

static void fill_acceleration(const Model* model, rgRowUse use, double h, double dt,
                              rgProblemRow* out) {
  const rgJointAxis* axis = axis_of(model->joint, use);
  double alpha = rg_stabilizer_rate(model->world);
  double rate = rate_of(model, use), bend = h * curvature_of(model, use);
  switch ((rgRowKind)use.kind) {
  case RG_ROW_FIXED:
  case RG_ROW_HELD:
  case RG_ROW_COUPLED:
    out->bias = bend + h * alpha * (2 * rate + alpha * error_of(model, use));
    break;
  case RG_ROW_LOWER:
  case RG_ROW_UPPER:
    if (!limit_reached(model, use))
      give(out, 0);
    if (use.kind == RG_ROW_UPPER)
      rate = -rate, bend = -bend;
    out->bias = bend + (rate > 0 ? h / dt * rate : 0);
    break;
  case RG_ROW_MOTOR:
    out->bias = bend + rate - axis->motor_speed;
    break;
  case RG_ROW_FRICTION:
    out->bias = bend + rate;
    break;
  case RG_ROW_SERVO:
    give(out, h * servo_force(axis, model->values.axes[use.index], rate));
    break;
  case RG_ROW_SOFT:
    give_soft(axis, bend, -h * spring_force(axis, model->values.axes[use.index], rate), out);
    break;
  case RG_ROW_EFFORT:
    give(out, h * axis->effort);
    break;
  }
}

static double outside_rate(const Model* model, rgRowUse use) {
  const rgJoint* joint = model->joint;
  rgTwist a = is_dynamic(model->world, joint->body_a) ? STILL : model->v_a;
  rgTwist b = is_dynamic(model->world, joint->body_b) ? STILL : model->v_b;
  double rate = rg_joint_row_rate(row_in(&model->now, use), a, b);
  if (use.kind != RG_ROW_COUPLED)
    return rate;
  Leader leader = leader_of(model, use);
  return rate - leader.slope * outside_rate(&leader.model, leader.use);
}

static void fill_impact(const Model* model, rgRowUse use, rgProblemRow* out) {
  out->bias = outside_rate(model, use);
  if (use.kind == RG_ROW_UPPER)
    out->bias = -out->bias;
  if (is_held(use))
    out->bias += rg_stabilizer_rate(model->world) * error_of(model, use);
  bool acts = is_held(use) || (is_limit(use) && limit_reached(model, use));
  if (use.kind == RG_ROW_SOFT)
    give_soft(axis_of(model->joint, use), out->bias - rate_of(model, use), 0, out);
  else if (!acts)
    give(out, 0);
}

static void bound(const Model* model, rgRowUse use, double h, rgProblemRow* out) {
  const rgJointAxis* axis = axis_of(model->joint, use);
  out->lower = -HUGE_VAL;
  out->upper = HUGE_VAL;
  if (is_limit(use))
    out->lower = 0;
  else if (use.kind == RG_ROW_MOTOR)
    out->upper = h * axis->motor_force, out->lower = -out->upper;
  else if (use.kind == RG_ROW_FRICTION)
    out->upper = h * axis->friction, out->lower = -out->upper;
}

static rgTwist twist_scale(rgTwist a, double s) {
  return (rgTwist){v3_scale(a.linear, s), v3_scale(a.angular, s)};
}

static int problem_index(const rgStep* step, int slot, int body_start) {
  return is_dynamic(step->world, slot) ? step->bodies[slot].problem_body - body_start : -1;
}

static void fill_far(const rgStep* step, const Model* model, rgRowUse use, int body_start,
                     rgProblemFar* far) {
  Leader leader = leader_of(model, use);
  const rgJoint* joint = leader.model.joint;
  const rgJointRow* row = row_in(&leader.model.now, leader.use);
  *far = (rgProblemFar){problem_index(step, joint->body_a, body_start),
                        problem_index(step, joint->body_b, body_start),
                        twist_scale(row->g_a, -leader.slope), twist_scale(row->g_b, -leader.slope)};
}

void rg_gauss_rows(rgStep* step, rgGaussLevel level, double dt) {
  rgWorld* world = step->world;
  rgProblemSet* set = &step->velocity;
  double h = step->h;
  for (int k = 0; k < set->island_count; k++) {
    const rgIsland* island = &set->islands[k];
    for (int i = island->row_start; i < island->row_start + island->row_count;) {
      rgJoint* joint = &world->joints[set->row_joint[i]];
      Model model = model_of(world, joint);
      memcpy(joint->coordinate, model.values.axes, sizeof joint->coordinate);
      rgJointStep* scratch = &step->joints[set->row_joint[i]];
      scratch->values = model.values; // for what is taken from the rows
      scratch->seen = false;
      for (int j = 0; j < scratch->row_count; j++, i++) {
        rgRowUse use = joint->rows[scratch->rows[j]];
        const rgJointRow* row = row_in(&model.now, use);
        double sign = use.kind == RG_ROW_UPPER ? -1 : 1;
        rgProblemRow* out = &set->rows[i];
        *out = (rgProblemRow){.body_a = problem_index(step, joint->body_a, island->body_start),
                              .body_b = problem_index(step, joint->body_b, island->body_start),
                              .g_a = twist_scale(row->g_a, sign),
                              .g_b = twist_scale(row->g_b, sign)};
        if (use.kind == RG_ROW_COUPLED) {
          fill_far(step, &model, use, island->body_start, &set->fars[i]);
          out->far = &set->fars[i];
        }
        bound(&model, use, h, out);
        if (level == RG_GAUSS_ACCELERATION)
          fill_acceleration(&model, use, h, dt, out);
        else
          fill_impact(&model, use, out);
        set->lambda[i] = level == RG_GAUSS_ACCELERATION ? joint->impulse[scratch->rows[j]] : 0;
      }
    }
  }
}
