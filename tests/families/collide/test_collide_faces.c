/* Balls smaller than a triangle, rails between vertices: what faces and edges feel and exert.
 * covers: src/families/collide/collide_faces.c src/families/collide/collide_faces_near.c
 *         src/families/collide/collide_faces_state.c
 */
#include "collider_fixture.h"
#include "contact_fixture.h"
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

/* A block whose bottom is held, and a ball above it. */
struct press {
    piola_world *world;
    piola_body block;
    piola_collider ball;
    double middle[3], radius; /* of its top, m */
};

struct pressed {
    double cell, young, radius, friction;
    int across, high;
    uint32_t room;
};

static struct press press_of(const struct pressed *how, piola_solver solver)
{
    piola_world_desc d = collider_world(solver, 1);
    struct press p = {.radius = how->radius};
    piola_material m = piola_material_default();
    piola_collider_desc c = piola_collider_desc_default();
    const int n = how->across + 1;
    const uint32_t vertices = (uint32_t)(n * n * (how->high + 1));
    float *x = fixture_memory(3 * (size_t)vertices * sizeof *x);
    d.max_particles = 400000;
    d.max_packs = 65536;
    d.max_commands = 65536;
    d.max_face_contacts = how->room;
    memset(d.gravity, 0, sizeof d.gravity);
    m.young = (float)how->young;
    m.poisson = 0.3f;
    m.damping = 0.01f;
    p.world = fixture_world(&d);
    p.block = fixture_body(
        p.world, fixture_beam_of(how->across, how->high, how->across, how->cell, &m, 0), 0, 0, 0);
    fixture_ok(piola_body_positions(p.world, p.block, 0, vertices, x), NULL);
    for (int k = 0; k < 3; ++k)
        p.middle[k] = (k == 1 ? how->high : 0.5 * how->across) * how->cell;
    for (uint32_t i = 0; i < vertices; ++i)
        if (x[3 * i + 1] < 1e-4f)
            fixture_push(p.world, PIOLA_COMMAND_BODY_PIN, p.block, i, x[3 * i], x[3 * i + 1],
                         x[3 * i + 2]);
    c.shape = piola_shape_sphere((float)how->radius);
    c.friction_static = c.friction_kinetic = (float)how->friction;
    c.position[1] = (float)(p.middle[1] + 2 * how->radius);
    p.ball = collider_enter(p.world, &c);
    return p;
}

/* The force (N) upwards, and along x, on the ball, a step after it was told to go there. */
static double send(const struct press *p, const double off[2], double depth, double *drag)
{
    const float at[3] = {(float)(p->middle[0] + off[0]), (float)(p->middle[1] + p->radius - depth),
                         (float)(p->middle[2] + off[1])};
    piola_collider_info info;
    fixture_ok(piola_collider_move(p->world, p->ball, at), NULL);
    fixture_steps(p->world, NULL, 1);
    fixture_ok(piola_collider_inspect(p->world, p->ball, &info), NULL);
    if (drag)
        *drag = (double)info.force[0];
    return (double)info.force[1];
}

/* What the vertices and the contact points say of the same force. */
static void check_readings(const struct press *p, int vertices, double force)
{
    float *f = fixture_memory(3 * (size_t)vertices * sizeof *f);
    piola_contact_point points[64];
    uint64_t count;
    double sum = 0, listed = 0;
    fixture_ok(piola_body_contact_forces(p->world, p->block, 0, (uint32_t)vertices, f), NULL);
    fixture_ok(piola_world_contact_points(p->world, p->block, points, 64, &count), NULL);
    for (int i = 0; i < vertices; ++i)
        sum -= (double)f[3 * i + 1];
    for (uint64_t i = 0; i < count && i < 64; ++i)
        listed -=
            (double)(points[i].normal_force * points[i].normal[1] + points[i].tangent_force[1]);
    TEST_ASSERT_TRUE(count > 0 && count <= 64);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * force, force, sum);
    TEST_ASSERT_DOUBLE_WITHIN(1e-3 * force, force, listed);
}

/* Balls of 3 to 20 mm, anywhere on triangles of 16 mm: from the first micrometre the force rises,
 * and where it settles it is as much as the modulus says. */
