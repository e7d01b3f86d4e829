// spoil.h - calls with one thing wrong: while spoiling is on, one number or id of what a call is given
// becomes one that it should refuse, or take with care.
//
// Draws go on from the sequence of support/history.h, and none is made while spoiling is off.
#ifndef SUPPORT_SPOIL_H
#define SUPPORT_SPOIL_H

#include <rigor/joint.h>
#include <rigor/sensor.h>
#include <rigor/world.h>

extern bool spoiling;

void spoil_number(double* number); // NaN, infinite, negative, zero, or more than most parts may be
void spoil_id(uint32_t* index, uint32_t* generation); // of what is gone, or was never there
void spoil_body(rgBodyDef* def, rgShapeDef* shape);
void spoil_shape(rgShapeDef* shape);
void spoil_axis(rgJointAxis* axis);
void spoil_joint(rgJointDef* def);
void spoil_force(rgForceDef* def);
void spoil_material(rgMaterial* material);
void spoil_options(rgOptions* options);

#endif
