/* Links: closed forms, ranges, momentum, bad input, and what links do beside elements.
 *
 * covers: src/families/limits/
 */
#include "asset/asset.h"
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
        fixture_ok(piola_body_set_positions(world, body, 0, LINKS + 1, x, NULL), NULL);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
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
    fixture_ok(piola_body_set_positions(world, body, 0, LINKS + 1, x, NULL), NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, LINKS, (float)span, 0, 0);
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

/* ---- ranges ---- */

/* A free net of links with random bounds between random vertices, thrown about. */
static piola_mesh_desc net(uint64_t *seed, uint32_t vertices, uint32_t count)
{
    piola_mesh_desc desc = rope(vertices - 1, 1);
    double *x = fixture_memory(3 * (size_t)vertices * sizeof *x);
    uint32_t *links = fixture_memory(2 * (size_t)count * sizeof *links);
    float *bounds = fixture_memory(2 * (size_t)count * sizeof *bounds);
    for (uint32_t i = 0; i < 3 * vertices; ++i)
        x[i] = fixture_uniform(seed);
    for (uint32_t i = 0; i < count; ++i) { /* neighbours first, so that it is one piece */
        const uint32_t a = i % vertices, step = 1 + i / vertices;
        links[2 * i] = a;
        links[2 * i + 1] = (a + step) % vertices;
        bounds[2 * i] = (float)(0.9 * fixture_uniform(seed));
        bounds[2 * i + 1] = (float)(1 + fixture_uniform(seed));
    }
    desc.vertices = x;
    desc.links = links;
    desc.link_count = count;
    desc.link_bounds = bounds;
    return desc;
}

static double outside(const piola_mesh_desc *mesh, const float *x)
{
    double worst = 0;
    for (uint32_t i = 0; i < mesh->link_count; ++i) {
        const uint32_t *v = mesh->links + 2 * (size_t)i;
        const float *bounds = mesh->link_bounds + 2 * (size_t)i;
        double rest = 0;
        for (int k = 0; k < 3; ++k) {
            const double d =
                mesh->vertices[3 * v[0] + (uint32_t)k] - mesh->vertices[3 * v[1] + (uint32_t)k];
            rest += d * d;
        }
        const double share = distance(x + 3 * (size_t)v[0], x + 3 * (size_t)v[1]) / sqrt(rest);
        worst = fmax(worst, fmax((double)bounds[0] - share, share - (double)bounds[1]));
    }
    return worst;
}

static void test_links_keep_their_ranges_and_momentum(void)
{
    enum { VERTICES = 60, LINKS = 150 };
    uint64_t seed = fixture_seed();
    for (int s = 0; s < SOLVERS; ++s) {
        const piola_mesh_desc mesh = net(&seed, VERTICES, LINKS);
        piola_world_desc d = description(solvers[s]);
        d.iterations = 100;
        d.keep_momentum = false;
        memset(d.gravity, 0, sizeof d.gravity);
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, fixture_compile(&mesh), 0, 0, 0);
        float v[3 * VERTICES], x[3 * VERTICES];
        for (int i = 0; i < 3 * VERTICES; ++i)
            v[i] = (float)(4 * fixture_uniform(&seed) - 2);
        fixture_ok(piola_body_set_velocities(world, body, 0, VERTICES, v, NULL), NULL);
        piola_body_info before, after;
        fixture_ok(piola_body_inspect(world, body, &before), NULL);
        double worst = 0;
        for (int i = 0; i < 100; ++i) {
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
            worst = fmax(worst, outside(&mesh, x));
        }
        TEST_ASSERT_TRUE(worst < 0.01);
        fixture_ok(piola_body_inspect(world, body, &after), NULL);
        TEST_ASSERT_TRUE(after.kinetic_energy > 0.01 * before.kinetic_energy);
        for (int k = 0; k < 3; ++k) {
            const double scale = before.mass * sqrt(2 * before.kinetic_energy / before.mass);
            TEST_ASSERT_DOUBLE_WITHIN(1e-4 * scale, before.momentum[k], after.momentum[k]);
        }
        fixture_clean();
    }
}

