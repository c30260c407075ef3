/* Between a collider that moves and one that stands there is a body in surface contact: it is not
 * pressed into either, the one that moves waits, and goes on when there is room.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "families/collide/collide.h"
#include "shape_fixture.h"
#include "unity.h"
#include "world/world.h"

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

/* m: positions are not known better (collide_tolerance, of places 0.4 m from an origin). */
#define INSIDE 1e-6

static piola_world_desc world_of(int which, uint32_t substeps)
{
    piola_world_desc d = scene_desc(scene_solvers[which].solver);
    d.substeps = substeps;
    d.max_shapes = 1;
    return d;
}

/* The default block of 0.1 m with a corner at a place. */
static void enter_block(struct scene *s, double x, double y, double z)
{
    piola_body_desc b = piola_body_desc_default();
    b.position[0] = (float)x;
    b.position[1] = (float)y;
    b.position[2] = (float)z;
    (void)scene_enter(s, fixture_beam_of(2, 2, 2, 0.05, NULL, 0), &b);
}

/* A cube of 0.2 m, its edges rounded, its lowest place at y. */
static piola_collider enter_box(struct scene *s, double y, double radius)
{
    piola_collider box;
    piola_collider_desc c = piola_collider_desc_default();
    c.shape.kind = PIOLA_SHAPE_BOX;
    c.shape.size[0] = c.shape.size[1] = c.shape.size[2] = 0.1f;
    c.shape.radius = (float)radius;
    c.position[1] = (float)(y + 0.1);
    fixture_ok(piola_collider_create(s->world, &c, &box, NULL), NULL);
    return box;
}

static double height_of(const struct scene *s, piola_collider collider)
{
    piola_collider_info info;
    fixture_ok(piola_collider_inspect(s->world, collider, &info), NULL);
    return (double)info.position[1];
}

static void set_speed(const struct scene *s, piola_collider collider, double speed)
{
    fixture_push(s->world, PIOLA_COMMAND_COLLIDER_VELOCITY,
                 (piola_body){collider.index, collider.generation}, 0, 0, (float)speed, 0);
}

/* What the block is pressed against, all of it below y = 0.01. */
enum { BALL, BEAM, CORNER, HULL, MESH, WALL, FIELD, GRID, ANVILS };
static const char *const anvils[ANVILS] = {"a ball", "a beam", "a corner", "a hull",
                                           "a mesh", "a wall", "a field",  "a grid"};

/* What a wall encloses, which itself has no inside. */
static const piola_shape_data *solid;

static const piola_shape_data *shape_of(piola_shape_kind kind)
{
    static struct shape_tris tris;
    shape_fixture_star(&tris, 0.15, 0.04);
    if (kind == PIOLA_SHAPE_HEIGHTS) {
        piola_shape_desc d = shape_fixture_field(9, 0.05);
        return shape_fixture_compile(&d);
    }
    const bool grid = kind == PIOLA_SHAPE_DISTANCES;
    piola_shape_desc d = shape_fixture_desc(&tris, grid ? PIOLA_SHAPE_MESH : kind);
    const piola_shape_data *shape = shape_fixture_compile(&d);
    d.kind = PIOLA_SHAPE_MESH;
    if (kind == PIOLA_SHAPE_WALL)
        solid = shape_fixture_compile(&d);
    if (!grid)
        return shape;
    float *samples = fixture_memory(24 * 24 * 24 * sizeof *samples);
    d = piola_shape_desc_default();
    d.kind = kind;
    d.samples = samples;
    d.spacing = 0.02f;
    for (int k = 0; k < 3; ++k) {
        d.sample_count[k] = 24;
        d.origin[k] = -0.23f;
    }
    piola_error error;
    fixture_ok(piola_shape_sample(shape, d.origin, d.spacing, d.sample_count, samples, &error),
               &error);
    return shape_fixture_compile(&d);
}

static piola_collider enter_anvil(struct scene *s, int anvil)
{
    piola_collider made;
    piola_collider_desc c = piola_collider_desc_default();
    c.position[1] = -0.15f;
    if (anvil == BALL) {
        c.shape.kind = PIOLA_SHAPE_SPHERE;
        c.shape.radius = 0.15f;
    } else if (anvil <= CORNER) {
        c.shape.kind = PIOLA_SHAPE_BOX;
        c.shape.size[0] = c.shape.size[1] = 0.106f;
        c.shape.size[2] = 0.3f;
        c.shape.radius = anvil == BEAM ? 0.03f : 0;
        c.rotation[2] = 0.3826834f;
        c.rotation[3] = 0.9238795f;
    } else {
        c.shape.kind = (piola_shape_kind)(PIOLA_SHAPE_HULL + anvil - HULL);
        c.shape.data = shape_of(c.shape.kind);
        c.position[1] = c.shape.kind == PIOLA_SHAPE_HEIGHTS ? -0.05f : -0.15f;
    }
    fixture_ok(piola_collider_create(s->world, &c, &made, NULL), NULL);
    return made;
}

