// nsgs_iterate.c - impulses and velocities of a solution into the packed form, and back.
#include "problem/operator.h"
#include "solve/nsgs/nsgs.h"

#include <string.h>

// Distance between the components of one contact in the state.
static int entry_stride(const rgNsgs* nsgs, int entry) {
  return entry < nsgs->general_state ? RG_NSGS_LANES : 1;
}

static bool entry_is_ball(const rgNsgs* nsgs, int entry) {
  return entry >= nsgs->ball_state && entry < nsgs->general_state;
}

static void load_contact(rgNsgs* nsgs, int index, const double* all_r) {
  int entry = nsgs->entry[index], stride = entry_stride(nsgs, entry);
  const double* r = all_r + 4 * (size_t)index;
  if (entry_is_ball(nsgs, entry))
    rg_nsgs_ball_load(&nsgs->problem->contacts[index], r, nsgs->state + entry);
  else
    for (int k = 0; k < 4 - (stride > 1); k++)
      nsgs->state[entry + k * stride] = r[k];
}

void rg_nsgs_place(rgNsgs* nsgs, int index, int entry, const double* r) {
  nsgs->entry[index] = entry;
  load_contact(nsgs, index, r);
}

static void load_velocity(rgNsgs* nsgs, const double* v) {
  memset(nsgs->v, 0, ((size_t)nsgs->problem->body_count + 1) * RG_NSGS_BODY * sizeof(double));
  for (int i = 0; i < nsgs->problem->body_count; i++) {
    memcpy(nsgs->v + (size_t)i * RG_NSGS_BODY, v + 6 * (size_t)i, 3 * sizeof(double));
    memcpy(nsgs->v + (size_t)i * RG_NSGS_BODY + 4, v + 6 * (size_t)i + 3, 3 * sizeof(double));
  }
}

void rg_nsgs_load_bodies(rgNsgs* nsgs, const rgSolution* solution) {
  const rgProblem* problem = nsgs->problem;
  double* lambda = nsgs->state + nsgs->state_count - problem->row_count;
  for (int i = 0; i < problem->row_count; i++)
    lambda[i] = solution->lambda[i];
  load_velocity(nsgs, solution->v);
}

void rg_nsgs_load(rgNsgs* nsgs, const rgSolution* solution) {
  for (int i = 0; i < nsgs->problem->contact_count; i++)
    load_contact(nsgs, i, solution->r);
  memset(nsgs->rest, 0, (size_t)(nsgs->ball_count + nsgs->batch_count) * sizeof *nsgs->rest);
  rg_nsgs_load_bodies(nsgs, solution);
}

void rg_nsgs_impulse(const rgNsgs* nsgs, int contact, double r[4]) {
  const rgProblem* problem = nsgs->problem;
  int entry = nsgs->entry[contact], stride = entry_stride(nsgs, entry);
  double e[4];
  if (entry_is_ball(nsgs, entry)) {
    rg_nsgs_ball_store(&problem->contacts[contact], nsgs->state + entry, r);
    return;
  }
  rg_contact_axes(problem, &problem->contacts[contact], e);
  for (int k = 0; k < 4; k++)
    r[k] = e[k] > 0 ? nsgs->state[entry + k * stride] : 0;
}

void rg_nsgs_store(const rgNsgs* nsgs, rgSolution* solution) {
  const rgProblem* problem = nsgs->problem;
  for (int i = 0; i < problem->contact_count; i++)
    rg_nsgs_impulse(nsgs, i, solution->r + 4 * (size_t)i);
  const double* lambda = nsgs->state + nsgs->state_count - problem->row_count;
  for (int i = 0; i < problem->row_count; i++)
    solution->lambda[i] = lambda[i];
}

void rg_nsgs_refresh(rgNsgs* nsgs, rgSolution* solution) {
  rg_nsgs_store(nsgs, solution);
  rg_problem_velocity(nsgs->problem, solution);
  load_velocity(nsgs, solution->v);
}
