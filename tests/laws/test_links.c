// Which joints of a step form trees, and that the links of a problem leave exactly the movements that its
// rows leave.
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

enum { BODIES_MAX = 12 };

static rgWorld* make_world(double theta, bool flat) {
  rgWorldDef def = flat ? rg_world_def_2d() : rg_world_def();
  rgVec3 gravity = def.options.gravity;
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = gravity;
  def.options.step = 5e-3;
  def.options.theta = theta;
  return build_world_of(&def);
}

static rgBodyId add_mass(rgWorld* world, rgVec3 place, rgBodyKind kind, bool flat) {
  rgBodyDef def = body_at(kind, place);
  def.mass = random_between(0.5, 2);
  def.inertia_given = true;
  double x = random_between(0.02, 0.05), y = random_between(0.02, 0.05);
  def.inertia = m3_diag(x, y, random_between(0.4, 0.9) * (x + y));
  if (!flat) {
    def.pose.orientation = random_rotation();
    def.center = v3_scale(random_vector(), 0.05);
  }
  if (kind == RG_BODY_KINEMATIC)
    def.velocity = flat ? twist(v3(0.3, -0.4, 0), v3(0, 0, 0.7))
                        : twist(v3(0.3, -0.4, 0.2), v3(0.5, 0.6, -0.7));
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgJointId join(rgWorld* world, rgJointKind kind, rgBodyId a, rgBodyId b, rgVec3 point,
                      bool flat) {
  rgJointDef def = rg_joint_def(kind);
  def.body_a = a;
  def.body_b = b;
  def.point = point;
  def.point_b = v3_add(point, v3(0.1, 0.2, 0));
  def.axis = flat ? (kind == RG_JOINT_HINGE ? v3(0, 0, 1) : v3(0.6, 0.8, 0)) : random_direction();
  rgVec3 unused;
  if (!flat)
    v3_frame(def.axis, &def.axis_2, &unused);
  if (kind == RG_JOINT_SCREW)
    rg_joint_def_set(&def, "lead", 0.3);
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(world, &def, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

// -------------------------------------------------------------------------------------------------
// What links leave
// -------------------------------------------------------------------------------------------------

static rgTwist body_twist(const double* v, int body) {
  const double* b = v + 6 * body;
  return (rgTwist){v3(b[0], b[1], b[2]), v3(b[3], b[4], b[5])};
}

static void put_twist(double* v, int body, rgTwist t) {
  const double b[6] = {t.linear.x, t.linear.y, t.linear.z, t.angular.x, t.angular.y, t.angular.z};
  memcpy(v + 6 * body, b, sizeof b);
}

// A velocity of all bodies with random rates of all axes.
static void move_along(const rgProblem* problem, bool flat, double* v) {
  for (int i = 0; i < problem->body_count; i++) {
    int body = problem->link_order[i];
    const rgProblemLink* link = &problem->links[body];
    if (link->row < 0) {
      rgTwist free = {random_vector(), random_vector()};
      if (flat)
        free.linear.z = free.angular.x = free.angular.y = 0;
      put_twist(v, body, free);
      continue;
    }
    rgTwist on = {v3_zero(), v3_zero()};
    if (link->parent >= 0)
      on = body_twist(v, link->parent);
    rgTwist own = {v3_add(on.linear, v3_cross(on.angular, link->from_parent)), on.angular};
    own.linear = v3_add(own.linear, link->offset.linear);
    own.angular = v3_add(own.angular, link->offset.angular);
    for (int k = 0; k < link->axis_count; k++) {
      double rate = random_between(-2, 2);
      own.linear = v3_axpy(own.linear, rate, link->axis[k].linear);
      own.angular = v3_axpy(own.angular, rate, link->axis[k].angular);
    }
    put_twist(v, body, own);
  }
}

// Every movement of the links is one that the rows hold for, and no row more is there than the axes
// leave room for.
static void check_links(const rgProblem* problem, bool flat, int directions) {
  double v[6 * BODIES_MAX];
  bool placed[BODIES_MAX] = {false};
  for (int i = 0; i < problem->body_count; i++) {
    const rgProblemLink* link = &problem->links[problem->link_order[i]];
    CHECK(link->parent < 0 || placed[link->parent]);
    CHECK(!placed[problem->link_order[i]]);
    placed[problem->link_order[i]] = true;
    if (link->row >= 0)
      CHECK_INT(link->axis_count + link->row_count, directions);
  }
  for (int trial = 0; trial < 3; trial++) {
    move_along(problem, flat, v);
    for (int i = 0; i < problem->body_count; i++) {
      const rgProblemLink* link = &problem->links[i];
      for (int k = link->row; link->row >= 0 && k < link->row + link->row_count; k++) {
        const rgProblemRow* row = &problem->rows[k];
        double w = row->bias;
        w += row->body_a >= 0 ? twist_dot(row->g_a, body_twist(v, row->body_a)) : 0;
        w += row->body_b >= 0 ? twist_dot(row->g_b, body_twist(v, row->body_b)) : 0;
        CHECK_MSG(fabs(w) <= 1e-11, "body %d, row %d: %g", i, k, w);
      }
    }
  }
}

static void check_random_tree(uint64_t seed, double theta, bool flat) {
  static const rgJointKind kinds[] = {RG_JOINT_HINGE,  RG_JOINT_SLIDER,     RG_JOINT_BALL,
                                      RG_JOINT_FIXED,  RG_JOINT_UNIVERSAL,  RG_JOINT_SCREW,
                                      RG_JOINT_PLANAR, RG_JOINT_CYLINDRICAL};
  static const rgJointKind flat_kinds[] = {RG_JOINT_HINGE, RG_JOINT_SLIDER, RG_JOINT_FIXED};
  random_state = seed;
  rgWorld* world = make_world(theta, flat);
  rgBodyId bodies[BODIES_MAX];
  rgVec3 places[BODIES_MAX];
  int base = (int)(3 * random_unit()); // free, ground, moved from outside
  for (int i = 0; i < 6; i++) {
    int parent = i == 0 ? -1 : (int)(random_unit() * i);
    places[i] = parent < 0 ? v3_zero() : v3_axpy(places[parent], 0.4, random_direction());
    if (flat)
      places[i].z = 0;
    bool moved = i == 0 && base == 2;
    bodies[i] = add_mass(world, places[i], moved ? RG_BODY_KINEMATIC : RG_BODY_DYNAMIC, flat);
    if (parent < 0 && base != 1)
      continue;
    rgBodyId on = parent < 0 ? (rgBodyId){0, 0} : bodies[parent];
    bool swapped = random_unit() < 0.5;
    rgJointKind kind =
        flat ? flat_kinds[(int)(3 * random_unit())] : kinds[(int)(8 * random_unit())];
    rgVec3 from = parent < 0 ? v3(0.1, 0.2, 0) : places[parent];
    join(world, kind, swapped ? bodies[i] : on, swapped ? on : bodies[i],
         v3_lerp(from, places[i], 0.3), flat);
  }
  int count = rg_world_coordinate_count(world);
  double rates[64], coordinates[64] = {0};
  REQUIRE(count <= 64);
  for (int i = 0; i < count; i++)
    rates[i] = random_between(-2, 2);
  REQUIRE_INT(rg_world_set_coordinates(world, coordinates, rates), RG_OK);
  for (int step = 0; step < 5; step++) {
    REQUIRE_MSG(rg_world_step(world, NULL) == RG_OK, "%s", rg_world_message(world));
    int links = 0;
    for (int k = 0; k < rg_world_island_count(world); k++) {
      rgProblem problem;
      REQUIRE_INT(rg_world_island(world, k, &problem, NULL, NULL), RG_OK);
      if (problem.links)
        check_links(&problem, flat, flat ? 3 : 6);
      for (int i = 0; i < problem.body_count && problem.links; i++)
        links += problem.links[i].row >= 0;
    }
    CHECK_INT(links, rg_world_joint_count(world));
  }
  rg_world_destroy(world);
}

TEST(links_leave_the_movements_that_their_rows_leave) {
  static const double thetas[] = {0.5, 0.7, 1};
  for (int i = 0; i < 60; i++) {
    CONTEXT("tree %d", i);
    check_random_tree((uint64_t)(40 + i), thetas[i % 3], i % 4 == 3);
  }
}

// -------------------------------------------------------------------------------------------------
// Which joints form trees
// -------------------------------------------------------------------------------------------------

typedef struct Chain {
  rgWorld* world;
  rgBodyId bodies[3];
  rgJointId joints[3];
} Chain;

// Three links, of which the first hangs on `root`.
static Chain make_chain(rgBodyId (*root)(rgWorld* world)) {
  Chain chain = {.world = make_world(1, false)};
  random_state = 99;
  rgBodyId last = root ? root(chain.world) : (rgBodyId){0, 0};
  for (int i = 0; i < 3; i++) {
    rgVec3 at = v3(0.4 * i + 0.2, 0, 0);
    chain.bodies[i] = add_mass(chain.world, at, RG_BODY_DYNAMIC, false);
    chain.joints[i] =
        join(chain.world, RG_JOINT_HINGE, last, chain.bodies[i], v3(0.4 * i, 0, 0), false);
    last = chain.bodies[i];
  }
  return chain;
}

static rgBodyId moved_root(rgWorld* world) {
  return add_mass(world, v3(-0.2, 0, 0), RG_BODY_KINEMATIC, false);
}

static rgBodyId free_root(rgWorld* world) {
  return add_mass(world, v3(-0.2, 0, 0), RG_BODY_DYNAMIC, false);
}

// How many bodies of all islands are in a problem that knows of links, after a step; destroys the world.
static int linked_bodies(Chain* chain) {
  int count = 0;
  REQUIRE_MSG(rg_world_step(chain->world, NULL) == RG_OK, "%s", rg_world_message(chain->world));
  for (int k = 0; k < rg_world_island_count(chain->world); k++) {
    rgProblem problem;
    REQUIRE_INT(rg_world_island(chain->world, k, &problem, NULL, NULL), RG_OK);
    count += problem.links ? problem.body_count : 0;
  }
  rg_world_destroy(chain->world);
  return count;
}

TEST(joints_that_close_no_loop_form_trees) {
  Chain chain = make_chain(NULL);
  CHECK_INT(linked_bodies(&chain), 3);
  chain = make_chain(moved_root);
  CHECK_INT(linked_bodies(&chain), 3);
  chain = make_chain(free_root);
  CHECK_INT(linked_bodies(&chain), 4);
  // two trees in one world, one of them with a loop
  chain = make_chain(NULL);
  rgBodyId far[3];
  for (int i = 0; i < 3; i++)
    far[i] = add_mass(chain.world, v3(0.3 * i, 5, 0), RG_BODY_DYNAMIC, false);
  for (int i = 0; i < 3; i++)
    join(chain.world, RG_JOINT_BALL, far[i], far[(i + 1) % 3], v3(0.3 * i + 0.15, 5, 0), false);
  CHECK_INT(linked_bodies(&chain), 3);
  // a loop through the ground
  chain = make_chain(NULL);
  join(chain.world, RG_JOINT_BALL, (rgBodyId){0, 0}, chain.bodies[2], v3(1.2, 0, 0), false);
  CHECK_INT(linked_bodies(&chain), 0);
  // and through what is moved
  chain = make_chain(moved_root);
  join(chain.world, RG_JOINT_BALL, (rgBodyId){0, 0}, chain.bodies[2], v3(1.2, 0, 0), false);
  CHECK_INT(linked_bodies(&chain), 0);
}

TEST(what_holds_nothing_closes_no_loop) {
  // a rope that is slack, and a spring
  Chain chain = make_chain(NULL);
  rgJointDef rope = rg_joint_def(RG_JOINT_DISTANCE);
  rope.body_b = chain.bodies[2];
  rope.point_b = v3(1, 0.1, 0);
  rope.axes[0].lower = 0;
  rope.axes[0].upper = 3;
  rope.axes[0].stiffness = 2;
  rgJointId id;
  REQUIRE_MSG(rg_world_add_joint(chain.world, &rope, &id) == RG_OK, "%s",
              rg_world_message(chain.world));
  CHECK_INT(linked_bodies(&chain), 3);
  // a rod
  chain = make_chain(NULL);
  rope.body_b = chain.bodies[2];
  rope.axes[0] = rg_joint_def(RG_JOINT_DISTANCE).axes[0];
  REQUIRE_MSG(rg_world_add_joint(chain.world, &rope, &id) == RG_OK, "%s",
              rg_world_message(chain.world));
  CHECK_INT(linked_bodies(&chain), 0);
  // a spring between two trees makes one island of two
  chain = make_chain(free_root);
  rgBodyId alone = add_mass(chain.world, v3(0, 2, 0), RG_BODY_DYNAMIC, false),
           beside = add_mass(chain.world, v3(0, 2.5, 0), RG_BODY_DYNAMIC, false);
  join(chain.world, RG_JOINT_BALL, alone, beside, v3(0, 2.2, 0), false);
  rgForceDef spring = rg_force_def();
  spring.kind = RG_FORCE_SPRING;
  spring.body = alone;
  spring.other = chain.bodies[1];
  spring.stiffness = 10;
  spring.rest = 1;
  rgForceId force;
  REQUIRE_INT(rg_world_add_force(chain.world, &spring, &force), RG_OK);
  CHECK_INT(linked_bodies(&chain), 6);
}

TEST(what_is_open_or_cannot_turn_is_in_full_coordinates) {
  static const double parts[] = {1e-10, 1e-6};
  for (int k = 0; k < 2; k++) { // 1e-8 of the size of a joint is rounding
    Chain chain = make_chain(NULL);
    rgJointDef def = rg_joint_def(RG_JOINT_BALL);
    def.body_a = chain.bodies[2];
    def.body_b = add_mass(chain.world, v3(1.4, 0, 0), RG_BODY_DYNAMIC, false);
    def.frames_given = true;
    rgPose a = rg_body_pose(chain.world, def.body_a), b = rg_body_pose(chain.world, def.body_b);
    def.frame_a =
        (rgPose){quat_unrotate(a.orientation, v3_sub(v3(1.2, 0, 0), a.position)), {1, 0, 0, 0}};
    def.frame_b = (rgPose){
        quat_unrotate(b.orientation, v3_sub(v3(1.2 + parts[k], 0, 0), b.position)), {1, 0, 0, 0}};
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(chain.world, &def, &id), RG_OK);
    CONTEXT("open by %g m", parts[k]);
    CHECK_INT(linked_bodies(&chain), k == 0 ? 4 : 0);
  }
  Chain chain = make_chain(NULL);
  rgBodyDef locked = body_at(RG_BODY_DYNAMIC, v3(1.4, 0, 0));
  locked.mass = 1;
  locked.rotation_locked = true;
  rgBodyId body;
  REQUIRE_INT(rg_world_add_body(chain.world, &locked, NULL, 0, &body), RG_OK);
  join(chain.world, RG_JOINT_BALL, chain.bodies[2], body, v3(1.4, 0, 0), false);
  CHECK_INT(linked_bodies(&chain), 0);
  // steppers without means, and the option
  static const char* const settings[][2] = {
      {"stewart-trinkle", "reduced"}, {"theta", "full"}, {"implicit-geometry", "reduced"}};
  for (int k = 0; k < 3; k++) {
    chain = make_chain(NULL);
    rgOptions options = *rg_world_options(chain.world);
    snprintf(options.stepper, sizeof options.stepper, "%s", settings[k][0]);
    snprintf(options.coordinates, sizeof options.coordinates, "%s", settings[k][1]);
    REQUIRE_INT(rg_world_set_options(chain.world, &options), RG_OK);
    CONTEXT("%s, %s", settings[k][0], settings[k][1]);
    CHECK_INT(linked_bodies(&chain), k == 2 ? 3 : 0);
  }
}
