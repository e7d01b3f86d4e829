// Impossible input is refused with a message that says what is wrong and what would be right, and
// leaves the world as it was.
#include "test.h"

#include "support/builder.h"
#include <rigor/solver.h>

static const double NOT_A_NUMBER = (double)NAN, INFINITE = (double)INFINITY;

// One way to spoil a good definition, and what is said about it.
typedef struct BodyCase {
  const char* what;
  void (*spoil)(rgBodyDef* def, rgShapeDef* shape);
  const char* message;
} BodyCase;

#define SPOIL(name, change)                                                                        \
  static void name(rgBodyDef* def, rgShapeDef* shape) {                                            \
    (void)def;                                                                                     \
    (void)shape;                                                                                   \
    change;                                                                                        \
  }

static void give_inertia(rgBodyDef* def, rgMat3 inertia) {
  def->mass = 1;
  def->inertia_given = true;
  def->inertia = inertia;
}

SPOIL(negative_mass, def->mass = -1)
SPOIL(mass_not_a_number, def->mass = NOT_A_NUMBER)
SPOIL(mass_infinite, def->mass = INFINITE)
SPOIL(position_not_a_number, def->pose.position.y = NOT_A_NUMBER)
SPOIL(position_infinite, def->pose.position.z = -INFINITE)
SPOIL(orientation_too_long, def->pose.orientation.w = 2)
SPOIL(orientation_zero, def->pose.orientation = ((rgQuat){0, 0, 0, 0}))
SPOIL(orientation_not_a_number, def->pose.orientation.x = NOT_A_NUMBER)
SPOIL(velocity_not_a_number, def->velocity.linear.x = NOT_A_NUMBER)
SPOIL(spin_infinite, def->velocity.angular.z = INFINITE)
SPOIL(static_with_velocity, def->kind = RG_BODY_STATIC; def->velocity.linear.x = 1)
SPOIL(static_with_spin, def->kind = RG_BODY_STATIC; def->velocity.angular.z = 1)
SPOIL(unknown_kind, def->kind = (rgBodyKind)17)
SPOIL(thin_triangle, give_inertia(def, m3_diag(1, 1, 3)))
SPOIL(unsymmetric, give_inertia(def, ((rgMat3){{{2, 0.5, 0}, {0.25, 2, 0}, {0, 0, 2}}})))
SPOIL(negative_moment, give_inertia(def, m3_diag(-1, 2, 2)))
SPOIL(indefinite, give_inertia(def, ((rgMat3){{{1, 2, 0}, {2, 1, 0}, {0, 0, 3}}})))
SPOIL(inertia_not_a_number, give_inertia(def, m3_diag(1, NOT_A_NUMBER, 1)))
SPOIL(center_infinite, give_inertia(def, m3_identity()); def->center.x = INFINITE)
SPOIL(halfspace_that_moves, shape->kind = RG_SHAPE_HALFSPACE)
SPOIL(material_too_large, shape->material = 3)
SPOIL(material_negative, shape->material = -1)
SPOIL(no_density, shape->density = 0)
SPOIL(negative_density, shape->density = -5)
SPOIL(negative_size, shape->half.y = -1)
SPOIL(zero_size, shape->half.z = 0)
SPOIL(shape_turned_badly, shape->pose.orientation.w = 0)
SPOIL(unknown_shape, shape->kind = (rgShapeKind)99)

