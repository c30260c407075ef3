/* Golden hashes: one scene, one number, for any threads, instruction set, compiler and
 * optimisation.
 *
 * tests/golden/hashes.txt holds a line a scene. PIOLA_GOLDEN_WRITE=1 in the environment writes it
 * anew, which belongs in a commit and a CHANGELOG entry of its own that say why the numbers moved.
 *
 * covers: src/motion/ ispc/motion/ src/step/
 */
#include "fixture.h"
#include "golden.h"
#include "io/mesh/meshgen.h"
#include "ref_sheet_mesh.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* What the bodies are: beams; squares of triangles, alone, in a wind, in one that differs from
 * place to place, with isometric or dihedral bends, or bends that crease; balloons; glued beams;
 * beams of which one is pressed flat; beams whose corrections are relaxed. */
enum made { BEAM, SHEET, FLAG, GUSTED, BALLOON, GLUED, BENT, FOLDED, CREASED, FLAT, RELAXED };

struct scene {
    const char *name;
    piola_integrator integrator;
    piola_solver solver;
    uint32_t iterations;
    piola_model model;
    bool plastic, damped, inverted, chebyshev;
    uint32_t cluster; /* elements per cluster, 0: a body done whole */
    enum made form;
};

/* Versions 14 and 19 of clang-format lay braces in macros out differently. */
/* clang-format off */
#define FREE(name, integrator, cluster)                                                            \
    {                                                                                              \
        name, integrator, PIOLA_SOLVER_DESCENT, 0, PIOLA_MODEL_STABLE_NEO_HOOKEAN, false, false,   \
            false, false, cluster, BEAM                                                            \
    }
#define SOLID(name, solver, model, inverted)                                                       \
    {                                                                                              \
        name, PIOLA_INTEGRATOR_EULER, solver, 5, model, false, false, inverted, false, 0, BEAM     \
    }

#define PLASTIC(name, solver, model)                                                               \
    {                                                                                              \
        name, PIOLA_INTEGRATOR_EULER, solver, 5, model, true, true, true, false, 0, BEAM           \
    }
#define DAMPED(name, solver, model)                                                                \
    {                                                                                              \
        name, PIOLA_INTEGRATOR_EULER, solver, 5, model, false, true, false, false, 0, BEAM         \
    }
#define CLOTH(name, solver, model, plastic, cluster)                                               \
    {                                                                                              \
        name, PIOLA_INTEGRATOR_EULER, solver, 5, model, plastic, plastic, false, false, cluster,   \
            SHEET                                                                                  \
    }
#define OUTER(name, form, integrator, solver, cluster)                                             \
    {                                                                                              \
        name, integrator, solver, 5, PIOLA_MODEL_STVK, false, false, false, false, cluster, form   \
    }
/* clang-format on */

