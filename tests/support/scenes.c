// scenes.c - what scenes.h promises: the data structure, the way to a world, and the scenes of the
// laws. The scenes of the benches are in piles.c and thrown.c.
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include <rigor/joint.h>

static const double SCENE_GRAVITY = 9.81; // [m/s2]

const SceneUnits SCENE_SI = {1, 1, 1};
const SceneUnits SCENE_MILLI = {1e3, 1e3, 1e3};
// Fourth powers of powers of two, so that square roots of square roots stay exact.
const SceneUnits SCENE_BINARY = {65536, 256, 4096};

void scene_begin(Scene* scene, const char* name, double mu) {
  memset(scene, 0, sizeof *scene);
  scene->name = name;
  scene->gravity = v3(0, 0, -SCENE_GRAVITY);
  scene->materials[0] = rg_material_default();
  scene->materials[0].mu = mu;
  scene->material_count = 1;
}

void scene_end(Scene* scene) {
  free(scene->bodies);
  free(scene->points);
  memset(scene, 0, sizeof *scene);
}

int scene_add(Scene* scene, rgBodyKind kind, rgShapeDef shape, rgVec3 position) {
  if (scene->body_count == scene->body_capacity) {
    int capacity = scene->body_capacity ? 2 * scene->body_capacity : 16;
    SceneBody* bodies = realloc(scene->bodies, (size_t)capacity * sizeof *bodies);
    if (!bodies) {
      fprintf(stderr, "scene %s: not enough memory for %d bodies\n", scene->name, capacity);
      abort();
    }
    scene->bodies = bodies;
    scene->body_capacity = capacity;
  }
  SceneBody* body = &scene->bodies[scene->body_count];
  body->def = rg_body_def();
  body->def.kind = kind;
  body->def.pose.position = position;
  body->shape = shape;
  return scene->body_count++;
}

int scene_add_sphere(Scene* scene, double radius, rgVec3 position) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SPHERE);
  shape.radius = radius;
  return scene_add(scene, RG_BODY_DYNAMIC, shape, position);
}

int scene_add_box(Scene* scene, rgVec3 half, rgVec3 position) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_BOX);
  shape.half = half;
  return scene_add(scene, RG_BODY_DYNAMIC, shape, position);
}

int scene_add_floor(Scene* scene) {
  return scene_add(scene, RG_BODY_STATIC, rg_shape_def(RG_SHAPE_HALFSPACE), v3_zero());
}

int scene_add_block(Scene* scene, rgVec3 half, rgVec3 position) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_BOX);
  shape.half = half;
  return scene_add(scene, RG_BODY_STATIC, shape, position);
}

// --- to a world
// ------------------------------------------------------------------------------------------

static rgMaterial material_in_units(rgMaterial material, SceneUnits units) {
  material.e_tau *= units.length;
  return material;
}

static SceneBody body_in_units(SceneBody body, SceneUnits units) {
  double length = units.length, inertia = units.mass * length * length;
  rgBodyDef* def = &body.def;
  def->pose.position = v3_scale(def->pose.position, length);
  def->velocity.linear = v3_scale(def->velocity.linear, length / units.time);
  def->velocity.angular = v3_scale(def->velocity.angular, 1 / units.time);
  def->mass *= units.mass;
  def->center = v3_scale(def->center, length);
  def->inertia = m3_scale(&def->inertia, inertia);

  rgShapeDef* shape = &body.shape;
  shape->pose.position = v3_scale(shape->pose.position, length);
  shape->radius *= length;
  shape->half_length *= length;
  shape->half = v3_scale(shape->half, length);
  shape->density *= units.mass / (length * length * length);
  return body;
}

