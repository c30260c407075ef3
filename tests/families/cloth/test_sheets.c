/* Tests of sheets in motion with the projection solvers: free flight, abuse, plasticity. What one
 * pass does: test_triangles.c; the materials: test_membrane.c.
 *
 * covers: ispc/cloth/
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset/asset.h"
#include "fixture.h"
#include "io/mesh/meshgen.h"
#include "unity.h"
#include "world/world.h"

enum { CELLS = 6, VERTICES = (CELLS + 1) * (CELLS + 1) };
#define SIZE 0.3 /* m */

static uint64_t seed;
static struct meshgen mesh;
static piola_material material;
static piola_world_desc desc;

void setUp(void)
{
    memset(&mesh, 0, sizeof mesh);
    material = piola_material_default();
    material.model = PIOLA_MODEL_STVK;
    material.young = 1e3f;
    material.poisson = 0.3f;
    material.density = 0.3f;
    for (int i = 0; i < 2; i++) {
        material.young_axis[i] = i ? 4e3f : 1e3f;
        material.shear_axis[i] = 5e2f;
    }
    material.poisson_axis[0] = 0.1f;
    material.stiffness[0] = material.stiffness[6] = 1.2e3f;
    material.stiffness[1] = 4e2f;
    material.stiffness[5] = 1e2f;
    material.stiffness[20] = 5e2f;
    desc = piola_world_desc_default();
    memset(desc.gravity, 0, sizeof desc.gravity);
    desc.solver = PIOLA_SOLVER_ENERGY;
    desc.iterations = 5;
    desc.dt = 0.005f;
    desc.max_packs = desc.max_plastic_packs = 64;
    desc.report_physics = true;
    desc.keep_momentum = false;
}

void tearDown(void)
{
    meshgen_free(&mesh);
    fixture_clean();
}

static const piola_asset *sheet(void)
{
    meshgen_free(&mesh);
    TEST_ASSERT_TRUE(meshgen_cloth(&mesh, (const double[2]){SIZE, SIZE},
                                   (const uint32_t[2]){CELLS, CELLS}, false));
    piola_mesh_desc d = meshgen_desc(&mesh);
    d.materials = &material;
    d.material_count = 1;
    return fixture_compile(&d);
}

static float uniform(double low, double high)
{
    return (float)(low + (high - low) * fixture_uniform(&seed));
}

/* ---- free flight ---- */

static void fly(piola_solver solver, bool kept)
{
    desc.solver = solver;
    desc.dt = solver == PIOLA_SOLVER_EXPLICIT ? 1e-4f : 0.005f;
    desc.keep_momentum = kept;
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, sheet(), 0, 0, 0);
    float x[3 * VERTICES], v[3 * VERTICES];
    fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
    for (int i = 0; i < 3 * VERTICES; i++) {
        x[i] += uniform(-0.01, 0.01);
        v[i] = uniform(-1, 1);
    }
    fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
    fixture_ok(piola_body_set_velocities(world, body, 0, VERTICES, v, NULL), NULL);
    piola_body_info before, after;
    fixture_ok(piola_body_inspect(world, body, &before), NULL);
    fixture_steps(world, NULL, 200);
    fixture_ok(piola_body_inspect(world, body, &after), NULL);
    /* Of 0.027 kg at some 1 m/s. What rounding of positions (3e-8 m) over the step does to a
     * velocity, in 200 steps of 49 vertices, each moved some 30 times a step. */
    const double most = 0.027 * 3e-8 / (double)desc.dt * sqrt(200 * 30.0 / 49) * 10;
    for (int k = 0; k < 3; k++) {
        TEST_ASSERT_DOUBLE_WITHIN(most, before.momentum[k], after.momentum[k]);
        if (kept)
            TEST_ASSERT_DOUBLE_WITHIN(most, before.angular_momentum[k], after.angular_momentum[k]);
    }
    fixture_clean();
}

/* The projections keep linear momentum by themselves, and angular momentum with the engine's help.
 */
static void test_momentum_stays(void)
{
    const piola_solver solvers[] = {PIOLA_SOLVER_ENERGY, PIOLA_SOLVER_COMPLIANT,
                                    PIOLA_SOLVER_EXPLICIT};
    for (int which = 0; which < 6; which++)
        fly(solvers[which / 2], which % 2 != 0);
}

/* ---- abuse ---- */

enum { POINT, LINE, CRUMPLED, FLATTENED, REFLECTED, WAYS };
static const char *const way_names[WAYS] = {"a point", "a line", "crumpled", "flattened",
                                            "reflected"};

