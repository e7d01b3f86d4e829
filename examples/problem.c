// problem.c - a contact problem as a thing to hold: takes it from a step, writes it to a file, reads it
// back, solves it with several solvers and judges their answers.
//
//     cc examples/problem.c -lrigor -lm && ./a.out scenes/arch.json problem.json
#include <rigor/rigor.h>

#include <stdio.h>
#include <stdlib.h>

static int fail(const char* text) {
  fprintf(stderr, "%s\n", text);
  return 1;
}

// The problem of the island with most contacts after some steps, written to a file.
static rgStatus write_problem(const char* scene_path, const char* path, rgMessage* message) {
  rgScene* scene;
  rgWorld* world = NULL;
  rgStatus status = rg_scene_read(scene_path, &scene, message);
  if (status != RG_OK)
    return status;
  status = rg_scene_build(scene, NULL, &world, message);
  for (int i = 0; i < 20 && status == RG_OK; i++)
    status = rg_world_step(world, NULL);
  rgProblem largest = {0}, problem;
  for (int i = 0; world && i < rg_world_island_count(world); i++)
    if (rg_world_island(world, i, &problem, NULL, NULL) == RG_OK &&
        problem.contact_count > largest.contact_count)
      largest = problem;
  if (status == RG_OK)
    status = rg_problem_write(&largest, path, message);
  rg_world_destroy(world);
  rg_scene_free(scene);
  return status;
}

// Solves from a cold start; whether the certificate is met.
static bool solve(const rgProblem* problem, const char* solver) {
  size_t contacts = (size_t)problem->contact_count, rows = (size_t)problem->row_count;
  rgSolution solution = {calloc(rg_problem_velocity_count(problem) + 1, sizeof(double)),
                         calloc(4 * contacts + 1, sizeof(double)),
                         calloc(rows + 1, sizeof(double))};
  void* work = malloc(rg_solve_work_size(problem, solver) + 1);
  rgStop stop = rg_stop_default();
  rgSolveReport report = {0};
  rgMessage message = {""};
  rgStatus status = rg_solve(problem, solver, NULL, &stop, &solution, work, &report, &message);
  rgCertificate judged = {0};
  if (status == RG_OK || status == RG_NOT_CONVERGED) {
    rg_problem_certify(problem, &solution, stop.tolerance, &judged);
    printf("%-8s %5d iterations, residual %.2g: %s\n", solver, report.iterations, judged.residual,
           judged.met ? "met" : "not met");
  } else {
    printf("%-8s refuses: %s\n", solver, message.text);
  }
  free(solution.v);
  free(solution.r);
  free(solution.lambda);
  free(work);
  return judged.met;
}

int main(int argc, char** argv) {
  if (argc != 3)
    return fail("usage: problem SCENE FILE");
  rgMessage message = {""};
  if (write_problem(argv[1], argv[2], &message) != RG_OK)
    return fail(message.text);
  rgProblem* problem;
  if (rg_problem_read(argv[2], NULL, &problem, &message) != RG_OK)
    return fail(message.text);
  printf("%s: %d bodies, %d contacts, %d rows\n", argv[2], problem->body_count,
         problem->contact_count, problem->row_count);
  const char* const solvers[] = {"auto", "newton", "nsgs"};
  int met = 0;
  for (int i = 0; i < 3; i++)
    met += solve(problem, solvers[i]);
  rg_problem_free(problem, NULL);
  return met > 0 ? 0 : 1;
}
