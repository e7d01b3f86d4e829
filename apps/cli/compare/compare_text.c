// compare_text.c - the results of `rigor compare` for people: two tables of at most 100 columns.
#include "cli/compare/compare.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_GAP = 2, CELL = 32, REASON_INDENT = 4 };

// --- tables ------------------------------------------------------------------------------------

typedef struct Widths {
  int name[CLI_CHOICE_COUNT];
  int all; // of the names together
} Widths;

static Widths find_widths(const CliComparison* comparison) {
  Widths widths = {.all = 0};
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c) {
    int width = (int)strlen(cli_choice_name[c]);
    for (int i = 0; i < comparison->name_count[c]; ++i) {
      int length = (int)strlen(comparison->names[c][i]);
      width = length > width ? length : width;
    }
    widths.name[c] = width + (c + 1 < CLI_CHOICE_COUNT ? NAME_GAP : 0);
    widths.all += widths.name[c];
  }
  return widths;
}

static void print_head(const CliStyle* style, const Widths* widths, int first, int count) {
  printf("\n%s", style->dim);
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    printf("%-*s", widths->name[c], cli_choice_name[c]);
  for (int i = first; i < first + count; ++i)
    printf("%*s", cli_compare_column(i)->width, cli_compare_column(i)->head);
  printf("\n%*s", widths->all, "");
  for (int i = first; i < first + count; ++i)
    printf("%*s", cli_compare_column(i)->width, cli_compare_column(i)->unit);
  printf("%s\n", style->plain);
}

static void print_names(const Widths* widths, const CliCombination* combination) {
  for (int c = 0; c < CLI_CHOICE_COUNT; ++c)
    printf("%-*s", widths->name[c], combination->name[c]);
}

static void print_row(const CliComparison* comparison, const CliCombination* combination, int first,
                      int count, const CliStyle* style) {
  for (int i = first; i < first + count; ++i) {
    const CliCompareColumn* column = cli_compare_column(i);
    char cell[CELL];
    bool bad = column->doubtful && combination->summary.not_met > 0;
    cli_compare_cell(column, comparison, combination, cell, sizeof cell);
    printf("%s%*s%s", bad ? style->bad : "", column->width, cell, bad ? style->plain : "");
  }
  putchar('\n');
}

// The number of a reason among those that differ, from 1 on; 0 when there is none.
static int reason_number(const CliComparison* comparison, int index) {
  const char* reason = comparison->combinations[index].summary.reason.text;
  int number = 1;
  if (!reason[0])
    return 0;
  for (int i = 0; i < index; ++i) {
    const char* other = comparison->combinations[i].summary.reason.text;
    if (strcmp(other, reason) == 0)
      return reason_number(comparison, i);
    bool is_new = other[0] != '\0';
    for (int k = 0; is_new && k < i; ++k)
      is_new = strcmp(comparison->combinations[k].summary.reason.text, other) != 0;
    number += is_new;
  }
  return number;
}

// In place of numbers; the reason is told below the table, once for all that share it.
static void print_remark(const CliComparison* comparison, int index, const CliStyle* style) {
  const CliCombination* combination = &comparison->combinations[index];
  char remark[CLI_TEXT_MAX];
  cli_combination_remark(comparison, combination, remark, sizeof remark);
  int reason = reason_number(comparison, index);
  bool failed = combination->fate == CLI_FATE_FAILED;
  printf("%*s%s%s", NAME_GAP, "", failed ? style->bad : style->dim, remark);
  if (reason > 0)
    printf(" [%d]", reason);
  printf("%s\n", style->plain);
}

static void print_reasons(const CliComparison* comparison, const CliStyle* style) {
  int told = 0;
  for (int i = 0; i < comparison->count; ++i) {
    int number = reason_number(comparison, i);
    char reason[sizeof comparison->combinations[i].summary.reason.text];
    if (number <= told)
      continue;
    cli_clean(comparison->combinations[i].summary.reason.text, reason, sizeof reason);
    printf("%s%s[%d] ", told == 0 ? "\n" : "", style->dim, number);
    cli_wrap(stdout, reason, REASON_INDENT, REASON_INDENT);
    fputs(style->plain, stdout);
    told = number;
  }
}

