// lemke_model.c - from contacts and rows to a linear complementarity problem and back.
//
// A contact with the section { sum_j beta_j d_j : beta >= 0, sum_j beta_j <= mu r_n } has the
// unknowns r_n, beta_1 .. beta_k and the sliding speed s (Cline 2002, eq. 2.49, Renouf et al. 2005,
// eq. 31-32):
//
//     0 <= r_n      perpendicular to   u_n >= 0
//     0 <= beta_j   perpendicular to   d_j . u_T + s >= 0
//     0 <= s        perpendicular to   mu r_n - sum_j beta_j >= 0
//
// d_j are the corners of the polygon. Renouf et al. 2005 write the outer polygon with its sides
// instead (eq. 26-30), where r_T is free and has to be eliminated; that needs W_TT to be regular,
// which redundant contacts deny. A polygon is the hull of its corners, so both kinds take the form
// above, and the law is the same. In dimension 2 the section is an interval and every cone is
// polyhedral; so are cones with a single axis in dimension 3.
//
// A row with one bound has the distance from it as unknown; with two, lambda = lower + x,
//
//     0 <= x   perpendicular to   w + y >= 0,        0 <= y   perpendicular to   upper - lower - x
//     >= 0.
//
// Rows without bounds are eliminated beforehand (elimination.c), or are unknowns of any sign
// (`mixed`).
//
// Scales: impulses of a contact by sqrt(rho), rho its effective mass, rows by 1 / sqrt(G M^-1 G' +
// compliance), slacks by the inverse. Every number of M is then of order one (W_cc has a diagonal
// of about one, the rest is mu and +-1), whatever the units and the masses.
#include "solve/pivot/lemke_model.h"

#include "base/message.h"
#include "math/vec.h"
#include "problem/cone.h"
#include "problem/operator.h"

#include <math.h>
#include <string.h>

// The friction of a contact: generators of its section, in one or two of its components.
typedef struct Section {
  int generators;
  int component[2]; // second: 0 = none
  double ends[2];   // of an interval (one component)
} Section;

// False when the cone is not polyhedral.
static bool find_section(const rgProblem* problem, const rgProblemContact* contact,
                         Section* section) {
  double e[4];
  rg_contact_axes(problem, contact, e);
  int axes = (e[1] > 0) + (e[2] > 0) + (e[3] > 0);
  *section = (Section){0};
  if (axes == 0 || !(contact->mu > 0))
    return true;
  bool polygon = contact->cone == RG_CONE_INNER || contact->cone == RG_CONE_OUTER;
  if (axes > 1) {
    *section = (Section){contact->facets, {1, 2}, {0}};
    return polygon;
  }
  int component = e[1] > 0 ? 1 : e[2] > 0 ? 2 : 3;
  *section = (Section){2, {component, 0}, {-e[component], e[component]}};
  if (polygon) {
    rgPolygon shape = rg_polygon(contact->cone, contact->facets);
    rg_polygon_interval(&shape, &section->ends[0], &section->ends[1]);
  }
  return true;
}

static bool is_free(const rgProblemRow* row) {
  return row->lower == -HUGE_VAL && row->upper == HUGE_VAL;
}
static bool is_fixed(const rgProblemRow* row) { return row->lower == row->upper; }
static bool is_box(const rgProblemRow* row) {
  return row->lower > -HUGE_VAL && row->upper < HUGE_VAL;
}

static int column_count_of(const Section* section) {
  return section->generators == 0 ? 1 : section->component[1] ? 3 : 2;
}

typedef struct Counts {
  int columns, variables, joints;
} Counts;

static Counts count_all(const rgProblem* problem, bool mixed) {
  Counts counts = {0};
  for (int i = 0; i < problem->contact_count; i++) {
    Section section;
    find_section(problem, &problem->contacts[i], &section);
    counts.columns += column_count_of(&section);
    counts.variables += section.generators > 0 ? section.generators + 2 : 1;
  }
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    bool eliminated = is_free(row) && !mixed, unknown = !eliminated && !is_fixed(row);
    counts.joints += eliminated;
    counts.columns += unknown;
    counts.variables += unknown ? 1 + is_box(row) : 0;
  }
  return counts;
}

