// variety.c - what variety.h promises.
#include "variety.h"

#include "math/trig.h"
#include "test.h"
#include <rigor/joint.h>

#include <stdio.h>

// Builders go on after a failure and report the first: simple, and the world must bear it.
typedef struct Maker {
  rgWorld* world;
  rgStatus status;
  uint32_t random;
} Maker;

static Maker make(rgWorld* world) { return (Maker){world, RG_OK, 12345}; }

static double noise(Maker* maker) { // in [-1, 1)
  maker->random = maker->random * 1664525u + 1013904223u;
  return maker->random / 2147483648.0 - 1;
}

static rgVec3 noise3(Maker* maker, double size) {
  double x = noise(maker), y = noise(maker), z = noise(maker);
  return v3(size * x, size * y, size * z);
}

static rgQuat noise_turn(Maker* maker) {
  rgVec3 axis = noise3(maker, 1);
  return turn_about(v3_add(axis, v3(0, 0, 2)), 3 * noise(maker));
}

static void note(Maker* maker, rgStatus status) {
  if (maker->status == RG_OK)
    maker->status = status;
}

static rgBodyId add(Maker* maker, const rgBodyDef* def, rgShapeDef shape) {
  rgBodyId id;
  note(maker, rg_world_add_body(maker->world, def, &shape, 1, &id));
  return id;
}

static void add_floor(Maker* maker) {
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  add(maker, &def, shape_halfspace());
}

static void add_block(Maker* maker, rgVec3 half, rgVec3 position) {
  rgBodyDef def = body_at(RG_BODY_STATIC, position);
  add(maker, &def, shape_box(half));
}

static rgBodyId add_box(Maker* maker, rgVec3 half, rgVec3 position) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, position);
  return add(maker, &def, shape_box(half));
}

static int add_material(Maker* maker, const rgMaterial* material) {
  int index = 0;
  note(maker, rg_world_add_material(maker->world, material, &index));
  return index;
}

// A hull of eleven points: an irregular stone.
static const rgVec3 STONE[] = {{0.3, 0, 0},         {-0.25, 0.1, 0.05},  {0, 0.28, -0.05},
                               {0.05, -0.3, 0.02},  {0, 0.02, 0.26},     {-0.03, 0, -0.24},
                               {0.2, 0.2, 0.1},     {-0.2, -0.15, 0.12}, {0.15, -0.2, -0.1},
                               {-0.15, 0.2, -0.12}, {0.1, 0.1, 0.1}};

static rgShapeDef shape_stone(void) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_HULL);
  shape.points = STONE;
  shape.point_count = sizeof STONE / sizeof *STONE;
  return shape;
}

// One of the shapes that may move, in turn.
static rgShapeDef shape_number(int i) {
  switch (i % 6) {
  case 0:
    return shape_box(v3(0.2, 0.15, 0.25));
  case 1:
    return shape_sphere(0.22);
  case 2:
    return shape_capsule(0.13, 0.2);
  case 3:
    return shape_cylinder(0.2, 0.15);
  case 4:
    return shape_ellipsoid(v3(0.15, 0.2, 0.28));
  default:
    return shape_stone();
  }
}

// `count` bodies of all shapes in a loose column of layers of 3 x 3, turned and moving a little.
static void add_mixture(Maker* maker, int count, double height, int material) {
  for (int i = 0; i < count; ++i) {
    rgVec3 place = v3(0.65 * (i % 3 - 1), 0.65 * (i / 3 % 3 - 1), height + 0.65 * (i / 9));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_add(place, noise3(maker, 0.02)));
    def.pose.orientation = noise_turn(maker);
    def.velocity.linear = noise3(maker, 0.5);
    def.velocity.angular = noise3(maker, 1);
    rgShapeDef shape = shape_number(i);
    shape.material = material;
    add(maker, &def, shape);
  }
}

static void add_container(Maker* maker, double half) {
  add_block(maker, v3(half + 1, half + 1, 0.5), v3(0, 0, -0.5));
  for (int side = -1; side <= 1; side += 2) {
    add_block(maker, v3(0.5, half + 1, 2), v3(side * (half + 0.5), 0, 2));
    add_block(maker, v3(half, 0.5, 2), v3(0, side * (half + 0.5), 2));
  }
}

// --- scenes -------------------------------------------------------------------------------------

