/* build.c - piola_asset_build: writes a plan into an asset. Header, particles, materials, element
 * packs, clusters and surface; the visits of vertex descent live in build_visits.c.
 *
 * The whole block is cleared first and every section is written at the place its plan gave it, so
 * the same mesh gives the same bytes everywhere.
 */
#include "compile/build.h"

#include "base/float_mode.h"
#include "base/hash.h"
#include "base/refuse.h"
#include "compile/asset_layout.h"
#include "compile/material.h"
#include "compile/mesh_limits.h"
#include "compile/rest_shape.h"

#include <string.h>

static void build_header(const struct piola_plan *plan, struct piola_asset *asset, size_t bytes)
{
    asset->magic = ASSET_MAGIC;
    asset->version = ASSET_VERSION;
    asset->layout = layout_asset_hash();
    asset->bytes = bytes;
    /* The sums of mass and volume follow later; copying the struct's own bytes copies its cleared
     * padding too. */
    memcpy(&asset->stats, &plan->stats, sizeof asset->stats);
    asset->compile_for = plan->compile_for;
    asset->plastic_cells = plan->plastic_packs;
    asset->sheet_material = plan->sheet_material;
}

/* Corners of the unit tetrahedron that dummies hold, in the order of pk_tet_pack. */
static const struct pk_quad unit_corner[4] = {
    {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};

/* What a vertex has of its tetrahedra and triangles, or, where it has none, of its links. */
struct vertex_share {
    double mass; /* kg */
    double drag; /* kg/s: mass times its material's damping */
};

static struct vertex_share vertex_share(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                                        uint32_t vertex)
{
    struct vertex_share solid = {0, 0}, hung = {0, 0};
    double longest;
    for (unsigned kind = KIND_TET; kind <= KIND_TRIANGLE; kind++) {
        const struct plan_incidence *incidence = &plan->incidence[kind];
        for (uint32_t i = incidence->first[vertex]; i < incidence->first[vertex + 1]; i++) {
            const uint32_t id = incidence->item[i];
            const uint32_t triangle = id - mesh_kind_first(mesh, KIND_TRIANGLE);
            const piola_material *material = &mesh->materials[mesh_material(mesh, id)];
            const double density = material_density(material, kind);
            const double mass =
                kind == KIND_TET
                    ? density * rest_tet_det(mesh, mesh_element(mesh, id), &longest) / 24
                    : density * rest_triangle_area(mesh, triangle, &longest) / 3;
            solid.mass += mass;
            solid.drag += mass * (double)material->mass_damping;
        }
    }
    const struct plan_incidence *links = &plan->incidence[KIND_LINK];
    for (uint32_t i = links->first[vertex]; !(solid.mass > 0) && i < links->first[vertex + 1];
         i++) {
        const piola_material *material = &mesh->materials[mesh_material(mesh, links->item[i])];
        const double mass =
            (double)material->density *
            limits_link_length(mesh, links->item[i] - mesh_kind_first(mesh, KIND_LINK)) / 2;
        hung.mass += mass;
        hung.drag += mass * (double)material->mass_damping;
    }
    for (unsigned part = 0; part < PART_COUNT; part++)
        hung.mass += asset_parts[part]->mass ? asset_parts[part]->mass(mesh, plan, vertex) : 0;
    return solid.mass > 0 ? solid : hung;
}

double build_vertex_rate(const struct piola_plan *plan, const piola_mesh_desc *mesh,
                         uint32_t vertex)
{
    const struct vertex_share share = vertex_share(plan, mesh, vertex);
    return share.drag / share.mass;
}

static void build_particles(const struct build *b)
{
    const uint32_t particles = b->plan->stats.particles;
    double total = 0, volume = 0, longest;
    memset(b->at.vertex_of_particle, 0xff, particles * sizeof *b->at.vertex_of_particle);
    for (uint32_t i = 0; i < b->plan->vertices; i++) {
        const uint32_t vertex = b->plan->vertex_of_particle[i];
        const struct vec3 x = mesh_vertex(b->mesh, vertex);
        const double mass = vertex_share(b->plan, b->mesh, vertex).mass;
        b->at.rest[i] = (struct pk_quad){(float)x.x, (float)x.y, (float)x.z, (float)(1 / mass)};
        b->at.mass[i] = (float)mass;
        b->at.vertex_of_particle[i] = vertex;
        b->at.particle_of_vertex[vertex] = i;
        total += mass;
    }
    for (uint32_t i = b->plan->first_dummy; i < particles; i++)
        b->at.rest[i] = unit_corner[i % 4];
    for (uint32_t i = 0; i < b->plan->kind_count[KIND_TET]; i++)
        volume += rest_tet_det(b->mesh, mesh_element(b->mesh, i), &longest) / 6;
    b->asset->stats.mass = total;
    b->asset->stats.volume = volume;
}

static void build_materials(const struct build *b)
{
    for (unsigned kind = 0; kind < KIND_ELASTIC_COUNT; kind++) {
        const uint32_t base =
            layout_asset_material_base(b->plan->material_count, b->plan->kind_count, kind);
        for (uint32_t id = 0; id < b->plan->kind_count[kind]; id++) {
            const uint32_t element = mesh_kind_first(b->mesh, kind) + id;
            const uint32_t material = mesh_material(b->mesh, element);
            struct pk_material *to = &b->at.materials[base + material];
            const char *field;
            /* Of a used material the modulus is never zero, so this converts each one once. */
            if (to->mu == 0)
                (void)material_convert(&b->mesh->materials[material], kind, to, &field);
            if (kind == KIND_TRIANGLE)
                b->at.sheet_thickness[material] = b->mesh->materials[material].thickness;
        }
    }
}

/* Every lane of a cluster's packs, before elements are written over the used ones. */
static void build_dummies(const struct build *b, uint32_t cluster)
{
    const struct asset_cluster *c = &b->plan->elements_cut.cluster[cluster];
    const uint32_t dummy = b->plan->first_dummy + 4 * cluster;
    for (uint32_t pack = c->packs[KIND_TET].first;
         pack < c->packs[KIND_TET].first + c->packs[KIND_TET].count; pack++) {
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            struct pk_tet_pack *to = &b->at.tet_packs[pack];
            for (unsigned i = 0; i < 4; i++)
                to->index[i][lane] = dummy + i;
            to->dm_inverse[0][lane] = to->dm_inverse[4][lane] = to->dm_inverse[8][lane] = 1;
        }
    }
    for (uint32_t pack = c->packs[KIND_TRIANGLE].first;
         pack < c->packs[KIND_TRIANGLE].first + c->packs[KIND_TRIANGLE].count; pack++) {
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            struct pk_triangle_pack *to = &b->at.triangle_packs[pack];
            /* Corner 3 of the triangle stands at the origin, as corner 4 of the tetrahedron. */
            to->index[0][lane] = dummy;
            to->index[1][lane] = dummy + 1;
            to->index[2][lane] = dummy + 3;
            to->dm_inverse[0][lane] = to->dm_inverse[3][lane] = 1;
        }
    }
    for (uint32_t pack = c->packs[KIND_BEND].first;
         pack < c->packs[KIND_BEND].first + c->packs[KIND_BEND].count; pack++) {
        for (unsigned lane = 0; lane < PK_LANES; lane++)
            for (unsigned i = 0; i < 4; i++)
                b->at.bend_packs[pack].index[i][lane] = dummy + i;
    }
    for (uint32_t pack = c->packs[KIND_LINK].first;
         pack < c->packs[KIND_LINK].first + c->packs[KIND_LINK].count; pack++) {
        for (unsigned lane = 0; lane < PK_LANES; lane++) {
            b->at.link_packs[pack].index[0][lane] = dummy;
            b->at.link_packs[pack].index[1][lane] = dummy + 1;
        }
    }
}

