/* shape_fixture.c - see shape_fixture.h. */
#include "shape_fixture.h"

#include "unity.h"

#include <math.h>
#include <string.h>

#define TAU 6.283185307179586

piola_status shape_fixture_try(const piola_shape_desc *desc, const piola_shape_data **shape,
                               piola_error *error)
{
    size_t bytes = 0, scratch = 0;
    const piola_status status = piola_shape_size(desc, &bytes, &scratch, error);
    if (status != PIOLA_OK)
        return status;
    return piola_shape_compile(desc, fixture_memory(scratch), scratch, fixture_memory(bytes), bytes,
                               shape, error);
}

const piola_shape_data *shape_fixture_compile(const piola_shape_desc *desc)
{
    const piola_shape_data *shape = NULL;
    piola_error error = {0};
    fixture_ok(shape_fixture_try(desc, &shape, &error), &error);
    return shape;
}

piola_shape_desc shape_fixture_desc(const struct shape_tris *tris, piola_shape_kind kind)
{
    piola_shape_desc d = piola_shape_desc_default();
    d.kind = kind;
    d.vertices = tris->v;
    d.vertex_count = tris->vertices;
    d.triangles = tris->t;
    d.triangle_count = tris->triangles;
    return d;
}

static void add(struct shape_tris *tris, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *t = tris->t + 3 * (size_t)tris->triangles++;
    TEST_ASSERT_TRUE(tris->triangles <= SHAPE_TRIANGLES);
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static uint32_t point(struct shape_tris *tris, double x, double y, double z)
{
    /* Exactly what the shape holds, so that brute force measures the same triangles; through
     * memory, see mesh_round. */
    const volatile float at[3] = {(float)x, (float)y, (float)z};
    for (int k = 0; k < 3; ++k)
        tris->v[3 * (size_t)tris->vertices + (size_t)k] = (double)at[k];
    return tris->vertices++;
}

void shape_fixture_torus(struct shape_tris *tris, uint32_t around, uint32_t across, double radius,
                         double thickness, double wave)
{
    tris->vertices = tris->triangles = 0;
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t j = 0; j < across; ++j) {
            const double u = TAU * i / around, v = TAU * j / across;
            const double r = thickness * (1 + wave * sin(3 * u + 2 * v)),
                         ring = radius + r * cos(v);
            (void)point(tris, ring * cos(u), r * sin(v), ring * sin(u));
        }
    for (uint32_t i = 0; i < around; ++i)
        for (uint32_t j = 0; j < across; ++j) {
            const uint32_t a = i * across + j, b = i * across + (j + 1) % across;
            const uint32_t c = (i + 1) % around * across + j;
            const uint32_t d = (i + 1) % around * across + (j + 1) % across;
            add(tris, a, b, c);
            add(tris, c, b, d);
        }
}

static const uint32_t quad[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

void shape_fixture_star(struct shape_tris *tris, double half, double dent)
{
    const double low[3] = {-half, -half, -half}, high[3] = {half, half, half};
    shape_fixture_box(tris, low, high);
    tris->triangles = 0;
    for (int f = 0; f < 6; ++f) {
        double middle[3] = {0, 0, 0};
        middle[f / 2] = f % 2 ? dent : -dent;
        const uint32_t centre = point(tris, middle[0], middle[1], middle[2]);
        for (int c = 0; c < 4; ++c)
            add(tris, quad[f][c], quad[f][(c + 1) % 4], centre);
    }
}

void shape_fixture_box(struct shape_tris *tris, const double low[3], const double high[3])
{
    tris->vertices = tris->triangles = 0;
    for (uint32_t i = 0; i < 8; ++i)
        (void)point(tris, i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1],
                    i & 4 ? high[2] : low[2]);
    for (int f = 0; f < 6; ++f) {
        add(tris, quad[f][0], quad[f][1], quad[f][2]);
        add(tris, quad[f][0], quad[f][2], quad[f][3]);
    }
}

