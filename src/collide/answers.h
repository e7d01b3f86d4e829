// answers.h - contacts that stand on answers of a user's function.
#ifndef COLLIDE_ANSWERS_H
#define COLLIDE_ANSWERS_H

#include "collide/collide.h"
#include "shape/meet/meet.h"

// Whether a shape is known by a function of the user.
static inline bool rg_answers_asked(const rgShape* shape) {
  return shape->meet && shape->meet->function;
}

typedef struct rgAnswers {
  const rgShape *a, *b;
  rgPose pose_a, pose_b;
  double reach; // [m]
} rgAnswers;

// Judges the manifolds from `first` on, or that there are none. Where they cannot be believed, they are
// replaced by one that is not a number, and the hint is emptied.
void rg_answers_check(const rgAnswers* answers, int first, rgPairHint* hint, rgManifoldList* out);

// Whether a manifold says that; whose function (0: A, 1: B) and what about it.
bool rg_answers_doubted(const rgManifold* manifold, int* side, rgMeetDoubt* doubt);

#endif
