// browser.h - pages that are shown at once instead of being kept.
#ifndef CLI_BROWSER_H
#define CLI_BROWSER_H

#include "cli/system/place.h"

// Makes a folder of its own for a page about `subject` and names the page in it; false when none can
// be made.
bool cli_browser_file(const char* subject, char path[CLI_PATH_MAX]);
// Opens the page in the user's browser, or says where it is when there is none to ask; removes the
// folder when no page was written.
void cli_browser_show(const char* path, bool written);

#endif
