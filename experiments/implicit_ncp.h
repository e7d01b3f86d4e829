// implicit_ncp.h - the step of Chakraborty et al. 2007 in its own form: one mixed nonlinear
// complementarity problem with the closest points among its unknowns. The reference for the stepper
// implicit-geometry on small scenes.
#ifndef EXPERIMENTS_IMPLICIT_NCP_H
#define EXPERIMENTS_IMPLICIT_NCP_H

#include <rigor/mcp.h>
#include <rigor/vec.h>

enum { NCP_CONTACTS = 2, NCP_UNKNOWNS = 6 + 11 * NCP_CONTACTS };

// A ball, in the form of an ellipsoid with equal axes, that moves on fixed ones, of which it touches
// NCP_CONTACTS.
typedef struct Ncp {
  double radius, mass, inertia; // [m] [kg] [kg m2]
  double mu, e_t, e_o, e_r;     // [-] [-] [-] [m]
  rgVec3 force;                 // [N]
  double h;                     // [s]
  rgVec3 center[NCP_CONTACTS];  // [m] of the fixed ones
  double radii[NCP_CONTACTS];   // [m]
  // State.
  rgVec3 position;               // [m]
  rgTwist velocity;              // [m/s] [rad/s]
  double z[NCP_UNKNOWNS];        // unknowns of the last step, the start of the next
  double normal[NCP_CONTACTS];   // [N s]
  double friction[NCP_CONTACTS]; // [N s] in the norm of the ellipsoid
  double slip[NCP_CONTACTS];     // [m/s]
  double gap[NCP_CONTACTS];      // [m] at the end of the step
} Ncp;

// Places the closest points for a first step.
void ncp_begin(Ncp* ncp);
// One step: false when the complementarity problem was not solved.
bool ncp_step(Ncp* ncp, rgMcpReport* report);

#endif
