// remedy.c - what helps against steps that miss a stage of the certificate.
#include "cli/text/remedy.h"

const char* cli_stage_remedy(rgStage stage) {
  static const char* const remedies[RG_STAGE_COUNT] = {
      [RG_STAGE_SUITING] = "give bodies that are jointed velocities that agree with the joints",
      [RG_STAGE_IMPACTS] = "use simultaneous impacts (--impacts simultaneous)",
      [RG_STAGE_ROUNDS] = "use a shorter step",
      [RG_STAGE_PLAIN] = "use a shorter step: bodies of joints turn too far in one",
      [RG_STAGE_CLOSING] = "use a shorter step",
      [RG_STAGE_PASSING] = "use a shorter step, or thicker bodies",
      [RG_STAGE_GAP] = "use a shorter step, or the stepper theta (--stepper theta)",
      [RG_STAGE_ALIGNMENT] = "use a shorter step, or the stepper theta (--stepper theta)",
      [RG_STAGE_RINGING] = "use theta = 1 (--theta 1) or a shorter step",
      [RG_STAGE_PROJECTION] =
          "separate bodies that overlap and joints that contradict each other, or "
          "use a shorter step",
      [RG_STAGE_ENERGY] = "use a shorter step",
  };
  return (unsigned)stage < RG_STAGE_COUNT ? remedies[stage] : "";
}
