// commands.c - the table of commands, in the order in which the help shows them.
#include "cli/command.h"

static const CliCommand* const table[] = {
    &cli_run,    &cli_compare, &cli_choose, &cli_check,     &cli_doctor,    &cli_solve,
    &cli_motion, &cli_stand,   &cli_sweep,  &cli_rest,      &cli_character, &cli_view,
    &cli_render, &cli_new,     &cli_import, &cli_reproduce, &cli_list,      &cli_manual};

const CliCommand* cli_command(int index) {
  int count = sizeof table / sizeof table[0];
  return index >= 0 && index < count ? table[index] : NULL;
}
