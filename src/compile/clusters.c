/* clusters.c - cuts a large body into clusters along the curve and colours them, so that the
 * clusters of one colour can run on different workers at once. A small body is one cluster.
 *
 * Plain greedy colouring in curve order: the lowest colour that no neighbour has. Which items share
 * a pack is decided in pack_elements.c and pack_vertices.c.
 */
#include "compile/plan.h"

#include <string.h>

#define CROWDED 32u /* clusters at one vertex beyond which its colours are only counted upwards */

uint32_t cluster_count(const piola_mesh_desc *mesh, uint32_t items)
{
    if (mesh_elements(mesh) <= mesh->cluster_limit)
        return 1;
    return items / mesh->cluster_size + (items % mesh->cluster_size != 0);
}

void cluster_take(const piola_mesh_desc *mesh, struct arena *arena, struct cluster_work *work)
{
    const uint32_t by_elements = cluster_count(mesh, mesh_elements(mesh));
    const uint32_t by_vertices = cluster_count(mesh, mesh->vertex_count);
    const uint64_t most = (uint64_t)(by_elements > by_vertices ? by_elements : by_vertices) + 1;
    uint64_t pairs = 0;
    for (unsigned kind = 0; kind < KIND_COUNT; kind++)
        pairs += (uint64_t)mesh_kind_count(mesh, kind) * mesh_corners(kind);
    const uint64_t vertices = mesh->vertex_count;
    work->cluster_of_vertex = arena_take(arena, vertices, sizeof(uint32_t));
    work->collide_first = arena_take(arena, vertices + 1, sizeof(uint32_t));
    work->touch = arena_take(arena, pairs, sizeof(uint32_t));
    work->next = arena_take(arena, vertices, sizeof(uint32_t));
    work->colour = arena_take(arena, most, sizeof(uint32_t));
    work->mark = arena_take(arena, most, sizeof(uint32_t));
    work->place = arena_take(arena, most, sizeof(uint32_t));
}

/* Items [start, start of the next) belong to a cluster: as even as can be. */
static uint32_t start(uint32_t cluster, uint32_t count, uint32_t items)
{
    return (uint32_t)((uint64_t)cluster * items / count);
}

/* The clusters that touch each vertex, each once: elements come in the order of their clusters, so
 * a repetition is always the last one noted. */
static void find_touching(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                          uint32_t count, const struct cluster_work *work)
{
    uint32_t *first = work->collide_first, *last = work->cluster_of_vertex;
    memset(first, 0, ((size_t)plan->vertices + 1) * sizeof *first);
    for (unsigned pass = 0; pass < 2; pass++) {
        memset(last, 0xff, plan->vertices * sizeof *last);
        for (uint32_t cluster = 0; cluster < count; cluster++) {
            const uint32_t end = start(cluster + 1, count, plan->elements);
            for (uint32_t i = start(cluster, count, plan->elements); i < end; i++) {
                const unsigned corners = mesh_corners(mesh_kind(mesh, plan->order[i]));
                const uint32_t *v = mesh_element(mesh, plan->order[i]);
                for (unsigned c = 0; c < corners; c++) {
                    if (last[v[c]] == cluster)
                        continue;
                    last[v[c]] = cluster;
                    if (pass == 0)
                        first[v[c] + 1]++;
                    else
                        work->touch[first[v[c] + 1]++] = cluster;
                }
            }
        }
        for (uint32_t i = 0; pass == 0 && i < plan->vertices; i++)
            first[i + 1] += first[i];
        for (uint32_t i = plan->vertices; pass == 0 && i > 0; i--)
            first[i] = first[i - 1];
    }
}

/* Marks the colours of the clusters that touch a vertex; returns the least colour it allows. */
static uint32_t mark_vertex(const struct cluster_work *work, uint32_t vertex, uint32_t cluster)
{
    const uint32_t end = work->collide_first[vertex + 1];
    if (end - work->collide_first[vertex] > CROWDED)
        return work->next[vertex];
    for (uint32_t i = work->collide_first[vertex]; i < end; i++)
        if (work->touch[i] < cluster)
            work->mark[work->colour[work->touch[i]]] = cluster;
    return 0;
}

