/* stage.h - a step under way, its domains, and the stages that its work is made of.
 *
 * A stage is one function over many like things: chunks of particles, clusters of one colour,
 * bodies. Calls of one stage touch different memory, so their order does not matter. A domain is
 * bodies that must advance together: run_stage() runs the domain's part of a stage, by all workers
 * when they share the domain, in a plain loop when one worker does it alone. The same code runs
 * both.
 *
 * Stages are listed in the .def files of those who own them: STAGE(NAME, name, OVER_...) declares
 * STAGE_NAME and the function each_name that does one thing of it.
 */
#ifndef PIOLA_STAGE_H
#define PIOLA_STAGE_H

#include "world/world.h"

enum stage_kind {
#define STAGE(NAME, name, over) STAGE_##NAME,
#include "families/families.def"
    STAGE_COUNT
};
_Static_assert(STAGE_COUNT <= JOBS_MAX_KINDS, "a stage's kind has 8 bits");

/* What a stage's index counts in. Of OVER_RUNS and OVER_PARTS `argument` is the colour. */
enum stage_over {
    OVER_CHUNKS,  /* world_chunks */
    OVER_BODIES,  /* world_order */
    OVER_RUNS,    /* world_runs: clusters of the solver */
    OVER_PARTS,   /* world_parts: clusters of elements; or all colours at once: STAGE_ALL_COLOURS */
    OVER_DOMAINS, /* domains that one worker does alone, or their iterations */
    OVER_OWN      /* what a function of its owner counts; only in the shared domain */
};
#define STAGE_ALL_COLOURS JOBS_MAX_ARGUMENT

struct step;
typedef void stage_function(const struct step *step, uint32_t argument, uint32_t index);
struct stage_row {
    const char *name;
    stage_function *run;
    enum stage_over over;
    uint32_t (*own)(const piola_world *world); /* of OVER_OWN: how many things */
};

/* A step under way. Workers that do a domain alone have a copy of their own. */
struct step {
    piola_world *world;
    const struct kernels *kernels;
    const struct stage_row *stages;
    struct jobs *jobs;
    const struct domain *domain;
    float dt; /* s, of a substep */
    uint32_t substep, iteration;
    uint32_t families; /* bit f: family f has something to do in this step */
    bool moves;        /* something of a family moves, even where there is no body */
    bool forces;       /* what the measuring stages are to find */
    bool apart;        /* the shared domain iterates without its loners, who do so by themselves */
    struct stopwatch *watch; /* of the domain; null when the world has no clock: step/stopwatch.h */
};

/* A stage of the domain; of OVER_RUNS and OVER_PARTS one colour after the other. */
void run_stage(const struct step *step, enum stage_kind kind, uint32_t argument);
void run_colours(const struct step *step, enum stage_kind kind);

static inline bool last_substep(const struct step *step)
{
    return step->substep + 1 == step->world->desc.substeps;
}

static inline bool body_frozen(const struct body *body)
{
    return (body->flags & BODY_FROZEN) != 0;
}

/* The domain's bodies, i below step->domain->body_count. */
static inline uint32_t domain_body(const struct step *step, uint32_t i)
{
    return world_order(step->world)[step->domain->body_first + i];
}
static inline struct body *step_body(const struct step *step, uint32_t index)
{
    return &world_bodies(step->world)[index];
}

/* True for a body that is left out while the shared domain iterates without it. */
static inline bool step_without(const struct step *step, uint32_t body)
{
    return step->apart && world_lone(step->world)[body];
}

/* A chunk of a body, and whether the body moves. */
struct piece {
    const struct body *body;
    uint32_t index, first, count; /* of the body; particles of the world */
    bool moves;
};
static inline struct piece piece_of(const struct step *step, uint32_t chunk)
{
    const struct chunk *at = &world_chunks(step->world)[chunk];
    const struct body *body = step_body(step, at->body);
    const bool moves = !body_frozen(body) && !step_without(step, at->body);
    return (struct piece){body, at->body, at->first, at->count, moves};
}

/* The body of a cluster, or null when it does not move. */
static inline const struct body *run_body(const struct step *step, const struct run *run)
{
    const struct body *body = step_body(step, run->body);
    return body_frozen(body) || step_without(step, run->body) ? NULL : body;
}

/* All stages' functions, and how many things those over OVER_OWN have. */
#define STAGE(NAME, name, over) stage_function each_##name;
#include "families/families.def"
#define STAGE_OWN(NAME, name, count) uint32_t count(const piola_world *world);
#include "families/families.def"

#endif
