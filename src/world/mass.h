// mass.h - mass of a body from its definition and its shapes.
#ifndef WORLD_MASS_H
#define WORLD_MASS_H

#include "world/world.h"

// Mass properties in the body frame that `def` and the solid shapes make together; the message (and
// RG_ERROR_INPUT) says what is missing or impossible. `solids` are the shapes' own properties in
// the body frame.
rgStatus rg_body_mass_combine(const rgBodyDef* def, const rgMassProperties* solids, int solid_count,
                              rgMassProperties* out, rgMessage* message);

// Stores the properties in the body: principal axes and inverses. The centre of mass and the
// velocity are moved so that the body frame and its movement stay what they were.
void rg_body_mass_apply(rgBody* body, const rgMassProperties* properties);

#endif
