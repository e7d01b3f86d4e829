// compare_run.c - runs the combinations of `rigor compare`, each from the scene's start.
//
// Two states differ, for one body, by the root mean square over its mass of how far each of its
// points is from where it is in the other state. With d the distance of the centres, q the vector
// part of the quaternion of the rotation between them in body axes and I the inertia about the
// centre this is
//
//     sqrt(|d|^2 + 4 q' I q / m),
//
// because a turn by the angle a about the axis e moves a point p by 2 sin(a/2) |e x p|. The
// difference of two states is the largest over the dynamic bodies.
#include "cli/compare/compare.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include <rigor/vec_math.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 240 }; // of a line: finer detail of noisy quantities hides what is behind it

// --- differences of states ---------------------------------------------------------------------

static CliPlace place_of(const rgWorld* world, rgBodyId body) {
  return (CliPlace){rg_body_center(world, body), rg_body_pose(world, body).orientation};
}

static double moved(const rgMassProperties* mass, const CliPlace* a, const CliPlace* b) {
  rgQuat turn = rg_quat_mul(rg_quat_conj(a->orientation), b->orientation);
  rgVec3 q = {turn.x, turn.y, turn.z};
  double distance2 = rg_vec3_norm2(rg_vec3_sub(a->center, b->center));
  return sqrt(distance2 +
              fmax(0, 4 * rg_vec3_dot(q, rg_mat3_apply(&mass->inertia, q)) / mass->mass));
}

// The world is the reference.
static bool keep_places(CliComparison* comparison, const rgWorld* world) {
  int count = rg_world_body_count(world);
  comparison->places = malloc(((size_t)count + 1) * sizeof *comparison->places);
  if (!comparison->places)
    return false;
  comparison->place_count = count;
  for (int i = 0; i < count; ++i)
    comparison->places[i] = place_of(world, rg_world_body(world, i));
  return true;
}

static double difference(const CliComparison* comparison, const rgWorld* world) {
  double largest = 0;
  for (int i = 0; i < comparison->place_count; ++i) {
    rgBodyId body = rg_world_body(world, i);
    if (rg_body_kind(world, body) != RG_BODY_DYNAMIC)
      continue;
    rgMassProperties mass = rg_body_mass(world, body);
    CliPlace place = place_of(world, body);
    if (mass.mass == 0) // massless: its neighbours tell
      continue;
    largest = fmax(largest, moved(&mass, &comparison->places[i], &place));
  }
  return largest;
}

// --- one run -----------------------------------------------------------------------------------

// Adds the last step to the stretch of the run that it is in.
static void sample(const CliComparison* comparison, CliCombination* combination,
                   const rgWorld* world, const rgCertificate* step) {
  if (!combination->samples)
    return;
  // 1 for steps [1, n], 2 for the next n, ...: never more than SAMPLES_MAX
  int64_t stretch = (comparison->planned + SAMPLES_MAX - 1) / SAMPLES_MAX;
  int count = (int)((combination->summary.steps + stretch - 1) / stretch);
  CliSample* at = &combination->samples[count]; // the first is the start
  if (combination->sample_count <= count) {
    *at = (CliSample){0};
    combination->sample_count = count + 1;
  }
  rgEnergy energy = rg_world_energy(world);
  at->time = rg_world_time(world);
  at->energy = energy.kinetic + energy.potential - combination->summary.energy_start.kinetic -
               combination->summary.energy_start.potential;
  rg_certificate_worst(&at->worst, step);
}

static void sample_start(CliCombination* combination, const rgWorld* world) {
  const double none = (double)NAN; // nothing was solved yet
  combination->samples[0] = (CliSample){
      .time = rg_world_time(world),
      .worst = {.residual = none, .penetration = none, .joint_error = none},
  };
  combination->sample_count = 1;
}

static void show_progress(const CliComparison* comparison, const CliCombination* combination,
                          const rgWorld* world) {
  CliProgress* progress = comparison->progress;
  const CliSummary* summary = &combination->summary;
  double wall = cli_wall_clock();
  if (!progress || !cli_progress_due(progress, wall))
    return;
  static const bool all[CLI_CHOICE_COUNT] = {true, true, true};
  char what[64];
  cli_combination_label(combination, all, what, sizeof what);
  double part = (double)summary->steps / (double)comparison->planned;
  CliProgressState state = {
      .what = what,
      .fraction =
          ((double)(combination - comparison->combinations) + part) / (double)comparison->count,
      .simulated = rg_world_time(world),
      .real_time = cli_summary_real_time(summary),
      .contacts = rg_world_certificate(world)->contacts,
      .residual = summary->worst.residual,
      .met = summary->worst.met,
  };
  cli_progress_draw(progress, wall, &state);
}

static rgStatus make_step(const CliComparison* comparison, CliCombination* combination,
                          rgWorld* world) {
  CliSummary* summary = &combination->summary;
  rgCertificate certificate = {0};
  double wall = cli_wall_clock(), cpu = cli_cpu_clock();
  rgStatus status = rg_world_step(world, &certificate);
  summary->wall += cli_wall_clock() - wall;
  cpu = cli_cpu_clock() - cpu;
  if (status != RG_OK) {
    snprintf(summary->reason.text, sizeof summary->reason.text, "%s", rg_world_message(world));
    return status;
  }
  cli_summary_step(summary, world, &certificate, cpu);
  combination->energy_gained += fmax(0, certificate.energy);
  combination->energy_lost += fmax(0, -certificate.energy);
  sample(comparison, combination, world, &certificate);
  return RG_OK;
}

