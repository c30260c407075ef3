/* The coarse level of descent (src/coarse*.c, ispc/coarse*.ispc): its matrix is Galerkin's, its
 * solution solves it, stiff bars and sheets settle with 5 iterations where many put them.
 *
 * covers: src/motion/coarse.c src/motion/coarse_hold.c src/compile/coarse_sheets.c
 */
#include "asset/asset.h"
#include "compile/build.h"
#include "compile/coarse_plan.h"
#include "fixture.h"
#include "kernels/kernels.h"
#include "ref_fem.h"
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

static piola_material material_of(double young)
{
    piola_material m = piola_material_default();
    m.young = (float)young;
    m.poisson = 0.45f;
    return m;
}

static const piola_asset *bar(int n, double young)
{
    const piola_material m = material_of(young);
    const int cells[3] = {5 * n, n, n};
    const double size[3] = {1, 0.2, 0.2};
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, cells, size, 5));
    piola_mesh_desc described = fixture_mesh(&mesh, &m);
    described.coarse_level = true;
    const piola_asset *asset = fixture_compile(&described);
    ref_mesh_free(&mesh);
    return asset;
}

/* A level's arrays outside a world. */
struct level {
    const piola_asset *asset;
    const struct kernels *k;
    uint32_t particles, rows, padded;
    struct pk_quad *x, *force;
    struct pk_coarse_turns *turns;
    double *matrix, *inverse, *u, *b;
    struct pk_solve solve;
};

static struct level level_of(const piola_asset *asset, piola_isa isa)
{
    const struct pk_coarse *head = asset_coarse_heads(asset);
    struct level l = {.asset = asset, .k = kernels_for(isa), .solve = {.dt = 0.005f}};
    l.particles = asset->stats.particles;
    l.rows = 3 * head->nodes;
    l.padded = (l.rows + 15) / 16 * 16;
    l.x = fixture_memory(l.particles * sizeof *l.x);
    l.force = fixture_memory(l.particles * sizeof *l.force);
    l.turns = fixture_memory(asset->at.coarse_frames.count * sizeof *l.turns);
    l.matrix = fixture_memory(head->matrix * sizeof *l.matrix);
    l.inverse = fixture_memory(l.padded * sizeof *l.inverse);
    l.u = fixture_memory(l.padded * sizeof *l.u);
    l.b = fixture_memory(l.padded * sizeof *l.b);
    memcpy(l.x, asset_rest(asset), l.particles * sizeof *l.x);
    return l;
}

static void assemble(struct level *l, float inertia)
{
    const piola_asset *a = l->asset;
    l->k->coarse_turn(l->x, asset_coarse_frames(a), (uint32_t)a->at.coarse_frames.count, l->turns);
    l->k->coarse_assemble(&(struct pk_assemble_job){.pairs = asset_coarse_pairs(a),
                                                    .blocks = asset_coarse_blocks(a),
                                                    .turns = l->turns,
                                                    .nodes = asset_coarse_nodes(a),
                                                    .matrix = l->matrix,
                                                    .count = (uint32_t)a->at.coarse_pairs.count,
                                                    .node_count = l->rows / 3,
                                                    .scale = 1,
                                                    .inertia = inertia});
}

static double entry(const struct level *l, uint32_t row, uint32_t column)
{
    const uint32_t r = row < column ? row : column, c = row < column ? column : row;
    const struct pk_coarse_node *node = &asset_coarse_nodes(l->asset)[r / 3];
    const uint32_t first = r / 3 * 3 / 16 * 16;
    return c < first + node->width ? l->matrix[node->offset + r % 3 * node->width + c - first] : 0;
}

static double product(const struct level *l, uint32_t row, const double *u)
{
    double sum = 0;
    for (uint32_t c = 0; c < l->rows; c++)
        sum += entry(l, row, c) * u[c];
    return sum;
}

