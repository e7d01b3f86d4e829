// fault_run.c - steps of the run that failed or missed: which islands, which stages, and what helps.
//
// The certificate says that a step missed; here it is told where and why. An island whose residual is above
// the tolerance was left by its solver, which either used up its iterations or could not go on. Stages have
// their reasons, and each its own remedy. Both are told only when no other fault explains them: bodies that
// overlap at the start, joints that contradict each other and steps that are too long make steps miss.
#include "cli/doctor/doctor.h"
#include "cli/text/remedy.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- stages --------------------------------------------------------------------------------------------

// The body that a stage is about, as far as it is known: the first of an island that took the plain step,
// one with the joint that is most open or the deepest overlap, or the one that moves most.
static rgBodyId body_of_stage(const CliDoctor* doctor, rgStage stage) {
  rgBodyId found = {0, 0};
  double most = 0;
  if (stage == RG_STAGE_PROJECTION) {
    for (int i = 0; i < rg_world_contact_count(doctor->world); ++i) {
      rgContact contact;
      rg_world_contact(doctor->world, i, &contact);
      if (-contact.gap > most) {
        most = -contact.gap;
        found = cli_doctor_dynamic(doctor, contact.body_a) ? contact.body_a : contact.body_b;
      }
    }
    for (int i = 0; i < doctor->joint_count; ++i) {
      rgJointState state;
      rg_joint_state(doctor->world, rg_world_joint(doctor->world, i), &state);
      if (state.error > most) {
        most = state.error;
        found = state.body_b;
      }
    }
    return found;
  }
  for (int i = 0; i < doctor->body_count; ++i) {
    const CliBodyWatch* watch = &doctor->watch.bodies[i];
    rgBodyId id = rg_world_body(doctor->start, i);
    double measure = stage == RG_STAGE_PLAIN ? watch->plain_steps
                     : watch->closing > 0    ? watch->turn + watch->closing / watch->thin
                                             : watch->turn;
    if (cli_doctor_dynamic(doctor, id) && measure > most) {
      most = measure;
      found = id;
    }
  }
  return found;
}

static void look_stage(CliDoctor* doctor, const CliFault* fault) {
  for (int stage = 0; stage < RG_STAGE_COUNT; ++stage) {
    const rgStageReport* report = &doctor->watch.worst.stages[stage];
    const rgStageInfo* info = rg_stage_info(stage);
    if (report->missed == 0)
      continue;
    rgBodyId body = body_of_stage(doctor, (rgStage)stage);
    CliWhere where = body.generation > 0 ? cli_where_body(doctor, body) : cli_where_option("step");
    CliFinding* finding =
        cli_doctor_find(doctor, fault, where, report->reached, report->asked, info->unit);
    char reached[CLI_TEXT_MAX], asked[CLI_TEXT_MAX];
    cli_measure_text(report->reached, info->unit, reached, sizeof reached);
    cli_measure_text(report->asked, info->unit, asked, sizeof asked);
    cli_doctor_say(finding,
                   "%d of %" PRId64
                   " steps missed the stage %s of the certificate: they %s, worst %s "
                   "(asked %s)",
                   report->missed, doctor->watch.steps, info->name, info->missed, reached, asked);
    cli_doctor_advise(finding, "%s (--step %.2g)", cli_stage_remedy((rgStage)stage), doctor->h / 2);
  }
}

// --- islands -------------------------------------------------------------------------------------------