/* One step of two particles that fly apart: the range holds at once, and gives no more than it
 * must. */
static void test_a_range_acts_only_at_its_ends(void)
{
    for (int s = 0; s < SOLVERS; ++s)
        for (int apart = 0; apart < 3; ++apart) {
            piola_mesh_desc mesh = rope(1, 1);
            const float bounds[2] = {0.8f, 1.25f}, speeds[3] = {100, -100, 2};
            mesh.link_bounds = bounds;
            piola_world_desc d = description(solvers[s]);
            memset(d.gravity, 0, sizeof d.gravity);
            piola_world *world = fixture_world(&d);
            const piola_body body = fixture_body(world, fixture_compile(&mesh), 0, 0, 0);
            const float v[6] = {-speeds[apart] / 2, 0, 0, speeds[apart] / 2, 0, 0};
            float x[6];
            fixture_ok(piola_body_set_velocities(world, body, 0, 2, v, NULL), NULL);
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_body_positions(world, body, 0, 2, x), NULL);
            const double want[3] = {1.25, 0.8, 1.01};
            TEST_ASSERT_DOUBLE_WITHIN(2e-6, want[apart], distance(x, x + 3));
            fixture_clean();
        }
}

/* ---- stretches ---- */

/* A curtain of n x n cells, a metre wide, hanging from the row i = 0; triangles only. */
static piola_mesh_desc curtain(uint32_t n, piola_material *material)
{
    const size_t vertices = (size_t)(n + 1) * (n + 1);
    double *x = fixture_memory(3 * vertices * sizeof *x);
    uint32_t *triangles = fixture_memory(6 * (size_t)n * n * sizeof *triangles);
    uint32_t count = 0;
    for (uint32_t i = 0; i <= n; ++i)
        for (uint32_t j = 0; j <= n; ++j) {
            const uint32_t v = i * (n + 1) + j;
            x[3 * v] = (double)j / n;
            x[3 * v + 1] = -(double)i / n;
            if (i < n && j < n) {
                const uint32_t t[6] = {v, v + n + 1, v + 1, v + 1, v + n + 1, v + n + 2};
                memcpy(triangles + 3 * (size_t)count, t, sizeof t);
                count += 2;
            }
        }
    *material = piola_material_default();
    material->model = PIOLA_MODEL_STVK;
    material->poisson = 0.3f;
    material->density = 0.3f;
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = (uint32_t)vertices;
    desc.triangles = triangles;
    desc.triangle_count = count;
    desc.materials = material;
    desc.material_count = 1;
    return desc;
}

/* Least and largest principal stretch of the triangles. */
static void stretches(const piola_mesh_desc *m, const float *x, double range[2])
{
    range[0] = 1e30;
    range[1] = 0;
    for (uint32_t i = 0; i < m->triangle_count; ++i) {
        const uint32_t *v = m->triangles + 3 * (size_t)i;
        double g0[3] = {0}, g1[3] = {0}; /* Gram matrices of the edges: xx, yy, xy */
        for (size_t k = 0; k < 3; ++k) {
            const double a0 = m->vertices[3 * v[1] + k] - m->vertices[3 * v[0] + k];
            const double b0 = m->vertices[3 * v[2] + k] - m->vertices[3 * v[0] + k];
            const double a1 = (double)x[3 * v[1] + k] - (double)x[3 * v[0] + k];
            const double b1 = (double)x[3 * v[2] + k] - (double)x[3 * v[0] + k];
            g0[0] += a0 * a0, g0[1] += b0 * b0, g0[2] += a0 * b0;
            g1[0] += a1 * a1, g1[1] += b1 * b1, g1[2] += a1 * b1;
        }
        /* Squared stretches are the eigenvalues of g1 relative to g0. */
        const double det0 = g0[0] * g0[1] - g0[2] * g0[2], det1 = g1[0] * g1[1] - g1[2] * g1[2];
        const double half = (g1[0] * g0[1] + g1[1] * g0[0] - 2 * g1[2] * g0[2]) / (2 * det0);
        const double root = sqrt(fmax(0, half * half - det1 / det0));
        range[0] = fmin(range[0], sqrt(fmax(0, half - root)));
        range[1] = fmax(range[1], sqrt(half + root));
    }
}

