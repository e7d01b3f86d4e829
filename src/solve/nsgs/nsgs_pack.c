// nsgs_pack.c - from a problem to batches of four manifolds.
//
// Contacts are cut into manifolds; manifolds get the lowest colour that neither of their bodies has
// yet (a mask of 64 colours per body); balls and others apart, within a colour they are sorted
// by whether they press at the start and by their number of points, and filled into batches of four, so
// that little is padded and batches that do not press can rest. All choices follow the order of the
// contacts: the same problem gives the same batches.
//
// Workspace: the number of batches is known only after colouring, so rg_nsgs_size bounds it. In a
// colour with manifolds sorted by size, a batch has as many points as its largest manifold, which
// is no larger than the smallest of the next batch; so points <= contacts / 4 + groups * largest
// manifold, and batches <= manifolds / 4 + groups, a group being what presses or does not in a colour.
#include "problem/operator.h"
#include "solve/nsgs/nsgs.h"

#include <string.h>

typedef struct Manifold {
  int32_t first, count; // contacts
  int32_t key;  // place in the order: balls by colour and whether they press, then the others by
                // these and by the number of points; NO_BATCH when visited alone
  int32_t slot; // of balls: place among the lanes of all batches of them
} Manifold;

// Manifolds of one colour that press at the start are apart from those that do not, so that batches of
// the latter can rest (nsgs_kernel.h).
enum {
  GROUPS = 2 * RG_NSGS_COLOURS,
  KEY_COUNT = GROUPS * (1 + RG_NSGS_POINTS_MAX),
  NO_BATCH = KEY_COUNT
};

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

// Painleve's condition mu |W_Tn| >= W_nn, from the normal column of W alone: W_.n = (1/m_a + 1/m_b)
// n + sum over the bodies of (J (arm x n)) x arm, in the frame.
static bool is_prone(const rgProblem* problem, const rgProblemContact* contact) {
  if (contact->cone == RG_CONE_FRICTIONLESS || contact->mu == 0)
    return false;
  rgVec3 column = rg_contact_normal_response(problem, contact);
  double normal = v3_dot(contact->n, column), t = v3_dot(contact->t, column);
  double o = problem->dimension == 3 ? v3_dot(contact->o, column) : 0;
  return contact->mu * contact->mu * (t * t + o * o) >= normal * normal;
}

// Whether a contact can be solved by the kernel of the batches.
static bool is_plain(const rgProblem* problem, const rgProblemContact* contact) {
  bool circular = contact->cone == RG_CONE_DISK || contact->cone == RG_CONE_FRICTIONLESS;
  return circular && !is_prone(problem, contact);
}

// Scratch for packing and the pieces whose size follows from the problem alone.
typedef struct Scratch {
  Manifold* manifolds;
  int32_t* order;
  int32_t* starts;    // per batch of others: place of its first manifold in the order
  uint64_t* colours;  // per body: colours in use
  rgBallMass* masses; // per body
} Scratch;

typedef struct Counts {
  int manifolds, largest; // number of manifolds, most contacts in one
  int corners;
  int balls, batches, points, generals;
} Counts;

// Corners of the polygons that begin within some contacts.
static int count_corners(const rgProblem* problem, int first, int count) {
  int corners = 0;
  for (int i = first; i < first + count; i++)
    if (rg_one_polygon_starts(problem, i))
      corners += problem->contacts[i].facets;
  return corners;
}

static Counts count_manifolds(const rgProblem* problem) {
  Counts counts = {0};
  for (int i = 0, length; i < problem->contact_count; i += length) {
    length = manifold_length(problem, i);
    counts.manifolds++;
    counts.corners += count_corners(problem, i, length);
    if (length > counts.largest)
      counts.largest = length;
  }
  return counts;
}

