/* stage.c - a domain's part of a stage, by all workers or by one: see stage.h. */
#include "motion/stage.h"

/* What of a list belongs to a domain. */
struct range {
    uint32_t first, count;
};

static struct range range_of(const struct domain *d, enum stage_over over)
{
    switch (over) {
    case OVER_CHUNKS:
        return (struct range){d->chunk_first, d->chunk_count};
    case OVER_BODIES:
        return (struct range){d->body_first, d->body_count};
    case OVER_RUNS:
        return (struct range){d->run_first, d->run_count};
    case OVER_PARTS:
        return (struct range){d->part_first, d->part_count};
    default:
        return (struct range){0, 0};
    }
}

static void alone(const struct step *step, enum stage_kind kind, uint32_t argument)
{
    const struct stage_row *row = &step->stages[kind];
    const struct range range =
        row->own ? (struct range){0, row->own(step->world)} : range_of(step->domain, row->over);
    for (uint32_t i = 0; i < range.count; ++i)
        row->run(step, argument, range.first + i);
}

/* Particles that a worker does faster than it would find help: chunks and bodies take a few
 * nanoseconds a particle, what families count themselves some ten. */
#define LIGHT        4096u
#define LIGHT_OWN    1024u
#define LIGHT_BODIES 16u /* what is done for each body takes longer than its particles */

static bool light(const struct step *step, enum stage_kind kind)
{
    const enum stage_over over = step->stages[kind].over;
    if (kind == STAGE_COARSE || step->domain->body_count > LIGHT_BODIES)
        return false;
    return (step->domain->particles < LIGHT && (over == OVER_CHUNKS || over == OVER_BODIES)) ||
           (step->domain->particles < LIGHT_OWN && over == OVER_OWN);
}

void run_stage(const struct step *step, enum stage_kind kind, uint32_t argument)
{
    if (step->domain->shared && !light(step, kind))
        jobs_stage(step->jobs, kind, argument);
    else
        alone(step, kind, argument);
}

/* Clusters of one colour touch different particles; alone they follow each other in that order. */
void run_colours(const struct step *step, enum stage_kind kind)
{
    const piola_world *world = step->world;
    const uint32_t colours =
        step->stages[kind].over == OVER_RUNS ? world->colours : world->part_colours;
    if (!step->domain->shared)
        alone(step, kind, 0);
    for (uint32_t colour = 0; step->domain->shared && colour < colours; ++colour)
        jobs_stage(step->jobs, kind, colour);
}
