/* Contact points: they lie where things touch, and their forces sum to what events, vertices,
 * colliders and rigid bodies are told.
 *
 * covers: src/families/surface/contact_points.c */
#include "collider_fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

#define MOST 512

static piola_world *world;
static piola_contact_point points[MOST];
static const piola_body all = {0, 0};

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
    d.max_rigids = 3;
    d.max_contact_events = 16;
    d.max_contacts = 5000;
    d.max_contact_faces = 1000;
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

static uint32_t list(piola_body body)
{
    uint64_t count = 0;
    fixture_ok(piola_world_contact_points(world, body, points, MOST, &count), NULL);
    TEST_ASSERT_TRUE(count <= MOST);
    for (uint64_t i = 0; i < count; ++i) {
        const piola_contact_point *p = &points[i];
        double square = 0, across = 0;
        for (int k = 0; k < 3; ++k) {
            square += (double)p->normal[k] * (double)p->normal[k];
            across += (double)p->normal[k] * (double)p->tangent_force[k];
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, 1, square);
        TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (1 + fabs((double)p->normal_force)), 0, across);
    }
    return (uint32_t)count;
}

static void add(const piola_contact_point *p, double sum[3])
{
    for (int k = 0; k < 3; ++k)
        sum[k] += (double)p->normal_force * (double)p->normal[k] + (double)p->tangent_force[k];
}

/* A cube slides down a slope with friction: each vertex has its point, and they sum to what the
 * collider feels. */
static void test_vertices_at_a_collider(void)
{
    for (int which = 0; which < COLLIDER_SOLVERS; ++which) {
        const piola_world_desc d = describe(collider_solvers[which].solver);
        world = fixture_world(&d);
        piola_collider_desc c = piola_collider_desc_default();
        c.rotation[2] = sinf(0.15f);
        c.rotation[3] = cosf(0.15f);
        c.friction_static = c.friction_kinetic = 0.2f;
        const piola_collider slope = collider_enter(world, &c);
        const piola_body body = fixture_body(world, cube(), 0, 0.05f, 0);
        piola_collider_info info;
        double sum[3] = {0, 0, 0}, friction = 0, pressed = 0;
        uint32_t seen = 0;
        fixture_steps(world, NULL, 60);
        for (int i = 0; i < 20; ++i) {
            fixture_steps(world, NULL, 1);
            float felt[27 * 3], x[3];
            const uint32_t count = list(all);
            memset(sum, 0, sizeof sum);
            fixture_ok(piola_collider_inspect(world, slope, &info), NULL);
            fixture_ok(piola_body_contact_forces(world, body, 0, 27, felt), NULL);
            TEST_ASSERT_EQUAL_UINT32(info.touches, count);
            for (uint32_t n = 0; n < count; ++n) {
                const piola_contact_point *p = &points[n];
                TEST_ASSERT_EQUAL_MEMORY(&body, &p->body, sizeof body);
                TEST_ASSERT_EQUAL_MEMORY(&slope, &p->collider, sizeof slope);
                TEST_ASSERT_EQUAL_UINT32(0, p->other.index + p->rigid.index);
                TEST_ASSERT_FLOAT_WITHIN(1e-5f, -sinf(0.3f), p->normal[0]);
                TEST_ASSERT_FLOAT_WITHIN(1e-5f, cosf(0.3f), p->normal[1]);
                TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0, p->gap);
                fixture_ok(piola_body_positions(world, body, p->vertex, 1, x), NULL);
                TEST_ASSERT_EQUAL_MEMORY(x, p->point, sizeof x);
                double one[3] = {0, 0, 0};
                add(p, one);
                add(p, sum);
                for (int k = 0; k < 3; ++k) {
                    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (1 + fabs(one[k])), one[k],
                                              (double)felt[3 * p->vertex + (uint32_t)k]);
                    friction += (double)p->tangent_force[k] * (k == 0   ? cos(0.3)
                                                               : k == 1 ? sin(0.3)
                                                                        : 0);
                }
                pressed += (double)p->normal_force;
                ++seen;
            }
            for (int k = 0; k < 3; ++k)
                TEST_ASSERT_DOUBLE_WITHIN(1e-4 * (1 + fabs(info.force[k])), -info.force[k], sum[k]);
        }
        TEST_ASSERT_TRUE_MESSAGE(seen > 20, collider_solvers[which].name);
        TEST_ASSERT_DOUBLE_WITHIN(0.02 * pressed, 0.2 * pressed, friction);
    }
}

