/* No energy from nothing: in random scenes of solids and cloth, elastic and kinetic energy after a
 * step is never above what it was and the work of gravity; vibrations never grow; what is taken is
 * told, leaves momenta alone, and has the same bits everywhere.
 *
 * covers: src/motion/energy.c src/motion/energy_sums.c ispc/solids/energy.ispc
 */
#include "cloth_fixture.h"
#include "fixture.h"
#include "golden.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* ---- random scenes -------------------------------------------------------------------------- */

struct draw {
    bool solid, pinned;
    int cells[3];
    double young, cell, speed, length;
    piola_world_desc desc;
    piola_material material, bend;
};

static double between(uint64_t *random, double low, double high)
{
    return low + (high - low) * fixture_uniform(random);
}

static int one_of(uint64_t *random, int low, int high)
{
    return low + (int)(fixture_random(random) % (uint64_t)(high - low + 1));
}

static piola_material any_material(uint64_t *random, bool solid, double young)
{
    static const float general[21] = {1.4f, .6f, .6f, 0, .01f, 0, 1.4f, .6f, 0,    0,  .02f,
                                      1.4f, 0,   0,   0, .4f,  0, 0,    .4f, .01f, .4f};
    piola_material m = piola_material_default();
    const int model = one_of(random, 0, 4);
    m.model = solid || model < 2 ? (piola_model)model : PIOLA_MODEL_STVK;
    m.young = (float)young;
    m.poisson = (float)between(random, 0, solid ? 0.49 : 0.4);
    m.density = solid ? 1000 : 0.3f;
    for (int k = 0; k < 3; ++k) {
        m.young_axis[k] = (float)(young * between(random, 0.5, 2));
        m.poisson_axis[k] = 0.1f;
        m.shear_axis[k] = (float)(0.4 * young);
    }
    for (int k = 0; k < 21; ++k)
        m.stiffness[k] = general[k] * (float)young;
    if (one_of(random, 0, 3) == 0)
        m.damping = (float)pow(10, between(random, -4, -1));
    if (solid && model >= 1 && model <= 3 && one_of(random, 0, 5) == 0) {
        m.plastic_yield = 0.01f;
        m.plastic_creep = 20;
        m.plastic_max = 0.3f;
    }
    return m;
}

static void draw_scene(uint64_t *random, struct draw *s)
{
    memset(s, 0, sizeof *s);
    s->solid = one_of(random, 0, 3) > 0;
    s->pinned = one_of(random, 0, 1) == 0;
    s->young = pow(10, s->solid ? between(random, 4, 9) : between(random, 1, 6));
    s->cell = pow(10, between(random, -2, 0));
    s->speed = pow(10, between(random, -2, 1));
    s->cells[0] = one_of(random, 1, s->solid ? 6 : 7);
    s->cells[1] = one_of(random, 1, s->solid ? 3 : 7);
    s->cells[2] = one_of(random, 1, 3);
    s->length = s->cell * s->cells[0];
    s->material = any_material(random, s->solid, s->young);
    s->bend = piola_material_default();
    s->bend.bend = (float)(s->young * s->cell * s->cell * pow(10, between(random, -5, -1)));
    s->bend.bend_model = (piola_bend_model)one_of(random, 0, 1);
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 1;
    d.max_particles = 1024;
    d.max_plastic_packs = 2048;
    d.dt = (float)pow(10, between(random, -3, log10(1 / 30.0)));
    d.iterations = (uint32_t)one_of(random, 1, 20);
    d.substeps = (uint32_t)one_of(random, 1, 3);
    d.integrator = (piola_integrator)(one_of(random, 0, 2) == 0);
    d.coarse_level = one_of(random, 0, 3) > 0;
    d.chebyshev = one_of(random, 0, 5) == 0 ? (float)between(random, 0.5, 0.95) : 0;
    if (one_of(random, 0, 1))
        memset(d.gravity, 0, sizeof d.gravity);
    s->desc = d;
}

