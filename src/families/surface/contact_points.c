/* contact_points.c - where the last step left things in touch, and with what forces: planes of
 * particles, pairs of surfaces, points of rigid bodies. Between steps only.
 */
#include "base/closest_points.h"
#include "base/float_mode.h"
#include "families/collide/collide_faces.h"
#include "families/rigid/rigid_contact.h"
#include "families/surface/contact_events.h"
#include "families/surface/surface.h"

#include <math.h>
#include <string.h>

struct listing {
    const piola_world *world;
    const struct body *body; /* that is asked about; null: all */
    piola_contact_point *points;
    uint64_t capacity, count;
};

static void put(struct listing *list, const piola_contact_point *point)
{
    if (list->count < list->capacity)
        list->points[list->count] = *point;
    ++list->count;
}

/* Splits a force on the first side into its parts. */
static void set_forces(piola_contact_point *to, const double force[3], const double normal[3])
{
    double along = 0;
    for (int k = 0; k < 3; ++k)
        along += force[k] * normal[k];
    to->normal_force = (float)along;
    for (int k = 0; k < 3; ++k) {
        to->normal[k] = (float)normal[k];
        to->tangent_force[k] = (float)(force[k] - along * normal[k]);
    }
}

static piola_body body_handle(const piola_world *w, uint32_t index)
{
    return (piola_body){index + 1, world_bodies(w)[index].generation};
}

static void set_solid(const piola_world *w, uint32_t slot, piola_contact_point *to)
{
    const uint32_t generation = world_colliders(w)[slot].generation;
    if (rigid_is(w, slot))
        to->rigid = (piola_rigid){slot + 1, generation};
    else
        to->collider = (piola_collider){slot + 1, generation};
}

/* ---- vertices at colliders and rigid bodies ---- */

static void list_plane(struct listing *list, uint32_t index, uint32_t vertex, const float at[3],
                       const struct pk_plane *plane, uint32_t collider)
{
    const piola_world *w = list->world;
    const double force[3] = {(double)plane->force[0], (double)plane->force[1],
                             (double)plane->force[2]};
    const double normal[3] = {(double)plane->normal[0], (double)plane->normal[1],
                              (double)plane->normal[2]};
    double gap = -(double)plane->offset;
    if (force[0] == 0 && force[1] == 0 && force[2] == 0)
        return;
    piola_contact_point to = {.body = body_handle(w, index), .vertex = vertex};
    for (int k = 0; k < 3; ++k) {
        to.point[k] = at[k];
        gap += normal[k] * (double)at[k];
    }
    to.gap = (float)gap;
    set_solid(w, collider, &to);
    set_forces(&to, force, normal);
    put(list, &to);
}

/* Where the last check of positions alone has stopped it. */
static void list_stop(struct listing *list, uint32_t index, uint32_t vertex, const float at[3],
                      const struct collide_note *note)
{
    const float *f = note->stopped;
    const float size = sqrtf(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    struct pk_plane plane = {.force = {f[0], f[1], f[2]}};
    for (int k = 0; k < 3 && size > 0; ++k) {
        plane.normal[k] = f[k] / size;
        plane.offset += plane.normal[k] * at[k];
    }
    list_plane(list, index, vertex, at, &plane, note->stopper - 1);
}

static void list_planes(struct listing *list, uint32_t index, uint32_t vertex, uint32_t particle)
{
    const piola_world *w = list->world;
    float at[3];
    quad_read(&world_position(w)[particle], at);
    for (uint32_t p = 0; p < world_touching(w)[particle]; ++p)
        list_plane(list, index, vertex, at, &world_touches(w)[particle].plane[p],
                   world_notes(w)[particle].collider[p]);
    if (world_notes(w)[particle].stopper > 0 && w->dim[DIM_contact_felt].capacity > 0)
        list_stop(list, index, vertex, at, &world_notes(w)[particle]);
}

static void list_faces(struct listing *list, uint32_t index)
{
    const piola_world *w = list->world;
    for (uint32_t i = 0; i < faces_count(w, index); ++i) {
        const struct face_contact *c = &faces_of(w, index)[i];
        float at[3];
        face_place(w, c, at);
        list_plane(list, index, PIOLA_EVERY_VERTEX, at, &c->plane, c->collider);
    }
}

static void list_vertices(struct listing *list)
{
    const piola_world *w = list->world;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const struct body *body = &world_bodies(w)[b];
        if (!(body->flags & BODY_ALIVE) || (list->body && list->body != body))
            continue;
        const uint32_t vertices = body_asset(w, body)->stats.vertices;
        const uint32_t *particles = asset_particle_of_vertex(body_asset(w, body));
        for (uint32_t v = 0; v < vertices; ++v)
            list_planes(list, b, v, body->first + particles[v]);
        list_faces(list, b);
    }
}

