/* external.c - see external.h. */
#include "motion/external.h"

struct pk_quad *external_of(const piola_world *world, const struct body *body)
{
    const uint32_t index = (uint32_t)(body - world_bodies(world));
    return world->dim[DIM_externals].capacity && world_descends(&world->desc) &&
                   (world_coupled(world, index) || body_faced(world, body))
               ? world_external(world) + 3 * (size_t)body->first
               : NULL;
}

void external_clear(const piola_world *world, const struct body *body, uint32_t first,
                    uint32_t count)
{
    struct pk_quad *external = external_of(world, body);
    for (uint32_t stream = 0; external && stream < 3; ++stream)
        memset(external + (size_t)stream * body->count + (first - body->first), 0,
               count * sizeof *external);
}
