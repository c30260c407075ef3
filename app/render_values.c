#include "render_values.h"

#include "asset/asset.h"

#include <math.h>
#include <string.h>

#define STATES 256u /* read at a time */

static double value_of(const piola_element_state *state, enum render_measure measure)
{
    double sum = 0.0;
    if (measure == RENDER_STRESS) {
        return (double)state->von_mises;
    }
    for (size_t k = 0; k < 6; k++) {
        double e = (double)state->green_strain[k];
        sum += (k < 3 ? 1.0 : 2.0) * e * e;
    }
    return sqrt(sum);
}

/* Adds the elements' values to their corners. */
static void add_elements(const piola_world *world, piola_body body, const uint32_t *elements,
                         uint32_t count, uint32_t corners, enum render_measure measure,
                         double *sums, float *values)
{
    piola_element_state states[STATES];
    for (uint32_t first = 0; first < count; first += STATES) {
        uint32_t some = count - first < STATES ? count - first : STATES;
        piola_status status = corners == 4
                                  ? piola_body_tetrahedron_states(world, body, first, some, states)
                                  : piola_body_triangle_states(world, body, first, some, states);
        for (uint32_t i = 0; i < some && status == PIOLA_OK; i++) {
            double volume = (double)states[i].rest_volume;
            double value = value_of(&states[i], measure);
            for (uint32_t c = 0; c < corners; c++) {
                uint32_t v = elements[(size_t)corners * (first + i) + c];
                sums[v] += volume;
                values[v] += (float)(value * volume);
            }
        }
    }
}

void render_values_elements(const struct meshgen *rest, const piola_world *world, piola_body body,
                            enum render_measure measure, double *sums, float *values)
{
    memset(sums, 0, rest->vertex_count * sizeof *sums);
    memset(values, 0, rest->vertex_count * sizeof *values);
    if (rest->tetrahedron_count > 0) {
        add_elements(world, body, rest->tetrahedra, rest->tetrahedron_count, 4, measure, sums,
                     values);
    } else {
        add_elements(world, body, rest->triangles, rest->triangle_count, 3, measure, sums, values);
    }
    for (uint32_t v = 0; v < rest->vertex_count; v++) {
        values[v] = sums[v] > 0.0 ? (float)((double)values[v] / sums[v]) : 0.0f;
    }
}

/* The cluster of each vertex, or with `packs_wanted` the pack of 16 that it is moved in. */
static void cluster_of_vertices(const piola_asset *asset, uint32_t vertex_count, bool packs_wanted,
                                uint32_t *clusters)
{
    const struct asset_cluster *list = asset_vertex_clusters(asset);
    const struct pk_vertex_pack *packs = asset_vertex_packs(asset);
    const uint32_t *vertex_of = asset_vertex_of_particle(asset);
    for (uint32_t c = 0; c < asset->at.vertex_clusters.count; c++) {
        for (uint32_t p = 0; p < list[c].packs[KIND_VERTEX].count; p++) {
            for (uint32_t lane = 0; lane < PK_LANES; lane++) {
                uint32_t v = vertex_of[packs[list[c].packs[KIND_VERTEX].first + p].self[lane]];
                if (v < vertex_count) {
                    clusters[v] = packs_wanted ? p : c;
                }
            }
        }
    }
}

static void cluster_of_elements(const struct meshgen *rest, const piola_asset *asset,
                                uint32_t *clusters)
{
    const struct asset_cluster *list = asset_clusters(asset);
    const uint32_t *tet_of = asset_tet_of_lane(asset);
    for (uint32_t c = 0; c < asset->at.clusters.count; c++) {
        for (uint32_t lane = 0; lane < list[c].packs[KIND_TET].count * PK_LANES; lane++) {
            uint32_t t = tet_of[(size_t)list[c].packs[KIND_TET].first * PK_LANES + lane];
            for (size_t corner = 0; t < rest->tetrahedron_count && corner < 4; corner++) {
                clusters[rest->tetrahedra[4 * (size_t)t + corner]] = c;
            }
        }
    }
}

void render_values_cluster(const struct meshgen *rest, const piola_asset *asset, uint32_t *clusters)
{
    memset(clusters, 0, rest->vertex_count * sizeof *clusters);
    if (asset->at.vertex_clusters.count > 0) {
        cluster_of_vertices(asset, rest->vertex_count, false, clusters);
    } else {
        cluster_of_elements(rest, asset, clusters);
    }
}

void render_values_turn(const struct meshgen *rest, const piola_asset *asset, uint32_t *turns)
{
    const bool descends = asset->at.vertex_clusters.count > 0;
    if (asset->at.vertex_clusters.count == 1) {
        cluster_of_vertices(asset, rest->vertex_count, true, turns);
        return;
    }
    const uint32_t *first =
        descends ? asset_vertex_cluster_colours(asset) : asset_cluster_colours(asset);
    render_values_cluster(rest, asset, turns);
    for (uint32_t v = 0; v < rest->vertex_count; v++) {
        uint32_t colour = 0;
        while (turns[v] >= first[colour + 1]) {
            colour++;
        }
        turns[v] = colour;
    }
}
