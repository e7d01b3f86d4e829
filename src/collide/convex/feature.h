// feature.h - contacts where the features of two convex shapes lie over one another.
//
// Two shapes whose common normal n is known touch where the feature of A that faces -n lies over
// the feature of B that faces n. This turns one normal into the whole manifold: two points for a
// line of contact, the corners of the common polygon for faces.
#ifndef COLLIDE_CONVEX_FEATURE_H
#define COLLIDE_CONVEX_FEATURE_H

#include "collide/collide.h"
#include "shape/solid/feature.h"

enum { RG_CONTACTS_MAX = 2 * RG_FEATURE_MAX + 2 }; // of two features

// The feature of a shape of finite size that faces the unit vector d (world).
static inline void rg_shape_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out) {
  rg_shape_info(shape->kind)->feature(shape, pose, d, out);
}

// Contacts of feature a over feature b along n, all that have gap <= reach, into
// points[RG_CONTACTS_MAX]. Returns their number; 0 when one feature does not lie over the other or
// when both are single points.
int rg_feature_contacts(const rgFeature* a, const rgFeature* b, rgVec3 n, double reach,
                        rgManifoldPoint* points);

#endif
