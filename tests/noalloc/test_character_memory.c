// Driving a character allocates nothing, and every allocation as it is made can fail.
#include "base/memory.h"
#include "support/builder.h"
#include "test.h"

#include <rigor/character.h>

typedef struct Books {
  int calls, live;
  int fail_at; // call that returns NULL, and all after it; -1: none
} Books;

static void* take(size_t size, void* context) {
  Books* books = context;
  if (books->fail_at >= 0 && books->calls >= books->fail_at)
    return NULL;
  books->calls++;
  books->live++;
  return rg_allocator_default().allocate(size, NULL);
}

static void give(void* memory, size_t size, void* context) {
  ((Books*)context)->live--;
  rg_allocator_default().release(memory, size, NULL);
}

static rgFigure* own_figure(void) {
  rgClip* clip;
  rgFigure* figure;
  rgMessage message = {""};
  rgFigureDef def = rg_figure_def();
  def.scale = 1;
  REQUIRE_INT(rg_clip_read(test_scene("experiments/figure.bvh"), &clip, &message), RG_OK);
  REQUIRE_INT(rg_figure_create(clip, &def, &figure, &message), RG_OK);
  rg_clip_free(clip);
  return figure;
}

TEST(driving_a_character_allocates_nothing) {
  for (int root = 0; root < RG_ROOT_COUNT; root++) {
    rgFigure* figure = own_figure();
    Books books = {.fail_at = -1};
    rgWorldDef def = rg_world_def();
    def.allocator = (rgAllocator){take, give, &books};
    rgWorld* world = build_world_of(&def);
    rgCharacterDef character_def = rg_character_def();
    character_def.root = (rgCharacterRoot)root;
    rgCharacter* character;
    REQUIRE_INT(rg_character_create(world, figure, &character_def, &character), RG_OK);
    for (int i = 0; i < 20; i++) {
      REQUIRE_INT(rg_character_drive(character), RG_OK);
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    }
    int before = books.calls;
    for (int i = 0; i < 20; i++) {
      REQUIRE_INT(rg_character_drive(character), RG_OK);
      REQUIRE_INT(rg_world_step(world, NULL), RG_OK);
    }
    CHECK_INT(books.calls, before);
    rg_character_destroy(character);
    rg_world_destroy(world);
    rg_figure_destroy(figure);
    CHECK_INT(books.live, 0);
  }
}

TEST(every_allocation_of_a_character_can_fail) {
  rgFigure* figure = own_figure();
  int made = 0;
  for (int k = 0; k < 2000 && !made; k++) {
    Books books = {.fail_at = -1};
    rgWorldDef def = rg_world_def();
    def.allocator = (rgAllocator){take, give, &books};
    rgWorld* world = build_world_of(&def);
    rgCharacterDef character_def = rg_character_def();
    rgCharacter* character;
    books.fail_at = books.calls + k;
    rgStatus status = rg_character_create(world, figure, &character_def, &character);
    made = status == RG_OK;
    if (!made) {
      CHECK_INT(status, RG_ERROR_MEMORY);
      CHECK(character == NULL);
      CHECK_INT(rg_world_body_count(world), 0);
      CHECK_CONTAINS(rg_world_message(world), "memory");
    }
    books.fail_at = -1;
    rg_character_destroy(character);
    rg_world_destroy(world);
    CHECK_INT(books.live, 0);
  }
  CHECK(made);
  rg_figure_destroy(figure);
}

TEST(every_allocation_of_inverse_dynamics_can_fail) {
  for (int form = 0; form < RG_INVERSE_FORM_COUNT; form++) {
    int done = 0;
    for (int k = 0; k < 100 && !done; k++) {
      Books books = {.fail_at = -1};
      rgWorldDef def = rg_world_def();
      def.allocator = (rgAllocator){take, give, &books};
      rgWorld* world = build_world_of(&def);
      rgJointDef joint = rg_joint_def(RG_JOINT_HINGE);
      rgJointId id;
      joint.body_b = build_box(world, v3(1, 1, 1), v3(0, 0, 2));
      REQUIRE_INT(rg_world_add_joint(world, &joint, &id), RG_OK);
      books.fail_at = books.calls + k;
      rgInverse* inverse;
      rgBodyMotion motion;
      rgInverseJoint found;
      rg_inverse_state(world, &motion);
      rgStatus status = rg_inverse_create(world, (rgInverseForm)form, &inverse);
      if (status == RG_OK)
        status = rg_inverse_motion(inverse, &motion, NULL, &found, NULL);
      done = status == RG_OK;
      CHECK(done || status == RG_ERROR_MEMORY);
      rg_inverse_destroy(inverse);
      rg_world_destroy(world);
      CHECK_INT(books.live, 0);
    }
    CHECK(done);
  }
}