/* What nodes feel of the elements at rest + P u is A u, to first order. */
static void test_the_matrix_is_galerkins(void)
{
    uint64_t seed = fixture_seed();
    for (int n = 2; n <= 6; n += 2) {
        struct level l = level_of(bar(n, 1e6), PIOLA_ISA_AUTO);
        const piola_asset *a = l.asset;
        assemble(&l, 0);
        double norm = 0, off = 0;
        for (uint32_t i = 0; i < l.rows; i++)
            l.u[i] = 1e-4 * (fixture_uniform(&seed) - 0.5);
        l.k->coarse_prolong(l.x, l.force, asset_cage_packs(a), (uint32_t)a->at.cage_packs.count,
                            l.u);
        memset(l.force, 0, l.particles * sizeof *l.force);
        const struct pk_descent_job job = {.x = l.x,
                                           .target = asset_rest(a),
                                           .rest = asset_rest(a),
                                           .packs = asset_vertex_packs(a),
                                           .visits_snh = asset_visits_snh(a),
                                           .solve = &l.solve,
                                           .gradient = l.force,
                                           .count = (uint32_t)a->at.vertex_packs.count};
        l.k->descend_snh(&job);
        l.k->coarse_restrict(l.force, asset_cage_packs(a), (uint32_t)a->at.cage_packs.count, l.b);
        for (uint32_t i = 0; i < l.rows; i++) {
            const double au = product(&l, i, l.u);
            norm += au * au;
            off += (au - l.b[i]) * (au - l.b[i]);
        }
        printf("%u nodes: forces off by %.2e of A u\n", (unsigned)(l.rows / 3), sqrt(off / norm));
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 0, sqrt(off / norm));
    }
}

static void test_the_solution_solves(void)
{
    uint64_t seed = fixture_seed();
    for (int isa = PIOLA_ISA_AUTO; isa < PIOLA_ISA_COUNT; isa++) {
        if (!piola_isa_available((piola_isa)isa))
            continue;
        struct level l =
            level_of(bar(4, 1e8), isa == PIOLA_ISA_AUTO ? PIOLA_ISA_AUTO : (piola_isa)isa);
        const size_t bytes = asset_coarse_heads(l.asset)->matrix * sizeof *l.matrix;
        double *kept = fixture_memory(bytes), size = 0;
        assemble(&l, 40000);
        memcpy(kept, l.matrix, bytes);
        l.k->coarse_factor(l.matrix, asset_coarse_nodes(l.asset), l.rows / 3, l.inverse);
        for (uint32_t i = 0; i < l.rows; i++)
            l.u[i] = l.b[i] = fixture_uniform(&seed) - 0.5;
        l.k->coarse_solve(l.matrix, l.inverse, asset_coarse_nodes(l.asset), l.rows / 3, l.u);
        memcpy(l.matrix, kept, bytes);
        for (uint32_t i = 0; i < l.rows; i++)
            size = fmax(size, fabs(product(&l, i, l.u) - l.b[i]));
        TEST_ASSERT_DOUBLE_WITHIN(1e-9, 0, size);
    }
}

static void test_who_needs_none_has_none(void)
{
    TEST_ASSERT_EQUAL_UINT64(0, fixture_beam(1, 1, 1, 0.1)->at.coarse_heads.count);
    const piola_material m = material_of(1e6);
    ref_mesh mesh;
    TEST_ASSERT_TRUE(
        ref_mesh_beam(&mesh, (const int[]){10, 2, 2}, (const double[]){1, 0.2, 0.2}, 5));
    piola_mesh_desc described = fixture_mesh(&mesh, &m);
    TEST_ASSERT_EQUAL_UINT64(1, fixture_compile(&described)->at.coarse_heads.count);
    described.coarse_level = false;
    TEST_ASSERT_EQUAL_UINT64(0, fixture_compile(&described)->at.coarse_heads.count);
    ref_mesh_free(&mesh);
    TEST_ASSERT_EQUAL_UINT64(1, bar(2, 1e6)->at.coarse_heads.count);
}

