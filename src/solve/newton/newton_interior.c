// newton_interior.c - an interior-point method for the exact law of contact and friction.
//
// Problem: the discrete problem of problem.h with exact cones and rows, in the scaled variables of
// newton_form.h. With x^ = (mu x_n, x_T) and y^ = (y_n / mu + |y_T|, y_T) De Saxce's form of the
// law says that both lie in the Lorentz cone and x^ . y^ = 0.
//
// Method. Follow the curve on which x^ o y^ = tau e for all contacts while tau goes to zero. y^ is
// an unknown of its own that need not be the velocity of x yet; per step one Newton step of
//
//     x^ o y^ = tau e,     y^ = P y + |y_T| e_0,     y = W x + q,     P = diag(1/mu, 1, ...)
//
// (|y_T| is taken at the y^ inside the cone: its direction settles where a contact sticks, that of the velocity of x
// turns at random there), with the first equation in the symmetric scaling of Nesterov and Todd, D = W^2 with D y^ = x^:
//
//     dx^ = (tau y^^-1 - x^) - D dy^,     dy^ = (P + e_0 nu') (y + dy) - y^,
//
// nu = y^_T / |y^_T|. So B = P D (P + e_0 nu') in the terms of newton_form.h: unsymmetric, because
// friction does no virtual work of its own, and one factorization serves a predictor (tau = 0) and
// a corrector (Mehrotra: tau from how far the predictor came, with its second-order error). Both
// points stay inside the cones by the length of the step. Rows have x between their bounds and y =
// up - down with (x - lower) up = (upper - x) down = tau. Rows without bounds are left to others:
// with chains of joints the curve ends in a fold at some 1e-4 of the free velocity, and what it
// leads to is worse than what sweeps find.
//
// No status has to be guessed, so that nothing cycles where hundreds of contacts are about to slip:
// 20 to 40 steps for most problems, whatever their size. But with friction the curve may turn back
// before tau is zero. Next to such a fold steps become long and useless; a proximal term, dy^ +
// S dx^ with S = regularization P^2, bends them until they are of use or it is clear that there is
// no way on. Then, and for the last digits, newton_path.c goes on from the best point.
//
// Cost: per step one assembly, one factorization and two solves.
//
// Start. Which branch of the curve it comes to, and so whether it meets a fold, depends on where it begins. From its own
// point in the middle of the cones that is luck: starts of other sizes, and after them starts drawn contact by contact,
// are worth a trial (auto.c). From given impulses x and their velocities y, each moved along the axis of its cone until it
// is inside by a small part of the free velocity, it follows from the impulses: those that some hundred sweeps have found
// are near a solution as a rule, most statuses are right, and half as many steps do. What is missed at first is what was
// moved.
//
// References: Nesterov, Todd 1998; Mehrotra 1992; Acary, Armand, Nguyen, Shpakovych 2024 for the
// frictional problem; De Saxce, Feng 1998 for the form of the law.
#include "solve/newton/newton_interior.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum {
  STEPS = 60,      // factorizations; more are better spent by others,
  WARM_STEPS = 40, // these from given impulses,
  MOST_STEPS = 80, // and these as long as the measure falls,
  FALL_STEPS = 8,  // which is judged over so many steps
  TRIES = 6        // of regularizations in one step, each ten times the last
};
// Standard size of impulses and velocities of the start, relative to effective mass and free
// velocity.
static const double START = 1;
// Part of the way to the surface of the cones that a step goes, and the same from given impulses: many contacts begin
// near the surface there, and must not be at it before the others have come.
static const double NEAR_SURFACE = 0.99, WARM_SURFACE = 0.9;
// Shorter steps ask for a larger regularization, longer ones than LONG_STEP for a smaller one.
static const double SHORT_STEP = 0.1, LONG_STEP = 0.5;
// From given impulses the least one stays: without any, what redundant contacts share is found by differences of numbers
// that grow without bound as tau falls, and their rounding throws a point away that has come near a solution.
static const double FIRST_REGULARIZATION = 1e-6, LEAST_REGULARIZATION = 1e-8,
                    REGULARIZATION_FACTOR = 10;