/* A cube on a cube: pairs of surfaces, named from either side. */
static void bear(piola_solver solver)
{
    const piola_world_desc d = describe(solver);
    world = fixture_world(&d);
    const piola_collider_desc c = piola_collider_desc_default();
    (void)collider_enter(world, &c);
    const piola_asset *asset = cube();
    const piola_body lower = fixture_body(world, asset, 0, 0, 0);
    const piola_body upper = fixture_body(world, asset, 0.03f, 0.202f, 0.02f);
    fixture_steps(world, NULL, 300);
    for (int i = 0; i < 10; ++i) {
        piola_contact_event events[16];
        double sums[2][3] = {{0}};
        uint32_t total = 0, pairs[2] = {0, 0};
        fixture_steps(world, NULL, 1);
        fixture_ok(piola_world_contact_events(world, 0, 16, events, &total), NULL);
        for (int side = 0; side < 2; ++side) {
            const uint32_t count = list(side ? upper : lower);
            for (uint32_t n = 0; n < count; ++n) {
                const piola_contact_point *p = &points[n];
                TEST_ASSERT_EQUAL_UINT32(side ? upper.index : lower.index, p->body.index);
                if (p->other.index == 0)
                    continue;
                ++pairs[side];
                TEST_ASSERT_FLOAT_WITHIN(0.02f, 0.2f, p->point[1]);
                if (!(p->gap < 1e-4f && p->gap > -d.contact_thickness))
                    printf("gap %g thick %g n %g %g %g f %g kind %u solver %d\n", (double)p->gap,
                           (double)d.contact_thickness, (double)p->normal[0], (double)p->normal[1],
                           (double)p->normal[2], (double)p->normal_force, p->vertex, (int)solver);
                /* Projections may have moved those apart again that they pushed. */
                TEST_ASSERT_TRUE(p->gap < d.contact_thickness && p->gap > -d.contact_thickness);
                add(p, sums[side]);
            }
        }
        TEST_ASSERT_TRUE(pairs[0] > 0);
        TEST_ASSERT_EQUAL_UINT32(pairs[0], pairs[1]);
        for (uint32_t e = 0; e < total; ++e)
            for (int k = 0; k < 3 && events[e].other.index == upper.index; ++k) {
                TEST_ASSERT_EQUAL_UINT32(events[e].touches, pairs[0]);
                TEST_ASSERT_DOUBLE_WITHIN(1e-3 * (1 + fabs(events[e].force[k])), events[e].force[k],
                                          sums[0][k]);
                TEST_ASSERT_DOUBLE_WITHIN(1e-3 * (1 + fabs(events[e].force[k])),
                                          -events[e].force[k], sums[1][k]);
            }
        TEST_ASSERT_TRUE(total >= 2);
    }
}

static void test_pairs_of_surfaces(void)
{
    bear(PIOLA_SOLVER_DESCENT);
    bear(PIOLA_SOLVER_ENERGY);
}

