// tally.c - what the runs say of each column, with intervals.
//
// Means have Student's interval, shares and classes Wilson's. A run that failed or was refused has no
// number for a mean, which is said; it does count among the runs of a share, as one that is not in it.
#include "cli/ensemble/ensemble.h"

#include <math.h>
#include <stdlib.h>

void cli_tally_add(const CliEnsemble* ensemble, CliTallied* tallied, int64_t index) {
  const double* row = ensemble->rows + (size_t)index * (size_t)ensemble->column_count;
  for (int c = 0; c < ensemble->column_count; ++c) {
    if (!isfinite(row[c])) {
      tallied[c].missing++;
      continue;
    }
    rg_moments_add(&tallied[c].moments, row[c]);
    CliColumnKind kind = ensemble->columns[c].kind;
    if (kind == CLI_COLUMN_SHARE || kind == CLI_COLUMN_CLASS)
      tallied[c].classes[row[c] < CLI_CLASS_MAX ? (int)row[c] : CLI_CLASS_MAX - 1]++;
  }
}

rgInterval cli_tally_class(const CliEnsemble* ensemble, const CliTallied* tallied, int index) {
  int64_t runs = tallied->moments.count + tallied->missing;
  return rg_share_interval(tallied->classes[index], runs, ensemble->confidence);
}

rgInterval cli_tally_interval(const CliEnsemble* ensemble, const CliTallied* tallied, int column) {
  const CliColumn* about = &ensemble->columns[column];
  const CliTallied* of = &tallied[column];
  if (about->kind == CLI_COLUMN_SHARE)
    return cli_tally_class(ensemble, of, 1);
  if (about->kind != CLI_COLUMN_CLASS)
    return rg_moments_interval(&of->moments, ensemble->confidence);
  rgInterval widest = cli_tally_class(ensemble, of, 0);
  for (int i = 1; i < about->class_count; ++i) {
    rgInterval interval = cli_tally_class(ensemble, of, i);
    if (interval.upper - interval.lower > widest.upper - widest.lower)
      widest = interval;
  }
  return widest;
}

CliTallied* cli_tally_all(const CliEnsemble* ensemble) {
  CliTallied* tallied = calloc((size_t)ensemble->column_count, sizeof *tallied);
  for (int64_t i = 0; tallied && i < ensemble->limit; ++i)
    if (ensemble->finish[i])
      cli_tally_add(ensemble, tallied, i);
  return tallied;
}

void cli_tally_finishes(const CliEnsemble* ensemble, int64_t counts[CLI_FINISH_COUNT]) {
  for (int f = 0; f < CLI_FINISH_COUNT; ++f)
    counts[f] = 0;
  for (int64_t i = ensemble->shard; i < ensemble->limit; i += ensemble->shards)
    counts[ensemble->finish[i]]++;
}
