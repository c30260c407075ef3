/* Compiled shapes as colliders: nobody passes, weight, friction, sensors, state.
 *
 * covers: src/families/collide/ src/shapes/
 */
#include "collider_fixture.h"
#include "families/collide/collide.h"
#include "shape_fixture.h"
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

static struct shape_tris tris;

static const char *const names[] = {[PIOLA_SHAPE_HULL] = "hull",
                                    [PIOLA_SHAPE_MESH] = "mesh",
                                    [PIOLA_SHAPE_WALL] = "wall",
                                    [PIOLA_SHAPE_HEIGHTS] = "heights",
                                    [PIOLA_SHAPE_DISTANCES] = "distances"};

/* A grid of another shape's distances, with room about it. */
static const piola_shape_data *sampled(const piola_shape_data *shape, float size, uint32_t count)
{
    piola_shape_desc d = piola_shape_desc_default();
    float *samples = fixture_memory((size_t)count * count * count * sizeof *samples);
    d.kind = PIOLA_SHAPE_DISTANCES;
    d.samples = samples;
    d.spacing = size / (float)(count - 1);
    for (int k = 0; k < 3; ++k) {
        d.sample_count[k] = count;
        d.origin[k] = -size / 2;
    }
    fixture_ok(piola_shape_sample(shape, d.origin, d.spacing, d.sample_count, samples, NULL), NULL);
    return shape_fixture_compile(&d);
}

/* ---- a floor of each kind ---- */

/* Its top is the plane y = 0, large enough for a block that slides a metre. */
static const piola_shape_data *floor_of(piola_shape_kind kind)
{
    const double low[3] = {-2, -1, -2}, high[3] = {2, 0, 2};
    shape_fixture_box(&tris, low, high);
    if (kind == PIOLA_SHAPE_HEIGHTS) {
        piola_shape_desc d = shape_fixture_field(33, 0);
        d.spacing *= 2;
        d.origin[0] = d.origin[2] = -2;
        return shape_fixture_compile(&d);
    }
    const bool grid = kind == PIOLA_SHAPE_DISTANCES;
    piola_shape_desc d = shape_fixture_desc(&tris, grid ? PIOLA_SHAPE_MESH : kind);
    if (kind == PIOLA_SHAPE_WALL)
        d.triangle_count = 12;
    const piola_shape_data *shape = shape_fixture_compile(&d);
    return grid ? sampled(shape, 6, 49) : shape;
}

static const piola_asset *block(void)
{
    piola_material m = piola_material_default();
    m.young = 1e5f;
    m.poisson = 0.3f;
    m.damping = 0.01f;
    return fixture_beam_of(3, 2, 3, 0.1, &m, 0);
}

static double speed(piola_world *world, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    return info.momentum[0] / info.mass;
}

/* A block that slides is slowed by friction, and then its weight is held. */
static void slide_and_rest(piola_shape_kind kind, piola_solver solver)
{
    const piola_world_desc d = collider_world(solver, 1);
    piola_world *world = fixture_world(&d);
    piola_collider_desc c = piola_collider_desc_default();
    c.shape.kind = kind;
    c.shape.data = floor_of(kind);
    c.friction_static = c.friction_kinetic = 0.4f;
    const piola_collider floor = collider_enter(world, &c);
    const piola_body body = fixture_body(world, block(), -1, 0.001f, 0.05f);
    fixture_steps(world, NULL, 100);
    fixture_push(world, PIOLA_COMMAND_BODY_VELOCITY, body, 0, 3, 0, 0);
    fixture_steps(world, NULL, 40);
    const double v = speed(world, body);
    fixture_steps(world, NULL, 40);
    const double a = (v - speed(world, body)) / 0.2;
    fixture_steps(world, NULL, 300);
    double weight = 0;
    piola_collider_info info;
    piola_body_info of;
    for (int i = 0; i < 20; ++i) {
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_collider_inspect(world, floor, &info), NULL);
        weight -= info.force[1] / 20;
    }
    fixture_ok(piola_body_inspect(world, body, &of), NULL);
    const double from = of.centre[0];
    fixture_steps(world, NULL, 100);
    fixture_ok(piola_body_inspect(world, body, &of), NULL);
    printf("%s, solver %d: deceleration %.4f of %.4f m/s2, weight %.3f of %.3f N, creep %.1e m\n",
           names[kind], (int)solver, a, 0.4 * 9.81, weight, 9.81 * of.mass, of.centre[0] - from);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * 0.4 * 9.81, 0.4 * 9.81, a);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * 9.81 * of.mass, 9.81 * of.mass, weight);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, of.centre[0] - from);
}

