// patches.c - contacts inside the caps of round bodies that twist.
//
// A cap that lies flat is stood in for by points of its rim, which carry all that a cap under any
// pressure can carry along the normal. For friction they do not serve where the cap turns in its
// plane: their arm is too long (collide/patch.h). So a cap that spins gets contacts inside, whose
// places and shares of the area follow the pole of its movement at the start of the step; so does
// one at rest that twists against its friction, with the pole in its centre, because it gives way
// at the moment that the area can bear, not at that of its rim.
//
// The normal forces of these contacts are a matter of choice (solve/least): each yields as its share
// of the area does, so that a flat cap has a pressure that is linear in the place, and friction is
// that of the area. Points of the rim have a small share, and the stepper theta lets them come a
// little deeper before they carry: only where the points inside cannot hold the body does it tilt onto
// them.
//
// Where the choice is not made there is no use in points inside: polygonal cones, large worlds, many
// bodies in `realtime`. Caps on meshes, fields and walls, and those of other steppers than theta,
// keep their rim.
#include "collide/patch.h"
#include "shape/smooth/rim.h"
#include "solve/budget.h"
#include "world/world.h"

#include <string.h>

// Part of the area that the rim stands for, all together, where they carry.
static const double CORNERS = 0.001;
// A cap twists that bears this part of what friction at its rim would: it gives way at 2/3.
static const double TWISTED = 0.25;
// A patch is flat that is tilted by less than this [rad].
static const double TILT = 1e-3;
// Points on a circle: their distances differ by less than this part.
static const double ROUND = 1e-5;
enum { MANY_BODIES = 1024 }; // as in least.c

// A manifold seen along its normal.
typedef struct Patch {
  const rgWorld* world;
  const rgPair* pair;
  rgVec3 n, t, o, centre;
  int count;                           // of its contacts that touch when it lies flat
  double x[RG_RIM_MAX], y[RG_RIM_MAX]; // [m] these, from the first of the manifold
  double radius;                       // [m] of the cap
  double gap, gap_x, gap_y;            // [m] in its centre, and its slopes [-]
} Patch;

bool rg_world_fills_patches(const rgWorld* world) {
  return world->dimension == 3 && world->body_count <= MANY_BODIES &&
         strcmp(world->options.stepper, "theta") == 0 &&
         strcmp(world->options.cone, "exact") == 0 &&
         rg_budget_affords_choice(rg_budget(world->options.iteration_limit), world->body_count);
}

static bool is_solid_or_plane(const rgWorldShape* shape) {
  return shape->shape->kind == RG_SHAPE_HALFSPACE || rg_shape_info(shape->shape->kind)->support;
}

// Whether the points are the whole rim of a cap of this shape, whose centre and radius are taken.
static bool take_cap(Patch* patch, const rgWorldShape* shape, rgVec3 origin, double sense) {
  const rgShapeInfo* info = rg_shape_info(shape->shape->kind);
  if (!info->rim)
    return false;
  rgVec3 down = quat_unrotate(shape->pose.orientation, v3_scale(patch->n, sense));
  rgRim rim = info->rim(shape->shape, down);
  rgVec3 centre = v3_sub(pose_apply(shape->pose, v3(0, 0, rim.height)), origin);
  double x = v3_dot(patch->t, centre), y = v3_dot(patch->o, centre);
  for (int i = 0; i < patch->count; i++) {
    double dx = patch->x[i] - x, dy = patch->y[i] - y;
    if (!(fabs(sqrt(dx * dx + dy * dy) - rim.radius) <= ROUND * rim.radius))
      return false;
  }
  patch->gap += patch->gap_x * x + patch->gap_y * y;
  patch->centre = v3_axpy(v3_axpy(origin, x, patch->t), y, patch->o);
  patch->radius = rim.radius;
  return true;
}

// The least gap of the contacts, and the width of the patch.
static void measure(const rgWorldContact* contacts, int count, double* least, double* width) {
  double width2 = 0;
  *least = HUGE_VAL;
  for (int i = 0; i < count; i++) {
    *least = fmin(*least, contacts[i].gap);
    width2 = fmax(width2, v3_norm2(v3_sub(contacts[i].point_b, contacts[0].point_b)));
  }
  *width = sqrt(width2);
}

// The gap as a linear function of the place, by least squares; the sums are about the centre of the
// corners.
static void fit_gap(Patch* patch, const double* gaps) {
  const Patch* o = patch;
  double xx = 0, xy = 0, yy = 0, gx = 0, gy = 0, x = 0, y = 0, g = 0;
  for (int i = 0; i < o->count; i++) {
    x += o->x[i] / o->count;
    y += o->y[i] / o->count;
    g += gaps[i] / o->count;
  }
  for (int i = 0; i < o->count; i++) {
    double dx = o->x[i] - x, dy = o->y[i] - y, dg = gaps[i] - g;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
    gx += dx * dg;
    gy += dy * dg;
  }
  double det = xx * yy - xy * xy;
  bool flat = !(det > 0);
  patch->gap_x = flat ? 0 : (yy * gx - xy * gy) / det;
  patch->gap_y = flat ? 0 : (xx * gy - xy * gx) / det;
  patch->gap = g - patch->gap_x * x - patch->gap_y * y;
}

