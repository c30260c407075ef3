/* Contact as the user reads it: events, forces on vertices.
 *
 * covers: src/families/surface/contact_events.c src/families/collide/collide_info.c
 */
#include "collider_fixture.h"
#include "golden.h"
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

static piola_world_desc describe(piola_solver solver)
{
    piola_world_desc d = piola_world_desc_default();
    d.solver = solver;
    d.max_packs = 4096;
    d.max_particles = 4096;
    d.max_colliders = 3;
    d.max_contact_events = 16;
    return d;
}

static const piola_asset *cube(void)
{
    piola_material m = piola_material_default();
    m.young = 1e5f;
    m.poisson = 0.3f;
    m.damping = 0.01f;
    return fixture_beam_of(2, 2, 2, 0.1, &m, 0);
}

/* The event of a body and a collider, or another body; phase 0 when there is none. */
static piola_contact_event event_of(piola_world *world, piola_body body, piola_body other,
                                    piola_collider collider)
{
    piola_contact_event events[16], none = {.phase = (piola_contact_phase)0};
    uint32_t total = 0;
    fixture_ok(piola_world_contact_events(world, 0, 16, events, &total), NULL);
    TEST_ASSERT_TRUE(total <= 16);
    for (uint32_t i = 0; i < total; ++i)
        if (events[i].body.index == body.index && events[i].other.index == other.index &&
            events[i].collider.index == collider.index) {
            TEST_ASSERT_EQUAL(body.generation, events[i].body.generation);
            return events[i];
        }
    return none;
}

static void forces_of(piola_world *world, piola_body body, double sum[3])
{
    float xyz[27 * 3];
    memset(sum, 0, 3 * sizeof *sum);
    fixture_ok(piola_body_contact_forces(world, body, 0, 27, xyz), NULL);
    for (int i = 0; i < 27 * 3; ++i)
        sum[i % 3] += (double)xyz[i];
}

static const piola_body no_body = {0, 0};
static const piola_collider no_collider = {0, 0};

/* A cube bounces: contact begins, stays, ends, and begins again. The force is the collider's, and
 * the sum over the vertices. */
static void test_a_bounce(void)
{
    for (int which = 0; which < 3; ++which) {
        const piola_world_desc d = describe((piola_solver)which);
        piola_world *world = fixture_world(&d);
        piola_collider_desc c = piola_collider_desc_default();
        c.restitution = 0.8f;
        const piola_collider floor = collider_enter(world, &c);
        const piola_body body = fixture_body(world, cube(), 0, 0.3f, 0);
        int count[4] = {0, 0, 0, 0}, last = 0;
        for (int i = 0; i < 300; ++i) {
            piola_report report;
            piola_collider_info info;
            double sum[3];
            fixture_ok(piola_world_step(world, NULL, &report), NULL);
            const piola_contact_event e = event_of(world, body, no_body, floor);
            fixture_ok(piola_collider_inspect(world, floor, &info), NULL);
            forces_of(world, body, sum);
            ++count[e.phase];
            TEST_ASSERT_EQUAL(e.phase != 0, report.contact_events);
            TEST_ASSERT_EQUAL(info.touches, e.touches);
            for (int k = 0; k < 3; ++k) {
                TEST_ASSERT_DOUBLE_WITHIN(1e-9 * (1 + fabs(info.force[k])), -info.force[k],
                                          e.force[k]);
                TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (1 + fabs(info.force[k])), e.force[k], sum[k]);
            }
            const bool touched = last == PIOLA_CONTACT_BEGIN || last == PIOLA_CONTACT_STAY;
            const int wanted = info.touches > 0
                                   ? (touched ? PIOLA_CONTACT_STAY : PIOLA_CONTACT_BEGIN)
                                   : (touched ? PIOLA_CONTACT_END : 0);
            TEST_ASSERT_EQUAL(wanted, e.phase);
            last = (int)e.phase;
        }
        printf("solver %d: %d begins, %d stays, %d ends\n", which, count[1], count[2], count[3]);
        TEST_ASSERT_TRUE(count[1] > 1 && count[2] > 0 && count[3] > 0);
    }
}

