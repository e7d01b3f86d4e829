// link.c - links of trees: their movements from the rows of joints, and their ends.
//
// The rows of a joint, taken at the mean of start and end, leave exactly the movements that its kind
// names (joint.h): with the shift and turn of A, and (rho, w) one of these times a rate,
//
//     turn_B = turn_A + w,   shift_B = shift_A + turn_A x (arm_A - arm_B) + arm_B x w + rho,
//
// with mean arms; arm_A reaches to where B's origin is. The movement over the step is h theta (v + d),
// d the drifts of joint.c, so that a link has v + d = X (v + d of its parent) + S q: what is not
// a rate is the offset X d_A - d_B. Either body may be the link; the other one is its parent then.
//
// The rounds bring rows and ends together up to the tolerance. What they leave is taken out of the
// ends, link by link from the root: the frame of the joint on the link is put to where its errors are
// zero (rgJointInfo.closed), which is nearer than what the tolerance allows. Errors of joints are then
// the rounding of a pose, and do not add up.
#include "step/energy/energy.h"
#include "step/fill/fill.h"

#include <string.h>

static void flatten(rgTwist* motion) {
  motion->linear.z = motion->angular.x = motion->angular.y = 0;
}

// A direction of a plane that is the rounding of one across it.
static const double ACROSS = 1e-12;

// Movements that a joint leaves, those of the plane in two dimensions.
static int motions_of(const rgWorld* world, const rgJoint* joint, const rgJointPlace* place,
                      rgTwist* motions) {
  int count = joint->info->motions(place, joint->def.parameters, motions), kept = 0;
  if (world->dimension == 3)
    return count;
  for (int k = 0; k < count; k++) {
    rgTwist flat = motions[k];
    flatten(&flat);
    if (v3_norm2(flat.linear) + v3_norm2(flat.angular) > ACROSS)
      motions[kept++] = flat;
  }
  return kept;
}

void rg_fill_link(rgStep* step, rgProblemSet* set, int slot, const rgJointPlace* place,
                  rgTwist drift_a, rgTwist drift_b) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  rgProblemLink* link = &set->links[scratch->child];
  rgVec3 arm_a = joint->info->slides ? v3_add(place->arm_a, place->between) : place->arm_a;
  bool swapped = scratch->child_is_a;
  rgVec3 own = swapped ? arm_a : place->arm_b, other = swapped ? place->arm_b : arm_a;
  double sign = swapped ? -1 : 1;
  rgTwist motions[RG_LINK_AXES];
  link->axis_count = motions_of(step->world, joint, place, motions);
  for (int k = 0; k < link->axis_count; k++) {
    rgVec3 turn = v3_scale(motions[k].angular, sign);
    link->axis[k] = (rgTwist){v3_axpy(v3_cross(own, turn), sign, motions[k].linear), turn};
  }
  link->from_parent = v3_sub(other, own);
  link->arm = own;
  rgTwist given = swapped ? drift_b : drift_a, drift = swapped ? drift_a : drift_b;
  rgVec3 carried = v3_add(given.linear, v3_cross(given.angular, link->from_parent));
  link->offset = (rgTwist){v3_sub(carried, drift.linear), v3_sub(given.angular, drift.angular)};
}

// With the mean arms r of link and parent, the point of the joint asks for v + w x r = v_A + w_A x r_A, and its axes
// for a w - w_A along them. Turned by t, a half of what the ends turn, arms change by t x r and axes x by t x x: so
// does the velocity of the link, at the same rates. The joint's force p acts at the changed arms, and its moment m
// turns with the axes: dx . m + x . dm = 0 for every axis x, where dm = t x m does for all that turn with the link. Of
// two axes one turns with the parent, by t_A: it is d = (t_A - t) x x more.
void rg_fill_turn_link(const rgProblemLink* link, rgLinkTurn* turn) {
  rgVec3 arm = link->arm, parent_arm = v3_add(link->arm, link->from_parent),
         p = turn->wrench.linear;
  rgVec3 shift = v3_cross(turn->own, arm), parent_shift = v3_cross(turn->parent, parent_arm);
  rgVec3 moment = v3_sub(turn->wrench.angular, v3_cross(arm, p));
  rgVec3 turned = v3_cross(turn->own, moment);
  rgVec3 spin = v3_sub(turn->spin, turn->parent_spin), w = v3_cross(turn->own, spin);
  if (link->axis_count == 2) {
    rgVec3 x = link->axis[turn->is_a ? 1 : 0].angular;
    rgVec3 d = v3_cross(v3_sub(turn->parent, turn->own), x);
    w = v3_axpy(w, v3_dot(x, spin), d);
    turned = v3_axpy(turned, -v3_dot(d, moment), x);
  }
  turn->moment = v3_add(v3_cross(shift, p), turned);
  turn->parent_moment = v3_neg(v3_add(v3_cross(parent_shift, p), turned));
  rgVec3 v = v3_sub(v3_cross(turn->parent_spin, parent_shift), v3_cross(turn->spin, shift));
  turn->offset = (rgTwist){v3_sub(v, v3_cross(w, arm)), w};
}

