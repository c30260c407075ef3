/* Golden hashes of cloth: every solver with every material, elastic, damped, plastic and crushed,
 * in each of the kernels that do them, and hard limits: tethers, bounds of stretch, links.
 *
 * tests/golden/cloth.txt holds a line a scene; test_golden.c says how it is written anew, and has
 * the sheets that came first.
 *
 * covers: ispc/cloth/
 */
#include "fixture.h"
#include "golden.h"
#include "io/mesh/meshgen.h"
#include "unity.h"

#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* How a sheet begins: stretched along its warp; pressed to a third across it, which crushes every
 * triangle; and on a line. All are rippled but the last. */
enum state { PULLED, CRUSHED, LINED };

/* What a scene has beside elastic triangles, as bits. */
enum {
    BENDS = 1,
    FOLDS = 2,       /* dihedral bends */
    PLASTIC = 4,     /* and damped */
    THICK = 8,       /* moduli of the stuff and a thickness */
    STRAIGHT = 16,   /* tethers as long as the straight way, to two corners */
    ALONG = 32,      /* and as long as the way along the mesh */
    STRETCHES = 64,  /* both principal stretches bounded */
    EDGES = 128,     /* links with a range along the edges of the weft */
    RODS = 256,      /* links of no compliance */
    SPRINGS = 512,   /* compliant links */
    CLUSTERS = 1024, /* of 64 elements: shared by all workers */
    TWO = 2048,      /* two materials: the second, stable Neo-Hookean, on every third triangle */
    CHEBYSHEV = 4096,
    BDF2 = 8192,
};

struct scene {
    const char *name;
    piola_solver solver;
    piola_model model;
    enum state state;
    uint32_t with;
};

#define DESCENT   PIOLA_SOLVER_DESCENT
#define ENERGY    PIOLA_SOLVER_ENERGY
#define COMPLIANT PIOLA_SOLVER_COMPLIANT
#define STVK      PIOLA_MODEL_STVK
#define ORTHO     PIOLA_MODEL_STVK_ORTHOTROPIC
#define GENERAL   PIOLA_MODEL_STVK_GENERAL
#define NH        PIOLA_MODEL_NEO_HOOKEAN
#define SNH       PIOLA_MODEL_STABLE_NEO_HOOKEAN

