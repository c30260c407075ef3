/* material.c - ranges of material constants, Lame constants, stiffness matrices.
 *
 * All arithmetic is in double precision; what a kernel does with the constants lives in ispc/.
 */
#include "compile/material.h"

#include "base/cookies.h"
#include "compile/mesh.h"
#include "kernels/models.h"

#include <math.h>
#include <string.h>

#define X(NAME, ...)                                                                               \
    _Static_assert((int)PK_MODEL_##NAME == (int)PIOLA_MODEL_##NAME, "the public header's number");
MODELS(X)
#undef X
_Static_assert((int)PK_MODELS == (int)PIOLA_MODEL_COUNT, "each model is in the list");

/* Outside these a product with a rest shape could leave single precision: see rest_shape.h. */
#define MODULUS_MIN 1e-12
#define MODULUS_MAX 1e12
#define DENSITY_MIN 1e-9
#define DENSITY_MAX 1e9
/* A hinge cannot be folded farther, rad: pi as single precision rounds it. */
#define CREASE_MAX ((double)3.14159265f)

piola_material piola_material_default(void)
{
    piola_material material;
    memset(&material, 0, sizeof material);
    material.cookie_ = COOKIE_MATERIAL;
    material.model = (piola_model)PK_MODEL_DEFAULT;
    material.density = 1000;
    material.young = 1e5f;
    material.poisson = 0.45f;
    return material;
}

/* False for NaN too. */
static bool within(float value, double least, double most)
{
    return (double)value >= least && (double)value <= most;
}

/* A symmetric matrix is positive definite exactly when Cholesky's method finds its root. */
static bool positive_definite(double m[6][6], unsigned order)
{
    for (unsigned j = 0; j < order; j++) {
        const double before = m[j][j];
        for (unsigned k = 0; k < j; k++)
            m[j][j] -= m[j][k] * m[j][k];
        /* Less than this share left of the pivot is rounding of single-precision constants. */
        if (!(m[j][j] > 1e-6 * before) || !(before > 0))
            return false;
        const double pivot = sqrt(m[j][j]);
        for (unsigned i = j + 1; i < order; i++) {
            for (unsigned k = 0; k < j; k++)
                m[i][j] -= m[i][k] * m[j][k];
            m[i][j] /= pivot;
        }
        m[j][j] = pivot;
    }
    return true;
}

/* Written so that a value that is not a number fails. */
static bool check_stretches(const piola_material *m, unsigned kind, const char **field)
{
    const bool none = m->stretch_min == 0 && m->stretch_max == 0;
    *field = "piola_material.stretch_min";
    if (!(m->stretch_min == 0 || within(m->stretch_min, (double)0.01f, 1)))
        return false;
    *field = "piola_material.stretch_max";
    return (m->stretch_max == 0 || within(m->stretch_max, 1, 100)) &&
           (none || kind == KIND_TRIANGLE);
}

/* Of bends: creases, angles in rad; the isometric energy has no angle that could flow. */
static bool check_creases(const piola_material *m, const char **field)
{
    *field = "piola_material.plastic_yield";
    if (!within(m->plastic_yield, 0, 1e6) ||
        (m->plastic_yield > 0 && m->bend_model != PIOLA_BEND_DIHEDRAL))
        return false;
    *field = "piola_material.plastic_creep";
    if (m->plastic_yield > 0 && !within(m->plastic_creep, 0, 1e6))
        return false;
    *field = "piola_material.plastic_max";
    return !(m->plastic_yield > 0) || within(m->plastic_max, 0, CREASE_MAX);
}

/* Written so that a value that is not a number fails. */
static bool check_relaxation(const piola_material *m, unsigned kind, const char **field)
{
    for (unsigned b = 0; b < PIOLA_RELAXATIONS; b++) {
        const piola_relaxation *r = &m->relaxation[b];
        *field = "piola_material.relaxation";
        if (!(r->share == 0 || (kind == KIND_TET && within(r->share, 1e-6, 1e6))))
            return false;
        *field = "piola_material.relaxation.time";
        if (r->share > 0 && !within(r->time, 1e-9, 1e9))
            return false;
    }
    return true;
}

static bool check_common(const piola_material *m, unsigned kind, const char **field)
{
    *field = "piola_material.model";
    if ((unsigned)m->model >= PIOLA_MODEL_COUNT)
        return false;
    *field = "piola_material.damping";
    if (!within(m->damping, 0, 1e6))
        return false;
    if (!check_relaxation(m, kind, field))
        return false;
    if (kind == KIND_BEND)
        return check_creases(m, field);
    *field = "piola_material.mass_damping";
    if (!within(m->mass_damping, 0, 1e6))
        return false;
    if (!check_stretches(m, kind, field))
        return false;
    *field = "piola_material.density";
    if (!within(m->density, DENSITY_MIN, DENSITY_MAX))
        return false;
    *field = "piola_material.plastic_yield";
    if (!within(m->plastic_yield, 0, 1e6) || (m->plastic_yield > 0 && !model_strain((int)m->model)))
        return false;
    *field = "piola_material.plastic_creep";
    if (m->plastic_yield > 0 && !within(m->plastic_creep, 0, 1e6))
        return false;
    *field = "piola_material.plastic_max";
    return !(m->plastic_yield > 0) || within(m->plastic_max, 0, 1e6);
}

static bool constants_isotropic(const piola_material *m, unsigned kind, double c[6][6],
                                const char **field)
{
    *field = "piola_material.young";
    if (!within(m->young, MODULUS_MIN, MODULUS_MAX))
        return false;
    *field = "piola_material.poisson";
    /* The bounds as single precision writes them. */
    if (!within(m->poisson, (double)-0.9f, (double)0.499f))
        return false;
    const double young = (double)m->young, nu = (double)m->poisson;
    const double mu = young / (2 * (1 + nu));
    const double lambda =
        kind == KIND_TRIANGLE ? young * nu / (1 - nu * nu) : young * nu / ((1 + nu) * (1 - 2 * nu));
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++)
            c[i][j] = lambda + (i == j ? 2 * mu : 0);
        c[i + 3][i + 3] = mu;
    }
    return true;
}

