/* Tests that a pack of one material, which has a loop made for its model and traits, gives the bits
 * that the loop for mixed materials gives, which looks each lane's material up. That loop is the
 * oracle: it is had by giving half of a pack's lanes a second material of the same constants.
 *
 * covers: ispc/motion/descend.ispc
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "kernel_fixtures.h"
#include "kernels/models.h"
#include "ref_random.h"
#include "unity.h"

static uint64_t seed;
static struct vertex_fixture start, alone, mixed;
_Alignas(64) static struct pk_quad alone_gradient[VERTEX_PARTICLES];
_Alignas(64) static struct pk_quad mixed_gradient[VERTEX_PARTICLES];
static struct pk_solve solve;

void setUp(void)
{
    solve = (struct pk_solve){.dt = 0.005f, .inertia = 1 / (0.005f * 0.005f), .relaxation = 1};
}

void tearDown(void)
{
    fixture_clean();
}

enum trait { PLAIN, DAMPED, PLASTIC, DAMPED_PLASTIC, TRAITS };

static struct pk_material material_of(int model, enum trait trait)
{
    struct pk_material m = fixture_material(model, 1e4, 0.3).kernel;
    m.damping = trait == DAMPED || trait == DAMPED_PLASTIC ? 0.01f : 0;
    m.yield = trait == PLASTIC || trait == DAMPED_PLASTIC ? 0.01f : 0;
    m.creep = 1;
    m.max = 1;
    return m;
}

/* Lanes in turn of material 0 and 1, as no pack of one material is. */
static void mix(struct vertex_fixture *f)
{
    for (int v = 0; v < VISIT_SLOTS; v++)
        for (int lane = 0; lane < PK_LANES; lane++)
            f->visit[v].material[lane] = (uint32_t)lane & 1;
}

/* keeps: strains are found before, not in each visit. */
static void run(const struct kernels *k, struct vertex_fixture *f, const struct pk_material *m,
                uint32_t materials, struct pk_quad *gradient, bool keeps, int steps)
{
    struct pk_descent_job job = fixture_vertex_job(f, m, materials, &solve);
    struct pk_descent_job asked = job;
    if (keeps) {
        job.began = asked.began = m->damping > 0 ? f->began : NULL;
        job.held = asked.held = m->yield > 0 ? f->held : NULL;
        k->visit_strains(&job);
    }
    asked.gradient = gradient;
    memset(gradient, 0, VERTEX_PARTICLES * sizeof *gradient);
    k->descend(&asked);
    for (int i = 0; i < steps; i++)
        k->descend(&job);
}

/* Vertices whose place has the same bits. */
static int alike(void)
{
    int same = 0;
    for (int v = 0; v < VERTEX_PACKS * PK_LANES; v++)
        same += memcmp(&alone.x[v], &mixed.x[v], 3 * sizeof(uint32_t)) == 0;
    return same;
}

/* Where `steps` is false nearly all are alike after one: a step that is judged by what is foreseen
 * of it may be cut otherwise than by its energies. */
static void compare(const struct kernels *k, int model, enum trait trait, enum shape shape,
                    bool steps)
{
    char text[96];
    const struct pk_material m[2] = {material_of(model, trait), material_of(model, trait)};
    fixture_vertices(&start, &seed, 0.1, shape);
    if (m->yield > 0)
        fixture_plastic(start.plastic, VISIT_SLOTS, &seed, 0.05);
    alone = mixed = start;
    mix(&mixed);
    run(k, &alone, m, 1, alone_gradient, true, steps ? 3 : 1);
    run(k, &mixed, m, 2, mixed_gradient, false, steps ? 3 : 1);
    snprintf(text, sizeof text, "model %u, trait %d, shape %d", (unsigned)m->model, (int)trait,
             (int)shape);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(mixed_gradient, alone_gradient, sizeof alone_gradient, text);
    if (steps)
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(mixed.x, alone.x, sizeof alone.x, text);
    TEST_ASSERT_GREATER_THAN_INT_MESSAGE(VERTEX_PACKS * PK_LANES * 9 / 10, alike(), text);
    /* Two materials of the same body, each in packs of its own. */
    mixed = start;
    for (int v = 0; v < VISIT_SLOTS; v++)
        for (int lane = 0; lane < PK_LANES; lane++)
            mixed.visit[v].material[lane] = (uint32_t)(v / VERTEX_VISITS) & 1;
    run(k, &mixed, m, 2, mixed_gradient, false, steps ? 3 : 1);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(alone_gradient, mixed_gradient, sizeof alone_gradient, text);
    TEST_ASSERT_EQUAL_MEMORY_MESSAGE(alone.x, mixed.x, sizeof alone.x, text);
}

static void compare_all(const struct kernels *k)
{
    for (int model = 0; model < TEST_MATERIALS; model++) {
        const int number = (int)fixture_material(model, 1e4, 0.3).kernel.model;
        for (int trait = PLAIN; trait < TRAITS; trait++) {
            const bool plastic = trait >= PLASTIC;
            if (plastic && !model_strain(number))
                continue;
            compare(k, model, (enum trait)trait, SHAPE_NEAR, true);
            compare(k, model, (enum trait)trait, SHAPES, false);
        }
    }
}

