/* Patch tests of the projection solvers (DESCENT's is in test_statics.c): the boundary of a
 * distorted mesh is held where a map takes it, the inside is shaken and must settle where the map
 * takes it too.
 *
 * After a rigid map all must be back to 1e-5 m. After an affine one that strains, solvers differ by
 * nature (docs/method/projections.md, "Patch test"):
 *   EXPLICIT, COMPLIANT  elements act one after the other on positions that those before have moved
 *                        in the same substep, so what they settle at is off by some strain times
 *                        (omega dt)^2. The map itself is the limit of short steps: the gap falls
 *                        with dt^2, and what two steps extrapolate to is within 1e-5 m. (Far
 *                        shorter steps are no way there: a force moves a particle by dt^2 f / m,
 *                        which single precision rounds away. So the mesh has one vertex inside,
 *                        near the origin, and the longer step is near EXPLICIT's limit.)
 * ENERGY's corrections have the elements' volume and stiffness divided out, so they do not balance
 * in a strained patch: only rigid maps are reproduced.
 *
 * covers: ispc/motion/
 */
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4 * 4 * 4 };

static uint64_t seed;

static const struct {
    piola_solver solver;
    const char *name;
    uint32_t iterations;
} solvers[] = {{PIOLA_SOLVER_EXPLICIT, "explicit", 1},
               {PIOLA_SOLVER_COMPLIANT, "compliant", 6},
               {PIOLA_SOLVER_ENERGY, "energy", 6}};

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* A cube of 1 m and 1e5 Pa about the origin, where positions round least. */
struct patch {
    ref_mesh mesh;
    int vertices;
    const piola_asset *asset;
    double exact[3 * MOST];
    float start[3 * MOST];
    bool inside[MOST];
};

/* Cells along a side; 0: a single element with its corners at 0 and 1 m along each axis. */
static void patch_make(struct patch *p, piola_model model, int side)
{
    const int cells[3] = {side, side, side};
    static const double size[3] = {1, 1, 1};
    static const float general[21] = {1.35e5f, 0.58e5f, 0.58e5f, 0,      0.05e5f, 0,       1.35e5f,
                                      0.58e5f, 0,       0,       0.1e5f, 1.35e5f, 0,       0,
                                      0,       0.38e5f, 0,       0,      0.38e5f, 0.05e5f, 0.38e5f};
    piola_material m = piola_material_default();
    m.model = model;
    m.young = 1e5f;
    m.poisson = 0.3f;
    for (int k = 0; k < 3; ++k) {
        m.young_axis[k] = 0.5e5f * (float)(1 << k);
        m.poisson_axis[k] = 0.1f;
        m.shear_axis[k] = 4e4f;
    }
    memcpy(m.stiffness, general, sizeof general);
    TEST_ASSERT_TRUE(side ? ref_mesh_beam(&p->mesh, cells, size, 5) : ref_mesh_single(&p->mesh, 1));
    if (side) {
        ref_mesh_distort(&p->mesh, 0.2 / side, fixture_random(&seed));
        ref_mesh_normalise(&p->mesh, 0);
    }
    p->vertices = p->mesh.vertices;
    const piola_mesh_desc mesh = fixture_mesh(&p->mesh, &m);
    p->asset = fixture_compile(&mesh);
}

/* The boundary where the map takes it, the inside up to 0.05 m a coordinate away from there, which
 * tangles nothing. */
static void patch_map(struct patch *p, ref_mat3 map)
{
    static const double zero[3] = {0, 0, 0};
    ref_mesh_affine(&p->mesh, map, zero, p->exact);
    for (int v = 0; v < p->vertices; ++v) {
        p->inside[v] = true;
        for (int k = 0; k < 3; ++k)
            p->inside[v] = p->inside[v] && fabs(p->mesh.x[3 * v + k]) < 0.5 - 1e-9;
        for (int k = 0; k < 3; ++k)
            p->start[3 * v + k] =
                (float)(p->exact[3 * v + k] +
                        (p->inside[v] ? 0.1 * (fixture_uniform(&seed) - 0.5) : 0));
    }
}

