/* surface_settings.h - what a body's surface is to others: whom it meets. */
#ifndef PIOLA_SURFACE_SETTINGS_H
#define PIOLA_SURFACE_SETTINGS_H

#include "families/surface/surface_data.h"
#include "world/world.h"

/* Of a body that comes, or (null) goes; of all that exist. */
void surface_settings_set(piola_world *world, uint32_t body, const piola_body_desc *desc);
void surface_settings_recount(piola_world *world);
/* What most bodies have is all zero, and not stored behind the last that differs. */
static inline struct surface_settings surface_settings_of(const piola_world *world, uint32_t body)
{
    return body < world->dim[DIM_surface_settings].used ? world_surface_settings(world)[body]
                                                        : (struct surface_settings){0};
}

/* True when the surfaces of two bodies, or of one with itself, meet. */
static inline bool coats_meet(const piola_world *world, uint32_t a, uint32_t b)
{
    if (a == b)
        return !surface_settings_of(world, a).not_itself;
    if (world->dim[DIM_body_filters].used == 0)
        return true;
    return filters_meet(body_filter(world, &world_bodies(world)[a]),
                        body_filter(world, &world_bodies(world)[b]));
}

#endif
