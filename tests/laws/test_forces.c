// Springs, dampers, drag, torsion, attractors and stiff callbacks: against the solutions of their
// equations of motion. Implicit ones are stable whatever the stiffness and, at theta = 1/2, of
// second order.
#include "test.h"

#include "support/builder.h"

typedef struct Free {
  rgWorld* world;
  rgBodyId body;
  double mass, moment;
} Free;

// One ball of mass 2 without gravity.
static Free build_free(double h, double theta, rgVec3 at) {
  Free free = {.world = build_still("reference")};
  build_set_step(free.world, h, theta);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, at);
  def.mass = free.mass = 2;
  free.moment = 0.4 * 2 * 0.01;
  free.body = build_body(free.world, &def, shape_sphere(0.1));
  return free;
}

static rgForceId add_force(rgWorld* world, const rgForceDef* def) {
  rgForceId id;
  REQUIRE_MSG(rg_world_add_force(world, def, &id) == RG_OK, "%s", rg_world_message(world));
  return id;
}

static rgForceDef spring_def(rgBodyId body, double stiffness, double damping, double rest) {
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_SPRING;
  def.body = body;
  def.stiffness = stiffness;
  def.damping = damping;
  def.rest = rest;
  return def;
}

static double total_energy(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

static void set_implicit(rgWorld* world, bool on) {
  rgOptions options = *rg_world_options(world);
  options.implicit_forces = on;
  REQUIRE(rg_world_set_options(world, &options) == RG_OK);
}

// x = 1 + 0.1 cos(w t) on a spring of length 1 from the origin, w = sqrt(50 / 2) = 5.
static double oscillator_error(double h, bool implicit) {
  Free free = build_free(h, 0.5, v3(1.1, 0, 0));
  set_implicit(free.world, implicit);
  rgForceDef def = spring_def(free.body, 50, 0, 1);
  add_force(free.world, &def);
  double start = total_energy(free.world), worst = 0;
  CHECK_NEAR(start, 0.5 * 50 * 0.01, 1e-15);
  for (int i = 0; i < (int)(2 / h + 0.5); i++) {
    rgCertificate certificate;
    REQUIRE(rg_world_step(free.world, &certificate) == RG_OK);
    worst = fmax(worst, fabs(total_energy(free.world) - start));
    CHECK(certificate.met);
    if (implicit)
      CHECK_NEAR(certificate.energy, 0, 1e-14);
  }
  if (implicit)
    CHECK_NEAR(worst, 0, 1e-12);
  double error = fabs(rg_body_center(free.world, free.body).x - (1 + 0.1 * cos(5 * 2.0)));
  rg_world_destroy(free.world);
  return error;
}

TEST(oscillator_keeps_its_energy_and_is_of_second_order) {
  double coarse = oscillator_error(0.02, true), fine = oscillator_error(0.01, true);
  CHECK(fine < 2e-3);
  CHECK_NEAR(coarse / fine, 4, 0.2);
}

// w h = 1e3: an explicit step multiplies the error by (w h)^2 each time.
TEST(stiff_spring_blows_up_explicitly_and_not_implicitly) {
  const double h = 0.01, stiffness = 2e10;
  for (int implicit = 0; implicit < 2; implicit++) {
    Free free = build_free(h, 1, v3(1.001, 0, 0));
    set_implicit(free.world, implicit);
    rgForceDef def = spring_def(free.body, stiffness, 0, 1);
    add_force(free.world, &def);
    double start = total_energy(free.world);
    for (int i = 0; i < 5; i++)
      if (rg_world_step(free.world, NULL) != RG_OK)
        break;
    double growth = total_energy(free.world) / start;
    CONTEXT("implicit %d, growth %g", implicit, growth);
    if (implicit) {
      CHECK(growth < 1e-6); // theta = 1 damps what it cannot resolve
      CHECK_NEAR(rg_body_center(free.world, free.body).x, 1, 1e-6);
    } else {
      CHECK(!(growth < 1e12));
    }
    rg_world_destroy(free.world);
  }
}

// The certificate counts the energy of springs as the world's own, explicit or not: what is left
// is the error of the scheme, which falls with h.
TEST(energy_balance_of_explicit_springs_closes) {
  double leak[2];
  for (int fine = 0; fine < 2; fine++) {
    double h = fine ? 5e-4 : 1e-3;
    Free free = build_free(h, 0.5, v3(1.1, 0, 0));
    set_implicit(free.world, false);
    rgForceDef def = spring_def(free.body, 50, 0, 1);
    add_force(free.world, &def);
    leak[fine] = 0;
    for (int i = 0; i < (int)(0.5 / h); i++) {
      rgCertificate certificate;
      REQUIRE(rg_world_step(free.world, &certificate) == RG_OK);
      leak[fine] = fmax(leak[fine], fabs(certificate.energy));
    }
    rg_world_destroy(free.world);
  }
  CHECK(leak[0] < 1e-5);
  CHECK_NEAR(leak[0] / leak[1], 4, 0.5); // per step: h^2
}

// m x'' = -c x' - k x with c = 2 m w / 10 decays by exp(-w t / 10) in the envelope.
TEST(damper_takes_energy_at_its_rate) {
  Free free = build_free(1e-3, 0.5, v3(1.1, 0, 0));
  double w = 5, zeta = 0.1, damped = w * sqrt(1 - zeta * zeta), t = 1.5;
  rgForceDef def = spring_def(free.body, 50, 2 * free.mass * w * zeta, 1);
  add_force(free.world, &def);
  run_steps(free.world, 1500);
  double x = 0.1 * exp(-zeta * w * t) * (cos(damped * t) + zeta * w / damped * sin(damped * t));
  CHECK_NEAR(rg_body_center(free.world, free.body).x, 1 + x, 2e-6);
  rg_world_destroy(free.world);
}

// Two bodies on a spring: momentum stays, and the frequency is that of the reduced mass.
TEST(spring_between_two_bodies_conserves_momentum) {
  Free free = build_free(1e-3, 0.5, v3(0.55, 0, 0));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-0.55, 0, 0));
  def.mass = 6;
  rgBodyId other = build_body(free.world, &def, shape_sphere(0.1));
  rgForceDef spring = spring_def(free.body, 60, 0, 1);
  spring.other = other;
  add_force(free.world, &spring);
  run_steps(free.world, 700);
  double w = sqrt(60 / 1.5), stretch = 0.1 * cos(w * 0.7);
  rgVec3 a = rg_body_center(free.world, free.body), b = rg_body_center(free.world, other);
  CHECK_NEAR(a.x - b.x, 1 + stretch, 1e-5);
  CHECK_NEAR(v3_norm(rg_world_momentum(free.world).linear), 0, 1e-12);
  rg_world_destroy(free.world);
}

