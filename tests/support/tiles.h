// tiles.h - a body that rolls or slides over ground made of flush convex pieces, and its path.
//
// Coordinates are those of the ground: x along it, y across it, z up; `frame` places it, gravity
// included, in the world. In two dimensions y is left out and z is the second coordinate.
#ifndef SUPPORT_TILES_H
#define SUPPORT_TILES_H

#include "math/vec.h"
#include <rigor/rigor.h>

// A prism: the top goes from height z0 at x0 to z1 at x1, the bottom is level.
typedef struct Piece {
  double x0, x1, y0, y1, z0, z1; // [m]
} Piece;

typedef enum Making {
  MADE_OF_BODIES, // a static body for each piece
  MADE_OF_SHAPES, // one static body
  MADE_COUNT
} Making;

enum { PIECES_MAX = 160 };

typedef struct Ground {
  int dimension;
  Piece pieces[PIECES_MAX];
  int count;
  Making making;
  bool hulls;     // hulls also where a box would do; in 2D segments, the tops alone
  double bottom;  // [m] height of the bottom
  double overlap; // [m] by which pieces that ground_cut makes reach into the next ones
  rgPose frame;
} Ground;

// Starts the random numbers of this file anew.
void ground_seed(uint64_t seed);
// Level ground of one piece around the origin.
Ground ground_level(int dimension, double length, double width);
void ground_add(Ground* ground, Piece piece);
// Cuts every piece at random places into `along` parts along x and `across` parts along y.
Ground ground_cut(const Ground* ground, int along, int across);
// A random frame, making and overlap.
void ground_place(Ground* ground);

typedef enum Mover {
  MOVER_BALL,
  MOVER_CAPSULE,
  MOVER_CYLINDER,
  MOVER_ELLIPSOID,
  MOVER_BOX,
  MOVER_HULL,
  MOVER_COUNT
} Mover;
const char* mover_name(Mover mover);
// All movers are this high over level ground when they touch it [m].
extern const double MOVER_HEIGHT;
bool mover_rolls(Mover mover);
// In two dimensions: the disc, the capsule, the box and the hull.
bool mover_is_flat(Mover mover);

typedef struct Drive {
  const char* preset;
  double step; // [s]
  Mover mover;
  double speed, heading; // [m/s], [rad] against x
  rgVec3 start;          // [m] of the place below it, on level ground
  double mu;
  int threads;
} Drive;

enum { PATH_MAX_STEPS = 512 };

typedef struct Path {
  int count;
  rgVec3 position[PATH_MAX_STEPS], velocity[PATH_MAX_STEPS]; // in coordinates of the ground
  double penetration;                                        // [m] largest of all steps
} Path;

// The world with the ground and the mover, which is the last body.
rgWorld* drive_world(const Ground* ground, const Drive* drive, rgBodyId* mover);
// Runs for a number of steps, at most PATH_MAX_STEPS.
void drive_run(const Ground* ground, const Drive* drive, int steps, Path* path);

// The largest differences of two paths.
typedef struct PathDifference {
  double height, speed; // [m], [m/s] along the ground
  int step;             // where the speeds differ most
} PathDifference;
PathDifference path_difference(const Path* a, const Path* b);

#endif
