// certificate.c - how well a solution satisfies its problem. Knows nothing of solvers.
//
// Problem: given (v, lambda, r), measure in [m/s] by how much each line of the discrete problem
// (see problem.h) fails, such that the measure is zero exactly at solutions and does not depend on
// units.
//
// Contact law. With the axes E of the cone, y = E^-1 r_T and w = E u_T, every exact cone is the
// circular cone |y| <= mu r_n and the law reads: (r_n, y) in K, (u_n + mu |w|, w) in K*, both
// perpendicular (De Saxce). Projection characterizes this in any metric: the natural map
//
//     F = (r_n, y) - P_K((r_n, y) - rho (u_n + mu |w|, w))
//
// vanishes exactly at the solutions, for every rho > 0. rho = k / trace(W_cc) is the effective mass
// of the contact, so that |F| / rho is the velocity by which the law is missed. A polygon law is
// not of that form (its dual norm is not smooth); its natural map has two parts, the Signorini one
// and
//
//     F_T = r_T - P(r_T - rho u_T),  P the projection on the section mu max(r_n, 0) P_k.
//
// Rows: (lambda - clamp(lambda - rho w, lower, upper)) / rho with rho = 1 / (G M^-1 G' + C), where
// C is the compliance.
//
// Cost: one pass over rows and contacts for the laws and the scale; the dynamics one pass per
// 512 bodies, because the sums M (v - v_free) - G' lambda - H r are formed on the stack.
#include "problem/cone.h"
#include "problem/lanes.h"
#include "problem/operator.h"

#include <string.h>

// max(a, b), where a NaN counts as infinite: a broken number never looks like a small residual.
static double worse(double a, double b) { return b <= a ? a : b > a ? b : HUGE_VAL; }

// Residual of a bound law: x in [lower, upper] against the velocity w. Without an effective mass
// (inverse_rho = 0, both bodies held) only the sign of w can be judged.
static double bound_law(double x, double w, double inverse_rho, double lower, double upper) {
  if (inverse_rho > 0) {
    double step = x - w / inverse_rho;
    double nearest = step < lower ? lower : step > upper ? upper : step;
    return fabs(x - nearest) * inverse_rho;
  }
  if (x <= lower)
    return w < 0 ? -w : 0;
  if (x >= upper)
    return w > 0 ? w : 0;
  return fabs(w);
}

// [m] turns a moment that should not be there into an impulse.
static double longest_arm(const rgProblemContact* contact) {
  double arm = fmax(v3_norm(contact->arm_a), v3_norm(contact->arm_b));
  return arm > 0 ? arm : 1;
}

// |F|^2 of the exact laws, in the scaled variables where the cone is circular. Components without
// an axis must be zero.
static double circular_map(const rgProblemContact* contact, const double e[4], const double r[4],
                           const double u[4], double rho) {
  double mu = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
  double y[4] = {r[0]}, w[4] = {u[0]}, z[4];
  double slide2 = 0, idle2 = 0;
  int m = 0;
  for (int i = 1; i < 4; i++) {
    if (e[i] > 0) {
      m++;
      y[m] = r[i] / e[i];
      w[m] = e[i] * u[i];
      slide2 += w[m] * w[m];
    } else if (r[i] != 0) {
      double idle = i < 3 ? r[i] : r[i] / longest_arm(contact);
      idle2 += idle * idle;
    }
  }
  z[0] = y[0] - rho * (w[0] + mu * sqrt(slide2));
  for (int i = 1; i <= m; i++)
    z[i] = y[i] - rho * w[i];
  rg_cone_project_circular(z, m, mu);
  double f2 = idle2;
  for (int i = 0; i <= m; i++)
    f2 += (y[i] - z[i]) * (y[i] - z[i]);
  return f2;
}

// A relative velocity below this part of the velocities it is the difference of is rounding.
static const double VELOCITY_ROUNDING = 16 * 2.2e-16;

