/* Bodies against colliders: friction by Coulomb's law, forces in newton, nobody ends inside.
 *
 * covers: src/families/collide/
 */
#include "collider_fixture.h"
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

/* A plane through the origin that falls by `degrees` towards x, with a block resting on it. */
struct slope {
    piola_world *world;
    piola_collider plane;
    piola_body block;
    double down[3], mass;
};

static struct slope slope_of(const piola_world_desc *d, const piola_asset *asset, double degrees,
                             float kinetic, float more)
{
    const double angle = degrees * 3.14159265358979323846 / 180;
    struct slope s = {.world = fixture_world(d), .down = {cos(angle), -sin(angle), 0}};
    piola_collider_desc c = piola_collider_desc_default();
    piola_body_desc b = piola_body_desc_default();
    c.rotation[2] = b.rotation[2] = (float)sin(-angle / 2);
    c.rotation[3] = b.rotation[3] = (float)cos(angle / 2);
    c.friction_kinetic = kinetic;
    c.friction_static = kinetic + more;
    s.plane = collider_enter(s.world, &c);
    b.asset = asset;
    fixture_ok(piola_body_create(s.world, &b, &s.block, NULL), NULL);
    piola_body_info info;
    fixture_ok(piola_body_inspect(s.world, s.block, &info), NULL);
    s.mass = info.mass;
    return s;
}

static double way(const struct slope *s)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(s->world, s->block, &info), NULL);
    return info.centre[0] * s->down[0] + info.centre[1] * s->down[1];
}

static double speed(const struct slope *s)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(s->world, s->block, &info), NULL);
    return (info.momentum[0] * s->down[0] + info.momentum[1] * s->down[1]) / info.mass;
}

static const piola_asset *block(void)
{
    piola_material m = piola_material_default();
    m.young = 1e5f;
    m.poisson = 0.3f;
    m.damping = 0.01f;
    return fixture_beam_of(3, 2, 3, 0.1, &m, 0);
}

/* Holds a degree below the angle of friction, slides with the right acceleration a degree above. */
static void slips_or_holds(int which, uint32_t substeps, uint32_t iterations, float mu)
{
    piola_world_desc d = collider_world(collider_solvers[which].solver, substeps);
    d.iterations = iterations;
    const double degree = 3.14159265358979323846 / 180, limit = atan((double)mu);
    const piola_asset *asset = block();
    const int settle = substeps > 1 ? 120 : 150, steps = substeps > 1 ? 120 : 150;
    const double seconds = 0.005 * steps;
    double moved[2], gained[2];
    for (int k = 0; k < 2; ++k) {
        const struct slope s = slope_of(&d, asset, limit / degree + (k ? 1 : -1), mu, 0);
        fixture_steps(s.world, NULL, settle);
        const double from = way(&s), slow = speed(&s);
        fixture_steps(s.world, NULL, steps);
        moved[k] = way(&s) - from;
        gained[k] = (speed(&s) - slow) / seconds;
    }
    const double a = 9.81 * (sin(limit + degree) - (double)mu * cos(limit + degree));
    printf("%s, %u substeps x %u, friction %.1f: a degree below %.1e m in %.2f s, a degree above "
           "%.3f m and %.4f of %.4f m/s2\n",
           collider_solvers[which].name, substeps, iterations, (double)mu, moved[0], seconds,
           moved[1], gained[1], a);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3, 0, moved[0]);
    TEST_ASSERT_TRUE(moved[1] > 0.015);
    TEST_ASSERT_DOUBLE_WITHIN(0.02 * a, a, gained[1]);
}

static void test_a_block_on_a_slope(void)
{
    static const float mu[] = {0.1f, 0.5f, 1.0f};
    for (int which = 0; which < COLLIDER_SOLVERS; ++which)
        for (int k = 3 - fixture_count(3, 1); k < 3; ++k) {
            slips_or_holds(which, 1, 3, mu[k]);
            slips_or_holds(which, 1, 5, mu[k]);
            slips_or_holds(which, 20, 5, mu[k]);
        }
    slips_or_holds(0, 1, 20, 0.5f);
}

