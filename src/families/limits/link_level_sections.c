/* link_level_sections.c - the level of a mesh of links alone, none of which closes a ring: in which
 * order its vertices are eliminated. From the far ends of the links' graph inwards: each then has
 * at most one link to a later one, and its factor fills no place that no link has.
 */
#include "families/limits/link_level.h"

#include "compile/build.h"
#include "verify/verify.h"

#include <string.h>

struct level_plan {
    uint32_t *order; /* vertices */
    uint32_t *place; /* of vertices */
    bool some;
};

static bool wanted(const piola_mesh_desc *mesh)
{
    return mesh->coarse_level && mesh->link_count > 0 && mesh->constraint_count == 0 &&
           mesh->tetrahedron_count + mesh->triangle_count + mesh->bend_count == 0 &&
           (mesh->compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0;
}

static struct level_plan *plan_of(const struct piola_plan *plan)
{
    return plan->parts[PART_link_level];
}

static void *take(const piola_mesh_desc *mesh, struct arena *arena)
{
    const uint64_t count = wanted(mesh) ? mesh->vertex_count : 0;
    struct level_plan *kept = arena_take(arena, 1, sizeof *kept);
    const struct level_plan made = {.order = arena_take(arena, count, sizeof(uint32_t)),
                                    .place = arena_take(arena, count, sizeof(uint32_t))};
    if (kept != NULL)
        *kept = made;
    return kept;
}

/* The other vertex of a link. */
static uint32_t other_end(const piola_mesh_desc *mesh, uint32_t link, uint32_t vertex)
{
    const uint32_t *v = mesh_element(mesh, link);
    return v[0] == vertex ? v[1] : v[0];
}

/* Breadth first from a vertex, which becomes the last of those that it reaches: places are filled
 * from the back. Returns the first place that is filled. */
static uint32_t spread(const struct piola_plan *plan, const piola_mesh_desc *mesh, uint32_t from,
                       uint32_t end)
{
    const struct plan_incidence *links = &plan->incidence[KIND_LINK];
    struct level_plan *level = plan_of(plan);
    uint32_t begin = end - 1;
    level->order[begin] = from;
    level->place[from] = begin;
    for (uint32_t at = end; at-- > begin;) {
        const uint32_t v = level->order[at];
        for (uint32_t i = links->first[v]; i < links->first[v + 1]; i++) {
            const uint32_t to = other_end(mesh, links->item[i], v);
            if (level->place[to] != PLAN_NONE)
                continue;
            level->order[--begin] = to;
            level->place[to] = begin;
        }
    }
    return begin;
}

static void find_order(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena)
{
    struct level_plan *level = plan_of(plan);
    (void)arena;
    level->some = wanted(mesh);
    if (!level->some)
        return;
    memset(level->place, 0xff, mesh->vertex_count * sizeof *level->place);
    uint32_t end = mesh->vertex_count, trees = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        if (level->place[v] != PLAN_NONE)
            continue;
        end = spread(plan, mesh, v, end);
        trees++;
    }
    level->some = mesh->link_count + trees == mesh->vertex_count;
}

static void count(struct piola_plan *plan)
{
    const bool some = plan_of(plan)->some;
    plan->counts.link_nodes1 = some ? plan->vertices + 1 : 0;
    plan->counts.link_edges = some ? plan->kind_count[KIND_LINK] : 0;
}

static void build(const struct build *b)
{
    const struct plan_incidence *links = &b->plan->incidence[KIND_LINK];
    const struct level_plan *level = plan_of(b->plan);
    uint32_t edges = 0;
    for (uint32_t i = 0; b->plan->counts.link_nodes1 > 0 && i < b->plan->vertices; i++) {
        const uint32_t v = level->order[i];
        struct link_node *node = &b->at.link_nodes[i];
        node->particle = b->plan->particle_of_vertex[v];
        node->first = edges;
        b->at.link_nodes[node->particle].place = i;
        for (uint32_t k = links->first[v]; k < links->first[v + 1]; k++) {
            const uint32_t to = other_end(b->mesh, links->item[k], v);
            if (level->place[to] > i)
                b->at.link_edges[edges++] = (struct link_edge){
                    b->plan->particle_of_vertex[to], b->plan->lane_of_element[links->item[k]]};
        }
    }
    if (b->plan->counts.link_nodes1 > 0)
        b->at.link_nodes[b->plan->vertices].first = edges;
}

static bool edge_sound(const struct open *o, const struct link_node *nodes, uint32_t at,
                       const struct link_edge *edge)
{
    if (edge->to >= o->vertices || nodes[edge->to].place <= at ||
        edge->lane >= PK_LANES * o->counts.link_packs)
        return false;
    const struct pk_link_pack *pack = &asset_link_packs(o->asset)[edge->lane / PK_LANES];
    const uint32_t a = pack->index[0][edge->lane % PK_LANES],
                   b = pack->index[1][edge->lane % PK_LANES], self = nodes[at].particle;
    return (a == self && b == edge->to) || (b == self && a == edge->to);
}

/* Every particle has one place and at most one link to a later one. */
static bool verify(const struct open *o)
{
    const struct link_node *nodes = asset_link_nodes(o->asset);
    const uint32_t edges = (uint32_t)o->counts.link_edges;
    if (o->counts.link_nodes1 == 0)
        return edges == 0;
    if (o->counts.link_nodes1 != (uint64_t)o->vertices + 1 || nodes[0].first != 0 ||
        nodes[o->vertices].first != edges || edges != o->asset->stats.links ||
        o->asset->stats.tetrahedra + o->asset->stats.triangles > 0)
        return false;
    for (uint32_t i = 0; i < o->vertices; i++) {
        if (nodes[i].particle >= o->vertices || nodes[nodes[i].particle].place != i ||
            nodes[i + 1].first < nodes[i].first || nodes[i + 1].first > edges)
            return false;
        if (nodes[i + 1].first - nodes[i].first > 1)
            return false;
        for (uint32_t e = nodes[i].first; e < nodes[i + 1].first; e++)
            if (!edge_sound(o, nodes, i, &asset_link_edges(o->asset)[e]))
                return false;
    }
    return true;
}

const struct asset_part part_link_level = {
    .name = "link level",
    .take = take,
    .plan = find_order,
    .count = count,
    .build = build,
    .verify = verify,
};
