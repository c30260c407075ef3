/* The engine's local solvers in plain double precision, one vertex or element after the other, in
 * index order or in an order the caller gives. One call is one iteration. Contacts, damping and
 * acceleration are not here. */
#ifndef REF_VBD_H
#define REF_VBD_H

#include "ref_fem.h"

/* Elements around each vertex. */
typedef struct {
    int *start; /* vertices + 1 */
    int *tet;
} ref_incidence;

bool ref_incidence_create(ref_incidence *out, const ref_fem *fem);
void ref_incidence_free(ref_incidence *i);

/* Vertex block descent on G: each free vertex takes one Newton step in its own three coordinates
 * with the 3x3 blocks of its elements (eigenvalues of each element's block raised to zero; the
 * block of bare stable Neo-Hookean is used as it is, being exact), halved until G does not rise, at
 * most `max_halvings` times, else not taken. order: a permutation of the vertices, or NULL. Returns
 * the number of vertices that had to halve. */
int ref_descent_iteration(const ref_fem *fem, const ref_incidence *around,
                          const ref_problem *problem, const int *order, int max_halvings,
                          double *x);

/* The paper: C = E, dx_i = -w_i grad_i C * C / sum w |grad C|^2. order: of elements, or NULL. */
void ref_energy_projection_iteration(const ref_fem *fem, const int *order, double *x);

/* XPBD with C = sqrt(2 E), compliance 1: alpha = 1 / dt^2. multiplier (one an element) starts a
 * step at zero. */
void ref_compliant_iteration(const ref_fem *fem, const int *order, double dt, double *multiplier,
                             double *x);

/* Fixed multiplier -dt^2 in a Jacobi fashion: all gradients at the positions on entry (Appendix A,
 * with x the predicted positions and `at` those where forces act). */
void ref_explicit_projection(const ref_fem *fem, double dt, const double *at, double *x);

#endif
