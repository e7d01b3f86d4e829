// Ids of bodies, shapes and forces: they name the same thing for as long as it lives, and nothing
// after.
#include "test.h"
#include <rigor/joint.h>

#include "support/builder.h"

TEST(ids_survive_adding_and_removing_others) {
  enum { LIVE = 60, TRIALS = 2000 };
  rgWorld* world = build_world("default");
  rgBodyId id[LIVE];
  double place[LIVE]; // x of each body: what an id must keep leading to
  bool alive[LIVE] = {false};
  uint32_t random = 1;
  int count = 0;
  for (int trial = 0; trial < TRIALS; ++trial) {
    random = random * 1664525u + 1013904223u;
    int i = (int)(random >> 16) % LIVE;
    if (alive[i]) {
      CHECK_INT(rg_world_remove_body(world, id[i]), RG_OK);
      CHECK(!rg_body_valid(world, id[i]));
      --count;
    } else {
      place[i] = 10 * trial;
      id[i] = build_box(world, v3(1, 1, 1), v3(place[i], 0, 0));
      ++count;
    }
    alive[i] = !alive[i];
  }
  CHECK_INT(rg_world_body_count(world), count);
  for (int i = 0; i < LIVE; ++i) {
    CHECK_INT(rg_body_valid(world, id[i]), alive[i]);
    if (alive[i])
      CHECK_NEAR(rg_body_pose(world, id[i]).position.x, place[i], 0);
  }
  // Listing gives every living body once, in the order of the slots.
  for (int i = 0; i < count; ++i) {
    rgBodyId body = rg_world_body(world, i);
    CHECK(rg_body_valid(world, body));
    CHECK(i == 0 || body.index > rg_world_body(world, i - 1).index);
  }
  CHECK_INT(rg_world_body(world, count).generation, 0);
  CHECK_INT(rg_world_body(world, -1).generation, 0);
  rg_world_destroy(world);
}

TEST(a_reused_slot_has_a_new_generation) {
  rgWorld* world = build_world("default");
  rgBodyId first = build_sphere(world, 1, v3_zero());
  CHECK(first.generation != 0);
  REQUIRE(rg_world_remove_body(world, first) == RG_OK);
  rgBodyId second = build_sphere(world, 1, v3(5, 0, 0));
  CHECK_INT(second.index, first.index);
  CHECK(second.generation != first.generation);
  CHECK(!rg_body_valid(world, first));
  CHECK(rg_body_valid(world, second));
  rg_world_destroy(world);
}

TEST(stale_body_ids_are_refused_with_a_message) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyId gone = build_sphere(world, 1, v3(0, 0, 1));
  rgBodyId other = build_sphere(world, 1, v3(5, 0, 1));
  REQUIRE(rg_world_remove_body(world, gone) == RG_OK);
  build_sphere(world, 1, v3(0, 0, 1)); // the successor in the slot

  char expected[100];
  snprintf(expected, sizeof expected, "there is no body with index %u and generation %u",
           (unsigned)gone.index, (unsigned)gone.generation);
  uint64_t before = rg_world_hash(world);
  rgShapeDef shape = shape_sphere(1);
  rgShapeId shape_id;
  const rgStatus results[] = {
      rg_world_remove_body(world, gone),
      rg_world_add_shape(world, gone, &shape, &shape_id),
      rg_body_set_pose(world, gone, pose_at(v3_zero())),
      rg_body_set_velocity(world, gone, twist(v3(1, 0, 0), v3_zero())),
      rg_body_apply_impulse(world, gone, v3(1, 0, 0), v3_zero()),
      rg_world_set_pair_collision(world, gone, other, false),
      rg_world_set_pair_collision(world, other, gone, false),
  };
  for (size_t i = 0; i < sizeof results / sizeof *results; ++i) {
    CONTEXT("call %d", (int)i);
    CHECK_INT(results[i], RG_ERROR_NOT_FOUND);
  }
  CHECK_STR(rg_world_message(world), expected);
  CHECK_HEX(rg_world_hash(world), before);
  CHECK_INT(rg_world_body_count(world), 3);

  // Reading gives neutral values, never those of the successor.
  CHECK_STR(rg_body_name(world, gone), "");
  CHECK_NEAR(rg_body_mass(world, gone).mass, 0, 0);
  CHECK_NEAR(rg_body_center(world, gone).z, 0, 0);
  rg_world_destroy(world);
}

