// The certificate of trees: zero for an answer of theirs, and what is wrong with one that was disturbed.
#include "problem/operator.h"
#include "step/tree/tree.h"
#include "support/builder.h"
#include "support/random.h"
#include "test.h"

#include <string.h>

enum { LINKS = 5 };
static const double TOLERANCE = 1e-6;

// A chain of one kind of joint that was stepped once, and what the solver of trees makes of its problem.
typedef struct Chain {
  rgWorld* world;
  rgProblem problem;
  rgSolution solution;
  rgReduced reduced;
  double size[LINKS];
  void* memory;
} Chain;

static void make_chain(Chain* chain, rgJointKind kind, uint64_t seed) {
  memset(chain, 0, sizeof *chain);
  random_state = seed;
  chain->world = build_world("default");
  rgBodyId last = {0, 0};
  for (int i = 0; i < LINKS; i++) {
    rgBodyDef body = body_at(RG_BODY_DYNAMIC, v3(0.3 * i + 0.15, 0, 0));
    body.pose.orientation = random_rotation();
    body.mass = random_between(0.5, 2);
    body.inertia_given = true;
    body.inertia = m3_diag(0.02, 0.03, random_between(0.02, 0.04));
    body.velocity.angular = random_vector();
    rgBodyId id;
    REQUIRE_INT(rg_world_add_body(chain->world, &body, NULL, 0, &id), RG_OK);
    rgJointDef joint = rg_joint_def(kind);
    rgVec3 o;
    joint.body_a = last;
    joint.body_b = id;
    joint.point = v3(0.3 * i, 0, 0);
    joint.axis = random_direction();
    if (kind == RG_JOINT_UNIVERSAL)
      v3_frame(joint.axis, &joint.axis_2, &o);
    rgJointId made;
    REQUIRE_INT(rg_world_add_joint(chain->world, &joint, &made), RG_OK);
    last = id;
    chain->size[i] = 0.3;
  }
  REQUIRE_INT(rg_world_step(chain->world, NULL), RG_OK);
  REQUIRE_INT(rg_world_island(chain->world, 0, &chain->problem, &chain->solution, NULL), RG_OK);
  REQUIRE(chain->problem.links);
  rgCarver counter = {NULL, 0};
  rg_reduced_carve(&chain->reduced, &chain->problem, &counter);
  chain->memory = calloc(1, counter.used + 64);
  rgCarver carver = {(char*)chain->memory + (64 - (uintptr_t)chain->memory % 64) % 64, 0};
  rg_reduced_carve(&chain->reduced, &chain->problem, &carver);
  REQUIRE(rg_reduced_build(&chain->reduced, &chain->solution));
  rg_reduced_take(&chain->reduced, &chain->solution);
  rg_reduced_velocity(&chain->reduced);
  rg_reduced_react(&chain->reduced, &chain->solution);
}

static void free_chain(Chain* chain) {
  free(chain->memory);
  rg_world_destroy(chain->world);
}

static rgCertificate judge(const Chain* chain) {
  rgCertificate certificate;
  double scale = rg_problem_scale(&chain->problem);
  rgSolution solution = chain->solution;
  solution.v = chain->reduced.v;
  rg_tree_judge(&chain->reduced, &solution, chain->size, scale, TOLERANCE, &certificate);
  return certificate;
}

static const rgJointKind KINDS[] = {RG_JOINT_HINGE, RG_JOINT_UNIVERSAL, RG_JOINT_BALL,
                                    RG_JOINT_FIXED};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

TEST(an_answer_of_trees_is_met_by_far) {
  for (int k = 0; k < KIND_COUNT; k++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      Chain chain;
      make_chain(&chain, KINDS[k], seed);
      rgCertificate certificate = judge(&chain);
      CONTEXT("kind %d, seed %d", (int)KINDS[k], (int)seed);
      CHECK(certificate.met);
      CHECK(certificate.residual < 1e-11);
      free_chain(&chain);
    }
}