/* One triangle, one step: stretches beyond the range come to its ends, and nothing turns or drifts.
 */
static void test_a_triangle_comes_back_into_its_range(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(400, 40); n > 0; --n) {
        piola_material material;
        const piola_mesh_desc mesh = curtain(1, &material);
        material.young = 1e-6f;
        material.stretch_min = 0.8f;
        material.stretch_max = 1.1f;
        piola_mesh_desc one = mesh;
        one.vertex_count = 3;
        one.triangle_count = 1;
        piola_world_desc d = description(solvers[n % 2]); /* DESCENT, ENERGY */
        memset(d.gravity, 0, sizeof d.gravity);
        d.keep_momentum = false;
        d.iterations = 4;
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, fixture_compile(&one), 0, 0, 0);
        float v[9], x[9];
        for (int i = 0; i < 9; ++i)
            v[i] = (float)(0.6 / 0.005 * (fixture_uniform(&seed) - 0.5));
        fixture_ok(piola_body_set_velocities(world, body, 0, 3, v, NULL), NULL);
        piola_body_info before, after;
        fixture_ok(piola_body_inspect(world, body, &before), NULL);
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_body_positions(world, body, 0, 3, x), NULL);
        fixture_ok(piola_body_inspect(world, body, &after), NULL);
        double range[2];
        stretches(&one, x, range);
        TEST_ASSERT_TRUE(range[0] > 0.8 - 1e-3 && range[1] < 1.1 + 1e-3);
        const double scale = sqrt(2 * before.kinetic_energy * before.mass);
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * scale, before.momentum[k], after.momentum[k]);
        fixture_clean();
    }
}

static void test_a_curtain_keeps_its_stretch(void)
{
    enum { N = 12, VERTICES = (N + 1) * (N + 1) };
    for (int s = 0; s < 3; ++s) {
        double largest[2];
        for (int limited = 0; limited < 2; ++limited) {
            piola_material material;
            const piola_mesh_desc mesh = curtain(N, &material);
            material.young = 10; /* would stretch to about 1.3 by its weight */
            material.stretch_max = limited ? 1.05f : 0;
            piola_world_desc d = description(solvers[s]);
            d.substeps = 4;
            piola_world *world = fixture_world(&d);
            const piola_body body = damped_body(world, fixture_compile(&mesh), 3);
            for (uint32_t j = 0; j <= N; ++j)
                fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, j, (float)j / N, 0, 0);
            fixture_steps(world, NULL, 400);
            float x[3 * VERTICES];
            double range[2];
            fixture_ok(piola_body_positions(world, body, 0, VERTICES, x), NULL);
            stretches(&mesh, x, range);
            largest[limited] = range[1];
            fixture_clean();
        }
        printf("solver %d: largest stretch %.4f, limited to 1.05: %.4f\n", (int)solvers[s],
               largest[0], largest[1]);
        TEST_ASSERT_TRUE(largest[1] < 1.05 + 0.01);
    }
}

/* ---- bad input ---- */

