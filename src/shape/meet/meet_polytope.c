// meet_polytope.c - an intersection of half-spaces as the hull of its corners.
//
// A corner is where three planes meet and no half-space excludes it: all triples are tried, m^3/6 times m for
// m half-spaces. The set is unbounded when some direction is in no half-space's way; the extreme ones of those
// are along the line in which two planes meet, or there is no corner at all.
#include "base/memory.h"
#include "base/message.h"
#include "shape/meet/meet_make.h"

enum { PLANES_MAX = RG_MEET_BOX_FACES * RG_MEET_MEMBERS_MAX, CORNERS_MAX = 4096 };
// Of the largest offset: corners that are outside by this are on the plane.
static const double ON_PLANE = 1e-12;
// Sine: planes that are closer to parallel than this meet nowhere.
static const double PARALLEL = 1e-9;

typedef struct Planes {
  int count, corner_count;
  double size;
  rgVec3 normals[PLANES_MAX];
  double offsets[PLANES_MAX];
  rgVec3 corners[CORNERS_MAX];
} Planes;

static bool is_unbounded(const Planes* p) {
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < i; k++) {
      rgVec3 u = v3_cross(p->normals[i], p->normals[k]);
      for (int sign = -1; sign <= 1 && v3_norm(u) > PARALLEL; sign += 2) {
        bool open = true;
        for (int l = 0; l < p->count && open; l++)
          open = sign * v3_dot(p->normals[l], u) <= PARALLEL * v3_norm(u);
        if (open)
          return true;
      }
    }
  return p->corner_count == 0;
}

static void try_corner(Planes* p, int i, int k, int l) {
  rgVec3 a = p->normals[i], b = p->normals[k], c = p->normals[l], bc = v3_cross(b, c);
  double det = v3_dot(a, bc);
  if (fabs(det) <= PARALLEL)
    return;
  rgVec3 x = v3_scale(bc, p->offsets[i]);
  x = v3_axpy(x, p->offsets[k], v3_cross(c, a));
  x = v3_scale(v3_axpy(x, p->offsets[l], v3_cross(a, b)), 1 / det);
  for (int m = 0; m < p->count; m++)
    if (v3_dot(p->normals[m], x) > p->offsets[m] + ON_PLANE * p->size)
      return;
  for (int m = 0; m < p->corner_count; m++)
    if (v3_norm(v3_sub(p->corners[m], x)) <= ON_PLANE * p->size)
      return;
  if (p->corner_count < CORNERS_MAX)
    p->corners[p->corner_count++] = x;
}

static void find_corners(const rgShapeDef* def, Planes* p) {
  for (int i = 0; i < def->member_count; i++) {
    p->count += rg_meet_faces_of(&def->members[i], &p->normals[p->count], &p->offsets[p->count]);
    p->size = fmax(p->size, v3_norm(def->members[i].pose.position) + v3_norm(def->members[i].half));
  }
  for (int i = 0; i < p->count; i++)
    for (int k = 0; k < i; k++)
      for (int l = 0; l < k; l++)
        try_corner(p, i, k, l);
}

rgShape* rg_meet_polytope(const rgShapeDef* def, const rgAllocator* allocator, rgStatus* status,
                          rgMessage* message) {
  Planes* p = rg_allocate(allocator, sizeof *p);
  if (!p) {
    *status = rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a shape");
    return NULL;
  }
  find_corners(def, p);
  rgShape* shape = NULL;
  rgMessage why = {""};
  if (p->corner_count > 3) {
    rgShapeDef hull = *def;
    hull.kind = RG_SHAPE_HULL;
    hull.rounding = 0;
    hull.points = p->corners;
    hull.point_count = p->corner_count;
    if (!is_unbounded(p))
      shape = rg_shape_create(&hull, allocator, status, &why);
  }
  if (!shape) {
    bool open = p->count < 4 || (p->corner_count > 0 && is_unbounded(p));
    *status = rg_fail(message, RG_ERROR_INPUT,
                      open ? "the half-spaces do not enclose a bounded set"
                           : "the members have no common interior");
  }
  rg_release(allocator, p, sizeof *p);
  return shape;
}
