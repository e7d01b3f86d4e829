// nsgs_kernel.h - one sweep over the batches; included by nsgs_kernel*.c, each for a form and an instruction set,
// which give the name.
//
// For each batch the velocities of its eight bodies are fetched once; then each point solves its
// one-contact problem exactly (see one_cone.c for the derivation) for RG_WIDTH manifolds at a
// time. Batches with several points rotate velocities into the contact frame first, which makes
// each point cheaper; a single point is cheaper in world axes. Everything is branchless but for
// three jumps that all lanes take together: no lane slips, all lanes have converged, some lane
// needs the scalar solver. Sticking is tried first, without a division. A lane that is done is not
// touched again, so that results do not depend on which lanes are solved together, nor on RG_WIDTH.
//
// Half of the contacts of a heap are open and stay so. A batch without impulses that opens by more than a margin is
// left out of the next sweep, and of the next three when that was not the first time; manifolds that do not
// press are packed together. What closes is seen three sweeps later, at worst, or by the certificate. On boxes that
// land this saves a quarter of the time.
//
// Newton's last step is not followed by another evaluation: the derivative -z of x gives the update
// to second order, and a step below `newton_small` of the smallest pivot leaves an error of its
// square, below rounding.
//
// Velocities are in units of the form (nsgs_form.h), and less those that the solve began with, which are in the biases.
#include "base/prefetch.h"
#include "solve/nsgs/nsgs_kernel_ball.h"

static const double newton_small = SINGLE ? 2e-4 : 1e-7;
enum { NEWTON_STEPS = 4 }; // more are left to the scalar solver

// -------------------------------------------------------------------------------------------------
// The one-contact problem
// -------------------------------------------------------------------------------------------------

// What a point knows of its law.
typedef struct Law {
  rgV mu, w1, w2, s11, s12, s22;
} Law;

// Lanes that Newton did not settle, by the safe scalar solver.
static __attribute__((noinline)) void rescue(const Law* law, const rgM* done, const rgV* c,
                                             const rgV* b1, const rgV* b2, rgV* x1, rgV* x2,
                                             rgV* alpha) {
  for (int i = 0; i < RG_WIDTH; i++) {
    if ((*done)[i])
      continue;
    rgOneBlock block = {
        .m = 2, .mu = (double)law->mu[i], .w = {(double)law->w1[i], (double)law->w2[i]}};
    block.s[0][0] = (double)law->s11[i];
    block.s[0][1] = block.s[1][0] = (double)law->s12[i];
    block.s[1][1] = (double)law->s22[i];
    double b[3] = {(double)(*b1)[i], (double)(*b2)[i], 0}, x[3], root = 0;
    rg_one_slip(&block, b, (double)(*c)[i], &root, x);
    (*x1)[i] = (rgReal)x[0];
    (*x2)[i] = (rgReal)x[1];
    (*alpha)[i] = (rgReal)root;
  }
}

// Newton's method for the tangential impulse (x1, x2) of the lanes that are not done: these
// slip, and have c > 0 and mu > 0. The others keep theirs.
static __attribute__((noinline)) void solve_slip(const Law* law, rgM done, rgV c, rgV b1, rgV b2,
                                                 rgV* out1, rgV* out2, rgV* out_alpha) {
  rgV zero = v_set(0), x1 = *out1, x2 = *out2;
  rgV alpha = v_keep(~done, *out_alpha);
  for (int step = 0; step < NEWTON_STEPS; step++) {
    rgV d1 = law->s11 + alpha, d2 = law->s22 + alpha;
    rgV det = d1 * d2 - law->s12 * law->s12;
    rgV inverse = v_set(1) / det;
    rgV y1 = (law->s12 * b2 - d2 * b1) * inverse;
    rgV y2 = (law->s12 * b1 - d1 * b2) * inverse;
    rgV normal = c - law->w1 * y1 - law->w2 * y2;
    rgV norm2 = y1 * y1 + y2 * y2;
    rgV limit = law->mu * normal;
    rgV norm = v_sqrt(norm2);
    rgV z1 = (d2 * y1 - law->s12 * y2) * inverse;
    rgV z2 = (d1 * y2 - law->s12 * y1) * inverse;
    rgV slope = law->mu * ((law->w1 * z1 + law->w2 * z2) * norm2 + normal * (y1 * z1 + y2 * z2));
    rgV next = alpha - (limit - norm) * norm2 / slope;
    rgM slips = next > zero; // else the tangent points to no slip at all: look at alpha = 0
    next = v_keep(slips, next);
    rgV change = alpha - next;
    x1 = v_select(done, x1, y1 + z1 * change);
    x2 = v_select(done, x2, y2 + z2 * change);
    alpha = v_select(done, alpha, next);
    done |= slips & (v_max(change, -change) * (d1 + d2) * inverse <= v_set(newton_small));
    if (!m_any(~done))
      break;
  }
  if (__builtin_expect(m_any(~done), 0))
    rescue(law, &done, &c, &b1, &b2, &x1, &x2, &alpha);
  *out1 = x1;
  *out2 = x2;
  *out_alpha = alpha;
}

