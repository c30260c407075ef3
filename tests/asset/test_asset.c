/* test_asset.c - compiling meshes: sizes that are exact and cannot wrap, packs and clusters that
 * keep their promises on any mesh, the same bytes every time, full packs, masses and surfaces.
 *
 * covers: src/asset/asset.c src/compile/asset_layout.c src/compile/build.c
 */
#include "any_mesh.h"
#include "asset/asset.h"
#include "asset_check.h"
#include "base/hash.h"
#include "io/mesh/tetgen.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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

static void sizes_are_exact_and_guarded(void)
{
    any_mesh_box();
    const piola_mesh_desc desc = any_mesh_describe();
    piola_error error = {0};
    size_t scratch = 0, bytes = 0;
    fixture_ok(piola_plan_size(&desc, &scratch, &error), &error);
    char *memory = fixture_memory(scratch);
    piola_plan *plan = NULL;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MEMORY,
                          piola_asset_plan(&desc, memory, scratch - 1, &plan, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_ALIGNMENT,
                          piola_asset_plan(&desc, memory + 1, scratch, &plan, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_asset_plan(&desc, NULL, scratch, &plan, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_asset_plan(NULL, memory, scratch, &plan, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_plan_size(&desc, NULL, &error));
    fixture_ok(piola_asset_plan(&desc, memory, scratch, &plan, &error), &error);
    bytes = piola_plan_asset_size(plan);
    /* Not one byte more than said. */
    unsigned char *to = fixture_memory(bytes + 64);
    memset(to, 0xa5, bytes + 64);
    const piola_asset *asset = NULL;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MEMORY,
                          piola_asset_build(plan, &desc, to, bytes - 1, &asset, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_ALIGNMENT,
                          piola_asset_build(plan, &desc, to + 4, bytes, &asset, &error));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL,
                          piola_asset_build(NULL, &desc, to, bytes, &asset, &error));
    fixture_ok(piola_asset_build(plan, &desc, to, bytes, &asset, &error), &error);
    for (unsigned i = 0; i < 64; i++) {
        TEST_ASSERT_EQUAL_HEX8(0xa5, to[bytes + i]);
    }
    TEST_ASSERT_EQUAL(bytes, piola_asset_bytes(asset));
    piola_mesh_desc other = desc;
    other.tetrahedron_count--;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE,
                          piola_asset_build(plan, &other, to, bytes, &asset, &error));
    TEST_ASSERT_EQUAL(0, piola_plan_asset_size(NULL));
}

static void too_large(const piola_mesh_desc *desc, const char *field)
{
    piola_error error = {0};
    size_t bytes = 0;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_TOO_LARGE, piola_plan_size(desc, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING(field, error.field);
}

static void sizes_cannot_wrap(void)
{
    any_mesh_box();
    const uint32_t hostile[] = {(1u << 26) + 1, 1u << 30, 0x55555556u, UINT32_MAX};
    for (unsigned i = 0; i < 4; i++) {
        piola_mesh_desc desc = any_mesh_describe();
        desc.vertex_count = hostile[i];
        too_large(&desc, "piola_mesh_desc.vertex_count");
        desc = any_mesh_describe();
        desc.tetrahedron_count = hostile[i];
        too_large(&desc, "piola_mesh_desc.tetrahedron_count");
        desc = any_mesh_describe();
        desc.triangle_count = hostile[i];
        too_large(&desc, "piola_mesh_desc.triangle_count");
        desc = any_mesh_describe();
        desc.bend_count = hostile[i];
        too_large(&desc, "piola_mesh_desc.bend_count");
        desc = any_mesh_describe();
        desc.material_count = hostile[i];
        too_large(&desc, "piola_mesh_desc.material_count");
    }
    /* The largest counts allowed have a size, larger than the arrays they describe. */
    piola_mesh_desc desc = any_mesh_describe();
    desc.vertex_count = desc.tetrahedron_count = 1u << 26;
    desc.triangle_count = desc.bend_count = 1u << 26;
    desc.triangles = desc.bends = desc.tetrahedra;
    desc.cluster_size = 64;
    size_t bytes = 0;
    if (sizeof(size_t) == 8) {
        fixture_ok(piola_plan_size(&desc, &bytes, NULL), NULL);
        TEST_ASSERT_GREATER_THAN_UINT64(UINT64_C(11) << 28, bytes);
    }
}

static void size_is_linear(void)
{
    piola_mesh_desc desc = any_mesh_describe();
    const uint32_t some[4] = {0};
    const double x[3] = {0};
    desc.vertices = x;
    desc.tetrahedra = some;
    size_t bytes[3];
    for (unsigned i = 0; i < 3; i++) {
        desc.vertex_count = 1000000u << i;
        desc.tetrahedron_count = 5000000u << i;
        fixture_ok(piola_plan_size(&desc, &bytes[i], NULL), NULL);
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 2, (double)bytes[1] / (double)bytes[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 2, (double)bytes[2] / (double)bytes[1]);
}

static void promises_hold_on_any_mesh(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(60, 6); n > 0; n--) {
        any_mesh_begin();
        any_mesh_random(&seed);
        piola_mesh_desc desc = any_mesh_describe();
        any_mesh_setup(&seed, &desc);
        const piola_asset *asset = fixture_compile(&desc);
        const char *broken = asset_check(asset);
        TEST_ASSERT_NULL_MESSAGE(broken, broken);
        broken = asset_check_mesh(asset, &desc);
        TEST_ASSERT_NULL_MESSAGE(broken, broken);
        piola_error error = {0};
        const piola_asset *opened = NULL;
        fixture_ok(piola_asset_open(asset, piola_asset_bytes(asset), &opened, &error), &error);
        TEST_ASSERT_EQUAL((desc.compile_for & PIOLA_COMPILE_FOR_DESCENT) != 0,
                          asset->at.vertex_packs.count > 0);
        if (asset->stats.plastic_packs == 0 && asset->stats.links == 0) {
            /* A coarse level takes its gradient from the packs of elements. */
            TEST_ASSERT_EQUAL((desc.compile_for & PIOLA_COMPILE_FOR_PROJECTION) != 0 ||
                                  asset->at.coarse_heads.count > 0,
                              asset->stats.packs > 0);
        }
        any_mesh_end();
        fixture_clean();
    }
}

/* A hub: hundreds of tetrahedra around one edge, so that each pack takes one of them only. */
static void hubs_are_packed(void)
{
    const uint32_t wedges = 3000;
    double *x = fixture_memory((wedges + 2) * 3 * sizeof *x);
    uint32_t *t = fixture_memory(wedges * 4 * sizeof *t);
    x[3 * wedges + 5] = 1;
    for (uint32_t i = 0; i < wedges; i++) {
        const double angle = 2 * 3.14159265358979323846 * i / wedges;
        x[3 * i] = cos(angle);
        x[3 * i + 1] = sin(angle);
        const uint32_t v[4] = {i, (i + 1) % wedges, wedges + 1, wedges};
        memcpy(t + 4 * i, v, sizeof v);
    }
    piola_mesh_desc desc = any_mesh_describe();
    desc.vertices = x;
    desc.vertex_count = wedges + 2;
    desc.tetrahedra = t;
    desc.tetrahedron_count = wedges;
    desc.cluster_limit = 0;
    desc.cluster_size = 64;
    const piola_asset *asset = fixture_compile(&desc);
    const char *broken = asset_check(asset);
    TEST_ASSERT_NULL_MESSAGE(broken, broken);
    TEST_ASSERT_NULL(asset_check_mesh(asset, &desc));
    TEST_ASSERT_EQUAL_UINT32(wedges, asset->stats.packs);
    TEST_ASSERT_EQUAL_UINT32(asset->stats.clusters, asset->stats.cluster_colours);
}

static void shuffle_cells(uint64_t *seed, uint32_t *items, uint32_t count)
{
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = (uint32_t)(fixture_random(seed) % i), swap = items[i - 1];
        items[i - 1] = items[j];
        items[j] = swap;
    }
}

/* A cube of 8 x 8 x 8 separate tetrahedra: the curve walks from each to one next to it. */
static void order_follows_a_hilbert_curve(void)
{
    enum { SIDE = 8, COUNT = SIDE * SIDE * SIDE };
    static const double corner[4][3] = {
        {0.4, -0.4, -0.4}, {-0.4, 0.4, -0.4}, {-0.4, -0.4, 0.4}, {0.4, 0.4, 0.4}};
    uint64_t seed = fixture_seed();
    double *x = fixture_memory(COUNT * 12 * sizeof *x);
    uint32_t *v = fixture_memory(COUNT * 4 * sizeof *v), cells[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        cells[i] = i;
    }
    shuffle_cells(&seed, cells, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t at[3] = {cells[i] % SIDE, cells[i] / SIDE % SIDE, cells[i] / SIDE / SIDE};
        for (uint32_t k = 0; k < 12; k++) {
            x[12 * i + k] = (double)at[k % 3] + corner[k / 3][k % 3];
        }
        const uint32_t own[4] = {4 * i + 1, 4 * i, 4 * i + 2, 4 * i + 3};
        memcpy(v + 4 * i, own, sizeof own);
    }
    piola_mesh_desc desc = any_mesh_describe();
    desc.vertices = x;
    desc.vertex_count = 4 * COUNT;
    desc.tetrahedra = v;
    desc.tetrahedron_count = COUNT;
    const piola_asset *asset = fixture_compile(&desc);
    for (uint32_t i = 1; i < COUNT; i++) {
        const uint32_t a = cells[asset_vertex_of_particle(asset)[4 * (i - 1)] / 4];
        const uint32_t b = cells[asset_vertex_of_particle(asset)[4 * i] / 4];
        const uint32_t step = a > b ? a - b : b - a;
        TEST_ASSERT_TRUE(step == 1 || step == SIDE || step == SIDE * SIDE);
    }
}

/* What memory held before must not show, nor which scratch was used. */
static void same_mesh_same_bytes(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(10, 2); n > 0; n--) {
        any_mesh_begin();
        any_mesh_random(&seed);
        piola_mesh_desc desc = any_mesh_describe();
        any_mesh_setup(&seed, &desc);
        size_t scratch = 0, bytes[2];
        const piola_asset *asset[2];
        fixture_ok(piola_plan_size(&desc, &scratch, NULL), NULL);
        for (unsigned i = 0; i < 2; i++) {
            unsigned char *memory = fixture_memory(scratch);
            memset(memory, i ? 0xff : 0x55, scratch);
            piola_plan *plan = NULL;
            fixture_ok(piola_asset_plan(&desc, memory, scratch, &plan, NULL), NULL);
            bytes[i] = piola_plan_asset_size(plan);
            unsigned char *to = fixture_memory(bytes[i]);
            memset(to, i ? 0x11 : 0xee, bytes[i]);
            fixture_ok(piola_asset_build(plan, &desc, to, bytes[i], &asset[i], NULL), NULL);
        }
        TEST_ASSERT_EQUAL(bytes[0], bytes[1]);
        TEST_ASSERT_EQUAL_INT(0, memcmp(asset[0], asset[1], bytes[0]));
        TEST_ASSERT_EQUAL_HEX64(piola_asset_hash(asset[0]), piola_asset_hash(asset[1]));
        any_mesh_end();
        fixture_clean();
    }
}

