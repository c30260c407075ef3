// query.ispc - which surface triangles a query need look at: 16 bounding boxes at a time.
//
// Lives here: tests of boxes that never leave out a triangle that matters, whatever is rounded. The answer itself
// is found in double, among the triangles that are left: src/base/query_triangle.c.
#include "kernels/kernels_query.h"
#include "base/quads.isph"

struct extent {
    struct vec3 low, high;
};

static inline struct extent bounds_of(const uniform struct pk_quad x[], const uniform struct pk_query_pack &pack,
                                      uniform int lane)
{
    const struct point a = load_points(x, &pack.index[0][lane]), b = load_points(x, &pack.index[1][lane]);
    const struct point c = load_points(x, &pack.index[2][lane]);
    struct extent box;
    box.low = vector(smaller(smaller(a.x, b.x), c.x), smaller(smaller(a.y, b.y), c.y), smaller(smaller(a.z, b.z), c.z));
    box.high = vector(larger(larger(a.x, b.x), c.x), larger(larger(a.y, b.y), c.y), larger(larger(a.z, b.z), c.z));
    return box;
}

// Between two ranges, 0 when they overlap.
static inline float gap(float low, float high, uniform float from, uniform float to)
{
    return larger(larger(low - to, from - high), 0.0f);
}

// A sum of three squares is right to some 1e-7 of itself, which is less than C adds to the limit.
PK_EXPORT void PK(pk_query_near)(const uniform struct pk_quad x[], const uniform struct pk_query_pack packs[],
                                 uniform pk_u32 count, const uniform struct pk_query *uniform query,
                                 uniform pk_u32 masks[])
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        uniform pk_u32 mask = 0;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct extent box = bounds_of(x, packs[p], lane);
            const struct vec3 d = vector(gap(box.low.x, box.high.x, query->low[0], query->high[0]),
                                         gap(box.low.y, box.high.y, query->low[1], query->high[1]),
                                         gap(box.low.z, box.high.z, query->low[2], query->high[2]));
            mask |= (uniform pk_u32)packmask(!(inner(d, d) > query->limit)) << lane;
        }
        masks[p] = mask;
    }
}

// Narrows [from, to], in metres along the ray, to where it is between two planes across an axis. The planes are
// moved apart by more than all rounding here comes to, direction and its inverse included.
static inline void between(float low, float high, uniform float origin, uniform float inverse, float &from, float &to)
{
    const float pad = 1e-6f * (abs(origin) + abs(low) + abs(high)) + 1e-25f;
    const float one = ((low - pad) - origin) * inverse, other = ((high + pad) - origin) * inverse;
    from = larger(from, smaller(one, other));
    to = smaller(to, larger(one, other));
}

PK_EXPORT void PK(pk_query_ray)(const uniform struct pk_quad x[], const uniform struct pk_query_pack packs[],
                                uniform pk_u32 count, const uniform struct pk_query *uniform query,
                                uniform pk_u32 masks[])
{
    for (uniform pk_u32 p = 0; p < count; p++) {
        uniform pk_u32 mask = 0;
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct extent box = bounds_of(x, packs[p], lane);
            float from = 0, to = query->limit;
            between(box.low.x, box.high.x, query->low[0], query->inverse[0], from, to);
            between(box.low.y, box.high.y, query->low[1], query->inverse[1], from, to);
            between(box.low.z, box.high.z, query->low[2], query->inverse[2], from, to);
            mask |= (uniform pk_u32)packmask(!(from > to)) << lane;
        }
        masks[p] = mask;
    }
}

PK_EXPORT void PK(pk_query_bounds)(const uniform struct pk_quad x[], uniform pk_u32 count,
                                   uniform struct pk_query_bounds *uniform bounds)
{
    for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
        const int i = lane + programIndex;
        struct vec3 low = vector(x[0].x, x[0].y, x[0].z);
        struct vec3 high = low;
        for (uniform pk_u32 base = lane; base < count; base += PK_LANES) {
            float px, py, pz, pw;
            aos_to_soa4((uniform float *uniform) & x[base], &px, &py, &pz, &pw);
            const bool real = (pk_u32)(base + programIndex) < count;
            low = vector(real && px < low.x ? px : low.x, real && py < low.y ? py : low.y, real && pz < low.z ? pz : low.z);
            high =
                vector(real && px > high.x ? px : high.x, real && py > high.y ? py : high.y, real && pz > high.z ? pz : high.z);
        }
        bounds->low[0][i] = low.x;
        bounds->low[1][i] = low.y;
        bounds->low[2][i] = low.z;
        bounds->high[0][i] = high.x;
        bounds->high[1][i] = high.y;
        bounds->high[2][i] = high.z;
    }
}
