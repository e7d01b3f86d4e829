// close.c - gaps at the end of a step of second order, closed by multipliers of positions (Gear, Gupta,
// Leimkuhler 1985; scheme/implicit_geometry.c has the step and the reason).
//
// Problem. After the movement to q~ contacts that were closed have gaps of O(h^3), and such as have landed
// larger ones. Of all displacements that make
//
//     g(q~ + d) = 0 of contacts that are held,      g(q~ + d) >= 0 of all others,
//
// the smallest in the kinetic norm is sought; joints stay closed. Velocities are not touched. A
// contact is held if it pushes, r_n > 0, and does not close by its own velocity in the next step: one that
// lands may need two.
//
// Method. The passes of project.c, with gaps in the place of what `post` leaves alone, each with contacts
// found anew. They solve for inequalities alone, which suits redundant contacts: equations of four
// corners would contradict each other by rounding. So what is held is pressed,
//
//     minimize 1/2 d' M d + p . N' d   such that   g + N' d >= 0,    M d = N (mu - p),  mu >= 0.
//
// Where mu > 0 for all that is held, its gaps are zero, and mu - p are the multipliers of the
// equations: an exact penalty, for any p that is large enough. It is the larger of what moves the contact alone by PRESS
// times the largest gap, and of its impulse times what that makes of the weakest: below a stack all of it is to be
// moved. Without gaps mu = p, d = 0.
//
// Left alone are overlaps of the start of the step, which the stabilizer removes at its own pace; contacts that have
// rebounded, whose lift would add to the energy of the rebound; and corners of patches with contacts inside.
//
// Judged after the last pass by geometry: the stage `gap` of the certificate, with the gap that the
// tolerance of velocities allows in a step. Cost: a frictionless solve, and a search for contacts of bodies
// that were moved, per pass; one is the rule, as gaps fall quadratically.
#include "step/stabilize/close.h"

#include "step/fill/fill.h"
#include "step/report.h"
#include "step/stabilize/stabilizer.h"

// A contact that is pressed would go this many times the largest gap, if nothing held it.
static const double PRESS = 4;
// Impulses below this part of the largest, as changes of velocity, do not decide for how long impulses press.
static const double WEAK = 1e-2;

// Rounding of a gap that was corrected, of poses and of contacts found again, beside that of one.
static const double CORRECTED = 4;

// The scale of the velocities about a contact [m/s]: of the problems of its bodies, or that of a fall.
static double scale_about(const rgStep* step, const rgWorldContact* contact) {
  const int slots[2] = {contact->body_a, contact->body_b};
  double scale = 0;
  bool known = false;
  for (int i = 0; i < 2; i++) {
    int k = step->bodies[slots[i]].island;
    if (step->world->bodies[slots[i]].kind != RG_BODY_DYNAMIC || k < 0)
      continue;
    scale = fmax(scale, step->velocity.islands[k].report.certificate.scale);
    known = true;
  }
  return known ? scale : step->h * v3_norm(step->world->options.gravity);
}

double rg_close_asked(const rgStep* step, const rgWorldContact* contact) {
  return CORRECTED * rg_fill_gap_asked(step, contact, 0) +
         rg_fill_gap_asked(step, contact, scale_about(step, contact));
}

// What was there before the step and is left to the stabilizer.
static bool is_older(const rgStep* step, const rgWorldContact* contact) {
  double start = step->account.start_error;
  return start > rg_stabilizer_allowed_overlap(step->world, contact) && -contact->gap <= start &&
         -contact->gap > rg_stabilizer_allowed_overlap(step->world, contact);
}

bool rg_close_takes(const rgStep* step, const rgWorldContact* contact) {
  if (contact->share < 0 || is_older(step, contact))
    return false;
  if (rg_fill_restitution(step->world, contact) == 0)
    return true;
  double opening = rg_fill_normal_velocity(step, contact, RG_VELOCITY_NOW);
  return !(opening > 0 && contact->gap + step->h * opening >= 0);
}