static const struct scene scenes[] = {
    FREE("flight-euler", PIOLA_INTEGRATOR_EULER, 0),
    FREE("flight-bdf2", PIOLA_INTEGRATOR_BDF2, 0),
    FREE("flight-large", PIOLA_INTEGRATOR_BDF2, 64),
    SOLID("descent-snh", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STABLE_NEO_HOOKEAN, false),
    SOLID("descent-snh-inverted", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STABLE_NEO_HOOKEAN, true),
    SOLID("descent-stvk", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK, false),
    SOLID("descent-stvk-inverted", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK, true),
    SOLID("descent-orthotropic", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK_ORTHOTROPIC, true),
    SOLID("descent-general", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK_GENERAL, true),
    SOLID("descent-nh", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_NEO_HOOKEAN, false),
    SOLID("descent-nh-inverted", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_NEO_HOOKEAN, true),
    SOLID("energy-stvk", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK, false),
    SOLID("energy-stvk-inverted", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK, true),
    SOLID("energy-orthotropic", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK_ORTHOTROPIC, true),
    SOLID("energy-general", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK_GENERAL, true),
    SOLID("energy-nh", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_NEO_HOOKEAN, true),
    SOLID("energy-snh", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STABLE_NEO_HOOKEAN, true),
    SOLID("compliant-stvk", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK, true),
    SOLID("compliant-nh", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_NEO_HOOKEAN, true),
    SOLID("compliant-snh", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STABLE_NEO_HOOKEAN, true),
    SOLID("compliant-orthotropic", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK_ORTHOTROPIC, true),
    SOLID("compliant-general", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK_GENERAL, true),
    SOLID("explicit-nh", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_NEO_HOOKEAN, false),
    SOLID("explicit-nh-inverted", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_NEO_HOOKEAN, true),
    SOLID("explicit-snh", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STABLE_NEO_HOOKEAN, true),
    SOLID("explicit-stvk-inverted", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STVK, true),
    PLASTIC("compliant-plastic", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK),
    PLASTIC("compliant-general-plastic", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK_GENERAL),
    PLASTIC("descent-orthotropic-plastic", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK_ORTHOTROPIC),
    PLASTIC("descent-general-plastic", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK_GENERAL),
    PLASTIC("energy-orthotropic-plastic", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK_ORTHOTROPIC),
    {"descent-plastic", PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 5, PIOLA_MODEL_STVK, true,
     true, false, false, 0, false},
    {"energy-plastic", PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_ENERGY, 5, PIOLA_MODEL_STVK, true, true,
     true, false, 0, false},
    {"explicit-stvk", PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_EXPLICIT, 1, PIOLA_MODEL_STVK, false,
     false, false, false, 0, false},
    {"large-descent", PIOLA_INTEGRATOR_BDF2, PIOLA_SOLVER_DESCENT, 3,
     PIOLA_MODEL_STABLE_NEO_HOOKEAN, false, false, false, false, 64, false},
    {"large-descent-stvk-plastic", PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 3,
     PIOLA_MODEL_STVK, true, true, true, false, 64, false},
    {"large-energy", PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_ENERGY, 3, PIOLA_MODEL_STVK, false, false,
     true, false, 64, false},
    {"chebyshev", PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 8, PIOLA_MODEL_STABLE_NEO_HOOKEAN,
     false, false, false, true, 0, false},
    {"large-chebyshev", PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 8, PIOLA_MODEL_STVK, false,
     false, false, true, 64, false},
    CLOTH("sheet-energy-stvk", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK, false, 0),
    CLOTH("sheet-energy-orthotropic", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK_ORTHOTROPIC, false, 0),
    CLOTH("sheet-energy-general", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK_GENERAL, false, 0),
    CLOTH("sheet-energy-nh", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_NEO_HOOKEAN, false, 0),
    CLOTH("sheet-energy-snh", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STABLE_NEO_HOOKEAN, false, 0),
    CLOTH("sheet-compliant-stvk", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK, false, 0),
    CLOTH("sheet-compliant-nh", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_NEO_HOOKEAN, false, 0),
    CLOTH("sheet-explicit-stvk", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STVK, false, 0),
    CLOTH("sheet-energy-plastic", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK, true, 0),
    CLOTH("sheet-large-energy", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK, true, 64),
    OUTER("wind-descent", FLAG, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("wind-large-bdf2", FLAG, PIOLA_INTEGRATOR_BDF2, PIOLA_SOLVER_DESCENT, 64),
    OUTER("wind-grid-descent", GUSTED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("wind-grid-large-bdf2", GUSTED, PIOLA_INTEGRATOR_BDF2, PIOLA_SOLVER_DESCENT, 64),
    OUTER("gas-descent", BALLOON, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("gas-large-compliant", BALLOON, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_COMPLIANT, 64),
    OUTER("glued-descent", GLUED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("glued-energy", GLUED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_ENERGY, 64),
    OUTER("bends-energy", BENT, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_ENERGY, 0),
    OUTER("bends-compliant", BENT, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_COMPLIANT, 0),
    OUTER("bends-explicit", BENT, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_EXPLICIT, 0),
    OUTER("bends-descent", BENT, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("bends-large-descent", BENT, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 64),
    OUTER("folds-energy", FOLDED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_ENERGY, 0),
    OUTER("folds-compliant", FOLDED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_COMPLIANT, 0),
    OUTER("folds-explicit", FOLDED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_EXPLICIT, 0),
    OUTER("folds-descent", FOLDED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("folds-large-descent", FOLDED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 64),
    OUTER("creases-energy", CREASED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_ENERGY, 0),
    OUTER("creases-compliant", CREASED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_COMPLIANT, 64),
    OUTER("creases-explicit", CREASED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_EXPLICIT, 0),
    OUTER("creases-descent", CREASED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("creases-large-descent", CREASED, PIOLA_INTEGRATOR_BDF2, PIOLA_SOLVER_DESCENT, 64),
    SOLID("explicit-orthotropic", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STVK_ORTHOTROPIC, true),
    SOLID("explicit-general", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STVK_GENERAL, true),
    PLASTIC("energy-general-plastic", PIOLA_SOLVER_ENERGY, PIOLA_MODEL_STVK_GENERAL),
    PLASTIC("compliant-orthotropic-plastic", PIOLA_SOLVER_COMPLIANT, PIOLA_MODEL_STVK_ORTHOTROPIC),
    PLASTIC("explicit-plastic", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STVK),
    PLASTIC("explicit-orthotropic-plastic", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STVK_ORTHOTROPIC),
    PLASTIC("explicit-general-plastic", PIOLA_SOLVER_EXPLICIT, PIOLA_MODEL_STVK_GENERAL),
    DAMPED("descent-snh-damped", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STABLE_NEO_HOOKEAN),
    DAMPED("descent-stvk-damped", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_STVK),
    DAMPED("descent-nh-damped", PIOLA_SOLVER_DESCENT, PIOLA_MODEL_NEO_HOOKEAN),
    OUTER("descent-stvk-flat", FLAT, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_DESCENT, 0),
    OUTER("energy-stvk-relaxed", RELAXED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_ENERGY, 0),
    OUTER("compliant-stvk-relaxed", RELAXED, PIOLA_INTEGRATOR_EULER, PIOLA_SOLVER_COMPLIANT, 0),
};
#define SCENES (sizeof scenes / sizeof *scenes)

enum { EARLY = 3, STEPS = 12 };

static piola_material material_of(const struct scene *scene)
{
    piola_material m = piola_material_default();
    m.model = scene->model;
    m.poisson = 0.3f;
    const float young[3] = {1e5f, 2e5f, 4e5f};
    for (int k = 0; k < 3; ++k) {
        m.young_axis[k] = young[k];
        m.poisson_axis[k] = 0.1f;
        m.shear_axis[k] = 5e4f;
    }
    /* An isotropic matrix with one coupling more, so that all 21 constants are used. */
    static const float general[21] = {1.4e5f, 0.6e5f, 0.6e5f, 0,    1e3f,   0,    1.4e5f,
                                      0.6e5f, 0,      0,      2e3f, 1.4e5f, 0,    0,
                                      0,      4e4f,   0,      0,    4e4f,   1e3f, 4e4f};
    memcpy(m.stiffness, general, sizeof general);
    if (scene->damped)
        m.damping = 0.002f;
    if (scene->plastic) {
        m.plastic_yield = 0.01f;
        m.plastic_creep = 20;
        m.plastic_max = 0.3f;
    }
    return m;
}

/* Along z: by -1 it is turned inside out, by 0 pressed flat. */
static void press(piola_world *world, piola_body body, uint32_t vertices, float factor)
{
    float *p = fixture_memory(vertices * 3 * sizeof *p);
    fixture_ok(piola_body_positions(world, body, 0, vertices, p), NULL);
    for (uint32_t i = 0; i < vertices; ++i)
        p[3 * i + 2] *= factor;
    fixture_ok(piola_body_set_positions(world, body, 0, vertices, p, NULL), NULL);
}

/* 0.5 m in the xz plane, 12 x 12 cells. */
static const piola_asset *sheet_of(const struct scene *scene, piola_material *material)
{
    struct meshgen mesh = {0};
    const bool creased = scene->form == CREASED;
    const bool bends = scene->form == BENT || scene->form == FOLDED || creased;
    TEST_ASSERT_TRUE(
        meshgen_cloth(&mesh, (const double[2]){0.5, 0.5}, (const uint32_t[2]){12, 12}, bends));
    piola_mesh_desc desc = meshgen_desc(&mesh);
    /* so that EXPLICIT is stable */
    material->density = scene->solver == PIOLA_SOLVER_EXPLICIT ? 100 : 0.3f;
    material->poisson_axis[1] = 0; /* by symmetry */
    piola_material materials[2] = {*material, *material};
    uint32_t *of_bends = fixture_memory((mesh.bend_count + 1) * sizeof *of_bends);
    for (uint32_t i = 0; i < mesh.bend_count; ++i)
        of_bends[i] = 1;
    materials[1].bend = 0.01f;
    materials[1].bend_model =
        scene->form == FOLDED || creased ? PIOLA_BEND_DIHEDRAL : PIOLA_BEND_ISOMETRIC;
    if (creased) {
        materials[1].plastic_yield = 0.01f;
        materials[1].plastic_creep = 20;
        materials[1].plastic_max = 1;
    }
    desc.bend_materials = of_bends;
    desc.materials = materials;
    desc.material_count = bends ? 2 : 1;
    if (scene->cluster) {
        desc.cluster_limit = scene->cluster;
        desc.cluster_size = scene->cluster;
    }
    const piola_asset *asset = fixture_compile(&desc);
    meshgen_free(&mesh);
    return asset;
}

/* 320 triangles on a sphere of 0.2 m. */
static const piola_asset *balloon_of(piola_material *material, uint32_t cluster)
{
    ref_sheet_mesh mesh;
    TEST_ASSERT_TRUE(ref_sheet_mesh_sphere(&mesh, 2, 0.2));
    uint32_t *corners = fixture_memory((size_t)mesh.triangles * 3 * sizeof *corners);
    for (int i = 0; i < 3 * mesh.triangles; ++i)
        corners[i] = (uint32_t)mesh.triangle[i];
    material->young = 200;
    material->density = 0.3f;
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = mesh.x;
    desc.vertex_count = (uint32_t)mesh.vertices;
    desc.triangles = corners;
    desc.triangle_count = (uint32_t)mesh.triangles;
    desc.materials = material;
    desc.material_count = 1;
    if (cluster)
        desc.cluster_limit = desc.cluster_size = cluster;
    const piola_asset *asset = fixture_compile(&desc);
    ref_sheet_mesh_free(&mesh);
    return asset;
}

static bool flies(const struct scene *scene)
{
    return scene->form == FLAG || scene->form == GUSTED;
}

static const piola_asset *asset_of(const struct scene *scene)
{
    piola_material material = material_of(scene);
    if (scene->form == BALLOON)
        return balloon_of(&material, scene->cluster);
    if (scene->form == SHEET || flies(scene) || scene->form == BENT || scene->form == FOLDED ||
        scene->form == CREASED)
        return sheet_of(scene, &material);
    return fixture_beam_of(9, 3, 3, 0.05, &material, scene->cluster);
}

static piola_body put(const struct scene *scene, piola_world *world, const piola_asset *asset,
                      float y)
{
    piola_body body;
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = asset;
    desc.position[1] = y;
    desc.drag = flies(scene) ? 1.1f : 0;
    desc.lift = flies(scene) ? 0.5f : 0;
    desc.pressure_kind = scene->form == BALLOON ? PIOLA_PRESSURE_GAS : PIOLA_PRESSURE_NONE;
    desc.pressure = 1500;
    desc.ambient_pressure = 1000;
    fixture_ok(piola_body_create(world, &desc, &body, NULL), NULL);
    return body;
}

/* Each body to the next by two rigid attachments, the last one to the world by a compliant one. */
static void glue(piola_world *world, const piola_body bodies[3], uint32_t vertices)
{
    piola_attachment made;
    piola_attachment_desc d = piola_attachment_desc_default();
    for (uint32_t i = 0; i < 2; ++i)
        for (uint32_t k = 0; k < 2; ++k) {
            d.point = (piola_attachment_point){bodies[i], 1, {7 * k + 20}, {1}};
            d.other = (piola_attachment_point){bodies[i + 1], 3, {k, 5, 9}, {0.5f, 0.25f, 0.25f}};
            fixture_ok(piola_attachment_create(world, &d, &made, NULL), NULL);
        }
    d = piola_attachment_desc_default();
    d.point = (piola_attachment_point){bodies[2], 1, {vertices - 1}, {1}};
    d.compliance = 1e-3f;
    fixture_ok(piola_attachment_create(world, &d, &made, NULL), NULL);
}

/* Up to 4 m/s and back, differently at each of 4 x 3 x 2 nodes; the sheets lie in and out of them.
 */
static void gust(piola_world *world)
{
    float nodes[3 * 24];
    for (uint32_t i = 0; i < 3 * 24; ++i)
        nodes[i] = 0.5f * (float)(i * 7 % 17) - 4;
    piola_wind_grid_desc desc = piola_wind_grid_desc_default();
    desc.nodes = nodes;
    desc.strength = 1.1f;
    for (uint32_t k = 0; k < 3; ++k) {
        desc.count[k] = 4 - k;
        desc.spacing[k] = 0.13f + 0.1f * (float)k;
        desc.origin[k] = 0.05f;
    }
    fixture_ok(piola_world_set_wind_grid(world, &desc, NULL), NULL);
}

/* What is called plastic has flowed. */
static void check_flow(const struct scene *scene, const piola_world *world, piola_body body)
{
    const struct body *b = body_find(world, body);
    const struct pk_plastic *cells = world_plastic(world) + b->plastic_first;
    float most = 0;
    for (uint32_t c = 0; c < b->plastic_count; ++c)
        for (uint32_t i = 0; i < PK_LANES; ++i)
            most = fmaxf(most, fabsf(cells[c].e[0][i]));
    TEST_ASSERT_TRUE_MESSAGE(!scene->plastic || most > 1e-3f, scene->name);
}

static struct golden play(size_t number, piola_isa isa, uint32_t threads, bool briefly)
{
    const struct scene *scene = &scenes[number];
    const piola_asset *asset = asset_of(scene);
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    piola_world_desc desc = piola_world_desc_default();
    desc.integrator = scene->integrator;
    desc.solver = scene->solver;
    desc.iterations = scene->iterations;
    desc.isa = isa;
    desc.dt = scene->solver == PIOLA_SOLVER_EXPLICIT ? 2e-4f : 0.005f;
    desc.substeps = 2;
    desc.chebyshev = scene->chebyshev ? 0.9f : 0;
    desc.coarse_level = !scene->chebyshev; /* bodies with a level are not accelerated */
    desc.relaxation = scene->form == RELAXED ? 1.5f : 1;
    desc.report_physics = true;
    desc.air_density = flies(scene) ? 1.2f : 0;
    desc.max_wind_nodes = scene->form == GUSTED ? 24 : 0;
    desc.wind[0] = 3;
    desc.max_packs = 4096;
    desc.max_plastic_packs = 4096;
    piola_world *world = fixture_world(&desc);
    piola_body bodies[3];
    for (int i = 0; i < 3; ++i)
        bodies[i] = put(scene, world, asset, 0.4f * (float)i);
    if (scene->form == GUSTED)
        gust(world);
    if (scene->form == GLUED)
        glue(world, bodies, stats.vertices);
    for (uint32_t v = 0; v < 16; ++v) {
        const uint32_t row = v / 4, column = v % 4;
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, bodies[0], v, 0, 0.05f * (float)row,
                     0.05f * (float)column);
    }
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, bodies[1], stats.vertices - 1, 0.1f, 2, -1);
    if (scene->inverted || scene->form == FLAT)
        press(world, bodies[2], stats.vertices, scene->form == FLAT ? 0 : -1.0f);
    piola_workers *workers = golden_workers(threads);
    uint64_t hash = 0;
    struct golden golden = {0, 0};
    for (int i = 0; i < (briefly ? EARLY : STEPS); ++i) {
        piola_report report;
        golden_step(world, workers, &report);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, report.frozen, scene->name);
        /* The report's own sums are part of the promise. */
        uint64_t bits[3];
        memcpy(&bits[0], &report.objective, sizeof bits[0]);
        memcpy(&bits[1], &report.residual, sizeof bits[1]);
        bits[2] = report.inverted;
        hash = (hash ^ bits[0] ^ (bits[1] << 1) ^ (bits[2] << 40)) * UINT64_C(0x9e3779b97f4a7c15);
        if (i + 1 == EARLY)
            golden.early = hash ^ piola_world_hash(world);
    }
    if (workers)
        piola_workers_destroy(workers);
    if (!briefly)
        check_flow(scene, world, bodies[1]);
    golden.whole = hash ^ piola_world_hash(world);
    fixture_clean();
    return golden;
}

static const char *name_of(size_t scene)
{
    return scenes[scene].name;
}

static const struct golden_suite suite = {"hashes.txt", SCENES, 4, name_of, play};

static void test_flight(void)
{
    for (size_t i = 0; i < SCENES; ++i)
        if (scenes[i].iterations == 0)
            golden_check(&suite, i);
}

static void test_descent(void)
{
    for (size_t i = 0; i < SCENES; ++i)
        if (scenes[i].iterations > 0 && scenes[i].solver == PIOLA_SOLVER_DESCENT)
            golden_check(&suite, i);
}

static void test_projections(void)
{
    for (size_t i = 0; i < SCENES; ++i)
        if (scenes[i].solver != PIOLA_SOLVER_DESCENT)
            golden_check(&suite, i);
}

static void test_resumed_worlds_go_on_alike(void)
{
    golden_resumed(&suite, 2, true);
}

static void test_hashes_differ(void)
{
    golden_differ(&suite);
}

int main(void)
{
    UNITY_BEGIN();
    golden_write(&suite);
    RUN_TEST(test_flight);
    RUN_TEST(test_descent);
    RUN_TEST(test_projections);
    RUN_TEST(test_resumed_worlds_go_on_alike);
    RUN_TEST(test_hashes_differ);
    return UNITY_END();
}