static void build_tet(const struct build *b, uint32_t id)
{
    const uint32_t *v = mesh_element(b->mesh, id);
    const uint32_t pack = b->plan->lane_of_element[id] / PK_LANES;
    const uint32_t lane = b->plan->lane_of_element[id] % PK_LANES;
    struct pk_tet_pack *to = &b->at.tet_packs[pack];
    struct rest_frame frame;
    struct vec3 r[3];
    (void)rest_tet_frame(b->mesh, id, &frame);
    to->volume[lane] = (float)rest_tet(b->mesh, v, 3, &frame, r);
    for (unsigned i = 0; i < 4; i++)
        to->index[i][lane] = b->plan->particle_of_vertex[v[i]];
    for (unsigned i = 0; i < 3; i++) {
        to->dm_inverse[3 * i][lane] = (float)r[i].x;
        to->dm_inverse[3 * i + 1][lane] = (float)r[i].y;
        to->dm_inverse[3 * i + 2][lane] = (float)r[i].z;
    }
    b->at.tet_pack_materials[pack] = mesh_material(b->mesh, id);
    b->at.tet_of_lane[b->plan->lane_of_element[id]] = id;
}

static void build_triangle(const struct build *b, uint32_t id)
{
    const uint32_t *v = mesh_element(b->mesh, id);
    const uint32_t pack = b->plan->lane_of_element[id] / PK_LANES;
    const uint32_t lane = b->plan->lane_of_element[id] % PK_LANES;
    struct pk_triangle_pack *to = &b->at.triangle_packs[pack];
    const uint32_t triangle = id - mesh_kind_first(b->mesh, KIND_TRIANGLE);
    struct rest_frame frame;
    double r[4];
    (void)rest_triangle_frame(b->mesh, triangle, &frame);
    to->area[lane] = (float)rest_triangle(b->mesh, triangle, 2, &frame, r);
    for (unsigned i = 0; i < 3; i++)
        to->index[i][lane] = b->plan->particle_of_vertex[v[i]];
    for (unsigned i = 0; i < 4; i++)
        to->dm_inverse[i][lane] = (float)r[i];
    b->at.triangle_pack_materials[pack] =
        layout_asset_material_base(b->plan->material_count, b->plan->kind_count, KIND_TRIANGLE) +
        mesh_material(b->mesh, id);
    b->at.triangle_of_lane[b->plan->lane_of_element[id]] = triangle;
}

