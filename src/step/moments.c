/* moments.c - see moments.h. */
#include "step/moments.h"

uint32_t moments_acting(const piola_world *world)
{
    uint32_t bits = 0;
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        if (!families[f]->acts || families[f]->acts(world))
            bits |= 1u << f;
    return bits;
}

bool moments_together(const piola_world *world)
{
    bool together = false;
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        together = together || (families[f]->together && families[f]->acts(world));
    return together;
}

bool moments_parts(const piola_world *world)
{
    bool parts = false;
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        parts = parts || (families[f]->parts && families[f]->parts(world));
    return parts;
}

void moments_list(piola_world *world)
{
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        if (families[f]->list)
            families[f]->list(world);
}

void at(struct step *step, enum moment moment)
{
    const bool shared = step->domain->shared;
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f)
        if ((step->families >> f & 1) && families[f]->at[moment] && (shared || !families[f]->ties))
            families[f]->at[moment](step);
}