/* ---- pairs of surfaces ---- */

/* The unit normal and the force (N) on the first side; `between` leads from the second side's
 * nearest point to the first's. */
static void force_of_pair(const piola_world *w, uint32_t pack, uint32_t lane,
                          const double between[3], double distance, double normal[3],
                          double force[3])
{
    const struct pk_pair_push *push = &world_pushes(w)[pack];
    const bool acts = world_descends(&w->desc) && pack < world_surface_now(w)->grip_packs &&
                      (world_acting(w)[pack] >> lane & 1) != 0;
    double along = 0;
    for (int k = 0; k < 3; ++k) {
        force[k] = (double)push->hold[k][lane];
        along += force[k] * between[k];
    }
    for (int k = 0; k < 3; ++k)
        normal[k] = acts           ? (double)push->normal[k][lane]
                    : distance > 0 ? (along < 0 ? -1 : 1) * between[k] / distance
                                   : 0;
}

/* Where a side of a pair is nearest to the other. */
static void place_of_side(const piola_world *w, const struct pair *pair, const double weight[4],
                          int first, int end, double place[3])
{
    memset(place, 0, 3 * sizeof *place);
    for (int i = first; i < end; ++i) {
        const struct pk_quad *x = &world_position(w)[pair->particle[i]];
        const double share = weight[i] < 0 ? -weight[i] : weight[i];
        place[0] += share * (double)x->x;
        place[1] += share * (double)x->y;
        place[2] += share * (double)x->z;
    }
}

static void list_pair(struct listing *list, uint32_t pack, uint32_t lane, uint32_t kind)
{
    const piola_world *w = list->world;
    const struct pair pair = surface_pair(w, pack, lane, kind);
    const int side = kind == PAIR_VERTEX_FACE ? 1 : 2;
    const uint32_t one = world_owner(w)[pair.particle[0]], two = world_owner(w)[pair.particle[3]];
    const uint32_t asked = list->body ? (uint32_t)(list->body - world_bodies(w)) : UINT32_MAX;
    if (list->body && asked != one && asked != two)
        return;
    double weight[4], between[3], normal[3], force[3], place[3], gap = 0;
    const double distance = surface_near(&pair, world_position(w), weight, between);
    force_of_pair(w, pack, lane, between, distance, normal, force);
    const bool turned = one != two && (list->body ? asked == two : two < one);
    piola_contact_point to = {.body = body_handle(w, turned ? two : one),
                              .other = body_handle(w, turned ? one : two),
                              .vertex = PIOLA_EVERY_VERTEX};
    if (kind == PAIR_VERTEX_FACE && !turned) {
        const struct body *body = &world_bodies(w)[one];
        to.vertex = asset_vertex_of_particle(body_asset(w, body))[pair.particle[0] - body->first];
    }
    place_of_side(w, &pair, weight, turned ? side : 0, turned ? 4 : side, place);
    for (int k = 0; k < 3; ++k) {
        gap += normal[k] * between[k];
        normal[k] = turned ? -normal[k] : normal[k];
        force[k] = turned ? -force[k] : force[k];
        to.point[k] = (float)place[k];
    }
    to.gap = (float)(gap - (double)w->desc.contact_thickness);
    set_forces(&to, force, normal);
    put(list, &to);
}

