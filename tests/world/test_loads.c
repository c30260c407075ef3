/* Forces on vertices: the same as gravity where they are the same, balanced at rest whatever the
 * step and the iterations, momentum to rounding, and state.
 * covers: src/world/loads.c */
#include "fixture.h"
#include "golden.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

#define CELL 0.1

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct bar {
    piola_world *world;
    const piola_asset *asset;
    piola_body body;
    uint32_t vertices;
};

static piola_world_desc still(void)
{
    piola_world_desc desc = piola_world_desc_default();
    memset(desc.gravity, 0, sizeof desc.gravity);
    desc.report_physics = true;
    return desc;
}

static piola_material material_of(double young, double poisson)
{
    piola_material m = piola_material_default();
    m.young = (float)young;
    m.poisson = (float)poisson;
    return m;
}

/* A bar along x of 2 x 2 cells, held at its first end when `held`. */
static struct bar bar_of(const piola_world_desc *desc, const piola_material *material, int length,
                         uint32_t cluster, bool held)
{
    struct bar bar = {.world = fixture_world(desc)};
    piola_body_desc body = piola_body_desc_default();
    bar.asset = fixture_beam_of(length, 2, 2, CELL, material, cluster);
    body.asset = bar.asset;
    body.damping = held ? 2 : 0;
    body.untangle = PIOLA_UNTANGLE_NONE;
    fixture_ok(piola_body_create(bar.world, &body, &bar.body, NULL), NULL);
    bar.vertices = bar.asset->stats.vertices;
    float *x = fixture_memory(bar.vertices * 3 * sizeof *x);
    fixture_ok(piola_body_positions(bar.world, bar.body, 0, bar.vertices, x), NULL);
    for (uint32_t v = 0; held && v < bar.vertices; ++v)
        if (x[3 * v] < 1e-4f)
            fixture_push(bar.world, PIOLA_COMMAND_BODY_PIN, bar.body, v, x[3 * v], x[3 * v + 1],
                         x[3 * v + 2]);
    return bar;
}

static float mass_of(const struct bar *bar, uint32_t vertex)
{
    return asset_mass(bar->asset)[asset_particle_of_vertex(bar->asset)[vertex]];
}

static void pull_down(const struct bar *bar, float acceleration)
{
    for (uint32_t v = 0; v < bar->vertices; ++v)
        fixture_push(bar->world, PIOLA_COMMAND_BODY_FORCE, bar->body, v, 0,
                     -acceleration * mass_of(bar, v), 0);
}

static double lowest(const struct bar *bar)
{
    float *x = fixture_memory(bar->vertices * 3 * sizeof *x);
    double low = 0;
    fixture_ok(piola_body_positions(bar->world, bar->body, 0, bar->vertices, x), NULL);
    for (uint32_t v = 0; v < bar->vertices; ++v)
        low = fmin(low, (double)x[3 * v + 1]);
    return low;
}

/* Any solver, stiffness, step, few iterations or many, alone or shared: the sag that a force field
 * brings is that of the gravity of the same size, at every moment. What few iterations leave of a
 * stiff body's motion grows from rounding: how much it is show two more bars, whose gravity differs
 * by as much as the weight of a vertex is rounded, up and down. */
