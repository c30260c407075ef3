/* Mixed bodies: a skin of triangles on a bar of tetrahedra, pulled lengthwise with vertex
 * descent, against the closed form of both in parallel.
 *
 * covers: ispc/cloth/
 */
#include "cloth_fixture.h"
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

#define CELLS 12
#define WIDE  0.1 /* m */

/* Faces of the bar's four long sides as triangles of material 1. */
static void dress(piola_mesh_desc *desc, const ref_mesh *bar)
{
    uint32_t *faces = fixture_memory((size_t)bar->tets * 12 * sizeof *faces), count = 0;
    uint32_t *which = fixture_memory((size_t)bar->tets * 4 * sizeof *which);
    for (uint32_t t = 0; t < (uint32_t)bar->tets; ++t)
        for (uint32_t out = 0; out < 4; ++out) {
            uint32_t corner[3];
            for (uint32_t k = 0; k < 3; ++k)
                corner[k] = desc->tetrahedra[4 * t + (out + 1 + k) % 4];
            for (int axis = 1; axis < 3; ++axis)
                for (int side = 0; side < 2; ++side) {
                    bool on = true;
                    for (int k = 0; k < 3; ++k)
                        on = on && fabs(desc->vertices[3 * corner[k] + (uint32_t)axis] -
                                        side * WIDE) < 1e-9;
                    if (on) {
                        memcpy(faces + 3 * count, corner, sizeof corner);
                        which[count++] = 1;
                    }
                }
        }
    TEST_ASSERT_EQUAL_UINT32(8 * CELLS, count);
    desc->triangles = faces;
    desc->triangle_count = count;
    desc->triangle_materials = which;
}

/* Stretch of the middle third of a bar of E, dressed in a skin of k, both without lateral
 * contraction, under a force on its ends: F = l (l^2 - 1) / 2 (E A + k p) with the perimeter p. */
static double stretch_under(float young, float skin, double force)
{
    ref_mesh bar;
    const double size[3] = {CELLS * WIDE, WIDE, WIDE};
    TEST_ASSERT_TRUE(ref_mesh_beam(&bar, (int[]){CELLS, 1, 1}, size, 5));
    piola_material *both = fixture_memory(2 * sizeof *both);
    for (int i = 0; i < 2; ++i) {
        both[i] = piola_material_default();
        both[i].model = PIOLA_MODEL_STVK;
        both[i].poisson = 0;
        both[i].young = i == 0 ? young : skin;
        both[i].density = i == 0 ? 1000 : 10;
    }
    piola_mesh_desc md = fixture_mesh(&bar, &both[0]);
    md.materials = both;
    md.material_count = 2;
    dress(&md, &bar);
    const float dt = 2e-3f;
    const piola_world_desc d = cloth_statics(dt, 20);
    const struct cloth c = cloth_start(&md, &d, 10);
    const int steps = (int)(2 / dt);
    for (int step = 0; step < steps; ++step) {
        for (uint32_t v = 0; v < 4; ++v) {
            const float pull = (float)(force / 4) * dt;
            fixture_push(c.world, PIOLA_COMMAND_BODY_IMPULSE, c.body, v, -pull, 0, 0);
            fixture_push(c.world, PIOLA_COMMAND_BODY_IMPULSE, c.body, 4 * CELLS + v, pull, 0, 0);
        }
        fixture_steps(c.world, NULL, 1);
    }
    cloth_get(&c);
    double length = 0;
    for (uint32_t v = 0; v < 4; ++v)
        length += (double)(c.x[3 * (4 * (2 * CELLS / 3) + v)] - c.x[3 * (4 * (CELLS / 3) + v)]) / 4;
    ref_mesh_free(&bar);
    fixture_clean();
    return length / (WIDE * CELLS / 3);
}

static void test_a_skin_shares_the_load(void)
{
    for (int skin = 0; skin < 2; ++skin) {
        const double young = skin ? 5e4 : 1e5, k = skin ? 1e4 : 1, l = 1.1;
        const double stiff = young * WIDE * WIDE + k * 4 * WIDE;
        const double found = stretch_under((float)young, (float)k, l * (l * l - 1) / 2 * stiff);
        printf("skin bears %.0f %%: stretch %.5f, closed form %.5f\n", 100 * k * 4 * WIDE / stiff,
               found, l);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3 * (l - 1), l, found);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_skin_shares_the_load);
    return UNITY_END();
}
