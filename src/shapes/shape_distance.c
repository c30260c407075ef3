/* shape_distance.c - distances of compiled shapes, and what a caller may ask of one. See shapes.h.
 */
#include "shapes/shapes.h"

#include "base/float_mode.h"
#include "base/refuse.h"

#include <math.h>
#include <string.h>

/* Below this share of 1 m the way to the surface has no direction of its own. */
#define NO_WAY 1e-9

static void facet_normal(const struct shape_triangle *t, double normal[3])
{
    double u[3], v[3];
    shape_minus(t->x[1], t->x[0], u);
    shape_minus(t->x[2], t->x[0], v);
    shape_cross(u, v, normal);
    (void)shape_unit(normal);
}

static void neighbour_normal(const piola_shape_data *shape, uint32_t facet, double normal[3])
{
    struct shape_triangle t;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 3; ++k)
            t.x[c][k] = (double)shape_points(shape)[shape_facets(shape)[facet].corner[c]].at[k];
    facet_normal(&t, normal);
}

/* The mean normal of the facets that meet where the surface is nearest. */
static void mean_normal(const piola_shape_data *shape, const struct shape_foot *foot,
                        double normal[3])
{
    facet_normal(&foot->triangle, normal);
    if (foot->triangle.facet == UINT32_MAX || shape->stats.kind == PIOLA_SHAPE_WALL)
        return;
    const struct shape_facet *f = &shape_facets(shape)[foot->triangle.facet];
    const double *w = foot->weight;
    for (int c = 0; c < 3; ++c) {
        const int next = (c + 1) % 3, last = (c + 2) % 3;
        if (w[next] == 0 && w[last] == 0) {
            for (int k = 0; k < 3; ++k)
                normal[k] = (double)shape_points(shape)[f->corner[c]].normal[k];
            return;
        }
    }
    for (int c = 0; c < 3; ++c) {
        double other[3];
        if (w[(c + 2) % 3] != 0)
            continue;
        neighbour_normal(shape, f->beside[c], other);
        for (int k = 0; k < 3; ++k)
            normal[k] += other[k];
        return;
    }
}

static double facets_distance(const piola_shape_data *shape, const double p[3], double below,
                              double normal[3])
{
    struct shape_foot foot;
    double mean[3];
    shape_tree_nearest(shape, p, below, &foot);
    mean_normal(shape, &foot, mean);
    double side = 1;
    if (shape->stats.kind == PIOLA_SHAPE_HEIGHTS)
        side = shape_heights_under(shape, p) ? -1 : 1;
    else if (shape->stats.kind != PIOLA_SHAPE_WALL)
        side = shape_dot(foot.between, mean) < 0 ? -1 : 1;
    const bool plain = foot.distance > NO_WAY;
    for (int k = 0; k < 3; ++k)
        normal[k] = plain ? side * foot.between[k] / foot.distance : mean[k];
    if (!plain && !shape_unit(normal))
        facet_normal(&foot.triangle, normal);
    return side * foot.distance;
}

static bool finite_point(const double p[3])
{
    return p[0] - p[0] == 0 && p[1] - p[1] == 0 && p[2] - p[2] == 0;
}

static double grid_distance(const piola_shape_data *shape, const double p[3], double normal[3],
                            double *slope)
{
    double gradient[3];
    const double value = shape_grid_value(shape, p, gradient);
    *slope = sqrt(shape_dot(gradient, gradient));
    for (int k = 0; k < 3; ++k)
        normal[k] = *slope > 0 ? gradient[k] / *slope : k == 1;
    return value;
}

double shape_compiled_distance_below(const piola_shape_data *shape, const double p[3], double below,
                                     double normal[3])
{
    double slope;
    if (!finite_point(p)) {
        normal[0] = normal[2] = 0;
        normal[1] = 1;
        return (double)NAN;
    }
    return shape->stats.kind == PIOLA_SHAPE_DISTANCES ? grid_distance(shape, p, normal, &slope)
                                                      : facets_distance(shape, p, below, normal);
}

