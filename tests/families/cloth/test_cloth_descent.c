/* Vertex descent of cloth: the objective never rises, from any state, with any material, with and
 * without bending and acceleration.
 *
 * covers: ispc/cloth/ ispc/motion/
 */
#include "cloth_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static ref_sheet_mesh mesh;

void setUp(void)
{
    memset(&mesh, 0, sizeof mesh);
}

void tearDown(void)
{
    ref_sheet_mesh_free(&mesh);
    fixture_clean();
}

static void forget(void)
{
    ref_sheet_mesh_free(&mesh);
    fixture_clean();
}

static piola_material membrane_of(piola_model model)
{
    piola_material m = piola_material_default();
    m.model = model;
    m.young = 100;
    m.poisson = 0.3f;
    m.density = 0.5f;
    m.young_axis[0] = 100;
    m.young_axis[1] = 30;
    m.poisson_axis[0] = 0.2f;
    m.shear_axis[0] = 20;
    /* Orthotropic with warp and weft coupled to shear: xx, yy and xy are symmetric and positive. */
    m.stiffness[0] = 100;
    m.stiffness[1] = 20;
    m.stiffness[5] = 15;
    m.stiffness[6] = 40;
    m.stiffness[10] = -8;
    m.stiffness[20] = 25;
    return m;
}

static piola_material bend_of(float rigidity, piola_bend_model model)
{
    piola_material m = piola_material_default();
    m.bend = rigidity;
    m.bend_model = model;
    return m;
}

#define SMALL 12 /* vertices of 3 x 2 cells */

/* Near rest, crumpled, on a line, folded over, in a point, far stretched. */
static void random_shape(uint64_t *random, const float *rest, float *x)
{
    const int kind = (int)(fixture_random(random) % 6);
    const double amount = pow(10, -3 * fixture_uniform(random));
    for (int i = 0; i < 3 * SMALL; ++i) {
        const double noise = 0.2 * (2 * fixture_uniform(random) - 1);
        const double part = kind == 0 ? 1 : kind == 1 ? amount : 1e-3;
        double at = (double)rest[i];
        if (kind == 2 && i % 3 == 1)
            at = 0;
        if (kind == 3 && i % 3 == 0)
            at = fabs(at - 0.15);
        at *= kind == 4 ? 0 : kind == 5 ? 3 : 1;
        x[i] = (float)(at + part * noise);
    }
}

/* How much more triangles have at rest than now, at most. A normal is known to eps / height, so
 * this tells how well a dihedral angle is: hinges whose wings are crushed to lines turn by
 * rounding. */
static double crushed(struct cloth *c)
{
    double most = 1;
    cloth_get(c);
    for (int t = 0; t < mesh.triangles; ++t) {
        const int *v = &mesh.triangle[3 * t];
        double area[2];
        for (int now = 0; now < 2; ++now) {
            double e[2][3], square = 0;
            for (int i = 0; i < 2; ++i)
                for (int k = 0; k < 3; ++k)
                    e[i][k] = now ? (double)c->x[3 * v[i + 1] + k] - (double)c->x[3 * v[0] + k]
                                  : mesh.x[3 * v[i + 1] + k] - mesh.x[3 * v[0] + k];
            for (int k = 0; k < 3; ++k) {
                const int i = (k + 1) % 3, j = (k + 2) % 3;
                const double n = e[0][i] * e[1][j] - e[0][j] * e[1][i];
                square += n * n;
            }
            area[now] = sqrt(square);
        }
        most = fmax(most, area[0] / fmax(area[1], 1e-30));
    }
    return most;
}

/* From one state, k and k + 1 iterations: G must not rise but for rounding, which is that of the
 * elements' energies in single precision. Nor may the rigid correction of free bodies raise it,
 * which the last world makes after as many iterations as the one before it. */