static void test_static_friction_holds_longer_than_kinetic(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
    struct slope s = slope_of(&d, block(), 0, 0.2f, 0.4f);
    fixture_steps(s.world, NULL, 100);
    for (int i = 0; i <= 200; ++i) { /* gravity leans over until tan is 0.404 */
        const double angle = i * 22.0 / 200 * 3.14159265358979323846 / 180;
        fixture_push(s.world, PIOLA_COMMAND_WORLD_GRAVITY, (piola_body){0, 0}, 0,
                     (float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0);
        fixture_steps(s.world, NULL, 1);
    }
    fixture_steps(s.world, NULL, 100);
    const double from = way(&s);
    fixture_steps(s.world, NULL, 100);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, 0, way(&s) - from);
    fixture_push(s.world, PIOLA_COMMAND_BODY_VELOCITY, s.block, 0, 1, 0, 0);
    fixture_steps(s.world, NULL, 40);
    const double v = speed(&s);
    fixture_steps(s.world, NULL, 60);
    const double angle = 22 * 3.14159265358979323846 / 180;
    const double a = 9.81 * (sin(angle) - 0.2 * cos(angle));
    printf("a block that has begun to slide gains %.4f of %.4f m/s2\n", (speed(&s) - v) / 0.3, a);
    TEST_ASSERT_DOUBLE_WITHIN(0.05 * a, a, (speed(&s) - v) / 0.3);
}

/* Deceleration by friction, and the floor's force once the block stands. */
static void test_sliding_and_weight(void)
{
    for (int which = 0; which < 3; ++which)
        for (uint32_t substeps = 1; substeps <= 20; substeps += 19) {
            const piola_world_desc d = collider_world(collider_solvers[which].solver, substeps);
            const struct slope s = slope_of(&d, block(), 0, 0.4f, 0);
            fixture_steps(s.world, NULL, 100);
            fixture_push(s.world, PIOLA_COMMAND_BODY_VELOCITY, s.block, 0, 3, 0, 0);
            fixture_steps(s.world, NULL, 40);
            const double v = speed(&s);
            fixture_steps(s.world, NULL, 40);
            const double a = (v - speed(&s)) / 0.2;
            fixture_steps(s.world, NULL, 300);
            double weight = 0;
            piola_collider_info info;
            for (int i = 0; i < 20; ++i) {
                fixture_steps(s.world, NULL, 1);
                fixture_ok(piola_collider_inspect(s.world, s.plane, &info), NULL);
                weight -= info.force[1] / 20;
            }
            printf("%s, %u substeps: deceleration %.4f of %.4f m/s2, weight %.3f of %.3f N\n",
                   collider_solvers[which].name, substeps, a, 0.4 * 9.81, weight, 9.81 * s.mass);
            TEST_ASSERT_DOUBLE_WITHIN(0.02 * 0.4 * 9.81, 0.4 * 9.81, a);
            TEST_ASSERT_DOUBLE_WITHIN(0.01 * 9.81 * s.mass, 9.81 * s.mass, weight);
        }
}

/* Distance of a vertex from the collider, straight from its description, in double. */
static double exact_distance(const piola_collider_desc *c, const float position[3],
                             const float rotation[4], const float *x)
{
    double d[3], q[4], p[3], u[3], norm = 0;
    for (int k = 0; k < 4; ++k)
        norm += (double)rotation[k] * (double)rotation[k];
    for (int k = 0; k < 4; ++k)
        q[k] = (k < 3 ? -1 : 1) * (double)rotation[k] / sqrt(norm);
    for (int k = 0; k < 3; ++k)
        d[k] = (double)x[k] - (double)position[k];
    for (int k = 0; k < 3; ++k) { /* rotates by the inverse: d + 2 w u + 2 q x u, u = q x d */
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        u[k] = q[i] * d[j] - q[j] * d[i];
    }
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        p[k] = d[k] + 2 * q[3] * u[k] + 2 * (q[i] * u[j] - q[j] * u[i]);
    }
    double out = 0, in = -(double)INFINITY;
    switch (c->shape.kind) {
    case PIOLA_SHAPE_PLANE:
        return p[1] - (double)c->margin;
    case PIOLA_SHAPE_SPHERE:
        return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) -
               (double)(c->shape.radius + c->margin);
    case PIOLA_SHAPE_CAPSULE:
        p[1] -= fmax(-(double)c->shape.size[1], fmin((double)c->shape.size[1], p[1]));
        return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) -
               (double)(c->shape.radius + c->margin);
    default:
        for (int k = 0; k < 3; ++k) {
            const double beyond = fabs(p[k]) - (double)c->shape.size[k] + (double)c->shape.radius;
            out += beyond > 0 ? beyond * beyond : 0;
            in = fmax(in, beyond);
        }
        return (in > 0 ? sqrt(out) : in) - (double)(c->shape.radius + c->margin);
    }
}