// The sizes of what the velocity of a contact is the difference of.
static double velocity_size(const rgProblemContact* contact, rgTwist a, rgTwist b) {
  return fabs(contact->bias[0]) + v3_norm(a.linear) + v3_norm(b.linear) +
         v3_norm(a.angular) * v3_norm(contact->arm_a) +
         v3_norm(b.angular) * v3_norm(contact->arm_b);
}

static double sum_of(rgVec3 v) { return fabs(v.x) + fabs(v.y) + fabs(v.z); }

// What rounding of a contact's velocity comes to at most, without the roots of velocity_size: most contacts miss
// by so much more that they need not be taken.
static double most_rounding(const rgProblemContact* contact, rgTwist a, rgTwist b) {
  double most = fabs(contact->bias[0]) + sum_of(a.linear) + sum_of(b.linear) +
                sum_of(a.angular) * sum_of(contact->arm_a) +
                sum_of(b.angular) * sum_of(contact->arm_b);
  return 2 * VELOCITY_ROUNDING * most; // twice: more than these sums are rounded by
}

// Approaching by more than rounding: bodies that fly together after an impact do not.
static bool approaches(const rgProblemContact* contact, rgTwist a, rgTwist b, double normal) {
  if (normal >= 0)
    return false;
  if (-normal > most_rounding(contact, a, b))
    return true;
  double sum = velocity_size(contact, a, b);
  return sum == HUGE_VAL ||
         !(normal >= -VELOCITY_ROUNDING * sum); // out of range nothing is rounding
}

// No impulse and not approaching: the law holds exactly, whatever a projection makes of it by
// rounding. It matters where nothing is violated at all and the scale is zero.
static bool is_apart(const rgProblem* problem, const rgProblemContact* contact, const double* v,
                     const double r[4], const double u[4]) {
  if (r[0] != 0 || r[1] != 0 || r[2] != 0 || r[3] != 0)
    return false;
  if (problem->local)
    return u[0] >= 0;
  return !approaches(contact, rg_body_twist(v, contact->body_a), rg_body_twist(v, contact->body_b),
                     u[0]);
}

// The same for the most common case, a disk in three dimensions: all axes are 1 or 0.
static double disk_map(const rgProblemContact* contact, const double r[4], const double u[4],
                       double rho) {
  double mu = contact->mu, twist = r[3] != 0 ? r[3] / longest_arm(contact) : 0;
  double z[4] = {r[0] - rho * (u[0] + mu * sqrt(u[1] * u[1] + u[2] * u[2])), r[1] - rho * u[1],
                 r[2] - rho * u[2], 0};
  rg_cone_project_circular(z, 2, mu);
  double f_n = r[0] - z[0], f_t = r[1] - z[1], f_o = r[2] - z[2];
  return twist * twist + f_n * f_n + f_t * f_t + f_o * f_o;
}

// |F|^2 of a polygon law.
static double polygon_map(const rgProblemContact* contact, const double e[4], const double r[4],
                          const double u[4], double rho) {
  double normal = r[0] - rho * u[0];
  double f_n = r[0] - (normal > 0 ? normal : 0);
  double size = r[0] > 0 ? contact->mu * r[0] : 0;
  double x[2] = {r[1] - rho * u[1], r[2] - rho * u[2]};
  rgPolygon polygon = rg_polygon(contact->cone, contact->facets);
  if (e[2] > 0) {
    rg_polygon_project(&polygon, size, x);
  } else {
    double lower, upper;
    rg_polygon_interval(&polygon, &lower, &upper);
    x[0] = x[0] < size * lower ? size * lower : x[0] > size * upper ? size * upper : x[0];
    x[1] = 0;
  }
  double f_t = r[1] - x[0], f_o = r[2] - x[1];
  double twist = r[3] != 0 ? r[3] / longest_arm(contact) : 0; // polygons have no torsion
  return twist * twist + f_n * f_n + f_t * f_t + f_o * f_o;
}

typedef struct Missed {
  double signorini; // [m/s]
  double coulomb2;  // [m2/s2]
} Missed;

static void add_missed(Missed* worst, double signorini, double coulomb2) {
  worst->signorini = worse(worst->signorini, signorini);
  worst->coulomb2 = worse(worst->coulomb2, coulomb2);
}

