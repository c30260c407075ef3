/* build_visits.c - writes the packs of vertex descent: which vertices stand together, and for each
 * its visits to its elements with all that is constant folded in.
 *
 * Stable Neo-Hookean, corner a at xa, the others x1, x2, x3, F = sum (xi - xa) ri^T:
 *   energy   V (mu/2 (tr F^T F - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2)
 *   J        det(x1-xa, x2-xa, x3-xa) / 6V = -(n.d) / 6V,  n = (x2-x1) x (x3-x1), d = xa - x1
 *   gradient mu V F b + V (-mu + (lambda + mu)(J - 1)) (-n / 6V),  b = -(r1 + r2 + r3)
 *          = sum ki (xi - xa) + n (alpha + beta n.d),
 *   ki = mu V ri.b,  alpha = (lambda + 2 mu) / 6,  beta = (lambda + mu) / 36V.
 *
 * A lane with fewer visits than its pack repeats its first visit with zero weight: the numbers stay
 * as finite as those of a real element, and add nothing. A lane without a vertex, or without any
 * visit, looks at its cluster's dummies.
 */
#include "compile/asset_layout.h"
#include "compile/build.h"
#include "compile/material.h"
#include "compile/rest_shape.h"
#include "kernels/models.h"

#include <string.h>

/* A lane of a slot of visits, and what it visits. */
struct visit {
    uint32_t slot, lane;
    uint32_t id;     /* element, or PLAN_NONE to look at dummies */
    unsigned corner; /* of the vertex in the element */
    float weight;    /* 1, or 0 to repeat a visit that was made already */
    uint32_t dummy;  /* the cluster's first */
    bool vertex;     /* the lane has a vertex */
};

static unsigned corner_of(const uint32_t *v, uint32_t vertex)
{
    unsigned corner = 0;
    while (v[corner] != vertex)
        corner++;
    return corner;
}

static void write_generic(const struct build *b, const struct visit *visit, const struct vec3 r[3],
                          double volume)
{
    struct pk_visit *to = &b->at.visits[visit->slot];
    const uint32_t lane = visit->lane;
    for (unsigned i = 0; i < 3; i++) {
        to->r[3 * i][lane] = (float)r[i].x;
        to->r[3 * i + 1][lane] = (float)r[i].y;
        to->r[3 * i + 2][lane] = (float)r[i].z;
    }
    to->volume[lane] = visit->weight * (float)volume;
    to->material[lane] = mesh_material(b->mesh, visit->id);
}

static void write_snh(const struct build *b, const struct visit *visit, const struct vec3 r[3],
                      double volume)
{
    struct pk_visit_snh *to = &b->at.visits_snh[visit->slot];
    const struct pk_material *m = &b->at.materials[mesh_material(b->mesh, visit->id)];
    const double mu = (double)m->mu, lambda = (double)m->lambda;
    const struct vec3 sum = {r[0].x + r[1].x + r[2].x, r[0].y + r[1].y + r[2].y,
                             r[0].z + r[1].z + r[2].z};
    for (unsigned i = 0; i < 3; i++)
        to->k[i][visit->lane] = visit->weight * (float)(-mu * volume * vec3_dot(r[i], sum));
    to->alpha[visit->lane] = visit->weight * (float)((lambda + 2 * mu) / 6);
    to->beta[visit->lane] = visit->weight * (float)((lambda + mu) / (36 * volume));
}

/* A visit of dummies: at a unit tetrahedron's rest when the lane has no vertex, else of no
 * deformation gradient at all, because the vertex may be anywhere. */
static void write_no_tet(const struct build *b, const struct visit *visit)
{
    for (unsigned i = 0; i < 3; i++) {
        if (b->plan->snh) {
            b->at.visits_snh[visit->slot].other[i][visit->lane] = visit->dummy + i;
        } else {
            struct pk_visit *to = &b->at.visits[visit->slot];
            to->other[i][visit->lane] = visit->dummy + i;
            to->r[4 * i][visit->lane] = visit->vertex ? 0 : 1;
            to->material[visit->lane] = PLAN_NONE; /* until lend_materials */
        }
    }
}

