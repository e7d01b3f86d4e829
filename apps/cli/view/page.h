// page.h - the page that `make page` has made, with a scene put into it.
#ifndef CLI_VIEW_PAGE_H
#define CLI_VIEW_PAGE_H

#include "cli/view/given.h"

// The path of the empty page beside the command, as in a build, or where an installation has it; to be
// freed. NULL when there is none.
char* cli_page_find(void);

// Writes the empty page with what is given to the path `output`. Complains, and returns an exit code.
int cli_page_write(const CliGiven* given, const char* empty, const char* output);

#endif