RG_INLINE const rgNsgsPoint* point_of(const rgNsgs* nsgs, size_t p) {
  return (const rgNsgsPoint*)nsgs->points + p;
}

// New impulse of a point from its velocity u; returns the change, and its squared size as a
// velocity.
RG_INLINE Lanes solve_point(const rgNsgs* nsgs, const rgNsgsBatch* batch, size_t p, int lane,
                            const Lanes* u, rgV* size, rgM* busy) {
  const rgNsgsPoint* point = point_of(nsgs, p);
  rgReal *state = (rgReal*)nsgs->state + TRIPLE * p, *alphas = (rgReal*)nsgs->alpha + LANES * p;
  rgV mu = v_load(batch->mu.lane + lane), w1 = v_load(point->w[0].lane + lane),
      w2 = v_load(point->w[1].lane + lane), t11 = v_load(point->t11.lane + lane),
      t12 = v_load(point->t12.lane + lane), t22 = v_load(point->t22.lane + lane);
  rgV r_n = v_load(state + lane), r_t = v_load(state + LANES + lane),
      r_o = v_load(state + 2 * LANES + lane);
  rgV c = r_n + w1 * r_t + w2 * r_o - u->x * v_load(point->inverse_wnn.lane + lane);
  rgV q1 = u->y - w1 * u->x, q2 = u->z - w2 * u->x;
  rgV zero = v_set(0);
  rgM pressed = c > zero, rubs = pressed & (mu > zero);
  // as if it stuck
  rgV x1 = v_keep(rubs, r_t - (t11 * q1 + t12 * q2));
  rgV x2 = v_keep(rubs, r_o - (t12 * q1 + t22 * q2));
  rgV normal = c - w1 * x1 - w2 * x2, limit = mu * normal, alpha = zero;
  rgM done = ~rubs | ((normal >= zero) & (x1 * x1 + x2 * x2 <= limit * limit));
  if (m_any(~done)) {
    rgV inverse = v_set(1) / (t11 * t22 - t12 * t12);
    Law law = {mu, w1, w2, t22 * inverse, -t12 * inverse, t11 * inverse};
    rgV b1 = q1 - (law.s11 * r_t + law.s12 * r_o), b2 = q2 - (law.s12 * r_t + law.s22 * r_o);
    alpha = v_load(alphas + lane);
    solve_slip(&law, done, c, b1, b2, &x1, &x2, &alpha);
    normal = c - w1 * x1 - w2 * x2;
  }
  normal = v_keep(pressed, normal);
  v_store(state + lane, normal);
  v_store(state + LANES + lane, x1);
  v_store(state + 2 * LANES + lane, x2);
  v_store(alphas + lane, alpha);
  Lanes old = {r_n, r_t, r_o}, next = {normal, x1, x2}, change = sub(&next, &old);
  *busy |= is_busy(nsgs, &old, &next, u->x, v_load(point->inverse_wnn.lane + lane));
  *size = (change.x * change.x + change.y * change.y + change.z * change.z) *
          v_load(point->weight.lane + lane);
  return change;
}

