// operator.h - the operators of a problem, applied contact by contact and row by row.
//
// H' v is the velocity of A's material point relative to B's in the contact frame, with the
// relative spin about n as fourth component; H r is the wrench of the impulse r on A, and its
// opposite on B. Nothing is stored: H and G are read from the problem each time, W = H' M^-1 H is
// never formed beyond one contact.
//
// M^-1 has its only owner here: no other file of problem, solve and io reads the inverse mass and
// the inverse inertia of a body. Callers ask for what they need of it, so that a body whose M^-1 is
// of another kind concerns this file alone.
#ifndef PROBLEM_OPERATOR_H
#define PROBLEM_OPERATOR_H

#include "base/prefetch.h"
#include "base/task.h"
#include "math/sym3.h"
#include "math/vec.h"
#include "problem/local_row.h"
#include <rigor/problem.h>

static inline rgTwist rg_body_twist(const double* v, int body) {
  if (body < 0)
    return (rgTwist){v3_zero(), v3_zero()};
  const double* b = v + 6 * (size_t)body;
  return (rgTwist){v3(b[0], b[1], b[2]), v3(b[3], b[4], b[5])};
}

// For loops over the contacts in their order, which come by themselves: asks for the velocities or the bodies of
// the contact that comes some iterations after the i-th.
enum { RG_BODIES_AHEAD = 8 };
// That contact; NULL where it has the bodies of the one before it, as in a manifold, which were asked for.
static inline const rgProblemContact* rg_contact_ahead(const rgProblem* problem, int i) {
  if (i + RG_BODIES_AHEAD >= problem->contact_count)
    return NULL;
  const rgProblemContact* next = &problem->contacts[i + RG_BODIES_AHEAD];
  return next->body_a == next[-1].body_a && next->body_b == next[-1].body_b ? NULL : next;
}
static inline void rg_prefetch_velocities(const rgProblem* problem, int i, const double* v) {
  const rgProblemContact* next = rg_contact_ahead(problem, i);
  if (!next)
    return;
  if (next->body_a >= 0)
    rg_prefetch(v + 6 * (size_t)next->body_a, 6 * sizeof *v);
  if (next->body_b >= 0)
    rg_prefetch(v + 6 * (size_t)next->body_b, 6 * sizeof *v);
}
static inline void rg_prefetch_bodies(const rgProblem* problem, int i) {
  const rgProblemContact* next = rg_contact_ahead(problem, i);
  if (!next)
    return;
  if (next->body_a >= 0)
    rg_prefetch(&problem->bodies[next->body_a], sizeof *problem->bodies);
  if (next->body_b >= 0)
    rg_prefetch(&problem->bodies[next->body_b], sizeof *problem->bodies);
}

static inline void rg_body_put(double* v, int body, rgTwist twist) {
  double* b = v + 6 * (size_t)body;
  b[0] = twist.linear.x;
  b[1] = twist.linear.y;
  b[2] = twist.linear.z;
  b[3] = twist.angular.x;
  b[4] = twist.angular.y;
  b[5] = twist.angular.z;
}

// Adds s (linear, angular) to the six numbers of a body; nothing for the body -1.
static inline void rg_body_add(double* v, int body, double s, rgVec3 linear, rgVec3 angular) {
  if (body < 0)
    return;
  double* b = v + 6 * (size_t)body;
  b[0] += s * linear.x;
  b[1] += s * linear.y;
  b[2] += s * linear.z;
  b[3] += s * angular.x;
  b[4] += s * angular.y;
  b[5] += s * angular.z;
}

// -------------------------------------------------------------------------------------------------
// M^-1 and M of a body
// -------------------------------------------------------------------------------------------------

// Checks that M^-1 is finite, symmetric and has no negative number on its diagonal.
rgStatus rg_mass_check(const rgProblem* problem, int body, rgMessage* message);

// v_free, zero for the body -1.
static inline rgTwist rg_body_free(const rgProblem* problem, int body) {
  return body < 0 ? (rgTwist){v3_zero(), v3_zero()} : problem->bodies[body].v_free;
}

// M^-1 p: the change of velocity by the wrench p (impulse, moment of impulse) of a body >= 0.
static inline rgTwist rg_mass_response(const rgProblem* problem, int body, rgTwist p) {
  const rgProblemBody* b = &problem->bodies[body];
  return (rgTwist){v3_scale(p.linear, b->inverse_mass), m3_apply(&b->inverse_inertia, p.angular)};
}

