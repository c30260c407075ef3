/* shape_tree.c - trees over triangles: which is nearest to a point, which a way meets first, and
 * which are in a box.
 *
 * No recursion: open nodes wait on a stack, the nearest on top. A node is its level and its number
 * there; boxes hold their triangles exactly, so only rounding of the last digit separates a node's
 * bound from its triangles' distances, and ties fall the same way on every machine.
 */
#include "shapes/shapes.h"

#include "base/closest_points.h"
#include "base/query_triangle.h"

#include <math.h>
#include <string.h>

#define OPEN   (3 * SHAPE_LEVELS + SHAPE_CHILDREN)
#define ROUNDS 24

struct node {
    uint32_t level, index;
    double bound;
};

/* Nodes that wait, and how far down the sides of HEIGHTS must reach for this question. */
struct walk {
    const piola_shape_data *shape;
    double bottom;
    unsigned open;
    struct node stack[OPEN];
};

static bool heights(const piola_shape_data *shape)
{
    return shape->stats.kind == PIOLA_SHAPE_HEIGHTS;
}

static void box_of(const struct walk *w, uint32_t level, uint32_t index, double low[3],
                   double high[3])
{
    if (heights(w->shape)) {
        shape_heights_box(w->shape, level, index, w->bottom, low, high);
        return;
    }
    const struct shape_box *box = shape_boxes(w->shape) + w->shape->level[level].first + index;
    for (int k = 0; k < 3; ++k) {
        low[k] = (double)box->low[k];
        high[k] = (double)box->high[k];
    }
}

static unsigned children_of(const piola_shape_data *shape, struct node n, uint32_t child[4])
{
    unsigned count = 0;
    const struct shape_level *below = &shape->level[n.level - 1];
    if (!heights(shape)) {
        for (uint32_t i = 4 * n.index; i < 4 * n.index + 4 && i < below->count[0]; ++i)
            child[count++] = i;
        return count;
    }
    const uint32_t width = shape->level[n.level].count[0];
    const uint32_t x = 2 * (n.index % width), z = 2 * (n.index / width);
    for (uint32_t j = z; j < z + 2 && j < below->count[1]; ++j)
        for (uint32_t i = x; i < x + 2 && i < below->count[0]; ++i)
            child[count++] = i + below->count[0] * j;
    return count;
}

static unsigned triangles_of(const struct walk *w, uint32_t leaf,
                             struct shape_triangle out[SHAPE_LEAF_MOST])
{
    if (heights(w->shape))
        return shape_heights_cell(w->shape, leaf, w->bottom, out);
    unsigned count = 0;
    const uint32_t end = w->shape->stats.triangles;
    for (uint32_t f = 4 * leaf; f < 4 * leaf + SHAPE_CHILDREN && f < end; ++f, ++count) {
        out[count].facet = f;
        for (int c = 0; c < 3; ++c) {
            const float *at = shape_points(w->shape)[shape_facets(w->shape)[f].corner[c]].at;
            for (int k = 0; k < 3; ++k)
                out[count].x[c][k] = (double)at[k];
        }
    }
    return count;
}

static struct walk walk_from(const piola_shape_data *shape, double lowest)
{
    struct walk w;
    const double low = (double)shape->stats.low[1];
    w.shape = shape;
    w.bottom = (lowest < low ? lowest : low) - 1 - (double)shape->stats.high[1] + low;
    w.open = 1;
    w.stack[0] = (struct node){shape->levels - 1, 0, 0};
    return w;
}

/* Opens a node: its children wait, those with lower bounds on top. */
static void push_children(struct walk *w, struct node n, const uint32_t *child, const double *bound,
                          unsigned count)
{
    unsigned waiting = (1u << count) - 1;
    for (unsigned left = count; left > 0; --left) {
        unsigned last = 0;
        double most = -1;
        for (unsigned i = 0; i < count; ++i)
            if ((waiting >> i & 1) && bound[i] > most) {
                last = i;
                most = bound[i];
            }
        waiting &= ~(1u << last);
        w->stack[w->open++] = (struct node){n.level - 1, child[last], bound[last]};
    }
}