/* Inverts the symmetric 3x3 compliance; false when it is not positive definite. */
static bool invert(double s[3][3], double c[6][6], unsigned order)
{
    double copy[6][6] = {{0}};
    for (unsigned i = 0; i < 3; i++)
        memcpy(copy[i], s[i], sizeof s[i]);
    if (!positive_definite(copy, order))
        return false;
    if (order == 2)
        s[2][2] = 1; /* the rest of the matrix is zero: inverting all of it inverts the corner */
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++) {
            const unsigned a = (i + 1) % 3, b = (i + 2) % 3, k = (j + 1) % 3, l = (j + 2) % 3;
            c[i][j] = s[a][k] * s[b][l] - s[a][l] * s[b][k];
        }
    }
    const double det = s[0][0] * c[0][0] + s[0][1] * c[0][1] + s[0][2] * c[0][2];
    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++)
            c[i][j] /= det;
    return true;
}

/* Of a sheet: kweft nu_warp = kwarp nu_weft, where both ratios are given. */
static bool symmetric_ratios(const piola_material *m)
{
    const double along = (double)m->young_axis[0] * (double)m->poisson_axis[1];
    const double across = (double)m->young_axis[1] * (double)m->poisson_axis[0];
    const double square = (along - across) * (along - across);
    return m->poisson_axis[1] == 0 || square <= 1e-6 * (along * along + across * across) / 2;
}

static bool constants_orthotropic(const piola_material *m, unsigned kind, double c[6][6],
                                  const char **field)
{
    const unsigned axes = kind == KIND_TRIANGLE ? 2 : 3;
    double s[3][3] = {{0}};
    *field = "piola_material.young_axis";
    for (unsigned i = 0; i < axes; i++) {
        if (!within(m->young_axis[i], MODULUS_MIN, MODULUS_MAX))
            return false;
        s[i][i] = 1 / (double)m->young_axis[i];
    }
    *field = "piola_material.shear_axis"; /* G12, G23, G31 stand at xy, yz, xz */
    for (unsigned i = 0; i < (axes == 2 ? 1 : 3); i++) {
        if (!within(m->shear_axis[i], MODULUS_MIN, MODULUS_MAX))
            return false;
        const unsigned voigt[3] = {5, 3, 4};
        c[voigt[i]][voigt[i]] = (double)m->shear_axis[i];
    }
    *field = "piola_material.poisson_axis"; /* nu12, nu23, nu31; the other three by symmetry */
    for (unsigned i = 0; i < (axes == 2 ? 1 : 3); i++) {
        if (!within(m->poisson_axis[i], -10, 10))
            return false;
        const unsigned j = (i + 1) % 3;
        if (axes == 2 && !symmetric_ratios(m))
            return false;
        s[i][j] = s[j][i] = -(double)m->poisson_axis[i] * s[i][i];
    }
    return invert(s, c, axes);
}

/* True where a matrix of a sheet has entries. */
static bool in_plane(unsigned i, unsigned j)
{
    return (i < 2 || i == 5) && (j < 2 || j == 5);
}

