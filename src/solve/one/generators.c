// generators.c - polyhedral contacts as non-negative scalars; see generators.h.
#include "solve/one/generators.h"

#include <string.h>

static int generator_count(const rgProblem* problem, const rgProblemContact* contact) {
  if (contact->cone == RG_CONE_FRICTIONLESS || contact->mu == 0)
    return 1;
  if (!rg_one_is_polygon(contact))
    return 0;
  return problem->dimension == 2 ? 2 : contact->facets;
}

rgGenerators* rg_generators_make(const rgProblem* problem, rgCarver* carver, int* total) {
  size_t corner_count = 0;
  for (int i = 0; i < problem->contact_count; i++)
    if (rg_one_polygon_starts(problem, i))
      corner_count += (size_t)problem->contacts[i].facets;
  rgGenerators* contacts = rg_carve(carver, (size_t)problem->contact_count, sizeof *contacts);
  double(*corners)[2] = rg_carve(carver, corner_count, sizeof *corners);
  double(*next)[2] = corners;
  *total = 0;
  for (int i = 0; i < problem->contact_count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    int count = generator_count(problem, contact);
    if (carver->base && rg_one_polygon_starts(problem, i)) {
      corners = next;
      rg_one_polygon_corners(problem, contact, corners);
      next += contact->facets;
    }
    if (carver->base)
      contacts[i] = (rgGenerators){.corners = count > 1 ? (const double(*)[2])corners : NULL,
                                   .count = count,
                                   .first = *total,
                                   .mu = contact->mu};
    *total += count;
  }
  return contacts;
}

double rg_generators_slip(const rgGenerators* contact, const double u[4]) {
  if (!contact->corners)
    return 0;
  double most = 0; // the corners surround the origin: one of them gains from any displacement
  for (int j = 0; j < contact->count; j++) {
    double gain = -(contact->corners[j][0] * u[1] + contact->corners[j][1] * u[2]);
    most = gain > most ? gain : most;
  }
  return most;
}

// Weights of two neighbouring corners d, e whose sum is x; false when x is not between them.
static bool between(const double d[2], const double e[2], const double x[2], double* a, double* b) {
  double area = d[0] * e[1] - d[1] * e[0];
  if (!(area > 0))
    return false;
  *a = (x[0] * e[1] - x[1] * e[0]) / area;
  *b = (d[0] * x[1] - d[1] * x[0]) / area;
  return *a >= 0 && *b >= 0;
}

void rg_generators_split(const rgGenerators* contact, const double r[4], double* a) {
  int k = contact->count;
  memset(a, 0, (size_t)k * sizeof *a);
  if (!(r[0] > 0))
    return;
  if (k == 1) {
    a[0] = r[0];
    return;
  }
  // corners that carry the tangential part
  double used = 0, x[2] = {r[1] / contact->mu, r[2] / contact->mu};
  if (k == 2) {
    int end = x[0] > 0;
    used = a[end] = x[0] / contact->corners[end][0];
  }
  for (int j = 0; j < k && k > 2; j++) {
    int next = j + 1 < k ? j + 1 : 0;
    double first, second;
    if (!between(contact->corners[j], contact->corners[next], x, &first, &second))
      continue;
    a[j] = first;
    a[next] = second;
    used = first + second;
    break;
  }
  if (used > r[0])
    for (int j = 0; j < k; j++)
      a[j] *= r[0] / used;
  // the rest is spread so that it has no tangential part: evenly, or over the two ends by their
  // lengths
  double rest = r[0] - used;
  if (!(rest > 0))
    return;
  if (k == 2) {
    double lower = -contact->corners[0][0], upper = contact->corners[1][0];
    a[0] += rest * upper / (lower + upper);
    a[1] += rest * lower / (lower + upper);
    return;
  }
  for (int j = 0; j < k; j++)
    a[j] += rest / k;
}

void rg_generators_join(const rgGenerators* contact, const double* a, double r[4]) {
  memset(r, 0, 4 * sizeof *r);
  for (int j = 0; j < contact->count; j++) {
    double g[3];
    rg_generator(contact, j, g);
    for (int i = 0; i < 3; i++)
      r[i] += a[j] * g[i];
  }
}
