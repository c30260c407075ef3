/* commands.h - taking queued inputs at the start of a step. */
#ifndef PIOLA_COMMANDS_H
#define PIOLA_COMMANDS_H

#include "world/world.h"

struct command_count {
    uint32_t taken, refused;
};

/* What can be said of a command without knowing the bodies. */
piola_status command_check(const piola_command *command);
/* The numbers of a command of a known kind, as many as it has. */
void command_set_values(piola_command *command, const float *values);
/* Applies one command now, and adds it to a running record. */
void commands_apply(piola_world *world, const piola_command *command, struct command_count *count);
/* Applies what is queued, at most one queue full, in the order of the queue. */
void commands_drain(piola_world *world, struct command_count *count);

#endif
