// figure.h - the parts of a figure.
#ifndef ARTICULATED_FIGURE_H
#define ARTICULATED_FIGURE_H

#include "math/vec.h"
#include <rigor/figure.h>

// Part of the body by which masses are known.
typedef enum rgRole {
  RG_ROLE_NONE,
  RG_ROLE_PELVIS,
  RG_ROLE_ABDOMEN,
  RG_ROLE_THORAX,
  RG_ROLE_HEAD,
  RG_ROLE_UPPER_ARM,
  RG_ROLE_FOREARM,
  RG_ROLE_HAND,
  RG_ROLE_THIGH,
  RG_ROLE_SHANK,
  RG_ROLE_FOOT,
  RG_ROLE_COUNT
} rgRole;

// A bone: from the joint of a link to the next joint, or to an end site.
typedef struct rgBone {
  int link;
  rgVec3 from, to; // [m] in the frame of the link
  double radius;   // [m]
  double mass;     // [kg]
  double center;   // [-] where its centre of mass is on the way; < 0: as its shape has it
  double gyration; // [-] radius of gyration about it over the length; used when the centre is given
} rgBone;

enum { RG_SOLE_POINTS = 12 };

typedef struct rgLinkPart {
  char name[RG_CLIP_NAME_SIZE];
  int parent;
  rgVec3 offset; // [m]
  rgRole role;
  int side; // -1 left, 1 right, 0 neither
  bool neck;
  double mass;
  rgVec3 center;  // [m] of mass, in the frame of the link
  rgMat3 inertia; // [kg m2] about it
  int shape_start, shape_count;
  // What the clip says of it: the joint whose axes it has.
  int carrier;
} rgLinkPart;

typedef struct rgFigureShape {
  rgShapeDef def;
  rgVec3 points[RG_SOLE_POINTS];
} rgFigureShape;

// Channels of the movement: of the root three of position, and four of the quaternion of every link
// against its parent. Each is a cubic spline through the frames.
struct rgFigure {
  rgAllocator allocator;
  rgFigureDef def;
  int link_count, bone_count, shape_count, frame_count;
  rgLinkPart* links;
  rgBone* bones;
  rgFigureShape* shapes;
  double frame_time, start; // [s]
  double *value, *bend;     // by channel, frame_count each: values, and second derivatives [1/s2]
  double floor, height;     // [m]
  rgBodyMotion* frames;     // of all links in all frames, while the figure is made
  int link_room, bone_room, shape_room;
  size_t spline_room;
};

static inline int rg_figure_channels(const rgFigure* figure) { return 3 + 4 * figure->link_count; }

// figure_links.c: which joints of the clip make a link; fills links and bones.
rgStatus rg_figure_make_links(rgFigure* figure, const rgClip* clip, rgMessage* message);
// [m] and orientations of all joints of the clip in a frame, in axes whose z points up.
void rg_figure_place_joints(const rgFigure* figure, const rgClip* clip, int frame, rgPose* joints);
// figure_mass.c: which part of a body each link is; masses of links and radii of bones.
void rg_figure_find_roles(rgFigure* figure);
void rg_figure_make_masses(rgFigure* figure);
// figure_size.c: floor and height, from the movement.
rgStatus rg_figure_measure(rgFigure* figure, rgMessage* message);
// [m] height of a point of a link that it is below in a part of the frames.
double rg_figure_low(const rgFigure* figure, const rgBodyMotion* frames, int link, rgVec3 point,
                     double part);
// figure_shape.c: shapes, centres of mass and inertia; needs the movement, for the soles.
rgStatus rg_figure_make_shapes(rgFigure* figure, rgMessage* message);
// figure_motion.c: channels of the movement from the frames of the clip.
rgStatus rg_figure_make_motion(rgFigure* figure, const rgClip* clip, rgMessage* message);

// filter.c: a low-pass filter without delay, in place, and the second derivatives of the cubic spline
// through equally spaced values; `work` has room for 3 (count + 2 pad) numbers.
int rg_filter_pad(int count, double cutoff, double rate);
void rg_filter_smooth(double* values, int count, double cutoff, double rate, double* work);
void rg_filter_bend(const double* values, int count, double spacing, double* bend, double* work);

#endif
