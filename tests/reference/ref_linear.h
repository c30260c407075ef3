/* Symmetric sparse systems of 3x3 vertex blocks: a block-CSR matrix and a direct Cholesky solver
 * with reverse Cuthill-McKee order and envelope storage. Knows nothing of elements or materials. */
#ifndef REF_LINEAR_H
#define REF_LINEAR_H

#include <stdbool.h>

/* Full (both triangles) symmetric pattern; columns ascend in a row, the diagonal is present. Block
 * k is value[9 k], row-major. */
typedef struct {
    int rows;
    int *start; /* rows + 1 */
    int *column;
    double *value;
} ref_blocks;

/* Pattern of all pairs of vertices that share a cell of `corners` indices. */
bool ref_blocks_create(ref_blocks *out, int rows, int cells, int corners, const int *index);
void ref_blocks_free(ref_blocks *a);
void ref_blocks_clear(ref_blocks *a);

/* The 3x3 block (row, column), which must be in the pattern. */
double *ref_blocks_at(const ref_blocks *a, int row, int column);

/* y = A x */
void ref_blocks_multiply(const ref_blocks *a, const double *x, double *y);

typedef struct {
    int rows;
    int *order;   /* order[new] = old */
    int *place;   /* place[old] = new */
    int *first;   /* first block column of a block row's envelope, in the new order */
    long *offset; /* of a block row in `l`, 3 scalar rows of 3 (row - first + 1) each */
    double *l;
    double *work;
} ref_factor;

bool ref_factor_create(ref_factor *out, const ref_blocks *pattern);
void ref_factor_free(ref_factor *f);

/* L L^T = A; false when A is not positive definite. */
bool ref_factor_compute(ref_factor *f, const ref_blocks *a);

/* x = A^-1 b; x may be b. */
void ref_factor_solve(ref_factor *f, const double *b, double *x);

#endif