static void test_sliding_and_weight(void)
{
    for (int kind = PIOLA_SHAPE_HULL; kind < PIOLA_SHAPE_KIND_COUNT; ++kind) {
        slide_and_rest((piola_shape_kind)kind, PIOLA_SOLVER_DESCENT);
        slide_and_rest((piola_shape_kind)kind, PIOLA_SOLVER_COMPLIANT);
    }
}

/* ---- nobody passes ---- */

/* About 0.6 m across, with hollows and edges; where it has no inside, an open part of it. */
static const piola_shape_data *obstacle(piola_shape_kind kind, uint64_t *random)
{
    const uint32_t around = 3 + (uint32_t)(fixture_uniform(random) * 9);
    const uint32_t across = 3 + (uint32_t)(fixture_uniform(random) * 6);
    if (kind == PIOLA_SHAPE_HEIGHTS) {
        piola_shape_desc d = shape_fixture_field(3 + around, 0.15);
        d.spacing *= 0.3f;
        d.origin[0] = d.origin[2] = -0.3f;
        return shape_fixture_compile(&d);
    }
    const bool grid = kind == PIOLA_SHAPE_DISTANCES;
    shape_fixture_torus(&tris, around, across, 0.3, 0.12, 0.3);
    piola_shape_desc d = shape_fixture_desc(&tris, grid ? PIOLA_SHAPE_MESH : kind);
    if (kind == PIOLA_SHAPE_WALL)
        d.triangle_count = tris.triangles = tris.triangles * 3 / 4;
    const piola_shape_data *shape = shape_fixture_compile(&d);
    return grid ? sampled(shape, 1.5f, 24) : shape;
}

static void local_of(const piola_collider_info *at, const float *x, double p[3])
{
    double d[3], q[4], u[3], norm = 0;
    for (int k = 0; k < 4; ++k)
        norm += (double)at->rotation[k] * (double)at->rotation[k];
    for (int k = 0; k < 4; ++k)
        q[k] = (k < 3 ? -1 : 1) * (double)at->rotation[k] / sqrt(norm);
    for (int k = 0; k < 3; ++k)
        d[k] = (double)x[k] - (double)at->position[k];
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        u[k] = q[i] * d[j] - q[j] * d[i];
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = d[k] + 2 * q[3] * u[k] + 2 * (q[i] * u[j] - q[j] * u[i]);
    }
}

/* Its places in the collider's frame; 3 doubles a vertex. */
static uint32_t places(piola_world *world, piola_body body, piola_collider collider, double *local)
{
    piola_body_info info;
    piola_collider_info at;
    float x[3 * 256];
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    fixture_ok(piola_collider_inspect(world, collider, &at), NULL);
    fixture_ok(piola_body_positions(world, body, 0, info.vertices, x), NULL);
    TEST_ASSERT_FALSE(info.frozen);
    for (uint32_t i = 0; i < info.vertices; ++i)
        local_of(&at, x + 3 * (size_t)i, local + 3 * (size_t)i);
    return info.vertices;
}

static double deepest(const piola_shape_data *shape, const double *local, uint32_t count)
{
    double worst = -(double)INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
        const float p[3] = {(float)local[3 * i], (float)local[3 * i + 1], (float)local[3 * i + 2]};
        float distance;
        fixture_ok(piola_shape_distance(shape, p, &distance, NULL), NULL);
        /* Far down the side of a field, positions are known less well. */
        worst = fmax(worst, -(double)distance - (double)collide_tolerance(p));
    }
    return worst;
}