// From given impulses a step that needs more is next to a fold. None of 57 phases that came to a solution had been there:
// sweeps lead to another branch for less.
static const double FOLD = 5e-3;
// A measure falls that comes down to this part in FALL_STEPS.
static const double FALLS = 0.1;

void rg_newton_interior_carve(rgNewtonInterior* interior, const rgProblem* problem,
                              rgCarver* carver) {
  size_t terms = (size_t)problem->contact_count + (size_t)problem->row_count;
  memset(interior, 0, sizeof *interior);
  interior->terms = rg_carve(carver, terms, sizeof(rgInteriorTerm));
}

// P of the normal component.
static double steepness(const rgNewtonInterior* interior, int i) {
  return interior->terms[i].m > 1 ? 1 / interior->form->model->terms[i].mu : 1;
}

// -------------------------------------------------------------------------------------------------
// Start
// -------------------------------------------------------------------------------------------------

static bool has_lower(const rgNewtonTerm* term) { return term->lower > -HUGE_VAL; }
static bool has_upper(const rgNewtonTerm* term) { return term->upper < HUGE_VAL; }

static void start_contact(rgNewtonInterior* interior, int i, double speed) {
  rgInteriorTerm* own = &interior->terms[i];
  const rgNewtonTerm* term = &interior->form->model->terms[i];
  double* x = interior->form->x + interior->form->terms[i].at;
  own->m = term->mu > 0 ? term->m : 1;
  double steep = steepness(interior, i);
  own->x[0] = speed / steep;
  own->y[0] = speed * steep;
  for (int k = 0; k < term->m; k++)
    x[k] = k == 0 ? speed : 0;
}

// False when there is nothing between the bounds.
static bool start_row(rgNewtonInterior* interior, int i, double speed) {
  rgInteriorTerm* own = &interior->terms[i];
  const rgNewtonTerm* term = &interior->form->model->terms[i];
  const rgNewtonFormTerm* scaled = &interior->form->terms[i];
  double lower = term->lower / scaled->root, upper = term->upper / scaled->root,
         *x = interior->form->x + scaled->at;
  own->m = 0;
  own->up = has_lower(term) ? speed : 0;
  own->down = has_upper(term) ? speed : 0;
  if (has_lower(term) && has_upper(term))
    *x = 0.5 * (lower + upper);
  else
    *x = has_lower(term) ? lower + speed : has_upper(term) ? upper - speed : 0;
  return lower < *x && *x < upper;
}

// 0.1 to 10, by 32 steps of a sixth, as a mixture of the bits of both numbers has it.
static double drawn_factor(int seed, int i) {
  uint32_t bits = (uint32_t)i * 0x9e3779b9u + (uint32_t)seed * 0x85ebca77u;
  bits = (bits ^ bits >> 15) * 0x9e3779b9u;
  double factor = 0.1;
  for (uint32_t k = (bits ^ bits >> 13) % 32; k > 0; k--)
    factor *= 1.16;
  return factor;
}

static bool start(rgNewtonInterior* interior, double size, int seed) {
  for (int i = 0; i < interior->form->model->term_count; i++) {
    rgInteriorTerm* own = &interior->terms[i];
    memset(own, 0, sizeof *own);
    double speed = size * interior->form->terms[i].root * (seed ? drawn_factor(seed, i) : 1);
    if (!interior->form->model->terms[i].row)
      start_contact(interior, i, speed);
    else if (!start_row(interior, i, speed))
      return false;
  }
  return true;
}

// Moves the first number of a point in the cone so that it is at least so far inside.
static void push_inside(double* point, int m, double least) {
  double inside = point[0] - sqrt(lorentz_dot(point + 1, point + 1, m - 1));
  if (!(inside >= least))
    point[0] += least - inside;
}

