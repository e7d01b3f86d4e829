// power.h - exponential, logarithm, powers and the gamma function, with the same bits on every
// target.
//
// As in trig.h, these are fixed sequences of IEEE operations. Error below 1 unit in the last place
// for rg_pow and rg_exp where the result is a normal number, below 1 for rg_log, below 16 for
// rg_gamma.
#ifndef MATH_POWER_H
#define MATH_POWER_H

double rg_exp(double x);
double rg_log(double x);           // x > 0, normal; NaN otherwise
double rg_pow(double x, double y); // x >= 0, zero or normal; NaN for negative x
double rg_gamma(double x);         // 0 < x <= 30

#endif