static const struct scene scenes[] = {
    {"descent-stvk", DESCENT, STVK, PULLED, 0},
    {"descent-orthotropic", DESCENT, ORTHO, PULLED, 0},
    {"descent-orthotropic-bends", DESCENT, ORTHO, PULLED, BENDS},
    {"descent-general", DESCENT, GENERAL, PULLED, 0},
    {"descent-general-bends", DESCENT, GENERAL, PULLED, BENDS},
    {"descent-nh", DESCENT, NH, PULLED, 0},
    {"descent-nh-folds", DESCENT, NH, PULLED, FOLDS},
    {"descent-snh", DESCENT, SNH, PULLED, 0},
    {"descent-snh-bends", DESCENT, SNH, PULLED, BENDS},
    {"descent-thick", DESCENT, SNH, PULLED, THICK},
    {"descent-two", DESCENT, STVK, PULLED, TWO | BENDS},
    {"descent-large", DESCENT, SNH, PULLED, CLUSTERS | BENDS | BDF2},
    {"descent-chebyshev", DESCENT, STVK, PULLED, CHEBYSHEV | BENDS},
    {"descent-chebyshev-snh", DESCENT, SNH, PULLED, CHEBYSHEV | CLUSTERS},
    {"descent-stvk-plastic", DESCENT, STVK, PULLED, PLASTIC | BENDS},
    {"descent-orthotropic-plastic", DESCENT, ORTHO, PULLED, PLASTIC},
    {"descent-general-plastic", DESCENT, GENERAL, PULLED, PLASTIC | CLUSTERS},
    {"descent-stvk-crushed", DESCENT, STVK, CRUSHED, 0},
    {"descent-stvk-bends-crushed", DESCENT, STVK, CRUSHED, BENDS},
    {"descent-orthotropic-crushed", DESCENT, ORTHO, CRUSHED, BENDS},
    {"descent-general-crushed", DESCENT, GENERAL, CRUSHED, BENDS},
    {"descent-nh-crushed", DESCENT, NH, CRUSHED, BENDS},
    {"descent-snh-crushed", DESCENT, SNH, CRUSHED, BENDS},
    {"descent-plastic-crushed", DESCENT, GENERAL, CRUSHED, PLASTIC},
    {"descent-large-crushed", DESCENT, STVK, CRUSHED, BENDS | CLUSTERS},
    {"descent-stvk-line", DESCENT, STVK, LINED, BENDS},
    {"descent-nh-line", DESCENT, NH, LINED, 0},
    {"descent-snh-line", DESCENT, SNH, LINED, 0},
    {"compliant-stvk", COMPLIANT, STVK, PULLED, 0},
    {"compliant-orthotropic", COMPLIANT, ORTHO, PULLED, 0},
    {"compliant-general", COMPLIANT, GENERAL, PULLED, 0},
    {"compliant-snh", COMPLIANT, SNH, PULLED, 0},
    {"compliant-plastic", COMPLIANT, STVK, PULLED, PLASTIC | BENDS},
    {"compliant-general-plastic", COMPLIANT, GENERAL, PULLED, PLASTIC | CLUSTERS},
    {"compliant-stvk-crushed", COMPLIANT, STVK, CRUSHED, 0},
    {"compliant-orthotropic-crushed", COMPLIANT, ORTHO, CRUSHED, BENDS},
    {"compliant-general-crushed", COMPLIANT, GENERAL, CRUSHED, BENDS},
    {"compliant-nh-crushed", COMPLIANT, NH, CRUSHED, BENDS},
    {"compliant-snh-crushed", COMPLIANT, SNH, CRUSHED, BENDS},
    {"energy-stvk-crushed", ENERGY, STVK, CRUSHED, BENDS},
    {"energy-orthotropic-crushed", ENERGY, ORTHO, CRUSHED, BENDS},
    {"energy-general-plastic", ENERGY, GENERAL, CRUSHED, PLASTIC},
    {"energy-nh-crushed", ENERGY, NH, CRUSHED, BENDS},
    {"energy-snh-line", ENERGY, SNH, LINED, 0},
    {"tethers-descent", DESCENT, STVK, PULLED, STRAIGHT},
    {"tethers-energy", ENERGY, STVK, PULLED, STRAIGHT},
    {"tethers-compliant", COMPLIANT, STVK, PULLED, STRAIGHT},
    {"tethers-along-descent", DESCENT, STVK, PULLED, ALONG | BENDS | CLUSTERS},
    {"tethers-along-compliant", COMPLIANT, SNH, PULLED, ALONG | BENDS | CLUSTERS},
    {"stretches-descent", DESCENT, STVK, PULLED, STRETCHES},
    {"stretches-descent-snh", DESCENT, SNH, CRUSHED, STRETCHES | BENDS | CLUSTERS},
    {"stretches-energy", ENERGY, STVK, PULLED, STRETCHES},
    {"stretches-compliant", COMPLIANT, STVK, CRUSHED, STRETCHES | CLUSTERS},
    {"edges-descent", DESCENT, STVK, PULLED, EDGES},
    {"edges-descent-large", DESCENT, SNH, CRUSHED, EDGES | CLUSTERS | BDF2},
    {"edges-energy", ENERGY, STVK, CRUSHED, EDGES},
    {"edges-compliant", COMPLIANT, STVK, PULLED, EDGES | CLUSTERS},
    {"rods-descent", DESCENT, STVK, PULLED, RODS},
    {"rods-energy", ENERGY, STVK, PULLED, RODS | CLUSTERS},
    {"rods-compliant", COMPLIANT, STVK, PULLED, RODS},
    {"springs-descent", DESCENT, STVK, PULLED, SPRINGS | CLUSTERS},
    {"springs-energy", ENERGY, STVK, PULLED, SPRINGS},
    {"springs-compliant", COMPLIANT, STVK, PULLED, SPRINGS},
    {"all-limits-descent", DESCENT, NH, PULLED, STRAIGHT | STRETCHES | EDGES | BENDS | CLUSTERS},
    {"all-limits-compliant", COMPLIANT, NH, PULLED, STRAIGHT | STRETCHES | EDGES | BENDS},
};
#define SCENES (sizeof scenes / sizeof *scenes)

enum { EARLY = 3, STEPS = 8, CELLS = 9, ROW = CELLS + 1, VERTICES = ROW * ROW };
#define SIZE 0.45 /* m */

