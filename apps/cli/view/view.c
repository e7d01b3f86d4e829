// view.c - `rigor view`: a scene, or a recorded run of it, as a page for a browser, in one file; a
// recorded run also as glTF.
//
// The page is made by `make page`; everything that it needs is inside it, and a place for a scene.
// This command writes a copy of it with the scene in that place.
#include "cli/system/files.h"
#include "cli/view/browser.h"
#include "cli/view/page.h"

#include <stdlib.h>
#include <string.h>

typedef struct ViewValues {
  const char* output;
  const char* page;
  const char* preset;
  const char* run;
} ViewValues;

#define AT(member) .offset = offsetof(ViewValues, member)

// clang-format off
static const CliOption options[] = {
    {.name = "output", .letter = 'o', .type = CLI_TEXT, .value = "FILE", AT(output),
     .help = "the page to write, or of a run in an .h5 file glTF (.glb). Default: a temporary page, "
             "which the browser opens"},
    {.name = "page", .type = CLI_TEXT, .value = "FILE", AT(page),
     .help = "the empty page that 'make page' has made. Default: the one beside this command or "
             "among its installed files"},
    {.name = "preset", .type = CLI_TEXT, .value = "NAME", AT(preset),
     .help = "a named set of options ('rigor list presets')"},
    {.name = "run", .type = CLI_TEXT, .value = "FILE", AT(run),
     .help = "a trajectory of the scene, written by 'rigor run -o FILE', to be played back instead "
             "of simulating; not needed when the trajectory itself is named"},
    {0},
};
// clang-format on

static int check_files(const CliGiven* given, const char* page, const char* output) {
  rgMessage message = {0};
  CliUses uses = {0};
  cli_given_uses(given, &uses);
  cli_uses_read(&uses, "the empty page", page);
  cli_uses_write(&uses, "--output", output);
  return cli_uses_clash(&uses, &message) ? cli_complain(&cli_view, "%s", message.text)
                                         : CLI_EXIT_OK;
}

// The poses of a run in an .h5 file with the shapes of its scene, as glTF.
static int write_gltf(const CliGiven* given, const char* output) {
  const char* path = given->run_path;
  if (!path || !cli_ends_with(path, ".h5"))
    return cli_complain(&cli_view,
                        "%s: a .glb file is made of a run in an .h5 file; 'rigor run SCENE -o %s' "
                        "records one at once",
                        output, output);
  rgMessage message = {0};
  rgRecording* run = NULL;
  rgWorld* world = NULL;
  rgStatus status = rg_recording_read(path, &run, &message);
  if (status == RG_OK)
    status = rg_scene_build(given->scene, NULL, &world, &message);
  if (status == RG_OK)
    status = rg_recording_export(run, world, output, &message);
  rg_world_destroy(world);
  rg_recording_free(run);
  if (status == RG_OK)
    return CLI_EXIT_OK;
  cli_complain(&cli_view, "%s", message.text);
  return status == RG_ERROR_IO ? CLI_EXIT_FAILED : cli_given_exit(status);
}

static int view_command(int argc, char** argv) {
  ViewValues values = {0};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_view, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  char temporary[CLI_PATH_MAX];
  bool open = !values.output;
  if (open && !cli_browser_file(parsed.operand[0], temporary))
    return cli_complain(&cli_view, "no temporary file can be made; name one with -o page.html");
  const char* output = open ? temporary : values.output;
  char* page = values.page ? strdup(values.page) : cli_page_find();
  CliGiven given = {
      .command = &cli_view, .parsed = &parsed, .preset = values.preset, .run_path = values.run};
  exit_code = cli_given_open(&given);
  if (exit_code == CLI_EXIT_OK)
    exit_code = check_files(&given, page, output);
  if (exit_code == CLI_EXIT_OK)
    exit_code = cli_ends_with(output, ".glb") ? write_gltf(&given, output)
                                              : cli_page_write(&given, page, output);
  if (open)
    cli_browser_show(temporary, exit_code == CLI_EXIT_OK);
  free(page);
  cli_given_close(&given);
  return exit_code;
}

const CliCommand cli_view = {
    .name = "view",
    .operands = "SCENE|TRAJECTORY",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "simulate a scene, or play a run of it, in a browser",
    .details =
        "Writes one file that opens from disk, without a server: the scene runs in it, by "
        "this library, to the same bits as 'rigor run'. A trajectory that 'rigor run -o' "
        "has written (.csv or .h5) is played back, with a timeline. With -o FILE.glb the run "
        "becomes glTF 2.0.\n"
        "The options given here become those of the scene.",
    .examples = "rigor view arch\topen a scene in the browser\n"
                "rigor view run.h5 -o run.html\ta page that plays a recorded run\n"
                "rigor view run.h5 -o run.glb\tthe run as glTF, for Blender and other programs",
    .options = options,
    .scenes = true,
    .settings = true,
    .run = view_command,
};
