/* test_material.c - material constants: ranges, each refused by name; Lame constants and stiffness
 * matrices against closed forms.
 *
 * covers: src/compile/material.c
 */
#include "any_mesh.h"
#include "compile/material.h"
#include "compile/mesh.h"
#include "fixture.h"
#include "unity.h"

#include <math.h>
#include <string.h>

void setUp(void)
{
    any_mesh_begin();
}

void tearDown(void)
{
    any_mesh_end();
    fixture_clean();
}

static struct pk_material good(const piola_material *material, unsigned kind)
{
    struct pk_material constants;
    const char *field = NULL;
    TEST_ASSERT_TRUE_MESSAGE(material_convert(material, kind, &constants, &field), field);
    TEST_ASSERT_TRUE(material_constants_sound(&constants, kind));
    return constants;
}

static void bad(const piola_material *material, unsigned kind, const char *expected)
{
    struct pk_material constants;
    const char *field = NULL;
    TEST_ASSERT_FALSE(material_convert(material, kind, &constants, &field));
    TEST_ASSERT_EQUAL_STRING(expected, field);
}

/* Row and column of the symmetric matrix that is stored by its upper triangle. */
static double at(const float stiffness[21], unsigned i, unsigned j)
{
    const unsigned row = i < j ? i : j, column = i < j ? j : i;
    return (double)stiffness[row * 6 - row * (row + 1) / 2 + column];
}

static void default_is_soft_rubber(void)
{
    const piola_material material = piola_material_default();
    TEST_ASSERT_EQUAL_INT(PIOLA_MODEL_STABLE_NEO_HOOKEAN, material.model);
    TEST_ASSERT_EQUAL_FLOAT(1000, material.density);
    TEST_ASSERT_EQUAL_FLOAT(1e5f, material.young);
    TEST_ASSERT_EQUAL_FLOAT(0.45f, material.poisson);
    TEST_ASSERT_EQUAL_FLOAT(0, material.plastic_yield);
    const struct pk_material constants = good(&material, KIND_TET);
    TEST_ASSERT_DOUBLE_WITHIN(1, 1e5 / 2.9, (double)constants.mu);
    TEST_ASSERT_DOUBLE_WITHIN(10, 1e5 * 0.45 / (1.45 * 0.1), (double)constants.lambda);
}

static void ranges_are_kept(void)
{
    piola_material m = piola_material_default();
    const float good_young[] = {1e-6f, 1, 1e9f, 1e12f};
    for (unsigned i = 0; i < 4; i++) {
        m.young = good_young[i];
        good(&m, KIND_TET);
        good(&m, KIND_TRIANGLE);
        m.bend = m.young;
        good(&m, KIND_BEND);
    }
    const float bad_young[] = {0, -1, -0.0f, INFINITY, NAN, 1e13f};
    for (unsigned i = 0; i < 6; i++) {
        m.young = bad_young[i];
        bad(&m, KIND_TET, "piola_material.young");
        m.bend = bad_young[i];
        bad(&m, KIND_BEND, "piola_material.bend");
    }
    m = piola_material_default();
    const float good_poisson[] = {-0.9f, 0, 0.3f, 0.499f};
    for (unsigned i = 0; i < 4; i++) {
        m.poisson = good_poisson[i];
        good(&m, KIND_TET);
    }
    const float bad_poisson[] = {-0.91f, 0.4991f, 0.5f, 1, NAN};
    for (unsigned i = 0; i < 5; i++) {
        m.poisson = bad_poisson[i];
        bad(&m, KIND_TET, "piola_material.poisson");
    }
    m = piola_material_default();
    m.bend = 1;
    const float bad_density[] = {0, -1, NAN, INFINITY, 1e10f};
    for (unsigned i = 0; i < 5; i++) {
        m.density = bad_density[i];
        bad(&m, KIND_TET, "piola_material.density");
        bad(&m, KIND_TRIANGLE, "piola_material.density");
        good(&m, KIND_BEND); /* a bend has no mass */
    }
    m = piola_material_default();
    m.damping = -1e-9f;
    bad(&m, KIND_TET, "piola_material.damping");
    m = piola_material_default();
    m.model = PIOLA_MODEL_COUNT;
    bad(&m, KIND_TET, "piola_material.model");
    m.model = (piola_model)-1;
    bad(&m, KIND_TET, "piola_material.model");
}

