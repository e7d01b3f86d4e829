// distribution.h - the forces at the contacts of an assembly that stands: which of them are the same in
// every equilibrium, and the equilibrium of least norm.
//
// The equilibria within the friction cones, S = { r in K : Q + H r = 0 }, are a convex set. A linear
// function of the forces is unique when it is constant on S. Let r be in the relative interior of S.
// Then S spans r + L, where L has the d with H d = 0 that at each contact lie in the span of the
// smallest face of its cone that holds r: everything where r is inside the cone, the ray of r where it
// is on the boundary, nothing where it is zero (Rockafellar 1970, section 18). So c' r is unique
// exactly when c is perpendicular to L.
//
// Faces. Equilibria in which the contacts of a set J press with d more, r - d n_J in K, are those of the
// load Q + d H n_J: the question whether it stands, asked once more. Where the answer is yes, r is inside
// the cones of J. It is asked for all contacts at once, which is enough for most assemblies, and where the
// answer is no, for each half. The mean of all equilibria that are found is inside every cone that any
// of them is inside of. d is DEPTH of the mean load of a contact: a contact that presses less in every
// equilibrium counts as one that does not press, and what varies by less counts as unique.
//
// L is asked by projecting random vectors on it (equilibrium.h): c is perpendicular to L when it is so to
// these, with probability one.
//
// Of all equilibria the one of least norm, sum |r|^2 over the contacts, is given: that of contacts that
// yield alike (docs/accuracy.md), found by rg_solve_choose. It need not be the one that acts.
#ifndef CLI_DISTRIBUTION_H
#define CLI_DISTRIBUTION_H

#include "cli/stand/assembly.h"

typedef struct CliContactForce {
  int island, contact; // where it is in the problem
  rgBodyId a, b;
  rgVec3 point, normal; // [m]; from B to A
  rgVec3 force;         // [N] on A
  double torsion;       // [N m] on A about the normal
  bool presses;         // in some equilibrium, with more than the tolerance
  bool unique;          // the whole force
  bool unique_normal;   // its normal component
  double range[2];      // [N] least and largest normal component; NaN: not asked for
} CliContactForce;

// All contacts between two bodies together.
typedef struct CliPairForce {
  rgBodyId a, b;
  int first, count;     // its contacts
  rgVec3 point, normal; // means of those of the contacts
  rgVec3 force, moment; // [N] on A, [N m] on A about the point
  bool unique_force, unique_moment, unique_normal;
  double range[2]; // [N] least and largest force along the normal; NaN: not asked for
} CliPairForce;

typedef struct CliDistribution {
  CliContactForce* contacts; // sorted by pairs
  CliPairForce* pairs;
  int contact_count, pair_count;
  bool known;  // what is unique; otherwise it was too expensive
  bool least;  // the forces have the least norm; otherwise they are some that balance
  int freedom; // dimension of the set of equilibria, joints included
  int unique_contacts, unique_normals, unique_pairs; // how many
  double tolerance;                                  // [N] what varies by less counts as unique
} CliDistribution;

// For an assembly that was just found to stand. False when memory ran out.
bool cli_distribution_find(CliAssembly* assembly, CliDistribution* distribution);
void cli_distribution_free(CliDistribution* distribution);

// range.c: the range of the normal force of every contact and of every pair that is not unique.
bool cli_distribution_ranges(CliAssembly* assembly, CliDistribution* distribution);

#endif