// Stages that steps missed, which no column shows: why steps are not met although their residual
// is small.
static void print_stages(const CliComparison* comparison, const CliStyle* style) {
  static const bool all[CLI_CHOICE_COUNT] = {true, true, true};
  bool told = false;
  for (int i = 0; i < comparison->count; ++i)
    for (int stage = 0; stage < RG_STAGE_COUNT; ++stage) {
      const CliCombination* combination = &comparison->combinations[i];
      char missed[2 * CLI_TEXT_MAX], name[CLI_TEXT_MAX], text[4 * CLI_TEXT_MAX];
      cli_summary_stage(&combination->summary, stage, missed, sizeof missed);
      if (!missed[0])
        continue;
      cli_combination_label(combination, all, name, sizeof name);
      snprintf(text, sizeof text, "%s: %s: %s", name, rg_stage_name((rgStage)stage), missed);
      printf("%s%s", told ? "" : "\n", style->bad);
      cli_wrap(stdout, text, 0, REASON_INDENT);
      fputs(style->plain, stdout);
      told = true;
    }
}

// Whether some stepper has more than one row: then groups are set apart.
static bool is_grouped(const CliComparison* comparison, bool remarks) {
  const char* last = NULL;
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    if (combination->fate != CLI_FATE_RAN && !remarks)
      continue;
    if (last == combination->name[CLI_CHOICE_STEPPER])
      return true;
    last = combination->name[CLI_CHOICE_STEPPER];
  }
  return false;
}

// Columns `first` to `first + count`; combinations without numbers are told of in one table only.
static void print_table(const CliComparison* comparison, int first, int count, bool remarks) {
  CliStyle style = cli_style(stdout);
  Widths widths = find_widths(comparison);
  bool grouped = is_grouped(comparison, remarks);
  const char* stepper = NULL;
  print_head(&style, &widths, first, count);
  for (int i = 0; i < comparison->count; ++i) {
    const CliCombination* combination = &comparison->combinations[i];
    bool ran = combination->fate == CLI_FATE_RAN;
    if (!ran && !remarks)
      continue;
    if (grouped && stepper && stepper != combination->name[CLI_CHOICE_STEPPER])
      putchar('\n');
    stepper = combination->name[CLI_CHOICE_STEPPER];
    print_names(&widths, combination);
    if (ran)
      print_row(comparison, combination, first, count, &style);
    else
      print_remark(comparison, i, &style);
  }
}

void cli_comparison_print(const CliComparison* comparison) {
  CliStyle style = cli_style(stdout);
  CliTally tally = cli_comparison_tally(comparison);
  char text[CLI_TEXT_MAX];
  cli_clean(rg_scene_title(comparison->scene), text, sizeof text);
  if (text[0])
    printf("%s%s%s\n", style.bold, text, style.plain);
  cli_clean(comparison->scene_path, text, sizeof text);
  printf("%s: %g s in %" PRId64 " step%s of %g s, tolerance %g\n", text, comparison->time,
         comparison->planned, comparison->planned == 1 ? "" : "s", comparison->options.step,
         comparison->options.tolerance);
  print_table(comparison, 0, CLI_COMPARE_FIRST, true);
  print_reasons(comparison, &style);
  print_stages(comparison, &style);
  if (tally.ran > 0) {
    print_table(comparison, CLI_COMPARE_FIRST, CLI_COMPARE_COLUMNS - CLI_COMPARE_FIRST, false);
    char legend[3 * CLI_TEXT_MAX];
    cli_comparison_legend(comparison, legend, sizeof legend);
    printf("\n%s", style.dim);
    cli_wrap(stdout, legend, 0, 0);
    fputs(style.plain, stdout);
  }
  char sentence[CLI_TEXT_MAX];
  cli_comparison_sentence(comparison, sentence, sizeof sentence);
  bool good = tally.ran + tally.refused == comparison->count && tally.ran > 0 && tally.not_met == 0;
  printf("\n%s", good ? style.good : style.bad);
  cli_wrap(stdout, sentence, 0, 0);
  fputs(style.plain, stdout);
}
