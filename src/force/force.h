// force.h - forces besides gravity and contact. One file per kind, one row in kinds.c.
//
// There are two sorts of kinds. Some return a wrench, which a step applies as it is. The others,
// which may be stiff, return terms. With a row G on two bodies, its stretch s, the stiffness k >= 0
// and the damping c >= 0,
//
//     wrench = -G' (k s + c (G v - rate)),
//
// so that -G' k G and -G' c G are the gradients with respect to position and velocity, which an
// implicit step needs (Cline 2002, eq. 2.52-2.54).
#ifndef FORCE_FORCE_H
#define FORCE_FORCE_H

#include "math/vec.h"
#include <rigor/world.h>

// A force as the world stores it: the definition with its own copies of the tables.
typedef struct rgForce {
  rgForceDef def;
  int body;  // slot of the body, -1: every dynamic body
  int other; // slot of the body at the other end, -1: the ground
  int bodies
      [RG_FORCE_BODIES_MAX]; // slots of a force on several; `body` and `other` are the first two
  int body_count;            // of these; 0 for all other forces
  rgQuat rest; // torsion: orientation of the other relative to the body when the force was added
  uint32_t generation;
  bool alive;
} rgForce;

typedef struct rgForceTerm {
  int body_a, body_b; // slots of the body and of the other, -1: the ground
  rgTwist g_a, g_b;   // coefficients on them
  double stretch;     // [m] or [rad]
  double stiffness;   // [N/m] or [N m/rad]
  double damping;     // [N s/m] or [N m s/rad]
  double rate;        // [m/s] or [rad/s] at which the damper is at rest
} rgForceTerm;

// Of a force on up to two bodies: six of position and six of velocity.
enum { RG_FORCE_TERM_MAX = 12 };

// What a force may depend on: the time, its body (a) and the other body (b).
typedef struct rgForceSide {
  rgPose frame;  // pose of the body
  rgVec3 center; // [m] its centre of mass
  rgTwist velocity;
  double extent; // [m] size of the body
} rgForceSide;
typedef struct rgForceView {
  double time; // [s]
  double h;    // [s] length of the step, 0 to evaluate the force at `time` only
  rgForceSide a, b;
} rgForceView;

typedef struct rgForceInfo {
  const char* name;
  const char* summary;
  bool couples;    // acts between two bodies, or a body and the ground
  bool everywhere; // if no body is given it acts on every dynamic body
  rgStatus (*check)(const rgForceDef* def, rgMessage* message);
  // Force and torque as the definition states them; NULL if the kind has none.
  rgWrench (*evaluate)(const rgForceDef* def, const rgForceView* view);
  // Fills the terms and returns their number; NULL if the kind has none.
  int (*terms)(const rgForce* force, const rgForceView* view, rgForceTerm* terms);
  bool linearizes; // its terms are gradients of what `evaluate` gives, not forces besides it
  int term_max;
} rgForceInfo;

extern const rgForceInfo rg_force_constant;
extern const rgForceInfo rg_force_table;
extern const rgForceInfo rg_force_spring;
extern const rgForceInfo rg_force_torsion;
extern const rgForceInfo rg_force_drag;
extern const rgForceInfo rg_force_attractor;
extern const rgForceInfo rg_force_callback;

// What a force on several bodies depends on.
typedef struct rgForceSystemView {
  double time, h; // [s]
  int count;
  rgForceSide sides[RG_FORCE_BODIES_MAX];
} rgForceSystemView;
// system.c: the wrenches of a force on several bodies.
void rg_force_system_wrenches(const rgForceDef* def, const rgForceSystemView* view,
                              rgWrench* wrenches);
// Fills the terms of its gradients and returns their number. `wrenches` are those of the force in the step;
// what the terms carry is taken out of them, and the rest of the gradient is added.
int rg_force_system_terms(const rgForce* force, const rgForceSystemView* view, double theta,
                          rgForceTerm* terms, rgWrench* wrenches);
// Room for the terms of a force.
int rg_force_term_room(const rgForce* force);

// gradient.c: gradients by differences. The size of the difference along an axis (0 .. 2 translation,
// 3 .. 5 rotation) in position or in velocity, a body moved by it, and the columns of a wrench.
double rg_force_difference(const rgForceSide* side, int axis, bool position, double h);
rgForceSide rg_force_nudged(const rgForceSide* side, int axis, double size, bool position);
// Whether an entry of a gradient is no more than rounding beside entries of this size.
bool rg_force_is_rounding(double entry, double size);
// The next pivot of elimination: the largest positive entry of the diagonal of `count` rows, as a part of
// `sizes`, that is not used and not rounding; -1 when there is none.
int rg_force_pivot(int count, const double* matrix, int columns, const double* sizes,
                   const bool* used);
// Extracts rank-one terms weight row row' from a symmetric matrix while it has positive pivots that are
// more than rounding of `sizes`, the diagonal entries that it is made of. Returns their number.
int rg_force_split(double matrix[6][6], const double sizes[6], double rows[6][6],
                   double weights[6]);

// Where an attractor is at a time [s].
rgVec3 rg_attractor_center(const rgForceDef* def, double time);

const rgForceInfo* rg_force_info(rgForceKind kind); // NULL when out of range

// The wrench at the centre of mass in world axes: evaluates the force, rotates it from body axes
// and accounts for its point of application. Zero for kinds that only have terms.
rgWrench rg_force_wrench(const rgForceDef* def, const rgForceView* view);

// Checks that stiffness and damping are finite, not negative and not both zero.
rgStatus rg_force_check_spring(const rgForceDef* def, rgMessage* message);
// Checks a table: increasing times, and for each of them a row of `width` finite numbers.
rgStatus rg_force_check_table(const rgForceDef* def, const double* numbers, int width,
                              const char* what, rgMessage* message);
// Finds `time` in the table: row i and the fraction of the way to row i + 1 (0 at both ends).
int rg_force_table_row(const rgForceDef* def, double time, double* part);

#endif
