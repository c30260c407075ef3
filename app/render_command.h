/* render_command.h - the command `piola render`, for the table of commands. */
#ifndef APP_RENDER_COMMAND_H
#define APP_RENDER_COMMAND_H

#include "options.h"

extern const struct command render_command;

#endif
