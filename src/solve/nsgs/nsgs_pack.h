// nsgs_pack.h - what packing is made of: manifolds in their order, and a form that writes them into lanes.
#ifndef SOLVE_NSGS_NSGS_PACK_H
#define SOLVE_NSGS_NSGS_PACK_H

#include "solve/nsgs/nsgs.h"

typedef struct rgNsgsManifold {
  int32_t first, count; // contacts
  int32_t key;  // place in the order: balls by colour and whether they press, then the others by
                // these and by the number of points; the last key when visited alone
  int32_t slot; // of balls: place among the lanes of all batches of them
} rgNsgsManifold;

// Manifolds of one colour that press at the start are apart from those that do not, so that batches of
// the latter can rest (nsgs_kernel.h).
enum { RG_NSGS_GROUPS = 2 * RG_NSGS_COLOURS };

// Scratch for packing and the pieces whose size follows from the problem alone.
typedef struct rgNsgsScratch {
  rgNsgsManifold* manifolds;
  int32_t* order;
  int32_t* starts;    // per batch of others: place of its first manifold in the order
  rgBallMass* masses; // per body
} rgNsgsScratch;

// What is filled in by several threads: blocks of manifolds for balls, of batches for others.
typedef struct rgNsgsFilling {
  rgNsgs* nsgs;
  const rgProblem* problem;
  const double* r;
  const rgNsgsScratch* scratch;
  int manifolds, batched; // all, and those in batches
} rgNsgsFilling;

enum { RG_NSGS_BALLS_PER_TASK = 512, RG_NSGS_BATCHES_PER_TASK = 64 };

struct rgNsgsForm {
  bool single;
  int lanes;
  size_t real, ball, batch, point; // [bytes] a number, and the records of nsgs_form.h
  const rgNsgsKernel* plain;
  const rgNsgsKernel* (*avx2)(void); // NULL where there is none
  // Filling: a batch of balls with empty lanes, tasks with a filling as context, M of some bodies of the packed form.
  void (*clear_ball)(rgNsgs* nsgs, int index);
  rgTaskFunction *fill_balls, *fill_batches;
  rgRangeFunction* fill_metric;
  // Where the velocities of the bodies of a batch are: of A in each lane, then of B; a dummy, behind all bodies, for
  // what does not move.
  const int32_t* (*places)(const rgNsgs* nsgs, bool ball, int index);
  // The iterate: impulse of a contact in a batch, in and out; six numbers of some bodies in; velocity of a body,
  // and a change of it.
  void (*load)(rgNsgs* nsgs, int contact, const double* r);
  void (*store)(const rgNsgs* nsgs, int contact, double r[4]);
  void (*load_velocity)(rgNsgs* nsgs, const double* v, int first, int end);
  rgTwist (*twist)(const rgNsgs* nsgs, int body);
  void (*add_twist)(const rgNsgs* nsgs, int body, rgTwist change);
};
extern const rgNsgsForm rg_nsgs_form_double, rg_nsgs_form_single;

extern const rgNsgsKernel rg_nsgs_kernel_plain, rg_nsgs_kernel_single;
const rgNsgsKernel* rg_nsgs_kernel_avx2(void);
const rgNsgsKernel* rg_nsgs_kernel_single_avx2(void);

#endif
