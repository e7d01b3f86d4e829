// fault_loop.c - joints whose constraints follow from others.
//
// The rigid two-sided rows of joints are G v = 0. A vector y with G' y = 0 is a self-stress: reactions that
// balance each other whatever the loads, so that how the joints share a load is not determined. Only loops
// of joints have self-stresses; all that hangs on a single joint is taken away first, again and again.
//
// A joint is redundant as a whole when every one of its rows is a combination of rows of other joints, that
// is, when the self-stresses take all values on its r rows: their part there has the rank r. Without the
// joint the same movements are possible. Two hinges on one axis, a second weld, a seventh rod are such; they
// are told. The hinges of a plane linkage are not: of the five rows of each, three share self-stresses
// across the plane (Gruebler and Kutzbach count them), and none can be left out. Such loops are noted.
//
// The rank is found by Gram-Schmidt with the rows in the order of the joints, orthogonalized twice, angular
// parts over the mean arm so that all numbers are lengths per time; what is left below 1e-7 of a row is
// rounding. Joints that are redundant in one pose only (a linkage that passes through a straight line) are
// not meant: they must be so after the first step and at the end of the run.
#include "cli/doctor/doctor.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double DEPENDENT = 1e-7; // of a row
static const double SHARED = 1e-6;    // entries of self-stresses below are zero
enum { ROWS_MOST = 600, NAMED = 5, JOINT_ROWS = 6 };

// Rows of the joints of an island that are in loops and hang together without the ground.
typedef struct Loop {
  int count, columns;
  int* joints;    // by row: the joint that it belongs to
  double* matrix; // count x columns: orthonormal rows, those that are kept
  double* combos; // count x count: how they are made of the rows of the joints
  double* stress; // count x count: self-stresses
  int stresses;
  int* redundant; // by row: 1 where its joint is redundant as a whole
} Loop;

// What to do with a loop.
typedef void Take(CliDoctor* doctor, const CliFault* fault, const Loop* loop);

// --- which rows ----------------------------------------------------------------------------------------

static bool is_rigid(const rgProblemRow* row) {
  return row->compliance == 0 && row->lower == -HUGE_VAL && row->upper == HUGE_VAL;
}

// Room for an island: by body its component and degree, by row whether it is in a loop.
typedef struct Island {
  rgProblem problem;
  int* owner;     // by row: index of its joint, -1: of none; rows of a joint follow each other
  int* joint;     // the same of rigid rows of loops, -1 for others
  int* degree;    // by body; the last is the ground
  int* component; // by body
} Island;

static int node(const Island* island, int body) {
  return body < 0 ? island->problem.body_count : body;
}

static int root_of(const int* component, int body) {
  while (component[body] != body)
    body = component[body];
  return body;
}

// Whether a row is the first rigid one of its joint.
static bool begins_joint(const Island* island, int row) {
  if (island->joint[row] < 0)
    return false;
  for (int k = row - 1; k >= 0 && island->owner[k] == island->owner[row]; --k)
    if (island->joint[k] >= 0)
      return false;
  return true;
}

// Takes away joints that hold something which nothing else holds.
static void prune(Island* island) {
  const rgProblem* problem = &island->problem;
  for (int i = 0; i < problem->row_count; ++i)
    if (begins_joint(island, i)) {
      island->degree[node(island, problem->rows[i].body_a)]++;
      island->degree[node(island, problem->rows[i].body_b)]++;
    }
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < problem->row_count; ++i) {
      int a = node(island, problem->rows[i].body_a), b = node(island, problem->rows[i].body_b);
      if (island->joint[i] < 0 || (island->degree[a] > 1 && island->degree[b] > 1))
        continue;
      for (int k = i; k < problem->row_count && island->owner[k] == island->owner[i]; ++k)
        island->joint[k] = -1;
      island->degree[a]--;
      island->degree[b]--;
      changed = true;
    }
  }
}

static void find_components(Island* island) {
  const rgProblem* problem = &island->problem;
  for (int i = 0; i < problem->body_count; ++i)
    island->component[i] = i;
  for (int i = 0; i < problem->row_count; ++i) {
    int a = problem->rows[i].body_a, b = problem->rows[i].body_b;
    if (island->joint[i] >= 0 && a >= 0 && b >= 0)
      island->component[root_of(island->component, a)] = root_of(island->component, b);
  }
}

