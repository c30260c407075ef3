/* measure.c - the objective of a substep, and how well the solver met it: for reports and
 * safeguards.
 *
 * Sums run in a fixed order: lanes and a fixed tree inside the kernels, then clusters and chunks in
 * the order of the asset. So they have the same bits for any number of threads.
 */
#include "couple.h"
#include "solve.h"

#include <string.h>

static struct partial total(const struct step *step, struct pk_measure *lanes)
{
    step->kernels->measure_total(lanes);
    return (struct partial){
        .objective = lanes->elastic[0] + lanes->inertial[0],
        .residual = lanes->residual[0],
        .stretch = lanes->stretch[0],
        .inverted = lanes->inverted[0],
    };
}

void measure_clear(const struct step *step, uint32_t first, uint32_t count)
{
    memset(world_force(step->world) + first, 0, count * sizeof(struct pk_quad));
}

static void measure_tets(const struct step *step, const struct body *body,
                         const struct asset_cluster *of, struct pk_quad *force,
                         struct pk_measure *lanes)
{
    const piola_world *w = step->world;
    const piola_asset *asset = body_asset(w, body);
    const struct pk_solve solve = solve_parameters(step, body);
    const uint32_t *materials = asset_tet_pack_materials(asset);
    const uint32_t end = of->tet_first + of->tet_count;
    for (uint32_t at = of->tet_first; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        step->kernels->measure_tets(world_position(w) + body->first, world_start(w) + body->first,
                                    asset_tet_packs(asset) + at, solve_cells(asset, KIND_TET, at),
                                    world_plastic(w) + body->plastic_first, count,
                                    asset_materials(asset) + materials[at], &solve, force, lanes);
        at += count;
    }
}

struct partial measure_cluster(const struct step *step, const struct body *body, uint32_t cluster,
                               bool forces)
{
    const piola_asset *asset = body_asset(step->world, body);
    const struct asset_cluster *of = clusters_of(asset, false).cluster + cluster;
    struct pk_quad *force = forces ? world_force(step->world) + body->first : NULL;
    struct pk_measure lanes;
    memset(&lanes, 0, sizeof lanes);
    measure_tets(step, body, of, force, &lanes);
    measure_triangles(step, body, of, force, &lanes);
    measure_bends(step, body, of, force, &lanes);
    return total(step, &lanes);
}

struct partial measure_chunk(const struct step *step, const struct body *body, uint32_t first,
                             uint32_t count, bool forces)
{
    const piola_world *w = step->world;
    const struct pk_solve solve = solve_parameters(step, body);
    struct pk_measure lanes;
    const struct pk_quad *extra = couple_extra(w, body);
    extra = extra ? extra + (first - body->first) : NULL;
    memset(&lanes, 0, sizeof lanes);
    step->kernels->measure_particles(world_position(w) + first, world_target(w) + first,
                                     forces ? world_force(w) + first : NULL, extra, body->count,
                                     count, &solve, &lanes);
    return total(step, &lanes);
}

void measure_add(struct partial *sum, const struct partial *part)
{
    sum->objective += part->objective;
    sum->inverted += part->inverted;
    sum->residual = part->residual > sum->residual ? part->residual : sum->residual;
    sum->stretch = part->stretch > sum->stretch ? part->stretch : sum->stretch;
}
