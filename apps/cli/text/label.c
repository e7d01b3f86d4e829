// label.c - bodies and joints of a world by name, for people.
#include "cli/text/label.h"
#include "cli/text/text.h"

#include <stdio.h>

void cli_label_body(const rgWorld* world, rgBodyId body, char* text, size_t size) {
  char name[CLI_TEXT_MAX];
  if (!rg_body_valid(world, body)) {
    snprintf(text, size, "the ground");
    return;
  }
  cli_clean(rg_body_name(world, body), name, sizeof name);
  if (name[0])
    snprintf(text, size, "%.60s", name);
  else
    snprintf(text, size, "body %u", (unsigned)body.index);
}

void cli_label_ends(const rgWorld* world, const rgJointState* state, char* text, size_t size) {
  char a[CLI_TEXT_MAX], b[CLI_TEXT_MAX];
  cli_label_body(world, state->body_a, a, sizeof a);
  cli_label_body(world, state->body_b, b, sizeof b);
  snprintf(text, size, "%s and %s", a, b);
}
