// schema_read.c - reads JSON nodes into structs, as the tables say.
//
// Keys are read in the order of the table, whatever their order in the file, so that later keys may
// refer to earlier ones. Every message begins with file, line and column and the path of
// the value.
#include "io/schema/schema.h"

#include "base/number.h"
#include "io/text/names.h"
#include <rigor/world.h>

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// -------------------------------------------------------------------------------------------------
// Messages
// -------------------------------------------------------------------------------------------------

static void put_path(rgText* text, const rgPathPart* part) {
  if (!part)
    return;
  put_path(text, part->parent);
  if (part->key)
    rg_text_format(text, "%s%s", part->parent ? "." : "", part->key);
  else
    rg_text_format(text, "[%d]", part->index);
}

static bool fail_with(rgReader* reader, uint32_t line, uint32_t column, const char* format,
                      va_list arguments) {
  char path[160], what[sizeof reader->message->text];
  rgText text = {.text = path, .capacity = sizeof path};
  put_path(&text, reader->path);
  rg_text_end(&text);
  vsnprintf(what, sizeof what, format, arguments);
  reader->status = rg_fail(reader->message, RG_ERROR_INPUT, "%s:%u:%u: %s %s", reader->name, line,
                           column, reader->path ? path : reader->root, what);
  return false;
}

bool rg_reader_fail(rgReader* reader, const rgJsonNode* node, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_with(reader, node->line, node->column, format, arguments);
  va_end(arguments);
  return false;
}

bool rg_reader_fail_at(rgReader* reader, uint32_t line, uint32_t column, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fail_with(reader, line, column, format, arguments);
  va_end(arguments);
  return false;
}

bool rg_reader_no_memory(rgReader* reader) {
  reader->status = rg_fail(reader->message, RG_ERROR_MEMORY, "%s: not enough memory", reader->name);
  return false;
}

bool rg_reader_knows_broken(const rgReader* reader, const char* name) {
  for (int i = 0; reader->faults && i < reader->faults->name_count; i++)
    if (strcmp(reader->faults->names[i], name) == 0)
      return true;
  return false;
}

// Notes the fault at hand and goes on at this path, if all faults are asked for and these are not enough yet.
static bool go_on(rgReader* reader, const rgPathPart* path) {
  rgFaults* faults = reader->faults;
  if (!faults || reader->status != RG_ERROR_INPUT || faults->count >= RG_FAULTS_MAX)
    return false;
  if (reader->message->text[0]) {
    faults->take(faults->context, reader->message->text);
    reader->message->text[0] = 0;
    faults->count++;
  }
  reader->path = path;
  return faults->count < RG_FAULTS_MAX;
}

static void note_broken(rgFaults* faults, const rgJsonNode* element) {
  const rgJsonNode* name = element->type == RG_JSON_OBJECT ? rg_json_member(element, "name") : NULL;
  if (name && name->type == RG_JSON_STRING && faults->name_count < RG_FAULTS_MAX)
    snprintf(faults->names[faults->name_count++], sizeof *faults->names, "%s", name->value.text);
}

static bool fail_type(rgReader* reader, const rgJsonNode* node, const char* wanted) {
  return rg_reader_fail(reader, node, "is %s, must be %s", rg_json_describe(node), wanted);
}

const rgJsonNode* rg_reader_enter(rgReader* reader, rgPathPart* part, const rgJsonNode* array,
                                  int index) {
  *part = (rgPathPart){reader->path, NULL, index};
  reader->path = part;
  const rgJsonNode* node = rg_json_first(array);
  for (int i = 0; i < index; i++)
    node = rg_json_next(node);
  return node;
}

// -------------------------------------------------------------------------------------------------
// Values
// -------------------------------------------------------------------------------------------------

bool rg_read_number(rgReader* reader, const rgJsonNode* node, const rgRange* range, double* value) {
  if (node->type != RG_JSON_NUMBER)
    return fail_type(reader, node, "a number");
  *value = node->value.number;
  if (rg_range_holds(range, *value))
    return true;
  char number[RG_NUMBER_SIZE], wanted[2 * RG_NUMBER_SIZE];
  rg_number_format(*value, number);
  rg_range_text(range, wanted, sizeof wanted);
  return rg_reader_fail(reader, node, "is %s, must be %s", number, wanted);
}