// v_free + M^-1 p of a body >= 0.
static inline rgTwist rg_mass_velocity(const rgProblem* problem, int body, rgTwist p) {
  const rgProblemBody* b = &problem->bodies[body];
  return (rgTwist){v3_axpy(b->v_free.linear, b->inverse_mass, p.linear),
                   v3_add(b->v_free.angular, m3_apply(&b->inverse_inertia, p.angular))};
}

// M^-1 as kernels hold it that work on several bodies at once: `linear` times the identity for the
// translation of the centre, a symmetric matrix for the rotation. Zero for the body -1.
typedef struct rgRigidMatrix {
  double linear; // [1/kg]
  rgSix angular; // [1/(kg m2)]
} rgRigidMatrix;
static inline rgRigidMatrix rg_mass_inverse(const rgProblem* problem, int body) {
  if (body < 0)
    return (rgRigidMatrix){0};
  const rgProblemBody* b = &problem->bodies[body];
  return (rgRigidMatrix){b->inverse_mass, six_from(&b->inverse_inertia)};
}

// M in the same form [kg], [kg m2]. Directions that cannot move get a large finite inertia instead
// of an infinite one: it is only ever multiplied by velocities that are zero.
rgRigidMatrix rg_mass_metric(const rgProblem* problem, int body);
// M itself, of a body that can move in every direction.
rgRigidMatrix rg_mass_exact(const rgProblem* problem, int body);

// M^-1 of a body whose moment of inertia is the same about every axis.
typedef struct rgBallMass {
  double linear;  // [1/kg]
  double angular; // [1/(kg m2)]; -1 when the axes differ
} rgBallMass;
static inline rgBallMass rg_mass_ball(const rgProblem* problem, int body) {
  const rgMat3* j = &problem->bodies[body].inverse_inertia;
  double i = j->m[0][0];
  bool isotropic =
      j->m[1][1] == i && j->m[2][2] == i && j->m[0][1] == 0 && j->m[0][2] == 0 && j->m[1][2] == 0;
  return (rgBallMass){problem->bodies[body].inverse_mass, isotropic ? i : -1};
}

// L with M^-1 = L L': velocities v = v_free + L x have the kinetic energy |x|^2 / 2.
typedef struct rgMassRoot {
  double linear;     // times the identity
  double angular[9]; // lower triangular, row-major
} rgMassRoot;
rgMassRoot rg_mass_root(const rgProblem* problem, int body);
// out = L' g, six numbers.
static inline void rg_mass_root_times(const rgMassRoot* root, rgTwist g, double out[6]) {
  const double *l = root->angular, s = root->linear;
  out[0] = s * g.linear.x;
  out[1] = s * g.linear.y;
  out[2] = s * g.linear.z;
  for (int j = 0; j < 3; j++)
    out[3 + j] = g.angular.x * l[j] + g.angular.y * l[3 + j] + g.angular.z * l[6 + j];
}
// False when the body cannot move in some direction: |det L| of the rotation is at most `tolerance`
// times the cube of its size.
bool rg_mass_root_is_regular(const rgMassRoot* root, double tolerance);

// False when the body cannot move in some direction, so that there is no M: the determinant of the
// rotational part is at most `tolerance` times the cube of its mean. The functions below ask for M.
bool rg_mass_exists(const rgProblem* problem, int body, double tolerance);
void rg_mass_block(const rgProblem* problem, int body, double m[36]);      // M, 6 x 6
void rg_mass_add(const rgProblem* problem, int body, double s, double* m); // m += s M
double rg_mass_linear_trace(const rgProblem* problem, int body); // of M, over the translation [kg]
rgTwist rg_mass_momentum(const rgProblem* problem, int body, rgTwist v); // M v

// -------------------------------------------------------------------------------------------------
// H and G
// -------------------------------------------------------------------------------------------------

// H' v without the bias, with the twists of the two bodies at hand.
static inline void rg_contact_relative(const rgProblemContact* contact, rgTwist a, rgTwist b,
                                       double u[4]) {
  rgVec3 at_a = v3_add(a.linear, v3_cross(a.angular, contact->arm_a));
  rgVec3 at_b = v3_add(b.linear, v3_cross(b.angular, contact->arm_b));
  rgVec3 relative = v3_sub(at_a, at_b);
  u[0] = v3_dot(contact->n, relative);
  u[1] = v3_dot(contact->t, relative);
  u[2] = v3_dot(contact->o, relative);
  u[3] = v3_dot(contact->n, v3_sub(a.angular, b.angular));
}

