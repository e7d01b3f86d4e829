// recorder.c - when a run writes a frame of its trajectory.
#include "cli/run/recorder.h"

#include "cli/system/files.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double FLUSH_INTERVAL = 1; // [s] on the wall: what a crash of the machine can cost

// h times the number of a step is off by roundings; a frame due "exactly now" must not slip a step.
static const double ROUNDING = 1e-12;

static bool find_kind(const char* word, size_t length, unsigned* kinds) {
  const char* name;
  for (int i = 0; (name = rg_trajectory_record_name(i)); ++i)
    if (strlen(name) == length && strncmp(name, word, length) == 0) {
      *kinds |= (unsigned)rg_trajectory_record_kind(i);
      return true;
    }
  return false;
}

bool cli_recorder_kinds(const char* list, unsigned* kinds, rgMessage* message) {
  *kinds = RG_RECORD_BODIES;
  for (const char* word = list; word;) {
    size_t length = strcspn(word, ",");
    if (!find_kind(word, length, kinds)) {
      char names[CLI_TEXT_MAX] = "";
      size_t used = 0;
      const char* name;
      for (int i = 0; (name = rg_trajectory_record_name(i)) && used < sizeof names; ++i)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", name);
      cli_fail(message, RG_ERROR_INPUT,
               "--record has '%.*s', must be some of: %s, with commas between them", (int)length,
               word, names);
      return false;
    }
    word = word[length] ? word + length + 1 : NULL;
  }
  return true;
}

static rgStatus append(CliRecorder* recorder, const rgWorld* world, int64_t step,
                       rgMessage* message) {
  rgStatus status = rg_trajectory_append(recorder->trajectory, world, message);
  if (status == RG_OK) {
    ++recorder->frames;
    recorder->recorded_step = step;
  }
  return status;
}

rgStatus cli_recorder_open(CliRecorder* recorder, const char* path, const rgWorld* world,
                           const rgScene* scene, const rgAccuracy* accuracy, rgMessage* message) {
  if (!path)
    return RG_OK;
  recorder->recorded_step = -1;
  recorder->frames = 0;
  char* text = cli_scene_text(scene);
  if (!text) {
    snprintf(message->text, sizeof message->text, "%s: not enough memory", path);
    return RG_ERROR_MEMORY;
  }
  rgStatus status =
      rg_trajectory_create_of(path, world, recorder->kinds, &recorder->trajectory, message);
  if (status == RG_OK)
    status = rg_trajectory_keep_scene(recorder->trajectory, text, message);
  if (status == RG_OK && accuracy)
    status = rg_trajectory_keep_errors(recorder->trajectory, accuracy, message);
  free(text);
  return status;
}

// A frame is that of the first step at or after its time k / rate: the step number ceil(k n), where
// n is the number of steps per frame, so that two frames are floor(n) or ceil(n) steps apart.
CliFrameSteps cli_recorder_spacing(const CliRecorder* recorder) {
  if (recorder->every > 0)
    return (CliFrameSteps){.least = recorder->every, .most = recorder->every};
  double steps = 1 / (recorder->step * recorder->rate), nearest = floor(steps + 0.5);
  if (steps < 1 && !(fabs(steps - 1) <= ROUNDING))
    return (CliFrameSteps){.least = 1, .most = 1, .too_fast = true};
  if (fabs(steps - nearest) <= ROUNDING * steps)
    steps = nearest;
  steps = fmin(steps, 1e15); // longer than any run, and a whole number that int64_t holds
  return (CliFrameSteps){.least = (int64_t)floor(steps), .most = (int64_t)ceil(steps)};
}

static bool is_due(const CliRecorder* recorder, int64_t step) {
  if (step == 0)
    return true;
  if (recorder->every > 0)
    return step % recorder->every == 0;
  double per_step = recorder->step * recorder->rate * (1 + ROUNDING);
  return floor((double)step * per_step) > floor((double)(step - 1) * per_step);
}

rgStatus cli_recorder_step(CliRecorder* recorder, const rgWorld* world, int64_t step, double wall,
                           rgMessage* message) {
  if (!recorder->trajectory)
    return RG_OK;
  rgStatus status = RG_OK;
  if (is_due(recorder, step))
    status = append(recorder, world, step, message);
  if (status == RG_OK && wall - recorder->flushed >= FLUSH_INTERVAL) {
    recorder->flushed = wall;
    status = rg_trajectory_flush(recorder->trajectory, message);
  }
  return status;
}

rgStatus cli_recorder_close(CliRecorder* recorder, const rgWorld* world, int64_t step, bool intact,
                            rgMessage* message) {
  if (!recorder->trajectory)
    return RG_OK;
  rgStatus status = RG_OK;
  if (intact && recorder->recorded_step != step)
    status = append(recorder, world, step, message);
  rgMessage closing = {0};
  rgStatus closed = rg_trajectory_close(recorder->trajectory, &closing);
  recorder->trajectory = NULL;
  if (status == RG_OK && closed != RG_OK) {
    *message = closing;
    status = closed;
  }
  return status;
}
