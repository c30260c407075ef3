/* Plastic strain of tetrahedra as state: it flows as the reference's law says, a snapshot taken in
 * the midst of it restores it, here and in another world, and `max` bounds it whatever came before.
 * Not here: the law lane by lane (test_kernels_bits.c), creases (test_creases.c).
 *
 * covers: ispc/solids/
 */
#include "fixture.h"
#include "ref_fem.h"
#include "unity.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELLS_X = 5, CELLS_Y = 2, CELLS_Z = 2, MIDWAY = 25, HELD = 90 };
static const double CELL = 0.1; /* m */
static const ref_plasticity LAW = {.yield = 0.05, .creep = 20, .max = 0.2};

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_material clay(piola_model model, float max)
{
    static const float general[21] = {1.35e5f, 0.58e5f, 0.58e5f, 0,      0.05e5f, 0,       1.35e5f,
                                      0.58e5f, 0,       0,       0.1e5f, 1.35e5f, 0,       0,
                                      0,       0.38e5f, 0,       0,      0.38e5f, 0.05e5f, 0.38e5f};
    piola_material m = piola_material_default();
    m.model = model;
    m.young = 1e5f;
    m.poisson = 0.3f;
    for (int k = 0; k < 3; ++k) {
        m.young_axis[k] = 1e5f * (float)(k + 1);
        m.poisson_axis[k] = 0.1f;
        m.shear_axis[k] = 5e4f;
    }
    memcpy(m.stiffness, general, sizeof general);
    m.plastic_yield = (float)LAW.yield;
    m.plastic_creep = (float)LAW.creep;
    m.plastic_max = max;
    return m;
}

/* A bar whose corners are those of the reference's mesh. */
struct bar {
    piola_world_desc desc;
    piola_world *world;
    piola_body body;
    const piola_asset *asset;
    ref_mesh mesh;
    float *x;
};

/* Where there is none, iterations find strains that others find once a substep. */
static uint32_t room_for_strains = 4096;

static struct bar bar_of(piola_solver solver, const piola_material *material, uint32_t cluster)
{
    struct bar bar = {.desc = piola_world_desc_default()};
    const int cells[3] = {CELLS_X, CELLS_Y, CELLS_Z};
    const double size[3] = {CELLS_X * CELL, CELLS_Y * CELL, CELLS_Z * CELL};
    TEST_ASSERT_TRUE(ref_mesh_beam(&bar.mesh, cells, size, 5));
    piola_mesh_desc mesh = fixture_mesh(&bar.mesh, material);
    if (cluster)
        mesh.cluster_limit = mesh.cluster_size = cluster;
    bar.asset = fixture_compile(&mesh);
    bar.desc.solver = solver;
    bar.desc.iterations = solver == PIOLA_SOLVER_EXPLICIT ? 1 : 5;
    bar.desc.substeps = solver == PIOLA_SOLVER_EXPLICIT ? 10 : 1;
    bar.desc.max_bodies = 2;
    bar.desc.max_strain_packs = room_for_strains;
    bar.desc.max_packs = bar.desc.max_plastic_packs = 64;
    memset(bar.desc.gravity, 0, sizeof bar.desc.gravity);
    bar.world = fixture_world(&bar.desc);
    piola_body_desc body = piola_body_desc_default();
    body.asset = bar.asset;
    body.damping = 60; /* let go, it creeps home */
    fixture_ok(piola_body_create(bar.world, &body, &bar.body, NULL), NULL);
    bar.x = fixture_memory((size_t)bar.mesh.vertices * 3 * sizeof *bar.x);
    return bar;
}

static uint32_t vertices_of(const struct bar *bar)
{
    return (uint32_t)bar->mesh.vertices;
}

/* Another world that knows the asset, and the same body's handle. */
static struct bar twin_of(const struct bar *bar)
{
    struct bar twin = *bar;
    twin.world = fixture_world(&bar->desc);
    fixture_ok(piola_world_add_asset(twin.world, bar->asset), NULL);
    return twin;
}

/* ---- plastic strains ---- */

static const struct pk_plastic *cells_of(const struct bar *bar)
{
    return world_plastic(bar->world) + body_find(bar->world, bar->body)->plastic_first;
}

