// Chains and pendulums of rods against values computed by other means: the double pendulum, the
// frequency of a hanging chain, energy, and a tower of welds under a heavy top.
#include "base/random.h"
#include "math/vec.h"
#include "test.h"
#include <rigor/rigor.h>

enum { LINKS_MAX = 16 };
static const double PI = 3.14159265358979323846;

typedef struct Chain {
  rgWorld* world;
  rgBodyId links[LINKS_MAX];
  int count;
} Chain;

// Rods of length and mass `length`, from the origin on, each at an angle from the vertical.
static Chain make_chain(rgJointKind kind, int count, double length, const double* angles, double h,
                        double theta) {
  Chain chain = {.count = count};
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.gravity = v3(0, 0, -9.81);
  def.options.step = h;
  def.options.theta = theta;
  REQUIRE_INT(rg_world_create(&def, &chain.world, NULL), RG_OK);
  rgVec3 end = v3_zero();
  rgJointDef joint = rg_joint_def(kind);
  joint.axis = v3(0, -1, 0);
  for (int i = 0; i < count; i++) {
    double turn = 0.5 * (PI / 2 - angles[i]); // half the turn that takes x there
    rgVec3 along = v3(sin(angles[i]), 0, -cos(angles[i]));
    rgBodyDef body = rg_body_def();
    body.pose.position = v3_axpy(end, 0.5 * length, along);
    body.pose.orientation = (rgQuat){cos(turn), 0, sin(turn), 0};
    body.mass = length;
    body.inertia_given = true;
    double moment = length * length * length / 12;
    body.inertia = m3_diag(0.01 * moment, moment, moment);
    REQUIRE_INT(rg_world_add_body(chain.world, &body, NULL, 0, &chain.links[i]), RG_OK);
    joint.body_b = chain.links[i];
    joint.point = end;
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(chain.world, &joint, &id), RG_OK);
    joint.body_a = joint.body_b;
    end = v3_axpy(end, length, along);
  }
  return chain;
}

static double angle_of(const Chain* chain, int link) {
  rgQuat q = rg_body_pose(chain->world, chain->links[link]).orientation;
  return PI / 2 - 2 * atan2(q.y, q.w);
}

// Largest error of angles and rates at t = 1.
static double double_pendulum_error(double h) {
  static const double angles[2] = {-1.207716238191, -0.814391023091};
  static const double rates[2] = {-3.406517532972, -0.516045472105};
  const double horizontal[2] = {PI / 2, PI / 2};
  Chain chain = make_chain(RG_JOINT_HINGE, 2, 1, horizontal, h, 0.5);
  for (int i = 0; i < (int)lround(1 / h); i++)
    REQUIRE_INT(rg_world_step(chain.world, NULL), RG_OK);
  double error = 0;
  for (int i = 0; i < 2; i++) {
    double rate = -rg_body_velocity(chain.world, chain.links[i]).angular.y;
    error = fmax(error, fmax(fabs(angle_of(&chain, i) - angles[i]), fabs(rate - rates[i])));
  }
  rg_world_destroy(chain.world);
  return error;
}

TEST(double_pendulum_is_second_order) {
  double fine = double_pendulum_error(1e-4), coarse = double_pendulum_error(1e-3);
  CHECK_MSG(fine < 1e-5, "%g", fine);
  CHECK_NEAR(log10(coarse / fine), 2, 0.1); // h^2, less the next term
}