static const BodyCase body_cases[] = {
    {"negative mass", negative_mass, "mass is -1, must be > 0, or 0 to take it from the density"},
    {"NaN mass", mass_not_a_number, "mass is nan, must be > 0, or 0 to take it from the density"},
    {"infinite mass", mass_infinite, "mass is inf, must be > 0, or 0 to take it from the density"},
    {"NaN position", position_not_a_number, "position is not finite"},
    {"infinite position", position_infinite, "position is not finite"},
    {"long quaternion", orientation_too_long, "orientation has the norm 2, must be 1"},
    {"zero quaternion", orientation_zero, "orientation has the norm 0, must be 1"},
    {"NaN quaternion", orientation_not_a_number, "orientation has the norm nan, must be 1"},
    {"NaN velocity", velocity_not_a_number, "velocity is not finite"},
    {"infinite spin", spin_infinite, "velocity is not finite"},
    {"moving static body", static_with_velocity,
     "a static body has a velocity, must be zero (or the body kinematic)"},
    {"turning static body", static_with_spin,
     "a static body has a velocity, must be zero (or the body kinematic)"},
    {"unknown body kind", unknown_kind, "body kind 17 does not exist"},
    {"triangle inequality", thin_triangle,
     "inertia is impossible: principal moments 1, 1, 3; the sum of two must not be less than the "
     "third"},
    {"unsymmetric inertia", unsymmetric,
     "inertia is not symmetric: entries (1,0) and (0,1) are 0.25 and 0.5"},
    {"negative moment", negative_moment, "inertia has the principal moment -1, must be > 0"},
    {"indefinite inertia", indefinite, "inertia has the principal moment -1, must be > 0"},
    {"NaN inertia", inertia_not_a_number, "inertia is not finite"},
    {"infinite centre", center_infinite, "center is not finite"},
    {"moving half-space", halfspace_that_moves,
     "a halfspace has no volume: it can be put on a static or kinematic body only"},
    {"material out of range", material_too_large, "material 3 does not exist, must be 0 .. 1"},
    {"negative material", material_negative, "material -1 does not exist, must be 0 .. 1"},
    {"no mass at all", no_density,
     "a dynamic body needs a mass > 0 or a solid shape with density > 0"},
    {"negative density", negative_density, "density is -5, must be >= 0"},
    {"negative size", negative_size, "half.y is -1, must be > 0"},
    {"zero size", zero_size, "half.z is 0, must be > 0"},
    {"shape turned badly", shape_turned_badly, "pose.orientation has length 0, must be 1"},
    {"unknown shape", unknown_shape, "shape kind 99 does not exist"},
};

TEST(impossible_bodies_are_refused_with_a_message) {
  rgWorld* world = build_world("default");
  build_material(world, 0.3, 0);
  build_floor(world);
  build_box(world, v3(0.5, 0.5, 0.5), v3(0, 0, 0.5));
  run_steps(world, 2);
  uint64_t before = rg_world_hash(world);
  for (size_t i = 0; i < sizeof body_cases / sizeof *body_cases; ++i) {
    const BodyCase* c = &body_cases[i];
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 5));
    rgShapeDef shape = shape_box(v3(1, 1, 1));
    c->spoil(&def, &shape);
    rgBodyId id = {7, 7};
    CONTEXT("%s", c->what);
    CHECK_INT(rg_world_add_body(world, &def, &shape, 1, &id), RG_ERROR_INPUT);
    CHECK_STR(rg_world_message(world), c->message);
    CHECK_INT(id.generation, 0);
    CHECK_INT(rg_world_body_count(world), 2);
    CHECK_HEX(rg_world_hash(world), before);
  }
  run_steps(world, 2);
  rg_world_destroy(world);
}

TEST(a_bad_second_shape_takes_the_first_one_back) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.5));
  rgShapeDef shapes[2] = {shape_sphere(1), shape_sphere(-1)};
  rgBodyId id;
  CHECK_INT(rg_world_add_body(world, &def, shapes, 2, &id), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "radius is -1, must be > 0");
  run_steps(world, 2);
  CHECK_INT(rg_world_contact_count(world), 0);
  rg_world_destroy(world);
}

TEST(triangle_inequality_has_room_for_printed_digits) {
  // A thin plate has I3 = I1 + I2 exactly; written with seven digits it may miss it a little.
  rgWorld* world = build_world("default");
  rgBodyDef def = rg_body_def();
  give_inertia(&def, m3_diag(0.3333333, 0.3333333, 0.6666667));
  build_body(world, &def, shape_box(v3(1, 1, 0.001)));
  rg_world_destroy(world);
}

