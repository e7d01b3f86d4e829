// trajectory.h - recording a run. The file is valid after every flush, so an interrupted run keeps
// its data.
//
// A frame is the state of all bodies at one instant: pose of the body frame, velocity of the centre
// of mass and angular velocity, all in world axes and exact to the bit, with the certificate of the
// step that led to it.
#ifndef RIGOR_TRAJECTORY_H
#define RIGOR_TRAJECTORY_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgTrajectory rgTrajectory;

// Opens a file for writing; the format follows the ending.
//   .csv  one row per frame and body: time, step, body, name, px..pz, qw..qz, vx..vz, wx..wz. A
//   second file, with
//         ".certificate.csv" instead of ".csv", has one row per frame with the certificate and the
//         energies.
//   .h5   datasets /time, /step, /position [frame, body, 3], /orientation [frame, body, 4],
//   /velocity,
//         /angular_velocity, /certificate/..., /energy/... with their units, and /name, /kind of
//         the bodies. A body that was removed has NaN; bodies must not be added after the file was
//         made.
// RG_ERROR_UNSUPPORTED for another ending, and for ".h5" in a build without HDF5.
RG_API rgStatus rg_trajectory_create(const char* path, const rgWorld* world,
                                     rgTrajectory** trajectory, rgMessage* message);
// Keeps the text of the scene with the run, so that the run can be shown later ('rigor view'): in
// the dataset /scene of an .h5 file; beside a .csv file, in a third one with ".scene.json" instead
// of ".csv". To be called once, before the first frame.
RG_API rgStatus rg_trajectory_keep_scene(rgTrajectory* trajectory, const char* text,
                                         rgMessage* message);
// Appends the present state of the world as a frame, with the certificate of its last step.
RG_API rgStatus rg_trajectory_append(rgTrajectory* trajectory, const rgWorld* world,
                                     rgMessage* message);
// Everything appended so far is in the file, and the file is whole.
RG_API rgStatus rg_trajectory_flush(rgTrajectory* trajectory, rgMessage* message);
// Flushes, closes and frees it, also when the flush fails. NULL is allowed.
RG_API rgStatus rg_trajectory_close(rgTrajectory* trajectory, rgMessage* message);
// The endings this build can write, e.g. ".csv", and a line about each; NULL past the end.
RG_API const char* rg_trajectory_format(int index);
RG_API const char* rg_trajectory_summary(int index);

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

// Where bodies were in a recorded run. The body `b` of the frame `f` has the index f * body_count + b
// in the arrays of poses.
typedef struct rgRecording {
  int frame_count, body_count;
  const double* time;        // [s] of each frame
  const int64_t* step;       // of each frame
  const rgVec3* position;    // [m] of body frames; NaN when the body was removed
  const rgQuat* orientation; // likewise
  const char* scene;         // the text of its scene; NULL when the file has none
} rgRecording;
// Reads the poses of an .h5 file that rg_trajectory_create made (a .csv file is text that any
// program reads). On failure *recording is NULL and the message begins with the path;
// RG_ERROR_UNSUPPORTED for another ending and in a build without HDF5.
RG_API rgStatus rg_recording_read(const char* path, rgRecording** recording, rgMessage* message);
RG_API void rg_recording_free(rgRecording* recording); // NULL is allowed

#ifdef __cplusplus
}
#endif
#endif
