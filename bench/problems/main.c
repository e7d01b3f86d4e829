// main.c - `auto` against the best of the other solvers on problem files, each problem in many
// orders of its contacts and with its velocities disturbed.
//
//   rigor-bench-problems [--orders N] [--disturb E] [--tolerance E] [--limit S] [--each 1] [FILE...]
//
// `--each 1` also prints the times of all solvers on each variant. Without files: all of $RIGOR_SHARED/data/problems (default ../shared/data/problems) and of
// tests/problems. A solver counts on a variant when its certificate is met; its time is the least
// CPU time of up to three solves. The ratio is that of `auto` to the fastest that counts, so that
// it says what the choice costs; work, in sweeps, says the same without a clock. Exit code 1 when
// `auto` missed a variant or took more than three times the best.
#include "vary.h"

#include <dirent.h>
#include <math.h>
#include <rigor/solver.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FILES_MAX = 1024, PATH_ROOM = 1024, REPEATS = 3, MEMBERS = 6 };
static const char* const members[MEMBERS] = {"nsgs", "newton", "admm", "cpg", "lemke", "mixed"};
static const double goal = 3;          // most that `auto` may take of the best one's time
static const double negligible = 5e-5; // [s] below this the clock says nothing
static const double short_time = 0.02; // [s] solves that are repeated

typedef struct Settings {
  int orders;
  double disturb, tolerance, limit;
  bool each; // print each variant
} Settings;

typedef struct Solve {
  bool met;
  double cpu, work, residual, scale;
} Solve;

static double cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// From zero impulses, in the given workspace. What a solver refuses is not met.
static Solve solve_once(const rgProblem* problem, const char* name, const Settings* settings,
                        double limit, void* work) {
  size_t v = rg_problem_velocity_count(problem), r = 4 * (size_t)problem->contact_count;
  double* numbers = calloc(v + r + (size_t)problem->row_count + 1, sizeof *numbers);
  Solve result = {.cpu = HUGE_VAL};
  if (numbers) {
    rgSolution solution = {numbers, numbers + v, numbers + v + r};
    rgStop stop = rg_stop_default();
    rgSolveReport report;
    stop.tolerance = settings->tolerance;
    stop.iteration_limit = 1000000;
    stop.time_limit = limit;
    double start = cpu_time();
    rgStatus status = rg_solve(problem, name, NULL, &stop, &solution, work, &report, NULL);
    result = (Solve){status == RG_OK, cpu_time() - start, report.work, report.certificate.residual,
                     report.certificate.scale};
  }
  free(numbers);
  return result;
}

static Solve solve(const rgProblem* problem, const char* name, const Settings* settings,
                   double limit) {
  size_t size = rg_solve_work_size(problem, name);
  void* work = malloc(size);
  if (!work)
    return (Solve){.cpu = HUGE_VAL};
  memset(work, 0, size); // the memory of a caller who solves many problems is there already
  Solve best = solve_once(problem, name, settings, limit, work);
  for (int i = 1; i < REPEATS && best.met && best.cpu < short_time; ++i)
    best.cpu = fmin(best.cpu, solve_once(problem, name, settings, limit, work).cpu);
  free(work);
  return best;
}

// What became of one file.
typedef struct Outcome {
  int met;           // variants that auto solved
  int slow;          // of these, above the goal
  double worst, sum; // ratio of CPU times
  double worst_work; // the same ratio of work
  double residual;   // largest of auto
  int wins[MEMBERS]; // variants on which each was the fastest
} Outcome;

static void judge_variant(const rgProblem* problem, const Settings* settings, Outcome* outcome) {
  Solve own = solve(problem, "auto", settings, settings->limit);
  double best = own.met ? own.cpu : settings->limit, best_work = own.work;
  int winner = -1;
  if (settings->each)
    printf("  auto %s %.3g ms %.4g", own.met ? "met" : "missed", 1e3 * own.cpu, own.work);
  for (int i = 0; i < MEMBERS; ++i) {
    Solve other = solve(problem, members[i], settings, best); // slower ones are of no interest
    if (settings->each && other.met)
      printf(", %s %.3g ms %.4g", members[i], 1e3 * other.cpu, other.work);
    if (!other.met || other.cpu >= best)
      continue;
    best = other.cpu;
    best_work = other.work;
    winner = i;
  }
  if (settings->each)
    printf("\n");
  if (winner >= 0)
    outcome->wins[winner]++;
  double ratio = fmax(own.cpu, negligible) / fmax(best, negligible);
  outcome->met += own.met;
  outcome->slow += own.met && ratio > goal;
  outcome->residual = fmax(outcome->residual, own.residual);
  if (!own.met)
    return;
  outcome->worst = fmax(outcome->worst, ratio);
  outcome->sum += ratio;
  if (best_work > 0)
    outcome->worst_work = fmax(outcome->worst_work, own.work / best_work);
}