/* The same bytes from every compiler, at every optimisation and on every processor. A change of the
 * packing or of the layout changes these numbers: then take the new ones, all from one build. */
static void golden(const char *name, uint32_t cluster_size, uint64_t expected)
{
    piola_mesh_desc desc = any_mesh_describe();
    if (cluster_size > 0) {
        desc.cluster_limit = 0;
        desc.cluster_size = cluster_size;
    }
    const piola_asset *asset = fixture_compile(&desc);
    const uint64_t sum = asset->at.rest.offset;
    const uint64_t hash = hash_bytes((const char *)asset + sum, piola_asset_bytes(asset) - sum, 0);
    TEST_ASSERT_EQUAL_HEX64_MESSAGE(expected, hash, name);
    meshgen_free(&any_mesh);
}

static void bytes_are_the_same_everywhere(void)
{
    const double size[3] = {1, 0.7, 0.3};
    TEST_ASSERT_TRUE(meshgen_box(&any_mesh, size, (const uint32_t[3]){9, 7, 5}));
    golden("box", 0, UINT64_C(0x8feef2d49193b145));
    TEST_ASSERT_TRUE(meshgen_box(&any_mesh, size, (const uint32_t[3]){9, 7, 5}));
    any_materials[0].model = PIOLA_MODEL_STVK;
    golden("box in clusters", 128, UINT64_C(0xf20b011947653045));
    TEST_ASSERT_TRUE(meshgen_cloth(&any_mesh, size, (const uint32_t[2]){30, 20}, true));
    for (size_t i = 0; i < any_mesh.vertex_count; i++) {
        any_mesh.vertices[3 * i + 1] = 0.3 * any_mesh.vertices[3 * i] * any_mesh.vertices[3 * i];
    }
    golden("cloth", 64, UINT64_C(0xdf3e1e082e44fcbb));
}

