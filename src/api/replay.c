/* replay.c - a record (world/record.h) is looked through, and played step by step.
 *
 * Seals tell what was changed by accident. What a record asks is checked besides as if a user had
 * asked it: commands before anything is played, calls by the functions that they are of.
 */
#include "base/float_mode.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "families/collide/collider.h"
#include "world/names.h"
#include "world/record.h"

#include <string.h>

static piola_status damaged(piola_error *error, uint64_t step)
{
    return refuse_item(error, PIOLA_ERROR_RECORD_DAMAGED, "record.step", step);
}

/* One input of a step, and where it ends. */
struct input {
    piola_command command; /* kind 0: a call */
    struct record_call call;
    const unsigned char *desc, *list; /* of a call */
    size_t bytes;
};

static bool read_command(const unsigned char *at, size_t bytes, struct input *input)
{
    piola_command *command = &input->command;
    memcpy(&command->kind, at, sizeof command->kind);
    input->bytes = sizeof command->kind + command_bytes(command->kind);
    if (command->kind == 0 || input->bytes > bytes)
        return false;
    memcpy(&command->as, at + sizeof command->kind, command_bytes(command->kind));
    return command_check(command) == PIOLA_OK;
}

/* The same of a grid of nodes; UINT64_MAX where there are none or too many. */
static uint64_t wind_bytes(const unsigned char *desc)
{
    uint32_t count[3];
    uint64_t bytes = 12;
    memcpy(count, desc + offsetof(piola_wind_grid_desc, count), sizeof count);
    for (int k = 0; k < 3; ++k) {
        if (count[k] == 0 || count[k] > 65536 || bytes > UINT32_MAX)
            return UINT64_MAX;
        bytes *= count[k];
    }
    return bytes;
}

/* Triangles that are not listed are all of the surface. */
static uint64_t traction_bytes(const struct input *input)
{
    uint32_t count;
    memcpy(&count, input->desc + offsetof(piola_traction_desc, triangle_count), sizeof count);
    return input->call.list_bytes == 0 ? 0 : count * UINT64_C(4);
}

/* Bytes of the list that belongs to a call. */
static uint64_t list_bytes(const struct input *input)
{
    struct recorded_vertices vertices;
    switch (input->call.kind) {
    case RECORDED_BODY_CREATE:
    case RECORDED_COLLIDER_CREATE:
    case RECORDED_RIGID_CREATE:
        return sizeof(uint64_t);
    case RECORDED_BODY_POSITIONS:
    case RECORDED_BODY_VELOCITIES:
        memcpy(&vertices, input->desc, sizeof vertices);
        return vertices.count * UINT64_C(12);
    case RECORDED_TRACTION_CREATE:
        return traction_bytes(input);
    case RECORDED_WIND_GRID:
        return wind_bytes(input->desc);
    default:
        return 0;
    }
}

/* Of bool members, that each is one: else reading it means nothing. */
static bool bools_fit(const struct input *input)
{
    const size_t at =
        input->call.kind == RECORDED_BODY_CREATE       ? offsetof(piola_body_desc, self_contact)
        : input->call.kind == RECORDED_COLLIDER_CREATE ? offsetof(piola_collider_desc, sensor)
                                                       : SIZE_MAX;
    return at == SIZE_MAX || input->desc[at] <= 1;
}

static bool read_call(const unsigned char *at, size_t bytes, struct input *input)
{
    struct record_call *call = &input->call;
    if (bytes < sizeof *call)
        return false;
    memcpy(call, at, sizeof *call);
    if (call->kind <= RECORDED_CALLS || call->kind >= RECORDED_END ||
        call->desc_bytes != record_desc_bytes((enum recorded)call->kind) ||
        call->desc_bytes > bytes - sizeof *call ||
        call->list_bytes > bytes - sizeof *call - call->desc_bytes)
        return false;
    input->desc = at + sizeof *call;
    input->list = input->desc + call->desc_bytes;
    input->bytes = sizeof *call + call->desc_bytes + (size_t)call->list_bytes;
    return bools_fit(input) && list_bytes(input) == call->list_bytes;
}

