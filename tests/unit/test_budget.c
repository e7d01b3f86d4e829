// What a limit on iterations means: below 200 a solve is interactive, and then auto gives way to
// hold where hundreds of islands would each pay for newton.
#include "solve/budget.h"
#include "test.h"

TEST(an_interactive_step_of_many_bodies_without_joints_is_held) {
  rgBudget interactive = rg_budget(199), patient = rg_budget(200);
  CHECK_STR(rg_budget_solver(interactive, "auto", 65, 0), "hold");
  CHECK_STR(rg_budget_solver(patient, "auto", 65, 0), "auto");
  CHECK_STR(rg_budget_solver(interactive, "auto", 64, 0), "auto"); // few bodies
  CHECK_STR(rg_budget_solver(interactive, "auto", 65, 1), "auto"); // hold has no joints
  CHECK_STR(rg_budget_solver(interactive, "nsgs", 65, 0), "nsgs"); // the user's choice
}

TEST(an_interactive_solve_shares_its_limit_between_sweeps_and_newton_steps) {
  rgBudget interactive = rg_budget(40), patient = rg_budget(10000);
  CHECK_INT(rg_budget_sweeps(interactive, 1000), 21);
  CHECK_INT(rg_budget_newton_steps(interactive, 300), 9);
  CHECK_INT(rg_budget_sweeps(patient, 1000), 1000);
  CHECK_INT(rg_budget_newton_steps(patient, 300), 300);
  CHECK(rg_budget_affords_newton(interactive, 40));
  CHECK(!rg_budget_affords_newton(interactive, 41));
  CHECK(rg_budget_affords_newton(patient, 100000));
}
