// nsgs_fill.h - contacts into the lanes of a form, and its iterate in and out; included by nsgs_fill.c and
// nsgs_fill_single.c, which give the form its name.
#include "math/vec.h"
#include "problem/operator.h"
#include "solve/nsgs/nsgs_form.h"

#include <string.h>

// Of numbers of one kind side by side, those below this part of the largest are left out in floats: a sixtieth of its
// rounding.
static const double NEGLIGIBLE = 1e-9;

RG_INLINE double size_of(double x) { return x < 0 ? -x : x; }

RG_INLINE rgReal narrow(double x, double largest) {
  return SINGLE && size_of(x) < NEGLIGIBLE * largest ? 0 : (rgReal)x;
}

RG_INLINE double largest_of(double a, double b, double c) {
  double x = size_of(a), y = size_of(b), z = size_of(c), larger = x > y ? x : y;
  return larger > z ? larger : z;
}

RG_INLINE void put_vector(rgEach out[3], int lane, rgVec3 a, double unit) {
  double largest = SINGLE ? largest_of(a.x, a.y, a.z) * unit : 0;
  out[0].lane[lane] = narrow(a.x * unit, largest);
  out[1].lane[lane] = narrow(a.y * unit, largest);
  out[2].lane[lane] = narrow(a.z * unit, largest);
}

RG_INLINE void put_six(rgEach out[6], int lane, const rgSix* j, double unit) {
  double largest = SINGLE ? largest_of(j->xx, j->yy, j->zz) * unit : 0;
  out[0].lane[lane] = narrow(j->xx * unit, largest);
  out[1].lane[lane] = narrow(j->yy * unit, largest);
  out[2].lane[lane] = narrow(j->zz * unit, largest);
  out[3].lane[lane] = narrow(j->xy * unit, largest);
  out[4].lane[lane] = narrow(j->xz * unit, largest);
  out[5].lane[lane] = narrow(j->yz * unit, largest);
}

// -------------------------------------------------------------------------------------------------
// Impulses
// -------------------------------------------------------------------------------------------------

static bool entry_is_ball(const rgNsgs* nsgs, int entry) { return entry >= nsgs->ball_state; }

static void load_contact(rgNsgs* nsgs, int index, const double* all_r) {
  const double* r = all_r + 4 * (size_t)index;
  int entry = nsgs->entry[index];
  rgReal* state = (rgReal*)nsgs->state + entry;
  rgVec3 p = entry_is_ball(nsgs, entry) ? rg_nsgs_ball_load(&nsgs->problem->contacts[index], r)
                                        : v3(r[0], r[1], r[2]);
  double unit = nsgs->unit.per_impulse;
  state[0] = (rgReal)(p.x * unit);
  state[LANES] = (rgReal)(p.y * unit);
  state[2 * LANES] = (rgReal)(p.z * unit);
}

// The state is zero before it is filled.
static void place(rgNsgs* nsgs, int index, int entry, const double* all_r) {
  const double* r = all_r + 4 * (size_t)index;
  nsgs->entry[index] = entry;
  if (r[0] != 0 || r[1] != 0 || r[2] != 0)
    load_contact(nsgs, index, all_r);
}

static void store_contact(const rgNsgs* nsgs, int index, double r[4]) {
  const rgProblemContact* contact = &nsgs->problem->contacts[index];
  int entry = nsgs->entry[index];
  const rgReal* state = (const rgReal*)nsgs->state + entry;
  double unit = nsgs->unit.impulse;
  rgVec3 p = v3_scale(v3((double)state[0], (double)state[LANES], (double)state[2 * LANES]), unit);
  if (entry_is_ball(nsgs, entry)) {
    rg_nsgs_ball_store(contact, p, r);
    return;
  }
  double e[4];
  rg_contact_axes(nsgs->problem, contact, e);
  r[0] = e[0] > 0 ? p.x : 0;
  r[1] = e[1] > 0 ? p.y : 0;
  r[2] = e[2] > 0 ? p.z : 0;
  r[3] = 0;
}

// -------------------------------------------------------------------------------------------------
// Bodies
// -------------------------------------------------------------------------------------------------

// Where the velocity of a body is. Lanes without one have the dummy of their batch, counted through all batches with balls
// first: its velocity is written like that of others, always as zero, and by no other thread.
static int32_t place_of(const rgNsgs* nsgs, int body, int batch) {
  return (body >= 0 ? body : nsgs->body_count + batch) * RG_NSGS_BODY;
}

