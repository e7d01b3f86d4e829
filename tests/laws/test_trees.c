// Trees of joints in reduced coordinates: the same motion as in full coordinates, energy, joints that
// stay closed, the same forces, and cost that is linear in the links.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <time.h>

enum { BODIES_MAX = 64 };

typedef struct Tree {
  rgWorld* world;
  rgBodyId bodies[BODIES_MAX];
  rgJointId joints[BODIES_MAX];
  int body_count, joint_count;
} Tree;

static Tree make_tree(const char* coordinates, double h, double theta, double tolerance) {
  Tree tree = {0};
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.step = h;
  def.options.theta = theta;
  def.options.tolerance = tolerance;
  snprintf(def.options.coordinates, sizeof def.options.coordinates, "%s", coordinates);
  tree.world = build_world_of(&def);
  return tree;
}

// A body with random moments at a place.
static rgBodyId add_link(Tree* tree, rgVec3 position, double mass) {
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, position);
  body.pose.orientation = random_rotation();
  body.mass = mass;
  body.inertia_given = true;
  double x = random_between(0.02, 0.05), y = random_between(0.02, 0.05);
  body.inertia = m3_diag(x * mass, y * mass, random_between(0.4, 0.9) * (x + y) * mass);
  REQUIRE_INT(rg_world_add_body(tree->world, &body, NULL, 0, &tree->bodies[tree->body_count]),
              RG_OK);
  return tree->bodies[tree->body_count++];
}

static rgJointId add_joint(Tree* tree, rgJointDef joint) {
  REQUIRE_INT(rg_world_add_joint(tree->world, &joint, &tree->joints[tree->joint_count]), RG_OK);
  return tree->joints[tree->joint_count++];
}

static rgJointDef joint_between(rgJointKind kind, rgBodyId a, rgBodyId b, rgVec3 point) {
  rgJointDef joint = rg_joint_def(kind);
  joint.body_a = a;
  joint.body_b = b;
  joint.point = point;
  joint.axis = random_direction();
  if (kind == RG_JOINT_UNIVERSAL) {
    rgVec3 t, o;
    v3_frame(joint.axis, &t, &o);
    joint.axis_2 = t;
  }
  if (kind == RG_JOINT_SCREW)
    rg_joint_def_set(&joint, "lead", 0.2);
  return joint;
}

// Links that hang on random earlier ones, the first on the ground or free; either side of a joint
// is the parent's.
static void add_random_links(Tree* tree, int count, const rgJointKind* kinds, int kind_count,
                             bool free) {
  rgVec3 places[BODIES_MAX];
  for (int i = 0; i < count; i++) {
    int parent = i == 0 ? -1 : (int)(random_unit() * i);
    rgVec3 from = parent < 0 ? v3(0, 0, 2) : places[parent];
    places[i] = v3_axpy(from, 0.4, random_direction());
    rgBodyId body = add_link(tree, places[i], random_between(0.5, 2)), ground = {0, 0};
    if (parent < 0 && free)
      continue;
    rgBodyId on = parent < 0 ? ground : tree->bodies[parent];
    bool swapped = random_unit() < 0.4;
    rgVec3 point = v3_lerp(from, places[i], 0.5);
    add_joint(tree, joint_between(kinds[i % kind_count], swapped ? body : on, swapped ? on : body,
                                  point));
  }
}

static void throw_about(Tree* tree, double speed, double spin) {
  for (int i = 0; i < tree->body_count; i++) {
    rgTwist velocity = {v3_scale(random_vector(), speed), v3_scale(random_vector(), spin)};
    REQUIRE_INT(rg_body_set_velocity(tree->world, tree->bodies[i], velocity), RG_OK);
  }
}

typedef struct Recipe {
  const char* name;
  void (*build)(Tree* tree);
} Recipe;

