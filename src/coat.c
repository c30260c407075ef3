/* coat.c - coats of bodies: kept in descriptions, stored as state.
 *
 * To give surfaces another property, add it to struct coat so that 0 is what all have had before.
 */
#include "coat.h"

#include <math.h>
#include <string.h>

static bool plain(const struct coat *coat)
{
    return coat->passes == 0 && coat->flags == 0;
}

piola_status coat_check(const piola_body_desc *d, const char **field)
{
    const float at_rest = d->friction_static, sliding = d->friction_kinetic;
    *field = "piola_body_desc.friction_static";
    if (!(at_rest - at_rest == 0))
        return PIOLA_ERROR_NOT_FINITE;
    if (at_rest > 10)
        return PIOLA_ERROR_RANGE;
    *field = "piola_body_desc.friction_kinetic";
    if (!(sliding - sliding == 0))
        return PIOLA_ERROR_NOT_FINITE;
    /* Both are given, or none. */
    return sliding > at_rest || (sliding < 0) != (at_rest < 0) ? PIOLA_ERROR_RANGE : PIOLA_OK;
}

void coat_set(piola_world *world, uint32_t body, const piola_body_desc *d)
{
    struct coat coat = {0};
    if (world->dim[DIM_coats].capacity == 0)
        return;
    if (d) {
        coat.passes = ~d->contact_mask;
        coat.flags = d->self_contact ? 0 : COAT_ALONE;
        if (d->friction_static >= 0) {
            coat.flags |= COAT_RUBS;
            coat.friction[0] = d->friction_static;
            coat.friction[1] = d->friction_kinetic;
        }
    }
    world_coats(world)[body] = coat;
}

void coat_recount(piola_world *world)
{
    uint64_t used = 0;
    for (uint32_t i = 0; i < world->dim[DIM_coats].capacity; ++i)
        if (!plain(&world_coats(world)[i]))
            used = i + 1;
    dimension_use(world, DIM_coats, used);
}

bool coat_sane(const unsigned char *coats, uint64_t count)
{
    for (uint64_t i = 0; i < count; ++i) {
        struct coat c;
        memcpy(&c, coats + i * sizeof c, sizeof c);
        const bool rubs = (c.flags & COAT_RUBS) != 0;
        if ((c.flags & ~(uint32_t)(COAT_ALONE | COAT_RUBS)) != 0 ||
            !(c.friction[0] >= c.friction[1] && c.friction[1] >= 0 && c.friction[0] <= 10) ||
            (!rubs && c.friction[0] > 0))
            return false;
    }
    return true;
}

void coat_friction(const piola_world *world, uint32_t a, uint32_t b, float friction[2])
{
    const struct coat one = coat_of(world, a), two = coat_of(world, b);
    for (int k = 0; k < 2; ++k) {
        const float common = world->desc.contact_friction;
        const float f = one.flags & COAT_RUBS ? one.friction[k] : common;
        const float g = two.flags & COAT_RUBS ? two.friction[k] : common;
        friction[k] = f == g ? f : sqrtf(f * g);
    }
}
