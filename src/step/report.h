// report.h - the certificate of a step from the reports of its solves, and the energy that enters
// from outside.
#ifndef STEP_REPORT_H
#define STEP_REPORT_H

#include "step/step.h"

// Starts the certificate of a step, and adds the reports of the velocity problem's islands.
// Residuals of a solve that is about less than `scale` [m/s] are compared with that.
void rg_report_begin(rgStep* step);
void rg_report_add(rgStep* step, double scale);
// Adds what a stage was asked and what it reached to its line of the certificate; a line keeps the
// worst. A stage that misses makes the step unmet. NaN misses.
void rg_report_stage(rgStep* step, rgStage stage, double asked, double reached);
// causes.c: what the solved step loses in contacts and in the integration, before bodies move; of a
// scheme with inertia. And the whole balance of the step [J], the part of the projection in it, and
// the parts that remain.
void rg_causes_find(rgStep* step);
void rg_causes_balance(rgStep* step, bool inertia, double energy, double projection);
// [J] Work that moving ground does through contacts, by their impulses.
double rg_report_ground_work(const rgStep* step);
double rg_report_contact_ground_work(const rgStep* step, int contact); // of one contact

#endif
