// history_rare.c - edits of histories that few users make (history.h): bodies whose mass is given, names that several
// have, options that change together, questions about all of one kind.
#include "support/builder.h"
#include "support/history.h"
#include "test.h"
#include "world/world.h"
#include <rigor/diagnose.h>
#include <rigor/joint.h>
#include <rigor/load.h>
#include <rigor/view.h>

static int draw(int count) { return history_draw(count); }
static bool chance(double p) { return history_chance(p); }
static double between(double low, double high) { return history_between(low, high); }
static bool is_flat(const Told* told) { return rg_world_dimension(told->world) == 2; }

enum { NAMES = 3, BODIES_MAX = 30, VIEWED = 12 };
static const char* const names[NAMES] = {"left", "right", "middle"};
const char* history_name(void) { return names[draw(NAMES)]; }

static rgShapeDef draw_solid(const Told* told, double size) {
  rgShapeDef flat = rg_shape_def(RG_SHAPE_CIRCLE), cone = rg_shape_def(RG_SHAPE_CONE),
             lens = rg_shape_def(RG_SHAPE_LENS), disc = rg_shape_def(RG_SHAPE_CYLINDER),
             box = shape_box(v3(size, 0.6 * size, 0.3 * size));
  flat.radius = cone.radius = lens.radius = disc.radius = size;
  cone.half_length = disc.half_length = 0.6 * size;
  cone.parameters[0] = 0.4 * size;
  lens.parameters[0] = 0.5 * size;
  lens.parameters[1] = 0.3 * size;
  box.rounding = 0.1 * size;
  const rgShapeDef solids[] = {cone, lens, disc, box};
  int kind = draw(4);
  return is_flat(told) ? flat : solids[kind];
}

// A body whose mass is given, or its inertia too, about a centre that is not that of its shapes.
static void add_given_body(Told* told) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, rg_body_center(told->world, history_body(told)));
  rgVec3 aside = history_vector(told, 0.6);
  rgShapeDef shape = draw_solid(told, between(0.05, 0.2));
  def.pose.position = v3_add(def.pose.position, aside);
  def.mass = between(0.2, 5);
  def.inertia_given = chance(0.5);
  def.center = history_vector(told, 0.1);
  double a = between(0.1, 1), b = between(0.1, 1), off = between(-0.04, 0.04);
  def.inertia = m3_diag(a, b, between(fabs(a - b), a + b));
  def.inertia.m[0][1] = def.inertia.m[1][0] = is_flat(told) ? 0 : off;
  def.velocity.linear = history_vector(told, 3);
  def.name = history_name();
  shape.density = chance(0.2) ? 0 : 1000;
  rgBodyId id;
  if (rg_world_body_count(told->world) < BODIES_MAX)
    history_answer(told, rg_world_add_body(told->world, &def, &shape, draw(2), &id));
}

// A bead where a body is: a contact that begins deep.
static void add_bead(Told* told) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, rg_body_center(told->world, history_body(told)));
  rgVec3 aside = history_vector(told, 0.1);
  rgShapeDef bead = is_flat(told) ? rg_shape_def(RG_SHAPE_CIRCLE) : shape_sphere(0);
  rgBodyId id;
  def.pose.position = v3_add(def.pose.position, aside);
  def.name = history_name();
  bead.radius = between(0.03, 0.1);
  if (rg_world_body_count(told->world) < BODIES_MAX)
    history_answer(told, rg_world_add_body(told->world, &def, &bead, 1, &id));
}

// --- options ---

void history_vary_option(rgOptions* options, const char* name) {
  const rgOption* option = NULL;
  int count = 0;
  for (int i = 0; rg_option(i); i++)
    if (strcmp(rg_option(i)->name, name) == 0)
      option = rg_option(i);
  REQUIRE(option);
  char* at = (char*)options + option->offset;
  double* real = (double*)(void*)at;
  switch (option->type) {
  case RG_OPTION_BOOL:
    *(bool*)at = chance(0.5);
    break;
  case RG_OPTION_INT:
    *(int*)(void*)at = (int)option->lower + draw(9);
    break;
  case RG_OPTION_REAL:
    *real = fmin(fmax(*real * between(0.3, 2), option->lower), option->upper);
    break;
  case RG_OPTION_NAME:
    while (option->names(count))
      count++;
    snprintf(at, RG_NAME_MAX, "%s", option->names(draw(count)));
    if (strcmp(at, "direct") == 0) // takes no contacts
      snprintf(at, RG_NAME_MAX, "auto");
    break;
  default:
    break;
  }
}

// Several at once, or none of them.
static void change_many_options(Told* told) {
  static const char* const varied[] = {"step",       "theta", "impacts", "coordinates",
                                       "stabilizer", "cone",  "facets",  "implicit_forces",
                                       "tolerance",  "solver"};
  const rgOptions before = *rg_world_options(told->world);
  rgOptions options = before;
  for (int i = 0; i < 3; i++)
    history_vary_option(&options, varied[draw(sizeof varied / sizeof *varied)]);
  rgStatus status = rg_world_set_options(told->world, &options);
  history_answer(told, status);
  if (status != RG_OK)
    return;
  status = rg_world_check(told->world);
  history_answer(told, status);
  if (status != RG_OK)
    REQUIRE(rg_world_set_options(told->world, &before) == RG_OK);
}

// --- questions ---

