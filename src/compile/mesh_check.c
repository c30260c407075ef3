/* mesh_check.c - refuses what cannot be simulated, each defect by its own status and item.
 *
 * Order of the checks: counts and pointers; vertices; each kind's elements by rising number;
 * duplicates; isolated vertices; the constants of materials in use. Rest shapes: rest_shape.c.
 */
#include "compile/mesh_check.h"

#include "base/cookies.h"
#include "base/refuse.h"
#include "base/sort.h"
#include "compile/material.h"
#include "compile/mesh_limits.h"
#include "compile/part.h"
#include "compile/rest_shape.h"

#include <string.h>

static const char *const kind_field[KIND_COUNT] = {
    "piola_mesh_desc.tetrahedra", "piola_mesh_desc.triangles", "piola_mesh_desc.bends",
    "piola_mesh_desc.links"};
static const char *const material_field[KIND_COUNT] = {
    "piola_mesh_desc.tetrahedron_materials", "piola_mesh_desc.triangle_materials",
    "piola_mesh_desc.bend_materials", "piola_mesh_desc.link_materials"};

static piola_status check_count(uint32_t count, uint32_t most, const void *array,
                                const char *count_field, const char *array_field,
                                piola_error *error)
{
    if (count > most)
        return refuse(error, PIOLA_ERROR_TOO_LARGE, count_field);
    if (count > 0 && array == NULL)
        return refuse(error, PIOLA_ERROR_NULL, array_field);
    return PIOLA_OK;
}

static piola_status check_arrays(const piola_mesh_desc *mesh, piola_error *error)
{
    const struct {
        uint32_t count, most;
        const void *array;
        const char *count_field, *array_field;
    } arrays[] = {
        {mesh->vertex_count, MESH_VERTICES_MAX, mesh->vertices, "piola_mesh_desc.vertex_count",
         "piola_mesh_desc.vertices"},
        {mesh->tetrahedron_count, MESH_ELEMENTS_MAX, mesh->tetrahedra,
         "piola_mesh_desc.tetrahedron_count", kind_field[KIND_TET]},
        {mesh->triangle_count, MESH_ELEMENTS_MAX, mesh->triangles, "piola_mesh_desc.triangle_count",
         kind_field[KIND_TRIANGLE]},
        {mesh->bend_count, MESH_ELEMENTS_MAX, mesh->bends, "piola_mesh_desc.bend_count",
         kind_field[KIND_BEND]},
        {mesh->link_count, MESH_ELEMENTS_MAX, mesh->links, "piola_mesh_desc.link_count",
         kind_field[KIND_LINK]},
        {mesh->material_count, MESH_MATERIALS_MAX, mesh->materials,
         "piola_mesh_desc.material_count", "piola_mesh_desc.materials"},
    };
    for (unsigned i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        const piola_status status =
            check_count(arrays[i].count, arrays[i].most, arrays[i].array, arrays[i].count_field,
                        arrays[i].array_field, error);
        if (status != PIOLA_OK)
            return status;
    }
    return PIOLA_OK;
}

piola_status mesh_check_counts(const piola_mesh_desc *mesh, piola_error *error)
{
    if (mesh == NULL)
        return refuse(error, PIOLA_ERROR_NULL, "piola_mesh_desc");
    if (mesh->cookie_ != COOKIE_MESH)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_mesh_desc");
    const piola_status status = check_arrays(mesh, error);
    if (status != PIOLA_OK)
        return status;
    for (unsigned i = 0; i < PART_COUNT; i++) {
        const piola_status part =
            asset_parts[i]->check_counts ? asset_parts[i]->check_counts(mesh, error) : PIOLA_OK;
        if (part != PIOLA_OK)
            return part;
    }
    if (mesh->vertex_count == 0)
        return refuse(error, PIOLA_ERROR_MESH_EMPTY, "piola_mesh_desc.vertex_count");
    if (mesh->tetrahedron_count == 0 && mesh->triangle_count == 0 && mesh->link_count == 0 &&
        mesh->segment_count == 0)
        return refuse(error, PIOLA_ERROR_MESH_EMPTY, "piola_mesh_desc.tetrahedron_count");
    if (mesh->material_count == 0 && mesh->segment_count == 0)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.material_count");
    const uint32_t both = PIOLA_COMPILE_FOR_PROJECTION | PIOLA_COMPILE_FOR_DESCENT;
    if (mesh->compile_for == 0 || (mesh->compile_for & ~both) != 0)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.compile_for");
    if (mesh->cluster_size < MESH_CLUSTER_MIN || mesh->cluster_size > MESH_ELEMENTS_MAX)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.cluster_size");
    return PIOLA_OK;
}

