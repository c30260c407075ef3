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

// Where a particle would go if no element held it, beside its mass.
static inline void aim(uniform struct pk_quad target[], uniform uint32 at, struct particle p)
{
    p.w = p.w > 0 ? 1 / p.w : 0;
    store(target, at, p);
}

// How much of the acceleration a particle followed in the last substep, 0 to 1 (Chen et al. 2024). A body at
// rest then starts its iterations where it is, a falling one where it falls to: few iterations settle at the
// same shape as many. Without a past, all of it.
static inline float followed(struct particle u, struct particle u1, const uniform struct pk_motion *uniform motion)
{
    const uniform float *uniform a = motion->acceleration;
    const uniform float square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    const float along = (u.x - u1.x) * a[0] + (u.y - u1.y) * a[1] + (u.z - u1.z) * a[2];
    const float share = square > 0 ? along / (motion->dt * square) : 1;
    return share > 0 ? (share < 1 ? share : 1) : 0;
}

// Moves the first guess back from the target by what is not followed; `reach` is the way that the
// acceleration alone makes in a substep, per acceleration.
static inline struct particle guess(struct particle p, float share, uniform float reach,
                                    const uniform struct pk_motion *uniform motion)
{
    const float back = p.w > 0 ? reach * (1 - share) : 0;
    p.x -= back * motion->acceleration[0];
    p.y -= back * motion->acceleration[1];
    p.z -= back * motion->acceleration[2];
    return p;
}

// Where a particle flies without elements: x0 + h (v0 + h a), pinned ones without a.
static inline struct particle euler_target(struct particle p, struct particle u,
                                           const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    const float free = p.w > 0 ? dt : 0;
    p.x += dt * (u.x + free * motion->acceleration[0]);
    p.y += dt * (u.y + free * motion->acceleration[1]);
    p.z += dt * (u.z + free * motion->acceleration[2]);
    return p;
}

// Neighbours along an asset's curve that pk_hold_back judges together.
#define GROUP 64

// Of 16 lanes, in a fixed tree.
static inline uniform float total(uniform float lane[])
{
    for (uniform int half = PK_LANES / 2; half > 0; half /= 2)
        for (uniform int i = 0; i < half; i++)
            lane[i] += lane[i + half];
    return lane[0];
}

static inline float square(float x, float y, float z)
{
    return x * x + y * y + z * z;
}

// 1 when velocities came true, 0 when they were off by half or more.
static inline uniform float trusted(uniform float off[], uniform float whole[])
{
    const uniform float most = total(whole);
    const uniform float share = most > 1e-30f ? 1 - 4 * total(off) / most : 0;
    return share > 0 ? share : 0;
}

// How well the velocities of some particles were foreseen in the last substep: as what they had been, or that and
// the acceleration, whichever is nearer.
static inline uniform float foreseen(const uniform struct pk_quad x[], const uniform struct pk_quad v[],
                                     const uniform struct pk_quad older_v[], uniform uint32 first, uniform uint32 end,
                                     const uniform struct pk_motion *uniform motion)
{
    const uniform float fwhole[3] = {motion->dt * motion->acceleration[0], motion->dt * motion->acceleration[1],
                                   motion->dt * motion->acceleration[2]};
    uniform float off[2][PK_LANES], whole[2][PK_LANES];
    for (uniform int i = 0; i < PK_LANES; i++)
        off[0][i] = off[1][i] = whole[0][i] = whole[1][i] = 0;
    for (uniform uint32 i = first; i < end; i += programCount) {
        const struct particle p = load(x, i), u = load(v, i), was = load(older_v, i);
        const float fx = was.x + fwhole[0], fy = was.y + fwhole[1], fz = was.z + fwhole[2];
        const int lane = (int)(i % PK_LANES) + programIndex;
        const bool free = p.w > 0;
        whole[0][lane] += free ? square(was.x, was.y, was.z) : 0;
        off[0][lane] += free ? square(u.x - was.x, u.y - was.y, u.z - was.z) : 0;
        whole[1][lane] += free ? square(fx, fy, fz) : 0;
        off[1][lane] += free ? square(u.x - fx, u.y - fy, u.z - fz) : 0;
    }
    const uniform float flew = trusted(off[0], whole[0]), fell = trusted(off[1], whole[1]);
    return fell > flew ? fell : flew;
}