/* ---- the nearest triangle ---- */

static double box_square(const struct walk *w, uint32_t level, uint32_t index, const double p[3])
{
    double low[3], high[3], sum = 0;
    box_of(w, level, index, low, high);
    for (int k = 0; k < 3; ++k) {
        const double away = p[k] < low[k] ? low[k] - p[k] : p[k] > high[k] ? p[k] - high[k] : 0;
        sum += away * away;
    }
    return sum;
}

/* (Twice the area)^2 over the squares of two edges: below it the weights of an inner place are not
 * known well, but an edge is as near. */
#define THIN 1e-6

/* near_point_triangle, also of triangles that are thin as needles. */
static double near_triangle(const double x[4][3], double weight[4], double between[3])
{
    double best = near_point_triangle(x, weight, between), u[3], v[3];
    shape_minus(x[2], x[1], u);
    shape_minus(x[3], x[1], v);
    const double uu = shape_dot(u, u), uv = shape_dot(u, v), vv = shape_dot(v, v);
    if (uu * vv - uv * uv > THIN * uu * vv)
        return best;
    for (int e = 1; e <= 3; ++e) {
        const int f = e % 3 + 1;
        double edge[4][3], w[4], way[3];
        memcpy(edge[0], x[0], sizeof edge[0]);
        memcpy(edge[1], x[e], sizeof edge[1]);
        memcpy(edge[2], x[f], sizeof edge[2]);
        memcpy(edge[3], x[f], sizeof edge[3]);
        const double distance = near_point_triangle((const double(*)[3])edge, w, way);
        if (!(distance < best))
            continue;
        best = distance;
        weight[1] = weight[2] = weight[3] = 0;
        weight[e] = w[1];
        weight[f] = w[2] + w[3];
        memcpy(between, way, sizeof way);
    }
    return best;
}

/* Of its box: a bound that costs little. */
static double triangle_square(const struct shape_triangle *t, const double p[3])
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const double a = t->x[0][k], b = t->x[1][k], c = t->x[2][k];
        const double ab = a < b ? a : b, low = ab < c ? ab : c;
        const double ba = a < b ? b : a, high = ba < c ? c : ba;
        const double away = p[k] < low ? low - p[k] : p[k] > high ? p[k] - high : 0;
        sum += away * away;
    }
    return sum;
}

static void offer(const struct shape_triangle *triangle, const double p[3], struct shape_foot *foot)
{
    double x[4][3], weight[4], between[3];
    if (triangle_square(triangle, p) >= foot->distance * foot->distance)
        return;
    memcpy(x[0], p, sizeof x[0]);
    memcpy(x + 1, triangle->x, sizeof triangle->x);
    const double distance = near_triangle((const double(*)[3])x, weight, between);
    if (!(distance < foot->distance))
        return;
    foot->distance = distance;
    foot->triangle = *triangle;
    for (int k = 0; k < 3; ++k) {
        foot->between[k] = between[k];
        foot->weight[k] = -weight[k + 1];
    }
}

/* The first of those that are nearest, if that is nearer than `below`: else `foot` stays there. The
 * order of the walk does not depend on that, only how much is left out. */
static void nearest(const piola_shape_data *shape, const double p[3], double below,
                    struct shape_foot *foot)
{
    struct walk w = walk_from(shape, p[1]);
    *foot = (struct shape_foot){.distance = below};
    while (w.open > 0) {
        const struct node n = w.stack[--w.open];
        if (n.bound >= foot->distance * foot->distance)
            continue;
        if (n.level == 0) {
            struct shape_triangle triangle[SHAPE_LEAF_MOST];
            const unsigned count = triangles_of(&w, n.index, triangle);
            for (unsigned i = 0; i < count; ++i)
                offer(&triangle[i], p, foot);
            continue;
        }
        uint32_t child[4], near[4] = {0};
        double bound[4] = {0};
        unsigned some = 0;
        const unsigned count = children_of(shape, n, child);
        for (unsigned i = 0; i < count; ++i) {
            bound[some] = box_square(&w, n.level - 1, child[i], p);
            near[some] = child[i];
            some += bound[some] < foot->distance * foot->distance;
        }
        push_children(&w, n, near, bound, some);
    }
}

