// Impulses handed over to new contacts.
#include "test.h"

#include "support/builder.h"
#include "world/world.h"
#include <rigor/view.h>

#include <math.h>

enum { CORNERS = 4 };

typedef struct Pile {
  rgWorld* world;
  rgWorldContact* kept; // the world's own
  rgWorldContact last[CORNERS];
  rgPair pair;
} Pile;

// Two unit boxes; old contacts on the corners of the face between them, pressed and rubbed
// unevenly.
static void make_pile(Pile* pile) {
  rgWorldDef def = rg_world_def();
  rgMessage message;
  REQUIRE(rg_world_create(&def, &pile->world, &message) == RG_OK);
  for (int i = 0; i < 2; i++) {
    rgBodyDef body = rg_body_def();
    rgShapeDef box = rg_shape_def(RG_SHAPE_BOX);
    rgBodyId id;
    body.pose.position = v3(0, 0, 0.5 + i);
    box.half = v3(0.5, 0.5, 0.5);
    box.density = 1000;
    REQUIRE(rg_world_add_body(pile->world, &body, &box, 1, &id) == RG_OK);
  }
  pile->kept = pile->world->contacts;
  pile->world->contacts = pile->last;
  pile->pair = (rgPair){.a = 0, .b = 1, .contact_count = CORNERS};
  for (int i = 0; i < CORNERS; i++)
    pile->last[i] = (rgWorldContact){.normal = v3(0, 0, -1),
                                     .point_a = v3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, 1),
                                     .impulse = v3(2 + i, 3 - i, -20 - 3 * i),
                                     .body_b = 1,
                                     .shape_b = 1,
                                     .feature = (uint32_t)i};
}

static void end_pile(Pile* pile) {
  pile->world->contacts = pile->kept;
  rg_world_destroy(pile->world);
}

static rgWrench wrench_of(const rgWorldContact* contacts, int count) {
  rgWrench sum = {v3_zero(), v3_zero()};
  for (int i = 0; i < count; i++) {
    sum.force = v3_add(sum.force, contacts[i].impulse);
    sum.torque = v3_add(sum.torque, v3_cross(contacts[i].point_a, contacts[i].impulse));
  }
  return sum;
}

static void check_wrench(rgWrench a, rgWrench b, double tolerance) {
  CHECK_NEAR(v3_norm(v3_sub(a.force, b.force)), 0, tolerance);
  CHECK_NEAR(v3_norm(v3_sub(a.torque, b.torque)), 0, tolerance);
}

// New contacts: the old features at the places they have now, without impulses.
static void renew(const Pile* pile, rgWorldContact* contacts) {
  for (int i = 0; i < CORNERS; i++) {
    contacts[i] = pile->last[i];
    contacts[i].impulse = v3_zero();
  }
}

TEST(what_stays_keeps_its_impulses_to_the_bit) {
  Pile pile;
  make_pile(&pile);
  rgWorldContact contacts[CORNERS];
  renew(&pile, contacts);
  for (int i = 0; i < CORNERS; i++)
    contacts[i].point_a.x += 0.125; // all alike: the pair moved, nothing wandered
  rg_world_carry_impulses(pile.world, &pile.pair, contacts, CORNERS, 0);
  for (int i = 0; i < CORNERS; i++)
    CHECK(v3_equal(contacts[i].impulse, pile.last[i].impulse));
  end_pile(&pile);
}

// The moment of a pair about any point is what a new guess must keep: a contact that wanders along
// an edge takes its impulse along, and the others make up for it.
TEST(a_corner_that_wanders_leaves_the_wrench_as_it_was) {
  Pile pile;
  make_pile(&pile);
  rgWrench before = wrench_of(pile.last, CORNERS);
  for (int which = 0; which < CORNERS; which++) {
    rgWorldContact contacts[CORNERS];
    renew(&pile, contacts);
    contacts[which].point_a.x *= 0.8;
    rg_world_carry_impulses(pile.world, &pile.pair, contacts, CORNERS, 0);
    CONTEXT("corner %d", which);
    // S is made regular by 1e-6 of its trace: the moment is met to about that
    check_wrench(wrench_of(contacts, CORNERS), before, 1e-5 * v3_norm(before.force));
    for (int i = 0; i < CORNERS; i++) {
      double normal = -contacts[i].impulse.z;
      double rubbing = hypot(contacts[i].impulse.x, contacts[i].impulse.y);
      CHECK(normal > 0);
      CHECK(rubbing <= 0.5 * normal * (1 + 1e-12)); // mu of the default material
    }
  }
  end_pile(&pile);
}