static rgStatus build_stack(rgWorld* world) {
  Maker maker = make(world);
  add_floor(&maker);
  for (int i = 0; i < 8; ++i) {
    rgVec3 shift = noise3(&maker, 0.05);
    add_box(&maker, v3(0.5, 0.5, 0.5), v3(shift.x, shift.y, 0.5 + 1.001 * i));
  }
  return maker.status;
}

static rgStatus build_pyramid(rgWorld* world) {
  Maker maker = make(world);
  add_block(&maker, v3(10, 10, 0.5), v3(0, 0, -0.5));
  const int rows = 7;
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rows - row; ++i)
      add_box(&maker, v3(0.5, 0.5, 0.5), v3(1.02 * (i - 0.5 * (rows - row - 1)), 0, 0.5 + row));
  return maker.status;
}

static rgStatus build_spheres(rgWorld* world) {
  Maker maker = make(world);
  add_container(&maker, 1);
  for (int i = 0; i < 64; ++i) {
    rgVec3 place = v3(0.45 * (i % 4 - 1.5), 0.45 * (i / 4 % 4 - 1.5), 0.3 + 0.45 * (i / 16));
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_add(place, noise3(&maker, 0.02)));
    add(&maker, &def, shape_sphere(0.18 + 0.02 * noise(&maker)));
  }
  return maker.status;
}

static rgStatus build_mixed(rgWorld* world) {
  Maker maker = make(world);
  add_container(&maker, 1.2);
  add_mixture(&maker, 36, 0.4, 0);
  return maker.status;
}

// Height of a gentle, bumpy slope.
static double terrain(double x, double y) {
  return 0.15 * rg_sin(2 * x) * rg_cos(1.5 * y) - 0.2 * x;
}

static rgStatus build_mesh(rgWorld* world) {
  enum { SIDE = 13 };
  Maker maker = make(world);
  rgVec3 points[SIDE * SIDE];
  int triangles[2 * (SIDE - 1) * (SIDE - 1)][3], count = 0;
  for (int i = 0; i < SIDE * SIDE; ++i) {
    double x = 0.5 * (i % SIDE - 6), y = 0.5 * (i / SIDE - 6);
    points[i] = v3(x, y, terrain(x, y));
  }
  for (int row = 0; row < SIDE - 1; ++row)
    for (int column = 0; column < SIDE - 1; ++column) {
      int a = row * SIDE + column, b = a + 1, c = a + SIDE, d = c + 1;
      memcpy(triangles[count++], (int[]){a, b, d}, sizeof *triangles);
      memcpy(triangles[count++], (int[]){a, d, c}, sizeof *triangles);
    }
  rgShapeDef shape = rg_shape_def(RG_SHAPE_MESH);
  shape.points = points;
  shape.point_count = SIDE * SIDE;
  shape.triangles = triangles[0];
  shape.triangle_count = count;
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  add(&maker, &def, shape);
  add_mixture(&maker, 18, 0.8, 0);
  return maker.status;
}

static rgStatus build_field(rgWorld* world) {
  enum { SIDE = 17 };
  Maker maker = make(world);
  double heights[SIDE * SIDE];
  for (int i = 0; i < SIDE * SIDE; ++i)
    heights[i] = terrain(0.4 * (i % SIDE - 8), 0.4 * (i / SIDE - 8));
  rgShapeDef shape = rg_shape_def(RG_SHAPE_FIELD);
  shape.heights = heights;
  shape.rows = shape.columns = SIDE;
  shape.spacing_x = shape.spacing_y = 0.4;
  rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
  add(&maker, &def, shape);
  add_mixture(&maker, 18, 0.8, 0);
  return maker.status;
}

static rgStatus build_bounce(rgWorld* world) {
  Maker maker = make(world);
  rgMaterial lively = rg_material_default();
  lively.restitution = 0.9;
  lively.mu = 0.3;
  note(&maker, rg_world_set_material(world, 0, &lively));
  add_container(&maker, 1.2);
  add_mixture(&maker, 18, 0.8, 0);
  return maker.status;
}

