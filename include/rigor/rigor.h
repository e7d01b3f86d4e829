// rigor.h - everything. A rigid-body simulator for contact whose every step is certified.
#ifndef RIGOR_RIGOR_H
#define RIGOR_RIGOR_H

#include "accuracy.h"
#include "base.h"
#include "bulk.h"
#include "character.h"
#include "diagnose.h"
#include "ensemble.h"
#include "figure.h"
#include "inverse.h"
#include "joint.h"
#include "load.h"
#include "mcp.h"
#include "part.h"
#include "problem.h"
#include "query.h"
#include "scene.h"
#include "sensor.h"
#include "shape.h"
#include "solver.h"
#include "trajectory.h"
#include "util.h"
#include "vec.h"
#include "view.h"
#include "world.h"

#endif
