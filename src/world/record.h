/* record.h - keeping what each step consumed, so that it can be played again. */
#ifndef PIOLA_RECORD_H
#define PIOLA_RECORD_H

#include "world/commands.h"
#include "world/world.h"

/* Both do nothing unless a record is running. */
void record_command(piola_world *world, const piola_command *command);
void record_step(piola_world *world);

/* step.c: a step whose commands have been applied already, and the watch that runs (or null). */
struct stopwatch;
void step_with(piola_world *world, const piola_tasks *tasks, struct command_count commands,
               struct stopwatch *watch, piola_report *report);

#endif
