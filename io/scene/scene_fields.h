/* scene_fields.h - what acts on bodies from outside, as a scene's file says it: wind and forces.
 * Plain data; how it acts is stage_fields.c. */
#ifndef APP_SCENE_FIELDS_H
#define APP_SCENE_FIELDS_H

#include "io/scene/keys.h"

#define WIND_NODES_MAX (1u << 22) /* of a scene's grid of winds: 64 MiB of the world's block */

struct pressure_frame {
    uint64_t given;
    double time, value;
};

/* What a closed skin holds. */
struct scene_pressure {
    uint64_t given;
    uint32_t kind; /* piola_pressure less one */
    float pressure, ambient, scale, compliance;
    struct list frames; /* struct pressure_frame */
};

struct wind_frame {
    uint64_t given;
    double time, velocity[3];
};

struct field_wind {
    uint64_t given;
    double velocity[3]; /* m/s */
    struct list frames; /* struct wind_frame: instead */
    double repeat;      /* s; 0: the frames are gone through once */
};

/* Air that goes round an axis. */
struct wind_whirl {
    uint64_t given;
    double centre[3], axis[3], radius; /* m */
    double speed;                      /* m/s, at the radius */
};

/* Air that moves behind a plane and stands before it. */
struct wind_front {
    uint64_t given;
    double at[3], velocity[3], width; /* m, m/s, m */
};

struct wind_strength {
    uint64_t given;
    double time, strength;
};

/* Wind that differs from place to place: a grid, given node by node or filled by whirls and fronts.
 */
struct field_wind_grid {
    uint64_t given;
    double origin[3], spacing[3]; /* m */
    uint32_t count[3];
    struct list nodes;  /* float, 3 a node, m/s; may be none */
    struct list whirls; /* struct wind_whirl */
    struct list fronts; /* struct wind_front */
    struct list frames; /* struct wind_strength */
    double drift[3];    /* m/s */
    double repeat;      /* s; 0: it drifts, and the frames are gone through, once */
};

struct field_force {
    uint64_t given;
    const char *body;
    uint32_t copy;
    struct list vertices; /* uint32_t */
    double near[3];
    double force[3]; /* N, of all vertices together */
    double from, until, ramp;
};

struct field_traction {
    uint64_t given;
    const char *body;
    uint32_t copy;
    const struct scene_box *box;
    double traction[3]; /* Pa, of the surface at rest */
    double pressure;    /* Pa, inwards */
    double from, until, ramp;
};

struct field_sphere {
    uint64_t given;
    double centre[3], radius;
    double strength; /* m/s^2 away from the centre */
    double from, until;
};

struct scene_field {
    uint64_t given;
    const struct field_wind *wind;
    const struct field_wind_grid *wind_grid;
    const struct field_force *force;
    const struct field_sphere *sphere;
    const struct field_traction *traction;
};

extern const struct table scene_field_table, field_force_table, field_traction_table,
    scene_pressure_table;

#endif
