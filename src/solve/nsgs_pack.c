// nsgs_pack.c - from a problem to batches of four manifolds.
//
// Contacts are cut into manifolds; manifolds get the lowest colour that neither of their bodies has yet (a mask of
// 64 colours per body); within a colour they are sorted by their number of points and filled into batches of four, so
// that little is padded. All choices follow the order of the contacts: the same problem gives the same batches.
//
// Workspace: the number of batches is known only after colouring, so rg_nsgs_size bounds it. In a colour with
// manifolds sorted by size, a batch has as many points as its largest manifold, which is no larger than the smallest of
// the next batch; so points <= contacts / 4 + colours * largest manifold, and batches <= manifolds / 4 + colours.
#include "problem/operator.h"
#include "solve/nsgs.h"

#include <string.h>

typedef struct Manifold {
  int32_t first, count; // contacts
  int32_t key;          // place in the order: colour, then number of points; NO_BATCH when visited alone
} Manifold;

enum { KEY_COUNT = RG_NSGS_COLOURS * RG_NSGS_POINTS_MAX, NO_BATCH = KEY_COUNT };

static bool is_polygon(const rgProblemContact* contact) {
  return contact->cone == RG_CONE_INNER || contact->cone == RG_CONE_OUTER;
}

static bool same_vector(rgVec3 a, rgVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

static bool same_manifold(const rgProblemContact* a, const rgProblemContact* b) {
  return a->body_a == b->body_a && a->body_b == b->body_b && a->cone == b->cone && a->mu == b->mu &&
         same_vector(a->n, b->n) && same_vector(a->t, b->t) && same_vector(a->o, b->o);
}

// Number of contacts from `first` on that make one manifold.
static int manifold_length(const rgProblem* problem, int first) {
  int count = 1;
  while (first + count < problem->contact_count && count < RG_NSGS_POINTS_MAX &&
         same_manifold(&problem->contacts[first], &problem->contacts[first + count]))
    count++;
  return count;
}

// A contact's block in the components that are in use, scaled to a circular cone.
typedef struct Reduced {
  int m;
  int32_t part[4];
  double axis[4];
  double w[4][4];
  double inverse_rho;
} Reduced;

static void reduce(const rgProblem* problem, const rgProblemContact* contact, Reduced* out) {
  double e[4], w[4][4];
  memset(out, 0, sizeof *out);
  rg_contact_axes(problem, contact, e);
  rg_contact_block(problem, contact, w);
  out->inverse_rho = rg_contact_inverse_rho(problem, contact, e);
  int count = 0;
  for (int i = 0; i < 4; i++) {
    if (!(e[i] > 0)) continue;
    out->part[count] = i;
    out->axis[count] = e[i];
    for (int j = 0; j <= count; j++)
      out->w[count][j] = out->w[j][count] = e[i] * out->axis[j] * w[i][out->part[j]];
    count++;
  }
  out->m = count - 1;
}

// Whether a contact fits into a batch, and its reduced block.
static bool is_plain(const rgProblem* problem, const rgProblemContact* contact, rgLocalBlock* block,
                     double* inverse_rho) {
  *inverse_rho = 0;
  if (contact->cone != RG_CONE_DISK && contact->cone != RG_CONE_FRICTIONLESS) return false;
  Reduced reduced;
  reduce(problem, contact, &reduced);
  rg_local_reduce(reduced.w, reduced.m, contact->cone == RG_CONE_DISK ? contact->mu : 0, block);
  *inverse_rho = reduced.inverse_rho;
  return !rg_local_is_prone(block);
}

// Scratch for packing and the pieces whose size follows from the problem alone.
typedef struct Scratch {
  Manifold* manifolds;
  int32_t* order;
  uint64_t* colours; // per body: colours in use
} Scratch;

typedef struct Counts {
  int manifolds, largest; // number of manifolds, most contacts in one
  int corners;
  int batches, points, generals;
} Counts;

// One table of corners for each run of contacts with the same polygon.
static bool is_new_polygon(const rgProblem* problem, int i) {
  const rgProblemContact* contact = &problem->contacts[i];
  if (!is_polygon(contact)) return false;
  return i == 0 || contact[-1].cone != contact->cone || contact[-1].facets != contact->facets;
}

static Counts count_all(const rgProblem* problem) {
  Counts counts = {0};
  for (int i = 0; i < problem->contact_count; counts.manifolds++) {
    int length = manifold_length(problem, i);
    if (length > counts.largest) counts.largest = length;
    for (int end = i + length; i < end; i++)
      if (is_new_polygon(problem, i)) counts.corners += problem->contacts[i].facets;
  }
  return counts;
}

static void carve_fixed(rgCarver* carver, const rgProblem* problem, const Counts* counts, rgNsgs* nsgs,
                        Scratch* scratch) {
  rg_carve(carver, 1, sizeof *nsgs);
  size_t velocities = ((size_t)problem->body_count + 1) * RG_NSGS_BODY;
  nsgs->v = rg_carve(carver, velocities, sizeof(double));
  nsgs->last_v = rg_carve(carver, velocities, sizeof(double));
  nsgs->start_v = rg_carve(carver, velocities, sizeof(double));
  nsgs->metric = rg_carve(carver, velocities, sizeof(double));
  nsgs->slot = rg_carve(carver, (size_t)problem->contact_count, sizeof *nsgs->slot);
  nsgs->rows = rg_carve(carver, (size_t)problem->row_count, sizeof *nsgs->rows);
  nsgs->corners = rg_carve(carver, (size_t)counts->corners, sizeof *nsgs->corners);
  scratch->manifolds = rg_carve(carver, (size_t)counts->manifolds, sizeof(Manifold));
  scratch->order = rg_carve(carver, (size_t)counts->manifolds, sizeof(int32_t));
  scratch->colours = rg_carve(carver, (size_t)problem->body_count, sizeof(uint64_t));
}

static void carve_counted(rgCarver* carver, const rgProblem* problem, const Counts* counts, rgNsgs* nsgs) {
  size_t state =
      12 * (size_t)counts->points + 4 * (size_t)counts->generals + (size_t)problem->row_count;
  nsgs->state_count = (int)state;
  nsgs->state = rg_carve(carver, state, sizeof(double));
  nsgs->last_state = rg_carve(carver, state, sizeof(double));
  nsgs->alpha = rg_carve(carver, (size_t)counts->points, sizeof *nsgs->alpha);
  nsgs->batches = rg_carve(carver, (size_t)counts->batches, sizeof *nsgs->batches);
  nsgs->points = rg_carve(carver, (size_t)counts->points, sizeof *nsgs->points);
  nsgs->generals = rg_carve(carver, (size_t)counts->generals, sizeof *nsgs->generals);
}

static int least(int a, int b) { return a < b ? a : b; }

size_t rg_nsgs_size(const rgProblem* problem) {
  rgNsgs nsgs;
  Scratch scratch;
  Counts counts = count_all(problem);
  int contacts = problem->contact_count;
  int colours = least(RG_NSGS_COLOURS, counts.manifolds);
  counts.batches = least(counts.manifolds, counts.manifolds / RG_NSGS_LANES + colours);
  counts.points = least(contacts, contacts / RG_NSGS_LANES + colours * counts.largest);
  counts.generals = contacts;
  rgCarver carver = {NULL, 0};
  carve_fixed(&carver, problem, &counts, &nsgs, &scratch);
  carve_counted(&carver, problem, &counts, &nsgs);
  return carver.used;
}

// ---------------------------------------------------------------------------------------------------------------
// Colouring and filling
// ---------------------------------------------------------------------------------------------------------------

static int lowest_free(uint64_t used) { return ~used ? __builtin_ctzll(~used) : RG_NSGS_COLOURS; }

static bool all_plain(const rgProblem* problem, int first, int count) {
  rgLocalBlock block;
  double inverse_rho;
  for (int i = first; i < first + count; i++)
    if (!is_plain(problem, &problem->contacts[i], &block, &inverse_rho)) return false;
  return true;
}

static void colour(const rgProblem* problem, Scratch* scratch) {
  memset(scratch->colours, 0, (size_t)problem->body_count * sizeof(uint64_t));
  Manifold* manifold = scratch->manifolds;
  for (int i = 0; i < problem->contact_count; i += manifold->count, manifold++) {
    manifold->first = i;
    manifold->count = manifold_length(problem, i);
    manifold->key = NO_BATCH;
    if (!all_plain(problem, i, manifold->count)) continue;
    int a = problem->contacts[i].body_a, b = problem->contacts[i].body_b;
    uint64_t used = (a < 0 ? 0 : scratch->colours[a]) | (b < 0 ? 0 : scratch->colours[b]);
    int free = lowest_free(used);
    if (free == RG_NSGS_COLOURS) continue;
    if (a >= 0) scratch->colours[a] |= (uint64_t)1 << free;
    if (b >= 0) scratch->colours[b] |= (uint64_t)1 << free;
    manifold->key = free * RG_NSGS_POINTS_MAX + manifold->count - 1;
  }
}

// Sorts by key, keeping the order of equals, and counts batches, points and contacts visited alone.
static void arrange(Scratch* scratch, Counts* counts) {
  int32_t start[KEY_COUNT + 2] = {0};
  for (int i = 0; i < counts->manifolds; i++) start[scratch->manifolds[i].key + 1]++;
  for (int k = 0; k <= KEY_COUNT; k++) start[k + 1] += start[k];
  int batched = start[NO_BATCH];
  for (int i = 0; i < counts->manifolds; i++) scratch->order[start[scratch->manifolds[i].key]++] = i;

  for (int i = 0, lane = 0, before = -1; i < batched; i++) {
    const Manifold* manifold = &scratch->manifolds[scratch->order[i]];
    int hue = manifold->key / RG_NSGS_POINTS_MAX;
    if (hue != before || lane == RG_NSGS_LANES) {
      counts->batches++;
      lane = 0;
    }
    // sizes grow within a colour, so that the last manifold of a batch is its largest
    counts->points += lane == 0 ? manifold->count : manifold->count - scratch->manifolds[scratch->order[i - 1]].count;
    before = hue;
    lane++;
  }
  for (int i = batched; i < counts->manifolds; i++)
    counts->generals += scratch->manifolds[scratch->order[i]].count;
}

static void rotate_inertia(const rgProblem* problem, int body, const rgProblemContact* contact, rgV4 out[6],
                           int lane) {
  if (body < 0) return;
  const rgMat3* j = &problem->bodies[body].inverse_inertia;
  rgVec3 n = m3_apply(j, contact->n), t = m3_apply(j, contact->t), o = m3_apply(j, contact->o);
  out[0][lane] = v3_dot(contact->n, n);
  out[1][lane] = v3_dot(contact->t, t);
  out[2][lane] = v3_dot(contact->o, o);
  out[3][lane] = v3_dot(contact->n, t);
  out[4][lane] = v3_dot(contact->n, o);
  out[5][lane] = v3_dot(contact->t, o);
}

static void put_vector(rgV4 out[3], int lane, double x, double y, double z) {
  out[0][lane] = x;
  out[1][lane] = y;
  out[2][lane] = z;
}

static void put_arm(rgV4 out[3], int lane, const rgProblemContact* contact, rgVec3 arm) {
  put_vector(out, lane, v3_dot(contact->n, arm), v3_dot(contact->t, arm), v3_dot(contact->o, arm));
}

// Where a tangent is not in use its compliance is taken this many times larger than that of the normal: an impulse along
// it stays below rounding.
static const double idle_compliance = 1e30;

static void put_point(const rgProblem* problem, const rgProblemContact* contact, rgNsgsPoint* point, int lane) {
  rgLocalBlock block;
  double inverse_rho;
  is_plain(problem, contact, &block, &inverse_rho);
  if (!(block.inverse_wnn > 0)) return; // held along n: stays as an empty lane
  put_arm(point->arm_a, lane, contact, contact->arm_a);
  put_arm(point->arm_b, lane, contact, contact->arm_b);
  put_vector(point->bias, lane, contact->bias[0], contact->bias[1], contact->bias[2]);
  double idle = idle_compliance / block.inverse_wnn;
  point->inverse_wnn[lane] = block.inverse_wnn;
  point->w[0][lane] = block.w[0];
  point->w[1][lane] = block.w[1];
  point->s11[lane] = block.m > 0 ? block.s[0][0] : idle;
  point->s12[lane] = block.m > 1 ? block.s[0][1] : 0;
  point->s22[lane] = block.m > 1 ? block.s[1][1] : idle;
  point->weight[lane] = inverse_rho * inverse_rho;
}

static void put_manifold(rgNsgs* nsgs, const rgProblem* problem, const Manifold* manifold, rgNsgsBatch* batch,
                         int lane) {
  const rgProblemContact* contact = &problem->contacts[manifold->first];
  int a = contact->body_a, b = contact->body_b;
  put_vector(batch->frame[0], lane, contact->n.x, contact->n.y, contact->n.z);
  put_vector(batch->frame[1], lane, contact->t.x, contact->t.y, contact->t.z);
  put_vector(batch->frame[2], lane, contact->o.x, contact->o.y, contact->o.z);
  batch->mass_a[lane] = rg_inverse_mass(problem, a);
  batch->mass_b[lane] = rg_inverse_mass(problem, b);
  rotate_inertia(problem, a, contact, batch->inertia_a, lane);
  rotate_inertia(problem, b, contact, batch->inertia_b, lane);
  batch->mu[lane] = contact->cone == RG_CONE_DISK ? contact->mu : 0;
  if (a >= 0) batch->body_a[lane] = a;
  if (b >= 0) batch->body_b[lane] = b;
  for (int k = 0; k < manifold->count; k++) {
    int p = batch->first + k;
    put_point(problem, &problem->contacts[manifold->first + k], &nsgs->points[p], lane);
    nsgs->slot[manifold->first + k] = 12 * p + lane;
  }
}

static rgNsgsBatch* open_batch(rgNsgs* nsgs, int dummy) {
  rgNsgsBatch* batch = &nsgs->batches[nsgs->batch_count++];
  memset(batch, 0, sizeof *batch);
  for (int lane = 0; lane < RG_NSGS_LANES; lane++) batch->body_a[lane] = batch->body_b[lane] = dummy;
  batch->first = nsgs->point_count;
  return batch;
}

// Adds points of empty lanes until the batch has `count`.
static void grow_batch(rgNsgs* nsgs, rgNsgsBatch* batch, int count) {
  for (; batch->count < count; batch->count++, nsgs->point_count++) {
    rgNsgsPoint* point = &nsgs->points[nsgs->point_count];
    memset(point, 0, sizeof *point);
    point->s11 = point->s22 = v4(1);
  }
}

static void fill(rgNsgs* nsgs, const rgProblem* problem, const Scratch* scratch, int batched) {
  rgNsgsBatch* batch = NULL;
  for (int i = 0, lane = 0, before = -1; i < batched; i++, lane++) {
    const Manifold* manifold = &scratch->manifolds[scratch->order[i]];
    int hue = manifold->key / RG_NSGS_POINTS_MAX;
    if (hue != before || lane == RG_NSGS_LANES) {
      batch = open_batch(nsgs, problem->body_count);
      lane = 0;
    }
    grow_batch(nsgs, batch, manifold->count);
    put_manifold(nsgs, problem, manifold, batch, lane);
    before = hue;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Contacts visited alone, rows
// ---------------------------------------------------------------------------------------------------------------

static void put_general(rgNsgs* nsgs, const rgProblem* problem, int index, const int32_t* first_corner) {
  const rgProblemContact* contact = &problem->contacts[index];
  rgNsgsGeneral* general = &nsgs->generals[nsgs->general_count];
  Reduced reduced;
  reduce(problem, contact, &reduced);
  memset(general, 0, sizeof *general);
  general->contact = index;
  general->m = reduced.m;
  general->mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
  general->weight = reduced.inverse_rho * reduced.inverse_rho;
  memcpy(general->part, reduced.part, sizeof general->part);
  memcpy(general->axis, reduced.axis, sizeof general->axis);
  rg_local_reduce(reduced.w, reduced.m, general->mu, &general->block);
  if (is_polygon(contact)) {
    general->corner_count = reduced.m == 1 ? 2 : contact->facets;
    general->first_corner = *first_corner;
    memcpy(general->w, reduced.w, sizeof general->w);
  }
  nsgs->slot[index] = 12 * nsgs->point_count + 4 * nsgs->general_count;
  nsgs->general_count++;
}

// Writes the corners of a contact's polygon; in two dimensions the two ends of the interval.
static void put_corners(const rgProblem* problem, const rgProblemContact* contact, double (*corners)[2]) {
  rgPolygon polygon = rg_polygon(contact->cone, contact->facets);
  if (problem->dimension == 2) {
    corners[0][1] = corners[1][1] = 0;
    rg_polygon_interval(&polygon, &corners[0][0], &corners[1][0]);
    return;
  }
  for (int i = 0; i < contact->facets; i++) rg_polygon_corner(&polygon, i, corners[i]);
}

static void fill_generals(rgNsgs* nsgs, const rgProblem* problem, const Scratch* scratch, int batched,
                          int manifolds) {
  // tables of corners follow the order of the contacts, and so do the manifolds visited alone
  int32_t table = 0, next_table = 0;
  int seen = 0;
  for (int i = batched; i < manifolds; i++) {
    const Manifold* manifold = &scratch->manifolds[scratch->order[i]];
    for (int k = manifold->first; k < manifold->first + manifold->count; k++) {
      for (; seen <= k; seen++)
        if (is_new_polygon(problem, seen)) {
          table = next_table;
          put_corners(problem, &problem->contacts[seen], nsgs->corners + table);
          next_table += problem->contacts[seen].facets;
        }
      put_general(nsgs, problem, k, &table);
    }
  }
}

static rgTwist row_step(const rgProblem* problem, int body, rgTwist g) {
  if (body < 0) return (rgTwist){v3_zero(), v3_zero()};
  const rgProblemBody* b = &problem->bodies[body];
  return (rgTwist){v3_scale(g.linear, b->inverse_mass), m3_apply(&b->inverse_inertia, g.angular)};
}

static void fill_rows(rgNsgs* nsgs, const rgProblem* problem) {
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double block = rg_row_block(problem, row), weight = block * rg_row_length(problem, row);
    nsgs->rows[i] = (rgNsgsRow){.inverse_block = block > 0 ? 1 / block : 0,
                                .weight = weight * weight,
                                .step_a = row_step(problem, row->body_a, row->g_a),
                                .step_b = row_step(problem, row->body_b, row->g_b)};
  }
}

// M of each body. Directions that cannot move get a large finite inertia instead of an infinite one; they are only ever
// multiplied by velocities that are zero.
static void fill_metric(rgNsgs* nsgs, const rgProblem* problem) {
  const double held = 1e-9;
  for (int i = 0; i < problem->body_count; i++) {
    const rgProblemBody* body = &problem->bodies[i];
    double* metric = nsgs->metric + (size_t)i * RG_NSGS_BODY;
    rgMat3 j = body->inverse_inertia;
    double trace = j.m[0][0] + j.m[1][1] + j.m[2][2];
    for (int k = 0; k < 3; k++) j.m[k][k] += held * trace;
    rgMat3 inertia = trace > 0 ? m3_inverse(&j) : m3_zero();
    metric[0] = body->inverse_mass > 0 ? 1 / body->inverse_mass : 0;
    metric[1] = 0;
    metric[2] = inertia.m[0][0];
    metric[3] = inertia.m[1][1];
    metric[4] = inertia.m[2][2];
    metric[5] = inertia.m[0][1];
    metric[6] = inertia.m[0][2];
    metric[7] = inertia.m[1][2];
  }
}

rgNsgs* rg_nsgs_pack(const rgProblem* problem, void* work) {
  rgCarver carver = {work, 0};
  rgNsgs* nsgs = work;
  memset(nsgs, 0, sizeof *nsgs);
  Scratch scratch;
  Counts counts = count_all(problem);
  carve_fixed(&carver, problem, &counts, nsgs, &scratch);
  colour(problem, &scratch);
  arrange(&scratch, &counts);
  carve_counted(&carver, problem, &counts, nsgs);

  nsgs->problem = problem;
  nsgs->sweep = rg_nsgs_sweep_avx2();
  if (!nsgs->sweep) nsgs->sweep = rg_nsgs_sweep_plain;
  int batched = counts.manifolds;
  while (batched > 0 && scratch.manifolds[scratch.order[batched - 1]].key == NO_BATCH) batched--;
  memset(nsgs->alpha, 0, (size_t)counts.points * sizeof *nsgs->alpha);
  fill(nsgs, problem, &scratch, batched);
  fill_generals(nsgs, problem, &scratch, batched, counts.manifolds);
  fill_rows(nsgs, problem);
  fill_metric(nsgs, problem);
  return nsgs;
}

// ---------------------------------------------------------------------------------------------------------------
// The iterate
// ---------------------------------------------------------------------------------------------------------------

// Distance between the components of one contact in the state.
static int slot_stride(const rgNsgs* nsgs, int slot) {
  return slot < 12 * nsgs->point_count ? RG_NSGS_LANES : 1;
}

static void load_velocity(rgNsgs* nsgs, const double* v) {
  memset(nsgs->v, 0, ((size_t)nsgs->problem->body_count + 1) * RG_NSGS_BODY * sizeof(double));
  for (int i = 0; i < nsgs->problem->body_count; i++) {
    memcpy(nsgs->v + (size_t)i * RG_NSGS_BODY, v + 6 * (size_t)i, 3 * sizeof(double));
    memcpy(nsgs->v + (size_t)i * RG_NSGS_BODY + 4, v + 6 * (size_t)i + 3, 3 * sizeof(double));
  }
}

void rg_nsgs_load(rgNsgs* nsgs, const rgSolution* solution) {
  const rgProblem* problem = nsgs->problem;
  memset(nsgs->state, 0, (size_t)nsgs->state_count * sizeof(double));
  for (int i = 0; i < problem->contact_count; i++) {
    int slot = nsgs->slot[i], stride = slot_stride(nsgs, slot);
    for (int k = 0; k < 4 - (stride > 1); k++)
      nsgs->state[slot + k * stride] = solution->r[4 * (size_t)i + (size_t)k];
  }
  double* lambda = nsgs->state + nsgs->state_count - problem->row_count;
  for (int i = 0; i < problem->row_count; i++) lambda[i] = solution->lambda[i];
  load_velocity(nsgs, solution->v);
}

void rg_nsgs_store(const rgNsgs* nsgs, rgSolution* solution) {
  const rgProblem* problem = nsgs->problem;
  for (int i = 0; i < problem->contact_count; i++) {
    int slot = nsgs->slot[i], stride = slot_stride(nsgs, slot);
    double e[4];
    rg_contact_axes(problem, &problem->contacts[i], e);
    for (int k = 0; k < 4; k++)
      solution->r[4 * (size_t)i + (size_t)k] = e[k] > 0 ? nsgs->state[slot + k * stride] : 0;
  }
  const double* lambda = nsgs->state + nsgs->state_count - problem->row_count;
  for (int i = 0; i < problem->row_count; i++) solution->lambda[i] = lambda[i];
}

void rg_nsgs_refresh(rgNsgs* nsgs, rgSolution* solution) {
  rg_nsgs_store(nsgs, solution);
  rg_problem_velocity(nsgs->problem, solution);
  load_velocity(nsgs, solution->v);
}
