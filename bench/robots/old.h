// old.h - models as MuJoCo 2.2.2 reads them: newer elements spelt out or left out.
#ifndef BENCH_ROBOTS_OLD_H
#define BENCH_ROBOTS_OLD_H

#include <stdbool.h>
#include <stddef.h>

// Writes the model `path` with all it includes to the file `to`, without looks, without meshes that
// are missing and the geoms that show them, and with copies and attached models spelt out. `key`
// replaces the keyframes ("<key qpos='...'/>"); NULL: they stay. `bare` leaves out what the two
// programs model differently: contact, limits, dry friction, loops. False with a message on failure.
bool old_write(const char* path, const char* to, const char* key, bool bare, char* message,
               size_t size);

// What a file states of the mass of a body.
typedef struct Stated {
  bool mass; // it has one; otherwise it follows from the geoms
  bool full; // as a full matrix of inertia: xx, yy, zz, xy, xz, yz
  double values[6];
} Stated;

// That of each of MuJoCo's `count` bodies, in a file of old_write. False when its bodies are others.
bool old_stated_masses(const char* file, Stated* stated, int count);

#endif
