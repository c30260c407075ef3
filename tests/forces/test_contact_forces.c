/* Forces that one reads are true: over an impact they integrate to the change of momentum, at rest
 * they are the weight, and what one body feels the other feels the other way.
 *
 * covers: src/forces/reactions.c src/forces/contact_forces.c src/forces/contact_balance.c
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1024

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static uint64_t seed;

/* What a body falls on. */
enum under { ON_COLLIDER, ON_RIGID, ON_BODY, ON_PINNED, ON_PAIR, UNDERS };
static const char *const under_names[UNDERS] = {"a collider", "a rigid body", "a body",
                                                "a pinned body", "a body on the floor"};

struct trial {
    enum under under;
    piola_solver solver;
    uint32_t substeps, iterations;
    double young, friction, restitution, speed, damping;
};

static piola_world_desc describe(const struct trial *t)
{
    piola_world_desc d = scene_desc(t->solver);
    d.max_contact_events = 32;
    d.max_face_contacts = 4096;
    d.max_substeps = 8;
    d.substeps = t->substeps;
    d.iterations = t->iterations;
    d.contact_friction = (float)t->friction;
    d.report_physics = true;
    return d;
}

static piola_body cube(struct scene *s, const struct trial *t, int cells, double side,
                       double height, double shift, double speed)
{
    piola_material m = piola_material_default();
    piola_body_desc b = piola_body_desc_default();
    m.young = (float)t->young;
    m.poisson = 0.3f;
    b.position[0] = (float)shift;
    b.position[1] = (float)height;
    b.velocity[1] = (float)-speed;
    b.damping = (float)t->damping;
    return scene_enter(s, fixture_beam_of(cells, cells, cells, side / cells, &m, 0), &b);
}

static piola_body_info inspect(const struct scene *s, piola_body body)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(s->world, body, &info), NULL);
    return info;
}

/* N, in all. */
static void contact(const struct scene *s, piola_body body, double force[3])
{
    static float xyz[3 * MOST];
    const uint32_t count = inspect(s, body).vertices;
    TEST_ASSERT_TRUE(count <= MOST);
    fixture_ok(piola_body_contact_forces(s->world, body, 0, count, xyz), NULL);
    force[0] = force[1] = force[2] = 0;
    for (uint32_t i = 0; i < 3 * count; ++i)
        force[i % 3] += (double)xyz[i];
}

static void reactions(const struct scene *s, piola_body body, double force[3])
{
    static float xyz[3 * MOST];
    const uint32_t count = inspect(s, body).vertices;
    fixture_ok(piola_body_reactions(s->world, body, 0, count, xyz), NULL);
    force[0] = force[1] = force[2] = 0;
    for (uint32_t i = 0; i < 3 * count; ++i)
        force[i % 3] += (double)xyz[i];
}

static void set_up(struct scene *s, const struct trial *t, piola_body body[2], piola_rigid *rigid)
{
    const double gap = 0.01;
    memset(rigid, 0, sizeof *rigid);
    if (t->under == ON_COLLIDER || t->under == ON_PAIR) {
        piola_collider_desc c = piola_collider_desc_default();
        piola_collider floor;
        c.friction_static = c.friction_kinetic = (float)t->friction;
        c.restitution = (float)t->restitution;
        fixture_ok(piola_collider_create(s->world, &c, &floor, NULL), NULL);
    }
    if (t->under == ON_RIGID) {
        piola_rigid_desc r = piola_rigid_desc_default();
        r.shape.kind = PIOLA_SHAPE_BOX;
        r.shape.size[0] = r.shape.size[1] = r.shape.size[2] = 0.1f;
        r.mass = 3;
        r.position[0] = r.position[2] = 0.1f;
        r.position[1] = -0.1f - (float)gap;
        fixture_ok(piola_rigid_create(s->world, &r, rigid, NULL), NULL);
    }
    body[0] = cube(s, t, 3, 0.2, gap, 0.03, t->speed);
    if (t->under == ON_BODY || t->under == ON_PINNED)
        body[1] = cube(s, t, 2, 0.2, -0.2, 0, 0);
    if (t->under == ON_PAIR)
        body[1] = cube(s, t, 2, 0.2, 0.22, 0, t->speed);
    if (t->under == ON_PINNED)
        for (uint32_t v = 0; v < 9; ++v) {
            float at[3];
            fixture_ok(piola_body_positions(s->world, body[1], v, 1, at), NULL);
            piola_body_pin(s->world, body[1], v, at);
        }
}

