/* Outputs: frames hold what the world tells; what finds no room is counted; between frames and
 * beyond them values are what their mark says; normals and fine meshes follow from positions alone;
 * a reader beside the step never sees a torn frame.
 *
 * covers: src/api/outputs.c src/api/frame.c src/api/outputs.h
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static piola_outputs *outputs_of(const piola_outputs_desc *desc)
{
    size_t bytes = 0;
    piola_outputs *outputs = NULL;
    piola_error error = {0};
    fixture_ok(piola_outputs_size(desc, &bytes, &error), &error);
    fixture_ok(piola_outputs_create(desc, fixture_memory(bytes), bytes, &outputs, &error), &error);
    return outputs;
}

static piola_outputs_desc everything(void)
{
    piola_outputs_desc desc = piola_outputs_desc_default();
    desc.max_rigids = 4;
    desc.max_contact_events = 64;
    desc.max_contact_points = 512;
    desc.contact_forces = true;
    return desc;
}

/* Two cubes on each other on the floor, a rigid ball on top. */
static struct scene heap(piola_rigid *ball)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.max_rigids = 2;
    d.max_contact_events = 64;
    struct scene s = scene_of(&d);
    (void)scene_floor(&s, 0.5f);
    piola_body_desc b = piola_body_desc_default();
    b.position[1] = 0.002f;
    const piola_asset *asset = fixture_beam(2, 2, 2, 0.05);
    (void)scene_enter(&s, asset, &b);
    b.position[1] = 0.105f;
    (void)scene_enter(&s, asset, &b);
    piola_rigid_desc r = piola_rigid_desc_default();
    r.shape = piola_shape_sphere(0.03f);
    r.mass = 0.2f;
    r.position[0] = r.position[2] = 0.05f;
    r.position[1] = 0.26f;
    fixture_ok(piola_rigid_create(s.world, &r, ball, NULL), NULL);
    return s;
}

/* ---- what is in a frame ---- */

static void same_vertices(const struct scene *s, const piola_frame *frame, uint32_t i)
{
    const piola_output_body *row = &frame->bodies[i];
    float expected[3 * 27];
    TEST_ASSERT_EQUAL_UINT32(27, row->vertices);
    TEST_ASSERT_EQUAL_UINT32(27 * i, row->first);
    TEST_ASSERT_EQUAL_MEMORY(&s->body[i], &row->body, sizeof row->body);
    fixture_ok(piola_body_positions(s->world, row->body, 0, 27, expected), NULL);
    TEST_ASSERT_EQUAL_MEMORY(expected, frame->positions + 3 * (size_t)row->first, sizeof expected);
    fixture_ok(piola_body_contact_forces(s->world, row->body, 0, 27, expected), NULL);
    TEST_ASSERT_EQUAL_MEMORY(expected, frame->contact_forces + 3 * (size_t)row->first,
                             sizeof expected);
}

static void same_contacts(const struct scene *s, const piola_frame *frame)
{
    piola_contact_event events[64];
    static piola_contact_point points[512];
    uint32_t total = 0;
    uint64_t count = 0;
    fixture_ok(piola_world_contact_events(s->world, 0, 64, events, &total), NULL);
    TEST_ASSERT_EQUAL_UINT32(total, frame->contact_event_count);
    TEST_ASSERT_GREATER_THAN_UINT32(1, total);
    for (uint32_t i = 0; i < total; ++i) {
        TEST_ASSERT_EQUAL_MEMORY(&events[i].body, &frame->contact_events[i].body,
                                 sizeof events[i].body);
        TEST_ASSERT_EQUAL_MEMORY(events[i].force, frame->contact_events[i].force,
                                 sizeof events[i].force);
    }
    const piola_body all = {0, 0};
    fixture_ok(piola_world_contact_points(s->world, all, points, 512, &count), NULL);
    TEST_ASSERT_EQUAL_UINT64(count, frame->contact_point_count);
    TEST_ASSERT_GREATER_THAN_UINT64(8, count);
    for (uint64_t i = 0; i < count; ++i)
        TEST_ASSERT_EQUAL_MEMORY(points[i].point, frame->contact_points[i].point,
                                 sizeof points[i].point);
}

