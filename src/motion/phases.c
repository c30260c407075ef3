/* phases.c - the phases of a substep that know no elements: prediction, velocities, freezing.
 *
 * What the elements do lives in solve.c and measure.c. Every function here works on one body's
 * memory only, so different bodies, and different chunks of one, may be done by different workers.
 */
#include "motion/phases.h"

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

const struct pk_quad *phase_loads(const struct step *step, const struct body *body)
{
    if (wind_blows(step->world, body) || (body->flags & BODY_PRESSED))
        return world_load_now(step->world);
    return body->flags & BODY_LOADED ? world_load(step->world) : NULL;
}

/* What the kernels of integration are given: particles first .. first+count-1 of the world. */
static struct pk_motion_job motion_job(const struct step *step, const struct body *body,
                                       uint32_t first, uint32_t count,
                                       const struct pk_motion *motion)
{
    const piola_world *w = step->world;
    const struct pk_quad *loads = phase_loads(step, body);
    return (struct pk_motion_job){
        .x = world_position(w) + first,
        .v = world_velocity(w) + first,
        .older_x = world_older_position(w) + first,
        .older_v = world_older_velocity(w) + first,
        .force = loads ? loads + first : NULL,
        .start = world_start(w) + first,
        .target = world_target(w) + first,
        .motion = motion,
        .count = count,
    };
}

void phase_predict(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    const struct pk_motion motion = phase_motion(step, body, false);
    const bool guesses = world_descends(&w->desc) && w->desc.iterations > 0 && body->history;
    struct pk_motion_job job = motion_job(step, body, first, count, &motion);
    if (phase_second_order(step, body)) {
        job.guessed = guesses;
        step->kernels->predict_bdf2(&job);
    } else {
        job.older_v = guesses ? job.older_v : NULL;
        step->kernels->predict_euler(&job);
    }
}

void phase_hold_back(const struct step *step, const struct body *body, uint32_t first,
                     uint32_t count)
{
    const piola_world *w = step->world;
    const struct pk_motion motion = phase_motion(step, body, false);
    const struct pk_motion_job job = motion_job(step, body, first, count, &motion);
    if (world_descends(&w->desc) && w->desc.iterations > 0 && body->history)
        step->kernels->hold_back(&job);
}

void phase_aim(const struct step *step, const struct body *body, uint32_t first, uint32_t count)
{
    const struct pk_motion motion = phase_motion(step, body, false);
    struct pk_motion_job job = motion_job(step, body, first, count, &motion);
    if (!phase_second_order(step, body))
        job.older_x = job.older_v = NULL;
    step->kernels->aim(&job);
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
    struct pk_motion_job job = motion_job(step, body, first, count, &motion);
    if (w->desc.integrator == PIOLA_INTEGRATOR_BDF2) {
        job.first = !body->history;
        return step->kernels->finish_bdf2(&job) != 0;
    }
    job.older_v = w->dim[DIM_memory].capacity ? job.older_v : NULL;
    return step->kernels->finish_euler(&job) != 0;
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
    body->history = world_remembers(&step->world->desc) && !body_struck(step->world, body);
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
