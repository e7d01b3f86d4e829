// witness.c - what Rigor says, written down for the checker. Uses public headers only and computes
// nothing itself.
//
//     witness run SCENE STEPS EVERY FOLDER
//         Prints the time step and makes the steps of the scene's time, at most STEPS (0: all)
//         that have islands. Of the first and every EVERY-th after it, each island's problem is written to
//         FOLDER/step-island.json, and the solution with the certificate that the step used to
//         FOLDER/step-island.solution; a line with the certificate of the step is printed, and it waits
//         for a line: the reader may remove the files, which for a whole scene are gigabytes.
//     witness certify FILE...
//         Certifies the solution in FILE.numbers (v, r, lambda, separated by white space) of the
//         problem in FILE; prints one certificate per line.
//     witness solve SOLVER FILE...
//         Solves each problem from a cold start with at most 3 iterations, so that residuals are
//         of every size, and writes FILE.solution; a problem that the solver refuses has none.
#include <rigor/rigor.h>

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, FEW_ITERATIONS = 3, FAILED = 3 };

static int fail(const char* what, const char* why) {
  fprintf(stderr, "witness: %s: %s\n", what, why);
  return FAILED;
}

// JSON as Python reads it, which has words for what is not finite.
static void put_number(FILE* out, double value) {
  if (isnan(value))
    fputs("NaN", out);
  else if (isinf(value))
    fputs(value > 0 ? "Infinity" : "-Infinity", out);
  else
    fprintf(out, "%.17g", value);
}

static void put_array(FILE* out, const char* name, const double* values, size_t count) {
  fprintf(out, "\"%s\": [", name);
  for (size_t i = 0; i < count; i++) {
    fputs(i ? ", " : "", out);
    put_number(out, values[i]);
  }
  fputs("], ", out);
}

static void put_certificate(FILE* out, const rgCertificate* certificate) {
  const rgCertificateField* field;
  const char* comma = "";
  fputs("\"certificate\": {", out);
  for (int i = 0; (field = rg_certificate_field(i)); i++) {
    if (!field->of_problem)
      continue;
    fprintf(out, "%s\"%s\": ", comma, field->name);
    put_number(out, rg_certificate_value(certificate, field));
    comma = ", ";
  }
  fputs("}", out);
}

static int write_solution(const char* path, const rgProblem* problem, const rgSolution* solution,
                          const rgCertificate* certificate) {
  FILE* out = fopen(path, "w");
  if (!out)
    return fail(path, "cannot be written");
  fputs("{", out);
  put_array(out, "v", solution->v, rg_problem_velocity_count(problem));
  put_array(out, "r", solution->r, 4 * (size_t)problem->contact_count);
  put_array(out, "lambda", solution->lambda, (size_t)problem->row_count);
  put_certificate(out, certificate);
  fputs("}\n", out);
  return fclose(out) == 0 ? 0 : fail(path, "cannot be written");
}

static int write_islands(const rgWorld* world, int step, const char* folder) {
  rgMessage message = {""};
  for (int i = 0; i < rg_world_island_count(world); i++) {
    char path[PATH_SIZE];
    rgProblem problem;
    rgSolution solution;
    rgCertificate certificate;
    if (rg_world_island(world, i, &problem, &solution, &certificate) != RG_OK)
      return fail(folder, "an island is missing");
    snprintf(path, sizeof path, "%s/%05d-%05d.json", folder, step, i);
    if (rg_problem_write(&problem, path, &message) != RG_OK)
      return fail(path, message.text);
    snprintf(path, sizeof path, "%s/%05d-%05d.solution", folder, step, i);
    int status = write_solution(path, &problem, &solution, &certificate);
    if (status)
      return status;
  }
  return 0;
}

// The step is shown when its files are there; false when nobody reads any more.
static bool show_step(int step, int islands, const rgCertificate* certificate) {
  printf("{\"step\": %d, \"islands\": %d, ", step, islands);
  put_certificate(stdout, certificate);
  puts("}");
  return fflush(stdout) == 0 && getchar() == '\n';
}

