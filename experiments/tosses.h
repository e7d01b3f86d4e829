// tosses.h - measured throws of a body: read from a folder of CSV files.
//
// `ic.csv` has a header and one row per throw: toss, start_frame, n_frames, px py pz [m], qw qx qy qz
// (body to world), vx vy vz [m/s], wbx wby wbz [rad/s] in body axes. `ref/N.csv` has a header and one
// row per frame from that instant on: t [s], px py pz, qw qx qy qz.
#ifndef EXPERIMENTS_TOSSES_H
#define EXPERIMENTS_TOSSES_H

#include <rigor/rigor.h>

typedef struct TossFrame {
  double time; // [s]
  rgPose pose;
} TossFrame;

typedef struct Toss {
  rgPose pose;      // at the start
  rgTwist velocity; // in world axes
  TossFrame* frames;
  int frame_count;
} Toss;

typedef struct Tosses {
  Toss* items;
  int count;
} Tosses;

// Reads all throws of a folder. False with the reason in `message`; either way tosses_free.
bool tosses_read(const char* folder, Tosses* tosses, rgMessage* message);
void tosses_free(Tosses* tosses);

#endif
