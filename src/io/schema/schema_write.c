// schema_write.c - writes structs as JSON text, as the tables say.
//
// A key is written when its value differs from the default, when the object needs it, or when its
// presence alone has a meaning. Numbers are exact, so that reading the text gives the same
// struct.
#include "io/schema/schema.h"

#include <stdalign.h>
#include <string.h>

enum {
  LINE_LENGTH = 96,     // objects and lists that fit stay on one line
  NUMBERS_PER_LINE = 12 // of a long list
};

static bool has_content(const rgWriter* writer, const rgSchemaObject* object, const void* item,
                        bool given);

// -------------------------------------------------------------------------------------------------
// What is written
// -------------------------------------------------------------------------------------------------

static size_t value_size(const rgSchemaField* field) {
  switch (field->type) {
  case RG_FIELD_REAL:
    return sizeof(double);
  case RG_FIELD_INT:
  case RG_FIELD_WORD:
    return sizeof(int);
  case RG_FIELD_BITS:
    return sizeof(uint32_t);
  case RG_FIELD_BOOL:
    return sizeof(bool);
  case RG_FIELD_TUPLE:
    return sizeof(double) * (size_t)field->count;
  case RG_FIELD_COUNTS:
    return sizeof(int) * (size_t)field->count;
  case RG_FIELD_MATRIX:
    return sizeof(rgMat3);
  default:
    return 0;
  }
}

static bool same_text(const char* a, const char* b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

// `place` holds the default value. Lists have the default when they are empty.
static bool is_default(const rgSchemaField* field, const void* value, const void* place) {
  switch (field->type) {
  case RG_FIELD_TEXT:
    return same_text(*(const char* const*)value, *(const char* const*)place);
  case RG_FIELD_NAME:
    return same_text(value, place);
  case RG_FIELD_REALS:
  case RG_FIELD_TUPLES:
  case RG_FIELD_INDICES:
  case RG_FIELD_OBJECTS:
    return ((const rgList*)value)->count == 0;
  case RG_FIELD_CUSTOM:
    return !field->custom->write || field->custom->equal(value, place);
  default:
    return memcmp(value, place, value_size(field)) == 0;
  }
}

static bool is_written(const rgWriter* writer, const rgSchemaObject* object, int index,
                       const rgSchemaField* field, const void* item, const void* fresh,
                       bool given) {
  uint32_t variant = rg_schema_variant(object, item);
  const char* value = (const char*)item + field->offset;
  bool field_given = object->head && (((const rgSchemaHead*)item)->given >> index & 1);
  if (field->only && !(field->only & variant))
    return false;
  if (field->type == RG_FIELD_OBJECT)
    return has_content(writer, field->object, value, field_given);
  if (field->type == RG_FIELD_CUSTOM && field->custom->no_default && object->head && !field_given)
    return false; // a reference to nothing
  if ((given && (field->needed & variant)) || (field->keep && field_given))
    return true;
  return !is_default(field, value, (const char*)fresh + field->offset);
}

static bool has_content(const rgWriter* writer, const rgSchemaObject* object, const void* item,
                        bool given) {
  alignas(max_align_t) char fresh[RG_SCHEMA_ITEM_MAX];
  rg_schema_defaults(object, fresh, writer->context);
  rgSchemaField storage;
  const rgSchemaField* field;
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++)
    if (is_written(writer, object, i, field, item, fresh, given))
      return true;
  return false;
}

// -------------------------------------------------------------------------------------------------
// Values
// -------------------------------------------------------------------------------------------------

void rg_write_tuple(rgWriter* writer, int count, const double* values) {
  rg_text_add(writer->text, "[");
  for (int i = 0; i < count; i++) {
    rg_text_add(writer->text, i ? ", " : "");
    rg_text_number(writer->text, values[i]);
  }
  rg_text_add(writer->text, "]");
}

static void write_counts(rgWriter* writer, int count, const int* values) {
  rg_text_add(writer->text, "[");
  for (int i = 0; i < count; i++)
    rg_text_format(writer->text, "%s%d", i ? ", " : "", values[i]);
  rg_text_add(writer->text, "]");
}

static void write_matrix(rgWriter* writer, const rgMat3* matrix) {
  rg_text_add(writer->text, "[");
  for (int i = 0; i < 3; i++) {
    rg_text_add(writer->text, i ? ", " : "");
    rg_write_tuple(writer, 3, matrix->m[i]);
  }
  rg_text_add(writer->text, "]");
}

static void write_item(rgWriter* writer, const rgSchemaField* field, const rgList* list, int i,
                       int depth) {
  const char* items = list->items;
  if (field->type == RG_FIELD_REALS)
    rg_text_number(writer->text, ((const double*)list->items)[i]);
  else if (field->type == RG_FIELD_TUPLES)
    rg_write_tuple(writer, field->count, (const double*)list->items + (ptrdiff_t)i * field->count);
  else if (field->type == RG_FIELD_INDICES)
    write_counts(writer, field->count, (const int*)list->items + (ptrdiff_t)i * field->count);
  else
    rg_write_object(writer, field->object, items + (size_t)i * field->object->size, depth);
}

