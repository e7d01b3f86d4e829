// reduced_model.c - a problem with trees as a local form, and back.
//
// Velocities that satisfy the rows of the trees are v = o + P q, o being what the offsets of the links
// make (linkage.h). Soft rows along the axes of a joint, w = G v + b + C lambda = 0 with G P = a
// over the rates of that joint alone, have lambda = -(G v + b) / C: they add a a' / C to the mass of
// the joint, and -(G o + b) / C as an impulse. With R = P (P' M P + E)^-1 P',
//
//     v = o + R (M (v_free - o) + G_soft' lambda_0 + G' lambda + H r),
//
// in which lambda are the impulses of all other rows: limits, motors, dry friction, joints that close
// loops; given ones (efforts) act as forces do. They and the contacts are a local form, W = D' R D with D = (H, G), whose numbers are
// products of the ways of two directions to the root. A soft row with bounds is one of the soft rows until
// its impulse would leave them.
//
// Back from r and lambda: v as above, soft impulses by their law, and those of the trees' rows from
// the momentum that links gain: what a link and all that hangs on it lack is what its joint gives, a
// wrench in the span of the joint's rows.
//
// Cost: linear in the links, but for W: the square of contacts and kept rows times the joints on their
// ways.
#include "math/cholesky.h"
#include "problem/delassus.h"
#include "problem/links.h"
#include "problem/operator.h"
#include "solve/reduced/reduced.h"

#include <math.h>
#include <string.h>

static bool is_two_sided(const rgProblemRow* row) {
  return row->lower == -HUGE_VAL && row->upper == HUGE_VAL;
}

// Numbers of a contact: its normal alone where none has friction, as in a projection of positions.
static int block_of(const rgProblem* problem) {
  bool rough = false;
  for (int i = 0; i < problem->contact_count; i++) {
    double e[4];
    rg_contact_axes(problem, &problem->contacts[i], e);
    if (e[3] > 0)
      return 4;
    rough = rough || e[1] > 0 || e[2] > 0;
  }
  return rough ? problem->dimension : 1;
}

// Rows of the local form: an upper bound that needs no memory.
static int count_kept(const rgProblem* problem) {
  int kept = problem->row_count;
  for (int i = 0; i < problem->body_count && problem->links; i++) {
    const rgProblemLink* link = &problem->links[i];
    if (link->row < 0)
      continue;
    kept -= link->row_count;
    for (int k = link->row + link->row_count;
         k < link->row + link->row_count + link->axis_row_count; k++)
      kept -= is_two_sided(&problem->rows[k]) && problem->rows[k].compliance > 0;
  }
  return kept;
}

// Directions of a dense W for each dof, and products that W may take: long chains with many contacts are
// left to methods of linear cost.
enum { DIRECTIONS_PER_DOF = 4, PRODUCTS_MAX = 4000000 };

static int count_dofs(const rgProblem* problem) {
  int dofs = 0;
  for (int i = 0; i < problem->body_count; i++)
    dofs += !problem->links || problem->links[i].row < 0 ? RG_LINKAGE_FREE
                                                         : problem->links[i].axis_count;
  return dofs;
}

bool rg_reduced_takes(const rgProblem* problem) {
  if (problem->local || !(problem->links || rg_problem_has_far(problem)))
    return false;
  for (int i = 0; i < problem->body_count && problem->links; i++)
    if (!rg_problem_link_fits(problem, i))
      return false;
  int dofs = count_dofs(problem);
  for (int i = 0; i < problem->contact_count; i++)
    if (problem->contacts[i].cone == RG_CONE_INNER || problem->contacts[i].cone == RG_CONE_OUTER)
      return false;
  long long directions =
      (long long)problem->contact_count * block_of(problem) + count_kept(problem);
  bool few = directions <= RG_REDUCED_NUMBERS &&
             directions <= DIRECTIONS_PER_DOF * (long long)dofs &&
             directions * directions * dofs <= PRODUCTS_MAX;
  return few || (directions <= RG_REDUCED_FAR_NUMBERS && rg_problem_has_far(problem));
}

