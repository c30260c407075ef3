/* test_mesh.c - every defect of a mesh description is refused by its own status, field and item.
 *
 * covers: src/compile/ src/base/sort.c
 */
#include "any_mesh.h"
#include "asset_check.h"
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

/* ---- calls ---- */

static piola_status plan_of(const piola_mesh_desc *desc, piola_error *error)
{
    size_t bytes = 0;
    piola_plan *plan = NULL;
    const piola_status status = piola_plan_size(desc, &bytes, error);
    return status != PIOLA_OK ? status
                              : piola_asset_plan(desc, fixture_memory(bytes), bytes, &plan, error);
}

/* The description is refused with this status, field and item (UINT64_MAX: no item). */
static void refused(const piola_mesh_desc *desc, piola_status status, const char *field,
                    uint64_t item)
{
    piola_error error = {0};
    TEST_ASSERT_EQUAL_STRING(piola_status_text(status), piola_status_text(plan_of(desc, &error)));
    TEST_ASSERT_EQUAL_INT(status, error.status);
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL(item != UINT64_MAX, error.has_item);
    if (item != UINT64_MAX) {
        TEST_ASSERT_EQUAL_UINT64(item, error.item);
    }
    TEST_ASSERT_EQUAL_INT(status, plan_of(desc, NULL));
}

static void descriptions_are_checked(void)
{
    any_mesh_box();
    piola_mesh_desc desc = any_mesh_describe();
    desc.cookie_ = 0;
    refused(&desc, PIOLA_ERROR_COOKIE, "piola_mesh_desc", UINT64_MAX);
    desc = any_mesh_describe();
    desc.vertices = NULL;
    refused(&desc, PIOLA_ERROR_NULL, "piola_mesh_desc.vertices", UINT64_MAX);
    desc = any_mesh_describe();
    desc.tetrahedra = NULL;
    refused(&desc, PIOLA_ERROR_NULL, "piola_mesh_desc.tetrahedra", UINT64_MAX);
    desc = any_mesh_describe();
    desc.bends = NULL;
    desc.bend_count = 1;
    refused(&desc, PIOLA_ERROR_NULL, "piola_mesh_desc.bends", UINT64_MAX);
    desc = any_mesh_describe();
    desc.vertex_count = 0;
    refused(&desc, PIOLA_ERROR_MESH_EMPTY, "piola_mesh_desc.vertex_count", UINT64_MAX);
    desc = any_mesh_describe();
    desc.tetrahedron_count = 0;
    refused(&desc, PIOLA_ERROR_MESH_EMPTY, "piola_mesh_desc.tetrahedron_count", UINT64_MAX);
    desc = any_mesh_describe();
    desc.material_count = 0;
    refused(&desc, PIOLA_ERROR_RANGE, "piola_mesh_desc.material_count", UINT64_MAX);
    desc = any_mesh_describe();
    desc.compile_for = 0;
    refused(&desc, PIOLA_ERROR_RANGE, "piola_mesh_desc.compile_for", UINT64_MAX);
    desc.compile_for = 4;
    refused(&desc, PIOLA_ERROR_RANGE, "piola_mesh_desc.compile_for", UINT64_MAX);
    desc = any_mesh_describe();
    desc.cluster_size = 0;
    refused(&desc, PIOLA_ERROR_RANGE, "piola_mesh_desc.cluster_size", UINT64_MAX);
    desc = any_mesh_describe();
    any_materials[0].cookie_ = 1;
    refused(&desc, PIOLA_ERROR_COOKIE, "piola_mesh_desc.materials", 0);
}

/* ---- defects of meshes ---- */

