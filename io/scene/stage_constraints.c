/* stage_constraints.c - distances, areas and volumes that are held: of which vertices. */
#include "io/scene/stage.h"

#include <stdlib.h>
#include <string.h>

static bool fail(const struct stage *stage, const struct scene_body *body, uint32_t entry,
                 const char *what, struct problem *problem)
{
    return problem_set(problem, EXIT_SCENE, "%s: the body \"%s\": constraints[%u] %s", stage->path,
                       body->name ? body->name : body->mesh, entry, what);
}

static void add(const struct scene_constraint *from, const uint32_t *v, unsigned corners,
                piola_constraint *list, uint32_t *count)
{
    piola_constraint *to = &list[(*count)++];
    to->kind = (piola_constraint_kind)from->kind;
    to->vertices[3] = PIOLA_NO_VERTEX;
    memcpy(to->vertices, v, corners * sizeof *v);
    memcpy(to->axes[0], from->axis, sizeof from->axis);
    memcpy(to->axes[1], from->across, sizeof from->across);
    to->least = from->least;
    to->most = from->most;
    to->compliance = from->compliance;
    to->stiffness = from->stiffness;
}

static int compare_edges(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool all_marked(const bool *marked, const uint32_t *v, unsigned corners)
{
    for (unsigned i = 0; i < corners; ++i)
        if (!marked[v[i]])
            return false;
    return true;
}

/* Edges with both ends marked, each once. */
static uint32_t find_edges(const struct meshgen *mesh, const bool *marked, uint64_t *edges)
{
    const unsigned corners = mesh_corners(mesh);
    uint32_t found = 0, kept = 0;
    for (uint32_t e = 0; e < mesh_elements(mesh); ++e) {
        const uint32_t *v = mesh_corner_list(mesh) + (size_t)e * corners;
        for (unsigned i = 0; i < corners; ++i)
            for (unsigned k = 0; k < i; ++k)
                if (marked[v[i]] && marked[v[k]])
                    edges[found++] =
                        v[i] < v[k] ? (uint64_t)v[i] << 32 | v[k] : (uint64_t)v[k] << 32 | v[i];
    }
    qsort(edges, found, sizeof *edges, compare_edges);
    for (uint32_t i = 0; i < found; ++i)
        if (i == 0 || edges[i] != edges[i - 1])
            edges[kept++] = edges[i];
    return kept;
}

/* What one entry may come to at most. */
static size_t room_of(const struct scene_constraint *entry, const struct meshgen *mesh)
{
    const size_t corners = mesh_corners(mesh), elements = mesh_elements(mesh);
    if (!entry->box && !entry->sphere)
        return entry->vertices.count / (entry->kind + 2);
    return entry->kind == PIOLA_CONSTRAINT_DISTANCE ? elements * corners * (corners - 1) / 2
                                                    : elements;
}

static bool add_places(struct stage *stage, const struct stage_asset *asset, uint32_t entry,
                       piola_constraint *list, uint32_t *count, struct problem *problem)
{
    const struct scene_constraint *c =
        (const struct scene_constraint *)asset->first->constraints.items + entry;
    const struct meshgen *mesh = asset->mesh;
    const struct scene_pin place = {.box = c->box, .sphere = c->sphere};
    const uint32_t before = *count, chosen_count = stage_pin_select(&place, mesh, NULL);
    uint32_t *chosen = pool_take(&stage->pool, chosen_count, sizeof *chosen, "places", problem);
    bool *marked = pool_take(&stage->pool, mesh->vertex_count, sizeof *marked, "places", problem);
    uint64_t *edges = pool_take(&stage->pool, room_of(c, mesh), sizeof *edges, "places", problem);
    if (!chosen || !marked || !edges)
        return false;
    stage_pin_select(&place, mesh, chosen);
    for (uint32_t i = 0; i < chosen_count; ++i)
        marked[chosen[i]] = true;
    if (c->kind == PIOLA_CONSTRAINT_DISTANCE) {
        const uint32_t found = find_edges(mesh, marked, edges);
        for (uint32_t i = 0; i < found; ++i)
            add(c, (uint32_t[]){(uint32_t)(edges[i] >> 32), (uint32_t)edges[i]}, 2, list, count);
    } else if (c->kind > PIOLA_CONSTRAINT_VOLUME ? mesh_corners(mesh) > 2
                                                 : mesh_corners(mesh) == c->kind + 2) {
        for (uint32_t e = 0; e < mesh_elements(mesh); ++e) {
            const uint32_t *v = mesh_corner_list(mesh) + (size_t)e * mesh_corners(mesh);
            if (all_marked(marked, v, mesh_corners(mesh)))
                add(c, v, mesh_corners(mesh), list, count);
        }
    }
    return *count > before ||
           fail(stage, asset->first, entry,
                "holds nothing of its kind with all corners; volumes are of solids, areas of "
                "cloth, and places are those of the mesh, before the body is moved",
                problem);
}

static bool add_entry(struct stage *stage, const struct stage_asset *asset, uint32_t entry,
                      piola_constraint *list, uint32_t *count, struct problem *problem)
{
    const struct scene_constraint *c =
        (const struct scene_constraint *)asset->first->constraints.items + entry;
    const uint32_t *v = c->vertices.items;
    if (c->box || c->sphere)
        return add_places(stage, asset, entry, list, count, problem);
    for (uint32_t i = 0; i < c->vertices.count; i += c->kind + 2)
        add(c, v + i, c->kind + 2, list, count);
    return true;
}

/* What the engine would refuse, in the scene's words. */
static bool check_order(const struct stage *stage, const struct scene_body *body,
                        struct problem *problem)
{
    const struct scene_constraint *entries = body->constraints.items;
    for (uint32_t i = 0; i < body->constraints.count; ++i)
        if (body->constraint_order == PIOLA_ORDER_AVERAGED && entries[i].compliance > 0)
            return fail(stage, body, i,
                        "has a \"compliance\", which the constraint_order \"averaged\" cannot hold",
                        problem);
    return true;
}

bool stage_constraints(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                       struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct scene_constraint *entries = body->constraints.items;
    size_t room = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < body->constraints.count; ++i)
        room += room_of(&entries[i], asset->mesh);
    if (room == 0)
        return true;
    piola_constraint *list = pool_take(&stage->pool, room, sizeof *list, "constraints", problem);
    if (!list || !check_order(stage, body, problem))
        return false;
    for (uint32_t i = 0; i < body->constraints.count; ++i)
        if (!add_entry(stage, asset, i, list, &count, problem))
            return false;
    desc->constraints = list;
    desc->constraint_count = count;
    desc->constraint_order = (piola_constraint_order)body->constraint_order;
    desc->constraint_relaxation = body->constraint_relaxation;
    return true;
}
