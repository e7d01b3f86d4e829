// character.h - a recorded figure that is simulated: it follows its movement by the forces of its
// muscles, reacts when it is hit, and returns (Cline 2002, section 5.1).
//
// Muscles give the torques that the recorded movement needs, found by inverse dynamics, and more as
// joints deviate from it:
//
//     torque = tau + max(|tau|, floor, share W) (gain (theta_d - theta) + damping (theta_d' - theta'))
//
// (eq. 5.7 and 5.8, with a floor: without one the feedback vanishes where it is needed most; W is the
// moment of the weight of all that a joint carries, stretched out). The step takes the feedback
// implicitly, so that it may be stiff.
//
//     rgCharacterDef def = rg_character_def();
//     rgCharacter* character;
//     rg_character_create(world, figure, &def, &character);
//     while (rg_character_drive(character) == RG_OK && rg_world_step(world, NULL) == RG_OK)
//       printf("%g m\n", rg_character_deviation(character, -1));
#ifndef RIGOR_CHARACTER_H
#define RIGOR_CHARACTER_H

#include "figure.h"
#include "joint.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rgCharacter rgCharacter; // opaque

typedef enum rgCharacterRoot {
  RG_ROOT_PATH, // the root follows its recorded path, whatever pushes against it, as in the thesis
  RG_ROOT_FREE, // the root is a body like the others, and the feet stand on what is below them
  RG_ROOT_COUNT
} rgCharacterRoot;
RG_API const char*
rg_character_root_name(rgCharacterRoot root); // "path", "free"; NULL past the end

typedef struct rgCharacterDef {
  double gain;            // [1/rad] k_s of eq. 5.7
  double damping;         // [s/rad] k_d
  double floor;           // [N m] least torque that feedback is in proportion to
  double share;           // [-] part of W that it is at least in proportion to
  bool explicit_feedback; // taken at the start of the step, as a plain simulation does
  rgCharacterRoot root;
  double from;          // [s] by the clip's clock: where the movement is as the character is made;
                        // from its start on
  rgVec3 offset;        // [m] by which all of it is moved
  uint32_t group, mask; // collision filter of its shapes
  const char* prefix;   // of the names of its bodies and joints; NULL: none
} rgCharacterDef;
// Gain 10, damping 1, floor 2 N m, share 0.25, root on its path, from the start of the clip.
RG_API rgCharacterDef rg_character_def(void);

// Adds the bodies and joints of a figure, as it moves at `from`, to a world of dimension 3. The figure
// and the world must outlive the character. Bodies of the figure do not collide with each other. The
// message is in the world.
RG_API rgStatus rg_character_create(rgWorld* world, const rgFigure* figure,
                                    const rgCharacterDef* def, rgCharacter** character);
// Frees the character; its bodies stay in the world, and those that followed the recorded movement keep
// their velocity. NULL is allowed.
RG_API void rg_character_destroy(rgCharacter* character);

// Sets the muscles for the coming step. Allocates nothing.
RG_API rgStatus rg_character_drive(rgCharacter* character);

// The body of a link, and the joint to its parent; generation 0 when there is none.
RG_API rgBodyId rg_character_body(const rgCharacter* character, int link);
RG_API rgJointId rg_character_joint(const rgCharacter* character, int link);
// [N m] the torque that the recorded movement needs in the step that was set last, on a link by its
// parent, in the axes of the parent (eq. 5.6).
RG_API rgVec3 rg_character_torque(const rgCharacter* character, int link);
// [s] by the clip's clock.
RG_API double rg_character_time(const rgCharacter* character);
// [m] distance of the centre of mass of a link from where the recorded movement has it now; of the
// farthest link for -1.
RG_API double rg_character_deviation(rgCharacter* character, int link);

// Adds copies of all links that show the recorded movement, moved by `offset` [m]: kinematic bodies
// that nothing touches, named after their links with `prefix`.
RG_API rgStatus rg_character_add_ghost(rgCharacter* character, rgVec3 offset, const char* prefix);

#ifdef __cplusplus
}
#endif
#endif
