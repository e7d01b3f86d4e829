// nsgs_kernel.c - the sweep kernel for the plain instruction set of the target.
#include "solve/nsgs/nsgs_kernel.h"

double rg_nsgs_sweep_plain(const rgNsgs* nsgs, rgNsgsPart part, bool backward) {
  return sweep_part(nsgs, part, backward);
}

double rg_nsgs_extrapolate_plain(const rgNsgs* nsgs, double beta, int first, int end) {
  return extrapolate_some(nsgs, beta, first, end);
}
