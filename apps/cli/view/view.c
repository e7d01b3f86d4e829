// view.c - `rigor view`: a scene, or a recorded run of it, as a page for a browser, in one file; a
// recorded run also as glTF.
//
// The page is made by `make page`; everything that it needs is inside it, and a place for a scene.
// This command writes a copy of it with the scene in that place.
#include "cli/command.h"
#include "cli/system/clash.h"
#include "cli/system/files.h"
#include "cli/text/json.h"
#include "cli/view/browser.h"
#include "cli/view/view_run.h"

#include <stdio.h>
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

// Where the scene goes: what stands between the two is replaced.
static const char PLACE_START[] = "<script id=\"rigor-given\" type=\"application/json\">";
static const char PLACE_END[] = "</script>";

// --- the empty page ----------------------------------------------------------------------------

// The path of the page beside the command, as in a build, or where an installation has it. NULL when
// there is none.
static char* find_page(void) {
  static const char* const places[] = {"page.html", "../share/rigor/page.html", NULL};
  char path[CLI_PATH_MAX];
  return cli_place_find(places, "", path) ? strdup(path) : NULL;
}

// --- the scene ---------------------------------------------------------------------------------

static const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// What is put into the page.
typedef struct Given {
  const char* name; // of the scene's file
  char* text;       // of the scene
  const char* run;  // CSV, or NULL
} Given;

static void write_given(FILE* stream, const Given* given) {
  fputs("{\"name\":", stream);
  cli_json_string(stream, given->name, true);
  fputs(",\"text\":", stream);
  cli_json_string(stream, given->text, true);
  if (given->run) {
    fputs(",\"run\":", stream);
    cli_json_string(stream, given->run, true);
  }
  fputc('}', stream);
}

static int write_page(const char* path, const char* page, const Given* given) {
  const char* start = strstr(page, PLACE_START);
  const char* end = start ? strstr(start, PLACE_END) : NULL;
  if (!end)
    return cli_complain(&cli_view, "the page has no place for a scene; build it again: make page");
  rgMessage message = {0};
  rgOutput* output;
  rgStatus status = rg_output_open(path, &output, &message);
  if (status == RG_OK) {
    FILE* stream = rg_output_stream(output);
    start += sizeof PLACE_START - 1;
    fwrite(page, 1, (size_t)(start - page), stream);
    write_given(stream, given);
    fputs(end, stream);
    status = rg_output_commit(output, &message);
    if (status == RG_OK)
      return CLI_EXIT_OK;
    cli_complain(&cli_view, "%s", message.text);
    return CLI_EXIT_FAILED;
  }
  return cli_complain(&cli_view, "%s", message.text);
}

// --- the command -------------------------------------------------------------------------------

// What is to be shown: a scene, a run, or both.
typedef struct View {
  const ViewValues* values;
  const CliParsed* parsed;
  const char* scene_path; // NULL: the scene is that of the run
  const char* run_path;   // NULL: none
  CliViewRun run;
  rgScene* scene;
  char* page; // path of the empty page; NULL: none was found
} View;

static int exit_for(rgStatus status) {
  return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
}

static int choose(View* view) {
  const char* operand = view->parsed->operand[0];
  view->run_path = view->values->run;
  view->scene_path = operand;
  if (!cli_is_trajectory(operand))
    return CLI_EXIT_OK;
  if (view->values->run)
    return cli_complain(&cli_view, "%s is a trajectory; --run goes with a scene", operand);
  view->run_path = operand;
  view->scene_path = NULL;
  return CLI_EXIT_OK;
}

static int read_run(View* view) {
  if (!view->run_path)
    return CLI_EXIT_OK;
  rgMessage message = {0};
  rgStatus status = cli_view_run_read(view->run_path, &view->run, &message);
  if (status != RG_OK) {
    cli_complain(&cli_view, "%s", message.text);
    return exit_for(status);
  }
  if (!view->scene_path && !view->run.scene)
    return cli_complain(
        &cli_view, "%s comes without its scene (%s); name it: rigor view SCENE --run %s",
        view->run_path,
        cli_ends_with(view->run_path, ".csv") ? view->run.scene_path : "the dataset /scene",
        view->run_path);
  return CLI_EXIT_OK;
}