/* Where the inside has settled after 1.2 s. */
static void settle(const struct patch *p, int which, float dt, float *x)
{
    const uint32_t count = (uint32_t)p->vertices;
    piola_world_desc d = piola_world_desc_default();
    d.solver = solvers[which].solver;
    d.iterations = solvers[which].iterations;
    d.dt = dt;
    d.max_bodies = 1;
    d.max_packs = 256;
    memset(d.gravity, 0, sizeof d.gravity);
    piola_world *world = fixture_world(&d);
    piola_body_desc b = piola_body_desc_default();
    b.asset = p->asset;
    b.damping = 20;
    piola_body body;
    fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
    fixture_ok(piola_body_set_positions(world, body, 0, count, p->start, NULL), NULL);
    for (uint32_t v = 0; v < count; ++v)
        if (!p->inside[v])
            fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, v, p->start[3 * v],
                         p->start[3 * v + 1], p->start[3 * v + 2]);
    fixture_steps(world, NULL, (int)(1.2f / dt));
    fixture_ok(piola_body_positions(world, body, 0, count, x), NULL);
}

static double farthest(const struct patch *p, const double *x)
{
    double worst = 0;
    for (int k = 0; k < 3 * p->vertices; ++k)
        worst = fmax(worst, fabs(x[k] - p->exact[k]));
    return worst;
}

static ref_mat3 random_rotation(void)
{
    double q[4], square = 0;
    do {
        square = 0;
        for (int k = 0; k < 4; ++k) {
            q[k] = 2 * fixture_uniform(&seed) - 1;
            square += q[k] * q[k];
        }
    } while (square > 1 || square < 0.01);
    const double s = 2 / square;
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    return (ref_mat3){{{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                       {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                       {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}}};
}

static void test_rigid_maps(void)
{
    static struct patch patch;
    static float got[3 * MOST];
    static double x[3 * MOST];
    double worst[3] = {0, 0, 0};
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model) {
        patch_make(&patch, (piola_model)model, 3);
        patch_map(&patch, random_rotation());
        for (int which = 0; which < 3; ++which) {
            settle(&patch, which, 0.0057f, got);
            for (int k = 0; k < 3 * patch.vertices; ++k)
                x[k] = (double)got[k];
            const double off = farthest(&patch, x);
            if (off > 1e-5)
                printf("model %d which %d off %g\n", model, which, off);
            worst[which] = fmax(worst[which], off);
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, off);
        }
        ref_mesh_free(&patch.mesh);
        fixture_clean();
    }
    printf("rigid maps: off by %.1e m explicit, %.1e compliant, %.1e energy\n", worst[0], worst[1],
           worst[2]);
}

/* The gap falls with dt^2, and nothing of it is left in the limit. */
static void limit_of_short_steps(const struct patch *p, int which, int model)
{
    static float one[3 * MOST], half[3 * MOST];
    static double x[3][3 * MOST];
    settle(p, which, 0.008f, one);
    settle(p, which, 0.004f, half);
    for (int k = 0; k < 3 * p->vertices; ++k) {
        x[0][k] = (double)one[k];
        x[1][k] = (double)half[k];
        x[2][k] = (4 * x[1][k] - x[0][k]) / 3;
    }
    const double gap[3] = {farthest(p, x[0]), farthest(p, x[1]), farthest(p, x[2])};
    printf("%s, model %d: off by %.2e m, %.2e with half the step, %.1e in the limit\n",
           solvers[which].name, model, gap[0], gap[1], gap[2]);
    TEST_ASSERT_TRUE(gap[0] < 1e-3 && gap[1] < 0.3 * gap[0] + 1e-5);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0, gap[2]);
}