// --- materials ----------------------------------------------------------------------------------

TEST(impossible_materials_are_refused_with_a_message) {
  rgWorld* world = build_world("default");
  const rgMaterial good = rg_material_default();
  rgMaterial m[8] = {good, good, good, good, good, good, good, good};
  m[0].mu = -0.1;
  m[1].mu = INFINITE;
  m[2].restitution = 1.5;
  m[3].restitution = NOT_A_NUMBER;
  m[4].e_t = 0;
  m[5].e_o = -1;
  m[6].e_tau = -0.01;
  m[7].direction = v3(NOT_A_NUMBER, 0, 0);
  const char* messages[8] = {
      "mu is -0.1, must be >= 0",
      "mu is inf, must be >= 0",
      "restitution is 1.5, must be >= 0 and <= 1",
      "restitution is nan, must be >= 0 and <= 1",
      "e_t is 0, must be > 0",
      "e_o is -1, must be > 0",
      "e_tau is -0.01, must be >= 0",
      "direction is not finite",
  };
  for (int i = 0; i < 8; ++i) {
    int index = -1;
    CONTEXT("material %d", i);
    CHECK_INT(rg_world_add_material(world, &m[i], &index), RG_ERROR_INPUT);
    CHECK_STR(rg_world_message(world), messages[i]);
    CHECK_INT(index, -1);
    CHECK_INT(rg_world_set_material(world, 0, &m[i]), RG_ERROR_INPUT);
    CHECK_INT(rg_world_set_pair_material(world, 0, 0, &m[i]), RG_ERROR_INPUT);
  }
  CHECK_INT(rg_world_set_material(world, 1, &good), RG_ERROR_NOT_FOUND);
  CHECK_STR(rg_world_message(world), "material 1 does not exist, must be 0 .. 0");
  CHECK_INT(rg_world_set_pair_material(world, 0, 5, &good), RG_ERROR_NOT_FOUND);
  CHECK_STR(rg_world_message(world), "material 5 does not exist, must be 0 .. 0");
  CHECK_INT(rg_world_set_pair_material(world, -2, 0, &good), RG_ERROR_NOT_FOUND);
  rg_world_destroy(world);
}

// --- forces -------------------------------------------------------------------------------------

static void check_force(rgWorld* world, const rgForceDef* def, rgStatus status,
                        const char* message) {
  rgForceId id = {3, 3};
  CHECK_INT(rg_world_add_force(world, def, &id), status);
  CHECK_STR(rg_world_message(world), message);
  CHECK_INT(id.generation, 0);
}

TEST(impossible_forces_are_refused_with_a_message) {
  rgWorld* world = build_world("default");
  rgBodyId floor = build_floor(world), box = build_box(world, v3(1, 1, 1), v3(0, 0, 1));
  rgForceDef good = rg_force_def();
  good.body = box;

  rgForceDef def = good;
  def.body = floor;
  check_force(world, &def, RG_ERROR_INPUT, "a force acts on a body that is not dynamic");
  def.body = (rgBodyId){0, 0};
  check_force(world, &def, RG_ERROR_NOT_FOUND, "a force acts on a body that does not exist");
  def = good;
  def.wrench.torque.y = NOT_A_NUMBER;
  check_force(world, &def, RG_ERROR_INPUT, "force is not finite");
  def = good;
  def.at_point = true;
  def.point.x = INFINITE;
  check_force(world, &def, RG_ERROR_INPUT, "the point of the force is not finite");
  def = good;
  def.kind = RG_FORCE_CALLBACK;
  check_force(world, &def, RG_ERROR_INPUT, "a callback force has no callback");
  def.kind = (rgForceKind)9;
  check_force(world, &def, RG_ERROR_INPUT, "force kind 9 does not exist");
  rg_world_destroy(world);
}

