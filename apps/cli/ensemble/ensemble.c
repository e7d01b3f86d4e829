// ensemble.c - who makes which run, and when they are enough.
#include "cli/ensemble/ensemble.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"
#include "cli/text/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNTIL_LEAST = 10 }; // runs: an interval of fewer says little of itself

const char* cli_finish_name(CliFinish finish) {
  static const char* const names[] = {"not-run", "met", "not-met", "failed", "refused"};
  return names[finish];
}

rgStatus cli_ensemble_open(CliEnsemble* ensemble, rgMessage* message) {
  size_t count = (size_t)ensemble->count, columns = (size_t)ensemble->column_count;
  ensemble->finish = calloc(count, 1);
  ensemble->taken = calloc(count, sizeof *ensemble->taken);
  ensemble->rows = calloc(count * columns, sizeof *ensemble->rows);
  ensemble->tallied = calloc(columns, sizeof *ensemble->tallied);
  ensemble->limit = ensemble->count;
  ensemble->trouble_run = -1;
  ensemble->next = ensemble->shard;
  pthread_mutex_init(&ensemble->lock, NULL);
  if (!ensemble->finish || !ensemble->taken || !ensemble->rows || !ensemble->tallied)
    return cli_fail(message, RG_ERROR_MEMORY, "not enough memory for %" PRId64 " runs",
                    ensemble->count);
  return RG_OK;
}

void cli_ensemble_free(CliEnsemble* ensemble) {
  cli_journal_close(ensemble, false);
  free(ensemble->finish);
  free(ensemble->taken);
  free(ensemble->rows);
  free(ensemble->tallied);
}

int64_t cli_ensemble_take(CliEnsemble* ensemble) {
  pthread_mutex_lock(&ensemble->lock);
  int64_t found = -1;
  if (!cli_interrupted() && !ensemble->broken) {
    while (ensemble->next < ensemble->limit &&
           (ensemble->finish[ensemble->next] || ensemble->taken[ensemble->next]))
      ensemble->next += ensemble->shards;
    if (ensemble->next < ensemble->limit) {
      found = ensemble->next;
      ensemble->taken[found] = true;
    }
  }
  pthread_mutex_unlock(&ensemble->lock);
  return found;
}

// Whether the interval of the runs 0 .. prefix - 1 is narrow enough. Not asked for after every run:
// the quantile costs more than a row, and one run in a hundred changes little.
static bool is_enough(const CliEnsemble* ensemble) {
  const CliUntil* until = &ensemble->until;
  int64_t n = ensemble->prefix;
  if (until->column < 0 || n < UNTIL_LEAST || n % (1 + n / 100) != 0)
    return false;
  rgInterval interval = cli_tally_interval(ensemble, ensemble->tallied, until->column);
  return interval.upper - interval.lower <= until->width;
}

static void advance_prefix(CliEnsemble* ensemble) {
  while (ensemble->prefix < ensemble->limit && ensemble->finish[ensemble->prefix]) {
    cli_tally_add(ensemble, ensemble->tallied, ensemble->prefix++);
    if (is_enough(ensemble)) {
      ensemble->limit = ensemble->prefix;
      ensemble->until_met = true;
    }
  }
}

void cli_ensemble_put(CliEnsemble* ensemble, int64_t index, CliFinish finish, const double* row,
                      const rgMessage* message) {
  pthread_mutex_lock(&ensemble->lock);
  ensemble->taken[index] = false;
  if (finish == CLI_FINISH_NONE) {
    ensemble->next = index < ensemble->next ? index : ensemble->next;
  } else if (!ensemble->finish[index]) {
    size_t columns = (size_t)ensemble->column_count;
    memcpy(ensemble->rows + (size_t)index * columns, row, columns * sizeof *row);
    ensemble->finish[index] = (unsigned char)finish;
    ensemble->done++;
    bool trouble = finish == CLI_FINISH_FAILED || finish == CLI_FINISH_REFUSED;
    if (trouble && message && (ensemble->trouble_run < 0 || index < ensemble->trouble_run)) {
      ensemble->trouble_run = index;
      ensemble->trouble = *message;
    }
    if (ensemble->journal && !cli_journal_put(ensemble, index))
      ensemble->broken = true;
    advance_prefix(ensemble);
  }
  pthread_mutex_unlock(&ensemble->lock);
}

