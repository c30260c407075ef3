/* Stress, strain and energy of elements: against closed forms, the double-precision reference and
 * finite differences of the energy, for every model; turned, inverted, flat; by the description's
 * numbers.
 *
 * covers: src/api/element_state.c */
#include "element_fixture.h"
#include "fixture.h"
#include "kernel_fixtures.h"
#include "ref_membrane.h"
#include "ref_random.h"
#include "unity.h"

#include <math.h>
#include <string.h>

#define YOUNG   1e5 /* Pa */
#define POISSON 0.3

static const double MU = YOUNG / (2 * (1 + POISSON));
static const double LAMBDA = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON));
static uint64_t seed;

void setUp(void)
{
}

void tearDown(void)
{
    fixture_clean();
}

static void near_stress(double expected, double got, const char *what)
{
    TEST_ASSERT_DOUBLE_WITHIN_MESSAGE(2e-5 * (YOUNG + fabs(expected)), expected, got, what);
}

static bool finite_state(const piola_element_state *s)
{
    double sum = (double)s->von_mises + (double)s->volume_ratio + (double)s->energy;
    for (int k = 0; k < 9; ++k)
        sum += (double)s->deformation[k] + (double)s->first_piola[k];
    for (int k = 0; k < 6; ++k)
        sum += (double)s->cauchy[k] + (double)s->green_strain[k];
    return sum - sum == 0;
}

/* ---- closed forms ---- */

/* Principal Cauchy stresses (Pa) of isotropic models at principal stretches, from textbooks. */
static void principal_stress(piola_model model, const double s[3], double cauchy[3])
{
    const double j = s[0] * s[1] * s[2];
    const double trace = 0.5 * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] - 3);
    for (int k = 0; k < 3; ++k) {
        const double square = s[k] * s[k];
        if (model == PIOLA_MODEL_STVK)
            cauchy[k] = square * (2 * MU * 0.5 * (square - 1) + LAMBDA * trace) / j;
        else if (model == PIOLA_MODEL_NEO_HOOKEAN)
            cauchy[k] = (MU * (square - 1) + LAMBDA * log(j)) / j;
        else
            cauchy[k] = MU * square / j + (LAMBDA + MU) * (j - 1) - MU;
    }
}

static double principal_energy(piola_model model, const double s[3])
{
    const double j = s[0] * s[1] * s[2];
    const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    double e2 = 0;
    for (int k = 0; k < 3; ++k)
        e2 += 0.25 * (s[k] * s[k] - 1) * (s[k] * s[k] - 1);
    if (model == PIOLA_MODEL_STVK)
        return MU * e2 + 0.5 * LAMBDA * 0.25 * (square - 3) * (square - 3);
    if (model == PIOLA_MODEL_NEO_HOOKEAN)
        return 0.5 * MU * (square - 3 - 2 * log(j)) + 0.5 * LAMBDA * log(j) * log(j);
    return 0.5 * MU * (square - 3) - MU * (j - 1) + 0.5 * (LAMBDA + MU) * (j - 1) * (j - 1);
}

static const piola_model isotropic[] = {PIOLA_MODEL_STABLE_NEO_HOOKEAN, PIOLA_MODEL_STVK,
                                        PIOLA_MODEL_NEO_HOOKEAN};

static void test_stretched_along_the_axes(void)
{
    static const double stretches[][3] = {{1.2, 1, 1},     {0.8, 1, 1},     {1, 1.5, 1},
                                          {1.1, 1.1, 1.1}, {0.8, 0.8, 0.8}, {1.3, 0.9, 1.1}};
    for (int m = 0; m < 3; ++m) {
        const struct element_block block =
            element_block(element_material((int)isotropic[m], YOUNG, POISSON).described);
        for (size_t n = 0; n < sizeof stretches / sizeof *stretches; ++n) {
            const double *s = stretches[n];
            double sigma[3];
            element_block_move(&block, ref_diag(s[0], s[1], s[2]));
            principal_stress(isotropic[m], s, sigma);
            const double mises =
                sqrt(0.5 * (pow(sigma[0] - sigma[1], 2) + pow(sigma[1] - sigma[2], 2) +
                            pow(sigma[2] - sigma[0], 2)));
            for (uint32_t e = 0; e < block.elements; ++e) {
                const piola_element_state state = element_block_state(&block, e);
                for (int k = 0; k < 3; ++k) {
                    near_stress(sigma[k], (double)state.cauchy[k], "Cauchy stress");
                    near_stress(0, (double)state.cauchy[3 + k], "shear");
                    near_stress(sigma[k] * s[0] * s[1] * s[2] / s[k],
                                (double)state.first_piola[4 * k], "first Piola stress");
                    TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.5 * (s[k] * s[k] - 1),
                                              (double)state.green_strain[k]);
                }
                near_stress(mises, (double)state.von_mises, "von Mises");
                TEST_ASSERT_DOUBLE_WITHIN(1e-6, s[0] * s[1] * s[2], (double)state.volume_ratio);
                TEST_ASSERT_DOUBLE_WITHIN(2e-5 * YOUNG * (double)state.rest_volume,
                                          principal_energy(isotropic[m], s) *
                                              (double)state.rest_volume,
                                          (double)state.energy);
            }
        }
    }
}

