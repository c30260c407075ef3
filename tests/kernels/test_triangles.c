/* Tests of what the kernels make of sheets (ispc/project_triangles, measure_triangles) and of the
 * sheets' rest shapes: patch test, closed forms of a pull, rigid motions, the formulas of the
 * projection solvers, patterns. The materials themselves: test_membrane.c; motion: test_sheets.c.
 *
 * covers: ispc/cloth/
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset/asset.h"
#include "fixture.h"
#include "io/mesh/meshgen.h"
#include "kernels/kernels.h"
#include "ref_random.h"
#include "unity.h"

static uint64_t seed;
static struct meshgen mesh;
static piola_material material;
static struct pk_solve solve;

void setUp(void)
{
    memset(&mesh, 0, sizeof mesh);
    solve = (struct pk_solve){.dt = 0.005f, .inertia = 1 / (0.005f * 0.005f), .relaxation = 1};
    material = piola_material_default();
    material.model = PIOLA_MODEL_STVK;
    material.young = 1e3f;
    material.poisson = 0.3f;
    material.density = 0.3f;
}

void tearDown(void)
{
    meshgen_free(&mesh);
    fixture_clean();
}

static double uniform(double low, double high)
{
    return ref_random(&seed, low, high);
}

static void use_model(int model)
{
    material.model = (piola_model)model;
    material.young_axis[0] = 1e3f;
    material.young_axis[1] = 4e3f;
    material.shear_axis[0] = 6e2f;
    material.poisson_axis[0] = 0.1f;
    material.stiffness[0] = 1.5e3f;
    material.stiffness[1] = 4e2f;
    material.stiffness[5] = 2e2f;
    material.stiffness[6] = 8e2f;
    material.stiffness[10] = -1e2f;
    material.stiffness[20] = 5e2f;
}

/* A square metre in the xz plane, whose inner vertices are moved about in the plane. */
static const piola_asset *distorted_sheet(uint32_t cells)
{
    meshgen_free(&mesh);
    TEST_ASSERT_TRUE(
        meshgen_cloth(&mesh, (const double[2]){1, 1}, (const uint32_t[2]){cells, cells}, false));
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        double *x = mesh.vertices + 3 * (size_t)i;
        for (int axis = 0; axis < 3; axis += 2)
            if (x[0] > 1e-6 && x[0] < 1 - 1e-6 && x[2] > 1e-6 && x[2] < 1 - 1e-6)
                x[axis] += 0.2 / cells * uniform(-1, 1); /* 0.25 could fold a triangle over */
    }
    piola_mesh_desc desc = meshgen_desc(&mesh);
    float *warp = fixture_memory(mesh.triangle_count * 3 * sizeof *warp);
    for (uint32_t i = 0; i < mesh.triangle_count; i++)
        warp[3 * i] = 1;
    desc.triangle_directions = warp;
    desc.materials = &material;
    desc.material_count = 1;
    return fixture_compile(&desc);
}

/* A sheet away from its rest shape, as kernels see it. */
struct state {
    const piola_asset *asset;
    struct pk_quad *x, *start, *force;
    struct pk_measure sum;
};

static struct state state_of(const piola_asset *asset)
{
    struct state s = {.asset = asset};
    const size_t bytes = asset->stats.particles * sizeof(struct pk_quad);
    s.x = fixture_memory(bytes);
    s.start = fixture_memory(bytes);
    s.force = fixture_memory(bytes);
    memcpy(s.x, asset_rest(asset), bytes);
    memcpy(s.start, s.x, bytes);
    return s;
}

static const struct kernels *kernels(void)
{
    return kernels_for(PIOLA_ISA_AUTO);
}

static struct pk_element_job job_of(struct state *s)
{
    return (struct pk_element_job){
        .x = s->x,
        .start = s->start,
        .triangles = asset_triangle_packs(s->asset),
        .material = asset_materials(s->asset) + asset_triangle_pack_materials(s->asset)[0],
        .solve = &solve,
        .force = s->force,
        .measure = &s->sum,
        .count = (uint32_t)s->asset->at.triangle_packs.count,
    };
}