static void never_rises(piola_model model, piola_bend_model bending, float rigidity,
                        float chebyshev, int states)
{
    uint64_t random = fixture_seed();
    const piola_material m = membrane_of(model), bend = bend_of(rigidity, bending);
    struct cloth c[5];
    float rest[3 * SMALL], x[3 * SMALL], v[3 * SMALL];
    TEST_ASSERT_TRUE(
        ref_sheet_mesh_grid(&mesh, (int[]){3, 2}, (double[]){0.3, 0.2}, REF_SHEET_SQUARES, 0.2, 1));
    const piola_mesh_desc md = cloth_mesh(&mesh, &m, rigidity > 0 ? &bend : NULL, NULL);
    for (uint32_t k = 0; k < 5; ++k) {
        piola_world_desc d = cloth_statics(0.005f, k < 4 ? k + 1 : 4);
        d.keep_momentum = k == 4;
        d.chebyshev = chebyshev;
        d.report_physics = true;
        c[k] = cloth_start(&md, &d, 0);
    }
    memcpy(rest, c[0].x, sizeof rest);
    const bool hinges = rigidity > 0 && bending == PIOLA_BEND_DIHEDRAL;
    /* Who is moved as a whole is rounded anew. */
    const double again = hinges ? 1e-2 : 3e-6;
    for (int state = 0; state < states; ++state) {
        random_shape(&random, rest, x);
        for (int i = 0; i < 3 * SMALL; ++i)
            v[i] = (float)(2 * fixture_uniform(&random) - 1);
        double last = 0, largest = 0;
        for (uint32_t k = 0; k < 5; ++k) {
            piola_report r;
            fixture_ok(piola_body_set_positions(c[k].world, c[k].body, 0, SMALL, x, NULL), NULL);
            fixture_ok(piola_body_set_velocities(c[k].world, c[k].body, 0, SMALL, v, NULL), NULL);
            fixture_ok(piola_world_step(c[k].world, NULL, &r), NULL);
            TEST_ASSERT_EQUAL_UINT32(0, r.frozen);
            largest = fmax(largest, fabs(r.objective_before));
            /* An accelerated iterate may lie above the plain one before it, but not above the
             * start. */
            if (k == 0 || chebyshev > 0)
                last = r.objective_before;
            double blur = k == 4 ? again : 3e-6;
            if (hinges && k > 0 && !(r.objective <= last + blur * largest))
                blur += 3e-7 * fmax(crushed(&c[k - 1]), crushed(&c[k]));
            if (!(r.objective <= last + blur * largest)) {
                char text[160];
                snprintf(text, sizeof text,
                         "model %d, bend %d, B %.0e, state %d: G %.9g -> %.9g in iteration %u",
                         (int)model, (int)bending, (double)rigidity, state, last, r.objective,
                         k + 1);
                TEST_FAIL_MESSAGE(text);
            }
            last = r.objective;
        }
    }
    forget();
}

static const piola_model models[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                     PIOLA_MODEL_NEO_HOOKEAN, PIOLA_MODEL_STVK_ORTHOTROPIC,
                                     PIOLA_MODEL_STVK_GENERAL};
enum { MODELS = sizeof models / sizeof *models };

static void test_the_objective_never_rises(void)
{
    const int states = fixture_count(5000, 300);
    for (int i = 0; i < MODELS; ++i)
        never_rises(models[i], i < 2 ? PIOLA_BEND_ISOMETRIC : PIOLA_BEND_DIHEDRAL,
                    i % 2 ? 1e-3f : 0.1f, 0, states);
    never_rises(PIOLA_MODEL_STVK, PIOLA_BEND_DIHEDRAL, 0.01f, 0, states);
    never_rises(PIOLA_MODEL_STVK, PIOLA_BEND_ISOMETRIC, 0, 0, states);
    /* Anisotropic ones in the kernel of plain cloth too. */
    for (int i = 3; i < MODELS; ++i)
        never_rises(models[i], PIOLA_BEND_ISOMETRIC, 1e-2f, 0, fixture_count(1500, 100));
}

static void test_nor_does_it_with_acceleration(void)
{
    for (int i = 0; i < MODELS; ++i)
        never_rises(models[i], i % 2 ? PIOLA_BEND_ISOMETRIC : PIOLA_BEND_DIHEDRAL, 1e-2f, 0.99f,
                    fixture_count(1000, 100));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_objective_never_rises);
    RUN_TEST(test_nor_does_it_with_acceleration);
    return UNITY_END();
}