TEST(ids_that_never_existed_are_refused) {
  rgWorld* world = build_world("default");
  build_sphere(world, 1, v3_zero());
  const rgBodyId wrong[] = {{0, 0}, {1, 1}, {0, 77}, {UINT32_MAX, UINT32_MAX}, {UINT32_MAX, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    CHECK(!rg_body_valid(world, wrong[i]));
    CHECK_INT(rg_world_remove_body(world, wrong[i]), RG_ERROR_NOT_FOUND);
  }
  CHECK_INT(rg_world_remove_shape(world, (rgShapeId){3, 1}), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_remove_shape(world, (rgShapeId){0, 0}), RG_ERROR_NOT_FOUND);
  CHECK_STR(rg_world_message(world), "there is no such shape");
  CHECK_INT(rg_world_remove_force(world, (rgForceId){0, 0}), RG_ERROR_NOT_FOUND);
  CHECK_STR(rg_world_message(world), "there is no such force");
  rg_world_destroy(world);
}

TEST(stale_shape_and_force_ids_are_refused) {
  rgWorld* world = build_world("default");
  rgBodyId body = build_sphere(world, 1, v3_zero());
  rgShapeDef shape = shape_sphere(0.5);
  rgShapeId first, second;
  REQUIRE(rg_world_add_shape(world, body, &shape, &first) == RG_OK);
  REQUIRE(rg_world_remove_shape(world, first) == RG_OK);
  REQUIRE(rg_world_add_shape(world, body, &shape, &second) == RG_OK);
  CHECK_INT(second.index, first.index);
  CHECK_INT(rg_world_remove_shape(world, first), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_remove_shape(world, second), RG_OK);

  rgForceDef force = rg_force_def();
  force.body = body;
  rgForceId old_force, new_force;
  REQUIRE(rg_world_add_force(world, &force, &old_force) == RG_OK);
  REQUIRE(rg_world_remove_force(world, old_force) == RG_OK);
  REQUIRE(rg_world_add_force(world, &force, &new_force) == RG_OK);
  CHECK_INT(rg_world_remove_force(world, old_force), RG_ERROR_NOT_FOUND);
  CHECK_INT(rg_world_remove_force(world, new_force), RG_OK);
  rg_world_destroy(world);
}

TEST(a_body_takes_its_shapes_forces_and_filters_along) {
  rgWorld* world = build_still("default");
  rgBodyId gone = build_sphere(world, 1, v3_zero());
  rgBodyId other = build_sphere(world, 1, v3(1.9, 0, 0));
  rgForceDef force = rg_force_def();
  force.body = gone;
  force.wrench.force = v3(0, 1e3, 0);
  rgForceId force_id;
  REQUIRE(rg_world_add_force(world, &force, &force_id) == RG_OK);
  REQUIRE(rg_world_set_pair_collision(world, gone, other, false) == RG_OK);
  REQUIRE(rg_world_remove_body(world, gone) == RG_OK);
  CHECK_INT(rg_world_remove_force(world, force_id), RG_ERROR_NOT_FOUND);

  // The successor in the slot has neither the force nor the filter.
  rgBodyId next = build_sphere(world, 1, v3(3.8, 0, 0));
  REQUIRE(next.index == gone.index);
  run_steps(world, 1);
  CHECK_NEAR(rg_body_velocity(world, next).linear.y, 0, 0);
  CHECK(rg_world_contact_count(world) > 0);
  rg_world_destroy(world);
}

TEST(names_find_bodies) {
  rgWorld* world = build_world("default");
  rgBodyDef def = rg_body_def();
  def.name = "crate";
  rgBodyId crate = build_body(world, &def, shape_sphere(1));
  def.name = NULL;
  build_body(world, &def, shape_sphere(1));
  char name[100];
  memset(name, 'x', sizeof name);
  name[99] = '\0';
  def.name = name;
  rgBodyId longest = build_body(world, &def, shape_sphere(1));
  memset(name, 'y', 99); // the world has its own copy

  CHECK_STR(rg_body_name(world, crate), "crate");
  CHECK_INT(rg_world_find_body(world, "crate").index, crate.index);
  CHECK_INT(rg_world_find_body(world, "crate").generation, crate.generation);
  CHECK_INT(strlen(rg_body_name(world, longest)), 63);
  CHECK_INT(rg_body_name(world, longest)[0], 'x');
  CHECK_INT(rg_world_find_body(world, "crat").generation, 0);
  CHECK_MSG(rg_world_find_body(world, "").generation == 0,
            "bodies without a name have none to find");
  REQUIRE(rg_world_remove_body(world, crate) == RG_OK);
  CHECK_INT(rg_world_find_body(world, "crate").generation, 0);
  rg_world_destroy(world);
}

// Two stacks of three boxes that have come to rest.
enum { STACKED = 6 };

typedef struct Stacks {
  rgWorld* world;
  rgBodyId box[STACKED];
  rgPose settled[STACKED];
} Stacks;

static void build_stacks(Stacks* stacks, const char* preset) {
  stacks->world = build_world(preset);
  build_floor(stacks->world);
  for (int i = 0; i < STACKED; ++i)
    stacks->box[i] =
        build_box(stacks->world, v3(0.5, 0.5, 0.5), v3(i < 3 ? 0 : 3, 0.05 * (i % 3), 0.5 + i % 3));
  run_steps(stacks->world, 100);
  for (int i = 0; i < STACKED; ++i)
    stacks->settled[i] = rg_body_pose(stacks->world, stacks->box[i]);
}

// How far each box may be from where it had settled [m], the boxes being 1 m large.
static void check_at_rest(const Stacks* stacks, int first, double allowed) {
  for (int i = first; i < STACKED; ++i) {
    rgPose now = rg_body_pose(stacks->world, stacks->box[i]);
    CONTEXT("box %d after %d steps", i, (int)rg_world_steps(stacks->world));
    CHECK_NEAR(distance(now.position, stacks->settled[i].position), 0, allowed);
    rgQuat turn = quat_mul(now.orientation, quat_conj(stacks->settled[i].orientation));
    CHECK_NEAR(v3_norm(v3(turn.x, turn.y, turn.z)), 0, allowed);
  }
}

static void let_balls_come_and_go(rgWorld* world, int trials) {
  rgBodyId visitor[3];
  for (int trial = 0; trial < trials; ++trial) {
    for (int i = 0; i < 3; ++i)
      visitor[i] = build_sphere(world, 0.3, v3(-3, 2 * i, 0.5 + 0.1 * (trial % 20)));
    run_steps(world, 3);
    REQUIRE(rg_world_remove_body(world, visitor[trial % 3]) == RG_OK);
    run_steps(world, 1);
    REQUIRE(rg_world_remove_body(world, visitor[(trial + 1) % 3]) == RG_OK);
    REQUIRE(rg_world_remove_body(world, visitor[(trial + 2) % 3]) == RG_OK);
    run_steps(world, 1);
  }
}

static void let_shapes_come_and_go(rgWorld* world, int trials) {
  rgBodyId wall = build_block(world, v3(0.1, 0.1, 0.1), v3(-5, 0, 0));
  for (int trial = 0; trial < trials; ++trial) {
    rgShapeDef shape = shape_box(v3(0.1, 0.1, 0.1 + 0.01 * (trial % 20)));
    shape.pose.position = v3(0, 1, 0);
    rgShapeId added;
    REQUIRE(rg_world_add_shape(world, wall, &shape, &added) == RG_OK);
    run_steps(world, 3);
    REQUIRE(rg_world_remove_shape(world, added) == RG_OK);
    run_steps(world, 2);
  }
}

TEST(what_rests_is_not_disturbed_by_coming_and_going_bodies) {
  Stacks stacks;
  build_stacks(&stacks, "reference");
  let_balls_come_and_go(stacks.world, 20);
  check_at_rest(&stacks, 0, 1e-9);
  rg_world_destroy(stacks.world);
}

TEST(what_rests_is_not_disturbed_by_coming_and_going_shapes) {
  Stacks stacks;
  build_stacks(&stacks, "reference");
  let_shapes_come_and_go(stacks.world, 20);
  check_at_rest(&stacks, 0, 1e-9);
  rg_world_destroy(stacks.world);
}

TEST(others_do_not_change_a_bit_of_what_they_do_not_touch) {
  // An island is a problem of its own: with the same steps, only the company differs.
  enum { TRIALS = 20 };
  Stacks alone, company;
  build_stacks(&alone, "default");
  build_stacks(&company, "default");
  run_steps(alone.world, 10 * TRIALS);
  let_balls_come_and_go(company.world, TRIALS);
  let_shapes_come_and_go(company.world, TRIALS);
  REQUIRE(rg_world_steps(alone.world) == rg_world_steps(company.world));
  for (int i = 0; i < STACKED; ++i) {
    rgPose a = rg_body_pose(alone.world, alone.box[i]),
           b = rg_body_pose(company.world, company.box[i]);
    CONTEXT("box %d", i);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
    rgTwist v = rg_body_velocity(alone.world, alone.box[i]),
            w = rg_body_velocity(company.world, company.box[i]);
    CHECK(memcmp(&v, &w, sizeof v) == 0);
  }
  rg_world_destroy(alone.world);
  rg_world_destroy(company.world);
}

TEST(removing_the_lowest_box_lets_the_others_fall_and_leaves_the_neighbours) {
  Stacks stacks;
  build_stacks(&stacks, "reference");
  REQUIRE(rg_world_remove_body(stacks.world, stacks.box[0]) == RG_OK);
  run_steps(stacks.world, 600);
  CHECK_NEAR(rg_body_pose(stacks.world, stacks.box[1]).position.z, 0.5, 1e-6);
  CHECK_NEAR(rg_body_pose(stacks.world, stacks.box[2]).position.z, 1.5, 1e-6);
  check_at_rest(&stacks, 3, 1e-9);
  rg_world_destroy(stacks.world);
}

TEST(removing_everything_leaves_an_empty_world_that_steps) {
  rgWorld* world = build_world("default");
  rgBodyId floor = build_floor(world), box = build_box(world, v3(1, 1, 1), v3(0, 0, 1));
  run_steps(world, 5);
  CHECK(rg_world_contact_count(world) > 0);
  REQUIRE(rg_world_remove_body(world, floor) == RG_OK);
  CHECK_INT(rg_world_contact_count(world), 0);
  CHECK_INT(rg_world_island_count(world), 0);
  REQUIRE(rg_world_remove_body(world, box) == RG_OK);
  rgCertificate certificate;
  CHECK_INT(rg_world_step(world, &certificate), RG_OK);
  CHECK(certificate.met);
  CHECK_INT(certificate.contacts, 0);
  CHECK_INT(rg_world_body_count(world), 0);
  rg_world_destroy(world);
}

// Names are found however many there are, and however many come and go.
TEST(many_names_find_their_bodies_and_joints) {
  enum { MANY = 150 };
  rgWorld* world = build_world("default");
  rgBodyId ids[MANY];
  rgJointId joints[MANY];
  bool there[MANY] = {false};
  char name[32];
  for (int i = 0; i < 4 * MANY; i++) {
    int at = (i * 37) % MANY;
    snprintf(name, sizeof name, "body %d", at);
    if (there[at] && i % 3 == 0) {
      REQUIRE(rg_world_remove_body(world, ids[at]) == RG_OK);
      there[at] = false;
    } else if (!there[at]) {
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(3.0 * at, 0, 0));
      def.name = name;
      ids[at] = build_body(world, &def, shape_sphere(0.1));
      rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
      joint.body_b = ids[at];
      joint.point = v3(3.0 * at, 0, 0);
      joint.name = name;
      REQUIRE(rg_world_add_joint(world, &joint, &joints[at]) == RG_OK);
      there[at] = true;
    }
    for (int k = i % 7; k < MANY; k += 7) {
      snprintf(name, sizeof name, "body %d", k);
      rgBodyId body = rg_world_find_body(world, name);
      rgJointId joint = rg_world_find_joint(world, name);
      CHECK_INT(body.generation, there[k] ? ids[k].generation : 0);
      CHECK_INT(joint.generation, there[k] ? joints[k].generation : 0);
    }
  }
  rg_world_destroy(world);
}