static void refused(const piola_mesh_desc *desc, piola_status status, const char *field,
                    uint64_t item)
{
    piola_error error = {0};
    size_t bytes = 0;
    piola_plan *plan = NULL;
    piola_status found = piola_plan_size(desc, &bytes, &error);
    if (found == PIOLA_OK)
        found = piola_asset_plan(desc, fixture_memory(bytes), bytes, &plan, &error);
    TEST_ASSERT_EQUAL_STRING(piola_status_text(status), piola_status_text(found));
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL(item != UINT64_MAX, error.has_item);
    TEST_ASSERT_EQUAL_UINT64(item == UINT64_MAX ? 0 : item, error.item);
}

static void test_bad_links_are_named(void)
{
    piola_mesh_desc mesh = rope(3, 1);
    uint32_t links[6] = {0, 1, 1, 2, 2, 4};
    mesh.links = links;
    refused(&mesh, PIOLA_ERROR_MESH_INDEX, "piola_mesh_desc.links", 2);
    links[5] = 2;
    refused(&mesh, PIOLA_ERROR_MESH_REPEATED, "piola_mesh_desc.links", 2);
    links[5] = 1;
    refused(&mesh, PIOLA_ERROR_MESH_DUPLICATE, "piola_mesh_desc.links", 2);
    links[5] = 0;
    refused(&mesh, PIOLA_ERROR_MESH_ISOLATED, "piola_mesh_desc.vertices", 3);
    links[5] = 3;
    mesh.links = NULL;
    refused(&mesh, PIOLA_ERROR_NULL, "piola_mesh_desc.links", UINT64_MAX);
    mesh.link_count = 0;
    refused(&mesh, PIOLA_ERROR_MESH_EMPTY, "piola_mesh_desc.tetrahedron_count", UINT64_MAX);
    mesh = rope(3, 1);
    mesh.link_count = UINT32_MAX;
    refused(&mesh, PIOLA_ERROR_TOO_LARGE, "piola_mesh_desc.link_count", UINT64_MAX);
    mesh = rope(3, 0); /* all in one place */
    refused(&mesh, PIOLA_ERROR_MESH_DEGENERATE, "piola_mesh_desc.links", 0);
    const uint32_t materials[3] = {0, 1, 0};
    mesh = rope(3, 1);
    mesh.link_materials = materials;
    refused(&mesh, PIOLA_ERROR_MESH_MATERIAL, "piola_mesh_desc.link_materials", 1);
    mesh = rope(3, 1);
    ((piola_material *)(uintptr_t)mesh.materials)->density = 0;
    refused(&mesh, PIOLA_ERROR_MATERIAL, "piola_material.density", 0);
}

