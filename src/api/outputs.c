/* outputs.c - frames of a world for other threads: their block, and how they are filled.
 *
 * Who may fill which slot and who holds one is base/triple_buffer.c's; reading is frame.c's.
 */
#include "api/outputs.h"

#include "base/cookies.h"
#include "base/refuse.h"
#include "base/size.h"
#include "families/rigid/rigid.h"

#include <string.h>

#define MOST_VERTICES (UINT32_C(1) << 26)
#define MOST_LISTED   (UINT32_C(1) << 20)

piola_outputs_desc piola_outputs_desc_default(void)
{
    return (piola_outputs_desc){
        .cookie_ = COOKIE_OUTPUTS, .readers = 1, .max_bodies = 64, .max_vertices = 65536};
}

static piola_status check(const piola_outputs_desc *desc, piola_error *error)
{
    if (desc == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "piola_outputs_desc");
    if (desc->cookie_ != COOKIE_OUTPUTS)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_outputs_desc");
    if (desc->readers < 1 || desc->readers > TRIPLE_MAX_READERS)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_outputs_desc.readers");
    if (desc->max_bodies > UINT16_MAX)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_outputs_desc.max_bodies");
    if (desc->max_vertices > MOST_VERTICES)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_outputs_desc.max_vertices");
    if (desc->max_rigids > UINT16_MAX)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_outputs_desc.max_rigids");
    if (desc->max_contact_events > MOST_LISTED)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_outputs_desc.max_contact_events");
    if (desc->max_contact_points > MOST_LISTED)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_outputs_desc.max_contact_points");
    return PIOLA_OK;
}

/* The whole block's bytes; SIZE_MAX when they cannot be addressed. */
static size_t lay_out(const piola_outputs_desc *d, piola_outputs *outputs)
{
    const struct {
        uint64_t count;
        size_t element;
    } parts[OUTPUT_PARTS] = {
        [OUTPUT_BODIES] = {d->max_bodies, sizeof(piola_output_body)},
        [OUTPUT_RIGIDS] = {d->max_rigids, sizeof(piola_output_rigid)},
        [OUTPUT_POSITIONS] = {d->max_vertices, 3 * sizeof(float)},
        [OUTPUT_FORCES] = {d->contact_forces ? d->max_vertices : 0, 3 * sizeof(float)},
        [OUTPUT_EVENTS] = {d->max_contact_events, sizeof(piola_contact_event)},
        [OUTPUT_POINTS] = {d->max_contact_points, sizeof(piola_contact_point)},
    };
    *outputs = (piola_outputs){.desc = *d};
    size_t stride = sizeof(struct output_head), total = sizeof *outputs, first = 0;
    bool fits = true;
    for (int i = 0; i < OUTPUT_PARTS; ++i) {
        size_t at = 0;
        fits = fits && size_array(&stride, parts[i].count, parts[i].element, PIOLA_ALIGNMENT, &at);
        outputs->at[i] = at;
    }
    fits = fits && size_align(&stride, PIOLA_ALIGNMENT) &&
           size_array(&total, triple_slots(d->readers, 1), stride, PIOLA_ALIGNMENT, &first);
    outputs->first = first;
    outputs->stride = stride;
    return fits ? total : SIZE_MAX;
}

piola_status piola_outputs_size(const piola_outputs_desc *desc, size_t *bytes, piola_error *error)
{
    struct piola_outputs outputs;
    const piola_status status = check(desc, error);
    if (status != PIOLA_OK)
        return status;
    if (bytes == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "bytes");
    const size_t needed = lay_out(desc, &outputs);
    if (needed == SIZE_MAX)
        return refuse(error, PIOLA_ERROR_TOO_LARGE, "piola_outputs_desc");
    *bytes = needed;
    return refuse(error, PIOLA_OK, NULL);
}

piola_status piola_outputs_create(const piola_outputs_desc *desc, void *memory, size_t bytes,
                                  piola_outputs **outputs, piola_error *error)
{
    size_t needed = 0;
    const piola_status status = piola_outputs_size(desc, &needed, error);
    if (status != PIOLA_OK)
        return status;
    if (memory == NULL || outputs == NULL)
        return refuse(error, PIOLA_ERROR_NULL, memory == NULL ? "memory" : "outputs");
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    if (bytes < needed)
        return refuse(error, PIOLA_ERROR_MEMORY, "bytes");
    struct piola_outputs *made = memory;
    (void)lay_out(desc, made);
    triple_init(&made->buffer, desc->readers, 1);
    made->magic = OUTPUTS_MAGIC;
    *outputs = made;
    return refuse(error, PIOLA_OK, NULL);
}

/* ---- filling a frame ---- */

struct filling {
    const piola_outputs *outputs;
    const piola_world *world;
    struct output_head *head;
};

