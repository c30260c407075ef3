/* Shapes made of triangles do not pierce between vertices: blades, beds of spikes, stars, that move
 * and turn, under cloth and in blocks. After steps no triangle of a body crosses one of a shape, by
 * an exact test that shares nothing with the engine. PIOLA_PROOFS asks for the full length.
 * covers: src/families/collide/collide_faces_near.c src/shapes/shape_tree.c
 */
#include "collider_fixture.h"
#include "contact_fixture.h"
#include "ref_core.h"
#include "ref_cross.h"
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

#define MOST 8

struct stage {
    struct scene scene;
    piola_collider collider[MOST];
    const struct shape_tris *tris[MOST];
    double from[MOST][3], swing[MOST][3], rate[MOST], turn[MOST];
    int colliders;
    uint32_t most, dropped;
};

static struct stage stage_of(piola_solver solver)
{
    piola_world_desc d = collider_world(solver, 1);
    d.max_colliders = d.max_shapes = MOST;
    d.max_face_contacts = 4096;
    d.max_commands = 4096;
    d.max_packs = 65536;
    return (struct stage){.scene = scene_of(&d)};
}

static void enter(struct stage *s, const piola_shape_data *shape, const struct shape_tris *tris,
                  const double at[3])
{
    piola_collider_desc c = piola_collider_desc_default();
    const int i = s->colliders++;
    TEST_ASSERT_TRUE(i < MOST);
    c.shape = piola_shape_of(shape);
    c.friction_static = c.friction_kinetic = 0.3f;
    s->tris[i] = tris;
    for (int k = 0; k < 3; ++k) {
        c.position[k] = (float)at[k];
        s->from[i][k] = at[k];
    }
    s->collider[i] = collider_enter(s->scene.world, &c);
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

static void send(struct stage *s, int i, double time)
{
    const double wave = sin(s->rate[i] * time), angle = s->turn[i] * sin(0.7 * s->rate[i] * time);
    const float q[4] = {(float)sin(angle / 2), 0, 0, (float)cos(angle / 2)};
    float at[3];
    for (int k = 0; k < 3; ++k)
        at[k] = (float)(s->from[i][k] + wave * s->swing[i][k]);
    fixture_ok(piola_collider_move(s->scene.world, s->collider[i], at), NULL);
    if (s->turn[i] != 0)
        fixture_ok(piola_collider_turn(s->scene.world, s->collider[i], q), NULL);
}

/* The body's surface in the collider's frame, whose triangles are exact there. */
static void look(struct stage *s, const char *what, int step)
{
    scene_collect(&s->scene);
    const uint32_t vertices = s->scene.vertex_count;
    double *x = fixture_memory(3 * (size_t)vertices * sizeof *x);
    for (int i = 0; i < s->colliders; ++i) {
        piola_collider_info info;
        ref_crossings crossings;
        fixture_ok(piola_collider_inspect(s->scene.world, s->collider[i], &info), NULL);
        for (uint32_t v = 0; v < vertices; ++v)
            ref_core_frame(info.position, info.rotation, s->scene.x + 3 * (size_t)v,
                           x + 3 * (size_t)v);
        const ref_surface body = {x, s->scene.faces, s->scene.face_count};
        const ref_surface shape = {s->tris[i]->v, s->tris[i]->t, s->tris[i]->triangles};
        TEST_ASSERT_TRUE(ref_cross_surfaces(&body, &shape, &crossings));
        if (crossings.crossing > 0)
            printf("%s: step %d, collider %d: %d pairs of triangles cross\n", what, step, i,
                   (int)crossings.crossing);
        TEST_ASSERT_EQUAL_UINT64(0, crossings.crossing);
    }
}

static void play(struct stage *s, int steps, const char *what, const char *solver)
{
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < s->colliders; ++i)
            send(s, i, 0.005 * step);
        fixture_ok(piola_world_step(s->scene.world, NULL, &s->scene.report), NULL);
        TEST_ASSERT_EQUAL(0, s->scene.report.frozen);
        s->most = s->scene.report.face_contacts > s->most ? s->scene.report.face_contacts : s->most;
        s->dropped += s->scene.report.face_contacts_dropped;
        if (steps > 100 || step == steps - 1)
            look(s, what, step);
    }
    printf("%s, %s: %d steps, nothing passes; %u contacts of faces, %u dropped\n", what, solver,
           steps, s->most, s->dropped);
    TEST_ASSERT_TRUE(s->most > 0);
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

/* In brief not with all solvers. */
static bool skips(int solver, int which)
{
    return !getenv("PIOLA_PROOFS") && solver != which % COLLIDER_SOLVERS;
}

static const struct {
    piola_shape_kind kind;
    const char *name;
} kinds[] = {{PIOLA_SHAPE_HULL, "hull"}, {PIOLA_SHAPE_MESH, "mesh"}, {PIOLA_SHAPE_WALL, "wall"}};