/* A cube on a cube: the upper one is carried by the lower one. */
static void bear(piola_solver solver, double tolerance)
{
    piola_world_desc d = describe(solver);
    d.max_contacts = 5000;
    d.max_contact_faces = 1000;
    piola_world *world = fixture_world(&d);
    const piola_collider_desc c = piola_collider_desc_default();
    const piola_collider floor = collider_enter(world, &c);
    const piola_asset *asset = cube();
    const piola_body lower = fixture_body(world, asset, 0, 0, 0);
    const piola_body upper = fixture_body(world, asset, 0.03f, 0.202f, 0.02f);
    TEST_ASSERT_EQUAL(0, event_of(world, lower, upper, no_collider).phase);
    double force = 0, vertices = 0, floors = 0;
    fixture_steps(world, NULL, 400);
    for (int i = 0; i < 50; ++i) {
        double sum[3];
        fixture_steps(world, NULL, 1);
        const piola_contact_event e = event_of(world, lower, upper, no_collider);
        TEST_ASSERT_EQUAL(PIOLA_CONTACT_STAY, e.phase);
        forces_of(world, upper, sum);
        force -= e.force[1] / 50;
        vertices += sum[1] / 50;
        floors += event_of(world, lower, no_body, floor).force[1] / 50;
    }
    printf("solver %d: the lower cube carries %.3f of %.3f N, the floor %.3f of %.3f N\n",
           (int)solver, force, 8 * 9.81, floors, 16 * 9.81);
    TEST_ASSERT_DOUBLE_WITHIN(tolerance * 8 * 9.81, 8 * 9.81, force);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * force, force, vertices);
    TEST_ASSERT_DOUBLE_WITHIN(tolerance * 16 * 9.81, 16 * 9.81, floors);
    /* What is gone is not read. */
    double sum[3];
    fixture_ok(piola_body_destroy(world, lower), NULL);
    forces_of(world, upper, sum);
    TEST_ASSERT_TRUE(sum[0] == 0 && sum[1] == 0 && sum[2] == 0);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL(PIOLA_CONTACT_END, event_of(world, lower, upper, no_collider).phase);
    fixture_steps(world, NULL, 1);
    TEST_ASSERT_EQUAL(0, event_of(world, lower, upper, no_collider).phase);
}

static void test_bodies_on_each_other(void)
{
    bear(PIOLA_SOLVER_DESCENT, 0.02);
    bear(PIOLA_SOLVER_ENERGY, 0.02);
    bear(PIOLA_SOLVER_COMPLIANT, 0.02);
}

/* A sensor reports who is inside and does nothing. */
static void test_a_sensor(void)
{
    const piola_world_desc d = describe(PIOLA_SOLVER_DESCENT);
    piola_world *world = fixture_world(&d);
    piola_collider_desc c = piola_collider_desc_default();
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.2f;
    c.sensor = true;
    const piola_collider sensor = collider_enter(world, &c);
    const piola_body body = fixture_body(world, cube(), -0.1f, 0.4f, -0.1f);
    int count[4] = {0, 0, 0, 0};
    for (int i = 0; i < 120; ++i) {
        fixture_steps(world, NULL, 1);
        const piola_contact_event e = event_of(world, body, no_body, sensor);
        ++count[e.phase];
        TEST_ASSERT_TRUE(e.force[1] == 0);
    }
    TEST_ASSERT_EQUAL(1, count[1]);
    TEST_ASSERT_TRUE(count[2] > 10);
    TEST_ASSERT_EQUAL(1, count[3]);
}

/* Room for one: the other is counted, once though nine of its vertices touch. A restored world goes
 * on with the same events. */
static void test_room_and_snapshots(void)
{
    piola_world_desc d = describe(PIOLA_SOLVER_DESCENT);
    d.max_contact_events = 1;
    piola_world *world = fixture_world(&d);
    const piola_collider_desc c = piola_collider_desc_default();
    const piola_collider floor = collider_enter(world, &c);
    const piola_asset *asset = cube();
    const piola_body body = fixture_body(world, asset, 0, 0, 0);
    const piola_body other = fixture_body(world, asset, 1, 0, 0);
    piola_report report;
    fixture_steps(world, NULL, 5);
    fixture_ok(piola_world_step(world, NULL, &report), NULL);
    TEST_ASSERT_EQUAL(1, report.contact_events);
    TEST_ASSERT_EQUAL(1, report.contact_events_dropped);
    const size_t bytes = piola_snapshot_size(world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    fixture_steps(world, NULL, 5);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
    TEST_ASSERT_EQUAL(PIOLA_CONTACT_STAY, event_of(world, body, no_body, floor).phase);
    fixture_steps(world, NULL, 5);
    TEST_ASSERT_TRUE(hash == piola_world_hash(world));
    uint32_t total = 7;
    float xyz[3];
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_contact_events(world, 0, 1, NULL, &total));
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_world_contact_events(world, 5, 0, NULL, &total));
    TEST_ASSERT_EQUAL(1, total);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE, piola_body_contact_forces(world, no_body, 0, 1, xyz));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_contact_forces(world, body, 27, 1, xyz));
    /* The end takes the room once more, then the other begins. */
    fixture_ok(piola_body_destroy(world, body), NULL);
    for (int i = 0; i < 3; ++i) {
        fixture_ok(piola_world_step(world, NULL, &report), NULL);
        TEST_ASSERT_EQUAL(1, report.contact_events);
        TEST_ASSERT_EQUAL(i == 0, report.contact_events_dropped);
        TEST_ASSERT_EQUAL(i == 0 ? PIOLA_CONTACT_END : 0,
                          event_of(world, body, no_body, floor).phase);
        TEST_ASSERT_EQUAL(i == 0   ? 0
                          : i == 1 ? PIOLA_CONTACT_BEGIN
                                   : PIOLA_CONTACT_STAY,
                          event_of(world, other, no_body, floor).phase);
    }
}

