// json.h - parses JSON text (RFC 8259) into a flat array of nodes, each with its place in the text.
//
// Nodes are in the order of the text: an array is followed by its elements, an object by key,
// value, key, value. `span` leads to the next sibling, so that the tree needs no pointers and no
// recursion. Everything lives in one block. Stricter than the standard where a scene would
// otherwise be misread: a key may appear only once in an object, numbers must fit a double, strings
// must be valid UTF-8 without zero bytes.
#ifndef IO_TEXT_JSON_H
#define IO_TEXT_JSON_H

#include <rigor/base.h>

typedef enum rgJsonType {
  RG_JSON_NULL,
  RG_JSON_BOOL,
  RG_JSON_NUMBER,
  RG_JSON_STRING,
  RG_JSON_ARRAY,
  RG_JSON_OBJECT
} rgJsonType;

typedef struct rgJsonNode {
  union {
    double number;    // number
    const char* text; // string: UTF-8, ended by zero
    bool boolean;     // bool
  } value;
  uint32_t count;        // string: bytes; array: elements; object: members
  uint32_t span;         // nodes of this value, itself included
  uint32_t line, column; // from 1; the column counts characters
  rgJsonType type;
} rgJsonNode;

typedef struct rgJson rgJson;

// Parses `length` bytes. On failure *json is NULL and the message is "name:line:column: what is
// wrong".
rgStatus rg_json_parse(const char* text, size_t length, const char* name,
                       const rgAllocator* allocator, rgJson** json, rgMessage* message);
void rg_json_free(rgJson* json); // NULL is allowed

const rgJsonNode* rg_json_root(const rgJson* json);

// First element of an array, or first key of an object; only when count > 0.
static inline const rgJsonNode* rg_json_first(const rgJsonNode* node) { return node + 1; }
// The next node of the container: after an element the next element, after a key its value, after a
// value the next key.
static inline const rgJsonNode* rg_json_next(const rgJsonNode* node) { return node + node->span; }
// The value of a key, or NULL; the key itself is the node before it.
const rgJsonNode* rg_json_member(const rgJsonNode* object, const char* key);
// "a number", "an array", "true", ...
const char* rg_json_describe(const rgJsonNode* node);

#endif
