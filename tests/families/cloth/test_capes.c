/* Capes of 1 m that nobody chose a setting for: let go flat, held at an edge or two corners, they
 * come to rest at the default budget and hang as closed forms say.
 *
 * covers: src/compile/coarse_sheets.c src/motion/coarse.c src/families/collide/collide_faces.c
 */
#include "cloth_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAVITY 9.81
#define STEPS   700 /* of 5 ms */

static ref_sheet_mesh mesh;
static uint64_t seed;

void setUp(void)
{
    memset(&mesh, 0, sizeof mesh);
}

void tearDown(void)
{
    ref_sheet_mesh_free(&mesh);
    fixture_clean();
}

static double between(double low, double high)
{
    return low + (high - low) * fixture_uniform(&seed);
}

struct cape {
    int cells;
    double stiffness, density; /* N/m, kg/m^2 */
    bool edge;                 /* held along it, else at its two corners */
};

/* What it hangs like after 3.5 s. */
struct hung {
    double drop, stretch, speed; /* m, 1, m/s (root of the mean square) */
};

static piola_world_desc defaults(void)
{
    piola_world_desc d = piola_world_desc_default();
    d.gravity[0] = d.gravity[1] = 0;
    d.gravity[2] = (float)-GRAVITY;
    d.report_physics = true;
    return d;
}

static const piola_asset *sheet(const struct cape *cape, ref_sheet_kind kind)
{
    piola_material m = piola_material_default();
    const double size[2] = {1, 1};
    const int cells[2] = {cape->cells, cape->cells};
    m.model = PIOLA_MODEL_STVK;
    m.young = (float)cape->stiffness;
    m.poisson = 0.3f;
    m.density = (float)cape->density;
    TEST_ASSERT_TRUE(ref_sheet_mesh_grid(&mesh, cells, size, kind, 0, 0));
    const piola_mesh_desc desc = cloth_mesh(&mesh, &m, NULL, NULL);
    return fixture_compile(&desc);
}

static struct hung hang(const struct cape *cape)
{
    const piola_world_desc d = defaults();
    piola_body_desc b = piola_body_desc_default();
    piola_world *world = fixture_world(&d);
    piola_body body;
    piola_report report;
    struct hung out = {0, 0, 0};
    b.asset = sheet(cape, fixture_random(&seed) % 2 ? REF_SHEET_SQUARES : REF_SHEET_ALTERNATE);
    b.damping = 6; /* 1/s: the swing of 1 m is nearly critical then */
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    const uint32_t n = (uint32_t)mesh.vertices;
    float *x = fixture_memory(3 * (size_t)n * sizeof *x);
    for (uint32_t v = 0; v < n; ++v)
        if (mesh.x[3 * v] < 1e-9 &&
            (cape->edge || mesh.x[3 * v + 1] < 1e-9 || mesh.x[3 * v + 1] > 1 - 1e-9))
            fixture_ok(
                piola_body_pin(world, body, v, (const float[3]){0, (float)mesh.x[3 * v + 1], 0}),
                NULL);
    for (int i = 0; i < STEPS; ++i)
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
    fixture_ok(piola_body_positions(world, body, 0, n, x), NULL);
    for (uint32_t v = 0; v < n; ++v)
        out.drop = fmax(out.drop, -(double)x[3 * v + 2]);
    fixture_ok(piola_body_velocities(world, body, 0, n, x), NULL);
    for (uint32_t i = 0; i < 3 * n; ++i)
        out.speed += (double)x[i] * (double)x[i] / n;
    out.speed = sqrt(out.speed);
    out.stretch = (double)report.max_stretch;
    return out;
}

/* A sheet held along its edge is as long as a heavy string. One that hangs on two corners is so at
 * its sides; it is stretched most where the corners hold all of it, by some times its weight by
 * length over its stiffness, the more, the finer the mesh. */
static void check(const struct cape *cape)
{
    const struct hung h = hang(cape);
    const double load = cape->density * GRAVITY / cape->stiffness;
    char what[160];
    snprintf(what, sizeof what,
             "%d cells, %.0f N/m, %.2f kg/m^2, %s: drop %.4f m, stretch %.4f, %.4f m/s",
             cape->cells, cape->stiffness, cape->density, cape->edge ? "edge" : "corners", h.drop,
             h.stretch, h.speed);
    printf("%s\n", what);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(cape->edge ? 2e-3 : 4e-3 + 2.5 * load, 1 + load / 2, h.drop,
                                      what);
    TEST_ASSERT_TRUE_MESSAGE(h.stretch < 1 + (cape->edge ? 4 : 50) * load + 4e-3, what);
    TEST_ASSERT_TRUE_MESSAGE(h.speed < 1e-3, what);
}

