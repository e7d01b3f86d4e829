// main.c - time to an error of 1e-8: `auto` of Rigor against every solver of Siconos, on the same
// problems in the same run.
//
//   rigor-bench-siconos [--limit SECONDS] [--json] [--all] [FILE...]
//
// Without files: all of $RIGOR_SHARED/problems (default ../shared/data/problems) and of
// tests/problems. A time counts only when the impulses, checked by one code for both sides
// (errors.c), have an error of at most 1e-8. Two tables of ratios follow from two readings of that:
// in the measure of Siconos alone, and in the one that does not depend on units as well. A solver
// that misses it is asked for a ten times smaller tolerance, up to four times; a run longer than
// the limit is given up. Every solve of Siconos has a process of its own, since it may exit or
// crash. Both sides start from zero impulses, with the problem in memory in the storage of each
// solver; timed is the call that solves, which on both sides includes its checks of the problem and
// of the answer, and on the side of Siconos its own allocations (Rigor's workspace belongs to the
// caller and is reused). Times are CPU time, the median of many repetitions (the clock of the
// process is now and then off by microseconds); then the best of Siconos and Rigor are timed again
// alternately, and the least counts.
// Global problems are reduced to W beforehand for both sides; the global solvers of Siconos are
// timed as well where it can read the file. With --all each solve of each solver is printed, those
// of Rigor included.
#include "contest.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FILES_MAX = 4096, PATH_ROOM = 1024, TRIES = 5, TURNS = 5, MANY_CONTACTS = 20 };

typedef struct Settings {
  int limit; // [s] of one solve of a peer
  bool json, all;
} Settings;

double cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

double median(double* times, int count) {
  qsort(times, (size_t)count, sizeof *times, by_size);
  return times[count / 2];
}

static bool is_good(Errors errors, bool both) {
  return errors.plain <= error_limit && (!both || errors.scaled <= error_limit);
}

// -------------------------------------------------------------------------------------------------
// Both sides
// -------------------------------------------------------------------------------------------------

static Result solve_rigor(const rgProblem* problem, const char* solver, double tolerance) {
  size_t count = (size_t)problem->contact_count, block = (size_t)problem->local->block;
  double *r = malloc(4 * count * sizeof *r), *u = malloc(4 * count * sizeof *u),
         *packed = malloc(block * count * sizeof *packed);
  void* work = malloc(rg_solve_work_size(problem, solver));
  rgSolution solution = {.v = u, .r = r};
  rgStop stop = rg_stop_default();
  stop.tolerance = tolerance;
  Result result = {.time = 1e30};
  double spent = 0, times[REPETITIONS];
  int done = 0;
  while (done == 0 || (done < REPETITIONS && spent < repeat_for)) {
    memset(r, 0, 4 * count * sizeof *r);
    rgSolveReport report;
    double start = cpu_time();
    result.status = rg_solve(problem, solver, NULL, &stop, &solution, work, &report, NULL);
    times[done] = cpu_time() - start;
    spent += times[done++];
    result.iterations = report.iterations;
  }
  result.time = median(times, done);
  for (size_t i = 0; i < count; i++)
    memcpy(packed + block * i, r + 4 * i, block * sizeof *packed);
  result.errors = measure_errors(problem, packed);
  free(r);
  free(u);
  free(packed);
  free(work);
  return result;
}

// In a process of its own, silent, ended by the clock. False when it did not come to an end.
static bool solve_apart(int peer, const Contest* contest, double tolerance, int limit,
                        Result* result) {
  int ends[2];
  if (pipe(ends) != 0)
    return false;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    alarm((unsigned)limit);
    Result own = peer_solve(peer, contest, tolerance);
    ssize_t written = write(ends[1], &own, sizeof own);
    _exit(written == (ssize_t)sizeof own ? 0 : 1);
  }
  close(ends[1]);
  bool done = child > 0 && read(ends[0], result, sizeof *result) == (ssize_t)sizeof *result;
  close(ends[0]);
  if (child > 0)
    waitpid(child, NULL, 0);
  return done;
}

