// assembly.h - assemblies at rest under gravity, as acceleration-level problems (Baraff and
// Mattikalli 1993, section 2).
//
// A problem of problem.h whose velocities are accelerations: v_free is gravity, the contacts have
// no friction and no bias, so that its law is Baraff and Mattikalli 1993 eq. 19: lambda >= 0, J a
// >= 0, perpendicular.
#ifndef EXPERIMENTS_ASSEMBLY_H
#define EXPERIMENTS_ASSEMBLY_H

#include <rigor/rigor.h>
#include <rigor/vec_math.h>

enum { ASSEMBLY_BODIES = 64, ASSEMBLY_CONTACTS = 512 };

typedef struct Assembly {
  rgProblem problem;
  rgProblemBody bodies[ASSEMBLY_BODIES];
  rgProblemContact contacts[ASSEMBLY_CONTACTS];
  rgVec3 centers[ASSEMBLY_BODIES];
  double masses[ASSEMBLY_BODIES];
  rgMat3 inertias[ASSEMBLY_BODIES]; // world axes
} Assembly;

static const double assembly_gravity = 9.81; // [m/s2], along -z

void assembly_begin(Assembly* assembly);
// A box with the given edges, turned by `orientation`; returns its index.
int assembly_box(Assembly* assembly, rgVec3 center, rgVec3 edges, double mass, rgQuat orientation);
// A contact at `point` with the normal from b to a; -1 is the fixed world.
void assembly_contact(Assembly* assembly, int a, int b, rgVec3 point, rgVec3 normal);
// Four contacts at the corners of a horizontal rectangle, a above b, and a fifth in its middle,
// which they make redundant.
void assembly_face(Assembly* assembly, int a, int b, rgVec3 lower, rgVec3 upper);

// Named ones.
void assembly_corner(Assembly* assembly);                // a block on the floor against two walls
void assembly_leaning(Assembly* assembly, double angle); // two thin blocks against each other
void assembly_incline(Assembly* assembly, double angle); // a block on a slope
void assembly_pile(Assembly* assembly);                  // a wall of ten blocks on the floor
// `count` bodies with contacts at random places between them and with the world, some of them
// repeated. *seed goes on.
void assembly_random(Assembly* assembly, int count, uint64_t* seed);

// a' M b of two accelerations of all bodies, six numbers each.
double assembly_product(const Assembly* assembly, const double* a, const double* b);

#endif