static rgStatus build_torsion(rgWorld* world) {
  Maker maker = make(world);
  rgMaterial grooved = rg_material_default();
  grooved.e_t = 0.5;
  grooved.e_o = 1.5;
  grooved.e_tau = 0.1;
  grooved.direction = v3(1, 0.5, 0);
  int index = add_material(&maker, &grooved);
  add_floor(&maker);
  for (int i = 0; i < 12; ++i) {
    bool ball = i % 3 == 0;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(1.2 * (i % 4), 1.2 * (i / 4), ball ? 0.4 : 0.1));
    def.velocity.linear = noise3(&maker, 2);
    def.velocity.linear.z = 0;
    def.velocity.angular = v3(0, 0, 6 * noise(&maker));
    rgShapeDef shape = ball         ? shape_sphere(0.4)
                       : i % 3 == 1 ? shape_cylinder(0.4, 0.1)
                                    : shape_box(v3(0.3, 0.4, 0.1));
    shape.material = index;
    add(&maker, &def, shape);
  }
  return maker.status;
}

static rgPose shake(double time, void* context) {
  (void)context;
  rgPose pose = {v3(0.05 * rg_sin(20 * time), 0.04 * rg_cos(17 * time), 0.06 * rg_sin(31 * time)),
                 quat_identity()};
  pose.orientation = turn_about(v3(1, 1, 0), 0.1 * rg_sin(9 * time));
  return pose;
}

static rgStatus build_shaker(rgWorld* world) {
  Maker maker = make(world);
  rgBodyDef def = body_at(RG_BODY_KINEMATIC, v3_zero());
  def.motion = shake;
  rgShapeDef tray[5] = {shape_box(v3(1.5, 1.5, 0.2)), shape_box(v3(0.2, 1.5, 2)),
                        shape_box(v3(0.2, 1.5, 2)), shape_box(v3(1.5, 0.2, 2)),
                        shape_box(v3(1.5, 0.2, 2))};
  tray[0].pose.position.z = -0.2;
  tray[1].pose.position = v3(1.4, 0, 2);
  tray[2].pose.position = v3(-1.4, 0, 2);
  tray[3].pose.position = v3(0, 1.4, 2);
  tray[4].pose.position = v3(0, -1.4, 2);
  rgBodyId id;
  note(&maker, rg_world_add_body(world, &def, tray, 5, &id));
  add_mixture(&maker, 27, 0.5, 0);
  return maker.status;
}

static rgWrench pull(double time, rgPose pose, rgTwist velocity, void* context) {
  (void)context;
  rgVec3 home = v3_scale(pose.position, -50 * (1 + rg_sin(3 * time)));
  return (rgWrench){v3_axpy(home, -5, velocity.linear), v3_zero()};
}

static rgStatus build_rotation(rgWorld* world) {
  Maker maker = make(world);
  for (int i = 0; i < 6; ++i) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(2 * i, 0, 0));
    def.velocity.angular = v3_add(noise3(&maker, 0.01), v3(0, 8, 0));
    def.pose.orientation = noise_turn(&maker);
    rgBodyId body = add(&maker, &def, shape_box(v3(0.1, 0.2 + 0.02 * i, 0.4)));
    rgForceDef force = rg_force_def();
    force.kind = i % 3 == 0 ? RG_FORCE_CALLBACK : RG_FORCE_CONSTANT;
    force.callback = pull;
    force.body = body;
    force.wrench.force = v3(10, 0, 5);
    force.body_axes = true;
    force.at_point = i % 3 == 1;
    force.point = v3(0.1, 0.1, 0);
    rgForceId id;
    if (maker.status == RG_OK && i % 3 != 2)
      note(&maker, rg_world_add_force(world, &force, &id));
  }
  return maker.status;
}

// A standing stack, a ball that rolls against it, and things that fall.
static rgStatus build_tumble(rgWorld* world) {
  Maker maker = make(world);
  rgMaterial lively = rg_material_default();
  lively.restitution = 0.6;
  int index = add_material(&maker, &lively);
  add_floor(&maker);
  for (int i = 0; i < 5; ++i)
    add_box(&maker, v3(0.3, 0.3, 0.3), v3(0, 0, 0.3 + 0.6 * i));
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-3, 0, 0.4));
  def.velocity = twist(v3(6, 0, 0), v3(0, 15, 0));
  rgShapeDef ball = shape_sphere(0.4);
  ball.density = 3000;
  add(&maker, &def, ball);
  for (int i = 0; i < 6; ++i) {
    def = body_at(RG_BODY_DYNAMIC, v3(3, 0.9 * i, 0.5 + 0.3 * i));
    def.pose.orientation = noise_turn(&maker);
    rgShapeDef shape = shape_number(i);
    shape.material = index;
    add(&maker, &def, shape);
  }
  return maker.status;
}

