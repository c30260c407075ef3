/* Tests of what holds for every kernel on triangles: the same bits on all instruction sets and with
 * plain gathers, finite numbers from any finite input, pins that do not move; and the rule of
 * plastic flow.
 *
 * covers: ispc/cloth/
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fixture.h"
#include "kernels/kernels.h"
#include "ref_random.h"
#include "unity.h"

/* The twins of all kernels with plain gathers and scatters: tests/meson.build. */
#define ISA gather
#include "kernels/isa_table.h"

enum { PACKS = 32, TRIANGLES = PACKS * PK_LANES, PARTICLES = 3 * TRIANGLES, PINNED = 5 };

/* Triangles that share nothing, so every array is written in one order only. */
struct packs {
    _Alignas(64) struct pk_triangle_pack pack[PACKS];
    _Alignas(64) struct pk_quad x[PARTICLES], start[PARTICLES], force[PARTICLES];
    _Alignas(64) float multiplier[PACKS][PK_LANES];
    uint32_t cell[PACKS];
    _Alignas(64) struct pk_plastic plastic[PACKS];
};

static uint64_t seed;
static struct packs work, from, first;
static struct pk_solve solve;

void setUp(void)
{
    solve = (struct pk_solve){.dt = 0.005f, .inertia = 1 / (0.005f * 0.005f), .relaxation = 1.2f};
}

void tearDown(void)
{
}

static float uniform(double low, double high)
{
    return (float)ref_random(&seed, low, high);
}

static struct pk_quad anywhere(double size, float w)
{
    return (struct pk_quad){uniform(-size, size), uniform(-size, size), uniform(-size, size), w};
}

/* Rest shapes of some 0.1 m; corners near rest, anywhere, in a line, or in a point. */
static void fill(struct packs *p)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < TRIANGLES; i++) {
        const int pack = i / PK_LANES, lane = i % PK_LANES, shape = i % 5;
        const float a[2] = {0.1f, uniform(-0.03, 0.03)}, b[2] = {uniform(-0.03, 0.03), 0.08f};
        const float det = a[0] * b[1] - a[1] * b[0];
        struct pk_triangle_pack *to = &p->pack[pack];
        to->dm_inverse[0][lane] = b[1] / det;
        to->dm_inverse[1][lane] = -b[0] / det;
        to->dm_inverse[2][lane] = -a[1] / det;
        to->dm_inverse[3][lane] = a[0] / det;
        to->area[lane] = det / 2;
        const struct pk_quad centre = anywhere(0.3, 0);
        const float rest[3][2] = {{a[0], a[1]}, {b[0], b[1]}, {0, 0}};
        for (int c = 0; c < 3; c++) {
            const uint32_t at = (uint32_t)(3 * i + c);
            const float w = c == 1 && lane == PINNED ? 0 : uniform(50, 200);
            to->index[c][lane] = at;
            const struct pk_quad off = anywhere(shape == 0 ? 1e-3 : shape == 1 ? 0.1 : 0, w);
            const float u = shape < 3 ? rest[c][0] : 0, v = shape < 4 ? rest[c][1] : 0;
            p->x[at] = (struct pk_quad){centre.x + off.x + u, centre.y + off.y + 0.6f * v,
                                        centre.z + off.z + 0.8f * v, w};
            if (shape == 2) /* crushed */
                p->x[at].z = centre.z + 0.05f * (p->x[at].z - centre.z);
            p->start[at] =
                (struct pk_quad){p->x[at].x + uniform(-0.01, 0.01), p->x[at].y, p->x[at].z, w};
        }
    }
    for (int pack = 0; pack < PACKS; pack++) {
        p->cell[pack] = pack % 7 == 3 ? PK_NO_CELL : (uint32_t)pack;
        for (int lane = 0; lane < PK_LANES; lane++) {
            p->plastic[pack].e[0][lane] = uniform(-0.1, 0.1);
            p->plastic[pack].e[1][lane] = uniform(-0.1, 0.1);
            p->plastic[pack].e[5][lane] = uniform(-0.1, 0.1);
        }
    }
}

