/* attachment_life.c - the life of attachments: handles, descriptions, counts. Only between steps,
 * but for commands. What an attachment does in a step: attachments.c.
 */
#include "families/attachments/attachments.h"
#include "world/asked.h"

#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/commands.h"
#include "world/names.h"
#include "world/record.h"
#include "world/rest.h"

#include <string.h>

piola_attachment_desc piola_attachment_desc_default(void)
{
    return (piola_attachment_desc){.cookie_ = COOKIE_ATTACHMENT};
}

static struct attachment *attachments_find(const piola_world *world, piola_attachment handle)
{
    if (handle.index == 0 || handle.index > world->dim[DIM_attachments].used)
        return NULL;
    struct attachment *a = &world_attachments(world)[handle.index - 1];
    return a->alive && a->generation == handle.generation ? a : NULL;
}

bool piola_attachment_alive(const piola_world *world, piola_attachment attachment)
{
    return world_check(world) == PIOLA_OK && attachments_find(world, attachment) != NULL;
}

static piola_status check_weights(const piola_attachment_point *p, const char *const fields[3],
                                  const char **field)
{
    double sum = 0;
    *field = fields[2];
    const piola_status status = range_check(p->weights, p->count, -10, 10);
    if (status != PIOLA_OK)
        return status;
    for (uint32_t i = 0; i < p->count; ++i)
        sum += (double)p->weights[i];
    return sum > 0.999 && sum < 1.001 ? PIOLA_OK : PIOLA_ERROR_RANGE;
}

/* Checks one point and writes its side of the attachment. */
static piola_status take_point(const piola_world *world, const piola_attachment_point *p,
                               const char *const fields[3], int side, struct attachment *a,
                               const char **field)
{
    const struct body *body = body_find(world, p->body);
    *field = fields[0];
    if (!body)
        return PIOLA_ERROR_STALE;
    *field = fields[1];
    if (p->count < 1 || p->count > 4)
        return PIOLA_ERROR_RANGE;
    const piola_asset *asset = body_asset(world, body);
    a->body[side] = p->body.index;
    a->count[side] = p->count;
    for (uint32_t i = 0; i < p->count; ++i) {
        if (p->vertices[i] >= asset->stats.vertices)
            return PIOLA_ERROR_RANGE;
        a->particle[side][i] = asset_particle_of_vertex(asset)[p->vertices[i]];
        a->weight[side][i] = p->weights[i];
    }
    return check_weights(p, fields, field);
}

/* No particle may count twice: the side on which one does so, or 2. */
static uint32_t repeated(const struct attachment *a)
{
    for (uint32_t i = 0; i < 8; ++i)
        for (uint32_t k = 0; k < i; ++k) {
            const uint32_t s = i / 4, t = k / 4;
            if (i % 4 < a->count[s] && k % 4 < a->count[t] && a->body[s] == a->body[t] &&
                a->particle[s][i % 4] == a->particle[t][k % 4])
                return s;
        }
    return 2;
}

static piola_status check(const piola_world *world, const piola_attachment_desc *d,
                          struct attachment *a, const char **field)
{
    static const char *const first[3] = {"piola_attachment_desc.point.body",
                                         "piola_attachment_desc.point.vertices",
                                         "piola_attachment_desc.point.weights"};
    static const char *const second[3] = {"piola_attachment_desc.other.body",
                                          "piola_attachment_desc.other.vertices",
                                          "piola_attachment_desc.other.weights"};
    piola_status status = take_point(world, &d->point, first, 0, a, field);
    if (status == PIOLA_OK && (d->other.body.index != 0 || d->other.count != 0))
        status = take_point(world, &d->other, second, 1, a, field);
    if (status != PIOLA_OK)
        return status;
    const uint32_t side = repeated(a);
    *field = side == 0 ? first[1] : second[1];
    if (side < 2)
        return PIOLA_ERROR_RANGE;
    const struct range_row rows[] = {
        {&d->compliance, 1, 0, 1e9f, "piola_attachment_desc.compliance"},
        {&d->damping, 1, 0, 1e9f, "piola_attachment_desc.damping"},
        {d->target, 3, -1e9f, 1e9f, "piola_attachment_desc.target"},
    };
    memcpy(a->target, d->target, sizeof a->target);
    memcpy(a->goal, d->target, sizeof a->goal);
    a->compliance = d->compliance;
    return ranges_check(rows, sizeof rows / sizeof *rows, field);
}