/* Each lie that would lead a kernel astray is found. */
static void test_hostile_bytes(void)
{
    const piola_asset *good = bar(4, 1e6);
    const size_t bytes = piola_asset_bytes(good);
    for (int lie = 0; lie < 12; lie++) {
        struct piola_asset *bad = fixture_memory(bytes);
        const piola_asset *opened = NULL;
        memcpy(bad, good, bytes);
        char *base = (char *)bad;
        struct pk_coarse *head = (void *)(base + bad->at.coarse_heads.offset);
        struct pk_coarse_node *node = (void *)(base + bad->at.coarse_nodes.offset);
        struct pk_cage_pack *cage = (void *)(base + bad->at.cage_packs.offset);
        struct pk_coarse_pairs *pairs = (void *)(base + bad->at.coarse_pairs.offset);
        struct pk_coarse_block *block = (void *)(base + bad->at.coarse_blocks.offset);
        struct pk_tet_pack *frame = (void *)(base + bad->at.coarse_frames.offset);
        head->matrix += lie == 0;
        node[1].reach = lie == 1 ? head->nodes : node[1].reach;
        node[2].offset += lie == 2;
        cage->index[3] = lie == 3 ? good->stats.vertices : cage->index[3];
        cage->node[5] = lie == 4 ? head->nodes : cage->node[5];
        node[1].strings = lie == 9 ? -1 : node[1].strings;
        pairs->string[3] = lie == 10 ? (float)INFINITY : pairs->string[3];
        pairs->bend[3] = lie == 11 ? (float)NAN : pairs->bend[3];
        pairs->column[0] = lie == 5 ? head->nodes : pairs->column[0];
        pairs->count = lie == 6 ? 1u << 30 : pairs->count;
        block->group[2] = lie == 7 ? head->groups : block->group[2];
        frame->index[1][4] = lie == 8 ? good->stats.particles : frame->index[1][4];
        bad->checksum = asset_checksum(bad);
        TEST_ASSERT_EQUAL_MESSAGE(PIOLA_ERROR_BLOB_CORRUPT,
                                  piola_asset_open(bad, bytes, &opened, NULL), "a lie is believed");
    }
}

/* The mean height of a clamped bar's far end, settled under its weight: 5 iterations of 5 ms. */
static double sag_of(int n, double young, uint32_t iterations, float chebyshev, double *speed)
{
    ref_mesh mesh;
    const int cells[3] = {5 * n, n, n};
    const double size[3] = {1, 0.2, 0.2};
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, cells, size, 5));
    const piola_material m = material_of(young);
    piola_mesh_desc described = fixture_mesh(&mesh, &m);
    described.coarse_level = true;
    piola_world_desc d = piola_world_desc_default();
    d.iterations = iterations;
    d.coarse_level = true;
    d.chebyshev = chebyshev;
    d.max_bodies = 1;
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_compile(&described);
    b.damping = 5;
    piola_world *world = fixture_world(&d);
    piola_body body;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    uint32_t far = 0;
    for (int v = 0; v < mesh.vertices; v++) {
        const double *x = &mesh.x[3 * v];
        far = x[0] > mesh.x[3 * far] ? (uint32_t)v : far;
        if (x[0] < 1e-6)
            fixture_ok(piola_body_pin(world, body, (uint32_t)v,
                                      (const float[3]){(float)x[0], (float)x[1], (float)x[2]}),
                       NULL);
    }
    fixture_steps(world, NULL, 1000);
    float before[3], x[3];
    fixture_ok(piola_body_positions(world, body, far, 1, before), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_positions(world, body, far, 1, x), NULL);
    *speed = fabs((double)x[1] - (double)before[1]) / 0.005;
    const double down = mesh.x[3 * far + 1] - (double)x[1];
    ref_mesh_free(&mesh);
    return down;
}

