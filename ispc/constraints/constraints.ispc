// constraints.ispc - distances, areas and volumes of single vertices stay between two bounds.
//
// Lives here: projections without an energy, used by every solver. Where there is a `target`, it moves as the
// particle does (src/families/constraints/constraints.c).
#include "families/constraints/kernels_constraints.h"
#include "base/math.isph"
#include "base/quads.isph"

// What a constraint measures, and how that changes with each corner.
struct measured {
    float value;
    struct vec3 slope[4];
};

static inline uniform int corners_of(const uniform pk_u32 kind)
{
    return kind < PK_CONSTRAINT_VOLUME ? (uniform int)kind + 2 : 4;
}

static inline void load_corners(const uniform struct pk_quad stream[], const uniform struct pk_constraint_pack &pack,
                                const uniform int lane, struct point p[])
{
    const uniform int corners = corners_of(pack.kind);
    for (uniform int c = 0; c < corners; c++)
        p[c] = load_points(stream, &pack.index[c][lane]);
}

// 1/x, or 0 where there is nothing to divide by: such a slope has no direction.
static inline float over(float x)
{
    return x > 0 ? 1 / (x > 0 ? x : 1.0f) : 0.0f;
}

static inline struct measured distance_of(const struct point p[])
{
    struct measured m;
    const struct vec3 d = edge(p[0], p[1]);
    m.value = sqrt(inner(d, d));
    m.slope[0] = over(m.value) * d;
    m.slope[1] = -1.0f * m.slope[0];
    return m;
}

static inline struct measured area_of(const struct point p[])
{
    struct measured m;
    const struct vec3 b = edge(p[1], p[0]), c = edge(p[2], p[0]);
    const struct vec3 n = cross(b, c);
    const float twice = sqrt(inner(n, n));
    const struct vec3 half = (0.5f * over(twice)) * n;
    m.value = 0.5f * twice;
    m.slope[1] = cross(c, half);
    m.slope[2] = cross(half, b);
    m.slope[0] = -1.0f * (m.slope[1] + m.slope[2]);
    return m;
}

static inline struct measured volume_of(const struct point p[])
{
    struct measured m;
    const struct vec3 a = edge(p[0], p[3]), b = edge(p[1], p[3]), c = edge(p[2], p[3]);
    m.slope[0] = (1.0f / 6) * cross(b, c);
    m.slope[1] = (1.0f / 6) * cross(c, a);
    m.slope[2] = (1.0f / 6) * cross(a, b);
    m.slope[3] = -1.0f * (m.slope[0] + m.slope[1] + m.slope[2]);
    m.value = inner(a, m.slope[0]);
    return m;
}

// F times a material direction. Shares add up to 0, so edges from the third corner will do, which a triangle has too.
static inline struct vec3 fibre(const uniform struct pk_constraint_pack &pack, const uniform int axis, const int i,
                                const struct point p[])
{
    return pack.along[axis][0][i] * edge(p[0], p[2]) + pack.along[axis][1][i] * edge(p[1], p[2]) +
           pack.along[axis][3][i] * edge(p[3], p[2]);
}

static inline struct measured stretch_of(const uniform struct pk_constraint_pack &pack, const int i, const struct point p[])
{
    struct measured m;
    const struct vec3 f = fibre(pack, 0, i, p);
    m.value = sqrt(inner(f, f));
    for (uniform int c = 0; c < 4; c++)
        m.slope[c] = (pack.along[0][c][i] * over(m.value)) * f;
    return m;
}

// 1 + cos - rest; the slope of cos with f is (h - cos f) / |f|, f and h unit vectors.
static inline struct measured shear_of(const uniform struct pk_constraint_pack &pack, const int i, const struct point p[])
{
    struct measured m;
    const struct vec3 f = fibre(pack, 0, i, p), h = fibre(pack, 1, i, p);
    const float rf = over(sqrt(inner(f, f))), rh = over(sqrt(inner(h, h)));
    const struct vec3 fu = rf * f, hu = rh * h;
    const float cosine = inner(fu, hu);
    const struct vec3 by_f = rf * (hu - cosine * fu), by_h = rh * (fu - cosine * hu);
    m.value = 1 + (cosine - pack.rest[i]);
    for (uniform int c = 0; c < 4; c++)
        m.slope[c] = pack.along[0][c][i] * by_f + pack.along[1][c][i] * by_h;
    return m;
}

