// figure.c - making and reading figures.
#include "articulated/figure.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/trig.h"

#include <string.h>

// A first frame that is this many times as far from the second as any two others are from each other
// is a pose apart: many clips begin with one.
static const double APART = 3;

static const char* const masses_names[] = {"winter", "water"};

const char* rg_figure_masses_name(rgFigureMasses masses) {
  return (int)masses >= 0 && masses < RG_MASSES_COUNT ? masses_names[masses] : NULL;
}

rgFigureDef rg_figure_def(void) {
  return (rgFigureDef){
      .scale = 0.056444, .cutoff = 12, .masses = RG_MASSES_WINTER, .first_frame = -1};
}

static bool is_positive(double value) { return value > 0 && isfinite(value); }

static rgStatus check(const rgClip* clip, const rgFigureDef* def, rgMessage* message) {
  if (!is_positive(def->scale))
    return rg_fail(message, RG_ERROR_INPUT, "scale is %g, must be > 0 [m]", def->scale);
  if (!(def->mass >= 0 && isfinite(def->mass)))
    return rg_fail(message, RG_ERROR_INPUT, "mass is %g, must be > 0 [kg], or 0", def->mass);
  if (!(def->cutoff >= 0 && isfinite(def->cutoff)))
    return rg_fail(message, RG_ERROR_INPUT, "cutoff is %g, must be >= 0 [Hz]", def->cutoff);
  if (!rg_figure_masses_name(def->masses))
    return rg_fail(message, RG_ERROR_INPUT, "masses is %d, must be 0 (winter) or 1 (water)",
                   (int)def->masses);
  int first = def->first_frame < 0 ? 0 : def->first_frame;
  if (clip->frame_count - first < 4)
    return rg_fail(message, RG_ERROR_INPUT,
                   "the clip has %d frames from frame %d on, a movement needs at least 4",
                   clip->frame_count - first, first);
  return RG_OK;
}

// Mean angle between two frames over all joints.
static double distance(const rgFigure* figure, const rgClip* clip, int frame, rgPose* a,
                       rgPose* b) {
  double sum = 0;
  rg_figure_place_joints(figure, clip, frame, a);
  rg_figure_place_joints(figure, clip, frame + 1, b);
  for (int i = 0; i < clip->joint_count; i++) {
    rgQuat d = quat_mul(quat_conj(a[i].orientation), b[i].orientation);
    sum += 2 * rg_atan2(v3_norm(v3(d.x, d.y, d.z)), fabs(d.w));
  }
  return sum;
}

static rgStatus choose_first_frame(rgFigure* figure, const rgClip* clip, rgMessage* message) {
  if (figure->def.first_frame >= 0)
    return RG_OK;
  figure->def.first_frame = 0;
  size_t size = 2 * (size_t)clip->joint_count * sizeof(rgPose);
  rgPose* poses = rg_allocate(&figure->allocator, size);
  if (!poses)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for %d joints", clip->joint_count);
  double largest = 0;
  for (int f = 1; f + 1 < clip->frame_count; f++)
    largest = fmax(largest, distance(figure, clip, f, poses, poses + clip->joint_count));
  double first = distance(figure, clip, 0, poses, poses + clip->joint_count);
  if (first > APART * largest && clip->frame_count > 4)
    figure->def.first_frame = 1;
  rg_release(&figure->allocator, poses, size);
  return RG_OK;
}

// Sizes whose squares and cubes are numbers.
static rgStatus check_links(const rgFigure* figure, rgMessage* message) {
  for (int i = 0; i < figure->link_count; i++) {
    const rgLinkPart* link = &figure->links[i];
    const rgMat3* m = &link->inertia;
    bool finite = v3_finite(link->offset) && v3_finite(link->center) &&
                  isfinite(m->m[0][0] + m->m[1][1] + m->m[2][2]);
    if (!finite || !is_positive(link->mass))
      return rg_fail(message, RG_ERROR_INPUT,
                     "the bones of the joint '%s' have lengths that are no sizes of bodies",
                     link->name);
  }
  return RG_OK;
}

