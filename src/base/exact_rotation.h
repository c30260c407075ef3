/* exact_rotation.h - exact rotations in double, with the same bits everywhere: no library's sine is
 * asked, for no two libraries round it alike.
 */
#ifndef PIOLA_EXACT_ROTATION_H
#define PIOLA_EXACT_ROTATION_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Sine and cosine of half an angle, which is 0 or more and at most 1e9 rad (beyond, no turn is
 * made): they are as right as the angle's own last digit lets them be. */
static inline void rotation_half(double angle, double *sine, double *cosine)
{
    const double half = angle <= 1e9 ? 0.5 * angle : 0;
    /* Less the quarter turns that are in it; a quarter in two parts, of which the first has so few
     * digits that none of its first million multiples is rounded. */
    const int64_t quarters = (int64_t)(half * 0.63661977236758134308 + 0.5);
    const double n = (double)quarters;
    const double x = (half - n * 1.57079632673412561417) - n * 6.07710050650619224932e-11;
    const double y = x * x; /* at most (pi / 4)^2: series that end below the last digit */
    const double s =
        x +
        x * y *
            (-1.0 / 6 +
             y * (1.0 / 120 + y * (-1.0 / 5040 +
                                   y * (1.0 / 362880 + y * (-1.0 / 39916800 +
                                                            y * (1.0 / 6227020800.0 +
                                                                 y * (-1.0 / 1307674368000.0)))))));
    const double c =
        1 +
        y * (-0.5 + y * (1.0 / 24 +
                         y * (-1.0 / 720 +
                              y * (1.0 / 40320 + y * (-1.0 / 3628800 +
                                                      y * (1.0 / 479001600.0 +
                                                           y * (-1.0 / 87178291200.0 +
                                                                y * (1.0 / 20922789888000.0))))))));
    *sine = quarters % 2 ? c : s;
    *cosine = quarters % 2 ? -s : c;
    if (quarters / 2 % 2) {
        *sine = -*sine;
        *cosine = -*cosine;
    }
}

/* The unit quaternion x, y, z, w of a rotation about the vector by its length (rad). */
static inline void rotation_of(const double vector[3], double out[4])
{
    const double angle =
        sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
    double sine, share = 0.5;
    rotation_half(angle, &sine, &out[3]);
    if (angle > 0)
        share = sine / angle;
    for (int k = 0; k < 3; ++k)
        out[k] = share * vector[k];
}

/* The shortest vector that rotation_of makes this of, or its negative, which is the same turn. */
static inline void rotation_vector(const double q[4], double out[3])
{
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    const double side = q[3] < 0 ? -1 : 1, c = side * q[3];
    /* Half the angle, guessed within a twentieth; each round leaves a sixth of the error's cube. */
    double half = size * (1 + 0.5708 * (1 - c)), sine, cosine;
    for (int round = 0; round < 4; ++round) {
        rotation_half(2 * half, &sine, &cosine);
        half += size * cosine - c * sine;
    }
    for (int k = 0; k < 3; ++k)
        out[k] = size > 0 ? side * (2 * half / size) * q[k] : 0;
}

/* First q, then p. */
static inline void rotation_join(const double p[4], const double q[4], double out[4])
{
    const double made[4] = {p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
                            p[3] * q[1] + p[1] * q[3] + p[2] * q[0] - p[0] * q[2],
                            p[3] * q[2] + p[2] * q[3] + p[0] * q[1] - p[1] * q[0],
                            p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]};
    memcpy(out, made, sizeof made);
}

/* The vector that turns what is at `from` to `to`. */
static inline void rotation_between(const double to[4], const double from[4], double vector[3])
{
    const double back[4] = {-from[0], -from[1], -from[2], from[3]};
    double way[4];
    rotation_join(to, back, way);
    rotation_vector(way, vector);
}

/* Its length, which only rounding changed, is brought back. */
static inline void rotation_unit(double q[4])
{
    const double size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int k = 0; k < 4; ++k)
        q[k] /= size;
}

#endif
