// tokens.h - splits a text into words at white space, each with its place, and reads them as
// numbers.
//
// A scanner is a small struct by value: a copy of it looks ahead without moving the original.
#ifndef IO_TEXT_TOKENS_H
#define IO_TEXT_TOKENS_H

#include <rigor/base.h>

typedef struct rgTokens {
  const char* text;
  size_t length, at;
  size_t line_start; // where the current line begins
  int line;          // from 1
  const char* name;  // of the file, for messages
  rgMessage* message;
  rgStatus status; // of the first failure
} rgTokens;

typedef struct rgToken {
  const char* text; // not ended by zero
  size_t length;
  int line, column; // from 1; the column counts bytes
} rgToken;

rgTokens rg_tokens(const char* text, size_t length, const char* name, rgMessage* message);

// The next word; false at the end of the text.
bool rg_token_next(rgTokens* tokens, rgToken* token);
// Advances to the beginning of the next line.
void rg_token_skip_line(rgTokens* tokens);
bool rg_token_is(const rgToken* token, const char* word);
// Whether a word is a number, and which; accepts what printf writes, "nan" and "inf" included.
bool rg_token_number(const rgToken* token, double* value);
// Whether a word is a whole number that an int holds.
bool rg_token_whole(const rgToken* token, int* value);

// Upper bound on the number of words in the rest of the text.
size_t rg_tokens_left(const rgTokens* tokens);

// The following return false and leave a message with the place when the next word is not what they
// expect. `what` names the word in the message, for instance "q[%d]" with `index`.
bool rg_token_real(rgTokens* tokens, const char* what, int index, double* value); // finite
bool rg_token_int(rgTokens* tokens, const char* what, int index, int lower, int upper, int* value);
bool rg_token_word(rgTokens* tokens, const char* word);

// "name:line:column: text" of a token (NULL: of where the scanner is); returns false.
bool rg_tokens_fail(rgTokens* tokens, const rgToken* token, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
bool rg_tokens_no_memory(rgTokens* tokens);

#endif
