// dependent_rows.c - rows of loops of joints that follow from others, within the rounds.
//
// A planar loop of links has rows that depend on others: with n their combination, n' G = 0 wherever the
// joints are closed. Between rounds (rounds.c) the ends are guesses, which leave the joints open by some e, so
// that n' G and n' (G v + bias) are of the order of e and no longer zero. The rows then look independent, but
// what they ask for of the impulse along n is
//
//     n' (G v + bias) / (n' G M^-1 G' n), of the order of 1 / e:
//
// it grows the nearer the ends are, turns with the rows of the next round into forces that are not there, and no
// round settles. So rows that depend on others at the start of the step, where the joints are closed, carry
// no impulse in the rounds. At the ends that the rounds lead to they are satisfied with the others, and
// that is judged with all rows: an island is settled when its impulses meet the tolerance for every one.
//
// A row may depend on others at the start alone, as at a dead centre. Then the rounds do not settle, and
// joint_client.c gives it back its impulse. The plain step leaves these rows out, too, so that the next step does
// not start with what the rounds made of them, and then looks at all.
//
// Islands whose impulses joint_newton.c has brought together with their ends need none of this, and trees have no
// such rows.
#include "solve/direct/direct_model.h"
#include "step/fill/fill.h"

#include <string.h>

static bool takes_part(const rgStep* step, const rgIsland* island) {
  return rg_island_has_joints(&step->velocity, island) && !island->closed && !island->trees;
}

// Fewer joints than bodies close no loop.
static bool may_have_loops(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->velocity;
  int joints = 0, end = island->row_start + island->row_count;
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0; joints++)
    i += step->joints[set->row_joint[i]].row_count;
  return joints >= island->body_count;
}

static void fill_rows(rgStep* step, const rgIsland* island, const rgJointRule* rule) {
  const rgProblemSet* set = &step->velocity;
  int end = island->row_start + island->row_count;
  for (int i = island->row_start; i < end && set->row_joint[i] >= 0;) {
    int slot = set->row_joint[i];
    rg_fill_joint_rows(step, slot, island->body_start, rule);
    i += step->joints[slot].row_count;
  }
}

static size_t carve(rgDirectModel* model, bool** out, const rgProblem* rows, rgCarver* carver) {
  rg_direct_carve(model, rows, carver);
  *out = rg_carve(carver, (size_t)model->matrix.row_limit, sizeof **out);
  return carver->used;
}

static bool is_equation(const rgProblemRow* row) {
  return row->lower == -HUGE_VAL && row->upper == HUGE_VAL &&
         !row->far; // those are left as they are
}

// Marks the rows of an island that depend on others, as they are filled.
static rgStatus mark(rgStep* step, rgIsland* island) {
  rgProblemSet* set = &step->velocity;
  rgProblem rows = rg_island_problem(set, island);
  rows.contact_count = 0;
  rgDirectModel model;
  bool* out;
  rgCarver counter = {NULL, 0};
  size_t used = carve(&model, &out, &rows, &counter);
  if (!rg_reserve(&step->world->allocator, &step->factors, &step->factors_capacity,
                  (int)(used / RG_ALIGNMENT), RG_ALIGNMENT))
    return rg_world_fail(step->world, RG_ERROR_MEMORY, "not enough memory for joints");
  rgCarver carver = {(char*)step->factors, 0};
  carve(&model, &out, &rows, &carver);
  if (!rg_direct_build(&model))
    return RG_OK; // no room: as if none did
  rg_direct_assemble(&model);
  memset(out, 0, (size_t)model.row_count * sizeof *out);
  for (int i = 0; i < rows.row_count; i++)
    out[i] = !is_equation(&rows.rows[i]);
  island->dependent_rows = rg_rank_factor(&model.matrix, RG_DIRECT_REDUNDANT, out);
  island->leaves_out = island->dependent_rows > 0;
  step->certificate.factorizations++;
  for (int i = 0; i < rows.row_count; i++)
    set->dependent[island->row_start + i] = out[i] && is_equation(&rows.rows[i]);
  return RG_OK;
}

rgStatus rg_fill_find_dependent(rgStep* step) {
  rgProblemSet* set = &step->velocity;
  rgStatus status = RG_OK;
  rgJointRule rule = rg_fill_joint_rule(step), start = rule;
  start.mean = false;
  for (int k = 0; k < set->island_count && status == RG_OK; k++) {
    rgIsland* island = &set->islands[k];
    island->dependent_rows = 0;
    island->leaves_out = false;
    if (!takes_part(step, island) || !may_have_loops(step, island))
      continue;
    fill_rows(step, island, &start);
    status = mark(step, island);
    fill_rows(step, island, &rule);
  }
  return status;
}