// The same of a point without friction, from its velocity along the normal alone.
RG_INLINE rgV solve_normal(const rgNsgs* nsgs, size_t p, int lane, rgV u_n, rgV* size, rgM* busy) {
  const rgNsgsPoint* point = point_of(nsgs, p);
  rgReal* state = (rgReal*)nsgs->state + TRIPLE * p;
  rgV zero = v_set(0), stiffness = v_load(point->inverse_wnn.lane + lane);
  rgV r_n = v_load(state + lane), c = r_n - u_n * stiffness;
  rgV normal = v_keep(c > zero, c), change = normal - r_n;
  v_store(state + lane, normal);
  Lanes old = {r_n, zero, zero}, next = {normal, zero, zero};
  *busy |= is_busy(nsgs, &old, &next, u_n, stiffness);
  *size = change * change * v_load(point->weight.lane + lane);
  return change;
}

// -------------------------------------------------------------------------------------------------
// Batches
// -------------------------------------------------------------------------------------------------

typedef struct Bodies {
  Lanes v_a, w_a, v_b, w_b; // velocities, angular velocities; world
} Bodies;

// Velocity of A's point relative to B's, without the linear part.
RG_INLINE Lanes spin_velocity(const Lanes* w_a, const Lanes* arm_a, const Lanes* w_b,
                              const Lanes* arm_b) {
  Lanes a = cross(w_a, arm_a), b = cross(w_b, arm_b);
  return sub(&a, &b);
}

// What an impulse changes, all in world axes.
RG_INLINE void push_bodies(const rgNsgsBatch* batch, int lane, const Lanes* arm_a,
                           const Lanes* arm_b, const Lanes* push, Bodies* bodies) {
  Lanes moment_a = cross(arm_a, push), moment_b = cross(arm_b, push);
  Lanes spin_a = apply_inertia(batch->inertia_a, lane, &moment_a),
        spin_b = apply_inertia(batch->inertia_b, lane, &moment_b);
  add_scaled(&bodies->v_a, v_load(batch->mass_a.lane + lane), push);
  add_scaled(&bodies->v_b, -v_load(batch->mass_b.lane + lane), push);
  bodies->w_a = add(&bodies->w_a, &spin_a);
  bodies->w_b = sub(&bodies->w_b, &spin_b);
}

RG_INLINE rgV visit_single(const rgNsgs* nsgs, const rgNsgsBatch* batch, size_t p, int lane,
                           Bodies* bodies, rgM* busy) {
  const rgNsgsPoint* point = point_of(nsgs, p);
  const Lanes frame[3] = {load3(batch->frame[0], lane), load3(batch->frame[1], lane),
                          load3(batch->frame[2], lane)};
  Lanes arm_a = load3(point->arm_a, lane), arm_b = load3(point->arm_b, lane),
        bias = load3(point->bias, lane);
  Lanes linear = sub(&bodies->v_a, &bodies->v_b);
  Lanes spin = spin_velocity(&bodies->w_a, &arm_a, &bodies->w_b, &arm_b);
  Lanes relative = add(&linear, &spin);
  Lanes u = to_frame(frame, &relative);
  u = add(&u, &bias);

  rgV size;
  Lanes change = solve_point(nsgs, batch, p, lane, &u, &size, busy);
  Lanes push = to_world(frame, &change);
  push_bodies(batch, lane, &arm_a, &arm_b, &push, bodies);
  return size;
}

// The same without friction: what it leaves out would add zeros.
RG_INLINE rgV visit_single_smooth(const rgNsgs* nsgs, const rgNsgsBatch* batch, size_t p, int lane,
                                  Bodies* bodies, rgM* busy) {
  const rgNsgsPoint* point = point_of(nsgs, p);
  Lanes n = load3(batch->frame[0], lane);
  Lanes arm_a = load3(point->arm_a, lane), arm_b = load3(point->arm_b, lane);
  Lanes linear = sub(&bodies->v_a, &bodies->v_b);
  Lanes spin = spin_velocity(&bodies->w_a, &arm_a, &bodies->w_b, &arm_b);
  Lanes relative = add(&linear, &spin);
  rgV u_n = n.x * relative.x + n.y * relative.y + n.z * relative.z;
  u_n += v_load(point->bias[0].lane + lane);

  rgV size, change = solve_normal(nsgs, p, lane, u_n, &size, busy);
  Lanes push = {n.x * change, n.y * change, n.z * change};
  push_bodies(batch, lane, &arm_a, &arm_b, &push, bodies);
  return size;
}

