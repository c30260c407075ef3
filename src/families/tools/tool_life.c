/* tool_life.c - the life of tools: handles, descriptions, commands, stored state. Only between
 * steps, but for commands. What a tool does in a step: tools.c.
 */
#include "families/tools/tools.h"

#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/asked.h"
#include "world/commands.h"
#include "world/names.h"
#include "world/record.h"
#include "world/rest.h"

piola_tool_desc piola_tool_desc_default(void)
{
    return (piola_tool_desc){
        .cookie_ = COOKIE_TOOL,
        .rotation = {0, 0, 0, 1},
        .stiffness = 1000,
        .damping = 10,
        .turn_stiffness = 1,
        .turn_damping = 0.005f,
        .max_force = 10,
        .max_torque = 0.5f,
    };
}

bool tool_proxy(const piola_world *world, const struct tool *tool, uint32_t *slot)
{
    *slot = tool->rigid - 1;
    return collider_in_slot(world, tool->rigid, tool->rigid_generation, true) != NULL;
}

struct tool *tools_find(const piola_world *world, piola_tool handle)
{
    uint32_t slot;
    if (handle.index == 0 || handle.index > world->dim[DIM_tools].used)
        return NULL;
    struct tool *t = &world_tools(world)[handle.index - 1];
    return t->alive && t->generation == handle.generation && tool_proxy(world, t, &slot) ? t : NULL;
}

bool piola_tool_alive(const piola_world *world, piola_tool tool)
{
    return world_check(world) == PIOLA_OK && tools_find(world, tool) != NULL;
}

static void end(piola_world *world, struct tool *t)
{
    const uint32_t generation = t->generation;
    tool_let_go(world, (uint32_t)(t - world_tools(world)) + 1);
    *t = (struct tool){.generation = generation};
    --world->dim[DIM_live_tools].used;
}

void tools_sweep(piola_world *world)
{
    for (uint64_t i = 0; i < world->dim[DIM_tools].used; ++i) {
        struct tool *t = &world_tools(world)[i];
        uint32_t slot;
        if (t->alive && !tool_proxy(world, t, &slot))
            end(world, t);
    }
}

/* A slot once used keeps its generation, so it stays part of the state. */
void tools_recount(piola_world *world)
{
    uint64_t used = 0, alive = 0;
    for (uint64_t i = 0; i < world->dim[DIM_tools].capacity; ++i) {
        const struct tool *t = &world_tools(world)[i];
        used = t->generation ? i + 1 : used;
        alive += t->alive;
    }
    dimension_use(world, DIM_tools, used);
    dimension_use(world, DIM_live_tools, alive);
}

static piola_status check_numbers(const piola_tool_desc *d, piola_error *error)
{
    const struct range_row rows[] = {
        {d->position, 3, -1e9f, 1e9f, "piola_tool_desc.position"},
        {d->rotation, 4, -1.01f, 1.01f, "piola_tool_desc.rotation"},
        {&d->stiffness, 1, 0, 1e9f, "piola_tool_desc.stiffness"},
        {&d->damping, 1, 0, 1e9f, "piola_tool_desc.damping"},
        {&d->turn_stiffness, 1, 0, 1e9f, "piola_tool_desc.turn_stiffness"},
        {&d->turn_damping, 1, 0, 1e9f, "piola_tool_desc.turn_damping"},
        {&d->max_force, 1, 1e-9f, 1e9f, "piola_tool_desc.max_force"},
        {&d->max_torque, 1, 1e-9f, 1e9f, "piola_tool_desc.max_torque"},
        {&d->stiffness_rise, 1, 0, 1e12f, "piola_tool_desc.stiffness_rise"},
    };
    const piola_status status = ranges_refuse(rows, sizeof rows / sizeof *rows, error);
    if (status == PIOLA_OK && !quaternion_unit(d->rotation))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_tool_desc.rotation");
    return status;
}

static piola_status check(const piola_world *world, const piola_tool_desc *d, piola_error *error)
{
    if (!collider_in_slot(world, d->rigid.index, d->rigid.generation, true))
        return refuse(error, PIOLA_ERROR_STALE, "piola_tool_desc.rigid");
    for (uint64_t i = 0; i < world->dim[DIM_tools].used; ++i) {
        const struct tool *t = &world_tools(world)[i];
        if (t->alive && t->rigid == d->rigid.index && t->rigid_generation == d->rigid.generation)
            return refuse(error, PIOLA_ERROR_RANGE, "piola_tool_desc.rigid");
    }
    return check_numbers(d, error);
}

/* What tissue shows of the stiffness of blocks: tool_model.c. */
#define FIRST_TRUST 0.3f

static struct tool made_from(const piola_tool_desc *d)
{
    struct tool t = {.alive = 1,
                     .rigid = d->rigid.index,
                     .rigid_generation = d->rigid.generation,
                     .stiffness = d->stiffness,
                     .turn_stiffness = d->turn_stiffness,
                     .damping = d->damping,
                     .turn_damping = d->turn_damping,
                     .max_force = d->max_force,
                     .max_torque = d->max_torque,
                     .rise = d->stiffness_rise,
                     .trust = FIRST_TRUST,
                     .reached = d->stiffness_rise > 0 ? 0 : d->stiffness};
    memcpy(t.position, d->position, sizeof t.position);
    memcpy(t.rotation, d->rotation, sizeof t.rotation);
    collider_normalise(t.rotation);
    memcpy(t.goal, t.position, sizeof t.goal);
    memcpy(t.heading, t.rotation, sizeof t.heading);
    return t;
}

