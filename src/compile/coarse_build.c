/* coarse_build.c - writes the coarse level of a plan into an asset. */
#include "compile/build.h"

#include <math.h>
#include <string.h>

static uint32_t width_of(uint32_t node, uint32_t reach)
{
    return (3 * reach + 3 + 15) / 16 * 16 - 3 * node / 16 * 16;
}

static void build_nodes(const struct build *b, const struct plan_coarse *c)
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < c->nodes; i++) {
        const uint32_t width = width_of(i, c->reach[i]);
        b->at.coarse_nodes[i] = (struct pk_coarse_node){c->reach[i], offset, width,
                                                        (float)c->mass[i], (float)c->strings[i]};
        offset += 3 * width;
    }
}

static void build_cage(const struct build *b, const struct plan_coarse *c)
{
    struct pk_cage_pack *pack = b->at.cage_packs;
    for (uint32_t cell = 0; cell < c->cells; cell++) {
        const uint32_t end = c->cell_first[cell + 1];
        for (uint32_t first = c->cell_first[cell]; first < end; first += PK_LANES, pack++) {
            pack->count = end - first < PK_LANES ? end - first : PK_LANES;
            pack->ends = end - first <= PK_LANES;
            memcpy(pack->node, &c->cell_node[PK_CORNERS * (size_t)cell], sizeof pack->node);
            for (uint32_t lane = 0; lane < PK_LANES; lane++) {
                const uint32_t v =
                    c->cell_vertices[first + (lane < pack->count ? lane : pack->count - 1)];
                pack->index[lane] = b->plan->particle_of_vertex[v];
                for (unsigned k = 0; k < 3; k++)
                    pack->local[k][lane] = c->local[3 * (size_t)v + k];
            }
        }
    }
}

static void build_pairs(const struct build *b, const struct plan_coarse *c)
{
    uint32_t first = 0;
    for (uint32_t at = 0; at < c->pairs; at += PK_LANES) {
        struct pk_coarse_pairs *pack = &b->at.coarse_pairs[at / PK_LANES];
        pack->first = first;
        pack->count = c->pair[c->order[at]].parts;
        pack->used = c->pairs - at < PK_LANES ? c->pairs - at : PK_LANES;
        for (uint32_t lane = 0; lane < pack->used; lane++) {
            const struct coarse_pair *pair = &c->pair[c->order[at + lane]];
            struct pk_coarse_block *block = &b->at.coarse_blocks[first];
            pack->row[lane] = pair->row;
            pack->column[lane] = pair->column;
            pack->mass[lane] = (float)pair->mass;
            pack->string[lane] = (float)pair->string;
            pack->bend[lane] = (float)pair->bend;
            for (uint32_t i = pair->head; i != COARSE_NONE; i = c->part[i].next, block++) {
                block->group[lane] = c->part[i].group;
                for (unsigned k = 0; k < 9; k++)
                    block->k[k][lane] = (float)c->part[i].k[k];
            }
        }
        first += pack->count;
    }
}

/* Inverse of the matrix whose columns run from corner 3 to the others. Corners 2 and 3 are one in a
 * sheet: there the third column is the unit normal of the others. */
static void build_frames(const struct build *b, const struct plan_coarse *c)
{
    for (uint32_t at = 0; at < (c->groups + PK_LANES - 1) / PK_LANES * PK_LANES; at++) {
        const struct coarse_group *group = &c->group[at < c->groups ? at : 0];
        struct pk_tet_pack *pack = &b->at.coarse_frames[at / PK_LANES];
        const uint32_t lane = at % PK_LANES;
        struct vec3 e[3];
        for (unsigned i = 0; i < 3; i++) {
            e[i] = vec3_sub(mesh_vertex(b->mesh, group->corner[i]),
                            mesh_vertex(b->mesh, group->corner[3]));
        }
        if (group->corner[2] == group->corner[3]) {
            const struct vec3 n = vec3_cross(e[0], e[1]);
            e[2] = vec3_scale(n, 1 / sqrt(vec3_dot(n, n)));
        }
        const double det = vec3_dot(e[0], vec3_cross(e[1], e[2]));
        for (unsigned i = 0; i < 3; i++) {
            const struct vec3 row = vec3_scale(vec3_cross(e[(i + 1) % 3], e[(i + 2) % 3]), 1 / det);
            pack->dm_inverse[3 * i][lane] = (float)row.x;
            pack->dm_inverse[3 * i + 1][lane] = (float)row.y;
            pack->dm_inverse[3 * i + 2][lane] = (float)row.z;
        }
        for (unsigned i = 0; i < 4; i++)
            pack->index[i][lane] = b->plan->particle_of_vertex[group->corner[i]];
    }
}

void build_coarse(const struct build *b)
{
    const struct plan_coarse *c = &b->plan->coarse;
    if (c->cells == 0)
        return;
    *b->at.coarse_heads = (struct pk_coarse){.nodes = c->nodes,
                                             .groups = c->groups,
                                             .matrix = (uint32_t)c->matrix,
                                             .damping = (float)c->damping};
    build_nodes(b, c);
    build_cage(b, c);
    build_pairs(b, c);
    build_frames(b, c);
    for (uint32_t v = 0; v < b->plan->vertices; v++)
        b->at.coarse_stiffness[b->plan->particle_of_vertex[v]] = (float)c->stiffness[v];
}
