// problem.c - names of cones and the check of a problem before anything is done with it.
#include "base/message.h"
#include "math/vec.h"
#include "problem/links.h"
#include "problem/operator.h"
#include <rigor/problem.h>

#include <stdint.h>
#include <string.h>

static const char* const cone_names[RG_CONE_KIND_COUNT] = {
    [RG_CONE_FRICTIONLESS] = "frictionless",
    [RG_CONE_DISK] = "disk",
    [RG_CONE_ELLIPSOID] = "ellipsoid",
    [RG_CONE_INNER] = "inner",
    [RG_CONE_OUTER] = "outer",
};

const char* rg_cone_kind_name(rgConeKind kind) {
  return (unsigned)kind < RG_CONE_KIND_COUNT ? cone_names[kind] : NULL;
}

size_t rg_problem_velocity_count(const rgProblem* problem) {
  return problem->local ? 4 * (size_t)problem->contact_count + (size_t)problem->row_count
                        : 6 * (size_t)problem->body_count;
}

// Frames come from normalized vectors: a few roundings away from unit length and right angles. The
// bound leaves room for frames read from files in single precision.
static const double frame_tolerance = 1e-6;

static bool is_index(const rgProblem* problem, int body) {
  return body >= -1 && body < problem->body_count;
}

static bool twist_finite(rgTwist twist) {
  return v3_finite(twist.linear) && v3_finite(twist.angular);
}

static rgStatus check_body(const rgProblem* problem, int i, rgMessage* message) {
  rgStatus status = rg_mass_check(problem, i, message);
  if (status == RG_OK && !twist_finite(problem->bodies[i].v_free))
    return rg_fail(message, RG_ERROR_INPUT, "bodies[%d].v_free is not finite", i);
  return status;
}

static bool is_frame(const rgProblemContact* contact) {
  rgVec3 n = contact->n, t = contact->t, o = contact->o;
  double lengths = fabs(v3_norm2(n) - 1) + fabs(v3_norm2(t) - 1) + fabs(v3_norm2(o) - 1);
  double handed = v3_norm2(v3_sub(v3_cross(n, t), o));
  return lengths <= frame_tolerance && handed <= frame_tolerance;
}

static rgStatus check_law(const rgProblemContact* contact, int i, rgMessage* message) {
  if ((unsigned)contact->cone >= RG_CONE_KIND_COUNT)
    return rg_fail(message, RG_ERROR_INPUT, "contacts[%d].cone is %d, must be 0 .. %d", i,
                   (int)contact->cone, RG_CONE_KIND_COUNT - 1);
  if (contact->cone != RG_CONE_FRICTIONLESS && !(contact->mu >= 0 && isfinite(contact->mu)))
    return rg_fail(message, RG_ERROR_INPUT, "contacts[%d].mu is %g, must be finite and >= 0", i,
                   contact->mu);
  bool polygon = contact->cone == RG_CONE_INNER || contact->cone == RG_CONE_OUTER;
  if (polygon && contact->facets < 3)
    return rg_fail(message, RG_ERROR_INPUT, "contacts[%d].facets is %d, must be >= 3", i,
                   contact->facets);
  if (contact->cone != RG_CONE_ELLIPSOID)
    return RG_OK;
  const double axes[3] = {contact->e_t, contact->e_o, contact->e_tau};
  const char* const names[3] = {"e_t", "e_o", "e_tau"};
  for (int k = 0; k < 3; k++)
    if (!(axes[k] >= 0 && isfinite(axes[k])))
      return rg_fail(message, RG_ERROR_INPUT, "contacts[%d].%s is %g, must be finite and >= 0", i,
                     names[k], axes[k]);
  return RG_OK;
}

static rgStatus check_contact(const rgProblem* problem, int i, rgMessage* message) {
  const rgProblemContact* contact = &problem->contacts[i];
  if (!is_index(problem, contact->body_a) || !is_index(problem, contact->body_b))
    return rg_fail(message, RG_ERROR_INPUT, "contacts[%d] joins bodies %d and %d, must be -1 .. %d",
                   i, contact->body_a, contact->body_b, problem->body_count - 1);
  if (contact->body_a == contact->body_b)
    return rg_fail(message, RG_ERROR_INPUT,
                   "contacts[%d] joins body %d with itself, must be two bodies", i,
                   contact->body_a);
  if (!is_frame(contact))
    return rg_fail(message, RG_ERROR_INPUT,
                   "contacts[%d]: n, t, o are not a right-handed orthonormal frame", i);
  const double* bias = contact->bias;
  bool finite = v3_finite(contact->arm_a) && v3_finite(contact->arm_b) &&
                v3_finite(v3(bias[0], bias[1], bias[2])) && isfinite(bias[3]);
  if (!finite)
    return rg_fail(message, RG_ERROR_INPUT, "contacts[%d]: an arm or the bias is not finite", i);
  return check_law(contact, i, message);
}

