/* phases.c - the phases of a substep that know no elements: prediction, velocities, freezing.
 *
 * What the elements do lives in solve.c and measure.c. Every function here works on one body's
 * memory only, so different bodies, and different chunks of one, may be done by different workers.
 */
#include "phases.h"

#include "limit.h"
#include "touch.h"

#include <string.h>

struct pk_motion phase_motion(const struct step *step, const struct body *body, bool last)
{
    const struct clock *clock = world_clock(step->world);
    struct pk_motion motion = {
        .dt = step->dt,
        .inverse_dt = 1 / step->dt,
        /* Implicit, so that no damping, however strong, turns a velocity round. */
        .keep = 1 / (1 + step->dt * body->damping),
        .pin_keep = last ? 0 : 1,
    };
    for (int k = 0; k < 3; ++k)
        motion.acceleration[k] = body->gravity_scale * clock->gravity[k] + body->acceleration[k];
    return motion;
}

void phase_predict(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    const struct pk_motion motion = phase_motion(step, body, false);
    const bool guesses = world_descends(&w->desc) && w->desc.iterations > 0 && body->history;
    const struct pk_quad *v = world_velocity(w) + first;
    struct pk_quad *x = world_position(w) + first, *start = world_start(w) + first;
    struct pk_quad *target = world_target(w) + first;
    if (phase_second_order(step, body))
        step->kernels->predict_bdf2(x, v, world_older_position(w) + first,
                                    world_older_velocity(w) + first, start, target, count, guesses,
                                    &motion);
    else
        step->kernels->predict_euler(x, v, guesses ? world_older_velocity(w) + first : NULL, start,
                                     target, count, &motion);
}

void phase_hold_back(const struct step *step, const struct body *body, uint32_t first,
                     uint32_t count)
{
    const piola_world *w = step->world;
    const struct pk_motion motion = phase_motion(step, body, false);
    if (world_descends(&w->desc) && w->desc.iterations > 0 && body->history)
        step->kernels->hold_back(world_position(w) + first, world_start(w) + first,
                                 world_velocity(w) + first, world_older_velocity(w) + first, count,
                                 &motion);
}

bool phase_second_order(const struct step *step, const struct body *body)
{
    return step->world->desc.integrator == PIOLA_INTEGRATOR_BDF2 && body->history;
}

bool phase_finish(const struct step *step, const struct body *body, uint32_t first, uint32_t count,
                  bool last)
{
    const piola_world *w = step->world;
    const struct pk_motion motion = phase_motion(step, body, last);
    limit_aim_again(step, body, first, count);
    if (w->desc.integrator == PIOLA_INTEGRATOR_BDF2)
        return step->kernels->finish_bdf2(world_position(w) + first, world_velocity(w) + first,
                                          world_older_position(w) + first,
                                          world_older_velocity(w) + first, world_start(w) + first,
                                          world_target(w) + first, count, !body->history,
                                          &motion) != 0;
    return step->kernels->finish_euler(world_position(w) + first, world_velocity(w) + first,
                                       w->dim[DIM_memory].capacity ? world_older_velocity(w) + first
                                                                   : NULL,
                                       world_target(w) + first, count, &motion) != 0;
}

void phase_predict_again(const struct step *step, const struct body *body, uint32_t first,
                         uint32_t count)
{
    memcpy(world_position(step->world) + first, world_start(step->world) + first,
           count * sizeof(struct pk_quad));
    phase_predict(step, body, first, count);
}

void phase_age(const struct step *step, struct body *body)
{
    body->history = world_remembers(&step->world->desc) && !touch_struck(step->world, body);
}

static bool broken(const struct pk_plastic *cell)
{
    const float *e = &cell->e[0][0];
    for (int i = 0; i < 6 * PK_LANES; ++i)
        if (!(e[i] - e[i] == 0))
            return true;
    return false;
}

void phase_freeze(const struct step *step, struct body *body)
{
    const piola_world *w = step->world;
    const uint32_t first = body->first;
    memcpy(world_position(w) + first, world_start(w) + first, body->count * sizeof(struct pk_quad));
    memset(world_velocity(w) + first, 0, body->count * sizeof(struct pk_quad));
    if (w->dim[DIM_history].capacity)
        memset(world_older_position(w) + first, 0, body->count * sizeof(struct pk_quad));
    if (w->dim[DIM_memory].capacity)
        memset(world_older_velocity(w) + first, 0, body->count * sizeof(struct pk_quad));
    /* Plastic strain flows only after good substeps and to finite numbers, so it is that of their
     * end; what was broken from outside has no good value left. */
    for (uint32_t i = 0; i < body->plastic_count; ++i) {
        struct pk_plastic *cell = &world_plastic(w)[body->plastic_first + i];
        if (broken(cell))
            memset(cell, 0, sizeof *cell);
    }
    /* Who stands still presses on nothing. */
    if (w->dim[DIM_touches].capacity)
        memset(world_touching(w) + first, 0, body->count * sizeof(uint32_t));
    body->history = 0;
    body->flags |= BODY_FROZEN;
}