static void colour_elements(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                            uint32_t count, const struct cluster_work *work)
{
    memset(work->mark, 0xff, ((size_t)count + 1) * sizeof *work->mark);
    memset(work->next, 0, plan->vertices * sizeof *work->next);
    for (uint32_t cluster = 0; cluster < count; cluster++) {
        const uint32_t begin = start(cluster, count, plan->elements);
        const uint32_t end = start(cluster + 1, count, plan->elements);
        uint32_t colour = 0;
        for (uint32_t i = begin; i < end; i++) {
            const unsigned corners = mesh_corners(mesh_kind(mesh, plan->order[i]));
            const uint32_t *v = mesh_element(mesh, plan->order[i]);
            for (unsigned c = 0; c < corners; c++) {
                const uint32_t least = mark_vertex(work, v[c], cluster);
                colour = least > colour ? least : colour;
            }
        }
        while (work->mark[colour] == cluster)
            colour++;
        work->colour[cluster] = colour;
        for (uint32_t i = begin; i < end; i++) {
            const unsigned corners = mesh_corners(mesh_kind(mesh, plan->order[i]));
            const uint32_t *v = mesh_element(mesh, plan->order[i]);
            for (unsigned c = 0; c < corners; c++) {
                const uint32_t next = work->next[v[c]];
                work->next[v[c]] = colour + 1 > next ? colour + 1 : next;
            }
        }
    }
}

/* Marks the colours of all clusters that an element joins to this vertex. */
static void mark_neighbours(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                            uint32_t vertex, uint32_t cluster, const struct cluster_work *work)
{
    for (unsigned kind = 0; kind < KIND_ELASTIC_COUNT; kind++) {
        const struct plan_incidence *incidence = &plan->incidence[kind];
        const unsigned corners = mesh_corners(kind);
        const uint32_t end = incidence->first[vertex + 1];
        for (uint32_t i = incidence->first[vertex]; i < end; i++) {
            const uint32_t *v = mesh_element(mesh, incidence->item[i]);
            for (unsigned c = 0; c < corners; c++) {
                const uint32_t other = work->cluster_of_vertex[v[c]];
                if (other < cluster)
                    work->mark[work->colour[other]] = cluster;
            }
        }
    }
}

static void colour_vertices(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                            uint32_t count, const struct cluster_work *work)
{
    memset(work->mark, 0xff, ((size_t)count + 1) * sizeof *work->mark);
    for (uint32_t cluster = 0; cluster < count; cluster++) {
        const uint32_t end = start(cluster + 1, count, plan->vertices);
        for (uint32_t i = start(cluster, count, plan->vertices); i < end; i++)
            work->cluster_of_vertex[plan->vertex_of_particle[i]] = cluster;
    }
    for (uint32_t cluster = 0; cluster < count; cluster++) {
        const uint32_t end = start(cluster + 1, count, plan->vertices);
        for (uint32_t i = start(cluster, count, plan->vertices); i < end; i++)
            mark_neighbours(plan, mesh, plan->vertex_of_particle[i], cluster, work);
        uint32_t colour = 0;
        while (work->mark[colour] == cluster)
            colour++;
        work->colour[cluster] = colour;
    }
}

/* Numbers the clusters by colour, those of one colour along the curve, and copies their items. */
static void arrange(struct plan_clusters *cut, uint32_t count, const uint32_t *items,
                    uint32_t item_count, const struct cluster_work *work)
{
    uint32_t *place = work->place;
    memset(cut->colour_first, 0, ((size_t)count + 1) * sizeof *cut->colour_first);
    cut->count = count;
    cut->colours = 0;
    for (uint32_t cluster = 0; cluster < count; cluster++) {
        const uint32_t colour = work->colour[cluster];
        cut->colour_first[colour + 1]++;
        cut->colours = colour + 1 > cut->colours ? colour + 1 : cut->colours;
    }
    for (uint32_t colour = 0; colour < cut->colours; colour++) {
        cut->colour_first[colour + 1] += cut->colour_first[colour];
        place[colour] = cut->colour_first[colour];
    }
    for (uint32_t cluster = 0; cluster < count; cluster++)
        work->mark[place[work->colour[cluster]]++] = cluster;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t begin = start(work->mark[i], count, item_count);
        const uint32_t end = start(work->mark[i] + 1, count, item_count);
        cut->item_first[i] = at;
        memcpy(cut->items + at, items + begin, (size_t)(end - begin) * sizeof *items);
        at += end - begin;
    }
    cut->item_first[count] = at;
}

void cluster_elements(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct cluster_work *work)
{
    const uint32_t count = cluster_count(mesh, plan->elements);
    find_touching(plan, mesh, count, work);
    colour_elements(plan, mesh, count, work);
    arrange(&plan->elements_cut, count, plan->order, plan->elements, work);
}

void cluster_vertices(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct cluster_work *work)
{
    const uint32_t count = cluster_count(mesh, plan->vertices);
    colour_vertices(plan, mesh, count, work);
    arrange(&plan->vertices_cut, count, plan->vertex_of_particle, plan->vertices, work);
}
