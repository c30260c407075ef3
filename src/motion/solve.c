/* solve.c - lines 3-9 of the paper's Algorithm 1: one pass of the chosen solver over one cluster.
 *
 * Lives here: which kernel does which run of packs. The mathematics is in ispc/. To add a solver,
 * add a case to projection(); to add a material, see docs/method/solids.md.
 */
#include "motion/solve.h"
#include "motion/coarse.h"
#include "motion/external.h"
#include "motion/phases.h"
#include "world/guides.h"

#include <stddef.h>
#include <string.h>

/* An asset of more bytes is read from memory in each iteration, whatever the processor. */
#define CACHED_BYTES (16u << 20)

struct pk_solve solve_parameters(const struct step *step, const struct body *body)
{
    const float inverse = 1 / (step->dt * step->dt);
    const piola_world *world = step->world;
    const bool touching = body_touched(world, body);
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

static const uint32_t *pack_materials(const piola_asset *asset, unsigned kind)
{
    return kind == KIND_TET        ? asset_tet_pack_materials(asset)
           : kind == KIND_TRIANGLE ? asset_triangle_pack_materials(asset)
                                   : asset_bend_pack_materials(asset);
}

static const uint32_t *pack_cells(const piola_asset *asset, unsigned kind)
{
    return kind == KIND_TET        ? asset_tet_pack_plastic(asset)
           : kind == KIND_TRIANGLE ? asset_triangle_pack_plastic(asset)
                                   : asset_bend_pack_plastic(asset);
}

/* XPBD's multipliers of the body's packs: of tetrahedra, then triangles, then bends. */
static float *multipliers(const struct work *w, unsigned kind, uint32_t pack)
{
    const uint64_t tets = w->asset->at.tet_packs.count;
    const uint64_t before = kind == KIND_TET        ? 0
                            : kind == KIND_TRIANGLE ? tets
                                                    : tets + w->asset->at.triangle_packs.count;
    return world_multipliers(w->step->world)[w->body->packs_first + before + pack].value;
}

struct pk_element_job solve_job(const struct work *w, unsigned kind, uint32_t first, uint32_t end)
{
    const piola_asset *asset = w->asset;
    const uint32_t *materials = pack_materials(asset, kind);
    return (struct pk_element_job){
        .x = w->x,
        .start = w->start,
        .tets = kind == KIND_TET ? asset_tet_packs(asset) + first : NULL,
        .triangles = kind == KIND_TRIANGLE ? asset_triangle_packs(asset) + first : NULL,
        .bends = kind == KIND_BEND ? asset_bend_packs(asset) + first : NULL,
        .cells = asset->plastic_cells ? pack_cells(asset, kind) + first : NULL,
        .plastic = w->plastic,
        .material = asset_materials(asset) + materials[first],
        .solve = &w->solve,
        .count = solve_same_material(materials, first, end),
    };
}

/* A kind's kernel of the world's solver. */
static element_kernel *projection(const struct work *w, unsigned kind)
{
    const struct kernels *k = w->step->kernels;
    switch (w->step->world->desc.solver) {
    case PIOLA_SOLVER_COMPLIANT:
        return kind == KIND_TET        ? k->project_compliant
               : kind == KIND_TRIANGLE ? k->project_triangles_compliant
                                       : k->project_bends_compliant;
    case PIOLA_SOLVER_EXPLICIT:
        return kind == KIND_TET        ? k->project_explicit
               : kind == KIND_TRIANGLE ? k->project_triangles_explicit
                                       : k->project_bends_explicit;
    default:
        return kind == KIND_TET        ? k->project_energy
               : kind == KIND_TRIANGLE ? k->project_triangles_energy
                                       : k->project_bends_energy;
    }
}

/* Packs one after the other, in runs of one material. */
static void project_kind(const struct work *w, unsigned kind, uint32_t first, uint32_t count)
{
    element_kernel *run = projection(w, kind);
    for (uint32_t at = first; at < first + count;) {
        struct pk_element_job job = solve_job(w, kind, at, first + count);
        if (w->step->world->desc.solver == PIOLA_SOLVER_COMPLIANT)
            job.multipliers = multipliers(w, kind, at);
        run(&job);
        at += job.count;
    }
}

static void project(const struct work *w)
{
    const struct asset_cluster *c = w->cluster;
    for (unsigned kind = 0; kind < KIND_ELASTIC_COUNT; ++kind)
        project_kind(w, kind, c->packs[kind].first, c->packs[kind].count);
}

struct pk_descent_job solve_vertex_job(const struct work *w, struct pk_run packs)
{
    const piola_asset *asset = w->asset;
    const bool solid = asset->stats.triangles + asset->stats.bends == 0;
    const bool plastic = asset->plastic_cells > 0;
    piola_world *world = w->step->world;
    const struct strain_room room = world_strain_room(world)[w->body - world_bodies(world)];
    return (struct pk_descent_job){
        .x = w->x,
        .target = world_target(world) + w->body->first,
        .start = w->start,
        .rest = asset_rest(asset),
        .packs = asset_vertex_packs(asset) + packs.first,
        .visits = asset_visits(asset),
        .visits_snh = asset_visits_snh(asset),
        .triangles = solid ? NULL : asset_triangle_visits(asset),
        .rows = asset_bend_rows(asset),
        .folds = asset_fold_visits(asset),
        .visit_plastic = plastic ? asset_visit_plastic(asset) : NULL,
        .triangle_plastic = plastic ? asset_triangle_visit_plastic(asset) : NULL,
        .fold_plastic = plastic ? asset_fold_visit_plastic(asset) : NULL,
        .fold_damping = asset->at.fold_damping.count > 0 ? asset_fold_damping(asset) : NULL,
        .plastic = w->plastic,
        .began = room.began == NO_STRAINS ? NULL : world_strains(world) + room.began,
        .held = room.held == NO_STRAINS ? NULL : world_strains(world) + room.held,
        .materials = asset_materials(asset),
        .external = external_of(w->step->world, w->body),
        .guides = guides_ways(w->step->world, w->body),
        .solve = &w->solve,
        .count = packs.count,
        .material_count = (uint32_t)asset->at.materials.count,
        .stride = w->body->count,
        .sheet_material = asset->sheet_material,
    };
}

void solve_vertices(const struct work *w, const struct pk_descent_job *job)
{
    const struct kernels *k = w->step->kernels;
    if (w->asset->at.visits_snh.count > 0)
        k->descend_snh(job);
    else if (w->asset->sheet_material != UINT32_MAX)
        k->descend_cloth(job);
    else
        k->descend(job);
}

void phase_prepare(const struct step *step, const struct body *body)
{
    if (body->packs_count)
        memset(world_multipliers(step->world) + body->packs_first, 0,
               body->packs_count * sizeof(struct multiplier_cell));
    viscoelastic_begin(step, body);
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
    ask_for(asset_triangle_pack_materials(asset) + c->packs[KIND_TRIANGLE].first,
            c->packs[KIND_TRIANGLE].count * sizeof(uint32_t));
    ask_for(asset_bend_pack_materials(asset) + c->packs[KIND_BEND].first,
            c->packs[KIND_BEND].count * sizeof(uint32_t));
    if (c->packs[KIND_TRIANGLE].count < PK_NEXT)
        return;
    w->solve.next = asset_triangle_packs(asset) + c->packs[KIND_TRIANGLE].first;
    for (uint32_t i = 0; i < PK_NEXT; ++i)
        ask_for(w->solve.next[i].index, sizeof w->solve.next[i].index);
}

/* The particles that a cluster of vertices moves are in a row (clusters.c: start): which, tells
 * one. */
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
    if (c->packs[KIND_VERTEX].count == 0)
        return;
    const struct pk_vertex_pack *first = packs + c->packs[KIND_VERTEX].first;
    name_row(&w->solve, asset, first->self[0]);
    w->solve.next_rows = asset_bend_rows(asset) + first->visits[PK_VISIT_BEND].first;
    w->solve.next_row_count =
        (uint32_t)asset->at.bend_rows.count - first->visits[PK_VISIT_BEND].first;
    if (next + 1 < asset->stats.vertex_clusters)
        ask_for(packs + c[1].packs[KIND_VERTEX].first, offsetof(struct pk_vertex_pack, reserved));
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
        work.solve.relaxation = coarse_acts(world, body) ? COARSE_RELAXATION : 1;
        look_ahead_of_vertices(&work, cluster + 1);
        const struct pk_descent_job job = solve_vertex_job(&work, work.cluster->packs[KIND_VERTEX]);
        solve_vertices(&work, &job);
    } else {
        look_ahead(&work, cluster + 1);
        project(&work);
    }
}