static void measure(struct state *s)
{
    const struct pk_element_job job = job_of(s);
    memset(&s->sum, 0, sizeof s->sum);
    memset(s->force, 0, s->asset->stats.particles * sizeof *s->force);
    kernels()->measure_triangles(&job);
    kernels()->measure_total(&s->sum);
}

/* x = map rest, with map from the plane of x and z into space. */
static void move(struct state *s, const double map[3][2])
{
    for (uint32_t i = 0; i < s->asset->stats.vertices; i++) {
        const struct pk_quad rest = asset_rest(s->asset)[i];
        const double u = (double)rest.x, v = (double)rest.z;
        s->x[i].x = (float)(map[0][0] * u + map[0][1] * v);
        s->x[i].y = (float)(map[1][0] * u + map[1][1] * v);
        s->x[i].z = (float)(map[2][0] * u + map[2][1] * v);
    }
}

/* Stretches along x and z, turned in space. */
static void stretch(struct state *s, double along, double across)
{
    const ref_mat3 r = ref_random_rotation(&seed);
    double map[3][2];
    for (int i = 0; i < 3; i++) {
        map[i][0] = along * r.m[i][0];
        map[i][1] = across * r.m[i][2];
    }
    move(s, map);
}

static double size_of(struct pk_quad f)
{
    return sqrt((double)f.x * (double)f.x + (double)f.y * (double)f.y + (double)f.z * (double)f.z);
}

/* Total force on the vertices of the edge where rest x (or z) is 0, N. */
static double pull(const struct state *s, bool across)
{
    struct pk_quad sum = {0};
    for (uint32_t i = 0; i < s->asset->stats.vertices; i++) {
        const struct pk_quad rest = asset_rest(s->asset)[i];
        if ((across ? rest.z : rest.x) < 1e-6f) {
            sum.x += s->force[i].x;
            sum.y += s->force[i].y;
            sum.z += s->force[i].z;
        }
    }
    return size_of(sum);
}

/* Any affine map strains all triangles alike, so that no inner vertex feels a force. Positions of
 * up to two metres are known to 1e-7, strains of triangles of a sixth of one to 1e-6, which makes
 * some 7e-4 N in the stiffest sheet. */
static void test_patch(void)
{
    for (int model = 0; model < PIOLA_MODEL_COUNT; model++)
        for (int round = 0; round < 6; round++) {
            use_model(model);
            struct state s = state_of(distorted_sheet(6));
            double map[3][2], density = 0, largest = 0;
            for (int i = 0; i < 6; i++)
                map[i / 2][i % 2] =
                    (i / 2 == i % 2 ? 1 : 0) + uniform(-1, 1) * (round < 3 ? 0.2 : 1);
            move(&s, map);
            measure(&s);
            for (uint32_t i = 0; i < s.asset->stats.vertices; i++)
                largest = fmax(largest, size_of(s.force[i]));
            for (uint32_t i = 0; i < s.asset->stats.vertices; i++) {
                const struct pk_quad rest = asset_rest(s.asset)[i];
                if (rest.x > 1e-6f && rest.x < 1 - 1e-6f && rest.z > 1e-6f && rest.z < 1 - 1e-6f &&
                    !(size_of(s.force[i]) <= 5e-5 * largest + 1e-3)) {
                    char text[100];
                    snprintf(text, sizeof text, "model %d: %g N inside, %g outside", model,
                             size_of(s.force[i]), largest);
                    TEST_FAIL_MESSAGE(text);
                }
            }
            density = s.sum.elastic[0];
            struct state one = state_of(distorted_sheet(1));
            move(&one, map);
            measure(&one);
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * density + 1e-3, density, one.sum.elastic[0]);
        }
}

/* StVK pulled to the stretch s with free sides: the sides contract by E22 = -nu E11, and the force
 * on a metre is s k (s^2 - 1)/2. */