typedef struct Best {
  double time; // infinite: none
  const char* name;
  int peer;
  double tolerance; // that it was asked for
} Best;

static void take(Best* best, const Result* result, int peer, double tolerance, bool both) {
  if (is_good(result->errors, both) && result->time < best->time)
    *best = (Best){result->time, peer_name(peer), peer, tolerance};
}

static void print_result(const char* name, double tolerance, const Result* result) {
  printf("    %-22s tolerance %.0e %12.4f ms %8d iterations, errors %.1e %.1e\n", name, tolerance,
         1e3 * result->time, result->iterations, result->errors.plain, result->errors.scaled);
}

// Every solver of Rigor that takes the problem.
static void print_own(const rgProblem* problem) {
  for (int i = 0; rg_solver_name(i); i++) {
    char name[64];
    snprintf(name, sizeof name, "rigor %s", rg_solver_name(i));
    Result result = solve_rigor(problem, rg_solver_name(i), error_limit);
    if (result.status != RG_ERROR_UNSUPPORTED)
      print_result(name, error_limit, &result);
  }
}

// Asks for smaller tolerances until both measures are met or nothing changes for the better.
static void try_peer(int peer, const Contest* contest, const Settings* settings, Best* plain,
                     Best* strict) {
  double tolerance = error_limit;
  for (int i = 0; i < TRIES; i++, tolerance *= 0.1) {
    Result result;
    if (!solve_apart(peer, contest, tolerance, settings->limit, &result))
      return;
    if (settings->all)
      print_result(peer_name(peer), tolerance, &result);
    take(plain, &result, peer, tolerance, false);
    take(strict, &result, peer, tolerance, true);
    bool hopeless = !(result.errors.plain <= 1e3 * error_limit);
    if (is_good(result.errors, true) || hopeless)
      return;
  }
}

static Result solve_own(const rgProblem* problem, double* tolerance) {
  *tolerance = error_limit;
  Result result = solve_rigor(problem, "auto", *tolerance);
  for (int i = 1; i < TRIES && !is_good(result.errors, true); i++) {
    *tolerance *= 0.1;
    result = solve_rigor(problem, "auto", *tolerance);
  }
  return result;
}

static void time_again(const Contest* contest, const Settings* settings, Best* best) {
  Result result;
  if (best->name && solve_apart(best->peer, contest, best->tolerance, settings->limit, &result) &&
      result.time < best->time)
    best->time = result.time;
}

// The best of both sides once more, alternately, so that what else the machine does meets both
// alike.
static void rematch(const Contest* contest, const Settings* settings, Best* plain, Best* strict,
                    Result* own, double tolerance) {
  for (int i = 0; i < TURNS; i++) {
    time_again(contest, settings, plain);
    time_again(contest, settings, strict);
    Result result = solve_rigor(contest->problem, "auto", tolerance);
    if (result.time < own->time)
      own->time = result.time;
  }
}

// -------------------------------------------------------------------------------------------------
// Table
// -------------------------------------------------------------------------------------------------

typedef struct Mean {
  double logs;
  int count;
} Mean;

static void add(Mean* mean, double ratio) {
  mean->logs += log(ratio);
  mean->count++;
}

static double value(Mean mean) { return mean.count ? exp(mean.logs / mean.count) : (double)NAN; }

typedef struct Totals {
  Mean plain[2], strict[2]; // [0] fewer contacts than MANY_CONTACTS, [1] others
  int missed;               // solved by a peer, not by Rigor
  int rows;
} Totals;

