/* detail_build.c - compiles the binding of a fine mesh to an asset's surface, and tells of it.
 *
 * The surface at rest is walked over as every pose is later, and vertices are bound to exactly
 * those numbers: so the rest pose gives the fine mesh back.
 */
#include "api/detail.h"
#include "base/arena.h"
#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/refuse.h"
#include "compile/mesh_check.h"

#include <math.h>
#include <string.h>

#define FIELD(name) "piola_detail_desc." #name

piola_detail_desc piola_detail_desc_default(void)
{
    return (piola_detail_desc){.cookie_ = COOKIE_DETAIL};
}

static piola_status check_desc(const piola_detail_desc *desc, piola_error *error)
{
    if (desc == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "desc");
    if (desc->cookie_ != COOKIE_DETAIL)
        return refuse(error, PIOLA_ERROR_COOKIE, "desc");
    if (desc->asset == NULL)
        return refuse(error, PIOLA_ERROR_NULL, FIELD(asset));
    if (desc->asset->magic != ASSET_MAGIC)
        return refuse(error, PIOLA_ERROR_BLOB_MAGIC, FIELD(asset));
    if (desc->asset->version != ASSET_VERSION)
        return refuse(error, PIOLA_ERROR_BLOB_VERSION, FIELD(asset));
    if ((unsigned)desc->mode >= PIOLA_DETAIL_MODE_COUNT)
        return refuse(error, PIOLA_ERROR_RANGE, FIELD(mode));
    if (desc->mode == PIOLA_DETAIL_EMBED && desc->asset->at.tet_of_lane.count == 0)
        return refuse(error, PIOLA_ERROR_COMPILE_FOR, FIELD(asset));
    if (desc->asset->stats.surface_triangles == 0)
        return refuse(error, PIOLA_ERROR_RANGE, FIELD(asset));
    if (desc->vertices == NULL)
        return refuse(error, PIOLA_ERROR_NULL, FIELD(vertices));
    if (desc->vertex_count < 1 || desc->vertex_count > MESH_VERTICES_MAX)
        return refuse(error, PIOLA_ERROR_RANGE, FIELD(vertex_count));
    return PIOLA_OK;
}

