// field.c - a height field z(x, y) on a regular grid, solid below.
//
// Point (row r, column c) is at x = (c - (columns - 1) / 2) dx, y = (r - (rows - 1) / 2) dy. The
// cell between rows r, r + 1 and columns c, c + 1 is cut along the diagonal from its lowest to its
// highest row and column into triangle 2 k (below the diagonal, right) and 2 k + 1 (above, left),
// k = r (columns - 1) + c:
//
//     (r+1,c) +-----+ (r+1,c+1)      y
//             | 1 / |                ^
//             | / 0 |                |
//      (r,c)  +-----+ (r,c+1)        +--> x
//
// Everything is computed from indices and heights; there is no tree.
#include "base/memory.h"
#include "base/message.h"
#include "shape/check.h"
#include "shape/kinds.h"
#include "shape/parameters.h"
#include "shape/solid/facing.h"

#include <string.h>

// Keeps triangle indices and sizes in bytes within 31 bits.
enum { HEIGHTS_MAX = 1 << 26 };

struct rgField {
  int rows, columns;
  double spacing_x, spacing_y; // [m]
  double left, bottom;         // [m] x of column 0, y of row 0
  rgBounds bounds;
  const double* heights;
};

static bool check(const rgShapeDef* def, rgMessage* message) {
  if (!rg_check_count(def->rows, 2, HEIGHTS_MAX / 2, "rows", message) ||
      !rg_check_count(def->columns, 2, HEIGHTS_MAX / 2, "columns", message) ||
      !rg_check_positive(def->spacing_x, "spacing_x", message) ||
      !rg_check_positive(def->spacing_y, "spacing_y", message) ||
      !rg_check_given(def->heights, "heights", message))
    return false;
  if (def->rows > HEIGHTS_MAX / def->columns) {
    rg_fail(message, RG_ERROR_INPUT, "rows times columns is %lld, must be at most %d",
            (long long)def->rows * def->columns, HEIGHTS_MAX);
    return false;
  }
  int count = def->rows * def->columns;
  for (int i = 0; i < count; i++) {
    if (isfinite(def->heights[i]))
      continue;
    rg_fail(message, RG_ERROR_INPUT, "heights[%d] (row %d, column %d) is %.9g, must be finite", i,
            i / def->columns, i % def->columns, def->heights[i]);
    return false;
  }
  return true;
}

static size_t layout(const rgShapeDef* def, void* memory, rgField** field, double** heights) {
  rgCarver carver = {memory, 0};
  *field = rg_carve(&carver, 1, sizeof(rgField));
  *heights = rg_carve(&carver, (size_t)def->rows * def->columns, sizeof(double));
  return carver.used;
}

static rgStatus prepare(const rgShapeDef* def, void* scratch, size_t* extra_size,
                        rgMessage* message) {
  (void)scratch, (void)message;
  rgField* field;
  double* heights;
  *extra_size = layout(def, NULL, &field, &heights);
  return RG_OK;
}

static double height(const rgField* field, int row, int column) {
  return field->heights[(size_t)row * field->columns + column];
}

static rgVec3 point(const rgField* field, int row, int column) {
  return v3(field->left + column * field->spacing_x, field->bottom + row * field->spacing_y,
            height(field, row, column));
}

static void build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory) {
  (void)scratch;
  rgField* field;
  double* heights;
  layout(def, memory, &field, &heights);
  int count = def->rows * def->columns;
  memcpy(heights, def->heights, (size_t)count * sizeof(double));
  double lowest = heights[0], highest = heights[0];
  for (int i = 1; i < count; i++) {
    lowest = heights[i] < lowest ? heights[i] : lowest;
    highest = heights[i] > highest ? heights[i] : highest;
  }
  double half_x = 0.5 * (def->columns - 1) * def->spacing_x;
  double half_y = 0.5 * (def->rows - 1) * def->spacing_y;
  *field = (rgField){
      .rows = def->rows,
      .columns = def->columns,
      .spacing_x = def->spacing_x,
      .spacing_y = def->spacing_y,
      .left = -half_x,
      .bottom = -half_y,
      .heights = heights,
  };
  // From the same expressions as the points, so that the last ones are inside to the last bit.
  rgVec3 last = point(field, def->rows - 1, def->columns - 1);
  field->bounds = (rgBounds){v3(-half_x, -half_y, lowest), v3(last.x, last.y, highest)};
  shape->field = field;
  double tallest = fabs(lowest) > fabs(highest) ? fabs(lowest) : fabs(highest);
  shape->extent = v3_norm(v3(half_x, half_y, tallest));
  shape->size = rg_shape_surface_size(field->bounds);
}

