// directions.h - which of many points may be the highest, by direction.
#ifndef SHAPE_SOLID_DIRECTIONS_H
#define SHAPE_SOLID_DIRECTIONS_H

#include "base/memory.h"
#include "math/vec.h"

// The directions, cut into cells: the squares of a grid on each side of a cube. Cell c has the
// points items[begin[c] .. end[c]), by rising index; none where they would be many.
typedef struct rgDirections {
  int squares; // along an edge of the cube
  int *begin, *end;
  int* items;
  int capacity; // of items
} rgDirections;

// Takes the memory of the cells for this many points.
rgDirections rg_directions_carve(rgCarver* carver, int points);
// Fills them. A point is left out of a cell only where another is higher by more than `slack` |d|
// for every direction d of the cell.
void rg_directions_make(rgDirections* directions, const rgVec3* points, int count, double slack);

// A run of points by rising index.
typedef struct rgDirectionCell {
  const int *begin, *end;
} rgDirectionCell;

// The points that may be the highest along d. None where that is not known: d is zero or not
// finite, or they are many.
static inline rgDirectionCell rg_directions_cell(const rgDirections* directions, rgVec3 d) {
  rgVec3 size = v3_abs(d);
  int axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
  double along = v3_get(size, axis);
  if (!(along > 0 && size.x + size.y + size.z < HUGE_VAL))
    return (rgDirectionCell){NULL, NULL};
  double u = axis == 0 ? d.y : d.x, v = axis == 2 ? d.y : d.z;
  int squares = directions->squares, side = 2 * axis + (v3_get(d, axis) > 0);
  double half = 0.5 * squares;
  int i = (int)((u / along + 1) * half), j = (int)((v / along + 1) * half);
  i = i < squares ? i : squares - 1;
  j = j < squares ? j : squares - 1;
  int cell = (side * squares + i) * squares + j;
  return (rgDirectionCell){directions->items + directions->begin[cell],
                           directions->items + directions->end[cell]};
}

#endif
