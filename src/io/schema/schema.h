// schema.h - objects of a JSON file as tables, from which they are read, written and documented.
//
// A struct that a JSON object is read into is described by an rgSchemaObject: its keys with type,
// unit, range, offset in the struct and help. Some objects have variants: the word of one key says
// which other keys exist ("shape": "sphere" has a radius). The object's `defaults` function, which
// fills a fresh struct, is the only place that states defaults.
#ifndef IO_SCHEMA_SCHEMA_H
#define IO_SCHEMA_SCHEMA_H

#include "base/message.h"
#include "base/pool.h"
#include "io/text/json.h"
#include "io/text/text.h"
#include <rigor/util.h>
#include <rigor/vec.h>

typedef enum rgFieldType {
  RG_FIELD_REAL,    // double
  RG_FIELD_INT,     // int
  RG_FIELD_BITS,    // uint32_t
  RG_FIELD_BOOL,    // bool
  RG_FIELD_TEXT,    // const char*
  RG_FIELD_WORD,    // int, its place among `word`; the word of a variant
  RG_FIELD_NAME,    // char[RG_NAME_MAX], one of `word`; any text where that is NULL
  RG_FIELD_TUPLE,   // `count` doubles
  RG_FIELD_COUNTS,  // `count` ints
  RG_FIELD_MATRIX,  // rgMat3, as three rows
  RG_FIELD_REALS,   // rgList of double
  RG_FIELD_TUPLES,  // rgList of `count` doubles each
  RG_FIELD_INDICES, // rgList of `count` ints each
  RG_FIELD_OBJECT,  // a struct in place
  RG_FIELD_OBJECTS, // rgList of structs
  RG_FIELD_CUSTOM,  // see rgSchemaCustom
  RG_FIELD_TYPE_COUNT
} rgFieldType;

// An array in the pool; one item may be several numbers.
typedef struct rgList {
  void* items;
  int count;
} rgList;

extern const rgRange rg_range_positive;     // > 0
extern const rgRange rg_range_not_negative; // >= 0

typedef struct rgReader rgReader;
typedef struct rgWriter rgWriter;
typedef struct rgSchemaObject rgSchemaObject;

// A custom type: functions that read, write and compare it, and its description.
typedef struct rgSchemaCustom {
  const char* type;   // for the reference: "[w, x, y, z]"
  const char* schema; // members of its JSON Schema
  bool (*read)(rgReader* reader, const rgJsonNode* node, void* place);
  void (*write)(rgWriter* writer, const void* place); // NULL: never written
  bool (*equal)(const void* a, const void* b);
  bool no_default; // has no default value to show
} rgSchemaCustom;

enum { RG_VARIANT_ALL = 0xffffff };

typedef struct rgSchemaField {
  const char* key;
  rgFieldType type;
  size_t offset;
  int count;            // numbers in a tuple
  const rgRange* range; // of every number; NULL: any
  rgRange made_range;   // storage for `range` when the field is made by field_at
  int minimum, maximum; // items in a list; maximum 0: any
  const char* (*word)(int index);
  const rgSchemaObject* object;
  const rgSchemaCustom* custom;
  uint32_t only;    // bits of the variants that have this key; 0: all
  uint32_t needed;  // bits of the variants that must have it
  bool planar;      // of three numbers, the third may be left out in a scene of dimension 2
  bool keep;        // presence alone has a meaning: written whenever it was given
  const char* unit; // NULL: none
  const char* help;
} rgSchemaField;

// The first member of every struct of a scene.
typedef struct rgSchemaHead {
  uint32_t given;        // bit i: field i was in the file
  uint32_t line, column; // where the object began
  const char* file;      // NULL: in the scene's own file
} rgSchemaHead;

struct rgSchemaObject {
  const char* name;  // "body"
  const char* label; // "a body"
  size_t size;
  bool head; // the struct begins with an rgSchemaHead
  const rgSchemaField* fields;
  int field_count;
  bool (*field_at)(int index, rgSchemaField* field); // more fields, made from another table
  const char* variant; // key of the RG_FIELD_WORD that tells variants apart, or NULL
  void (*defaults)(void* item, const void* context); // fills a zeroed struct; NULL: all zero
  bool (*finish)(rgReader* reader, const rgJsonNode* node,
                 void* item);  // checks several keys together
  const char* help;            // Markdown, for the reference
  void (*about)(rgText* text); // more of it, made from another table; NULL: nothing
};

enum { RG_SCHEMA_ITEM_MAX = 1024 }; // [bytes] of the largest struct

// The field with this index, or NULL past the end; `storage` holds it when field_at makes it.
const rgSchemaField* rg_schema_field(const rgSchemaObject* object, int index,
                                     rgSchemaField* storage);