void phase_strains(const struct step *step, const struct body *body, uint32_t cluster)
{
    const piola_world *world = step->world;
    const struct work work = {
        .step = step,
        .body = body,
        .asset = body_asset(world, body),
        .start = world_start(world) + body->first,
        .plastic = world_plastic(world) + body->plastic_first,
    };
    const struct asset_cluster *c = &asset_vertex_clusters(work.asset)[cluster];
    const struct pk_descent_job job = solve_vertex_job(&work, c->packs[KIND_VERTEX]);
    if ((job.began || job.held) && !untangles(body))
        step->kernels->visit_strains(&job);
}

/* Flow of the body's packs of a kind, in runs of one material. */
static void flow(const struct work *w, unsigned kind, uint64_t packs, element_kernel *run)
{
    const uint32_t end = (uint32_t)packs;
    for (uint32_t at = 0; at < end;) {
        const struct pk_element_job job = solve_job(w, kind, at, end);
        if (job.material->yield > 0)
            run(&job);
        at += job.count;
    }
}

void phase_flow(const struct step *step, const struct body *body)
{
    damping_apply(step, body);
    if (body->plastic_count == 0)
        return;
    viscoelastic_end(step, body);
    const piola_world *world = step->world;
    const struct kernels *k = step->kernels;
    const struct work work = {
        .step = step,
        .body = body,
        .asset = body_asset(world, body),
        .x = world_position(world) + body->first,
        .plastic = world_plastic(world) + body->plastic_first,
        .solve = solve_parameters(step, body),
    };
    flow(&work, KIND_TET, work.asset->at.tet_packs.count, k->plastic_flow);
    flow(&work, KIND_TRIANGLE, work.asset->at.triangle_packs.count, k->plastic_flow_triangles);
    flow(&work, KIND_BEND, work.asset->at.bend_packs.count, k->plastic_flow_bends);
}