// A body that moves otherwise by d [m/s] leaves the points of its joints apart by as much.
TEST(velocities_that_part_joints_are_seen) {
  for (int k = 0; k < KIND_COUNT; k++)
    for (int body = 0; body < LINKS; body++) {
      Chain chain;
      make_chain(&chain, KINDS[k], 100 + (uint64_t)body);
      double d = 1e-4;
      rgVec3 way = v3_scale(random_direction(), d);
      rg_body_add(chain.reduced.v, body, 1, way, v3_zero());
      rgCertificate certificate = judge(&chain);
      CONTEXT("kind %d, body %d", (int)KINDS[k], body);
      CHECK(!certificate.met);
      CHECK_NEAR(certificate.joint, v3_max_abs(way), 1e-3 * d);
      free_chain(&chain);
    }
}

// A spin about the joint's own point: free along its axes, and missed across them with the size of the joint as lever.
TEST(spins_are_free_along_axes_alone) {
  static const int free_axes[] = {1, 2, 3, 0};
  for (int k = 0; k < KIND_COUNT; k++)
    for (int axis = 0; axis < 3; axis++) {
      Chain chain;
      make_chain(&chain, KINDS[k], 200 + (uint64_t)axis);
      int body = LINKS - 1;
      const rgProblemLink* link = &chain.problem.links[body];
      rgVec3 first = link->axis_count > 0 ? link->axis[0].angular : random_direction(),
             second =
                 link->axis_count > 1 ? link->axis[1].angular : v3_cross(first, random_direction());
      rgVec3 axes[3] = {v3_unit_or(first, v3_zero()), v3_unit_or(second, v3_zero()),
                        v3_unit_or(v3_cross(first, second), v3_zero())};
      rgVec3 spin = v3_scale(axes[axis], 1e-3);
      rg_body_add(chain.reduced.v, body, 1, v3_cross(link->arm, spin), spin);
      rgCertificate certificate = judge(&chain);
      CONTEXT("kind %d, axis %d", (int)KINDS[k], axis);
      double expected = axis < free_axes[k] ? 0 : chain.size[body] * v3_max_abs(spin);
      CHECK_NEAR(certificate.joint, expected, 1e-6);
      free_chain(&chain);
    }
}

// A moment that the joint of the last link can not give moves that link and its parent.
TEST(wrenches_along_axes_are_seen) {
  static const int free_axes[] = {1, 2, 3, 0};
  for (int k = 0; k < KIND_COUNT; k++) {
    Chain chain;
    make_chain(&chain, KINDS[k], 300);
    int body = LINKS - 1;
    const rgProblemLink* link = &chain.problem.links[body];
    rgVec3 moment = v3_scale(free_axes[k] > 0 ? link->axis[0].angular : v3(0, 0, 1), 1e-3);
    rg_body_add(chain.reduced.wrench, body, 1, v3_zero(), moment);
    rgCertificate certificate = judge(&chain);
    CONTEXT("kind %d", (int)KINDS[k]);
    rgTwist own = rg_mass_response(&chain.problem, body, (rgTwist){v3_zero(), moment}),
            parent = rg_mass_response(&chain.problem, link->parent, (rgTwist){v3_zero(), moment});
    double expected = fmax(v3_norm(own.angular), v3_norm(parent.angular)) * chain.size[body];
    CHECK_NEAR(certificate.dynamics, free_axes[k] > 0 ? expected : 0, 1e-6);
    CHECK(certificate.met == (free_axes[k] == 0));
    free_chain(&chain);
  }
}

// Masses that are not the inverses of those of the problem.
TEST(wrong_masses_are_seen) {
  Chain chain;
  make_chain(&chain, RG_JOINT_HINGE, 400);
  rgSix* inertia = &chain.reduced.masses[2].inertia;
  inertia->xx *= 1.01, inertia->yy *= 1.01, inertia->zz *= 1.01;
  rgVec3 gained =
      v3_sub(rg_body_twist(chain.reduced.v, 2).angular, rg_body_free(&chain.problem, 2).angular);
  rgCertificate certificate = judge(&chain);
  CHECK(!certificate.met);
  CHECK(certificate.dynamics > 1e-3 * v3_norm(gained) * chain.size[2]);
  free_chain(&chain);
}

// Numbers that are none are never met.
TEST(broken_numbers_are_not_met) {
  Chain chain;
  make_chain(&chain, RG_JOINT_HINGE, 500);
  chain.reduced.v[7] = NAN;
  CHECK(!judge(&chain).met);
  free_chain(&chain);
}