static void set_damping(piola_world *world, uint32_t slot, float damping)
{
    world_attachment_damping(world)[slot] = damping;
    array_changed(world, FIELD_attachment_damping, FIELD_attachment_marks, slot);
}

static uint32_t free_slot(const piola_world *world)
{
    uint32_t i = world_attachment_slots(world)->full;
    while (i < world->dim[DIM_attachments].capacity && world_attachments(world)[i].alive)
        ++i;
    return i;
}

static void wake(const piola_world *world, const struct attachment *a)
{
    for (int side = 0; side < 2; ++side)
        if (a->body[side])
            node_wake(world, a->body[side] - 1);
}

piola_status piola_attachment_create(piola_world *world, const piola_attachment_desc *desc,
                                     piola_attachment *handle, piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status asked = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_ATTACHMENT,
                                           "piola_attachment_desc", handle, "attachment", error);
    if (asked != PIOLA_OK)
        return asked;
    struct attachment made;
    memset(&made, 0, sizeof made);
    const char *field = NULL;
    const piola_status status = check(world, desc, &made, &field);
    if (status != PIOLA_OK)
        return refuse(error, status, field);
    const uint32_t slot = free_slot(world);
    world->dim[DIM_attached].dropped += slot == world->dim[DIM_attachments].capacity;
    if (slot == world->dim[DIM_attachments].capacity)
        return refuse(error, PIOLA_ERROR_ATTACHMENTS_FULL, "piola_world_desc.max_attachments");
    struct attachment *a = &world_attachments(world)[slot];
    made.generation = names_give(world, FIELD_attachment_names, slot, a->generation);
    made.alive = 1;
    *a = made;
    if (slot < world->dim[DIM_attachment_felt].capacity)
        world_attachment_felt(world)[slot].known = 0;
    set_damping(world, slot, desc->damping);
    world_attachment_slots(world)->full = slot + 1;
    dimension_use(world, DIM_attached, world->dim[DIM_attached].used + 1);
    for (int side = 0; side < 2; ++side)
        if (made.body[side])
            world_tie(world, made.body[side] - 1, TIE(attachments), true);
    wake(world, a);
    if (slot >= world->dim[DIM_attachments].used)
        dimension_use(world, DIM_attachments, slot + 1);
    *handle = (piola_attachment){slot + 1, made.generation};
    const struct record_call call = {.kind = RECORDED_ATTACHMENT_CREATE,
                                     .index = handle->index,
                                     .generation = handle->generation};
    record_call(world, &call, desc, NULL);
    return PIOLA_OK;
}

/* The ties of its bodies are counted anew when next they count, once for however many ended. */
static void end(piola_world *world, uint64_t slot)
{
    struct attachment *a = &world_attachments(world)[slot];
    const uint32_t generation = a->generation;
    wake(world, a);
    memset(a, 0, sizeof *a);
    a->generation = generation;
    set_damping(world, (uint32_t)slot, 0);
    if (slot < world_attachment_slots(world)->full)
        world_attachment_slots(world)->full = (uint32_t)slot;
    world_attachment_slots(world)->ended = 1;
    --world->dim[DIM_attached].used;
}

piola_status piola_attachment_destroy(piola_world *world, piola_attachment handle)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!attachments_find(world, handle))
        return PIOLA_ERROR_STALE;
    record_named(world, RECORDED_ATTACHMENT_DESTROY, handle.index, handle.generation);
    end(world, handle.index - 1);
    return PIOLA_OK;
}

void attachments_end_with(piola_world *world, uint32_t body)
{
    for (uint64_t i = 0; i < world->dim[DIM_attachments].used; ++i) {
        const struct attachment *a = &world_attachments(world)[i];
        if (a->alive && (a->body[0] == body + 1 || a->body[1] == body + 1))
            end(world, i);
    }
}

