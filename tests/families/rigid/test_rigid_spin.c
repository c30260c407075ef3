/* How rigid bodies turn: freely, however slim and fast; and that nothing that only stops them ever
 * gives them energy.
 *
 * covers: src/families/rigid/rigid_spin.c
 */
#include "solid_fixture.h"
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

/* Angular momentum in the world, spin, energies of turning and of all. */
struct motion {
    double momentum[3], spin, turning, energy;
};

static double size_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static struct motion motion_of(piola_world *world, struct solid c, double mass,
                               const double inertia[3], double gravity)
{
    piola_collider_info info;
    struct motion m = {{0, 0, 0}, 0, 0, 0};
    fixture_ok(solid_inspect(world, c, &info), NULL);
    const double x = (double)info.rotation[0], y = (double)info.rotation[1],
                 z = (double)info.rotation[2], w = (double)info.rotation[3];
    const double r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; ++k) {
        double own = 0;
        for (int j = 0; j < 3; ++j)
            own += r[j][k] * (double)info.angular_velocity[j];
        for (int j = 0; j < 3; ++j)
            m.momentum[j] += r[j][k] * inertia[k] * own;
        m.turning += 0.5 * inertia[k] * own * own;
        m.energy += 0.5 * mass * (double)info.velocity[k] * (double)info.velocity[k];
        m.spin += (double)info.angular_velocity[k] * (double)info.angular_velocity[k];
    }
    m.spin = sqrt(m.spin);
    m.energy += m.turning + mass * gravity * (double)info.position[1];
    return m;
}

static piola_world *world_of(float gravity, uint32_t substeps)
{
    piola_world_desc d = collider_world(PIOLA_SOLVER_DESCENT, substeps);
    d.gravity[1] = -gravity;
    return fixture_world(&d);
}

static struct solid_desc shape_of(piola_shape_kind shape, float length, float radius)
{
    struct solid_desc c = solid_desc_default();
    c.shape.kind = shape;
    c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = length;
    c.shape.radius = radius;
    c.mass = 1;
    return c;
}

static void capsule_inertia(double h, double r, double out[3])
{
    const double ball = 4.0 / 3 * r, b = ball / (ball + 2 * h), rod = 1 - b;
    out[1] = 0.4 * b * r * r + 0.5 * rod * r * r;
    out[0] = out[2] = b * (0.4 * r * r + h * h + 0.75 * h * r) + rod * (h * h / 3 + r * r / 4);
}

/* The spin about a rod's own axis is its momentum there over almost nothing: it must not be found
 * from how the rod lies by a rule that does not settle. */
static void test_slim_rods_fly(void)
{
    static const float radii[] = {0.05f, 0.02f, 0.005f, 0.002f, 1e-4f, 3e-5f};
    for (size_t k = 0; k < 2 * sizeof radii / sizeof *radii; ++k) {
        piola_world *world = world_of(0, k % 2 ? 4 : 1);
        struct solid_desc c = shape_of(PIOLA_SHAPE_CAPSULE, 0.2f, radii[k / 2]);
        double inertia[3], spins[2] = {0, 0}, worst[2] = {0, 0};
        c.angular_velocity[0] = 10;
        c.angular_velocity[2] = 30;
        c.rotation[2] = 0.29552021f;
        c.rotation[3] = 0.95533649f;
        capsule_inertia(0.2, (double)c.shape.radius, inertia);
        const struct solid rod = solid_enter(world, &c);
        const struct motion first = motion_of(world, rod, 1, inertia, 0);
        for (int i = 0; i < 2000; ++i) {
            fixture_steps(world, NULL, 1);
            const struct motion now = motion_of(world, rod, 1, inertia, 0);
            const double off[3] = {now.momentum[0] - first.momentum[0],
                                   now.momentum[1] - first.momentum[1],
                                   now.momentum[2] - first.momentum[2]};
            spins[1] = fmax(spins[1], now.spin);
            worst[0] = fmax(worst[0], size_of(off) / size_of(first.momentum));
            worst[1] = fmax(worst[1], fabs(now.turning / first.turning - 1));
        }
        spins[0] = first.spin;
        printf("rod of radius %g m, %u substeps: spin %.3f, at most %.3f rad/s; angular momentum "
               "to %.1e, energy to %.1e\n",
               (double)c.shape.radius, k % 2 ? 4u : 1u, spins[0], spins[1], worst[0], worst[1]);
        TEST_ASSERT_TRUE(spins[1] < 1.0001 * spins[0]);
        TEST_ASSERT_TRUE(worst[0] < 1e-5);
        TEST_ASSERT_TRUE(worst[1] < 1e-5);
    }
}