// A batch of several points at work, in its frame.
typedef struct Several {
  Lanes linear, w_a, w_b; // velocity of A relative to B, angular velocities
  Lanes start_a, start_b; // angular velocities at first
  Lanes impulse;          // sum of the changes
  rgV worst;
  rgM busy; // lanes of which some point is
} Several;

RG_INLINE void load_frame(const rgNsgsBatch* batch, int lane, Lanes frame[3]) {
  for (int i = 0; i < 3; i++)
    frame[i] = load3(batch->frame[i], lane);
}

RG_INLINE Several begin_several(const rgNsgsBatch* batch, int lane, const Bodies* bodies) {
  Lanes frame[3];
  load_frame(batch, lane, frame);
  rgV zero = v_set(0);
  Lanes relative = sub(&bodies->v_a, &bodies->v_b);
  Several at = {.linear = to_frame(frame, &relative),
                .impulse = {zero, zero, zero},
                .worst = zero,
                .busy = {0}};
  at.start_a = at.w_a = to_frame(frame, &bodies->w_a);
  at.start_b = at.w_b = to_frame(frame, &bodies->w_b);
  return at;
}

RG_INLINE void visit_point(const rgNsgs* nsgs, const rgNsgsBatch* batch, int lane, size_t p,
                           Several* at) {
  const rgNsgsPoint* point = point_of(nsgs, p);
  Lanes arm_a = load3(point->arm_a, lane), arm_b = load3(point->arm_b, lane),
        bias = load3(point->bias, lane);
  Lanes spin = spin_velocity(&at->w_a, &arm_a, &at->w_b, &arm_b);
  Lanes u = add(&at->linear, &spin);
  u = add(&u, &bias);

  rgV size, mass = v_load(batch->mass_a.lane + lane) + v_load(batch->mass_b.lane + lane);
  Lanes change = solve_point(nsgs, batch, p, lane, &u, &size, &at->busy);
  Lanes moment_a = cross(&arm_a, &change), moment_b = cross(&arm_b, &change);
  Lanes spin_a = apply_inertia(batch->inertia_a, lane, &moment_a),
        spin_b = apply_inertia(batch->inertia_b, lane, &moment_b);
  add_scaled(&at->linear, mass, &change);
  at->w_a = add(&at->w_a, &spin_a);
  at->w_b = sub(&at->w_b, &spin_b);
  at->impulse = add(&at->impulse, &change);
  at->worst = v_max(size, at->worst);
}

// Velocity along n that a turn gives a point, and what an impulse along n does to the turn.
RG_INLINE rgV turn_along(const Lanes* w, rgV arm_y, rgV arm_z) {
  return w->y * arm_z - w->z * arm_y;
}
RG_INLINE Lanes turn_by(const rgEach j[6], int lane, rgV arm_y, rgV arm_z, rgV change) {
  rgV y = arm_z * change, z = -(arm_y * change), yz = v_load(j[5].lane + lane);
  return (Lanes){v_load(j[3].lane + lane) * y + v_load(j[4].lane + lane) * z,
                 v_load(j[1].lane + lane) * y + yz * z, yz * y + v_load(j[2].lane + lane) * z};
}

