// peer.c - the solvers of Siconos: a table, and one solve.
#include "contest.h"

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <GlobalFrictionContactProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <stdlib.h>
#include <string.h>

typedef enum Storage { BLOCKS, DENSE, GLOBAL } Storage;

typedef struct Peer {
  const char* name;
  int dimension;
  int solver, local; // ids; local 0 leaves the internal solver as it is
  Storage storage;   // of W, or the global form
  bool full;         // NSGS: the whole error after each sweep, instead of the change alone
} Peer;

#define FC3D(name) SICONOS_FRICTION_3D_##name
#define ONE(name) SICONOS_FRICTION_3D_ONECONTACT_##name
#define GFC3D(name) SICONOS_GLOBAL_FRICTION_3D_##name
static const Peer peers[] = {
    {"NSGS (NSN)", 3, FC3D(NSGS), ONE(NSN), BLOCKS, false},
    {"NSGS (NSN), full", 3, FC3D(NSGS), ONE(NSN), BLOCKS, true},
    {"NSGS (NSN_GP)", 3, FC3D(NSGS), ONE(NSN_GP), BLOCKS, false},
    {"NSGS (hybrid)", 3, FC3D(NSGS), ONE(NSN_GP_HYBRID), BLOCKS, false},
    {"NSGS (quartic)", 3, FC3D(NSGS), ONE(QUARTIC), BLOCKS, false},
    {"NSGS (quartic), full", 3, FC3D(NSGS), ONE(QUARTIC), BLOCKS, true},
    {"NSGS (cone)", 3, FC3D(NSGS), ONE(ProjectionOnCone), BLOCKS, false},
    {"NSGS (cone), full", 3, FC3D(NSGS), ONE(ProjectionOnCone), BLOCKS, true},
    {"NSGS (cone, iterated)", 3, FC3D(NSGS), ONE(ProjectionOnConeWithLocalIteration), BLOCKS,
     false},
    {"NSGS (NSN), dense", 3, FC3D(NSGS), ONE(NSN), DENSE, false},
    {"NSN_AC", 3, FC3D(NSN_AC), 0, BLOCKS, false},
    {"NSN_AC, dense", 3, FC3D(NSN_AC), 0, DENSE, false},
    {"NSN_FB", 3, FC3D(NSN_FB), 0, BLOCKS, false},
    {"NSN_FB, dense", 3, FC3D(NSN_FB), 0, DENSE, false},
    {"NSN_NM", 3, FC3D(NSN_NM), 0, BLOCKS, false},
    {"NSN_NM, dense", 3, FC3D(NSN_NM), 0, DENSE, false},
    {"NSN_AC_TEST", 3, FC3D(NSN_AC_TEST), 0, BLOCKS, false},
    {"PROX", 3, FC3D(PROX), 0, BLOCKS, false},
    {"TFP", 3, FC3D(TFP), 0, BLOCKS, false},
    {"PFP", 3, FC3D(PFP), 0, BLOCKS, false},
    {"DSFP", 3, FC3D(DSFP), 0, BLOCKS, false},
    {"FPP", 3, FC3D(FPP), 0, BLOCKS, false},
    {"EG", 3, FC3D(EG), 0, BLOCKS, false},
    {"VI_FPP", 3, FC3D(VI_FPP), 0, BLOCKS, false},
    {"VI_EG", 3, FC3D(VI_EG), 0, BLOCKS, false},
    {"HP", 3, FC3D(HP), 0, BLOCKS, false},
    {"ACLMFP", 3, FC3D(ACLMFP), 0, BLOCKS, false},
    {"SOCLCP", 3, FC3D(SOCLCP), 0, BLOCKS, false},
    {"ADMM", 3, FC3D(ADMM), 0, BLOCKS, false},
    {"global NSGS_WR", 3, GFC3D(NSGS_WR), 0, GLOBAL, false},
    {"global NSN_AC_WR", 3, GFC3D(NSN_AC_WR), 0, GLOBAL, false},
    {"global NSN_AC", 3, GFC3D(NSN_AC), 0, GLOBAL, false},
    {"global ADMM", 3, GFC3D(ADMM), 0, GLOBAL, false},
    {"global IPM", 3, GFC3D(IPM), 0, GLOBAL, false},
    {"2D NSGS", 2, SICONOS_FRICTION_2D_NSGS, 0, BLOCKS, false},
    {"2D NSGS, dense", 2, SICONOS_FRICTION_2D_NSGS, 0, DENSE, false},
    {"2D CPG", 2, SICONOS_FRICTION_2D_CPG, 0, DENSE, false},
    {"2D Lemke", 2, SICONOS_FRICTION_2D_LEMKE, 0, DENSE, false},
    {"2D enumeration", 2, SICONOS_FRICTION_2D_ENUM, 0, DENSE, false},
};
enum { PEERS = sizeof peers / sizeof peers[0] };
enum {
  MANY_ITERATIONS = 1000000, // the clock ends them
  NEWTON_ITERATIONS = 2000,
  DENSE_NUMBERS = 1000 // dense matrices up to this order
};

const char* peer_name(int index) { return index < PEERS ? peers[index].name : NULL; }

bool peer_takes(int index, const Contest* contest) {
  const Peer* peer = &peers[index];
  int d = contest->problem->local->block, numbers = d * contest->problem->contact_count;
  if (peer->dimension != d || (peer->storage == DENSE && numbers > DENSE_NUMBERS))
    return false;
  return peer->storage != GLOBAL || contest->global;
}

