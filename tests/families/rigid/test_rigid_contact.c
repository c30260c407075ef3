/* Rigid bodies that meet each other: impacts, slopes, stacks, with soft bodies between them.
 *
 * covers: src/families/rigid/rigid_contact_solve.c src/families/rigid/rigid_manifold.c
 * src/families/rigid/rigid_manifold_box.c src/families/rigid/rigid_manifold_hull.c
 */
#include "resume.h"
#include "solid_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_world_desc world_of(uint32_t rigids)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    d.max_rigids = rigids;
    d.max_rigid_contacts = 8 * rigids;
    return d;
}

static piola_rigid_desc ball(float radius, float mass)
{
    piola_rigid_desc d = piola_rigid_desc_default();
    d.shape = piola_shape_sphere(radius);
    d.mass = mass;
    return d;
}

static piola_rigid_desc box(float x, float y, float z, float mass)
{
    piola_rigid_desc d = piola_rigid_desc_default();
    d.shape = piola_shape_box((const float[]){x, y, z}, 0);
    d.mass = mass;
    return d;
}

static piola_rigid enter(piola_world *world, const piola_rigid_desc *desc)
{
    piola_rigid rigid = {0, 0};
    piola_error error;
    fixture_ok(piola_rigid_create(world, desc, &rigid, &error), &error);
    return rigid;
}

static void floor_at(piola_world *world, float y)
{
    piola_collider_desc d = piola_collider_desc_default();
    d.position[1] = y;
    (void)collider_enter(world, &d);
}

static piola_rigid_info info_of(const piola_world *world, piola_rigid rigid)
{
    piola_rigid_info info;
    fixture_ok(piola_rigid_inspect(world, rigid, &info), NULL);
    return info;
}

/* Momentum, angular momentum about the origin, kinetic energy. */
static void add_motion(const piola_world *world, piola_rigid rigid, double out[7])
{
    const piola_rigid_info r = info_of(world, rigid);
    const double x = (double)r.rotation[0], y = (double)r.rotation[1], z = (double)r.rotation[2],
                 w = (double)r.rotation[3];
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    double own[3];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        own[k] = 0;
        for (int c = 0; c < 3; ++c)
            own[k] += m[c][k] * (double)r.angular_velocity[c];
        out[k] += r.mass * (double)r.velocity[k];
        out[3 + k] += r.mass * ((double)r.position[i] * (double)r.velocity[j] -
                                (double)r.position[j] * (double)r.velocity[i]);
        out[6] += 0.5 * r.mass * (double)r.velocity[k] * (double)r.velocity[k] +
                  0.5 * r.inertia[k] * own[k] * own[k];
    }
    for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c)
            out[3 + k] += m[k][c] * r.inertia[c] * own[c];
}

/* Of any shape, turned and turning any way, on its way to the other one. */
static piola_rigid_desc thrown(uint64_t *seed, int side, int trial)
{
    const float mass = side ? 1 : powf(10, (float)(fixture_random(seed) % 5) - 2);
    const float size = 0.05f + 0.1f * (float)fixture_uniform(seed);
    piola_rigid_desc r =
        fixture_random(seed) % 2 ? box(size, 0.5f * size, size, mass) : ball(size, mass);
    if (fixture_random(seed) % 3 == 0)
        r.shape = piola_shape_capsule(size, 0.5f * size);
    float q[4], norm = 0;
    for (int k = 0; k < 4; ++k) {
        q[k] = (float)fixture_uniform(seed) - 0.5f;
        norm += q[k] * q[k];
    }
    for (int k = 0; k < 4; ++k)
        r.rotation[k] = q[k] / sqrtf(norm);
    for (int k = 0; k < 3; ++k) {
        r.position[k] = 0.1f * ((float)fixture_uniform(seed) - 0.5f);
        r.velocity[k] = 0.2f * ((float)fixture_uniform(seed) - 0.5f);
        r.angular_velocity[k] = 4 * ((float)fixture_uniform(seed) - 0.5f);
    }
    r.position[0] = side ? 0.5f : -0.5f;
    r.velocity[0] += side ? -2 : 2;
    r.friction_static = r.friction_kinetic = (float)(trial % 3) * 0.4f;
    r.restitution = trial % 2 ? 0.8f : 0;
    return r;
}

/* Two of any shape, head on or off the middle, from 1:100 to 100:1, with friction and restitution:
 * what one loses the other gets, and both together never gain energy. */
