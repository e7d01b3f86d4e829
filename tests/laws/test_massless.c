// Massless bodies between joints in series: the mechanism moves as if they were not there, whatever stands in
// for their mass inside a step. Oracles are written here and know nothing of bodies between joints: Lagrange's
// equations in the angles of the hinges, turned by the product of rotations and integrated by RK4; and the same
// link on one joint that has all the axes.
#include "support/builder.h"
#include "support/random.h"
#include "support/snapshot.h"
#include "test.h"
#include <rigor/joint.h>
#include <rigor/load.h>

enum { JOINTS_MAX = 5, NUMBERS = JOINTS_MAX };

// Hinges in series from the ground on, in the placement in which all angles are zero. Each carries a body.
typedef struct Chain {
  int count;
  rgVec3 axis[JOINTS_MAX], point[JOINTS_MAX];
  double mass[JOINTS_MAX];    // [kg] 0: massless
  rgVec3 center[JOINTS_MAX];  // [m]
  rgVec3 moments[JOINTS_MAX]; // [kg m2] about the axes of the placement
  double angle[JOINTS_MAX], rate[JOINTS_MAX];
  rgVec3 gravity;
} Chain;

typedef struct Family {
  int first, second; // hinges before the first and before the second link; 0: there is none
  bool meet;         // the axes before a link pass through one point
} Family;

// -------------------------------------------------------------------------------------------------
// The oracle
// -------------------------------------------------------------------------------------------------

static rgVec3 rotate(rgVec3 axis, double angle, rgVec3 x) { // Rodrigues
  rgVec3 across = v3_cross(axis, x), back = v3_scale(axis, v3_dot(axis, x) * (1 - cos(angle)));
  return v3_add(v3_axpy(v3_scale(x, cos(angle)), sin(angle), across), back);
}

// Where the first `joints` hinges at the angles q take a direction, or a point.
static rgVec3 turned(const Chain* c, const double* q, int joints, rgVec3 x) {
  for (int i = joints - 1; i >= 0; i--)
    x = rotate(c->axis[i], q[i], x);
  return x;
}

static rgVec3 moved(const Chain* c, const double* q, int joints, rgVec3 x) {
  for (int i = joints - 1; i >= 0; i--)
    x = v3_add(c->point[i], rotate(c->axis[i], q[i], v3_sub(x, c->point[i])));
  return x;
}

// The velocity of a body for a unit rate of a hinge before it.
static rgTwist column(const Chain* c, const double* q, int body, int joint) {
  rgVec3 axis = turned(c, q, joint, c->axis[joint]), at = moved(c, q, joint, c->point[joint]);
  return twist(v3_cross(axis, v3_sub(moved(c, q, body + 1, c->center[body]), at)), axis);
}

static rgTwist velocity(const Chain* c, const double* q, const double* rate, int body) {
  rgTwist sum = {v3_zero(), v3_zero()};
  for (int j = 0; j <= body; j++) {
    rgTwist own = column(c, q, body, j);
    sum =
        twist(v3_axpy(sum.linear, rate[j], own.linear), v3_axpy(sum.angular, rate[j], own.angular));
  }
  return sum;
}

static rgVec3 apply_inertia(const Chain* c, const double* q, int body, rgVec3 w) {
  rgVec3 axes[3] = {turned(c, q, body + 1, v3(1, 0, 0)), turned(c, q, body + 1, v3(0, 1, 0)),
                    turned(c, q, body + 1, v3(0, 0, 1))};
  rgVec3 out = v3_zero();
  for (int k = 0; k < 3; k++)
    out = v3_axpy(out, v3_get(c->moments[body], k) * v3_dot(axes[k], w), axes[k]);
  return out;
}

static double kinetic(const Chain* c, const double* q, const double* rate) {
  double sum = 0;
  for (int b = 0; b < c->count; b++) {
    rgTwist v = velocity(c, q, rate, b);
    if (c->mass[b] > 0)
      sum += 0.5 * c->mass[b] * v3_norm2(v.linear) +
             0.5 * v3_dot(v.angular, apply_inertia(c, q, b, v.angular));
  }
  return sum;
}

