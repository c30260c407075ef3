/* mesh_bends.c - piola_mesh_bends: the bending edges of a triangle mesh, from its shared edges.
 *
 * Each triangle gives three directed edges with the vertex opposite; sorted by their two ends,
 * those of one edge stand together, by rising triangle. What a bend's stiffness is: rest_shape.c.
 */
#include "base/refuse.h"
#include "base/size.h"
#include "base/sort.h"

#include <string.h>

/* The parts of the caller's memory, in numbers per triangle. */
#define BENDS_PER     6u /* 3/2 bends of four vertices */
#define KEYS_PER      6u /* both ends of three edges, the lower first */
#define ITEMS_PER     3u /* edge numbers: 3 * triangle + corner that the edge starts at */

#define TRIANGLES_MAX (1u << 26)

struct edges {
    const uint32_t *triangles;
    uint32_t *bends, *keys, *items, *work;
    uint32_t count;
};

size_t piola_mesh_bends_size(uint32_t triangle_count)
{
    const size_t per = (BENDS_PER + KEYS_PER + 2 * ITEMS_PER) * sizeof(uint32_t);
    return triangle_count == 0 || triangle_count > TRIANGLES_MAX ? 0 : triangle_count * per;
}

static void list_edges(struct edges *e, uint32_t triangle_count)
{
    uint32_t most = 0;
    e->count = 3 * triangle_count;
    for (uint32_t i = 0; i < e->count; i++) {
        const uint32_t a = e->triangles[i];
        const uint32_t b = e->triangles[i % 3 == 2 ? i - 2 : i + 1];
        e->keys[2 * (size_t)i] = a < b ? a : b;
        e->keys[2 * (size_t)i + 1] = a < b ? b : a;
        e->items[i] = i;
        most = a > most ? a : most;
    }
    const unsigned bits = most == UINT32_MAX ? 32 : sort_bits(most + 1);
    sort_items(e->items, e->work, e->count, e->keys + 1, 2, bits);
    sort_items(e->items, e->work, e->count, e->keys, 2, bits);
}

static bool same_edge(const struct edges *e, uint32_t i, uint32_t j)
{
    return memcmp(e->keys + 2 * (size_t)e->items[i], e->keys + 2 * (size_t)e->items[j],
                  2 * sizeof *e->keys) == 0;
}

/* The vertex of an edge's triangle that is not on it. */
static uint32_t opposite(const struct edges *e, uint32_t edge)
{
    return e->triangles[edge % 3 == 0 ? edge + 2 : edge - 1];
}

static bool write_bend(const struct edges *e, uint32_t first, uint32_t second, uint32_t bend)
{
    uint32_t *to = e->bends + 4 * (size_t)bend;
    to[0] = e->triangles[first];
    to[1] = e->triangles[first % 3 == 2 ? first - 2 : first + 1];
    to[2] = opposite(e, first);
    to[3] = opposite(e, second);
    return to[2] != to[3];
}

/* Walks over the runs of one edge. Returns the number of a triangle that repeats another, or
 * UINT32_MAX. */
static uint32_t find_bends(const struct edges *e, piola_bends *found)
{
    for (uint32_t i = 0, end; i < e->count; i = end) {
        for (end = i + 1; end < e->count && same_edge(e, i, end);)
            end++;
        if (end - i == 1) {
            found->boundary_edges++;
        } else if (end - i > 2) {
            if (found->crowded_edges++ == 0)
                memcpy(found->crowded, e->keys + 2 * (size_t)e->items[i], sizeof found->crowded);
        } else if (!write_bend(e, e->items[i], e->items[i + 1], found->count++)) {
            return e->items[i + 1] / 3;
        }
    }
    return UINT32_MAX;
}

piola_status piola_mesh_bends(const uint32_t *triangles, uint32_t triangle_count, uint32_t *memory,
                              size_t bytes, piola_bends *bends, piola_error *error)
{
    if (triangles == NULL || memory == NULL || bends == NULL) {
        return refuse(error, PIOLA_ERROR_NULL,
                      triangles == NULL ? "triangles"
                      : memory == NULL  ? "memory"
                                        : "bends");
    }
    const size_t needed = piola_mesh_bends_size(triangle_count);
    if (needed == 0)
        return refuse(error, PIOLA_ERROR_RANGE, "triangle_count");
    if (bytes < needed)
        return refuse(error, PIOLA_ERROR_MEMORY, "bytes");
    for (uint32_t i = 0; i < triangle_count; i++) {
        const uint32_t *v = triangles + 3 * (size_t)i;
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0])
            return refuse_item(error, PIOLA_ERROR_MESH_REPEATED, "triangles", i);
    }
    struct edges e = {.triangles = triangles, .bends = memory};
    e.keys = e.bends + (size_t)BENDS_PER * triangle_count;
    e.items = e.keys + (size_t)KEYS_PER * triangle_count;
    e.work = e.items + (size_t)ITEMS_PER * triangle_count;
    list_edges(&e, triangle_count);
    piola_bends found;
    memset(&found, 0, sizeof found);
    found.bends = memory;
    const uint32_t repeated = find_bends(&e, &found);
    if (repeated != UINT32_MAX)
        return refuse_item(error, PIOLA_ERROR_MESH_DUPLICATE, "triangles", repeated);
    *bends = found;
    return PIOLA_OK;
}
