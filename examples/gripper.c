// gripper.c - two fingers on motors close on a box and lift it; the contact forces say how firmly.
//
//     cc examples/gripper.c -lrigor -lm && ./a.out
//
// Shown: bodies, joints with motors, a body on a given path, contact forces on a body.
#include <rigor/rigor.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double GRIP = 20;    // [N] of each finger
static const double START = 0.55; // [m] height of the gripper

static void must(rgStatus status, const rgWorld* world) {
  if (status == RG_OK)
    return;
  fprintf(stderr, "%s\n", rg_world_message(world));
  exit(1);
}

// The palm waits a second, then rises by 0.2 m in a second.
static rgPose palm_path(double time, void* context) {
  (void)context;
  double s = fmin(fmax(time - 1, 0), 1), rise = 0.2 * s * s * (3 - 2 * s);
  return (rgPose){{0, 0, START + rise}, {1, 0, 0, 0}};
}

static rgBodyId add_box(rgWorld* world, rgBodyDef body, rgVec3 half, double density) {
  rgShapeDef box = rg_shape_def(RG_SHAPE_BOX);
  box.half = half;
  box.density = density;
  rgBodyId id;
  must(rg_world_add_body(world, &body, &box, 1, &id), world);
  return id;
}

// A finger at x that slides along x on the palm, pushed towards the middle.
static rgBodyId add_finger(rgWorld* world, rgBodyId palm, double x) {
  rgBodyDef body = rg_body_def();
  body.pose.position = (rgVec3){x, 0, START - 0.1};
  rgBodyId finger = add_box(world, body, (rgVec3){0.01, 0.03, 0.08}, 1000);
  rgJointDef slider = rg_joint_def(RG_JOINT_SLIDER);
  slider.body_a = palm;
  slider.body_b = finger;
  slider.point = body.pose.position;
  slider.axis = (rgVec3){x < 0 ? 1 : -1, 0, 0};
  slider.axes[0].motor = true;
  slider.axes[0].motor_speed = 0.1; // [m/s]
  slider.axes[0].motor_force = GRIP;
  rgJointId id;
  must(rg_world_add_joint(world, &slider, &id), world);
  return finger;
}

int main(void) {
  rgWorldDef def = rg_world_def();
  def.options.step = 1.0 / 500;
  rgWorld* world;
  if (rg_world_create(&def, &world, NULL) != RG_OK)
    return 1;
  rgBodyDef body = rg_body_def();
  body.kind = RG_BODY_STATIC;
  rgShapeDef floor = rg_shape_def(RG_SHAPE_HALFSPACE);
  floor.pose.position.z = 0.35;
  rgBodyId ground;
  must(rg_world_add_body(world, &body, &floor, 1, &ground), world);

  body = rg_body_def();
  body.kind = RG_BODY_KINEMATIC;
  body.motion = palm_path;
  body.pose = palm_path(0, NULL);
  rgBodyId palm = add_box(world, body, (rgVec3){0.12, 0.03, 0.01}, 1000);
  rgBodyId left = add_finger(world, palm, -0.08), right = add_finger(world, palm, 0.08);
  body = rg_body_def();
  body.pose.position = (rgVec3){0, 0, 0.4};
  rgBodyId box = add_box(world, body, (rgVec3){0.04, 0.04, 0.05}, 1000);

  while (rg_world_time(world) < 2.5) {
    rgCertificate certificate;
    must(rg_world_step(world, &certificate), world);
    if (!certificate.met)
      printf("t = %.3f s: residual %g\n", rg_world_time(world), certificate.residual);
  }
  double weight = 9.81 * rg_body_mass(world, box).mass;
  rgWrench by_left = rg_body_contact_force(world, box, left),
           by_right = rg_body_contact_force(world, box, right),
           by_ground = rg_body_contact_force(world, box, ground);
  printf("the box is at z = %.4f m\n", rg_body_center(world, box).z);
  printf("fingers press with %.3f N and %.3f N\n", by_left.force.x, -by_right.force.x);
  printf("and lift with %.4f N; its weight is %.4f N\n", by_left.force.z + by_right.force.z,
         weight);
  bool held = rg_body_center(world, box).z > 0.59 && by_ground.force.z == 0 &&
              fabs(by_left.force.x - GRIP) < 0.01 * GRIP &&
              fabs(by_left.force.z + by_right.force.z - weight) < 1e-3 * weight;
  rg_world_destroy(world);
  return held ? 0 : 1;
}