/* F = I + g e_x e_y: C has 1, 1 + g^2 and g; the volume stays. */
static void test_sheared(void)
{
    const double g = 0.4;
    for (int m = 0; m < 3; ++m) {
        const struct element_block block =
            element_block(element_material((int)isotropic[m], YOUNG, POISSON).described);
        ref_mat3 f = ref_diag(1, 1, 1);
        f.m[0][1] = g;
        element_block_move(&block, f);
        const piola_element_state state = element_block_state(&block, 0);
        double xx = MU * g * g, yy = 0, zz = 0, xy = MU * g;
        if (isotropic[m] == PIOLA_MODEL_STVK) {
            const double across = LAMBDA * 0.5 * g * g, sxx = across, sxy = MU * g;
            const double syy = MU * g * g + across;
            xx = sxx + 2 * g * sxy + g * g * syy;
            yy = syy;
            zz = across;
            xy = sxy + g * syy;
        }
        near_stress(xx, (double)state.cauchy[0], "xx");
        near_stress(yy, (double)state.cauchy[1], "yy");
        near_stress(zz, (double)state.cauchy[2], "zz");
        near_stress(0, (double)state.cauchy[3], "yz");
        near_stress(0, (double)state.cauchy[4], "xz");
        near_stress(xy, (double)state.cauchy[5], "xy");
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.5 * g, (double)state.green_strain[5]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6, 0.5 * g * g, (double)state.green_strain[1]);
    }
}

/* Without contraction across, each axis of an orthotropic stuff is a spring of its own. */
static void test_orthotropic_springs(void)
{
    piola_material material = piola_material_default();
    material.model = PIOLA_MODEL_STVK_ORTHOTROPIC;
    for (int k = 0; k < 3; ++k) {
        material.young_axis[k] = (float)(k + 1) * 1e5f;
        material.poisson_axis[k] = 0;
        material.shear_axis[k] = (float)(k + 1) * 3e4f;
    }
    const struct element_block block = element_block(material);
    for (int k = 0; k < 3; ++k) {
        double s[3] = {1, 1, 1};
        s[k] = 1.2;
        element_block_move(&block, ref_diag(s[0], s[1], s[2]));
        const piola_element_state state = element_block_state(&block, 2);
        for (int i = 0; i < 3; ++i)
            near_stress(i == k ? (k + 1) * 1e5 * 0.5 * (1.44 - 1) * 1.2 : 0,
                        (double)state.cauchy[i], "orthotropic");
        ref_mat3 f = ref_diag(1, 1, 1);
        f.m[k][(k + 1) % 3] = 0.01; /* G12, G23, G31 */
        element_block_move(&block, f);
        const int at[3] = {5, 3, 4};
        TEST_ASSERT_DOUBLE_WITHIN(30, (k + 1) * 3e4 * 0.01,
                                  (double)element_block_state(&block, 1).cauchy[at[k]]);
    }
}

/* ---- the reference, any map ---- */

static ref_mat3 cauchy_of(ref_mat3 p, ref_mat3 f)
{
    return ref_scale(1 / ref_det(f), ref_mul(p, ref_transpose(f)));
}