// The points of a hull are the scene's own, so that the world is given others in its units.
static rgStatus add_body(const Scene* scene, int index, SceneUnits units, rgWorld* world,
                         rgBodyId* id) {
  SceneBody body = body_in_units(scene->bodies[index], units);
  rgVec3* points = NULL;
  if (body.shape.point_count > 0) {
    points = malloc((size_t)body.shape.point_count * sizeof *points);
    if (!points)
      return RG_ERROR_MEMORY;
    for (int i = 0; i < body.shape.point_count; i++)
      points[i] = v3_scale(body.shape.points[i], units.length);
    body.shape.points = points;
  }
  rgStatus status = rg_world_add_body(world, &body.def, &body.shape, 1, id);
  free(points);
  return status;
}

static rgStatus add_materials(const Scene* scene, SceneUnits units, rgWorld* world) {
  rgMaterial material = material_in_units(scene->materials[0], units);
  rgStatus status = rg_world_set_material(world, 0, &material);
  for (int i = 1; status == RG_OK && i < scene->material_count; ++i) {
    int index;
    material = material_in_units(scene->materials[i], units);
    status = rg_world_add_material(world, &material, &index);
  }
  for (int i = 0; status == RG_OK && i < scene->pair_count; ++i) {
    const ScenePair* pair = &scene->pairs[i];
    material = material_in_units(pair->material, units);
    status = rg_world_set_pair_material(world, pair->a, pair->b, &material);
  }
  return status;
}

static rgStatus add_joints(const Scene* scene, const rgBodyId* ids, rgWorld* world) {
  rgStatus status = RG_OK;
  for (int i = 0; status == RG_OK && i < scene->joint_count; ++i) {
    const SceneJoint* joint = &scene->joints[i];
    rgJointDef def = rg_joint_def(RG_JOINT_BALL);
    if (joint->a >= 0)
      def.body_a = ids[joint->a];
    if (joint->b >= 0)
      def.body_b = ids[joint->b];
    def.point = joint->point;
    rgJointId made;
    status = rg_world_add_joint(world, &def, &made);
  }
  return status;
}

rgStatus scene_world(const Scene* scene, const rgOptions* options, SceneUnits units, rgBodyId* ids,
                     rgWorld** world, rgMessage* message) {
  rgWorldDef def = rg_world_def();
  def.options = *options;
  def.options.gravity = v3_scale(scene->gravity, units.length / (units.time * units.time));
  def.options.step = options->step * units.time;
  rgStatus status = rg_world_create(&def, world, message);
  if (status != RG_OK)
    return status;

  status = add_materials(scene, units, *world);
  for (int i = 0; status == RG_OK && i < scene->body_count; ++i)
    status = add_body(scene, i, units, *world, &ids[i]);
  if (status == RG_OK)
    status = add_joints(scene, ids, *world);
  if (status == RG_OK)
    return RG_OK;

  if (message)
    snprintf(message->text, sizeof message->text, "%.500s", rg_world_message(*world));
  rg_world_destroy(*world);
  *world = NULL;
  return status;
}

// --- scenes of the laws
// ----------------------------------------------------------------------------------

static const rgVec3 SLAB_HALF = {0.5, 0.5, 0.05}; // [m] flat: friction up to 10 cannot tip it

static rgQuat quat_about_y(double angle) {
  return (rgQuat){cos(0.5 * angle), 0, sin(0.5 * angle), 0};
}

rgVec3 scene_incline_down(SceneIncline kind, double angle) {
  return kind == SCENE_INCLINE_GRAVITY ? v3(1, 0, 0) : v3(cos(angle), 0, -sin(angle));
}

rgVec3 scene_incline_normal(SceneIncline kind, double angle) {
  return kind == SCENE_INCLINE_GRAVITY ? v3(0, 0, 1) : v3(sin(angle), 0, cos(angle));
}

