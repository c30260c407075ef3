/* detail_grid.c - a uniform grid over a surface's triangles: which of them is nearest to a point.
 *
 * Each triangle is listed in every cell that its box touches, by a counting sort. Cells begin at
 * the triangles' mean extent and grow until the lists fit, so a few long triangles cannot fill
 * memory.
 */
#include "api/detail.h"

#include <math.h>
#include <string.h>

#define GROWTH 1.25 /* of cells that are too small */

static struct vec3 corner_of(const struct pk_quad *frame, int k)
{
    struct vec3 p = {(double)frame[0].x, (double)frame[0].y, (double)frame[0].z};
    if (k == 3) { /* of a tetrahedron */
        p.x += (double)frame[0].w;
        p.y += (double)frame[1].w;
        p.z += (double)frame[2].w;
    } else if (k < 2) {
        p.x += (double)frame[1 + k].x;
        p.y += (double)frame[1 + k].y;
        p.z += (double)frame[1 + k].z;
    }
    return p;
}

struct box {
    double low[3], high[3];
};

static void box_add(struct box *box, struct vec3 p)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; ++k) {
        box->low[k] = at[k] < box->low[k] ? at[k] : box->low[k];
        box->high[k] = at[k] > box->high[k] ? at[k] : box->high[k];
    }
}

static struct box box_of(const struct detail_grid *grid, uint32_t triangle)
{
    const struct pk_quad *frame = grid->frames + PK_DETAIL_QUADS * (size_t)triangle;
    const struct vec3 p = corner_of(frame, 2);
    struct box box = {{p.x, p.y, p.z}, {p.x, p.y, p.z}};
    box_add(&box, corner_of(frame, 0));
    box_add(&box, corner_of(frame, 1));
    if (grid->solid)
        box_add(&box, corner_of(frame, 3));
    return box;
}

static uint32_t cell_along(const struct detail_grid *grid, int k, double at)
{
    const double cell = (at - grid->low[k]) / grid->cell;
    const uint32_t last = grid->count[k] - 1;
    return !(cell > 0) ? 0 : cell >= (double)last ? last : (uint32_t)cell;
}

struct cells {
    uint32_t low[3], high[3];
};

static struct cells cells_of(const struct detail_grid *grid, uint32_t triangle)
{
    const struct box box = box_of(grid, triangle);
    struct cells cells;
    for (int k = 0; k < 3; ++k) {
        cells.low[k] = cell_along(grid, k, box.low[k]);
        cells.high[k] = cell_along(grid, k, box.high[k]);
    }
    return cells;
}

static uint64_t entries(const struct detail_grid *grid)
{
    uint64_t sum = 0;
    for (uint32_t t = 0; t < grid->triangles; ++t) {
        const struct cells c = cells_of(grid, t);
        sum += (uint64_t)(c.high[0] - c.low[0] + 1) * (c.high[1] - c.low[1] + 1) *
               (c.high[2] - c.low[2] + 1);
    }
    return sum;
}

/* Sets the number of cells along each axis for the size of a cell; false when they are too many. */
static bool divide(struct detail_grid *grid, const struct box *all)
{
    double cells = 1;
    for (int k = 0; k < 3; ++k) {
        const double along = floor((all->high[k] - all->low[k]) / grid->cell) + 1;
        cells *= along;
        grid->count[k] = along < (double)UINT32_MAX ? (uint32_t)along : UINT32_MAX;
    }
    return cells < (double)detail_grid_cells(grid->triangles);
}

/* The mean extent, but never so small that cells could not grow to hold all: triangles of a stored
 * asset may be points. */
static double first_cell(const struct box *all, double mean)
{
    double least = 1e-30;
    for (int k = 0; k < 3; ++k) {
        const double part = 1e-6 * (all->high[k] - all->low[k]);
        least = part > least ? part : least;
    }
    return mean > least ? mean : least;
}