static void test_impacts_keep_momentum_and_make_no_energy(void)
{
    uint64_t seed = fixture_seed();
    double worst[3] = {0, 0, 0};
    uint32_t met = 0;
    for (int trial = 0; trial < fixture_count(60, 6); ++trial) {
        piola_world_desc d = world_of(2);
        memset(d.gravity, 0, sizeof d.gravity);
        piola_world *world = fixture_world(&d);
        piola_rigid both[2];
        for (int side = 0; side < 2; ++side) {
            const piola_rigid_desc r = thrown(&seed, side, trial);
            both[side] = enter(world, &r);
        }
        double before[7] = {0}, most = 0;
        add_motion(world, both[0], before);
        add_motion(world, both[1], before);
        most = before[6];
        for (int i = 0; i < 100; ++i) {
            double now[7] = {0};
            piola_report report;
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            met += report.rigid_contacts;
            add_motion(world, both[0], now);
            add_motion(world, both[1], now);
            for (int k = 0; k < 6; ++k) {
                const double scale = 2 * (info_of(world, both[0]).mass + 1);
                worst[k / 3] = fmax(worst[k / 3], fabs(now[k] - before[k]) / scale);
            }
            if (report.rigid_contacts > 0) /* a free body's swings as it tumbles */
                worst[2] = fmax(worst[2], (now[6] - most) / before[6]);
            most = now[6];
        }
        fixture_clean();
    }
    printf("momentum to %.1e, angular to %.1e, energy rose by %.1e at most; near in %u steps\n",
           worst[0], worst[1], worst[2], met);
    TEST_ASSERT_TRUE(met > 0);
    TEST_ASSERT_TRUE(worst[0] < 1e-6);
    TEST_ASSERT_TRUE(worst[1] < 1e-6);
    TEST_ASSERT_TRUE(worst[2] < 1e-6);
}

static void tower(uint32_t count, float half, double seconds)
{
    piola_world_desc d = world_of(count);
    piola_world *world = fixture_world(&d);
    piola_rigid all[64];
    floor_at(world, 0);
    for (uint32_t i = 0; i < count; ++i) {
        piola_rigid_desc b = box(half, half, half, 1);
        b.position[1] = half * (float)(2 * i + 1);
        all[i] = enter(world, &b);
    }
    for (int i = 0; i < (int)(seconds / 0.005 + 0.5); ++i) {
        fixture_steps(world, NULL, 1);
        if (i % 200 == 0) {
            const piola_rigid_info t = info_of(world, all[count - 1]);
            printf("%5.1f s: top at %.6f %.6f %.6f, %.1e m/s\n", i * 0.005, (double)t.position[0],
                   (double)t.position[1], (double)t.position[2], fabs((double)t.velocity[1]));
        }
    }
    const piola_rigid_info top = info_of(world, all[count - 1]);
    piola_contact_point points[256];
    uint64_t listed = 0;
    double borne = 0;
    fixture_ok(piola_world_contact_points(world, (piola_body){0, 0}, points, 256, &listed), NULL);
    for (uint64_t i = 0; i < listed; ++i)
        if (points[i].rigid.index == all[0].index && points[i].other_rigid.index == all[1].index)
            borne -= (double)(points[i].normal_force * points[i].normal[1]);
    printf("the lowest bears %.4f N of %.4f\n", borne, 9.81 * (count - 1));
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * borne, 9.81 * (count - 1), borne);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, half * (float)(2 * count - 1), top.position[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0, top.position[0]);
}

static void test_a_tower_stands(void)
{
    tower(10, 0.1f, getenv("PIOLA_PROOFS") ? 60 : 3);
}

/* A wedge of a ring about z, from one angle to another, at the middle of which it is. */
static piola_rigid add_stone(piola_world *world, float from, float to)
{
    const float inner = 0.8f, outer = 1.1f, deep = 0.2f;
    const double middle[2] = {0.95 * cos(0.5 * (double)(from + to)),
                              0.95 * sin(0.5 * (double)(from + to))};
    double corners[24];
    for (int i = 0; i < 8; ++i) {
        const double angle = (double)(i & 1 ? to : from), r = (double)(i & 2 ? outer : inner);
        corners[3 * i] = r * cos(angle) - middle[0];
        corners[3 * i + 1] = r * sin(angle) - middle[1];
        corners[3 * i + 2] = (double)(i & 4 ? deep : -deep);
    }
    piola_shape_desc desc = piola_shape_desc_default();
    const piola_shape_data *shape;
    size_t bytes, scratch;
    desc.kind = PIOLA_SHAPE_HULL;
    desc.vertices = corners;
    desc.vertex_count = 8;
    fixture_ok(piola_shape_size(&desc, &bytes, &scratch, NULL), NULL);
    fixture_ok(piola_shape_compile(&desc, fixture_memory(scratch), scratch, fixture_memory(bytes),
                                   bytes, &shape, NULL),
               NULL);
    piola_rigid_desc stone = piola_rigid_desc_default();
    stone.shape = piola_shape_of(shape);
    stone.mass = 50;
    stone.inertia[0] = stone.inertia[1] = stone.inertia[2] = 1;
    stone.friction_static = stone.friction_kinetic = 0.7f;
    stone.position[0] = (float)middle[0];
    stone.position[1] = (float)middle[1];
    return enter(world, &stone);
}

