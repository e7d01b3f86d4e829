// suggest.c - "did you mean": the known word nearest to a mistyped one.
#include "cli/suggest.h"

#include <string.h>

enum { COMMON_MIN = 3 }; // letters; fewer are chance

CliSuggestion cli_suggest_start(const char* word) {
  return (CliSuggestion){.guess = {.word = word}};
}

void cli_suggest_offer(CliSuggestion* suggestion, const char* known) {
  const char* word = suggestion->guess.word;
  rg_guess_offer(&suggestion->guess, known);
  int common = 0;
  while (word[common] && word[common] == known[common])
    ++common;
  bool mostly = 3 * common >= 2 * (int)strlen(word);
  if (mostly && common >= COMMON_MIN && common > suggestion->common) {
    suggestion->alike = known;
    suggestion->common = common;
  }
}

const char* cli_suggest_best(const CliSuggestion* suggestion) {
  return suggestion->guess.best ? suggestion->guess.best : suggestion->alike;
}
