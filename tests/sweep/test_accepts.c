// What each solver takes: one table of every solver of the library, checked against its `accepts`
// in both directions. The sweeps pass over what a solver refuses, so that only a statement like
// this keeps them from shrinking unseen.
//
// A problem is two boxes on the ground, in one of these kinds:
//     contacts   n none, f frictionless, d disk, e ellipsoid, i inner polygon, o outer polygon
//     rows       none, two-sided, between bounds, soft
//     dimension  2, 3
// with bodies, or without rows in local form.
#include "solve/solver.h"
#include "sweep/problems.h"
#include "test.h"

#include <ctype.h>

static const char contact_letters[] = "nfdeio";
enum { CONTACT_KINDS = sizeof contact_letters - 1 };

typedef enum RowKind { ROWS_NONE, ROWS_TWO_SIDED, ROWS_BOUNDED, ROWS_SOFT, ROW_KINDS } RowKind;
static const char* const row_names[] = {"no rows", "two-sided rows", "bounded rows", "soft rows"};

// The kinds of contacts that are taken, by their letters; a dot in the place of one that is not.
// The local form has contacts in any case.
static const struct {
  const char* solver;
  int dimension;
  const char* bodies[ROW_KINDS];
  const char* local;
} table[] = {
    // solver, dimension, with no rows, two-sided, bounded, soft ones; local form
    {"auto", 3, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"auto", 2, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"nsgs", 3, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"nsgs", 2, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"hold", 3, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"hold", 2, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"psor", 3, {"nf..io", "nf..io", "nf..io", "nf..io"}, ".f..io"},
    {"psor", 2, {"nf..io", "nf..io", "nf..io", "nf..io"}, ".f..io"},
    {"cpg", 3, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"cpg", 2, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"admm", 3, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"admm", 2, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"newton", 3, {"nfde..", "nfde..", "nfde..", "nfde.."}, ".fde.."},
    {"newton", 2, {"nfde..", "nfde..", "nfde..", "nfde.."}, ".fde.."},
    {"lemke", 3, {"nf..io", "nf..io", "nf..io", "nf..io"}, ".f..io"},
    {"lemke", 2, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"}, // a disk is an interval
    {"mixed", 3, {"nf..io", "nf..io", "nf..io", "nf..io"}, ".f..io"},
    {"mixed", 2, {"nfdeio", "nfdeio", "nfdeio", "nfdeio"}, ".fdeio"},
    {"direct", 3, {"n.....", "n.....", "n.....", "n....."}, "......"},
    {"direct", 2, {"n.....", "n.....", "n.....", "n....."}, "......"},
    {"dantzig", 3, {"nf....", "nf....", "nf....", "nf...."}, ".f...."},
    {"dantzig", 2, {"nf....", "nf....", "nf....", "nf...."}, ".f...."},
    {"wilhelmsen", 3, {"nf....", "nf....", "nf....", "nf...."}, "......"},
    {"wilhelmsen", 2, {"nf....", "nf....", "nf....", "nf...."}, "......"},
};
enum { TABLE_COUNT = sizeof table / sizeof *table };

// --- problems ------------------------------------------------------------------------------------

// Four corners under a box; in two dimensions the two of the x-z plane, with friction along x.
static void put_contacts(Made* m, int dimension, int box) {
  for (int i = 0; i < (dimension == 2 ? 2 : 4); i++) {
    double x = i % 2 ? 0.5 : -0.5, y = dimension == 2 ? 0 : i / 2 ? 0.5 : -0.5;
    rgProblemContact* contact = made_contact(m, box, box - 1, v3(x, y, box), v3(0, 0, 1));
    contact->t = v3(1, 0, 0);
    contact->o = v3(0, 1, 0);
  }
}

static void put_law(rgProblemContact* contact, char letter) {
  static const rgConeKind kinds[] = {RG_CONE_FRICTIONLESS, RG_CONE_FRICTIONLESS, RG_CONE_DISK,
                                     RG_CONE_ELLIPSOID,    RG_CONE_INNER,        RG_CONE_OUTER};
  contact->cone = kinds[strchr(contact_letters, letter) - contact_letters];
  contact->facets = 6;
  if (contact->cone != RG_CONE_ELLIPSOID)
    return;
  contact->e_t = 1.2;
  contact->e_o = 0.8;
  contact->e_tau = 0.1;
}

// Two rows between the boxes, along x and about y.
static void put_rows(Made* m, RowKind kind) {
  for (int i = 0; i < 2 && kind != ROWS_NONE; i++) {
    rgProblemRow* row = made_row(m, 1, 0);
    if (i == 0)
      row->g_a.linear = v3(1, 0, 0);
    else
      row->g_a.angular = v3(0, 1, 0);
    row->g_b = (rgTwist){v3_neg(row->g_a.linear), v3_neg(row->g_a.angular)};
    row->bias = 0.2;
    if (kind == ROWS_BOUNDED) {
      row->lower = -0.01;
      row->upper = 0.02;
    }
    if (kind == ROWS_SOFT)
      row->compliance = 3;
  }
}

static Made make(int dimension, char letter, RowKind rows) {
  Made m = made(0.5);
  m.problem.dimension = dimension;
  for (int box = 0; box < 2; box++) {
    made_box(&m, v3(0, 0, 0.5 + box), 1, 1, 1, 1 + box);
    m.bodies[box].v_free.linear.x = 0.1 * (1 + box);
    if (letter != 'n')
      put_contacts(&m, dimension, box);
  }
  for (int i = 0; i < m.problem.contact_count; i++)
    put_law(&m.contacts[i], letter);
  put_rows(&m, rows);
  return m;
}

// --- checks --------------------------------------------------------------------------------------

// Whatever is taken is also solved.
static void check_taken(const rgSolver* solver, Made* m) {
  made_ready(m, solver->name);
  rgStop stop = rg_stop_default();
  rgSolveReport report;
  rgMessage message;
  rgStatus status =
      rg_solve(&m->problem, solver->name, NULL, &stop, &m->solution, m->work, &report, &message);
  CHECK_MSG(status == RG_OK, "%s: %s", rg_status_name(status), message.text);
  CHECK(report.certificate.met);
}

// A refusal says what would be taken: "newton takes exact cones only, contact 0 has a polygon".
static void check_refusal(const rgSolver* solver, rgStatus status, const char* text) {
  CHECK_INT(status, RG_ERROR_UNSUPPORTED);
  size_t length = strlen(solver->name);
  CHECK_MSG(strncmp(text, solver->name, length) == 0 && strncmp(text + length, " takes ", 7) == 0,
            "the message is \"%s\", must begin with \"%s takes\"", text, solver->name);
}

static void check_kind(const rgSolver* solver, Made* m, bool taken) {
  rgMessage message = {""};
  m->problem.local = m->values ? &m->matrix : NULL;
  REQUIRE_MSG(rg_problem_check(&m->problem, &message) == RG_OK, "%s", message.text);
  rgStatus status = solver->accepts(&m->problem, &message);
  CHECK_MSG((status == RG_OK) == taken, "is listed as %s, but is %s: %s",
            taken ? "taken" : "refused", status == RG_OK ? "taken" : "refused", message.text);
  if (status == RG_OK)
    check_taken(solver, m);
  else
    check_refusal(solver, status, message.text);
  made_free(m);
}

TEST(every_solver_takes_what_the_table_says_and_nothing_else) {
  for (int i = 0; i < TABLE_COUNT; i++)
    for (int kind = 0; kind < CONTACT_KINDS; kind++) {
      const rgSolver* solver = rg_solver_find(table[i].solver);
      char letter = contact_letters[kind];
      REQUIRE_MSG(solver != NULL, "there is no solver %s", table[i].solver);
      for (int rows = 0; rows < ROW_KINDS; rows++) {
        CONTEXT("%s, dimension %d, contacts %c, %s", solver->name, table[i].dimension, letter,
                row_names[rows]);
        Made m = make(table[i].dimension, letter, (RowKind)rows);
        check_kind(solver, &m, table[i].bodies[rows][kind] == letter);
      }
      if (letter == 'n')
        continue;
      CONTEXT("%s, dimension %d, contacts %c, local form", solver->name, table[i].dimension,
              letter);
      Made m = made_local(make(table[i].dimension, letter, ROWS_NONE));
      check_kind(solver, &m, table[i].local[kind] == letter);
    }
}

// Each solver stands in the table once for each dimension, with a letter or a dot for each kind.
TEST(every_solver_is_in_the_table) {
  for (int s = 0; rg_solver_name(s); s++)
    for (int dimension = 2; dimension <= 3; dimension++) {
      int count = 0;
      for (int i = 0; i < TABLE_COUNT; i++)
        count += strcmp(table[i].solver, rg_solver_name(s)) == 0 && table[i].dimension == dimension;
      CONTEXT("solver %s, dimension %d", rg_solver_name(s), dimension);
      CHECK_INT(count, 1);
    }
  for (int i = 0; i < TABLE_COUNT; i++)
    for (int rows = 0; rows <= ROW_KINDS; rows++) {
      const char* text = rows < ROW_KINDS ? table[i].bodies[rows] : table[i].local;
      CONTEXT("solver %s, \"%s\"", table[i].solver, text);
      CHECK_INT((int)strlen(text), CONTACT_KINDS);
      for (int k = 0; k < CONTACT_KINDS; k++)
        CHECK(text[k] == '.' || text[k] == contact_letters[k]);
    }
}