// A list of objects shares the line with its key only if it has a single item.
static bool fits_line(const rgWriter* writer, const rgSchemaField* field, const rgList* list,
                      int depth) {
  if (list->count > (field->type == RG_FIELD_OBJECTS ? 1 : LINE_LENGTH))
    return false;
  rgText count = {.enough = LINE_LENGTH};
  rgWriter measure = {&count, writer->context};
  for (int i = 0; i < list->count; i++) {
    write_item(&measure, field, list, i, -1);
    rg_text_add(&count, ", ");
  }
  return count.length + strlen(field->key) + 2 * (size_t)depth <= LINE_LENGTH;
}

static void write_list(rgWriter* writer, const rgSchemaField* field, const rgList* list,
                       int depth) {
  bool one_line = depth < 0 || fits_line(writer, field, list, depth);
  int per_line = field->type == RG_FIELD_REALS ? NUMBERS_PER_LINE : 1;
  rg_text_add(writer->text, "[");
  for (int i = 0; i < list->count; i++) {
    bool new_line = !one_line && i % per_line == 0;
    rg_text_add(writer->text, i == 0 ? "" : new_line ? "," : ", ");
    if (new_line)
      rg_text_indent(writer->text, depth + 1);
    write_item(writer, field, list, i, one_line ? -1 : depth + 1);
  }
  if (!one_line)
    rg_text_indent(writer->text, depth);
  rg_text_add(writer->text, "]");
}

void rg_write_value(rgWriter* writer, const rgSchemaField* field, const void* item, int depth) {
  const void* place = (const char*)item + field->offset;
  rgText* text = writer->text;
  switch (field->type) {
  case RG_FIELD_REAL:
    rg_text_number(text, *(const double*)place);
    break;
  case RG_FIELD_INT:
    rg_text_format(text, "%d", *(const int*)place);
    break;
  case RG_FIELD_BITS:
    rg_text_format(text, "%u", (unsigned)*(const uint32_t*)place);
    break;
  case RG_FIELD_BOOL:
    rg_text_add(text, *(const bool*)place ? "true" : "false");
    break;
  case RG_FIELD_TEXT:
    rg_text_string(text, *(const char* const*)place ? *(const char* const*)place : "");
    break;
  case RG_FIELD_WORD:
    rg_text_string(text, field->word(*(const int*)place));
    break;
  case RG_FIELD_NAME:
    rg_text_string(text, place);
    break;
  case RG_FIELD_TUPLE:
    rg_write_tuple(writer, field->count, place);
    break;
  case RG_FIELD_COUNTS:
    write_counts(writer, field->count, place);
    break;
  case RG_FIELD_MATRIX:
    write_matrix(writer, place);
    break;
  case RG_FIELD_REALS:
  case RG_FIELD_TUPLES:
  case RG_FIELD_INDICES:
  case RG_FIELD_OBJECTS:
    write_list(writer, field, place, depth);
    break;
  case RG_FIELD_OBJECT:
    rg_write_object(writer, field->object, place, depth);
    break;
  case RG_FIELD_CUSTOM:
    field->custom->write(writer, place);
    break;
  case RG_FIELD_TYPE_COUNT:
    break;
  }
}

// -------------------------------------------------------------------------------------------------
// Objects
// -------------------------------------------------------------------------------------------------

// A negative depth keeps everything on one line.
static void write_members(rgWriter* writer, const rgSchemaObject* object, const void* item,
                          int depth) {
  alignas(max_align_t) char fresh[RG_SCHEMA_ITEM_MAX];
  rg_schema_defaults(object, fresh, writer->context);
  rgText* text = writer->text;
  rgSchemaField storage;
  const rgSchemaField* field;
  bool first = true;
  rg_text_add(text, "{");
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++) {
    if (!is_written(writer, object, i, field, item, fresh, true))
      continue;
    rg_text_add(text, first ? "" : depth < 0 ? ", " : ",");
    if (depth >= 0)
      rg_text_indent(text, depth + 1);
    rg_text_string(text, field->key);
    rg_text_add(text, ": ");
    rg_write_value(writer, field, item, depth < 0 ? depth : depth + 1);
    first = false;
  }
  if (depth >= 0 && !first)
    rg_text_indent(text, depth);
  rg_text_add(text, "}");
}

void rg_write_object(rgWriter* writer, const rgSchemaObject* object, const void* item, int depth) {
  if (depth > 0) {
    rgText count = {.enough = LINE_LENGTH};
    rgWriter measure = {&count, writer->context};
    write_members(&measure, object, item, -1);
    if (count.length + 2 * (size_t)depth <= LINE_LENGTH)
      depth = -1;
  }
  write_members(writer, object, item, depth);
}