static inline struct measured measure(const uniform struct pk_constraint_pack &pack, const int i, const struct point p[])
{
    const uniform pk_u32 kind = pack.kind;
    if (kind == PK_CONSTRAINT_STRETCH)
        return stretch_of(pack, i, p);
    if (kind == PK_CONSTRAINT_SHEAR)
        return shear_of(pack, i, p);
    if (kind == PK_CONSTRAINT_DISTANCE)
        return distance_of(p);
    if (kind == PK_CONSTRAINT_AREA)
        return area_of(p);
    return volume_of(p);
}

// How a volume changes when its corners go along their slopes, each by its weight, t times as far:
// `first` t + `second` t^2 + `third` t^3.
struct swelling {
    float first, second, third;
};

static inline struct swelling swelling_of(const struct point p[], const struct measured &m, const float weight[])
{
    const struct vec3 last = weight[3] * m.slope[3];
    const struct vec3 a = edge(p[0], p[3]), b = edge(p[1], p[3]), c = edge(p[2], p[3]);
    const struct vec3 u = weight[0] * m.slope[0] - last, v = weight[1] * m.slope[1] - last;
    const struct vec3 w = weight[2] * m.slope[2] - last;
    const struct vec3 vw = cross(v, w);
    struct swelling s;
    s.first = weight[0] * inner(m.slope[0], m.slope[0]) + weight[1] * inner(m.slope[1], m.slope[1]) +
              weight[2] * inner(m.slope[2], m.slope[2]) + weight[3] * inner(m.slope[3], m.slope[3]);
    s.second = (1.0f / 6) * (inner(a, vw) + inner(u, cross(b, w) + cross(v, c)));
    s.third = (1.0f / 6) * inner(u, vw);
    return s;
}

// Newton's method from the linear guess `t` on first t + second t^2 + third t^3 + soft t = goal: a volume is no
// linear function of how far its corners go, and what overshoots once may turn it inside out.
static inline float swell(const struct swelling &s, float soft, float goal, float t)
{
    for (uniform int i = 0; i < 4; i++) {
        const float off = ((s.third * t + s.second) * t + s.first + soft) * t - goal;
        const float slope = (3 * s.third * t + 2 * s.second) * t + s.first + soft;
        // Where the cubic is nearly flat its tangent leads anywhere.
        const float least = 0.25f * (s.first + soft);
        t -= off * over(slope > least ? slope : least);
    }
    return t;
}

// How far a whole step's share of an iteration goes: 1 - left^part, without losing digits where that is small. From
// a 64th of the exponent by the series, then doubled six times.
static inline float share_of(float left, uniform float part)
{
    const float x = log_positive(left > 1e-7f ? left : 1e-7f) * (part / 64);
    float e = x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5 * (1 + x / 6)))));
    for (uniform int i = 0; i < 6; i++)
        e *= e + 2;
    return left > 0 ? -e : 1.0f;
}

// How far the multiplier of a constraint goes that may have a compliance: XPBD's (Macklin et al. 2016, eq. (18)) of
// the bound that acts. The largest value only pulls, the least one only pushes, between them nothing acts.
static inline float borne(const uniform struct pk_constraint_job &job, const struct measured &m, const struct point p[],
                          const float weight[], float sum, float least, float most, float compliance, float now,
                          const uniform pk_u32 kind)
{
    const float soft = job.inertia * compliance;
    const float inverse = over(sum + soft), held = soft * now;
    const float too_long = m.value - most + held, too_short = m.value - least + held;
    float pull = -too_long * inverse, push = -too_short * inverse;
    if (kind == PK_CONSTRAINT_VOLUME) {
        const struct swelling s = swelling_of(p, m, weight);
        pull = swell(s, soft, -too_long, pull);
        push = swell(s, soft, -too_short, push);
    }
    const float next = now + pull < 0 ? now + pull : (now + push > 0 ? now + push : 0.0f);
    return sum > 0 ? job.relaxation * (next - now) : 0.0f;
}

// One that remembers nothing: a share of what is out of bounds is taken away.
static inline float faded(const uniform struct pk_constraint_job &job, float value, float sum, float least, float most,
                          float left)
{
    const float out = value > most ? value - most : (value < least ? value - least : 0.0f);
    return -job.relaxation * share_of(left, job.part) * out * over(sum);
}

// The square of the longest way of a corner, per change of the multiplier.
static inline float farthest(const struct measured &m, const struct point p[], const uniform int corners)
{
    float most = 0;
    for (uniform int c = 0; c < corners; c++) {
        const float way = p[c].w * p[c].w * inner(m.slope[c], m.slope[c]);
        most = way > most ? way : most;
    }
    return most;
}