static void any_motion(piola_collider_desc *c, uint64_t *random)
{
    double norm = 0;
    for (int k = 0; k < 4; ++k) {
        c->rotation[k] = (float)(2 * fixture_uniform(random) - 1);
        norm += (double)c->rotation[k] * (double)c->rotation[k];
    }
    for (int k = 0; k < 4; ++k)
        c->rotation[k] /= (float)sqrt(norm);
    for (int k = 0; k < 3; ++k) {
        c->velocity[k] = (float)(4 * fixture_uniform(random) - 2);
        c->angular_velocity[k] = (float)(10 * fixture_uniform(random) - 5);
    }
}

/* As test_contact's test of the same name: any motion against a body that flies any way. */
static void test_nobody_ends_inside(void)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY,
                                           PIOLA_SOLVER_COMPLIANT};
    uint64_t random = fixture_seed();
    const piola_asset *asset = fixture_beam_of(3, 2, 2, 0.08, NULL, 0);
    double worst = 0, local[3 * 256];
    int touched = 0;
    const int rounds = fixture_count(60, 10);
    for (int round = 0; round < rounds; ++round) {
        piola_world_desc d =
            collider_world(solvers[round / 5 % 3], 1 + (uint32_t)round / 15 % 2 * 2);
        d.iterations = 1 + (uint32_t)(fixture_uniform(&random) * 5);
        piola_world *world = fixture_world(&d);
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = (piola_shape_kind)(PIOLA_SHAPE_HULL + round % 5);
        c.shape.data = obstacle(c.shape.kind, &random);
        c.margin = round % 2 ? 0.01f : 0;
        c.restitution = round % 7 == 0 ? 0.5f : 0;
        any_motion(&c, &random);
        if (c.shape.kind == PIOLA_SHAPE_HEIGHTS) /* what is beside it stays beside it */
            c.rotation[0] = c.rotation[2] = 0, c.rotation[1] = 0.6f, c.rotation[3] = 0.8f;
        const piola_collider collider = collider_enter(world, &c);
        const double least =
            c.shape.kind == PIOLA_SHAPE_HULL || c.shape.kind == PIOLA_SHAPE_DISTANCES
                ? (double)c.margin
                : fmax((double)c.margin, 4e-6);
        piola_body_desc b = piola_body_desc_default();
        b.asset = asset;
        const float fast = round % 4 == 0 ? 100.0f : 10.0f;
        for (int k = 0; k < 3; ++k) {
            b.position[k] = (k == 1 ? 1 : 0) + 0.3f * (float)fixture_uniform(&random);
            b.velocity[k] = -fast * (b.position[k] - 0.1f);
        }
        piola_body body;
        fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
        for (int i = 0; i < 80; ++i) {
            fixture_steps(world, NULL, 1);
            piola_collider_info info;
            fixture_ok(piola_collider_inspect(world, collider, &info), NULL);
            touched += info.touches > 0;
            const uint32_t count = places(world, body, collider, local);
            const double depth = deepest(c.shape.data, local, count) + least;
            if (depth > 1e-6)
                printf("round %d, step %d, %s: %.2e m inside\n", round, i, names[c.shape.kind],
                       depth);
            worst = fmax(worst, depth);
        }
    }
    printf("deepest %.2e m more inside than positions are known, %d of %d steps in touch\n", worst,
           touched, rounds * 80);
    TEST_ASSERT_TRUE(touched > rounds);
    TEST_ASSERT_TRUE(worst < 1e-6);
}

static double fastest_of(piola_world *world, piola_body body)
{
    float v[3 * 256];
    piola_body_info info;
    double square = 0;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    fixture_ok(piola_body_velocities(world, body, 0, info.vertices, v), NULL);
    for (uint32_t i = 0; i < 3 * info.vertices; i += 3) {
        const double x = (double)v[i], y = (double)v[i + 1], z = (double)v[i + 2];
        square = fmax(square, x * x + y * y + z * z);
    }
    return sqrt(square);
}

