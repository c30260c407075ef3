/* coarse_sheets.c - what triangles and bends add to a cage's rest stiffness.
 *
 * A triangle resists A (lambda h_i h_j^T + mu h_j h_i^T + b_i . b_j (mu F F^T + S)), h = F b.
 * Sheets fold within a cell, so the part in b_i . b_j, its string, is left to the step: there it is
 * multiplied by what each vertex resists as its triangles lie then, pulled as they are. That has
 * also the mean over all directions in the plane of the first two parts; what is known at rest, and
 * turned with the cell, is how they differ from it.
 *
 * A bend of flat cloth is quadratic: its row of factors, taken together for each node.
 */
#include "compile/coarse_plan.h"
#include "compile/material.h"
#include "compile/rest_shape.h"

#include <math.h>

/* Gradients (1/m) of the corners' shape functions in the triangle's plane, and its unit normal;
 * returns the area. */
static double corner_gradients(const piola_mesh_desc *mesh, const uint32_t v[3], struct vec3 g[3],
                               struct vec3 *normal)
{
    const struct vec3 o = mesh_vertex(mesh, v[2]);
    const struct vec3 a = vec3_sub(mesh_vertex(mesh, v[0]), o);
    const struct vec3 b = vec3_sub(mesh_vertex(mesh, v[1]), o);
    const struct vec3 n = vec3_cross(a, b);
    const double square = vec3_dot(n, n);
    g[0] = vec3_scale(vec3_cross(b, n), 1 / square);
    g[1] = vec3_scale(vec3_cross(n, a), 1 / square);
    g[2] = (struct vec3){-(g[0].x + g[1].x), -(g[0].y + g[1].y), -(g[0].z + g[1].z)};
    *normal = vec3_scale(n, 1 / sqrt(square));
    return 0.5 * sqrt(square);
}

/* A (lambda b_i b_j^T + mu b_j b_i^T - (lambda + mu) / 2 (b_i . b_j) (I - n n^T)) */
static void add_block(double k[9], double area, const struct pk_material *m, struct vec3 normal,
                      struct vec3 bi, struct vec3 bj)
{
    const double i[3] = {bi.x, bi.y, bi.z}, j[3] = {bj.x, bj.y, bj.z};
    const double n[3] = {normal.x, normal.y, normal.z};
    const double mu = area * (double)m->mu, lambda = area * (double)m->lambda;
    const double on = -0.5 * (mu + lambda) * vec3_dot(bi, bj);
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            k[3 * a + b] +=
                lambda * i[a] * j[b] + mu * j[a] * i[b] + on * ((a == b ? 1 : 0) - n[a] * n[b]);
}

bool coarse_add_triangle(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t id,
                         uint32_t group)
{
    const uint32_t *v = mesh_element(mesh, id);
    const struct pk_material *m = &plan->materials[mesh_material(mesh, id)];
    struct vec3 g[3], normal;
    const double area = corner_gradients(mesh, v, g, &normal);
    struct coarse_spread s = {.count = 0};
    for (unsigned i = 0; i < 3; i++) {
        const double square = area * vec3_dot(g[i], g[i]);
        coarse_spread_vertex(plan, v[i], g[i], &s);
        plan->stiffness[v[i]] += square * ((double)m->mu + fabs((double)m->lambda) / 2);
        double weight[PK_CORNERS];
        coarse_weights(&plan->local[3 * (size_t)v[i]], weight);
        for (unsigned c = 0; c < PK_CORNERS; c++)
            plan->strings[plan->cell_node[PK_CORNERS * (size_t)plan->cell[v[i]] + c]] +=
                weight[c] * square;
    }
    for (uint32_t i = 0; i < s.count; i++) {
        for (uint32_t j = 0; j < s.count; j++) {
            if (s.node[i] >= s.node[j])
                continue;
            struct coarse_part *part = coarse_find_part(plan, mesh, s.node[i], s.node[j], group);
            if (part == NULL)
                return false;
            add_block(part->k, area, m, normal, s.b[i], s.b[j]);
            coarse_find_pair(plan, mesh, s.node[i], s.node[j])->string +=
                area * vec3_dot(s.b[i], s.b[j]);
        }
    }
    return true;
}

bool coarse_add_bend(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t id)
{
    const uint32_t *v = mesh_element(mesh, id);
    struct rest_bend bend;
    rest_bend(mesh, v, &bend);
    const double factor =
        bend.scale * (double)material_bend_factor(&mesh->materials[mesh_material(mesh, id)]);
    struct coarse_spread s = {.count = 0};
    for (unsigned i = 0; i < 4; i++) {
        coarse_spread_vertex(plan, v[i], (struct vec3){bend.k[i], 0, 0}, &s);
        plan->stiffness[v[i]] += factor * bend.k[i] * bend.k[i];
    }
    for (uint32_t i = 0; i < s.count; i++) {
        for (uint32_t j = 0; j < s.count; j++) {
            if (s.node[i] >= s.node[j])
                continue;
            struct coarse_pair *pair = coarse_find_pair(plan, mesh, s.node[i], s.node[j]);
            if (pair == NULL)
                return false;
            pair->bend += factor * s.b[i].x * s.b[j].x;
        }
    }
    return true;
}
