/* Golden hashes of contact: a pile, cloth that touches itself, colliders that move, of all shapes.
 * As test_golden.c: one number a scene for any threads, instruction set, compiler and optimisation;
 * PIOLA_GOLDEN_WRITE=1 writes tests/golden/contact.txt anew.
 *
 * covers: src/families/surface/
 */
#include "fixture.h"
#include "golden.h"
#include "io/mesh/meshgen.h"
#include "shape_fixture.h"
#include "solid_fixture.h"
#include "unity.h"

#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct scene {
    const char *name;
    piola_solver solver;
    piola_model model;
    bool cloth;
    bool surfaces; /* touch each other */
    uint32_t cluster;
    piola_integrator integrator;
    bool shapes; /* compiled ones, instead of the others */
    bool rigid;  /* a ball and a box with mass too */
    bool crowd;  /* cubes on a held sheet, which has more partners than a body lists */
};

static const struct scene scenes[] = {
    {.name = "colliders-snh",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN},
    {.name = "colliders-stvk", .solver = PIOLA_SOLVER_DESCENT, .model = PIOLA_MODEL_STVK},
    {.name = "colliders-large",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .cluster = 64},
    {.name = "colliders-compliant", .solver = PIOLA_SOLVER_COMPLIANT, .model = PIOLA_MODEL_STVK},
    {.name = "colliders-bdf2",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .integrator = PIOLA_INTEGRATOR_BDF2},
    {.name = "colliders-bdf2-large",
     .solver = PIOLA_SOLVER_COMPLIANT,
     .model = PIOLA_MODEL_STVK,
     .cluster = 64,
     .integrator = PIOLA_INTEGRATOR_BDF2},
    {.name = "colliders-cloth",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STVK,
     .cloth = true},
    {.name = "pile",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .surfaces = true},
    {.name = "pile-energy",
     .solver = PIOLA_SOLVER_ENERGY,
     .model = PIOLA_MODEL_STVK,
     .surfaces = true},
    {.name = "pile-compliant",
     .solver = PIOLA_SOLVER_COMPLIANT,
     .model = PIOLA_MODEL_STVK,
     .surfaces = true},
    {.name = "pile-large",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .surfaces = true,
     .cluster = 64},
    {.name = "cloth-on-itself",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STVK,
     .cloth = true,
     .surfaces = true},
    {.name = "shapes",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .shapes = true},
    {.name = "shapes-compliant",
     .solver = PIOLA_SOLVER_COMPLIANT,
     .model = PIOLA_MODEL_STVK,
     .shapes = true},
    {.name = "shapes-cloth",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STVK,
     .cloth = true,
     .cluster = 64,
     .shapes = true},
    {.name = "rigid",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .rigid = true},
    {.name = "rigid-large",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STVK,
     .cluster = 64,
     .rigid = true},
    {.name = "rigid-compliant",
     .solver = PIOLA_SOLVER_COMPLIANT,
     .model = PIOLA_MODEL_STVK,
     .rigid = true},
    {.name = "rigid-surfaces",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .surfaces = true,
     .rigid = true},
    {.name = "crowd",
     .solver = PIOLA_SOLVER_DESCENT,
     .model = PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     .surfaces = true,
     .crowd = true},
    {.name = "crowd-energy",
     .solver = PIOLA_SOLVER_ENERGY,
     .model = PIOLA_MODEL_STVK,
     .surfaces = true,
     .crowd = true},
};
#define SCENES (sizeof scenes / sizeof *scenes)

enum { EARLY = 24, STEPS = 60 };

static const piola_asset *sheet_of(uint32_t cells)
{
    struct meshgen mesh = {0};
    piola_material m = piola_material_default();
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, (const double[2]){0.3, 0.3},
                                   (const uint32_t[2]){cells, cells}, false));
    piola_mesh_desc desc = meshgen_desc(&mesh);
    m.model = PIOLA_MODEL_STVK;
    m.density = 0.3f;
    m.young = 200;
    m.poisson = 0.3f;
    desc.materials = &m;
    desc.material_count = 1;
    const piola_asset *asset = fixture_compile(&desc);
    meshgen_free(&mesh);
    return asset;
}

