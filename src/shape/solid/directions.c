// directions.c - which of many points may be the highest, by direction.
//
// Problem. Points p_i and a direction d: the i of greatest d.p_i, in time that does not grow with
// the number of points, and the same i as a visit of all finds, rounding included.
//
// Method. A table. A cell is the cone of directions through a square on a side of a cube, that is
// of the d = sum a_k c_k, a_k >= 0, with c_k the directions of its corners. Point p is left out of
// the cell when there is a point w with
//
//     c_k.(w - p) > slack |c_k|  for all four k.
//
// Then d.(w - p) > slack sum a_k |c_k| >= slack |d| for all directions of the cell. Nothing is
// assumed of the points: they need not be corners of a convex body, nor distinct. For w those
// points are tried that are the highest along the middle and along the corners. The cells are found
// by cutting squares into four; a part has points of the whole alone.
//
// Rounding. Squares are widened by WIDEN, so that a direction that rounding puts into the cell
// beside its own is in that one too. With slack above some 1e-15 |p|, what is left out is not the
// highest in rounded products either.
//
// Cost. For n points on a curved surface some n / 5 cells with about 15 points each: making
// O(n log n), a search one division and 15 products. Where many points of a cell are as high as
// each other, it stays empty, and the caller must seek otherwise.
#include "shape/solid/directions.h"

enum {
  POINTS_PER_CELL = 5, // on average, were each in one cell alone
  CELL_MOST = 128,     // points in a cell; with more it stays empty
  CELL_MEAN = 24,      // points for which there is memory
  CORNERS = 4,
  RIVALS = CORNERS + 1, // points that may leave others out
  RIVALS_SOUGHT = 128,  // points among which they are sought, about
};

static const double WIDEN = 1e-12; // part of the edge of the cube

static int squares_for(int points) {
  int squares = 1;
  while (6 * squares * squares * POINTS_PER_CELL < points)
    squares++;
  return squares;
}

rgDirections rg_directions_carve(rgCarver* carver, int points) {
  int squares = squares_for(points), cells = 6 * squares * squares;
  rgDirections directions = {.squares = squares, .capacity = CELL_MEAN * cells + points};
  directions.begin = rg_carve(carver, (size_t)cells, sizeof(int));
  directions.end = rg_carve(carver, (size_t)cells, sizeof(int));
  directions.items = rg_carve(carver, (size_t)directions.capacity, sizeof(int));
  return directions;
}

typedef struct Making {
  rgDirections* to;
  const rgVec3* points;
  int* list; // all points; those of the square at hand come first
  double slack;
  int room; // items that may be used
  int used;
} Making;

// Part of a side of the cube, in cells.
typedef struct Square {
  int side;
  int i, j;   // where it begins
  int ni, nj; // its widths, which differ by one at the most
} Square;

typedef struct Heights {
  double along[CORNERS];
} Heights;

static rgVec3 on_side(int side, double u, double v) {
  double s = side % 2 ? 1 : -1;
  return side / 2 == 0 ? v3(s, u, v) : side / 2 == 1 ? v3(u, s, v) : v3(u, v, s);
}

static void corners_of(const Square* q, int squares, rgVec3* corners) {
  double edge = 2.0 / squares;
  for (int k = 0; k < CORNERS; k++) {
    double u = (k & 1 ? q->i + q->ni : q->i) * edge - 1 + (k & 1 ? WIDEN : -WIDEN);
    double v = (k & 2 ? q->j + q->nj : q->j) * edge - 1 + (k & 2 ? WIDEN : -WIDEN);
    corners[k] = on_side(q->side, u, v);
    corners[k] = v3_scale(corners[k], 1 / v3_norm(corners[k]));
  }
}

static Heights heights_of(const rgVec3* corners, rgVec3 x) {
  Heights h;
  for (int k = 0; k < CORNERS; k++)
    h.along[k] = v3_dot(corners[k], x);
  return h;
}

static double sum_of(const Heights* h) {
  return h->along[0] + h->along[1] + h->along[2] + h->along[3];
}

// The highest along the sum of the corners, which is in the middle, and along each corner. Any
// points will do: of many, some are looked at.
static void find_rivals(const Making* making, const rgVec3* corners, int count, Heights* rivals) {
  for (int r = 0; r < RIVALS; r++)
    rivals[r] = heights_of(corners, making->points[making->list[0]]);
  for (int i = 1; i < count; i += 1 + count / RIVALS_SOUGHT) {
    Heights h = heights_of(corners, making->points[making->list[i]]);
    if (sum_of(&h) > sum_of(&rivals[0]))
      rivals[0] = h;
    for (int k = 0; k < CORNERS; k++)
      if (h.along[k] > rivals[k + 1].along[k])
        rivals[k + 1] = h;
  }
}

static bool left_out(const Heights* h, const Heights* rivals, double slack) {
  for (int r = 0; r < RIVALS; r++) {
    int k = 0;
    while (k < CORNERS && rivals[r].along[k] - h->along[k] > slack)
      k++;
    if (k == CORNERS)
      return true;
  }
  return false;
}

// Brings those of the first `count` points to the front that may be the highest in the square.
static int choose(Making* making, const Square* square, int count) {
  rgVec3 corners[CORNERS];
  Heights rivals[RIVALS];
  corners_of(square, making->to->squares, corners);
  find_rivals(making, corners, count, rivals);
  int kept = 0;
  for (int i = 0; i < count; i++) {
    int point = making->list[i];
    Heights h = heights_of(corners, making->points[point]);
    if (left_out(&h, rivals, making->slack))
      continue;
    making->list[i] = making->list[kept];
    making->list[kept++] = point;
  }
  return kept;
}

static void write_cell(Making* making, const Square* square, int count) {
  int squares = making->to->squares;
  int cell = (square->side * squares + square->i) * squares + square->j;
  bool fits = count <= CELL_MOST && making->used + count <= making->room;
  making->to->begin[cell] = making->to->end[cell] = making->used;
  if (!fits)
    return;
  int* items = making->to->items + making->used;
  for (int i = 0; i < count; i++) {
    int j = i;
    for (; j > 0 && items[j - 1] > making->list[i]; j--)
      items[j] = items[j - 1];
    items[j] = making->list[i];
  }
  making->to->end[cell] = making->used += count;
}

static void cut(Making* making, Square square, int count) {
  count = choose(making, &square, count);
  if (square.ni == 1 && square.nj == 1) {
    write_cell(making, &square, count);
    return;
  }
  int ni = square.ni / 2, nj = square.nj / 2;
  for (int k = 0; k < 4; k++) { // as deep as the logarithm of the number of cells
    Square part = {.side = square.side,
                   .i = square.i + (k & 1 ? ni : 0),
                   .j = square.j + (k & 2 ? nj : 0),
                   .ni = k & 1 ? square.ni - ni : ni,
                   .nj = k & 2 ? square.nj - nj : nj};
    if (part.ni > 0 && part.nj > 0)
      cut(making, part, count);
  }
}

void rg_directions_make(rgDirections* directions, const rgVec3* points, int count, double slack) {
  Making making = {.to = directions, .points = points, .slack = slack};
  making.room = directions->capacity - count; // the list is behind what is used
  making.list = directions->items + making.room;
  for (int i = 0; i < count; i++)
    making.list[i] = i;
  for (int side = 0; side < 6; side++)
    cut(&making, (Square){side, 0, 0, directions->squares, directions->squares}, count);
}
