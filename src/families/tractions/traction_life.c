/* traction_life.c - the life of tractions: handles, descriptions, the list of their faces. Only
 * between steps, but for commands. What they do in a step: tractions.c.
 */
#include "families/tractions/tractions.h"
#include "world/asked.h"

#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "world/commands.h"
#include "world/family.h"
#include "world/names.h"
#include "world/record.h"
#include "world/rest.h"

#include <math.h>
#include <string.h>

/* Pa, as numbers of commands. */
#define MOST 1e9f

piola_traction_desc piola_traction_desc_default(void)
{
    return (piola_traction_desc){.cookie_ = COOKIE_TRACTION};
}

static struct traction *find(const piola_world *world, piola_traction handle)
{
    if (handle.index == 0 || handle.index > world->dim[DIM_tractions].used)
        return NULL;
    struct traction *t = &world_tractions(world)[handle.index - 1];
    return t->alive && t->generation == handle.generation ? t : NULL;
}

bool piola_traction_alive(const piola_world *world, piola_traction traction)
{
    return world_check(world) == PIOLA_OK && find(world, traction) != NULL;
}

/* Names what is refused; `faces` becomes how many there are. */
static piola_status check(const piola_world *world, const piola_traction_desc *d, uint32_t *faces,
                          piola_error *error)
{
    const struct body *body = body_find(world, d->body);
    if (!body)
        return refuse(error, PIOLA_ERROR_STALE, "piola_traction_desc.body");
    uint32_t triangles = 0;
    (void)piola_asset_surface(body_asset(world, body), &triangles);
    *faces = d->triangles ? d->triangle_count : triangles;
    for (uint32_t i = 0; d->triangles && i < d->triangle_count; ++i)
        if (d->triangles[i] >= triangles)
            return refuse_item(error, PIOLA_ERROR_RANGE, "piola_traction_desc.triangles", i);
    if (*faces == 0)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_traction_desc.triangle_count");
    const struct range_row rows[] = {
        {d->traction, 3, -MOST, MOST, "piola_traction_desc.traction"},
        {&d->pressure, 1, -MOST, MOST, "piola_traction_desc.pressure"},
    };
    return ranges_refuse(rows, sizeof rows / sizeof *rows, error);
}