static void build_chain(Tree* tree) {
  rgVec3 end = v3_zero();
  for (int i = 0; i < 6; i++) {
    rgVec3 along = v3(0.3, 0, i == 0 ? 0.1 : -0.05 * i);
    rgBodyId last = i == 0 ? (rgBodyId){0, 0} : tree->bodies[i - 1];
    rgBodyId body = add_link(tree, v3_axpy(end, 0.5, along), 1);
    rgJointDef joint = joint_between(RG_JOINT_HINGE, last, body, end);
    joint.axis = v3(0, 1, 0);
    add_joint(tree, joint);
    end = v3_add(end, along);
  }
}

static void build_skew(Tree* tree) {
  static const rgJointKind hinge = RG_JOINT_HINGE;
  add_random_links(tree, 8, &hinge, 1, false);
}

static void build_thrown(Tree* tree) {
  static const rgJointKind kinds[] = {RG_JOINT_HINGE, RG_JOINT_HINGE, RG_JOINT_UNIVERSAL,
                                      RG_JOINT_BALL,  RG_JOINT_HINGE, RG_JOINT_FIXED};
  add_random_links(tree, 14, kinds, 6, true);
  throw_about(tree, 3, 4);
}

static void build_all_kinds(Tree* tree) {
  static const rgJointKind kinds[] = {RG_JOINT_SLIDER, RG_JOINT_CYLINDRICAL, RG_JOINT_SCREW,
                                      RG_JOINT_PLANAR, RG_JOINT_UNIVERSAL,   RG_JOINT_BALL,
                                      RG_JOINT_HINGE,  RG_JOINT_FIXED};
  add_random_links(tree, 9, kinds, 8, true);
  throw_about(tree, 0.5, 1);
}

// A tree whose last link is joined to its first, and a rod across: two loops.
static void build_loop(Tree* tree) {
  static const rgJointKind kinds[] = {RG_JOINT_BALL, RG_JOINT_UNIVERSAL};
  add_random_links(tree, 7, kinds, 2, true);
  rgVec3 a = rg_body_pose(tree->world, tree->bodies[6]).position,
         b = rg_body_pose(tree->world, tree->bodies[0]).position;
  add_joint(tree,
            joint_between(RG_JOINT_BALL, tree->bodies[6], tree->bodies[0], v3_lerp(a, b, 0.5)));
  throw_about(tree, 1, 2);
}

static void build_springs(Tree* tree) {
  static const rgJointKind hinge = RG_JOINT_HINGE;
  add_random_links(tree, 6, &hinge, 1, false);
  for (int i = 0; i < tree->joint_count; i++) {
    rgJointAxis axis = {.lower = -HUGE_VAL, .upper = HUGE_VAL};
    axis.stiffness = i % 2 ? 20 : 0;
    axis.rest = 0.1 * i;
    axis.damping = i % 3 ? 0.2 : 0;
    REQUIRE_INT(rg_joint_set_axis(tree->world, tree->joints[i], 0, &axis), RG_OK);
  }
}

static const Recipe recipes[] = {{"chain", build_chain},   {"skew hinges", build_skew},
                                 {"thrown", build_thrown}, {"all kinds", build_all_kinds},
                                 {"loop", build_loop},     {"springs", build_springs}};
enum { RECIPES = sizeof recipes / sizeof *recipes };

static void run_met(Tree* tree, int steps) {
  rgCertificate report;
  for (int i = 0; i < steps; i++) {
    REQUIRE_INT(rg_world_step(tree->world, &report), RG_OK);
    CHECK_MSG(report.met, "step %d: residual %g", i, report.residual);
  }
}

static double largest_difference(const Tree* a, const Tree* b) {
  double most = 0;
  for (int i = 0; i < a->body_count; i++) {
    rgPose x = rg_body_pose(a->world, a->bodies[i]), y = rg_body_pose(b->world, b->bodies[i]);
    rgTwist v = rg_body_velocity(a->world, a->bodies[i]),
            w = rg_body_velocity(b->world, b->bodies[i]);
    rgQuat turn = quat_mul(x.orientation, quat_conj(y.orientation));
    most = fmax(most, v3_norm(v3_sub(x.position, y.position)));
    most = fmax(most, 2 * v3_norm(v3(turn.x, turn.y, turn.z)));
    most = fmax(most, v3_norm(v3_sub(v.linear, w.linear)));
    most = fmax(most, v3_norm(v3_sub(v.angular, w.angular)));
  }
  return most;
}