static void compare_with_reference(const struct element_block *block, const ref_material *reference,
                                   ref_mat3 wanted, enum shape shape)
{
    static const int row[6] = {0, 1, 2, 1, 0, 0}, column[6] = {0, 1, 2, 2, 2, 1};
    element_block_move(block, wanted);
    for (uint32_t e = 0; e < block->elements; ++e) {
        const piola_element_state state = element_block_state(block, e);
        ref_mat3 f;
        for (int k = 0; k < 9; ++k) {
            f.m[k / 3][k % 3] = (double)state.deformation[k];
            TEST_ASSERT_DOUBLE_WITHIN(2e-5, wanted.m[k / 3][k % 3], f.m[k / 3][k % 3]);
        }
        TEST_ASSERT_TRUE(finite_state(&state));
        if (shape == SHAPE_LINE || shape == SHAPE_POINT)
            continue; /* the gradient is not one number */
        const double scale = (reference->mu + fabs(reference->lambda)) * pow(1 + ref_norm(f), 6);
        const ref_mat3 p = ref_stress(reference, f), e2 = ref_green(f);
        const double psi = ref_energy(reference, f);
        for (int k = 0; k < 9; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(3e-5 * scale, p.m[k / 3][k % 3],
                                      (double)state.first_piola[k]);
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * scale, psi,
                                  (double)state.energy / (double)state.rest_volume);
        const double j = ref_det(f);
        const ref_mat3 sigma = cauchy_of(p, f);
        for (int k = 0; k < 6 && fabs(j) > 1e-3; ++k) {
            TEST_ASSERT_DOUBLE_WITHIN(1e-4 * scale / fabs(j), sigma.m[row[k]][column[k]],
                                      (double)state.cauchy[k]);
            TEST_ASSERT_DOUBLE_WITHIN(1e-5 * (1 + fabs(e2.m[row[k]][column[k]])),
                                      e2.m[row[k]][column[k]], (double)state.green_strain[k]);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * (1 + fabs(j)), j, (double)state.volume_ratio);
    }
}

static void test_any_map_is_as_the_reference_says(void)
{
    const int tries = fixture_count(20, 2);
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model) {
        const struct element_material m = element_material(model, YOUNG, POISSON);
        const struct element_block block = element_block(m.described);
        for (int shape = 0; shape < SHAPES; ++shape)
            for (int i = 0; i < tries; ++i) {
                const ref_mat3 f = fixture_map((enum shape)shape, &seed);
                const double apart = fabs(ref_det(f));
                /* Near flat the sign of what is inverted is rounding's. */
                if (shape == SHAPE_FLAT || apart > 0.01)
                    compare_with_reference(&block, &m.reference, f, (enum shape)shape);
            }
        fixture_clean();
    }
}

/* Turned bodies have turned stresses; strains, von Mises stress and energy stay. */
static void test_turned(void)
{
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model) {
        const struct element_block block =
            element_block(element_material(model, YOUNG, POISSON).described);
        const ref_mat3 f = fixture_map(SHAPE_MODERATE, &seed), r = ref_random_rotation(&seed);
        element_block_move(&block, f);
        const piola_element_state before = element_block_state(&block, 3);
        element_block_move(&block, ref_mul(r, f));
        const piola_element_state after = element_block_state(&block, 3);
        const ref_mat3 turned =
            ref_mul(r, ref_mul(element_symmetric(before.cauchy), ref_transpose(r)));
        const ref_mat3 got = element_symmetric(after.cauchy);
        for (int k = 0; k < 9; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(100, turned.m[k / 3][k % 3], got.m[k / 3][k % 3]);
        for (int k = 0; k < 6; ++k)
            TEST_ASSERT_FLOAT_WITHIN(1e-5f, before.green_strain[k], after.green_strain[k]);
        TEST_ASSERT_FLOAT_WITHIN(100, before.von_mises, after.von_mises);
        TEST_ASSERT_FLOAT_WITHIN(2e-5f * before.energy + 1e-3f, before.energy, after.energy);
    }
}

