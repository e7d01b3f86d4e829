// masonry.h - dry masonry without mortar: a wall, an arch, a tower of planks (Renouf et al. 2005,
// section 8.3), and what limit analysis says of the arch.
#ifndef EXPERIMENTS_MASONRY_H
#define EXPERIMENTS_MASONRY_H

#include "experiments/experiment.h"

enum { MASONRY_STONES = 128 };

// Stones on the ground, each touching its neighbours, at rest.
typedef struct Masonry {
  rgWorld* world;
  rgBodyId stones[MASONRY_STONES];
  rgVec3 start[MASONRY_STONES]; // [m] where their centres were
  int count;
  double size; // [m] shortest edge of a stone
} Masonry;

// The functions below make worlds with these options and this coefficient of friction. False, with a
// failure in the report, when one cannot be made.

// A wall in running bond: courses of 10 blocks of 0.4 x 0.2 x 0.2 m, and of 9 with a half one at each
// end, in turn.
bool masonry_wall(ExperimentReport* report, const rgOptions* options, double mu, int courses,
                  Masonry* out);
// A semicircular arch of so many equal voussoirs with radial joints, of mean radius 1 m; thickness
// in mean radii.
bool masonry_arch(ExperimentReport* report, const rgOptions* options, double mu, int voussoirs,
                  double thickness, Masonry* out);
// Six floors of 17 planks with edges as 15 : 3 : 1. A floor has five planks side by side, each on
// two others that stand upright below its ends; the middle one has two more. Floors are turned by a
// right angle against each other.
bool masonry_tower(ExperimentReport* report, const rgOptions* options, double mu, Masonry* out);
void masonry_release(Masonry* masonry);

// The largest distance of a stone's centre from where it was [m].
double masonry_drift(const Masonry* masonry);

// The least thickness, in mean radii, of a semicircular arch of so many voussoirs that do not slide,
// by limit analysis: see masonry_thrust.c.
double masonry_least_thickness(int voussoirs);

#endif