static double deepest(piola_world *world, piola_collider collider, const piola_collider_desc *c,
                      piola_body body)
{
    piola_body_info info;
    piola_collider_info at;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    fixture_ok(piola_collider_inspect(world, collider, &at), NULL);
    float *x = malloc(3 * sizeof *x * info.vertices);
    fixture_ok(piola_body_positions(world, body, 0, info.vertices, x), NULL);
    double worst = (double)INFINITY;
    for (uint32_t i = 0; i < info.vertices; ++i)
        worst = fmin(worst, exact_distance(c, at.position, at.rotation, x + 3 * (size_t)i));
    free(x);
    TEST_ASSERT_FALSE(info.frozen);
    return -worst;
}

/* Any shape, moving and turning any way, hits a body that flies any way: nobody ends inside. */
static void test_nobody_ends_inside(void)
{
    uint64_t random = fixture_seed();
    const piola_asset *asset = fixture_beam_of(3, 2, 2, 0.08, NULL, 0);
    double worst = 0;
    int touched = 0;
    const int rounds = fixture_count(48, 12);
    for (int round = 0; round < rounds; ++round) {
        piola_world_desc d =
            collider_world(collider_solvers[round % 3].solver, 1 + (uint32_t)round / 3 % 2 * 2);
        d.iterations = 1 + (uint32_t)(fixture_uniform(&random) * 5);
        piola_world *world = fixture_world(&d);
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = (piola_shape_kind)(round / 6 % (PIOLA_SHAPE_BOX + 1));
        c.shape.radius = 0.02f + 0.2f * (float)fixture_uniform(&random);
        c.margin = round % 2 ? 0.01f : 0;
        c.restitution = round % 5 == 0 ? 0.5f : 0;
        double norm = 0;
        for (int k = 0; k < 4; ++k) {
            c.rotation[k] = (float)(2 * fixture_uniform(&random) - 1);
            norm += (double)c.rotation[k] * (double)c.rotation[k];
        }
        for (int k = 0; k < 4; ++k)
            c.rotation[k] /= (float)sqrt(norm);
        for (int k = 0; k < 3; ++k) {
            c.shape.size[k] = c.shape.radius + 0.3f * (float)fixture_uniform(&random);
            c.velocity[k] = (float)(4 * fixture_uniform(&random) - 2);
            c.angular_velocity[k] = (float)(10 * fixture_uniform(&random) - 5);
        }
        if (c.shape.kind == PIOLA_SHAPE_BOX)
            c.shape.radius *= 0.5f * (float)fixture_uniform(&random);
        piola_collider collider = collider_enter(world, &c);
        piola_body_desc b = piola_body_desc_default();
        b.asset = asset;
        /* In front of the plane, and out of the reach of all others. */
        const float *q = c.rotation;
        const float up[3] = {2 * (q[0] * q[1] - q[2] * q[3]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]),
                             2 * (q[1] * q[2] + q[0] * q[3])};
        const float speed = round % 4 == 0 ? 100.0f : 10.0f;
        for (int k = 0; k < 3; ++k) {
            b.position[k] = 1.4f * up[k] + 0.1f * (float)fixture_uniform(&random);
            b.velocity[k] = -speed * up[k];
        }
        piola_body body;
        fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
        for (int i = 0; i < 80; ++i) {
            fixture_steps(world, NULL, 1);
            piola_collider_info info;
            fixture_ok(piola_collider_inspect(world, collider, &info), NULL);
            touched += info.touches > 0;
            const double depth = deepest(world, collider, &c, body);
            if (depth > 1e-4)
                printf("round %d, step %d, shape %d: %.2e m inside\n", round, i, (int)c.shape.kind,
                       depth);
            worst = fmax(worst, depth);
        }
    }
    printf("deepest %.2e m inside, %d of %d steps in touch\n", worst, touched, rounds * 80);
    TEST_ASSERT_TRUE(touched > rounds * 2);
    TEST_ASSERT_TRUE(worst < 1e-4);
}