TEST(impossible_force_tables_are_refused_with_a_message) {
  rgWorld* world = build_world("default");
  const double increasing[] = {0, 1, 2}, falling[] = {0, 2, 1.5}, repeated[] = {0, 1, 1};
  const double holed[] = {0, NOT_A_NUMBER, 2};
  rgWrench wrenches[3] = {{{0, 0, 0}, {0, 0, 0}}};
  rgForceDef def = rg_force_def();
  def.body = build_box(world, v3(1, 1, 1), v3(0, 0, 1));
  def.kind = RG_FORCE_TABLE;
  def.wrenches = wrenches;
  def.row_count = 3;
  rgForceId none;
  CHECK_INT(rg_world_add_force(world, &def, &none), RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world),
                 "times"); // there are three rows: what is missing are the times
  def.times = falling;
  check_force(world, &def, RG_ERROR_INPUT, "times[2] of the force table is 1.5, must be after 2");
  def.times = repeated;
  check_force(world, &def, RG_ERROR_INPUT, "times[2] of the force table is 1, must be after 1");
  def.times = holed;
  check_force(world, &def, RG_ERROR_INPUT, "row 1 of the force table is not finite");
  def.times = increasing;
  def.row_count = 0;
  check_force(world, &def, RG_ERROR_INPUT, "a table force has 0 rows, must have at least 1");
  def.row_count = 3;
  wrenches[2].force.z = INFINITE;
  check_force(world, &def, RG_ERROR_INPUT, "row 2 of the force table is not finite");
  rg_world_destroy(world);
}

TEST(what_only_moving_bodies_can_take) {
  rgWorld* world = build_world("default");
  rgBodyId floor = build_floor(world), box = build_box(world, v3(1, 1, 1), v3(0, 0, 1));
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3(9, 0, 0));
  rgBodyId lift = build_body(world, &def, shape_box(v3(1, 1, 1)));
  CHECK_INT(rg_body_set_velocity(world, floor, twist(v3(1, 0, 0), v3_zero())), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "a static body cannot get a velocity");
  CHECK_INT(rg_body_apply_impulse(world, floor, v3(1, 0, 0), v3_zero()), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "only a dynamic body takes an impulse");
  CHECK_INT(rg_body_apply_impulse(world, lift, v3(1, 0, 0), v3_zero()), RG_ERROR_INPUT);
  CHECK_INT(rg_body_set_velocity(world, lift, twist(v3(1, 0, 0), v3_zero())), RG_OK);

  uint64_t before = rg_world_hash(world);
  CHECK_INT(rg_body_set_velocity(world, box, twist(v3(NOT_A_NUMBER, 0, 0), v3_zero())),
            RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "the velocity is not finite");
  CHECK_INT(rg_body_apply_impulse(world, box, v3(INFINITE, 0, 0), v3_zero()), RG_ERROR_INPUT);
  CHECK_INT(rg_body_apply_impulse(world, box, v3(1, 0, 0), v3(0, NOT_A_NUMBER, 0)), RG_ERROR_INPUT);
  CHECK_INT(rg_body_set_pose(world, box, pose_at(v3(NOT_A_NUMBER, 0, 0))), RG_ERROR_INPUT);
  CHECK_STR(rg_world_message(world), "the pose is not finite or its orientation is not of norm 1");
  rgPose bad = pose_at(v3_zero());
  bad.orientation.w = 0.5;
  CHECK_INT(rg_body_set_pose(world, box, bad), RG_ERROR_INPUT);
  CHECK_HEX(rg_world_hash(world), before);
  rg_world_destroy(world);
}

// --- options ------------------------------------------------------------------------------------

typedef struct OptionCase {
  const char* message;
  void (*spoil)(rgOptions* options);
} OptionCase;

