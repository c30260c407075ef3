/* external.c - see external.h. */
#include "motion/external.h"

/* What is paired only after the iterations has had nothing laid down: it holds an older substep's,
 * or another time's after a rollback. */
static bool is_laid_down(const piola_world *world, const struct body *body, uint32_t index)
{
    return world_ties(world)[index] != 0 || body_faced(world, body) ||
           (world->desc.max_contacts > 0 && (world_paired(world)[index] & PAIRED_BEFORE) != 0);
}

struct pk_quad *external_of(const piola_world *world, const struct body *body)
{
    const uint32_t index = (uint32_t)(body - world_bodies(world));
    return world->dim[DIM_externals].capacity && world_descends(&world->desc) &&
                   is_laid_down(world, body, index)
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

void external_aim(const piola_world *world, const struct body *body, uint32_t particle,
                  const struct pk_quad *target)
{
    struct pk_quad *h = external_of(world, body), *y = &world_target(world)[body->first + particle];
    if (h) {
        const struct pk_quad *on = h + particle + body->count, *off = on + body->count;
        const float d[3] = {target->x - y->x, target->y - y->y, target->z - y->z};
        h += particle;
        h->x += on->x * d[0] + off->z * d[1] + off->y * d[2];
        h->y += off->z * d[0] + on->y * d[1] + off->x * d[2];
        h->z += off->y * d[0] + off->x * d[1] + on->z * d[2];
    }
    *y = *target;
}

void external_pull(const piola_world *world, const struct body *body, uint32_t particle,
                   float pull[3])
{
    const struct pk_quad *h = external_of(world, body);
    memset(pull, 0, 3 * sizeof *pull);
    if (!h)
        return;
    const struct pk_quad *on = h + particle + body->count, *off = on + body->count,
                         *x = &world_position(world)[body->first + particle],
                         *y = &world_target(world)[body->first + particle];
    const float d[3] = {x->x - y->x, x->y - y->y, x->z - y->z};
    h += particle;
    pull[0] = h->x + on->x * d[0] + off->z * d[1] + off->y * d[2];
    pull[1] = h->y + off->z * d[0] + on->y * d[1] + off->x * d[2];
    pull[2] = h->z + off->y * d[0] + off->x * d[1] + on->z * d[2];
}
