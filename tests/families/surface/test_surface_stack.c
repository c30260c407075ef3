/* Ten soft cubes on each other: they come to rest, stay where they are, and carry their weight.
 *
 * PIOLA_PROOFS in the environment: for a minute of the world's time.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

#define CUBES 10
#define SIDE  0.05
/* What a cube within the stack carries may be off by. Where a vertex moves by less than half of its
 * last digit it stays, so what holds the stack in the end is chance: of eight drops from 1.7 to
 * 2.4 mm loads were off by 0.6 to 1.6 %, what the floor carries by at most 0.9 %. */
#define LOAD 0.02

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct pile {
    struct scene scene;
    piola_collider ground;
    double weight; /* N, of a cube */
};

/* A column of these would buckle under its own weight above (7.84 E I / (rho g A))^(1/3), which is
 * 0.57 m here; ten are 0.5 m. */
static struct pile pile_of_young(int cubes, const piola_world_desc *d, double young)
{
    struct pile p = {.scene = scene_of(d)};
    piola_material m = piola_material_default();
    piola_body_desc b = piola_body_desc_default();
    m.young = (float)young;
    const piola_asset *cube = fixture_beam_of(2, 2, 2, SIDE / 2, &m, 0);
    p.ground = scene_floor(&p.scene, 0.5f);
    for (int i = 0; i < cubes; ++i) {
        b.position[1] = (float)(0.002 + (SIDE + 0.002) * i);
        (void)scene_enter(&p.scene, cube, &b);
    }
    p.weight = 9.81 * scene_mass(&p.scene) / cubes;
    return p;
}

static struct pile pile_of(int cubes, const piola_world_desc *d)
{
    return pile_of_young(cubes, d, 7e5);
}

static double kinetic(const struct scene *s)
{
    double energy = 0;
    for (int i = 0; i < s->bodies; ++i) {
        piola_body_info info;
        fixture_ok(piola_body_inspect(s->world, s->body[i], &info), NULL);
        energy += info.kinetic_energy;
    }
    return energy;
}

/* How far the farthest cube is from where the lowest stands, sideways; m. */
static double astray(const struct scene *s)
{
    double most = 0;
    piola_body_info lowest, info;
    fixture_ok(piola_body_inspect(s->world, s->body[0], &lowest), NULL);
    for (int i = 1; i < s->bodies; ++i) {
        fixture_ok(piola_body_inspect(s->world, s->body[i], &info), NULL);
        const double x = info.centre[0] - lowest.centre[0], z = info.centre[2] - lowest.centre[2];
        most = fmax(most, sqrt(x * x + z * z));
    }
    return most;
}

/* What the floor carries, as a share of what stands on it. */
static double floor_load(const struct pile *p)
{
    piola_collider_info at;
    fixture_ok(piola_collider_inspect(p->scene.world, p->ground, &at), NULL);
    return -at.force[1] / (p->scene.bodies * p->weight);
}

/* The largest error of what floor and cubes carry, as a share of what they should. */
static double worst_load(const struct pile *p)
{
    const int n = p->scene.bodies;
    piola_contact_event events[4 * CUBES];
    uint32_t total;
    double worst = fabs(floor_load(p) - 1);
    fixture_ok(piola_world_contact_events(p->scene.world, 0, 4 * CUBES, events, &total), NULL);
    for (int i = 1; i < n; ++i) {
        double load = 0;
        for (uint32_t e = 0; e < total; ++e)
            if (events[e].other.index == p->scene.body[i].index &&
                events[e].body.index == p->scene.body[i - 1].index)
                load -= events[e].force[1];
        worst = fmax(worst, fabs(load / ((n - i) * p->weight) - 1));
    }
    return worst;
}

static piola_world_desc desc_of(uint32_t substeps, uint32_t iterations)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.substeps = substeps;
    d.iterations = iterations;
    d.max_contact_events = 4 * CUBES;
    return d;
}

