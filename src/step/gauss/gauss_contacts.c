// gauss_contacts.c - contacts that last: where they are while bodies move, and how gaps bend.
//
// With x_A and x_B the points of a contact on the two surfaces, n the normal and v(x) the velocity
// of the material at x, the gap g = n . (x_A - x_B) of two surfaces that touch changes at the rate
//
//     g' = n . (v_A(x_A) - v_B(x_B)),
//
// since n is across both surfaces and n . n' = 0. Its derivative is
//
//     g'' = n . (a_A + alpha_A x r_A - a_B - alpha_B x r_B) + c,      c = d g' / dt at constant
//     velocities,
//
// c being all that does not contain accelerations: the centripetal terms and those of the rotating
// normal (2 (v_A - v_B) . n' in Redon et al. eq. 3, whose points are fixed to the bodies) and of
// points that run along curved surfaces. c is taken as the central difference of g' over the
// movement by constant velocities, the narrow phase telling points and normals at both ends. It
// needs no curvatures of shapes, works for every pair that the narrow phase takes, and is exact for
// faces and corners. The movement goes over the part SPAN of the smaller shape's half-width: the
// error is of the order SPAN^2 from the difference and rounding / SPAN from the narrow phase, both
// 1e-10 of v^2 / size. Where a feature ends within this movement the difference is one-sided.
#include "step/gauss/gauss.h"

static const double SPAN = 1e-5;
// How far a contact that is followed may have opened, as a part of the smaller shape's half-width.
static const double FOLLOW_REACH = 0.01;
// Cosine between normals above which a contact may be the same after a small movement.
static const double SAME_SIDE = 0.5;

static rgVec3 material_velocity(rgTwist v, rgVec3 center, rgVec3 x) {
  return v3_add(v.linear, v3_cross(v.angular, v3_sub(x, center)));
}

// Where the body would be after the time s at constant velocities.
static rgPose pose_after(const rgBody* body, double s) {
  rgPose pose = {body->position, body->orientation};
  if (body->kind == RG_BODY_STATIC || s == 0)
    return pose;
  pose.position = v3_axpy(pose.position, s, body->velocity.linear);
  pose.orientation =
      quat_unit(quat_mul(quat_cayley(v3_scale(body->velocity.angular, s)), pose.orientation));
  return pose;
}

static rgPose shape_pose(const rgBody* body, const rgShape* shape, rgPose center) {
  rgPose frame = {v3_sub(center.position, quat_rotate(center.orientation, body->center)),
                  center.orientation};
  return pose_mul(frame, shape->pose);
}

// The point of the manifolds that continues a contact: of the same feature, otherwise the nearest
// on the same side.
static bool find_point(const rgManifoldList* list, const rgWorldContact* contact, rgVec3* normal,
                       rgManifoldPoint* out) {
  double least = HUGE_VAL;
  for (int m = 0; m < list->count; m++) {
    const rgManifold* manifold = &list->items[m];
    if (v3_dot(manifold->normal, contact->normal) < SAME_SIDE)
      continue;
    for (int i = 0; i < manifold->count; i++) {
      const rgManifoldPoint* point = &manifold->points[i];
      bool same = manifold->key == contact->key && point->feature == contact->feature;
      double distance = same ? -1 : v3_norm2(v3_sub(point->point_a, contact->point_a));
      if (!(distance < least))
        continue;
      least = distance;
      *normal = manifold->normal;
      *out = *point;
    }
  }
  return least < HUGE_VAL;
}

