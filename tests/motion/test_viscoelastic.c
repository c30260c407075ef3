/* covers: src/motion/viscoelastic.c ispc/solids/viscoelastic.ispc ispc/solids/viscoelastic.isph
 * src/compile/viscosity.c src/verify/verify_viscosity.c
 *
 * Materials that relax, against the standard linear solid and its kin: stress under a held stretch,
 * creep under a held load, phase under a swinging one, energy, rotations, snapshots, refusals. */
#include "fixture.h"
#include "ref_mesh.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static double uniform(double low, double high)
{
    return low + (high - low) * fixture_uniform(&seed);
}

/* A block on rollers: x, y and z of its faces at 0 are held, so a pull along x is uniform. */
struct block {
    piola_world *world;
    piola_body body;
    ref_mesh mesh;
    double length, area;
    double *share; /* of each vertex in the face at the far end */
};

static piola_material tissue(piola_model model, double young, int branches)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.young = (float)young;
    m.poisson = 0.3f;
    m.density = (float)(1e-4 * young); /* waves cross it in 4 ms, whatever its stiffness */
    const float share[3] = {0.8f, 0.5f, 1.5f}, time[3] = {1, 0.1f, 5};
    for (int b = 0; b < branches; b++)
        m.relaxation[b] = (piola_relaxation){share[b], time[b]};
    return m;
}

static bool at_end(const struct block *b, uint32_t v)
{
    return b->mesh.x[3 * v] > b->length * 0.999;
}

/* Areas of the far face's triangles, a third to each corner. */
static void find_shares(struct block *b)
{
    b->share = fixture_memory((uint32_t)b->mesh.vertices * sizeof *b->share);
    memset(b->share, 0, (uint32_t)b->mesh.vertices * sizeof *b->share);
    for (uint32_t t = 0; t < (uint32_t)b->mesh.tets; t++)
        for (int skip = 0; skip < 4; skip++) {
            uint32_t c[3];
            int n = 0;
            for (int k = 0; k < 4; k++)
                if (k != skip)
                    c[n++] = (uint32_t)b->mesh.tet[4 * t + (uint32_t)k];
            if (!at_end(b, c[0]) || !at_end(b, c[1]) || !at_end(b, c[2]))
                continue;
            const double *p = b->mesh.x + 3 * c[0], *q = b->mesh.x + 3 * c[1],
                         *r = b->mesh.x + 3 * c[2];
            const double area =
                0.5 * fabs((q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1]));
            for (int k = 0; k < 3; k++)
                b->share[c[k]] += area / (3 * b->area);
        }
}

/* Holds a vertex where its faces are; `stretch` moves the far face too, when it is above 0. */
static void hold(const struct block *b, uint32_t v, double stretch)
{
    const double *x = b->mesh.x + 3 * v;
    float at[3] = {(float)x[0], (float)x[1], (float)x[2]}, way[3] = {0, 0, 0};
    bool held[3];
    int count = 0;
    for (int k = 0; k < 3; k++)
        held[k] = x[k] < 1e-9;
    if (stretch > 0 && at_end(b, v)) {
        held[0] = true;
        at[0] = (float)(stretch * x[0]);
    }
    for (int k = 0; k < 3; k++)
        count += held[k];
    if (count == 3) {
        fixture_ok(piola_body_pin(b->world, b->body, v, at), NULL);
    } else if (count == 2) {
        for (int k = 0; k < 3; k++)
            way[k] = held[k] ? 0 : 1;
        fixture_ok(piola_body_pin_line(b->world, b->body, v, at, way), NULL);
    } else if (count == 1) {
        for (int k = 0; k < 3; k++)
            way[k] = held[k] ? 1 : 0;
        fixture_ok(piola_body_pin_plane(b->world, b->body, v, at, way), NULL);
    }
}

static void hold_all(const struct block *b, double stretch)
{
    for (uint32_t v = 0; v < (uint32_t)b->mesh.vertices; v++)
        hold(b, v, stretch);
}

static piola_world_desc quiet(double dt, uint32_t iterations)
{
    piola_world_desc d = piola_world_desc_default();
    d.dt = (float)dt;
    d.iterations = iterations;
    d.report_physics = true;
    d.vertex_forces = true;
    d.max_guides = 4096;
    d.max_commands = 2048;
    d.max_packs = 4096;
    d.max_plastic_packs = 4096;
    memset(d.gravity, 0, sizeof d.gravity);
    return d;
}