/* The first Piola stress is the derivative of the energy by F, per rest volume. */
static void test_stress_is_the_slope_of_the_energy(void)
{
    const double h = 1.0 / 256;
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model) {
        const struct element_block block =
            element_block(element_material(model, YOUNG, POISSON).described);
        const ref_mat3 f = fixture_map(SHAPE_MODERATE, &seed);
        element_block_move(&block, f);
        const piola_element_state state = element_block_state(&block, 1);
        for (int k = 0; k < 9; ++k) {
            double slope[2];
            for (int n = 0; n < 2; ++n) {
                const double step = (n + 1) * h;
                double energy[2];
                for (int side = 0; side < 2; ++side) {
                    ref_mat3 moved = f;
                    moved.m[k / 3][k % 3] += side ? step : -step;
                    element_block_move(&block, moved);
                    energy[side] = (double)element_block_state(&block, 1).energy;
                }
                slope[n] = (energy[1] - energy[0]) / (2 * step * (double)state.rest_volume);
            }
            TEST_ASSERT_DOUBLE_WITHIN(2e-3 * YOUNG, (4 * slope[0] - slope[1]) / 3,
                                      (double)state.first_piola[k]);
        }
    }
}

/* ---- which element, what sums ---- */

static void test_elements_have_the_numbers_of_the_description(void)
{
    struct element_block block =
        element_beam(element_material(PIOLA_MODEL_STVK, YOUNG, POISSON).described, 64);
    piola_element_state all[1000], some[10];
    double sum = 0, energy;
    element_shake(&block, 0.1, &seed);
    TEST_ASSERT_TRUE(block.elements <= 1000);
    fixture_ok(piola_body_tetrahedron_states(block.world, block.body, 0, block.elements, all),
               NULL);
    for (uint32_t e = 0; e < block.elements; ++e) {
        const ref_mat3 f = element_map(&block, e);
        for (int k = 0; k < 9; ++k)
            TEST_ASSERT_DOUBLE_WITHIN(1e-4, f.m[k / 3][k % 3], (double)all[e].deformation[k]);
        sum += (double)all[e].energy;
    }
    memset(some, 0x5a, sizeof some);
    fixture_ok(piola_body_tetrahedron_states(block.world, block.body, 17, 9, some), NULL);
    TEST_ASSERT_EQUAL_MEMORY(all + 17, some, 9 * sizeof *some);
    TEST_ASSERT_EACH_EQUAL_HEX8(0x5a, &some[9], sizeof *some);
    fixture_ok(piola_body_elastic_energy(block.world, block.body, &energy), NULL);
    TEST_ASSERT_DOUBLE_WITHIN(1e-4 * energy, energy, sum);
}

static void test_plastic_strain_is_taken_off(void)
{
    piola_material material = element_material(PIOLA_MODEL_STVK, YOUNG, POISSON).described;
    material.plastic_yield = 0.01f;
    material.plastic_creep = 1e6f; /* 1/s: all at once */
    material.plastic_max = 0.3f;
    const struct element_block block = element_block(material);
    const double s[3] = {1.2, 1, 1};
    element_block_move(&block, ref_diag(s[0], s[1], s[2]));
    element_block_hold(&block);
    fixture_steps(block.world, NULL, 1);
    const piola_element_state state = element_block_state(&block, 0);
    TEST_ASSERT_FLOAT_WITHIN(1e-5f, 0.22f, state.green_strain[0]);
    /* The deviator has flown; the pressure of the trace stays. */
    const double pressure = (2 * MU + 3 * LAMBDA) * 0.22 / 3;
    near_stress(pressure * 1.2, (double)state.cauchy[0], "plastic");
    near_stress(pressure / 1.2, (double)state.cauchy[1], "plastic");
}

static void test_every_instruction_set_gives_the_same_bits(void)
{
    piola_element_state states[2][5];
    int seen = 0;
    const ref_mat3 f = fixture_map(SHAPE_INVERTED, &seed);
    for (int isa = PIOLA_ISA_SSE4; isa < PIOLA_ISA_COUNT; ++isa) {
        if (!piola_isa_available((piola_isa)isa))
            continue;
        const struct element_block block = element_block_of(
            element_material(PIOLA_MODEL_NEO_HOOKEAN, YOUNG, POISSON).described, (piola_isa)isa);
        element_block_move(&block, f);
        memset(states[seen > 0], 0, sizeof states[0]);
        fixture_ok(piola_body_tetrahedron_states(block.world, block.body, 0, 5, states[seen > 0]),
                   NULL);
        if (seen++ > 0)
            TEST_ASSERT_EQUAL_MEMORY(states[0], states[1], sizeof states[0]);
    }
    TEST_ASSERT_TRUE(seen > 0);
}

/* ---- sheets ---- */