static void build_bend(const struct build *b, uint32_t id)
{
    const uint32_t *v = mesh_element(b->mesh, id);
    const uint32_t pack = b->plan->lane_of_element[id] / PK_LANES;
    const uint32_t lane = b->plan->lane_of_element[id] % PK_LANES;
    struct pk_bend_pack *to = &b->at.bend_packs[pack];
    struct rest_bend bend;
    rest_bend(b->mesh, v, &bend);
    for (unsigned i = 0; i < 4; i++) {
        to->index[i][lane] = b->plan->particle_of_vertex[v[i]];
        to->k[i][lane] = (float)bend.k[i];
    }
    to->scale[lane] = (float)(rest_dihedral(b->mesh, id) ? bend.fold : bend.scale);
    to->rest_angle[lane] = (float)bend.angle;
    b->at.bend_pack_materials[pack] =
        layout_asset_material_base(b->plan->material_count, b->plan->kind_count, KIND_BEND) +
        mesh_material(b->mesh, id);
}

static void build_link(const struct build *b, uint32_t id)
{
    const uint32_t *v = mesh_element(b->mesh, id);
    const uint32_t link = id - mesh_kind_first(b->mesh, KIND_LINK);
    const uint32_t lane = b->plan->lane_of_element[id] % PK_LANES;
    struct pk_link_pack *to = &b->at.link_packs[b->plan->lane_of_element[id] / PK_LANES];
    const struct limits_range range = limits_link_range(b->mesh, link);
    for (unsigned i = 0; i < 2; i++)
        to->index[i][lane] = b->plan->particle_of_vertex[v[i]];
    to->least[lane] = range.least;
    to->most[lane] = range.most;
    to->compliance[lane] = limits_link_compliance(b->mesh, link);
}

/* Cells of history of the packs of a kind, in their order. */
static void number_cells(const struct build *b, const uint32_t *materials, uint32_t *cells,
                         unsigned kind, uint32_t *next)
{
    for (uint32_t pack = 0; pack < b->plan->element_packs[kind]; pack++) {
        const uint32_t own = asset_history(&b->at.materials[materials[pack]]);
        cells[pack] = own > 0 ? *next : UINT32_MAX;
        *next += own;
    }
}