/* How deep a collider has the deepest vertex in it, as the engine knows it; negative outside. */
static double depth_in(const struct scene *s, piola_collider collider)
{
    const struct collider *c = collider_find(s->world, collider);
    const struct form form = world_form(s->world, c);
    struct pose pose;
    double deepest = -HUGE_VAL;
    collider_stands(c, &pose);
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        float local[3];
        pose_in(&pose, s->x + 3 * (size_t)v, local);
        float away = shape_distance(&form, local, NULL);
        if (c->shape.kind == PIOLA_SHAPE_WALL)
            fixture_ok(piola_shape_distance(solid, local, &away, NULL), NULL);
        /* Of places farther away less is known. */
        const double blur = fmax(0, (double)collide_tolerance(local) - INSIDE);
        deepest = fmax(deepest, (double)(c->shape.margin - away) - blur);
    }
    return deepest;
}

/* What a test has seen of all its scenes. */
struct seen {
    double stands, moves; /* the deepest in each */
    int scenes, waited;
};

static void look(struct scene *s, piola_collider stands, piola_collider moves, struct seen *seen,
                 const char *text)
{
    fixture_ok(piola_world_step(s->world, NULL, &s->report), NULL);
    scene_collect(s);
    if (++s->steps % 8 == 0)
        TEST_ASSERT_EQUAL_MESSAGE(0, scene_crossings(s), text);
    const double floor = depth_in(s, stands), box = depth_in(s, moves);
    seen->stands = fmax(seen->stands, floor);
    seen->moves = fmax(seen->moves, box);
    TEST_ASSERT_TRUE_MESSAGE(floor < INSIDE, text);
    TEST_ASSERT_TRUE_MESSAGE(box < INSIDE, text);
}

/* Down, farther than there is room, and up again. */
static void press(struct scene *s, piola_collider stands, piola_collider box, double speed,
                  double way, struct seen *seen, const char *text)
{
    const int steps = (int)(way / (0.005 * speed));
    const double top = height_of(s, box);
    set_speed(s, box, -speed);
    for (int i = 0; i < steps; ++i)
        look(s, stands, box, seen, text);
    const double late = height_of(s, box) - (top - 0.005 * speed * steps);
    TEST_ASSERT_TRUE_MESSAGE(late > -1e-5, text);
    seen->waited += late > 0.005 * speed;
    ++seen->scenes;
    const double bottom = height_of(s, box);
    set_speed(s, box, speed);
    for (int i = 0; i < 10; ++i)
        look(s, stands, box, seen, text);
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(1e-5, bottom + 10 * 0.005 * speed, height_of(s, box), text);
}

static void test_a_block_on_the_floor(void)
{
    static const double speeds[] = {0.2, 0.5, 1, 5};
    const int rounds = fixture_count(16, 5);
    for (int which = 0; which < SCENE_SOLVERS; ++which) {
        int waited = 0, scenes = 0;
        for (int n = 0; n < rounds; ++n) {
            const int round = 16 * n / rounds;
            struct seen seen = {-1, -1, 0, 0};
            const double radius = round & 1 ? 0.05 : 0, speed = speeds[round >> 2];
            const uint32_t substeps = round & 2 ? 4 : 1;
            /* All of three by three places, or of two by two with the slowest, are for proofs. */
            const bool proofs = getenv("PIOLA_PROOFS") != NULL;
            const int across = speed >= 0.3 && proofs ? 3 : 2;
            char text[96];
            const int places = proofs ? across * across : 1;
            for (int place = 0; place < places; ++place) {
                const int at = (round + place) % (across * across);
                const piola_world_desc d = world_of(which, substeps);
                struct scene s = scene_of(&d);
                const double x = -0.15 + 0.15 * (at % across) / (across - 1);
                const int row = at / across;
                const double z = -0.12 + 0.12 * row / (across - 1);
                snprintf(text, sizeof text, "%s, radius %.2f, %.1f m/s, %u substeps, at %.2f %.2f",
                         scene_solvers[which].name, radius, speed, (unsigned)substeps, x, z);
                const piola_collider floor = scene_floor(&s, 0.5f);
                const piola_collider box = enter_box(&s, 0.12, radius);
                enter_block(&s, x, 0.001, z);
                press(&s, floor, box, speed, 0.16, &seen, text);
                fixture_clean();
            }
            printf("%s, radius %.2f, %.1f m/s, %u substeps: at most %.1e m in the floor, %.1e in "
                   "the box, which waited %d times of %d\n",
                   scene_solvers[which].name, radius, speed, (unsigned)substeps, seen.stands,
                   seen.moves, seen.waited, seen.scenes);
            waited += seen.waited;
            scenes += seen.scenes;
        }
        TEST_ASSERT_TRUE(2 * waited > scenes);
    }
}

