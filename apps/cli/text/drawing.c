// drawing.c - see drawing.h.
#include "cli/text/drawing.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>

enum { ROUND = 72, TRIANGLES_MAX = 200 }; // points of a circle; sides of a shape that are shaded
enum { SORTED_MAX = 4000 };               // shapes that are sorted pair by pair
static const double NEAR = 0.2; // of the extent of what moves: how far the rest is shown around it

static rgVec3 unit_vector(rgVec3 v) { return rg_vec3_scale(v, 1 / rg_vec3_norm(v)); }

static CliEye eye_of(const rgWorld* world) {
  if (rg_world_dimension(world) == 2)
    return (CliEye){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  rgVec3 toward = unit_vector(rg_vec3(0.45, -1, 0.35));
  rgVec3 right = unit_vector(rg_vec3_cross(rg_vec3(0, 0, 1), toward));
  return (CliEye){right, rg_vec3_cross(toward, right), toward};
}

static void add_point(CliOutline* outline, const CliEye* eye, rgVec3 at) {
  if (outline->count == CLI_OUTLINE_POINTS)
    return;
  outline->x[outline->count] = rg_vec3_dot(at, eye->right);
  outline->y[outline->count++] = rg_vec3_dot(at, eye->up);
}

// The circle that a ball projects to.
static void add_ball(CliOutline* outline, const CliEye* eye, rgVec3 center, double radius) {
  for (int i = 0; i < ROUND; ++i) {
    double angle = 2 * 3.14159265358979324 * i / ROUND;
    rgVec3 off = rg_vec3_add(rg_vec3_scale(eye->right, radius * cos(angle)),
                             rg_vec3_scale(eye->up, radius * sin(angle)));
    add_point(outline, eye, rg_vec3_add(center, off));
  }
}

static void add_corners_of_box(CliOutline* outline, const CliEye* eye, rgPose pose, rgVec3 half) {
  for (int i = 0; i < 8; ++i) {
    rgVec3 corner =
        rg_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    add_point(outline, eye, rg_pose_apply(pose, corner));
  }
}

static void add_rims(CliOutline* outline, const CliEye* eye, rgPose pose, double radius,
                     double half) {
  for (int i = 0; i < 2 * ROUND; ++i) {
    double angle = 2 * 3.14159265358979324 * i / ROUND;
    rgVec3 at = rg_vec3(radius * cos(angle), radius * sin(angle), i < ROUND ? half : -half);
    add_point(outline, eye, rg_pose_apply(pose, at));
  }
}

// Direction number i of `count` in the plane of the drawing.
static rgVec3 direction(const CliEye* eye, int i, int count) {
  double angle = 2 * 3.14159265358979324 * i / count;
  return rg_vec3_add(rg_vec3_scale(eye->right, cos(angle)), rg_vec3_scale(eye->up, sin(angle)));
}

// The outline of an ellipsoid: its farthest point in each direction d of the plane, A^2 d / |A d|
// with A = diag(half) in the axes of the shape.
static void add_ellipsoid(CliOutline* outline, const CliEye* eye, rgPose pose, rgVec3 half) {
  for (int i = 0; i < 2 * ROUND; ++i) {
    rgVec3 d = rg_quat_rotate(rg_quat_conj(pose.orientation), direction(eye, i, 2 * ROUND));
    rgVec3 scaled = rg_vec3_mul(half, d);
    rgVec3 at = rg_vec3_scale(rg_vec3_mul(half, scaled), 1 / rg_vec3_norm(scaled));
    add_point(outline, eye, rg_pose_apply(pose, at));
  }
}

// Of more corners than there is room for, those that are farthest in some direction.
static void add_farthest(CliOutline* outline, const CliEye* eye, rgPose pose, const rgVec3* corners,
                         int count) {
  for (int i = 0; i < CLI_OUTLINE_POINTS; ++i) {
    rgVec3 d =
        rg_quat_rotate(rg_quat_conj(pose.orientation), direction(eye, i, CLI_OUTLINE_POINTS));
    int farthest = 0;
    for (int k = 1; k < count; ++k)
      if (rg_vec3_dot(corners[k], d) > rg_vec3_dot(corners[farthest], d))
        farthest = k;
    add_point(outline, eye, rg_pose_apply(pose, corners[farthest]));
  }
}

// Shapes that are drawn by corners; false when there are none.
static bool add_corners(CliOutline* outline, const CliEye* eye, const rgWorld* world, rgShapeId id,
                        rgPose pose) {
  int count = rg_shape_corners(world, id, NULL, 0);
  rgVec3* corners = count > 0 ? malloc((size_t)count * sizeof *corners) : NULL;
  if (!corners)
    return false;
  rg_shape_corners(world, id, corners, count);
  if (count > CLI_OUTLINE_POINTS)
    add_farthest(outline, eye, pose, corners, count);
  for (int i = 0; i < count && count <= CLI_OUTLINE_POINTS; ++i)
    add_point(outline, eye, rg_pose_apply(pose, corners[i]));
  free(corners);
  return true;
}

static void add_shape(CliOutline* outline, const CliEye* eye, const rgWorld* world, rgShapeId id,
                      const rgShapeView* view, rgPose pose) {
  const rgShapeDef* def = &view->def;
  rgVec3 along = def->planar ? rg_vec3(def->half_length, 0, 0) : rg_vec3(0, 0, def->half_length);
  switch (def->kind) {
  case RG_SHAPE_SPHERE:
  case RG_SHAPE_CIRCLE:
    add_ball(outline, eye, pose.position, def->radius);
    return;
  case RG_SHAPE_CAPSULE:
    add_ball(outline, eye, rg_pose_apply(pose, along), def->radius);
    add_ball(outline, eye, rg_pose_apply(pose, rg_vec3_neg(along)), def->radius);
    return;
  case RG_SHAPE_CYLINDER:
    add_rims(outline, eye, pose, def->radius, def->half_length);
    return;
  case RG_SHAPE_BOX:
    add_corners_of_box(outline, eye, pose, def->half);
    return;
  case RG_SHAPE_ELLIPSOID:
    add_ellipsoid(outline, eye, pose, def->half);
    return;
  default:
    break;
  }
  if (!add_corners(outline, eye, world, id, pose)) {
    rgBounds bounds = rg_shape_bounds(world, id);
    rgPose center = {rg_vec3_scale(rg_vec3_add(bounds.lower, bounds.upper), 0.5), {1, 0, 0, 0}};
    add_corners_of_box(outline, eye, center,
                       rg_vec3_scale(rg_vec3_sub(bounds.upper, bounds.lower), 0.5));
  }
}

// Andrew's monotone chain: the convex hull in place, counter-clockwise.
static void make_hull(CliOutline* o) {
  double hx[2 * CLI_OUTLINE_POINTS], hy[2 * CLI_OUTLINE_POINTS];
  for (int i = 1; i < o->count; ++i)
    for (int k = i;
         k > 0 && (o->x[k] < o->x[k - 1] || (o->x[k] == o->x[k - 1] && o->y[k] < o->y[k - 1]));
         --k) {
      double x = o->x[k], y = o->y[k];
      o->x[k] = o->x[k - 1], o->y[k] = o->y[k - 1];
      o->x[k - 1] = x, o->y[k - 1] = y;
    }
  int count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    int first = count;
    for (int j = 0; j < o->count; ++j) {
      int i = pass ? o->count - 1 - j : j;
      while (count >= first + 2 && (hx[count - 1] - hx[count - 2]) * (o->y[i] - hy[count - 2]) <=
                                       (hy[count - 1] - hy[count - 2]) * (o->x[i] - hx[count - 2]))
        --count;
      hx[count] = o->x[i], hy[count++] = o->y[i];
    }
    --count;
  }
  o->count = count < 1 ? (o->count > 0) : count < CLI_OUTLINE_POINTS ? count : CLI_OUTLINE_POINTS;
  for (int i = 0; i < o->count; ++i)
    o->x[i] = hx[i], o->y[i] = hy[i];
}

