// doctor.c - `rigor doctor`: what is wrong or risky in a scene, and what to do about it.
#include "cli/doctor/doctor.h"
#include "cli/command.h"
#include "cli/system/interrupt.h"
#include "cli/text/faults.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdlib.h>

typedef struct DoctorValues {
  double duration; // [s] negative = briefly
  const char* preset;
  bool json;
} DoctorValues;

#define AT(member) .offset = offsetof(DoctorValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "time", .type = CLI_REAL, .value = "T", AT(duration), .range = {0, HUGE_VAL, false},
     .help = "simulated time to watch [s]. Default: 2 s, at least 100 and at most 500 steps, and no "
             "more than the scene's time"},
    {.name = "preset", .type = CLI_TEXT, .value = "NAME", AT(preset),
     .help = "a named set of options ('rigor list presets')"},
    {.name = "json", .type = CLI_FLAG, AT(json),
     .help = "findings as one JSON object"},
    {0},
};
// clang-format on

static const char* const not_settings[] = {"accuracy", "effort",
                                           NULL}; // steps are those of the scene

static rgStatus check_world(const CliDoctor* doctor, rgWorld* world, rgMessage* message) {
  rgStatus status = rg_world_check(world);
  return status == RG_OK
             ? RG_OK
             : cli_fail(message, status, "%s: %s", doctor->path, rg_world_message(world));
}

// Reads the scene and makes two worlds: one to look at as it starts, one to run.
static rgStatus open_scene(CliDoctor* doctor, const DoctorValues* values, const CliParsed* parsed,
                           rgMessage* message) {
  rgStatus status = rg_scene_read(doctor->path, &doctor->scene, message);
  if (status != RG_OK)
    return status;
  rgOptions* scene_options = rg_scene_options(doctor->scene);
  if (values->preset)
    cli_settings_preset(values->preset, scene_options);
  cli_settings_apply(&parsed->settings, scene_options);
  status = rg_scene_build(doctor->scene, NULL, &doctor->start, message);
  if (status == RG_OK)
    status = check_world(doctor, doctor->start, message);
  if (status == RG_OK)
    status = rg_scene_build(doctor->scene, NULL, &doctor->world, message);
  return status == RG_OK ? cli_doctor_open(doctor, message) : status;
}

static int conclude(const CliDoctor* doctor, bool json) {
  if (doctor->out_of_memory) {
    fprintf(stderr, "%s: not enough memory\n", doctor->path);
    return CLI_EXIT_FAILED;
  }
  if (json)
    cli_doctor_print_json(doctor);
  else
    cli_doctor_print(doctor);
  if (doctor->watch.interrupted)
    return CLI_EXIT_INTERRUPTED;
  int findings = cli_doctor_count(doctor, CLI_WRONG) + cli_doctor_count(doctor, CLI_RISKY);
  return findings > 0 ? CLI_EXIT_DOUBT : CLI_EXIT_OK;
}

static int examine(CliDoctor* doctor, const DoctorValues* values, const CliParsed* parsed) {
  rgMessage message = {0};
  rgStatus status = open_scene(doctor, values, parsed, &message);
  if (status != RG_OK) {
    cli_print_faults(doctor->path, message.text);
    return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
  }
  cli_interrupt_watch();
  rg_world_set_cancel(doctor->world, cli_interrupt_urgent());
  cli_doctor_watch(doctor, values->duration);
  const CliFault* fault;
  for (int i = 0; (fault = cli_fault(i)) && !doctor->out_of_memory; ++i)
    fault->look(doctor, fault);
  cli_doctor_sort(doctor);
  cli_doctor_treat(doctor);
  return conclude(doctor, values->json);
}

static int doctor_command(int argc, char** argv) {
  DoctorValues values = {.duration = -1};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_doctor, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  exit_code = cli_check_preset(&cli_doctor, values.preset);
  if (exit_code != CLI_EXIT_OK)
    return exit_code;
  CliDoctor doctor = {.path = parsed.operand[0]};
  exit_code = examine(&doctor, &values, &parsed);
  cli_doctor_close(&doctor);
  return exit_code;
}

const CliCommand cli_doctor = {
    .name = "doctor",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "run a scene briefly and say what is wrong or risky, and what to do",
    .details =
        "Looks at the scene as it starts, runs it briefly and watches: overlaps, joints that are "
        "open, redundant or contradictory, limits that are violated, motors that are too weak, "
        "friction that is missing, inertia and masses that do not suit the shapes, meshes with "
        "holes, stiff springs, steps too long for speeds and sizes, units that do not go together, "
        "and islands that miss their tolerance. Each finding has its place, its measure and what "
        "to "
        "change; what another finding explains is not told. It ends with where the time goes.\n"
        "Exit code: 0 when the scene is healthy, 1 when there are findings, 2 when the scene is "
        "refused, 3 when there is not enough memory, 130 when it was interrupted.",
    .examples = "rigor doctor tower.json\twhat is wrong, and what to do\n"
                "rigor doctor robot.xml --time 5\twatch a model for 5 s\n"
                "rigor doctor tower.json --step 0.001\twould a shorter step help?\n"
                "rigor doctor tower.json --json\tfor programs",
    .options = options,
    .scenes = true,
    .settings = true,
    .not_settings = not_settings,
    .run = doctor_command,
};
