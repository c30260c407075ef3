/* Cloth in double precision: triangles and bending edges, the objective of a static load or of one
 * implicit-Euler step, and its minimiser (Newton, sparse direct, safeguarded). Positions are 3
 * doubles a vertex (m), forces in N, energies in J. Forces are minus the gradient. */
#ifndef REF_SHEET_H
#define REF_SHEET_H

#include <stdbool.h>

#include "ref_bend.h"
#include "ref_fem.h"
#include "ref_membrane.h"
#include "ref_sheet_mesh.h"

typedef enum { REF_SHEET_NO_BENDING, REF_SHEET_ISOMETRIC, REF_SHEET_DIHEDRAL } ref_sheet_bending;

typedef struct {
    int vertices, triangles, bends;
    int *triangle, *bend;
    double *dm_inverse; /* 4 a triangle, row-major, in the material's axes */
    double *area;       /* m^2 a triangle */
    double *mass;       /* lumped, kg a vertex */
    bool *pinned;       /* the caller sets these; a pinned vertex never moves */
    ref_membrane material;
    ref_sheet_bending bending;
    double rigidity; /* N m, see ref_bend.h */
    ref_bend *rest;  /* one a bend */
    double
        pressure; /* Pa times the volume inside, taken off the energy; 0 when open. Statics only */
    ref_blocks tangent;
    ref_factor factor;
} ref_sheet;

/* Every triangle's axis 1 is the projection of `direction` (world, at rest; null: its first edge)
 * onto its plane. density in kg/m^2. False when out of memory or an element has no area. */
bool ref_sheet_create(ref_sheet *out, const ref_sheet_mesh *mesh, const ref_membrane *material,
                      const double direction[3], ref_sheet_bending bending, double rigidity,
                      double density);
void ref_sheet_free(ref_sheet *sheet);

int ref_sheet_pin_range(ref_sheet *sheet, const ref_sheet_mesh *mesh, int axis, double low,
                        double high);

/* F of a triangle, 3x2, column by column. */
void ref_sheet_deformation(const ref_sheet *sheet, int triangle, const double *x, double f[6]);

double ref_sheet_energy(const ref_sheet *sheet, const double *x);
double ref_sheet_bend_energy(const ref_sheet *sheet, const double *x);
/* Volume enclosed by the triangles of a closed mesh, m^3. */
double ref_sheet_volume(const ref_sheet *sheet, const double *x);
/* The gradient (3 a vertex) is overwritten; pinned vertices are not treated specially. */
double ref_sheet_energy_gradient(const ref_sheet *sheet, const double *x, double *gradient);
/* Fills sheet->tangent with the second derivative of the energy. */
void ref_sheet_tangent(ref_sheet *sheet, const double *x);

double ref_sheet_objective(const ref_sheet *sheet, const ref_problem *problem, const double *x);
double ref_sheet_objective_gradient(const ref_sheet *sheet, const ref_problem *problem,
                                    const double *x, double *gradient);

/* Moves x (pinned vertices keep their value) to a local minimum. Monotone. */
ref_result ref_sheet_minimise(ref_sheet *sheet, const ref_problem *problem,
                              const ref_options *options, double *x);

#endif