static bool read_input(const unsigned char *at, size_t bytes, struct input *input)
{
    uint32_t kind = 0;
    memset(input, 0, sizeof *input);
    if (bytes < sizeof kind)
        return false;
    memcpy(&kind, at, sizeof kind);
    return kind < RECORDED_CALLS ? kind < PIOLA_COMMAND_COUNT && read_command(at, bytes, input)
                                 : read_call(at, bytes, input);
}

static bool inputs_fit(const unsigned char *at, size_t bytes)
{
    struct input input;
    while (bytes > 0) {
        if (!read_input(at, bytes, &input))
            return false;
        at += input.bytes;
        bytes -= input.bytes;
    }
    return true;
}

/* Looks at the step at *at. False at the end of what there is of whole steps; or, with *broken,
 * where something was changed. */
static bool check_step(const unsigned char *memory, size_t bytes, size_t *at, uint64_t *seal,
                       bool *broken)
{
    struct record_head head;
    *broken = false;
    if (bytes - *at < sizeof head)
        return false;
    memcpy(&head, memory + *at, sizeof head);
    *broken =
        head.head_seal != record_head_seal(head.bytes, *seal) || head.bytes < sizeof(uint64_t);
    if (*broken || head.bytes > bytes - *at - sizeof head)
        return false;
    const unsigned char *inputs = memory + *at + sizeof head;
    *broken = head.seal != record_seal(inputs, head.bytes, *seal) ||
              !inputs_fit(inputs, head.bytes - sizeof(uint64_t));
    if (*broken)
        return false;
    *seal = head.seal;
    *at += sizeof head + head.bytes;
    return true;
}

static piola_status check_header(const piola_world *world, const unsigned char *memory,
                                 size_t bytes, piola_error *error)
{
    struct record_header header;
    if (bytes < sizeof header)
        return refuse(error, PIOLA_ERROR_RECORD_FORMAT, "record.header");
    memcpy(&header, memory, sizeof header);
    if (header.magic != RECORD_MAGIC || header.version != RECORD_VERSION ||
        header.sizes != record_sizes())
        return refuse(error, PIOLA_ERROR_RECORD_FORMAT, "record.header");
    if (header.seal != record_header_seal(&header))
        return damaged(error, 0);
    if (header.start != piola_world_hash(world) || header.names != names_hash(world))
        return refuse(error, PIOLA_ERROR_SNAPSHOT_WORLD, "world");
    return PIOLA_OK;
}

piola_status piola_replay_begin(piola_replay *replay, const piola_world *world, const void *memory,
                                size_t bytes, piola_error *error)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return refuse(error, status, "world");
    if (!replay || !memory)
        return refuse(error, PIOLA_ERROR_NULL, memory ? "replay" : "memory");
    if ((uintptr_t)memory % sizeof(uint64_t) != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    if (world->record.memory)
        return refuse(error, PIOLA_ERROR_RECORDING, "world");
    status = check_header(world, memory, bytes, error);
    if (status != PIOLA_OK)
        return status;
    struct record_header header;
    memcpy(&header, memory, sizeof header);
    piola_replay whole = {.whole = sizeof header,
                          .hash = header.start,
                          .memory_ = memory,
                          .at_ = sizeof header,
                          .seal_ = header.seal};
    bool broken = false;
    uint64_t seal = header.seal;
    while (check_step(memory, bytes, &whole.whole, &seal, &broken))
        ++whole.steps;
    if (broken)
        return damaged(error, whole.steps + 1);
    *replay = whole;
    return PIOLA_OK;
}

/* ---- calls, once more --------------------------------------------------------------------------
 */

static uint64_t hash_of(const struct input *input)
{
    uint64_t hash;
    memcpy(&hash, input->list, sizeof hash);
    return hash;
}

