/* Rays and closest places on colliders and rigid bodies, beside bodies: against marching and
 * sampling by the shapes' own distances, which share no code with the rays; closed forms; masks,
 * targets.
 *
 * covers: src/api/query_solid.c src/shapes/shape_ray.c */
#include "fixture.h"
#include "shape_fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

static uint64_t seed;
static piola_world *world;

void setUp(void)
{
    piola_world_desc desc = piola_world_desc_default();
    desc.max_colliders = 16;
    desc.max_rigids = 4;
    world = fixture_world(&desc);
}

void tearDown(void)
{
    fixture_clean();
}

static double between(double low, double high)
{
    return low + (high - low) * fixture_uniform(&seed);
}

static piola_collider collider_of(piola_shape shape)
{
    piola_collider_desc desc = piola_collider_desc_default();
    piola_collider collider;
    desc.shape = shape;
    desc.margin = 0.01f; /* which queries do not see */
    fixture_ok(piola_collider_create(world, &desc, &collider, NULL), NULL);
    return collider;
}

static piola_hit cast(const double origin[3], const double direction[3])
{
    piola_ray ray = piola_ray_default();
    piola_hit hit;
    piola_error error = {0};
    for (int k = 0; k < 3; ++k) {
        ray.origin[k] = (float)origin[k];
        ray.direction[k] = (float)direction[k];
    }
    fixture_ok(piola_world_ray(world, &ray, &hit, &error), &error);
    return hit;
}

static void hits_at(const double origin[3], const double direction[3], double distance,
                    const double normal[3])
{
    const piola_hit hit = cast(origin, direction);
    TEST_ASSERT_NOT_EQUAL(0, hit.collider.index + hit.rigid.index);
    TEST_ASSERT_EQUAL_UINT32(0, hit.body.index);
    TEST_ASSERT_DOUBLE_WITHIN(1e-6, distance, (double)hit.distance);
    for (int k = 0; k < 3; ++k) {
        TEST_ASSERT_DOUBLE_WITHIN(2e-6, origin[k] + distance * direction[k], (double)hit.point[k]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, normal[k], (double)hit.normal[k]);
    }
}

static void misses(const double origin[3], const double direction[3])
{
    const piola_hit hit = cast(origin, direction), none = {.triangle = 0};
    TEST_ASSERT_EQUAL_MEMORY(&none, &hit, sizeof hit);
}

#define V(x, y, z) ((const double[3]){x, y, z})

/* ---- closed forms ---- */

static void test_rays_on_simple_shapes(void)
{
    const piola_collider plane = collider_of(piola_shape_plane());
    hits_at(V(3, 2, 1), V(0, -1, 0), 2, V(0, 1, 0));
    hits_at(V(3, -2, 1), V(0, 1, 0), 2, V(0, 1, 0));
    misses(V(3, 2, 1), V(1, 0, 0));
    hits_at(V(3, 0, 1), V(1, 0, 0), 0, V(0, 1, 0));
    fixture_ok(piola_collider_destroy(world, plane), NULL);
    const piola_collider ball = collider_of(piola_shape_sphere(0.5f));
    hits_at(V(0, 0, 3), V(0, 0, -1), 2.5, V(0, 0, 1));
    hits_at(V(0, 0, 0), V(0, 0, -1), 0.5, V(0, 0, -1));
    hits_at(V(0.3, 0, 3), V(0, 0, -1), 2.6, V(0.6, 0, 0.8));
    misses(V(0.51, 0, 3), V(0, 0, -1));
    misses(V(0, 0, 3), V(0, 0, 1));
    fixture_ok(piola_collider_destroy(world, ball), NULL);
    const piola_collider capsule = collider_of(piola_shape_capsule(1, 0.25f));
    hits_at(V(2, 0.9, 0), V(-1, 0, 0), 1.75, V(1, 0, 0));
    hits_at(V(0, 5, 0), V(0, -1, 0), 3.75, V(0, 1, 0));
    hits_at(V(0, -5, 0), V(0, 1, 0), 3.75, V(0, -1, 0));
    fixture_ok(piola_collider_destroy(world, capsule), NULL);
    collider_of(piola_shape_box((const float[3]){1, 2, 3}, 0.5f));
    hits_at(V(9, 0, 0), V(-1, 0, 0), 8, V(1, 0, 0));
    hits_at(V(0.2, 0.3, -9), V(0, 0, 1), 6, V(0, 0, -1));
    hits_at(V(0, 0, 0), V(0, 1, 0), 2, V(0, 1, 0));
    /* Along the diagonal of a rounded edge, whose middle is at (0.5, 1.5). */
    const double d = sqrt(0.5);
    hits_at(V(0.5 + 5 * d, 1.5 + 5 * d, 0), V(-d, -d, 0), 4.5, V(d, d, 0));
}