/* ---- lists that are too short ---- */

/* What a world told after its last step. */
struct told {
    piola_contact_event event[16];
    uint32_t count, dropped;
};

static struct told step_and_read(piola_world *world, const piola_tasks *tasks)
{
    struct told told = {.count = 0};
    piola_report report;
    fixture_ok(piola_world_step(world, tasks, &report), NULL);
    fixture_ok(piola_world_contact_events(world, 0, 16, told.event, &told.count), NULL);
    TEST_ASSERT_TRUE(told.count <= 16);
    TEST_ASSERT_EQUAL(told.count, report.contact_events);
    told.dropped = report.contact_events_dropped;
    return told;
}

static const piola_contact_event *told_of(const struct told *told, const piola_contact_event *e)
{
    for (uint32_t i = 0; i < told->count; ++i) {
        const piola_contact_event *t = &told->event[i];
        if (memcmp(&t->body, &e->body, sizeof t->body) == 0 &&
            memcmp(&t->other, &e->other, sizeof t->other) == 0 &&
            memcmp(&t->collider, &e->collider, sizeof t->collider) == 0)
            return t;
    }
    return NULL;
}

static bool touching(const piola_contact_event *e)
{
    return e && e->phase != PIOLA_CONTACT_END;
}

static uint32_t count_touching(const struct told *told)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < told->count; ++i)
        n += touching(&told->event[i]);
    return n;
}

/* `now` and `before` are of a short list, `all` of one with room for everything. */
static void check_short(const struct told *now, const struct told *before, const struct told *all,
                        uint32_t room)
{
    TEST_ASSERT_EQUAL(0, all->dropped);
    TEST_ASSERT_TRUE(now->count <= room);
    TEST_ASSERT_EQUAL(count_touching(all) - count_touching(now), now->dropped);
    TEST_ASSERT_TRUE(now->dropped == 0 || now->count == room);
    for (uint32_t i = 0; i < now->count; ++i) {
        const piola_contact_event *e = &now->event[i], *truth = told_of(all, e);
        const bool was = touching(told_of(before, e));
        if (i > 0) {
            const piola_contact_event *last = e - 1;
            TEST_ASSERT_TRUE(last->body.index <= e->body.index);
            TEST_ASSERT_TRUE(last->body.index < e->body.index ||
                             last->other.index <= e->other.index);
        }
        TEST_ASSERT_EQUAL(touching(truth), touching(e));
        TEST_ASSERT_EQUAL(touching(e) ? (was ? PIOLA_CONTACT_STAY : PIOLA_CONTACT_BEGIN)
                                      : PIOLA_CONTACT_END,
                          e->phase);
        if (touching(e)) {
            TEST_ASSERT_EQUAL(truth->touches, e->touches);
            TEST_ASSERT_EQUAL_MEMORY(truth->force, e->force, sizeof e->force);
        } else {
            TEST_ASSERT_TRUE(was && e->touches == 0 && e->force[1] == 0);
        }
    }
    /* What was told does not go without an end. */
    for (uint32_t i = 0; i < before->count; ++i)
        TEST_ASSERT_TRUE(!touching(&before->event[i]) || told_of(now, &before->event[i]));
}

/* A cube on two others, on a floor, in a sensor, and a plate that pushes. */
struct box_tree {
    piola_world *world;
    piola_body body[3];
    piola_collider plate;
};

