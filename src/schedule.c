/* schedule.c - who does what in a step: lists of bodies, chunks of particles and clusters.
 *
 * Made anew at the start of a step when bodies were created or destroyed. Depends on the bodies
 * alone, never on the number of threads; so does the order of the arithmetic.
 */
#include "schedule.h"

#include "contact.h"

#include "limit.h"
#include "rigid.h"

struct clusters clusters_of(const piola_asset *asset, bool of_vertices)
{
    return of_vertices ? (struct clusters){asset_vertex_clusters(asset),
                                           asset_vertex_cluster_colours(asset),
                                           asset->stats.vertex_clusters,
                                           asset->stats.vertex_cluster_colours}
                       : (struct clusters){asset_clusters(asset), asset_cluster_colours(asset),
                                           asset->stats.clusters, asset->stats.cluster_colours};
}

static void list_bodies(piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    world->whole_count = world->large_count = world->coupled_count = 0;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        if (!(bodies[i].flags & BODY_ALIVE))
            continue;
        const bool coupled = world_ties(world)[i] != 0 || contact_any(world) || rigid_any(world),
                   descends = world_descends(&world->desc);
        world->coupled_count += coupled;
        if (!coupled && clusters_of(body_asset(world, &bodies[i]), descends).count <= 1)
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

/* Runs of one colour, over all large bodies, follow each other: they are one stage. Returns the
 * number of colours. */
static uint32_t list_runs(const piola_world *world, bool of_vertices, struct run *runs,
                          uint32_t *first)
{
    uint32_t n = 0, colour = 0;
    for (bool more = true; more && colour < MAX_COLOURS; colour += more) {
        first[colour] = n;
        more = false;
        for (uint32_t i = 0; i < world->large_count; ++i) {
            const uint32_t body = world_large(world)[i];
            const struct clusters of =
                clusters_of(body_asset(world, &world_bodies(world)[body]), of_vertices);
            if (colour >= of.colours)
                continue;
            more = true;
            for (uint32_t c = of.colour_first[colour]; c < of.colour_first[colour + 1]; ++c)
                runs[n++] = (struct run){body, c};
        }
    }
    first[colour] = n;
    return colour;
}

/* Where each body's multipliers of links begin; which stages the limits of large bodies need. */
static void list_limits(piola_world *world)
{
    const struct body *bodies = world_bodies(world);
    uint32_t links = 0;
    world->limit_colours = 0;
    world->tethered = false;
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i) {
        world_link_first(world)[i] = links;
        links += bodies[i].flags & BODY_ALIVE ? body_asset(world, &bodies[i])->stats.link_packs : 0;
    }
    for (uint32_t i = 0; i < world->large_count; ++i) {
        const piola_asset *asset = body_asset(world, &bodies[world_large(world)[i]]);
        world->tethered |= limit_tethers(asset);
        if (limit_elements(asset) && asset->stats.cluster_colours > world->limit_colours)
            world->limit_colours = asset->stats.cluster_colours;
    }
}

/* High-water marks of the scratch that bodies, chunks and parts take. */
static void use_scratch(piola_world *world)
{
    const uint64_t bodies = (uint64_t)world->whole_count + world->large_count;
    const uint64_t runs = world_colour_first(world)[world->colours];
    const uint64_t parts = (uint64_t)world->part_count + world->chunk_count;
    const struct {
        enum dimension dimension;
        uint64_t used;
    } rows[] = {{DIM_measures, bodies},
                {DIM_momenta, bodies},
                {DIM_sums, world->chunk_count},
                {DIM_partials, parts},
                {DIM_tickets, parts + runs > bodies ? parts + runs : bodies}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const uint64_t most = world->dim[rows[i].dimension].capacity;
        dimension_use(world, rows[i].dimension, rows[i].used < most ? rows[i].used : most);
    }
}

void schedule_update(piola_world *world)
{
    if (world->scheduled)
        return;
    list_bodies(world);
    contact_list(world);
    list_chunks(world);
    world->colours = list_runs(world, world_descends(&world->desc), world_runs(world),
                               world_colour_first(world));
    list_limits(world);
    world->part_colours = world_lists_parts(&world->desc) || world->dim[DIM_balloons].used > 0 ||
                                  world->limit_colours > 0
                              ? list_runs(world, false, world_parts(world), world_part_first(world))
                              : 0;
    world->part_count = world->part_colours ? world_part_first(world)[world->part_colours] : 0;
    use_scratch(world);
    dimension_use(world, DIM_runs, world_colour_first(world)[world->colours]);
    dimension_use(world, DIM_colours, world->colours);
    world->scheduled = true;
}
