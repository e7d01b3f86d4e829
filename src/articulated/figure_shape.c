// figure_shape.c - shapes of links.
//
// A bone is a capsule, or a square bar where its mass is that of polyhedra of water. A foot stands on a
// flat sole. How it is turned in its own axes, the clip does not say; it follows from the movement:
// "down" is the mean direction of the world's down in the axes of the foot over the frames in which the
// foot is lowest, and each end of its bones is as high above the sole as it is above the floor in these
// frames.
#include "articulated/figure.h"

#include "base/memory.h"
#include "base/message.h"

#include <string.h>

// [m] least height of the ends of a foot's bones above the sole.
static const double SOLE = 0.01;
// Part of the frames in which a foot counts as standing.
static const double STANDING = 0.1;
// Width of a foot over the length of its bone, half; and how far the heel is behind the ankle.
static const double HALF_WIDTH = 0.2, HEEL = 0.25;
// [m] thickness of a foot above its bone.
static const double INSTEP = 0.02;

static rgQuat turn_between(rgVec3 a, rgVec3 b) {
  rgVec3 axis = v3_cross(a, b);
  double w = 1 + v3_dot(a, b);
  return w > 1e-9 ? quat_unit((rgQuat){w, axis.x, axis.y, axis.z}) : (rgQuat){0, 1, 0, 0};
}

static void add_bar(const rgFigure* figure, const rgBone* bone, rgFigureShape* out) {
  rgVec3 along = v3_sub(bone->to, bone->from);
  double half = 0.5 * v3_norm(along);
  bool winter =
      figure->def.masses == RG_MASSES_WINTER && figure->links[bone->link].role != RG_ROLE_NONE;
  out->def = rg_shape_def(winter ? RG_SHAPE_CAPSULE : RG_SHAPE_BOX);
  out->def.pose.position = v3_lerp(bone->from, bone->to, 0.5);
  out->def.pose.orientation = turn_between(v3(0, 0, 1), v3_scale(along, 0.5 / half));
  out->def.radius = bone->radius;
  out->def.half_length = half;
  out->def.half = v3(bone->radius, bone->radius, half);
}

// -------------------------------------------------------------------------------------------------
// Feet
// -------------------------------------------------------------------------------------------------

static rgVec3 down_of(const rgFigure* figure, const rgBodyMotion* frames, int link, rgVec3 point) {
  double level = rg_figure_low(figure, frames, link, point, STANDING);
  rgVec3 sum = v3_zero();
  for (int f = 0; f < figure->frame_count; f++) {
    const rgBodyMotion* motion = &frames[f * figure->link_count + link];
    if (pose_apply(motion->pose, point).z <= level)
      sum = v3_add(sum, quat_unrotate(motion->pose.orientation, v3(0, 0, -1)));
  }
  return v3_unit_or(sum, v3(0, -1, 0));
}

static bool is_foot(const rgFigure* figure, const rgBone* bone) {
  return figure->links[bone->link].role == RG_ROLE_FOOT;
}

// A polyhedron around the bone of a foot with a flat sole, as wide as a foot.
static void add_foot(const rgFigure* figure, const rgBodyMotion* frames, const rgBone* bone,
                     rgFigureShape* out) {
  rgVec3 along = v3_sub(bone->to, bone->from), down = down_of(figure, frames, bone->link, bone->to);
  double length = v3_norm(along);
  bool heel = figure->links[bone->link].parent >= 0 &&
              figure->links[figure->links[bone->link].parent].role != RG_ROLE_FOOT;
  rgVec3 forward = v3_unit_or(v3_axpy(along, -v3_dot(along, down), down), along);
  rgVec3 across = v3_scale(v3_cross(down, forward), HALF_WIDTH * length);
  rgVec3 ends[2] = {heel ? v3_axpy(bone->from, -HEEL * length, forward) : bone->from, bone->to};
  double rise[2];
  for (int i = 0; i < 2; i++) {
    rgVec3 joint = i ? bone->to : bone->from;
    rise[i] =
        fmax(rg_figure_low(figure, frames, bone->link, joint, STANDING) - figure->floor, SOLE);
  }
  // Both ends have the sole of the front one, so that it is flat.
  double level = v3_dot(bone->to, down) + rise[1];
  int count = 0;
  for (int i = 0; i < 2; i++)
    for (int side = -1; side <= 1; side += 2) {
      rgVec3 edge = v3_axpy(ends[i], side, across), joint = i ? bone->to : bone->from;
      out->points[count++] = v3_axpy(edge, level - v3_dot(ends[i], down), down);
      out->points[count++] = v3_axpy(v3_axpy(joint, 0.7 * side, across), -INSTEP, down);
    }
  out->def = rg_shape_def(RG_SHAPE_HULL);
  out->def.point_count = count;
}