void scene_incline(Scene* scene, SceneIncline kind, double angle, double mu) {
  const double block_depth =
      0.25; // [m] half; the block is long enough for a slide of 2 s at 30 degrees
  scene_begin(scene, "incline", mu);
  rgVec3 normal = scene_incline_normal(kind, angle);
  rgVec3 block_center = v3_scale(normal, -block_depth);
  int ground = kind == SCENE_INCLINE_BLOCK
                   ? scene_add_block(scene, v3(100, 5, block_depth), block_center)
                   : scene_add_floor(scene);
  int slab = scene_add_box(scene, SLAB_HALF, v3_scale(normal, SLAB_HALF.z));
  if (kind == SCENE_INCLINE_GRAVITY) {
    scene->gravity = v3(SCENE_GRAVITY * sin(angle), 0, -SCENE_GRAVITY * cos(angle));
    return;
  }
  scene->bodies[ground].def.pose.orientation = quat_about_y(angle);
  scene->bodies[slab].def.pose.orientation = quat_about_y(angle);
}

void scene_slab(Scene* scene, rgVec3 velocity, double mu) {
  scene_begin(scene, "slab", mu);
  scene_add_floor(scene);
  int slab = scene_add_box(scene, SLAB_HALF, v3(0, 0, SLAB_HALF.z));
  scene->bodies[slab].def.velocity.linear = velocity;
}

void scene_ball(Scene* scene, bool block, double radius, double mu, rgVec3 velocity, rgVec3 spin) {
  scene_begin(scene, "ball", mu);
  if (block)
    scene_add_block(scene, v3(50, 50, 1), v3(0, 0, -1));
  else
    scene_add_floor(scene);
  int ball = scene_add_sphere(scene, radius, v3(0, 0, radius));
  scene->bodies[ball].def.velocity = (rgTwist){velocity, spin};
}

void scene_ball_pyramid(Scene* scene, double radius, double mu_balls, double mu_floor) {
  scene_begin(scene, "ball pyramid", mu_floor);
  scene->materials[1] = scene->materials[0];
  scene->material_count = 2;
  scene->pairs[0] = (ScenePair){1, 1, scene->materials[0]};
  scene->pairs[0].material.mu = mu_balls;
  scene->pair_count = 1;

  // Centres of the lower three: an equilateral triangle of side 2 r, at the distance 2 r / sqrt(3)
  // from its middle; the top one has distance 2 r from each of them.
  double ring = 2 * radius / sqrt(3), rise = 2 * radius * sqrt(2.0 / 3.0);
  const rgVec3 centers[4] = {{ring, 0, radius},
                             {-0.5 * ring, radius, radius},
                             {-0.5 * ring, -radius, radius},
                             {0, 0, radius + rise}};
  scene_add_floor(scene);
  for (int i = 0; i < 4; ++i) {
    int ball = scene_add_sphere(scene, radius, centers[i]);
    scene->bodies[ball].shape.material = 1;
  }
}

void scene_overhang(Scene* scene, int n, double overhang) {
  const rgVec3 half = {0.5, 0.25, 0.1};
  scene_begin(scene, "overhang", 0.5);
  scene_add_block(scene, v3(2, 1, 0.5), v3(-2, 0, -0.5)); // its edge is at x = 0, its top at z = 0

  // Block k, counted from the top, stands out over the next one by half a length / k (times the
  // scale).
  double harmonic = 0;
  for (int k = 1; k <= n; ++k)
    harmonic += half.x / k;
  double scale = overhang / harmonic, front = 0;
  for (int i = 0; i < n; ++i) {
    front += scale * half.x / (n - i);
    scene_add_box(scene, half, v3(front - half.x, 0, half.z * (2 * i + 1)));
  }
}

void scene_stack(Scene* scene, int n, double offset, double ratio) {
  const double half = 0.5, mass = 1000; // [m], [kg] of a unit box
  scene_begin(scene, "stack", 0.5);
  scene_add_floor(scene);
  for (int i = 0; i < n; ++i) {
    double x = offset * (2 * scene_noise((unsigned)(2 * i)) - 1);
    double y = offset * (2 * scene_noise((unsigned)(2 * i + 1)) - 1);
    int box = scene_add_box(scene, v3(half, half, half), v3(x, y, half * (2 * i + 1)));
    scene->bodies[box].def.mass = i == n - 1 ? ratio * mass : mass;
  }
}
