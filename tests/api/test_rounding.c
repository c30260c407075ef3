/* Tests that the caller's floating-point mode reaches no bit: the same meshes, shapes, worlds,
 * queries and sums are computed whatever rounding it has set, and it gets its mode back.
 * covers: src/base/float_mode.h src/kernels/arithmetic.c
 */
#include <fenv.h>
#include <string.h>

#include "base/hash.h"
#include "fixture.h"
#include "kernels/kernels.h"
#include "shape_fixture.h"
#include "unity.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static uint64_t joined;

static void join(const void *data, size_t bytes)
{
    joined = hash_bytes(data, bytes, joined);
}

/* What is described is computed in the usual mode, before the caller's is set. */
static piola_mesh_desc beam, plate;
static struct shape_tris torus;

static void describe(void)
{
    ref_mesh mesh;
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, (int[]){5, 2, 2}, (double[]){1.1, 0.37, 0.41}, 5));
    beam = fixture_mesh(&mesh, NULL);
    ref_mesh_free(&mesh);
    TEST_ASSERT_TRUE(ref_mesh_beam(&mesh, (int[]){3, 1, 3}, (double[]){0.3, 0.1, 0.3}, 5));
    plate = fixture_mesh(&mesh, NULL);
    ref_mesh_free(&mesh);
    shape_fixture_torus(&torus, 12, 8, 0.5, 0.2, 0.05);
}

static piola_world *inhabited(const piola_shape_data *shape, const piola_asset *const assets[2])
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_colliders = 4;
    desc.max_rigids = 1;
    desc.max_contacts = 4096;
    desc.max_contact_faces = 4096;
    desc.max_contact_events = 64;
    desc.report_physics = true;
    piola_world *world = fixture_world(&desc);
    piola_collider_desc ring = piola_collider_desc_default();
    piola_collider collider;
    ring.shape.kind = PIOLA_SHAPE_MESH;
    ring.shape.data = shape;
    ring.rotation[0] = 0.1f;
    ring.rotation[3] = 0.99f;
    ring.position[1] = -0.5f;
    ring.angular_velocity[2] = 0.7f;
    fixture_ok(piola_collider_create(world, &ring, &collider, NULL), NULL);
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_rigid rigid;
    ball.shape = piola_shape_sphere(0.2f);
    ball.mass = 3;
    ball.position[1] = 0.9f;
    fixture_ok(piola_rigid_create(world, &ball, &rigid, NULL), NULL);
    for (int i = 0; i < 2; ++i) {
        piola_body_desc body = piola_body_desc_default();
        piola_body made;
        body.asset = assets[i];
        body.position[1] = 0.45f * (float)i;
        body.rotation[1] = 0.05f;
        body.angular_velocity[0] = 1.3f;
        fixture_ok(piola_body_create(world, &body, &made, NULL), NULL);
    }
    return world;
}

static void look(const piola_world *world)
{
    piola_ray ray = piola_ray_default();
    piola_hit hit;
    ray.origin[1] = 5;
    ray.direction[0] = 0.02f;
    memset(&hit, 0, sizeof hit);
    fixture_ok(piola_world_ray(world, &ray, &hit, NULL), NULL);
    join(&hit.distance, sizeof hit.distance);
    piola_body_info info;
    double energy = 0;
    fixture_ok(piola_body_inspect(world, (piola_body){1, 1}, &info), NULL);
    fixture_ok(piola_body_elastic_energy(world, (piola_body){1, 1}, &energy), NULL);
    join(&info.kinetic_energy, sizeof info.kinetic_energy);
    join(info.angular_momentum, sizeof info.angular_momentum);
    join(&energy, sizeof energy);
    piola_collider_info ring;
    fixture_ok(piola_collider_inspect(world, (piola_collider){1, 1}, &ring), NULL);
    join(ring.force, sizeof ring.force);
}

/* A number of all that the engine computes of the descriptions. */
static uint64_t live(void)
{
    joined = 0;
    const piola_asset *const assets[2] = {fixture_compile(&beam), fixture_compile(&plate)};
    const piola_shape_desc desc = shape_fixture_desc(&torus, PIOLA_SHAPE_MESH);
    const piola_shape_data *shape = shape_fixture_compile(&desc);
    const uint64_t hashes[3] = {piola_asset_hash(assets[0]), piola_asset_hash(assets[1]),
                                piola_shape_hash(shape)};
    join(hashes, sizeof hashes);
    float distance = 0;
    fixture_ok(piola_shape_distance(shape, (float[]){0.31f, 0.17f, 0.11f}, &distance, NULL), NULL);
    join(&distance, sizeof distance);
    piola_world *world = inhabited(shape, assets);
    for (int i = 0; i < 40; ++i) {
        fixture_push(world, PIOLA_COMMAND_BODY_PIN, (piola_body){1, 1}, 3, 0.1f, 0.01f * 0.25f,
                     0.3f);
        fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, (piola_body){2, 1}, 1, 0.1f, 0.2f, 0.3f);
        fixture_steps(world, NULL, 1);
        const uint64_t hash = piola_world_hash(world);
        join(&hash, sizeof hash);
    }
    look(world);
    return joined;
}

static void test_rounding_of_the_caller_reaches_no_bit(void)
{
    static const int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    describe();
    const uint64_t expected = live();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i) {
        TEST_ASSERT_EQUAL_INT(0, fesetround(modes[i]));
        const uint64_t got = live();
        const int after = fegetround();
        fesetround(FE_TONEAREST);
        TEST_ASSERT_EQUAL_HEX64(expected, got);
        TEST_ASSERT_EQUAL_INT(modes[i], after);
    }
}

/* As programs have it that are linked with -ffast-math. */
static void test_flushing_of_the_caller_reaches_no_bit(void)
{
#if defined(__x86_64__)
    describe();
    const uint64_t expected = live();
    const unsigned usual = _mm_getcsr();
    _mm_setcsr(usual | 0x8040u);
    const uint64_t got = live();
    const unsigned after = _mm_getcsr();
    _mm_setcsr(usual);
    TEST_ASSERT_EQUAL_HEX64(expected, got);
    TEST_ASSERT_EQUAL_HEX32(0x8040u, after & 0x8040u);
#else
    TEST_IGNORE_MESSAGE("the control register is written for x86-64");
#endif
}

static void spoilt(const struct pk_arithmetic *in, struct pk_arithmetic_results *out)
{
    kernels_for(PIOLA_ISA_AUTO)->arithmetic(in, out);
    out->row[ARITHMETIC_ROWS - 1][ARITHMETIC_LANES - 1] += 1e-6f;
}

static void test_arithmetic_is_exact_here_and_one_bit_is_noticed(void)
{
    for (int isa = 0; isa < PIOLA_ISA_COUNT; ++isa)
        if (piola_isa_available((piola_isa)isa))
            TEST_ASSERT_TRUE(arithmetic_exact(kernels_for((piola_isa)isa)));
    struct kernels wrong = *kernels_for(PIOLA_ISA_AUTO);
    wrong.arithmetic = spoilt;
    TEST_ASSERT_FALSE(arithmetic_exact(&wrong));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_rounding_of_the_caller_reaches_no_bit);
    RUN_TEST(test_flushing_of_the_caller_reaches_no_bit);
    RUN_TEST(test_arithmetic_is_exact_here_and_one_bit_is_noticed);
    return UNITY_END();
}