static void lame_constants_are_those_of_mechanics(void)
{
    uint64_t seed = fixture_seed();
    for (int n = 0; n < 1000; n++) {
        piola_material m = piola_material_default();
        m.model = n % 2 ? PIOLA_MODEL_STVK : PIOLA_MODEL_NEO_HOOKEAN;
        m.young = (float)pow(10, 9 * fixture_uniform(&seed));
        m.poisson = (float)(-0.9 + 1.399 * fixture_uniform(&seed));
        const double e = (double)m.young, nu = (double)m.poisson;
        const double mu = e / (2 * (1 + nu)), lambda = e * nu / ((1 + nu) * (1 - 2 * nu));
        const struct pk_material c = good(&m, KIND_TET);
        const double scale = fabs(lambda) + 2 * mu;
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * mu, mu, (double)c.mu);
        TEST_ASSERT_DOUBLE_WITHIN(1e-6 * scale, lambda, (double)c.lambda);
        for (unsigned i = 0; i < 6; i++) {
            for (unsigned j = 0; j < 6; j++) {
                const double expected = (i < 3 && j < 3 ? lambda + (i == j ? 2 * mu : 0)
                                         : i == j       ? mu
                                                        : 0);
                TEST_ASSERT_DOUBLE_WITHIN(1e-6 * scale, expected, at(c.stiffness, i, j));
            }
        }
    }
}

/* A sheet is in plane stress: pulled along one axis it resists with E and narrows by nu. */
static void sheets_are_in_plane_stress(void)
{
    piola_material m = piola_material_default();
    m.poisson = 0.3f;
    const struct pk_material c = good(&m, KIND_TRIANGLE);
    const double xx = 1, yy = -(double)m.poisson;
    TEST_ASSERT_DOUBLE_WITHIN(0.1, 1e5, at(c.stiffness, 0, 0) * xx + at(c.stiffness, 0, 1) * yy);
    TEST_ASSERT_DOUBLE_WITHIN(0.1, 0, at(c.stiffness, 1, 0) * xx + at(c.stiffness, 1, 1) * yy);
    TEST_ASSERT_DOUBLE_WITHIN(0.1, 1e5 / 2.6, at(c.stiffness, 5, 5));
    TEST_ASSERT_DOUBLE_WITHIN(0.1, 1e5 * 0.3 / 0.91, (double)c.lambda);
    TEST_ASSERT_EQUAL_FLOAT(0, c.stiffness[11]); /* zz zz */
}

static piola_material orthotropic(void)
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK_ORTHOTROPIC;
    const float young[3] = {1e6f, 4e5f, 2e5f}, shear[3] = {1e5f, 2e5f, 3e5f};
    const float poisson[3] = {0.3f, 0.25f, 0.1f};
    memcpy(m.young_axis, young, sizeof young);
    memcpy(m.shear_axis, shear, sizeof shear);
    memcpy(m.poisson_axis, poisson, sizeof poisson);
    return m;
}

/* Pulled along an axis the stress is E times the strain and the others' strains are -nu times it.
 */
