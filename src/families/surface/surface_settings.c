/* surface_settings.c - what bodies' surfaces meet: kept in descriptions, stored as state.
 *
 * To give surfaces another property, add it to struct surface_settings so that 0 is what all have
 * had before. Friction is a property of bodies, with or without surfaces: world/friction.h.
 */
#include "families/surface/surface_settings.h"

#include <string.h>

void surface_settings_set(piola_world *world, uint32_t body, const piola_body_desc *d)
{
    if (world->dim[DIM_surface_settings].capacity == 0)
        return;
    world_surface_settings(world)[body] = (struct surface_settings){d && !d->self_contact};
    array_changed(world, FIELD_surface_settings, FIELD_surface_marks, body);
}

/* What is known of the last step's contacts is not that of a state that was restored. */
void surface_settings_recount(piola_world *world)
{
    memset(world_surface_now(world), 0, sizeof(struct surface_now));
    array_recount(world, FIELD_surface_settings, FIELD_surface_marks);
}

bool surface_settings_valid(const struct stored *stored, enum field field)
{
    (void)field;
    for (uint64_t i = 0; i < stored->dim[DIM_surface_settings].used; ++i)
        if (stored_surface_settings(stored, i).not_itself > 1)
            return false;
    return true;
}
