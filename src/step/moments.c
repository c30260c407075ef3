/* moments.c - see moments.h. */
#include "step/moments.h"

static void append(struct acts *acts, act *run)
{
    acts->run[acts->count++] = run;
}

void moments_of(const piola_world *world, struct moment_list list[MOMENTS])
{
    for (uint32_t m = 0; m < MOMENTS; ++m)
        list[m].alone.count = list[m].shared.count = 0;
    for (uint32_t f = 0; f < FAMILY_COUNT; ++f) {
        const struct family *family = families[f];
        for (uint32_t m = 0; m < MOMENTS && (!family->acts || family->acts(world)); ++m) {
            if (family->at[m])
                append(&list[m].alone, family->at[m]);
            if (family->at[m])
                append(&list[m].shared, family->at[m]);
            if (family->among[m])
                append(&list[m].shared, family->among[m]);
        }
    }
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
    const struct moment_list *list = &step->moments[moment];
    const struct acts *acts = step->domain->shared ? &list->shared : &list->alone;
    for (uint32_t i = 0; i < acts->count; ++i)
        acts->run[i](step);
}