// Both are solved to 1e-12, so that what differs is rounding and tolerance, grown by the motion.
TEST(reduced_and_full_coordinates_give_the_same_motion) {
  for (int k = 0; k < RECIPES; k++)
    for (int t = 0; t < 2; t++) {
      Tree trees[2];
      double theta = t ? 1 : 0.5;
      CONTEXT("%s, theta %g", recipes[k].name, theta);
      for (int c = 0; c < 2; c++) {
        random_state = 7;
        trees[c] = make_tree(c ? "full" : "reduced", 1e-3, theta, 1e-12);
        recipes[k].build(&trees[c]);
        run_met(&trees[c], 500);
      }
      double difference = largest_difference(&trees[0], &trees[1]);
      CHECK_MSG(difference <= 1e-9, "differ by %g", difference);
      rg_world_destroy(trees[0].world);
      rg_world_destroy(trees[1].world);
    }
}

// What A does to B in each joint, and the forces along the axes.
TEST(reduced_and_full_coordinates_give_the_same_reactions) {
  for (int k = 0; k < RECIPES; k++) {
    Tree trees[2];
    CONTEXT("%s", recipes[k].name);
    for (int c = 0; c < 2; c++) {
      random_state = 11;
      trees[c] = make_tree(c ? "full" : "reduced", 1e-3, 0.5, 1e-12);
      recipes[k].build(&trees[c]);
      run_met(&trees[c], 100);
    }
    for (int i = 0; i < trees[0].joint_count; i++) {
      rgJointState a, b;
      REQUIRE_INT(rg_joint_state(trees[0].world, trees[0].joints[i], &a), RG_OK);
      REQUIRE_INT(rg_joint_state(trees[1].world, trees[1].joints[i], &b), RG_OK);
      CHECK_NEAR(v3_norm(v3_sub(a.reaction.force, b.reaction.force)), 0, 1e-6);
      CHECK_NEAR(v3_norm(v3_sub(a.reaction.torque, b.reaction.torque)), 0, 1e-6);
      for (int j = 0; j < a.axis_count; j++)
        CHECK_NEAR(a.force[j], b.force[j], 1e-6);
    }
    rg_world_destroy(trees[0].world);
    rg_world_destroy(trees[1].world);
  }
}

static double kinetic(const Tree* tree) {
  rgEnergy energy = rg_world_energy(tree->world);
  return energy.kinetic;
}

// [J] largest deviation of the energy over a time, as a part of the largest kinetic energy.
static double energy_error(Tree* tree, double seconds, double h, double* joint_error) {
  run_met(tree, 1); // velocities set from outside are made to suit the joints
  rgEnergy start = rg_world_energy(tree->world);
  double first = start.kinetic + start.potential, worst = 0, most = 0;
  rgCertificate report;
  for (int i = 0; i < (int)lround(seconds / h); i++) {
    REQUIRE_INT(rg_world_step(tree->world, &report), RG_OK);
    rgEnergy now = rg_world_energy(tree->world);
    worst = fmax(worst, fabs(now.kinetic + now.potential - first));
    most = fmax(most, now.kinetic);
    *joint_error = fmax(*joint_error, report.joint_error);
  }
  return worst / fmax(most, kinetic(tree));
}

TEST(energy_is_kept_at_theta_one_half_slow) {
  for (int k = 0; k < 4; k++) {
    random_state = 3;
    Tree tree = make_tree("reduced", 1e-3, 0.5, 1e-12);
    double joint_error = 0;
    CONTEXT("%s", recipes[k].name);
    recipes[k].build(&tree);
    double error = energy_error(&tree, 10, 1e-3, &joint_error);
    CHECK_MSG(error <= 1e-10, "%g of the largest kinetic energy", error);
    // the rounding of a pose, whose numbers are up to 60 m here after ten seconds of fall
    CHECK_MSG(joint_error <= 1e-13, "joint error %g", joint_error);
    rg_world_destroy(tree.world);
  }
}