// A whole number that fits the range and [lower, upper].
static bool read_whole(rgReader* reader, const rgJsonNode* node, const rgRange* range, double lower,
                       double upper, double* value) {
  rgRange fits = {lower, upper, false};
  if (!rg_read_number(reader, node, range, value) || !rg_read_number(reader, node, &fits, value))
    return false;
  if (floor(*value) == *value)
    return true;
  char number[RG_NUMBER_SIZE];
  rg_number_format(*value, number);
  return rg_reader_fail(reader, node, "is %s, must be a whole number", number);
}

static bool read_int(rgReader* reader, const rgJsonNode* node, const rgRange* range, int* value) {
  double number = 0;
  if (!read_whole(reader, node, range, INT_MIN, INT_MAX, &number))
    return false;
  *value = (int)number;
  return true;
}

bool rg_read_string(rgReader* reader, const rgJsonNode* node, const char** text) {
  if (node->type != RG_JSON_STRING)
    return fail_type(reader, node, "a string");
  *text = rg_pool_text(reader->pool, node->value.text);
  return *text ? true : rg_reader_no_memory(reader);
}

static bool check_length(rgReader* reader, const rgJsonNode* node, int count) {
  if (node->type != RG_JSON_ARRAY)
    return rg_reader_fail(reader, node, "is %s, must be an array of %d numbers",
                          rg_json_describe(node), count);
  if (node->count != (uint32_t)count)
    return rg_reader_fail(reader, node, "has %u entries, must have %d", node->count, count);
  return true;
}

// Reads each element of an array into its place, with its index in the path of messages.
static bool read_elements(rgReader* reader, const rgJsonNode* node, size_t item_size,
                          rgReadItem* read, const void* context, void* items) {
  rgPathPart part = {reader->path, NULL, 0};
  bool good = true;
  reader->path = &part;
  const rgJsonNode* element = rg_json_first(node);
  for (; part.index < (int)node->count; part.index++, element = rg_json_next(element)) {
    if (read(reader, context, element, (char*)items + (size_t)part.index * item_size))
      continue;
    good = false;
    if (!go_on(reader, &part))
      return false;
    note_broken(reader->faults, element);
  }
  reader->path = part.parent;
  return good;
}

static bool ranged_number(rgReader* reader, const void* range, const rgJsonNode* node, void* item) {
  return rg_read_number(reader, node, range, item);
}

static bool ranged_int(rgReader* reader, const void* range, const rgJsonNode* node, void* item) {
  return read_int(reader, node, range, item);
}

bool rg_read_tuple(rgReader* reader, const rgJsonNode* node, int count, const rgRange* range,
                   double* values) {
  return check_length(reader, node, count) &&
         read_elements(reader, node, sizeof *values, ranged_number, range, values);
}

static bool read_counts(rgReader* reader, const rgJsonNode* node, int count, const rgRange* range,
                        int* values) {
  return check_length(reader, node, count) &&
         read_elements(reader, node, sizeof *values, ranged_int, range, values);
}

bool rg_read_list(rgReader* reader, const rgJsonNode* node, size_t item_size, rgReadItem* read,
                  const void* context, rgList* list) {
  if (node->type != RG_JSON_ARRAY)
    return fail_type(reader, node, "an array");
  list->count = (int)node->count;
  list->items = rg_pool_take(reader->pool, node->count, item_size);
  if (!list->items)
    return rg_reader_no_memory(reader);
  return read_elements(reader, node, item_size, read, context, list->items);
}

// In a scene of dimension 2, a planar field takes two numbers; the third is zero.
static bool read_field_tuple(rgReader* reader, const rgSchemaField* field, const rgJsonNode* node,
                             double* values) {
  bool flat = field->planar && reader->planar && node->type == RG_JSON_ARRAY && node->count == 2;
  if (flat)
    values[2] = 0;
  return rg_read_tuple(reader, node, flat ? 2 : field->count, field->range, values);
}

static bool tuple_item(rgReader* reader, const void* context, const rgJsonNode* node, void* item) {
  return read_field_tuple(reader, context, node, item);
}

static bool index_item(rgReader* reader, const void* context, const rgJsonNode* node, void* item) {
  const rgSchemaField* field = context;
  return read_counts(reader, node, field->count, field->range, item);
}

static bool object_item(rgReader* reader, const void* context, const rgJsonNode* node, void* item) {
  return rg_read_object(reader, context, node, item);
}

// What a word of another program is called here, if this field has it.
static const char* word_of_others(const rgSchemaField* field, const char* name) {
  const char* alias;
  for (int order = 0; (alias = rg_schema_alias_word(name, order)); order++)
    for (int i = 0; field->word(i); i++)
      if (strcmp(field->word(i), alias) == 0)
        return alias;
  return NULL;
}

