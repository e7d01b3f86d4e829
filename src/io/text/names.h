// names.h - finding things by name, and guessing what a misspelt name meant.
#ifndef IO_TEXT_NAMES_H
#define IO_TEXT_NAMES_H

#include "base/pool.h"

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

// Collects the closest of several candidates to a word; `best` stays NULL when none is close enough
// to be meant.
typedef struct rgGuess {
  const char* word;
  const char* best;
  int distance;
} rgGuess;
void rg_guess_offer(rgGuess* guess, const char* candidate);
// Offers every name.
void rg_names_guess(const rgNames* names, rgGuess* guess);

#endif