static void carve_fixed(rgCarver* carver, const rgProblem* problem, rgNsgs* nsgs,
                        Scratch* scratch) {
  rg_carve(carver, 1, sizeof *nsgs);
  size_t velocities = ((size_t)problem->body_count + 1) * RG_NSGS_BODY;
  nsgs->v = rg_carve(carver, velocities, sizeof(double));
  nsgs->last_v = rg_carve(carver, velocities, sizeof(double));
  nsgs->start_v = rg_carve(carver, velocities, sizeof(double));
  nsgs->metric = rg_carve(carver, velocities, sizeof(double));
  nsgs->sums = rg_carve(carver, (size_t)problem->body_count / RG_NSGS_BLOCK + 1, sizeof(double));
  nsgs->entry = rg_carve(carver, (size_t)problem->contact_count, sizeof *nsgs->entry);
  nsgs->rows = rg_carve(carver, (size_t)problem->row_count, sizeof *nsgs->rows);
  scratch->manifolds = rg_carve(carver, (size_t)problem->contact_count, sizeof(Manifold));
  scratch->order = rg_carve(carver, (size_t)problem->contact_count, sizeof(int32_t));
  scratch->starts = rg_carve(carver, (size_t)problem->contact_count, sizeof(int32_t));
  scratch->colours = rg_carve(carver, (size_t)problem->body_count, sizeof(uint64_t));
  scratch->masses = rg_carve(carver, (size_t)problem->body_count, sizeof *scratch->masses);
}

static void carve_counted(rgCarver* carver, const rgProblem* problem, const Counts* counts,
                          rgNsgs* nsgs) {
  nsgs->ball_state = 12 * counts->points;
  nsgs->general_state = nsgs->ball_state + 12 * counts->balls;
  nsgs->state_count = nsgs->general_state + 4 * counts->generals + problem->row_count;
  size_t state = (size_t)nsgs->state_count;
  nsgs->corners = rg_carve(carver, (size_t)counts->corners, sizeof *nsgs->corners);
  nsgs->state = rg_carve(carver, state, sizeof(double));
  nsgs->last_state = rg_carve(carver, state, sizeof(double));
  nsgs->alpha = rg_carve(carver, (size_t)counts->points, sizeof *nsgs->alpha);
  nsgs->rest =
      rg_carve(carver, (size_t)counts->balls + (size_t)counts->batches, sizeof *nsgs->rest);
  nsgs->balls = rg_carve(carver, (size_t)counts->balls, sizeof *nsgs->balls);
  nsgs->batches = rg_carve(carver, (size_t)counts->batches, sizeof *nsgs->batches);
  nsgs->points = rg_carve(carver, (size_t)counts->points, sizeof *nsgs->points);
  nsgs->generals = rg_carve(carver, (size_t)counts->generals, sizeof *nsgs->generals);
}

static int least(int a, int b) { return a < b ? a : b; }

size_t rg_nsgs_size(const rgProblem* problem) {
  rgNsgs nsgs;
  Scratch scratch;
  Counts counts = count_manifolds(problem);
  int contacts = problem->contact_count;
  // a batch of balls takes less than one of others with its point
  int colours = least(2 * GROUPS, counts.manifolds); // groups of balls and others
  counts.batches = least(counts.manifolds, counts.manifolds / RG_NSGS_LANES + colours);
  counts.points = least(contacts, contacts / RG_NSGS_LANES + colours * counts.largest + 1);
  rgCarver carver = {NULL, 0};
  carve_fixed(&carver, problem, &nsgs, &scratch);
  carve_counted(&carver, problem, &counts, &nsgs);
  // a contact visited alone is not in a batch and takes this much more than its share of one
  size_t alone = sizeof(rgNsgsGeneral) + 2 * 4 * sizeof(double);
  size_t batched = (sizeof(rgNsgsPoint) + sizeof(rgFour)) / RG_NSGS_LANES + 2 * 3 * sizeof(double);
  size_t excess = alone > batched ? alone - batched : 0;
  enum { PIECES = 9 }; // of carve_counted, each rounded up
  return carver.used + excess * (size_t)contacts + (size_t)PIECES * RG_ALIGNMENT;
}

// -------------------------------------------------------------------------------------------------
// Colouring and filling
// -------------------------------------------------------------------------------------------------