static struct block block_of(const piola_world_desc *desc, const piola_material *m, int n)
{
    struct block b = {.length = 0.4, .area = 0.04};
    const int cells[3] = {2 * n, n, n};
    const double size[3] = {0.4, 0.2, 0.2};
    TEST_ASSERT_TRUE(ref_mesh_beam(&b.mesh, cells, size, 5));
    piola_mesh_desc described = fixture_mesh(&b.mesh, m);
    b.world = fixture_world(desc);
    b.body = fixture_body(b.world, fixture_compile(&described), 0, 0, 0);
    find_shares(&b);
    return b;
}

static void end_block(struct block *b)
{
    ref_mesh_free(&b->mesh);
    fixture_clean();
}

/* N along x, that the far face is held by. */
static double pull_of(const struct block *b)
{
    float *f = fixture_memory(3 * (uint32_t)b->mesh.vertices * sizeof *f);
    double sum = 0;
    fixture_ok(piola_body_reactions(b->world, b->body, 0, (uint32_t)b->mesh.vertices, f), NULL);
    for (uint32_t v = 0; v < (uint32_t)b->mesh.vertices; v++)
        sum += at_end(b, v) ? (double)f[3 * v] : 0;
    return sum;
}

static double stretch_of(const struct block *b)
{
    float *x = fixture_memory(3 * (uint32_t)b->mesh.vertices * sizeof *x);
    double sum = 0;
    fixture_ok(piola_body_positions(b->world, b->body, 0, (uint32_t)b->mesh.vertices, x), NULL);
    for (uint32_t v = 0; v < (uint32_t)b->mesh.vertices; v++)
        sum += b->share[v] * (double)x[3 * v];
    return sum / b->length;
}

/* Stress over modulus of the linear solid, its strain having gone evenly to `strain` in `ramp`. */
static double relaxed(const piola_material *m, double strain, double ramp, double after)
{
    double sum = strain;
    for (int b = 0; b < PIOLA_RELAXATIONS; b++) {
        const double tau = (double)m->relaxation[b].time;
        if (m->relaxation[b].share > 0)
            sum += (double)m->relaxation[b].share * strain * tau / ramp * (1 - exp(-ramp / tau)) *
                   exp(-after / tau);
    }
    return sum;
}

/* The largest error of the stress under a held stretch, over the instant stress. */
static double hold_error(const piola_material *m, double strain, double dt, uint32_t iterations)
{
    const piola_world_desc desc = quiet(dt, iterations);
    struct block b = block_of(&desc, m, 2);
    hold_all(&b, 1 + strain);
    double worst = 0;
    const double scale = relaxed(m, strain, dt, 0);
    const int steps = dt > 0.5 ? 8 : (int)(8 / dt);
    for (int i = 0; i <= steps; i++) {
        fixture_steps(b.world, NULL, 1);
        if (i % (1 + steps / 40) != 0 || i == 0)
            continue;
        const double stress = pull_of(&b) / b.area / (double)m->young;
        worst = fmax(worst, fabs(stress - relaxed(m, strain, dt, i * dt)) / scale);
    }
    end_block(&b);
    return worst;
}

/* Whatever model, stiffness, step and iterations. */
static void test_stress_relaxes(void)
{
    static const piola_model models[] = {PIOLA_MODEL_STVK, PIOLA_MODEL_STABLE_NEO_HOOKEAN,
                                         PIOLA_MODEL_NEO_HOOKEAN};
    for (int k = 0; k < 3; k++)
        for (double young = 1e4; young < 2e8; young *= 100)
            for (double dt = 0.02; dt < 2; dt *= 7) {
                const int branches = 1 + k;
                const piola_material m = tissue(models[k], young, branches);
                const uint32_t iterations = dt < 0.5 ? 5 : 10;
                const double error = hold_error(&m, 2e-3, dt, iterations);
                printf("held, model %d, %.0e Pa, dt %g s, %u iterations: off by %.1e\n",
                       (int)models[k], young, dt, iterations, error);
                TEST_ASSERT_DOUBLE_WITHIN(0.01, 0, error);
            }
}

/* Strain under a stress that came at once, over that of a slow one: dashpots of the linear solid by
 * Runge and Kutta. */
