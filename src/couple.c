/* couple.c - the moments at which what ties bodies together acts: see couple.h.
 *
 * To add a kind of tie, give it a bit in enum body_ties (world.h) and a call at the moments it
 * needs.
 */
#include "couple.h"

#include "attach.h"
#include "contact.h"
#include "pressure.h"
#include "rigid.h"
#include "touch.h"

#include <string.h>

struct pk_quad *couple_extra(const piola_world *world, const struct body *body)
{
    const uint32_t index = (uint32_t)(body - world_bodies(world));
    return world->dim[DIM_extras].capacity && world_descends(&world->desc) &&
                   world_coupled(world, index)
               ? world_extra(world) + 3 * (size_t)body->first
               : NULL;
}

void couple_clear(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    struct pk_quad *extra = couple_extra(step->world, body);
    for (uint32_t stream = 0; extra && stream < 3; ++stream)
        memset(extra + (size_t)stream * body->count + (first - body->first), 0,
               count * sizeof *extra);
}

/* True when there is any: these begin the substep anew, as Euler's. */
static bool forget_struck(const piola_world *world)
{
    bool any = false;
    for (uint32_t i = 0; i < world->large_count; ++i) {
        struct body *body = &world_bodies(world)[world_large(world)[i]];
        if (body->history && touch_struck(world, body)) {
            body->history = 0;
            any = true;
        }
    }
    return any;
}

void couple_begin(struct step *step, struct jobs *jobs)
{
    const piola_world *world = step->world;
    if (rigid_any(world))
        rigid_begin(step);
    if (touch_any(world)) {
        for (uint32_t i = 0; i < world->large_count; ++i)
            atomic_store_explicit(&world_touched(world)[world_large(world)[i]], 0,
                                  memory_order_relaxed);
        jobs_stage(jobs, STAGE_TOUCH, TOUCH_FIND);
        if (forget_struck(world))
            jobs_stage(jobs, STAGE_TOUCH, TOUCH_AGAIN);
    }
    if (rigid_any(world))
        rigid_remember(step);
    if (contact_any(world)) {
        contact_find(step, jobs);
        contact_remember(step, jobs);
        if (world_descends(&world->desc)) {
            jobs_stage(jobs, STAGE_HOLD_BACK, 0);
            contact_sort(step->world);
            contact_grip_recall(step, jobs);
        }
    }
    pressure_begin(step);
    attach_begin(step);
}

void couple_refresh(struct step *step, struct jobs *jobs, uint32_t iteration)
{
    if (touch_any(step->world))
        jobs_stage(jobs, STAGE_TOUCH, TOUCH_REFRESH);
    if (step->world->coupled_count == 0 || !step->world->dim[DIM_extras].capacity ||
        !world_descends(&step->world->desc))
        return;
    jobs_stage(jobs, STAGE_CLEAR_EXTRA, 0);
    pressure_refresh(step, jobs, iteration); /* first: it fills the streams, others add to them */
    attach_refresh(step, iteration);
    if (contact_any(step->world))
        contact_refresh(step, jobs);
}

static void project(struct step *step, struct jobs *jobs)
{
    if (world_descends(&step->world->desc))
        return;
    attach_project(step);
    if (contact_any(step->world))
        contact_project(step, jobs);
    if (touch_any(step->world))
        jobs_stage(jobs, STAGE_TOUCH, TOUCH_PROJECT);
}

void couple_project(struct step *step, struct jobs *jobs, uint32_t iteration)
{
    pressure_project(step, jobs);
    project(step, jobs);
    if (rigid_any(step->world))
        rigid_iterate(step, iteration);
}

void couple_end(struct step *step, struct jobs *jobs)
{
    attach_close(step);
    pressure_end(step, jobs);
    if (rigid_any(step->world))
        rigid_straighten(step);
    if (touch_any(step->world))
        jobs_stage(jobs, STAGE_TOUCH, TOUCH_LIMIT);
    if (rigid_any(step->world))
        rigid_straighten_again(step);
    if (contact_any(step->world)) {
        contact_break(step, jobs);
        contact_limit(step, jobs);
    }
    if (contact_any(step->world) && world_descends(&step->world->desc))
        contact_grip_keep(step, jobs);
    if (contact_any(step->world))
        contact_catch_up(step, jobs);
    attach_expect(step);
}