static int read_scene(View* view) {
  rgMessage message = {0};
  const CliViewRun* run = &view->run;
  rgStatus status = view->scene_path ? rg_scene_read(view->scene_path, &view->scene, &message)
                                     : rg_scene_parse(run->scene, strlen(run->scene),
                                                      run->scene_path, &view->scene, &message);
  if (status != RG_OK) {
    fprintf(stderr, "%s\n", message.text);
    return exit_for(status);
  }
  const char* preset = view->values->preset;
  rgOptions* scene_options = rg_scene_options(view->scene);
  if (preset && !cli_settings_preset(preset, scene_options))
    return cli_complain(&cli_view, "--preset is '%s'; 'rigor list presets' names those there are",
                        preset);
  cli_settings_apply(&view->parsed->settings, scene_options);
  return CLI_EXIT_OK;
}

static int check_files(const View* view) {
  rgMessage message = {0};
  CliUses uses = {0};
  cli_uses_read_scene(&uses, view->scene_path, view->scene);
  cli_uses_read(&uses, "the trajectory", view->run_path);
  if (view->run_path)
    cli_uses_read(&uses, "the scene of the trajectory", view->run.scene_path);
  cli_uses_read(&uses, "the empty page", view->page);
  cli_uses_write(&uses, "--output", view->values->output);
  return cli_uses_clash(&uses, &message) ? cli_complain(&cli_view, "%s", message.text)
                                         : CLI_EXIT_OK;
}

static int write_view(const View* view) {
  const ViewValues* values = view->values;
  char* page = view->page ? cli_read_file(view->page) : NULL;
  if (!page)
    return values->page
               ? cli_complain(&cli_view, "--page %s cannot be read", values->page)
               : cli_complain(&cli_view, "the empty page has not been built: run 'make page', or "
                                         "name one with --page FILE");
  Given given = {base_name(view->parsed->operand[0]), cli_scene_text(view->scene), view->run.table};
  int exit_code = CLI_EXIT_FAILED;
  if (given.text)
    exit_code = write_page(values->output, page, &given);
  else
    cli_complain(&cli_view, "not enough memory");
  free(given.text);
  free(page);
  return exit_code;
}

// The poses of a run in an .h5 file with the shapes of its scene, as glTF.
static int write_gltf(const View* view) {
  const char* path = view->run_path;
  if (!path || !cli_ends_with(path, ".h5"))
    return cli_complain(&cli_view,
                        "%s: a .glb file is made of a run in an .h5 file; 'rigor run SCENE -o %s' "
                        "records one at once",
                        view->values->output, view->values->output);
  rgMessage message = {0};
  rgRecording* run = NULL;
  rgWorld* world = NULL;
  rgStatus status = rg_recording_read(path, &run, &message);
  if (status == RG_OK)
    status = rg_scene_build(view->scene, NULL, &world, &message);
  if (status == RG_OK)
    status = rg_recording_export(run, world, view->values->output, &message);
  rg_world_destroy(world);
  rg_recording_free(run);
  if (status == RG_OK)
    return CLI_EXIT_OK;
  cli_complain(&cli_view, "%s", message.text);
  return status == RG_ERROR_IO ? CLI_EXIT_FAILED : exit_for(status);
}

static int write_output(const View* view) {
  return cli_ends_with(view->values->output, ".glb") ? write_gltf(view) : write_view(view);
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
  if (open)
    values.output = temporary;
  View view = {.values = &values, .parsed = &parsed};
  view.page = values.page ? strdup(values.page) : find_page();
  exit_code = choose(&view);
  if (exit_code == CLI_EXIT_OK)
    exit_code = read_run(&view);
  if (exit_code == CLI_EXIT_OK)
    exit_code = read_scene(&view);
  if (exit_code == CLI_EXIT_OK)
    exit_code = check_files(&view);
  if (exit_code == CLI_EXIT_OK)
    exit_code = write_output(&view);
  if (open)
    cli_browser_show(temporary, exit_code == CLI_EXIT_OK);
  free(view.page);
  rg_scene_free(view.scene);
  cli_view_run_free(&view.run);
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
