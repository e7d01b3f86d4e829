// figure_size.c - where the floor is, and how tall the figure is.
//
// A clip says neither. The floor lies below the lowest joint of a foot, where that is in the tenth of
// the frames in which it is lowest, by the thickness of a sole. The height is what the end of the head
// reaches above it in one frame of twenty: the figure then stands upright, and does not yet jump.
#include "articulated/figure.h"

#include "base/memory.h"
#include "base/message.h"

// Part of the frames in which a foot counts as standing, and a head is not as high as in the others.
static const double STANDING = 0.1, UPRIGHT = 0.95;
// [m] from the ball of the foot to the floor: flesh and shoe.
static const double SOLE = 0.02;

static double height_at(const rgFigure* figure, const rgBodyMotion* frames, int frame, int link,
                        rgVec3 point) {
  size_t at = (size_t)frame * (size_t)figure->link_count + (size_t)link;
  return pose_apply(frames[at].pose, point).z;
}

// By bisection, which needs no memory to sort in.
double rg_figure_low(const rgFigure* figure, const rgBodyMotion* frames, int link, rgVec3 point,
                     double part) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (int f = 0; f < figure->frame_count; f++) {
    double z = height_at(figure, frames, f, link, point);
    low = fmin(low, z);
    high = fmax(high, z);
  }
  for (int i = 0; i < 30; i++) {
    double middle = 0.5 * (low + high);
    int below = 0;
    for (int f = 0; f < figure->frame_count; f++)
      below += height_at(figure, frames, f, link, point) <= middle;
    if (below > part * figure->frame_count)
      high = middle;
    else
      low = middle;
  }
  return high;
}

// The lowest or highest of the ends of bones, of links with a role or, where there are none, of all.
static double extreme(const rgFigure* figure, rgRole role, double part, bool lowest) {
  double found = lowest ? HUGE_VAL : -HUGE_VAL;
  for (int any = 0; any < 2 && !isfinite(found); any++)
    for (int i = 0; i < figure->bone_count; i++) {
      const rgBone* bone = &figure->bones[i];
      if (!any && figure->links[bone->link].role != role)
        continue;
      double z = rg_figure_low(figure, figure->frames, bone->link, bone->to, part);
      found = lowest ? fmin(found, z) : fmax(found, z);
    }
  return found;
}

rgStatus rg_figure_measure(rgFigure* figure, rgMessage* message) {
  size_t links = (size_t)figure->link_count, count = (size_t)figure->frame_count * links;
  figure->frames = rg_allocate(&figure->allocator, count * sizeof *figure->frames);
  if (!figure->frames)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for %d frames",
                   figure->frame_count);
  for (int f = 0; f < figure->frame_count; f++)
    rg_figure_motion(figure, figure->start + f * figure->frame_time,
                     figure->frames + (size_t)f * links);
  figure->floor = extreme(figure, RG_ROLE_FOOT, STANDING, true) - SOLE;
  figure->height = extreme(figure, RG_ROLE_HEAD, UPRIGHT, false) - figure->floor;
  return RG_OK;
}
