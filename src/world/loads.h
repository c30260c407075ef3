/* loads.h - forces on single vertices that stand until a command changes them. */
#ifndef PIOLA_LOADS_H
#define PIOLA_LOADS_H

#include "world/world.h"

/* False when there is no room for forces, or no such vertex. */
bool loads_apply_command(piola_world *world, struct body *body, const piola_command *command);
/* Of a body that goes. */
void loads_clear(piola_world *world, struct body *body);

#endif
