/* Nothing passes between the vertices: spikes, blades, grids and fingers that move and turn, under
 * cloth and in a block, and after steps every triangle is as far from every core as it must be,
 * by a distance that shares nothing with the engine. PIOLA_PROOFS asks for the full length.
 * covers: src/families/collide/collide_faces_limit.c src/families/collide/collide_faces.c
 */
#include "collider_fixture.h"
#include "contact_fixture.h"
#include "ref_core.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

#define MOST   32
#define DEEP   2e-5 /* m, at most; edges of boxes are rounded by up to 1e-5 of their size + 0.1 m */
#define WITHIN 4e-5

/* Colliders that swing and turn about where they began. */
struct stage {
    struct scene scene;
    piola_collider collider[MOST];
    ref_core core[MOST];
    double from[MOST][3], swing[MOST][3], rate[MOST], turn[MOST];
    int colliders, steps;
    double deepest; /* m, ever: how much nearer than the rounding */
};

static piola_world_desc desc_of(piola_solver solver)
{
    piola_world_desc d = collider_world(solver, 1);
    d.max_colliders = MOST;
    d.max_face_contacts = 4096;
    d.max_commands = 4096;
    d.max_packs = 65536;
    return d;
}

static void enter(struct stage *s, piola_shape_kind kind, const double half[3], double radius,
                  const double at[3])
{
    piola_collider_desc c = piola_collider_desc_default();
    const int i = s->colliders++;
    c.shape.kind = kind;
    c.shape.radius = (float)radius;
    /* Where a box is cut has no distance: a box a little smaller tells how deep. */
    const double within = kind == PIOLA_SHAPE_BOX ? WITHIN : 0;
    s->core[i].round = (double)c.shape.radius + within;
    for (int k = 0; k < 3; ++k) {
        c.shape.size[k] = (float)half[k];
        s->core[i].half[k] = half[k] > 0 ? half[k] - within : 0;
        c.position[k] = (float)at[k];
        s->from[i][k] = at[k];
    }
    if (kind == PIOLA_SHAPE_CAPSULE)
        c.shape.size[0] = c.shape.size[2] = 0;
    c.friction_static = c.friction_kinetic = 0.3f;
    s->collider[i] = collider_enter(s->scene.world, &c);
}

/* Where collider i is told to be. */
static void send(struct stage *s, int i, double time)
{
    const double wave = sin(s->rate[i] * time), angle = s->turn[i] * sin(0.7 * s->rate[i] * time);
    float at[3], q[4] = {(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)};
    for (int k = 0; k < 3; ++k)
        at[k] = (float)(s->from[i][k] + wave * s->swing[i][k]);
    fixture_ok(piola_collider_move(s->scene.world, s->collider[i], at), NULL);
    if (s->turn[i] != 0)
        fixture_ok(piola_collider_turn(s->scene.world, s->collider[i], q), NULL);
}

static void look(struct stage *s, const char *what)
{
    scene_collect(&s->scene);
    for (int i = 0; i < s->colliders; ++i) {
        piola_collider_info info;
        fixture_ok(piola_collider_inspect(s->scene.world, s->collider[i], &info), NULL);
        for (uint32_t f = 0; f < s->scene.face_count; ++f) {
            double x[3][3];
            for (int c = 0; c < 3; ++c)
                ref_core_frame(info.position, info.rotation,
                               s->scene.x + 3 * (size_t)s->scene.faces[3 * f + (uint32_t)c], x[c]);
            const double depth = ref_core_depth(&s->core[i], (const double(*)[3])x);
            if (depth > DEEP)
                printf("%s: step %d, collider %d, triangle %u is %.2e m inside\n", what, s->steps,
                       i, f, depth);
            TEST_ASSERT_TRUE(depth <= DEEP);
            s->deepest = depth > s->deepest ? depth : s->deepest;
        }
    }
}

static void play(struct stage *s, int steps, const char *what, const char *solver)
{
    uint32_t most = 0, dropped = 0;
    for (s->steps = 0; s->steps < steps; ++s->steps) {
        for (int i = 0; i < s->colliders; ++i)
            send(s, i, 0.005 * s->steps);
        fixture_ok(piola_world_step(s->scene.world, NULL, &s->scene.report), NULL);
        TEST_ASSERT_EQUAL(0, s->scene.report.frozen);
        most = s->scene.report.face_contacts > most ? s->scene.report.face_contacts : most;
        dropped += s->scene.report.face_contacts_dropped;
        /* In brief not each time: looking takes longer than the step. */
        if (steps > 100 || s->steps == steps - 1)
            look(s, what);
    }
    printf("%s, %s: %d steps, nothing passes; at most %.1e m deep, %u faces near, %u dropped\n",
           what, solver, steps, s->deepest, most, dropped);
    TEST_ASSERT_TRUE(most > 0);
}