/* Returns the visit's share of the vertex's laplacian, N/m. */
static double write_tet(const struct build *b, const struct visit *visit)
{
    if (visit->id == PLAN_NONE) {
        write_no_tet(b, visit);
        return 0;
    }
    const uint32_t *v = mesh_element(b->mesh, visit->id);
    struct rest_frame frame;
    struct vec3 r[3];
    (void)rest_tet_frame(b->mesh, visit->id, &frame);
    const double volume = rest_tet(b->mesh, v, visit->corner, &frame, r);
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t other = b->plan->particle_of_vertex[v[rest_around[visit->corner][i]]];
        if (b->plan->snh)
            b->at.visits_snh[visit->slot].other[i][visit->lane] = other;
        else
            b->at.visits[visit->slot].other[i][visit->lane] = other;
    }
    if (b->plan->snh)
        write_snh(b, visit, r, volume);
    else
        write_generic(b, visit, r, volume);
    const struct pk_material *m = &b->at.materials[mesh_material(b->mesh, visit->id)];
    const struct vec3 sum = {r[0].x + r[1].x + r[2].x, r[0].y + r[1].y + r[2].y,
                             r[0].z + r[1].z + r[2].z};
    return model_quadratic((int)m->model)
               ? (double)visit->weight * (double)m->mu * volume * vec3_dot(sum, sum)
               : 0;
}

/* The plastic cell of an element; `packs` are those of its kind's packs. */
static uint32_t plastic_cell(const struct build *b, uint32_t id, const uint32_t *packs)
{
    const uint32_t lane = b->plan->lane_of_element[id];
    const uint32_t pack = packs[lane / PK_LANES];
    return pack == UINT32_MAX ? UINT32_MAX : pack * PK_LANES + lane % PK_LANES;
}

/* The same in a list of one per visit. */
static void write_plastic_cell(const struct build *b, const struct visit *visit,
                               const uint32_t *packs, uint32_t *list)
{
    list[visit->slot * (size_t)PK_LANES + visit->lane] = visit->id != PLAN_NONE && visit->weight > 0
                                                             ? plastic_cell(b, visit->id, packs)
                                                             : UINT32_MAX;
}

static void write_triangle(const struct build *b, const struct visit *visit)
{
    struct pk_triangle_visit *to = &b->at.triangle_visits[visit->slot];
    if (visit->id == PLAN_NONE) {
        to->other[0][visit->lane] = visit->dummy;
        to->other[1][visit->lane] = visit->dummy + 1;
        to->r[0][visit->lane] = to->r[3][visit->lane] = visit->vertex ? 0 : 1;
        to->material[visit->lane] = PLAN_NONE; /* until lend_materials */
        return;
    }
    const uint32_t base =
        layout_asset_material_base(b->plan->material_count, b->plan->kind_count, KIND_TRIANGLE);
    const uint32_t *v = mesh_element(b->mesh, visit->id);
    const uint32_t triangle = visit->id - mesh_kind_first(b->mesh, KIND_TRIANGLE);
    struct rest_frame frame;
    double r[4];
    (void)rest_triangle_frame(b->mesh, triangle, &frame);
    const double area = rest_triangle(b->mesh, triangle, visit->corner, &frame, r);
    for (unsigned i = 0; i < 2; i++)
        to->other[i][visit->lane] = b->plan->particle_of_vertex[v[(visit->corner + 1 + i) % 3]];
    for (unsigned i = 0; i < 4; i++)
        to->r[i][visit->lane] = (float)r[i];
    to->area[visit->lane] = visit->weight * (float)area;
    to->material[visit->lane] = base + mesh_material(b->mesh, visit->id);
}

static void write_row(const struct build *b, uint32_t vertex, uint32_t lane, uint32_t dummy,
                      const struct pk_vertex_pack *pack)
{
    const struct plan_rows *rows = &b->plan->rows;
    const uint32_t begin = vertex == PLAN_NONE ? 0 : rows->first[vertex];
    const uint32_t count = vertex == PLAN_NONE ? 0 : rows->first[vertex + 1] - begin;
    for (uint32_t i = 0; i < pack->visits[PK_VISIT_BEND].count; i++) {
        struct pk_bend_row *to = &b->at.bend_rows[pack->visits[PK_VISIT_BEND].first + i];
        to->other[lane] = i < count ? rows->other[begin + i] : dummy;
        to->weight[lane] = i < count ? (float)rows->weight[begin + i] : 0;
    }
}

