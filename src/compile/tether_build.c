/* tether_build.c - writes the packs of tethers: 16 consecutive particles each, a particle's nearest
 * anchor in its last pack, since what is held last is held exactly and a short tether shows most.
 */
#include "compile/build.h"

/* Single precision must not make a tether shorter than the rest shape. */
#define ROUNDING 1e-6

static uint32_t tethers_of(const struct piola_plan *plan, uint32_t particle)
{
    uint32_t count = 0;
    if (particle < plan->vertices) {
        const size_t at = (size_t)PLAN_TETHERS * plan->vertex_of_particle[particle];
        while (count < PLAN_TETHERS && plan->tether_anchor[at + count] != PLAN_NONE) {
            count++;
        }
    }
    return count;
}

static void write_lane(const struct build *b, uint32_t particle, uint32_t first, uint32_t packs)
{
    const uint32_t lane = particle % PK_LANES, count = tethers_of(b->plan, particle);
    for (uint32_t i = 0; i < packs; i++) {
        struct pk_tether_pack *to = &b->at.tethers[first + i];
        to->anchor[lane] = particle;
        if (i < count) {
            const size_t at =
                (size_t)PLAN_TETHERS * b->plan->vertex_of_particle[particle] + (count - 1 - i);
            to->anchor[lane] = b->plan->particle_of_vertex[b->plan->tether_anchor[at]];
            to->length[lane] = (float)(b->plan->tether_length[at] * (1 + ROUNDING) *
                                       (double)b->mesh->tether_slack);
        }
    }
}

void build_tethers(const struct build *b)
{
    uint32_t next = 0;
    for (uint32_t first = 0; first < b->plan->stats.particles; first += PK_LANES) {
        uint32_t packs = 0;
        for (uint32_t lane = 0; lane < PK_LANES; lane++) {
            const uint32_t here = tethers_of(b->plan, first + lane);
            packs = here > packs ? here : packs;
        }
        for (uint32_t lane = 0; lane < PK_LANES; lane++) {
            write_lane(b, first + lane, next, packs);
        }
        b->at.tether_first[first / PK_LANES] = next;
        next += packs;
    }
    b->at.tether_first[b->plan->stats.particles / PK_LANES] = next;
}
