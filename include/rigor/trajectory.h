// trajectory.h - recording a run. The file is valid after every flush, so an interrupted run keeps its data.
#ifndef RIGOR_TRAJECTORY_H
#define RIGOR_TRAJECTORY_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgTrajectory rgTrajectory;

// Opens a file for writing; the format follows the ending: ".csv" (one row per body and frame) or ".h5".
RG_API rgStatus rg_trajectory_create(const char* path, const rgWorld* world, rgTrajectory** trajectory,
                                     rgMessage* message);
// Appends the present state of the world as a frame, with the certificate of its last step.
RG_API rgStatus rg_trajectory_append(rgTrajectory* trajectory, const rgWorld* world, rgMessage* message);
RG_API rgStatus rg_trajectory_flush(rgTrajectory* trajectory, rgMessage* message);
RG_API rgStatus rg_trajectory_close(rgTrajectory* trajectory, rgMessage* message); // also frees it
// The endings this build can write, e.g. ".csv"; NULL past the end.
RG_API const char* rg_trajectory_format(int index);

#ifdef __cplusplus
}
#endif
#endif