void mesh_check_take(const piola_mesh_desc *mesh, struct arena *arena, struct mesh_check_work *work)
{
    uint32_t most = 0;
    for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
        const uint32_t count = mesh_kind_count(mesh, kind);
        most = count > most ? count : most;
    }
    work->touched = arena_take(arena, mesh->vertex_count, 1);
    work->used = arena_take(arena, mesh->material_count, 1);
    work->keys = arena_take(arena, 4 * (uint64_t)most, sizeof(uint32_t));
    work->items = arena_take(arena, most, sizeof(uint32_t));
    work->items_work = arena_take(arena, most, sizeof(uint32_t));
}

static piola_status check_vertices(const piola_mesh_desc *mesh, piola_error *error)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        for (unsigned axis = 0; axis < 3; axis++) {
            const double value = mesh->vertices[3 * (size_t)i + axis];
            if (!(value - value == 0)) /* false for NaN and for infinities */
                return refuse_item(error, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.vertices", i);
            if (!(value >= -MESH_COORDINATE_MAX && value <= MESH_COORDINATE_MAX))
                return refuse_item(error, PIOLA_ERROR_RANGE, "piola_mesh_desc.vertices", i);
        }
    }
    return PIOLA_OK;
}

static piola_status tet_status(const piola_mesh_desc *mesh, const uint32_t *v)
{
    double longest = 0;
    const double det = rest_tet_det(mesh, v, &longest);
    const double size = det < 0 ? -det : det;
    if (!(size > REST_FLAT * longest * longest * longest) || !(size / 6 >= REST_VOLUME_MIN) ||
        !(size / 6 <= REST_VOLUME_MAX))
        return PIOLA_ERROR_MESH_DEGENERATE;
    return det < 0 ? PIOLA_ERROR_MESH_INVERTED : PIOLA_OK;
}

static piola_status area_status(double area, double longest)
{
    const bool good =
        2 * area > REST_FLAT * longest * longest && area >= REST_AREA_MIN && area <= REST_AREA_MAX;
    return good ? PIOLA_OK : PIOLA_ERROR_MESH_DEGENERATE;
}

static piola_status wing_status(const piola_mesh_desc *mesh, uint32_t a, uint32_t b, uint32_t c)
{
    double longest = 0;
    const double area = rest_area(mesh, a, b, c, &longest);
    return area_status(area, longest);
}

/* Of the rest shape. */
static piola_status triangle_status(const piola_mesh_desc *mesh, uint32_t triangle)
{
    for (unsigned i = 0; i < 6 && mesh->triangle_patterns != NULL; i++) {
        const double value = mesh->triangle_patterns[6 * (size_t)triangle + i];
        if (!(value - value == 0))
            return PIOLA_ERROR_NOT_FINITE;
        if (!(value >= -MESH_COORDINATE_MAX && value <= MESH_COORDINATE_MAX))
            return PIOLA_ERROR_RANGE;
    }
    double longest = 0;
    const double area = rest_triangle_area(mesh, triangle, &longest);
    return area_status(area, longest);
}

/* Both wings must be triangles, and no weight may leave single precision. */
static piola_status bend_status(const piola_mesh_desc *mesh, const uint32_t *v, uint32_t id)
{
    if (wing_status(mesh, v[0], v[1], v[2]) != PIOLA_OK ||
        wing_status(mesh, v[0], v[3], v[1]) != PIOLA_OK)
        return PIOLA_ERROR_MESH_DEGENERATE;
    struct rest_bend bend;
    rest_bend(mesh, v, &bend);
    const double stiffness =
        3 * (double)material_bend_factor(&mesh->materials[mesh_material(mesh, id)]);
    for (unsigned i = 0; i < 4; i++)
        if (bend.scale * bend.k[i] * bend.k[i] * stiffness > MESH_BEND_WEIGHT_MAX)
            return PIOLA_ERROR_MESH_DEGENERATE;
    return PIOLA_OK;
}