static double crept(const piola_material *m, double time)
{
    const int steps = 4000;
    const double dt = time / steps;
    double d[3] = {0, 0, 0}, whole = 1;
    for (int b = 0; b < 3; b++)
        whole += (double)m->relaxation[b].share;
    double e = 1 / whole;
    for (int n = 0; n < steps; n++) {
        double rate[3], middle[3], held = 0;
        for (int b = 0; b < 3; b++) {
            const double tau = m->relaxation[b].share > 0 ? (double)m->relaxation[b].time : 1;
            rate[b] = (e - d[b]) / tau;
            middle[b] = d[b] + dt / 2 * rate[b];
            held += (double)m->relaxation[b].share * middle[b];
        }
        const double half = (1 + held) / whole;
        held = 0;
        for (int b = 0; b < 3; b++) {
            const double tau = m->relaxation[b].share > 0 ? (double)m->relaxation[b].time : 1;
            d[b] += dt * (half - middle[b]) / tau;
            held += (double)m->relaxation[b].share * d[b];
        }
        e = (1 + held) / whole;
    }
    return e;
}

static double creep_error(const piola_material *m, double dt, uint32_t iterations)
{
    const piola_world_desc desc = quiet(dt, iterations);
    struct block b = block_of(&desc, m, 2);
    const double strain = 1e-3;
    double worst = 0;
    hold_all(&b, 0);
    for (uint32_t v = 0; v < (uint32_t)b.mesh.vertices; v++)
        if (b.share[v] > 0) {
            const float f[3] = {(float)(strain * (double)m->young * b.area * b.share[v]), 0, 0};
            fixture_ok(piola_body_set_force(b.world, b.body, v, f), NULL);
        }
    const int steps = (int)(6 / dt);
    for (int i = 1; i <= steps; i++) {
        fixture_steps(b.world, NULL, 1);
        if (i % (1 + steps / 12) == 0)
            worst = fmax(worst, fabs((stretch_of(&b) - 1) / strain - crept(m, i * dt)));
    }
    end_block(&b);
    return worst;
}

static void test_strain_creeps(void)
{
    static const piola_model models[] = {PIOLA_MODEL_STVK, PIOLA_MODEL_STABLE_NEO_HOOKEAN,
                                         PIOLA_MODEL_NEO_HOOKEAN};
    for (int k = 0; k < 3; k++)
        for (double young = 1e4; young < 2e8; young *= 100)
            for (double dt = 0.01; dt < 0.2; dt *= 10) {
                const piola_material m = tissue(models[k], young, 1 + k);
                const double error = creep_error(&m, dt, 5);
                printf("loaded, model %d, %.0e Pa, dt %g s: off by %.1e of the slow strain\n",
                       (int)models[k], young, dt, error);
                TEST_ASSERT_DOUBLE_WITHIN(0.02, 0, error);
            }
}

/* A free bar of some relaxing material, or of none. */
static struct block thrown(const piola_world_desc *desc, const piola_material *m,
                           const float spin[3], const float turn[4])
{
    struct block b = {.length = 0.4, .area = 0.04};
    const int cells[3] = {4, 2, 2};
    const double size[3] = {0.4, 0.2, 0.2};
    TEST_ASSERT_TRUE(ref_mesh_beam(&b.mesh, cells, size, 5));
    piola_mesh_desc described = fixture_mesh(&b.mesh, m);
    piola_body_desc body = piola_body_desc_default();
    body.asset = fixture_compile(&described);
    memcpy(body.angular_velocity, spin, sizeof body.angular_velocity);
    memcpy(body.rotation, turn, sizeof body.rotation);
    b.world = fixture_world(desc);
    fixture_ok(piola_body_create(b.world, &body, &b.body, NULL), NULL);
    return b;
}

/* J: what the body moves and holds. */
static double energy_of(const struct block *b)
{
    double elastic;
    piola_body_info info;
    fixture_ok(piola_body_elastic_energy(b->world, b->body, &elastic), NULL);
    fixture_ok(piola_body_inspect(b->world, b->body, &info), NULL);
    return elastic + info.kinetic_energy;
}

