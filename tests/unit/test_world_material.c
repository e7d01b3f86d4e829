// What holds between two materials: whose friction direction, and which of several calls.
#include "test.h"

#include "support/builder.h"
#include <rigor/view.h>

static int add_directed(rgWorld* world, rgVec3 direction) {
  rgMaterial material = rg_material_default();
  material.e_t = 0.5;
  material.direction = direction;
  int index;
  REQUIRE(rg_world_add_material(world, &material, &index) == RG_OK);
  return index;
}

// The direction along which the contacts of the last step have mu e_t.
static rgVec3 direction_of_last_step(const rgWorld* world) {
  rgProblem problem;
  REQUIRE(rg_world_island_count(world) == 1);
  REQUIRE(rg_world_island(world, 0, &problem, NULL, NULL) == RG_OK);
  REQUIRE(problem.contact_count > 0);
  return problem.contacts[0].t;
}

// Both materials have a direction, x or y: that of the shape whose id has the lower index holds,
// whichever of the materials is older and whichever of the bodies moves.
TEST(of_two_friction_directions_that_of_the_older_shape_holds) {
  for (int i = 0; i < 8; i++) {
    bool older_moves = i & 1, older_has_first = i & 2, older_has_x = i & 4;
    rgWorld* world = build_world("default");
    rgVec3 x = {1, 0, 0}, y = {0, 1, 0};
    bool first_is_x = older_has_first == older_has_x;
    int first = add_directed(world, first_is_x ? x : y),
        second = add_directed(world, first_is_x ? y : x);
    for (int k = 0; k < 2; k++) {
      bool moves = (k == 0) == older_moves;
      rgBodyDef def = body_at(moves ? RG_BODY_DYNAMIC : RG_BODY_STATIC, v3(0, 0, moves ? 0.1 : -1));
      rgShapeDef box = shape_box(moves ? v3(0.1, 0.1, 0.1) : v3(1, 1, 1));
      box.material = (k == 0) == older_has_first ? first : second;
      build_body(world, &def, box);
    }
    CONTEXT("the older %s, has %c and the %s material", older_moves ? "moves" : "rests",
            older_has_x ? 'x' : 'y', older_has_first ? "first" : "second");
    run_steps(world, 1);
    rgVec3 t = direction_of_last_step(world);
    CHECK_NEAR(fabs(v3_dot(t, older_has_x ? x : y)), 1, 1e-12);
    rg_world_destroy(world);
  }
}

// A pair has one material, in whichever order it is named; the last call holds.
TEST(the_last_material_set_for_a_pair_holds_in_both_orders) {
  for (int orders = 0; orders < 8; orders++) {
    rgWorld* world = build_world("default");
    int a = build_material(world, 0.1, 0), b = build_material(world, 0.2, 0);
    CONTEXT("orders %d", orders);
    for (int call = 0; call < 3; call++) {
      bool turned = orders >> call & 1;
      rgMaterial pair = rg_material_default(), found;
      pair.mu = 0.3 + 0.1 * call;
      REQUIRE(rg_world_set_pair_material(world, turned ? b : a, turned ? a : b, &pair) == RG_OK);
      REQUIRE(rg_world_pair_material(world, a, b, &found) == RG_OK);
      CHECK_NEAR(found.mu, pair.mu, 0);
      REQUIRE(rg_world_pair_material(world, b, a, &found) == RG_OK);
      CHECK_NEAR(found.mu, pair.mu, 0);
    }
    rg_world_destroy(world);
  }
}

// Every number of two materials is combined by its geometric mean, that of both with themselves being what they are.
TEST(all_numbers_of_two_materials_are_combined_alike) {
  rgWorld* world = build_world("default");
  rgMaterial a = {.mu = 0.4, .restitution = 0.3, .e_t = 0.5, .e_o = 1.5, .e_tau = 0.02},
             b = {.mu = 0.9, .restitution = 0.7, .e_t = 2, .e_o = 0.8, .e_tau = 0.3}, found;
  int one, other;
  REQUIRE(rg_world_add_material(world, &a, &one) == RG_OK);
  REQUIRE(rg_world_add_material(world, &b, &other) == RG_OK);
  for (int k = 0; k < 2; k++) {
    REQUIRE(rg_world_pair_material(world, k ? one : other, k ? other : one, &found) == RG_OK);
    CHECK_REL(found.mu, sqrt(a.mu * b.mu), 1e-15);
    CHECK_REL(found.restitution, sqrt(a.restitution * b.restitution), 1e-15);
    CHECK_REL(found.e_t, sqrt(a.e_t * b.e_t), 1e-15);
    CHECK_REL(found.e_o, sqrt(a.e_o * b.e_o), 1e-15);
    CHECK_REL(found.e_tau, sqrt(a.e_tau * b.e_tau), 1e-15);
    REQUIRE(rg_world_pair_material(world, one, one, &found) == RG_OK);
    CHECK_BITS(found.e_tau, a.e_tau);
    CHECK_BITS(found.e_o, a.e_o);
  }
  rg_world_destroy(world);
}

// What holds between materials can be said of those that are there, and of no other.
TEST(pairs_with_a_material_that_is_not_there_are_refused) {
  rgWorld* world = build_world("default");
  build_material(world, 0.3, 0);
  int count = rg_world_material_count(world);
  rgMaterial pair = rg_material_default();
  for (int i = -1; i <= count; i++)
    for (int k = -1; k <= count; k++) {
      CONTEXT("materials %d and %d of %d", i, k, count);
      bool there = i >= 0 && i < count && k >= 0 && k < count;
      CHECK_INT(rg_world_set_pair_material(world, i, k, &pair), there ? RG_OK : RG_ERROR_NOT_FOUND);
    }
  rg_world_destroy(world);
}