rgStatus rg_lemke_count(const rgProblem* problem, const char* name, int* variables,
                        rgMessage* message) {
  long long sum = 2LL * problem->row_count;
  for (int i = 0; i < problem->contact_count; i++) {
    Section section;
    const rgProblemContact* contact = &problem->contacts[i];
    if (!find_section(problem, contact, &section))
      return rg_fail(message, RG_ERROR_UNSUPPORTED,
                     "%s takes polyhedral cones only, contact %d has the cone \"%s\": use "
                     "\"inner\" or \"outer\" with facets",
                     name, i, rg_cone_kind_name(contact->cone));
    sum += section.generators + 2LL;
  }
  *variables = sum > 1000000 ? 1000000 : count_all(problem, false).variables;
  return RG_OK;
}

void rg_lemke_model_carve(rgLemkeModel* model, const rgProblem* problem, bool mixed,
                          rgCarver* carver) {
  Counts counts = count_all(problem, mixed);
  size_t m = (size_t)counts.columns, n = (size_t)counts.variables, joints = (size_t)counts.joints;
  memset(model, 0, sizeof *model);
  model->problem = problem;
  model->mixed = mixed;
  model->columns = rg_carve(carver, m, sizeof(rgLcpColumn));
  model->directions = rg_carve(carver, m, sizeof(rgDirection));
  rg_incidence_carve(&model->on, problem->body_count, counts.columns, carver);
  model->w = rg_carve(carver, m * m, sizeof(double));
  model->free_velocity = rg_carve(carver, m, sizeof(double));
  model->combined = rg_carve(carver, m, sizeof(double));
  model->variables = rg_carve(carver, n, sizeof(rgLcpVariable));
  model->q = rg_carve(carver, n, sizeof(double));
  model->joint_rows = rg_carve(carver, joints, sizeof(int));
  model->coupling = rg_carve(carver, m * joints, sizeof(double));
  rg_elimination_carve(&model->joints, counts.joints, problem->body_count, carver);
  model->free = rg_carve(carver, mixed ? n : 0, sizeof(bool));
  rg_lemke_carve(&model->lemke, counts.variables, carver);
}

// -------------------------------------------------------------------------------------------------
// Columns: velocities of the problem's own directions
// -------------------------------------------------------------------------------------------------

static int add_column(rgLemkeModel* model, rgLcpColumn column) {
  int index = model->column_count++;
  model->columns[index] = column;
  if (model->problem->local)
    return index;
  model->directions[index] =
      column.contact >= 0
          ? rg_contact_direction(&model->problem->contacts[column.contact], column.component)
          : rg_row_direction(&model->problem->rows[column.row]);
  return index;
}

static rgLcpVariable* add_variable(rgLemkeModel* model, double scale) {
  rgLcpVariable* variable = &model->variables[model->variable_count++];
  *variable = (rgLcpVariable){{-1, -1}, {0, 0}, scale, false};
  return variable;
}

static void add_impulse(rgLemkeModel* model, double scale, int column, double coefficient) {
  rgLcpVariable* variable = add_variable(model, scale);
  variable->column[0] = column;
  variable->coefficient[0] = coefficient;
}

