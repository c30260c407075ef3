/* shape_mesh.c - triangles become facets: corners at one place welded, neighbours known, in an
 * order along a curve through space, four to a leaf of a tree of boxes.
 *
 * A solid's sign is that of the angle-weighted mean normal where its surface is nearest (Baerentzen
 * and Aanaes 2005), which needs every edge to be that of two facets, turned the same way round.
 */
#include "shapes/shapes.h"

#include "base/hash.h"
#include "base/refuse.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

#define FLAT                                                                                       \
    1e-20 /* (twice the area / longest edge squared)^2: below it a triangle has no normal */

static const char field[] = "piola_shape_desc.triangles";

void shape_mesh_take(struct arena *arena, uint32_t points, uint32_t triangles,
                     struct shape_mesh_work *work)
{
    const uint64_t edges = 3 * (uint64_t)triangles, most = edges > points ? edges : points;
    work->keys = arena_take(arena, most, sizeof *work->keys);
    work->keys_work = arena_take(arena, most, sizeof *work->keys_work);
    work->items = arena_take(arena, most, sizeof *work->items);
    work->items_work = arena_take(arena, most, sizeof *work->items_work);
    work->weld = arena_take(arena, points, sizeof *work->weld);
    work->facets = arena_take(arena, triangles, sizeof *work->facets);
    work->normals = arena_take(arena, 3 * (uint64_t)points, sizeof *work->normals);
}

/* Points at the same place are one: the first. */
static void weld(const struct shape_soup *soup, const struct shape_mesh_work *w)
{
    for (uint32_t i = 0; i < soup->points; ++i) {
        float at[3];
        for (int k = 0; k < 3; ++k)
            at[k] = soup->at[3 * (size_t)i + (size_t)k] + 0.0f; /* -0 is 0 */
        w->keys[i] = hash_bytes(at, sizeof at, 0);
        w->items[i] = i;
    }
    sort_keys(w->keys, w->items, w->keys_work, w->items_work, soup->points);
    for (uint32_t i = 0, first = 0; i < soup->points; ++i) {
        first = i > 0 && w->keys[i] == w->keys[i - 1] ? first : i;
        const float *a = soup->at + 3 * (size_t)w->items[first];
        const float *b = soup->at + 3 * (size_t)w->items[i];
        const bool same = a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
        w->weld[w->items[i]] = w->items[same ? first : i];
    }
}

static void corner_of(const struct shape_soup *soup, uint32_t point, double at[3])
{
    for (int k = 0; k < 3; ++k)
        at[k] = (double)soup->at[3 * (size_t)point + (size_t)k];
}

/* Two edges from the first corner, and their cross product. */
static void sides_of(const struct shape_soup *soup, const struct shape_facet *f, double u[3],
                     double v[3], double normal[3])
{
    double a[3], b[3], c[3];
    corner_of(soup, f->corner[0], a);
    corner_of(soup, f->corner[1], b);
    corner_of(soup, f->corner[2], c);
    shape_minus(b, a, u);
    shape_minus(c, a, v);
    shape_cross(u, v, normal);
}

static bool flat(const struct shape_soup *soup, const struct shape_facet *f)
{
    double u[3], v[3], w[3], normal[3];
    sides_of(soup, f, u, v, normal);
    shape_minus(u, v, w);
    const double a = shape_dot(u, u), b = shape_dot(v, v), c = shape_dot(w, w);
    const double ab = a > b ? a : b, longest = ab > c ? ab : c;
    return !(shape_dot(normal, normal) > FLAT * longest * longest);
}