static rgPose end_pose(const rgStep* step, int slot) {
  if (slot < 0)
    return pose_identity();
  const rgBody* body = &step->world->bodies[slot];
  return body->kind == RG_BODY_STATIC ? (rgPose){body->position, body->orientation}
                                      : step->ends[slot].pose;
}

// The pose of a joint's link that closes it, from poses of its bodies where it is nearly closed.
static rgPose closed_pose(const rgStep* step, int slot, bool swapped, rgPose a, rgPose b) {
  const rgWorld* world = step->world;
  const rgJoint* joint = &world->joints[slot];
  const rgPose *on_a = &step->joints[slot].frames.a, *on_b = &step->joints[slot].frames.b;
  rgPose frame;
  if (joint->info->slides) {
    a = pose_mul(a, *on_a);
    b = pose_mul(b, *on_b);
    rgPose relative =
        joint->info->closed(pose_mul(pose_inverse(a), b), joint->def.parameters, joint->coordinate);
    frame = swapped ? pose_mul(b, pose_inverse(relative)) : pose_mul(a, relative);
  } else { // both have their origins in the same point
    rgQuat turn_a = quat_mul(a.orientation, on_a->orientation),
           turn_b = quat_mul(b.orientation, on_b->orientation);
    rgPose relative = {v3_zero(), quat_mul(quat_conj(turn_a), turn_b)};
    rgQuat turn =
        joint->info->closed(relative, joint->def.parameters, joint->coordinate).orientation;
    frame.position = swapped ? pose_apply(b, on_b->position) : pose_apply(a, on_a->position);
    frame.orientation = swapped ? quat_mul(turn_b, quat_conj(turn)) : quat_mul(turn_a, turn);
  }
  rgPose pose = pose_mul(frame, pose_inverse(swapped ? *on_a : *on_b));
  pose.orientation = quat_unit(pose.orientation);
  return rg_plane_flatten(world, pose);
}

// A link of an island in the order of its trees.
typedef struct Link {
  int joint; // slot; -1: it is a free root
  int body;  // slot
  bool is_a; // of its joint
} Link;

static Link link_at(const rgStep* step, const rgIsland* island, int i) {
  const rgProblemSet* set = &step->velocity;
  int body = island->body_start + set->link_order[island->body_start + i];
  Link link = {.joint = set->link_joint[body], .body = set->body_order[body]};
  if (link.joint >= 0)
    link.is_a = step->world->joints[link.joint].body_a == link.body;
  return link;
}

void rg_fill_prefetch_link(const rgStep* step, const rgIsland* island, int i) {
  const rgProblemSet* set = &step->velocity;
  if (i + RG_SLOTS_AHEAD >= island->body_count)
    return;
  int body = island->body_start + set->link_order[island->body_start + i + RG_SLOTS_AHEAD];
  int slot = set->body_order[body], joint = set->link_joint[body];
  rg_prefetch(&step->ends[slot], sizeof *step->ends);
  rg_prefetch(&step->world->bodies[slot], offsetof(rgBody, extent));
  if (joint < 0)
    return;
  rg_prefetch_line(&step->world->joints[joint]);
  rg_prefetch(&step->joints[joint], offsetof(rgJointStep, place.a));
}

void rg_fill_close_links(rgStep* step, const rgIsland* island) {
  for (int i = 0; i < island->body_count; i++) {
    rg_fill_prefetch_link(step, island, i);
    Link link = link_at(step, island, i);
    if (link.joint < 0)
      continue;
    const rgJoint* joint = &step->world->joints[link.joint];
    step->ends[link.body].pose = closed_pose(
        step, link.joint, link.is_a, end_pose(step, joint->body_a), end_pose(step, joint->body_b));
  }
}

