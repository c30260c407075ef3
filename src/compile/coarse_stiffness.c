/* coarse_stiffness.c - Galerkin's sums P^T K P and P^T M P over the elements of a mesh at rest.
 *
 * Elements are summed by groups, bricks of cells in which the rotation is taken for one. The
 * diagonal is not summed: a shift costs nothing, so it is what the blocks beside it lack to zero.
 */
#include "compile/coarse_plan.h"
#include "compile/material.h"
#include "compile/rest_shape.h"

#include <math.h>
#include <string.h>

/* Cells along the edge of a group: sheets turn more sharply than solids. */
static uint32_t brick_of(const piola_mesh_desc *mesh)
{
    return coarse_kind(mesh) == KIND_TET ? 2 : 1;
}

static uint32_t pairs_max(const piola_mesh_desc *mesh)
{
    return 3 * mesh->vertex_count + 128;
}

static uint32_t parts_max(const piola_mesh_desc *mesh)
{
    return 4 * mesh->vertex_count + 256;
}

static uint32_t table_size(const piola_mesh_desc *mesh)
{
    uint32_t size = 64;
    while (size < 2 * pairs_max(mesh))
        size *= 2;
    return size;
}

struct coarse_pair *coarse_find_pair(struct plan_coarse *plan, const piola_mesh_desc *mesh,
                                     uint32_t row, uint32_t column)
{
    const uint32_t mask = table_size(mesh) - 1;
    uint32_t at = (row * 2654435761u + column * 2246822519u) & mask;
    for (; plan->table[at] != COARSE_NONE; at = (at + 1) & mask) {
        struct coarse_pair *pair = &plan->pair[plan->table[at]];
        if (pair->row == row && pair->column == column)
            return pair;
    }
    if (plan->pairs == pairs_max(mesh))
        return NULL;
    plan->table[at] = plan->pairs;
    plan->pair[plan->pairs] = (struct coarse_pair){row, column, COARSE_NONE, 0, 0, 0, 0};
    plan->reach[row] = column > plan->reach[row] ? column : plan->reach[row];
    return &plan->pair[plan->pairs++];
}

struct coarse_part *coarse_find_part(struct plan_coarse *plan, const piola_mesh_desc *mesh,
                                     uint32_t row, uint32_t column, uint32_t group)
{
    struct coarse_pair *pair = coarse_find_pair(plan, mesh, row, column);
    if (pair == NULL)
        return NULL;
    for (uint32_t i = pair->head; i != COARSE_NONE; i = plan->part[i].next)
        if (plan->part[i].group == group)
            return &plan->part[i];
    if (plan->parts == parts_max(mesh))
        return NULL;
    plan->part[plan->parts] = (struct coarse_part){group, pair->head, {0}};
    pair->head = plan->parts;
    pair->parts++;
    return &plan->part[plan->parts++];
}

/* Gradients (1/m) of the four corners' shape functions; returns the volume. */
static double corner_gradients(const piola_mesh_desc *mesh, const uint32_t v[4], struct vec3 g[4])
{
    const struct vec3 o = mesh_vertex(mesh, v[3]);
    const struct vec3 a = vec3_sub(mesh_vertex(mesh, v[0]), o);
    const struct vec3 b = vec3_sub(mesh_vertex(mesh, v[1]), o);
    const struct vec3 c = vec3_sub(mesh_vertex(mesh, v[2]), o);
    const double det = vec3_dot(a, vec3_cross(b, c));
    g[0] = vec3_scale(vec3_cross(b, c), 1 / det);
    g[1] = vec3_scale(vec3_cross(c, a), 1 / det);
    g[2] = vec3_scale(vec3_cross(a, b), 1 / det);
    g[3] = (struct vec3){-(g[0].x + g[1].x + g[2].x), -(g[0].y + g[1].y + g[2].y),
                         -(g[0].z + g[1].z + g[2].z)};
    return fabs(det) / 6;
}

void coarse_spread_vertex(const struct plan_coarse *plan, uint32_t vertex, struct vec3 g,
                          struct coarse_spread *to)
{
    const uint32_t *node = &plan->cell_node[PK_CORNERS * (size_t)plan->cell[vertex]];
    double weight[PK_CORNERS];
    coarse_weights(&plan->local[3 * (size_t)vertex], weight);
    for (unsigned c = 0; c < PK_CORNERS; c++) {
        if (!(weight[c] > 0))
            continue;
        uint32_t i = 0;
        while (i < to->count && to->node[i] != node[c])
            i++;
        if (i == to->count) {
            to->node[to->count] = node[c];
            to->b[to->count++] = (struct vec3){0, 0, 0};
        }
        to->b[i].x += weight[c] * g.x;
        to->b[i].y += weight[c] * g.y;
        to->b[i].z += weight[c] * g.z;
    }
}