static void carve_local(rgReduced* reduced, int kept, int dofs, rgCarver* carver) {
  size_t contacts = (size_t)reduced->problem->contact_count, rows = (size_t)kept;
  size_t numbers = contacts * (size_t)reduced->block + rows;
  reduced->r = rg_carve(carver, 4 * contacts, sizeof(double));
  reduced->lambda = rg_carve(carver, rows, sizeof(double));
  reduced->nodes = rg_carve(carver, contacts + rows, sizeof *reduced->nodes);
  reduced->active = rg_carve(carver, numbers, sizeof *reduced->active);
  reduced->ways = rg_carve(carver, numbers * (size_t)dofs, sizeof(double));
  reduced->turned =
      rg_carve(carver, ((size_t)dofs + 1) * rg_reduced_dense_width((int)numbers), sizeof(double));
  reduced->w = rg_carve(carver, numbers * numbers, sizeof(double));
  reduced->matrix =
      rg_carve(carver, numbers * rg_reduced_dense_width((int)numbers), sizeof(double));
  double** vectors[] = {&reduced->scale,   &reduced->q,    &reduced->x,      &reduced->y,
                        &reduced->trial,   &reduced->step, &reduced->centre, &reduced->best,
                        &reduced->trial_y, &reduced->f,    &reduced->row};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = rg_carve(carver, numbers, sizeof(double));
}

// Every body is the root of a tree of its own: R is M^-1, and no row holds by itself.
static void make_loose(rgReduced* reduced, const rgProblem* problem, rgCarver* carver) {
  rgProblemLink* links = rg_carve(carver, (size_t)problem->body_count, sizeof *links);
  int* order = rg_carve(carver, (size_t)problem->body_count, sizeof *order);
  for (int i = 0; i < problem->body_count && carver->base; i++) {
    links[i] = (rgProblemLink){.parent = -1, .row = -1};
    order[i] = i;
  }
  reduced->loose = *problem;
  reduced->loose.links = links;
  reduced->loose.link_order = order;
  reduced->problem = &reduced->loose;
}

void rg_reduced_carve(rgReduced* reduced, const rgProblem* problem, rgCarver* carver) {
  size_t bodies = (size_t)problem->body_count, rows = (size_t)problem->row_count;
  memset(reduced, 0, sizeof *reduced);
  reduced->problem = problem;
  if (!problem->links)
    make_loose(reduced, problem, carver);
  reduced->block = block_of(problem);
  reduced->dense = rg_reduced_dense();
  rg_linkage_carve(&reduced->linkage, problem->body_count, carver);
  reduced->masses = rg_carve(carver, bodies, sizeof *reduced->masses);
  reduced->extra = rg_carve(carver, RG_LINKAGE_FREE * bodies, sizeof *reduced->extra);
  reduced->role = rg_carve(carver, rows, sizeof *reduced->role);
  reduced->acting = rg_carve(carver, rows, sizeof *reduced->acting);
  reduced->row_in = rg_carve(carver, rows, sizeof *reduced->row_in);
  reduced->rows = rg_carve(carver, rows, sizeof *reduced->rows);
  size_t contacts = (size_t)problem->contact_count;
  reduced->contact_in = rg_carve(carver, contacts, sizeof *reduced->contact_in);
  reduced->contacts = rg_carve(carver, contacts, sizeof *reduced->contacts);
  double** vectors[] = {&reduced->rest, &reduced->wrench, &reduced->v};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
    *vectors[i] = rg_carve(carver, 6 * bodies, sizeof(double));
  carve_local(reduced, count_kept(problem), count_dofs(problem), carver);
}

// -------------------------------------------------------------------------------------------------
// Trees
// -------------------------------------------------------------------------------------------------

// An impulse that is as near to a bound, as a part of it, is at the bound: bounds are forces times h, and a step of another
// length rounds them otherwise.
static const double AT_BOUND = 1e-9;

static bool is_at(double lambda, double bound) {
  return fabs(bound) < HUGE_VAL && fabs(lambda - bound) <= AT_BOUND * fabs(bound);
}