static void test_pull_follows_the_closed_form(void)
{
    struct state s = state_of(distorted_sheet(5));
    for (int i = 0; i < 20; i++) {
        const double along = uniform(0.85, 1.6), e = (along * along - 1) / 2;
        const double across = sqrt(1 - 2 * 0.3 * e);
        stretch(&s, along, across);
        measure(&s);
        TEST_ASSERT_DOUBLE_WITHIN(0.02 + 1e-5 * fabs(1e3 * e), fabs(along * 1e3 * e),
                                  pull(&s, false));
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 0, pull(&s, true));
        TEST_ASSERT_DOUBLE_WITHIN(1e-3 + 1e-5 * 1e3 * e * e, 1e3 * e * e / 2, s.sum.elastic[0]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, fmax(along, across), (double)s.sum.stretch[0]);
    }
}

/* The paper's figure 10: weft and warp with 1 : 4 of the stiffness under equal forces. The closed
 * form s k (s^2 - 1)/2 = f gives both stretches; there the measured forces agree. */
static void test_orthotropy_is_the_closed_form(void)
{
    use_model(PIOLA_MODEL_STVK_ORTHOTROPIC);
    const double k[2] = {1e3, 4e3}, nu[2] = {0.1, 0.4}, force = 200;
    struct state s = state_of(distorted_sheet(5));
    double strain[2];
    for (int axis = 0; axis < 2; axis++) {
        double along = 1;
        for (int i = 0; i < 60; i++)
            along -= (along * k[axis] * (along * along - 1) / 2 - force) /
                     (k[axis] * (3 * along * along - 1) / 2);
        const double e = (along * along - 1) / 2, across = sqrt(1 - 2 * nu[axis] * e);
        strain[axis] = along - 1;
        stretch(&s, axis ? across : along, axis ? along : across);
        measure(&s);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * force, force, pull(&s, axis != 0));
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * force, 0, pull(&s, axis == 0));
    }
    /* Small strains would be as 4 : 1. */
    TEST_ASSERT_TRUE(strain[0] / strain[1] > 3 && strain[0] / strain[1] < 4);
}

/* Moved, turned and turned over, a sheet is at rest. */
static void test_rigid_motions_make_no_force(void)
{
    for (int model = 0; model < PIOLA_MODEL_COUNT; model++) {
        use_model(model);
        struct state s = state_of(distorted_sheet(6));
        for (int round = 0; round < 10; round++) {
            stretch(&s, 1, round % 2 ? 1 : -1);
            measure(&s);
            TEST_ASSERT_TRUE(s.sum.elastic[0] >= 0 && s.sum.elastic[0] < 1e-8);
            for (uint32_t i = 0; i < s.asset->stats.vertices; i++)
                TEST_ASSERT_TRUE(size_of(s.force[i]) < 1e-3);
        }
    }
}

/* ---- the solvers ---- */

enum { ENERGY, COMPLIANT, EXPLICIT, SOLVERS };

static void project(struct state *s, int solver, float *multipliers)
{
    const struct kernels *k = kernels();
    struct pk_element_job job = job_of(s);
    job.multipliers = multipliers;
    if (solver == ENERGY)
        k->project_triangles_energy(&job);
    else if (solver == COMPLIANT)
        k->project_triangles_compliant(&job);
    else
        k->project_triangles_explicit(&job);
}

static const piola_asset *one_triangle(void)
{
    static const double x[9] = {0, 0, 0, 0.1, 0.01, 0, 0.02, 0.09, 0.01};
    static const uint32_t t[3] = {0, 1, 2};
    piola_mesh_desc desc = piola_mesh_desc_default();
    desc.vertices = x;
    desc.vertex_count = 3;
    desc.triangles = t;
    desc.triangle_count = 1;
    desc.materials = &material;
    desc.material_count = 1;
    return fixture_compile(&desc);
}

/* x_j changes by w_j scale grad_j, with the scales of equations (2)-(3), of XPBD and of explicit
 * Euler; energy and gradient as measured, which other tests prove. */
