// inverse_full.c - all multipliers from one system (Cline 2002, section 5.1.1).
//
// Muscle forces are f_m = H' tau (eq. 5.1). With the accelerations known, the equations of motion with
// constraint forces J' lambda (eq. 5.2) are linear in the multipliers,
//
//     ( J'  H' ) ( lambda ; tau ) = M dv/dt - f_ext          (eq. 5.3),
//
// J and H having the rows of eq. 5.5 for each joint: equal and opposite on its two bodies, and of rank
// six together (eq. 5.4). Here H also has rows for axes that slide.
//
// Method. The columns of A = (J' H') that belong to one tree of bodies are taken together. For bodies
// held by a tree of joints A is square; joints that close loops make it wide, and the thesis does not
// say what then: here it is the solution of least norm, x = Q R^-T b with A' = Q R by Householder
// reflections, whose condition is that of A. For a tree that nothing holds, the equations of its root
// follow from the others only if the motion is possible without a hand that helps: they are left out,
// and what they miss is told.
//
// 4/3 n^3 operations for n equations. Fails where the joints of a body cannot give any wrench, as with
// bodies that only distance joints hold.
#include "articulated/inverse.h"

#include "base/message.h"

#include <string.h>

// A pivot of R below this part of the largest one means that rows depend on each other.
static const double DEPENDENT = 1e-11;
enum { EQUATIONS_MAX = 6000 }; // of one tree: 288 MB of workspace

// A' of a tree: one column per equation, one row per multiplier.
typedef struct Dense {
  int equations, unknowns;
  double* a;         // a[equation * unknowns + unknown]
  double *b, *x, *r; // right side, solution, diagonal of R
} Dense;

static double dot(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += a[i] * b[i];
  return sum;
}

// Householder QR of A', columns in place: v in the lower part, R above it and in r.
static bool factorize(Dense* d) {
  double largest = 0;
  for (int k = 0; k < d->equations; k++) {
    double* v = d->a + (size_t)k * (size_t)d->unknowns;
    int rest = d->unknowns - k;
    double norm = sqrt(dot(v + k, v + k, rest));
    largest = fmax(largest, norm);
    if (!(norm > DEPENDENT * largest))
      return false;
    d->r[k] = v[k] > 0 ? -norm : norm;
    v[k] -= d->r[k];
    double scale = 2 / dot(v + k, v + k, rest);
    for (int j = k + 1; j < d->equations; j++) {
      double* column = d->a + (size_t)j * (size_t)d->unknowns;
      double s = scale * dot(v + k, column + k, rest);
      for (int i = k; i < d->unknowns; i++)
        column[i] -= s * v[i];
    }
  }
  return true;
}

// x = Q R^-T b
static void solve(Dense* d) {
  memset(d->x, 0, (size_t)d->unknowns * sizeof *d->x);
  for (int k = 0; k < d->equations; k++) {
    const double* column = d->a + (size_t)k * (size_t)d->unknowns;
    d->x[k] = (d->b[k] - dot(column, d->x, k)) / d->r[k];
  }
  for (int k = d->equations - 1; k >= 0; k--) {
    const double* v = d->a + (size_t)k * (size_t)d->unknowns;
    int rest = d->unknowns - k;
    double s = 2 * dot(v + k, d->x + k, rest) / dot(v + k, v + k, rest);
    for (int i = k; i < d->unknowns; i++)
      d->x[i] -= s * v[i];
  }
}

static int tree_of(const rgInverse* inverse, const rgJoint* joint) {
  const int slots[2] = {joint->body_a, joint->body_b};
  for (int i = 0; i < 2; i++)
    if (slots[i] >= 0 && inverse->link_of[slots[i]] >= 0)
      return inverse->links[inverse->link_of[slots[i]]].tree;
  return -1;
}

static bool in_tree(const rgInverse* inverse, int joint, int tree) {
  const rgJoint* it = &inverse->world->joints[joint];
  return it->alive && tree_of(inverse, it) == tree;
}

// Links of a tree are neighbours in the order of links; its root, if nothing holds it, is the first.
typedef struct Part {
  int first, end; // links
  int skipped;    // 1: the equations of the root are left out
} Part;

static Part part_of(const rgInverse* inverse, int tree) {
  Part part = {.first = -1};
  for (int i = 0; i < inverse->link_count; i++) {
    if (inverse->links[i].tree != tree)
      continue;
    if (part.first < 0) {
      part.first = i;
      part.skipped = inverse->links[i].joint < 0;
    }
    part.end = i + 1;
  }
  return part;
}

