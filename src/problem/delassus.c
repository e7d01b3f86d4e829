// delassus.c - the Delassus operator W = H' M^-1 H as a dense matrix.
//
// Two directions are coupled only through bodies they share, so W is summed body by body: with the
// lists of directions per body, each column costs the directions that meet it, not all of them.
#include "problem/delassus.h"

#include "problem/operator.h"

#include <string.h>

rgDirection rg_contact_direction(const rgProblemContact* contact, int component) {
  rgDirection direction = {
      .body_a = contact->body_a, .body_b = contact->body_b, .bias = contact->bias[component]};
  if (component == 3) {
    direction.g_a.angular = contact->n;
    direction.g_b.angular = v3_neg(contact->n);
    return direction;
  }
  rgVec3 d = component == 0 ? contact->n : component == 1 ? contact->t : contact->o;
  direction.g_a = (rgTwist){d, v3_cross(contact->arm_a, d)};
  direction.g_b = (rgTwist){v3_neg(d), v3_neg(v3_cross(contact->arm_b, d))};
  return direction;
}

rgDirection rg_row_direction(const rgProblemRow* row) {
  return (rgDirection){row->body_a, row->body_b, row->g_a, row->g_b, row->bias};
}

double rg_direction_velocity(const rgDirection* direction, const double* v) {
  double u = direction->bias;
  if (direction->body_a >= 0)
    u += rg_twist_dot(direction->g_a, rg_body_twist(v, direction->body_a));
  if (direction->body_b >= 0)
    u += rg_twist_dot(direction->g_b, rg_body_twist(v, direction->body_b));
  return u;
}

void rg_incidence_carve(rgIncidence* incidence, int body_count, int count, rgCarver* carver) {
  incidence->start = rg_carve(carver, (size_t)body_count + 1, sizeof(int));
  incidence->entry = rg_carve(carver, 2 * (size_t)count, sizeof(int));
}

void rg_incidence_build(rgIncidence* incidence, int body_count, const rgDirection* directions,
                        int count) {
  int* start = incidence->start;
  memset(start, 0, ((size_t)body_count + 1) * sizeof(int));
  for (int i = 0; i < count; i++) {
    if (directions[i].body_a >= 0)
      start[directions[i].body_a]++;
    if (directions[i].body_b >= 0)
      start[directions[i].body_b]++;
  }
  int sum = 0;
  for (int b = 0; b <= body_count;
       b++) { // ends of the lists; filling from behind makes them starts
    sum += start[b];
    start[b] = sum;
  }
  for (int i = count - 1; i >= 0; i--) {
    if (directions[i].body_b >= 0)
      incidence->entry[--start[directions[i].body_b]] = 2 * i + 1;
    if (directions[i].body_a >= 0)
      incidence->entry[--start[directions[i].body_a]] = 2 * i;
  }
}

// Adds what the impulse of one side of a direction does to all directions on that body.
static void add_side(const rgProblem* problem, int body, rgTwist g, const rgDirection* left,
                     const rgIncidence* left_on, double* column) {
  if (body < 0)
    return;
  rgTwist h = rg_mass_response(problem, body, g);
  for (int k = left_on->start[body]; k < left_on->start[body + 1]; k++) {
    int i = left_on->entry[k] >> 1;
    column[i] += rg_twist_dot(left_on->entry[k] & 1 ? left[i].g_b : left[i].g_a, h);
  }
}

void rg_delassus(const rgProblem* problem, const rgDirection* left, const rgIncidence* left_on,
                 int left_count, const rgDirection* right, int right_count, double* w,
                 size_t stride) {
  for (int j = 0; j < right_count; j++) {
    double* column = w + (size_t)j * stride;
    memset(column, 0, (size_t)left_count * sizeof(double));
    add_side(problem, right[j].body_a, right[j].g_a, left, left_on, column);
    add_side(problem, right[j].body_b, right[j].g_b, left, left_on, column);
  }
}