static void test_a_frame_holds_what_the_world_tells(void)
{
    piola_rigid ball = {0, 0};
    struct scene s = heap(&ball);
    const piola_outputs_desc desc = everything();
    piola_outputs *outputs = outputs_of(&desc);
    piola_frame frame, previous;
    fixture_ok(piola_outputs_acquire(outputs, 0, &frame, &previous), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, frame.sequence);
    for (int i = 0; i < 60; ++i) {
        fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
        fixture_ok(piola_outputs_publish(outputs, s.world, &s.report, s.report.time), NULL);
    }
    fixture_ok(piola_outputs_acquire(outputs, 0, &frame, &previous), NULL);
    TEST_ASSERT_EQUAL_UINT64(60, frame.sequence);
    TEST_ASSERT_EQUAL_UINT64(59, previous.sequence);
    TEST_ASSERT_EQUAL_DOUBLE(s.report.time, frame.time);
    TEST_ASSERT_EQUAL_UINT64(60, frame.report->step);
    TEST_ASSERT_EQUAL_UINT64(59, previous.report->step);
    TEST_ASSERT_EQUAL_UINT32(2, frame.body_count);
    for (uint32_t i = 0; i < 2; ++i)
        same_vertices(&s, &frame, i);
    same_contacts(&s, &frame);
    piola_rigid_info info;
    fixture_ok(piola_rigid_inspect(s.world, ball, &info), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, frame.rigid_count);
    TEST_ASSERT_EQUAL_MEMORY(&ball, &frame.rigids[0].rigid, sizeof ball);
    TEST_ASSERT_EQUAL_MEMORY(info.position, frame.rigids[0].position, sizeof info.position);
    TEST_ASSERT_EQUAL_MEMORY(info.force, frame.rigids[0].force, sizeof info.force);
}