static void add_contact(rgLemkeModel* model, int i) {
  const rgProblemContact* contact = &model->problem->contacts[i];
  Section section;
  find_section(model->problem, contact, &section);
  double e[4];
  rg_contact_axes(model->problem, contact, e);
  double inverse_rho = rg_contact_inverse_rho(model->problem, contact, e);
  double scale = inverse_rho > 0 ? 1 / sqrt(inverse_rho) : 1;
  int normal = add_column(model, (rgLcpColumn){i, 0, -1});
  add_impulse(model, scale, normal, 1);
  if (section.generators == 0)
    return;
  int first = add_column(model, (rgLcpColumn){i, section.component[0], -1});
  int second =
      section.component[1] ? add_column(model, (rgLcpColumn){i, section.component[1], -1}) : -1;
  rgPolygon polygon = {0};
  if (second >= 0)
    polygon = rg_polygon(contact->cone, contact->facets);
  for (int k = 0; k < section.generators; k++) {
    double corner[2] = {section.ends[k & 1], 0};
    if (second >= 0)
      rg_polygon_corner(&polygon, k, corner);
    *add_variable(model, scale) =
        (rgLcpVariable){{first, second}, {corner[0], corner[1]}, scale, false};
  }
  add_variable(model, 1 / scale);
}

// The number of W on the diagonal of a row; in the local form the largest of its row, where that is
// zero.
static double row_diagonal(const rgProblem* problem, int i) {
  const rgLocalMatrix* local = problem->local;
  if (!local)
    return rg_row_block(problem, &problem->rows[i]);
  int node = problem->contact_count + i;
  double largest = 0;
  for (int k = local->row_start[node], at = 0; k < local->row_start[node + 1]; k++) {
    int size = local->column[k] < problem->contact_count ? local->block : 1;
    for (int j = 0; j < size; j++, at++) {
      double value = local->values[local->value_start[node] + (size_t)at];
      if (local->column[k] == node && value > 0)
        return value;
      largest = fmax(largest, fabs(value));
    }
  }
  return largest;
}

// A joint, nothing, or one or two unknowns.
static void add_row(rgLemkeModel* model, int i) {
  const rgProblemRow* row = &model->problem->rows[i];
  if (is_free(row) && !model->mixed) {
    rgElimination* joints = &model->joints;
    int k = joints->count++;
    joints->directions[k] = rg_row_direction(row);
    joints->compliance[k] = row->compliance;
    model->joint_rows[k] = i;
    return;
  }
  if (is_fixed(row))
    return;
  double block = row_diagonal(model->problem, i) + row->compliance;
  double scale = block > 0 ? 1 / sqrt(block) : 1;
  int column = add_column(model, (rgLcpColumn){-1, 0, i});
  add_impulse(model, scale, column, row->lower > -HUGE_VAL || is_free(row) ? 1 : -1);
  model->variables[model->variable_count - 1].free = is_free(row);
  if (is_box(row))
    add_variable(model, 1 / scale);
}

static double row_offset(const rgProblemRow* row) {
  return is_free(row) ? 0 : row->lower > -HUGE_VAL ? row->lower : row->upper;
}

static void set_offsets(const rgProblem* problem, rgSolution* solution) {
  memset(solution->r, 0, 4 * (size_t)problem->contact_count * sizeof(double));
  for (int i = 0; i < problem->row_count; i++)
    solution->lambda[i] = row_offset(&problem->rows[i]);
}

// The node of the local form that a column belongs to.
static int node_of(const rgLemkeModel* model, int column) {
  rgLcpColumn c = model->columns[column];
  return c.contact >= 0 ? c.contact : model->problem->contact_count + c.row;
}

// Row i of W in the local form.
static void fill_local_row(rgLemkeModel* model, int i) {
  const rgProblem* problem = model->problem;
  const rgLocalMatrix* local = problem->local;
  int m = model->column_count, node = node_of(model, i), block = local->block;
  int height = node < problem->contact_count ? block : 1;
  size_t at = local->value_start ? local->value_start[node]
                                 : (size_t)(block * block) * (size_t)local->row_start[node];
  // Both the columns and the blocks of a node are in ascending order of their nodes.
  for (int k = local->row_start[node], j = 0; k < local->row_start[node + 1]; k++) {
    int other = local->column[k], width = other < problem->contact_count ? block : 1;
    const double* values = local->values + at + (size_t)(model->columns[i].component * width);
    while (j < m && node_of(model, j) < other)
      j++;
    for (; j < m && node_of(model, j) == other; j++)
      model->w[(size_t)j * (size_t)m + (size_t)i] = values[model->columns[j].component];
    at += (size_t)(height * width);
  }
}

