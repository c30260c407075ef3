/* What bodies press each other with is borne by forces, however much it is: pairs grow stiff under
 * a load that their masses do not show, so the limit, which only moves positions, need not hold it.
 *
 * covers: src/families/surface/
 */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

#define SIDE 0.05

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

/* The default budget: 5 ms, 1 substep, 5 iterations. */
static piola_world_desc desc(void)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.max_contact_events = 32;
    d.contact_friction = 0.5f;
    d.report_physics = true;
    return d;
}

static piola_body cube_at(struct scene *s, double height, double density, double young)
{
    piola_material m = piola_material_default();
    piola_body_desc b = piola_body_desc_default();
    m.young = (float)young;
    m.density = (float)density;
    b.position[1] = (float)height;
    return scene_enter(s, fixture_beam_of(2, 2, 2, SIDE / 2, &m, 0), &b);
}

/* N, upwards: what the upper cube feels of the lower one. */
static double load_on(const struct scene *s, piola_body upper, piola_body lower)
{
    piola_contact_event events[32];
    uint32_t total = 0;
    double load = 0;
    fixture_ok(piola_world_contact_events(s->world, 0, 32, events, &total), NULL);
    for (uint32_t i = 0; i < total && i < 32; ++i) {
        if (events[i].body.index == lower.index && events[i].other.index == upper.index)
            load -= events[i].force[1];
        if (events[i].body.index == upper.index && events[i].other.index == lower.index)
            load += events[i].force[1];
    }
    return load;
}

/* A cube on one of a hundredth and a thousandth of its mass: its weight is far beyond what the
 * light one's inertia can bear within a step. */
static void test_heavy_on_light(void)
{
    static const double ratio[] = {1, 100, 1000, 100}, young[] = {1e5, 1e6, 1e6, 1e8};
    for (int k = 0; k < 4; ++k) {
        const piola_world_desc d = desc();
        const double light = 100;
        struct scene s = scene_of(&d);
        (void)scene_floor(&s, 0.5f);
        const piola_body lower = cube_at(&s, 0.002, light, young[k]);
        const piola_body upper = cube_at(&s, SIDE + 0.004, ratio[k] * light, young[k]);
        const int steps = scene_steps(600, 4000);
        scene_play(&s, steps, "heavy on light");
        piola_body_info info;
        fixture_ok(piola_body_inspect(s.world, upper, &info), NULL);
        const double weight = 9.81 * info.mass, load = load_on(&s, upper, lower) / weight;
        const double speed = sqrt(2 * info.kinetic_energy / info.mass);
        printf("%g times as heavy, %.0e Pa: load %.5f of the weight, %.1e m/s, residual %.1e\n",
               ratio[k], young[k], load, speed, (double)s.report.relative_residual);
        if (steps < 600)
            continue; /* a slow machine: it still falls */
        TEST_ASSERT_DOUBLE_WITHIN(0.01, 1, load);
        TEST_ASSERT_TRUE(speed < 5e-3 && (double)s.report.relative_residual < 0.02);
        TEST_ASSERT_TRUE(info.centre[1] > 0.9 * SIDE);
    }
}

/* Each storey bears all above it. */
static void test_towers(void)
{
    static const int storeys[] = {3, 5, 8, 5};
    static const double young[] = {1e5, 1e6, 1e6, 1e8};
    for (int k = 0; k < 4; ++k) {
        const piola_world_desc d = desc();
        struct scene s = scene_of(&d);
        piola_body cube[8];
        const int steps = scene_steps(600, 1000);
        double worst = 0;
        (void)scene_floor(&s, 0.5f);
        for (int i = 0; i < storeys[k]; ++i)
            cube[i] = cube_at(&s, 0.002 + i * (SIDE + 0.002), 1000, young[k]);
        scene_play(&s, steps, "a tower");
        piola_body_info info;
        fixture_ok(piola_body_inspect(s.world, cube[0], &info), NULL);
        for (int i = 1; i < storeys[k]; ++i) {
            const double above = (storeys[k] - i) * 9.81 * info.mass;
            worst = fmax(worst, fabs(load_on(&s, cube[i], cube[i - 1]) / above - 1));
        }
        printf("%d storeys of %.0e Pa: loads off by %.1e at most\n", storeys[k], young[k], worst);
        if (steps >= 600)
            TEST_ASSERT_TRUE(worst < 0.01);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_towers);
    RUN_TEST(test_heavy_on_light);
    return UNITY_END();
}
