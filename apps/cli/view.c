// view.c - `rigor view`: a scene, or a recorded run of it, as a page for a browser, in one file.
//
// The page is made by `make page`; everything that it needs is inside it, and a place for a scene.
// This command writes a copy of it with the scene in that place.
#include "cli/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
     .help = "the page to write; must be given"},
    {.name = "page", .type = CLI_TEXT, .value = "FILE", AT(page),
     .help = "the empty page that 'make page' has made; without it, it is looked for beside this "
             "command and among its installed files"},
    {.name = "preset", .type = CLI_TEXT, .value = "NAME", AT(preset),
     .help = "a named set of options ('rigor list presets')"},
    {.name = "run", .type = CLI_TEXT, .value = "FILE", AT(run),
     .help = "a trajectory of the scene, written by 'rigor run -o FILE.csv', to be played back "
             "instead of simulating"},
    {0},
};
// clang-format on

// Where the scene goes: what stands between the two is replaced.
static const char PLACE_START[] = "<script id=\"rigor-given\" type=\"application/json\">";
static const char PLACE_END[] = "</script>";

// --- the empty page ----------------------------------------------------------------------------

// A whole file, ended by zero; NULL when it cannot be read.
static char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t length = 0, capacity = (size_t)1 << 20;
  char* text = malloc(capacity);
  while (text) {
    length += fread(text + length, 1, capacity - length - 1, file);
    if (length < capacity - 1)
      break;
    capacity *= 2;
    char* more = realloc(text, capacity);
    if (!more)
      free(text);
    text = more;
  }
  if (text && ferror(file)) {
    free(text);
    text = NULL;
  }
  fclose(file);
  if (text)
    text[length] = '\0';
  return text;
}

// The page beside the command, as in a build, or where an installation has it.
static char* find_page(void) {
  static const char* const places[] = {"page.html", "../share/rigor/page.html"};
  enum { PATH_SIZE = 4096 };
  char path[PATH_SIZE + 32]; // and one of the places
  ssize_t length = readlink("/proc/self/exe", path, PATH_SIZE);
  if (length <= 0 || length >= PATH_SIZE)
    return NULL;
  path[length] = '\0';
  char* name = strrchr(path, '/') + 1;
  char* text = NULL;
  for (size_t i = 0; !text && i < sizeof places / sizeof places[0]; ++i) {
    strcpy(name, places[i]);
    text = read_file(path);
  }
  return text;
}

// --- the scene ---------------------------------------------------------------------------------

// The scene as text, with all that its file refers to and the options of the command line.
static char* scene_text(rgScene* scene) {
  size_t length = rg_scene_write(scene, NULL, 0);
  char* text = malloc(length + 1);
  if (text)
    rg_scene_write(scene, text, length + 1);
  return text;
}

// A string of JSON that may stand inside an element of HTML: no '<' in it.
static void write_string(FILE* stream, const char* text) {
  fputc('"', stream);
  for (const char* c = text; *c; ++c)
    if (*c == '"' || *c == '\\')
      fprintf(stream, "\\%c", *c);
    else if ((unsigned char)*c < 0x20 || *c == '<')
      fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*c);
    else
      fputc(*c, stream);
  fputc('"', stream);
}

static const char* base_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// What is put into the page.
typedef struct Given {
  const char* name; // of the scene's file
  char* text;       // of the scene
  char* run;        // CSV, or NULL
} Given;

static void write_given(FILE* stream, const Given* given) {
  fputs("{\"name\":", stream);
  write_string(stream, given->name);
  fputs(",\"text\":", stream);
  write_string(stream, given->text);
  if (given->run) {
    fputs(",\"run\":", stream);
    write_string(stream, given->run);
  }
  fputc('}', stream);
}