// Flat blocks, disks and capsules that fall into a trough of two lines.
static rgStatus build_plane(rgWorld* world) {
  Maker maker = make(world);
  rgVec3 walls[3][2] = {{{-3, 0, 0}, {3, 0, 0}}, {{-5, 4, 0}, {-3, 0, 0}}, {{3, 0, 0}, {5, 4, 0}}};
  for (int i = 0; i < 3; ++i) {
    rgBodyDef def = body_at(RG_BODY_STATIC, v3_zero());
    rgShapeDef wall = rg_shape_def(RG_SHAPE_SEGMENT);
    wall.points = walls[i];
    wall.point_count = 2;
    add(&maker, &def, wall);
  }
  rgVec3 corners[5] = {
      {-0.3, -0.2, 0}, {0.3, -0.2, 0}, {0.35, 0.1, 0}, {0, 0.4, 0}, {-0.3, 0.2, 0}};
  for (int i = 0; i < 24; ++i) {
    static const rgShapeKind kinds[] = {RG_SHAPE_CIRCLE, RG_SHAPE_POLYGON, RG_SHAPE_CAPSULE};
    rgShapeDef shape = rg_shape_def(kinds[i % 3]);
    shape.radius = 0.2 + 0.01 * (i % 5);
    shape.half_length = 0.25;
    shape.points = corners;
    shape.point_count = i % 2 ? 5 : 4;
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(0.9 * (i % 6) - 2.2, 0.5 + 0.8 * (i / 6), 0));
    def.velocity = twist(v3(0.3 * (i % 4), -1, 0), v3(0, 0, 0.5 * (i % 3)));
    add(&maker, &def, shape);
  }
  return maker.status;
}

// Several shapes on one body, and a swarm of islands.
static rgStatus build_compound(rgWorld* world) {
  Maker maker = make(world);
  add_floor(&maker);
  for (int i = 0; i < 16; ++i) {
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(1.5 * (i % 4), 1.5 * (i / 4), 0.6 + 0.1 * i));
    def.pose.orientation = noise_turn(&maker);
    rgShapeDef shapes[3] = {shape_capsule(0.1, 0.3), shape_sphere(0.2),
                            shape_box(v3(0.15, 0.1, 0.1))};
    shapes[1].pose.position.z = 0.4;
    shapes[2].pose.position.z = -0.4;
    shapes[2].pose.orientation = turn_about(v3(1, 0, 0), 0.3);
    rgBodyId id;
    note(&maker, rg_world_add_body(world, &def, shapes, 3, &id));
  }
  return maker.status;
}

static rgBodyId add_link(Maker* maker, rgJointDef* joint, rgVec3 half, rgVec3 position) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, position);
  joint->body_b = add(maker, &def, shape_box(half));
  rgJointId id;
  if (maker->status == RG_OK)
    note(maker, rg_world_add_joint(maker->world, joint, &id));
  return joint->body_b;
}

