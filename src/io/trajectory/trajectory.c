// trajectory.c - recording a run: the table of formats.
#include "io/trajectory/trajectory.h"

#include "base/memory.h"
#include "base/message.h"

#include <string.h>

struct rgTrajectory {
  const rgTrajectoryFormat* format;
  rgAllocator allocator;
  void* state;
};

static const rgTrajectoryFormat* const formats[] = {&rg_trajectory_csv, &rg_trajectory_h5};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

static bool is_available(const rgTrajectoryFormat* format) {
  return format != &rg_trajectory_h5 || rg_trajectory_h5_available();
}

static const rgTrajectoryFormat* format_at(int index) {
  for (int i = 0; i < FORMAT_COUNT; i++)
    if (is_available(formats[i]) && index-- == 0)
      return formats[i];
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
  for (int i = 0; i < FORMAT_COUNT; i++)
    if (ends_with(path, formats[i]->ending))
      *format = formats[i];
  if (!*format)
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: the ending must be one of: .csv%s", path,
                   rg_trajectory_h5_available() ? ", .h5" : "");
  if (!is_available(*format))
    return rg_fail(message, RG_ERROR_UNSUPPORTED, "%s: this build has no HDF5; use .csv", path);
  return RG_OK;
}

rgStatus rg_trajectory_create(const char* path, const rgWorld* world, rgTrajectory** trajectory,
                              rgMessage* message) {
  *trajectory = NULL;
  const rgTrajectoryFormat* format = NULL;
  rgStatus status = find_format(path, &format, message);
  if (status != RG_OK)
    return status;
  rgAllocator allocator = rg_allocator_default();
  rgTrajectory* made = rg_allocate(&allocator, sizeof *made);
  if (!made)
    return rg_fail(message, RG_ERROR_MEMORY, "%s: not enough memory", path);
  *made = (rgTrajectory){format, allocator, NULL};
  status = format->create(path, world, &made->allocator, &made->state, message);
  if (status != RG_OK)
    rg_release(&allocator, made, sizeof *made);
  else
    *trajectory = made;
  return status;
}

rgStatus rg_trajectory_keep_scene(rgTrajectory* trajectory, const char* text, rgMessage* message) {
  return trajectory->format->keep_scene(trajectory->state, text, message);
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

#define FRAME(member) offsetof(rgTrajectoryFrame, member)

static const rgTrajectoryColumn columns[] = {
    {"", "time", "s", RG_COLUMN_REAL, FRAME(time)},
    {"", "step", "", RG_COLUMN_INT64, FRAME(step)},
    {"certificate", "met", "", RG_COLUMN_BOOL, FRAME(certificate.met)},
    {"certificate", "residual", "", RG_COLUMN_REAL, FRAME(certificate.residual)},
    {"certificate", "tolerance", "", RG_COLUMN_REAL, FRAME(certificate.tolerance)},
    {"certificate", "dynamics", "m/s", RG_COLUMN_REAL, FRAME(certificate.dynamics)},
    {"certificate", "joint", "m/s", RG_COLUMN_REAL, FRAME(certificate.joint)},
    {"certificate", "signorini", "m/s", RG_COLUMN_REAL, FRAME(certificate.signorini)},
    {"certificate", "coulomb", "m/s", RG_COLUMN_REAL, FRAME(certificate.coulomb)},
    {"certificate", "scale", "m/s", RG_COLUMN_REAL, FRAME(certificate.scale)},
    {"certificate", "penetration", "m", RG_COLUMN_REAL, FRAME(certificate.penetration)},
    {"certificate", "joint_error", "m", RG_COLUMN_REAL, FRAME(certificate.joint_error)},
    {"certificate", "energy", "J", RG_COLUMN_REAL, FRAME(certificate.energy)},
    {"certificate", "iterations", "", RG_COLUMN_INT, FRAME(certificate.iterations)},
    {"certificate", "contacts", "", RG_COLUMN_INT, FRAME(certificate.contacts)},
    {"energy", "kinetic", "J", RG_COLUMN_REAL, FRAME(energy.kinetic)},
    {"energy", "potential", "J", RG_COLUMN_REAL, FRAME(energy.potential)},
};

const rgTrajectoryColumn* rg_trajectory_column(int index) {
  return index < (int)(sizeof columns / sizeof *columns) ? &columns[index] : NULL;
}

rgTrajectoryFrame rg_trajectory_frame(const rgWorld* world) {
  return (rgTrajectoryFrame){
      .time = rg_world_time(world),
      .step = rg_world_steps(world),
      .certificate = *rg_world_certificate(world),
      .energy = rg_world_energy(world),
  };
}

int64_t rg_trajectory_whole(const rgTrajectoryColumn* column, const rgTrajectoryFrame* frame) {
  const char* place = (const char*)frame + column->offset;
  if (column->type == RG_COLUMN_INT)
    return *(const int*)(const void*)place;
  return column->type == RG_COLUMN_BOOL ? *(const bool*)place : *(const int64_t*)(const void*)place;
}

double rg_trajectory_real(const rgTrajectoryColumn* column, const rgTrajectoryFrame* frame) {
  double value;
  memcpy(&value, (const char*)frame + column->offset, sizeof value);
  return value;
}