static rgBounds bounds(const rgShape* shape, rgPose pose) {
  return rg_shape_bounds_placed(shape->field->bounds, pose);
}

// Normal of the triangle on side 0 or 1 of the diagonal; zero when the cell does not exist.
static rgVec3 normal_of(const rgField* field, int row, int column, int side) {
  if (row < 0 || column < 0 || row >= field->rows - 1 || column >= field->columns - 1)
    return v3_zero();
  double start = height(field, row, column), end = height(field, row + 1, column + 1);
  double corner = side == 0 ? height(field, row, column + 1) : height(field, row + 1, column);
  double slope_x = (side == 0 ? corner - start : end - corner) / field->spacing_x;
  double slope_y = (side == 0 ? end - corner : corner - start) / field->spacing_y;
  double s = 1 / sqrt(slope_x * slope_x + slope_y * slope_y + 1);
  return v3(-slope_x * s, -slope_y * s, s);
}

static void triangle(const rgShape* shape, int index, rgTriangle* out) {
  const rgField* field = shape->field;
  int cell = index / 2, side = index % 2;
  int r = cell / (field->columns - 1), c = cell % (field->columns - 1);
  out->normal = normal_of(field, r, c, side);
  out->corner[0] = point(field, r, c);
  if (side == 0) {
    out->corner[1] = point(field, r, c + 1);
    out->corner[2] = point(field, r + 1, c + 1);
    out->neighbour_normal[0] = normal_of(field, r - 1, c, 1);
    out->neighbour_normal[1] = normal_of(field, r, c + 1, 1);
    out->neighbour_normal[2] = normal_of(field, r, c, 1);
  } else {
    out->corner[1] = point(field, r + 1, c + 1);
    out->corner[2] = point(field, r + 1, c);
    out->neighbour_normal[0] = normal_of(field, r, c, 0);
    out->neighbour_normal[1] = normal_of(field, r + 1, c, 0);
    out->neighbour_normal[2] = normal_of(field, r, c - 1, 0);
  }
  for (int i = 0; i < 3; i++) {
    rgVec3 edge = v3_sub(out->corner[(i + 1) % 3], out->corner[i]);
    out->convex_edge[i] = rg_ridge_convex(out->normal, out->neighbour_normal[i], edge);
  }
}

// First and last of the cells 0 .. count - 1 of width `spacing` from `origin` that touch
// [lower, upper]; empty (first > last) when none does. One cell more on either side makes up for
// rounding; the caller compares exactly.
static void cell_range(double lower, double upper, double origin, double spacing, int count,
                       int* first, int* last) {
  double low = floor((lower - origin) / spacing) - 1;
  double high = floor((upper - origin) / spacing) + 1;
  *first = low > 0 ? (low < count ? (int)low : count) : 0;
  *last = high < count ? (high >= 0 ? (int)high : -1) : count - 1;
}

static bool touches(double a, double b, double c, double lower, double upper) {
  double low = a < b ? a : b, high = a < b ? b : a;
  low = c < low ? c : low;
  high = c > high ? c : high;
  return low <= upper && lower <= high;
}

static void triangles(const rgShape* shape, rgBounds box, rgTriangleVisit* visit, void* context) {
  const rgField* field = shape->field;
  if (!bounds_overlap(field->bounds, box))
    return;
  int cells_x = field->columns - 1, cells_y = field->rows - 1;
  int c_first, c_last, r_first, r_last;
  cell_range(box.lower.x, box.upper.x, field->left, field->spacing_x, cells_x, &c_first, &c_last);
  cell_range(box.lower.y, box.upper.y, field->bottom, field->spacing_y, cells_y, &r_first, &r_last);
  for (int r = r_first; r <= r_last; r++) {
    if (!touches(field->bottom + r * field->spacing_y, field->bottom + (r + 1) * field->spacing_y,
                 field->bottom + r * field->spacing_y, box.lower.y, box.upper.y))
      continue;
    for (int c = c_first; c <= c_last; c++) {
      double x = field->left + c * field->spacing_x;
      double x_next = field->left + (c + 1) * field->spacing_x;
      if (!(x <= box.upper.x && box.lower.x <= x_next))
        continue;
      double start = height(field, r, c), end = height(field, r + 1, c + 1);
      int index = 2 * (r * cells_x + c);
      if (touches(start, height(field, r, c + 1), end, box.lower.z, box.upper.z))
        visit(context, index);
      if (touches(start, end, height(field, r + 1, c), box.lower.z, box.upper.z))
        visit(context, index + 1);
    }
  }
}