static NumericsMatrix* dense_matrix(const rgProblem* problem) {
  const rgLocalMatrix* w = problem->local;
  int d = w->block, n = d * problem->contact_count;
  NumericsMatrix* matrix = NM_create(NM_DENSE, n, n);
  memset(matrix->matrix0, 0, (size_t)n * (size_t)n * sizeof(double));
  for (int i = 0; i < problem->contact_count; i++)
    for (int k = w->row_start[i]; k < w->row_start[i + 1]; k++)
      for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++)
          matrix->matrix0[(size_t)(w->column[k] * d + b) * (size_t)n + (size_t)(i * d + a)] =
              w->values[(size_t)(k * d + a) * (size_t)d + (size_t)b];
  return matrix;
}

static NumericsMatrix* block_matrix(const rgProblem* problem) {
  const rgLocalMatrix* w = problem->local;
  int d = w->block, count = problem->contact_count, blocks = w->row_start[count];
  NumericsMatrix* matrix = NM_create(NM_SPARSE_BLOCK, d * count, d * count);
  if (!matrix->matrix1)
    matrix->matrix1 = SBM_new();
  SparseBlockStructuredMatrix* sparse = matrix->matrix1;
  sparse->nbblocks = (unsigned)blocks;
  sparse->blocknumber0 = sparse->blocknumber1 = (unsigned)count;
  sparse->blocksize0 = malloc((size_t)count * sizeof *sparse->blocksize0);
  sparse->blocksize1 = malloc((size_t)count * sizeof *sparse->blocksize1);
  sparse->filled1 = (size_t)count + 1;
  sparse->filled2 = (size_t)blocks;
  sparse->index1_data = malloc(sparse->filled1 * sizeof *sparse->index1_data);
  sparse->index2_data = malloc(sparse->filled2 * sizeof *sparse->index2_data);
  sparse->block = malloc((size_t)blocks * sizeof *sparse->block);
  for (int i = 0; i < count; i++)
    sparse->blocksize0[i] = sparse->blocksize1[i] = (unsigned)(d * (i + 1));
  for (int i = 0; i <= count; i++)
    sparse->index1_data[i] = (size_t)w->row_start[i];
  for (int k = 0; k < blocks; k++) {
    sparse->index2_data[k] = (size_t)w->column[k];
    sparse->block[k] = malloc((size_t)(d * d) * sizeof(double));
    for (int a = 0; a < d; a++)
      for (int b = 0; b < d; b++)
        sparse->block[k][b * d + a] = w->values[(size_t)(k * d + a) * (size_t)d + (size_t)b];
  }
  return matrix;
}

static FrictionContactProblem* local_problem(const rgProblem* problem, Storage storage) {
  int d = problem->local->block, count = problem->contact_count;
  double *q = malloc((size_t)(d * count) * sizeof *q), *mu = malloc((size_t)count * sizeof *mu);
  for (int i = 0; i < count; i++) {
    const rgProblemContact* contact = &problem->contacts[i];
    mu[i] = contact->cone == RG_CONE_FRICTIONLESS ? 0 : contact->mu;
    for (int k = 0; k < d; k++)
      q[i * d + k] = contact->bias[k];
  }
  NumericsMatrix* w = storage == DENSE ? dense_matrix(problem) : block_matrix(problem);
  return frictionContactProblem_new_with_data(d, count, w, q, mu);
}

static SolverOptions* make_options(const Peer* peer, double tolerance) {
  SolverOptions* options = solver_options_create(peer->solver);
  if (peer->local)
    solver_options_update_internal(options, 0, peer->local);
  bool newton = peer->solver == FC3D(NSN_AC) || peer->solver == FC3D(NSN_FB) ||
                peer->solver == FC3D(NSN_NM) || peer->solver == GFC3D(NSN_AC);
  if (peer->full)
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = SICONOS_ERROR_FULL_EVALUATION;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = newton ? NEWTON_ITERATIONS : MANY_ITERATIONS;
  return options;
}

Result peer_solve(int index, const Contest* contest, double tolerance) {
  const Peer* peer = &peers[index];
  int d = contest->problem->local->block, count = d * contest->problem->contact_count;
  size_t bytes = (size_t)count * sizeof(double);
  double *r = malloc(bytes), *u = malloc(bytes), *v = NULL;
  FrictionContactProblem* local = NULL;
  GlobalFrictionContactProblem* global = NULL;
  if (peer->storage == GLOBAL) {
    global = globalFrictionContact_new_from_filename(contest->path);
    v = malloc((size_t)global->M->size0 * sizeof(double));
  } else {
    local = local_problem(contest->problem, peer->storage);
  }
  Result result = {.time = 1e30};
  double spent = 0, times[REPETITIONS];
  int done = 0;
  while (done == 0 || (done < REPETITIONS && spent < repeat_for)) {
    SolverOptions* options = make_options(peer, tolerance);
    memset(r, 0, bytes);
    memset(u, 0, bytes);
    if (global)
      memset(v, 0, (size_t)global->M->size0 * sizeof(double));
    double start = cpu_time();
    result.status = global   ? gfc3d_driver(global, r, u, v, options)
                    : d == 2 ? fc2d_driver(local, r, u, options)
                             : fc3d_driver(local, r, u, options);
    times[done] = cpu_time() - start;
    spent += times[done++];
    result.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
    solver_options_delete(options);
    free(options);
  }
  result.time = median(times, done);
  result.errors = measure_errors(contest->problem, r);
  return result;
}
