// parse.c - command lines and help, both from the tables of a command and of the library.
#include "cli/command.h"
#include "cli/suggest.h"
#include "cli/system/input.h"
#include "cli/text/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { HELP_COLUMN = 26, NAME_MAX_LENGTH = 63, COMPLAINT_MAX = 8192 };

// One command line while it is read.
typedef struct Reader {
  const CliCommand* command;
  int argc;
  char** argv;
  int next;     // index of the word to read next
  void* values; // the command's struct
  CliParsed* parsed;
  bool help; // --help was met
} Reader;

bool cli_command_takes(const CliCommand* command, const rgOption* setting) {
  for (int i = 0; command->not_settings && command->not_settings[i]; ++i)
    if (strcmp(command->not_settings[i], setting->name) == 0)
      return false;
  return command->settings;
}

int cli_check_preset(const CliCommand* command, const char* preset) {
  rgOptions ignored;
  char names[CLI_TEXT_MAX] = "";
  const char* name;
  size_t used = 0;
  if (!preset || rg_options_preset(preset, &ignored))
    return CLI_EXIT_OK;
  for (int i = 0; (name = rg_preset_name(i)) && used < sizeof names; ++i)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", name);
  return cli_complain(command, "--preset is '%s', must be one of: %s", preset, names);
}

int cli_complain(const CliCommand* command, const char* format, ...) {
  char text[COMPLAINT_MAX];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  rg_utf8_clean(text); // names and words of the command line are from anywhere
  fprintf(stderr, "rigor %s: %s\n", command->name, text);
  return CLI_EXIT_INPUT;
}

// --- help --------------------------------------------------------------------------------------

// Prints "  LEFT   help ..." with the help in its own column, on a line of its own when LEFT is
// long.
static void print_entry(const char* left, const char* help) {
  int width = printf("  %s", left);
  if (width + 1 >= HELP_COLUMN)
    printf("\n%*s", HELP_COLUMN, "");
  else
    printf("%*s", HELP_COLUMN - width, "");
  cli_wrap(stdout, help, HELP_COLUMN, HELP_COLUMN);
}

static void print_option(const CliOption* option) {
  char left[CLI_TEXT_MAX], letter[8] = "";
  if (option->letter)
    snprintf(letter, sizeof letter, "-%c, ", option->letter);
  snprintf(left, sizeof left, "%s--%s%s%s", letter, option->name, option->value ? " " : "",
           option->value ? option->value : "");
  print_entry(left, option->help);
}

static void print_setting(const rgOption* option) {
  char flag[CLI_TEXT_MAX], range[CLI_TEXT_MAX], left[CLI_TEXT_MAX], help[3 * CLI_TEXT_MAX];
  cli_setting_flag(option, flag, sizeof flag);
  cli_setting_range(option, range, sizeof range);
  snprintf(left, sizeof left, "%s %s", flag, cli_setting_value_name(option));
  snprintf(help, sizeof help, "%s%s%s%s%s%s", option->help, option->unit[0] ? " [" : "",
           option->unit, option->unit[0] ? "]" : "", range[0] ? "; " : "", range);
  print_entry(left, help);
}

// The examples of a command, one a line: the command, then what it does on a line of its own.
static void print_examples(const CliCommand* command, const CliStyle* style) {
  printf("\n%sExamples%s\n", style->bold, style->plain);
  for (const char* line = command->examples; *line;) {
    size_t length = strcspn(line, "\n"), left = strcspn(line, "\t");
    printf("  %-42.*s  # %.*s\n", (int)left, line, (int)(length - left - 1), line + left + 1);
    line += length + (line[length] == '\n');
  }
}

void cli_print_help(const CliCommand* command) {
  CliStyle style = cli_style(stdout);
  printf("%srigor %s%s - %s\n\n", style.bold, command->name, style.plain, command->summary);
  printf("usage: rigor %s%s%s [OPTIONS]\n\n", command->name, command->operands[0] ? " " : "",
         command->operands);
  cli_wrap(stdout, command->details, 0, 0);
  printf("\n%sOptions%s\n", style.bold, style.plain);
  for (const CliOption* option = command->options; option->name; ++option)
    print_option(option);
  print_entry("-h, --help", "show this");
  if (command->settings)
    printf("\n%sOptions of the simulation%s, over those of the scene\n", style.bold, style.plain);
  const rgOption* setting;
  for (int i = 0; (setting = rg_option(i)); ++i)
    if (cli_command_takes(command, setting))
      print_setting(setting);
  print_examples(command, &style);
}