/* One body and its vertices, or a count of what was left out. */
static piola_status put_body(struct filling *f, uint32_t index)
{
    const struct body *b = &world_bodies(f->world)[index];
    const piola_outputs *o = f->outputs;
    const uint32_t vertices = body_asset(f->world, b)->stats.vertices;
    uint32_t *count = f->head->count;
    if (count[OUTPUT_BODIES] >= o->desc.max_bodies ||
        vertices > o->desc.max_vertices - count[OUTPUT_POSITIONS]) {
        ++f->head->dropped[OUTPUT_BODIES];
        return PIOLA_OK;
    }
    const uint32_t first = count[OUTPUT_POSITIONS];
    const size_t at = 3 * (size_t)first;
    piola_output_body *row = outputs_part(o, f->head, OUTPUT_BODIES);
    const piola_body body = {index + 1, b->generation};
    row[count[OUTPUT_BODIES]++] = (piola_output_body){.body = body,
                                                      .first = first,
                                                      .vertices = vertices,
                                                      .frozen = (b->flags & BODY_FROZEN) != 0,
                                                      .asleep = (b->flags & BODY_ASLEEP) != 0};
    count[OUTPUT_POSITIONS] += vertices;
    float *to = outputs_part(o, f->head, OUTPUT_POSITIONS);
    piola_status status = piola_body_positions(f->world, body, 0, vertices, to + at);
    if (status == PIOLA_OK && o->desc.contact_forces) {
        to = outputs_part(o, f->head, OUTPUT_FORCES);
        status = piola_body_contact_forces(f->world, body, 0, vertices, to + at);
    }
    return status;
}

static piola_status put_bodies(struct filling *f)
{
    const uint64_t bodies = f->world->dim[DIM_bodies].capacity;
    piola_status status = PIOLA_OK;
    for (uint32_t i = 0; status == PIOLA_OK && i < bodies; ++i)
        if (world_bodies(f->world)[i].flags & BODY_ALIVE)
            status = put_body(f, i);
    return status;
}

/* How many of `total` were taken. */
static void count_part(struct filling *f, enum output_part part, uint64_t total, uint32_t room)
{
    f->head->count[part] = total < room ? (uint32_t)total : room;
    f->head->dropped[part] = (uint32_t)(total - f->head->count[part]);
}

static piola_status put_rigids(struct filling *f)
{
    piola_output_rigid *to = outputs_part(f->outputs, f->head, OUTPUT_RIGIDS);
    const uint64_t slots = f->world->dim[DIM_colliders].capacity;
    uint32_t found = 0;
    for (uint32_t i = 0; i < slots; ++i) {
        const struct collider *c = &world_colliders(f->world)[i];
        const piola_rigid rigid = {i + 1, c->generation};
        piola_rigid_info info;
        if (!(c->flags & COLLIDER_ALIVE) || !rigid_is(f->world, i) ||
            found++ >= f->outputs->desc.max_rigids)
            continue;
        const piola_status status = piola_rigid_inspect(f->world, rigid, &info);
        if (status != PIOLA_OK)
            return status;
        piola_output_rigid *row = &to[found - 1];
        row->rigid = rigid;
        memcpy(row->position, info.position, sizeof row->position);
        memcpy(row->rotation, info.rotation, sizeof row->rotation);
        memcpy(row->force, info.force, sizeof row->force);
    }
    count_part(f, OUTPUT_RIGIDS, found, f->outputs->desc.max_rigids);
    return PIOLA_OK;
}

static piola_status put_contacts(struct filling *f)
{
    const piola_outputs_desc *d = &f->outputs->desc;
    uint64_t points = 0;
    uint32_t events = 0;
    piola_status status = PIOLA_OK;
    if (d->max_contact_events > 0)
        status = piola_world_contact_events(f->world, 0, 0, NULL, &events);
    count_part(f, OUTPUT_EVENTS, events, d->max_contact_events);
    if (status == PIOLA_OK && f->head->count[OUTPUT_EVENTS] > 0)
        status =
            piola_world_contact_events(f->world, 0, f->head->count[OUTPUT_EVENTS],
                                       outputs_part(f->outputs, f->head, OUTPUT_EVENTS), &events);
    if (status == PIOLA_OK && d->max_contact_points > 0)
        status = piola_world_contact_points(f->world, (piola_body){0, 0},
                                            outputs_part(f->outputs, f->head, OUTPUT_POINTS),
                                            d->max_contact_points, &points);
    count_part(f, OUTPUT_POINTS, points, d->max_contact_points);
    return status;
}

piola_status piola_outputs_publish(piola_outputs *outputs, const piola_world *world,
                                   const piola_report *report, double time)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (outputs == NULL)
        return PIOLA_ERROR_NULL;
    if (outputs->magic != OUTPUTS_MAGIC)
        return PIOLA_ERROR_COOKIE;
    if (!(time - time == 0))
        return PIOLA_ERROR_NOT_FINITE;
    struct filling f = {outputs, world, outputs_slot(outputs, triple_write(&outputs->buffer))};
    *f.head = (struct output_head){.time = time};
    if (report != NULL)
        f.head->report = *report;
    status = put_bodies(&f);
    if (status == PIOLA_OK)
        status = put_rigids(&f);
    if (status == PIOLA_OK)
        status = put_contacts(&f);
    if (status == PIOLA_OK)
        (void)triple_publish(&outputs->buffer);
    return status;
}