// The same without friction: what it leaves out would add zeros.
RG_INLINE void visit_point_smooth(const rgNsgs* nsgs, const rgNsgsBatch* batch, int lane, size_t p,
                                  Several* at) {
  const rgNsgsPoint* point = point_of(nsgs, p);
  rgV a_y = v_load(point->arm_a[1].lane + lane), a_z = v_load(point->arm_a[2].lane + lane),
      b_y = v_load(point->arm_b[1].lane + lane), b_z = v_load(point->arm_b[2].lane + lane);
  rgV spin = turn_along(&at->w_a, a_y, a_z) - turn_along(&at->w_b, b_y, b_z);
  rgV u_n = at->linear.x + spin + v_load(point->bias[0].lane + lane);

  rgV size, mass = v_load(batch->mass_a.lane + lane) + v_load(batch->mass_b.lane + lane);
  rgV change = solve_normal(nsgs, p, lane, u_n, &size, &at->busy);
  Lanes spin_a = turn_by(batch->inertia_a, lane, a_y, a_z, change),
        spin_b = turn_by(batch->inertia_b, lane, b_y, b_z, change);
  at->linear.x += mass * change;
  at->w_a = add(&at->w_a, &spin_a);
  at->w_b = sub(&at->w_b, &spin_b);
  at->impulse.x += change;
  at->worst = v_max(size, at->worst);
}

// One point of a batch, of one or of several.
RG_INLINE rgV visit_one(const rgNsgs* nsgs, const rgNsgsBatch* batch, size_t p, int lane,
                        Bodies* bodies, bool smooth, rgM* busy) {
  return smooth ? visit_single_smooth(nsgs, batch, p, lane, bodies, busy)
                : visit_single(nsgs, batch, p, lane, bodies, busy);
}
RG_INLINE void visit_next(const rgNsgs* nsgs, const rgNsgsBatch* batch, int lane, size_t p,
                          bool smooth, Several* at) {
  if (smooth)
    visit_point_smooth(nsgs, batch, lane, p, at);
  else
    visit_point(nsgs, batch, lane, p, at);
}

// Only changes are turned back, so that rounding in the frame does not add up over many sweeps.
RG_INLINE void end_several(const rgNsgsBatch* batch, int lane, const Several* at, Bodies* bodies) {
  Lanes frame[3];
  load_frame(batch, lane, frame);
  Lanes turned_a = sub(&at->w_a, &at->start_a), turned_b = sub(&at->w_b, &at->start_b);
  Lanes push = to_world(frame, &at->impulse), world_a = to_world(frame, &turned_a),
        world_b = to_world(frame, &turned_b);
  add_scaled(&bodies->v_a, v_load(batch->mass_a.lane + lane), &push);
  add_scaled(&bodies->v_b, -v_load(batch->mass_b.lane + lane), &push);
  bodies->w_a = add(&bodies->w_a, &world_a);
  bodies->w_b = add(&bodies->w_b, &world_b);
}

RG_INLINE size_t point_at(const rgNsgsRun* run, int k, bool backward) {
  return (size_t)(run->first + (backward ? run->count - 1 - k : k));
}

RG_INLINE Bodies fetch_bodies(const rgNsgs* nsgs, const rgNsgsBatch* batch, int lane) {
  const int32_t *a = batch->at[0] + lane, *b = batch->at[1] + lane;
  return (Bodies){fetch(nsgs->v, a, 0), fetch(nsgs->v, a, 4), fetch(nsgs->v, b, 0),
                  fetch(nsgs->v, b, 4)};
}

RG_INLINE void put_bodies(const rgNsgs* nsgs, const rgNsgsBatch* batch, int lane,
                          const Bodies* bodies) {
  const int32_t *a = batch->at[0] + lane, *b = batch->at[1] + lane;
  put(nsgs, a, 0, &bodies->v_a);
  put(nsgs, a, 4, &bodies->w_a);
  put(nsgs, b, 0, &bodies->v_b);
  put(nsgs, b, 4, &bodies->w_b);
}

