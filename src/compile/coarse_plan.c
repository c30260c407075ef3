/* coarse_plan.c - chooses the cage of a mesh: a grid of cells around the rest shape.
 *
 * From fine to coarse the first grid is taken whose cells hold enough vertices, and whose matrix is
 * assembled and factored in a share of the time of one sweep over the elements.
 */
#include "compile/coarse_plan.h"

#include "compile/rest_shape.h"

#include <string.h>

/* Fewer vertices are left to the sweeps alone. */
#define VERTICES_MIN 24u
/* Vertices that a cell holds at least, in the mean. */
#define CELL_VERTICES 8u
/* Most cells along the longest axis. */
#define CELLS_MAX 1024u
/* Time of a factor's multiplication and subtraction, and of a turned block, in those of an
 * element's visits in a sweep; and the share of a sweep that the two may take. */
#define FACTOR_COST 0.006
#define BLOCK_COST  0.12
#define SHARE       0.5
/* What is always worth it: a small body needs a level as much as a large one. */
#define FREE 250.0

static bool wanted(const piola_mesh_desc *mesh)
{
    const bool solid = mesh->tetrahedron_count > 0 && mesh->triangle_count + mesh->bend_count == 0;
    const bool sheet = mesh->tetrahedron_count == 0 && mesh->triangle_count > 0;
    return mesh->coarse_level && (solid || sheet) &&
           (mesh->compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0 &&
           mesh->vertex_count >= VERTICES_MIN;
}

static uint64_t cells_max(uint64_t vertices)
{
    return vertices / 4 + 8;
}

static uint64_t nodes_max(uint64_t vertices)
{
    return vertices / 3 + 16;
}

static uint64_t grid_max(uint64_t vertices)
{
    return 8 * vertices + 512;
}

static uint64_t pairs_max(uint64_t vertices)
{
    return 3 * vertices + 128;
}

static uint64_t parts_max(uint64_t vertices)
{
    return 4 * vertices + 256;
}

static uint64_t table_size(uint64_t vertices)
{
    uint64_t size = 64;
    while (size < 2 * pairs_max(vertices))
        size *= 2;
    return size;
}

void coarse_take(const piola_mesh_desc *mesh, struct arena *arena, struct plan_coarse *plan)
{
    const uint64_t n = wanted(mesh) ? mesh->vertex_count : 0;
    const uint64_t some = n > 0;
    memset(plan, 0, sizeof *plan);
    plan->local = arena_take(arena, 3 * n, sizeof(float));
    plan->cell = arena_take(arena, n, sizeof(uint32_t));
    plan->cell_first = arena_take(arena, some * (cells_max(n) + 1), sizeof(uint32_t));
    plan->cell_vertices = arena_take(arena, n, sizeof(uint32_t));
    plan->cell_node = arena_take(arena, some * PK_CORNERS * cells_max(n), sizeof(uint32_t));
    plan->reach = arena_take(arena, some * nodes_max(n), sizeof(uint32_t));
    plan->mass = arena_take(arena, some * nodes_max(n), sizeof(double));
    plan->strings = arena_take(arena, some * nodes_max(n), sizeof(double));
    plan->stiffness = arena_take(arena, n, sizeof(double));
    plan->order = arena_take(arena, some * pairs_max(n), sizeof(uint32_t));
    plan->pair = arena_take(arena, some * pairs_max(n), sizeof(struct coarse_pair));
    plan->part = arena_take(arena, some * parts_max(n), sizeof(struct coarse_part));
    plan->group = arena_take(arena, some * cells_max(n), sizeof(struct coarse_group));
    plan->grid_cell = arena_take(arena, some * grid_max(n), sizeof(uint32_t));
    plan->grid_node = arena_take(arena, some * grid_max(n), sizeof(uint32_t));
    plan->grid_group = arena_take(arena, some * grid_max(n), sizeof(uint32_t));
    plan->table = arena_take(arena, some * table_size(n), sizeof(uint32_t));
    plan->tally = arena_take(arena, some * (pairs_max(n) + 2), sizeof(uint32_t));
    plan->materials = arena_take(arena, some * mesh->material_count, sizeof(struct pk_material));
}

void coarse_weights(const float local[3], double weight[PK_CORNERS])
{
    for (unsigned c = 0; c < PK_CORNERS; c++) {
        weight[c] = 1;
        for (unsigned k = 0; k < 3; k++)
            weight[c] *= c >> k & 1 ? (double)local[k] : 1 - (double)local[k];
    }
}

/* A grid with `along` cells on the longest axis; false when its arrays are too large. */
static bool make_grid(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t along)
{
    struct coarse_grid *g = &plan->grid;
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const struct vec3 p = mesh_vertex(mesh, v);
        const double x[3] = {p.x, p.y, p.z};
        for (unsigned k = 0; k < 3; k++) {
            low[k] = v == 0 || x[k] < low[k] ? x[k] : low[k];
            high[k] = v == 0 || x[k] > high[k] ? x[k] : high[k];
        }
    }
    g->axis[0] = 0;
    for (unsigned k = 1; k < 3; k++)
        g->axis[0] = high[k] - low[k] > high[g->axis[0]] - low[g->axis[0]] ? k : g->axis[0];
    g->axis[1] = (g->axis[0] + 1) % 3;
    g->axis[2] = (g->axis[0] + 2) % 3;
    if (high[g->axis[1]] - low[g->axis[1]] < high[g->axis[2]] - low[g->axis[2]]) {
        const unsigned other = g->axis[1];
        g->axis[1] = g->axis[2];
        g->axis[2] = other;
    }
    const double cell = (high[g->axis[0]] - low[g->axis[0]]) / along;
    uint64_t nodes = 1;
    for (unsigned k = 0; k < 3; k++) {
        const double extent = high[k] - low[k];
        g->origin[k] = low[k];
        g->count[k] = (uint32_t)(extent / cell + 0.5);
        g->count[k] += g->count[k] == 0;
        g->size[k] = extent > 0 ? extent / g->count[k] : 1;
        nodes *= (uint64_t)g->count[k] + 1;
        if (nodes > grid_max(mesh->vertex_count))
            return false;
    }
    return true;
}

