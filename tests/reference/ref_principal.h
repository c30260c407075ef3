/* Isotropic potentials as functions of the three signed singular values of F: value, first and
 * second derivatives, and the passage back to F-space. Internal to the reference's materials. */
#ifndef REF_PRINCIPAL_H
#define REF_PRINCIPAL_H

#include <stdbool.h>

#include "ref_svd.h"

/* The pairs (0,1), (0,2), (1,2) index `minus` and `plus`. */
typedef struct {
    double value;
    double f[3];    /* d value / d s_i */
    double h[3][3]; /* second derivatives */
    double
        minus[3]; /* (f_i - f_j) / (s_i - s_j): curvature of a flip, a symmetric off-diagonal dF */
    double plus[3]; /* (f_i + f_j) / (s_i + s_j): curvature of a twist, an antisymmetric dF */
} ref_principal;

/* Functions of one stretch, each with two derivatives. */
typedef struct {
    double g, g1, g2;
    double c, c1, c2;
} ref_profile;

typedef ref_profile (*ref_profile_function)(const void *context, double s);

/* sum_i g(s_i) + coupling * sum_{i<j} c(s_i) c(s_j) */
ref_principal ref_principal_pairs(ref_profile_function profile, const void *context,
                                  double coupling, const double s[3]);

/* c(s_0) c(s_1) c(s_2) */
ref_principal ref_principal_product(ref_profile_function profile, const void *context,
                                    const double s[3]);

ref_mat3 ref_principal_stress(const ref_svd *d, const ref_principal *p);

/* Second derivative with respect to F; `project` raises every negative eigenvalue to zero. */
ref_mat9 ref_principal_hessian(const ref_svd *d, const ref_principal *p, bool project);

#endif