// Where slopes all but vanish, what is to be made up would take corners anywhere: of areas and volumes none goes
// farther than about twice the size of what is missing, of shears than half the element.
static inline float within_reach(const uniform struct pk_constraint_pack &pack, const int i, float change, float off,
                                 float square)
{
    const uniform pk_u32 kind = pack.kind;
    if (kind == PK_CONSTRAINT_DISTANCE || kind == PK_CONSTRAINT_STRETCH)
        return change;
    const float way = abs(change) * sqrt(square), size = abs(off);
    float most = kind == PK_CONSTRAINT_AREA ? 2 * sqrt(size) : sqrt(8 * size * over(way));
    if (kind == PK_CONSTRAINT_SHEAR) {
        float along = 0;
        for (uniform int c = 0; c < 8; c++)
            along = max(along, abs(pack.along[c / 4][c % 4][i]));
        most = 0.5f * over(along);
    }
    const float near = way > most ? change * (most * over(way)) : change;
    return way < 1e15f ? near : 0.0f;
}

static inline float load_shares(const uniform float shares[], const uniform pk_u32 index[])
{
    uniform float found[programCount];
    for (uniform int k = 0; k < programCount; k++)
        found[k] = shares[index[k]];
    return found[programIndex];
}

static inline struct point moved(struct point p, float share, struct vec3 way)
{
    p.x += share * way.x;
    p.y += share * way.y;
    p.z += share * way.z;
    return p;
}

static inline void move(uniform struct pk_quad stream[], const uniform pk_u32 index[], float share, struct vec3 way)
{
    store_points(stream, index, moved(load_points(stream, index), share, way));
}

static inline void hold(const uniform struct pk_constraint_job &job, const uniform pk_u32 at, const uniform int lane)
{
    const uniform struct pk_constraint_pack &pack = job.packs[at];
    const uniform int corners = corners_of(pack.kind);
    const int i = lane + programIndex;
    struct point p[4];
    load_corners(job.x, pack, lane, p);
    const struct measured m = measure(pack, i, p);
    float weight[4], sum = 0;
    for (uniform int c = 0; c < corners; c++) {
        // With split masses a particle gives each of its constraints the same part of its mass.
        const float split = job.split != 0 ? load_shares(job.shares, &pack.index[c][lane]) : 1.0f;
        weight[c] = split * p[c].w;
        sum += weight[c] * inner(m.slope[c], m.slope[c]);
    }
    const bool averaged = job.sums != NULL && job.split == 0;
    const float left = pack.left[i], now = job.multipliers[PK_LANES * at + i];
    const float bears = borne(job, m, p, weight, sum, pack.least[i], pack.most[i], pack.compliance[i], now, pack.kind);
    const float fades = faded(job, m.value, sum, pack.least[i], pack.most[i], left);
    const bool forgets = averaged || left > 0;
    const float off = m.value > pack.most[i] ? m.value - pack.most[i] : pack.least[i] - m.value;
    const float change = within_reach(pack, i, forgets ? fades : bears, off, farthest(m, p, corners));
    job.multipliers[PK_LANES * at + i] = forgets ? 0.0f : now + change;
    for (uniform int c = 0; c < corners; c++) {
        const struct vec3 way = (p[c].w * change) * m.slope[c];
        move(job.sums != NULL ? job.sums : job.x, &pack.index[c][lane], 1, way);
        if (job.sums == NULL && job.target != NULL)
            move(job.target, &pack.index[c][lane], 1, way);
    }
}

PK_EXPORT void PK(pk_constraints_hold)(const uniform struct pk_constraint_job *uniform given)
{
    const uniform struct pk_constraint_job job = *given;
    for (uniform pk_u32 at = 0; at < job.count; at++)
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount)
            hold(job, at, lane);
}

// Corrections that were added up go into the positions; the sums are zero again.
PK_EXPORT void PK(pk_constraints_move)(const uniform struct pk_constraint_job *uniform given)
{
    const uniform struct pk_constraint_job job = *given;
    for (uniform pk_u32 i = 0; i < job.count; i++) {
        uniform struct pk_quad &sum = job.sums[i];
        const uniform float part = job.split != 0 ? 1.0f : 1 / job.shares[i];
        job.x[i].x += part * sum.x;
        job.x[i].y += part * sum.y;
        job.x[i].z += part * sum.z;
        if (job.target != NULL) {
            job.target[i].x += part * sum.x;
            job.target[i].y += part * sum.y;
            job.target[i].z += part * sum.z;
        }
        sum.x = 0;
        sum.y = 0;
        sum.z = 0;
    }
}