static void start_contact_near(rgNewtonInterior* interior, int i, double speed) {
  rgInteriorTerm* own = &interior->terms[i];
  const rgNewtonTerm* term = &interior->form->model->terms[i];
  int at = interior->form->terms[i].at;
  double *x = interior->form->x + at, slip;
  const double* y = interior->form->y + at;
  own->m = term->mu > 0 ? term->m : 1;
  slip = sqrt(lorentz_dot(y + 1, y + 1, own->m - 1));
  double steep = steepness(interior, i);
  own->x[0] = x[0] / steep;
  own->y[0] = steep * y[0] + slip;
  for (int k = 1; k < own->m; k++) {
    own->x[k] = x[k];
    own->y[k] = y[k];
  }
  push_inside(own->x, own->m, speed / steep);
  push_inside(own->y, own->m, speed * steep);
  x[0] = steep * own->x[0];
  for (int k = own->m; k < term->m; k++)
    x[k] = 0;
}

// The given impulses and their velocities, moved inside. Rows begin in the middle.
static bool start_near(rgNewtonInterior* interior, double inside, const rgSolution* solution) {
  rgNewtonForm* form = interior->form;
  rg_newton_form_load(form, solution);
  rg_newton_form_velocity(form, form->x, form->y);
  for (int i = 0; i < form->model->term_count; i++) {
    memset(&interior->terms[i], 0, sizeof interior->terms[i]);
    double speed = inside * form->terms[i].root;
    if (!form->model->terms[i].row)
      start_contact_near(interior, i, speed);
    else if (!start_row(interior, i, speed))
      return false;
  }
  return true;
}

// -------------------------------------------------------------------------------------------------
// Linear system
// -------------------------------------------------------------------------------------------------

// B of a contact from D, with the proximal term; B = P (I + D S)^-1 D (P + e_0 nu').
static bool linearize_contact(rgNewtonInterior* interior, int i) {
  rgInteriorTerm* own = &interior->terms[i];
  rgNewtonFormTerm* scaled = &interior->form->terms[i];
  double d[RG_TERM_MAX][RG_TERM_MAX], a[RG_TERM_MAX][RG_TERM_MAX], steep = steepness(interior, i),
                                                                   eta2;
  own->scaling = lorentz_scaling(own->x, own->y, own->m);
  eta2 = own->scaling.eta * own->scaling.eta;
  const double* w = own->scaling.w;
  bool relaxed = interior->regularization > 0;
  memset(own->relaxed, 0, sizeof own->relaxed);
  for (int k = 0; k < own->m; k++) {
    own->relaxed[k][k] = 1;
    for (int l = 0; l < own->m; l++) {
      double identity = k == l ? 1 : 0;
      d[k][l] = eta2 * (2 * w[k] * w[l] - (k == 0 ? identity : -identity));
      a[k][l] = identity + d[k][l] * interior->regularization * (l == 0 ? steep * steep : 1);
    }
  }
  if (relaxed && !rg_newton_form_invert(a, own->m, own->relaxed))
    return false;
  memset(scaled->slope, 0, sizeof scaled->slope);
  for (int k = 0; k < own->m; k++) {
    double row[RG_TERM_MAX] = {0};
    for (int l = 0; l < own->m; l++)
      for (int j = 0; j < own->m; j++)
        row[l] += own->relaxed[k][j] * d[j][l];
    for (int l = 0; l < own->m; l++)
      scaled->slope[k][l] =
          (k == 0 ? steep : 1) * (l == 0 ? steep * row[0] : row[l] + row[0] * own->slide[l]);
  }
  return true;
}

// Distances of a row to its bounds; 1 where there is none, beside a push that is zero.
static void row_room(const rgNewtonInterior* interior, int i, double* below, double* above) {
  const rgNewtonTerm* term = &interior->form->model->terms[i];
  const rgNewtonFormTerm* scaled = &interior->form->terms[i];
  double x = interior->form->x[scaled->at];
  *below = has_lower(term) ? x - term->lower / scaled->root : 1;
  *above = has_upper(term) ? term->upper / scaled->root - x : 1;
}

static void linearize_row(rgNewtonInterior* interior, int i) {
  const rgInteriorTerm* own = &interior->terms[i];
  rgNewtonFormTerm* scaled = &interior->form->terms[i];
  double below, above;
  row_room(interior, i, &below, &above);
  double stiffness = own->up / below + own->down / above;
  scaled->slope[0][0] = 1 / (stiffness + scaled->softness + interior->regularization);
}

