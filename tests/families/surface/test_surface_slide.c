/* Blocks of any stiffness, size and mesh slide on other bodies as Coulomb's law says, with few and
 * many substeps and iterations.
 * covers: src/families/surface/surface_force.c src/families/surface/surface_free.c
 * src/families/surface/surface_room.c ispc/surface/surface_pairs.ispc */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

#define DEGREE 0.017453292519943295

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct slide {
    int cells[3];
    double cell, young, poisson; /* m, Pa: of the block */
    double ground_cell, ground_young;
    bool pinned;                    /* all of the ground, else its lowest vertices */
    double friction, angle, height; /* angle of the slope; m: thickness of contact */
    uint32_t substeps, iterations;
};

static double within(uint64_t *seed, double low, double high)
{
    return low + (high - low) * fixture_uniform(seed);
}

static double spread(uint64_t *seed, double low, double high)
{
    return low * pow(high / low, fixture_uniform(seed));
}

/* Flat enough not to tip over. Softer ones swing for long, and soft ground takes what slides for a
 * dent that must go along: their speed is not that of friction alone. */
static struct slide any_slide(uint64_t *seed)
{
    struct slide s = {.cell = spread(seed, 0.02, 0.1), .poisson = within(seed, 0, 0.45)};
    s.cells[0] = 3 + (int)(fixture_random(seed) % 3);
    s.cells[1] = 1 + (int)(fixture_random(seed) % 2);
    s.cells[2] = 2 + (int)(fixture_random(seed) % 3);
    s.young = spread(seed, 1e6 * s.cell, fmin(1e9, 2e10 * s.cell * s.cell));
    s.pinned = fixture_random(seed) % 2;
    s.ground_cell = within(seed, 0.05, 0.15);
    s.ground_young = spread(seed, 1e6, 1e9);
    s.friction = fixture_random(seed) % 4 ? within(seed, 0, 0.8) : 0;
    s.angle = atan(s.friction) + DEGREE * within(seed, 5, 15);
    s.height = spread(seed, 5e-4, 2e-3);
    s.substeps = 1 + (uint32_t)(fixture_random(seed) % 16);
    s.iterations = (uint32_t)spread(seed, 8, 20.99);
    return s;
}

static struct scene scene_of_slide(const struct slide *s)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.substeps = s->substeps;
    d.iterations = s->iterations;
    d.contact_friction = (float)s->friction;
    d.contact_thickness = (float)s->height;
    d.max_packs = d.max_particles = d.max_contact_faces = d.max_commands = 16384;
    struct scene scene = scene_of(&d);
    piola_material m = piola_material_default();
    piola_body_desc b = piola_body_desc_default();
    m.young = (float)s->ground_young;
    const int along = (int)(2.2 / s->ground_cell), across = (int)(0.7 / s->ground_cell);
    const piola_asset *ground = fixture_beam_of(along, 1, across, s->ground_cell, &m, 0);
    b.position[1] = (float)-s->ground_cell;
    (void)scene_enter(&scene, ground, &b);
    m.young = (float)s->young;
    m.poisson = (float)s->poisson;
    b.position[0] = 0.123f;
    b.position[1] = 1.2f * (float)s->height;
    b.position[2] = 0.0771f;
    (void)scene_enter(&scene,
                      fixture_beam_of(s->cells[0], s->cells[1], s->cells[2], s->cell, &m, 0), &b);
    scene_collect(&scene);
    for (uint32_t i = 0; i < scene_first(&scene, 1); ++i) {
        const float *x = scene.x + 3 * (size_t)i;
        if (s->pinned || (double)x[1] < -0.99 * s->ground_cell)
            fixture_ok(piola_body_pin(scene.world, scene.body[0], i, x), NULL);
    }
    return scene;
}