// Forces between two bodies are equal and opposite, implicit or not, of springs and of dampers, so
// that momentum about any point stays to rounding.
TEST(what_acts_between_two_bodies_keeps_their_momentum) {
  for (int implicit = 0; implicit < 2; implicit++)
    for (int damped = 0; damped < 2; damped++) {
      Free free = build_free(1e-3, 0.5, v3(0.55, 0.2, 0));
      set_implicit(free.world, implicit);
      rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-0.55, 0, 0.1));
      def.mass = 6;
      def.velocity.linear = v3(0, 1, -0.5);
      rgForceDef spring = spring_def(free.body, 60, damped ? 3 : 0, 1);
      spring.other = build_body(free.world, &def, shape_sphere(0.1));
      add_force(free.world, &spring);
      CONTEXT("%s, damping %g", implicit ? "implicit" : "explicit", spring.damping);
      rgTwist start = rg_world_momentum(free.world);
      run_steps(free.world, 700);
      rgTwist end = rg_world_momentum(free.world);
      CHECK_NEAR(distance(end.linear, start.linear), 0, 1e-12);
      rg_world_destroy(free.world);
    }
}

// Drag as a callback: stiff, it is taken by its differences, and slows the body as the force that
// has the same law does.
static rgWrench drag_of(double time, rgPose pose, rgTwist velocity, void* context) {
  double drag = *(double*)context;
  (void)time, (void)pose;
  return (rgWrench){v3_scale(velocity.linear, -drag), v3_zero()};
}

TEST(a_stiff_callback_of_velocity_slows_as_drag_does) {
  const double steps[] = {1e-3, 1e-2, 0.1};
  for (int k = 0; k < 3; k++) {
    rgVec3 ends[2];
    for (int callback = 0; callback < 2; callback++) {
      Free free = build_free(steps[k], 0.5, v3_zero());
      double drag = 3;
      rgForceDef def = rg_force_def();
      def.kind = callback ? RG_FORCE_CALLBACK : RG_FORCE_DRAG;
      def.body = free.body;
      def.drag = drag;
      def.callback = drag_of;
      def.context = &drag;
      def.stiff = callback;
      add_force(free.world, &def);
      rgTwist velocity = {v3(1, -2, 0.5), v3_zero()};
      REQUIRE(rg_body_set_velocity(free.world, free.body, velocity) == RG_OK);
      run_steps(free.world, 10);
      ends[callback] = rg_body_velocity(free.world, free.body).linear;
      rg_world_destroy(free.world);
    }
    CONTEXT("step %g", steps[k]);
    // Differences of a linear law are exact but for rounding over the length of a difference.
    CHECK_NEAR(distance(ends[0], ends[1]), 0, 1e-6);
  }
}