/* A plucked, turning bar never has more than it was given. */
static void test_energy_is_only_lost(void)
{
    for (int n = 0; n < 6; n++) {
        piola_material m = tissue(n % 2 ? PIOLA_MODEL_STVK : PIOLA_MODEL_STABLE_NEO_HOOKEAN,
                                  pow(10, uniform(4, 6)), 1 + n % 3);
        m.density = 1000;
        for (int b = 0; b < 3; b++)
            m.relaxation[b].time = m.relaxation[b].share > 0 ? (float)pow(10, uniform(-3, 1)) : 0;
        const piola_world_desc desc = quiet(pow(10, uniform(-3, -1.5)), 5);
        const float spin[3] = {1, 2, -1}, turn[4] = {0, 0, 0, 1};
        struct block b = thrown(&desc, &m, spin, turn);
        fixture_steps(b.world, NULL, 1);
        fixture_push(b.world, PIOLA_COMMAND_BODY_IMPULSE, b.body, 5, 0.5f, 0.2f, 0);
        fixture_steps(b.world, NULL, 1);
        const double first = energy_of(&b);
        double most = first;
        for (int i = 0; i < 300; i++) {
            fixture_steps(b.world, NULL, 1);
            const double now = energy_of(&b);
            TEST_ASSERT_TRUE(now < most * 1.001);
            most = fmin(most, now);
        }
        printf("energy %.2e J, %.2e J after 300 steps\n", first, most);
        TEST_ASSERT_TRUE(most < first);
        end_block(&b);
    }
}

/* The block of test_stress_relaxes turned by any rotation feels the same; so does one that turns
 * while its branches relax, as its twin without branches. */
static void test_turning_makes_no_stress(void)
{
    const piola_world_desc desc = quiet(0.01, 10);
    double stress[2], norm = 0;
    float turn[4];
    for (int k = 0; k < 4; k++) {
        turn[k] = (float)uniform(-1, 1);
        norm += (double)turn[k] * (double)turn[k];
    }
    for (int k = 0; k < 4; k++)
        turn[k] /= (float)sqrt(norm);
    for (int with = 0; with < 2; with++) {
        piola_material m = tissue(PIOLA_MODEL_STABLE_NEO_HOOKEAN, 1e6, with ? 3 : 0);
        m.density = 1000;
        m.damping = 0.02f; /* that nothing swings when stresses are read */
        const float spin[3] = {2, -1, 3};
        struct block b = thrown(&desc, &m, spin, turn);
        fixture_steps(b.world, NULL, 400);
        piola_element_state *s = fixture_memory((size_t)b.mesh.tets * sizeof *s);
        fixture_ok(piola_body_tetrahedron_states(b.world, b.body, 0, (uint32_t)b.mesh.tets, s),
                   NULL);
        stress[with] = 0;
        for (int t = 0; t < b.mesh.tets; t++)
            stress[with] = fmax(stress[with], (double)s[t].von_mises);
        end_block(&b);
    }
    /* Of 1e6 Pa: the strain of single precision is some 1e-7. */
    printf("a bar that spins: %.2f Pa, with branches %.2f Pa\n", stress[0], stress[1]);
    TEST_ASSERT_DOUBLE_WITHIN(0.1 * stress[0] + 3, stress[0], stress[1]);
}

static void test_momentum_stays(void)
{
    piola_material m = tissue(PIOLA_MODEL_STVK, 1e5, 3);
    m.density = 1000;
    piola_world_desc desc = quiet(0.005, 5);
    const float spin[3] = {1, 2, -1}, turn[4] = {0, 0, 0, 1};
    struct block b = thrown(&desc, &m, spin, turn);
    fixture_push(b.world, PIOLA_COMMAND_BODY_IMPULSE, b.body, 5, 0.5f, 0.2f, 0);
    fixture_steps(b.world, NULL, 1);
    piola_body_info before, after;
    fixture_ok(piola_body_inspect(b.world, b.body, &before), NULL);
    fixture_steps(b.world, NULL, 1000);
    fixture_ok(piola_body_inspect(b.world, b.body, &after), NULL);
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double l0 = before.angular_momentum[k] - (before.centre[i] * before.momentum[j] -
                                                        before.centre[j] * before.momentum[i]);
        const double l1 = after.angular_momentum[k] - (after.centre[i] * after.momentum[j] -
                                                       after.centre[j] * after.momentum[i]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, before.momentum[k], after.momentum[k]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, l0, l1);
    }
    end_block(&b);
}

