/* colour_report.c - how many colours a plain greedy colouring of the whole body would need. Only
 * reported, for comparison: packs and clusters are what the kernels use. */
#include "compile/plan.h"

#include <string.h>

#define WORDS 4u

void colour_take(const piola_mesh_desc *mesh, struct arena *arena, struct colour_work *work)
{
    work->used = arena_take(arena, (uint64_t)mesh->vertex_count * WORDS, sizeof(uint64_t));
    work->next = arena_take(arena, mesh->vertex_count, sizeof(uint32_t));
    work->colour = arena_take(arena, mesh->vertex_count, sizeof(uint32_t));
    work->mark = arena_take(arena, (uint64_t)mesh->vertex_count + 1, sizeof(uint32_t));
}

/* The lowest of 256 colours that no vertex has; beyond them colours at a vertex only count upwards,
 * which keeps a hub of many elements linear. */
static uint32_t element_colour(const uint32_t *v, unsigned corners, const struct colour_work *work)
{
    for (unsigned word = 0; word < WORDS; word++) {
        uint64_t used = 0;
        for (unsigned c = 0; c < corners; c++)
            used |= work->used[(size_t)v[c] * WORDS + word];
        if (~used != 0)
            return word * 64 + (uint32_t)__builtin_ctzll(~used);
    }
    uint32_t colour = WORDS * 64;
    for (unsigned c = 0; c < corners; c++)
        colour = work->next[v[c]] > colour ? work->next[v[c]] : colour;
    return colour;
}

static uint32_t colour_kind(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                            unsigned kind, const struct colour_work *work)
{
    const unsigned corners = mesh_corners(kind);
    uint32_t colours = 0;
    memset(work->used, 0, (size_t)plan->vertices * WORDS * sizeof *work->used);
    memset(work->next, 0, plan->vertices * sizeof *work->next);
    for (uint32_t i = 0; i < plan->kind_count[kind]; i++) {
        const uint32_t *v = mesh_element(mesh, mesh_kind_first(mesh, kind) + i);
        const uint32_t colour = element_colour(v, corners, work);
        for (unsigned c = 0; c < corners; c++)
            if (colour < WORDS * 64)
                work->used[(size_t)v[c] * WORDS + colour / 64] |= UINT64_C(1) << (colour % 64);
            else
                work->next[v[c]] = colour + 1;
        colours = colour + 1 > colours ? colour + 1 : colours;
    }
    return colours;
}

static void mark_neighbours(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                            uint32_t vertex, const struct colour_work *work)
{
    for (unsigned kind = 0; kind < KIND_ELASTIC_COUNT; kind++) {
        const struct plan_incidence *incidence = &plan->incidence[kind];
        const unsigned corners = mesh_corners(kind);
        const uint32_t end = incidence->first[vertex + 1];
        for (uint32_t i = incidence->first[vertex]; i < end; i++) {
            const uint32_t *v = mesh_element(mesh, incidence->item[i]);
            for (unsigned c = 0; c < corners; c++)
                if (work->colour[v[c]] != PLAN_NONE)
                    work->mark[work->colour[v[c]]] = vertex;
        }
    }
}

static uint32_t colour_vertices(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                                const struct colour_work *work)
{
    uint32_t colours = 0;
    memset(work->colour, 0xff, plan->vertices * sizeof *work->colour);
    memset(work->mark, 0xff, ((size_t)plan->vertices + 1) * sizeof *work->mark);
    for (uint32_t vertex = 0; vertex < plan->vertices; vertex++) {
        mark_neighbours(plan, mesh, vertex, work);
        uint32_t colour = 0;
        while (work->mark[colour] == vertex)
            colour++;
        work->colour[vertex] = colour;
        colours = colour + 1 > colours ? colour + 1 : colours;
    }
    return colours;
}

void colour_greedy(struct piola_plan *plan, const piola_mesh_desc *mesh,
                   const struct colour_work *work)
{
    plan->stats.element_colours = 0;
    for (unsigned kind = 0; kind < KIND_COUNT; kind++)
        plan->stats.element_colours += colour_kind(plan, mesh, kind, work);
    plan->stats.vertex_colours = colour_vertices(plan, mesh, work);
}
