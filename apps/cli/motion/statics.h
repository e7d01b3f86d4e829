// statics.h - can a system at rest stay at rest, with friction? A question with a proof either way.
//
// Forces r in the friction cones that balance the load Q show that it can: Q + H r = 0. That it
// cannot is shown by a motion v along which the load does work, while every contact only opens:
//     Q'v > 0,   u_n >= mu |u_T|  with u = H'v.
// For then (Q + H r)'v = Q'v + r'u > 0 for every r in the cones: nothing balances. One of the two
// exists, and the least net force in the kinetic norm, min |Q + H r| over the cones, finds it: it
// is zero, or its direction is such a v.
#ifndef CLI_STATICS_H
#define CLI_STATICS_H

#include <rigor/rigor.h>

typedef enum CliStatics {
  CLI_STATICS_STANDS,   // shown: forces balance
  CLI_STATICS_MOVES,    // shown: nothing balances
  CLI_STATICS_UNDECIDED // neither was shown within the tolerance
} CliStatics;

// For one island of a step from rest: v_free holds h times the free accelerations. RG_ERROR_MEMORY
// when memory ran out.
rgStatus cli_statics(const rgProblem* problem, CliStatics* verdict);
// The same from a start, with the proof as its answer: the forces times h are in r and lambda, the
// motion is v. `work` has cli_statics_work_size bytes.
size_t cli_statics_work_size(const rgProblem* problem);
CliStatics cli_statics_proof(const rgProblem* problem, rgSolution* solution, void* work);
// Q'v = v_free' M v: what the load does along the velocities v.
double cli_statics_work(const rgProblem* problem, const double* v);

#endif
