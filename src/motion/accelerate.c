/* accelerate.c - Chebyshev acceleration of vertex descent (Wang 2015), made safe.
 *
 * After each iteration the positions are extrapolated along the last two:
 *     x <- older + omega (x - older),   omega_1 = 1, omega_2 = 2 / (2 - rho^2),
 *     omega_k+1 = 4 / (4 - rho^2 omega_k),
 * rho the expected rate of convergence (piola_world_desc.chebyshev). Descent itself never raises
 * the objective; an extrapolation may. So the objective after it is compared with the last known
 * bound, and when it is above, the plain iterate comes back and omega starts anew. Hence no step
 * raises the objective, whatever rho. The price is one evaluation of the objective per iteration.
 * Left alone are bodies with limits, which an extrapolation would leave, and bodies that are
 * coupled or at a collider, whose forces change between two iterations. Bodies with a coarse level
 * have no need of it: what it speeds up, their corrections solve for at once.
 */
#include "motion/coarse.h"

#include <string.h>

static struct body_measure *state_of(const struct step *step, uint32_t body)
{
    return &world_measures(step->world)[body];
}

bool accelerate_acts(const piola_world *world, const struct body *body)
{
    return world_accelerates(&world->desc) && !coarse_acts(world, body);
}

void accelerate_begin(const struct step *step, uint32_t body, double objective)
{
    struct body_measure *state = state_of(step, body);
    state->bound = objective;
    state->omega = 1;
    state->rejected = 0;
}

void accelerate_remember(const struct step *step, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    memcpy(world_previous(w) + first, world_position(w) + first, count * sizeof(struct pk_quad));
    memcpy(world_older(w) + first, world_position(w) + first, count * sizeof(struct pk_quad));
}

bool accelerate_next(const struct step *step, uint32_t body, uint32_t iteration)
{
    struct body_measure *state = state_of(step, body);
    const float rho2 = step->world->desc.chebyshev * step->world->desc.chebyshev;
    const struct body *at = &world_bodies(step->world)[body];
    const bool alone = !limits_any(body_asset(step->world, at)) &&
                       !world_coupled(step->world, body) && !body_touched(step->world, at);
    if (iteration > 0 && alone)
        state->omega = state->omega == 1 ? 2 / (2 - rho2) : 4 / (4 - rho2 * state->omega);
    return iteration > 0;
}

void accelerate_extrapolate(const struct step *step, uint32_t body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    step->kernels->chebyshev(world_position(w) + first, world_previous(w) + first,
                             world_older(w) + first, world_plain(w) + first, count,
                             state_of(step, body)->omega);
}

void accelerate_judge(const struct step *step, uint32_t body, double objective)
{
    struct body_measure *state = state_of(step, body);
    /* Not "greater": a NaN is rejected too. */
    state->rejected =
        accelerate_acts(step->world, step_body(step, body)) && !(objective <= state->bound);
    if (state->rejected)
        state->omega = 1;
    else
        state->bound = objective;
}

void accelerate_settle(const struct step *step, uint32_t body, uint32_t first, uint32_t count)
{
    const piola_world *w = step->world;
    if (!state_of(step, body)->rejected)
        return;
    memcpy(world_position(w) + first, world_plain(w) + first, count * sizeof(struct pk_quad));
    accelerate_remember(step, first, count);
}
