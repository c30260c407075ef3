/* rod_momentum.c - the part of a body's momenta that segments have, which turn about themselves
 * beside its points: to turn a line about itself its points bring nothing, its segments do.
 */
#include "families/rods/rod_turn.h"
#include "families/rods/rods.h"

double rods_segment_momentum(const struct rods *r, uint32_t segment, double moment[3])
{
    const float *inertia = r->segment[segment].inertia;
    double m[3][3], q[4], spin[3], own[3], energy = 0;
    turn_of(&r->turn[segment], q);
    quad_load(&r->spin[segment], spin);
    turn_matrix(q, m);
    back3((const double(*)[3])m, spin, own);
    for (unsigned k = 0; k < 3; k++) {
        energy += (double)inertia[k] * own[k] * own[k] / 2;
        own[k] *= (double)inertia[k];
    }
    times3((const double(*)[3])m, own, moment);
    return energy;
}

/* As if a segment were particles about its middle: their second moments are half the trace of its
 * inertia less that. */
void rods_turns(const struct step *step, uint32_t index, struct sums *sum)
{
    const struct body *body = step_body(step, index);
    if (!body_is_rods(step->world, body))
        return;
    const struct rods r = rods_of(step, body);
    for (uint32_t i = 0; i < r.segments; i++) {
        const float *inertia = r.segment[i].inertia;
        const double half = ((double)inertia[0] + (double)inertia[1] + (double)inertia[2]) / 2;
        double m[3][3], q[4], moment[3];
        rods_segment_momentum(&r, i, moment);
        turn_of(&r.turn[i], q);
        turn_matrix(q, m);
        for (unsigned k = 0; k < 3; k++) {
            sum->value[7 + k] += moment[k];
            for (unsigned at = 0; at < 6; at++)
                sum->value[10 + at] += (half - (double)inertia[k]) * m[symmetric3_row[at]][k] *
                                       m[symmetric3_column[at]][k];
        }
    }
}

void rods_turn_along(const struct step *step, uint32_t index, const float turn[3])
{
    const struct body *body = step_body(step, index);
    if (!body_is_rods(step->world, body))
        return;
    const struct rods r = rods_of(step, body);
    for (uint32_t i = 0; i < r.segments; i++) {
        r.spin[i].x += turn[0];
        r.spin[i].y += turn[1];
        r.spin[i].z += turn[2];
    }
}
