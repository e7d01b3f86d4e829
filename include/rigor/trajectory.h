// trajectory.h - recording a run. The file is valid after every flush, so an interrupted run keeps
// its data.
//
// A frame is the state of all bodies at one instant: pose of the body frame, velocity of the centre
// of mass and angular velocity, all in world axes and exact to the bit, with the certificate of the
// step that led to it.
//
//     rgTrajectory* trajectory;
//     rg_trajectory_create("run.h5", world, &trajectory, &message);
//     for (int i = 0; i < 1000; i++) {
//       rg_trajectory_append(trajectory, world, &message);
//       rg_world_step(world, NULL);
//     }
//     rg_trajectory_close(trajectory, &message);
#ifndef RIGOR_TRAJECTORY_H
#define RIGOR_TRAJECTORY_H

#include "accuracy.h"
#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgTrajectory rgTrajectory; // opaque

// Opens a file for writing; the format follows from the ending.
//
// .csv: one row for each frame and body: time, step, body, name, px..pz [m], qw..qz, vx..vz [m/s],
// wx..wz [rad/s]. A second file, with ".certificate.csv" instead of ".csv", has one row for each
// frame with the certificate (rg_certificate_field) and the energies.
//
// .h5: the datasets /time, /step, /position [frame, body, 3], /orientation [frame, body, 4],
// /velocity, /angular_velocity, /certificate/... and /energy/..., with their units, and /name and
// /kind of the bodies. A body that was removed has NaN; bodies must not be added after the file was
// made.
//
// A frame before the first step has tolerance 0 and is met: nothing was asked of it.
// RG_ERROR_UNSUPPORTED for another ending, and for ".h5" in a build without HDF5.
RG_API rgStatus rg_trajectory_create(const char* path, const rgWorld* world,
                                     rgTrajectory** trajectory, rgMessage* message);
// Keeps the text of the scene with the run, so that 'rigor view' can show the run later: in the
// dataset /scene of an .h5 file, or beside a .csv file in a third one, with ".scene.json" instead
// of ".csv". Call it once, before the first frame.
RG_API rgStatus rg_trajectory_keep_scene(rgTrajectory* trajectory, const char* text,
                                         rgMessage* message);
// From the first frame on, writes with each body the error that it may have (rg_accuracy_error): in
// the last column, `error`, of a .csv file, or in the dataset /error [frame, body, 1] of an .h5 file.
// Call it once, before the first frame. The accuracy is borrowed and must outlive the trajectory.
RG_API rgStatus rg_trajectory_keep_errors(rgTrajectory* trajectory, const rgAccuracy* accuracy,
                                          rgMessage* message);
// Appends the present state of the world as a frame, with the certificate of its last step.
RG_API rgStatus rg_trajectory_append(rgTrajectory* trajectory, const rgWorld* world,
                                     rgMessage* message);
// Writes everything appended so far; the file is then complete and can be read.
RG_API rgStatus rg_trajectory_flush(rgTrajectory* trajectory, rgMessage* message);
// Flushes, closes and frees the trajectory; it is freed also when the flush fails. NULL is allowed.
RG_API rgStatus rg_trajectory_close(rgTrajectory* trajectory, rgMessage* message);
// The endings that this build can write, such as ".csv", and a line about each; NULL past the end.
RG_API const char* rg_trajectory_format(int index);
RG_API const char* rg_trajectory_summary(int index);

// -------------------------------------------------------------------------------------------------
// Reading
// -------------------------------------------------------------------------------------------------

// Where bodies were in a recorded run. The body `b` of the frame `f` has the index f * body_count +
// b in the arrays of poses.
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