// A soft row whose impulse is not at its bounds is as good as one without: most servos, most of the time. One that is at
// them and is taken for free would pull with all its stiffness, and the impulses of such an answer are no start for the
// next one: a grip would be lost.
static bool is_free(const rgProblemRow* row, double lambda) {
  return row->compliance > 0 && lambda > row->lower && lambda < row->upper &&
         !is_at(lambda, row->lower) && !is_at(lambda, row->upper);
}

static void set_roles(rgReduced* reduced, const rgSolution* start) {
  const rgProblem* problem = reduced->problem;
  size_t rows = (size_t)problem->row_count;
  memset(reduced->role, RG_REDUCED_KEPT, rows * sizeof *reduced->role);
  memset(reduced->row_in, 0, rows * sizeof *reduced->row_in);
  for (int i = 0; i < problem->body_count; i++) {
    const rgProblemLink* link = &problem->links[i];
    if (link->row < 0)
      continue;
    int first = link->row + link->row_count, end = first + link->axis_row_count;
    for (int row = link->row; row < first; row++)
      reduced->role[row] = RG_REDUCED_IMPLIED; // nobody may have written it
    for (int row = first; row < end; row++)
      if (is_free(&problem->rows[row], start->lambda[row]))
        reduced->role[row] = RG_REDUCED_SOFT;
  }
  reduced->acting_count = 0;
  for (int i = 0; i < problem->row_count; i++) {
    if (reduced->role[i] == RG_REDUCED_IMPLIED)
      continue;
    reduced->acting[reduced->acting_count++] = i;
    if (problem->rows[i].lower == problem->rows[i].upper)
      reduced->role[i] = RG_REDUCED_GIVEN;
  }
}

// Adds a a' / C of the soft rows of a link to the mass of its joint.
static void add_soft(rgReduced* reduced, int body) {
  const rgProblemLink* link = &reduced->problem->links[body];
  double(*extra)[RG_LINK_AXES] =
      reduced->extra + reduced->linkage.nodes[reduced->linkage.place[body]].dof_start;
  for (int k = 0; k < link->axis_count; k++)
    memset(extra[k], 0, sizeof extra[k]);
  for (int i = link->row + link->row_count; i < link->row + link->row_count + link->axis_row_count;
       i++) {
    if (reduced->role[i] != RG_REDUCED_SOFT)
      continue;
    const rgProblemRow* row = &reduced->problem->rows[i];
    rgTwist g = row->body_a == body ? row->g_a : row->g_b;
    double a[RG_LINK_AXES];
    for (int k = 0; k < link->axis_count; k++) {
      a[k] = twist_dot(g, link->axis[k]);
      for (int j = 0; j <= k; j++)
        extra[k][j] += a[k] * a[j] / row->compliance;
    }
  }
}

static bool build(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  return rg_linkage_build(&reduced->linkage, problem->body_count, problem->links,
                          problem->link_order);
}

// Whether a link has as many axes as when the nodes were built.
static bool is_as_built(const rgReduced* reduced, int body) {
  const rgProblemLink* link = &reduced->problem->links[body];
  return link->row < 0 ||
         reduced->linkage.nodes[reduced->linkage.place[body]].dof_count == link->axis_count;
}

static void scale_mass(rgLinkageMass* mass, double factor) {
  rgSix* i = &mass->inertia;
  mass->mass *= factor;
  i->xx *= factor, i->yy *= factor, i->zz *= factor;
  i->xy *= factor, i->xz *= factor, i->yz *= factor;
}

static bool factor(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  bool built = true;
  for (int i = 0; i < problem->body_count && built; i++)
    built = is_as_built(reduced, i);
  if (!built && !build(reduced))
    return false;
  for (int i = 0; i < problem->body_count; i++) {
    rgRigidMatrix mass = rg_mass_exact(problem, i);
    reduced->masses[i] = (rgLinkageMass){mass.linear, mass.angular};
    if (reduced->lighter && reduced->lighter[i] != 1)
      scale_mass(&reduced->masses[i], reduced->lighter[i]);
    if (problem->links[i].row >= 0)
      add_soft(reduced, i);
  }
  return rg_linkage_factor(&reduced->linkage, problem->links, reduced->masses,
                           (const double(*)[RG_LINK_AXES])reduced->extra);
}

