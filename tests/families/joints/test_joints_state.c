/* Joints as objects: bad input, commands, snapshots, records, threads, full room; with floors, soft
 * bodies and sleep; many loops in little room.
 * covers: src/families/joints/joint_life.c src/families/joints/joint_order.c
 */
#include "families/joints/joints.h"
#include "joint_fixture.h"
#include "resume.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define G 9.81

static const piola_rigid none = {0, 0};
static const float origin[3] = {0, 0, 0}, along_x[3] = {1, 0, 0}, along_z[3] = {0, 0, 1};

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* A limb of all kinds of joints, thrown at a floor that has a driven arm. */
struct limb {
    piola_world *world;
    struct joint_chain chain;
    piola_joint motor;
};

static struct limb limb_of(piola_isa isa)
{
    piola_world_desc d = joint_world(8, (float)G);
    struct limb l;
    d.isa = isa;
    d.substeps = 2;
    l.world = fixture_world(&d);
    piola_collider_desc floor = piola_collider_desc_default();
    floor.shape = piola_shape_plane();
    floor.position[1] = -0.3f;
    piola_collider made;
    fixture_ok(piola_collider_create(l.world, &floor, &made, NULL), NULL);
    l.chain = joint_chain_of(l.world, 6, true, 3, origin);
    piola_joint_desc kinds[3] = {piola_joint_hinge(), piola_joint_cone_twist(0.5f, 0.3f),
                                 piola_joint_universal()};
    kinds[0].axis[3].mode = PIOLA_AXIS_MOTOR;
    kinds[0].axis[3].speed = 3;
    kinds[0].axis[3].max_force = 0.05f;
    kinds[2].max_force = 200;
    const piola_rigid hand =
        joint_box(l.world, (float[]){0.7f, 0.1f, 0}, (float[]){0.05f, 0.05f, 0.05f}, 0.3f);
    l.motor = joint_made(l.world, kinds[0], l.chain.link[5], hand, (float[]){0.65f, 0, 0}, along_z);
    const piola_rigid more =
        joint_box(l.world, (float[]){0.7f, 0.3f, 0}, (float[]){0.05f, 0.1f, 0.05f}, 0.2f);
    (void)joint_made(l.world, kinds[1], hand, more, (float[]){0.7f, 0.2f, 0}, (float[]){0, 1, 0});
    (void)joint_made(l.world, kinds[2], l.chain.link[1], more, (float[]){0.3f, 0.3f, 0}, along_x);
    return l;
}

static void play(const struct limb *l, int first, int steps, const piola_tasks *tasks)
{
    for (int i = first; i < first + steps; ++i) {
        if (i % 10 == 5)
            fixture_ok(piola_joint_set_speed(l->world, l->motor, 3, i % 20 == 5 ? -4 : 3), NULL);
        fixture_steps(l->world, tasks, 1);
    }
}

/* Hashes as they were when the family came: every compiler, thread count, instruction set. */
static void test_the_same_bits_everywhere(void)
{
    static const uint64_t golden = UINT64_C(0x9ACBDBE413F8C3F9);
    for (int isa = 1; isa < PIOLA_ISA_COUNT; ++isa)
        for (uint32_t threads = 1; threads <= 2; ++threads) {
            if (!piola_isa_available((piola_isa)isa))
                continue;
            const struct limb l = limb_of((piola_isa)isa);
            piola_workers_desc desc = piola_workers_desc_default();
            piola_workers *workers = NULL;
            size_t bytes = 0;
            desc.threads = threads;
            fixture_ok(piola_workers_size(&desc, &bytes, NULL), NULL);
            fixture_ok(piola_workers_create(&desc, fixture_memory(bytes), bytes, &workers, NULL),
                       NULL);
            play(&l, 0, 30, piola_workers_tasks(workers));
            piola_workers_destroy(workers);
            TEST_ASSERT_EQUAL_HEX64(golden, piola_world_hash(l.world));
            fixture_clean();
        }
}

static void test_a_snapshot_brings_back_joints(void)
{
    for (int i = 0; i < RESUME_GARBAGE; ++i) {
        const struct limb straight = limb_of(PIOLA_ISA_AUTO), again = limb_of(PIOLA_ISA_AUTO);
        play(&straight, 0, 24, NULL);
        play(&again, 0, 9, NULL);
        const piola_joint_info before = joint_info(again.world, again.motor);
        resume(again.world, resume_garbage[i]);
        const piola_joint_info after = joint_info(again.world, again.motor);
        TEST_ASSERT_EQUAL_MEMORY(before.position, after.position, sizeof before.position);
        TEST_ASSERT_EQUAL_MEMORY(before.load, after.load, sizeof before.load);
        TEST_ASSERT_TRUE(before.load[3] != 0);
        play(&again, 9, 15, NULL);
        TEST_ASSERT_EQUAL_HEX64(piola_world_hash(straight.world), piola_world_hash(again.world));
    }
}