static bool constants_general(const piola_material *m, unsigned kind, double c[6][6],
                              const char **field)
{
    double copy[6][6] = {{0}};
    *field = "piola_material.stiffness";
    for (unsigned i = 0, at = 0; i < 6; i++) {
        for (unsigned j = i; j < 6; j++, at++) {
            /* A sheet has the rows and columns xx, yy, xy only. */
            if (kind == KIND_TRIANGLE && !in_plane(i, j))
                continue;
            if (!within(m->stiffness[at], -MODULUS_MAX, MODULUS_MAX))
                return false;
            c[i][j] = c[j][i] = (double)m->stiffness[at];
            copy[i][j] = copy[j][i] = c[i][j];
        }
    }
    if (kind == KIND_TRIANGLE)
        copy[2][2] = copy[3][3] = copy[4][4] = 1;
    for (unsigned i = 0; i < 6; i++)
        if (!(copy[i][i] >= MODULUS_MIN))
            return false;
    return positive_definite(copy, 6);
}

/* The 6x6 matrix of the model's linear law, of a model that exists. */
static bool constants_of(const piola_material *m, unsigned kind, double c[6][6], const char **field)
{
#define X(NAME, name, law, ...)                                                                    \
    if (m->model == PIOLA_MODEL_##NAME)                                                            \
        return constants_##law(m, kind, c, field);
    MODELS(X)
#undef X
    return false;
}

/* Lame constants of the isotropic stiffness nearest to c (Voigt's averages; of a sheet, the plane
 * ones); exact when c is isotropic. */
static void average(const double c[6][6], unsigned kind, double *lambda, double *mu)
{
    if (kind == KIND_TRIANGLE) {
        const double on = c[0][0] + c[1][1], off = c[0][1];
        *mu = (on - 2 * off + 4 * c[5][5]) / 8;
        *lambda = (on + 2 * off) / 4 - *mu;
        return;
    }
    const double on = c[0][0] + c[1][1] + c[2][2];
    const double off = c[0][1] + c[1][2] + c[0][2];
    const double shear = c[3][3] + c[4][4] + c[5][5];
    *mu = (on - off + 3 * shear) / 15;
    *lambda = (on + 2 * off) / 9 - 2 * *mu / 3;
}

static bool covers(const double c[6][6], unsigned kind, double lambda, double mu)
{
    double gap[6][6];
    for (unsigned i = 0; i < 6; i++) {
        for (unsigned j = 0; j < 6; j++) {
            const double on = i < 3 ? 2 * mu : mu;
            gap[i][j] = (i < 3 && j < 3 ? lambda : 0) + (i == j ? on : 0) - c[i][j];
            if (kind == KIND_TRIANGLE && !in_plane(i, j))
                gap[i][j] = i == j;
        }
    }
    return positive_definite(gap, 6);
}

/* The least factor f >= 1 for which f C_iso - c is positive, so that the isotropic energy bounds
 * the anisotropic one: it holds crushed elements (docs/method/solids.md). A power of two covers: c
 * is definite, and C_iso its average. */
static double covering_factor(const double c[6][6], unsigned kind, double lambda, double mu)
{
    double high = 1;
    for (unsigned doubling = 0; doubling < 60 && !covers(c, kind, high * lambda, high * mu);
         doubling++)
        high *= 2;
    double low = high > 1 ? high / 2 : 1;
    for (unsigned halving = 0; halving < 40; halving++) {
        const double middle = 0.5 * (low + high);
        if (covers(c, kind, middle * lambda, middle * mu))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static void keep_plane(double c[6][6])
{
    for (unsigned i = 0; i < 6; i++)
        for (unsigned j = 0; j < 6; j++)
            c[i][j] = in_plane(i, j) ? c[i][j] : 0;
}

static void write_constants(const piola_material *m, unsigned kind, const double c[6][6],
                            struct pk_material *out)
{
    double lambda = 0, mu = 0;
    average(c, kind, &lambda, &mu);
    const double factor =
        model_anisotropic((int)m->model) ? covering_factor(c, kind, lambda, mu) : 1;
    out->mu = (float)(factor * mu);
    out->lambda = (float)(factor * lambda);
    for (unsigned i = 0, at = 0; i < 6; i++)
        for (unsigned j = i; j < 6; j++, at++)
            out->stiffness[at] = (float)c[i][j];
}

static void write_flow(const piola_material *m, struct pk_material *out)
{
    out->yield = m->plastic_yield;
    out->creep = m->plastic_yield > 0 ? m->plastic_creep : 0;
    out->max = m->plastic_yield > 0 ? m->plastic_max : 0;
}

/* A sheet's stuff of this thickness per area. Products out of range are refused by their field. */
static piola_material spread_out(const piola_material *material, unsigned kind)
{
    piola_material m = *material;
    if (kind != KIND_TRIANGLE || m.thickness == 0)
        return m;
    m.density *= m.thickness;
    m.young *= m.thickness;
    for (unsigned i = 0; i < 3; i++) {
        m.young_axis[i] *= m.thickness;
        m.shear_axis[i] *= m.thickness;
    }
    for (unsigned i = 0; i < 21; i++)
        m.stiffness[i] *= m.thickness;
    return m;
}

/* N m: given, or of a plate of the material. 0 when it has neither. */
static float bending_stiffness(const piola_material *m)
{
    const double t = (double)m->thickness, nu = (double)m->poisson;
    if (m->bend != 0 || !(t > 0) || model_anisotropic((int)m->model))
        return m->bend;
    return (float)((double)m->young * t * t * t / (12 * (1 - nu * nu)));
}

double material_density(const piola_material *material, unsigned kind)
{
    const piola_material m = spread_out(material, kind);
    return (double)m.density;
}

bool material_convert(const piola_material *material, unsigned kind, struct pk_material *constants,
                      const char **field)
{
    memset(constants, 0, sizeof *constants);
    if (kind == KIND_LINK) {
        *field = "piola_material.density";
        if (!within(material->density, DENSITY_MIN, DENSITY_MAX))
            return false;
        *field = "piola_material.mass_damping";
        return within(material->mass_damping, 0, 1e6);
    }
    *field = "piola_material.thickness";
    if (kind == KIND_TRIANGLE && material->thickness != 0 &&
        !within(material->thickness, (double)1e-9f, 1e3))
        return false;
    const piola_material m = spread_out(material, kind);
    if (!check_common(&m, kind, field))
        return false;
    constants->model = (pk_u32)m.model;
    constants->damping = m.damping;
    for (unsigned b = 0; b < PIOLA_RELAXATIONS; b++)
        constants->branches += m.relaxation[b].share > 0;
    write_flow(&m, constants);
    constants->density = kind == KIND_TRIANGLE ? m.density : 0;
    constants->stretch_min = kind == KIND_TRIANGLE ? m.stretch_min : 0;
    constants->stretch_max = kind == KIND_TRIANGLE ? m.stretch_max : 0;
    if (kind == KIND_BEND) {
        *field = "piola_material.bend";
        /* The paper's Q costs a cylinder three times its B / 2 R^2 an area: docs/method/cloth.md.
         */
        const float stiffness = bending_stiffness(&m);
        constants->mu = stiffness / 3;
        constants->model = (pk_u32)m.bend_model;
        if (!within(stiffness, MODULUS_MIN, MODULUS_MAX))
            return false;
        *field = "piola_material.bend_model";
        return (unsigned)m.bend_model < PIOLA_BEND_MODEL_COUNT;
    }
    double c[6][6] = {{0}};
    if (!constants_of(&m, kind, c, field))
        return false;
    if (kind == KIND_TRIANGLE)
        keep_plane(c);
    write_constants(&m, kind, c, constants);
    return true;
}

float material_bend_factor(const piola_material *material)
{
    struct pk_material constants;
    const char *field;
    (void)material_convert(material, KIND_BEND, &constants, &field);
    return constants.mu;
}

bool material_constants_sound(const struct pk_material *c, unsigned kind)
{
    if (c->model >= PIOLA_MODEL_COUNT || !within(c->damping, 0, 1e6) || !within(c->yield, 0, 1e6) ||
        !within(c->creep, 0, 1e6) || !within(c->max, 0, 1e6) ||
        (c->yield > 0 && kind == KIND_BEND &&
         (c->model != PIOLA_BEND_DIHEDRAL || !(within(c->max, 0, CREASE_MAX)))) ||
        !(c->stretch_min == 0 || (kind == KIND_TRIANGLE && within(c->stretch_min, 0.005, 1))) ||
        !(c->stretch_max == 0 || (kind == KIND_TRIANGLE && within(c->stretch_max, 1, 100))) ||
        c->branches > (kind == KIND_TET ? PK_BRANCHES : 0) ||
        (kind == KIND_TRIANGLE && !within(c->density, DENSITY_MIN, DENSITY_MAX)) ||
        !within(c->mu, MODULUS_MIN / 10, MODULUS_MAX * 1000) ||
        !within(c->lambda, -MODULUS_MAX * 1000, MODULUS_MAX * 1000))
        return false;
    if (kind == KIND_BEND)
        return c->model < PIOLA_BEND_MODEL_COUNT;
    double m[6][6] = {{0}};
    for (unsigned i = 0, at = 0; i < 6; i++) {
        for (unsigned j = i; j < 6; j++, at++) {
            if (!within(c->stiffness[at], -MODULUS_MAX * 1000, MODULUS_MAX * 1000))
                return false;
            m[i][j] = m[j][i] = (double)c->stiffness[at];
        }
    }
    for (unsigned i = 2; i < 5 && kind == KIND_TRIANGLE; i++)
        m[i][i] = 1; /* a sheet has no constants there */
    return positive_definite(m, 6);
}
