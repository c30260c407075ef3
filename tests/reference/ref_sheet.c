/* Assembly of a sheet; see the header. The minimiser is in ref_sheet_newton.c. */
#include "ref_sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void minus(const double *a, const double *b, double *r)
{
    for (int k = 0; k < 3; k++)
        r[k] = a[k] - b[k];
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *r)
{
    r[0] = a[1] * b[2] - a[2] * b[1];
    r[1] = a[2] * b[0] - a[0] * b[2];
    r[2] = a[0] * b[1] - a[1] * b[0];
}

static void scale_to(double *v, double length)
{
    const double s = length / sqrt(dot(v, v));
    for (int k = 0; k < 3; k++)
        v[k] *= s;
}

/* Dm^-1 in axes (along the direction, a quarter turn further about the normal), and the area. */
static bool triangle_rest(const double *x, const int *t, const double *direction, double *inverse,
                          double *area)
{
    double e1[3], e2[3], n[3], a[3], b[3];
    minus(x + 3 * t[1], x + 3 * t[0], e1);
    minus(x + 3 * t[2], x + 3 * t[0], e2);
    cross(e1, e2, n);
    *area = sqrt(dot(n, n)) / 2;
    if (!(*area > 0))
        return false;
    scale_to(n, 1);
    memcpy(a, direction ? direction : e1, sizeof a);
    const double off = dot(a, n);
    for (int k = 0; k < 3; k++)
        a[k] -= off * n[k];
    if (!(dot(a, a) > 0))
        return false;
    scale_to(a, 1);
    cross(n, a, b);
    const double d[4] = {dot(a, e1), dot(a, e2), dot(b, e1), dot(b, e2)};
    const double det = d[0] * d[3] - d[1] * d[2];
    inverse[0] = d[3] / det;
    inverse[1] = -d[1] / det;
    inverse[2] = -d[2] / det;
    inverse[3] = d[0] / det;
    return true;
}

static void gather(const double *x, const int *corner, int corners, double *out)
{
    for (int c = 0; c < corners; c++)
        memcpy(out + 3 * c, x + 3 * corner[c], 3 * sizeof *out);
}

/* Triangles and hinges as cells of four corners, a triangle's last one twice. */
static bool make_pattern(ref_sheet *s)
{
    const int bends = s->bending == REF_SHEET_NO_BENDING ? 0 : s->bends;
    int *cell = malloc((size_t)(s->triangles + bends) * 4 * sizeof *cell);
    if (!cell)
        return false;
    for (int t = 0; t < s->triangles; t++) {
        memcpy(cell + 4 * t, s->triangle + 3 * t, 3 * sizeof *cell);
        cell[4 * t + 3] = cell[4 * t + 2];
    }
    if (bends)
        memcpy(cell + 4 * s->triangles, s->bend, (size_t)bends * 4 * sizeof *cell);
    const bool ok = ref_blocks_create(&s->tangent, s->vertices, s->triangles + bends, 4, cell);
    free(cell);
    return ok && ref_factor_create(&s->factor, &s->tangent);
}

static bool make_rest(ref_sheet *s, const ref_sheet_mesh *mesh, const double *direction,
                      double density)
{
    for (int t = 0; t < s->triangles; t++) {
        const int *v = s->triangle + 3 * t;
        if (!triangle_rest(mesh->x, v, direction, s->dm_inverse + 4 * t, &s->area[t]))
            return false;
        for (int k = 0; k < 3; k++)
            s->mass[v[k]] += density * s->area[t] / 3;
    }
    for (int b = 0; b < s->bends; b++) {
        double r[12];
        gather(mesh->x, s->bend + 4 * b, 4, r);
        s->rest[b] = ref_bend_rest(r);
    }
    return true;
}

