// tokens.c - splits a text into words at white space, each with its place.
#include "io/text/tokens.h"

#include "base/message.h"
#include "base/number.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  SHOWN = 40,      // bytes of a word that a message shows
  LABEL_SIZE = 96, // bytes of the name of a number
  LOOSE_SIZE = 64, // bytes of a number in a form that JSON does not have
};

rgTokens rg_tokens(const char* text, size_t length, const char* name, rgMessage* message) {
  return (rgTokens){
      .text = text, .length = length, .line = 1, .name = name, .message = message, .status = RG_OK};
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void start_line(rgTokens* tokens) {
  tokens->line++;
  tokens->line_start = tokens->at + 1;
}

static void skip_space(rgTokens* tokens) {
  for (; tokens->at < tokens->length && is_space(tokens->text[tokens->at]); tokens->at++)
    if (tokens->text[tokens->at] == '\n')
      start_line(tokens);
}

bool rg_token_next(rgTokens* tokens, rgToken* token) {
  skip_space(tokens);
  *token = (rgToken){tokens->text + tokens->at, 0, tokens->line,
                     (int)(tokens->at - tokens->line_start) + 1};
  while (tokens->at < tokens->length && !is_space(tokens->text[tokens->at]))
    tokens->at++;
  token->length = (size_t)(tokens->text + tokens->at - token->text);
  return token->length > 0;
}

void rg_token_skip_line(rgTokens* tokens) {
  while (tokens->at < tokens->length && tokens->text[tokens->at] != '\n')
    tokens->at++;
  if (tokens->at < tokens->length) {
    start_line(tokens);
    tokens->at++;
  }
}

bool rg_token_is(const rgToken* token, const char* word) {
  return token->length == strlen(word) && memcmp(token->text, word, token->length) == 0;
}

static bool is_any_of(const char* text, size_t length, const char* const* words) {
  for (; *words; words++)
    if (strlen(*words) == length && memcmp(text, *words, length) == 0)
      return true;
  return false;
}

// Reads forms that scanf accepts and JSON does not: "1.", ".5", "1.e3", "007".
static bool loose_number(const char* text, size_t length, double* value) {
  char plain[LOOSE_SIZE];
  size_t used = 0, i = 0;
  if (length + 2 > sizeof plain) // a zero on either side of the point
    return false;
  if (i < length && text[i] == '-')
    plain[used++] = text[i++];
  bool digits = i < length && text[i] >= '0' && text[i] <= '9';
  while (i + 1 < length && text[i] == '0' && text[i + 1] >= '0' && text[i + 1] <= '9')
    i++;
  if (i < length && text[i] == '.')
    plain[used++] = '0';
  while (i < length && text[i] != '.')
    plain[used++] = text[i++];
  if (i < length) {
    plain[used++] = text[i++];
    bool fraction = i < length && text[i] >= '0' && text[i] <= '9';
    if (!fraction && digits)
      plain[used++] = '0';
    while (i < length)
      plain[used++] = text[i++];
  }
  if (rg_number_scan(plain, used) != used)
    return false;
  *value = rg_number_value(plain, used);
  return true;
}

bool rg_token_number(const rgToken* token, double* value) {
  static const char* const nans[] = {"nan", "NaN", "NAN", "-nan", NULL};
  static const char* const infinities[] = {"inf",  "Inf",  "INF",       "infinity", "-inf",
                                           "-Inf", "-INF", "-infinity", NULL};
  const char* text = token->text;
  size_t length = token->length;
  if (length > 1 && text[0] == '+' && text[1] != '-') {
    text++;
    length--;
  }
  if (length > 0 && rg_number_scan(text, length) == length) {
    *value = rg_number_value(text, length);
    return true;
  }
  if (length > 0 && loose_number(text, length, value))
    return true;
  bool nan = is_any_of(text, length, nans), infinite = is_any_of(text, length, infinities);
  *value = nan ? (double)NAN : text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  return nan || infinite;
}

bool rg_token_whole(const rgToken* token, int* value) {
  double number = 0;
  if (!rg_token_number(token, &number) || !(number >= INT_MIN && number <= INT_MAX) ||
      floor(number) != number)
    return false;
  *value = (int)number;
  return true;
}

size_t rg_tokens_left(const rgTokens* tokens) { return (tokens->length - tokens->at + 1) / 2; }

bool rg_tokens_fail(rgTokens* tokens, const rgToken* token, const char* format, ...) {
  if (tokens->status != RG_OK)
    return false;
  char text[sizeof tokens->message->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  int line = token ? token->line : tokens->line;
  int column = token ? token->column : (int)(tokens->at - tokens->line_start) + 1;
  tokens->status =
      rg_fail(tokens->message, RG_ERROR_INPUT, "%s:%d:%d: %s", tokens->name, line, column, text);
  return false;
}

bool rg_tokens_no_memory(rgTokens* tokens) {
  tokens->status = rg_fail(tokens->message, RG_ERROR_MEMORY, "%s: not enough memory", tokens->name);
  return false;
}

// "q[%d]" and 3 become "q[3]".
static void label(const char* what, int index, char text[LABEL_SIZE]) {
  const char* mark = strstr(what, "%d");
  if (mark)
    snprintf(text, LABEL_SIZE, "%.*s%d%s", (int)(mark - what), what, index, mark + 2);
  else
    snprintf(text, LABEL_SIZE, "%s", what);
}

static bool fail_end(rgTokens* tokens, const char* what) {
  return rg_tokens_fail(tokens, NULL, "unexpected end of file, expected %s", what);
}

static bool fail_word(rgTokens* tokens, const rgToken* token, const char* what,
                      const char* wanted) {
  int shown = token->length < SHOWN ? (int)token->length : SHOWN;
  return rg_tokens_fail(tokens, token, "%s is '%.*s', must be %s", what, shown, token->text,
                        wanted);
}

bool rg_token_real(rgTokens* tokens, const char* what, int index, double* value) {
  rgToken token;
  bool there = rg_token_next(tokens, &token);
  if (there && rg_token_number(&token, value) && isfinite(*value))
    return true;
  char name[LABEL_SIZE];
  label(what, index, name);
  return there ? fail_word(tokens, &token, name, "a finite number") : fail_end(tokens, name);
}

bool rg_token_int(rgTokens* tokens, const char* what, int index, int lower, int upper, int* value) {
  rgToken token;
  bool there = rg_token_next(tokens, &token);
  if (there && rg_token_whole(&token, value) && *value >= lower && *value <= upper)
    return true;
  char name[LABEL_SIZE], wanted[LABEL_SIZE];
  label(what, index, name);
  if (!there)
    return fail_end(tokens, name);
  if (lower == upper)
    snprintf(wanted, sizeof wanted, "%d", lower);
  else if (upper == INT_MAX)
    snprintf(wanted, sizeof wanted, "a whole number >= %d", lower);
  else
    snprintf(wanted, sizeof wanted, "a whole number from %d to %d", lower, upper);
  return fail_word(tokens, &token, name, wanted);
}

bool rg_token_word(rgTokens* tokens, const char* word) {
  rgToken token;
  if (!rg_token_next(tokens, &token))
    return fail_end(tokens, word);
  int shown = token.length < SHOWN ? (int)token.length : SHOWN;
  return rg_token_is(&token, word) ||
         rg_tokens_fail(tokens, &token, "expected '%s', found '%.*s'", word, shown, token.text);
}
