// shape.h - shapes on their own, without a world.
#ifndef SUPPORT_SHAPE_H
#define SUPPORT_SHAPE_H

#include "shape/shape.h"
#include "test.h"

// NULL and a message when the definition is refused.
static inline rgShape* try_shape(const rgShapeDef* def, rgMessage* message) {
  rgAllocator heap = rg_allocator_default();
  rgStatus status;
  return rg_shape_create(def, &heap, &status, message);
}

static inline rgShape* make_shape(rgShapeDef def) {
  rgMessage message = {""};
  rgShape* shape = try_shape(&def, &message);
  REQUIRE_MSG(shape != NULL, "%s", message.text);
  return shape;
}

static inline void free_shape(rgShape* shape) {
  rgAllocator heap = rg_allocator_default();
  rg_shape_destroy(shape, &heap);
}

#endif