// --- threads -------------------------------------------------------------------------------------

// `waited` is what the thread had waited when its work began: a new one began with its creation.
static void work(CliEnsemble* ensemble, double waited) {
  double row[CLI_COLUMN_MAX];
  int64_t index;
  double runs = 0;
  while ((index = cli_ensemble_take(ensemble)) >= 0) {
    rgMessage message = {0};
    double begin = cli_thread_clock();
    CliFinish finish = ensemble->make(ensemble, index, row, &message);
    runs += cli_thread_clock() - begin;
    cli_ensemble_put(ensemble, index, finish, row, &message);
    cli_ensemble_show(ensemble);
    if (finish == CLI_FINISH_NONE)
      break;
  }
  waited = cli_thread_waited() - waited;
  pthread_mutex_lock(&ensemble->lock);
  ensemble->spent.threads++;
  ensemble->spent.runs += runs;
  ensemble->spent.waited += waited;
  pthread_mutex_unlock(&ensemble->lock);
}

static void* work_beside(void* context) {
  work(context, 0);
  return NULL;
}

enum { THREADS_MAX = 1024 };

rgStatus cli_ensemble_make(CliEnsemble* ensemble, rgMessage* message) {
  pthread_t threads[THREADS_MAX];
  double begin = cli_wall_clock(), waited = cli_thread_waited();
  int started = 0, wanted = ensemble->threads < THREADS_MAX ? ensemble->threads : THREADS_MAX;
  for (; started < wanted - 1; ++started)
    if (pthread_create(&threads[started], NULL, work_beside, ensemble) != 0)
      break; // those that there are make all runs
  work(ensemble, waited);
  for (int i = 0; i < started; ++i)
    pthread_join(threads[i], NULL);
  ensemble->spent.wall = cli_wall_clock() - begin;
  if (ensemble->broken)
    return cli_fail(message, RG_ERROR_IO, "%s: cannot be written", ensemble->journal_path);
  return RG_OK;
}

int64_t cli_ensemble_wanted(const CliEnsemble* ensemble) {
  int64_t rest = ensemble->limit - ensemble->shard;
  return rest <= 0 ? 0 : (rest + ensemble->shards - 1) / ensemble->shards;
}

bool cli_ensemble_complete(const CliEnsemble* ensemble) {
  for (int64_t i = ensemble->shard; i < ensemble->limit; i += ensemble->shards)
    if (!ensemble->finish[i])
      return false;
  return true;
}

// --- progress ------------------------------------------------------------------------------------

// The interval that the runs are ended by, or that of the first quantity.
static void show_interval(const CliEnsemble* ensemble) {
  int column = ensemble->until.column;
  for (int c = 0; column < 0 && c < ensemble->column_count; ++c)
    column = ensemble->columns[c].kind != CLI_COLUMN_VARIED ? c : -1;
  if (column < 0 || ensemble->prefix < 2)
    return;
  rgInterval interval = cli_tally_interval(ensemble, ensemble->tallied, column);
  const CliColumn* about = &ensemble->columns[column];
  fprintf(stderr, "  %.40s %.4g +- %.2g", about->name, 0.5 * (interval.lower + interval.upper),
          0.5 * (interval.upper - interval.lower));
  if (ensemble->until.column >= 0)
    fprintf(stderr, " (until %.2g)", 0.5 * ensemble->until.width);
}

void cli_ensemble_show(CliEnsemble* ensemble) {
  double wall = cli_wall_clock();
  if (!ensemble->progress.on)
    return;
  pthread_mutex_lock(&ensemble->lock);
  if (cli_progress_due(&ensemble->progress, wall)) {
    int64_t wanted = cli_ensemble_wanted(ensemble), made = ensemble->done - ensemble->kept;
    double rate = (double)made / (wall - ensemble->progress.started);
    char rest[CLI_TEXT_MAX];
    cli_clock_text(rate > 0 ? (double)(wanted - ensemble->done) / rate : 0, rest, sizeof rest);
    ensemble->progress.drawn = wall;
    fprintf(stderr, "\r%" PRId64 " of %" PRId64 " runs  %.3g/s  %s left", ensemble->done, wanted,
            rate, rest);
    show_interval(ensemble);
    fputs("\033[K", stderr);
    fflush(stderr);
  }
  pthread_mutex_unlock(&ensemble->lock);
}
