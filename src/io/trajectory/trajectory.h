// trajectory.h - what the formats of trajectories share.
#ifndef IO_TRAJECTORY_TRAJECTORY_H
#define IO_TRAJECTORY_TRAJECTORY_H

#include "base/pool.h"
#include <rigor/accuracy.h>
#include <rigor/trajectory.h>

// One row of the table in trajectory.c, one file per format.
typedef struct rgTrajectoryFormat {
  const char* ending;
  const char* summary;
  // Makes the file and *state. On failure nothing is left open.
  rgStatus (*create)(const char* path, const rgWorld* world, unsigned kinds,
                     const rgAllocator* allocator, void** state, rgMessage* message);
  rgStatus (*keep_scene)(void* state, const char* text, rgMessage* message);
  rgStatus (*keep_errors)(void* state, const rgAccuracy* accuracy, rgMessage* message);
  rgStatus (*append)(void* state, const rgWorld* world, rgMessage* message);
  rgStatus (*flush)(void* state, rgMessage* message);
  rgStatus (*close)(void* state, rgMessage* message);
} rgTrajectoryFormat;

extern const rgTrajectoryFormat rg_trajectory_csv;
extern const rgTrajectoryFormat rg_trajectory_h5;
extern const rgTrajectoryFormat rg_trajectory_glb;
const rgTrajectoryFormat* rg_trajectory_h5_format(void); // NULL when HDF5 is not there

// Where bodies were, as a file of a run says; the memory is a pool's.
typedef struct rgTrajectoryPoses {
  int frame_count, body_count;
  const double* time; // [s]
  const int64_t* step;
  const double* position;       // [m] x y z of each body of each frame; NaN when it was removed
  const double* orientation;    // w x y z likewise
  const char* scene;            // text; NULL when the file has none
  const int64_t* contact_start; // by frame, and one more; NULL when none were recorded
  const rgRecordedContact* contacts;
  const rgRecordedMeasure* measures; // by frame; NULL when the file has none
} rgTrajectoryPoses;
rgStatus rg_trajectory_read_h5(const char* path, rgPool* pool, rgTrajectoryPoses* poses,
                               rgMessage* message);

// What there is once per frame.
typedef struct rgTrajectoryFrame {
  double time; // [s]
  int64_t step;
  rgCertificate certificate;
  rgEnergy energy;
} rgTrajectoryFrame;
rgTrajectoryFrame rg_trajectory_frame(const rgWorld* world);

// A column of it. The columns are time and step, the fields of the certificate, and the energies.
typedef struct rgTrajectoryColumn {
  const char* group; // "", "certificate" or "energy"
  const char* name;
  const char* unit;
  bool whole; // its values are integers
} rgTrajectoryColumn;
// False past the end.
bool rg_trajectory_column(int index, rgTrajectoryColumn* column);
// The value of the column `index`; a double holds the integers exactly.
double rg_trajectory_value(int index, const rgTrajectoryFrame* frame);

#endif
