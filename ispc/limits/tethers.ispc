// tethers.ispc - long-range attachments: a particle stays within reach of its pinned anchors.
//
// Lives here: Kim et al. 2012, survey section 5.6, one-sided and without regard to what lies between. Every
// particle is on its own, since pinned anchors do not move.
#include "kernels/kernels_limits.h"
#include "base/quads.isph"

// Holding one tether may overstretch another of the same particle. Each round brings it nearer to where all
// hold; after the last one the nearest anchor's holds exactly.
#define ROUNDS 3

// The anchors of one pack. Most packs of 16 neighbours have one in common: that is read once.
static inline struct point load_anchors(const uniform struct pk_quad x[], const uniform pk_u32 anchor[],
                                        uniform int lane)
{
    const pk_u32 own = anchor[lane + programIndex];
    if (all(own == anchor[lane])) {
        const uniform struct pk_quad &q = x[anchor[lane]];
        struct point p = {q.x, q.y, q.z, q.w};
        return p;
    }
    return load_points(x, &anchor[lane]);
}

// Returns true in lanes that were moved.
static inline bool hold(struct point &p, struct point a, float length)
{
    const struct vec3 d = edge(p, a);
    const float square = inner(d, d);
    const bool far = a.w == 0 && p.w > 0 && square > length * length;
    const float share = far ? length / sqrt(square) : 1.0f;
    p.x = far ? a.x + share * d.x : p.x;
    p.y = far ? a.y + share * d.y : p.y;
    p.z = far ? a.z + share * d.z : p.z;
    return far;
}

static inline struct point load_run(const uniform struct pk_quad stream[], uniform pk_u32 at)
{
    struct point p;
    aos_to_soa4((uniform float *uniform) & stream[at], &p.x, &p.y, &p.z, &p.w);
    return p;
}

static inline void store_run(uniform struct pk_quad stream[], uniform pk_u32 at, struct point p)
{
    soa_to_aos4(p.x, p.y, p.z, p.w, (uniform float *uniform) & stream[at]);
}

// The target moves as the particle did (src/families/limits/limits.h).
static inline void follow(uniform struct pk_quad target[], uniform pk_u32 at, struct point now, struct point before)
{
    struct point y = load_run(target, at);
    y.x += now.x - before.x;
    y.y += now.y - before.y;
    y.z += now.z - before.z;
    store_run(target, at, y);
}

PK_EXPORT void PK(pk_hold_tethers)(const uniform struct pk_limit_job *uniform given)
{
    const uniform struct pk_limit_job job = *given;
    for (uniform pk_u32 g = job.first; g < job.first + job.count; g++) {
        const uniform pk_u32 begin = job.tether_first[g], end = job.tether_first[g + 1];
        const uniform int rounds = end - begin > 1 ? ROUNDS : 1;
        for (uniform int lane = 0; lane < PK_LANES && begin < end; lane += programCount) {
            const uniform pk_u32 at = PK_LANES * g + lane;
            const struct point before = load_run(job.x, at);
            struct point p = before;
            bool moved = false, again = true;
            // A lane that no tether moved in a round would not be moved in the next: skipping it changes nothing.
            for (uniform int round = 0; round < rounds && any(again); round++) {
                again = false;
                for (uniform pk_u32 i = begin; i < end; i++)
                    again |= hold(p, load_anchors(job.x, job.tethers[i].anchor, lane), job.tethers[i].length[lane + programIndex]);
                moved |= again;
            }
            if (none(moved))
                continue;
            store_run(job.x, at, p);
            if (job.target != NULL)
                follow(job.target, at, p, before);
        }
    }
}