bool rg_close_holds(const rgStep* step, const rgWorldContact* contact) {
  if (!(v3_dot(contact->normal, contact->impulse) > 0) || !rg_close_takes(step, contact))
    return false;
  double u = rg_fill_normal_velocity(step, contact, RG_VELOCITY_NOW);
  return contact->gap <= rg_close_asked(step, contact) || contact->gap + step->h * u > 0;
}

// [1/kg] What a contact of the projection gives way along its normal by an impulse there.
static double mobility_of(const rgProblemSet* set, int start, const rgProblemContact* contact) {
  const int bodies[2] = {contact->body_a, contact->body_b};
  const rgVec3 arms[2] = {contact->arm_a, contact->arm_b};
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    if (bodies[k] < 0)
      continue;
    const rgProblemBody* body = &set->bodies[start + bodies[k]];
    rgVec3 lever = v3_cross(arms[k], contact->n);
    sum += body->inverse_mass + v3_dot(lever, m3_apply(&body->inverse_inertia, lever));
  }
  return sum;
}

static void pull(rgProblemSet* set, int body, rgVec3 arm, rgVec3 impulse) {
  rgProblemBody* own = &set->bodies[body];
  own->v_free.linear = v3_axpy(own->v_free.linear, own->inverse_mass, impulse);
  rgVec3 turn = m3_apply(&own->inverse_inertia, v3_cross(arm, impulse));
  own->v_free.angular = v3_add(own->v_free.angular, turn);
}

// What the contacts of an island are pressed with.
typedef struct Press {
  double way;  // [m] of each by itself, at least
  double time; // [s] for which its impulse acts, at least
} Press;

static Press press_of(const rgStep* step, const rgIsland* island) {
  const rgProblemSet* set = &step->position;
  double least = HUGE_VAL, most = 0, deepest = 0; // [m/s], [m/s], [m]
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[set->contact_order[i]];
    if (step->contacts[set->contact_order[i]].mark == RG_MARK_ASKS)
      deepest = fmax(deepest, fabs(contact->gap));
    if (!rg_close_holds(step, contact))
      continue;
    double change = mobility_of(set, island->body_start, &set->contacts[i]) *
                    v3_dot(contact->normal, contact->impulse);
    least = fmin(least, change);
    most = fmax(most, change);
  }
  double way = PRESS * deepest;
  return (Press){way, most > 0 ? way / fmax(least, WEAK * most) : 0};
}

double rg_close_press(rgStep* step, const rgIsland* island) {
  rgProblemSet* set = &step->position;
  Press press = press_of(step, island);
  double farthest = 0;
  for (int i = island->contact_start; i < island->contact_start + island->contact_count; i++) {
    const rgWorldContact* contact = &step->world->contacts[set->contact_order[i]];
    const rgProblemContact* in = &set->contacts[i];
    double mobility = mobility_of(set, island->body_start, in);
    if (!(mobility > 0) || !rg_close_holds(step, contact))
      continue;
    double p = fmax(press.way / mobility, press.time * v3_dot(contact->normal, contact->impulse));
    set->r[4 * i] = p;
    if (in->body_a >= 0)
      pull(set, island->body_start + in->body_a, in->arm_a, v3_scale(in->n, -p));
    if (in->body_b >= 0)
      pull(set, island->body_start + in->body_b, in->arm_b, v3_scale(in->n, p));
    farthest = fmax(farthest, mobility * p);
  }
  return farthest;
}

static void judge(rgStep* step) {
  const rgWorld* world = step->world;
  for (int i = 0; i < world->contact_count; i++) {
    const rgWorldContact* contact = &world->contacts[i];
    if (!rg_close_takes(step, contact))
      continue;
    double off = contact->gap > 0 && !rg_close_holds(step, contact) ? 0 : fabs(contact->gap);
    rg_report_stage(step, RG_STAGE_GAP, rg_close_asked(step, contact), off);
  }
}

rgStatus rg_close_gaps(rgStep* step) {
  rgProjectForm form = {.repeats = true, .bounded = true, .closes = true};
  rgStatus status = rg_project_positions(step, form);
  if (status == RG_OK)
    judge(step);
  return status;
}