static int nearer(const void* a, const void* b) {
  double x = ((const CliOutline*)a)->depth, y = ((const CliOutline*)b)->depth;
  return (x > y) - (x < y);
}

// --- sides ---------------------------------------------------------------------------------------

static void add_side(CliDrawing* drawing, rgVec3 a, rgVec3 b, rgVec3 c) {
  const CliEye* eye = &drawing->eye;
  rgVec3 area = rg_vec3_cross(rg_vec3_sub(b, a), rg_vec3_sub(c, a));
  double size = rg_vec3_norm(area);
  if (!(size > 0) || !(rg_vec3_dot(area, eye->toward) > 1e-9 * size))
    return;
  if (drawing->side_count == drawing->side_room) {
    int room = 2 * drawing->side_room + 256;
    CliSide* grown = realloc(drawing->sides, (size_t)room * sizeof *grown);
    if (!grown)
      return; // it is drawn by its outline
    drawing->sides = grown;
    drawing->side_room = room;
  }
  // Light falls from above and from the left.
  double light = 0.6 + 0.3 * area.z / size - 0.2 * rg_vec3_dot(area, eye->right) / size;
  CliSide* side = &drawing->sides[drawing->side_count++];
  const rgVec3 corners[3] = {a, b, c};
  side->light = light < 0 ? 0 : light > 1 ? 1 : light;
  for (int k = 0; k < 3; ++k) {
    side->x[k] = rg_vec3_dot(corners[k], eye->right);
    side->y[k] = rg_vec3_dot(corners[k], eye->up);
  }
}