/* A millimetre of steel plate, and a body that crosses it fifty times over in one step. */
static void test_a_bullet_stays_in_front_of_a_plate(void)
{
    for (int which = 0; which < 3; ++which) {
        const piola_world_desc d = collider_world(collider_solvers[which].solver, 1);
        piola_world *world = fixture_world(&d);
        piola_collider_desc c = piola_collider_desc_default();
        c.shape.kind = PIOLA_SHAPE_BOX;
        c.shape.size[0] = c.shape.size[2] = 2;
        c.shape.size[1] = 0.0005f;
        const piola_collider plate = collider_enter(world, &c);
        piola_body_desc b = piola_body_desc_default();
        b.asset = fixture_beam_of(1, 1, 1, 0.01, NULL, 0);
        b.position[1] = 0.5f;
        b.velocity[1] = -1000;
        piola_body body;
        fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
        for (int i = 0; i < 100; ++i) {
            piola_body_info info;
            fixture_steps(world, NULL, 1);
            fixture_ok(piola_body_inspect(world, body, &info), NULL);
            TEST_ASSERT_TRUE(info.centre[1] > 0);
            TEST_ASSERT_TRUE(deepest(world, plate, &c, body) < 1e-5);
        }
    }
}

/* Each vertex leaves with its share of the speed it came with; so soft a body is as good as loose.
 */
static void test_restitution(void)
{
    for (int which = 0; which < 3; which += 2)
        for (int k = 0; k < 3; ++k) {
            const float e = 0.4f * (float)k;
            const piola_world_desc d = collider_world(collider_solvers[which].solver, 10);
            piola_material m = piola_material_default();
            m.young = 1;
            piola_world *world = fixture_world(&d);
            piola_collider_desc c = piola_collider_desc_default();
            c.restitution = e;
            (void)collider_enter(world, &c);
            piola_body_desc b = piola_body_desc_default();
            b.asset = fixture_beam_of(1, 1, 1, 0.02, &m, 0);
            b.position[1] = 0.1f;
            piola_body body;
            fixture_ok(piola_body_create(world, &b, &body, NULL), NULL);
            float up = 0, down = 0;
            for (int i = 0; i < 32; ++i) {
                float v[3];
                fixture_steps(world, NULL, 1);
                fixture_ok(piola_body_velocities(world, body, 0, 1, v), NULL);
                down = fminf(down, v[1]);
                up = fmaxf(up, v[1]);
            }
            printf("%s, restitution %.2f: %.3f m/s down, %.3f m/s up\n",
                   collider_solvers[which].name, (double)e, (double)down, (double)up);
            TEST_ASSERT_FLOAT_WITHIN(0.05f, e, -up / down);
        }
}

/* m/s, at which a block leaves a floor that it came to with 3 m/s, on which it rests flat. */
static double speed_after(piola_solver solver, piola_integrator integrator, float e, float young,
                          uint32_t cluster)
{
    piola_world_desc d = collider_world(solver, 1);
    d.integrator = integrator;
    d.iterations = 20;
    d.gravity[1] = 0;
    piola_world *world = fixture_world(&d);
    piola_material m = piola_material_default();
    m.young = young;
    piola_collider_desc c = piola_collider_desc_default();
    c.restitution = e;
    c.friction_static = c.friction_kinetic = 0;
    (void)collider_enter(world, &c);
    const piola_body body =
        fixture_body(world, fixture_beam_of(3, 3, 3, 0.05, &m, cluster), 0, 0.0301f, 0);
    fixture_push(world, PIOLA_COMMAND_BODY_VELOCITY, body, 0, 0, -3, 0);
    fixture_steps(world, NULL, 100);
    piola_body_info info;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    fixture_clean();
    return info.momentum[1] / info.mass;
}

/* BDF2 goes on from two substeps: over an impact it must not, or the block leaves with 0.87 of its
 * speed without restitution, and with 1.28 of it with 0.8. */
