// compare_columns.c - the columns of the table of `rigor compare`, and what they mean.
#include "cli/compare/compare.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>

const char* const cli_choice_name[CLI_CHOICE_COUNT] = {"stepper", "solver", "stabilizer"};

static void measure(double value, char* text, size_t size) {
  if (isnan(value))
    snprintf(text, size, "-");
  else
    snprintf(text, size, "%.3g", value);
}

static void step_time(const CliComparison* comparison, const CliCombination* combination,
                      char* text, size_t size) {
  (void)comparison;
  const CliSummary* summary = &combination->summary;
  double steps = summary->steps > 0 ? (double)summary->steps : 1;
  cli_clock_text(summary->cpu / steps, text, size);
}

static void whole_time(const CliComparison* comparison, const CliCombination* combination,
                       char* text, size_t size) {
  (void)comparison;
  cli_clock_text(combination->summary.cpu, text, size);
}

static void not_met(const CliComparison* comparison, const CliCombination* combination, char* text,
                    size_t size) {
  (void)comparison;
  snprintf(text, size, "%" PRId64, combination->summary.not_met);
}

static void gained(const CliComparison* comparison, const CliCombination* combination, char* text,
                   size_t size) {
  (void)comparison;
  measure(combination->energy_gained, text, size);
}

static void lost(const CliComparison* comparison, const CliCombination* combination, char* text,
                 size_t size) {
  (void)comparison;
  measure(combination->energy_lost, text, size);
}

static void drift(const CliComparison* comparison, const CliCombination* combination, char* text,
                  size_t size) {
  (void)comparison;
  measure(combination->summary.energy_sum, text, size);
}

static void difference(const CliComparison* comparison, const CliCombination* combination,
                       char* text, size_t size) {
  (void)comparison;
  measure(combination->difference, text, size);
}

// clang-format off
static const CliCompareColumn columns[CLI_COMPARE_COLUMNS] = {
    {"CPU/step", "", 10, step_time, NULL, false},
    {"CPU", "", 12, whole_time, NULL, false},
    {"not met", "steps", 9, not_met, NULL, true},
    {"residual", "-", 11, NULL, "residual", true},
    {"penetration", "m", 13, NULL, "penetration", false},
    {"joint error", "m", 13, NULL, "joint_error", false},
    {"gained", "J", 11, gained, NULL, false},
    {"lost", "J", 11, lost, NULL, false},
    {"drift", "J", 11, drift, NULL, false},
    {"difference", "m", 12, difference, NULL, false},
};
// clang-format on

const CliCompareColumn* cli_compare_column(int index) { return &columns[index]; }

void cli_compare_cell(const CliCompareColumn* column, const CliComparison* comparison,
                      const CliCombination* combination, char* text, size_t size) {
  if (column->text) {
    column->text(comparison, combination, text, size);
    return;
  }
  const rgCertificateField* field = rg_certificate_find(column->field);
  bool known = comparison->joints || field->offset != offsetof(rgCertificate, joint_error);
  measure(known ? rg_certificate_value(&combination->summary.worst, field) : (double)NAN, text,
          size);
}

void cli_comparison_legend(const CliComparison* comparison, char* text, size_t size) {
  static const bool all[CLI_CHOICE_COUNT] = {true, true, true};
  char reference[CLI_TEXT_MAX];
  cli_combination_label(&comparison->combinations[comparison->reference], all, reference,
                        sizeof reference);
  snprintf(text, size,
           "residual, penetration, joint error: the largest over all steps. gained, lost: energy "
           "made from nothing and energy taken, summed over the steps; drift: the one less the "
           "other. difference: of the last state to that of %s, as the root mean square of how far "
           "the points of a body are apart, for the worst body.",
           reference);
}
