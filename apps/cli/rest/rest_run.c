// rest_run.c - one drop: a random orientation, the fall, the face that it ends on.
//
// The time of a part of size L is T = sqrt(L / g): steps are 0.02 T by default. A drop ends when the
// part has been at rest for 2 T, in which a pose that is not stable would have left it by a factor of
// e^2, or after 60 T and four times the time of the fall. It is on a face whose normal is within a degree
// of the vertical, and elsewhere if there is none.
#include "cli/rest/rest.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

#include <rigor/vec_math.h>

#include <math.h>

static const double REST_TIMES = 2, LONGEST_TIMES = 60;
static const double COS_ONE_DEGREE = 0.99984769515639124;

static double drop_height(const CliRest* rest) {
  return rest->values->height >= 0 ? rest->values->height : rest->size;
}

// The pose with the lowest corner at the height of the drop, the centre of mass above the origin.
static rgPose start_pose(const CliRest* rest, int64_t run) {
  rgPose pose = {.orientation = rg_draw_rotation((uint64_t)rest->values->seed, (uint64_t)run, 0)};
  double lowest = HUGE_VAL;
  for (int i = 0; i < rest->point_count; ++i)
    lowest = fmin(lowest, rg_quat_rotate(pose.orientation, rest->points[i]).z);
  rgVec3 center = rg_quat_rotate(pose.orientation, rest->mass.center);
  pose.position = rg_vec3(-center.x, -center.y, drop_height(rest) - lowest);
  return pose;
}

rgWorld* cli_rest_world(const CliRest* rest, int64_t run, rgBodyId* part, rgMessage* message) {
  rgWorldDef def = rg_world_def();
  rgWorld* world;
  rgBodyId ground;
  def.options = rest->options;
  if (rg_world_create(&def, &world, message) != RG_OK)
    return NULL;
  rgMaterial material = rg_material_default();
  material.mu = rest->values->mu;
  material.restitution = rest->values->restitution;
  rgBodyDef body = rg_body_def();
  rgShapeDef surface = rg_shape_def(RG_SHAPE_HALFSPACE), hull = rg_shape_def(RG_SHAPE_HULL);
  rgStatus status = rg_world_set_material(world, 0, &material);
  body.kind = RG_BODY_STATIC;
  if (status == RG_OK)
    status = rg_world_add_body(world, &body, &surface, 1, &ground);
  body = rg_body_def();
  body.pose = start_pose(rest, run);
  body.mass = rest->mass.mass;
  body.inertia_given = true;
  body.center = rest->mass.center;
  body.inertia = rest->mass.inertia;
  hull.points = rest->points;
  hull.point_count = rest->point_count;
  if (status == RG_OK)
    status = rg_world_add_body(world, &body, &hull, 1, part);
  if (status == RG_OK)
    return world;
  snprintf(message->text, sizeof message->text, "%s", rg_world_message(world));
  rg_world_destroy(world);
  return NULL;
}

// The class of the face that is down; the one after the last for none.
static int pose_of(const CliRest* rest, rgQuat orientation) {
  rgVec3 down = rg_quat_rotate(rg_quat_conj(orientation), rg_vec3(0, 0, -1));
  for (int i = 0; i < rest->stable_count; ++i)
    if (rg_vec3_dot(rest->faces[rest->stable[i]].normal, down) > COS_ONE_DEGREE)
      return i;
  return rest->stable_count;
}

static CliFinish make_steps(const CliRest* rest, CliProbe* probe, rgMessage* message) {
  double g = rg_vec3_norm(rest->options.gravity), unit = sqrt(rest->size / g);
  double longest = LONGEST_TIMES * unit + 4 * sqrt(2 * drop_height(rest) / g);
  while (cli_probe_resting(probe) < REST_TIMES * unit && rg_world_time(probe->world) < longest) {
    CliFinish finish;
    if (!cli_probe_step(probe, &finish, message))
      return finish;
  }
  return cli_probe_verdict(probe);
}

CliFinish cli_rest_make(const CliEnsemble* ensemble, int64_t index, double* row,
                        rgMessage* message) {
  const CliRest* rest = ensemble->context;
  CliProbe probe = {.quantities = &rest->watched, .quantity_count = 1};
  CliFinish finish = CLI_FINISH_FAILED;
  rgBodyId part;
  row[0] = row[1] = (double)NAN;
  rgWorld* world = cli_rest_world(rest, index, &part, message);
  if (world && cli_probe_start(&probe, world)) {
    rg_world_set_cancel(world, cli_interrupt_urgent());
    finish = make_steps(rest, &probe, message);
    if (finish == CLI_FINISH_MET || finish == CLI_FINISH_NOT_MET) {
      row[0] = pose_of(rest, rg_body_pose(world, part).orientation);
      cli_probe_end(&probe, &row[1]);
    }
  }
  cli_probe_free(&probe);
  rg_world_destroy(world);
  return finish;
}
