/* stage_links.c - distances that are held between vertices of a body: which pairs, how long. */
#include "io/base/memory.h"
#include "io/scene/stage.h"

#include <math.h>
#include <stdlib.h>

/* A pair of vertices, the lower one first, and the entry of the body's list that asks for it. */
struct pair {
    uint32_t low, high, entry;
};

#define CHAIN UINT32_MAX /* instead of an entry: a chain's own link */

struct pairs {
    struct pair *list;
    size_t count;
};

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static void add(struct pairs *pairs, uint32_t a, uint32_t b, uint32_t entry)
{
    pairs->list[pairs->count++] = (struct pair){a < b ? a : b, a < b ? b : a, entry};
}

/* Edges of all elements whose ends are both marked; with null marks all. */
static void add_edges(struct pairs *pairs, const struct meshgen *mesh, const bool *marked,
                      uint32_t entry)
{
    const unsigned corners = mesh_corners(mesh);
    for (uint32_t e = 0; e < mesh_elements(mesh); ++e) {
        const uint32_t *v = mesh_corner_list(mesh) + (size_t)e * corners;
        for (unsigned i = 0; i < corners; ++i)
            for (unsigned j = 0; j < i; ++j)
                if (!marked || (marked[v[i]] && marked[v[j]]))
                    add(pairs, v[i], v[j], entry);
    }
}

static bool fail(const struct stage *stage, const struct scene_body *body, uint32_t entry,
                 const char *what, struct problem *problem)
{
    return problem_set(problem, EXIT_SCENE, "%s: the body \"%s\": links[%u] %s", stage->path,
                       body->name ? body->name : body->mesh, entry, what);
}

/* The pairs of one entry. */
static bool add_entry(struct stage *stage, const struct stage_asset *asset, uint32_t entry,
                      struct pairs *pairs, struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct scene_links *links = (const struct scene_links *)body->links.items + entry;
    const struct meshgen *mesh = asset->mesh;
    const size_t before = pairs->count;
    if (!links->box && !links->sphere) {
        const uint32_t *v = links->vertices.items;
        for (uint32_t i = 0; i + 1 < links->vertices.count; i += 2) {
            if (v[i] >= mesh->vertex_count || v[i + 1] >= mesh->vertex_count || v[i] == v[i + 1])
                return fail(stage, body, entry,
                            "names a vertex that the mesh does not have, or a vertex with itself",
                            problem);
            add(pairs, v[i], v[i + 1], entry);
        }
        return true;
    }
    const struct scene_pin place = {.box = links->box, .sphere = links->sphere};
    const uint32_t count = stage_pin_select(&place, mesh, NULL);
    uint32_t *chosen = pool_take(&stage->pool, count, sizeof *chosen, "links", problem);
    bool *marked = pool_take(&stage->pool, mesh->vertex_count, sizeof *marked, "links", problem);
    if (!chosen || !marked)
        return false;
    stage_pin_select(&place, mesh, chosen);
    for (uint32_t i = 0; i < count; ++i)
        marked[chosen[i]] = true;
    add_edges(pairs, mesh, marked, entry);
    return pairs->count > before ||
           fail(stage, body, entry,
                "holds no edge of the mesh with both ends; places are those of the mesh, before "
                "the body is moved",
                problem);
}

/* Sorts them; of equal pairs the last entry's stays, and a chain's own link only alone. */
static void keep_last(struct pairs *pairs)
{
    size_t kept = 0;
    for (size_t i = 0; i < pairs->count; ++i)
        ++pairs->list[i].entry; /* a chain's becomes 0 and so the first */
    qsort(pairs->list, pairs->count, sizeof *pairs->list, compare_pairs);
    for (size_t i = 0; i < pairs->count; ++i) {
        const struct pair *now = &pairs->list[i], *next = now + 1;
        if (i + 1 < pairs->count && now->low == next->low && now->high == next->high)
            continue;
        pairs->list[kept] = *now;
        --pairs->list[kept++].entry;
    }
    pairs->count = kept;
}

