// Text from files on its way to terminals: what is UTF-8, and what is left of what is not.
#include "test.h"

#include "base/message.h"
#include <rigor/problem.h>
#include <rigor/solver.h>
#include <rigor/util.h>

#include <locale.h>

static int encode(unsigned code, char* text) {
  if (code < 0x80) {
    text[0] = (char)code;
    return 1;
  }
  int length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (int i = length - 1; i > 0; i--, code >>= 6)
    text[i] = (char)(0x80 | (code & 0x3f));
  text[0] = (char)((0xf00 >> length & 0xff) | code);
  return length;
}

TEST(every_character_has_its_length) {
  for (unsigned code = 1; code <= 0x10ffff; code++) {
    char text[5] = "";
    int length = encode(code, text);
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    REQUIRE_INT(rg_utf8_length(text, (size_t)length), surrogate ? 0 : length);
    if (length > 1)
      REQUIRE_INT(rg_utf8_length(text, (size_t)length - 1), 0);
  }
}

// All sequences of up to three bytes: decoding what is accepted and encoding it again gives the same
// bytes, so that no character has two forms.
TEST(no_character_has_two_forms) {
  for (unsigned bytes = 0x80; bytes < 1u << 24; bytes++) {
    unsigned char s[4] = {(unsigned char)(bytes & 0xff), (unsigned char)(bytes >> 8 & 0xff),
                          (unsigned char)(bytes >> 16), 0};
    int length = rg_utf8_length((const char*)s, 3);
    if (length < 2)
      continue;
    unsigned code = s[0] & (0x7fu >> length);
    for (int i = 1; i < length; i++)
      code = code << 6 | (s[i] & 0x3f);
    char again[5] = "";
    REQUIRE_INT(encode(code, again), length);
    REQUIRE(memcmp(again, s, (size_t)length) == 0);
  }
}

TEST(what_a_terminal_would_obey_is_taken_out) {
  static const struct {
    const char *text, *expected;
  } cases[] = {
      {"plain", "plain"},
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"a\033[31mb\a\r\n\x7f", "a?[31mb????"},
      {"\xc2\x9b"
       "31m",
       "?31m"},
      {"\xff\xfe"
       "a",
       "??a"},
      {"cut \xe2\x82", "cut "},
      {"cut \xf0", "cut "},
      {"cut \xe0", "cut "},
      {"no cut \x80", "no cut ?"},
      {"\xed\xa0\x80", "???"}, // a surrogate
      {"", ""},
  };
  for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
    char text[64];
    snprintf(text, sizeof text, "%s", cases[i].text);
    rg_utf8_clean(text);
    CHECK_STR(text, cases[i].expected);
  }
}

// Any bytes in, UTF-8 without control characters out.
TEST(what_is_cleaned_is_clean) {
  uint64_t state = 1;
  for (int round = 0; round < 100000; round++) {
    char text[16];
    int length = (int)(rg_random_bits(&state) >> 60);
    for (int i = 0; i < length; i++)
      text[i] = (char)(1 + (rg_random_bits(&state) >> 40) % 255);
    text[length] = 0;
    rg_utf8_clean(text);
    size_t left = strlen(text);
    for (const char* c = text; left > 0;) {
      int one = rg_utf8_length(c, left);
      REQUIRE(one > 0);
      REQUIRE(one > 1 ? !((unsigned char)c[0] == 0xc2 && (unsigned char)c[1] < 0xa0)
                      : *c >= 0x20 && *c < 0x7f);
      c += one;
      left -= (size_t)one;
    }
  }
}

TEST(messages_are_clean) {
  rgMessage message = {""};
  CHECK_INT(rg_fail(&message, RG_ERROR_INPUT, "\"%s\" is no key", "\033]0;title\a"),
            RG_ERROR_INPUT);
  CHECK_STR(message.text, "\"?]0;title?\" is no key");
}

// Options of solvers have a decimal point, whatever the locale of the program is.
TEST(options_of_solvers_ignore_the_locale) {
  const char* folder = test_temporary("locale");
  char command[2048];
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s >/dev/null 2>&1", folder);
  if (system(command) != 0 || setenv("LOCPATH", test_state.folder, 1) != 0 ||
      !setlocale(LC_ALL, "locale"))
    SKIP("no locale with a decimal comma can be made here");
  char half[8];
  snprintf(half, sizeof half, "%g", 0.5);
  CHECK_STR(half, "0,5"); // the locale is in force
  rgProblemBody body = {.inverse_mass = 1};
  rgProblem problem = {.dimension = 3, .body_count = 1, .bodies = &body};
  double v[6], r[1] = {0}, lambda[1] = {0}, work[4096];
  rgSolution solution = {v, r, lambda};
  rgSolveReport report;
  rgMessage message = {""};
  rgStop stop = rg_stop_default();
  REQUIRE(rg_solve_work_size(&problem, "psor") <= sizeof work);
  rg_solve(&problem, "psor", "omega=1.25", &stop, &solution, work, &report, &message);
  CHECK_STR(message.text, "");
  rg_solve(&problem, "psor", "omega=1.25x", &stop, &solution, work, &report, &message);
  CHECK_CONTAINS(message.text, "omega is \"1.25x\"");
  setlocale(LC_ALL, "C");
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_INT(system(command), 0);
}
