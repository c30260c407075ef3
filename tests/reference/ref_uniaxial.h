/* One element pulled along an axis with free sides: F = diag(l, t, t). Closed forms where there are
 * any, bisection of the scalar equation of the free sides otherwise; independent of ref_material.c.
 */
#ifndef REF_UNIAXIAL_H
#define REF_UNIAXIAL_H

typedef struct {
    double stress;     /* first Piola stress along the axis, Pa */
    double transverse; /* stretch t of the sides */
} ref_uniaxial;

/* P = k l (l^2 - 1) / 2, t^2 = 1 - nu (l^2 - 1); valid while l and t stay above 1/sqrt(3). */
ref_uniaxial ref_uniaxial_stvk(double young, double poisson, double stretch);

/* mu (t^2 - 1) + lambda log(l t^2) = 0; valid for lambda >= 0 and stretches above s_min. */
ref_uniaxial ref_uniaxial_neo_hookean(double young, double poisson, double stretch);

/* mu + l ((lambda + mu)(l t^2 - 1) - mu) = 0 */
ref_uniaxial ref_uniaxial_stable_neo_hookean(double young, double poisson, double stretch);

#endif
