// xml.h - XML text as a tree of elements, each with its place in the text.
//
// The one header behind which an XML library stands (expat, in xml.c alone). Text must be UTF-8.
// Document types are refused, so that there are no entities to expand but the five of XML itself.
// Comments and processing instructions are skipped. Names keep their prefixes ("xacro:macro").
#ifndef IO_TEXT_XML_H
#define IO_TEXT_XML_H

#include "base/pool.h"

enum {
  RG_XML_DEPTH_MAX = 1000,       // of elements inside elements
  RG_XML_ELEMENTS_MAX = 4000000, // in one file
  RG_XML_LENGTH_MAX = 256 << 20, // [bytes] of one file
};

typedef struct rgXmlAttribute {
  const char* name;
  const char* value;     // entities resolved, white space as single spaces
  const char* file;      // as in messages
  uint32_t line, column; // of the name, from 1; the column counts bytes
} rgXmlAttribute;

typedef struct rgXmlElement {
  const char* name;
  const char* text; // character data of an element without children; "" when there is none
  rgXmlAttribute* attributes;
  int attribute_count;
  struct rgXmlElement *parent, *child, *next; // child: the first one; next: after this one
  const char* file;                           // as in messages
  uint32_t line, column;                      // of its "<"
} rgXmlElement;

// Parses `length` bytes into the pool, where `name`, which stands for the file in messages, must
// live too. On failure *root is NULL and the message begins with "name:line:column: ".
// RG_ERROR_UNSUPPORTED when the library was built without expat.
rgStatus rg_xml_parse(const char* text, size_t length, const char* name, rgPool* pool,
                      rgXmlElement** root, rgMessage* message);

// Whether a text looks like XML: its first character behind white space and a byte order mark is
// a "<".
bool rg_xml_looks_like(const char* text, size_t length);

// The attribute or the first child of this name, or NULL.
const rgXmlAttribute* rg_xml_attribute(const rgXmlElement* element, const char* name);
rgXmlElement* rg_xml_child(const rgXmlElement* element, const char* name);

#endif
