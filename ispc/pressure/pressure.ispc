// pressure.ispc - the volume that a closed mesh of triangles encloses, and what pressure does to its particles.
//
// Lives here: the volume V and its gradient g, as sums over triangles; the quadratic that descent gets for each
// particle; the common correction of the projection solvers. What pressure belongs to a volume: src/families/pressure/pressure.c.
//
// V = sum (a - o).((b - o) x (c - o)) / 6 about any point o, and since the mesh is closed dV/da is a third of the
// area vectors of the triangles around a. V is linear in each one vertex, so the second derivative of -p V joins
// neighbours only: (p/6) [x_k - x_l]x for the edge between triangles ijk and jil. It is covered by a multiple of
// the identity at each vertex, |p|/6 times the lengths |x_k - x_l| of its edges; each triangle counts its part of
// them, from x_k to the middle of the edge.
#include "kernels/kernels_forces.h"
#include "base/quads.isph"

struct corners3 {
    struct point a, b, c;
};

static inline struct corners3 load_triangle(const uniform struct pk_quad x[], const uniform struct pk_triangle_pack &pack,
                                            uniform int lane)
{
    struct corners3 t;
    t.a = load_points(x, &pack.index[0][lane]);
    t.b = load_points(x, &pack.index[1][lane]);
    t.c = load_points(x, &pack.index[2][lane]);
    return t;
}

// Adds to each lane's sums, in double.
PK_EXPORT void PK(pk_pressure_enclose)(const uniform struct pk_pressure_job *uniform given)
{
    const uniform struct pk_pressure_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_triangle_pack &pack = job.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct corners3 t = load_triangle(job.x, pack, lane);
            const struct vec3 areas = cross(edge(t.b, t.a), edge(t.c, t.a));
            const struct vec3 from = vector(t.a.x - job.origin[0], t.a.y - job.origin[1], t.a.z - job.origin[2]);
            const bool real = pack.area[i] > 0;
            job.sum->volume[i] += real ? (double)inner(from, areas) / 6 : 0.0d;
            job.sum->area[i] += real ? 0.5d * (double)sqrt(inner(areas, areas)) : 0.0d;
        }
    }
}

static inline float length(struct vec3 v)
{
    return sqrt(inner(v, v));
}

// From a corner to the middle of the opposite edge.
static inline float median(struct point a, struct point b, struct point c)
{
    return length(0.5f * (edge(a, b) + edge(a, c)));
}

static inline void add_to(uniform struct pk_quad swell[], const uniform pk_u32 index[], struct vec3 g, float cover)
{
    struct point p = load_points(swell, index);
    p.x += g.x;
    p.y += g.y;
    p.z += g.z;
    p.w += cover;
    store_points(swell, index, p);
}

// Adds up g and, in w, six times the cover for one pascal.
PK_EXPORT void PK(pk_pressure_swell)(const uniform struct pk_pressure_job *uniform given)
{
    const uniform struct pk_pressure_job job = *given;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_triangle_pack &pack = job.packs[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct corners3 t = load_triangle(job.x, pack, lane);
            const float real = pack.area[lane + programIndex] > 0 ? 1.0f : 0.0f;
            const struct vec3 g = (real / 6) * cross(edge(t.b, t.a), edge(t.c, t.a));
            const float a = real * median(t.a, t.b, t.c), b = real * median(t.b, t.c, t.a);
            const float c = real * median(t.c, t.a, t.b);
            add_to(job.swell, &pack.index[0][lane], g, b + c);
            add_to(job.swell, &pack.index[1][lane], g, a + c);
            add_to(job.swell, &pack.index[2][lane], g, a + b);
        }
    }
}

static inline struct point load_run(const uniform struct pk_quad stream[], uniform pk_u32 at)
{
    struct point p;
    aos_to_soa4((uniform float *uniform) & stream[at], &p.x, &p.y, &p.z, &p.w);
    return p;
}

static inline void store_run(uniform struct pk_quad stream[], uniform pk_u32 at, float x, float y, float z)
{
    soa_to_aos4(x, y, z, 0.0f, (uniform float *uniform) & stream[at]);
}

// Descent: turns g and cover of `count` particles into their external quadratics. Around x the quadratic is
// -p g.d + d^T H d / 2 with H = cover I + stiffness |g| n n^T, n along g: src/families/pressure/pressure.c says why that is above
// the true energy. Laid down around the target.
PK_EXPORT void PK(pk_pressure_push)(const uniform struct pk_pressure_job *uniform given)
{
    const uniform struct pk_pressure_job job = *given;
    const uniform float pressure = job.pressure, stiffness = job.stiffness;
    for (uniform pk_u32 i = 0; i < job.count; i += programCount) {
        const struct point s = load_run(job.swell, i), p = load_run(job.x, i), y = load_run(job.target, i);
        const struct vec3 g = vector(s.x, s.y, s.z), away = edge(p, y);
        const float size = length(g);
        // The last term keeps the block regular in single precision where nothing else holds the particle.
        const float cover = abs(pressure) / 6 * s.w + 1e-5f * stiffness * size;
        const float k = size > 0 ? stiffness / size : 0.0f;
        const struct sym3 h = symmetric(cover + k * g.x * g.x, cover + k * g.y * g.y, cover + k * g.z * g.z,
                                        k * g.y * g.z, k * g.x * g.z, k * g.x * g.y);
        const struct vec3 at = -pressure * g - mul(h, away);
        store_run(job.swell, i, at.x, at.y, at.z);
        store_run(job.swell, job.stride + i, h.xx, h.yy, h.zz);
        store_run(job.swell, 2 * job.stride + i, h.yz, h.xz, h.xy);
    }
}

// Projections: adds w |g|^2 to each lane's sum.
PK_EXPORT void PK(pk_pressure_yield)(const uniform struct pk_pressure_job *uniform given)
{
    const uniform struct pk_pressure_job job = *given;
    for (uniform pk_u32 base = 0; base < job.count; base += PK_LANES) {
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const struct point s = load_run(job.swell, base + lane), p = load_run(job.x, base + lane);
            const struct vec3 g = vector(s.x, s.y, s.z);
            job.sum->volume[lane + programIndex] += (double)p.w * (double)inner(g, g);
        }
    }
}

// Projections: x += w scale g, and the stream is zero again.
PK_EXPORT void PK(pk_pressure_inflate)(const uniform struct pk_pressure_job *uniform given)
{
    const uniform struct pk_pressure_job job = *given;
    for (uniform pk_u32 i = 0; i < job.count; i += programCount) {
        const struct point s = load_run(job.swell, i);
        struct point p = load_run(job.x, i);
        const float w = p.w * job.scale;
        p.x += w * s.x;
        p.y += w * s.y;
        p.z += w * s.z;
        soa_to_aos4(p.x, p.y, p.z, p.w, (uniform float *uniform) & job.x[i]);
        store_run(job.swell, i, 0.0f, 0.0f, 0.0f);
    }
}