/* By how much the sum of impulses misses the change of momentum, against what was exchanged. */
static double missed(const struct trial *t, int steps)
{
    const piola_world_desc d = describe(t);
    struct scene s = scene_of(&d);
    piola_body body[2] = {{0, 0}, {0, 0}};
    piola_rigid rigid;
    set_up(&s, t, body, &rigid);
    double sum[2][3] = {{0}}, worst = 0, begin[2][3] = {{0}};
    for (int b = 0; b < 2 && body[b].index > 0; ++b)
        memcpy(begin[b], inspect(&s, body[b]).momentum, sizeof begin[b]);
    const double dt = (double)d.dt;
    for (int i = 0; i < steps; ++i) {
        fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
        for (int b = 0; b < 2 && body[b].index > 0; ++b) {
            double f[3], r[3] = {0, 0, 0};
            contact(&s, body[b], f);
            if (b == 1 && t->under == ON_PINNED)
                reactions(&s, body[b], r);
            for (int k = 0; k < 3; ++k)
                sum[b][k] += dt * (f[k] + r[k]);
        }
    }
    double exchanged = 0;
    for (int b = 0; b < 2 && body[b].index > 0; ++b) {
        const piola_body_info info = inspect(&s, body[b]);
        double off = 0, change = 0;
        for (int k = 0; k < 3; ++k) {
            const double gravity = k == 1 ? -9.81 * info.mass * dt * steps : 0;
            const double gained = info.momentum[k] - begin[b][k] - gravity;
            off += (sum[b][k] - gained) * (sum[b][k] - gained);
            change += gained * gained;
        }
        exchanged = sqrt(change) > exchanged ? sqrt(change) : exchanged;
        worst = sqrt(off) > worst ? sqrt(off) : worst;
    }
    fixture_clean();
    return exchanged > 1e-3 ? worst / exchanged : worst;
}

static struct trial draw(enum under under)
{
    static const piola_solver solvers[] = {PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_ENERGY,
                                           PIOLA_SOLVER_DESCENT, PIOLA_SOLVER_COMPLIANT};
    struct trial t = {.under = under};
    t.solver = solvers[fixture_random(&seed) % 4];
    t.substeps = 1u << fixture_random(&seed) % 4;
    t.iterations = 1 + (uint32_t)(fixture_random(&seed) % 20);
    t.young = pow(10, 4 + 4 * fixture_uniform(&seed));
    t.friction = fixture_random(&seed) % 2 ? 0.5 * fixture_uniform(&seed) : 0;
    t.restitution = fixture_random(&seed) % 3 ? 0 : fixture_uniform(&seed);
    t.speed = 0.3 + 2 * fixture_uniform(&seed);
    return t;
}

/* Any stiffness, solver, budget: also where the iterations are far from their end. */
static void test_impacts(void)
{
    const int count = getenv("PIOLA_PROOFS") ? 200 : fixture_count(3, 1);
    for (int u = 0; u < UNDERS; ++u) {
        double worst = 0;
        for (int i = 0; i < count; ++i) {
            const struct trial t = draw((enum under)u);
            const double off = missed(&t, 50);
            if (!(off < 0.01))
                printf("%s, solver %d, %u x %u, %.1e Pa, friction %.2f, restitution %.2f, %.2f "
                       "m/s: %.2e\n",
                       under_names[u], (int)t.solver, t.substeps, t.iterations, t.young, t.friction,
                       t.restitution, t.speed, off);
            worst = fmax(worst, off);
        }
        printf("on %s: impulses miss the change of momentum by %.1e at most\n", under_names[u],
               worst);
        TEST_ASSERT_TRUE(worst < 0.01);
    }
}

/* On the floor of two, N: what the collider, events and points tell, upwards. */
static void tell(const struct scene *s, double told[3])
{
    static const piola_body all = {0, 0};
    piola_contact_event events[32];
    piola_contact_point points[512];
    piola_collider floor;
    piola_collider_info info;
    uint32_t total = 0, colliders = 0;
    uint64_t count = 0;
    fixture_ok(piola_world_colliders(s->world, &floor, 1, &colliders), NULL);
    fixture_ok(piola_collider_inspect(s->world, floor, &info), NULL);
    told[0] = -info.force[1];
    told[1] = told[2] = 0;
    fixture_ok(piola_world_contact_events(s->world, 0, 32, events, &total), NULL);
    for (uint32_t i = 0; i < total && i < 32; ++i)
        told[1] += events[i].collider.index > 0 ? events[i].force[1] : 0;
    fixture_ok(piola_world_contact_points(s->world, all, points, 512, &count), NULL);
    TEST_ASSERT_TRUE(count <= 512);
    for (uint64_t i = 0; i < count; ++i)
        if (points[i].collider.index > 0)
            told[2] += (double)points[i].normal_force * (double)points[i].normal[1] +
                       (double)points[i].tangent_force[1];
}