static struct box_tree box_tree_of(piola_solver solver, uint32_t room)
{
    static const float at[3][3] = {{0, 0, 0}, {0.12f, 0.202f, 0.02f}, {0.25f, 0, 0}};
    piola_world_desc d = describe(solver);
    struct box_tree crowd;
    d.max_contacts = 20000;
    d.max_contact_faces = 2000;
    d.max_contact_events = room;
    crowd.world = fixture_world(&d);
    piola_collider_desc c = piola_collider_desc_default();
    (void)collider_enter(crowd.world, &c);
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.15f;
    c.sensor = true;
    (void)collider_enter(crowd.world, &c);
    c.sensor = false;
    c.shape.size[0] = c.shape.size[1] = 0.02f;
    c.position[0] = -0.06f;
    c.position[1] = 0.31f;
    crowd.plate = collider_enter(crowd.world, &c);
    const piola_asset *asset = cube();
    for (int i = 0; i < 3; ++i)
        crowd.body[i] = fixture_body(crowd.world, asset, at[i][0], at[i][1], at[i][2]);
    return crowd;
}

static struct told crowd_step(struct box_tree *crowd, int step, const piola_tasks *tasks)
{
    const piola_body plate = {crowd->plate.index, crowd->plate.generation};
    const float way = 0.003f * (float)(step < 60 ? step : 60);
    fixture_push(crowd->world, PIOLA_COMMAND_COLLIDER_MOVE, plate, 0, -0.06f + way, 0.31f, 0);
    if (step == 90)
        fixture_ok(piola_body_destroy(crowd->world, crowd->body[0]), NULL);
    if (step == 91) /* in its place, of another generation */
        crowd->body[0] = fixture_body(crowd->world, cube(), -0.6f, 0, 0);
    return step_and_read(crowd->world, tasks);
}

/* However little room: nothing that is told is wrong, and what is not told is counted. */
static void test_short_lists_tell_the_truth(void)
{
    for (int which = 0; which < 3; ++which)
        for (uint32_t room = 1; room <= 5; ++room) {
            struct box_tree all = box_tree_of((piola_solver)which, 16);
            struct box_tree few = box_tree_of((piola_solver)which, room);
            struct box_tree shared = box_tree_of((piola_solver)which, room);
            piola_workers *workers = golden_workers(3);
            struct told before = {.count = 0};
            uint32_t most = 0, dropped = 0;
            for (int step = 0; step < 140; ++step) {
                const struct told truth = crowd_step(&all, step, NULL);
                const struct told now = crowd_step(&few, step, NULL);
                (void)crowd_step(&shared, step, piola_workers_tasks(workers));
                TEST_ASSERT_TRUE(piola_world_hash(few.world) == piola_world_hash(shared.world));
                check_short(&now, &before, &truth, room);
                before = now;
                most = truth.count > most ? truth.count : most;
                dropped = now.dropped > dropped ? now.dropped : dropped;
            }
            printf("solver %d, room for %u of %u: up to %u had none\n", which, room, most, dropped);
            TEST_ASSERT_TRUE(dropped > 0);
            piola_workers_destroy(workers);
            fixture_clean();
        }
}

/* A snapshot brings its own number of events: into the world it is of, which has others by now, and
 * into a new one. */
static void test_events_of_snapshots(void)
{
    const piola_world_desc d = describe(PIOLA_SOLVER_DESCENT);
    const piola_collider_desc c = piola_collider_desc_default();
    piola_world *worlds[2];
    void *memory[2];
    uint64_t hash[2];
    size_t bytes[2];
    for (int k = 0; k < 2; ++k) {
        worlds[k] = fixture_world(&d);
        (void)collider_enter(worlds[k], &c);
        (void)fixture_body(worlds[k], cube(), 0, 0.05f, 0);
    }
    for (int k = 0; k < 2; ++k) {
        bytes[k] = piola_snapshot_size(worlds[0]);
        memory[k] = fixture_memory(bytes[k]);
        fixture_ok(piola_snapshot_save(worlds[0], memory[k], bytes[k]), NULL);
        fixture_steps(worlds[0], NULL, 40);
        hash[k] = piola_world_hash(worlds[0]);
    }
    /* The first is of the air, the second of the floor. */
    for (int k = 0; k < 2; ++k)
        for (int w = 0; w < 2; ++w) {
            uint32_t total = 7;
            fixture_ok(piola_snapshot_restore(worlds[w], memory[k], bytes[k]), NULL);
            fixture_ok(piola_world_contact_events(worlds[w], 0, 0, NULL, &total), NULL);
            TEST_ASSERT_EQUAL(k, total);
            fixture_steps(worlds[w], NULL, 40);
            TEST_ASSERT_TRUE(hash[k] == piola_world_hash(worlds[w]));
        }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_bounce);
    RUN_TEST(test_bodies_on_each_other);
    RUN_TEST(test_a_sensor);
    RUN_TEST(test_room_and_snapshots);
    RUN_TEST(test_short_lists_tell_the_truth);
    RUN_TEST(test_events_of_snapshots);
    return UNITY_END();
}
