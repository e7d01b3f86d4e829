// meet_face.c - the flat parts of the surface of an intersection.
//
// The interior point method ends in the middle of the part that is farthest along the normal of a flat piece
// (meet_solve.c). From there rays in its plane, all around, find the border; where another piece ends the
// next ray the corner between is found by halving the angle. Straight sides are known by their corners,
// round ones by a point for each ray.
#include "math/trig.h"
#include "shape/meet/meet.h"

enum { AROUND = 24, HALVINGS = 45 };
// Of the extent: parts narrower than this are edges or corners.
static const double NARROW = 1e-6;

typedef struct Plane {
  const rgMeet* meet;
  int piece;
  rgVec3 middle, t, o;
} Plane;

static rgVec3 border(const Plane* plane, double angle, int* ends) {
  rgVec3 d = v3_axpy(v3_scale(plane->t, rg_cos(angle)), rg_sin(angle), plane->o);
  *ends = plane->piece;
  double t = rg_meet_exit(plane->meet, plane->middle, d, plane->piece, ends);
  return v3_axpy(plane->middle, t, d);
}

static void add(rgMeetFace* face, rgVec3 x) {
  if (face->count < RG_MEET_CORNERS_MAX)
    face->corners[face->count++] = x;
}

static void go_around(const Plane* plane, rgMeetFace* face) {
  double step = 2 * RG_PI / AROUND;
  int first, here, next;
  rgVec3 start = border(plane, 0, &first), x = start;
  here = first;
  for (int i = 0; i < AROUND; i++) {
    if (!plane->meet->pieces[here].flat)
      add(face, x);
    x = i + 1 < AROUND ? border(plane, (i + 1) * step, &next) : start;
    next = i + 1 < AROUND ? next : first;
    double low = i * step, high = low + step;
    rgVec3 corner = x;
    for (int k = 0; k < HALVINGS && next != here; k++) {
      int middle;
      corner = border(plane, 0.5 * (low + high), &middle);
      *(middle == here ? &low : &high) = 0.5 * (low + high);
    }
    if (next != here)
      add(face, corner);
    here = next;
  }
}

void rg_meet_find_faces(rgMeet* meet, double extent) {
  meet->face_count = 0;
  for (int i = 0; i < meet->piece_count; i++) {
    if (!meet->pieces[i].flat)
      continue;
    rgVec3 n;
    rgMat3 h;
    rg_meet_value(meet, i, meet->center, &n, &h);
    rgMeetGoal goal = {.d = n, .x = v3_zero()};
    rgMeetBest best = rg_meet_solve(meet, &goal, extent);
    double f = rg_meet_value(meet, i, best.inside, &n, &h);
    if (!(fabs(f) <= NARROW * extent))
      continue; // another one is in front of it
    Plane plane = {.meet = meet, .piece = i, .middle = v3_axpy(best.inside, -f, n)};
    v3_frame(n, &plane.t, &plane.o);
    rgMeetFace* face = &meet->faces[meet->face_count];
    *face = (rgMeetFace){.count = 0, .normal = n};
    go_around(&plane, face);
    double width = 0;
    for (int k = 0; k < face->count; k++)
      width = fmax(width, v3_norm(v3_sub(face->corners[k], plane.middle)));
    meet->face_count += face->count >= 3 && width > NARROW * extent;
  }
}
