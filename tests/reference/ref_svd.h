/* 3x3 singular values with rotations, and eigenpairs of small symmetric matrices, by Jacobi. */
#ifndef REF_SVD_H
#define REF_SVD_H

#include "ref_mat3.h"

/* F = U diag(s) V^T with U and V rotations (det +1), s[0] >= s[1] >= |s[2]|; s[2] carries the
 * sign of det F. Zero, rank-deficient, huge and tiny matrices are all welcome; F = 0 gives
 * U = V = I. Entries must be finite. */
typedef struct {
    ref_mat3 u, v;
    double s[3];
} ref_svd;

ref_svd ref_svd_compute(ref_mat3 f);

/* Eigenpairs of the symmetric n x n row-major matrix a (destroyed), n <= 12. Column k of `vectors`
 * (row-major n x n) belongs to values[k]; no order is promised. */
void ref_eigen_symmetric(int n, double *a, double *values, double *vectors);

/* Replaces the eigenvalues of a symmetric n x n row-major matrix that are below `floor` by it. */
void ref_project_positive(int n, double *a, double floor);

#endif
