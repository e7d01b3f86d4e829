// xml.c - XML by expat: events become a tree.
//
// Expat says where an element begins, but not its attributes; these are found again in the text of
// the tag, which expat has found to be well formed.
#include "io/text/xml.h"

#include "base/memory.h"
#include "base/message.h"

#include <string.h>

bool rg_xml_looks_like(const char* text, size_t length) {
  size_t i = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (i < length && strchr(" \t\r\n", text[i]) && text[i])
    i++;
  return i < length && text[i] == '<';
}

const rgXmlAttribute* rg_xml_attribute(const rgXmlElement* element, const char* name) {
  for (int i = 0; i < element->attribute_count; i++)
    if (strcmp(element->attributes[i].name, name) == 0)
      return &element->attributes[i];
  return NULL;
}

rgXmlElement* rg_xml_child(const rgXmlElement* element, const char* name) {
  rgXmlElement* child = element->child;
  while (child && strcmp(child->name, name) != 0)
    child = child->next;
  return child;
}

#ifdef RIGOR_EXPAT

#include <expat.h>

typedef struct Parser {
  XML_Parser expat;
  const char* text; // all of it
  size_t length;
  const char* name;
  rgPool* pool;
  rgXmlElement *root, *open;
  rgXmlElement** latest; // by depth: the newest child of the element there
  int depth, elements;
  char* data; // character data of the open element
  int data_length, data_capacity;
  rgStatus status;
  rgMessage* message;
} Parser;

static void stop(Parser* p, rgStatus status, const char* what) {
  if (p->status != RG_OK)
    return;
  p->status = rg_fail(p->message, status, "%s:%lu:%lu: %s", p->name,
                      (unsigned long)XML_GetCurrentLineNumber(p->expat),
                      (unsigned long)XML_GetCurrentColumnNumber(p->expat) + 1, what);
  XML_StopParser(p->expat, XML_FALSE);
}

static void no_memory(Parser* p) { stop(p, RG_ERROR_MEMORY, "not enough memory"); }

// Walks through the start tag at the present byte; `at` moves over one character at a time.
typedef struct Tag {
  const char *at, *end;
  uint32_t line, column;
} Tag;

static void forward(Tag* tag) {
  if (*tag->at++ == '\n') {
    tag->line++;
    tag->column = 1;
  } else {
    tag->column++;
  }
}

static void forward_to(Tag* tag, const char* stops) {
  while (tag->at < tag->end && !(*tag->at && strchr(stops, *tag->at)))
    forward(tag);
}

static void place_attributes(Parser* p, rgXmlElement* element) {
  XML_Index start = XML_GetCurrentByteIndex(p->expat);
  if (start < 0 || (size_t)start >= p->length)
    return;
  Tag tag = {p->text + start, p->text + p->length, element->line, element->column};
  forward_to(&tag, " \t\r\n/>");
  for (int i = 0; i < element->attribute_count; i++) {
    while (tag.at < tag.end && strchr(" \t\r\n", *tag.at))
      forward(&tag);
    element->attributes[i].line = tag.line;
    element->attributes[i].column = tag.column;
    forward_to(&tag, "\"'");
    if (tag.at == tag.end)
      return;
    char quote[2] = {*tag.at, 0};
    forward(&tag);
    forward_to(&tag, quote);
    if (tag.at < tag.end)
      forward(&tag);
  }
}

static bool take_attributes(Parser* p, rgXmlElement* element, const XML_Char** pairs) {
  int count = 0;
  while (pairs[2 * count])
    count++;
  element->attributes = rg_pool_take(p->pool, (size_t)count, sizeof *element->attributes);
  if (!element->attributes)
    return false;
  for (int i = 0; i < count; i++) {
    element->attributes[i] = (rgXmlAttribute){.name = rg_pool_text(p->pool, pairs[2 * i]),
                                              .value = rg_pool_text(p->pool, pairs[2 * i + 1]),
                                              .file = p->name,
                                              .line = element->line,
                                              .column = element->column};
    if (!element->attributes[i].name || !element->attributes[i].value)
      return false;
  }
  element->attribute_count = count;
  return true;
}

