/* Balloons at rest with vertex descent: p V against the closed form of a thin sphere and against
 * the reference on the same mesh, at a given pressure and for a given amount of gas.
 *
 * covers: ispc/cloth/ src/families/pressure/pressure.c
 */
#include "cloth_fixture.h"
#include "ref_closed.h"
#include "ref_sheet.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RADIUS  0.5
#define STRETCH 1.25
#define YOUNG   200.0 /* N/m */
#define SPHERE  (4 * 3.14159265358979323846 / 3 * RADIUS * RADIUS * RADIUS)

static ref_sheet_mesh mesh;

void setUp(void)
{
    memset(&mesh, 0, sizeof mesh);
}

void tearDown(void)
{
    ref_sheet_mesh_free(&mesh);
    fixture_clean();
}

/* Volume of the mesh under a pressure, in double precision. */
static double reference_volume(const ref_membrane *m, double pressure)
{
    ref_sheet s;
    const ref_problem none = {0, NULL, {0, 0, 0}, NULL};
    const ref_options options = {1e-9, 60};
    double *x = fixture_memory((size_t)mesh.vertices * 3 * sizeof *x);
    memcpy(x, mesh.x, (size_t)mesh.vertices * 3 * sizeof *x);
    TEST_ASSERT_TRUE(ref_sheet_create(&s, &mesh, m, NULL, REF_SHEET_NO_BENDING, 0, 1));
    s.pressure = pressure;
    TEST_ASSERT_TRUE(ref_sheet_minimise(&s, &none, &options, x).converged);
    const double volume = ref_sheet_volume(&s, x);
    ref_sheet_free(&s);
    return volume;
}

/* The body at rest after 1.2 s. */
static piola_body_info settle(piola_model model, piola_pressure kind, double pressure,
                              double ambient)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.young = (float)YOUNG;
    m.poisson = 0.3f;
    m.density = 1;
    const piola_mesh_desc md = cloth_mesh(&mesh, &m, NULL, NULL);
    const piola_world_desc d = cloth_statics(0.002f, 10);
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_compile(&md);
    b.damping = 20;
    b.pressure_kind = kind;
    b.pressure = (float)pressure;
    b.ambient_pressure = (float)ambient;
    piola_body body;
    piola_error error = {0};
    piola_body_info info;
    fixture_ok(piola_body_create(world, &b, &body, &error), &error);
    fixture_steps(world, NULL, 600);
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    fixture_clean();
    return info;
}

static double off(const piola_body_info *info, double work)
{
    const double found = info->pressure * info->volume;
    printf("    %.2f Pa, p V = %.4f J (%+.2f %% of the thin sphere's)\n", info->pressure, found,
           100 * (found / work - 1));
    return fabs(found / work - 1);
}

static void balloon(piola_model model, const ref_membrane *m)
{
    const double pressure = ref_balloon_pressure(m, RADIUS, STRETCH), ambient = 500;
    const double work = pressure * SPHERE * pow(STRETCH, 3);
    TEST_ASSERT_TRUE(ref_sheet_mesh_sphere(&mesh, 3, RADIUS));
    const double expected = reference_volume(m, pressure);
    piola_body_info info = settle(model, PIOLA_PRESSURE_GAUGE, pressure, 0);
    printf("model %d, %d triangles: V off by %.1e of the reference's on the same mesh\n",
           (int)model, mesh.triangles, info.volume / expected - 1);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * expected, expected, info.volume);
    ref_sheet_mesh_free(&mesh);
    if (fixture_count(4, 3) < 4)
        return;
    TEST_ASSERT_TRUE(ref_sheet_mesh_sphere(&mesh, 4, RADIUS));
    info = settle(model, PIOLA_PRESSURE_GAUGE, pressure, 0);
    printf("%d triangles, at a given pressure, then with a given amount of gas:\n", mesh.triangles);
    TEST_ASSERT_TRUE(off(&info, work) < 0.01);
    /* as much gas as fills the stretched sphere at that pressure and the one around it */
    const double gas = (pressure + ambient) * pow(STRETCH, 3);
    info = settle(model, PIOLA_PRESSURE_GAS, gas, ambient);
    TEST_ASSERT_TRUE(off(&info, work) < 0.01);
    ref_sheet_mesh_free(&mesh);
}

static void test_balloons(void)
{
    const ref_membrane stvk = ref_membrane_stvk(YOUNG, (double)0.3f);
    const ref_membrane neo_hookean = ref_membrane_neo_hookean(YOUNG, (double)0.3f);
    balloon(PIOLA_MODEL_STVK, &stvk);
    balloon(PIOLA_MODEL_NEO_HOOKEAN, &neo_hookean);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_balloons);
    return UNITY_END();
}