static int write_page(const char* path, const char* page, const Given* given) {
  const char* start = strstr(page, PLACE_START);
  const char* end = start ? strstr(start, PLACE_END) : NULL;
  if (!end)
    return cli_complain(&cli_view, "the page has no place for a scene; build it again: make page");
  FILE* stream = fopen(path, "wb");
  if (!stream) {
    cli_complain(&cli_view, "%s cannot be written: %s", path, strerror(errno));
    return CLI_EXIT_INPUT;
  }
  start += sizeof PLACE_START - 1;
  fwrite(page, 1, (size_t)(start - page), stream);
  write_given(stream, given);
  fputs(end, stream);
  bool bad = ferror(stream) != 0;
  if (fclose(stream) != 0 || bad) {
    cli_complain(&cli_view, "%s could not be written whole: %s", path, strerror(errno));
    return CLI_EXIT_FAILED;
  }
  return CLI_EXIT_OK;
}

// --- the command -------------------------------------------------------------------------------

static int read_scene(const char* path, const ViewValues* values, const CliParsed* parsed,
                      rgScene** scene) {
  rgMessage message = {0};
  rgStatus status = rg_scene_read(path, scene, &message);
  if (status != RG_OK) {
    fprintf(stderr, "%s\n", message.text);
    return status == RG_ERROR_MEMORY ? CLI_EXIT_FAILED : CLI_EXIT_INPUT;
  }
  rgOptions* scene_options = rg_scene_options(*scene);
  if (values->preset && !cli_settings_preset(values->preset, scene_options))
    return cli_complain(&cli_view, "--preset is '%s'; 'rigor list presets' names those there are",
                        values->preset);
  cli_settings_apply(&parsed->settings, scene_options);
  return CLI_EXIT_OK;
}

// A trajectory as text; NULL when it is not one, which has then been said.
static char* read_run(const char* path) {
  static const char START[] = "time,step,body,";
  char* text = read_file(path);
  if (!text) {
    cli_complain(&cli_view, "--run %s cannot be read", path);
  } else if (strncmp(text, START, sizeof START - 1) != 0) {
    cli_complain(&cli_view, "--run %s is no trajectory, must be a .csv file of 'rigor run -o'",
                 path);
    free(text);
    text = NULL;
  }
  return text;
}

static int fill_page(const ViewValues* values, const char* page, rgScene* scene,
                     const char* scene_path) {
  Given given = {base_name(scene_path), scene_text(scene), NULL};
  int exit_code = CLI_EXIT_INPUT;
  if (values->run)
    given.run = read_run(values->run);
  if (!given.text) {
    cli_complain(&cli_view, "out of memory");
    exit_code = CLI_EXIT_FAILED;
  } else if (given.run || !values->run) {
    exit_code = write_page(values->output, page, &given);
  }
  free(given.text);
  free(given.run);
  return exit_code;
}

static int write_view(const ViewValues* values, const CliParsed* parsed, rgScene* scene) {
  char* page = values->page ? read_file(values->page) : find_page();
  if (!page)
    return values->page
               ? cli_complain(&cli_view, "--page %s cannot be read", values->page)
               : cli_complain(&cli_view, "the empty page has not been built: run 'make page', or "
                                         "name one with --page FILE");
  int exit_code = fill_page(values, page, scene, parsed->operand[0]);
  free(page);
  return exit_code;
}

static int view_command(int argc, char** argv) {
  ViewValues values = {0};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_view, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  if (!values.output)
    return cli_complain(&cli_view, "no file to write; name it with -o, as in: -o page.html");
  rgScene* scene = NULL;
  exit_code = read_scene(parsed.operand[0], &values, &parsed, &scene);
  if (exit_code == CLI_EXIT_OK)
    exit_code = write_view(&values, &parsed, scene);
  rg_scene_free(scene);
  return exit_code;
}

const CliCommand cli_view = {
    .name = "view",
    .operands = "SCENE",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "write a page that simulates a scene, or plays a run of it, in a browser",
    .details = "Writes one file that opens from disk, without a server: the scene runs in it, by "
               "this library, to the same bits as 'rigor run'.\n"
               "The options given here become those of the scene.",
    .options = options,
    .settings = true,
    .run = view_command,
};
