// factor.c - articulated inertias of a tree (see linkage.h).
#include "linkage/linkage.h"

#include <string.h>

// A pivot of D that is no more than this part of what it is the difference of is rounding.
static const double SINGULAR = 1e-13;

void rg_linkage_carve(rgLinkage* tree, int bodies, rgCarver* carver) {
  size_t n = (size_t)bodies, dofs = RG_LINKAGE_FREE * n;
  memset(tree, 0, sizeof *tree);
  tree->nodes = rg_carve(carver, n, sizeof *tree->nodes);
  tree->dofs = rg_carve(carver, dofs, sizeof *tree->dofs);
  tree->place = rg_carve(carver, n, sizeof *tree->place);
  tree->inertia = rg_carve(carver, n, sizeof *tree->inertia);
  tree->wrench = rg_carve(carver, n, sizeof *tree->wrench);
  tree->y = rg_carve(carver, dofs, sizeof *tree->y);
}

bool rg_linkage_build(rgLinkage* tree, int count, const rgProblemLink* links, const int* order) {
  tree->count = count;
  tree->dof_count = 0;
  for (int i = 0; i < count; i++)
    tree->place[i] = -1;
  for (int i = 0; i < count; i++) {
    const rgProblemLink* link = &links[order[i]];
    bool placed = tree->place[order[i]] >= 0;
    if (placed || (link->parent >= 0 && tree->place[link->parent] < 0))
      return false;
    tree->place[order[i]] = i;
    tree->nodes[i] =
        (rgLinkageNode){.body = order[i],
                        .parent = link->parent < 0 ? -1 : tree->place[link->parent],
                        .dof_start = tree->dof_count,
                        .dof_count = (int16_t)(link->row < 0 ? RG_LINKAGE_FREE : link->axis_count)};
    tree->dof_count += tree->nodes[i].dof_count;
  }
  return true;
}

static inline __attribute__((always_inline)) rgTwist momentum(const rgLinkageInertia* i,
                                                              rgTwist v) {
  return (rgTwist){v3_add(six_apply(&i->a, v.linear), m3_apply(&i->b, v.angular)),
                   v3_add(m3_apply_transposed(&i->b, v.linear), six_apply(&i->c, v.angular))};
}

static rgTwist twist_axpy(rgTwist a, double s, rgTwist b) {
  return (rgTwist){v3_axpy(a.linear, s, b.linear), v3_axpy(a.angular, s, b.angular)};
}

static rgTwist twist_scale(rgTwist a, double s) {
  return (rgTwist){v3_scale(a.linear, s), v3_scale(a.angular, s)};
}

// m -= x x'
static void take_square(rgSix* m, rgVec3 x) {
  m->xx -= x.x * x.x, m->yy -= x.y * x.y, m->zz -= x.z * x.z;
  m->xy -= x.x * x.y, m->xz -= x.x * x.z, m->yz -= x.y * x.z;
}

// m -= x y'
static void take_product(rgMat3* m, rgVec3 x, rgVec3 y) {
  double left[3] = {x.x, x.y, x.z};
  for (int i = 0; i < 3; i++) {
    m->m[i][0] -= left[i] * y.x;
    m->m[i][1] -= left[i] * y.y;
    m->m[i][2] -= left[i] * y.z;
  }
}

static void add_six(rgSix* sum, const rgSix* six) {
  sum->xx += six->xx, sum->yy += six->yy, sum->zz += six->zz;
  sum->xy += six->xy, sum->xz += six->xz, sum->yz += six->yz;
}

// X' I X added to the parent: b' = b - a [c]x and c' = c + ([c]x b)' + [c]x b', which is symmetric.
static void add_shifted(rgLinkageInertia* parent, const rgLinkageInertia* link, rgVec3 c) {
  const rgSix *a = &link->a, *own = &link->c;
  rgVec3 rows[3] = {v3(a->xx, a->xy, a->xz), v3(a->xy, a->yy, a->yz), v3(a->xz, a->yz, a->zz)};
  rgVec3 across[3], k[3]; // columns of [c]x b' and of [c]x b
  rgMat3 b = link->b;
  for (int i = 0; i < 3; i++) {
    k[i] = v3_cross(c, m3_column(&link->b, i));
    rgVec3 less = v3_cross(rows[i], c);
    b.m[i][0] -= less.x, b.m[i][1] -= less.y, b.m[i][2] -= less.z;
  }
  for (int i = 0; i < 3; i++)
    across[i] = v3_cross(c, m3_column(&b, i));
  rgSix outer = {own->xx + k[0].x + across[0].x, own->yy + k[1].y + across[1].y,
                 own->zz + k[2].z + across[2].z, own->xy + k[0].y + across[1].x,
                 own->xz + k[0].z + across[2].x, own->yz + k[1].z + across[2].y};
  add_six(&parent->a, &link->a);
  add_six(&parent->c, &outer);
  parent->b = m3_add(&parent->b, &b);
}

