/* solve.c - lines 3-9 of the paper's Algorithm 1: one pass of the chosen solver over one cluster.
 *
 * Lives here: which kernel does which run of packs. The mathematics is in ispc/. To add a solver,
 * add a function to `solvers`; to add a material, look in ispc/material*.isph.
 */
#include "solve.h"
#include "couple.h"
#include "limit.h"
#include "phases.h"
#include "schedule.h"
#include "touch.h"
#include "untangle.h"

#include <stddef.h>
#include <string.h>

/* An asset of more bytes is read from memory in each iteration, whatever the processor. */
#define CACHED_BYTES (16u << 20)

struct pk_solve solve_parameters(const struct step *step, const struct body *body)
{
    const float inverse = 1 / (step->dt * step->dt);
    const piola_world *world = step->world;
    const bool touching = touch_any(world) && body_touched(world, body);
    return (struct pk_solve){
        .dt = step->dt,
        /* BDF2 weighs inertia by (3/2)^2: x - y is 2/3 of a step's acceleration. */
        .inertia = phase_second_order(step, body) ? 2.25f * inverse : inverse,
        .relaxation = world->desc.relaxation,
        .ahead = body_asset(world, body)->bytes > CACHED_BYTES,
        .touching = touching ? world_touching(world) + body->first : NULL,
        .touches = touching ? world_touches(world) + body->first : NULL,
    };
}

uint32_t solve_same_material(const uint32_t *materials, uint32_t first, uint32_t end)
{
    uint32_t at = first + 1;
    while (at < end && materials[at] == materials[first])
        ++at;
    return at - first;
}

const uint32_t *solve_cells(const piola_asset *asset, unsigned kind, uint32_t first)
{
    if (!asset->plastic_cells)
        return NULL;
    const uint32_t *cells = kind == KIND_TET        ? asset_tet_pack_plastic(asset)
                            : kind == KIND_TRIANGLE ? asset_triangle_pack_plastic(asset)
                                                    : asset_bend_pack_plastic(asset);
    return cells + first;
}

float *solve_multipliers(const struct work *w, uint64_t pack)
{
    return world_multipliers(w->step->world)[w->body->packs_first + pack].value;
}

static void project_tets(const struct work *w, uint32_t first, uint32_t count)
{
    const struct kernels *k = w->step->kernels;
    const struct pk_tet_pack *packs = asset_tet_packs(w->asset) + first;
    const uint32_t *cells = solve_cells(w->asset, KIND_TET, first);
    const struct pk_material *material =
        asset_materials(w->asset) + asset_tet_pack_materials(w->asset)[first];
    switch (w->step->world->desc.solver) {
    case PIOLA_SOLVER_COMPLIANT:
        k->project_compliant(w->x, w->start, packs, cells, w->plastic, solve_multipliers(w, first),
                             count, material, &w->solve);
        break;
    case PIOLA_SOLVER_EXPLICIT:
        k->project_explicit(w->x, w->start, packs, cells, w->plastic, count, material, &w->solve);
        break;
    default:
        k->project_energy(w->x, w->start, packs, cells, w->plastic, count, material, &w->solve);
    }
}

/* Packs one after the other, in runs of one material. */
static void project_kind(const struct work *w, const uint32_t *materials, uint32_t first,
                         uint32_t count,
                         void (*run)(const struct work *w, uint32_t first, uint32_t count))
{
    for (uint32_t at = first; at < first + count;) {
        const uint32_t same = solve_same_material(materials, at, first + count);
        run(w, at, same);
        at += same;
    }
}

static void project(const struct work *w)
{
    const struct asset_cluster *c = w->cluster;
    project_kind(w, asset_tet_pack_materials(w->asset), c->tet_first, c->tet_count, project_tets);
    project_kind(w, asset_triangle_pack_materials(w->asset), c->triangle_first, c->triangle_count,
                 project_triangles);
    project_kind(w, asset_bend_pack_materials(w->asset), c->bend_first, c->bend_count,
                 project_bends);
}

/* Vertices one pack after the other. */
static void descend(const struct work *w)
{
    const struct kernels *k = w->step->kernels;
    const struct pk_quad *target = world_target(w->step->world) + w->body->first;
    const struct pk_vertex_pack *packs = asset_vertex_packs(w->asset) + w->cluster->tet_first;
    const uint32_t count = w->cluster->tet_count, stride = w->body->count;
    const struct pk_quad *extra = couple_extra(w->step->world, w->body);
    const bool solid = w->asset->stats.triangles + w->asset->stats.bends == 0;
    const struct pk_triangle_visit *triangles = solid ? NULL : asset_triangle_visits(w->asset);
    const struct pk_bend_row *rows = asset_bend_rows(w->asset);
    const struct pk_material *materials = asset_materials(w->asset);
    const uint32_t material_count = (uint32_t)w->asset->at.materials.count;
    if (w->asset->at.visits_snh.count > 0)
        k->descend_snh(w->x, target, asset_rest(w->asset), packs, asset_visits_snh(w->asset), count,
                       extra, stride, &w->solve);
    else if (w->asset->sheet_material != UINT32_MAX)
        k->descend_cloth(w->x, target, packs, triangles, rows, count, materials, material_count,
                         w->asset->sheet_material, extra, stride, &w->solve);
    else
        k->descend(w->x, target, w->start, packs, asset_visits(w->asset),
                   w->asset->plastic_cells ? asset_visit_plastic(w->asset) : NULL, triangles,
                   w->asset->plastic_cells ? asset_triangle_visit_plastic(w->asset) : NULL, rows,
                   asset_fold_visits(w->asset),
                   w->asset->plastic_cells ? asset_fold_visit_plastic(w->asset) : NULL, w->plastic,
                   count, materials, material_count, extra, stride, &w->solve);
}

