// choose_run.c - the runs of `rigor choose`: the reference, and one trial.
//
// The reference is a run with an accuracy of a tenth of what is asked for, at theta = 1/2 with a
// tight tolerance; its own error bar is known. A trial's error is the largest distance of a dynamic
// body from it (root mean square over its mass, as in rigor/accuracy.h) over the frames, which
// every trial steps on, and a trial holds when this and the error of the reference together are at
// most what is asked for. Where the reference itself cannot be had to half of that, the time that
// is looked at ends there.
#include "cli/choose/choose.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"
#include <rigor/vec_math.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double REFERENCE_SHARE = 0.1, REFERENCE_WORST = 0.5; // [-] of the accuracy
static const double REFERENCE_TOLERANCE = 1e-9;
static const double TOO_SLOW = 20;         // [-] times the time of the best trial
static const double CLEARLY = 0.95;        // [-] of the time of the best: less is noise
static const double LEAST_TIME = 0.02;     // [s] below which a run is repeated
enum { REPEATS = 4, REFERENCE_STEPS = 4 }; // of the reference in a frame, before they are cut

static rgPose place_of(const rgWorld* world, rgBodyId body) {
  return (rgPose){rg_body_center(world, body), rg_body_pose(world, body).orientation};
}

static double distance(const rgMassProperties* mass, rgPose a, rgPose b) {
  rgQuat turn = rg_quat_mul(rg_quat_conj(a.orientation), b.orientation);
  rgVec3 q = {turn.x, turn.y, turn.z};
  double turned = 4 * rg_vec3_dot(q, rg_mat3_apply(&mass->inertia, q)) / mass->mass;
  return sqrt(rg_vec3_norm2(rg_vec3_sub(a.position, b.position)) + fmax(0, turned));
}

// --- the reference -----------------------------------------------------------------------------

static void keep_frame(CliChoosing* choosing, const rgWorld* world, int frame) {
  for (int i = 0; i < choosing->body_count; ++i)
    choosing->places[(size_t)frame * (size_t)choosing->body_count + (size_t)i] =
        place_of(world, rg_world_body(world, i));
}

// Frames of the reference up to where its error is too large.
static rgStatus run_reference(CliChoosing* choosing, rgWorld* world, rgAccuracy* accuracy) {
  const double worst = REFERENCE_WORST * choosing->accuracy;
  double error = 0;
  int frame = 0;
  while (frame < choosing->frame_count) {
    if (cli_interrupted())
      return RG_CANCELLED;
    for (int i = 0; i < REFERENCE_STEPS; ++i) {
      rgStatus status = rg_accuracy_step(accuracy, NULL);
      if (status != RG_OK)
        return status;
    }
    if (rg_accuracy_outgrown(accuracy)) {
      rgStatus status = rg_accuracy_restart(accuracy);
      if (status != RG_OK)
        return status;
      frame = 0;
      error = 0;
      continue;
    }
    double now = rg_accuracy_report(accuracy).estimate;
    if (now > worst)
      break;
    error = now;
    keep_frame(choosing, world, frame++);
  }
  choosing->shortened = frame < choosing->frame_count;
  choosing->frame_count = frame;
  choosing->time = frame * choosing->frame;
  choosing->reference_error = error;
  return RG_OK;
}

static rgStatus with_worlds(CliChoosing* choosing, rgWorld* world, rgWorld* shadow,
                            rgMessage* message) {
  rgAccuracyDef def = {
      .length = REFERENCE_SHARE * choosing->accuracy,
      .end = choosing->time,
      .effort = choosing->options.effort,
  };
  rgAccuracy* accuracy = NULL;
  rgStatus status = rg_accuracy_create(world, shadow, &def, &accuracy, message);
  if (status != RG_OK)
    return status;
  choosing->body_count = rg_world_body_count(world);
  size_t count = (size_t)choosing->body_count * (size_t)choosing->frame_count + 1;
  choosing->places = malloc(count * sizeof *choosing->places);
  double cpu = cli_cpu_clock();
  if (!choosing->places)
    status = cli_fail(message, RG_ERROR_MEMORY, "not enough memory for the reference");
  else
    status = run_reference(choosing, world, accuracy);
  choosing->reference_cpu = cli_cpu_clock() - cpu;
  if (status != RG_OK && status != RG_CANCELLED && choosing->places)
    cli_fail(message, status, "the reference: %s", rg_world_message(world));
  rg_accuracy_destroy(accuracy);
  return status;
}

rgStatus cli_choose_reference(CliChoosing* choosing, rgMessage* message) {
  rgOptions* options = rg_scene_options(choosing->scene);
  *options = choosing->options;
  snprintf(options->stepper, sizeof options->stepper, "theta");
  options->theta = 0.5;
  options->step = choosing->frame / REFERENCE_STEPS;
  options->tolerance = fmin(options->tolerance, REFERENCE_TOLERANCE);
  options->projection_tolerance = fmin(options->projection_tolerance, REFERENCE_TOLERANCE);
  options->iteration_limit = options->iteration_limit > 10000 ? options->iteration_limit : 10000;
  rgWorld *world = NULL, *shadow = NULL;
  rgStatus status = rg_scene_build(choosing->scene, NULL, &world, message);
  if (status == RG_OK)
    status = rg_scene_build(choosing->scene, NULL, &shadow, message);
  if (status == RG_OK)
    status = with_worlds(choosing, world, shadow, message);
  if (status == RG_OK && choosing->frame_count == 0)
    status = cli_fail(message, RG_ERROR_INPUT,
                      "no reference within %g m can be had, not even for %g s: ask for less "
                      "(--accuracy) or allow more work (--effort)",
                      REFERENCE_WORST * choosing->accuracy, choosing->frame);
  rg_world_destroy(world);
  rg_world_destroy(shadow);
  return status;
}