static void test_a_force_on_all_vertices_is_gravity(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < fixture_count(18, 4); ++round) {
        const double young = pow(10, 4 + 4 * fixture_uniform(&seed));
        const piola_material m = material_of(young, 0.45 * fixture_uniform(&seed));
        piola_world_desc desc = still();
        desc.solver = (piola_solver)(round % 4 == 3   ? PIOLA_SOLVER_COMPLIANT
                                     : round % 4 == 2 ? PIOLA_SOLVER_ENERGY
                                                      : PIOLA_SOLVER_DESCENT);
        desc.integrator = round % 2 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
        desc.dt = (float)(0.001 + 0.009 * fixture_uniform(&seed));
        desc.iterations = 1 + (uint32_t)(10 * fixture_uniform(&seed));
        desc.max_packs = 65536;
        const float g = (float)(1 + 9 * fixture_uniform(&seed));
        struct bar forced = bar_of(&desc, &m, 6, round % 3 ? 0 : 64, round % 5 > 0);
        desc.gravity[1] = -g;
        struct bar heavy = bar_of(&desc, &m, 6, round % 3 ? 0 : 64, round % 5 > 0);
        struct bar near[2];
        for (int n = 0; n < 2; ++n) {
            desc.gravity[1] = -g * (1 + (n ? -2.5e-7f : 2.5e-7f));
            near[n] = bar_of(&desc, &m, 6, round % 3 ? 0 : 64, round % 5 > 0);
        }
        double astray = 0;
        pull_down(&forced, g);
        for (int look = 0; look < 10; ++look) {
            fixture_steps(forced.world, NULL, 10);
            fixture_steps(heavy.world, NULL, 10);
            const double a = lowest(&forced), b = lowest(&heavy);
            for (int n = 0; n < 2; ++n) {
                fixture_steps(near[n].world, NULL, 10);
                astray = fmax(astray, fabs(lowest(&near[n]) - b));
            }
            const bool descends = desc.solver == PIOLA_SOLVER_DESCENT;
            /* Projections let the rounding of a weight grow: at the beginning alone. */
            if (descends || look == 0)
                TEST_ASSERT_DOUBLE_WITHIN((descends ? 1e-3 : 3e-2) * fabs(b) + 4 * astray + 2e-6, b,
                                          a);
        }
        fixture_clean();
    }
}

static double settle(double young, float dt, uint32_t iterations, piola_integrator integrator,
                     float force)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(young, 0.3);
    desc.dt = dt;
    desc.iterations = iterations;
    desc.integrator = integrator;
    const struct bar bar = bar_of(&desc, &m, 6, 0, true);
    fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, bar.vertices - 1, 0.3f * force,
                 -force, 0);
    fixture_steps(bar.world, NULL, (int)(15 / dt));
    piola_report report;
    fixture_ok(piola_world_step(bar.world, NULL, &report), NULL);
    /* Positions are known to some 1e-7 of their distance from the origin, inertia makes that a
     * force: a vertex here has at most the mass of a cell. */
    const double blur = 1.2e-7 * 6 * CELL * 1000 * CELL * CELL * CELL / (double)(dt * dt);
    TEST_ASSERT_TRUE(report.residual < 1e-3 * (double)force + blur);
    /* What acts on the loaded vertex is its load, in a world without weight. */
    double residual, scale;
    fixture_ok(piola_body_residual(bar.world, bar.body, &residual, &scale), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * (double)force + 4 * blur, sqrt(1.09) * (double)force, scale);
    TEST_ASSERT_EQUAL_DOUBLE(report.residual, residual);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, (float)(residual / scale), report.relative_residual);
    TEST_ASSERT_EQUAL_UINT32(bar.body.index, report.least_converged.index);
    const double low = lowest(&bar);
    fixture_clean();
    return low;
}

/* What rests is balanced, for any number of iterations and any step. */
static void test_what_a_force_settles_at_depends_on_the_body_alone(void)
{
    double young = 1e4;
    for (int modulus = fixture_count(3, 1); modulus > 0; --modulus, young *= 10) {
        const float force = (float)(1e-4 * young);
        const double best = settle(young, 0.005f, 100, PIOLA_INTEGRATOR_EULER, force);
        TEST_ASSERT_TRUE(best < -0.01);
        for (uint32_t iterations = 5; iterations < 50; iterations *= 3)
            for (int i = 0; i < PIOLA_INTEGRATOR_COUNT; ++i) {
                const float dt = i ? 0.004f : 0.01f;
                const double now = settle(young, dt, iterations, (piola_integrator)i, force);
                TEST_ASSERT_DOUBLE_WITHIN(1e-3 * fabs(best), best, now);
            }
    }
}