// W and the free velocities of the local form; v is that of no impulses but the offsets.
static void fill_local(rgLemkeModel* model, const double* v) {
  const rgProblem* problem = model->problem;
  int m = model->column_count;
  memset(model->w, 0, (size_t)m * (size_t)m * sizeof(double));
  for (int i = 0; i < m; i++) {
    rgLcpColumn column = model->columns[i];
    fill_local_row(model, i);
    if (column.contact >= 0) {
      model->free_velocity[i] = v[4 * column.contact + column.component];
      continue;
    }
    const rgProblemRow* row = &problem->rows[column.row];
    model->w[(size_t)i * (size_t)m + (size_t)i] += row->compliance;
    model->free_velocity[i] =
        v[4 * problem->contact_count + column.row] + row->compliance * row_offset(row);
  }
}

// W and the free velocities of the body form; v is that of no impulses but the offsets.
static void fill_bodies(rgLemkeModel* model, const double* v) {
  const rgProblem* problem = model->problem;
  int m = model->column_count;
  rg_incidence_build(&model->on, problem->body_count, model->directions, m);
  rg_delassus(problem, model->directions, &model->on, m, model->directions, m, model->w, (size_t)m);
  for (int i = 0; i < m; i++) {
    model->free_velocity[i] = rg_direction_velocity(&model->directions[i], v);
    if (model->columns[i].contact >= 0)
      continue;
    const rgProblemRow* row = &problem->rows[model->columns[i].row];
    model->w[(size_t)i * (size_t)m + (size_t)i] += row->compliance;
    model->free_velocity[i] += row->compliance * row_offset(row);
  }
}

static double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

// W - Q' P^-1 Q and free - Q' P^-1 free_joints (Cline 2002, eq. 2.43).
static void eliminate_joints(rgLemkeModel* model, const double* v) {
  rgElimination* joints = &model->joints;
  int m = model->column_count, count = joints->count;
  if (count == 0)
    return;
  rg_elimination_factor(joints, model->problem);
  rg_delassus(model->problem, joints->directions, &joints->on, count, model->directions, m,
              model->coupling, (size_t)count);
  for (int j = 0; j < m; j++)
    rg_elimination_half(joints, model->coupling + (size_t)j * (size_t)count);
  double* free = joints->compliance; // no longer needed
  for (int k = 0; k < count; k++)
    free[k] = rg_direction_velocity(&joints->directions[k], v);
  rg_elimination_half(joints, free);
  for (int j = 0; j < m; j++) {
    const double* right = model->coupling + (size_t)j * (size_t)count;
    model->free_velocity[j] -= dot(right, free, count);
    for (int i = 0; i <= j; i++) {
      double part = dot(model->coupling + (size_t)i * (size_t)count, right, count);
      model->w[(size_t)j * (size_t)m + (size_t)i] -= part;
      if (i != j)
        model->w[(size_t)i * (size_t)m + (size_t)j] -= part;
    }
  }
}

// -------------------------------------------------------------------------------------------------
// The LCP
// -------------------------------------------------------------------------------------------------

static double combine(const rgLcpVariable* variable, const double* x) {
  double sum = 0;
  for (int a = 0; a < 2; a++)
    if (variable->column[a] >= 0)
      sum += variable->coefficient[a] * x[variable->column[a]];
  return sum * variable->scale;
}

static void fill_mechanics(rgLemkeModel* model) {
  int m = model->column_count, n = model->variable_count;
  for (int j = 0; j < n; j++) {
    const rgLcpVariable* variable = &model->variables[j];
    double* combined = model->combined;
    memset(combined, 0, (size_t)m * sizeof(double));
    for (int b = 0; b < 2; b++)
      if (variable->column[b] >= 0)
        for (int i = 0; i < m; i++)
          combined[i] += variable->scale * variable->coefficient[b] *
                         model->w[(size_t)variable->column[b] * (size_t)m + (size_t)i];
    for (int i = 0; i < n; i++)
      model->lemke.m[(size_t)j * (size_t)n + (size_t)i] = combine(&model->variables[i], combined);
    model->q[j] = combine(variable, model->free_velocity);
  }
}

