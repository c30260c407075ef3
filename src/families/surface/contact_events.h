/* contact_events.h - who touches whom after a step, and since when: see piola_world_contact_events.
 */
#ifndef PIOLA_CONTACT_EVENTS_H
#define PIOLA_CONTACT_EVENTS_H

#include "families/surface/surface_data.h"
#include "motion/phases.h"

/* After the last substep, before anything else of the step ends. */
void contact_events_update(const struct step *step);
/* What the first side of a lane's pair feels that projections pushed, N. */
void events_pushed_force(const struct pk_pair_push *push, uint32_t lane, double inertia,
                         double force[3]);
/* 1/s^2 of a body: corrections times mass and this are forces. */
double events_inertia(const struct step *step, uint32_t body);

#endif
