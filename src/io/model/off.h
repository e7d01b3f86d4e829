// off.h - polyhedra in Object File Format: points and polygons as plain text.
#ifndef IO_MODEL_OFF_H
#define IO_MODEL_OFF_H

#include "io/schema/schema.h"

// Reads points (rgVec3) and triangles (three ints each; polygons are cut into fans) into the pool.
// The message begins with "name:line: ".
rgStatus rg_off_parse(const char* text, size_t length, const char* name, rgPool* pool,
                      rgList* points, rgList* triangles, rgMessage* message);

#endif