// Of the components of an impulse, as a part of it.
static const double CONE_ROUNDING = 4 * 2.2e-16;

// True where a contact cannot miss its law by more than others do, and nothing of its bodies need
// be known: where r is in the cone, P_K(r) = r, and a projection brings nothing farther apart, so
// that |F| / rho <= |u + mu |u_T| n|; and |min(u_n, r_n / rho)| <= |u_n|. An r that slips is in the
// cone but for its rounding, which F has as well.
static bool is_no_worse(const rgProblem* problem, const rgProblemContact* contact,
                        const double r[4], const double u[4], const Missed* worst) {
  bool smooth = contact->cone == RG_CONE_FRICTIONLESS;
  if (!smooth && !(contact->cone == RG_CONE_DISK && problem->dimension == 3))
    return false;
  double mu = smooth ? 0 : contact->mu, slide2 = smooth ? 0 : u[1] * u[1] + u[2] * u[2];
  double pushed = u[0] + mu * sqrt(slide2), bound = mu * r[0] * (1 + CONE_ROUNDING);
  return r[3] == 0 && r[0] >= 0 && r[1] * r[1] + r[2] * r[2] <= bound * bound &&
         fabs(u[0]) <= worst->signorini && pushed * pushed + slide2 <= worst->coulomb2;
}

// Whether what a contact misses is rounding of the velocities of its bodies: between bodies that fall
// together there is no other, and no impulse, however small, is right.
static bool is_contact_rounding(const rgProblem* problem, const rgProblemContact* contact,
                                const double* v, double missed2) {
  if (problem->local)
    return false;
  rgTwist a = rg_body_twist(v, contact->body_a), b = rg_body_twist(v, contact->body_b);
  double most = most_rounding(contact, a, b);
  if (missed2 > most * most)
    return false;
  double rounding = VELOCITY_ROUNDING * velocity_size(contact, a, b);
  return rounding < HUGE_VAL && missed2 <= rounding * rounding;
}

// Makes `worst` the worse one of what it is and of what the contact with the velocity u misses. The fourth number of
// u is asked for of ellipsoids alone.
static void judge_contact(const rgProblem* problem, const rgProblemContact* contact,
                          const double* v, const double r[4], const double u[4], Missed* worst) {
  double e[4];
  if (is_no_worse(problem, contact, r, u, worst) || is_apart(problem, contact, v, r, u))
    return;
  bool disk = contact->cone == RG_CONE_DISK && problem->dimension == 3;
  rg_contact_axes(problem, contact, e);
  double inverse_rho = rg_contact_inverse_rho(problem, contact, e);
  if (!(inverse_rho > 0)) { // both bodies held: no impulse changes anything
    double approach = u[0] >= 0 ? 0 : -u[0];
    add_missed(worst, approach, approach * approach);
    return;
  }
  double rho = 1 / inverse_rho, force = r[0] * inverse_rho;
  bool polygon = contact->cone == RG_CONE_INNER || contact->cone == RG_CONE_OUTER;
  double f2 = disk      ? disk_map(contact, r, u, rho)
              : polygon ? polygon_map(contact, e, r, u, rho)
                        : circular_map(contact, e, r, u, rho);
  double signorini = fabs(u[0] < force ? u[0] : force), coulomb2 = f2 * inverse_rho * inverse_rho;
  if (!is_contact_rounding(problem, contact, v, signorini * signorini + coulomb2))
    add_missed(worst, signorini, coulomb2);
}

// The sum of the sizes of what g . v adds up.
static double twist_size(rgTwist g, rgTwist v) {
  return fabs(g.linear.x * v.linear.x) + fabs(g.linear.y * v.linear.y) +
         fabs(g.linear.z * v.linear.z) + fabs(g.angular.x * v.angular.x) +
         fabs(g.angular.y * v.angular.y) + fabs(g.angular.z * v.angular.z);
}

static double far_size(const rgProblemFar* far, rgTwist a, rgTwist b) {
  return twist_size(far->g_a, a) + twist_size(far->g_b, b);
}