static const piola_asset *compile(uint64_t *random, struct draw *s)
{
    if (!s->solid) {
        ref_sheet_mesh sheet;
        const double size[2] = {s->cells[0] * s->cell, s->cells[1] * s->cell};
        TEST_ASSERT_TRUE(ref_sheet_mesh_grid(&sheet, s->cells, size, REF_SHEET_ALTERNATE,
                                             between(random, 0, 0.25), fixture_random(random)));
        piola_mesh_desc desc =
            cloth_mesh(&sheet, &s->material, one_of(random, 0, 2) ? &s->bend : NULL, NULL);
        desc.coarse_level = one_of(random, 0, 1) == 0;
        const piola_asset *cloth = fixture_compile(&desc);
        ref_sheet_mesh_free(&sheet);
        return cloth;
    }
    ref_mesh mesh;
    const double size[3] = {s->cells[0] * s->cell, s->cells[1] * s->cell, s->cells[2] * s->cell};
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, s->cells, size, one_of(random, 5, 6)));
    ref_mesh_distort(&mesh, between(random, 0, 0.15) * s->cell, fixture_random(random));
    const piola_mesh_desc desc = fixture_mesh(&mesh, &s->material);
    const piola_asset *asset = fixture_compile(&desc);
    ref_mesh_free(&mesh);
    return asset;
}

static bool is_pinned(const struct draw *s, uint32_t vertex)
{
    const uint32_t end = (uint32_t)((s->cells[1] + 1) * (s->cells[2] + 1));
    return s->pinned && (s->solid ? vertex < end : vertex == 0 || vertex == (uint32_t)s->cells[1]);
}

/* Shaken, kicked, bent and strained, each in some scenes. */
static void disturb(uint64_t *random, const struct draw *s, piola_world *world, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    float *x = fixture_memory(3 * info.vertices * sizeof *x);
    float *v = fixture_memory(3 * info.vertices * sizeof *v);
    fixture_ok(piola_body_positions(world, body, 0, info.vertices, x), NULL);
    fixture_ok(piola_body_velocities(world, body, 0, info.vertices, v), NULL);
    const double shake = one_of(random, 0, 2) ? 0 : between(random, 0, 0.4) * s->cell;
    const double kick = one_of(random, 0, 2) ? 0 : s->speed;
    const double bend = one_of(random, 0, 1) ? between(random, 0, 1) / s->length : 0;
    const double strain = one_of(random, 0, 2) ? 0 : between(random, -0.1, 0.2);
    for (uint32_t i = 0; i < info.vertices; ++i) {
        for (int k = 0; k < 3; ++k) {
            x[3 * i + (uint32_t)k] += (float)(shake * between(random, -1, 1));
            v[3 * i + (uint32_t)k] += (float)(kick * between(random, -1, 1));
        }
        x[3 * i + 2] += (float)(bend * (double)x[3 * i] * (double)x[3 * i]);
        x[3 * i] *= (float)(1 + strain);
    }
    fixture_ok(piola_body_set_positions(world, body, 0, info.vertices, x, NULL), NULL);
    fixture_ok(piola_body_set_velocities(world, body, 0, info.vertices, v, NULL), NULL);
    for (uint32_t i = 0; i < info.vertices; ++i)
        if (is_pinned(s, i))
            fixture_ok(piola_body_pin(world, body, i, &x[3 * i]), NULL);
}

static piola_world *enter(uint64_t *random, struct draw *s, piola_body *body)
{
    piola_body_desc b = piola_body_desc_default();
    b.asset = compile(random, s);
    for (int k = 0; k < 3 && !s->pinned; ++k) {
        b.velocity[k] = (float)(s->speed * between(random, -1, 1));
        b.angular_velocity[k] = (float)(s->speed / s->length * between(random, -1, 1));
    }
    piola_world *world = fixture_world(&s->desc);
    fixture_ok(piola_body_create(world, &b, body, NULL), NULL);
    disturb(random, s, world, *body);
    return world;
}

/* ---- energy --------------------------------------------------------------------------------- */

/* A body's spin about its centre, by Cramer's rule. */
struct spin {
    double centre[3], turn[3], chord[3];
};

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void solve(double m[3][3], const double right[3], double out[3])
{
    double c[3];
    cross(m[1], m[2], c);
    const double det = dot(m[0], c);
    const double size = (m[0][0] + m[1][1] + m[2][2]) / 3;
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < 3 && det > 1e-9 * size * size * size; ++k) {
        cross(m[(k + 1) % 3], m[(k + 2) % 3], c);
        for (int j = 0; j < 3; ++j)
            out[j] += right[k] * c[j] / det;
    }
}

