// check.h - checks of the numbers in a shape definition, with messages.
//
// Each returns true when all is well; otherwise false, and the message says what is wrong and what
// would be right.
#ifndef SHAPE_CHECK_H
#define SHAPE_CHECK_H

#include <rigor/shape.h>

bool rg_check_positive(double value, const char* name, rgMessage* message);
bool rg_check_count(int value, int lower, int upper, const char* name, rgMessage* message);
bool rg_check_given(const void* pointer, const char* name, rgMessage* message);
// def->points and def->point_count
bool rg_check_points(const rgShapeDef* def, int lower, int upper, rgMessage* message);
// Kind, pose and the other numbers that every shape has.
bool rg_check_common(const rgShapeDef* def, rgMessage* message);

#endif
