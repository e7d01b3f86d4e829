// margin.c - see margin.h.
#include "cli/stand/margin.h"
#include <rigor/vec_math.h>

#include <math.h>

enum { HALVINGS = 40, DIRECTIONS = 8, TURNS = 12 };
static const double ENOUGH = 1e-5;   // relative width at which halving ends
static const double LARGEST = 1e6;   // factor beyond which nothing is asked
static const double IMPROVED = 1e-3; // a direction must be weaker by this part to be followed

// Sets what is varied to a value.
typedef void Vary(CliLoad* load, double value, const void* context);

static CliStatics ask(CliAssembly* assembly, Vary* vary, const void* context, double value) {
  CliLoad load = cli_assembly_load(assembly);
  vary(&load, value, context);
  return cli_assembly_stands(assembly, &load);
}

// Halves between a value that stands and one that falls. Where the middle is undecided, nearer to
// either side may not be; when neither is decided, it ends.
static CliMargin halve(CliAssembly* assembly, Vary* vary, const void* context, CliMargin margin) {
  for (int i = 0; i < HALVINGS &&
                  fabs(margin.falls - margin.stands) > ENOUGH * fmax(margin.falls, margin.stands);
       ++i) {
    static const double parts[] = {0.5, 0.25, 0.75};
    CliStatics verdict = CLI_STATICS_UNDECIDED;
    double value = 0;
    for (int k = 0; k < 3 && verdict == CLI_STATICS_UNDECIDED; ++k) {
      value = margin.stands + parts[k] * (margin.falls - margin.stands);
      verdict = ask(assembly, vary, context, value);
    }
    if (verdict == CLI_STATICS_UNDECIDED)
      break;
    *(verdict == CLI_STATICS_STANDS ? &margin.stands : &margin.falls) = value;
  }
  return margin;
}

// A value that falls, from one that stands upwards.
static CliMargin bracket(CliAssembly* assembly, Vary* vary, const void* context, double first) {
  CliMargin margin = {0, HUGE_VAL, {0, 0, 0}};
  for (double value = first; value <= LARGEST; value *= 4) {
    CliStatics verdict = ask(assembly, vary, context, value);
    if (verdict == CLI_STATICS_MOVES) {
      margin.falls = value;
      break;
    }
    if (verdict == CLI_STATICS_STANDS)
      margin.stands = value;
  }
  return margin;
}

// --- friction ----------------------------------------------------------------------------------

static void vary_friction(CliLoad* load, double value, const void* context) {
  (void)context;
  load->friction = value;
}

CliMargin cli_margin_friction(CliAssembly* assembly) {
  if (ask(assembly, vary_friction, NULL, 0) == CLI_STATICS_STANDS)
    return (CliMargin){0, 0, {0, 0, 0}};
  CliMargin margin = {HUGE_VAL, 0, {0, 0, 0}};
  for (double value = 1; value <= LARGEST && isinf(margin.stands); value *= 4)
    if (ask(assembly, vary_friction, NULL, value) == CLI_STATICS_STANDS)
      margin.stands = value;
    else
      margin.falls = value;
  return isinf(margin.stands) ? (CliMargin){HUGE_VAL, HUGE_VAL, {0, 0, 0}}
                              : halve(assembly, vary_friction, NULL, margin);
}

// --- forces ------------------------------------------------------------------------------------

static void vary_forces(CliLoad* load, double value, const void* context) {
  (void)context;
  load->forces = value;
}

CliMargin cli_margin_forces(CliAssembly* assembly) {
  CliMargin margin = bracket(assembly, vary_forces, NULL, 1);
  return isinf(margin.falls) ? margin : halve(assembly, vary_forces, NULL, margin);
}

// --- shaking -----------------------------------------------------------------------------------

static void vary_shaking(CliLoad* load, double value, const void* context) {
  const rgVec3* direction = context;
  load->gravity = rg_vec3_add(load->gravity, rg_vec3_scale(*direction, value));
}

// The direction across gravity in which less is enough for the motion that was found.
static rgVec3 weaker_direction(const CliAssembly* assembly, rgVec3 direction, rgVec3 down) {
  rgVec3 along = cli_assembly_falling(assembly);
  along = rg_vec3_sub(along, rg_vec3_scale(down, rg_vec3_dot(along, down)));
  double norm = rg_vec3_norm(along);
  return norm > 0 ? rg_vec3_scale(along, 1 / norm) : direction;
}

// From a direction to weaker ones, as long as they are.
static CliMargin follow(CliAssembly* assembly, rgVec3 direction, rgVec3 down, CliMargin best) {
  double size = rg_vec3_norm(rg_world_options(assembly->world)->gravity);
  for (int i = 0; i < TURNS; ++i) {
    double bound = (1 - IMPROVED) * best.falls;
    if (!isinf(bound) && ask(assembly, vary_shaking, &direction, bound) != CLI_STATICS_MOVES)
      return best;
    CliMargin margin = {0, bound, direction};
    if (isinf(bound))
      margin = bracket(assembly, vary_shaking, &direction, size);
    if (isinf(margin.falls))
      return best;
    margin = halve(assembly, vary_shaking, &direction, margin);
    margin.direction = direction;
    best = margin;
    if (ask(assembly, vary_shaking, &direction, margin.falls) != CLI_STATICS_MOVES)
      return best;
    direction = weaker_direction(assembly, direction, down);
  }
  return best;
}

CliMargin cli_margin_shaking(CliAssembly* assembly) {
  const rgOptions* options = rg_world_options(assembly->world);
  CliMargin best = {0, HUGE_VAL, {0, 0, 0}};
  double size = rg_vec3_norm(options->gravity);
  if (!(size > 0))
    return best;
  rgVec3 down = rg_vec3_scale(options->gravity, 1 / size), t, o;
  bool plane = rg_world_dimension(assembly->world) == 2;
  rg_vec3_frame(down, &t, &o);
  if (plane)
    t = rg_vec3(-down.y, down.x, 0);
  for (int k = 0; k < DIRECTIONS; ++k) {
    double angle = 2 * 3.14159265358979323846 * k / DIRECTIONS;
    rgVec3 direction = rg_vec3_add(rg_vec3_scale(t, cos(angle)), rg_vec3_scale(o, sin(angle)));
    if (plane)
      direction = rg_vec3_scale(t, k % 2 ? 1 : -1);
    if (!plane || k < 2)
      best = follow(assembly, direction, down, best);
  }
  return best;
}