/* The place of a cell, or with `more` 1 of a node, in the arrays of the grid. */
static uint32_t grid_at(const struct coarse_grid *g, const uint32_t at[3], uint32_t more)
{
    const unsigned *axis = g->axis;
    return (at[axis[0]] * (g->count[axis[1]] + more) + at[axis[1]]) * (g->count[axis[2]] + more) +
           at[axis[2]];
}

/* Cell and place in it. What is on a face but for rounding is on the face: then fewer nodes move
 * it. */
static void place_vertex(const struct coarse_grid *g, struct vec3 p, uint32_t cell[3],
                         float local[3])
{
    const double x[3] = {p.x, p.y, p.z};
    for (unsigned k = 0; k < 3; k++) {
        const double t = (x[k] - g->origin[k]) / g->size[k];
        uint32_t c = t > 0 ? (uint32_t)t : 0;
        c = c < g->count[k] ? c : g->count[k] - 1;
        double in = t - c;
        in = in < 1e-5 ? 0 : in > 1 - 1e-5 ? 1 : in;
        cell[k] = c;
        local[k] = (float)in;
    }
}

static bool place_vertices(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    const struct coarse_grid *g = &plan->grid;
    const uint32_t cells = g->count[0] * g->count[1] * g->count[2];
    const uint32_t nodes = (g->count[0] + 1) * (g->count[1] + 1) * (g->count[2] + 1);
    memset(plan->grid_cell, 0, cells * sizeof *plan->grid_cell);
    memset(plan->grid_node, 0, nodes * sizeof *plan->grid_node);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        uint32_t at[3];
        double weight[PK_CORNERS];
        place_vertex(g, mesh_vertex(mesh, v), at, &plan->local[3 * (size_t)v]);
        coarse_weights(&plan->local[3 * (size_t)v], weight);
        plan->cell[v] = grid_at(g, at, 0);
        plan->grid_cell[plan->cell[v]] = 1;
        for (unsigned c = 0; c < PK_CORNERS; c++) {
            const uint32_t node[3] = {at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)};
            if (weight[c] > 0)
                plan->grid_node[grid_at(g, node, 1)] = 1;
        }
    }
    plan->cells = plan->nodes = 0;
    for (uint32_t i = 0; i < cells; i++)
        plan->grid_cell[i] = plan->grid_cell[i] ? plan->cells++ : COARSE_NONE;
    for (uint32_t i = 0; i < nodes; i++)
        plan->grid_node[i] = plan->grid_node[i] ? plan->nodes++ : COARSE_NONE;
    return plan->cells < cells_max(mesh->vertex_count) &&
           plan->nodes < nodes_max(mesh->vertex_count) &&
           (uint64_t)plan->cells * CELL_VERTICES <= mesh->vertex_count;
}

