// options.c - the table of options, the presets, and the check against the table.
#include "base/message.h"
#include <rigor/solver.h>
#include <rigor/world.h>

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char* rg_cone_option_name(int index) {
  static const char* const names[] = {"exact", "inner", "outer", "frictionless"};
  return index >= 0 && index < (int)(sizeof names / sizeof *names) ? names[index] : NULL;
}

static const char* impacts_name(int index) {
  static const char* const names[] = {"simultaneous", "sequential", "routh"};
  return index >= 0 && index < (int)(sizeof names / sizeof *names) ? names[index] : NULL;
}

static const char* coordinates_name(int index) {
  static const char* const names[] = {"reduced", "full"};
  return index >= 0 && index < 2 ? names[index] : NULL;
}

#define FIELD(name) .offset = offsetof(rgOptions, name)

static const rgOption table[] = {
    {"gravity", RG_OPTION_VEC3, FIELD(gravity), -DBL_MAX, DBL_MAX, .unit = "m/s2",
     .help = "acceleration of gravity"},
    {"step", RG_OPTION_REAL, FIELD(step), 0, DBL_MAX, .lower_open = true, .unit = "s",
     .help = "time step h"},
    {"stepper", RG_OPTION_NAME, FIELD(stepper), .names = rg_stepper_name, .unit = "",
     .help = "time-stepping method"},
    {"theta", RG_OPTION_REAL, FIELD(theta), 0.5, 1, .unit = "",
     .help = "weight of the end of the step: 1/2 conserves energy, 1 dissipates it"},
    {"impacts", RG_OPTION_NAME, FIELD(impacts), .names = impacts_name, .unit = "",
     .help = "law for bodies that collide while they touch others, with restitution > 0. "
             "simultaneous: all contacts of the step at once; sequential: pair after pair, as in a "
             "row of balls where only the last one leaves; routh: as sequential, and friction may "
             "stop or reverse the slip within the impact, as of a rod that hits the ground. The "
             "last two need the stepper theta"},
    {"coordinates", RG_OPTION_NAME, FIELD(coordinates), .names = coordinates_name, .unit = "",
     .help = "unknowns of bodies that joints connect without closed loops, as of a robot arm. "
             "reduced: the rates of the free axes, so that joints stay closed to rounding; full: "
             "six velocities of each body and a constraint for each fixed direction. Both give the "
             "same motion; full is for comparisons, and is used where reduced cannot be: closed "
             "loops, steppers other than theta, solvers other than auto"},
    {"damping_time", RG_OPTION_REAL, FIELD(damping_time), 0, DBL_MAX, .lower_open = true,
     .unit = "s", .help = "first-order: velocity over the acceleration that forces would cause"},
    {"solver", RG_OPTION_NAME, FIELD(solver), .names = rg_solver_name, .unit = "",
     .help = "solver of the contact problem of an island"},
    {"solver_options", RG_OPTION_NAME, FIELD(solver_options), .unit = "",
     .help = "settings of the chosen solver, as name=value with commas between them, for example "
             "momentum=0 of nsgs; 'rigor list solvers' names them with their defaults and ranges. "
             "Empty: the defaults, which suit all but studies of solvers"},
    {"tolerance", RG_OPTION_REAL, FIELD(tolerance), 0, 1, .lower_open = true, .unit = "",
     .help =
         "largest residual that counts as met, relative to the free velocity at contacts and rows"},
    {"iteration_limit", RG_OPTION_INT, FIELD(iteration_limit), 1, INT_MAX, .unit = "",
     .help = "iterations of one solve; a step that reaches the limit first is reported as not met"},
    {"time_limit", RG_OPTION_REAL, FIELD(time_limit), 0, DBL_MAX, .unit = "s",
     .help = "CPU time of one solve, 0: no limit; runs with a limit are not repeatable"},
    {"cone", RG_OPTION_NAME, FIELD(cone), .names = rg_cone_option_name, .unit = "",
     .help = "friction cone: exact, a polygonal cone inside or outside it, or no friction"},
    {"facets", RG_OPTION_INT, FIELD(facets), 3, 64, .unit = "",
     .help = "number of facets of an inner or outer cone"},
    {"stabilizer", RG_OPTION_NAME, FIELD(stabilizer), .names = rg_stabilizer_name, .unit = "",
     .help = "method that keeps penetration and joint errors from growing"},
    {"baumgarte_rate", RG_OPTION_REAL, FIELD(baumgarte_rate), 0, DBL_MAX, .unit = "1/s",
     .help = "baumgarte: rate at which errors of position decay"},
    {"implicit_forces", RG_OPTION_BOOL, FIELD(implicit_forces), .unit = "",
     .help = "integrate springs, dampers and drag implicitly, so that they may be stiff"},
    {"projection_tolerance", RG_OPTION_REAL, FIELD(projection_tolerance), 0, 1, .lower_open = true,
     .unit = "",
     .help = "penetration left uncorrected, as a fraction of the half-width of the smaller shape"},
    {"threads", RG_OPTION_INT, FIELD(threads), 1, 64, .unit = "",
     .help = "number of threads; results do not depend on it"},
    {"accuracy", RG_OPTION_REAL, FIELD(accuracy), 0, DBL_MAX, .unit = "m",
     .help = "largest error of positions that you accept from the steps in time; 'rigor run' then "
             "shortens steps where needed and reports an error bar for each body. 0: every step is "
             "`step` long and the error is not estimated"},
    {"effort", RG_OPTION_REAL, FIELD(effort), 8, DBL_MAX, .unit = "",
     .help =
         "bound on the cost of a run with `accuracy`: steps computed for each interval "
         "`step`, on average over the run, rejected ones included. When it is used up, steps are "
         "no longer shortened: raise it if a run does not hold its accuracy. Without "
         "`accuracy` it has no effect"},
    {"sleeping", RG_OPTION_BOOL, FIELD(sleeping), .unit = "",
     .help = "bodies at rest stay exactly where they are and cost next to nothing, until something "
             "changes for them. An island sleeps where zero velocity with its impulses meets the "
             "tolerance, so that every step is certified all the same. For steppers that have the "
             "velocity at the end of the step as their unknown: theta, anitescu-potra, "
             "stewart-trinkle, implicit-geometry, signorini"},
};

