// follow.h - contacts of pairs that have hardly moved.
#ifndef WORLD_SEARCH_FOLLOW_H
#define WORLD_SEARCH_FOLLOW_H

#include "world/body.h"
#include "world/contact.h"

// How a shape of the body moves from where it was placed last to `to`.
rgMovement rg_follow_movement(const rgWorldShape* shape, rgPose to, const rgBody* body);

// Whether the contacts of a pair, found by a search up to `reach` [m], can follow its shapes to where these
// were placed now, which is up to `limit` [m] from where they were searched.
bool rg_follow_allows(const rgPair* pair, const rgWorldShape* a, const rgWorldShape* b,
                      double reach, double limit);
// Moves so many contacts of a pair along with its shapes, to first order, impulses as they are.
void rg_follow_contacts(const rgWorldShape* a, const rgWorldShape* b, rgWorldContact* contacts,
                        int count);

#endif