static double* entry(rgLemkeModel* model, int row, int column) {
  return model->lemke.m + (size_t)column * (size_t)model->variable_count + (size_t)row;
}

// What ties the slacks to the impulses; walks through the unknowns in the order in which they were
// added.
static void fill_slacks(rgLemkeModel* model) {
  const rgProblem* problem = model->problem;
  int next = 0;
  for (int i = 0; i < problem->contact_count; i++) {
    Section section;
    find_section(problem, &problem->contacts[i], &section);
    int normal = next++, slack = normal + section.generators + 1;
    if (section.generators == 0)
      continue;
    for (; next < slack; next++) {
      *entry(model, next, slack) = 1;
      *entry(model, slack, next) = -1;
    }
    *entry(model, slack, normal) = problem->contacts[i].mu;
    next++;
  }
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    if ((is_free(row) && !model->mixed) || is_fixed(row))
      continue;
    int x = next++;
    if (!is_box(row))
      continue;
    int y = next++;
    *entry(model, x, y) = 1;
    *entry(model, y, x) = -1;
    model->q[y] = (row->upper - row->lower) / model->variables[x].scale;
  }
}

void rg_lemke_model_build(rgLemkeModel* model, rgSolution* solution) {
  const rgProblem* problem = model->problem;
  model->joints.count = 0;
  for (int i = 0; i < problem->contact_count; i++)
    add_contact(model, i);
  for (int i = 0; i < problem->row_count; i++)
    add_row(model, i);
  set_offsets(problem, solution);
  rg_problem_velocity(problem, solution);
  if (problem->local) {
    fill_local(model, solution->v);
  } else {
    fill_bodies(model, solution->v);
    eliminate_joints(model, solution->v);
  }
  fill_mechanics(model);
  fill_slacks(model);
  bool any = false;
  for (int i = 0; i < model->variable_count && model->mixed; i++) {
    model->free[i] = model->variables[i].free;
    any = any || model->free[i];
  }
  model->lemke.free = any ? model->free : NULL;
}

// Impulses of the joints from all others; a second and a third time to remove rounding.
static void solve_joints(rgLemkeModel* model, rgSolution* solution) {
  enum { STEPS = 3 };
  rgElimination* joints = &model->joints;
  double* x = joints->compliance;
  for (int step = 0; step < STEPS && joints->count > 0; step++) {
    rg_problem_velocity(model->problem, solution);
    for (int k = 0; k < joints->count; k++) {
      const rgProblemRow* row = &model->problem->rows[model->joint_rows[k]];
      x[k] = rg_row_velocity(row, solution->v) +
             row->compliance * solution->lambda[model->joint_rows[k]];
    }
    rg_elimination_solve(joints, x);
    for (int k = 0; k < joints->count; k++)
      solution->lambda[model->joint_rows[k]] -= x[k];
  }
}

void rg_lemke_model_store(rgLemkeModel* model, rgSolution* solution) {
  set_offsets(model->problem, solution);
  for (int i = 0; i < model->variable_count; i++) {
    const rgLcpVariable* variable = &model->variables[i];
    for (int a = 0; a < 2; a++) {
      if (variable->column[a] < 0)
        continue;
      rgLcpColumn column = model->columns[variable->column[a]];
      double impulse = variable->coefficient[a] * variable->scale * model->lemke.z[i];
      if (column.contact >= 0)
        solution->r[4 * (size_t)column.contact + (size_t)column.component] += impulse;
      else
        solution->lambda[column.row] += impulse;
    }
  }
  solve_joints(model, solution);
}