static const piola_asset *asset_of(const struct scene *scene)
{
    piola_material m = piola_material_default();
    m.model = scene->model;
    m.young = 5e4f;
    m.poisson = 0.3f;
    if (scene->cloth)
        return sheet_of(12);
    if (scene->crowd)
        return fixture_beam_of(1, 1, 1, 0.05, &m, 0);
    return scene->cluster ? fixture_beam_of(4, 3, 3, 0.04, &m, scene->cluster)
                          : fixture_beam_of(3, 2, 2, 0.05, &m, 0);
}

static void put_rigids(piola_world *world)
{
    struct solid made;
    struct solid_desc c = solid_desc_default();
    c.shape.kind = PIOLA_SHAPE_SPHERE;
    c.shape.radius = 0.04f;
    c.mass = 0.7f;
    c.position[0] = 0.05f;
    c.position[1] = 0.9f;
    c.position[2] = 0.06f;
    c.velocity[1] = -6;
    c.angular_velocity[0] = 5;
    fixture_ok(solid_create(world, &c, &made, NULL), NULL);
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.05f;
    c.shape.size[2] = 0.03f;
    c.shape.radius = 0.005f;
    c.position[0] = 0.12f;
    c.position[1] = 0.8f;
    fixture_ok(solid_create(world, &c, &made, NULL), NULL);
}

static void put_colliders(piola_world *world)
{
    struct solid made;
    struct solid_desc c = solid_desc_default();
    fixture_ok(solid_create(world, &c, &made, NULL), NULL);
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.05f;
    c.shape.radius = 0.01f;
    c.position[0] = 0.1f;
    c.position[1] = 0.05f;
    c.position[2] = 0.1f;
    c.velocity[1] = 0.3f;
    c.angular_velocity[1] = 3;
    c.restitution = 0.3f;
    fixture_ok(solid_create(world, &c, &made, NULL), NULL);
}

/* A wavy ground, and on it a spinning hull, a rising mesh, a wall and a grid, about a body apart.
 */
static void put_shapes(piola_world *world)
{
    static const float at[5][3] = {
        {0.1f, 0.05f, 0.1f}, {0.2f, -0.1f, 0}, {-0.1f, 0.05f, 0.1f}, {0, 0, 0}, {0.05f, 0, -0.1f}};
    static struct shape_tris tris;
    shape_fixture_star(&tris, 0.08, 0.03);
    for (int k = 0; k < 5; ++k) {
        struct solid made;
        struct solid_desc c = solid_desc_default();
        c.shape.kind = (piola_shape_kind)(PIOLA_SHAPE_HULL + k);
        piola_shape_desc d = shape_fixture_desc(&tris, c.shape.kind);
        float samples[12 * 12 * 12];
        if (c.shape.kind == PIOLA_SHAPE_HEIGHTS) {
            /* No libm: its last digit is not the same everywhere. */
            for (uint32_t i = 0; i < 9 * 9; ++i)
                samples[i] = 0.01f * (float)(i * i % 7);
            d.samples = samples;
            d.sample_count[0] = d.sample_count[1] = 9;
            d.spacing = 0.125f;
            d.origin[0] = d.origin[2] = -0.5f;
        } else if (c.shape.kind == PIOLA_SHAPE_DISTANCES) {
            d.kind = PIOLA_SHAPE_MESH;
            const piola_shape_data *mesh = shape_fixture_compile(&d);
            d.kind = PIOLA_SHAPE_DISTANCES;
            d.samples = samples;
            d.spacing = 0.03125f;
            for (int a = 0; a < 3; ++a) {
                d.sample_count[a] = 12;
                d.origin[a] = -0.171875f;
            }
            fixture_ok(piola_shape_sample(mesh, d.origin, d.spacing, d.sample_count, samples, NULL),
                       NULL);
        }
        c.shape.data = shape_fixture_compile(&d);
        memcpy(c.position, at[k], sizeof c.position);
        c.margin = 0.002f * (float)k;
        c.angular_velocity[1] = c.shape.kind == PIOLA_SHAPE_HULL ? 3 : 0;
        c.velocity[1] = c.shape.kind == PIOLA_SHAPE_MESH ? 0.3f : 0;
        fixture_ok(solid_create(world, &c, &made, NULL), NULL);
    }
}