static void particle(const piola_world *world, uint32_t i, double x[3], double v[3])
{
    const struct pk_quad *p = &world_position(world)[i], *u = &world_velocity(world)[i];
    x[0] = (double)p->x, x[1] = (double)p->y, x[2] = (double)p->z;
    v[0] = (double)u->x, v[1] = (double)u->y, v[2] = (double)u->z;
}

/* Outwards, half of the substep's turn of the velocity of what turns; and what of that would turn
 * it. */
static void outwards(const struct spin *s, double dt, const double arm[3], double out[3])
{
    double side[3], inwards[3], turn[3];
    cross(s->turn, arm, side);
    cross(s->turn, side, inwards);
    cross(s->chord, arm, turn);
    for (int k = 0; k < 3; ++k)
        out[k] = -0.5 * dt * inwards[k] - turn[k];
}

static struct spin spin_of(const piola_world *world, const struct body *b, double dt)
{
    struct spin s = {{0}, {0}, {0}};
    const float *mass = asset_mass(body_asset(world, b));
    double all = 0, l[3] = {0}, m[3][3] = {{0}}, x[3], v[3], c[3];
    for (uint32_t i = 0; i < b->count; ++i) {
        particle(world, b->first + i, x, v);
        all += (double)mass[i];
        for (int k = 0; k < 3; ++k)
            s.centre[k] += (double)mass[i] * x[k];
    }
    for (int k = 0; k < 3; ++k)
        s.centre[k] /= all;
    for (int pass = 0; pass < 2; ++pass) {
        memset(l, 0, sizeof l);
        memset(m, 0, sizeof m);
        for (uint32_t i = 0; i < b->count; ++i) {
            particle(world, b->first + i, x, v);
            for (int k = 0; k < 3; ++k)
                x[k] -= s.centre[k];
            if (pass)
                outwards(&s, dt, x, v);
            cross(x, v, c);
            for (int k = 0; k < 3; ++k) {
                l[k] += (double)mass[i] * c[k];
                for (int j = 0; j < 3; ++j)
                    m[k][j] += (double)mass[i] * ((k == j ? dot(x, x) : 0) - x[k] * x[j]);
            }
        }
        solve(m, l, pass ? s.chord : s.turn);
    }
    return s;
}

/* J. Of what turns freely, velocities of implicit Euler are chords: they count turned to the
 * substep's end (docs/method/energy.md). */
static double energy_now(const piola_world *world, piola_body body, bool chords, double *turn)
{
    const struct body *b = body_find(world, body);
    const float *mass = asset_mass(body_asset(world, b));
    const double dt = (double)world->desc.dt / world->desc.substeps;
    const struct spin s = spin_of(world, b, dt);
    double sum, x[3], v[3], out[3];
    *turn = dt * sqrt(dot(s.turn, s.turn));
    fixture_ok(piola_body_elastic_energy(world, body, &sum), NULL);
    for (uint32_t i = 0; i < b->count; ++i) {
        particle(world, b->first + i, x, v);
        for (int k = 0; k < 3; ++k)
            x[k] -= s.centre[k];
        outwards(&s, dt, x, out);
        for (int k = 0; k < 3; ++k)
            v[k] -= chords ? out[k] : 0;
        sum += 0.5 * (double)mass[i] * dot(v, v);
    }
    return sum;
}

/* What the rounding of positions may do to elastic energy, J. */
static double blur(const struct draw *s, const piola_body_info *info, double most)
{
    const double far =
        s->length + fabs(info->centre[0]) + fabs(info->centre[1]) + fabs(info->centre[2]);
    const double volume = info->mass / (double)s->material.density;
    const double least = 10 * s->young * volume * pow(1.2e-7 * far / s->cell, 2);
    return least + 2 * sqrt(least * most / info->vertices);
}

/* Over the largest energy or work of the scene: by how much more the energy rises in a step than by
 * the work of gravity. With BDF2, beyond an account that falls to it. */
