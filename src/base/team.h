// team.h - all threads of a pool in one function at the same time, for work in many short stages that
// follow on each other.
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include "base/task.h"

enum { RG_TEAM_MAX = RG_TASK_THREADS }; // members

typedef struct rgTeam rgTeam;
// `member` in [0, rg_team_size)
typedef void rgTeamFunction(void* context, rgTeam* team, int member);

// Runs `function` once for each member, each on its own thread, and returns when all are done.
void rg_team_run(rgTasks* tasks, rgTeamFunction* function, void* context);
int rg_team_size(const rgTeam* team);
// Each member counts its stages upward from 0, and tells the others how far it is.
void rg_team_post(rgTeam* team, int member, unsigned stage);
// Returns when `other` has come to `stage`, or all but `member` have; what they wrote before is seen after.
void rg_team_await(rgTeam* team, int other, unsigned stage);
void rg_team_await_others(rgTeam* team, int member, unsigned stage);

#endif