// --- reading -----------------------------------------------------------------------------------

static const CliOption* find_own(const CliCommand* command, const char* name, char letter) {
  for (const CliOption* option = command->options; option->name; ++option)
    if ((name && strcmp(option->name, name) == 0) || (letter && option->letter == letter))
      return option;
  return NULL;
}

static bool refuse_unknown(const Reader* reader, const char* word, const char* name) {
  const CliCommand* command = reader->command;
  char flags[CLI_SETTING_MAX][NAME_MAX_LENGTH + 1];
  CliSuggestion suggestion = cli_suggest_start(name);
  for (const CliOption* option = command->options; option->name; ++option)
    cli_suggest_offer(&suggestion, option->name);
  const rgOption* setting;
  for (int i = 0; i < CLI_SETTING_MAX && (setting = rg_option(i)); ++i) {
    if (!cli_command_takes(command, setting))
      continue;
    cli_setting_flag(setting, flags[i], sizeof flags[i]);
    cli_suggest_offer(&suggestion, flags[i] + 2);
  }
  cli_suggest_offer(&suggestion, "help");
  const char* best = cli_suggest_best(&suggestion);
  if (best)
    cli_complain(command, "unknown option %s; did you mean --%s?", word, best);
  else
    cli_complain(command, "unknown option %s; 'rigor %s --help' lists the options", word,
                 command->name);
  return false;
}

// The value of an option: what follows '=', or the next word.
static bool take_value(Reader* reader, const char* flag, const char* wanted, const char* attached,
                       const char** value) {
  *value = attached;
  if (attached)
    return true;
  bool missing = reader->next == reader->argc || strncmp(reader->argv[reader->next], "--", 2) == 0;
  if (missing) {
    cli_complain(reader->command, "%s needs a value: %s %s", flag, flag, wanted);
    return false;
  }
  *value = reader->argv[reader->next++];
  return true;
}

static bool store_number(Reader* reader, const CliOption* option, const char* flag,
                         const char* text) {
  void* field = (char*)reader->values + option->offset;
  bool whole = option->type == CLI_COUNT;
  double number = 0;
  bool good = cli_number(text, &number) && rg_range_holds(&option->range, number) &&
              !(whole && (floor(number) != number || number > (double)CLI_COUNT_MAX));
  if (!good) {
    char range[CLI_TEXT_MAX];
    rg_range_text(&option->range, range, sizeof range);
    cli_complain(reader->command, "%s is '%s', must be %s %s", flag, text,
                 whole ? "a whole number" : "a number", range);
    return false;
  }
  if (whole)
    *(int64_t*)field = (int64_t)number;
  else
    *(double*)field = number;
  return true;
}

static bool store_text(Reader* reader, const CliOption* option, const char* flag,
                       const char* text) {
  void* field = (char*)reader->values + option->offset;
  if (option->type == CLI_TEXT) {
    *(const char**)field = text;
    return true;
  }
  CliTexts* texts = field;
  if (texts->count == CLI_TEXTS_MAX) {
    cli_complain(reader->command, "%s is given more than %d times", flag, CLI_TEXTS_MAX);
    return false;
  }
  texts->items[texts->count++] = text;
  return true;
}

static bool store_own(Reader* reader, const CliOption* option, const char* flag,
                      const char* attached) {
  void* field = (char*)reader->values + option->offset;
  if (option->type == CLI_FLAG) {
    if (attached) {
      cli_complain(reader->command, "%s takes no value, but '%s' is given", flag, attached);
      return false;
    }
    *(bool*)field = true;
    return true;
  }
  const char* text;
  if (!take_value(reader, flag, option->value, attached, &text))
    return false;
  if (option->type != CLI_TEXT && option->type != CLI_TEXTS)
    return store_number(reader, option, flag, text);
  if (!text[0]) {
    cli_complain(reader->command, "%s is empty, must be %s", flag, option->value);
    return false;
  }
  return store_text(reader, option, flag, text);
}

