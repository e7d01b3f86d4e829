// wall.h - what the parts of wall.c share.
#ifndef COLLIDE_WALL_WALL_H
#define COLLIDE_WALL_WALL_H

#include "collide/collide.h"

// A contact in the frame of the wall; the normal points from the wall to the shape.
typedef struct rgWallContact {
  rgVec3 point_a, point_b, normal;
  double gap; // [m]
  uint32_t feature;
} rgWallContact;

enum { RG_WALL_CONTACTS_MAX = 64 }; // collected; thinned out when there are more

// A convex shape against one wall, in the frame of the wall.
typedef struct rgWallJob {
  const rgShape *shape, *surface;
  const rgShapeInfo* info; // of the shape
  const rgWall* wall;
  rgPose pose;   // of the shape
  rgVec3 center; // [m] a point well inside the shape
  rgFoot behind; // foot of the centre
  double reach;  // [m]
  int rim_count, count;
  rgWallRim rims[RG_WALL_RIMS_MAX];
  rgWallContact contacts[RG_WALL_CONTACTS_MAX];
} rgWallJob;

// Features are numbered within a part of the search.
enum {
  RG_WALL_VERTEX = 0,        // vertex of a polyhedron, end of a capsule
  RG_WALL_EDGE = 1 << 24,    // somewhere along an edge or an axis
  RG_WALL_CIRCLE = 2 << 24,  // on a circular edge of the shape
  RG_WALL_SMOOTH = 3 << 24,  // on a smooth surface
  RG_WALL_FARTHER = 4 << 24, // on the opposite side of a narrow wall
  RG_WALL_RIM = 5 << 24,     // on a rim of the wall
};

// Adds a contact, if it is within reach.
void rg_wall_add(rgWallJob* job, rgWallContact contact);
// Adds the contact of a ball of `radius` about x with the surface, if it touches a part of it that
// is there.
void rg_wall_add_point(rgWallJob* job, rgVec3 x, double radius, uint32_t feature);

// The parts of the search.
void rg_wall_edges(rgWallJob* job);   // minima within straight edges and axes, where it is a saddle
void rg_wall_circles(rgWallJob* job); // circular edges of the shape
void rg_wall_smooth(rgWallJob* job);  // a smooth shape
void rg_wall_rim_contacts(rgWallJob* job); // rims of the wall

// A function on a curve: value and slope at s.
typedef struct rgWallSpot {
  double s, value, slope;
} rgWallSpot;
typedef rgWallSpot rgWallFunction(void* context, double s);

// A minimum: the nearest places on either side of it that were looked at.
typedef struct rgWallValley {
  rgWallSpot low, high;
} rgWallValley;

enum { RG_WALL_SAMPLES = 32 };

// Minima of the function for s in [from, to], without those at the ends, each bracketed to rounding.
// `spread` receives the largest minus the least value that was seen.
int rg_wall_valleys(rgWallFunction* f, void* context, double from, double to,
                    rgWallValley valleys[RG_WALL_SAMPLES], double* spread);

#endif