// Those of the bodies A of all lanes of a batch, then those of B.
static const int32_t* places_of(const rgNsgs* nsgs, bool ball, int index) {
  return ball ? ((const rgNsgsBall*)nsgs->balls)[index].at[0]
              : ((const rgNsgsBatch*)nsgs->batches)[index].at[0];
}

static void load_velocity(rgNsgs* nsgs, const double* v, int first, int end) {
  rgReal* to = nsgs->v;
  double unit = nsgs->unit.per_speed;
  size_t start = (size_t)first * RG_NSGS_BODY, size = (size_t)(end - first) * RG_NSGS_BODY;
  if (size > 0)
    memset(to + start, 0, size * sizeof(rgReal));
  for (int i = first; i < end; i++)
    for (int k = 0; k < 6; k++) {
      size_t from = 6 * (size_t)i + (size_t)k;
      double less = SINGLE ? nsgs->base[from] : 0;
      to[(size_t)i * RG_NSGS_BODY + (size_t)(k + (k > 2))] = (rgReal)((v[from] - less) * unit);
    }
}

static rgTwist twist_of(const rgNsgs* nsgs, int body) {
  if (body < 0)
    return (rgTwist){v3_zero(), v3_zero()};
  const rgReal* v = (const rgReal*)nsgs->v + (size_t)body * RG_NSGS_BODY;
  double unit = nsgs->unit.speed;
  rgTwist twist = {v3_scale(v3((double)v[0], (double)v[1], (double)v[2]), unit),
                   v3_scale(v3((double)v[4], (double)v[5], (double)v[6]), unit)};
  if (!SINGLE)
    return twist;
  rgTwist base = rg_body_twist(nsgs->base, body);
  return (rgTwist){v3_add(twist.linear, base.linear), v3_add(twist.angular, base.angular)};
}

static void add_twist(const rgNsgs* nsgs, int body, rgTwist change) {
  if (body < 0)
    return;
  rgReal* v = (rgReal*)nsgs->v + (size_t)body * RG_NSGS_BODY;
  double unit = nsgs->unit.per_speed;
  v[0] += (rgReal)(change.linear.x * unit);
  v[1] += (rgReal)(change.linear.y * unit);
  v[2] += (rgReal)(change.linear.z * unit);
  v[4] += (rgReal)(change.angular.x * unit);
  v[5] += (rgReal)(change.angular.y * unit);
  v[6] += (rgReal)(change.angular.z * unit);
}

// M of a body: mass, 0, then xx, yy, zz, xy, xz, yz of its inertia. In floats its diagonal, beside the velocities that
// it belongs to. It only serves to tell where momentum points away from where sweeps go, which any metric does, and so it
// takes a few operations on eight lanes.
static void fill_metric(void* context, int first, int end) {
  const rgNsgs* nsgs = context;
  double unit = nsgs->unit.per_mass;
  for (int i = first; i < end; i++) {
    rgRigidMatrix m = rg_mass_metric(nsgs->problem, i);
    const rgSix* j = &m.angular;
    double all[RG_NSGS_BODY] = {m.linear, 0, j->xx, j->yy, j->zz, j->xy, j->xz, j->yz};
    double diagonal[RG_NSGS_BODY] = {m.linear, m.linear, m.linear, 0, j->xx, j->yy, j->zz, 0};
    rgReal* metric = (rgReal*)nsgs->metric + (size_t)i * RG_NSGS_BODY;
    for (int k = 0; k < RG_NSGS_BODY; k++)
      metric[k] = (rgReal)((SINGLE ? diagonal[k] : all[k]) * unit);
  }
}

// -------------------------------------------------------------------------------------------------
// Ball contacts
// -------------------------------------------------------------------------------------------------

static void clear_ball(rgNsgs* nsgs, int index) {
  rgNsgsBall* ball = (rgNsgsBall*)nsgs->balls + index;
  memset(ball, 0, sizeof *ball);
  for (int lane = 0; lane < LANES; lane++)
    ball->at[0][lane] = ball->at[1][lane] = place_of(nsgs, -1, index);
}