static void test_bad_numbers_of_links_are_named(void)
{
    const float none = NAN, endless = INFINITY;
    const struct {
        float low, high, length, compliance;
        piola_status status;
        const char *field;
    } rows[] = {
        {none, 1, 1, 0, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.link_bounds"},
        {1, endless, 1, 0, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.link_bounds"},
        {-1, 1, 1, 0, PIOLA_ERROR_RANGE, "piola_mesh_desc.link_bounds"},
        {1.1f, 1, 1, 0, PIOLA_ERROR_RANGE, "piola_mesh_desc.link_bounds"},
        {0, 0, 1, 0, PIOLA_ERROR_RANGE, "piola_mesh_desc.link_bounds"},
        {1, 1, none, 0, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.link_lengths"},
        {1, 1, 0, 0, PIOLA_ERROR_RANGE, "piola_mesh_desc.link_lengths"},
        {1, 1, -1, 0, PIOLA_ERROR_RANGE, "piola_mesh_desc.link_lengths"},
        {1, 1, 1, none, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.link_compliances"},
        {1, 1, 1, -1, PIOLA_ERROR_RANGE, "piola_mesh_desc.link_compliances"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        piola_mesh_desc mesh = rope(3, 1);
        const float bounds[6] = {1, 1, rows[i].low, rows[i].high, 1, 1};
        const float lengths[3] = {1, rows[i].length, 1};
        const float compliances[3] = {0, rows[i].compliance, 0};
        mesh.link_bounds = bounds;
        mesh.link_lengths = lengths;
        mesh.link_compliances = compliances;
        refused(&mesh, rows[i].status, rows[i].field, 1);
    }
}

static void test_bad_tethers_and_stretches_are_named(void)
{
    const uint32_t anchors[3] = {0, 2, 0}, outer[1] = {4};
    piola_mesh_desc mesh = rope(3, 1);
    mesh.tether_anchors = anchors;
    mesh.tether_anchor_count = 3;
    refused(&mesh, PIOLA_ERROR_MESH_DUPLICATE, "piola_mesh_desc.tether_anchors", 2);
    mesh.tether_anchors = outer;
    mesh.tether_anchor_count = 1;
    refused(&mesh, PIOLA_ERROR_MESH_INDEX, "piola_mesh_desc.tether_anchors", 0);
    mesh.tether_anchors = NULL;
    refused(&mesh, PIOLA_ERROR_NULL, "piola_mesh_desc.tether_anchors", UINT64_MAX);
    mesh.tether_anchor_count = 5;
    refused(&mesh, PIOLA_ERROR_TOO_LARGE, "piola_mesh_desc.tether_anchor_count", UINT64_MAX);
    mesh = rope(3, 1);
    mesh.tether_mode = PIOLA_TETHER_MODE_COUNT;
    refused(&mesh, PIOLA_ERROR_RANGE, "piola_mesh_desc.tether_mode", UINT64_MAX);
    mesh = rope(3, 1);
    mesh.tether_slack = 0;
    refused(&mesh, PIOLA_ERROR_RANGE, "piola_mesh_desc.tether_slack", UINT64_MAX);
    mesh.tether_slack = NAN;
    refused(&mesh, PIOLA_ERROR_NOT_FINITE, "piola_mesh_desc.tether_slack", UINT64_MAX);
    piola_material material;
    mesh = curtain(2, &material);
    material.stretch_min = 1.5f;
    refused(&mesh, PIOLA_ERROR_MATERIAL, "piola_material.stretch_min", 0);
    material.stretch_min = 0;
    material.stretch_max = 0.5f;
    refused(&mesh, PIOLA_ERROR_MATERIAL, "piola_material.stretch_max", 0);
    material.stretch_max = NAN;
    refused(&mesh, PIOLA_ERROR_MATERIAL, "piola_material.stretch_max", 0);
}

static void test_links_need_room_in_the_world(void)
{
    const piola_mesh_desc mesh = rope(40, 1);
    const piola_asset *asset = fixture_compile(&mesh);
    piola_world_desc d = description(PIOLA_SOLVER_DESCENT);
    d.max_link_packs = 2 * asset->stats.link_packs - 1;
    piola_world *world = fixture_world(&d);
    const piola_body first = fixture_body(world, asset, 0, 0, 0);
    piola_body_desc b = piola_body_desc_default();
    b.asset = asset;
    piola_body second;
    piola_error error;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_PACKS_FULL, piola_body_create(world, &b, &second, &error));
    fixture_ok(piola_body_destroy(world, first), NULL);
    fixture_ok(piola_body_create(world, &b, &second, &error), &error);
    fixture_steps(world, NULL, 2);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_hanging_rope_stretches_as_compliance_says);
    RUN_TEST(test_a_rope_hangs_in_a_catenary);
    RUN_TEST(test_links_keep_their_ranges_and_momentum);
    RUN_TEST(test_a_range_acts_only_at_its_ends);
    RUN_TEST(test_a_triangle_comes_back_into_its_range);
    RUN_TEST(test_a_curtain_keeps_its_stretch);
    RUN_TEST(test_bad_links_are_named);
    RUN_TEST(test_bad_numbers_of_links_are_named);
    RUN_TEST(test_bad_tethers_and_stretches_are_named);
    RUN_TEST(test_links_need_room_in_the_world);
    return UNITY_END();
}