/* A cube on a cube on the floor, until both lie still: everybody tells the weights. */
static void test_rest(void)
{
    static const double young[] = {3e4, 1e6, 1e8};
    const int steps = fixture_count(300, 1);
    for (int k = 0; k < 3; ++k) {
        const struct trial t = {ON_PAIR, PIOLA_SOLVER_DESCENT, 1, 5, young[k], 0.5, 0, 0, 5};
        const piola_world_desc d = describe(&t);
        struct scene s = scene_of(&d);
        piola_body body[2];
        piola_rigid none;
        double f[2][3], told[3], off = 0, apart = 0;
        set_up(&s, &t, body, &none);
        const double weight = 9.81 * inspect(&s, body[0]).mass;
        for (int i = 0; i < steps; ++i) {
            fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
            contact(&s, body[0], f[0]);
            contact(&s, body[1], f[1]);
            tell(&s, told);
            apart = fmax(apart, fabs(f[0][1] + f[1][1] - told[0]) / (weight + fabs(told[0])));
            apart = fmax(apart, fabs(told[0] - told[1]) / (weight + fabs(told[0])));
            apart = fmax(apart, fabs(told[0] - told[2]) / (weight + fabs(told[0])));
            if (i < steps - 20)
                continue;
            off = fmax(off, fabs(f[0][1] / weight - 1));
            off = fmax(off, fmax(fabs(f[1][1] / weight - 1), fabs(told[0] / weight / 2 - 1)));
        }
        printf("%.0e Pa: weights are told to %.1e, and all agree to %.1e\n", young[k], off, apart);
        TEST_ASSERT_TRUE(apart < 1e-4);
        TEST_ASSERT_TRUE(steps < 300 || off < 0.01);
        fixture_clean();
    }
}

/* A block that slides over the triangles of a floor bears its weight, about evenly. */
static void test_sliding(void)
{
    for (int k = 0; k < 2; ++k) {
        const struct trial t = {ON_PINNED, PIOLA_SOLVER_DESCENT, 1, 10, k ? 1e7 : 1e6, 0, 0, 0, 0};
        const piola_world_desc d = describe(&t);
        struct scene s = scene_of(&d);
        const int steps = fixture_count(260, 1);
        double mean = 0, square = 0, f[3];
        const piola_body floor = cube(&s, &t, 6, 1.2, -1.2, -0.6, 0);
        const piola_body block = cube(&s, &t, 2, 0.2, 0.0008, -0.4, 0);
        const uint32_t vertices = inspect(&s, floor).vertices;
        for (uint32_t v = 0; v < vertices; ++v) {
            float at[3];
            fixture_ok(piola_body_positions(s.world, floor, v, 1, at), NULL);
            piola_body_pin(s.world, floor, v, at);
        }
        const double weight = 9.81 * inspect(&s, block).mass;
        const double begin = inspect(&s, block).centre[0];
        float v[3 * 27];
        for (int i = 0; i < 3 * 27; ++i)
            v[i] = i % 3 == 0 ? 0.5f : 0;
        fixture_ok(piola_body_set_velocities(s.world, block, 0, 27, v, NULL), NULL);
        for (int i = 0; i < steps; ++i) {
            fixture_ok(piola_world_step(s.world, NULL, &s.report), NULL);
            contact(&s, block, f);
            mean += i > 60 ? f[1] / weight / (steps - 61) : 0;
            square += i > 60 ? (f[1] / weight - 1) * (f[1] / weight - 1) / (steps - 61) : 0;
        }
        const double way = inspect(&s, block).centre[0] - begin;
        printf("sliding %.3f m, %.0e Pa: %.4f of the weight, ripple %.4f\n", way, t.young, mean,
               sqrt(square));
        TEST_ASSERT_TRUE(steps < 260 || way > 0.6);
        TEST_ASSERT_TRUE(steps < 260 || (fabs(mean - 1) < 0.005 && square < 0.04 * 0.04));
        fixture_clean();
    }
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(test_impacts);
    RUN_TEST(test_rest);
    RUN_TEST(test_sliding);
    return UNITY_END();
}