static void test_ten_cubes_rest(void)
{
    const piola_world_desc d = desc_of(2, 10);
    struct pile p = pile_of(CUBES, &d);
    const int fall = 600, steps = scene_steps(800, 12000);
    double greatest = 0, restless = 0, first = 0, worst = 0, borne = 0;
    int looks = 0, off = 0;
    for (int i = 0; i < steps; ++i) {
        fixture_steps(p.scene.world, NULL, 1);
        const double energy = kinetic(&p.scene);
        greatest = fmax(greatest, energy);
        restless = i < fall ? 0 : fmax(restless, energy);
        borne += i < fall ? 0 : floor_load(&p) / (steps - fall);
        if (i == fall)
            first = astray(&p.scene);
        if (i >= fall && i % 20 == 0) {
            const double now = worst_load(&p);
            worst = fmax(worst, now);
            off += now >= LOAD;
            ++looks;
        }
    }
    if (steps <= fall)
        return; /* a slow machine */
    const double moved = astray(&p.scene) - first, load = worst_load(&p);
    printf(
        "ten cubes, %.0f s: after 3 s at most %.1e of the energy %.3f J; %.1e m sideways, %.1e m "
        "since; the floor carries %.5f of the weight; loads to %.4f of what they should be, %.4f "
        "at "
        "worst, above %.2f at %d of %d looks\n",
        0.005 * steps, restless / greatest, greatest, first, moved, borne, load, worst, LOAD, off,
        looks);
    TEST_ASSERT_TRUE(fabs(borne - 1) < 0.01);
    /* For moments the stack trembles a little (1e-8 of the energy) and a load is off. */
    TEST_ASSERT_TRUE(10 * off <= looks && worst < 0.1);
    TEST_ASSERT_TRUE(restless < 1e-4 * greatest);
    TEST_ASSERT_TRUE(first < 0.02 * SIDE && fabs(moved) < 1e-3 * SIDE);
    TEST_ASSERT_TRUE(load < LOAD);
}

/* Few iterations do not feed the bouncing. */
static void test_few_iterations_rest_too(void)
{
    static const uint32_t substeps[] = {1, 1, 4};
    static const int cubes[] = {2, 5, 3};
    /* With 4 substeps these tremble for longer. */
    static const int steps[] = {400, 400, 800};
    for (int k = 0; k < 3; ++k) {
        const piola_world_desc d = desc_of(substeps[k], 5);
        struct pile p = pile_of(cubes[k], &d);
        double greatest = 0;
        for (int i = 0; i < steps[k]; ++i) {
            fixture_steps(p.scene.world, NULL, 1);
            greatest = fmax(greatest, kinetic(&p.scene));
        }
        const double left = kinetic(&p.scene);
        printf("%d cubes, %u substeps of 5 iterations: %.1e of the energy after %.0f s\n", cubes[k],
               substeps[k], left / greatest, 0.005 * steps[k]);
        TEST_ASSERT_TRUE(left < 1e-4 * greatest);
    }
}

/* A cube on a cube, in a gravity that leans: a degree below the angle of friction it stays, a
 * degree above it slides. */
static void test_surfaces_hold(void)
{
    for (int k = 0; k < 2; ++k) {
        piola_world_desc d = desc_of(2, 10);
        const double angle = atan(0.3) + (k ? 1 : -1) * 3.14159265358979 / 180;
        d.contact_friction = 0.3f;
        struct pile p = pile_of(2, &d);
        fixture_steps(p.scene.world, NULL, 200);
        const double before = astray(&p.scene);
        fixture_push(p.scene.world, PIOLA_COMMAND_WORLD_GRAVITY, (piola_body){0, 0}, 0,
                     (float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0);
        /* Below, until it has leant. */
        const int lean = k ? 20 : 120, steps = k ? 80 : 200;
        fixture_steps(p.scene.world, NULL, lean);
        const double leant = astray(&p.scene);
        fixture_steps(p.scene.world, NULL, steps);
        const double slid = astray(&p.scene) - leant;
        printf("a degree %s: %.2e m by leaning, then %.2e m in %.1f s\n", k ? "above" : "below",
               leant - before, slid, 0.005 * steps);
        TEST_ASSERT_TRUE(k ? slid > 0.005 : fabs(slid) < 1e-5);
    }
}

/* Ten cubes that a wave crosses many times in a step, 1 substep of 5 iterations: if a load went
 * down the tower by a cube an iteration, it would lean by 3 mm and tremble with 1e-6 J. */
static void test_a_stiff_tower_stands(void)
{
    piola_world_desc d = desc_of(1, 5);
    d.contact_friction = 0.5f;
    struct pile p = pile_of_young(CUBES, &d, 1e7);
    double farthest = 0;
    const int steps = scene_steps(240, 4000);
    for (int i = 0; i < steps; ++i) {
        fixture_steps(p.scene.world, NULL, 1);
        farthest = fmax(farthest, astray(&p.scene));
    }
    const double energy = kinetic(&p.scene);
    printf("ten stiff cubes, %.1f s: %.1e m sideways at most, then %.1e J\n", 0.005 * steps,
           farthest, energy);
    TEST_ASSERT_TRUE(farthest < 0.02 * SIDE);
    TEST_ASSERT_TRUE(steps < 240 || energy < 1e-7);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_ten_cubes_rest);
    RUN_TEST(test_a_stiff_tower_stands);
    RUN_TEST(test_few_iterations_rest_too);
    RUN_TEST(test_surfaces_hold);
    return UNITY_END();
}