static piola_status shape_status(const piola_mesh_desc *mesh, unsigned kind, uint32_t id)
{
    const uint32_t *v = mesh_element(mesh, id);
    if (kind == KIND_TET)
        return tet_status(mesh, v);
    if (kind == KIND_LINK)
        return limits_link_status(mesh, id - mesh_kind_first(mesh, KIND_LINK));
    return kind == KIND_TRIANGLE ? triangle_status(mesh, id - mesh_kind_first(mesh, kind))
                                 : bend_status(mesh, v, id);
}

/* Indices first, so that everything behind may follow them. */
static piola_status index_status(const piola_mesh_desc *mesh, const uint32_t *v, unsigned corners)
{
    for (unsigned i = 0; i < corners; i++) {
        if (v[i] >= mesh->vertex_count)
            return PIOLA_ERROR_MESH_INDEX;
        for (unsigned j = 0; j < i; j++)
            if (v[i] == v[j])
                return PIOLA_ERROR_MESH_REPEATED;
    }
    return PIOLA_OK;
}

static piola_status check_frame(const piola_mesh_desc *mesh, unsigned kind, uint32_t i,
                                piola_error *error)
{
    struct rest_frame frame;
    if (kind == KIND_TET && !rest_tet_frame(mesh, i, &frame))
        return refuse_item(error, PIOLA_ERROR_MESH_FRAME, "piola_mesh_desc.tetrahedron_frames", i);
    if (kind == KIND_TRIANGLE && !rest_triangle_frame(mesh, i, &frame))
        return refuse_item(error, PIOLA_ERROR_MESH_FRAME, "piola_mesh_desc.triangle_directions", i);
    return PIOLA_OK;
}

/* Where an element's rest shape comes from. */
static const char *shape_field(const piola_mesh_desc *mesh, unsigned kind)
{
    return kind == KIND_TRIANGLE && mesh->triangle_patterns != NULL
               ? "piola_mesh_desc.triangle_patterns"
               : kind_field[kind];
}

static piola_status check_elements(const piola_mesh_desc *mesh, unsigned kind,
                                   const struct mesh_check_work *work, piola_error *error)
{
    const unsigned corners = mesh_corners(kind);
    const uint32_t first = mesh_kind_first(mesh, kind);
    for (uint32_t i = 0; i < mesh_kind_count(mesh, kind); i++) {
        const uint32_t *v = mesh_element(mesh, first + i);
        piola_status status = index_status(mesh, v, corners);
        if (status != PIOLA_OK)
            return refuse_item(error, status, kind_field[kind], i);
        const uint32_t material = mesh_material(mesh, first + i);
        if (material >= mesh->material_count)
            return refuse_item(error, PIOLA_ERROR_MESH_MATERIAL, material_field[kind], i);
        if (kind == KIND_LINK) {
            status = limits_check_link(mesh, i, error);
            if (status != PIOLA_OK)
                return status;
        }
        status = shape_status(mesh, kind, first + i);
        if (status != PIOLA_OK)
            return refuse_item(error, status, shape_field(mesh, kind), i);
        status = check_frame(mesh, kind, i, error);
        if (status != PIOLA_OK)
            return status;
        work->used[material] |= (unsigned char)(1u << kind);
        for (unsigned c = 0; c < corners && kind != KIND_BEND; c++)
            work->touched[v[c]] = 1;
    }
    return PIOLA_OK;
}

static void order_pair(uint32_t *a, uint32_t *b)
{
    if (*a > *b) {
        const uint32_t swap = *a;
        *a = *b;
        *b = swap;
    }
}

/* A key that equals another's exactly when the elements are the same: vertices in rising order; of
 * a bend, the edge's and the opposite ones in rising order each (a closed surface of four faces has
 * six different bends on the same four vertices). */
