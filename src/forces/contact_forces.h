/* contact_forces.h - forces of contact as they changed the momenta: what is read after a step.
 *
 * Only in worlds that have room for contact events; of pins where physics is reported.
 */
#ifndef PIOLA_CONTACT_FORCES_H
#define PIOLA_CONTACT_FORCES_H

#include "families/surface/surface_data.h"
#include "motion/stage.h"

static inline bool contact_forces_read(const piola_world *world)
{
    return world->dim[DIM_contact_nodes].capacity > 0;
}

/* Before the first substep; after each, of the body that a worker does alone, or of all others. */
void contact_forces_begin(piola_world *world);
void contact_forces_alone(const struct step *step);
void contact_forces_shared(const struct step *step);

/* contact_balance.c: the edge of two nodes, made if there is none; null when there is no room. */
struct contact_edge *contact_edge(piola_world *world, uint32_t one, uint32_t two);
/* Finds `way` of all free nodes: what a contact of size w lacks is w times the difference of the
 * ways of its sides, with no way for what is not free. */
void contact_balance(const piola_world *world);

/* A node's number, of the slot of a rigid body. */
static inline uint32_t contact_solid(const piola_world *world, uint32_t slot)
{
    return world->desc.max_bodies + slot;
}

#endif
