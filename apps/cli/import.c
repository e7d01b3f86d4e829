// import.c - `rigor import`: a scene from the model file of a robot.
#include "cli/command.h"
#include "cli/system/clash.h"
#include "cli/system/files.h"
#include "cli/text/text.h"

#include <rigor/util.h>
#include <stdlib.h>
#include <string.h>

enum { PACKAGES_MAX = 64 };

typedef struct ImportValues {
  const char *output, *package, *key;
  bool ground, fixed_base, strict;
  int64_t hull_points;
} ImportValues;

// clang-format off
static const CliOption options[] = {
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE",
     .offset = offsetof(ImportValues, output),
     .help = "where the scene is written; standard output by default"},
    {.name = "ground", .type = CLI_FLAG, .offset = offsetof(ImportValues, ground),
     .help = "add a plane under the lowest point, unless the model has one"},
    {.name = "fixed-base", .type = CLI_FLAG, .offset = offsetof(ImportValues, fixed_base),
     .help = "links that move freely and carry others stand still"},
    {.name = "package", .type = CLI_TEXT, .value = "NAME=DIR,...",
     .offset = offsetof(ImportValues, package),
     .help = "where package://NAME/... of a URDF lies; by default it is searched in the folders "
             "around the file"},
    {.name = "key", .type = CLI_TEXT, .value = "KEY", .offset = offsetof(ImportValues, key),
     .help = "name or number of the keyframe to start from, or 'none'; by default the first one"},
    {.name = "hull-points", .type = CLI_COUNT, .value = "N",
     .offset = offsetof(ImportValues, hull_points), .range = {8, 100000, false},
     .help = "most corners of the convex hull of a mesh; by default 100"},
    {.name = "strict", .type = CLI_FLAG, .offset = offsetof(ImportValues, strict),
     .help = "refuse what would be ignored, repaired or approximated"},
    {0},
};
// clang-format on

// Cuts "A=x,B=y" into its parts, in place.
static int split_packages(char* text, const char** parts) {
  int count = 0;
  for (char* at = text; at && *at && count < PACKAGES_MAX;) {
    char* comma = strchr(at, ',');
    if (comma)
      *comma = 0;
    parts[count++] = at;
    at = comma ? comma + 1 : NULL;
  }
  return count;
}

static rgStatus write_scene(const rgScene* scene, const char* path, rgMessage* message) {
  char* text = cli_scene_text(scene);
  if (!text)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory");
  rgStatus status = RG_OK;
  rgOutput* output;
  if (!path)
    fputs(text, stdout);
  else if ((status = rg_output_open(path, &output, message)) == RG_OK) {
    fputs(text, rg_output_stream(output));
    status = rg_output_commit(output, message);
  }
  free(text);
  return status;
}

static void print_remarks(const rgScene* scene) {
  const char *place, *text;
  CliStyle style = cli_style(stderr);
  for (int i = 0; rg_scene_note(scene, i, &place, &text); i++) {
    char clean[3 * CLI_TEXT_MAX];
    cli_clean(text, clean, sizeof clean);
    fprintf(stderr, "%s: %sremark:%s %s\n", place, style.bold, style.plain, clean);
  }
}

static bool files_clash(const char* path, const rgScene* scene, const char* output,
                        rgMessage* message) {
  CliUses uses = {0};
  cli_uses_read_scene(&uses, path, scene);
  cli_uses_write(&uses, "--output", output);
  return cli_uses_clash(&uses, message);
}

static int import_scene(const char* path, const ImportValues* values,
                        const rgModelOptions* model_options) {
  rgMessage message = {0};
  rgScene* scene = NULL;
  rgWorld* world = NULL;
  rgStatus status = rg_scene_read_model(path, model_options, &scene, &message);
  if (status == RG_OK)
    status = rg_scene_build(scene, NULL, &world, &message);
  rg_world_destroy(world);
  if (status == RG_OK && files_clash(path, scene, values->output, &message)) {
    rg_scene_free(scene);
    return cli_complain(&cli_import, "%s", message.text);
  }
  if (status == RG_OK) {
    print_remarks(scene);
    status = write_scene(scene, values->output, &message);
  }
  rg_scene_free(scene);
  if (status == RG_OK)
    return CLI_EXIT_OK;
  fprintf(stderr, "%s\n", message.text);
  return status == RG_ERROR_MEMORY || status == RG_ERROR_IO ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
}

static int import_command(int argc, char** argv) {
  ImportValues values = {0};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_import, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  const char* packages[PACKAGES_MAX];
  char* names = values.package ? malloc(strlen(values.package) + 1) : NULL;
  if (names)
    strcpy(names, values.package);
  rgModelOptions model_options = rg_scene_model_options();
  model_options.ground = values.ground;
  model_options.fixed_base = values.fixed_base;
  model_options.strict = values.strict;
  model_options.key = values.key;
  model_options.packages = packages;
  model_options.package_count = names ? split_packages(names, packages) : 0;
  if (values.hull_points > 0)
    model_options.hull_points = (int)values.hull_points;
  exit_code = import_scene(parsed.operand[0], &values, &model_options);
  free(names);
  return exit_code;
}

const CliCommand cli_import = {
    .name = "import",
    .operands = "MODEL",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "write a scene from the model of a robot (MJCF, URDF)",
    .details = "Reads the model with all files that it names and writes one scene file. 'run', "
               "'check' and 'view' read models directly, with the defaults of the options below. "
               "What is ignored, repaired or approximated is remarked once per file with its line; "
               "unknown elements are refused. docs/models.md says what is read.\n"
               "Exit code: 0 when the scene was written, 2 when the model is refused.",
    .examples = "rigor import robot.urdf -o robot.json --ground\ta robot on the floor\n"
                "rigor import hand.xml --strict -o hand.json\tonly if nothing is left out",
    .options = options,
    .run = import_command,
};