// --- self-stresses -------------------------------------------------------------------------------------

static void put_twist(double* row, rgTwist g, double arm) {
  const double numbers[6] = {g.linear.x,        g.linear.y,        g.linear.z,
                             g.angular.x / arm, g.angular.y / arm, g.angular.z / arm};
  for (int i = 0; i < 6; ++i)
    row[i] += numbers[i];
}

static double norm_of(const double* row, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += row[i] * row[i];
  return sqrt(sum);
}

static void subtract(double* row, const double* other, double factor, int count) {
  for (int i = 0; i < count; ++i)
    row[i] -= factor * other[i];
}

static double dot_of(const double* a, const double* b, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i)
    sum += a[i] * b[i];
  return sum;
}

// Rows before `i` are orthonormal or zero; what row i adds to them, or the self-stress that it closes.
static void orthogonalize(Loop* loop, int i) {
  double *row = loop->matrix + (size_t)i * (size_t)loop->columns,
         *combo = loop->combos + (size_t)i * (size_t)loop->count;
  double size = norm_of(row, loop->columns);
  if (size > 0) {
    for (int k = 0; k < loop->columns; ++k)
      row[k] /= size;
    combo[i] = 1;
  }
  for (int pass = 0; pass < 2; ++pass)
    for (int k = 0; k < i; ++k) {
      const double* other = loop->matrix + (size_t)k * (size_t)loop->columns;
      double part = dot_of(row, other, loop->columns);
      subtract(row, other, part, loop->columns);
      subtract(combo, loop->combos + (size_t)k * (size_t)loop->count, part, loop->count);
    }
  double left = norm_of(row, loop->columns);
  if (left < DEPENDENT) {
    memcpy(loop->stress + (size_t)loop->stresses++ * (size_t)loop->count, combo,
           (size_t)loop->count * sizeof *combo);
    memset(row, 0, (size_t)loop->columns * sizeof *row);
    memset(combo, 0, (size_t)loop->count * sizeof *combo);
    return;
  }
  for (int k = 0; k < loop->columns; ++k)
    row[k] /= left;
  for (int k = 0; k < loop->count; ++k)
    combo[k] /= left;
}

// Rank of the self-stresses on the rows first .. first + count - 1.
static int rank_on(const Loop* loop, int first, int count) {
  double kept[JOINT_ROWS][JOINT_ROWS];
  int rank = 0;
  for (int s = 0; s < loop->stresses && rank < count; ++s) {
    double* part = kept[rank];
    memcpy(part, loop->stress + (size_t)s * (size_t)loop->count + first,
           (size_t)count * sizeof *part);
    for (int pass = 0; pass < 2; ++pass)
      for (int k = 0; k < rank; ++k)
        subtract(part, kept[k], dot_of(part, kept[k], count), count);
    double left = norm_of(part, count);
    if (left < SHARED)
      continue;
    for (int i = 0; i < count; ++i)
      part[i] /= left;
    ++rank;
  }
  return rank;
}

static void mark_redundant(Loop* loop) {
  for (int i = 0, end; i < loop->count; i = end) {
    for (end = i + 1; end < loop->count && loop->joints[end] == loop->joints[i]; ++end)
      ;
    int rows = end - i;
    bool all = rows <= JOINT_ROWS && rank_on(loop, i, rows) == rows;
    for (int k = i; k < end; ++k)
      loop->redundant[k] = all;
  }
}

// --- loop by loop --------------------------------------------------------------------------------------

static double mean_arm(const Island* island, int root) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < island->problem.row_count; ++i) {
    const rgProblemRow* row = &island->problem.rows[i];
    int body = row->body_a >= 0 ? row->body_a : row->body_b;
    if (island->joint[i] < 0 || root_of(island->component, body) != root)
      continue;
    double linear = rg_vec3_norm(row->g_a.linear) + rg_vec3_norm(row->g_b.linear);
    if (linear == 0)
      continue;
    sum += (rg_vec3_norm(row->g_a.angular) + rg_vec3_norm(row->g_b.angular)) / linear;
    ++count;
  }
  return sum > 0 ? sum / count : 1;
}