static ref_mat3 strain_of(const struct pk_plastic *cell, uint32_t lane)
{
    const double xx = (double)cell->e[0][lane], yy = (double)cell->e[1][lane],
                 zz = (double)cell->e[2][lane], yz = (double)cell->e[3][lane],
                 xz = (double)cell->e[4][lane], xy = (double)cell->e[5][lane];
    return (ref_mat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

/* The largest norm in the body; fails where it is above `max`. */
static double bounded_strain(const struct bar *bar, float max)
{
    const struct pk_plastic *cells = cells_of(bar);
    double most = 0;
    for (uint32_t c = 0; c < bar->asset->plastic_cells; ++c)
        for (uint32_t lane = 0; lane < PK_LANES; ++lane)
            most = fmax(most, ref_norm(strain_of(&cells[c], lane)));
    TEST_ASSERT_TRUE(most <= (double)max);
    return most;
}

/* The engine's plastic strain of each element of the mesh. */
static void strains_of(const struct bar *bar, ref_mat3 *strain)
{
    const uint32_t *tets = asset_tet_of_lane(bar->asset);
    const uint32_t *cells = asset_tet_pack_plastic(bar->asset);
    int found = 0;
    for (uint64_t p = 0; p < bar->asset->at.tet_packs.count; ++p)
        for (uint32_t lane = 0; lane < PK_LANES; ++lane) {
            const uint32_t t = tets[p * PK_LANES + lane];
            if (t == UINT32_MAX)
                continue;
            strain[t] = strain_of(cells_of(bar) + cells[p], lane);
            ++found;
        }
    TEST_ASSERT_EQUAL_INT(bar->mesh.tets, found);
}

/* ---- a bar that is held in a uniform strain ---- */

static ref_mat3 map_at(int step)
{
    const double s = fmin(1, step / 40.0);
    return (ref_mat3){{{1 + 0.25 * s, 0.15 * s, 0}, {0, 1 - 0.05 * s, 0.1 * s}, {0, 0, 1}}};
}

static void hold(const struct bar *bar, int step)
{
    const double zero[3] = {0, 0, 0};
    double *x = fixture_memory((size_t)bar->mesh.vertices * 3 * sizeof *x);
    ref_mesh_affine(&bar->mesh, map_at(step), zero, x);
    for (uint32_t v = 0; v < vertices_of(bar); ++v)
        fixture_push(bar->world, PIOLA_COMMAND_BODY_PIN, bar->body, v, (float)x[3 * v],
                     (float)x[3 * v + 1], (float)x[3 * v + 2]);
    fixture_steps(bar->world, NULL, 1);
}

static void let_go(const struct bar *bar)
{
    for (uint32_t v = 0; v < vertices_of(bar); ++v)
        fixture_push(bar->world, PIOLA_COMMAND_BODY_UNPIN, bar->body, v, 0, 0, 0);
    fixture_steps(bar->world, NULL, 800);
}

/* Holds from one step to another while the strain is the law's; returns the law's strain. */
static ref_mat3 hold_by_the_law(const struct bar *bar, int from, int to, ref_mat3 strain)
{
    ref_mat3 *got = fixture_memory((size_t)bar->mesh.tets * sizeof *got);
    for (int step = from; step < to; ++step) {
        hold(bar, step + 1);
        strain = ref_plastic_update(&LAW, strain, map_at(step + 1), (double)bar->desc.dt);
        strains_of(bar, got);
        for (int t = 0; t < bar->mesh.tets; ++t)
            TEST_ASSERT_DOUBLE_WITHIN(2e-6, 0, ref_norm(ref_add(got[t], -1, strain)));
        bounded_strain(bar, (float)LAW.max);
    }
    return strain;
}

/* Settled, the bar is where the reference's energy with its plastic strain is least: distances of
 * all vertices from each other. */
static void check_rest_shape(const struct bar *bar)
{
    const int n = bar->mesh.vertices;
    const ref_material m = ref_stvk(1e5, (double)0.3f);
    ref_fem fem;
    TEST_ASSERT_TRUE(ref_fem_create(&fem, &bar->mesh, &m, 1, NULL, 1000));
    fem.plastic = fixture_memory((size_t)bar->mesh.tets * sizeof *fem.plastic);
    strains_of(bar, fem.plastic);
    fixture_ok(piola_body_positions(bar->world, bar->body, 0, vertices_of(bar), bar->x), NULL);
    double *x = fixture_memory((size_t)n * 3 * sizeof *x), *y = fixture_memory((size_t)n * 3 * 8);
    for (int i = 0; i < 3 * n; ++i)
        x[i] = y[i] = (double)bar->x[i];
    /* So long a step that inertia only says where the body is. */
    const ref_problem problem = {30, y, {0, 0, 0}, NULL};
    const ref_options options = {1e-8, 200};
    const ref_result r = ref_fem_minimise(&fem, &problem, &options, x);
    TEST_ASSERT_TRUE(r.converged);
    double worst = 0, changed = 0;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < a; ++b) {
            double d[3] = {0, 0, 0};
            for (int k = 0; k < 3; ++k) {
                d[0] += pow(y[3 * a + k] - y[3 * b + k], 2);
                d[1] += pow(x[3 * a + k] - x[3 * b + k], 2);
                d[2] += pow(bar->mesh.x[3 * a + k] - bar->mesh.x[3 * b + k], 2);
            }
            worst = fmax(worst, fabs(sqrt(d[0]) - sqrt(d[1])));
            changed = fmax(changed, fabs(sqrt(d[0]) - sqrt(d[2])));
        }
    printf("plastic rest shape: %.2e m from the reference's, %.3f m from the shape as made\n",
           worst, changed);
    TEST_ASSERT_DOUBLE_WITHIN(2e-5, 0, worst);
    TEST_ASSERT_TRUE(changed > 0.02);
    ref_fem_free(&fem);
}

/* Restored from a snapshot of step MIDWAY, the bar goes on as the one that went through. */
static void goes_on(const struct bar *bar, const void *snapshot, size_t bytes, ref_mat3 midway,
                    uint64_t held, uint64_t settled)
{
    fixture_ok(piola_snapshot_restore(bar->world, snapshot, bytes), NULL);
    bounded_strain(bar, (float)LAW.max);
    hold_by_the_law(bar, MIDWAY, HELD, midway);
    TEST_ASSERT_EQUAL_HEX64(held, piola_world_hash(bar->world));
    let_go(bar);
    TEST_ASSERT_EQUAL_HEX64(settled, piola_world_hash(bar->world));
    bounded_strain(bar, (float)LAW.max);
    check_rest_shape(bar);
}

static void test_flow_goes_on_from_a_snapshot(void)
{
    const piola_material m = clay(PIOLA_MODEL_STVK, (float)LAW.max);
    struct bar bar = bar_of(PIOLA_SOLVER_DESCENT, &m, 0);
    const size_t bytes = piola_snapshot_size(bar.world);
    void *snapshot = fixture_memory(bytes);
    const ref_mat3 midway = hold_by_the_law(&bar, 0, MIDWAY, ref_diag(0, 0, 0));
    TEST_ASSERT_TRUE(ref_norm(midway) > 0.02 && ref_norm(midway) < 0.8 * LAW.max);
    fixture_ok(piola_snapshot_save(bar.world, snapshot, bytes), NULL);
    const ref_mat3 last = hold_by_the_law(&bar, MIDWAY, HELD, midway);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, LAW.max, ref_norm(last));
    const uint64_t held = piola_world_hash(bar.world);
    let_go(&bar);
    const uint64_t settled = piola_world_hash(bar.world);
    check_rest_shape(&bar);

    goes_on(&bar, snapshot, bytes, midway, held, settled);
    const struct bar twin = twin_of(&bar);
    goes_on(&twin, snapshot, bytes, midway, held, settled);
    /* The strain is what decides: with another one the future is another. */
    fixture_ok(piola_snapshot_restore(bar.world, snapshot, bytes), NULL);
    memset(world_plastic(bar.world), 0, sizeof(struct pk_plastic));
    piola_difference difference;
    fixture_ok(piola_snapshot_compare(bar.world, snapshot, bytes, &difference), NULL);
    TEST_ASSERT_EQUAL_STRING("plastic", difference.field);
    TEST_ASSERT_EQUAL_UINT64(1, difference.count);
    ref_mesh_free(&bar.mesh);
}

