/* view_command.h - the command `piola view`, for the table of commands. */
#ifndef APP_VIEW_COMMAND_H
#define APP_VIEW_COMMAND_H

#include "options.h"

extern const struct command view_command;

#endif