bool ref_sheet_create(ref_sheet *s, const ref_sheet_mesh *mesh, const ref_membrane *material,
                      const double direction[3], ref_sheet_bending bending, double rigidity,
                      double density)
{
    const size_t n = (size_t)mesh->vertices, t = (size_t)mesh->triangles, b = (size_t)mesh->bends;
    *s = (ref_sheet){.vertices = mesh->vertices,
                     .triangles = mesh->triangles,
                     .bends = mesh->bends,
                     .material = *material,
                     .bending = bending,
                     .rigidity = rigidity};
    s->triangle = malloc(t * 3 * sizeof *s->triangle);
    s->bend = malloc((b * 4 + 1) * sizeof *s->bend);
    s->dm_inverse = malloc(t * 4 * sizeof *s->dm_inverse);
    s->area = malloc(t * sizeof *s->area);
    s->mass = calloc(n, sizeof *s->mass);
    s->pinned = calloc(n, sizeof *s->pinned);
    s->rest = malloc((b + 1) * sizeof *s->rest);
    if (!s->triangle || !s->bend || !s->dm_inverse || !s->area || !s->mass || !s->pinned ||
        !s->rest)
        return ref_sheet_free(s), false;
    memcpy(s->triangle, mesh->triangle, t * 3 * sizeof *s->triangle);
    memcpy(s->bend, mesh->bend, b * 4 * sizeof *s->bend);
    if (!make_rest(s, mesh, direction, density) || !make_pattern(s))
        return ref_sheet_free(s), false;
    return true;
}

void ref_sheet_free(ref_sheet *s)
{
    free(s->triangle);
    free(s->bend);
    free(s->dm_inverse);
    free(s->area);
    free(s->mass);
    free(s->pinned);
    free(s->rest);
    ref_blocks_free(&s->tangent);
    ref_factor_free(&s->factor);
    memset(s, 0, sizeof *s);
}

int ref_sheet_pin_range(ref_sheet *s, const ref_sheet_mesh *mesh, int axis, double low, double high)
{
    int count = 0;
    for (int v = 0; v < s->vertices; v++)
        if (mesh->x[3 * v + axis] >= low && mesh->x[3 * v + axis] <= high) {
            s->pinned[v] = true;
            count++;
        }
    return count;
}

/* shape[c][j]: F's column j is the sum over corners of shape[c][j] x_c. */
static void shapes(const double *inverse, double shape[3][2])
{
    for (int j = 0; j < 2; j++) {
        shape[1][j] = inverse[j];
        shape[2][j] = inverse[2 + j];
        shape[0][j] = -inverse[j] - inverse[2 + j];
    }
}

void ref_sheet_deformation(const ref_sheet *s, int triangle, const double *x, double f[6])
{
    double shape[3][2];
    shapes(s->dm_inverse + 4 * triangle, shape);
    memset(f, 0, 6 * sizeof *f);
    for (int c = 0; c < 3; c++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 3; k++)
                f[3 * j + k] += shape[c][j] * x[3 * s->triangle[3 * triangle + c] + k];
}

static double triangle_gradient(const ref_sheet *s, int t, const double *x, double *gradient)
{
    double f[6], p[6], shape[3][2];
    shapes(s->dm_inverse + 4 * t, shape);
    ref_sheet_deformation(s, t, x, f);
    const double energy = ref_membrane_stress(&s->material, f, p) * s->area[t];
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            gradient[3 * s->triangle[3 * t + c] + k] +=
                s->area[t] * (p[k] * shape[c][0] + p[3 + k] * shape[c][1]);
    return energy;
}

static double bend_gradient(const ref_sheet *s, int b, const double *x, double *gradient)
{
    double r[12], g[12];
    gather(x, s->bend + 4 * b, 4, r);
    const double energy = s->bending == REF_SHEET_ISOMETRIC ? ref_bend_isometric(&s->rest[b], r, g)
                                                            : ref_bend_dihedral(&s->rest[b], r, g);
    for (int i = 0; i < 12 && gradient; i++)
        gradient[3 * s->bend[4 * b + i / 3] + i % 3] += s->rigidity * g[i];
    return s->rigidity * energy;
}

double ref_sheet_bend_energy(const ref_sheet *s, const double *x)
{
    double sum = 0;
    for (int b = 0; b < s->bends && s->bending != REF_SHEET_NO_BENDING; b++)
        sum += bend_gradient(s, b, x, NULL);
    return sum;
}

double ref_sheet_volume(const ref_sheet *s, const double *x)
{
    double sum = 0, n[3];
    for (int t = 0; t < s->triangles; t++) {
        const int *v = s->triangle + 3 * t;
        cross(x + 3 * v[0], x + 3 * v[1], n);
        sum += dot(n, x + 3 * v[2]) / 6;
    }
    return sum;
}