// --- contacts -----------------------------------------------------------------------------------

// A body of three limbs on ball and hinge joints with limits, that falls on the ground.
static void build_fallen(Tree* tree) {
  build_floor(tree->world);
  rgVec3 center = v3(0, 0, 0.35);
  rgBodyDef body = body_at(RG_BODY_DYNAMIC, center);
  rgBodyId trunk = build_body(tree->world, &body, shape_box(v3(0.15, 0.1, 0.05)));
  tree->bodies[tree->body_count++] = trunk;
  for (int i = 0; i < 3; i++) {
    double angle = 2.1 * i, c = cos(angle), s = sin(angle);
    rgVec3 hip = v3_add(center, v3(0.2 * c, 0.2 * s, 0)),
           knee = v3_add(hip, v3(0.2 * c, 0.2 * s, -0.1));
    rgBodyDef thigh = body_at(RG_BODY_DYNAMIC, v3_lerp(hip, knee, 0.5));
    rgBodyDef foot = body_at(RG_BODY_DYNAMIC, v3_add(knee, v3(0, 0, -0.08)));
    rgBodyId upper = build_body(tree->world, &thigh, shape_sphere(0.05));
    rgBodyId lower = build_body(tree->world, &foot, shape_sphere(0.06));
    tree->bodies[tree->body_count++] = upper;
    tree->bodies[tree->body_count++] = lower;
    rgJointDef joint = joint_between(RG_JOINT_HINGE, trunk, upper, hip);
    joint.axis = v3(-s, c, 0);
    joint.axes[0].lower = -0.4;
    joint.axes[0].upper = 0.4;
    joint.axes[0].damping = 0.05;
    add_joint(tree, joint);
    joint = joint_between(RG_JOINT_HINGE, lower, upper, knee);
    joint.axis = v3(-s, c, 0.2);
    joint.axes[0].lower = -0.5;
    joint.axes[0].upper = 0.5;
    joint.axes[0].friction = 0.05;
    add_joint(tree, joint);
  }
}

// [N] [N m] of all contacts, about the origin.
static rgWrench resultant(const rgWorld* world, double h) {
  rgWrench sum = {v3_zero(), v3_zero()};
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    rgVec3 force = v3_scale(contact.impulse, 1 / h);
    sum.force = v3_add(sum.force, force);
    sum.torque = v3_add(sum.torque, v3_cross(contact.point, force));
  }
  return sum;
}

TEST(contacts_and_limits_of_trees_are_those_of_full_coordinates) {
  for (int t = 0; t < 2; t++) {
    Tree trees[2];
    double h = 2e-3, theta = t ? 1 : 0.5, worst = 0, torque = 0;
    CONTEXT("theta %g", theta);
    for (int c = 0; c < 2; c++) {
      random_state = 5;
      trees[c] = make_tree(c ? "full" : "reduced", h, theta, 1e-11);
      build_set_default_material(trees[c].world, 0.6, 0);
      build_fallen(&trees[c]);
    }
    // At theta = 1/2 full coordinates do not settle a step after the landing, and take the plain step.
    for (int i = 0; i < (t ? 400 : 100); i++) {
      rgWrench sums[2];
      for (int c = 0; c < 2; c++) {
        run_met(&trees[c], 1);
        sums[c] = resultant(trees[c].world, h);
      }
      worst = fmax(worst, v3_norm(v3_sub(sums[0].force, sums[1].force)));
      torque = fmax(torque, v3_norm(v3_sub(sums[0].torque, sums[1].torque)));
    }
    // of about 70 N at rest and 1000 N in the fall; what the two solves leave grows with the motion
    CHECK_MSG(worst <= 1e-4, "forces differ by %g N", worst);
    CHECK_MSG(torque <= 1e-4, "torques differ by %g N m", torque);
    double difference = largest_difference(&trees[0], &trees[1]);
    CHECK_MSG(difference <= 1e-6, "differ by %g", difference);
    rg_world_destroy(trees[0].world);
    rg_world_destroy(trees[1].world);
  }
}