static void orthotropic_constants_mean_what_they_say(void)
{
    piola_material m = orthotropic();
    const struct pk_material c = good(&m, KIND_TET);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        double strain[3];
        strain[i] = 1;
        strain[j] = -(double)m.poisson_axis[i];
        /* nu_ik / E_i = nu_ki / E_k */
        strain[k] = -(double)m.poisson_axis[k] * (double)m.young_axis[i] / (double)m.young_axis[k];
        for (unsigned row = 0; row < 3; row++) {
            double stress = 0;
            for (unsigned column = 0; column < 3; column++) {
                stress += at(c.stiffness, row, column) * strain[column];
            }
            TEST_ASSERT_DOUBLE_WITHIN(1, row == i ? (double)m.young_axis[i] : 0, stress);
        }
    }
    TEST_ASSERT_EQUAL_FLOAT(2e5f, (float)at(c.stiffness, 3, 3)); /* yz: G23 */
    TEST_ASSERT_EQUAL_FLOAT(3e5f, (float)at(c.stiffness, 4, 4)); /* xz: G31 */
    TEST_ASSERT_EQUAL_FLOAT(1e5f, (float)at(c.stiffness, 5, 5)); /* xy: G12 */
    m.poisson_axis[1] = 0.12f;                                   /* nu21 = nu12 E2 / E1 */
    const struct pk_material sheet = good(&m, KIND_TRIANGLE);
    const double yy = -(double)m.poisson_axis[0];
    TEST_ASSERT_DOUBLE_WITHIN(1, 1e6, at(sheet.stiffness, 0, 0) + at(sheet.stiffness, 0, 1) * yy);
    TEST_ASSERT_DOUBLE_WITHIN(1, 0, at(sheet.stiffness, 1, 0) + at(sheet.stiffness, 1, 1) * yy);
}

/* A sheet's two ratios: kweft nu_warp = kwarp nu_weft, or the second is derived. */
static void both_ratios_of_a_sheet_must_agree(void)
{
    piola_material m = orthotropic();
    m.poisson_axis[1] = 0;
    const struct pk_material derived = good(&m, KIND_TRIANGLE);
    m.poisson_axis[1] = 0.12f * 1.0005f;
    const struct pk_material given = good(&m, KIND_TRIANGLE);
    TEST_ASSERT_EQUAL_MEMORY(&derived, &given, sizeof given);
    m.poisson_axis[1] = 0.12f * 1.002f;
    bad(&m, KIND_TRIANGLE, "piola_material.poisson_axis");
    m.poisson_axis[1] = -0.12f;
    bad(&m, KIND_TRIANGLE, "piola_material.poisson_axis");
}

/* A sheet's stuff times its thickness, in every model; solids do not read it. */
static void thickness_multiplies(void)
{
    piola_material m = orthotropic();
    m.poisson_axis[1] = 0;
    for (unsigned i = 0; i < 21; i++)
        m.stiffness[i] = i == 0 || i == 6 || i == 20 ? 3e5f : 0;
    for (int model = 0; model < PIOLA_MODEL_COUNT; model++) {
        m.model = (piola_model)model;
        m.thickness = 0;
        const struct pk_material c = good(&m, KIND_TRIANGLE);
        m.thickness = 0.5f;
        const struct pk_material half = good(&m, KIND_TRIANGLE);
        TEST_ASSERT_FLOAT_WITHIN(1e-6f * c.mu, 0.5f * c.mu, half.mu);
        for (unsigned i = 0; i < 21; i++)
            TEST_ASSERT_FLOAT_WITHIN(1e-6f * c.stiffness[0], 0.5f * c.stiffness[i],
                                     half.stiffness[i]);
        TEST_ASSERT_EQUAL_DOUBLE(500, material_density(&m, KIND_TRIANGLE));
        TEST_ASSERT_EQUAL_DOUBLE(1000, material_density(&m, KIND_TET));
    }
    static const float wrong[] = {-1e-3f, 1e-10f, 2e3f, NAN, INFINITY};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        m.thickness = wrong[i];
        bad(&m, KIND_TRIANGLE, "piola_material.thickness");
    }
    m.thickness = 1e-9f;
    m.density = 1e-3f;
    bad(&m, KIND_TRIANGLE, "piola_material.density");
}