static const struct {
    piola_model model;
    ref_membrane_model reference;
} sheets[] = {{PIOLA_MODEL_STVK, REF_MEMBRANE_STVK},
              {PIOLA_MODEL_STVK_ORTHOTROPIC, REF_MEMBRANE_STVK},
              {PIOLA_MODEL_NEO_HOOKEAN, REF_MEMBRANE_NEO_HOOKEAN}};

static void compare_sheet(const struct element_block *sheet, const ref_membrane *reference,
                          ref_mat3 map, double thickness)
{
    element_block_move(sheet, map);
    for (uint32_t t = 0; t < sheet->elements; ++t) {
        const piola_element_state s = element_block_state(sheet, t);
        const double f[6] = {map.m[0][0], map.m[1][0], map.m[2][0],
                             map.m[0][1], map.m[1][1], map.m[2][1]};
        double p[6], psi = ref_membrane_stress(reference, f, p);
        const double ratio = ref_norm((ref_mat3){{{f[1] * f[5] - f[2] * f[4], 0, 0},
                                                  {f[2] * f[3] - f[0] * f[5], 0, 0},
                                                  {f[0] * f[4] - f[1] * f[3], 0, 0}}});
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, ratio, (double)s.volume_ratio);
        TEST_ASSERT_DOUBLE_WITHIN(2e-5 * YOUNG * (double)s.rest_volume, psi * (double)s.rest_volume,
                                  (double)s.energy);
        for (int i = 0; i < 3; ++i) {
            for (int c = 0; c < 2; ++c) {
                TEST_ASSERT_DOUBLE_WITHIN(2e-5, f[3 * c + i], (double)s.deformation[3 * i + c]);
                near_stress(p[3 * c + i], thickness * (double)s.first_piola[3 * i + c], "sheet");
            }
            TEST_ASSERT_EQUAL_FLOAT(0, s.deformation[3 * i + 2]);
            TEST_ASSERT_EQUAL_FLOAT(0, s.first_piola[3 * i + 2]);
            near_stress((p[i] * f[i] + p[3 + i] * f[3 + i]) / ratio,
                        thickness * (double)s.cauchy[i], "sheet's Cauchy stress");
            TEST_ASSERT_EQUAL_FLOAT(0, s.green_strain[2 + i % 3]);
        }
        TEST_ASSERT_DOUBLE_WITHIN(1e-5, 0.5 * (f[0] * f[3] + f[1] * f[4] + f[2] * f[5]),
                                  (double)s.green_strain[5]);
    }
}

/* Stresses of a sheet are per length, and with a thickness per area. */
static void test_sheets_in_space(void)
{
    static const double thicknesses[] = {0, 0.002};
    for (size_t m = 0; m < sizeof sheets / sizeof *sheets; ++m)
        for (int t = 0; t < 2; ++t) {
            const double h = thicknesses[t], per = h > 0 ? h : 1;
            ref_membrane reference = sheets[m].reference == REF_MEMBRANE_STVK
                                         ? ref_membrane_stvk(YOUNG, POISSON)
                                         : ref_membrane_neo_hookean(YOUNG, POISSON);
            if (sheets[m].model == PIOLA_MODEL_STVK_ORTHOTROPIC)
                reference = ref_membrane_orthotropic(YOUNG, 0.5 * YOUNG, 0.2, 0.2 * YOUNG);
            const struct element_block sheet =
                element_sheet(sheets[m].model, YOUNG / per, POISSON, (float)h);
            for (int i = 0; i < fixture_count(10, 2); ++i)
                compare_sheet(&sheet, &reference, fixture_map(SHAPE_MODERATE, &seed), per);
            fixture_clean();
        }
}

/* Pulled along one axis a stable Neo-Hookean sheet has the force per length of its energy. */
static void test_a_stable_sheet_is_the_closed_form(void)
{
    const struct element_block sheet =
        element_sheet(PIOLA_MODEL_STABLE_NEO_HOOKEAN, YOUNG, POISSON, 0);
    const double lambda = YOUNG * POISSON / (1 - POISSON * POISSON), s = 1.25;
    element_block_move(&sheet, ref_diag(s, 1, 1));
    const piola_element_state state = element_block_state(&sheet, 0);
    near_stress(MU * s + (lambda + MU) * (s - 1) - MU, (double)state.cauchy[0], "along");
    near_stress(MU / s + (lambda + MU) * (s - 1) - MU, (double)state.cauchy[1], "across");
    near_stress(0, (double)state.cauchy[2], "through");
}