TEST(things_are_added_without_asking_for_their_ids) {
  rgWorld* world = build_world("default");
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0, 0, 1));
  rgShapeDef shape = shape_sphere(0.1);
  REQUIRE_INT(rg_world_add_body(world, &body, &shape, 1, NULL), RG_OK);
  rgBodyId id = rg_world_body(world, 0);
  CHECK_INT(rg_world_add_shape(world, id, &shape, NULL), RG_OK);
  rgForceDef force = rg_force_def();
  force.body = id;
  CHECK_INT(rg_world_add_force(world, &force, NULL), RG_OK);
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  joint.body_b = id;
  CHECK_INT(rg_world_add_joint(world, &joint, NULL), RG_OK);
  CHECK_INT(rg_world_shapes(world, NULL, 0), 2);
  CHECK_INT(rg_world_forces(world, NULL, 0), 1);
  CHECK_INT(rg_world_joint_count(world), 1);
  rg_world_destroy(world);
}

// What is refused leaves no trace in ids: after shapes and bodies whose mass overflows, what comes next has the ids that it
// would have had.
TEST(refused_shapes_take_no_ids) {
  for (int kind = 0; kind < 2; kind++)
    for (int shapes = 1; shapes <= 4; shapes++) {
      rgBodyId bodies[2];
      rgShapeId added[2];
      for (int refused = 0; refused < 2; refused++) {
        rgWorld* world = build_world("default");
        rgBodyId body = build_sphere(world, 0.1, v3_zero());
        rgShapeDef heavy = shape_sphere(10);
        heavy.density = 1e306; // the volume is above 4000 m3
        CONTEXT("%s, %d times", kind ? "bodies" : "shapes", shapes);
        for (int i = 0; i < shapes && refused; i++) {
          rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
          CHECK_INT(kind ? rg_world_add_body(world, &def, &heavy, 1, NULL)
                         : rg_world_add_shape(world, body, &heavy, NULL),
                    RG_ERROR_INPUT);
        }
        rgShapeDef light = shape_sphere(0.2);
        REQUIRE_INT(rg_world_add_shape(world, body, &light, &added[refused]), RG_OK);
        bodies[refused] = build_sphere(world, 0.1, v3(1, 0, 0));
        rg_world_destroy(world);
      }
      CHECK_INT(added[1].index, added[0].index);
      CHECK_INT(added[1].generation, added[0].generation);
      CHECK_INT(bodies[1].index, bodies[0].index);
      CHECK_INT(bodies[1].generation, bodies[0].generation);
    }
}