// Whether the velocity w of a row is rounding of what it is the sum of, the `rest` being that of far bodies
// and of the compliance: rows between bodies that fall together have no other.
static bool is_row_rounding(const rgProblem* problem, const rgProblemRow* row, rgTwist a, rgTwist b,
                            double rest, double w) {
  if (problem->local)
    return false;
  double sum = twist_size(row->g_a, a) + twist_size(row->g_b, b) + fabs(row->bias) + fabs(rest);
  return sum < HUGE_VAL && fabs(w) <= VELOCITY_ROUNDING * sum;
}

// The weight of a row, which is found when it is first asked for; below zero before.
static double weight_of(const rgProblem* problem, const rgProblemRow* row, double* weight) {
  if (*weight < 0)
    *weight = rg_row_weight(problem, row);
  return *weight;
}

// What a row with the velocity w misses [m/s].
static double judge_row(const rgProblem* problem, const rgProblemRow* row, double lambda, double w,
                        double* weight) {
  if (row->lower == -HUGE_VAL && row->upper == HUGE_VAL) // the clamp does nothing: F / rho is w
    return w == 0 ? 0 : fabs(w) * weight_of(problem, row, weight);
  double block = rg_row_block(problem, row);
  double missed = bound_law(lambda, w, block + row->compliance, row->lower, row->upper);
  if (*weight < 0)
    *weight = rg_row_weight_of(problem, row, block);
  return missed * *weight;
}

// Makes `worst` the worse one of what it is and of what row i misses [m/s].
static void add_row_law(const rgProblem* problem, const rgSolution* solution, int i, double* worst,
                        double* weight) {
  const rgProblemRow* row = &problem->rows[i];
  double lambda = solution->lambda[i], soft = row->compliance * lambda;
  double w = rg_problem_row_velocity(problem, i, solution->v) + soft;
  double missed = judge_row(problem, row, lambda, w, weight);
  if (missed <= *worst)
    return;
  double rest = fabs(soft);
  if (row->far && !problem->local)
    rest += far_size(row->far, rg_body_twist(solution->v, row->far->body_a),
                     rg_body_twist(solution->v, row->far->body_b));
  if (is_row_rounding(problem, row, rg_body_twist(solution->v, row->body_a),
                      rg_body_twist(solution->v, row->body_b), rest, w))
    missed = judge_row(problem, row, lambda, 0, weight);
  *worst = worse(*worst, missed);
}

// Whether rows alone miss no more than the rounding of the fastest body's velocity: springs at rest
// between bodies that fall together are stretched by rounding of their places.
static bool is_below_rounding(const rgProblem* problem, const rgSolution* solution, double missed) {
  if (problem->local || problem->contact_count > 0)
    return false;
  double fastest2 = 0;
  for (int i = 0; i < problem->body_count; i++)
    fastest2 = worse(fastest2, v3_norm2(rg_body_twist(solution->v, i).linear));
  return fastest2 < HUGE_VAL && missed <= VELOCITY_ROUNDING * sqrt(fastest2);
}

// What the rows miss, from the worst of them [m/s].
static double missed_by_rows(const rgProblem* problem, const rgSolution* solution, double worst) {
  return worst > 0 && is_below_rounding(problem, solution, worst) ? 0 : worst;
}

static void put_laws(const rgProblem* problem, double joint, const Missed* worst,
                     rgCertificate* certificate) {
  certificate->joint = joint;
  certificate->signorini = worst->signorini;
  certificate->coulomb = sqrt(worst->coulomb2);
  certificate->contacts = problem->contact_count;
}

