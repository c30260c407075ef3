/* attach.h - attachments in a step, and their life beside that of bodies. */
#ifndef PIOLA_ATTACH_H
#define PIOLA_ATTACH_H

#include "stages.h"

/* Bodies come and go, all of them are counted anew, commands: see pressure.h. */
void attach_end_with(piola_world *world, uint32_t body);
void attach_recount(piola_world *world);
struct attachment *attach_find(const piola_world *world, piola_attachment handle);
/* Before a step: what ended since the last one no longer ties bodies. */
void attach_settle(piola_world *world);
bool attach_turn(piola_world *world, const piola_command *command);
/* True when a stored attachment that is alive is possible in bodies of these assets. */
bool attach_sane(const struct attachment *a, const piola_asset *const assets[2]);
/* From the other point, or the goal, to the first. */
void attach_gap(const piola_world *world, const struct attachment *a, const float other[3],
                float gap[3]);

/* The moments of couple.h, on the calling thread, one attachment after the other. */
void attach_begin(const struct step *step);
void attach_refresh(const struct step *step, uint32_t iteration);
void attach_project(const struct step *step);
void attach_close(const struct step *step);

/* Adds what one side of the attachment gives in the substep to the momentum expected of `body`. */
void attach_pull(const struct step *step, const struct attachment *a, int side, uint32_t body);

/* attach_momentum.c: bodies that are attached to each other keep their momentum together. In
 * descent, before the velocities and after them. */
void attach_expect(const struct step *step);
void attach_keep_momentum(const struct step *step);

#endif
