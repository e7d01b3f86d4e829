// Numbers as text: reading rounds correctly, writing reads back to the same bits, whatever the
// locale.
#include "test.h"

#include "base/number.h"

#include <locale.h>

// xorshift64: any fixed sequence will do.
static uint64_t next_random(uint64_t* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double read_number(const char* text) { return rg_number_value(text, strlen(text)); }

TEST(reading_agrees_with_the_c_library) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 100000; i++) {
    double value = from_bits(next_random(&state));
    if (!isfinite(value))
      continue;
    char text[64];
    snprintf(text, sizeof text, "%.*g", 1 + (int)(next_random(&state) % 25), value);
    CONTEXT("%s", text);
    CHECK_BITS(read_number(text), strtod(text, NULL));
  }
}

TEST(numbers_of_everyday_size_agree_too) {
  uint64_t state = 1234567890123u;
  for (int i = 0; i < 100000; i++) {
    uint64_t bits = next_random(&state);
    double value = ldexp((double)(bits >> 11), -(int)(bits % 80));
    char text[64];
    snprintf(text, sizeof text, "%.*g", 14 + (int)(bits % 6), value);
    CONTEXT("%s", text);
    CHECK_BITS(read_number(text), strtod(text, NULL));
  }
}

// Halfway cases written out in full, and just above and below: the digit that decides is the last
// of hundreds.
TEST(ties_go_to_even_and_the_last_digit_decides) {
  static const struct {
    const char* text;
    double value;
  } cases[] = {
      {"9007199254740993", 0x1p53},
      {"9007199254740993.00000000000000000000000000000000000000000000001", 0x1p53 + 2},
      {"9007199254740995", 0x1p53 + 4},
      {"9007199254740994.99999999999999999999999999999999999999999999999", 0x1p53 + 2},
      {"2.4703282292062327208299439e-324", 0},
      {"2.4703282292062328e-324", 0x1p-1074},
      {"4.9406564584124654e-324", 0x1p-1074},
      {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
      {"2.2250738585072014e-308", 0x1p-1022},
      {"1.7976931348623157e308", 0x1.fffffffffffffp1023},
      {"1.7976931348623158e308", 0x1.fffffffffffffp1023},
      {"179769313486231580793e289", HUGE_VAL},
      {"1e400", HUGE_VAL},
      {"1e-400", 0},
      {"0e999999999999", 0},
      {"0.000000000000000000000000000001e30", 1},
      {"-0", -0.0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CONTEXT("%s", cases[i].text);
    CHECK_BITS(read_number(cases[i].text), cases[i].value);
  }
}

// 2^-1075, half of the smallest number, has 752 digits: exactly it is a tie (to zero), a digit more
// decides.
TEST(a_tie_of_more_than_700_digits) {
  char text[2000];
  int length = snprintf(text, sizeof text, "%.1080f", 0x1p-1074); // exact
  // Divide the decimal by two, digit by digit.
  int carry = 0;
  for (int i = 2; i < length; i++) {
    int digit = 10 * carry + (text[i] - '0');
    text[i] = (char)('0' + digit / 2);
    carry = digit % 2;
  }
  CHECK_BITS(read_number(text), 0.0);
  strcat(text, "1");
  CHECK_BITS(read_number(text), 0x1p-1074);
  CHECK_BITS(read_number(text), strtod(text, NULL));
}

TEST(written_numbers_read_back_to_the_same_bits) {
  uint64_t state = 42;
  for (int i = 0; i < 100000; i++) {
    double value = from_bits(next_random(&state));
    if (!isfinite(value))
      continue;
    char text[RG_NUMBER_SIZE];
    int length = rg_number_format(value, text);
    CHECK_INT((int)rg_number_scan(text, (size_t)length), length);
    CHECK_BITS(rg_number_value(text, (size_t)length), value);
    length = rg_number_format_17(value, text);
    CHECK_BITS(rg_number_value(text, (size_t)length), value);
  }
}

TEST(numbers_are_written_short) {
  static const struct {
    double value;
    const char* text;
  } cases[] = {
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {0.1, "0.1"},
      {1e-9, "1e-9"},
      {1e22, "1e22"},
      {-2.5e-7, "-2.5e-7"},
      {100000, "100000"},
      {1.0 / 3, "0.3333333333333333"},
      {0.1 + 0.2, "0.30000000000000004"},
      {9007199254740993.0, "9007199254740992"},
      {5e-324, "4.94065645841247e-324"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[RG_NUMBER_SIZE];
    rg_number_format(cases[i].value, text);
    CHECK_STR(text, cases[i].text);
  }
}

TEST(only_json_numbers_are_numbers) {
  static const char* const bad[] = {"", "-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "e5", "x"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    CONTEXT("%s", bad[i]);
    CHECK_INT((int)rg_number_scan(bad[i], strlen(bad[i])), 0);
  }
  CHECK_INT((int)rg_number_scan("-12.5e+3,", 9), 8);
  CHECK_INT((int)rg_number_scan("123", 2), 2);
}

TEST(the_locale_changes_nothing) {
  static const char* const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "cs_CZ.UTF-8"};
  const char* found = NULL;
  for (size_t i = 0; i < sizeof locales / sizeof *locales && !found; i++)
    found = setlocale(LC_NUMERIC, locales[i]);
  if (!found)
    SKIP("no locale with a decimal comma is installed");
  char text[RG_NUMBER_SIZE];
  rg_number_format(0.5, text);
  double value = read_number("0.5");
  setlocale(LC_NUMERIC, "C");
  CHECK_STR(text, "0.5");
  CHECK_BITS(value, 0.5);
}
