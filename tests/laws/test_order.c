// Order of convergence of contact in motion: at theta = 1/2 the steps of `theta` and of `implicit-geometry` are of second
// order, and gain no energy, wherever contact points wander over bodies and normals turn. The latter have closed gaps.
//
// Each system is run with h, h/2, h/4 and h/8 to the same time. Differences of neighbouring runs fall by
// 2^p, p being the order, and the energy at the end is no more than that at the start. Every system
// starts in a state that its contact allows, so that there is no impact, and is one of a family, whose
// parameters a seed chooses.
#include "support/builder.h"
#include "support/laws.h"
#include "support/random.h"
#include "test.h"

enum { RUNS = 4, SEEDS = 3, SEEDS_CLOSED = 2 };
static const double ORDER = 1.8; // second, with what is left of the third at these steps
static const double GAIN = 1e-9; // [-] of the energy: rounding and tolerance of the solves

// Adds the moving body of a system, and what it moves on.
typedef rgBodyId Build(rgWorld* world);

typedef struct System {
  const char* name;
  Build* build;
  double mu, time; // [-] [s]
  double step;     // [s] the largest
} System;

// With the arm from the centre to the contact, the velocity at which that point rests, or without
// friction only does not approach.
static void roll(rgBodyDef* def, rgVec3 arm, rgVec3 w, bool slips) {
  def->velocity.angular = w;
  def->velocity.linear = v3_cross(arm, w);
  if (slips)
    def->velocity.linear.x = def->velocity.linear.y = 0;
}

static rgBodyId add_ellipsoid(rgWorld* world, bool slips) {
  build_floor(world);
  rgVec3 half = v3(random_between(0.15, 0.25), random_between(0.12, 0.18), 0.1);
  rgQuat q = turn_about(v3(0.6, 0.8, 0), random_between(0.2, 0.6));
  rgVec3 up = quat_unrotate(q, v3(0, 0, 1)), scaled = v3_mul(half, up);
  rgVec3 arm = quat_rotate(q, v3_scale(v3_mul(half, scaled), -1 / v3_norm(scaled)));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, -arm.z));
  def.pose.orientation = q;
  roll(&def, arm, v3(0.5, 0.3, random_between(1, 3)), slips);
  return build_body(world, &def, shape_ellipsoid(half));
}

static rgBodyId ellipsoid(rgWorld* world) { return add_ellipsoid(world, false); }
static rgBodyId slippery_ellipsoid(rgWorld* world) { return add_ellipsoid(world, true); }

// On one bottom edge, falling back onto its foot but not there yet.
static rgBodyId rocking_block(rgWorld* world) {
  build_floor(world);
  rgVec3 half = v3(random_between(0.08, 0.12), 0.1, random_between(0.3, 0.5));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
  def.pose.orientation = turn_about(v3(0, 1, 0), -0.1);
  def.pose.position = quat_rotate(def.pose.orientation, v3(half.x, 0, half.z));
  return build_body(world, &def, shape_box(half));
}

// A disk on its rim: its axis is tilted by `tilt` from the vertical.
static rgBodyId add_disk(rgWorld* world, double radius, double half_length, double tilt, rgVec3 w) {
  build_floor(world);
  rgQuat q = turn_about(v3(0, 1, 0), tilt);
  rgVec3 axis = quat_rotate(q, v3(0, 0, 1)), down = quat_rotate(q, v3(1, 0, 0));
  rgVec3 arm = v3_axpy(v3_scale(down, radius), -half_length, axis);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, -arm.z));
  def.pose.orientation = q;
  roll(&def, arm, w, false);
  return build_body(world, &def, shape_cylinder(radius, half_length));
}

static rgBodyId rolling_disk(rgWorld* world) {
  double tilt = radians(random_between(70, 85)), spin = random_between(10, 20);
  rgVec3 axis = quat_rotate(turn_about(v3(0, 1, 0), tilt), v3(0, 0, 1));
  return add_disk(world, 0.1, 0.02, tilt, v3_add(v3_scale(axis, spin), v3(0, 0, -1)));
}

