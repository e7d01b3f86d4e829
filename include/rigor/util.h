// util.h - what programs around the library need to be reproducible and helpful: sine and cosine,
// random numbers, numbers as text, text that is safe to show, guesses at misspelt words, and files that are
// never half written.
//
// Everything here gives the same bits on every machine, whatever its C library and its locale.
#ifndef RIGOR_UTIL_H
#define RIGOR_UTIL_H

#include "base.h"
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// Sine, cosine and arc tangent [rad] as fixed sequences of IEEE operations. The error is below
// 2^-52 for |x| up to 1e6 (sine, cosine), and below 4 units in the last place (arc tangent).
#define RG_PI 3.14159265358979323846
RG_API double rg_sin(double x);
RG_API double rg_cos(double x);
RG_API double rg_atan2(double y, double x);

// Random numbers for scenes, starts and tests: Knuth's linear congruential generator (MMIX), of
// which the high bits are used. Not meant for statistics or cryptography.
//
//     uint64_t state = 1; // the seed
//     double x = 2 * rg_random_unit(&state) - 1; // in [-1, 1)
//
// Advances to the next state and returns it.
static inline uint64_t rg_random_bits(uint64_t* state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state;
}
// Uniform in [0, 1).
static inline double rg_random_unit(uint64_t* state) {
  return (double)(rg_random_bits(state) >> 11) * 0x1p-53;
}

// Writes the shortest of 15, 16 and 17 digits that reads back to the same bits; "nan", "inf" or
// "-inf" when the value is not finite. The decimal point is always a point. Returns the length.
enum { RG_NUMBER_SIZE = 40 }; // [bytes] that hold any number and the final zero
RG_API int rg_number_format(double value, char text[RG_NUMBER_SIZE]);

// Bytes of the UTF-8 character that a text of `left` bytes begins with; 0 when it is none.
RG_API int rg_utf8_length(const char* text, size_t left);
// Makes a text from elsewhere fit for a terminal and for a file of UTF-8: control characters and
// bytes that are not UTF-8 become question marks, and a character that was cut at the end is left out.
RG_API void rg_utf8_clean(char* text);

// A range of numbers: HUGE_VAL (INFINITY) as `upper` and its negative as `lower` mean no bound.
typedef struct rgRange {
  double lower, upper;
  bool lower_open; // `lower` itself is excluded
} rgRange;
// Whether a value lies in a range; NULL holds everything.
RG_API bool rg_range_holds(const rgRange* range, double value);
// What a number must be, for messages: "> 0", ">= 0.5 and <= 1".
RG_API void rg_range_text(const rgRange* range, char* text, size_t size);

// "Did you mean": the closest of several words to one that is not known. `best` stays NULL when
// none is close enough to be meant.
//
//     rgGuess guess = {.word = "hing"};
//     for (int i = 0; i < RG_JOINT_KIND_COUNT; i++)
//       rg_guess_offer(&guess, rg_joint_kind_name((rgJointKind)i));
//     // guess.best is "hinge"
typedef struct rgGuess {
  const char* word; // borrowed, as all words are
  const char* best;
  int distance; // letters to insert, delete, replace or swap with a neighbour
} rgGuess;
RG_API void rg_guess_offer(rgGuess* guess, const char* candidate);

// Files that are never half written: a file is written beside its place under another
// name, and takes its place when it is whole. Until then what was there before stays as it was.
//
//     rgOutput* output;
//     if (rg_output_open("state.bin", &output, &message) == RG_OK) {
//       fwrite(state, 1, size, rg_output_stream(output));
//       rg_output_commit(output, &message);
//     }
//
// Links are followed, and the permissions of an existing file are kept. What is no regular file
// (/dev/stdout, a pipe) cannot be replaced and is written directly.
typedef struct rgOutput rgOutput; // opaque

// RG_ERROR_IO, with the path and the reason in the message, when the file could not be written.
RG_API rgStatus rg_output_open(const char* path, rgOutput** output, rgMessage* message);
RG_API FILE* rg_output_stream(rgOutput* output);
// Puts the file in its place if everything could be written, and removes it otherwise. The output
// is freed in both cases.
RG_API rgStatus rg_output_commit(rgOutput* output, rgMessage* message);
RG_API void rg_output_abandon(rgOutput* output); // removes and frees it; NULL is allowed

#ifdef __cplusplus
}
#endif
#endif
