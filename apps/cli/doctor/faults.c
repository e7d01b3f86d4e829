// faults.c - the families of faults, in the order in which findings are told.
#include "cli/doctor/doctor.h"

static const CliFault* const families[] = {
    cli_faults_scale, cli_faults_mass,     cli_faults_start, cli_faults_joint,
    cli_faults_loop,  cli_faults_friction, cli_faults_drive, cli_faults_force,
    cli_faults_mesh,  cli_faults_step,     cli_faults_run,
};

const CliFault* cli_fault(int index) {
  for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
    for (const CliFault* fault = families[i]; fault->name; ++fault)
      if (index-- == 0)
        return fault;
  return NULL;
}