/* A free body gains what its forces bring, and their moment. */
static void test_free_bodies_gain_the_momentum_of_their_loads(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < fixture_count(16, 4); ++round) {
        piola_world_desc desc = still();
        const piola_material m = material_of(pow(10, 4 + 3 * fixture_uniform(&seed)), 0.3);
        desc.integrator = round % 2 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
        desc.gravity[2] = round % 3 ? 0 : -5;
        const struct bar bar = bar_of(&desc, &m, 4, round % 4 < 2 ? 0 : 64, false);
        float *x = fixture_memory(bar.vertices * 3 * sizeof *x), f[3][3];
        uint32_t vertex[3];
        double force[3] = {0, 0, 0}, moment[3] = {0, 0, 0}, turned = 0;
        for (int i = 0; i < 3; ++i) {
            vertex[i] = (uint32_t)(fixture_uniform(&seed) * bar.vertices);
            if (i > 0 && vertex[i] == vertex[i - 1])
                vertex[i] = (vertex[i] + 1) % bar.vertices;
            for (int k = 0; k < 3; ++k)
                f[i][k] = (float)(20 * (fixture_uniform(&seed) - 0.5));
            fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, vertex[i], f[i][0], f[i][1],
                         f[i][2]);
        }
        if (vertex[2] == vertex[0])
            memset(f[0], 0, sizeof f[0]);
        const int steps = 40;
        for (int step = 0; step < steps; ++step) {
            fixture_ok(piola_body_positions(bar.world, bar.body, 0, bar.vertices, x), NULL);
            for (int i = 0; i < 3; ++i)
                for (unsigned k = 0; k < 3; ++k) {
                    const float *p = x + 3 * vertex[i];
                    const double more = (double)(p[(k + 1) % 3] * f[i][(k + 2) % 3] -
                                                 p[(k + 2) % 3] * f[i][(k + 1) % 3]);
                    moment[k] += more * (double)desc.dt;
                    turned += fabs(more) * (double)desc.dt;
                    force[k] += (double)f[i][k] * (double)desc.dt;
                }
            fixture_steps(bar.world, NULL, 1);
        }
        piola_body_info info;
        fixture_ok(piola_body_inspect(bar.world, bar.body, &info), NULL);
        force[2] += info.mass * (double)desc.gravity[2] * steps * (double)desc.dt;
        for (int k = 0; k < 3; ++k) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-4, force[k], info.momentum[k]);
            if (desc.gravity[2] == 0)
                TEST_ASSERT_DOUBLE_WITHIN(0.02 * turned + 1e-5, moment[k],
                                          info.angular_momentum[k]);
        }
        fixture_clean();
    }
}

/* Pins push with what the body weighs and what pulls at it; free vertices are pushed by none. */
static void test_pins_push_with_what_they_hold(void)
{
    piola_world_desc desc = still();
    desc.gravity[1] = -9.81f;
    const piola_material m = material_of(3e5, 0.3);
    const struct bar bar = bar_of(&desc, &m, 5, 0, true);
    float *r = fixture_memory(bar.vertices * 3 * sizeof *r);
    float *x = fixture_memory(bar.vertices * 3 * sizeof *x);
    fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, bar.vertices - 1, 30, -20, 7);
    fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, 0, 0, 3, 0);
    fixture_steps(bar.world, NULL, 2000);
    fixture_ok(piola_body_reactions(bar.world, bar.body, 0, bar.vertices, r), NULL);
    fixture_ok(piola_body_positions(bar.world, bar.body, 0, bar.vertices, x), NULL);
    piola_body_info info;
    fixture_ok(piola_body_inspect(bar.world, bar.body, &info), NULL);
    double sum[3] = {0, 0, 0}, about_z = 0;
    for (uint32_t v = 0; v < bar.vertices; ++v) {
        for (unsigned k = 0; k < 3; ++k) {
            sum[k] += (double)r[3 * v + k];
            TEST_ASSERT_TRUE(x[3 * v] < 1e-4f || r[3 * v + k] == 0);
        }
        about_z += (double)(x[3 * v] * r[3 * v + 1] - x[3 * v + 1] * r[3 * v]);
    }
    const float *end = x + 3 * (bar.vertices - 1);
    const double weight = info.mass * 9.81;
    TEST_ASSERT_DOUBLE_WITHIN(2e-3 * weight, -30, sum[0]);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3 * weight, weight + 20 - 3, sum[1]);
    TEST_ASSERT_DOUBLE_WITHIN(2e-3 * weight, -7, sum[2]);
    TEST_ASSERT_DOUBLE_WITHIN(
        2e-3 * weight, info.centre[0] * weight + (double)(20 * end[0] + 30 * end[1]), about_z);
}

static uint64_t play(piola_isa isa, uint32_t threads, uint32_t cluster, piola_integrator integrator)
{
    piola_world_desc desc = still();
    desc.isa = isa;
    desc.integrator = integrator;
    desc.substeps = 2;
    const piola_material m = material_of(1e5, 0.4);
    const struct bar bar = bar_of(&desc, &m, 7, cluster, true);
    piola_workers *workers = golden_workers(threads);
    for (uint32_t v = 0; v < bar.vertices; v += 3)
        fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, v, (float)v, 5, -2);
    fixture_steps(bar.world, piola_workers_tasks(workers), 10);
    piola_workers_destroy(workers);
    const uint64_t hash = piola_world_hash(bar.world);
    fixture_clean();
    return hash;
}

