/* commands.c - inputs: a bounded lock-free queue that any thread fills and the step empties.
 *
 * Each slot carries a sequence number: equal to its turn when free, turn + 1 when filled (D.
 * Vyukov's bounded queue). A producer claims a turn with one compare-exchange; a stalled producer
 * can delay the commands behind its own, but never the step, which takes what is there and goes on.
 */
#include "commands.h"

#include "attach.h"
#include "pressure.h"
#include "record.h"
#include "untangle.h"
#include "wind.h"

/* Far beyond any scene, and small enough that no arithmetic on it overflows. */
#define MOST 1e9f

piola_status command_check(const piola_command *command)
{
    if (command->kind == 0 || command->kind >= PIOLA_COMMAND_COUNT || command->reserved_ != 0)
        return PIOLA_ERROR_RANGE;
    for (int k = 0; k < 3; ++k) {
        const float value = command->value[k];
        if (!(value - value == 0))
            return PIOLA_ERROR_NOT_FINITE;
        if (!(value >= -MOST && value <= MOST))
            return PIOLA_ERROR_RANGE;
    }
    return PIOLA_OK;
}

piola_status piola_world_push(piola_world *world, const piola_command *command)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK || !command)
        return command ? status : PIOLA_ERROR_NULL;
    status = command_check(command);
    if (status != PIOLA_OK)
        return status;
    const uint64_t mask = world->desc.max_commands - 1;
    uint64_t turn = atomic_load_explicit(&world->commands_pushed, memory_order_relaxed);
    /* A failed exchange means that another producer got the turn: tried again at most as often as
     * there are slots, then the queue is as good as full. */
    for (uint64_t tries = 0; tries <= mask; ++tries) {
        struct command_slot *slot = &world_commands(world)[turn & mask];
        const uint64_t sequence = atomic_load_explicit(&slot->sequence, memory_order_acquire);
        if (sequence < turn)
            return PIOLA_ERROR_COMMANDS_FULL;
        if (sequence > turn) {
            turn = atomic_load_explicit(&world->commands_pushed, memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&world->commands_pushed, &turn, turn + 1,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            slot->command = *command;
            atomic_store_explicit(&slot->sequence, turn + 1, memory_order_release);
            return PIOLA_OK;
        }
    }
    return PIOLA_ERROR_COMMANDS_FULL;
}

static bool take(piola_world *world, piola_command *command)
{
    const uint64_t mask = world->desc.max_commands - 1;
    const uint64_t turn = world->commands_taken;
    struct command_slot *slot = &world_commands(world)[turn & mask];
    if (atomic_load_explicit(&slot->sequence, memory_order_acquire) != turn + 1)
        return false;
    *command = slot->command;
    atomic_store_explicit(&slot->sequence, turn + mask + 1, memory_order_release);
    world->commands_taken = turn + 1;
    return true;
}

/* Velocity that carries a pinned particle to its target by the end of the step. */
static void pin(const piola_world *world, uint32_t particle, const float target[3])
{
    struct pk_quad *x = &world_position(world)[particle];
    struct pk_quad *v = &world_velocity(world)[particle];
    const float dt = world->desc.dt;
    x->w = 0;
    *v = (struct pk_quad){(target[0] - x->x) / dt, (target[1] - x->y) / dt, (target[2] - x->z) / dt,
                          0};
}

static void push_vertex(const piola_world *world, uint32_t particle, const float impulse[3])
{
    const float w = world_position(world)[particle].w;
    struct pk_quad *v = &world_velocity(world)[particle];
    v->x += w * impulse[0];
    v->y += w * impulse[1];
    v->z += w * impulse[2];
}

static void set_velocity(const piola_world *world, const struct body *body, const float value[3])
{
    const struct pk_quad *x = &world_position(world)[body->first];
    struct pk_quad *v = &world_velocity(world)[body->first];
    for (uint32_t i = 0; i < body->count; ++i)
        if (x[i].w > 0)
            v[i] = (struct pk_quad){value[0], value[1], value[2], 0};
}

static bool apply_to_vertex(const piola_world *world, struct body *body, const piola_command *c)
{
    const piola_asset *asset = body_asset(world, body);
    if (c->vertex >= asset->stats.vertices)
        return false;
    const uint32_t local = asset_particle_of_vertex(asset)[c->vertex];
    const uint32_t particle = body->first + local;
    struct pk_quad *x = &world_position(world)[particle];
    const bool pinned = x->w == 0;
    if (c->kind == PIOLA_COMMAND_PIN) {
        body->pins += !pinned;
        pin(world, particle, c->value);
    } else if (c->kind == PIOLA_COMMAND_UNPIN) {
        body->pins -= pinned;
        /* The velocity of a pin is the way to its target, not a motion. */
        if (pinned)
            world_velocity(world)[particle] = (struct pk_quad){0, 0, 0, 0};
        x->w = asset_rest(asset)[local].w;
    } else {
        push_vertex(world, particle, c->value);
        if (c->value[0] != 0 || c->value[1] != 0 || c->value[2] != 0)
            untangle_disturb(world, body);
        /* A velocity that jumps is no past to extrapolate from. */
        body->history = 0;
    }
    return true;
}

/* False when the command's body or vertex does not exist. */
static bool apply(piola_world *world, const piola_command *c)
{
    if (c->kind == PIOLA_COMMAND_GRAVITY) {
        for (int k = 0; k < 3; ++k)
            world_clock(world)->gravity[k] = c->value[k];
        return true;
    }
    if (c->kind == PIOLA_COMMAND_WIND)
        return wind_turn(world, c->value);
    if (c->kind == PIOLA_COMMAND_WIND_ORIGIN || c->kind == PIOLA_COMMAND_WIND_STRENGTH)
        return wind_grid_obey(world, c);
    if (c->kind == PIOLA_COMMAND_TARGET || c->kind == PIOLA_COMMAND_DETACH)
        return attach_turn(world, c);
    if (c->kind >= PIOLA_COMMAND_COLLIDER_MOVE && c->kind <= PIOLA_COMMAND_COLLIDER_FORCE)
        return collider_obey(world, c);
    struct body *body = body_find(world, c->body);
    if (!body)
        return false;
    switch (c->kind) {
    case PIOLA_COMMAND_VELOCITY:
        set_velocity(world, body, c->value);
        untangle_disturb(world, body);
        body->history = 0;
        return true;
    case PIOLA_COMMAND_ACCELERATION:
        for (int k = 0; k < 3; ++k)
            body->acceleration[k] = c->value[k];
        return true;
    case PIOLA_COMMAND_PRESSURE:
        return pressure_turn(world, body, c->value[0]);
    case PIOLA_COMMAND_THAW:
        body->flags &= ~(uint32_t)BODY_FROZEN;
        return true;
    default:
        return apply_to_vertex(world, body, c);
    }
}

void commands_apply(piola_world *world, const piola_command *command, struct command_count *count)
{
    record_command(world, command);
    ++count->taken;
    count->refused += !apply(world, command);
}

void commands_drain(piola_world *world, struct command_count *count)
{
    piola_command command;
    uint32_t most = world->desc.max_commands;
    while (most-- > 0 && take(world, &command))
        commands_apply(world, &command, count);
    dimension_use(world, DIM_commands, count->taken);
}