// Of a row with the velocity w of the free motion.
static double row_scale(const rgProblem* problem, const rgProblemRow* row, double w,
                        double* weight) {
  // a one-sided row that the free motion keeps sets no scale: a limit may be ever so far away
  if ((row->lower == 0 && w >= 0) || (row->upper == 0 && w <= 0))
    return 0;
  w = row->lower == row->upper ? 0 : fabs(w); // a given impulse has no velocity to reach
  // a row with bounds cannot do more than these, ever so far from the velocity it asks for
  double most = fmax(fabs(row->lower), fabs(row->upper));
  if (most < HUGE_VAL)
    w = fmin(w, most * (rg_row_block(problem, row) + row->compliance));
  // a row that may not be free of impulse moves its bodies at least by its smallest impulse
  double least = row->lower > 0 ? row->lower : row->upper < 0 ? -row->upper : 0;
  if (least > 0)
    w += least * (rg_row_block(problem, row) + row->compliance);
  return w == 0 ? 0 : w * weight_of(problem, row, weight);
}

// The square of a scale, `scale2` or more where a contact sets more.
static double contact_scale2(const rgProblem* problem, const rgProblemContact* contact,
                             double scale2) {
  double e[4], u[4];
  rgTwist a = rg_body_free(problem, contact->body_a), b = rg_body_free(problem, contact->body_b);
  if (problem->local)
    memcpy(u, contact->bias, sizeof u);
  else
    rg_contact_velocity_of(contact, a, b, u);
  // what only passes by sets no scale: it may be ever so fast
  if (u[0] >= 0)
    return scale2;
  rg_contact_axes(problem, contact, e);
  double sum = e[0] > 0 ? u[0] * u[0] : 0;
  sum = e[1] > 0 ? sum + u[1] * u[1] : sum;
  sum = e[2] > 0 ? sum + u[2] * u[2] : sum;
  sum = sum + e[3] * u[3] * e[3] * u[3];
  bool rounding = sum > scale2 && !problem->local && !approaches(contact, a, b, u[0]);
  return sum <= scale2 || rounding ? scale2 : worse(scale2, sum);
}

static void add_row_scale(const rgProblem* problem, const rgProblemRow* row, double* scale,
                          double* weight) {
  double w = rg_row_free(problem, row) + row->bias, rest = 0;
  double weighted = row_scale(problem, row, w, weight);
  if (weighted <= *scale)
    return;
  rgTwist a = rg_body_free(problem, row->body_a), b = rg_body_free(problem, row->body_b);
  bool given = row->lower > 0 || row->upper < 0; // its smallest impulse is no rounding
  if (row->far && !problem->local)
    rest = far_size(row->far, rg_body_free(problem, row->far->body_a),
                    rg_body_free(problem, row->far->body_b));
  if (given || !is_row_rounding(problem, row, a, b, rest, w))
    *scale = worse(*scale, weighted);
}

double rg_problem_scale(const rgProblem* problem) { return rg_problem_scale_above(problem, 0); }

double rg_problem_scale_above(const rgProblem* problem, double scale) {
  for (int i = 0; i < problem->row_count; i++) {
    double weight = -1;
    add_row_scale(problem, &problem->rows[i], &scale, &weight);
  }
  double scale2 = scale * scale;
  for (int i = 0; i < problem->contact_count; i++)
    scale2 = contact_scale2(problem, &problem->contacts[i], scale2);
  return sqrt(scale2);
}

// -------------------------------------------------------------------------------------------------
// Contacts by blocks, which several threads may take. Blocks follow from the number of contacts alone: what a
// contact is spared depends on those before it in its block, and by that the last bit of a maximum.
// -------------------------------------------------------------------------------------------------

enum {
  BLOCKS_MAX = 64,
  BLOCK_CONTACTS = 512
}; // the least number of contacts of a block, but for the last

typedef struct Judging {
  const rgProblem* problem;
  const rgSolution* solution;
  bool scale;
  int size; // [contacts] of a block
  struct {
    Missed worst;
    double scale2;
  } block[BLOCKS_MAX];
} Judging;

