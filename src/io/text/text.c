// text.c - text written piece by piece into a buffer that may be too small.
#include "io/text/text.h"

#include "base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FORMAT_SIZE = 256 };

void rg_text_bytes(rgText* text, const char* piece, size_t length) {
  if (text->text && text->length < text->capacity) {
    size_t room = text->capacity - text->length;
    memcpy(text->text + text->length, piece, length < room ? length : room);
  }
  text->length += length;
}

void rg_text_add(rgText* text, const char* piece) { rg_text_bytes(text, piece, strlen(piece)); }

void rg_text_format(rgText* text, const char* format, ...) {
  char piece[FORMAT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(piece, sizeof piece, format, arguments);
  va_end(arguments);
  rg_text_add(text, piece);
}

void rg_text_number(rgText* text, double value) {
  if (text->enough && text->length > text->enough)
    return;
  char piece[RG_NUMBER_SIZE];
  int length = rg_number_format(value, piece);
  rg_text_bytes(text, piece, (size_t)length);
}

void rg_text_string(rgText* text, const char* string) {
  rg_text_add(text, "\"");
  size_t left = strlen(string);
  int length;
  for (const char* c = string; left > 0; c += length, left -= (size_t)length) {
    unsigned char byte = (unsigned char)*c;
    length = rg_utf8_length(c, left);
    if (length == 0) {
      length = 1;
      rg_text_add(text, "\xef\xbf\xbd"); // U+FFFD in place of what is no character
    } else if (byte == '"' || byte == '\\')
      rg_text_format(text, "\\%c", byte);
    else if (byte == '\n')
      rg_text_add(text, "\\n");
    else if (byte == '\t')
      rg_text_add(text, "\\t");
    else if (byte < 0x20 || byte == 0x7f)
      rg_text_format(text, "\\u%04x", byte);
    else
      rg_text_bytes(text, c, (size_t)length);
  }
  rg_text_add(text, "\"");
}

void rg_text_indent(rgText* text, int depth) {
  rg_text_add(text, "\n");
  for (int i = 0; i < depth; i++)
    rg_text_add(text, "  ");
}

size_t rg_text_end(rgText* text) {
  if (text->text && text->capacity > 0)
    text->text[text->length < text->capacity ? text->length : text->capacity - 1] = 0;
  return text->length;
}