// The smallest displacement that opens overlaps bends the trees, and pass after pass what the last one left of second
// order is shared among all bodies by their masses. Joints that were closed between the passes, link by link from the
// root, would leave it to the last links: 5 mm deep, these end 8e-4 (m, rad) from here, growing with the depth squared.
TEST(corrections_of_trees_are_those_of_full_coordinates) {
  static const double depths[] = {1e-3, 3e-3, 5e-3};
  for (int k = 0; k < 3; k++) {
    Tree trees[2];
    CONTEXT("%g m deep", depths[k]);
    for (int c = 0; c < 2; c++) {
      random_state = 5;
      trees[c] = make_tree(c ? "full" : "reduced", 1e-3, 1, 1e-11);
      build_fallen(&trees[c]);
      for (int i = 0; i < trees[c].body_count; i++) {
        rgPose pose = rg_body_pose(trees[c].world, trees[c].bodies[i]);
        pose.position.z -= 0.11 + depths[k]; // feet are 0.11 m above the ground
        REQUIRE_INT(rg_body_set_pose(trees[c].world, trees[c].bodies[i], pose), RG_OK);
      }
      rgCertificate certificate = run_met_step(trees[c].world, 0);
      CHECK_INT(certificate.contacts, 3);
      rgJointState bent;
      REQUIRE_INT(rg_joint_state(trees[c].world, trees[c].joints[0], &bent), RG_OK);
      CHECK(fabs(bent.coordinate[0]) > depths[k]);
    }
    double difference = largest_difference(&trees[0], &trees[1]);
    CHECK_MSG(difference <= 1e-9, "differ by %g", difference);
    rg_world_destroy(trees[0].world);
    rg_world_destroy(trees[1].world);
  }
}

TEST(joints_of_trees_in_contact_stay_closed) {
  Tree tree = make_tree("reduced", 1.0 / 240, 1, 1e-6);
  build_set_default_material(tree.world, 0.6, 0);
  random_state = 9;
  build_fallen(&tree);
  for (int i = 0; i < 480; i++) {
    run_met_step(tree.world, i);
    for (int k = 0; k < tree.joint_count; k++) {
      rgJointState state;
      REQUIRE_INT(rg_joint_state(tree.world, tree.joints[k], &state), RG_OK);
      rgVec3 apart = v3_sub(state.frame_a.position, state.frame_b.position);
      CHECK_NEAR(v3_norm(apart), 0, 1e-15); // the rounding of a pose within a metre of the origin
    }
  }
  rg_world_destroy(tree.world);
}

static rgWorld* make_figure(rgScene** scene, const char* preset_name) {
  char path[512];
  rgMessage message = {""};
  rgOptions preset;
  rgWorld* world;
  snprintf(path, sizeof path, "%s/humanoid.json", getenv("RIGOR_SCENES"));
  REQUIRE_MSG(rg_scene_read(path, scene, &message) == RG_OK, "%s", message.text);
  REQUIRE(rg_options_preset(preset_name, &preset));
  *rg_scene_options(*scene) = preset;
  REQUIRE_MSG(rg_scene_build(*scene, NULL, &world, &message) == RG_OK, "%s", message.text);
  return world;
}

static void check_joints_closed(const rgWorld* world) {
  for (int k = 0; k < rg_world_joint_count(world); k++) {
    rgJointState state;
    REQUIRE_INT(rg_joint_state(world, rg_world_joint(world, k), &state), RG_OK);
    rgVec3 apart = v3_sub(state.frame_a.position, state.frame_b.position);
    CHECK_NEAR(v3_norm(apart), 0, 2e-15); // rounding of poses within two metres of the origin
  }
}