// The contacts that touch when the patch lies flat. False when they are not the rim of a cap.
static bool see_patch(Patch* patch, const rgWorldContact* contacts, int count, double touching) {
  patch->n = contacts[0].normal;
  v3_frame(patch->n, &patch->t, &patch->o);
  rgVec3 origin = contacts[0].point_b;
  double least, width, gaps[RG_RIM_MAX];
  measure(contacts, count, &least, &width);
  if (!(least <= touching))
    return false;
  for (int i = 0; i < count; i++) {
    rgVec3 at = v3_sub(contacts[i].point_b, origin);
    if (contacts[i].gap > touching + TILT * width)
      return false;
    gaps[i] = contacts[i].gap;
    patch->x[i] = v3_dot(patch->t, at);
    patch->y[i] = v3_dot(patch->o, at);
  }
  patch->count = count;
  fit_gap(patch, gaps);
  const rgWorldShape* shapes = patch->world->shapes;
  return take_cap(patch, &shapes[patch->pair->a], origin, -1) ||
         take_cap(patch, &shapes[patch->pair->b], origin, 1);
}

static rgVec3 velocity_at(const rgBody* body, rgVec3 x) {
  return v3_add(body->velocity.linear, v3_cross(body->velocity.angular, v3_sub(x, body->position)));
}

// The pole of the relative velocity, from the centre. False when the patch does not turn by more
// than `touching` in the time h.
static bool find_pole(const Patch* patch, double h, double touching, double* x, double* y) {
  const rgWorld* world = patch->world;
  const rgBody *a = &world->bodies[world->shapes[patch->pair->a].body],
               *b = &world->bodies[world->shapes[patch->pair->b].body];
  double w = v3_dot(patch->n, v3_sub(a->velocity.angular, b->velocity.angular));
  if (!(fabs(w) * patch->radius * h > touching))
    return false;
  rgVec3 v = v3_sub(velocity_at(a, patch->centre), velocity_at(b, patch->centre));
  *x = -v3_dot(patch->o, v) / w;
  *y = v3_dot(patch->t, v) / w;
  return true;
}

// Whether the impulses of the last step twist the patch by as much as its friction may not bear.
static bool is_twisted(const Patch* patch, double mu) {
  const rgWorldContact* contacts = patch->world->contacts; // NULL before the first search
  double moment = 0, normal = 0;
  for (int i = 0; i < patch->pair->contact_count; i++) {
    const rgWorldContact* last = &contacts[patch->pair->contact_start + i];
    rgVec3 arm = v3_sub(last->point_b, patch->centre);
    moment += v3_dot(patch->n, v3_cross(arm, last->impulse));
    normal += v3_dot(patch->n, last->impulse);
  }
  return fabs(moment) > TWISTED * mu * normal * patch->radius;
}

int rg_world_fill_patch(const rgWorld* world, const rgPair* pair, rgWorldContact* contacts,
                        int count, double h) {
  const rgWorldShape *a = &world->shapes[pair->a], *b = &world->shapes[pair->b];
  if (count < RG_RIM_POINTS || count > RG_RIM_MAX || !is_solid_or_plane(a) || !is_solid_or_plane(b))
    return 0;
  double mu = rg_world_law(world, contacts)->material.mu,
         touching = world->options.projection_tolerance * contacts[0].size, x = 0, y = 0;
  Patch patch = {.world = world, .pair = pair};
  if (!(mu > 0) || !see_patch(&patch, contacts, count, touching) ||
      !(find_pole(&patch, h, touching, &x, &y) || is_twisted(&patch, mu)))
    return 0;
  rgPatchPoint points[RG_PATCH_POINTS];
  int added = rg_patch_rule(patch.radius, x, y, points);
  for (int i = 0; i < count && added > 0; i++)
    contacts[i].share = -CORNERS / count;
  for (int i = 0; i < added; i++) {
    rgWorldContact* contact = &contacts[count + i];
    *contact = contacts[0];
    contact->point_b = v3_axpy(v3_axpy(patch.centre, points[i].x, patch.t), points[i].y, patch.o);
    contact->gap = patch.gap + patch.gap_x * points[i].x + patch.gap_y * points[i].y;
    contact->point_a = v3_axpy(contact->point_b, contact->gap, patch.n);
    contact->share = (1 - CORNERS) * points[i].share;
    contact->feature = RG_INSIDE_FEATURE + (uint32_t)points[i].place;
  }
  return added;
}
