/* inspect.c - see inspect.h. */
#include "io/mesh/inspect.h"

#include "io/base/memory.h"
#include "io/mesh/shape.h"
#include "io/mesh/surfaces.h"

#include <math.h>
#include <string.h>

static const double *vertex(const struct meshgen *mesh, uint32_t index)
{
    return mesh->vertices + 3 * (size_t)index;
}

static double triangle_quality(const struct meshgen *mesh, const uint32_t *v, double normal[3])
{
    const double *a = vertex(mesh, v[0]), *b = vertex(mesh, v[1]), *c = vertex(mesh, v[2]);
    double squares = 0, area = 0;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        normal[k] = ((b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i])) / 2;
        area += normal[k] * normal[k];
        squares += (a[k] - b[k]) * (a[k] - b[k]) + (b[k] - c[k]) * (b[k] - c[k]) +
                   (c[k] - a[k]) * (c[k] - a[k]);
    }
    return squares > 0 ? 4 * sqrt(3.0) * sqrt(area) / squares : 0;
}

/* Volume by the divergence theorem, seen from the box's corner so that far meshes keep digits. */
static void add_surface(const struct meshgen *mesh, const uint32_t *surface,
                        struct mesh_facts *facts)
{
    for (size_t i = 0; i < facts->surface_triangles; ++i) {
        double normal[3], height = 0, area = 0;
        triangle_quality(mesh, surface + 3 * i, normal);
        const double *a = vertex(mesh, surface[3 * i]);
        for (int k = 0; k < 3; ++k) {
            height += normal[k] * (a[k] - facts->low[k]);
            area += normal[k] * normal[k];
        }
        facts->volume += height / 3;
        facts->area += sqrt(area);
    }
}

static void add_quality(struct mesh_facts *facts, double quality)
{
    /* Elements so small that their edges' products vanish have none. */
    quality = isfinite(quality) ? fmax(-1, fmin(1, quality)) : 0;
    const int bin = (int)(quality * INSPECT_BINS);
    facts->inverted += quality < 0;
    facts->quality_mean += quality / facts->elements;
    facts->quality_least = fmin(facts->quality_least, quality);
    if (quality >= 0)
        ++facts->histogram[bin < INSPECT_BINS ? bin : INSPECT_BINS - 1];
}

static bool judge_edges(const uint32_t *surface, struct mesh_facts *facts)
{
    struct surface_edges edges;
    if (!surface_count(surface, facts->surface_triangles, &edges))
        return false;
    facts->open_edges = edges.open;
    facts->crowded_edges = edges.crowded;
    facts->turned_edges = edges.turned;
    facts->bends = facts->solid ? 0 : edges.inner;
    facts->manifold =
        facts->surface_triangles > 0 && !edges.open && !edges.crowded && !edges.turned;
    return true;
}

/* The root of a vertex's group; halves the path as it goes. */
static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static bool count_parts(const struct meshgen *mesh, struct mesh_facts *facts)
{
    const uint32_t corners = facts->solid ? 4 : 3;
    const uint32_t *elements = facts->solid ? mesh->tetrahedra : mesh->triangles;
    uint32_t *parent = memory_take(((size_t)mesh->vertex_count + 1) * sizeof *parent);
    bool *used = memory_zero((size_t)mesh->vertex_count + 1, sizeof *used);
    for (uint32_t v = 0; parent && v < mesh->vertex_count; ++v)
        parent[v] = v;
    for (size_t i = 0; parent && used && i < (size_t)facts->elements * corners; ++i) {
        used[elements[i]] = true;
        parent[root_of(parent, elements[i])] = root_of(parent, elements[i / corners * corners]);
    }
    for (uint32_t v = 0; parent && used && v < mesh->vertex_count; ++v) {
        facts->isolated += !used[v];
        facts->parts += used[v] && parent[v] == v;
    }
    const bool good = parent && used;
    memory_give(parent);
    memory_give(used);
    return good;
}

static void measure_elements(const struct meshgen *mesh, struct mesh_facts *facts)
{
    for (int k = 0; k < 3; ++k) {
        facts->low[k] = (double)INFINITY;
        facts->high[k] = -(double)INFINITY;
    }
    for (size_t i = 0; i < 3 * (size_t)mesh->vertex_count; ++i) {
        facts->low[i % 3] = fmin(facts->low[i % 3], mesh->vertices[i]);
        facts->high[i % 3] = fmax(facts->high[i % 3], mesh->vertices[i]);
    }
    facts->quality_least = 1;
    for (uint32_t i = 0; i < facts->elements; ++i) {
        double normal[3];
        add_quality(facts, facts->solid
                               ? shape_quality(mesh, i)
                               : triangle_quality(mesh, mesh->triangles + 3 * (size_t)i, normal));
    }
}

bool inspect_mesh(const struct meshgen *mesh, struct mesh_facts *facts, struct problem *problem)
{
    memset(facts, 0, sizeof *facts);
    facts->solid = mesh->tetrahedron_count > 0;
    facts->vertices = mesh->vertex_count;
    facts->elements = facts->solid ? mesh->tetrahedron_count : mesh->triangle_count;
    facts->surface_triangles = mesh->triangle_count;
    uint32_t *made = facts->solid ? shape_surface(mesh, &facts->surface_triangles) : NULL;
    const uint32_t *surface = facts->solid ? made : mesh->triangles;
    bool good = surface != NULL;
    if (good) {
        measure_elements(mesh, facts);
        add_surface(mesh, surface, facts);
        good = judge_edges(surface, facts) && count_parts(mesh, facts);
    }
    memory_give(made);
    return good || problem_memory(problem, "looking at the mesh", 0);
}
