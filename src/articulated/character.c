// character.c - a figure as bodies and joints of a world.
//
// Each link is a body with its shapes, at the centre of its joint; joints are balls whose axes are
// those of the parent, so that their coordinates are the rotation vector of the link against its
// parent. A second world, the model, holds the figure alone: inverse dynamics of the recorded movement
// is done there, whatever happens in the first.
#include "articulated/character.h"

#include "base/memory.h"
#include "base/message.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static const char* const root_names[] = {"path", "free"};

const char* rg_character_root_name(rgCharacterRoot root) {
  return (int)root >= 0 && root < RG_ROOT_COUNT ? root_names[root] : NULL;
}

rgCharacterDef rg_character_def(void) {
  return (rgCharacterDef){.gain = 10,
                          .damping = 1,
                          .floor = 2,
                          .share = 0.25,
                          .root = RG_ROOT_PATH,
                          .group = 1,
                          .mask = ~0u};
}

// -------------------------------------------------------------------------------------------------
// Bodies and joints
// -------------------------------------------------------------------------------------------------

static rgPose moved(rgPose pose, rgVec3 offset) {
  return (rgPose){v3_add(pose.position, offset), pose.orientation};
}

static rgPose follow(double time, void* context) {
  const rgFollower* follower = context;
  const rgBodyMotion* motion = rg_character_recorded(follower->character, time);
  return moved(motion[follower->link].pose, follower->offset);
}

static void name_of(const char* prefix, const char* name, char* out, size_t size) {
  snprintf(out, size, "%s%s", prefix ? prefix : "", name);
}

// How a link becomes a body.
typedef struct Making {
  rgBodyKind kind;
  uint32_t group, mask;
  const char* prefix;
  rgFollower* follower; // of kinematic bodies
} Making;

static rgStatus add_link(rgWorld* world, const rgFigure* figure, int link, const Making* making,
                         const rgBodyMotion* motion, rgBodyId* id) {
  enum { SHAPES_MAX = 16 };
  rgShapeDef shapes[SHAPES_MAX];
  const rgLinkPart* part = &figure->links[link];
  int count = part->shape_count < SHAPES_MAX ? part->shape_count : SHAPES_MAX;
  for (int i = 0; i < count; i++) {
    rg_figure_shape(figure, link, i, &shapes[i]);
    shapes[i].group = making->group;
    shapes[i].mask = making->mask;
  }
  char name[RG_BODY_NAME_SIZE];
  name_of(making->prefix, part->name, name, sizeof name);
  rgBodyDef def = rg_body_def();
  def.kind = making->kind;
  def.pose = motion->pose;
  def.velocity = motion->velocity;
  def.name = name;
  def.mass = part->mass;
  def.inertia_given = true;
  def.center = part->center;
  def.inertia = part->inertia;
  if (making->follower) {
    def.pose = moved(def.pose, making->follower->offset);
    def.motion = follow;
    def.motion_context = making->follower;
  }
  return rg_world_add_body(world, &def, shapes, count, id);
}

static rgStatus add_joint(rgWorld* world, const rgFigure* figure, int link, const char* prefix,
                          const rgBodyId* bodies, rgJointId* id) {
  const rgLinkPart* part = &figure->links[link];
  char name[RG_BODY_NAME_SIZE];
  name_of(prefix, part->name, name, sizeof name);
  rgJointDef def = rg_joint_def(RG_JOINT_BALL);
  def.body_a = bodies[part->parent];
  def.body_b = bodies[link];
  def.frames_given = true;
  def.frame_a = (rgPose){part->offset, quat_identity()};
  def.frame_b = pose_identity();
  def.name = name;
  return rg_world_add_joint(world, &def, id);
}

// Bodies of one figure do not collide: their shapes overlap at every joint.
static rgStatus part_links(rgWorld* world, const rgBodyId* bodies, int count) {
  rgStatus status = RG_OK;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < i && status == RG_OK; k++)
      status = rg_world_set_pair_collision(world, bodies[k], bodies[i], false);
  return status;
}

static rgStatus add_figure(rgCharacter* character, rgWorld* world, rgFollower* root,
                           const rgBodyMotion* motion, rgBodyId* bodies, rgMuscle* muscles) {
  const rgFigure* figure = character->figure;
  const rgCharacterDef* def = &character->def;
  rgStatus status = RG_OK;
  for (int i = 0; i < figure->link_count && status == RG_OK; i++) {
    bool path = figure->links[i].parent < 0 && def->root == RG_ROOT_PATH;
    Making making = {.kind = path ? RG_BODY_KINEMATIC : RG_BODY_DYNAMIC,
                     .group = def->group,
                     .mask = def->mask,
                     .prefix = def->prefix,
                     .follower = path ? root : NULL};
    rgBodyMotion placed = motion[i];
    if (!making.follower)
      placed.pose = moved(placed.pose, def->offset);
    status = add_link(world, figure, i, &making, &placed, &bodies[i]);
    rgJointId joint = {0, 0};
    if (status == RG_OK && figure->links[i].parent >= 0)
      status = add_joint(world, figure, i, def->prefix, bodies, &joint);
    if (muscles)
      muscles[i].joint = joint;
  }
  return status;
}

