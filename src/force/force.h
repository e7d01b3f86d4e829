// force.h - forces besides gravity and contact. One file per kind, one row in kinds.c.
//
// Two sorts of kinds. Some give a wrench, which a step takes as it is. The others, which may be
// stiff, give terms: with G a row on two bodies, s a stretch along it, k, c >= 0,
//
//     wrench = -G' (k s + c (G v - rate)),
//
// so that -G' k G and -G' c G are the gradients with respect to position and velocity, which an
// implicit step needs (001 eq. 2.52-2.54).
#ifndef FORCE_FORCE_H
#define FORCE_FORCE_H

#include "math/vec.h"
#include <rigor/world.h>

// A force as the world keeps it: the definition with its tables copied.
typedef struct rgForce {
  rgForceDef def;
  int body, other; // slots; -1: every dynamic body; the ground
  rgQuat rest;     // torsion: orientation of the other seen from the body when it was added
  uint32_t generation;
  bool alive;
} rgForce;

typedef struct rgForceTerm {
  rgTwist g_a, g_b; // on the body and on the other
  double stretch;   // [m] or [rad]
  double stiffness; // [N/m] or [N m/rad]
  double damping;   // [N s/m] or [N m s/rad]
  double rate;      // [m/s] or [rad/s] at which the damper is at rest
} rgForceTerm;

enum { RG_FORCE_TERM_MAX = 12 };

// What a force may look at: the time, a body and the other one.
typedef struct rgForceSide {
  rgPose frame;  // of the body
  rgVec3 center; // [m] its centre of mass
  rgTwist velocity;
  double extent; // [m] its size
} rgForceSide;
typedef struct rgForceView {
  double time; // [s]
  double h;    // [s] of the step; 0 when only the present counts
  rgForceSide a, b;
} rgForceView;

typedef struct rgForceInfo {
  const char* name;
  const char* summary;
  bool couples;    // acts between two bodies, or a body and the ground
  bool everywhere; // without a body it acts on every dynamic one
  rgStatus (*check)(const rgForceDef* def, rgMessage* message);
  // Force and torque as the definition states them; NULL = none.
  rgWrench (*evaluate)(const rgForceDef* def, const rgForceView* view);
  // Fills the terms and returns their number; NULL = none.
  int (*terms)(const rgForce* force, const rgForceView* view, rgForceTerm* terms);
  int term_max;
} rgForceInfo;

extern const rgForceInfo rg_force_constant;
extern const rgForceInfo rg_force_table;
extern const rgForceInfo rg_force_spring;
extern const rgForceInfo rg_force_torsion;
extern const rgForceInfo rg_force_drag;
extern const rgForceInfo rg_force_attractor;
extern const rgForceInfo rg_force_callback;

// Where an attractor is at a time [s].
rgVec3 rg_attractor_center(const rgForceDef* def, double time);

const rgForceInfo* rg_force_info(rgForceKind kind); // NULL when out of range

// The wrench at the centre of mass in world axes: evaluates, turns body axes, moves the point of
// attack. Zero for kinds that have terms only.
rgWrench rg_force_wrench(const rgForceDef* def, const rgForceView* view);

// Stiffness and damping that are finite and not negative, and not both zero.
rgStatus rg_force_check_spring(const rgForceDef* def, rgMessage* message);
// Times that increase, of `count` rows of finite numbers, `width` each.
rgStatus rg_force_check_table(const rgForceDef* def, const double* numbers, int width,
                              const char* what, rgMessage* message);
// Where `time` lies in the table: row i and the part of the way to row i + 1 (0 at the ends).
int rg_force_table_row(const rgForceDef* def, double time, double* part);

#endif
