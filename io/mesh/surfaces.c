/* surfaces.c - see surfaces.h. */
#include "io/mesh/surfaces.h"
#include "io/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TRIANGLES_MOST (1u << 26) /* piola.h takes no more */

/* ---- edges ---- */

static int compare_edges(const void *a, const void *b)
{
    const struct surface_edge *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

static bool same(const struct surface_edge *a, const struct surface_edge *b)
{
    return a->low == b->low && a->high == b->high;
}

uint32_t surface_next(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

struct surface_edge *surfaces_sort(const uint32_t *triangles, uint32_t count)
{
    struct surface_edge *edges = memory_take((3 * (size_t)count + 1) * sizeof *edges);
    for (uint32_t i = 0; edges && i < 3 * count; ++i) {
        const uint32_t a = triangles[i], b = triangles[surface_next(i)];
        edges[i] = (struct surface_edge){a < b ? a : b, a < b ? b : a, i};
    }
    if (edges)
        qsort(edges, 3 * (size_t)count, sizeof *edges, compare_edges);
    return edges;
}

uint32_t surface_run(const struct surface_edge *edges, uint32_t first, uint32_t count)
{
    uint32_t end = first + 1;
    while (end < count && same(&edges[first], &edges[end]))
        ++end;
    return end - first;
}

/* Two triangles that face the same way go through their edge in opposite directions. */
static bool is_inner(const uint32_t *triangles, const struct surface_edge *edges, uint32_t run)
{
    return run == 2 && triangles[edges[0].corner] != triangles[edges[1].corner];
}

bool surface_count(const uint32_t *triangles, uint32_t count, struct surface_edges *found)
{
    *found = (struct surface_edges){0};
    if (count > TRIANGLES_MOST * 4u)
        return false;
    struct surface_edge *edges = surfaces_sort(triangles, count);
    if (!edges)
        return false;
    for (uint32_t first = 0, run; first < 3 * count; first += run) {
        run = surface_run(edges, first, 3 * count);
        found->open += run == 1;
        found->crowded += run > 2;
        found->inner += is_inner(triangles, edges + first, run);
        found->turned += run == 2 && !is_inner(triangles, edges + first, run);
    }
    memory_give(edges);
    return true;
}

bool surface_bend(struct meshgen *mesh)
{
    const uint32_t *v = mesh->triangles, count = mesh->triangle_count;
    if (mesh->bend_count > 0 || count == 0)
        return true;
    struct surface_edge *edges = count > TRIANGLES_MOST ? NULL : surfaces_sort(v, count);
    uint32_t *bends = edges ? memory_take((3 * (size_t)count / 2 + 1) * 4 * sizeof *bends) : NULL;
    if (!bends) {
        memory_give(edges);
        return false;
    }
    memory_give(mesh->bends);
    mesh->bends = bends;
    for (uint32_t first = 0, run; first < 3 * count; first += run) {
        run = surface_run(edges, first, 3 * count);
        if (!is_inner(v, edges + first, run))
            continue;
        const uint32_t a = edges[first].corner, b = edges[first + 1].corner;
        uint32_t *bend = bends + 4 * (size_t)mesh->bend_count++;
        bend[0] = v[a];
        bend[1] = v[surface_next(a)];
        bend[2] = v[surface_next(surface_next(a))];
        bend[3] = v[surface_next(surface_next(b))];
    }
    memory_give(edges);
    return true;
}

/* ---- a ball's surface ---- */

static const double golden = 1.6180339887498949;

static const unsigned char faces[20][3] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
};

static void corner_of(unsigned index, double p[3])
{
    /* Three golden rectangles, one in each plane of the axes. */
    static const signed char sign[4][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}};
    const unsigned plane = index / 4, k = index % 4;
    p[plane] = sign[k][0];
    p[(plane + 1) % 3] = golden * sign[k][1];
    p[(plane + 2) % 3] = 0;
}

/* Points on a face of the icosahedron; edges' points are made once for each face that has them. */
struct sphere_point {
    double x[3];
    uint32_t number;
};