// For bodies among others: takes back from the first guess what of their way particles cannot be trusted to go.
// Who flies, turns or swings begins its iterations where it goes, as ever. Who rests but trembles begins where it
// is: where its trembling would take it, stiff elements and contacts are deformed by far more than few iterations
// undo, and what they leave would be the next substep's trembling, without end.
PK_EXPORT void PK(pk_hold_back)(uniform struct pk_quad x[], const uniform struct pk_quad start[],
                                const uniform struct pk_quad v[], const uniform struct pk_quad older_v[],
                                uniform uint32 count, const uniform struct pk_motion *uniform motion)
{
    for (uniform uint32 first = 0; first < count; first += GROUP) {
        const uniform uint32 end = first + GROUP < count ? first + GROUP : count;
        const uniform float share = foreseen(x, v, older_v, first, end, motion);
        for (uniform uint32 i = first; i < end && share < 1; i += programCount) {
            struct particle p = load(x, i);
            const struct particle from = load(start, i);
            p.x = p.w > 0 ? from.x + share * (p.x - from.x) : p.x;
            p.y = p.w > 0 ? from.y + share * (p.y - from.y) : p.y;
            p.z = p.w > 0 ? from.z + share * (p.z - from.z) : p.z;
            store(x, i, p);
        }
    }
}

// One component of the BDF2 target: x = (4 x0 - x1)/3 + h (8 v0 - 2 v1)/9 + 4/9 h^2 a.
static inline float bdf2(float x0, float x1, float v0, float v1, uniform float h, uniform float a)
{
    return (4 * x0 - x1) / 3 + h * (8 * v0 - 2 * v1 + 4 * h * a) / 9;
}

static inline struct particle bdf2_target(struct particle p, struct particle p1, struct particle u,
                                          struct particle u1, const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    const bool free = p.w > 0;
    p.x = free ? bdf2(p.x, p1.x, u.x, u1.x, dt, motion->acceleration[0]) : p.x + dt * u.x;
    p.y = free ? bdf2(p.y, p1.y, u.y, u1.y, dt, motion->acceleration[1]) : p.y + dt * u.y;
    p.z = free ? bdf2(p.z, p1.z, u.z, u1.z, dt, motion->acceleration[2]) : p.z + dt * u.z;
    return p;
}

// The target alone, from where the substep started; with older_x that of BDF2. The same operations as in the
// predictions, so the same bits.
PK_EXPORT void PK(pk_aim)(const uniform struct pk_quad start[], const uniform struct pk_quad v[],
                          const uniform struct pk_quad older_x[], const uniform struct pk_quad older_v[],
                          uniform struct pk_quad target[], uniform uint32 count,
                          const uniform struct pk_motion *uniform motion)
{
    for (uniform uint32 i = 0; i < count; i += programCount) {
        const struct particle p = load(start, i), u = load(v, i);
        if (older_x == NULL)
            aim(target, i, euler_target(p, u, motion));
        else
            aim(target, i, bdf2_target(p, load(older_x, i), u, load(older_v, i), motion));
    }
}

// Lines 1-2: v += dt w f, x += dt v, with f / m = acceleration. With older_v the positions become the first
// guess of descent, else the target itself.
PK_EXPORT void PK(pk_predict_euler)(uniform struct pk_quad x[], const uniform struct pk_quad v[],
                                    const uniform struct pk_quad older_v[], uniform struct pk_quad start[],
                                    uniform struct pk_quad target[], uniform uint32 count,
                                    const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        struct particle p = load(x, i);
        const struct particle u = load(v, i);
        remember(start, i, p);
        p = euler_target(p, u, motion);
        aim(target, i, p);
        if (older_v != NULL)
            p = guess(p, followed(u, load(older_v, i), motion), dt * dt, motion);
        store(x, i, p);
    }
}

