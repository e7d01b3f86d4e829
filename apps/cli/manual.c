// manual.c - `rigor manual`: the manual page and the completion of shells, from the tables of the
// commands and of the library, so that they cannot fall behind.
#include "cli/command.h"
#include "cli/text/text.h"

#include <string.h>

static const CliOption options[] = {{0}};

// --- manual page ---------------------------------------------------------------------------------

// Text as roff shows it: no escapes of its own, no hyphen where a minus was typed, no line that
// looks like a request.
static void put_roff(const char* text) {
  bool start = true;
  for (const char* c = text; *c; ++c) {
    if (start && (*c == '.' || *c == '\''))
      fputs("\\&", stdout);
    if (*c == '\\')
      fputs("\\e", stdout);
    else if (*c == '-')
      fputs("\\-", stdout);
    else if (*c == '\n')
      fputs("\n.PP\n", stdout);
    else
      putchar(*c);
    start = *c == '\n';
  }
}

static void put_roff_entry(const char* flag, const char* value, const char* help) {
  fputs(".TP\n\\fB", stdout);
  put_roff(flag);
  fputs("\\fR", stdout);
  if (value) {
    fputs(" \\fI", stdout);
    put_roff(value);
    fputs("\\fR", stdout);
  }
  putchar('\n');
  put_roff(help);
  putchar('\n');
}

static void put_roff_examples(const CliCommand* command) {
  for (const char* line = command->examples; *line;) {
    size_t length = strcspn(line, "\n"), left = strcspn(line, "\t");
    char call[CLI_TEXT_MAX], help[CLI_TEXT_MAX];
    snprintf(call, sizeof call, "%.*s", (int)left, line);
    snprintf(help, sizeof help, "%.*s", (int)(length - left - 1), line + left + 1);
    put_roff_entry(call, NULL, help);
    line += length + (line[length] == '\n');
  }
}

static void put_roff_command(const CliCommand* command) {
  printf(".SS rigor %s %s\n", command->name, command->operands);
  put_roff(command->details);
  putchar('\n');
  for (const CliOption* option = command->options; option->name; ++option) {
    char flag[CLI_TEXT_MAX];
    if (option->letter)
      snprintf(flag, sizeof flag, "-%c, --%s", option->letter, option->name);
    else
      snprintf(flag, sizeof flag, "--%s", option->name);
    put_roff_entry(flag, option->value, option->help);
  }
  if (command->settings)
    printf(".PP\nTakes the options of the simulation as well.\n");
  put_roff_examples(command);
}

static void put_man(void) {
  const CliCommand* command;
  const rgOption* setting;
  printf(".TH RIGOR 1 \"\" \"rigor %s\" \"User Commands\"\n.SH NAME\n", rg_version());
  put_roff("rigor - simulate rigid bodies with contact and friction, every step certified\n");
  printf(".SH SYNOPSIS\n.B rigor\n.I COMMAND\n.RI [ OPTIONS ]\n.SH COMMANDS\n");
  for (int i = 0; (command = cli_command(i)); ++i)
    put_roff_command(command);
  printf(".SH OPTIONS OF THE SIMULATION\n");
  for (int i = 0; (setting = rg_option(i)); ++i) {
    char flag[CLI_TEXT_MAX];
    cli_setting_flag(setting, flag, sizeof flag);
    put_roff_entry(flag, cli_setting_value_name(setting), setting->help);
  }
  printf(".SH EXIT STATUS\n");
  put_roff_entry("0", NULL, "success");
  put_roff_entry("1", NULL, "some step did not meet the tolerance, or a check found something");
  put_roff_entry("2", NULL, "wrong usage or wrong input; nothing was run");
  put_roff_entry("3", NULL, "could not go on: full disk, not enough memory, numbers out of range");
  put_roff_entry("130", NULL, "interrupted; files are complete");
}

// --- completion ----------------------------------------------------------------------------------

// Calls `put` for every option of a command: its flag, its help, and the words it takes, or NULL.
typedef void PutOption(const CliCommand* command, const char* flag, const char* help,
                       const rgOption* setting, const char* value);

static void each_option(const CliCommand* command, PutOption* put) {
  for (const CliOption* option = command->options; option->name; ++option)
    put(command, option->name, option->help, NULL, option->value);
  const rgOption* setting;
  for (int i = 0; (setting = rg_option(i)); ++i) {
    char flag[CLI_TEXT_MAX];
    cli_setting_flag(setting, flag, sizeof flag);
    if (cli_command_takes(command, setting))
      put(command, flag + 2, setting->help, setting, cli_setting_value_name(setting));
  }
  put(command, "help", "show the help", NULL, NULL);
}

static void put_words(const rgOption* setting) {
  const char* word;
  for (int i = 0; (word = setting->names(i)); ++i)
    printf("%s%s", i ? " " : "", word);
}

static void put_bash_flag(const CliCommand* command, const char* flag, const char* help,
                          const rgOption* setting, const char* value) {
  (void)command, (void)help, (void)setting, (void)value;
  printf(" --%s", flag);
}

// The words of options that are chosen by name are the same in every command.
static void put_bash_values(void) {
  const rgOption* setting;
  for (int i = 0; (setting = rg_option(i)); ++i) {
    char flag[CLI_TEXT_MAX];
    cli_setting_flag(setting, flag, sizeof flag);
    if (!setting->names)
      continue;
    printf("    %s) COMPREPLY=($(compgen -W '", flag);
    put_words(setting);
    printf("' -- \"$word\")); return ;;\n");
  }
}

