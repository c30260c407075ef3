/* surface_settings.h - what a body's surface is to others: whom it meets, and how it rubs. */
#ifndef PIOLA_COAT_H
#define PIOLA_COAT_H

#include "families/surface/surface_data.h"
#include "world/world.h"

/* Of a description: false with the field that is wrong. */
piola_status surface_settings_check(const piola_body_desc *desc, const char **field);
/* Of a body that comes, or (null) goes; of all that exist. */
void surface_settings_set(piola_world *world, uint32_t body, const piola_body_desc *desc);
void surface_settings_recount(piola_world *world);
/* What a body's information says of it. */
void surface_settings_inform(const piola_world *world, const struct body *body,
                             piola_body_info *info);

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
        return !(surface_settings_of(world, a).flags & SURFACE_NOT_ITSELF);
    if (world->dim[DIM_body_filters].used == 0)
        return true;
    return filters_meet(body_filter(world, &world_bodies(world)[a]),
                        body_filter(world, &world_bodies(world)[b]));
}

/* Coulomb's coefficients of two bodies on each other, at rest [0] and sliding [1]. */
void surface_settings_friction(const piola_world *world, uint32_t a, uint32_t b, float friction[2]);

#endif
