/* lists.c - handles of all that is in a world, by rising slot. */
#include "families/families.h"

#include "families/attachments/attachments.h"
#include "families/joints/joints.h"
#include "families/rigid/rigid.h"
#include "families/tools/tools.h"

/* The handle of a slot; its generation is 0 when there is none. */
typedef piola_body handle_of(const piola_world *world, uint32_t slot);

static piola_body body_in(const piola_world *world, uint32_t slot)
{
    const struct body *b = &world_bodies(world)[slot];
    return (piola_body){slot + 1, b->flags & BODY_ALIVE ? b->generation : 0};
}

static piola_body solid_in(const piola_world *world, uint32_t slot, bool rigid)
{
    const struct collider *c = &world_colliders(world)[slot];
    const bool is = (c->flags & COLLIDER_ALIVE) && (world_rigids(world)[slot].mass > 0) == rigid;
    return (piola_body){slot + 1, is ? c->generation : 0};
}

static piola_body collider_in(const piola_world *world, uint32_t slot)
{
    return solid_in(world, slot, false);
}

static piola_body rigid_in(const piola_world *world, uint32_t slot)
{
    return solid_in(world, slot, true);
}

static piola_body attachment_in(const piola_world *world, uint32_t slot)
{
    const struct attachment *a = &world_attachments(world)[slot];
    return (piola_body){slot + 1, a->alive ? a->generation : 0};
}

static piola_body tool_in(const piola_world *world, uint32_t slot)
{
    const struct tool *t = &world_tools(world)[slot];
    uint32_t proxy;
    return (piola_body){slot + 1, t->alive && tool_proxy(world, t, &proxy) ? t->generation : 0};
}

static piola_body joint_in(const piola_world *world, uint32_t slot)
{
    const struct joint *j = &world_joints(world)[slot];
    return (piola_body){slot + 1, joint_whole(world, j) ? j->generation : 0};
}

/* All kinds of handles have the same two members; `found` is an array of any of them. */
static piola_status list(const piola_world *world, enum dimension dimension, handle_of *handle,
                         void *found, uint32_t capacity, uint32_t *count)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!count || (capacity > 0 && !found))
        return PIOLA_ERROR_NULL;
    const uint64_t slots = world->dim[dimension].capacity;
    uint32_t n = 0;
    for (uint32_t i = 0; i < slots; ++i) {
        const piola_body one = handle(world, i);
        if (one.generation == 0)
            continue;
        if (n < capacity)
            memcpy((char *)found + n * sizeof one, &one, sizeof one);
        ++n;
    }
    *count = n;
    return PIOLA_OK;
}

_Static_assert(sizeof(piola_body) == sizeof(piola_collider), "all handles look alike");
_Static_assert(sizeof(piola_body) == sizeof(piola_rigid), "all handles look alike");
_Static_assert(sizeof(piola_body) == sizeof(piola_attachment), "all handles look alike");
_Static_assert(sizeof(piola_body) == sizeof(piola_tool), "all handles look alike");
_Static_assert(sizeof(piola_body) == sizeof(piola_joint), "all handles look alike");

piola_status piola_world_bodies(const piola_world *world, piola_body *bodies, uint32_t capacity,
                                uint32_t *count)
{
    return list(world, DIM_bodies, body_in, bodies, capacity, count);
}

piola_status piola_world_colliders(const piola_world *world, piola_collider *colliders,
                                   uint32_t capacity, uint32_t *count)
{
    return list(world, DIM_colliders, collider_in, colliders, capacity, count);
}

piola_status piola_world_rigids(const piola_world *world, piola_rigid *rigids, uint32_t capacity,
                                uint32_t *count)
{
    return list(world, DIM_colliders, rigid_in, rigids, capacity, count);
}

piola_status piola_world_attachments(const piola_world *world, piola_attachment *attachments,
                                     uint32_t capacity, uint32_t *count)
{
    return list(world, DIM_attachments, attachment_in, attachments, capacity, count);
}

piola_status piola_world_tools(const piola_world *world, piola_tool *tools, uint32_t capacity,
                               uint32_t *count)
{
    return list(world, DIM_tools, tool_in, tools, capacity, count);
}

piola_status piola_world_joints(const piola_world *world, piola_joint *joints, uint32_t capacity,
                                uint32_t *count)
{
    return list(world, DIM_joints, joint_in, joints, capacity, count);
}
