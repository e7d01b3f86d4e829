// distance.h - how far two placed shapes are apart, whatever their kinds.
#ifndef COLLIDE_DISTANCE_H
#define COLLIDE_DISTANCE_H

#include "collide/convex/gjk.h"

// The closest points of shape a placed at pose_a and shape b placed at pose_b (poses of the shape frames).
// True when they are at most `reach` [m] apart; only then all of `out` is set.
bool rg_collide_distance(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                         double reach, rgDistance* out);

// Whether a pair of kinds can be answered: one of the two is convex and of finite size.
bool rg_collide_has_distance(const rgShape* a, const rgShape* b);

#endif
