// clients.h - the clients of the rounds of a step, in their order.
#ifndef STEP_FILL_CLIENTS_H
#define STEP_FILL_CLIENTS_H

#include "step/rounds.h"

extern const rgRoundClient rg_client_contacts;
extern const rgRoundClient rg_client_joints;
extern const rgRoundClient rg_client_passing;

#endif
