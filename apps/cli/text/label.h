// label.h - bodies and joints of a world by name, for people.
#ifndef CLI_LABEL_H
#define CLI_LABEL_H

#include <rigor/rigor.h>

// "arm", "body 3" when it has no name, "the ground"
void cli_label_body(const rgWorld* world, rgBodyId body, char* text, size_t size);
// The bodies of a joint: "arm and forearm"
void cli_label_ends(const rgWorld* world, const rgJointState* state, char* text, size_t size);

#endif