static void put_bash(void) {
  const CliCommand* command;
  printf(
      "# bash completion of rigor, from its tables: rigor manual bash\n"
      "_rigor() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} options= scenes=\n"
      "  case $last in\n");
  put_bash_values();
  printf("  esac\n  if ((COMP_CWORD == 1)); then\n    COMPREPLY=($(compgen -W '");
  for (int i = 0; (command = cli_command(i)); ++i)
    printf("%s ", command->name);
  printf("help' -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (int i = 0; (command = cli_command(i)); ++i) {
    printf("    %s) options='", command->name);
    each_option(command, put_bash_flag);
    printf("'%s ;;\n", command->scenes ? " scenes=1" : "");
  }
  printf("  esac\n"
         "  if [[ $word == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
         "  else\n"
         "    [[ $scenes ]] && scenes=$(rigor list scenes --names 2>/dev/null)\n"
         "    COMPREPLY=($(compgen -W \"$scenes\" -- \"$word\") $(compgen -f -- \"$word\"))\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F _rigor rigor\n");
}

// Text within single quotes of a shell.
static void put_quoted(const char* text, const char* left_out) {
  for (; *text; ++text)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (*text == '\n')
      putchar(' ');
    else if (!strchr(left_out, *text))
      putchar(*text);
}

static void put_zsh_option(const CliCommand* command, const char* flag, const char* help,
                           const rgOption* setting, const char* value) {
  (void)command;
  printf("      '--%s[", flag);
  put_quoted(help, "[]:\\");
  printf("]");
  if (setting && setting->names) {
    printf(":%s:(", value);
    put_words(setting);
    printf(")");
  } else if (value) {
    printf(":%s:_files", value);
  }
  printf("' \\\n");
}

static void put_zsh(void) {
  const CliCommand* command;
  printf("#compdef rigor\n# zsh completion of rigor, from its tables: rigor manual zsh\n"
         "_rigor_scenes() {\n  _alternative \"scenes:scene:($(rigor list scenes --names "
         "2>/dev/null))\" 'files:file:_files'\n}\n"
         "_rigor() {\n  if ((CURRENT == 2)); then\n    local -a commands=(\n");
  for (int i = 0; (command = cli_command(i)); ++i) {
    printf("      '%s:", command->name);
    put_quoted(command->summary, ":");
    printf("'\n");
  }
  printf("    )\n    _describe command commands\n    return\n  fi\n"
         "  local name=$words[2]\n  shift words\n  ((CURRENT--))\n  case $name in\n");
  for (int i = 0; (command = cli_command(i)); ++i) {
    printf("    %s) _arguments \\\n", command->name);
    each_option(command, put_zsh_option);
    printf("      '*:file:%s' ;;\n", command->scenes ? "_rigor_scenes" : "_files");
  }
  printf("  esac\n}\n_rigor \"$@\"\n");
}

static void put_fish_option(const CliCommand* command, const char* flag, const char* help,
                            const rgOption* setting, const char* value) {
  printf("complete -c rigor -n '__fish_seen_subcommand_from %s' -l %s", command->name, flag);
  if (setting && setting->names) {
    printf(" -x -a '");
    put_words(setting);
    printf("'");
  } else if (value) {
    printf(" -r");
  }
  printf(" -d '");
  put_quoted(help, "\\");
  printf("'\n");
}

static void put_fish(void) {
  const CliCommand* command;
  printf("# fish completion of rigor, from its tables: rigor manual fish\n");
  for (int i = 0; (command = cli_command(i)); ++i) {
    printf("complete -c rigor -n __fish_use_subcommand -a %s -d '", command->name);
    put_quoted(command->summary, "\\");
    printf("'\n");
    if (command->scenes)
      printf("complete -c rigor -n '__fish_seen_subcommand_from %s' -a '(rigor list scenes --names "
             "2>/dev/null)'\n",
             command->name);
    each_option(command, put_fish_option);
  }
}

// --- the command ---------------------------------------------------------------------------------

static const struct Manual {
  const char* name;
  void (*put)(void);
} manuals[] = {{"man", put_man}, {"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};

static int manual_command(int argc, char** argv) {
  CliParsed parsed;
  int exit_code;
  if (!cli_parse(&cli_manual, argc, argv, NULL, &parsed, &exit_code))
    return exit_code;
  const char* name = parsed.operand_count > 0 ? parsed.operand[0] : manuals[0].name;
  for (size_t i = 0; i < sizeof manuals / sizeof manuals[0]; ++i)
    if (strcmp(manuals[i].name, name) == 0) {
      manuals[i].put();
      return CLI_EXIT_OK;
    }
  return cli_complain(&cli_manual, "unknown form '%s', must be one of: man, bash, zsh, fish", name);
}

const CliCommand cli_manual = {
    .name = "manual",
    .operands = "[FORM]",
    .operand_max = 1,
    .summary = "print the manual page, or the completion for a shell",
    .details =
        "Forms: man (the default), which is the manual page; bash, zsh and fish, scripts that "
        "complete commands, options and names of scenes in that shell. 'make install' "
        "installs all four.",
    .examples = "rigor manual | man -l -\tread the manual page\n"
                "source <(rigor manual bash)\tcomplete in this shell",
    .options = options,
    .run = manual_command,
};