/* Nine stones, on the floor with both ends, bear themselves by friction and their shape. */
static void test_an_arch_stands(void)
{
    enum { STONES = 9 };
    piola_world_desc d = world_of(STONES);
    piola_world *world = fixture_world(&d);
    piola_collider_desc ground = piola_collider_desc_default();
    piola_rigid stones[STONES];
    ground.friction_static = ground.friction_kinetic = 1;
    (void)collider_enter(world, &ground);
    for (int i = 0; i < STONES; ++i)
        stones[i] = add_stone(world, 3.14159265f * (float)i / STONES,
                              3.14159265f * (float)(i + 1) / STONES);
    const float top = info_of(world, stones[4]).position[1];
    fixture_steps(world, NULL, getenv("PIOLA_PROOFS") ? 12000 : 400);
    const piola_rigid_info key = info_of(world, stones[4]);
    printf("key stone at %.5f %.5f of %.5f, %.1e m/s\n", (double)key.position[0],
           (double)key.position[1], (double)top, fabs((double)key.velocity[1]));
    TEST_ASSERT_FLOAT_WITHIN(2e-3f, top, key.position[1]);
    TEST_ASSERT_TRUE(fabsf(key.velocity[1]) < 1e-3f);
}

/* The first of a row is pushed, the last one falls. */
static void test_dominoes_fall(void)
{
    enum { ROW = 8 };
    piola_world_desc d = world_of(ROW);
    piola_world *world = fixture_world(&d);
    piola_rigid row[ROW];
    floor_at(world, 0);
    for (int i = 0; i < ROW; ++i) {
        piola_rigid_desc b = box(0.01f, 0.1f, 0.05f, 0.2f);
        b.position[0] = 0.08f * (float)i;
        b.position[1] = 0.1f;
        b.friction_static = b.friction_kinetic = 0.4f;
        if (i == 0) { /* about its foot */
            b.angular_velocity[2] = -2.5f;
            b.velocity[0] = 0.25f;
        }
        row[i] = enter(world, &b);
    }
    fixture_steps(world, NULL, 100);
    TEST_ASSERT_TRUE(fabsf(info_of(world, row[ROW - 1]).rotation[2]) < 0.3f);
    fixture_steps(world, NULL, 300);
    for (int i = 0; i < ROW; ++i)
        TEST_ASSERT_TRUE_MESSAGE(fabsf(info_of(world, row[i]).rotation[2]) > 0.4f, "it stands");
}

/* A box on a slope of a heavy rigid body, the tangent of whose angle is around its friction of 0.5,
 * 26.57 degrees. */
static double slides(float degrees, double *ideal)
{
    const float angle = degrees * 3.14159265f / 180,
                half[3] = {sinf(angle / 2), 0, cosf(angle / 2)};
    piola_world_desc d = world_of(2);
    piola_world *world = fixture_world(&d);
    piola_rigid_desc slope = box(4, 0.5f, 1, 1e6f), block = box(0.1f, 0.1f, 0.1f, 1);
    slope.gravity_scale = 0;
    slope.rotation[2] = block.rotation[2] = half[0];
    slope.rotation[3] = block.rotation[3] = half[2];
    slope.friction_static = slope.friction_kinetic = 1;
    block.friction_static = block.friction_kinetic = 0.25f; /* the geometric mean is 0.5 */
    block.position[0] = -0.6f * sinf(angle);
    block.position[1] = 0.6f * cosf(angle);
    (void)enter(world, &slope);
    const piola_rigid moved = enter(world, &block);
    fixture_steps(world, NULL, 200);
    const piola_rigid_info r = info_of(world, moved);
    *ideal = 9.81 * (sin((double)angle) - 0.5 * cos((double)angle));
    return sqrt((double)(r.velocity[0] * r.velocity[0] + r.velocity[1] * r.velocity[1]));
}

