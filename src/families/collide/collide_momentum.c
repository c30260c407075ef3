/* collide_momentum.c - the momentum of a body that colliders push.
 *
 * Unfinished iterations of descent leave a force balance that is not quite one, and the body as a
 * whole would feel it. What it must feel is known: gravity and the colliders' forces. But these
 * were found while its inside was not at rest, and would fall if the body gave way: by the
 * stiffness with which its touching vertices hang on to the rest. So the velocity change u solves
 *     (mass + dt^2 stiffness) u = momentum lacking,
 * over the six rigid motions: the coarse level of a two-level method. Without colliders it is
 * momentum.c's correction; a body that slides gets all of it along the surface. What is lacking
 * only because positions are rounded is always given.
 */
#include "base/spatial6.h"
#include "families/collide/collide.h"

/* By how much a body that turns freely may gain energy in a substep because it contracts. */
#define CONTRACTS 2

static void unpack(const double s[6], double m[3][3])
{
    m[0][0] = s[0];
    m[1][1] = s[1];
    m[2][2] = s[2];
    m[1][2] = m[2][1] = s[3];
    m[0][2] = m[2][0] = s[4];
    m[0][1] = m[1][0] = s[5];
}

/* [v] m */
static void cross_rows(const double v[3], const double m[3][3], double out[3][3])
{
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int c = 0; c < 3; ++c)
            out[k][c] = v[i] * m[j][c] - v[j] * m[i][c];
    }
}

/* The sums about the origin moved to the centre c: with [r - c] = [r] - [c], T = sum [r] S and
 * R = sum -[r] S [r], they become T - [c] S and R - [c] T^T - ([c] T^T)^T - [c] S [c]. */
static void move_stiffness(const double given[SUMS], const double c[3], double s[3][3],
                           double t[3][3], double r[3][3])
{
    double cs[3][3], ct[3][3], transposed[3][3], csc[3][3], swapped[3][3];
    unpack(given + 6, s);
    unpack(given + 21, r);
    for (int i = 0; i < 9; ++i) {
        t[i / 3][i % 3] = given[12 + i];
        transposed[i % 3][i / 3] = given[12 + i];
    }
    cross_rows(c, (const double(*)[3])s, cs);
    cross_rows(c, (const double(*)[3])transposed, ct);
    for (int i = 0; i < 9; ++i)
        swapped[i % 3][i / 3] = cs[i / 3][i % 3];
    cross_rows(c, (const double(*)[3])swapped, csc);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            t[i][j] -= cs[i][j];
            r[i][j] += csc[j][i] - ct[i][j] - ct[j][i];
        }
}

/* Momentum's rigid velocity; false when the body is (nearly) a line. */
static bool velocity_of(const double mass[6][6], const double momentum[6], double velocity[6])
{
    double a[6][6];
    memcpy(a, mass, sizeof a);
    memcpy(velocity, momentum, 6 * sizeof *velocity);
    return spatial_solve(a, velocity);
}

/* One that was crushed to a line must not turn with the momentum that it had when it was wide. */
static void bound_turn(double most, double u[6])
{
    const double turn = sqrt(dot3(u + 3, u + 3));
    for (int i = 3; i < 6 && turn > most; ++i)
        u[i] *= most / turn;
}

/* The share of the change u that leaves the body no more energy than it has, or had without any
 * collider: forces found in iterations far from their end must not drive it. */
static double safe_share(const double mass[6][6], const double now[6],
                         const struct collide_free *alone, const struct collide_partner *partner,
                         const double u[6])
{
    double v[6], other[6], gained[6];
    if (!velocity_of(mass, now, v) || !velocity_of(mass, alone->momentum, other))
        return 0;
    spatial_times(mass, u, gained);
    const double free = spatial_dot(alone->momentum, other), bound = CONTRACTS * alone->energy;
    double more = (free < bound ? free : bound) - spatial_dot(now, v);
    double slope = spatial_dot(now, u), curve = spatial_dot(gained, u);
    if (partner) {
        spatial_times(partner->curve, u, gained);
        more += partner->slack;
        slope += spatial_dot(partner->slope, u);
        curve += spatial_dot(gained, u);
    }
    const double slack = more > 0 ? more : 0;
    /* curve t^2 + 2 slope t <= slack */
    const double root = sqrt(slope * slope + curve * slack);
    const double share = curve > 0 ? (root - slope) / curve : 0;
    return share < 1 ? share : 1;
}

/* From a towards b, at most by `most`. */
static double towards(double a, double b, double most)
{
    return b > a + most ? a + most : b < a - most ? a - most : b;
}

void collide_correct(double mass, const double centre[3], const double second[6],
                     const double now[6], const struct collide_free *alone,
                     const double given[SUMS], const struct collide_partner *partner,
                     struct pk_rigid *rigid, double change[6])
{
    double s[3][3], t[3][3], r[3][3], moments[3][3], m[6][6] = {{0}}, a[6][6], u[6], full[3];
    const double trace = second[0] + second[1] + second[2];
    move_stiffness(given, centre, s, t, r);
    unpack(second, moments);
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double twist = given[3 + i] - (centre[j] * given[k] - centre[k] * given[j]);
        u[i] = alone->momentum[i] + given[i] - now[i];
        u[3 + i] = alone->momentum[3 + i] + twist - now[3 + i];
        for (int c = 0; c < 3; ++c) {
            m[i][c] = i == c ? mass : 0;
            m[3 + i][3 + c] = (i == c ? trace : 0) - moments[i][c];
            a[i][c] = m[i][c] + s[i][c];
            a[3 + i][c] = t[i][c];
            a[c][3 + i] = t[i][c];
            a[3 + i][3 + c] = m[3 + i][3 + c] + r[i][c];
        }
    }
    for (int i = 0; i < 36 && partner; ++i)
        a[i / 6][i % 6] -= partner->less[i / 6][i % 6];
    for (int i = 0; i < 3; ++i)
        full[i] = u[i] / mass;
    memset(change, 0, 6 * sizeof *change);
    if (!spatial_solve(a, u))
        return;
    for (int i = 0; i < 3 && alone->settled; ++i) {
        full[i] = towards(0, u[i], alone->blur);
        u[i] = u[3 + i] = 0;
    }
    for (int i = 0; i < 3; ++i)
        u[i] = towards(u[i], full[i], alone->blur);
    bound_turn(alone->turn, u);
    const double share = safe_share((const double(*)[6])m, now, alone, partner, u);
    for (int k = 0; k < 3; ++k) {
        change[k] = share * u[k];
        change[3 + k] = share * u[3 + k];
        rigid->shift[k] = (float)change[k];
        rigid->turn[k] = (float)change[3 + k];
    }
}