/* One whose proxy is gone is free. */
static uint32_t free_slot(const piola_world *world)
{
    uint32_t slot = 0, proxy;
    while (slot < world->dim[DIM_tools].capacity && world_tools(world)[slot].alive &&
           tool_proxy(world, &world_tools(world)[slot], &proxy))
        ++slot;
    return slot;
}

piola_status piola_tool_create(piola_world *world, const piola_tool_desc *desc, piola_tool *handle,
                               piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status asked = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_TOOL,
                                           "piola_tool_desc", handle, "tool", error);
    if (asked != PIOLA_OK)
        return asked;
    const piola_status status = check(world, desc, error);
    if (status != PIOLA_OK)
        return status;
    const uint64_t capacity = world->dim[DIM_tools].capacity;
    const uint32_t slot = free_slot(world);
    world->dim[DIM_live_tools].dropped += slot == capacity;
    if (slot == capacity)
        return refuse(error, PIOLA_ERROR_TOOLS_FULL, "piola_world_desc.max_tools");
    struct tool *t = &world_tools(world)[slot];
    tool_let_go(world, slot + 1);
    const uint32_t generation = names_give(world, FIELD_tool_names, slot, t->generation);
    *t = made_from(desc);
    t->generation = generation;
    tools_recount(world);
    solid_wake(world, t->rigid - 1);
    *handle = (piola_tool){slot + 1, generation};
    const struct record_call call = {
        .kind = RECORDED_TOOL_CREATE, .index = handle->index, .generation = handle->generation};
    record_call(world, &call, desc, NULL);
    return PIOLA_OK;
}

piola_status piola_tool_destroy(piola_world *world, piola_tool handle)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    struct tool *t = tools_find(world, handle);
    if (!t)
        return PIOLA_ERROR_STALE;
    record_named(world, RECORDED_TOOL_DESTROY, handle.index, handle.generation);
    solid_wake(world, t->rigid - 1);
    end(world, t);
    return PIOLA_OK;
}

bool tools_apply(piola_world *world, const piola_command *command)
{
    struct tool *t = tools_find(world, command->as.tool_move.tool);
    if (!t)
        return false;
    if (command->kind == PIOLA_COMMAND_TOOL_MOVE) {
        memcpy(t->goal, command->as.tool_move.position, sizeof t->goal);
    } else if (command->kind == PIOLA_COMMAND_TOOL_TURN) {
        memcpy(t->heading, command->as.tool_turn.rotation, sizeof t->heading);
        collider_normalise(t->heading);
    } else {
        t->stiffness = command->as.tool_number.value;
        t->reached = t->reached < t->stiffness ? t->reached : t->stiffness;
        solid_wake(world, t->rigid - 1);
    }
    return true;
}

static bool within(const float *values, uint32_t count, float low, float high)
{
    return range_check(values, count, low, high) == PIOLA_OK;
}

static bool possible(const struct tool *t, uint64_t colliders)
{
    struct tool none = {.generation = t->generation};
    if (t->alive == 0)
        return same_bytes(t, &none, sizeof none);
    return t->alive == 1 && t->generation > 0 && t->rigid > 0 && t->rigid <= colliders &&
           t->rigid_generation > 0 && within(t->position, 3, -1e9f, 1e9f) &&
           within(t->goal, 3, -1e9f, 1e9f) && quaternion_unit(t->rotation) &&
           quaternion_unit(t->heading) && within(&t->stiffness, 1, 0, 1e9f) &&
           within(&t->turn_stiffness, 1, 0, 1e9f) && within(&t->damping, 1, 0, 1e9f) &&
           within(&t->turn_damping, 1, 0, 1e9f) && within(&t->max_force, 1, 1e-9f, 1e9f) &&
           within(&t->max_torque, 1, 1e-9f, 1e9f) && within(&t->rise, 1, 0, 1e12f) &&
           within(&t->reached, 1, 0, t->stiffness) && within(t->force, 3, -2e9f, 2e9f) &&
           within(t->torque, 3, -2e9f, 2e9f) && within(t->before, 3, -2e9f, 2e9f) &&
           within(t->slope, 6, -2e9f, 2e9f) && within(t->turn_slope, 6, -2e9f, 2e9f) &&
           within(&t->trust, 1, 0, 1) && within(&t->each, 1, 0, 1e12f);
}

bool tools_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_tools].used; ++i) {
        const struct tool t = stored_tools(stored, i);
        sane = possible(&t, stored->world->dim[DIM_colliders].capacity);
        for (uint64_t k = 0; sane && k < i; ++k) {
            const struct tool other = stored_tools(stored, k);
            sane =
                !t.alive || other.rigid != t.rigid || other.rigid_generation != t.rigid_generation;
        }
    }
    return sane;
}

piola_status piola_tool_inspect(const piola_world *world, piola_tool handle, piola_tool_info *info)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK || !info)
        return info ? status : PIOLA_ERROR_NULL;
    const struct tool *t = tools_find(world, handle);
    if (!t)
        return PIOLA_ERROR_STALE;
    *info = (piola_tool_info){.rigid = {t->rigid, t->rigid_generation},
                              .held = tool_holding(world, handle.index),
                              .stiffness = t->reached,
                              .damping = t->damping,
                              .turn_stiffness = t->turn_stiffness,
                              .turn_damping = t->turn_damping,
                              .max_force = t->max_force,
                              .max_torque = t->max_torque};
    memcpy(info->position, t->position, sizeof info->position);
    memcpy(info->rotation, t->rotation, sizeof info->rotation);
    for (int k = 0; k < 3; ++k) {
        info->force[k] = -t->force[k];
        info->torque[k] = -t->torque[k];
    }
    return PIOLA_OK;
}