// The contact after the time s at constant velocities; false when it is gone.
static bool contact_after(const rgStep* step, const rgWorldContact* contact, double s,
                          rgVec3* normal, rgManifoldPoint* point) {
  const rgBody *a = &step->world->bodies[contact->body_a],
               *b = &step->world->bodies[contact->body_b];
  const rgShape *shape_a = step->world->shapes[contact->shape_a].shape,
                *shape_b = step->world->shapes[contact->shape_b].shape;
  rgManifoldList list = {.items = step->gauss->manifolds, .capacity = RG_GAUSS_MANIFOLDS};
  rgPairHint hint = {.axis = contact->normal};
  double reach = fmax(contact->gap, 0) + FOLLOW_REACH * contact->size;
  rg_collide(shape_a, shape_pose(a, shape_a, pose_after(a, s)), shape_b,
             shape_pose(b, shape_b, pose_after(b, s)), reach, &hint, &list);
  return find_point(&list, contact, normal, point);
}

void rg_gauss_follow(rgStep* step) {
  step->look.displaced = true;
  for (int i = 0; i < step->world->contact_count; i++) {
    rgWorldContact* contact = &step->world->contacts[i];
    rgManifoldPoint point;
    rgVec3 normal;
    if (step->contacts[i].mark == RG_MARK_OUT || !contact_after(step, contact, 0, &normal, &point))
      continue;
    contact->normal = normal;
    contact->point_a = point.point_a;
    contact->point_b = point.point_b;
    contact->gap = point.gap;
  }
}

double rg_gauss_gap_rate(const rgStep* step, const rgWorldContact* contact) {
  const rgBody *a = &step->world->bodies[contact->body_a],
               *b = &step->world->bodies[contact->body_b];
  rgVec3 at_a = material_velocity(a->velocity, a->position, contact->point_a);
  rgVec3 at_b = material_velocity(b->velocity, b->position, contact->point_b);
  return v3_dot(contact->normal, v3_sub(at_a, at_b));
}

double rg_gauss_gap_push(const rgStep* step, const rgWorldContact* contact) {
  const rgBody *a = &step->world->bodies[contact->body_a],
               *b = &step->world->bodies[contact->body_b];
  double push = 0;
  if (a->kind == RG_BODY_DYNAMIC)
    push += fabs(v3_dot(contact->normal, material_velocity(step->bodies[contact->body_a].v_free,
                                                           a->position, contact->point_a)));
  if (b->kind == RG_BODY_DYNAMIC)
    push += fabs(v3_dot(contact->normal, material_velocity(step->bodies[contact->body_b].v_free,
                                                           b->position, contact->point_b)));
  return push;
}

// g' after the time s at constant velocities.
static bool rate_after(const rgStep* step, const rgWorldContact* contact, double s, double* rate) {
  const rgBody *a = &step->world->bodies[contact->body_a],
               *b = &step->world->bodies[contact->body_b];
  rgManifoldPoint point;
  rgVec3 normal;
  if (!contact_after(step, contact, s, &normal, &point))
    return false;
  rgVec3 at_a = material_velocity(a->velocity, pose_after(a, s).position, point.point_a);
  rgVec3 at_b = material_velocity(b->velocity, pose_after(b, s).position, point.point_b);
  *rate = v3_dot(normal, v3_sub(at_a, at_b));
  return true;
}

double rg_gauss_curvature(const rgStep* step, const rgWorldContact* contact) {
  const rgBody *a = &step->world->bodies[contact->body_a],
               *b = &step->world->bodies[contact->body_b];
  rgVec3 sliding = v3_sub(material_velocity(a->velocity, a->position, contact->point_a),
                          material_velocity(b->velocity, b->position, contact->point_b));
  double speed = v3_norm(a->velocity.angular) + v3_norm(b->velocity.angular) +
                 v3_norm(sliding) / contact->size; // [1/s]
  if (!(speed > 0))
    return 0;
  double s = SPAN / speed, before, after, now = rg_gauss_gap_rate(step, contact);
  bool has_before = rate_after(step, contact, -s, &before),
       has_after = rate_after(step, contact, s, &after);
  if (has_before && has_after)
    return (after - before) / (2 * s);
  return has_after ? (after - now) / s : has_before ? (now - before) / s : 0;
}