// Adds J' M J and J' (F - M J. q. - w x I w) of a body; J. q. is the change of its velocity at fixed rates, by a
// central difference, which is exact to 1e-10 of it.
static void add_body(const Chain* c, const double* q, const double* rate, int body,
                     double matrix[NUMBERS][NUMBERS], double* right) {
  const double e = 1e-5;
  double ahead[NUMBERS], behind[NUMBERS];
  for (int j = 0; j < c->count; j++) {
    ahead[j] = q[j] + e * rate[j];
    behind[j] = q[j] - e * rate[j];
  }
  rgTwist a = velocity(c, ahead, rate, body), b = velocity(c, behind, rate, body),
          v = velocity(c, q, rate, body);
  rgVec3 linear = v3_scale(v3_sub(a.linear, b.linear), 0.5 / e),
         angular = v3_scale(v3_sub(a.angular, b.angular), 0.5 / e);
  rgVec3 force = v3_scale(v3_sub(c->gravity, linear), c->mass[body]);
  rgVec3 torque = v3_neg(v3_add(apply_inertia(c, q, body, angular),
                                v3_cross(v.angular, apply_inertia(c, q, body, v.angular))));
  for (int i = 0; i <= body; i++) {
    rgTwist own = column(c, q, body, i);
    right[i] += v3_dot(own.linear, force) + v3_dot(own.angular, torque);
    for (int j = 0; j <= body; j++) {
      rgTwist other = column(c, q, body, j);
      matrix[i][j] += c->mass[body] * v3_dot(own.linear, other.linear) +
                      v3_dot(own.angular, apply_inertia(c, q, body, other.angular));
    }
  }
}

static void accelerate(const Chain* c, const double* q, const double* rate, double* out) {
  double m[NUMBERS][NUMBERS] = {{0}};
  int n = c->count;
  memset(out, 0, NUMBERS * sizeof *out);
  for (int b = 0; b < n; b++)
    if (c->mass[b] > 0)
      add_body(c, q, rate, b, m, out);
  for (int k = 0; k < n; k++) // the matrix is positive definite
    for (int i = k + 1; i < n; i++) {
      double part = m[i][k] / m[k][k];
      for (int j = k; j < n; j++)
        m[i][j] -= part * m[k][j];
      out[i] -= part * out[k];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      out[i] -= m[i][j] * out[j];
    out[i] /= m[i][i];
  }
}

// Runge-Kutta of order 4, in place.
static void integrate(Chain* c, double h, int steps) {
  static const double way[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  for (int s = 0; s < steps; s++) {
    double q[NUMBERS], rate[NUMBERS], a[NUMBERS] = {0}, speed[NUMBERS] = {0}, dq[NUMBERS] = {0},
                                      dr[NUMBERS] = {0};
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < c->count; j++) {
        q[j] = c->angle[j] + h * way[k] * speed[j];
        rate[j] = c->rate[j] + h * way[k] * a[j];
      }
      accelerate(c, q, rate, a);
      memcpy(speed, rate, sizeof speed);
      for (int j = 0; j < c->count; j++) {
        dq[j] += h / 6 * weight[k] * speed[j];
        dr[j] += h / 6 * weight[k] * a[j];
      }
    }
    for (int j = 0; j < c->count; j++) {
      c->angle[j] += dq[j];
      c->rate[j] += dr[j];
    }
  }
}

// -------------------------------------------------------------------------------------------------
// Worlds
// -------------------------------------------------------------------------------------------------

static void give_link(Chain* c, int body, rgVec3 at) {
  c->mass[body] = random_between(0.5, 2);
  c->center[body] = v3_axpy(at, 0.3, random_direction());
  double x = random_between(0.02, 0.05), y = random_between(0.02, 0.05);
  c->moments[body] = v3(x, y, random_between(0.4, 0.9) * (x + y));
}

// Hinges whose axes are far from one plane, and angles far from those that put two of them in line.
static void add_series(Chain* c, int hinges, bool meet, rgVec3 at) {
  rgVec3 x = random_direction(), y, z;
  v3_frame(x, &y, &z);
  rgVec3 axes[3] = {x, y, z};
  for (int i = 0; i < hinges; i++) {
    int k = c->count++;
    c->axis[k] = v3_unit_or(v3_axpy(axes[i], 0.3, random_direction()), x);
    c->point[k] = meet ? at : v3_axpy(at, 0.1, random_vector());
    c->center[k] = at;
    c->angle[k] = random_between(-0.3, 0.3);
    c->rate[k] = random_between(-2, 2);
  }
  give_link(c, c->count - 1, at);
}

