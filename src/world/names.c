/* names.c - generations given, and taken as the first: see names.h. */
#include "world/names.h"

#include "base/hash.h"

static uint32_t *names_at(const piola_world *world, enum field names)
{
    return (uint32_t *)(void *)((char *)(uintptr_t)world + world->offset[names]);
}

uint32_t names_give(piola_world *world, enum field names, uint32_t slot, uint32_t last)
{
    const enum dimension dimension = world_fields[names].dimension;
    uint32_t *given = &names_at(world, names)[slot];
    const uint32_t next = (*given > last ? *given : last) + 1;
    *given = next > 0 ? next : 1; /* 2^32 in one slot later: 0 is no generation */
    if (slot >= world->dim[dimension].used)
        dimension_use(world, dimension, slot + UINT64_C(1));
    return *given;
}

void names_join(piola_world *world, enum field names, const unsigned char *stored, uint64_t count)
{
    const enum dimension dimension = world_fields[names].dimension;
    for (uint64_t i = 0; i < count; ++i) {
        uint32_t then, *now = &names_at(world, names)[i];
        memcpy(&then, stored + i * sizeof then, sizeof then);
        *now = then > *now ? then : *now;
    }
    if (count > world->dim[dimension].used)
        dimension_use(world, dimension, count);
}

bool names_again(piola_world *world, enum field names, uint32_t slot, uint32_t generation,
                 uint32_t *given)
{
    if (slot >= world->dim[world_fields[names].dimension].capacity || generation == 0)
        return false;
    *given = names_at(world, names)[slot];
    if (*given >= generation)
        names_at(world, names)[slot] = generation - 1;
    return true;
}

void names_at_least(piola_world *world, enum field names, uint32_t slot, uint32_t given)
{
    uint32_t *now = &names_at(world, names)[slot];
    *now = given > *now ? given : *now;
}

bool names_in(enum field field)
{
    bool in = false;
    for (int i = 0; i < GENERATIONS; ++i)
        in = in || world_generations[i].field == field;
    return in;
}

void names_blank(enum field field, const void *element, unsigned char blank[NAMED_BYTES])
{
    memcpy(blank, element, world_fields[field].element);
    for (int i = 0; i < GENERATIONS; ++i)
        if (world_generations[i].field == field) {
            uint32_t generation;
            memcpy(&generation, blank + world_generations[i].offset, sizeof generation);
            generation = generation > 0;
            memcpy(blank + world_generations[i].offset, &generation, sizeof generation);
        }
}

bool names_same(enum field field, const void *a, const void *b)
{
    unsigned char one[NAMED_BYTES], two[NAMED_BYTES];
    const size_t bytes = world_fields[field].element;
    if (memcmp(a, b, bytes) == 0 || !names_in(field))
        return memcmp(a, b, bytes) == 0;
    names_blank(field, a, one);
    names_blank(field, b, two);
    return memcmp(one, two, bytes) == 0;
}

uint64_t names_hash(const piola_world *world)
{
    uint64_t hash = 0;
    for (int i = 0; i < GENERATIONS; ++i) {
        const struct field_info *field = &world_fields[world_generations[i].field];
        const char *at = (const char *)world + world->offset[world_generations[i].field];
        const struct extent *extent = &world->dim[field->dimension];
        const bool whole = field->dimension == DIM_bodies;
        const uint64_t end = whole ? extent->capacity : extent->used;
        struct hash sum = hash_begin(0);
        for (uint64_t k = 0; k < end; ++k)
            hash_more(&sum, at + k * field->element + world_generations[i].offset,
                      sizeof(uint32_t));
        hash = hash_join(hash, hash_end(&sum));
    }
    return hash;
}