static void advise_island(const CliDoctor* doctor, const CliBodyWatch* watch, CliFinding* finding) {
  const rgOptions* options = &doctor->options;
  const rgSolveReport* report = &watch->worst;
  bool limited =
      report->iterations >= options->iteration_limit || report->work >= options->iteration_limit;
  if (options->time_limit > 0)
    cli_doctor_advise(finding, "give solves more time (--time-limit %.2g) or none (--time-limit 0)",
                      10 * options->time_limit);
  else if (strcmp(options->solver, "auto") != 0)
    cli_doctor_advise(finding,
                      "use --solver auto, which tries several; or allow %s more iterations "
                      "(--iteration-limit %.3g), or ask for less (--tolerance %.1g)",
                      options->solver, 10.0 * options->iteration_limit, 10 * options->tolerance);
  else if (limited)
    cli_doctor_advise(
        finding,
        "allow more iterations (--iteration-limit %.3g), or ask for less (--tolerance "
        "%.1g), or use a shorter step (--step %.2g)",
        10.0 * options->iteration_limit, fmax(10 * options->tolerance, 1e-4), doctor->h / 2);
  else
    cli_doctor_advise(finding,
                      "ask for less (--tolerance %.1g) or use a shorter step (--step %.2g); more "
                      "iterations would not help",
                      10 * options->tolerance, doctor->h / 2);
}

static void tell_island(CliDoctor* doctor, const CliFault* fault, int index, int others) {
  const CliBodyWatch* watch = &doctor->watch.bodies[index];
  const rgSolveReport* report = &watch->worst;
  const rgCertificate* c = &report->certificate;
  CliWhere where = cli_where_body(doctor, rg_world_body(doctor->start, index));
  CliFinding* finding =
      cli_doctor_find(doctor, fault, where, c->residual, doctor->options.tolerance, "");
  const char* law = c->joint >= fmax(c->coulomb, c->signorini) ? "rows of joints"
                    : c->coulomb > 2 * c->signorini            ? "friction"
                                                               : "contact";
  char more[CLI_TEXT_MAX] = "";
  if (others > 0)
    snprintf(more, sizeof more, "; %d more islands missed it in fewer steps", others);
  cli_doctor_say(finding,
                 "the island that begins with it (%d bodies, %d contacts, %d rows) missed the "
                 "tolerance %.1g in %d of %" PRId64 " steps: residual %.2g by %s after %d of %d "
                 "iterations, most of it in the law of %s%s",
                 watch->bodies, watch->contacts, watch->rows, doctor->options.tolerance,
                 watch->island_steps, doctor->watch.steps, c->residual,
                 report->solver ? report->solver : doctor->options.solver, report->iterations,
                 doctor->options.iteration_limit, law, more);
  advise_island(doctor, watch, finding);
}

// Islands merge and part as bodies move; the one that missed most often stands for all.
static void look_island(CliDoctor* doctor, const CliFault* fault) {
  int worst = -1, count = 0;
  for (int i = 0; i < doctor->body_count; ++i) {
    const CliBodyWatch* watch = doctor->watch.bodies;
    count += watch[i].island_steps > 0;
    if (watch[i].island_steps > 0 &&
        (worst < 0 || watch[i].island_steps > watch[worst].island_steps))
      worst = i;
  }
  if (worst >= 0)
    tell_island(doctor, fault, worst, count - 1);
}

// --- what leaves the scene -----------------------------------------------------------------------------

// Lowest point that something stands on, along -gravity; -HUGE_VAL: a half-space is below everything.
static double lowest_ground(const CliDoctor* doctor, rgVec3 up) {
  double lowest = HUGE_VAL;
  for (int i = 0; i < doctor->body_count; ++i) {
    const CliBuild* build = &doctor->builds[i];
    if (build->shapes == 0 || cli_doctor_dynamic(doctor, rg_world_body(doctor->start, i)))
      continue;
    if (!isfinite(build->reach))
      return -HUGE_VAL;
    const rgVec3 *l = &build->box.lower, *u = &build->box.upper;
    double x = up.x > 0 ? l->x : u->x, y = up.y > 0 ? l->y : u->y, z = up.z > 0 ? l->z : u->z;
    lowest = fmin(lowest, up.x * x + up.y * y + up.z * z);
  }
  return lowest;
}