static void fill_is_high(const char *name)
{
    const piola_mesh_desc desc = any_mesh_describe();
    const piola_asset *asset = fixture_compile(&desc);
    printf("%s: %u elements, fill of elements %.4f, of visits %.4f\n", name,
           any_mesh.tetrahedron_count + any_mesh.triangle_count, (double)asset->stats.fill_elements,
           (double)asset->stats.fill_vertices);
    TEST_ASSERT_TRUE(asset->stats.fill_elements >= 0.95f);
    TEST_ASSERT_TRUE(asset->stats.fill_vertices >= 0.90f);
    meshgen_free(&any_mesh);
    fixture_clean();
}

static void packs_are_full(void)
{
    for (uint32_t size = 5000; size <= (uint32_t)fixture_count(50000, 5000); size *= 10) {
        TEST_ASSERT_TRUE(meshgen_beam(&any_mesh, size));
        fill_is_high("beam");
        TEST_ASSERT_TRUE(meshgen_ball(&any_mesh, 1, size));
        fill_is_high("ball");
        TEST_ASSERT_TRUE(meshgen_torus(&any_mesh, 1, 0.35, size));
        fill_is_high("torus");
    }
    TEST_ASSERT_TRUE(
        meshgen_cloth(&any_mesh, (const double[2]){1, 1}, (const uint32_t[2]){100, 100}, true));
    fill_is_high("cloth");
}