static void XMLCALL start_element(void* context, const XML_Char* name, const XML_Char** pairs) {
  Parser* p = context;
  if (p->depth >= RG_XML_DEPTH_MAX) {
    stop(p, RG_ERROR_INPUT, "elements are nested too deeply, at most 1000 levels are read");
    return;
  }
  if (++p->elements > RG_XML_ELEMENTS_MAX) {
    stop(p, RG_ERROR_INPUT, "the file has more than 4 million elements");
    return;
  }
  rgXmlElement* element = rg_pool_take(p->pool, 1, sizeof *element);
  if (!element) {
    no_memory(p);
    return;
  }
  *element = (rgXmlElement){.name = rg_pool_text(p->pool, name),
                            .text = "",
                            .parent = p->open,
                            .file = p->name,
                            .line = (uint32_t)XML_GetCurrentLineNumber(p->expat),
                            .column = (uint32_t)XML_GetCurrentColumnNumber(p->expat) + 1};
  if (!element->name || !take_attributes(p, element, pairs)) {
    no_memory(p);
    return;
  }
  place_attributes(p, element);
  if (!p->open)
    p->root = element;
  else if (p->latest[p->depth - 1])
    p->latest[p->depth - 1]->next = element;
  else
    p->open->child = element;
  if (p->depth > 0)
    p->latest[p->depth - 1] = element;
  p->latest[p->depth++] = NULL;
  p->open = element;
  p->data_length = 0;
}

static bool blank(const char* text, int length) {
  for (int i = 0; i < length; i++)
    if (!strchr(" \t\r\n", text[i]))
      return false;
  return true;
}

static void XMLCALL end_element(void* context, const XML_Char* name) {
  Parser* p = context;
  (void)name;
  if (!p->open->child && !blank(p->data, p->data_length)) {
    char* text = rg_pool_take(p->pool, (size_t)p->data_length + 1, 1);
    if (!text) {
      no_memory(p);
      return;
    }
    memcpy(text, p->data, (size_t)p->data_length);
    p->open->text = text;
  }
  p->data_length = 0;
  p->open = p->open->parent;
  p->depth--;
}

static void XMLCALL character_data(void* context, const XML_Char* text, int length) {
  Parser* p = context;
  // Only what an element without children holds is kept.
  if (!p->open || p->open->child)
    return;
  if (!rg_reserve(&p->pool->allocator, (void**)&p->data, &p->data_capacity, p->data_length + length,
                  1)) {
    no_memory(p);
    return;
  }
  memcpy(p->data + p->data_length, text, (size_t)length);
  p->data_length += length;
}

static void XMLCALL start_doctype(void* context, const XML_Char* name, const XML_Char* system,
                                  const XML_Char* public, int internal) {
  (void)name;
  (void)system;
  (void)public;
  (void)internal;
  stop(context, RG_ERROR_INPUT, "document types and entities are not read; remove <!DOCTYPE ...>");
}

static void run_expat(Parser* p) {
  XML_SetUserData(p->expat, p);
  XML_SetElementHandler(p->expat, start_element, end_element);
  XML_SetCharacterDataHandler(p->expat, character_data);
  XML_SetStartDoctypeDeclHandler(p->expat, start_doctype);
  if (XML_Parse(p->expat, p->text, (int)p->length, 1) == XML_STATUS_OK || p->status != RG_OK)
    return;
  bool memory = XML_GetErrorCode(p->expat) == XML_ERROR_NO_MEMORY;
  char what[120];
  strcpy(what, "not well-formed XML: ");
  strncat(what, XML_ErrorString(XML_GetErrorCode(p->expat)), 80);
  stop(p, memory ? RG_ERROR_MEMORY : RG_ERROR_INPUT, memory ? "not enough memory" : what);
}

rgStatus rg_xml_parse(const char* text, size_t length, const char* name, rgPool* pool,
                      rgXmlElement** root, rgMessage* message) {
  *root = NULL;
  if (length > RG_XML_LENGTH_MAX)
    return rg_fail(message, RG_ERROR_INPUT, "%s: has %zu MiB, at most %d are read", name,
                   length >> 20, RG_XML_LENGTH_MAX >> 20);
  Parser p = {.text = text, .length = length, .name = name, .pool = pool, .message = message};
  p.latest = rg_pool_take(pool, RG_XML_DEPTH_MAX + 1, sizeof *p.latest);
  p.expat = p.latest ? XML_ParserCreate("UTF-8") : NULL;
  if (!p.expat)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", name);
  run_expat(&p);
  XML_ParserFree(p.expat);
  rg_release(&pool->allocator, p.data, (size_t)p.data_capacity);
  if (p.status == RG_OK)
    *root = p.root;
  return p.status;
}

#else

rgStatus rg_xml_parse(const char* text, size_t length, const char* name, rgPool* pool,
                      rgXmlElement** root, rgMessage* message) {
  (void)text;
  (void)length;
  (void)pool;
  *root = NULL;
  return rg_fail(
      message, RG_ERROR_UNSUPPORTED,
      "%s: is XML, as URDF and MJCF models are, which this build cannot read (it was made "
      "without expat); 'rigor import' makes a scene of a model",
      name);
}

#endif