/* ---- the sheet ---- */

static piola_material membrane_of(const struct scene *scene)
{
    piola_material m = piola_material_default();
    const bool thick = (scene->with & THICK) != 0;
    m.model = scene->model;
    m.thickness = thick ? 7e-4f : 0;
    m.density = thick ? 400 : 0.3f;
    m.young = thick ? 3e6f : 2000;
    m.poisson = 0.3f;
    m.young_axis[0] = 3000;
    m.young_axis[1] = 1000;
    m.poisson_axis[0] = 0.2f;
    m.shear_axis[0] = 500;
    /* xx, yy and xy of the matrix, with the coupling of warp and shear. */
    m.stiffness[0] = 3000;
    m.stiffness[1] = 500;
    m.stiffness[5] = 200;
    m.stiffness[6] = 1500;
    m.stiffness[20] = 600;
    if (scene->with & PLASTIC) {
        m.damping = 0.002f;
        m.plastic_yield = 0.01f;
        m.plastic_creep = 20;
        m.plastic_max = 0.3f;
    }
    if (scene->with & STRETCHES) {
        m.stretch_min = 0.9f;
        m.stretch_max = 1.05f;
    }
    return m;
}

static void set_bends(const struct scene *scene, const struct meshgen *mesh, piola_mesh_desc *desc,
                      piola_material *bend)
{
    uint32_t *of = fixture_memory((mesh->bend_count + 1) * sizeof *of);
    for (uint32_t i = 0; i < mesh->bend_count; ++i)
        of[i] = 1;
    bend->bend = 0.01f;
    bend->bend_model = scene->with & FOLDS ? PIOLA_BEND_DIHEDRAL : PIOLA_BEND_ISOMETRIC;
    bend->damping = bend->plastic_yield = bend->stretch_min = bend->stretch_max = 0;
    desc->bend_materials = of;
}

static void set_second(const struct meshgen *mesh, piola_mesh_desc *desc, piola_material *second)
{
    uint32_t *of = fixture_memory(mesh->triangle_count * sizeof *of);
    for (uint32_t i = 0; i < mesh->triangle_count; ++i)
        of[i] = i % 3 == 1 ? 2 : 0;
    second->model = PIOLA_MODEL_STABLE_NEO_HOOKEAN;
    desc->triangle_materials = of;
}

/* Along the weft, from each vertex to the next. */
static void set_links(const struct scene *scene, piola_mesh_desc *desc)
{
    const uint32_t count = CELLS * ROW;
    uint32_t *links = fixture_memory(2 * count * sizeof *links);
    float *bounds = fixture_memory(2 * count * sizeof *bounds);
    float *compliances = fixture_memory(count * sizeof *compliances);
    for (uint32_t i = 0; i < count; ++i) {
        links[2 * i] = i / CELLS * ROW + i % CELLS;
        links[2 * i + 1] = links[2 * i] + 1;
        bounds[2 * i] = scene->with & EDGES ? 0.95f : 1;
        bounds[2 * i + 1] = scene->with & EDGES ? 1.05f : 1;
        compliances[i] = scene->with & SPRINGS ? 1e-3f : 0;
    }
    desc->links = links;
    desc->link_count = count;
    desc->link_bounds = bounds;
    desc->link_compliances = compliances;
}

static const piola_asset *asset_of(const struct scene *scene)
{
    static const uint32_t corners[2] = {0, CELLS};
    struct meshgen mesh = {0};
    const bool bends = (scene->with & (BENDS | FOLDS)) != 0;
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, (const double[2]){SIZE, SIZE},
                                   (const uint32_t[2]){CELLS, CELLS}, bends));
    TEST_ASSERT_EQUAL_UINT32(VERTICES, mesh.vertex_count);
    piola_mesh_desc desc = meshgen_desc(&mesh);
    const piola_material membrane = membrane_of(scene);
    piola_material materials[3] = {membrane, membrane, membrane};
    set_bends(scene, &mesh, &desc, &materials[1]);
    desc.materials = materials;
    desc.material_count = scene->with & TWO ? 3 : 2;
    if (scene->with & TWO)
        set_second(&mesh, &desc, &materials[2]);
    if (scene->with & (EDGES | RODS | SPRINGS))
        set_links(scene, &desc);
    if (scene->with & (STRAIGHT | ALONG)) {
        desc.tether_anchors = corners;
        desc.tether_anchor_count = 2;
        desc.tether_mode = scene->with & STRAIGHT ? PIOLA_TETHER_EUCLIDEAN : PIOLA_TETHER_GEODESIC;
    }
    if (scene->with & CLUSTERS)
        desc.cluster_limit = desc.cluster_size = 64;
    const piola_asset *asset = fixture_compile(&desc);
    meshgen_free(&mesh);
    return asset;
}

