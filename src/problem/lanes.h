// lanes.h - the velocities of a contact by two motions of its bodies, the answer and the free one, side by side in
// two lanes. Each lane has the operations of rg_contact_velocity_of in their order, and so its bits. The contacts of
// a manifold come one after the other and have their bodies in common, which are read once for all of them.
#ifndef PROBLEM_LANES_H
#define PROBLEM_LANES_H

#include "problem/operator.h"

typedef double rgTwo __attribute__((vector_size(16)));
typedef struct rgTwoVec {
  rgTwo x, y, z;
} rgTwoVec;

static inline rgTwoVec rg_two_add(rgTwoVec a, rgTwoVec b) {
  return (rgTwoVec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline rgTwoVec rg_two_sub(rgTwoVec a, rgTwoVec b) {
  return (rgTwoVec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline rgTwo rg_two_dot(rgVec3 a, const rgTwoVec* b) {
  return a.x * b->x + a.y * b->y + a.z * b->z;
}

typedef struct rgTwoTwists {
  rgTwoVec linear, angular;
} rgTwoTwists;

// The two bodies of a contact.
typedef struct rgTwoOfPair {
  int body_a, body_b; // -2 before the first contact
  rgTwoTwists a, b;
} rgTwoOfPair;

// `v`, and v_free where `free` is true, or else v again.
static inline rgTwoTwists rg_two_twists(const rgProblem* problem, const double* v, bool free,
                                        int body) {
  static const double NONE[6] = {0};
  const double* x = body < 0 ? NONE : v + 6 * (size_t)body;
  if (!free || body < 0)
    return (rgTwoTwists){{{x[0], x[0]}, {x[1], x[1]}, {x[2], x[2]}},
                         {{x[3], x[3]}, {x[4], x[4]}, {x[5], x[5]}}};
  const rgTwist* y = &problem->bodies[body].v_free;
  return (rgTwoTwists){{{x[0], y->linear.x}, {x[1], y->linear.y}, {x[2], y->linear.z}},
                       {{x[3], y->angular.x}, {x[4], y->angular.y}, {x[5], y->angular.z}}};
}

static inline void rg_two_of_pair(const rgProblem* problem, const double* v, bool free,
                                  const rgProblemContact* contact, rgTwoOfPair* pair) {
  if (contact->body_a == pair->body_a && contact->body_b == pair->body_b)
    return;
  pair->body_a = contact->body_a;
  pair->body_b = contact->body_b;
  pair->a = rg_two_twists(problem, v, free, contact->body_a);
  pair->b = rg_two_twists(problem, v, free, contact->body_b);
}

// Of the material of a body at an arm from its centre.
static inline rgTwoVec rg_two_at(const rgTwoTwists* twists, rgVec3 arm) {
  const rgTwoVec* w = &twists->angular;
  rgTwoVec turn = {w->y * arm.z - w->z * arm.y, w->z * arm.x - w->x * arm.z,
                   w->x * arm.y - w->y * arm.x};
  return rg_two_add(twists->linear, turn);
}

// The first three numbers of u. The fourth matters to ellipsoids alone.
static inline rgTwoVec rg_two_velocities(const rgProblemContact* contact, const rgTwoOfPair* pair) {
  rgTwoVec relative =
      rg_two_sub(rg_two_at(&pair->a, contact->arm_a), rg_two_at(&pair->b, contact->arm_b));
  return (rgTwoVec){rg_two_dot(contact->n, &relative) + contact->bias[0],
                    rg_two_dot(contact->t, &relative) + contact->bias[1],
                    rg_two_dot(contact->o, &relative) + contact->bias[2]};
}

#endif
