/* subdivide.c - a fine surface from a coarse one: Loop's subdivision (1987), with Warren's weights,
 * and a relief of bumps on it. */
#include "io/base/memory.h"
#include "io/mesh/surfaces.h"

#include <math.h>
#include <string.h>

/* One round: what is summed up about the old vertices, and the new one of each old corner's edge.
 */
struct round {
    const double *x; /* old vertices */
    const uint32_t *triangles;
    uint32_t vertices, count;
    double *sum;       /* 3 per old vertex, of its neighbours; at a border, of those along it */
    uint32_t *valence; /* of those in the sum */
    double *squares;   /* sum of squared distances to these */
    bool *border;
    double *made; /* new vertices: old ones moved, then those of the edges */
    uint32_t *edge_of, edges;
};

static void add(double *to, const double *x, double weight)
{
    for (int k = 0; k < 3; ++k)
        to[k] += weight * x[k];
}

static void add_neighbour(struct round *r, uint32_t to, uint32_t neighbour)
{
    const double *x = r->x + 3 * (size_t)to, *other = r->x + 3 * (size_t)neighbour;
    add(r->sum + 3 * (size_t)to, other, 1);
    for (int k = 0; k < 3; ++k)
        r->squares[to] += (other[k] - x[k]) * (other[k] - x[k]);
    ++r->valence[to];
}

/* The vertex of an edge between a and b, whose triangles' other corners are c and d. */
static void put_edge(struct round *r, uint32_t a, uint32_t b, uint32_t c, uint32_t d, bool border)
{
    double *to = r->made + 3 * (size_t)(r->vertices + r->edges++);
    memset(to, 0, 3 * sizeof *to);
    add(to, r->x + 3 * (size_t)a, border ? 0.5 : 0.375);
    add(to, r->x + 3 * (size_t)b, border ? 0.5 : 0.375);
    if (!border) {
        add(to, r->x + 3 * (size_t)c, 0.125);
        add(to, r->x + 3 * (size_t)d, 0.125);
    }
}

static void visit_edges(struct round *r, const struct surface_edge *edges)
{
    uint32_t run = 0;
    for (uint32_t first = 0; first < 3 * r->count; first += run) {
        run = surface_run(edges, first, 3 * r->count);
        const bool border = run != 2;
        r->border[edges[first].low] |= border;
        r->border[edges[first].high] |= border;
    }
    for (uint32_t first = 0; first < 3 * r->count; first += run) {
        run = surface_run(edges, first, 3 * r->count);
        const struct surface_edge *e = &edges[first];
        const bool border = run != 2;
        const uint32_t c = r->triangles[surface_next(surface_next(e[0].corner))];
        const uint32_t d = border ? c : r->triangles[surface_next(surface_next(e[1].corner))];
        for (uint32_t i = 0; i < run; ++i)
            r->edge_of[e[i].corner] = r->vertices + r->edges;
        put_edge(r, e->low, e->high, c, d, border);
        if (border || !r->border[e->low])
            add_neighbour(r, e->low, e->high);
        if (border || !r->border[e->high])
            add_neighbour(r, e->high, e->low);
    }
}

/* Where the border turns by more than 60 degrees, or is no line, it stays as it is. */
static bool is_corner(const struct round *r, uint32_t v)
{
    double square = 0;
    for (size_t k = 0; k < 3; ++k) {
        const double way = r->sum[3 * (size_t)v + k] - 2 * r->x[3 * (size_t)v + k];
        square += way * way;
    }
    return r->border[v] && (r->valence[v] != 2 || square > 0.5 * r->squares[v]);
}

static void move_old(struct round *r)
{
    for (uint32_t v = 0; v < r->vertices; ++v) {
        const double n = r->valence[v];
        const double each = r->border[v] ? 0.125 : n > 3 ? 3 / (8 * n) : 3.0 / 16;
        double *to = r->made + 3 * (size_t)v;
        memset(to, 0, 3 * sizeof *to);
        if (n == 0 || is_corner(r, v)) {
            add(to, r->x + 3 * (size_t)v, 1);
            continue;
        }
        add(to, r->x + 3 * (size_t)v, 1 - each * n);
        add(to, r->sum + 3 * (size_t)v, each);
    }
}