static void add_sides_of_box(CliDrawing* drawing, rgPose pose, rgVec3 half) {
  for (int k = 0; k < 6; ++k) {
    // The side along axis k / 2, counter-clockwise seen from outside.
    double sign = k % 2 ? 1 : -1, h[3] = {half.x, half.y, half.z};
    rgVec3 corner[4];
    for (int i = 0; i < 4; ++i) {
      double at[3];
      int axis = k / 2, s = (axis + 1) % 3, t = (axis + 2) % 3;
      at[axis] = sign * h[axis];
      at[s] = (i == 1 || i == 2 ? 1 : -1) * sign * h[s];
      at[t] = (i >= 2 ? 1 : -1) * h[t];
      corner[i] = rg_pose_apply(pose, rg_vec3(at[0], at[1], at[2]));
    }
    add_side(drawing, corner[0], corner[1], corner[2]);
    add_side(drawing, corner[0], corner[2], corner[3]);
  }
}

static void add_sides(CliDrawing* drawing, const rgWorld* world, rgShapeId id,
                      const rgShapeView* view, rgPose pose) {
  if (rg_world_dimension(world) == 2)
    return;
  if (view->def.kind == RG_SHAPE_BOX) {
    add_sides_of_box(drawing, pose, view->def.half);
    return;
  }
  int count = view->corner_count;
  if (count < 3 || count > 3 * TRIANGLES_MAX)
    return;
  rgVec3* corners = malloc((size_t)count * sizeof *corners);
  if (corners && rg_shape_corners(world, id, corners, count) == count)
    for (int i = 0; i + 2 < count; i += 3)
      add_side(drawing, rg_pose_apply(pose, corners[i]), rg_pose_apply(pose, corners[i + 1]),
               rg_pose_apply(pose, corners[i + 2]));
  free(corners);
}

// --- the drawing ---------------------------------------------------------------------------------

// The box of all shapes that have one.
static rgBounds bounds_of(const rgWorld* world, const rgShapeId* ids, int count) {
  rgBounds all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (int i = 0; i < count; ++i) {
    rgShapeView view;
    if (rg_shape_view(world, ids[i], &view) != RG_OK || view.def.kind == RG_SHAPE_HALFSPACE)
      continue;
    rgBounds one = rg_shape_bounds(world, ids[i]);
    all.lower = rg_vec3(fmin(all.lower.x, one.lower.x), fmin(all.lower.y, one.lower.y),
                        fmin(all.lower.z, one.lower.z));
    all.upper = rg_vec3(fmax(all.upper.x, one.upper.x), fmax(all.upper.y, one.upper.y),
                        fmax(all.upper.z, one.upper.z));
  }
  return all;
}

