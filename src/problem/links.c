// links.c - the check of what a problem says about trees.
#include "problem/links.h"
#include "base/message.h"
#include "math/vec.h"

enum { ROWS_MAX = 6 };

static bool is_finite(rgTwist twist) { return v3_finite(twist.linear) && v3_finite(twist.angular); }

bool rg_problem_link_fits(const rgProblem* problem, int i) {
  const rgProblemLink* link = &problem->links[i];
  if (link->parent < -1 || link->parent >= problem->body_count || link->parent == i)
    return false;
  if (link->row == -1)
    return link->parent == -1;
  return link->row >= 0 && link->row_count >= 0 && link->row_count <= ROWS_MAX &&
         link->axis_row_count >= 0 && link->axis_row_count <= problem->row_count &&
         link->row <= problem->row_count - link->row_count - link->axis_row_count &&
         link->axis_count >= 0 && link->axis_count <= RG_LINK_AXES;
}

static rgStatus check_rows(const rgProblem* problem, int i, rgMessage* message) {
  const rgProblemLink* link = &problem->links[i];
  for (int k = link->row; k < link->row + link->row_count + link->axis_row_count; k++) {
    const rgProblemRow* row = &problem->rows[k];
    bool held = (row->body_a == i && row->body_b == link->parent) ||
                (row->body_b == i && row->body_a == link->parent);
    if (!held)
      return rg_fail(
          message, RG_ERROR_INPUT,
          "rows[%d] of links[%d] is on bodies %d and %d, must be on the link and its parent", k, i,
          row->body_a, row->body_b);
    bool rigid = row->compliance == 0 && row->lower == -HUGE_VAL && row->upper == HUGE_VAL;
    if (k < link->row + link->row_count && !rigid)
      return rg_fail(message, RG_ERROR_INPUT,
                     "rows[%d] holds for all rates of links[%d], must be two-sided and rigid", k,
                     i);
  }
  return RG_OK;
}

static rgStatus check_link(const rgProblem* problem, int i, rgMessage* message) {
  const rgProblemLink* link = &problem->links[i];
  if (!rg_problem_link_fits(problem, i))
    return rg_fail(message, RG_ERROR_INPUT,
                   "links[%d] names a parent, rows or axes that do not exist", i);
  if (link->row < 0)
    return RG_OK;
  bool finite = v3_finite(link->from_parent) && v3_finite(link->arm) && is_finite(link->offset);
  for (int k = 0; k < link->axis_count; k++)
    finite = finite && is_finite(link->axis[k]);
  if (!finite)
    return rg_fail(message, RG_ERROR_INPUT, "a number of links[%d] is not finite", i);
  return check_rows(problem, i, message);
}

rgStatus rg_problem_check_links(const rgProblem* problem, rgMessage* message) {
  if (!problem->links)
    return RG_OK;
  if (!problem->link_order)
    return rg_fail(message, RG_ERROR_INPUT, "link_order is NULL though there are links");
  rgStatus status = RG_OK;
  for (int i = 0; i < problem->body_count && status == RG_OK; i++) {
    status = check_link(problem, i, message);
    int body = problem->link_order[i];
    if (status == RG_OK && (body < 0 || body >= problem->body_count))
      return rg_fail(message, RG_ERROR_INPUT, "link_order[%d] is %d, must be 0 .. %d", i, body,
                     problem->body_count - 1);
  }
  return status;
}