// Bias, and in floats what the velocities do that others are counted from.
static void put_ball_bias(const rgNsgs* nsgs, const rgProblemContact* contact,
                          const rgNsgsBallLaw* law, rgNsgsBall* ball, int lane) {
  double bias = contact->bias[0], unit = nsgs->unit.per_speed;
#if defined(RG_SIMD_SINGLE)
  rgTwist a = rg_body_twist(nsgs->base, contact->body_a),
          b = rg_body_twist(nsgs->base, contact->body_b);
  rgVec3 linear = v3_sub(a.linear, b.linear),
         spin = v3_sub(v3_scale(a.angular, law->lever_a), v3_scale(b.angular, law->lever_b));
  if (!nsgs->smooth.balls)
    put_vector(ball->slip, lane, v3_add(linear, v3_cross(spin, contact->n)), unit);
  bias += v3_dot(contact->n, linear);
#else
  (void)law;
#endif
  ball->bias.lane[lane] = narrow(bias * unit, 1);
}

static void put_ball(const rgNsgs* nsgs, const rgBallMass* masses, const rgProblemContact* contact,
                     int index, int lane) {
  rgNsgsBall* ball = (rgNsgsBall*)nsgs->balls + index;
  rgNsgsBallLaw law = rg_nsgs_ball_law(masses, contact);
  double mass = nsgs->unit.mass, inverse_rho = law.inverse_rho * mass;
  put_vector(ball->n, lane, contact->n, 1);
  put_ball_bias(nsgs, contact, &law, ball, lane);
  ball->lever_a.lane[lane] = (rgReal)law.lever_a;
  ball->lever_b.lane[lane] = (rgReal)law.lever_b;
  ball->mass_a.lane[lane] = (rgReal)(law.mass_a * mass);
  ball->mass_b.lane[lane] = (rgReal)(law.mass_b * mass);
  ball->spin_a.lane[lane] = (rgReal)(law.spin_a * mass);
  ball->spin_b.lane[lane] = (rgReal)(law.spin_b * mass);
  ball->stiff_n.lane[lane] = (rgReal)(law.stiff_n * nsgs->unit.per_mass);
  ball->stiff_t.lane[lane] = (rgReal)(law.stiff_t * nsgs->unit.per_mass);
  ball->mu.lane[lane] = (rgReal)law.mu;
  ball->weight.lane[lane] = (rgReal)(inverse_rho * inverse_rho);
  ball->at[0][lane] = place_of(nsgs, contact->body_a, index);
  ball->at[1][lane] = place_of(nsgs, contact->body_b, index);
}

static void fill_ball_block(void* context, int item, int worker) {
  (void)worker;
  const rgNsgsFilling* filling = context;
  rgNsgs* nsgs = filling->nsgs;
  const rgNsgsScratch* scratch = filling->scratch;
  int first = item * RG_NSGS_BALLS_PER_TASK, end = first + RG_NSGS_BALLS_PER_TASK;
  for (int i = first; i < end && i < filling->manifolds; i++) {
    if (scratch->manifolds[i].key >= RG_NSGS_GROUPS)
      continue;
    int contact = scratch->manifolds[i].first, slot = scratch->manifolds[i].slot;
    int index = slot / LANES, lane = slot % LANES;
    put_ball(nsgs, scratch->masses, &filling->problem->contacts[contact], index, lane);
    place(nsgs, contact, nsgs->ball_state + TRIPLE * index + lane, filling->r);
  }
}

// -------------------------------------------------------------------------------------------------
// Other contacts
// -------------------------------------------------------------------------------------------------

static rgSix frame_inertia(const rgSix* j, const rgProblemContact* contact) {
  rgVec3 n = six_apply(j, contact->n), t = six_apply(j, contact->t), o = six_apply(j, contact->o);
  return (rgSix){v3_dot(contact->n, n), v3_dot(contact->t, t), v3_dot(contact->o, o),
                 v3_dot(contact->n, t), v3_dot(contact->n, o), v3_dot(contact->t, o)};
}

static rgVec3 frame_vector(const rgProblemContact* contact, rgVec3 a) {
  return v3(v3_dot(contact->n, a), v3_dot(contact->t, a), v3_dot(contact->o, a));
}

// Adds A J A' for the columns (r x n, r x t, r x o) of A, all in the frame; without tangents that of n alone.
static void add_block(rgSix* w, const rgSix* j, rgVec3 r, int tangents) {
  rgVec3 n = six_apply(j, v3(0, r.z, -r.y));
  w->xx += r.z * n.y - r.y * n.z;
  if (tangents == 0)
    return;
  rgVec3 t = six_apply(j, v3(-r.z, 0, r.x)), o = six_apply(j, v3(r.y, -r.x, 0));
  w->yy += r.x * t.z - r.z * t.x;
  w->zz += r.y * o.x - r.x * o.y;
  w->xy += r.z * t.y - r.y * t.z;
  w->xz += r.z * o.y - r.y * o.z;
  w->yz += r.x * o.z - r.z * o.x;
}