TEST(a_corner_that_vanishes_leaves_the_wrench_as_it_was) {
  Pile pile;
  make_pile(&pile);
  rgWrench before = wrench_of(pile.last, CORNERS);
  rgWorldContact contacts[CORNERS];
  renew(&pile, contacts);
  contacts[2].feature = 77;
  contacts[2].point_a = v3(-0.45, 0.48, 1);
  rg_world_carry_impulses(pile.world, &pile.pair, contacts, CORNERS, 0);
  check_wrench(wrench_of(contacts, CORNERS), before, 1e-5 * v3_norm(before.force));
  end_pile(&pile);
}

// Triangles in one plane give contacts of one feature, now more of them, now fewer: what the pair carried is
// handed over once, to the nearest.
TEST(contacts_of_one_feature_inherit_each_impulse_once) {
  Pile pile;
  make_pile(&pile);
  for (int shared = 1; shared <= CORNERS; shared++) // old contacts of the one feature
    for (int order = 0; order < 2; order++)
      for (int count = 1; count <= CORNERS; count++) {
        CONTEXT("%d contacts of one feature before, %d after, order %d", shared, count, order);
        for (int i = 0; i < CORNERS; i++)
          pile.last[i].feature = i < shared ? 9 : (uint32_t)i;
        pile.pair.contact_count = shared;
        rgWorldContact contacts[CORNERS];
        renew(&pile, contacts);
        rgVec3 expected[CORNERS];
        for (int i = 0; i < count; i++) {
          int place = order ? count - 1 - i : i;
          contacts[i].feature = 9;
          contacts[i].point_a = pile.last[place].point_a;
          contacts[i].normal =
              v3_unit_or(v3(0.1 * i, 0, -1), v3_zero()); // not flat: no wrench is kept
          expected[i] = place < shared ? pile.last[place].impulse : v3_zero();
        }
        rg_world_carry_impulses(pile.world, &pile.pair, contacts, count, 0);
        rgVec3 sum = wrench_of(contacts, count).force, all = wrench_of(pile.last, shared).force;
        CHECK_NEAR(distance(sum, all), 0, 1e-14 * v3_norm(all)); // sums of four
        for (int i = 0; i < count && count > shared; i++)
          CHECK(v3_equal(contacts[i].impulse, expected[i]));
      }
  end_pile(&pile);
}

// Bodies that fly along together take the wrench with them.
TEST(the_wrench_moves_with_the_bodies) {
  Pile pile;
  make_pile(&pile);
  const double h = 0.01;
  for (int i = 0; i < 2; i++)
    pile.world->bodies[i].velocity.linear = v3(3, -2, 1);
  rgWrench before = wrench_of(pile.last, CORNERS);
  rgVec3 shift = v3(3 * h, -2 * h, h);
  before.torque = v3_add(before.torque, v3_cross(shift, before.force));
  rgWorldContact contacts[CORNERS];
  renew(&pile, contacts);
  for (int i = 0; i < CORNERS; i++)
    contacts[i].point_a = v3_add(contacts[i].point_a, shift);
  contacts[1].point_a.y += 0.05;
  rg_world_carry_impulses(pile.world, &pile.pair, contacts, CORNERS, h);
  check_wrench(wrench_of(contacts, CORNERS), before, 1e-5 * v3_norm(before.force));
  end_pile(&pile);
}

// A shape that comes into the slot of one that was removed has touched nothing yet.
TEST(what_comes_into_a_slot_has_no_impulses_of_what_was_there) {
  rgWorld* world = build_world("default");
  build_floor(world);
  rgBodyId box = build_box(world, v3(0.2, 0.2, 0.2), v3(0, 0, 0.2));
  run_steps(world, 20);
  rgContact contact;
  REQUIRE(rg_world_contact_count(world) > 0);
  REQUIRE(rg_world_contact(world, 0, &contact) == RG_OK);
  CHECK(v3_norm(contact.impulse) > 0);
  REQUIRE(rg_world_remove_body(world, box) == RG_OK);
  rgBodyId other = build_box(world, v3(0.2, 0.2, 0.2), v3(0, 0, 0.2));
  CHECK_INT(other.index, box.index);
  REQUIRE(rg_world_find_contacts(world) == RG_OK);
  CHECK(rg_world_contact_count(world) > 0);
  for (int i = 0; i < rg_world_contact_count(world); i++) {
    REQUIRE(rg_world_contact(world, i, &contact) == RG_OK);
    CHECK_BITS(v3_norm(contact.impulse), 0);
  }
  rg_world_destroy(world);
}