// A chain that falls on the floor, a door with limits, spring and friction, a driven four-bar
// linkage, a welded frame and a rope.
static rgStatus build_linkage(rgWorld* world) {
  Maker maker = make(world);
  add_floor(&maker);
  rgJointDef chain = rg_joint_def(RG_JOINT_BALL);
  for (int i = 0; i < 8; ++i) {
    chain.kind = i % 3 == 2 ? RG_JOINT_UNIVERSAL : RG_JOINT_BALL;
    chain.axis_2 = v3(0, 1, 0);
    chain.point = v3(0.4 * i, 0, 2);
    chain.body_a = add_link(&maker, &chain, v3(0.18, 0.05, 0.05), v3(0.4 * i + 0.2, 0, 2));
  }
  rgJointDef door = rg_joint_def(RG_JOINT_HINGE);
  door.axis = v3(0.3, 0, 1);
  door.point = v3(0, 3, 1);
  door.axes[0].lower = -0.5;
  door.axes[0].upper = 0.3;
  door.axes[0].stiffness = 5;
  door.axes[0].rest = 0.6;
  door.axes[0].friction = 0.1;
  door.body_a = add_link(&maker, &door, v3(0.4, 0.03, 0.4), v3(0.45, 3, 1));
  rgJointDef lift = rg_joint_def(RG_JOINT_CYLINDRICAL);
  lift.body_a = door.body_a;
  lift.point = v3(0.9, 3, 1);
  lift.axes[0].lower = -0.1;
  lift.axes[0].upper = 0.1;
  lift.axes[1].damping = 0.2;
  add_link(&maker, &lift, v3(0.1, 0.1, 0.1), v3(1.1, 3, 1));
  rgJointDef bar = rg_joint_def(RG_JOINT_HINGE);
  bar.axis = v3(0, 1, 0);
  bar.point = v3(0, 6, 1);
  bar.axes[0].motor = true;
  bar.axes[0].motor_speed = 4;
  bar.axes[0].motor_force = 500;
  bar.body_a = add_link(&maker, &bar, v3(0.03, 0.03, 0.15), v3(0, 6, 1.15));
  bar.axes[0].motor = false;
  bar.point = v3(0, 6, 1.3);
  bar.body_a = add_link(&maker, &bar, v3(0.5, 0.03, 0.03), v3(0.5, 6, 1.3));
  bar.point = v3(1, 6, 1.3);
  bar.body_a = add_link(&maker, &bar, v3(0.03, 0.03, 0.3), v3(1, 6, 1.0));
  bar.point = v3(1, 6, 0.7);
  bar.body_b = (rgBodyId){0, 0};
  rgJointId id;
  if (maker.status == RG_OK)
    note(&maker, rg_world_add_joint(world, &bar, &id));
  rgJointDef weld = rg_joint_def(RG_JOINT_FIXED);
  weld.body_a = add_box(&maker, v3(0.2, 0.2, 0.2), v3(0, 9, 1));
  weld.point = v3(0.2, 9, 1);
  add_link(&maker, &weld, v3(0.3, 0.1, 0.1), v3(0.5, 9, 1));
  rgJointDef rope = rg_joint_def(RG_JOINT_DISTANCE);
  rope.point = v3(2, 9, 3);
  rope.point_b = v3(2, 9, 2.5);
  rope.axes[0].upper = 1;
  add_link(&maker, &rope, v3(0.1, 0.2, 0.3), v3(2.1, 9, 2.3));
  return maker.status;
}

// An arm with rotors, efforts, limits and servos, some of them bounded, that strikes a box; and two
// jaws that close on a rod.
static rgStatus build_driven(rgWorld* world) {
  Maker maker = make(world);
  add_floor(&maker);
  rgJointDef arm = rg_joint_def(RG_JOINT_HINGE);
  for (int i = 0; i < 4; ++i) {
    rgJointAxis* axis = &arm.axes[0];
    arm.axis = i % 2 ? v3(0, 1, 0.2) : v3(0.1, 0, 1);
    arm.point = v3(0.4 * i, 0, 0.5);
    axis->lower = -1.5;
    axis->upper = 0.4;
    axis->armature = 0.05 * i;
    axis->effort = i == 2 ? -0.5 : 0;
    axis->damping = 0.1;
    axis->servo = i != 2;
    axis->servo_target = i == 1 ? -0.9 : 0.7;
    axis->servo_stiffness = 300;
    axis->servo_damping = 20;
    axis->servo_force = i == 1 ? HUGE_VAL : 15;
    arm.body_a = add_link(&maker, &arm, v3(0.17, 0.04, 0.04), v3(0.4 * i + 0.2, 0, 0.5));
  }
  add_box(&maker, v3(0.15, 0.15, 0.15), v3(1.2, 0.5, 0.15));
  rgBodyDef rod = body_at(RG_BODY_DYNAMIC, v3(0, 3, 1));
  add(&maker, &rod, shape_capsule(0.05, 0.2));
  rgJointDef jaw = rg_joint_def(RG_JOINT_SLIDER);
  jaw.axes[0].servo = true;
  jaw.axes[0].servo_target = 0.2;
  jaw.axes[0].servo_stiffness = 1e5;
  jaw.axes[0].servo_damping = 1e3;
  jaw.axes[0].servo_force = 200;
  for (int side = -1; side <= 1; side += 2) {
    jaw.axis = v3(-side, 0, 0);
    add_link(&maker, &jaw, v3(0.05, 0.1, 0.1), v3(0.13 * side, 3, 1));
  }
  return maker.status;
}

