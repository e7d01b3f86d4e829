// nsgs_iterate.c - impulses and velocities of a solution into the packed form, and back.
#include "problem/operator.h"
#include "solve/nsgs/nsgs_pack.h"

#include <string.h>

// Where a contact that is visited alone has its impulse; NULL for the others.
static double* lone_impulse(const rgNsgs* nsgs, int contact) {
  int entry = nsgs->entry[contact];
  return entry < nsgs->lone_state ? NULL : nsgs->lone + (entry - nsgs->lone_state);
}

// A start along the plane of a contact without friction is in the velocities, from where a visit takes it.
static bool is_smooth(const rgProblem* problem, const double* r) {
  for (int i = 0; i < problem->contact_count; i++, r += 4)
    if (problem->contacts[i].cone != RG_CONE_FRICTIONLESS || r[1] != 0 || r[2] != 0)
      return false;
  return true;
}

typedef struct Loading {
  rgNsgs* nsgs;
  const double* v;
} Loading;

static void load_range(void* context, int first, int end) {
  const Loading* loading = context;
  loading->nsgs->form->load_velocity(loading->nsgs, loading->v, first, end);
}

// The dummies behind the bodies are still.
static void load_velocities(rgNsgs* nsgs, const double* v, rgTasks* tasks) {
  Loading loading = {nsgs, v};
  size_t body = RG_NSGS_BODY * nsgs->form->real;
  size_t dummies = (size_t)nsgs->ball_count + (size_t)nsgs->batch_count;
  memset((char*)nsgs->v + (size_t)nsgs->body_count * body, 0, dummies * body);
  rg_tasks_ranges(tasks, nsgs->body_count, load_range, &loading);
}

void rg_nsgs_load_bodies(rgNsgs* nsgs, const rgSolution* solution, rgTasks* tasks) {
  const rgProblem* problem = nsgs->problem;
  double* lambda = nsgs->lone + nsgs->lone_count - problem->row_count;
  for (int i = 0; i < problem->row_count; i++)
    lambda[i] = solution->lambda[i];
  load_velocities(nsgs, solution->v, tasks);
  nsgs->smooth.all = is_smooth(problem, solution->r);
}

void rg_nsgs_load(rgNsgs* nsgs, const rgSolution* solution) {
  for (int i = 0; i < nsgs->problem->contact_count; i++) {
    double* lone = lone_impulse(nsgs, i);
    if (lone)
      memcpy(lone, solution->r + 4 * (size_t)i, 4 * sizeof(double));
    else
      nsgs->form->load(nsgs, i, solution->r);
  }
  memset(nsgs->rest, 0, (size_t)(nsgs->ball_count + nsgs->batch_count) * sizeof *nsgs->rest);
  rg_nsgs_load_bodies(nsgs, solution, NULL);
}

void rg_nsgs_impulse(const rgNsgs* nsgs, int contact, double r[4]) {
  const double* lone = lone_impulse(nsgs, contact);
  if (!lone) {
    nsgs->form->store(nsgs, contact, r);
    return;
  }
  double e[4];
  rg_contact_axes(nsgs->problem, &nsgs->problem->contacts[contact], e);
  for (int k = 0; k < 4; k++)
    r[k] = e[k] > 0 ? lone[k] : 0;
}

typedef struct Storing {
  const rgNsgs* nsgs;
  rgSolution* solution;
} Storing;

static void store_range(void* context, int first, int end) {
  const Storing* storing = context;
  for (int i = first; i < end; i++)
    rg_nsgs_impulse(storing->nsgs, i, storing->solution->r + 4 * (size_t)i);
}

void rg_nsgs_store(const rgNsgs* nsgs, rgSolution* solution, rgTasks* tasks) {
  const rgProblem* problem = nsgs->problem;
  Storing storing = {nsgs, solution};
  rg_tasks_ranges(tasks, problem->contact_count, store_range, &storing);
  const double* lambda = nsgs->lone + nsgs->lone_count - problem->row_count;
  for (int i = 0; i < problem->row_count; i++)
    solution->lambda[i] = lambda[i];
}

void rg_nsgs_refresh(rgNsgs* nsgs, rgSolution* solution) {
  rg_nsgs_store(nsgs, solution, NULL);
  rg_problem_velocity(nsgs->problem, solution);
  load_velocities(nsgs, solution->v, NULL);
}

static size_t velocity_size(const rgNsgs* nsgs) {
  return (size_t)nsgs->body_count * RG_NSGS_BODY * nsgs->form->real;
}

void rg_nsgs_keep_iterate(rgNsgs* nsgs) {
  memcpy(nsgs->last_state, nsgs->state, (size_t)nsgs->lone_state * nsgs->form->real);
  memcpy(nsgs->last_lone, nsgs->lone, (size_t)nsgs->lone_count * sizeof(double));
  memcpy(nsgs->last_v, nsgs->v, velocity_size(nsgs));
}

void rg_nsgs_keep_start(rgNsgs* nsgs) { memcpy(nsgs->start_v, nsgs->v, velocity_size(nsgs)); }
