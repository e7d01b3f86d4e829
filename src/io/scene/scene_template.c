// scene_template.c - a scene file with numbers that vary: the text of the file, cut at these numbers.
//
// The paths are followed in the JSON of the file and, beside it, in the tables of the schema. Where
// the file leaves out a key that the schema has, the key is put into the text with the value that the
// scene has for it, on the line of its object, so that lines in messages stay those of the file. A
// scene with other numbers is then the pieces of the text with the numbers between them, read as every
// scene is: nothing that a scene is checked for is left out.
#include "io/scene/scene_types.h"

#include "base/hash.h"
#include "base/memory.h"
#include "io/text/file.h"
#include "io/text/xml.h"
#include <rigor/ensemble.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Slot {
  size_t start, length; // of the number in the text
  double value;
} Slot;

struct rgSceneTemplate {
  char *name, *folder; // folder NULL: files are not looked for
  char* text;
  size_t length;
  Slot* slots; // in the order of the paths
  int* order;  // slots in the order of the text
  int count;
  uint64_t hash;
  rgPool pool; // of all of it
};

// What a path has led to.
typedef struct Walk {
  rgSceneTemplate* to;
  const char* path;     // as given
  const rgJsonNode* at; // value reached
  char reached[160];    // path of this value as messages show it
  const void* item;     // what was read of the value; NULL where the tables do not go
  const rgSchemaObject* object;
  rgSchemaField field; // of a list or value inside an object; type RG_FIELD_TYPE_COUNT: none
  rgMessage* message;
  rgStatus status;
} Walk;

enum { PART_MAX = 128 };

// The next part of a path; false at its end.
static bool next_part(const char** path, char part[PART_MAX]) {
  *path += strspn(*path, ".[]");
  size_t length = strcspn(*path, ".[]");
  snprintf(part, PART_MAX, "%.*s", (int)length, *path);
  *path += length;
  return length > 0;
}

static rgStatus fail_at(Walk* walk, const char* text) {
  return walk->status = rg_fail(walk->message, RG_ERROR_INPUT, "%s:%u:%u: path '%.100s': %s",
                                walk->to->name, walk->at->line, walk->at->column, walk->path, text);
}

// --- places in the text --------------------------------------------------------------------------

static size_t offset_of(const rgSceneTemplate* to, const rgJsonNode* node) {
  const char* at = to->text;
  for (uint32_t line = 1; line < node->line && at; line++)
    at = strchr(at, '\n') + 1;
  for (uint32_t column = 1; column < node->column; column++) {
    int bytes = rg_utf8_length(at, to->length - (size_t)(at - to->text));
    at += bytes > 0 ? bytes : 1;
  }
  return (size_t)(at - to->text);
}

static rgStatus insert_text(Walk* walk, size_t place, const char* piece, size_t length) {
  rgSceneTemplate* to = walk->to;
  char* longer = rg_pool_take(&to->pool, to->length + length + 1, 1);
  if (!longer)
    return rg_fail(walk->message, RG_ERROR_MEMORY, "%s: not enough memory", to->name);
  memcpy(longer, to->text, place);
  memcpy(longer + place, piece, length);
  memcpy(longer + place + length, to->text + place, to->length - place + 1);
  to->text = longer;
  to->length += length;
  return RG_OK;
}

// Puts `"key": value, ` at the beginning of the object that the walk has reached.
static rgStatus insert_key(Walk* walk, const rgScene* scene, const rgSchemaField* field) {
  bool inside = field->type == RG_FIELD_OBJECT;
  rgText text = {0};
  for (int pass = 0; pass < 2; pass++) { // the first counts
    rgWriter writer = {&text, scene};
    text.length = 0;
    rg_text_format(&text, "\"%s\": ", field->key);
    if (inside)
      rg_text_add(&text, "{}");
    else if (field->type == RG_FIELD_REAL &&
             !rg_range_holds(field->range,
                             *(const double*)((const char*)walk->item + field->offset)))
      rg_text_number(&text, field->range->lower + 1); // a default that stands for "not given"
    else
      rg_write_value(&writer, field, walk->item, 0);
    rg_text_add(&text, walk->at->count > 0 ? ", " : "");
    rg_text_end(&text);
    if (pass == 0) {
      text.capacity = text.length + 1;
      text.text = rg_pool_take(&walk->to->pool, text.capacity, 1);
      if (!text.text)
        return rg_fail(walk->message, RG_ERROR_MEMORY, "%s: not enough memory", walk->to->name);
    }
  }
  for (char* c = text.text; *c; c++)
    *c = *c == '\n' ? ' ' : *c; // lines of the file keep their numbers
  return insert_text(walk, offset_of(walk->to, walk->at) + 1, text.text, text.length);
}

