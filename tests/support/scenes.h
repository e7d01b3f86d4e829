// scenes.h - scenes in SI units, written once for the law tests and the benches.
//
// A Scene is plain data: it can be handed to Rigor in any system of units (scene_world) and to
// other engines (bench/). Poses and velocities are those at the start. Bodies have one shape each.
#ifndef SUPPORT_SCENES_H
#define SUPPORT_SCENES_H

#include <rigor/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// One metre, kilogram and second are this many units of the scene's own system.
typedef struct SceneUnits {
  double length, mass, time;
} SceneUnits;

extern const SceneUnits SCENE_SI;
extern const SceneUnits SCENE_MILLI;  // millimetres, grams, milliseconds
extern const SceneUnits SCENE_BINARY; // powers of two: the same motion to the last bit

typedef struct SceneBody {
  rgBodyDef def;
  rgShapeDef shape;
} SceneBody;

typedef struct ScenePair {
  int a, b; // materials
  rgMaterial material;
} ScenePair;

// A ball joint: bodies (-1: the ground) and the point that they share at the start.
typedef struct SceneJoint {
  int a, b;
  rgVec3 point;
} SceneJoint;

enum { SCENE_MATERIALS = 3, SCENE_PAIRS = 3, SCENE_JOINTS = 8 };

typedef struct Scene {
  const char* name;
  rgVec3 gravity;                        // [m/s2]
  rgMaterial materials[SCENE_MATERIALS]; // the first is the world's default
  int material_count;
  ScenePair pairs[SCENE_PAIRS];
  int pair_count;
  SceneBody* bodies;
  int body_count, body_capacity;
  SceneJoint joints[SCENE_JOINTS];
  int joint_count;
  rgVec3* points; // of hulls, the scene's own
} Scene;

// Gravity 9.81 down the z axis, one material with friction `mu`, no bodies.
void scene_begin(Scene* scene, const char* name, double mu);
void scene_end(Scene* scene);

// Adds a body and returns its index. Shapes have density 1000 unless the body is given a mass.
int scene_add(Scene* scene, rgBodyKind kind, rgShapeDef shape, rgVec3 position);
int scene_add_sphere(Scene* scene, double radius, rgVec3 position);
int scene_add_box(Scene* scene, rgVec3 half, rgVec3 position);
int scene_add_floor(Scene* scene);                               // half-space z <= 0
int scene_add_block(Scene* scene, rgVec3 half, rgVec3 position); // a static box

// Makes the world of a scene in the given units. `options` are in seconds; their gravity is
// replaced by the scene's. `ids` gets one id per body. Scenes with hulls or joints: SI units only.
rgStatus scene_world(const Scene* scene, const rgOptions* options, SceneUnits units, rgBodyId* ids,
                     rgWorld** world, rgMessage* message);

// --- scenes of the laws
// ---------------------------------------------------------------------------------

// How an incline is made: they are the same physics.
typedef enum SceneIncline {
  SCENE_INCLINE_GRAVITY,   // level half-space, gravity turned
  SCENE_INCLINE_HALFSPACE, // half-space turned
  SCENE_INCLINE_BLOCK,     // static box turned
  SCENE_INCLINE_COUNT
} SceneIncline;

// A slab of 1 x 1 x 0.1 m at rest on a slope that goes down along x; `angle` in radians. The slab
// is body 1.
void scene_incline(Scene* scene, SceneIncline kind, double angle, double mu);
// Unit vector down the slope and the normal of it.
rgVec3 scene_incline_down(SceneIncline kind, double angle);
rgVec3 scene_incline_normal(SceneIncline kind, double angle);

// The same slab on level ground with a velocity in its plane. The slab is body 1.
void scene_slab(Scene* scene, rgVec3 velocity, double mu);

// A ball touching level ground, `block`: the top of a static box instead of a half-space. The ball
// is body 1.
void scene_ball(Scene* scene, bool block, double radius, double mu, rgVec3 velocity, rgVec3 spin);

// Three balls touching each other on the floor and one on top (bodies 1 to 4, the last is the top).
void scene_ball_pyramid(Scene* scene, double radius, double mu_balls, double mu_floor);

// n blocks of 1 x 0.5 x 0.2 m on a table with harmonic overhangs, scaled so that the top block
// stands out by `overhang` [m] over the edge of the table. Body 1 is the lowest block.
void scene_overhang(Scene* scene, int n, double overhang);

// A stack of n unit boxes on the floor, moved sideways by up to `offset` [m] each (a fixed
// sequence), the topmost `ratio` times as heavy as the others. Body 1 is the lowest box.
void scene_stack(Scene* scene, int n, double offset, double ratio);

// --- scenes of the benches
// ------------------------------------------------------------------------------

// `rows` rows of unit boxes: rows of them at the bottom, one at the top, each over a joint of the
// row below.
void scene_pyramid(Scene* scene, int rows);

// Spheres of radius 0.1 to 0.15 m falling from a loose lattice into a container with walls.
void scene_spheres(Scene* scene, int count);

// Spheres of radius 0.1 m, equal and five along a side, that settle in a box with little friction, as in
// section 8.3 of Renouf et al. 2005.
void scene_settling(Scene* scene, int count);

// side^3 boxes of 0.5 m in a loose lattice over the floor: they fall and pile up.
void scene_boxes(Scene* scene, int side);

// The pyramid hit by a ball of 2 m diameter and twice its density, 20 m/s, at a third of its height.
void scene_hit(Scene* scene, int rows);

// Convex hulls of 12 points, some 0.5 m wide, of eight forms, that fall into a bowl made of a floor
// and twelve slopes.
void scene_hulls(Scene* scene, int count);

// Six rods of 1 m on ball joints, the first of them at the ground: they fall from a level line.
void scene_chain(Scene* scene);

// A semicircular arch of `count` voussoirs from 1 to 1.3 m.
void scene_arch(Scene* scene, int count);

// Beds of constant depth whose width grows with the number of bodies: the cost of a contact should
// not depend on it. Spheres or boxes, in a container.
void scene_sphere_bed(Scene* scene, int count);
void scene_box_bed(Scene* scene, int count);

// A number in [0, 1) that depends on the index alone.
double scene_noise(unsigned index);

#ifdef __cplusplus
}
#endif
#endif
