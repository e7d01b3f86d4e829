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

static bool count_pair(rgStep* step, const rgPassingPair* pair) {
  (void)step;
  return pair->passing.found;
}

// A ball flies behind a thin plate, with the same velocity: neither passes the other. Where one of them stops
// on its way, the ball goes into the plate, whichever is the first body, though nobody watches them.
TEST(what_has_stopped_is_in_the_way_of_what_follows) {
  random_state = 14;
  for (int k = 0; k < 20; k++) {
    rgWorld* world = build_still("default");
    build_set_step(world, 0.01, 1);
    rgVec3 along = random_direction(), t, o;
    v3_frame(along, &t, &o);
    double thin = random_between(0.005, 0.02), gap = random_between(0.01, 0.03), radius = 0.3;
    rgTwist v = twist(v3_scale(along, 10), v3_zero()); // 0.1 m in a step
    rgBodyDef plate = body_at(RG_BODY_DYNAMIC, v3_zero()),
              ball = body_at(RG_BODY_DYNAMIC, v3_scale(along, -(thin + gap + radius)));
    rgVec3 axis = v3_cross(v3(0, 0, 1), along);
    plate.pose.orientation = quat_unit((rgQuat){1 + along.z, axis.x, axis.y, axis.z});
    plate.velocity = ball.velocity = v;
    rgBodyId ids[2];
    for (int i = 0; i < 2; i++)
      if (i == k % 2)
        ids[0] = build_body(world, &plate, shape_box(v3(0.5, 0.5, thin)));
      else
        ids[1] = build_body(world, &ball, shape_sphere(radius));
    run_steps(world, 1);
    rgStep* step = world->step;
    int slots[2];
    step->look.watched = true;
    for (int i = 0; i < 2; i++) {
      slots[i] = rg_slot_of(world, rg_world_body_slot(world, ids[i]));
      step->forest.parent[slots[i]] = slots[i]; // an island of its own
      rgBodyStep* body = &step->bodies[slots[i]];
      body->watch = RG_WATCH_NONE;
      body->part = 1;
      body->haste = 0;
    }
    CONTEXT("case %d", k);
    CHECK_INT(rg_fill_visit_passing(step, count_pair), 0);
    step->bodies[slots[0]].part = 0.2; // the ball comes 0.08 m nearer
    CHECK_INT(rg_fill_visit_passing(step, count_pair), 1);
    step->bodies[slots[0]].part = 1;
    step->bodies[slots[1]].part = 0.2; // and now the plate goes ahead
    CHECK_INT(rg_fill_visit_passing(step, count_pair), 0);
    rg_world_destroy(world);
  }
}