static void list_pairs(struct listing *list)
{
    const piola_world *w = list->world;
    for (uint32_t p = 0; p < world_surface_now(w)->pair_pack_end; ++p) {
        for (uint32_t left = world_acted(w)[p]; left != 0; left &= left - 1)
            list_pair(list, p, (uint32_t)__builtin_ctz(left), surface_range(w, p)->kind);
    }
}

/* ---- rigid bodies at colliders ---- */

static void list_rigid(struct listing *list, uint32_t slot)
{
    const piola_world *w = list->world;
    const double dt = (double)w->desc.dt / (double)w->desc.substeps;
    const struct rigid_now *now = &world_rigid_now(w)[slot];
    for (uint32_t i = 0; i < now->points; ++i) {
        const struct rigid_point *point = &now->point[i];
        double force[3], gap = 0;
        piola_contact_point to = {.vertex = PIOLA_EVERY_VERTEX};
        for (int k = 0; k < 3; ++k) {
            force[k] = point->impulse[k] / dt;
            /* What it went beyond the plane that it was given. */
            gap += point->normal[k] * now->velocity[k];
            to.point[k] = (float)(world_rigids(w)[slot].position[k] + point->arm[k]);
        }
        double turned[3];
        cross3(now->velocity + 3, point->arm, turned);
        gap += dot3(point->normal, turned);
        to.gap = (float)((gap - point->least) * dt);
        if (!(dot3(point->impulse, point->normal) > 0))
            continue;
        set_solid(w, point->collider, &to);
        to.rigid = (piola_rigid){slot + 1, world_colliders(w)[slot].generation};
        set_forces(&to, force, point->normal);
        put(list, &to);
    }
}

static void list_contact(struct listing *list, const struct rigid_contact *c)
{
    const piola_world *w = list->world;
    const double dt = (double)w->desc.dt / (double)w->desc.substeps;
    for (uint32_t i = 0; i < c->count && c->two < RIGID_GROUND; ++i) {
        const struct rigid_contact_point *p = &c->point[i];
        const double *one = world_rigid_now(w)[c->one].velocity;
        const double *two = world_rigid_now(w)[c->two].velocity;
        double force[3], slip[3];
        piola_contact_point to = {.vertex = PIOLA_EVERY_VERTEX};
        if (!(p->impulse[0] > 0))
            continue;
        rigid_contact_slip(p, one, two, slip);
        for (int k = 0; k < 3; ++k) {
            force[k] = (p->impulse[0] * p->direction[0][k] + p->impulse[1] * p->direction[1][k] +
                        p->impulse[2] * p->direction[2][k]) /
                       dt;
            to.point[k] = (float)(world_rigids(w)[c->one].position[k] + p->arm[0][k]);
        }
        to.gap = (float)(p->gap + dt * dot3(p->direction[0], slip));
        to.rigid = (piola_rigid){c->one + 1, world_colliders(w)[c->one].generation};
        to.other_rigid = (piola_rigid){c->two + 1, world_colliders(w)[c->two].generation};
        set_forces(&to, force, p->direction[0]);
        put(list, &to);
    }
}

piola_status piola_world_contact_points(const piola_world *world, piola_body handle,
                                        piola_contact_point *points, uint64_t capacity,
                                        uint64_t *count)
{
    IN_PLAIN_MODE;
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (!count || (capacity > 0 && !points))
        return PIOLA_ERROR_NULL;
    struct listing list = {.world = world, .points = points, .capacity = capacity};
    list.body = handle.index > 0 ? body_find(world, handle) : NULL;
    if (handle.index > 0 && !list.body)
        return PIOLA_ERROR_STALE;
    if (world->unchanged && collide_any(world))
        list_vertices(&list);
    if (world->unchanged && surface_any(world) && world_surface_now(world)->readable)
        list_pairs(&list);
    for (uint32_t i = 0; i < rigid_end(world) && world->unchanged && !list.body; ++i)
        if (rigid_is(world, i))
            list_rigid(&list, i);
    for (uint32_t i = 0; world->unchanged && !list.body && i < rigid_contacts_count(world); ++i)
        list_contact(&list, rigid_contact_at(world, i));
    *count = list.count;
    return PIOLA_OK;
}