static bool factor(rgNewtonInterior* interior) {
  rgNewtonForm* form = interior->form;
  rg_newton_form_clear(form);
  for (int i = 0; i < form->model->term_count; i++) {
    if (form->model->terms[i].row)
      linearize_row(interior, i);
    else if (!linearize_contact(interior, i))
      return false;
    rg_newton_form_add_slope(form, i);
  }
  return rg_block_lu_factor(&form->lu);
}

// What y^ lacks, and the direction of slip, at the velocity of the present x. Returns the mean of
// x^ . y^.
static double examine(rgNewtonInterior* interior) {
  const rgNewtonForm* form = interior->form;
  double sum = 0;
  int cones = 0;
  for (int i = 0; i < form->model->term_count; i++) {
    rgInteriorTerm* own = &interior->terms[i];
    const double* y = form->y + form->terms[i].at;
    if (own->m == 0) {
      own->miss[0] = y[0] - (own->up - own->down);
      double below, above;
      row_room(interior, i, &below, &above);
      sum += own->up * below + own->down * above;
      cones += (own->up > 0) + (own->down > 0);
      continue;
    }
    double slip = sqrt(lorentz_dot(own->y + 1, own->y + 1, own->m - 1));
    own->miss[0] = steepness(interior, i) * y[0] - own->y[0];
    for (int k = 1; k < own->m; k++) {
      own->slide[k] = slip > 0 ? own->y[k] / slip : 0;
      own->miss[k] = y[k] - own->y[k];
      own->miss[0] += own->slide[k] * y[k];
    }
    sum += lorentz_dot(own->x, own->y, own->m);
    cones++;
  }
  return cones ? sum / cones : 0;
}

// -------------------------------------------------------------------------------------------------
// Steps
// -------------------------------------------------------------------------------------------------

// D v
static void apply_scaling(const rgInteriorTerm* own, const double* v, double* out) {
  lorentz_scale(&own->scaling, v, own->m, false, out);
  lorentz_scale(&own->scaling, out, own->m, false, out);
}

// tau y^^-1 - x^ - D miss; of the corrector also - W (lambda \ (W^-1 dx^ o W dy^)) with the step of
// the predictor and lambda = W y^.
static void know_contact(rgInteriorTerm* own, double tau, bool corrector) {
  double through[LORENTZ_MAX], second[LORENTZ_MAX] = {0}, det = lorentz_det(own->y, own->m);
  apply_scaling(own, own->miss, through);
  if (corrector) {
    double a[LORENTZ_MAX], b[LORENTZ_MAX], both[LORENTZ_MAX];
    lorentz_scale(&own->scaling, own->dx, own->m, true, a);
    lorentz_scale(&own->scaling, own->dy, own->m, false, b);
    lorentz_product(a, b, own->m, both);
    lorentz_scale(&own->scaling, own->y, own->m, false, a);
    lorentz_divide(a, both, own->m, b);
    lorentz_scale(&own->scaling, b, own->m, false, second);
  }
  for (int k = 0; k < own->m; k++) {
    double inverse = (k == 0 ? own->y[k] : -own->y[k]) / det;
    own->known[k] = tau * inverse - own->x[k] - through[k] - second[k];
  }
}

// The change of up and down for a given dx, from (x - lower) up = tau and its like. In the
// corrector with the second-order error of the predictor.
static void push_row(rgNewtonInterior* interior, int i, double dx, double tau, bool corrector,
                     double* up, double* down) {
  const rgInteriorTerm* own = &interior->terms[i];
  double below, above, second_up = corrector ? own->dx[0] * own->d_up : 0,
                       second_down = corrector ? own->dx[0] * own->d_down : 0;
  row_room(interior, i, &below, &above);
  *up = own->up > 0 ? (tau - own->up * dx - second_up) / below - own->up : 0;
  *down = own->down > 0 ? (tau + own->down * dx + second_down) / above - own->down : 0;
}

