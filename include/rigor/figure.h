// figure.h - a recorded skeleton as rigid bodies, and its movement as smooth functions of time.
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

#include "clip.h"
#include "inverse.h"

#ifdef __cplusplus
extern "C" {
#endif

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