// u = H' v + bias, with the twists of the two bodies at hand.
static inline void rg_contact_velocity_of(const rgProblemContact* contact, rgTwist a, rgTwist b,
                                          double u[4]) {
  double w[4];
  rg_contact_relative(contact, a, b, w);
  for (int i = 0; i < 4; i++)
    u[i] = w[i] + contact->bias[i];
}

// u = H' v + bias for v with six numbers per body.
static inline void rg_contact_velocity(const rgProblemContact* contact, const double* v,
                                       double u[4]) {
  rg_contact_velocity_of(contact, rg_body_twist(v, contact->body_a),
                         rg_body_twist(v, contact->body_b), u);
}

// The impulse r as a wrench on A [N s], [N m s] about A's centre, and about B's centre for B (with
// opposite sign).
static inline void rg_contact_wrench(const rgProblemContact* contact, const double r[4],
                                     rgVec3* force, rgVec3* torque_a, rgVec3* torque_b) {
  rgVec3 p = v3_axpy(v3_axpy(v3_scale(contact->n, r[0]), r[1], contact->t), r[2], contact->o);
  rgVec3 spin = v3_scale(contact->n, r[3]);
  *force = p;
  *torque_a = v3_add(v3_cross(contact->arm_a, p), spin);
  *torque_b = v3_add(v3_cross(contact->arm_b, p), spin);
}

// G v of a row, without the bias: with the twists of the two bodies at hand, and for v with six
// numbers per body. The first knows nothing of far bodies.
static inline double rg_row_relative_of(const rgProblemRow* row, rgTwist a, rgTwist b) {
  return twist_dot(row->g_a, a) + twist_dot(row->g_b, b);
}
double rg_row_far_relative(const rgProblemRow* row, const double* v); // what its far bodies add
static inline double rg_row_relative(const rgProblemRow* row, const double* v) {
  double w = rg_row_relative_of(row, rg_body_twist(v, row->body_a), rg_body_twist(v, row->body_b));
  return row->far ? w + rg_row_far_relative(row, v) : w;
}
// G v_free, far bodies included.
double rg_row_free(const rgProblem* problem, const rgProblemRow* row);
// Adds G' lambda of a row to six numbers per body; the second of its far bodies alone.
void rg_row_add_far(const rgProblemRow* row, double lambda, double* v);
static inline void rg_row_add(const rgProblemRow* row, double lambda, double* v) {
  rg_body_add(v, row->body_a, lambda, row->g_a.linear, row->g_a.angular);
  rg_body_add(v, row->body_b, lambda, row->g_b.linear, row->g_b.angular);
  if (row->far)
    rg_row_add_far(row, lambda, v);
}
// Whether some row has far bodies.
bool rg_problem_has_far(const rgProblem* problem);

// w = G v + bias of a row, without the compliance.
static inline double rg_row_velocity(const rgProblemRow* row, const double* v) {
  return rg_row_relative(row, v) + row->bias;
}

// Scale of each component of r and u: the axes of the cone with 1 for the normal, 0 where the
// component carries no impulse. In the variables r_i / e_i and e_i u_i every exact cone is
// circular.
void rg_contact_axes(const rgProblem* problem, const rgProblemContact* contact, double e[4]);

// The block W_cc of a contact, all four components, not scaled by the axes. In local form it is the
// given block, which need not be symmetric, and zero beyond its size.
void rg_contact_block(const rgProblem* problem, const rgProblemContact* contact, double w[4][4]);

// What a unit impulse along the normal does to the velocity of A's point relative to B's, in world
// axes: the normal column of W_cc before it is taken to the frame.
rgVec3 rg_contact_normal_response(const rgProblem* problem, const rgProblemContact* contact);

// trace(W_cc) / k over the normal and the tangents with a non-zero axis: 1 / rho, the inverse of
// the effective mass of the contact [1/kg].
double rg_contact_inverse_rho(const rgProblem* problem, const rgProblemContact* contact,
                              const double e[4]);

// G M^-1 G' of a row, without the compliance.
double rg_row_block(const rgProblem* problem, const rgProblemRow* row);

// Factor that turns the velocity of a row into [m/s]: 1 when the row has a linear part; for a row
// with angular coefficients only, the radius of gyration of its bodies about its axis,
//
//     sqrt((1/m_a + 1/m_b) / (G M^-1 G')),
//
// or 1 when neither body can move.
double rg_row_length(const rgProblem* problem, const rgProblemRow* row);

