/* collide_faces_state.c - contacts of faces from step to step: who has how much room for them, and
 * the forces with which the next step begins. See collide_faces.h.
 */
#include "families/collide/collide_faces.h"

#include <string.h>

int face_order(struct face_key one, struct face_key other)
{
    const uint32_t a[4] = {one.triangle / TOUCH_BLOCK, one.collider, one.triangle, one.facet};
    const uint32_t b[4] = {other.triangle / TOUCH_BLOCK, other.collider, other.triangle,
                           other.facet};
    for (int k = 0; k < 4; ++k)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static bool pierces(const struct collider *c)
{
    return (c->flags & (COLLIDER_ALIVE | COLLIDER_SENSOR)) == COLLIDER_ALIVE &&
           shape_pierces(c->shape.kind);
}

static uint64_t faces_in(const piola_world *w, uint32_t body)
{
    const struct body *b = &world_bodies(w)[body];
    return b->flags & BODY_ALIVE ? body_asset(w, b)->stats.surface_triangles : 0;
}

/* Bodies share the room by how many faces they have; nobody is given more than some a face. */
#define A_FACE 4u
static void share_room(piola_world *w)
{
    const uint64_t room = w->dim[DIM_face_contacts].capacity;
    uint64_t all = 0, first = 0;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        all += faces_in(w, b);
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b) {
        const uint64_t faces = faces_in(w, b), share = all > 0 ? faces * room / all : 0;
        const uint64_t own = share < A_FACE * faces ? share : A_FACE * faces;
        world_face_rooms(w)[b] =
            (struct face_room){.first = (uint32_t)first, .room = (uint32_t)own};
        first += own;
    }
}

void faces_before(piola_world *w)
{
    struct faces_now *now = world_faces_now(w);
    now->acts = now->count = now->dropped = 0;
    atomic_store_explicit(&now->looks, 0, memory_order_relaxed);
    atomic_store_explicit(&now->pushes, 0, memory_order_relaxed);
    for (uint32_t c = 0; w->dim[DIM_face_contacts].capacity > 0 && c < collider_end(w); ++c)
        now->acts |= pierces(&world_colliders(w)[c]);
    if (!now->acts) {
        if (w->dim[DIM_face_rooms].capacity > 0)
            memset(world_face_rooms(w), 0, w->desc.max_bodies * sizeof(struct face_room));
        return;
    }
    share_room(w);
    for (uint64_t i = 0; i < w->dim[DIM_face_presses].used; ++i) {
        const struct face_press *press = &world_face_presses(w)[i];
        struct face_room *room = &world_face_rooms(w)[press->body];
        if (room->held < room->room)
            world_face_holds(w)[room->first + room->held++] = press->hold;
    }
}

static void keep(piola_world *w, uint64_t count)
{
    const uint64_t before = w->dim[DIM_face_presses].used;
    if (before > count)
        memset(world_face_presses(w) + count, 0, (before - count) * sizeof(struct face_press));
    dimension_use(w, DIM_face_presses, count);
}

void faces_after(const struct step *step)
{
    piola_world *w = step->world;
    struct faces_now *now = world_faces_now(w);
    uint64_t count = 0;
    if (w->dim[DIM_face_contacts].capacity == 0)
        return;
    for (uint32_t b = 0; now->acts && b < w->desc.max_bodies; ++b) {
        const struct face_room *room = &world_face_rooms(w)[b];
        now->count += room->count;
        now->dropped += room->dropped;
        for (uint32_t i = 0; i < room->held; ++i)
            world_face_presses(w)[count++] =
                (struct face_press){b, world_face_holds(w)[room->first + i]};
    }
    keep(w, count);
    dimension_use(w, DIM_face_contacts, now->count);
    w->dim[DIM_face_contacts].dropped += now->dropped;
}

void faces_forget(piola_world *w, uint32_t body)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < w->dim[DIM_face_presses].used; ++i) {
        const struct face_press press = world_face_presses(w)[i];
        if (press.body != body)
            world_face_presses(w)[count++] = press;
    }
    keep(w, count);
}

bool face_presses_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_face_presses].used; ++i) {
        const struct face_press press = stored_face_presses(stored, i);
        sane = press.body < stored->dim[DIM_bodies].capacity;
        for (int k = 0; k < 3; ++k)
            sane = sane && press.hold.force[k] - press.hold.force[k] == 0;
    }
    return sane;
}