static void check_solver(int solver, float damping)
{
    static _Alignas(64) float multipliers[PK_LANES];
    material.damping = damping;
    struct state s = state_of(one_triangle());
    for (int i = 0; i < 3; i++) {
        s.x[i].x += (float)uniform(-0.03, 0.03);
        s.x[i].y += (float)uniform(-0.03, 0.03);
        s.x[i].z += (float)uniform(-0.03, 0.03);
    }
    measure(&s);
    struct pk_quad before[3];
    memcpy(before, s.x, sizeof before);
    const double energy = s.sum.elastic[0], a = (double)solve.inertia;
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += (double)s.x[i].w * size_of(s.force[i]) * size_of(s.force[i]);
    const double scale = solver == ENERGY      ? -energy / square
                         : solver == COMPLIANT ? -2 * energy / (square + 2 * a * energy)
                                               : -1 / a;
    memset(multipliers, 0, sizeof multipliers);
    project(&s, solver, multipliers);
    double longest = 0;
    for (int i = 0; i < 3; i++)
        longest = fmax(longest, fabs(scale) * (double)before[i].w * size_of(s.force[i]));
    for (int i = 0; i < 3; i++) {
        const double w = scale * (double)before[i].w, tolerance = 1e-3 * longest + 1e-8;
        TEST_ASSERT_DOUBLE_WITHIN(tolerance, w * (double)s.force[i].x,
                                  (double)s.x[i].x - (double)before[i].x);
        TEST_ASSERT_DOUBLE_WITHIN(tolerance, w * (double)s.force[i].y,
                                  (double)s.x[i].y - (double)before[i].y);
        TEST_ASSERT_DOUBLE_WITHIN(tolerance, w * (double)s.force[i].z,
                                  (double)s.x[i].z - (double)before[i].z);
    }
    if (solver == COMPLIANT) {
        const double change = -pow(2 * energy, 1.5) / (square + 2 * a * energy);
        double found = 0;
        for (int i = 0; i < PK_LANES; i++)
            found += (double)multipliers[i];
        TEST_ASSERT_DOUBLE_WITHIN(2e-3 * fabs(change), change, found);
    }
}

static void test_projections_are_the_papers(void)
{
    for (int model = 0; model < PIOLA_MODEL_COUNT; model++) {
        use_model(model);
        for (int solver = 0; solver < SOLVERS; solver++)
            for (int round = 0; round < 20; round++)
                check_solver(solver, 0);
        for (int round = 0; round < 10; round++)
            check_solver(EXPLICIT, 0.01f);
    }
}

/* Momentum of what one pass moves. The angular one is that about where each triangle stood when its
 * turn came, so it can be asked of one triangle alone. */
static void check_momentum(struct state *s, const struct pk_quad *before)
{
    double linear[3] = {0}, angular[3] = {0}, size = 0;
    for (uint32_t i = 0; i < s->asset->stats.vertices; i++) {
        const struct pk_quad p = before[i], q = s->x[i];
        const double m = (double)asset_mass(s->asset)[i];
        const double x[3] = {(double)p.x, (double)p.y, (double)p.z};
        const double d[3] = {(double)q.x - x[0], (double)q.y - x[1], (double)q.z - x[2]};
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            linear[k] += m * d[k];
            angular[k] += m * (x[a] * d[b] - x[b] * d[a]);
            size += m * (3e-5 * fabs(d[k]) + 3e-7 * (fabs(x[k]) + fabs(d[k])));
        }
    }
    for (int k = 0; k < 3; k++) {
        TEST_ASSERT_DOUBLE_WITHIN(size, 0, linear[k]);
        if (s->asset->stats.triangles == 1)
            TEST_ASSERT_DOUBLE_WITHIN(2 * size, 0, angular[k]);
    }
}