/* ---- its way ---- */

/* By plain arithmetic only, so that every compiler's library begins from the same bits. */
static void deform(const struct scene *scene, piola_world *world, piola_body body)
{
    float x[3 * VERTICES];
    fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
    for (uint32_t v = 0; v < VERTICES; ++v) {
        const float bump = (float)((v * 7 + v / ROW * 3) % 11) - 5;
        x[3 * v] *= scene->state == PULLED ? 1.15f : 1;
        x[3 * v + 2] *= scene->state == PULLED ? 1 : scene->state == CRUSHED ? 0.3f : 0;
        x[3 * v + 1] += scene->state == LINED ? 0 : 4e-4f * bump;
    }
    fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
}

static piola_world *begin(const struct scene *scene, piola_isa isa)
{
    const piola_asset *asset = asset_of(scene);
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = scene->solver;
    desc.integrator = scene->with & BDF2 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
    desc.iterations = 5;
    desc.isa = isa;
    desc.dt = 0.005f;
    desc.substeps = 2;
    desc.chebyshev = scene->with & CHEBYSHEV ? 0.9f : 0;
    desc.coarse_level = !(scene->with & CHEBYSHEV); /* bodies with a level are not accelerated */
    desc.report_physics = true;
    desc.max_packs = desc.max_plastic_packs = desc.max_link_packs = 2048;
    piola_world *world = fixture_world(&desc);
    for (int i = 0; i < 2; ++i) {
        const piola_body body = fixture_body(world, asset, 0, 0.4f * (float)i, 0);
        deform(scene, world, body);
        if (i == 0) { /* hung at two corners; the other is free */
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, CELLS, (float)SIZE, 0, 0);
        }
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, VERTICES - 1, 0.001f, 0.003f,
                     -0.002f);
    }
    return world;
}

static struct golden play(size_t number, piola_isa isa, uint32_t threads, bool briefly)
{
    const struct scene *scene = &scenes[number];
    piola_world *world = begin(scene, isa);
    piola_workers *workers = golden_workers(threads);
    struct golden golden = {0, 0};
    uint64_t hash = 0;
    for (int i = 0; i < (briefly ? EARLY : STEPS); ++i) {
        piola_report report;
        golden_step(world, workers, &report);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, report.frozen, scene->name);
        /* The report's own sums are part of the promise. */
        uint64_t bits[2];
        memcpy(&bits[0], &report.objective, sizeof bits[0]);
        memcpy(&bits[1], &report.residual, sizeof bits[1]);
        hash = (hash ^ bits[0] ^ (bits[1] << 1)) * UINT64_C(0x9e3779b97f4a7c15);
        if (i + 1 == EARLY)
            golden.early = hash ^ piola_world_hash(world);
    }
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

static const struct golden_suite suite = {"cloth.txt", SCENES, 4, name_of, play};

static void check(piola_solver solver, bool limits)
{
    const uint32_t any = STRAIGHT | ALONG | STRETCHES | EDGES | RODS | SPRINGS;
    for (size_t i = 0; i < SCENES; ++i)
        if (scenes[i].solver == solver && ((scenes[i].with & any) != 0) == limits)
            golden_check(&suite, i);
}

static void test_descent(void)
{
    check(DESCENT, false);
}

static void test_projections(void)
{
    check(COMPLIANT, false);
    check(ENERGY, false);
}

static void test_limits(void)
{
    check(DESCENT, true);
    check(COMPLIANT, true);
    check(ENERGY, true);
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
    RUN_TEST(test_descent);
    RUN_TEST(test_projections);
    RUN_TEST(test_limits);
    RUN_TEST(test_resumed_worlds_go_on_alike);
    RUN_TEST(test_hashes_differ);
    return UNITY_END();
}