static rgTwist momentum(const rgLinkageMass* mass, rgTwist v) {
  return (rgTwist){v3_scale(v.linear, mass->mass), six_apply(&mass->inertia, v.angular)};
}

// o + R (M (v_free - o) + G_soft' lambda_0)
static void find_rest(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  double *rest = reduced->rest, *wrench = reduced->wrench;
  if (reduced->linkage.no_offsets)
    memset(rest, 0, 6 * (size_t)problem->body_count * sizeof *rest);
  else
    rg_linkage_offsets(&reduced->linkage, problem->links, rest);
  for (int i = 0; i < problem->body_count; i++) {
    rgTwist free = rg_body_free(problem, i), o = rg_body_twist(rest, i);
    rgTwist less = {v3_sub(free.linear, o.linear), v3_sub(free.angular, o.angular)};
    rg_body_put(wrench, i, momentum(&reduced->masses[i], less));
  }
  for (int k = 0; k < reduced->acting_count; k++) {
    int i = reduced->acting[k];
    const rgProblemRow* row = &problem->rows[i];
    if (reduced->role[i] == RG_REDUCED_SOFT)
      rg_row_add(row, -rg_row_velocity(row, rest) / row->compliance, wrench);
    if (reduced->role[i] == RG_REDUCED_GIVEN)
      rg_row_add(row, row->lower, wrench);
  }
  rg_linkage_response(&reduced->linkage, wrench, reduced->linkage.no_offsets ? rest : reduced->v);
  for (int i = 0; i < 6 * problem->body_count && !reduced->linkage.no_offsets; i++)
    rest[i] += reduced->v[i];
}