// --- following a path ----------------------------------------------------------------------------

static void go_to(Walk* walk, const rgJsonNode* node, const char* format, const char* part) {
  size_t used = strlen(walk->reached);
  walk->at = node;
  snprintf(walk->reached + used, sizeof walk->reached - used, format, used > 0 ? "." : "", part);
}

static rgStatus refuse_key(Walk* walk, const char* key) {
  char text[400];
  rgGuess guess = {.word = key};
  rgSchemaField storage;
  const rgSchemaField* field;
  const rgJsonNode* member = rg_json_first(walk->at);
  for (uint32_t i = 0; i < walk->at->count; i++, member = rg_json_next(rg_json_next(member)))
    rg_guess_offer(&guess, member->value.text);
  for (int i = 0; walk->object && (field = rg_schema_field(walk->object, i, &storage)); i++)
    if (strcmp(field->key, key) != 0) // a list that the file does not have
      rg_guess_offer(&guess, field->key);
  int length = snprintf(text, sizeof text, "%s has no key '%.60s'",
                        walk->reached[0] ? walk->reached : "the scene", key);
  if (guess.best)
    snprintf(text + length, sizeof text - (size_t)length, "; did you mean '%s'?", guess.best);
  return fail_at(walk, text);
}

// Goes to a member of an object. *again when the text was changed and the walk must begin anew.
static rgStatus enter_key(Walk* walk, const rgScene* scene, const char* key, bool* again) {
  rgSchemaField storage = {.type = RG_FIELD_TYPE_COUNT};
  int index = walk->object ? rg_schema_find(walk->object, key) : -1;
  if (index >= 0) {
    const rgSchemaField* field = rg_schema_field(walk->object, index, &storage);
    storage = *field;
  }
  const rgJsonNode* value = rg_json_member(walk->at, key);
  if (!value) {
    bool list = storage.type == RG_FIELD_OBJECTS || storage.type == RG_FIELD_TYPE_COUNT ||
                (storage.type == RG_FIELD_CUSTOM && !storage.custom->write);
    if (list || !walk->item)
      return refuse_key(walk, key);
    *again = true;
    return insert_key(walk, scene, &storage);
  }
  const char* inside = walk->item ? (const char*)walk->item + storage.offset : NULL;
  walk->field = storage;
  walk->object = storage.type == RG_FIELD_OBJECT ? storage.object : NULL;
  walk->item = index >= 0 ? inside : NULL;
  go_to(walk, value, "%s%s", key);
  return RG_OK;
}

static const char* const LETTERS[] = {"", "", "xy", "xyz", "wxyz"}; // components by their number

// The index of an element by its number, its name or its letter; -1: none.
static int find_element(const Walk* walk, const char* part) {
  char* end;
  long number = strtol(part, &end, 10);
  if (!*end)
    return number >= 0 && number < (long)walk->at->count ? (int)number : -1;
  const rgJsonNode* element = rg_json_first(walk->at);
  for (int i = 0; i < (int)walk->at->count; i++, element = rg_json_next(element)) {
    const rgJsonNode* name =
        element->type == RG_JSON_OBJECT ? rg_json_member(element, "name") : NULL;
    if (name && name->type == RG_JSON_STRING && strcmp(name->value.text, part) == 0)
      return i;
    bool letter = element->type == RG_JSON_NUMBER && walk->at->count <= 4 && !part[1];
    if (letter && LETTERS[walk->at->count][i] == part[0])
      return i;
  }
  return -1;
}

