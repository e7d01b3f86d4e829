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
                        .dof_count = link->row < 0 ? RG_LINKAGE_FREE : link->axis_count};
    tree->dof_count += tree->nodes[i].dof_count;
  }
  return true;
}

static rgVec3 transposed_apply(const rgMat3* a, rgVec3 x) { return m3_apply_transposed(a, x); }

static rgTwist momentum(const rgLinkageInertia* i, rgTwist v) {
  return (rgTwist){v3_add(m3_apply(&i->a, v.linear), m3_apply(&i->b, v.angular)),
                   v3_add(transposed_apply(&i->b, v.linear), m3_apply(&i->c, v.angular))};
}

static rgTwist twist_axpy(rgTwist a, double s, rgTwist b) {
  return (rgTwist){v3_axpy(a.linear, s, b.linear), v3_axpy(a.angular, s, b.angular)};
}

static rgTwist twist_scale(rgTwist a, double s) {
  return (rgTwist){v3_scale(a.linear, s), v3_scale(a.angular, s)};
}

// m -= x y'
static void take_product(rgMat3* m, rgVec3 x, rgVec3 y) {
  double left[3] = {x.x, x.y, x.z}, right[3] = {y.x, y.y, y.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      m->m[i][j] -= left[i] * right[j];
}

// X' I X added to the parent: with K = [c]x b, b' = b - a [c]x and c' = c + K' + [c]x b'.
static void add_shifted(rgLinkageInertia* parent, const rgLinkageInertia* link, rgVec3 c) {
  rgMat3 cross = m3_skew(c), k = m3_mul(&cross, &link->b), k_transposed = m3_transpose(&k);
  rgMat3 across = m3_mul(&link->a, &cross), b = m3_scale(&across, -1);
  b = m3_add(&link->b, &b);
  rgMat3 outer = m3_mul(&cross, &b), sum = m3_add(&link->c, &k_transposed);
  sum = m3_add(&sum, &outer);
  parent->a = m3_add(&parent->a, &link->a);
  parent->b = m3_add(&parent->b, &b);
  parent->c = m3_add(&parent->c, &sum);
}

static rgTwist unit_twist(int k) {
  double e[6] = {0};
  e[k] = 1;
  return (rgTwist){v3(e[0], e[1], e[2]), v3(e[3], e[4], e[5])};
}

// Turns S and U of a node into S^ and U^ by the factor of D, which is found column by column:
// S^_k is S_k without its part along the earlier ones in the product S' I S + E. Since E is not
// in the products of the vectors, D is kept beside them.
static bool factor_node(const rgLinkageInertia* inertia, rgLinkageDof* dofs, int n,
                        const double (*extra)[RG_LINK_AXES]) {
  double d[RG_LINKAGE_FREE][RG_LINKAGE_FREE];
  for (int k = 0; k < n; k++) {
    dofs[k].push = momentum(inertia, dofs[k].axis);
    for (int j = 0; j <= k; j++)
      d[k][j] = twist_dot(dofs[j].axis, dofs[k].push) + (extra ? extra[k][j] : 0);
  }
  double lower[RG_LINKAGE_FREE][RG_LINKAGE_FREE];
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < k; j++) {
      lower[k][j] = d[k][j];
      for (int l = 0; l < j; l++)
        lower[k][j] -= lower[k][l] * lower[j][l];
      lower[k][j] *= lower[j][j];
    }
    double pivot = d[k][k];
    for (int l = 0; l < k; l++)
      pivot -= lower[k][l] * lower[k][l];
    if (!(pivot > SINGULAR * d[k][k]) || !isfinite(pivot))
      return false;
    lower[k][k] = 1 / sqrt(pivot); // the diagonal holds its inverse
  }
  // S^ and U^ = S L'^-1, U L'^-1, from the untouched S and U: column k is forward substitution.
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < k; j++) {
      dofs[k].axis = twist_axpy(dofs[k].axis, -lower[k][j], dofs[j].axis);
      dofs[k].push = twist_axpy(dofs[k].push, -lower[k][j], dofs[j].push);
    }
    dofs[k].axis = twist_scale(dofs[k].axis, lower[k][k]);
    dofs[k].push = twist_scale(dofs[k].push, lower[k][k]);
  }
  return true;
}

bool rg_linkage_factor(rgLinkage* tree, const rgProblemLink* links, const rgLinkageMass* masses,
                       const double (*extra)[RG_LINK_AXES]) {
  for (int i = 0; i < tree->count; i++) {
    const rgLinkageMass* mass = &masses[tree->nodes[i].body];
    tree->inertia[i] =
        (rgLinkageInertia){m3_diag(mass->mass, mass->mass, mass->mass), m3_zero(), mass->inertia};
  }
  for (int i = tree->count - 1; i >= 0; i--) {
    rgLinkageNode* node = &tree->nodes[i];
    const rgProblemLink* link = &links[node->body];
    rgLinkageDof* dofs = tree->dofs + node->dof_start;
    bool free = link->row < 0;
    node->from_parent = link->from_parent;
    for (int k = 0; k < node->dof_count; k++)
      dofs[k].axis = free ? unit_twist(k) : link->axis[k];
    rgLinkageInertia* own = &tree->inertia[i];
    if (!factor_node(own, dofs, node->dof_count, extra && !free ? extra + node->dof_start : NULL))
      return false;
    if (node->parent < 0)
      continue;
    for (int k = 0; k < node->dof_count; k++) {
      take_product(&own->a, dofs[k].push.linear, dofs[k].push.linear);
      take_product(&own->b, dofs[k].push.linear, dofs[k].push.angular);
      take_product(&own->c, dofs[k].push.angular, dofs[k].push.angular);
    }
    add_shifted(&tree->inertia[node->parent], own, node->from_parent);
  }
  return true;
}
