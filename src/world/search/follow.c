// follow.c - contacts of pairs that have hardly moved go along with their shapes instead of being searched anew.
//
// At rest a search finds in every step what it found in the step before: the same features, at points that
// have moved with the bodies by 1e-17 to 1e-9 of their size. Up to some limit, such contacts follow to first order:
//
//     p' = p + d + t x (p - o),   gap' = gap + n . (p_a' - p_a - p_b' + p_b),
//
// with d the shift of the origin o of a shape, and t = 2 im(q' q*) its turn. The normal stays. What this leaves
// out is of second order in the movement for gaps, and at most the movement itself for places and, divided by the
// size of the shape, for normals. The limit (detect.c) is a part of what solves and projections leave.
//
// All is state: a pair has the sum of its movements since it was searched, bounds that never
// fall, so that slow ones come to a search as well. A pair that was not moved at all keeps its contacts to the last
// bit, also where the world was changed elsewhere and contacts are sought again. What was moved by the user, or
// by a correction, counts as coming from far away.
//
// d and t are differences of poses, exact to a float of their own size.
#include "world/search/follow.h"

// Part of the reach of a search by which that of a pair may have changed. What lies between both is touched only by
// shapes that come as close as they can in the step, and these have not moved.
static const double REACH_PART = 0.01;

// The body is where the shape goes. One that is `anew` counts as coming from far away.
rgMovement rg_follow_movement(const rgWorldShape* shape, rgPose to, const rgBody* body) {
  rgPose from = shape->pose;
  rgVec3 d = v3_sub(to.position, from.position);
  // im((q' - q) q*) is im(q' q*) without the rounding of numbers that cancel.
  rgQuat p = from.orientation, q = to.orientation;
  double w = q.w - p.w;
  rgVec3 v = v3(q.x - p.x, q.y - p.y, q.z - p.z), u = v3(p.x, p.y, p.z);
  rgVec3 t = v3_scale(v3_sub(v3_axpy(v3_scale(v, p.w), -w, u), v3_cross(v, u)), 2);
  rgVec3 of_center = v3_add(d, v3_cross(t, v3_sub(body->position, to.position)));
  double turn = v3_norm(t), extent = isfinite(shape->shape->extent) ? body->extent : HUGE_VAL;
  double most = v3_norm(of_center) + (turn > 0 ? turn * extent : 0);
  return (rgMovement){.shift = {(float)d.x, (float)d.y, (float)d.z},
                      .turn = {(float)t.x, (float)t.y, (float)t.z},
                      .most = body->anew ? HUGE_VALF : (float)most};
}

bool rg_follow_allows(const rgPair* pair, const rgWorldShape* a, const rgWorldShape* b,
                      double reach, double limit) {
  double drift = (double)pair->drift + ((double)a->moved.most + (double)b->moved.most);
  double change = fabs(reach - (double)pair->reach);
  return drift <= limit && change <= REACH_PART * (double)pair->reach;
}

static rgVec3 displacement(const rgWorldShape* shape, rgVec3 point) {
  const rgMovement* moved = &shape->moved;
  rgVec3 shift = v3((double)moved->shift[0], (double)moved->shift[1], (double)moved->shift[2]);
  rgVec3 turn = v3((double)moved->turn[0], (double)moved->turn[1], (double)moved->turn[2]);
  return v3_add(shift, v3_cross(turn, v3_sub(point, shape->pose.position)));
}

void rg_follow_contacts(const rgWorldShape* a, const rgWorldShape* b, rgWorldContact* contacts,
                        int count) {
  if (a->moved.most == 0 && b->moved.most == 0)
    return;
  for (int i = 0; i < count; i++) {
    rgWorldContact* contact = &contacts[i];
    rgVec3 at_a = displacement(a, contact->point_a), at_b = displacement(b, contact->point_b);
    contact->point_a = v3_add(contact->point_a, at_a);
    contact->point_b = v3_add(contact->point_b, at_b);
    contact->gap += v3_dot(contact->normal, v3_sub(at_a, at_b));
  }
}