static Chain make_chain(const Family* family) {
  Chain c = {.gravity = v3(0, 0, -9.81)};
  add_series(&c, family->first, family->meet, v3_zero());
  if (family->second > 0)
    add_series(&c, family->second, family->meet, v3(0.3, -0.2, 0.4));
  return c;
}

// What the bodies without mass are: massless, or of the mass that stands in for it.
typedef struct Make {
  double part; // of the mass and least moment of the link behind them
  bool matter;
  const char* coordinates;
  double step;
} Make;

static rgBodyId add_chain_body(rgWorld* world, const Chain* c, int body, const Make* make) {
  int link = body;
  while (c->mass[link] == 0)
    link++;
  double least = fmin(c->moments[link].x, fmin(c->moments[link].y, c->moments[link].z));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, moved(c, c->angle, body + 1, v3_zero()));
  bool massless = c->mass[body] == 0;
  def.massless = massless && !make->matter;
  def.mass = massless ? make->part * c->mass[link] : c->mass[body];
  double small = make->part * least;
  def.inertia_given = true;
  def.inertia = massless ? m3_diag(small, small, small)
                         : m3_diag(c->moments[body].x, c->moments[body].y, c->moments[body].z);
  def.center = c->center[body];
  for (int i = body; i >= 0; i--)
    def.pose.orientation = quat_mul(turn_about(c->axis[i], c->angle[i]), def.pose.orientation);
  def.velocity = velocity(c, c->angle, c->rate, body);
  rgBodyId id;
  REQUIRE_MSG(rg_world_add_body(world, &def, NULL, 0, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgWorld* build_chain(const Chain* c, const Make* make) {
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.gravity = c->gravity;
  def.options.step = make->step;
  snprintf(def.options.coordinates, sizeof def.options.coordinates, "%s", make->coordinates);
  rgWorld* world = build_world_of(&def);
  rgBodyId last = {0};
  for (int i = 0; i < c->count; i++) {
    rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
    hinge.body_a = last;
    hinge.body_b = last = add_chain_body(world, c, i, make);
    hinge.point = moved(c, c->angle, i, c->point[i]);
    hinge.axis = turned(c, c->angle, i, c->axis[i]);
    REQUIRE(rg_world_add_joint(world, &hinge, NULL) == RG_OK);
  }
  return world;
}

static const Family families[] = {{2, 0, true},  {3, 0, true}, {2, 0, false}, {3, 0, false},
                                  {1, 2, false}, {2, 2, true}, {3, 2, false}, {2, 3, true}};
enum { FAMILIES = sizeof families / sizeof *families };
static const char* const coordinates[] = {"reduced", "full"};

// The places of the links' centres and of two points beside them, after a time.
typedef struct Places {
  rgVec3 at[3 * JOINTS_MAX];
  int count;
} Places;

static Places places_in_world(const rgWorld* world, const Chain* c) {
  Places out = {.count = 0};
  for (int i = 0; i < c->count; i++)
    for (int k = 0; k < 3 && c->mass[i] > 0; k++) {
      rgVec3 point = v3_add(c->center[i], v3(k == 1 ? 0.2 : 0, k == 2 ? 0.2 : 0, 0));
      out.at[out.count++] = pose_apply(rg_body_pose(world, rg_world_body(world, i)), point);
    }
  return out;
}

static Places places_of_chain(const Chain* c) {
  Places out = {.count = 0};
  for (int i = 0; i < c->count; i++)
    for (int k = 0; k < 3 && c->mass[i] > 0; k++) {
      rgVec3 point = v3_add(c->center[i], v3(k == 1 ? 0.2 : 0, k == 2 ? 0.2 : 0, 0));
      out.at[out.count++] = moved(c, c->angle, i + 1, point);
    }
  return out;
}

static Places run_chain(const Chain* c, Make make, double time) {
  rgWorld* world = build_chain(c, &make);
  for (int i = 0; i < (int)(time / make.step + 0.5); i++)
    run_met_step(world, i);
  Places out = places_in_world(world, c);
  rg_world_destroy(world);
  return out;
}

static double largest_distance(const Places* a, const Places* b) {
  double worst = 0;
  for (int i = 0; i < a->count; i++)
    worst = fmax(worst, distance(a->at[i], b->at[i]));
  return worst;
}

// By two steps, without the error that goes with h^2.
static Places extrapolated(const Places* coarse, const Places* fine) {
  Places out = *fine;
  for (int i = 0; i < out.count; i++)
    out.at[i] = v3_axpy(fine->at[i], 1 / 3.0, v3_sub(fine->at[i], coarse->at[i]));
  return out;
}

// -------------------------------------------------------------------------------------------------
// Tests
// -------------------------------------------------------------------------------------------------

// To the rounding of a sum of some ten terms.
TEST(energy_mass_and_momentum_are_those_of_the_links_alone) {
  random_state = 3;
  for (int i = 0; i < 4 * FAMILIES; i++) {
    CONTEXT("family %d, draw %d", i % FAMILIES, i / FAMILIES);
    Chain c = make_chain(&families[i % FAMILIES]);
    rgWorld* world = build_chain(&c, &(Make){1e-2, false, "reduced", 1e-3});
    rgEnergy energy = rg_world_energy(world);
    double potential = 0, mass = 0, total = 0;
    for (int b = 0; b < c.count; b++) {
      potential -= c.mass[b] * v3_dot(c.gravity, moved(&c, c.angle, b + 1, c.center[b]));
      mass += c.mass[b];
      total += rg_body_mass(world, rg_world_body(world, b)).mass;
    }
    double expected = kinetic(&c, c.angle, c.rate);
    CHECK_NEAR(energy.kinetic, expected, 1e-13 * (1 + expected));
    CHECK_NEAR(energy.potential, potential, 1e-12);
    CHECK_NEAR(total, mass, 1e-15 * mass);
    rg_world_destroy(world);
  }
}

// The step is of second order and symmetric: without its error of h^2 what is left is of order (h w)^4, w being
// some 10 rad/s, and 250 times the tolerance, 1e-10 of some m/s, over the time. A mass in place of what
// stands in for it moves the links by 1e4 times as much: the comparison sees it.
TEST(links_behind_massless_bodies_move_as_lagrange_says) {
  const double time = 0.125, tolerance = 3e-8;
  random_state = 11;
  for (int i = 0; i < FAMILIES; i++) {
    Chain c = make_chain(&families[i]), end = c;
    integrate(&end, 2.5e-4, (int)(time / 2.5e-4 + 0.5));
    Places expected = places_of_chain(&end);
    for (int k = 0; k < (test_fast() ? 1 : 2); k++) {
      CONTEXT("family %d, %s", i, coordinates[k]);
      Places coarse = run_chain(&c, (Make){1e-2, false, coordinates[k], 1e-3}, time),
             fine = run_chain(&c, (Make){1e-2, false, coordinates[k], 5e-4}, time);
      Places found = extrapolated(&coarse, &fine);
      double off = largest_distance(&found, &expected);
      CHECK_MSG(off <= tolerance, "%g m apart", off);
    }
    Places coarse = run_chain(&c, (Make){1e-3, true, "reduced", 1e-3}, time),
           fine = run_chain(&c, (Make){1e-3, true, "reduced", 5e-4}, time);
    Places heavy = extrapolated(&coarse, &fine);
    double off = largest_distance(&heavy, &expected);
    CHECK_MSG(off >= 100 * tolerance, "%g m apart", off);
  }
}

// What stands in for the mass is no part of the answer: a factor of 1e4 changes what the tolerance leaves alone.
TEST(what_stands_in_for_the_mass_does_not_matter) {
  random_state = 5;
  for (int i = 0; i < FAMILIES; i++) {
    Chain c = make_chain(&families[i]);
    for (int k = 0; k < 2; k++) {
      CONTEXT("family %d, %s", i, coordinates[k]);
      Places heavy = run_chain(&c, (Make){1e-1, false, coordinates[k], 2e-3}, 0.1),
             light = run_chain(&c, (Make){1e-3, false, coordinates[k], 2e-3}, 0.1);
      double off = largest_distance(&heavy, &light);
      CHECK_MSG(off <= 3e-9, "%g m apart", off);
    }
  }
}

// Two hinges across each other are a universal joint, and three through one point, on which nothing acts, a ball joint.
static Places run_on_one_joint(const Chain* c, rgJointKind kind, const Make* make, double time) {
  Chain alone = *c;
  int link = c->count - 1;
  rgWorldDef def = rg_world_def();
  REQUIRE(rg_options_preset("reference", &def.options));
  def.options.step = make->step;
  rgWorld* world = build_world_of(&def);
  rgJointDef joint = rg_joint_def(kind);
  joint.body_b = add_chain_body(world, &alone, link, make);
  joint.point = c->point[0];
  joint.axis = c->axis[0];
  joint.axis_2 = turned(c, c->angle, 1, c->axis[1]);
  REQUIRE(rg_world_add_joint(world, &joint, NULL) == RG_OK);
  for (int i = 0; i < (int)(time / make->step + 0.5); i++)
    run_met_step(world, i);
  Places out = {.count = 1};
  out.at[0] = pose_apply(rg_body_pose(world, rg_world_body(world, 0)), c->center[link]);
  rg_world_destroy(world);
  return out;
}

// Both have the error of the step, of second order but with factors of their own: each without it is
// right to what the tolerance leaves.
TEST(hinges_in_series_are_universal_and_ball_joints) {
  const double time = 0.125;
  random_state = 21;
  for (int i = 0; i < 6; i++) {
    bool ball = i % 2;
    CONTEXT("%s, draw %d", ball ? "ball" : "universal", i / 2);
    Chain c = make_chain(&(Family){ball ? 3 : 2, 0, true});
    if (!ball)
      v3_frame(c.axis[0], &c.axis[1], &c.axis[2]);
    Places one[2], series[2];
    for (int k = 0; k < 2; k++) {
      Make make = {1e-2, false, "reduced", k == 0 ? 1e-3 : 5e-4};
      one[k] = run_on_one_joint(&c, ball ? RG_JOINT_BALL : RG_JOINT_UNIVERSAL, &make, time);
      series[k] = run_chain(&c, make, time);
    }
    Places a = extrapolated(&one[0], &one[1]), b = extrapolated(&series[0], &series[1]);
    double off = distance(a.at[0], b.at[0]);
    CHECK_MSG(off <= 3e-8, "%g m apart", off);
  }
}

// Impulses on a massless body are in balance: what is left is the mass that stands in for it times a velocity
// within the tolerance, 1e-10 of the scale.
TEST(forces_on_a_massless_body_are_in_balance) {
  random_state = 31;
  for (int i = 0; i < 2 * FAMILIES; i++) {
    CONTEXT("family %d, %s", i / 2, coordinates[i % 2]);
    Chain c = make_chain(&families[i / 2]);
    rgWorld* world = build_chain(&c, &(Make){1e-2, false, coordinates[i % 2], 1e-3});
    for (int step = 0; step < 40; step++) {
      run_met_step(world, step);
      rgBodyLoad loads[JOINTS_MAX];
      REQUIRE_INT(rg_world_body_loads(world, loads, JOINTS_MAX), c.count);
      for (int b = 0; b < c.count; b++) {
        if (c.mass[b] > 0)
          continue;
        CHECK(v3_norm(loads[b].applied.force) == 0);
        CHECK_NEAR(v3_norm(loads[b].joints.force), 0, 1e-2 * 2 * 1e-9 / 1e-3);
        CHECK_NEAR(v3_norm(loads[b].joints.torque), 0, 1e-2 * 0.05 * 1e-8 / 1e-3);
      }
    }
    rg_world_destroy(world);
  }
}

// A body that flies, with links on hinges in series: momentum and angular momentum stay, at theta = 1/2 the energy too.
// Ringing that is taken out changes the energy by the square of the little it is.
TEST(a_thrown_mechanism_keeps_momentum_and_energy) {
  random_state = 41;
  for (int i = 0; i < 2 * FAMILIES; i++) {
    CONTEXT("family %d, %s", i / 2, coordinates[i % 2]);
    Chain c = make_chain(&families[i / 2]);
    c.gravity = v3_zero();
    rgWorld* world = build_chain(&c, &(Make){1e-2, false, coordinates[i % 2], 1e-3});
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.5));
    rgBodyId root = build_body(world, &def, shape_box(v3(0.1, 0.08, 0.06)));
    rgJointId ground = rg_world_joint(world, 0);
    REQUIRE(rg_world_remove_joint(world, ground) == RG_OK);
    rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
    hinge.body_a = root;
    hinge.body_b = rg_world_body(world, 0);
    hinge.point = c.point[0];
    hinge.axis = c.axis[0];
    REQUIRE(rg_world_add_joint(world, &hinge, NULL) == RG_OK);
    rgTwist start = rg_world_momentum(world);
    rgEnergy energy = rg_world_energy(world);
    for (int step = 0; step < 200; step++)
      run_met_step(world, step);
    rgTwist end = rg_world_momentum(world);
    CHECK_NEAR(v3_norm(v3_sub(end.linear, start.linear)), 0, 1e-8);
    CHECK_NEAR(v3_norm(v3_sub(end.angular, start.angular)), 0, 1e-8);
    CHECK_REL(rg_world_energy(world).kinetic, energy.kinetic, 1e-6);
    rg_world_destroy(world);
  }
}