static void test_impacts_with_bdf2(void)
{
    for (int which = 0; which < 3; ++which)
        for (int k = 0; k < 6; ++k) {
            const piola_solver solver = collider_solvers[which].solver;
            const float e = 0.4f * (float)(k % 3), young = k < 3 ? 1e4f : 1e8f;
            const double first = speed_after(solver, PIOLA_INTEGRATOR_EULER, e, young, 0);
            const double second = speed_after(solver, PIOLA_INTEGRATOR_BDF2, e, young, 0);
            const double large = speed_after(solver, PIOLA_INTEGRATOR_BDF2, e, young, 64);
            printf("%s, %.0e Pa, restitution %.1f: away with %.3f m/s, with BDF2 %.3f\n",
                   collider_solvers[which].name, (double)young, (double)e, first, second);
            TEST_ASSERT_DOUBLE_WITHIN(0.15, first, second);
            TEST_ASSERT_DOUBLE_WITHIN(0.15, first, large);
            /* A stiff block leaves with e times its speed, a soft one swings as well. */
            TEST_ASSERT_TRUE(second > 0 && second < 3 * fmax(0.45 + 0.4 * (double)e, (double)e));
        }
}

/* Bounces get lower, and end: a stiff block that tumbles onto a floor with few iterations. After
 * 3 s what is left, of trembling with BDF2 and long steps, would throw it 5 mm high at most. */
static void test_bounces_end(void)
{
    for (int which = 0; which < 3; ++which)
        for (int k = 0; k < 4; ++k) {
            piola_world_desc d = collider_world(collider_solvers[which].solver, 1);
            d.dt = k % 2 ? 0.005f : 0.02f;
            d.iterations = 6;
            d.integrator = k < 2 ? PIOLA_INTEGRATOR_EULER : PIOLA_INTEGRATOR_BDF2;
            piola_world *world = fixture_world(&d);
            piola_material m = piola_material_default();
            m.young = 2e5f;
            piola_collider_desc c = piola_collider_desc_default();
            c.restitution = 0.5f;
            (void)collider_enter(world, &c);
            const piola_body body =
                fixture_body(world, fixture_beam_of(3, 1, 2, 0.06, &m, 0), 0, 0.5f, 0);
            for (uint32_t v = 0; v < 3; ++v) /* it turns */
                fixture_push(world, PIOLA_COMMAND_BODY_IMPULSE, body, v, 0.03f, 0, 0.03f);
            piola_body_info info;
            double highest = 0;
            for (int i = 0; i < 4 / (double)d.dt; ++i) {
                fixture_steps(world, NULL, 1);
                fixture_ok(piola_body_inspect(world, body, &info), NULL);
                TEST_ASSERT_FALSE(info.frozen);
                TEST_ASSERT_TRUE(info.centre[1] < 0.56);
                highest = i > 3 / (double)d.dt ? fmax(highest, info.kinetic_energy) : 0;
            }
            printf("%s, dt %.3f s, %s: kinetic energy %.1e of m g h after 3 s\n",
                   collider_solvers[which].name, (double)d.dt, k < 2 ? "Euler" : "BDF2",
                   highest / (9.81 * 0.5 * info.mass));
            TEST_ASSERT_TRUE(highest < 0.005 * 9.81 * info.mass);
            fixture_clean();
        }
}

