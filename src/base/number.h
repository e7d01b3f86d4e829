// number.h - doubles as text: read with correct rounding, written so that they read back to the
// same bits.
//
// Both directions ignore the locale: the decimal point is always a point.
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <rigor/util.h>

// Length of the JSON number that begins at `text`; 0 when there is none. Never reads past `length`.
size_t rg_number_scan(const char* text, size_t length);

// The double nearest to the number (ties to even) that rg_number_scan found; infinite when it is
// too large.
double rg_number_value(const char* text, size_t length);

// As rg_number_format of <rigor/util.h> with 17 digits always: exact too, and three times as fast.
int rg_number_format_17(double value, char text[RG_NUMBER_SIZE]);

#endif
