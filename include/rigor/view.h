// view.h - a world as a whole: what is in it, how it looks, and its state in arrays.
//
// Functions that fill an array write at most `capacity` items and return how many there are, so
// that a call with NULL and 0 counts them. Bodies come in the order of rg_world_body. To read all
// poses:
//
//     int count = rg_world_poses(world, NULL, 0);
//     rgPose* poses = malloc((size_t)count * sizeof *poses);
//     rg_world_poses(world, poses, count);
#ifndef RIGOR_VIEW_H
#define RIGOR_VIEW_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

// -------------------------------------------------------------------------------------------------
// State
// -------------------------------------------------------------------------------------------------

RG_API int rg_world_bodies(const rgWorld* world, rgBodyId* ids, int capacity);
RG_API int rg_world_poses(const rgWorld* world, rgPose* poses, int capacity); // of body frames
RG_API int rg_world_velocities(const rgWorld* world, rgTwist* velocities, int capacity);
// Contacts at the present configuration, in the order of rg_world_contact.
RG_API int rg_world_contacts(const rgWorld* world, rgContact* contacts, int capacity);
// For each body the index of its island in the last step (rg_world_island), or -1 when it was in
// none: static and kinematic bodies, and bodies that nothing acted on.
RG_API int rg_world_body_islands(const rgWorld* world, int* islands, int capacity);

// Finds contacts where bodies stand now, as the next step would: after bodies were placed by hand,
// as when a recorded run is shown.
RG_API rgStatus rg_world_find_contacts(rgWorld* world);

// -------------------------------------------------------------------------------------------------
// Shapes
// -------------------------------------------------------------------------------------------------

// All shapes, in the order of the indices of their ids.
RG_API int rg_world_shapes(const rgWorld* world, rgShapeId* ids, int capacity);

typedef struct rgShapeView {
  rgBodyId body;
  // As the shape was given, pose in the body included; points, triangles and heights are NULL:
  // rg_shape_corners has them. The density is not kept.
  rgShapeDef def;
  double extent;    // [m] radius of the ball about its origin that holds it; INFINITY: half-spaces
  int corner_count; // what rg_shape_corners writes
} rgShapeView;
// RG_ERROR_NOT_FOUND when there is no such shape.
RG_API rgStatus rg_shape_view(const rgWorld* world, rgShapeId id, rgShapeView* view);

// What a shape looks like, as points [m] in its own frame: three for each triangle of a hull, a
// mesh, a height field or a curved surface such as a superellipsoid's or a bowl's, counter-clockwise
// seen from outside (from the free side); the loop of its outline for a flat shape, the arc of a flat
// bowl; none for shapes that the numbers of the
// definition draw exactly (spheres, sharp boxes, capsules, cylinders, ellipsoids) and for half-spaces.
RG_API int rg_shape_corners(const rgWorld* world, rgShapeId id, rgVec3* corners, int capacity);

// Axis-aligned box around a shape where its body stands now; zeros for half-spaces, which have
// none, and when there is no such shape.
RG_API rgBounds rg_shape_bounds(const rgWorld* world, rgShapeId id);

// -------------------------------------------------------------------------------------------------
// Materials and forces
// -------------------------------------------------------------------------------------------------

RG_API int rg_world_material_count(const rgWorld* world); // material 0 included
// A material, and what holds between two of them: what rg_world_set_pair_material set, or the
// combination rule. RG_ERROR_NOT_FOUND when there is no such material.
RG_API rgStatus rg_world_material(const rgWorld* world, int index, rgMaterial* material);
RG_API rgStatus rg_world_pair_material(const rgWorld* world, int index_a, int index_b,
                                       rgMaterial* pair);

// All forces, in the order of the indices of their ids.
RG_API int rg_world_forces(const rgWorld* world, rgForceId* ids, int capacity);

typedef struct rgForceState {
  rgForceKind kind;
  rgBodyId body, other; // as given; generation 0: every dynamic body, or the ground
  rgVec3 from, to;  // [m] in the world: ends of a spring; place of an attractor, twice; where the
                    // force acts on its body, twice
  double strength;  // [N] of an attractor
  double stiffness; // [N/m] of a spring, [N m/rad] of torsion; 0 of others
  double damping;   // [N s/m] of a spring and of drag, [N m s/rad] of torsion
} rgForceState;
// Where a force acts now. RG_ERROR_NOT_FOUND when there is no such force.
RG_API rgStatus rg_force_state(const rgWorld* world, rgForceId id, rgForceState* state);

#ifdef __cplusplus
}
#endif
#endif
