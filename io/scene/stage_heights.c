/* stage_heights.c - how high the ground is: samples of a surface, seen from above, for colliders
 * that are height fields. */
#include "io/base/memory.h"
#include "io/scene/stage.h"

#include <math.h>

#define SAMPLES_MAX UINT64_C(16777216)
/* Samples that all triangles together may be asked for: seconds, not hours. */
#define VISITS_MAX 2e9
/* A sample this far outside of a triangle, as a share of it, still lies on it: rounding, not holes.
 */
#define EDGE 1e-6

/* Samples along x and z: at low + i * step, but not beyond high, which is an edge of the mesh. */
struct grid {
    double low[2], high[2], step;
    uint32_t count[2];
};

static bool lay(const struct meshgen *mesh, struct grid *grid, const char *what,
                struct problem *problem)
{
    uint64_t count = 1;
    for (size_t k = 0; k < 2; ++k) {
        grid->low[k] = (double)INFINITY, grid->high[k] = -(double)INFINITY;
        for (size_t v = 0; v < mesh->vertex_count; ++v) {
            grid->low[k] = fmin(grid->low[k], mesh->vertices[3 * v + 2 * k]);
            grid->high[k] = fmax(grid->high[k], mesh->vertices[3 * v + 2 * k]);
        }
        const double samples = floor((grid->high[k] - grid->low[k]) / grid->step + EDGE) + 1;
        if (!(samples <= 65536) || count * (uint64_t)samples > SAMPLES_MAX)
            return problem_set(problem, EXIT_SCENE,
                               "%s: a \"spacing\" of %g m makes more than 65536 samples in a row, "
                               "or 2^24 of them; make it larger",
                               what, grid->step);
        grid->count[k] = (uint32_t)samples;
        if (grid->count[k] < 2)
            return problem_set(problem, EXIT_SCENE,
                               "%s: a side of it is shorter than the \"spacing\" of %g m", what,
                               grid->step);
        count *= grid->count[k];
    }
    return true;
}

static double place(const struct grid *grid, size_t k, uint32_t i)
{
    return fmin(grid->low[k] + i * grid->step, grid->high[k]);
}

/* The samples that a triangle may be over, along x (k 0) or z (k 1); none when first > last. */
struct span {
    uint32_t first, last;
};

static struct span span_of(const struct grid *grid, const double *const corner[3], size_t k)
{
    const double a = corner[0][2 * k], b = corner[1][2 * k], c = corner[2][2 * k];
    const double low = fmin(fmin(a, b), c) - grid->low[k];
    const double high = fmax(fmax(a, b), c) - grid->low[k];
    const double first = fmax(ceil(low / grid->step - EDGE), 0);
    const double last = fmin(floor(high / grid->step + EDGE), grid->count[k] - 1.0);
    return first <= last ? (struct span){(uint32_t)first, (uint32_t)last} : (struct span){1, 0};
}

/* Raises the samples under a triangle to it. */
static void raise_to(const struct grid *grid, const double *const corner[3], float *samples)
{
    const double *a = corner[0], *b = corner[1], *c = corner[2];
    const double ux = b[0] - a[0], uz = b[2] - a[2], vx = c[0] - a[0], vz = c[2] - a[2];
    const double area = ux * vz - uz * vx;
    const struct span xs = span_of(grid, corner, 0), zs = span_of(grid, corner, 1);
    if (fabs(area) < 1e-30) /* upright */
        return;
    for (uint32_t z = zs.first; z <= zs.last; ++z)
        for (uint32_t x = xs.first; x <= xs.last; ++x) {
            const double px = place(grid, 0, x) - a[0], pz = place(grid, 1, z) - a[2];
            const double s = (px * vz - pz * vx) / area, t = (ux * pz - uz * px) / area;
            float *sample = samples + x + (size_t)z * grid->count[0];
            if (s >= -EDGE && t >= -EDGE && s + t <= 1 + EDGE)
                *sample = fmaxf(*sample, (float)(a[1] + s * (b[1] - a[1]) + t * (c[1] - a[1])));
        }
}

static bool raise_all(const struct meshgen *mesh, const struct grid *grid, float *samples,
                      const char *what, struct problem *problem)
{
    double visits = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        const double *corner[3];
        for (size_t c = 0; c < 3; ++c)
            corner[c] = mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)i + c];
        const struct span xs = span_of(grid, corner, 0), zs = span_of(grid, corner, 1);
        visits += (xs.last + 1.0 - xs.first) * (zs.last + 1.0 - zs.first);
        if (visits > VISITS_MAX)
            return problem_set(problem, EXIT_SCENE,
                               "%s: too many triangles lie above each other for this \"spacing\"",
                               what);
        raise_to(grid, corner, samples);
    }
    return true;
}

static bool has_all(const struct grid *grid, const float *samples, size_t count, const char *what,
                    struct problem *problem)
{
    for (size_t i = 0; i < count; ++i)
        if (samples[i] == -INFINITY)
            return problem_set(problem, EXIT_SCENE,
                               "%s has nothing at x %g, z %g: seen from above, the surface of "
                               "heights must fill the box around it",
                               what, place(grid, 0, (uint32_t)(i % grid->count[0])),
                               place(grid, 1, (uint32_t)(i / grid->count[0])));
    return true;
}

float *stage_heights_sample(const struct meshgen *mesh, double spacing, piola_shape_desc *field,
                            const char *what, struct problem *problem)
{
    struct grid grid = {.step = (double)(float)spacing};
    if (!lay(mesh, &grid, what, problem))
        return NULL;
    const size_t count = (size_t)grid.count[0] * grid.count[1];
    float *samples = count ? memory_take(count * sizeof *samples) : NULL;
    if (!samples) {
        problem_memory(problem, "a height field", count * sizeof *samples);
        return NULL;
    }
    for (size_t i = 0; i < count; ++i)
        samples[i] = -INFINITY;
    if (!raise_all(mesh, &grid, samples, what, problem) ||
        !has_all(&grid, samples, count, what, problem)) {
        memory_give(samples);
        return NULL;
    }
    field->kind = PIOLA_SHAPE_HEIGHTS;
    field->samples = samples;
    field->spacing = (float)grid.step;
    for (size_t k = 0; k < 2; ++k) {
        field->sample_count[k] = grid.count[k];
        field->origin[2 * k] = (float)grid.low[k];
    }
    field->sample_count[2] = 1;
    return samples;
}
