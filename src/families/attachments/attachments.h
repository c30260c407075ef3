/* attachments.h - attachments in a step, and their life beside that of bodies. */
#ifndef PIOLA_ATTACHMENTS_H
#define PIOLA_ATTACHMENTS_H

#include "motion/phases.h"

/* Two points held together. A slot that is not alive is zero but for its generation. */
struct attachment {
    uint32_t generation, alive;
    uint32_t body[2];        /* index + 1; 0: the world */
    uint32_t count[2];       /* particles of each point; 0: the target */
    uint32_t particle[2][4]; /* of the body */
    float weight[2][4];
    float target[3], goal[3]; /* m: where it stands, and will by the end of the step */
    float compliance;         /* m/N */
    float force[3]; /* N, on the other point, in the last substep: what the solver made of it */
};

/* N, on the other point: what the momenta say of the last step, where they tell. */
struct attachment_felt {
    float force[3];
    uint32_t known; /* 0: read attachment.force */
};

/* The same while a substep runs. */
struct attachment_now {
    float inertia;   /* 1/s^2 */
    float give;      /* m/N: how far its particles' inertia gives way */
    float slope;     /* N/m: how the force answers the gap */
    float keep;      /* the share of its own last value that the force keeps, 0 to 1 */
    float target[3]; /* m */
    /* What acts like the spring and its dashpot in this substep: a spring of this compliance (m/N),
     * away from `lag` times what the gap was along its way when the substep began (m). */
    float compliance, lag, began[3];
    uint32_t joined; /* a rope's: 1 + the side that follows the other: attachment_ropes.c */
    float late[3];   /* m: of such a rigid one, what of its gap is left for later substeps */
};

/* What a rope's attachment is to the rope, and the rope to the other point: attachment_ropes.c. */
struct attachment_tie {
    uint32_t next[2];     /* of the body on each side */
    uint32_t told;        /* 1: the rest is known */
    double own, pulls[3]; /* N/m, N: to the rope */
    double gap[3];        /* m: from where the following point should be to where it is */
    /* N: on the other point. N/m, N: how the rope holds that, where it stood (m). */
    double force[3], stiff[6], pull[3], stood[3];
};

struct attachment_slots {
    uint32_t full;  /* no slot below it is free */
    uint32_t ended; /* 1: some attachments were, since ties were counted */
};

#define ARRAYS_OF "families/attachments/attachments.def"
#include "world/arrays.h"

/* Bodies come and go, all of them are counted anew: see pressure.h. */
void attachments_end_with(piola_world *world, uint32_t body);
void attachments_recount(piola_world *world);
/* From the other point, or the goal, to the first. */
void attachments_gap(const piola_world *world, const struct attachment *a, const float other[3],
                     float gap[3]);

/* The gap that the spring of this substep sees. */
void attachments_strain(const piola_world *world, const struct attachment *a,
                        const struct attachment_now *now, float gap[3]);
/* attachment_ropes.c: when a substep begins; before the sweeps of an iteration; after the last. */
void attachments_ropes_begin(const struct step *step);
void attachments_ropes_follow(struct step *step);
void attachments_ropes_end(const struct step *step);

/* Adds what one side of the attachment gives in the substep to the momentum expected of `body`. */
void attachments_pull(const struct step *step, const struct attachment *a, int side, uint32_t body);

/* attachment_momentum.c: bodies that are attached to each other keep their momentum together. In
 * descent, before the velocities and after them. */
void attachments_expect(struct step *step);
void attachments_keep_momentum(struct step *step);

#endif
