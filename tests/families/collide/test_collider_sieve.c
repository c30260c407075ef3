/* The sieve before a block of particles is held against colliders leaves out none that is near.
 *
 * covers: src/families/collide/collide.c
 */
#include "families/collide/collide_block.h"
#include "fixture.h"
#include "shape_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

#define COLLIDERS 75u

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static struct shape_tris tris;

static float between(uint64_t *random, double low, double high)
{
    return (float)(low + (high - low) * fixture_uniform(random));
}

static float power(uint64_t *random, double low, double high)
{
    return (float)exp(log(low) + (log(high) - log(low)) * fixture_uniform(random));
}

static const piola_shape_data *compiled(piola_shape_kind kind)
{
    const double low[3] = {-0.3, 0.1, -0.2}, high[3] = {0.1, 0.4, 0.7};
    shape_fixture_box(&tris, low, high);
    const piola_shape_desc d = shape_fixture_desc(&tris, kind);
    return shape_fixture_compile(&d);
}

/* One of any kind that has a description of its own, or a compiled one; some turned, some moving.
 */
static void put(piola_world *world, uint64_t *random, uint32_t number, double far,
                const piola_shape_data *const shapes[3])
{
    static const piola_shape_kind kinds[] = {PIOLA_SHAPE_SPHERE, PIOLA_SHAPE_CAPSULE,
                                             PIOLA_SHAPE_BOX,    PIOLA_SHAPE_HULL,
                                             PIOLA_SHAPE_MESH,   PIOLA_SHAPE_WALL};
    piola_collider_desc d = piola_collider_desc_default();
    piola_collider made;
    piola_error error = {0};
    const uint32_t kind = number % 6;
    const double turn = fixture_uniform(random) < 0.7 ? (double)between(random, 0, 3) : 0;
    d.shape.kind = number == 7 ? PIOLA_SHAPE_PLANE : kinds[kind];
    d.shape.data = number != 7 && kind >= 3 ? shapes[kind - 3] : NULL;
    for (int k = 0; k < 3; ++k) {
        d.shape.size[k] = power(random, 1e-3, 10);
        d.position[k] = between(random, -far, far);
        d.velocity[k] = number % 11 == 0 ? between(random, -100, 100) : 0;
    }
    d.shape.radius =
        d.shape.kind == PIOLA_SHAPE_BOX
            ? between(random, 0,
                      (double)fminf(d.shape.size[0], fminf(d.shape.size[1], d.shape.size[2])))
            : power(random, 1e-3, 10);
    d.margin = fixture_uniform(random) < 0.5 ? power(random, 1e-4, 1) : 0;
    d.rotation[number % 3] = (float)sin(0.5 * turn);
    d.rotation[3] = (float)cos(0.5 * turn);
    fixture_ok(piola_collider_create(world, &d, &made, &error), &error);
}

/* About as far from a collider as where the sieve begins to leave it out. */
static struct collide_block block_near(const piola_world *world, uint64_t *random,
                                       uint32_t collider)
{
    const struct collide_sieve *s = &world_sieves(world)[collider / PK_LANES];
    const float ball = s->radius[collider % PK_LANES];
    struct collide_block b = {.radius = power(random, 1e-4, 10), .reach = power(random, 1e-6, 10)};
    float way[3], size = 0;
    b.any = true;
    for (int k = 0; k < 3; ++k) {
        way[k] = between(random, -1, 1);
        size += way[k] * way[k];
    }
    const float off = power(random, 0.99, 1.02) * ((ball < INFINITY ? ball : 1) + b.radius +
                                                   (collider % 2 ? 1.0f : 2.0f) * b.reach);
    for (int k = 0; k < 3; ++k)
        b.centre[k] = s->centre[k][collider % PK_LANES] + way[k] * off / sqrtf(size);
    return b;
}

static void test_nothing_near_is_left_out(void)
{
    uint64_t random = fixture_seed();
    const piola_shape_data *shapes[3] = {compiled(PIOLA_SHAPE_HULL), compiled(PIOLA_SHAPE_MESH),
                                         compiled(PIOLA_SHAPE_WALL)};
    const int rounds = fixture_count(40, 2), blocks = 200;
    uint64_t asked = 0, left_out = 0, near = 0;
    for (int round = 0; round < rounds; ++round) {
        piola_world_desc d = piola_world_desc_default();
        d.max_colliders = COLLIDERS;
        d.max_shapes = 3;
        d.substeps = 1 + (uint32_t)round % 3;
        piola_world *world = fixture_world(&d);
        const double far = (double)power(&random, 1, 1e5);
        for (uint32_t i = 0; i < COLLIDERS; ++i)
            put(world, &random, i, far, shapes);
        fixture_steps(world, NULL, 1);
        for (int i = 0; i < blocks; ++i) {
            const struct collide_block b = block_near(world, &random, (uint32_t)i % COLLIDERS);
            const uint32_t substep = (uint32_t)i % d.substeps;
            for (uint32_t c = 0; c < COLLIDERS; ++c) {
                const float factor = i % 2 ? 1 : 2;
                const uint32_t sixteen = collide_candidates(world, c / PK_LANES, &b, factor);
                const bool asks = sixteen >> c % PK_LANES & 1;
                const struct collide_moving m = collide_moving_of(world, c, substep);
                const bool reaches = collide_near(&m, &b, factor, NULL);
                ++asked;
                left_out += !asks;
                near += reaches;
                TEST_ASSERT_TRUE(asks || !reaches);
            }
        }
    }
    printf("of %llu pairs %llu near, %llu left out\n", (unsigned long long)asked,
           (unsigned long long)near, (unsigned long long)left_out);
    TEST_ASSERT_TRUE(4 * left_out > asked && near > asked / 1000);
}

/* Lanes of no collider are never named; numbers that are lost are not a reason to leave one out. */
static void test_what_is_not_finite_is_asked_about(void)
{
    uint64_t random = fixture_seed();
    const piola_shape_data *shapes[3] = {compiled(PIOLA_SHAPE_HULL), compiled(PIOLA_SHAPE_MESH),
                                         compiled(PIOLA_SHAPE_WALL)};
    piola_world_desc d = piola_world_desc_default();
    d.max_colliders = 20;
    d.max_shapes = 3;
    piola_world *world = fixture_world(&d);
    for (uint32_t i = 0; i < 18; ++i)
        put(world, &random, i, 1, shapes);
    fixture_steps(world, NULL, 1);
    const struct collide_block lost = {{NAN, 0, 0}, 1, 1, true}, wide = {{0}, INFINITY, 0, true};
    TEST_ASSERT_EQUAL_HEX(0xffff, collide_candidates(world, 0, &lost, 1));
    TEST_ASSERT_EQUAL_HEX(0xffff, collide_candidates(world, 0, &wide, 2));
    TEST_ASSERT_EQUAL_HEX(3, collide_candidates(world, 1, &lost, 1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nothing_near_is_left_out);
    RUN_TEST(test_what_is_not_finite_is_asked_about);
    return UNITY_END();
}
