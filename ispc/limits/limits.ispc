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

// A link, as a lane of a pack sees it in this substep.
struct link {
    float least, most; // m
    float compliance;  // m/N
};

// A dashpot of c N s/m beside a spring of 1/a N/m: both together are a spring of 1/a + c/dt whose length is
// longer by c a' / dt of what the link was stretched by when the substep began. Beyond a bound the dashpot
// resists there alone: what hangs slack is not damped.
static inline struct link damped(struct link l, float length0, float c, uniform float dt)
{
    const float rate = c / dt;
    const float compliance = l.compliance / (1 + rate * l.compliance);
    const float over = length0 > l.most ? length0 - l.most : (length0 < l.least ? length0 - l.least : 0.0f);
    const float shift = rate * compliance * over;
    const bool one = l.least == l.most;
    struct link r;
    r.least = l.least + (one || shift < 0 ? shift : 0.0f);
    r.most = l.most + (one || shift > 0 ? shift : 0.0f);
    r.compliance = compliance;
    return r;
}

static inline struct link link_of(const uniform bool damping, const uniform struct pk_limit_job &job,
                                  uniform pk_u32 p, uniform int lane)
{
    const int i = lane + programIndex;
    const uniform struct pk_link_pack &pack = job.links[p];
    struct link l = {pack.least[i], pack.most[i], pack.compliance[i]};
    if (!damping)
        return l;
    const struct vec3 d = edge(load_points(job.start, &pack.index[0][lane]), load_points(job.start, &pack.index[1][lane]));
    return damped(l, sqrt(inner(d, d)), job.damping[PK_LANES * p + i], job.solve->dt);
}

static inline void project_links(const uniform bool damping, const uniform struct pk_limit_job &job)
{
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_link_pack &pack = job.links[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct link l = link_of(damping, job, p, lane);
            const struct point a = load_points(job.x, &pack.index[0][lane]), b = load_points(job.x, &pack.index[1][lane]);
            const struct vec3 d = edge(a, b);
            const float length = sqrt(inner(d, d)), weight = a.w + b.w;
            // No direction, no way; dummies and two pins have no weight.
            const bool moves = weight > 0 && length > 0;
            const float stiff = job.solve->inertia * l.compliance;
            const float inverse = 1 / (moves ? weight + stiff : 1.0f);
            const float now = job.multipliers[PK_LANES * p + i];
            const float next = next_multiplier(now, length, l.least, l.most, stiff, inverse);
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

PK_EXPORT void PK(pk_project_links)(const uniform struct pk_limit_job *uniform given)
{
    const uniform struct pk_limit_job job = *given;
    if (job.damping != NULL)
        project_links(true, job);
    else
        project_links(false, job);
}
