/* commands.h - taking queued inputs at the start of a step.
 *
 * A command is one row COMMAND(KIND, form, call, type, member, numbers, apply) in the .def file of
 * its owner: its name in piola_command_kind, its typed call and the type of the handle that this
 * takes, the member of piola_command.as and the numbers in there, and what it does. Its form is
 *   HANDLE, VERTEX                  a handle; and one of its vertices: no numbers
 *   VECTOR, NUMBER, VERTEX_VECTOR   the same with numbers
 *   AXIS                            a handle, one of its axes, and a number
 *   VERTEX_PLACE                    a vertex, a point and a direction
 *   PAIR, FRICTION, FILTER          with two numbers; those of friction; a category and a mask
 *   TURN, VERTEX_TURN               a handle and a unit quaternion; and one of its vertices
 *   WORLD_VECTOR, WORLD_NUMBER      numbers alone
 *   WORLD_COUNT                     a whole number, which its owner checks
 */
#ifndef PIOLA_COMMANDS_H
#define PIOLA_COMMANDS_H

#include "world/world.h"

struct command_count {
    uint32_t taken, refused;
};

/* Does what the command asks; false when what it is for does not exist. */
#define COMMAND(KIND, form, call, type, member, numbers, apply)                                    \
    bool apply(piola_world *world, const piola_command *command);
#include "families/families.def"

/* Those of the union that a known kind uses. */
uint32_t command_bytes(uint32_t kind);
/* What can be said of a command without knowing the bodies. */
piola_status command_check(const piola_command *command);
/* The numbers of a command of a known kind, as many as it has. */
void command_set_values(piola_command *command, const float *values);
/* Applies one command now, and adds it to a running record. */
void commands_apply(piola_world *world, const piola_command *command, struct command_count *count);
/* Applies what is queued, at most one queue full, in the order of the queue. */
void commands_drain(piola_world *world, struct command_count *count);

#endif
