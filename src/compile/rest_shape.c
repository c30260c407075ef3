/* rest_shape.c - see rest_shape.h. */
#include "compile/rest_shape.h"

#include <math.h>

/* Even permutations of (1, 2, 3 | 4), for which piola.h demands the positive sign. */
const unsigned char rest_around[4][3] = {{3, 2, 1}, {2, 3, 0}, {1, 0, 3}, {0, 1, 2}};

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double det3(const struct vec3 d[3])
{
    return vec3_dot(d[0], vec3_cross(d[1], d[2]));
}

double rest_tet_det(const piola_mesh_desc *mesh, const uint32_t v[4], double *longest)
{
    struct vec3 d[3];
    double square = 0;
    for (unsigned i = 0; i < 3; i++) {
        d[i] = vec3_sub(mesh_vertex(mesh, v[i]), mesh_vertex(mesh, v[3]));
        square = larger(square, vec3_dot(d[i], d[i]));
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct vec3 edge = vec3_sub(d[i], d[(i + 1) % 3]);
        square = larger(square, vec3_dot(edge, edge));
    }
    *longest = sqrt(square);
    return det3(d);
}

static bool unit(struct vec3 *v)
{
    const double length = sqrt(vec3_dot(*v, *v));
    if (!(length > 0) || !(length <= 1e300))
        return false;
    *v = vec3_scale(*v, 1 / length);
    return true;
}

/* Makes `v` a unit vector normal to the unit vector `n`; false when they are nearly parallel. */
static bool reject(struct vec3 *v, struct vec3 n)
{
    if (!unit(v))
        return false;
    *v = vec3_sub(*v, vec3_scale(n, vec3_dot(*v, n)));
    return vec3_dot(*v, *v) > 1e-12 && unit(v);
}

static struct vec3 direction(const float *at)
{
    return (struct vec3){(double)at[0], (double)at[1], (double)at[2]};
}

bool rest_tet_frame(const piola_mesh_desc *mesh, uint32_t tet, struct rest_frame *frame)
{
    frame->axis[0] = (struct vec3){1, 0, 0};
    frame->axis[1] = (struct vec3){0, 1, 0};
    if (mesh->tetrahedron_frames != NULL) {
        frame->axis[0] = direction(mesh->tetrahedron_frames + 6 * (size_t)tet);
        frame->axis[1] = direction(mesh->tetrahedron_frames + 6 * (size_t)tet + 3);
    }
    if (!unit(&frame->axis[0]) || !reject(&frame->axis[1], frame->axis[0]))
        return false;
    frame->axis[2] = vec3_cross(frame->axis[0], frame->axis[1]);
    return true;
}

double rest_tet(const piola_mesh_desc *mesh, const uint32_t v[4], unsigned a,
                const struct rest_frame *frame, struct vec3 r[3])
{
    struct vec3 d[3];
    for (unsigned i = 0; i < 3; i++) {
        const struct vec3 e =
            vec3_sub(mesh_vertex(mesh, v[rest_around[a][i]]), mesh_vertex(mesh, v[a]));
        d[i] = (struct vec3){vec3_dot(e, frame->axis[0]), vec3_dot(e, frame->axis[1]),
                             vec3_dot(e, frame->axis[2])};
    }
    const double det = det3(d);
    for (unsigned i = 0; i < 3; i++)
        r[i] = vec3_scale(vec3_cross(d[(i + 1) % 3], d[(i + 2) % 3]), 1 / det);
    return det / 6;
}

static double area_of(struct vec3 xa, struct vec3 xb, struct vec3 xc, double *longest)
{
    const struct vec3 e = vec3_sub(xb, xa), f = vec3_sub(xc, xa);
    const struct vec3 g = vec3_sub(f, e);
    const struct vec3 n = vec3_cross(e, f);
    *longest = sqrt(larger(larger(vec3_dot(e, e), vec3_dot(f, f)), vec3_dot(g, g)));
    return 0.5 * sqrt(vec3_dot(n, n));
}

double rest_area(const piola_mesh_desc *mesh, uint32_t a, uint32_t b, uint32_t c, double *longest)
{
    return area_of(mesh_vertex(mesh, a), mesh_vertex(mesh, b), mesh_vertex(mesh, c), longest);
}

/* A corner of a triangle's rest shape. */
static struct vec3 rest_corner(const piola_mesh_desc *mesh, uint32_t triangle, unsigned corner)
{
    if (mesh->triangle_patterns != NULL) {
        const double *at = mesh->triangle_patterns + 6 * (size_t)triangle + 2 * (size_t)corner;
        return (struct vec3){at[0], at[1], 0};
    }
    return mesh_vertex(mesh, mesh->triangles[3 * (size_t)triangle + corner]);
}

double rest_triangle_area(const piola_mesh_desc *mesh, uint32_t triangle, double *longest)
{
    return area_of(rest_corner(mesh, triangle, 0), rest_corner(mesh, triangle, 1),
                   rest_corner(mesh, triangle, 2), longest);
}

