/* verify.c - piola_asset_open: takes stored bytes for an asset after proving that they are one.
 *
 * Nothing in the bytes is trusted. Here: the header, the table of sections, particles, materials,
 * surface, statistics. Packs, visits and colours have files of their own (see verify.h). The work
 * is bounded by the size of the block; no memory is needed beside it. What is not proved: that the
 * rest data of a pack and of a visit describe the same element, and that no element is there twice.
 */
#include "verify/verify.h"

#include "base/float_mode.h"
#include "base/refuse.h"
#include "compile/asset_layout.h"
#include "compile/build.h"
#include "compile/material.h"
#include "compile/mesh_check.h"

static piola_status check_header(const struct piola_asset *asset, size_t bytes, piola_error *error)
{
    if (bytes < sizeof *asset) {
        return refuse(error, PIOLA_ERROR_BLOB_TRUNCATED, "bytes");
    }
    if (asset->magic == __builtin_bswap64(ASSET_MAGIC)) {
        return refuse(error, PIOLA_ERROR_BLOB_VERSION, "magic");
    }
    if (asset->magic != ASSET_MAGIC) {
        return refuse(error, PIOLA_ERROR_BLOB_MAGIC, "magic");
    }
    if (asset->version != ASSET_VERSION || asset->layout != layout_asset_hash()) {
        return refuse(error, PIOLA_ERROR_BLOB_VERSION,
                      asset->version != ASSET_VERSION ? "version" : "layout");
    }
    if (asset->bytes > bytes) {
        return refuse(error, PIOLA_ERROR_BLOB_TRUNCATED, "bytes");
    }
    if (asset->bytes < sizeof *asset) {
        return refuse(error, PIOLA_ERROR_BLOB_CORRUPT, "bytes");
    }
    if (asset->checksum != asset_checksum(asset)) {
        return refuse(error, PIOLA_ERROR_BLOB_CHECKSUM, "checksum");
    }
    return PIOLA_OK;
}

/* Sections that share a count agree on it, and stand exactly where that many elements put them. */
static bool check_sections(struct open *o)
{
    struct piola_asset expected;
    for (int i = 0; i < SECTION_COUNT; i++) {
        *section_count(&o->counts, i) = o->asset->sections[i].count;
    }
    const size_t bytes = layout_asset_sections(&o->counts, &expected);
    bool same = bytes != 0 && bytes == o->asset->bytes;
    for (int i = 0; i < SECTION_COUNT; i++) {
        const struct asset_section *at = &o->asset->sections[i];
        same = same && at->count == *section_count(&o->counts, i) && at->count <= UINT32_MAX &&
               at->offset == expected.sections[i].offset;
    }
    return same;
}