static void write_fold(const struct build *b, uint32_t id, unsigned corner, uint32_t lane,
                       uint32_t slot)
{
    struct pk_fold_visit *to = &b->at.fold_visits[slot];
    /* The other vertices of a stencil as its corner sees it, turned about where that must be. */
    static const unsigned char seen[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {1, 0, 2}};
    const uint32_t *v = mesh_element(b->mesh, id);
    struct rest_bend bend;
    rest_bend(b->mesh, v, &bend);
    for (unsigned i = 0; i < 3; i++)
        to->other[i][lane] = b->plan->particle_of_vertex[v[seen[corner][i]]];
    to->edge[lane] = corner < 2;
    const piola_material *material = &b->mesh->materials[mesh_material(b->mesh, id)];
    const float weight = (float)bend.fold * material_bend_factor(material);
    to->weight[lane] = rest_dihedral(b->mesh, id) ? weight : 0;
    if (b->plan->counts.fold_damping_lanes > 0)
        b->at.fold_damping[(size_t)slot * PK_LANES + lane] = material->damping * weight;
    to->rest_angle[lane] = (float)bend.angle;
    if (b->plan->plastic) {
        b->at.fold_visit_plastic[(size_t)slot * PK_LANES + lane] =
            plastic_cell(b, id, b->at.bend_pack_plastic);
    }
}

/* Lanes that have fewer look at dummies without weight. */
static void write_folds(const struct build *b, uint32_t vertex, uint32_t lane, uint32_t dummy,
                        const struct pk_vertex_pack *pack)
{
    const struct plan_incidence *bends = &b->plan->incidence[KIND_BEND];
    uint32_t slot = pack->visits[PK_VISIT_FOLD].first;
    for (uint32_t i = 0; i < pack->visits[PK_VISIT_FOLD].count; i++) {
        for (unsigned c = 0; c < 3; c++)
            b->at.fold_visits[slot + i].other[c][lane] = dummy + c;
        if (b->plan->plastic)
            b->at.fold_visit_plastic[(size_t)(slot + i) * PK_LANES + lane] = UINT32_MAX;
    }
    for (uint32_t i = vertex == PLAN_NONE ? 0 : bends->first[vertex];
         vertex != PLAN_NONE && i < bends->first[vertex + 1]; i++) {
        const uint32_t id = bends->item[i];
        if (rest_folds(b->mesh, id))
            write_fold(b, id, corner_of(mesh_element(b->mesh, id), vertex), lane, slot++);
    }
}

/* All slots of one kind for one lane; `vertex` may be PLAN_NONE. Returns the laplacian, N/m. */
static double write_lane(const struct build *b, struct visit *visit, unsigned kind, uint32_t vertex,
                         uint32_t first_slot, uint32_t slots)
{
    const struct plan_incidence *incidence = &b->plan->incidence[kind];
    const uint32_t begin = vertex == PLAN_NONE ? 0 : incidence->first[vertex];
    const uint32_t count = vertex == PLAN_NONE ? 0 : incidence->first[vertex + 1] - begin;
    double laplacian = 0;
    for (uint32_t i = 0; i < slots; i++) {
        visit->slot = first_slot + i;
        visit->weight = i < count ? 1 : 0;
        visit->id = count == 0 ? PLAN_NONE : incidence->item[begin + (i < count ? i : 0)];
        if (visit->id != PLAN_NONE)
            visit->corner = corner_of(mesh_element(b->mesh, visit->id), vertex);
        if (kind == KIND_TET) {
            laplacian += write_tet(b, visit);
            if (b->plan->counts.visit_lanes > 0)
                write_plastic_cell(b, visit, b->at.tet_pack_plastic, b->at.visit_plastic);
        } else {
            write_triangle(b, visit);
            if (b->plan->plastic) {
                write_plastic_cell(b, visit, b->at.triangle_pack_plastic,
                                   b->at.triangle_visit_plastic);
            }
        }
    }
    return laplacian;
}

static void build_lane(const struct build *b, struct pk_vertex_pack *pack, uint32_t lane,
                       uint32_t dummy)
{
    const uint32_t vertex = b->at.vertex_of_particle[pack->self[lane]];
    struct visit visit = {.lane = lane, .dummy = dummy, .vertex = vertex != PLAN_NONE};
    const double laplacian =
        write_lane(b, &visit, KIND_TET, vertex, pack->visits[PK_VISIT_TET].first,
                   pack->visits[PK_VISIT_TET].count);
    write_lane(b, &visit, KIND_TRIANGLE, vertex, pack->visits[PK_VISIT_TRIANGLE].first,
               pack->visits[PK_VISIT_TRIANGLE].count);
    write_row(b, vertex, lane, dummy, pack);
    write_folds(b, vertex, lane, dummy, pack);
    pack->bending[lane] = vertex == PLAN_NONE ? 0 : (float)b->plan->rows.self[vertex];
    /* 1 keeps the 3x3 system of a lane without mass and stiffness regular. */
    pack->laplacian[lane] = vertex == PLAN_NONE ? 1 : (float)laplacian;
}

/* Lanes without an element take the first other lane's material: it is one in use, and its model
 * costs nothing extra. Some lane has an element, else there would be no slot. */
