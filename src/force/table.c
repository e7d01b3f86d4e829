// table.c - a wrench given at certain times, linear between them and constant before and after.
#include "base/message.h"
#include "force/force.h"

rgStatus rg_force_check_table(const rgForceDef* def, const double* numbers, int width,
                              const char* what, rgMessage* message) {
  const char* name = rg_force_kind_name(def->kind);
  if (def->row_count < 1)
    return rg_fail(message, RG_ERROR_INPUT, "a %s force has %d rows, must have at least 1", name,
                   def->row_count);
  if (!def->times || !numbers)
    return rg_fail(message, RG_ERROR_INPUT, "a %s force has no %s", name,
                   def->times ? what : "times");
  for (int i = 0; i < def->row_count; i++) {
    bool finite = isfinite(def->times[i]);
    for (int k = 0; k < width; k++)
      finite = finite && isfinite(numbers[i * width + k]);
    if (!finite)
      return rg_fail(message, RG_ERROR_INPUT, "row %d of the force table is not finite", i);
    if (i > 0 && def->times[i] <= def->times[i - 1])
      return rg_fail(message, RG_ERROR_INPUT,
                     "times[%d] of the force table is %g, must be after %g", i, def->times[i],
                     def->times[i - 1]);
  }
  return RG_OK;
}

int rg_force_table_row(const rgForceDef* def, double time, double* part) {
  int low = -1, high = def->row_count; // last row whose time is not after `time`
  while (high - low > 1) {
    int middle = low + (high - low) / 2;
    if (def->times[middle] <= time)
      low = middle;
    else
      high = middle;
  }
  *part = 0;
  if (low < 0)
    return 0;
  if (low < def->row_count - 1)
    *part = (time - def->times[low]) / (def->times[low + 1] - def->times[low]);
  return low;
}

_Static_assert(sizeof(rgWrench) == 6 * sizeof(double), "tables are read as rows of numbers");

static rgStatus check(const rgForceDef* def, rgMessage* message) {
  return rg_force_check_table(def, (const double*)(const void*)def->wrenches, 6, "wrenches",
                              message);
}

static rgWrench evaluate(const rgForceDef* def, const rgForceView* view) {
  double part;
  int row = rg_force_table_row(def, view->time, &part);
  const rgWrench* a = &def->wrenches[row];
  if (part == 0)
    return *a;
  return (rgWrench){v3_lerp(a->force, a[1].force, part), v3_lerp(a->torque, a[1].torque, part)};
}

const rgForceInfo rg_force_table = {
    .name = "table",
    .summary = "force and torque given at certain times, linear between them",
    .check = check,
    .evaluate = evaluate,
};
