// canon.h - motions that are known in closed form, as worlds: one moving body that is watched, with
// parameters that a seed chooses.
#ifndef SUPPORT_CANON_H
#define SUPPORT_CANON_H

#include "math/vec.h"
#include <rigor/rigor.h>

enum { CANON_PARAMETERS = 6 };

typedef struct Canon Canon;
struct Canon {
  const char* name;
  double lower[CANON_PARAMETERS], upper[CANON_PARAMETERS]; // ranges of the parameters
  double time;                                             // [s] how long it is watched
  rgBodyId (*build)(rgWorld* world, const double* p);
  rgPose (*exact)(double t, const double* p); // of the centre
};

const Canon* canon(int index); // NULL past the end
// Parameters of a case, the same for the same seed.
void canon_draw(const Canon* canon, uint64_t seed, double p[CANON_PARAMETERS]);
// A world of it with the given options; *body is the one that is watched.
rgWorld* canon_world(const Canon* canon, const rgOptions* options, const double* p, rgBodyId* body);
// [m] root mean square distance of the points of a body from where they are when its centre has
// this pose.
double canon_distance(const rgWorld* world, rgBodyId body, rgPose exact);

#endif
