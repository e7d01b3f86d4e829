// large.h - one large scene on several machines, tried on one: what the parts of the bench share.
#ifndef BENCH_LARGE_H
#define BENCH_LARGE_H

#include <rigor/rigor.h>

// --- packing.c -----------------------------------------------------------------------------------

// A world of balls that fall into a box, ten layers of them. NULL when memory ran out.
rgWorld* large_world(int balls, const char* preset, int threads);

// The contact problem of the last step, and where its bodies are.
typedef struct LargeProblem {
  rgProblem problem;
  rgProblemBody* bodies;
  rgProblemContact* contacts;
  rgVec3* places; // [m] of the centres
} LargeProblem;
// The largest island. False when there is none or memory ran out.
bool large_problem_take(rgWorld* world, LargeProblem* large);
void large_problem_free(LargeProblem* large);

double large_cpu(void); // [s] of this process

// --- divide.c ------------------------------------------------------------------------------------

typedef enum LargeRule {
  LARGE_SPLIT, // a body that several parts move has its mass divided among them
  LARGE_PLAIN, // each part takes the whole mass
} LargeRule;

typedef struct LargePart {
  rgProblem problem; // its contacts, and the bodies that they touch
  rgProblemBody* bodies;
  rgProblemContact* contacts;
  int *body_of, *contact_of; // in the whole problem
  rgSolution solution;
  double* change; // scratch: velocities of its bodies and contacts
  void* work;
} LargePart;

// A problem divided among parts.
typedef struct LargeDivision {
  const rgProblem* whole;
  LargePart* parts;
  int count;
  int* copies;   // of each body: how many parts have it
  size_t bytes;  // that all parts send in one exchange
  int shared;    // bodies that several parts have
  int bordering; // contacts between bodies of different parts
  rgSolution solution;
} LargeDivision;

// Divides by halving the places of the bodies along their widest extent, again and again.
bool large_divide(const LargeProblem* large, int parts, LargeDivision* division);
void large_division_free(LargeDivision* division);
// How parts work between two exchanges.
typedef struct LargeWay {
  const char* name;
  LargeRule rule;
  double taken; // part of the change of impulses that is taken
  int sweeps;
  bool momentum;
} LargeWay;
// Sweeps each part with what the others do frozen, then exchanges. Returns the sweeps that were made in
// each part.
int large_exchange(LargeDivision* division, const LargeWay* way);

#endif
