/* Cloth in motion: momentum in free flight, Appendix A of the paper, falling.
 *
 * covers: ispc/cloth/
 */
#include "cloth_fixture.h"
#include "ref_sheet.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void forget(void)
{
    ref_sheet_mesh_free(&mesh);
    fixture_clean();
}

static const struct {
    piola_solver solver;
    const char *name;
    float dt;
} solvers[] = {
    {PIOLA_SOLVER_DESCENT, "descent", 0.005f},
    {PIOLA_SOLVER_ENERGY, "energy", 0.005f},
    {PIOLA_SOLVER_COMPLIANT, "compliant", 0.005f},
    {PIOLA_SOLVER_EXPLICIT, "explicit", 5e-4f},
};

static piola_material membrane_of(piola_model model)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.young = 100;
    m.poisson = 0.3f;
    m.density = 0.5f;
    m.young_axis[0] = 100;
    m.young_axis[1] = 30;
    m.poisson_axis[0] = 0.2f;
    m.shear_axis[0] = 20;
    return m;
}

static piola_material bend_of(float rigidity, piola_bend_model model)
{
    piola_material m = piola_material_default();
    m.bend = rigidity;
    m.bend_model = model;
    return m;
}

/* Momentum about the centre of mass. */
static void spin(const piola_body_info *i, double l[3])
{
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        l[k] = i->angular_momentum[k] -
               (i->centre[a] * i->momentum[b] - i->centre[b] * i->momentum[a]);
    }
}

/* A tumbling, trembling sheet keeps P and L over 10,000 steps; its mass times its speed, and its L,
 * are the scale. */
static void keeps_momentum(int which, piola_model model, piola_bend_model bending, uint32_t cluster,
                           piola_integrator integrator)
{
    const piola_material m = membrane_of(model), bend = bend_of(1e-3f, bending);
    TEST_ASSERT_TRUE(
        ref_sheet_mesh_grid(&mesh, (int[]){8, 6}, (double[]){0.8, 0.6}, REF_SHEET_ALTERNATE, 0, 1));
    piola_mesh_desc md = cloth_mesh(&mesh, &m, &bend, NULL);
    if (cluster)
        md.cluster_limit = md.cluster_size = cluster;
    piola_world_desc d = cloth_statics(solvers[which].dt, which == 3 ? 1 : 5);
    d.solver = solvers[which].solver;
    d.integrator = integrator;
    piola_body_desc b = piola_body_desc_default();
    const float v[3] = {0.3f, -0.2f, 0.1f}, w[3] = {0.5f, 1.0f, -2.0f};
    b.asset = fixture_compile(&md);
    memcpy(b.velocity, v, sizeof v);
    memcpy(b.angular_velocity, w, sizeof w);
    piola_world *world = fixture_world(&d);
    piola_body body;
    piola_body_info before, after;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 5, 0.005f, 0.002f, 0.003f);
    fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, 40, -0.005f, 0.001f, -0.003f);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_inspect(world, body, &before), NULL);
    const int steps = fixture_count(10000, 500);
    fixture_steps(world, NULL, steps);
    fixture_ok(piola_body_inspect(world, body, &after), NULL);
    double l0[3], l1[3], size = 0, worst_p = 0, worst_l = 0;
    spin(&before, l0);
    spin(&after, l1);
    for (int k = 0; k < 3; ++k) {
        size += l0[k] * l0[k];
        worst_p = fmax(worst_p, fabs(after.momentum[k] - before.momentum[k]));
        worst_l = fmax(worst_l, fabs(l1[k] - l0[k]));
    }
    worst_p /= before.mass * 0.4;
    worst_l /= sqrt(size);
    printf("%s, model %d, %d steps: P off by %.1e, L by %.1e of their size\n", solvers[which].name,
           (int)model, steps, worst_p, worst_l);
    TEST_ASSERT_EQUAL(false, after.frozen);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, worst_p);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0, worst_l);
    forget();
}

