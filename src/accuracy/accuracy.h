// accuracy.h - a run whose step follows from its error: what it holds.
#ifndef ACCURACY_ACCURACY_H
#define ACCURACY_ACCURACY_H

#include "base/memory.h"
#include "math/vec.h"
#include <rigor/accuracy.h>

enum { RG_ACCURACY_LEVELS = 16 }; // a step is cut to H / 2^16 at most

// Where a body is and how it moves.
typedef struct rgAccuracyState {
  rgVec3 center; // [m]
  rgQuat orientation;
  rgTwist velocity;
} rgAccuracyState;

typedef struct rgAccuracyBody {
  bool dynamic;
  rgBodyId id;
  rgMat3 gyration; // [m2] inertia about the centre over the mass, body axes
  double apart;    // [m] largest distance of the two runs so far
  double rough;    // [m] sum of what jumps of the velocity leave open
  rgAccuracyState before, middle, after, probe; // of the interval at hand
} rgAccuracyBody;

// A snapshot of a world.
typedef struct rgAccuracyBlock {
  void* data;
  size_t size, capacity; // [bytes]
} rgAccuracyBlock;

// What one pass has come to; a snapshot holds it as it is.
typedef struct rgAccuracyPass {
  rgAccuracyReport report;
  double slack;      // [m] what solves, overlaps and joints leave: of all bodies
  double unsolved;   // [m] of these, the sum over the solves
  double last_until; // [s] how long the pass before held
  double largest;    // [m] left side of (3), over the intervals that were taken
  int32_t level;     // the next step is H / 2^level
  int32_t at;        // part of H that is done, in units of H / 2^RG_ACCURACY_LEVELS
  bool lost;         // the run of the shadow could not go on
} rgAccuracyPass;

struct rgAccuracy {
  rgWorld *world, *shadow;
  rgAllocator allocator;
  rgAccuracyDef def;
  double step;   // [s] H, the longest
  double start;  // [s]
  int64_t limit; // of steps of both worlds
  rgAccuracyBody* bodies;
  int body_count;
  rgAccuracyBlock first; // the state at the start
  rgAccuracyBlock fine;  // of the world before the interval at hand
  rgAccuracyBlock along; // of the shadow's own run
  rgAccuracyPass pass;
};

// measure.c: reads the states of all bodies; `offset` is that of the field in rgAccuracyBody.
void rg_accuracy_read(const rgAccuracy* accuracy, const rgWorld* world, size_t offset);
// [m] root mean square distance of the points of a body between two states.
double rg_accuracy_distance(const rgAccuracyBody* body, const rgAccuracyState* a,
                            const rgAccuracyState* b);
// [m/s] the same of the velocities a - 2 b + c, with b = a of two velocities only.
double rg_accuracy_speed(const rgAccuracyBody* body, rgTwist velocity);
rgTwist rg_accuracy_twist_sub(rgTwist a, rgTwist b);

// block.c: a snapshot of a world into a block, and back.
rgStatus rg_accuracy_keep(rgAccuracy* accuracy, const rgWorld* world, rgAccuracyBlock* block);
rgStatus rg_accuracy_put(const rgAccuracyBlock* block, rgWorld* world);
// Room for a block, whose contents stay; false when memory ran out.
bool rg_accuracy_reserve(rgAccuracy* accuracy, rgAccuracyBlock* block, size_t size);

// accuracy.c: the most steps of both worlds in a run that begins at `start` [s].
int64_t rg_accuracy_limit(const rgAccuracyDef* def, double start, double step);

#endif
