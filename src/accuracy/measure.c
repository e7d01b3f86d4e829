// measure.c - how far two states of a body are apart.
//
// A turn by the angle a about the axis e moves a point p by 2 sin(a/2) |e x p|. The mean over the
// mass of the squared distance of a body's points in two states is therefore
//
//     |d|^2 + 4 q' I q / m,
//
// with d between the centres, q the vector part of the quaternion of the turn between the states in
// body axes, and I the inertia about the centre. That of two velocities is |v|^2 + w' I w / m.
#include "accuracy/accuracy.h"

void rg_accuracy_read(const rgAccuracy* accuracy, const rgWorld* world, size_t offset) {
  for (int i = 0; i < accuracy->body_count; i++) {
    rgAccuracyBody* body = &accuracy->bodies[i];
    if (!body->dynamic)
      continue;
    rgAccuracyState* state = (rgAccuracyState*)(void*)((char*)body + offset);
    rgBodyId id = rg_world_body(world, i);
    *state = (rgAccuracyState){rg_body_center(world, id), rg_body_pose(world, id).orientation,
                               rg_body_velocity(world, id)};
  }
}

static double quadratic(const rgMat3* a, rgVec3 x) {
  double value = v3_dot(x, m3_apply(a, x));
  return value > 0 ? value : 0; // rounding of a body that is a point
}

double rg_accuracy_distance(const rgAccuracyBody* body, const rgAccuracyState* a,
                            const rgAccuracyState* b) {
  rgQuat turn = quat_mul(quat_conj(a->orientation), b->orientation);
  rgVec3 q = v3(turn.x, turn.y, turn.z);
  return sqrt(v3_norm2(v3_sub(a->center, b->center)) + 4 * quadratic(&body->gyration, q));
}

double rg_accuracy_speed(const rgAccuracyBody* body, rgTwist velocity) {
  rgVec3 w = quat_unrotate(body->after.orientation, velocity.angular);
  return sqrt(v3_norm2(velocity.linear) + quadratic(&body->gyration, w));
}

rgTwist rg_accuracy_twist_sub(rgTwist a, rgTwist b) {
  return (rgTwist){v3_sub(a.linear, b.linear), v3_sub(a.angular, b.angular)};
}