// A manifold while it is packed: its bodies in world axes and in the axes of its frame.
typedef struct Pair {
  rgRigidMatrix a, b;     // M^-1 in world axes
  double mass;            // sum of the inverse masses
  rgSix frame_a, frame_b; // inverse inertias in the frame
  int tangents;           // in use
} Pair;

static Pair make_pair(const rgProblem* problem, const rgProblemContact* contact) {
  Pair pair;
  pair.a = rg_mass_inverse(problem, contact->body_a);
  pair.b = rg_mass_inverse(problem, contact->body_b);
  pair.mass = pair.a.linear + pair.b.linear;
  pair.frame_a = frame_inertia(&pair.a.angular, contact);
  pair.frame_b = frame_inertia(&pair.b.angular, contact);
  pair.tangents = contact->cone == RG_CONE_FRICTIONLESS ? 0 : problem->dimension - 1;
  return pair;
}

// Where a tangent is not in use its compliance is taken this many times larger than that of the
// normal: an impulse along it stays below rounding.
static const double idle_compliance = SINGLE ? 1e12 : 1e30;

static void put_bias(const rgNsgs* nsgs, const rgProblemContact* contact, rgNsgsPoint* point,
                     int lane) {
  double u[4] = {contact->bias[0], contact->bias[1], contact->bias[2], 0};
  if (SINGLE)
    rg_contact_velocity(contact, nsgs->base, u);
  for (int k = 0; k < 3; k++)
    point->bias[k].lane[lane] = narrow(u[k] * nsgs->unit.per_speed, 1);
}

// The inverse of W_TT with the normal eliminated, where `idle` stands for what is not in use.
static void put_tangents(const rgOneBlock* one, double idle, double unit, rgNsgsPoint* point,
                         int lane) {
  double s11 = one->m > 0 ? one->s[0][0] : idle, s12 = one->s[0][1];
  double s22 = one->m > 1 ? one->s[1][1] : idle, inverse = 1 / (s11 * s22 - s12 * s12);
  double t11 = s22 * inverse * unit, t22 = s11 * inverse * unit;
  point->t11.lane[lane] = (rgReal)t11;
  point->t12.lane[lane] = narrow(-s12 * inverse * unit, t11 < t22 ? t11 : t22);
  point->t22.lane[lane] = (rgReal)t22;
}

// Writes one contact into a lane. `in_world`: arms in world axes instead of those of the frame.
static void put_point(const rgNsgs* nsgs, const Pair* pair, const rgProblemContact* contact,
                      bool in_world, rgNsgsPoint* point, int lane) {
  rgVec3 arm_a = frame_vector(contact, contact->arm_a),
         arm_b = frame_vector(contact, contact->arm_b);
  rgSix w = {.xx = pair->mass, .yy = pair->mass, .zz = pair->mass};
  if (contact->body_a >= 0)
    add_block(&w, &pair->frame_a, arm_a, pair->tangents);
  if (contact->body_b >= 0)
    add_block(&w, &pair->frame_b, arm_b, pair->tangents);
  double block[4][4] = {{w.xx, w.xy, w.xz}, {w.xy, w.yy, w.yz}, {w.xz, w.yz, w.zz}};
  rgOneBlock one;
  rg_one_reduce(block, pair->tangents, 0, &one);
  if (!(one.inverse_wnn > 0))
    return; // held along n: stays as an empty lane
  double mass = nsgs->unit.mass;
  put_vector(point->arm_a, lane, in_world ? contact->arm_a : arm_a, 1);
  put_vector(point->arm_b, lane, in_world ? contact->arm_b : arm_b, 1);
  put_bias(nsgs, contact, point, lane);
  point->inverse_wnn.lane[lane] = (rgReal)(one.inverse_wnn * nsgs->unit.per_mass);
  point->w[0].lane[lane] = narrow(one.w[0], 1);
  point->w[1].lane[lane] = narrow(one.w[1], 1);
  put_tangents(&one, idle_compliance * w.xx, nsgs->unit.per_mass, point, lane);
  double trace = w.xx + (one.m > 0 ? w.yy : 0) + (one.m > 1 ? w.zz : 0);
  double inverse_rho = trace / (1 + one.m) * mass;
  point->weight.lane[lane] = (rgReal)(inverse_rho * inverse_rho);
}