/* ---- a bar that is wrung ---- */

/* One end stands, the other is turned and pulled away: strains differ from element to element. */
static void wring(const struct bar *bar, int from, int to, float max)
{
    const double length = CELLS_X * CELL;
    for (int step = from; step < to; ++step) {
        const double part = fmin(1, step / 40.0), c = cos(2 * part), s = sin(2 * part);
        for (uint32_t v = 0; v < vertices_of(bar); ++v) {
            const double *at = &bar->mesh.x[3 * v], y = at[1] - CELL, z = at[2] - CELL;
            if (at[0] < 1e-9)
                fixture_push(bar->world, PIOLA_COMMAND_BODY_PIN, bar->body, v, 0, (float)at[1],
                             (float)at[2]);
            else if (at[0] > length - 1e-9)
                fixture_push(bar->world, PIOLA_COMMAND_BODY_PIN, bar->body, v,
                             (float)(length * (1 + 0.3 * part)), (float)(CELL + c * y - s * z),
                             (float)(CELL + s * y + c * z));
        }
        fixture_steps(bar->world, NULL, 1);
        bounded_strain(bar, max);
    }
}

static void wrung(piola_solver solver, piola_model model, uint32_t cluster)
{
    const float max = 0.1f;
    piola_material m = clay(model, max);
    m.damping = solver == PIOLA_SOLVER_DESCENT ? 0.01f : 0;
    struct bar bar = bar_of(solver, &m, cluster);
    const size_t bytes = piola_snapshot_size(bar.world);
    void *snapshot = fixture_memory(bytes);
    wring(&bar, 0, MIDWAY, max);
    const double before = bounded_strain(&bar, max);
    fixture_ok(piola_snapshot_save(bar.world, snapshot, bytes), NULL);
    wring(&bar, MIDWAY, 60, max);
    const uint64_t hash = piola_world_hash(bar.world);
    TEST_ASSERT_TRUE(before > 0 && bounded_strain(&bar, max) > 0.999 * (double)max);
    struct bar twin = twin_of(&bar);
    fixture_ok(piola_snapshot_restore(bar.world, snapshot, bytes), NULL);
    fixture_ok(piola_snapshot_restore(twin.world, snapshot, bytes), NULL);
    TEST_ASSERT_TRUE(bounded_strain(&twin, max) == before);
    wring(&bar, MIDWAY, 60, max);
    wring(&twin, MIDWAY, 60, max);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(bar.world));
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(twin.world));
    TEST_ASSERT_EQUAL(solver == PIOLA_SOLVER_DESCENT, bar.world->dim[DIM_strains].used > 0);
    ref_mesh_free(&bar.mesh);
    room_for_strains = 0;
    bar = bar_of(solver, &m, cluster);
    room_for_strains = 4096;
    wring(&bar, 0, 60, max);
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(bar.world));
    TEST_ASSERT_EQUAL(solver == PIOLA_SOLVER_DESCENT, bar.world->dim[DIM_strains].dropped > 0);
    ref_mesh_free(&bar.mesh);
    fixture_clean();
}