void phase_prepare(const struct step *step, const struct body *body)
{
    if (body->packs_count)
        memset(world_multipliers(step->world) + body->packs_first, 0,
               body->packs_count * sizeof(struct multiplier_cell));
    limit_prepare(step, body);
    if (untangles(body))
        untangle_pull(step, body);
}

/* Asks for memory before it is needed; what it names is not read. */
static void ask_for(const void *memory, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += 64)
        __builtin_prefetch((const char *)memory + at);
}

/* The cluster after this one is mostly this worker's too: work_stage() of jobs.c. Its corners are
 * asked for by kernels, which must find the packs that name them; its materials by project_kind. */
static void look_ahead(struct work *w, uint32_t next)
{
    const piola_asset *asset = w->asset;
    if (!w->solve.ahead || next >= asset->stats.clusters)
        return;
    const struct asset_cluster *c = asset_clusters(asset) + next;
    ask_for(c + 1, sizeof *c);
    ask_for(asset_triangle_pack_materials(asset) + c->triangle_first,
            c->triangle_count * sizeof(uint32_t));
    ask_for(asset_bend_pack_materials(asset) + c->bend_first, c->bend_count * sizeof(uint32_t));
    if (c->triangle_count < PK_NEXT)
        return;
    w->solve.next = asset_triangle_packs(asset) + c->triangle_first;
    for (uint32_t i = 0; i < PK_NEXT; ++i)
        ask_for(w->solve.next[i].index, sizeof w->solve.next[i].index);
}

/* The particles that a cluster of vertices moves are in a row (cut.c: start): which, tells one. */
static void name_row(struct pk_solve *solve, const piola_asset *asset, uint32_t particle)
{
    const uint64_t vertices = asset->at.particle_of_vertex.count;
    const uint64_t clusters = asset->stats.vertex_clusters;
    if (particle >= vertices)
        return;
    const uint64_t along = (((uint64_t)particle + 1) * clusters - 1) / vertices;
    solve->next_first = (uint32_t)(along * vertices / clusters);
    solve->next_count = (uint32_t)((along + 1) * vertices / clusters) - solve->next_first;
}

/* The same for vertices. What is read here of the next cluster was asked for one cluster ago. */
static void look_ahead_of_vertices(struct work *w, uint32_t next)
{
    const piola_asset *asset = w->asset;
    if (!w->solve.ahead || next >= asset->stats.vertex_clusters)
        return;
    const struct asset_cluster *c = asset_vertex_clusters(asset) + next;
    const struct pk_vertex_pack *packs = asset_vertex_packs(asset);
    if (c->tet_count == 0)
        return;
    const struct pk_vertex_pack *first = packs + c->tet_first;
    name_row(&w->solve, asset, first->self[0]);
    w->solve.next_rows = asset_bend_rows(asset) + first->bend_first;
    w->solve.next_row_count = (uint32_t)asset->at.bend_rows.count - first->bend_first;
    if (next + 1 < asset->stats.vertex_clusters)
        ask_for(packs + c[1].tet_first, offsetof(struct pk_vertex_pack, reserved));
}

void phase_solve(const struct step *step, const struct body *body, uint32_t cluster)
{
    const piola_world *world = step->world;
    const bool descent = world_descends(&world->desc);
    if (untangles(body))
        return;
    struct work work = {
        .step = step,
        .body = body,
        .asset = body_asset(world, body),
        .x = world_position(world) + body->first,
        .start = world_start(world) + body->first,
        .plastic = world_plastic(world) + body->plastic_first,
        .solve = solve_parameters(step, body),
    };
    work.cluster = clusters_of(work.asset, descent).cluster + cluster;
    if (descent) {
        look_ahead_of_vertices(&work, cluster + 1);
        descend(&work);
    } else {
        look_ahead(&work, cluster + 1);
        project(&work);
    }
}

static void flow(const struct step *step, const struct body *body, const struct pk_solve *solve)
{
    const piola_world *world = step->world;
    const piola_asset *asset = body_asset(world, body);
    const uint32_t *materials = asset_tet_pack_materials(asset);
    const uint32_t end = (uint32_t)asset->at.tet_packs.count;
    for (uint32_t at = 0; at < end;) {
        const uint32_t count = solve_same_material(materials, at, end);
        const struct pk_material *material = asset_materials(asset) + materials[at];
        if (material->yield > 0)
            step->kernels->plastic_flow(
                world_position(world) + body->first, asset_tet_packs(asset) + at,
                solve_cells(asset, KIND_TET, at), world_plastic(world) + body->plastic_first, count,
                material, solve);
        at += count;
    }
}

void phase_flow(const struct step *step, const struct body *body)
{
    if (body->plastic_count == 0)
        return;
    const struct pk_solve solve = solve_parameters(step, body);
    flow(step, body, &solve);
    flow_triangles(step, body, &solve);
    flow_bends(step, body, &solve);
}