// A weight that spins down a thread to its limit, and a driven spindle that pushes a plate against
// boxes.
static rgStatus build_screw(rgWorld* world) {
  Maker maker = make(world);
  add_floor(&maker);
  rgJointDef thread = rg_joint_def(RG_JOINT_SCREW);
  note(&maker, rg_joint_def_set(&thread, "lead", 0.5));
  thread.axis = v3(0, 0, 1);
  thread.point = v3(0, 2, 2);
  thread.axes[0].lower = -10;
  thread.axes[0].friction = 0.2;
  add_link(&maker, &thread, v3(0.4, 0.05, 0.05), v3(0, 2, 2));
  rgJointDef spindle = rg_joint_def(RG_JOINT_SCREW);
  note(&maker, rg_joint_def_set(&spindle, "lead", -0.2));
  spindle.point = v3(-1, 0, 0.3);
  spindle.axes[0].motor = true;
  spindle.axes[0].motor_speed = -30;
  spindle.axes[0].motor_force = 60;
  rgJointDef bearing = rg_joint_def(RG_JOINT_HINGE);
  bearing.body_a = add_link(&maker, &spindle, v3(0.5, 0.03, 0.05), v3(-1, 0, 0.3));
  bearing.point = v3(-0.5, 0, 0.3);
  add_link(&maker, &bearing, v3(0.03, 0.2, 0.2), v3(-0.45, 0, 0.25));
  for (int i = 0; i < 3; i++)
    add_box(&maker, v3(0.1, 0.1, 0.1), v3(-0.2 + 0.25 * i, 0.05 * i, 0.1));
  return maker.status;
}

static rgStatus choose(rgWorld* world, const char* stepper, const char* stabilizer,
                       const char* cone) {
  rgOptions options = *rg_world_options(world);
  snprintf(options.stepper, sizeof options.stepper, "%s", stepper);
  snprintf(options.stabilizer, sizeof options.stabilizer, "%s", stabilizer);
  snprintf(options.cone, sizeof options.cone, "%s", cone);
  return rg_world_set_options(world, &options);
}

static rgStatus build_anitescu(rgWorld* world) {
  rgStatus status = choose(world, "anitescu-potra", "baumgarte", "exact");
  return status == RG_OK ? build_tumble(world) : status;
}

static rgStatus build_stewart(rgWorld* world) {
  rgStatus status = choose(world, "stewart-trinkle", "none", "inner");
  return status == RG_OK ? build_tumble(world) : status;
}

static rgStatus build_first_order(rgWorld* world) {
  rgStatus status = choose(world, "first-order", "post", "exact");
  return status == RG_OK ? build_tumble(world) : status;
}

// Impacts, rest, sliding over a ball, and a pendulum that hits a box.
static rgStatus build_gauss(rgWorld* world) {
  Maker maker = make(world);
  note(&maker, choose(world, "gauss", "post", "frictionless"));
  rgMaterial lively = rg_material_default();
  lively.restitution = 0.4;
  note(&maker, rg_world_set_material(world, 0, &lively));
  add_floor(&maker);
  add_box(&maker, v3(0.3, 0.3, 0.3), v3(0, 0, 0.3));
  add_box(&maker, v3(0.2, 0.2, 0.2), v3(0.05, 0, 0.9));
  rgBodyDef def = body_at(RG_BODY_STATIC, v3(3, 0, 0));
  add(&maker, &def, shape_sphere(0.5));
  def = body_at(RG_BODY_DYNAMIC, v3(3.01, 0.02, 0.6));
  def.velocity.linear = v3(0.2, 0.1, 0);
  add(&maker, &def, shape_sphere(0.1));
  def = body_at(RG_BODY_DYNAMIC, v3(-1.5, 0, 1.5));
  rgBodyId bob = add(&maker, &def, shape_sphere(0.2));
  rgJointDef joint = rg_joint_def(RG_JOINT_BALL);
  joint.body_b = bob;
  joint.point = v3(-0.5, 0, 1.5);
  rgJointId id;
  if (maker.status == RG_OK)
    note(&maker, rg_world_add_joint(world, &joint, &id));
  return maker.status;
}

