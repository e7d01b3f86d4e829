// kinds.c - the table of shapes, made from the list in rigor/shape.h.
#include "shape/kinds.h"

static const rgShapeInfo* const table[RG_SHAPE_KIND_COUNT] = {
#define RG_SHAPE_ROW(NAME, name) [RG_SHAPE_##NAME] = &rg_shape_info_##name,
    RG_SHAPE_KINDS(RG_SHAPE_ROW)
#undef RG_SHAPE_ROW
};

const rgShapeInfo* rg_shape_info(rgShapeKind kind) {
  return (unsigned)kind < RG_SHAPE_KIND_COUNT ? table[kind] : NULL;
}

bool rg_shape_kind_fits(rgShapeKind kind, int dimension) {
  const rgShapeInfo* info = rg_shape_info(kind);
  return info && (info->any_dimension || info->planar == (dimension == 2));
}

const char* rg_shape_kind_name(rgShapeKind kind) {
  const rgShapeInfo* info = rg_shape_info(kind);
  return info ? info->name : NULL;
}

const char* rg_shape_kind_summary(rgShapeKind kind) {
  const rgShapeInfo* info = rg_shape_info(kind);
  return info ? info->summary : NULL;
}
