// motion_space.c - why motion space (Redon et al. 2002, section 5.2 and figure 3).
//
// Section 5.2 gives four reasons for J Q^-1 in place of W = J M^-1 J'; the first three are measured here
// on problems of its tables (jacobian.h), the fourth in gauss-tables:
//
// - condition: that of W is the square of that of J Q^-1. Singular values of J Q^-1 are found by one-sided
//   rotations of its columns (Hestenes 1958), eigenvalues of W by Jacobi's rotations, apart;
// - sparsity and memory: numbers that are not zero, and bytes with and without zeros.
//
// Figure 3 is a part with many contact points. Here a prism with k sides lies on another one, which lies
// on the ground: 2 k contacts of two bodies, k = 8 .. 200, pressed by gravity and turned by a torque, so
// that some contacts open. Multiplications and times of dantzig and wilhelmsen, both with updated factors.
#include "experiments/assembly.h"
#include "experiments/experiment.h"
#include "experiments/jacobian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIZES = 4, MOST = 120 }; // rows of the largest matrix
static const int body_counts[SIZES] = {2, 2, 5, 8};
static const int per_body[SIZES] = {15, 45, 15, 15};

// --- matrices ----------------------------------------------------------------------------------

typedef struct Matrix {
  int rows, columns;
  double a[MOST][MOST];
} Matrix;

static void put(Matrix* j, int row, int body, rgTwist g) {
  if (body < 0)
    return;
  const double six[6] = {g.linear.x, g.linear.y, g.linear.z, g.angular.x, g.angular.y, g.angular.z};
  for (int k = 0; k < 6; k++)
    j->a[row][6 * body + k] += six[k];
}

// J Q^-1 with Q = 1.
static void fill(const rgProblem* problem, Matrix* j) {
  memset(j, 0, sizeof *j);
  j->rows = problem->row_count;
  j->columns = 6 * problem->body_count;
  for (int i = 0; i < problem->row_count; i++) {
    put(j, i, problem->rows[i].body_a, problem->rows[i].g_a);
    put(j, i, problem->rows[i].body_b, problem->rows[i].g_b);
  }
}

static void make_w(const Matrix* j, Matrix* w) {
  w->rows = w->columns = j->rows;
  for (int i = 0; i < j->rows; i++)
    for (int k = 0; k < j->rows; k++) {
      w->a[i][k] = 0;
      for (int c = 0; c < j->columns; c++)
        w->a[i][k] += j->a[i][c] * j->a[k][c];
    }
}

static int filled(const Matrix* m) {
  int count = 0;
  for (int i = 0; i < m->rows; i++)
    for (int k = 0; k < m->columns; k++)
      count += m->a[i][k] != 0;
  return count;
}

// Cosine and sine that make two columns with the products aa, bb, ab perpendicular.
static void rotation(double aa, double bb, double ab, double* c, double* s) {
  double z = (bb - aa) / (2 * ab), t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z));
  *c = 1 / sqrt(1 + t * t);
  *s = t * *c;
}

enum { SWEEPS = 30 };
static const double perpendicular = 1e-15;

static int compare(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x < y) - (x > y);
}

// Singular values in falling order, by rotations of columns. Overwrites m.
static void singular_values(Matrix* m, double* values) {
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int p = 0; p < m->columns; p++)
      for (int q = p + 1; q < m->columns; q++) {
        double aa = 0, bb = 0, ab = 0, c, s;
        for (int i = 0; i < m->rows; i++) {
          aa += m->a[i][p] * m->a[i][p];
          bb += m->a[i][q] * m->a[i][q];
          ab += m->a[i][p] * m->a[i][q];
        }
        if (fabs(ab) <= perpendicular * sqrt(aa * bb) || ab == 0)
          continue;
        rotation(aa, bb, ab, &c, &s);
        for (int i = 0; i < m->rows; i++) {
          double x = m->a[i][p], y = m->a[i][q];
          m->a[i][p] = c * x - s * y;
          m->a[i][q] = s * x + c * y;
        }
      }
  for (int p = 0; p < m->columns; p++) {
    values[p] = 0;
    for (int i = 0; i < m->rows; i++)
      values[p] += m->a[i][p] * m->a[i][p];
    values[p] = sqrt(values[p]);
  }
  qsort(values, (size_t)m->columns, sizeof *values, compare);
}