static void put_manifold(rgNsgs* nsgs, const rgNsgsFilling* filling, const rgNsgsManifold* manifold,
                         int index, int lane) {
  const rgProblemContact* contact = &filling->problem->contacts[manifold->first];
  rgNsgsBatch* batch = (rgNsgsBatch*)nsgs->batches + index;
  rgNsgsPoint* points = nsgs->points;
  Pair pair = make_pair(filling->problem, contact);
  double mass = nsgs->unit.mass;
  bool in_world = nsgs->runs[index].count == 1;
  put_vector(batch->frame[0], lane, contact->n, 1);
  put_vector(batch->frame[1], lane, contact->t, 1);
  put_vector(batch->frame[2], lane, contact->o, 1);
  batch->mass_a.lane[lane] = (rgReal)(pair.a.linear * mass);
  batch->mass_b.lane[lane] = (rgReal)(pair.b.linear * mass);
  put_six(batch->inertia_a, lane, in_world ? &pair.a.angular : &pair.frame_a, mass);
  put_six(batch->inertia_b, lane, in_world ? &pair.b.angular : &pair.frame_b, mass);
  batch->mu.lane[lane] = contact->cone == RG_CONE_DISK ? (rgReal)contact->mu : 0;
  batch->at[0][lane] = place_of(nsgs, contact->body_a, nsgs->ball_count + index);
  batch->at[1][lane] = place_of(nsgs, contact->body_b, nsgs->ball_count + index);
  for (int k = 0; k < manifold->count; k++) {
    int p = nsgs->runs[index].first + k;
    put_point(nsgs, &pair, contact + k, in_world, &points[p], lane);
    place(nsgs, manifold->first + k, TRIPLE * p + lane, filling->r);
  }
}

// Lanes of a batch that never move anything.
static void clear_batch(rgNsgs* nsgs, int index) {
  rgNsgsBatch* batch = (rgNsgsBatch*)nsgs->batches + index;
  rgNsgsPoint* points = (rgNsgsPoint*)nsgs->points + nsgs->runs[index].first;
  int count = nsgs->runs[index].count;
  memset(batch, 0, sizeof *batch);
  memset(points, 0, (size_t)count * sizeof *points);
  for (int lane = 0; lane < LANES; lane++) {
    batch->at[0][lane] = batch->at[1][lane] = place_of(nsgs, -1, nsgs->ball_count + index);
    for (int p = 0; p < count; p++)
      points[p].t11.lane[lane] = points[p].t22.lane[lane] = 1;
  }
}

static void fill_batch_block(void* context, int item, int worker) {
  (void)worker;
  const rgNsgsFilling* filling = context;
  rgNsgs* nsgs = filling->nsgs;
  const rgNsgsScratch* scratch = filling->scratch;
  int first = item * RG_NSGS_BATCHES_PER_TASK, end = first + RG_NSGS_BATCHES_PER_TASK;
  for (int k = first; k < end && k < nsgs->batch_count; k++) {
    clear_batch(nsgs, k);
    int start = scratch->starts[k],
        stop = k + 1 < nsgs->batch_count ? scratch->starts[k + 1] : filling->batched;
    for (int i = start; i < stop; i++)
      put_manifold(nsgs, filling, &scratch->manifolds[scratch->order[i]], k, i - start);
  }
}

// The descriptor, which a file that includes this one gives a name.
#define RG_NSGS_FORM(plain_, avx2_)                                                                \
  {                                                                                                \
    .single = SINGLE, .lanes = LANES, .real = sizeof(rgReal), .ball = sizeof(rgNsgsBall),          \
    .batch = sizeof(rgNsgsBatch), .point = sizeof(rgNsgsPoint), .plain = &(plain_),                \
    .avx2 = (avx2_), .clear_ball = clear_ball, .fill_balls = fill_ball_block,                      \
    .fill_batches = fill_batch_block, .fill_metric = fill_metric, .load = load_contact,            \
    .store = store_contact, .places = places_of, .load_velocity = load_velocity,                   \
    .twist = twist_of, .add_twist = add_twist                                                      \
  }
