/* The air: terminal velocity, the force's closed form, no energy out of nothing, same bits.
 *
 * covers: src/families/air/wind.c
 */
#include "any_mesh.h"
#include "golden.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>

#include <string.h>

#define DENSITY 0.2 /* kg/m^2, of the cloth */
#define AIR     1.2 /* kg/m^3 */

void setUp(void)
{
    any_mesh_begin();
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

/* A sheet of cells x cells in the xz plane, 1 m long, of clusters of some `cluster` triangles. */
static const piola_asset *sheet(uint32_t cells, uint32_t cluster)
{
    TEST_ASSERT_TRUE(meshgen_cloth(&any_mesh, (const double[2]){1, 1},
                                   (const uint32_t[2]){cells, cells}, false));
    piola_mesh_desc desc = any_mesh_describe();
    any_materials[0].model = PIOLA_MODEL_STVK;
    any_materials[0].young = 1000;
    any_materials[0].poisson = 0.3f;
    any_materials[0].density = (float)DENSITY;
    if (cluster)
        desc.cluster_limit = desc.cluster_size = cluster;
    const piola_asset *asset = fixture_compile(&desc);
    meshgen_free(&any_mesh);
    return asset;
}

/* Particles that fly free but for gravity and the air: what the air alone does. */
static piola_world_desc free_flight(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.iterations = 0;
    desc.air_density = (float)AIR;
    return desc;
}

static piola_body fly(piola_world *world, const piola_asset *asset, float drag, float lift)
{
    piola_body body;
    piola_error error = {0};
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = asset;
    desc.drag = drag;
    desc.lift = lift;
    fixture_ok(piola_body_create(world, &desc, &body, &error), &error);
    return body;
}

static piola_body_info info_of(const piola_world *world, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    return info;
}

/* Without lift: particles that nothing ties together fall apart under it, as a pile of leaves does.
 */
static void check_fall(piola_integrator integrator, uint32_t iterations, float dt, uint32_t cluster)
{
    piola_world_desc desc = free_flight();
    desc.integrator = integrator;
    desc.iterations = iterations;
    desc.dt = dt;
    piola_world *world = fixture_world(&desc);
    const double drag = 1.3;
    const piola_body body = fly(world, sheet(8, cluster), (float)drag, 0);
    fixture_steps(world, NULL, (int)(4 / dt));
    const double speed = info_of(world, body).momentum[1] / info_of(world, body).mass;
    TEST_ASSERT_DOUBLE_WITHIN(2e-5 * sqrt(2 * DENSITY * 9.81 / (AIR * drag)),
                              -sqrt(2 * DENSITY * 9.81 / (AIR * drag)), speed);
}

static void test_a_sheet_falls_at_its_terminal_velocity(void)
{
    for (int integrator = 0; integrator < PIOLA_INTEGRATOR_COUNT; ++integrator)
        for (int clusters = fixture_count(2, 1) - 1; clusters >= 0; --clusters) {
            check_fall((piola_integrator)integrator, 0, 0.001f, clusters ? 64 : 0);
            check_fall((piola_integrator)integrator, 0, 0.05f, clusters ? 64 : 0);
            check_fall((piola_integrator)integrator, 2, 0.005f, clusters ? 64 : 0);
        }
}

/* -r A (n.u) (drag u + lift (n |u|^2 - u (n.u)) / |u|) */
static void force_on(const double n0[3], const double u[3], double area, double drag, double lift,
                     double force[3])
{
    const double side = n0[0] * u[0] + n0[1] * u[1] + n0[2] * u[2];
    const double speed = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int k = 0; k < 3; ++k) {
        const double n = side < 0 ? -n0[k] : n0[k], across = fabs(side);
        force[k] = -0.5 * AIR * area * across *
                   (drag * u[k] + lift * (n * speed * speed - u[k] * across) / speed);
    }
}

