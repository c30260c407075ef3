/* stage.c - a domain's part of a stage, by all workers or by one: see stage.h. */
#include "motion/stage.h"

#include "world/islands.h"

/* What a domain has of a stage; of the shared one, what its fixed bodies have. */
static struct range range_of(const struct step *step, const struct stage_row *row)
{
    const struct domain *d = step->domain;
    switch (row->over) {
    case OVER_CHUNKS:
        return (struct range){d->chunk_first, d->chunk_count};
    case OVER_BODIES:
        return (struct range){d->body_first, d->body_count};
    case OVER_RUNS:
        return (struct range){d->run_first, d->run_count};
    case OVER_PARTS:
        return (struct range){d->part_first, d->part_count};
    default:
        return row->own(step);
    }
}

static struct range of_colour(const uint32_t *first, uint32_t colour, uint32_t colours)
{
    return colour < colours ? (struct range){first[colour], first[colour + 1] - first[colour]}
                            : (struct range){0, 0};
}

static struct range fixed_range(const struct step *step, const struct stage_row *row,
                                uint32_t argument)
{
    const piola_world *world = step->world;
    if (row->over == OVER_RUNS && argument != STAGE_ALL_COLOURS)
        return of_colour(world_colour_first(world), argument, world->colours);
    if (row->over == OVER_PARTS && argument != STAGE_ALL_COLOURS)
        return of_colour(world_part_first(world), argument, world->part_colours);
    return range_of(step, row);
}

/* Clusters of small bodies have one colour. */
static bool has_small(const struct stage_row *row, uint32_t argument)
{
    return row->over == OVER_CHUNKS || row->over == OVER_OWN || argument == STAGE_ALL_COLOURS ||
           ((row->over == OVER_RUNS || row->over == OVER_PARTS) && argument == 0);
}

uint32_t stage_blocks(const struct step *step, enum stage_kind kind, uint32_t argument)
{
    const struct stage_row *row = &step->stages[kind];
    const piola_world *world = step->world;
    if (row->over == OVER_DOMAINS)
        return kind == STAGE_ALONE ? world->alone_count : world->small_count - world->joined_small;
    if (row->over == OVER_BODIES)
        return world->joined_count;
    return fixed_range(step, row, argument).count +
           (has_small(row, argument) ? world->joined_small : 0);
}

static void alone(const struct step *step, enum stage_kind kind, uint32_t argument)
{
    const struct stage_row *row = &step->stages[kind];
    const struct range range = range_of(step, row);
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
        row->run(step, argument, row->over == OVER_BODIES ? world_order(step->world)[i] : i);
}

void stage_block(const struct step *step, enum stage_kind kind, uint32_t argument, uint32_t block)
{
    const struct stage_row *row = &step->stages[kind];
    const piola_world *world = step->world;
    if (row->over == OVER_DOMAINS) {
        row->run(step, argument, block);
        return;
    }
    if (row->over == OVER_BODIES) {
        row->run(step, argument, world_joined(world)[block]);
        return;
    }
    const struct range fixed = fixed_range(step, row, argument);
    if (block < fixed.count) {
        row->run(step, argument, fixed.first + block);
        return;
    }
    struct step own = *step;
    own.domain = &world_domains(world)[world_small(world)[block - fixed.count]];
    alone(&own, kind, argument);
}

/* Particles that a worker does faster than it would find help: chunks and bodies take a few
 * nanoseconds a particle, what families count themselves some ten. */
#define LIGHT        4096u
#define LIGHT_OWN    1024u
#define LIGHT_BODIES 16u /* what is done for each body takes longer than its particles */

static bool light(const struct step *step, enum stage_kind kind)
{
    const piola_world *world = step->world;
    switch (step->stages[kind].over) {
    case OVER_CHUNKS:
    case OVER_BODIES:
        return kind != STAGE_COARSE && world->joined_count <= LIGHT_BODIES &&
               step->domain->particles < LIGHT;
    case OVER_OWN:
        return world->joined_count <= LIGHT_BODIES && step->domain->particles < LIGHT_OWN;
    case OVER_WORLD:
        return world->shared_count <= LIGHT_BODIES && world->taken[SPAN_PARTICLES] < LIGHT_OWN;
    default:
        return false;
    }
}

static void run_shared(const struct step *step, enum stage_kind kind, uint32_t argument)
{
    if (!light(step, kind)) {
        jobs_stage(step->jobs, kind, argument);
        return;
    }
    const uint32_t blocks = stage_blocks(step, kind, argument);
    for (uint32_t block = 0; block < blocks; ++block)
        stage_block(step, kind, argument, block);
}

/* Counts a stage that is over; the watch says that somebody wants to know. */
static void count_stage(const struct step *step, enum stage_kind kind, double since)
{
    struct stage_time *time = &world_stage_times(step->world)[kind];
    const double now = step->world->desc.clock();
    time->seconds += now > since ? now - since : 0;
    ++time->runs;
}

void run_stage(const struct step *step, enum stage_kind kind, uint32_t argument)
{
    if (!step->domain->shared) {
        alone(step, kind, argument);
        return;
    }
    const double since = step->watch ? step->world->desc.clock() : 0;
    run_shared(step, kind, argument);
    if (step->watch)
        count_stage(step, kind, since);
}

/* Clusters of one colour touch different particles; alone they follow each other in that order. */
void run_colours(const struct step *step, enum stage_kind kind)
{
    const piola_world *world = step->world;
    uint32_t colours = step->stages[kind].over == OVER_RUNS ? world->colours : world->part_colours;
    if (!step->domain->shared) {
        alone(step, kind, 0);
        return;
    }
    if (colours == 0)
        colours = world->joined_small > 0;
    for (uint32_t colour = 0; colour < colours; ++colour)
        run_stage(step, kind, colour);
}

/* ---- who is in the shared domain ----------------------------------------------------------- */

static bool joins(const piola_world *world, uint32_t body, enum who_joins who)
{
    if (world_domain_of(world)[body] == 0 || who == ALL_JOIN)
        return true;
    return who == MEETING_JOIN && islands_of(world).met[body];
}

void domains_part(piola_world *world, enum who_joins who)
{
    uint32_t lone = 0;
    world->joined_count = world->joined_small = 0;
    for (uint32_t i = 0; i < world->shared_count; ++i) {
        const uint32_t body = world_shared(world)[i], domain = world_domain_of(world)[body];
        const bool joined = joins(world, body, who);
        if (joined)
            world_joined(world)[world->joined_count++] = body;
        if (joined && domain != 0)
            world_small(world)[world->joined_small++] = domain;
        if (!joined)
            world_small(world)[world->small_count - ++lone] = domain;
    }
}
