/* shape_build.c - descriptions of shapes: everything that is refused, and the block they become. */
#include "shapes/shapes.h"

#include "base/cookies.h"
#include "base/float_mode.h"
#include "base/hash.h"
#include "base/refuse.h"

#include <math.h>
#include <string.h>

#define FIELD(name) "piola_shape_desc." #name
/* Surfaces of triangles keep bodies off by this share of their reach, and of 0.1 m: four times what
 * positions are known to (collide_tolerance). The side on which a vertex is must stay plain. */
#define SKIN 8e-6f

piola_shape_desc piola_shape_desc_default(void)
{
    return (piola_shape_desc){
        .cookie_ = COOKIE_SHAPE, .kind = PIOLA_SHAPE_HULL, .sample_count = {1, 1, 1}, .spacing = 1};
}

static bool sampled(const piola_shape_desc *d)
{
    return d->kind == PIOLA_SHAPE_HEIGHTS || d->kind == PIOLA_SHAPE_DISTANCES;
}

/* ---- checks ---- */

piola_status shape_check_grid(const struct shape_grid_input *grid, piola_error *error)
{
    const bool field = grid->field;
    uint64_t count = 1;
    for (uint32_t k = 0; k < 3; ++k) {
        const uint32_t n = grid->count[k];
        const bool one = field && k == 2;
        count *= n;
        if (one ? n != 1 : n < 2 || n > SHAPE_HEIGHTS || count > SHAPE_SAMPLES)
            return refuse_item(error, PIOLA_ERROR_RANGE, grid->count_name, k);
    }
    if (!(grid->spacing - grid->spacing == 0))
        return refuse(error, PIOLA_ERROR_NOT_FINITE, grid->spacing_name);
    if (!(grid->spacing >= 1e-6f && grid->spacing <= 1e4f))
        return refuse(error, PIOLA_ERROR_RANGE, grid->spacing_name);
    for (uint32_t k = 0; k < 3; ++k) {
        const float origin = grid->origin[k];
        const double at = (double)origin, last = grid->count[field ? k / 2 : k] - 1;
        const double length = field && k == 1 ? 0 : last * (double)grid->spacing;
        if (!(origin - origin == 0))
            return refuse_item(error, PIOLA_ERROR_NOT_FINITE, grid->origin_name, k);
        if (!(at >= -SHAPE_COORDS && at + length <= SHAPE_COORDS))
            return refuse_item(error, PIOLA_ERROR_RANGE, grid->origin_name, k);
    }
    return PIOLA_OK;
}

static piola_status check_samples_desc(const piola_shape_desc *d, piola_error *error)
{
    const struct shape_grid_input grid = {
        .count = d->sample_count,
        .spacing = d->spacing,
        .origin = d->origin,
        .field = d->kind == PIOLA_SHAPE_HEIGHTS,
        .count_name = FIELD(sample_count),
        .spacing_name = FIELD(spacing),
        .origin_name = FIELD(origin),
    };
    return d->samples ? shape_check_grid(&grid, error)
                      : refuse(error, PIOLA_ERROR_NULL, FIELD(samples));
}

static piola_status check_desc(const piola_shape_desc *d, piola_error *error)
{
    if (!d)
        return refuse(error, PIOLA_ERROR_NULL, "piola_shape_desc");
    if (d->cookie_ != COOKIE_SHAPE)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_shape_desc");
    if ((unsigned)d->kind < PIOLA_SHAPE_HULL || (unsigned)d->kind >= PIOLA_SHAPE_KIND_COUNT)
        return refuse(error, PIOLA_ERROR_RANGE, FIELD(kind));
    if (sampled(d))
        return check_samples_desc(d, error);
    const bool hull = d->kind == PIOLA_SHAPE_HULL;
    if (!d->vertices)
        return refuse(error, PIOLA_ERROR_NULL, FIELD(vertices));
    if (d->vertex_count < (hull ? 4 : 3) || d->vertex_count > (hull ? SHAPE_HULL : SHAPE_VERTICES))
        return refuse(error, PIOLA_ERROR_RANGE, FIELD(vertex_count));
    if (!hull && !d->triangles)
        return refuse(error, PIOLA_ERROR_NULL, FIELD(triangles));
    if (!hull && (d->triangle_count < 1 || d->triangle_count > SHAPE_FACETS))
        return refuse(error, PIOLA_ERROR_RANGE, FIELD(triangle_count));
    return PIOLA_OK;
}