/* A snapshot taken while stress fades leads to the same bits. */
static void test_history_is_state(void)
{
    const piola_material m = tissue(PIOLA_MODEL_STABLE_NEO_HOOKEAN, 1e5, 3);
    const piola_world_desc desc = quiet(0.05, 5);
    struct block b = block_of(&desc, &m, 2);
    hold_all(&b, 1.2);
    fixture_steps(b.world, NULL, 10);
    const size_t bytes = piola_snapshot_size(b.world);
    void *kept = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(b.world, kept, bytes), NULL);
    const double early = pull_of(&b);
    fixture_steps(b.world, NULL, 20);
    const uint64_t hash = piola_world_hash(b.world);
    const double late = pull_of(&b);
    TEST_ASSERT_TRUE(late < 0.9 * early);
    fixture_ok(piola_snapshot_restore(b.world, kept, bytes), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6 * early, early, pull_of(&b));
    fixture_steps(b.world, NULL, 20);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(b.world));
    end_block(&b);
}

/* The same bits for every instruction set, and for one cluster or many. */
static void test_bits_are_everywhere_the_same(void)
{
    uint64_t first = 0;
    for (int isa = PIOLA_ISA_AUTO; isa < PIOLA_ISA_COUNT; isa++) {
        if (!piola_isa_available((piola_isa)isa))
            continue;
        piola_material m = tissue(PIOLA_MODEL_NEO_HOOKEAN, 1e5, 3);
        m.damping = 0.01f;
        piola_world_desc desc = quiet(0.01, 5);
        desc.isa = (piola_isa)isa;
        piola_world *world = fixture_world(&desc);
        const piola_body body = fixture_body(world, fixture_beam_of(6, 3, 3, 0.1, &m, 64), 0, 0, 0);
        for (uint32_t v = 0; v < 16; v++) {
            const uint32_t row = v / 4;
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, v, 0.1f, (float)row * 0.15f,
                         (float)(v % 4) * 0.1f);
        }
        fixture_steps(world, NULL, 30);
        const uint64_t hash = piola_world_hash(world);
        first = first ? first : hash;
        TEST_ASSERT_EQUAL_HEX64(first, hash);
        fixture_clean();
    }
}

/* Stress of elements is what the far face is held by; energy is what they hold. */
static void test_elements_tell_what_branches_hold(void)
{
    const piola_material m = tissue(PIOLA_MODEL_STVK, 1e5, 2);
    const piola_world_desc desc = quiet(0.05, 20);
    struct block b = block_of(&desc, &m, 2);
    hold_all(&b, 1.01);
    fixture_steps(b.world, NULL, 12);
    piola_element_state *s = fixture_memory((size_t)b.mesh.tets * sizeof *s);
    fixture_ok(piola_body_tetrahedron_states(b.world, b.body, 0, (uint32_t)b.mesh.tets, s), NULL);
    const double pull = pull_of(&b) / b.area;
    double sum = 0, all = 0;
    for (int t = 0; t < b.mesh.tets; t++) {
        TEST_ASSERT_DOUBLE_WITHIN(0.01 * pull, pull, (double)s[t].first_piola[0]);
        sum += (double)s[t].energy;
    }
    fixture_ok(piola_body_elastic_energy(b.world, b.body, &all), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5 * all, all, sum);
    end_block(&b);
}

static piola_status plan_of(const piola_material *m, bool cloth, const char **field)
{
    static const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t tet[4] = {0, 2, 1, 3};
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = cloth ? 3 : 4;
    desc.tetrahedra = cloth ? NULL : tet;
    desc.tetrahedron_count = !cloth;
    desc.triangles = cloth ? tet : NULL;
    desc.triangle_count = cloth;
    desc.materials = m;
    desc.material_count = 1;
    piola_error error = {0};
    size_t bytes = 0;
    piola_status status = piola_plan_size(&desc, &bytes, &error);
    piola_plan *plan;
    if (status == PIOLA_OK)
        status = piola_asset_plan(&desc, fixture_memory(bytes), bytes, &plan, &error);
    *field = error.field;
    return status;
}

