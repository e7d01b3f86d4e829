// schema_alias.c - what other programs call the words and keys of our files.
//
// An alias is a hint in a message, never another way to write a file: each thing has one name. It is offered only
// where the object or the field at hand has the word that it leads to.
#include "io/schema/schema.h"

#include <string.h>

typedef struct Alias {
  const char *name, *ours;
  const char* remark; // what to do about the value; NULL: nothing
} Alias;

static const Alias words[] = {
    {"revolute", "hinge", NULL},   {"continuous", "hinge", NULL}, {"pin", "hinge", NULL},
    {"prismatic", "slider", NULL}, {"slide", "slider", NULL},     {"weld", "fixed", NULL},
    {"rigid", "fixed", NULL},      {"spherical", "ball", NULL},   {"ball", "sphere", NULL},
    {"cube", "box", NULL},         {"cuboid", "box", NULL},       {"plane", "halfspace", NULL},
    {"ground", "halfspace", NULL}, {"convex", "hull", NULL},      {"heightfield", "field", NULL},
    {"disk", "circle", NULL},      {"hfield", "field", NULL},     {"disc", "circle", NULL},
    {"fixed", "static", NULL},     {"free", "dynamic", NULL},
};

static const Alias keys[] = {
    {"size", "half", "which has half of each edge"},
    {"dimensions", "half", "which has half of each edge"},
    {"extents", "half", "which has half of each edge"},
    {"half_extents", "half", NULL},
    {"halfExtents", "half", NULL},
    {"length", "half_length", "which is half of it"},
    {"height", "half_length", "which is half of it"},
    {"diameter", "radius", "which is half of it"},
    {"friction", "mu", NULL},
    {"elasticity", "restitution", NULL},
    {"bounce", "restitution", NULL},
    {"bounciness", "restitution", NULL},
    {"pos", "position", NULL},
    {"origin", "position", NULL},
    {"translation", "position", NULL},
    {"quat", "orientation", NULL},
    {"quaternion", "orientation", NULL},
    {"rotation", "orientation", NULL},
    {"speed", "velocity", NULL},
    {"linear_velocity", "velocity", NULL},
    {"omega", "angular_velocity", NULL},
    {"spin", "angular_velocity", NULL},
    {"type", "kind", NULL},
    {"type", "shape", NULL},
    {"joint", "kind", NULL},
    {"parent", "a", NULL},
    {"child", "b", NULL},
    {"dt", "step", NULL},
    {"timestep", "step", NULL},
    {"duration", "time", NULL},
    {"vertices", "points", NULL},
    {"geometry", "shapes", NULL},
    {"links", "bodies", NULL},
    {"objects", "bodies", NULL},
};

// The order-th alias of a name.
static const Alias* find(const Alias* table, size_t count, const char* name, int order) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(table[i].name, name) == 0 && order-- == 0)
      return &table[i];
  return NULL;
}

const char* rg_schema_alias_word(const char* name, int order) {
  const Alias* alias = find(words, sizeof words / sizeof *words, name, order);
  return alias ? alias->ours : NULL;
}

const char* rg_schema_alias_key(const char* name, int order, const char** remark) {
  const Alias* alias = find(keys, sizeof keys / sizeof *keys, name, order);
  *remark = alias ? alias->remark : NULL;
  return alias ? alias->ours : NULL;
}