static void test_a_stiff_cape_on_two_corners(void)
{
    check(&(struct cape){20, 5000, 0.2, false});
}

static void test_any_cape(void)
{
    check(&(struct cape){(int)between(12, 26), 500 * pow(10, between(0.3, 1)), between(0.1, 0.5),
                         fixture_random(&seed) % 2 == 0});
}

/* Let go flat, not damped, a cape falls as converged steps have it: with the default budget, and
 * with a single iteration in each of two substeps. */
static double fallen(const piola_asset *asset, uint32_t substeps, uint32_t iterations, float *x)
{
    piola_world_desc d = defaults();
    piola_body_desc b = piola_body_desc_default();
    piola_body body;
    double middle = 0;
    d.substeps = substeps;
    d.iterations = iterations;
    piola_world *world = fixture_world(&d);
    const uint32_t n = (uint32_t)mesh.vertices;
    b.asset = asset;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    for (uint32_t v = 0; v < n; ++v)
        if (mesh.x[3 * v] < 1e-9 && (mesh.x[3 * v + 1] < 1e-9 || mesh.x[3 * v + 1] > 1 - 1e-9))
            fixture_ok(
                piola_body_pin(world, body, v, (const float[3]){0, (float)mesh.x[3 * v + 1], 0}),
                NULL);
    fixture_steps(world, NULL, 80);
    fixture_ok(piola_body_positions(world, body, 0, n, x), NULL);
    for (uint32_t v = 0; v < n; ++v)
        middle -= (double)x[3 * v + 2] / n;
    return middle;
}

static void test_a_stiff_cape_falls_as_with_many_iterations(void)
{
    const struct cape cape = {16, 5000, 0.2, false};
    const piola_asset *asset = sheet(&cape, REF_SHEET_SQUARES);
    float *x = fixture_memory(3 * (size_t)mesh.vertices * sizeof *x);
    const double right = fallen(asset, 1, 60, x), five = fallen(asset, 1, 5, x);
    const double fine = fallen(asset, 2, 40, x), one = fallen(asset, 2, 1, x);
    printf("fallen by %.4f m, with 60 iterations %.4f; 2 x 1 %.4f, 2 x 40 %.4f\n", five, right, one,
           fine);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * right, right, five);
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * fine, fine, one);
}

/* A sheet that lies on a box presses with its weight: its level knows what holds it. */
static void test_what_lies_presses_with_its_weight(void)
{
    const struct cape cape = {8, 500 * pow(10, between(0, 1)), 0.2, false};
    piola_world_desc d = defaults();
    piola_body_desc b = piola_body_desc_default();
    piola_collider_desc c = piola_collider_desc_default();
    piola_collider table;
    piola_body body;
    double sum = 0;
    d.max_colliders = 1;
    d.max_face_contacts = 4096;
    piola_world *world = fixture_world(&d);
    c.shape = piola_shape_box((const float[3]){0.3f, 0.3f, 0.1f}, 0);
    c.position[0] = c.position[1] = 0.5f;
    c.position[2] = -0.11f;
    c.friction_static = c.friction_kinetic = 0.5f;
    fixture_ok(piola_collider_create(world, &c, &table, NULL), NULL);
    b.asset = sheet(&cape, REF_SHEET_SQUARES);
    b.damping = 5;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_steps(world, NULL, 200);
    for (int i = 0; i < 40; ++i) {
        piola_collider_info info;
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_collider_inspect(world, table, &info), NULL);
        sum -= (double)info.force[2] / 40;
    }
    printf("%.0f N/m: %.4f of %.4f N\n", cape.stiffness, sum, 0.2 * GRAVITY);
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * GRAVITY * 0.2, 0.2 * GRAVITY, sum);
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(test_a_stiff_cape_on_two_corners);
    RUN_TEST(test_any_cape);
    RUN_TEST(test_a_stiff_cape_falls_as_with_many_iterations);
    RUN_TEST(test_what_lies_presses_with_its_weight);
    return UNITY_END();
}
