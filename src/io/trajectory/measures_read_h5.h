// measures_read_h5.h - energies and certificates of a recorded run.
#ifndef IO_TRAJECTORY_MEASURES_READ_H5_H
#define IO_TRAJECTORY_MEASURES_READ_H5_H

#include "io/text/read_h5.h"
#include "io/trajectory/trajectory.h"

// Reads what was measured in all frames, if the file has it. The frames are known. False with a
// message when a column is shorter than the frames or holds what is no number.
bool rg_measures_read_h5(rgH5Reader* reader, rgTrajectoryPoses* poses);

#endif