static void test_projections_keep_momentum(void)
{
    for (int which = 0; which < 4 * PIOLA_MODEL_COUNT; which++) {
        const bool alone = which >= 2 * PIOLA_MODEL_COUNT;
        const double far = alone ? 0.03 : 0.06;
        use_model(which % PIOLA_MODEL_COUNT);
        for (int solver = 0; solver < SOLVERS; solver++) {
            /* of an explicit step no more than its length, beyond which it is unstable */
            const float damping = solver == EXPLICIT ? 1e-4f : 0.02f;
            material.damping = which / PIOLA_MODEL_COUNT % 2 ? damping : 0;
            struct state s = state_of(alone ? one_triangle() : distorted_sheet(5));
            float *multipliers = fixture_memory(s.asset->stats.packs * PK_LANES * sizeof(float));
            struct pk_quad *before = fixture_memory(s.asset->stats.particles * sizeof *before);
            for (uint32_t i = 0; i < s.asset->stats.vertices; i++) {
                s.x[i].x += (float)uniform(-far, far);
                s.x[i].y += (float)uniform(-far, far);
                s.x[i].z += (float)uniform(-far, far);
            }
            memcpy(before, s.x, s.asset->stats.particles * sizeof *before);
            solve.dt = solver == EXPLICIT ? 1e-4f : 0.005f;
            solve.inertia = 1 / (solve.dt * solve.dt);
            /* The damping step alone: each of the two turns about where it found the triangle. */
            solve.relaxation = solver == COMPLIANT && material.damping > 0 && alone ? 0 : 1;
            project(&s, solver, multipliers);
            solve.relaxation = 1;
            check_momentum(&s, before);
        }
    }
}

/* ---- patterns ---- */

static piola_mesh_desc patterned(double *pattern, double scale, bool mirrored)
{
    meshgen_free(&mesh);
    TEST_ASSERT_TRUE(
        meshgen_cloth(&mesh, (const double[2]){1, 1}, (const uint32_t[2]){4, 4}, false));
    for (size_t i = 0; i < 3 * (size_t)mesh.triangle_count; i++) {
        const double *x = mesh.vertices + 3 * (size_t)mesh.triangles[i];
        pattern[2 * i] = scale * (mirrored ? -x[2] : x[0]) + 7;
        pattern[2 * i + 1] = scale * (mirrored ? -x[0] : -x[2]);
    }
    piola_mesh_desc desc = meshgen_desc(&mesh);
    desc.triangle_patterns = pattern;
    desc.materials = &material;
    desc.material_count = 1;
    return desc;
}

/* Rest shape, mass and the warp come from the pattern, whichever side is up. */
static void test_patterns_give_the_rest_shape(void)
{
    double *pattern = fixture_memory(6 * 32 * sizeof *pattern);
    use_model(PIOLA_MODEL_STVK_ORTHOTROPIC);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        piola_mesh_desc desc = patterned(pattern, 0.8, mirrored != 0);
        struct state s = state_of(fixture_compile(&desc));
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.3 * 0.64, s.asset->stats.mass);
        measure(&s);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1.25, (double)s.sum.stretch[0]);
        /* Where the sheet has its rest size along u only, all of the force lies across it. */
        for (uint32_t i = 0; i < s.asset->stats.vertices; i++) {
            s.x[i].x *= mirrored ? 1 : 0.8f;
            s.x[i].z *= mirrored ? 0.8f : 1;
        }
        measure(&s);
        /* plane stress with no strain along warp: E2 / (1 - nu12 nu21) e, a metre of force on 0.8
         */
        const double e = (1.5625 - 1) / 2, want = 0.8 * 1.25 * 4e3 / (1 - 0.1 * 0.4) * e;
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * want, want, pull(&s, mirrored == 0));
        /* A direction in the pattern's plane turns the warp by a quarter. */
        float *warp = fixture_memory(3 * 32 * sizeof *warp);
        for (int i = 0; i < 32; i++)
            warp[3 * i + 1] = 1;
        desc.triangle_directions = warp;
        struct state turned = state_of(fixture_compile(&desc));
        memcpy(turned.x, s.x, s.asset->stats.particles * sizeof *s.x);
        measure(&turned);
        const double softer = want / 4;
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * softer, softer, pull(&turned, mirrored == 0));
    }
}

static void refused(piola_mesh_desc *desc, piola_status status, const char *field, uint32_t item)
{
    size_t bytes = 0;
    piola_error error = {0};
    piola_plan *plan = NULL;
    fixture_ok(piola_plan_size(desc, &bytes, NULL), NULL);
    TEST_ASSERT_EQUAL_INT(status,
                          piola_asset_plan(desc, fixture_memory(bytes), bytes, &plan, &error));
    TEST_ASSERT_EQUAL_STRING(field, error.field);
    TEST_ASSERT_EQUAL_UINT32(item, error.item);
}