// A square of the surface of a half-space below the middle of the box.
static void add_ground(CliOutline* outline, const CliEye* eye, rgPose pose, rgBounds box,
                       double ground) {
  if (!(box.lower.x <= box.upper.x))
    return;
  rgVec3 middle = rg_vec3_scale(rg_vec3_add(box.lower, box.upper), 0.5);
  rgVec3 foot = rg_pose_unapply(pose, middle);
  double half = ground * rg_vec3_norm(rg_vec3_sub(box.upper, box.lower));
  for (int i = 0; i < 4; ++i)
    add_point(outline, eye,
              rg_pose_apply(pose, rg_vec3(foot.x + (i & 1 ? half : -half),
                                          foot.y + (i & 2 ? half : -half), 0)));
  outline->depth = -HUGE_VAL;
  outline->ground = true;
}

// --- what is behind ------------------------------------------------------------------------------

// Whether a hides a part of b: an axis separates their boxes, and a is on the side of the eye.
static bool is_before(const CliEye* eye, const CliOutline* a, const CliOutline* b) {
  const double lower[2][3] = {{a->bounds.lower.x, a->bounds.lower.y, a->bounds.lower.z},
                              {b->bounds.lower.x, b->bounds.lower.y, b->bounds.lower.z}},
               upper[2][3] = {{a->bounds.upper.x, a->bounds.upper.y, a->bounds.upper.z},
                              {b->bounds.upper.x, b->bounds.upper.y, b->bounds.upper.z}},
               toward[3] = {eye->toward.x, eye->toward.y, eye->toward.z};
  double widest = 0;
  bool before = a->depth > b->depth;
  for (int k = 0; k < 3; ++k) {
    double above = lower[0][k] - upper[1][k], below = lower[1][k] - upper[0][k],
           size = upper[0][k] - lower[0][k] + upper[1][k] - lower[1][k],
           gap = (above > below ? above : below) + 1e-6 * size;
    if (toward[k] == 0 || gap <= widest)
      continue;
    widest = gap;
    before = (above > below) == (toward[k] > 0);
  }
  return before;
}

static bool may_overlap(const CliOutline* a, const CliOutline* b) {
  double box[2][4];
  const CliOutline* both[2] = {a, b};
  for (int i = 0; i < 2; ++i) {
    box[i][0] = box[i][1] = HUGE_VAL, box[i][2] = box[i][3] = -HUGE_VAL;
    for (int k = 0; k < both[i]->count; ++k) {
      box[i][0] = fmin(box[i][0], both[i]->x[k]), box[i][2] = fmax(box[i][2], both[i]->x[k]);
      box[i][1] = fmin(box[i][1], both[i]->y[k]), box[i][3] = fmax(box[i][3], both[i]->y[k]);
    }
  }
  return box[0][0] < box[1][2] && box[1][0] < box[0][2] && box[0][1] < box[1][3] &&
         box[1][1] < box[0][3];
}

// Puts after each outline in `from`, which is sorted by depth, what hides it; loops are cut where
// they are met. `state`: 0 not seen, 1 seen; a stack holds what waits for what it hides.
static void sort_behind(const CliEye* eye, const CliOutline* from, int count, CliOutline* to,
                        int* state, int* stack, int* next) {
  int done = 0;
  for (int first = 0; first < count; ++first) {
    int depth = 0;
    if (!state[first]) {
      state[first] = 1;
      stack[depth] = first, next[depth++] = 0;
    }
    while (depth > 0) {
      int i = stack[depth - 1], k = next[depth - 1];
      while (k < count &&
             (state[k] || !may_overlap(&from[i], &from[k]) || !is_before(eye, &from[i], &from[k])))
        ++k;
      next[depth - 1] = k;
      if (k == count) {
        to[done++] = from[i];
        --depth;
      } else {
        state[k] = 1;
        stack[depth] = k, next[depth++] = 0;
      }
    }
  }
}

