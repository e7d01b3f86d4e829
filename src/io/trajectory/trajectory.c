// trajectory.c - recording a run: the table of formats.
#include "io/trajectory/trajectory.h"

#include "base/memory.h"
#include "base/message.h"
#include "io/text/hdf5.h"
#include "step/loads.h"
#include <rigor/sensor.h>

#include <string.h>

struct rgTrajectory {
  const rgTrajectoryFormat* format;
  rgAllocator allocator;
  void* state;
};

static const rgTrajectoryFormat* format_at(int index) {
  const rgTrajectoryFormat* const all[] = {&rg_trajectory_csv, rg_trajectory_h5_format(),
                                           &rg_trajectory_glb};
  int count = sizeof all / sizeof *all, at = 0;
  for (int i = 0; i < count; i++)
    if (all[i] && at++ == index)
      return all[i];
  return NULL;
}

const char* rg_trajectory_format(int index) {
  const rgTrajectoryFormat* format = format_at(index);
  return format ? format->ending : NULL;
}

const char* rg_trajectory_summary(int index) {
  const rgTrajectoryFormat* format = format_at(index);
  return format ? format->summary : NULL;
}

static bool ends_with(const char* path, const char* ending) {
  size_t length = strlen(path), tail = strlen(ending);
  return length > tail && strcmp(path + length - tail, ending) == 0;
}

static rgStatus find_format(const char* path, const rgTrajectoryFormat** format,
                            rgMessage* message) {
  for (int i = 0; (*format = format_at(i)); i++)
    if (ends_with(path, (*format)->ending))
      return RG_OK;
  if (ends_with(path, ".h5"))
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: %s; use .csv", path, rg_hdf5_missing());
  return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: the ending must be one of: .csv%s, .glb", path,
                 rg_trajectory_h5_format() ? ", .h5" : "");
}

// Some steppers keep no loads, and a table of zeros would be no answer.
static rgStatus check_kinds(const char* path, const rgWorld* world, unsigned kinds,
                            rgMessage* message) {
  const unsigned loads = RG_RECORD_CONTACTS | RG_RECORD_JOINTS | RG_RECORD_FORCES;
  const unsigned known = RG_RECORD_BODIES | RG_RECORD_SENSORS | loads;
  if (kinds & ~known)
    return rg_fail(message, RG_ERROR_INPUT, "%s: there is no kind of record with the value %u",
                   path, kinds & ~known);
  const char* stepper = rg_world_options(world)->stepper;
  if (kinds & RG_RECORD_SENSORS && rg_world_sensor_count(world) == 0)
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s: there are no sensors to record; the scene has to name some in \"sensors\"",
                   path);
  if (!rg_loads_kept_by(stepper) && (kinds & loads))
    return rg_fail(message, RG_ERROR_UNSUPPORTED,
                   "%s: the stepper %s cuts its steps and keeps no forces to record; record bodies "
                   "and sensors alone, or choose another stepper",
                   path, stepper);
  return RG_OK;
}

rgStatus rg_trajectory_create(const char* path, const rgWorld* world, rgTrajectory** trajectory,
                              rgMessage* message) {
  return rg_trajectory_create_of(path, world, RG_RECORD_BODIES, trajectory, message);
}

rgStatus rg_trajectory_create_of(const char* path, const rgWorld* world, unsigned kinds,
                                 rgTrajectory** trajectory, rgMessage* message) {
  *trajectory = NULL;
  const rgTrajectoryFormat* format = NULL;
  rgStatus status = find_format(path, &format, message);
  if (status == RG_OK)
    status = check_kinds(path, world, kinds, message);
  if (status != RG_OK)
    return status;
  rgAllocator allocator = rg_allocator_default();
  rgTrajectory* made = rg_allocate(&allocator, sizeof *made);
  if (!made)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  *made = (rgTrajectory){format, allocator, NULL};
  status = format->create(path, world, kinds, &made->allocator, &made->state, message);
  if (status != RG_OK)
    rg_release(&allocator, made, sizeof *made);
  else
    *trajectory = made;
  return status;
}

rgStatus rg_trajectory_keep_scene(rgTrajectory* trajectory, const char* text, rgMessage* message) {
  return trajectory->format->keep_scene(trajectory->state, text, message);
}

rgStatus rg_trajectory_keep_errors(rgTrajectory* trajectory, const rgAccuracy* accuracy,
                                   rgMessage* message) {
  return trajectory->format->keep_errors(trajectory->state, accuracy, message);
}

rgStatus rg_trajectory_append(rgTrajectory* trajectory, const rgWorld* world, rgMessage* message) {
  return trajectory->format->append(trajectory->state, world, message);
}

rgStatus rg_trajectory_flush(rgTrajectory* trajectory, rgMessage* message) {
  return trajectory->format->flush(trajectory->state, message);
}

rgStatus rg_trajectory_close(rgTrajectory* trajectory, rgMessage* message) {
  if (!trajectory)
    return RG_OK;
  rgStatus status = trajectory->format->close(trajectory->state, message);
  rgAllocator allocator = trajectory->allocator;
  rg_release(&allocator, trajectory, sizeof *trajectory);
  return status;
}

// -------------------------------------------------------------------------------------------------
// Columns
// -------------------------------------------------------------------------------------------------

// Columns before and after those of the certificate.
static const rgTrajectoryColumn before[] = {
    {"", "time", "s", false},
    {"", "step", "", true},
};
static const rgTrajectoryColumn after[] = {
    {"energy", "kinetic", "J", false},
    {"energy", "potential", "J", false},
};
enum { BEFORE = sizeof before / sizeof *before, AFTER = sizeof after / sizeof *after };

static int count_fields(void) {
  int count = 0;
  while (rg_certificate_field(count))
    count++;
  return count;
}

bool rg_trajectory_column(int index, rgTrajectoryColumn* column) {
  int fields = count_fields();
  if (index < 0 || index >= BEFORE + fields + AFTER)
    return false;
  const rgCertificateField* field = index < BEFORE ? NULL : rg_certificate_field(index - BEFORE);
  if (index < BEFORE)
    *column = before[index];
  else if (field)
    *column = (rgTrajectoryColumn){"certificate", field->name, field->unit,
                                   field->type != RG_CERTIFICATE_REAL};
  else
    *column = after[index - BEFORE - fields];
  return true;
}

rgTrajectoryFrame rg_trajectory_frame(const rgWorld* world) {
  rgTrajectoryFrame frame = {
      .time = rg_world_time(world),
      .step = rg_world_steps(world),
      .certificate = *rg_world_certificate(world),
      .energy = rg_world_energy(world),
  };
  // Before the first step nothing was asked and nothing was missed. A step always has a tolerance.
  if (frame.certificate.tolerance == 0)
    frame.certificate.met = true;
  return frame;
}

double rg_trajectory_value(int index, const rgTrajectoryFrame* frame) {
  const rgCertificateField* field = index < BEFORE ? NULL : rg_certificate_field(index - BEFORE);
  if (field)
    return rg_certificate_value(&frame->certificate, field);
  if (index < BEFORE)
    return index == 0 ? frame->time : (double)frame->step;
  return index == BEFORE + count_fields() ? frame->energy.kinetic : frame->energy.potential;
}
