/* meshgen_rods.c - meshes of rods, made by rule: straight, wound, through points. */
#include "io/mesh/meshgen.h"

#include <math.h>

#define TURN 6.28318530717958647692

bool meshgen_rod(struct meshgen *mesh, double length, double radius, uint32_t segments)
{
    if (!meshgen_chain(mesh, length, segments)) {
        return false;
    }
    mesh->radius = radius;
    mesh->rod = true;
    return true;
}

bool meshgen_helix(struct meshgen *mesh, double radius, double height, double turns, double wire,
                   uint32_t segments)
{
    if (!meshgen_rod(mesh, TURN * radius * turns, wire, segments)) {
        return false;
    }
    for (uint32_t i = 0; i <= segments; i++) {
        double *at = mesh->vertices + 3 * (size_t)i;
        const double share = (double)i / segments, angle = TURN * turns * share;
        at[0] = radius * cos(angle);
        at[1] = height * share;
        at[2] = -radius * sin(angle); /* with y up that is right-handed */
    }
    return true;
}

/* Catmull and Rom's curve from the second of four points to the third. */
static void curve_at(const float *const p[4], double t, double at[3])
{
    const double w[4] = {((2 - t) * t - 1) * t, (3 * t - 5) * t * t + 2, ((4 - 3 * t) * t + 1) * t,
                         (t - 1) * t * t};
    for (int k = 0; k < 3; k++) {
        at[k] = 0;
        for (int i = 0; i < 4; i++) {
            at[k] += w[i] * (double)p[i][k] / 2;
        }
    }
}

/* Beyond an open curve's ends its last points count again. */
static const float *point_of(const float *points, uint32_t count, int64_t index, bool closed)
{
    const int64_t n = count;
    const int64_t i = closed ? (index + n) % n : index < 0 ? 0 : index >= n ? n - 1 : index;
    return points + 3 * i;
}

bool meshgen_curve(struct meshgen *mesh, const float *points, uint32_t count, double radius,
                   uint32_t segments, bool closed)
{
    const uint32_t pieces = closed ? count : count - 1;
    const uint32_t cuts = segments > 0 ? segments : pieces;
    if (!meshgen_rod(mesh, 1, radius, cuts)) {
        return false;
    }
    for (uint32_t i = 0; i <= cuts; i++) {
        const double along = (double)pieces * i / cuts;
        const double piece = fmin(floor(along), pieces - 1.0);
        const float *p[4];
        for (int k = 0; k < 4; k++) {
            p[k] = point_of(points, count, (int64_t)piece + k - 1, closed);
        }
        curve_at(p, along - piece, mesh->vertices + 3 * (size_t)i);
    }
    if (closed) {
        mesh->links[2 * (size_t)cuts - 1] = 0;
        mesh->vertex_count--;
    }
    return true;
}
