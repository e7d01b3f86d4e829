// number.c - doubles as text.
//
// Problem: given decimal digits d and an exponent e, find the double nearest to d 10^e, ties to
// even.
//
// Method: up to 15 digits with |e| <= 22 both d and 10^|e| are exact doubles, and one
// multiplication or division rounds correctly. Everything else is a fraction of two whole numbers
//
//     d 10^e = 2^e N / D,   N = d 5^e, D = 1  (e >= 0)   or   N = d, D = 5^-e  (e < 0),
//
// scaled so that 1 <= N / D < 2. Schoolbook division then gives the bits of the mantissa one by
// one, and the remainder against D/2 decides the rounding, exactly. Subnormal numbers take fewer
// bits.
//
// Cost: about 0.5 microseconds for 17 digits near 1, some microseconds near the ends of the range.
// Digits beyond the 800th matter only if one of them is not zero: no tie between two doubles has
// more than 767 of them.
#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
  DIGITS_MAX = 800,
  LIMBS = 192,       // 6144 bits: 801 digits take 2661, 5^1131 takes 2627, and scaling evens them
  EXACT_DIGITS = 15, // 10^15 < 2^53
  EXACT_POWER = 22,  // 5^22 < 2^53
  MANTISSA_BITS = 53,
  EXPONENT_MIN = -1022, // of the smallest normal double
  EXPONENT_MAX = 1023,
  DECIMAL_LARGE = 310,        // 0.d 10^p with p above: too large
  DECIMAL_SMALL = -330,       // and below: zero
  EXPONENT_CLAMP = 1000000000 // written exponents beyond it cannot be told apart
};

// -------------------------------------------------------------------------------------------------
// Whole numbers of any size
// -------------------------------------------------------------------------------------------------

typedef struct Big {
  int count; // limbs in use, the last one not zero
  uint32_t limb[LIMBS];
} Big;

static void big_multiply_add(Big* a, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (int i = 0; i < a->count; i++) {
    carry += (uint64_t)a->limb[i] * factor;
    a->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry && a->count < LIMBS)
    a->limb[a->count++] = (uint32_t)carry;
}

static void big_multiply_power5(Big* a, int power) {
  for (; power >= 13; power -= 13)
    big_multiply_add(a, 1220703125u, 0); // 5^13, the largest that fits a limb
  for (; power > 0; power--)
    big_multiply_add(a, 5, 0);
}

static int big_bits(const Big* a) {
  if (a->count == 0)
    return 0;
  int bits = 32 * (a->count - 1);
  for (uint32_t top = a->limb[a->count - 1]; top; top >>= 1)
    bits++;
  return bits;
}

static void big_times_power2(Big* a, int bits) {
  int limbs = bits / 32, rest = bits % 32;
  if (a->count == 0 || a->count + limbs + 1 > LIMBS)
    return;
  memmove(a->limb + limbs, a->limb, (size_t)a->count * sizeof *a->limb);
  memset(a->limb, 0, (size_t)limbs * sizeof *a->limb);
  a->count += limbs;
  if (rest)
    big_multiply_add(a, (uint32_t)1 << rest, 0);
}

static void big_double(Big* a) {
  uint32_t carry = 0;
  for (int i = 0; i < a->count; i++) {
    uint32_t limb = a->limb[i];
    a->limb[i] = limb << 1 | carry;
    carry = limb >> 31;
  }
  if (carry && a->count < LIMBS)
    a->limb[a->count++] = carry;
}

static int big_compare(const Big* a, const Big* b) {
  if (a->count != b->count)
    return a->count < b->count ? -1 : 1;
  for (int i = a->count - 1; i >= 0; i--)
    if (a->limb[i] != b->limb[i])
      return a->limb[i] < b->limb[i] ? -1 : 1;
  return 0;
}

// a -= b, for a >= b
static void big_subtract(Big* a, const Big* b) {
  uint64_t borrow = 0;
  for (int i = 0; i < a->count; i++) {
    uint64_t take = (i < b->count ? b->limb[i] : 0) + borrow;
    borrow = a->limb[i] < take;
    a->limb[i] = (uint32_t)(a->limb[i] - take);
  }
  while (a->count > 0 && a->limb[a->count - 1] == 0)
    a->count--;
}

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t scan_digits(const char* text, size_t i, size_t length) {
  while (i < length && is_digit(text[i]))
    i++;
  return i;
}

size_t rg_number_scan(const char* text, size_t length) {
  size_t i = length > 0 && text[0] == '-' ? 1 : 0;
  size_t start = i;
  i = scan_digits(text, i, length);
  if (i == start || (text[start] == '0' && i > start + 1))
    return 0;
  if (i < length && text[i] == '.') {
    start = ++i;
    i = scan_digits(text, i, length);
    if (i == start)
      return 0;
  }
  if (i < length && (text[i] == 'e' || text[i] == 'E')) {
    i++;
    if (i < length && (text[i] == '+' || text[i] == '-'))
      i++;
    start = i;
    i = scan_digits(text, i, length);
    if (i == start)
      return 0;
  }
  return i;
}

// Significant digits and exponent: value = digits (as a whole number) * 10^exponent.
typedef struct Decimal {
  bool negative;
  int count;
  long long exponent;
  uint8_t digit[DIGITS_MAX + 1];
} Decimal;

static void add_digit(Decimal* d, int digit, bool fraction) {
  if (d->count < DIGITS_MAX) {
    if (digit || d->count)
      d->digit[d->count++] = (uint8_t)digit;
    d->exponent -= fraction;
    return;
  }
  // One more digit represents all that are cut off: it only has to differ from zero.
  if (digit)
    d->digit[DIGITS_MAX] = 1;
  d->exponent += !fraction;
}