static void test_a_small_ball_is_felt(void)
{
    static const double radii[] = {0.003, 0.006, 0.012, 0.02}, moduli[] = {1e4, 1e5, 1e6, 1e7};
    uint64_t seed = fixture_seed();
    for (int r = 0; r < 4; ++r) {
        const double off[2] = {0.016 * fixture_uniform(&seed), 0.016 * fixture_uniform(&seed)};
        double first = 0;
        for (int e = 0; e < 4; ++e) {
            const struct pressed how = {0.016, moduli[e], radii[r], 0.5, 6, 4, 4096};
            const struct press p = press_of(&how, PIOLA_SOLVER_DESCENT);
            double last = 0;
            for (int i = 1; i <= 12; ++i) {
                const double depth = i == 1 ? 1e-6 : 2.5e-4 * (i - 1);
                double force = 0;
                for (int k = 0; k < 12; ++k)
                    force = send(&p, off, depth, NULL);
                if (!(force > last))
                    printf("radius %g, %g Pa, depth %g: %g after %g N\n", radii[r], moduli[e],
                           depth, force, last);
                TEST_ASSERT_TRUE(force > last);
                last = force;
            }
            for (int k = 0; k < 200; ++k)
                last = send(&p, off, 2.75e-3, NULL);
            check_readings(&p, 7 * 7 * 5, last);
            first = e == 0 ? last / moduli[e] : first;
            printf("radius %g at %.4f %.4f, %g Pa: %g N\n", radii[r], off[0], off[1], moduli[e],
                   last);
            /* Of a stiff block the force takes the longest to settle. */
            TEST_ASSERT_DOUBLE_WITHIN(0.08 * first, first, last / moduli[e]);
            fixture_clean();
        }
    }
}

/* What a layer of a Poisson's ratio of 0.3 that is held from below bears, over what a half-space
 * does (Dimitriadis and others, Biophys. J. 82, 2002): Hertz's theory knows no floor. */
static double layer(double radius, double depth, double high)
{
    const double nu = 0.3, pi = 3.14159265358979323846, x = sqrt(radius * depth) / high;
    const double alpha = -(1.2876 - 1.4678 * nu + 1.3442 * nu * nu) / (1 - nu);
    return 1 - 2 * alpha / pi * x + 4 * alpha * alpha / (pi * pi) * x * x;
}

/* Where theory holds: contact much wider than a triangle and much narrower than the block. */
static void test_a_ball_on_a_fine_block(void)
{
    if (!getenv("PIOLA_PROOFS"))
        return;
    const struct pressed how = {0.0015, 1e5, 0.02, 0, 44, 33, 4096};
    const struct press p = press_of(&how, PIOLA_SOLVER_DESCENT);
    const double off[2] = {0.0005, 0.0003};
    for (int i = 1; i <= 4; ++i) {
        const double depth = 2e-4 * i;
        const double hertz = 4.0 / 3 * 1e5 / (1 - 0.09) * sqrt(0.02) * pow(depth, 1.5) *
                             layer(0.02, depth, how.high * how.cell);
        double force = 0;
        for (int k = 0; k < 60; ++k)
            force = send(&p, off, depth, NULL);
        printf("depth %g: %g N, Hertz on a layer %g N\n", depth, force, hertz);
        fflush(stdout);
        if (i > 2)
            TEST_ASSERT_DOUBLE_WITHIN(0.1 * hertz, hertz, force);
    }
}

/* A ball drawn over triangles of 16 mm: friction is what it should be, and the force never lets go.
 */
static void test_a_ball_is_drawn_over_triangles(void)
{
    const struct pressed how = {0.016, 1e5, 0.006, 0.3, 8, 3, 4096};
    const struct press p = press_of(&how, PIOLA_SOLVER_DESCENT);
    double low = 1e9, high = 0, mean = 0, drags = 0, drag;
    double off[2] = {-0.03, 0.004};
    for (int i = 0; i < 50; ++i)
        (void)send(&p, off, 6e-5 * i, NULL);
    for (int i = 0; i < 280; ++i) {
        off[0] += 2e-4;
        const double force = send(&p, off, 3e-3, &drag);
        if (i < 40)
            continue;
        low = fmin(low, force);
        high = fmax(high, force);
        mean += force / 240;
        drags -= drag / 240;
    }
    printf("drawn over: %.2f to %.2f N, mean %.2f N, drag over press %.4f\n", low, high, mean,
           drags / mean);
    TEST_ASSERT_DOUBLE_WITHIN(0.04 * 0.3, 0.3, drags / mean);
    TEST_ASSERT_TRUE(low > 0.6 * mean && high < 1.35 * mean);
}