/* `shake` (m): exact planes and lines are symmetric, so that no force leads out of them. */
static void abuse(int way, double shake, float *x)
{
    for (int i = 0; i < 3 * VERTICES; i++) {
        if (way == POINT)
            x[i] = 0.1f;
        else if (way == LINE)
            x[i] = i % 3 == 0 ? x[i] : 0;
        else if (way == CRUMPLED)
            x[i] = uniform(-0.5 * SIZE, 0.5 * SIZE);
        else if (way == FLATTENED)
            x[i] = i % 3 == 1 ? 0 : x[i] * (i % 3 == 0 ? 1 : 1e-3f);
        else if (i % 3 == 0)
            x[i] = -x[i];
        x[i] += uniform(-shake, shake);
    }
}

/* Largest principal stretch at the end. */
static double suffer(int way, double shake, float young, float dt, int model, piola_solver solver)
{
    material.model = (piola_model)model;
    material.young = young;
    for (int i = 0; i < 2; i++) {
        material.young_axis[i] = i ? 4 * young : young;
        material.shear_axis[i] = 0.5f * young;
    }
    material.stiffness[0] = material.stiffness[6] = 1.2f * young;
    material.stiffness[1] = 0.4f * young;
    material.stiffness[5] = 0.1f * young;
    material.stiffness[20] = 0.5f * young;
    desc.dt = dt;
    desc.solver = solver;
    piola_world *world = fixture_world(&desc);
    const piola_body body = fixture_body(world, sheet(), 0, 0, 0);
    float x[3 * VERTICES];
    fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
    abuse(way, shake, x);
    fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
    piola_report report = {0};
    const int steps = fixture_count(300, 20);
    for (int i = 0; i < steps; i++) {
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, report.frozen, way_names[way]);
    }
    fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
    for (int i = 0; i < 3 * VERTICES; i++)
        TEST_ASSERT_TRUE_MESSAGE(x[i] > -1e3f && x[i] < 1e3f, way_names[way]);
    fixture_clean();
    return (double)report.max_stretch;
}

/* Nothing breaks, and with a disorder of 10 micrometres every sheet finds back. */
static void test_abuse(void)
{
    static const float young[] = {1e2f, 1e4f, 1e6f}, dt[] = {1e-4f, 5e-3f, 33e-3f};
    static const piola_solver solvers[] = {PIOLA_SOLVER_ENERGY, PIOLA_SOLVER_COMPLIANT};
    const bool whole = fixture_count(300, 20) == 300;
    for (int way = 0; way < 2 * WAYS; way++) {
        double worst = 0;
        for (int k = 0; k < 9; k++)
            for (int model = 0; model < PIOLA_MODEL_COUNT; model++)
                for (int s = 0; s < 2; s++) {
                    const double stretch = suffer(way / 2, way % 2 ? 1e-5 : 0, young[k / 3],
                                                  dt[k % 3], model, solvers[s]);
                    worst = k % 3 > 0 ? fmax(worst, stretch) : worst;
                }
        printf("%s%s: largest stretch afterwards %.3f\n", way_names[way / 2],
               way % 2 ? ", shaken" : "", worst);
        if (way % 2 && whole)
            TEST_ASSERT_TRUE(worst < 1.05);
    }
}

/* ---- plasticity ---- */

static double plastic_norm(const piola_world *world, uint32_t cells)
{
    double most = 0;
    for (uint32_t c = 0; c < cells; c++)
        for (int lane = 0; lane < PK_LANES; lane++) {
            const struct pk_plastic *p = &world_plastic(world)[c];
            const double xx = (double)p->e[0][lane], yy = (double)p->e[1][lane];
            const double xy = (double)p->e[5][lane];
            most = fmax(most, sqrt(xx * xx + yy * yy + 2 * xy * xy));
            for (int i = 2; i < 5; i++)
                TEST_ASSERT_EQUAL_FLOAT(0, p->e[i][lane]);
        }
    return most;
}

static void hold(piola_world *world, piola_body body, const float *rest, float factor)
{
    for (int i = 0; i < VERTICES; i++)
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, (uint32_t)i, factor * rest[3 * i],
                     rest[3 * i + 1], rest[3 * i + 2]);
}

/* Pulled to 1.2 times its length and let go: below yield it comes back, above it stays longer; the
 * plastic strain reaches its bound, which is a length of sqrt(1 + sqrt(2) 0.1), and never passes
 * it. */
