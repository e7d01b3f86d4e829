// box_box.c - contacts of two boxes.
//
// Problem and conventions as in polyhedra.c, which this specializes: a box has three face axes, so
// that the separating axis test needs 15 axes, each in closed form (Gottschalk, Lin and Manocha,
// OBBTree, 1996). With R = A'B, t the centre of B in the frame of A, and half extents a, b:
//   face i of A:   |t_i| - a_i - sum_j |R_ij| b_j
//   face j of B:   |R_j . t| - b_j - sum_i |R_ij| a_i
//   edges i x j:   (|t . (e_i x R_j)| - sum_k a_k |(e_i x R_j)_k| - ...) / |e_i x R_j|
// Overlapping boxes: the greatest of these is minus the depth, exactly. Boxes apart: it is the
// distance when the nearest features are a face or two crossing edges; otherwise (vertex against
// vertex or edge) the faces cannot explain it, and the general function finds the closest points.
#include "collide/convex/clip.h"
#include "collide/pair/pairs.h"
#include "collide/pair/polyhedra.h"

// Part of the smaller box's extent: see polyhedra.c, whose tolerances these are.
static const double CLIP_TOLERANCE = 1e-7;
static const double DEPTH_TOLERANCE = 1e-9;
static const double PARALLEL_ANGLE = 1e-6;
// Part of the smaller box's extent by which an edge axis must beat the faces.
static const double EDGE_BIAS = 1e-9;
// Rounding of the numerator of an edge axis, relative to the lengths in it.
static const double ROUNDING = 1e-15;
// Squared sine below which edges are parallel.
static const double PARALLEL_SINE2 = 1e-16;
// Cosine by which a later face must be more opposite to the reference face.
static const double FACE_BIAS = 1e-9;

// One box seen from the other: x_reference = offset + rotation x_incident.
typedef struct View {
  double rotation[3][3];
  double offset[3];                           // [m]
  double half_reference[3], half_incident[3]; // [m]
  rgVec3 axes[3];                             // of the reference box, in the world
  rgVec3 position;                            // [m] of the reference box
  bool of_a;                                  // the reference box is A
} View;

typedef struct Boxes {
  View from_a, from_b;
  double absolute[3][3]; // |R_ij|
  double reach, angle;
  double size;  // [m] extent of the smaller box
  double width; // [m] least half-width of both
  double scale; // [m] what rounding is relative to
} Boxes;

typedef enum AxisKind { FACE_OF_A, FACE_OF_B, EDGES } AxisKind;

typedef struct Axis {
  AxisKind kind;
  int i, j; // axis of A, axis of B
  double separation;
} Axis;

static int after(int i) { return i == 2 ? 0 : i + 1; }