static int compare_points(const void *a, const void *b)
{
    const double *x = ((const struct sphere_point *)a)->x;
    const double *y = ((const struct sphere_point *)b)->x;
    int k = 0;
    while (k < 2 && x[k] == y[k])
        ++k;
    return (x[k] > y[k]) - (x[k] < y[k]);
}

/* A point on the unit ball. Two faces get the same bits for a point of their common edge, which is
 * a sum of two terms; a zero has no sign. */
static void put_point(struct sphere_point *point, const unsigned char face[3], const uint32_t at[3])
{
    double length = 0;
    memset(point->x, 0, sizeof point->x);
    for (int c = 0; c < 3; ++c) {
        double corner[3];
        corner_of(face[c], corner);
        for (int k = 0; k < 3; ++k)
            point->x[k] += corner[k] * at[c];
    }
    for (int k = 0; k < 3; ++k)
        length += point->x[k] * point->x[k];
    for (int k = 0; k < 3; ++k)
        point->x[k] = point->x[k] / sqrt(length) + 0.0;
}

static uint32_t row(uint32_t i)
{
    return i * (i + 1) / 2;
}

/* The face's small triangles, by the numbers of its own points. */
static void put_face(uint32_t *to, uint32_t first, uint32_t cuts)
{
    for (uint32_t i = 0; i < cuts; ++i)
        for (uint32_t j = 0; j <= i; ++j) {
            const uint32_t a = first + row(i) + j, b = first + row(i + 1) + j;
            const uint32_t up[3] = {a, b, b + 1}, down[3] = {a, b + 1, a + 1};
            memcpy(to, up, sizeof up);
            to += 3;
            if (j < i) {
                memcpy(to, down, sizeof down);
                to += 3;
            }
        }
}

static void put_faces(struct sphere_point *points, uint32_t *triangles, uint32_t cuts)
{
    const uint32_t each = row(cuts + 1);
    for (uint32_t f = 0; f < 20; ++f) {
        for (uint32_t i = 0; i <= cuts; ++i)
            for (uint32_t j = 0; j <= i; ++j) {
                struct sphere_point *p = &points[f * each + row(i) + j];
                put_point(p, faces[f], (uint32_t[]){cuts - i, i - j, j});
                p->number = f * each + row(i) + j;
            }
        put_face(triangles + 3 * (size_t)f * cuts * cuts, f * each, cuts);
    }
}

/* Equal points become one vertex; `numbers` says which. */
static uint32_t merge(struct sphere_point *points, uint32_t count, double radius, double *vertices,
                      uint32_t *numbers)
{
    uint32_t made = 0;
    qsort(points, count, sizeof *points, compare_points);
    for (uint32_t i = 0; i < count; ++i) {
        if (i == 0 || compare_points(&points[i - 1], &points[i]) != 0) {
            for (size_t k = 0; k < 3; ++k)
                vertices[3 * (size_t)made + k] = radius * points[i].x[k];
            ++made;
        }
        numbers[points[i].number] = made - 1;
    }
    return made;
}

bool surface_sphere(struct meshgen *mesh, double radius, uint32_t cuts)
{
    memset(mesh, 0, sizeof *mesh);
    if (!(radius > 0) || cuts == 0 || cuts > 1000)
        return false;
    const uint32_t count = 20 * row(cuts + 1), triangles = 20 * cuts * cuts;
    struct sphere_point *points = memory_take(count * sizeof *points);
    uint32_t *numbers = memory_take(count * sizeof *numbers);
    mesh->vertices = memory_take(3 * (size_t)count * sizeof *mesh->vertices);
    mesh->triangles = memory_take(3 * (size_t)triangles * sizeof *mesh->triangles);
    const bool good = points && numbers && mesh->vertices && mesh->triangles;
    if (good) {
        put_faces(points, mesh->triangles, cuts);
        mesh->vertex_count = merge(points, count, radius, mesh->vertices, numbers);
        mesh->triangle_count = triangles;
        for (size_t i = 0; i < 3 * (size_t)triangles; ++i)
            mesh->triangles[i] = numbers[mesh->triangles[i]];
    }
    memory_give(points);
    memory_give(numbers);
    if (!good)
        meshgen_free(mesh);
    return good;
}