static bool read_word(rgReader* reader, const rgSchemaField* field, const rgJsonNode* node,
                      int* index) {
  if (node->type != RG_JSON_STRING)
    return fail_type(reader, node, "a string");
  rgGuess guess = {node->value.text, NULL, 0};
  char known[256];
  rgText text = {.text = known, .capacity = sizeof known};
  for (*index = 0; field->word(*index); ++*index) {
    const char* word = field->word(*index);
    if (strcmp(word, node->value.text) == 0)
      return true;
    rg_guess_offer(&guess, word);
    rg_text_format(&text, "%s%s", *index ? ", " : "", word);
  }
  rg_text_end(&text);
  const char* alias = word_of_others(field, node->value.text);
  if (alias)
    return rg_reader_fail(reader, node, "is \"%.60s\", which is called \"%s\" here",
                          node->value.text, alias);
  if (guess.best)
    return rg_reader_fail(reader, node, "is \"%.60s\"; did you mean \"%s\"?", node->value.text,
                          guess.best);
  return rg_reader_fail(reader, node, "is \"%.60s\", must be one of: %s", node->value.text, known);
}

static bool check_items(rgReader* reader, const rgSchemaField* field, const rgJsonNode* node,
                        const rgList* list) {
  if (list->count < field->minimum)
    return rg_reader_fail(reader, node, "has %d entries, must have at least %d", list->count,
                          field->minimum);
  if (field->maximum && list->count > field->maximum)
    return rg_reader_fail(reader, node, "has %d entries, must have at most %d", list->count,
                          field->maximum);
  return true;
}

static bool read_items(rgReader* reader, const rgSchemaField* field, const rgJsonNode* node,
                       rgList* list) {
  bool ok = false;
  if (field->type == RG_FIELD_REALS)
    ok = rg_read_list(reader, node, sizeof(double), ranged_number, field->range, list);
  else if (field->type == RG_FIELD_TUPLES)
    ok = rg_read_list(reader, node, sizeof(double) * (size_t)field->count, tuple_item, field, list);
  else if (field->type == RG_FIELD_INDICES)
    ok = rg_read_list(reader, node, sizeof(int) * (size_t)field->count, index_item, field, list);
  else
    ok = rg_read_list(reader, node, field->object->size, object_item, field->object, list);
  return ok && check_items(reader, field, node, list);
}

static bool read_matrix(rgReader* reader, const rgJsonNode* node, rgMat3* matrix) {
  if (node->type != RG_JSON_ARRAY || node->count != 3)
    return rg_reader_fail(reader, node, "must be an array of 3 rows of 3 numbers");
  for (int i = 0; i < 3; i++) {
    rgPathPart part;
    const rgJsonNode* row = rg_reader_enter(reader, &part, node, i);
    if (!rg_read_tuple(reader, row, 3, NULL, matrix->m[i]))
      return false;
    reader->path = part.parent;
  }
  return true;
}

static bool read_bits(rgReader* reader, const rgJsonNode* node, uint32_t* bits) {
  double number = 0;
  if (!read_whole(reader, node, NULL, 0, UINT32_MAX, &number))
    return false;
  *bits = (uint32_t)number;
  return true;
}

static bool read_bool(rgReader* reader, const rgJsonNode* node, bool* value) {
  if (node->type != RG_JSON_BOOL)
    return fail_type(reader, node, "true or false");
  *value = node->value.boolean;
  return true;
}

static bool read_name(rgReader* reader, const rgSchemaField* field, const rgJsonNode* node,
                      char* name) {
  int index;
  const char* text = "";
  if (!field->word) {
    if (!rg_read_string(reader, node, &text))
      return false;
    if (strlen(text) >= RG_NAME_MAX)
      return rg_reader_fail(reader, node, "is %zu bytes long, must be less than %d", strlen(text),
                            (int)RG_NAME_MAX);
  } else if (!read_word(reader, field, node, &index)) {
    return false;
  }
  memset(name, 0, RG_NAME_MAX);
  strncpy(name, node->value.text, RG_NAME_MAX - 1);
  return true;
}