/* Corners of the cells; a corner that moves nothing is any other of the cell. */
static void name_corners(struct plan_coarse *plan)
{
    const struct coarse_grid *g = &plan->grid;
    uint32_t at[3];
    for (at[0] = 0; at[0] < g->count[0]; at[0]++) {
        for (at[1] = 0; at[1] < g->count[1]; at[1]++) {
            for (at[2] = 0; at[2] < g->count[2]; at[2]++) {
                const uint32_t cell = plan->grid_cell[grid_at(g, at, 0)];
                if (cell == COARSE_NONE)
                    continue;
                uint32_t *node = &plan->cell_node[PK_CORNERS * (size_t)cell];
                uint32_t any = COARSE_NONE;
                for (unsigned c = 0; c < PK_CORNERS; c++) {
                    const uint32_t of[3] = {at[0] + (c & 1), at[1] + (c >> 1 & 1),
                                            at[2] + (c >> 2)};
                    node[c] = plan->grid_node[grid_at(g, of, 1)];
                    any = node[c] != COARSE_NONE ? node[c] : any;
                }
                for (unsigned c = 0; c < PK_CORNERS; c++)
                    node[c] = node[c] != COARSE_NONE ? node[c] : any;
            }
        }
    }
}

/* Vertices by cell. */
static void sort_vertices(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    memset(plan->cell_first, 0, ((size_t)plan->cells + 1) * sizeof *plan->cell_first);
    plan->cage_packs = 0;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        plan->cell[v] = plan->grid_cell[plan->cell[v]];
        plan->cell_first[plan->cell[v] + 1]++;
    }
    for (uint32_t c = 0; c < plan->cells; c++) {
        plan->cage_packs += (plan->cell_first[c + 1] + PK_LANES - 1) / PK_LANES;
        plan->cell_first[c + 1] += plan->cell_first[c];
    }
    for (uint32_t left = mesh->vertex_count; left > 0; left--) {
        const uint32_t v = left - 1;
        plan->cell_vertices[--plan->cell_first[plan->cell[v] + 1]] = v;
    }
    /* Each end has become its cell's beginning. */
    for (uint32_t c = 0; c < plan->cells; c++)
        plan->cell_first[c] = plan->cell_first[c + 1];
    plan->cell_first[plan->cells] = mesh->vertex_count;
}

/* Width of a node's rows. */
static uint32_t width_of(uint32_t node, uint32_t reach)
{
    return (3 * reach + 3 + 15) / 16 * 16 - 3 * node / 16 * 16;
}