static void test_a_short_step_gives_the_force_of_the_closed_form(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < 20; ++round) {
        piola_world_desc desc = free_flight();
        desc.dt = 1e-5f;
        desc.gravity[1] = 0;
        double wind[3], force[3];
        for (int k = 0; k < 3; ++k) {
            wind[k] = 20 * fixture_uniform(&seed) - 10;
            desc.wind[k] = (float)wind[k];
        }
        const double drag = 2 * fixture_uniform(&seed), lift = 2 * fixture_uniform(&seed);
        piola_world *world = fixture_world(&desc);
        const piola_body body = fly(world, sheet(3, 0), (float)drag, (float)lift);
        fixture_steps(world, NULL, 1);
        const double u[3] = {-wind[0], -wind[1], -wind[2]};
        force_on((const double[3]){0, 1, 0}, u, 1, drag, lift, force);
        const double size = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(2e-3 * size, force[k],
                                      info_of(world, body).momentum[k] / 1e-5);
        any_mesh_end();
        fixture_clean();
    }
}

static void toss(piola_world *world, piola_body body, uint64_t *seed, double size, double speed)
{
    const uint32_t vertices = info_of(world, body).vertices;
    float *values = fixture_memory(vertices * 3 * sizeof *values);
    for (uint32_t i = 0; i < 3 * vertices; ++i)
        values[i] = (float)(size * (fixture_uniform(seed) - 0.5));
    fixture_ok(piola_body_set_positions(world, body, 0, vertices, values, NULL), NULL);
    for (uint32_t i = 0; i < 3 * vertices; ++i)
        values[i] = (float)(speed * (fixture_uniform(seed) - 0.5));
    fixture_ok(piola_body_set_velocities(world, body, 0, vertices, values, NULL), NULL);
}

/* Crumpled cloth, random motion, any air and any dt: in still air the kinetic energy only falls. */
static void test_still_air_never_adds_energy(void)
{
    uint64_t seed = fixture_seed();
    for (int round = 0; round < fixture_count(60, 10); ++round) {
        piola_world_desc desc = free_flight();
        desc.integrator = round % 2 ? PIOLA_INTEGRATOR_BDF2 : PIOLA_INTEGRATOR_EULER;
        desc.air_density = (float)pow(10, 6 * fixture_uniform(&seed) - 3);
        desc.dt = (float)pow(10, -4 * fixture_uniform(&seed));
        desc.gravity[1] = 0;
        piola_world *world = fixture_world(&desc);
        const piola_body body = fly(world, sheet(7, round % 3 ? 64 : 0), 1.5f * (round % 4 > 0), 3);
        toss(world, body, &seed, 2, 20);
        double before = info_of(world, body).kinetic_energy;
        for (int i = 0; i < 4; ++i) {
            fixture_steps(world, NULL, 1);
            const double after = info_of(world, body).kinetic_energy;
            /* BDF2's own recurrence extrapolates velocities; only its first substep is the air's.
             */
            if (desc.integrator == PIOLA_INTEGRATOR_EULER || i == 0)
                TEST_ASSERT_TRUE(after <= before * (1 + 1e-6));
            before = after;
        }
        any_mesh_end();
        fixture_clean();
    }
}

/* However strong the wind, cloth at rest is carried along, never faster than the wind. */
static void test_a_gale_carries_cloth_no_faster_than_itself(void)
{
    piola_world_desc desc = free_flight();
    desc.air_density = 1e4f;
    desc.dt = 1;
    desc.gravity[1] = 0;
    desc.wind[1] = 50;
    piola_world *world = fixture_world(&desc);
    const piola_body body = fly(world, sheet(4, 0), 2, 0);
    float v[3 * 25];
    for (int step = 0; step < 10; ++step) {
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_body_velocities(world, body, 0, 25, v), NULL);
        for (int i = 0; i < 25; ++i) {
            TEST_ASSERT_TRUE(v[3 * i + 1] > 49 && v[3 * i + 1] <= 50.0001f);
            TEST_ASSERT_FLOAT_WITHIN(1e-4f, 0, v[3 * i]);
        }
    }
}