// -------------------------------------------------------------------------------------------------
// Making
// -------------------------------------------------------------------------------------------------

static rgStatus check(rgWorld* world, const rgFigure* figure, const rgCharacterDef* def) {
  if (world->dimension != 3)
    return rg_world_fail(world, RG_ERROR_INPUT, "a character needs a world of dimension 3");
  if (!(def->gain >= 0 && isfinite(def->gain)) || !(def->damping >= 0 && isfinite(def->damping)))
    return rg_world_fail(world, RG_ERROR_INPUT,
                         "gain is %g and damping %g, both must be finite and >= 0", def->gain,
                         def->damping);
  if (!(def->floor > 0 && isfinite(def->floor)))
    return rg_world_fail(world, RG_ERROR_INPUT, "floor is %g, must be > 0 [N m]", def->floor);
  if (!(def->share >= 0 && isfinite(def->share)))
    return rg_world_fail(world, RG_ERROR_INPUT, "share is %g, must be finite and >= 0", def->share);
  if (!rg_character_root_name(def->root))
    return rg_world_fail(world, RG_ERROR_INPUT, "root is %d, must be 0 (path) or 1 (free)",
                         (int)def->root);
  if (!v3_finite(def->offset))
    return rg_world_fail(world, RG_ERROR_INPUT, "offset is not finite");
  if (!(def->from <= rg_figure_end(figure)))
    return rg_world_fail(world, RG_ERROR_INPUT, "from is %g, must be below the clip's end %g [s]",
                         def->from, rg_figure_end(figure));
  return RG_OK;
}

// The moment of the weight of all that hangs on a link about its joint, stretched out along the bones:
// from the leaves to the root, with the mass below each link.
static void find_least(rgCharacter* character, double* mass, double* moment) {
  const rgFigure* figure = character->figure;
  double g = v3_norm(rg_world_options(character->world)->gravity);
  for (int i = 0; i < figure->link_count; i++) {
    mass[i] = figure->links[i].mass;
    moment[i] = mass[i] * v3_norm(figure->links[i].center);
  }
  for (int i = figure->link_count - 1; i >= 0; i--) {
    const rgLinkPart* link = &figure->links[i];
    character->muscles[i].least = fmax(character->def.floor, character->def.share * g * moment[i]);
    if (link->parent < 0)
      continue;
    mass[link->parent] += mass[i];
    moment[link->parent] += moment[i] + mass[i] * v3_norm(link->offset);
  }
}

// One block holds all arrays; followers are those of the root and of one ghost.
static bool carve(rgCharacter* character, char* base) {
  rgCarver carver = {.base = base};
  size_t links = (size_t)character->link_count;
  character->bodies = rg_carve(&carver, links, sizeof *character->bodies);
  character->muscles = rg_carve(&carver, links, sizeof *character->muscles);
  character->needs = rg_carve(&carver, links, sizeof *character->needs);
  character->missing = rg_carve(&carver, links, sizeof *character->missing);
  character->applied = rg_carve(&carver, links, sizeof *character->applied);
  character->start = rg_carve(&carver, links, sizeof *character->start);
  character->end = rg_carve(&carver, links, sizeof *character->end);
  character->earlier = rg_carve(&carver, links, sizeof *character->earlier);
  for (int i = 0; i < RG_CHARACTER_TIMES; i++)
    character->seen[i] = rg_carve(&carver, links, sizeof *character->seen[i]);
  character->followers = rg_carve(&carver, links + 1, sizeof *character->followers);
  character->memory_size = carver.used;
  return base != NULL;
}

// The figure alone, with the gravity of the world.
static rgStatus make_model(rgCharacter* character) {
  rgWorldDef def = rg_world_def();
  rgMessage message = {""};
  def.options.gravity = rg_world_options(character->world)->gravity;
  def.allocator = character->world->memory.user;
  rgStatus status = rg_world_create(&def, &character->model, &message);
  if (status != RG_OK)
    return rg_world_fail(character->world, status, "%s", message.text);
  status = add_figure(character, character->model, &character->followers[0], character->start,
                      character->bodies, NULL);
  if (status == RG_OK)
    status = rg_inverse_create(character->model, RG_INVERSE_TREE, &character->inverse);
  if (status != RG_OK)
    return rg_world_fail(character->world, status, "%s", rg_world_message(character->model));
  return RG_OK;
}

// Takes a character that could not be made out of the world again; the message stays.
static void give_up(rgCharacter* character) {
  rgWorld* world = character->world;
  rgMessage message = world->message;
  for (int i = 0; i < character->link_count; i++)
    if (rg_body_valid(world, character->bodies[i]))
      rg_world_remove_body(world, character->bodies[i]);
  world->message = message;
  rg_character_destroy(character);
}