/* m^2, of a triangle of the rest shape. */
static float area_of(const struct pk_quad *rest, const uint32_t particle[3])
{
    const struct pk_quad *a = &rest[particle[0]], *b = &rest[particle[1]], *c = &rest[particle[2]];
    const double u[3] = {(double)b->x - (double)a->x, (double)b->y - (double)a->y,
                         (double)b->z - (double)a->z};
    const double v[3] = {(double)c->x - (double)a->x, (double)c->y - (double)a->y,
                         (double)c->z - (double)a->z};
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    return (float)(0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
}

static void add_faces(piola_world *world, const struct body *body, uint32_t slot,
                      const struct traction *t, const uint32_t *triangles)
{
    const piola_asset *asset = body_asset(world, body);
    const uint32_t *surface = piola_asset_surface(asset, NULL);
    const uint32_t *particle_of = asset_particle_of_vertex(asset);
    for (uint32_t i = 0; i < t->count; ++i) {
        const uint32_t *corner = surface + 3 * (size_t)(triangles ? triangles[i] : i);
        struct traction_face *face = &world_traction_faces(world)[t->first + i];
        face->traction = slot + 1;
        for (int c = 0; c < 3; ++c)
            face->particle[c] = particle_of[corner[c]];
        face->area = area_of(asset_rest(asset), face->particle);
    }
    dimension_use(world, DIM_traction_faces, t->first + t->count);
}

/* Puts a traction into the list of its body, which is in the order of slots. */
static void list(piola_world *world, uint32_t slot)
{
    const uint32_t body = world_tractions(world)[slot].body;
    uint32_t *at = &world_traction_first(world)[body];
    while (*at > 0 && *at <= slot)
        at = &world_traction_next(world)[*at - 1];
    world_traction_next(world)[slot] = *at;
    *at = slot + 1;
}

static void record_create(piola_world *world, const piola_traction_desc *desc,
                          piola_traction traction)
{
    piola_traction_desc plain = *desc;
    const uint64_t listed = desc->triangles ? desc->triangle_count : 0;
    const struct record_call call = {.kind = RECORDED_TRACTION_CREATE,
                                     .list_bytes = listed * sizeof *desc->triangles,
                                     .index = traction.index,
                                     .generation = traction.generation};
    plain.triangles = NULL;
    record_call(world, &call, &plain, desc->triangles);
}

piola_status piola_traction_create(piola_world *world, const piola_traction_desc *desc,
                                   piola_traction *handle, piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status asked = world_asked(world, desc ? &desc->cookie_ : NULL, COOKIE_TRACTION,
                                           "piola_traction_desc", handle, "traction", error);
    if (asked != PIOLA_OK)
        return asked;
    uint32_t faces = 0, slot = 0;
    const piola_status status = check(world, desc, &faces, error);
    if (status != PIOLA_OK)
        return status;
    while (slot < world->dim[DIM_tractions].capacity && world_tractions(world)[slot].alive)
        ++slot;
    world->dim[DIM_tractions].dropped += slot == world->dim[DIM_tractions].capacity;
    if (slot == world->dim[DIM_tractions].capacity)
        return refuse(error, PIOLA_ERROR_TRACTIONS_FULL, "piola_world_desc.max_tractions");
    struct extent *room = &world->dim[DIM_traction_faces];
    room->dropped += faces > room->capacity - room->used;
    if (faces > room->capacity - room->used)
        return refuse(error, PIOLA_ERROR_TRACTIONS_FULL, "piola_world_desc.max_traction_triangles");
    struct traction *t = &world_tractions(world)[slot];
    const uint32_t generation = names_give(world, FIELD_traction_names, slot, t->generation);
    struct body *body = &world_bodies(world)[desc->body.index - 1];
    *t = (struct traction){.generation = generation,
                           .alive = 1,
                           .body = desc->body.index - 1,
                           .first = (uint32_t)room->used,
                           .count = faces,
                           .pressure = desc->pressure};
    memcpy(t->value, desc->traction, sizeof t->value);
    add_faces(world, body, slot, t, desc->triangles);
    if (slot >= world->dim[DIM_tractions].used)
        dimension_use(world, DIM_tractions, slot + 1);
    body->flags |= BODY_PRESSED;
    list(world, slot);
    families_disturb(world, body);
    body_wake(world, body);
    *handle = (piola_traction){slot + 1, generation};
    record_create(world, desc, *handle);
    return PIOLA_OK;
}

/* Takes its faces out of their array, and it out of its body's list. */
static void end(piola_world *world, uint32_t slot)
{
    struct traction *t = &world_tractions(world)[slot];
    struct traction_face *faces = world_traction_faces(world);
    const uint64_t used = world->dim[DIM_traction_faces].used;
    const uint32_t first = t->first, count = t->count, generation = t->generation;
    node_wake(world, t->body);
    uint32_t *at = &world_traction_first(world)[t->body];
    while (*at != slot + 1)
        at = &world_traction_next(world)[*at - 1];
    *at = world_traction_next(world)[slot];
    if (world_traction_first(world)[t->body] == 0)
        world_bodies(world)[t->body].flags &= ~(uint32_t)BODY_PRESSED;
    memmove(faces + first, faces + first + count, (used - first - count) * sizeof *faces);
    memset(faces + used - count, 0, count * sizeof *faces);
    dimension_use(world, DIM_traction_faces, used - count);
    *t = (struct traction){.generation = generation};
    for (uint64_t i = 0; i < world->dim[DIM_tractions].used; ++i) {
        struct traction *other = &world_tractions(world)[i];
        other->first -= other->alive && other->first > first ? count : 0;
    }
}

piola_status piola_traction_destroy(piola_world *world, piola_traction handle)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!find(world, handle))
        return PIOLA_ERROR_STALE;
    record_named(world, RECORDED_TRACTION_DESTROY, handle.index, handle.generation);
    end(world, handle.index - 1);
    return PIOLA_OK;
}

void tractions_end_with(piola_world *world, uint32_t body)
{
    while (world_traction_first(world)[body] > 0)
        end(world, world_traction_first(world)[body] - 1);
}

void tractions_recount(piola_world *world)
{
    const uint64_t capacity = world->dim[DIM_tractions].capacity;
    uint64_t used = 0;
    if (capacity == 0)
        return;
    memset(world_traction_first(world), 0, world->desc.max_bodies * sizeof(uint32_t));
    for (uint64_t i = capacity; i-- > 0;) {
        const struct traction *t = &world_tractions(world)[i];
        used = used == 0 && t->generation ? i + 1 : used;
        if (!t->alive)
            continue;
        world_traction_next(world)[i] = world_traction_first(world)[t->body];
        world_traction_first(world)[t->body] = (uint32_t)i + 1;
    }
    dimension_use(world, DIM_tractions, used);
}