static double rise_of(uint64_t seed, int steps, bool guarded, double *taken)
{
    struct draw s;
    piola_body body;
    uint64_t random = seed;
    draw_scene(&random, &s);
    s.desc.guard_energy = guarded;
    piola_world *world = enter(&random, &s, &body);
    const bool second = s.desc.integrator == PIOLA_INTEGRATOR_BDF2;
    const bool chords = !s.pinned && !second;
    piola_body_info info, was;
    fixture_ok(piola_body_inspect(world, body, &was), NULL);
    double turn, turned, worst = 0;
    double had = energy_now(world, body, chords, &turned), account = had, most = had;
    for (int i = 0; i < steps; ++i) {
        piola_report report;
        double work = 0;
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        TEST_ASSERT_EQUAL_UINT32(0, report.frozen);
        TEST_ASSERT_TRUE(report.energy_taken == info.energy_taken);
        TEST_ASSERT_TRUE(report.energy_taken >= 0);
        *taken += report.energy_taken;
        if (report.untangling)
            break;
        for (int k = 0; k < 3; ++k)
            work += info.mass * (double)s.desc.gravity[k] * (info.centre[k] - was.centre[k]);
        const double has = energy_now(world, body, chords, &turn);
        account = second ? fmax(account, had) + work : had + work;
        most = fmax(most, fmax(has, fabs(work)));
        /* Half a turn a substep has no end of a chord to count to. */
        if (s.pinned || fmax(turn, turned) < 0.2)
            worst = fmax(worst, (has - account - s.desc.substeps * blur(&s, &info, most)) / most);
        turned = turn;
        /* The account falls in each substep; at most it stays in a step. */
        account = has + fmax(0, account - has);
        had = has;
        was = info;
    }
    return worst;
}

static bool proofs(void)
{
    return getenv("PIOLA_PROOFS") != NULL;
}

static void test_energy_never_rises(void)
{
    uint64_t random = fixture_seed();
    const int scenes = proofs() ? 10000 : fixture_count(80, 8);
    double most = 0, taken = 0;
    for (int i = 0; i < scenes; ++i) {
        const uint64_t seed = fixture_random(&random);
        const double rise = rise_of(seed, 30, true, &taken);
        if (rise > 1e-5)
            printf("scene %llu: energy rose by %.2e of the most there was\n",
                   (unsigned long long)seed, rise);
        most = fmax(most, rise);
        fixture_clean();
    }
    printf("%d scenes: at most %.1e of the energy came from nothing\n", scenes, most);
    TEST_ASSERT_TRUE(most <= 1e-5);
}

/* The same scenes do get energy without the guard: what the test above looks at is there. */
static void test_without_the_guard_it_does(void)
{
    uint64_t random = 1;
    int risen = 0;
    double taken = 0;
    for (int i = 0; i < 60; ++i) {
        risen += rise_of(fixture_random(&random), 30, false, &taken) > 1e-3;
        fixture_clean();
    }
    printf("%d of 60 scenes get energy without the guard\n", risen);
    TEST_ASSERT_TRUE(risen >= 1);
    TEST_ASSERT_TRUE(taken == 0);
}

/* ---- vibrations ----------------------------------------------------------------------------- */

/* A cantilever that is let go: its tip goes neither higher nor deeper than in the first half of the
 * time. */
static void swings(double young, uint32_t iterations, piola_integrator integrator, int steps)
{
    piola_material m = piola_material_default();
    m.young = (float)young;
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 1;
    d.iterations = iterations;
    d.integrator = integrator;
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, fixture_beam_of(8, 2, 2, 0.05, &m, 0), 0, 0, 0);
    float x[3];
    for (uint32_t v = 0; v < 9; ++v) {
        fixture_ok(piola_body_positions(world, body, v, 1, x), NULL);
        fixture_ok(piola_body_pin(world, body, v, x), NULL);
    }
    fixture_ok(piola_body_positions(world, body, 76, 1, x), NULL);
    const double from = (double)x[1];
    double deep[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int i = 0; i < steps; ++i) {
        const int half = 2 * i >= steps;
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_body_positions(world, body, 76, 1, x), NULL);
        const double y = (double)x[1] - from;
        deep[half] = fmin(deep[half], y);
        high[half] = fmax(high[half], y);
    }
    if (!(high[1] <= high[0] - 1e-3 * deep[0] + 1e-6) || !(deep[1] >= deep[0] * (1 + 1e-3) - 1e-6))
        printf("%g Pa, %u iterations, integrator %d: %g to %g m, then %g to %g\n", young,
               iterations, (int)integrator, deep[0], high[0], deep[1], high[1]);
    TEST_ASSERT_TRUE(high[1] <= high[0] - 1e-3 * deep[0] + 1e-6);
    TEST_ASSERT_TRUE(deep[1] >= deep[0] * (1 + 1e-3) - 1e-6);
}