/* A room of thin walls that is thrown about: whatever hits them from inside stays inside, and gets
 * no faster than it was thrown (54 m/s) but for what walls at some 20 m/s give it. */
static void test_nobody_leaves_a_room(void)
{
    uint64_t random = fixture_seed();
    double local[3 * 256], out = -1, fastest = 0;
    int touched = 0;
    for (int round = 0; round < fixture_count(12, 2); ++round) {
        piola_world_desc d =
            collider_world(round % 2 ? PIOLA_SOLVER_COMPLIANT : PIOLA_SOLVER_DESCENT, 1);
        piola_world *world = fixture_world(&d);
        shape_fixture_box(&tris, (const double[]){-0.3, -0.2, -0.25},
                          (const double[]){0.3, 0.2, 0.25});
        const piola_shape_desc sd = shape_fixture_desc(&tris, PIOLA_SHAPE_WALL);
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = PIOLA_SHAPE_WALL;
        c.shape.data = shape_fixture_compile(&sd);
        c.margin = round % 3 == 0 ? 0.005f : 0;
        any_motion(&c, &random);
        const piola_collider room = collider_enter(world, &c);
        const piola_body body =
            fixture_body(world, fixture_beam_of(2, 2, 2, 0.05, NULL, 0), -0.05f, -0.05f, -0.05f);
        fixture_push(world, PIOLA_COMMAND_BODY_VELOCITY, body, 0, 40, -20, 30);
        for (int i = 0; i < 200; ++i) {
            if (i % 10 == 0) { /* jerks */
                float jerk[3];
                for (int k = 0; k < 3; ++k)
                    jerk[k] = (float)(20 * fixture_uniform(&random) - 10);
                fixture_ok(piola_collider_set_velocity(world, room, jerk), NULL);
            }
            fixture_steps(world, NULL, 1);
            piola_collider_info info;
            fixture_ok(piola_collider_inspect(world, room, &info), NULL);
            touched += info.touches > 0;
            fastest = fmax(fastest, fastest_of(world, body));
            const uint32_t count = places(world, body, room, local);
            for (uint32_t v = 0; v < count; ++v) {
                const double *p = local + 3 * (size_t)v;
                out = fmax(out, fmax(fabs(p[0]) - 0.3, fmax(fabs(p[1]) - 0.2, fabs(p[2]) - 0.25)));
            }
        }
    }
    printf("nearest to leaving: %.2e m, %d steps in touch, at most %.1f m/s\n", out, touched,
           fastest);
    TEST_ASSERT_TRUE(out < 0);
    TEST_ASSERT_TRUE(fastest < 100);
    TEST_ASSERT_TRUE(touched > 100);
}

/* A spinning body that flies into an edge ends as a line, whose momentum of turning no line can
 * have: it must not turn about itself for that. */
