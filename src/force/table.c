// table.c - a wrench given at instants, linear between them and constant outside.
#include "base/message.h"
#include "force/force.h"

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  if (def->row_count < 1)
    return rg_fail(message, RG_ERROR_INPUT, "a table force has %d rows, must have at least 1",
                   def->row_count);
  if (!def->times || !def->wrenches)
    return rg_fail(message, RG_ERROR_INPUT, "a table force has no %s",
                   def->times ? "wrenches" : "times");
  for (int i = 0; i < def->row_count; i++) {
    if (!isfinite(def->times[i]) || !v3_finite(def->wrenches[i].force) ||
        !v3_finite(def->wrenches[i].torque))
      return rg_fail(message, RG_ERROR_INPUT, "row %d of the force table is not finite", i);
    if (i > 0 && def->times[i] <= def->times[i - 1])
      return rg_fail(message, RG_ERROR_INPUT,
                     "time %g of row %d of the force table must be after %g", def->times[i], i,
                     def->times[i - 1]);
  }
  return RG_OK;
}

// Last row whose time is not after `time`, or -1.
static int find_row(const rgForceDef* def, double time) {
  int low = -1, high = def->row_count;
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (def->times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static rgWrench evaluate(const rgForceDef* def, double time, rgPose pose, rgTwist velocity) {
  (void)pose;
  (void)velocity;
  int row = find_row(def, time);
  if (row < 0)
    return def->wrenches[0];
  if (row == def->row_count - 1)
    return def->wrenches[row];
  double s = (time - def->times[row]) / (def->times[row + 1] - def->times[row]);
  const rgWrench *a = &def->wrenches[row], *b = &def->wrenches[row + 1];
  return (rgWrench){v3_lerp(a->force, b->force, s), v3_lerp(a->torque, b->torque, s)};
}

const rgForceInfo rg_force_table = {
    .name = "table",
    .summary = "force and torque given at instants, linear between them",
    .check = check,
    .evaluate = evaluate,
};
