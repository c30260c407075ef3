/* contact_events.c - contact as the user reads it: events, and forces on vertices.
 *
 * The list is sorted by body, then colliders, then other bodies. After a step it begins with all
 * that was told to touch, so no room is ever taken from these: what touches still stays, the others
 * end. Then what is new takes the room that is left, in the order in which it is found, which is
 * the same whatever the threads. What finds none is not told, so it can begin in a later step.
 * Forces are those of contact_forces.c; how many places touch is what the last substep left.
 */
#include "families/surface/contact_events.h"

#include "base/float_mode.h"
#include "families/collide/collide_faces.h"
#include "families/rigid/rigid.h"
#include "families/surface/surface.h"
#include "world/rest.h"

#include <string.h>

/* Less than 0 when a comes before b. Generations tell what was destroyed from what took its place.
 */
static int compare(const struct contact_record *a, const struct contact_record *b)
{
    const uint32_t x[5] = {a->body, a->kind, a->other, a->body_generation, a->other_generation};
    const uint32_t y[5] = {b->body, b->kind, b->other, b->body_generation, b->other_generation};
    for (int k = 0; k < 5; ++k)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

/* What is told after this step; it keeps `at`, where the last record was found. */
struct list {
    piola_world *world;
    struct contact_record *record;
    uint32_t count, capacity, at;
    bool noting; /* the table of pairs without room is in use */
};

/* What sleeps goes on to touch what it touched, as it did when it fell asleep. */
static bool stays(const piola_world *w, const struct contact_record *record)
{
    if (!body_asleep(w, record->body))
        return false;
    return record->kind == OTHER_BODY
               ? body_asleep(w, record->other)
               : !(world_colliders(w)[record->other].flags & COLLIDER_SENSOR);
}

/* All that was told to touch: it ends unless it is found again. */
static void recall(struct list *list)
{
    const struct contact_record *old = world_contact_events(list->world);
    const uint64_t olds = list->world->dim[DIM_contact_events].used;
    for (uint64_t i = 0; i < olds; ++i) {
        if (old[i].phase == PIOLA_CONTACT_END)
            continue;
        struct contact_record *record = &list->record[list->count++];
        *record = old[i];
        if (stays(list->world, record)) {
            record->phase = PIOLA_CONTACT_STAY;
            continue;
        }
        record->phase = PIOLA_CONTACT_END;
        record->touches = 0;
        memset(record->force, 0, sizeof record->force);
    }
}

/* Where the key's record is, or belongs. */
static uint32_t place_of(const struct list *list, const struct contact_record *key)
{
    uint32_t low = 0, high = list->count;
    if (list->at < list->count && compare(&list->record[list->at], key) == 0)
        return list->at;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (compare(&list->record[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The record of the key, which touches, made if there is none; null when there is no room. */
static struct contact_record *find(struct list *list, const struct contact_record *key)
{
    list->at = place_of(list, key);
    struct contact_record *record = &list->record[list->at];
    if (list->at < list->count && compare(record, key) == 0) {
        if (record->phase == PIOLA_CONTACT_END)
            record->phase = PIOLA_CONTACT_STAY;
        return record;
    }
    if (list->count == list->capacity)
        return NULL;
    memmove(record + 1, record, (list->count - list->at) * sizeof *record);
    *record = *key;
    ++list->count;
    return record;
}

/* A body has a collider that there is no room for: counted once, though many vertices touch it. */
static void miss_collider(const struct list *list, uint32_t body, uint32_t collider)
{
    uint32_t *noted = &world_missed(list->world)[collider];
    world_surface_now(list->world)->events_dropped += *noted != body + 1;
    *noted = body + 1;
}

/* The same of two bodies, though many of their parts touch. Those that were counted are noted in
 * what sorted pairs until now: two words each, twice as many as there can be. */
static void miss_body(struct list *list, uint32_t one, uint32_t two)
{
    piola_world *w = list->world;
    const uint64_t slots = 2 * (uint64_t)world_surface_now(w)->pair_count;
    uint32_t *noted = world_bucket_items(w);
    if (!list->noting)
        memset(noted, 0, 2 * (size_t)slots * sizeof *noted);
    list->noting = true;
    const uint64_t mixed = ((uint64_t)one << 32 | two) * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t at = (mixed >> 32) * slots >> 32;
    for (uint64_t looks = 0; looks < slots; ++looks, at = at + 1 < slots ? at + 1 : 0) {
        uint32_t *slot = noted + 2 * at;
        if (slot[0] == one + 1 && slot[1] == two + 1)
            return;
        if (slot[0] != 0)
            continue;
        slot[0] = one + 1;
        slot[1] = two + 1;
        ++world_surface_now(w)->events_dropped;
        return;
    }
}

static struct contact_record key_of(const piola_world *w, uint32_t body, uint32_t other,
                                    enum other_kind kind)
{
    return (struct contact_record){
        .body = body,
        .body_generation = world_bodies(w)[body].generation,
        .kind = kind,
        .other = other,
        .other_generation = kind == OTHER_BODY ? world_bodies(w)[other].generation
                                               : world_colliders(w)[other].generation,
        .phase = PIOLA_CONTACT_BEGIN,
        .rigid = kind == OTHER_COLLIDER && world_rigids(w)[other].mass > 0,
    };
}

/* What the body's vertices have felt of colliders in the step. */
static void list_presses(struct list *list, uint32_t index)
{
    const piola_world *w = list->world;
    const struct contact_felt *felt = felt_by(w, index);
    for (uint32_t i = 0; felt && i < world_bodies(w)[index].count; ++i)
        for (uint32_t p = 0; p < PK_TOUCHES && felt[i].collider[p] > 0; ++p) {
            const uint32_t collider = felt[i].collider[p] - 1;
            const struct contact_record key = key_of(w, index, collider, OTHER_COLLIDER);
            struct contact_record *record = find(list, &key);
            if (!record)
                miss_collider(list, index, collider);
            for (int k = 0; k < 3 && record; ++k)
                record->force[k] += (double)felt[i].collider_force[p][k];
            if (record)
                ++record->touches;
        }
}

/* Colliders that press on the body, and sensors that it is in. */
static void list_colliders(struct list *list, uint32_t index)
{
    const piola_world *w = list->world;
    const struct body *body = &world_bodies(w)[index];
    if (!body_asleep(w, index))
        list_presses(list, index);
    for (uint32_t c = 0; c < collider_end(w); ++c) {
        const struct collider *sensor = &world_colliders(w)[c];
        float depth;
        const uint32_t inside =
            sensor->flags & COLLIDER_SENSOR ? collide_inside(w, sensor, body, &depth) : 0;
        const struct contact_record key = key_of(w, index, c, OTHER_COLLIDER);
        struct contact_record *record = inside > 0 ? find(list, &key) : NULL;
        if (record)
            record->touches = inside;
        else if (inside > 0)
            miss_collider(list, index, c);
    }
}

static void list_pair(struct list *list, uint32_t pack, uint32_t lane)
{
    const piola_world *w = list->world;
    const uint32_t *owner = world_owner(w);
    const uint32_t one = owner[world_pair_packs(w)[pack].particle[0][lane]];
    const uint32_t two = owner[world_pair_packs(w)[pack].particle[3][lane]];
    const bool turned = two < one;
    const struct contact_record key = key_of(w, turned ? two : one, turned ? one : two, OTHER_BODY);
    struct contact_record *record = find(list, &key);
    if (record)
        ++record->touches;
    else
        miss_body(list, key.body, key.other);
}

static void list_pairs(struct list *list)
{
    const piola_world *w = list->world;
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p)
        for (uint32_t left = world_acted(w)[p]; left != 0; left &= left - 1)
            list_pair(list, p, (uint32_t)__builtin_ctz(left));
}

/* What bodies did to each other, also those that have parted since. */
static void list_edges(struct list *list)
{
    const piola_world *w = list->world;
    for (uint32_t e = 0; e < world_surface_now(w)->edges; ++e) {
        const struct contact_edge *edge = &world_contact_edges(w)[e];
        if (edge->two >= w->desc.max_bodies || !edge->meets)
            continue;
        const struct contact_record key = key_of(w, edge->one, edge->two, OTHER_BODY);
        struct contact_record *record = find(list, &key);
        if (record)
            memcpy(record->force, edge->force, sizeof record->force);
        else if (edge->lanes == 0)
            miss_body(list, edge->one, edge->two);
    }
}

void contact_events_update(const struct step *step)
{
    piola_world *w = step->world;
    struct list list = {w, world_events_now(w), 0, w->desc.max_contact_events, 0, false};
    struct contact_record *kept = world_contact_events(w);
    world_surface_now(w)->events_dropped = 0;
    if (list.capacity == 0)
        return;
    recall(&list);
    memset(world_missed(w), 0, collider_end(w) * sizeof(uint32_t));
    for (uint32_t b = 0; b < w->desc.max_bodies && collider_end(w) > 0; ++b)
        if (world_bodies(w)[b].flags & BODY_ALIVE)
            list_colliders(&list, b);
    if (surface_any(w) && w->shared_count > 0) {
        list_pairs(&list);
        list_edges(&list);
    }
    const uint32_t before = (uint32_t)w->dim[DIM_contact_events].used;
    memcpy(kept, list.record, list.count * sizeof *kept);
    if (before > list.count)
        memset(kept + list.count, 0, (before - list.count) * sizeof *kept);
    dimension_use(w, DIM_contact_events, list.count);
    w->dim[DIM_contact_events].dropped += world_surface_now(w)->events_dropped;
    world_surface_now(w)->readable = surface_any(w);
}

piola_status piola_world_contact_events(const piola_world *world, uint32_t first, uint32_t count,
                                        piola_contact_event *events, uint32_t *total)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!total || (count > 0 && !events))
        return PIOLA_ERROR_NULL;
    const uint32_t used = (uint32_t)world->dim[DIM_contact_events].used;
    *total = used;
    for (uint32_t i = 0; i < count && first < used && i < used - first; ++i) {
        const struct contact_record *r = &world_contact_events(world)[first + i];
        events[i] = (piola_contact_event){
            .body = {r->body + 1, r->body_generation},
            .phase = (piola_contact_phase)r->phase,
            .touches = r->touches,
            .force = {r->force[0], r->force[1], r->force[2]},
        };
        if (r->kind == OTHER_BODY)
            events[i].other = (piola_body){r->other + 1, r->other_generation};
        else if (r->rigid)
            events[i].rigid = (piola_rigid){r->other + 1, r->other_generation};
        else
            events[i].collider = (piola_collider){r->other + 1, r->other_generation};
    }
    return PIOLA_OK;
}

/* What faces press with, on their corners. */
static void add_faces(const piola_world *world, const struct body *body, uint32_t first,
                      uint32_t count, float *xyz)
{
    const uint32_t index = (uint32_t)(body - world_bodies(world));
    const uint32_t *vertices = asset_surface(body_asset(world, body));
    for (uint32_t i = 0; i < faces_count(world, index); ++i) {
        const struct face_contact *c = &faces_of(world, index)[i];
        for (uint32_t corner = 0; corner < 3; ++corner) {
            const uint32_t v = vertices[3 * (size_t)c->triangle + corner];
            for (uint32_t k = 0; k < 3 && v - first < count; ++k)
                xyz[3 * (size_t)(v - first) + k] += c->weight[corner] * c->plane.force[k];
        }
    }
}

/* Where no room was given to tell more: what colliders pressed with when the last substep ended. */
static void add_presses(const piola_world *world, const struct body *body, uint32_t first,
                        uint32_t count, float *xyz)
{
    const uint32_t *particles = asset_particle_of_vertex(body_asset(world, body)) + first;
    for (uint32_t v = 0; v < count; ++v) {
        const uint32_t i = body->first + particles[v];
        for (uint32_t p = 0; p < world_touching(world)[i]; ++p)
            for (uint32_t k = 0; k < 3; ++k)
                xyz[3 * (size_t)v + k] += world_touches(world)[i].plane[p].force[k];
    }
    add_faces(world, body, first, count, xyz);
}

static void add_felt(const piola_world *world, const struct body *body, uint32_t first,
                     uint32_t count, float *xyz)
{
    const uint32_t *particles = asset_particle_of_vertex(body_asset(world, body)) + first;
    const struct contact_felt *feels = felt_by(world, (uint32_t)(body - world_bodies(world)));
    for (uint32_t v = 0; v < count && feels; ++v) {
        const struct contact_felt *felt = &feels[particles[v]];
        for (uint32_t k = 0; k < 3; ++k)
            xyz[3 * (size_t)v + k] =
                felt->surfaces[k] + felt->collider_force[0][k] + felt->collider_force[1][k];
    }
}

piola_status piola_body_contact_forces(const piola_world *world, piola_body handle, uint32_t first,
                                       uint32_t count, float *xyz)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    const struct body *body = body_find(world, handle);
    if (!body || !xyz)
        return xyz ? PIOLA_ERROR_STALE : PIOLA_ERROR_NULL;
    const uint32_t vertices = body_asset(world, body)->stats.vertices;
    if (first > vertices || count > vertices - first)
        return PIOLA_ERROR_RANGE;
    memset(xyz, 0, 3 * (size_t)count * sizeof *xyz);
    if (world->unchanged && world->dim[DIM_contact_felt].capacity > 0)
        add_felt(world, body, first, count, xyz);
    else if (world->unchanged && collider_end(world) > 0)
        add_presses(world, body, first, count, xyz);
    return PIOLA_OK;
}
