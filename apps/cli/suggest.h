// suggest.h - "did you mean": the known word nearest to a mistyped one.
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <rigor/util.h>

typedef struct CliSuggestion {
  rgGuess guess;     // by letters that differ
  const char* alike; // by a common beginning: "--iterations" finds "--iteration-limit"
  int common;        // letters of that beginning
} CliSuggestion;

CliSuggestion cli_suggest_start(const char* word);
// `known` is kept, not copied.
void cli_suggest_offer(CliSuggestion* suggestion, const char* known);
// The best word offered, or NULL when none is near.
const char* cli_suggest_best(const CliSuggestion* suggestion);

#endif
