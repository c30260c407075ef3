/* commands.c - inputs: a bounded lock-free queue that any thread fills and the step empties.
 *
 * Each slot carries a sequence number: equal to its turn when free, turn + 1 when filled (D.
 * Vyukov's bounded queue). A producer claims a turn with one compare-exchange; a stalled producer
 * can delay the commands behind its own, but never the step, which takes what is there and goes on.
 */
#include "world/commands.h"

#include "world/family.h"
#include "world/guides.h"
#include "world/loads.h"
#include "world/pins.h"
#include "world/record.h"
#include "world/rest.h"

/* Far beyond any scene, and small enough that no arithmetic on it overflows. */
#define MOST 1e9f

/* What a kind of command is: the bytes it uses of the union, the numbers in there, what it does. */
struct row {
    uint32_t bytes, first, values;
    enum {
        PLAIN,
        TURN,
        DIRECTED,
        RUBS
    } numbers; /* a unit quaternion; ends with a direction;
                  friction at rest and sliding */
    enum {
        OTHERS_WAKE,
        BODY_WAKES,
        RIGID_WAKES
    } whom; /* the command of a body, or of a rigid body, wakes it; of others, who is concerned */
    bool (*apply)(piola_world *world, const piola_command *command);
};
#define OF(member)            sizeof((piola_command *)0)->as.member
#define NONE(member, numbers) 0, 0, PLAIN
#define SOME(member, numbers)                                                                      \
    offsetof(piola_command, as.member.numbers), OF(member.numbers) / sizeof(float)
#define NUMBERS_HANDLE        NONE
#define NUMBERS_VERTEX        NONE
#define NUMBERS_VECTOR(...)   SOME(__VA_ARGS__), PLAIN
#define NUMBERS_NUMBER        NUMBERS_VECTOR
#define NUMBERS_VERTEX_VECTOR NUMBERS_VECTOR
#define NUMBERS_AXIS          NUMBERS_VECTOR
#define NUMBERS_WORLD_VECTOR  NUMBERS_VECTOR
#define NUMBERS_WORLD_NUMBER  NUMBERS_VECTOR
#define NUMBERS_PAIR          NUMBERS_VECTOR
#define NUMBERS_FRICTION(...) SOME(__VA_ARGS__), RUBS
#define NUMBERS_FILTER        NONE
#define NUMBERS_WORLD_COUNT   NONE
#define NUMBERS_TURN(...)     SOME(__VA_ARGS__), TURN
#define NUMBERS_VERTEX_TURN   NUMBERS_TURN
/* Two vectors, of which `numbers` is the first. */
#define NUMBERS_VERTEX_PLACE(member, numbers)                                                      \
    offsetof(piola_command, as.member.numbers), 2 * OF(member.numbers) / sizeof(float), DIRECTED

#define WAKES_piola_body       BODY_WAKES
#define WAKES_piola_rigid      RIGID_WAKES
#define WAKES_piola_collider   OTHERS_WAKE
#define WAKES_piola_attachment OTHERS_WAKE
#define WAKES_piola_traction   OTHERS_WAKE
#define WAKES_piola_tool       OTHERS_WAKE
#define WAKES_piola_joint      OTHERS_WAKE
#define WAKES_piola_world      OTHERS_WAKE

