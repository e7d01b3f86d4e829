// equilibrium.h - in which directions the forces of an assembly may change without any body feeling it.
//
// A direction of a contact or of a joint row that may carry force is a column of H, six numbers for
// each of the two bodies. Changes of force that no body feels are the null space of H. The projection
// of z on it is
//
//     d = z - H' y,      H H' y = H z,
//
// with a Cholesky factor of H H', one block of six rows per body, within its profile after the order
// of Cuthill and McKee 1969. Rows of H that depend on others (a free movement of a body; whatever is
// outside the plane in two dimensions) have no pivot and y = 0: the number of the others is the rank.
// Rows are scaled to a diagonal of ones first, which changes no null space.
//
// Cost: the sum of squares of the profile, 0.3 s for a wall of 1,000 blocks. Refuses where it is too
// much: piles of more than about 3,000 bodies.
#ifndef CLI_EQUILIBRIUM_H
#define CLI_EQUILIBRIUM_H

#include <rigor/rigor.h>

// What may carry force at a contact, or that it is a row of a joint.
typedef struct CliColumn {
  int contact;          // -1: a row
  rgVec3 force, torque; // of a unit, on body A at the contact point
  int body[2];
  double g[2][6];
} CliColumn;

typedef struct CliEquilibrium {
  CliColumn* columns;
  int count, room, body_count;
  int* place;    // of each body in the order of elimination
  int* first;    // of each row of the factor: its first number
  size_t* start; // and where it is kept
  double *factor, *y;
  int rank;
} CliEquilibrium;

// Room for `columns`, which are then added one by one.
bool cli_equilibrium_open(CliEquilibrium* equilibrium, int body_count, int columns);
void cli_equilibrium_free(CliEquilibrium* equilibrium);
// Adds a column; `arms` lead from the centres of mass to the point.
void cli_equilibrium_contact(CliEquilibrium* equilibrium, const rgProblemContact* contact,
                             int index, rgVec3 force, rgVec3 torque);
void cli_equilibrium_row(CliEquilibrium* equilibrium, const rgProblemRow* row);
// After the last column. False when memory ran out or the factor is too expensive.
bool cli_equilibrium_factor(CliEquilibrium* equilibrium);
// Takes `z`, a number for each column, to the nearest vector of the null space.
void cli_equilibrium_project(CliEquilibrium* equilibrium, double* z);

#endif