// Euler's disk: the centre is almost at rest, and the rim rolls round with sqrt(4 g / (R sin tilt)).
static rgBodyId euler_disk(rgWorld* world) {
  double tilt = random_between(0.35, 0.5), radius = 0.075;
  double rate = sqrt(4 * 9.81 / (radius * sin(tilt)));
  rgVec3 down = quat_rotate(turn_about(v3(0, 1, 0), tilt), v3(1, 0, 0));
  return add_disk(world, radius, 0.006, tilt, v3_scale(down, rate * sin(tilt)));
}

// A heavy top on a round foot.
static rgBodyId top(rgWorld* world) {
  build_floor(world);
  const double length = 0.15, foot = 0.02;
  double spin = random_between(40, 80);
  rgQuat q = turn_about(v3(0, 1, 0), random_between(0.2, 0.4));
  rgVec3 axis = quat_rotate(q, v3(0, 0, 1));
  rgVec3 arm = v3_sub(v3_scale(axis, -length), v3(0, 0, foot));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, -arm.z));
  def.pose.orientation = q;
  def.mass = 0.5;
  def.inertia_given = true;
  def.inertia = m3_diag(0.004, 0.004, 0.002);
  roll(&def, arm, v3_scale(axis, spin), false);
  rgShapeDef shape = shape_sphere(foot);
  shape.pose.position = v3(0, 0, -length);
  return build_body(world, &def, shape);
}

// A lying cylinder of radius 1/2 that does not move.
static void add_log(rgWorld* world) {
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  def.pose.orientation = turn_about(v3(1, 0, 0), radians(90));
  build_body(world, &def, shape_cylinder(0.5, 2));
}

static rgBodyId ball_on_a_log(rgWorld* world) {
  add_log(world);
  double angle = random_between(0.03, 0.1), radius = random_between(0.05, 0.15), far = 0.5 + radius;
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(far * sin(angle), 0, far * cos(angle)));
  return build_body(world, &def, shape_sphere(radius));
}

static rgBodyId board_on_a_log(rgWorld* world) {
  add_log(world);
  rgVec3 half = v3(0.4, 0.3, random_between(0.05, 0.1));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.5 + half.z));
  roll(&def, v3(0, 0, -half.z), v3(0, random_between(0.4, 0.8), 0), false);
  return build_body(world, &def, shape_box(half));
}

// A ball that rolls on a turning table goes round with 2/7 of its rate.
static const double TABLE = 3; // [rad/s]

static rgBodyId ball_on_a_turntable(rgWorld* world) {
  const double radius = 0.1;
  rgBodyDef table = body_at(RG_BODY_KINEMATIC, v3(0, 0, -0.1));
  table.velocity.angular = v3(0, 0, TABLE);
  build_body(world, &table, shape_box(v3(5, 5, 0.1)));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(random_between(0.3, 0.6), 0, radius));
  rgVec3 ground = v3_cross(table.velocity.angular, def.pose.position);
  def.velocity.linear = v3(random_between(0.1, 0.4), random_between(0.1, 0.4), 0);
  rgVec3 slip = v3_sub(def.velocity.linear, ground); // + w x (0, 0, -r) = 0
  def.velocity.angular = v3(-slip.y / radius, slip.x / radius, 0);
  return build_body(world, &def, shape_sphere(radius));
}

// A ball or a lying cylinder whose centre of mass is not in the middle: it rolls unevenly.
static rgBodyId add_uneven(rgWorld* world, rgShapeDef shape, double radius, rgVec3 w) {
  build_floor(world);
  double off = random_between(0.2, 0.4) * radius, angle = random_between(0.3, 1);
  rgBodyDef def = rg_body_def();
  def.mass = 1;
  def.inertia_given = true;
  def.inertia = m3_diag(0.5 * radius * radius, 0.4 * radius * radius, 0.45 * radius * radius);
  def.center = v3(off * sin(angle), 0, -off * cos(angle));
  def.pose = (rgPose){v3(0, 0, radius), quat_identity()}; // of the middle
  rgVec3 arm = v3_sub(v3(0, 0, -radius), def.center);
  roll(&def, arm, w, false);
  return build_body(world, &def, shape);
}

static rgBodyId uneven_ball(rgWorld* world) {
  double radius = random_between(0.1, 0.2);
  return add_uneven(world, shape_sphere(radius), radius, v3(2, random_between(4, 8), 1));
}