static void test_a_turned_rigid_body_is_hit_and_named(void)
{
    piola_rigid_desc desc = piola_rigid_desc_default();
    piola_rigid rigid;
    desc.shape = piola_shape_box((const float[3]){1, 1, 1}, 0);
    desc.position[0] = 10;
    desc.rotation[2] = sinf(0.39269908f); /* 45 degrees about z */
    desc.rotation[3] = cosf(0.39269908f);
    fixture_ok(piola_rigid_create(world, &desc, &rigid, NULL), NULL);
    const piola_hit hit = cast(V(0, 0.2, 0), V(1, 0, 0));
    TEST_ASSERT_EQUAL_MEMORY(&rigid, &hit.rigid, sizeof rigid);
    TEST_ASSERT_EQUAL_UINT32(0, hit.collider.index);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, 10 - sqrt(2) + 0.2, (double)hit.distance);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, -sqrt(0.5), (double)hit.normal[0]);
    TEST_ASSERT_DOUBLE_WITHIN(1e-5, sqrt(0.5), (double)hit.normal[1]);
}

/* ---- any shape, by its distances ---- */

/* One of each kind of compiled data, some 2 m wide. */
static piola_shape query_shape(piola_shape_kind kind)
{
    struct shape_tris *tris = fixture_memory(sizeof *tris);
    if (kind == PIOLA_SHAPE_HEIGHTS) {
        const piola_shape_desc field = shape_fixture_field(9, 0.3);
        return piola_shape_of(shape_fixture_compile(&field));
    }
    if (kind == PIOLA_SHAPE_WALL)
        shape_fixture_star(tris, 1, 0.4);
    else
        shape_fixture_torus(tris, 12, 8, 1, 0.4, 0.1);
    piola_shape_desc desc =
        shape_fixture_desc(tris, kind == PIOLA_SHAPE_DISTANCES ? PIOLA_SHAPE_MESH : kind);
    const piola_shape_data *data = shape_fixture_compile(&desc);
    if (kind == PIOLA_SHAPE_DISTANCES) {
        const uint32_t count[3] = {36, 20, 36};
        const float origin[3] = {-1.75f, -0.95f, -1.75f};
        float *samples = fixture_memory((size_t)count[0] * count[1] * count[2] * sizeof *samples);
        fixture_ok(piola_shape_sample(data, origin, 0.1f, count, samples, NULL), NULL);
        piola_shape_desc grid = piola_shape_desc_default();
        grid.kind = kind;
        grid.samples = samples;
        grid.spacing = 0.1f;
        memcpy(grid.sample_count, count, sizeof count);
        memcpy(grid.origin, origin, sizeof origin);
        data = shape_fixture_compile(&grid);
    }
    return piola_shape_of(data);
}

static double distance_of(const piola_shape *shape, const double p[3])
{
    float distance = 0;
    const float at[3] = {(float)p[0], (float)p[1], (float)p[2]};
    fixture_ok(piola_shape_distance(shape->data, at, &distance, NULL), NULL);
    return (double)distance;
}

/* The hit lies on the surface, and nothing of the surface is before it: so many steps along the ray
 * see no change of sides, and nothing nearer than what a step could pass. */
