// storage.c - a problem in one block of memory: the struct, then its arrays.
#include "problem/storage.h"

#include "base/memory.h"
#include "base/message.h"

static size_t number_count(const rgProblemSize* size) {
  size_t area = (size_t)size->block * (size_t)size->block;
  return size->numbers > 0 ? size->numbers : area * (size_t)size->blocks;
}

static rgLocalMatrix* carve_local(rgCarver* carver, const rgProblemSize* size) {
  size_t nodes = (size_t)size->contacts + (size_t)size->rows, rows = (size_t)size->rows;
  rgLocalMatrix* matrix = rg_carve(carver, 1, sizeof *matrix);
  int* row_start = rg_carve(carver, nodes + 1, sizeof *row_start);
  int* column = rg_carve(carver, (size_t)size->blocks, sizeof *column);
  double* values = rg_carve(carver, number_count(size), sizeof *values);
  size_t* value_start = rg_carve(carver, rows > 0 ? nodes + 1 : 0, sizeof *value_start);
  double* length = rg_carve(carver, rows, sizeof *length);
  if (!carver->base)
    return NULL;
  *matrix = (rgLocalMatrix){.block = size->block,
                            .row_start = row_start,
                            .column = column,
                            .values = values,
                            .value_start = rows > 0 ? value_start : NULL,
                            .length = rows > 0 ? length : NULL};
  row_start[nodes] = size->blocks;
  if (rows > 0)
    value_start[nodes] = number_count(size);
  return matrix;
}

static rgProblem* carve(rgCarver* carver, const rgProblemSize* size) {
  rgProblem* problem = rg_carve(carver, 1, sizeof *problem);
  rgProblemBody* body = rg_carve(carver, (size_t)size->bodies, sizeof *body);
  rgProblemContact* contact = rg_carve(carver, (size_t)size->contacts, sizeof *contact);
  rgProblemRow* row = rg_carve(carver, (size_t)size->rows, sizeof *row);
  rgLocalMatrix* local = size->block > 0 ? carve_local(carver, size) : NULL;
  if (problem)
    *problem = (rgProblem){.dimension = 3,
                           .body_count = size->bodies,
                           .contact_count = size->contacts,
                           .row_count = size->rows,
                           .bodies = body,
                           .contacts = contact,
                           .rows = row,
                           .local = local};
  return problem;
}

static size_t block_size(const rgProblemSize* size) {
  rgCarver carver = {NULL, 0};
  carve(&carver, size);
  return carver.used;
}

rgProblem* rg_problem_allocate(const rgProblemSize* size, const rgAllocator* allocator) {
  rgCarver carver = {rg_allocate(allocator, block_size(size)), 0};
  return carver.base ? carve(&carver, size) : NULL;
}

void rg_problem_free(rgProblem* problem, const rgAllocator* allocator) {
  rgAllocator standard = rg_allocator_default();
  if (!problem)
    return;
  const rgLocalMatrix* local = problem->local;
  int nodes = problem->contact_count + problem->row_count;
  rgProblemSize size = {.bodies = problem->body_count,
                        .contacts = problem->contact_count,
                        .rows = problem->row_count};
  if (local) {
    size.block = local->block;
    size.blocks = local->row_start[nodes];
    size.numbers = local->value_start ? local->value_start[nodes] : 0;
  }
  rg_release(allocator ? allocator : &standard, problem, block_size(&size));
}

rgStatus rg_problem_accept(rgProblem* made, const char* name, const rgAllocator* allocator,
                           rgProblem** problem, rgMessage* message) {
  rgMessage why = {""};
  rgStatus status = rg_problem_check(made, &why);
  if (status == RG_OK) {
    *problem = made;
    return RG_OK;
  }
  rg_problem_free(made, allocator);
  return rg_fail(message, status, "%s: %s", name, why.text);
}
