// experiment.h - what a reproduction of a published experiment is, and the report that it fills.
//
// An experiment is one file that ends in a const descriptor; table.c lists them. Its run measures,
// and adds to the report: rows, notes, plots, the parameters of the run, and where it disagrees
// with the paper. A row is checked or shown. A checked row has a published or expected number or a
// bound, the source of it, and a rule by which it passes or fails. A shown row has no verdict and
// counts for nothing; one that stands beside a published number says why it is not checked.
// `rigor reproduce` shows the report as a table, as JSON or as a page.
#ifndef EXPERIMENTS_EXPERIMENT_H
#define EXPERIMENTS_EXPERIMENT_H

#include "cli/text/plot.h"
#include <rigor/rigor.h>

enum {
  EXPERIMENT_TEXT = 256,
  EXPERIMENT_NOTE = 1536,
  EXPERIMENT_PLOTS = 8,
  EXPERIMENT_PARAMETERS = 24,
  EXPERIMENT_DISAGREEMENTS = 8
};

typedef struct ExperimentRow {
  char quantity[EXPERIMENT_TEXT];
  char unit[EXPERIMENT_TEXT]; // "" when none
  double published;           // or expected; NaN: there is none
  double measured;
  bool checked;
  bool pass;                    // of a checked row
  char rule[EXPERIMENT_TEXT];   // checked: when it passes, e.g. "within 0.5"; shown: why no verdict
  char source[EXPERIMENT_TEXT]; // of the number or the bound, e.g. "Table 2" or "derived: ..."
} ExperimentRow;

typedef struct ExperimentParameter {
  char name[EXPERIMENT_TEXT];
  char value[EXPERIMENT_TEXT]; // with its unit
  bool given;                  // by the paper; otherwise chosen here
} ExperimentParameter;

typedef struct ExperimentReport {
  ExperimentRow* rows;
  int row_count, row_room;
  char (*notes)[EXPERIMENT_NOTE];
  int note_count, note_room;
  CliPlot* plots[EXPERIMENT_PLOTS];
  int plot_count;
  ExperimentParameter parameters[EXPERIMENT_PARAMETERS];
  int parameter_count;
  // Where the result is not what the paper says, and why; shown before everything else.
  char disagreements[EXPERIMENT_DISAGREEMENTS][EXPERIMENT_NOTE];
  int disagreement_count;
  char source[EXPERIMENT_TEXT]; // of the rows that follow
  const char* data;             // folder of the measurements, of experiments that have any
  // Not empty: the experiment could not be made, and why.
  char failure[EXPERIMENT_NOTE];
  bool out_of_memory;
  // Called by experiment_goes_on; false ends the experiment.
  bool (*progress)(void* context, double fraction, const char* what);
  void* context;
  // Lays options of the user over those of every world of the experiment; NULL: none were given.
  void (*adjust)(const void* settings, rgOptions* options);
  const void* settings;
} ExperimentReport;

// How many rows have a verdict, how many of those are good, and how many have none.
typedef struct ExperimentCounts {
  int checked, passed, shown;
} ExperimentCounts;

// A published work.
typedef struct ExperimentWork {
  const char *authors, *title, *place;
} ExperimentWork;

// A scene of scenes/experiments, as text: the file is a part of the program.
typedef struct ExperimentScene {
  const char* name; // of the file, without its ending
  const char* text;
  size_t length;
} ExperimentScene;
extern const ExperimentScene experiment_scenes[]; // the last one has no name

typedef struct Experiment {
  const char* name;           // as on the command line
  const char* paper;          // authors, year, section
  const ExperimentWork* work; // the paper; NULL when `paper` says all
  const char* summary;        // one line: what is made and what is to be seen
  const char* scene;          // name of the scene that it is made with; NULL when it has none
  const char* data; // name of the folder of measurements that it reads; NULL when it reads none
  bool times;       // some of its rows compare times: they need a quiet machine
  void (*run)(ExperimentReport* report);
} Experiment;

// The table of experiments; NULL past the end.
const Experiment* experiment_at(int index);
const Experiment* experiment_find(const char* name);