// --- what came later: walls, seams, rounded edges ------------------------------------------------------

static rgShapeDef shape_rounded(int i) {
  rgShapeDef shape = i % 2 ? shape_box(v3(0.2, 0.15, 0.12)) : shape_stone();
  shape.rounding = 0.05;
  return shape;
}

static rgShapeDef shape_superellipsoid(void) {
  rgShapeDef shape = rg_shape_def(RG_SHAPE_SUPERELLIPSOID);
  shape.half = v3(0.2, 0.15, 0.12);
  shape.parameters[0] = 4;
  shape.parameters[1] = 2.5;
  return shape;
}

static void add_wall(Maker* maker, rgShapeKind kind, rgVec3 place, double radius, double number) {
  rgBodyDef def = body_at(RG_BODY_STATIC, place);
  rgShapeDef shape = rg_shape_def(kind);
  shape.radius = radius;
  shape.half_length = shape.parameters[0] = number;
  if (kind == RG_SHAPE_TUBE)
    shape.pose.orientation = turn_about(v3(0, 1, 0), 1.5);
  add(maker, &def, shape);
}

static void add_thrown(Maker* maker, rgVec3 place, rgShapeDef shape) {
  rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3_add(place, noise3(maker, 0.02)));
  def.pose.orientation = noise_turn(maker);
  def.velocity.linear = noise3(maker, 1);
  def.velocity.angular = noise3(maker, 2);
  add(maker, &def, shape);
}

static rgStatus build_walls(rgWorld* world) {
  Maker maker = make(world);
  add_wall(&maker, RG_SHAPE_BOWL, v3(0, 0, 1), 1, 0.2);
  add_wall(&maker, RG_SHAPE_TUBE, v3(3, 0, 0.5), 0.5, 1.5);
  add_wall(&maker, RG_SHAPE_TORUS, v3(0, 4, 0.5), 0.4, 1);
  add_wall(&maker, RG_SHAPE_RING, v3(3, 4, 0.5), 0.1, 0.35);
  for (int i = 0; i < 3; i++) {
    add_thrown(&maker, v3(0.4 * i - 0.4, 0, 0.9), i ? shape_number(i) : shape_rounded(1));
    add_thrown(&maker, v3(2.5 + 0.5 * i, 0, 0.5), i ? shape_number(i + 2) : shape_rounded(0));
  }
  add_thrown(&maker, v3(1, 4, 0.4), shape_sphere(0.2));
  add_thrown(&maker, v3(-1, 4, 0.4), shape_superellipsoid());
  add_thrown(&maker, v3(3, 4, 0.9), shape_superellipsoid());
  add_thrown(&maker, v3(3.3, 4, 1.3), shape_box(v3(0.1, 0.1, 0.1)));
  add_floor(&maker);
  return maker.status;
}

// What slides and rolls over plates that are flush, and several contacts in one impact.
static rgStatus build_plates(rgWorld* world) {
  Maker maker = make(world);
  rgOptions options = *rg_world_options(world);
  snprintf(options.impacts, sizeof options.impacts, "sequential");
  note(&maker, rg_world_set_options(world, &options));
  rgMaterial lively = rg_material_default();
  lively.restitution = 0.6;
  note(&maker, rg_world_set_material(world, 0, &lively));
  for (int i = 0; i < 9; i++)
    add_block(&maker, v3(0.5, 0.5, 0.25), v3(i % 3 - 1, i / 3 - 1, -0.25));
  for (int i = 0; i < 6; i++)
    add_thrown(&maker, v3(0.6 * (i % 3 - 1), 0.6 * (i / 3) - 0.3, 0.3),
               i % 2 ? shape_rounded(i / 2) : shape_number(i / 2));
  for (int i = 0; i < 4; i++) { // a row of balls, one strikes the others
    rgBodyDef def = body_at(RG_BODY_DYNAMIC, v3(-0.6 + 0.3 * i - (i == 0 ? 0.3 : 0), 1.2, 0.15));
    def.velocity.linear = v3(i == 0 ? 3 : 0, 0, 0);
    add(&maker, &def, shape_sphere(0.15));
  }
  return maker.status;
}