static void test_one_material_gives_the_bits_of_mixed_ones(void)
{
    for (int isa = PIOLA_ISA_AUTO + 1; isa < PIOLA_ISA_COUNT; isa++)
        if (piola_isa_available((piola_isa)isa))
            compare_all(kernels_for((piola_isa)isa));
}

/* ---- solids in a skin ---- */

static piola_material elastic_of(int model, enum trait trait)
{
    piola_material m = piola_material_default();
    m.model = (piola_model)model;
    m.young = 1e4f;
    m.poisson = 0.3f;
    for (int axis = 0; axis < 3; axis++) {
        m.young_axis[axis] = axis == 1 ? 2e4f : 1e4f;
        m.poisson_axis[axis] = axis < 2 ? 0.1f : 0.05f;
        m.shear_axis[axis] = 4e3f;
    }
    static const int diagonal[6] = {0, 6, 11, 15, 18, 20};
    for (int i = 0; i < 6; i++)
        m.stiffness[diagonal[i]] = i < 3 ? 1.3e4f : 4e3f;
    m.damping = trait == DAMPED || trait == DAMPED_PLASTIC ? 0.01f : 0;
    m.plastic_yield = trait == PLASTIC || trait == DAMPED_PLASTIC ? 0.01f : 0;
    m.plastic_creep = 5;
    m.plastic_max = 1;
    return m;
}

/* A beam in a skin, of one material each, or of two that are alike. */
static const piola_asset *skinned(const piola_material *solid, const piola_material *skin, bool two)
{
    const int cells[3] = {4, 2, 2};
    const double size[3] = {0.4, 0.2, 0.2};
    ref_mesh beam;
    TEST_ASSERT_TRUE(ref_mesh_beam(&beam, cells, size, 5));
    piola_mesh_desc mesh = fixture_mesh(&beam, solid);
    const piola_asset *bare = fixture_compile(&mesh);
    const piola_material materials[4] = {*solid, *solid, *skin, *skin};
    mesh.triangles = piola_asset_surface(bare, &mesh.triangle_count);
    uint32_t *of = fixture_memory(mesh.tetrahedron_count * sizeof *of);
    uint32_t *of_skin = fixture_memory(mesh.triangle_count * sizeof *of_skin);
    for (uint32_t i = 0; i < mesh.tetrahedron_count; i++)
        of[i] = two ? i & 1 : 0;
    for (uint32_t i = 0; i < mesh.triangle_count; i++)
        of_skin[i] = 2 + (two ? i & 1 : 0);
    mesh.tetrahedron_materials = of;
    mesh.triangle_materials = of_skin;
    mesh.materials = materials;
    mesh.material_count = 4;
    mesh.coarse_level = false;
    const piola_asset *asset = fixture_compile(&mesh);
    ref_mesh_free(&beam);
    return asset;
}

/* Positions after some steps from a shape that is bent, and in places crushed. */
static void swing(const piola_asset *asset, float *xyz, uint32_t *count)
{
    piola_world_desc desc = piola_world_desc_default();
    piola_body_info info;
    desc.max_bodies = 1;
    fixture_ok(piola_world_desc_fit(&desc, &asset, (const uint32_t[]){1}, 1, NULL), NULL);
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    *count = info.vertices;
    fixture_ok(piola_body_positions(world, body, 0, info.vertices, xyz), NULL);
    for (uint32_t i = 0; i < info.vertices; i++) {
        float *at = xyz + 3 * i;
        at[1] += 2 * at[0] * at[0];
        at[2] *= at[0] > 0.25f ? 0.2f : 1.1f;
    }
    fixture_ok(piola_body_set_positions(world, body, 0, info.vertices, xyz, NULL), NULL);
    fixture_steps(world, NULL, 6);
    fixture_ok(piola_body_positions(world, body, 0, info.vertices, xyz), NULL);
}

static void test_a_skin_of_one_material_gives_the_bits_of_two_alike(void)
{
    static float one[3 * 128], two[3 * 128];
    for (int model = 0; model < PK_MODELS; model++)
        for (int trait = PLAIN; trait < TRAITS; trait++) {
            uint32_t count = 0;
            char text[64];
            if (trait >= PLASTIC && !model_strain(model))
                continue;
            const piola_material solid = elastic_of(model, (enum trait)trait);
            piola_material skin = solid;
            skin.density = 0.3f;
            skin.poisson_axis[1] = 0; /* of a sheet, by symmetry */
            swing(skinned(&solid, &skin, false), one, &count);
            TEST_ASSERT_LESS_OR_EQUAL_UINT32(128, count);
            swing(skinned(&solid, &skin, true), two, &count);
            snprintf(text, sizeof text, "model %d, trait %d", model, trait);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(two, one, 3 * count * sizeof(float), text);
            for (uint32_t i = 0; i < 3 * count; i++)
                TEST_ASSERT_TRUE_MESSAGE(isfinite(one[i]), text);
        }
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_one_material_gives_the_bits_of_mixed_ones);
    RUN_TEST(test_a_skin_of_one_material_gives_the_bits_of_two_alike);
    return UNITY_END();
}