static void test_free_flight_keeps_momentum(void)
{
    for (int s = 1; s < 4; ++s) {
        keeps_momentum(s, PIOLA_MODEL_STVK, PIOLA_BEND_ISOMETRIC, 0, PIOLA_INTEGRATOR_EULER);
        keeps_momentum(s, PIOLA_MODEL_NEO_HOOKEAN, PIOLA_BEND_DIHEDRAL, 0, PIOLA_INTEGRATOR_EULER);
    }
    keeps_momentum(0, PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_BEND_ISOMETRIC, 0,
                   PIOLA_INTEGRATOR_BDF2);
    keeps_momentum(0, PIOLA_MODEL_STVK_ORTHOTROPIC, PIOLA_BEND_DIHEDRAL, 64,
                   PIOLA_INTEGRATOR_EULER);
    keeps_momentum(1, PIOLA_MODEL_STVK_ORTHOTROPIC, PIOLA_BEND_ISOMETRIC, 64,
                   PIOLA_INTEGRATOR_BDF2);
}

/* A free sheet falls as a point does, whatever the solver and however few the iterations. */
static void test_sheets_fall_as_fast_as_points(void)
{
    for (int s = 0; s < 3; ++s) {
        piola_material m = membrane_of(PIOLA_MODEL_STVK);
        m.young = 1e5f;
        const piola_material bend = bend_of(0.1f, PIOLA_BEND_DIHEDRAL);
        TEST_ASSERT_TRUE(
            ref_sheet_mesh_grid(&mesh, (int[]){8, 8}, (double[]){1, 1}, REF_SHEET_SQUARES, 0.2, 1));
        const piola_mesh_desc md = cloth_mesh(&mesh, &m, &bend, NULL);
        piola_world_desc d = cloth_statics(0.01f, 1);
        d.solver = solvers[s].solver;
        d.gravity[2] = -9.81f;
        const struct cloth c = cloth_start(&md, &d, 0);
        piola_body_info before, after;
        fixture_ok(piola_body_inspect(c.world, c.body, &before), NULL);
        fixture_steps(c.world, NULL, 100);
        fixture_ok(piola_body_inspect(c.world, c.body, &after), NULL);
        TEST_ASSERT_DOUBLE_WITHIN(2e-4, -9.81 * 1.01 / 2, after.centre[2] - before.centre[2]);
        forget();
    }
}

/* EXPLICIT, one element, one iteration: what moves the vertices are the reference's forces at the
 * predicted positions, to single precision; returns the largest velocity (m/s). A hinge comes with
 * two triangles, 1e-6 as stiff. */
