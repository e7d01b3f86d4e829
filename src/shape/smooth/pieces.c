// pieces.c - convex shapes as intersections of smooth convex functions.
#include "shape/smooth/pieces.h"

#include "shape/meet/meet.h"

int rg_pieces_count(const rgShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  if (info->core != RG_CORE_NONE)
    return 0;
  if (shape->polyhedron)
    return shape->polyhedron->face_count;
  if (shape->meet)
    return shape->meet->piece_count;
  return info->pieces.count > 0 ? info->pieces.count : info->value != NULL;
}

double rg_pieces_value(const rgShape* shape, int i, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  if (!shape->polyhedron)
    return info->pieces.value ? info->pieces.value(shape, i, x, gradient, hessian)
                              : info->value(shape, x, gradient, hessian);
  *gradient = shape->polyhedron->normals[i];
  *hessian = m3_zero();
  return v3_dot(*gradient, x) - shape->polyhedron->offsets[i];
}

bool rg_pieces_tip(const rgShape* shape, int i, rgVec3* tip) {
  const rgPieceList* pieces = &rg_shape_info(shape->kind)->pieces;
  return pieces->tip && pieces->tip(shape, i, tip);
}

double rg_pieces_pipe(double radius, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  double scale = 1 / radius;
  *gradient = v3(x.x * scale, x.y * scale, 0);
  *hessian = m3_diag(scale, scale, 0);
  return 0.5 * ((x.x * x.x + x.y * x.y) * scale - radius);
}

double rg_pieces_ball(rgVec3 center, double radius, rgVec3 x, rgVec3* gradient, rgMat3* hessian) {
  double scale = 1 / radius;
  rgVec3 d = v3_sub(x, center);
  *gradient = v3_scale(d, scale);
  *hessian = m3_diag(scale, scale, scale);
  return 0.5 * (v3_norm2(d) * scale - radius);
}