// Eigenvalues of a symmetric matrix in falling order. Overwrites m.
static void eigenvalues(Matrix* m, double* values) {
  int n = m->rows;
  for (int sweep = 0; sweep < SWEEPS; sweep++)
    for (int p = 0; p < n; p++)
      for (int q = p + 1; q < n; q++) {
        double c, s;
        if (m->a[p][q] == 0)
          continue;
        rotation(m->a[p][p], m->a[q][q], m->a[p][q], &c, &s);
        for (int i = 0; i < n; i++) {
          double x = m->a[i][p], y = m->a[i][q];
          m->a[i][p] = c * x - s * y;
          m->a[i][q] = s * x + c * y;
        }
        for (int i = 0; i < n; i++) {
          double x = m->a[p][i], y = m->a[q][i];
          m->a[p][i] = c * x - s * y;
          m->a[q][i] = s * x + c * y;
        }
      }
  for (int i = 0; i < n; i++)
    values[i] = m->a[i][i];
  qsort(values, (size_t)n, sizeof *values, compare);
}

static void report_matrices(ExperimentReport* report, int size, Matrix* j, Matrix* w) {
  char quantity[EXPERIMENT_TEXT], where[EXPERIMENT_TEXT];
  double values[MOST];
  int n = body_counts[size], p = per_body[size], m = n * p;
  int rank = m < 6 * n ? m : 6 * n;
  make_w(j, w);
  int of_j = filled(j), of_w = filled(w);
  eigenvalues(w, values);
  double of_w_condition = values[0] / values[rank - 1];
  singular_values(j, values);
  double condition = values[0] / values[rank - 1];
  snprintf(where, sizeof where, "n = %d, p = %d", n, p);
  experiment_source(report,
                    "section 5.2: \"the square of that of J_Q\"; eigenvalues lose half the digits "
                    "of the smallest");
  snprintf(quantity, sizeof quantity, "%s: condition of W over that of J_Q squared", where);
  experiment_near(report, quantity, "", 1, of_w_condition / (condition * condition), 1e-6);
  snprintf(quantity, sizeof quantity, "%s: condition of J_Q", where);
  experiment_shown(report, quantity, "", (double)NAN, condition);
  snprintf(quantity, sizeof quantity, "%s: dense, bytes of W over those of J_Q", where);
  experiment_shown(report, quantity, "", (double)NAN, (double)m * m / (6.0 * n * m));
  experiment_source(report,
                    "section 5.2: sparse, J_Q always O(m): at most 12 numbers per constraint");
  snprintf(quantity, sizeof quantity, "%s: sparse, numbers of J_Q per constraint", where);
  experiment_at_most(report, quantity, "", (double)of_j / m, 12);
  snprintf(quantity, sizeof quantity, "%s: sparse, numbers of W per constraint", where);
  experiment_shown(report, quantity, "", (double)NAN, (double)of_w / m);
}

static bool run_matrices(ExperimentReport* report, Matrix* j, Matrix* w) {
  static const char* const solver = "dantzig";
  for (int size = 0; size < SIZES; size++) {
    Jacobian jacobian;
    int n = body_counts[size], m = n * per_body[size];
    bool good = jacobian_prepare(&jacobian, n, m, &solver, 1) &&
                experiment_goes_on(report, 0.5 * size / SIZES, "matrices");
    if (good) {
      fill(&jacobian.problem, j);
      report_matrices(report, size, j, w);
    }
    jacobian_release(&jacobian);
    if (!good)
      return false;
  }
  return true;
}

// --- prisms ------------------------------------------------------------------------------------

