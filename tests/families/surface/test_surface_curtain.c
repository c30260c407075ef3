/* Heavy things that are thrown at light ones take them along, with few substeps as with many: the
 * momentum that is left, and no energy from nothing.
 * covers: src/families/surface/surface_room.c src/motion/energy_islands.c */
#include "contact_fixture.h"
#include "unity.h"

#include <math.h>
#include <stdio.h>

#define SIDE  0.15 /* m, of the cube */
#define SHEET 0.6  /* m */
#define CELLS 12

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

struct thrown {
    double young, density, speed, stiffness; /* Pa, kg/m^3, m/s, N/m */
    double at[2];                            /* of the cube over the sheet, m */
    uint32_t substeps, iterations;
};

static double spread(uint64_t *seed, double low, double high)
{
    return low * pow(high / low, fixture_uniform(seed));
}

/* 9 to 90 times as heavy as the sheet. */
static struct thrown any_thrown(uint64_t *seed)
{
    static const uint32_t substeps[] = {2, 4, 8, 16};
    struct thrown t = {.young = spread(seed, 1e4, 1e6),
                       .density = spread(seed, 300, 3000),
                       .speed = spread(seed, 2, 8),
                       .stiffness = spread(seed, 500, 2000)};
    for (int k = 0; k < 2; ++k)
        t.at[k] = (SHEET - SIDE) * (0.3 + 0.4 * fixture_uniform(seed));
    t.substeps = substeps[fixture_random(seed) % 4];
    t.iterations = 5;
    return t;
}

/* The share of its speed that the cube keeps when it has gone 0.2 m on; the most energy there was
 * of what it brought. */
static double kept_by(const struct thrown *t, double *most)
{
    piola_world_desc d = scene_desc(PIOLA_SOLVER_DESCENT);
    d.substeps = t->substeps;
    d.iterations = t->iterations;
    d.contact_friction = 0.5f;
    for (int k = 0; k < 3; ++k)
        d.gravity[k] = 0;
    struct scene s = scene_of(&d);
    piola_material m = piola_material_default();
    piola_body_desc b = piola_body_desc_default();
    (void)scene_enter(&s, scene_limp_sheet(SHEET, SHEET, CELLS, CELLS, t->stiffness), &b);
    scene_collect(&s);
    for (uint32_t i = 0; i < s.vertex_count; ++i)
        if (s.x[3 * i + 2] < 1e-4f)
            fixture_ok(piola_body_pin(s.world, s.body[0], i, s.x + 3 * (size_t)i), NULL);
    m.young = (float)t->young;
    m.density = (float)t->density;
    b.position[0] = (float)t->at[0];
    b.position[1] = 0.01f;
    b.position[2] = (float)t->at[1];
    b.velocity[1] = (float)-t->speed;
    const piola_body cube = scene_enter(&s, fixture_beam_of(3, 3, 3, SIDE / 3, &m, 0), &b);
    piola_body_info info, sheet;
    fixture_ok(piola_body_inspect(s.world, cube, &info), NULL);
    const double brought = 0.5 * info.mass * t->speed * t->speed;
    const int steps = (int)(0.21 / (t->speed * (double)d.dt)) + 1;
    for (int i = 0; i < steps; ++i) {
        fixture_steps(s.world, NULL, 1);
        fixture_ok(piola_body_inspect(s.world, cube, &info), NULL);
        fixture_ok(piola_body_inspect(s.world, s.body[0], &sheet), NULL);
        *most = fmax(*most, (info.kinetic_energy + sheet.kinetic_energy) / brought);
    }
    return -info.momentum[1] / (info.mass * t->speed);
}

/* Mostly right to a few per cent, at worst to 10; held to what the work of contacts told of each
 * body they were off by 90. */
static void test_a_heavy_cube_takes_a_sheet_along(void)
{
    uint64_t seed = fixture_seed();
    const int draws = scene_steps(3, 400);
    for (int k = 0; k < draws; ++k) {
        struct thrown t = any_thrown(&seed), many = t;
        double most = 0, most_of_many = 0;
        many.substeps = 16;
        many.iterations = 20;
        const double kept = kept_by(&t, &most), right = kept_by(&many, &most_of_many);
        printf("%.1e Pa, %.0f kg/m3, %.1f m/s, %.0f N/m, at %.3f %.3f, %u substeps: keeps %.4f, "
               "right is %.4f; at most %.4f of the energy\n",
               t.young, t.density, t.speed, t.stiffness, t.at[0], t.at[1], t.substeps, kept, right,
               most);
        TEST_ASSERT_TRUE(most < 1.0001);
        TEST_ASSERT_DOUBLE_WITHIN(0.15, right, kept);
        fixture_clean();
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_heavy_cube_takes_a_sheet_along);
    return UNITY_END();
}