// The preset realtime on a figure of 27 degrees of freedom that falls and lies: every step is met, joints
// are closed but for their limits, which the projection leaves alone up to its tolerance, and no step gains
// more energy than the tolerance of a solve is worth.
TEST(realtime_meets_every_step_of_a_figure_that_falls) {
  if (!getenv("RIGOR_SCENES"))
    SKIP("RIGOR_SCENES is not set");
  rgScene* scene;
  rgWorld* world = make_figure(&scene, "realtime");
  for (int i = 0; i < 240; i++) {
    rgCertificate certificate = run_met_step(world, i);
    CHECK_MSG(certificate.energy <= 1e-3, "step %d gains %g J of 400", i, certificate.energy);
    check_joints_closed(world);
  }
  rg_world_destroy(world);
  rg_scene_free(scene);
}

// New random torques on all axes of the figure.
static void push_about(rgWorld* world, double torque) {
  for (int k = 0; k < rg_world_joint_count(world); k++) {
    rgJointState state;
    rgJointId id = rg_world_joint(world, k);
    REQUIRE_INT(rg_joint_state(world, id, &state), RG_OK);
    for (int a = 0; a < state.axis_count; a++)
      REQUIRE_INT(rg_joint_set_effort(world, id, a, random_between(-torque, torque)), RG_OK);
  }
}

// Torques that change every tenth step throw the figure about on the ground: every step is met, no joint
// opens and no step gains energy but by its torques.
TEST(every_step_of_a_figure_that_thrashes_is_met) {
  static const char* const presets[] = {"realtime", "default"};
  if (!getenv("RIGOR_SCENES"))
    SKIP("RIGOR_SCENES is not set");
  for (int p = 0; p < 2; p++) {
    rgScene* scene;
    rgWorld* world = make_figure(&scene, presets[p]);
    CONTEXT("%s", presets[p]);
    rgOptions options = *rg_world_options(world);
    options.step = 5e-3;
    REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
    random_state = 31;
    for (int i = 0; i < 400; i++) {
      if (i % 10 == 0)
        push_about(world, 15);
      rgCertificate certificate = run_met_step(world, i);
      CHECK_MSG(certificate.energy <= 1e-2, "step %d gains %g J of 400", i, certificate.energy);
      check_joints_closed(world);
    }
    rg_world_destroy(world);
    rg_scene_free(scene);
  }
}

// In full coordinates and at the tolerance of realtime, answers of rounds are good although they are not exact:
// no island takes the plain step.
TEST(rounds_at_a_loose_tolerance_are_kept) {
  for (int k = 0; k < 2; k++) {
    Tree tree = {0};
    rgWorldDef def = rg_world_def();
    rg_options_preset(k ? "default" : "realtime", &def.options);
    def.options.tolerance = k ? 1e-4 : 1e-3;
    snprintf(def.options.coordinates, sizeof def.options.coordinates, "full");
    snprintf(def.options.solver, sizeof def.options.solver, "nsgs");
    def.options.iteration_limit = 2000;
    tree.world = build_world_of(&def);
    build_set_default_material(tree.world, 0.6, 0);
    random_state = 9;
    build_fallen(&tree);
    int plain = 0;
    for (int i = 0; i < 100; i++) {
      rgCertificate certificate;
      REQUIRE_INT(rg_world_step(tree.world, &certificate), RG_OK);
      plain += certificate.stages[RG_STAGE_PLAIN].missed;
    }
    CHECK_MSG(plain == 0, "case %d: %d plain steps", k, plain);
    rg_world_destroy(tree.world);
  }
}

// --- cost ---------------------------------------------------------------------------------------

// A hanging chain of many links, and the time of its steps for each link.
static double time_per_link(int links) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("default", &def.options);
  rgWorld* world = build_world_of(&def);
  rgBodyId last = {0, 0};
  rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
  joint.axis = v3(0, 1, 0);
  for (int i = 0; i < links; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0.1 * i + 0.05, 0, 0));
    body.mass = 1;
    body.inertia_given = true;
    body.inertia = m3_diag(1e-3, 1e-3, 1e-3);
    joint.body_a = last;
    REQUIRE_INT(rg_world_add_body(world, &body, NULL, 0, &joint.body_b), RG_OK);
    joint.point = v3(0.1 * i, 0, 0);
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    last = joint.body_b;
  }
  run_steps(world, 2);
  clock_t start = clock();
  int steps = 20000 / links < 2 ? 2 : 20000 / links;
  rgCertificate certificate;
  for (int i = 0; i < steps; i++) {
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_MSG(certificate.met, "%d links: residual %g", links, certificate.residual);
  }
  double time = (double)(clock() - start) / CLOCKS_PER_SEC;
  CHECK_MSG(certificate.joint_error <= 1e-12, "%g", certificate.joint_error);
  rg_world_destroy(world);
  return time / steps / links;
}