static void sort_outlines(CliDrawing* drawing, bool plane) {
  size_t count = (size_t)drawing->count;
  qsort(drawing->outlines, count, sizeof *drawing->outlines, nearer);
  CliOutline* sorted = plane || count > SORTED_MAX ? NULL : malloc((count + 1) * sizeof *sorted);
  int* marks = sorted ? calloc(3 * count + 1, sizeof *marks) : NULL;
  if (marks) {
    sort_behind(&drawing->eye, drawing->outlines, drawing->count, sorted, marks, marks + count,
                marks + 2 * count);
    free(drawing->outlines);
    drawing->outlines = sorted;
    sorted = NULL;
  }
  free(sorted);
  free(marks);
}

// --- all of it -----------------------------------------------------------------------------------

bool cli_drawing_make(const rgWorld* world, int most, double ground, CliDrawing* drawing) {
  int all = rg_world_shapes(world, NULL, 0);
  all = all < most ? all : most;
  rgShapeId* ids = malloc(((size_t)all + 1) * sizeof *ids);
  *drawing = (CliDrawing){.eye = eye_of(world)};
  drawing->outlines = malloc(((size_t)all + 1) * sizeof *drawing->outlines);
  bool whole = ids && drawing->outlines;
  if (whole)
    rg_world_shapes(world, ids, all);
  rgBounds box = whole ? bounds_of(world, ids, all) : (rgBounds){{0, 0, 0}, {0, 0, 0}};
  for (int i = 0; whole && i < all; ++i) {
    rgShapeView view;
    if (rg_shape_view(world, ids[i], &view) != RG_OK)
      continue;
    rgPose pose = rg_pose_mul(rg_body_pose(world, view.body), view.def.pose);
    CliOutline* outline = &drawing->outlines[drawing->count++];
    outline->count = 0;
    outline->ground = false;
    outline->bounds = rg_shape_bounds(world, ids[i]);
    outline->depth = rg_vec3_dot(pose.position, drawing->eye.toward);
    outline->moves = rg_body_kind(world, view.body) == RG_BODY_DYNAMIC;
    outline->first_side = drawing->side_count;
    if (view.def.kind == RG_SHAPE_HALFSPACE) {
      add_ground(outline, &drawing->eye, pose, box, ground);
    } else {
      add_shape(outline, &drawing->eye, world, ids[i], &view, pose);
      add_sides(drawing, world, ids[i], &view, pose);
    }
    outline->side_count = drawing->side_count - outline->first_side;
    make_hull(outline);
  }
  if (whole)
    sort_outlines(drawing, rg_world_dimension(world) == 2);
  free(ids);
  return whole;
}

void cli_drawing_free(CliDrawing* drawing) {
  free(drawing->outlines);
  free(drawing->sides);
  *drawing = (CliDrawing){0};
}

// Lower and upper x and y of all outlines, or of those that move.
static void find_box(const CliDrawing* drawing, bool moving, double box[4]) {
  box[0] = box[1] = HUGE_VAL, box[2] = box[3] = -HUGE_VAL;
  for (int i = 0; i < drawing->count; ++i) {
    const CliOutline* o = &drawing->outlines[i];
    for (int k = 0; k < o->count && (o->moves || !moving); ++k) {
      box[0] = fmin(box[0], o->x[k]), box[2] = fmax(box[2], o->x[k]);
      box[1] = fmin(box[1], o->y[k]), box[3] = fmax(box[3], o->y[k]);
    }
  }
}

static void set_frame(CliDrawing* drawing, const double box[4], double width, double height,
                      double margin) {
  double wide = fmax(box[2] - box[0], 1e-9), high = fmax(box[3] - box[1], 1e-9);
  double scale = fmin((width - 2 * margin) / wide, (height - 2 * margin) / high);
  drawing->scale = scale;
  drawing->width = width;
  drawing->height = high * scale + 2 * margin;
  drawing->x = box[0] - (width / scale - wide) / 2;
  drawing->y = box[3] + margin / scale;
}

void cli_drawing_fit(CliDrawing* drawing, double width, double height, double margin) {
  double box[4];
  find_box(drawing, false, box);
  set_frame(drawing, box, width, height, margin);
}

