// figure_motion.c - the movement of a figure as smooth functions of time.
//
// Euler angles of a clip jump, by 60 degrees and more from frame to frame where they pass their
// singular place, so that they are never filtered or differentiated. Each link has the quaternion of
// its turn against its parent, with signs that go on from frame to frame; its four numbers are filtered
// like the position of the root (filter.c), and between frames are cubic splines p(t) that are made
// unit length where they are used. With * the conjugate, the angular velocity and acceleration against
// the parent, in the axes of the parent, are
//
//     w = 2 vec(p' p*) / |p|^2,     w' = 2 vec(p'' p*) / |p|^2 - 2 w (p . p') / |p|^2,
//
// as vec(p' p'*) = 0. From link to link they add up as in any moving frame: with R the orientation of
// the parent, W and A its angular velocity and acceleration, and r = R offset,
//
//     W+ = W + R w,   A+ = A + R w' + W x R w,   a+ = a + A x r + W x (W x r).
//
// Joints of such a movement are closed exactly, whatever the filter does.
#include "articulated/figure.h"

#include "base/memory.h"
#include "base/message.h"

// The numbers of one channel and of their spline.
typedef struct Sample {
  double value, rate, change; // y, y', y''
} Sample;

static Sample sample(const rgFigure* figure, int channel, int frame, double part) {
  size_t at = (size_t)channel * (size_t)figure->frame_count + (size_t)frame;
  double h = figure->frame_time, a = 1 - part, b = part;
  double y0 = figure->value[at], y1 = figure->value[at + 1], m0 = figure->bend[at],
         m1 = figure->bend[at + 1];
  return (Sample){.value =
                      a * y0 + b * y1 + h * h / 6 * ((a * a * a - a) * m0 + (b * b * b - b) * m1),
                  .rate = (y1 - y0) / h + h / 6 * ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0),
                  .change = a * m0 + b * m1};
}

// The turn of a link against its parent.
typedef struct Turn {
  rgQuat q;
  rgVec3 rate, change; // [rad/s] [rad/s2] in the axes of the parent
} Turn;

static rgVec3 vec_of(rgQuat p, rgQuat q) {
  rgQuat product = quat_mul(p, quat_conj(q));
  return v3(product.x, product.y, product.z);
}

static Turn turn_at(const rgFigure* figure, int link, int frame, double part) {
  Sample s[4];
  for (int i = 0; i < 4; i++)
    s[i] = sample(figure, 3 + 4 * link + i, frame, part);
  rgQuat p = {s[0].value, s[1].value, s[2].value, s[3].value},
         rate = {s[0].rate, s[1].rate, s[2].rate, s[3].rate},
         change = {s[0].change, s[1].change, s[2].change, s[3].change};
  double per = 1 / quat_norm2(p);
  double stretch = p.w * rate.w + p.x * rate.x + p.y * rate.y + p.z * rate.z;
  Turn turn = {.q = quat_unit(p), .rate = v3_scale(vec_of(rate, p), 2 * per)};
  turn.change = v3_axpy(v3_scale(vec_of(change, p), 2 * per), -2 * stretch * per, turn.rate);
  return turn;
}

static void move_root(const rgFigure* figure, int frame, double part, rgBodyMotion* out) {
  Sample x = sample(figure, 0, frame, part), y = sample(figure, 1, frame, part),
         z = sample(figure, 2, frame, part);
  out->pose.position = v3(x.value, y.value, z.value);
  out->velocity.linear = v3(x.rate, y.rate, z.rate);
  out->acceleration.linear = v3(x.change, y.change, z.change);
  out->pose.orientation = quat_identity();
  out->velocity.angular = out->acceleration.angular = v3_zero();
}

// The movement of a point at r [m] from the origin of a frame, in world axes.
static void carry(const rgBodyMotion* frame, rgVec3 r, rgBodyMotion* out) {
  rgVec3 w = frame->velocity.angular, along = v3_cross(w, r);
  out->velocity.linear = v3_add(frame->velocity.linear, along);
  out->acceleration.linear =
      v3_add(frame->acceleration.linear,
             v3_add(v3_cross(frame->acceleration.angular, r), v3_cross(w, along)));
}

// Turns a frame that moves like `base` and lies at its origin.
static void turn_frame(const rgBodyMotion* base, const Turn* turn, rgBodyMotion* out) {
  rgQuat q = base->pose.orientation;
  rgVec3 rate = quat_rotate(q, turn->rate), w = base->velocity.angular;
  out->pose.orientation = quat_unit(quat_mul(q, turn->q));
  out->velocity.angular = v3_add(w, rate);
  out->acceleration.angular =
      v3_add(base->acceleration.angular, v3_add(quat_rotate(q, turn->change), v3_cross(w, rate)));
}