static void test_a_box_on_a_slope(void)
{
    double ideal;
    const double holds = slides(25.57f, &ideal);
    const double goes = slides(27.57f, &ideal);
    printf("a degree below: %.1e m/s after 1 s; a degree above: %.4f, %.4f by Coulomb\n", holds,
           goes, ideal);
    TEST_ASSERT_TRUE(holds < 1e-5);
    TEST_ASSERT_TRUE(fabs(goes - ideal) < 0.01 * ideal);
}

/* Whatever the speed: a ball thrown at a thin plate, a box at a box, do not come out behind. */
static void test_nothing_passes(void)
{
    uint64_t seed = fixture_seed();
    for (int trial = 0; trial < fixture_count(40, 6); ++trial) {
        piola_world_desc d = world_of(2);
        memset(d.gravity, 0, sizeof d.gravity);
        piola_world *world = fixture_world(&d);
        piola_rigid_desc plate = box(1, 0.01f, 1, 100);
        piola_rigid_desc thrown = trial % 2 ? box(0.05f, 0.02f, 0.03f, 0.1f) : ball(0.02f, 0.1f);
        thrown.position[1] = 0.3f + (float)fixture_uniform(&seed);
        thrown.velocity[1] = -powf(10, 3 * (float)fixture_uniform(&seed)); /* to 1,000 m/s */
        for (int k = 0; k < 3; ++k)
            thrown.angular_velocity[k] = 20 * ((float)fixture_uniform(&seed) - 0.5f);
        const piola_rigid hit = enter(world, &plate), moved = enter(world, &thrown);
        fixture_steps(world, NULL, 60);
        const float behind = info_of(world, moved).position[1] - info_of(world, hit).position[1];
        TEST_ASSERT_TRUE_MESSAGE(behind > 0, "it went through");
        fixture_clean();
    }
}

/* A soft cube falls on two boxes on a soft cube: each bears what is above it. */
static void test_between_soft_bodies(void)
{
    piola_world_desc d = world_of(2);
    piola_material m = piola_material_default();
    m.poisson = 0.3f;
    m.damping = 0.02f;
    piola_world *world = fixture_world(&d);
    const piola_asset *cube = fixture_beam_of(3, 3, 3, 0.4 / 3, &m, 0);
    piola_rigid two[2];
    floor_at(world, 0);
    (void)fixture_body(world, cube, -0.2f, 0, -0.2f);
    for (int i = 0; i < 2; ++i) {
        piola_rigid_desc b = box(0.25f, 0.05f, 0.25f, 10);
        b.position[1] = 0.45f + 0.1f * (float)i;
        two[i] = enter(world, &b);
    }
    (void)fixture_body(world, cube, -0.2f, 0.62f, -0.2f);
    fixture_steps(world, NULL, 800); /* hops and rocking have died away */
    const piola_rigid_info low = info_of(world, two[0]), high = info_of(world, two[1]);
    const double weight = 0.064 * 1000 * 9.81, boxes = 20 * 9.81;
    printf("cube on box: %.2f N of %.2f, box on cube: %.2f N of %.2f; boxes %.6f m apart\n",
           -high.force[1], weight, low.force[1], weight + boxes,
           (double)(high.position[1] - low.position[1]));
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * weight, weight, -high.force[1]);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * weight, weight + boxes, low.force[1]);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.1f, high.position[1] - low.position[1]);
}

/* A heap of all shapes on a soft cube, thrown together. */
static piola_world *heap(piola_isa isa, uint32_t room)
{
    piola_world_desc d = world_of(8);
    d.isa = isa;
    d.substeps = 2;
    d.max_rigid_contacts = room;
    piola_world *world = fixture_world(&d);
    floor_at(world, 0);
    (void)fixture_body(world, fixture_beam(2, 2, 2, 0.2), -0.2f, 0, -0.2f);
    for (int i = 0; i < 8; ++i) {
        piola_rigid_desc r = i % 3 == 0   ? box(0.08f, 0.06f, 0.1f, 2)
                             : i % 3 == 1 ? ball(0.08f, 1)
                                          : ball(0.05f, 1);
        if (i % 3 == 2)
            r.shape = piola_shape_capsule(0.06f, 0.05f);
        r.position[0] = 0.03f * (float)(i % 2);
        r.position[1] = 0.5f + 0.17f * (float)i;
        r.angular_velocity[2] = (float)i;
        r.restitution = 0.2f;
        (void)enter(world, &r);
    }
    return world;
}

