// nsgs_pack.c - from a problem to batches of manifolds.
//
// Contacts are cut into manifolds; manifolds get the lowest colour that neither of their bodies has
// yet (a mask of 64 colours per body); balls and others apart, within a colour they are sorted
// by whether they press at the start and by their number of points, and filled into batches of four or eight, so
// that little is padded and batches that do not press can rest. All choices follow the order of the
// contacts: the same problem gives the same batches.
//
// Workspace: the number of batches is known only after colouring. A solve that may ask for memory then
// asks for what these need (room_of); for others rg_nsgs_size bounds it. In a group, what presses or does not
// in a colour, a batch has as many points as its largest manifold. Sorted by size, that is no larger than the smallest of
// the next batch; so without the last two batches, of which one may not be full, points <= contacts / lanes, and
// batches <= manifolds / lanes + groups.
#include "solve/nsgs/nsgs_pack.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

enum {
  GROUPS = RG_NSGS_GROUPS,
  KEY_COUNT = GROUPS * (1 + RG_NSGS_POINTS_MAX),
  NO_BATCH = KEY_COUNT // the key of what is visited alone
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

typedef struct Counts {
  int manifolds, largest; // number of manifolds, most contacts in one
  int corners;
  int balls, batches, points, generals;
  int rough; // manifolds that are balls with friction
} Counts;

// Corners of the polygons that begin within some contacts.
static int count_corners(const rgProblem* problem, int first, int count) {
  int corners = 0;
  for (int i = first; i < first + count; i++)
    if (rg_one_is_polygon(&problem->contacts[i]) && rg_one_polygon_starts(problem, i))
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

// What is known before the contacts are coloured.
static void carve_fixed(rgCarver* carver, const rgProblem* problem, rgNsgs* nsgs,
                        rgNsgsScratch* scratch) {
  rg_carve(carver, 1, sizeof *nsgs);
  size_t bodies = (size_t)problem->body_count;
  nsgs->sums = rg_carve(carver, bodies / RG_NSGS_BLOCK + 1, sizeof(double));
  nsgs->entry = rg_carve(carver, (size_t)problem->contact_count, sizeof *nsgs->entry);
  nsgs->rows = rg_carve(carver, (size_t)problem->row_count, sizeof *nsgs->rows);
  scratch->manifolds = rg_carve(carver, (size_t)problem->contact_count, sizeof *scratch->manifolds);
  scratch->order = rg_carve(carver, (size_t)problem->contact_count, sizeof(int32_t));
  scratch->starts = rg_carve(carver, (size_t)problem->contact_count, sizeof(int32_t));
  nsgs->masks = rg_carve(carver, bodies, sizeof *nsgs->masks);
  scratch->masses = rg_carve(carver, bodies, sizeof *scratch->masses);
}

static void carve_counted(rgCarver* carver, const rgProblem* problem, const rgNsgsForm* form,
                          const Counts* counts, rgNsgs* nsgs) {
  nsgs->ball_state = 3 * form->lanes * counts->points;
  nsgs->lone_state = nsgs->ball_state + 3 * form->lanes * counts->balls;
  nsgs->lone_count = 4 * counts->generals + problem->row_count;
  size_t state = (size_t)nsgs->lone_state, lone = (size_t)nsgs->lone_count;
  size_t dummies = (size_t)counts->balls + (size_t)counts->batches;
  size_t bodies = (size_t)problem->body_count, velocities = bodies * RG_NSGS_BODY;
  nsgs->last_v = rg_carve(carver, velocities, form->real);
  nsgs->start_v = rg_carve(carver, velocities, form->real);
  nsgs->metric = rg_carve(carver, velocities, form->real);
  nsgs->base = form->single ? rg_carve(carver, 6 * bodies, sizeof(double)) : NULL;
  nsgs->v = rg_carve(carver, velocities + dummies * RG_NSGS_BODY, form->real);
  nsgs->corners = rg_carve(carver, (size_t)counts->corners, sizeof *nsgs->corners);
  nsgs->state = rg_carve(carver, state, form->real);
  nsgs->last_state = rg_carve(carver, state, form->real);
  nsgs->lone = rg_carve(carver, lone, sizeof(double));
  nsgs->last_lone = rg_carve(carver, lone, sizeof(double));
  nsgs->alpha = rg_carve(carver, (size_t)form->lanes * (size_t)counts->points, form->real);
  nsgs->rest = rg_carve(carver, dummies, sizeof *nsgs->rest);
  nsgs->balls = rg_carve(carver, (size_t)counts->balls, form->ball);
  nsgs->batches = rg_carve(carver, (size_t)counts->batches, form->batch);
  nsgs->runs = rg_carve(carver, (size_t)counts->batches, sizeof *nsgs->runs);
  nsgs->points = rg_carve(carver, (size_t)counts->points, form->point);
  nsgs->generals = rg_carve(carver, (size_t)counts->generals, sizeof *nsgs->generals);
}

static int least(int a, int b) { return a < b ? a : b; }

static size_t fixed_size(const rgProblem* problem) {
  rgNsgs nsgs;
  rgNsgsScratch scratch;
  rgCarver carver = {NULL, 0};
  carve_fixed(&carver, problem, &nsgs, &scratch);
  return carver.used;
}

static size_t counted_size(const rgProblem* problem, const rgNsgsForm* form, const Counts* counts) {
  rgNsgs nsgs;
  rgCarver carver = {NULL, 0};
  carve_counted(&carver, problem, form, counts, &nsgs);
  return carver.used;
}

static size_t form_size(const rgProblem* problem, const rgNsgsForm* form, Counts counts) {
  int contacts = problem->contact_count, lanes = form->lanes;
  // a batch of balls takes less than one of others with its point
  int colours = least(2 * GROUPS, counts.manifolds); // groups of balls and others
  counts.batches = least(counts.manifolds, counts.manifolds / lanes + colours);
  counts.points = least(contacts, contacts / lanes + colours * counts.largest + 1);
  // a contact visited alone is not in a batch and takes this much more than its share of one
  size_t alone = sizeof(rgNsgsGeneral) + 2 * 4 * sizeof(double);
  size_t batched = form->point / (size_t)lanes + (2 * 3 + 1) * form->real;
  size_t excess = alone > batched ? alone - batched : 0;
  enum { PIECES = 17 }; // of carve_counted, each rounded up
  return counted_size(problem, form, &counts) + excess * (size_t)contacts +
         (size_t)PIECES * RG_ALIGNMENT;
}

size_t rg_nsgs_lean_size(const rgProblem* problem) { return fixed_size(problem); }

// Either form may be packed, one after the other.
size_t rg_nsgs_size(const rgProblem* problem) {
  Counts counts = count_manifolds(problem);
  size_t doubles = form_size(problem, &rg_nsgs_form_double, counts),
         floats = form_size(problem, &rg_nsgs_form_single, counts);
  return fixed_size(problem) + (doubles > floats ? doubles : floats);
}

// -------------------------------------------------------------------------------------------------
// Colouring and filling
// -------------------------------------------------------------------------------------------------

static int lowest_free(uint64_t used) { return ~used ? __builtin_ctzll(~used) : RG_NSGS_COLOURS; }

// What colouring asks of a contact: whether it goes on with the manifold of the one before, what it is, ...
enum { GOES_ON = 1, BALL = 2, PLAIN = 4, PRESSES = 8, POLYGON = 16, ROUGH = 32 };

typedef struct Looking {
  const rgProblem* problem;
  const double* r;
  rgNsgsScratch* scratch;
} Looking;

// What contacts are, which takes most of the time of colouring and is seen of each by itself, and their bodies, where a
// manifold with as many others before it will be. Only the last of a run that goes on can be a manifold of one point.
static void look_range(void* context, int first, int end) {
  const Looking* looking = context;
  const rgProblem* problem = looking->problem;
  const rgProblemContact* contacts = problem->contacts;
  bool ball = false, last = first == 0 || !same_manifold(&contacts[first - 1], &contacts[first]);
  for (int i = first; i < end; i++) {
    if (!ball) // as the last one, and so will be those to come
      rg_prefetch_bodies(problem, i);
    bool on = !last;
    last = i + 1 == problem->contact_count || !same_manifold(&contacts[i], &contacts[i + 1]);
    ball = last && rg_nsgs_is_ball(problem, looking->scratch->masses, &contacts[i]);
    bool plain = (on || !last || !ball) && is_plain(problem, &contacts[i]);
    looking->scratch->order[i] = (on ? GOES_ON : 0) | (ball ? BALL : 0) | (plain ? PLAIN : 0) |
                                 (looking->r[4 * (size_t)i] > 0 ? PRESSES : 0) |
                                 (rg_one_polygon_starts(problem, i) ? POLYGON : 0) |
                                 (contacts[i].cone != RG_CONE_FRICTIONLESS ? ROUGH : 0);
    looking->scratch->manifolds[i].first = contacts[i].body_a;
    looking->scratch->manifolds[i].count = contacts[i].body_b;
  }
}

static void weigh_range(void* context, int first, int end) {
  const Looking* looking = context;
  rg_nsgs_ball_masses(looking->problem, first, end, looking->scratch->masses);
}

// The manifold that begins at a contact; returns what its contacts are: all of them plain, some of them the rest.
static int next_manifold(const rgProblem* problem, const int32_t* looks, int first,
                         rgNsgsManifold* manifold) {
  int any = looks[first] & ~GOES_ON, all = any, count = 1;
  for (; count < RG_NSGS_POINTS_MAX && first + count < problem->contact_count &&
         looks[first + count] & GOES_ON;
       count++) {
    any |= looks[first + count];
    all &= looks[first + count];
  }
  *manifold = (rgNsgsManifold){.first = first, .count = count, .key = NO_BATCH};
  return (any & (PRESSES | POLYGON | ROUGH)) | (all & PLAIN) | (count == 1 ? any & BALL : 0);
}

// With several threads these look at all contacts first; one does so a little ahead.
static Counts colour(const rgProblem* problem, const double* r, uint64_t* used_by,
                     rgNsgsScratch* scratch, rgTasks* tasks) {
  enum { AHEAD = 256 };
  Counts counts = {0};
  memset(used_by, 0, (size_t)problem->body_count * sizeof *used_by);
  rgNsgsManifold* manifold = scratch->manifolds;
  Looking looking = {problem, r, scratch};
  int seen = 0, total = problem->contact_count;
  if (tasks && rg_tasks_threads(tasks) > 1) {
    rg_tasks_ranges(tasks, total, look_range, &looking);
    seen = total;
  }
  for (int i = 0; i < total; i += manifold->count, manifold++) {
    if (seen < total && i + RG_NSGS_POINTS_MAX >= seen) {
      int end = total - seen < AHEAD ? total : seen + AHEAD;
      look_range(&looking, seen, end);
      seen = end;
    }
    int a = scratch->manifolds[i].first, b = scratch->manifolds[i].count;
    int looks = next_manifold(problem, scratch->order, i, manifold);
    bool ball = looks & BALL;
    counts.manifolds++;
    if (looks & POLYGON)
      counts.corners += count_corners(problem, i, manifold->count);
    if (!ball && !(looks & PLAIN))
      continue;
    uint64_t used = (a < 0 ? 0 : used_by[a]) | (b < 0 ? 0 : used_by[b]);
    int free = lowest_free(used);
    if (free == RG_NSGS_COLOURS)
      continue;
    counts.rough += ball && (looks & ROUGH);
    if (a >= 0)
      used_by[a] |= (uint64_t)1 << free;
    if (b >= 0)
      used_by[b] |= (uint64_t)1 << free;
    int group = 2 * free + (looks & PRESSES ? 1 : 0);
    manifold->key = ball ? group : GROUPS + group * RG_NSGS_POINTS_MAX + manifold->count - 1;
  }
  return counts;
}

// Sorts by key, keeping the order of equals; returns the number of manifolds in batches, which come
// first.
static int arrange(rgNsgsScratch* scratch, int manifolds) {
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
static int group_at(const rgNsgsScratch* scratch, int i) {
  int key = scratch->manifolds[scratch->order[i]].key;
  return key < GROUPS ? key : GROUPS + (key - GROUPS) / RG_NSGS_POINTS_MAX;
}

// Number of manifolds from `i` on in the order that make one batch, and the most points among them:
// the last one's.
static int batch_length(const rgNsgsScratch* scratch, int lanes, int i, int batched, int* points) {
  int group = group_at(scratch, i), count = 1;
  while (count < lanes && i + count < batched && group_at(scratch, i + count) == group)
    count++;
  *points = scratch->manifolds[scratch->order[i + count - 1]].count;
  return count;
}

static void count_packed(const rgNsgsScratch* scratch, int lanes, int batched, Counts* counts) {
  int points;
  for (int i = 0, count; i < batched; i += count) {
    count = batch_length(scratch, lanes, i, batched, &points);
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

// What the present colours need whichever of their contacts press, so that contacts that stay as they are never ask for
// more than they did.
static Counts room_of(const rgNsgsScratch* scratch, int lanes, Counts counts) {
  struct {
    int balls, manifolds, contacts, largest;
  } hues[RG_NSGS_COLOURS] = {0}, *hue;
  for (int i = 0; i < counts.manifolds; i++) {
    const rgNsgsManifold* manifold = &scratch->manifolds[i];
    if (manifold->key < GROUPS) {
      hues[manifold->key / 2].balls++;
    } else if (manifold->key < NO_BATCH) {
      hue = &hues[(manifold->key - GROUPS) / RG_NSGS_POINTS_MAX / 2];
      hue->manifolds++;
      hue->contacts += manifold->count;
      hue->largest = manifold->count > hue->largest ? manifold->count : hue->largest;
    }
  }
  counts.balls = counts.batches = counts.points = 0;
  for (hue = hues; hue < hues + RG_NSGS_COLOURS; hue++) { // of two groups each
    counts.balls += least(hue->balls, hue->balls / lanes + 2);
    counts.batches += least(hue->manifolds, hue->manifolds / lanes + 2);
    counts.points += least(hue->contacts, hue->contacts / lanes + 4 * hue->largest);
  }
  return counts;
}

static void run_blocks(rgTasks* tasks, int count, int size, rgTaskFunction* function,
                       rgNsgsFilling* filling) {
  int blocks = (count + size - 1) / size;
  if (tasks)
    rg_tasks_run(tasks, blocks, function, filling);
  for (int k = 0; k < blocks && !tasks; k++)
    function(filling, k, 0);
}

// Balls, in the order of the contacts, each into the open batch of its colour: in the order of
// the batches every colour would go through all of the problem again. Returns how many there are;
// they come first in the order.
static int fill_balls(rgNsgsFilling* filling, rgTasks* tasks) {
  rgNsgs* nsgs = filling->nsgs;
  const rgNsgsScratch* scratch = filling->scratch;
  int lanes = nsgs->form->lanes;
  int total = 0, count[GROUPS] = {0}, next[GROUPS]; // lanes, counted through
  for (int i = 0; i < filling->manifolds; i++)
    if (scratch->manifolds[i].key < GROUPS)
      count[scratch->manifolds[i].key]++;
  int last_colour = -1;
  for (int group = 0; group < GROUPS; group++) {
    next[group] = lanes * nsgs->ball_count;
    int first = nsgs->ball_count;
    nsgs->ball_count += (count[group] + lanes - 1) / lanes;
    if (nsgs->ball_count == first)
      continue;
    if (group / 2 != last_colour)
      nsgs->hues[nsgs->hue_count++] = (rgNsgsPart){true, first, 0};
    nsgs->hues[nsgs->hue_count - 1].end = nsgs->ball_count;
    nsgs->pressing[nsgs->hue_count - 1] = group % 2 ? first : nsgs->ball_count;
    last_colour = group / 2;
    total += count[group];
    if (count[group] % lanes > 0)
      nsgs->form->clear_ball(nsgs, nsgs->ball_count - 1);
  }
  if (total == 0)
    return 0;
  for (int i = 0; i < filling->manifolds; i++)
    if (scratch->manifolds[i].key < GROUPS)
      scratch->manifolds[i].slot = next[scratch->manifolds[i].key]++;
  run_blocks(tasks, filling->manifolds, RG_NSGS_BALLS_PER_TASK, nsgs->form->fill_balls, filling);
  return total;
}

// Where the points of each batch are, which batches are twins and where colours begin; then what they hold.
static void fill_batches(rgNsgsFilling* filling, int first, rgTasks* tasks) {
  rgNsgs* nsgs = filling->nsgs;
  const rgNsgsScratch* scratch = filling->scratch;
  int points, last_group = -1;
  for (int i = first, count; i < filling->batched; i += count) {
    count = batch_length(scratch, nsgs->form->lanes, i, filling->batched, &points);
    int group = group_at(scratch, i);
    scratch->starts[nsgs->batch_count] = i;
    rgNsgsRun* run = &nsgs->runs[nsgs->batch_count++];
    *run = (rgNsgsRun){.first = nsgs->point_count, .count = points, .twin = 0};
    nsgs->point_count += points;
    if (group == last_group && (run[-1].count > 1) == (points > 1) && !run[-1].twin) {
      run[-1].twin = 1;
      run->twin = 2;
    }
    if (last_group < 0 || group / 2 != last_group / 2) {
      nsgs->pressing[nsgs->hue_count] = nsgs->batch_count - 1;
      nsgs->hues[nsgs->hue_count++] = (rgNsgsPart){false, nsgs->batch_count - 1, 0};
    }
    nsgs->hues[nsgs->hue_count - 1].end = nsgs->batch_count;
    if (group % 2 == 0)
      nsgs->pressing[nsgs->hue_count - 1] = nsgs->batch_count;
    last_group = group;
  }
  run_blocks(tasks, nsgs->batch_count, RG_NSGS_BATCHES_PER_TASK, nsgs->form->fill_batches, filling);
}

// -------------------------------------------------------------------------------------------------
// Contacts visited alone, rows
// -------------------------------------------------------------------------------------------------

static void put_general(rgNsgs* nsgs, const rgProblem* problem, const double* r, int index,
                        int32_t first_corner) {
  rgNsgsGeneral* general = &nsgs->generals[nsgs->general_count];
  rg_nsgs_general_make(problem, index, general);
  general->first_corner = first_corner;
  nsgs->entry[index] = nsgs->lone_state + 4 * nsgs->general_count;
  memcpy(nsgs->lone + 4 * (size_t)nsgs->general_count, r + 4 * (size_t)index, 4 * sizeof(double));
  nsgs->general_count++;
}

static void fill_generals(rgNsgs* nsgs, const rgProblem* problem, const double* r,
                          const rgNsgsScratch* scratch, int batched, int manifolds) {
  // tables of corners follow the order of the contacts, and so do the manifolds visited alone
  int32_t table = 0, next_table = 0;
  int seen = 0;
  for (int i = batched; i < manifolds; i++) {
    const rgNsgsManifold* manifold = &scratch->manifolds[scratch->order[i]];
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

// -------------------------------------------------------------------------------------------------
// All of it
// -------------------------------------------------------------------------------------------------

// The next power of two above a number > 0; of others 1.
static double power_above(double x) {
  int exponent = 0;
  if (x > 0 && x < HUGE_VAL)
    frexp(x, &exponent);
  return ldexp(1, exponent);
}

// Looks for the largest inverse mass of a moving body, and the least, with its sign changed.
static void measure_masses(void* context, int first, int end, double largest[2]) {
  const rgProblem* problem = context;
  for (int i = first; i < end; i++) {
    double inverse = rg_mass_inverse(problem, i).linear;
    if (!(inverse > 0))
      continue;
    largest[0] = fmax(largest[0], inverse);
    largest[1] = fmax(largest[1], -inverse);
  }
}

static void find_masses(const rgProblem* problem, rgTasks* tasks, double* largest, double* least) {
  rgProblem of = *problem;
  double found[2] = {0, -HUGE_VAL};
  rg_tasks_measure(tasks, problem->body_count, measure_masses, &of, found);
  *largest = found[0];
  *least = -found[1];
}

bool rg_nsgs_single_resolves(const rgProblem* problem, double goal, double speed, rgTasks* tasks) {
  static const double RESOLVED = 2e-5, EPSILON = 0x1p-24;
  double largest, least;
  if (!(goal >= RESOLVED * speed) || !(goal < HUGE_VAL))
    return false;
  find_masses(problem, tasks, &largest, &least);
  return largest * (2 * EPSILON * speed) <= least * goal;
}

static rgNsgsUnits units_of(const rgProblem* problem, const rgNsgsForm* form, double speed,
                            rgTasks* tasks) {
  if (!form->single)
    return (rgNsgsUnits){1, 1, 1, 1, 1, 1};
  double largest, least;
  find_masses(problem, tasks, &largest, &least);
  double mass = 1 / power_above(largest), fast = power_above(speed), impulse = mass * fast;
  return (rgNsgsUnits){mass, fast, impulse, 1 / mass, 1 / fast, 1 / impulse};
}

static void begin_pack(rgNsgs* nsgs, const rgProblem* problem, const rgSolution* solution,
                       const rgNsgsForm* form, double speed, const Counts* counts, rgTasks* tasks) {
  nsgs->problem = problem;
  nsgs->form = form;
  nsgs->unit = units_of(problem, form, speed, tasks);
  nsgs->body_count = problem->body_count;
  nsgs->smooth.balls = counts->rough == 0;
  nsgs->kernel = form->avx2();
  if (!nsgs->kernel)
    nsgs->kernel = form->plain;
  if (nsgs->base)
    memcpy(nsgs->base, solution->v, 6 * (size_t)problem->body_count * sizeof(double));
}

rgNsgs* rg_nsgs_pack(const rgProblem* problem, const rgSolution* solution, const rgNsgsForm* form,
                     double speed, void* work, rgTasks* tasks, const rgSolve* run) {
  rgCarver carver = {work, 0};
  rgNsgs* nsgs = work;
  memset(nsgs, 0, sizeof *nsgs);
  rgNsgsScratch scratch;
  carve_fixed(&carver, problem, nsgs, &scratch);
  Looking looking = {problem, solution->r, &scratch};
  rg_tasks_ranges(tasks, problem->body_count, weigh_range, &looking);
  Counts counts = colour(problem, solution->r, nsgs->masks, &scratch, tasks);
  int batched = arrange(&scratch, counts.manifolds);
  count_packed(&scratch, form->lanes, batched, &counts);
  if (run && run->more) {
    Counts room = room_of(&scratch, form->lanes, counts);
    carver = rg_solve_more(run, carver, counted_size(problem, form, &room));
    if (!carver.base)
      return NULL;
  }
  carve_counted(&carver, problem, form, &counts, nsgs);

  begin_pack(nsgs, problem, solution, form, speed, &counts, tasks);
  memset(nsgs->alpha, 0, (size_t)(form->lanes * counts.points) * form->real);
  memset(nsgs->state, 0, (size_t)nsgs->lone_state * form->real);
  memset(nsgs->rest, 0, (size_t)(counts.balls + counts.batches) * sizeof *nsgs->rest);
  const double* r = solution->r;
  rgNsgsFilling filling = {nsgs, problem, r, &scratch, counts.manifolds, batched};
  int balls = fill_balls(&filling, tasks);
  fill_batches(&filling, balls, tasks);
  fill_generals(nsgs, problem, r, &scratch, batched, counts.manifolds);
  fill_rows(nsgs, problem);
  rg_tasks_ranges(tasks, problem->body_count, form->fill_metric, nsgs);
  rg_nsgs_load_bodies(nsgs, solution, tasks);
  return nsgs;
}