// A body that circles on a spring: energy and angular momentum over a thousand steps; direction
// and length of the spring both change.
TEST(orbit_on_a_spring_keeps_energy_to_second_order) {
  double drift[2];
  for (int fine = 0; fine < 2; fine++) {
    double h = fine ? 1e-3 : 2e-3;
    Free free = build_free(h, 0.5, v3(1.5, 0, 0));
    rgForceDef def = spring_def(free.body, 50, 0, 1);
    add_force(free.world, &def);
    rgTwist velocity = {v3(0, 3, 0), v3_zero()};
    REQUIRE(rg_body_set_velocity(free.world, free.body, velocity) == RG_OK);
    double start = total_energy(free.world);
    run_steps(free.world, (int)(2 / h + 0.5));
    drift[fine] = fabs(total_energy(free.world) - start) / start;
    rg_world_destroy(free.world);
  }
  CHECK(drift[1] < 1e-4);
  CHECK(drift[0] > 3 * drift[1]);
}

// v = v0 exp(-c t / m), and spin likewise.
TEST(drag_slows_motion_and_spin_exponentially) {
  Free free = build_free(1e-3, 0.5, v3_zero());
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_DRAG;
  def.body = free.body;
  def.drag = 3;
  def.spin_drag = 0.016;
  add_force(free.world, &def);
  rgTwist velocity = {v3(1, -2, 0.5), v3(3, 0, 1)};
  REQUIRE(rg_body_set_velocity(free.world, free.body, velocity) == RG_OK);
  run_steps(free.world, 1000);
  rgTwist v = rg_body_velocity(free.world, free.body);
  CHECK_REL(v.linear.y, -2 * exp(-3.0 / 2), 1e-6);
  CHECK_REL(v.angular.x, 3 * exp(-0.016 / free.moment), 1e-6);
  rg_world_destroy(free.world);
}

TEST(falling_body_with_drag_reaches_its_terminal_velocity_with_any_step) {
  Free free = build_free(1, 1, v3_zero());
  rgOptions options = *rg_world_options(free.world);
  options.gravity = v3(0, 0, -9.81);
  REQUIRE(rg_world_set_options(free.world, &options) == RG_OK);
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_DRAG;
  def.body = free.body;
  def.drag = 4000; // h c / m = 2000
  add_force(free.world, &def);
  run_steps(free.world, 3);
  CHECK_REL(rg_body_velocity(free.world, free.body).linear.z, -2 * 9.81 / 4000, 1e-6);
  rg_world_destroy(free.world);
}

// I e'' = -k e about one axis.
TEST(torsional_spring_swings_with_its_frequency) {
  Free free = build_free(1e-3, 0.5, v3_zero());
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_TORSION;
  def.body = free.body;
  def.stiffness = 0.2;
  add_force(free.world, &def);
  rgTwist velocity = {v3_zero(), v3(0, 1, 0)};
  REQUIRE(rg_body_set_velocity(free.world, free.body, velocity) == RG_OK);
  run_steps(free.world, 1000);
  double w = sqrt(0.2 / free.moment);
  CHECK_NEAR(rg_body_velocity(free.world, free.body).angular.y, cos(w), 1e-4);
  double start = 0.5 * free.moment;
  CHECK_REL(total_energy(free.world), start, 1e-5);
  rg_world_destroy(free.world);
}

TEST(attractor_is_half_as_strong_at_its_range_and_bounded) {
  Free free = build_free(1e-3, 0.5, v3(2, 0, 0));
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_ATTRACTOR; // on every body
  def.strength = 10;
  def.range = 2;
  rgForceId id = add_force(free.world, &def);
  run_steps(free.world, 1);
  CHECK_REL(rg_body_velocity(free.world, free.body).linear.x, -1e-3 * 5 / free.mass, 1e-6);
  REQUIRE(rg_force_set_attractor(free.world, id, v3(2 + 1e-6, 1e-3, 0), -10) == RG_OK);
  rgTwist rest = {v3_zero(), v3_zero()};
  REQUIRE(rg_body_set_velocity(free.world, free.body, rest) == RG_OK);
  run_steps(free.world, 1);
  CHECK_REL(rg_body_velocity(free.world, free.body).linear.y, -1e-3 * 10 / free.mass, 1e-4);
  rg_world_destroy(free.world);
}

