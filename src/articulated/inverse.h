// inverse.h - the trees of a world, and the two forms of inverse dynamics on them.
//
// Links are the dynamic bodies, in an order in which a parent comes before its children. The joint of
// a link leads to its parent: another link, or what is held (the ground, a static or a kinematic
// body). A tree that is held nowhere has a root without a joint, its link of the lowest index.
#ifndef ARTICULATED_INVERSE_H
#define ARTICULATED_INVERSE_H

#include "world/world.h"
#include <rigor/inverse.h>

enum { RG_INVERSE_ROW_MAX = RG_JOINT_FIXED_MAX + RG_JOINT_AXIS_MAX };

// A joint as the equations see it.
typedef struct rgInverseRows {
  int count;                           // of the rows that carry a multiplier
  rgJointRow rows[RG_INVERSE_ROW_MAX]; // J first, then H (Cline 2002, eq. 5.5)
  int axis[RG_INVERSE_ROW_MAX];        // free axis of a row of H, -1 of J
  rgVec3 arm_b;                        // [m]
} rgInverseRows;

typedef struct rgInverseLink {
  int slot;   // of the body
  int parent; // link, -1: none or held
  int joint;  // slot of the joint to the parent, -1: root of a tree that nothing holds
  int side;   // 0 when the link is A of that joint, 1 when it is B
  int tree;   // number of its tree
} rgInverseLink;

struct rgInverse {
  rgWorld* world;
  rgInverseForm form;
  int body_count, joint_count; // when it was made
  uint32_t generation;
  int link_count, tree_count;
  int loop; // slot of a joint that closes a loop or does not hold six directions, -1: there is none
  RG_ARRAY(rgInverseLink, links);
  RG_ARRAY(int, link_of);          // by body slot; -1: not dynamic
  RG_ARRAY(rgInverseRows, joints); // by joint slot
  RG_ARRAY(double, multipliers);   // RG_INVERSE_ROW_MAX per joint slot
  RG_ARRAY(rgWrench, needed);      // by link: what joints must do to it
  RG_ARRAY(double, dense);         // workspace of the full form
};

// The multipliers of all joints and, in place of `needed`, what is missing at each link.
rgStatus rg_inverse_solve_tree(rgInverse* inverse);
rgStatus rg_inverse_solve_full(rgInverse* inverse);

// G' x of one side of a row, added to a wrench.
static inline void rg_inverse_add_row(rgWrench* wrench, rgTwist g, double multiplier) {
  wrench->force = v3_axpy(wrench->force, multiplier, g.linear);
  wrench->torque = v3_axpy(wrench->torque, multiplier, g.angular);
}

#endif