static uint64_t samples_of(const piola_shape_desc *d)
{
    return (uint64_t)d->sample_count[0] * d->sample_count[1] * d->sample_count[2];
}

static piola_status check_arrays(const piola_shape_desc *d, piola_error *error)
{
    const uint64_t samples = sampled(d) ? samples_of(d) : 0;
    for (uint64_t i = 0; i < samples; ++i) {
        if (!(d->samples[i] - d->samples[i] == 0))
            return refuse_item(error, PIOLA_ERROR_NOT_FINITE, FIELD(samples), i);
        if (!(fabs((double)d->samples[i]) <= SHAPE_COORDS))
            return refuse_item(error, PIOLA_ERROR_RANGE, FIELD(samples), i);
    }
    for (size_t i = 0; i < 3 * (size_t)d->vertex_count && !sampled(d); ++i) {
        if (!(d->vertices[i] - d->vertices[i] == 0))
            return refuse_item(error, PIOLA_ERROR_NOT_FINITE, FIELD(vertices), i / 3);
        if (!(fabs(d->vertices[i]) <= SHAPE_COORDS))
            return refuse_item(error, PIOLA_ERROR_RANGE, FIELD(vertices), i / 3);
    }
    return PIOLA_OK;
}

/* ---- memory ---- */

struct work {
    struct shape_soup soup;
    struct shape_mesh_work mesh;
    struct shape_hull_work hull;
};

static uint32_t most_triangles(const piola_shape_desc *d)
{
    return d->kind == PIOLA_SHAPE_HULL ? 2 * d->vertex_count - 4 : d->triangle_count;
}

static void take_work(const piola_shape_desc *d, struct arena *arena, struct work *w)
{
    if (sampled(d))
        return;
    const uint32_t points = d->vertex_count, triangles = most_triangles(d);
    w->soup = (struct shape_soup){.points = points, .triangles = triangles};
    w->soup.at = arena_take(arena, 3 * (uint64_t)points, sizeof(float));
    w->soup.corners = arena_take(arena, 3 * (uint64_t)triangles, sizeof(uint32_t));
    shape_mesh_take(arena, points, triangles, &w->mesh);
    if (d->kind == PIOLA_SHAPE_HULL)
        shape_hull_take(arena, points, &w->hull);
}

/* The header of a shape of so many points and triangles, or of the description's samples; returns
 * its bytes, 0 when they cannot be addressed. */
static size_t lay_out(const piola_shape_desc *d, uint32_t points, uint32_t triangles,
                      piola_shape_data *shape)
{
    memset(shape, 0, sizeof *shape);
    shape->magic = SHAPE_MAGIC;
    shape->version = SHAPE_VERSION;
    shape->stats.kind = d->kind;
    shape->stats.steepest = 1;
    uint64_t boxes = 0, spans = 0;
    const uint64_t samples = sampled(d) ? samples_of(d) : 0;
    if (sampled(d)) {
        memcpy(shape->count, d->sample_count, sizeof shape->count);
        memcpy(shape->origin, d->origin, sizeof shape->origin);
        shape->spacing = d->spacing;
        points = triangles = 0;
        spans = d->kind == PIOLA_SHAPE_HEIGHTS ? shape_heights_levels(shape) : 0;
    } else {
        boxes = shape_mesh_levels(triangles, shape);
    }
    const struct {
        uint64_t count;
        size_t element;
        uint64_t *at;
    } arrays[] = {{points, sizeof(struct shape_point), &shape->at_points},
                  {triangles, sizeof(struct shape_facet), &shape->at_facets},
                  {boxes, sizeof(struct shape_box), &shape->at_boxes},
                  {spans, sizeof(struct shape_span), &shape->at_spans},
                  {samples, sizeof(float), &shape->at_samples}};
    size_t bytes = sizeof *shape;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) {
        size_t at = 0;
        if (!size_array(&bytes, arrays[i].count, arrays[i].element, PIOLA_ALIGNMENT, &at))
            return 0;
        *arrays[i].at = at;
    }
    if (!size_align(&bytes, PIOLA_ALIGNMENT))
        return 0;
    shape->bytes = bytes;
    return bytes;
}