static rgStatus check_motion(const rgFigure* figure, rgMessage* message) {
  size_t count = figure->spline_room / sizeof *figure->value;
  for (size_t i = 0; i < count; i++)
    if (!isfinite(figure->value[i]) || !isfinite(figure->bend[i]))
      return rg_fail(message, RG_ERROR_INPUT,
                     "positions or lengths of the clip are too large: the movement is not finite");
  return RG_OK;
}

static void release_frames(rgFigure* figure) {
  size_t count = (size_t)figure->frame_count * (size_t)figure->link_count;
  rg_release(&figure->allocator, figure->frames, count * sizeof *figure->frames);
  figure->frames = NULL;
}

rgStatus rg_figure_create(const rgClip* clip, const rgFigureDef* def, rgFigure** out,
                          rgMessage* message) {
  *out = NULL;
  rgStatus status = check(clip, def, message);
  if (status != RG_OK)
    return status;
  rgAllocator allocator = rg_allocator_default();
  rgFigure* figure = rg_allocate(&allocator, sizeof *figure);
  if (!figure)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for a figure");
  figure->allocator = allocator;
  figure->def = *def;
  status = choose_first_frame(figure, clip, message);
  if (status == RG_OK)
    status = rg_figure_make_links(figure, clip, message);
  if (status == RG_OK)
    status = rg_figure_make_motion(figure, clip, message);
  if (status == RG_OK)
    status = check_motion(figure, message);
  if (status == RG_OK) {
    rg_figure_find_roles(figure);
    status = rg_figure_measure(figure, message);
  }
  if (status == RG_OK) {
    rg_figure_make_masses(figure);
    status = rg_figure_make_shapes(figure, message);
  }
  release_frames(figure);
  if (status == RG_OK)
    status = check_links(figure, message);
  if (status == RG_OK)
    *out = figure;
  else
    rg_figure_destroy(figure);
  return status;
}

void rg_figure_destroy(rgFigure* figure) {
  if (!figure)
    return;
  rgAllocator allocator = figure->allocator;
  rg_release(&allocator, figure->links, (size_t)figure->link_room * sizeof *figure->links);
  rg_release(&allocator, figure->bones, (size_t)figure->bone_room * sizeof *figure->bones);
  rg_release(&allocator, figure->shapes, (size_t)figure->shape_room * sizeof *figure->shapes);
  rg_release(&allocator, figure->value, figure->spline_room);
  rg_release(&allocator, figure->bend, figure->spline_room);
  rg_release(&allocator, figure, sizeof *figure);
}

int rg_figure_link_count(const rgFigure* figure) { return figure->link_count; }

rgStatus rg_figure_link(const rgFigure* figure, int index, rgFigureLink* link) {
  if (index < 0 || index >= figure->link_count)
    return RG_ERROR_NOT_FOUND;
  const rgLinkPart* part = &figure->links[index];
  *link = (rgFigureLink){.name = part->name,
                         .parent = part->parent,
                         .offset = part->offset,
                         .mass = part->mass,
                         .foot = part->role == RG_ROLE_FOOT,
                         .shape_count = part->shape_count};
  return RG_OK;
}

rgStatus rg_figure_shape(const rgFigure* figure, int link, int index, rgShapeDef* shape) {
  if (link < 0 || link >= figure->link_count || index < 0 ||
      index >= figure->links[link].shape_count)
    return RG_ERROR_NOT_FOUND;
  *shape = figure->shapes[figure->links[link].shape_start + index].def;
  return RG_OK;
}

int rg_figure_find_link(const rgFigure* figure, const char* name) {
  for (int i = 0; i < figure->link_count; i++)
    if (strcmp(figure->links[i].name, name) == 0)
      return i;
  return -1;
}

double rg_figure_start(const rgFigure* figure) { return figure->start; }

double rg_figure_end(const rgFigure* figure) {
  return figure->start + (figure->frame_count - 1) * figure->frame_time;
}

double rg_figure_floor(const rgFigure* figure) { return figure->floor; }

double rg_figure_mass(const rgFigure* figure) { return figure->def.mass; }

double rg_figure_height(const rgFigure* figure) { return figure->height; }
