// A program as a user of the installed library would write it; compiled as C and as C++: a ball
// hung from the ground by a hinge swings for a second and stays on its circle.
#include <rigor/rigor.h>

#include <stdio.h>
#include <string.h>

static const double length = 0.5; // [m] from the hinge to the centre of the ball

static int add_pendulum(rgWorld* world, rgBodyId* ball) {
  rgBodyDef body = rg_body_def();
  rgShapeDef sphere = rg_shape_def(RG_SHAPE_SPHERE);
  sphere.radius = 0.1;
  body.pose.position.x = length;
  if (rg_world_add_body(world, &body, &sphere, 1, ball) != RG_OK)
    return 0;
  rgJointDef hinge = rg_joint_def(RG_JOINT_HINGE);
  rgJointId id;
  hinge.body_b = *ball;
  hinge.axis.x = 0;
  hinge.axis.y = 1;
  return rg_world_add_joint(world, &hinge, &id) == RG_OK;
}

static int swing(rgWorld* world) {
  rgBodyId ball;
  int steps = 240;
  if (!add_pendulum(world, &ball)) {
    printf("%s\n", rg_world_message(world));
    return 1;
  }
  for (int i = 0; i < steps; i++) {
    rgCertificate certificate;
    if (rg_world_step(world, &certificate) != RG_OK || !certificate.met) {
      printf("step %d: residual %g %s\n", i, certificate.residual, rg_world_message(world));
      return 1;
    }
  }
  rgVec3 p = rg_body_center(world, ball);
  double part = (p.x * p.x + p.z * p.z) / (length * length); // 1 on the circle
  printf("after %d steps the ball is at %.9f of the square of its circle's radius\n", steps, part);
  return !(part > 1 - 1e-6 && part < 1 + 1e-6); // the tolerance of a solve
}

int main(int argc, char** argv) {
  const char* version = rg_version();
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  rgMessage message;
  printf("%s\n", version);
  if (argc == 2 && strcmp(argv[1], version) != 0)
    return 1;
  if (rg_world_create(&def, &world, &message) != RG_OK) {
    printf("%s\n", message.text);
    return 1;
  }
  int failed = swing(world);
  rg_world_destroy(world);
  return failed;
}
