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

// Reads `count` numbers into an array of the pool. `letter` is for messages.
bool rg_text_vector(rgTokens* tokens, const char* letter, size_t count, rgPool* pool,
                    double** vector);

// Whether a mixed linear complementarity problem begins here; moves nothing.
bool rg_text_mixed_at(const rgTokens* tokens);
bool rg_text_mixed(rgTokens* tokens, rgPool* pool, rgProblemData* data);
// Behind the q of a linear complementarity problem: the bounds that make it a relay problem, if it is
// one.
bool rg_text_relay(rgTokens* tokens, rgPool* pool, rgProblemData* data);

#endif