/* Any inertia that a mass can have, any spin: its momentum stays, and its energy. */
static void test_any_inertia_tumbles(void)
{
    uint64_t random = fixture_seed();
    double worst[2] = {0, 0};
    const int rounds = fixture_count(60, 12);
    for (int round = 0; round < rounds; ++round) {
        piola_world *world = world_of(0, 1);
        struct solid_desc c = shape_of(PIOLA_SHAPE_SPHERE, 0, 0.1f);
        double half[3], inertia[3];
        const double spin = pow(10, 5 * fixture_uniform(&random));
        for (int k = 0; k < 3; ++k) {
            half[k] = pow(10, -3 * fixture_uniform(&random));
            c.angular_velocity[k] = (float)(spin * (2 * fixture_uniform(&random) - 1));
        }
        for (int k = 0; k < 3; ++k) {
            const double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
            c.inertia[k] = (float)(a * a + b * b);
            inertia[k] = (double)c.inertia[k];
        }
        const struct solid body = solid_enter(world, &c);
        const struct motion first = motion_of(world, body, 1, inertia, 0);
        for (int i = 0; i < 300; ++i) {
            fixture_steps(world, NULL, 1);
            const struct motion now = motion_of(world, body, 1, inertia, 0);
            const double off[3] = {now.momentum[0] - first.momentum[0],
                                   now.momentum[1] - first.momentum[1],
                                   now.momentum[2] - first.momentum[2]};
            const double turned = size_of(off) / size_of(first.momentum);
            const double gained = fabs(now.turning / first.turning - 1);
            if (gained > 2e-3)
                printf("round %d, step %d: inertia %g %g %g, spin %g: energy off by %.1e\n", round,
                       i, inertia[0], inertia[1], inertia[2], first.spin, gained);
            worst[0] = fmax(worst[0], turned);
            worst[1] = fmax(worst[1], gained);
            TEST_ASSERT_TRUE(gained < 1e-2);
        }
        fixture_clean();
    }
    printf("%d inertias, up to 1e5 rad/s: angular momentum to %.1e, energy to %.1e\n", rounds,
           worst[0], worst[1]);
    TEST_ASSERT_TRUE(worst[0] < 1e-3);
}

struct thrown {
    piola_shape_kind shape;
    float length, radius, flat, spin, speed;
    uint32_t substeps;
};

static struct solid_desc thrown_of(const struct thrown *t, float share, double tilt)
{
    struct solid_desc c = shape_of(t->shape, t->length, t->radius);
    c.shape.size[1] *= t->flat;
    c.angular_velocity[2] = t->spin;
    c.angular_velocity[0] = 0.3f * t->spin * share;
    c.velocity[1] = -t->speed;
    c.position[1] = t->length * (2 + 0.1f * share);
    c.rotation[2] = (float)sin(tilt);
    c.rotation[3] = (float)cos(tilt);
    return c;
}

static void inertia_of(const struct solid_desc *c, double out[3])
{
    for (int j = 0; j < 3; ++j) {
        const double a = (double)c->shape.size[(j + 1) % 3], b = (double)c->shape.size[(j + 2) % 3];
        out[j] = c->shape.kind == PIOLA_SHAPE_BOX
                     ? (a * a + b * b) / 3
                     : 0.4 * (double)c->shape.radius * (double)c->shape.radius;
    }
    if (c->shape.kind == PIOLA_SHAPE_CAPSULE)
        capsule_inertia((double)c->shape.size[1], (double)c->shape.radius, out);
}

