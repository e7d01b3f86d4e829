// number.h - doubles as text: read with correct rounding, written so that they read back to the
// same bits.
//
// Both directions ignore the locale: the decimal point is always a point.
#ifndef IO_TEXT_NUMBER_H
#define IO_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { RG_NUMBER_SIZE = 40 }; // [bytes] room for any formatted number and its terminating zero

// Length of the JSON number that begins at `text`; 0 when there is none. Never reads past `length`.
size_t rg_number_scan(const char* text, size_t length);

// The double nearest to the number (ties to even) that rg_number_scan found; infinite when it is
// too large.
double rg_number_value(const char* text, size_t length);

// Shortest of 15, 16 and 17 digits that reads back to the same bits; "nan", "inf" or "-inf" when it
// is not finite. Returns the length.
int rg_number_format(double value, char text[RG_NUMBER_SIZE]);

// Always 17 digits: also exact, and three times as fast.
int rg_number_format_17(double value, char text[RG_NUMBER_SIZE]);

#endif
