// doctor_try.c - which change makes a scene that misses meet its tolerance: found by trying.
//
// A remedy for steps that miss is a guess until it is tried. Each change of options is run for the time that
// the doctor has watched, the mildest first, until one meets the tolerance in every step. That costs as much
// as the run for each change and as many times more as its step is shorter, so that long runs are not tried.
#include "cli/doctor/doctor.h"
#include "cli/system/interrupt.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double CPU_MOST = 1; // [s] of the run beyond which nothing is tried
enum { STEPS_TRIED = 4000 };      // most of one trial

static bool more_iterations(rgOptions* options) {
  options->iteration_limit = (int)fmin(10.0 * options->iteration_limit, 1e6);
  return true;
}
static bool solver_auto(rgOptions* options) {
  bool changes = strcmp(options->solver, "auto") != 0;
  snprintf(options->solver, sizeof options->solver, "auto");
  options->solver_options[0] = '\0';
  return changes;
}
static bool auto_and_more(rgOptions* options) {
  return solver_auto(options) && more_iterations(options);
}
static bool shorter(rgOptions* options, double factor) {
  options->step *= factor;
  return true;
}
static bool half_step(rgOptions* options) { return shorter(options, 0.5); }
static bool eighth_step(rgOptions* options) { return shorter(options, 0.125); }
static bool theta_one(rgOptions* options) {
  bool changes = options->theta < 1;
  options->theta = 1;
  return changes;
}
static bool looser(rgOptions* options) {
  options->tolerance = fmin(10 * options->tolerance, 1);
  return true;
}
static bool much_looser(rgOptions* options) {
  options->tolerance = fmin(1000 * options->tolerance, 1);
  return true;
}

// The change, false where it is none; and what it is on the command line, with the number it has come to.
typedef struct Change {
  bool (*make)(rgOptions* options);
  void (*show)(const rgOptions* options, char* text, size_t size);
} Change;

static void show_iterations(const rgOptions* options, char* text, size_t size) {
  snprintf(text, size, "--iteration-limit %d", options->iteration_limit);
}
static void show_auto(const rgOptions* options, char* text, size_t size) {
  (void)options;
  snprintf(text, size, "--solver auto");
}
static void show_both(const rgOptions* options, char* text, size_t size) {
  snprintf(text, size, "--solver auto --iteration-limit %d", options->iteration_limit);
}
static void show_step(const rgOptions* options, char* text, size_t size) {
  snprintf(text, size, "--step %.3g", options->step);
}
static void show_theta(const rgOptions* options, char* text, size_t size) {
  (void)options;
  snprintf(text, size, "--theta 1");
}
static void show_tolerance(const rgOptions* options, char* text, size_t size) {
  snprintf(text, size, "--tolerance %.3g", options->tolerance);
}

static const Change changes[] = {
    {solver_auto, show_auto},   {more_iterations, show_iterations},
    {auto_and_more, show_both}, {theta_one, show_theta},
    {half_step, show_step},     {looser, show_tolerance},
    {eighth_step, show_step},   {much_looser, show_tolerance},
};

// Whether every step of the time that was watched is met with these options.
static bool meets(CliDoctor* doctor, const rgOptions* options) {
  rgOptions kept = *rg_scene_options(doctor->scene);
  rgWorld* world = NULL;
  rgMessage ignored;
  *rg_scene_options(doctor->scene) = *options;
  rgStatus status = rg_scene_build(doctor->scene, NULL, &world, &ignored);
  *rg_scene_options(doctor->scene) = kept;
  int64_t steps = (int64_t)ceil(doctor->watch.duration / options->step - 1e-6);
  bool met = status == RG_OK && steps <= STEPS_TRIED;
  if (world)
    rg_world_set_cancel(world, cli_interrupt_flag());
  for (int64_t i = 0; met && i < steps; ++i) {
    rgCertificate certificate;
    met = rg_world_step(world, &certificate) == RG_OK && certificate.met;
  }
  rg_world_destroy(world);
  return met;
}

bool cli_doctor_try(CliDoctor* doctor, char* text, size_t size) {
  text[0] = '\0';
  if (doctor->watch.cpu > CPU_MOST || doctor->watch.failed || doctor->options.time_limit > 0)
    return false;
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    rgOptions options = doctor->options;
    if (!changes[i].make(&options) || !meets(doctor, &options))
      continue;
    changes[i].show(&options, text, size);
    break;
  }
  return true;
}
