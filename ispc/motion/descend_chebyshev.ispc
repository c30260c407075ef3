// descend_chebyshev.ispc - Chebyshev acceleration between two iterations of vertex descent.
//
// Lives here: one pass over particles. When to use it, with which factor, and what to do when the
// objective rose, is the step's affair.
#include "motion/descend.isph"

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

// plain = x, x = older + omega (x - older) for free particles, older = previous, previous = x.
PK_EXPORT void PK(pk_chebyshev)(uniform struct pk_quad x[], uniform struct pk_quad previous[],
                                uniform struct pk_quad older[], uniform struct pk_quad plain[],
                                uniform pk_u32 count, uniform float omega)
{
    for (uniform pk_u32 i = 0; i < count; i += programCount) {
        struct point p = load_run(x, i);
        const struct point before = load_run(previous, i), o = load_run(older, i);
        const bool free = omega != 1 && p.w > 0;
        store_run(plain, i, p);
        p.x = free ? o.x + omega * (p.x - o.x) : p.x;
        p.y = free ? o.y + omega * (p.y - o.y) : p.y;
        p.z = free ? o.z + omega * (p.z - o.z) : p.z;
        store_run(older, i, before);
        store_run(previous, i, p);
        store_run(x, i, p);
    }
}
