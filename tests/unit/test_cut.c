// A body that stops on its way gives back what forces did for it on the rest of the way, and no more.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include "step/fill/passing.h"

TEST(a_body_that_is_cut_gives_back_the_work_on_the_rest_of_its_way) {
  random_state = 4;
  for (int k = 0; k < 60; k++) {
    rgWorld* world = build_world("default");
    rgOptions options = *rg_world_options(world);
    options.gravity = v3_scale(random_vector(), 20);
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
    def.mass = random_between(0.5, 3);
    def.velocity = twist(v3_scale(random_vector(), 3), v3_scale(random_vector(), 5));
    rgBodyId id = build_body(world, &def, shape_sphere(0.2));
    rgForceDef pull = rg_force_def();
    pull.body = id;
    pull.wrench = (rgWrench){v3_scale(random_vector(), 30), v3_scale(random_vector(), 3)};
    rgForceId force;
    REQUIRE(rg_world_add_force(world, &pull, &force) == RG_OK);
    run_steps(world, 1);
    int slot = rg_slot_of(world, rg_world_body_slot(world, id));
    double part = random_between(0.05, 0.95), before = rg_world_energy(world).kinetic;
    world->step->bodies[slot].part = part;
    rgVec3 shift = v3_scale(random_vector(), 0.03), turn = v3_scale(random_vector(), 0.05);
    rgVec3 goes = shift, turns = turn;
    rg_fill_cut_movement(world->step, slot, &goes, &turns);
    rgVec3 pushed = v3_axpy(pull.wrench.force, def.mass, options.gravity);
    double rest = (1 - part) * (v3_dot(pushed, shift) + v3_dot(pull.wrench.torque, turn));
    double after = rg_world_energy(world).kinetic;
    CONTEXT("case %d: %g J of %g J, part %g", k, rest, before, part);
    CHECK_NEAR(distance(goes, v3_scale(shift, part)), 0, 1e-16);
    CHECK_NEAR(distance(turns, v3_scale(turn, part)), 0, 1e-16);
    CHECK_NEAR(after, rest <= 0 ? before : fmax(before - rest, 0), 1e-12 * before);
    rg_world_destroy(world);
  }
}