static void bad_vertices_are_named(void)
{
    any_mesh_box();
    const piola_mesh_desc desc = any_mesh_describe();
    const double infinite = (double)INFINITY, none = (double)NAN;
    const double hostile[] = {none, -none, infinite, -infinite};
    for (unsigned i = 0; i < 4; i++) {
        const double kept = any_mesh.vertices[3 * 17 + i % 3];
        any_mesh.vertices[3 * 17 + i % 3] = hostile[i];
        refused(&desc, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.vertices", 17);
        any_mesh.vertices[3 * 17 + i % 3] = kept;
    }
    any_mesh.vertices[3 * 9] = 1e39; /* finite, but not in single precision */
    refused(&desc, PIOLA_ERROR_RANGE, "piola_mesh_desc.vertices", 9);
}

static void bad_tetrahedra_are_named(void)
{
    any_mesh_box();
    const piola_mesh_desc desc = any_mesh_describe();
    uint32_t *t = any_mesh.tetrahedra + 4 * 20, kept[4];
    memcpy(kept, t, sizeof kept);
    t[2] = any_mesh.vertex_count;
    refused(&desc, PIOLA_ERROR_MESH_INDEX, "piola_mesh_desc.tetrahedra", 20);
    t[2] = UINT32_MAX;
    refused(&desc, PIOLA_ERROR_MESH_INDEX, "piola_mesh_desc.tetrahedra", 20);
    t[2] = t[0];
    refused(&desc, PIOLA_ERROR_MESH_REPEATED, "piola_mesh_desc.tetrahedra", 20);
    memcpy(t, kept, sizeof kept);
    t[0] = kept[1];
    t[1] = kept[0];
    refused(&desc, PIOLA_ERROR_MESH_INVERTED, "piola_mesh_desc.tetrahedra", 20);
    /* The same vertices in another (even) order are the same tetrahedron. */
    memcpy(t, kept, sizeof kept);
    uint32_t *again = any_mesh.tetrahedra + 4 * 90;
    again[0] = kept[1];
    again[1] = kept[2];
    again[2] = kept[0];
    again[3] = kept[3];
    refused(&desc, PIOLA_ERROR_MESH_DUPLICATE, "piola_mesh_desc.tetrahedra", 90);
}

static void flat_elements_are_named(void)
{
    any_mesh_box();
    const piola_mesh_desc desc = any_mesh_describe();
    /* Lower vertex 0 of tetrahedron 5 into the plane of the others, then nearly so. */
    const uint32_t *t = any_mesh.tetrahedra + 4 * 5;
    double *x = any_mesh.vertices + 3 * (size_t)t[0];
    for (unsigned axis = 0; axis < 3; axis++) {
        x[axis] = 0;
        for (unsigned i = 1; i < 4; i++) {
            x[axis] += any_mesh.vertices[3 * (size_t)t[i] + axis] / 3;
        }
    }
    piola_error error = {0};
    const piola_status status = plan_of(&desc, &error);
    TEST_ASSERT_TRUE(status == PIOLA_ERROR_MESH_DEGENERATE || status == PIOLA_ERROR_MESH_INVERTED);
    meshgen_free(&any_mesh);
    any_mesh_cloth();
    const piola_mesh_desc cloth = any_mesh_describe();
    const uint32_t *v = any_mesh.triangles + 3 * 7;
    memcpy(any_mesh.vertices + 3 * (size_t)v[0], any_mesh.vertices + 3 * (size_t)v[1],
           3 * sizeof(double));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MESH_DEGENERATE, plan_of(&cloth, &error));
    TEST_ASSERT_EQUAL_STRING("piola_mesh_desc.triangles", error.field);
    TEST_ASSERT_LESS_OR_EQUAL_UINT64(7, error.item);
}

/* One tetrahedron of which vertex 0 stands `height` above the others' triangle of side `size`. */
static piola_status single(double size, double height, double offset)
{
    const double x[12] = {offset, offset,        offset + height, offset + size, offset, offset,
                          offset, offset + size, offset,          offset,        offset, offset};
    const uint32_t v[4] = {1, 2, 0, 3};
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = 4;
    desc.tetrahedra = v;
    desc.tetrahedron_count = 1;
    desc.materials = any_materials;
    desc.material_count = 1;
    return plan_of(&desc, NULL);
}

static void flatness_knows_no_unit(void)
{
    /* The same shapes from a micrometre to a hundred kilometres. */
    for (double size = 1e-6; size < 2e5; size *= 10) {
        TEST_ASSERT_EQUAL_INT(PIOLA_OK, single(size, size, 0));
        TEST_ASSERT_EQUAL_INT(PIOLA_OK, single(size, 1e-3 * size, 0));
        TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MESH_DEGENERATE, single(size, 1e-7 * size, 0));
        TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MESH_INVERTED, single(size, -size, 0));
    }
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MESH_DEGENERATE, single(1e-9, 1e-9, 0));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MESH_DEGENERATE, single(1e7, 1e7, 0));
    /* So far from the origin that single precision cannot tell its vertices apart. */
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MESH_DEGENERATE, single(1e-3, 1e-3, 1e6));
}

