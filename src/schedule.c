/* schedule.c - who does what in a step: lists of bodies, chunks of particles and clusters.
 *
 * Made anew at the start of a step when bodies were created or destroyed. Depends on the bodies
 * alone, never on the number of threads; so does the order of the arithmetic.
 */
#include "schedule.h"

/* The clusters that the world's solver walks over. */
const struct asset_cluster *solver_clusters(const piola_world *world, const piola_asset *asset,
                                            const uint32_t **colour_first, uint32_t *colours)
{
    const bool descent = world->desc.solver == PIOLA_SOLVER_DESCENT;
    *colour_first = descent ? asset_vertex_cluster_colours(asset) : asset_cluster_colours(asset);
    *colours = descent ? asset->stats.vertex_cluster_colours : asset->stats.cluster_colours;
    return descent ? asset_vertex_clusters(asset) : asset_clusters(asset);
}

static uint32_t cluster_count(const piola_world *world, const piola_asset *asset)
{
    return world->desc.solver == PIOLA_SOLVER_DESCENT ? asset->stats.vertex_clusters
                                                      : asset->stats.clusters;
}

static void list_bodies(piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    world->whole_count = world->large_count = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        if (!(bodies[i].flags & BODY_ALIVE))
            continue;
        if (cluster_count(world, body_asset(world, &bodies[i])) <= 1)
            world_whole(world)[world->whole_count++] = i;
        else
            world_large(world)[world->large_count++] = i;
    }
}

static void list_chunks(piola_world *world)
{
    struct chunk *chunks = world_chunks(world);
    uint32_t n = 0;
    for (uint32_t i = 0; i < world->large_count; ++i) {
        const struct body *b = &world_bodies(world)[world_large(world)[i]];
        for (uint32_t at = 0; at < b->count; at += CHUNK) {
            const uint32_t left = b->count - at;
            chunks[n++] =
                (struct chunk){world_large(world)[i], b->first + at, left < CHUNK ? left : CHUNK};
        }
    }
    world->chunk_count = n;
    dimension_use(world, DIM_chunks, n);
}

/* Runs of one colour, over all large bodies, follow each other: they are one stage. */
static void list_runs(piola_world *world)
{
    struct run *runs = world_runs(world);
    uint32_t *first = world_colour_first(world);
    uint32_t n = 0;
    world->colours = 0;
    for (uint32_t colour = 0; colour < MAX_COLOURS; ++colour) {
        first[colour] = n;
        bool more = false;
        for (uint32_t i = 0; i < world->large_count; ++i) {
            const uint32_t body = world_large(world)[i];
            const uint32_t *of = NULL;
            uint32_t colours = 0;
            solver_clusters(world, body_asset(world, &world_bodies(world)[body]), &of, &colours);
            if (colour >= colours)
                continue;
            more = true;
            for (uint32_t c = of[colour]; c < of[colour + 1]; ++c)
                runs[n++] = (struct run){body, c};
        }
        if (!more)
            break;
        world->colours = colour + 1;
    }
    first[world->colours] = n;
    world->run_count = n;
    dimension_use(world, DIM_runs, n);
    dimension_use(world, DIM_colours, world->colours);
}

void schedule_update(piola_world *world)
{
    if (world->scheduled)
        return;
    list_bodies(world);
    list_chunks(world);
    list_runs(world);
    world->scheduled = true;
}