static void test_every_solver_and_model_goes_on(void)
{
    for (int solver = 0; solver < PIOLA_SOLVER_COUNT; ++solver)
        for (int model = PIOLA_MODEL_STVK; model <= PIOLA_MODEL_STVK_GENERAL; ++model)
            wrung((piola_solver)solver, (piola_model)model, solver == model ? 64 : 0);
}

/* ---- snapshots that no world can have made ---- */

/* A strain beyond `max` is refused, and nothing changes; one that is just inside is not. */
static void test_strain_beyond_its_bound_is_refused(void)
{
    const piola_material m = clay(PIOLA_MODEL_STVK, 0.2f);
    struct bar bar = bar_of(PIOLA_SOLVER_DESCENT, &m, 0);
    const size_t bytes = piola_snapshot_size(bar.world);
    void *snapshot = fixture_memory(bytes);
    const uint64_t hash = piola_world_hash(bar.world);
    struct pk_plastic *last = &world_plastic(bar.world)[bar.asset->plastic_cells - 1];
    for (int k = 0; k < 6; ++k) {
        const float bound = k < 3 ? 0.2f : 0.2f / sqrtf(2);
        const float strains[4] = {1.001f * bound, -2 * bound, 1e30f, 0.999f * bound};
        for (int i = 0; i < 4; ++i) {
            last->e[k][0] = strains[i];
            fixture_ok(piola_snapshot_save(bar.world, snapshot, bytes), NULL);
            last->e[k][0] = 0;
            TEST_ASSERT_EQUAL(i < 3 ? PIOLA_ERROR_SNAPSHOT_FORMAT : PIOLA_OK,
                              piola_snapshot_restore(bar.world, snapshot, bytes));
            if (i < 3)
                TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(bar.world));
            else
                TEST_ASSERT_EQUAL_FLOAT(strains[i], last->e[k][0]);
            last->e[k][0] = 0;
        }
    }
    ref_mesh_free(&bar.mesh);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_flow_goes_on_from_a_snapshot);
    RUN_TEST(test_every_solver_and_model_goes_on);
    RUN_TEST(test_strain_beyond_its_bound_is_refused);
    return UNITY_END();
}
