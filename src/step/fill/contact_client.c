// contact_client.c - contacts as a client of the rounds: which are in the problem, and under which
// law of friction, depends on the movement that the problem gives.
#include "step/fill/clients.h"
#include "step/fill/fill.h"
#include "step/scheme/scheme.h"

static void begin(rgStep* step) {
  for (int i = 0; i < step->world->contact_count; i++)
    step->contacts[i].slip_part = 0;
  step->complete = step->scheme->select(step);
}

// Bodies whose velocity follows force have another mobility (first_order.c).
static void scale_mobility(rgProblemSet* set, double factor) {
  for (int i = 0; i < set->body_count; i++) {
    set->bodies[i].inverse_mass *= factor;
    set->bodies[i].inverse_inertia = m3_scale(&set->bodies[i].inverse_inertia, factor);
  }
}

static void fill(rgStep* step) {
  rg_fill_contacts(step);
  if (step->scheme->mobility > 0)
    scale_mobility(&step->velocity, step->scheme->mobility);
}

static int enters(rgStep* step) { return step->complete ? 0 : rg_fill_add_closing(step); }

const rgRoundClient rg_client_contacts = {
    .name = "contacts",
    .begin = begin,
    .fill = fill,
    .enters = enters,
    .gains = rg_fill_end_contact_gains,
};