static rgStatus enter_element(Walk* walk, const char* part) {
  char text[400], index_text[16];
  int index = find_element(walk, part);
  if (index < 0) {
    snprintf(text, sizeof text, "%s has no element '%.60s'; it has %u, counted from 0%s",
             walk->reached, part, walk->at->count,
             walk->field.type == RG_FIELD_OBJECTS ? ", or given by their names" : "");
    return fail_at(walk, text);
  }
  const rgJsonNode* element = rg_json_first(walk->at);
  for (int i = 0; i < index; i++)
    element = rg_json_next(element);
  if (walk->field.type == RG_FIELD_OBJECTS && walk->item) {
    const rgList* list = walk->item;
    walk->object = walk->field.object;
    walk->item = (const char*)list->items + (size_t)index * walk->object->size;
  } else {
    walk->item = NULL;
  }
  walk->field.type = RG_FIELD_TYPE_COUNT;
  size_t used = strlen(walk->reached);
  snprintf(index_text, sizeof index_text, "[%d]", index);
  walk->at = element;
  snprintf(walk->reached + used, sizeof walk->reached - used, "%s", index_text);
  return RG_OK;
}

// Follows one path as far as it goes. *again when a key had to be put into the text.
static rgStatus follow(Walk* walk, const rgScene* scene, bool* again) {
  char part[PART_MAX], text[400];
  const char* rest = walk->path;
  rgStatus status = RG_OK;
  while (status == RG_OK && !*again && next_part(&rest, part)) {
    if (walk->at->type == RG_JSON_OBJECT)
      status = enter_key(walk, scene, part, again);
    else if (walk->at->type == RG_JSON_ARRAY)
      status = enter_element(walk, part);
    else {
      snprintf(text, sizeof text, "%s is %s, which has no part '%.60s'", walk->reached,
               rg_json_describe(walk->at), part);
      status = fail_at(walk, text);
    }
  }
  if (status != RG_OK || *again || walk->at->type == RG_JSON_NUMBER)
    return status;
  snprintf(text, sizeof text, "%s is %s, must be one number",
           walk->reached[0] ? walk->reached : "the scene", rg_json_describe(walk->at));
  return fail_at(walk, text);
}

static rgStatus parse_text(const rgSceneTemplate* to, const char* text, size_t length,
                           rgScene** scene, rgMessage* message) {
  return rg_scene_parse_in(text, length, to->name, to->folder, scene, message);
}

// Finds one number in the text as it is now; may put keys into the text.
static rgStatus find_slot(rgSceneTemplate* to, const char* path, Slot* slot, rgMessage* message) {
  rgAllocator allocator = rg_allocator_default();
  rgStatus status = RG_OK;
  for (bool again = true; again && status == RG_OK;) {
    again = false;
    rgScene* scene = NULL;
    rgJson* json = NULL;
    status = parse_text(to, to->text, to->length, &scene, message);
    if (status == RG_OK)
      status = rg_json_parse(to->text, to->length, to->name, &allocator, &json, message);
    if (status == RG_OK) {
      Walk walk = {.to = to,
                   .path = path,
                   .at = rg_json_root(json),
                   .item = scene,
                   .object = &rg_scene_object,
                   .field = {.type = RG_FIELD_TYPE_COUNT},
                   .message = message};
      status = follow(&walk, scene, &again);
      if (status == RG_OK && !again) {
        slot->value = walk.at->value.number;
        slot->start = offset_of(to, walk.at);
        slot->length = strspn(to->text + slot->start, "+-.0123456789eE");
      }
    }
    rg_json_free(json);
    rg_scene_free(scene);
  }
  return status;
}

// --- the template --------------------------------------------------------------------------------

static char* copy_bytes(rgPool* pool, const char* bytes, size_t length) {
  char* copy = rg_pool_take(pool, length + 1, 1);
  if (copy)
    memcpy(copy, bytes, length);
  return copy;
}

// The text of the file; of a model file, that of the scene made of it.
static rgStatus read_text(rgSceneTemplate* to, const char* path, rgMessage* message) {
  rgAllocator allocator = rg_allocator_default();
  char* text;
  size_t length, size;
  rgStatus status = rg_file_read(path, &allocator, &text, &length, &size, message);
  if (status != RG_OK)
    return status;
  if (rg_xml_looks_like(text, length)) {
    rgScene* scene;
    status = rg_scene_read(path, &scene, message);
    if (status == RG_OK) {
      to->length = rg_scene_write(scene, NULL, 0);
      to->text = rg_pool_take(&to->pool, to->length + 1, 1);
      if (to->text)
        rg_scene_write(scene, to->text, to->length + 1);
      rg_scene_free(scene);
    }
  } else {
    to->text = copy_bytes(&to->pool, text, length);
    to->length = length;
  }
  rg_release(&allocator, text, size);
  if (status == RG_OK && !to->text)
    status = rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  return status;
}

