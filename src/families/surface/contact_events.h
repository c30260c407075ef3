/* contact_events.h - who touches whom after a step, and since when: see piola_world_contact_events.
 */
#ifndef PIOLA_CONTACT_EVENTS_H
#define PIOLA_CONTACT_EVENTS_H

#include "families/surface/surface_data.h"
#include "motion/phases.h"

/* After the last substep, before anything else of the step ends. */
void contact_events_update(const struct step *step);

#endif