static double sag(int n, double young, uint32_t iterations, double *speed)
{
    return sag_of(n, young, iterations, 0, speed);
}

/* Chebyshev's extrapolation is for those that have none, and leaves them alone. */
static void test_bodies_with_a_level_are_not_extrapolated(void)
{
    double speed, accelerated_speed;
    const double plain = sag(2, 1e7, 5, &speed);
    const double accelerated = sag_of(2, 1e7, 5, 0.9f, &accelerated_speed);
    TEST_ASSERT_EQUAL_DOUBLE(plain, accelerated);
    TEST_ASSERT_EQUAL_DOUBLE(speed, accelerated_speed);
}

static void test_bars_settle_whatever_their_stiffness_and_mesh(void)
{
    static const double young[] = {1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    for (int n = 2; n <= 4; n += 2)
        for (size_t i = 0; i < 6; i += 6 / (size_t)fixture_count(6, 2)) {
            double speed, unused;
            const double few = sag(n, young[i], 5, &speed), many = sag(n, young[i], 60, &unused);
            printf("%d cells across, %.0e Pa: sag %.6f m, with 60 iterations %.6f m, %.1e m/s\n", n,
                   young[i], few, many, speed);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * many, many, few);
            TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, speed);
        }
}

/* The middle's height of a sheet of 1 m, 0.3 kg/m^2, that hangs from its corners. */
static double net(uint32_t n, double young, uint32_t iterations, double *speed)
{
    const size_t vertices = (size_t)n * n, triangles = 2 * (size_t)(n - 1) * (n - 1);
    const uint32_t corner[4] = {0, n - 1, n * (n - 1), n * n - 1}, middle = n / 2 * n + n / 2;
    double *x = fixture_memory(3 * vertices * sizeof *x);
    uint32_t *triangle = fixture_memory(3 * triangles * sizeof *triangle), *to = triangle;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const uint32_t v = i * n + j, of[6] = {v, v + 1, v + n, v + n, v + 1, v + n + 1};
            x[3 * v] = (double)i / (n - 1);
            x[3 * v + 2] = (double)j / (n - 1);
            if (i + 1 == n || j + 1 == n)
                continue;
            memcpy(to, of, sizeof of);
            to += 6;
        }
    piola_material m = material_of(young);
    m.model = PIOLA_MODEL_STVK;
    m.poisson = 0.3f;
    m.density = 0.3f;
    piola_mesh_desc mesh = piola_mesh_desc_default();
    mesh.vertices = x;
    mesh.vertex_count = (uint32_t)vertices;
    mesh.triangles = triangle;
    mesh.triangle_count = (uint32_t)triangles;
    mesh.materials = &m;
    mesh.material_count = 1;
    piola_world_desc d = piola_world_desc_default();
    d.iterations = iterations;
    d.max_bodies = 1;
    piola_body_desc b = piola_body_desc_default();
    b.asset = fixture_compile(&mesh);
    b.damping = 5;
    TEST_ASSERT_EQUAL_UINT64(1, b.asset->at.coarse_heads.count);
    piola_world *world = fixture_world(&d);
    piola_body body;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    for (int i = 0; i < 4; i++) {
        const double *at = &x[3 * (size_t)corner[i]];
        fixture_ok(piola_body_pin(world, body, corner[i],
                                  (const float[3]){(float)at[0], (float)at[1], (float)at[2]}),
                   NULL);
    }
    fixture_steps(world, NULL, 800);
    float before[3], after[3];
    fixture_ok(piola_body_positions(world, body, middle, 1, before), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_positions(world, body, middle, 1, after), NULL);
    *speed = fabs((double)after[1] - (double)before[1]) / 0.005;
    fixture_clean();
    return -(double)after[1];
}