static void to_array(rgVec3 v, double* out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

static bool apart_along(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b,
                        rgVec3 axis, double reach) {
  rgVec3 in_a = v3_abs(quat_unrotate(pose_a.orientation, axis));
  rgVec3 in_b = v3_abs(quat_unrotate(pose_b.orientation, axis));
  double separation = v3_dot(axis, v3_sub(pose_a.position, pose_b.position)) -
                      v3_dot(in_a, a->half) - v3_dot(in_b, b->half);
  return separation > reach * v3_norm2(axis);
}

static void set_boxes(Boxes* boxes, const rgShape* a, rgPose pose_a, const rgShape* b,
                      rgPose pose_b, double reach) {
  View *va = &boxes->from_a, *vb = &boxes->from_b;
  rgMat3 ra = m3_from_quat(pose_a.orientation), rb = m3_from_quat(pose_b.orientation);
  rgVec3 d = v3_sub(pose_b.position, pose_a.position);
  for (int k = 0; k < 3; k++) {
    va->axes[k] = m3_column(&ra, k);
    vb->axes[k] = m3_column(&rb, k);
  }
  for (int i = 0; i < 3; i++) {
    va->offset[i] = v3_dot(va->axes[i], d);
    vb->offset[i] = -v3_dot(vb->axes[i], d);
    for (int j = 0; j < 3; j++) {
      double r = v3_dot(va->axes[i], vb->axes[j]);
      va->rotation[i][j] = r;
      vb->rotation[j][i] = r;
      boxes->absolute[i][j] = fabs(r);
    }
  }
  to_array(a->half, va->half_reference);
  to_array(b->half, va->half_incident);
  to_array(b->half, vb->half_reference);
  to_array(a->half, vb->half_incident);
  va->position = pose_a.position;
  vb->position = pose_b.position;
  va->of_a = true;
  vb->of_a = false;
  boxes->reach = reach;
  boxes->size = a->extent < b->extent ? a->extent : b->extent;
  boxes->width = a->size < b->size ? a->size : b->size;
  boxes->scale = a->extent + b->extent + v3_norm(d);
  boxes->angle = rg_face_angle(reach, boxes->size);
}

// --- axes ---------------------------------------------------------------------------------------

static void try_faces(const Boxes* boxes, Axis* best) {
  const double *a = boxes->from_a.half_reference, *b = boxes->from_b.half_reference;
  const double(*r)[3] = boxes->absolute;
  for (int i = 0; i < 3; i++) {
    double s =
        fabs(boxes->from_a.offset[i]) - a[i] - (r[i][0] * b[0] + r[i][1] * b[1] + r[i][2] * b[2]);
    if (s > best->separation)
      *best = (Axis){FACE_OF_A, i, 0, s};
  }
  for (int j = 0; j < 3; j++) {
    double s =
        fabs(boxes->from_b.offset[j]) - b[j] - (r[0][j] * a[0] + r[1][j] * a[1] + r[2][j] * a[2]);
    if (s > best->separation)
      *best = (Axis){FACE_OF_B, 0, j, s};
  }
}

static void try_edges(const Boxes* boxes, Axis* best) {
  const double *a = boxes->from_a.half_reference, *b = boxes->from_b.half_reference;
  const double *t = boxes->from_a.offset, error = ROUNDING * boxes->scale;
  double target = best->separation + EDGE_BIAS * boxes->size;
  for (int i = 0; i < 3; i++) {
    int i1 = after(i), i2 = after(i1);
    const double *row = boxes->absolute[i], *row1 = boxes->absolute[i1],
                 *row2 = boxes->absolute[i2];
    const double *r1 = boxes->from_a.rotation[i1], *r2 = boxes->from_a.rotation[i2];
    for (int j = 0; j < 3; j++) {
      int j1 = after(j), j2 = after(j1);
      double height = fabs(t[i2] * r1[j] - t[i1] * r2[j]) - (a[i1] * row2[j] + a[i2] * row1[j]) -
                      (b[j1] * row[j2] + b[j2] * row[j1]) - error;
      if (height <= (target < 0 ? target : 0))
        continue; // not better: the length to divide by is at most one
      double length2 = r1[j] * r1[j] + r2[j] * r2[j];
      double length = sqrt(length2);
      if (length2 <= PARALLEL_SINE2 || height <= target * length)
        continue;
      *best = (Axis){EDGES, i, j, height / length};
      target = best->separation;
    }
  }
}

// Unit normal of an axis, out of A, in the frame of A.
static void axis_normal(const Boxes* boxes, const Axis* axis, double* n) {
  const View* v = &boxes->from_a;
  if (axis->kind == FACE_OF_A) {
    for (int k = 0; k < 3; k++)
      n[k] = k == axis->i ? (v->offset[k] < 0 ? -1 : 1) : 0;
  } else if (axis->kind == FACE_OF_B) {
    double sign = boxes->from_b.offset[axis->j] > 0 ? -1 : 1;
    for (int k = 0; k < 3; k++)
      n[k] = sign * v->rotation[k][axis->j];
  } else {
    int i1 = after(axis->i), i2 = after(i1);
    double c1 = v->rotation[i1][axis->j], c2 = v->rotation[i2][axis->j];
    double length = sqrt(c1 * c1 + c2 * c2);
    double sign = v->offset[i2] * c1 - v->offset[i1] * c2 < 0 ? -1 : 1;
    n[axis->i] = 0;
    n[i1] = -sign * c2 / length;
    n[i2] = sign * c1 / length;
  }
}

static rgVec3 to_world(const View* view, const double* x) {
  return v3_axpy(v3_axpy(v3_scale(view->axes[0], x[0]), x[1], view->axes[1]), x[2], view->axes[2]);
}

// --- faces --------------------------------------------------------------------------------------

// Index of the corner with the given signs along axes i, i1, i2.
static uint32_t corner(int i, bool p, int i1, bool p1, int i2, bool p2) {
  return (uint32_t)p << i | (uint32_t)p1 << i1 | (uint32_t)p2 << i2;
}

// The face of the incident box opposite to face (axis, sign) of the reference box, in that face's
// coordinates.
static void incident_polygon(const View* view, int axis, double sign, rgPolygon* polygon) {
  const double* row = view->rotation[axis];
  int j = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(row[k]) > fabs(row[j]) + FACE_BIAS)
      j = k;
  int j1 = after(j), j2 = after(j1), i1 = after(axis), i2 = after(i1);
  double side = sign * row[j] > 0 ? -1 : 1;

  // Centre and half sides of the face as (u, v, w).
  const double* h = view->half_incident;
  double center[3], first[3], second[3];
  const int from[3] = {i1, i2, axis};
  const double flip[3] = {1, sign, sign};
  for (int k = 0; k < 3; k++) {
    const double* r = view->rotation[from[k]];
    center[k] = flip[k] * (view->offset[from[k]] + side * h[j] * r[j]);
    first[k] = flip[k] * h[j1] * r[j1];
    second[k] = flip[k] * h[j2] * r[j2];
  }
  center[2] -= view->half_reference[axis];

  static const double around[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  polygon->count = 4;
  for (int k = 0; k < 4; k++) {
    // Counter-clockwise seen from outside.
    double x = around[k][0], y = side * around[k][1];
    polygon->vertices[k] = (rgPolygonVertex){
        center[0] + x * first[0] + y * second[0], center[1] + x * first[1] + y * second[1],
        center[2] + x * first[2] + y * second[2], corner(j, side > 0, j1, x > 0, j2, y > 0)};
  }
}

static void cut_to_rectangle(const View* view, int axis, double sign, double tolerance,
                             rgPolygon* polygon) {
  int i1 = after(axis), i2 = after(i1);
  double u = view->half_reference[i1], v = view->half_reference[i2];
  bool p = sign > 0;
  rg_clip_cut(polygon, 1, 0, u, tolerance, RG_SIDE_REFERENCE | corner(axis, p, i1, true, i2, !p));
  rg_clip_cut(polygon, 0, 1, v, tolerance, RG_SIDE_REFERENCE | corner(axis, p, i1, true, i2, p));
  rg_clip_cut(polygon, -1, 0, u, tolerance, RG_SIDE_REFERENCE | corner(axis, p, i1, false, i2, p));
  rg_clip_cut(polygon, 0, -1, v, tolerance, RG_SIDE_REFERENCE | corner(axis, p, i1, false, i2, !p));
}

// Contacts over the face of the reference box most along n; false when it does not explain the
// separation.
static bool face_contacts(const Boxes* boxes, const View* view, int axis, double sign,
                          double separation, rgManifoldList* out) {
  rgPolygon polygon;
  incident_polygon(view, axis, sign, &polygon);
  cut_to_rectangle(view, axis, sign, CLIP_TOLERANCE * boxes->size, &polygon);
  double least = rg_clip_least_gap(&polygon);
  double tolerance = DEPTH_TOLERANCE * boxes->size + boxes->angle * boxes->angle * fabs(separation);
  if (least > separation + tolerance)
    return false;
  if (least > boxes->reach || rg_clip_grazes(&polygon, least, boxes->width))
    return true;
  rgVec3 normal = v3_scale(view->axes[axis], sign);
  rgFaceFrame frame = {.origin = v3_axpy(view->position, view->half_reference[axis], normal),
                       .axis_u = view->axes[after(axis)],
                       .axis_v = v3_scale(view->axes[after(after(axis))], sign),
                       .normal = normal,
                       .of_a = view->of_a};
  rg_clip_contacts(&polygon, &frame, boxes->reach, out);
  return true;
}

// The face most along n, and the sine of the angle between its normal and n.
static double face_along(const double* n, int* axis) {
  int i = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(n[k]) > fabs(n[i]) + FACE_BIAS)
      i = k;
  *axis = i;
  int i1 = after(i), i2 = after(i1);
  return sqrt(n[i1] * n[i1] + n[i2] * n[i2]);
}

