// gauss.h - the parts of the stepper gauss: contacts that are followed between searches, rows of
// joints at the level of accelerations, and the movement between events.
#ifndef STEP_GAUSS_GAUSS_H
#define STEP_GAUSS_GAUSS_H

#include "step/step.h"

// States and slopes of a body within a step.
typedef struct rgGaussState {
  rgVec3 position;
  rgQuat orientation;
  rgTwist velocity;
} rgGaussState;
typedef struct rgGaussSlope {
  rgTwist velocity;
  rgQuat turn; // rate of the quaternion
  rgTwist acceleration;
} rgGaussSlope;
typedef struct rgGaussBody {
  rgGaussState step, part; // at the start of the step, and of the present part of it
  rgGaussSlope slope, sum; // of the last substage; weighted over the substages
  double overlap;          // [m] deepest at the start of the part
} rgGaussBody;

// Scratch of the stepper.
typedef struct rgGauss {
  RG_ARRAY(rgGaussBody, bodies);   // by body slot
  RG_ARRAY(rgManifold, manifolds); // of one pair
} rgGauss;
void rg_gauss_release(rgStep* step); // nothing when there is none

// Problems of gauss have the velocity that an acceleration gives in the whole step, h a, in the
// place of velocities: impulses are forces times h, and residuals are velocities as everywhere.
typedef enum rgGaussLevel {
  RG_GAUSS_IMPACT,      // velocities after against velocities before
  RG_GAUSS_ACCELERATION // h times the acceleration against the unconstrained one in v_free
} rgGaussLevel;

// Manifolds of a pair that are looked at to find one contact again. The same number in every world,
// so that results do not depend on the memory that a world happens to hold.
enum { RG_GAUSS_MANIFOLDS = 32 };

// gauss_contacts.c -------------------------------------------------------------------------------

// Points and normals of the contacts that are in the problem, where bodies are now.
void rg_gauss_follow(rgStep* step);
// [m/s2] The second derivative of the gap when velocities do not change: what the rotating normal
// and the movement of the points over both surfaces make (Redon, Kheddar, Coquillart 2002, eq. 3).
double rg_gauss_curvature(const rgStep* step, const rgWorldContact* contact);
// [m/s] Rate of the gap, and [m/s] what the unconstrained accelerations, times h in v_free, could
// make of it in a step: the sum of both sides.
double rg_gauss_gap_rate(const rgStep* step, const rgWorldContact* contact);
double rg_gauss_gap_push(const rgStep* step, const rgWorldContact* contact);

// gauss_rows.c -----------------------------------------------------------------------------------

// [m/s] The largest violation of joint velocities, and the largest velocity that free accelerations
// and curvature would make of it in the step.
void rg_gauss_joint_rates(const rgStep* step, double* violation, double* scale);
// Fills the rows of joints, for islands that are built. `dt` [s] is what motors and dry friction
// are given to reach their target.
void rg_gauss_rows(rgStep* step, rgGaussLevel level, double dt);
// Whether bodies have passed a limit of a joint since the start of the part.
bool rg_gauss_limit_passed(const rgStep* step);

// gauss_part.c -----------------------------------------------------------------------------------

// Remembers where bodies are at the start of the step, or of a part of it.
rgStatus rg_gauss_begin(rgStep* step);
void rg_gauss_mark(rgStep* step);
void rg_gauss_return(rgStep* step); // to the start of the part
// The unconstrained accelerations at the present state, times h, in v_free; and the inertia.
void rg_gauss_free(rgStep* step);
// Moves all bodies from the start of the part, which began `elapsed` [s] after that of the step, by
// dt. `accelerate` leaves h times the constrained acceleration in v_free and returns the work of
// what is outside per time, times h.
typedef struct rgGaussPart {
  double elapsed, dt;
  rgStatus (*accelerate)(rgStep* step, void* context, double* work);
  void* context;
} rgGaussPart;
rgStatus rg_gauss_move(rgStep* step, const rgGaussPart* part, double* work);

#endif
