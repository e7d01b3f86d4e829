// linkage.h - bodies that joints hold together as trees: M^-1 of the movements that the joints leave.
//
// A link moves as
//
//     v = X v_parent + S q + offset,     X (l, w) = (l + w x c, w),
//
// c being the way from the centre of its parent to its own, S its joint's axes and q their rates. A
// link without a joint is a root that moves freely; one whose parent is -1 hangs on what does not
// move in the problem. With P the matrix of all links' S, carried from link to link by X, M the
// masses and E what acts along the axes besides (armature, springs, dampers),
//
//     R = P (P' M P + E)^-1 P'
//
// is the response of the velocities to wrenches, the inverse mass of the trees.
//
// Method: articulated inertias (Featherstone 1983), one pass from the leaves to the roots. A link's
// inertia I, which includes what hangs on it, gives U = I S and D = S' U + E, and its parent gets X' (I
// - U D^-1 U') X. With D = L L', S^ = S L'^-1 and U^ = U L'^-1 are kept in place of S, U and D,
// so that a wrench p passes a joint as
//
//     y = S^' p,   p - U^ y goes to the parent,
//
// and the velocities come back by v = X v_parent + S^ (y - U^' X v_parent). Further (Rodriguez, Jain and
// Kreutz-Delgado 1992, the innovations form), for wrenches g and h with their y over all joints,
//
//     h' R g = y_h' y_g,
//
// a product over the joints between both and the root: what couples two contacts needs no way back.
//
// Cost: linear in the links, some hundreds of operations each. Fails where a pivot of D is not
// positive: axes that depend on each other, or masses that are nothing against others.
#ifndef LINKAGE_LINKAGE_H
#define LINKAGE_LINKAGE_H

#include "base/memory.h"
#include "math/sym3.h"
#include "math/vec.h"
#include <rigor/problem.h>

typedef struct rgLinkageMass {
  double mass;   // [kg]
  rgSix inertia; // [kg m2] about the centre, world axes
} rgLinkageMass;

// A symmetric 6 x 6 matrix: momentum (a l + b w, b' l + c w) of the velocity (l, w).
typedef struct rgLinkageInertia {
  rgSix a, c;
  rgMat3 b;
} rgLinkageInertia;

// A link in the order of the tree: parents before children.
typedef struct rgLinkageNode {
  int body;
  int parent; // node; -1: none
  int dof_start;
  int16_t dof_count;
  bool begun;         // while factoring: its inertia has what of its children is known
  rgVec3 from_parent; // [m] c
} rgLinkageNode;

// S^ and U^.
typedef struct rgLinkageDof {
  rgTwist axis, push;
} rgLinkageDof;

typedef struct rgLinkage {
  int count, dof_count;
  bool no_offsets; // those of all links are zero
  rgLinkageNode* nodes;
  rgLinkageDof* dofs;
  int* place;                // body -> node
  rgLinkageInertia* inertia; // scratch, by node
  rgTwist* wrench;           // scratch, by node
  double* y;                 // scratch, by dof
} rgLinkage;

enum { RG_LINKAGE_FREE = 6 }; // dofs of a free root

void rg_linkage_carve(rgLinkage* tree, int bodies, rgCarver* carver);
// The nodes of `count` links, with parents first in `order`. False when it is no such order.
bool rg_linkage_build(rgLinkage* tree, int count, const rgProblemLink* links, const int* order);
// Factors; `masses` by body, `extra` by dof: a row of E over the axes of its joint, NULL = none.
bool rg_linkage_factor(rgLinkage* tree, const rgProblemLink* links, const rgLinkageMass* masses,
                       const double (*extra)[RG_LINK_AXES]);

// Velocities that the offsets alone make, six numbers per body.
void rg_linkage_offsets(const rgLinkage* tree, const rgProblemLink* links, double* v);
// v = R wrench, both with six numbers per body; they may be the same array.
void rg_linkage_response(const rgLinkage* tree, const double* wrench, double* v);
// y of the wrenches g_a and g_b on two bodies, or -1: dof_count numbers.
void rg_linkage_direction(const rgLinkage* tree, int body_a, rgTwist g_a, int body_b, rgTwist g_b,
                          double* y);
// What the joints do: from wrenches that links lack (momentum gained less what is applied, six
// numbers per body), the wrench of each link's joint on it, about its centre. In place.
void rg_linkage_reactions(const rgLinkage* tree, double* wrench);

#endif
