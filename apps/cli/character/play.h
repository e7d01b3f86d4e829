// play.h - a clip as a character in a world, balls thrown at it, and how far it deviates.
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include <rigor/rigor.h>

enum { CLI_THROWS = 16 };

// A ball that hits a link at a time.
typedef struct CliThrow {
  char link[RG_CLIP_NAME_SIZE];
  double time;    // [s] of the hit, by the clip's clock
  double speed;   // [m/s] at the hit
  double mass;    // [kg]
  double heading; // [deg] of its flight in the horizontal plane, from x towards y
  rgBodyId ball;
  bool thrown;
} CliThrow;

// What a throw did to the figure; distances are those of the farthest link.
typedef struct CliReaction {
  double before; // [m] largest deviation before the hit, from the end of the last one on
  double peak;   // [m] largest deviation after it
  double back;   // [s] after the hit, from when on it stays within 5 % of the peak; NaN: never
  double after;  // [m] largest deviation from 1 s after the hit on; NaN: the run ends before
} CliReaction;

// How a clip is played.
typedef struct CliPlayDef {
  rgFigureDef figure;
  rgCharacterDef character;
  rgOptions options;
  double from, to; // [s] by the clip's clock; NaN: its start and end
  CliThrow throws[CLI_THROWS];
  int throw_count;
  bool ghost; // the recorded figure stands beside the simulated one
} CliPlayDef;

typedef struct CliPlay {
  CliPlayDef def;
  rgFigure* figure;
  rgWorld* world;
  rgCharacter* character;
  int planned, steps, not_met;
  double cpu;         // [s] of stepping and driving
  double* deviation;  // [m] after each step, of the farthest link
  double largest_gap; // [m] largest error of a joint
} CliPlay;

CliPlayDef cli_play_def(void);
// Makes the figure, the world with a floor, the character and the balls. On failure everything is
// freed, and the message says why.
rgStatus cli_play_open(CliPlay* play, const rgClip* clip, const CliPlayDef* def,
                       rgMessage* message);
void cli_play_close(CliPlay* play);
// One step: throws what is due, drives the muscles, steps the world.
rgStatus cli_play_step(CliPlay* play, rgMessage* message);
// What the index-th throw, in the order of their times, did in the steps made so far.
CliReaction cli_play_reaction(const CliPlay* play, int index);
// [m] largest deviation in all steps so far.
double cli_play_largest(const CliPlay* play);
// Simulated time over CPU time.
double cli_play_speed(const CliPlay* play);

// play_scene.c: the bodies as a scene, with which a recorded run can be shown. NULL when memory ran
// out; to be freed.
char* cli_play_scene(const CliPlay* play, const char* title);

#endif