static void write_key(unsigned kind, const uint32_t *v, uint32_t key[4])
{
    const unsigned corners = mesh_corners(kind);
    key[3] = 0;
    memcpy(key, v, corners * sizeof *key);
    order_pair(&key[0], &key[1]);
    if (kind == KIND_LINK) {
        key[2] = 0;
        return;
    }
    if (kind == KIND_TRIANGLE) {
        order_pair(&key[1], &key[2]);
        order_pair(&key[0], &key[1]);
        return;
    }
    order_pair(&key[2], &key[3]);
    if (kind == KIND_TET) {
        order_pair(&key[0], &key[2]);
        order_pair(&key[1], &key[3]);
        order_pair(&key[1], &key[2]);
    }
}

static piola_status check_duplicates(const piola_mesh_desc *mesh, unsigned kind,
                                     const struct mesh_check_work *work, piola_error *error)
{
    const uint32_t count = mesh_kind_count(mesh, kind);
    const uint32_t first = mesh_kind_first(mesh, kind);
    for (uint32_t i = 0; i < count; i++) {
        write_key(kind, mesh_element(mesh, first + i), work->keys + 4 * (size_t)i);
        work->items[i] = i;
    }
    const unsigned bits = sort_bits(mesh->vertex_count);
    for (unsigned digit = mesh_corners(kind); digit-- > 0;)
        sort_items(work->items, work->items_work, count, work->keys + digit, 4, bits);
    /* Equal keys now stand together, by rising number: name the first element that repeats one. */
    uint32_t worst = UINT32_MAX;
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t a = work->items[i - 1], b = work->items[i];
        if (b < worst && memcmp(work->keys + 4 * (size_t)a, work->keys + 4 * (size_t)b,
                                4 * sizeof *work->keys) == 0)
            worst = b;
    }
    return worst == UINT32_MAX
               ? PIOLA_OK
               : refuse_item(error, PIOLA_ERROR_MESH_DUPLICATE, kind_field[kind], worst);
}

static piola_status check_materials(const piola_mesh_desc *mesh, const struct mesh_check_work *work,
                                    piola_error *error)
{
    for (uint32_t i = 0; i < mesh->material_count; i++) {
        for (unsigned kind = 0; kind < KIND_COUNT; kind++) {
            if ((work->used[i] & (1u << kind)) == 0)
                continue;
            struct pk_material constants;
            const char *field = NULL;
            if (!material_convert(&mesh->materials[i], kind, &constants, &field))
                return refuse_item(error, PIOLA_ERROR_MATERIAL, field, i);
        }
    }
    return PIOLA_OK;
}

piola_status mesh_check_content(const piola_mesh_desc *mesh, const struct mesh_check_work *work,
                                piola_error *error)
{
    memset(work->touched, 0, mesh->vertex_count);
    memset(work->used, 0, mesh->material_count);
    for (uint32_t i = 0; i < mesh->material_count; i++)
        if (mesh->materials[i].cookie_ != COOKIE_MATERIAL)
            return refuse_item(error, PIOLA_ERROR_COOKIE, "piola_mesh_desc.materials", i);
    piola_status status = check_vertices(mesh, error);
    for (unsigned kind = 0; status == PIOLA_OK && kind < KIND_COUNT; kind++)
        status = check_elements(mesh, kind, work, error);
    for (unsigned kind = 0; status == PIOLA_OK && kind < KIND_COUNT; kind++)
        status = check_duplicates(mesh, kind, work, error);
    for (unsigned i = 0; status == PIOLA_OK && i < PART_COUNT; i++)
        if (asset_parts[i]->elements)
            status = asset_parts[i]->elements(mesh, work->touched, error);
    for (uint32_t i = 0; status == PIOLA_OK && i < mesh->vertex_count; i++)
        if (work->touched[i] == 0)
            status = refuse_item(error, PIOLA_ERROR_MESH_ISOLATED, "piola_mesh_desc.vertices", i);
    for (unsigned i = 0; status == PIOLA_OK && i < PART_COUNT; i++) {
        memset(work->touched, 0, mesh->vertex_count);
        status =
            asset_parts[i]->check ? asset_parts[i]->check(mesh, work->touched, error) : PIOLA_OK;
    }
    return status == PIOLA_OK ? check_materials(mesh, work, error) : status;
}
