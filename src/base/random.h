// random.h - reproducible numbers for starts and perturbations; see <rigor/util.h>.
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <rigor/util.h>

#endif
