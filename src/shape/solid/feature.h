// feature.h - features that several kinds of shapes share.
#ifndef SHAPE_SOLID_FEATURE_H
#define SHAPE_SOLID_FEATURE_H

#include "shape/shape.h"

void rg_feature_point(rgFeature* out, rgVec3 point);
void rg_feature_segment(rgFeature* out, rgVec3 p, rgVec3 q);
// The feature of the shape's polyhedron that faces the unit vector d (world): as rgShapeInfo.
void rg_feature_of_polyhedron(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out);
// Whether one vertex of the shape's polyhedron is farthest along d (shape frame): as rgShapeInfo.
bool rg_feature_single_vertex(const rgShape* shape, rgVec3 d);
// The feature of a polygon given by its corners, counter-clockwise about its unit normal.
void rg_feature_of_polygon(const rgVec3* corners, int count, rgVec3 normal, rgVec3 d,
                           rgFeature* out);

#endif