bool tractions_apply(piola_world *world, const piola_command *command)
{
    struct traction *t = find(world, command->as.traction_value.traction);
    if (!t)
        return false;
    node_wake(world, t->body);
    if (command->kind == PIOLA_COMMAND_TRACTION_PRESSURE)
        t->pressure = command->as.traction_pressure.pressure;
    else
        memcpy(t->value, command->as.traction_value.value, sizeof t->value);
    families_disturb(world, &world_bodies(world)[t->body]);
    return true;
}

/* ---- stored state ---- */

/* Bodies say that they are pressed when, and only when, they are. */
bool tractions_valid(const struct stored *stored, enum field field)
{
    const uint32_t bodies = stored->world->desc.max_bodies;
    uint32_t *pressed = world_count(stored->world);
    (void)field;
    memset(pressed, 0, bodies * sizeof *pressed);
    for (uint64_t i = 0; i < stored->dim[DIM_tractions].used; ++i) {
        const struct traction t = stored_tractions(stored, i);
        if (!t.alive)
            continue;
        if (t.alive != 1 || t.generation == 0 || t.body >= bodies || t.count == 0 ||
            (uint64_t)t.first + t.count > stored->dim[DIM_traction_faces].used ||
            !is_finite(t.value[0]) || !is_finite(t.value[1]) || !is_finite(t.value[2]) ||
            !is_finite(t.pressure))
            return false;
        pressed[t.body] = 1;
        /* So no two of them share a face, and destroying one moves the others' rightly. */
        for (uint32_t f = 0; f < t.count; ++f)
            if (stored_traction_faces(stored, t.first + f).traction != i + 1)
                return false;
    }
    for (uint32_t b = 0; b < bodies; ++b)
        if (((stored_bodies(stored, b).flags & BODY_PRESSED) != 0) != (pressed[b] != 0))
            return false;
    return true;
}

bool traction_faces_valid(const struct stored *stored, enum field field)
{
    (void)field;
    for (uint64_t i = 0; i < stored->dim[DIM_traction_faces].used; ++i) {
        const struct traction_face face = stored_traction_faces(stored, i);
        if (face.traction == 0 || face.traction > stored->dim[DIM_tractions].used)
            return false;
        const struct traction t = stored_tractions(stored, face.traction - 1);
        if (!t.alive || i < t.first || i - t.first >= t.count || !is_finite(face.area))
            return false;
        const struct body body = stored_bodies(stored, t.body);
        for (int c = 0; c < 3; ++c)
            if (face.particle[c] >= body_asset(stored->world, &body)->stats.vertices)
                return false;
    }
    return true;
}

/* ---- looking ---- */

piola_status piola_traction_inspect(const piola_world *world, piola_traction handle,
                                    piola_traction_info *info)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!info)
        return PIOLA_ERROR_NULL;
    const struct traction *t = find(world, handle);
    if (!t)
        return PIOLA_ERROR_STALE;
    const struct body *body = &world_bodies(world)[t->body];
    *info = (piola_traction_info){
        .body = {t->body + 1, body->generation}, .triangles = t->count, .pressure = t->pressure};
    memcpy(info->traction, t->value, sizeof info->traction);
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct traction_face *face = &world_traction_faces(world)[t->first + i];
        float force[3];
        traction_force(t, face, world_position(world) + body->first, force);
        info->area += (double)face->area;
        for (int k = 0; k < 3; ++k)
            info->force[k] += 3 * (double)force[k];
    }
    return PIOLA_OK;
}

uint32_t piola_asset_surface_region(const piola_asset *asset, const uint8_t *chosen,
                                    uint32_t *triangles, uint32_t capacity)
{
    uint32_t count = 0, found = 0;
    const uint32_t *surface = asset ? piola_asset_surface(asset, &count) : NULL;
    for (uint32_t t = 0; surface && chosen && t < count; ++t) {
        const uint32_t *corner = surface + 3 * (size_t)t;
        if (!chosen[corner[0]] || !chosen[corner[1]] || !chosen[corner[2]])
            continue;
        if (triangles && found < capacity)
            triangles[found] = t;
        ++found;
    }
    return found;
}