/* A platform that is carried about carries what stands on it. */
static void test_a_moving_platform_carries_its_load(void)
{
    const piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 2);
    piola_world *world = fixture_world(&d);
    piola_collider_desc c = piola_collider_desc_default();
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[2] = 1;
    c.shape.size[1] = 0.1f;
    c.position[1] = -0.1f;
    c.friction_static = c.friction_kinetic = 1;
    const piola_collider platform = collider_enter(world, &c);
    const piola_body body = fixture_body(world, block(), -0.15f, 0, -0.15f);
    fixture_steps(world, NULL, 100);
    for (int i = 1; i <= 200; ++i) {
        const double t = i / 200.0, s = t * t * (3 - 2 * t), half = 0.5 * s;
        const float place[3] = {(float)s, -0.1f + 0.2f * (float)s, 0};
        const float turned[4] = {0, (float)sin(half), 0, (float)cos(half)};
        fixture_ok(piola_collider_move(world, platform, place), NULL);
        fixture_ok(piola_collider_turn(world, platform, turned), NULL);
        fixture_steps(world, NULL, 1);
    }
    fixture_steps(world, NULL, 100);
    piola_body_info info;
    piola_collider_info at;
    fixture_ok(piola_body_inspect(world, body, &info), NULL);
    fixture_ok(piola_collider_inspect(world, platform, &at), NULL);
    float p[3];
    fixture_ok(piola_body_positions(world, body, 0, 1, p), NULL);
    printf("carried to %.4f %.4f %.4f, first vertex at %.4f %.4f\n", info.centre[0], info.centre[1],
           info.centre[2], (double)p[0], (double)p[2]);
    TEST_ASSERT_FLOAT_WITHIN(1e-6f, 1, at.position[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.005, 1, info.centre[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.005, 0, info.centre[2]);
    /* The vertex that stood at (-0.15, -0.15) turned by one radian about y. */
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 1 - 0.15 * cos(1.0) - 0.15 * sin(1.0), (double)p[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01, 0.15 * sin(1.0) - 0.15 * cos(1.0), (double)p[2]);
}

/* Two planes at once: a block in a corner stays in it. */
static void test_a_corner(void)
{
    for (int which = 0; which < 3; ++which) {
        piola_world_desc d = collider_world(collider_solvers[which].solver, 1);
        d.gravity[0] = -5;
        piola_world *world = fixture_world(&d);
        piola_collider_desc c = piola_collider_desc_default();
        c.friction_kinetic = c.friction_static = 0;
        const piola_collider floor = collider_enter(world, &c);
        c.rotation[2] = -0.70710678f;
        c.rotation[3] = 0.70710678f;
        const piola_collider wall = collider_enter(world, &c);
        const piola_body body = fixture_body(world, block(), 0.05f, 0.05f, 0);
        fixture_steps(world, NULL, 400);
        piola_collider_info under, beside;
        piola_body_info info;
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        fixture_ok(piola_collider_inspect(world, floor, &under), NULL);
        fixture_ok(piola_collider_inspect(world, wall, &beside), NULL);
        TEST_ASSERT_DOUBLE_WITHIN(0.02 * 9.81 * info.mass, -9.81 * info.mass, under.force[1]);
        TEST_ASSERT_DOUBLE_WITHIN(0.02 * 5 * info.mass, -5 * info.mass, beside.force[0]);
    }
}

/* Large bodies go another way through the step; the physics is the same. */
static void test_a_large_body_rests_like_a_small_one(void)
{
    double height[2], weight[2], mass = 1;
    for (int k = 0; k < 2; ++k) {
        piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, 1);
        d.iterations = 20;
        piola_world *world = fixture_world(&d);
        const piola_collider_desc c = piola_collider_desc_default();
        const piola_collider floor = collider_enter(world, &c);
        const piola_body body =
            fixture_body(world, fixture_beam_of(6, 3, 3, 0.1, NULL, k ? 64 : 0), 0, 0.01f, 0);
        fixture_steps(world, NULL, 400);
        piola_body_info info;
        piola_collider_info at;
        fixture_ok(piola_body_inspect(world, body, &info), NULL);
        fixture_ok(piola_collider_inspect(world, floor, &at), NULL);
        height[k] = info.centre[1];
        weight[k] = -at.force[1];
        mass = info.mass;
    }
    TEST_ASSERT_DOUBLE_WITHIN(1e-4, height[0], height[1]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * 9.81 * mass, 9.81 * mass, weight[0]);
    TEST_ASSERT_DOUBLE_WITHIN(0.01 * 9.81 * mass, 9.81 * mass, weight[1]);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_block_on_a_slope);
    RUN_TEST(test_static_friction_holds_longer_than_kinetic);
    RUN_TEST(test_sliding_and_weight);
    RUN_TEST(test_nobody_ends_inside);
    RUN_TEST(test_a_bullet_stays_in_front_of_a_plate);
    RUN_TEST(test_restitution);
    RUN_TEST(test_impacts_with_bdf2);
    RUN_TEST(test_bounces_end);
    RUN_TEST(test_a_moving_platform_carries_its_load);
    RUN_TEST(test_a_corner);
    RUN_TEST(test_a_large_body_rests_like_a_small_one);
    return UNITY_END();
}
