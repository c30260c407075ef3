/* stages.h - the stages of a step: what all workers do together between two barriers. */
#ifndef PIOLA_STAGES_H
#define PIOLA_STAGES_H

#include "phases.h"

enum stage_kind {
    STAGE_WHOLE, /* small bodies, all substeps: step.c */
    STAGE_CALM,
    STAGE_WIND,    /* argument: the colour; the rest is for large bodies */
    STAGE_PREDICT, /* a chunk, a cluster or a body a block */
    STAGE_PREPARE,
    STAGE_CLEAR_EXTRA,
    STAGE_ENCLOSE,
    STAGE_SWELL, /* argument: the colour */
    STAGE_PRESS,
    STAGE_YIELD,
    STAGE_INFLATE,
    STAGE_SOLVE, /* argument: the colour */
    STAGE_LIMIT, /* argument: the colour, of element clusters */
    STAGE_TETHER,
    STAGE_FLOW,
    STAGE_FINISH,
    STAGE_CLEAR,
    STAGE_MEASURE, /* argument: the colour, or STAGE_ALL_COLOURS */
    STAGE_WEIGH,
    STAGE_SUM, /* argument: enum momentum_of */
    STAGE_MOVE,
    STAGE_PUSH,
    STAGE_REMEMBER,
    STAGE_EXTRAPOLATE,
    STAGE_SETTLE,
    STAGE_HOLD_BACK, /* bodies in surface contact */
    STAGE_TOUCH,     /* argument: enum touch_stage */
    STAGE_CONTACT,   /* argument: enum contact_stage */
    STAGE_COUNT
};
#define STAGE_ALL_COLOURS JOBS_MAX_ARGUMENT

enum touch_stage {
    TOUCH_FIND,
    TOUCH_AGAIN, /* bodies that were struck, once their history is forgotten */
    TOUCH_REFRESH,
    TOUCH_PROJECT,
    TOUCH_LIMIT
};

/* What the job system is given; `whole` does the blocks of STAGE_WHOLE. */
extern const struct jobs_program stages_program;
jobs_block stage_whole;

/* Large bodies: the air, before the prediction. */
void stages_wind(const struct step *step, struct jobs *jobs);
/* Large bodies: objective (and forces, residual, ...) of each into its measure's `now`. */
void stages_measure(struct step *step, struct jobs *jobs, bool forces);
/* Large bodies: their hard limits, after their elements or vertices. */
void stages_limit(const struct step *step, struct jobs *jobs);
/* Large bodies: their tethers, last in an iteration. */
void stages_tether(const struct step *step, struct jobs *jobs);
/* Large bodies: a Chebyshev step after an iteration. */
void stages_accelerate(struct step *step, struct jobs *jobs, uint32_t iteration);
/* Large bodies without pins: what their momentum must be, and the corrections of positions (after
 * the iterations) and velocities (after line 10) that make it so. */
void stages_expect(const struct step *step, struct jobs *jobs);
void stages_straighten(const struct step *step, struct jobs *jobs);
void stages_push(const struct step *step, struct jobs *jobs);
/* Large bodies after line 10: those with a broken number are frozen; after the flow the others age.
 */
void stages_freeze(const struct step *step);
void stages_age(const struct step *step);

/* True when gravity and damping do the same to both. */
static inline bool bodies_fall_alike(const struct body *a, const struct body *b)
{
    return a->damping == b->damping && a->gravity_scale == b->gravity_scale &&
           same_bytes(a->acceleration, b->acceleration, sizeof a->acceleration);
}

static inline bool body_frozen(const struct body *body)
{
    return (body->flags & BODY_FROZEN) != 0;
}

#endif
