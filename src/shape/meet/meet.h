// meet.h - intersections of convex shapes.
//
// The set f_i(x) <= 0 of the pieces (pieces.h) of all members, each placed in the frame of the shape. One
// member given by a function of the user is the same with one piece.
#ifndef SHAPE_MEET_MEET_H
#define SHAPE_MEET_MEET_H

#include "shape/shape.h"

enum { RG_MEET_PIECES_MAX = 48, RG_MEET_MEMBERS_MAX = 32, RG_MEET_CORNERS_MAX = 48 };

// The flat part of the surface that a flat piece has; fewer than 3 corners: none.
typedef struct rgMeetFace {
  int count;
  rgVec3 normal, corners[RG_MEET_CORNERS_MAX]; // counter-clockwise from outside
} rgMeetFace;

typedef struct rgMeetPiece {
  int member, index; // function `index` of the member
  bool flat;
  double scale; // makes a length of the value
} rgMeetPiece;

struct rgMeet {
  int member_count, piece_count, face_count;
  const rgShape* members;
  const rgConvexFunction* function; // of the user, when there is one; else NULL
  rgMeetPiece pieces[RG_MEET_PIECES_MAX];
  rgVec3 center;       // [m] well inside
  double center_value; // [m] of a user's function there, when it was added
  rgBounds box;        // [m]
  rgMassProperties mass;
  double mass_error; // relative
  rgMeetFace faces[RG_MEET_PIECES_MAX];
};

// Function i at x (frame of the shape), and whether it is without a gradient at a tip.
double rg_meet_value(const rgMeet* meet, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian);
bool rg_meet_tip(const rgMeet* meet, int i, rgVec3* tip);

// The point of the set that makes pull/2 |y - x|^2 - d.y least: support for pull = 0, foot for d = 0.
typedef struct rgMeetGoal {
  rgVec3 d, x;
  double pull;
} rgMeetGoal;
typedef struct rgMeetBest {
  rgVec3 point, inside; // inside: as found before the last digits, in the middle of a flat part
  double gap;           // the goal is not lower than here minus this, anywhere in the set
  bool bent;            // the way there showed that a user's function is not convex
} rgMeetBest;
rgMeetBest rg_meet_solve(const rgMeet* meet, const rgMeetGoal* goal, double extent);

// A point with f_i < 0 for all i into meet->center; false when there is none: the largest f_i at the point
// that makes it least, with the piece.
bool rg_meet_find_center(rgMeet* meet, double size, double* most, int* piece);
// How far the ray from x, which is inside, along d (any length) runs inside; the piece that ends it.
double rg_meet_exit(const rgMeet* meet, rgVec3 x, rgVec3 d, int without, int* piece);

// What is wrong with the answers of a user's function, and where (frame of the shape).
typedef enum rgMeetDoubtKind {
  RG_MEET_SOUND,
  RG_MEET_NOT_FINITE,
  RG_MEET_WRONG_GRADIENT,
  RG_MEET_NOT_CONVEX,
  RG_MEET_NOT_FOUND,
  RG_MEET_CHANGED,
  RG_MEET_WRONG_CONTACT
} rgMeetDoubtKind;
typedef struct rgMeetDoubt {
  rgMeetDoubtKind kind;
  rgVec3 place; // [m]
} rgMeetDoubt;
// Whether the answers at the point farthest along the unit vector d, which goes to `top`, hold together.
rgMeetDoubt rg_meet_audit(const rgShape* shape, rgVec3 d, rgVec3* top);
// [m] How far x is outside, to first order.
double rg_meet_height(const rgShape* shape, rgVec3 x);
// The doubt in words, with what is answered there now and what would be right.
void rg_meet_say(const rgShape* shape, rgMeetDoubt found, rgMessage* message);

// Of gradient times extent and of the value itself: rounding of a user's function of some hundred operations.
static const double RG_MEET_NOISE = 1e-13;

void rg_meet_find_mass(rgMeet* meet);
void rg_meet_find_faces(rgMeet* meet, double extent);

// --- As answers of rgShapeInfo -----------------------------------------------------------------------
void rg_meet_mass(const rgShape* shape, rgMassProperties* out);
rgBounds rg_meet_bounds(const rgShape* shape, rgPose pose);
rgVec3 rg_meet_support(const rgShape* shape, rgVec3 d);
void rg_meet_feature(const rgShape* shape, rgPose pose, rgVec3 d, rgFeature* out);
bool rg_meet_single(const rgShape* shape, rgVec3 d);
rgFoot rg_meet_foot(const rgShape* shape, rgVec3 x, double reach);
bool rg_meet_ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out);

#endif
