/* scene_fields.h - what acts on bodies from outside, as a scene's file says it: wind and forces.
 * Plain data; how it acts is stage_fields.c. */
#ifndef APP_SCENE_FIELDS_H
#define APP_SCENE_FIELDS_H

#include "keys.h"

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

struct field_force {
    uint64_t given;
    const char *body;
    uint32_t copy;
    struct list vertices; /* uint32_t */
    double near[3];
    double force[3]; /* N, of all vertices together */
    double from, until;
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
    const struct field_force *force;
    const struct field_sphere *sphere;
};

extern const struct table scene_field_table, field_force_table, scene_pressure_table;

#endif
