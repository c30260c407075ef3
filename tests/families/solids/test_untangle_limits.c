/* test_untangle_limits.c - what must not be taken for a tangle: loads, creeping, swinging,
 * spinning, snapped shells. And what must be, though it never lies still.
 *
 * covers: src/families/solids/untangle.c
 */
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

enum { VERTICES = 45 }; /* of a bar of 4 x 2 x 2 cells of 0.1 m */

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct setting {
    piola_solver solver;
    piola_integrator integrator;
    piola_model model;
    float young, viscous, damping, dt;
};

static piola_world *world_for(const struct setting *s)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 1;
    d.max_particles = 2048;
    d.max_packs = 1024;
    d.solver = s->solver;
    d.integrator = s->integrator;
    d.dt = s->dt;
    d.iterations = 10;
    d.report_physics = true;
    memset(d.gravity, 0, sizeof d.gravity);
    return fixture_world(&d);
}

static piola_material material_for(const struct setting *s)
{
    piola_material m = piola_material_default();
    m.model = s->model;
    m.young = s->young;
    m.poisson = 0.3f;
    m.damping = s->viscous;
    return m;
}

static piola_world *bar(const struct setting *s, bool untangle, piola_body *body, float *rest)
{
    piola_world *world = world_for(s);
    const piola_material m = material_for(s);
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_beam_of(4, 2, 2, 0.1, &m, 0);
    b.damping = s->damping;
    b.untangle = untangle ? PIOLA_UNTANGLE_SOLIDS : PIOLA_UNTANGLE_NONE;
    fixture_ok(piola_body_create(world, &b, body, NULL), NULL);
    fixture_ok(piola_body_positions(world, *body, 0, VERTICES, rest), NULL);
    return world;
}

static void put_stretched(piola_world *world, piola_body body, const float *rest, float along,
                          float across)
{
    float x[3 * VERTICES];
    for (int i = 0; i < 3 * VERTICES; ++i)
        x[i] = rest[i] * (i % 3 == 0 ? along : across);
    fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
}

static void put_spin(piola_world *world, piola_body body, const float *rest, float spin)
{
    float v[3 * VERTICES];
    for (int i = 0; i < VERTICES; ++i) {
        v[3 * i] = -spin * (rest[3 * i + 1] - 0.1f);
        v[3 * i + 1] = spin * (rest[3 * i] - 0.2f);
        v[3 * i + 2] = 0;
    }
    fixture_ok(piola_body_set_velocities(world, body, 0, VERTICES, v, NULL), NULL);
}

/* Pulls the two ends apart for a step, with a force (N) on each of them. */
static void pull(piola_world *world, piola_body body, const float *rest, float force, float dt)
{
    for (int i = 0; i < VERTICES; ++i) {
        const float at = rest[3 * i];
        if (at < 0.01f || at > 0.39f)
            fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, (uint32_t)i,
                         (at < 0.2f ? -force : force) * dt / 9, 0, 0);
    }
}

/* A free bar that is stretched and spun at the start, and pulled for a while at every step. */
struct play {
    const char *name;
    struct setting setting;
    float along, across, spin;
    float force, until; /* N; s */
    float seconds;
    float least; /* the largest stretch near the end: the bar is where no tangle is */
};

#define STVK PIOLA_MODEL_STVK
#define NH   PIOLA_MODEL_NEO_HOOKEAN
#define SNH  PIOLA_MODEL_STABLE_NEO_HOOKEAN