static void test_what_finds_no_room_is_counted(void)
{
    piola_rigid ball = {0, 0};
    struct scene s = heap(&ball);
    for (int i = 0; i < 60; ++i)
        fixture_ok(piola_world_step(s.world, NULL, NULL), NULL);
    piola_outputs_desc desc = everything();
    desc.max_vertices = 27 + 26;
    desc.max_rigids = 0;
    desc.max_contact_events = 1;
    desc.max_contact_points = 3;
    piola_outputs *outputs = outputs_of(&desc);
    piola_frame frame;
    fixture_ok(piola_outputs_publish(outputs, s.world, NULL, 0), NULL);
    fixture_ok(piola_outputs_acquire(outputs, 0, &frame, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT32(1, frame.body_count);
    TEST_ASSERT_EQUAL_UINT32(1, frame.bodies_dropped);
    TEST_ASSERT_EQUAL_UINT32(0, frame.rigid_count);
    TEST_ASSERT_EQUAL_UINT32(1, frame.rigids_dropped);
    TEST_ASSERT_EQUAL_UINT32(1, frame.contact_event_count);
    TEST_ASSERT_GREATER_THAN_UINT32(0, frame.contact_events_dropped);
    TEST_ASSERT_EQUAL_UINT32(3, frame.contact_point_count);
    TEST_ASSERT_GREATER_THAN_UINT32(5, frame.contact_points_dropped);
}

/* ---- between frames ---- */

static float height(const piola_frame *f, const piola_frame *p, double time, piola_body body,
                    piola_frame_moment expected)
{
    piola_frame_moment moment = PIOLA_FRAME_MOMENT_COUNT;
    float xyz[3];
    fixture_ok(piola_frame_positions(f, p, time, body, 3, 1, xyz, &moment), NULL);
    TEST_ASSERT_EQUAL_INT(expected, moment);
    return xyz[1];
}

static void test_between_frames_values_are_what_their_mark_says(void)
{
    piola_world_desc d = piola_world_desc_default();
    piola_world *world = fixture_world(&d);
    const piola_asset *asset = fixture_beam(1, 1, 1, 0.1);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    const piola_outputs_desc desc = piola_outputs_desc_default();
    piola_outputs *outputs = outputs_of(&desc);
    piola_frame f, p;
    float a[3], b[3], out[3];
    fixture_ok(piola_world_step(world, NULL, NULL), NULL);
    fixture_ok(piola_body_positions(world, body, 3, 1, a), NULL);
    fixture_ok(piola_outputs_publish(outputs, world, NULL, 0.010), NULL);
    fixture_ok(piola_outputs_acquire(outputs, 0, &f, &p), NULL);
    TEST_ASSERT_EQUAL_FLOAT(a[1], height(&f, &p, 0.0090, body, PIOLA_FRAME_HELD));
    TEST_ASSERT_EQUAL_FLOAT(a[1], height(&f, &p, 0.0110, body, PIOLA_FRAME_HELD));
    fixture_ok(piola_world_step(world, NULL, NULL), NULL);
    fixture_ok(piola_body_positions(world, body, 3, 1, b), NULL);
    const piola_body young = fixture_body(world, asset, 1, 0, 0);
    fixture_ok(piola_outputs_publish(outputs, world, NULL, 0.012), NULL);
    fixture_ok(piola_outputs_acquire(outputs, 0, &f, &p), NULL);
    const float fall = b[1] - a[1];
    TEST_ASSERT_TRUE(fall < 0);
    TEST_ASSERT_EQUAL_FLOAT(a[1], height(&f, &p, 0.0090, body, PIOLA_FRAME_HELD));
    TEST_ASSERT_EQUAL_FLOAT(a[1], height(&f, &p, 0.0100, body, PIOLA_FRAME_INTERPOLATED));
    TEST_ASSERT_FLOAT_WITHIN(1e-7f, a[1] + fall / 4,
                             height(&f, &p, 0.0105, body, PIOLA_FRAME_INTERPOLATED));
    TEST_ASSERT_EQUAL_FLOAT(b[1], height(&f, &p, 0.0120, body, PIOLA_FRAME_INTERPOLATED));
    TEST_ASSERT_FLOAT_WITHIN(1e-7f, b[1] + fall / 2,
                             height(&f, &p, 0.0130, body, PIOLA_FRAME_EXTRAPOLATED));
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, b[1] + 25 * fall, height(&f, &p, 9.9, body, PIOLA_FRAME_HELD));
    (void)height(&f, &p, 0.0110, young, PIOLA_FRAME_HELD);
    (void)height(&f, &p, 0.0120, young, PIOLA_FRAME_INTERPOLATED);
    fixture_ok(piola_body_destroy(world, body), NULL);
    fixture_ok(piola_outputs_publish(outputs, world, NULL, 0.014), NULL);
    fixture_ok(piola_outputs_acquire(outputs, 0, &f, &p), NULL);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_STALE,
                          piola_frame_positions(&f, &p, 0.013, body, 0, 1, out, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE,
                          piola_frame_positions(&f, &p, 0.013, young, 8, 1, out, NULL));
}

static void test_rigid_bodies_turn_between_frames(void)
{
    piola_world_desc d = piola_world_desc_default();
    d.max_rigids = 1;
    d.dt = 0.01f;
    piola_world *world = fixture_world(&d);
    piola_rigid_desc r = piola_rigid_desc_default();
    r.shape = piola_shape_sphere(0.1f);
    r.mass = 1;
    r.velocity[0] = 2;
    r.angular_velocity[2] = 10;
    piola_rigid rigid;
    fixture_ok(piola_rigid_create(world, &r, &rigid, NULL), NULL);
    piola_outputs_desc desc = piola_outputs_desc_default();
    desc.max_rigids = 1;
    piola_outputs *outputs = outputs_of(&desc);
    for (int i = 0; i < 2; ++i) {
        fixture_ok(piola_world_step(world, NULL, NULL), NULL);
        fixture_ok(piola_outputs_publish(outputs, world, NULL, 0.01 * (i + 1)), NULL);
    }
    piola_frame f, p;
    float x[3], q[4];
    piola_frame_moment moment;
    fixture_ok(piola_outputs_acquire(outputs, 0, &f, &p), NULL);
    fixture_ok(piola_frame_rigid(&f, &p, 0.015, rigid, x, q, &moment), NULL);
    TEST_ASSERT_EQUAL_INT(PIOLA_FRAME_INTERPOLATED, moment);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.03f, x[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, sinf(0.075f), q[2]);
    fixture_ok(piola_frame_rigid(&f, &p, 0.025, rigid, x, q, &moment), NULL);
    TEST_ASSERT_EQUAL_INT(PIOLA_FRAME_EXTRAPOLATED, moment);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.05f, x[0]);
    TEST_ASSERT_FLOAT_WITHIN(1e-4f, sinf(0.125f), q[2]);
}