// --- for experiments ---------------------------------------------------------------------------

// Where the numbers and bounds of the rows that follow are from: a table, a figure that was read
// off, a sentence of the paper, or how they were derived. Default: the section that the descriptor
// names.
void experiment_source(ExperimentReport* report, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// A checked row with its own verdict; `rule` says by what rule. A measured number that is not
// finite never passes. `published` is (double)NAN where there is none.
void experiment_row(ExperimentReport* report, const char* quantity, const char* unit,
                    double published, double measured, bool pass, const char* rule);
// Checked: passes when |measured - published| <= tolerance.
void experiment_near(ExperimentReport* report, const char* quantity, const char* unit,
                     double published, double measured, double tolerance);
// Checked: passes when measured <= limit, or >= limit.
void experiment_at_most(ExperimentReport* report, const char* quantity, const char* unit,
                        double measured, double limit);
void experiment_at_least(ExperimentReport* report, const char* quantity, const char* unit,
                         double measured, double limit);
// Shown: no verdict. `why` says why a published number is not checked against.
void experiment_shown(ExperimentReport* report, const char* quantity, const char* unit,
                      double published, double measured);
void experiment_shown_why(ExperimentReport* report, const char* quantity, const char* unit,
                          double published, double measured, const char* why);

// Says where the result is not what the paper says, with the explanation. It comes first in the
// report.
void experiment_disagrees(ExperimentReport* report, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// A parameter of the run: given by the paper, or chosen here.
void experiment_given(ExperimentReport* report, const char* name, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void experiment_chosen(ExperimentReport* report, const char* name, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

void experiment_note(ExperimentReport* report, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
// A plot of the report; NULL (which plots pass through) when memory ran out.
CliPlot* experiment_plot(ExperimentReport* report, const char* title, const char* caption);
// The experiment cannot be made; the first reason is kept.
void experiment_fail(ExperimentReport* report, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The experiment's scene; its options may be changed before worlds are made of it. NULL, with a
// failure, when it cannot be read.
rgScene* experiment_scene(ExperimentReport* report, const Experiment* experiment);
// A world of a scene, which must outlive it, with the user's options over those of the scene. NULL,
// with a failure, when it cannot be made.
rgWorld* experiment_world(ExperimentReport* report, rgScene* scene);
// An empty world with one friction coefficient, of `def` with the user's options over its own.
rgWorld* experiment_empty_world(ExperimentReport* report, rgWorldDef def, double mu);
// Fails with the world's message unless `status` is good, and says whether it is.
bool experiment_good(ExperimentReport* report, const rgWorld* world, rgStatus status);

// Says how far it is, 0 .. 1, and with what; false when the experiment should end: interrupted,
// failed before, or not enough memory.
bool experiment_goes_on(ExperimentReport* report, double fraction, const char* what);

// --- for the command ---------------------------------------------------------------------------

// Every checked row passes, there is one, and the experiment was made.
bool experiment_passed(const ExperimentReport* report);
ExperimentCounts experiment_counts(const ExperimentReport* report);
void experiment_release(ExperimentReport* report);

extern const ExperimentWork experiment_work_acosta, experiment_work_baraff,
    experiment_work_chakraborty, experiment_work_cline, experiment_work_redon,
    experiment_work_renouf;

extern const Experiment experiment_bouncing_column, experiment_chain_stabilization,
    experiment_cone_weakness, experiment_contact_stabilization, experiment_cube_tosses,
    experiment_ellipsoids, experiment_gauss_tables, experiment_impending_motion,
    experiment_local_resolution, experiment_limited_time, experiment_masonry, experiment_mocap_arm,
    experiment_mocap_body, experiment_motion_space, experiment_pendulum_drift,
    experiment_rolling_disc, experiment_sphere_settling, experiment_spinning_sphere,
    experiment_step_halving, experiment_stiff_feedback, experiment_stiff_spring,
    experiment_too_many_contacts, experiment_tradeoffs, experiment_two_spheres;

#endif