static void lend_material(pk_u32 material[PK_LANES])
{
    uint32_t lane = 0;
    while (lane + 1 < PK_LANES && material[lane] == PLAN_NONE)
        lane++;
    const pk_u32 lent = material[lane];
    for (lane = 0; lane < PK_LANES; lane++)
        material[lane] = material[lane] == PLAN_NONE ? lent : material[lane];
}

static void lend_materials(const struct build *b, const struct pk_vertex_pack *pack)
{
    for (uint32_t i = 0; i < pack->visits[PK_VISIT_TET].count && !b->plan->snh; i++)
        lend_material(b->at.visits[pack->visits[PK_VISIT_TET].first + i].material);
    for (uint32_t i = 0; i < pack->visits[PK_VISIT_TRIANGLE].count; i++)
        lend_material(b->at.triangle_visits[pack->visits[PK_VISIT_TRIANGLE].first + i].material);
}

static uint32_t folds_of(const struct build *b, uint32_t vertex)
{
    const struct plan_incidence *bends = &b->plan->incidence[KIND_BEND];
    uint32_t folds = 0;
    for (uint32_t i = bends->first[vertex]; i < bends->first[vertex + 1]; i++)
        folds += rest_folds(b->mesh, bends->item[i]);
    return folds;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Which vertices share a pack and how many visits that takes. */
static void build_pack_heads(const struct build *b)
{
    const struct plan_clusters *cut = &b->plan->vertices_cut;
    const uint32_t base = b->plan->first_dummy + 4 * b->asset->stats.clusters;
    for (uint32_t cluster = 0; cluster < cut->count; cluster++) {
        const struct asset_cluster *c = &cut->cluster[cluster];
        for (uint32_t pack = c->packs[KIND_VERTEX].first;
             pack < c->packs[KIND_VERTEX].first + c->packs[KIND_VERTEX].count; pack++)
            for (unsigned lane = 0; lane < PK_LANES; lane++)
                b->at.vertex_packs[pack].self[lane] = base + 4 * cluster + 3;
    }
    for (uint32_t vertex = 0; vertex < b->plan->vertices; vertex++) {
        const uint32_t lane = b->plan->lane_of_vertex[vertex];
        struct pk_vertex_pack *pack = &b->at.vertex_packs[lane / PK_LANES];
        const struct plan_incidence *in = b->plan->incidence;
        pack->self[lane % PK_LANES] = b->plan->particle_of_vertex[vertex];
        const uint32_t need[PK_VISIT_KINDS] = {
            [PK_VISIT_TET] = in[KIND_TET].first[vertex + 1] - in[KIND_TET].first[vertex],
            [PK_VISIT_TRIANGLE] =
                in[KIND_TRIANGLE].first[vertex + 1] - in[KIND_TRIANGLE].first[vertex],
            [PK_VISIT_BEND] = b->plan->rows.first[vertex + 1] - b->plan->rows.first[vertex],
            [PK_VISIT_FOLD] = folds_of(b, vertex),
        };
        for (unsigned kind = 0; kind < PK_VISIT_KINDS; kind++)
            pack->visits[kind].count = larger(pack->visits[kind].count, need[kind]);
    }
}

void build_visits(const struct build *b)
{
    const struct plan_clusters *cut = &b->plan->vertices_cut;
    const uint32_t base = b->plan->first_dummy + 4 * b->asset->stats.clusters;
    uint32_t next[PK_VISIT_KINDS] = {0};
    build_pack_heads(b);
    memcpy(b->at.vertex_clusters, cut->cluster, cut->count * sizeof *cut->cluster);
    memcpy(b->at.vertex_cluster_colours, cut->colour_first,
           b->plan->counts.vertex_cluster_colours1 * sizeof *b->at.vertex_cluster_colours);
    for (uint32_t cluster = 0; cluster < cut->count; cluster++) {
        const struct asset_cluster *c = &cut->cluster[cluster];
        for (uint32_t i = c->packs[KIND_VERTEX].first;
             i < c->packs[KIND_VERTEX].first + c->packs[KIND_VERTEX].count; i++) {
            struct pk_vertex_pack *pack = &b->at.vertex_packs[i];
            for (unsigned kind = 0; kind < PK_VISIT_KINDS; kind++) {
                pack->visits[kind].first = next[kind];
                next[kind] += pack->visits[kind].count;
            }
            for (uint32_t lane = 0; lane < PK_LANES; lane++)
                build_lane(b, pack, lane, base + 4 * cluster);
            lend_materials(b, pack);
        }
    }
}
