/* soup.c - see soup.h. */
#include "io/mesh/soup.h"

#include "io/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS_MOST (1u << 26) /* of piola.h */

/* Room for one more item of `bytes`; twice as much each time. */
static bool room_for(struct soup *soup, void *array, uint32_t count, uint32_t *room, size_t bytes)
{
    void *old;
    if (count < *room)
        return true;
    if (count >= ITEMS_MOST)
        return scan_fail(soup->scan, "more than 67108864 vertices or elements of a kind");
    const uint32_t more = *room ? 2 * *room : 16;
    void *larger = memory_take(more * bytes);
    if (!larger)
        return problem_memory(soup->scan->problem, "a mesh", more * bytes);
    memcpy(&old, array, sizeof old);
    if (old)
        memcpy(larger, old, count * bytes);
    memory_give(old);
    memcpy(array, &larger, sizeof larger);
    *room = more;
    return true;
}

bool soup_vertex(struct soup *soup, const double xyz[3])
{
    if (!room_for(soup, &soup->vertices, soup->vertex_count, &soup->vertex_room,
                  3 * sizeof(double)))
        return false;
    for (int k = 0; k < 3; ++k)
        if (!(fabs(xyz[k]) <= MESHGEN_FAR))
            return scan_fail(soup->scan, "a coordinate is beyond 1e12 m");
    memcpy(soup->vertices + 3 * (size_t)soup->vertex_count++, xyz, 3 * sizeof *xyz);
    return true;
}

bool soup_triangle(struct soup *soup, const uint32_t v[3])
{
    if (!room_for(soup, &soup->triangles, soup->triangle_count, &soup->triangle_room,
                  3 * sizeof *v))
        return false;
    memcpy(soup->triangles + 3 * (size_t)soup->triangle_count++, v, 3 * sizeof *v);
    return true;
}

bool soup_tetrahedron(struct soup *soup, const uint32_t v[4], uint32_t region)
{
    uint32_t room = soup->tetrahedron_room;
    if (!room_for(soup, &soup->tetrahedra, soup->tetrahedron_count, &soup->tetrahedron_room,
                  4 * sizeof *v) ||
        !room_for(soup, &soup->regions, soup->tetrahedron_count, &room, sizeof *v))
        return false;
    soup->has_regions = soup->has_regions || region != 0;
    soup->regions[soup->tetrahedron_count] = region;
    memcpy(soup->tetrahedra + 4 * (size_t)soup->tetrahedron_count++, v, 4 * sizeof *v);
    return true;
}

bool soup_face(struct soup *soup, const uint32_t *v, uint32_t count)
{
    if (count < 3)
        return scan_fail(soup->scan, "a face has less than three corners");
    for (uint32_t i = 2; i < count; ++i) {
        const uint32_t fan[3] = {v[0], v[i - 1], v[i]};
        if (!soup_triangle(soup, fan))
            return false;
    }
    return true;
}

/* ---- welding ---- */

struct place {
    double x[3];
    uint32_t vertex;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    for (int k = 0; k < 3; ++k)
        if (p->x[k] != q->x[k])
            return p->x[k] < q->x[k] ? -1 : 1;
    return p->vertex < q->vertex ? -1 : 1;
}

/* `to[v]` becomes the first vertex in the place of v. */
static void find_same(const struct soup *soup, struct place *places, uint32_t *to)
{
    for (uint32_t v = 0; v < soup->vertex_count; ++v) {
        memcpy(places[v].x, soup->vertices + 3 * (size_t)v, sizeof places[v].x);
        places[v].vertex = v;
    }
    qsort(places, soup->vertex_count, sizeof *places, compare_places);
    for (uint32_t i = 0, first = 0; i < soup->vertex_count; ++i) {
        for (int k = 0; k < 3; ++k)
            first = places[i].x[k] == places[first].x[k] ? first : i;
        to[places[i].vertex] = places[first].vertex;
    }
}

bool soup_weld(struct soup *soup)
{
    const size_t count = soup->vertex_count;
    struct place *places = memory_take((count + 1) * sizeof *places);
    uint32_t *to = memory_take((count + 1) * sizeof *to);
    const bool good = places && to;
    uint32_t kept = 0;
    if (good)
        find_same(soup, places, to);
    for (size_t t = 0; good && t < soup->triangle_count; ++t) {
        const uint32_t *v = soup->triangles + 3 * t;
        const uint32_t w[3] = {to[v[0]], to[v[1]], to[v[2]]};
        if (w[0] != w[1] && w[1] != w[2] && w[2] != w[0])
            memcpy(soup->triangles + 3 * (size_t)kept++, w, sizeof w);
    }
    soup->triangle_count = good ? kept : soup->triangle_count;
    memory_give(places);
    memory_give(to);
    return good || problem_memory(soup->scan->problem, "joining vertices", count * sizeof *places);
}

