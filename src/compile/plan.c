/* plan.c - piola_plan_size and piola_asset_plan: the phases from a mesh description to a plan, in
 * order, and the memory they share.
 *
 * What a plan keeps lies at the bottom of the scratch; the work space of each phase lies above it
 * and is used again by the next phase. What a phase does lives in its own file.
 */
#include "compile/plan.h"

#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/refuse.h"
#include "compile/asset_layout.h"
#include "compile/bend_matrix.h"
#include "compile/mesh_check.h"
#include "compile/rest_shape.h"
#include "kernels/models.h"

#include <string.h>

/* The mark of a finished plan. */
#define COOKIE_PLAN 0x504c0001u

/* Work spaces, of which one is alive at a time. */
struct work {
    struct mesh_check_work check;
    struct order_work order;
    struct bend_matrix_work rows;
    struct cluster_work cluster;
    struct pack_work pack;
    struct outer_faces_work surface;
    struct colour_work colour;
};

piola_mesh_desc piola_mesh_desc_default(void)
{
    piola_mesh_desc mesh;
    memset(&mesh, 0, sizeof mesh);
    mesh.cookie_ = COOKIE_MESH;
    mesh.compile_for = PIOLA_COMPILE_FOR_PROJECTION | PIOLA_COMPILE_FOR_DESCENT;
    mesh.cluster_limit = 16384;
    mesh.cluster_size = 1024;
    mesh.tether_slack = 1;
    mesh.constraint_relaxation = 1;
    mesh.coarse_level = true;
    return mesh;
}

static void take_cut(struct arena *arena, uint32_t clusters, uint32_t items,
                     struct plan_clusters *cut)
{
    cut->cluster = arena_take(arena, clusters, sizeof(struct asset_cluster));
    cut->colour_first = arena_take(arena, (uint64_t)clusters + 1, sizeof(uint32_t));
    cut->item_first = arena_take(arena, (uint64_t)clusters + 1, sizeof(uint32_t));
    cut->items = arena_take(arena, items, sizeof(uint32_t));
}

/* What the plan keeps. */
static void take_plan(const piola_mesh_desc *mesh, struct arena *arena, struct piola_plan *plan)
{
    const uint32_t vertices = mesh->vertex_count, elements = mesh_elements(mesh);
    plan->order = arena_take(arena, elements, sizeof(uint32_t));
    plan->particle_of_vertex = arena_take(arena, vertices, sizeof(uint32_t));
    plan->vertex_of_particle = arena_take(arena, vertices, sizeof(uint32_t));
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        const uint64_t pairs = (uint64_t)mesh_kind_count(mesh, kind) * mesh_corners(kind);
        plan->incidence[kind].first = arena_take(arena, (uint64_t)vertices + 1, sizeof(uint32_t));
        plan->incidence[kind].item = arena_take(arena, pairs, sizeof(uint32_t));
    }
    bend_matrix_take_plan(mesh, arena, &plan->rows);
    take_cut(arena, cluster_count(mesh, elements), elements, &plan->elements_cut);
    take_cut(arena, cluster_count(mesh, vertices), vertices, &plan->vertices_cut);
    plan->lane_of_element = arena_take(arena, elements, sizeof(uint32_t));
    plan->lane_of_vertex = arena_take(arena, vertices, sizeof(uint32_t));
    for (unsigned part = 0; part < PART_COUNT; part++) {
        plan->parts[part] = asset_parts[part]->take ? asset_parts[part]->take(mesh, arena) : NULL;
    }
    plan->face_used = arena_take(arena, 4 * (uint64_t)mesh->tetrahedron_count, 1);
    coarse_take(mesh, arena, &plan->coarse);
}

