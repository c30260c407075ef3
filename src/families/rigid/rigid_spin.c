/* rigid_spin.c - how a rigid body turns when nothing acts on it, and which inertias it may have.
 *
 * With spin s and inertia I along its own axes a, b, c its energy is
 *     |L|^2 / 2 I_b + (1 / I_a - 1 / I_b) L_a^2 / 2 + (1 / I_c - 1 / I_b) L_c^2 / 2,
 * L being its angular momentum, which stays. Each term alone turns it at an even rate: the first
 * about L itself, the others about an own axis. Where I_c is I_b, which is so for balls, capsules,
 * cubes and every long rod, the first two are all there is, and they are done exactly, however fast
 * it spins. The third takes turns with the second in short stretches (Strang's splitting): as these
 * are turns, L stays what it is, and the energy swings about its value instead of growing. An
 * implicit rule that solves for the spin finds no solution here: a rod's spin about its own axis is
 * L divided by almost nothing.
 */
#include "base/exact_rotation.h"
#include "families/rigid/rigid.h"

#define LEAST_ARM 1e-18 /* m^2: inertia over mass */
#define MOST_SLIM 1e8   /* largest inertia over the least */
#define STRETCH   0.0625
#define STRETCHES 256
#define FASTEST   1e9 /* m/s, rad/s: what a collider can tell */

/* No mass has an inertia above the sum of the others; a thousandth for those who round. */
bool rigid_inertia_sound(double mass, const double inertia[3], uint32_t *item)
{
    for (uint32_t k = 0; k < 3; ++k) {
        const double one = inertia[k], a = inertia[(k + 1) % 3], b = inertia[(k + 2) % 3];
        const double low = a < b ? a : b;
        *item = k;
        if (!(one >= LEAST_ARM * mass && one <= 1.001 * (a + b) && one <= MOST_SLIM * low))
            return false;
    }
    return true;
}

void rigid_rotation(const double q[4], double r[9])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double made[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
        2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
        2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memcpy(r, made, sizeof made);
}

void rigid_inertia(const struct rigid *rigid, const double rotation[4], double out[3][3])
{
    double r[9];
    rigid_rotation(rotation, r);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            out[i][j] = 0;
            for (int k = 0; k < 3; ++k)
                out[i][j] += r[3 * i + k] * rigid->inertia[k] * r[3 * j + k];
        }
}

/* Angular momentum along its own axes. */
static void own_of(const double rotation[4], const double momentum[3], double out[3])
{
    double r[9];
    rigid_rotation(rotation, r);
    for (int k = 0; k < 3; ++k)
        out[k] = r[k] * momentum[0] + r[3 + k] * momentum[1] + r[6 + k] * momentum[2];
}

void rigid_spin(const struct rigid *rigid, const double rotation[4], const double momentum[3],
                double spin[3])
{
    double r[9], own[3];
    rigid_rotation(rotation, r);
    own_of(rotation, momentum, own);
    for (int k = 0; k < 3; ++k)
        own[k] /= rigid->inertia[k];
    for (int k = 0; k < 3; ++k)
        spin[k] = dot3(r + 3 * (size_t)k, own);
}

/* Its axes a, b, c, and the factors of the second and the third term. */
struct split {
    int a, c;
    double about, fast, slow;
};

static struct split split_of(const double inertia[3])
{
    double least = 1e300;
    struct split s = {0};
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double apart = fabs(1 / inertia[i] - 1 / inertia[j]);
        if (!(apart < least))
            continue;
        least = apart;
        s = (struct split){k, j, 1 / inertia[i], 1 / inertia[k] - 1 / inertia[i],
                           1 / inertia[j] - 1 / inertia[i]};
    }
    /* So little changes the energy by no more than this share, and would cost many stretches. */
    if (fabs(s.slow) <= 1e-6 * fabs(s.fast))
        s.slow = 0;
    return s;
}

/* Turns it about one of its own axes. */
static void spin_about(int axis, double angle, double own[3], double q[4])
{
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    double by[4] = {0, 0, 0, 0}, sine;
    rotation_half(fabs(angle), &sine, &by[3]);
    by[axis] = angle < 0 ? -sine : sine;
    rotation_join(q, by, q);
    const double s = 2 * by[axis] * by[3], c = 1 - 2 * sine * sine;
    const double x = own[i], y = own[j];
    own[i] = c * x + s * y;
    own[j] = c * y - s * x;
}

void rigid_coast(const struct rigid *r, const double q[4], const double momentum[3], double dt,
                 double out[4])
{
    const struct split s = split_of(r->inertia);
    const double square = dot3(momentum, momentum);
    double own[3], about[3], whole[4], time = dt;
    int count = 1;
    memcpy(out, q, 4 * sizeof *q);
    if (!(square < 1e300))
        return;
    own_of(q, momentum, own);
    if (s.slow != 0) {
        /* As much of L as the axis a ever gets, for the energy stays too. */
        const double most = sqrt(own[s.a] * own[s.a] + fabs(s.slow / s.fast) * square);
        const double turns = dt * (fabs(s.fast) * most + fabs(s.slow) * sqrt(square));
        /* Who turns too far to be followed goes less far along the same way. */
        time = turns > STRETCHES * STRETCH ? dt * (STRETCHES * STRETCH / turns) : dt;
        count = turns < STRETCHES * STRETCH ? 1 + (int)(turns / STRETCH) : STRETCHES;
    }
    const double part = time / count;
    for (int i = 0; i < count; ++i) {
        if (s.slow != 0)
            spin_about(s.c, (i ? 1 : 0.5) * part * s.slow * own[s.c], own, out);
        spin_about(s.a, part * s.fast * own[s.a], own, out);
    }
    if (s.slow != 0)
        spin_about(s.c, 0.5 * part * s.slow * own[s.c], own, out);
    for (int k = 0; k < 3; ++k)
        about[k] = time * s.about * momentum[k];
    rotation_of(about, whole);
    rotation_join(whole, out, out);
    rotation_unit(out);
}

void rigid_bound(struct rigid *r)
{
    double own[3], speed = sqrt(dot3(r->velocity, r->velocity)), energy = 0, least = 1e300;
    own_of(r->rotation, r->momentum, own);
    for (int k = 0; k < 3; ++k) {
        energy += own[k] * own[k] / r->inertia[k];
        least = r->inertia[k] < least ? r->inertia[k] : least;
    }
    /* However it tumbles with this energy, it never spins faster. */
    const double spin = sqrt(energy / least);
    const bool lost = !(speed - speed == 0 && spin - spin == 0);
    for (int k = 0; k < 3; ++k) {
        r->velocity[k] = lost              ? 0
                         : speed > FASTEST ? r->velocity[k] * (FASTEST / speed)
                                           : r->velocity[k];
        r->momentum[k] = lost             ? 0
                         : spin > FASTEST ? r->momentum[k] * (FASTEST / spin)
                                          : r->momentum[k];
    }
}
