// picture.c - the scene of an experiment where it begins, as a drawing.
//
// A parallel projection: worlds of two dimensions as they are, others from the front, the right and
// above. Each shape is drawn as the outline of its projection, which for convex shapes is the convex
// hull of the projected points of its surface; farther ones first. Of a half-space a square under
// the rest is drawn.
#include "cli/reproduce/reproduce.h"
#include "cli/text/page.h"

#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>

enum { POINTS = 256, ROUND = 72, SHAPES = 512, WIDTH = 640, HEIGHT = 300, MARGIN = 16 };

typedef struct Outline {
  double x[POINTS], y[POINTS];
  int count;
  double depth; // farther is smaller
  bool moves;
} Outline;

typedef struct Eye {
  rgVec3 right, up, toward;
} Eye;

static rgVec3 unit_vector(rgVec3 v) { return rg_vec3_scale(v, 1 / rg_vec3_norm(v)); }

static Eye eye_of(const rgWorld* world) {
  if (rg_world_dimension(world) == 2)
    return (Eye){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  rgVec3 toward = unit_vector(rg_vec3(0.45, -1, 0.35));
  rgVec3 right = unit_vector(rg_vec3_cross(rg_vec3(0, 0, 1), toward));
  return (Eye){right, rg_vec3_cross(toward, right), toward};
}

static void add_point(Outline* outline, const Eye* eye, rgVec3 at) {
  if (outline->count == POINTS)
    return;
  outline->x[outline->count] = rg_vec3_dot(at, eye->right);
  outline->y[outline->count++] = rg_vec3_dot(at, eye->up);
}

// The circle that a ball projects to.
static void add_ball(Outline* outline, const Eye* eye, rgVec3 center, double radius) {
  for (int i = 0; i < ROUND; ++i) {
    double angle = 2 * 3.14159265358979324 * i / ROUND;
    rgVec3 off = rg_vec3_add(rg_vec3_scale(eye->right, radius * cos(angle)),
                             rg_vec3_scale(eye->up, radius * sin(angle)));
    add_point(outline, eye, rg_vec3_add(center, off));
  }
}

static void add_corners_of_box(Outline* outline, const Eye* eye, rgPose pose, rgVec3 half) {
  for (int i = 0; i < 8; ++i) {
    rgVec3 corner =
        rg_vec3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
    add_point(outline, eye, rg_pose_apply(pose, corner));
  }
}

static void add_rims(Outline* outline, const Eye* eye, rgPose pose, double radius, double half) {
  for (int i = 0; i < 2 * ROUND; ++i) {
    double angle = 2 * 3.14159265358979324 * i / ROUND;
    rgVec3 at = rg_vec3(radius * cos(angle), radius * sin(angle), i < ROUND ? half : -half);
    add_point(outline, eye, rg_pose_apply(pose, at));
  }
}

// Direction number i of `count` in the plane of the drawing.
static rgVec3 direction(const Eye* eye, int i, int count) {
  double angle = 2 * 3.14159265358979324 * i / count;
  return rg_vec3_add(rg_vec3_scale(eye->right, cos(angle)), rg_vec3_scale(eye->up, sin(angle)));
}

// The outline of an ellipsoid: its farthest point in each direction d of the plane, A^2 d / |A d|
// with A = diag(half) in the axes of the shape.
static void add_ellipsoid(Outline* outline, const Eye* eye, rgPose pose, rgVec3 half) {
  for (int i = 0; i < 2 * ROUND; ++i) {
    rgVec3 d = rg_quat_rotate(rg_quat_conj(pose.orientation), direction(eye, i, 2 * ROUND));
    rgVec3 scaled = rg_vec3_mul(half, d);
    rgVec3 at = rg_vec3_scale(rg_vec3_mul(half, scaled), 1 / rg_vec3_norm(scaled));
    add_point(outline, eye, rg_pose_apply(pose, at));
  }
}

// Of more corners than there is room for, those that are farthest in some direction.
static void add_farthest(Outline* outline, const Eye* eye, rgPose pose, const rgVec3* corners,
                         int count) {
  for (int i = 0; i < POINTS; ++i) {
    rgVec3 d = rg_quat_rotate(rg_quat_conj(pose.orientation), direction(eye, i, POINTS));
    int farthest = 0;
    for (int k = 1; k < count; ++k)
      if (rg_vec3_dot(corners[k], d) > rg_vec3_dot(corners[farthest], d))
        farthest = k;
    add_point(outline, eye, rg_pose_apply(pose, corners[farthest]));
  }
}

// Shapes that are drawn by corners; false when there are none.
static bool add_corners(Outline* outline, const Eye* eye, const rgWorld* world, rgShapeId id,
                        rgPose pose) {
  int count = rg_shape_corners(world, id, NULL, 0);
  rgVec3* corners = count > 0 ? malloc((size_t)count * sizeof *corners) : NULL;
  if (!corners)
    return false;
  rg_shape_corners(world, id, corners, count);
  if (count > POINTS)
    add_farthest(outline, eye, pose, corners, count);
  for (int i = 0; i < count && count <= POINTS; ++i)
    add_point(outline, eye, rg_pose_apply(pose, corners[i]));
  free(corners);
  return true;
}

static void add_shape(Outline* outline, const Eye* eye, const rgWorld* world, rgShapeId id,
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
static void make_hull(Outline* o) {
  double hx[2 * POINTS], hy[2 * POINTS];
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
  o->count = count < 1 ? (o->count > 0) : count < POINTS ? count : POINTS;
  for (int i = 0; i < o->count; ++i)
    o->x[i] = hx[i], o->y[i] = hy[i];
}

static int nearer(const void* a, const void* b) {
  double x = ((const Outline*)a)->depth, y = ((const Outline*)b)->depth;
  return (x > y) - (x < y);
}

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
static void add_ground(Outline* outline, const Eye* eye, rgPose pose, rgBounds box) {
  if (!(box.lower.x <= box.upper.x))
    return;
  rgVec3 middle = rg_vec3_scale(rg_vec3_add(box.lower, box.upper), 0.5);
  rgVec3 foot = rg_pose_unapply(pose, middle);
  double half = 0.75 * rg_vec3_norm(rg_vec3_sub(box.upper, box.lower));
  for (int i = 0; i < 4; ++i)
    add_point(outline, eye,
              rg_pose_apply(pose, rg_vec3(foot.x + (i & 1 ? half : -half),
                                          foot.y + (i & 2 ? half : -half), 0)));
  outline->depth = -HUGE_VAL;
}

static int gather(const rgWorld* world, const Eye* eye, Outline* outlines) {
  rgShapeId ids[SHAPES];
  int all = rg_world_shapes(world, ids, SHAPES), count = 0;
  all = all < SHAPES ? all : SHAPES;
  rgBounds box = bounds_of(world, ids, all);
  for (int i = 0; i < all; ++i) {
    rgShapeView view;
    if (rg_shape_view(world, ids[i], &view) != RG_OK)
      continue;
    rgPose pose = rg_pose_mul(rg_body_pose(world, view.body), view.def.pose);
    Outline* outline = &outlines[count++];
    *outline = (Outline){.depth = rg_vec3_dot(pose.position, eye->toward),
                         .moves = rg_body_kind(world, view.body) == RG_BODY_DYNAMIC};
    if (view.def.kind == RG_SHAPE_HALFSPACE)
      add_ground(outline, eye, pose, box);
    else
      add_shape(outline, eye, world, ids[i], &view, pose);
    make_hull(outline);
  }
  qsort(outlines, (size_t)count, sizeof *outlines, nearer);
  return count;
}

typedef struct Frame {
  double x, y, scale, height;
} Frame;

static Frame frame_of(const Outline* outlines, int count) {
  double box[4] = {HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < outlines[i].count; ++k) {
      box[0] = fmin(box[0], outlines[i].x[k]), box[2] = fmax(box[2], outlines[i].x[k]);
      box[1] = fmin(box[1], outlines[i].y[k]), box[3] = fmax(box[3], outlines[i].y[k]);
    }
  double wide = fmax(box[2] - box[0], 1e-9), high = fmax(box[3] - box[1], 1e-9);
  double scale = fmin((WIDTH - 2 * MARGIN) / wide, (HEIGHT - 2 * MARGIN) / high);
  double height = high * scale + 2 * MARGIN;
  return (Frame){box[0] - (WIDTH / scale - wide) / 2, box[3] + MARGIN / scale, scale, height};
}

static void write_outlines(const Outline* outlines, int count, const char* title, FILE* stream) {
  Frame frame = frame_of(outlines, count);
  fprintf(stream,
          "<figure>\n<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scene\" viewBox=\"0 0 %d "
          "%.0f\" width=\"%d\" height=\"%.0f\" "
          "role=\"img\">\n",
          (int)WIDTH, frame.height, (int)WIDTH, frame.height);
  for (int i = 0; i < count; ++i) {
    fprintf(stream, "<path d=\"");
    for (int k = 0; k < outlines[i].count; ++k)
      fprintf(stream, "%c%.1f %.1f", k ? 'L' : 'M', (outlines[i].x[k] - frame.x) * frame.scale,
              (frame.y - outlines[i].y[k]) * frame.scale);
    fprintf(stream, "Z\" fill=\"%s\" fill-opacity=\".85\" stroke=\"currentColor\"/>\n",
            outlines[i].moves ? "#5b8fc7" : "#9a9a9a");
  }
  fprintf(stream, "</svg>\n<figcaption>");
  cli_page_escape(stream, title);
  fprintf(stream, "</figcaption>\n</figure>\n");
}

void reproduction_picture(const Experiment* experiment, FILE* stream) {
  ExperimentReport report = {0};
  rgScene* scene = experiment->scene ? experiment_scene(&report, experiment) : NULL;
  rgWorld* world = scene ? experiment_world(&report, scene) : NULL;
  Outline* outlines = world ? malloc(SHAPES * sizeof *outlines) : NULL;
  if (outlines) {
    Eye eye = eye_of(world);
    int count = gather(world, &eye, outlines);
    if (count > 0)
      write_outlines(outlines, count, rg_scene_title(scene), stream);
  }
  free(outlines);
  rg_world_destroy(world);
  rg_scene_free(scene);
}
