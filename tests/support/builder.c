// builder.c - what builder.h promises.
#include "builder.h"

#include "math/trig.h"
#include "test.h"

rgWorld* build_world_of(const rgWorldDef* def) {
  rgWorld* world = NULL;
  rgMessage message = {""};
  rgStatus status = rg_world_create(def, &world, &message);
  REQUIRE_MSG(status == RG_OK, "%s", message.text);
  return world;
}

rgWorld* build_world(const char* preset) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset(preset, &def.options));
  return build_world_of(&def);
}

rgWorld* build_still(const char* preset) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset(preset, &def.options));
  def.options.gravity = v3_zero();
  return build_world_of(&def);
}

rgShapeDef shape_box(rgVec3 half) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_BOX);
  shape.half = half;
  return shape;
}

rgShapeDef shape_sphere(double radius) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE);
  shape.radius = radius;
  return shape;
}

static rgShapeDef shape_round(rgShapeKind kind, double radius, double half_length) {
  rgShapeDef shape = rg_shape_def(kind);
  shape.radius = radius;
  shape.half_length = half_length;
  return shape;
}

rgShapeDef shape_capsule(double radius, double half_length) {
  return shape_round(RG_SHAPE_CAPSULE, radius, half_length);
}

rgShapeDef shape_cylinder(double radius, double half_length) {
  return shape_round(RG_SHAPE_CYLINDER, radius, half_length);
}

rgShapeDef shape_ellipsoid(rgVec3 half) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_ELLIPSOID);
  shape.half = half;
  return shape;
}

rgShapeDef shape_halfspace(void) { return rg_shape_def(RG_SHAPE_HALFSPACE); }

rgPose pose_at(rgVec3 position) { return (rgPose){position, quat_identity()}; }

rgBodyDef body_at(rgBodyKind kind, rgVec3 position) {
  rgBodyDef def = rg_body_def();
  def.kind = kind;
  def.pose.position = position;
  return def;
}

rgTwist twist(rgVec3 linear, rgVec3 angular) { return (rgTwist){linear, angular}; }

rgQuat turn_about(rgVec3 axis, double angle) {
  rgVec3 u = v3_scale(v3_unit_or(axis, v3_zero()), rg_sin(0.5 * angle));
  return quat_unit((rgQuat){rg_cos(0.5 * angle), u.x, u.y, u.z});
}

rgBodyId build_body(rgWorld* world, const rgBodyDef* def, rgShapeDef shape) {
  rgBodyId id;
  rgStatus status = rg_world_add_body(world, def, &shape, 1, &id);
  REQUIRE_MSG(status == RG_OK, "%s", rg_world_message(world));
  return id;
}

rgBodyId build_floor(rgWorld* world) {
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  return build_body(world, &def, shape_halfspace());
}

rgBodyId build_block(rgWorld* world, rgVec3 half, rgVec3 position) {
  rgBodyDef def = body_at(RG_BODY_STATIC, position);
  return build_body(world, &def, shape_box(half));
}

rgBodyId build_box(rgWorld* world, rgVec3 half, rgVec3 position) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, position);
  return build_body(world, &def, shape_box(half));
}

rgBodyId build_sphere(rgWorld* world, double radius, rgVec3 position) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, position);
  return build_body(world, &def, shape_sphere(radius));
}

void build_set_step(rgWorld* world, double step, double theta) {
  rgOptions options = *rg_world_options(world);
  options.step = step;
  options.theta = theta;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

void build_set_default_material(rgWorld* world, double mu, double restitution) {
  rgMaterial material = rg_material_default();
  material.mu = mu;
  material.restitution = restitution;
  REQUIRE(rg_world_set_material(world, 0, &material) == RG_OK);
}

int build_material(rgWorld* world, double mu, double restitution) {
  rgMaterial material = rg_material_default();
  material.mu = mu;
  material.restitution = restitution;
  int index = 0;
  REQUIRE(rg_world_add_material(world, &material, &index) == RG_OK);
  return index;
}

void run_steps(rgWorld* world, int steps) {
  for (int i = 0; i < steps; ++i) {
    rgStatus status = rg_world_step(world, NULL);
    REQUIRE_MSG(status == RG_OK, "step %d: %s", i, rg_world_message(world));
  }
}

rgCertificate run_met_step(rgWorld* world, int index) {
  rgCertificate certificate;
  REQUIRE_MSG(rg_world_step(world, &certificate) == RG_OK, "%s", rg_world_message(world));
  CHECK_MSG(certificate.met, "step %d: residual %g", index, certificate.residual);
  return certificate;
}

double distance(rgVec3 a, rgVec3 b) { return v3_norm(v3_sub(a, b)); }

void build_fit_options(rgOptions* options) {
  if (rg_options_combine(options, false, NULL) != RG_OK)
    snprintf(options->stabilizer, sizeof options->stabilizer, "none");
}