static rgStatus build_admm(rgWorld* world) {
  rgOptions options = *rg_world_options(world);
  snprintf(options.solver, sizeof options.solver, "admm");
  snprintf(options.cone, sizeof options.cone, "outer");
  rgStatus status = rg_world_set_options(world, &options);
  return status == RG_OK ? build_tumble(world) : status;
}

static const Variety table[] = {
    {"stack", "eight boxes fall onto each other by a hair", 1.0 / 240, 1, false, build_stack,
     false},
    {"pyramid", "28 boxes", 1.0 / 120, 1, false, build_pyramid, false},
    {"spheres", "64 balls in a container", 1.0 / 120, 1, false, build_spheres, false},
    {"mixed", "36 bodies of all moving shapes in a container", 1.0 / 120, 1, false, build_mixed,
     false},
    {"mesh", "18 bodies on a slope of triangles", 1.0 / 120, 1, false, build_mesh, false},
    {"field", "18 bodies on a height field", 1.0 / 120, 1, false, build_field, false},
    {"bounce", "18 lively bodies in a container, theta = 1/2", 1.0 / 240, 0.5, false, build_bounce,
     false},
    {"torsion", "friction with direction and torsion", 1.0 / 240, 0.5, false, build_torsion, false},
    {"shaker", "27 bodies in a tray that shakes and tilts", 1.0 / 240, 1, false, build_shaker,
     false},
    {"rotation", "free bodies under forces, theta = 1/2", 1.0 / 240, 0.5, true, build_rotation,
     false},
    {"tumble", "a stack, a ball that rolls into it, impacts", 1.0 / 240, 1, false, build_tumble,
     false},
    {"compound", "16 bodies of three shapes each", 1.0 / 240, 1, false, build_compound, false},
    {"linkage", "a chain, a door, a four-bar linkage, a weld and a rope, theta = 1/2", 1.0 / 240,
     0.5, false, build_linkage, false},
    {"screw", "a weight on a thread, a driven spindle that pushes boxes, theta = 1/2", 1.0 / 240,
     0.5, false, build_screw, false},
    {"driven", "an arm with rotors, servos and efforts, and jaws that close", 1.0 / 240, 1, false,
     build_driven, false},
    {"plane", "24 flat bodies in a trough", 1.0 / 240, 1, false, build_plane, true},
    {"anitescu", "tumble with anitescu-potra and baumgarte", 1.0 / 240, 1, false, build_anitescu,
     false},
    {"stewart", "tumble with stewart-trinkle, none and polygons", 1.0 / 240, 1, false,
     build_stewart, false},
    {"gauss", "impacts, rest and a pendulum without friction", 1.0 / 240, 1, false, build_gauss,
     false},
    {"first_order", "tumble without inertia", 1.0 / 240, 1, false, build_first_order, false},
    {"walls", "10 bodies in a bowl, a tube and a torus and on a ring", 1.0 / 240, 1, false,
     build_walls, false},
    {"plates", "10 bodies on flush plates, impacts one after the other", 1.0 / 240, 0.5, false,
     build_plates, false},
    {"admm", "tumble with admm and outer polygons", 1.0 / 240, 1, false, build_admm, false},
};

const Variety* variety(int index) {
  return index >= 0 && index < (int)(sizeof table / sizeof *table) ? &table[index] : NULL;
}

const Variety* variety_find(const char* name) {
  for (int i = 0; variety(i); ++i)
    if (strcmp(variety(i)->name, name) == 0)
      return variety(i);
  FAIL("there is no scene %s", name);
  test_require(false);
  return NULL;
}

rgStatus variety_try(const Variety* scene, int threads, const rgAllocator* allocator,
                     rgWorld** world) {
  rgWorldDef def = scene->planar ? rg_world_def_2d() : rg_world_def();
  def.options.step = scene->step;
  def.options.theta = scene->theta;
  def.options.threads = threads;
  if (scene->weightless)
    def.options.gravity = v3_zero();
  if (allocator)
    def.allocator = *allocator;
  rgStatus status = rg_world_create(&def, world, NULL);
  return status == RG_OK ? scene->build(*world) : status;
}

rgWorld* variety_build(const Variety* scene, int threads, const rgAllocator* allocator) {
  rgWorld* world = NULL;
  rgStatus status = variety_try(scene, threads, allocator, &world);
  REQUIRE_MSG(status == RG_OK, "%s: %s", scene->name, world ? rg_world_message(world) : "no world");
  return world;
}