void cli_choose_free(CliChoosing* choosing) {
  free(choosing->places);
  rg_scene_free(choosing->scene);
}

// --- one trial ---------------------------------------------------------------------------------

static double frame_error(const CliChoosing* choosing, const rgWorld* world, int frame) {
  double largest = 0;
  for (int i = 0; i < choosing->body_count; ++i) {
    rgBodyId body = rg_world_body(world, i);
    if (rg_body_kind(world, body) != RG_BODY_DYNAMIC)
      continue;
    rgMassProperties mass = rg_body_mass(world, body);
    size_t at = (size_t)frame * (size_t)choosing->body_count + (size_t)i;
    if (mass.mass == 0) // massless: its neighbours tell
      continue;
    largest = fmax(largest, distance(&mass, choosing->places[at], place_of(world, body)));
  }
  return largest;
}

// How long a trial may take: some times as long as the best so far.
static double time_limit(const CliChoosing* choosing) {
  return choosing->best < 0 ? HUGE_VAL
                            : fmax(TOO_SLOW * choosing->trials[choosing->best].cpu, LEAST_TIME);
}

// All frames; the time of a step is measured around it alone.
static CliTrialFate run_frames(const CliChoosing* choosing, CliTrial* trial, rgWorld* world) {
  int64_t per_frame = (int64_t)(choosing->frame / trial->options.step + 0.5);
  trial->cpu = trial->slowest = trial->error = 0;
  trial->steps = trial->not_met = 0;
  for (int frame = 0; frame < choosing->frame_count; ++frame) {
    for (int64_t i = 0; i < per_frame; ++i) {
      rgCertificate certificate;
      double cpu = cli_cpu_clock();
      rgStatus status = rg_world_step(world, &certificate);
      cpu = cli_cpu_clock() - cpu;
      if (status != RG_OK) {
        snprintf(trial->reason.text, sizeof trial->reason.text, "%s", rg_world_message(world));
        return status == RG_ERROR_UNSUPPORTED ? CLI_TRIAL_REFUSED : CLI_TRIAL_FAILED;
      }
      trial->cpu += cpu;
      trial->slowest = fmax(trial->slowest, cpu);
      trial->steps++;
      trial->not_met += !certificate.met;
    }
    trial->error = fmax(trial->error, frame_error(choosing, world, frame));
    if (trial->cpu > time_limit(choosing))
      return CLI_TRIAL_SLOW;
  }
  return CLI_TRIAL_RAN;
}

// The scene of a trial: as it is, or read again and faceted.
static rgScene* scene_of(const CliChoosing* choosing, CliTrial* trial) {
  rgScene* scene = NULL;
  if (trial->facets == 0)
    return choosing->scene;
  rgStatus status = rg_scene_read(choosing->path, &scene, &trial->reason);
  if (status == RG_OK)
    status = rg_scene_facet(scene, trial->facets, &trial->reason);
  if (status == RG_OK)
    return scene;
  rg_scene_free(scene);
  return NULL;
}

static void run_once(const CliChoosing* choosing, CliTrial* trial, rgScene* scene) {
  rgWorld* world = NULL;
  *rg_scene_options(scene) = trial->options;
  rgStatus status = rg_scene_build(scene, NULL, &world, &trial->reason);
  if (status != RG_OK) {
    trial->fate = status == RG_ERROR_UNSUPPORTED ? CLI_TRIAL_REFUSED : CLI_TRIAL_FAILED;
    return;
  }
  rg_world_set_cancel(world, cli_interrupt_urgent());
  trial->fate = run_frames(choosing, trial, world);
  rg_world_destroy(world);
}

CliTrial* cli_choose_try(CliChoosing* choosing, const rgOptions* options, int facets) {
  if (choosing->count == CLI_TRIALS_MAX)
    return NULL;
  CliTrial* trial = &choosing->trials[choosing->count];
  *trial = (CliTrial){.options = *options, .facets = facets, .fate = CLI_TRIAL_FAILED};
  rgScene* scene = scene_of(choosing, trial);
  double least = HUGE_VAL, slowest = HUGE_VAL;
  // Short runs are repeated, and the fastest counts: whatever else the machine did made the others slower.
  for (int i = 0; scene && i < REPEATS && (i == 0 || least < LEAST_TIME); ++i) {
    run_once(choosing, trial, scene);
    if (trial->fate != CLI_TRIAL_RAN || cli_interrupted())
      break;
    least = fmin(least, trial->cpu);
    slowest = fmin(slowest, trial->slowest);
  }
  if (scene != choosing->scene)
    rg_scene_free(scene);
  if (trial->fate == CLI_TRIAL_RAN && isfinite(least)) {
    trial->cpu = least;
    trial->slowest = slowest;
  }
  bool in_time = !choosing->realtime || trial->slowest <= trial->options.step;
  bool close = trial->error + choosing->reference_error <= choosing->accuracy;
  trial->holds = trial->fate == CLI_TRIAL_RAN && close && in_time;
  int index = choosing->count++;
  bool cheaper = choosing->best < 0 || trial->cpu < CLEARLY * choosing->trials[choosing->best].cpu;
  if (trial->holds && cheaper)
    choosing->best = index;
  return trial;
}