static rgBodyId uneven_cylinder(rgWorld* world) {
  double radius = random_between(0.1, 0.2);
  rgShapeDef shape = shape_cylinder(radius, 2 * radius);
  shape.pose.orientation = turn_about(v3(1, 0, 0), radians(90));
  return add_uneven(world, shape, radius, v3(0, random_between(4, 8), 0));
}

// The inside of a wall about z; balls roll on it along a level line at first.
static void add_wall(rgWorld* world, rgShapeKind kind, double radius) {
  rgBodyDef ground = body_at(RG_BODY_STATIC, v3_zero());
  rgShapeDef wall = rg_shape_def(kind);
  wall.radius = radius;
  build_body(world, &ground, wall);
}

static rgBodyId ball_in_a_bowl(rgWorld* world) {
  double radius = random_between(0.5, 1), ball = random_between(0.1, 0.3) * radius,
         far = radius - ball, angle = random_between(0.4, 1);
  add_wall(world, RG_SHAPE_BOWL, radius);
  rgVec3 out = v3(sin(angle), 0, -cos(angle)), v = v3(0, random_between(0.5, 1.5), 0);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_scale(out, far));
  def.velocity.linear = v;
  def.velocity.angular = v3_scale(v3_cross(v, out), 1 / ball); // v + w x (ball out) = 0
  return build_body(world, &def, shape_sphere(ball));
}

static rgBodyId ball_in_a_tube(rgWorld* world) {
  double radius = random_between(0.3, 1), ball = random_between(0.1, 0.3) * radius,
         far = radius - ball, rate = random_between(6, 9);
  add_wall(world, RG_SHAPE_TUBE, radius);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(far, 0, 0));
  def.velocity = twist(v3(0, rate * far, 0), v3(0, 0, -rate * far / ball));
  return build_body(world, &def, shape_sphere(ball));
}

static const System SYSTEMS[] = {
    {"ball, uneven, rolling", uneven_ball, 3, 0.5, 4e-3},
    {"cylinder, uneven, rolling", uneven_cylinder, 3, 0.5, 4e-3},
    {"ball in a bowl", ball_in_a_bowl, 3, 0.5, 4e-3},
    {"ball in a vertical tube", ball_in_a_tube, 5, 0.5, 4e-3},
    {"ellipsoid", ellipsoid, 3, 0.5, 4e-3},
    {"ellipsoid without friction", slippery_ellipsoid, 0, 0.5, 4e-3},
    {"rocking block", rocking_block, 1, 0.1, 4e-3},
    {"rolling disk", rolling_disk, 5, 0.3, 4e-3},
    {"Euler's disk", euler_disk, 3, 0.1, 1e-3},
    {"top", top, 3, 0.2, 2e-3},
    {"ball on a log", ball_on_a_log, 2, 0.5, 4e-3},
    {"board on a log", board_on_a_log, 2, 0.5, 4e-3},
    {"ball on a turntable", ball_on_a_turntable, 2, 1, 4e-3},
};
enum { SYSTEM_COUNT = sizeof SYSTEMS / sizeof *SYSTEMS };

typedef struct Run {
  rgPose pose;
  rgTwist velocity;
  double gain; // [-] of the energy at the start
  double gap;  // [m] the largest at the end of a step of a contact that is held, or overlap
} Run;

static double energy_of(const rgWorld* world) {
  rgEnergy energy = rg_world_energy(world);
  return energy.kinetic + energy.potential;
}

static rgVec3 velocity_at(const rgWorld* world, rgBodyId body, rgVec3 point) {
  rgTwist v = rg_body_velocity(world, body);
  return v3_add(v.linear, v3_cross(v.angular, v3_sub(point, rg_body_center(world, body))));
}

// [m] What lands may do so in two steps: a contact that its velocity closes in the next one may be open.
static double largest_gap(const rgWorld* world, double step) {
  double largest = 0;
  for (int i = 0; i < rg_world_contact_count(world); ++i) {
    rgContact contact;
    REQUIRE_INT(rg_world_contact(world, i, &contact), RG_OK);
    double u = v3_dot(contact.normal, v3_sub(velocity_at(world, contact.body_a, contact.point),
                                             velocity_at(world, contact.body_b, contact.point)));
    bool held = v3_dot(contact.impulse, contact.normal) > 0 && contact.gap + step * u > 0;
    largest = fmax(largest, held ? fabs(contact.gap) : -contact.gap);
  }
  return largest;
}

