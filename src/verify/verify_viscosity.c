/* verify_viscosity.c - a stored asset's damping and relaxation: numbers in their ranges, and a
 * history for each element that looks one up.
 */
#include "verify/verify.h"

static bool within(const float *values, uint64_t count, double most)
{
    for (uint64_t i = 0; i < count; i++)
        if (!((double)values[i] >= 0 && (double)values[i] <= most))
            return false;
    return true;
}

static bool counts_right(const struct section_counts *c, uint64_t described)
{
    return (c->fold_damping_lanes == 0 || c->fold_damping_lanes == c->fold_visits * PK_LANES) &&
           (c->link_damping_lanes == 0 || c->link_damping_lanes == c->link_packs * PK_LANES) &&
           (c->relaxing_materials == 0 || c->relaxing_materials == described) &&
           (c->slowed_particles == 0 || c->slowed_particles == c->particles);
}

/* A material's branches are those that its row has. */
static bool branches_right(const struct pk_relaxation *r, uint32_t branches)
{
    for (uint32_t b = 0; b < PK_BRANCHES; b++) {
        const bool real = b < branches;
        if ((r->share[b] > 0) != real || !(r->share[b] >= 0 && (double)r->share[b] <= 1e6) ||
            (real && !((double)r->time[b] >= 0.99e-9 && (double)r->time[b] <= 1.01e9)))
            return false;
    }
    return r->weight >= 0 && (double)r->weight <= 1.001;
}

static bool relaxations_right(const struct open *o)
{
    for (uint32_t i = 0; i < o->described; i++) {
        const uint32_t branches = asset_materials(o->asset)[i].branches;
        if (o->counts.relaxing_materials == 0
                ? branches > 0
                : !branches_right(&asset_relaxations(o->asset)[i], branches))
            return false;
    }
    return true;
}

bool open_check_viscosity(const struct open *o)
{
    return counts_right(&o->counts, o->described) && relaxations_right(o) &&
           within(asset_mass_damping(o->asset), o->counts.slowed_particles, 1.001e6) &&
           within(asset_link_damping(o->asset), o->counts.link_damping_lanes, 1.001e12);
}
