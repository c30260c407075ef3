/* surface_break.c - before surfaces are limited: bodies whose numbers are lost go nowhere. */
#include "families/surface/surface.h"
#include "motion/stage.h"

/* What phase_finish would find broken, its velocity too; and what a collider has moved. */
static void find_broken(const struct step *step, const struct chunk *chunk)
{
    piola_world *w = step->world;
    const float gain = 4 / step->dt;
    bool sound = true;
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count; ++i) {
        const struct pk_quad *x = &world_position(w)[i], *t = &world_target(w)[i];
        const float sum = fabsf(x->x - t->x) + fabsf(x->y - t->y) + fabsf(x->z - t->z);
        sound = sound && gain * sum < INFINITY;
    }
    if (!sound && !body_still(&world_bodies(w)[chunk->body]))
        atomic_store_explicit(&world_verdicts(w)[chunk->body], 1, memory_order_relaxed);
    bool caught = false;
    for (uint32_t i = chunk->first; i < chunk->first + chunk->count && collide_any(w); ++i)
        caught = caught || world_notes(w)[i].caught;
    if (caught)
        atomic_store_explicit(&world_surface_now(w)->doubts, 1, memory_order_relaxed);
}

void each_surface_break(const struct step *step, uint32_t argument, uint32_t chunk)
{
    (void)argument;
    find_broken(step, &world_chunks(step->world)[chunk]);
}

/* Who is to be put back later leaves no room now. */
void surface_break(const struct step *step)
{
    const piola_world *w = step->world;
    run_stage(step, STAGE_SURFACE_BREAK, 0);
    for (uint32_t i = 0; i < domain_bodies(step); ++i) {
        const uint32_t b = domain_body(step, i);
        const struct body *body = &world_bodies(w)[b];
        if (atomic_load_explicit(&world_verdicts(w)[b], memory_order_relaxed) == 0)
            continue;
        for (uint32_t p = body->first; p < body->first + body->count; ++p) {
            const float mass = world_position(w)[p].w;
            world_position(w)[p] = world_start(w)[p];
            world_position(w)[p].w = mass;
        }
    }
}
