/* shape.c - see shape.h. */
#include "io/mesh/shape.h"
#include "io/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Edges from the last vertex, as columns: e[row][column]. */
static void edges_of(const double *const v[4], double e[3][3])
{
    for (int column = 0; column < 3; ++column)
        for (int row = 0; row < 3; ++row)
            e[row][column] = v[column][row] - v[3][row];
}

static double determinant(double m[3][3])
{
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* f = now * rest^-1, by cofactors. */
static void gradient(double now[3][3], double rest[3][3], double volume6, double f[3][3])
{
    double inverse[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse[i][j] = (rest[a][c] * rest[b][d] - rest[a][d] * rest[b][c]) / volume6;
        }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            f[i][j] =
                now[i][0] * inverse[0][j] + now[i][1] * inverse[1][j] + now[i][2] * inverse[2][j];
}

/* Largest singular value: the root of the largest eigenvalue of f^T f, in closed form. */
static double largest_stretch(double f[3][3])
{
    double c[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            c[i][j] = f[0][i] * f[0][j] + f[1][i] * f[1][j] + f[2][i] * f[2][j];
    const double mean = (c[0][0] + c[1][1] + c[2][2]) / 3;
    double spread = 0;
    for (int i = 0; i < 3; ++i) {
        c[i][i] -= mean;
        for (int j = 0; j < 3; ++j)
            spread += c[i][j] * c[i][j];
    }
    const double p = sqrt(spread / 6);
    if (p <= 1e-12 * mean)
        return sqrt(mean);
    const double r = determinant(c) / (2 * p * p * p);
    const double angle = acos(r < -1 ? -1 : r > 1 ? 1 : r) / 3;
    return sqrt(mean + 2 * p * cos(angle));
}

/* ---- triangles ---- */

static void triangle_edges(const double *const v[3], double gram[3])
{
    gram[0] = gram[1] = gram[2] = 0;
    for (int k = 0; k < 3; ++k) {
        const double a = v[0][k] - v[2][k], b = v[1][k] - v[2][k];
        gram[0] += a * a;
        gram[1] += a * b;
        gram[2] += b * b;
    }
}

void shape_triangle(const double *const then[3], const double *const now[3], double squares[2])
{
    double rest[3], gram[3];
    triangle_edges(then, rest);
    triangle_edges(now, gram);
    const double det = rest[0] * rest[2] - rest[1] * rest[1];
    const double half = (rest[2] * gram[0] - 2 * rest[1] * gram[1] + rest[0] * gram[2]) / (2 * det);
    const double both = (gram[0] * gram[2] - gram[1] * gram[1]) / det;
    const double spread = sqrt(fmax(half * half - both, 0));
    squares[0] = half + spread;
    squares[1] = fmax(half - spread, 0);
}

/* Six times the volume between a triangle and the origin. */
static double six_volumes(const double *const v[3], const double origin[3])
{
    double m[3][3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            m[i][k] = v[i][k] - origin[k];
    return determinant(m);
}

void shape_rest(const struct meshgen *rest, uint32_t triangle, double then[3][3])
{
    for (size_t c = 0; c < 3; ++c) {
        const double *uv = rest->patterns ? rest->patterns + 6 * (size_t)triangle + 2 * c : NULL;
        const double *v = rest->vertices + 3 * (size_t)rest->triangles[3 * (size_t)triangle + c];
        for (size_t k = 0; k < 3; ++k)
            then[c][k] = !uv ? v[k] : k < 2 ? uv[k] : 0;
    }
}

static void measure_chain(const struct meshgen *rest, const float *xyz, struct shape_facts *facts,
                          float *stretch, float *ratio)
{
    for (uint32_t e = 0; e < rest->link_count; ++e) {
        const uint32_t *v = rest->links + 2 * (size_t)e;
        double before = 0, after = 0;
        for (size_t k = 0; k < 3; ++k) {
            const size_t a = 3 * (size_t)v[0] + k, b = 3 * (size_t)v[1] + k;
            const double then = rest->vertices[a] - rest->vertices[b];
            const double now = (double)xyz[a] - (double)xyz[b];
            before += then * then;
            after += now * now;
        }
        const double longer = sqrt(after / before);
        facts->max_stretch = fmax(facts->max_stretch, longer);
        if (stretch)
            stretch[e] = (float)longer;
        if (ratio)
            ratio[e] = (float)longer;
    }
}

static void measure_cloth(const struct meshgen *rest, const float *xyz, struct shape_facts *facts,
                          float *stretch, float *ratio)
{
    double origin[3] = {0, 0, 0};
    for (size_t k = 0; k < 3 && rest->vertex_count > 0; ++k)
        origin[k] = (double)xyz[k];
    for (uint32_t e = 0; e < rest->triangle_count; ++e) {
        double first[3][3], moved[3][3], squares[2];
        const double *then[3], *now[3];
        shape_rest(rest, e, first);
        for (size_t corner = 0; corner < 3; ++corner) {
            const size_t v = 3 * (size_t)rest->triangles[3 * (size_t)e + corner];
            then[corner] = first[corner];
            now[corner] = moved[corner];
            for (size_t k = 0; k < 3; ++k)
                moved[corner][k] = (double)xyz[v + k];
        }
        shape_triangle(then, now, squares);
        const double longest = sqrt(squares[0]);
        facts->volume += six_volumes(now, origin) / 6;
        facts->max_stretch = fmax(facts->max_stretch, longest);
        if (stretch)
            stretch[e] = (float)longest;
        if (ratio)
            ratio[e] = (float)sqrt(squares[0] * squares[1]);
    }
}

void shape_measure(const struct meshgen *rest, const float *xyz, struct shape_facts *facts,
                   float *stretch, float *ratio)
{
    *facts = (struct shape_facts){0};
    if (rest->tetrahedron_count == 0) {
        (rest->link_count > 0 ? measure_chain : measure_cloth)(rest, xyz, facts, stretch, ratio);
        return;
    }
    for (uint32_t e = 0; e < rest->tetrahedron_count; ++e) {
        double moved[4][3];
        const double *then[4], *now[4];
        for (size_t corner = 0; corner < 4; ++corner) {
            const size_t v = 3 * (size_t)rest->tetrahedra[4 * (size_t)e + corner];
            then[corner] = rest->vertices + v;
            now[corner] = moved[corner];
            for (size_t k = 0; k < 3; ++k)
                moved[corner][k] = (double)xyz[v + k];
        }
        double a[3][3], b[3][3], f[3][3];
        edges_of(then, a);
        edges_of(now, b);
        const double before = determinant(a), after = determinant(b);
        gradient(b, a, before, f);
        const double longest = largest_stretch(f);
        facts->volume += after / 6;
        facts->inverted += after < 0;
        facts->max_stretch = longest > facts->max_stretch ? longest : facts->max_stretch;
        if (stretch)
            stretch[e] = (float)longest;
        if (ratio)
            ratio[e] = (float)(after / before);
    }
}

double shape_quality(const struct meshgen *mesh, uint32_t tetrahedron)
{
    const double *v[4];
    double e[3][3], squares = 0;
    for (size_t i = 0; i < 4; ++i)
        v[i] = mesh->vertices + 3 * (size_t)mesh->tetrahedra[4 * (size_t)tetrahedron + i];
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            for (int k = 0; k < 3; ++k)
                squares += (v[i][k] - v[j][k]) * (v[i][k] - v[j][k]);
    edges_of(v, e);
    const double edge = sqrt(squares / 6);
    return edge > 0 ? sqrt(2.0) * determinant(e) / (edge * edge * edge) : 0;
}

double shape_volume(const struct meshgen *mesh, uint32_t tetrahedron)
{
    const double *v[4];
    double e[3][3];
    for (size_t i = 0; i < 4; ++i)
        v[i] = mesh->vertices + 3 * (size_t)mesh->tetrahedra[4 * (size_t)tetrahedron + i];
    edges_of(v, e);
    return determinant(e) / 6;
}

struct face {
    uint32_t sorted[3], turned[3];
};

static int compare_faces(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint32_t[3]));
}

static void sort_three(uint32_t *v)
{
    for (int i = 0; i < 3; ++i) {
        const int at = i % 2;
        if (v[at] > v[at + 1]) {
            const uint32_t t = v[at];
            v[at] = v[at + 1];
            v[at + 1] = t;
        }
    }
}

uint32_t *shape_surface(const struct meshgen *mesh, uint32_t *count)
{
    /* Right-handed (v1-v4, v2-v4, v3-v4): these are counter-clockwise from outside. */
    static const unsigned char sides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    const size_t faces = 4 * (size_t)mesh->tetrahedron_count;
    struct face *all = memory_take((faces + 1) * sizeof *all);
    uint32_t *surface = memory_take((faces + 1) * 3 * sizeof *surface);
    *count = 0;
    for (size_t i = 0; all && i < faces; ++i) {
        for (size_t k = 0; k < 3; ++k)
            all[i].turned[k] = mesh->tetrahedra[i / 4 * 4 + sides[i % 4][k]];
        memcpy(all[i].sorted, all[i].turned, sizeof all[i].sorted);
        sort_three(all[i].sorted);
    }
    if (all && surface) {
        qsort(all, faces, sizeof *all, compare_faces);
        for (size_t i = 0; i < faces; ++i) {
            if (i + 1 < faces && compare_faces(&all[i], &all[i + 1]) == 0) {
                ++i;
                continue;
            }
            memcpy(surface + 3 * (size_t)(*count)++, all[i].turned, sizeof all[i].turned);
        }
    }
    if (!all) {
        memory_give(surface);
        return NULL;
    }
    memory_give(all);
    return surface;
}