static void read_decimal(const char* text, size_t length, Decimal* d) {
  size_t i = 0;
  d->negative = text[0] == '-';
  d->count = 0;
  d->exponent = 0;
  d->digit[DIGITS_MAX] = 0;
  bool fraction = false;
  for (i += d->negative; i < length && (is_digit(text[i]) || text[i] == '.'); i++) {
    if (text[i] == '.')
      fraction = true;
    else
      add_digit(d, text[i] - '0', fraction);
  }
  if (i < length) { // at 'e'
    i++;
    bool minus = i < length && text[i] == '-';
    i += i < length && (text[i] == '-' || text[i] == '+');
    long long written = 0;
    for (; i < length && is_digit(text[i]); i++)
      if (written < EXPONENT_CLAMP)
        written = 10 * written + (text[i] - '0');
    d->exponent += minus ? -written : written;
  }
  if (d->count == DIGITS_MAX && d->digit[DIGITS_MAX]) {
    d->count++;
    d->exponent--;
  }
  while (d->count > 0 && d->digit[d->count - 1] == 0) {
    d->count--;
    d->exponent++;
  }
}

static double small_value(const Decimal* d) {
  static const double power[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  uint64_t whole = 0;
  for (int i = 0; i < d->count; i++)
    whole = 10 * whole + d->digit[i];
  return d->exponent < 0 ? (double)whole / power[-d->exponent] : (double)whole * power[d->exponent];
}

static double large_value(const Decimal* d) {
  Big n, divisor; // limbs beyond `count` are never read
  n.count = 0;
  divisor.count = 1;
  divisor.limb[0] = 1;
  int exponent = (int)d->exponent;
  for (int i = 0; i < d->count; i++)
    big_multiply_add(&n, 10, d->digit[i]);
  big_multiply_power5(exponent < 0 ? &divisor : &n, exponent < 0 ? -exponent : exponent);

  // 1 <= n / divisor < 2, value = n / divisor * 2^exponent
  int more = big_bits(&n) - big_bits(&divisor);
  big_times_power2(more > 0 ? &divisor : &n, more > 0 ? more : -more);
  exponent += more;
  if (big_compare(&n, &divisor) < 0) {
    big_double(&n);
    exponent--;
  }
  if (exponent > EXPONENT_MAX)
    return HUGE_VAL;
  int bits = exponent >= EXPONENT_MIN ? MANTISSA_BITS : MANTISSA_BITS - (EXPONENT_MIN - exponent);
  if (bits < 0)
    return 0;

  uint64_t mantissa = 0;
  for (int i = 0; i < bits; i++) {
    mantissa <<= 1;
    if (big_compare(&n, &divisor) >= 0) {
      big_subtract(&n, &divisor);
      mantissa |= 1;
    }
    big_double(&n);
  }
  int rest = big_compare(&n, &divisor); // against half of the last bit
  if (rest > 0 || (rest == 0 && (mantissa & 1)))
    mantissa++;
  return ldexp((double)mantissa, exponent - bits + 1);
}

double rg_number_value(const char* text, size_t length) {
  Decimal d;
  read_decimal(text, length, &d);
  double value;
  if (d.count == 0 || d.count + d.exponent < DECIMAL_SMALL)
    value = 0;
  else if (d.count + d.exponent > DECIMAL_LARGE)
    value = HUGE_VAL;
  else if (d.count <= EXACT_DIGITS && d.exponent >= -EXACT_POWER && d.exponent <= EXACT_POWER)
    value = small_value(&d);
  else
    value = large_value(&d);
  return d.negative ? -value : value;
}

// -------------------------------------------------------------------------------------------------
// Writing
// -------------------------------------------------------------------------------------------------

static bool is_number_character(char c) { return is_digit(c) || c == '-' || c == '+' || c == 'e'; }

// Whatever the locale writes for the decimal point becomes a point.
static int format_digits(double value, int digits, char* text) {
  if (!isfinite(value)) {
    strcpy(text, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return (int)strlen(text);
  }
  char raw[RG_NUMBER_SIZE];
  snprintf(raw, sizeof raw, "%.*g", digits, value);
  int length = 0;
  bool in_point = false;
  for (const char* c = raw; *c; c++) {
    if (is_number_character(*c)) {
      text[length++] = *c;
      in_point = false;
    } else if (!in_point) {
      text[length++] = '.';
      in_point = true;
    }
  }
  text[length] = 0;
  return length;
}

// 1e-09 -> 1e-9, 1e+15 -> 1e15
static int tidy_exponent(char* text, int length) {
  char* from = strchr(text, 'e');
  if (!from)
    return length;
  char* to = ++from;
  if (*from == '-')
    to++;
  if (*from == '-' || *from == '+')
    from++;
  while (from[0] == '0' && from[1])
    from++;
  memmove(to, from, strlen(from) + 1);
  return (int)strlen(text);
}

int rg_number_format_17(double value, char text[RG_NUMBER_SIZE]) {
  return format_digits(value, DBL_DECIMAL_DIG, text);
}

int rg_number_format(double value, char text[RG_NUMBER_SIZE]) {
  int length = 0;
  for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
    length = format_digits(value, digits, text);
    if (!isfinite(value) || rg_number_value(text, (size_t)length) == value)
      break;
  }
  return isfinite(value) ? tidy_exponent(text, length) : length;
}