static Run run(const char* stepper, const System* system, int seed, double step) {
  rgWorld* world = build_world("reference");
  rgOptions options = *rg_world_options(world);
  snprintf(options.stepper, sizeof options.stepper, "%s", stepper);
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  build_set_step(world, step, 0.5);
  build_set_default_material(world, system->mu, 0);
  random_state = 100 + (uint64_t)seed;
  rgBodyId body = system->build(world);
  double start = energy_of(world);
  int steps = (int)lround(system->time / step);
  double gap = 0;
  for (int i = 0; i < steps; ++i) {
    run_met_step(world, i);
    gap = fmax(gap, largest_gap(world, step));
  }
  Run result = {rg_body_pose(world, body), rg_body_velocity(world, body),
                (energy_of(world) - start) / fabs(start), gap};
  rg_world_destroy(world);
  return result;
}

static double difference(const Run* a, const Run* b) {
  rgQuat p = a->pose.orientation, q = b->pose.orientation;
  double w = p.w - q.w, x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
  double turn = sqrt(w * w + x * x + y * y + z * z);
  return fmax(distance(a->pose.position, b->pose.position), turn);
}

// The smallest order of some systems of a family. `gap` [m] is the largest that is left.
static double order_of(const char* stepper, const System* system, int seeds, double* gap) {
  double least = HUGE_VAL;
  for (int seed = 0; seed < seeds; ++seed) {
    CONTEXT("%s, %s, seed %d", stepper, system->name, seed);
    Run runs[RUNS];
    for (int k = 0; k < RUNS; ++k)
      runs[k] = run(stepper, system, seed, system->step / (1 << k));
    double coarse = difference(&runs[RUNS - 3], &runs[RUNS - 2]),
           fine = difference(&runs[RUNS - 2], &runs[RUNS - 1]), order = log2(coarse / fine);
    CHECK_MSG(order >= ORDER, "order %.2f: differences %g, %g", order, coarse, fine);
    bool driven = system == &SYSTEMS[SYSTEM_COUNT - 1]; // a turntable
    for (int k = 0; k < RUNS; ++k) {
      if (!driven)
        CHECK_MSG(runs[k].gain <= GAIN, "h = %g s gains %g", system->step / (1 << k), runs[k].gain);
      *gap = fmax(*gap, runs[k].gap);
    }
    least = fmin(least, order);
  }
  return least;
}

TEST(contact_in_motion_is_of_second_order) {
  for (int i = 0; i < SYSTEM_COUNT; ++i) {
    double gap = 0, order = order_of("theta", &SYSTEMS[i], SEEDS, &gap);
    printf("        %-28s order %.2f\n", SYSTEMS[i].name, order);
  }
}

// h = 4 ms times 1e-10 of the velocities that forces make in a step, below 0.3 m/s, and rounding.
static const double CLOSED = 2e-13;

TEST(geometry_at_the_end_of_the_step_is_of_second_order_with_closed_gaps) {
  for (int i = 0; i < SYSTEM_COUNT; ++i) {
    double gap = 0, order = order_of("implicit-geometry", &SYSTEMS[i], SEEDS_CLOSED, &gap);
    printf("        %-28s order %.2f, gaps below %.1e m\n", SYSTEMS[i].name, order, gap);
    CHECK_MSG(gap <= CLOSED, "%s: a gap of %g m", SYSTEMS[i].name, gap);
  }
}

// The velocity of the ball turns with 2/7 of the table's rate.
TEST(ball_on_a_turntable_goes_round_with_two_sevenths) {
  const System* system = &SYSTEMS[SYSTEM_COUNT - 1];
  double errors[2];
  for (int k = 0; k < 2; ++k) {
    double step = 4e-3 / (1 << k);
    Run start = run("theta", &(System){"", system->build, system->mu, 0, step}, 0, step),
        end = run("theta", system, 0, step);
    double turned = atan2(v3_cross(start.velocity.linear, end.velocity.linear).z,
                          v3_dot(start.velocity.linear, end.velocity.linear));
    errors[k] = fabs(turned - 2.0 / 7 * TABLE * system->time);
    CHECK_MSG(errors[k] < 1e-4, "h = %g s: %g rad off", step, errors[k]);
  }
  CHECK_MSG(log2(errors[0] / errors[1]) > ORDER, "errors %g, %g rad", errors[0], errors[1]);
}
