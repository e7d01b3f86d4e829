// experiment.h - what a reproduction of a published experiment is, and the report that it fills.
//
// An experiment is one file that ends in a const descriptor; table.c lists them. Its run measures,
// and adds to the report: rows, each a quantity with the published number where there is one and
// the rule by which it passes; notes for people; plots. `rigor reproduce` shows the report as a
// table, as JSON or as a page.
#ifndef EXPERIMENTS_EXPERIMENT_H
#define EXPERIMENTS_EXPERIMENT_H

#include "cli/text/plot.h"
#include <rigor/rigor.h>

enum { EXPERIMENT_TEXT = 256, EXPERIMENT_NOTE = 1024, EXPERIMENT_PLOTS = 8 };

typedef struct ExperimentRow {
  char quantity[EXPERIMENT_TEXT];
  char unit[EXPERIMENT_TEXT]; // "" when none
  double published;           // NaN: the paper gives no number
  double measured;
  bool pass;
  char rule[EXPERIMENT_TEXT]; // when it passes, e.g. "within 0.5"
} ExperimentRow;

typedef struct ExperimentReport {
  ExperimentRow* rows;
  int row_count, row_room;
  char (*notes)[EXPERIMENT_NOTE];
  int note_count, note_room;
  CliPlot* plots[EXPERIMENT_PLOTS];
  int plot_count;
  const char* data; // folder of the measurements, of experiments that have any
  // Not empty: the experiment could not be made, and why.
  char failure[EXPERIMENT_NOTE];
  bool out_of_memory;
  // Called by experiment_goes_on; false ends the experiment.
  bool (*progress)(void* context, double fraction, const char* what);
  void* context;
} ExperimentReport;

// A scene of scenes/experiments, as text: the file is a part of the program.
typedef struct ExperimentScene {
  const char* name; // of the file, without its ending
  const char* text;
  size_t length;
} ExperimentScene;
extern const ExperimentScene experiment_scenes[]; // the last one has no name

typedef struct Experiment {
  const char* name;    // as on the command line
  const char* paper;   // authors, year, section
  const char* summary; // one line: what is made and what is to be seen
  const char* scene;   // name of the scene that it is made with; NULL when it has none
  const char* data;    // name of the folder of measurements that it reads; NULL when it reads none
  void (*run)(ExperimentReport* report);
} Experiment;

// The table of experiments; NULL past the end.
const Experiment* experiment_at(int index);
const Experiment* experiment_find(const char* name);

// --- for experiments ---------------------------------------------------------------------------

// A row with its own verdict; `rule` says by what rule. A measured number that is not finite never
// passes. `published` is (double)NAN where the paper gives none.
void experiment_row(ExperimentReport* report, const char* quantity, const char* unit,
                    double published, double measured, bool pass, const char* rule);
// Passes when |measured - published| <= tolerance.
void experiment_near(ExperimentReport* report, const char* quantity, const char* unit,
                     double published, double measured, double tolerance);
// Passes when measured <= limit, or >= limit.
void experiment_at_most(ExperimentReport* report, const char* quantity, const char* unit,
                        double measured, double limit);
void experiment_at_least(ExperimentReport* report, const char* quantity, const char* unit,
                         double measured, double limit);
// For comparison only: passes when it is a number.
void experiment_shown(ExperimentReport* report, const char* quantity, const char* unit,
                      double published, double measured);

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
// A world of a scene, which must outlive it. NULL, with a failure, when it cannot be made.
rgWorld* experiment_world(ExperimentReport* report, const rgScene* scene);
// Fails with the world's message unless `status` is good, and says whether it is.
bool experiment_good(ExperimentReport* report, const rgWorld* world, rgStatus status);

// Says how far it is, 0 .. 1, and with what; false when the experiment should end: interrupted,
// failed before, or not enough memory.
bool experiment_goes_on(ExperimentReport* report, double fraction, const char* what);

// --- for the command ---------------------------------------------------------------------------

bool experiment_passed(const ExperimentReport* report);
void experiment_release(ExperimentReport* report);

extern const Experiment experiment_bouncing_column, experiment_chain_stabilization,
    experiment_cone_weakness, experiment_contact_stabilization, experiment_cube_tosses,
    experiment_gauss_tables, experiment_impending_motion, experiment_mocap_arm,
    experiment_mocap_body, experiment_pendulum_drift, experiment_stiff_feedback,
    experiment_stiff_spring;

#endif
