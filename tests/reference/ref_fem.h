/* Linear tetrahedra: energy, gradient and tangent of a body, the objective of one implicit-Euler
 * step or of a static load, and its minimiser (Newton, sparse direct, safeguarded). Positions are 3
 * doubles a vertex (m), forces in N, energies in J. Forces are minus the gradient. */
#ifndef REF_FEM_H
#define REF_FEM_H

#include <stdbool.h>

#include "ref_linear.h"
#include "ref_material.h"
#include "ref_mesh.h"

typedef struct {
    int vertices, tets;
    int *tet;                /* 4 a tetrahedron */
    ref_mat3 *dm_inverse;    /* of (X0 - X3, X1 - X3, X2 - X3) */
    double *volume;          /* m^3 */
    double *mass;            /* lumped, kg a vertex */
    bool *pinned;            /* the caller sets these; a pinned vertex never moves */
    bool *held;              /* likewise, 3 a vertex: of which coordinates never move */
    ref_material *materials; /* copies */
    int *material;           /* index a tetrahedron */
    ref_mat3 *plastic;       /* plastic Green strain a tetrahedron, or NULL; the caller's */
    ref_blocks tangent;
    ref_factor factor;
} ref_fem;

/* `material` gives each element's index, NULL for all zero; density in kg/m^3. False when out of
 * memory or when an element has no volume. Orientation of elements does not matter. */
bool ref_fem_create(ref_fem *out, const ref_mesh *mesh, const ref_material *materials,
                    int material_count, const int *material, double density);
void ref_fem_free(ref_fem *fem);

/* Pins every vertex whose rest position in the mesh has low <= X[axis] <= high. Returns how many.
 */
int ref_fem_pin_range(ref_fem *fem, const ref_mesh *mesh, int axis, double low, double high);

ref_mat3 ref_fem_deformation(const ref_fem *fem, int tet, const double *x);

/* The element's material with its plastic strain in place. */
ref_material ref_fem_material(const ref_fem *fem, int tet);

double ref_fem_element_energy(const ref_fem *fem, int tet, const double *x);

/* Energy, and its gradient for the four vertices of the element in their order (12 doubles). */
double ref_fem_element_gradient(const ref_fem *fem, int tet, const double *x, double *gradient);

/* The 12x12 row-major second derivative of the element energy. */
void ref_fem_element_hessian(const ref_fem *fem, int tet, const double *x, bool project,
                             double *hessian);

double ref_fem_energy(const ref_fem *fem, const double *x);

/* gradient (3 a vertex) is overwritten; pinned vertices are not treated specially. */
double ref_fem_energy_gradient(const ref_fem *fem, const double *x, double *gradient);

/* Fills fem->tangent with the second derivative of the energy. */
void ref_fem_tangent(ref_fem *fem, const double *x, bool project);

int ref_fem_inverted(const ref_fem *fem, const double *x);

/* G(x) = sum m |x - y|^2 / (2 dt^2) + E(x) - sum m a . x - sum f . x; dt = 0 leaves the first sum
 * out (statics). For implicit Euler, y = x_n + dt v_n + dt^2 a and acceleration zero here. */
typedef struct {
    double dt;       /* s */
    const double *y; /* 3 a vertex; unused when dt = 0 */
    double acceleration[3];
    const double *force; /* 3 a vertex (N), or NULL */
} ref_problem;

double ref_fem_objective(const ref_fem *fem, const ref_problem *problem, const double *x);

/* With the gradient, zero at pinned vertices. */
double ref_fem_objective_gradient(const ref_fem *fem, const ref_problem *problem, const double *x,
                                  double *gradient);

typedef struct {
    double tolerance;   /* largest gradient component accepted, N */
    int max_iterations; /* Newton steps */
} ref_options;

typedef struct {
    bool converged;
    int iterations;
    double objective; /* J */
    double residual;  /* largest gradient component of a free vertex, N */
} ref_result;

/* Moves x (pinned vertices keep their value) to a local minimum of G. Monotone: G never rises. */
ref_result ref_fem_minimise(ref_fem *fem, const ref_problem *problem, const ref_options *options,
                            double *x);

/* Static equilibrium, acceleration and force raised to their value in `steps` equal parts. */
ref_result ref_fem_static(ref_fem *fem, const ref_problem *problem, const ref_options *options,
                          int steps, double *x);

/* One explicit step: v += dt (a - grad E / m), x += dt v. */
void ref_fem_explicit_step(const ref_fem *fem, const double acceleration[3], double dt, double *x,
                           double *v);

/* Applies ref_plastic_update to every element; fem->plastic must be set. */
void ref_fem_plastic_step(ref_fem *fem, const ref_plasticity *law, const double *x, double dt);

#endif
