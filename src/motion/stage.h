/* stage.h - a step under way, its domains, and the stages that its work is made of.
 *
 * A stage is one function over many like things: chunks of particles, clusters of one colour,
 * bodies. Calls of one stage touch different memory, so their order does not matter. A domain is
 * bodies that must advance together: run_stage() runs the domain's part of a stage, by all workers
 * when they share the domain, in a plain loop when one worker does it alone. The same code runs
 * both.
 *
 * The shared domain has its fixed bodies, and small ones that meet others in this substep: a stage
 * of it has a block for each thing of the fixed ones, and one for all things of each small one.
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
    OVER_CHUNKS, /* world_chunks */
    OVER_BODIES, /* world_bodies */
    OVER_RUNS,   /* world_runs: clusters of the solver; or all colours at once: STAGE_ALL_COLOURS */
    OVER_PARTS,  /* world_parts: clusters of elements; likewise */
    OVER_DOMAINS, /* domains that one worker does alone */
    OVER_OWN,     /* what a function of its owner finds in a domain */
    OVER_WORLD    /* what a function of its owner finds in the world; only in the shared domain */
};
#define STAGE_ALL_COLOURS JOBS_MAX_ARGUMENT

/* Things that follow each other. */
struct range {
    uint32_t first, count;
};

struct step;
struct moment_list;
typedef void stage_function(const struct step *step, uint32_t argument, uint32_t index);
typedef struct range stage_things(const struct step *step);
struct stage_row {
    const char *name;
    stage_function *run;
    enum stage_over over;
    stage_things *own; /* of OVER_OWN and OVER_WORLD */
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
    const struct moment_list *moments; /* what families do in this step: step/moments.h */
    bool moves;              /* something of a family moves, even where there is no body */
    bool forces;             /* what the measuring stages are to find */
    struct stopwatch *watch; /* of the domain; null when the world has no clock: step/stopwatch.h */
};

/* Which small bodies are in the shared domain from now on: none; those that some family has joined
 * to something in this substep (world/islands.h); or all. The caller's, between two stages. */
enum who_joins { NONE_JOIN, MEETING_JOIN, ALL_JOIN };
void domains_part(piola_world *world, enum who_joins who);

/* stage.c: how many blocks the shared domain's part of a stage has, and one of them. */
uint32_t stage_blocks(const struct step *step, enum stage_kind kind, uint32_t argument);
void stage_block(const struct step *step, enum stage_kind kind, uint32_t argument, uint32_t block);

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

/* It does not move in the substep: it is frozen, or sleeps. */
static inline bool body_still(const struct body *body)
{
    return (body->flags & BODY_STILL) != 0;
}

/* The domain's bodies: how many, and their numbers, which rise. */
static inline uint32_t domain_bodies(const struct step *step)
{
    return step->domain->shared ? step->world->joined_count : step->domain->body_count;
}
static inline uint32_t domain_body(const struct step *step, uint32_t i)
{
    return step->domain->shared ? world_joined(step->world)[i]
                                : world_order(step->world)[step->domain->body_first + i];
}
static inline struct body *step_body(const struct step *step, uint32_t index)
{
    return &world_bodies(step->world)[index];
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
    return (struct piece){body, at->body, at->first, at->count, !body_still(body)};
}

/* The body of a cluster, or null when it does not move. */
static inline const struct body *run_body(const struct step *step, const struct run *run)
{
    const struct body *body = step_body(step, run->body);
    return body_still(body) ? NULL : body;
}

/* All stages' functions, and what those over OVER_OWN and OVER_WORLD have. */
#define STAGE(NAME, name, over) stage_function each_##name;
#include "families/families.def"
#define STAGE_OWN(NAME, name, own)   stage_things own;
#define STAGE_WORLD(NAME, name, own) stage_things own;
#include "families/families.def"

#endif