/* A rigid box on the floor, and a body on the box: the points carry what is above them. */
static void test_rigid_bodies(void)
{
    const piola_world_desc d = describe(PIOLA_SOLVER_DESCENT);
    world = fixture_world(&d);
    const piola_collider_desc c = piola_collider_desc_default();
    const piola_collider floor = collider_enter(world, &c);
    piola_rigid_desc r = piola_rigid_desc_default();
    piola_rigid box;
    r.shape = piola_shape_box((const float[3]){0.3f, 0.1f, 0.3f}, 0);
    r.position[1] = 0.1f;
    r.mass = 5;
    fixture_ok(piola_rigid_create(world, &r, &box, NULL), NULL);
    const piola_body body = fixture_body(world, cube(), -0.1f, 0.2f, -0.1f);
    double below = 0, above = 0;
    fixture_steps(world, NULL, 300);
    for (int i = 0; i < 50; ++i) {
        fixture_steps(world, NULL, 1);
        const uint32_t count = list(all);
        for (uint32_t n = 0; n < count; ++n) {
            const piola_contact_point *p = &points[n];
            TEST_ASSERT_EQUAL_MEMORY(&box, &p->rigid, sizeof box);
            TEST_ASSERT_FLOAT_WITHIN(1e-3f, 1, p->normal[1]);
            TEST_ASSERT_FLOAT_WITHIN(2e-3f, 0, p->gap);
            if (p->body.index > 0) {
                TEST_ASSERT_EQUAL_UINT32(0, p->collider.index);
                TEST_ASSERT_FLOAT_WITHIN(0.005f, 0.2f, p->point[1]);
                above += (double)p->normal_force / 50;
            } else {
                TEST_ASSERT_EQUAL_MEMORY(&floor, &p->collider, sizeof floor);
                TEST_ASSERT_EQUAL_UINT32(PIOLA_EVERY_VERTEX, p->vertex);
                TEST_ASSERT_FLOAT_WITHIN(0.005f, 0, p->point[1]);
                TEST_ASSERT_FLOAT_WITHIN(0.01f, 0.3f, fabsf(p->point[0]));
                below += (double)p->normal_force / 50;
            }
        }
        TEST_ASSERT_TRUE(count >= 5);
        /* Of a body its own points alone. */
        const uint32_t own = list(body);
        TEST_ASSERT_TRUE(own > 0 && own < count);
    }
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * 8 * 9.81, 8 * 9.81, above);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * 13 * 9.81, 13 * 9.81, below);
}

static void test_room_and_refusals(void)
{
    const piola_world_desc d = describe(PIOLA_SOLVER_DESCENT);
    world = fixture_world(&d);
    const piola_collider_desc c = piola_collider_desc_default();
    (void)collider_enter(world, &c);
    const piola_body body = fixture_body(world, cube(), 0, 0, 0);
    piola_contact_point some[3];
    uint64_t count = 77;
    TEST_ASSERT_EQUAL_UINT32(0, list(all));
    fixture_steps(world, NULL, 100);
    const uint32_t every = list(all);
    TEST_ASSERT_TRUE(every > 2);
    memset(some, 0x5a, sizeof some);
    fixture_ok(piola_world_contact_points(world, all, some, 2, &count), NULL);
    TEST_ASSERT_EQUAL_UINT64(every, count);
    TEST_ASSERT_EQUAL_MEMORY(points, some, 2 * sizeof *some);
    TEST_ASSERT_EACH_EQUAL_HEX8(0x5a, &some[2], sizeof *some);
    fixture_ok(piola_world_contact_points(world, body, NULL, 0, &count), NULL);
    TEST_ASSERT_EQUAL_UINT64(every, count);
    const piola_body gone = {body.index, body.generation + 1};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE,
                      piola_world_contact_points(world, gone, points, 1, &count));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_contact_points(world, all, NULL, 1, &count));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_contact_points(world, all, points, 1, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL, piola_world_contact_points(NULL, all, points, 1, &count));
    /* What is new was not there in the last step. */
    (void)fixture_body(world, cube(), 5, 5, 5);
    TEST_ASSERT_EQUAL_UINT32(0, list(all));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_vertices_at_a_collider);
    RUN_TEST(test_pairs_of_surfaces);
    RUN_TEST(test_rigid_bodies);
    RUN_TEST(test_room_and_refusals);
    return UNITY_END();
}