void shape_tree_nearest(const piola_shape_data *shape, const double p[3], double below,
                        struct shape_foot *foot)
{
    nearest(shape, p, below, foot);
    if (!(foot->distance < below))
        nearest(shape, p, (double)INFINITY, foot);
}

/* ---- the first triangle on a way ---- */

/* The share of the way at which it enters a node's box, grown by what it must keep; 2: never. */
static double enters(const struct walk *w, uint32_t level, uint32_t index,
                     const struct shape_way *way)
{
    double low[3], high[3], first = 0, last = way->reached;
    box_of(w, level, index, low, high);
    const double grown = way->keep + 2 * way->hair;
    for (int k = 0; k < 3; ++k) {
        const double a = low[k] - grown - way->from[k], b = high[k] + grown - way->from[k];
        const double d = way->along[k];
        if (d == 0) {
            if (a > 0 || b < 0)
                return 2;
            continue;
        }
        const double s = (d > 0 ? a : b) / d, t = (d > 0 ? b : a) / d;
        first = s > first ? s : first;
        last = t < last ? t : last;
    }
    return first * (1 - 1e-12) <= last * (1 + 1e-12) ? first : 2;
}

/* The distance from a triangle is a convex function of the way gone, so it lies above each of its
 * tangents: Newton's method never goes too far, and what rises or falls too slowly stays free. */
static void meet(const struct shape_triangle *triangle, struct shape_way *way)
{
    double x[4][3], weight[4], between[3], t = 0, slope = 0;
    memcpy(x + 1, triangle->x, sizeof triangle->x);
    for (int round = 0; round < ROUNDS; ++round) {
        for (int k = 0; k < 3; ++k)
            x[0][k] = way->from[k] + t * way->along[k];
        const double distance = near_triangle((const double(*)[3])x, weight, between);
        slope = distance > 0 ? shape_dot(between, way->along) / distance : -way->length;
        const double room = distance - (way->keep - way->hair);
        if (slope >= 0 || room + slope * (way->reached - t) >= 0)
            return;
        if (room <= way->hair)
            break;
        t -= room / slope;
    }
    way->reached = t;
    for (int k = 0; k < 3; ++k)
        way->normal[k] = between[k];
    if (!shape_unit(way->normal))
        for (int k = 0; k < 3; ++k)
            way->normal[k] = -way->along[k] / way->length;
}

/* The triangle itself, where the way crosses it. */
static void cross(const struct shape_triangle *triangle, struct shape_way *way)
{
    double corners[3][3], unit[3], distance, weights[3];
    memcpy(corners, triangle->x, sizeof corners);
    for (int k = 0; k < 3; ++k)
        unit[k] = way->along[k] / way->length;
    if (!query_ray_triangle(corners, way->from, unit, &distance, weights) ||
        !(distance < way->reached * way->length))
        return;
    way->reached = distance / way->length;
    query_normal(corners, way->normal);
}

/* All triangles that may matter, nearest boxes first. */
static void each_on_way(const piola_shape_data *shape, struct shape_way *way,
                        void (*visit)(const struct shape_triangle *, struct shape_way *))
{
    const double to = way->from[1] + way->along[1];
    struct walk w = walk_from(shape, (to < way->from[1] ? to : way->from[1]) - way->keep);
    while (w.open > 0 && way->length > 0) {
        const struct node n = w.stack[--w.open];
        if (n.bound > way->reached)
            continue;
        if (n.level == 0) {
            struct shape_triangle triangle[SHAPE_LEAF_MOST];
            const unsigned count = triangles_of(&w, n.index, triangle);
            for (unsigned i = 0; i < count; ++i)
                visit(&triangle[i], way);
            continue;
        }
        uint32_t child[4], near[4] = {0};
        double bound[4] = {0};
        unsigned some = 0;
        const unsigned count = children_of(shape, n, child);
        for (unsigned i = 0; i < count; ++i) {
            bound[some] = enters(&w, n.level - 1, child[i], way);
            near[some] = child[i];
            some += bound[some] <= 1;
        }
        push_children(&w, n, near, bound, some);
    }
}