static void test_same_bits_on_all_sets_and_threads(void)
{
    for (uint32_t cluster = 0; cluster <= 64; cluster += 64)
        for (int i = 0; i < PIOLA_INTEGRATOR_COUNT; ++i) {
            const uint64_t first = play(PIOLA_ISA_AUTO, 1, cluster, (piola_integrator)i);
            for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
                for (uint32_t threads = 1; threads < 4 && piola_isa_available((piola_isa)isa);
                     ++threads)
                    TEST_ASSERT_EQUAL_HEX64(
                        first, play((piola_isa)isa, threads, cluster, (piola_integrator)i));
        }
}

/* Forces are in snapshots, can be read, end when told to, and go with their body. */
static void test_forces_are_state(void)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(1e5, 0.4);
    const struct bar bar = bar_of(&desc, &m, 3, 0, true);
    float f[3];
    fixture_steps(bar.world, NULL, 1);
    const uint64_t before = piola_world_hash(bar.world);
    fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, 5, 1, 2, 3);
    fixture_steps(bar.world, NULL, 3);
    const size_t bytes = piola_snapshot_size(bar.world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(bar.world, snapshot, bytes), NULL);
    fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, PIOLA_EVERY_VERTEX, 0, 0, 0);
    fixture_steps(bar.world, NULL, 2);
    fixture_ok(piola_body_forces(bar.world, bar.body, 5, 1, f), NULL);
    TEST_ASSERT_EQUAL_FLOAT(0, f[1]);
    TEST_ASSERT_EQUAL_UINT64(0, bar.world->dim[DIM_loads].used);
    fixture_ok(piola_snapshot_restore(bar.world, snapshot, bytes), NULL);
    fixture_ok(piola_body_forces(bar.world, bar.body, 5, 1, f), NULL);
    TEST_ASSERT_EQUAL_FLOAT(2, f[1]);
    piola_difference difference;
    fixture_ok(piola_snapshot_compare(bar.world, snapshot, bytes, &difference), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference.count);
    TEST_ASSERT_NOT_EQUAL(before, piola_world_hash(bar.world));
    fixture_ok(piola_body_destroy(bar.world, bar.body), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, bar.world->dim[DIM_loads].used);
    for (uint32_t i = 0; i < 64; ++i)
        TEST_ASSERT_TRUE(world_load(bar.world)[i].y == 0);
}

static void test_what_cannot_be_is_refused(void)
{
    piola_world_desc desc = still();
    const piola_material m = material_of(1e5, 0.4);
    struct bar bar = bar_of(&desc, &m, 3, 0, false);
    piola_report report;
    float f[3];
    fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, bar.vertices, 1, 0, 0);
    fixture_ok(piola_world_step(bar.world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_body_forces(bar.world, bar.body, 1, bar.vertices, f));
    size_t with, without;
    fixture_ok(piola_world_size(&desc, &with, NULL), NULL);
    desc.vertex_forces = desc.report_physics = false;
    fixture_ok(piola_world_size(&desc, &without, NULL), NULL);
    TEST_ASSERT_TRUE(without + 16 * (size_t)desc.max_particles <= with);
    bar = bar_of(&desc, &m, 3, 0, false);
    fixture_push(bar.world, PIOLA_COMMAND_BODY_FORCE, bar.body, 0, 1, 0, 0);
    fixture_ok(piola_world_step(bar.world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
    fixture_ok(piola_body_forces(bar.world, bar.body, 0, 1, f), NULL);
    TEST_ASSERT_EQUAL_FLOAT(0, f[0]);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_reactions(bar.world, bar.body, 0, 1, f));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_force_on_all_vertices_is_gravity);
    RUN_TEST(test_what_a_force_settles_at_depends_on_the_body_alone);
    RUN_TEST(test_free_bodies_gain_the_momentum_of_their_loads);
    RUN_TEST(test_pins_push_with_what_they_hold);
    RUN_TEST(test_same_bits_on_all_sets_and_threads);
    RUN_TEST(test_forces_are_state);
    RUN_TEST(test_what_cannot_be_is_refused);
    return UNITY_END();
}