/* How far the middle of a sheet that is held all around goes in a steady wind across it, and what
 * its pins push back with. */
static double bulge(float dt, uint32_t iterations, piola_integrator integrator, double *force)
{
    piola_world_desc desc = free_flight();
    desc.gravity[1] = 0;
    desc.wind[1] = 12;
    desc.dt = dt;
    desc.iterations = iterations;
    desc.integrator = integrator;
    desc.report_physics = true;
    piola_world *world = fixture_world(&desc);
    piola_body body;
    piola_body_desc d = piola_body_desc_default();
    d.asset = sheet(8, 0);
    d.drag = 1.3f;
    d.damping = 5;
    fixture_ok(piola_body_create(world, &d, &body, NULL), NULL);
    float x[3 * 81], r[3 * 81];
    fixture_ok(piola_body_positions(world, body, 0, 81, x), NULL);
    for (uint32_t v = 0; v < 81; ++v)
        if (fmaxf(fabsf(x[3 * v] - 0.5f), fabsf(x[3 * v + 2] - 0.5f)) > 0.499f)
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, v, x[3 * v], x[3 * v + 1],
                         x[3 * v + 2]);
    fixture_steps(world, NULL, (int)(5 / dt));
    fixture_ok(piola_body_positions(world, body, 0, 81, x), NULL);
    fixture_ok(piola_body_reactions(world, body, 0, 81, r), NULL);
    double most = 0;
    *force = 0;
    for (uint32_t v = 0; v < 81; ++v) {
        most = fmax(most, (double)x[3 * v + 1]);
        *force += (double)r[3 * v + 1];
    }
    any_mesh_end();
    fixture_clean();
    return most;
}

/* Cloth that is held feels the whole wind, however light it is, at any step and any iterations. */
static void test_a_held_sheet_feels_the_whole_wind(void)
{
    double force;
    const double best = bulge(0.002f, 40, PIOLA_INTEGRATOR_EULER, &force);
    TEST_ASSERT_TRUE(best > 0.02);
    for (uint32_t iterations = 1; iterations < 30; iterations *= 5)
        for (int i = 0; i < 2 * PIOLA_INTEGRATOR_COUNT; ++i) {
            const double now =
                bulge(i < 2 ? 0.005f : 0.02f, iterations, (piola_integrator)(i % 2), &force);
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * best, best, now);
            /* Drag of triangles goes by the area that they show to the wind, bulged or not. */
            const double flat = 0.5 * AIR * 1.3 * 12 * 12;
            TEST_ASSERT_DOUBLE_WITHIN(1e-3 * flat, flat, -force);
        }
}

static uint64_t flag(piola_isa isa, uint32_t threads, uint32_t cluster)
{
    piola_world_desc desc = free_flight();
    desc.isa = isa;
    desc.wind[0] = 4;
    desc.substeps = 2;
    piola_world *world = fixture_world(&desc);
    uint64_t seed = 7;
    piola_body body[2] = {fly(world, sheet(9, cluster), 1.1f, 0.7f), {0, 0}};
    body[1] = fly(world, sheet(4, 0), 0.3f, 2);
    toss(world, body[0], &seed, 1, 1);
    piola_workers *workers = golden_workers(threads);
    fixture_steps(world, piola_workers_tasks(workers), 10);
    piola_workers_destroy(workers);
    const uint64_t hash = piola_world_hash(world);
    any_mesh_end();
    fixture_clean();
    return hash;
}

static void test_same_bits_on_all_sets_and_threads(void)
{
    for (uint32_t cluster = 0; cluster <= 64; cluster += 64) {
        const uint64_t first = flag(PIOLA_ISA_AUTO, 1, cluster);
        for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
            for (uint32_t threads = 1; threads < 4 && piola_isa_available((piola_isa)isa);
                 ++threads)
                TEST_ASSERT_EQUAL_HEX64(first, flag((piola_isa)isa, threads, cluster));
    }
}