/* Shares of the energy that it had: the most, the least, and what of the most the fall's steps do
 * not explain. */
static void bounce_around(const struct solid_desc *c, uint32_t substeps, bool falls,
                          double range[3])
{
    const double gravity = falls ? 9.81 : 0, dt = 0.005 / (double)substeps;
    piola_world *world = world_of((float)gravity, substeps);
    const struct solid_desc plane = solid_desc_default();
    double inertia[3];
    (void)solid_enter(world, &plane);
    const struct solid body = solid_enter(world, c);
    inertia_of(c, inertia);
    const double first = motion_of(world, body, 1, inertia, gravity).energy;
    /* Places and velocities of a fall in steps are half a step of gravity apart. */
    const double apart = 1.5 * gravity * dt * sqrt(2 * first);
    for (int i = 0; i < 200; ++i) {
        fixture_steps(world, NULL, 1);
        const double now = motion_of(world, body, 1, inertia, gravity).energy;
        range[0] = fmax(range[0], now / first);
        range[1] = fmin(range[1], now / first);
        range[2] = fmax(range[2], (now - apart) / first);
    }
    fixture_clean();
}

/* What the floor takes from a body it never gives back, with whatever restitution and friction. */
static void test_a_floor_gives_no_energy(void)
{
    static const struct thrown cases[] = {
        {PIOLA_SHAPE_CAPSULE, 0.2f, 0.002f, 1, 5, 2, 1},
        {PIOLA_SHAPE_CAPSULE, 0.2f, 0.002f, 1, 30, 2, 4},
        {PIOLA_SHAPE_CAPSULE, 0.2f, 0.005f, 1, 100, 10, 1},
        {PIOLA_SHAPE_CAPSULE, 0.2f, 3e-5f, 1, 30, 2, 1},
        {PIOLA_SHAPE_CAPSULE, 10, 0.1f, 1, 100, 100, 1},
        {PIOLA_SHAPE_CAPSULE, 0.2f, 0.05f, 1, 50, 2, 1},
        {PIOLA_SHAPE_BOX, 0.2f, 0, 0.1f, 5, 2, 1},
        {PIOLA_SHAPE_BOX, 0.2f, 0, 0.1f, 50, 2, 1},
        {PIOLA_SHAPE_BOX, 1, 0, 0.1f, 100, 10, 4},
        {PIOLA_SHAPE_BOX, 0.2f, 0, 1, 50, 2, 1},
        {PIOLA_SHAPE_SPHERE, 0.2f, 0.1f, 1, 50, 2, 1},
    };
    const int turns = fixture_count(12, 4);
    for (size_t k = 0; k < sizeof cases / sizeof *cases * 12; ++k) {
        const struct thrown *t = &cases[k / 12];
        const float restitution = 0.5f * (float)(k % 3), friction = k / 3 % 2 ? 0.5f : 0;
        const bool falls = k / 6 % 2 == 1;
        double range[3] = {0, 1, 0};
        for (int o = 0; o < turns; ++o) {
            struct solid_desc c = thrown_of(t, (float)o / (float)turns, 0.25 * o);
            c.restitution = restitution;
            c.friction_static = c.friction_kinetic = friction;
            bounce_around(&c, t->substeps, falls, range);
        }
        printf("shape %d of %g m, restitution %.1f, friction %.1f, gravity %d: energy at most %.6f "
               "of what it had, at least %.3f\n",
               (int)t->shape, (double)t->length, (double)restitution, (double)friction, falls,
               range[0], range[1]);
        TEST_ASSERT_TRUE(range[2] < 1.001);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_slim_rods_fly);
    RUN_TEST(test_any_inertia_tumbles);
    RUN_TEST(test_a_floor_gives_no_energy);
    return UNITY_END();
}
