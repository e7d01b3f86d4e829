// contacts_read_h5.h - the table of contacts of a recorded run.
#ifndef IO_TRAJECTORY_CONTACTS_READ_H5_H
#define IO_TRAJECTORY_CONTACTS_READ_H5_H

#include "io/text/read_h5.h"
#include "io/trajectory/trajectory.h"

// Reads the contacts of all frames, if there are any. Frames and bodies are known. False with a
// message when the table is not one of these frames.
bool rg_contacts_read_h5(rgH5Reader* reader, rgTrajectoryPoses* poses);

#endif