static void choose_cells(struct detail_grid *grid)
{
    struct box all = box_of(grid, 0);
    double extent = 0;
    for (uint32_t t = 0; t < grid->triangles; ++t) {
        const struct box box = box_of(grid, t);
        double longest = 0;
        for (int k = 0; k < 3; ++k) {
            const double here = box.high[k] - box.low[k];
            longest = here > longest ? here : longest;
            all.low[k] = box.low[k] < all.low[k] ? box.low[k] : all.low[k];
            all.high[k] = box.high[k] > all.high[k] ? box.high[k] : all.high[k];
        }
        extent += longest;
    }
    memcpy(grid->low, all.low, sizeof grid->low);
    grid->cell = first_cell(&all, extent / (double)grid->triangles);
    while (!divide(grid, &all) || entries(grid) > detail_grid_items(grid->triangles))
        grid->cell *= GROWTH;
}

static size_t cell_index(const struct detail_grid *grid, uint32_t x, uint32_t y, uint32_t z)
{
    return ((size_t)z * grid->count[1] + y) * grid->count[0] + x;
}

/* Counts the triangles of each cell in first[cell], or puts them to first[cell]++. */
static void visit(struct detail_grid *grid, bool put)
{
    for (uint32_t t = 0; t < grid->triangles; ++t) {
        const struct cells c = cells_of(grid, t);
        for (uint32_t z = c.low[2]; z <= c.high[2]; ++z)
            for (uint32_t y = c.low[1]; y <= c.high[1]; ++y)
                for (uint32_t x = c.low[0]; x <= c.high[0]; ++x) {
                    uint32_t *first = &grid->first[cell_index(grid, x, y, z)];
                    if (put)
                        grid->items[*first] = t;
                    ++*first;
                }
    }
}

void detail_grid_make(struct detail_grid *grid, const struct pk_quad *frames, uint32_t triangles)
{
    grid->frames = frames;
    grid->triangles = triangles;
    choose_cells(grid);
    const size_t cells = (size_t)grid->count[0] * grid->count[1] * grid->count[2];
    memset(grid->first, 0, (cells + 1) * sizeof *grid->first);
    visit(grid, false);
    uint32_t sum = 0;
    for (size_t c = 0; c <= cells; ++c) {
        const uint32_t here = grid->first[c];
        grid->first[c] = sum;
        sum += here;
    }
    visit(grid, true);
    /* Each start has moved to its end, which is the next one's start. */
    memmove(grid->first + 1, grid->first, cells * sizeof *grid->first);
    grid->first[0] = 0;
}

/* ---- search ---- */