static void check_ray(const piola_shape *shape, const double origin[3], const double direction[3])
{
    const piola_hit hit = cast(origin, direction);
    const bool found = hit.collider.index != 0;
    const double end = found ? (double)hit.distance : 12;
    double t = 0, p[3];
    if (found) {
        const double on[3] = {(double)hit.point[0], (double)hit.point[1], (double)hit.point[2]};
        TEST_ASSERT_DOUBLE_WITHIN(2e-4, 0, distance_of(shape, on));
        for (int k = 0; k < 3; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(1e-5, origin[k] + end * direction[k], on[k]);
    }
    const bool inside = distance_of(shape, origin) < 0;
    for (int i = 0; i < 2000 && t < end - 1e-3; ++i) {
        for (int k = 0; k < 3; ++k)
            p[k] = origin[k] + t * direction[k];
        const double room = distance_of(shape, p);
        if (shape->kind != PIOLA_SHAPE_WALL && fabs(room) > 1e-4)
            TEST_ASSERT_EQUAL(inside, room < 0);
        t += fabs(room) > 1e-3 ? fabs(room) : 1e-3;
    }
}

static void check_closest(const piola_shape *shape, const double point[3])
{
    piola_probe probe = piola_probe_default();
    piola_hit hit;
    for (int k = 0; k < 3; ++k)
        probe.point[k] = (float)point[k];
    fixture_ok(piola_world_closest(world, &probe, &hit, NULL), NULL);
    const double on[3] = {(double)hit.point[0], (double)hit.point[1], (double)hit.point[2]};
    const double away = fabs(distance_of(shape, point));
    TEST_ASSERT_NOT_EQUAL(0, hit.collider.index);
    TEST_ASSERT_DOUBLE_WITHIN(5e-4, 0, distance_of(shape, on));
    if (shape->kind != PIOLA_SHAPE_DISTANCES)
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * (1 + away), away, (double)hit.distance);
    else
        TEST_ASSERT_TRUE((double)hit.distance > away - 1e-5);
}

static void test_rays_and_places_of_compiled_shapes(void)
{
    for (int kind = PIOLA_SHAPE_HULL; kind < PIOLA_SHAPE_KIND_COUNT; ++kind) {
        const piola_shape shape = query_shape((piola_shape_kind)kind);
        collider_of(shape);
        for (int i = fixture_count(150, 10); i > 0; --i) {
            double origin[3], direction[3], size = 0;
            for (int k = 0; k < 3; ++k) {
                origin[k] = between(-2, 2);
                direction[k] = between(-1, 1);
                size += direction[k] * direction[k];
            }
            for (int k = 0; k < 3; ++k)
                direction[k] = (double)(float)(direction[k] / sqrt(size));
            /* What a float holds. */
            for (int k = 0; k < 3; ++k)
                origin[k] = (double)(float)origin[k];
            check_ray(&shape, origin, direction);
            check_closest(&shape, origin);
        }
        tearDown();
        setUp();
    }
}

/* ---- whom, and who is first ---- */

/* One of each kind, one above the other: a floor, a body, a rigid body and a sensor. */
static piola_body pile_up(piola_collider *plane, piola_collider *zone, piola_rigid *rigid)
{
    piola_rigid_desc ball = piola_rigid_desc_default();
    piola_collider_desc floor = piola_collider_desc_default();
    piola_collider_desc sensor = piola_collider_desc_default();
    floor.category = 2;
    fixture_ok(piola_collider_create(world, &floor, plane, NULL), NULL);
    ball.shape = piola_shape_sphere(0.5f);
    ball.position[0] = ball.position[2] = 0.5f;
    ball.position[1] = 4;
    ball.category = 4;
    fixture_ok(piola_rigid_create(world, &ball, rigid, NULL), NULL);
    sensor.shape = piola_shape_sphere(0.5f);
    sensor.position[0] = sensor.position[2] = 0.5f;
    sensor.position[1] = 6;
    sensor.sensor = true;
    fixture_ok(piola_collider_create(world, &sensor, zone, NULL), NULL);
    return fixture_body(world, fixture_beam(1, 1, 1, 1), 0, 1, 0);
}

