// table.c - the table of experiments, in the order in which they are listed.
#include "experiments/experiment.h"

#include <string.h>

// clang-format off
static const Experiment* const table[] = {
    &experiment_bouncing_column,
    &experiment_chain_stabilization,
    &experiment_cone_weakness,
    &experiment_contact_stabilization,
    &experiment_cube_tosses,
    &experiment_ellipsoids,
    &experiment_gauss_tables,
    &experiment_impending_motion,
    &experiment_limited_time,
    &experiment_local_resolution,
    &experiment_masonry,
    &experiment_mocap_arm,
    &experiment_mocap_body,
    &experiment_motion_space,
    &experiment_pendulum_drift,
    &experiment_rolling_disc,
    &experiment_sphere_settling,
    &experiment_spinning_sphere,
    &experiment_step_halving,
    &experiment_stiff_feedback,
    &experiment_stiff_spring,
    &experiment_too_many_contacts,
    &experiment_tradeoffs,
    &experiment_two_spheres,
};
// clang-format on
enum { COUNT = sizeof table / sizeof table[0] };

const Experiment* experiment_at(int index) {
  return index >= 0 && index < COUNT ? table[index] : NULL;
}

const Experiment* experiment_find(const char* name) {
  for (int i = 0; i < COUNT; ++i)
    if (strcmp(table[i]->name, name) == 0)
      return table[i];
  return NULL;
}