void cli_drawing_fit_moving(CliDrawing* drawing, double width, double height, double margin,
                            double reach) {
  double box[4], around[4], all[4];
  find_box(drawing, true, box);
  find_box(drawing, false, all);
  if (!(box[0] <= box[2])) {
    cli_drawing_fit(drawing, width, height, margin);
    return;
  }
  double near = NEAR * fmax(box[2] - box[0], box[3] - box[1]);
  for (int k = 0; k < 4; ++k) {
    double sign = k < 2 ? -1 : 1, edge = box[k] + sign * near;
    around[k] = sign * fmax(sign * (box[k] + sign * reach), fmin(sign * all[k], sign * edge));
  }
  for (int i = 0; i < drawing->count; ++i)
    for (int k = 0; k < drawing->outlines[i].count && drawing->outlines[i].ground; ++k) {
      const CliOutline* o = &drawing->outlines[i];
      around[0] = fmin(around[0], o->x[k]), around[2] = fmax(around[2], o->x[k]);
      around[1] = fmin(around[1], o->y[k]), around[3] = fmax(around[3], o->y[k]);
    }
  set_frame(drawing, around, width, height, margin);
}

static double place_x(const CliDrawing* frame, double x) { return (x - frame->x) * frame->scale; }
static double place_y(const CliDrawing* frame, double y) { return (frame->y - y) * frame->scale; }

void cli_drawing_place(const CliDrawing* drawing, rgVec3 at, double* x, double* y) {
  *x = place_x(drawing, rg_vec3_dot(at, drawing->eye.right));
  *y = place_y(drawing, rg_vec3_dot(at, drawing->eye.up));
}

static void write_side(const CliSide* side, const CliDrawing* frame, bool moves, FILE* stream) {
  double blue[3] = {0x5b, 0x8f, 0xc7}, grey[3] = {0x9a, 0x9a, 0x9a}, *base = moves ? blue : grey;
  int colour[3];
  for (int k = 0; k < 3; ++k) {
    double value = base[k] * (0.5 + 0.75 * side->light);
    colour[k] = (int)(value < 255 ? value : 255);
  }
  fprintf(stream, "<path d=\"");
  for (int k = 0; k < 3; ++k)
    fprintf(stream, "%c%.1f %.1f", k ? 'L' : 'M', place_x(frame, side->x[k]),
            place_y(frame, side->y[k]));
  fprintf(stream, "Z\" fill=\"#%02x%02x%02x\" stroke=\"#%02x%02x%02x\" stroke-width=\".4\"/>\n",
          colour[0], colour[1], colour[2], colour[0], colour[1], colour[2]);
}

void cli_drawing_write(const CliDrawing* drawing, const CliDrawing* frame, CliDrawn drawn,
                       FILE* stream) {
  static const char* const styles[] = {
      "fill-opacity=\".85\" stroke=\"currentColor\"", "stroke=\"none\"",
      "fill-opacity=\".25\" stroke=\"currentColor\" stroke-opacity=\".35\"",
      "fill-opacity=\".45\" stroke=\"#b3261e\" stroke-dasharray=\"4 2\""};
  bool shaded = drawn == CLI_DRAWN_SHADED;
  for (int i = 0; i < drawing->count; ++i) {
    const CliOutline* o = &drawing->outlines[i];
    if (drawn == CLI_DRAWN_DASHED && !o->moves)
      continue;
    for (int pass = 0; pass <= shaded; ++pass) {
      fprintf(stream, "<path d=\"");
      for (int k = 0; k < o->count; ++k)
        fprintf(stream, "%c%.1f %.1f", k ? 'L' : 'M', place_x(frame, o->x[k]),
                place_y(frame, o->y[k]));
      if (pass == 0)
        fprintf(stream, "Z\" fill=\"%s\" %s/>\n", o->moves ? "#5b8fc7" : "#9a9a9a", styles[drawn]);
      else
        fprintf(stream, "Z\" fill=\"none\" stroke=\"currentColor\" stroke-width=\".7\"/>\n");
      for (int k = 0; k < o->side_count && shaded && pass == 0; ++k)
        write_side(&drawing->sides[o->first_side + k], frame, o->moves, stream);
    }
  }
}