// The lowest mode of a hanging chain of n rods, total length 1, by inverse iteration on K x = w^2 M
// x in the angles: M_ij = m l^2 (n - max(i, j) - 1/2), of the diagonal m l^2 (n - i - 2/3); K_ii =
// m g l (n - i - 1/2).
static double lowest_mode(int n, double* mode) {
  double l = 1.0 / n;
  for (int i = 0; i < n; i++)
    mode[i] = 1;
  double w2 = 0;
  for (int iteration = 0; iteration < 200; iteration++) {
    double next[LINKS_MAX], top = 0, bottom = 0;
    for (int i = 0; i < n; i++) {
      next[i] = 0;
      for (int j = 0; j < n; j++) {
        double factor = i == j ? n - i - 2.0 / 3 : n - (i > j ? i : j) - 0.5;
        next[i] += l * factor * mode[j];
      }
      double stiffness = 9.81 * (n - i - 0.5);
      next[i] /= stiffness;
      top += mode[i] * stiffness * next[i];
      bottom += next[i] * stiffness * next[i];
    }
    w2 = top / bottom;
    for (int i = 0; i < n; i++)
      mode[i] = next[i] / next[n - 1];
  }
  return sqrt(w2);
}

TEST(hanging_chain_swings_at_its_lowest_frequency) {
  enum { N = 10 };
  double mode[LINKS_MAX], h = 1e-3, amplitude = 1e-4;
  double frequency = lowest_mode(N, mode);
  CHECK_NEAR(frequency, 3.767208518, 1e-8);
  for (int i = 0; i < N; i++)
    mode[i] *= amplitude;
  Chain chain = make_chain(RG_JOINT_HINGE, N, 1.0 / N, mode, h, 0.5);
  double last = mode[N - 1], crossing = 0;
  for (int i = 0; i < 1000 && crossing == 0; i++) {
    REQUIRE_INT(rg_world_step(chain.world, NULL), RG_OK);
    double now = angle_of(&chain, N - 1);
    if (now <= 0)
      crossing = h * (i + last / (last - now));
    last = now;
  }
  CHECK_NEAR(PI / 2 / crossing, 3.767208518, 1e-4);
  rg_world_destroy(chain.world);
}

// From horizontal, wildly: of 1 m links, and of 100 mm links, where 1 ms is long.
static void check_energy(rgJointKind kind, double length) {
  double horizontal[6];
  for (int i = 0; i < 6; i++)
    horizontal[i] = PI / 2;
  Chain chain = make_chain(kind, 6, length, horizontal, 1e-3, 0.5);
  rgEnergy start = rg_world_energy(chain.world);
  double drift = 0, kinetic = 0, error = 0;
  for (int i = 0; i < 10000; i++) {
    rgCertificate certificate;
    REQUIRE_INT(rg_world_step(chain.world, &certificate), RG_OK);
    rgEnergy now = rg_world_energy(chain.world);
    drift = fmax(drift, fabs(now.kinetic + now.potential - start.kinetic - start.potential));
    kinetic = fmax(kinetic, now.kinetic);
    error = fmax(error, certificate.joint_error);
  }
  CONTEXT("%s, %g m", rg_joint_kind_name(kind), length);
  CHECK_MSG(drift < 1e-6 * kinetic, "%g of %g J", drift, kinetic);
  CHECK_MSG(error < 1e-8, "%g m", error);
  rg_world_destroy(chain.world);
}

TEST(chain_keeps_its_energy) {
  check_energy(RG_JOINT_HINGE, 1);
  check_energy(RG_JOINT_HINGE, 0.1);
  check_energy(RG_JOINT_BALL, 0.1);
}

// Without gravity and ground a chain keeps momentum and angular momentum.
TEST(free_chain_keeps_its_momentum) {
  double angles[4] = {0.3, 1.2, -0.5, 2};
  Chain chain = make_chain(RG_JOINT_BALL, 4, 0.5, angles, 1e-3, 0.5);
  REQUIRE_INT(rg_world_remove_joint(chain.world, rg_world_joint(chain.world, 0)), RG_OK);
  rgOptions options = *rg_world_options(chain.world);
  options.gravity = v3_zero();
  REQUIRE_INT(rg_world_set_options(chain.world, &options), RG_OK);
  rgTwist spin = {v3(1, 2, -1), v3(3, -5, 4)};
  REQUIRE_INT(rg_body_set_velocity(chain.world, chain.links[0], spin), RG_OK);
  REQUIRE_INT(rg_world_step(chain.world, NULL), RG_OK); // velocities come to suit the joints
  rgTwist start = rg_world_momentum(chain.world);
  rgEnergy energy = rg_world_energy(chain.world);
  for (int i = 0; i < 2000; i++)
    REQUIRE_INT(rg_world_step(chain.world, NULL), RG_OK);
  rgTwist end = rg_world_momentum(chain.world);
  // What the solver leaves, 1e-10 of the impulses of a step, over 2000 steps.
  CHECK_NEAR(v3_norm(v3_sub(end.linear, start.linear)), 0, 1e-8);
  CHECK_NEAR(v3_norm(v3_sub(end.angular, start.angular)), 0, 1e-8);
  CHECK_REL(rg_world_energy(chain.world).kinetic, energy.kinetic, 1e-8);
  rg_world_destroy(chain.world);
}