static CliFate make_steps(const CliComparison* comparison, CliCombination* combination,
                          rgWorld* world) {
  CliSummary* summary = &combination->summary;
  while (summary->steps < summary->planned) {
    if (cli_interrupted())
      return CLI_FATE_INTERRUPTED;
    show_progress(comparison, combination, world);
    rgStatus status = make_step(comparison, combination, world);
    // What a solver does not take may turn up in any step, with the first contact for instance.
    if (status != RG_OK)
      return status == RG_ERROR_UNSUPPORTED ? CLI_FATE_REFUSED
             : status == RG_CANCELLED       ? CLI_FATE_INTERRUPTED
                                            : CLI_FATE_FAILED;
  }
  return CLI_FATE_RAN;
}

static const CliOutcome outcome_of[] = {
    [CLI_FATE_WAITING] = CLI_INTERRUPTED,
    [CLI_FATE_REFUSED] = CLI_FAILED,
    [CLI_FATE_RAN] = CLI_DONE,
    [CLI_FATE_INTERRUPTED] = CLI_INTERRUPTED,
    [CLI_FATE_FAILED] = CLI_FAILED,
};

static rgStatus simulate(CliComparison* comparison, CliCombination* combination, rgWorld* world) {
  CliSummary* summary = &combination->summary;
  size_t room = (SAMPLES_MAX + 2) * sizeof *combination->samples;
  combination->samples = comparison->sampled ? malloc(room) : NULL;
  if (comparison->sampled && !combination->samples)
    return RG_ERROR_MEMORY;
  if (combination->samples)
    sample_start(combination, world);
  comparison->joints = comparison->joints || rg_world_joint_count(world) > 0;
  summary->planned = comparison->planned;
  cli_summary_start(summary, world);
  combination->fate = make_steps(comparison, combination, world);
  cli_summary_end(summary, world);
  summary->outcome = outcome_of[combination->fate];
  if (combination->fate != CLI_FATE_RAN)
    return RG_OK;
  if (summary->not_met > 0)
    summary->outcome = CLI_NOT_MET;
  if (comparison->reference < 0) {
    if (!keep_places(comparison, world))
      return RG_ERROR_MEMORY;
    comparison->reference = (int)(combination - comparison->combinations);
    combination->difference = 0;
  } else {
    // products of quaternions round: the same bits are no difference
    const CliSummary* reference = &comparison->combinations[comparison->reference].summary;
    bool same = reference->hash == summary->hash;
    combination->difference = same ? 0 : difference(comparison, world);
  }
  return RG_OK;
}

static rgStatus run_one(CliComparison* comparison, CliCombination* combination,
                        rgMessage* message) {
  rgOptions* options = rg_scene_options(comparison->scene);
  char* const fields[] = {options->stepper, options->solver, options->stabilizer};
  *options = comparison->options;
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    snprintf(fields[c], RG_NAME_MAX, "%s", combination->name[c]);
  rgWorld* world = NULL;
  rgStatus status = rg_scene_build(comparison->scene, NULL, &world, message);
  if (status == RG_ERROR_UNSUPPORTED) {
    combination->fate = CLI_FATE_REFUSED;
    combination->summary.reason = *message;
    return RG_OK;
  }
  if (status != RG_OK)
    return status;
  rg_world_set_cancel(world, cli_interrupt_urgent());
  status = simulate(comparison, combination, world);
  rg_world_destroy(world);
  if (status == RG_ERROR_MEMORY)
    snprintf(message->text, sizeof message->text, "not enough memory");
  return status;
}

// --- all runs ----------------------------------------------------------------------------------

static int total(const CliComparison* comparison) {
  int count = 1;
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    count *= comparison->name_count[c];
  return count;
}

rgStatus cli_comparison_run(CliComparison* comparison, rgMessage* message) {
  int count = total(comparison);
  comparison->reference = -1;
  comparison->combinations = calloc((size_t)count, sizeof *comparison->combinations);
  if (!comparison->combinations) {
    snprintf(message->text, sizeof message->text, "not enough memory");
    return RG_ERROR_MEMORY;
  }
  comparison->count = count;
  for (int i = 0; i < count; ++i) {
    CliCombination* combination = &comparison->combinations[i];
    combination->difference = (double)NAN;
    for (int c = CLI_CHOICE_COUNT - 1, rest = i; c >= 0; --c) {
      combination->name[c] = comparison->names[c][rest % comparison->name_count[c]];
      rest /= comparison->name_count[c];
    }
  }
  rgStatus status = RG_OK;
  for (int i = 0; i < count && status == RG_OK && !cli_interrupted(); ++i)
    status = run_one(comparison, &comparison->combinations[i], message);
  return status;
}

void cli_comparison_free(CliComparison* comparison) {
  for (int i = 0; i < comparison->count; ++i)
    free(comparison->combinations[i].samples);
  free(comparison->combinations);
  free(comparison->places);
  rg_scene_free(comparison->scene);
}

CliTally cli_comparison_tally(const CliComparison* comparison) {
  CliTally tally = {0};
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    CliFate fate = combination->fate;
    tally.waiting += fate == CLI_FATE_WAITING;
    tally.refused += fate == CLI_FATE_REFUSED;
    tally.ran += fate == CLI_FATE_RAN;
    tally.interrupted += fate == CLI_FATE_INTERRUPTED;
    tally.failed += fate == CLI_FATE_FAILED;
    tally.not_met += fate != CLI_FATE_REFUSED && combination->summary.not_met > 0;
  }
  return tally;
}
