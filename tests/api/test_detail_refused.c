/* Fine meshes that are refused: descriptions that make no sense, surfaces that hold nothing.
 *
 * covers: src/api/detail_build.c
 */
#include "any_mesh.h"
#include "api/detail.h"
#include "unity.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
    any_mesh_begin();
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

static piola_status build(const piola_detail_desc *desc, const piola_detail **detail,
                          piola_error *error)
{
    size_t bytes = 0, scratch = 0;
    const piola_status status = piola_detail_size(desc, &bytes, &scratch, error);
    return status != PIOLA_OK ? status
                              : piola_detail_build(desc, fixture_memory(scratch), scratch,
                                                   fixture_memory(bytes), bytes, detail, error);
}

static void refused(const piola_detail_desc *desc, piola_status status, const char *field,
                    uint64_t item)
{
    const piola_detail *detail = NULL;
    piola_error error = {0};
    TEST_ASSERT_EQUAL_INT(status, build(desc, &detail, &error));
    TEST_ASSERT_EQUAL_INT(status, error.status);
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL_UINT64(item, error.has_item ? error.item : 0);
    TEST_ASSERT_NULL(detail);
}

static void test_bad_descriptions_are_refused(void)
{
    const piola_asset *asset = fixture_beam(2, 2, 2, 0.4);
    double points[6] = {0.4, 0, 0, 0, 0.4, 0};
    float normals[6] = {1, 0, 0, 0, 1, 0};
    piola_detail_desc good = piola_detail_desc_default(), bad;
    good.asset = asset;
    good.vertices = points;
    good.normals = normals;
    good.vertex_count = 2;
    refused(NULL, PIOLA_ERROR_NULL, "desc", 0);
    bad = good;
    bad.cookie_ = 0;
    refused(&bad, PIOLA_ERROR_COOKIE, "desc", 0);
    bad = good;
    bad.asset = NULL;
    refused(&bad, PIOLA_ERROR_NULL, "piola_detail_desc.asset", 0);
    bad = good;
    bad.vertices = NULL;
    refused(&bad, PIOLA_ERROR_NULL, "piola_detail_desc.vertices", 0);
    bad = good;
    bad.vertex_count = 0;
    refused(&bad, PIOLA_ERROR_RANGE, "piola_detail_desc.vertex_count", 0);
    points[4] = (double)NAN;
    refused(&good, PIOLA_ERROR_NOT_FINITE, "piola_detail_desc.vertices", 1);
    points[4] = 1e13;
    refused(&good, PIOLA_ERROR_RANGE, "piola_detail_desc.vertices", 1);
    points[4] = 0.4;
    normals[4] = 0;
    refused(&good, PIOLA_ERROR_RANGE, "piola_detail_desc.normals", 1);
    normals[4] = INFINITY;
    refused(&good, PIOLA_ERROR_NOT_FINITE, "piola_detail_desc.normals", 1);
}

static void test_a_vertex_where_no_normal_leads_is_refused(void)
{
    TEST_ASSERT_TRUE(
        meshgen_cloth(&any_mesh, (const double[]){1, 1}, (const uint32_t[]){10, 10}, false));
    any_materials[0].model = PIOLA_MODEL_STVK;
    const piola_mesh_desc mesh = any_mesh_describe();
    const piola_asset *asset = fixture_compile(&mesh);
    const double points[6] = {0.5, 0.1, 0.5, 90, 0, 0.5};
    piola_detail_desc desc = piola_detail_desc_default();
    desc.asset = asset;
    desc.vertices = points;
    desc.vertex_count = 2;
    refused(&desc, PIOLA_ERROR_DETAIL_FAR, "piola_detail_desc.vertices", 1);
}

/* A rope of links has no surface. */
static void test_an_asset_without_surface_is_refused(void)
{
    const double vertices[9] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, 0}, point[3] = {0.1, 0.1, 0};
    const uint32_t links[4] = {0, 1, 1, 2};
    piola_mesh_desc rope = piola_mesh_desc_default();
    rope.vertices = vertices;
    rope.vertex_count = 3;
    rope.links = links;
    rope.link_count = 2;
    rope.materials = any_materials;
    rope.material_count = 1;
    piola_detail_desc desc = piola_detail_desc_default();
    desc.asset = fixture_compile(&rope);
    desc.vertices = point;
    desc.vertex_count = 1;
    refused(&desc, PIOLA_ERROR_RANGE, "piola_detail_desc.asset", 0);
}

/* Those of a stored asset may be points, all in one place or apart. The grid is made, and finds. */
static void test_triangles_that_are_points_do_not_hold_up_the_grid(void)
{
    enum { MOST = 5 };
    struct pk_quad frames[MOST * PK_DETAIL_QUADS];
    uint32_t first[2 * MOST + 2], items[8 * MOST];
    for (uint32_t triangles = 1; triangles <= MOST; ++triangles)
        for (int apart = 0; apart < 3; ++apart) {
            struct detail_grid grid = {.first = first, .items = items};
            memset(frames, 0, sizeof frames);
            for (uint32_t t = 0; t < triangles; ++t)
                frames[PK_DETAIL_QUADS * t].x = (float)t * (apart == 2 ? 1e11f : (float)apart);
            TEST_ASSERT_TRUE(detail_grid_cells(triangles) < sizeof first / sizeof *first);
            detail_grid_make(&grid, frames, triangles);
            double b[2];
            TEST_ASSERT_EQUAL_UINT32(
                0, detail_grid_nearest(&grid, (struct vec3){-1e12, 1e12, 0}, b, NULL));
        }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_bad_descriptions_are_refused);
    RUN_TEST(test_a_vertex_where_no_normal_leads_is_refused);
    RUN_TEST(test_an_asset_without_surface_is_refused);
    RUN_TEST(test_triangles_that_are_points_do_not_hold_up_the_grid);
    return UNITY_END();
}
