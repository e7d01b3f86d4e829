// remedy.h - what helps against steps that miss a stage of the certificate.
#ifndef CLI_REMEDY_H
#define CLI_REMEDY_H

#include <rigor/problem.h>

// A phrase that goes on with a length of the step: "use a shorter step"; "" past the end.
const char* cli_stage_remedy(rgStage stage);

#endif