/* ---- what follows from positions ---- */

static void test_normals_and_fine_meshes_follow_from_positions(void)
{
    piola_world_desc d = piola_world_desc_default();
    piola_world *world = fixture_world(&d);
    const piola_asset *asset = fixture_beam(2, 2, 2, 0.05);
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    float xyz[81], normals[81], x[6], n[6], also_x[6], also_n[6];
    fixture_ok(piola_body_positions(world, body, 0, 27, xyz), NULL);
    fixture_ok(piola_asset_normals(asset, xyz, normals), NULL);
    for (size_t v = 0; v < 27; ++v) { /* outward; the middle of a face straight */
        int sides = 0;
        float out = 0, square = 0;
        for (size_t k = 0; k < 3; ++k) {
            const float side = roundf((xyz[3 * v + k] - 0.05f) / 0.05f);
            sides += side != 0;
            out += side * normals[3 * v + k];
            square += normals[3 * v + k] * normals[3 * v + k];
        }
        TEST_ASSERT_FLOAT_WITHIN(1e-5f, sides == 0 ? 0 : 1, square);
        TEST_ASSERT_TRUE(sides == 0 || out > 0.9f);
        if (sides == 1)
            TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1, out);
    }
    const double fine[6] = {0.031, 0.042, 0.11, 0.111, 0.02, 0.073};
    piola_detail_desc desc = piola_detail_desc_default();
    desc.asset = asset;
    desc.vertices = fine;
    desc.vertex_count = 2;
    size_t bytes = 0, scratch = 0;
    const piola_detail *detail = NULL;
    const piola_detail_pose *taken, *at;
    fixture_ok(piola_detail_size(&desc, &bytes, &scratch, NULL), NULL);
    fixture_ok(piola_detail_build(&desc, fixture_memory(scratch), scratch, fixture_memory(bytes),
                                  bytes, &detail, NULL),
               NULL);
    fixture_push(world, PIOLA_COMMAND_BODY_PIN, body, 0, 0, 0.02f, 0.01f);
    for (int i = 0; i < 10; ++i)
        fixture_ok(piola_world_step(world, NULL, NULL), NULL);
    fixture_ok(piola_body_positions(world, body, 0, 27, xyz), NULL);
    bytes = piola_detail_pose_size(detail);
    fixture_ok(piola_detail_pose_take(detail, world, body, fixture_memory(bytes), bytes, &taken),
               NULL);
    fixture_ok(piola_detail_pose_at(detail, asset, xyz, fixture_memory(bytes), bytes, &at), NULL);
    fixture_ok(piola_detail_evaluate(detail, taken, 0, 2, x, n), NULL);
    fixture_ok(piola_detail_evaluate(detail, at, 0, 2, also_x, also_n), NULL);
    TEST_ASSERT_EQUAL_MEMORY(x, also_x, sizeof x);
    TEST_ASSERT_EQUAL_MEMORY(n, also_n, sizeof n);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE,
                          piola_detail_pose_at(detail, fixture_beam(1, 1, 1, 1), xyz,
                                               fixture_memory(bytes), bytes, &at));
}

/* ---- beside the step ---- */

#define RING 64u

struct watch {
    piola_outputs *outputs;
    uint32_t reader;
    _Atomic uint64_t sums[RING]; /* of published frames, by sequence */
    _Atomic bool *stop;
    uint64_t frames, wrong;
};

static uint64_t sum_of(const float *values, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; ++i) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        sum = (sum ^ bits) * 0x9e3779b97f4a7c15u;
    }
    return sum;
}

static void *read_on(void *argument)
{
    struct watch *w = argument;
    uint64_t last = 0;
    while (!atomic_load(w->stop)) {
        piola_frame f, p;
        w->wrong += piola_outputs_acquire(w->outputs, w->reader, &f, &p) != PIOLA_OK;
        if (f.sequence == 0)
            continue;
        w->wrong += f.sequence < last || p.sequence + 1 != f.sequence;
        w->wrong += f.report->step != f.sequence;
        const piola_output_body *row = &f.bodies[f.body_count - 1];
        const size_t values = 3 * ((size_t)row->first + row->vertices);
        /* A reader that was stopped for longer than the ring cannot tell. */
        const uint64_t expected = atomic_load(&w->sums[f.sequence % RING]);
        const uint64_t sum = sum_of(f.positions, values);
        w->wrong += sum != expected && atomic_load(&w->sums[f.sequence % RING]) == expected &&
                    f.sequence != last;
        last = f.sequence;
        w->frames++;
    }
    return NULL;
}

