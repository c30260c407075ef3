/* resume.c - see resume.h. */
#include "resume.h"

#include "families/collide/collider.h"
#include "fixture.h"
#include "unity.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

const unsigned char resume_garbage[RESUME_GARBAGE] = {0xff, 0x3f, 0x01};

static void *block_of(size_t bytes)
{
    void *block = aligned_alloc(PIOLA_ALIGNMENT,
                                (bytes + PIOLA_ALIGNMENT - 1) / PIOLA_ALIGNMENT * PIOLA_ALIGNMENT);
    TEST_ASSERT_NOT_NULL(block);
    return block;
}

static void fill_scratch(piola_world *world, unsigned char garbage)
{
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *field = &world_fields[i];
        if (field->kind == SCRATCH)
            memset((char *)world + world->offset[i], garbage,
                   (size_t)world->dim[field->dimension].capacity * field->element);
    }
}

/* Into the same slots: none was dropped before another was added. */
static void know_the_same(const piola_world *world, piola_world *fresh)
{
    for (uint32_t i = 0; i < world->desc.max_assets; ++i)
        if (world_assets(world)[i].asset)
            fixture_ok(piola_world_add_asset(fresh, world_assets(world)[i].asset), NULL);
    for (uint64_t i = 0; i < world->dim[DIM_shapes].used; ++i)
        fixture_ok(piola_world_add_shape(fresh, world_shapes(world)[i]), NULL);
}

static void keep_commands(const piola_world *world, piola_world *fresh)
{
    memcpy(world_commands(fresh), world_commands(world),
           world->desc.max_commands * sizeof(struct command_slot));
    atomic_store(&fresh->commands_pushed, atomic_load(&world->commands_pushed));
    atomic_store(&fresh->commands_dropped, atomic_load(&world->commands_dropped));
    fresh->commands_taken = world->commands_taken;
    fresh->helped_from = world->helped_from;
}

void resume(piola_world *world, unsigned char garbage)
{
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = block_of(bytes), *block = block_of((size_t)world->bytes);
    piola_world *fresh = NULL, *moved = NULL;
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_ok(piola_world_create(&world->desc, block, (size_t)world->bytes, &fresh, NULL), NULL);
    know_the_same(world, fresh);
    fill_scratch(fresh, garbage);
    fixture_ok(piola_snapshot_restore(fresh, snapshot, bytes), NULL);
    keep_commands(world, fresh);
    fixture_ok(piola_world_move(fresh, world, (size_t)world->bytes, &moved), NULL);
    fixture_ok(piola_world_destroy(fresh), NULL);
    free(block);
    free(snapshot);
}
