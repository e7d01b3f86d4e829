// nsgs_form.h - the two forms of batches: four lanes of doubles, or eight of floats.
//
// A file that defines RG_SIMD_SINGLE before it includes this one has the types of floats. The rest of the solver has
// the descriptor of a form, and no types.
//
// What floats leave. With eps = 2^-24, a sweep in floats rounds (1) velocities, by eps |v| in each of the
// visits of a body, (2) impulses, by eps |r|, which changes velocities by eps W |r|, and (3) what it knows of masses, arms
// and frames, by eps, which changes M^-1 H r by as much. So
//
// - velocities are counted from those that the solve starts with, in double: H' v_start is part of the bias. A heap that
//   moves as a whole rounds no more than one at rest, and (1) and (3) are in proportion to what the solve changes, at most
//   some times the scale s of the certificate: its largest velocity of approach. Ten contacts of a body in 200 sweeps,
//   rounded by chance, leave 45 eps = 3e-6 s.
// - for (2), W |r| is what the impulse of a contact would do to its lighter body alone: the scale, times the ratio of
//   masses where a heavy body rests on a light one, times the number of bodies that one carries.
//
// The goal of the solver's own measure, a tenth of the tolerance at first, must be above both: RESOLVED s above what
// (1) leaves by six times, and above (2) for ratios of masses of up to the goal over 2 eps s, 840 for 1e-3, with a
// column of 16 such pairs within the tolerance. Where the certificate, which is made in double from the
// impulses, is not met although the solver's measure was, the goal shrinks, and with it falls below this: the solver goes on in
// double.
//
// Floats reach from 1e-38 to 3e38, and the cube of an impulse appears in Newton's method. So masses are counted in the
// lightest of the problem, and velocities in the scale, both to the next power of two. Numbers
// below rounding of others beside them are left out, because products of them would be denormal, which is slow.
#ifndef SOLVE_NSGS_NSGS_FORM_H
#define SOLVE_NSGS_NSGS_FORM_H

#include "math/simd.h"
#include "solve/nsgs/nsgs.h"
#include "solve/nsgs/nsgs_pack.h"

#if defined(RG_SIMD_SINGLE)
enum { SINGLE = 1 };
#else
enum { SINGLE = 0 };
#endif
enum { LANES = 32 / sizeof(rgReal), TRIPLE = 3 * LANES };

// One number of each lane.
typedef struct rgEach {
  _Alignas(32) rgReal lane[LANES];
} rgEach;

// As many manifolds as lanes. In a batch of single points arms and inertias are in world axes, else in those of
// the frame.
typedef struct rgNsgsBatch {
  rgEach frame[3][3];                // n, t, o by world axis
  rgEach mass_a, mass_b;             // inverse masses [1/kg]
  rgEach inertia_a[6], inertia_b[6]; // inverse inertias: xx, yy, zz, xy, xz, yz
  rgEach mu;
  int32_t at[2][LANES]; // where the velocities of the bodies A, and B, are in `v`
} rgNsgsBatch;

// Ball contacts: single points whose arms lie along the normal, of bodies with one moment of
// inertia, as between spheres. Then W has no tangential coupling, the law is solved in closed form,
// and all of it in world axes. The iterate of such a point is its impulse in world axes.
typedef struct rgNsgsBall {
  rgEach n[3];
  rgEach lever_a, lever_b; // [m] arm . n
  rgEach mass_a, mass_b;   // inverse masses [1/kg]
  rgEach spin_a, spin_b;   // [1/(kg m)] inverse inertia times lever
  rgEach bias;             // [m/s] along n
#if defined(RG_SIMD_SINGLE)
  rgEach slip[3]; // [m/s] of the velocities that others are counted from
#endif
  rgEach stiff_n, stiff_t; // [kg] 1 / W_nn, 1 / W_tt
  rgEach mu;
  rgEach weight; // as of a point
  int32_t at[2][LANES];
} rgNsgsBall;

// One contact of each of the manifolds of a batch.
typedef struct rgNsgsPoint {
  rgEach arm_a[3], arm_b[3];
  rgEach bias[3];
  rgEach inverse_wnn;
  rgEach w[2];          // W_Tn / W_nn
  rgEach t11, t12, t22; // inverse of W_TT with the normal eliminated
  rgEach weight;        // (1 / rho)^2: turns a squared change of impulse into a squared velocity
} rgNsgsPoint;

#endif
