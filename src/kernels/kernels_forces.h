/* kernels_forces.h - what the kernels of outer forces, ispc/air/ and ispc/pressure/, share with C.
 */
#ifndef PIOLA_KERNELS_FORCES_H
#define PIOLA_KERNELS_FORCES_H

#include "kernels/packs.h"

/* The air around a body in one substep. */
struct pk_air {
    float dt;         /* s */
    float wind[3];    /* m/s */
    float drag, lift; /* kg/m^3: coefficients times half the density */
    float mass;       /* kg/m^2, of the cloth at rest */
    pk_u32 objective; /* 1: the substep minimises an objective, which knows of resistance */
};

/* The grid of winds, whose nodes' velocities stand in quads, x first, then y, then z. */
struct pk_wind_grid {
    float origin[3];    /* m, of the first node */
    float per_metre[3]; /* 1/m: cells */
    float end[3];       /* cells from the first node to the last */
    pk_u32 last[3];     /* number of the last cell; 0 where there is one node */
    pk_u32 next[3];     /* from a node to the next along the axis; 0 likewise */
    float strength;     /* factor on the velocities */
};

/* Packs of triangles of one material. */
struct pk_wind_job {
    PK_STREAM(const struct pk_quad) x; /* inverse masses in w */
    PK_STREAM(const struct pk_quad) v;
    PK_STREAM(struct pk_quad) force; /* N; w: resistance, kg/s */
    PK_STREAM(const struct pk_triangle_pack) packs;
    PK_STREAM(const struct pk_air) air;
    PK_STREAM(const struct pk_wind_grid) grid; /* may be null; then nodes are not read */
    PK_STREAM(const struct pk_quad) nodes;
    pk_u32 count;
};

/* Sums over the triangles of a body, lane by lane. */
struct pk_enclosed {
    double volume[PK_LANES]; /* m^3; of `yield`: sum w |g|^2, m^4/kg */
    double area[PK_LANES];   /* m^2 */
};

/* Of a body that holds pressure; what a kernel does not read is not set. `swell` is a stream of the
 * volume's gradient and, in w, of what covers its change; pressure_push turns it into three streams
 * `stride` apart. */
struct pk_pressure_job {
    PK_STREAM(struct pk_quad) x;
    PK_STREAM(const struct pk_quad) target;         /* pressure_push */
    PK_STREAM(struct pk_quad) swell;                /* all but pressure_enclose */
    PK_STREAM(const struct pk_triangle_pack) packs; /* pressure_enclose, pressure_swell */
    PK_STREAM(struct pk_enclosed) sum;              /* pressure_enclose, pressure_yield */
    pk_u32 count, stride;                           /* packs, or particles */
    float origin[3];                                /* m, pressure_enclose */
    float pressure, stiffness;                      /* Pa, N/m: pressure_push */
    float scale;                                    /* pressure_inflate */
};

#endif
