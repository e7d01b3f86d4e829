// matrix.c - which function finds the contacts of which pair of kinds.
//
// The matrix holds the pairs that have a better way than the general one. Only its upper triangle
// is filled: rg_collide orders the pair by kind, calls the function and, when it had to swap,
// swaps the sides of the manifolds. Pairs that are not in it are served by what the shapes can
// answer (rgShapeInfo): any convex shape of finite size against another, against a half-space,
// against a surface and against a wall. Shapes that cannot be put on free bodies (half-space, mesh,
// field, walls) do not collide with one another. The flat shapes of 2D worlds all have outlines and share one function.
#include "collide/answers.h"
#include "collide/pair/pairs.h"
#include "shape/solid/rounding.h"

// Rows: first shape. Columns: second shape, in the order of rgShapeKind.
// clang-format off
static rgPairFunction* const pair_matrix[RG_SHAPE_KIND_COUNT][RG_SHAPE_KIND_COUNT] = {
    [RG_SHAPE_SPHERE] = {
        [RG_SHAPE_SPHERE]    = rg_pair_sphere_sphere,
        [RG_SHAPE_BOX]       = rg_pair_sphere_convex,
        [RG_SHAPE_CAPSULE]   = rg_pair_sphere_convex,
        [RG_SHAPE_CYLINDER]  = rg_pair_sphere_convex,
        [RG_SHAPE_ELLIPSOID] = rg_pair_sphere_convex,
        [RG_SHAPE_HULL]      = rg_pair_sphere_convex,
        [RG_SHAPE_HALFSPACE] = rg_pair_sphere_halfspace,
        [RG_SHAPE_MESH]      = rg_surface_pair,
        [RG_SHAPE_FIELD]     = rg_surface_pair,
    },
    [RG_SHAPE_BOX] = {
        [RG_SHAPE_BOX]       = rg_pair_box_box,
        [RG_SHAPE_CAPSULE]   = rg_pair_box_capsule,
        [RG_SHAPE_CYLINDER]  = rg_pair_box_cylinder,
        [RG_SHAPE_ELLIPSOID] = rg_pair_box_ellipsoid,
        [RG_SHAPE_HULL]      = rg_pair_box_hull,
        [RG_SHAPE_HALFSPACE] = rg_pair_box_halfspace,
        [RG_SHAPE_MESH]      = rg_surface_pair,
        [RG_SHAPE_FIELD]     = rg_surface_pair,
    },
    [RG_SHAPE_CAPSULE] = {
        [RG_SHAPE_CAPSULE]   = rg_pair_capsule_capsule,
        [RG_SHAPE_CYLINDER]  = rg_pair_capsule_cylinder,
        [RG_SHAPE_ELLIPSOID] = rg_pair_capsule_ellipsoid,
        [RG_SHAPE_HULL]      = rg_pair_capsule_hull,
        [RG_SHAPE_HALFSPACE] = rg_pair_capsule_halfspace,
        [RG_SHAPE_MESH]      = rg_surface_pair,
        [RG_SHAPE_FIELD]     = rg_surface_pair,
    },
    [RG_SHAPE_CYLINDER] = {
        [RG_SHAPE_CYLINDER]  = rg_pair_cylinder_cylinder,
        [RG_SHAPE_ELLIPSOID] = rg_pair_cylinder_ellipsoid,
        [RG_SHAPE_HULL]      = rg_pair_cylinder_hull,
        [RG_SHAPE_HALFSPACE] = rg_pair_cylinder_halfspace,
        [RG_SHAPE_MESH]      = rg_surface_pair,
        [RG_SHAPE_FIELD]     = rg_surface_pair,
    },
    [RG_SHAPE_ELLIPSOID] = {
        [RG_SHAPE_ELLIPSOID] = rg_pair_ellipsoid_ellipsoid,
        [RG_SHAPE_HULL]      = rg_pair_ellipsoid_hull,
        [RG_SHAPE_HALFSPACE] = rg_pair_ellipsoid_halfspace,
        [RG_SHAPE_MESH]      = rg_surface_pair,
        [RG_SHAPE_FIELD]     = rg_surface_pair,
    },
    [RG_SHAPE_HULL] = {
        [RG_SHAPE_HULL]      = rg_pair_hull_hull,
        [RG_SHAPE_HALFSPACE] = rg_pair_hull_halfspace,
        [RG_SHAPE_MESH]      = rg_surface_pair,
        [RG_SHAPE_FIELD]     = rg_surface_pair,
    },
};
// clang-format on