static void test_records_hold_joints_that_come_and_go(void)
{
    struct limb l = limb_of(PIOLA_ISA_AUTO);
    const size_t bytes = piola_snapshot_size(l.world), room = 1 << 18;
    void *snapshot = fixture_memory(bytes), *record = fixture_memory(room);
    size_t used = 0;
    uint64_t difference = 1;
    fixture_ok(piola_snapshot_save(l.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_begin(l.world, record, room), NULL);
    play(&l, 0, 8, NULL);
    fixture_ok(piola_joint_destroy(l.world, l.chain.joint[3]), NULL);
    fixture_steps(l.world, NULL, 2);
    const piola_joint again = joint_made(l.world, piola_joint_fixed(), l.chain.link[2],
                                         l.chain.link[3], (float[]){0.3f, 0, 0}, along_x);
    play(&l, 8, 6, NULL);
    fixture_ok(piola_record_end(l.world, &used), NULL);
    const uint64_t end = piola_world_hash(l.world);
    fixture_ok(piola_snapshot_restore(l.world, snapshot, bytes), NULL);
    fixture_ok(piola_record_play(l.world, NULL, record, used, &difference, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, difference);
    TEST_ASSERT_EQUAL_HEX64(end, piola_world_hash(l.world));
    TEST_ASSERT_TRUE(piola_joint_alive(l.world, again));
    TEST_ASSERT_FALSE(piola_joint_alive(l.world, l.chain.joint[3]));
}

static void test_a_joint_ends_with_its_sides(void)
{
    const struct limb l = limb_of(PIOLA_ISA_AUTO);
    piola_joint listed[16];
    piola_joint_info info;
    piola_report report;
    uint32_t n = 0, less = 0;
    play(&l, 0, 3, NULL);
    fixture_ok(piola_world_joints(l.world, listed, 16, &n), NULL);
    TEST_ASSERT_EQUAL_UINT32(9, n);
    fixture_ok(piola_rigid_destroy(l.world, l.chain.link[2]), NULL);
    for (int i = 2; i < 4; ++i) {
        TEST_ASSERT_FALSE(piola_joint_alive(l.world, l.chain.joint[i]));
        TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_joint_inspect(l.world, l.chain.joint[i], &info));
        TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_joint_destroy(l.world, l.chain.joint[i]));
    }
    fixture_ok(piola_world_joints(l.world, listed, 16, &less), NULL);
    TEST_ASSERT_EQUAL_UINT32(n - 2, less);
    /* Of what is gone, and of an axis that is not there. */
    fixture_ok(piola_joint_set_speed(l.world, l.chain.joint[2], 3, 1), NULL);
    fixture_ok(piola_joint_set_speed(l.world, l.motor, 6, 1), NULL);
    fixture_ok(piola_world_step(l.world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL_UINT32(2, report.commands_refused);
}

static void test_full_room_is_counted_and_told(void)
{
    piola_world_desc d = joint_world(2, 0);
    d.max_joints = 1;
    piola_world *world = fixture_world(&d);
    const piola_rigid box = joint_box(world, origin, (float[]){0.1f, 0.1f, 0.1f}, 1);
    piola_capacity capacity = {.name = ""};
    piola_error error = {0};
    (void)joint_made(world, piola_joint_ball(), none, box, origin, along_x);
    piola_joint_desc desc = piola_joint_ball();
    piola_joint joint;
    desc.moved.rigid = box;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_JOINTS_FULL, piola_joint_create(world, &desc, &joint, &error));
    TEST_ASSERT_EQUAL_STRING("piola_world_desc.max_joints", error.field);
    for (uint32_t i = 0; strcmp(capacity.name, "max_joints") != 0; ++i)
        fixture_ok(piola_world_capacity(world, i, &capacity), NULL);
    TEST_ASSERT_EQUAL_UINT64(1, capacity.used);
    TEST_ASSERT_EQUAL_UINT64(1, capacity.dropped);
}

static void test_bad_input_is_refused_and_changes_nothing(void)
{
    const struct limb l = limb_of(PIOLA_ISA_AUTO);
    enum { CASES = 15 };
    piola_joint_desc bad[CASES];
    static const char *const field[CASES] = {
        "moved.rigid",   "base.rigid",     "base.collider",  "moved.rigid", "moved.collider",
        "base.rotation", "moved.rotation", "base.position",  "cone",        "axis.mode",
        "axis.low",      "axis.high",      "axis.max_force", "max_force",   "axis.target"};
    for (int i = 0; i < CASES; ++i) {
        bad[i] = piola_joint_ball();
        bad[i].moved.rigid = l.chain.link[0];
    }
    bad[0].moved.rigid = none;
    bad[1].base.rigid = (piola_rigid){1, 77};
    bad[2].base.collider = (piola_collider){2, 77};
    bad[3].base.rigid = l.chain.link[0];
    bad[4].moved.collider.index = 1;
    bad[5].base.rotation[3] = 0.5f;
    bad[6].moved.rotation[1] = NAN;
    bad[7].base.position[1] = INFINITY;
    bad[8].cone = 3.2f;
    bad[9].axis[2].mode = (piola_axis_mode)PIOLA_AXIS_MODE_COUNT;
    bad[10].axis[4].low = -4;
    bad[11].axis[0].low = 1;
    bad[12].axis[1].max_force = -1;
    bad[13].max_force = NAN;
    bad[14].axis[5].target = INFINITY;
    const uint64_t hash = piola_world_hash(l.world);
    for (int i = 0; i < CASES; ++i) {
        piola_error error = {0};
        piola_joint joint;
        char whole[64];
        snprintf(whole, sizeof whole, "piola_joint_desc.%s", field[i]);
        TEST_ASSERT_NOT_EQUAL(PIOLA_OK, piola_joint_create(l.world, &bad[i], &joint, &error));
        TEST_ASSERT_EQUAL_STRING(whole, error.field);
    }
    piola_joint_desc place = piola_joint_ball();
    place.moved.rigid = l.chain.link[0];
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_joint_place(l.world, &place, origin, origin, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_joint_set_strength(l.world, l.motor, 3, -1));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NOT_FINITE, piola_joint_set_target(l.world, l.motor, 3, NAN));
    TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(l.world));
}