bool rg_reduced_refresh(rgReduced* reduced) {
  if (!factor(reduced))
    return false;
  find_rest(reduced);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Local form
// -------------------------------------------------------------------------------------------------

// A row that does nothing unless its velocity falls below zero: a limit.
static bool is_limit(const rgProblemRow* row) {
  return row->lower == 0 && row->upper == HUGE_VAL && row->compliance == 0;
}

// Nodes are contacts and rows that carried impulses, or that the trees by themselves would violate or just keep, and
// all rows that are no limits. Others enter when the velocities found violate them. What is just kept are limits at which
// axes rest, in a problem of positions: they would enter one after the other, with a W for each.
static void choose_nodes(rgReduced* reduced, const rgSolution* start) {
  const rgProblem* problem = reduced->problem;
  for (int i = 0; i < problem->contact_count; i++) {
    double u[4];
    rg_contact_velocity(&problem->contacts[i], reduced->rest, u);
    reduced->contact_in[i] = start->r[4 * (size_t)i] > 0 || u[0] <= 0;
  }
  for (int k = 0; k < reduced->acting_count; k++) {
    int i = reduced->acting[k];
    const rgProblemRow* row = &problem->rows[i];
    reduced->row_in[i] =
        reduced->role[i] == RG_REDUCED_KEPT &&
        (!is_limit(row) || start->lambda[i] > 0 || rg_row_velocity(row, reduced->rest) <= 0);
  }
}

// Takes soft rows in whose impulses would be beyond their bounds: they leave the mass of their joints.
static int add_bounded(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  int added = 0;
  for (int k = 0; k < reduced->acting_count; k++) {
    int i = reduced->acting[k];
    const rgProblemRow* row = &problem->rows[i];
    if (reduced->role[i] != RG_REDUCED_SOFT || is_two_sided(row))
      continue;
    double lambda = -rg_row_velocity(row, reduced->v) / row->compliance;
    if (lambda >= row->lower && lambda <= row->upper)
      continue;
    reduced->role[i] = RG_REDUCED_KEPT;
    reduced->row_in[i] = true;
    added++;
  }
  return added;
}

int rg_reduced_add_violated(rgReduced* reduced, double least) {
  const rgProblem* problem = reduced->problem;
  int added = add_bounded(reduced);
  if (added > 0 && !rg_reduced_refresh(reduced))
    return 0;
  for (int i = 0; i < problem->contact_count; i++) {
    double u[4];
    if (reduced->contact_in[i])
      continue;
    rg_contact_velocity(&problem->contacts[i], reduced->v, u);
    reduced->contact_in[i] = u[0] < -least;
    added += reduced->contact_in[i];
  }
  for (int k = 0; k < reduced->acting_count; k++) {
    int i = reduced->acting[k];
    const rgProblemRow* row = &problem->rows[i];
    if (reduced->role[i] != RG_REDUCED_KEPT || reduced->row_in[i])
      continue;
    double w = rg_row_velocity(row, reduced->v);
    reduced->row_in[i] = w < 0 && w * rg_row_length(problem, row) < -least; // most open: no length
    added += reduced->row_in[i];
  }
  return added;
}

static void list_nodes(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  reduced->contact_count = reduced->row_count = 0;
  for (int i = 0; i < problem->contact_count; i++)
    if (reduced->contact_in[i])
      reduced->contacts[reduced->contact_count++] = i;
  for (int k = 0; k < reduced->acting_count; k++)
    if (reduced->row_in[reduced->acting[k]])
      reduced->rows[reduced->row_count++] = reduced->acting[k];
}

// The way of a row; that of its far bodies is added, for which `spare` has room.
static void find_row_way(const rgReduced* reduced, const rgProblemRow* row, double* way,
                         double* spare) {
  rg_linkage_direction(&reduced->linkage, row->body_a, row->g_a, row->body_b, row->g_b, way);
  const rgProblemFar* far = row->far;
  if (!far)
    return;
  rg_linkage_direction(&reduced->linkage, far->body_a, far->g_a, far->body_b, far->g_b, spare);
  rg_axpy(way, 1, spare, reduced->linkage.dof_count);
}

static void find_ways(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  double* way = reduced->ways;
  size_t dofs = (size_t)reduced->linkage.dof_count;
  for (int i = 0; i < reduced->contact_count; i++)
    for (int k = 0; k < reduced->block; k++, way += dofs) {
      rgDirection d = rg_contact_direction(&problem->contacts[reduced->contacts[i]], k);
      rg_linkage_direction(&reduced->linkage, d.body_a, d.g_a, d.body_b, d.g_b, way);
    }
  for (int i = 0; i < reduced->row_count; i++, way += dofs)
    find_row_way(reduced, &problem->rows[reduced->rows[i]], way, reduced->turned);
}

void rg_reduced_take(rgReduced* reduced, const rgSolution* start) {
  list_nodes(reduced);
  for (int i = 0; i < reduced->contact_count; i++) {
    const double* r = start->r + 4 * (size_t)reduced->contacts[i];
    for (int k = 0; k < 4; k++)
      reduced->r[4 * i + k] = k < reduced->block ? r[k] : 0;
  }
  for (int i = 0; i < reduced->row_count; i++)
    reduced->lambda[i] = start->lambda[reduced->rows[i]];
}

void rg_reduced_fill(rgReduced* reduced, const rgSolution* start) {
  rg_reduced_take(reduced, start);
  reduced->width = reduced->block * reduced->contact_count + reduced->row_count;
  find_ways(reduced);
  reduced->dense->products(reduced->ways, reduced->width, reduced->linkage.dof_count,
                           reduced->turned, reduced->w);
  rg_reduced_scale(reduced);
  rg_reduced_velocity(reduced);
  rg_reduced_shift(reduced);
}

bool rg_reduced_build(rgReduced* reduced, const rgSolution* start) {
  set_roles(reduced, start);
  if (!build(reduced) || !rg_reduced_refresh(reduced))
    return false;
  choose_nodes(reduced, start);
  return true;
}

// -------------------------------------------------------------------------------------------------
// Back
// -------------------------------------------------------------------------------------------------

// A direction of a row at the joint: its force, and its moment about the joint.
static void at_joint(const rgProblemLink* link, rgTwist g, double out[6]) {
  rgVec3 moment = v3_sub(g.angular, v3_cross(link->arm, g.linear));
  out[0] = g.linear.x, out[1] = g.linear.y, out[2] = g.linear.z;
  out[3] = moment.x, out[4] = moment.y, out[5] = moment.z;
}

// x = (g g')^-1 x over the rows and numbers from `first` on.
static inline __attribute__((always_inline)) void solve_normal(double g[6][6], int first, int n,
                                                               double x[6]) {
  double a[6][6];
  for (int i = first; i < n; i++) {
    for (int j = first; j <= i; j++) {
      double sum = 0;
      for (int k = first; k < 6; k++)
        sum += g[i][k] * g[j][k];
      for (int k = first; k < j; k++)
        sum -= a[i][k] * a[j][k];
      a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
    }
    for (int k = first; k < i; k++)
      x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
  for (int i = n - 1; i >= first; i--) {
    for (int k = i + 1; k < n; k++)
      x[i] -= a[k][i] * x[k];
    x[i] /= a[i][i];
  }
}

enum { POINT = 3 };

static const rgTwist* row_on(const rgProblem* problem, int row, int body) {
  const rgProblemRow* r = &problem->rows[row];
  return r->body_a == body ? &r->g_a : &r->g_b;
}

// Whether a row holds the point of the joint along one axis of the world, up to its sign.
static bool holds_along(const rgProblemLink* link, const rgTwist* g, int axis) {
  double linear[3] = {g->linear.x, g->linear.y, g->linear.z};
  for (int k = 0; k < POINT; k++)
    if (k == axis ? fabs(linear[k]) != 1 : linear[k] != 0)
      return false;
  return v3_equal(g->angular, v3_cross(link->arm, g->linear));
}

// Whether the first three rows hold the point along the axes of the world, and the others leave it
// alone: both kinds are apart then.
static bool holds_point(const rgProblem* problem, int body) {
  const rgProblemLink* link = &problem->links[body];
  for (int i = 0; i < POINT; i++)
    if (!holds_along(link, row_on(problem, link->row + i, body), i))
      return false;
  for (int i = POINT; i < link->row_count; i++)
    if (!v3_equal(row_on(problem, link->row + i, body)->linear, v3_zero()))
      return false;
  return true;
}

// The same as below where they do: each row of the point has its force, and the others the moment.
static void find_apart(const rgProblem* problem, int body, const double p[6], double* lambda) {
  const rgProblemLink* link = &problem->links[body];
  int n = link->row_count;
  double g[6][6], x[6];
  for (int i = 0; i < POINT; i++) {
    rgVec3 linear = row_on(problem, link->row + i, body)->linear;
    lambda[link->row + i] = (linear.x + linear.y + linear.z) * p[i];
  }
  for (int i = POINT; i < n; i++) {
    rgVec3 moment = row_on(problem, link->row + i, body)->angular;
    g[i][3] = moment.x, g[i][4] = moment.y, g[i][5] = moment.z;
    x[i] = moment.x * p[3] + moment.y * p[4] + moment.z * p[5];
  }
  if (n == 5)
    solve_normal(g, POINT, 5, x);
  else if (n > POINT)
    solve_normal(g, POINT, n, x);
  for (int i = POINT; i < n; i++)
    lambda[link->row + i] = x[i];
}

// Impulses of the implied rows whose sum is the wrench on a link, by the normal equations of the
// rows at the joint, where they are about orthonormal.
void rg_reduced_impulses(const rgProblem* problem, int body, rgTwist wrench, double* lambda) {
  const rgProblemLink* link = &problem->links[body];
  int n = link->row_count;
  double g[6][6], p[6], x[6];
  at_joint(link, wrench, p);
  if (n >= POINT && holds_point(problem, body)) {
    find_apart(problem, body, p, lambda);
    return;
  }
  for (int i = 0; i < n; i++) {
    at_joint(link, *row_on(problem, link->row + i, body), g[i]);
    x[i] = 0;
    for (int k = 0; k < 6; k++)
      x[i] += g[i][k] * p[k];
  }
  solve_normal(g, 0, n, x);
  for (int i = 0; i < n; i++)
    lambda[link->row + i] = x[i];
}

void rg_reduced_store(const rgReduced* reduced, rgSolution* solution) {
  const rgProblem* problem = reduced->problem;
  for (int i = 0; i < 4 * problem->contact_count; i++)
    solution->r[i] = 0;
  for (int i = 0; i < problem->row_count; i++)
    solution->lambda[i] = 0;
  for (int i = 0; i < reduced->contact_count; i++)
    memcpy(solution->r + 4 * (size_t)reduced->contacts[i], reduced->r + 4 * (size_t)i,
           4 * sizeof(double));
  for (int i = 0; i < reduced->row_count; i++)
    solution->lambda[reduced->rows[i]] = reduced->lambda[i];
}

// Wrenches of the nodes.
static void find_wrenches(rgReduced* reduced) {
  const rgProblem* problem = reduced->problem;
  double* wrench = reduced->wrench;
  memset(wrench, 0, 6 * (size_t)problem->body_count * sizeof *wrench);
  for (int i = 0; i < reduced->row_count; i++)
    rg_row_add(&problem->rows[reduced->rows[i]], reduced->lambda[i], wrench);
  for (int i = 0; i < reduced->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[reduced->contacts[i]];
    rgVec3 force, torque_a, torque_b;
    rg_contact_wrench(contact, reduced->r + 4 * (size_t)i, &force, &torque_a, &torque_b);
    rg_body_add(wrench, contact->body_a, 1, force, torque_a);
    rg_body_add(wrench, contact->body_b, -1, force, torque_b);
  }
}

static bool has_impulses(const rgReduced* reduced) {
  for (int i = 0; i < 4 * reduced->contact_count; i++)
    if (reduced->r[i] != 0)
      return true;
  for (int i = 0; i < reduced->row_count; i++)
    if (reduced->lambda[i] != 0)
      return true;
  return false;
}

void rg_reduced_velocity(rgReduced* reduced) {
  int numbers = 6 * reduced->problem->body_count;
  find_wrenches(reduced);
  if (!has_impulses(reduced)) { // as corrections begin
    memcpy(reduced->v, reduced->rest, (size_t)numbers * sizeof *reduced->v);
    return;
  }
  rg_linkage_response(&reduced->linkage, reduced->wrench, reduced->v);
  for (int i = 0; i < numbers; i++)
    reduced->v[i] += reduced->rest[i];
}

void rg_reduced_react(rgReduced* reduced, rgSolution* solution) {
  const rgProblem* problem = reduced->problem;
  double* wrench = reduced->wrench;
  rg_reduced_store(reduced, solution);
  for (int k = 0; k < reduced->acting_count; k++) {
    int i = reduced->acting[k];
    const rgProblemRow* row = &problem->rows[i];
    if (reduced->role[i] != RG_REDUCED_SOFT && reduced->role[i] != RG_REDUCED_GIVEN)
      continue;
    bool soft = reduced->role[i] == RG_REDUCED_SOFT;
    solution->lambda[i] = soft ? -rg_row_velocity(row, reduced->v) / row->compliance : row->lower;
    rg_row_add(row, solution->lambda[i], wrench);
  }
  for (int i = 0; i < problem->body_count; i++) {
    rgTwist free = rg_body_free(problem, i), v = rg_body_twist(reduced->v, i);
    rgTwist gained = momentum(&reduced->masses[i], (rgTwist){v3_sub(v.linear, free.linear),
                                                             v3_sub(v.angular, free.angular)});
    rgTwist applied = rg_body_twist(wrench, i);
    rg_body_put(
        wrench, i,
        (rgTwist){v3_sub(gained.linear, applied.linear), v3_sub(gained.angular, applied.angular)});
  }
  rg_linkage_reactions(&reduced->linkage, wrench);
}

void rg_reduced_complete(rgReduced* reduced, rgSolution* solution) {
  const rgProblem* problem = reduced->problem;
  for (int i = 0; i < problem->body_count; i++)
    if (problem->links[i].row >= 0)
      rg_reduced_impulses(problem, i, rg_body_twist(reduced->wrench, i), solution->lambda);
  memcpy(solution->v, reduced->v, 6 * (size_t)problem->body_count * sizeof(double));
}