/* One of each model, then plastic and damped ones. */
enum { CASES = PIOLA_MODEL_COUNT + 3 };

static struct pk_material material_of(int which)
{
    static const uint32_t last[3] = {PIOLA_MODEL_STVK, PIOLA_MODEL_STVK_GENERAL,
                                     PIOLA_MODEL_NEO_HOOKEAN};
    struct pk_material m = {.mu = 4e2f, .lambda = 3e2f};
    const bool extra = which >= PIOLA_MODEL_COUNT;
    m.model = extra ? last[which - PIOLA_MODEL_COUNT] : (uint32_t)which;
    m.stiffness[0] = 9e2f;
    m.stiffness[1] = 2e2f;
    m.stiffness[5] = m.model == PIOLA_MODEL_STVK_GENERAL ? 5e1f : 0;
    m.stiffness[6] = 7e2f;
    m.stiffness[20] = 3e2f;
    m.damping = extra ? 0.01f : 0;
    if (extra && m.model != PIOLA_MODEL_NEO_HOOKEAN) {
        m.yield = 0.02f;
        m.creep = 30;
        m.max = 0.12f;
    }
    return m;
}

static struct pk_element_job job_of(struct packs *p, const struct pk_material *m,
                                    struct pk_measure *sum)
{
    return (struct pk_element_job){
        .x = p->x,
        .start = p->start,
        .triangles = p->pack,
        .cells = m->yield > 0 ? p->cell : NULL,
        .plastic = p->plastic,
        .multipliers = &p->multiplier[0][0],
        .material = m,
        .solve = &solve,
        .force = p->force,
        .measure = sum,
        .count = PACKS,
    };
}

static void run(const struct kernels *k, struct packs *p, const struct pk_material *m,
                bool explicit_too, struct pk_measure *sum)
{
    const struct pk_element_job job = job_of(p, m, sum);
    memset(sum, 0, sizeof *sum);
    k->measure_triangles(&job);
    if (explicit_too)
        k->project_triangles_explicit(&job);
    for (int i = 0; i < 2; i++) {
        k->project_triangles_energy(&job);
        k->project_triangles_compliant(&job);
    }
    if (m->yield > 0)
        k->plastic_flow_triangles(&job);
}

static void test_all_ways_give_the_same_bits(void)
{
    static struct pk_measure sum, first_sum;
    for (int which = 0; which < CASES; which++) {
        const struct pk_material m = material_of(which);
        fill(&from);
        first = from;
        run(&kernels_gather, &first, &m, true, &first_sum);
        for (int isa = 1; isa < PIOLA_ISA_COUNT; isa++) {
            if (!piola_isa_available((piola_isa)isa))
                continue;
            const char *name = piola_isa_name((piola_isa)isa);
            work = from;
            run(kernels_for((piola_isa)isa), &work, &m, true, &sum);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&first, &work, sizeof work, name);
            TEST_ASSERT_EQUAL_MEMORY_MESSAGE(&first_sum, &sum, sizeof sum, name);
        }
        for (int i = 0; i < TRIANGLES; i++)
            if (i % PK_LANES == PINNED)
                TEST_ASSERT_EQUAL_MEMORY(&from.x[3 * i + 1], &first.x[3 * i + 1],
                                         sizeof(struct pk_quad));
    }
}

/* From metres apart, from a point at the origin, and step after step; but for EXPLICIT, which may
 * explode. */
static void test_no_input_makes_a_nan(void)
{
    static struct pk_measure sum;
    static const double size[] = {0, 1e-20, 1e-6, 0.1, 100};
    for (int which = 0; which < CASES * 5; which++) {
        const struct pk_material m = material_of(which / 5);
        fill(&work);
        for (int i = 0; i < PARTICLES; i++)
            work.x[i] = anywhere(size[which % 5], work.x[i].w);
        for (int step = 0; step < 5; step++) {
            solve.relaxation = step % 2 ? 1 : 1.9f;
            memset(work.force, 0, sizeof work.force);
            memset(work.multiplier, 0, sizeof work.multiplier);
            run(kernels_for(PIOLA_ISA_AUTO), &work, &m, false, &sum);
            kernels_for(PIOLA_ISA_AUTO)->measure_total(&sum);
            TEST_ASSERT_TRUE(isfinite(sum.elastic[0]) && isfinite(sum.stretch[0]));
            for (int i = 0; i < PARTICLES; i++)
                TEST_ASSERT_TRUE(isfinite(work.x[i].x + work.x[i].y + work.x[i].z) &&
                                 isfinite(work.force[i].x + work.force[i].y + work.force[i].z));
        }
    }
}

