// nsgs_kernel.c - the sweep kernel for the plain instruction set of the target.
#include "solve/nsgs/nsgs_kernel.h"

double rg_nsgs_sweep_plain(const rgNsgs* nsgs, bool backward) { return sweep_all(nsgs, backward); }

double rg_nsgs_extrapolate_plain(rgNsgs* nsgs, double beta) { return extrapolate_all(nsgs, beta); }