static void test_crushed_sheets_are_finite(void)
{
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model) {
        const struct element_block sheet = element_sheet((piola_model)model, YOUNG, POISSON, 0);
        for (int shape = 0; shape < SHAPES; ++shape) {
            element_block_move(&sheet, fixture_map((enum shape)shape, &seed));
            for (uint32_t t = 0; t < sheet.elements; ++t) {
                const piola_element_state state = element_block_state(&sheet, t);
                TEST_ASSERT_TRUE(finite_state(&state));
                TEST_ASSERT_TRUE(state.volume_ratio >= 0);
            }
        }
    }
}

/* Vertices at the ends of the world: strains of 1e9 and energies beyond single precision. */
static void test_elements_torn_apart_are_finite(void)
{
    for (int model = 0; model < PIOLA_MODEL_COUNT; ++model)
        for (int sheet = 0; sheet < 2; ++sheet) {
            const struct element_block block =
                sheet ? element_sheet((piola_model)model, YOUNG, POISSON, 0)
                      : element_block(element_material(model, 1e9, POISSON).described);
            double energy = (double)NAN;
            for (uint32_t v = 0; v < block.mesh.vertex_count; ++v) {
                float far[3];
                for (int k = 0; k < 3; ++k)
                    far[k] = fixture_random(&seed) % 2 ? -1e9f : 1e9f;
                fixture_ok(piola_body_set_positions(block.world, block.body, v, 1, far, NULL),
                           NULL);
            }
            for (uint32_t e = 0; e < block.elements; ++e) {
                const piola_element_state state = element_block_state(&block, e);
                TEST_ASSERT_TRUE(finite_state(&state));
            }
            fixture_ok(piola_body_elastic_energy(block.world, block.body, &energy), NULL);
            TEST_ASSERT_TRUE(isfinite(energy));
        }
}

/* ---- refusals ---- */

static void test_wrong_calls_are_refused_and_write_nothing(void)
{
    const struct element_block block = element_block(piola_material_default());
    piola_element_state state;
    memset(&state, 0x5a, sizeof state);
    const piola_body gone = {block.body.index, block.body.generation + 1};
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL,
                      piola_body_tetrahedron_states(NULL, block.body, 0, 1, &state));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_NULL,
                      piola_body_tetrahedron_states(block.world, block.body, 0, 1, NULL));
    TEST_ASSERT_EQUAL(PIOLA_OK, piola_body_tetrahedron_states(block.world, block.body, 5, 0, NULL));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_STALE,
                      piola_body_tetrahedron_states(block.world, gone, 0, 1, &state));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_body_tetrahedron_states(block.world, block.body, 5, 1, &state));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE, piola_body_tetrahedron_states(block.world, block.body, 1,
                                                                       UINT32_MAX, &state));
    TEST_ASSERT_EQUAL(PIOLA_ERROR_RANGE,
                      piola_body_triangle_states(block.world, block.body, 0, 1, &state));
    TEST_ASSERT_EACH_EQUAL_HEX8(0x5a, &state, sizeof state);
    const struct element_block thin = element_block_for(PIOLA_COMPILE_FOR_DESCENT);
    TEST_ASSERT_EQUAL(PIOLA_ERROR_COMPILE_FOR,
                      piola_body_tetrahedron_states(thin.world, thin.body, 0, 1, &state));
}

int main(void)
{
    seed = fixture_seed();
    UNITY_BEGIN();
    RUN_TEST(test_stretched_along_the_axes);
    RUN_TEST(test_sheared);
    RUN_TEST(test_orthotropic_springs);
    RUN_TEST(test_any_map_is_as_the_reference_says);
    RUN_TEST(test_turned);
    RUN_TEST(test_stress_is_the_slope_of_the_energy);
    RUN_TEST(test_elements_have_the_numbers_of_the_description);
    RUN_TEST(test_plastic_strain_is_taken_off);
    RUN_TEST(test_every_instruction_set_gives_the_same_bits);
    RUN_TEST(test_sheets_in_space);
    RUN_TEST(test_a_stable_sheet_is_the_closed_form);
    RUN_TEST(test_crushed_sheets_are_finite);
    RUN_TEST(test_elements_torn_apart_are_finite);
    RUN_TEST(test_wrong_calls_are_refused_and_write_nothing);
    return UNITY_END();
}
