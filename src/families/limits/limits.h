/* limits.h - hard limits of a body, and the level of bodies of links. */
#ifndef PIOLA_LIMITS_H
#define PIOLA_LIMITS_H

#include "families/limits/link_level.h"
#include "motion/stage.h"
#include "world/family.h"

#define ARRAYS_OF "families/limits/limits.def"
#include "world/arrays.h"

/* link_level.c. True for a body that has a level, and that others are tied to: then whoever does so
 * moves it; at the end of an iteration; an entry of struct family. */
bool link_level_has(const piola_world *world, const struct body *body);
bool link_level_tied(const piola_world *world, const struct body *body);
void link_level_settle(const struct step *step, const struct body *body);
float link_level_hold(const struct step *step, uint32_t body, enum held_ask ask, struct held *held);

#endif
