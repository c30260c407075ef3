/* enclosed_volume.c - do a mesh's triangles enclose a volume, and which?
 *
 * They do when every edge, in each of its two directions, belongs to exactly one triangle: then the
 * surface is closed and all triangles face the same way. Compile time only.
 */
#include "compile/plan.h"

/* Triangles in which vertex b follows a. */
static unsigned edges_between(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                              uint32_t a, uint32_t b)
{
    const struct plan_incidence *around = &plan->incidence[KIND_TRIANGLE];
    unsigned found = 0;
    for (uint32_t i = around->first[a]; i < around->first[a + 1]; i++) {
        const uint32_t *v = mesh_element(mesh, around->item[i]);
        for (unsigned k = 0; k < 3; k++)
            found += v[k] == a && v[(k + 1) % 3] == b;
    }
    return found;
}

static bool closed(const struct piola_plan *plan, const piola_mesh_desc *mesh)
{
    for (uint32_t t = 0; t < plan->kind_count[KIND_TRIANGLE]; t++) {
        const uint32_t *v = mesh->triangles + 3 * (size_t)t;
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t a = v[k], b = v[(k + 1) % 3];
            if (edges_between(plan, mesh, a, b) != 1 || edges_between(plan, mesh, b, a) != 1)
                return false;
        }
    }
    return plan->kind_count[KIND_TRIANGLE] > 0;
}

void enclose_volume(struct piola_plan *plan, const piola_mesh_desc *mesh)
{
    plan->stats.enclosed = 0;
    if (!closed(plan, mesh))
        return;
    const struct vec3 origin = mesh_vertex(mesh, mesh->triangles[0]);
    double sum = 0;
    for (uint32_t t = 0; t < plan->kind_count[KIND_TRIANGLE]; t++) {
        const uint32_t *v = mesh->triangles + 3 * (size_t)t;
        const struct vec3 a = vec3_sub(mesh_vertex(mesh, v[0]), origin);
        const struct vec3 b = vec3_sub(mesh_vertex(mesh, v[1]), origin);
        const struct vec3 c = vec3_sub(mesh_vertex(mesh, v[2]), origin);
        sum += vec3_dot(a, vec3_cross(b, c)) / 6;
    }
    plan->stats.enclosed = sum;
}
