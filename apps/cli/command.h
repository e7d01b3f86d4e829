// command.h - what a command of `rigor` is, and the parsing and help that come from its tables.
//
// A command is one file that ends in a const descriptor; commands.c lists them. Its own options are
// a table of CliOption whose values land in a struct of the command; a command with `settings` also
// takes every option of the library's table (rg_option) as --name VALUE.
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/settings.h"
#include "cli/system/place.h"

// How a command ends. Documented in docs/command.md; scripts depend on them.
enum {
  CLI_EXIT_OK = 0,
  CLI_EXIT_DOUBT = 1,  // ran, but the tolerance was not met in some step; check --strict: remarks
  CLI_EXIT_INPUT = 2,  // wrong usage or a scene that is refused
  CLI_EXIT_FAILED = 3, // could not go on: disk full, not enough memory, a state that is not finite
  CLI_EXIT_INTERRUPTED = 130 // ended by Ctrl-C or SIGTERM, files are complete
};

typedef enum CliType {
  CLI_FLAG,  // bool: present or not
  CLI_TEXT,  // const char*
  CLI_REAL,  // double
  CLI_COUNT, // int64_t
  CLI_TEXTS, // CliTexts: may be given several times
} CliType;

enum { CLI_TEXTS_MAX = 64 };
// The values of an option that may be given several times, in their order.
typedef struct CliTexts {
  const char* items[CLI_TEXTS_MAX];
  int count;
} CliTexts;

typedef struct CliOption {
  const char* name; // without the dashes; NULL ends a table
  char letter;      // one-letter form, 0 = none
  CliType type;
  const char* value; // what stands for the value in the help, e.g. "FILE"
  size_t offset;     // in the command's struct
  rgRange range;     // of CLI_REAL and CLI_COUNT
  const char* help;
} CliOption;

enum { CLI_OPERAND_MANY = 1 << 20 };     // as many as a command line holds
#define CLI_COUNT_MAX (INT64_C(1) << 53) // whole numbers are exact in a double up to here

typedef struct CliCommand {
  const char* name;
  const char* operands; // for the usage line, e.g. "SCENE"
  int operand_min, operand_max;
  const char* summary;             // one line
  const char* details;             // paragraphs for --help, each one line
  const char* examples;            // lines "command\twhat it does" that close --help
  const CliOption* options;        // ended by a NULL name
  bool scenes;                     // its operand may be the name of an installed scene
  bool settings;                   // takes the options of rg_option too
  const char* const* not_settings; // but for these names, ended by NULL; NULL = takes all
  int (*run)(int argc, char** argv);
} CliCommand;

// The table of commands; NULL past the end.
const CliCommand* cli_command(int index);

typedef struct CliParsed {
  char** operand; // the front of argv, where they are moved to
  int operand_count;
  CliSettings settings;
  char scene[CLI_PATH_MAX]; // of an operand that named an installed scene: the path of its file
} CliParsed;

// Parses what follows the command's name into `values` (the command's struct, holding its defaults)
// and `parsed`. False when the command should end at once with *exit_code: after --help, or after a
// mistake, which has then been explained on stderr.
bool cli_parse(const CliCommand* command, int argc, char** argv, void* values, CliParsed* parsed,
               int* exit_code);

void cli_print_help(const CliCommand* command);
// Whether the command takes this option of the library.
bool cli_command_takes(const CliCommand* command, const rgOption* setting);

// CLI_EXIT_OK when there is such a preset, or none is given (NULL); otherwise complains with the list.
int cli_check_preset(const CliCommand* command, const char* preset);

// "rigor NAME: text" on stderr; returns CLI_EXIT_INPUT.
int cli_complain(const CliCommand* command, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

extern const CliCommand cli_run, cli_compare, cli_choose, cli_check, cli_doctor, cli_solve,
    cli_motion, cli_stand, cli_sweep, cli_rest, cli_character, cli_reproduce, cli_list, cli_view,
    cli_render, cli_new, cli_import, cli_manual;

#endif