// Judges a contact; returns whether it may set a larger scale than `scale2`. By far the most of circular cones do
// not, and their two velocities, found side by side, tell.
static bool judge_look(const Judging* judging, int i, double scale2, rgTwoOfPair* pair,
                       Missed* worst) {
  static const double CARE = 1 + 16 * 2.2e-16; // sums of three squares, whatever their order
  const rgProblem* problem = judging->problem;
  const rgProblemContact* contact = &problem->contacts[i];
  const double *v = judging->solution->v, *r = judging->solution->r + 4 * (size_t)i;
  double u[4] = {0}, free_n = -1, free2 = HUGE_VAL;
  if (problem->local) {
    memcpy(u, v + 4 * (size_t)i, sizeof u);
  } else if (contact->cone == RG_CONE_ELLIPSOID) {
    rg_contact_velocity(contact, v, u);
  } else {
    rg_two_of_pair(problem, v, judging->scale, contact, pair);
    rgTwoVec both = rg_two_velocities(contact, pair);
    u[0] = both.x[0];
    u[1] = both.y[0];
    u[2] = both.z[0];
    free_n = both.x[1];
    free2 = both.x[1] * both.x[1] + both.y[1] * both.y[1] + both.z[1] * both.z[1];
  }
  judge_contact(problem, contact, v, r, u, worst);
  return judging->scale && !(free_n >= 0 || free2 * CARE <= scale2);
}

static void judge_block(void* context, int item, int worker) {
  (void)worker;
  Judging* judging = context;
  const rgProblem* problem = judging->problem;
  int first = item * judging->size, end = first + judging->size;
  end = end < problem->contact_count ? end : problem->contact_count;
  Missed worst = {0, 0};
  double scale2 = 0;
  rgTwoOfPair pair = {.body_a = -2};
  for (int i = first; i < end; i++) {
    rg_prefetch_velocities(problem, i, judging->solution->v);
    if (judging->scale)
      rg_prefetch_bodies(problem, i);
    const rgProblemContact* contact = &problem->contacts[i];
    if (judge_look(judging, i, scale2, &pair, &worst))
      scale2 = contact_scale2(problem, contact, scale2);
  }
  judging->block[item].worst = worst;
  judging->block[item].scale2 = scale2;
}

// The bodies of rows that follow each other: a joint has several rows between the same two.
typedef struct Pair {
  int a, b;
  rgTwist v_a, v_b, free_a, free_b;
} Pair;

static Pair pair_of(const rgProblem* problem, const rgProblemRow* row, const double* v) {
  return (Pair){.a = row->body_a,
                .b = row->body_b,
                .v_a = rg_body_twist(v, row->body_a),
                .v_b = rg_body_twist(v, row->body_b),
                .free_a = rg_body_free(problem, row->body_a),
                .free_b = rg_body_free(problem, row->body_b)};
}

// A row that holds two bodies and no more: F / rho is its velocity.
static bool is_plain(const rgProblemRow* row) {
  return row->compliance == 0 && !row->far && row->lower == -HUGE_VAL && row->upper == HUGE_VAL;
}

// Whether w = of_a + of_b + bias is rounding of what it is the sum of, by the parts that are at hand: these are no
// larger than the sums of the sizes that they are made of.
static bool is_surely_rounding(double w, double of_a, double of_b, double bias) {
  static const double CARE = 0.99; // more than the parts are rounded by
  double sum = fabs(of_a) + fabs(of_b) + fabs(bias);
  return sum < HUGE_VAL && fabs(w) <= CARE * VELOCITY_ROUNDING * sum;
}

// True where a plain row sets no larger scale and misses no more than others do: of most rows of a mechanism
// nothing but these two velocities need be known. `weight`: where it was asked for.
static bool changes_nothing(const rgProblem* problem, const rgProblemRow* row, const Pair* pair,
                            const double* scale, double worst, double* weight) {
  double of_a = twist_dot(row->g_a, pair->v_a), of_b = twist_dot(row->g_b, pair->v_b),
         w = of_a + of_b + row->bias, free = 0;
  if (!is_surely_rounding(w, of_a, of_b, row->bias) &&
      !(fabs(w) * weight_of(problem, row, weight) <= worst))
    return false;
  if (scale)
    free = rg_row_relative_of(row, pair->free_a, pair->free_b) + row->bias;
  return free == 0 || fabs(free) * weight_of(problem, row, weight) <= *scale;
}