void shape_fixture_heights(struct shape_tris *tris, const piola_shape_desc *d, double bottom)
{
    const uint32_t nx = d->sample_count[0], nz = d->sample_count[1], n = nx * nz;
    tris->vertices = tris->triangles = 0;
    for (uint32_t low = 0; low < 2; ++low)
        for (uint32_t z = 0; z < nz; ++z)
            for (uint32_t x = 0; x < nx; ++x) {
                double *v = tris->v + 3 * (size_t)tris->vertices++;
                v[0] = (double)d->origin[0] + x * (double)d->spacing;
                v[1] = low ? bottom : (double)d->origin[1] + (double)d->samples[x + nx * z];
                v[2] = (double)d->origin[2] + z * (double)d->spacing;
            }
    for (uint32_t z = 0; z + 1 < nz; ++z)
        for (uint32_t x = 0; x + 1 < nx; ++x) {
            const uint32_t a = x + nx * z, b = a + 1, c = a + nx, e = c + 1;
            add(tris, a, c, e);
            add(tris, a, e, b);
            add(tris, n + a, n + e, n + c);
            add(tris, n + a, n + b, n + e);
        }
    for (uint32_t i = 0; i + 1 < nx; ++i)
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t a = side ? i + nx * (nz - 1) : i + 1, b = side ? a + 1 : i;
            add(tris, a, n + a, b);
            add(tris, b, n + a, n + b);
        }
    for (uint32_t i = 0; i + 1 < nz; ++i)
        for (uint32_t side = 0; side < 2; ++side) {
            const uint32_t a = side ? nx * (i + 1) + nx - 1 : nx * i, b = side ? a - nx : a + nx;
            add(tris, a, n + a, b);
            add(tris, b, n + a, n + b);
        }
}

piola_shape_desc shape_fixture_field(uint32_t samples, double wave)
{
    piola_shape_desc d = piola_shape_desc_default();
    float *heights = fixture_memory((size_t)samples * samples * sizeof *heights);
    d.kind = PIOLA_SHAPE_HEIGHTS;
    d.samples = heights;
    d.sample_count[0] = d.sample_count[1] = samples;
    d.spacing = 2.0f / (float)(samples - 1);
    d.origin[0] = d.origin[2] = -1;
    for (uint32_t z = 0; z < samples; ++z)
        for (uint32_t x = 0; x < samples; ++x)
            heights[x + samples * z] =
                (float)(wave * sin(0.9 * TAU * x / samples) * cos(1.3 * TAU * z / samples));
    return d;
}

/* ---- brute force ---- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double from_segment(const double p[3], const double a[3], const double b[3])
{
    double e[3], r[3];
    for (int k = 0; k < 3; ++k) {
        e[k] = b[k] - a[k];
        r[k] = p[k] - a[k];
    }
    const double t = fmax(0, fmin(1, dot(r, e) / dot(e, e)));
    for (int k = 0; k < 3; ++k)
        r[k] -= t * e[k];
    return sqrt(dot(r, r));
}

/* Over the plane, when the foot is inside all three edges; else the nearest edge. */
static double from_triangle(const double p[3], const double *x[3])
{
    double u[3], v[3], n[3], best = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        u[k] = x[1][k] - x[0][k];
        v[k] = x[2][k] - x[0][k];
    }
    for (int k = 0; k < 3; ++k)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    bool inside = true;
    for (int c = 0; c < 3; ++c) {
        const double *a = x[c], *b = x[(c + 1) % 3];
        double side = 0;
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            side += n[k] * ((b[i] - a[i]) * (p[j] - a[j]) - (b[j] - a[j]) * (p[i] - a[i]));
        }
        inside = inside && side >= 0;
        best = fmin(best, from_segment(p, a, b));
    }
    double off[3];
    for (int k = 0; k < 3; ++k)
        off[k] = p[k] - x[0][k];
    return inside ? fabs(dot(off, n)) / sqrt(dot(n, n)) : best;
}

static void corners(const struct shape_tris *tris, uint32_t t, const double *x[3])
{
    for (int c = 0; c < 3; ++c)
        x[c] = tris->v + 3 * (size_t)tris->t[3 * t + (uint32_t)c];
}

double shape_fixture_distance(const struct shape_tris *tris, const double p[3])
{
    double best = (double)INFINITY;
    for (uint32_t t = 0; t < tris->triangles; ++t) {
        const double *x[3];
        corners(tris, t, x);
        best = fmin(best, from_triangle(p, x));
    }
    return best;
}

/* Solid angles of all triangles (van Oosterom and Strackee). */
bool shape_fixture_inside(const struct shape_tris *tris, const double p[3])
{
    double sum = 0;
    for (uint32_t t = 0; t < tris->triangles; ++t) {
        const double *x[3];
        double r[3][3], length[3];
        corners(tris, t, x);
        for (int c = 0; c < 3; ++c) {
            for (int k = 0; k < 3; ++k)
                r[c][k] = x[c][k] - p[k];
            length[c] = sqrt(dot(r[c], r[c]));
        }
        double volume = 0;
        for (int k = 0; k < 3; ++k) {
            const int i = (k + 1) % 3, j = (k + 2) % 3;
            volume += r[0][k] * (r[1][i] * r[2][j] - r[1][j] * r[2][i]);
        }
        sum += 2 * atan2(volume, length[0] * length[1] * length[2] + dot(r[0], r[1]) * length[2] +
                                     dot(r[1], r[2]) * length[0] + dot(r[2], r[0]) * length[1]);
    }
    return sum > TAU;
}
