// spoil.c - calls with one thing wrong (spoil.h).
#include "support/spoil.h"

#include "math/vec.h"
#include "support/history.h"
#include "test.h"

#include <stddef.h>
#include <stdio.h>

bool spoiling = false;

static int draw(int count) { return history_draw(count); }

void spoil_number(double* number) {
  const double values[] = {(double)NAN, HUGE_VAL, -HUGE_VAL, -1, -0.01, 0, 1.5};
  if (spoiling)
    *number = values[draw(sizeof values / sizeof *values)];
}

void spoil_id(uint32_t* index, uint32_t* generation) {
  if (!spoiling)
    return;
  if (draw(2))
    *generation += 1 + (uint32_t)draw(2);
  else
    *index = draw(2) ? UINT32_MAX : *index + 1000;
}

// Numbers that stand one after the other in a struct, or one whole number.
typedef struct Place {
  size_t offset;
  int numbers; // 0: an int
} Place;

#define NUMBERS(type, member)                                                                      \
  { offsetof(type, member), (int)(sizeof(((type*)0)->member) / sizeof(double)) }
#define WHOLE(type, member)                                                                        \
  { offsetof(type, member), 0 }

static void spoil_at(void* def, const Place* places, size_t count) {
  if (!spoiling)
    return;
  const Place* place = &places[draw((int)count)];
  char* at = (char*)def + place->offset;
  const int wholes[] = {-1, 2, 99, 1 << 30};
  if (place->numbers > 0)
    spoil_number((double*)(void*)at + draw(place->numbers));
  else
    *(int*)(void*)at = wholes[draw(4)];
}
#define SPOIL_AT(def, places) spoil_at((def), (places), sizeof(places) / sizeof *(places))

void spoil_shape(rgShapeDef* shape) {
  static const Place places[] = {
      WHOLE(rgShapeDef, kind),      NUMBERS(rgShapeDef, pose),
      NUMBERS(rgShapeDef, radius),  NUMBERS(rgShapeDef, half_length),
      NUMBERS(rgShapeDef, half),    NUMBERS(rgShapeDef, rounding),
      NUMBERS(rgShapeDef, density), NUMBERS(rgShapeDef, parameters),
      WHOLE(rgShapeDef, material),
  };
  SPOIL_AT(shape, places);
}

void spoil_body(rgBodyDef* def, rgShapeDef* shape) {
  static const Place places[] = {
      WHOLE(rgBodyDef, kind),   NUMBERS(rgBodyDef, pose),   NUMBERS(rgBodyDef, velocity),
      NUMBERS(rgBodyDef, mass), NUMBERS(rgBodyDef, center), NUMBERS(rgBodyDef, inertia),
  };
  if (!spoiling)
    return;
  if (draw(2)) {
    spoil_shape(shape);
    return;
  }
  if (draw(2)) { // what is not given is not read
    def->mass = 1;
    def->inertia_given = true;
    def->inertia = m3_diag(1, 1.3, 2.1);
  }
  SPOIL_AT(def, places);
}

void spoil_axis(rgJointAxis* axis) {
  static const Place places[] = {
      NUMBERS(rgJointAxis, lower),
      NUMBERS(rgJointAxis, upper),
      NUMBERS(rgJointAxis, motor_speed),
      NUMBERS(rgJointAxis, motor_force),
      NUMBERS(rgJointAxis, friction),
      NUMBERS(rgJointAxis, stiffness),
      NUMBERS(rgJointAxis, rest),
      NUMBERS(rgJointAxis, damping),
      NUMBERS(rgJointAxis, armature),
      NUMBERS(rgJointAxis, effort),
      NUMBERS(rgJointAxis, servo_target),
      NUMBERS(rgJointAxis, servo_speed),
      NUMBERS(rgJointAxis, servo_stiffness),
      NUMBERS(rgJointAxis, servo_damping),
      NUMBERS(rgJointAxis, servo_force),
  };
  SPOIL_AT(axis, places);
}

void spoil_joint(rgJointDef* def) {
  static const Place places[] = {
      WHOLE(rgJointDef, kind),      NUMBERS(rgJointDef, point),      NUMBERS(rgJointDef, point_b),
      NUMBERS(rgJointDef, axis),    NUMBERS(rgJointDef, axis_2),     NUMBERS(rgJointDef, frame_a),
      NUMBERS(rgJointDef, frame_b), NUMBERS(rgJointDef, parameters),
  };
  if (!spoiling)
    return;
  switch (draw(4)) {
  case 0:
    spoil_axis(&def->axes[0]);
    break;
  case 1:
    spoil_id(&def->body_b.index, &def->body_b.generation);
    break;
  default:
    SPOIL_AT(def, places);
    break;
  }
}

void spoil_force(rgForceDef* def) {
  static const Place places[] = {
      WHOLE(rgForceDef, kind),          NUMBERS(rgForceDef, wrench),
      NUMBERS(rgForceDef, point),       WHOLE(rgForceDef, row_count),
      NUMBERS(rgForceDef, other_point), NUMBERS(rgForceDef, stiffness),
      NUMBERS(rgForceDef, damping),     NUMBERS(rgForceDef, rest),
      NUMBERS(rgForceDef, drag),        NUMBERS(rgForceDef, spin_drag),
      NUMBERS(rgForceDef, strength),    NUMBERS(rgForceDef, range),
      NUMBERS(rgForceDef, center),
  };
  if (!spoiling)
    return;
  int rows = def->row_count;
  switch (draw(4)) {
  case 0:
    spoil_id(&def->body.index, &def->body.generation);
    break;
  case 1:
    spoil_id(&def->other.index, &def->other.generation);
    break;
  default:
    SPOIL_AT(def, places);
    break;
  }
  if (def->row_count > rows) // there are no more to read
    def->row_count = 0;
}

void spoil_material(rgMaterial* material) {
  static const Place places[] = {
      NUMBERS(rgMaterial, mu),  NUMBERS(rgMaterial, restitution), NUMBERS(rgMaterial, e_t),
      NUMBERS(rgMaterial, e_o), NUMBERS(rgMaterial, e_tau),       NUMBERS(rgMaterial, direction),
  };
  SPOIL_AT(material, places);
}

void spoil_options(rgOptions* options) {
  int count = 0;
  if (!spoiling)
    return;
  while (rg_option(count))
    count++;
  const rgOption* option = rg_option(draw(count - 1)); // the last is true or false, never wrong
  char* at = (char*)options + option->offset;
  const int wholes[] = {-1, 0, 65}; // none that takes long
  switch (option->type) {
  case RG_OPTION_INT:
    *(int*)(void*)at = wholes[draw(3)];
    break;
  case RG_OPTION_REAL:
    if (strcmp(option->name, "time_limit") != 0) // by which results would depend on the machine
      spoil_number((double*)(void*)at);
    break;
  case RG_OPTION_VEC3:
    spoil_number((double*)(void*)at + draw(3));
    break;
  case RG_OPTION_NAME:
    snprintf(at, RG_NAME_MAX, "%s", draw(2) ? "none" : "");
    break;
  default:
    break;
  }
}