static void print_row(const Contest* contest, const Best* plain, const Best* strict,
                      const Result* own, const Settings* settings, int row) {
  int contacts = contest->problem->contact_count;
  bool good = is_good(own->errors, true);
  if (settings->json) {
    printf("%s  {\"problem\": \"%s\", \"contacts\": %d, ", row ? ",\n" : "", contest->name,
           contacts);
    if (plain->name)
      printf("\"siconos\": \"%s\", \"siconos_ms\": %.6g, ", plain->name, 1e3 * plain->time);
    if (strict->name)
      printf("\"siconos_both\": \"%s\", \"siconos_both_ms\": %.6g, ", strict->name,
             1e3 * strict->time);
    printf("\"rigor_ms\": %.6g, \"rigor_solved\": %s, \"errors\": [%.3g, %.3g]}", 1e3 * own->time,
           good ? "true" : "false", own->errors.plain, own->errors.scaled);
    return;
  }
  printf("%-34s %5d  %-22s %11.4f  %-22s %11.4f  %11.4f", contest->name, contacts,
         plain->name ? plain->name : "none", 1e3 * plain->time,
         strict->name ? strict->name : "none", 1e3 * strict->time, 1e3 * own->time);
  if (good)
    printf("  %8.2f  %8.2f\n", plain->time / own->time, strict->time / own->time);
  else
    printf("  not solved: errors %.1e %.1e\n", own->errors.plain, own->errors.scaled);
}

static void contend(const Contest* contest, const Settings* settings, Totals* totals) {
  Best plain = {.time = HUGE_VAL}, strict = {.time = HUGE_VAL};
  for (int i = 0; peer_name(i); i++)
    if (peer_takes(i, contest))
      try_peer(i, contest, settings, &plain, &strict);
  if (settings->all)
    print_own(contest->problem);
  double tolerance;
  Result own = solve_own(contest->problem, &tolerance);
  rematch(contest, settings, &plain, &strict, &own, tolerance);
  print_row(contest, &plain, &strict, &own, settings, totals->rows++);
  fflush(stdout);
  bool good = is_good(own.errors, true), many = contest->problem->contact_count >= MANY_CONTACTS;
  if (plain.name && !good)
    totals->missed++;
  if (plain.name && good)
    add(&totals->plain[many], plain.time / own.time);
  if (strict.name && good)
    add(&totals->strict[many], strict.time / own.time);
}

static void print_mean(const char* key, Mean mean) {
  if (mean.count)
    printf(" \"%s\": %.4g,\n", key, value(mean));
  else
    printf(" \"%s\": null,\n", key);
}

static void print_totals(const Totals* totals, const Settings* settings) {
  if (settings->json) {
    printf("\n ],\n");
    print_mean("ratio_many", totals->plain[1]);
    print_mean("ratio_few", totals->plain[0]);
    print_mean("ratio_many_both", totals->strict[1]);
    print_mean("ratio_few_both", totals->strict[0]);
    printf(" \"missed\": %d}\n", totals->missed);
    return;
  }
  printf("\ngeometric mean of the best of Siconos over Rigor:      its measure   both measures\n");
  printf("  %d contacts and more (%d problems)  %29.2f %15.2f\n", MANY_CONTACTS,
         totals->plain[1].count, value(totals->plain[1]), value(totals->strict[1]));
  printf("  fewer contacts (%d problems)  %35.2f %15.2f\n", totals->plain[0].count,
         value(totals->plain[0]), value(totals->strict[0]));
  printf("solved by a solver of Siconos and not by Rigor: %d\n", totals->missed);
}

// -------------------------------------------------------------------------------------------------
// Files
// -------------------------------------------------------------------------------------------------