static void test_bad_patterns_are_refused(void)
{
    static const char field[] = "piola_mesh_desc.triangle_patterns";
    double *pattern = fixture_memory(6 * 32 * sizeof *pattern);
    piola_mesh_desc desc = patterned(pattern, 1, false);
    const double good = pattern[6 * 5 + 3];
    pattern[6 * 5 + 3] = (double)NAN;
    refused(&desc, PIOLA_ERROR_NOT_FINITE, field, 5);
    pattern[6 * 5 + 3] = 1e30;
    refused(&desc, PIOLA_ERROR_RANGE, field, 5);
    pattern[6 * 5 + 3] = good;
    memcpy(pattern + 6 * 9 + 2, pattern + 6 * 9, 2 * sizeof *pattern);
    refused(&desc, PIOLA_ERROR_MESH_DEGENERATE, field, 9);
    float *warp = fixture_memory(3 * 32 * sizeof *warp);
    for (int i = 0; i < 32; i++)
        warp[3 * i] = i == 7 ? 0 : 1;
    warp[3 * 7 + 2] = 1; /* normal to the pattern */
    desc = patterned(pattern, 1, false);
    desc.triangle_directions = warp;
    refused(&desc, PIOLA_ERROR_MESH_FRAME, "piola_mesh_desc.triangle_directions", 7);
    desc.triangle_directions = NULL;
    fixture_compile(&desc);
}

/* ---- plastic cells ---- */

/* Every visit of descent finds the cell of the pack's lane that holds the same triangle. */
static void test_visits_know_their_cells(void)
{
    material.plastic_yield = 0.1f;
    material.plastic_max = 0.2f;
    const piola_asset *a = distorted_sheet(8);
    uint32_t found = 0;
    TEST_ASSERT_EQUAL_UINT32(a->at.triangle_packs.count, a->stats.plastic_packs);
    for (uint32_t p = 0; p < a->at.vertex_packs.count; p++) {
        const struct pk_vertex_pack *pack = &asset_vertex_packs(a)[p];
        for (uint32_t i = 0; i < pack->visits[PK_VISIT_TRIANGLE].count * PK_LANES; i++) {
            const uint32_t slot = pack->visits[PK_VISIT_TRIANGLE].first + i / PK_LANES,
                           lane = i % PK_LANES;
            const struct pk_triangle_visit *visit = &asset_triangle_visits(a)[slot];
            const uint32_t cell = asset_triangle_visit_plastic(a)[(size_t)slot * PK_LANES + lane];
            if (!(visit->area[lane] > 0)) {
                TEST_ASSERT_EQUAL_UINT32(UINT32_MAX, cell);
                continue;
            }
            const struct pk_triangle_pack *of = &asset_triangle_packs(a)[cell / PK_LANES];
            const uint32_t v[3] = {pack->self[lane], visit->other[0][lane], visit->other[1][lane]};
            TEST_ASSERT_EQUAL_UINT32(cell / PK_LANES,
                                     asset_triangle_pack_plastic(a)[cell / PK_LANES]);
            for (int c = 0; c < 3; c++) {
                const uint32_t at = of->index[c][cell % PK_LANES];
                TEST_ASSERT_TRUE(at == v[0] || at == v[1] || at == v[2]);
            }
            found++;
        }
    }
    TEST_ASSERT_EQUAL_UINT32(3 * a->stats.triangles, found);
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_patch);
    RUN_TEST(test_pull_follows_the_closed_form);
    RUN_TEST(test_orthotropy_is_the_closed_form);
    RUN_TEST(test_rigid_motions_make_no_force);
    RUN_TEST(test_projections_are_the_papers);
    RUN_TEST(test_projections_keep_momentum);
    RUN_TEST(test_patterns_give_the_rest_shape);
    RUN_TEST(test_bad_patterns_are_refused);
    RUN_TEST(test_visits_know_their_cells);
    return UNITY_END();
}
