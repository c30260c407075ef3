/* pressure.h - what a body's closed skin of triangles holds inside. */
#ifndef PIOLA_PRESSURE_H
#define PIOLA_PRESSURE_H

#include "stages.h"

struct pressure_law {
    double pressure;  /* Pa, inside minus outside */
    double stiffness; /* Pa/m^3: how it falls as the volume grows */
};

/* The gauge pressure that belongs to `volume`, when a change of it is answered with at most
 * `penalty` (Pa/m^3) and `before` is what it was. Infinite penalty is the law itself. */
struct pressure_law pressure_of(const struct body_pressure *held, double before, double penalty,
                                double volume);

/* Of a description, checked; of a body that comes or goes; of all that exist; a command. */
piola_status pressure_check(const piola_world *world, const piola_body_desc *desc,
                            const char **field);
void pressure_set(piola_world *world, uint32_t body, const piola_body_desc *desc);
void pressure_recount(piola_world *world);
bool pressure_turn(piola_world *world, const struct body *body, float value);
/* True when the stored state of a body that is alive is possible. */
bool pressure_sane(const struct body_pressure *held, const piola_asset *asset);
/* Volume (m^3) and gauge pressure (Pa) as they are; 0 for bodies that are not closed. */
void pressure_info(const piola_world *world, const struct body *body, piola_body_info *info);

/* The moments of couple.h. */
void pressure_begin(const struct step *step);
void pressure_refresh(struct step *step, struct jobs *jobs, uint32_t iteration);
void pressure_project(struct step *step, struct jobs *jobs);
void pressure_end(struct step *step, struct jobs *jobs);

/* What one worker does: a cluster (`part` counts in world_parts) or a chunk. */
void pressure_enclose(const struct step *step, uint32_t part);
void pressure_swell(const struct step *step, uint32_t part);
void pressure_press(const struct step *step, uint32_t chunk);
void pressure_yield(const struct step *step, uint32_t chunk);
void pressure_inflate(const struct step *step, uint32_t chunk);

#endif