#define SPOIL_OPTION(name, change)                                                                 \
  static void name(rgOptions* o) { change; }

SPOIL_OPTION(no_step, o->step = 0)
SPOIL_OPTION(negative_step, o->step = -0.01)
SPOIL_OPTION(step_not_a_number, o->step = NOT_A_NUMBER)
SPOIL_OPTION(step_infinite, o->step = INFINITE)
SPOIL_OPTION(theta_low, o->theta = 0.4)
SPOIL_OPTION(theta_high, o->theta = 1.01)
SPOIL_OPTION(no_tolerance, o->tolerance = 0)
SPOIL_OPTION(no_iterations, o->iteration_limit = 0)
SPOIL_OPTION(negative_time, o->time_limit = -1)
SPOIL_OPTION(two_facets, o->facets = 2)
SPOIL_OPTION(many_threads, o->threads = 1000)
SPOIL_OPTION(no_threads, o->threads = 0)
SPOIL_OPTION(unknown_solver, snprintf(o->solver, sizeof o->solver, "magic"))
SPOIL_OPTION(unknown_stepper, snprintf(o->stepper, sizeof o->stepper, "euler"))
SPOIL_OPTION(unknown_cone, snprintf(o->cone, sizeof o->cone, "square"))
SPOIL_OPTION(unterminated, memset(o->cone, 'z', sizeof o->cone))
SPOIL_OPTION(empty_name, o->solver[0] = '\0')
SPOIL_OPTION(bad_gravity, o->gravity.y = NOT_A_NUMBER)

static const OptionCase option_cases[] = {
    {"step is 0, must be finite and > 0", no_step},
    {"step is -0.01, must be finite and > 0", negative_step},
    {"step is nan, must be finite and > 0", step_not_a_number},
    {"step is inf, must be finite and > 0", step_infinite},
    {"theta is 0.4, must be >= 0.5 and <= 1", theta_low},
    {"theta is 1.01, must be >= 0.5 and <= 1", theta_high},
    {"tolerance is 0, must be > 0 and <= 1", no_tolerance},
    {"iteration_limit is 0, must be finite and >= 1", no_iterations},
    {"time_limit is -1, must be finite and >= 0", negative_time},
    {"facets is 2, must be >= 3 and <= 64", two_facets},
    {"threads is 1000, must be >= 1 and <= 64", many_threads},
    {"threads is 0, must be >= 1 and <= 64", no_threads},
    {"solver is \"magic\", must be one of: ", unknown_solver},
    {"stepper is \"euler\", must be one of: ", unknown_stepper},
    {"cone is \"square\", must be one of: exact, inner, outer, frictionless", unknown_cone},
    {"cone is \"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\", must be one of: exact, inner, ", unterminated},
    {"solver is \"\", must be one of: ", empty_name},
    {"gravity is (0, nan, -9.81), must be finite", bad_gravity},
};

TEST(options_out_of_range_are_refused_with_a_message) {
  rgWorld* world = build_world("default");
  const rgOptions good = *rg_world_options(world);
  for (size_t i = 0; i < sizeof option_cases / sizeof *option_cases; ++i) {
    rgOptions options = good;
    option_cases[i].spoil(&options);
    CONTEXT("%s", option_cases[i].message);
    rgMessage message = {""};
    CHECK_INT(rg_options_check(&options, &message), RG_ERROR_INPUT);
    CHECK_CONTAINS(message.text, option_cases[i].message);
    CHECK_INT(rg_options_check(&options, NULL), RG_ERROR_INPUT);
    // The world refuses them too, when it is made and later.
    CHECK_INT(rg_world_set_options(world, &options), RG_ERROR_INPUT);
    CHECK_CONTAINS(rg_world_message(world), option_cases[i].message);
    CHECK(memcmp(rg_world_options(world), &good, sizeof good) == 0);
    rgWorldDef def = rg_world_def();
    def.options = options;
    rgWorld* none = world;
    CHECK_INT(rg_world_create(&def, &none, &message), RG_ERROR_INPUT);
    CHECK(none == NULL);
    CHECK_CONTAINS(message.text, option_cases[i].message);
  }
  rg_world_destroy(world);
}

