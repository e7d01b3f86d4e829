// doctor_find.c - findings and their places.
#include "cli/doctor/doctor.h"
#include "cli/text/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char* cli_severity_name(CliSeverity severity) {
  static const char* const names[] = {"note", "risky", "wrong"};
  return names[severity];
}

// --- places ------------------------------------------------------------------------------------------

static CliWhere where_in(const CliDoctor* doctor, rgSceneList list, int index, const char* name) {
  CliWhere where = {.path = ""};
  rgScenePlace place;
  cli_clean(name, where.name, sizeof where.name);
  if (!rg_scene_place(doctor->scene, list, index, &place))
    return where;
  snprintf(where.path, sizeof where.path, "%s", place.path);
  where.file = place.file;
  where.line = place.line;
  where.column = place.column;
  return where;
}

CliWhere cli_where_body(const CliDoctor* doctor, rgBodyId body) {
  if (!rg_body_valid(doctor->start, body))
    return (CliWhere){.path = "the ground"};
  return where_in(doctor, RG_SCENE_BODIES, (int)body.index, rg_body_name(doctor->start, body));
}

CliWhere cli_where_joint(const CliDoctor* doctor, int joint) {
  rgJointId id = rg_world_joint(doctor->start, joint);
  return where_in(doctor, RG_SCENE_JOINTS, joint, rg_joint_name(doctor->start, id));
}

CliWhere cli_where_force(const CliDoctor* doctor, int force) {
  return where_in(doctor, RG_SCENE_FORCES, force, "");
}

CliWhere cli_where_material(const CliDoctor* doctor, int material) {
  CliWhere where = where_in(doctor, RG_SCENE_MATERIALS, material, "");
  if (!where.path[0])
    snprintf(where.path, sizeof where.path, "materials");
  return where;
}

CliWhere cli_where_option(const char* name) {
  CliWhere where = {.path = ""};
  snprintf(where.path, sizeof where.path, "options.%s", name);
  return where;
}

void cli_where_text(const CliWhere* where, char* text, size_t size) {
  if (where->path[0] && where->name[0])
    snprintf(text, size, "%s (%s)", where->path, where->name);
  else
    snprintf(text, size, "%s", where->path[0] ? where->path : where->name);
}

// --- findings ----------------------------------------------------------------------------------------

CliFinding* cli_doctor_find(CliDoctor* doctor, const CliFault* fault, CliWhere where, double value,
                            double allowed, const char* unit) {
  if (doctor->count == doctor->capacity) {
    int capacity = 2 * doctor->capacity + 16;
    CliFinding* findings = realloc(doctor->findings, (size_t)capacity * sizeof *findings);
    doctor->findings = findings ? findings : doctor->findings;
    doctor->capacity = findings ? capacity : doctor->capacity;
  }
  doctor->out_of_memory = doctor->out_of_memory || doctor->count == doctor->capacity;
  CliFinding* finding = doctor->out_of_memory ? &doctor->spare : &doctor->findings[doctor->count++];
  *finding = (CliFinding){.fault = fault,
                          .severity = fault->severity,
                          .where = where,
                          .value = value,
                          .allowed = allowed,
                          .unit = unit};
  return finding;
}

void cli_doctor_say(CliFinding* finding, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->text, sizeof finding->text, format, arguments);
  va_end(arguments);
}

void cli_doctor_advise(CliFinding* finding, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(finding->remedy, sizeof finding->remedy, format, arguments);
  va_end(arguments);
}

static bool is_explained(const CliDoctor* doctor, const CliFinding* finding) {
  const char* const* causes = finding->fault->explained_by;
  for (; causes && *causes; ++causes)
    for (int i = 0; i < doctor->count; ++i)
      if (doctor->findings[i].severity > CLI_NOTE &&
          strcmp(doctor->findings[i].fault->name, *causes) == 0)
        return true;
  return false;
}

static int order_of(const CliFault* fault) {
  int index = 0;
  for (const CliFault* other; (other = cli_fault(index)) && other != fault;)
    ++index;
  return index;
}

static double badness(const CliFinding* finding) {
  return finding->allowed > 0 ? finding->value / finding->allowed : finding->value;
}

// What is wrong before what is risky, kind by kind, the worst of a kind first.
static int compare(const void* left, const void* right) {
  const CliFinding *a = left, *b = right;
  if (a->severity != b->severity)
    return a->severity > b->severity ? -1 : 1;
  int order = order_of(a->fault) - order_of(b->fault);
  if (order != 0)
    return order;
  double p = badness(a), q = badness(b);
  return p != q ? (p > q ? -1 : 1) : strcmp(a->where.path, b->where.path);
}

void cli_doctor_sort(CliDoctor* doctor) {
  bool* explained = calloc((size_t)doctor->count + 1, sizeof *explained);
  if (!explained) {
    doctor->out_of_memory = true;
    return;
  }
  int kept = 0;
  for (int i = 0; i < doctor->count; ++i)
    explained[i] = is_explained(doctor, &doctor->findings[i]);
  for (int i = 0; i < doctor->count; ++i)
    if (!explained[i])
      doctor->findings[kept++] = doctor->findings[i];
  doctor->count = kept;
  free(explained);
  if (kept > 1)
    qsort(doctor->findings, (size_t)kept, sizeof *doctor->findings, compare);
}

int cli_doctor_count(const CliDoctor* doctor, CliSeverity severity) {
  int count = 0;
  for (int i = 0; i < doctor->count; ++i)
    count += doctor->findings[i].severity == severity;
  return count;
}