static double appendix_a(uint64_t *random, piola_model model, bool hinge, piola_bend_model bending)
{
    const float direction[3] = {1, 0.4f, 0};
    const double along[3] = {1, (double)0.4f, 0};
    const float dt = 1e-3f;
    double x[12], gradient[12], off = 0, size = 0;
    float y[12];
    TEST_ASSERT_TRUE(
        ref_sheet_mesh_grid(&mesh, (int[]){1, 1}, (double[]){1, 0.8}, REF_SHEET_SQUARES, 0, 1));
    mesh.x[0] = -0.1 - 0.2 * fixture_uniform(random);
    for (int i = 0; i < 12; ++i)
        mesh.x[i] = (double)(float)mesh.x[i];
    if (!hinge) /* the triangle of vertices 0, 1, 2 alone */
        mesh.vertices = 3, mesh.triangles = 1, mesh.bends = 0,
        memcpy(mesh.triangle, (int[]){0, 2, 1}, 3 * sizeof *mesh.triangle);
    piola_material m = membrane_of(model), bend = bend_of(100, bending);
    m.young = hinge ? 1e-6f : m.young;
    const ref_membrane rm =
        model == PIOLA_MODEL_STVK_ORTHOTROPIC ? ref_membrane_orthotropic(100, 30, (double)0.2f, 20)
        : model == PIOLA_MODEL_STVK           ? ref_membrane_stvk((double)m.young, (double)0.3f)
                                    : ref_membrane_neo_hookean((double)m.young, (double)0.3f);
    const piola_mesh_desc md = cloth_mesh(&mesh, &m, hinge ? &bend : NULL, direction);
    piola_world_desc d = cloth_statics(dt, 1);
    d.solver = PIOLA_SOLVER_EXPLICIT;
    d.keep_momentum = false;
    const struct cloth c = cloth_start(&md, &d, 0);
    ref_sheet s;
    TEST_ASSERT_TRUE(ref_sheet_create(
        &s, &mesh, &rm, along,
        bending == PIOLA_BEND_ISOMETRIC ? REF_SHEET_ISOMETRIC : REF_SHEET_DIHEDRAL, 100, 0.5));
    for (uint32_t i = 0; i < 3 * c.vertices; ++i) {
        c.x[i] += (float)(0.1 * (2 * fixture_uniform(random) - 1));
        x[i] = (double)c.x[i];
    }
    cloth_put(&c);
    ref_sheet_energy_gradient(&s, x, gradient);
    fixture_steps(c.world, NULL, 1);
    fixture_ok(piola_body_velocities(c.world, c.body, 0, c.vertices, y), NULL);
    for (uint32_t i = 0; i < 3 * c.vertices; ++i) {
        const double expected = -(double)dt * gradient[i] / s.mass[i / 3];
        off = fmax(off, fabs((double)y[i] - expected));
        size = fmax(size, fabs(expected));
    }
    /* a velocity is a difference of positions of up to 1 m, over dt */
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * size + 2e-7 / (double)dt, 0, off);
    ref_sheet_free(&s);
    forget();
    return size;
}

static void test_appendix_a(void)
{
    static const piola_model some[] = {PIOLA_MODEL_STVK, PIOLA_MODEL_NEO_HOOKEAN,
                                       PIOLA_MODEL_STVK_ORTHOTROPIC};
    uint64_t random = fixture_seed();
    int moved = 0;
    for (int round = 0; round < 60; ++round)
        moved +=
            appendix_a(&random, round % 4 ? some[round % 4 - 1] : PIOLA_MODEL_STVK, round % 4 == 0,
                       round % 8 ? PIOLA_BEND_ISOMETRIC : PIOLA_BEND_DIHEDRAL) > 2e-3;
    TEST_ASSERT_TRUE(moved > 40); /* ten times what rounding may do; chance moves a few less */
}

/* A clamped sheet of B = 1 N m and 1 kg/m^2 swings in its first mode at 3.516 sqrt(B / rho) / L^2.
 * Returns the mean angular frequency of `turns` swings (rad/s) and the free length. */
static double swing(piola_integrator integrator, int turns, double *length)
{
    const int n = 12, cells[2] = {n, 10};
    piola_material m = membrane_of(PIOLA_MODEL_STVK);
    const piola_material bend = bend_of(1, PIOLA_BEND_ISOMETRIC);
    m.young = 1e5f;
    m.poisson = 0;
    m.density = 1;
    TEST_ASSERT_TRUE(
        ref_sheet_mesh_grid(&mesh, cells, (double[]){1, 1}, REF_SHEET_STAGGERED, 0, 1));
    *length = 1 - 0.5 / n;
    const piola_mesh_desc md = cloth_mesh(&mesh, &m, &bend, NULL);
    piola_world_desc d = cloth_statics(1e-3f, 20);
    d.integrator = integrator;
    d.chebyshev = 0.9f;
    const struct cloth c = cloth_start(&md, &d, 0);
    const uint32_t held = 2 * (uint32_t)cells[1] + 3, end = c.vertices - (uint32_t)cells[1] / 2 - 1;
    for (uint32_t v = 0; v < c.vertices; ++v) {
        const double s = fmax(0, mesh.x[3 * v] - 0.5 / n);
        if (v < held)
            cloth_pin(&c, v);
        else /* near enough to the mode: the fall under a small weight */
            c.x[3 * v + 2] = (float)(0.01 * s * s * (6 - 4 * s + s * s) / 3);
    }
    cloth_put(&c);
    double last = (double)c.x[3 * end + 2], first = 0, time = 0;
    int crossings = 0;
    for (int step = 1; crossings <= 2 * turns && step < 20000; ++step) {
        float at[3];
        fixture_steps(c.world, NULL, 1);
        fixture_ok(piola_body_positions(c.world, c.body, end, 1, at), NULL);
        if (last * (double)at[2] < 0) {
            time = (double)d.dt * (step - 1 + last / (last - (double)at[2]));
            first = crossings++ == 0 ? time : first;
        }
        last = (double)at[2];
    }
    forget();
    TEST_ASSERT_EQUAL_INT(2 * turns + 1, crossings);
    return 2 * 3.14159265358979 * turns / (time - first);
}

