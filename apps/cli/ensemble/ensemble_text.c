// ensemble_text.c - what an ensemble has given, for people.
#include "cli/ensemble/ensemble.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void cli_ensemble_sentence(const CliEnsemble* ensemble, char* text, size_t size) {
  int64_t counts[CLI_FINISH_COUNT];
  cli_tally_finishes(ensemble, counts);
  int64_t wanted = cli_ensemble_wanted(ensemble), made = wanted - counts[CLI_FINISH_NONE];
  size_t used = 0;
  if (counts[CLI_FINISH_NONE] > 0)
    used = (size_t)snprintf(text, size, "INTERRUPTED after %" PRId64 " of %" PRId64 " runs. ", made,
                            wanted);
  used += (size_t)snprintf(text + used, size - used,
                           "%" PRId64 " of %" PRId64 " runs met the tolerance in every step",
                           counts[CLI_FINISH_MET], made);
  if (counts[CLI_FINISH_NOT_MET] > 0 && used < size)
    used += (size_t)snprintf(text + used, size - used, ", %" PRId64 " did NOT",
                             counts[CLI_FINISH_NOT_MET]);
  if (counts[CLI_FINISH_FAILED] > 0 && used < size)
    used += (size_t)snprintf(text + used, size - used, ", %" PRId64 " FAILED",
                             counts[CLI_FINISH_FAILED]);
  if (counts[CLI_FINISH_REFUSED] > 0 && used < size)
    used += (size_t)snprintf(text + used, size - used, ", %" PRId64 " were REFUSED",
                             counts[CLI_FINISH_REFUSED]);
  if (used < size)
    snprintf(text + used, size - used, ".");
}

static void print_mean(const CliEnsemble* ensemble, const CliColumn* column, const CliTallied* of) {
  rgInterval interval = rg_moments_interval(&of->moments, ensemble->confidence);
  if (of->moments.count == 0) {
    printf("  no run has a value\n");
    return;
  }
  printf("  %10.5g  %10.5g .. %-10.5g  %10.4g  %10.4g  %10.4g  %s", of->moments.mean,
         interval.lower, interval.upper, rg_moments_deviation(&of->moments), of->moments.least,
         of->moments.largest, column->unit);
  if (of->missing > 0)
    printf("  (%" PRId64 " runs have none)", of->missing);
  printf("\n");
}

static void print_classes(const CliEnsemble* ensemble, const CliColumn* column,
                          const CliTallied* of) {
  int64_t runs = of->moments.count + of->missing;
  for (int i = 0; i < column->class_count; ++i) {
    rgInterval interval = cli_tally_class(ensemble, of, i);
    if (of->classes[i] == 0)
      continue;
    printf("    %-22.60s  %9.2f %%  %8.2f .. %.2f %%  %" PRId64 " of %" PRId64 "\n",
           column->class_name(ensemble->context, i), 100.0 * (double)of->classes[i] / (double)runs,
           100 * interval.lower, 100 * interval.upper, of->classes[i], runs);
  }
  if (of->missing > 0)
    printf("    %-22s  %9.2f %%  %" PRId64 " of %" PRId64 "\n", "without a value",
           100.0 * (double)of->missing / (double)runs, of->missing, runs);
}

static void print_column(const CliEnsemble* ensemble, const CliTallied* tallied, int c) {
  const CliColumn* column = &ensemble->columns[c];
  const CliTallied* of = &tallied[c];
  if (column->kind == CLI_COLUMN_CLASS) {
    printf("  %s\n", column->name);
    print_classes(ensemble, column, of);
    return;
  }
  printf("  %-24.60s", column->name);
  if (column->kind != CLI_COLUMN_SHARE) {
    print_mean(ensemble, column, of);
    return;
  }
  int64_t runs = of->moments.count + of->missing;
  rgInterval interval = cli_tally_class(ensemble, of, 1);
  printf("  %8.2f %%  %8.2f .. %.2f %%  %" PRId64 " of %" PRId64 "\n",
         runs > 0 ? 100.0 * (double)of->classes[1] / (double)runs : 0.0, 100 * interval.lower,
         100 * interval.upper, of->classes[1], runs);
}

void cli_ensemble_print(const CliEnsemble* ensemble, const CliTallied* tallied) {
  CliStyle style = cli_style(stdout);
  char text[CLI_TEXT_MAX];
  printf("%s  %-24s  %10s  %10.3g %% interval      %10s  %10s  %10s%s\n", style.dim, "", "mean",
         100 * ensemble->confidence, "deviation", "least", "largest", style.plain);
  for (int c = 0; c < ensemble->column_count; ++c)
    print_column(ensemble, tallied, c);
  cli_ensemble_sentence(ensemble, text, sizeof text);
  bool good = cli_ensemble_exit(ensemble) == CLI_EXIT_OK;
  printf("\n%s%s%s\n", good ? style.good : style.bad, text, style.plain);
  if (ensemble->trouble_run >= 0)
    printf("run %" PRId64 ": %s\n", ensemble->trouble_run, ensemble->trouble.text);
  if (ensemble->until_met)
    printf("The interval of %s is narrow enough after %" PRId64 " runs.\n",
           ensemble->columns[ensemble->until.column].name, ensemble->limit);
  else if (ensemble->until.column >= 0)
    printf("The interval of %s is NOT as narrow as asked for.\n",
           ensemble->columns[ensemble->until.column].name);
}

int cli_ensemble_exit(const CliEnsemble* ensemble) {
  int64_t counts[CLI_FINISH_COUNT];
  cli_tally_finishes(ensemble, counts);
  if (counts[CLI_FINISH_NONE] > 0)
    return CLI_EXIT_INTERRUPTED;
  bool narrow = ensemble->until.column < 0 || ensemble->until_met;
  return counts[CLI_FINISH_MET] == cli_ensemble_wanted(ensemble) && narrow ? CLI_EXIT_OK
                                                                           : CLI_EXIT_DOUBT;
}
