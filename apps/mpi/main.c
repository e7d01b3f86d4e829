// main.c - the command `rigor-mpi`: ensembles on the ranks of MPI.
//
//     mpirun -n 64 rigor-mpi sweep throw.json ... -o throw.csv
//
// Every rank plans the same ensemble from the same command line. Rank 0 gives out runs as they are
// asked for, collects their results, and alone reads and writes files; a thread of it makes runs too.
// Each other rank holds two runs, so that it has one to make while it waits for the next. As the table
// depends on nothing but the runs, it has the bytes of `rigor sweep` on one thread.
//
// A rank that MPI loses takes the others with it (mpirun ends them). What was finished is in the journal
// of rank 0, and --resume makes the rest. A rank that cannot take part, because it does not see the
// scene, say, is named, and the others do its share.
#include "cli/rest/rest.h"
#include "cli/sweep/sweep.h"
#include "cli/system/clock.h"
#include "cli/system/interrupt.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG_ASK = 1, TAG_TAKE, TAG_DONE };
enum { AHEAD = 2 };                 // runs that a rank holds
static const double PATIENCE = 0.3; // [s] that interrupted ranks have to say that they are done
static const long NAP = 100000;     // [ns] between looks at the messages

// From a rank: a result, or none (index -1), and a request for a run.
typedef struct Ask {
  int64_t index;
  int finish;
  rgMessage message;
  double row[CLI_COLUMN_MAX];
} Ask;

static int rank, ranks;
static int left; // ranks that are not done; of rank 0
static bool served;

// --- the other ranks -----------------------------------------------------------------------------

static rgStatus help(CliEnsemble* ensemble, rgMessage* message) {
  (void)message;
  Ask ask = {.index = -1};
  int held = 0;
  for (; held < AHEAD; ++held)
    MPI_Send(&ask, sizeof ask, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
  while (held > 0) {
    MPI_Recv(&ask.index, 1, MPI_INT64_T, 0, TAG_TAKE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (ask.index < 0) {
      --held;
      continue;
    }
    ask.message = (rgMessage){0};
    ask.finish = (int)ensemble->make(ensemble, ask.index, ask.row, &ask.message);
    MPI_Send(&ask, sizeof ask, MPI_BYTE, 0, TAG_ASK, MPI_COMM_WORLD);
  }
  return RG_OK;
}

// --- rank 0 --------------------------------------------------------------------------------------

// Answers one message if there is one. Without an ensemble there are no runs to give.
static bool answer(CliEnsemble* ensemble) {
  int there = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (!there)
    return false;
  if (status.MPI_TAG == TAG_DONE) {
    int code;
    MPI_Recv(&code, 1, MPI_INT, status.MPI_SOURCE, TAG_DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (code != CLI_EXIT_OK && ensemble)
      fprintf(stderr, "rigor-mpi: rank %d cannot take part (exit code %d)\n", status.MPI_SOURCE,
              code);
    --left;
    return true;
  }
  Ask ask;
  MPI_Recv(&ask, sizeof ask, MPI_BYTE, status.MPI_SOURCE, TAG_ASK, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  if (ensemble && ask.index >= 0)
    cli_ensemble_put(ensemble, ask.index, (CliFinish)ask.finish, ask.row, &ask.message);
  bool gave_up = ask.index >= 0 && ask.finish == CLI_FINISH_NONE; // it was interrupted
  int64_t index = ensemble && !gave_up ? cli_ensemble_take(ensemble) : -1;
  MPI_Send(&index, 1, MPI_INT64_T, status.MPI_SOURCE, TAG_TAKE, MPI_COMM_WORLD);
  return true;
}

// Answers until every rank is done. False when some do not answer after an interrupt.
static bool answer_all(CliEnsemble* ensemble) {
  double since = -1;
  while (left > 0) {
    struct timespec nap = {0, NAP};
    if (!answer(ensemble))
      nanosleep(&nap, NULL);
    if (!ensemble)
      continue;
    cli_ensemble_show(ensemble);
    if (since < 0 && cli_interrupted())
      since = cli_wall_clock();
    if (since >= 0 && cli_wall_clock() - since > PATIENCE)
      return false;
  }
  return true;
}

typedef struct Own {
  CliEnsemble* ensemble;
  rgStatus status;
  rgMessage message;
} Own;

static void* make_own(void* context) {
  Own* own = context;
  own->status = cli_ensemble_make(own->ensemble, &own->message);
  return NULL;
}

static rgStatus serve(CliEnsemble* ensemble, rgMessage* message) {
  Own own = {.ensemble = ensemble};
  pthread_t thread;
  served = true;
  ensemble->threads = 1; // one run at a time on each rank
  bool started = pthread_create(&thread, NULL, make_own, &own) == 0;
  bool all = answer_all(ensemble);
  if (started)
    pthread_join(thread, NULL);
  else
    make_own(&own); // with what the other ranks have left
  if (!all)
    fprintf(stderr, "rigor-mpi: %d of %d ranks are lost; --resume makes their runs again\n", left,
            ranks);
  *message = own.message;
  return own.status;
}

// --- the command ---------------------------------------------------------------------------------

static int run(int argc, char** argv) {
  if (argc < 2 || strcmp(argv[1], "sweep") != 0) {
    fprintf(stderr,
            "rigor-mpi: makes ensembles: mpirun -n N rigor-mpi sweep SCENE [OPTIONS]; other "
            "commands are those of 'rigor'\n");
    return CLI_EXIT_INPUT;
  }
  return cli_sweep_main(argc - 2, argv + 2, rank == 0 ? serve : help, rank != 0);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  left = ranks - 1;
  // Mistakes are the same on all ranks and are said once.
  if (rank != 0 && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
    MPI_Abort(MPI_COMM_WORLD, CLI_EXIT_FAILED);
  int code = run(argc, argv);
  if (rank != 0)
    MPI_Send(&code, 1, MPI_INT, 0, TAG_DONE, MPI_COMM_WORLD);
  else if (!served)
    answer_all(NULL);
  fflush(stdout);
  if (rank == 0 && left > 0)
    MPI_Abort(MPI_COMM_WORLD, code);
  MPI_Finalize();
  return rank == 0 ? code : CLI_EXIT_OK;
}
