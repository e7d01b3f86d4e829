// nsgs_kernel_lanes.h - vectors of all lanes, and bodies into them and back; part of nsgs_kernel.h.
#ifndef SOLVE_NSGS_NSGS_KERNEL_LANES_H
#define SOLVE_NSGS_NSGS_KERNEL_LANES_H

#include "solve/nsgs/nsgs_form.h"

typedef struct Lanes {
  rgV x, y, z;
} Lanes;

// Three components of the lanes from `lane` on.
RG_INLINE Lanes load3(const rgEach from[3], int lane) {
  return (Lanes){v_load(from[0].lane + lane), v_load(from[1].lane + lane),
                 v_load(from[2].lane + lane)};
}

RG_INLINE Lanes sub(const Lanes* a, const Lanes* b) {
  return (Lanes){a->x - b->x, a->y - b->y, a->z - b->z};
}
RG_INLINE Lanes add(const Lanes* a, const Lanes* b) {
  return (Lanes){a->x + b->x, a->y + b->y, a->z + b->z};
}

RG_INLINE Lanes cross(const Lanes* a, const Lanes* b) {
  return (Lanes){a->y * b->z - a->z * b->y, a->z * b->x - a->x * b->z, a->x * b->y - a->y * b->x};
}

// Coordinates in the frame of a vector in world axes.
RG_INLINE Lanes to_frame(const Lanes frame[3], const Lanes* a) {
  return (Lanes){frame[0].x * a->x + frame[0].y * a->y + frame[0].z * a->z,
                 frame[1].x * a->x + frame[1].y * a->y + frame[1].z * a->z,
                 frame[2].x * a->x + frame[2].y * a->y + frame[2].z * a->z};
}

RG_INLINE Lanes to_world(const Lanes frame[3], const Lanes* a) {
  return (Lanes){frame[0].x * a->x + frame[1].x * a->y + frame[2].x * a->z,
                 frame[0].y * a->x + frame[1].y * a->y + frame[2].y * a->z,
                 frame[0].z * a->x + frame[1].z * a->y + frame[2].z * a->z};
}

// Inverse inertia times a moment.
RG_INLINE Lanes apply_inertia(const rgEach j[6], int lane, const Lanes* a) {
  rgV xy = v_load(j[3].lane + lane), xz = v_load(j[4].lane + lane), yz = v_load(j[5].lane + lane);
  return (Lanes){v_load(j[0].lane + lane) * a->x + xy * a->y + xz * a->z,
                 xy * a->x + v_load(j[1].lane + lane) * a->y + yz * a->z,
                 xz * a->x + yz * a->y + v_load(j[2].lane + lane) * a->z};
}

// Velocities (part 0) or angular velocities (part 4) of the bodies of some lanes.
RG_INLINE Lanes fetch(const rgReal* v, const int32_t* at, int part) {
  const rgReal* place[RG_WIDTH];
  for (int i = 0; i < RG_WIDTH; i++)
    place[i] = v + at[i] + part;
  Lanes a;
  v_gather3(place, &a.x, &a.y, &a.z);
  return a;
}

RG_INLINE void put(const rgNsgs* nsgs, const int32_t* at, int part, const Lanes* a) {
  rgReal *place[RG_WIDTH], *v = nsgs->v;
  for (int i = 0; i < RG_WIDTH; i++)
    place[i] = v + at[i] + part;
  v_scatter3(place, a->x, a->y, a->z);
}

RG_INLINE void add_scaled(Lanes* a, rgV s, const Lanes* b) {
  a->x += s * b->x;
  a->y += s * b->y;
  a->z += s * b->z;
}

RG_INLINE rgV dot(const Lanes* a, const Lanes* b) {
  return a->x * b->x + a->y * b->y + a->z * b->z;
}

// The lanes that press, before or after a visit, or do not open by more than the margin. Lanes that hold
// nothing have no stiffness.
RG_INLINE rgM is_busy(const rgNsgs* nsgs, const Lanes* old, const Lanes* next, rgV u_n,
                      rgV stiffness) {
  rgV zero = v_set(0);
  rgM open = (old->x == zero) & (old->y == zero) & (old->z == zero) & (next->x == zero) &
             (next->y == zero) & (next->z == zero) & (u_n > v_set(nsgs->margin));
  return ~(open | (stiffness == zero));
}

#endif