static void test_the_nearest_of_all_kinds_is_named(void)
{
    piola_collider plane, zone;
    piola_rigid rigid;
    piola_hit hit;
    const piola_body body = pile_up(&plane, &zone, &rigid);
    static const struct {
        uint64_t mask;
        uint32_t targets;
        double distance; /* 0: nothing */
    } rows[] = {
        {UINT64_MAX, PIOLA_TARGET_ALL, 3.5},
        {UINT64_MAX, PIOLA_TARGET_SOLID, 5.5},
        {UINT64_MAX, PIOLA_TARGET_BODIES, 8},
        {UINT64_MAX, PIOLA_TARGET_COLLIDERS, 10},
        {UINT64_MAX, PIOLA_TARGET_SENSORS, 3.5},
        {UINT64_MAX, PIOLA_TARGET_RIGIDS, 5.5},
        {1, PIOLA_TARGET_SOLID, 8},
        {2, PIOLA_TARGET_SOLID, 10},
        {4, PIOLA_TARGET_SOLID, 5.5},
        {8, PIOLA_TARGET_ALL, 0},
        {UINT64_MAX, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        piola_ray ray = piola_ray_default();
        ray.origin[0] = ray.origin[2] = 0.5f;
        ray.origin[1] = 10;
        ray.mask = rows[i].mask;
        ray.targets = rows[i].targets;
        fixture_ok(piola_world_ray(world, &ray, &hit, NULL), NULL);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, rows[i].distance, (double)hit.distance);
        const double d = rows[i].distance;
        TEST_ASSERT_EQUAL_UINT32(d == 8 ? body.index : 0, hit.body.index);
        TEST_ASSERT_EQUAL_UINT32(d == 5.5 ? rigid.index : 0, hit.rigid.index);
        TEST_ASSERT_EQUAL_UINT32(d == 10    ? plane.index
                                 : d == 3.5 ? zone.index
                                            : 0,
                                 hit.collider.index);
        piola_probe probe = piola_probe_default();
        memcpy(probe.point, ray.origin, sizeof probe.point);
        probe.mask = rows[i].mask;
        probe.targets = rows[i].targets;
        fixture_ok(piola_world_closest(world, &probe, &hit, NULL), NULL);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, rows[i].distance, (double)hit.distance);
        /* Nothing farther than asked for. */
        ray.max_distance = probe.radius = (float)(rows[i].distance - 0.01);
        fixture_ok(rows[i].distance > 0 ? piola_world_ray(world, &ray, &hit, NULL) : PIOLA_OK,
                   NULL);
        TEST_ASSERT_EQUAL_UINT32(0, hit.body.index + hit.collider.index + hit.rigid.index);
    }
}

static void test_unknown_targets_are_refused(void)
{
    piola_ray ray = piola_ray_default();
    piola_probe probe = piola_probe_default();
    piola_error error = {0};
    piola_hit hit;
    memset(&hit, 0x5a, sizeof hit);
    ray.targets = probe.targets = 16;
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_ray(world, &ray, &hit, &error));
    TEST_ASSERT_EQUAL_STRING("piola_ray.targets", error.field);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_world_closest(world, &probe, &hit, &error));
    TEST_ASSERT_EQUAL_STRING("piola_probe.targets", error.field);
    TEST_ASSERT_EACH_EQUAL_HEX8(0x5a, &hit, sizeof hit);
}

/* From far away, and along a face: a float's steps there are larger than the ball. */
static void test_far_rays(void)
{
    collider_of(piola_shape_sphere(0.25f));
    hits_at(V(0, 0, 1e6), V(0, 0, -1), 1e6 - 0.25, V(0, 0, 1));
    misses(V(0.3, 0, 1e6), V(0, 0, -1));
    collider_of(piola_shape_box((const float[3]){8, 1, 1}, 0));
    hits_at(V(-20, 1, 0), V(1, 0, 0), 12, V(-1, 0, 0));
    misses(V(-20, 1.0001, 0), V(1, 0, 0));
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(test_rays_on_simple_shapes);
    RUN_TEST(test_a_turned_rigid_body_is_hit_and_named);
    RUN_TEST(test_rays_and_places_of_compiled_shapes);
    RUN_TEST(test_the_nearest_of_all_kinds_is_named);
    RUN_TEST(test_unknown_targets_are_refused);
    RUN_TEST(test_far_rays);
    return UNITY_END();
}