// Bounds and compliance: all that a row of the local form has besides its bias.
static rgStatus check_bounds(const rgProblemRow* row, int i, rgMessage* message) {
  if (!(row->compliance >= 0 && isfinite(row->compliance)))
    return rg_fail(message, RG_ERROR_INPUT, "rows[%d].compliance is %g, must be finite and >= 0", i,
                   row->compliance);
  if (!(row->lower <= row->upper) || row->lower == HUGE_VAL || row->upper == -HUGE_VAL)
    return rg_fail(message, RG_ERROR_INPUT, "rows[%d] has bounds %g and %g, must be lower <= upper",
                   i, row->lower, row->upper);
  return RG_OK;
}

static rgStatus check_row(const rgProblem* problem, int i, rgMessage* message) {
  const rgProblemRow* row = &problem->rows[i];
  if (!is_index(problem, row->body_a) || !is_index(problem, row->body_b))
    return rg_fail(message, RG_ERROR_INPUT, "rows[%d] joins bodies %d and %d, must be -1 .. %d", i,
                   row->body_a, row->body_b, problem->body_count - 1);
  if (!twist_finite(row->g_a) || !twist_finite(row->g_b) || !isfinite(row->bias))
    return rg_fail(message, RG_ERROR_INPUT, "rows[%d]: a coefficient or the bias is not finite", i);
  const rgProblemFar* far = row->far;
  if (far && (!is_index(problem, far->body_a) || !is_index(problem, far->body_b) ||
              !twist_finite(far->g_a) || !twist_finite(far->g_b)))
    return rg_fail(message, RG_ERROR_INPUT,
                   "rows[%d].far names bodies %d and %d, must be -1 .. %d, and finite coefficients",
                   i, far->body_a, far->body_b, problem->body_count - 1);
  return check_bounds(row, i, message);
}

// Without a branch per number. The exponent of what is not finite is all ones: one more in its last
// place carries into the sign.
static bool all_finite(const double* x, size_t count) {
  typedef uint64_t Pair __attribute__((vector_size(16)));
  const Pair magnitude = {INT64_MAX, INT64_MAX}, one = {(uint64_t)1 << 52, (uint64_t)1 << 52};
  Pair seen = {0, 0};
  for (size_t i = 0; i + 1 < count; i += 2) {
    Pair bits;
    memcpy(&bits, &x[i], sizeof bits);
    seen |= (bits & magnitude) + one;
  }
  bool last = count % 2 == 0 || isfinite(x[count - 1]);
  return last && (seen[0] | seen[1]) <= INT64_MAX;
}

static int node_size(const rgProblem* problem, int node) {
  return node < problem->contact_count ? problem->local->block : 1;
}

static rgStatus check_local_node(const rgProblem* problem, int i, rgMessage* message) {
  const rgLocalMatrix* local = problem->local;
  int start = local->row_start[i], end = local->row_start[i + 1];
  int nodes = rg_local_node_count(problem);
  size_t numbers = 0;
  if (end < start)
    return rg_fail(message, RG_ERROR_INPUT, "local.row_start[%d] is %d, must be >= %d", i + 1, end,
                   start);
  bool diagonal = false;
  for (int k = start; k < end; k++) {
    int column = local->column[k];
    if (column < 0 || column >= nodes || (k > start && column <= local->column[k - 1]))
      return rg_fail(message, RG_ERROR_INPUT,
                     "local.column[%d] is %d, must be ascending in its row and 0 .. %d", k, column,
                     nodes - 1);
    diagonal = diagonal || column == i;
    numbers += (size_t)(node_size(problem, i) * node_size(problem, column));
  }
  if (!diagonal)
    return rg_fail(message, RG_ERROR_INPUT, "local: row %d has no diagonal block", i);
  if (rg_local_value_start(problem, i + 1) - rg_local_value_start(problem, i) != numbers)
    return rg_fail(message, RG_ERROR_INPUT,
                   "local.value_start[%d] leaves another number of values than the %zu of node %d",
                   i + 1, numbers, i);
  return RG_OK;
}

static rgStatus check_local_values(const rgProblem* problem, rgMessage* message) {
  const rgLocalMatrix* local = problem->local;
  const double* values = local->values;
  if (all_finite(values, rg_local_number_count(problem)))
    return RG_OK;
  for (int i = 0; i < rg_local_node_count(problem); i++)
    for (int k = local->row_start[i]; k < local->row_start[i + 1]; k++) {
      size_t area = (size_t)(node_size(problem, i) * node_size(problem, local->column[k]));
      if (!all_finite(values, area))
        return rg_fail(message, RG_ERROR_INPUT, "local.values: block (%d, %d) is not finite", i,
                       local->column[k]);
      values += area;
    }
  return RG_OK;
}