static int run_steps(rgWorld* world, double end, char** arguments) {
  int limit = atoi(arguments[1]), every = atoi(arguments[2]), acted = 0, status = 0;
  for (int step = 1; !status && rg_world_time(world) < end && (!limit || acted < limit); step++) {
    rgCertificate certificate;
    rgStatus made = rg_world_step(world, &certificate);
    if (made != RG_OK && made != RG_NOT_CONVERGED)
      return fail(arguments[0], rg_world_message(world));
    int islands = rg_world_island_count(world);
    if (islands == 0 || acted++ % every != 0)
      continue;
    status = write_islands(world, step, arguments[3]);
    if (!status && !show_step(step, islands, &certificate))
      status = fail(arguments[0], "nobody reads");
  }
  return status;
}

static int run(char** arguments) {
  rgMessage message = {""};
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  int status;
  if (rg_scene_read(arguments[0], &scene, &message) != RG_OK ||
      rg_scene_build(scene, NULL, &world, &message) != RG_OK) {
    status = fail(arguments[0], message.text);
  } else {
    printf("%.17g\n", rg_world_options(world)->step);
    status = run_steps(world, rg_scene_time(scene), arguments);
  }
  rg_world_destroy(world);
  rg_scene_free(scene);
  return status;
}

// Memory for a solution of the problem, v first; NULL when there is none.
static double* solution_memory(const rgProblem* problem, rgSolution* solution, size_t* count) {
  size_t v = rg_problem_velocity_count(problem), r = 4 * (size_t)problem->contact_count;
  *count = v + r + (size_t)problem->row_count;
  double* numbers = calloc(*count + 1, sizeof *numbers);
  if (numbers)
    *solution = (rgSolution){numbers, numbers + v, numbers + v + r};
  return numbers;
}

static int certify(const char* path, rgProblem* problem, const char* unused) {
  (void)unused;
  char name[PATH_SIZE];
  rgSolution solution;
  rgCertificate certificate;
  size_t count, read = 0;
  snprintf(name, sizeof name, "%s.numbers", path);
  double* numbers = solution_memory(problem, &solution, &count);
  FILE* in = fopen(name, "r");
  while (in && numbers && read < count && fscanf(in, "%lf", &numbers[read]) == 1)
    read++;
  if (in)
    fclose(in);
  if (read == count) {
    rg_problem_certify(problem, &solution, 1e-8, &certificate);
    fputs("{", stdout);
    put_certificate(stdout, &certificate);
    fputs("}\n", stdout);
  }
  free(numbers);
  return read == count ? 0 : fail(name, "does not hold the numbers of a solution");
}

static int solve(const char* path, rgProblem* problem, const char* solver) {
  char name[PATH_SIZE];
  rgSolution solution;
  rgSolveReport report = {0};
  rgMessage message = {""};
  rgStop stop = rg_stop_default();
  size_t count;
  int status = 0;
  stop.iteration_limit = FEW_ITERATIONS;
  double* numbers = solution_memory(problem, &solution, &count);
  void* work = malloc(rg_solve_work_size(problem, solver) + 1);
  if (!numbers || !work)
    status = fail(path, "not enough memory");
  else if (rg_solve(problem, solver, NULL, &stop, &solution, work, &report, &message) !=
           RG_ERROR_UNSUPPORTED) {
    snprintf(name, sizeof name, "%s.solution", path);
    status = write_solution(name, problem, &solution, &report.certificate);
  }
  free(work);
  free(numbers);
  return status;
}

static int for_each(char** paths, int count, int (*visit)(const char*, rgProblem*, const char*),
                    const char* word) {
  int status = 0;
  for (int i = 0; i < count && !status; i++) {
    rgMessage message = {""};
    rgProblem* problem = NULL;
    if (rg_problem_read(paths[i], NULL, &problem, &message) != RG_OK)
      return fail(paths[i], message.text);
    status = visit(paths[i], problem, word);
    rg_problem_free(problem, NULL);
  }
  return status;
}

int main(int count, char** arguments) {
  if (count == 6 && strcmp(arguments[1], "run") == 0)
    return run(arguments + 2);
  if (count >= 3 && strcmp(arguments[1], "certify") == 0)
    return for_each(arguments + 2, count - 2, certify, NULL);
  if (count >= 4 && strcmp(arguments[1], "solve") == 0)
    return for_each(arguments + 3, count - 3, solve, arguments[2]);
  return fail("usage", "run SCENE STEPS EVERY FOLDER | certify FILE... | solve SOLVER FILE...");
}
