// A link that weighs next to nothing between heavy bodies: its inertia is lost in the rounding of the
// impulses that pass through it, so that a solve at a small tolerance misses by rounding. The step
// must use what it has found and not throw it away.
#include "support/builder.h"
#include "test.h"
#include <rigor/joint.h>

typedef struct Train {
  rgJointKind kind;
  double ratio, tolerance, h; // [-] mass of the links to that of the bodies; [-]; [s]
} Train;

// Bodies of 1 kg and links between them, end to end from a point of the ground, held level at first.
static rgWorld* build_train(const Train* train) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.tolerance = train->tolerance;
  def.options.step = train->h;
  rgWorld* world = build_world_of(&def);
  rgJointDef joint = rg_joint_def(train->kind);
  joint.axis = v3(0, 1, 0);
  for (int i = 0; i < 5; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0.2 * i + 0.1, 0, 0));
    body.mass = i % 2 ? train->ratio : 1;
    body.velocity.linear = v3(0, 0.3 * i, 0); // out of the plane, as far as the joints let it
    joint.body_b = build_body(world, &body, shape_box(v3(0.09, 0.01, 0.02)));
    joint.point = v3(0.2 * i, 0, 0);
    rgJointId id;
    REQUIRE(rg_world_add_joint(world, &joint, &id) == RG_OK);
    joint.body_a = joint.body_b;
  }
  return world;
}

// Falling by the length of the train, 1 m, the three bodies come to 3 kg g 1 m = 29 J. Taking ringing
// out may add a thousandth of that for a step, to and fro; steps that rounding keeps from their
// solution lose energy.
TEST(light_links_between_heavy_bodies_gain_no_energy) {
  const rgJointKind kinds[] = {RG_JOINT_BALL, RG_JOINT_HINGE};
  const double ratios[] = {1, 1e-2, 1e-4, 1e-6}, tolerances[] = {1e-6, 1e-8, 1e-10},
               steps[] = {1e-3, 4e-3};
  for (int i = 0; i < 2 * 4 * 3 * 2; i++) {
    Train train = {kinds[i % 2], ratios[i / 2 % 4], tolerances[i / 8 % 3], steps[i / 24]};
    CONTEXT("%s, ratio %g, tolerance %g, h %g", rg_joint_kind_name(train.kind), train.ratio,
            train.tolerance, train.h);
    rgWorld* world = build_train(&train);
    rgCertificate certificate;
    REQUIRE(rg_world_step(world, &certificate) == RG_OK); // makes the velocities suit the joints
    rgEnergy start = rg_world_energy(world);
    double highest = 0, gain = 0;
    for (int k = 0; k < (int)(0.5 / train.h); k++) {
      REQUIRE(rg_world_step(world, &certificate) == RG_OK);
      rgEnergy now = rg_world_energy(world);
      highest = fmax(highest, now.kinetic + now.potential - start.kinetic - start.potential);
      gain = fmax(gain, certificate.energy);
    }
    CHECK_MSG(gain <= 1e-3 * 29, "a step gains %g J", gain);
    CHECK_MSG(highest <= 2 * 1e-3 * 29, "%g J more than at the start", highest);
    rg_world_destroy(world);
  }
}
