// figure_mass.c - masses of links and thickness of bones.
//
// Winter's fractions (Winter 2009, table 4.1, after Dempster) are of the mass of the whole person, for
// each of two limbs. A link is known by words in the name of its joint; links that stand for the same
// part, such as a foot and its toes, share its fraction in proportion to the lengths of their bones.
// Of a trunk, the link on the pelvis is the abdomen and the others are the thorax, whose mass lies along
// the spine (its centre is at 0.82 of the way down from the neck): bones from it to the sides count
// little. A third of the mass of head and neck is the neck's.
//
// A bone is a capsule of water of its mass, which gives it its radius. Limbs taper: their centres of
// mass and radii of gyration are those of the same table, where the bones of a skeleton are the
// segments that it measures. Of the trunk and the head they are not, and the capsule says both.
//
// A clip does not say how heavy its person was. By default the mass is 24.3 kg/m2 times the square of the
// height of the figure: the mean body mass index of adults (NCD Risk Factor Collaboration 2016).
//
// Made of water alone (Cline 2002, section 5.1.1), a bone is a square bar whose width is a fixed part
// of its length, and so are bones of links with unknown names.
#include "articulated/figure.h"

#include "math/trig.h"

#include <string.h>

static const double WATER = 1000; // [kg/m3]
// Mass of a person over the square of the height [kg/m2], and where the height is not known [kg].
static const double INDEX = 24.3, PERSON = 70;
// Half of the width of a bone over its length, where nothing else is known: that of a shank.
static const double SLENDER = 0.13;
// How much bones from the spine to the sides, and bones of the neck, count by their length.
static const double SIDEWAYS = 0.15, NECK = 0.25;

// Mass of the whole; centre of mass from the proximal end, and radius of gyration about it, over the
// length.
typedef struct Segment {
  double mass, center, gyration;
} Segment;

static const Segment segments[RG_ROLE_COUNT] = {
    [RG_ROLE_PELVIS] = {0.142, -1, 0},
    [RG_ROLE_ABDOMEN] = {0.139, -1, 0},
    [RG_ROLE_THORAX] = {0.216, -1, 0},
    [RG_ROLE_HEAD] = {0.081, -1, 0},
    [RG_ROLE_UPPER_ARM] = {0.028, 0.436, 0.322},
    [RG_ROLE_FOREARM] = {0.016, 0.430, 0.303},
    [RG_ROLE_HAND] = {0.006, -1, 0},
    [RG_ROLE_THIGH] = {0.100, 0.433, 0.323},
    [RG_ROLE_SHANK] = {0.0465, 0.433, 0.302},
    [RG_ROLE_FOOT] = {0.0145, -1, 0},
};

// The first word that a name contains decides.
static const struct {
  const char* word;
  rgRole role;
} words[] = {
    {"hips", RG_ROLE_PELVIS},       {"pelvis", RG_ROLE_PELVIS},    {"toe", RG_ROLE_FOOT},
    {"foot", RG_ROLE_FOOT},         {"ankle", RG_ROLE_FOOT},       {"upleg", RG_ROLE_THIGH},
    {"upperleg", RG_ROLE_THIGH},    {"thigh", RG_ROLE_THIGH},      {"leg", RG_ROLE_SHANK},
    {"shin", RG_ROLE_SHANK},        {"calf", RG_ROLE_SHANK},       {"knee", RG_ROLE_SHANK},
    {"forearm", RG_ROLE_FOREARM},   {"lowerarm", RG_ROLE_FOREARM}, {"elbow", RG_ROLE_FOREARM},
    {"hand", RG_ROLE_HAND},         {"wrist", RG_ROLE_HAND},       {"finger", RG_ROLE_HAND},
    {"thumb", RG_ROLE_HAND},        {"shoulder", RG_ROLE_THORAX},  {"collar", RG_ROLE_THORAX},
    {"clavicle", RG_ROLE_THORAX},   {"arm", RG_ROLE_UPPER_ARM},    {"neck", RG_ROLE_HEAD},
    {"head", RG_ROLE_HEAD},         {"spine1", RG_ROLE_THORAX},    {"spine2", RG_ROLE_THORAX},
    {"spine3", RG_ROLE_THORAX},     {"chest", RG_ROLE_THORAX},     {"thorax", RG_ROLE_THORAX},
    {"lowerback", RG_ROLE_ABDOMEN}, {"spine", RG_ROLE_ABDOMEN},    {"abdomen", RG_ROLE_ABDOMEN},
    {"waist", RG_ROLE_ABDOMEN},     {"torso", RG_ROLE_ABDOMEN},    {"hip", RG_ROLE_THIGH},
};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static void find_role(rgLinkPart* link) {
  char name[sizeof link->name];
  for (size_t i = 0; i < sizeof name; i++)
    name[i] = lower(link->name[i]);
  for (size_t i = 0; i < sizeof words / sizeof *words && link->role == RG_ROLE_NONE; i++)
    if (strstr(name, words[i].word))
      link->role = words[i].role;
  link->neck = strstr(name, "neck") != NULL;
  link->side = name[0] == 'l' ? -1 : name[0] == 'r' ? 1 : 0;
  if (link->role <= RG_ROLE_HEAD)
    link->side = 0;
}