static const struct play plays[] = {
    {"pulled", {0, 0, SNH, 1e5f, 0, 2, 0.005f}, 1, 1, 0, 500, 9, 4, 1.05f},
    {"pulled long", {0, 0, SNH, 1e5f, 0, 2, 0.005f}, 1, 1, 0, 1500, 9, 4, 1.5f},
    {"pulled for a while", {0, 1, STVK, 1e5f, 0, 2, 0.005f}, 1, 1, 0, 1500, 2, 4, 0},
    {"creeps from long", {0, 0, SNH, 1e5f, 8, 2, 0.005f}, 1.8f, 0.8f, 0, 0, 0, 6, 1.2f},
    {"creeps from flat", {0, 0, NH, 1e5f, 8, 2, 0.005f}, 1, 0.1f, 0, 0, 0, 6, 0},
    {"creeps slowly", {0, 0, SNH, 1e5f, 50, 2, 0.01f}, 1.8f, 0.8f, 0, 0, 0, 6, 1.5f},
    {"swings", {0, 1, SNH, 1e4f, 0, 0, 0.005f}, 1.7f, 0.7f, 0, 0, 0, 6, 0},
    {"swings softly", {0, 1, NH, 300, 0, 0, 0.01f}, 1.7f, 0.8f, 0, 0, 0, 16, 0},
    {"swings explicitly", {3, 0, STVK, 1e4f, 0, 0, 5e-4f}, 1.5f, 0.8f, 0, 0, 0, 4, 0},
    {"swings projected", {1, 0, SNH, 1e5f, 0, 0, 0.01f}, 1.8f, 0.7f, 0, 0, 0, 6, 0},
    {"swings compliant", {2, 1, SNH, 1e4f, 0, 0, 0.01f}, 1.8f, 0.7f, 0, 0, 0, 6, 0},
    {"spins", {0, 1, SNH, 1e4f, 0, 0, 0.005f}, 1, 1, 18, 0, 0, 6, 1.45f},
    {"spins damped", {0, 0, SNH, 1e4f, 0.05f, 0, 0.005f}, 1, 1, 18, 0, 0, 6, 1.3f},
    {"spins compliant", {2, 0, SNH, 1e4f, 0, 0, 0.005f}, 1, 1, 18, 0, 0, 6, 1.4f},
};

static float run(const struct play *play, bool untangle, float *x)
{
    float rest[3 * VERTICES], stretch = 0;
    const float dt = play->setting.dt;
    piola_body body;
    piola_report report = {0};
    piola_world *world = bar(&play->setting, untangle, &body, rest);
    put_stretched(world, body, rest, play->along, play->across);
    put_spin(world, body, rest, play->spin);
    while (report.time < (double)play->seconds) {
        if (play->force > 0 && report.time < (double)play->until)
            pull(world, body, rest, play->force, dt);
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, report.untangling, play->name);
        TEST_ASSERT_EQUAL_UINT32_MESSAGE(0, report.frozen, play->name);
        if (report.time > 0.9 * (double)play->seconds)
            stretch = fmaxf(stretch, report.max_stretch);
    }
    fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
    fixture_clean();
    return stretch;
}

/* To the bit as with untangling off. */
static void test_honest_bodies_are_left_alone(void)
{
    float x[2][3 * VERTICES];
    for (size_t i = 0; i < sizeof plays / sizeof *plays; ++i) {
        const float stretch = run(&plays[i], true, x[0]);
        (void)run(&plays[i], false, x[1]);
        TEST_ASSERT_EQUAL_MEMORY_MESSAGE(x[0], x[1], sizeof x[0], plays[i].name);
        TEST_ASSERT_TRUE_MESSAGE(stretch > plays[i].least, plays[i].name);
    }
}

/* A dome of 0.25 m, 3 mm thick, or the same turned over: its surface bent the other way, no element
 * inverted. `flat` has z through the shell. */
static void dome(const double *flat, int vertices, bool over, double *x)
{
    const double radius = 0.25;
    for (int i = 0; i < vertices; ++i) {
        const double u = flat[3 * i] - 0.2, v = flat[3 * i + 1] - 0.2;
        const double z = over ? -flat[3 * i + 2] : flat[3 * i + 2], r = sqrt(u * u + v * v);
        const double out = (radius + z) * sin(r / radius), up = (radius + z) * cos(r / radius);
        x[3 * i] = r > 0 ? out * u / r : 0;
        x[3 * i + 1] = r > 0 ? out * v / r : 0;
        x[3 * i + 2] = over ? radius - up : up - radius;
    }
}

static double energy_of(piola_world *world, piola_body body)
{
    double energy = 0;
    fixture_ok(piola_body_elastic_energy(world, body, &energy), NULL);
    return energy;
}

/* A solid shell may rest in two shapes, and stays in the one it was snapped into. */
static void test_a_snapped_shell_is_left_alone(void)
{
    static const struct setting s = {0, 0, STVK, 1e6f, 0, 5, 0.005f};
    const int cells[3] = {10, 10, 1};
    const double size[3] = {0.4, 0.4, 0.003};
    const piola_material m = material_for(&s);
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, cells, size, 5));
    const int n = mesh.vertices;
    double *over = fixture_memory((size_t)n * 3 * sizeof *over);
    float *x = fixture_memory((size_t)n * 3 * sizeof *x);
    dome(mesh.x, n, true, over);
    for (int i = 0; i < 3 * n; ++i)
        x[i] = (float)over[i];
    dome(mesh.x, n, false, over);
    memcpy(mesh.x, over, (size_t)n * 3 * sizeof *over);
    piola_mesh_desc desc = fixture_mesh(&mesh, &m);
    ref_mesh_free(&mesh);
    piola_world *world = world_for(&s);
    piola_body_desc b = piola_body_desc_default();
    piola_body body;
    b.asset = fixture_compile(&desc);
    b.damping = s.damping;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_ok(piola_body_set_positions(world, body, 0, (uint32_t)n, x, NULL), NULL);
    piola_report report = {0};
    double before = 0;
    while (report.time < 6) {
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, report.untangling);
        before = report.time < 4 ? energy_of(world, body) : before;
    }
    const double energy = energy_of(world, body);
    TEST_ASSERT_TRUE_MESSAGE(energy > 0.1, "the shell did not stay turned over");
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-2 * energy, before, energy, "it does not lie still");
}

