// schema.c - looking things up in the tables.
#include "io/schema/schema.h"

#include "base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const rgRange rg_range_positive = {0, HUGE_VAL, true};
const rgRange rg_range_not_negative = {0, HUGE_VAL, false};

const rgSchemaField* rg_schema_field(const rgSchemaObject* object, int index,
                                     rgSchemaField* storage) {
  if (index < object->field_count)
    return &object->fields[index];
  *storage = (rgSchemaField){0};
  bool more = object->field_at && object->field_at(index - object->field_count, storage);
  return more ? storage : NULL;
}

int rg_schema_find(const rgSchemaObject* object, const char* key) {
  rgSchemaField storage;
  const rgSchemaField* field;
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++)
    if (strcmp(field->key, key) == 0)
      return i;
  return -1;
}

bool rg_schema_given(const rgSchemaObject* object, const void* item, const char* key) {
  int index = rg_schema_find(object, key);
  return object->head && index >= 0 && (((const rgSchemaHead*)item)->given >> index & 1);
}

const rgSchemaField* rg_schema_variant_field(const rgSchemaObject* object, rgSchemaField* storage) {
  return rg_schema_field(object, rg_schema_find(object, object->variant), storage);
}

uint32_t rg_schema_variant(const rgSchemaObject* object, const void* item) {
  if (!object->variant)
    return RG_VARIANT_ALL;
  int value;
  rgSchemaField storage;
  const rgSchemaField* field = rg_schema_variant_field(object, &storage);
  memcpy(&value, (const char*)item + field->offset, sizeof value);
  return (uint32_t)1 << value;
}

void rg_schema_defaults(const rgSchemaObject* object, void* item, const void* context) {
  memset(item, 0, object->size);
  if (object->defaults)
    object->defaults(item, context);
}

bool rg_range_holds(const rgRange* range, double value) {
  if (!range)
    return true;
  return (range->lower_open ? value > range->lower : value >= range->lower) &&
         value <= range->upper;
}

void rg_range_text(const rgRange* range, char* text, size_t size) {
  char lower[RG_NUMBER_SIZE], upper[RG_NUMBER_SIZE];
  rg_number_format(range->lower, lower);
  rg_number_format(range->upper, upper);
  const char* relation = range->lower_open ? ">" : ">=";
  if (range->lower == range->upper)
    snprintf(text, size, "%s", lower);
  else if (range->upper == HUGE_VAL)
    snprintf(text, size, "%s %s", relation, lower);
  else if (range->lower == -HUGE_VAL)
    snprintf(text, size, "<= %s", upper);
  else
    snprintf(text, size, "%s %s and <= %s", relation, lower, upper);
}

static void add_object(const rgSchemaObject* object, const rgSchemaObject** objects, int* count) {
  for (int i = 0; i < *count; i++)
    if (objects[i] == object)
      return;
  if (*count == RG_SCHEMA_OBJECTS_MAX)
    return;
  objects[(*count)++] = object;
  rgSchemaField storage;
  const rgSchemaField* field;
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++)
    if (field->object)
      add_object(field->object, objects, count);
}

int rg_schema_objects(const rgSchemaObject* root,
                      const rgSchemaObject* objects[RG_SCHEMA_OBJECTS_MAX]) {
  int count = 0;
  add_object(root, objects, &count);
  return count;
}