static uint32_t *split_triangles(const struct round *r)
{
    uint32_t *made = memory_take(((size_t)r->count * 12 + 1) * sizeof *made);
    for (uint32_t t = 0; made && t < r->count; ++t) {
        const uint32_t *v = r->triangles + 3 * (size_t)t, *m = r->edge_of + 3 * (size_t)t;
        const uint32_t four[12] = {v[0], m[0], m[2], m[0], v[1], m[1],
                                   m[2], m[1], v[2], m[0], m[1], m[2]};
        memcpy(made + 12 * (size_t)t, four, sizeof four);
    }
    return made;
}

static bool halve(struct meshgen *mesh)
{
    const uint32_t vertices = mesh->vertex_count, count = mesh->triangle_count;
    struct surface_edge *edges = surfaces_sort(mesh->triangles, count);
    struct round r = {
        .x = mesh->vertices,
        .triangles = mesh->triangles,
        .vertices = vertices,
        .count = count,
        .sum = memory_zero((size_t)vertices + 1, 3 * sizeof(double)),
        .valence = memory_zero((size_t)vertices + 1, sizeof(uint32_t)),
        .squares = memory_zero((size_t)vertices + 1, sizeof(double)),
        .border = memory_zero((size_t)vertices + 1, sizeof(bool)),
        .made = memory_take(((size_t)vertices + 3 * (size_t)count) * 3 * sizeof(double)),
        .edge_of = memory_take((3 * (size_t)count + 1) * sizeof(uint32_t)),
    };
    uint32_t *triangles = NULL;
    if (edges && r.sum && r.valence && r.squares && r.border && r.made && r.edge_of) {
        visit_edges(&r, edges);
        move_old(&r);
        triangles = split_triangles(&r);
    }
    memory_give(edges);
    memory_give(r.sum);
    memory_give(r.valence);
    memory_give(r.squares);
    memory_give(r.border);
    memory_give(r.edge_of);
    if (!triangles) {
        memory_give(r.made);
        return false;
    }
    memory_give(mesh->vertices);
    memory_give(mesh->triangles);
    mesh->vertices = r.made;
    mesh->triangles = triangles;
    mesh->vertex_count = vertices + r.edges;
    mesh->triangle_count = 4 * count;
    return true;
}

bool surface_subdivide(struct meshgen *mesh, uint32_t times)
{
    for (uint32_t i = 0; i < times; ++i)
        if (mesh->triangle_count > SURFACE_TRIANGLES_MOST / 4 || !halve(mesh))
            return false;
    return true;
}

bool surface_relief(struct meshgen *mesh, double height, double wave)
{
    double *normals = memory_zero((size_t)mesh->vertex_count + 1, 3 * sizeof *normals);
    if (!normals)
        return false;
    for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
        const uint32_t *v = mesh->triangles + 3 * (size_t)t;
        const double *a = mesh->vertices + 3 * (size_t)v[0], *b = mesh->vertices + 3 * (size_t)v[1];
        const double *c = mesh->vertices + 3 * (size_t)v[2];
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            const double area = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
            for (int corner = 0; corner < 3; ++corner)
                normals[3 * (size_t)v[corner] + (size_t)k] += area;
        }
    }
    const double k = 2 * 3.14159265358979323846 / wave;
    for (size_t v = 0; v < mesh->vertex_count; ++v) {
        double *x = mesh->vertices + 3 * v, *n = normals + 3 * v;
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        const double bump = sin(k * x[0]) * cos(k * x[1]) + sin(k * x[1]) * cos(k * x[2]) +
                            sin(k * x[2]) * cos(k * x[0]);
        if (length > 0)
            add(x, n, height * bump / (1.5 * length));
    }
    memory_give(normals);
    return true;
}
