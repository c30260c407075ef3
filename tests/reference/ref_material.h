/* Hyperelastic materials of the reference, in double: energy density Psi(F) (J/m^3), first Piola
 * stress P(F) = dPsi/dF (Pa) and the exact, analytic 9x9 Hessian d2Psi/dF2 (Pa). Each is one C1
 * potential over all of F, inverted states included; tests/reference/README.md derives the
 * continuations. The only places without a gradient are F with s_2 = -s_3 (a set of codimension
 * two, where the sign of an inverted element cannot be attributed to one direction) and collapse to
 * a line or a point. Flattening of F, P and H: component 3 row + column. */
#ifndef REF_MATERIAL_H
#define REF_MATERIAL_H

#include <stdbool.h>

#include "ref_mat3.h"

typedef enum {
    REF_STVK,         /* St Venant-Kirchhoff: isotropic, orthotropic or general */
    REF_STVK_PRODUCT, /* isotropic, with the plain tensor-product continuation: kept only to show
                         where it fails (stable inverted states, see the README) */
    REF_NEO_HOOKEAN,  /* the paper's, eq. (8), continued below a principal stretch */
    REF_NEO_HOOKEAN_PRODUCT, /* the same with the plain tensor-product continuation */
    REF_STABLE_NEO_HOOKEAN   /* design section 6: polynomial, no continuation */
} ref_model;

/* Fill with one of the functions below. */
typedef struct {
    ref_model model;
    double mu, lambda; /* Lame constants (Pa) of the isotropic models */
    double s_min;      /* principal stretch below which the continuation starts */
    double guard;      /* Pa; stable Neo-Hookean only */
    double c[6][6];    /* StVK: Voigt matrix in world-aligned rest axes */
    bool blended;      /* StVK: c or plastic differ from the isotropic (mu, lambda) part */
    ref_mat3 plastic;  /* plastic Green strain; change it with ref_material_set_plastic */
} ref_material;

/* Below this principal stretch the force of StVK softens, so the continuation starts here:
 * 1/sqrt(3). */
#define REF_STVK_S_MIN 0.57735026918962576451

/* Default for Neo-Hookean; see the README. */
#define REF_NEO_HOOKEAN_S_MIN 0.5

/* Young's modulus in Pa > 0; Poisson's ratio in (-1, 0.5). */
ref_material ref_stvk(double young, double poisson);
ref_material ref_stvk_product(double young, double poisson);
ref_material ref_neo_hookean(double young, double poisson, double s_min);
ref_material ref_neo_hookean_product(double young, double poisson, double s_min);

/* guard (Pa) >= 0: strength of a term that is zero where |F| >= 1 (so wherever all stretches are
 * above 1/sqrt(3)) and pushes a collapsed element open. 0 is the bare form, which keeps a stable
 * equilibrium at F = 0; mu is the recommended value. */
ref_material ref_stable_neo_hookean(double young, double poisson, double guard);

/* nu_ij is the contraction along j when pulled along i; nu_ji = nu_ij E_j / E_i follows. */
typedef struct {
    double e1, e2, e3;
    double nu12, nu13, nu23;
    double g12, g13, g23;
} ref_orthotropic;

/* Columns of `frame` (a rotation) are the material axes 1, 2, 3 in rest space. False, and nothing
 * written, when the constants are not those of a positive definite material. */
bool ref_stvk_orthotropic(ref_material *out, const ref_orthotropic *constants, ref_mat3 frame);

/* Row-major 6x6 stress = c strain in material axes, order xx, yy, zz, yz, xz, xy with engineering
 * shear (2 eps_yz ...). False when c is not symmetric (to 1e-12 of its largest entry) and positive
 * definite. */
bool ref_stvk_general(ref_material *out, const double c[36], ref_mat3 frame);

double ref_energy(const ref_material *material, ref_mat3 f);
ref_mat3 ref_stress(const ref_material *material, ref_mat3 f);
ref_mat9 ref_hessian(const ref_material *material, ref_mat3 f);

/* The Hessian with its negative eigenvalues raised to zero (not to the nearest definite matrix
 * where an anisotropic and an isotropic part overlap: there it is the exact eigen-projection of the
 * sum). */
ref_mat9 ref_hessian_projected(const ref_material *material, ref_mat3 f);

/* Elastic strain becomes E - plastic. StVK only; plastic must be symmetric. */
void ref_material_set_plastic(ref_material *material, ref_mat3 plastic);

typedef struct {
    double yield; /* Frobenius norm of the elastic deviator above which plastic strain flows */
    double creep; /* rate, 1/s; dt * creep is limited to 1, which absorbs the whole deviator */
    double max; /* bound on the Frobenius norm of the plastic strain; keep below 0.4, see README */
} ref_plasticity;

/* The plastic strain after a time dt (s) at deformation gradient f. */
ref_mat3 ref_plastic_update(const ref_plasticity *law, ref_mat3 plastic, ref_mat3 f, double dt);

#endif
