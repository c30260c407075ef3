/* surface_balance.h - bodies that press each other are balanced together: what they are to that.
 *
 * Motions and forces are six numbers, about a common origin (base/spatial6.h).
 */
#ifndef PIOLA_SURFACE_BALANCE_H
#define PIOLA_SURFACE_BALANCE_H

#include "world/islands.h"

struct step; /* motion/stage.h */

/* A body, which may move as a whole; of an island's leader also the island. */
struct balance_body {
    uint32_t joins;             /* 1: it takes part */
    uint32_t works;             /* 1: and presses on others that all do */
    uint32_t moves;             /* 1: and a motion was found for it */
    uint32_t held;              /* island: 1: somebody in it takes no part */
    uint32_t island, first_tie; /* whose leader; of ties with bodies of higher numbers */
    double reach;               /* m, about how far its parts are from its centre */
    double centre[3];           /* m, of mass */
    double gradient[6];         /* N, N m, of the objective */
    double matrix[6][6];        /* N/m, N, N m: how that changes */
    double mass[6][6], momentum[6], free[6]; /* kg; N s, N m s: as it goes now, and in flight */
    double factor[6][6];                     /* of the matrix: spatial_factor */
    double u[6], gone[6];                    /* m, rad: the motion, and what it has gone in all */
    double r[6], z[6], p[6], q[6];           /* of surface_balance_solve.c */
    double first, slope;    /* N m, island: slope along the motion, where it began, and now */
    double kinetic, flight; /* J, island: of these momenta */
    double along, curve;    /* J, island: how a motion changes the first of them */
    double at, next;        /* island: share of the motion that it has gone, and shall go */
};

/* All pairs between two bodies, the lower number first. */
struct balance_tie {
    uint32_t a, b, next;
    double sums[SUMS]; /* force on the first, moment, stiffness: momentum_give */
    double stiffness[6][6];
};
#define NO_TIE UINT32_MAX

/* surface_balance_sums.c: who presses on whom, and through others. */
struct islands balance_islands(const piola_world *world);

/* After the iterations, of descent: in so many steps of Newton at most, for each of which pairs are
 * pushed twice. */
#define BALANCE_ROUNDS 4u
#define BALANCE_PUSHES (2 * BALANCE_ROUNDS)
void surface_balance(const struct step *step);

/* surface_balance_sums.c: gradient and matrix of all as they are; false when nobody takes part. And
 * what planes press with after it: what they are from now on. */
bool balance_gather(const struct step *step);
void balance_tell_planes(const struct step *step, uint32_t body);
/* surface_balance_solve.c: the motion u that is balanced. */
void balance_solve(const struct step *step);

#endif