// The step for the present `known`; the steps of up and down need the old ones in the corrector.
static void solve_step(rgNewtonInterior* interior, double tau, bool corrector) {
  rgNewtonForm* form = interior->form;
  rg_newton_form_clear_change(form);
  for (int i = 0; i < form->model->term_count; i++) {
    rgInteriorTerm* own = &interior->terms[i];
    double v[LORENTZ_MAX] = {0};
    if (own->m == 0) {
      double up, down;
      push_row(interior, i, 0, tau, corrector, &up, &down);
      own->known[0] = form->terms[i].slope[0][0] * (up - down - own->miss[0]);
      v[0] = own->known[0];
    } else {
      know_contact(own, tau, corrector);
      for (int k = 0; k < own->m; k++)
        for (int l = 0; l < own->m; l++)
          v[k] += own->relaxed[k][l] * own->known[l];
      v[0] *= steepness(interior, i);
    }
    rg_newton_form_add_impulse(form, i, v, form->change);
  }
  rg_block_lu_solve(&form->lu, form->change);
  for (int i = 0; i < form->model->term_count; i++) {
    rgInteriorTerm* own = &interior->terms[i];
    double moved[RG_TERM_MAX], through[LORENTZ_MAX], steep = steepness(interior, i);
    rg_newton_form_project(form, i, form->change, moved);
    if (own->m == 0) {
      double dx = own->known[0] - form->terms[i].slope[0][0] * moved[0], up, down;
      push_row(interior, i, dx, tau, corrector, &up, &down);
      own->dx[0] = dx;
      own->d_up = up;
      own->d_down = down;
      continue;
    }
    moved[0] *= steep;
    moved[0] += lorentz_dot(own->slide + 1, moved + 1, own->m - 1);
    apply_scaling(own, moved, through);
    for (int k = 0; k < own->m; k++) {
      double dx = 0;
      for (int l = 0; l < own->m; l++)
        dx += own->relaxed[k][l] * (own->known[l] - through[l]);
      own->dx[k] = dx;
      own->dy[k] =
          own->miss[k] + moved[k] + interior->regularization * (k == 0 ? steep * steep : 1) * dx;
    }
  }
}

// How far the step may go before something leaves its cone.
static double step_limit(const rgNewtonInterior* interior) {
  double least = HUGE_VAL;
  for (int i = 0; i < interior->form->model->term_count; i++) {
    const rgInteriorTerm* own = &interior->terms[i];
    if (own->m > 0) {
      least = fmin(least, lorentz_limit(own->x, own->dx, own->m));
      least = fmin(least, lorentz_limit(own->y, own->dy, own->m));
      continue;
    }
    double below, above, fall = -own->dx[0], rise = own->dx[0];
    row_room(interior, i, &below, &above);
    if (own->up > 0)
      least = fmin(least,
                   fmin(lorentz_limit(&below, &rise, 1), lorentz_limit(&own->up, &own->d_up, 1)));
    if (own->down > 0)
      least = fmin(
          least, fmin(lorentz_limit(&above, &fall, 1), lorentz_limit(&own->down, &own->d_down, 1)));
  }
  return least;
}

// The mean of x^ . y^ after a step of length s.
static double duality_after(const rgNewtonInterior* interior, double s) {
  double sum = 0;
  int cones = 0;
  for (int i = 0; i < interior->form->model->term_count; i++) {
    const rgInteriorTerm* own = &interior->terms[i];
    if (own->m == 0) {
      double below, above;
      row_room(interior, i, &below, &above);
      sum += (own->up + s * own->d_up) * (below + s * own->dx[0]) * (own->up > 0);
      sum += (own->down + s * own->d_down) * (above - s * own->dx[0]) * (own->down > 0);
      cones += (own->up > 0) + (own->down > 0);
      continue;
    }
    for (int k = 0; k < own->m; k++)
      sum += (own->x[k] + s * own->dx[k]) * (own->y[k] + s * own->dy[k]);
    cones++;
  }
  return cones ? sum / cones : 0;
}

