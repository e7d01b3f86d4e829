// team.h - all threads of a pool in one function at the same time, for work in many short stages that
// follow on each other.
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include "base/task.h"

typedef struct rgTeam rgTeam;
// `member` in [0, rg_team_size)
typedef void rgTeamFunction(void* context, rgTeam* team, int member);

// Runs `function` once for each member, each on its own thread, and returns when all are done.
void rg_team_run(rgTasks* tasks, rgTeamFunction* function, void* context);
int rg_team_size(const rgTeam* team);
// Returns when all members have called it as often as this one; what they wrote before is seen after.
void rg_team_wait(rgTeam* team);

#endif