static bool read_value(rgReader* reader, const rgSchemaField* field, const rgJsonNode* node,
                       void* place) {
  switch (field->type) {
  case RG_FIELD_REAL:
    return rg_read_number(reader, node, field->range, place);
  case RG_FIELD_INT:
    return read_int(reader, node, field->range, place);
  case RG_FIELD_BITS:
    return read_bits(reader, node, place);
  case RG_FIELD_BOOL:
    return read_bool(reader, node, place);
  case RG_FIELD_TEXT:
    return rg_read_string(reader, node, place);
  case RG_FIELD_WORD:
    return read_word(reader, field, node, place);
  case RG_FIELD_NAME:
    return read_name(reader, field, node, place);
  case RG_FIELD_TUPLE:
    return read_field_tuple(reader, field, node, place);
  case RG_FIELD_COUNTS:
    return read_counts(reader, node, field->count, field->range, place);
  case RG_FIELD_MATRIX:
    return read_matrix(reader, node, place);
  case RG_FIELD_REALS:
  case RG_FIELD_TUPLES:
  case RG_FIELD_INDICES:
  case RG_FIELD_OBJECTS:
    return read_items(reader, field, node, place);
  case RG_FIELD_OBJECT:
    return rg_read_object(reader, field->object, node, place);
  case RG_FIELD_CUSTOM:
    return field->custom->read(reader, node, place);
  case RG_FIELD_TYPE_COUNT:
    break;
  }
  return false;
}

// -------------------------------------------------------------------------------------------------
// Objects
// -------------------------------------------------------------------------------------------------

// The word of the first variant in `bits`, or of all of them, in quotes.
static void put_variants(const rgSchemaObject* object, uint32_t bits, rgText* text) {
  rgSchemaField storage;
  const rgSchemaField* field = rg_schema_variant_field(object, &storage);
  const char* comma = "";
  for (int i = 0; field->word(i); i++) {
    if (!(bits >> i & 1))
      continue;
    rg_text_format(text, "%s\"%s\"", comma, field->word(i));
    comma = ", ";
  }
}

// "a body", or "a "sphere" shape"
static void put_label(const rgSchemaObject* object, uint32_t variant, rgText* text) {
  if (!object->variant) {
    rg_text_add(text, object->label);
    return;
  }
  rg_text_add(text, "a ");
  put_variants(object, variant, text);
  rg_text_format(text, " %s", object->name);
}

// What a key of another program is called here, if this object has it, with what to do about its value.
static const char* key_of_others(const rgSchemaObject* object, uint32_t variant, const char* name,
                                 const char** remark) {
  const char* alias;
  for (int order = 0; (alias = rg_schema_alias_key(name, order, remark)); order++) {
    rgSchemaField storage;
    int index = rg_schema_find(object, alias);
    const rgSchemaField* field = index < 0 ? NULL : rg_schema_field(object, index, &storage);
    if (field && (!field->only || field->only & variant))
      return alias;
  }
  return NULL;
}

static bool fail_unknown(rgReader* reader, const rgSchemaObject* object, uint32_t variant,
                         const rgJsonNode* key) {
  rgPathPart part = {reader->path, key->value.text, 0};
  reader->path = &part;
  rgGuess guess = {key->value.text, NULL, 0};
  char known[400], label[80];
  rgText keys = {.text = known, .capacity = sizeof known},
         name = {.text = label, .capacity = sizeof label};
  rgSchemaField storage;
  const rgSchemaField* field;
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++) {
    if (field->only && !(field->only & variant))
      continue;
    rg_guess_offer(&guess, field->key);
    rg_text_format(&keys, "%s%s", keys.length ? ", " : "", field->key);
  }
  rg_text_end(&keys);
  put_label(object, variant, &name);
  rg_text_end(&name);
  const char* remark = NULL;
  const char* alias = key_of_others(object, variant, key->value.text, &remark);
  if (alias)
    return rg_reader_fail(reader, key, "is not a key of %s; it is called \"%s\" here%s%s", label,
                          alias, remark ? ", " : "", remark ? remark : "");
  if (guess.best)
    return rg_reader_fail(reader, key, "is not a key of %s; did you mean \"%s\"?", label,
                          guess.best);
  return rg_reader_fail(reader, key, "is not a key of %s; its keys are %s", label, known);
}

static bool fail_variant(rgReader* reader, const rgSchemaObject* object, uint32_t variant,
                         const rgSchemaField* field, const rgJsonNode* key) {
  rgPathPart part = {reader->path, field->key, 0};
  reader->path = &part;
  char others[200], label[80];
  rgText list = {.text = others, .capacity = sizeof others},
         name = {.text = label, .capacity = sizeof label};
  put_variants(object, field->only, &list);
  rg_text_end(&list);
  put_label(object, variant, &name);
  rg_text_end(&name);
  return rg_reader_fail(reader, key, "is not a key of %s; it belongs to %s", label, others);
}

