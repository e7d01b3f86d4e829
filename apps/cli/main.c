// main.c - the command `rigor`: finds the command in the table and runs it.
#include "cli/command.h"
#include "cli/suggest.h"
#include "cli/text/text.h"

#include <signal.h>
#include <string.h>

static void print_overview(void) {
  CliStyle style = cli_style(stdout);
  printf("%srigor%s %s - rigid bodies with contact and friction, every step certified\n\n",
         style.bold, style.plain, rg_version());
  printf("usage: rigor COMMAND [OPTIONS]\n\n");
  const CliCommand* command;
  for (int i = 0; (command = cli_command(i)); ++i) {
    char left[CLI_TEXT_MAX];
    snprintf(left, sizeof left, "%s %s", command->name, command->operands);
    printf("  %-22s %s\n", left, command->summary);
  }
  printf("\n'rigor COMMAND --help' explains a command; 'rigor --version' prints the version.\n");
}

static const CliCommand* find_command(const char* name) {
  const CliCommand* command;
  for (int i = 0; (command = cli_command(i)); ++i)
    if (strcmp(command->name, name) == 0)
      return command;
  return NULL;
}

static int refuse_command(const char* word) {
  bool option = word[0] == '-';
  CliSuggestion suggestion = cli_suggest_start(word);
  const CliCommand* command;
  for (int i = 0; !option && (command = cli_command(i)); ++i)
    cli_suggest_offer(&suggestion, command->name);
  for (int i = 0; option && i < 2; ++i)
    cli_suggest_offer(&suggestion, i ? "--version" : "--help");
  fprintf(stderr, "rigor: unknown %s '%s'", option ? "option" : "command", word);
  const char* best = cli_suggest_best(&suggestion);
  if (best)
    fprintf(stderr, "; did you mean '%s'?\n", best);
  else
    fprintf(stderr, "; 'rigor --help' lists the commands\n");
  return CLI_EXIT_INPUT;
}

static int dispatch(int argc, char** argv) {
  if (argc < 2) {
    print_overview();
    return CLI_EXIT_OK;
  }
  const char* word = argv[1];
  if (strcmp(word, "--version") == 0) {
    printf("rigor %s\n", rg_version());
    return CLI_EXIT_OK;
  }
  bool help = strcmp(word, "help") == 0;
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && argc == 2)) {
    print_overview();
    return CLI_EXIT_OK;
  }
  const char* name = help ? argv[2] : word;
  const CliCommand* command = find_command(name);
  if (!command)
    return refuse_command(name);
  if (help) {
    cli_print_help(command);
    return CLI_EXIT_OK;
  }
  return command->run(argc - 2, argv + 2);
}

int main(int argc, char** argv) {
  signal(SIGXFSZ, SIG_IGN); // a limit on the size of files is reported like a full disk
  int exit_code = dispatch(argc, argv);
  // Output that did not reach its file must not look like success.
  if (fflush(stdout) != 0 || ferror(stdout)) {
    perror("rigor: standard output cannot be written");
    return CLI_EXIT_FAILED;
  }
  return exit_code;
}