// What lists say within their room, which may be too small, and that they leave the rest alone.
static void tell_lists(Told* told) {
  const rgWorld* world = told->world;
  rgBodyId ids[VIEWED + 1] = {{0, 0}};
  rgPose poses[VIEWED + 1] = {{.position = {0, 0, 0}}};
  rgTwist velocities[VIEWED + 1] = {{.linear = {0, 0, 0}}};
  rgContact contacts[VIEWED + 1] = {{.gap = 0}};
  int room = 1 + draw(VIEWED);
  tell_int(told, rg_world_bodies(world, ids, room));
  tell_int(told, rg_world_poses(world, poses, room));
  tell_int(told, rg_world_velocities(world, velocities, room));
  tell_int(told, rg_world_contacts(world, contacts, room));
  for (int i = 0; i <= VIEWED; i++) {
    tell_int(told, ids[i].index);
    tell_int(told, ids[i].generation);
    tell_vector(told, poses[i].position);
    tell_vector(told, velocities[i].linear);
    tell_vector(told, velocities[i].angular);
    tell_vector(told, contacts[i].point);
    tell(told, contacts[i].gap);
  }
}

static void tell_names(Told* told) {
  for (int i = 0; i < NAMES; i++) {
    rgBodyId body = rg_world_find_body(told->world, names[i]);
    rgJointId joint = rg_world_find_joint(told->world, names[i]);
    tell_int(told, body.index);
    tell_int(told, body.generation);
    tell_int(told, joint.index);
    tell_int(told, joint.generation);
    tell_int(told, rg_body_valid(told->world, body));
    tell_int(told, rg_joint_valid(told->world, joint));
    tell(told, rg_body_mass_error(told->world, body));
  }
}

// A body, a joint, a force or a contact that is not there is nothing.
static void tell_nothing(Told* told) {
  const rgWorld* world = told->world;
  rgBodyId none = {(uint32_t)draw(3), 999};
  rgJointId no_joint = {(uint32_t)draw(3), 999};
  rgContact contact;
  rgJointState state;
  rgJointAxis axis;
  tell_vector(told, rg_body_center(world, none));
  tell_vector(told, rg_body_pose(world, none).position);
  tell_vector(told, rg_body_velocity(world, none).linear);
  tell(told, rg_body_mass(world, none).mass);
  tell_int(told, rg_body_kind(world, none));
  tell_int(told, rg_world_body(world, rg_world_body_count(world)).generation);
  tell_int(told, rg_world_joint(world, rg_world_joint_count(world)).generation);
  tell_int(told, rg_world_contact(world, rg_world_contact_count(world), &contact));
  tell_int(told, rg_world_contact(world, -1, &contact));
  tell_int(told, rg_joint_state(world, no_joint, &state));
  tell_int(told, rg_joint_axis(world, no_joint, 0, &axis));
  tell(told, rg_body_normal_force(world, none, none));
}

// The same of what is asked for by a number, and of lists with room for less.
static void tell_past_the_end(Told* told) {
  const rgWorld* world = told->world;
  int materials = rg_world_material_count(world), islands = rg_world_island_count(world);
  rgMaterial material;
  rgProblem problem;
  rgSolution solution;
  rgSolveReport report;
  rgShapeId shape[1];
  rgVec3 corners[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int i = -1; i <= 0; i++) {
    tell_int(told, rg_world_material(world, i < 0 ? i : materials, &material));
    tell_int(told, rg_world_pair_material(world, i < 0 ? i : materials, 0, &material));
    tell_int(told, rg_world_pair_material(world, 0, i < 0 ? i : materials, &material));
    tell_int(told, rg_world_island(world, i < 0 ? i : islands, &problem, &solution, NULL));
    tell_int(told, rg_world_island_report(world, i < 0 ? i : islands, &report));
    tell_int(told, rg_world_row_joint(world, i < 0 ? i : islands, 0).generation);
    tell_int(told, rg_world_row_joint(world, 0, i < 0 ? i : 100000).generation);
  }
  if (rg_world_shapes(world, shape, 1) > 0)
    tell_int(told, rg_shape_corners(world, shape[0], corners, 2));
  for (int i = 0; i < 3; i++)
    tell_vector(told, corners[i]);
}

// The load of one joint is that of the list of all.
static void check_joint_loads(Told* told) {
  const rgWorld* world = told->world;
  rgJointLoad all[VIEWED], one;
  int count = rg_world_joint_loads(world, all, VIEWED);
  for (int i = 0; i < rg_world_joint_count(world); i++) {
    rgJointId id = rg_world_joint(world, i);
    bool known = rg_joint_load(world, id, &one);
    CHECK_INT(known, rg_world_has_loads(world));
    for (int k = 0; k < count && k < VIEWED; k++)
      if (known && all[k].joint.index == id.index)
        CHECK(v3_norm(v3_sub(all[k].on_b.force, one.on_b.force)) == 0 &&
              v3_norm(v3_sub(all[k].on_a.torque, one.on_a.torque)) == 0);
    tell_text(told, rg_joint_name(world, id));
  }
}

// What snapshots are recognized by, and the worst line of the certificate.
static void tell_marks(Told* told) {
  uint64_t marks[] = {rg_world_fingerprint(told->world), rg_world_search_hash(told->world)};
  tell_bytes(told, marks, sizeof marks);
}

void history_rare_edit(Told* told) {
  static void (*const edits[])(Told*) = {
      add_given_body,      add_given_body,    add_bead,   change_many_options,
      change_many_options, tell_lists,        tell_names, tell_nothing,
      tell_past_the_end,   check_joint_loads, tell_marks,
  };
  edits[draw(sizeof edits / sizeof *edits)](told);
}