void rg_figure_motion(const rgFigure* figure, double time, rgBodyMotion* motion) {
  double last = figure->frame_count - 1, at = (time - figure->start) / figure->frame_time;
  bool outside = !(at >= 0 && at <= last);
  at = at >= 0 ? fmin(at, last) : 0;
  int frame = (int)fmin(floor(at), last - 1);
  double part = at - frame;
  for (int i = 0; i < figure->link_count; i++) {
    const rgLinkPart* link = &figure->links[i];
    Turn turn = turn_at(figure, i, frame, part);
    rgBodyMotion base;
    if (link->parent < 0) {
      move_root(figure, frame, part, &base);
    } else {
      const rgBodyMotion* parent = &motion[link->parent];
      rgVec3 r = quat_rotate(parent->pose.orientation, link->offset);
      base = *parent;
      base.pose.position = v3_add(parent->pose.position, r);
      carry(parent, r, &base);
    }
    if (outside)
      base.velocity = base.acceleration = (rgTwist){v3_zero(), v3_zero()};
    if (outside)
      turn.rate = turn.change = v3_zero();
    motion[i].pose.position = base.pose.position;
    motion[i].velocity.linear = base.velocity.linear;
    motion[i].acceleration.linear = base.acceleration.linear;
    turn_frame(&base, &turn, &motion[i]);
  }
  // So far of the origins of the frames; users ask for centres of mass.
  for (int i = 0; i < figure->link_count; i++) {
    rgBodyMotion frame_motion = motion[i];
    carry(&frame_motion, quat_rotate(motion[i].pose.orientation, figure->links[i].center),
          &motion[i]);
  }
}

// -------------------------------------------------------------------------------------------------
// From frames to channels
// -------------------------------------------------------------------------------------------------

static void put_quat(rgFigure* figure, int link, int frame, rgQuat q) {
  double* first = figure->value + (size_t)(3 + 4 * link) * (size_t)figure->frame_count;
  size_t stride = (size_t)figure->frame_count, at = (size_t)frame;
  if (frame > 0) {
    const double* before = first + at - 1;
    double same = q.w * before[0] + q.x * before[stride] + q.y * before[2 * stride] +
                  q.z * before[3 * stride];
    if (same < 0)
      q = (rgQuat){-q.w, -q.x, -q.y, -q.z};
  }
  first[at] = q.w;
  first[at + stride] = q.x;
  first[at + 2 * stride] = q.y;
  first[at + 3 * stride] = q.z;
}

static void take_frame(rgFigure* figure, const rgClip* clip, int frame, rgPose* joints) {
  rg_figure_place_joints(figure, clip, figure->def.first_frame + frame, joints);
  for (int i = 0; i < 3; i++)
    figure->value[(size_t)i * (size_t)figure->frame_count + (size_t)frame] =
        v3_get(joints[0].position, i);
  for (int i = 0; i < figure->link_count; i++) {
    const rgLinkPart* link = &figure->links[i];
    rgQuat q = joints[link->carrier].orientation;
    if (link->parent >= 0)
      q = quat_mul(quat_conj(joints[figure->links[link->parent].carrier].orientation), q);
    put_quat(figure, i, frame, q);
  }
}

rgStatus rg_figure_make_motion(rgFigure* figure, const rgClip* clip, rgMessage* message) {
  figure->frame_count = clip->frame_count - figure->def.first_frame;
  figure->frame_time = clip->frame_time;
  figure->start = figure->def.first_frame * clip->frame_time;
  size_t numbers = (size_t)rg_figure_channels(figure) * (size_t)figure->frame_count;
  double rate = 1 / figure->frame_time, cutoff = figure->def.cutoff;
  int pad = rg_filter_pad(figure->frame_count, cutoff, rate);
  size_t work_size = 3 * ((size_t)figure->frame_count + 2 * (size_t)pad) * sizeof(double),
         joints_size = (size_t)clip->joint_count * sizeof(rgPose);
  figure->spline_room = numbers * sizeof(double);
  figure->value = rg_allocate(&figure->allocator, figure->spline_room);
  figure->bend = rg_allocate(&figure->allocator, figure->spline_room);
  double* work = rg_allocate(&figure->allocator, work_size);
  rgPose* joints = rg_allocate(&figure->allocator, joints_size);
  bool room = figure->value && figure->bend && work && joints;
  for (int f = 0; f < figure->frame_count && room; f++)
    take_frame(figure, clip, f, joints);
  for (int i = 0; i < rg_figure_channels(figure) && room; i++) {
    double* values = figure->value + (size_t)i * (size_t)figure->frame_count;
    rg_filter_smooth(values, figure->frame_count, cutoff, rate, work);
    rg_filter_bend(values, figure->frame_count, figure->frame_time,
                   figure->bend + (values - figure->value), work);
  }
  rg_release(&figure->allocator, joints, joints_size);
  rg_release(&figure->allocator, work, work_size);
  if (!room)
    return rg_fail(message, RG_ERROR_MEMORY, "not enough memory for %d frames",
                   figure->frame_count);
  return RG_OK;
}
