/* schedule.c - who does what in a step: lists of bodies, chunks of particles and clusters.
 *
 * Made anew at the start of a step when bodies were created, destroyed, tied or freed. Depends on
 * the bodies alone, never on the number of threads; so does the order of the arithmetic.
 */
#include "step/schedule.h"

#include "step/moments.h"

/* ---- stages ------------------------------------------------------------------------------- */

const struct stage_row schedule_stages[STAGE_COUNT] = {
#define STAGE(NAME, name, over)      {#name, each_##name, over, NULL},
#define STAGE_OWN(NAME, name, own)   {#name, each_##name, OVER_OWN, own},
#define STAGE_WORLD(NAME, name, own) {#name, each_##name, OVER_WORLD, own},
#include "families/families.def"
};

static uint32_t count(const void *context, uint32_t kind, uint32_t argument)
{
    return stage_blocks(context, (enum stage_kind)kind, argument);
}

/* What the job system calls, one function a stage. */
#define STAGE(NAME, name, over)                                                                    \
    static void block_##name(void *context, uint32_t argument, uint32_t block, uint32_t worker)    \
    {                                                                                              \
        (void)worker;                                                                              \
        stage_block(context, STAGE_##NAME, argument, block);                                       \
    }
#include "families/families.def"

static jobs_block *const blocks[STAGE_COUNT] = {
#define STAGE(NAME, name, over) block_##name,
#include "families/families.def"
};

const struct jobs_program schedule_program = {blocks, count};

/* ---- lists -------------------------------------------------------------------------------- */

/* One worker does it without waiting for others. */
static bool is_small(const piola_world *world, uint32_t index)
{
    const struct body *body = &world_bodies(world)[index];
    return clusters_of(body_asset(world, body), world_descends(&world->desc)).count <= 1;
}

/* Who is always shared: what is tied to others, or too large for one worker. Who may meet others,
 * while some family has them meet. All others, whom nothing can come to. */
enum lot { FIXED, SMALL, ALONE, LOTS };

static enum lot lot_of(const piola_world *world, uint32_t index, bool together)
{
    if (world_ties(world)[index] != 0 || !is_small(world, index))
        return FIXED;
    return together ? SMALL : ALONE;
}

/* Bodies by domain; those of the first two lots by number, too. */
static void list_bodies(piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    const bool together = moments_together(world);
    uint32_t counts[LOTS] = {0}, n = 0;
    world->coupled_count = world->shared_count = 0;
    for (uint32_t lot = 0; lot < LOTS; ++lot)
        for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
            if ((bodies[i].flags & BODY_ALIVE) && lot_of(world, i, together) == (enum lot)lot) {
                world_order(world)[n++] = i;
                ++counts[lot];
            }
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        if ((bodies[i].flags & BODY_ALIVE) && lot_of(world, i, together) != ALONE) {
            world_shared(world)[world->shared_count++] = i;
            world->coupled_count += world_ties(world)[i] != 0 || together;
        }
    world->fixed_count = counts[FIXED];
    world->small_count = counts[SMALL];
    world->alone_count = counts[ALONE];
}

/* The shared domain; those that one worker does alone; and those of small bodies. */
static void list_domains(piola_world *world)
{
    struct domain *domains = world_domains(world);
    const uint32_t others = world->fixed_count + world->small_count;
    uint32_t n = 1;
    domains[0] = (struct domain){.shared = true, .body_count = world->fixed_count};
    for (uint32_t i = 0; i < world->fixed_count; ++i)
        world_domain_of(world)[world_order(world)[i]] = 0;
    for (uint32_t i = 0; i < world->alone_count; ++i, ++n)
        domains[n] = (struct domain){.body_first = others + i, .body_count = 1};
    for (uint32_t i = world->fixed_count; i < others; ++i, ++n) {
        domains[n] = (struct domain){.body_first = i, .body_count = 1};
        world_domain_of(world)[world_order(world)[i]] = n;
    }
    domains_part(world, ALL_JOIN);
    dimension_use(world, DIM_domains, n);
}

/* Chunks in the order of the bodies; a domain's follow each other. */
static void list_chunks(piola_world *world)
{
    struct chunk *chunks = world_chunks(world);
    const uint32_t bodies = world->shared_count + world->alone_count;
    uint32_t n = 0, *first = world_first_chunk(world);
    for (uint32_t i = 0; i < bodies; ++i) {
        const uint32_t index = world_order(world)[i];
        const struct body *b = &world_bodies(world)[index];
        first[index] = n;
        for (uint32_t at = 0; at < b->count; at += CHUNK) {
            const uint32_t left = b->count - at;
            chunks[n++] = (struct chunk){index, b->first + at, left < CHUNK ? left : CHUNK};
        }
    }
    for (uint32_t d = 0; d < world->dim[DIM_domains].used; ++d) {
        struct domain *domain = &world_domains(world)[d];
        const uint32_t end = domain->body_first + domain->body_count;
        const uint32_t *order = world_order(world);
        domain->chunk_first = domain->body_first < bodies ? first[order[domain->body_first]] : n;
        domain->chunk_count = (end < bodies ? first[order[end]] : n) - domain->chunk_first;
        for (uint32_t i = domain->body_first; i < end; ++i)
            domain->particles += world_bodies(world)[world_order(world)[i]].count;
    }
    dimension_use(world, DIM_chunks, n);
}

/* Appends a body's clusters of one colour; false when it has no such colour. */
static bool list_colour(const piola_world *world, uint32_t index, bool of_vertices, uint32_t colour,
                        struct run *runs, uint32_t *n)
{
    const struct clusters of =
        clusters_of(body_asset(world, &world_bodies(world)[index]), of_vertices);
    if (colour >= of.colours)
        return false;
    for (uint32_t c = of.colour_first[colour]; c < of.colour_first[colour + 1]; ++c)
        runs[(*n)++] = (struct run){index, c};
    return true;
}

/* Runs of one colour, over all fixed bodies, follow each other: they are one stage. Then those of
 * other domains, each by colour. Returns the number of fixed bodies' colours. */
static uint32_t list_runs(const piola_world *world, bool of_vertices, struct run *runs,
                          uint32_t *first, uint32_t *end)
{
    const uint32_t *order = world_order(world);
    struct domain *domains = world_domains(world);
    uint32_t n = 0, colour = 0;
    for (bool more = true; more && colour < MAX_COLOURS; colour += more) {
        first[colour] = n;
        more = false;
        for (uint32_t i = 0; i < world->fixed_count; ++i)
            more |= list_colour(world, order[i], of_vertices, colour, runs, &n);
    }
    first[colour] = n;
    *end = n;
    for (uint32_t d = 1; d < world->dim[DIM_domains].used; ++d) {
        const uint32_t index = order[domains[d].body_first], begun = *end;
        for (uint32_t c = 0; list_colour(world, index, of_vertices, c, runs, end);)
            ++c;
        const uint32_t listed = *end - begun;
        if (runs == world_runs(world))
            domains[d].run_first = begun, domains[d].run_count = listed;
        else
            domains[d].part_first = begun, domains[d].part_count = listed;
    }
    return colour;
}

/* What a step costs, on a machine like any: a body, a particle, an element visited by an iteration.
 */
#define BODY_NS     1000u
#define PARTICLE_NS 20u
#define ELEMENT_NS  20u

static uint64_t work_of(const piola_world *world)
{
    const uint32_t bodies = world->shared_count + world->alone_count;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < bodies; ++i) {
        const struct body *body = &world_bodies(world)[world_order(world)[i]];
        const piola_asset_stats *stats = &body_asset(world, body)->stats;
        const uint64_t elements = (uint64_t)stats->tetrahedra + stats->triangles + stats->bends;
        sum += BODY_NS + PARTICLE_NS * (uint64_t)body->count +
               ELEMENT_NS * elements * world->desc.iterations;
    }
    return sum * world->desc.substeps;
}

