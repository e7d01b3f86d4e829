// problem_files.h - what tests of problem files share: reading, writing and comparing problems.
#ifndef TESTS_SUPPORT_PROBLEM_FILES_H
#define TESTS_SUPPORT_PROBLEM_FILES_H

#include <rigor/problem.h>

// Read a problem, or end the test with the message.
rgProblem* parse_problem(const char* text);
rgProblem* read_problem(const char* path);
// Writes it in a format and reads it back.
rgProblem* rewrite_problem(const rgProblem* problem, rgProblemFormat format);
void free_problem(rgProblem* problem);

// Entry (i, j) of W in numbers, not blocks; zero where there is no block.
double matrix_entry(const rgProblem* problem, int i, int j);

// The same bits of W, bias and law.
void check_same_problem(const rgProblem* a, const rgProblem* b);

// A box that slides on three feet with a sphere thrown on it: four contacts of two bodies, with a
// bias. Three feet determine their impulses, and so the friction.
rgProblem* sample_problem(void);

// A problem written in this format, read back and solved is certified, and its u is that of the
// problem solved with its bodies; for the sample, and for another one.
void check_exported_solution(const rgProblem* with_bodies, rgProblemFormat format);
void check_exported_solutions(rgProblemFormat format);
// Rows, ellipsoids and polygons are refused by name.
void check_export_refusals(rgProblemFormat format);

#endif
