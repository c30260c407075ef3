/* limit.h - hard limits of a body: stretches of triangles, links between two particles, tethers
 * from a particle to pinned ones. Their phases, on a part of one body.
 *
 * Limits are projections, for every solver alike: x moves by inverse mass times gradient times
 * multiplier, as in XPBD. In descent the inertial target moves by the same way: the multiplier is
 * an impulse, and without it the next sweep would pull the particle back to where no limit held it.
 * limit_aim_again puts the targets back, since velocities count from them.
 */
#ifndef PIOLA_LIMIT_H
#define PIOLA_LIMIT_H

#include "phases.h"

/* Limits on elements, tethers, either. */
static inline bool limit_elements(const piola_asset *asset)
{
    return asset->stats.links > 0 || asset->stats.limited_triangles > 0;
}
static inline bool limit_tethers(const piola_asset *asset)
{
    return asset->stats.tethers > 0;
}
static inline bool limit_any(const piola_asset *asset)
{
    return limit_elements(asset) || limit_tethers(asset);
}

/* Once a substep, before the iterations. */
void limit_prepare(const struct step *step, const struct body *body);
/* After the elements or vertices of an iteration: one element cluster, or all of a body's.
 * Tethers are not among them. */
void limit_cluster(const struct step *step, const struct body *body, uint32_t cluster);
void limit_whole(const struct step *step, const struct body *body);
/* Last in an iteration, so that it holds at the end: particles first .. first+count-1 of the world.
 */
void limit_tether(const struct step *step, const struct body *body, uint32_t first, uint32_t count);
/* After the iterations: targets of particles first .. first+count-1 of the world as they were
 * predicted. */
void limit_aim_again(const struct step *step, const struct body *body, uint32_t first,
                     uint32_t count);

#endif