static void other_defects_are_named(void)
{
    any_mesh_box();
    piola_mesh_desc desc = any_mesh_describe();
    /* An isolated vertex. */
    double *x = fixture_memory((any_mesh.vertex_count + 1) * 3 * sizeof *x);
    memcpy(x, any_mesh.vertices, any_mesh.vertex_count * 3 * sizeof *x);
    desc.vertices = x;
    desc.vertex_count++;
    refused(&desc, PIOLA_ERROR_MESH_ISOLATED, "piola_mesh_desc.vertices", any_mesh.vertex_count);
    /* A material that does not exist. */
    uint32_t *which = fixture_memory(any_mesh.tetrahedron_count * sizeof *which);
    desc = any_mesh_describe();
    desc.tetrahedron_materials = which;
    which[33] = 1;
    refused(&desc, PIOLA_ERROR_MESH_MATERIAL, "piola_mesh_desc.tetrahedron_materials", 33);
    which[33] = 0;
    /* Frames. */
    float *frames = fixture_memory(any_mesh.tetrahedron_count * 6 * sizeof *frames);
    for (uint32_t i = 0; i < any_mesh.tetrahedron_count; i++) {
        frames[6 * i] = frames[6 * i + 4] = 2;
    }
    desc.tetrahedron_frames = frames;
    TEST_ASSERT_EQUAL_INT(PIOLA_OK, plan_of(&desc, NULL));
    const float bad[3][6] = {{0, 0, 0, 0, 1, 0}, {1, 1, 0, -2, -2, 0}, {NAN, 0, 0, 0, 1, 0}};
    for (unsigned i = 0; i < 3; i++) {
        memcpy(frames + 6 * (11 + i), bad[i], sizeof bad[i]);
        refused(&desc, PIOLA_ERROR_MESH_FRAME, "piola_mesh_desc.tetrahedron_frames", 11 + i);
        memcpy(frames + 6 * (11 + i), frames, 6 * sizeof *frames);
    }
    desc = any_mesh_describe();
    any_materials[0].young = -1;
    refused(&desc, PIOLA_ERROR_MATERIAL, "piola_material.young", 0);
}

static void bad_cloth_is_named(void)
{
    any_mesh_cloth();
    piola_mesh_desc desc = any_mesh_describe();
    uint32_t *b = any_mesh.bends + 4 * 3, kept[4];
    memcpy(kept, b, sizeof kept);
    b[3] = any_mesh.vertex_count;
    refused(&desc, PIOLA_ERROR_MESH_INDEX, "piola_mesh_desc.bends", 3);
    b[3] = b[2];
    refused(&desc, PIOLA_ERROR_MESH_REPEATED, "piola_mesh_desc.bends", 3);
    memcpy(b, kept, sizeof kept);
    uint32_t *again = any_mesh.bends + 4 * 8, saved[4];
    memcpy(saved, again, sizeof saved);
    const uint32_t same[4] = {kept[1], kept[0], kept[3], kept[2]};
    memcpy(again, same, sizeof same);
    refused(&desc, PIOLA_ERROR_MESH_DUPLICATE, "piola_mesh_desc.bends", 8);
    memcpy(again, saved, sizeof saved);
    uint32_t *t = any_mesh.triangles + 3 * 6;
    const uint32_t turned[3] = {any_mesh.triangles[4], any_mesh.triangles[3],
                                any_mesh.triangles[5]};
    uint32_t whole[3];
    memcpy(whole, t, sizeof whole);
    memcpy(t, turned, sizeof turned);
    refused(&desc, PIOLA_ERROR_MESH_DUPLICATE, "piola_mesh_desc.triangles", 6);
    memcpy(t, whole, sizeof whole);
    float *warp = fixture_memory(any_mesh.triangle_count * 3 * sizeof *warp);
    for (uint32_t i = 0; i < any_mesh.triangle_count; i++) {
        warp[3 * i] = 1;
    }
    desc.triangle_directions = warp;
    TEST_ASSERT_EQUAL_INT(PIOLA_OK, plan_of(&desc, NULL));
    warp[3 * 4] = 0;
    warp[3 * 4 + 1] = 1; /* across the sheet */
    refused(&desc, PIOLA_ERROR_MESH_FRAME, "piola_mesh_desc.triangle_directions", 4);
}

/* All six edges of a tetrahedron's surface are different bends on the same four vertices. */
static void closed_surfaces_may_bend(void)
{
    const double x[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const uint32_t faces[12] = {0, 1, 2, 3, 1, 0, 3, 2, 1, 3, 0, 2};
    const uint32_t bends[24] = {0, 1, 2, 3, 0, 2, 1, 3, 0, 3, 1, 2,
                                1, 2, 0, 3, 1, 3, 0, 2, 2, 3, 0, 1};
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = 4;
    desc.triangles = faces;
    desc.triangle_count = 4;
    desc.bends = bends;
    desc.bend_count = 6;
    desc.materials = any_materials;
    desc.material_count = 1;
    TEST_ASSERT_NULL(asset_check(fixture_compile(&desc)));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(descriptions_are_checked);
    RUN_TEST(bad_vertices_are_named);
    RUN_TEST(bad_tetrahedra_are_named);
    RUN_TEST(flat_elements_are_named);
    RUN_TEST(flatness_knows_no_unit);
    RUN_TEST(other_defects_are_named);
    RUN_TEST(bad_cloth_is_named);
    RUN_TEST(closed_surfaces_may_bend);
    return UNITY_END();
}
