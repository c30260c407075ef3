/* pace.h - how time advances: the length of a step, its substeps and iterations. Described with the
 * world, and changed by commands; world->desc has them as they are, world->described as they were.
 */
#ifndef PIOLA_PACE_H
#define PIOLA_PACE_H

#include "world/world.h"

/* After the state was put anew: the pace that it says, or the described one. */
void pace_recount(piola_world *world);
/* s, since the world began, after the last step. */
double pace_time(const piola_world *world);

#endif
