// figure.h - recorded skeletons (clips), as rigid bodies, and their movement as smooth functions of time.
//
// A clip is a tree of joints with offsets from joint to joint, and for each frame the numbers of all
// channels: positions in the unit of the file, and angles [deg] of turns that follow each other in the
// order of the channels. The files do not say what their unit of length is.
//
//     rgClip* clip;
//     if (rg_clip_read("pitch.bvh", &clip, &message) != RG_OK)
//       return fail(message.text); // begins with file, line and column
//     printf("%d joints, %.3g s\n", clip->joint_count, clip->frame_count * clip->frame_time);
//     rg_clip_free(clip);
//
// A figure is made from a clip: joints that never move are welded, what is left are links with shapes,
// masses and ball joints between them. Its movement is the recorded one without its noise, twice
// differentiable, in a world whose z points up:
//
//     rgFigureDef def = rg_figure_def();
//     rgFigure* figure;
//     rg_figure_create(clip, &def, &figure, &message);
//     rgBodyMotion motion[64]; // one per link
//     rg_figure_motion(figure, 1.5, motion);
#ifndef RIGOR_FIGURE_H
#define RIGOR_FIGURE_H

#include "inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- Clips ---------------------------------------------------------------------------------------

typedef enum rgChannel {
  RG_CHANNEL_X_POSITION,
  RG_CHANNEL_Y_POSITION,
  RG_CHANNEL_Z_POSITION,
  RG_CHANNEL_X_ROTATION,
  RG_CHANNEL_Y_ROTATION,
  RG_CHANNEL_Z_ROTATION,
  RG_CHANNEL_COUNT
} rgChannel;
RG_API const char* rg_channel_name(rgChannel channel); // "Xposition", ...; NULL past the end

enum { RG_CLIP_NAME_SIZE = 64 };

typedef struct rgClipJoint {
  char name[RG_CLIP_NAME_SIZE]; // "" of an end site
  int parent;                   // -1: the root; a parent comes before its children
  bool end;                     // an end site: a point without channels where a chain ends
  rgVec3 offset;                // from the parent, in its axes, unit of the file
  int channel_start;            // of its first channel in a frame
  int channel_count;
  rgChannel channels[RG_CHANNEL_COUNT];
  int line; // of the file, where it begins
} rgClipJoint;

typedef struct rgClip {
  int joint_count; // end sites included
  const rgClipJoint* joints;
  int channel_count, frame_count;
  double frame_time;    // [s]
  const double* values; // frame by frame, channel_count numbers each
} rgClip;

// Reads a file, or a text of `length` bytes, for which `name` stands in messages. On failure *clip is
// NULL and the message begins with "file:line:column: ".
RG_API rgStatus rg_clip_read(const char* path, rgClip** clip, rgMessage* message);
RG_API rgStatus rg_clip_parse(const char* text, size_t length, const char* name, rgClip** clip,
                              rgMessage* message);
RG_API void rg_clip_free(rgClip* clip); // NULL is allowed

// --- Figures -------------------------------------------------------------------------------------

typedef struct rgFigure rgFigure; // opaque

// Where the masses of the links come from.
typedef enum rgFigureMasses {
  RG_MASSES_WINTER, // fractions of the body by segment (Winter 2009, table 4.1), found by the names of
                    // joints; links that have no known name are made of water
  RG_MASSES_WATER, // polyhedra along the bones, at the density of water (Cline 2002, section 5.1.1)
  RG_MASSES_COUNT
} rgFigureMasses;
RG_API const char*
rg_figure_masses_name(rgFigureMasses masses); // "winter", "water"; NULL past the end

typedef struct rgFigureDef {
  double scale; // [m] length of the clip's unit
  double mass; // [kg] of the whole person, of which links have their fractions. 0: 24.3 kg/m2 times
               // the square of the height; 70 kg for a figure without head or feet
  double cutoff; // [Hz] of the low-pass filter; 0: none
  rgFigureMasses masses;
  int first_frame; // of the movement; -1: 0, or 1 where frame 0 is a pose apart from the others
} rgFigureDef;
// Unit 0.056444 m (that of the CMU collection), mass by height, 12 Hz, Winter's masses.
RG_API rgFigureDef rg_figure_def(void);

typedef struct rgFigureLink {
  const char* name; // of its joint in the clip
  int parent;       // link, -1: the root; a parent comes before its children
  rgVec3 offset;    // [m] of its joint in the frame of the parent
  double mass;      // [kg]
  bool foot;        // made to stand on: a polyhedron with a flat sole
  int shape_count;
} rgFigureLink;

// Makes the links and the movement. The clip may be freed afterwards. The message says which joint is
// wrong.
RG_API rgStatus rg_figure_create(const rgClip* clip, const rgFigureDef* def, rgFigure** figure,
                                 rgMessage* message);
RG_API void rg_figure_destroy(rgFigure* figure); // NULL is allowed

RG_API int rg_figure_link_count(const rgFigure* figure);
RG_API rgStatus rg_figure_link(const rgFigure* figure, int index, rgFigureLink* link);
// The index-th shape of a link, in its frame, whose origin is its joint; points belong to the figure.
RG_API rgStatus rg_figure_shape(const rgFigure* figure, int link, int index, rgShapeDef* shape);
RG_API int rg_figure_find_link(const rgFigure* figure, const char* name); // -1: there is none

// [s] from where to where the movement is known, by the clip's clock, whose frame 0 is at 0.
RG_API double rg_figure_start(const rgFigure* figure);
RG_API double rg_figure_end(const rgFigure* figure);
// [m] height of the floor: where the lowest feet stand. The clip does not say it.
RG_API double rg_figure_floor(const rgFigure* figure);
// [m] how high the figure reaches when it stands upright, and [kg] what the whole person weighs.
RG_API double rg_figure_height(const rgFigure* figure);
RG_API double rg_figure_mass(const rgFigure* figure);

// The movement of all links at a time [s]: of their frames, with velocities and accelerations of
// their centres of mass. Outside the clip the figure stands still as at its nearest end.
RG_API void rg_figure_motion(const rgFigure* figure, double time, rgBodyMotion* motion);

#ifdef __cplusplus
}
#endif
#endif
