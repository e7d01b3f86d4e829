// units.h - the unit of length of a scene, as its gravity tells it (fault_scale.c).
#ifndef CLI_UNITS_H
#define CLI_UNITS_H

#include "cli/doctor/doctor.h"

// [m] that one unit of length of the scene is, where gravity is that of the earth in metres (1),
// centimetres (0.01) or millimetres (0.001); 0: it is none of these.
double cli_units_length(const CliDoctor* doctor);

#endif
