// meet_make.h - making intersections and functions of the user.
#ifndef SHAPE_MEET_MEET_MAKE_H
#define SHAPE_MEET_MEET_MAKE_H

#include "shape/meet/meet.h"

// Whether the members can be intersected; a message when not.
bool rg_meet_check_members(const rgShapeDef* def, rgMessage* message);
// Whether all members are flat; then the shape is made as a hull.
bool rg_meet_is_polytope(const rgShapeDef* def);
rgShape* rg_meet_polytope(const rgShapeDef* def, const rgAllocator* allocator, rgStatus* status,
                          rgMessage* message);

// Fills `meet`, with the members in `list`.
rgStatus rg_meet_make(const rgShapeDef* def, rgMeet* meet, rgShape* list, rgMessage* message);
rgStatus rg_meet_make_function(const rgShapeDef* def, rgMeet* meet, rgMessage* message);
// Whether the function is what it says at places within its bounds; the largest gradient there.
rgStatus rg_meet_check_function(const rgConvexFunction* function, double* steep,
                                rgMessage* message);
// `build` of rgShapeInfo for both.
void rg_meet_build(const rgShapeDef* def, void* scratch, rgShape* shape, void* memory);
rgPieceFunction rg_meet_piece;
bool rg_meet_piece_tip(const rgShape* shape, int i, rgVec3* tip);

// Members as half-spaces: a half-space, or the six of a box; for each the outward normal and the offset.
enum { RG_MEET_BOX_FACES = 6 };
int rg_meet_faces_of(const rgShapeDef* member, rgVec3 normals[RG_MEET_BOX_FACES],
                     double offsets[RG_MEET_BOX_FACES]);

#endif
