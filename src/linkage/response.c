// response.c - wrenches through a tree, and the velocities that they make (see linkage.h).
#include "linkage/linkage.h"

#include <string.h>

static rgTwist twist_at(const double* v, int body) {
  const double* b = v + 6 * (size_t)body;
  return (rgTwist){v3(b[0], b[1], b[2]), v3(b[3], b[4], b[5])};
}

static void put(double* v, int body, rgTwist twist) {
  double* b = v + 6 * (size_t)body;
  b[0] = twist.linear.x, b[1] = twist.linear.y, b[2] = twist.linear.z;
  b[3] = twist.angular.x, b[4] = twist.angular.y, b[5] = twist.angular.z;
}

static rgTwist twist_add(rgTwist a, rgTwist b) {
  return (rgTwist){v3_add(a.linear, b.linear), v3_add(a.angular, b.angular)};
}

static rgTwist twist_axpy(rgTwist a, double s, rgTwist b) {
  return (rgTwist){v3_axpy(a.linear, s, b.linear), v3_axpy(a.angular, s, b.angular)};
}

// X v
static rgTwist carried(rgTwist v, rgVec3 c) {
  return (rgTwist){v3_add(v.linear, v3_cross(v.angular, c)), v.angular};
}

// X' p
static rgTwist handed_on(rgTwist p, rgVec3 c) {
  return (rgTwist){p.linear, v3_add(p.angular, v3_cross(c, p.linear))};
}

// y += S^' p of a node; returns what its parent gets.
static rgTwist pass(const rgLinkage* tree, const rgLinkageNode* node, rgTwist p, double* y) {
  const rgLinkageDof* dofs = tree->dofs + node->dof_start;
  double own[RG_LINKAGE_FREE];
  for (int k = 0; k < node->dof_count; k++) {
    own[k] = twist_dot(dofs[k].axis, p);
    y[node->dof_start + k] = own[k];
  }
  if (node->parent < 0)
    return p;
  for (int k = 0; k < node->dof_count; k++)
    p = twist_axpy(p, -own[k], dofs[k].push);
  return handed_on(p, node->from_parent);
}

void rg_linkage_direction(const rgLinkage* tree, int body_a, rgTwist g_a, int body_b, rgTwist g_b,
                          double* y) {
  memset(y, 0, (size_t)tree->dof_count * sizeof *y);
  int a = body_a < 0 ? -1 : tree->place[body_a], b = body_b < 0 ? -1 : tree->place[body_b];
  // The later of both goes on, so that they meet where their ways to the root do.
  while (a >= 0 || b >= 0) {
    if (a == b) {
      g_a = twist_add(g_a, g_b);
      b = -1;
    }
    bool first = a > b;
    const rgLinkageNode* node = &tree->nodes[first ? a : b];
    rgTwist next = pass(tree, node, first ? g_a : g_b, y);
    if (first) {
      g_a = next;
      a = node->parent;
    } else {
      g_b = next;
      b = node->parent;
    }
  }
}

void rg_linkage_response(const rgLinkage* tree, const double* wrench, double* v) {
  for (int i = 0; i < tree->count; i++)
    tree->wrench[i] = twist_at(wrench, tree->nodes[i].body);
  rgTwist next = {v3_zero(), v3_zero()}, own = next; // of the node before
  for (int i = tree->count - 1, into = -1; i >= 0; i--) {
    const rgLinkageNode* node = &tree->nodes[i];
    rgTwist p = into == i ? twist_add(tree->wrench[i], next) : tree->wrench[i];
    next = pass(tree, node, p, tree->y);
    into = node->parent;
    if (into >= 0 && into != i - 1) // what is read at once stays where it is
      tree->wrench[into] = twist_add(tree->wrench[into], next);
  }
  for (int i = 0; i < tree->count; i++) {
    const rgLinkageNode* node = &tree->nodes[i];
    const rgLinkageDof* dofs = tree->dofs + node->dof_start;
    const double* y = tree->y + node->dof_start;
    rgTwist given = {v3_zero(), v3_zero()};
    if (node->parent >= 0)
      given = carried(node->parent == i - 1 ? own : twist_at(v, tree->nodes[node->parent].body),
                      node->from_parent);
    own = given;
    for (int k = 0; k < node->dof_count; k++) {
      double rate = node->parent < 0 ? y[k] : y[k] - twist_dot(dofs[k].push, given);
      own = twist_axpy(own, rate, dofs[k].axis);
    }
    put(v, node->body, own);
  }
}

void rg_linkage_offsets(const rgLinkage* tree, const rgProblemLink* links, double* v) {
  rgTwist own = {v3_zero(), v3_zero()};
  for (int i = 0; i < tree->count; i++) {
    const rgLinkageNode* node = &tree->nodes[i];
    const rgProblemLink* link = &links[node->body];
    rgTwist given = own; // of the node before
    own = link->row < 0 ? (rgTwist){v3_zero(), v3_zero()} : link->offset;
    if (node->parent >= 0 && node->parent != i - 1)
      given = twist_at(v, tree->nodes[node->parent].body);
    if (node->parent >= 0)
      own = twist_add(own, carried(given, link->from_parent));
    put(v, node->body, own);
  }
}

void rg_linkage_reactions(const rgLinkage* tree, double* wrench) {
  rgTwist sum = {v3_zero(), v3_zero()}; // of the node that the last one hangs on
  for (int i = tree->count - 1, known = -1; i >= 0; i--) {
    const rgLinkageNode* node = &tree->nodes[i];
    rgTwist own = known == i ? sum : twist_at(wrench, node->body);
    known = node->parent;
    if (known < 0)
      continue;
    int parent = tree->nodes[known].body;
    rgTwist on = handed_on(own, node->from_parent);
    sum = twist_add(twist_at(wrench, parent), on);
    put(wrench, parent, sum);
  }
}