static piola_status read_facets(const struct shape_soup *soup, const struct shape_mesh_work *w,
                                piola_error *error)
{
    for (uint32_t t = 0; t < soup->triangles; ++t) {
        const uint32_t *corner = soup->corners + 3 * (size_t)t;
        for (int k = 0; k < 3; ++k) {
            if (corner[k] >= soup->points)
                return refuse_item(error, PIOLA_ERROR_MESH_INDEX, field, t);
            if (corner[k] == corner[(k + 1) % 3])
                return refuse_item(error, PIOLA_ERROR_MESH_REPEATED, field, t);
            w->facets[t].corner[k] = w->weld[corner[k]];
            w->facets[t].beside[k] = UINT32_MAX;
        }
        if (flat(soup, &w->facets[t]))
            return refuse_item(error, PIOLA_ERROR_MESH_DEGENERATE, field, t);
    }
    return PIOLA_OK;
}

/* Only what a facet uses stays, in its order. */
static void drop_unused(struct shape_soup *soup, const struct shape_mesh_work *w)
{
    uint32_t *number = w->items, kept = 0;
    memset(number, 0, soup->points * sizeof *number);
    for (uint32_t t = 0; t < soup->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            number[w->facets[t].corner[k]] = 1;
    for (uint32_t i = 0; i < soup->points; ++i) {
        if (!number[i])
            continue;
        memmove(soup->at + 3 * (size_t)kept, soup->at + 3 * (size_t)i, 3 * sizeof *soup->at);
        number[i] = kept++;
    }
    for (uint32_t t = 0; t < soup->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            w->facets[t].corner[k] = number[w->facets[t].corner[k]];
    soup->points = kept;
}

/* Every edge must be that of two facets, which go along it in opposite directions. */
static piola_status find_neighbours(const struct shape_soup *soup, const struct shape_mesh_work *w,
                                    piola_error *error)
{
    const uint32_t edges = 3 * soup->triangles;
    for (uint32_t e = 0; e < edges; ++e) {
        const struct shape_facet *f = &w->facets[e / 3];
        const uint32_t a = f->corner[e % 3], b = f->corner[(e + 1) % 3];
        w->keys[e] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        w->items[e] = e;
    }
    sort_keys(w->keys, w->items, w->keys_work, w->items_work, edges);
    for (uint32_t i = 0; i < edges; i += 2) {
        const uint32_t e = w->items[i], g = w->items[i + 1 < edges ? i + 1 : i];
        const bool pair = i + 1 < edges && w->keys[i] == w->keys[i + 1] &&
                          (i + 2 >= edges || w->keys[i + 2] != w->keys[i]);
        if (!pair || w->facets[e / 3].corner[e % 3] == w->facets[g / 3].corner[g % 3])
            return refuse_item(error, PIOLA_ERROR_MESH_OPEN, field, e / 3);
        w->facets[e / 3].beside[e % 3] = g / 3;
        w->facets[g / 3].beside[g % 3] = e / 3;
    }
    return PIOLA_OK;
}

/* ---- order ---- */

static uint64_t spread(uint64_t x)
{
    x = (x | x << 32) & UINT64_C(0x1f00000000ffff);
    x = (x | x << 16) & UINT64_C(0x1f0000ff0000ff);
    x = (x | x << 8) & UINT64_C(0x100f00f00f00f00f);
    x = (x | x << 4) & UINT64_C(0x10c30c30c30c30c3);
    return (x | x << 2) & UINT64_C(0x1249249249249249);
}

static void bounds(const struct shape_soup *soup, const struct shape_mesh_work *w, double low[3],
                   double *size)
{
    *size = 0;
    for (int k = 0; k < 3; ++k) {
        double high = -(double)INFINITY;
        low[k] = (double)INFINITY;
        for (uint32_t c = 0; c < 3 * soup->triangles; ++c) {
            double at[3];
            corner_of(soup, w->facets[c / 3].corner[c % 3], at);
            low[k] = at[k] < low[k] ? at[k] : low[k];
            high = at[k] > high ? at[k] : high;
        }
        *size = high - low[k] > *size ? high - low[k] : *size;
    }
}

/* Facets by the Morton codes of their middles; items_work[t] is where facet t goes. */
static void order(const struct shape_soup *soup, const struct shape_mesh_work *w,
                  piola_shape_data *shape)
{
    double low[3], size;
    bounds(soup, w, low, &size);
    for (uint32_t t = 0; t < soup->triangles; ++t) {
        double sum[3] = {0, 0, 0}, at[3];
        for (int c = 0; c < 3; ++c) {
            corner_of(soup, w->facets[t].corner[c], at);
            for (int k = 0; k < 3; ++k)
                sum[k] += at[k];
        }
        w->keys[t] = 0;
        for (int k = 0; k < 3; ++k) {
            const double share = (sum[k] / 3 - low[k]) / size;
            w->keys[t] |= spread((uint64_t)(share > 0 ? share * 2097151 : 0)) << k;
        }
        w->items[t] = t;
    }
    sort_keys(w->keys, w->items, w->keys_work, w->items_work, soup->triangles);
    for (uint32_t i = 0; i < soup->triangles; ++i)
        w->items_work[w->items[i]] = i;
    for (uint32_t i = 0; i < soup->triangles; ++i) {
        struct shape_facet f = w->facets[w->items[i]];
        for (int k = 0; k < 3; ++k)
            f.beside[k] = f.beside[k] == UINT32_MAX ? UINT32_MAX : w->items_work[f.beside[k]];
        shape_facets(shape)[i] = f;
    }
}

/* ---- normals ---- */

/* The angle between two unit vectors: the same bits everywhere, which libm does not promise. */
static double angle(const double u[3], const double v[3])
{
    double more = 0, less = 0;
    for (int k = 0; k < 3; ++k) {
        less += (u[k] - v[k]) * (u[k] - v[k]);
        more += (u[k] + v[k]) * (u[k] + v[k]);
    }
    /* tan of half of it, then of a sixteenth of that. */
    double t = more > 0 ? sqrt(less / more) : 1e100, sum = 0;
    for (int i = 0; i < 4; ++i)
        t = t > 1e50 ? 1 : t / (1 + sqrt(1 + t * t));
    for (int n = 21; n > 0; n -= 2)
        sum = 1.0 / n - t * t * sum;
    return 32 * t * sum;
}

static void add_normals(const struct shape_soup *soup, const struct shape_facet *f, double *normals)
{
    double u[3], v[3], normal[3];
    sides_of(soup, f, u, v, normal);
    (void)shape_unit(normal);
    for (int c = 0; c < 3; ++c) {
        double at[3], next[3], last[3];
        corner_of(soup, f->corner[c], at);
        corner_of(soup, f->corner[(c + 1) % 3], next);
        corner_of(soup, f->corner[(c + 2) % 3], last);
        shape_minus(next, at, u);
        shape_minus(last, at, v);
        (void)shape_unit(u);
        (void)shape_unit(v);
        for (int k = 0; k < 3; ++k)
            normals[3 * (size_t)f->corner[c] + (size_t)k] += angle(u, v) * normal[k];
    }
}

static void write_points(const struct shape_soup *soup, const struct shape_mesh_work *w,
                         piola_shape_data *shape)
{
    memset(w->normals, 0, 3 * (size_t)soup->points * sizeof *w->normals);
    for (uint32_t f = 0; f < soup->triangles; ++f)
        add_normals(soup, &shape_facets(shape)[f], w->normals);
    for (uint32_t i = 0; i < soup->points; ++i) {
        struct shape_point *p = &shape_points(shape)[i];
        double *normal = w->normals + 3 * (size_t)i;
        (void)shape_unit(normal);
        for (int k = 0; k < 3; ++k) {
            p->at[k] = soup->at[3 * (size_t)i + (size_t)k];
            p->normal[k] = (float)normal[k];
        }
    }
}

/* ---- boxes ---- */

uint64_t shape_mesh_levels(uint32_t facets, piola_shape_data *shape)
{
    uint64_t boxes = 0;
    uint32_t count = facets;
    shape->levels = 0;
    do {
        count = (count + SHAPE_CHILDREN - 1) / SHAPE_CHILDREN;
        shape->level[shape->levels++] = (struct shape_level){{count, 1}, boxes};
        boxes += count;
    } while (count > 1);
    return boxes;
}

static void grow(struct shape_box *box, const float low[3], const float high[3])
{
    for (int k = 0; k < 3; ++k) {
        box->low[k] = low[k] < box->low[k] ? low[k] : box->low[k];
        box->high[k] = high[k] > box->high[k] ? high[k] : box->high[k];
    }
}

static void write_boxes(piola_shape_data *shape)
{
    const struct shape_box none = {{INFINITY, INFINITY, INFINITY},
                                   {-INFINITY, -INFINITY, -INFINITY}};
    struct shape_box *boxes = shape_boxes(shape);
    for (uint32_t i = 0; i < shape->level[0].count[0]; ++i) {
        boxes[i] = none;
        for (uint32_t f = 4 * i; f < 4 * i + SHAPE_CHILDREN && f < shape->stats.triangles; ++f)
            for (int c = 0; c < 3; ++c) {
                const float *at = shape_points(shape)[shape_facets(shape)[f].corner[c]].at;
                grow(&boxes[i], at, at);
            }
    }
    for (uint32_t l = 1; l < shape->levels; ++l)
        for (uint32_t i = 0; i < shape->level[l].count[0]; ++i) {
            const struct shape_box *below = boxes + shape->level[l - 1].first;
            struct shape_box *box = boxes + shape->level[l].first + i;
            *box = none;
            for (uint32_t c = 4 * i; c < 4 * i + 4 && c < shape->level[l - 1].count[0]; ++c)
                grow(box, below[c].low, below[c].high);
        }
    const struct shape_box *root = boxes + shape->level[shape->levels - 1].first;
    memcpy(shape->stats.low, root->low, sizeof root->low);
    memcpy(shape->stats.high, root->high, sizeof root->high);
}

/* About the middle of the box, where a sum of many parts is most exact. */
static double volume_of(const struct shape_soup *soup, const piola_shape_data *shape)
{
    double sum = 0;
    for (uint32_t f = 0; f < soup->triangles; ++f) {
        double u[3], v[3], normal[3], at[3];
        sides_of(soup, &shape_facets(shape)[f], u, v, normal);
        corner_of(soup, shape_facets(shape)[f].corner[0], at);
        for (int k = 0; k < 3; ++k)
            at[k] -= ((double)shape->stats.low[k] + (double)shape->stats.high[k]) / 2;
        sum += shape_dot(at, normal) / 6;
    }
    return sum;
}

/* A fold without thickness encloses nothing, and has no inside. */
static bool hollow(const piola_shape_data *shape, double volume)
{
    double size = 0;
    for (int k = 0; k < 3; ++k) {
        const double edge = (double)shape->stats.high[k] - (double)shape->stats.low[k];
        size = edge > size ? edge : size;
    }
    return !(fabs(volume) > 1e-12 * size * size * size);
}

piola_status shape_mesh_build(struct shape_soup *soup, const struct shape_mesh_work *w,
                              piola_shape_data *shape, piola_error *error)
{
    weld(soup, w);
    piola_status status = read_facets(soup, w, error);
    if (status != PIOLA_OK)
        return status;
    drop_unused(soup, w);
    if (shape->stats.kind != PIOLA_SHAPE_WALL)
        status = find_neighbours(soup, w, error);
    if (status != PIOLA_OK)
        return status;
    shape->stats.triangles = soup->triangles;
    shape->stats.vertices = soup->points;
    order(soup, w, shape);
    write_points(soup, w, shape);
    write_boxes(shape);
    if (shape->stats.kind == PIOLA_SHAPE_WALL)
        return PIOLA_OK;
    shape->stats.volume = volume_of(soup, shape);
    return hollow(shape, shape->stats.volume) ? refuse(error, PIOLA_ERROR_MESH_DEGENERATE, field)
                                              : PIOLA_OK;
}