RG_INLINE rgV visit_batch(const rgNsgs* nsgs, int index, bool backward, bool smooth, rgM* busy) {
  const rgNsgsBatch* batch = (const rgNsgsBatch*)nsgs->batches + index;
  const rgNsgsRun* run = &nsgs->runs[index];
  rgV worst = v_set(0), size;
  for (int lane = 0; lane < LANES; lane += RG_WIDTH) {
    Bodies bodies = fetch_bodies(nsgs, batch, lane);
    if (run->count == 1) {
      size = visit_one(nsgs, batch, (size_t)run->first, lane, &bodies, smooth, busy);
    } else {
      Several at = begin_several(batch, lane, &bodies);
      for (int k = 0; k < run->count; k++)
        visit_next(nsgs, batch, lane, point_at(run, k, backward), smooth, &at);
      end_several(batch, lane, &at, &bodies);
      size = at.worst;
      *busy |= at.busy;
    }
    put_bodies(nsgs, batch, lane, &bodies);
    worst = v_max(size, worst);
  }
  return worst;
}

RG_INLINE rgV visit_two_singles(const rgNsgs* nsgs, const rgNsgsBatch batch[2],
                                const rgNsgsRun run[2], bool smooth, rgM* busy) {
  rgV worst = v_set(0);
  for (int lane = 0; lane < LANES; lane += RG_WIDTH) {
    Bodies bodies_0 = fetch_bodies(nsgs, &batch[0], lane),
           bodies_1 = fetch_bodies(nsgs, &batch[1], lane);
    worst = v_max(visit_one(nsgs, &batch[0], (size_t)run[0].first, lane, &bodies_0, smooth, busy),
                  worst);
    worst = v_max(visit_one(nsgs, &batch[1], (size_t)run[1].first, lane, &bodies_1, smooth, busy),
                  worst);
    put_bodies(nsgs, &batch[0], lane, &bodies_0);
    put_bodies(nsgs, &batch[1], lane, &bodies_1);
  }
  return worst;
}

// Two batches that share no body, point by point, alternately: each point waits for the one before
// it, and while one batch waits the other is at work. The second is no shorter.
RG_INLINE rgV visit_two(const rgNsgs* nsgs, int index, bool backward, bool smooth, rgM* busy) {
  const rgNsgsBatch* batch = (const rgNsgsBatch*)nsgs->batches + index;
  const rgNsgsRun* run = &nsgs->runs[index];
  if (run[1].count == 1)
    return visit_two_singles(nsgs, batch, run, smooth, busy);
  rgV worst = v_set(0);
  for (int lane = 0; lane < LANES; lane += RG_WIDTH) {
    Bodies bodies_0 = fetch_bodies(nsgs, &batch[0], lane),
           bodies_1 = fetch_bodies(nsgs, &batch[1], lane);
    Several at_0 = begin_several(&batch[0], lane, &bodies_0),
            at_1 = begin_several(&batch[1], lane, &bodies_1);
    int k = 0;
    for (; k < run[0].count; k++) {
      visit_next(nsgs, &batch[0], lane, point_at(&run[0], k, backward), smooth, &at_0);
      visit_next(nsgs, &batch[1], lane, point_at(&run[1], k, backward), smooth, &at_1);
    }
    for (; k < run[1].count; k++)
      visit_next(nsgs, &batch[1], lane, point_at(&run[1], k, backward), smooth, &at_1);
    end_several(&batch[0], lane, &at_0, &bodies_0);
    end_several(&batch[1], lane, &at_1, &bodies_1);
    put_bodies(nsgs, &batch[0], lane, &bodies_0);
    put_bodies(nsgs, &batch[1], lane, &bodies_1);
    worst = v_max(at_0.worst, worst);
    worst = v_max(at_1.worst, worst);
    *busy |= at_0.busy | at_1.busy;
  }
  return worst;
}

// -------------------------------------------------------------------------------------------------
// Sweeps
// -------------------------------------------------------------------------------------------------

// Batches ahead for which memory is asked, and for the bodies of nearer ones. A sweep over a
// problem that no cache holds waits for little else.
enum { BATCHES_AHEAD = 12, BODIES_AHEAD = 6 };
// Fewer bodies and their contacts, some megabytes, are in a cache near enough that asking costs more than it saves.
enum { BODIES_CACHED = 16384 };

RG_INLINE void prefetch_velocities(const rgNsgs* nsgs, const int32_t* at) {
  for (int lane = 0; lane < LANES; lane++)
    __builtin_prefetch((const rgReal*)nsgs->v + at[lane], 1);
}