static void test_a_line_does_not_spin(void)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    d.coarse_level = false; /* with one it is not crushed */
    piola_world *world = fixture_world(&d);
    shape_fixture_box(&tris, (const double[]){-0.3, -0.2, -0.25}, (const double[]){0.3, 0.2, 0.25});
    const piola_shape_desc sd = shape_fixture_desc(&tris, PIOLA_SHAPE_WALL);
    piola_collider_desc c = piola_collider_desc_default();
    c.shape.kind = PIOLA_SHAPE_WALL;
    c.shape.data = shape_fixture_compile(&sd);
    const float turned[4] = {0.382748f, -0.436799f, -0.381127f, 0.719342f};
    memcpy(c.rotation, turned, sizeof turned);
    const piola_collider room = collider_enter(world, &c);
    const piola_body body =
        fixture_body(world, fixture_beam_of(2, 2, 2, 0.05, NULL, 0), -0.05f, -0.05f, -0.05f);
    float x[81], v[81];
    double local[81];
    int crushed = 0;
    fixture_ok(piola_body_positions(world, body, 0, 27, x), NULL);
    for (int i = 0; i < 27; ++i) { /* 216 m/s towards the edge, and 5 rad/s */
        v[3 * i] = 69 - 5 * x[3 * i + 1];
        v[3 * i + 1] = -85 + 5 * x[3 * i];
        v[3 * i + 2] = 186;
    }
    fixture_ok(piola_body_set_velocities(world, body, 0, 27, v, NULL), NULL);
    for (int step = 0; step < 40; ++step) {
        fixture_steps(world, NULL, 1);
        (void)places(world, body, room, local);
        for (int i = 0; step == 0 && i < 27; ++i)
            crushed += local[3 * i] > 0.2999 && local[3 * i + 1] > 0.1999;
        TEST_ASSERT_TRUE(fastest_of(world, body) < 220);
    }
    TEST_ASSERT_TRUE_MESSAGE(crushed > 20, "it was not crushed");
}

/* ---- sensors ---- */

static void test_a_sensor_feels_and_does_not_push(void)
{
    for (int kind = 0; kind < PIOLA_SHAPE_KIND_COUNT; ++kind) {
        double height[2];
        uint32_t most = 0;
        for (int with = 0; with < 2; ++with) {
            const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
            piola_world *world = fixture_world(&d);
            piola_collider_desc c = piola_collider_desc_default();
            c.shape.kind = (piola_shape_kind)kind;
            c.shape.radius = kind == PIOLA_SHAPE_SPHERE || kind == PIOLA_SHAPE_CAPSULE ? 0.5f : 0;
            c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.5f;
            c.shape.data = kind >= PIOLA_SHAPE_HULL ? floor_of(c.shape.kind) : NULL;
            c.margin = kind == PIOLA_SHAPE_WALL ? 0.2f : 0;
            c.sensor = true;
            piola_collider sensor = {0, 0};
            if (with)
                sensor = collider_enter(world, &c);
            const piola_body body = fixture_body(world, block(), 0.05f, 1.2f, 0.05f);
            for (int i = 0; i < 130; ++i) {
                fixture_steps(world, NULL, 1);
                piola_collider_info info = {0};
                if (with)
                    fixture_ok(piola_collider_inspect(world, sensor, &info), NULL);
                TEST_ASSERT_TRUE(info.force[1] == 0);
                if (i == 0)
                    TEST_ASSERT_EQUAL(0, info.touches);
                most = info.touches > most ? info.touches : most;
            }
            piola_body_info info;
            fixture_ok(piola_body_inspect(world, body, &info), NULL);
            height[with] = info.centre[1];
        }
        TEST_ASSERT_TRUE(height[0] == height[1]);
        TEST_ASSERT_TRUE(most >= 12);
    }
}

/* ---- state ---- */

static piola_world *world_with_all(piola_world *world, const piola_shape_data *shapes[5],
                                   piola_collider handles[5])
{
    for (int k = 0; k < 5; ++k) {
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = (piola_shape_kind)(PIOLA_SHAPE_HULL + k);
        c.shape.data = shapes[k];
        c.position[0] = 1.2f * (float)k;
        c.angular_velocity[1] = 1;
        c.velocity[1] = 0.1f;
        handles[k] = collider_enter(world, &c);
        (void)fixture_body(world, fixture_beam_of(2, 2, 2, 0.05, NULL, 0), 1.2f * (float)k + 0.25f,
                           0.2f, 0);
    }
    return world;
}

