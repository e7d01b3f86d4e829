// Rods fifty times as long as wide, joined in pairs and thrown at the floor: hits take energy, flight
// keeps it, and a step that cannot do so says that it is not met.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

typedef struct Pair {
  rgWorld* world;
  rgBodyId a, b;
  rgJointId joint;
} Pair;

// Two rods end to end, joined in the middle, thrown at the floor with a spin; no gravity.
static Pair throw_pair(rgJointKind kind, double h, double slender, double spin, uint64_t seed) {
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

// Hits with restitution 1/2 and friction take energy, and free flight keeps it: slender rods must
// not spin up, whichever joint holds them.
TEST(slender_rods_thrown_at_the_floor_gain_no_energy) {
  const rgJointKind kinds[] = {RG_JOINT_BALL, RG_JOINT_HINGE, RG_JOINT_FIXED};
  const double steps[] = {0.02, 0.01, 0.005}, slender[] = {0.02};
  for (int kind = 0; kind < 3; kind++)
    for (int k = 0; k < 3; k++)
      for (int s = 0; s < 1; s++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
          Pair pair = throw_pair(kinds[kind], steps[k], slender[s], 3, seed);
          CONTEXT("%s, step %g, slender %g, seed %d", rg_joint_kind_name(kinds[kind]), steps[k],
                  slender[s], (int)seed);
          double start = rg_world_energy(pair.world).kinetic, most = 0;
          for (int i = 0; i < (int)(2 / steps[k]); i++) {
            double before = rg_world_energy(pair.world).kinetic;
            rgCertificate certificate;
            REQUIRE(rg_world_step(pair.world, &certificate) == RG_OK);
            // A hundredth: the law of the mean slip is given to what gains more than rounding only.
            CHECK_MSG(!certificate.met || certificate.energy <= 0.01 * before,
                      "step %d gains %g J of %g J and is met, contacts %d", i, certificate.energy,
                      before, certificate.contacts);
            most = fmax(most, rg_world_energy(pair.world).kinetic);
          }
          // Taking ringing out changes the energy by the square of the rate, to and fro.
          CHECK_MSG(most <= 1.001 * start, "%g J of %g J", most, start);
          rg_world_destroy(pair.world);
        }
}