// The batch that is visited so many visits after this one, or the last one.
RG_INLINE int ball_ahead(const rgNsgs* nsgs, int index, int ahead, bool backward) {
  if (!backward)
    return rg_ahead(index, ahead, nsgs->ball_count);
  return index > ahead ? index - ahead : 0;
}

// What a visit asks for, where the problem is large.
RG_INLINE void prefetch_balls(const rgNsgs* nsgs, int index, bool backward, bool leap) {
  if (nsgs->body_count < BODIES_CACHED)
    return;
  int far = ball_ahead(nsgs, index, BATCHES_AHEAD, backward);
  const rgNsgsBall* balls = nsgs->balls;
  const rgNsgsBall* next = &balls[ball_ahead(nsgs, index, BODIES_AHEAD, backward)];
  rg_prefetch(&balls[far], sizeof *balls);
  size_t at = ball_at(nsgs, far);
  rg_prefetch((const rgReal*)nsgs->state + at, TRIPLE * sizeof(rgReal));
  if (leap)
    rg_prefetch((const rgReal*)nsgs->last_state + at, TRIPLE * sizeof(rgReal));
  prefetch_velocities(nsgs, next->at[0]);
  prefetch_velocities(nsgs, next->at[1]);
}

// Whether a batch is left out of this sweep.
RG_INLINE bool rests(rgNsgsRest* rest) {
  if (rest->left == 0)
    return false;
  rest->left--;
  return true;
}

// After a visit; `busy` lanes press, or do not open by more than the margin.
RG_INLINE void lay_down(rgNsgsRest* rest, rgM busy) {
  bool open = !m_any(busy);
  rest->left = !open ? 0 : rest->again ? RG_NSGS_REST_AGAIN : RG_NSGS_REST;
  rest->again = open;
}

RG_INLINE rgV sweep_balls(const rgNsgs* nsgs, rgNsgsPart part, bool backward, bool leap,
                          bool smooth) {
  rgV worst = v_set(0), size;
  for (int k = 0; k < part.end - part.first; k++) {
    int index = backward ? part.end - 1 - k : part.first + k;
    if (rests(&nsgs->rest[index])) {
      if (leap)
        leap_ball(nsgs, index);
      continue;
    }
    prefetch_balls(nsgs, index, backward, leap);
    rgM busy = {0};
    size = visit_ball(nsgs, index, leap, smooth, &busy);
    lay_down(&nsgs->rest[index], busy);
    worst = v_max(size, worst);
  }
  return worst;
}

RG_INLINE rgV sweep_balls_one_way(const rgNsgs* nsgs, rgNsgsPart part, bool backward, bool smooth) {
  if (backward)
    return sweep_balls(nsgs, part, true, false, smooth);
  return nsgs->leap.due ? sweep_balls(nsgs, part, false, true, smooth)
                        : sweep_balls(nsgs, part, false, false, smooth);
}

RG_INLINE rgV sweep_batches(const rgNsgs* nsgs, rgNsgsPart part, bool backward, bool smooth) {
  rgV worst = v_set(0), size;
  for (int k = 0, step; k < part.end - part.first; k += step) {
    int index = backward ? part.end - 1 - k : part.first + k;
    bool twin = nsgs->runs[index].twin != 0;
    step = twin ? 2 : 1;
    if (twin && backward)
      index--;
    rgNsgsRest* rest = &nsgs->rest[nsgs->ball_count + index];
    if (rests(rest))
      continue;
    rgM busy = {0};
    if (twin)
      size = visit_two(nsgs, index, backward, smooth, &busy);
    else
      size = visit_batch(nsgs, index, backward, smooth, &busy);
    lay_down(rest, busy);
    worst = v_max(size, worst);
  }
  return worst;
}