static struct stage stage_of(piola_solver solver)
{
    const piola_world_desc d = desc_of(solver);
    struct stage s = {.scene = scene_of(&d)};
    return s;
}

/* 0.2 m of cloth with triangles of 2 cm, which falls from 0.012 m. */
static void spread(struct stage *s)
{
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = b.position[2] = -0.1f;
    b.position[1] = 0.012f;
    b.velocity[1] = -1;
    scene_enter(&s->scene, scene_limp_sheet(0.2, 0.2, 10, 10, 300), &b);
}

static void set_motion(struct stage *s, uint64_t *seed, double far, double turn)
{
    for (int i = 0; i < s->colliders; ++i) {
        for (int k = 0; k < 3; ++k)
            s->swing[i][k] = far * (2 * fixture_uniform(seed) - 1);
        s->rate[i] = 2 + 6 * fixture_uniform(seed);
        s->turn[i] = turn * (2 * fixture_uniform(seed) - 1);
    }
}

static void test_spikes(void)
{
    uint64_t seed = fixture_seed();
    for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
        struct stage s = stage_of(collider_solvers[k].solver);
        spread(&s);
        for (int i = 0; i < 25; ++i) {
            const int row = i / 5;
            enter(&s, PIOLA_SHAPE_CAPSULE, (double[]){0, 0.5, 0}, 0.002,
                  (double[]){0.033 * (i % 5 - 2), -0.5, 0.033 * (row - 2)});
        }
        set_motion(&s, &seed, 0.01, 0.01);
        play(&s, scene_steps(12, 10000), "spikes", collider_solvers[k].name);
    }
}

static void test_blades(void)
{
    uint64_t seed = fixture_seed();
    for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
        struct stage s = stage_of(collider_solvers[k].solver);
        spread(&s);
        for (int i = 0; i < 4; ++i)
            enter(&s, PIOLA_SHAPE_BOX, (double[]){0.0005, 0.2, 0.3}, 0,
                  (double[]){0.045 * (i - 1.5), -0.2, 0});
        set_motion(&s, &seed, 0.01, 0.05);
        play(&s, scene_steps(12, 10000), "blades", collider_solvers[k].name);
    }
}

static void test_a_grid(void)
{
    uint64_t seed = fixture_seed();
    for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
        struct stage s = stage_of(collider_solvers[k].solver);
        spread(&s);
        for (int i = 0; i < 8; ++i) {
            const double off = 0.05 * (i % 4 - 1.5);
            enter(&s, PIOLA_SHAPE_BOX,
                  i < 4 ? (double[]){0.2, 0.002, 0.001} : (double[]){0.001, 0.002, 0.2}, 0,
                  i < 4 ? (double[]){0, 0, off} : (double[]){off, 0.01, 0});
        }
        set_motion(&s, &seed, 0.01, 0);
        play(&s, scene_steps(12, 10000), "grid", collider_solvers[k].name);
    }
}

/* Fingers of 9 mm in a block with triangles of 27 mm, from all sides. */
static void test_fingers(void)
{
    uint64_t seed = fixture_seed();
    for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
        struct stage s = stage_of(collider_solvers[k].solver);
        piola_material m = piola_material_default();
        piola_body_desc b = piola_body_desc_default();
        m.young = 3e4f;
        b.position[0] = b.position[2] = -0.054f;
        b.position[1] = 0.011f;
        scene_enter(&s.scene, fixture_beam_of(4, 3, 4, 0.027, &m, 0), &b);
        for (int i = 0; i < 5; ++i)
            enter(&s, PIOLA_SHAPE_CAPSULE, (double[]){0, 0.05, 0}, 0.009,
                  (double[]){0.03 * (i % 3 - 1), i < 3 ? -0.05 : 0.17, 0.02 * (i % 2)});
        set_motion(&s, &seed, 0.01, 0.3);
        for (int i = 0; i < 5; ++i)
            s.swing[i][1] = i < 3 ? 0.03 : -0.05;
        play(&s, scene_steps(12, 10000), "fingers", collider_solvers[k].name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_spikes);
    RUN_TEST(test_blades);
    RUN_TEST(test_a_grid);
    RUN_TEST(test_fingers);
    return UNITY_END();
}