static int lowest_free(uint64_t used) { return ~used ? __builtin_ctzll(~used) : RG_NSGS_COLOURS; }

static bool all_plain(const rgProblem* problem, int first, int count) {
  for (int i = first; i < first + count; i++)
    if (!is_plain(problem, &problem->contacts[i]))
      return false;
  return true;
}

static bool presses(const double* r, int first, int count) {
  for (int i = first; i < first + count; i++)
    if (r[4 * (size_t)i] > 0)
      return true;
  return false;
}

static Counts colour(const rgProblem* problem, const double* r, Scratch* scratch) {
  Counts counts = {0};
  memset(scratch->colours, 0, (size_t)problem->body_count * sizeof(uint64_t));
  Manifold* manifold = scratch->manifolds;
  bool ball = false;
  for (int i = 0; i < problem->contact_count; i += manifold->count, manifold++) {
    if (!ball) // as the last one, and so will be those to come
      rg_prefetch_bodies(problem, i);
    manifold->first = i;
    manifold->count = manifold_length(problem, i);
    manifold->key = NO_BATCH;
    counts.manifolds++;
    counts.corners += count_corners(problem, i, manifold->count);
    ball = manifold->count == 1 && rg_nsgs_is_ball(problem, scratch->masses, &problem->contacts[i]);
    if (!ball && !all_plain(problem, i, manifold->count))
      continue;
    int a = problem->contacts[i].body_a, b = problem->contacts[i].body_b;
    uint64_t used = (a < 0 ? 0 : scratch->colours[a]) | (b < 0 ? 0 : scratch->colours[b]);
    int free = lowest_free(used);
    if (free == RG_NSGS_COLOURS)
      continue;
    if (a >= 0)
      scratch->colours[a] |= (uint64_t)1 << free;
    if (b >= 0)
      scratch->colours[b] |= (uint64_t)1 << free;
    int group = 2 * free + presses(r, i, manifold->count);
    manifold->key = ball ? group : GROUPS + group * RG_NSGS_POINTS_MAX + manifold->count - 1;
  }
  return counts;
}

// Sorts by key, keeping the order of equals; returns the number of manifolds in batches, which come
// first.
static int arrange(Scratch* scratch, int manifolds) {
  int32_t start[KEY_COUNT + 2] = {0};
  for (int i = 0; i < manifolds; i++)
    start[scratch->manifolds[i].key + 1]++;
  for (int k = 0; k <= KEY_COUNT; k++)
    start[k + 1] += start[k];
  int batched = start[NO_BATCH];
  for (int i = 0; i < manifolds; i++)
    scratch->order[start[scratch->manifolds[i].key]++] = i;
  return batched;
}

// What the members of a batch have in common: colour and pressing, below GROUPS for balls.
static int group_at(const Scratch* scratch, int i) {
  int key = scratch->manifolds[scratch->order[i]].key;
  return key < GROUPS ? key : GROUPS + (key - GROUPS) / RG_NSGS_POINTS_MAX;
}

// Number of manifolds from `i` on in the order that make one batch, and the most points among them:
// the last one's.
static int batch_length(const Scratch* scratch, int i, int batched, int* points) {
  int group = group_at(scratch, i), count = 1;
  while (count < RG_NSGS_LANES && i + count < batched && group_at(scratch, i + count) == group)
    count++;
  *points = scratch->manifolds[scratch->order[i + count - 1]].count;
  return count;
}

static void count_packed(const Scratch* scratch, int batched, Counts* counts) {
  int points;
  for (int i = 0, count; i < batched; i += count) {
    count = batch_length(scratch, i, batched, &points);
    if (group_at(scratch, i) < GROUPS) {
      counts->balls++;
      continue;
    }
    counts->batches++;
    counts->points += points;
  }
  for (int i = batched; i < counts->manifolds; i++)
    counts->generals += scratch->manifolds[scratch->order[i]].count;
}