static void test_vibrations_never_grow(void)
{
    /* Softer ones take longer for a swing than the brief test. */
    const int steps = proofs() ? 100000 : 200;
    for (int e = proofs() ? 4 : 6; e <= 9; ++e)
        for (uint32_t iterations = 1; iterations <= 5; iterations += 4)
            for (int k = 0; k < PIOLA_INTEGRATOR_COUNT; ++k) {
                swings(pow(10, e), iterations, (piola_integrator)k, steps);
                fixture_clean();
            }
}

/* ---- what it leaves alone ------------------------------------------------------------------- */

/* Kicks at random on a stiff body that flies. */
static piola_world *kicked(piola_isa isa, piola_integrator integrator, piola_body *body)
{
    uint64_t random = 5;
    piola_material m = piola_material_default();
    m.young = 1e8f;
    piola_world_desc d = piola_world_desc_default();
    d.max_bodies = 1;
    d.isa = isa;
    d.integrator = integrator;
    d.iterations = 2;
    d.substeps = 2;
    piola_world *world = fixture_world(&d);
    *body = fixture_body(world, fixture_beam_of(5, 2, 2, 0.05, &m, 64), 0, 0, 0);
    float v[3 * 54];
    for (int i = 0; i < 3 * 54; ++i)
        v[i] = (float)between(&random, -1, 1);
    fixture_ok(piola_body_set_velocities(world, *body, 0, 54, v, NULL), NULL);
    return world;
}

static void test_momenta_stay(void)
{
    piola_body body;
    piola_world *world = kicked(PIOLA_ISA_AUTO, PIOLA_INTEGRATOR_EULER, &body);
    piola_body_info before, after;
    fixture_ok(piola_body_inspect(world, body, &before), NULL);
    piola_report report;
    double taken = 0;
    for (int i = 0; i < 100; ++i) {
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        taken += report.energy_taken;
    }
    fixture_ok(piola_body_inspect(world, body, &after), NULL);
    TEST_ASSERT_TRUE(taken > 0.1 * before.kinetic_energy);
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double fallen = after.mass * -9.81 * 0.5 * (k == 1);
        const double orbit[2] = {
            before.centre[i] * before.momentum[j] - before.centre[j] * before.momentum[i],
            after.centre[i] * after.momentum[j] - after.centre[j] * after.momentum[i]};
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * after.mass, before.momentum[k] + fallen,
                                  after.momentum[k]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * after.mass, before.angular_momentum[k] - orbit[0],
                                  after.angular_momentum[k] - orbit[1]);
    }
}

/* Also from a snapshot, which does not hold what was measured before. */
static void test_same_bits(void)
{
    piola_workers *workers = golden_workers(2);
    for (int k = 0; k < PIOLA_INTEGRATOR_COUNT; ++k) {
        uint64_t hash = 0;
        for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa) {
            piola_body body;
            if (!piola_isa_available((piola_isa)isa))
                continue;
            piola_world *world = kicked((piola_isa)isa, (piola_integrator)k, &body);
            fixture_steps(world, NULL, 5);
            const size_t bytes = piola_snapshot_size(world);
            void *snapshot = fixture_memory(bytes);
            fixture_ok(piola_snapshot_save(world, snapshot, bytes), NULL);
            fixture_steps(world, workers ? piola_workers_tasks(workers) : NULL, 5);
            const uint64_t now = piola_world_hash(world);
            fixture_ok(piola_snapshot_restore(world, snapshot, bytes), NULL);
            fixture_steps(world, NULL, 5);
            TEST_ASSERT_EQUAL_HEX64(now, piola_world_hash(world));
            TEST_ASSERT_TRUE(hash == 0 || hash == now);
            hash = now;
        }
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_energy_never_rises);
    RUN_TEST(test_without_the_guard_it_does);
    RUN_TEST(test_vibrations_never_grow);
    RUN_TEST(test_momenta_stay);
    RUN_TEST(test_same_bits);
    return UNITY_END();
}