piola_status piola_plan_size(const piola_mesh_desc *mesh, size_t *bytes, piola_error *error)
{
    if (bytes == NULL) {
        return refuse(error, PIOLA_ERROR_NULL, "bytes");
    }
    const piola_status status = mesh_check_counts(mesh, error);
    if (status != PIOLA_OK) {
        return status;
    }
    struct arena arena = {0};
    struct piola_plan plan;
    struct work work;
    arena_take(&arena, 1, sizeof plan);
    take_plan(mesh, &arena, &plan);
    const size_t kept = arena.used;
    mesh_check_take(mesh, &arena, &work.check);
    arena.used = kept;
    order_take(mesh, &arena, &work.order);
    arena.used = kept;
    bend_matrix_take(mesh, &arena, &work.rows);
    arena.used = kept;
    cluster_take(mesh, &arena, &work.cluster);
    arena.used = kept;
    pack_take(mesh, &arena, &work.pack);
    for (unsigned part = 0; part < PART_COUNT; part++) {
        arena.used = kept;
        if (asset_parts[part]->work) {
            asset_parts[part]->work(mesh, &arena);
        }
    }
    arena.used = kept;
    outer_faces_take(mesh, &arena, &work.surface);
    arena.used = kept;
    colour_take(mesh, &arena, &work.colour);
    size_t most = arena.most;
    if (arena.too_large || !size_align(&most, PIOLA_ALIGNMENT)) {
        return refuse(error, PIOLA_ERROR_TOO_LARGE, "piola_mesh_desc");
    }
    *bytes = most;
    return PIOLA_OK;
}

static uint32_t branches_of(const piola_material *material)
{
    uint32_t branches = 0;
    for (unsigned b = 0; b < PIOLA_RELAXATIONS; b++)
        branches += material->relaxation[b].share > 0;
    return branches;
}

bool plan_relaxes(const piola_material *material)
{
    return branches_of(material) > 0;
}

uint32_t plan_history(const piola_material *material)
{
    const uint32_t branches = branches_of(material);
    return branches > 0 ? PK_RELAXING_BRANCHES + branches : material->plastic_yield > 0;
}

static bool plain_sheet(const piola_material *material)
{
    return model_strain((int)material->model) && !(material->damping > 0) &&
           !(material->plastic_yield > 0);
}

static uint32_t sheet_material(const struct piola_plan *plan, const piola_mesh_desc *mesh)
{
    const uint32_t first = mesh_kind_first(mesh, KIND_TRIANGLE);
    if (plan->kind_count[KIND_TET] > 0 || plan->kind_count[KIND_TRIANGLE] == 0) {
        return PLAN_NONE;
    }
    for (uint32_t i = 0; i < plan->kind_count[KIND_BEND]; i++) {
        if (rest_folds(mesh, mesh_kind_first(mesh, KIND_BEND) + i)) {
            return PLAN_NONE;
        }
    }
    const uint32_t material = mesh_material(mesh, first);
    for (uint32_t i = 1; i < plan->kind_count[KIND_TRIANGLE]; i++) {
        if (mesh_material(mesh, first + i) != material) {
            return PLAN_NONE;
        }
    }
    return plain_sheet(&mesh->materials[material])
               ? layout_asset_material_base(plan->material_count, plan->kind_count, KIND_TRIANGLE) +
                     material
               : PLAN_NONE;
}

/* Which parts of an asset this mesh needs. */
static void choose_parts(struct piola_plan *plan, const piola_mesh_desc *mesh)
{
    plan->snh = true;
    plan->plastic = false;
    for (uint32_t id = 0; id < plan->kind_count[KIND_TET]; id++) {
        const piola_material *material = &mesh->materials[mesh_material(mesh, id)];
        /* The folded visits know neither damping nor history. */
        plan->snh &= model_quadratic((int)material->model) && !(material->damping > 0) &&
                     plan_history(material) == 0;
    }
    for (uint32_t id = 0; id < mesh_kind_first(mesh, KIND_LINK); id++) {
        plan->plastic |= plan_history(&mesh->materials[mesh_material(mesh, id)]) > 0;
    }
    plan->snh &= plan->kind_count[KIND_TRIANGLE] + plan->kind_count[KIND_BEND] == 0;
    plan->sheet_material = sheet_material(plan, mesh);
    for (uint32_t i = 0; i < plan->kind_count[KIND_TRIANGLE]; i++) {
        const piola_material *material =
            &mesh->materials[mesh_material(mesh, mesh_kind_first(mesh, KIND_TRIANGLE) + i)];
        plan->stats.limited_triangles += material->stretch_min > 0 || material->stretch_max > 0;
    }
    plan->visits = (plan->compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0;
    /* Plastic strain flows, and limits hold, element by element, whatever the solver. */
    plan->packs = plan->elements > 0 &&
                  ((plan->compile_for & PIOLA_COMPILE_FOR_PROJECTION) != 0 || plan->plastic ||
                   plan->coarse.cells > 0 || plan->kind_count[KIND_LINK] > 0 ||
                   plan->stats.limited_triangles > 0);
}

static struct piola_plan *start_plan(const piola_mesh_desc *mesh, struct arena *arena)
{
    struct piola_plan *plan = arena_take(arena, 1, sizeof *plan);
    memset(plan, 0, sizeof *plan);
    take_plan(mesh, arena, plan);
    plan->compile_for = mesh->compile_for;
    plan->vertices = mesh->vertex_count;
    plan->elements = mesh_elements(mesh);
    plan->material_count = mesh->material_count;
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        plan->kind_count[kind] = mesh_kind_count(mesh, kind);
    }
    return plan;
}

