// project_mark.c - which contacts and joints ask for a correction of positions, and which take part in it.
//
// A contact asks where its overlap is beyond what is left alone, unless it bounces and is about to open by itself. Others
// take part where a correction as large as the largest that is asked for could close them.
#include "step/fill/fill.h"
#include "step/stabilize/close.h"
#include "step/stabilize/project.h"
#include "step/stabilize/stabilizer.h"

#include <math.h>

// Part of the half-width of the smaller shape from which on an overlap is passing (fill/passing.c).
static const double DEEP = 0.5;

// Whether an overlap beyond what is left alone asks for a correction.
static bool asks_for_correction(const rgStep* step, const rgWorldContact* contact, double allowed) {
  if (rg_fill_restitution(step->world, contact) == 0)
    return true;
  double opening = rg_fill_normal_velocity(step, contact, RG_VELOCITY_NOW);
  return contact->gap + step->h * opening < -allowed || -contact->gap > DEEP * contact->size;
}

// The same where gaps are closed, to either side.
static rgMark mark_gap(const rgStep* step, const rgWorldContact* contact, rgProjection* asked) {
  double allowed = rg_close_asked(step, contact);
  bool asks = contact->gap < -allowed ? rg_close_takes(step, contact)
                                      : contact->gap > allowed && rg_close_holds(step, contact);
  if (!asks)
    return RG_MARK_OUT;
  asked->allowed = fmin(asked->allowed, allowed);
  asked->deepest = fmax(asked->deepest, fabs(contact->gap));
  asked->overlaps = true;
  return RG_MARK_ASKS;
}

static rgMark mark_contact(const rgStep* step, const rgWorldContact* contact, rgProjection* asked) {
  if (asked->form.closes)
    return mark_gap(step, contact, asked);
  if (contact->gap >= 0)
    return RG_MARK_OUT;
  double allowed = rg_stabilizer_allowed_overlap(step->world, contact);
  bool deep = contact->gap < -allowed;
  if (deep && !asks_for_correction(step, contact, allowed))
    return RG_MARK_OUT;
  rg_project_judge(asked, allowed, -contact->gap);
  if (!deep)
    return RG_MARK_OUT;
  asked->allowed = fmin(asked->allowed, allowed);
  asked->deepest = fmax(asked->deepest, -contact->gap);
  asked->overlaps = true;
  return RG_MARK_ASKS;
}

// Joints take part, but it is not for their errors that gaps are closed.
static void leave_joints(rgStep* step, rgProjection* asked) {
  for (int i = 0; i < step->world->joint_slots; i++)
    if (step->joints[i].mark == RG_MARK_ASKS)
      step->joints[i].mark = RG_MARK_IN;
  *asked = (rgProjection){.form = asked->form, .allowed = HUGE_VAL};
}

// Contacts are marked by blocks that follow from their number alone, and what each block asks for is put together
// in the order of the blocks: of errors that are equal up to rounding the same one is told of, for any number of threads.
enum { MARK_BLOCKS = 64, BLOCK_LEAST = 256 };
typedef struct Marking {
  rgStep* step;
  double near; // [m] gap up to which contacts take part that do not ask
  int blocks;
  rgProjection asked[MARK_BLOCKS];
} Marking;

static void mark_block(void* context, int block, int worker) {
  (void)worker;
  Marking* marking = context;
  rgStep* step = marking->step;
  rgProjection asked = marking->asked[block];
  int64_t count = step->world->contact_count;
  int end = (int)(count * (block + 1) / marking->blocks);
  for (int i = (int)(count * block / marking->blocks); i < end; i++)
    step->contacts[i].mark = mark_contact(step, &step->world->contacts[i], &asked);
  marking->asked[block] = asked;
}

static void mark_near_range(void* context, int first, int end) {
  const Marking* marking = context;
  rgStep* step = marking->step;
  for (int i = first; i < end; i++)
    if (step->contacts[i].mark == RG_MARK_OUT && step->world->contacts[i].gap <= marking->near)
      step->contacts[i].mark = RG_MARK_IN;
}

static void add_asked(rgProjection* asked, const rgProjection* more) {
  asked->allowed = fmin(asked->allowed, more->allowed);
  asked->deepest = fmax(asked->deepest, more->deepest);
  asked->overlaps = asked->overlaps || more->overlaps;
  rg_project_judge(asked, more->promised, more->worst);
}

rgProjection rg_project_mark(rgStep* step, rgProjectForm form, double reach) {
  rgTasks* tasks = step->world->threads.tasks;
  int contacts = step->world->contact_count, blocks = contacts / BLOCK_LEAST + 1;
  Marking marking; // of which only the blocks that there are are written: all of it is 4 kB
  marking.step = step;
  marking.blocks = blocks < MARK_BLOCKS ? blocks : MARK_BLOCKS;
  rgProjection asked = {.form = form, .allowed = HUGE_VAL};
  for (int k = 0; k < marking.blocks; k++)
    marking.asked[k] = asked;
  rg_project_mark_joints(step, &asked);
  if (form.closes)
    leave_joints(step, &asked);
  rg_tasks_run(tasks, marking.blocks, mark_block, &marking);
  for (int k = 0; k < marking.blocks; k++)
    add_asked(&asked, &marking.asked[k]);
  marking.near = fmax(asked.deepest, reach);
  if (isfinite(asked.allowed))
    rg_tasks_ranges(tasks, contacts, mark_near_range, &marking);
  return asked;
}
