/* Cloth falls on a heap of Armadillos, which falls too: no surface goes through another, by the
 * exact crossing test after every step.
 *
 * PIOLA_PROOFS in the environment: on a hundred of them.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define HEIGHT 0.3 /* m, of one */

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* Half the size of the asset's box, from a body that is gone afterwards. */
static void half_size(const piola_asset *asset, float half[3])
{
    piola_asset_stats stats;
    fixture_ok(piola_asset_inspect(asset, &stats), NULL);
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    piola_world *world = fixture_world(&d);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    float *x = fixture_memory(3 * stats.vertices * sizeof *x), low[3], high[3];
    fixture_ok(piola_body_positions(world, body, 0, stats.vertices, x), NULL);
    for (uint32_t i = 0; i < 3 * stats.vertices; ++i) {
        low[i % 3] = i < 3 ? x[i] : fminf(low[i % 3], x[i]);
        high[i % 3] = i < 3 ? x[i] : fmaxf(high[i % 3], x[i]);
    }
    for (int k = 0; k < 3; ++k)
        half[k] = 0.5f * (high[k] - low[k]);
}

/* Layers of `side` by `side`, a little out of line, that fall on each other. */
static void heap(struct scene *s, const piola_asset *asset, int side, int layers,
                 const float half[3])
{
    for (int number = 0; number < side * side * layers; ++number) {
        piola_body_desc b = piola_body_desc_default();
        const int layer = number / (side * side), row = number / side % side;
        b.position[0] =
            2.1f * half[0] * (float)(number % side) + 0.2f * half[0] * (float)(layer % 3);
        b.position[1] = 2.1f * half[1] * (float)layer + 1.2f * half[1];
        b.position[2] = 2.1f * half[2] * (float)row + 0.15f * half[2] * (float)(layer % 2);
        b.velocity[1] = -0.5f * (float)layer;
        b.angular_velocity[1] = 0.4f * (float)(number % 5) - 0.8f;
        (void)scene_enter(s, asset, &b);
    }
}

static void covered(piola_solver solver, int side, int layers, int steps, const char *what)
{
    const char *name;
    char text[128];
    float half[3];
    const int bodies = side * side * layers;
    const piola_asset *statue = scene_statue(HEIGHT, &name);
    half_size(statue, half);
    piola_world_desc d = scene_desc(solver);
    d.max_bodies = SCENE_BODIES;
    d.max_particles = (uint32_t)bodies * 1600 + 8192;
    d.max_packs = (uint32_t)bodies * 600 + 4096;
    d.max_contacts = (uint32_t)bodies * 20000 + 100000;
    d.max_contact_faces = (uint32_t)bodies * 2400 + 8192;
    struct scene s = scene_of(&d);
    (void)scene_floor(&s, 0.5f);
    heap(&s, statue, side, layers, half);
    piola_body_desc b = piola_body_desc_default();
    const double over = 0.2, width = 2.1 * side * (double)half[0] + 2 * over,
                 length = 2.1 * side * (double)half[2] + 2 * over;
    b.position[0] = (float)(-(double)half[0] - over);
    b.position[1] = 2.1f * half[1] * (float)layers + 0.6f * half[1];
    b.position[2] = (float)(-(double)half[2] - over);
    const uint32_t across = (uint32_t)(width / 0.03), along = (uint32_t)(length / 0.03);
    (void)scene_enter(&s, scene_sheet(width, length, across, along, 500), &b);
    TEST_ASSERT_EQUAL(0, scene_crossings(&s));
    snprintf(text, sizeof text, "%s: cloth of %u triangles on %d %s", what,
             (unsigned)(2 * across * along), bodies, name);
    scene_play(&s, steps, text);
}

static void test_cloth_on_a_heap(void)
{
    if (getenv("PIOLA_PROOFS"))
        covered(PIOLA_SOLVER_DESCENT, 5, 4, scene_steps(1, 10000), "descent");
    else
        covered(PIOLA_SOLVER_DESCENT, 1, 2, scene_steps(80, 10000), "descent");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_cloth_on_a_heap);
    return UNITY_END();
}
