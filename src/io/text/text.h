// text.h - text written piece by piece into a buffer that may be too small, as snprintf does.
#ifndef IO_TEXT_TEXT_H
#define IO_TEXT_TEXT_H

#include "base/message.h"

typedef struct rgText {
  char* text; // NULL: only the length is counted
  size_t capacity;
  size_t length; // of all that was added, even what did not fit
  size_t enough; // if not 0: beyond this length, numbers need not be counted
} rgText;

void rg_text_add(rgText* text, const char* piece);
void rg_text_bytes(rgText* text, const char* piece, size_t length);
void rg_text_format(rgText* text, const char* format, ...) RG_PRINTF(2, 3); // at most 255 bytes
void rg_text_number(rgText* text, double value);                            // exact
void rg_text_string(rgText* text, const char* string); // in double quotes, with JSON's escapes
void rg_text_indent(rgText* text, int depth);          // a new line and two spaces per level
// Ends the buffer with a zero when there is any room; returns the length.
size_t rg_text_end(rgText* text);

#endif