static void fill_row(const Island* island, int row, const int* column, double arm,
                     double* numbers) {
  const rgProblemRow* from = &island->problem.rows[row];
  if (from->body_a >= 0)
    put_twist(numbers + 6 * column[from->body_a], from->g_a, arm);
  if (from->body_b >= 0)
    put_twist(numbers + 6 * column[from->body_b], from->g_b, arm);
}

// Gathers the rows of a component and finds its self-stresses; false when memory ran out.
static bool examine(CliDoctor* doctor, const CliFault* fault, const Island* island, int root,
                    Take* take) {
  const rgProblem* problem = &island->problem;
  int count = 0, bodies = 0;
  int* rows = calloc((size_t)problem->row_count + 1, sizeof *rows);
  int* column = calloc((size_t)problem->body_count + 1, sizeof *column);
  for (int i = 0; rows && column && i < problem->body_count; ++i)
    column[i] = root_of(island->component, i) == root ? bodies++ : -1;
  for (int i = 0; rows && column && i < problem->row_count; ++i) {
    int body = problem->rows[i].body_a >= 0 ? problem->rows[i].body_a : problem->rows[i].body_b;
    if (island->joint[i] >= 0 && body >= 0 && column[body] >= 0)
      rows[count++] = i;
  }
  Loop loop = {.count = count, .columns = 6 * bodies};
  size_t n = (size_t)count + 1, m = (size_t)loop.columns + 1;
  bool small = count > 0 && count <= ROWS_MOST;
  loop.joints = small ? calloc(n, sizeof *loop.joints) : NULL;
  loop.redundant = small ? calloc(n, sizeof *loop.redundant) : NULL;
  loop.matrix = small ? calloc(n * m, sizeof *loop.matrix) : NULL;
  loop.combos = small ? calloc(n * n, sizeof *loop.combos) : NULL;
  loop.stress = small ? calloc(n * n, sizeof *loop.stress) : NULL;
  bool good =
      rows && column &&
      (!small || (loop.joints && loop.redundant && loop.matrix && loop.combos && loop.stress));
  if (good && small) {
    double arm = mean_arm(island, root);
    for (int i = 0; i < count; ++i) {
      loop.joints[i] = island->joint[rows[i]];
      fill_row(island, rows[i], column, arm, loop.matrix + (size_t)i * (size_t)loop.columns);
      orthogonalize(&loop, i);
    }
    mark_redundant(&loop);
    take(doctor, fault, &loop);
  }
  free(rows);
  free(column);
  free(loop.joints);
  free(loop.redundant);
  free(loop.matrix);
  free(loop.combos);
  free(loop.stress);
  return good;
}

static bool take_island(CliDoctor* doctor, const CliFault* fault, int index, Take* take) {
  Island island = {0};
  if (rg_world_island(doctor->world, index, &island.problem, NULL, NULL) != RG_OK)
    return true;
  size_t bodies = (size_t)island.problem.body_count + 1,
         rows = (size_t)island.problem.row_count + 1;
  island.owner = calloc(rows, sizeof *island.owner);
  island.joint = calloc(rows, sizeof *island.joint);
  island.degree = calloc(bodies, sizeof *island.degree);
  island.component = calloc(bodies, sizeof *island.component);
  bool good = island.owner && island.joint && island.degree && island.component;
  for (int i = 0; good && i < island.problem.row_count; ++i) {
    rgJointId joint = rg_world_row_joint(doctor->world, index, i);
    island.owner[i] = joint.generation > 0 ? (int)joint.index : -1;
    island.joint[i] = is_rigid(&island.problem.rows[i]) ? island.owner[i] : -1;
  }
  if (good) {
    prune(&island);
    find_components(&island);
  }
  for (int i = 0; good && i < island.problem.body_count; ++i)
    if (island.component[i] == i)
      good = examine(doctor, fault, &island, i, take);
  free(island.owner);
  free(island.joint);
  free(island.degree);
  free(island.component);
  return good;
}

static void take_loops(CliDoctor* doctor, const CliFault* fault, Take* take) {
  for (int i = 0; doctor->joint_count > 1 && i < rg_world_island_count(doctor->world); ++i)
    if (!take_island(doctor, fault, i, take))
      doctor->out_of_memory = true;
}