static void test_sheets_settle_whatever_their_stiffness_and_mesh(void)
{
    static const double young[] = {5e2, 5e3, 5e4};
    for (uint32_t n = 9; n <= 15; n += 6)
        for (size_t i = 0; i < sizeof young / sizeof *young; i++) {
            double speed, unused;
            const double few = net(n, young[i], 5, &speed), many = net(n, young[i], 40, &unused);
            printf("%u vertices, %.0e N/m: sag %.6f m, with 40 iterations %.6f m, %.1e m/s\n",
                   n * n, young[i], few, many, speed);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * many, many, few);
            TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, speed);
        }
}

/* J: the objective of one step of 5 ms of a clamped bar of 1e9 Pa, bent to 0.5 rad/m and at rest.
 */
static double objective_after(const ref_mesh *mesh, const piola_asset *asset, uint32_t iterations)
{
    const size_t n = (size_t)mesh->vertices * 3;
    const ref_material law = ref_stable_neo_hookean(1e9, 0.45, 0);
    double *bent = fixture_memory(n * sizeof *bent), *x = fixture_memory(n * sizeof *x);
    float *single = fixture_memory(n * sizeof *single);
    ref_fem fem;
    ref_mesh_bend(mesh, 0.5, bent);
    for (size_t i = 0; i < n; i++)
        bent[i] = (double)(single[i] = (float)bent[i]);
    TEST_ASSERT_TRUE(ref_fem_create(&fem, mesh, &law, 1, NULL, 1000));
    piola_world_desc d = piola_world_desc_default();
    d.gravity[1] = 0;
    d.iterations = iterations;
    piola_body_desc b = piola_body_desc_default();
    b.asset = asset;
    piola_world *world = fixture_world(&d);
    piola_body body;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_ok(piola_body_set_positions(world, body, 0, (uint32_t)mesh->vertices, single, NULL),
               NULL);
    for (int v = 0; v < mesh->vertices; v++)
        if (mesh->x[3 * v + 1] < 1e-6)
            fixture_ok(piola_body_pin(world, body, (uint32_t)v, &single[3 * v]), NULL);
    fixture_steps(world, NULL, 1);
    fixture_ok(piola_body_positions(world, body, 0, (uint32_t)mesh->vertices, single), NULL);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)single[i];
    const ref_problem problem = {(double)0.005f, bent, {0, 0, 0}, NULL};
    const double objective = ref_fem_objective(&fem, &problem, x);
    ref_fem_free(&fem);
    return objective;
}

/* Groups turn while a bent body springs back: a matrix of before would stretch them. */
static void test_corrections_of_what_turns_do_not_raise_the_objective(void)
{
    const piola_material m = material_of(1e9);
    ref_mesh mesh;
    TEST_ASSERT_TRUE(
        ref_mesh_beam(&mesh, (const int[]){7, 41, 7}, (const double[]){0.2, 1, 0.2}, 5));
    const piola_mesh_desc described = fixture_mesh(&mesh, &m);
    const piola_asset *asset = fixture_compile(&described);
    double before = objective_after(&mesh, asset, 1);
    for (uint32_t i = 2; i <= 5; i++) {
        const double after = objective_after(&mesh, asset, i);
        printf("%u iterations: %.1f J\n", (unsigned)i, after);
        TEST_ASSERT_TRUE(after <= before * 1.001);
        before = after;
    }
    ref_mesh_free(&mesh);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_matrix_is_galerkins);
    RUN_TEST(test_the_solution_solves);
    RUN_TEST(test_who_needs_none_has_none);
    RUN_TEST(test_hostile_bytes);
    RUN_TEST(test_bars_settle_whatever_their_stiffness_and_mesh);
    RUN_TEST(test_bodies_with_a_level_are_not_extrapolated);
    RUN_TEST(test_corrections_of_what_turns_do_not_raise_the_objective);
    RUN_TEST(test_sheets_settle_whatever_their_stiffness_and_mesh);
    return UNITY_END();
}
