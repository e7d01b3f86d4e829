#include "support/pairs.h"

#include "support/random.h"
#include "test.h"

Pair throw_pair(rgJointKind kind, double h, double slender, double spin, uint64_t seed) {
  random_state = seed;
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = v3_zero();
  def.options.step = h;
  def.options.theta = 0.5;
  Pair pair = {.world = build_world_of(&def)};
  build_set_default_material(pair.world, 0.3, 0.5);
  build_floor(pair.world);
  rgVec3 w = v3_scale(random_direction(), spin), v = v3(0, 0, -3), at = v3(0, 0, 1.3);
  rgQuat q = random_rotation();
  const double masses[2] = {1, random_between(0.5, 2)};
  rgBodyId ids[2];
  for (int i = 0; i < 2; i++) {
    rgVec3 arm = quat_rotate(q, v3(i ? 0.5 : -0.5, 0, 0));
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3_add(at, arm));
    body.pose.orientation = q;
    body.mass = masses[i];
    body.velocity = twist(v3_add(v, v3_cross(w, arm)), w);
    ids[i] = build_body(pair.world, &body, shape_box(v3(0.5, 0.5 * slender, 0.4 * slender)));
  }
  pair.a = ids[0], pair.b = ids[1];
  rgJointDef joint = rg_joint_def(kind);
  joint.body_a = pair.a;
  joint.body_b = pair.b;
  joint.point = at;
  joint.axis = random_direction();
  REQUIRE_MSG(rg_world_add_joint(pair.world, &joint, &pair.joint) == RG_OK, "%s",
              rg_world_message(pair.world));
  return pair;
}