static bool spoil(struct joint *j, struct joint_axes *axes, int way)
{
    switch (way) {
    case 0:
        j->slot[1] = 0;
        return true;
    case 1:
        j->slot[0] = UINT32_MAX;
        return true;
    case 2:
        j->alive = 2;
        return true;
    case 3:
        j->turn[1][3] = 2;
        return true;
    case 4:
        j->to = 7;
        return true;
    case 5:
        j->cone = -1;
        return true;
    case 6:
        j->force[1] = NAN;
        return true;
    case 7:
        j->twist = 1e300;
        return true;
    case 8: /* an empty slot that is not empty */
        j->alive = 0;
        return true;
    case 9:
        axes->of[2].mode = (piola_axis_mode)99;
        return true;
    case 10:
        axes->of[4].low = -9;
        return true;
    case 11:
        j->broken = 1;
        return true;
    default:
        return false;
    }
}

static void test_impossible_snapshots_are_refused(void)
{
    const struct limb l = limb_of(PIOLA_ISA_AUTO);
    const size_t bytes = piola_snapshot_size(l.world);
    void *snapshot = fixture_memory(bytes);
    struct joint *joints = world_joints(l.world), kept = joints[0];
    struct joint_axes *axes = world_joint_axes(l.world), same = axes[0];
    const uint64_t hash = piola_world_hash(l.world);
    for (int way = 0; spoil(joints, axes, way); ++way) {
        fixture_ok(piola_snapshot_save(l.world, snapshot, bytes), NULL);
        joints[0] = kept;
        axes[0] = same;
        TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_FORMAT,
                          piola_snapshot_restore(l.world, snapshot, bytes));
        TEST_ASSERT_EQUAL_HEX64(hash, piola_world_hash(l.world));
    }
}

/* A light foot bears a heavy table on a floor: nothing sinks, and the floor bears all of it, for
 * legs are weighed with what hangs on to them. */
