// links.h - what a problem says about trees (rgProblemLink).
#ifndef PROBLEM_LINKS_H
#define PROBLEM_LINKS_H

#include <rigor/problem.h>

// Indices, finite numbers, and rows that are what their link says. Whether the order has parents first is
// seen by who follows it.
rgStatus rg_problem_check_links(const rgProblem* problem, rgMessage* message);
// Whether all that link i names exists.
bool rg_problem_link_fits(const rgProblem* problem, int i);

#endif