/* What factor and blocks take, in sweeps. */
static double cost(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    double factor = 0;
    uint32_t reach = 0;
    plan->matrix = 0;
    for (uint32_t i = 0; i < plan->nodes; i++) {
        reach = plan->reach[i] > reach ? plan->reach[i] : reach;
        reach = i > reach ? i : reach;
        plan->reach[i] = reach;
        const double rows = 3 * (double)(reach - i) + 3;
        factor += 3 * rows * (rows / 2 + 8);
        plan->matrix += 3 * (uint64_t)width_of(i, reach);
    }
    return (FACTOR_COST * factor + BLOCK_COST * plan->parts) /
           mesh_kind_count(mesh, coarse_kind(mesh));
}

/* Nodes that share an element, from the corners of cells alone: a lower bound of the band. */
static double least_cost(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    memset(plan->reach, 0, plan->nodes * sizeof *plan->reach);
    for (uint32_t c = 0; c < plan->cells; c++) {
        const uint32_t *node = &plan->cell_node[PK_CORNERS * (size_t)c];
        uint32_t last = 0;
        for (unsigned i = 0; i < PK_CORNERS; i++)
            last = node[i] > last ? node[i] : last;
        for (unsigned i = 0; i < PK_CORNERS; i++)
            plan->reach[node[i]] = last > plan->reach[node[i]] ? last : plan->reach[node[i]];
    }
    plan->parts = 0;
    return cost(plan, mesh);
}

static bool fits(const struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    /* Particles come in sixteens, with eight dummies or more. */
    const uint64_t particles = ((uint64_t)mesh->vertex_count + 8 + 15) / 16 * 16;
    const uint64_t sheet = coarse_kind(mesh) == KIND_TRIANGLE ? particles : 0;
    return coarse_doubles(plan->matrix, plan->nodes, plan->groups, sheet) <=
           PK_COARSE_DOUBLES * particles;
}

/* Packs of 16 pairs, those of many parts first, and the blocks that they need. */
static void pack_pairs(struct plan_coarse *plan)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < plan->pairs; i++)
        most = plan->pair[i].parts > most ? plan->pair[i].parts : most;
    memset(plan->tally, 0, ((size_t)most + 2) * sizeof *plan->tally);
    for (uint32_t i = 0; i < plan->pairs; i++)
        plan->tally[most - plan->pair[i].parts + 1]++;
    for (uint32_t i = 0; i < most; i++)
        plan->tally[i + 1] += plan->tally[i];
    for (uint32_t i = 0; i < plan->pairs; i++)
        plan->order[plan->tally[most - plan->pair[i].parts]++] = i;
    plan->pair_packs = (plan->pairs + PK_LANES - 1) / PK_LANES;
    plan->blocks = 0;
    for (uint32_t i = 0; i < plan->pairs; i += PK_LANES)
        plan->blocks += plan->pair[plan->order[i]].parts;
}

static bool worth(double sweeps, const piola_mesh_desc *mesh)
{
    return sweeps <= SHARE || sweeps * mesh_kind_count(mesh, coarse_kind(mesh)) <= FREE;
}

static bool try_grid(struct plan_coarse *plan, const piola_mesh_desc *mesh, uint32_t along)
{
    plan->groups = 0;
    if (!make_grid(plan, mesh, along) || !place_vertices(plan, mesh))
        return false;
    name_corners(plan);
    if (!worth(least_cost(plan, mesh), mesh) || !fits(plan, mesh))
        return false;
    sort_vertices(plan, mesh);
    memset(plan->reach, 0, plan->nodes * sizeof *plan->reach);
    if (!coarse_sum_elements(plan, mesh) || !worth(cost(plan, mesh), mesh) || !fits(plan, mesh))
        return false;
    pack_pairs(plan);
    return true;
}

void coarse_find(struct plan_coarse *plan, const piola_mesh_desc *mesh)
{
    bool found = false;
    for (uint32_t along = wanted(mesh) ? CELLS_MAX : 0; along > 0 && !found; along -= along / 5 + 1)
        found = try_grid(plan, mesh, along);
    if (!found) {
        plan->cells = plan->nodes = plan->groups = plan->pairs = 0;
        plan->pair_packs = plan->blocks = plan->cage_packs = 0;
    }
}
