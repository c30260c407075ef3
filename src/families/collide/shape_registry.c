/* shape_registry.c - the compiled shapes that a world knows, as body.c keeps its assets. */
#include "families/collide/collider.h"
#include "shapes/shapes.h"

#include "world/world.h"

uint32_t shape_registry_find(const piola_world *world, const piola_shape_data *shape)
{
    const uint64_t *identities = world_shape_identities(world);
    const uint32_t count = (uint32_t)world->dim[DIM_shapes].capacity;
    uint32_t empty = count;
    for (uint32_t i = count; i-- > 0;) {
        if (identities[i] == shape->checksum)
            return i;
        empty = identities[i] == 0 ? i : empty;
    }
    return empty;
}

static void recount(piola_world *world)
{
    uint64_t shapes = 0;
    for (uint32_t i = 0; i < world->dim[DIM_shapes].capacity; ++i)
        shapes += world_shape_identities(world)[i] != 0;
    dimension_use(world, DIM_shapes, shapes);
}

void shape_registry_keep(piola_world *world, uint32_t slot, const piola_shape_data *shape)
{
    if (world_shape_identities(world)[slot] != 0)
        return;
    world_shape_identities(world)[slot] = shape->checksum;
    world_shapes(world)[slot] = shape;
    recount(world);
}

static piola_status find(const piola_world *world, const piola_shape_data *shape, uint32_t *slot)
{
    piola_status status = world_check(world);
    if (status == PIOLA_OK)
        status = shape_registry_check(shape);
    if (status == PIOLA_OK)
        *slot = shape_registry_find(world, shape);
    return status;
}

piola_status piola_world_add_shape(piola_world *world, const piola_shape_data *shape)
{
    uint32_t slot;
    const piola_status status = find(world, shape, &slot);
    if (status != PIOLA_OK)
        return status;
    world->dim[DIM_shapes].dropped += slot == world->dim[DIM_shapes].capacity;
    if (slot == world->dim[DIM_shapes].capacity)
        return PIOLA_ERROR_SHAPES_FULL;
    if (world->record.memory && world_shape_identities(world)[slot] == 0)
        return PIOLA_ERROR_RECORDING;
    shape_registry_keep(world, slot, shape);
    return PIOLA_OK;
}

piola_status piola_world_drop_shape(piola_world *world, const piola_shape_data *shape)
{
    uint32_t slot;
    const piola_status status = find(world, shape, &slot);
    if (status != PIOLA_OK)
        return status;
    if (slot == world->dim[DIM_shapes].capacity || world_shape_identities(world)[slot] == 0)
        return PIOLA_OK;
    for (uint32_t i = 0; i < collider_end(world); ++i)
        if (world_colliders(world)[i].compiled == slot + 1)
            return PIOLA_ERROR_SHAPE_IN_USE;
    if (world->record.memory)
        return PIOLA_ERROR_RECORDING;
    world_shape_identities(world)[slot] = 0;
    world_shapes(world)[slot] = NULL;
    recount(world);
    return PIOLA_OK;
}
