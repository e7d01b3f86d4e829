// layout.c - the table of what the page reads, and web/src/layout.js made of it.
//
// JavaScript reads the numbers of the module's memory by the constants of that file. It is made by
// `node web/layout.mjs`, tests/wasm holds it to this table, and the page refuses a module with
// another one.
#include "wasm/layout.h"
#include "wasm/page.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct Field {
  const char* name;
  int count; // numbers
} Field;

typedef struct Record {
  const char* name;
  const Field* fields;
  int field_count;
} Record;

#define ONE_ROW(name) {#name, 1},
#define MANY_ROW(name, n) {#name, n},
#define FIELDS(name, list) static const Field name[] = {list(ONE_ROW, MANY_ROW)}
FIELDS(state_fields, PAGE_STATE_FIELDS);
FIELDS(body_fields, PAGE_BODY_FIELDS);
FIELDS(shape_fields, PAGE_SHAPE_FIELDS);
FIELDS(contact_fields, PAGE_CONTACT_FIELDS);
FIELDS(joint_fields, PAGE_JOINT_FIELDS);
FIELDS(bounds_fields, PAGE_BOUNDS_FIELDS);
FIELDS(force_fields, PAGE_FORCE_FIELDS);
FIELDS(mass_fields, PAGE_MASS_FIELDS);
FIELDS(inspect_fields, PAGE_INSPECT_FIELDS);

#define RECORD(name, fields)                                                                       \
  { name, fields, (int)(sizeof fields / sizeof *(fields)) }
static const Record records[] = {
    RECORD("STATE", state_fields),     RECORD("BODY", body_fields),
    RECORD("SHAPE", shape_fields),     RECORD("CONTACT", contact_fields),
    RECORD("JOINT", joint_fields),     RECORD("BOUNDS", bounds_fields),
    RECORD("FORCE", force_fields),     RECORD("MASS", mass_fields),
    RECORD("INSPECT", inspect_fields),
};
enum { RECORD_COUNT = sizeof records / sizeof *records };

// A text that is written as far as there is room.
typedef struct Text {
  char* out;
  size_t capacity, length;
} Text;

__attribute__((format(printf, 2, 3))) static void put(Text* text, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  size_t room = text->length < text->capacity ? text->capacity - text->length : 0;
  int length = vsnprintf(room ? text->out + text->length : NULL, room, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

static void put_record(Text* text, const Record* record, bool certificate) {
  int at = 0;
  put(text, "export const %s = {\n", record->name);
  for (int i = 0; i < record->field_count; ++i) {
    put(text, "  %s: %d,\n", record->fields[i].name, at);
    at += record->fields[i].count;
  }
  const rgCertificateField* field;
  for (int i = 0; certificate && (field = rg_certificate_field(i)); ++i)
    put(text, "  %s: %d,\n", field->name, at++);
  put(text, "  size: %d,\n};\n\n", at);
}

// Names of a family, capitalized, with their numbers.
static void put_kinds(Text* text, const char* name, const char* (*kind)(int)) {
  put(text, "export const %s = {\n", name);
  for (int i = 0; kind(i); ++i)
    put(text, "  %c%s: %d,\n", toupper((unsigned char)kind(i)[0]), kind(i) + 1, i);
  put(text, "};\n\n");
}

static const char* body_kind(int i) { return rg_body_kind_name((rgBodyKind)i); }
static const char* force_kind(int i) { return rg_force_kind_name((rgForceKind)i); }
static const char* shape_kind(int i) { return rg_shape_kind_name((rgShapeKind)i); }

static void put_layout(Text* text) {
  for (int i = 0; i < RECORD_COUNT; ++i)
    put_record(text, &records[i], i == 0);
  put_kinds(text, "BodyKind", body_kind);
  put_kinds(text, "ForceKind", force_kind);
  put_kinds(text, "ShapeKind", shape_kind);
}

// FNV-1a of the text, which tells two layouts apart.
static unsigned version_of(const char* text) {
  unsigned hash = 2166136261u;
  for (; *text; ++text)
    hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash;
}

enum { LAYOUT_MAX = 8192 }; // [bytes], four times what it is

PAGE_EXPORT(page_layout_version) unsigned page_layout_version(void) {
  char out[LAYOUT_MAX] = "";
  put_layout(&(Text){out, sizeof out, 0});
  return version_of(out);
}

// The text of web/src/layout.js.
PAGE_EXPORT(page_layout) const char* page_layout(Page* page) {
  char* out = (char*)page_room(page, LAYOUT_MAX / (int)sizeof(double));
  if (!out)
    return NULL;
  Text text = {out, LAYOUT_MAX, 0};
  put(&text,
      "// layout.js - where numbers are in the records of the module: offset of each field, and\n"
      "// size of the record. Made from apps/wasm/layout.h by `node web/layout.mjs`.\n\n");
  put_layout(&text);
  put(&text, "export const VERSION = %u;\n", page_layout_version());
  return out;
}
