// check.c - `rigor check`: what is wrong or suspicious in a scene, before it runs.
#include "cli/command.h"
#include "cli/text/faults.h"
#include "cli/text/json.h"
#include "cli/text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct CheckValues {
  bool json, strict;
} CheckValues;

// clang-format off
static const CliOption options[] = {
    {.name = "strict", .type = CLI_FLAG, .offset = offsetof(CheckValues, strict),
     .help = "exit with 1 when there are remarks"},
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(CheckValues, json),
     .help = "findings as one JSON object"},
    {0},
};
// clang-format on

// Where remarks go while the scene is inspected.
typedef struct Findings {
  const char* scene;
  char shown[CLI_TEXT_MAX]; // the scene's name on a terminal
  CliStyle style;
  CliJson* json; // NULL: for people
  int remarks;
  const rgScene* read; // whose remarks these are
  struct Integrated* integrated;
  int integrated_count;
} Findings;

// A body whose mass comes from an integration.
typedef struct Integrated {
  char path[sizeof((rgScenePlace*)0)->path]; // "bodies[3]"
  double error;                              // relative
} Integrated;

// Whether a place says the file itself ("robot.xml:14:9"), as those of model files do.
static bool names_file(const char* place) {
  const char* colon = place ? strrchr(place, ':') : NULL;
  return colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

// Where "bodies[3] (box)" begins in the file; false when the place is no such element.
static bool find_place(const rgScene* scene, const char* place, rgScenePlace* found) {
  static const struct {
    const char* name;
    rgSceneList list;
  } lists[] = {{"bodies[", RG_SCENE_BODIES},
               {"joints[", RG_SCENE_JOINTS},
               {"forces[", RG_SCENE_FORCES},
               {"materials[", RG_SCENE_MATERIALS}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (strncmp(place, lists[i].name, strlen(lists[i].name)) != 0)
      continue;
    // A list of the world has a copy of a repeated element in many places, all of one path. Material 0 may be in no file.
    for (int k = 0; rg_scene_place(scene, lists[i].list, k, found) ||
                    (k == 0 && lists[i].list == RG_SCENE_MATERIALS);
         k++) {
      size_t length = strlen(found->path);
      if (length > 0 && strncmp(place, found->path, length) == 0)
        return true;
    }
  }
  return false;
}

// The place of a remark, with line and column where an element or a model's line is to blame, null otherwise.
static void write_place(const Findings* findings, const char* place) {
  rgScenePlace found = {.line = 0};
  const char* text = place ? place : "";
  if (names_file(text)) {
    const char* column = strrchr(text, ':');
    const char* line = column;
    while (line > text && line[-1] != ':')
      --line;
    found.line = (int)strtol(line, NULL, 10);
    found.column = (int)strtol(column + 1, NULL, 10);
  } else if (!find_place(findings->read, text, &found)) {
    found.line = 0;
  }
  cli_json_text(findings->json, "place", place);
  if (found.line > 0) {
    cli_json_count(findings->json, "line", found.line);
    cli_json_count(findings->json, "column", found.column);
  } else {
    cli_json_null(findings->json, "line");
    cli_json_null(findings->json, "column");
  }
}

static void take_remark(void* context, const char* place, const char* text) {
  Findings* findings = context;
  ++findings->remarks;
  if (!findings->json) {
    char line[3 * CLI_TEXT_MAX], remark[3 * CLI_TEXT_MAX];
    bool file = names_file(place);
    snprintf(line, sizeof line, "%s%s%s", place && !file ? place : "",
             place && !file && place[0] ? ": " : "", text);
    cli_clean(line, remark, sizeof remark);
    printf("%s: %sremark:%s %s\n", file ? place : findings->shown, findings->style.bold,
           findings->style.plain, remark);
    return;
  }
  cli_json_open(findings->json, NULL, '{');
  write_place(findings, place);
  cli_json_text(findings->json, "text", text);
  cli_json_close(findings->json, '}');
}

// The message of a refused scene, with its leading "file:line:column: " taken apart.
static void write_error(CliJson* json, const char* key, const char* scene, const char* text) {
  size_t length = strlen(scene);
  char *end = NULL, *start = NULL;
  long line = 0, column = 0;
  if (strncmp(text, scene, length) == 0 && text[length] == ':') {
    line = strtol(text + length + 1, &start, 10);
    if (*start == ':')
      column = strtol(start + 1, &end, 10);
  }
  cli_json_open(json, key, '{');
  if (line > 0 && column > 0 && strncmp(end, ": ", 2) == 0) {
    cli_json_count(json, "line", line);
    cli_json_count(json, "column", column);
    text = end + 2;
  }
  cli_json_text(json, "text", text);
  cli_json_close(json, '}');
}

// Bodies whose mass comes from an integration, copies of one once. False without memory.
static bool note_masses(Findings* findings, const rgScene* scene, const rgWorld* world) {
  int count = rg_world_body_count(world);
  findings->integrated = calloc((size_t)count + 1, sizeof *findings->integrated);
  for (int i = 0; i < count && findings->integrated; i++) {
    rgBodyId id = rg_world_body(world, i);
    rgScenePlace place;
    double error = rg_body_mass_error(world, id);
    if (!(error > 0) || rg_body_kind(world, id) != RG_BODY_DYNAMIC ||
        !rg_scene_place(scene, RG_SCENE_BODIES, i, &place))
      continue;
    Integrated* last = findings->integrated + findings->integrated_count - 1;
    if (findings->integrated_count > 0 && strcmp(last->path, place.path) == 0)
      continue;
    last[1].error = error;
    memcpy(last[1].path, place.path, sizeof place.path);
    findings->integrated_count++;
  }
  return findings->integrated != NULL;
}

static void print_masses(const Findings* findings) {
  for (int i = 0; i < findings->integrated_count; i++)
    printf(
        "%s: %s: mass, centre and inertia come from an integration, whose relative error is below "
        "%.1e\n",
        findings->shown, findings->integrated[i].path, findings->integrated[i].error);
}

static void write_masses(const Findings* findings) {
  cli_json_open(findings->json, "integrated", '[');
  for (int i = 0; i < findings->integrated_count; i++) {
    cli_json_open(findings->json, NULL, '{');
    cli_json_text(findings->json, "place", findings->integrated[i].path);
    cli_json_real(findings->json, "relative_error", findings->integrated[i].error);
    cli_json_close(findings->json, '}');
  }
  cli_json_close(findings->json, ']');
}

// Reads, builds and inspects: whatever `run` would refuse is refused here.
static rgStatus inspect(Findings* findings, rgMessage* message) {
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  findings->integrated = NULL;
  findings->integrated_count = 0;
  rgStatus status = rg_scene_read(findings->scene, &scene, message);
  if (status == RG_OK)
    status = rg_scene_build(scene, NULL, &world, message);
  if (status == RG_OK) {
    status = rg_world_check(world);
    if (status != RG_OK)
      snprintf(message->text, sizeof message->text, "%s: %s", findings->scene,
               rg_world_message(world));
  }
  if (status == RG_OK && !note_masses(findings, scene, world))
    status = RG_ERROR_MEMORY;
  rg_world_destroy(world);
  findings->read = scene;
  if (status == RG_OK)
    status = rg_scene_inspect(scene, take_remark, findings, message);
  rg_scene_free(scene);
  return status;
}

typedef struct Faults {
  CliJson* json;
  const char* scene;
  int count;
} Faults;

static void take_fault(void* context, const char* text) {
  Faults* faults = context;
  write_error(faults->json, NULL, faults->scene, text);
  ++faults->count;
}

// All that is wrong in the file, or the one reason for which no world can be made of it.
static void write_errors(const Findings* findings, const char* message) {
  Faults faults = {findings->json, findings->scene, 0};
  size_t length = strlen(findings->scene);
  if (strncmp(message, findings->scene, length) == 0 && message[length] == ':')
    rg_scene_faults(findings->scene, take_fault, &faults);
  if (faults.count == 0)
    take_fault(&faults, message);
}

static rgStatus report_json(Findings* findings) {
  CliJson json = {.stream = stdout};
  rgMessage message = {0};
  findings->json = &json;
  cli_json_open(&json, NULL, '{');
  cli_json_text(&json, "scene", findings->scene);
  cli_json_open(&json, "remarks", '[');
  rgStatus status = inspect(findings, &message);
  cli_json_close(&json, ']');
  write_masses(findings);
  cli_json_bool(&json, "valid", status == RG_OK);
  if (status == RG_OK)
    cli_json_null(&json, "error");
  else
    write_error(&json, "error", findings->scene, message.text);
  cli_json_open(&json, "errors", '[');
  if (status != RG_OK)
    write_errors(findings, message.text);
  cli_json_close(&json, ']');
  cli_json_close(&json, '}');
  return status;
}

static rgStatus report_text(Findings* findings) {
  rgMessage message = {0};
  cli_clean(findings->scene, findings->shown, sizeof findings->shown);
  rgStatus status = inspect(findings, &message);
  if (status == RG_OK)
    print_masses(findings);
  fflush(stdout);
  if (status != RG_OK)
    cli_print_faults(findings->scene, message.text);
  else if (findings->remarks == 0)
    printf("%s: nothing wrong, nothing suspicious\n", findings->shown);
  else
    printf(
        "%s: nothing wrong, %d remark%s; 'rigor doctor %s' runs it briefly and says what to do\n",
        findings->shown, findings->remarks, findings->remarks == 1 ? "" : "s", findings->shown);
  return status;
}

static int check_command(int argc, char** argv) {
  CheckValues values = {0};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_check, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  Findings findings = {.scene = parsed.operand[0], .style = cli_style(stdout)};
  rgStatus status = values.json ? report_json(&findings) : report_text(&findings);
  free(findings.integrated);
  if (status == RG_ERROR_MEMORY)
    return CLI_EXIT_FAILED;
  if (status != RG_OK)
    return CLI_EXIT_INPUT;
  return values.strict && findings.remarks > 0 ? CLI_EXIT_DOUBT : CLI_EXIT_OK;
}

const CliCommand cli_check = {
    .name = "check",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "say what is wrong or suspicious in a scene",
    .details = "Reads the scene file and builds its world without running it. What is wrong is "
               "refused with its place; what is legal but suspicious is remarked: overlaps at the "
               "start, no friction anywhere, large mass ratios, a step too large for the smallest "
               "moving thing. Bodies whose mass comes from an integration are named with its "
               "relative error.\n"
               "Exit code: 0 when the scene can run, 2 when it is refused; with --strict 1 when "
               "there are remarks.",
    .examples = "rigor check tower.json\terrors and remarks with their place\n"
                "rigor check tower.json --strict --json\tfor scripts",
    .options = options,
    .scenes = true,
    .run = check_command,
};
