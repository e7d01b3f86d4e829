// nsgs_iterate.c - impulses and velocities of a solution into the packed form, and back.
#include "problem/operator.h"
#include "solve/nsgs/nsgs.h"

#include <string.h>

// Distance between the components of one contact in the state.
static int slot_stride(const rgNsgs* nsgs, int slot) {
  return slot < nsgs->general_state ? RG_NSGS_LANES : 1;
}

static bool slot_is_round(const rgNsgs* nsgs, int slot) {
  return slot >= nsgs->ball_state && slot < nsgs->general_state;
}

static void load_contact(rgNsgs* nsgs, int index, const double* all_r) {
  int slot = nsgs->slot[index], stride = slot_stride(nsgs, slot);
  const double* r = all_r + 4 * (size_t)index;
  if (slot_is_round(nsgs, slot))
    rg_nsgs_ball_load(&nsgs->problem->contacts[index], r, nsgs->state + slot);
  else
    for (int k = 0; k < 4 - (stride > 1); k++)
      nsgs->state[slot + k * stride] = r[k];
}

void rg_nsgs_place(rgNsgs* nsgs, int index, int slot, const double* r) {
  nsgs->slot[index] = slot;
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
  rg_nsgs_load_bodies(nsgs, solution);
}

void rg_nsgs_store(const rgNsgs* nsgs, rgSolution* solution) {
  const rgProblem* problem = nsgs->problem;
  for (int i = 0; i < problem->contact_count; i++) {
    int slot = nsgs->slot[i], stride = slot_stride(nsgs, slot);
    double e[4], *r = solution->r + 4 * (size_t)i;
    if (slot_is_round(nsgs, slot)) {
      rg_nsgs_ball_store(&problem->contacts[i], nsgs->state + slot, r);
      continue;
    }
    rg_contact_axes(problem, &problem->contacts[i], e);
    for (int k = 0; k < 4; k++)
      r[k] = e[k] > 0 ? nsgs->state[slot + k * stride] : 0;
  }
  const double* lambda = nsgs->state + nsgs->state_count - problem->row_count;
  for (int i = 0; i < problem->row_count; i++)
    solution->lambda[i] = lambda[i];
}

void rg_nsgs_refresh(rgNsgs* nsgs, rgSolution* solution) {
  rg_nsgs_store(nsgs, solution);
  rg_problem_velocity(nsgs->problem, solution);
  load_velocity(nsgs, solution->v);
}
