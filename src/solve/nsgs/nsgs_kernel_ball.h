// nsgs_kernel_ball.h - a visit of ball contacts, in closed form and world axes (nsgs_ball.c); part of nsgs_kernel.h.
#ifndef SOLVE_NSGS_NSGS_KERNEL_BALL_H
#define SOLVE_NSGS_NSGS_KERNEL_BALL_H

#include "solve/nsgs/nsgs_kernel_lanes.h"

// The normal impulse after the visit, from the impulse before and the velocity along the normal.
RG_INLINE rgV ball_normal(const rgNsgsBall* ball, int lane, const Lanes* n, const Lanes* p,
                          rgV u_n) {
  return v_max(dot(n, p) - v_load(ball->stiff_n.lane + lane) * u_n, v_set(0));
}

// The tangential one, from the velocity u with all its components.
RG_INLINE Lanes ball_tangents(const rgNsgsBall* ball, int lane, const Lanes* n, const Lanes* p,
                              const Lanes* u, rgV normal) {
  Lanes q = *p;
  add_scaled(&q, -v_load(ball->stiff_t.lane + lane), u);
  add_scaled(&q, -dot(n, &q), n);
  rgV limit = v_load(ball->mu.lane + lane) * normal, size2 = dot(&q, &q);
  rgM slips = size2 > limit * limit;
  if (m_any(slips)) {
    rgV scale = v_select(slips, limit / v_sqrt(size2), v_set(1));
    q = (Lanes){q.x * scale, q.y * scale, q.z * scale};
  }
  return q;
}

RG_INLINE Lanes load_state(const rgReal* state, int lane) {
  return (Lanes){v_load(state + lane), v_load(state + LANES + lane),
                 v_load(state + 2 * LANES + lane)};
}

RG_INLINE void store_state(rgReal* state, int lane, const Lanes* p) {
  v_store(state + lane, p->x);
  v_store(state + LANES + lane, p->y);
  v_store(state + 2 * LANES + lane, p->z);
}

// Where the iterate of a batch of balls is.
RG_INLINE size_t ball_at(const rgNsgs* nsgs, int index) {
  return (size_t)nsgs->ball_state + TRIPLE * (size_t)index;
}

// The impulses with which a visit begins; `leap`: they are extrapolated on the way.
RG_INLINE Lanes begin_ball(const rgNsgs* nsgs, size_t at, int lane, bool leap) {
  Lanes p = load_state((const rgReal*)nsgs->state + at, lane);
  if (!leap)
    return p;
  rgReal* last_state = (rgReal*)nsgs->last_state + at;
  Lanes last = load_state(last_state, lane), since = sub(&p, &last);
  store_state(last_state, lane, &p);
  add_scaled(&p, v_set(nsgs->leap.beta), &since);
  return p;
}

// The impulses of a batch that rests go on with the others: they may have been zero for one sweep only.
RG_INLINE void leap_ball(const rgNsgs* nsgs, int index) {
  size_t at = ball_at(nsgs, index);
  for (int lane = 0; lane < LANES; lane += RG_WIDTH) {
    Lanes p = begin_ball(nsgs, at, lane, true);
    store_state((rgReal*)nsgs->state + at, lane, &p);
  }
}

// Angular velocities of the bodies of a batch of balls.
typedef struct Spins {
  Lanes a, b;
} Spins;

// Velocity of A's point relative to B's, with all its components.
RG_INLINE Lanes ball_velocity(const rgNsgsBall* ball, int lane, const Lanes* n, const Lanes* linear,
                              const Spins* spins) {
  Lanes spin = {0};
  add_scaled(&spin, v_load(ball->lever_a.lane + lane), &spins->a);
  add_scaled(&spin, -v_load(ball->lever_b.lane + lane), &spins->b);
  Lanes turned = cross(&spin, n), u = add(linear, &turned);
#if defined(RG_SIMD_SINGLE)
  Lanes slip = load3(ball->slip, lane);
  u = add(&u, &slip);
#endif
  return u;
}

// What is smooth has impulses along normals through the centres, which turn nothing: no spin is read or written.
RG_INLINE rgV visit_ball(const rgNsgs* nsgs, int index, bool leap, bool smooth, rgM* busy) {
  const rgNsgsBall* ball = (const rgNsgsBall*)nsgs->balls + index;
  size_t at = ball_at(nsgs, index);
  rgV worst = v_set(0);
  for (int lane = 0; lane < LANES; lane += RG_WIDTH) {
    const int32_t *a = ball->at[0] + lane, *b = ball->at[1] + lane;
    Lanes v_a = fetch(nsgs->v, a, 0), v_b = fetch(nsgs->v, b, 0), n = load3(ball->n, lane);
    Spins spins;
    if (!smooth)
      spins = (Spins){fetch(nsgs->v, a, 4), fetch(nsgs->v, b, 4)};
    Lanes linear = sub(&v_a, &v_b), next = {0};
    rgV u_n = dot(&n, &linear) + v_load(ball->bias.lane + lane);

    Lanes p = begin_ball(nsgs, at, lane, leap);
    rgV normal = ball_normal(ball, lane, &n, &p, u_n);
    if (!smooth) {
      Lanes u = ball_velocity(ball, lane, &n, &linear, &spins);
      next = ball_tangents(ball, lane, &n, &p, &u, normal);
    }
    add_scaled(&next, normal, &n);
    store_state((rgReal*)nsgs->state + at, lane, &next);

    *busy |= is_busy(nsgs, &p, &next, u_n, v_load(ball->stiff_n.lane + lane));

    Lanes change = sub(&next, &p);
    add_scaled(&v_a, v_load(ball->mass_a.lane + lane), &change);
    add_scaled(&v_b, -v_load(ball->mass_b.lane + lane), &change);
    put(nsgs, a, 0, &v_a);
    put(nsgs, b, 0, &v_b);
    if (!smooth) {
      Lanes moment = cross(&n, &change);
      add_scaled(&spins.a, v_load(ball->spin_a.lane + lane), &moment);
      add_scaled(&spins.b, -v_load(ball->spin_b.lane + lane), &moment);
      put(nsgs, a, 4, &spins.a);
      put(nsgs, b, 4, &spins.b);
    }
    worst = v_max(dot(&change, &change) * v_load(ball->weight.lane + lane), worst);
  }
  return worst;
}

#endif