/* Given, or that of a plate as thick as the sheet; never a modulus taken for it. */
static void bends_are_as_stiff_as_a_plate(void)
{
    piola_material m = piola_material_default();
    m.young = 6e5f;
    m.poisson = 0.3f;
    bad(&m, KIND_BEND, "piola_material.bend");
    for (double t = 1e-5; t < 1; t *= 10) {
        m.thickness = (float)t;
        const double plate = 6e5 * t * t * t / (12 * (1 - 0.09));
        TEST_ASSERT_DOUBLE_WITHIN(1e-5 * plate, plate, 3 * (double)good(&m, KIND_BEND).mu);
    }
    m.bend = 0.25f;
    TEST_ASSERT_FLOAT_WITHIN(1e-7f, 0.25f / 3, good(&m, KIND_BEND).mu);
    m.bend = 0;
    m.model = PIOLA_MODEL_STVK_ORTHOTROPIC;
    bad(&m, KIND_BEND, "piola_material.bend");
}

static void impossible_orthotropy_is_refused(void)
{
    piola_material m = orthotropic();
    m.poisson_axis[0] = 2; /* nu12 nu21 = 4 * 4e5 / 1e6 > 1 */
    bad(&m, KIND_TET, "piola_material.poisson_axis");
    bad(&m, KIND_TRIANGLE, "piola_material.poisson_axis");
    m = orthotropic();
    m.poisson_axis[1] = NAN;
    bad(&m, KIND_TET, "piola_material.poisson_axis");
    bad(&m, KIND_TRIANGLE, "piola_material.poisson_axis");
    m = orthotropic();
    m.young_axis[2] = 0;
    bad(&m, KIND_TET, "piola_material.young_axis");
    m = orthotropic();
    m.shear_axis[1] = -1;
    bad(&m, KIND_TET, "piola_material.shear_axis");
}

/* Crushed anisotropic elements are held by an isotropic energy that must bound theirs from above,
 * and by no more than it has to: the difference of the matrices has no negative, and one zero,
 * eigenvalue. */
static void the_isotropic_part_covers_the_anisotropic_one(void)
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK_ORTHOTROPIC;
    for (int k = 0; k < 3; k++) {
        m.young_axis[k] = 1e5f * (float)(1 + 3 * k);
        m.poisson_axis[k] = 0.1f;
        m.shear_axis[k] = 4e4f;
    }
    struct pk_material c;
    const char *field = NULL;
    TEST_ASSERT_TRUE(material_convert(&m, KIND_TET, &c, &field));
    uint64_t random = fixture_seed();
    double least = 1e30;
    for (int round = 0; round < 200000; round++) {
        double v[6], iso = 0, own = 0, trace = 0;
        for (int i = 0; i < 6; i++)
            v[i] = 2 * fixture_uniform(&random) - 1;
        trace = v[0] + v[1] + v[2];
        iso = (double)c.lambda * trace * trace;
        for (int i = 0, at = 0; i < 6; i++) {
            iso += (i < 3 ? 2 : 1) * (double)c.mu * v[i] * v[i];
            for (int j = i; j < 6; j++, at++)
                own += (i == j ? 1 : 2) * (double)c.stiffness[at] * v[i] * v[j];
        }
        least = fmin(least, (iso - own) / iso);
    }
    TEST_ASSERT_TRUE(least >= -1e-6);
    TEST_ASSERT_TRUE(least < 0.05);
}