static bool is_zero(const float *v)
{
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static piola_status check_arrays(const piola_detail_desc *desc, piola_error *error)
{
    for (uint32_t v = 0; v < desc->vertex_count; ++v) {
        const double *x = desc->vertices + 3 * (size_t)v;
        const float *n = desc->normals == NULL ? NULL : desc->normals + 3 * (size_t)v;
        for (int k = 0; k < 3; ++k) {
            if (!(x[k] - x[k] == 0))
                return refuse_item(error, PIOLA_ERROR_NOT_FINITE, FIELD(vertices), v);
            if (x[k] > MESH_COORDINATE_MAX || x[k] < -MESH_COORDINATE_MAX)
                return refuse_item(error, PIOLA_ERROR_RANGE, FIELD(vertices), v);
            if (n != NULL && !(n[k] - n[k] == 0))
                return refuse_item(error, PIOLA_ERROR_NOT_FINITE, FIELD(normals), v);
        }
        if (n != NULL && is_zero(n))
            return refuse_item(error, PIOLA_ERROR_RANGE, FIELD(normals), v);
    }
    return PIOLA_OK;
}

/* ---- memory ---- */

struct work {
    uint32_t *corners; /* vertices of the triangles or tetrahedra, in their order */
    uint32_t *number;  /* of each vertex on the surface, else UINT32_MAX */
    struct pk_quad *at, *frames;
    struct detail_normal *normals;
    struct detail_grid grid;
    struct detail_ring ring;
};

static bool embeds(const piola_detail_desc *desc)
{
    return desc->mode == PIOLA_DETAIL_EMBED;
}

static uint32_t cells_of(const piola_detail_desc *desc)
{
    return embeds(desc) ? desc->asset->stats.tetrahedra : desc->asset->stats.surface_triangles;
}

static void take_work(const piola_detail_desc *desc, struct arena *arena, struct work *work)
{
    const uint32_t triangles = cells_of(desc), vertices = desc->asset->stats.vertices;
    work->corners =
        arena_take(arena, detail_corners(embeds(desc)) * (uint64_t)triangles, sizeof(uint32_t));
    work->number = arena_take(arena, vertices, sizeof *work->number);
    work->at = arena_take(arena, vertices, sizeof *work->at);
    work->normals = arena_take(arena, vertices, sizeof *work->normals);
    work->frames = arena_take(arena, PK_DETAIL_QUADS * (uint64_t)triangles, sizeof *work->frames);
    work->grid.first = arena_take(arena, detail_grid_cells(triangles) + 1, sizeof(uint32_t));
    work->grid.items = arena_take(arena, detail_grid_items(triangles), sizeof(uint32_t));
    work->ring.first = arena_take(arena, (uint64_t)vertices + 1, sizeof(uint32_t));
    work->ring.items = arena_take(arena, 3 * (uint64_t)triangles, sizeof(uint32_t));
}

/* The header of a binding of so many surface vertices, and its size; 0 when it cannot be addressed.
 */
static size_t lay_out(const piola_detail_desc *desc, uint32_t points, struct piola_detail *detail)
{
    const uint32_t cells = cells_of(desc), corners_each = detail_corners(embeds(desc));
    const uint32_t packs = (desc->vertex_count + PK_LANES - 1) / PK_LANES;
    size_t bytes = sizeof *detail, particles = 0, sizes = 0, corners = 0, at_packs = 0;
    const bool fits =
        size_array(&bytes, points, sizeof(uint32_t), PIOLA_ALIGNMENT, &particles) &&
        size_array(&bytes, points, sizeof(double), PIOLA_ALIGNMENT, &sizes) &&
        size_array(&bytes, corners_each * (uint64_t)cells, sizeof(uint32_t), PIOLA_ALIGNMENT,
                   &corners) &&
        size_array(&bytes, packs, sizeof(struct pk_detail_pack), PIOLA_ALIGNMENT, &at_packs) &&
        size_align(&bytes, PIOLA_ALIGNMENT);
    *detail = (struct piola_detail){
        .magic = DETAIL_MAGIC,
        .bytes = bytes,
        .asset = piola_asset_hash(desc->asset),
        .stats = {.vertices = desc->vertex_count,
                  .triangles = embeds(desc) ? 0 : cells,
                  .tetrahedra = embeds(desc) ? cells : 0},
        .points = points,
        .packs = packs,
        .cells = cells,
        .embedded = embeds(desc),
        .normals = !embeds(desc) || desc->normals != NULL,
        .at_particles = particles,
        .at_sizes = sizes,
        .at_corners = corners,
        .at_packs = at_packs,
    };
    return fits ? bytes : 0;
}

/* A bound of the vertices on the surface, which are counted only when there is scratch. */
static uint32_t most_points(const piola_detail_desc *desc)
{
    const uint64_t corners = detail_corners(embeds(desc)) * (uint64_t)cells_of(desc);
    const uint32_t vertices = desc->asset->stats.vertices;
    return corners < vertices ? (uint32_t)corners : vertices;
}

piola_status piola_detail_size(const piola_detail_desc *desc, size_t *bytes, size_t *scratch_bytes,
                               piola_error *error)
{
    const piola_status status = check_desc(desc, error);
    if (status != PIOLA_OK)
        return status;
    if (bytes == NULL || scratch_bytes == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "bytes");
    struct arena arena = {0};
    struct piola_detail detail;
    struct work work;
    take_work(desc, &arena, &work);
    const size_t need = lay_out(desc, most_points(desc), &detail);
    if (need == 0 || arena.too_large)
        return refuse(error, PIOLA_ERROR_TOO_LARGE, FIELD(vertex_count));
    *bytes = need;
    *scratch_bytes = arena.most;
    return PIOLA_OK;
}

/* ---- compiling ---- */

static void list_corners(const piola_detail_desc *desc, struct work *work)
{
    if (embeds(desc))
        detail_embed_corners(desc->asset, work->corners);
    else
        memcpy(work->corners, piola_asset_surface(desc->asset, NULL),
               3 * (size_t)cells_of(desc) * sizeof *work->corners);
}

/* Numbers the surface's vertices and writes where each of them is. */
static uint32_t number_points(const piola_detail_desc *desc, struct work *work)
{
    const piola_asset *asset = desc->asset;
    const size_t corners = detail_corners(embeds(desc)) * (size_t)cells_of(desc);
    const uint32_t *particle = asset_particle_of_vertex(asset);
    uint32_t points = 0;
    list_corners(desc, work);
    memset(work->number, 0xff, asset->stats.vertices * sizeof *work->number);
    for (size_t i = 0; i < corners; ++i) {
        uint32_t *number = &work->number[work->corners[i]];
        if (*number == UINT32_MAX) {
            work->at[points] = asset_rest(asset)[particle[work->corners[i]]];
            *number = points++;
        }
    }
    return points;
}

static void write_surface(const piola_asset *asset, const struct work *work,
                          struct piola_detail *detail)
{
    uint32_t *particles = DETAIL_AT(uint32_t, detail, detail->at_particles);
    uint32_t *corners = DETAIL_AT(uint32_t, detail, detail->at_corners);
    for (uint32_t v = 0; v < asset->stats.vertices; ++v)
        if (work->number[v] != UINT32_MAX)
            particles[work->number[v]] = asset_particle_of_vertex(asset)[v];
    for (size_t i = 0; i < detail_corners(detail->embedded) * (size_t)detail->cells; ++i)
        corners[i] = work->number[work->corners[i]];
    double *sizes = DETAIL_AT(double, detail, detail->at_sizes);
    if (detail->embedded) {
        detail_embed_frames(corners, detail->cells, work->at, work->frames);
        memset(sizes, 0, detail->points * sizeof *sizes);
        return;
    }
    detail_frames(corners, detail->cells, detail->points, work->at, NULL, work->normals,
                  work->frames);
    for (uint32_t p = 0; p < detail->points; ++p)
        sizes[p] = work->normals[p].size;
}

static void put(struct pk_detail_pack *pack, uint32_t lane, const struct detail_bond *bond,
                const double c[3])
{
    pack->frame[lane] = PK_DETAIL_QUADS * bond->triangle;
    pack->b[0][lane] = (float)bond->b[0];
    pack->b[1][lane] = (float)bond->b[1];
    pack->d[lane] = (float)bond->d;
    for (int k = 0; k < 3; ++k)
        pack->c[k][lane] = (float)c[k];
}

static bool bind_embedded(const struct work *work, struct vec3 point, const struct vec3 *normal,
                          struct detail_bond *bond, double c[3])
{
    double b[2], square = 0;
    bond->triangle = detail_grid_nearest(&work->grid, point, b, &square);
    const struct pk_quad *frame = work->frames + PK_DETAIL_QUADS * (size_t)bond->triangle;
    detail_embed_bind(frame, point, bond);
    bond->distance = sqrt(square);
    detail_embed_normal(frame, normal, c);
    return true;
}

static bool bind_to_surface(const struct work *work, struct vec3 point, const struct vec3 *normal,
                            struct detail_bond *bond, double c[3])
{
    const bool found = detail_bind(&work->grid, &work->ring, point, bond);
    if (found)
        detail_bind_normal(work->frames, bond, normal, c);
    return found;
}

/* Binds one vertex; the first of a pack fills the lanes behind it too. */
static bool bind(const piola_detail_desc *desc, const struct work *work, uint32_t vertex,
                 struct piola_detail *detail)
{
    const double *x = desc->vertices + 3 * (size_t)vertex;
    const float *n = desc->normals == NULL ? NULL : desc->normals + 3 * (size_t)vertex;
    struct detail_bond bond = {0};
    struct vec3 normal = {0, 0, 1};
    if (n != NULL)
        normal = (struct vec3){(double)n[0], (double)n[1], (double)n[2]};
    double c[3];
    const struct vec3 point = {x[0], x[1], x[2]};
    if (!(detail->embedded ? bind_embedded(work, point, &normal, &bond, c)
                           : bind_to_surface(work, point, n == NULL ? NULL : &normal, &bond, c)))
        return false;
    struct pk_detail_pack *pack =
        DETAIL_AT(struct pk_detail_pack, detail, detail->at_packs) + vertex / PK_LANES;
    const uint32_t lane = vertex % PK_LANES;
    for (uint32_t l = lane; l < (lane == 0 ? PK_LANES : lane + 1); ++l)
        put(pack, l, &bond, c);
    detail->stats.outside += bond.outside > DETAIL_INSIDE;
    if ((float)bond.distance > detail->stats.distance)
        detail->stats.distance = (float)bond.distance;
    return true;
}

static piola_status check_blocks(const piola_detail_desc *desc, const void *scratch,
                                 size_t scratch_bytes, const void *memory, size_t bytes,
                                 piola_error *error)
{
    size_t need = 0, need_scratch = 0;
    const piola_status status = piola_detail_size(desc, &need, &need_scratch, error);
    if (status != PIOLA_OK)
        return status;
    if (scratch == NULL || memory == NULL)
        return refuse(error, PIOLA_ERROR_NULL, scratch == NULL ? "scratch" : "memory");
    if ((uintptr_t)scratch % PIOLA_ALIGNMENT != 0 || (uintptr_t)memory % PIOLA_ALIGNMENT != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT,
                      (uintptr_t)scratch % PIOLA_ALIGNMENT != 0 ? "scratch" : "memory");
    if (scratch_bytes < need_scratch || bytes < need)
        return refuse(error, PIOLA_ERROR_MEMORY,
                      scratch_bytes < need_scratch ? "scratch_bytes" : "bytes");
    return check_arrays(desc, error);
}

piola_status piola_detail_build(const piola_detail_desc *desc, void *scratch, size_t scratch_bytes,
                                void *memory, size_t bytes, const piola_detail **detail,
                                piola_error *error)
{
    IN_PLAIN_MODE;
    const piola_status status = check_blocks(desc, scratch, scratch_bytes, memory, bytes, error);
    if (status != PIOLA_OK)
        return status;
    if (detail == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "detail");
    struct arena arena = {.base = scratch};
    struct work work;
    struct piola_detail *built = memory;
    const uint32_t cells = cells_of(desc);
    take_work(desc, &arena, &work);
    lay_out(desc, number_points(desc, &work), built);
    write_surface(desc->asset, &work, built);
    work.ring.corners = DETAIL_AT(const uint32_t, built, built->at_corners);
    work.grid.solid = built->embedded;
    if (!built->embedded)
        detail_ring_make(&work.ring, cells, built->points);
    detail_grid_make(&work.grid, work.frames, cells);
    for (uint32_t v = 0; v < desc->vertex_count; ++v)
        if (!bind(desc, &work, v, built)) {
            built->magic = 0;
            return refuse_item(error, PIOLA_ERROR_DETAIL_FAR, FIELD(vertices), v);
        }
    *detail = built;
    return PIOLA_OK;
}

/* ---- what there is to know ---- */

piola_status piola_detail_vertex_bond(const piola_detail *detail, uint32_t vertex,
                                      piola_detail_bond *bond)
{
    if (detail == NULL || bond == NULL)
        return PIOLA_ERROR_NULL;
    if (detail->magic != DETAIL_MAGIC)
        return PIOLA_ERROR_COOKIE;
    if (vertex >= detail->stats.vertices)
        return PIOLA_ERROR_RANGE;
    const struct pk_detail_pack *pack =
        DETAIL_AT(const struct pk_detail_pack, detail, detail->at_packs) + vertex / PK_LANES;
    const uint32_t lane = vertex % PK_LANES;
    const float b1 = pack->b[0][lane], b2 = pack->b[1][lane];
    *bond = (piola_detail_bond){.triangle = pack->frame[lane] / PK_DETAIL_QUADS,
                                .barycentric = {b1, b2, 1 - b1 - b2},
                                .distance = pack->d[lane]};
    if (detail->embedded) {
        bond->barycentric[2] = pack->d[lane];
        bond->distance = 0;
    }
    return PIOLA_OK;
}

piola_status piola_detail_inspect(const piola_detail *detail, piola_detail_stats *stats)
{
    if (detail == NULL || stats == NULL)
        return PIOLA_ERROR_NULL;
    if (detail->magic != DETAIL_MAGIC)
        return PIOLA_ERROR_COOKIE;
    *stats = detail->stats;
    return PIOLA_OK;
}