static void test_blades(void)
{
    uint64_t seed = fixture_seed();
    static struct shape_tris blade, within; /* edges of hulls are rounded by up to 4e-6 m here */
    const double low[3] = {-0.0005, -0.2, -0.3}, high[3] = {0.0005, 0.2, 0.3};
    const double least[3] = {-0.00049, -0.19999, -0.3}, most[3] = {0.00049, 0.19999, 0.3};
    shape_fixture_box(&blade, low, high);
    shape_fixture_box(&within, least, most);
    for (int kind = 0; kind < 3; ++kind)
        for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
            if (skips(k, kind))
                continue;
            const piola_shape_desc d = shape_fixture_desc(&blade, kinds[kind].kind);
            struct stage s = stage_of(collider_solvers[k].solver);
            char what[32];
            spread(&s);
            for (int i = 0; i < 4; ++i)
                enter(&s, shape_fixture_compile(&d), kind == 0 ? &within : &blade,
                      (double[]){0.045 * (i - 1.5), -0.2, 0});
            set_motion(&s, &seed, 0.01, 0.05);
            (void)snprintf(what, sizeof what, "blades, %s", kinds[kind].name);
            play(&s, scene_steps(14, 10000), what, collider_solvers[k].name);
            fixture_clean();
        }
}

/* A field of so many spikes each way, `spacing` apart, in one closed mesh. */
static void bed_of(struct shape_tris *bed, uint32_t across, double spacing, double height)
{
    static float heights[32 * 32];
    piola_shape_desc d = piola_shape_desc_default();
    const uint32_t n = 2 * across + 1;
    TEST_ASSERT_TRUE(n <= 32);
    for (uint32_t i = 0; i < n * n; ++i)
        heights[i] = (i % n) % 2 && (i / n) % 2 ? (float)height : 0;
    d.kind = PIOLA_SHAPE_HEIGHTS;
    d.samples = heights;
    d.sample_count[0] = d.sample_count[1] = n;
    d.spacing = (float)(spacing / 2);
    d.origin[0] = d.origin[2] = (float)(-0.5 * spacing * across);
    d.origin[1] = (float)-height;
    shape_fixture_heights(bed, &d, -height - 0.1);
}

/* One mesh whose spikes are nearer to each other than the cloth's triangles are wide, and farther.
 */
static void test_beds_of_spikes(void)
{
    uint64_t seed = fixture_seed();
    static const double spacings[] = {0.012, 0.033};
    static struct shape_tris bed;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
            if (skips(k, i))
                continue;
            struct stage s = stage_of(collider_solvers[k].solver);
            bed_of(&bed, i ? 6 : 15, spacings[i], 0.03);
            const piola_shape_desc d = shape_fixture_desc(&bed, PIOLA_SHAPE_MESH);
            spread(&s);
            enter(&s, shape_fixture_compile(&d), &bed, (double[]){0, 0, 0});
            set_motion(&s, &seed, 0.005, 0.02);
            play(&s, scene_steps(14, 10000), i ? "wide bed of spikes" : "close bed of spikes",
                 collider_solvers[k].name);
            fixture_clean();
        }
}

/* The same as a field of heights. */
static void test_a_field(void)
{
    static struct shape_tris tris;
    for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
        if (skips(k, 2))
            continue;
        struct stage s = stage_of(collider_solvers[k].solver);
        float *heights = fixture_memory(13 * 13 * sizeof *heights);
        piola_shape_desc d = piola_shape_desc_default();
        for (int i = 0; i < 13 * 13; ++i)
            heights[i] = (i % 13) % 2 && (i / 13) % 2 ? 0.03f : 0;
        d.kind = PIOLA_SHAPE_HEIGHTS;
        d.samples = heights;
        d.sample_count[0] = d.sample_count[1] = 13;
        d.spacing = 0.0165f;
        d.origin[0] = d.origin[2] = -0.099f;
        d.origin[1] = -0.03f;
        shape_fixture_heights(&tris, &d, -0.5);
        spread(&s);
        enter(&s, shape_fixture_compile(&d), &tris, (double[]){0, 0, 0});
        play(&s, scene_steps(14, 2000), "field of heights", collider_solvers[k].name);
        fixture_clean();
    }
}

/* Stars smaller than a triangle in a block with triangles of 27 mm, from all sides. */
static void test_stars(void)
{
    uint64_t seed = fixture_seed();
    static struct shape_tris star;
    shape_fixture_star(&star, 0.006, 0.012);
    for (int kind = 1; kind < 3; ++kind)
        for (int k = 0; k < COLLIDER_SOLVERS; ++k) {
            if (skips(k, kind - 1))
                continue;
            const piola_shape_desc d = shape_fixture_desc(&star, kinds[kind].kind);
            struct stage s = stage_of(collider_solvers[k].solver);
            piola_material m = piola_material_default();
            piola_body_desc b = piola_body_desc_default();
            m.young = 3e4f;
            b.position[0] = b.position[2] = -0.054f;
            b.position[1] = 0.013f;
            scene_enter(&s.scene, fixture_beam_of(4, 3, 4, 0.027, &m, 0), &b);
            for (int i = 0; i < 5; ++i)
                enter(&s, shape_fixture_compile(&d), &star,
                      (double[]){0.03 * (i % 3 - 1), i < 3 ? 0 : 0.108, 0.02 * (i % 2)});
            set_motion(&s, &seed, 0.01, 0.3);
            for (int i = 0; i < 5; ++i)
                s.swing[i][1] = i < 3 ? 0.02 : -0.03;
            play(&s, scene_steps(14, 10000), kind == 1 ? "stars, mesh" : "stars, wall",
                 collider_solvers[k].name);
            fixture_clean();
        }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_blades);
    RUN_TEST(test_beds_of_spikes);
    RUN_TEST(test_a_field);
    RUN_TEST(test_stars);
    return UNITY_END();
}
