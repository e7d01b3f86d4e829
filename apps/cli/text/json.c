// json.c - writing JSON to a stream: keys, commas and indentation take care of themselves.
#include "cli/text/json.h"
#include <rigor/util.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

void cli_json_string(FILE* stream, const char* text, bool in_html) {
  fputc('"', stream);
  size_t left = strlen(text);
  int length;
  for (; left > 0; text += length, left -= (size_t)length) {
    unsigned char c = (unsigned char)*text;
    length = rg_utf8_length(text, left);
    if (length == 0) {
      length = 1;
      fputs("\\ufffd", stream); // in place of what is no character
    } else if (c == '"' || c == '\\')
      fprintf(stream, "\\%c", c);
    else if (c == '\n')
      fputs("\\n", stream);
    else if (c < 0x20 || c == 0x7f || (in_html && c == '<'))
      fprintf(stream, "\\u%04x", (unsigned)c);
    else
      fwrite(text, 1, (size_t)length, stream);
  }
  fputc('"', stream);
}

static void begin_member(CliJson* json, const char* key) {
  if (json->filled)
    fputs(json->flat ? ", " : ",", json->stream);
  if (json->depth > 0 && !json->flat)
    fprintf(json->stream, "\n%*s", 2 * json->depth, "");
  if (key) {
    cli_json_string(json->stream, key, false);
    fputs(": ", json->stream);
  }
  json->filled = true;
}

void cli_json_open(CliJson* json, const char* key, char bracket) {
  begin_member(json, key);
  fputc(bracket, json->stream);
  ++json->depth;
  json->filled = json->flat = false;
  json->array = bracket == '[';
}

// A number that begins an array makes it one of numbers.
static void begin_number(CliJson* json, const char* key) {
  if (json->array && !json->filled)
    json->flat = true;
  begin_member(json, key);
}

void cli_json_close(CliJson* json, char bracket) {
  --json->depth;
  if (json->filled && !json->flat)
    fprintf(json->stream, "\n%*s", 2 * json->depth, "");
  json->flat = json->array = false;
  fputc(bracket, json->stream);
  if (json->depth == 0)
    fputc('\n', json->stream);
  json->filled = true;
}

void cli_json_text(CliJson* json, const char* key, const char* text) {
  begin_member(json, key);
  if (text)
    cli_json_string(json->stream, text, false);
  else
    fputs("null", json->stream);
}

void cli_json_real(CliJson* json, const char* key, double value) {
  if (!isfinite(value)) {
    cli_json_null(json, key);
    return;
  }
  char text[RG_NUMBER_SIZE];
  rg_number_format(value, text);
  begin_number(json, key);
  fputs(text, json->stream);
}

void cli_json_count(CliJson* json, const char* key, int64_t value) {
  begin_number(json, key);
  fprintf(json->stream, "%" PRId64, value);
}

void cli_json_bool(CliJson* json, const char* key, bool value) {
  begin_member(json, key);
  fputs(value ? "true" : "false", json->stream);
}

void cli_json_null(CliJson* json, const char* key) {
  begin_member(json, key);
  fputs("null", json->stream);
}
