/* rigid_mend.c - the momentum of a body at colliders, and at rigid bodies, which give way. */
#include "families/rigid/rigid.h"
#include "motion/coarse.h"

#include <math.h>

/* Of a position, in single precision, over the iterations. */
#define ROUNDING 2.4e-7

void rigid_mend(const struct step *step, uint32_t index, const struct about_centre *c)
{
    struct body_momentum *expected = &world_momenta(step->world)[index];
    struct collide_partner partner;
    struct collide_free alone = {.energy = expected->energy,
                                 .turn = LARGEST_TURN / (double)step->dt};
    double now[6], change[6];
    for (int k = 0; k < 3; ++k) {
        expected->rigid.centre[k] = (float)c->centre[k];
        now[k] = c->linear[k];
        now[3 + k] = c->angular[k];
        alone.momentum[k] = expected->linear[k];
        alone.momentum[3 + k] = expected->angular[k];
    }
    const double far = fabs(c->centre[0]) + fabs(c->centre[1]) + fabs(c->centre[2]);
    alone.blur = ROUNDING * far / (double)step->dt;
    alone.settled = !rigid_any(step->world) && step->world->desc.iterations > 1 &&
                    !body_faced(step->world, &world_bodies(step->world)[index]) &&
                    coarse_acts(step->world, &world_bodies(step->world)[index]);
    const bool rigid = rigid_any(step->world) && rigid_partner(step, index, c->centre, &partner);
    collide_correct(c->mass, c->centre, c->second, now, &alone, expected->given,
                    rigid ? &partner : NULL, &expected->rigid, change);
    if (rigid)
        rigid_answer(step, c->centre, change);
}
