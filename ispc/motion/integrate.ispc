// integrate.ispc - what is done to every particle on its own: lines 1-2 and 10-12 of the paper's Algorithm 1.
//
// Lives here: prediction and velocity update, for symplectic Euler and for BDF2. No constraint, no element.
//
// Loads (N) on single particles act as gravity does: they shape the target, and the first guess holds as much of them
// as the particle followed. The w of a load is a resistance R (kg/s): the load falls by R for each m/s that the
// substep adds to the velocity, which the objective sees as so much more mass; a particle at rest feels all of its
// load. Where no particle has any, `force` is null.
//
// A particle of zero inverse mass is pinned: it moves at its velocity (which the commands set so that it
// reaches its target at the step's end) and feels nothing. Streams are quads (x, y, z, w); w of positions
// is the inverse mass and never changes here.
#include "base/pk.isph"
#include "kernels/kernels_motion.h"

// The share of dt in which an acceleration becomes velocity.
#define EULER 1.0f
#define BDF2  (2.0f / 3)

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
static inline void aim(uniform struct pk_quad target[], uniform uint32 at, struct particle p, float mass)
{
    p.w = mass;
    store(target, at, p);
}

// What a particle is accelerated by (m/s^2), and in w the mass that it shows in this substep (kg). `reach` times dt
// is the velocity that an acceleration brings.
static inline struct particle drive(const uniform struct pk_quad force[], uniform uint32 at, float w,
                                    uniform float reach, const uniform struct pk_motion *uniform motion)
{
    const uniform float *uniform g = motion->acceleration;
    struct particle a = {g[0], g[1], g[2], w > 0 ? 1 / w : 0};
    if (force != NULL) {
        const struct particle f = load(force, at);
        const float thick = 1 + reach * motion->dt * f.w * w;
        a.x = (a.x + w * f.x) / thick;
        a.y = (a.y + w * f.y) / thick;
        a.z = (a.z + w * f.z) / thick;
        a.w *= thick;
    }
    return a;
}

// How much of the acceleration a particle followed in the last substep, 0 to 1 (Chen et al. 2024). A body at
// rest then starts its iterations where it is, a falling one where it falls to: few iterations settle at the
// same shape as many. Without a past, all of it.
static inline float followed(struct particle u, struct particle u1, struct particle a, uniform float dt)
{
    const float square = a.x * a.x + a.y * a.y + a.z * a.z;
    const float along = (u.x - u1.x) * a.x + (u.y - u1.y) * a.y + (u.z - u1.z) * a.z;
    const float share = square > 0 ? along / (dt * square) : 1;
    return share > 0 ? (share < 1 ? share : 1) : 0;
}

// Moves the first guess back from the target by what is not followed; `reach` is the way that the
// acceleration alone makes in a substep, per acceleration.
static inline struct particle guess(struct particle p, float share, uniform float reach, struct particle a)
{
    const float back = p.w > 0 ? reach * (1 - share) : 0;
    p.x -= back * a.x;
    p.y -= back * a.y;
    p.z -= back * a.z;
    return p;
}

