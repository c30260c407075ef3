/* command_calls.c - the typed calls that queue a command, one for each COMMAND row. What a command
 * does: the function that its row names.
 */
#include "world/commands.h"

/* Queues a command whose numbers are `values`, which may be null only in error. */
static piola_status queue(piola_world *world, piola_command *command, const float *values)
{
    if (!values)
        return PIOLA_ERROR_NULL;
    command_set_values(command, values);
    return piola_world_push(world, command);
}

/* Null when one of them is. */
static const float *join(const float a[3], const float b[3], float both[6])
{
    for (int k = 0; a && b && k < 3; ++k) {
        both[k] = a[k];
        both[3 + k] = b[k];
    }
    return a && b ? both : NULL;
}

#define CALL_HANDLE(call, type, number, member)                                                    \
    piola_status call(piola_world *world, type handle)                                             \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {handle}};                           \
        return piola_world_push(world, &c);                                                        \
    }
#define CALL_VERTEX(call, type, number, member)                                                    \
    piola_status call(piola_world *world, type handle, uint32_t vertex)                            \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {handle, vertex}};                   \
        return piola_world_push(world, &c);                                                        \
    }
#define CALL_VERTEX_VECTOR(call, type, number, member)                                             \
    piola_status call(piola_world *world, type handle, uint32_t vertex, const float values[3])     \
    {                                                                                              \
        piola_command c = {.kind = number, .as.member = {handle, vertex, {0}}};                    \
        return queue(world, &c, values);                                                           \
    }
#define CALL_VERTEX_TURN(call, type, number, member)                                               \
    piola_status call(piola_world *world, type handle, uint32_t vertex, const float values[4])     \
    {                                                                                              \
        piola_command c = {.kind = number, .as.member = {handle, vertex, {0}}};                    \
        return queue(world, &c, values);                                                           \
    }
#define CALL_VERTEX_PLACE(call, type, number, member)                                              \
    piola_status call(piola_world *world, type handle, uint32_t vertex, const float point[3],      \
                      const float direction[3])                                                    \
    {                                                                                              \
        piola_command c = {.kind = number, .as.member = {handle, vertex, {0}, {0}}};               \
        const float *values = join(point, direction, (float[6]){0});                               \
        return queue(world, &c, values);                                                           \
    }
#define CALL_NUMBERS(call, type, number, member, count)                                            \
    piola_status call(piola_world *world, type handle, const float values[count])                  \
    {                                                                                              \
        piola_command c = {.kind = number, .as.member = {handle, {0}}};                            \
        return queue(world, &c, values);                                                           \
    }
#define CALL_VECTOR(call, type, number, member) CALL_NUMBERS(call, type, number, member, 3)
#define CALL_TURN(call, type, number, member)   CALL_NUMBERS(call, type, number, member, 4)
#define CALL_NUMBER(call, type, number, member)                                                    \
    piola_status call(piola_world *world, type handle, float value)                                \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {handle, value}};                    \
        return piola_world_push(world, &c);                                                        \
    }
#define CALL_AXIS(call, type, number, member)                                                      \
    piola_status call(piola_world *world, type handle, uint32_t axis, float value)                 \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {handle, axis, value}};              \
        return piola_world_push(world, &c);                                                        \
    }
#define CALL_PAIR(call, type, number, member)                                                      \
    piola_status call(piola_world *world, type handle, float first, float second)                  \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {handle, {first, second}}};          \
        return piola_world_push(world, &c);                                                        \
    }
#define CALL_FRICTION(call, type, number, member) CALL_PAIR(call, type, number, member)
#define CALL_FILTER(call, type, number, member)                                                    \
    piola_status call(piola_world *world, type handle, uint64_t category, uint64_t mask)           \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {handle, category, mask}};           \
        return piola_world_push(world, &c);                                                        \
    }
#define CALL_WORLD_VECTOR(call, type, number, member)                                              \
    piola_status call(type *world, const float values[3])                                          \
    {                                                                                              \
        piola_command c = {.kind = number};                                                        \
        return queue(world, &c, values);                                                           \
    }
#define CALL_WORLD_NUMBER(call, type, number, member)                                              \
    piola_status call(type *world, float value)                                                    \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {value}};                            \
        return piola_world_push(world, &c);                                                        \
    }

#define MOST_COUNT 1000u
#define CALL_WORLD_COUNT(call, type, number, member)                                               \
    piola_status call(type *world, uint32_t count)                                                 \
    {                                                                                              \
        const piola_command c = {.kind = number, .as.member = {count}};                            \
        return count > MOST_COUNT ? PIOLA_ERROR_RANGE : piola_world_push(world, &c);               \
    }

#define COMMAND(KIND, form, call, type, member, numbers, apply)                                    \
    CALL_##form(call, type, PIOLA_COMMAND_##KIND, member)
#include "families/families.def"
