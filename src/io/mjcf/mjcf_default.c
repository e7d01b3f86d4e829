// mjcf_default.c - default classes: what an element has that it does not say itself.
//
// <default class="a"> holds elements whose attributes are those of every element of the same name
// in class a, unless the element has its own. Classes lie in each other and take over what the
// outer ones say. The class of an element is its own `class`, else the `childclass` of the nearest
// body around it, else the outermost class. Actuators of all kinds share one default.
#include "io/mjcf/mjcf.h"

#include "base/memory.h"

#include <string.h>

enum { CLASS_DEPTH = 100 };

static bool add_class(rgMjcf* m, const rgXmlElement* element, int parent, int depth) {
  const char* name = rg_robot_string(element, "class", parent < 0 ? "main" : "");
  if (!name[0])
    return rg_robot_fail(m->robot, rg_robot_place(element),
                         "<default> inside another one has no class");
  if (depth > CLASS_DEPTH)
    return rg_robot_fail(m->robot, rg_robot_place(element), "classes are nested too deeply");
  for (int i = 0; i < m->class_count && parent >= 0; i++)
    if (strcmp(m->classes[i].name, name) == 0)
      return rg_robot_fail(m->robot, rg_robot_place(element),
                           "the class \"%.60s\" is there already (line %lu)", name,
                           (unsigned long)m->classes[i].element->line);
  if (!rg_reserve(&m->robot->scratch.allocator, (void**)&m->classes, &m->class_capacity,
                  m->class_count + 1, sizeof *m->classes))
    return rg_robot_no_memory(m->robot);
  // The outermost class may be said in several pieces; each is the parent of the next.
  int index = m->class_count++;
  m->classes[index] = (rgMjcfClass){name, element, parent};
  for (const rgXmlElement* child = element->child; child; child = child->next)
    if (strcmp(child->name, "default") == 0 && !add_class(m, child, index, depth + 1))
      return false;
  return true;
}

bool rg_mjcf_read_classes(rgMjcf* m) {
  static const rgXmlElement none = {.name = "default", .text = ""};
  int outermost = -1;
  for (const rgXmlElement* e = m->root->child; e; e = e->next)
    if (strcmp(e->name, "default") == 0) {
      int index = m->class_count;
      if (!add_class(m, e, outermost, 0))
        return false;
      outermost = outermost < 0 ? index : outermost;
    }
  if (m->class_count > 0)
    return true;
  if (!rg_reserve(&m->robot->scratch.allocator, (void**)&m->classes, &m->class_capacity, 1,
                  sizeof *m->classes))
    return rg_robot_no_memory(m->robot);
  m->classes[m->class_count++] = (rgMjcfClass){"main", &none, -1};
  return true;
}

int rg_mjcf_find_class(rgMjcf* m, const rgXmlElement* element, const char* attribute,
                       int fallback) {
  const rgXmlAttribute* named = rg_xml_attribute(element, attribute);
  if (!named)
    return fallback;
  for (int i = 0; i < m->class_count; i++)
    if (strcmp(m->classes[i].name, named->value) == 0)
      return i;
  rg_robot_fail(m->robot, rg_robot_place_of(element, named),
                "%s of <%s> is \"%.60s\", which no <default> has", attribute, element->name,
                named->value);
  return -1;
}

// Whether an element of a class says something about elements of this name.
static bool speaks_of(const rgXmlElement* in_class, const rgXmlElement* element) {
  static const char* const actuators[] = {"general", "motor", "position", "velocity", NULL};
  if (strcmp(element->parent->name, "equality") == 0)
    return strcmp(in_class->name, "equality") == 0;
  if (strcmp(element->name, "fixed") == 0)
    return strcmp(in_class->name, "tendon") == 0;
  bool driven = strcmp(element->parent->name, "actuator") == 0;
  for (int i = 0; driven && actuators[i]; i++)
    if (strcmp(in_class->name, actuators[i]) == 0)
      return true;
  return strcmp(in_class->name, element->name) == 0;
}

// Adds the attributes that are not there yet.
static void inherit(rgXmlElement* whole, const rgXmlElement* from) {
  for (int i = 0; i < from->attribute_count; i++)
    if (!rg_xml_attribute(whole, from->attributes[i].name) &&
        strcmp(from->attributes[i].name, "class") != 0)
      whole->attributes[whole->attribute_count++] = from->attributes[i];
}

static int count_attributes(const rgMjcf* m, int class_index) {
  int count = 0;
  for (int i = class_index; i >= 0; i = m->classes[i].parent)
    for (const rgXmlElement* e = m->classes[i].element->child; e; e = e->next)
      count += e->attribute_count;
  return count;
}

const rgXmlElement* rg_mjcf_whole(rgMjcf* m, const rgXmlElement* element, int class_index) {
  class_index = rg_mjcf_find_class(m, element, "class", class_index);
  if (class_index < 0)
    return NULL;
  rgXmlElement* whole = rg_pool_take(&m->robot->scratch, 1, sizeof *whole);
  int room = element->attribute_count + count_attributes(m, class_index);
  rgXmlAttribute* attributes = rg_pool_take(&m->robot->scratch, (size_t)room, sizeof *attributes);
  if (!whole || !attributes) {
    rg_robot_no_memory(m->robot);
    return NULL;
  }
  *whole = *element;
  whole->attributes = attributes;
  whole->attribute_count = 0;
  for (int i = 0; i < element->attribute_count; i++)
    attributes[whole->attribute_count++] = element->attributes[i];
  for (int i = class_index; i >= 0; i = m->classes[i].parent) {
    // Of the actuators, the one of the same kind speaks first.
    for (const rgXmlElement* e = m->classes[i].element->child; e; e = e->next)
      if (strcmp(e->name, element->name) == 0 && speaks_of(e, element))
        inherit(whole, e);
    for (const rgXmlElement* e = m->classes[i].element->child; e; e = e->next)
      if (strcmp(e->name, element->name) != 0 && speaks_of(e, element))
        inherit(whole, e);
  }
  return whole;
}
