// geometry.c - what a body looks like: the numbers of curved shapes, the triangles of the others.
#include "wasm/page.h"

#include "cli/text/text.h"

#include <stdlib.h>
#include <string.h>

// Lists the shapes anew: page_shape and page_bounds go by their places in the list.
PAGE_EXPORT(page_shape_count) int page_shape_count(Page* page) {
  int count = rg_world_shapes(page->world, NULL, 0);
  if (count > page->shape_capacity) {
    rgShapeId* more = realloc(page->shapes, (size_t)count * sizeof *more);
    if (!more) {
      cli_fail(&page->message, RG_ERROR_MEMORY, "not enough memory");
      return 0;
    }
    page->shapes = more;
    page->shape_capacity = count;
  }
  page->shape_count = rg_world_shapes(page->world, page->shapes, page->shape_capacity);
  return page->shape_count;
}

// One PageShape and its corners.
PAGE_EXPORT(page_shape) const double* page_shape(Page* page, int index) {
  rgShapeView view;
  if (index < 0 || index >= page->shape_count ||
      rg_shape_view(page->world, page->shapes[index], &view) != RG_OK) {
    cli_fail(&page->message, RG_ERROR_NOT_FOUND, "there is no shape %d", index);
    return NULL;
  }
  _Static_assert(sizeof(rgVec3) == 3 * sizeof(double), "corners are three numbers each");
  int size = (int)(sizeof(PageShape) / sizeof(double)), count = view.corner_count;
  double* out = page_room(page, size + 3 * count);
  if (!out)
    return NULL;
  PageShape* shape = (PageShape*)(void*)out;
  shape->body = view.body.index;
  shape->kind = view.def.kind;
  page_put(shape->position, view.def.pose.position);
  page_put_turn(shape->orientation, view.def.pose.orientation);
  shape->radius = view.def.radius;
  shape->halfLength = view.def.half_length;
  page_put(shape->half, view.def.half);
  shape->extent = view.extent;
  shape->corners = count;
  rg_shape_corners(page->world, page->shapes[index], (rgVec3*)(void*)(out + size), count);
  return out;
}

// Of every shape, in the order of the list.
PAGE_EXPORT(page_bounds) const double* page_bounds(Page* page) {
  int count = page_shape_count(page);
  double* out = page_room(page, count * (int)(sizeof(PageBounds) / sizeof(double)));
  PageBounds* to = (PageBounds*)(void*)out;
  for (int i = 0; out && i < count; ++i, ++to) {
    rgBounds bounds = rg_shape_bounds(page->world, page->shapes[i]);
    page_put(to->lower, bounds.lower);
    page_put(to->upper, bounds.upper);
  }
  return out;
}