static double sweep_part(const rgNsgs* nsgs, rgNsgsPart part, bool backward) {
  rgV worst;
  if (!part.balls)
    worst = nsgs->smooth.all ? sweep_batches(nsgs, part, backward, true)
                             : sweep_batches(nsgs, part, backward, false);
  else if (nsgs->smooth.balls)
    worst = sweep_balls_one_way(nsgs, part, backward, true);
  else
    worst = sweep_balls_one_way(nsgs, part, backward, false);
  rgReal largest = 0;
  for (int i = 0; i < RG_WIDTH; i++)
    if (worst[i] > largest)
      largest = worst[i];
  return (double)largest * (nsgs->unit.speed * nsgs->unit.speed);
}

// v + beta (v - last) becomes v and start, v becomes last. Returns the agreement of the last pair of
// sweeps with the movement since the pair before, (v - start)' M (v - last). All in one pass: the
// velocities are more than a cache holds. Of the bodies from `first` to before `end`.
#if defined(RG_SIMD_SINGLE)

// The products of each component of all bodies are summed apart, and these sums at the end.
static inline double extrapolate_some(const rgNsgs* nsgs, double beta, int first, int end) {
  _Alignas(32) rgReal sums[RG_NSGS_BODY];
  rgReal *v = nsgs->v, *last = nsgs->last_v, *start = nsgs->start_v;
  const rgReal* metric = nsgs->metric;
  rgV factor = v_set(beta);
  for (int k = 0; k < RG_NSGS_BODY; k += RG_WIDTH) {
    rgV sum = v_set(0);
    for (int i = first; i < end; i++) {
      size_t at = (size_t)i * RG_NSGS_BODY + (size_t)k;
      rgV now = v_load(v + at), since = now - v_load(last + at);
      rgV next = now + factor * since;
      sum += v_load(metric + at) * (now - v_load(start + at)) * since;
      v_store(v + at, next);
      v_store(start + at, next);
      v_store(last + at, now);
    }
    v_store(sums + k, sum);
  }
  double total = 0;
  for (int k = 0; k < RG_NSGS_BODY; k++)
    total += (double)sums[k];
  return total;
}

#else

// a' M b of two differences of velocities of one body.
RG_INLINE double body_product(const double* metric, const double* a, const double* b) {
  double linear = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  double angular = a[4] * (metric[2] * b[4] + metric[5] * b[5] + metric[6] * b[6]) +
                   a[5] * (metric[5] * b[4] + metric[3] * b[5] + metric[7] * b[6]) +
                   a[6] * (metric[6] * b[4] + metric[7] * b[5] + metric[4] * b[6]);
  return metric[0] * linear + angular;
}

static inline double extrapolate_some(const rgNsgs* nsgs, double beta, int first, int end) {
  double sum = 0;
  rgV factor = v_set(beta);
  double *v = nsgs->v, *last = nsgs->last_v, *start = nsgs->start_v;
  const double* metric = nsgs->metric;
  for (int i = first; i < end; i++) {
    size_t at = (size_t)i * RG_NSGS_BODY;
    _Alignas(32) double step[RG_NSGS_BODY], since[RG_NSGS_BODY];
    for (int k = 0; k < RG_NSGS_BODY; k += RG_WIDTH) {
      rgV now = v_load(v + at + k), moved = now - v_load(last + at + k);
      v_store(step + k, now - v_load(start + at + k));
      v_store(since + k, moved);
      rgV next = now + factor * moved;
      v_store(v + at + k, next);
      v_store(start + at + k, next);
      v_store(last + at + k, now);
    }
    sum += body_product(metric + at, step, since);
  }
  return sum;
}

#endif

// The same of the impulses of points, without a product.
static inline void extrapolate_points(const rgNsgs* nsgs, double beta, int first, int end) {
  rgReal *state = nsgs->state, *last = nsgs->last_state;
  rgV factor = v_set(beta);
  for (size_t i = TRIPLE * (size_t)first; i < TRIPLE * (size_t)end; i += RG_WIDTH) {
    rgV now = v_load(state + i);
    v_store(state + i, now + factor * (now - v_load(last + i)));
    v_store(last + i, now);
  }
}

// What a file that includes this one gives a name to.
#define RG_NSGS_KERNEL                                                                             \
  { .sweep = sweep_part, .extrapolate = extrapolate_some, .extrapolate_points = extrapolate_points }