static void move(rgNewtonInterior* interior, double s) {
  for (int i = 0; i < interior->form->model->term_count; i++) {
    rgInteriorTerm* own = &interior->terms[i];
    double* x = interior->form->x + interior->form->terms[i].at;
    if (own->m == 0) {
      x[0] += s * own->dx[0];
      own->up += s * own->d_up;
      own->down += s * own->d_down;
      continue;
    }
    for (int k = 0; k < own->m; k++) {
      own->x[k] += s * own->dx[k];
      own->y[k] += s * own->dy[k];
      x[k] = k == 0 ? steepness(interior, i) * own->x[0] : own->x[k];
    }
  }
}

// Predictor and corrector. Returns the length of the step that is made ready.
static double direct(rgNewtonInterior* interior, double duality) {
  solve_step(interior, 0, false);
  double ahead = duality_after(interior, fmin(1, step_limit(interior)));
  double part = duality > 0 ? fmin(1, fmax(0, ahead / duality)) : 0;
  solve_step(interior, part * part * part * duality, true);
  return fmin(1, interior->near_surface * step_limit(interior));
}

// Makes one step. False when there is no way on.
static bool advance(rgNewtonInterior* interior, rgSolve* run, double duality) {
  for (int i = 0; i < TRIES; i++) {
    if (rg_solve_is_over(run))
      return false;
    run->iterations++;
    rg_solve_count_factorization(run, interior->form->lu.products);
    double s = factor(interior) ? direct(interior, duality) : 0;
    if (s >= SHORT_STEP) {
      move(interior, s);
      if (s > LONG_STEP)
        interior->regularization = interior->regularization > LEAST_REGULARIZATION
                                       ? fmax(interior->least_regularization,
                                              interior->regularization / REGULARIZATION_FACTOR)
                                       : interior->least_regularization;
      return true;
    }
    interior->regularization = interior->regularization > interior->least_regularization
                                   ? REGULARIZATION_FACTOR * interior->regularization
                                   : FIRST_REGULARIZATION;
    if (interior->regularization > interior->most_regularization)
      return false;
  }
  return false;
}

// The measures of the last steps.
typedef struct Trail {
  double measures[FALL_STEPS];
  int count;
} Trail;

// Adds a measure. True when it is far below the one of FALL_STEPS before.
static bool falls(Trail* trail, double measure) {
  double* place = &trail->measures[trail->count++ % FALL_STEPS];
  bool far_below = trail->count > FALL_STEPS && measure < FALLS * *place;
  *place = measure;
  return far_below;
}

bool rg_newton_interior_solve(rgNewtonInterior* interior, rgNewtonForm* form, rgInteriorStart from,
                              rgSolve* run) {
  bool warm = from.inside > 0;
  interior->form = form;
  interior->regularization = interior->least_regularization = warm ? LEAST_REGULARIZATION : 0;
  interior->most_regularization = warm ? FOLD : HUGE_VAL;
  interior->near_surface = warm ? WARM_SURFACE : NEAR_SURFACE;
  if (!rg_newton_form_order(form) ||
      !(warm ? start_near(interior, from.inside * run->scale, run->solution)
             : start(interior, (from.size > 0 ? from.size : START) * run->scale, from.seed)))
    return false;
  double measure = HUGE_VAL, best = HUGE_VAL;
  int begun = run->iterations, steps = warm ? WARM_STEPS : STEPS;
  for (Trail trail = {.count = 0}; run->iterations - begun < steps;) {
    rg_newton_form_velocity(form, form->x, form->y);
    measure = rg_newton_form_measure(form, form->x, form->y);
    if (measure < best) {
      best = measure;
      memcpy(form->best, form->x, form->count * sizeof(double));
    }
    rg_solve_record(run, measure);
    if (warm && falls(&trail, measure) && run->iterations - begun + 1 >= steps)
      steps = steps < MOST_STEPS ? steps + 1 : steps;
    if (!(measure > run->goal) || !advance(interior, run, examine(interior)))
      break;
  }
  if (best == HUGE_VAL)
    return false;
  memcpy(form->x, form->best, form->count * sizeof(double));
  rg_newton_form_store(form, run->solution);
  run->measure = best;
  return best <= run->goal;
}
