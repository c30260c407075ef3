/* Meshes and deformations; see the header. */
#include "ref_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref_random.h"

/* Corner b of a cell is at (b & 1, b >> 1 & 1, b >> 2 & 1). Five tetrahedra for an even cell; an
 * odd cell is the same with x mirrored, so that faces match. Six: Kuhn's, all around the diagonal
 * 0-7. */
static const int FIVE[5][4] = {
    {0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}};
static const int SIX[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                              {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

static bool allocate(ref_mesh *m, int vertices, int tets)
{
    m->vertices = vertices;
    m->tets = tets;
    m->x = calloc((size_t)vertices * 3, sizeof *m->x);
    m->tet = calloc((size_t)tets * 4, sizeof *m->tet);
    if (m->x && m->tet)
        return true;
    ref_mesh_free(m);
    return false;
}

void ref_mesh_free(ref_mesh *m)
{
    free(m->x);
    free(m->tet);
    memset(m, 0, sizeof *m);
}

double ref_mesh_volume(const ref_mesh *m, const double *x, int t)
{
    const int *v = m->tet + 4 * t;
    ref_mat3 d;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            d.m[i][j] = x[3 * v[j + 1] + i] - x[3 * v[0] + i];
    return ref_det(d) / 6;
}

static void orient(ref_mesh *m, int t)
{
    if (ref_mesh_volume(m, m->x, t) >= 0)
        return;
    int *v = m->tet + 4 * t, keep = v[2];
    v[2] = v[3];
    v[3] = keep;
}

static int corner(const int cells[3], const int at[3], int b)
{
    int i = at[0] + (b & 1), j = at[1] + (b >> 1 & 1), k = at[2] + (b >> 2 & 1);
    return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k;
}

static void fill_cell(ref_mesh *m, const int cells[3], const int at[3], int per_cell)
{
    int number = (at[0] * cells[1] + at[1]) * cells[2] + at[2];
    int mirror = (at[0] + at[1] + at[2]) & 1;
    for (int n = 0; n < per_cell; n++) {
        int t = number * per_cell + n;
        for (int c = 0; c < 4; c++) {
            int b = per_cell == 5 ? FIVE[n][c] ^ mirror : SIX[n][c];
            m->tet[4 * t + c] = corner(cells, at, b);
        }
        orient(m, t);
    }
}

bool ref_mesh_beam(ref_mesh *m, const int cells[3], const double size[3], int per_cell)
{
    int nx = cells[0], ny = cells[1], nz = cells[2];
    if (!allocate(m, (nx + 1) * (ny + 1) * (nz + 1), nx * ny * nz * per_cell))
        return false;
    int at[3];
    for (at[0] = 0; at[0] <= nx; at[0]++)
        for (at[1] = 0; at[1] <= ny; at[1]++)
            for (at[2] = 0; at[2] <= nz; at[2]++)
                for (int d = 0; d < 3; d++)
                    m->x[3 * corner(cells, at, 0) + d] = size[d] * at[d] / cells[d];
    for (at[0] = 0; at[0] < nx; at[0]++)
        for (at[1] = 0; at[1] < ny; at[1]++)
            for (at[2] = 0; at[2] < nz; at[2]++)
                fill_cell(m, cells, at, per_cell);
    return true;
}

bool ref_mesh_single(ref_mesh *m, double size)
{
    if (!allocate(m, 4, 1))
        return false;
    for (int v = 0; v < 4; v++)
        m->tet[v] = v;
    for (int d = 0; d < 3; d++)
        m->x[3 * (d + 1) + d] = size;
    return true;
}

/* Square of the distance of a point from the line between two others. */
static double from_line(const double p[3], const double a[3], const double b[3])
{
    double length = 0, along = 0, square = 0;
    for (int k = 0; k < 3; k++) {
        length += (b[k] - a[k]) * (b[k] - a[k]);
        along += (p[k] - a[k]) * (b[k] - a[k]);
    }
    const double t = fmax(0, fmin(1, along / length));
    for (int k = 0; k < 3; k++)
        square += pow(p[k] - a[k] - t * (b[k] - a[k]), 2);
    return square;
}

/* Torso, neck, head, arms, legs, tail. */
static bool in_figure(const double p[3])
{
    static const struct {
        double a[3], b[3], radius;
    } limbs[] = {{{0, 1, 0}, {0, 1.9, 0}, 0.45},
                 {{0, 2, 0}, {0, 2.5, 0}, 0.22},
                 {{0, 2.6, 0}, {0, 2.7, 0.1}, 0.33},
                 {{0.3, 1.95, 0}, {1.1, 2.3, 0.1}, 0.17},
                 {{-0.3, 1.95, 0}, {-1.1, 2.2, 0.1}, 0.17},
                 {{0.25, 0.9, 0}, {0.4, 0.2, 0}, 0.22},
                 {{-0.25, 0.9, 0}, {-0.4, 0.2, 0}, 0.22},
                 {{0, 0.9, -0.3}, {0, 0.5, -1}, 0.15}};
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++)
        if (from_line(p, limbs[i].a, limbs[i].b) < limbs[i].radius * limbs[i].radius)
            return true;
    return false;
}

/* Keeps the runs of `run` tetrahedra (a cell's) whose middle is inside, and the vertices they need.
 */
static bool carve(ref_mesh *m, int run, bool (*inside)(const double p[3]))
{
    int *number = malloc((size_t)m->vertices * sizeof *number), kept = 0, vertices = 0;
    if (!number)
        return false;
    for (int v = 0; v < m->vertices; v++)
        number[v] = -1;
    for (int t = 0; t < m->tets; t += run) {
        double middle[3] = {0, 0, 0};
        for (int i = 0; i < 12 * run; i++)
            middle[i % 3] += m->x[3 * m->tet[4 * t + i / 3] + i % 3] / (4 * run);
        if (!inside(middle))
            continue;
        for (int i = 0; i < 4 * run; i++) {
            const int v = m->tet[4 * t + i];
            number[v] = 0;
            m->tet[4 * kept + i] = v;
        }
        kept += run;
    }
    for (int v = 0; v < m->vertices; v++)
        if (number[v] == 0) {
            number[v] = vertices;
            memmove(m->x + 3 * vertices++, m->x + 3 * v, 3 * sizeof *m->x);
        }
    for (int i = 0; i < 4 * kept; i++)
        m->tet[i] = number[m->tet[i]];
    free(number);
    m->vertices = vertices;
    m->tets = kept;
    return true;
}

bool ref_mesh_figure(ref_mesh *m)
{
    static const int cells[3] = {20, 24, 12};
    static const double size[3] = {2.6, 3.12, 1.56}, low[3] = {-1.3, 0, -1.1};
    if (!ref_mesh_beam(m, cells, size, 5))
        return false;
    for (int i = 0; i < 3 * m->vertices; i++)
        m->x[i] += low[i % 3];
    if (!carve(m, 5, in_figure)) {
        ref_mesh_free(m);
        return false;
    }
    ref_mesh_distort(m, 0.2 * 0.13, 1);
    /* Cells of 0.13 m become 0.03 to 0.23 m along each axis. */
    for (int i = 0; i < 3 * m->vertices; i++)
        m->x[i] += 0.8 / 8 * sin(8 * m->x[i] + i % 3);
    return true;
}

static FILE *open_part(const char *base, const char *suffix)
{
    char path[1024];
    int n = snprintf(path, sizeof path, "%s%s", base, suffix);
    return n > 0 && n < (int)sizeof path ? fopen(path, "r") : NULL;
}

static bool read_bodies(ref_mesh *m, FILE *node, FILE *ele)
{
    int first = 0;
    for (int v = 0; v < m->vertices; v++) {
        int index;
        double *x = m->x + 3 * v;
        if (fscanf(node, "%d %lf %lf %lf", &index, x, x + 1, x + 2) != 4)
            return false;
        if (v == 0)
            first = index;
    }
    for (int t = 0; t < m->tets; t++) {
        int index, *v = m->tet + 4 * t;
        if (fscanf(ele, "%d %d %d %d %d", &index, v, v + 1, v + 2, v + 3) != 5)
            return false;
        for (int c = 0; c < 4; c++) {
            v[c] -= first;
            if (v[c] < 0 || v[c] >= m->vertices)
                return false;
        }
    }
    return true;
}

bool ref_mesh_tetgen(ref_mesh *m, const char *base)
{
    FILE *node = open_part(base, ".node"), *ele = open_part(base, ".ele");
    int vertices = 0, tets = 0, corners = 0;
    bool ok = node && ele && fscanf(node, "%d%*[^\n]", &vertices) == 1 &&
              fscanf(ele, "%d %d%*[^\n]", &tets, &corners) == 2 && corners == 4 && vertices > 0 &&
              tets > 0;
    if (ok && (ok = allocate(m, vertices, tets)) && !(ok = read_bodies(m, node, ele)))
        ref_mesh_free(m);
    if (node)
        fclose(node);
    if (ele)
        fclose(ele);
    return ok;
}

static void bounds(const ref_mesh *m, double low[3], double high[3])
{
    for (int d = 0; d < 3; d++) {
        low[d] = high[d] = m->x[d];
        for (int v = 1; v < m->vertices; v++) {
            low[d] = fmin(low[d], m->x[3 * v + d]);
            high[d] = fmax(high[d], m->x[3 * v + d]);
        }
    }
}

void ref_mesh_normalise(ref_mesh *m, double length)
{
    double low[3], high[3], longest = 0;
    bounds(m, low, high);
    for (int d = 0; d < 3; d++)
        longest = fmax(longest, high[d] - low[d]);
    double scale = length > 0 ? length / longest : 1;
    for (int v = 0; v < m->vertices; v++)
        for (int d = 0; d < 3; d++)
            m->x[3 * v + d] = (m->x[3 * v + d] - 0.5 * (low[d] + high[d])) * scale;
}

void ref_mesh_distort(ref_mesh *m, double amount, uint64_t seed)
{
    double low[3], high[3], margin = 1e-9;
    bounds(m, low, high);
    for (int v = 0; v < m->vertices; v++) {
        double *x = m->x + 3 * v;
        bool inside = true;
        for (int d = 0; d < 3; d++) {
            double slack = margin * (high[d] - low[d]);
            inside = inside && x[d] > low[d] + slack && x[d] < high[d] - slack;
        }
        for (int d = 0; inside && d < 3; d++)
            x[d] += ref_random(&seed, -amount, amount);
    }
}

void ref_mesh_bend(const ref_mesh *m, double curvature, double *x)
{
    double r = 1 / curvature;
    for (int v = 0; v < m->vertices; v++) {
        const double *rest = m->x + 3 * v;
        double a = rest[1] / r;
        x[3 * v] = (r + rest[0]) * cos(a) - r;
        x[3 * v + 1] = (r + rest[0]) * sin(a);
        x[3 * v + 2] = rest[2];
    }
}

void ref_mesh_affine(const ref_mesh *m, ref_mat3 a, const double b[3], double *x)
{
    for (int v = 0; v < m->vertices; v++) {
        const double *rest = m->x + 3 * v;
        for (int i = 0; i < 3; i++)
            x[3 * v + i] = a.m[i][0] * rest[0] + a.m[i][1] * rest[1] + a.m[i][2] * rest[2] + b[i];
    }
}
