// schema_reference.c - the tables as Markdown, for people.
#include "io/schema/schema.h"
#include <rigor/world.h>

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_LENGTH = 40 }; // of a default that is shown

// A link to the section of an object, as readers of Markdown make its anchor: spaces become hyphens.
static void put_link(rgText* text, const char* name) {
  rg_text_format(text, "[%s](#", name);
  for (; *name; name++)
    rg_text_format(text, "%c", *name == ' ' ? '-' : *name);
  rg_text_add(text, ")");
}

// "number > 0", "3 numbers", "`table`, `harmonic`", ...
static void put_type(rgText* text, const rgSchemaField* field) {
  static const char* const names[RG_FIELD_TYPE_COUNT] = {
      [RG_FIELD_REAL] = "number",           [RG_FIELD_INT] = "whole number",
      [RG_FIELD_BITS] = "whole number",     [RG_FIELD_BOOL] = "true or false",
      [RG_FIELD_TEXT] = "string",           [RG_FIELD_TUPLE] = "numbers",
      [RG_FIELD_COUNTS] = "whole numbers",  [RG_FIELD_MATRIX] = "3 rows of 3 numbers",
      [RG_FIELD_REALS] = "list of numbers",
  };
  switch (field->type) {
  case RG_FIELD_WORD:
  case RG_FIELD_NAME:
    if (!field->word)
      rg_text_format(text, "string of less than %d bytes", (int)RG_NAME_MAX);
    for (int i = 0; field->word && field->word(i); i++)
      rg_text_format(text, "%s`%s`", i ? ", " : "", field->word(i));
    return;
  case RG_FIELD_TUPLE:
  case RG_FIELD_COUNTS:
    rg_text_format(text, "%d %s", field->count, names[field->type]);
    break;
  case RG_FIELD_TUPLES:
  case RG_FIELD_INDICES:
    rg_text_format(text, "list of %d %s each", field->count,
                   field->type == RG_FIELD_TUPLES ? "numbers" : "indices");
    break;
  case RG_FIELD_OBJECT:
    put_link(text, field->object->name);
    return;
  case RG_FIELD_OBJECTS:
    rg_text_add(text, "list of ");
    put_link(text, field->object->name);
    return;
  case RG_FIELD_CUSTOM:
    rg_text_add(text, field->custom->type);
    return;
  default:
    rg_text_add(text, names[field->type]);
  }
  if (field->range && !(field->range->lower == 0 && field->type == RG_FIELD_INDICES)) {
    char range[80];
    rg_range_text(field->range, range, sizeof range);
    rg_text_format(text, " %s%s", field->range->lower == field->range->upper ? "= " : "", range);
  }
}

// The words of the variants in `bits`.
static void put_variants(rgText* text, const rgSchemaObject* object, uint32_t bits) {
  rgSchemaField storage;
  const rgSchemaField* field = rg_schema_variant_field(object, &storage);
  const char* comma = "";
  for (int i = 0; field->word(i); i++)
    if (bits >> i & 1) {
      rg_text_format(text, "%s%s", comma, field->word(i));
      comma = ", ";
    }
}

static void put_default(rgText* text, const rgSchemaField* field, const void* fresh) {
  char value[2 * DEFAULT_LENGTH];
  rgText shown = {.text = value, .capacity = sizeof value};
  rgWriter writer = {&shown, NULL};
  bool list = field->type == RG_FIELD_REALS || field->type == RG_FIELD_TUPLES ||
              field->type == RG_FIELD_INDICES || field->type == RG_FIELD_OBJECTS;
  if (field->needed) {
    rg_text_add(text, "needed");
    return;
  }
  if (list || field->type == RG_FIELD_OBJECT || field->keep ||
      (field->custom && field->custom->no_default))
    return;
  // Where zero is not a legal value, it means "not given"; of tuples the first number tells.
  double number = 0;
  if (field->type == RG_FIELD_REAL || (field->type == RG_FIELD_TUPLE && field->range)) {
    memcpy(&number, (const char*)fresh + field->offset, sizeof number);
    if (!rg_range_holds(field->range, number))
      return;
  }
  rg_write_value(&writer, field, fresh, -1);
  rg_text_end(&shown);
  if (shown.length <= DEFAULT_LENGTH && strcmp(value, "\"\"") != 0 && strcmp(value, "[]") != 0)
    rg_text_format(text, "`%s`", value);
}

static void put_object(rgText* text, const rgSchemaObject* object) {
  alignas(max_align_t) char fresh[RG_SCHEMA_ITEM_MAX];
  rg_schema_defaults(object, fresh, NULL);
  rg_text_format(text, "\n## %s\n\n", object->name);
  rg_text_add(text, object->help);
  if (object->about)
    object->about(text);
  rg_text_format(text, "\n\n| key | value | unit | default | %smeaning |\n",
                 object->variant ? "for | " : "");
  rg_text_format(text, "| --- | --- | --- | --- | %s--- |\n", object->variant ? "--- | " : "");
  rgSchemaField storage;
  const rgSchemaField* field;
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++) {
    rg_text_format(text, "| `%s` | ", field->key);
    put_type(text, field);
    rg_text_format(text, " | %s | ", field->unit ? field->unit : "");
    put_default(text, field, fresh);
    rg_text_add(text, " | ");
    if (object->variant) {
      if (field->only)
        put_variants(text, object, field->only);
      rg_text_add(text, " | ");
    }
    rg_text_add(text, field->help);
    rg_text_add(text, " |\n");
  }
}

void rg_schema_reference(rgText* text, const rgSchemaObject* root) {
  const rgSchemaObject* objects[RG_SCHEMA_OBJECTS_MAX];
  int count = rg_schema_objects(root, objects);
  for (int i = 0; i < count; i++)
    put_object(text, objects[i]);
}
