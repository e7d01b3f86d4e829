// json.c - parses JSON text into a flat array of nodes.
//
// Method: a first pass counts the characters after which a value can begin, which bounds the number
// of nodes. One block holds the nodes and the decoded strings (never longer than their source). A
// second pass fills it with an explicit stack of open containers. Cost: linear in the text, except
// that the keys of one object are compared with each other, which KEYS_MAX bounds.
#include "io/text/json.h"

#include "base/memory.h"
#include "base/message.h"
#include "base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
  DEPTH_MAX = 32, // scenes need 7
  KEYS_MAX = 256, // in one object
};
static const size_t length_max = (size_t)1 << 30; // counts are 32-bit

struct rgJson {
  rgAllocator allocator;
  size_t size; // [bytes] of the block that begins with this struct
  rgJsonNode* nodes;
};

typedef struct Parser {
  const char *at, *end;
  const char* name;
  uint32_t line;
  const char* line_start;
  uint32_t continuation; // bytes of this line so far that continue a UTF-8 character
  rgJsonNode* nodes;
  uint32_t node_count;
  char* text; // where the next decoded string goes
  uint32_t open[DEPTH_MAX];
  int depth;
  rgMessage* message;
} Parser;

typedef struct Place {
  const char *at, *line_start;
  uint32_t line, continuation;
} Place;

static Place get_place(const Parser* p) {
  return (Place){p->at, p->line_start, p->line, p->continuation};
}

static void go_back(Parser* p, Place place) {
  p->at = place.at;
  p->line_start = place.line_start;
  p->line = place.line;
  p->continuation = place.continuation;
}

static uint32_t column_of(const Parser* p, const char* place) {
  return (uint32_t)(place - p->line_start) - p->continuation + 1;
}

static bool fail(Parser* p, const char* format, ...) RG_PRINTF(2, 3);
static bool fail(Parser* p, const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  rg_fail(p->message, RG_ERROR_INPUT, "%s:%u:%u: %s", p->name, p->line, column_of(p, p->at), text);
  return false;
}

static rgJsonNode* add_node(Parser* p, rgJsonType type) {
  rgJsonNode* node = &p->nodes[p->node_count++];
  *node = (rgJsonNode){.span = 1, .line = p->line, .column = column_of(p, p->at), .type = type};
  return node;
}

// -------------------------------------------------------------------------------------------------
// White space and words
// -------------------------------------------------------------------------------------------------