static void test_feet_bear_what_stands_on_them(void)
{
    piola_world_desc d = joint_world(5, (float)G);
    piola_world *world = fixture_world(&d);
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider made;
    floor.shape = piola_shape_plane();
    fixture_ok(piola_collider_create(world, &floor, &made, NULL), NULL);
    const piola_rigid table =
        joint_box(world, (float[]){0, 1.1f, 0}, (float[]){0.6f, 0.1f, 0.6f}, 40);
    for (int leg = 0; leg < 4; ++leg) {
        const float x = leg & 1 ? 0.5f : -0.5f, z = leg & 2 ? 0.5f : -0.5f;
        const piola_rigid one =
            joint_box(world, (float[]){x, 0.501f, z}, (float[]){0.04f, 0.5f, 0.04f}, 0.1f);
        (void)joint_made(world, piola_joint_fixed(), table, one, (float[]){x, 1, z}, along_x);
    }
    fixture_steps(world, NULL, 200);
    const piola_rigid_info now = joint_rigid(world, table);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, 1.099f, now.position[1]);
    TEST_ASSERT_TRUE(fabsf(now.velocity[1]) < 1e-4f);
    TEST_ASSERT_TRUE(fabsf(now.rotation[3]) > 0.999999f);
}

/* Legs whose drives are too weak for the fall give way, and nothing is flung up by that. */
static void test_weak_legs_give_way(void)
{
    piola_world_desc d = joint_world(5, (float)G);
    piola_world *world = fixture_world(&d);
    struct joint_chain dog = {.links = 5, .joints = 4};
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider made;
    floor.shape = piola_shape_plane();
    fixture_ok(piola_collider_create(world, &floor, &made, NULL), NULL);
    dog.link[0] = joint_box(world, (float[]){0, 0.6f, 0}, (float[]){0.3f, 0.05f, 0.1f}, 3);
    piola_joint_desc hip = piola_joint_hinge();
    hip.axis[3].mode = PIOLA_AXIS_SERVO;
    hip.axis[3].max_force = 1;
    for (uint32_t leg = 0; leg < 4; ++leg) {
        const float x = leg & 1 ? 0.25f : -0.25f, z = leg & 2 ? 0.12f : -0.12f;
        dog.link[1 + leg] =
            joint_box(world, (float[]){x, 0.45f, z}, (float[]){0.02f, 0.15f, 0.02f}, 0.08f);
        dog.joint[leg] =
            joint_made(world, hip, dog.link[0], dog.link[1 + leg], (float[]){x, 0.6f, z}, along_z);
    }
    fixture_ok(piola_rigid_set_velocity(world, dog.link[0], (float[]){1, 0, 0}), NULL);
    fixture_steps(world, NULL, 1);
    const double start = joint_energy(world, &dog, G);
    double most = start, widest = 0;
    for (int i = 0; i < 200; ++i) {
        fixture_steps(world, NULL, 1);
        most = fmax(most, joint_energy(world, &dog, G));
        widest = fmax(widest, joint_gap(world, &dog));
    }
    printf("weak legs: energy rises by %.4f of %.3f J, gap %.1e m\n", most - start, start, widest);
    TEST_ASSERT_TRUE(most < start + 0.05 * start);
    TEST_ASSERT_TRUE(widest < 1e-3);
}

/* A soft cube lies on a plate that hangs by a ball: the joint bears both. */
static void test_soft_bodies_weigh_upon_joints(void)
{
    piola_world_desc d = joint_world(2, (float)G);
    d.max_particles = 4096;
    piola_world *world = fixture_world(&d);
    const piola_body cube = fixture_body(world, fixture_beam(2, 2, 2, 0.1), -0.1f, 0.01f, -0.1f);
    piola_body_info soft;
    const piola_rigid plate =
        joint_box(world, (float[]){0, -0.05f, 0}, (float[]){0.3f, 0.05f, 0.3f}, 4);
    const piola_joint slider = joint_made(world, piola_joint_ball(), none, plate,
                                          (float[]){0, 0.6f, 0}, (float[]){0, 1, 0});
    fixture_ok(piola_body_set_damping(world, cube, 5), NULL);
    fixture_steps(world, NULL, 300);
    fixture_ok(piola_body_inspect(world, cube, &soft), NULL);
    const double weight = G * (4 + soft.mass);
    double sum = 0;
    for (int i = 0; i < 40; ++i) {
        fixture_steps(world, NULL, 1);
        sum += (double)joint_info(world, slider).force[1] / 40;
    }
    printf("a plate of 4 kg with %.2f kg of rubber: %.3f of %.3f N\n", soft.mass, sum, weight);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * weight, weight, sum);
    TEST_ASSERT_TRUE(joint_info(world, slider).gap < 1e-6f);
}

