// stretches.ispc - hard limits on triangles: both principal stretches stay in the material's range.
//
// Lives here: the projection of survey section 7.1 (Wang et al. 2010), as a constraint on each singular value
// of F, so that corners move by inverse mass times gradient: linear and angular momentum stay. Where there is a
// `target`, it moves as the particle does (src/families/limits/limits.h).
#include "kernels/kernels_limits.h"
#include "base/mat2.isph"
#include "base/quads.isph"

// The singular values are not linear in the corners: Newton's method, whose error squares in each pass.
#define PASSES 3
// A stretch that the free corners can hardly change, as a share of what they can change at most.
#define STIFF 0.01f

static inline struct point choose(bool c, struct point p, struct point q)
{
    struct point r = {c ? p.x : q.x, c ? p.y : q.y, c ? p.z : q.z, q.w};
    return r;
}

struct triangle {
    struct point a, b, c;
};

// What a corner adds to F in the material's directions: rows of Dm^-1, and minus their sum.
struct rows {
    struct vec2 a, b, c;
};

static inline struct rows load_rows(const uniform struct pk_triangle_pack &pack, uniform int lane)
{
    const int i = lane + programIndex;
    struct rows g;
    g.a = vector(pack.dm_inverse[0][i], pack.dm_inverse[1][i]);
    g.b = vector(pack.dm_inverse[2][i], pack.dm_inverse[3][i]);
    g.c = vector(-(g.a.x + g.b.x), -(g.a.y + g.b.y));
    return g;
}

static inline struct sym2 weighted(float w, struct vec2 g)
{
    return symmetric(w * (g.x * g.x), w * (g.y * g.y), w * (g.x * g.y));
}

static inline struct mat32 deformation(struct triangle t, struct rows g)
{
    const struct vec3 d = edge(t.a, t.c), e = edge(t.b, t.c);
    return columns(g.a.x * d + g.b.x * e, g.a.y * d + g.b.y * e);
}

static inline float kept(float s, uniform float least, uniform float most)
{
    return s < least ? least : (s > most ? most : s);
}

// gap / a, but less where a is so small that the step would leave the triangle's size.
static inline float step_of(float gap, float a, float whole)
{
    const float stiff = STIFF * whole;
    const float square = a * a + stiff * stiff;
    const bool moves = square > 0;
    return moves ? gap * (a / (moves ? square : 1.0f)) : 0.0f;
}

static inline void shift(struct point &p, struct vec2 g, struct svd32 q, float first, float second)
{
    const float k = p.w * first * (g.x * q.v.x + g.y * q.v.y), l = p.w * second * (g.y * q.v.x - g.x * q.v.y);
    p.x += k * q.u.a.x + l * q.u.b.x;
    p.y += k * q.u.a.y + l * q.u.b.y;
    p.z += k * q.u.a.z + l * q.u.b.z;
}

// One pass; true in lanes that are moved.
static inline bool limit(struct triangle &t, struct rows g, struct sym2 mobility, uniform float least,
                         uniform float most)
{
    const struct svd32 q = decompose(deformation(t, g));
    const float first = kept(q.s.x, least, most) - q.s.x, second = kept(q.s.y, least, most) - q.s.y;
    const bool out = first != 0 || second != 0;
    if (none(out))
        return out;
    const struct vec2 across = vector(-q.v.y, q.v.x);
    const float whole = trace(mobility);
    const float k = step_of(first, inner(q.v, mul(mobility, q.v)), whole);
    const float l = step_of(second, inner(across, mul(mobility, across)), whole);
    struct triangle s = t;
    shift(s.a, g.a, q, k, l);
    shift(s.b, g.b, q, k, l);
    shift(s.c, g.c, q, k, l);
    t.a = choose(out, s.a, t.a);
    t.b = choose(out, s.b, t.b);
    t.c = choose(out, s.c, t.c);
    return out;
}

static inline void follow(uniform struct pk_quad target[], const uniform pk_u32 index[], struct point now,
                          struct point before)
{
    struct point y = load_points(target, index);
    y.x += now.x - before.x;
    y.y += now.y - before.y;
    y.z += now.z - before.z;
    store_points(target, index, y);
}

PK_EXPORT void PK(pk_limits_stretches)(const uniform struct pk_limit_job *uniform given)
{
    const uniform struct pk_limit_job job = *given;
    const uniform float least = job.material->stretch_min;
    const uniform float most = job.material->stretch_max > 0 ? job.material->stretch_max : 1e30f;
    for (uniform pk_u32 p = 0; p < job.count; p++) {
        const uniform struct pk_triangle_pack &pack = job.triangles[p];
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            struct triangle before;
            before.a = load_points(job.x, &pack.index[0][lane]);
            before.b = load_points(job.x, &pack.index[1][lane]);
            before.c = load_points(job.x, &pack.index[2][lane]);
            struct triangle t = before;
            const struct rows g = load_rows(pack, lane);
            const struct sym2 mobility = weighted(t.a.w, g.a) + weighted(t.b.w, g.b) + weighted(t.c.w, g.c);
            bool moved = false, again = true;
            // A lane within its range is not moved by another pass: leaving it out changes nothing.
            for (uniform int pass = 0; pass < PASSES && any(again); pass++) {
                again = limit(t, g, mobility, least, most);
                moved |= again;
            }
            if (none(moved))
                continue;
            store_points(job.x, &pack.index[0][lane], t.a);
            store_points(job.x, &pack.index[1][lane], t.b);
            store_points(job.x, &pack.index[2][lane], t.c);
            if (job.target != NULL) {
                follow(job.target, &pack.index[0][lane], t.a, before.a);
                follow(job.target, &pack.index[1][lane], t.b, before.b);
                follow(job.target, &pack.index[2][lane], t.c, before.c);
            }
        }
    }
}
