// names.c - finding things by name, and guessing what a misspelt name meant.
//
// A guess is measured by the number of single-letter insertions, deletions, replacements and swaps
// of neighbours that lead from one word to the other (Damerau and Levenshtein), and accepted up to
// one, or a third of the letters.
#include "io/text/names.h"

#include "base/hash.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64, GUESS_LETTERS = 48 };

static size_t entry_of(const rgNames* names, const char* text, size_t length) {
  size_t mask = names->capacity - 1;
  size_t entry = (size_t)rg_hash_bytes(RG_HASH_START, text, length) & mask;
  while (names->entries[entry].text && (names->entries[entry].length != length ||
                                        memcmp(names->entries[entry].text, text, length) != 0))
    entry = (entry + 1) & mask;
  return entry;
}

int rg_names_find(const rgNames* names, const char* text, size_t length) {
  if (names->capacity == 0)
    return -1;
  const struct rgName* found = &names->entries[entry_of(names, text, length)];
  return found->text ? found->index : -1;
}

static bool grow(rgNames* names) {
  rgNames larger = *names;
  larger.capacity = names->capacity ? 2 * names->capacity : FIRST_CAPACITY;
  larger.entries = rg_pool_take(names->pool, larger.capacity, sizeof *larger.entries);
  if (!larger.entries)
    return false;
  for (size_t i = 0; i < names->capacity; i++)
    if (names->entries[i].text)
      larger.entries[entry_of(&larger, names->entries[i].text, names->entries[i].length)] =
          names->entries[i];
  *names = larger;
  return true;
}

bool rg_names_add(rgNames* names, const char* text, int index) {
  if (2 * names->used >= names->capacity && !grow(names))
    return false;
  size_t length = strlen(text);
  names->entries[entry_of(names, text, length)] = (struct rgName){text, length, index};
  names->used++;
  return true;
}

static int least(int a, int b) { return a < b ? a : b; }

// Edit distance; words longer than GUESS_LETTERS are never close.
static int edit_distance(const char* a, const char* b) {
  size_t m = strlen(a), n = strlen(b);
  if (m > GUESS_LETTERS || n > GUESS_LETTERS)
    return INT_MAX;
  int rows[3][GUESS_LETTERS + 1]; // the present row and the two before it
  for (size_t j = 0; j <= n; j++)
    rows[0][j] = (int)j;
  for (size_t i = 1; i <= m; i++) {
    int *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
    row[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      int replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], two_above[j - 2] + 1);
    }
  }
  return rows[m % 3][n];
}

void rg_guess_offer(rgGuess* guess, const char* candidate) {
  int distance = edit_distance(guess->word, candidate);
  size_t letters = strlen(guess->word);
  int allowed = letters < 6 ? 1 : (int)(letters / 3);
  if (distance > allowed || (size_t)distance >= strlen(candidate))
    return;
  bool better = !guess->best || distance < guess->distance ||
                (distance == guess->distance && strcmp(candidate, guess->best) < 0);
  if (better) {
    guess->best = candidate;
    guess->distance = distance;
  }
}

void rg_names_guess(const rgNames* names, rgGuess* guess) {
  for (size_t i = 0; i < names->capacity; i++)
    if (names->entries[i].text)
      rg_guess_offer(guess, names->entries[i].text);
}
