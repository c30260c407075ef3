/* energy.h - the energy of bodies: what there is of it, and that none comes from nothing. */
#ifndef PIOLA_ENERGY_H
#define PIOLA_ENERGY_H

#include "motion/stage.h"

/* Of a body in a substep: how its energy is guarded. */
enum energy_state {
    ENERGY_WATCHED = 1, /* its energy is known and must not rise */
    ENERGY_HELD = 2,    /* pins or guides have its momentum: none of its motion must stay */
    ENERGY_TOUCHED = 4, /* colliders may take some of its momentum */
    ENERGY_TIED = 8,    /* others act on it: its particles stay where they are */
    ENERGY_OVER = 16,   /* it has too much */
    ENERGY_PINNED = 32, /* ... unless pins that moved brought it */
    ENERGY_BACK = 64    /* it has too much in its shape, and goes back */
};

/* Before a substep's prediction: what bodies hold. */
void domain_know_energy(const struct step *step);
/* At a substep's end: takes from bodies what they have too much. First from those that may flow
 * then, and all others; from those that relax when they have. */
void domain_hold_energy(const struct step *step, bool relaxed);

/* energy.c: whether a body that has so much, J, has more than it may, beyond rounding. */
bool energy_too_much(const struct step *step, uint32_t body, double has);
/* energy_islands.c: in the shared domain, after all have been judged: what one of an island has not
 * of what it may, the others may have. */
void energy_share(const struct step *step);

/* energy_sums.c */
enum energy_sum {
    ENERGY_MOTION, /* kinetic energy, and the work of what acts on the body */
    ENERGY_RIGID,  /* ... and momenta */
    ENERGY_TURNED  /* kinetic energy again, without what chords have */
};
static inline struct body_energy *energy_of(const struct step *step, uint32_t body)
{
    return &world_energies(step->world)[body];
}
/* Velocities of implicit Euler are chords: those of what turns, with which all particles keep the
 * body's momenta, also lead outwards, by half of a substep's turn. What of the velocity of a
 * particle that is, at an arm (m) from the centre; none with BDF2. */
void energy_chord(const struct step *step, const struct energy_spin *spin, const double arm[3],
                  double out[3]);
/* Adds up a body's chunks, in their order. */
struct energy_chunk energy_total(const struct step *step, uint32_t body);
/* J, up to which a rise may be rounding, where so much elastic energy is. */
double energy_rounding(const struct body_energy *of, uint32_t particles, double elastic);
/* J: what the elements of a body hold, at a stream of positions of the world. */
double energy_elastic(const struct step *step, uint32_t body, const struct pk_quad *at);
/* A name for the shape and the history of a body; never 0. */
uint64_t energy_shape(const struct step *step, const struct body *body);

#endif