// What the rows miss [m/s]; with a scale, what they set of it as well, in one pass.
static double judge_rows_and_scale(const rgProblem* problem, const rgSolution* solution,
                                   double* scale) {
  double joint = 0;
  Pair pair = {.a = -1, .b = -1};
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double weight = -1;
    if (!problem->local && is_plain(row)) {
      if (row->body_a != pair.a || row->body_b != pair.b)
        pair = pair_of(problem, row, solution->v);
      if (changes_nothing(problem, row, &pair, scale, joint, &weight))
        continue;
    }
    if (scale)
      add_row_scale(problem, row, scale, &weight);
    add_row_law(problem, solution, i, &joint, &weight);
  }
  return missed_by_rows(problem, solution, joint);
}

void rg_problem_laws_shared(const rgProblem* problem, const rgSolution* solution, bool scale,
                            rgTasks* tasks, rgCertificate* certificate) {
  int contacts = problem->contact_count, size = (contacts + BLOCKS_MAX - 1) / BLOCKS_MAX;
  Judging judging; // not cleared as a whole: most problems have one block of many
  judging.problem = problem;
  judging.solution = solution;
  judging.scale = scale;
  judging.size = size < BLOCK_CONTACTS ? BLOCK_CONTACTS : size;
  int blocks = (contacts + judging.size - 1) / judging.size;
  if (tasks)
    rg_tasks_run(tasks, blocks, judge_block, &judging);
  for (int k = 0; k < blocks && !tasks; k++)
    judge_block(&judging, k, 0);
  Missed worst = {0, 0};
  double rows = 0, joint = judge_rows_and_scale(problem, solution, scale ? &rows : NULL);
  double scale2 = rows * rows;
  for (int k = 0; k < blocks; k++) {
    add_missed(&worst, judging.block[k].worst.signorini, judging.block[k].worst.coulomb2);
    scale2 = worse(scale2, judging.block[k].scale2);
  }
  put_laws(problem, joint, &worst, certificate);
  if (scale)
    certificate->scale = sqrt(scale2);
}

void rg_problem_laws(const rgProblem* problem, const rgSolution* solution,
                     rgCertificate* certificate) {
  rg_problem_laws_shared(problem, solution, false, NULL, certificate);
}

double rg_problem_missed_by(const rgProblem* problem, const rgSolution* solution, const int* rows,
                            int count) {
  double worst = 0;
  for (int k = 0; k < count; k++) {
    double weight = -1;
    add_row_law(problem, solution, rows[k], &worst, &weight);
  }
  return missed_by_rows(problem, solution, worst);
}

void rg_problem_rate(rgCertificate* certificate, double tolerance) {
  double largest = worse(worse(certificate->dynamics, certificate->joint),
                         worse(certificate->signorini, certificate->coulomb));
  certificate->residual = largest == 0 ? 0 : largest / certificate->scale;
  if (!(certificate->residual >= 0) || certificate->scale == HUGE_VAL)
    certificate->residual = HUGE_VAL; // not a number, or compared with one that is out of range
  certificate->tolerance = tolerance;
  certificate->met = certificate->residual <= tolerance;
}

// -------------------------------------------------------------------------------------------------
// Dynamics
// -------------------------------------------------------------------------------------------------

enum { BODIES_AT_ONCE = 512 }; // 28 KB of stack

typedef struct Defect {
  double wrench[6]; // G' lambda + H r of one body
  double arm;       // [m] longest arm of an impulse on it
} Defect;

static void defect_add(Defect* defects, int index, double s, rgVec3 linear, rgVec3 angular,
                       double arm) {
  if (index < 0 || index >= BODIES_AT_ONCE)
    return;
  Defect* defect = &defects[index];
  rg_body_add(defect->wrench, 0, s, linear, angular);
  if (arm > defect->arm)
    defect->arm = arm;
}

static double row_arm(rgTwist g, double length) {
  double linear = v3_norm(g.linear);
  return linear > 0 ? v3_norm(g.angular) / linear : length;
}