static bool flat_contacts(const Boxes* boxes, const double* n_a, double separation,
                          rgManifoldList* out) {
  double n_b[3]; // out of B, frame of B
  for (int j = 0; j < 3; j++) {
    const double* r = boxes->from_b.rotation[j];
    n_b[j] = -(r[0] * n_a[0] + r[1] * n_a[1] + r[2] * n_a[2]);
  }
  int axis_a, axis_b;
  double angle_a = face_along(n_a, &axis_a), angle_b = face_along(n_b, &axis_b);
  bool a_first = angle_a <= PARALLEL_ANGLE || angle_a <= angle_b;
  for (int k = 0; k < 2; k++) {
    bool of_a = k == 0 ? a_first : !a_first;
    if ((of_a ? angle_a : angle_b) > boxes->angle)
      continue;
    int axis = of_a ? axis_a : axis_b;
    double sign = (of_a ? n_a : n_b)[axis] < 0 ? -1 : 1;
    if (face_contacts(boxes, of_a ? &boxes->from_a : &boxes->from_b, axis, sign, separation, out))
      return true;
  }
  return false;
}

// --- edges --------------------------------------------------------------------------------------

// The edge along axis `i` of the reference box that is farthest along n. Returns its index in the
// polyhedron.
static uint32_t edge_along(const View* view, int i, const double* n, rgVec3* start, rgVec3* along) {
  double x[3];
  uint32_t index = 4 * (uint32_t)i;
  for (int k = 0, bit = 1; k < 3; k++) {
    bool positive = n[k] > 0;
    x[k] = k != i && positive ? view->half_reference[k] : -view->half_reference[k];
    if (k == i)
      continue;
    index += positive ? (uint32_t)bit : 0;
    bit = 2;
  }
  *start = v3_add(view->position, to_world(view, x));
  *along = v3_scale(view->axes[i], 2 * view->half_reference[i]);
  return index;
}