static rgSix frame_inertia(const rgSix* j, const rgProblemContact* contact) {
  rgVec3 n = six_apply(j, contact->n), t = six_apply(j, contact->t), o = six_apply(j, contact->o);
  return (rgSix){v3_dot(contact->n, n), v3_dot(contact->t, t), v3_dot(contact->o, o),
                 v3_dot(contact->n, t), v3_dot(contact->n, o), v3_dot(contact->t, o)};
}

static rgVec3 frame_vector(const rgProblemContact* contact, rgVec3 a) {
  return v3(v3_dot(contact->n, a), v3_dot(contact->t, a), v3_dot(contact->o, a));
}

static void put_six(rgFour out[6], int lane, const rgSix* j) {
  out[0].lane[lane] = j->xx;
  out[1].lane[lane] = j->yy;
  out[2].lane[lane] = j->zz;
  out[3].lane[lane] = j->xy;
  out[4].lane[lane] = j->xz;
  out[5].lane[lane] = j->yz;
}

static void put_vector(rgFour out[3], int lane, rgVec3 a) {
  out[0].lane[lane] = a.x;
  out[1].lane[lane] = a.y;
  out[2].lane[lane] = a.z;
}

// Adds A J A' for the columns (r x n, r x t, r x o) of A, all in the frame.
static void add_block(rgSix* w, const rgSix* j, rgVec3 r) {
  rgVec3 n = six_apply(j, v3(0, r.z, -r.y)), t = six_apply(j, v3(-r.z, 0, r.x)),
         o = six_apply(j, v3(r.y, -r.x, 0));
  w->xx += r.z * n.y - r.y * n.z;
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
static const double idle_compliance = 1e30;

// Writes one contact into a lane. `in_world`: arms in world axes instead of those of the frame.
static void put_point(const Pair* pair, const rgProblemContact* contact, bool in_world,
                      rgNsgsPoint* point, int lane) {
  rgVec3 arm_a = frame_vector(contact, contact->arm_a),
         arm_b = frame_vector(contact, contact->arm_b);
  rgSix w = {.xx = pair->mass, .yy = pair->mass, .zz = pair->mass};
  if (contact->body_a >= 0)
    add_block(&w, &pair->frame_a, arm_a);
  if (contact->body_b >= 0)
    add_block(&w, &pair->frame_b, arm_b);
  double block[4][4] = {{w.xx, w.xy, w.xz}, {w.xy, w.yy, w.yz}, {w.xz, w.yz, w.zz}};
  rgOneBlock one;
  rg_one_reduce(block, pair->tangents, 0, &one);
  if (!(one.inverse_wnn > 0))
    return; // held along n: stays as an empty lane
  put_vector(point->arm_a, lane, in_world ? contact->arm_a : arm_a);
  put_vector(point->arm_b, lane, in_world ? contact->arm_b : arm_b);
  put_vector(point->bias, lane, v3(contact->bias[0], contact->bias[1], contact->bias[2]));
  double idle = idle_compliance * w.xx;
  point->inverse_wnn.lane[lane] = one.inverse_wnn;
  point->w[0].lane[lane] = one.w[0];
  point->w[1].lane[lane] = one.w[1];
  double s11 = one.m > 0 ? one.s[0][0] : idle, s12 = one.s[0][1];
  double s22 = one.m > 1 ? one.s[1][1] : idle, inverse = 1 / (s11 * s22 - s12 * s12);
  point->t11.lane[lane] = s22 * inverse;
  point->t12.lane[lane] = -s12 * inverse;
  point->t22.lane[lane] = s11 * inverse;
  double trace = w.xx + (one.m > 0 ? w.yy : 0) + (one.m > 1 ? w.zz : 0);
  double inverse_rho = trace / (1 + one.m);
  point->weight.lane[lane] = inverse_rho * inverse_rho;
}

static void put_manifold(rgNsgs* nsgs, const rgProblem* problem, const double* r,
                         const Manifold* manifold, rgNsgsBatch* batch, int lane) {
  const rgProblemContact* contact = &problem->contacts[manifold->first];
  Pair pair = make_pair(problem, contact);
  bool in_world = batch->count == 1;
  put_vector(batch->frame[0], lane, contact->n);
  put_vector(batch->frame[1], lane, contact->t);
  put_vector(batch->frame[2], lane, contact->o);
  batch->mass_a.lane[lane] = pair.a.linear;
  batch->mass_b.lane[lane] = pair.b.linear;
  put_six(batch->inertia_a, lane, in_world ? &pair.a.angular : &pair.frame_a);
  put_six(batch->inertia_b, lane, in_world ? &pair.b.angular : &pair.frame_b);
  batch->mu.lane[lane] = contact->cone == RG_CONE_DISK ? contact->mu : 0;
  if (contact->body_a >= 0)
    batch->body_a[lane] = contact->body_a;
  if (contact->body_b >= 0)
    batch->body_b[lane] = contact->body_b;
  for (int k = 0; k < manifold->count; k++) {
    int p = batch->first + k;
    put_point(&pair, contact + k, in_world, &nsgs->points[p], lane);
    rg_nsgs_place(nsgs, manifold->first + k, 12 * p + lane, r);
  }
}

// Lanes of a batch that never move anything.
static void clear_batch(rgNsgs* nsgs, rgNsgsBatch* batch) {
  int32_t first = batch->first, count = batch->count, twin = batch->twin;
  memset(batch, 0, sizeof *batch);
  batch->first = first;
  batch->count = count;
  batch->twin = twin;
  memset(&nsgs->points[first], 0, (size_t)count * sizeof(rgNsgsPoint));
  for (int lane = 0; lane < RG_NSGS_LANES; lane++) {
    batch->body_a[lane] = batch->body_b[lane] = nsgs->problem->body_count;
    for (int p = first; p < first + count; p++)
      nsgs->points[p].t11.lane[lane] = nsgs->points[p].t22.lane[lane] = 1;
  }
}

// What is filled in by several threads: blocks of manifolds for balls, of batches for others.
typedef struct Filling {
  rgNsgs* nsgs;
  const rgProblem* problem;
  const double* r;
  const Scratch* scratch;
  int manifolds, batched; // all, and those in batches
} Filling;

enum { BALLS_PER_TASK = 512, BATCHES_PER_TASK = 64 };

static void run_blocks(rgTasks* tasks, int count, int size, rgTaskFunction* function,
                       Filling* filling) {
  int blocks = (count + size - 1) / size;
  if (tasks)
    rg_tasks_run(tasks, blocks, function, filling);
  for (int k = 0; k < blocks && !tasks; k++)
    function(filling, k, 0);
}

static void fill_ball_block(void* context, int item, int worker) {
  (void)worker;
  const Filling* filling = context;
  rgNsgs* nsgs = filling->nsgs;
  const rgProblem* problem = filling->problem;
  const Scratch* scratch = filling->scratch;
  int first = item * BALLS_PER_TASK, end = least(first + BALLS_PER_TASK, filling->manifolds);
  for (int i = first; i < end; i++) {
    if (scratch->manifolds[i].key >= GROUPS)
      continue;
    int contact = scratch->manifolds[i].first, slot = scratch->manifolds[i].slot;
    int index = slot / RG_NSGS_LANES, lane = slot % RG_NSGS_LANES;
    rg_nsgs_ball_put(scratch->masses, &problem->contacts[contact], problem->body_count,
                     &nsgs->balls[index], lane);
    rg_nsgs_place(nsgs, contact, nsgs->ball_state + 12 * index + lane, filling->r);
  }
}

// Balls, in the order of the contacts, each into the open batch of its colour: in the order of
// the batches every colour would go through all of the problem again. Returns how many there are;
// they come first in the order.
static int fill_balls(Filling* filling, rgTasks* tasks) {
  rgNsgs* nsgs = filling->nsgs;
  const Scratch* scratch = filling->scratch;
  int total = 0, count[GROUPS] = {0}, next[GROUPS]; // lanes, counted through
  for (int i = 0; i < filling->manifolds; i++)
    if (scratch->manifolds[i].key < GROUPS)
      count[scratch->manifolds[i].key]++;
  int last_colour = -1;
  for (int group = 0; group < GROUPS; group++) {
    next[group] = RG_NSGS_LANES * nsgs->ball_count;
    int first = nsgs->ball_count;
    nsgs->ball_count += (count[group] + RG_NSGS_LANES - 1) / RG_NSGS_LANES;
    if (nsgs->ball_count == first)
      continue;
    if (group / 2 != last_colour)
      nsgs->hues[nsgs->hue_count++] = (rgNsgsPart){true, first, 0};
    nsgs->hues[nsgs->hue_count - 1].end = nsgs->ball_count;
    last_colour = group / 2;
    total += count[group];
    if (count[group] % RG_NSGS_LANES > 0)
      rg_nsgs_ball_clear(filling->problem->body_count, &nsgs->balls[nsgs->ball_count - 1]);
  }
  if (total == 0)
    return 0;
  for (int i = 0; i < filling->manifolds; i++)
    if (scratch->manifolds[i].key < GROUPS)
      scratch->manifolds[i].slot = next[scratch->manifolds[i].key]++;
  run_blocks(tasks, filling->manifolds, BALLS_PER_TASK, fill_ball_block, filling);
  return total;
}

static void fill_batch_block(void* context, int item, int worker) {
  (void)worker;
  const Filling* filling = context;
  rgNsgs* nsgs = filling->nsgs;
  const Scratch* scratch = filling->scratch;
  int first = item * BATCHES_PER_TASK, end = least(first + BATCHES_PER_TASK, nsgs->batch_count);
  for (int k = first; k < end; k++) {
    rgNsgsBatch* batch = &nsgs->batches[k];
    clear_batch(nsgs, batch);
    int start = scratch->starts[k],
        stop = k + 1 < nsgs->batch_count ? scratch->starts[k + 1] : filling->batched;
    for (int i = start; i < stop; i++)
      put_manifold(nsgs, filling->problem, filling->r, &scratch->manifolds[scratch->order[i]],
                   batch, i - start);
  }
}

// Where the points of each batch are, which batches are twins and where colours begin; then what they hold.
static void fill_batches(Filling* filling, int first, rgTasks* tasks) {
  rgNsgs* nsgs = filling->nsgs;
  const Scratch* scratch = filling->scratch;
  int points, last_group = -1;
  for (int i = first, count; i < filling->batched; i += count) {
    count = batch_length(scratch, i, filling->batched, &points);
    int group = group_at(scratch, i);
    scratch->starts[nsgs->batch_count] = i;
    rgNsgsBatch* batch = &nsgs->batches[nsgs->batch_count++];
    batch->first = nsgs->point_count;
    batch->count = points;
    batch->twin = 0;
    nsgs->point_count += points;
    if (group == last_group && (batch[-1].count > 1) == (points > 1) && !batch[-1].twin) {
      batch[-1].twin = 1;
      batch->twin = 2;
    }
    if (last_group < 0 || group / 2 != last_group / 2)
      nsgs->hues[nsgs->hue_count++] = (rgNsgsPart){false, nsgs->batch_count - 1, 0};
    nsgs->hues[nsgs->hue_count - 1].end = nsgs->batch_count;
    last_group = group;
  }
  run_blocks(tasks, nsgs->batch_count, BATCHES_PER_TASK, fill_batch_block, filling);
}

// -------------------------------------------------------------------------------------------------
// Contacts visited alone, rows
// -------------------------------------------------------------------------------------------------

static void put_general(rgNsgs* nsgs, const rgProblem* problem, const double* r, int index,
                        int32_t first_corner) {
  rgNsgsGeneral* general = &nsgs->generals[nsgs->general_count];
  rg_nsgs_general_make(problem, index, general);
  general->first_corner = first_corner;
  rg_nsgs_place(nsgs, index, nsgs->general_state + 4 * nsgs->general_count, r);
  nsgs->general_count++;
}

static void fill_generals(rgNsgs* nsgs, const rgProblem* problem, const double* r,
                          const Scratch* scratch, int batched, int manifolds) {
  // tables of corners follow the order of the contacts, and so do the manifolds visited alone
  int32_t table = 0, next_table = 0;
  int seen = 0;
  for (int i = batched; i < manifolds; i++) {
    const Manifold* manifold = &scratch->manifolds[scratch->order[i]];
    for (int k = manifold->first; k < manifold->first + manifold->count; k++) {
      for (; seen <= k; seen++)
        if (rg_one_polygon_starts(problem, seen)) {
          table = next_table;
          rg_one_polygon_corners(problem, &problem->contacts[seen], nsgs->corners + table);
          next_table += problem->contacts[seen].facets;
        }
      put_general(nsgs, problem, r, k, table);
    }
  }
}

static rgTwist row_step(const rgProblem* problem, int body, rgTwist g) {
  return body < 0 ? (rgTwist){v3_zero(), v3_zero()} : rg_mass_response(problem, body, g);
}

static void fill_rows(rgNsgs* nsgs, const rgProblem* problem) {
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double rigid = rg_row_block(problem, row), block = rigid + row->compliance,
           weight = block * rg_row_weight_of(problem, row, rigid);
    nsgs->rows[i] = (rgNsgsRow){.inverse_block = block > 0 ? 1 / block : 0,
                                .weight = weight * weight,
                                .step_a = row_step(problem, row->body_a, row->g_a),
                                .step_b = row_step(problem, row->body_b, row->g_b)};
  }
}