static void note_loop(CliDoctor* doctor, const CliFault* fault, const Loop* loop) {
  (void)fault;
  for (int i = 0; i < loop->count; ++i)
    if (loop->redundant[i])
      doctor->watch.loose[loop->joints[i]] = 1;
}

void cli_doctor_note_loops(CliDoctor* doctor) { take_loops(doctor, NULL, note_loop); }

// --- what is told --------------------------------------------------------------------------------------

// Whether the joint of a row takes part in self-stresses.
static bool is_stressed(const Loop* loop, int row) {
  for (int i = row; i < loop->count && loop->joints[i] == loop->joints[row]; ++i)
    for (int s = 0; s < loop->stresses; ++s)
      if (fabs(loop->stress[(size_t)s * (size_t)loop->count + (size_t)i]) > SHARED)
        return true;
  return false;
}

// "joints[0] (left), joints[1] (right) and 3 more": joints of self-stresses, or redundant ones; the last.
static int name_joints(const CliDoctor* doctor, const Loop* loop, bool redundant, char* text,
                       size_t size, int* last) {
  int count = 0;
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < loop->count; ++i) {
    bool first = i == 0 || loop->joints[i - 1] != loop->joints[i];
    bool meant = redundant ? loop->redundant[i] && doctor->watch.loose[loop->joints[i]]
                           : first && is_stressed(loop, i);
    if (!first || !meant)
      continue;
    *last = loop->joints[i];
    if (++count > NAMED || used >= size)
      continue;
    char name[200];
    CliWhere where = cli_where_joint(doctor, *last);
    cli_where_text(&where, name, sizeof name);
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
  }
  if (count > NAMED && used < size)
    snprintf(text + used, size - used, " and %d more", count - NAMED);
  return count;
}

static void tell_redundant(CliDoctor* doctor, const CliFault* fault, const Loop* loop) {
  char names[CLI_TEXT_MAX];
  int last = 0;
  if (name_joints(doctor, loop, true, names, sizeof names, &last) == 0)
    return;
  CliFinding* finding = cli_doctor_find(doctor, fault, cli_where_joint(doctor, last),
                                        loop->stresses, 0, "constraints");
  cli_doctor_say(
      finding,
      "%d constraints of a loop follow from others, and each of these joints could be left "
      "out without freeing any movement: %s; how they share a load is not determined",
      loop->stresses, names);
  cli_doctor_advise(finding,
                    "remove one of them, or replace it by a kind that holds less (a ball or "
                    "a distance joint instead of a hinge or a fixed one)");
}

static void tell_overconstrained(CliDoctor* doctor, const CliFault* fault, const Loop* loop) {
  char names[CLI_TEXT_MAX];
  int last = 0;
  if (loop->stresses == 0 || name_joints(doctor, loop, true, names, sizeof names, &last) > 0)
    return;
  name_joints(doctor, loop, false, names, sizeof names, &last);
  CliFinding* finding = cli_doctor_find(doctor, fault, cli_where_joint(doctor, last),
                                        loop->stresses, 0, "constraints");
  cli_doctor_say(finding,
                 "%d constraints of the loop of %s follow from the others, as those of hinges in a "
                 "plane do, for example: the motion is determined, the reactions are not",
                 loop->stresses, names);
  cli_doctor_advise(
      finding, "nothing, unless reactions matter: then make one joint of each loop a ball joint "
               "and another one a universal or cylindrical joint");
}

static void look_redundant(CliDoctor* doctor, const CliFault* fault) {
  take_loops(doctor, fault, tell_redundant);
}

static void look_overconstrained(CliDoctor* doctor, const CliFault* fault) {
  take_loops(doctor, fault, tell_overconstrained);
}

static const char* const by_contradiction[] = {"contradictory-joints", "joint-open", NULL};

const CliFault cli_faults_loop[] = {
    {.name = "redundant-joints",
     .severity = CLI_RISKY,
     .summary = "A joint holds nothing that other joints do not hold already.",
     .explained_by = by_contradiction,
     .look = look_redundant},
    {.name = "overconstrained",
     .severity = CLI_NOTE,
     .summary = "A loop of joints has more constraints than it needs.",
     .look = look_overconstrained},
    {0},
};