// The attractor follows its path: after the second instant it stands at (0, 4, 0).
TEST(attractor_moves_along_its_path) {
  Free free = build_free(1e-3, 0.5, v3_zero());
  const double times[] = {0, 0.001};
  const rgVec3 path[] = {{4, 0, 0}, {0, 4, 0}};
  rgForceDef def = rg_force_def();
  def.kind = RG_FORCE_ATTRACTOR;
  def.strength = 10;
  def.range = 4;
  def.times = times;
  def.path = path;
  def.row_count = 2;
  add_force(free.world, &def);
  run_steps(free.world, 1);
  rgTwist first = rg_body_velocity(free.world, free.body);
  CHECK_REL(first.linear.x, first.linear.y, 1e-9); // half the step at either end
  run_steps(free.world, 1);
  rgTwist second = rg_body_velocity(free.world, free.body);
  CHECK_NEAR(second.linear.x, first.linear.x, 1e-9);
  CHECK_REL(second.linear.y - first.linear.y, 1e-3 * 5 / free.mass, 1e-5);
  rg_world_destroy(free.world);
}

typedef struct Trap {
  double stiffness, damping;
} Trap;

static rgWrench trap(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)time;
  const Trap* t = context;
  rgVec3 pull = v3_scale(pose.position, -t->stiffness);
  return (rgWrench){v3_axpy(pull, -t->damping, velocity.linear), v3_zero()};
}

// A stiff callback is as good as a spring: m x'' = -k x - c x', overdamped, with steps of a hundred
// times the fast time constant.
TEST(stiff_callback_is_stable_by_its_differences) {
  for (int stiff = 0; stiff < 2; stiff++) {
    Trap values = {2e8, 2e5};
    Free free = build_free(0.01, 1, v3(0.3, -0.1, 0));
    rgForceDef def = rg_force_def();
    def.kind = RG_FORCE_CALLBACK;
    def.body = free.body;
    def.callback = trap;
    def.context = &values;
    def.stiff = stiff;
    add_force(free.world, &def);
    for (int i = 0; i < 20; i++)
      if (rg_world_step(free.world, NULL) != RG_OK)
        break;
    double x = v3_norm(rg_body_center(free.world, free.body));
    CONTEXT("stiff %d: %g", stiff, x);
    if (stiff)
      CHECK(x < 1e-4);
    else
      CHECK(!(x < 1e6));
    rg_world_destroy(free.world);
  }
}

// --- forces on several bodies ------------------------------------------------------------------

// Springs of any length and direction between all of `count` bodies at points off their centres, as a
// function of their state: what RG_FORCE_SPRING does, pair by pair.
typedef struct Net {
  double stiffness, damping;
  rgVec3 point; // [m] in every body's frame
  double part;  // length at rest, as a part of the length at the start
} Net;

static rgVec3 net_place(int i) { return v3(cos(1.7 * i), sin(1.7 * i), 0.3 * i); }

static double net_rest(const Net* net, int i, int k) {
  return net->part * distance(net_place(i), net_place(k)); // bodies are not turned at the start
}

static void pull_net(double time, int count, const rgPose* poses, const rgTwist* velocities,
                     rgWrench* wrenches, void* context) {
  const Net* net = context;
  (void)time;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i; k++) {
      rgVec3 a = pose_apply(poses[i], net->point), b = pose_apply(poses[k], net->point);
      rgVec3 arm_a = v3_sub(a, poses[i].position), arm_b = v3_sub(b, poses[k].position);
      rgVec3 along = v3_sub(a, b);
      double length = v3_norm(along);
      along = v3_scale(along, 1 / length);
      rgVec3 u = v3_sub(v3_add(velocities[i].linear, v3_cross(velocities[i].angular, arm_a)),
                        v3_add(velocities[k].linear, v3_cross(velocities[k].angular, arm_b)));
      double pull =
          net->stiffness * (length - net_rest(net, i, k)) + net->damping * v3_dot(along, u);
      rgVec3 force = v3_scale(along, -pull);
      wrenches[i].force = v3_add(wrenches[i].force, force);
      wrenches[i].torque = v3_add(wrenches[i].torque, v3_cross(arm_a, force));
      wrenches[k].force = v3_sub(wrenches[k].force, force);
      wrenches[k].torque = v3_sub(wrenches[k].torque, v3_cross(arm_b, force));
    }
}