static void skip_space(Parser* p) {
  for (; p->at < p->end; p->at++) {
    char c = *p->at;
    if (c == '\n') {
      p->line++;
      p->line_start = p->at + 1;
      p->continuation = 0;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

static bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static int word_length(const Parser* p) {
  int length = 0;
  while (p->at + length < p->end && is_word_character(p->at[length]) && length < 40)
    length++;
  return length;
}

static bool at_end(const Parser* p) { return p->at == p->end; }

static bool fail_end(Parser* p) {
  if (p->depth == 0)
    return fail(p, "the text is empty, expected '{'");
  const rgJsonNode* open = &p->nodes[p->open[p->depth - 1]];
  bool object = open->type == RG_JSON_OBJECT;
  return fail(p, "unexpected end of text: the '%c' in line %u is not closed", object ? '{' : '[',
              open->line);
}

// Reports what was expected here and what was found.
static bool fail_here(Parser* p, const char* expected) {
  if (at_end(p))
    return fail_end(p);
  unsigned char c = (unsigned char)*p->at;
  if (c == '/' || c == '#')
    return fail(p, "JSON has no comments; expected %s", expected);
  if (c == '\'')
    return fail(p, "strings and keys need double quotes (\"), not single quotes");
  int length = word_length(p);
  if (length > 0)
    return fail(p, "expected %s, found '%.*s'", expected, length, p->at);
  if (c < 0x20 || c >= 0x7f)
    return fail(p, "expected %s, found byte 0x%02x", expected, c);
  return fail(p, "expected %s, found '%c'", expected, c);
}

// -------------------------------------------------------------------------------------------------
// Strings
// -------------------------------------------------------------------------------------------------

static void put_utf8(Parser* p, uint32_t code) {
  char* t = p->text;
  if (code < 0x80) {
    *t++ = (char)code;
  } else if (code < 0x800) {
    *t++ = (char)(0xc0 | code >> 6);
    *t++ = (char)(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    *t++ = (char)(0xe0 | code >> 12);
    *t++ = (char)(0x80 | (code >> 6 & 0x3f));
    *t++ = (char)(0x80 | (code & 0x3f));
  } else {
    *t++ = (char)(0xf0 | code >> 18);
    *t++ = (char)(0x80 | (code >> 12 & 0x3f));
    *t++ = (char)(0x80 | (code >> 6 & 0x3f));
    *t++ = (char)(0x80 | (code & 0x3f));
  }
  p->text = t;
}

// Value of the four hexadecimal digits at `s`, or -1.
static int32_t hex4(const Parser* p, const char* s) {
  if (p->end - s < 4)
    return -1;
  int32_t value = 0;
  for (int i = 0; i < 4; i++) {
    char c = s[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0)
      return -1;
    value = value * 16 + digit;
  }
  return value;
}

// At "\u": one code unit, or two that make a surrogate pair.
static bool read_unicode_escape(Parser* p) {
  int32_t code = hex4(p, p->at + 2);
  if (code < 0)
    return fail(p, "\\u must be followed by four hexadecimal digits");
  if (code == 0)
    return fail(p, "\\u0000 is not allowed in a string");
  int length = 6;
  if (code >= 0xd800 && code < 0xe000) {
    bool pair = code < 0xdc00 && p->end - p->at >= 12 && p->at[6] == '\\' && p->at[7] == 'u';
    int32_t low = pair ? hex4(p, p->at + 8) : -1;
    if (low < 0xdc00 || low >= 0xe000)
      return fail(p, "\\u%04x is half of a surrogate pair", (unsigned)code);
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    length = 12;
  }
  put_utf8(p, (uint32_t)code);
  p->at += length;
  return true;
}

static bool read_escape(Parser* p) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  char c = p->end - p->at > 1 ? p->at[1] : 0;
  if (c == 'u')
    return read_unicode_escape(p);
  const char* found = c ? strchr(from, c) : NULL;
  if (!found)
    return fail(p, "\\ must be followed by one of \" \\ / b f n r t u");
  *p->text++ = to[found - from];
  p->at += 2;
  return true;
}

// At the opening quote.
static bool read_string(Parser* p) {
  rgJsonNode* node = add_node(p, RG_JSON_STRING);
  char* start = p->text;
  node->value.text = start;
  p->at++;
  for (;;) {
    if (at_end(p))
      return fail(p, "the string that begins in line %u has no closing quote", node->line);
    unsigned char c = (unsigned char)*p->at;
    if (c == '"')
      break;
    if (c == '\n' || c == '\r')
      return fail(p, "the string has no closing quote on this line");
    if (c < 0x20)
      return fail(p, "control character 0x%02x in a string; write it as \\u%04x", c, c);
    if (c == '\\') {
      if (!read_escape(p))
        return false;
      continue;
    }
    int length = rg_utf8_length(p->at, (size_t)(p->end - p->at));
    if (length == 0)
      return fail(p, "byte 0x%02x is not valid UTF-8", c);
    memcpy(p->text, p->at, (size_t)length);
    p->text += length;
    p->at += length;
    p->continuation += (uint32_t)length - 1;
  }
  p->at++;
  node->count = (uint32_t)(p->text - start);
  *p->text++ = 0;
  return true;
}

// -------------------------------------------------------------------------------------------------
// Values
// -------------------------------------------------------------------------------------------------

static bool read_number(Parser* p) {
  size_t length = rg_number_scan(p->at, (size_t)(p->end - p->at));
  bool ends = length > 0 &&
              (p->at + length == p->end ||
               (!is_word_character(p->at[length]) && p->at[length] != '.' && p->at[length] != '+'));
  if (!ends)
    return fail(p,
                "this is not a JSON number; write it like -1.5 or 2e-3 (no leading zeros or plus, "
                "digits on both sides of the point)");
  rgJsonNode* node = add_node(p, RG_JSON_NUMBER);
  node->value.number = rg_number_value(p->at, length);
  if (!isfinite(node->value.number))
    return fail(p, "%.*s is too large for a number (the largest is 1.8e308)",
                (int)(length < 40 ? length : 40), p->at);
  p->at += length;
  return true;
}

static bool read_word(Parser* p) {
  int length = word_length(p);
  if (length == 4 && memcmp(p->at, "true", 4) == 0) {
    add_node(p, RG_JSON_BOOL)->value.boolean = true;
  } else if (length == 5 && memcmp(p->at, "false", 5) == 0) {
    add_node(p, RG_JSON_BOOL)->value.boolean = false;
  } else if (length == 4 && memcmp(p->at, "null", 4) == 0) {
    add_node(p, RG_JSON_NULL);
  } else {
    return fail_here(p, "a JSON value");
  }
  p->at += length;
  return true;
}

// Reads a key and its colon; a key that the object already has is an error.
static bool read_key(Parser* p) {
  rgJsonNode* object = &p->nodes[p->open[p->depth - 1]];
  if (at_end(p) || *p->at != '"')
    return fail_here(p, "a key in double quotes");
  if (object->count == KEYS_MAX)
    return fail(p, "the object has more than %d keys", KEYS_MAX);
  const rgJsonNode* key = &p->nodes[p->node_count];
  Place start = get_place(p);
  if (!read_string(p))
    return false;
  const rgJsonNode* other = object + 1;
  for (uint32_t i = 0; i < object->count; i++) {
    if (other->count == key->count && memcmp(other->value.text, key->value.text, key->count) == 0) {
      go_back(p, start);
      return fail(p, "duplicate key \"%.60s\", first given in line %u", key->value.text,
                  other->line);
    }
    other = rg_json_next(rg_json_next(other));
  }
  skip_space(p);
  if (at_end(p) || *p->at != ':')
    return fail_here(p, "':' after the key");
  p->at++;
  skip_space(p);
  return true;
}

static bool is_closing(const rgJsonNode* open, char c) {
  return c == (open->type == RG_JSON_OBJECT ? '}' : ']');
}

static void close_container(Parser* p) {
  uint32_t index = p->open[--p->depth];
  p->nodes[index].span = p->node_count - index;
  p->at++;
}

// Begins a value. *inside becomes true when it opened a container, whose first value comes next.
static bool begin_value(Parser* p, bool* inside) {
  *inside = false;
  if (at_end(p))
    return fail_end(p);
  char c = *p->at;
  if (c == '"')
    return read_string(p);
  if (c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9'))
    return read_number(p);
  if (c != '[' && c != '{')
    return read_word(p);

  if (p->depth == DEPTH_MAX)
    return fail(p, "brackets are nested more than %d deep", DEPTH_MAX);
  rgJsonNode* node = add_node(p, c == '{' ? RG_JSON_OBJECT : RG_JSON_ARRAY);
  p->open[p->depth++] = (uint32_t)(node - p->nodes);
  p->at++;
  skip_space(p);
  if (at_end(p))
    return fail_end(p);
  if (is_closing(node, *p->at)) {
    close_container(p);
    return true;
  }
  *inside = true;
  return c == '{' ? read_key(p) : true;
}

// After a value: reads commas and closing brackets up to the next value or the end of the text.
static bool after_value(Parser* p, bool* finished) {
  *finished = false;
  for (;;) {
    skip_space(p);
    if (p->depth == 0) {
      *finished = true;
      return at_end(p) ? true : fail(p, "unexpected text after the end of the JSON value");
    }
    rgJsonNode* open = &p->nodes[p->open[p->depth - 1]];
    open->count++;
    if (at_end(p))
      return fail_end(p);
    if (is_closing(open, *p->at)) {
      close_container(p);
      continue;
    }
    bool object = open->type == RG_JSON_OBJECT;
    if (*p->at != ',')
      return fail_here(p, object ? "',' or '}'" : "',' or ']'");
    Place comma = get_place(p);
    p->at++;
    skip_space(p);
    if (!at_end(p) && is_closing(open, *p->at)) {
      char closing = *p->at;
      go_back(p, comma);
      return fail(p, "trailing comma before '%c'; remove it", closing);
    }
    return object ? read_key(p) : true;
  }
}

static bool parse_text(Parser* p) {
  bool inside, finished = false;
  if (p->end - p->at >= 3 &&
      memcmp(p->at, "\xef\xbb\xbf", 3) == 0) { // the byte order mark that some editors write
    p->at += 3;
    p->line_start = p->at;
  }
  skip_space(p);
  while (!finished) {
    if (!begin_value(p, &inside))
      return false;
    if (!inside && !after_value(p, &finished))
      return false;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// The block
// -------------------------------------------------------------------------------------------------

// Every value but the first follows one of these characters. Those inside strings only make the
// bound larger.
static size_t node_bound(const char* text, size_t length) {
  size_t count = 2;
  for (size_t i = 0; i < length; i++)
    count += text[i] == ',' || text[i] == ':' || text[i] == '[' || text[i] == '{';
  return count;
}

rgStatus rg_json_parse(const char* text, size_t length, const char* name,
                       const rgAllocator* allocator, rgJson** json, rgMessage* message) {
  *json = NULL;
  if (length > length_max)
    return rg_fail(message, RG_ERROR_INPUT, "%s:1:1: the text has %zu bytes, more than %zu", name,
                   length, length_max);
  size_t nodes = node_bound(text, length);
  rgCarver carver = {NULL, 0};
  for (int pass = 0;; pass++) {
    rgJson* made = rg_carve(&carver, 1, sizeof *made);
    rgJsonNode* node = rg_carve(&carver, nodes, sizeof *node);
    char* strings = rg_carve(&carver, length + 1, 1);
    if (pass == 1) {
      made->allocator = *allocator;
      made->size = carver.used;
      made->nodes = node;
      Parser parser = {text, text + length, name, 1, text, 0, node, 0, strings, {0}, 0, message};
      *json = parse_text(&parser) ? made : NULL;
      if (!*json)
        rg_release(allocator, made, carver.used);
      return *json ? RG_OK : RG_ERROR_INPUT;
    }
    char* block = rg_allocate(allocator, carver.used);
    if (!block)
      return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory for %zu bytes", name,
                     carver.used);
    carver = (rgCarver){block, 0};
  }
}

void rg_json_free(rgJson* json) {
  if (!json)
    return;
  rgAllocator allocator = json->allocator;
  rg_release(&allocator, json, json->size);
}

const rgJsonNode* rg_json_root(const rgJson* json) { return json->nodes; }

const rgJsonNode* rg_json_member(const rgJsonNode* object, const char* key) {
  const rgJsonNode* name = object + 1;
  for (uint32_t i = 0; i < object->count; i++) {
    const rgJsonNode* value = rg_json_next(name);
    if (strcmp(name->value.text, key) == 0)
      return value;
    name = rg_json_next(value);
  }
  return NULL;
}

const char* rg_json_describe(const rgJsonNode* node) {
  switch (node->type) {
  case RG_JSON_NULL:
    return "null";
  case RG_JSON_BOOL:
    return node->value.boolean ? "true" : "false";
  case RG_JSON_NUMBER:
    return "a number";
  case RG_JSON_STRING:
    return "a string";
  case RG_JSON_ARRAY:
    return "an array";
  case RG_JSON_OBJECT:
    return "an object";
  }
  return "nothing";
}