static bool store_setting(Reader* reader, const rgOption* option, int index, const char* attached) {
  char flag[CLI_TEXT_MAX];
  const char* text;
  rgMessage message;
  cli_setting_flag(option, flag, sizeof flag);
  if (!take_value(reader, flag, cli_setting_value_name(option), attached, &text))
    return false;
  CliSettings* settings = &reader->parsed->settings;
  if (!cli_setting_parse(option, text, &settings->values, &message)) {
    cli_complain(reader->command, "%s", message.text);
    return false;
  }
  settings->given[index] = true;
  return true;
}

// --name, --name=value
static bool read_long(Reader* reader, const char* word) {
  char name[NAME_MAX_LENGTH + 1];
  const char* equals = strchr(word, '=');
  const char* attached = equals ? equals + 1 : NULL;
  size_t length = equals ? (size_t)(equals - word) : strlen(word);
  snprintf(name, sizeof name, "%.*s", (int)length - 2, word + 2);
  if (strcmp(name, "help") == 0 && !attached) {
    reader->help = true;
    return true;
  }

  int index;
  const CliOption* own = find_own(reader->command, name, 0);
  const rgOption* setting = cli_setting_find(name, &index);
  char flag[NAME_MAX_LENGTH + 3];
  snprintf(flag, sizeof flag, "--%s", name);
  if (own)
    return store_own(reader, own, flag, attached);
  if (setting && cli_command_takes(reader->command, setting))
    return store_setting(reader, setting, index, attached);
  return refuse_unknown(reader, flag, name);
}

// -x, -x value, -xvalue
static bool read_short(Reader* reader, const char* word) {
  if (strcmp(word, "-h") == 0) {
    reader->help = true;
    return true;
  }
  const CliOption* own = find_own(reader->command, NULL, word[1]);
  if (!own)
    return refuse_unknown(reader, word, word + 1);
  char flag[3] = {'-', word[1], '\0'};
  return store_own(reader, own, flag, word[2] ? word + 2 : NULL);
}

static bool read_operand(Reader* reader, char* word) {
  CliParsed* parsed = reader->parsed;
  if (parsed->operand_count == reader->command->operand_max) {
    cli_complain(reader->command, "'%s' is one too many; usage: rigor %s %s [OPTIONS]", word,
                 reader->command->name, reader->command->operands);
    return false;
  }
  parsed->operand[parsed->operand_count++] = word;
  return true;
}

static bool read_words(Reader* reader) {
  bool only_operands = false; // after "--"
  while (reader->next < reader->argc && !reader->help) {
    char* word = reader->argv[reader->next++];
    bool good;
    if (!only_operands && strcmp(word, "--") == 0)
      good = only_operands = true;
    else if (!only_operands && strncmp(word, "--", 2) == 0)
      good = read_long(reader, word);
    else if (!only_operands && word[0] == '-' && word[1])
      good = read_short(reader, word);
    else
      good = read_operand(reader, word);
    if (!good)
      return false;
  }
  return true;
}

// The scene as a path: the standard input for "-", the file of one that comes with the command.
static bool place_scene(const CliCommand* command, CliParsed* parsed) {
  if (strcmp(parsed->operand[0], "-") == 0) {
    const char* path = cli_standard_input();
    if (!path) {
      cli_complain(command, "the standard input cannot be read");
      return false;
    }
    snprintf(parsed->scene, sizeof parsed->scene, "%s", path);
    parsed->operand[0] = parsed->scene;
  } else if (cli_place_scene(parsed->operand[0], parsed->scene)) {
    parsed->operand[0] = parsed->scene;
  }
  return true;
}

bool cli_parse(const CliCommand* command, int argc, char** argv, void* values, CliParsed* parsed,
               int* exit_code) {
  *parsed = (CliParsed){.operand = argv};
  Reader reader = {
      .command = command, .argc = argc, .argv = argv, .values = values, .parsed = parsed};
  *exit_code = CLI_EXIT_INPUT;
  if (!read_words(&reader))
    return false;
  if (reader.help) {
    cli_print_help(command);
    *exit_code = CLI_EXIT_OK;
    return false;
  }
  if (parsed->operand_count < command->operand_min) {
    cli_complain(command, "%s is missing; usage: rigor %s %s [OPTIONS]", command->operands,
                 command->name, command->operands);
    return false;
  }
  return !command->scenes || place_scene(command, parsed);
}
