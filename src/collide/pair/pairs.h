// pairs.h - the pair functions behind rg_collide, and what they share.
//
// rg_pair_<a>_<b> finds the contacts of a shape of kind a and one of kind b, a before b in
// rgShapeKind. All have the signature and the conventions of rgPairFunction; `hint` is never NULL.
// The matrix in matrix.c says which function serves which pair.
#ifndef COLLIDE_PAIR_PAIRS_H
#define COLLIDE_PAIR_PAIRS_H

#include "collide/collide.h"

// Polyhedra among themselves and against half-spaces.
rgPairFunction rg_pair_box_box;
rgPairFunction rg_pair_box_hull;
rgPairFunction rg_pair_hull_hull;
rgPairFunction rg_pair_box_halfspace;
rgPairFunction rg_pair_hull_halfspace;
rgPairFunction rg_pair_rounded_halfspace; // of either kind, with a radius

// Curved shapes.
rgPairFunction rg_pair_sphere_sphere;
rgPairFunction rg_pair_sphere_convex; // any shape with `foot`
rgPairFunction rg_pair_sphere_halfspace;
rgPairFunction rg_pair_box_capsule;
rgPairFunction rg_pair_box_cylinder;
rgPairFunction rg_pair_box_ellipsoid;
rgPairFunction rg_pair_capsule_capsule;
rgPairFunction rg_pair_capsule_cylinder;
rgPairFunction rg_pair_capsule_ellipsoid;
rgPairFunction rg_pair_capsule_hull;
rgPairFunction rg_pair_capsule_halfspace;
rgPairFunction rg_pair_cylinder_cylinder;
rgPairFunction rg_pair_cylinder_ellipsoid;
rgPairFunction rg_pair_cylinder_hull;
rgPairFunction rg_pair_cylinder_halfspace;
rgPairFunction rg_pair_ellipsoid_ellipsoid;
rgPairFunction rg_pair_ellipsoid_hull;
rgPairFunction rg_pair_ellipsoid_halfspace;

// Any convex shape of finite size against another, against a half-space, against a mesh or field,
// by the properties in rgShapeInfo alone.
rgPairFunction rg_pair_convex_convex;
rgPairFunction rg_pair_convex_halfspace;
rgPairFunction rg_surface_pair;

// The same against a smooth wall (shape/wall.h), and a flat shape against the bowl of a 2D world.
rgPairFunction rg_wall_pair;
rgPairFunction rg_wall_flat_pair;

// Any two flat shapes (outline.h).
rgPairFunction rg_pair_outlines;

// The work of rg_manifold_reduce on an array of any length: drops redundant points, then keeps at
// most `limit` well spread ones, the deepest among them. Keeps the order. Returns the new count.
int rg_manifold_reduce_points(rgVec3 normal, rgManifoldPoint* points, int count, int limit);
// The same for those behind the first `fixed`, which are the corners of a flat face and stay; at most 512 in
// all. The limit is that of the others.
int rg_manifold_reduce_beyond(rgVec3 normal, rgManifoldPoint* points, int fixed, int count,
                              int limit);

#endif