double shape_compiled_distance(const piola_shape_data *shape, const double p[3], double normal[3])
{
    return shape_compiled_distance_below(shape, p, (double)INFINITY, normal);
}

double shape_compiled_gap(const piola_shape_data *shape, const double p[3], double margin,
                          double below, double normal[3])
{
    if (shape->stats.kind != PIOLA_SHAPE_DISTANCES)
        return shape_compiled_distance_below(shape, p, below, normal) - margin;
    double slope;
    const double gap = grid_distance(shape, p, normal, &slope) - margin;
    /* Where it hardly rises, a plane would be far off; near a surface it never is. */
    return slope > 0.1 && slope < 1 ? gap / slope : gap;
}

/* ---- for callers ---- */

piola_status shape_registry_check(const piola_shape_data *shape)
{
    if (!shape)
        return PIOLA_ERROR_NULL;
    if (shape->magic != SHAPE_MAGIC)
        return PIOLA_ERROR_BLOB_MAGIC;
    return shape->version == SHAPE_VERSION ? PIOLA_OK : PIOLA_ERROR_BLOB_VERSION;
}

piola_status piola_shape_inspect(const piola_shape_data *shape, piola_shape_stats *stats)
{
    const piola_status status = stats ? shape_registry_check(shape) : PIOLA_ERROR_NULL;
    if (status == PIOLA_OK)
        *stats = shape->stats;
    return status;
}

size_t piola_shape_bytes(const piola_shape_data *shape)
{
    return shape_registry_check(shape) == PIOLA_OK ? (size_t)shape->bytes : 0;
}

uint64_t piola_shape_hash(const piola_shape_data *shape)
{
    return shape_registry_check(shape) == PIOLA_OK ? shape->checksum : 0;
}

piola_status piola_shape_distance(const piola_shape_data *shape, const float point[3],
                                  float *distance, float normal[3])
{
    IN_PLAIN_MODE;
    const piola_status status = point ? shape_registry_check(shape) : PIOLA_ERROR_NULL;
    if (status != PIOLA_OK)
        return status;
    const double p[3] = {(double)point[0], (double)point[1], (double)point[2]};
    if (!finite_point(p))
        return PIOLA_ERROR_NOT_FINITE;
    double n[3];
    const double found = shape_compiled_distance(shape, p, n);
    if (distance)
        *distance = (float)found;
    for (int k = 0; k < 3 && normal; ++k)
        normal[k] = (float)n[k];
    return PIOLA_OK;
}

piola_status piola_shape_sample(const piola_shape_data *shape, const float origin[3], float spacing,
                                const uint32_t count[3], float *samples, piola_error *error)
{
    IN_PLAIN_MODE;
    if (!origin || !count || !samples)
        return refuse(error, PIOLA_ERROR_NULL, !origin ? "origin" : !count ? "count" : "samples");
    const struct shape_grid_input grid = {.count = count,
                                          .spacing = spacing,
                                          .origin = origin,
                                          .count_name = "count",
                                          .spacing_name = "spacing",
                                          .origin_name = "origin"};
    const piola_status known = shape_registry_check(shape);
    const piola_status status =
        known == PIOLA_OK ? shape_check_grid(&grid, error) : refuse(error, known, "shape");
    if (status != PIOLA_OK)
        return status;
    for (uint32_t z = 0; z < count[2]; ++z)
        for (uint32_t y = 0; y < count[1]; ++y)
            for (uint32_t x = 0; x < count[0]; ++x) {
                const double at[3] = {(double)x, (double)y, (double)z};
                double p[3], normal[3];
                for (int k = 0; k < 3; ++k)
                    p[k] = (double)origin[k] + at[k] * (double)spacing;
                samples[x + (size_t)count[0] * (y + (size_t)count[1] * z)] =
                    (float)shape_compiled_distance(shape, p, normal);
            }
    return PIOLA_OK;
}
