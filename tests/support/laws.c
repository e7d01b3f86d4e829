// laws.c - see laws.h.
#include "laws.h"

rgOptions law_options(const char* preset, double step) {
  rgOptions options;
  REQUIRE(rg_options_preset(preset, &options));
  options.step = step;
  options.theta = 0.5;
  return options;
}

void law_begin(Law* law, const rgOptions* options, SceneUnits units) {
  REQUIRE(law->scene.body_count <= LAW_BODIES);
  law->units = units;
  law->world = NULL;
  law->not_met = 0;
  law->residual = 0;
  rgMessage message = {""};
  rgStatus status = scene_world(&law->scene, options, units, law->ids, &law->world, &message);
  REQUIRE_MSG(status == RG_OK, "scene %s: %s", law->scene.name, message.text);
}

void law_run(Law* law, int steps) {
  for (int i = 0; i < steps; ++i) {
    rgCertificate certificate;
    rgStatus status = rg_world_step(law->world, &certificate);
    REQUIRE_MSG(status == RG_OK, "scene %s at %g s: %s", law->scene.name, law_time(law),
                rg_world_message(law->world));
    law->not_met += !certificate.met;
    law->residual = fmax(law->residual, certificate.residual);
    // A solver that fails fails slowly: enough is known after a few steps.
    REQUIRE_MSG(law->not_met < LAW_NOT_MET_MAX,
                "scene %s at %g s: %d steps not met, worst residual %g", law->scene.name,
                law_time(law), law->not_met, law->residual);
  }
}

void law_end(Law* law) {
  rg_world_destroy(law->world);
  scene_end(&law->scene);
}

double law_time(const Law* law) { return rg_world_time(law->world) / law->units.time; }

rgPose law_pose(const Law* law, int body) {
  rgPose pose = rg_body_pose(law->world, law->ids[body]);
  pose.position = v3_scale(pose.position, 1 / law->units.length);
  return pose;
}

rgVec3 law_position(const Law* law, int body) { return law_pose(law, body).position; }

rgTwist law_velocity(const Law* law, int body) {
  rgTwist v = rg_body_velocity(law->world, law->ids[body]);
  v.linear = v3_scale(v.linear, law->units.time / law->units.length);
  v.angular = v3_scale(v.angular, law->units.time);
  return v;
}

double law_energy(const Law* law) {
  rgEnergy energy = rg_world_energy(law->world);
  double speed = law->units.length / law->units.time;
  return (energy.kinetic + energy.potential) / (law->units.mass * speed * speed);
}

rgVec3 law_moved(const Law* law, int body) {
  return v3_sub(law_position(law, body), law->scene.bodies[body].def.pose.position);
}

static void all_poses(const Law* law, rgPose* poses) {
  for (int i = 0; i < law->scene.body_count; ++i)
    poses[i] = law_pose(law, i);
}

double law_displacement(const Law* law) {
  rgPose poses[LAW_BODIES];
  all_poses(law, poses);
  return overlap_displacement(&law->scene, poses);
}

Overlap law_overlap(const Law* law) {
  rgPose poses[LAW_BODIES];
  all_poses(law, poses);
  return overlap_of(&law->scene, poses);
}