static rgStatus sort_slots(rgSceneTemplate* to, const char* const* paths, rgMessage* message) {
  for (int i = 0; i < to->count; i++) {
    int place = i;
    for (; place > 0 && to->slots[to->order[place - 1]].start > to->slots[i].start; place--)
      to->order[place] = to->order[place - 1];
    to->order[place] = i;
  }
  for (int i = 1; i < to->count; i++)
    if (to->slots[to->order[i]].start == to->slots[to->order[i - 1]].start)
      return rg_fail(message, RG_ERROR_INPUT, "%s: '%s' and '%s' are the same number", to->name,
                     paths[to->order[i - 1]], paths[to->order[i]]);
  return RG_OK;
}

static rgStatus fill(rgSceneTemplate* to, const char* path, const char* const* paths,
                     rgMessage* message) {
  rgStatus status = read_text(to, path, message);
  to->hash = RG_HASH_START;
  if (status == RG_OK)
    to->hash = rg_hash_bytes(to->hash, to->text, to->length);
  // Keys that one path puts into the text move the numbers of the paths before it: twice.
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < to->count && status == RG_OK; i++)
      status = find_slot(to, paths[i], &to->slots[i], message);
  for (int i = 0; i < to->count; i++)
    to->hash = rg_hash_bytes(to->hash, paths[i], strlen(paths[i]) + 1);
  if (status == RG_OK)
    status = sort_slots(to, paths, message);
  rgScene* scene = NULL;
  if (status == RG_OK && to->count == 0)
    status = parse_text(to, to->text, to->length, &scene, message);
  rg_scene_free(scene);
  return status;
}

rgStatus rg_scene_template_read(const char* path, const char* const* paths, int count,
                                rgSceneTemplate** out, rgMessage* message) {
  *out = NULL;
  rgPool pool = {rg_allocator_default(), NULL};
  rgSceneTemplate* to = rg_pool_take(&pool, 1, sizeof *to);
  const char* slash = strrchr(path, '/');
  if (to) {
    to->name = copy_bytes(&pool, path, strlen(path));
    to->folder = copy_bytes(&pool, path, slash ? (size_t)(slash - path) + 1 : 0);
    to->slots = rg_pool_take(&pool, (size_t)count, sizeof *to->slots);
    to->order = rg_pool_take(&pool, (size_t)count, sizeof *to->order);
    to->count = count;
  }
  if (!to || !to->name || !to->folder || !to->slots || !to->order) {
    rg_pool_free(&pool);
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  }
  to->pool = pool;
  rgStatus status = fill(to, path, paths, message);
  if (status == RG_OK)
    *out = to;
  else
    rg_scene_template_free(to);
  return status;
}

void rg_scene_template_free(rgSceneTemplate* to) {
  if (!to)
    return;
  rgPool pool = to->pool; // which holds the template itself
  rg_pool_free(&pool);
}

double rg_scene_template_value(const rgSceneTemplate* from, int index) {
  return from->slots[index].value;
}

uint64_t rg_scene_template_hash(const rgSceneTemplate* from) { return from->hash; }

rgStatus rg_scene_template_make(const rgSceneTemplate* from, const double* values, rgScene** scene,
                                rgMessage* message) {
  *scene = NULL;
  size_t capacity = from->length + (size_t)from->count * RG_NUMBER_SIZE + 1;
  rgAllocator allocator = rg_allocator_default();
  char* text = rg_allocate(&allocator, capacity);
  if (!text)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", from->name);
  rgText out = {.text = text, .capacity = capacity};
  size_t done = 0;
  for (int i = 0; i < from->count; i++) {
    const Slot* slot = &from->slots[from->order[i]];
    rg_text_bytes(&out, from->text + done, slot->start - done);
    rg_text_number(&out, values[from->order[i]]);
    done = slot->start + slot->length;
  }
  rg_text_bytes(&out, from->text + done, from->length - done);
  size_t length = rg_text_end(&out);
  rgStatus status = parse_text(from, text, length, scene, message);
  rg_release(&allocator, text, capacity);
  return status;
}