static double distance(const struct meshgen *mesh, uint32_t a, uint32_t b)
{
    double square = 0;
    for (size_t k = 0; k < 3; ++k) {
        const double d = mesh->vertices[3 * (size_t)a + k] - mesh->vertices[3 * (size_t)b + k];
        square += d * d;
    }
    return sqrt(square);
}

/* Pairs as the engine takes them. */
static bool describe(struct stage *stage, const struct stage_asset *asset,
                     const struct pairs *pairs, piola_mesh_desc *desc, struct problem *problem)
{
    const struct scene_links *entries = asset->first->links.items;
    const size_t count = pairs->count;
    struct pool *pool = &stage->pool;
    uint32_t *links = pool_take(pool, count, 2 * sizeof *links, "links", problem);
    uint32_t *materials = pool_take(pool, count, sizeof *materials, "links", problem);
    float *lengths = pool_take(pool, count, sizeof *lengths, "links", problem);
    float *bounds = pool_take(pool, count, 2 * sizeof *bounds, "links", problem);
    float *compliances = pool_take(pool, count, sizeof *compliances, "links", problem);
    float *dampings = pool_take(pool, count, sizeof *dampings, "links", problem);
    if (!links || !materials || !lengths || !bounds || !compliances || !dampings)
        return false;
    for (size_t i = 0; i < count; ++i) {
        const struct pair *pair = &pairs->list[i];
        const struct scene_links *entry = pair->entry == CHAIN ? NULL : &entries[pair->entry];
        const double apart = distance(asset->mesh, pair->low, pair->high);
        links[2 * i] = pair->low;
        links[2 * i + 1] = pair->high;
        materials[i] = stage_material_index(stage->scene, asset->first->material);
        lengths[i] = entry && entry->length > 0 ? entry->length : (float)apart;
        bounds[2 * i] = entry ? entry->shortest : 1;
        bounds[2 * i + 1] = entry ? entry->longest : 1;
        compliances[i] = entry ? entry->compliance : 0;
        dampings[i] = entry ? entry->damping : 0;
    }
    desc->links = links;
    desc->link_count = (uint32_t)count;
    desc->link_materials = materials;
    desc->link_lengths = lengths;
    desc->link_bounds = bounds;
    desc->link_compliances = compliances;
    desc->link_dampings = dampings;
    return true;
}

/* A rope of a ton a metre is a forgotten density. */
static bool check_density(const struct stage *stage, const struct stage_asset *asset,
                          struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct scene_material *material =
        (const struct scene_material *)stage->scene->materials.items +
        stage_material_index(stage->scene, body->material);
    return !mesh_is_chain(asset->mesh) || keys_given(&scene_material_table, material, "density") ||
           problem_set(problem, EXIT_SCENE,
                       "%s: the material \"%s\" of the chain \"%s\" needs a \"density\", kg/m",
                       stage->path, material->name, body->name ? body->name : body->mesh);
}

bool stage_links(struct stage *stage, const struct stage_asset *asset, piola_mesh_desc *desc,
                 struct problem *problem)
{
    const struct scene_body *body = asset->first;
    const struct scene_links *entries = body->links.items;
    const struct meshgen *mesh = asset->mesh;
    const unsigned corners = mesh_corners(mesh);
    const size_t edges = (size_t)mesh_elements(mesh) * (corners * (corners - 1) / 2);
    const bool chain = mesh_is_chain(mesh) && !mesh->rod;
    size_t room = chain ? edges : 0;
    for (uint32_t i = 0; i < body->links.count; ++i)
        room += entries[i].box || entries[i].sphere ? edges : entries[i].vertices.count / 2;
    if (room == 0)
        return true;
    struct pairs pairs = {.list = memory_zero(room, sizeof *pairs.list)};
    if (!pairs.list)
        return problem_memory(problem, "links", room * sizeof *pairs.list);
    bool good = check_density(stage, asset, problem);
    if (good && chain)
        add_edges(&pairs, mesh, NULL, CHAIN);
    for (uint32_t i = 0; good && i < body->links.count; ++i)
        good = add_entry(stage, asset, i, &pairs, problem);
    if (good) {
        keep_last(&pairs);
        good = describe(stage, asset, &pairs, desc, problem);
    }
    memory_give(pairs.list);
    return good;
}