static void test_plastic_sheets_stay_pulled(void)
{
    for (int plastic = 0; plastic < 2; plastic++) {
        material.plastic_yield = plastic ? 0.03f : 50;
        material.plastic_creep = 30;
        material.plastic_max = 0.1f;
        material.damping = 0.01f;
        const piola_asset *asset = sheet();
        TEST_ASSERT_EQUAL_UINT32(asset->at.triangle_packs.count, asset->plastic_cells);
        piola_world *world = fixture_world(&desc);
        piola_body_desc sluggish = piola_body_desc_default();
        sluggish.asset = asset;
        sluggish.damping = 50;
        piola_body body;
        fixture_ok(piola_body_create(world, &sluggish, &body, NULL), NULL);
        float rest[3 * VERTICES], x[3 * VERTICES];
        fixture_ok(piola_body_positions(world, body, 0, VERTICES, rest), NULL);
        double most = 0;
        for (int i = 0; i < 200; i++) {
            /* held for half a second, then let back slowly, since a recoil would flow back */
            hold(world, body, rest, i < 100 ? 1.2f : 1.2f - 0.0007f * (float)(i - 100));
            fixture_steps(world, NULL, 1);
            most = fmax(most, plastic_norm(world, asset->plastic_cells));
            TEST_ASSERT_TRUE(most <= 0.1);
        }
        for (int i = 0; i < VERTICES; i++)
            fixture_push(world, PIOLA_COMMAND_BODY_UNPIN, body, (uint32_t)i, 0, 0, 0);
        fixture_steps(world, NULL, 400);
        TEST_ASSERT_TRUE(plastic_norm(world, asset->plastic_cells) <= 0.1);
        fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
        double length = 0;
        for (int i = 0; i < VERTICES; i++)
            for (int k = 0; k < VERTICES; k++)
                if (rest[3 * i] < 1e-6f && rest[3 * k] > (float)SIZE - 1e-6f &&
                    rest[3 * i + 2] == rest[3 * k + 2]) {
                    const double d[3] = {(double)(x[3 * k] - x[3 * i]),
                                         (double)(x[3 * k + 1] - x[3 * i + 1]),
                                         (double)(x[3 * k + 2] - x[3 * i + 2])};
                    length += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (SIZE * (CELLS + 1));
                }
        printf("pulled to 1.2, %s: stays %.3f times as long, plastic strain %.4f of 0.1\n",
               plastic ? "plastic" : "elastic", length, most);
        if (plastic)
            TEST_ASSERT_TRUE(most > 0.0999 && length > 1.06 && length < 1.08);
        else
            TEST_ASSERT_TRUE(most == 0 && fabs(length - 1) < 0.02);
        fixture_clean();
    }
}

/* Hung by two corners, stiff and damped for longer than a substep, which is where elastic and
 * viscous corrections that do not know each other blow up: 25 times its size, before they were one.
 */
static void test_strongly_damped_sheets_hang_still(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_ENERGY, PIOLA_SOLVER_COMPLIANT,
                                           PIOLA_SOLVER_DESCENT};
    for (size_t i = 0; i < sizeof solvers / sizeof solvers[0]; i++) {
        desc.solver = solvers[i];
        desc.substeps = 3;
        desc.iterations = 4;
        desc.gravity[1] = -9.81f;
        material.young = 2e3f;
        material.damping = 0.004f;
        piola_world *world = fixture_world(&desc);
        piola_body_desc d = piola_body_desc_default();
        d.asset = sheet();
        piola_body body;
        fixture_ok(piola_body_create(world, &d, &body, NULL), NULL);
        float rest[3 * VERTICES];
        fixture_ok(piola_body_positions(world, body, 0, VERTICES, rest), NULL);
        for (uint32_t corner = 0; corner <= CELLS; corner += CELLS)
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, corner, rest[3 * corner],
                         rest[3 * corner + 1], rest[3 * corner + 2]);
        piola_report report;
        float most = 0;
        for (int step = 0; step < 400; step++) {
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            most = fmaxf(most, report.max_stretch);
        }
        printf("damped sheet, solver %d: stretch at most %.4f\n", (int)solvers[i], (double)most);
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        TEST_ASSERT_TRUE(most < 1.2f);
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_momentum_stays);
    RUN_TEST(test_abuse);
    RUN_TEST(test_plastic_sheets_stay_pulled);
    RUN_TEST(test_strongly_damped_sheets_hang_still);
    return UNITY_END();
}
