// limits.ispc - hard limits on elements: the distance of two particles stays in its range.
//
// Lives here: projections without an energy, used by every solver. Where there is a `target`, it moves as
// the particle does (src/families/limits/limits.h).
#include "kernels/kernels_limits.h"
#include "base/quads.isph"

static inline struct point moved(struct point p, float share, struct vec3 way)
{
    p.x += share * way.x;
    p.y += share * way.y;
    p.z += share * way.z;
    return p;
}

// The multiplier that XPBD asks for, Macklin et al. 2016, eq. (18), of both bounds: the longest length
// pulls (its multiplier is never positive), the least one pushes, between them none acts. So a limit that
// pulled too much earlier in the substep gives it back, and a range of one length is a distance.
static inline float next_multiplier(float now, float length, float least, float most, float stiff, float inverse)
{
    const float held = stiff * now;
    const float pull = now - (length - most + held) * inverse, push = now - (length - least + held) * inverse;
    return pull < 0 ? pull : (push > 0 ? push : 0.0f);
}

PK_EXPORT void PK(pk_project_links)(const uniform struct pk_limit_job *uniform given)
{
    const uniform struct pk_limit_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_link_pack &pack = job.links[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct point a = load_points(job.x, &pack.index[0][lane]), b = load_points(job.x, &pack.index[1][lane]);
            const struct vec3 d = edge(a, b);
            const float length = sqrt(inner(d, d)), weight = a.w + b.w;
            // No direction, no way; dummies and two pins have no weight.
            const bool moves = weight > 0 && length > 0;
            const float stiff = job.solve->inertia * pack.compliance[i];
            const float inverse = 1 / (moves ? weight + stiff : 1.0f);
            const float now = job.multipliers[PK_LANES * p + i];
            const float next = next_multiplier(now, length, pack.least[i], pack.most[i], stiff, inverse);
            const float change = moves ? job.solve->relaxation * (next - now) : 0.0f;
            job.multipliers[PK_LANES * p + i] = now + change;
            const struct vec3 way = (change / (moves ? length : 1.0f)) * d;
            store_points(job.x, &pack.index[0][lane], moved(a, a.w, way));
            store_points(job.x, &pack.index[1][lane], moved(b, -b.w, way));
            if (job.target != NULL) {
                const struct point c = load_points(job.target, &pack.index[0][lane]);
                store_points(job.target, &pack.index[0][lane], moved(c, a.w, way));
                const struct point e = load_points(job.target, &pack.index[1][lane]);
                store_points(job.target, &pack.index[1][lane], moved(e, -b.w, way));
            }
        }
    }
}