static void fill_metric(rgNsgs* nsgs, const rgProblem* problem) {
  for (int i = 0; i < problem->body_count; i++) {
    rgRigidMatrix m = rg_mass_metric(problem, i);
    double* metric = nsgs->metric + (size_t)i * RG_NSGS_BODY;
    metric[0] = m.linear;
    metric[1] = 0;
    metric[2] = m.angular.xx;
    metric[3] = m.angular.yy;
    metric[4] = m.angular.zz;
    metric[5] = m.angular.xy;
    metric[6] = m.angular.xz;
    metric[7] = m.angular.yz;
  }
}

rgNsgs* rg_nsgs_pack(const rgProblem* problem, const rgSolution* solution, void* work,
                     rgTasks* tasks) {
  rgCarver carver = {work, 0};
  rgNsgs* nsgs = work;
  memset(nsgs, 0, sizeof *nsgs);
  Scratch scratch;
  carve_fixed(&carver, problem, nsgs, &scratch);
  rg_nsgs_ball_masses(problem, scratch.masses);
  Counts counts = colour(problem, solution->r, &scratch);
  int batched = arrange(&scratch, counts.manifolds);
  count_packed(&scratch, batched, &counts);
  carve_counted(&carver, problem, &counts, nsgs);

  nsgs->problem = problem;
  nsgs->body_count = problem->body_count;
  nsgs->sweep = rg_nsgs_sweep_avx2();
  if (!nsgs->sweep)
    nsgs->sweep = rg_nsgs_sweep_plain;
  nsgs->extrapolate = rg_nsgs_extrapolate_avx2();
  if (!nsgs->extrapolate)
    nsgs->extrapolate = rg_nsgs_extrapolate_plain;
  memset(nsgs->alpha, 0, (size_t)counts.points * sizeof *nsgs->alpha);
  memset(nsgs->state, 0, (size_t)nsgs->state_count * sizeof(double));
  memset(nsgs->rest, 0, (size_t)(counts.balls + counts.batches) * sizeof *nsgs->rest);
  const double* r = solution->r;
  Filling filling = {nsgs, problem, r, &scratch, counts.manifolds, batched};
  int balls = fill_balls(&filling, tasks);
  fill_batches(&filling, balls, tasks);
  fill_generals(nsgs, problem, r, &scratch, batched, counts.manifolds);
  fill_rows(nsgs, problem);
  fill_metric(nsgs, problem);
  rg_nsgs_load_bodies(nsgs, solution);
  return nsgs;
}