// Where a particle flies without elements: x0 + h (v0 + h a), pinned ones without a.
static inline struct particle euler_target(struct particle p, struct particle u, struct particle a, uniform float dt)
{
    const float free = p.w > 0 ? dt : 0;
    p.x += dt * (u.x + free * a.x);
    p.y += dt * (u.y + free * a.y);
    p.z += dt * (u.z + free * a.z);
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
                                     const uniform struct pk_quad older_v[], const uniform struct pk_quad force[],
                                     uniform uint32 first, uniform uint32 end,
                                     const uniform struct pk_motion *uniform motion)
{
    const uniform float dt = motion->dt;
    uniform float off[2][PK_LANES], whole[2][PK_LANES];
    for (uniform int i = 0; i < PK_LANES; i++)
        off[0][i] = off[1][i] = whole[0][i] = whole[1][i] = 0;
    for (uniform uint32 i = first; i < end; i += programCount) {
        const struct particle p = load(x, i), u = load(v, i), was = load(older_v, i);
        const struct particle a = drive(force, i, p.w, EULER, motion);
        const float fx = was.x + dt * a.x, fy = was.y + dt * a.y, fz = was.z + dt * a.z;
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
PK_EXPORT void PK(pk_hold_back)(const uniform struct pk_motion_job *uniform given)
{
    const uniform struct pk_motion_job job = *given;
    for (uniform uint32 first = 0; first < job.count; first += GROUP) {
        const uniform uint32 end = first + GROUP < job.count ? first + GROUP : job.count;
        const uniform float share = foreseen(job.x, job.v, job.older_v, job.force, first, end, job.motion);
        for (uniform uint32 i = first; i < end && share < 1; i += programCount) {
            struct particle p = load(job.x, i);
            const struct particle from = load(job.start, i);
            p.x = p.w > 0 ? from.x + share * (p.x - from.x) : p.x;
            p.y = p.w > 0 ? from.y + share * (p.y - from.y) : p.y;
            p.z = p.w > 0 ? from.z + share * (p.z - from.z) : p.z;
            store(job.x, i, p);
        }
    }
}

// One component of the BDF2 target: x = (4 x0 - x1)/3 + h (8 v0 - 2 v1)/9 + 4/9 h^2 a.
static inline float bdf2(float x0, float x1, float v0, float v1, uniform float h, float a)
{
    return (4 * x0 - x1) / 3 + h * (8 * v0 - 2 * v1 + 4 * h * a) / 9;
}

static inline struct particle bdf2_target(struct particle p, struct particle p1, struct particle u,
                                          struct particle u1, struct particle a, uniform float dt)
{
    const bool free = p.w > 0;
    p.x = free ? bdf2(p.x, p1.x, u.x, u1.x, dt, a.x) : p.x + dt * u.x;
    p.y = free ? bdf2(p.y, p1.y, u.y, u1.y, dt, a.y) : p.y + dt * u.y;
    p.z = free ? bdf2(p.z, p1.z, u.z, u1.z, dt, a.z) : p.z + dt * u.z;
    return p;
}

// The target alone, from where the substep started; with older_x that of BDF2. The same operations as in the
// predictions, so the same bits.
PK_EXPORT void PK(pk_aim)(const uniform struct pk_motion_job *uniform given)
{
    const uniform struct pk_motion_job job = *given;
    const uniform float dt = job.motion->dt;
    for (uniform uint32 i = 0; i < job.count; i += programCount) {
        const struct particle p = load(job.start, i), u = load(job.v, i);
        const struct particle a = drive(job.force, i, p.w, job.older_x == NULL ? EULER : BDF2, job.motion);
        if (job.older_x == NULL)
            aim(job.target, i, euler_target(p, u, a, dt), a.w);
        else
            aim(job.target, i, bdf2_target(p, load(job.older_x, i), u, load(job.older_v, i), a, dt), a.w);
    }
}

// Lines 1-2: v += dt w f, x += dt v, with f / m = acceleration. With older_v the positions become the first
// guess of descent, else the target itself.
PK_EXPORT void PK(pk_predict_euler)(const uniform struct pk_motion_job *uniform given)
{
    const uniform struct pk_motion_job job = *given;
    const uniform float dt = job.motion->dt;
    for (uniform uint32 i = 0; i < job.count; i += programCount) {
        struct particle p = load(job.x, i);
        const struct particle u = load(job.v, i), a = drive(job.force, i, p.w, EULER, job.motion);
        remember(job.start, i, p);
        p = euler_target(p, u, a, dt);
        aim(job.target, i, p, a.w);
        if (job.older_v != NULL)
            p = guess(p, followed(u, load(job.older_v, i), a, dt), dt * dt, a);
        store(job.x, i, p);
    }
}

PK_EXPORT void PK(pk_predict_bdf2)(const uniform struct pk_motion_job *uniform given)
{
    const uniform struct pk_motion_job job = *given;
    const uniform float dt = job.motion->dt;
    for (uniform uint32 i = 0; i < job.count; i += programCount) {
        struct particle p = load(job.x, i);
        const struct particle u = load(job.v, i), p1 = load(job.older_x, i), u1 = load(job.older_v, i);
        const struct particle a = drive(job.force, i, p.w, BDF2, job.motion);
        remember(job.start, i, p);
        p = bdf2_target(p, p1, u, u1, a, dt);
        aim(job.target, i, p, a.w);
        if (job.guessed != 0)
            p = guess(p, followed(u, u1, a, dt), 4 * dt * dt / 9, a);
        store(job.x, i, p);
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
PK_EXPORT uniform uint32 PK(pk_finish_euler)(const uniform struct pk_motion_job *uniform given)
{
    const uniform struct pk_motion_job job = *given;
    const uniform float dt = job.motion->dt, gain = job.motion->inverse_dt;
    bool bad = false;
    for (uniform uint32 i = 0; i < job.count; i += programCount) {
        const struct particle p = load(job.x, i), y = load(job.target, i);
        struct particle u = load(job.v, i);
        const struct particle a = drive(job.force, i, p.w, EULER, job.motion);
        const bool free = p.w > 0;
        if (job.older_v != NULL)
            store(job.older_v, i, u);
        u.x = corrected(free, u.x + dt * a.x, p.x, y.x, gain, u.x, job.motion);
        u.y = corrected(free, u.y + dt * a.y, p.y, y.y, gain, u.y, job.motion);
        u.z = corrected(free, u.z + dt * a.z, p.z, y.z, gain, u.z, job.motion);
        u.w = 0;
        store(job.v, i, u);
        bad = bad || broken(p) || broken(u);
    }
    return any(bad) ? 1 : 0;
}

// One component of the velocity that BDF2 predicts: (4 v0 - v1) / 3 + 2/3 h a.
static inline float bdf2_velocity(float v0, float v1, uniform float h, float a)
{
    return (4 * v0 - v1 + 2 * h * a) / 3;
}

// The same for BDF2, whose gain is 3 / (2 h), and the shift of its history by one substep. `first` in a
// body's first substep, which is Euler's.
PK_EXPORT uniform uint32 PK(pk_finish_bdf2)(const uniform struct pk_motion_job *uniform given)
{
    const uniform struct pk_motion_job job = *given;
    const uniform float dt = job.motion->dt;
    const uniform float gain = job.first != 0 ? job.motion->inverse_dt : 1.5f * job.motion->inverse_dt;
    bool bad = false;
    for (uniform uint32 i = 0; i < job.count; i += programCount) {
        const struct particle p = load(job.x, i), y = load(job.target, i), u0 = load(job.v, i);
        const struct particle u1 = load(job.older_v, i);
        const struct particle a = drive(job.force, i, p.w, job.first != 0 ? EULER : BDF2, job.motion);
        const bool free = p.w > 0;
        struct particle u = u0;
        if (job.first != 0) {
            u.x += dt * a.x;
            u.y += dt * a.y;
            u.z += dt * a.z;
        } else {
            u.x = bdf2_velocity(u0.x, u1.x, dt, a.x);
            u.y = bdf2_velocity(u0.y, u1.y, dt, a.y);
            u.z = bdf2_velocity(u0.z, u1.z, dt, a.z);
        }
        u.x = corrected(free, u.x, p.x, y.x, gain, u0.x, job.motion);
        u.y = corrected(free, u.y, p.y, y.y, gain, u0.y, job.motion);
        u.z = corrected(free, u.z, p.z, y.z, gain, u0.z, job.motion);
        u.w = 0;
        store(job.older_x, i, load(job.start, i));
        store(job.older_v, i, u0);
        store(job.v, i, u);
        bad = bad || broken(p) || broken(u);
    }
    return any(bad) ? 1 : 0;
}
