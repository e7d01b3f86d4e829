// canon.c - motions that are known in closed form, as worlds.
#include "canon.h"

#include "base/random.h"
#include "builder.h"
#include "test.h"

static const double G = 9.81; // [m/s2]

static rgPose at(rgVec3 position) { return (rgPose){position, quat_identity()}; }

static rgQuat turned(rgVec3 axis, double angle) {
  rgVec3 e = v3_unit_or(axis, v3(1, 0, 0));
  return (rgQuat){cos(angle / 2), e.x * sin(angle / 2), e.y * sin(angle / 2), e.z * sin(angle / 2)};
}

// --- a ball that is thrown and spins: p = velocity, spin about x and y ------------------------------

static rgBodyId build_throw(rgWorld* world, const double* p) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 5));
  def.velocity = twist(v3(p[0], p[1], p[2]), v3(p[3], p[4], 0));
  return build_body(world, &def, shape_sphere(0.1));
}

static rgPose exact_throw(double t, const double* p) {
  rgVec3 w = v3(p[3], p[4], 0);
  return (rgPose){v3(p[0] * t, p[1] * t, 5 + p[2] * t - G * t * t / 2), turned(w, v3_norm(w) * t)};
}

// --- a ball that bounces on a floor: p = height of the fall, restitution -----------------------------

static rgBodyId build_bounce(rgWorld* world, const double* p) {
  build_set_default_material(world, 0, p[1]);
  build_floor(world);
  return build_sphere(world, 0.1, v3(0, 0, 0.1 + p[0]));
}

static rgPose exact_bounce(double t, const double* p) {
  double rate = sqrt(2 * G * p[0]), height = p[0] - G * t * t / 2, left = t - rate / G;
  if (left < 0)
    return at(v3(0, 0, 0.1 + height));
  for (int i = 0; i < 200; i++) {
    rate *= p[1];
    if (left < 2 * rate / G)
      return at(v3(0, 0, 0.1 + rate * left - G * left * left / 2));
    left -= 2 * rate / G;
  }
  return at(v3(0, 0, 0.1));
}

// --- a slab that slides and stops: p = speed, friction -----------------------------------------------

static rgBodyId build_slab(rgWorld* world, const double* p) {
  build_set_default_material(world, p[1], 0);
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.05));
  def.velocity.linear = v3(p[0], 0, 0);
  return build_body(world, &def, shape_box(v3(0.5, 0.5, 0.05)));
}

static rgPose exact_slab(double t, const double* p) {
  double stop = p[0] / (p[1] * G), s = t < stop ? t : stop;
  return at(v3(p[0] * s - p[1] * G * s * s / 2, 0, 0.05));
}

// --- a slab on a slope: p = angle, friction over its tangent ---------------------------------------

static rgBodyId build_slope(rgWorld* world, const double* p) {
  rgOptions options = *rg_world_options(world);
  options.gravity = v3(G * sin(p[0]), 0, -G * cos(p[0]));
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  const double slab[] = {0, p[1] * tan(p[0])};
  return build_slab(world, slab);
}

static rgPose exact_slope(double t, const double* p) {
  return at(v3(G * sin(p[0]) * (1 - p[1]) * t * t / 2, 0, 0.05));
}

// --- a ball that slips, then rolls: p = speed, friction ----------------------------------------------

static rgBodyId build_skid(rgWorld* world, const double* p) {
  build_set_default_material(world, p[1], 0);
  build_floor(world);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0.1));
  def.velocity.linear = v3(p[0], 0, 0);
  return build_body(world, &def, shape_sphere(0.1));
}

static rgPose exact_skid(double t, const double* p) {
  double rolls = 2 * p[0] / (7 * p[1] * G), s = t < rolls ? t : rolls;
  double x = p[0] * s - p[1] * G * s * s / 2, angle = 5 * p[1] * G * s * s / (4 * 0.1);
  double after = t - s, speed = p[0] * 5 / 7;
  return (rgPose){v3(x + speed * after, 0, 0.1), turned(v3(0, 1, 0), angle + speed * after / 0.1)};
}

// --- a ball that rolls down a slope: p = angle ---------------------------------------------------------

