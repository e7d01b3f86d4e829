// ensemble_json.c - what an ensemble has given, for machines.
#include "cli/ensemble/ensemble.h"
#include "cli/text/json.h"

#include <math.h>

static void write_interval(CliJson* json, rgInterval interval) {
  cli_json_open(json, "interval", '[');
  cli_json_real(json, NULL, interval.lower);
  cli_json_real(json, NULL, interval.upper);
  cli_json_close(json, ']');
}

static void write_class(const CliEnsemble* ensemble, CliJson* json, const char* name,
                        const CliTallied* of, int index) {
  int64_t runs = of->moments.count + of->missing;
  if (name)
    cli_json_text(json, "class", name);
  cli_json_count(json, "hits", of->classes[index]);
  cli_json_count(json, "runs", runs);
  cli_json_real(json, "share", (double)of->classes[index] / (double)runs);
  write_interval(json, cli_tally_class(ensemble, of, index));
}

static void write_column(const CliEnsemble* ensemble, const CliTallied* of, const CliColumn* column,
                         CliJson* json) {
  static const char* const kinds[] = {"varied", "number", "share", "class"};
  cli_json_open(json, NULL, '{');
  cli_json_text(json, "name", column->name);
  cli_json_text(json, "unit", column->unit);
  cli_json_text(json, "kind", kinds[column->kind]);
  cli_json_count(json, "missing", of->missing);
  if (column->kind == CLI_COLUMN_SHARE) {
    write_class(ensemble, json, NULL, of, 1);
  } else if (column->kind == CLI_COLUMN_CLASS) {
    cli_json_open(json, "classes", '[');
    for (int i = 0; i < column->class_count; ++i) {
      cli_json_open(json, NULL, '{');
      write_class(ensemble, json, column->class_name(ensemble->context, i), of, i);
      cli_json_close(json, '}');
    }
    cli_json_close(json, ']');
  } else {
    bool any = of->moments.count > 0;
    cli_json_real(json, "mean", any ? of->moments.mean : (double)NAN);
    write_interval(json, rg_moments_interval(&of->moments, ensemble->confidence));
    cli_json_real(json, "deviation", any ? rg_moments_deviation(&of->moments) : (double)NAN);
    cli_json_real(json, "least", any ? of->moments.least : (double)NAN);
    cli_json_real(json, "largest", any ? of->moments.largest : (double)NAN);
  }
  cli_json_close(json, '}');
}

// `busy`: the part of the processor time that the threads could have had which runs used.
static void write_spent(const CliSpent* spent, CliJson* json) {
  double waited = isnan(spent->waited) ? 0 : spent->waited,
         could = spent->threads * spent->wall - waited;
  cli_json_open(json, "spent", '{');
  cli_json_count(json, "threads", spent->threads);
  cli_json_real(json, "seconds", spent->wall);
  cli_json_real(json, "runs", spent->runs);
  cli_json_real(json, "waited", spent->waited);
  cli_json_real(json, "busy", could > 0 ? spent->runs / could : (double)NAN);
  cli_json_close(json, '}');
}

void cli_ensemble_json(const CliEnsemble* ensemble, const CliTallied* tallied, CliJson* json) {
  int64_t counts[CLI_FINISH_COUNT];
  cli_tally_finishes(ensemble, counts);
  cli_json_count(json, "runs", cli_ensemble_wanted(ensemble));
  cli_json_bool(json, "interrupted", counts[CLI_FINISH_NONE] > 0);
  cli_json_count(json, "met", counts[CLI_FINISH_MET]);
  cli_json_count(json, "not_met", counts[CLI_FINISH_NOT_MET]);
  cli_json_count(json, "failed", counts[CLI_FINISH_FAILED]);
  cli_json_count(json, "refused", counts[CLI_FINISH_REFUSED]);
  cli_json_text(json, "trouble", ensemble->trouble_run >= 0 ? ensemble->trouble.text : NULL);
  cli_json_real(json, "confidence", ensemble->confidence);
  if (ensemble->until.column >= 0)
    cli_json_bool(json, "until_met", ensemble->until_met);
  else
    cli_json_null(json, "until_met");
  write_spent(&ensemble->spent, json);
  cli_json_open(json, "columns", '[');
  for (int c = 0; c < ensemble->column_count; ++c)
    write_column(ensemble, &tallied[c], &ensemble->columns[c], json);
  cli_json_close(json, ']');
}
