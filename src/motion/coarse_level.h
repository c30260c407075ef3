/* coarse_level.h - a body's coarse level while it is corrected, for coarse.c and coarse_hold.c. */
#ifndef PIOLA_COARSE_LEVEL_H
#define PIOLA_COARSE_LEVEL_H

#include "motion/coarse.h"

struct level {
    const struct step *step;
    const struct body *body;
    const piola_asset *asset;
    const struct pk_coarse *head;
    const struct pk_coarse_node *nodes;
    struct pk_quad *x, *move; /* move: forces (N), then the way (m) */
    struct pk_solve solve;
    const struct pk_quad *external, *guides;
    double *matrix, *share, *right, *u, *inverse;
    double *resists; /* N/m, what a sheet's nodes resist: coarse_assemble; null in solids */
    struct pk_coarse_turns *turns;
    float *
        pulls; /* N/m, the same of a sheet's particles; without a cage, how stiffly they are held */
};

/* coarse_hold.c: adds a block to the matrix for each particle that something holds. */
void coarse_hold(const struct level *l);
/* What holds a particle: xx yy zz yz xz xy, N/m. False when nothing does. */
bool coarse_held(const struct level *l, uint32_t particle, double k[6]);
/* What planes pressed with in the last sweep is a load: adds it to the gradient. */
void coarse_add_presses(const struct level *l);
/* Notes which planes the solution u meets or leaves. True when that is new. */
bool coarse_find_planes(const struct level *l);
/* N m: the planes' part of the slope, where the body is at this share of its way. */
double coarse_slope_of_presses(const struct level *l, double share);

#endif