static uint64_t up_to(uint64_t value, uint64_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

static bool check_element_counts(const struct open *o)
{
    const struct section_counts *c = &o->counts;
    const piola_asset_stats *s = &o->asset->stats;
    const bool packs = c->tet_packs + c->triangle_packs + c->bend_packs + c->link_packs > 0;
    const bool visits = c->vertex_packs > 0;
    const uint64_t elements = (uint64_t)s->tetrahedra + s->triangles + s->links;
    return s->packs == c->tet_packs + c->triangle_packs + c->bend_packs &&
           s->tetrahedra <= MESH_ELEMENTS_MAX && s->triangles <= MESH_ELEMENTS_MAX &&
           s->bends <= MESH_ELEMENTS_MAX && s->links <= MESH_ELEMENTS_MAX &&
           elements + s->segments > 0 && s->link_packs == c->link_packs &&
           packs == (c->clusters > 0) && visits == (c->vertex_clusters > 0) &&
           s->enclosed >= -1e30 && s->enclosed <= 1e30 &&
           visits == ((o->asset->compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0) &&
           packs == (elements > 0 && ((o->asset->compile_for & PIOLA_COMPILE_FOR_PROJECTION) != 0 ||
                                      s->plastic_packs > 0 || c->coarse_heads > 0 || s->links > 0 ||
                                      s->limited_triangles > 0)) &&
           c->tet_lanes == c->tet_packs * PK_LANES &&
           c->triangle_lanes == c->triangle_packs * PK_LANES &&
           c->sheet_materials == (s->triangles > 0 ? o->described : 0) &&
           (c->visits == 0 || c->visits_snh == 0) &&
           c->visit_lanes == (s->plastic_packs > 0 ? c->visits * PK_LANES : 0) &&
           c->triangle_visit_lanes == (s->plastic_packs > 0 ? c->triangle_visits * PK_LANES : 0) &&
           c->fold_visit_lanes == (s->plastic_packs > 0 ? c->fold_visits * PK_LANES : 0);
}

/* The counts agree with each other and with the statistics. */
static bool check_counts(struct open *o)
{
    const struct section_counts *c = &o->counts;
    const piola_asset_stats *s = &o->asset->stats;
    const uint32_t both = PIOLA_COMPILE_FOR_PROJECTION | PIOLA_COMPILE_FOR_DESCENT;
    const uint32_t variants = 1u + (s->triangles > 0) + (s->bends > 0);
    o->vertices = s->vertices;
    o->first_dummy = (uint32_t)up_to(c->vertices, 4);
    o->described = (uint32_t)(c->materials / variants);
    o->kind_count[KIND_TET] = s->tetrahedra;
    o->kind_count[KIND_TRIANGLE] = s->triangles;
    o->kind_count[KIND_BEND] = s->bends;
    o->kind_count[KIND_LINK] = s->links;
    return o->asset->compile_for != 0 && (o->asset->compile_for & ~both) == 0 &&
           c->vertices == s->vertices && s->vertices > 0 && s->vertices <= MESH_VERTICES_MAX &&
           c->particles == s->particles && c->clusters == s->clusters &&
           c->vertex_clusters == s->vertex_clusters &&
           c->cluster_colours1 == (uint64_t)s->cluster_colours + 1 &&
           c->vertex_cluster_colours1 == (uint64_t)s->vertex_cluster_colours + 1 &&
           c->particles ==
               up_to(o->first_dummy + 4 * (c->clusters + c->vertex_clusters), PK_LANES) &&
           s->cluster_colours <= ASSET_COLOURS_MAX &&
           s->vertex_cluster_colours <= ASSET_COLOURS_MAX &&
           c->surface_indices == 3 * (uint64_t)s->surface_triangles &&
           o->asset->plastic_cells == s->plastic_packs && (o->described > 0 || s->segments > 0) &&
           o->described <= MESH_MATERIALS_MAX &&
           c->materials == variants * (uint64_t)o->described && check_element_counts(o);
}

/* Differences and products of such coordinates stay finite. */
static bool in_space(float x)
{
    return (double)x >= -MESH_COORDINATE_MAX && (double)x <= MESH_COORDINATE_MAX;
}

static bool check_vertex_particles(const struct open *o, double *total)
{
    const struct pk_quad *rest = asset_rest(o->asset);
    const float *mass = asset_mass(o->asset);
    const uint32_t *vertex = asset_vertex_of_particle(o->asset);
    const uint32_t *particle = asset_particle_of_vertex(o->asset);
    for (uint32_t i = 0; i < o->vertices; i++) {
        /* Each vertex leads back to its particle, so both lists are permutations. */
        if (vertex[i] >= o->vertices || particle[vertex[i]] != i) {
            return false;
        }
        const double unity = (double)rest[i].w * (double)mass[i];
        if (!in_space(rest[i].x) || !in_space(rest[i].y) || !in_space(rest[i].z) ||
            !(mass[i] > 0) || !(rest[i].w > 0) || !(unity > 1 - 1e-5) || !(unity < 1 + 1e-5)) {
            return false;
        }
        *total += (double)mass[i];
    }
    return true;
}

/* Padding and dummies: no mass, no vertex, at the unit tetrahedron's corners in turn. */
static bool check_dummies(const struct open *o)
{
    const struct pk_quad *rest = asset_rest(o->asset);
    const float *mass = asset_mass(o->asset);
    const uint32_t *vertex = asset_vertex_of_particle(o->asset);
    for (uint32_t i = o->vertices; i < o->counts.particles; i++) {
        const bool dummy = i >= o->first_dummy;
        if (vertex[i] != UINT32_MAX || mass[i] != 0 || rest[i].w != 0 ||
            rest[i].x != (float)(dummy && i % 4 == 0) ||
            rest[i].y != (float)(dummy && i % 4 == 1) ||
            rest[i].z != (float)(dummy && i % 4 == 2)) {
            return false;
        }
    }
    return true;
}

static bool check_statistics(const struct open *o, double mass)
{
    const piola_asset_stats *s = &o->asset->stats;
    const double difference = s->mass > mass ? s->mass - mass : mass - s->mass;
    return difference <= 1e-5 * mass && s->volume >= 0 && s->volume <= 1e30 &&
           (s->volume > 0) == (s->tetrahedra > 0) && s->fill_elements >= 0 &&
           s->fill_elements <= 1 && s->fill_vertices >= 0 && s->fill_vertices <= 1;
}

bool open_material_used(const struct open *o, unsigned kind, uint32_t material)
{
    const uint32_t base = layout_asset_material_base(o->described, o->kind_count, kind);
    /* A kind without elements has no constants at all. */
    return (kind == KIND_TET || o->kind_count[kind] > 0) && material >= base &&
           material - base < o->described && asset_materials(o->asset)[material].mu > 0;
}

static bool all_zero(const void *memory, size_t bytes)
{
    const unsigned char *at = memory;
    size_t zeros = 0;
    while (zeros < bytes && at[zeros] == 0) {
        zeros++;
    }
    return zeros == bytes;
}

/* A material of each kind is sound, or unused and all zero. */
static bool check_materials(const struct open *o)
{
    for (unsigned kind = 0; kind < KIND_ELASTIC_COUNT; kind++) {
        if (kind != KIND_TET && o->kind_count[kind] == 0) {
            continue;
        }
        const struct pk_material *list =
            asset_materials(o->asset) +
            layout_asset_material_base(o->described, o->kind_count, kind);
        for (uint32_t i = 0; i < o->described; i++) {
            if (!all_zero(&list[i], sizeof list[i]) && !material_constants_sound(&list[i], kind)) {
                return false;
            }
        }
    }
    for (uint32_t i = 0; i < o->counts.sheet_materials; i++) {
        const float thickness = asset_sheet_thickness(o->asset)[i];
        if (thickness != 0 && !(thickness >= 1e-9f && thickness <= 1e3f)) {
            return false;
        }
    }
    return true;
}

static bool check_surface(const struct open *o)
{
    const uint32_t *surface = asset_surface(o->asset);
    for (uint64_t i = 0; i < o->counts.surface_indices; i++) {
        if (surface[i] >= o->vertices) {
            return false;
        }
    }
    return true;
}

bool open_check_colour_list(const uint32_t *first, uint64_t colours1, uint64_t clusters)
{
    if (first[0] != 0 || first[colours1 - 1] != clusters) {
        return false;
    }
    for (uint64_t i = 1; i < colours1; i++) {
        if (first[i] <= first[i - 1]) {
            return false;
        }
    }
    return true;
}

/* Null when all is well, else the part that is not. */
static const char *find_corrupt(struct open *o)
{
    double mass = 0;
    if (!check_sections(o)) {
        return "sections";
    }
    if (!check_counts(o)) {
        return "counts";
    }
    if (!check_vertex_particles(o, &mass) || !check_dummies(o)) {
        return "particles";
    }
    if (!check_statistics(o, mass)) {
        return "stats";
    }
    if (!check_materials(o)) {
        return "materials";
    }
    if (!open_check_viscosity(o)) {
        return "viscosity";
    }
    if (!open_check_packs(o)) {
        return "packs";
    }
    if (!open_check_visits(o)) {
        return "visits";
    }
    if (!open_check_colours(o)) {
        return "colours";
    }
    for (unsigned part = 0; part < PART_COUNT; part++) {
        if (asset_parts[part]->verify && !asset_parts[part]->verify(o)) {
            return asset_parts[part]->name;
        }
    }
    if (!open_check_coarse(o)) {
        return "coarse";
    }
    return check_surface(o) ? NULL : "surface";
}

piola_status piola_asset_open(const void *memory, size_t bytes, const piola_asset **asset,
                              piola_error *error)
{
    IN_PLAIN_MODE;
    if (memory == NULL || asset == NULL) {
        return refuse(error, PIOLA_ERROR_NULL, memory == NULL ? "memory" : "asset");
    }
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0) {
        return refuse(error, PIOLA_ERROR_ALIGNMENT, "memory");
    }
    struct open o = {.asset = memory};
    const piola_status status = check_header(o.asset, bytes, error);
    if (status != PIOLA_OK) {
        return status;
    }
    const char *corrupt = find_corrupt(&o);
    if (corrupt != NULL) {
        return refuse(error, PIOLA_ERROR_BLOB_CORRUPT, corrupt);
    }
    *asset = o.asset;
    return PIOLA_OK;
}
