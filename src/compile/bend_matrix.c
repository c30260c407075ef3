/* bend_matrix.c - see bend_matrix.h. */
#include "compile/bend_matrix.h"

#include "compile/material.h"
#include "compile/rest_shape.h"

#include <string.h>

/* Entries at most: every corner of a bend has the other three. */
#define ENTRIES_PER_BEND 12u

void bend_matrix_take(const piola_mesh_desc *mesh, struct arena *arena,
                      struct bend_matrix_work *work)
{
    work->mark = arena_take(arena, mesh->vertex_count, sizeof(uint32_t));
    work->place = arena_take(arena, mesh->vertex_count, sizeof(uint32_t));
}

void bend_matrix_take_plan(const piola_mesh_desc *mesh, struct arena *arena, struct plan_rows *rows)
{
    const bool wanted = (mesh->compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0;
    const uint64_t entries = wanted ? ENTRIES_PER_BEND * (uint64_t)mesh->bend_count : 0;
    rows->first = arena_take(arena, (uint64_t)mesh->vertex_count + 1, sizeof(uint32_t));
    rows->other = arena_take(arena, entries, sizeof(uint32_t));
    rows->weight = arena_take(arena, entries, sizeof(double));
    rows->self = arena_take(arena, mesh->vertex_count, sizeof(double));
}

/* Gives vertex v, which is `particle`, its entries in the rows of its neighbours: so each row comes
 * in the order of particles. Before the rows are placed they are only counted. */
static void spread_vertex(struct piola_plan *plan, const piola_mesh_desc *mesh, uint32_t particle,
                          const struct bend_matrix_work *work, bool placed)
{
    struct plan_rows *rows = &plan->rows;
    const uint32_t vertex = plan->vertex_of_particle[particle];
    const struct plan_incidence *bends = &plan->incidence[KIND_BEND];
    for (uint32_t i = bends->first[vertex]; i < bends->first[vertex + 1]; i++) {
        const uint32_t *v = mesh_element(mesh, bends->item[i]);
        const uint32_t material = mesh_material(mesh, bends->item[i]);
        if (rest_dihedral(mesh, bends->item[i]))
            continue; /* not quadratic: visited */
        struct rest_bend bend = {.scale = 0};
        double own = 0;
        if (placed) {
            rest_bend(mesh, v, &bend);
            bend.scale *= (double)material_bend_factor(&mesh->materials[material]);
            for (unsigned c = 0; c < 4; c++)
                own += v[c] == vertex ? bend.scale * bend.k[c] : 0;
        }
        for (unsigned c = 0; c < 4; c++) {
            if (v[c] == vertex) {
                rows->self[vertex] += own * bend.k[c];
                continue;
            }
            if (work->mark[v[c]] != vertex) {
                work->mark[v[c]] = vertex;
                if (placed) {
                    rows->other[work->place[v[c]]] = particle;
                    rows->weight[work->place[v[c]]] = 0;
                }
                work->place[v[c]]++;
            }
            if (placed)
                rows->weight[work->place[v[c]] - 1] += own * bend.k[c];
        }
    }
}

void bend_matrix_find(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct bend_matrix_work *work)
{
    struct plan_rows *rows = &plan->rows;
    const size_t bytes = plan->vertices * sizeof(uint32_t);
    memset(rows->first, 0, bytes + sizeof(uint32_t));
    memset(rows->self, 0, plan->vertices * sizeof *rows->self);
    memset(work->place, 0, bytes);
    for (unsigned pass = 0; pass < 2 && plan->visits; pass++) {
        memset(work->mark, 0xff, bytes);
        for (uint32_t i = 0; i < plan->vertices; i++)
            spread_vertex(plan, mesh, i, work, pass == 1);
        for (uint32_t v = 0; v < plan->vertices && pass == 0; v++) {
            rows->first[v + 1] = rows->first[v] + work->place[v];
            work->place[v] = rows->first[v];
        }
    }
}
