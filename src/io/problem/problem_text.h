// problem_text.h - matrices in the text format of problems.
#ifndef IO_PROBLEM_PROBLEM_TEXT_H
#define IO_PROBLEM_PROBLEM_TEXT_H

#include "io/problem/problem_file.h"
#include "io/text/tokens.h"

typedef enum rgStorage { RG_STORAGE_DENSE, RG_STORAGE_BLOCKS, RG_STORAGE_SPARSE } rgStorage;

// How a matrix begins.
typedef struct rgMatrixHead {
  int storage, rows, columns;
} rgMatrixHead;

// Whether a matrix can begin here; moves nothing.
bool rg_text_matrix_at(const rgTokens* tokens, rgMatrixHead* head);

// Reads a matrix; its entries are in the pool. `label` is its letter, for messages.
bool rg_text_matrix(rgTokens* tokens, const char* label, rgPool* pool, rgTriplets* matrix);

#endif
