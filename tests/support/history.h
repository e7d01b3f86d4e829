// history.h - random edits of a world, between which a test makes steps.
//
// Every kind of call that a world takes is among them, right ones and such that are refused. What a call
// answers is told (told.h). The edits that a seed leads to depend on it and on the world alone, and are
// drawn in an order that every compiler keeps.
#ifndef SUPPORT_HISTORY_H
#define SUPPORT_HISTORY_H

#include "support/told.h"

// The sequence that the edits are drawn from: where it stands, and to put it there.
uint64_t history_place(void);
void history_go_to(uint64_t place);

// Bodies, joints and forces that move what a scene of support/arbitrary.h has, which nothing drives.
void history_begin(Told* told);
// One edit, and what it was answered. It makes no step.
rgStatus history_edit(Told* told);
// One call with something wrong (spoil.h), and what it was answered.
rgStatus history_spoil(Told* told);
// Whether edits and their begin have couplings and smooth shapes too: recorded histories do without.
void history_widen(bool on);
// One of a few names, which several bodies and joints come to have.
const char* history_name(void);
// One edit or question of history_rare.c, which are among those of wider histories.
void history_rare_edit(Told* told);
// Gives the option of this name another value that its table allows.
void history_vary_option(rgOptions* options, const char* name);
// Tells what an edit was answered; the last of an edit is what it returns.
void history_answer(Told* told, rgStatus status);
// Asks what changes nothing: rays, distances, overlaps.
void history_ask(Told* told);

rgBodyId history_body(const Told* told);              // any, most often a dynamic one
rgVec3 history_beside(const Told* told, double size); // a place near a body
rgQuat history_turn(const Told* told, double size);
rgShapeDef history_shape(const Told* told);
int history_draw(int count); // 0 .. count - 1
bool history_chance(double p);
double history_between(double low, double high);
// Within a cube of this half-width, or a square in the plane of a flat world.
rgVec3 history_vector(const Told* told, double size);

#endif