static void test_no_frame_is_torn_beside_the_step(void)
{
    piola_rigid ball = {0, 0};
    struct scene s = heap(&ball);
    piola_outputs_desc desc = everything();
    desc.readers = 2;
    static struct watch watch[2];
    _Atomic bool stop = false;
    pthread_t thread[2];
    piola_outputs *outputs = outputs_of(&desc);
    const int steps = scene_steps(150, 20000);
    for (uint32_t i = 0; i < 2; ++i) {
        memset(&watch[i], 0, sizeof watch[i]);
        watch[i].outputs = outputs;
        watch[i].reader = i;
        watch[i].stop = &stop;
        TEST_ASSERT_EQUAL_INT(0, pthread_create(&thread[i], NULL, read_on, &watch[i]));
    }
    for (int step = 1; step <= steps; ++step) {
        float xyz[6 * 27];
        fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
        for (size_t i = 0; i < 2; ++i)
            fixture_ok(piola_body_positions(s.world, s.body[i], 0, 27, xyz + 81 * i), NULL);
        for (int i = 0; i < 2; ++i)
            atomic_store(&watch[i].sums[(uint64_t)step % RING], sum_of(xyz, 6 * 27));
        fixture_ok(piola_outputs_publish(outputs, s.world, &s.report, s.report.time), NULL);
    }
    atomic_store(&stop, true);
    for (int i = 0; i < 2; ++i)
        TEST_ASSERT_EQUAL_INT(0, pthread_join(thread[i], NULL));
    for (int i = 0; i < 2; ++i) {
        printf("reader %d looked at %llu frames of %d steps\n", i,
               (unsigned long long)watch[i].frames, steps);
        TEST_ASSERT_EQUAL_UINT64(0, watch[i].wrong);
    }
}

/* ---- bad calls ---- */

static void test_bad_calls_are_refused(void)
{
    piola_outputs_desc desc = piola_outputs_desc_default();
    size_t bytes = 0;
    piola_error error;
    desc.readers = 9;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_outputs_size(&desc, &bytes, &error));
    TEST_ASSERT_EQUAL_STRING("piola_outputs_desc.readers", error.field);
    desc = piola_outputs_desc_default();
    desc.max_vertices = UINT32_MAX;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_outputs_size(&desc, &bytes, &error));
    desc = (piola_outputs_desc){.readers = 1};
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_COOKIE, piola_outputs_size(&desc, &bytes, &error));
    desc = piola_outputs_desc_default();
    fixture_ok(piola_outputs_size(&desc, &bytes, &error), &error);
    char *memory = fixture_memory(bytes + 8);
    piola_outputs *outputs = NULL;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MEMORY,
                          piola_outputs_create(&desc, memory, bytes - 1, &outputs, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_ALIGNMENT,
                          piola_outputs_create(&desc, memory + 8, bytes, &outputs, NULL));
    fixture_ok(piola_outputs_create(&desc, memory, bytes, &outputs, NULL), NULL);
    const piola_world_desc d = piola_world_desc_default();
    piola_world *world = fixture_world(&d);
    piola_frame frame;
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_RANGE, piola_outputs_acquire(outputs, 1, &frame, NULL));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NOT_FINITE,
                          piola_outputs_publish(outputs, world, NULL, (double)NAN));
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_NULL, piola_outputs_publish(NULL, world, NULL, 0));
    fixture_ok(piola_outputs_acquire(outputs, 0, &frame, NULL), NULL);
    TEST_ASSERT_EQUAL_UINT64(0, frame.sequence);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_frame_holds_what_the_world_tells);
    RUN_TEST(test_what_finds_no_room_is_counted);
    RUN_TEST(test_between_frames_values_are_what_their_mark_says);
    RUN_TEST(test_rigid_bodies_turn_between_frames);
    RUN_TEST(test_normals_and_fine_meshes_follow_from_positions);
    RUN_TEST(test_no_frame_is_torn_beside_the_step);
    RUN_TEST(test_bad_calls_are_refused);
    return UNITY_END();
}
