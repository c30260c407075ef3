/* Membranes in double precision: the energy of a triangle per rest area, Psi(F) in N/m, for the 3x2
 * deformation gradient F = [x1 - x0, x2 - x0] Dm^-1, its derivative and its exact 6x6 Hessian. All
 * depend on C = F^T F alone, so a triangle has no inside and outside. The models are the plain
 * ones, without any continuation for crushed triangles: keep the smaller stretch above 1/sqrt(3)
 * (StVK) when the engine is compared with this. F flattens column by column: component 3 column +
 * row. */
#ifndef REF_MEMBRANE_H
#define REF_MEMBRANE_H

#include <stdbool.h>

typedef enum {
    REF_MEMBRANE_STVK,       /* E : c : E / 2, isotropic or orthotropic */
    REF_MEMBRANE_NEO_HOOKEAN /* mu/2 (tr C - log det C - 2) + lambda/8 log^2 det C */
} ref_membrane_model;

typedef struct {
    ref_membrane_model model;
    double mu, lambda; /* N/m, plane stress */
    double c[3][3];    /* StVK: stress (11, 22, 12) from strain (11, 22, 2 x 12), N/m */
} ref_membrane;

/* Plane stress: young in N/m (Young's modulus times thickness), poisson in (-1, 1):
 * mu = k / (2 (1 + nu)), lambda = k nu / (1 - nu^2). */
ref_membrane ref_membrane_stvk(double young, double poisson);
ref_membrane ref_membrane_neo_hookean(double young, double poisson);

/* Along the triangle's axes 1 and 2; poisson12 is the contraction along 2 when pulled along 1, and
 * poisson21 = poisson12 young2 / young1. */
ref_membrane ref_membrane_orthotropic(double young1, double young2, double poisson12, double shear);

double ref_membrane_energy(const ref_membrane *m, const double f[6]);
/* P = dPsi/dF, N/m. */
double ref_membrane_stress(const ref_membrane *m, const double f[6], double p[6]);
void ref_membrane_hessian(const ref_membrane *m, const double f[6], double h[6][6]);

#endif
