// touch.c - the hand in the world: an attractor, a spring that drags a body, a ball that is thrown.
//
// Attractor and repulsor are the cursor of Cline (2002), 4.7. All that the hand does goes through
// forces and bodies of the world, so that the certificate covers it.
#include "wasm/page.h"

#include "cli/text/text.h"

static const double TURN = 6.283185307179586; // [rad] 2 pi

static bool is_there(rgForceId id) { return id.generation != 0; }

// The part of a point that a world of this dimension has.
static rgVec3 in_world(const Page* page, double x, double y, double z) {
  return rg_vec3(x, y, rg_world_dimension(page->world) == 2 ? 0 : z);
}

static bool remove_force(Page* page, rgForceId* id) {
  if (!is_there(*id))
    return true;
  rgForceId gone = *id;
  *id = (rgForceId){0};
  return page_note(page, rg_world_remove_force(page->world, gone));
}

// strength [N] > 0 attracts, < 0 repels, 0 takes it away; range [m] where it has fallen to half.
PAGE_EXPORT(page_attract)
bool page_attract(Page* page, double x, double y, double z, double strength, double range) {
  rgVec3 center = in_world(page, x, y, z);
  if (strength == 0)
    return remove_force(page, &page->attractor);
  if (is_there(page->attractor) && page->attractor_range == range)
    return page_note(page, rg_force_set_attractor(page->world, page->attractor, center, strength));
  if (!remove_force(page, &page->attractor))
    return false;
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_ATTRACTOR;
  def.center = center;
  def.strength = strength;
  def.range = range;
  page->attractor_range = range;
  return page_note(page, rg_world_add_force(page->world, &def, &page->attractor));
}

// Holds a dynamic body at a point of the world by a spring of rest length zero whose far end stays
// there until page_drag. With the whole mass at the point it would swing with `frequency` [1/s] and
// be damped critically.
PAGE_EXPORT(page_grab)
bool page_grab(Page* page, int body, double x, double y, double z, double frequency) {
  rgWorld* world = page->world;
  if (!remove_force(page, &page->spring))
    return false;
  rgBodyId id = page_body(page, body);
  if (!id.generation || rg_body_kind(world, id) != RG_BODY_DYNAMIC) {
    cli_fail(&page->message, RG_ERROR_INPUT, "body %d cannot be dragged, must be dynamic", body);
    return false;
  }
  rgVec3 point = in_world(page, x, y, z);
  rgPose pose = rg_body_pose(world, id);
  double rate = TURN * frequency, mass = rg_body_mass(world, id).mass;
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.body = id;
  def.at_point = true;
  def.point = rg_pose_unapply(pose, point);
  def.other_point = point;
  def.stiffness = mass * rate * rate;
  def.damping = 2 * mass * rate;
  def.rest = 0;
  page->grip = def;
  return page_note(page, rg_world_add_force(world, &def, &page->spring));
}

PAGE_EXPORT(page_drag) bool page_drag(Page* page, double x, double y, double z) {
  if (!is_there(page->spring))
    return true;
  page->grip.other_point = in_world(page, x, y, z);
  return remove_force(page, &page->spring) &&
         page_note(page, rg_world_add_force(page->world, &page->grip, &page->spring));
}

PAGE_EXPORT(page_let_go) bool page_let_go(Page* page) { return remove_force(page, &page->spring); }

// Adds a ball in flight; its index, or -1.
PAGE_EXPORT(page_throw)
int page_throw(Page* page, double x, double y, double z, double vx, double vy, double vz,
               double radius, double density) {
  rgWorld* world = page->world;
  rgShapeDef shape =
      rg_shape_def(rg_world_dimension(world) == 2 ? RG_SHAPE_CIRCLE : RG_SHAPE_SPHERE);
  shape.radius = radius;
  shape.density = density;
  rgBodyDef def = rg_body_def();
  def.pose.position = in_world(page, x, y, z);
  def.velocity.linear = in_world(page, vx, vy, vz);
  def.name = "thrown ball";
  rgBodyId id;
  return page_note(page, rg_world_add_body(world, &def, &shape, 1, &id)) ? (int)id.index : -1;
}