// A quadratic cost would be a hundred times larger per link.
TEST(time_is_linear_in_the_links_slow) {
  double few = time_per_link(100), many = time_per_link(10000);
  CHECK_MSG(many <= 6 * few, "%g us per link of 100, %g of 10,000", 1e6 * few, 1e6 * many);
}

// --- problems -----------------------------------------------------------------------------------

// The problem of a step with trees: its rows are complete, so that solvers that know nothing of links,
// and a copy without them, find the same velocities, and the certificate of either is met.
TEST(the_problem_of_a_tree_is_solved_with_and_without_its_links) {
  random_state = 21;
  Tree tree = make_tree("reduced", 2e-3, 1, 1e-9);
  build_set_default_material(tree.world, 0, 0); // velocities are unique without friction
  build_fallen(&tree);
  run_met(&tree, 90);
  rgProblem problem;
  rgSolution found;
  rgCertificate certificate;
  REQUIRE_INT(rg_world_island(tree.world, 0, &problem, &found, &certificate), RG_OK);
  REQUIRE(problem.links && problem.contact_count > 0);
  rgMessage message = {""};
  CHECK_MSG(rg_problem_check(&problem, &message) == RG_OK, "%s", message.text);
  rg_problem_certify(&problem, &found, 1e-9, &certificate);
  CHECK_MSG(certificate.met, "residual %g", certificate.residual);
  rgProblem plain = problem;
  plain.links = NULL;
  plain.link_order = NULL;
  const rgProblem* problems[2] = {&problem, &plain};
  double v[2][6 * BODIES_MAX], r[4 * BODIES_MAX], lambda[32 * BODIES_MAX];
  for (int k = 0; k < 2; k++) {
    rgStop stop = rg_stop_default();
    stop.tolerance = 1e-11;
    rgSolveReport report;
    memset(r, 0, sizeof r);
    memset(lambda, 0, sizeof lambda);
    rgSolution solution = {v[k], r, lambda};
    void* work = malloc(rg_solve_work_size(problems[k], "auto"));
    CHECK_INT(rg_solve(problems[k], "auto", NULL, &stop, &solution, work, &report, &message),
              RG_OK);
    CHECK((strcmp(report.solver, "reduced") == 0) == (k == 0));
    free(work);
  }
  for (int i = 0; i < 6 * problem.body_count; i++)
    CHECK_NEAR(v[0][i], v[1][i], 1e-7); // of 1 to 10 m/s, both within 1e-11
  rg_world_destroy(tree.world);
}

TEST(links_that_do_not_fit_their_rows_are_refused) {
  rgProblemBody body = {.inverse_mass = 1, .inverse_inertia = m3_diag(1, 1, 1)};
  rgProblemRow row = {.body_a = -1, .body_b = 0, .lower = -HUGE_VAL, .upper = HUGE_VAL};
  row.g_b.linear = v3(1, 0, 0);
  rgProblemLink link = {.parent = -1, .row = 0, .row_count = 1};
  int order = 0;
  rgProblem problem = {.dimension = 3,
                       .body_count = 1,
                       .row_count = 1,
                       .bodies = &body,
                       .rows = &row,
                       .links = &link,
                       .link_order = &order};
  rgMessage message = {""};
  CHECK_MSG(rg_problem_check(&problem, &message) == RG_OK, "%s", message.text);
  rgProblemLink wrong[6] = {link, link, link, link, link, link};
  wrong[0].parent = 0;
  wrong[1].row = 1;
  wrong[2].row_count = 2;
  wrong[3].axis_count = RG_LINK_AXES + 1;
  wrong[4].from_parent = v3(NAN, 0, 0);
  wrong[5].axis_row_count = -1;
  for (int i = 0; i < 6; i++) {
    problem.links = &wrong[i];
    CONTEXT("wrong %d", i);
    CHECK_INT(rg_problem_check(&problem, &message), RG_ERROR_INPUT);
  }
  problem.links = &link;
  order = 1;
  CHECK_INT(rg_problem_check(&problem, &message), RG_ERROR_INPUT);
  order = 0;
  row.upper = 1;
  CHECK_INT(rg_problem_check(&problem, &message), RG_ERROR_INPUT);
}

