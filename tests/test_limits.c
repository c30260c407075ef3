/* Links: closed forms, ranges, momentum, bad input, and what links do beside elements. */
#include "asset.h"
#include "fixture.h"
#include "ref_random.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY,
                                       PIOLA_SOLVER_COMPLIANT, PIOLA_SOLVER_EXPLICIT};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

/* A straight rope along x from the origin: `count` links, 0.1 kg/m. Arrays live in the fixture. */
static piola_mesh_desc rope(uint32_t count, double length)
{
    double *x = fixture_memory(3 * ((size_t)count + 1) * sizeof *x);
    uint32_t *links = fixture_memory(2 * (size_t)count * sizeof *links);
    piola_material *material = fixture_memory(sizeof *material);
    *material = piola_material_default();
    material->density = 0.1f;
    for (uint32_t i = 0; i <= count; ++i)
        x[3 * i] = length * i / count;
    for (uint32_t i = 0; i < count; ++i) {
        links[2 * i] = i;
        links[2 * i + 1] = i + 1;
    }
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = count + 1;
    desc.links = links;
    desc.link_count = count;
    desc.materials = material;
    desc.material_count = 1;
    return desc;
}

static piola_world_desc description(piola_solver solver)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.solver = solver;
    desc.max_packs = 1024;
    desc.max_link_packs = 1024;
    desc.max_particles = 8192;
    return desc;
}

static piola_body damped_body(piola_world *world, const piola_asset *asset, float damping)
{
    piola_body body;
    piola_body_desc b = piola_body_desc_default();
    b.asset = asset;
    b.damping = damping;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    return body;
}

static double distance(const float *a, const float *b)
{
    const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1];
    const double z = (double)a[2] - (double)b[2];
    return sqrt(x * x + y * y + z * z);
}

/* ---- closed forms ---- */

/* Each link of a hanging compliant rope carries what is below it: it stretches by m g alpha. */
static void test_a_hanging_rope_stretches_as_compliance_says(void)
{
    enum { LINKS = 8 };
    const float alpha = 2e-3f;
    const double length = 1.6, g = 9.81, share = 0.1 * length / LINKS;
    for (int s = 0; s < SOLVERS; ++s) {
        piola_mesh_desc mesh = rope(LINKS, length);
        float compliances[LINKS];
        for (int i = 0; i < LINKS; ++i)
            compliances[i] = alpha;
        mesh.link_compliances = compliances;
        piola_world_desc d = description(solvers[s]);
        d.iterations = 30;
        piola_world *world = fixture_world(&d);
        const piola_body body = damped_body(world, fixture_compile(&mesh), 3);
        float x[3 * (LINKS + 1)];
        for (int i = 0; i <= LINKS; ++i) {
            x[3 * i] = x[3 * i + 2] = 0;
            x[3 * i + 1] = (float)(-length * i / LINKS);
        }
        fixture_ok(piola_body_set_positions(world, body, 0, LINKS + 1, x), NULL);
        fixture_push(world, PIOLA_COMMAND_PIN, body, 0, 0, 0, 0);
        fixture_steps(world, NULL, 2000);
        fixture_ok(piola_body_positions(world, body, 0, LINKS + 1, x), NULL);
        for (int i = 0; i < LINKS; ++i) {
            const double below = share * (LINKS - 1 - i) + share / 2;
            const double stretch = distance(x + 3 * i, x + 3 * i + 3) - length / LINKS;
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * below * g * (double)alpha, below * g * (double)alpha,
                                      stretch);
        }
        fixture_clean();
    }
}

/* The parameter of the catenary of this length between points this far apart, level. */
static double catenary(double length, double span)
{
    double low = 1e-3 * span, high = 1e3 * span;
    for (int i = 0; i < 200; ++i) {
        const double a = sqrt(low * high);
        *(2 * a * sinh(span / (2 * a)) > length ? &low : &high) = a;
    }
    return low;
}

static double catenary_sag(double length, double span)
{
    const double a = catenary(length, span);
    return a * (cosh(span / (2 * a)) - 1);
}

/* Largest sag of a rope of rigid links hung at both ends. */
static double rope_sag(piola_solver solver, double length, double span)
{
    enum { LINKS = 40 };
    piola_mesh_desc mesh = rope(LINKS, length);
    piola_world_desc d = description(solver);
    d.substeps = 10;
    piola_world *world = fixture_world(&d);
    const piola_body body = damped_body(world, fixture_compile(&mesh), 2);
    float x[3 * (LINKS + 1)];
    for (int i = 0; i <= LINKS; ++i) { /* a tent of the right length */
        const double along = length * i / LINKS, half = length / 2;
        const double up = sqrt(half * half - span * span / 4) / half;
        x[3 * i] = (float)(along * span / length);
        x[3 * i + 1] = (float)(-up * (along < half ? along : length - along));
        x[3 * i + 2] = 0;
    }
    fixture_ok(piola_body_set_positions(world, body, 0, LINKS + 1, x), NULL);
    fixture_push(world, PIOLA_COMMAND_PIN, body, 0, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_PIN, body, LINKS, (float)span, 0, 0);
    fixture_steps(world, NULL, 1000);
    fixture_ok(piola_body_positions(world, body, 0, LINKS + 1, x), NULL);
    double sag = 0, longest = 0;
    for (int i = 0; i <= LINKS; ++i) {
        sag = fmax(sag, -(double)x[3 * i + 1]);
        longest = i > 0 ? fmax(longest, distance(x + 3 * i, x + 3 * i - 3)) : 0;
    }
    printf("solver %d: span %.2f, sag %.5f, catenary %.5f, longest link %.5f of %.5f\n",
           (int)solver, span, sag, catenary_sag(length, span), longest, length / LINKS);
    return sag;
}

static void test_a_rope_hangs_in_a_catenary(void)
{
    const double length = 1, spans[] = {0.4, 0.8};
    for (int s = 0; s < SOLVERS; ++s)
        for (int i = 0; i < 2; ++i) {
            const double sag = rope_sag(solvers[s], length, spans[i]);
            TEST_ASSERT_DOUBLE_WITHIN(0.02 * sag, catenary_sag(length, spans[i]), sag);
            fixture_clean();
        }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_hanging_rope_stretches_as_compliance_says);
    RUN_TEST(test_a_rope_hangs_in_a_catenary);
    return UNITY_END();
}
