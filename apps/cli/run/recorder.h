// recorder.h - when a run writes a frame of its trajectory.
#ifndef CLI_RECORDER_H
#define CLI_RECORDER_H

#include <rigor/rigor.h>

typedef struct CliRecorder {
  rgTrajectory* trajectory; // NULL when nothing is recorded
  int64_t every;            // steps between frames, 0 = by `rate`
  double rate;              // frames per unit of simulated time [1/s]
  double step;              // [s] h
  int64_t frames;           // written so far
  int64_t recorded_step;    // step of the last frame
  double flushed;           // [s] on the wall clock
  unsigned kinds;           // what is recorded, a sum of rgRecordKind
} CliRecorder;

// Reads a list such as "bodies,contacts" into a sum of kinds. False, with a message, for a word that is
// none of them.
bool cli_recorder_kinds(const char* list, unsigned* kinds, rgMessage* message);

// Steps from one frame to the next, but for the last frame, which is that of the last step.
typedef struct CliFrameSteps {
  int64_t least, most; // differ where the rate does not divide the steps
  bool too_fast;       // more frames than steps were asked for: every step has one
} CliFrameSteps;
CliFrameSteps cli_recorder_spacing(const CliRecorder* recorder);

// Opens `path`, and keeps the scene with it; NULL: records nothing. With an accuracy frames have the
// errors of bodies; it may be NULL.
rgStatus cli_recorder_open(CliRecorder* recorder, const char* path, const rgWorld* world,
                           const rgScene* scene, const rgAccuracy* accuracy, rgMessage* message);
// After step number `step` of the run (0 is the start): writes a frame when one is due, and brings
// the file up to date once in a while.
rgStatus cli_recorder_step(CliRecorder* recorder, const rgWorld* world, int64_t step, double wall,
                           rgMessage* message);
// Writes the frame of the last step if it is not there yet, and closes the file. `intact` is false
// after an error of writing: then the file is only closed.
rgStatus cli_recorder_close(CliRecorder* recorder, const rgWorld* world, int64_t step, bool intact,
                            rgMessage* message);

#endif
