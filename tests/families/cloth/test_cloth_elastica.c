/* A clamped sheet that bends under its own weight with vertex descent, against the heavy elastica:
 * a closed form, on three meshes, regular and irregular.
 *
 * covers: ispc/cloth/
 */
#include "cloth_fixture.h"
#include "ref_closed.h"
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

/* Where the sheet runs: x and z at LINE places from the clamp to the free end. */
#define LINE 65
static double line[LINE][2];

static void lay_flat(void)
{
    for (int i = 0; i < LINE; ++i) {
        line[i][0] = (double)i / (LINE - 1);
        line[i][1] = 0;
    }
}

static void on_line(double s, double at[2])
{
    const int i = s >= 1 ? LINE - 2 : (int)(s * (LINE - 1));
    const double t = s * (LINE - 1) - i;
    for (int k = 0; k < 2; ++k)
        at[k] = (1 - t) * line[i][k] + t * line[i + 1][k];
}

/* Means of the vertices near each place, for the next mesh to start from. */
static void remember(const struct cloth *c, int cells)
{
    double sum[LINE][3] = {{0}};
    for (uint32_t v = 0; v < c->vertices; ++v)
        for (int i = 0; i < LINE; ++i) {
            const double w = 1 - cells * fabs(mesh.x[3 * v] - (double)i / (LINE - 1));
            if (w > 0) {
                sum[i][0] += w * ((double)c->x[3 * v] - mesh.x[3 * v]);
                sum[i][1] += w * (double)c->x[3 * v + 2];
                sum[i][2] += w;
            }
        }
    for (int i = 0; i < LINE; ++i) {
        line[i][0] = (double)i / (LINE - 1) + sum[i][0] / sum[i][2];
        line[i][1] = sum[i][1] / sum[i][2];
    }
}

/* Fall of the free end over the free length, at rest. Two columns of vertices are held; a hinge
 * stands for half a cell on both sides, so bending begins half a cell before the second. B = 1 N m,
 * and a membrane of 1e5 N/m, with which the sheet neither stretches nor bends two ways. */
static double fall(int n, double jitter, piola_bend_model model, double load, double seconds)
{
    const int cells[2] = {n, (int)(n * sqrt(0.75) + 0.5)};
    const uint32_t held = 2 * (uint32_t)cells[1] + 3;
    piola_material m = piola_material_default(), bend = piola_material_default();
    m.model = PIOLA_MODEL_STVK;
    m.young = 1e5f;
    m.poisson = 0;
    m.density = 1;
    bend.bend = 1;
    bend.bend_model = model;
    TEST_ASSERT_TRUE(
        ref_sheet_mesh_grid(&mesh, cells, (double[]){1, 1}, REF_SHEET_STAGGERED, jitter, 1));
    double second = 0, w = 0;
    for (uint32_t v = (uint32_t)cells[1] + 1; v < held; ++v)
        second += mesh.x[3 * v] / (cells[1] + 2);
    const double length = 1 - second / 2;
    const piola_mesh_desc md = cloth_mesh(&mesh, &m, &bend, NULL);
    piola_world_desc d = cloth_statics(0.016f / (float)n, 20);
    d.chebyshev = 0.9f;
    d.gravity[2] = (float)(-load / pow(length, 3));
    const struct cloth c = cloth_start(&md, &d, 7);
    for (uint32_t v = 0; v < c.vertices; ++v) {
        double at[2];
        on_line(mesh.x[3 * v], at);
        if (v < held)
            cloth_pin(&c, v);
        else
            c.x[3 * v] = (float)at[0], c.x[3 * v + 2] = (float)at[1];
    }
    cloth_put(&c);
    fixture_steps(c.world, NULL, (int)(seconds / (double)d.dt));
    cloth_get(&c);
    for (uint32_t v = c.vertices - (uint32_t)cells[1] - 1; v < c.vertices; ++v)
        w -= (double)c.x[3 * v + 2] / (cells[1] + 1) / length;
    remember(&c, n);
    ref_sheet_mesh_free(&mesh);
    fixture_clean();
    return w;
}

/* Both models level by level; the dihedral one starts from where the other came to rest. */
static void elastica(double jitter)
{
    static const piola_bend_model models[2] = {PIOLA_BEND_ISOMETRIC, PIOLA_BEND_DIHEDRAL};
    static const char *const names[2] = {"isometric", "dihedral"};
    const int levels = fixture_count(3, 2);
    for (int i = 0; i < 3; ++i) {
        const double load = i == 0 ? 1 : i == 1 ? 8 : 32, exact = ref_elastica_fall(load);
        double w[2][3];
        lay_flat();
        for (int level = 0; level < levels; ++level)
            for (int k = 0; k < 2; ++k) {
                w[k][level] = fall(6 << level, jitter, models[k], load,
                                   k == 1       ? 0.5
                                   : level == 0 ? 4
                                                : 1.2);
                printf("%s, %s, q L^3 / B = %2.0f, %2d cells: w / L = %.5f (%+.2f %%)\n",
                       jitter > 0 ? "irregular" : "regular", names[k], load, 6 << level,
                       w[k][level], 100 * (w[k][level] / exact - 1));
            }
        for (int k = 0; k < 2; ++k) {
            TEST_ASSERT_DOUBLE_WITHIN(0.02 * exact, exact, w[k][levels - 1]);
            TEST_ASSERT_TRUE(w[k][0] < w[k][1] && (levels < 3 || w[k][1] < w[k][2]));
        }
    }
}

static void test_regular(void)
{
    elastica(0);
}

static void test_irregular(void)
{
    elastica(0.1);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_regular);
    RUN_TEST(test_irregular);
    return UNITY_END();
}