static rgBodyId build_roll(rgWorld* world, const double* p) {
  rgOptions options = *rg_world_options(world);
  options.gravity = v3(G * sin(p[0]), 0, -G * cos(p[0]));
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  const double skid[] = {0, 0.8};
  return build_skid(world, skid);
}

static rgPose exact_roll(double t, const double* p) {
  double x = 5 * G * sin(p[0]) * t * t / 14;
  return (rgPose){v3(x, 0, 0.1), turned(v3(0, 1, 0), x / 0.1)};
}

// --- a weight on a spring: p = stiffness, amplitude --------------------------------------------------

static rgBodyId build_spring(rgWorld* world, const double* p) {
  double hangs = -(1 + G / p[0]); // mass 1, length 1
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, hangs + p[1]));
  def.mass = 1;
  rgBodyId body = build_body(world, &def, shape_sphere(0.1));
  rgForceDef force = rg_force_def();
  force.kind = RG_FORCE_SPRING;
  force.body = body;
  force.stiffness = p[0];
  force.rest = 1;
  REQUIRE_INT(rg_world_add_force(world, &force, &(rgForceId){0, 0}), RG_OK);
  return body;
}

static rgPose exact_spring(double t, const double* p) {
  return at(v3(0, 0, -(1 + G / p[0]) + p[1] * cos(sqrt(p[0]) * t)));
}

// --- a ball that falls against drag: p = drag over mass --------------------------------------------

static rgBodyId build_drag(rgWorld* world, const double* p) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0, 0, 0));
  def.mass = 2;
  rgBodyId body = build_body(world, &def, shape_sphere(0.1));
  rgForceDef force = rg_force_def();
  force.kind = RG_FORCE_DRAG;
  force.body = body;
  force.drag = 2 * p[0];
  REQUIRE_INT(rg_world_add_force(world, &force, &(rgForceId){0, 0}), RG_OK);
  return body;
}

static rgPose exact_drag(double t, const double* p) {
  double k = p[0];
  return at(v3(0, 0, -G / k * (t - (1 - exp(-k * t)) / k)));
}

// --- a symmetric top in free flight: p = angular velocity across and along, ratio of inertias -------

static rgBodyId build_top(rgWorld* world, const double* p) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_zero());
  def.mass = 1;
  def.inertia_given = true;
  def.inertia = m3_diag(0.01, 0.01, 0.01 * p[2]);
  def.velocity.angular = v3(p[0], 0, p[1]);
  return build_body(world, &def, shape_sphere(0.1));
}

static rgPose exact_top(double t, const double* p) {
  rgVec3 momentum = v3(p[0], 0, p[2] * p[1]); // over the inertia across
  rgQuat precession = turned(momentum, v3_norm(momentum) * t);
  rgQuat spin = turned(v3(0, 0, 1), p[1] * (1 - p[2]) * t);
  return (rgPose){v3(0, 0, -G * t * t / 2), quat_mul(precession, spin)};
}

// --- a rod that swings about one end: p = angle at the start [rad] ----------------------------------

static rgBodyId build_pendulum(rgWorld* world, const double* p) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.5 * sin(p[0]), 0, -0.5 * cos(p[0])));
  def.pose.orientation = turned(v3(0, 1, 0), -p[0]);
  rgBodyId body = build_body(world, &def, shape_box(v3(0.02, 0.02, 0.5)));
  rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
  joint.body_b = body;
  joint.axis = v3(0, 1, 0);
  REQUIRE_INT(rg_world_add_joint(world, &joint, &(rgJointId){0, 0}), RG_OK);
  return body;
}

