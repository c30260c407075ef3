/* outer_faces.c - the outer faces of a tetrahedral mesh: those that belong to one tetrahedron only.
 *
 * A face of three or more tetrahedra (the mesh overlaps itself there) counts as inside.
 */
#include "base/sort.h"
#include "compile/plan.h"

#include <string.h>

/* For (v1-v4, v2-v4, v3-v4) right-handed. */
const unsigned char surface_face[4][3] = {{0, 1, 2}, {3, 1, 0}, {3, 2, 1}, {3, 0, 2}};

void outer_faces_take(const piola_mesh_desc *mesh, struct arena *arena,
                      struct outer_faces_work *work)
{
    const uint64_t faces = 4 * (uint64_t)mesh->tetrahedron_count;
    work->keys = arena_take(arena, 3 * faces, sizeof(uint32_t));
    work->items = arena_take(arena, faces, sizeof(uint32_t));
    work->items_work = arena_take(arena, faces, sizeof(uint32_t));
}

static void write_key(const uint32_t *v, const unsigned char *corner, uint32_t key[3])
{
    const uint32_t a = v[corner[0]], b = v[corner[1]], c = v[corner[2]];
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    key[0] = c < low ? c : low;
    key[2] = c > high ? c : high;
    key[1] = a ^ b ^ c ^ key[0] ^ key[2];
}

static bool equal(const uint32_t *keys, uint32_t a, uint32_t b)
{
    return memcmp(keys + 3 * (size_t)a, keys + 3 * (size_t)b, 3 * sizeof *keys) == 0;
}

void outer_faces_find(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct outer_faces_work *work)
{
    const uint32_t faces = 4 * plan->kind_count[KIND_TET];
    for (uint32_t face = 0; face < faces; face++) {
        write_key(mesh->tetrahedra + 4 * (size_t)(face / 4), surface_face[face % 4],
                  work->keys + 3 * (size_t)face);
        work->items[face] = face;
    }
    const unsigned bits = sort_bits(plan->vertices);
    for (unsigned digit = 3; digit-- > 0;)
        sort_items(work->items, work->items_work, faces, work->keys + digit, 3, bits);
    uint32_t outer = 0;
    for (uint32_t i = 0; i < faces; i++) {
        const uint32_t face = work->items[i];
        const bool alone = (i == 0 || !equal(work->keys, work->items[i - 1], face)) &&
                           (i + 1 == faces || !equal(work->keys, work->items[i + 1], face));
        plan->face_used[face] = alone;
        outer += alone;
    }
    plan->stats.surface_triangles = outer + plan->kind_count[KIND_TRIANGLE];
}