/* High-water marks of the scratch that bodies, chunks and parts take. */
static void use_scratch(piola_world *world, uint32_t run_end)
{
    const uint64_t bodies = (uint64_t)world->shared_count + world->alone_count;
    const uint64_t chunks = world->dim[DIM_chunks].used;
    const uint64_t parts = (uint64_t)world->part_end + chunks;
    const struct {
        enum dimension dimension;
        uint64_t used;
    } rows[] = {{DIM_measures, bodies},
                {DIM_islands, world->shared_count > 0 ? world->desc.max_bodies : 0},
                {DIM_momenta, bodies},
                {DIM_sums, chunks},
                {DIM_partials, parts},
                {DIM_energies, bodies},
                {DIM_energy_parts, world->part_end},
                {DIM_energy_chunks, chunks},
                {DIM_tickets, parts + run_end > bodies ? parts + run_end : bodies}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const uint64_t most = world->dim[rows[i].dimension].capacity;
        dimension_use(world, rows[i].dimension, rows[i].used < most ? rows[i].used : most);
    }
}

/* Where the strains of bodies are, while there is room for them. */
static void list_strains(piola_world *world)
{
    const uint32_t bodies = world->shared_count + world->alone_count;
    const uint64_t room = world->dim[DIM_strains].capacity;
    uint64_t n = 0, without = 0;
    for (uint32_t i = 0; i < bodies; ++i) {
        const uint32_t index = world_order(world)[i];
        const piola_asset *asset = body_asset(world, &world_bodies(world)[index]);
        const struct asset_strains strains = asset_strains(asset);
        const bool fits = strains.packs <= room - n;
        struct strain_room *to = &world_strain_room(world)[index];
        *to = (struct strain_room){NO_STRAINS, NO_STRAINS};
        without += !fits && world_descends(&world->desc);
        if (!fits)
            continue;
        if (strains.began)
            to->began = (uint32_t)n;
        if (strains.held)
            to->held = (uint32_t)(n + (strains.began ? asset->at.visits.count : 0));
        n += strains.packs;
    }
    world->dim[DIM_strains].dropped += without;
    dimension_use(world, DIM_strains, n);
}

void schedule_update(piola_world *world)
{
    uint32_t run_end = 0;
    if (world->scheduled)
        return;
    list_bodies(world);
    list_domains(world);
    world->work = work_of(world);
    moments_list(world);
    list_chunks(world);
    world->colours = list_runs(world, world_descends(&world->desc), world_runs(world),
                               world_colour_first(world), &run_end);
    world->part_colours = world->part_end = 0;
    if (world_measures_objective(&world->desc) || world_guards_energy(&world->desc) ||
        moments_parts(world)) {
        world->part_colours =
            list_runs(world, false, world_parts(world), world_part_first(world), &world->part_end);
        world_domains(world)[0].part_count = world_part_first(world)[world->part_colours];
    }
    world_domains(world)[0].run_count = world_colour_first(world)[world->colours];
    list_strains(world);
    use_scratch(world, run_end);
    dimension_use(world, DIM_runs, run_end > world->part_end ? run_end : world->part_end);
    dimension_use(world, DIM_colours, world->colours);
    world->scheduled = true;
}
