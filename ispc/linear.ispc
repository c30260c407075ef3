// linear.ispc - what is done to every particle on its own: lines 1-2 and 10-12 of the paper's Algorithm 1.
//
// Lives here: prediction and velocity update, for symplectic Euler and for BDF2. No constraint, no element.
//
// A particle of zero inverse mass is pinned: it moves at its velocity (which the commands set so that it
// reaches its target at the step's end) and feels nothing. Streams are quads (x, y, z, w); w of positions
// is the inverse mass and never changes here.
#include "pk.isph"

struct pk_motion {
    float dt;
    float inverse_dt;
    float acceleration[3];
    float keep;
    float pin_keep;
};

// programCount particles of a stream, one component a vector.
struct particle {
    float x, y, z, w;
};

static inline struct particle load(const uniform struct pk_quad stream[], uniform uint32 at)
{
    struct particle p;
    aos_to_soa4((uniform float *uniform) & stream[at], &p.x, &p.y, &p.z, &p.w);
    return p;
}

static inline void store(uniform struct pk_quad stream[], uniform uint32 at, struct particle p)
{
    soa_to_aos4(p.x, p.y, p.z, p.w, (uniform float *uniform) & stream[at]);
}

// True in lanes that hold a NaN or an infinity: the exponent's bits are all set.
static inline bool broken(struct particle p)
{
    const unsigned int top = 0x7f800000;
    return (intbits(p.x) & top) == top || (intbits(p.y) & top) == top || (intbits(p.z) & top) == top;
}

// Remembers where the substep starts. A broken position leaves the last good one standing there, to which
// the body is put back when it is frozen.
static inline void remember(uniform struct pk_quad start[], uniform uint32 at, struct particle p)
{
    const bool bad = broken(p);
    if (any(bad)) {
        const struct particle good = load(start, at);
        p.x = bad ? good.x : p.x;
        p.y = bad ? good.y : p.y;
        p.z = bad ? good.z : p.z;
    }
    store(start, at, p);
}

// Where a free particle would go, as the solvers want it: the inertial target beside the mass.
static inline void aim(uniform struct pk_quad target[], uniform uint32 at, struct particle p)
{
    p.w = p.w > 0 ? 1 / p.w : 0;
    store(target, at, p);
}

// Lines 1-2: v += dt w f, x += dt v, with f / m = acceleration.
PK_EXPORT void PK(pk_predict_euler)(uniform struct pk_quad x[], const uniform struct pk_quad v[],
                                    uniform struct pk_quad start[], uniform struct pk_quad target[],
                                    uniform uint32 count, const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        struct particle p = load(x, i);
        const struct particle u = load(v, i);
        const float free = p.w > 0 ? dt : 0;
        remember(start, i, p);
        p.x += dt * (u.x + free * motion->acceleration[0]);
        p.y += dt * (u.y + free * motion->acceleration[1]);
        p.z += dt * (u.z + free * motion->acceleration[2]);
        store(x, i, p);
        if (target != NULL)
            aim(target, i, p);
    }
}

// One component of the BDF2 target: x = (4 x0 - x1)/3 + h (8 v0 - 2 v1)/9 + 4/9 h^2 a.
static inline float bdf2(float x0, float x1, float v0, float v1, uniform float h, uniform float a)
{
    return (4 * x0 - x1) / 3 + h * (8 * v0 - 2 * v1 + 4 * h * a) / 9;
}

PK_EXPORT void PK(pk_predict_bdf2)(uniform struct pk_quad x[], const uniform struct pk_quad v[],
                                   const uniform struct pk_quad older_x[], const uniform struct pk_quad older_v[],
                                   uniform struct pk_quad start[], uniform struct pk_quad target[],
                                   uniform uint32 count, const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        struct particle p = load(x, i);
        const struct particle u = load(v, i), p1 = load(older_x, i), u1 = load(older_v, i);
        const bool free = p.w > 0;
        remember(start, i, p);
        p.x = free ? bdf2(p.x, p1.x, u.x, u1.x, dt, motion->acceleration[0]) : p.x + dt * u.x;
        p.y = free ? bdf2(p.y, p1.y, u.y, u1.y, dt, motion->acceleration[1]) : p.y + dt * u.y;
        p.z = free ? bdf2(p.z, p1.z, u.z, u1.z, dt, motion->acceleration[2]) : p.z + dt * u.z;
        store(x, i, p);
        if (target != NULL)
            aim(target, i, p);
    }
}

// Line 10 for free particles; a pinned one keeps the velocity it was given, until the step's last substep.
static inline struct particle velocity(struct particle p, struct particle p0, struct particle u,
                                       const uniform struct pk_motion *uniform motion)
{
    const bool free = p.w > 0;
    u.x = free ? (p.x - p0.x) * motion->inverse_dt * motion->keep : u.x * motion->pin_keep;
    u.y = free ? (p.y - p0.y) * motion->inverse_dt * motion->keep : u.y * motion->pin_keep;
    u.z = free ? (p.z - p0.z) * motion->inverse_dt * motion->keep : u.z * motion->pin_keep;
    u.w = 0;
    return u;
}

// Lines 10 and 12: v = (x - x0) / dt, damped. Returns 1 when a position or velocity is not finite.
PK_EXPORT uniform uint32 PK(pk_finish_euler)(const uniform struct pk_quad x[], uniform struct pk_quad v[],
                                             const uniform struct pk_quad start[], uniform uint32 count,
                                             const uniform struct pk_motion *uniform motion)
{
    bool bad = false;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        const struct particle p = load(x, i);
        struct particle u = {0, 0, 0, 0};
        if (any(!(p.w > 0)))
            u = load(v, i);
        u = velocity(p, load(start, i), u, motion);
        store(v, i, u);
        bad = bad || broken(p) || broken(u);
    }
    return any(bad) ? 1 : 0;
}

// The BDF2 velocity (3 x - 4 x0 + x1) / (2 h), or Euler's where there is no history yet, and the shift of
// the history by one substep.
PK_EXPORT uniform uint32 PK(pk_finish_bdf2)(const uniform struct pk_quad x[], uniform struct pk_quad v[],
                                            uniform struct pk_quad older_x[], uniform struct pk_quad older_v[],
                                            const uniform struct pk_quad start[], uniform uint32 count,
                                            uniform uint32 first_order,
                                            const uniform struct pk_motion *uniform motion)
{
    const uniform float half = 0.5f * motion->inverse_dt;
    bool bad = false;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        const struct particle p = load(x, i), p0 = load(start, i), p1 = load(older_x, i);
        const struct particle u0 = load(v, i);
        struct particle u = velocity(p, p0, u0, motion);
        if (first_order == 0) {
            const bool free = p.w > 0;
            u.x = free ? (3 * (p.x - p0.x) - (p0.x - p1.x)) * half * motion->keep : u.x;
            u.y = free ? (3 * (p.y - p0.y) - (p0.y - p1.y)) * half * motion->keep : u.y;
            u.z = free ? (3 * (p.z - p0.z) - (p0.z - p1.z)) * half * motion->keep : u.z;
        }
        store(older_x, i, p0);
        store(older_v, i, u0);
        store(v, i, u);
        bad = bad || broken(p) || broken(u);
    }
    return any(bad) ? 1 : 0;
}
