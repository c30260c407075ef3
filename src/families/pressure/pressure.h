/* pressure.h - what a body's closed skin of triangles holds inside. */
#ifndef PIOLA_PRESSURE_H
#define PIOLA_PRESSURE_H

#include "motion/phases.h"

/* What a body holds inside: as its description says, and the pressure of the last substep. */
struct body_pressure {
    uint32_t kind;    /* piola_pressure */
    float setting;    /* Pa: GAUGE's, or GAS's at `volume` */
    float ambient;    /* Pa */
    float volume;     /* m^3: at which GAS has `setting`, or that VOLUME holds */
    float compliance; /* m^3/Pa */
    float before;     /* Pa, gauge */
};

/* The same while an iteration runs. */
struct pressure_now {
    double volume, area;        /* m^3, m^2 */
    double pressure, stiffness; /* Pa, gauge; Pa/m^3 */
    double penalty;             /* Pa/m^3 */
    double give, share;         /* projections: m^4/kg, Pa s^2 */
};

/* A part's share of a body's volume (m^3) and area (m^2). */
struct enclosed {
    double volume, area;
};

#define ARRAYS_OF "families/pressure/pressure.def"
#include "world/arrays.h"

struct pressure_law {
    double pressure;  /* Pa, inside minus outside */
    double stiffness; /* Pa/m^3: how it falls as the volume grows */
};

/* The gauge pressure that belongs to `volume`, when a change of it is answered with at most
 * `penalty` (Pa/m^3) and `before` is what it was. Infinite penalty is the law itself. */
struct pressure_law pressure_of(const struct body_pressure *held, double before, double penalty,
                                double volume);

#endif
