// names.h - finding things by name, and guessing what a misspelt name meant.
#ifndef IO_TEXT_NAMES_H
#define IO_TEXT_NAMES_H

#include "base/pool.h"
#include <rigor/util.h>

// Names with the index each stands for. Texts are borrowed.
typedef struct rgNames {
  rgPool* pool;
  struct rgName {
    const char* text; // NULL: an unused entry
    size_t length;
    int index;
  } * entries; // open addressing, a power of two, at most half full
  size_t capacity, used;
} rgNames;

// Index that a name of this length stands for, or -1.
int rg_names_find(const rgNames* names, const char* text, size_t length);
// Adds a name that is not there yet; false when memory ran out.
bool rg_names_add(rgNames* names, const char* text, int index);

// Offers every name to a guess.
void rg_names_guess(const rgNames* names, rgGuess* guess);

#endif