/* Without room the force is not felt, but that is told, and nothing passes. */
static void test_no_room(void)
{
    for (uint32_t room = 0; room < 2; ++room) {
        const struct pressed how = {0.016, 1e5, 0.006, 0.3, 6, 4, room};
        const struct press p = press_of(&how, PIOLA_SOLVER_DESCENT);
        const double off[2] = {0.006, 0.003};
        piola_report report = {0};
        for (int i = 0; i < 20; ++i)
            (void)send(&p, off, 1e-4 * i, NULL);
        fixture_ok(piola_world_step(p.world, NULL, &report), NULL);
        TEST_ASSERT_TRUE(report.face_contacts <= room);
        TEST_ASSERT_EQUAL(room > 0, report.face_contacts_dropped > 0);
        fixture_clean();
    }
}

/* A block of triangles of 0.1 m on two rails between its vertices: its weight is held in all
 * solvers, and it rests. */
static void test_a_block_on_rails(void)
{
    for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
        piola_world_desc d = collider_world(collider_solvers[k].solver, 1);
        d.max_face_contacts = 4096;
        piola_world *world = fixture_world(&d);
        piola_material m = piola_material_default();
        piola_collider rail[2];
        piola_collider_desc c = piola_collider_desc_default();
        piola_body_info from, to;
        m.young = 1e5f;
        m.damping = 0.02f;
        const piola_body block =
            fixture_body(world, fixture_beam_of(3, 2, 3, 0.1, &m, 0), 0, 0.021f, 0);
        c.shape = piola_shape_capsule(0.5f, 0.02f);
        c.rotation[0] = c.rotation[3] = 0.70710678f; /* along z */
        c.position[2] = 0.15f;
        for (int i = 0; i < 2; ++i) {
            c.position[0] = i ? 0.24f : 0.06f;
            rail[i] = collider_enter(world, &c);
        }
        fixture_steps(world, NULL, 500);
        fixture_ok(piola_body_inspect(world, block, &from), NULL);
        double weight = 0;
        for (int i = 0; i < 100; ++i) {
            fixture_steps(world, NULL, 1);
            for (int r = 0; r < 2; ++r) {
                piola_collider_info info;
                fixture_ok(piola_collider_inspect(world, rail[r], &info), NULL);
                weight -= (double)info.force[1] / 100;
            }
        }
        fixture_ok(piola_body_inspect(world, block, &to), NULL);
        printf("%s: two rails bear %.3f of %.3f N; %.1e m in 0.5 s\n", collider_solvers[k].name,
               weight, 9.81 * to.mass, to.centre[0] - from.centre[0]);
        TEST_ASSERT_FALSE(to.frozen);
        TEST_ASSERT_DOUBLE_WITHIN(0.04 * 9.81 * to.mass, 9.81 * to.mass, weight);
        TEST_ASSERT_DOUBLE_WITHIN(1e-3, from.centre[0], to.centre[0]);
        TEST_ASSERT_TRUE(to.centre[1] > 0.1);
        fixture_clean();
    }
}

/* What presses is state: a world that takes a snapshot goes on with the same bits. */
static void test_state(void)
{
    const struct pressed how = {0.016, 1e5, 0.006, 0.3, 4, 3, 4096};
    const struct press p = press_of(&how, PIOLA_SOLVER_DESCENT);
    const double off[2] = {0.006, 0.003};
    for (int i = 0; i < 20; ++i)
        (void)send(&p, off, 1e-4 * i, NULL);
    const size_t bytes = piola_snapshot_size(p.world);
    void *memory = fixture_memory(bytes);
    fixture_ok(piola_snapshot_save(p.world, memory, bytes), NULL);
    fixture_steps(p.world, NULL, 10);
    const uint64_t hash = piola_world_hash(p.world);
    fixture_ok(piola_snapshot_restore(p.world, memory, bytes), NULL);
    fixture_steps(p.world, NULL, 10);
    TEST_ASSERT_TRUE(hash == piola_world_hash(p.world));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_small_ball_is_felt);
    RUN_TEST(test_a_ball_on_a_fine_block);
    RUN_TEST(test_a_ball_is_drawn_over_triangles);
    RUN_TEST(test_no_room);
    RUN_TEST(test_a_block_on_rails);
    RUN_TEST(test_state);
    return UNITY_END();
}