enum { NET_MAX = 4 };

typedef struct NetWorld {
  rgWorld* world;
  rgBodyId bodies[NET_MAX];
} NetWorld;

// `count` bodies that hold each other, by one force on all of them or by springs.
static NetWorld build_net(int count, const Net* net, double h, double theta, bool by_function) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.step = h;
  def.options.theta = theta;
  def.options.gravity = v3_zero();
  NetWorld made = {.world = build_world_of(&def)};
  for (int i = 0; i < count; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, net_place(i));
    body.mass = 1 + i;
    body.velocity.linear = v3(0.2 * i, -0.1, 0.3 - 0.2 * i);
    body.velocity.angular = v3(0.5, -0.2 * i, 1);
    made.bodies[i] = build_body(made.world, &body, shape_box(v3(0.1, 0.15, 0.2)));
  }
  rgForceDef force = rg_force_def();
  if (by_function) {
    force.kind = RG_FORCE_CALLBACK;
    force.system = pull_net;
    force.bodies = made.bodies;
    force.body_count = count;
    force.context = (void*)(uintptr_t)net;
    force.stiff = true;
    add_force(made.world, &force);
  }
  for (int i = 0; i < count && !by_function; i++)
    for (int k = 0; k < i; k++) {
      force = spring_def(made.bodies[i], net->stiffness, net->damping, net_rest(net, i, k));
      force.other = made.bodies[k];
      force.point = force.other_point = net->point;
      add_force(made.world, &force);
    }
  return made;
}

// Soft, both are the same movement to first order in h. Momentum stays to what differences leave of their
// sums: a part of 1e-7 of the stiffness may hold bodies to the ground.
TEST(a_force_on_several_bodies_is_what_springs_between_them_are) {
  Net net = {40, 2, v3(0.05, 0.1, -0.1), 0.8};
  for (int count = 2; count <= NET_MAX; count++) {
    double off[2];
    for (int fine = 0; fine < 2; fine++) {
      double h = fine ? 2.5e-4 : 1e-3;
      NetWorld of[2] = {build_net(count, &net, h, 1, false), build_net(count, &net, h, 1, true)};
      CONTEXT("%d bodies, h = %g", count, h);
      rgTwist start = rg_world_momentum(of[1].world);
      off[fine] = 0;
      for (int k = 0; k < 2; k++)
        run_steps(of[k].world, (int)(0.5 / h + 0.5));
      for (int i = 0; i < count; i++)
        off[fine] = fmax(off[fine], distance(rg_body_center(of[0].world, of[0].bodies[i]),
                                             rg_body_center(of[1].world, of[1].bodies[i])));
      rgTwist now = rg_world_momentum(of[1].world);
      CHECK_NEAR(distance(now.linear, start.linear), 0, 1e-6);
      for (int k = 0; k < 2; k++)
        rg_world_destroy(of[k].world);
    }
    CHECK_MSG(off[0] < 5e-3 && off[1] < 0.3 * off[0] + 1e-9, "%g m, then %g m", off[0], off[1]);
  }
}

// A million times stiffer than the step resolves: the net keeps its lengths, where the same force taken
// explicitly leaves all bounds.
TEST(a_stiff_force_on_several_bodies_is_stable) {
  for (int count = test_fast() ? 3 : 2; count <= NET_MAX; count += test_fast() ? NET_MAX : 1)
    for (int implicit = 0; implicit < 2; implicit++) {
      Net net = {1e9, 1e4, v3(0.05, 0.1, -0.1), 1};
      NetWorld made = build_net(count, &net, 0.01, 1, true);
      set_implicit(made.world, implicit);
      rgStatus status = RG_OK;
      double largest = 0;
      for (int i = 0; i < 200 && status == RG_OK; i++) {
        status = rg_world_step(made.world, NULL);
        for (int k = 0; k < count; k++)
          largest = fmax(largest, v3_norm(rg_body_velocity(made.world, made.bodies[k]).linear));
      }
      CONTEXT("%d bodies, %s: %g m/s", count, implicit ? "implicit" : "explicit", largest);
      CHECK(implicit ? status == RG_OK && largest < 3 : status != RG_OK || largest > 1e6);
      for (int i = 0; i < count && implicit; i++)
        for (int k = 0; k < i; k++) {
          rgVec3 a = pose_apply(rg_body_pose(made.world, made.bodies[i]), net.point),
                 b = pose_apply(rg_body_pose(made.world, made.bodies[k]), net.point);
          CHECK_NEAR(distance(a, b), net_rest(&net, i, k), 1e-2);
        }
      rg_world_destroy(made.world);
    }
}