// The field that tells the variants of an object apart; the object has some.
const rgSchemaField* rg_schema_variant_field(const rgSchemaObject* object, rgSchemaField* storage);
// The index of a key, or -1.
int rg_schema_find(const rgSchemaObject* object, const char* key);
bool rg_schema_given(const rgSchemaObject* object, const void* item, const char* key);
// Bit of the item's variant; RG_VARIANT_ALL when the object has none.
uint32_t rg_schema_variant(const rgSchemaObject* object, const void* item);
// A fresh item with its defaults.
void rg_schema_defaults(const rgSchemaObject* object, void* item, const void* context);

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

// The path of the value being read, as a chain from the innermost part outwards; kept on the stack.
typedef struct rgPathPart {
  const struct rgPathPart* parent;
  const char* key; // NULL: an element of an array
  int index;
} rgPathPart;

enum { RG_FAULTS_MAX = 10 };

// Everything that is wrong in a file, not only the first of it: each is handed to `take`, and the reader goes on with the next
// key or element, until there are RG_FAULTS_MAX.
typedef struct rgFaults {
  void (*take)(void* context, const char* text);
  void* context;
  int count;
  // Names of elements with faults: what refers to them is not at fault.
  char names[RG_FAULTS_MAX][128];
  int name_count;
} rgFaults;

struct rgReader {
  const char* name; // of the file
  const char* root; // what messages call the whole file: "the scene"
  rgPool* pool;
  void* context;
  bool planar; // the scene has dimension 2
  const rgPathPart* path;
  rgStatus status;
  rgMessage* message;
  rgFaults* faults; // NULL: the first one ends the reading
};

// Sets "name:line:column: path text" and the status RG_ERROR_INPUT; returns false.
bool rg_reader_fail(rgReader* reader, const rgJsonNode* node, const char* format, ...)
    RG_PRINTF(3, 4);
bool rg_reader_fail_at(rgReader* reader, uint32_t line, uint32_t column, const char* format, ...)
    RG_PRINTF(4, 5);
bool rg_reader_no_memory(rgReader* reader);
// Whether an element of this name had faults, so that it is unknown for that reason.
bool rg_reader_knows_broken(const rgReader* reader, const char* name);

// What people call a word (`hinge` for "revolute") or a key (`half` for "size") who come from other programs; NULL
// when it has no other name here. A key comes with what to do about its value, or NULL.
const char* rg_schema_alias_word(const char* name, int order);
const char* rg_schema_alias_key(const char* name, int order, const char** remark);
// One element of an array, for messages about it.
const rgJsonNode* rg_reader_enter(rgReader* reader, rgPathPart* part, const rgJsonNode* array,
                                  int index);

bool rg_read_object(rgReader* reader, const rgSchemaObject* object, const rgJsonNode* node,
                    void* item);
bool rg_read_number(rgReader* reader, const rgJsonNode* node, const rgRange* range, double* value);
bool rg_read_tuple(rgReader* reader, const rgJsonNode* node, int count, const rgRange* range,
                   double* values);
bool rg_read_string(rgReader* reader, const rgJsonNode* node,
                    const char** text); // copied to the pool
// Reads "[first, second, ...]" into an array of `item_size` bytes each in the pool.
typedef bool rgReadItem(rgReader* reader, const void* context, const rgJsonNode* node, void* item);
bool rg_read_list(rgReader* reader, const rgJsonNode* node, size_t item_size, rgReadItem* read,
                  const void* context, rgList* list);

// -------------------------------------------------------------------------------------------------
// Writing
// -------------------------------------------------------------------------------------------------

struct rgWriter {
  rgText* text;
  const void* context;
};

// Writes an object as JSON, omitting keys that have their default values; short objects go on one
// line.
void rg_write_object(rgWriter* writer, const rgSchemaObject* object, const void* item, int depth);
void rg_write_tuple(rgWriter* writer, int count, const double* values);
// The value of one field in JSON.
void rg_write_value(rgWriter* writer, const rgSchemaField* field, const void* item, int depth);

// -------------------------------------------------------------------------------------------------
// Describing
// -------------------------------------------------------------------------------------------------

// A Markdown section for the object and for all objects inside it, each once, outermost first.
void rg_schema_reference(rgText* text, const rgSchemaObject* root);
// A JSON Schema (draft 7).
void rg_schema_json(rgText* text, const rgSchemaObject* root, const char* title);
// All objects reachable from `root`, each once, outermost first; returns their number.
enum { RG_SCHEMA_OBJECTS_MAX = 32 };
int rg_schema_objects(const rgSchemaObject* root,
                      const rgSchemaObject* objects[RG_SCHEMA_OBJECTS_MAX]);

#endif