/* Where on the edge from a to b, 0 to 1, a point is nearest. */
static double along_edge(struct vec3 a, struct vec3 b, struct vec3 p)
{
    const struct vec3 edge = vec3_sub(b, a);
    const double t = vec3_dot(vec3_sub(p, a), edge) / vec3_dot(edge, edge);
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

static double square_at(const struct vec3 x[3], const double b[2], struct vec3 p)
{
    const double last = 1 - b[0] - b[1];
    const struct vec3 q = {b[0] * x[0].x + b[1] * x[1].x + last * x[2].x,
                           b[0] * x[0].y + b[1] * x[1].y + last * x[2].y,
                           b[0] * x[0].z + b[1] * x[1].z + last * x[2].z};
    const struct vec3 way = vec3_sub(p, q);
    return vec3_dot(way, way);
}

/* Squared distance of a point to a triangle, and the nearest point's barycentric coordinates. */
static double nearest_on(const struct vec3 x[3], struct vec3 p, double b[2])
{
    const struct vec3 e1 = vec3_sub(x[0], x[2]), e2 = vec3_sub(x[1], x[2]), r = vec3_sub(p, x[2]);
    const double a = vec3_dot(e1, e1), m = vec3_dot(e1, e2), c = vec3_dot(e2, e2);
    const double u = vec3_dot(e1, r), v = vec3_dot(e2, r), det = a * c - m * m;
    if (det > 0) {
        b[0] = (c * u - m * v) / det;
        b[1] = (a * v - m * u) / det;
        if (b[0] >= 0 && b[1] >= 0 && b[0] + b[1] <= 1)
            return square_at(x, b, p);
    }
    double least = (double)INFINITY;
    for (int k = 0; k < 3; ++k) {
        const int next = (k + 1) % 3;
        const double t = along_edge(x[k], x[next], p);
        double weight[3] = {0, 0, 0};
        weight[k] = 1 - t;
        weight[next] = t;
        const double square = square_at(x, weight, p);
        if (square < least) {
            least = square;
            memcpy(b, weight, 2 * sizeof *b);
        }
    }
    return least;
}

/* Squared distance of a point to a tetrahedron: 0 inside. */
static double nearest_in(const struct pk_quad *frame, struct vec3 p, double b[2])
{
    struct detail_bond bond = {0};
    double least = (double)INFINITY;
    detail_embed_bind(frame, p, &bond);
    if (bond.outside <= 0)
        return 0;
    for (int face = 0; face < 4; ++face) {
        struct vec3 x[3];
        for (int k = 0, n = 0; k < 4; ++k)
            if (k != face)
                x[n++] = corner_of(frame, k);
        const double square = nearest_on(x, p, b);
        least = square < least ? square : least;
    }
    return least;
}

static double nearest(const struct detail_grid *grid, uint32_t triangle, struct vec3 p, double b[2])
{
    const struct pk_quad *frame = grid->frames + PK_DETAIL_QUADS * (size_t)triangle;
    if (grid->solid)
        return nearest_in(frame, p, b);
    const struct vec3 x[3] = {corner_of(frame, 0), corner_of(frame, 1), corner_of(frame, 2)};
    return nearest_on(x, p, b);
}

struct search {
    const struct detail_grid *grid;
    struct vec3 point;
    uint32_t best;
    double square, b[2];
};

static void look_at(struct search *s, uint32_t x, uint32_t y, uint32_t z)
{
    const struct detail_grid *grid = s->grid;
    const size_t cell = cell_index(grid, x, y, z);
    for (uint32_t i = grid->first[cell]; i < grid->first[cell + 1]; ++i) {
        const uint32_t t = grid->items[i];
        double b[2];
        const double square = nearest(grid, t, s->point, b);
        if (square < s->square || (square == s->square && t < s->best)) {
            s->square = square;
            s->best = t;
            memcpy(s->b, b, sizeof b);
        }
    }
}

/* The cells at `ring` steps from the middle one, those of the grid. */
static void look_around(struct search *s, const uint32_t middle[3], uint32_t ring)
{
    uint32_t low[3], high[3];
    for (int k = 0; k < 3; ++k) {
        const uint32_t last = s->grid->count[k] - 1;
        low[k] = middle[k] > ring ? middle[k] - ring : 0;
        high[k] = last - middle[k] > ring ? middle[k] + ring : last;
    }
    for (uint32_t z = low[2]; z <= high[2]; ++z)
        for (uint32_t y = low[1]; y <= high[1]; ++y) {
            const bool shell = z + ring == middle[2] || z == middle[2] + ring ||
                               y + ring == middle[1] || y == middle[1] + ring;
            if (shell) {
                for (uint32_t x = low[0]; x <= high[0]; ++x)
                    look_at(s, x, y, z);
                continue;
            }
            if (low[0] + ring == middle[0])
                look_at(s, low[0], y, z);
            if (ring > 0 && high[0] == middle[0] + ring)
                look_at(s, high[0], y, z);
        }
}

uint32_t detail_grid_nearest(const struct detail_grid *grid, struct vec3 point, double b[2],
                             double *square)
{
    struct search s = {
        .grid = grid, .point = point, .best = UINT32_MAX, .square = (double)INFINITY};
    const double at[3] = {point.x, point.y, point.z};
    uint32_t middle[3], rings = 0;
    double beyond = 0, margin = grid->cell; /* squared way to the grid; way to the cell's faces */
    for (int k = 0; k < 3; ++k) {
        const double high = grid->low[k] + grid->cell * grid->count[k];
        const double held = at[k] < grid->low[k] ? grid->low[k] : at[k] > high ? high : at[k];
        middle[k] = cell_along(grid, k, held);
        const double from = held - (grid->low[k] + grid->cell * middle[k]);
        const double inner = from < grid->cell - from ? from : grid->cell - from;
        margin = inner < margin ? inner : margin;
        beyond += (at[k] - held) * (at[k] - held);
        rings = grid->count[k] > rings ? grid->count[k] : rings;
    }
    for (uint32_t ring = 0; ring < rings; ++ring) {
        look_around(&s, middle, ring);
        /* What lies further out is at least so far away; a little less for rounding. */
        const double way = (double)ring * grid->cell + margin;
        if (way > 0 && s.square < (way * way + beyond) * (1 - 1e-9))
            break;
    }
    memcpy(b, s.b, sizeof s.b);
    if (square != NULL)
        *square = s.square;
    return s.best;
}