void shape_tree_sweep(const piola_shape_data *shape, struct shape_way *way)
{
    each_on_way(shape, way, meet);
}

void shape_tree_cross(const piola_shape_data *shape, struct shape_way *way)
{
    each_on_way(shape, way, cross);
}

/* ---- those in a box ---- */

/* Of a triangle's edges and corners: true when some edge is sharp enough that what lies across it
 * could be nearer to it than its corners are. Along flat and hollow ones corners are. */
#define SHARP 1e-3

static bool sharp(const piola_shape_data *shape, const struct shape_triangle *t, uint32_t leaf,
                  unsigned number)
{
    double u[3], v[3], normal[3];
    if (heights(shape))
        return number > 1 || shape_heights_sharp(shape, leaf, number, SHARP);
    if (shape->stats.kind == PIOLA_SHAPE_WALL)
        return true;
    const struct shape_facet *f = &shape_facets(shape)[t->facet];
    shape_minus(t->x[1], t->x[0], u);
    shape_minus(t->x[2], t->x[0], v);
    shape_cross(u, v, normal);
    (void)shape_unit(normal);
    for (int k = 0; k < 3; ++k) {
        const struct shape_facet *other = &shape_facets(shape)[f->beside[k]];
        for (int c = 0; c < 3; ++c) {
            double way[3];
            for (int i = 0; i < 3; ++i)
                way[i] = (double)shape_points(shape)[other->corner[c]].at[i] - t->x[k][i];
            if (shape_dot(way, normal) < -SHARP * sqrt(shape_dot(way, way)))
                return true;
        }
    }
    return false;
}

static bool apart(const double low[3], const double high[3], const double other_low[3],
                  const double other_high[3])
{
    bool apart = false;
    for (int k = 0; k < 3; ++k)
        apart = apart || other_low[k] > high[k] || other_high[k] < low[k];
    return apart;
}

static bool triangle_apart(const struct shape_triangle *t, const double low[3],
                           const double high[3])
{
    double least[3], most[3];
    shape_box_of(t->x, 3, least, most);
    return apart(low, high, least, most);
}

static uint32_t first_of(const piola_shape_data *shape, uint32_t leaf)
{
    return leaf * (heights(shape) ? SHAPE_LEAF_MOST : SHAPE_CHILDREN);
}

void shape_tree_each(const piola_shape_data *shape, const double low[3], const double high[3],
                     void (*use)(void *context, const struct shape_triangle *triangle,
                                 uint32_t number),
                     void *context)
{
    struct walk w = walk_from(shape, low[1]);
    while (w.open > 0) {
        const struct node n = w.stack[--w.open];
        double box_low[3], box_high[3];
        box_of(&w, n.level, n.index, box_low, box_high);
        if (apart(low, high, box_low, box_high))
            continue;
        if (n.level > 0) {
            uint32_t child[4];
            for (unsigned i = children_of(shape, n, child); i-- > 0;)
                w.stack[w.open++] = (struct node){n.level - 1, child[i], 0};
            continue;
        }
        struct shape_triangle triangle[SHAPE_LEAF_MOST];
        const unsigned count = triangles_of(&w, n.index, triangle);
        for (unsigned i = 0; i < count; ++i)
            if (!triangle_apart(&triangle[i], low, high) && sharp(shape, &triangle[i], n.index, i))
                use(context, &triangle[i], first_of(shape, n.index) + i);
    }
}

void shape_tree_triangle(const piola_shape_data *shape, uint32_t number, double lowest,
                         struct shape_triangle *triangle)
{
    const struct walk w = walk_from(shape, lowest);
    struct shape_triangle all[SHAPE_LEAF_MOST];
    const uint32_t leaf = number / (heights(shape) ? SHAPE_LEAF_MOST : SHAPE_CHILDREN);
    (void)triangles_of(&w, leaf, all);
    *triangle = all[number - first_of(shape, leaf)];
}