/* A slot once used keeps its generation, so it stays part of the state. */
void attachments_recount(piola_world *world)
{
    uint64_t used = 0, alive = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        world_count(world)[i] = 0;
    for (uint64_t i = 0; i < world->dim[DIM_attachments].capacity; ++i) {
        const struct attachment *a = &world_attachments(world)[i];
        used = a->generation ? i + 1 : used;
        alive += a->alive;
        for (int side = 0; side < 2 && a->alive; ++side)
            if (a->body[side])
                world_count(world)[a->body[side] - 1] = 1;
    }
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        world_tie(world, i, TIE(attachments), world_count(world)[i] != 0);
    dimension_use(world, DIM_attachments, used);
    array_recount(world, FIELD_attachment_damping, FIELD_attachment_marks);
    dimension_use(world, DIM_attached, alive);
    world_attachment_slots(world)->full = 0;
    world_attachment_slots(world)->ended = 0;
}

bool attachments_apply(piola_world *world, const piola_command *command)
{
    const piola_attachment handle = command->as.attachment_target.attachment;
    struct attachment *a = attachments_find(world, handle);
    if (!a)
        return false;
    wake(world, a);
    if (command->kind == PIOLA_COMMAND_ATTACHMENT_DETACH)
        end(world, handle.index - 1);
    else if (command->kind == PIOLA_COMMAND_ATTACHMENT_COMPLIANCE)
        a->compliance = command->as.attachment_number.value;
    else if (command->kind == PIOLA_COMMAND_ATTACHMENT_DAMPING)
        set_damping(world, handle.index - 1, command->as.attachment_number.value);
    else
        memcpy(a->goal, command->as.attachment_target.target, sizeof a->goal);
    return true;
}

/* Of one that is alive, in bodies of these assets. */
static bool possible(const struct attachment *a, const piola_asset *const assets[2])
{
    bool sane = a->alive == 1 && a->generation > 0 && a->count[0] > 0 && a->compliance >= 0 &&
                is_finite(a->compliance) && (a->count[1] > 0) == (a->body[1] > 0);
    for (int k = 0; k < 3; ++k)
        sane = sane && is_finite(a->target[k]) && is_finite(a->goal[k]) && is_finite(a->force[k]);
    for (int side = 0; side < 2 && sane; ++side) {
        sane = a->count[side] <= 4;
        for (uint32_t i = 0; sane && i < a->count[side]; ++i)
            sane = is_finite(a->weight[side][i]) &&
                   a->particle[side][i] < assets[side]->stats.vertices;
    }
    return sane && repeated(a) == 2;
}

bool attachments_valid(const struct stored *stored, enum field field)
{
    (void)field;
    for (uint64_t i = 0; i < stored->dim[DIM_attachments].used; ++i) {
        const struct attachment a = stored_attachments(stored, i);
        const piola_asset *assets[2] = {NULL, NULL};
        for (int side = 0; a.alive && side < 2; ++side) {
            if (a.body[side] == 0 && side == 1)
                continue;
            if (a.body[side] == 0 || a.body[side] > stored->world->desc.max_bodies)
                return false;
            const struct body b = stored_bodies(stored, a.body[side] - 1);
            if (!(b.flags & BODY_ALIVE))
                return false;
            assets[side] = body_asset(stored->world, &b);
        }
        if (a.alive && !possible(&a, assets))
            return false;
    }
    return true;
}

bool attachment_damping_valid(const struct stored *stored, enum field field)
{
    bool fit = finite_floats(stored, field);
    for (uint64_t i = 0; fit && i < stored->dim[DIM_attachment_damping].used; ++i)
        fit = stored_attachment_damping(stored, i) >= 0;
    return fit;
}

piola_status piola_attachment_inspect(const piola_world *world, piola_attachment handle,
                                      piola_attachment_info *info)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!info)
        return PIOLA_ERROR_NULL;
    const struct attachment *a = attachments_find(world, handle);
    if (!a)
        return PIOLA_ERROR_STALE;
    const uint32_t slot = handle.index - 1;
    const bool felt = world->unchanged && slot < world->dim[DIM_attachment_felt].capacity &&
                      world_attachment_felt(world)[slot].known;
    for (int k = 0; k < 3; ++k)
        info->force[k] = felt ? -world_attachment_felt(world)[slot].force[k] : -a->force[k];
    memcpy(info->target, a->goal, sizeof info->target);
    info->compliance = a->compliance;
    info->damping = world_attachment_damping(world)[handle.index - 1];
    attachments_gap(world, a, a->target, info->gap);
    return PIOLA_OK;
}