const rgOption* rg_option(int index) {
  return index >= 0 && index < (int)(sizeof table / sizeof *table) ? &table[index] : NULL;
}

typedef struct Preset {
  const char* name;
  const char* summary;
  const char* solver;
  double step, theta, tolerance;
  int iteration_limit;
  double projection_tolerance;
} Preset;

// The Baumgarte rate of the presets, times h: a fifth of an error per step. Cline 2002, section
// 5.2.1, finds that 0.05 to 0.2 work best and that 2 overshoots.
static const double BAUMGARTE_RATE = 0.2;

// Steps for each step of the scene: enough to make them 100 times shorter, with four of them for two.
static const double EFFORT = 500;

static const Preset presets[] = {
    {"default", "certified to 1e-6, h = 1/240 s, theta = 1", "auto", 1.0 / 240, 1, 1e-6, 10000,
     1e-6},
    {"realtime", "a bounded number of iterations for interactive use, h = 1/60 s, theta = 1",
     "auto", 1.0 / 60, 1, 1e-3, 199, 1e-3},
    {"reference", "certified to 1e-10, h = 1 ms, theta = 1/2", "auto", 1e-3, 0.5, 1e-10, 100000,
     1e-9},
};
enum { PRESET_COUNT = sizeof presets / sizeof *presets };

const char* rg_preset_name(int index) {
  return index >= 0 && index < PRESET_COUNT ? presets[index].name : NULL;
}

const char* rg_preset_summary(int index) {
  return index >= 0 && index < PRESET_COUNT ? presets[index].summary : NULL;
}

bool rg_options_preset(const char* name, rgOptions* options) {
  for (int i = 0; i < PRESET_COUNT; i++) {
    const Preset* preset = &presets[i];
    if (strcmp(name, preset->name) != 0)
      continue;
    *options = (rgOptions){
        .gravity = {0, 0, -9.81},
        .step = preset->step,
        .stepper = "theta",
        .theta = preset->theta,
        .impacts = "simultaneous",
        .coordinates = "reduced",
        .damping_time = 1,
        .tolerance = preset->tolerance,
        .iteration_limit = preset->iteration_limit,
        .cone = "exact",
        .facets = 8,
        .stabilizer = "post",
        .baumgarte_rate = BAUMGARTE_RATE / preset->step,
        .implicit_forces = true,
        .projection_tolerance = preset->projection_tolerance,
        .threads = 1,
        .effort = EFFORT,
    };
    snprintf(options->solver, sizeof options->solver, "%s", preset->solver);
    return true;
  }
  return false;
}

static rgStatus check_number(const rgOption* option, double value, rgMessage* message) {
  bool low = option->lower_open ? value <= option->lower : value < option->lower;
  if (!low && value <= option->upper)
    return RG_OK;
  const char* relation = option->lower_open ? ">" : ">=";
  if (option->upper >= INT_MAX)
    return rg_fail(message, RG_ERROR_INPUT, "%s is %g, must be finite and %s %g", option->name,
                   value, relation, option->lower);
  return rg_fail(message, RG_ERROR_INPUT, "%s is %g, must be %s %g and <= %g", option->name, value,
                 relation, option->lower, option->upper);
}

static rgStatus check_name(const rgOption* option, const char* value, rgMessage* message) {
  char known[256] = "";
  if (!option->names)
    return memchr(value, '\0', RG_NAME_MAX)
               ? RG_OK
               : rg_fail(message, RG_ERROR_INPUT, "%s is not ended within %d bytes", option->name,
                         (int)RG_NAME_MAX);
  for (int i = 0; option->names(i); i++) {
    const char* name = option->names(i);
    if (strncmp(value, name, RG_NAME_MAX) == 0)
      return RG_OK;
    size_t used = strlen(known);
    if (used + strlen(name) + 3 < sizeof known) {
      if (i > 0)
        memcpy(known + used, ", ", 3), used += 2;
      memcpy(known + used, name, strlen(name) + 1);
    }
  }
  return rg_fail(message, RG_ERROR_INPUT, "%s is \"%.31s\", must be one of: %s", option->name,
                 value, known);
}

rgStatus rg_options_check(const rgOptions* options, rgMessage* message) {
  for (int i = 0; rg_option(i); i++) {
    const rgOption* option = rg_option(i);
    const char* field = (const char*)options + option->offset;
    rgStatus status = RG_OK;
    double v[3];
    switch (option->type) {
    case RG_OPTION_BOOL:
      break;
    case RG_OPTION_INT:
      status = check_number(option, *(const int*)(const void*)field, message);
      break;
    case RG_OPTION_REAL:
      status = check_number(option, *(const double*)(const void*)field, message);
      break;
    case RG_OPTION_NAME:
      status = check_name(option, field, message);
      break;
    case RG_OPTION_VEC3:
      memcpy(v, field, sizeof v);
      if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
        status = rg_fail(message, RG_ERROR_INPUT, "%s is (%g, %g, %g), must be finite",
                         option->name, v[0], v[1], v[2]);
      break;
    }
    if (status != RG_OK)
      return status;
  }
  return RG_OK;
}