// Two prisms with k sides on each other, on the ground; the upper one is pushed over.
static void make_prisms(Assembly* assembly, int k) {
  assembly_begin(assembly);
  rgQuat upright = {1, 0, 0, 0};
  for (int i = 0; i < 2; i++)
    assembly_box(assembly, rg_vec3(0, 0, 0.5 + i), rg_vec3(2, 2, 1), 1, upright);
  for (int i = 0; i < 2; i++)
    for (int c = 0; c < k; c++) {
      double angle = 2 * 3.14159265358979324 * c / k;
      assembly_contact(assembly, i, i - 1, rg_vec3(cos(angle), sin(angle), i), rg_vec3(0, 0, 1));
    }
  assembly->bodies[1].v_free.angular = rg_vec3(0, 40, 0); // a torque: one edge opens
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Of one solve; *time [s] of the processor is the least of several.
static double multiplications(const Assembly* assembly, const char* solver, bool* solved,
                              double* time) {
  enum { REPEATS = 5 };
  size_t size = rg_solve_work_size(&assembly->problem, solver);
  void* work = malloc(size);
  double* memory = calloc(6 * ASSEMBLY_BODIES + 4 * ASSEMBLY_CONTACTS, sizeof *memory);
  rgSolveReport report = {0};
  *time = HUGE_VAL;
  for (int i = 0; i < REPEATS && work && memory; i++) {
    rgStop stop = rg_stop_default();
    rgSolution solution = {memory, memory + 6 * ASSEMBLY_BODIES, NULL};
    memset(memory, 0, (6 * ASSEMBLY_BODIES + 4 * ASSEMBLY_CONTACTS) * sizeof *memory);
    double start = seconds();
    rg_solve(&assembly->problem, solver, NULL, &stop, &solution, work, &report, NULL);
    *time = fmin(*time, seconds() - start);
  }
  *solved = *solved && report.certificate.met;
  free(work);
  free(memory);
  return report.linear_multiplications + report.other_multiplications;
}

static void run_prisms(ExperimentReport* report, Assembly* assembly) {
  static const int sides[] = {8, 16, 32, 64, 128, 200};
  enum { COUNT = sizeof sides / sizeof *sides };
  CliPlot* plot =
      experiment_plot(report, "Two prisms on each other",
                      "Multiplications of a solve against the number of contacts; matrices "
                      "are given.");
  CliPanel* panel =
      cli_plot_panel(plot, "", "contacts", "multiplications", CLI_AXES_LOG_X | CLI_AXES_LOG_Y);
  CliSeries* lines[2] = {cli_panel_series(panel, "contact space (dantzig)", CLI_MARK_LINE, 0),
                         cli_panel_series(panel, "motion space (wilhelmsen)", CLI_MARK_LINE, 1)};
  double ratio[COUNT];
  bool solved = true;
  for (int i = 0; i < COUNT; i++) {
    make_prisms(assembly, sides[i]);
    double times[2];
    double contact = multiplications(assembly, "dantzig", &solved, &times[0]),
           motion = multiplications(assembly, "wilhelmsen", &solved, &times[1]);
    // What dantzig is given was m^2 numbers of 6 multiplications per shared body.
    double m = 2.0 * sides[i], forming = 6 * m * m;
    cli_series_point(lines[0], m, contact + forming);
    cli_series_point(lines[1], m, motion);
    ratio[i] = (contact + forming) / motion;
    char quantity[EXPERIMENT_TEXT];
    snprintf(quantity, sizeof quantity,
             "prisms with %d sides: multiplications, contact / motion space", sides[i]);
    experiment_shown(report, quantity, "", (double)NAN, ratio[i]);
    snprintf(quantity, sizeof quantity, "prisms with %d sides: time, contact / motion space",
             sides[i]);
    experiment_shown(report, quantity, "", (double)NAN, times[0] / times[1]);
  }
  experiment_source(report, "figure 3: \"should benefit\" as \"many contact points\" appear");
  experiment_row(report, "prisms: ratio with 200 sides over that with 8", "", (double)NAN,
                 ratio[COUNT - 1] / ratio[0], ratio[COUNT - 1] > ratio[0], "above 1");
  experiment_row(report, "prisms with 200 sides: contact / motion space", "", (double)NAN,
                 ratio[COUNT - 1], ratio[COUNT - 1] > 1, "above 1");
  experiment_source(report, "both must solve the problem");
  experiment_row(report, "prisms: all solved", "", 1, solved, solved, "1");
}

static void run(ExperimentReport* report) {
  Matrix* matrices = malloc(2 * sizeof *matrices);
  Assembly* assembly = malloc(sizeof *assembly);
  if (!matrices || !assembly)
    report->out_of_memory = true;
  else if (run_matrices(report, &matrices[0], &matrices[1]))
    run_prisms(report, assembly);
  experiment_given(report, "problems", "those of Tables 1 and 2; M = 1, so that Q = 1");
  experiment_chosen(report, "sizes",
                    "up to %d constraints, whose eigenvalues are found to rounding", (int)MOST);
  experiment_chosen(report, "prisms",
                    "radius and height 1 m, 8 to 200 sides; forming W counts as 6 "
                    "multiplications per number");
  free(matrices);
  free(assembly);
}

const Experiment experiment_motion_space = {
    .name = "motion-space",
    .paper = "Redon et al. 2002, section 5.2, figure 3",
    .work = &experiment_work_redon,
    .summary =
        "Condition, sparsity and memory of motion space against contact space, and two prisms "
        "with ever more contacts.",
    .run = run,
};