/* V (lambda b_i b_j^T + mu b_j b_i^T + mu (b_i . b_j) I) */
static void add_block(double k[9], double volume, double mu, double lambda, struct vec3 bi,
                      struct vec3 bj)
{
    const double i[3] = {bi.x, bi.y, bi.z}, j[3] = {bj.x, bj.y, bj.z};
    const double on = mu * vec3_dot(bi, bj);
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            k[3 * a + b] += volume * (lambda * i[a] * j[b] + mu * j[a] * i[b] + (a == b ? on : 0));
}

static bool add_tet(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t tet,
                    uint32_t group)
{
    const uint32_t *v = mesh->tetrahedra + 4 * (size_t)tet;
    const struct pk_material *m = &plan->materials[mesh_material(mesh, tet)];
    struct vec3 g[4];
    const double volume = corner_gradients(mesh, v, g);
    const double mu = (double)m->mu, lambda = (double)m->lambda;
    struct coarse_spread s = {.count = 0};
    for (unsigned i = 0; i < 4; i++) {
        coarse_spread_vertex(plan, v[i], g[i], &s);
        plan->stiffness[v[i]] +=
            volume * vec3_dot(g[i], g[i]) * (mu + (mu + (lambda > 0 ? lambda : 0)) / 3);
    }
    for (uint32_t i = 0; i < s.count; i++) {
        for (uint32_t j = 0; j < s.count; j++) {
            if (s.node[i] >= s.node[j])
                continue;
            struct coarse_part *part = coarse_find_part(plan, mesh, s.node[i], s.node[j], group);
            if (part == NULL)
                return false;
            add_block(part->k, volume, mu, lambda, s.b[i], s.b[j]);
        }
    }
    return true;
}

static bool add_mass(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t vertex,
                     double mass)
{
    const uint32_t *node = &plan->cell_node[PK_CORNERS * (size_t)plan->cell[vertex]];
    double weight[PK_CORNERS];
    coarse_weights(&plan->local[3 * (size_t)vertex], weight);
    for (unsigned i = 0; i < PK_CORNERS; i++) {
        for (unsigned j = 0; j < PK_CORNERS; j++) {
            const double m = mass * weight[i] * weight[j];
            if (i == j)
                plan->mass[node[i]] += m;
            if (!(m > 0) || node[i] >= node[j])
                continue;
            struct coarse_pair *pair = coarse_find_pair(plan, mesh, node[i], node[j]);
            if (pair == NULL)
                return false;
            pair->mass += m;
        }
    }
    return true;
}

/* The brick of the element's middle; COARSE_NONE when there is no room for its group. */
static uint32_t group_of(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t id)
{
    const struct coarse_grid *g = &plan->grid;
    const uint32_t *v = mesh_element(mesh, id), corners = mesh_corners(coarse_kind(mesh));
    double middle[3] = {0, 0, 0};
    for (unsigned i = 0; i < corners; i++) {
        const struct vec3 p = mesh_vertex(mesh, v[i]);
        middle[0] += p.x / corners;
        middle[1] += p.y / corners;
        middle[2] += p.z / corners;
    }
    uint32_t at = 0;
    for (unsigned k = 0; k < 3; k++) {
        const double t = (middle[k] - g->origin[k]) / (brick_of(mesh) * g->size[k]);
        const uint32_t bricks = (g->count[k] + brick_of(mesh) - 1) / brick_of(mesh);
        uint32_t brick = t > 0 ? (uint32_t)t : 0;
        brick = brick < bricks ? brick : bricks - 1;
        at = at * bricks + brick;
    }
    if (plan->grid_group[at] == COARSE_NONE) {
        if (plan->groups == mesh->vertex_count / 4 + 8)
            return COARSE_NONE;
        plan->group[plan->groups] = (struct coarse_group){.members = 0};
        plan->grid_group[at] = plan->groups++;
    }
    return plan->grid_group[at];
}

/* How far a vertex is from the group's middle, its first corner, the line, the plane. */
static double apart(const struct coarse_group *group, const piola_mesh_desc *mesh, unsigned round,
                    uint32_t vertex)
{
    const struct vec3 p = mesh_vertex(mesh, vertex);
    if (round == 0) {
        const double n = group->members;
        const struct vec3 d = {p.x - group->sum[0] / n, p.y - group->sum[1] / n,
                               p.z - group->sum[2] / n};
        return vec3_dot(d, d);
    }
    const struct vec3 o = mesh_vertex(mesh, group->corner[0]), d = vec3_sub(p, o);
    if (round == 1)
        return vec3_dot(d, d);
    const struct vec3 a = vec3_sub(mesh_vertex(mesh, group->corner[1]), o);
    if (round == 2) {
        const struct vec3 n = vec3_cross(a, d);
        return vec3_dot(n, n);
    }
    const struct vec3 b = vec3_sub(mesh_vertex(mesh, group->corner[2]), o);
    return fabs(vec3_dot(d, vec3_cross(a, b)));
}

/* Four vertices of each group, each as far as can be from those before; of a sheet three, for its
 * frame's third edge is the normal of the three: build_coarse(). */
