// delassus.h - W = H' M^-1 H as a dense matrix, for the solvers that pivot on it.
//
// A direction is one scalar unknown of a problem in body form: a component of a contact or a row.
// Its velocity is u = g_a . v_a + g_b . v_b + bias, and its impulse x acts as g_a x and g_b x.
#ifndef PROBLEM_DELASSUS_H
#define PROBLEM_DELASSUS_H

#include "base/memory.h"
#include <rigor/problem.h>

typedef struct rgDirection {
  int body_a, body_b; // index into bodies, or -1
  rgTwist g_a, g_b;
  double bias;
} rgDirection;

// Component 0 .. 3 (normal, tangent, tangent, torsion) of a contact.
rgDirection rg_contact_direction(const rgProblemContact* contact, int component);
rgDirection rg_row_direction(const rgProblemRow* row);

// g . v + bias for v with six numbers per body.
double rg_direction_velocity(const rgDirection* direction, const double* v);

static inline double rg_twist_dot(rgTwist a, rgTwist b) {
  return a.linear.x * b.linear.x + a.linear.y * b.linear.y + a.linear.z * b.linear.z +
         a.angular.x * b.angular.x + a.angular.y * b.angular.y + a.angular.z * b.angular.z;
}

// Which directions act on each body: entries start[b] .. start[b + 1], ascending.
typedef struct rgIncidence {
  int* start; // body_count + 1
  int* entry; // 2 * count: index of the direction, times two, plus one for its side b
} rgIncidence;
void rg_incidence_carve(rgIncidence* incidence, int body_count, int count, rgCarver* carver);
void rg_incidence_build(rgIncidence* incidence, int body_count, const rgDirection* directions,
                        int count);

// w = left' M^-1 right, w[j * stride + i] = left_i . M^-1 right_j. Cost: the sum over the bodies of
// how many directions of the two meet there.
void rg_delassus(const rgProblem* problem, const rgDirection* left, const rgIncidence* left_on,
                 int left_count, const rgDirection* right, int right_count, double* w,
                 size_t stride);

#endif