static rgPose pose_now(const rgStep* step, int slot) {
  if (slot < 0)
    return pose_identity();
  return (rgPose){step->world->bodies[slot].position, step->world->bodies[slot].orientation};
}

// The turn from one orientation to another, as a Cayley vector.
static rgVec3 turn_between(rgQuat from, rgQuat to) {
  rgQuat turn = quat_mul(to, quat_conj(from));
  return v3_scale(v3(turn.x, turn.y, turn.z), 2 / turn.w);
}

void rg_fill_open_link(rgStep* step, rgProblemSet* set, int slot, const rgJointPlace* place) {
  const rgJoint* joint = &step->world->joints[slot];
  const rgJointStep* scratch = &step->joints[slot];
  rgTwist none = {v3_zero(), v3_zero()};
  rg_fill_link(step, set, slot, place, none, none);
  rgPose a = pose_now(step, joint->body_a), b = pose_now(step, joint->body_b);
  rgPose from = scratch->child_is_a ? a : b,
         to = closed_pose(step, slot, scratch->child_is_a, a, b);
  set->links[scratch->child].offset =
      (rgTwist){v3_sub(to.position, from.position), turn_between(from.orientation, to.orientation)};
}

// A turn that is no more than the rounding of a pose.
static const double POSE_ROUNDING = 1e-12;

// Puts a body to its place after the projection, as a part of it: its angular velocity turns with it.
// Returns the work against gravity [J].
static double put_link(rgStep* step, int slot, rgPose pose) {
  rgBody* body = &step->world->bodies[slot];
  rgVec3 shift = v3_sub(pose.position, body->position);
  rgQuat turn = quat_mul(pose.orientation, quat_conj(body->orientation));
  body->position = pose.position;
  body->orientation = pose.orientation;
  if (!body->isotropic && v3_norm(v3(turn.x, turn.y, turn.z)) > POSE_ROUNDING)
    body->velocity.angular = quat_rotate_exactly(quat_unit(turn), body->velocity.angular);
  return -body->mass * v3_dot(step->world->options.gravity, shift);
}

static void keep_link(rgStep* step, int slot) {
  const rgBody* body = &step->world->bodies[slot];
  step->scratch.trial[slot] = (rgBodyState){
      .position = body->position, .orientation = body->orientation, .velocity = body->velocity};
}

static void take_link_back(rgStep* step, int slot) {
  rgBody* body = &step->world->bodies[slot];
  const rgBodyState* kept = &step->scratch.trial[slot];
  body->position = kept->position;
  body->orientation = kept->orientation;
  body->velocity = kept->velocity;
}

// Closes the trees of an island as far as they can pay for it (energy/pay.c): a projection that was
// stopped leaves joints open, and what closing them lifts is charged as its own lift is. Left open, the
// joints are rows of the next step.
static void close_island(rgStep* step, const rgIsland* island) {
  const int* slots = &step->velocity.body_order[island->body_start];
  for (int i = 0; i < island->body_count; i++) {
    keep_link(step, slots[i]);
    step->bodies[slots[i]].asked = 0;
  }
  for (int i = 0; i < island->body_count; i++) {
    rg_fill_prefetch_link(step, island, i);
    Link link = link_at(step, island, i);
    if (link.joint < 0)
      continue;
    const rgJoint* joint = &step->world->joints[link.joint];
    rgPose pose = closed_pose(step, link.joint, link.is_a, pose_now(step, joint->body_a),
                              pose_now(step, joint->body_b));
    step->bodies[link.body].asked = put_link(step, link.body, pose);
  }
  bool paid = rg_energy_lift_part(step, slots, island->body_count) == 1;
  rg_energy_charge_lift(step, slots, island->body_count, paid ? 1 : 0);
  for (int i = 0; i < island->body_count && !paid; i++)
    take_link_back(step, slots[i]);
  for (int i = 0; i < island->body_count && paid; i++) {
    Link link = link_at(step, island, i);
    if (link.joint < 0 || step->world->bodies[link.body].moved) // shapes of those are placed soon
      continue;
    step->world->bodies[link.body].anew = true;
    rg_world_place_shapes(step->world, link.body);
  }
}

void rg_fill_close_trees(rgStep* step) {
  for (int k = 0; k < step->velocity.island_count; k++)
    if (step->velocity.islands[k].trees)
      close_island(step, &step->velocity.islands[k]);
}
