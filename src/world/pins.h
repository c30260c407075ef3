/* pins.h - vertices that are held: where they are to be, and how they get there.
 *
 * A pin goes straight to its target in the course of the step. Where surfaces leave no room it is
 * held up, and with it all pins of its body, by the same share of their ways. From then on the
 * targets are state: in every step the pins of that body go on together, as a rigid body goes, each
 * as far as its target moved and what catch_up_speed allows, until they have arrived.
 */
#ifndef PIOLA_PINS_H
#define PIOLA_PINS_H

#include "world/world.h"

/* Holds a particle of a body from the end of the step on; lets it go. */
void pins_hold(piola_world *world, struct body *body, uint32_t local, const float target[3]);
void pins_release(piola_world *world, struct body *body, uint32_t local);
/* A step's length changes: the same ways in `share` of the velocities. */
void pins_pace(const piola_world *world, float share);
/* Before a step: the ways of pins that are late. After it: who has arrived. */
void pins_plan(piola_world *world);
void pins_arrive(piola_world *world);
/* The pins of a body were held up in this step. */
void pins_wait(struct body *body);
/* How far the farthest pin of a body is from its target (m). */
float pins_behind(const piola_world *world, const struct body *body);
/* Of a body that goes. */
void pins_clear(piola_world *world, struct body *body);

#endif