// Runge and Kutta's method with a step of 0.1 ms, whose error is rounding here.
static rgPose exact_pendulum(double t, const double* p) {
  const double inertia = (0.5 * 0.5 + 0.02 * 0.02) / 3 + 0.25, rate2 = G * 0.5 / inertia;
  int count = (int)ceil(t / 1e-4) + 1;
  double h = t / count, a = p[0], w = 0;
  for (int i = 0; i < count; i++) {
    double w1 = w, k1 = -rate2 * sin(a), w2 = w + h / 2 * k1, k2 = -rate2 * sin(a + h / 2 * w1),
           w3 = w + h / 2 * k2, k3 = -rate2 * sin(a + h / 2 * w2), w4 = w + h * k3,
           k4 = -rate2 * sin(a + h * w3);
    a += h / 6 * (w1 + 2 * w2 + 2 * w3 + w4);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return (rgPose){v3(0.5 * sin(a), 0, -0.5 * cos(a)), turned(v3(0, 1, 0), -a)};
}

// --- a ball that strikes another, without gravity: p = speed, distance, restitution, ratio of masses -

static rgBodyId build_strike(rgWorld* world, const double* p) {
  rgOptions options = *rg_world_options(world);
  options.gravity = v3_zero();
  REQUIRE_INT(rg_world_set_options(world, &options), RG_OK);
  build_set_default_material(world, 0, p[2]);
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-0.2 - p[1], 0, 0));
  def.mass = p[3];
  def.velocity.linear = v3(p[0], 0, 0);
  build_body(world, &def, shape_sphere(0.1));
  def = body_at(RG_BODY_DYNAMIC, v3_zero());
  def.mass = 1;
  return build_body(world, &def, shape_sphere(0.1));
}

static rgPose exact_strike(double t, const double* p) {
  double after = t - p[1] / p[0], speed = p[0] * (1 + p[2]) * p[3] / (1 + p[3]);
  return at(v3(after > 0 ? speed * after : 0, 0, 0));
}

static const Canon table[] = {
    {"throw",
     {-3, -3, 0, -9, -9},
     {3, 3, 5, 9, 9},
     .time = 1,
     .build = build_throw,
     .exact = exact_throw},
    {"bounce", {0.3, 0.4}, {1, 0.9}, .time = 1.5, .build = build_bounce, .exact = exact_bounce},
    {"elastic bounce", {0.3, 1}, {1, 1}, .time = 1.5, .build = build_bounce, .exact = exact_bounce},
    {"slab that stops", {1, 0.2}, {3, 0.5}, .time = 1, .build = build_slab, .exact = exact_slab},
    {"slab on a slope",
     {0.2, 0.2},
     {0.6, 0.8},
     .time = 1,
     .build = build_slope,
     .exact = exact_slope},
    {"ball that skids", {1, 0.1}, {4, 0.4}, .time = 1, .build = build_skid, .exact = exact_skid},
    {"ball that rolls", {0.1}, {0.4}, .time = 1, .build = build_roll, .exact = exact_roll},
    {"spring", {50, 0.05}, {200, 0.1}, .time = 1, .build = build_spring, .exact = exact_spring},
    {"drag", {0.5}, {3}, .time = 1, .build = build_drag, .exact = exact_drag},
    {"top", {-3, 5, 0.4}, {3, 12, 1.8}, .time = 1, .build = build_top, .exact = exact_top},
    {"pendulum", {0.3}, {1.5}, .time = 1.5, .build = build_pendulum, .exact = exact_pendulum},
    {"strike",
     {1, 0.2, 0.3, 0.5},
     {3, 0.6, 0.9, 2},
     .time = 1,
     .build = build_strike,
     .exact = exact_strike},
};

const Canon* canon(int index) {
  return index >= 0 && index < (int)(sizeof table / sizeof *table) ? &table[index] : NULL;
}

void canon_draw(const Canon* canon, uint64_t seed, double p[CANON_PARAMETERS]) {
  uint64_t state = seed;
  for (int i = 0; i < CANON_PARAMETERS; i++)
    p[i] = canon->lower[i] + (canon->upper[i] - canon->lower[i]) * rg_random_unit(&state);
}

rgWorld* canon_world(const Canon* canon, const rgOptions* options, const double* p,
                     rgBodyId* body) {
  rgWorldDef def = rg_world_def();
  def.options = *options;
  rgWorld* world = build_world_of(&def);
  *body = canon->build(world, p);
  return world;
}

double canon_distance(const rgWorld* world, rgBodyId body, rgPose exact) {
  rgMassProperties mass = rg_body_mass(world, body);
  rgQuat turn = quat_mul(quat_conj(exact.orientation), rg_body_pose(world, body).orientation);
  rgVec3 q = v3(turn.x, turn.y, turn.z);
  double shift2 = v3_norm2(v3_sub(rg_body_center(world, body), exact.position));
  return sqrt(shift2 + 4 * v3_dot(q, m3_apply(&mass.inertia, q)) / mass.mass);
}
