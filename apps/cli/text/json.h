// json.h - writing JSON to a stream: keys, commas and indentation take care of themselves.
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct CliJson {
  FILE* stream;
  int depth;
  bool filled; // the innermost object or array has a member already
  bool array;  // it is an array
  bool flat;   // of numbers, which stand on one line
} CliJson;

// A string in its quotes. Inside an element of HTML it has no '<', which could end the element.
void cli_json_string(FILE* stream, const char* text, bool in_html);

// `key` is NULL in an array and at the top.
void cli_json_open(CliJson* json, const char* key, char bracket);     // '{' or '['
void cli_json_close(CliJson* json, char bracket);                     // '}' or ']'
void cli_json_text(CliJson* json, const char* key, const char* text); // NULL text = null
void cli_json_real(CliJson* json, const char* key, double value);     // exact; null when not finite
void cli_json_count(CliJson* json, const char* key, int64_t value);
void cli_json_bool(CliJson* json, const char* key, bool value);
void cli_json_null(CliJson* json, const char* key);

#endif