static void pressure_gradient(const ref_sheet *s, const double *x, double *gradient)
{
    for (int i = 0; i < 3 * s->triangles; i++) {
        const int *t = s->triangle + i - i % 3;
        double n[3];
        cross(x + 3 * t[(i + 1) % 3], x + 3 * t[(i + 2) % 3], n);
        for (int k = 0; k < 3; k++)
            gradient[3 * t[i % 3] + k] -= s->pressure / 6 * n[k];
    }
}

double ref_sheet_energy(const ref_sheet *s, const double *x)
{
    double sum = ref_sheet_bend_energy(s, x), f[6];
    for (int t = 0; t < s->triangles; t++) {
        ref_sheet_deformation(s, t, x, f);
        sum += ref_membrane_energy(&s->material, f) * s->area[t];
    }
    return s->pressure == 0 ? sum : sum - s->pressure * ref_sheet_volume(s, x);
}

double ref_sheet_energy_gradient(const ref_sheet *s, const double *x, double *gradient)
{
    double sum = 0;
    memset(gradient, 0, (size_t)s->vertices * 3 * sizeof *gradient);
    for (int t = 0; t < s->triangles; t++)
        sum += triangle_gradient(s, t, x, gradient);
    for (int b = 0; b < s->bends && s->bending != REF_SHEET_NO_BENDING; b++)
        sum += bend_gradient(s, b, x, gradient);
    if (s->pressure == 0)
        return sum;
    pressure_gradient(s, x, gradient);
    return sum - s->pressure * ref_sheet_volume(s, x);
}

static void add_block(ref_sheet *s, int row, int column, int i, int j, double value)
{
    ref_blocks_at(&s->tangent, row, column)[3 * i + j] += value;
}

static void triangle_tangent(ref_sheet *s, int t, const double *x)
{
    double f[6], h[6][6], shape[3][2];
    const int *v = s->triangle + 3 * t;
    shapes(s->dm_inverse + 4 * t, shape);
    ref_sheet_deformation(s, t, x, f);
    ref_membrane_hessian(&s->material, f, h);
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++) {
            double sum = 0;
            for (int j = 0; j < 4; j++)
                sum += shape[a / 3][j / 2] * shape[b / 3][j % 2] *
                       h[3 * (j / 2) + a % 3][3 * (j % 2) + b % 3];
            add_block(s, v[a / 3], v[b / 3], a % 3, b % 3, s->area[t] * sum);
        }
}

/* -p d2V: V is a sum of det(x0, x1, x2) / 6. */
static void pressure_tangent(ref_sheet *s, int t, const double *x)
{
    static const int next[3] = {1, 2, 0};
    const int *v = s->triangle + 3 * t;
    for (int a = 0; a < 3; a++) {
        const int b = next[a];
        const double *c = x + 3 * v[next[b]];
        for (int i = 0; i < 3; i++) {
            const int j = next[i], k = next[j];
            /* det(e_i, e_j, c) = c_k */
            add_block(s, v[a], v[b], i, j, -s->pressure / 6 * c[k]);
            add_block(s, v[a], v[b], j, i, s->pressure / 6 * c[k]);
            add_block(s, v[b], v[a], j, i, -s->pressure / 6 * c[k]);
            add_block(s, v[b], v[a], i, j, s->pressure / 6 * c[k]);
        }
    }
}

void ref_sheet_tangent(ref_sheet *s, const double *x)
{
    ref_blocks_clear(&s->tangent);
    for (int t = 0; t < s->triangles; t++) {
        triangle_tangent(s, t, x);
        if (s->pressure != 0)
            pressure_tangent(s, t, x);
    }
    for (int b = 0; b < s->bends && s->bending != REF_SHEET_NO_BENDING; b++) {
        double r[12], h[144];
        const int *v = s->bend + 4 * b;
        gather(x, v, 4, r);
        if (s->bending == REF_SHEET_ISOMETRIC)
            ref_bend_isometric_hessian(&s->rest[b], h);
        else
            ref_bend_dihedral_hessian(&s->rest[b], r, h);
        for (int i = 0; i < 144; i++)
            add_block(s, v[i / 36], v[i % 12 / 3], i / 12 % 3, i % 3, s->rigidity * h[i]);
    }
}