static void build_packs(const struct build *b)
{
    memset(b->at.tet_of_lane, 0xff, b->plan->counts.tet_lanes * sizeof *b->at.tet_of_lane);
    memset(b->at.triangle_of_lane, 0xff,
           b->plan->counts.triangle_lanes * sizeof *b->at.triangle_of_lane);
    for (uint32_t cluster = 0; cluster < b->plan->elements_cut.count; cluster++) {
        build_dummies(b, cluster);
        b->at.clusters[cluster] = b->plan->elements_cut.cluster[cluster];
    }
    memcpy(b->at.cluster_colours, b->plan->elements_cut.colour_first,
           b->plan->counts.cluster_colours1 * sizeof *b->at.cluster_colours);
    for (uint32_t i = 0; i < b->plan->elements; i++) {
        const uint32_t id = b->plan->elements_cut.items[i];
        const unsigned kind = mesh_kind(b->mesh, id);
        if (kind == KIND_TET)
            build_tet(b, id);
        else if (kind == KIND_TRIANGLE)
            build_triangle(b, id);
        else if (kind == KIND_BEND)
            build_bend(b, id);
        else
            build_link(b, id);
    }
    uint32_t cell = 0;
    number_cells(b, b->at.tet_pack_materials, b->at.tet_pack_plastic, KIND_TET, &cell);
    number_cells(b, b->at.triangle_pack_materials, b->at.triangle_pack_plastic, KIND_TRIANGLE,
                 &cell);
    number_cells(b, b->at.bend_pack_materials, b->at.bend_pack_plastic, KIND_BEND, &cell);
}

static void build_surface(const struct build *b)
{
    uint32_t *to = b->at.surface;
    for (uint32_t face = 0; face < 4 * b->plan->kind_count[KIND_TET]; face++)
        for (unsigned i = 0; i < 3 && b->plan->face_used[face]; i++)
            *to++ = b->mesh->tetrahedra[4 * (size_t)(face / 4) + surface_face[face % 4][i]];
    for (size_t i = 0; i < 3 * (size_t)b->plan->kind_count[KIND_TRIANGLE]; i++)
        *to++ = b->mesh->triangles[i];
}

static bool same_mesh(const struct piola_plan *plan, const piola_mesh_desc *mesh)
{
    return plan->vertices == mesh->vertex_count && plan->compile_for == mesh->compile_for &&
           plan->kind_count[KIND_TET] == mesh->tetrahedron_count &&
           plan->kind_count[KIND_TRIANGLE] == mesh->triangle_count &&
           plan->kind_count[KIND_BEND] == mesh->bend_count &&
           plan->kind_count[KIND_LINK] == mesh->link_count &&
           plan->stats.constraints == mesh->constraint_count &&
           plan->stats.segments == mesh->segment_count &&
           plan->material_count == mesh->material_count;
}

static piola_status check_call(const piola_plan *plan, const piola_mesh_desc *mesh,
                               const void *memory, size_t bytes, piola_error *error)
{
    if (plan == NULL || mesh == NULL || memory == NULL) {
        return refuse(error, PIOLA_ERROR_NULL,
                      plan == NULL   ? "plan"
                      : mesh == NULL ? "piola_mesh_desc"
                                     : "memory");
    }
    const size_t needed = piola_plan_asset_size(plan);
    if (needed == 0)
        return refuse(error, PIOLA_ERROR_COOKIE, "plan");
    if (!same_mesh(plan, mesh))
        return refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc");
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    return bytes < needed ? refuse(error, PIOLA_ERROR_MEMORY, "bytes") : PIOLA_OK;
}

piola_status piola_asset_build(const piola_plan *plan, const piola_mesh_desc *mesh, void *memory,
                               size_t bytes, const piola_asset **asset, piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status status = check_call(plan, mesh, memory, bytes, error);
    if (status != PIOLA_OK)
        return status;
    const size_t needed = layout_asset_bytes(plan);
    struct build b = {.plan = plan, .mesh = mesh, .asset = memory};
    memset(memory, 0, needed);
    build_header(plan, b.asset, needed);
    (void)layout_asset_sections(&plan->counts, b.asset);
#define SECTION(name, type, count)                                                                 \
    b.at.name = (type *)(void *)((char *)memory + b.asset->at.name.offset);
#include "families/families.def"
    build_particles(&b);
    build_materials(&b);
    if (plan->packs)
        build_packs(&b);
    if (plan->visits)
        build_visits(&b);
    for (unsigned part = 0; part < PART_COUNT; part++)
        if (asset_parts[part]->build)
            asset_parts[part]->build(&b);
    build_coarse(&b);
    build_viscosity(&b);
    build_surface(&b);
    b.asset->checksum = asset_checksum(b.asset);
    if (asset != NULL)
        *asset = b.asset;
    return PIOLA_OK;
}