static void put_bodies(piola_world *world, const piola_asset *asset, bool cloth)
{
    for (int i = 0; i < (cloth ? 1 : 4); ++i) {
        piola_body body;
        piola_body_desc b = piola_body_desc_default();
        b.asset = asset;
        b.position[0] = 0.02f * (float)(i % 2);
        b.position[1] = cloth ? 0.13f : 0.17f + 0.14f * (float)i;
        b.velocity[1] = -1;
        b.angular_velocity[0] = cloth ? 8 : 1;
        fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    }
}

/* Two layers of cubes, which drift across each other, over a sheet that its corners hold. */
static void put_crowd(piola_world *world, const piola_asset *cube)
{
    enum { SIDE = 3, CELLS = 6 };
    const uint32_t corners[4] = {0, CELLS, CELLS * (CELLS + 1), (CELLS + 1) * (CELLS + 1) - 1};
    const piola_body sheet = fixture_body(world, sheet_of(CELLS), 0, 0.2f, 0);
    for (int i = 0; i < 4; ++i) {
        float at[3];
        fixture_ok(piola_body_positions(world, sheet, corners[i], 1, at), NULL);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, sheet, corners[i], at[0], at[1], at[2]);
    }
    for (int i = 0; i < 2 * SIDE * SIDE; ++i) {
        piola_body body;
        piola_body_desc b = piola_body_desc_default();
        const int layer = i / (SIDE * SIDE);
        b.asset = cube;
        b.position[0] = 0.06f + 0.06f * (float)(i % SIDE);
        b.position[1] = 0.205f + 0.06f * (float)layer;
        b.position[2] = 0.06f + 0.06f * (float)(i / SIDE % SIDE);
        b.velocity[0] = 0.5f * (float)(i % 3 - 1);
        b.velocity[2] = 0.5f * (float)(i / SIDE % 3 - 1);
        fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    }
}

static struct golden play(size_t number, piola_isa isa, uint32_t threads, bool briefly)
{
    const struct scene *scene = &scenes[number];
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = scene->solver;
    desc.integrator = scene->integrator;
    desc.isa = isa;
    desc.max_particles = 4096;
    desc.max_packs = 512;
    desc.max_colliders = scene->shapes ? 5 : scene->rigid ? 4 : 2;
    desc.max_rigids = scene->rigid ? 4 : 0;
    desc.max_contacts = scene->surfaces ? 20000 : 0;
    desc.max_contact_faces = 2048;
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = asset_of(scene);
    if (scene->shapes)
        put_shapes(world);
    else
        put_colliders(world);
    if (scene->rigid)
        put_rigids(world);
    if (scene->crowd)
        put_crowd(world, asset);
    else
        put_bodies(world, asset, scene->cloth);
    piola_workers *workers = golden_workers(threads);
    uint64_t hash = 0, contacts = 0;
    struct golden golden = {0, 0};
    for (int i = 0; i < (briefly ? EARLY : STEPS); ++i) {
        piola_report report;
        golden_step(world, workers, &report);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, report.frozen, scene->name);
        contacts += report.contacts;
        hash = (hash ^ report.contacts) * UINT64_C(0x9e3779b97f4a7c15);
        if (i + 1 == EARLY)
            golden.early = hash ^ piola_world_hash(world);
    }
    /* Or it would prove nothing. */
    if (scene->surfaces && !briefly)
        TEST_ASSERT_TRUE_MESSAGE(contacts > 0, scene->name);
    if (workers)
        piola_workers_destroy(workers);
    golden.whole = hash ^ piola_world_hash(world);
    fixture_clean();
    return golden;
}

static const char *name_of(size_t scene)
{
    return scenes[scene].name;
}

static const struct golden_suite suite = {"contact.txt", SCENES, 2, name_of, play};

static void test_hashes(void)
{
    for (size_t i = 0; i < SCENES; ++i)
        golden_check(&suite, i);
}

static void test_resumed_worlds_go_on_alike(void)
{
    golden_resumed(&suite, 3, false);
}

static void test_hashes_differ(void)
{
    golden_differ(&suite);
}

int main(void)
{
    UNITY_BEGIN();
    golden_write(&suite);
    RUN_TEST(test_hashes);
    RUN_TEST(test_resumed_worlds_go_on_alike);
    RUN_TEST(test_hashes_differ);
    return UNITY_END();
}
