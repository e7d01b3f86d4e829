// builder.h - making worlds by hand in tests, one line per body. Failures end the running test.
#ifndef SUPPORT_BUILDER_H
#define SUPPORT_BUILDER_H

#include "math/vec.h"
#include <rigor/rigor.h>

// A world with the options of a preset. `build_still` has no gravity.
rgWorld* build_world(const char* preset);
rgWorld* build_still(const char* preset);
rgWorld* build_world_of(const rgWorldDef* def);

// Shapes at the origin of their body.
rgShapeDef shape_box(rgVec3 half);
rgShapeDef shape_sphere(double radius);
rgShapeDef shape_capsule(double radius, double half_length);
rgShapeDef shape_cylinder(double radius, double half_length);
rgShapeDef shape_ellipsoid(rgVec3 half);
rgShapeDef shape_halfspace(void);

// Definitions at a place.
rgBodyDef body_at(rgBodyKind kind, rgVec3 position);
rgPose pose_at(rgVec3 position);
rgTwist twist(rgVec3 linear, rgVec3 angular);
// Turn by an angle [rad] about an axis, with the project's own trigonometry.
rgQuat turn_about(rgVec3 axis, double angle);

// Leaves out the stabilizer where a stepper goes with none that corrects positions.
void build_fit_options(rgOptions* options);
rgBodyId build_body(rgWorld* world, const rgBodyDef* def, rgShapeDef shape);
rgBodyId build_floor(rgWorld* world);                               // half-space z <= 0
rgBodyId build_block(rgWorld* world, rgVec3 half, rgVec3 position); // a static box
rgBodyId build_box(rgWorld* world, rgVec3 half, rgVec3 position);
rgBodyId build_sphere(rgWorld* world, double radius, rgVec3 position);

// Options of a living world.
void build_set_step(rgWorld* world, double step, double theta);
// The material of all shapes that name none.
void build_set_default_material(rgWorld* world, double mu, double restitution);
int build_material(rgWorld* world, double mu, double restitution);

void run_steps(rgWorld* world, int steps);
// One step, which must meet its tolerance.
rgCertificate run_met_step(rgWorld* world, int index);

double distance(rgVec3 a, rgVec3 b);

#endif