// Marks `to` when `from` does not move or is held itself; returns whether that is new.
static bool pass_on(const CliDoctor* doctor, rgBodyId from, rgBodyId to, bool* held) {
  bool holds = !cli_doctor_dynamic(doctor, from) || held[from.index];
  if (!holds || !cli_doctor_dynamic(doctor, to) || held[to.index])
    return false;
  held[to.index] = true;
  return true;
}

// Bodies that hang on something which does not move, by joints or by a spring.
static bool* find_held(CliDoctor* doctor) {
  bool* held = calloc((size_t)doctor->body_count + 1, sizeof *held);
  int count = rg_world_forces(doctor->start, NULL, 0);
  rgForceId* forces = calloc((size_t)count + 1, sizeof *forces);
  doctor->out_of_memory = doctor->out_of_memory || !held || !forces;
  if (forces)
    rg_world_forces(doctor->start, forces, count);
  for (bool grown = held && forces; grown;) {
    grown = false;
    for (int i = 0; i < doctor->joint_count; ++i) {
      rgJointState state;
      rg_joint_state(doctor->start, rg_world_joint(doctor->start, i), &state);
      grown = pass_on(doctor, state.body_a, state.body_b, held) || grown;
      grown = pass_on(doctor, state.body_b, state.body_a, held) || grown;
    }
    for (int i = 0; i < count; ++i) {
      rgForceState state;
      if (rg_force_state(doctor->start, forces[i], &state) == RG_OK &&
          state.kind == RG_FORCE_SPRING)
        grown = pass_on(doctor, state.other, state.body, held) || grown;
    }
  }
  free(forces);
  return held;
}

static void look_fall(CliDoctor* doctor, const CliFault* fault) {
  bool* held = doctor->g > 0 && doctor->watch.steps > 0 ? find_held(doctor) : NULL;
  if (!held)
    return;
  rgVec3 up = rg_vec3_scale(doctor->options.gravity, -1 / doctor->g);
  double ground = lowest_ground(doctor, up), fallen = 0;
  int count = 0;
  rgBodyId first = {0, 0};
  for (int i = 0; i < doctor->body_count; ++i) {
    rgBodyId id = rg_world_body(doctor->start, i);
    double height = rg_vec3_dot(rg_body_center(doctor->world, id), up),
           fall = rg_vec3_dot(rg_body_center(doctor->start, id), up) - height,
           free = 0.4 * doctor->g * doctor->watch.duration * doctor->watch.duration;
    bool below =
        ground == HUGE_VAL ? fall > free : height < ground && fall > doctor->builds[i].reach;
    if (!cli_doctor_dynamic(doctor, id) || held[i] || !below)
      continue;
    if (count++ == 0) {
      first = id;
      fallen = fall;
    }
  }
  free(held);
  if (count == 0)
    return;
  CliFinding* finding =
      cli_doctor_find(doctor, fault, cli_where_body(doctor, first), fallen, 0, "m");
  cli_doctor_say(finding, "%d bod%s %.3g m below the start after %.3g s, with nothing under %s",
                 count, count == 1 ? "y is" : "ies are falling; this one is", fallen,
                 doctor->watch.duration, count == 1 ? "it" : "them");
  cli_doctor_advise(finding, "if it is not meant to fall for ever: add a static body with a "
                             "half-space as the ground, or 'rigor import --ground' for a model");
}

// Whether a body was above a half-space at the start and is behind it at the end; its depth [m].
static bool is_behind(const CliDoctor* doctor, const rgShapeView* plane, rgBodyId id,
                      double* depth) {
  rgPose pose = rg_pose_mul(rg_body_pose(doctor->start, plane->body), plane->def.pose);
  double before = rg_pose_unapply(pose, rg_body_center(doctor->start, id)).z,
         after = rg_pose_unapply(pose, rg_body_center(doctor->world, id)).z;
  *depth = -after;
  return before > 0 && -after > doctor->builds[id.index].reach;
}