piola_status piola_shape_size(const piola_shape_desc *desc, size_t *bytes, size_t *scratch_bytes,
                              piola_error *error)
{
    const piola_status status = check_desc(desc, error);
    if (status != PIOLA_OK)
        return status;
    if (!bytes || !scratch_bytes)
        return refuse(error, PIOLA_ERROR_NULL, "bytes");
    struct arena arena = {0};
    struct work work;
    piola_shape_data shape;
    take_work(desc, &arena, &work);
    const size_t need =
        lay_out(desc, desc->vertex_count, sampled(desc) ? 0 : most_triangles(desc), &shape);
    if (need == 0 || arena.too_large)
        return refuse(error, PIOLA_ERROR_TOO_LARGE, "piola_shape_desc");
    *bytes = need;
    *scratch_bytes = arena.most;
    return PIOLA_OK;
}

/* ---- compiling ---- */

static piola_status build_facets(const piola_shape_desc *d, void *scratch, piola_shape_data *shape,
                                 piola_error *error)
{
    struct arena arena = {.base = scratch};
    struct work w;
    take_work(d, &arena, &w);
    for (size_t i = 0; i < 3 * (size_t)d->vertex_count; ++i)
        w.soup.at[i] = (float)d->vertices[i];
    if (d->kind == PIOLA_SHAPE_HULL) {
        if (!shape_hull_build(&w.hull, &w.soup))
            return refuse(error, PIOLA_ERROR_MESH_DEGENERATE, FIELD(vertices));
    } else {
        memcpy(w.soup.corners, d->triangles, 3 * (size_t)d->triangle_count * sizeof(uint32_t));
    }
    const size_t bytes = lay_out(d, w.soup.points, w.soup.triangles, shape);
    memset((char *)shape + sizeof *shape, 0, bytes - sizeof *shape);
    return shape_mesh_build(&w.soup, &w.mesh, shape, error);
}

static piola_status build_samples(const piola_shape_desc *d, piola_shape_data *shape,
                                  piola_error *error)
{
    const size_t bytes = lay_out(d, 0, 0, shape);
    memset((char *)shape + sizeof *shape, 0, bytes - sizeof *shape);
    uint64_t item = 0;
    if (d->kind == PIOLA_SHAPE_HEIGHTS)
        shape_heights_build(d->samples, shape);
    else if (!shape_grid_build(d->samples, shape, &item))
        return refuse_item(error, PIOLA_ERROR_RANGE, FIELD(samples), item);
    return PIOLA_OK;
}

static void finish(piola_shape_data *shape)
{
    piola_shape_stats *s = &shape->stats;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double low = fabs((double)s->low[k]), high = fabs((double)s->high[k]);
        square += low > high ? low * low : high * high;
    }
    if (s->kind == PIOLA_SHAPE_MESH || s->kind == PIOLA_SHAPE_WALL ||
        s->kind == PIOLA_SHAPE_HEIGHTS)
        s->least_margin = SKIN * (0.1f + (float)sqrt(square));
    const size_t from = offsetof(piola_shape_data, stats);
    shape->checksum =
        hash_bytes((const char *)shape + from, (size_t)shape->bytes - from, SHAPE_VERSION);
}

piola_status piola_shape_compile(const piola_shape_desc *desc, void *scratch, size_t scratch_bytes,
                                 void *memory, size_t bytes, const piola_shape_data **shape,
                                 piola_error *error)
{
    IN_PLAIN_MODE;
    size_t need = 0, need_scratch = 0;
    piola_status status = piola_shape_size(desc, &need, &need_scratch, error);
    if (status != PIOLA_OK)
        return status;
    if (!memory || !shape || (!scratch && need_scratch > 0))
        return refuse(error, PIOLA_ERROR_NULL, !memory ? "memory" : !shape ? "shape" : "scratch");
    if ((uintptr_t)memory % PIOLA_ALIGNMENT != 0 || (uintptr_t)scratch % PIOLA_ALIGNMENT != 0)
        return refuse(error, PIOLA_ERROR_ALIGNMENT,
                      (uintptr_t)memory % PIOLA_ALIGNMENT != 0 ? "memory" : "scratch");
    if (bytes < need || scratch_bytes < need_scratch)
        return refuse(error, PIOLA_ERROR_MEMORY, bytes < need ? "bytes" : "scratch_bytes");
    status = check_arrays(desc, error);
    if (status != PIOLA_OK)
        return status;
    piola_shape_data *built = memory;
    status = sampled(desc) ? build_samples(desc, built, error)
                           : build_facets(desc, scratch, built, error);
    if (status != PIOLA_OK) {
        built->magic = 0;
        return status;
    }
    finish(built);
    *shape = built;
    return PIOLA_OK;
}