static void test_affine_maps(void)
{
    static struct patch patch;
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model) {
        /* Strains of up to 10 %, and any rotation. */
        ref_mat3 map = {{{1.1, 0.05, 0.025}, {-0.05, 0.95, 0.1}, {0.05, -0.05, 1.05}}};
        map = ref_mul(random_rotation(), map);
        patch_make(&patch, (piola_model)model, 2);
        patch_map(&patch, map);
        for (int which = 0; which < 2; ++which)
            limit_of_short_steps(&patch, which, model);
        ref_mesh_free(&patch.mesh);
        fixture_clean();
    }
}

/* Three corners are held farther apart than at rest: E cannot become 0, its gradient by the fourth
 * corner can, and there (3) asks for a step without bound. The engine's bound, sum w |grad|^2 not
 * below a hundredth of what it were if all corners moved, allows steps of some strains. */
static void test_what_cannot_come_to_rest_stays_near(void)
{
    double most = 0;
    for (int n = 0; n < 3 * PIOLA_MODEL_COUNT; ++n) {
        const float strains[3] = {1e-4f, 1e-3f, 1e-2f}, strain = strains[n % 3];
        static struct patch patch;
        patch_make(&patch, (piola_model)(n / 3), 0);
        piola_world_desc d = piola_world_desc_default();
        d.solver = PIOLA_SOLVER_ENERGY;
        memset(d.gravity, 0, sizeof d.gravity);
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, patch.asset, 0, 0, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 1, 1 + strain, 0, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 2, 0, 1 + strain, 0);
        for (int step = 0; step < 1000; ++step) {
            float x[3];
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_body_positions(world, body, 3, 1, x), NULL);
            const double off = hypot(hypot((double)x[0], (double)x[1]), (double)x[2] - 1);
            most = fmax(most, off / (double)strain);
        }
        ref_mesh_free(&patch.mesh);
        fixture_clean();
    }
    printf("a free corner over a strained face goes up to %.1f strains of its height away\n", most);
    TEST_ASSERT_TRUE(most < 10);
}

/* The same of a triangle, one edge of which is held longer than at rest. */
static void test_what_hangs_on_a_stretched_edge_stays_near(void)
{
    static const double at[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t corners[3] = {0, 1, 2};
    double most = 0;
    for (int n = 0; n < 9; ++n) {
        static const piola_model models[3] = {PIOLA_MODEL_STVK, PIOLA_MODEL_NEO_HOOKEAN,
                                              PIOLA_MODEL_STABLE_NEO_HOOKEAN};
        const float strains[3] = {1e-4f, 1e-3f, 1e-2f}, strain = strains[n % 3];
        piola_material material = piola_material_default();
        material.model = models[n / 3];
        material.density = 0.2f;
        material.young = 1e3f;
        piola_mesh_desc mesh = piola_mesh_desc_default();
        mesh.vertices = at;
        mesh.vertex_count = 3;
        mesh.triangles = corners;
        mesh.triangle_count = 1;
        mesh.materials = &material;
        mesh.material_count = 1;
        piola_world_desc d = piola_world_desc_default();
        d.solver = PIOLA_SOLVER_ENERGY;
        memset(d.gravity, 0, sizeof d.gravity);
        piola_world *world = fixture_world(&d);
        const piola_body body = fixture_body(world, fixture_compile(&mesh), 0, 0, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0, 0);
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 1, 1 + strain, 0, 0);
        for (int step = 0; step < 1000; ++step) {
            float x[3];
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_body_positions(world, body, 2, 1, x), NULL);
            const double off = hypot(hypot((double)x[0], (double)x[1] - 1), (double)x[2]);
            most = fmax(most, off / (double)strain);
        }
        fixture_clean();
    }
    printf("a free corner over a strained edge goes up to %.1f strains of its height away\n", most);
    TEST_ASSERT_TRUE(most < 10);
}

int main(void)
{
    UNITY_BEGIN();
    seed = fixture_seed();
    RUN_TEST(test_rigid_maps);
    RUN_TEST(test_affine_maps);
    RUN_TEST(test_what_cannot_come_to_rest_stays_near);
    RUN_TEST(test_what_hangs_on_a_stretched_edge_stays_near);
    return UNITY_END();
}
