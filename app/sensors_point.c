/* sensors_point.c - the sensor of a point that is no vertex: the weighted mean of an element's
 * corners, found in the rest shape. */
#include "sensor_look.h"

#include <math.h>
#include <string.h>

#define OUTSIDE 1e-6 /* least weight of a point that still counts as in its tetrahedron */

static void sides(const struct meshgen *mesh, const uint32_t *v, const double point[3],
                  unsigned corners, double side[3][3], double to[3])
{
    const double *a = mesh->vertices + 3 * (size_t)v[0];
    for (size_t k = 0; k < 3; ++k) {
        to[k] = point[k] - a[k];
        for (size_t s = 0; s + 1 < corners; ++s)
            side[s][k] = mesh->vertices[3 * (size_t)v[s + 1] + k] - a[k];
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double determinant(const double a[3], const double b[3], const double c[3])
{
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Weights of a tetrahedron's corners; returns the least. */
static double weigh_solid(const struct meshgen *mesh, const uint32_t *v, const double point[3],
                          double weight[4])
{
    double s[3][3], to[3];
    sides(mesh, v, point, 4, s, to);
    const double volume = determinant(s[0], s[1], s[2]);
    weight[1] = determinant(to, s[1], s[2]) / volume;
    weight[2] = determinant(s[0], to, s[2]) / volume;
    weight[3] = determinant(s[0], s[1], to) / volume;
    weight[0] = 1 - weight[1] - weight[2] - weight[3];
    return fmin(fmin(weight[0], weight[1]), fmin(weight[2], weight[3]));
}

/* Nearest point of the segment from corner i to corner j; returns the squared distance. */
static double weigh_edge(const struct meshgen *mesh, const uint32_t *v, unsigned i, unsigned j,
                         const double point[3], double weight[4])
{
    const uint32_t ends[2] = {v[i], v[j]};
    double s[3][3], to[3], square = 0;
    sides(mesh, ends, point, 2, s, to);
    const double t = fmin(fmax(dot(to, s[0]) / fmax(dot(s[0], s[0]), 1e-300), 0), 1);
    memset(weight, 0, 4 * sizeof *weight);
    weight[i] = 1 - t;
    weight[j] = t;
    for (size_t k = 0; k < 3; ++k)
        square += (to[k] - t * s[0][k]) * (to[k] - t * s[0][k]);
    return square;
}

/* Nearest point of a triangle; returns the squared distance. */
static double weigh_cloth(const struct meshgen *mesh, const uint32_t *v, const double point[3],
                          double weight[4])
{
    double s[3][3], to[3], best = (double)INFINITY;
    sides(mesh, v, point, 3, s, to);
    const double aa = dot(s[0], s[0]), ab = dot(s[0], s[1]), bb = dot(s[1], s[1]);
    const double ta = dot(to, s[0]), tb = dot(to, s[1]), area = aa * bb - ab * ab;
    const double b = (ta * bb - tb * ab) / area, c = (tb * aa - ta * ab) / area;
    if (area > 0 && b >= 0 && c >= 0 && b + c <= 1) {
        const double inside[4] = {1 - b - c, b, c, 0};
        memcpy(weight, inside, sizeof inside);
        return fmax(dot(to, to) - b * ta - c * tb, 0);
    }
    for (unsigned i = 0; i < 3; ++i) {
        double edge[4];
        const double square = weigh_edge(mesh, v, i, (i + 1) % 3, point, edge);
        if (square < best) {
            best = square;
            memcpy(weight, edge, sizeof edge);
        }
    }
    return best;
}

/* Nearest point of all links of a chain. */
static bool find_on_chain(const struct meshgen *mesh, const double point[3],
                          struct sensor_state *sensor)
{
    double best = (double)INFINITY;
    for (uint32_t i = 0; i < mesh->link_count; ++i) {
        const uint32_t *v = mesh->links + 2 * (size_t)i;
        double weight[4];
        const double square = weigh_edge(mesh, v, 0, 1, point, weight);
        if (!(square < best))
            continue;
        best = square;
        memcpy(sensor->weight, weight, sizeof weight);
        memcpy(sensor->corner, v, 2 * sizeof *v);
    }
    return mesh->link_count > 0;
}

bool sensor_point_find(const struct meshgen *mesh, const double point[3],
                       struct sensor_state *sensor)
{
    const bool solid = mesh_is_solid(mesh);
    const uint32_t count = solid ? mesh->tetrahedron_count : mesh->triangle_count;
    const size_t corners = solid ? 4 : 3;
    double best = -(double)INFINITY;
    if (mesh_is_chain(mesh))
        return find_on_chain(mesh, point, sensor);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t *v = (solid ? mesh->tetrahedra : mesh->triangles) + corners * i;
        double weight[4];
        const double good =
            solid ? weigh_solid(mesh, v, point, weight) : -weigh_cloth(mesh, v, point, weight);
        if (!(good > best))
            continue;
        best = good;
        memcpy(sensor->weight, weight, sizeof weight);
        memcpy(sensor->corner, v, corners * sizeof *v);
    }
    return count > 0 && (!solid || best >= -OUTSIDE);
}

bool sensor_point(const struct look *look, double *values)
{
    const piola_body body = look->stage->bodies[look->sensor->first].handle;
    for (int c = 0; c < 4; ++c) {
        float xyz[3];
        if (piola_body_positions(look->stage->world, body, look->sensor->corner[c], 1, xyz) !=
            PIOLA_OK)
            return false;
        for (int k = 0; k < 3; ++k)
            values[k] += look->sensor->weight[c] * (double)xyz[k];
    }
    return true;
}