/* A snapshot holds the wind and who feels it; a command turns it. */
static void test_snapshots_and_commands_know_the_wind(void)
{
    piola_world_desc desc = free_flight();
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = sheet(4, 0);
    fly(world, asset, 0, 0);
    const piola_body body = fly(world, asset, 1, 0);
    const size_t bytes = piola_snapshot_size(world);
    void *snapshot = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
    fixture_push(world, PIOLA_COMMAND_WORLD_WIND, body, 0, 5, 0, 0);
    fixture_steps(world, NULL, 3);
    TEST_ASSERT_EQUAL_FLOAT(5, world_weather(world)->wind[0]);
    fixture_ok(piola_body_destroy(world, body), NULL);
    fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
    TEST_ASSERT_EQUAL_FLOAT(0, world_weather(world)->wind[0]);
    TEST_ASSERT_EQUAL_FLOAT(1, world_body_air(world)[body.index - 1].drag);
    piola_difference difference;
    fixture_ok(piola_snapshot_compare(world, snapshot, bytes, &difference), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference.count);
    desc.air_density = 0;
    piola_world *empty = fixture_world(&desc);
    piola_report report;
    fixture_push(empty, PIOLA_COMMAND_WORLD_WIND, body, 0, 5, 0, 0);
    fixture_ok(piola_world_step(empty, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, report.commands_refused);
}

static void refuse_body(piola_world *world, const piola_asset *asset, float drag, float lift,
                        piola_status expected)
{
    piola_body body;
    piola_error error = {0};
    piola_body_desc desc = piola_body_desc_default();
    desc.asset = asset;
    desc.drag = drag;
    desc.lift = lift;
    TEST_ASSERT_EQUAL(expected, piola_body_create(world, &desc, &body, &error));
    TEST_ASSERT_EQUAL_STRING(drag != 1 || expected == PIOLA_ERROR_COMPILE_FOR
                                 ? "piola_body_desc.drag"
                                 : "piola_body_desc.lift",
                             error.field);
}

static void test_bad_input_is_refused(void)
{
    piola_world_desc desc = free_flight();
    piola_world *world = fixture_world(&desc);
    const piola_asset *asset = sheet(2, 0);
    refuse_body(world, asset, -1, 0, PIOLA_ERROR_RANGE);
    refuse_body(world, asset, NAN, 0, PIOLA_ERROR_NOT_FINITE);
    refuse_body(world, asset, 1, 2e4f, PIOLA_ERROR_RANGE);
    TEST_ASSERT_TRUE(
        meshgen_cloth(&any_mesh, (const double[2]){1, 1}, (const uint32_t[2]){2, 2}, false));
    piola_mesh_desc mesh = any_mesh_describe();
    mesh.compile_for = PIOLA_COMPILE_FOR_DESCENT;
    refuse_body(world, fixture_compile(&mesh), 1, 0, PIOLA_ERROR_COMPILE_FOR);
    size_t bytes;
    piola_error error = {0};
    desc.air_density = -1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_size(&desc, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.air_density", error.field);
    desc = free_flight();
    desc.wind[2] = INFINITY;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_world_size(&desc, &bytes, &error));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_sheet_falls_at_its_terminal_velocity);
    RUN_TEST(test_a_short_step_gives_the_force_of_the_closed_form);
    RUN_TEST(test_still_air_never_adds_energy);
    RUN_TEST(test_a_gale_carries_cloth_no_faster_than_itself);
    RUN_TEST(test_a_held_sheet_feels_the_whole_wind);
    RUN_TEST(test_same_bits_on_all_sets_and_threads);
    RUN_TEST(test_snapshots_and_commands_know_the_wind);
    RUN_TEST(test_bad_input_is_refused);
    return UNITY_END();
}
