// schema_json.c - the tables as a JSON Schema (draft 7), for editors.
//
// Each object is a definition. Variants are conditions: "if" the word names a variant without a
// certain key, "then" that key is not allowed. Needed keys are expressed in the same way.
#include "io/schema/schema.h"
#include <rigor/world.h>

#include <math.h>
#include <stdalign.h>
#include <string.h>

static void put_range(rgText* text, const rgRange* range) {
  if (range && range->lower > -HUGE_VAL) {
    rg_text_format(text, ", \"%s\": ", range->lower_open ? "exclusiveMinimum" : "minimum");
    rg_text_number(text, range->lower);
  }
  if (range && range->upper < HUGE_VAL) {
    rg_text_add(text, ", \"maximum\": ");
    rg_text_number(text, range->upper);
  }
}

static void put_number(rgText* text, const rgSchemaField* field, bool whole) {
  rg_text_format(text, "\"type\": \"%s\"", whole ? "integer" : "number");
  put_range(text, field->range);
}

static void put_tuple(rgText* text, const rgSchemaField* field, bool whole) {
  rg_text_add(text, "\"type\": \"array\", \"items\": {");
  put_number(text, field, whole);
  rg_text_format(text, "}, \"minItems\": %d, \"maxItems\": %d",
                 field->planar ? field->count - 1 : field->count, field->count);
}

static void put_list(rgText* text, const rgSchemaField* field) {
  rg_text_add(text, "\"type\": \"array\", \"items\": {");
  if (field->type == RG_FIELD_REALS)
    put_number(text, field, false);
  else if (field->type == RG_FIELD_OBJECTS)
    rg_text_format(text, "\"$ref\": \"#/definitions/%s\"", field->object->name);
  else
    put_tuple(text, field, field->type == RG_FIELD_INDICES);
  rg_text_add(text, "}");
  if (field->minimum)
    rg_text_format(text, ", \"minItems\": %d", field->minimum);
  if (field->maximum)
    rg_text_format(text, ", \"maxItems\": %d", field->maximum);
}

static void put_words(rgText* text, const rgSchemaField* field, uint32_t bits) {
  const char* comma = "";
  rg_text_add(text, "\"enum\": [");
  for (int i = 0; field->word(i); i++) {
    if (!(bits >> i & 1))
      continue;
    rg_text_add(text, comma);
    rg_text_string(text, field->word(i));
    comma = ", ";
  }
  rg_text_add(text, "]");
}

static void put_type(rgText* text, const rgSchemaField* field) {
  switch (field->type) {
  case RG_FIELD_REAL:
  case RG_FIELD_INT:
    put_number(text, field, field->type == RG_FIELD_INT);
    break;
  case RG_FIELD_BITS:
    rg_text_add(text, "\"type\": \"integer\", \"minimum\": 0, \"maximum\": 4294967295");
    break;
  case RG_FIELD_BOOL:
    rg_text_add(text, "\"type\": \"boolean\"");
    break;
  case RG_FIELD_TEXT:
    rg_text_add(text, "\"type\": \"string\"");
    break;
  case RG_FIELD_WORD:
  case RG_FIELD_NAME:
    if (field->word)
      put_words(text, field, UINT32_MAX);
    else
      rg_text_format(text, "\"type\": \"string\", \"maxLength\": %d", (int)RG_NAME_MAX - 1);
    break;
  case RG_FIELD_TUPLE:
  case RG_FIELD_COUNTS:
    put_tuple(text, field, field->type == RG_FIELD_COUNTS);
    break;
  case RG_FIELD_MATRIX:
    rg_text_add(
        text,
        "\"type\": \"array\", \"minItems\": 3, \"maxItems\": 3, \"items\": {\"type\": \"array\", "
        "\"minItems\": 3, \"maxItems\": 3, \"items\": {\"type\": \"number\"}}");
    break;
  case RG_FIELD_OBJECT:
    rg_text_format(text, "\"allOf\": [{\"$ref\": \"#/definitions/%s\"}]", field->object->name);
    break;
  case RG_FIELD_CUSTOM:
    rg_text_add(text, field->custom->schema);
    break;
  case RG_FIELD_REALS:
  case RG_FIELD_TUPLES:
  case RG_FIELD_INDICES:
  case RG_FIELD_OBJECTS:
    put_list(text, field);
    break;
  case RG_FIELD_TYPE_COUNT:
    break;
  }
}