// A solve that is stopped leaves velocities of massless bodies that hold no energy, and that must not grow
// for that reason. Without gravity kinetic energy is all there is.
TEST(massless_bodies_stay_slow_where_solves_are_stopped) {
  random_state = 51;
  for (int i = 0; i < 2 * FAMILIES; i++) {
    CONTEXT("family %d, %s", i / 2, coordinates[i % 2]);
    Chain c = make_chain(&families[i / 2]);
    c.gravity = v3_zero();
    rgWorld* world = build_chain(&c, &(Make){1e-2, false, coordinates[i % 2], 2e-2});
    rgOptions options = *rg_world_options(world);
    options.iteration_limit = 1;
    snprintf(options.solver, sizeof options.solver, "nsgs");
    REQUIRE(rg_world_set_options(world, &options) == RG_OK);
    REQUIRE(rg_world_step(world, NULL) == RG_OK); // makes the velocities suit the joints
    double start = rg_world_energy(world).kinetic;
    for (int step = 0; step < 200; step++) {
      REQUIRE_MSG(rg_world_step(world, NULL) == RG_OK, "%s", rg_world_message(world));
      CHECK(rg_world_energy(world).kinetic <= (1 + 1e-9) * start);
      for (int b = 0; b < c.count; b++) {
        rgTwist v = rg_body_velocity(world, rg_world_body(world, b));
        // With part 1e-3 of a mass it would have this speed with all the energy there is, about.
        CHECK(v3_norm(v.linear) <= 100 * sqrt(2 * start / 1e-3 / 0.5));
      }
    }
    rg_world_destroy(world);
  }
}

TEST(a_massless_body_turns) {
  rgWorld* world = build_world("default");
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
  def.massless = def.rotation_locked = true;
  def.mass = 1;
  CHECK(rg_world_add_body(world, &def, NULL, 0, NULL) == RG_ERROR_INPUT);
  CHECK_CONTAINS(rg_world_message(world), "a massless body turns");
  rg_world_destroy(world);
}

// A world that goes on from a snapshot has the bits of one that never stopped.
TEST(snapshots_hold_massless_bodies) {
  random_state = 61;
  for (int i = 0; i < 2 * FAMILIES; i++) {
    CONTEXT("family %d, %s", i / 2, coordinates[i % 2]);
    Chain c = make_chain(&families[i / 2]);
    Make make = {1e-2, false, coordinates[i % 2], 1e-3};
    rgWorld *world = build_chain(&c, &make), *other = build_chain(&c, &make);
    run_steps(world, 10);
    Snapshot middle = save(world);
    REQUIRE(rg_world_load(other, middle.data, middle.size) == RG_OK);
    run_steps(world, 10);
    run_steps(other, 10);
    CHECK_HEX(rg_world_hash(world), rg_world_hash(other));
    free(middle.data);
    rg_world_destroy(world);
    rg_world_destroy(other);
  }
}
