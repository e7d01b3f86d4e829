// page.c - the page that `make page` has made, with a scene put into it.
#include "cli/view/page.h"

#include "cli/system/files.h"
#include "cli/text/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where the scene goes: what stands between the two is replaced.
static const char PLACE_START[] = "<script id=\"rigor-given\" type=\"application/json\">";
static const char PLACE_END[] = "</script>";

char* cli_page_find(void) {
  static const char* const places[] = {"page.html", "../share/rigor/page.html", NULL};
  char path[CLI_PATH_MAX];
  return cli_place_find(places, "", path) ? strdup(path) : NULL;
}

// A member with a text, when there is one.
static void write_text(FILE* stream, const char* key, const char* text) {
  if (!text)
    return;
  fprintf(stream, ",\"%s\":", key);
  cli_json_string(stream, text, true);
}

static void write_given(FILE* stream, const CliGiven* given, const char* text) {
  const char *path = given->parsed->operand[0], *slash = strrchr(path, '/');
  fputs("{\"name\":", stream);
  cli_json_string(stream, slash ? slash + 1 : path, true);
  write_text(stream, "text", text);
  write_text(stream, "run", given->run.table);
  write_text(stream, "contacts", given->run.contacts);
  write_text(stream, "certificate", given->run.certificate);
  fputc('}', stream);
}

static int write_page(const CliGiven* given, const char* page, const char* text, const char* path) {
  const char* start = strstr(page, PLACE_START);
  const char* end = start ? strstr(start, PLACE_END) : NULL;
  if (!end)
    return cli_complain(given->command,
                        "the page has no place for a scene; build it again: make page");
  rgMessage message = {0};
  rgOutput* output;
  if (rg_output_open(path, &output, &message) != RG_OK)
    return cli_complain(given->command, "%s", message.text);
  FILE* stream = rg_output_stream(output);
  start += sizeof PLACE_START - 1;
  fwrite(page, 1, (size_t)(start - page), stream);
  write_given(stream, given, text);
  fputs(end, stream);
  if (rg_output_commit(output, &message) == RG_OK)
    return CLI_EXIT_OK;
  cli_complain(given->command, "%s", message.text);
  return CLI_EXIT_FAILED;
}

int cli_page_write(const CliGiven* given, const char* empty, const char* output) {
  if (!empty)
    return cli_complain(given->command, "the empty page has not been built: run 'make page', or "
                                        "name one with --page FILE");
  char* page = cli_read_file(empty);
  if (!page)
    return cli_complain(given->command, "--page %s cannot be read", empty);
  char* text = cli_scene_text(given->scene);
  int exit_code = CLI_EXIT_FAILED;
  if (text)
    exit_code = write_page(given, page, text, output);
  else
    cli_complain(given->command, "not enough memory");
  free(text);
  free(page);
  return exit_code;
}