// Links that are thrown each their own way come to suit the joints, and turn by up to half a radian
// in the first step. Its rounds gain slowly, but they gain, and are not cut short.
TEST(a_long_chain_thrown_at_random_is_certified) {
  enum { LINKS = 200 };
  const double length = 0.1, speed = 2;
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  uint64_t seed = 5;
  for (int i = 0; i < LINKS; i++) {
    rgBodyDef body = rg_body_def();
    body.pose.position = v3((i + 0.5) * length, 0, 0);
    double thrown[3];
    for (int k = 0; k < 3; k++)
      thrown[k] = speed * (2 * rg_random_unit(&seed) - 1);
    body.velocity.linear = v3(thrown[0], thrown[1], thrown[2]);
    body.mass = 1;
    body.inertia_given = true;
    double moment = length * length / 12;
    body.inertia = m3_diag(0.1 * moment, moment, moment);
    REQUIRE_INT(rg_world_add_body(world, &body, NULL, 0, &joint.body_b), RG_OK);
    joint.point = v3(i * length, 0, 0);
    rgJointId id;
    if (i > 0)
      REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    joint.body_a = joint.body_b;
  }
  for (int i = 0; i < 5; i++) {
    rgCertificate certificate;
    CONTEXT("step %d", i);
    REQUIRE_INT(rg_world_step(world, &certificate), RG_OK);
    CHECK_MSG(certificate.met, "residual %g", certificate.residual);
    // the plain step would leave a thousandth of it
    CHECK_NEAR(certificate.joint_error, 0, 1e-6 * length);
  }
  rg_world_destroy(world);
}

TEST(welded_tower_does_not_sag) {
  rgWorldDef def = rg_world_def();
  rg_options_preset("reference", &def.options);
  def.options.theta = 0.5;
  rgWorld* world;
  REQUIRE_INT(rg_world_create(&def, &world, NULL), RG_OK);
  rgJointDef joint = rg_joint_def(RG_JOINT_FIXED);
  rgBodyId top = {0, 0};
  for (int i = 0; i <= 10; i++) {
    rgBodyDef body = rg_body_def();
    double mass = i < 10 ? 1 : 100;
    // Somewhat out of line, so that welds carry moments.
    body.pose.position = v3(i < 10 ? 0.02 * (i % 2) : 0.05, 0, 0.2 * i + 0.1);
    body.mass = mass;
    body.inertia_given = true;
    body.inertia = m3_diag(mass * 0.0067, mass * 0.0067, mass * 0.0067);
    REQUIRE_INT(rg_world_add_body(world, &body, NULL, 0, &top), RG_OK);
    joint.body_b = top;
    joint.point = v3(0, 0, 0.2 * i);
    rgJointId id;
    REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
    joint.body_a = top;
  }
  rgVec3 start = rg_body_center(world, top);
  double sag = 0;
  for (int i = 0; i < 1000; i++) {
    REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    sag = fmax(sag, v3_norm(v3_sub(rg_body_center(world, top), start)));
  }
  CHECK_MSG(sag < 1e-9, "%g m", sag);
  rg_world_destroy(world);
}