static bool judge_file(const char* path, const Settings* settings) {
  rgProblem* problem = NULL;
  rgMessage message;
  if (rg_problem_read(path, NULL, &problem, &message) != RG_OK) {
    printf("%-40s not read: %s\n", path, message.text);
    return true;
  }
  Outcome outcome = {0};
  double scale = solve(problem, "nsgs", settings, 1e-3).scale;
  for (int seed = 0; seed < settings->orders; ++seed) {
    Varied varied;
    vary(problem, (unsigned)seed, seed > 0 ? settings->disturb * scale : 0, &varied);
    judge_variant(&varied.problem, settings, &outcome);
    vary_end(&varied);
  }
  const char* name = strrchr(path, '/');
  int most = 0;
  for (int i = 1; i < MEMBERS; ++i)
    most = outcome.wins[i] > outcome.wins[most] ? i : most;
  printf("%-36.36s %8d %4d/%-4d %9.1e %8.2f %8.2f %8.2f %5d  %s\n", name ? name + 1 : path,
         problem->contact_count, outcome.met, settings->orders, outcome.residual,
         outcome.met ? outcome.sum / outcome.met : 0, outcome.worst, outcome.worst_work,
         outcome.slow, outcome.wins[most] ? members[most] : "auto");
  fflush(stdout);
  rg_problem_free(problem, NULL);
  return outcome.met == settings->orders && outcome.slow == 0;
}

static int by_name(const void* a, const void* b) { return strcmp(a, b); }

static int list_folder(const char* folder, char (*paths)[PATH_ROOM], int count) {
  static const char* const endings[] = {".dat", ".json", ".hdf5"};
  DIR* directory = opendir(folder);
  int first = count;
  for (struct dirent* entry; directory && (entry = readdir(directory)) && count < FILES_MAX;)
    for (int i = 0; i < 3; ++i) {
      const char* dot = strrchr(entry->d_name, '.');
      if (dot && strcmp(dot, endings[i]) == 0)
        snprintf(paths[count++], PATH_ROOM, "%s/%s", folder, entry->d_name);
    }
  if (directory)
    closedir(directory);
  qsort(paths[first], (size_t)(count - first), sizeof *paths, by_name);
  return count;
}

static bool parse(int argc, char** argv, Settings* settings, char (*paths)[PATH_ROOM], int* count) {
  for (int i = 1; i < argc; ++i) {
    bool option = strncmp(argv[i], "--", 2) == 0;
    if (!option) {
      snprintf(paths[(*count)++], PATH_ROOM, "%s", argv[i]);
      continue;
    }
    if (i + 1 == argc)
      return false;
    double value = strtod(argv[i + 1], NULL);
    if (strcmp(argv[i], "--orders") == 0)
      settings->orders = (int)value;
    else if (strcmp(argv[i], "--disturb") == 0)
      settings->disturb = value;
    else if (strcmp(argv[i], "--tolerance") == 0)
      settings->tolerance = value;
    else if (strcmp(argv[i], "--limit") == 0)
      settings->limit = value;
    else if (strcmp(argv[i], "--each") == 0)
      settings->each = value != 0;
    else
      return false;
    ++i;
  }
  return settings->orders > 0 && settings->tolerance > 0 && settings->limit > 0;
}

int main(int argc, char** argv) {
  static char paths[FILES_MAX][PATH_ROOM];
  Settings settings = {.orders = 21, .disturb = 1e-4, .tolerance = 1e-8, .limit = 20};
  int count = 0;
  if (argc > FILES_MAX || !parse(argc, argv, &settings, paths, &count)) {
    fprintf(stderr, "usage: rigor-bench-problems [--orders N] [--disturb E] [--tolerance E] "
                    "[--limit S] [--each 1] [FILE...]\n");
    return 2;
  }
  if (count == 0) {
    const char* shared = getenv("RIGOR_SHARED");
    char folder[PATH_ROOM / 2];
    snprintf(folder, sizeof folder, "%s/data/problems", shared ? shared : "../shared");
    count = list_folder("tests/problems", paths, list_folder(folder, paths, count));
  }
  printf("auto to %.0e in %d orders of the contacts (the first as in the file), disturbed by %g of "
         "the free velocity; at most %g s\n",
         settings.tolerance, settings.orders, settings.disturb, settings.limit);
  printf("%-36s %8s %9s %9s %8s %8s %8s %5s  %s\n", "", "", "", "largest", "to best,", "", "same",
         "above", "");
  printf("%-36s %8s %9s %9s %8s %8s %8s %5s  %s\n", "file", "contacts", "met", "residual", "mean",
         "worst", "by work", "3", "fastest");
  bool good = true;
  for (int i = 0; i < count; ++i)
    good = judge_file(paths[i], &settings) && good;
  printf("%s\n", good ? "within three times of the best everywhere"
                      : "MISSED: not met, or above three times the best");
  return good ? 0 : 1;
}