PK_EXPORT void PK(pk_predict_bdf2)(uniform struct pk_quad x[], const uniform struct pk_quad v[],
                                   const uniform struct pk_quad older_x[], const uniform struct pk_quad older_v[],
                                   uniform struct pk_quad start[], uniform struct pk_quad target[],
                                   uniform uint32 count, uniform uint32 guessed,
                                   const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        struct particle p = load(x, i);
        const struct particle u = load(v, i), p1 = load(older_x, i), u1 = load(older_v, i);
        remember(start, i, p);
        p = bdf2_target(p, p1, u, u1, motion);
        aim(target, i, p);
        if (guessed != 0)
            p = guess(p, followed(u, u1, motion), 4 * dt * dt / 9, motion);
        store(x, i, p);
    }
}

// Lines 10 and 12. v = (x - x0) / dt is the predicted velocity plus (x - target) / dt, and is computed so:
// a particle that nothing held keeps its velocity to the last bit, whatever rounding its position met.
// `gain` is 1 / dt times the integrator's factor. A pinned particle keeps the velocity it was given, until
// the step's last substep.
static inline float corrected(bool free, float predicted, float x, float target, uniform float gain, float pinned,
                              const uniform struct pk_motion *uniform motion)
{
    return free ? (predicted + (x - target) * gain) * motion->keep : pinned * motion->pin_keep;
}

// Returns 1 when a position or velocity is not finite. older_v, where wanted, keeps the velocity before.
PK_EXPORT uniform uint32 PK(pk_finish_euler)(const uniform struct pk_quad x[], uniform struct pk_quad v[],
                                             uniform struct pk_quad older_v[],
                                             const uniform struct pk_quad target[], uniform uint32 count,
                                             const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt, gain = motion->inverse_dt;
    bool bad = false;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        const struct particle p = load(x, i), y = load(target, i);
        struct particle u = load(v, i);
        const bool free = p.w > 0;
        if (older_v != NULL)
            store(older_v, i, u);
        u.x = corrected(free, u.x + dt * motion->acceleration[0], p.x, y.x, gain, u.x, motion);
        u.y = corrected(free, u.y + dt * motion->acceleration[1], p.y, y.y, gain, u.y, motion);
        u.z = corrected(free, u.z + dt * motion->acceleration[2], p.z, y.z, gain, u.z, motion);
        u.w = 0;
        store(v, i, u);
        bad = bad || broken(p) || broken(u);
    }
    return any(bad) ? 1 : 0;
}

// One component of the velocity that BDF2 predicts: (4 v0 - v1) / 3 + 2/3 h a.
static inline float bdf2_velocity(float v0, float v1, uniform float h, uniform float a)
{
    return (4 * v0 - v1 + 2 * h * a) / 3;
}

// The same for BDF2, whose gain is 3 / (2 h), and the shift of its history by one substep. `first` in a
// body's first substep, which is Euler's.
PK_EXPORT uniform uint32 PK(pk_finish_bdf2)(const uniform struct pk_quad x[], uniform struct pk_quad v[],
                                            uniform struct pk_quad older_x[], uniform struct pk_quad older_v[],
                                            const uniform struct pk_quad start[],
                                            const uniform struct pk_quad target[], uniform uint32 count,
                                            uniform uint32 first, const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    const uniform float gain = first != 0 ? motion->inverse_dt : 1.5f * motion->inverse_dt;
    bool bad = false;
    for (uniform uint32 i = 0; i < count; i += programCount) {
        const struct particle p = load(x, i), y = load(target, i), u0 = load(v, i);
        const struct particle u1 = load(older_v, i);
        const bool free = p.w > 0;
        struct particle u = u0;
        if (first != 0) {
            u.x += dt * motion->acceleration[0];
            u.y += dt * motion->acceleration[1];
            u.z += dt * motion->acceleration[2];
        } else {
            u.x = bdf2_velocity(u0.x, u1.x, dt, motion->acceleration[0]);
            u.y = bdf2_velocity(u0.y, u1.y, dt, motion->acceleration[1]);
            u.z = bdf2_velocity(u0.z, u1.z, dt, motion->acceleration[2]);
        }
        u.x = corrected(free, u.x, p.x, y.x, gain, u0.x, motion);
        u.y = corrected(free, u.y, p.y, y.y, gain, u0.y, motion);
        u.z = corrected(free, u.z, p.z, y.z, gain, u0.z, motion);
        u.w = 0;
        store(older_x, i, load(start, i));
        store(older_v, i, u0);
        store(v, i, u);
        bad = bad || broken(p) || broken(u);
    }
    return any(bad) ? 1 : 0;
}