// Where the equations of a body begin, -1: it has none.
static int equation_of(const rgInverse* inverse, const Part* part, int slot) {
  int link = slot < 0 ? -1 : inverse->link_of[slot];
  int index = link - part->first - part->skipped;
  return link < 0 || index < 0 ? -1 : 6 * index;
}

static void put(Dense* d, int equation, int unknown, rgTwist g) {
  for (int c = 0; c < 3 && equation >= 0; c++) {
    d->a[(size_t)(equation + c) * (size_t)d->unknowns + (size_t)unknown] = v3_get(g.linear, c);
    d->a[(size_t)(equation + 3 + c) * (size_t)d->unknowns + (size_t)unknown] = v3_get(g.angular, c);
  }
}

static void fill(const rgInverse* inverse, const Part* part, int tree, Dense* d) {
  int unknown = 0;
  for (int j = 0; j < inverse->world->joint_slots; j++) {
    const rgJoint* joint = &inverse->world->joints[j];
    const rgInverseRows* rows = &inverse->joints[j];
    for (int k = 0; in_tree(inverse, j, tree) && k < rows->count; k++, unknown++) {
      put(d, equation_of(inverse, part, joint->body_a), unknown, rows->rows[k].g_a);
      put(d, equation_of(inverse, part, joint->body_b), unknown, rows->rows[k].g_b);
    }
  }
  for (int i = part->first + part->skipped; i < part->end; i++) {
    double* b = d->b + 6 * (i - part->first - part->skipped);
    const rgWrench* w = &inverse->needed[i];
    for (int c = 0; c < 3; c++) {
      b[c] = v3_get(w->force, c);
      b[c + 3] = v3_get(w->torque, c);
    }
  }
}

// Takes what the joints do from what the links need.
static void take(rgInverse* inverse, int tree, const Dense* d) {
  int unknown = 0;
  for (int j = 0; j < inverse->world->joint_slots; j++) {
    const rgJoint* joint = &inverse->world->joints[j];
    const rgInverseRows* rows = &inverse->joints[j];
    for (int k = 0; in_tree(inverse, j, tree) && k < rows->count; k++, unknown++) {
      double x = inverse->multipliers[RG_INVERSE_ROW_MAX * j + k] = d->x[unknown];
      const int slots[2] = {joint->body_a, joint->body_b};
      for (int side = 0; side < 2; side++)
        if (slots[side] >= 0 && inverse->link_of[slots[side]] >= 0)
          rg_inverse_add_row(&inverse->needed[inverse->link_of[slots[side]]],
                             side ? rows->rows[k].g_b : rows->rows[k].g_a, -x);
    }
  }
}

static rgStatus solve_part(rgInverse* inverse, int tree) {
  Part part = part_of(inverse, tree);
  Dense d = {.equations = 6 * (part.end - part.first - part.skipped)};
  for (int j = 0; j < inverse->world->joint_slots; j++)
    d.unknowns += in_tree(inverse, j, tree) ? inverse->joints[j].count : 0;
  if (d.equations == 0)
    return RG_OK;
  rgWorld* world = inverse->world;
  if (d.equations > EQUATIONS_MAX)
    return rg_world_fail(
        world, RG_ERROR_UNSUPPORTED,
        "%d bodies hang together, the full form takes at most %d; use the form tree",
        d.equations / 6, EQUATIONS_MAX / 6);
  if (d.unknowns < d.equations)
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "%d bodies have joints with %d multipliers, %d are needed: their joints "
                         "cannot give them any motion",
                         d.equations / 6, d.unknowns, d.equations);
  size_t matrix = (size_t)d.equations * (size_t)d.unknowns;
  size_t room = matrix + 2 * (size_t)d.equations + (size_t)d.unknowns;
  if (!RG_SET_RESERVE(world, inverse, dense, (int)room))
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for %d equations", d.equations);
  memset(inverse->dense, 0, room * sizeof *inverse->dense);
  d.a = inverse->dense;
  d.b = d.a + matrix;
  d.r = d.b + d.equations;
  d.x = d.r + d.equations;
  fill(inverse, &part, tree, &d);
  if (!factorize(&d))
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "the joints of %d bodies depend on each other: they cannot give them any "
                         "motion",
                         d.equations / 6);
  solve(&d);
  take(inverse, tree, &d);
  // What is left of the equations that were solved is rounding.
  for (int i = part.first + part.skipped; i < part.end; i++)
    inverse->needed[i] = (rgWrench){v3_zero(), v3_zero()};
  return RG_OK;
}

rgStatus rg_inverse_solve_full(rgInverse* inverse) {
  rgStatus status = RG_OK;
  for (int tree = 0; tree < inverse->tree_count && status == RG_OK; tree++)
    status = solve_part(inverse, tree);
  return status;
}