// Contacts of the two edges of the axis; false when the boxes are apart and the edges do not face
// each other.
static bool edge_contacts(const Boxes* boxes, const Axis* axis, const double* n_a, rgVec3 normal,
                          rgManifoldList* out) {
  double n_b[3];
  for (int j = 0; j < 3; j++) {
    const double* r = boxes->from_b.rotation[j];
    n_b[j] = -(r[0] * n_a[0] + r[1] * n_a[1] + r[2] * n_a[2]);
  }
  rgEdgePair edges = {.normal = normal};
  edges.edge_a = edge_along(&boxes->from_a, axis->i, n_a, &edges.start_a, &edges.along_a);
  edges.edge_b = edge_along(&boxes->from_b, axis->j, n_b, &edges.start_b, &edges.along_b);
  double part_a, part_b;
  bool crossing = rg_edge_nearest(&edges, &part_a, &part_b) && part_a >= -CLIP_TOLERANCE &&
                  part_a <= 1 + CLIP_TOLERANCE && part_b >= -CLIP_TOLERANCE &&
                  part_b <= 1 + CLIP_TOLERANCE;
  if (!crossing)
    return false;
  rg_edge_contacts(&edges, boxes->angle, boxes->reach, out);
  return true;
}

void rg_pair_box_box(const rgShape* a, rgPose pose_a, const rgShape* b, rgPose pose_b, double reach,
                     rgPairHint* hint, rgManifoldList* out) {
  if (apart_along(a, pose_a, b, pose_b, hint->axis, reach))
    return;
  Boxes boxes;
  set_boxes(&boxes, a, pose_a, b, pose_b, reach);
  Axis axis = {FACE_OF_A, 0, 0, -HUGE_VAL};
  try_faces(&boxes, &axis);
  if (axis.separation <= reach)
    try_edges(&boxes, &axis);

  double n[3];
  axis_normal(&boxes, &axis, n);
  rgVec3 normal = v3_neg(to_world(&boxes.from_a, n));
  hint->axis = normal;
  if (axis.separation > reach || flat_contacts(&boxes, n, axis.separation, out))
    return;
  if (axis.kind == EDGES && edge_contacts(&boxes, &axis, n, normal, out))
    return;
  rg_pair_hull_hull(a, pose_a, b, pose_b, reach, hint, out);
}