/* Order, clusters and packs of a checked mesh. */
static void run_phases(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena)
{
    const size_t kept = arena->used;
    struct work work;
    order_take(mesh, arena, &work.order);
    order_elements(plan, mesh, &work.order);
    order_particles(plan, mesh);
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        order_incidence(plan, mesh, kind);
    }
    enclose_volume(plan, mesh);
    coarse_find(&plan->coarse, mesh);
    choose_parts(plan, mesh);
    arena->used = kept;
    bend_matrix_take(mesh, arena, &work.rows);
    bend_matrix_find(plan, mesh, &work.rows);
    arena->used = kept;
    cluster_take(mesh, arena, &work.cluster);
    cluster_elements(plan, mesh, &work.cluster);
    cluster_vertices(plan, mesh, &work.cluster);
    arena->used = kept;
    pack_take(mesh, arena, &work.pack);
    if (plan->packs) {
        pack_elements(plan, mesh, &work.pack);
    }
    if (plan->visits) {
        pack_vertices(plan, mesh, &work.pack);
    }
    for (unsigned part = 0; part < PART_COUNT; part++) {
        arena->used = kept;
        if (asset_parts[part]->plan) {
            asset_parts[part]->plan(plan, mesh, arena);
        }
    }
    arena->used = kept;
    outer_faces_take(mesh, arena, &work.surface);
    outer_faces_find(plan, mesh, &work.surface);
    arena->used = kept;
    colour_take(mesh, arena, &work.colour);
    colour_greedy(plan, mesh, &work.colour);
}

piola_status piola_asset_plan(const piola_mesh_desc *mesh, void *scratch, size_t bytes,
                              piola_plan **plan, piola_error *error)
{
    IN_PLAIN_MODE;
    size_t needed = 0;
    piola_status status = piola_plan_size(mesh, &needed, error);
    if (status != PIOLA_OK) {
        return status;
    }
    if (scratch == NULL || plan == NULL) {
        return refuse(error, PIOLA_ERROR_NULL, scratch == NULL ? "scratch" : "plan");
    }
    if ((uintptr_t)scratch % PIOLA_ALIGNMENT != 0) {
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "scratch");
    }
    if (bytes < needed) {
        return refuse(error, PIOLA_ERROR_MEMORY, "bytes");
    }
    struct arena arena = {.base = scratch};
    struct piola_plan *made = start_plan(mesh, &arena);
    const size_t kept = arena.used;
    struct mesh_check_work check;
    mesh_check_take(mesh, &arena, &check);
    status = mesh_check_content(mesh, &check, error);
    if (status != PIOLA_OK) {
        return status;
    }
    arena.used = kept;
    run_phases(made, mesh, &arena);
    for (unsigned part = 0; part < PART_COUNT; part++) {
        if (asset_parts[part]->fits && !asset_parts[part]->fits(made)) {
            return refuse(error, asset_parts[part]->refused, asset_parts[part]->field);
        }
    }
    layout_asset_count(made);
    plan_viscosity(made, mesh);
    if (made->stats.cluster_colours > ASSET_COLOURS_MAX ||
        made->stats.vertex_cluster_colours > ASSET_COLOURS_MAX) {
        return refuse(error, PIOLA_ERROR_COLOURS, "piola_mesh_desc.cluster_size");
    }
    made->cookie = COOKIE_PLAN;
    *plan = made;
    return PIOLA_OK;
}

size_t piola_plan_asset_size(const piola_plan *plan)
{
    return plan == NULL || plan->cookie != COOKIE_PLAN ? 0 : layout_asset_bytes(plan);
}