// Factor that turns the violation w of a row into the velocity [m/s] that its bodies lack: the
// length times the part that the compliance C of a soft row does not take,
//
//     G M^-1 G' / (G M^-1 G' + C),
//
// which is 1 when neither body can move.
double rg_row_weight(const rgProblem* problem, const rgProblemRow* row);
// The same where G M^-1 G' is known.
double rg_row_weight_of(const rgProblem* problem, const rgProblemRow* row, double block);

// -------------------------------------------------------------------------------------------------
// The local form
// -------------------------------------------------------------------------------------------------

// Nodes of W: contacts, then rows.
static inline int rg_local_node_count(const rgProblem* problem) {
  return problem->contact_count + problem->row_count;
}

// Where the numbers of a node begin in the values of W; behind the last one, how many there are.
static inline size_t rg_local_value_start(const rgProblem* problem, int node) {
  const rgLocalMatrix* local = problem->local;
  size_t area = (size_t)(local->block * local->block);
  return local->value_start ? local->value_start[node] : (size_t)local->row_start[node] * area;
}
static inline size_t rg_local_number_count(const rgProblem* problem) {
  return rg_local_value_start(problem, rg_local_node_count(problem));
}

// The blocks of one node of W: with contacts, and with rows, which come after them.
typedef struct rgLocalNode {
  rgLocalRow contacts, rows; // columns are nodes
} rgLocalNode;
rgLocalNode rg_local_node(const rgProblem* problem, int node);

// The block of a node on the diagonal of W.
const double* rg_local_diagonal(const rgProblem* problem, int node);

// u = W (r, lambda) + bias of a contact; r has four numbers per contact.
void rg_local_velocity(const rgProblem* problem, int contact, const double* r, const double* lambda,
                       double u[4]);

// The number of a row in W (r, lambda); r has `stride` numbers per contact.
double rg_local_row_response(const rgProblem* problem, int row, const double* r, int stride,
                             const double* lambda);

// Adds the share of the rows in u = W (r, lambda) of a contact.
static inline void rg_local_add_rows(const rgProblem* problem, rgLocalRow rows,
                                     const double* lambda, double* u) {
  int block = problem->local->block;
  for (int k = 0; k < rows.count; k++)
    for (int a = 0; a < block; a++)
      u[a] += rows.values[k * block + a] * lambda[rows.column[k] - problem->contact_count];
}

// -------------------------------------------------------------------------------------------------
// Velocities
// -------------------------------------------------------------------------------------------------

// w of row i without its compliance, in either form.
static inline double rg_problem_row_velocity(const rgProblem* problem, int i, const double* v) {
  return problem->local ? v[4 * (size_t)problem->contact_count + (size_t)i]
                        : rg_row_velocity(&problem->rows[i], v);
}

// Adds G' lambda + H r to v as six numbers per body: impulse and moment of impulse.
void rg_problem_add_wrenches(const rgProblem* problem, const rgSolution* solution, double* v);
// The moments of these alone: the last three of six numbers per body.
void rg_problem_add_moments(const rgProblem* problem, const rgSolution* solution, double* v);
// The velocity by several threads where it is worth it, with the same bits; `tasks` may be NULL.
void rg_problem_velocity_shared(const rgProblem* problem, rgSolution* solution, rgTasks* tasks);
// rg_problem_velocity sums in the order of the rows, then of the contacts; in local form along each
// row of W.

// What impulses do by themselves: v = M^-1 (G' lambda + H r), in local form W (r, lambda).
void rg_problem_response(const rgProblem* problem, const double* r, const double* lambda,
                         double* v);

// The parts of rg_problem_certify, for callers that know some of them already.
double rg_problem_scale(const rgProblem* problem);
// The same where others set this scale already.
double rg_problem_scale_above(const rgProblem* problem, double scale);
void rg_problem_laws(const rgProblem* problem, const rgSolution* solution,
                     rgCertificate* certificate);
// [m/s] what the rows listed miss.
double rg_problem_missed_by(const rgProblem* problem, const rgSolution* solution, const int* rows,
                            int count);
// The laws by all threads of `tasks`, which may be NULL; `scale`: both in one pass.
void rg_problem_laws_shared(const rgProblem* problem, const rgSolution* solution, bool scale,
                            rgTasks* tasks, rgCertificate* certificate);
void rg_problem_rate(rgCertificate* certificate, double tolerance);

#endif