static rgTwist unit_twist(int k) {
  double e[6] = {0};
  e[k] = 1;
  return (rgTwist){v3(e[0], e[1], e[2]), v3(e[3], e[4], e[5])};
}

// Turns S and U of a node into S^ and U^ by the factor of D, which is found column by column:
// S^_k is S_k without its part along the earlier ones in the product S' I S + E. Since E is not
// in the products of the vectors, D is kept beside them. What is left of I without the movements
// along S is what the parent gets. Compiled for each number of axes.
static inline __attribute__((always_inline)) bool factor_axes(rgLinkageInertia* inertia,
                                                              rgLinkageDof* dofs, int n,
                                                              const double (*extra)[RG_LINK_AXES],
                                                              bool passes) {
  rgTwist axis[RG_LINKAGE_FREE], push[RG_LINKAGE_FREE];
  double lower[RG_LINKAGE_FREE][RG_LINKAGE_FREE];
  for (int k = 0; k < n; k++) {
    axis[k] = dofs[k].axis;
    push[k] = momentum(inertia, axis[k]);
  }
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < k; j++) {
      lower[k][j] = twist_dot(axis[j], push[k]) + (extra ? extra[k][j] : 0);
      for (int l = 0; l < j; l++)
        lower[k][j] -= lower[k][l] * lower[j][l];
      lower[k][j] *= lower[j][j];
    }
    double own = twist_dot(axis[k], push[k]) + (extra ? extra[k][k] : 0), pivot = own;
    for (int l = 0; l < k; l++)
      pivot -= lower[k][l] * lower[k][l];
    if (!(pivot > SINGULAR * own) || !isfinite(pivot))
      return false;
    lower[k][k] = 1 / sqrt(pivot); // the diagonal holds its inverse
  }
  // S^ and U^ = S L'^-1, U L'^-1: column k is forward substitution.
  for (int k = 0; k < n; k++) {
    rgTwist own = axis[k], given = push[k];
    for (int j = 0; j < k; j++) {
      own = twist_axpy(own, -lower[k][j], dofs[j].axis);
      given = twist_axpy(given, -lower[k][j], dofs[j].push);
    }
    dofs[k].axis = twist_scale(own, lower[k][k]);
    dofs[k].push = given = twist_scale(given, lower[k][k]);
    if (!passes)
      continue;
    take_square(&inertia->a, given.linear);
    take_product(&inertia->b, given.linear, given.angular);
    take_square(&inertia->c, given.angular);
  }
  return true;
}

static bool factor_node(rgLinkageInertia* inertia, rgLinkageDof* dofs, int n,
                        const double (*extra)[RG_LINK_AXES], bool passes) {
  switch (n) {
  case 1:
    return factor_axes(inertia, dofs, 1, extra, passes);
  case 2:
    return factor_axes(inertia, dofs, 2, extra, passes);
  case 3:
    return factor_axes(inertia, dofs, 3, extra, passes);
  default:
    return factor_axes(inertia, dofs, n, extra, passes);
  }
}

// The inertia of a node, which begins with its own mass: at its last child, or where it has none at itself.
static rgLinkageInertia* inertia_of(const rgLinkage* tree, int i, const rgLinkageMass* masses) {
  rgLinkageNode* node = &tree->nodes[i];
  const rgLinkageMass* mass = &masses[node->body];
  if (!node->begun)
    tree->inertia[i] =
        (rgLinkageInertia){.a = {mass->mass, mass->mass, mass->mass, 0, 0, 0}, .c = mass->inertia};
  node->begun = true;
  return &tree->inertia[i];
}

static bool fail(const rgLinkage* tree) {
  for (int i = 0; i < tree->count; i++)
    tree->nodes[i].begun = false;
  return false;
}

bool rg_linkage_factor(rgLinkage* tree, const rgProblemLink* links, const rgLinkageMass* masses,
                       const double (*extra)[RG_LINK_AXES]) {
  for (int i = tree->count - 1; i >= 0; i--) {
    rgLinkageNode* node = &tree->nodes[i];
    const rgProblemLink* link = &links[node->body];
    rgLinkageDof* dofs = tree->dofs + node->dof_start;
    bool free = link->row < 0;
    node->from_parent = link->from_parent;
    for (int k = 0; k < node->dof_count; k++)
      dofs[k].axis = free ? unit_twist(k) : link->axis[k];
    rgLinkageInertia* own = inertia_of(tree, i, masses);
    node->begun = false; // for the next time
    if (!factor_node(own, dofs, node->dof_count, extra && !free ? extra + node->dof_start : NULL,
                     node->parent >= 0))
      return fail(tree);
    if (node->parent >= 0)
      add_shifted(inertia_of(tree, node->parent, masses), own, node->from_parent);
  }
  return true;
}
