/* sleep_near.h - who is so near whom that neither can sleep while the other moves. */
#ifndef PIOLA_SLEEP_NEAR_H
#define PIOLA_SLEEP_NEAR_H

#include "families/families.h"
#include "motion/stage.h"
#include "world/islands.h"
#include "world/rest.h"

/* Nodes: world/rest.h. What a node is to those that sleep, in world_rest_marks. */
enum rest_mark {
    REST_NONE,   /* it is not there, stands still for good, or meets nobody */
    REST_SLEEPS, /* ... or may fall asleep */
    REST_MOVES
};

/* When it is looked who is near whom: in the substep that begins, or between two steps. */
struct rest_time {
    const struct step *step;
    uint32_t from, to; /* numbers of the colliders' poses */
    float dt;          /* s, from one to the other */
};

/* Writes the boxes of all colliders and rigid bodies. */
void rest_boxes_of_solids(const struct rest_time *time);
/* True when the collider of a slot moves between the two poses, or is a rigid body that does not
 * sleep. */
bool rest_solid_moves(const struct rest_time *time, uint32_t slot);

/* In islands_of(world), which nobody else uses between the families' moments: nodes are numbered
 * alike. Joins all who are near each other, of those that move and those that sleep:
 * world_rest_marks and world_rest_boxes say who and where. Returns false when nobody is. */
bool rest_join_near(const struct rest_time *time);
/* Joins those that sleep, by their boxes alone. */
void rest_join_sleepers(const struct rest_time *time);
/* Joins bodies that attachments tie. */
void rest_join_tied(const piola_world *world);

#endif