// Every row of a link is on the link and its parent, also those that act along its axes: one that is elsewhere is
// refused, and told.
TEST(rows_of_links_on_other_bodies_are_refused) {
  rgProblemBody bodies[3];
  for (int i = 0; i < 3; i++)
    bodies[i] = (rgProblemBody){.inverse_mass = 1, .inverse_inertia = m3_diag(1, 1, 1)};
  for (int k = 0; k < 12; k++) {
    rgProblemRow rows[4];
    rgProblemLink links[3] = {{.parent = -1, .row = -1},
                              {.parent = 0, .row = 0, .row_count = 1, .axis_row_count = 1},
                              {.parent = 1, .row = 2, .row_count = 1, .axis_row_count = 1}};
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 4; i++) {
      rows[i] = (rgProblemRow){
          .body_a = i / 2, .body_b = i / 2 + 1, .lower = -HUGE_VAL, .upper = HUGE_VAL};
      rows[i].g_b.linear = v3(1, 0, 0);
      if (i % 2) // a motor
        rows[i].lower = -1, rows[i].upper = 1;
    }
    rgProblem problem = {.dimension = 3,
                         .body_count = 3,
                         .row_count = 4,
                         .bodies = bodies,
                         .rows = rows,
                         .links = links,
                         .link_order = order};
    rgMessage message = {""};
    REQUIRE_MSG(rg_problem_check(&problem, &message) == RG_OK, "%s", message.text);
    rgProblemRow* row = &rows[k % 4];
    if (k < 4)
      row->body_a = -1;
    else if (k < 8)
      row->body_b = k % 4 < 2 ? 2 : 0;
    else { // the other way round is the same
      int a = row->body_a;
      row->body_a = row->body_b;
      row->body_b = a;
    }
    CONTEXT("case %d", k);
    CHECK_INT(rg_problem_check(&problem, &message), k < 8 ? RG_ERROR_INPUT : RG_OK);
    char place[16];
    snprintf(place, sizeof place, "rows[%d]", k % 4);
    if (k < 8)
      CHECK_CONTAINS(message.text, place);
  }
}

// A step that its solver does not take says why and changes nothing, however many links there are: here a
// chain that lies on the floor, and a solver for rows alone.
TEST(a_solver_that_takes_no_contacts_refuses_trees_with_them) {
  for (int links = 2; links <= 14; links += 4) {
    Tree tree = make_tree("reduced", 0.01, 0.5, 1e-8);
    build_floor(tree.world);
    for (int i = 0; i < links; i++) {
      rgBodyId id = tree.bodies[i] = build_sphere(tree.world, 0.1, v3(0.25 * i, 0, 0.1));
      if (i > 0)
        add_joint(&tree, joint_between(RG_JOINT_BALL, tree.bodies[i - 1], id,
                                       v3(0.25 * i - 0.125, 0, 0.1)));
    }
    rgOptions options = *rg_world_options(tree.world);
    snprintf(options.solver, sizeof options.solver, "direct");
    REQUIRE_INT(rg_world_set_options(tree.world, &options), RG_OK);
    uint64_t before = rg_world_hash(tree.world);
    CONTEXT("%d links", links);
    CHECK_INT(rg_world_step(tree.world, NULL), RG_ERROR_UNSUPPORTED);
    CHECK_CONTAINS(rg_world_message(tree.world), "direct takes rows only, the problem has ");
    CHECK_HEX(rg_world_hash(tree.world), before);
    rg_world_destroy(tree.world);
  }
}