/* ---- the end ---- */

static bool corners_exist(struct soup *soup, const char *kind, const uint32_t *v, uint32_t count,
                          unsigned corners)
{
    for (size_t i = 0; i < (size_t)count * corners; ++i)
        if (v[i] >= soup->vertex_count) {
            soup->scan->item = kind;
            soup->scan->number = i / corners + 1;
            soup->scan->line = 0;
            return problem_at(soup->scan->problem, EXIT_SCENE, soup->scan->name, 0,
                              "%s %zu names a vertex that does not exist", kind, i / corners + 1);
        }
    return true;
}

static double six_volumes(const struct soup *soup, const uint32_t *v)
{
    double d[3][3];
    for (int i = 0; i < 3; ++i)
        for (size_t k = 0; k < 3; ++k)
            d[i][k] = soup->vertices[3 * (size_t)v[i] + k] - soup->vertices[3 * (size_t)v[3] + k];
    return d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
           d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
           d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
}

/* As TetGen's reader: all of them when most are left-handed, for that is another convention. */
static void turn_right_handed(struct soup *soup)
{
    uint32_t left = 0;
    for (size_t t = 0; t < soup->tetrahedron_count; ++t)
        left += six_volumes(soup, soup->tetrahedra + 4 * t) < 0;
    for (size_t t = 0; t < soup->tetrahedron_count && left > soup->tetrahedron_count / 2; ++t) {
        uint32_t *v = soup->tetrahedra + 4 * t, swap = v[0];
        v[0] = v[1];
        v[1] = swap;
    }
}

/* Vertices of no element go; the others keep their order. */
static bool drop_isolated(struct soup *soup, uint32_t *corners, size_t count)
{
    uint32_t *number = memory_zero((size_t)soup->vertex_count + 1, sizeof *number);
    if (!number)
        return problem_memory(soup->scan->problem, "a mesh", soup->vertex_count * sizeof *number);
    for (size_t i = 0; i < count; ++i)
        number[corners[i]] = 1;
    uint32_t kept = 0;
    for (size_t v = 0; v < soup->vertex_count; ++v) {
        if (!number[v])
            continue;
        memmove(soup->vertices + 3 * (size_t)kept, soup->vertices + 3 * v, 3 * sizeof(double));
        number[v] = kept++;
    }
    for (size_t i = 0; i < count; ++i)
        corners[i] = number[corners[i]];
    soup->vertex_count = kept;
    memory_give(number);
    return true;
}

static bool finish(struct soup *soup)
{
    const bool solid = soup->tetrahedron_count > 0;
    soup->scan->item = NULL;
    if (soup->vertex_count == 0 || (!solid && soup->triangle_count == 0))
        return problem_at(soup->scan->problem, EXIT_SCENE, soup->scan->name, 0, "has no %s",
                          soup->vertex_count ? "triangles and no tetrahedra" : "vertices");
    if (!solid)
        return corners_exist(soup, "triangle", soup->triangles, soup->triangle_count, 3) &&
               drop_isolated(soup, soup->triangles, 3 * (size_t)soup->triangle_count);
    soup->triangle_count = 0;
    if (!corners_exist(soup, "tetrahedron", soup->tetrahedra, soup->tetrahedron_count, 4))
        return false;
    turn_right_handed(soup);
    return drop_isolated(soup, soup->tetrahedra, 4 * (size_t)soup->tetrahedron_count);
}

static void soup_free(struct soup *soup)
{
    memory_give(soup->vertices);
    memory_give(soup->triangles);
    memory_give(soup->tetrahedra);
    memory_give(soup->regions);
    memset(soup, 0, sizeof *soup);
}

bool soup_close(struct soup *soup, bool good, struct meshgen *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    good = good && finish(soup);
    if (good) {
        mesh->vertices = soup->vertices;
        mesh->vertex_count = soup->vertex_count;
        soup->vertices = NULL;
    }
    if (good && soup->tetrahedron_count > 0) {
        mesh->tetrahedra = soup->tetrahedra;
        mesh->tetrahedron_count = soup->tetrahedron_count;
        mesh->regions = soup->has_regions ? soup->regions : NULL;
        soup->tetrahedra = NULL;
        soup->regions = soup->has_regions ? NULL : soup->regions;
    } else if (good) {
        mesh->triangles = soup->triangles;
        mesh->triangle_count = soup->triangle_count;
        soup->triangles = NULL;
    }
    soup_free(soup);
    return good;
}
