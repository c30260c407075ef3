/* surface_wait.c - bodies whose search was cut wait: a search costs no more than its budget.
 *
 * What a block of faces has not sought when its tests are used up is not known pair by pair. So
 * bodies of which that is true, and all that may come near them in the substep, by the boxes of
 * their whole ways, stay where they are: what does not move does not cross. Their velocities are
 * then 0, their ways in the next substep short, and so is its search.
 */
#include "families/collide/collide_faces.h"
#include "families/surface/surface.h"
#include "motion/stage.h"
#include "world/pins.h"

static void join(const piola_world *w, uint32_t a, uint32_t b)
{
    const uint32_t p = reach_root(w, a), q = reach_root(w, b), low = p < q ? p : q,
                   high = p < q ? q : p;
    if (low == high)
        return;
    islands_join(reach_islands(w), low, high);
    world_waits(w)[low] |= world_waits(w)[high];
}

static void hold(piola_world *w, uint32_t index)
{
    struct body *body = &world_bodies(w)[index];
    world_waits(w)[index] = 1;
    surface_mark(w, index, PAIRED_AFTER); /* its momentum is not what it would be alone */
    for (uint32_t i = body->first; i < body->first + body->count; ++i)
        world_bound(w)[i] = SURFACE_WAITS;
    if (body->pins > 0)
        pins_wait(body);
    ++world_surface_now(w)->waited;
}

static bool waits(const piola_world *w, uint32_t body)
{
    return world_bound(w)[world_bodies(w)[body].first] == SURFACE_WAITS;
}

void surface_wait_faces(piola_world *w)
{
    const struct face_room *rooms = world_face_rooms(w);
    if (w->dim[DIM_places].capacity == 0 || !faces_any(w))
        return;
    for (uint32_t b = 0; b < w->desc.max_bodies; ++b)
        if ((world_bodies(w)[b].flags & BODY_ALIVE) && rooms[b].cut) {
            world_waits(w)[b] = 1;
            world_surface_now(w)->cut = true;
        }
}

void surface_wait(const struct step *step)
{
    piola_world *w = step->world;
    if (!world_surface_now(w)->cut)
        return;
    for (uint32_t i = 0; i < w->shared_count; ++i)
        world_reach_leaders(w)[world_shared(w)[i]] = world_shared(w)[i];
    run_stage(step, STAGE_SURFACE_REACH, 0);
    reach_each_near(step, w->desc.contact_thickness, join);
    for (uint32_t i = 0; i < w->shared_count; ++i) {
        const uint32_t b = world_shared(w)[i];
        if (world_waits(w)[reach_root(w, b)] && !waits(w, b))
            hold(w, b);
    }
    /* Nor is the island led on as a whole. */
    world_surface_now(w)->dropped_keep = 0;
    world_surface_now(w)->cut = false;
    /* What was looked at before anybody waited is no longer so. */
    world_surface_now(w)->looked = false;
    world_surface_now(w)->waits = true;
}