bool rest_triangle_frame(const piola_mesh_desc *mesh, uint32_t triangle, struct rest_frame *frame)
{
    const bool pattern = mesh->triangle_patterns != NULL;
    const struct vec3 x0 = rest_corner(mesh, triangle, 0);
    const struct vec3 first = vec3_sub(rest_corner(mesh, triangle, 1), x0);
    struct vec3 normal = {0, 0, 1};
    struct vec3 warp = pattern ? (struct vec3){1, 0, 0} : first;
    if (!pattern)
        normal = vec3_cross(first, vec3_sub(rest_corner(mesh, triangle, 2), x0));
    if (mesh->triangle_directions != NULL)
        warp = direction(mesh->triangle_directions + 3 * (size_t)triangle);
    if (!unit(&normal) || !reject(&warp, normal))
        return false;
    frame->axis[0] = warp;
    frame->axis[1] = vec3_cross(normal, warp);
    frame->axis[2] = normal;
    return true;
}

double rest_triangle(const piola_mesh_desc *mesh, uint32_t triangle, unsigned a,
                     const struct rest_frame *frame, double r[4])
{
    double d[2][2];
    for (unsigned i = 0; i < 2; i++) {
        const struct vec3 e =
            vec3_sub(rest_corner(mesh, triangle, (a + 1 + i) % 3), rest_corner(mesh, triangle, a));
        d[i][0] = vec3_dot(e, frame->axis[0]);
        d[i][1] = vec3_dot(e, frame->axis[1]);
    }
    const double det = d[0][0] * d[1][1] - d[0][1] * d[1][0];
    r[0] = d[1][1] / det;
    r[1] = -d[1][0] / det;
    r[2] = -d[0][1] / det;
    r[3] = d[0][0] / det;
    return (det < 0 ? -det : det) / 2; /* a pattern may lie on its other side */
}

/* The angle of the point (x, y), from -pi to pi, by halving it four times and a series: the same
 * bits everywhere, which libm does not promise. */
static double angle_of(double x, double y)
{
    const double length = sqrt(x * x + y * y);
    if (!(length > 0))
        return 0;
    if (x < 0 && y == 0)
        return 3.14159265358979323846;
    const double backwards = x < 0 ? (length - x) / y : 0; /* tan(angle/2), without cancellation */
    double t = x < 0 ? backwards : y / (length + x);
    double factor = 2;
    /* |t| > 1 would converge slowly: atan(t) = 2 atan(t / (1 + sqrt(1 + t^2))). */
    for (unsigned i = 0; i < 4; i++) {
        t = t > 1e100 || t < -1e100 ? (t > 0 ? 1 : -1) : t / (1 + sqrt(1 + t * t));
        factor *= 2;
    }
    double sum = 0;
    for (int n = 21; n > 0; n -= 2)
        sum = 1.0 / n - t * t * sum;
    return factor * t * sum;
}

/* Cotangent of the angle between two edges. */
static double cot(struct vec3 a, struct vec3 b)
{
    const struct vec3 n = vec3_cross(a, b);
    return vec3_dot(a, b) / sqrt(vec3_dot(n, n));
}

void rest_bend(const piola_mesh_desc *mesh, const uint32_t v[4], struct rest_bend *bend)
{
    const struct vec3 x0 = mesh_vertex(mesh, v[0]), x1 = mesh_vertex(mesh, v[1]);
    const struct vec3 e0 = vec3_sub(x1, x0), back = vec3_sub(x0, x1);
    const struct vec3 to2 = vec3_sub(mesh_vertex(mesh, v[2]), x0);
    const struct vec3 to3 = vec3_sub(mesh_vertex(mesh, v[3]), x0);
    const double c01 = cot(back, vec3_sub(mesh_vertex(mesh, v[2]), x1));
    const double c02 = cot(e0, to2);
    const double c03 = cot(e0, to3);
    const double c04 = cot(back, vec3_sub(mesh_vertex(mesh, v[3]), x1));
    bend->k[0] = c01 + c04;
    bend->k[1] = c02 + c03;
    bend->k[2] = -c01 - c02;
    bend->k[3] = -c03 - c04;
    const struct vec3 n0 = vec3_cross(e0, to2), n1 = vec3_cross(to3, e0);
    const double twice = sqrt(vec3_dot(n0, n0)) + sqrt(vec3_dot(n1, n1));
    bend->scale = 6 / twice;
    bend->fold = bend->scale * vec3_dot(e0, e0);
    /* n0 . x3 has the sign of the side on which x3 lies; sin = |n0 x n1| with that sign. */
    const struct vec3 turn = vec3_cross(n0, n1);
    const double side = vec3_dot(n0, to3);
    const double sine = sqrt(vec3_dot(turn, turn));
    bend->angle = angle_of(vec3_dot(n0, n1), side < 0 ? -sine : sine);
}

bool rest_dihedral(const piola_mesh_desc *mesh, uint32_t id)
{
    return mesh->materials[mesh_material(mesh, id)].bend_model == PIOLA_BEND_DIHEDRAL;
}

bool rest_folds(const piola_mesh_desc *mesh, uint32_t id)
{
    return rest_dihedral(mesh, id) || mesh->materials[mesh_material(mesh, id)].damping > 0;
}
