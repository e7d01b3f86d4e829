// kinds.c - the table of shapes. A new kind is one file, one line here and one in kinds.h.
#include "shape/kinds.h"

static const rgShapeInfo* const table[RG_SHAPE_KIND_COUNT] = {
    [RG_SHAPE_SPHERE] = &rg_shape_info_sphere,       [RG_SHAPE_BOX] = &rg_shape_info_box,
    [RG_SHAPE_CAPSULE] = &rg_shape_info_capsule,     [RG_SHAPE_CYLINDER] = &rg_shape_info_cylinder,
    [RG_SHAPE_ELLIPSOID] = &rg_shape_info_ellipsoid, [RG_SHAPE_HULL] = &rg_shape_info_hull,
    [RG_SHAPE_HALFSPACE] = &rg_shape_info_halfspace, [RG_SHAPE_MESH] = &rg_shape_info_mesh,
    [RG_SHAPE_FIELD] = &rg_shape_info_field,         [RG_SHAPE_CIRCLE] = &rg_shape_info_circle,
    [RG_SHAPE_POLYGON] = &rg_shape_info_polygon,     [RG_SHAPE_SEGMENT] = &rg_shape_info_segment,
};

const rgShapeInfo* rg_shape_info(rgShapeKind kind) {
  return (unsigned)kind < RG_SHAPE_KIND_COUNT ? table[kind] : NULL;
}

// The capsule is of both worlds.
bool rg_shape_kind_fits(rgShapeKind kind, int dimension) {
  const rgShapeInfo* info = rg_shape_info(kind);
  return info && (kind == RG_SHAPE_CAPSULE || info->planar == (dimension == 2));
}

const char* rg_shape_kind_name(rgShapeKind kind) {
  const rgShapeInfo* info = rg_shape_info(kind);
  return info ? info->name : NULL;
}

const char* rg_shape_kind_summary(rgShapeKind kind) {
  const rgShapeInfo* info = rg_shape_info(kind);
  return info ? info->summary : NULL;
}