/* Snapshots, a moved world, and a world that has its shapes at other addresses. */
static void test_state(void)
{
    uint64_t random = 7;
    const piola_shape_data *shapes[5], *copies[5];
    piola_collider handles[5], others[5];
    for (int k = 0; k < 5; ++k) {
        shapes[k] = obstacle((piola_shape_kind)(PIOLA_SHAPE_HULL + k), &random);
        copies[k] = memcpy(fixture_memory(piola_shape_bytes(shapes[k])), shapes[k],
                           piola_shape_bytes(shapes[k]));
    }
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 2);
    d.max_colliders = 5;
    d.max_shapes = 5;
    piola_world *world = world_with_all(fixture_world(&d), shapes, handles);
    piola_world *other = world_with_all(fixture_world(&d), copies, others);
    fixture_steps(world, NULL, 40);
    const size_t bytes = piola_snapshot_size(world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(world, memory, bytes), NULL);
    fixture_steps(world, NULL, 40);
    const uint64_t hash = piola_world_hash(world);
    fixture_ok(piola_snapshot_restore(other, memory, bytes), NULL);
    fixture_steps(other, NULL, 40);
    TEST_ASSERT_TRUE(hash == piola_world_hash(other));
    fixture_ok(piola_collider_destroy(world, handles[1]), NULL);
    fixture_ok(piola_snapshot_restore(world, memory, bytes), NULL);
    piola_world *moved = NULL;
    size_t size = 0;
    fixture_ok(piola_world_size(&d, &size, NULL), NULL);
    fixture_steps(world, NULL, 20);
    fixture_ok(piola_world_move(world, fixture_memory(size), size, &moved), NULL);
    fixture_steps(moved, NULL, 20);
    TEST_ASSERT_TRUE(hash == piola_world_hash(moved));
    /* A world that knows other shapes. */
    piola_world *stranger = fixture_world(&d);
    fixture_ok(piola_world_add_shape(stranger, shapes[0]), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SNAPSHOT_WORLD, piola_snapshot_restore(stranger, memory, bytes));
}

static void test_known_shapes(void)
{
    uint64_t random = 3;
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    d.max_shapes = 2;
    piola_world *world = fixture_world(&d);
    const piola_shape_data *a = obstacle(PIOLA_SHAPE_HULL, &random);
    const piola_shape_data *b = obstacle(PIOLA_SHAPE_MESH, &random);
    const piola_shape_data *grid = obstacle(PIOLA_SHAPE_DISTANCES, &random);
    piola_collider_desc c = piola_collider_desc_default();
    piola_collider made;
    piola_error error;
    c.shape.data = a;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_create(world, &c, &made, &error));
    TEST_ASSERT_EQUAL_STRING("piola_collider_desc.shape.data", error.field);
    c.shape.kind = PIOLA_SHAPE_MESH;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_create(world, &c, &made, &error));
    c.shape.data = NULL;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_collider_create(world, &c, &made, &error));
    c.shape.data = b;
    const piola_collider first = collider_enter(world, &c), second = collider_enter(world, &c);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SHAPE_IN_USE, piola_world_drop_shape(world, b));
    fixture_ok(piola_world_add_shape(world, a), NULL);
    fixture_ok(piola_world_add_shape(world, a), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SHAPES_FULL, piola_world_add_shape(world, grid));
    c.shape.kind = PIOLA_SHAPE_DISTANCES;
    c.shape.data = grid;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SHAPES_FULL, piola_collider_create(world, &c, &made, &error));
    fixture_ok(piola_collider_destroy(world, first), NULL);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_SHAPE_IN_USE, piola_world_drop_shape(world, b));
    fixture_ok(piola_collider_destroy(world, second), NULL);
    fixture_ok(piola_world_drop_shape(world, b), NULL);
    c.margin = 10; /* further than its grid reaches */
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_collider_create(world, &c, &made, &error));
    TEST_ASSERT_EQUAL_STRING("piola_collider_desc.margin", error.field);
    c.margin = 0;
    (void)collider_enter(world, &c);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_sliding_and_weight);
    RUN_TEST(test_nobody_ends_inside);
    RUN_TEST(test_nobody_leaves_a_room);
    RUN_TEST(test_a_line_does_not_spin);
    RUN_TEST(test_a_sensor_feels_and_does_not_push);
    RUN_TEST(test_state);
    RUN_TEST(test_known_shapes);
    return UNITY_END();
}