// The help as plain text: without the marks of Markdown and without quotes.
static void put_description(rgText* text, const rgSchemaField* field) {
  rg_text_add(text, ", \"description\": \"");
  for (const char* c = field->help; *c; c++)
    if (*c != '`' && *c != '"')
      rg_text_bytes(text, c, 1);
  if (field->unit && field->unit[0])
    rg_text_format(text, " [%s]", field->unit);
  rg_text_add(text, "\"");
}

static void put_properties(rgText* text, const rgSchemaObject* object) {
  rgSchemaField storage;
  const rgSchemaField* field;
  rg_text_add(text, "      \"properties\": {");
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++) {
    rg_text_format(text, "%s\n        \"%s\": {", i ? "," : "", field->key);
    put_type(text, field);
    put_description(text, field);
    rg_text_add(text, "}");
  }
  rg_text_add(text, "\n      },\n");
}

// Keys that every variant needs.
static void put_required(rgText* text, const rgSchemaObject* object) {
  rgSchemaField storage;
  const rgSchemaField* field;
  const char* comma = "";
  rg_text_add(text, "      \"required\": [");
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++)
    if (field->needed == RG_VARIANT_ALL) {
      rg_text_format(text, "%s\"%s\"", comma, field->key);
      comma = ", ";
    }
  rg_text_add(text, "],\n");
}

// Writes {"if": the variant is among `bits`, "then": ... An omitted word means the default variant.
static void put_condition(rgText* text, const rgSchemaObject* object, uint32_t bits) {
  alignas(max_align_t) char fresh[RG_SCHEMA_ITEM_MAX];
  rg_schema_defaults(object, fresh, NULL);
  bool default_too = (rg_schema_variant(object, fresh) & bits) != 0;
  rgSchemaField storage;
  const rgSchemaField* word = rg_schema_variant_field(object, &storage);
  rg_text_format(text, "{\"if\": {\"properties\": {\"%s\": {", object->variant);
  put_words(text, word, bits);
  rg_text_add(text, "}}");
  if (!default_too)
    rg_text_format(text, ", \"required\": [\"%s\"]", object->variant);
  rg_text_add(text, "}, \"then\": {");
}

static void put_variants(rgText* text, const rgSchemaObject* object) {
  const char* comma = "";
  if (!object->variant)
    return;
  rg_text_add(text, "      \"allOf\": [");
  rgSchemaField storage;
  const rgSchemaField* field;
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++) {
    if (field->only) {
      rg_text_format(text, "%s\n        ", comma);
      put_condition(text, object, ~field->only);
      rg_text_format(text, "\"properties\": {\"%s\": false}}}", field->key);
      comma = ",";
    }
    if (field->needed && field->needed != RG_VARIANT_ALL) {
      rg_text_format(text, "%s\n        ", comma);
      put_condition(text, object, field->needed);
      rg_text_format(text, "\"required\": [\"%s\"]}}", field->key);
      comma = ",";
    }
  }
  rg_text_add(text, "\n      ],\n");
}

static void put_definition(rgText* text, const rgSchemaObject* object) {
  rg_text_format(text, "    \"%s\": {\n      \"type\": \"object\",\n", object->name);
  put_properties(text, object);
  put_required(text, object);
  put_variants(text, object);
  rg_text_add(text, "      \"additionalProperties\": false\n    }");
}

void rg_schema_json(rgText* text, const rgSchemaObject* root, const char* title) {
  const rgSchemaObject* objects[RG_SCHEMA_OBJECTS_MAX];
  int count = rg_schema_objects(root, objects);
  rg_text_add(text,
              "{\n  \"$schema\": \"http://json-schema.org/draft-07/schema#\",\n  \"title\": ");
  rg_text_string(text, title);
  rg_text_format(text,
                 ",\n  \"allOf\": [{\"$ref\": \"#/definitions/%s\"}],\n  \"definitions\": {\n",
                 root->name);
  for (int i = 0; i < count; i++) {
    put_definition(text, objects[i]);
    rg_text_add(text, i + 1 < count ? ",\n" : "\n");
  }
  rg_text_add(text, "  }\n}\n");
}