static void test_anvils(void)
{
    const int rounds = fixture_count(6, 2),
              places = getenv("PIOLA_PROOFS") ? 4 : fixture_count(2, 1);
    int waited = 0;
    for (int n = 0; n < ANVILS * rounds; ++n) {
        const int anvil = n / rounds, round = 6 * anvil + (n % rounds * 6 / rounds + anvil) % 6;
        const int which = round % 3;
        const uint32_t substeps = round / 3 % 2 ? 4 : 1;
        const double radius = (round + anvil) & 1 ? 0.05 : 0, speed = round % 4 < 2 ? 0.5 : 2;
        struct seen seen = {-1, -1, 0, 0};
        char text[96];
        for (int place = 0; place < places; ++place) {
            const int at = (round + place * 4 / places) % 4;
            const piola_world_desc d = world_of(which, substeps);
            struct scene s = scene_of(&d);
            const double x = -0.1 + 0.1 * (at % 2);
            const double z = at < 2 ? -0.11 : -0.01;
            snprintf(text, sizeof text, "%s, %s, %.1f m/s, %u substeps, at %.2f %.2f",
                     scene_solvers[which].name, anvils[anvil], speed, (unsigned)substeps, x, z);
            const piola_collider stands = enter_anvil(&s, anvil);
            const piola_collider box = enter_box(&s, 0.13, radius);
            enter_block(&s, x, 0.01, z);
            press(&s, stands, box, speed, anvil > HULL ? 0.28 : 0.2, &seen, text);
            fixture_clean();
        }
        printf("%s, %s, %.1f m/s, %u substeps: at most %.1e m in it, %.1e in the box, which waited "
               "%d times of %d\n",
               scene_solvers[which].name, anvils[anvil], speed, (unsigned)substeps, seen.stands,
               seen.moves, seen.waited, seen.scenes);
        waited = n % rounds == 0 ? seen.waited : waited + seen.waited;
        TEST_ASSERT_TRUE(rounds * places < 12 || (n + 1) % rounds != 0 || waited > 0);
    }
}

/* Boxes and capsules that turn, any way, on their way down; and up again. */
static void test_what_turns(void)
{
    uint64_t random = fixture_seed();
    const int rounds = fixture_count(40, 6);
    struct seen seen = {-1, -1, 0, 0};
    for (int round = 0; round < rounds; ++round) {
        const int which = round % 3;
        const piola_world_desc d = world_of(which, round / 3 % 2 ? 4 : 1);
        struct scene s = scene_of(&d);
        const piola_collider floor = scene_floor(&s, 0.5f);
        piola_collider_desc c = piola_collider_desc_default();
        piola_collider mover;
        c.shape.kind = round % 5 ? PIOLA_SHAPE_BOX : PIOLA_SHAPE_CAPSULE;
        c.shape.radius = round % 2 ? 0 : 0.04f;
        c.position[1] = 0.36f;
        for (int k = 0; k < 3; ++k) {
            c.shape.size[k] = 0.04f + 0.08f * (float)fixture_uniform(&random);
            c.velocity[k] = 0.3f * (float)(2 * fixture_uniform(&random) - 1);
            c.angular_velocity[k] = 8 * (float)(2 * fixture_uniform(&random) - 1);
        }
        c.shape.radius = c.shape.kind == PIOLA_SHAPE_CAPSULE ? 0.04f : c.shape.radius;
        c.velocity[1] = -0.3f - 2 * (float)fixture_uniform(&random);
        fixture_ok(piola_collider_create(s.world, &c, &mover, NULL), NULL);
        const double x = -0.12 + 0.12 * fixture_uniform(&random);
        enter_block(&s, x, 0.001, -0.12 + 0.12 * fixture_uniform(&random));
        while (s.steps < 90) {
            if (s.steps == 60)
                set_speed(&s, mover, 1);
            look(&s, floor, mover, &seen, scene_solvers[which].name);
        }
        fixture_clean();
    }
    printf("%d times something that turns: at most %.1e m in the floor, %.1e m in that\n", rounds,
           seen.stands, seen.moves);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_block_on_the_floor);
    RUN_TEST(test_anvils);
    RUN_TEST(test_what_turns);
    return UNITY_END();
}