/* False for what the world does not know. */
static bool find_asset(const piola_world *world, const struct input *input,
                       const piola_asset **asset)
{
    const uint64_t hash = hash_of(input);
    *asset = NULL;
    for (uint32_t i = 0; hash != 0 && i < world->desc.max_assets; ++i)
        if (world_identities(world)[i] == hash)
            *asset = world_assets(world)[i].asset;
    return *asset != NULL;
}

/* No shape is no data. */
static bool find_shape(const piola_world *world, const struct input *input,
                       const piola_shape_data **data)
{
    const uint64_t hash = hash_of(input);
    *data = NULL;
    for (uint64_t i = 0; hash != 0 && i < world->dim[DIM_shapes].capacity; ++i)
        if (world_shape_identities(world)[i] == hash)
            *data = world_shapes(world)[i];
    return hash == 0 || *data != NULL;
}

/* What comes again: its description once its pointers point to something, and whether it has the
 * handle that it had. */
#define CREATE(noun, point)                                                                        \
    static bool create_##noun(piola_world *world, const struct input *input)                       \
    {                                                                                              \
        piola_##noun made = {0, 0};                                                                \
        piola_##noun##_desc desc;                                                                  \
        memcpy(&desc, input->desc, sizeof desc);                                                   \
        return (point) && piola_##noun##_create(world, &desc, &made, NULL) == PIOLA_OK &&          \
               made.index == input->call.index && made.generation == input->call.generation;       \
    }
CREATE(body, find_asset(world, input, &desc.asset))
CREATE(attachment, true)
CREATE(collider, find_shape(world, input, &desc.shape.data))
CREATE(rigid, find_shape(world, input, &desc.shape.data))
CREATE(tool, true)
CREATE(joint, true)
CREATE(traction,
       (desc.triangles = input->call.list_bytes > 0 ? (const void *)input->list : NULL, true))

static bool set_vertices(piola_world *world, const struct input *input)
{
    const piola_body body = {input->call.index, input->call.generation};
    const void *xyz = input->list;
    struct recorded_vertices v;
    memcpy(&v, input->desc, sizeof v);
    return (input->call.kind == RECORDED_BODY_POSITIONS
                ? piola_body_set_positions(world, body, v.first, v.count, xyz, NULL)
                : piola_body_set_velocities(world, body, v.first, v.count, xyz, NULL)) == PIOLA_OK;
}

static bool set_wind(piola_world *world, const struct input *input)
{
    piola_wind_grid_desc desc;
    memcpy(&desc, input->desc, sizeof desc);
    desc.nodes = (const void *)input->list;
    return piola_world_set_wind_grid(world, &desc, NULL) == PIOLA_OK;
}

/* What was destroyed, or concerns the whole world. */
static bool end_thing(piola_world *world, const struct record_call *call)
{
    const uint32_t i = call->index, g = call->generation;
    switch (call->kind) {
    case RECORDED_BODY_DESTROY:
        return piola_body_destroy(world, (piola_body){i, g}) == PIOLA_OK;
    case RECORDED_TRACTION_DESTROY:
        return piola_traction_destroy(world, (piola_traction){i, g}) == PIOLA_OK;
    case RECORDED_ATTACHMENT_DESTROY:
        return piola_attachment_destroy(world, (piola_attachment){i, g}) == PIOLA_OK;
    case RECORDED_COLLIDER_DESTROY:
        return piola_collider_destroy(world, (piola_collider){i, g}) == PIOLA_OK;
    case RECORDED_RIGID_DESTROY:
        return piola_rigid_destroy(world, (piola_rigid){i, g}) == PIOLA_OK;
    case RECORDED_JOINT_DESTROY:
        return piola_joint_destroy(world, (piola_joint){i, g}) == PIOLA_OK;
    case RECORDED_TOOL_DESTROY:
        return piola_tool_destroy(world, (piola_tool){i, g}) == PIOLA_OK;
    case RECORDED_WIND_GRID_DROP:
        return piola_world_drop_wind_grid(world) == PIOLA_OK;
    default:
        return piola_world_compact(world) == PIOLA_OK;
    }
}

