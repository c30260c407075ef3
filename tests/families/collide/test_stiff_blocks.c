/* Blocks of any stiffness, size and mesh on slopes, with the default budget: 5 iterations of 5 ms.
 * covers: src/motion/coarse.c ispc/collide/planes.isph src/families/collide/collide_trace.c */
#include "collider_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct block {
    int cells[3];
    double cell, young, poisson, friction, degrees; /* m, Pa; degrees above the angle of friction */
};

static double within(uint64_t *seed, double low, double high)
{
    return low + (high - low) * fixture_uniform(seed);
}

/* Flat enough not to tip over. Where stiffness over the square of the width is larger, forces of
 * elements are not known to the weight of a vertex (docs/guide/known-limits.md). */
static struct block any_block(uint64_t *seed)
{
    struct block b = {.cell = 0.03 * pow(8, fixture_uniform(seed))};
    b.cells[0] = 3 + (int)(fixture_random(seed) % 4);
    b.cells[1] = 1 + (int)(fixture_random(seed) % 2);
    b.cells[2] = 2 + (int)(fixture_random(seed) % 4);
    /* Softer ones swing for long: their speed is not that of the slide. */
    const double least = 1e6 * b.cell, most = fmin(1e8, 2e10 * b.cell * b.cell);
    b.young = least * pow(most / least, fixture_uniform(seed));
    b.poisson = within(seed, 0, 0.45);
    b.friction = fixture_random(seed) % 4 ? within(seed, 0, 0.8) : 0;
    b.degrees = within(seed, 5, 15);
    return b;
}

static piola_world *world_of(const struct block *b, double friction, double degrees,
                             piola_body *body, piola_collider *plane)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    piola_world *world = fixture_world(&d);
    piola_material m = piola_material_default();
    m.young = (float)b->young;
    m.poisson = (float)b->poisson;
    piola_collider_desc c = piola_collider_desc_default();
    c.friction_static = c.friction_kinetic = (float)friction;
    *plane = collider_enter(world, &c);
    *body = fixture_body(
        world, fixture_beam_of(b->cells[0], b->cells[1], b->cells[2], b->cell, &m, 0), 0, 0, 0);
    const double angle = degrees * 3.14159265358979323846 / 180;
    fixture_push(world, PIOLA_COMMAND_WORLD_GRAVITY, (piola_body){0, 0}, 0,
                 (float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0);
    return world;
}

static double speed_of(piola_world *world, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    return info.momentum[0] / info.mass;
}

static void tell(const struct block *b, const char *what, double came, double right)
{
    printf("%d x %d x %d cells of %.3f m, %.1e Pa, %.2f, friction %.2f: %s %.4f of %.4f\n",
           b->cells[0], b->cells[1], b->cells[2], b->cell, b->young, b->poisson, b->friction, what,
           came, right);
}

static void test_blocks_slide_as_friction_says(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(24, 2); n > 0; --n) {
        const struct block b = any_block(&seed);
        const double limit = atan(b.friction), angle = limit + b.degrees * 0.017453292519943295;
        piola_body body;
        piola_collider plane;
        piola_world *world = world_of(&b, b.friction, angle * 57.29577951308232, &body, &plane);
        fixture_steps(world, NULL, 60);
        const double before = speed_of(world, body);
        fixture_steps(world, NULL, 100);
        const double came = (speed_of(world, body) - before) / 0.5;
        const double right = 9.81 * (sin(angle) - b.friction * cos(angle));
        tell(&b, "gains", came, right);
        /* What friction takes is to be right, not the little that is left of it. */
        const double drag = 9.81 * b.friction * cos(angle);
        TEST_ASSERT_DOUBLE_WITHIN(0.02 * (drag + right), right, came);
        fixture_clean();
    }
}

static void test_blocks_press_with_their_weight(void)
{
    uint64_t seed = fixture_seed();
    for (int n = fixture_count(24, 2); n > 0; --n) {
        const struct block b = any_block(&seed);
        piola_body body;
        piola_collider plane;
        piola_world *world = world_of(&b, b.friction, 0, &body, &plane);
        piola_body_info info;
        piola_collider_info at;
        fixture_steps(world, NULL, 600);
        double force = 0;
        for (int i = 0; i < 40; ++i) {
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_collider_inspect(world, plane, &at), NULL);
            force -= at.force[1] / 40;
        }
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        const double weight = 9.81 * info.mass, swing = sqrt(2 * info.kinetic_energy / info.mass);
        tell(&b, "presses with", force / weight, 1);
        TEST_ASSERT_DOUBLE_WITHIN(0.02, 1, force / weight);
        TEST_ASSERT_DOUBLE_WITHIN(2e-3, 0, swing);
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_blocks_slide_as_friction_says);
    RUN_TEST(test_blocks_press_with_their_weight);
    return UNITY_END();
}
