// rounded_pairs.c - a rounded polyhedron on a half-space.
//
// The ball about each vertex of the core touches the plane r below the vertex: the contacts are
// those of the core, moved by r along the normal.
#include "collide/pair/pairs.h"

void rg_pair_rounded_halfspace(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                               double reach, rgPairHint* hint, rgManifoldList* out) {
  int first = out->count;
  double r = a->radius;
  rgPairFunction* core = a->kind == RG_SHAPE_BOX ? rg_pair_box_halfspace : rg_pair_hull_halfspace;
  core(a, pose_a, b, pose_b, reach + r, hint, out);
  for (int i = first; i < out->count; i++)
    for (int k = 0; k < out->items[i].count; k++) {
      rgManifoldPoint* p = &out->items[i].points[k];
      p->point_a = v3_axpy(p->point_a, -r, out->items[i].normal);
      p->gap -= r;
    }
}
