// rigor.h - everything. A rigid-body simulator for contact whose every step is certified.
#ifndef RIGOR_RIGOR_H
#define RIGOR_RIGOR_H

#include "base.h"
#include "vec.h"
#include "shape.h"
#include "problem.h"
#include "solver.h"
#include "world.h"
#include "scene.h"
#include "trajectory.h"

#endif
