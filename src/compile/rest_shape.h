/* rest_shape.h - the rest shapes of elements, in double precision, and what of them is refused.
 * What must not live here: packs, materials. */
#ifndef PIOLA_REST_SHAPE_H
#define PIOLA_REST_SHAPE_H

#include "compile/mesh.h"

/* Relative to the cube (square) of its longest edge, a tetrahedron's 6 volumes (a triangle's 2
 * areas) below this are noise of single-precision positions. */
#define REST_FLAT 1e-6

/* Beyond these a stiffness divided or multiplied by the measure may leave single precision. */
#define REST_VOLUME_MIN 1e-24 /* m^3 */
#define REST_VOLUME_MAX 1e18
#define REST_AREA_MIN   1e-16 /* m^2 */
#define REST_AREA_MAX   1e12

/* Corners 1, 2, 3 around corner a, in the order that makes det(x1-xa, x2-xa, x3-xa) positive. */
extern const unsigned char rest_around[4][3];

/* A right-handed orthonormal frame, rows a1, a2, a3. */
struct rest_frame {
    struct vec3 axis[3];
};

/* Six times the signed volume seen from corner 4, and the longest edge. */
double rest_tet_det(const piola_mesh_desc *mesh, const uint32_t v[4], double *longest);

/* Gram-Schmidt of the element's two fibre directions; false when zero, parallel or not finite. */
bool rest_tet_frame(const piola_mesh_desc *mesh, uint32_t tet, struct rest_frame *frame);

/* Rows r1, r2, r3 of Dm'^-1 around corner `a` in the frame's coordinates. Returns the volume. */
double rest_tet(const piola_mesh_desc *mesh, const uint32_t v[4], unsigned a,
                const struct rest_frame *frame, struct vec3 r[3]);

/* Area and longest edge of the triangle of three vertices. */
double rest_area(const piola_mesh_desc *mesh, uint32_t a, uint32_t b, uint32_t c, double *longest);

/* The same of a triangle's rest shape, which is its pattern where the mesh has patterns. */
double rest_triangle_area(const piola_mesh_desc *mesh, uint32_t triangle, double *longest);

/* Warp direction and the one across it in the plane of the rest shape, then its normal; false when
 * the direction is zero, not finite or normal to the triangle. Of a pattern the plane is that of u
 * and v. */
bool rest_triangle_frame(const piola_mesh_desc *mesh, uint32_t triangle, struct rest_frame *frame);

/* Rows r1, r2 of the 2x2 Dm'^-1 around corner `a`, whose others follow it in the triangle's order.
 * Returns the area. */
double rest_triangle(const piola_mesh_desc *mesh, uint32_t triangle, unsigned a,
                     const struct rest_frame *frame, double r[4]);

/* K, the factor 3 / (A0 + A1) and the dihedral angle of a stencil, paper section 4.3. */
struct rest_bend {
    double k[4];
    double scale; /* 1/m^2 */
    double fold;  /* the same times the square of the edge */
    double angle; /* rad, from -pi to pi, 0 when flat, positive when x3 lies on the side of the
                     normal (x1-x0) x (x2-x0) */
};
/* True for a bend whose material takes its angle. */
bool rest_dihedral(const piola_mesh_desc *mesh, uint32_t id);
/* True for a bend whose angle counts: of that model, or damped. */
bool rest_folds(const piola_mesh_desc *mesh, uint32_t id);
void rest_bend(const piola_mesh_desc *mesh, const uint32_t v[4], struct rest_bend *bend);

#endif