TEST(an_unknown_name_is_answered_with_the_known_ones) {
  rgOptions options;
  REQUIRE(rg_options_preset("default", &options));
  struct {
    char* field;
    const char* (*names)(int index);
  } tables[] = {{options.solver, rg_solver_name},
                {options.stepper, rg_stepper_name},
                {options.cone, rg_cone_option_name}};
  for (int i = 0; i < 3; ++i) {
    char kept[RG_NAME_MAX];
    memcpy(kept, tables[i].field, sizeof kept);
    snprintf(tables[i].field, RG_NAME_MAX, "none-of-them");
    rgMessage message = {""};
    CHECK_INT(rg_options_check(&options, &message), RG_ERROR_INPUT);
    for (int k = 0; tables[i].names(k); ++k)
      CHECK_CONTAINS(message.text, tables[i].names(k));
    memcpy(tables[i].field, kept, sizeof kept);
    CHECK_INT(rg_options_check(&options, &message), RG_OK);
  }
}

TEST(presets_are_legal_and_named) {
  int count = 0;
  for (; rg_preset_name(count); ++count) {
    rgOptions options;
    rgMessage message = {""};
    CHECK(rg_options_preset(rg_preset_name(count), &options));
    CHECK_INT(rg_options_check(&options, &message), RG_OK);
    CHECK_STR(message.text, "");
    CHECK(rg_preset_summary(count) && rg_preset_summary(count)[0]);
  }
  CHECK_INT(count, 3);
  CHECK(rg_preset_summary(count) == NULL);
  rgOptions options = {.step = 42};
  CHECK(!rg_options_preset("fast", &options));
  CHECK_NEAR(options.step, 42, 0);
}

TEST(every_option_is_in_the_table_once) {
  // The table covers the struct without holes other than padding: no option can be forgotten in it.
  unsigned char covered[sizeof(rgOptions)] = {0};
  const size_t sizes[] = {[RG_OPTION_BOOL] = sizeof(bool),
                          [RG_OPTION_INT] = sizeof(int),
                          [RG_OPTION_REAL] = sizeof(double),
                          [RG_OPTION_VEC3] = sizeof(rgVec3),
                          [RG_OPTION_NAME] = RG_NAME_MAX};
  for (int i = 0; rg_option(i); ++i) {
    const rgOption* option = rg_option(i);
    for (size_t k = 0; k < sizes[option->type]; ++k)
      CHECK_MSG(covered[option->offset + k]++ == 0, "%s overlaps another option", option->name);
    CHECK(option->help && option->help[0] && option->unit);
    for (int k = 0; k < i; ++k)
      CHECK(strcmp(rg_option(k)->name, option->name) != 0);
  }
  int hole = 0;
  for (size_t i = 0; i < sizeof covered; ++i) {
    hole = covered[i] ? 0 : hole + 1;
    CHECK_MSG(hole < 8, "bytes up to %d of rgOptions are in no option", (int)i);
  }
  CHECK(rg_option(-1) == NULL);
}

// Gravity lies in the plane of a flat world, and the message has the number that does not.
TEST(gravity_of_a_flat_world_is_in_its_plane) {
  rgWorldDef def = rg_world_def_2d();
  rgWorld* world = NULL;
  rgMessage message = {""};
  def.options.gravity = v3(1, -2, -3.5);
  CHECK_INT(rg_world_create(&def, &world, &message), RG_ERROR_INPUT);
  CHECK_STR(message.text, "gravity has z = -3.5, must be 0 in a 2D world");
  def.options.gravity.z = 0;
  REQUIRE_INT(rg_world_create(&def, &world, &message), RG_OK);
  rg_world_destroy(world);
}
