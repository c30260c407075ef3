/* Bending of two triangles that share an edge, in double precision: the isometric energy of the
 * paper's section 4.3 (quadratic, constant) and the energy of the dihedral angle (discrete shells).
 * A stencil is x0, x1 (the edge) and x2, x3 (the opposite vertices), 12 numbers. Both are energies
 * in J for a flexural rigidity B of 1 N m: a square grid bent to a cylinder of radius R about one
 * of its axes has B / (2 R^2) per area, whatever its diagonals. The paper's factor 3 / (A0 + A1)
 * instead of 1 / (A0 + A1) gives three times that (README.md). */
#ifndef REF_BEND_H
#define REF_BEND_H

/* Rest data of one stencil. */
typedef struct {
    double k[4];   /* the paper's K: K x is a vector of the edge's length times the angle */
    double area;   /* A0 + A1, m^2 */
    double length; /* of the edge, m */
    double angle;  /* rest angle, rad; 0 is flat */
} ref_bend;

ref_bend ref_bend_rest(const double rest[12]);

/* |K x|^2 / (2 area) */
double ref_bend_isometric(const ref_bend *b, const double x[12], double gradient[12]);

/* length^2 / (2 area) (angle - rest angle)^2; equal to the isometric energy to leading order for
 * small angles. */
double ref_bend_dihedral(const ref_bend *b, const double x[12], double gradient[12]);

/* The angle between the normals of (x0, x1, x2) and (x1, x0, x3), in (-pi, pi], positive where the
 * sheet bends towards the normals (a valley seen from their side), and its gradient if not null. */
double ref_bend_angle(const double x[12], double gradient[12]);

/* Row-major second derivatives; the dihedral one by central differences of the gradient. */
void ref_bend_isometric_hessian(const ref_bend *b, double hessian[144]);
void ref_bend_dihedral_hessian(const ref_bend *b, const double x[12], double hessian[144]);

#endif