// -------------------------------------------------------------------------------------------------
// All links
// -------------------------------------------------------------------------------------------------

// m (|d|^2 1 - d d')
static rgMat3 point_inertia(double mass, rgVec3 d) {
  rgMat3 skew = m3_skew(d), back = m3_transpose(&skew), out = m3_mul(&skew, &back);
  return m3_scale(&out, mass);
}

// A slender bone: inertia m (gyration l)^2 across, that of a cylinder along.
static void taper(const rgBone* bone, rgMassProperties* mass) {
  rgVec3 along = v3_sub(bone->to, bone->from);
  double across = bone->mass * bone->gyration * bone->gyration * v3_norm2(along);
  double axial =
      fmin(0.5 * bone->mass * bone->radius * bone->radius, across); // slender at least so far
  rgVec3 unit = v3_scale(along, 1 / v3_norm(along));
  rgMat3 whole = m3_diag(axial, axial, axial), rest = point_inertia(across - axial, unit);
  mass->center = v3_axpy(bone->from, bone->center, along);
  mass->inertia = m3_add(&whole, &rest);
}

// Mass, centre and inertia of a bone.
static rgStatus mass_of(const rgBone* bone, rgFigureShape* shape, rgMassProperties* mass,
                        rgMessage* message) {
  if (shape->def.point_count > 0)
    shape->def.points = shape->points;
  rgStatus status = rg_shape_mass(&shape->def, mass, message);
  if (status != RG_OK)
    return status;
  double scale = bone->mass / mass->mass;
  shape->def.density *= scale;
  mass->mass = bone->mass;
  mass->inertia = m3_scale(&mass->inertia, scale);
  if (bone->center >= 0)
    taper(bone, mass);
  return RG_OK;
}

// Adds up the bones of each link: first centres, then inertia about them.
static rgStatus add_masses(rgFigure* figure, rgMessage* message) {
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < figure->bone_count; i++) {
      const rgBone* bone = &figure->bones[i];
      rgLinkPart* link = &figure->links[bone->link];
      rgMassProperties mass;
      rgStatus status = mass_of(bone, &figure->shapes[i], &mass, message);
      if (status != RG_OK)
        return status;
      if (pass == 0) {
        link->center = v3_axpy(link->center, bone->mass / link->mass, mass.center);
        continue;
      }
      rgMat3 away = point_inertia(bone->mass, v3_sub(mass.center, link->center));
      link->inertia = m3_add(&link->inertia, &mass.inertia);
      link->inertia = m3_add(&link->inertia, &away);
    }
  return RG_OK;
}

rgStatus rg_figure_make_shapes(rgFigure* figure, rgMessage* message) {
  const rgBodyMotion* frames = figure->frames;
  figure->shape_room = figure->bone_count;
  figure->shapes =
      rg_allocate(&figure->allocator, (size_t)figure->bone_count * sizeof *figure->shapes);
  if (!figure->shapes)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for the shapes of a figure");
  // Bones are in the order of joints; shapes of a link must follow each other.
  for (int link = 0; link < figure->link_count; link++) {
    figure->links[link].shape_start = figure->shape_count;
    for (int i = figure->shape_count; i < figure->bone_count; i++) {
      rgBone bone = figure->bones[i];
      if (bone.link != link)
        continue;
      figure->bones[i] = figure->bones[figure->shape_count];
      figure->bones[figure->shape_count] = bone;
      rgFigureShape* shape = &figure->shapes[figure->shape_count++];
      if (is_foot(figure, &bone))
        add_foot(figure, frames, &bone, shape);
      else
        add_bar(figure, &bone, shape);
      figure->links[link].shape_count++;
    }
  }
  return add_masses(figure, message);
}