static void lean(const struct scene *scene, double angle)
{
    fixture_push(scene->world, PIOLA_COMMAND_WORLD_GRAVITY, (piola_body){0, 0}, 0,
                 (float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0);
}

static double speed_of(const struct scene *scene)
{
    piola_body_info info;
    fixture_ok(piola_body_inspect(scene->world, scene->body[1], &info), NULL);
    return info.momentum[0] / info.mass;
}

static void tell(const struct slide *s, double came, double right)
{
    printf("%d x %d x %d cells of %.3f m, %.1e Pa, %.2f on %s cells of %.3f m, %.1e Pa, %u "
           "substeps of %u, thickness %.1e m, friction %.2f: gains %.4f of %.4f m/s2\n",
           s->cells[0], s->cells[1], s->cells[2], s->cell, s->young, s->poisson,
           s->pinned ? "pinned" : "free", s->ground_cell, s->ground_young, s->substeps,
           s->iterations, s->height, s->friction, came, right);
}

static void test_blocks_slide_on_bodies(void)
{
    uint64_t seed = fixture_seed();
    for (int n = scene_steps(3, 200); n > 0; --n) {
        const struct slide s = any_slide(&seed);
        struct scene scene = scene_of_slide(&s);
        fixture_steps(scene.world, NULL, 40);
        lean(&scene, s.angle);
        fixture_steps(scene.world, NULL, 20);
        const double before = speed_of(&scene);
        fixture_steps(scene.world, NULL, 80);
        const double came = (speed_of(&scene) - before) / 0.4;
        const double drag = 9.81 * s.friction * cos(s.angle), right = 9.81 * sin(s.angle) - drag;
        tell(&s, came, right);
        /* What friction takes is to be right, not the little that is left of it. */
        TEST_ASSERT_DOUBLE_WITHIN(0.08 * (drag + right), right, came);
        fixture_clean();
    }
}

/* Cloth is pulled 0.2 m over the edge of a pinned box, without friction: it comes along. Five
 * iterations stretch it to its double, as they do where nothing is in its way; one that stuck would
 * be stretched to the twentyfold. */
static void test_cloth_slides_over_an_edge(void)
{
    enum { ACROSS = 4, ALONG = 32, STEPS = 240 };
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.substeps = 2;
    d.contact_friction = 0;
    struct scene s = scene_of(&d);
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = -0.1f;
    b.position[2] = -0.4f;
    (void)scene_enter(&s, fixture_beam_of(4, 2, 8, 0.05, NULL, 0), &b);
    b = piola_body_desc_default();
    b.position[0] = -0.02f;
    b.position[1] = 0.103f;
    b.position[2] = -0.3f;
    b.damping = 0.5f;
    (void)scene_enter(&s, scene_sheet(0.04, 0.32, ACROSS, ALONG, 500), &b);
    scene_collect(&s);
    const uint32_t sheet = scene_first(&s, 1), end = s.vertex_count - ACROSS - 1;
    for (uint32_t i = 0; i < sheet; ++i)
        fixture_ok(piola_body_pin(s.world, s.body[0], i, s.x + 3 * (size_t)i), NULL);
    float hand[3 * (ACROSS + 1)];
    for (int i = 0; i < 3 * (ACROSS + 1); ++i)
        hand[i] = s.x[3 * (size_t)end + (size_t)i];
    double high = 0;
    for (int step = 0; step < STEPS; ++step) {
        for (uint32_t i = 0; i <= ACROSS; ++i)
            fixture_push(s.world, PIOLA_COMMAND_BODY_PIN, s.body[1], end - sheet + i, hand[3 * i],
                         hand[3 * i + 1] - 0.2f * (float)(step + 1) / STEPS, hand[3 * i + 2]);
        scene_step(&s, "cloth over an edge");
        high = (double)s.x[3 * (size_t)sheet + 2];
    }
    printf("pulled by 0.2 m its far end goes %.3f m\n", high + 0.3);
    TEST_ASSERT_TRUE(high + 0.3 > 0.05);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_blocks_slide_on_bodies);
    RUN_TEST(test_cloth_slides_over_an_edge);
    return UNITY_END();
}