static bool ends_with(const char* text, const char* end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

static int by_name(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

static int list_folder(const char* folder, char** paths, int count) {
  DIR* open_folder = opendir(folder);
  int first = count;
  for (struct dirent* entry; open_folder && (entry = readdir(open_folder));) {
    const char* name = entry->d_name;
    if (!ends_with(name, ".dat") && !ends_with(name, ".hdf5") && !ends_with(name, ".json"))
      continue;
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (count < FILES_MAX)
      paths[count++] = strdup(path);
  }
  if (open_folder)
    closedir(open_folder);
  qsort(paths + first, (size_t)(count - first), sizeof *paths, by_name);
  return count;
}

// Text whose first matrix is not that of the contacts.
static bool is_global_text(const char* path) {
  int d, contacts, storage, rows;
  FILE* file = ends_with(path, ".dat") ? fopen(path, "r") : NULL;
  bool global = file && fscanf(file, "%d %d %d %d", &d, &contacts, &storage, &rows) == 4 &&
                rows != d * contacts;
  if (file)
    fclose(file);
  return global;
}

// Reads a file and brings it to local form. False, with a remark, for what both sides cannot take.
// What the other solvers can hold: exact isotropic cones, 2 or 3 numbers per contact, no rows.
static const char* why_left_out(const rgProblem* local) {
  if (local->row_count > 0)
    return "has rows";
  if (local->local->block != 2 && local->local->block != 3)
    return "has another number of unknowns per contact than 2 or 3";
  for (int i = 0; i < local->contact_count; i++)
    if (local->contacts[i].cone != RG_CONE_DISK && local->contacts[i].cone != RG_CONE_FRICTIONLESS)
      return "has a cone that is no disk";
  return NULL;
}

static bool open_contest(const char* path, Contest* contest) {
  rgAllocator allocator = rg_allocator_default();
  rgMessage message;
  rgProblem* problem;
  if (rg_problem_read(path, &allocator, &problem, &message) != RG_OK) {
    fprintf(stderr, "left out: %s\n", message.text);
    return false;
  }
  const char* slash = strrchr(path, '/');
  *contest = (Contest){slash ? slash + 1 : path, problem, is_global_text(path), path};
  if (!problem->local) {
    rgStatus status = rg_problem_to_local(problem, &allocator, &contest->problem, &message);
    rg_problem_free(problem, &allocator);
    if (status != RG_OK) {
      fprintf(stderr, "left out: %s: %s\n", path, message.text);
      return false;
    }
  }
  const char* why = why_left_out(contest->problem);
  if (!why)
    return true;
  fprintf(stderr, "left out: %s %s\n", path, why);
  rg_problem_free(contest->problem, &allocator);
  return false;
}

int main(int count, char** arguments) {
  Settings settings = {.limit = 10};
  static char* paths[FILES_MAX];
  int files = 0;
  for (int i = 1; i < count; i++) {
    if (strcmp(arguments[i], "--json") == 0)
      settings.json = true;
    else if (strcmp(arguments[i], "--all") == 0)
      settings.all = true;
    else if (strcmp(arguments[i], "--limit") == 0 && i + 1 < count && atoi(arguments[i + 1]) > 0)
      settings.limit = atoi(arguments[++i]);
    else if (arguments[i][0] == '-') {
      fprintf(stderr,
              "%s: unknown option or missing value; known: --limit SECONDS, --json, --all\n",
              arguments[i]);
      return 2;
    } else if (files < FILES_MAX)
      paths[files++] = arguments[i];
  }
  if (files == 0) {
    const char* shared = getenv("RIGOR_SHARED");
    char folder[PATH_ROOM];
    snprintf(folder, sizeof folder, "%s/data/problems", shared ? shared : "../shared");
    files = list_folder(folder, paths, files);
    files = list_folder("tests/problems", paths, files);
  }
  if (settings.json)
    printf("{\"error\": %g, \"problems\": [\n", error_limit);
  else
    printf("%-34s %5s  %-22s %11s  %-22s %11s  %11s  %8s  %8s\n", "problem, times in ms", "cont.",
           "Siconos, its measure", "", "Siconos, both", "", "Rigor auto", "ratio", "both");
  Totals totals = {.missed = 0};
  rgAllocator allocator = rg_allocator_default();
  for (int i = 0; i < files; i++) {
    Contest contest;
    if (!open_contest(paths[i], &contest))
      continue;
    contend(&contest, &settings, &totals);
    rg_problem_free(contest.problem, &allocator);
  }
  print_totals(&totals, &settings);
  return totals.missed > 0;
}