static void test_a_clamped_sheet_swings_in_time(void)
{
    for (int i = 0; i < 2; ++i) {
        double length;
        const double w = swing((piola_integrator)i, 2, &length);
        const double exact = 3.51602 / (length * length);
        printf("%s: first mode %.4f rad/s, closed form %.4f (%+.2f %%)\n",
               i == PIOLA_INTEGRATOR_BDF2 ? "BDF2" : "Euler", w, exact, 100 * (w / exact - 1));
        TEST_ASSERT_DOUBLE_WITHIN(0.02 * exact, exact, w);
    }
}

/* Kinetic energy of a sheet that was plucked in its plane. */
static double trembling(piola_model model, float damping, float seconds)
{
    piola_material m = membrane_of(model);
    m.damping = damping;
    TEST_ASSERT_TRUE(
        ref_sheet_mesh_grid(&mesh, (int[]){8, 2}, (double[]){0.8, 0.2}, REF_SHEET_ALTERNATE, 0, 1));
    const piola_mesh_desc md = cloth_mesh(&mesh, &m, NULL, NULL);
    piola_world_desc d = cloth_statics(0.002f, 20);
    d.integrator = PIOLA_INTEGRATOR_BDF2;
    const struct cloth c = cloth_start(&md, &d, 0);
    for (uint32_t v = 0; v < 3; ++v) {
        fixture_push(c.world, PIOLA_COMMAND_BODY_IMPULSE, c.body, v, 0, 2e-3f, 0);
        fixture_push(c.world, PIOLA_COMMAND_BODY_IMPULSE, c.body, 24 + v, 0, 2e-3f, 0);
        fixture_push(c.world, PIOLA_COMMAND_BODY_IMPULSE, c.body, 12 + v, 0, -4e-3f, 0);
    }
    fixture_steps(c.world, NULL, (int)(seconds / d.dt));
    piola_body_info info;
    fixture_ok(piola_body_inspect(c.world, c.body, &info), NULL);
    forget();
    return info.kinetic_energy;
}

static void test_material_damping_takes_energy(void)
{
    static const piola_model some[] = {PIOLA_MODEL_STVK, PIOLA_MODEL_STABLE_NEO_HOOKEAN,
                                       PIOLA_MODEL_STVK_ORTHOTROPIC};
    for (int k = 0; k < 3; ++k) {
        double lively = 0, damped = 0;
        for (int i = 0; i < 10; ++i) {
            lively += trembling(some[k], 0, 0.2f + 0.004f * (float)i);
            damped += trembling(some[k], 0.02f, 0.2f + 0.004f * (float)i);
        }
        printf("model %d: kinetic energy of a plucked sheet after 0.2 s: %.3e J free, %.3e J "
               "damped\n",
               (int)some[k], lively / 10, damped / 10);
        TEST_ASSERT_TRUE(damped < 0.2 * lively);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_free_flight_keeps_momentum);
    RUN_TEST(test_appendix_a);
    RUN_TEST(test_sheets_fall_as_fast_as_points);
    RUN_TEST(test_a_clamped_sheet_swings_in_time);
    RUN_TEST(test_material_damping_takes_energy);
    return UNITY_END();
}
