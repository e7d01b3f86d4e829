// combine.c - which stepper, stabilizer, solver and cone go together.
//
// Every stepper hands its problem to every solver that takes the laws in it, and every stabilizer
// goes with every stepper; what does not is said here, before a step is made:
//
// - a stepper may not take friction, or something else: it is asked (rgStepper.accepts);
// - sequential impacts are those of one stepper;
// - islands sleep where zero velocity can answer the problem of a stepper;
// - positions are not corrected under a stepper that lets bodies overlap;
// - a solver may not have the options that are given for it;
// - a solver may not take the cone; it is asked with a problem of one contact;
// - baumgarte with rate * h > 2 makes errors grow from step to step.
#include "base/message.h"
#include "solve/solver.h"
#include "step/scheme/scheme.h"
#include "step/stabilize/stabilizer.h"

#include <string.h>

static rgConeKind cone_of(const rgOptions* options, bool friction) {
  if (!friction || strcmp(options->cone, "frictionless") == 0)
    return RG_CONE_FRICTIONLESS;
  if (strcmp(options->cone, "inner") == 0)
    return RG_CONE_INNER;
  return strcmp(options->cone, "outer") == 0 ? RG_CONE_OUTER : RG_CONE_DISK;
}

// Whether a solver takes a contact with this cone: one body of unit mass on the ground.
static rgStatus ask_solver(const rgSolver* solver, rgConeKind cone, int facets,
                           rgMessage* message) {
  rgProblemBody body = {.inverse_mass = 1, .inverse_inertia = m3_identity()};
  rgProblemContact contact = {.body_b = -1,
                              .n = {1, 0, 0},
                              .t = {0, 1, 0},
                              .o = {0, 0, 1},
                              .cone = cone,
                              .facets = facets,
                              .mu = cone == RG_CONE_FRICTIONLESS ? 0 : 1,
                              .e_t = 1,
                              .e_o = 1};
  rgProblem problem = {
      .dimension = 3, .body_count = 1, .contact_count = 1, .bodies = &body, .contacts = &contact};
  return solver->accepts(&problem, message);
}

static rgStatus check_solver(const rgOptions* options, bool friction, rgMessage* message) {
  const rgSolver* solver = rg_solver_find(options->solver);
  rgConeKind cone = cone_of(options, friction);
  rgStatus status =
      solver ? rg_solver_check_options(solver, options->solver_options, message) : RG_OK;
  if (status != RG_OK)
    return status;
  // A solver for joints alone is not asked about contacts: there may be none.
  if (!solver || cone == RG_CONE_FRICTIONLESS ||
      ask_solver(solver, RG_CONE_FRICTIONLESS, options->facets, NULL) != RG_OK)
    return RG_OK;
  rgMessage reason;
  if (ask_solver(solver, cone, options->facets, &reason) == RG_OK)
    return RG_OK;
  bool polygon =
      cone == RG_CONE_DISK && ask_solver(solver, RG_CONE_INNER, options->facets, NULL) == RG_OK;
  return rg_fail(message, RG_ERROR_UNSUPPORTED,
                 "solver %s does not take the friction of this world with cone = %s: set cone to "
                 "%sfrictionless or choose another solver",
                 options->solver, options->cone, polygon ? "inner, outer or " : "");
}

rgStatus rg_options_combine(const rgOptions* options, bool friction, rgMessage* message) {
  const rgStepper* stepper = rg_stepper_find(options->stepper);
  if (stepper && stepper->accepts) {
    bool rubs = cone_of(options, friction) != RG_CONE_FRICTIONLESS;
    rgStatus status = stepper->accepts(rubs, message);
    if (status != RG_OK)
      return status;
  }
  if (stepper && !stepper->sequential && strcmp(options->impacts, "simultaneous") != 0)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "stepper %s takes impacts simultaneous only: set impacts to simultaneous or "
                   "choose the stepper theta",
                   options->stepper);
  if (stepper && !stepper->sleeps && options->sleeping)
    return rg_fail(
        message, RG_ERROR_UNSUPPORTED,
        "stepper %s lets no bodies sleep: set sleeping to false or choose the stepper theta",
        options->stepper);
  const rgStabilizer* stabilizer = rg_stabilizer_find(options->stabilizer);
  if (stepper && stepper->overlaps && stabilizer && stabilizer->correct)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "stepper %s lets bodies overlap, which the stabilizer %s would lift out with "
                   "energy from nothing: set stabilizer to none or baumgarte",
                   options->stepper, options->stabilizer);
  double part = options->baumgarte_rate * options->step;
  if (strcmp(options->stabilizer, "baumgarte") == 0 && part > 2)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "baumgarte_rate times step is %g, must be <= 2: errors would grow", part);
  return check_solver(options, friction, message);
}

// Whether two shapes of the world can meet with friction.
static bool has_friction(const rgWorld* world) {
  for (int i = 0; i < world->laws.material_count; i++)
    for (int k = 0; k < world->laws.material_count; k++) {
      if (world->laws.table[i * world->laws.material_count + k].material.mu == 0)
        continue;
      bool one = false, other = false;
      for (int s = 0; s < world->shape_slots && !(one && other); s++) {
        if (!world->shapes[s].alive)
          continue;
        // A shape does not meet itself: of one material two are needed.
        bool first = !one && world->shapes[s].shape->material == i;
        one = one || first;
        other = other || (!first && world->shapes[s].shape->material == k);
      }
      if (one && other)
        return true;
    }
  return false;
}

rgStatus rg_world_check(rgWorld* world) {
  return rg_options_combine(&world->options, has_friction(world), &world->message);
}