static double norm_of(const double e[3])
{
    return sqrt(e[0] * e[0] + e[1] * e[1] + 2 * e[2] * e[2]);
}

static void strain_of(const struct packs *p, int pack, int lane, double e[3])
{
    const struct pk_triangle_pack *from_pack = &p->pack[pack];
    double f[2][3];
    for (int column = 0; column < 2; column++) {
        const struct pk_quad a = p->x[from_pack->index[0][lane]];
        const struct pk_quad b = p->x[from_pack->index[1][lane]];
        const struct pk_quad c = p->x[from_pack->index[2][lane]];
        const double r = (double)from_pack->dm_inverse[column][lane];
        const double s = (double)from_pack->dm_inverse[2 + column][lane];
        f[column][0] = r * (double)(a.x - c.x) + s * (double)(b.x - c.x);
        f[column][1] = r * (double)(a.y - c.y) + s * (double)(b.y - c.y);
        f[column][2] = r * (double)(a.z - c.z) + s * (double)(b.z - c.z);
    }
    e[0] = e[1] = -0.5;
    e[2] = 0;
    for (int i = 0; i < 3; i++) {
        e[0] += 0.5 * f[0][i] * f[0][i];
        e[1] += 0.5 * f[1][i] * f[1][i];
        e[2] += 0.5 * f[0][i] * f[1][i];
    }
}

/* The rule in double: beyond yield a share of the elastic deviator is absorbed, then the bound. */
static void test_plastic_strain_flows_and_is_bounded(void)
{
    const struct pk_material m = material_of(PIOLA_MODEL_COUNT);
    const double share = (double)solve.dt * (double)m.creep;
    int flows = 0, bounded = 0;
    fill(&work);
    from = work;
    const struct pk_element_job job = job_of(&work, &m, NULL);
    kernels_for(PIOLA_ISA_AUTO)->plastic_flow_triangles(&job);
    for (int i = 0; i < TRIANGLES; i++) {
        const int pack = i / PK_LANES, lane = i % PK_LANES;
        static const int entry[3] = {0, 1, 5};
        double e[3], want[3], got[3];
        strain_of(&work, pack, lane, e);
        for (int k = 0; k < 3; k++) {
            want[k] = (double)from.plastic[pack].e[entry[k]][lane];
            got[k] = (double)work.plastic[pack].e[entry[k]][lane];
            e[k] -= want[k];
        }
        const double mean = (e[0] + e[1]) / 2, deviator[3] = {e[0] - mean, e[1] - mean, e[2]};
        const bool exists = work.cell[pack] != PK_NO_CELL;
        const double size = norm_of(deviator);
        for (int k = 0; k < 3 && exists && size > (double)m.yield; k++)
            want[k] += share * deviator[k];
        const double over = norm_of(want) / (double)m.max;
        for (int k = 0; k < 3 && exists && over > 1; k++)
            want[k] /= over;
        if (fabs(size - (double)m.yield) < 1e-5)
            continue; /* either is right */
        flows += exists && size > (double)m.yield;
        bounded += exists && over > 1;
        for (int k = 0; k < 3; k++)
            TEST_ASSERT_DOUBLE_WITHIN(2e-6 * (1 + size), want[k], got[k]);
        if (exists)
            TEST_ASSERT_TRUE(norm_of(got) <= (double)m.max);
    }
    TEST_ASSERT_TRUE(flows > TRIANGLES / 10 && bounded > TRIANGLES / 20);
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_all_ways_give_the_same_bits);
    RUN_TEST(test_no_input_makes_a_nan);
    RUN_TEST(test_plastic_strain_flows_and_is_bounded);
    return UNITY_END();
}