static void test_the_same_bits_everywhere(void)
{
    static const uint64_t golden = UINT64_C(0xC1013A508E1A4945);
    for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
        for (uint32_t threads = 1; threads <= 2; ++threads) {
            if (!piola_isa_available((piola_isa)isa))
                continue;
            piola_world *world = heap((piola_isa)isa, 64);
            piola_workers_desc desc = piola_workers_desc_default();
            piola_workers *workers = NULL;
            size_t bytes = 0;
            desc.threads = threads;
            fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
            fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL),
                       NULL);
            fixture_steps(world, piola_workers_tasks(workers), 60);
            piola_workers_destroy(workers);
            TEST_ASSERT_EQUAL_HEX64(golden, piola_world_hash(world));
            fixture_clean();
        }
}

static void test_a_snapshot_brings_back_what_presses(void)
{
    for (int i = 0; i < RESUME_GARBAGE; ++i) {
        piola_world *straight = heap(PIOLA_ISA_AUTO, 64), *again = heap(PIOLA_ISA_AUTO, 64);
        fixture_steps(straight, NULL, 60);
        fixture_steps(again, NULL, 40);
        resume(again, resume_garbage[i]);
        fixture_steps(again, NULL, 20);
        TEST_ASSERT_EQUAL_HEX64(piola_world_hash(straight), piola_world_hash(again));
    }
}

/* Without room for all some pass through each other, are counted, and nothing else happens. */
static void test_full_room_is_told(void)
{
    uint32_t dropped[2] = {0, 0};
    uint64_t hash[2];
    for (int k = 0; k < 2; ++k) {
        piola_world *world = heap(PIOLA_ISA_AUTO, 2);
        piola_report report;
        for (int i = 0; i < 60; ++i) {
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            TEST_ASSERT_TRUE(report.rigid_contacts <= 2);
            dropped[k] += report.rigid_contacts_dropped;
        }
        hash[k] = piola_world_hash(world);
    }
    TEST_ASSERT_TRUE(dropped[0] > 0);
    TEST_ASSERT_EQUAL_UINT32(dropped[0], dropped[1]);
    TEST_ASSERT_EQUAL_HEX64(hash[0], hash[1]);
    piola_world_desc d = world_of(2);
    piola_error error = {0};
    size_t bytes;
    d.max_rigid_contacts = (1u << 20) + 1;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_size(&d, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_rigid_contacts", error.field);
}

/* Who is not to meet does not; a body that is gone leaves nothing behind. */
static void test_filters_and_bodies_that_go(void)
{
    piola_world_desc d = world_of(3);
    piola_world *world = fixture_world(&d);
    piola_rigid_desc low = ball(0.1f, 1), high = ball(0.1f, 1), ghost = ball(0.1f, 1);
    low.gravity_scale = 0;
    low.mass = 1e6f;
    high.position[1] = 0.2f;
    ghost.position[1] = 0.5f;
    ghost.mask = 2;
    const piola_rigid under = enter(world, &low), on = enter(world, &high);
    const piola_rigid through = enter(world, &ghost);
    fixture_steps(world, NULL, 100);
    TEST_ASSERT_FLOAT_WITHIN(1e-3f, 0.2f, info_of(world, on).position[1]);
    TEST_ASSERT_TRUE(info_of(world, through).position[1] < -0.5f);
    fixture_ok(piola_rigid_destroy(world, under), NULL);
    (void)enter(world, &ghost);
    fixture_steps(world, NULL, 40);
    TEST_ASSERT_FLOAT_WITHIN(5e-3f, 0.2f - 0.5f * 9.81f * 0.04f, info_of(world, on).position[1]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_impacts_keep_momentum_and_make_no_energy);
    RUN_TEST(test_a_box_on_a_slope);
    RUN_TEST(test_nothing_passes);
    RUN_TEST(test_a_tower_stands);
    RUN_TEST(test_an_arch_stands);
    RUN_TEST(test_dominoes_fall);
    RUN_TEST(test_between_soft_bodies);
    RUN_TEST(test_the_same_bits_everywhere);
    RUN_TEST(test_a_snapshot_brings_back_what_presses);
    RUN_TEST(test_full_room_is_told);
    RUN_TEST(test_filters_and_bodies_that_go);
    return UNITY_END();
}