// Sums G' lambda + H r of the bodies first .. first + BODIES_AT_ONCE - 1.
static void gather_defects(const rgProblem* problem, const rgSolution* solution, int first,
                           Defect* defects) {
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double lambda = solution->lambda[i], length = rg_row_length(problem, row);
    defect_add(defects, row->body_a < 0 ? -1 : row->body_a - first, lambda, row->g_a.linear,
               row->g_a.angular, row_arm(row->g_a, length));
    defect_add(defects, row->body_b < 0 ? -1 : row->body_b - first, lambda, row->g_b.linear,
               row->g_b.angular, row_arm(row->g_b, length));
    if (!row->far)
      continue;
    const rgProblemFar* far = row->far;
    defect_add(defects, far->body_a < 0 ? -1 : far->body_a - first, lambda, far->g_a.linear,
               far->g_a.angular, row_arm(far->g_a, length));
    defect_add(defects, far->body_b < 0 ? -1 : far->body_b - first, lambda, far->g_b.linear,
               far->g_b.angular, row_arm(far->g_b, length));
  }
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    rgVec3 force, torque_a, torque_b;
    rg_contact_wrench(contact, solution->r + 4 * (size_t)i, &force, &torque_a, &torque_b);
    defect_add(defects, contact->body_a < 0 ? -1 : contact->body_a - first, 1, force, torque_a,
               v3_norm(contact->arm_a));
    defect_add(defects, contact->body_b < 0 ? -1 : contact->body_b - first, -1, force, torque_b,
               v3_norm(contact->arm_b));
  }
}

// |(u, w) - W (r, lambda) - bias| of the local form.
static double local_dynamics(const rgProblem* problem, const rgSolution* solution) {
  double largest = 0;
  for (int i = 0; i < problem->contact_count; i++) {
    double u[4], sum = 0;
    rg_local_velocity(problem, i, solution->r, solution->lambda, u);
    for (int k = 0; k < 4; k++) {
      double d = solution->v[4 * (size_t)i + (size_t)k] - u[k];
      sum += d * d;
    }
    largest = worse(largest, sqrt(sum));
  }
  for (int i = 0; i < problem->row_count; i++) {
    const rgProblemRow* row = &problem->rows[i];
    double w = rg_local_row_response(problem, i, solution->r, 4, solution->lambda) + row->bias;
    double d = fabs(rg_problem_row_velocity(problem, i, solution->v) - w);
    largest = worse(largest, d * rg_row_length(problem, row));
  }
  return largest;
}

static double dynamics(const rgProblem* problem, const rgSolution* solution) {
  if (problem->local)
    return local_dynamics(problem, solution);
  double largest = 0;
  for (int first = 0; first < problem->body_count; first += BODIES_AT_ONCE) {
    Defect defects[BODIES_AT_ONCE];
    memset(defects, 0, sizeof defects);
    gather_defects(problem, solution, first, defects);
    int count = problem->body_count - first;
    for (int i = 0; i < count && i < BODIES_AT_ONCE; i++) {
      rgTwist v = rg_body_twist(solution->v, first + i);
      rgTwist due = rg_mass_velocity(problem, first + i, rg_body_twist(defects[i].wrench, 0));
      double a = v3_norm(v3_sub(v.linear, due.linear));
      double b = v3_norm(v3_sub(v.angular, due.angular)) * defects[i].arm;
      double missed = sqrt(a * a + b * b);
      double sum = v3_norm(v.linear) + v3_norm(v.angular) * defects[i].arm;
      if (!(sum < HUGE_VAL && missed <= VELOCITY_ROUNDING * sum))
        largest = worse(largest, missed);
    }
  }
  return largest;
}

void rg_problem_certify(const rgProblem* problem, const rgSolution* solution, double tolerance,
                        rgCertificate* certificate) {
  memset(certificate, 0, sizeof *certificate);
  certificate->scale = rg_problem_scale(problem);
  certificate->dynamics = dynamics(problem, solution);
  rg_problem_laws(problem, solution, certificate);
  rg_problem_rate(certificate, tolerance);
}