rgStatus rg_character_create(rgWorld* world, const rgFigure* figure, const rgCharacterDef* def,
                             rgCharacter** out) {
  *out = NULL;
  rgStatus status = check(world, figure, def);
  if (status != RG_OK)
    return status;
  rgCharacter* character = rg_allocate(&world->allocator, sizeof *character);
  if (!character)
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a character");
  *character = (rgCharacter){.world = world,
                             .figure = figure,
                             .def = *def,
                             .link_count = figure->link_count,
                             .born = rg_world_time(world)};
  character->def.from = fmax(def->from, rg_figure_start(figure));
  carve(character, NULL);
  character->memory = rg_allocate(&world->allocator, character->memory_size);
  if (!character->memory) {
    rg_release(&world->allocator, character, sizeof *character);
    return rg_world_fail(world, RG_ERROR_MEMORY, "not enough memory for a character");
  }
  carve(character, character->memory);
  character->end_time = (double)NAN;
  for (int i = 0; i < RG_CHARACTER_TIMES; i++)
    character->seen_time[i] = (double)NAN;
  character->followers[0] = (rgFollower){character, 0, def->offset};
  character->follower_count = 1;
  rg_character_begin(character);
  // The motions of two times are not used yet.
  find_least(character, (double*)character->seen[0], (double*)character->seen[1]);
  status = make_model(character);
  // The ids of the model's bodies mean nothing in the world.
  memset(character->bodies, 0, (size_t)character->link_count * sizeof *character->bodies);
  if (status == RG_OK)
    status = add_figure(character, world, &character->followers[0], character->start,
                        character->bodies, character->muscles);
  if (status == RG_OK)
    status = part_links(world, character->bodies, character->link_count);
  character->def.prefix = NULL; // the caller's
  if (status == RG_OK)
    *out = character;
  else
    give_up(character);
  return status;
}

// Bodies that follow the recorded movement keep their velocity from now on.
static void let_go(rgCharacter* character) {
  rgWorld* world = character->world;
  for (int i = 0; i < world->body_slots; i++) {
    rgBody* body = &world->bodies[i];
    if (!body->alive || body->motion != follow)
      continue;
    const rgFollower* follower = body->motion_context;
    if (follower->character != character)
      continue;
    body->motion = NULL;
    body->motion_context = NULL;
  }
}

void rg_character_destroy(rgCharacter* character) {
  if (!character)
    return;
  let_go(character);
  rgAllocator* allocator = &character->world->allocator;
  rg_inverse_destroy(character->inverse);
  rg_world_destroy(character->model);
  rg_release(allocator, character->memory, character->memory_size);
  rg_release(allocator, character, sizeof *character);
}

rgStatus rg_character_add_ghost(rgCharacter* character, rgVec3 offset, const char* prefix) {
  rgWorld* world = character->world;
  if (character->follower_count > 1)
    return rg_world_fail(world, RG_ERROR_INPUT, "the character has a ghost already");
  const rgBodyMotion* motion = rg_character_recorded(character, rg_world_time(world));
  rgStatus status = RG_OK;
  for (int i = 0; i < character->link_count && status == RG_OK; i++) {
    rgFollower* follower = &character->followers[1 + i];
    *follower = (rgFollower){character, i, offset};
    Making making = {.kind = RG_BODY_KINEMATIC, .prefix = prefix, .follower = follower};
    rgBodyId id;
    status = add_link(world, character->figure, i, &making, &motion[i], &id);
    character->follower_count++;
  }
  return status;
}

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

const rgBodyMotion* rg_character_recorded(rgCharacter* character, double time) {
  for (int i = 0; i < RG_CHARACTER_TIMES; i++)
    if (character->seen_time[i] == time)
      return character->seen[i];
  int place = character->seen_next;
  character->seen_next = (place + 1) % RG_CHARACTER_TIMES;
  character->seen_time[place] = time;
  rg_figure_motion(character->figure, character->def.from + (time - character->born),
                   character->seen[place]);
  return character->seen[place];
}

static bool is_link(const rgCharacter* character, int link) {
  return link >= 0 && link < character->link_count;
}

rgBodyId rg_character_body(const rgCharacter* character, int link) {
  return is_link(character, link) ? character->bodies[link] : (rgBodyId){0, 0};
}

rgJointId rg_character_joint(const rgCharacter* character, int link) {
  return is_link(character, link) ? character->muscles[link].joint : (rgJointId){0, 0};
}

rgVec3 rg_character_torque(const rgCharacter* character, int link) {
  return is_link(character, link) ? character->muscles[link].torque : v3_zero();
}

double rg_character_time(const rgCharacter* character) {
  return character->def.from + (rg_world_time(character->world) - character->born);
}

double rg_character_deviation(rgCharacter* character, int link) {
  const rgBodyMotion* motion = rg_character_recorded(character, rg_world_time(character->world));
  double largest = 0;
  for (int i = 0; i < character->link_count; i++) {
    if (link >= 0 && i != link)
      continue;
    rgPose wanted = moved(motion[i].pose, character->def.offset);
    rgVec3 center = pose_apply(wanted, character->figure->links[i].center);
    rgVec3 now = pose_apply(rg_body_pose(character->world, character->bodies[i]),
                            character->figure->links[i].center);
    largest = fmax(largest, v3_norm(v3_sub(now, center)));
  }
  return largest;
}