/* Sleepers that joints tie sleep together; a motor that is switched on wakes both. */
static void test_what_is_tied_sleeps_and_wakes_together(void)
{
    piola_world_desc d = joint_world(2, (float)G);
    d.sleep = true;
    d.sleep_time = 0.1f;
    piola_world *world = fixture_world(&d);
    const piola_rigid a =
        joint_box(world, (float[]){0, -0.1f, 0}, (float[]){0.05f, 0.1f, 0.05f}, 1);
    const piola_rigid b =
        joint_box(world, (float[]){0, -0.3f, 0}, (float[]){0.05f, 0.1f, 0.05f}, 1);
    piola_joint_desc motor = piola_joint_hinge();
    motor.axis[3].mode = PIOLA_AXIS_MOTOR;
    motor.axis[3].max_force = 50;
    (void)joint_made(world, piola_joint_ball(), none, a, origin, along_x);
    const piola_joint joint = joint_made(world, motor, a, b, (float[]){0, -0.2f, 0}, along_z);
    fixture_steps(world, NULL, 60);
    TEST_ASSERT_TRUE(joint_rigid(world, a).asleep && joint_rigid(world, b).asleep);
    fixture_ok(piola_joint_set_speed(world, joint, 3, 2), NULL);
    fixture_steps(world, NULL, 20);
    TEST_ASSERT_FALSE(joint_rigid(world, a).asleep || joint_rigid(world, b).asleep);
    TEST_ASSERT_FLOAT_WITHIN(0.02f, 0.2f, joint_info(world, joint).position[3]);
}

/* A net of three by three meshes that hangs by a corner: in full, and with room for no edge more
 * than a tree has, where iterations close its loops. */
static void test_loops_close_in_little_room_too(void)
{
    for (int little = 0; little < 2; ++little) {
        piola_world_desc d = joint_world(16, (float)G);
        d.iterations = 20;
        piola_world *world = fixture_world(&d);
        struct joint_chain net = {.links = 16};
        for (uint32_t i = 0; i < 16; ++i) {
            const uint32_t row = i / 4;
            const float x = 0.2f * (float)(i % 4), y = -0.2f * (float)row;
            net.link[i] =
                joint_box(world, (float[]){x, y, 0}, (float[]){0.05f, 0.05f, 0.05f}, 0.2f);
            if (i % 4 > 0)
                net.joint[net.joints++] =
                    joint_made(world, piola_joint_ball(), net.link[i - 1], net.link[i],
                               (float[]){x - 0.1f, y, 0}, along_x);
            if (i >= 4)
                net.joint[net.joints++] =
                    joint_made(world, piola_joint_ball(), net.link[i - 4], net.link[i],
                               (float[]){x, y + 0.1f, 0}, along_x);
        }
        net.joint[net.joints++] = joint_made(world, piola_joint_ball(), none, net.link[0],
                                             (float[]){0, 0.1f, 0}, along_x);
        for (uint32_t i = 0; i < 16; ++i)
            fixture_ok(piola_rigid_set_damping(world, net.link[i], 3), NULL);
        if (little)
            world->dim[DIM_joint_edges].capacity = 15;
        piola_report report;
        fixture_steps(world, NULL, 299);
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        const double bears = (double)joint_info(world, net.joint[net.joints - 1]).force[1];
        printf("net, %s: gap %.1e m, bears %.3f of %.3f N\n", little ? "little room" : "in full",
               joint_gap(world, &net), bears, 3.2 * G);
        TEST_ASSERT_EQUAL_UINT32(little ? 9 : 0, report.joints_loose);
        TEST_ASSERT_TRUE(joint_gap(world, &net) < (little ? 5e-3 : 1e-6));
        TEST_ASSERT_DOUBLE_WITHIN(0.02 * 3.2 * G, 3.2 * G, bears);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_same_bits_everywhere);
    RUN_TEST(test_a_snapshot_brings_back_joints);
    RUN_TEST(test_records_hold_joints_that_come_and_go);
    RUN_TEST(test_a_joint_ends_with_its_sides);
    RUN_TEST(test_full_room_is_counted_and_told);
    RUN_TEST(test_bad_input_is_refused_and_changes_nothing);
    RUN_TEST(test_impossible_snapshots_are_refused);
    RUN_TEST(test_loops_close_in_little_room_too);
    RUN_TEST(test_feet_bear_what_stands_on_them);
    RUN_TEST(test_weak_legs_give_way);
    RUN_TEST(test_soft_bodies_weigh_upon_joints);
    RUN_TEST(test_what_is_tied_sleeps_and_wakes_together);
    return UNITY_END();
}