static void test_what_cannot_relax_is_refused(void)
{
    const char *field;
    piola_material m = tissue(PIOLA_MODEL_STVK, 1e5, 1);
    TEST_ASSERT_EQUAL(PIOLA_OK, plan_of(&m, false, &field));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_MATERIAL, plan_of(&m, true, &field));
    TEST_ASSERT_EQUAL_STRING("piola_material.relaxation", field);
    const float bad[] = {-1, 1e7f, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        m = tissue(PIOLA_MODEL_STVK, 1e5, 2);
        m.relaxation[1].share = bad[i];
        TEST_ASSERT_EQUAL(PIOLA_ERROR_MATERIAL, plan_of(&m, false, &field));
        TEST_ASSERT_EQUAL_STRING("piola_material.relaxation", field);
        m = tissue(PIOLA_MODEL_STVK, 1e5, 2);
        m.relaxation[0].time = i == 1 ? 0 : bad[i];
        TEST_ASSERT_EQUAL(PIOLA_ERROR_MATERIAL, plan_of(&m, false, &field));
        TEST_ASSERT_EQUAL_STRING("piola_material.relaxation.time", field);
    }
    for (int solver = 0; solver < PIOLA_SOLVER_COUNT; solver++) {
        m = tissue(PIOLA_MODEL_STVK, 1e5, 1);
        piola_world_desc desc = quiet(0.01, 5);
        desc.solver = (piola_solver)solver;
        piola_world *world = fixture_world(&desc);
        piola_body_desc body = piola_body_desc_default();
        body.asset = fixture_beam_of(2, 1, 1, 0.1, &m, 0);
        piola_body handle;
        piola_error error = {0};
        TEST_ASSERT_EQUAL(solver == PIOLA_SOLVER_DESCENT ? PIOLA_OK : PIOLA_ERROR_SOLVER,
                          piola_body_create(world, &body, &handle, &error));
    }
}

/* Some elements relax, some flow, some do both; and the asset opens. */
static void test_histories_side_by_side(void)
{
    piola_material m[3] = {tissue(PIOLA_MODEL_STVK, 1e5, 2), tissue(PIOLA_MODEL_STVK, 1e5, 0),
                           tissue(PIOLA_MODEL_STVK, 1e5, 1)};
    m[1].plastic_yield = m[2].plastic_yield = 0.01f;
    m[1].plastic_creep = m[2].plastic_creep = 5;
    m[1].plastic_max = m[2].plastic_max = 0.5f;
    struct block b = {.length = 0.4, .area = 0.04};
    const int cells[3] = {4, 2, 2};
    const double size[3] = {0.4, 0.2, 0.2};
    TEST_ASSERT_TRUE(ref_mesh_beam(&b.mesh, cells, size, 5));
    uint32_t *which = fixture_memory((size_t)b.mesh.tets * sizeof *which);
    for (int t = 0; t < b.mesh.tets; t++)
        which[t] = (uint32_t)(t % 3);
    piola_mesh_desc described = fixture_mesh(&b.mesh, m);
    described.materials = m;
    described.material_count = 3;
    described.tetrahedron_materials = which;
    const piola_asset *asset = fixture_compile(&described), *opened;
    fixture_ok(piola_asset_open(asset, piola_asset_bytes(asset), &opened, NULL), NULL);
    const piola_world_desc desc = quiet(0.02, 10);
    b.world = fixture_world(&desc);
    b.body = fixture_body(b.world, asset, 0, 0, 0);
    find_shares(&b);
    hold_all(&b, 1.1);
    fixture_steps(b.world, NULL, 5);
    const double early = pull_of(&b);
    fixture_steps(b.world, NULL, 200);
    const double late = pull_of(&b);
    piola_body_info info;
    fixture_ok(piola_body_inspect(b.world, b.body, &info), NULL);
    TEST_ASSERT_FALSE(info.frozen);
    printf("a mixed block: %.2f N, then %.2f N\n", early, late);
    TEST_ASSERT_TRUE(late < 0.7 * early && late > 0);
    end_block(&b);
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_stress_relaxes);
    RUN_TEST(test_strain_creeps);
    RUN_TEST(test_energy_is_only_lost);
    RUN_TEST(test_turning_makes_no_stress);
    RUN_TEST(test_momentum_stays);
    RUN_TEST(test_history_is_state);
    RUN_TEST(test_bits_are_everywhere_the_same);
    RUN_TEST(test_elements_tell_what_branches_hold);
    RUN_TEST(test_what_cannot_relax_is_refused);
    RUN_TEST(test_histories_side_by_side);
    return UNITY_END();
}
