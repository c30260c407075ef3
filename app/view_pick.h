/* view_pick.h - taking hold of a body with the mouse: what a ray hits, and a spring that pulls.
 *
 * Lives here: geometry and the force that the stage hands to the engine. What must not live here:
 * windows.
 */
#ifndef APP_VIEW_PICK_H
#define APP_VIEW_PICK_H

#include "render_figure.h"

#include <stdbool.h>
#include <stdint.h>

#define VIEW_GRIP STAGE_GRIP /* vertices that share the pull */

struct grip {
    bool held;
    uint32_t body; /* in stage.bodies */
    uint32_t vertices[VIEW_GRIP];
    uint32_t count;
    float offset[3]; /* from the vertices' mean to the point taken, m */
    float anchor[3]; /* that point now, m */
    float target[3]; /* where the mouse wants it, m */
    float hardness;  /* how much harder than usual a pull is; it outlives the pull */
    float usual;     /* N/m, of this body at hardness 1 */
    float mass;      /* kg, of this body */
    float stiffness; /* N/m */
    float damping;   /* N s/m */
    float hardest;   /* N/m that a step of this length still follows quietly */
    float calmest;   /* N s/m, the same of the damping */
    float force;     /* N, last pull */
    float normal[3]; /* of the plane that the target moves in: the view's direction */
};

void grip_open(struct grip *grip);
/* Takes hold of the nearest surface on the ray. False, holding nothing, when it hits none. */
bool grip_take(struct grip *grip, const struct figure *figure, const float from[3],
               const float direction[3], const float plane[3]);
void grip_drop(struct grip *grip);
/* Moves the target to where the ray meets the grip's plane. */
void grip_move(struct grip *grip, const float from[3], const float direction[3]);
/* Multiplies the hardness of this pull, within what is stable, and of those to come. */
void grip_harden(struct grip *grip, float factor);
/* What it pulls with in the next step; figure holds the state before it. */
void grip_pull(struct grip *grip, const struct figure *figure, struct stage *stage);

#endif
