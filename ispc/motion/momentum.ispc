// momentum.ispc - sums over a body's particles: mass, centre, momentum, inertia; and rigid corrections.
//
// Lives here: what src/motion/momentum.c needs to keep a free body's linear and angular momentum. Every lane adds
// up on its own, in double; momentum_total folds the 16 lanes in one fixed tree, so the sums have the same
// bits on every instruction set.
#include "base/pk.isph"
#include "kernels/kernels_motion.h"

struct vector4 {
    float x, y, z, w;
};

static inline struct vector4 load(const uniform struct pk_quad stream[], uniform uint32 at)
{
    struct vector4 p;
    aos_to_soa4((uniform float *uniform) & stream[at], &p.x, &p.y, &p.z, &p.w);
    return p;
}

static inline void store(uniform struct pk_quad stream[], uniform uint32 at, struct vector4 p)
{
    soa_to_aos4(p.x, p.y, p.z, p.w, (uniform float *uniform) & stream[at]);
}

// Adds the particles' sums of x and u, with q = x. Without a u, it is x - target, and q the target. Masses
// are in target's w.
PK_EXPORT void PK(pk_momentum_add)(const uniform struct pk_quad x[], const uniform struct pk_quad u[],
                                   const uniform struct pk_quad target[], uniform uint32 count,
                                   uniform struct pk_momentum *uniform sum)
{
    for (uniform uint32 base = 0; base < count; base += PK_LANES) {
        for (uniform int lane = 0; lane < PK_LANES; lane += programCount) {
            const int i = lane + programIndex;
            const struct vector4 p = load(x, base + lane), y = load(target, base + lane);
            struct vector4 v = {p.x - y.x, p.y - y.y, p.z - y.z, 0}, q = y;
            if (u != NULL) {
                v = load(u, base + lane);
                q = p;
            }
            const double m = y.w, px = p.x, py = p.y, pz = p.z;
            const double mx = m * px, my = m * py, mz = m * pz;
            const double vx = v.x, vy = v.y, vz = v.z;
            sum->mass[i] += m;
            sum->first[0][i] += mx;
            sum->first[1][i] += my;
            sum->first[2][i] += mz;
            sum->linear[0][i] += m * vx;
            sum->linear[1][i] += m * vy;
            sum->linear[2][i] += m * vz;
            sum->angular[0][i] += my * vz - mz * vy;
            sum->angular[1][i] += mz * vx - mx * vz;
            sum->angular[2][i] += mx * vy - my * vx;
            const double qx = q.x, qy = q.y, qz = q.z;
            sum->second[0][i] += mx * qx;
            sum->second[1][i] += my * qy;
            sum->second[2][i] += mz * qz;
            sum->second[3][i] += 0.5d * (my * qz + mz * qy);
            sum->second[4][i] += 0.5d * (mx * qz + mz * qx);
            sum->second[5][i] += 0.5d * (mx * qy + my * qx);
        }
    }
}

PK_EXPORT void PK(pk_momentum_total)(uniform struct pk_momentum *uniform sum)
{
    for (uniform int half = PK_LANES / 2; half > 0; half /= 2) {
        for (uniform int i = 0; i < half; i++) {
            sum->mass[i] += sum->mass[i + half];
            for (uniform int k = 0; k < 3; k++) {
                sum->first[k][i] += sum->first[k][i + half];
                sum->linear[k][i] += sum->linear[k][i + half];
                sum->angular[k][i] += sum->angular[k][i + half];
            }
            for (uniform int k = 0; k < 6; k++)
                sum->second[k][i] += sum->second[k][i + half];
        }
    }
}

// x = centre + rotation (x - centre) + shift, for free particles.
PK_EXPORT void PK(pk_rigid_move)(uniform struct pk_quad x[], uniform uint32 count,
                                 const uniform struct pk_rigid *uniform r)
{
    for (uniform uint32 i = 0; i < count; i += programCount) {
        struct vector4 p = load(x, i);
        const bool free = p.w > 0;
        const float dx = p.x - r->centre[0], dy = p.y - r->centre[1], dz = p.z - r->centre[2];
        // The rotation's excess over the identity, so that a body that needs none keeps its bits.
        const float ax = r->rotation[0] * dx + r->rotation[1] * dy + r->rotation[2] * dz + r->shift[0];
        const float ay = r->rotation[3] * dx + r->rotation[4] * dy + r->rotation[5] * dz + r->shift[1];
        const float az = r->rotation[6] * dx + r->rotation[7] * dy + r->rotation[8] * dz + r->shift[2];
        p.x = free ? p.x + ax : p.x;
        p.y = free ? p.y + ay : p.y;
        p.z = free ? p.z + az : p.z;
        store(x, i, p);
    }
}

// v += shift + turn cross (x - centre), for free particles.
PK_EXPORT void PK(pk_rigid_push)(const uniform struct pk_quad x[], uniform struct pk_quad v[], uniform uint32 count,
                                 const uniform struct pk_rigid *uniform r)
{
    for (uniform uint32 i = 0; i < count; i += programCount) {
        const struct vector4 p = load(x, i);
        struct vector4 u = load(v, i);
        const bool free = p.w > 0;
        const float dx = p.x - r->centre[0], dy = p.y - r->centre[1], dz = p.z - r->centre[2];
        u.x = free ? u.x + (r->shift[0] + (r->turn[1] * dz - r->turn[2] * dy)) : u.x;
        u.y = free ? u.y + (r->shift[1] + (r->turn[2] * dx - r->turn[0] * dz)) : u.y;
        u.z = free ? u.z + (r->shift[2] + (r->turn[0] * dy - r->turn[1] * dx)) : u.z;
        store(v, i, u);
    }
}
