/* render_contact.h - where bodies touch, for people to look at.
 *
 * Lives here: what the engine's last substep says about single vertices. What must not live here:
 * colours.
 */
#ifndef APP_RENDER_CONTACT_H
#define APP_RENDER_CONTACT_H

#include "piola/piola.h"

/* One number a particle of the world: 1 where a collider presses, 1 to 0.5 where another surface is
 * nearer than the contact thickness, else 0. */
void render_contact_find(const piola_world *world, float *particles);
/* Those of a body, by its vertices. */
void render_contact_take(const piola_world *world, piola_body body, const piola_asset *asset,
                         const float *particles, float *vertices);

#endif
