// auto.c - the geometry-implicit step where smooth bodies roll, the plain one elsewhere.
//
// A contact rolls when it touches, one of its shapes is curved (convex, no polyhedron, no half-
// space or surface), the relative turn about axes in the tangent plane moves the point of contact
// over that shape, w_T = w - (w . n) n, and slip is small against this movement,
//
//     |u_T| <= |w_T| R / 4,      R the smallest half-width of the shape.
//
// There geometry frozen at the start of the step errs by h |w_T| in the normal: the step taken is
// implicit-geometry, if every contact that touches rolls. At theta < 1, where contacts of both schemes
// act at the mean of start and end, it is the one whose gaps are closed at the end of the step. Otherwise
// it is theta. One step is one or the other: all bodies share it. A world changes over from step to step;
// both schemes have the same state.
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

static const double SLIP = 0.25; // [-] of the speed of the point of contact over the shape

static bool is_curved(const rgShape* shape) {
  const rgShapeInfo* info = rg_shape_info(shape->kind);
  return info->solid && info->convex && !shape->polyhedron && info->support;
}

static bool touches(const rgStep* step, const rgWorldContact* contact) {
  double closing = rg_fill_normal_velocity(step, contact, RG_VELOCITY_NOW);
  double reach = rg_stabilizer_allowed_overlap(step->world, contact);
  return contact->gap <= reach || contact->gap + step->h * closing <= 0;
}

static bool rolls(const rgStep* step, const rgWorldContact* contact) {
  const rgWorld* world = step->world;
  const rgShape *a = world->shapes[contact->shape_a].shape,
                *b = world->shapes[contact->shape_b].shape;
  double radius = fmax(is_curved(a) ? a->size : 0, is_curved(b) ? b->size : 0);
  rgVec3 n = contact->normal, w = v3_sub(world->bodies[contact->body_a].velocity.angular,
                                         world->bodies[contact->body_b].velocity.angular);
  rgVec3 u = rg_fill_contact_velocity(step, contact, RG_VELOCITY_NOW);
  double turn = v3_norm(v3_axpy(w, -v3_dot(w, n), n)), slip = v3_norm(v3_axpy(u, -v3_dot(u, n), n));
  return turn > 0 && slip <= SLIP * turn * radius;
}

static bool all_roll(const rgStep* step) {
  const rgWorld* world = step->world;
  bool any = false;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    if (!touches(step, contact))
      continue;
    if (!rolls(step, contact))
      return false;
    any = true;
  }
  return any;
}

static rgStatus step_auto(rgStep* step) {
  const rgStepper* taken = all_roll(step) ? &rg_stepper_implicit_geometry : &rg_stepper_theta;
  step->stepper = taken->name;
  return taken->step(step);
}

const rgStepper rg_stepper_auto = {
    .name = "auto",
    .summary = "implicit-geometry in steps in which smooth bodies roll, theta in all others",
    .reference = "Chakraborty, Berard, Akella, Trinkle 2007; Renouf, Acary, Dumont 2005",
    .end_contacts = true,
    .sleeps = true,
    .step = step_auto,
};