// A ray on its way through the field.
typedef struct Passage {
  const rgField* field;
  const rgRay* ray;
  rgRayShear shear;
  double enter; // [m] where the ray comes into the bounds
  double limit; // [m] where it leaves them, or meets the nearest triangle so far
  int nearest;  // -1: none
} Passage;

static void ray_cell(Passage* p, int row, int column) {
  const rgField* field = p->field;
  for (int side = 0; side < 2; side++) {
    rgVec3 corners[3] = {
        point(field, row, column),
        side == 0 ? point(field, row, column + 1) : point(field, row + 1, column + 1),
        side == 0 ? point(field, row + 1, column + 1) : point(field, row + 1, column)};
    double distance = rg_ray_triangle(p->ray, &p->shear, corners);
    int index = 2 * (row * (field->columns - 1) + column) + side;
    if (distance >= 0 &&
        (distance < p->limit || (distance == p->limit && (p->nearest < 0 || index < p->nearest)))) {
      p->limit = distance;
      p->nearest = index;
    }
  }
}

// The cells of a column that the ray may pass: rows from where it comes in to where it goes out, and one
// more on either side (cell_range). False when the ray comes into the column behind what it has met.
static bool ray_column(Passage* p, int column) {
  const rgField* field = p->field;
  rgVec3 o = p->ray->origin, d = p->ray->direction;
  double start = p->enter, end = p->limit;
  if (d.x != 0) {
    double x = field->left + column * field->spacing_x;
    double one = (x - o.x) / d.x, two = (x + field->spacing_x - o.x) / d.x;
    double in = one < two ? one : two, out = one < two ? two : one;
    start = in > start ? in : start;
    end = out < end ? out : end;
    if (p->nearest >= 0 && in > p->limit)
      return false;
  }
  int first, last;
  double y0 = o.y + start * d.y, y1 = o.y + end * d.y;
  cell_range(y0 < y1 ? y0 : y1, y0 < y1 ? y1 : y0, field->bottom, field->spacing_y, field->rows - 1,
             &first, &last);
  for (int row = first; row <= last; row++)
    ray_cell(p, row, column);
  return true;
}

static bool ray(const rgShape* shape, const rgRay* ray, rgRayTouch* out) {
  const rgField* field = shape->field;
  Passage p = {field, ray, rg_ray_shear(ray->direction), 0, ray->length, -1};
  p.enter = rg_ray_bounds(ray, &field->bounds, ray->length);
  if (p.enter < 0)
    return false;
  double across = 2 * shape->extent; // no way through the bounds is longer
  p.limit = p.limit < p.enter + across ? p.limit : p.enter + across;
  double x0 = ray->origin.x + p.enter * ray->direction.x,
         x1 = ray->origin.x + p.limit * ray->direction.x;
  int first, last;
  cell_range(x0 < x1 ? x0 : x1, x0 < x1 ? x1 : x0, field->left, field->spacing_x,
             field->columns - 1, &first, &last);
  bool forwards = ray->direction.x >= 0;
  for (int i = first; i <= last; i++)
    if (!ray_column(&p, forwards ? i : first + last - i))
      break;
  rgTriangle met;
  if (p.nearest < 0)
    return false;
  triangle(shape, p.nearest, &met);
  if (!rg_ray_surface(ray, p.limit, met.normal, out))
    return false;
  out->triangle = p.nearest;
  return true;
}

const rgShapeInfo rg_shape_info_field = {
    .kind = RG_SHAPE_FIELD,
    .name = "field",
    .summary = "height field on a grid; for bodies that do not move freely",
    .parameters = {&rg_parameter_heights, &rg_parameter_rows, &rg_parameter_columns,
                   &rg_parameter_spacing},
    .solid = false,
    .convex = false,
    .check = check,
    .prepare = prepare,
    .build = build,
    .bounds = bounds,
    .triangles = triangles,
    .triangle = triangle,
    .ray = ray,
};
