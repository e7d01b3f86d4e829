// new.c - `rigor new`: a scene to begin with.
#include "cli/command.h"
#include "cli/system/files.h"
#include "cli/text/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct NewValues {
  const char* from;
} NewValues;

// clang-format off
static const CliOption options[] = {
    {.name = "from", .type = CLI_TEXT, .value = "NAME", .offset = offsetof(NewValues, from),
     .help = "begin with a copy of a scene that comes with the command ('rigor list scenes')"},
    {0},
};

static const char STARTER[] =
    "{\n"
    "  \"rigor\": 1,\n"
    "  \"title\": \"A tower, hit by a ball\",\n"
    "  \"time\": 3,\n"
    "  \"materials\": [{ \"name\": \"default\", \"mu\": 0.6 }],\n"
    "  \"bodies\": [\n"
    "    { \"name\": \"ground\", \"kind\": \"static\", \"shapes\": [{ \"shape\": \"halfspace\" }] },\n"
    "    { \"name\": \"box\", \"position\": [0, 0, 0.5],\n"
    "      \"shapes\": [{ \"shape\": \"box\", \"half\": [0.5, 0.5, 0.5], \"density\": 600 }],\n"
    "      \"repeat\": { \"count\": [1, 1, 8], \"spacing\": [0, 0, 1] } },\n"
    "    { \"name\": \"ball\", \"position\": [-6, 0, 4], \"velocity\": [12, 0, 2],\n"
    "      \"shapes\": [{ \"shape\": \"sphere\", \"radius\": 0.4, \"density\": 2000 }] }\n"
    "  ]\n"
    "}\n";
// clang-format on

// The text of the scene to begin with, to be freed. NULL after a message.
static char* starter_text(const char* from) {
  if (!from)
    return strdup(STARTER);
  char path[CLI_PATH_MAX];
  rgMessage message = {0};
  rgScene* scene = NULL;
  if (!cli_place_scene(from, path)) {
    cli_complain(&cli_new, "--from is '%s'; 'rigor list scenes' names those there are", from);
    return NULL;
  }
  if (rg_scene_read(path, &scene, &message) != RG_OK) {
    cli_complain(&cli_new, "%s", message.text);
    return NULL;
  }
  // With the meshes that it refers to: the copy stands by itself.
  char* text = cli_scene_text(scene);
  rg_scene_free(scene);
  if (!text)
    cli_complain(&cli_new, "not enough memory");
  return text;
}

// Writes a file that must not be there yet.
static int write_new(const char* path, const char* text) {
  FILE* file = fopen(path, "wx");
  if (!file)
    return errno == EEXIST
               ? cli_complain(&cli_new, "%s is there already; choose another name", path)
               : cli_complain(&cli_new, "%s cannot be written: %s", path, strerror(errno));
  bool written = fputs(text, file) >= 0;
  written = fclose(file) == 0 && written;
  if (written)
    return CLI_EXIT_OK;
  cli_complain(&cli_new, "%s cannot be written: %s", path, strerror(errno));
  remove(path);
  return CLI_EXIT_FAILED;
}

static int new_command(int argc, char** argv) {
  NewValues values = {0};
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_new, argc, argv, &values, &parsed, &exit_code))
    return exit_code;
  const char* name = parsed.operand[0];
  char path[CLI_PATH_MAX], shown[CLI_PATH_MAX];
  const char* ending = cli_ends_with(name, ".json") ? "" : ".json";
  if (snprintf(path, sizeof path, "%s%s", name, ending) >= CLI_PATH_MAX)
    return cli_complain(&cli_new, "the name is longer than %d bytes", CLI_PATH_MAX);
  char* text = starter_text(values.from);
  if (!text)
    return CLI_EXIT_INPUT;
  exit_code = write_new(path, text);
  free(text);
  cli_clean(path, shown, sizeof shown);
  if (exit_code == CLI_EXIT_OK)
    printf("wrote %s\n  rigor run %s     simulate it\n  rigor view %s    watch it in a browser\n",
           shown, shown, shown);
  return exit_code;
}

const CliCommand cli_new = {
    .name = "new",
    .operands = "NAME",
    .operand_min = 1,
    .operand_max = 1,
    .summary = "write a scene to begin with",
    .details =
        "Writes NAME.json, a small scene that runs as it is. A file that is there already is "
        "left alone.",
    .examples = "rigor new tower\ta tower of boxes and a ball\n"
                "rigor new mine --from dominoes\ta copy of a scene that comes with the command",
    .options = options,
    .run = new_command,
};