/* What comes again has the handle that it had, also in a world in which it was before and that went
 * back to a snapshot: inputs that follow name it by that. */
static bool create_again(piola_world *world, const struct input *input, enum field names,
                         bool (*create)(piola_world *world, const struct input *input))
{
    const uint32_t slot = input->call.index - 1;
    uint32_t given;
    if (!names_again(world, names, slot, input->call.generation, &given))
        return false;
    const bool good = create(world, input);
    names_at_least(world, names, slot, given);
    return good;
}

static bool repeat_call(piola_world *world, const struct input *input)
{
    switch (input->call.kind) {
    case RECORDED_BODY_CREATE:
        return create_again(world, input, FIELD_body_names, create_body);
    case RECORDED_BODY_POSITIONS:
    case RECORDED_BODY_VELOCITIES:
        return set_vertices(world, input);
    case RECORDED_TRACTION_CREATE:
        return create_again(world, input, FIELD_traction_names, create_traction);
    case RECORDED_WIND_GRID:
        return set_wind(world, input);
    case RECORDED_ATTACHMENT_CREATE:
        return create_again(world, input, FIELD_attachment_names, create_attachment);
    case RECORDED_COLLIDER_CREATE:
        return create_again(world, input, FIELD_collider_names, create_collider);
    case RECORDED_RIGID_CREATE:
        return create_again(world, input, FIELD_collider_names, create_rigid);
    case RECORDED_TOOL_CREATE:
        return create_again(world, input, FIELD_tool_names, create_tool);
    case RECORDED_JOINT_CREATE:
        return create_again(world, input, FIELD_joint_names, create_joint);
    default:
        return end_thing(world, &input->call);
    }
}

/* ---- playing ------------------------------------------------------------------------------------
 */

piola_status piola_replay_step(piola_replay *replay, piola_world *world, const piola_tasks *tasks,
                               piola_report *report, piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return refuse(error, status, "world");
    if (!replay || !replay->memory_)
        return refuse(error, PIOLA_ERROR_NULL, "replay");
    if (world->record.memory)
        return refuse(error, PIOLA_ERROR_RECORDING, "world");
    if (replay->step >= replay->steps)
        return refuse(error, PIOLA_ERROR_RANGE, "replay.step");
    size_t end = replay->at_;
    bool broken = false;
    if (!check_step(replay->memory_, replay->whole, &end, &replay->seal_, &broken))
        return damaged(error, replay->step + 1);
    const unsigned char *at = replay->memory_ + replay->at_ + sizeof(struct record_head);
    const unsigned char *hash = replay->memory_ + end - sizeof replay->hash;
    struct command_count commands = {0, 0};
    struct input input;
    for (; at < hash && read_input(at, (size_t)(hash - at), &input); at += input.bytes) {
        if (input.command.kind != 0)
            commands_apply(world, &input.command, &commands);
        else if (!repeat_call(world, &input))
            return damaged(error, replay->step + 1);
    }
    step_with(world, tasks, commands, NULL, report);
    memcpy(&replay->hash, hash, sizeof replay->hash);
    replay->at_ = end;
    ++replay->step;
    return PIOLA_OK;
}

piola_status piola_record_play(piola_world *world, const piola_tasks *tasks, const void *memory,
                               size_t bytes, uint64_t *first_difference, piola_error *error)
{
    piola_replay replay;
    if (!first_difference)
        return refuse(error, PIOLA_ERROR_NULL, "first_difference");
    piola_status status = piola_replay_begin(&replay, world, memory, bytes, error);
    *first_difference = 0;
    while (status == PIOLA_OK && *first_difference == 0 && replay.step < replay.steps) {
        status = piola_replay_step(&replay, world, tasks, NULL, error);
        if (status == PIOLA_OK && replay.hash != piola_world_hash(world))
            *first_difference = replay.step;
    }
    return status;
}
