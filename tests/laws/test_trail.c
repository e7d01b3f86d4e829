// Trees of joints begin a step where their last changes of velocity lead: smooth motion is found with fewer
// factorizations than without, and what is not smooth is found as well.
#include "support/builder.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "test.h"

#include <stdio.h>

enum { LINKS_MAX = 24 };

typedef struct Chain {
  rgWorld* world;
  rgBodyId links[LINKS_MAX];
  int count;
} Chain;

// Hinges and balls in turn, hung up or thrown, as `seed` says.
static Chain make_chain(uint64_t seed, double step) {
  random_state = seed;
  Chain chain = {.world = build_world("default"), .count = 3 + (int)(random_unit() * 20)};
  build_set_step(chain.world, step, 1);
  rgVec3 end = v3_zero();
  for (int i = 0; i < chain.count; i++) {
    rgVec3 along = v3_scale(random_direction(), random_between(0.1, 0.3));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_axpy(end, 0.5, along));
    def.mass = random_between(0.5, 2);
    def.inertia_given = true;
    double x = random_between(2e-3, 5e-3), y = random_between(2e-3, 5e-3);
    def.inertia = m3_diag(x, y, random_between(0.4, 0.9) * (x + y));
    REQUIRE_INT(rg_world_add_body(chain.world, &def, NULL, 0, &chain.links[i]), RG_OK);
    rgJointDef joint = rg_joint_def(i % 2 ? RG_JOINT_BALL : RG_JOINT_HINGE);
    joint.axis = random_direction();
    joint.point = end;
    joint.body_b = chain.links[i];
    if (i > 0)
      joint.body_a = chain.links[i - 1];
    rgJointId id;
    if (i > 0 || seed % 2 == 0)
      REQUIRE_INT(rg_world_add_joint(chain.world, &joint, &id), RG_OK);
    end = v3_add(end, along);
  }
  return chain;
}

// Factorizations of the steps after the first ones; `other` is the length of every second step.
static int count_factorizations(uint64_t seed, double step, double other) {
  enum { WARM = 4, STEPS = 40 };
  Chain chain = make_chain(seed, step);
  int count = 0;
  for (int i = 0; i < WARM + STEPS; i++) {
    build_set_step(chain.world, i % 2 ? other : step, 1);
    rgCertificate certificate = run_met_step(chain.world, i);
    count += i < WARM ? 0 : certificate.factorizations;
  }
  rg_world_destroy(chain.world);
  return count;
}

// Where each step has another length than the last one, nothing leads on. The start is then off by the change of
// a velocity in a step, O(h), in place of O(h^4), and an iteration gains h |w|, of the order of 1e-2: three of
// them make up the difference, of which the tolerance asks for one or two.
TEST(smooth_motion_leads_on) {
  int smooth = 0, uneven = 0;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    int with = count_factorizations(seed, 1e-3, 1e-3),
        without = count_factorizations(seed, 1e-3, 1.001e-3);
    CONTEXT("seed %d: %d and %d", (int)seed, with, without);
    CHECK(with < without);
    smooth += with;
    uneven += without;
  }
  CHECK_MSG(smooth <= 0.7 * uneven, "%d and %d factorizations", smooth, uneven);
}

// Blows to random links, with steps of other lengths in between: every step is met, and joints stay closed.
TEST(blows_are_met) {
  for (uint64_t seed = 1; seed <= 8; seed++) {
    Chain chain = make_chain(seed, 2e-3);
    for (int i = 0; i < 60; i++) {
      rgBodyId link = chain.links[(int)(random_unit() * chain.count)];
      if (i % 5 == 0)
        REQUIRE_INT(rg_body_apply_impulse(chain.world, link, random_vector(),
                                          rg_body_pose(chain.world, link).position),
                    RG_OK);
      build_set_step(chain.world, i % 20 < 15 ? 2e-3 : 1e-3, 1);
      rgCertificate certificate = run_met_step(chain.world, i);
      CHECK_NEAR(certificate.joint_error, 0, 1e-12);
    }
    rg_world_destroy(chain.world);
  }
}

// A step begins with what the world says, not with what the last step left in its working memory: a world
// that has made no step goes on from a snapshot as the one that was saved. Of contacts, which implicit-geometry takes at
// the end of the step, these chains have none.
TEST(chains_begin_from_snapshots_as_from_steps) {
  const char* const steppers[] = {"anitescu-potra", "implicit-geometry"};
  for (uint64_t seed = 1; seed <= 6; seed++)
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++) {
      Chain chains[2] = {make_chain(seed, 1.0 / 120), make_chain(seed, 1.0 / 120)};
      for (int i = 0; i < 2; i++) {
        rgOptions options = *rg_world_options(chains[i].world);
        snprintf(options.stepper, sizeof options.stepper, "%s", steppers[k]);
        REQUIRE_INT(rg_world_set_options(chains[i].world, &options), RG_OK);
      }
      run_steps(chains[0].world, 5);
      Snapshot saved = save(chains[0].world);
      REQUIRE_INT(rg_world_load(chains[1].world, saved.data, saved.size), RG_OK);
      free(saved.data);
      for (int step = 0; step < 5; step++) {
        CONTEXT("%s, seed %d, step %d", steppers[k], (int)seed, step);
        run_steps(chains[0].world, 1);
        run_steps(chains[1].world, 1);
        CHECK_HEX(rg_world_hash(chains[1].world), rg_world_hash(chains[0].world));
      }
      rg_world_destroy(chains[0].world);
      rg_world_destroy(chains[1].world);
    }
}