static void find_frames(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    const unsigned kind = coarse_kind(mesh), corners = mesh_corners(kind);
    const uint32_t first = mesh_kind_first(mesh, kind), end = first + mesh_kind_count(mesh, kind);
    for (uint32_t id = first; id < end; id++) {
        struct coarse_group *group = &plan->group[group_of(plan, mesh, id)];
        for (unsigned i = 0; i < corners; i++) {
            const struct vec3 p = mesh_vertex(mesh, mesh_element(mesh, id)[i]);
            group->sum[0] += p.x;
            group->sum[1] += p.y;
            group->sum[2] += p.z;
            group->members++;
        }
    }
    for (unsigned round = 0; round < corners; round++) {
        for (uint32_t g = 0; g < plan->groups; g++)
            plan->group[g].best[round] = -1;
        for (uint32_t id = first; id < end; id++) {
            struct coarse_group *group = &plan->group[group_of(plan, mesh, id)];
            for (unsigned i = 0; i < corners; i++) {
                const uint32_t v = mesh_element(mesh, id)[i];
                const double far = apart(group, mesh, round, v);
                if (far > group->best[round]) {
                    group->best[round] = far;
                    group->corner[round] = v;
                }
            }
        }
    }
    for (uint32_t g = 0; g < plan->groups && corners == 3; g++)
        plan->group[g].corner[3] = plan->group[g].corner[2];
}

static void convert_materials(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    const unsigned kind = coarse_kind(mesh);
    const uint32_t first = mesh_kind_first(mesh, kind), end = first + mesh_kind_count(mesh, kind);
    memset(plan->materials, 0, mesh->material_count * sizeof *plan->materials);
    for (uint32_t id = first; id < end; id++) {
        const uint32_t material = mesh_material(mesh, id);
        const char *field;
        if (plan->materials[material].mu == 0) {
            (void)material_convert(&mesh->materials[material], kind, &plan->materials[material],
                                   &field);
        }
    }
}

/* m^3, or of triangles m^2. */
static double measure_of(const piola_mesh_desc *mesh, uint32_t id)
{
    double longest;
    const uint32_t *v = mesh_element(mesh, id);
    return coarse_kind(mesh) == KIND_TET ? fabs(rest_tet_det(mesh, v, &longest)) / 6
                                         : rest_area(mesh, v[0], v[1], v[2], &longest);
}

/* Masses, and the mean damping by measure times stiffness. */
static bool add_masses(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    const unsigned kind = coarse_kind(mesh), corners = mesh_corners(kind);
    const uint32_t first = mesh_kind_first(mesh, kind), end = first + mesh_kind_count(mesh, kind);
    double damped = 0, whole = 0;
    memset(plan->mass, 0, plan->nodes * sizeof *plan->mass);
    for (uint32_t id = first; id < end; id++) {
        const uint32_t material = mesh_material(mesh, id);
        const double measure = measure_of(mesh, id);
        const double stiff = measure * (double)plan->materials[material].mu;
        damped += stiff * (double)plan->materials[material].damping;
        whole += stiff;
        for (unsigned k = 0; k < corners; k++)
            if (!add_mass(plan, mesh, mesh_element(mesh, id)[k],
                          measure / corners * material_density(&mesh->materials[material], kind)))
                return false;
    }
    plan->damping = damped / whole;
    return true;
}

static bool add_elements(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    const unsigned kind = coarse_kind(mesh);
    const uint32_t first = mesh_kind_first(mesh, kind), end = first + mesh_kind_count(mesh, kind);
    for (uint32_t id = first; id < end; id++) {
        const uint32_t group = group_of(plan, mesh, id);
        if (group == COARSE_NONE ||
            !(kind == KIND_TET ? add_tet(plan, mesh, id, group)
                               : coarse_add_triangle(plan, mesh, id, group)))
            return false;
    }
    for (uint32_t i = 0; i < mesh->bend_count; i++)
        if (!coarse_add_bend(plan, mesh, mesh_kind_first(mesh, KIND_BEND) + i))
            return false;
    return true;
}

bool coarse_sum_elements(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    const struct coarse_grid *g = &plan->grid;
    const uint32_t brick = brick_of(mesh);
    uint32_t bricks = 1;
    for (unsigned k = 0; k < 3; k++)
        bricks *= (g->count[k] + brick - 1) / brick;
    plan->pairs = plan->parts = plan->groups = 0;
    memset(plan->grid_group, 0xff, bricks * sizeof *plan->grid_group);
    memset(plan->table, 0xff, table_size(mesh) * sizeof *plan->table);
    memset(plan->stiffness, 0, mesh->vertex_count * sizeof *plan->stiffness);
    memset(plan->strings, 0, plan->nodes * sizeof *plan->strings);
    convert_materials(plan, mesh);
    if (!add_elements(plan, mesh) || !add_masses(plan, mesh))
        return false;
    find_frames(plan, mesh);
    return true;
}