// The same contacts seen from the other side.
static void swap_sides(rgManifold* manifold) {
  manifold->normal = v3_neg(manifold->normal);
  for (int i = 0; i < manifold->count; i++) {
    rgManifoldPoint* p = &manifold->points[i];
    rgVec3 point_a = p->point_a;
    p->point_a = p->point_b;
    p->point_b = point_a;
  }
}

static bool finite_pose(rgPose p) {
  rgVec3 x = p.position;
  rgQuat q = p.orientation;
  return isfinite(x.x + x.y + x.z + q.w + q.x + q.y + q.z);
}

static rgPairHint hint_turned(rgPairHint hint) { return (rgPairHint){v3_neg(hint.axis)}; }

// The function for a pair of kinds that the matrix does not have, with the convex shape of finite
// size first; NULL when they do not collide.
static rgPairFunction* general_pair(const rgShape* a, const rgShape* b) {
  const rgShapeInfo *info_a = rg_shape_info(a->kind), *info_b = rg_shape_info(b->kind);
  if (a->outline && info_b->wall)
    return rg_wall_flat_pair;
  if (a->outline || b->outline || !info_a->support)
    return NULL;
  return info_b->wall       ? rg_wall_pair
         : info_b->support  ? rg_pair_convex_convex
         : info_b->triangle ? rg_surface_pair
                            : rg_pair_convex_halfspace;
}

// The functions of polyhedra know sharp ones. A rounded one is served by its answers.
static rgPairFunction* rounded_pair(const rgShape* a, const rgShape* b) {
  if (a->polyhedron && b->polyhedron)
    return rg_pair_convex_convex;
  if (a->kind == RG_SHAPE_HALFSPACE || b->kind == RG_SHAPE_HALFSPACE)
    return rg_pair_rounded_halfspace;
  return NULL;
}

// The function for the pair, and whether it takes b first.
static rgPairFunction* find_pair(const rgShape* a, const rgShape* b, bool* swapped) {
  *swapped = a->kind > b->kind;
  if (a->outline && b->outline)
    return rg_pair_outlines;
  if (rg_rounding_is(a) || rg_rounding_is(b)) {
    rgPairFunction* pair = rounded_pair(a, b);
    if (pair)
      return pair;
  }
  rgPairFunction* pair = *swapped ? pair_matrix[b->kind][a->kind] : pair_matrix[a->kind][b->kind];
  if (pair)
    return pair;
  *swapped = !rg_shape_info(a->kind)->support;
  return *swapped ? general_pair(b, a) : general_pair(a, b);
}

void rg_collide(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, double reach,
                rgPairHint* hint, rgManifoldList* out) {
  bool swapped;
  rgPairFunction* pair = find_pair(a, b, &swapped);
  if (!pair || !finite_pose(pose_a) || !finite_pose(pose_b))
    return;

  rgPairHint none = {v3_zero()};
  if (!hint)
    hint = &none;
  int first = out->count;
  if (!swapped) {
    pair(a, pose_a, b, pose_b, reach, hint, out);
  } else {
    rgPairHint turned = hint_turned(*hint);
    pair(b, pose_b, a, pose_a, reach, &turned, out);
    *hint = hint_turned(turned);
    for (int i = first; i < out->count; i++)
      swap_sides(&out->items[i]);
  }
  if (rg_answers_asked(a) || rg_answers_asked(b)) {
    const rgAnswers answers = {a, b, pose_a, pose_b, reach};
    rg_answers_check(&answers, first, hint, out);
  }
}