static rgStatus check_local_row(const rgProblem* problem, int i, rgMessage* message) {
  const double* length = problem->local->length;
  if (!isfinite(problem->rows[i].bias))
    return rg_fail(message, RG_ERROR_INPUT, "rows[%d].bias is not finite", i);
  if (length && !(length[i] > 0 && isfinite(length[i])))
    return rg_fail(message, RG_ERROR_INPUT, "rows[%d].length is %g, must be finite and > 0", i,
                   length[i]);
  return check_bounds(&problem->rows[i], i, message);
}

static rgStatus check_local_contact(const rgProblem* problem, int i, rgMessage* message) {
  const rgProblemContact* contact = &problem->contacts[i];
  for (int k = 0; k < 4; k++)
    if (!isfinite(contact->bias[k]))
      return rg_fail(message, RG_ERROR_INPUT, "contacts[%d].bias[%d] is not finite", i, k);
  rgStatus status = check_law(contact, i, message);
  if (status != RG_OK)
    return status;
  int block = problem->local->block;
  int needed = contact->cone == RG_CONE_FRICTIONLESS                      ? 1
               : problem->dimension == 2                                  ? 2
               : contact->cone == RG_CONE_ELLIPSOID && contact->e_tau > 0 ? 4
                                                                          : 3;
  if (block < needed)
    return rg_fail(message, RG_ERROR_INPUT,
                   "contacts[%d] has %d unknowns, but the blocks of W have %d rows", i, needed,
                   block);
  return RG_OK;
}

static rgStatus check_local_arrays(const rgProblem* problem, rgMessage* message) {
  const rgLocalMatrix* local = problem->local;
  if (problem->body_count)
    return rg_fail(message, RG_ERROR_INPUT, "a problem in local form has %d bodies, must have none",
                   problem->body_count);
  if (local->block < 1 || local->block > 4)
    return rg_fail(message, RG_ERROR_INPUT, "local.block is %d, must be 1 .. 4", local->block);
  if (!local->row_start || local->row_start[0] != 0 ||
      (rg_local_node_count(problem) && (!local->column || !local->values)))
    return rg_fail(message, RG_ERROR_INPUT,
                   "local: an array is NULL or row_start does not begin with 0");
  bool starts = local->value_start ? local->value_start[0] == 0 : problem->row_count == 0;
  if (!starts)
    return rg_fail(message, RG_ERROR_INPUT,
                   "local.value_start is NULL though there are rows, or does not begin with 0");
  return RG_OK;
}

static rgStatus check_local(const rgProblem* problem, rgMessage* message) {
  rgStatus status = check_local_arrays(problem, message);
  for (int i = 0; i < rg_local_node_count(problem) && status == RG_OK; i++) {
    int row = i - problem->contact_count;
    status = check_local_node(problem, i, message);
    if (status == RG_OK)
      status = row < 0 ? check_local_contact(problem, i, message)
                       : check_local_row(problem, row, message);
  }
  return status == RG_OK ? check_local_values(problem, message) : status;
}

rgStatus rg_problem_check(const rgProblem* problem, rgMessage* message) {
  if (!problem)
    return rg_fail(message, RG_ERROR_INPUT, "the problem is NULL");
  if (problem->dimension != 2 && problem->dimension != 3)
    return rg_fail(message, RG_ERROR_INPUT, "dimension is %d, must be 2 or 3", problem->dimension);
  if (problem->body_count < 0 || problem->contact_count < 0 || problem->row_count < 0)
    return rg_fail(message, RG_ERROR_INPUT, "a count is negative: %d bodies, %d contacts, %d rows",
                   problem->body_count, problem->contact_count, problem->row_count);
  bool missing = (problem->body_count && !problem->bodies) ||
                 (problem->contact_count && !problem->contacts) ||
                 (problem->row_count && !problem->rows);
  if (missing)
    return rg_fail(message, RG_ERROR_INPUT, "an array is NULL though its count is not 0");
  if (problem->local)
    return check_local(problem, message);
  rgStatus status = RG_OK;
  for (int i = 0; i < problem->body_count && status == RG_OK; i++)
    status = check_body(problem, i, message);
  for (int i = 0; i < problem->contact_count && status == RG_OK; i++)
    status = check_contact(problem, i, message);
  for (int i = 0; i < problem->row_count && status == RG_OK; i++)
    status = check_row(problem, i, message);
  return status == RG_OK ? rg_problem_check_links(problem, message) : status;
}
