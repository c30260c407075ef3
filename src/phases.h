/* phases.h - the phases of a substep, each on a part of one body: what the stages of a step call.
 */
#ifndef PIOLA_PHASES_H
#define PIOLA_PHASES_H

#include "world.h"

/* A step under way. Written between stages only, by the thread that called piola_world_step. */
struct step {
    piola_world *world;
    const struct kernels *kernels;
    float dt;         /* s, of a substep */
    uint32_t substep; /* of large bodies; whole bodies count for themselves */
};

/* Lines 1-2 of the paper's Algorithm 1 for particles first .. first+count-1 of the world. */
void phase_predict(const struct step *step, const struct body *body, uint32_t first,
                   uint32_t count);
/* Once a substep, before the iterations: scratch of the whole body for the solver; in a step's last
 * substep its physics before, when the world reports that. */
void phase_prepare(const struct step *step, uint32_t body, uint32_t substep);
/* Lines 4-8 for one cluster of the body. */
void phase_solve(const struct step *step, const struct body *body, uint32_t cluster);
/* Once a substep, after the iterations: physics after, then plastic flow of the whole body. */
void phase_settle(const struct step *step, uint32_t body, uint32_t substep);
/* Lines 10 and 12. `last` in a step's last substep. Returns true when a number is not finite. */
bool phase_finish(const struct step *step, const struct body *body, uint32_t first, uint32_t count,
                  bool last);
/* After the body's last phase of a substep. */
void phase_age(const struct step *step, struct body *body);
/* Puts a body back to where the substep began, at rest, and marks it. */
void phase_freeze(const struct step *step, struct body *body);

/* measure.c: objective, residual, stretch of a body as it is now; `before` the iterations or after.
 */
void measure_body(const struct step *step, uint32_t body, bool before);

/* solve.c: what the kernels are told of a substep, and how tetrahedron packs are walked over. */
struct pk_solve solve_parameters(const struct step *step, const struct body *body);
/* Number of packs from `first` on, below `end`, that are of one material. */
uint32_t solve_same_material(const piola_asset *asset, uint32_t first, uint32_t end);
/* Plastic cell of each pack, or null when nothing in the asset is plastic. */
const uint32_t *solve_cells(const piola_asset *asset);

#endif