// Abdomen or thorax, by the place in the trunk.
static void place_trunk(rgFigure* figure) {
  for (int i = 0; i < figure->link_count; i++) {
    rgLinkPart* link = &figure->links[i];
    bool trunk = link->role == RG_ROLE_ABDOMEN || link->role == RG_ROLE_THORAX;
    if (trunk && link->parent >= 0)
      link->role =
          figure->links[link->parent].role == RG_ROLE_PELVIS ? RG_ROLE_ABDOMEN : RG_ROLE_THORAX;
  }
}

static double length_of(const rgBone* bone) { return v3_norm(v3_sub(bone->to, bone->from)); }

static bool same_part(const rgLinkPart* a, const rgLinkPart* b) {
  return a->role == b->role && a->side == b->side;
}

static bool has_role(const rgFigure* figure, rgRole role) {
  bool any = false;
  for (int i = 0; i < figure->link_count; i++)
    any = any || figure->links[i].role == role;
  return any;
}

// The fraction of a part. A trunk without a thorax, or without an abdomen, is both.
static double fraction_of(const rgFigure* figure, rgRole role) {
  double fraction = segments[role].mass;
  if (role == RG_ROLE_ABDOMEN && !has_role(figure, RG_ROLE_THORAX))
    fraction += segments[RG_ROLE_THORAX].mass;
  if (role == RG_ROLE_THORAX && !has_role(figure, RG_ROLE_ABDOMEN) &&
      has_role(figure, RG_ROLE_PELVIS))
    fraction += segments[RG_ROLE_ABDOMEN].mass;
  return fraction;
}

static bool leads_to_arm(const rgFigure* figure, const rgBone* bone) {
  for (int i = 0; i < figure->link_count; i++) {
    const rgLinkPart* link = &figure->links[i];
    if (link->parent == bone->link && link->role == RG_ROLE_UPPER_ARM &&
        v3_norm(v3_sub(link->offset, bone->to)) < 0.01 * length_of(bone))
      return true;
  }
  return false;
}

// What a bone weighs in the sharing of the mass of a part.
static double weight_of(const rgFigure* figure, const rgBone* bone) {
  const rgLinkPart* link = &figure->links[bone->link];
  double weight = length_of(bone);
  if (link->role == RG_ROLE_THORAX && leads_to_arm(figure, bone))
    weight *= SIDEWAYS;
  if (link->role == RG_ROLE_HEAD && link->neck)
    weight *= NECK;
  return weight;
}

// The fraction of the part that a bone belongs to, shared by the weights of all its bones.
static double winter_mass(const rgFigure* figure, const rgBone* bone) {
  const rgLinkPart* link = &figure->links[bone->link];
  double all = 0;
  for (int i = 0; i < figure->bone_count; i++)
    if (same_part(link, &figure->links[figure->bones[i].link]))
      all += weight_of(figure, &figure->bones[i]);
  return figure->def.mass * fraction_of(figure, link->role) * weight_of(figure, bone) / all;
}

// r of a capsule of this volume: pi r^2 l + 4/3 pi r^3 = V, by Newton's method from above, where the
// function is convex.
static double capsule_radius(double volume, double length) {
  double r = sqrt(volume / (RG_PI * length));
  for (int i = 0; i < 40; i++) {
    double miss = RG_PI * r * r * (length + 4.0 / 3 * r) - volume;
    r -= miss / (2 * RG_PI * r * (length + 2 * r));
  }
  return r;
}

void rg_figure_find_roles(rgFigure* figure) {
  for (int i = 0; i < figure->link_count; i++)
    find_role(&figure->links[i]);
  place_trunk(figure);
}

void rg_figure_make_masses(rgFigure* figure) {
  bool whole = has_role(figure, RG_ROLE_HEAD) && has_role(figure, RG_ROLE_FOOT);
  if (figure->def.mass == 0)
    figure->def.mass = whole ? INDEX * figure->height * figure->height : PERSON;
  for (int i = 0; i < figure->bone_count; i++) {
    rgBone* bone = &figure->bones[i];
    double length = length_of(bone);
    bool known = figure->links[bone->link].role != RG_ROLE_NONE;
    if (figure->def.masses == RG_MASSES_WINTER && known) {
      const Segment* segment = &segments[figure->links[bone->link].role];
      bone->mass = winter_mass(figure, bone);
      bone->center = segment->center;
      bone->gyration = segment->gyration;
      bone->radius = capsule_radius(bone->mass / WATER, length);
    } else {
      bone->radius = SLENDER * length;
      bone->mass = WATER * 4 * bone->radius * bone->radius * length;
      bone->center = -1;
    }
    figure->links[bone->link].mass += bone->mass;
  }
}
