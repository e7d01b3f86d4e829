// contact.h - shapes of the world, the contacts between them, and how contacts are found.
#ifndef WORLD_CONTACT_H
#define WORLD_CONTACT_H

#include "base/memory.h"
#include "collide/answers.h"
#include "collide/broad/broad.h"
#include "collide/collide.h"
#include "math/vec.h"
#include "shape/shape.h"
#include <rigor/world.h>

// How a shape has moved since the last search for contacts: a point p by shift + turn x (p - origin).
typedef struct rgMovement {
  float shift[3]; // [m]
  float turn[3];  // [rad]
  float most;     // [m] no point of it has moved farther; INFINITY: as if it had come from far away
} rgMovement;

// What pairs and contacts ask of a shape is in two cache lines, with the movement of its body: they
// visit shapes in no particular order.
typedef struct rgWorldShape {
  _Alignas(RG_ALIGNMENT) rgPose pose; // of the shape frame in the world
  double ball;                        // [m] radius of a sphere, 0 for others
  // Of its body at the time when the contacts were found.
  rgVec3 velocity;              // [m/s]
  double travel, shift, thrust; // [m]
  rgShape* shape;
  int material;
  int body; // slot

  int next; // next shape of the same body, -1 at the end
  int proxy;
  bool alive;
  int index;           // index in the id of the shape
  uint32_t generation; // generation in the id of the shape
  rgMovement moved;    // of a search alone
} rgWorldShape;

// The law between two materials. `direction_side` says whose body carries the friction direction
// (0 none, 1 A, 2 B). Where either could (`contested`), it is the body of the shape with the lower
// index.
typedef struct rgLaw {
  rgMaterial material;
  int direction_side;
  bool contested;
} rgLaw;

// A material that the user gave to two materials together.
typedef struct rgPairMaterial {
  int a, b;
  rgMaterial material;
} rgPairMaterial;

// The size of a sphere is its radius, which is at hand: most pairs of a heap of spheres are apart, and the shape would
// be read for nothing else.
static inline double rg_shape_size(const rgWorldShape* shape) {
  return shape->ball > 0 ? shape->ball : shape->shape->size;
}
static inline double rg_smaller_size(const rgWorldShape* a, const rgWorldShape* b) {
  double size_a = rg_shape_size(a), size_b = rg_shape_size(b);
  return size_a < size_b ? size_a : size_b;
}

// A contact at the present configuration. Contacts of one manifold follow each other.
typedef struct rgWorldContact {
  rgVec3 normal;           // from B to A
  rgVec3 point_a, point_b; // [m] where they will touch: on the surface of A, and of B
  double gap;              // [m]
  rgVec3 impulse;          // [N s] on A: of the last step, and the guess for the next one
  double torsion;          // [N m s] about the normal
  int body_a, body_b, shape_a, shape_b; // slots
  int material_a, material_b;
  double size; // [m] of the smaller shape
  // In patches that twist (patches.c) the part of the area that it stands for, negative at corners;
  // 0 in others.
  double share;
  uint32_t key, feature;
  bool ball_a, ball_b; // the shape is a sphere
} rgWorldContact;

// Features from here on are places inside a patch.
#define RG_INSIDE_FEATURE 0xffffff00u

typedef struct rgPair {
  uint32_t a, b; // shape slots, a < b
  int contact_start, contact_count;
  int worker;  // during the search: whose memory holds the contacts, or one of the values below
  float reach; // [m] of the last search
  float
      drift; // [m] no point of its shapes has moved farther since; INFINITY: contacts cannot follow
  rgPairHint hint;
} rgPair;
enum { RG_PAIR_KEPT = -1, RG_PAIR_UNDONE = -2 };

// A shape of the same rigid group that may touch the shape whose list this is in.
typedef struct rgNeighbour {
  rgBounds common; // [m] where both may be, in the frame of the group (seams.c)
  int shape;       // slot
} rgNeighbour;

// The first pair whose contacts are not known because a function of the user cannot be believed.
typedef struct rgUnknown {
  int pair;  // INT_MAX: none
  int shape; // slot
  rgMeetDoubt doubt;
} rgUnknown;

// Memory of one worker thread, which no other one writes beside it.
typedef struct rgWorker {
  _Alignas(RG_ALIGNMENT) rgManifoldList manifolds;
  rgWorldContact* contacts;
  int contact_count, contact_capacity;
  int contacts_wanted; // room for which the last pair asked,
  int contacts_most;   // and the most that one of this search did
  int contacts_spare;  // the most that a pair of this search asked for beyond what it took
  bool lacked_room;    // for the contacts of some pair
  rgUnknown unknown;
  void* work;
  int work_capacity; // [cache lines]
  // [bytes] for the islands that it has seen, and for those that are solved side by side
  size_t work_wanted, work_beside;
  void* factor;        // that a solver asks for beyond its work
  int factor_capacity; // [cache lines]
} rgWorker;

#endif