static bool fail_missing(rgReader* reader, const rgSchemaObject* object, uint32_t variant,
                         const rgSchemaField* field, const rgJsonNode* node) {
  char label[80];
  rgText name = {.text = label, .capacity = sizeof label};
  put_label(object, field->needed == RG_VARIANT_ALL && !object->variant ? RG_VARIANT_ALL : variant,
            &name);
  rg_text_end(&name);
  if (object->variant && strcmp(object->variant, field->key) == 0)
    return rg_reader_fail(reader, node, "has no \"%s\"; %s needs it", field->key, object->label);
  return rg_reader_fail(reader, node, "has no \"%s\"; %s needs it", field->key, label);
}

static bool check_key(rgReader* reader, const rgSchemaObject* object, uint32_t variant,
                      const rgJsonNode* key) {
  rgSchemaField storage;
  int index = rg_schema_find(object, key->value.text);
  if (index < 0)
    return fail_unknown(reader, object, variant, key);
  const rgSchemaField* field = rg_schema_field(object, index, &storage);
  return field->only && !(field->only & variant) ? fail_variant(reader, object, variant, field, key)
                                                 : true;
}

static bool check_keys(rgReader* reader, const rgSchemaObject* object, uint32_t variant,
                       const rgJsonNode* node) {
  const rgPathPart* path = reader->path;
  const rgJsonNode* key = rg_json_first(node);
  bool good = true;
  for (uint32_t i = 0; i < node->count; i++, key = rg_json_next(rg_json_next(key))) {
    if (check_key(reader, object, variant, key))
      continue;
    good = false;
    if (!go_on(reader, path))
      return false;
  }
  return good;
}

static bool read_member(rgReader* reader, const rgSchemaField* field, const rgJsonNode* node,
                        void* item) {
  rgPathPart part = {reader->path, field->key, 0};
  reader->path = &part;
  if (!read_value(reader, field, node, (char*)item + field->offset))
    return false;
  reader->path = part.parent;
  return true;
}

static bool read_variant(rgReader* reader, const rgSchemaObject* object, const rgJsonNode* node,
                         void* item) {
  if (!object->variant)
    return true;
  const rgJsonNode* value = rg_json_member(node, object->variant);
  rgSchemaField storage;
  const rgSchemaField* field = rg_schema_variant_field(object, &storage);
  if (value)
    return read_member(reader, field, value, item);
  return field->needed ? fail_missing(reader, object, RG_VARIANT_ALL, field, node) : true;
}

// Reads one field of an object, or what stands in its place when the file leaves it out.
static bool read_field(rgReader* reader, const rgSchemaObject* object, const rgSchemaField* field,
                       const rgJsonNode* node, void* item) {
  uint32_t variant = rg_schema_variant(object, item);
  const rgJsonNode* value = rg_json_member(node, field->key);
  if (value)
    return read_member(reader, field, value, item);
  if (field->needed & variant)
    return fail_missing(reader, object, variant, field, node);
  if (field->type == RG_FIELD_OBJECT)
    rg_schema_defaults(field->object, (char*)item + field->offset, reader->context);
  return true;
}

bool rg_read_object(rgReader* reader, const rgSchemaObject* object, const rgJsonNode* node,
                    void* item) {
  if (node->type != RG_JSON_OBJECT)
    return rg_reader_fail(reader, node, "is %s, must be an object {...} that describes %s",
                          rg_json_describe(node), object->label);
  rg_schema_defaults(object, item, reader->context);
  rgSchemaHead* head = object->head ? item : NULL;
  if (head) {
    head->line = node->line;
    head->column = node->column;
  }
  if (!read_variant(reader, object, node, item))
    return false;
  const rgPathPart* path = reader->path;
  bool known = check_keys(reader, object, rg_schema_variant(object, item), node), good = known;
  if (!known && !go_on(reader, path))
    return false;

  rgSchemaField storage;
  const rgSchemaField* field;
  for (int i = 0; (field = rg_schema_field(object, i, &storage)); i++) {
    if (!known && !rg_json_member(node, field->key))
      continue; // it may be what the unknown key was meant to be
    if (!read_field(reader, object, field, node, item)) {
      good = false;
      if (!go_on(reader, path))
        return false;
    } else if (head && rg_json_member(node, field->key)) {
      head->given |= (uint32_t)1 << i;
    }
  }
  return good && object->finish ? object->finish(reader, node, item) : good;
}
