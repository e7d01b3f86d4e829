// problem_file.h - what the formats of problem files share.
#ifndef IO_PROBLEM_PROBLEM_FILE_H
#define IO_PROBLEM_PROBLEM_FILE_H

#include "problem/matrices.h"
#include "problem/storage.h"

// The data of a problem, in the pool: M, H, f, w of a problem with bodies when `global`, otherwise
// W and q. Refuses what the formats cannot hold: rows (two-sided ones are constraints where `rows`
// allows them), axes, polygons, torsion, and in global form bodies that are held and problems that
// have no bodies.
typedef struct rgDataForm {
  bool global, rows;
} rgDataForm;
rgStatus rg_problem_export_data(const rgProblem* problem, rgDataForm form, const char* path,
                                rgPool* pool, rgProblemData* data, rgMessage* message);

// -------------------------------------------------------------------------------------------------
// Formats
// -------------------------------------------------------------------------------------------------

rgStatus rg_problem_json_read(const char* text, size_t length, const char* name,
                              const rgAllocator* allocator, rgProblem** problem,
                              rgMessage* message);
rgStatus rg_problem_text_read(const char* text, size_t length, const char* name,
                              const rgAllocator* allocator, rgProblem** problem,
                              rgMessage* message);
// The data of an FCLIB file, in the pool.
rgStatus rg_fclib_data(const char* path, rgPool* pool, rgProblemData* data, rgMessage* message);
rgStatus rg_fclib_read(const char* path, const rgAllocator* allocator, rgProblem** problem,
                       rgMessage* message);

rgStatus rg_problem_json_write(const rgProblem* problem, const char* path, rgMessage* message);
rgStatus rg_problem_text_write(const rgProblem* problem, bool global, const char* path,
                               rgMessage* message);
rgStatus rg_fclib_write(const rgProblem* problem, bool global, const char* path,
                        rgMessage* message);

#endif
