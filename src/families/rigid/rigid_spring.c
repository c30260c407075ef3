/* rigid_spring.c - a spring and damper that pulls at a rigid body in a substep: pull - drag V, with
 * V the velocity that is sought, so that they act as the implicit Euler method has them. Above the
 * greatest force both are scaled down, by what they were at the velocity found last.
 */
#include "families/rigid/rigid.h"

static double size_of(const double v[3])
{
    return sqrt(dot3(v, v));
}

/* The share of the spring that acts at this velocity, linear and angular. */
static void shares_of(const struct rigid_now *now, const double velocity[6], double share[2])
{
    const struct rigid_spring *s = &now->spring;
    for (int g = 0; g < 2; ++g) {
        double whole[3];
        for (int k = 0; k < 3; ++k)
            whole[k] = s->pull[3 * g + k] - s->drag[g] * velocity[3 * g + k];
        const double size = size_of(whole);
        share[g] = size > s->most[g] ? s->most[g] / size : 1;
    }
}

void rigid_spring_force(const struct rigid_now *now, double force[6])
{
    const struct rigid_spring *s = &now->spring;
    double share[2];
    memset(force, 0, 6 * sizeof *force);
    if (!now->coupled)
        return;
    /* With what its momentum was mended by: what it touches got that too. */
    shares_of(now, now->velocity, share);
    for (int i = 0; i < 6; ++i)
        force[i] = share[i / 3] * (s->pull[i] - s->drag[i / 3] * now->velocity[i]);
}

void rigid_spring_update(const struct rigid *rigid, struct rigid_now *now, double dt)
{
    static const double at_origin[3] = {0, 0, 0};
    const struct rigid_spring *s = &now->spring;
    double share[2], mass[6][6], v[6];
    shares_of(now, now->velocity, share);
    now->give[0] = now->give[1] = 0;
    rigid_mass(rigid, now, at_origin, mass);
    spatial_times((const double(*)[6])mass, now->aim, v);
    for (int i = 0; i < 6; ++i)
        v[i] += dt * share[i / 3] * s->pull[i];
    for (int g = 0; g < 2; ++g)
        now->give[g] = dt * share[g] * s->drag[g];
    rigid_mass(rigid, now, at_origin, mass);
    if (spatial_solve(mass, v))
        memcpy(now->alone, v, sizeof now->alone);
}

/* From the velocity of the substep before; a few rounds find how much of the spring acts. */
#define ROUNDS 4

void rigid_spring_begin(const struct step *step, uint32_t slot)
{
    const piola_world *w = step->world;
    const struct rigid *r = &world_rigids(w)[slot];
    struct rigid_now *now = &world_rigid_now(w)[slot];
    if (w->dim[DIM_rigid_springs].capacity == 0 || !world_rigid_springs(w)[slot].acts)
        return;
    now->spring = world_rigid_springs(w)[slot];
    now->coupled = 1;
    now->each = now->spring.each;
    memcpy(now->velocity, now->aim, sizeof now->velocity);
    for (int round = 0; round < ROUNDS; ++round) {
        rigid_spring_update(r, now, (double)step->dt);
        memcpy(now->velocity, now->alone, sizeof now->velocity);
    }
}