static void general_stiffness_must_be_definite(void)
{
    piola_material m = piola_material_default();
    m.model = PIOLA_MODEL_STVK_GENERAL;
    bad(&m, KIND_TET, "piola_material.stiffness");
    /* Random A^T A + c I is definite and comes through as it is. */
    uint64_t seed = fixture_seed();
    for (int n = 0; n < 200; n++) {
        double a[6][6];
        for (unsigned i = 0; i < 36; i++) {
            a[i / 6][i % 6] = 1e3 * (fixture_uniform(&seed) - 0.5);
        }
        for (unsigned i = 0, to = 0; i < 6; i++) {
            for (unsigned j = i; j < 6; j++, to++) {
                double sum = i == j ? 1e3 : 0;
                for (unsigned k = 0; k < 6; k++) {
                    sum += a[k][i] * a[k][j];
                }
                m.stiffness[to] = (float)sum;
            }
        }
        const struct pk_material c = good(&m, KIND_TET);
        TEST_ASSERT_EQUAL_MEMORY(m.stiffness, c.stiffness, sizeof c.stiffness);
        good(&m, KIND_TRIANGLE);
        /* A coupling larger than the diagonal allows. */
        piola_material broken = m;
        broken.stiffness[1] = 2 * sqrtf(m.stiffness[0] * m.stiffness[6]);
        bad(&broken, KIND_TET, "piola_material.stiffness");
        broken.stiffness[1] = NAN;
        bad(&broken, KIND_TET, "piola_material.stiffness");
    }
}

static void plasticity_needs_st_venant_kirchhoff(void)
{
    piola_material m = piola_material_default();
    m.plastic_yield = 0.01f;
    m.plastic_creep = 5;
    m.plastic_max = 0.1f;
    bad(&m, KIND_TET, "piola_material.plastic_yield");
    m.model = PIOLA_MODEL_NEO_HOOKEAN;
    bad(&m, KIND_TET, "piola_material.plastic_yield");
    m.model = PIOLA_MODEL_STVK;
    const struct pk_material c = good(&m, KIND_TET);
    TEST_ASSERT_EQUAL_FLOAT(0.01f, c.yield);
    TEST_ASSERT_EQUAL_FLOAT(5, c.creep);
    TEST_ASSERT_EQUAL_FLOAT(0.1f, c.max);
    TEST_ASSERT_EQUAL_FLOAT(0.01f, good(&m, KIND_TRIANGLE).yield);
    m.plastic_creep = -1;
    bad(&m, KIND_TET, "piola_material.plastic_creep");
    m.plastic_creep = 1;
    m.plastic_max = NAN;
    bad(&m, KIND_TET, "piola_material.plastic_max");
    m.plastic_yield = -1;
    bad(&m, KIND_TET, "piola_material.plastic_yield");
}

/* Only materials in use are checked, each for the kinds that use it. */
static void unused_materials_may_be_anything(void)
{
    any_mesh_box();
    piola_mesh_desc desc = any_mesh_describe();
    desc.material_count = 3;
    any_materials[2].young = -1;
    (void)fixture_compile(&desc);
    uint32_t *which = fixture_memory(desc.tetrahedron_count * sizeof *which);
    which[7] = 2;
    desc.tetrahedron_materials = which;
    size_t bytes = 0;
    piola_error error = {0};
    piola_plan *plan = NULL;
    fixture_ok(piola_plan_size(&desc, &bytes, &error), &error);
    TEST_ASSERT_EQUAL_INT(PIOLA_ERROR_MATERIAL,
                          piola_asset_plan(&desc, fixture_memory(bytes), bytes, &plan, &error));
    TEST_ASSERT_EQUAL_STRING("piola_material.young", error.field);
    TEST_ASSERT_EQUAL_UINT64(2, error.item);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(default_is_soft_rubber);
    RUN_TEST(ranges_are_kept);
    RUN_TEST(lame_constants_are_those_of_mechanics);
    RUN_TEST(sheets_are_in_plane_stress);
    RUN_TEST(orthotropic_constants_mean_what_they_say);
    RUN_TEST(both_ratios_of_a_sheet_must_agree);
    RUN_TEST(thickness_multiplies);
    RUN_TEST(bends_are_as_stiff_as_a_plate);
    RUN_TEST(impossible_orthotropy_is_refused);
    RUN_TEST(the_isotropic_part_covers_the_anisotropic_one);
    RUN_TEST(general_stiffness_must_be_definite);
    RUN_TEST(plasticity_needs_st_venant_kirchhoff);
    RUN_TEST(unused_materials_may_be_anything);
    return UNITY_END();
}
