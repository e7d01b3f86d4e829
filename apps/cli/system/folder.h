// folder.h - a temporary folder of a command's own.
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "cli/system/place.h"

// Makes one where TMPDIR says, or in /tmp; false when it cannot.
bool cli_folder_make(char path[CLI_PATH_MAX]);
// Removes a folder that cli_folder_make made, with all that is in it. Links are removed, never followed.
void cli_folder_remove(const char* path);

#endif