static void armadillo_is_as_known(void)
{
    const char *folder = getenv("PIOLA_DATA");
    char node[1024], ele[1024];
    struct problem problem = {0};
    const char *source = getenv("PIOLA_SOURCE_DIR");
    snprintf(node, sizeof node, "%s%s/armadillo_4k.node",
             folder   ? folder
             : source ? source
                      : ".",
             folder ? "" : "/../shared/data");
    snprintf(ele, sizeof ele, "%s%s/armadillo_4k.ele",
             folder   ? folder
             : source ? source
                      : ".",
             folder ? "" : "/../shared/data");
    if (!tetgen_read(node, ele, &any_mesh, &problem)) {
        TEST_IGNORE_MESSAGE("the Armadillo's mesh is not on this machine");
    }
    const piola_mesh_desc desc = any_mesh_describe();
    const piola_asset *asset = fixture_compile(&desc);
    TEST_ASSERT_NULL(asset_check_mesh(asset, &desc));
    TEST_ASSERT_EQUAL_UINT32(3717, asset->stats.tetrahedra);
    TEST_ASSERT_EQUAL_UINT32(60, asset->stats.element_colours);
    TEST_ASSERT_EQUAL_UINT32(12, asset->stats.vertex_colours);
    fill_is_high("armadillo");
}

/* A vertex without tetrahedra in a pack that has some looks at dummies without weight. */
static void mixed_bodies_are_packed(void)
{
    const double x[21] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 2, 1, 0, 3, 0, 0};
    const uint32_t tet[4] = {0, 1, 2, 3}, faces[6] = {0, 4, 1, 4, 6, 5};
    piola_mesh_desc desc = any_mesh_describe();
    desc.vertices = x;
    desc.vertex_count = 7;
    desc.tetrahedra = tet;
    desc.tetrahedron_count = 1;
    desc.triangles = faces;
    desc.triangle_count = 2;
    for (unsigned i = 0; i < 2; i++) {
        any_materials[0].model = i ? PIOLA_MODEL_STVK : PIOLA_MODEL_STABLE_NEO_HOOKEAN;
        const piola_asset *asset = fixture_compile(&desc);
        TEST_ASSERT_NULL(asset_check(asset));
        TEST_ASSERT_NULL(asset_check_mesh(asset, &desc));
        const piola_asset *opened = NULL;
        piola_error error = {0};
        fixture_ok(piola_asset_open(asset, piola_asset_bytes(asset), &opened, &error), &error);
        TEST_ASSERT_EQUAL_UINT32(6, asset->stats.surface_triangles);
    }
}

static void masses_and_volumes_add_up(void)
{
    any_mesh_box();
    any_materials[0].density = 500;
    const piola_mesh_desc desc = any_mesh_describe();
    const piola_asset *asset = fixture_compile(&desc);
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 500, stats.mass);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 1, stats.volume);
    TEST_ASSERT_EQUAL_UINT32(3 * 3 * 3 * 5, stats.tetrahedra);
    TEST_ASSERT_EQUAL_UINT32(0, stats.particles % 16);
    meshgen_free(&any_mesh);
    any_mesh_cloth();
    const piola_mesh_desc cloth = any_mesh_describe();
    asset = fixture_compile(&cloth);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 500, asset->stats.mass);
    TEST_ASSERT_EQUAL_UINT32(32, asset->stats.surface_triangles);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_asset_inspect(NULL, &stats));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(sizes_are_exact_and_guarded);
    RUN_TEST(sizes_cannot_wrap);
    RUN_TEST(size_is_linear);
    RUN_TEST(promises_hold_on_any_mesh);
    RUN_TEST(hubs_are_packed);
    RUN_TEST(order_follows_a_hilbert_curve);
    RUN_TEST(same_mesh_same_bytes);
    RUN_TEST(bytes_are_the_same_everywhere);
    RUN_TEST(packs_are_full);
    RUN_TEST(armadillo_is_as_known);
    RUN_TEST(mixed_bodies_are_packed);
    RUN_TEST(masses_and_volumes_add_up);
    return UNITY_END();
}