static void look_through(CliDoctor* doctor, const CliFault* fault) {
  int count = rg_world_shapes(doctor->start, NULL, 0);
  rgShapeId* ids = calloc((size_t)count + 1, sizeof *ids);
  doctor->out_of_memory = doctor->out_of_memory || !ids;
  if (ids)
    rg_world_shapes(doctor->start, ids, count);
  for (int s = 0; ids && s < count; ++s) {
    rgShapeView view;
    if (rg_shape_view(doctor->start, ids[s], &view) != RG_OK ||
        view.def.kind != RG_SHAPE_HALFSPACE ||
        rg_body_kind(doctor->start, view.body) != RG_BODY_STATIC)
      continue;
    char plane[256];
    CliWhere ground = cli_where_body(doctor, view.body);
    cli_where_text(&ground, plane, sizeof plane);
    for (int i = 0; i < doctor->body_count; ++i) {
      rgBodyId id = rg_world_body(doctor->start, i);
      double depth;
      if (!cli_doctor_dynamic(doctor, id) || !isfinite(doctor->builds[i].half) ||
          !is_behind(doctor, &view, id, &depth))
        continue;
      CliFinding* finding =
          cli_doctor_find(doctor, fault, cli_where_body(doctor, id), depth, 0, "m");
      cli_doctor_say(finding, "has gone through %s: after %.3g s it is %.3g m behind it", plane,
                     doctor->watch.duration, depth);
      cli_doctor_advise(finding,
                        "see whether \"group\", \"mask\" or \"no_collision\" keep the two "
                        "from touching; otherwise use a shorter step (--step %.2g)",
                        doctor->h / 10);
    }
  }
  free(ids);
}

// --- failure -------------------------------------------------------------------------------------------

static void look_failure(CliDoctor* doctor, const CliFault* fault) {
  if (!doctor->watch.failed)
    return;
  CliFinding* finding =
      cli_doctor_find(doctor, fault, cli_where_option("step"), doctor->watch.duration, 0, "s");
  cli_doctor_say(finding, "the run could not go on after %.3g s: %s", doctor->watch.duration,
                 doctor->watch.reason.text);
  cli_doctor_advise(finding,
                    "use a shorter step (--step %.2g), implicit forces, and smaller forces "
                    "or velocities",
                    doctor->h / 10);
}

static const char* const by_unstable[] = {"unstable-force", "inertia", NULL};
static const char* const by_causes[] = {"overlap",        "contradictory-joints",
                                        "joint-open",     "limit-violated",
                                        "scale",          "inertia",
                                        "center-of-mass", "density",
                                        "mass-ratio",     "unstable-force",
                                        "too-fast",       "spins-too-fast",
                                        "blows-up",       NULL};
static const char* const by_stages[] = {
    "overlap",  "contradictory-joints", "joint-open", "limit-violated", "scale",
    "inertia",  "center-of-mass",       "density",    "mass-ratio",     "unstable-force",
    "too-fast", "spins-too-fast",       "blows-up",   "island-missed",  NULL};

const CliFault cli_faults_run[] = {
    {.name = "blows-up",
     .severity = CLI_WRONG,
     .summary = "A step of the run could not be made.",
     .explained_by = by_unstable,
     .look = look_failure},
    {.name = "passes-through",
     .severity = CLI_RISKY,
     .summary = "A body goes through the ground.",
     .explained_by = by_unstable,
     .look = look_through},
    {.name = "falls-away",
     .severity = CLI_NOTE,
     .summary = "A body falls with nothing under it.",
     .look = look_fall},
    {.name = "island-missed",
     .severity = CLI_RISKY,
     .summary = "An island missed the tolerance.",
     .explained_by = by_causes,
     .look = look_island},
    {.name = "stage-missed",
     .severity = CLI_RISKY,
     .summary = "Steps missed what a stage of the certificate asks.",
     .explained_by = by_stages,
     .look = look_stage},
    {0},
};