static const struct row rows[PIOLA_COMMAND_COUNT] = {
#define COMMAND(KIND, form, call, type, member, numbers, apply)                                    \
    [PIOLA_COMMAND_##KIND] = {OF(member), NUMBERS_##form(member, numbers), WAKES_##type, apply},
#include "families/families.def"
};

static const struct bounds {
    float low, high;
} bounds[PIOLA_COMMAND_COUNT] = {
#define BOUNDS(KIND, low, high) [PIOLA_COMMAND_##KIND] = {low, high},
#include "families/families.def"
};

/* Each kind has one row: a second one is a warning of the compiler. */
enum {
    COMMANDS = 1
#define COMMAND(KIND, form, call, type, member, numbers, apply) +1
#include "families/families.def"
};
_Static_assert(COMMANDS == (int)PIOLA_COMMAND_COUNT, "command.h and the COMMAND rows differ");

uint32_t command_bytes(uint32_t kind)
{
    return rows[kind].bytes;
}

void command_set_values(piola_command *command, const float *values)
{
    const struct row *row = &rows[command->kind];
    memcpy((char *)command + row->first, values, row->values * sizeof *values);
}

static bool unit(const piola_command *command, uint32_t first)
{
    float q[4];
    memcpy(q, (const char *)command + first, sizeof q);
    const float norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    return norm > 0.98f && norm < 1.02f;
}

/* m: shorter ones show no direction. */
#define SHORTEST 1e-6f

static bool directed(const piola_command *command, uint32_t first)
{
    float d[6];
    memcpy(d, (const char *)command + first, sizeof d);
    return d[3] * d[3] + d[4] * d[4] + d[5] * d[5] >= SHORTEST * SHORTEST;
}

/* Sliding friction is no larger than at rest, where both are given. */
static bool rubs(const piola_command *command, uint32_t first)
{
    float friction[2];
    memcpy(friction, (const char *)command + first, sizeof friction);
    return friction[1] <= friction[0] || friction[0] < 0;
}

piola_status command_check(const piola_command *command)
{
    if (command->kind == 0 || command->kind >= PIOLA_COMMAND_COUNT || command->reserved_ != 0)
        return PIOLA_ERROR_RANGE;
    const struct row *row = &rows[command->kind];
    struct bounds own = bounds[command->kind];
    if (own.low == own.high)
        own = (struct bounds){-MOST, MOST};
    for (uint32_t k = 0; k < row->values; ++k) {
        float value;
        memcpy(&value, (const char *)command + row->first + k * sizeof value, sizeof value);
        if (!(value - value == 0))
            return PIOLA_ERROR_NOT_FINITE;
        if (!(value >= own.low && value <= own.high))
            return PIOLA_ERROR_RANGE;
    }
    const bool fit = row->numbers == TURN       ? unit(command, row->first)
                     : row->numbers == DIRECTED ? directed(command, row->first)
                     : row->numbers == RUBS     ? rubs(command, row->first)
                                                : true;
    return fit ? PIOLA_OK : PIOLA_ERROR_RANGE;
}

/* What the kind does not use is zero, so that equal inputs make equal records. */
static void write_slot(piola_command *slot, const piola_command *command)
{
    memset(slot, 0, sizeof *slot);
    slot->kind = command->kind;
    memcpy(&slot->as, &command->as, rows[command->kind].bytes);
}

static piola_status queue_full(piola_world *world)
{
    atomic_fetch_add_explicit(&world->commands_dropped, 1, memory_order_relaxed);
    return PIOLA_ERROR_COMMANDS_FULL;
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
            return queue_full(world);
        if (sequence > turn) {
            turn = atomic_load_explicit(&world->commands_pushed, memory_order_relaxed);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&world->commands_pushed, &turn, turn + 1,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            write_slot(&slot->command, command);
            atomic_store_explicit(&slot->sequence, turn + 1, memory_order_release);
            return PIOLA_OK;
        }
    }
    return queue_full(world);
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

piola_status piola_world_drop_commands(piola_world *world, uint32_t *dropped)
{
    const piola_status status = world_check(world);
    piola_command command;
    uint32_t n = 0;
    if (status != PIOLA_OK)
        return status;
    while (n < world->desc.max_commands && take(world, &command))
        ++n;
    if (dropped)
        *dropped = n;
    return PIOLA_OK;
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

static void strike(const piola_world *world, struct body *body, uint32_t particle,
                   const float impulse[3])
{
    push_vertex(world, particle, impulse);
    if (impulse[0] != 0 || impulse[1] != 0 || impulse[2] != 0)
        families_disturb(world, body);
    /* A velocity that jumps is no past to extrapolate from. */
    body->history = 0;
}

bool apply_to_vertex(piola_world *world, const piola_command *c)
{
    struct body *body = body_find(world, c->as.pin.body);
    if (!body)
        return false;
    const piola_asset *asset = body_asset(world, body);
    if (c->as.pin.vertex >= asset->stats.vertices)
        return false;
    const uint32_t local = asset_particle_of_vertex(asset)[c->as.pin.vertex];
    const uint32_t particle = body->first + local;
    switch (c->kind) {
    case PIOLA_COMMAND_BODY_PIN:
        guides_end(world, body, local);
        pins_hold(world, body, local, c->as.pin.position);
        return true;
    case PIOLA_COMMAND_BODY_PIN_PLANE:
    case PIOLA_COMMAND_BODY_PIN_LINE:
        if (!guides_apply_command(world, body, c))
            return false;
        pins_release(world, body, local);
        families_disturb(world, body);
        return true;
    case PIOLA_COMMAND_BODY_UNPIN:
        guides_end(world, body, local);
        pins_release(world, body, local);
        return true;
    default:
        strike(world, body, particle, c->as.impulse.impulse);
        return true;
    }
}

static void set_filter(piola_world *world, uint32_t index, const piola_command *c)
{
    struct filter *filter = &world_body_filters(world)[index];
    *filter = filter_made(c->as.body_filter.category, c->as.body_filter.mask, filter->user_data);
    array_changed(world, FIELD_body_filters, FIELD_filter_marks, index);
}

bool apply_to_body(piola_world *world, const piola_command *c)
{
    struct body *body = body_find(world, c->as.body_thaw.body);
    if (!body)
        return false;
    switch (c->kind) {
    case PIOLA_COMMAND_BODY_VELOCITY:
        set_velocity(world, body, c->as.body_velocity.velocity);
        families_disturb(world, body);
        body->history = 0;
        return true;
    case PIOLA_COMMAND_BODY_FORCE:
        families_disturb(world, body);
        return loads_apply_command(world, body, c);
    case PIOLA_COMMAND_BODY_ACCELERATION:
        memcpy(body->acceleration, c->as.body_acceleration.acceleration, sizeof body->acceleration);
        return true;
    case PIOLA_COMMAND_BODY_DAMPING:
        body->damping = c->as.body_number.value;
        return true;
    case PIOLA_COMMAND_BODY_RELATIVE_DAMPING:
        body_set_relative_damping(world, c->as.body_number.body.index - 1, c->as.body_number.value);
        return true;
    case PIOLA_COMMAND_BODY_GRAVITY_SCALE:
        body->gravity_scale = c->as.body_number.value;
        return true;
    case PIOLA_COMMAND_BODY_FRICTION:
        body_set_friction(world, c->as.body_pair.body.index - 1, c->as.body_pair.value[0],
                          c->as.body_pair.value[1]);
        return true;
    case PIOLA_COMMAND_BODY_FILTER:
        set_filter(world, c->as.body_filter.body.index - 1, c);
        return true;
    case PIOLA_COMMAND_BODY_THAW:
        body->flags &= ~(uint32_t)BODY_FROZEN;
        return true;
    default: /* any command wakes it */
        return true;
    }
}

bool apply_gravity(piola_world *world, const piola_command *c)
{
    struct clock *clock = world_clock(world);
    if (!same_bytes(clock->gravity, c->as.gravity.acceleration, sizeof clock->gravity))
        world_wake(world);
    memcpy(clock->gravity, c->as.gravity.acceleration, sizeof clock->gravity);
    return true;
}

/* All handles lie alike: their slots count from 1. */
static void wake(const piola_world *world, const piola_command *command)
{
    const uint32_t slot = command->as.body_thaw.body.index - 1;
    if (rows[command->kind].whom == BODY_WAKES)
        node_wake(world, slot);
    if (rows[command->kind].whom == RIGID_WAKES)
        solid_wake(world, slot);
}

void commands_apply(piola_world *world, const piola_command *command, struct command_count *count)
{
    record_command(world, command);
    ++count->taken;
    if (rows[command->kind].apply(world, command))
        wake(world, command);
    else
        ++count->refused;
}

void commands_drain(piola_world *world, struct command_count *count)
{
    piola_command command;
    uint32_t most = world->desc.max_commands;
    while (most-- > 0 && take(world, &command))
        commands_apply(world, &command, count);
    dimension_use(world, DIM_commands, count->taken);
}