/* ---- tangles ---- */

static void put_any(piola_world *world, piola_body body, uint64_t *random)
{
    float x[3 * VERTICES];
    for (int i = 0; i < 3 * VERTICES; ++i)
        x[i] = (float)(0.3 * (2 * fixture_uniform(random) - 1));
    fixture_ok(piola_body_set_positions(world, body, 0, VERTICES, x, NULL), NULL);
}

/* A bar under a projection solver that stays tangled, trembling, as long as it is let: the state of
 * `random` that led to it, and how it is set. */
static struct setting find_tangle(uint64_t *random, uint64_t *found)
{
    static const struct setting settings[] = {{1, 0, NH, 1e5f, 0, 2, 0.033f},
                                              {2, 0, NH, 1e5f, 0, 2, 0.033f}};
    for (int i = 0; i < 400; ++i) {
        const struct setting *s = &settings[i % 2];
        float rest[3 * VERTICES];
        piola_body body;
        piola_world *world = bar(s, false, &body, rest);
        *found = *random;
        put_any(world, body, random);
        fixture_steps(world, NULL, 400);
        const double energy = energy_of(world, body);
        fixture_clean();
        if (energy > 50)
            return *s;
    }
    TEST_FAIL_MESSAGE("no bar got into a tangle");
    return settings[0];
}

static void test_what_trembles_is_led_back(void)
{
    uint64_t random = fixture_seed(), seed;
    float rest[3 * VERTICES];
    piola_body body;
    piola_report report = {0};
    const struct setting s = find_tangle(&random, &seed);
    piola_world *world = bar(&s, true, &body, rest);
    put_any(world, body, &seed);
    double led = 0;
    while (report.time < 10) {
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        led = led == 0 && report.untangling ? report.time : led;
    }
    TEST_ASSERT_TRUE(led > 1);
    TEST_ASSERT_TRUE(energy_of(world, body) < 1);
}

/* A tangle that is pushed for 10 s, and is left alone meanwhile. Pushes free some: others are
 * taken. */
static piola_world *pushed_tangle(piola_body *body, piola_report *report)
{
    uint64_t random = fixture_seed(), seed;
    for (int try = 0; try < 40; ++try) {
        float rest[3 * VERTICES];
        const struct setting s = find_tangle(&random, &seed);
        piola_world *world = bar(&s, true, body, rest);
        put_any(world, *body, &seed);
        for (int step = 0; step < 300; ++step) {
            if (step % 20 == 0)
                fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, *body, 3, 1e-3f, 0, 0);
            fixture_ok(piola_world_step(world, NULL, report), NULL);
            TEST_ASSERT_EQUAL_UINT32(0, report->untangling);
        }
        if (energy_of(world, *body) > 50)
            return world;
        fixture_clean();
    }
    TEST_FAIL_MESSAGE("no tangle bears pushes");
    return NULL;
}

/* Who pulls at a tangle has it for himself. What is known of it is part of the state. */
static void test_pushes_and_snapshots(void)
{
    piola_body body;
    piola_report report = {0};
    piola_world *world = pushed_tangle(&body, &report);
    const size_t bytes = piola_snapshot_size(world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    uint64_t hash[2];
    for (int i = 0; i < 2; ++i) {
        int led = 0;
        while (!led && report.step < 2000) {
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            led = (int)report.untangling;
        }
        hash[i] = piola_world_hash(world) ^ report.step;
        TEST_ASSERT_TRUE(led);
        if (i == 0)
            fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
    }
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_honest_bodies_are_left_alone);
    RUN_TEST(test_a_snapped_shell_is_left_alone);
    RUN_TEST(test_what_trembles_is_led_back);
    RUN_TEST(test_pushes_and_snapshots);
    return UNITY_END();
}