TEST(a_force_on_several_bodies_ends_with_any_of_them) {
  Net net = {40, 2, v3_zero(), 0.8};
  for (int gone = 0; gone < 3; gone++) {
    NetWorld made = build_net(3, &net, 1e-3, 1, true);
    run_steps(made.world, 5);
    REQUIRE(rg_world_remove_body(made.world, made.bodies[gone]) == RG_OK);
    CHECK_INT(rg_world_forces(made.world, NULL, 0), 0);
    run_steps(made.world, 5);
    rg_world_destroy(made.world);
  }
}

TEST(bad_forces_on_several_bodies_are_refused_with_a_reason) {
  Net net = {1, 0, v3_zero(), 1};
  NetWorld made = build_net(3, &net, 1e-3, 1, true);
  rgBodyId fixed = build_floor(made.world), ids[9];
  rgForceId id;
  const struct {
    int count, second; // second: -1 the same as the first, -2 the floor, -3 no such body
    const char* reason;
  } cases[] = {{1, 1, "has 1, must be 2 to 8"},
               {9, 1, "has 9, must be 2 to 8"},
               {2, -1, "bodies 0 and 1 of a force are the same"},
               {2, -2, "body 1 of a force is not dynamic"},
               {2, -3, "body 1 of a force does not exist"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rgForceDef def = rg_force_def();
    for (int k = 0; k < 9; k++)
      ids[k] = made.bodies[k % 3];
    ids[1] = cases[i].second == -1   ? ids[0]
             : cases[i].second == -2 ? fixed
             : cases[i].second == -3 ? (rgBodyId){0, 0}
                                     : ids[1];
    def.kind = RG_FORCE_CALLBACK;
    def.system = pull_net;
    def.context = &net;
    def.bodies = ids;
    def.body_count = cases[i].count;
    CHECK(rg_world_add_force(made.world, &def, &id) != RG_OK);
    CHECK_MSG(strstr(rg_world_message(made.world), cases[i].reason), "%s",
              rg_world_message(made.world));
  }
  rg_world_destroy(made.world);
}

// In the plane, with a body that hangs on the spring of another.
TEST(springs_work_in_the_plane) {
  rgWorldDef world_def = rg_world_def_2d();
  rg_options_preset("reference", &world_def.options);
  world_def.options.gravity = v3(0, -9.81, 0);
  rgWorld* world = build_world_of(&world_def);
  rgShapeDef circle = rg_shape_def(RG_SHAPE_CIRCLE);
  circle.radius = 0.1;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, -1, 0));
  def.mass = 2;
  rgBodyId body = build_body(world, &def, circle);
  rgForceDef spring = spring_def(body, 200, 40, 1);
  add_force(world, &spring);
  run_steps(world, 5000);
  CHECK_NEAR(rg_body_center(world, body).y, -1 - 2 * 9.81 / 200, 1e-6);
  rg_world_destroy(world);
}

TEST(bad_forces_are_refused_with_a_reason) {
  Free free = build_free(1e-3, 0.5, v3_zero());
  rgForceId id;
  rgForceDef def = spring_def(free.body, -1, 0, 1);
  CHECK(rg_world_add_force(free.world, &def, &id) == RG_ERROR_INPUT);
  CHECK(strstr(rg_world_message(free.world), "stiffness of a spring is -1") != NULL);
  def = spring_def(free.body, 0, 0, 1);
  CHECK(rg_world_add_force(free.world, &def, &id) == RG_ERROR_INPUT);
  def = spring_def(free.body, 1, 0, 1);
  def.other = free.body;
  CHECK(rg_world_add_force(free.world, &def, &id) == RG_ERROR_INPUT);
  CHECK(strstr(rg_world_message(free.world), "itself") != NULL);
  def = rg_force_def();
  def.kind = RG_FORCE_ATTRACTOR;
  def.strength = 1;
  CHECK(rg_world_add_force(free.world, &def, &id) == RG_ERROR_INPUT);
  CHECK(strstr(rg_world_message(free.world), "range is 0") != NULL);
  rg_world_destroy(free.world);
}
