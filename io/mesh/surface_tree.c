/* surface_tree.c - see surface_tree.h. */
#include "io/mesh/surface_tree.h"

#include "io/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAF = 8,  /* triangles at most */
    DEEP = 96, /* nodes that wait: halving leaves at most 26 levels, one waits a level */
};
#define FAR_RADII 2.0 /* beyond so many radii a node is a dipole */

struct surface_node {
    double low[3], high[3];
    double middle[3], radius; /* of area; of the ball about it that holds the triangles */
    double area[3];           /* sum of the triangles' vectors of area */
    uint32_t first, count;    /* in `order` */
    uint32_t left;            /* its two children are side by side; 0: a leaf */
};

static const double *corner(const struct surface_tree *tree, uint32_t triangle, int c)
{
    const struct meshgen *mesh = tree->surface;
    return mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)c];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = a[i] * b[j] - a[j] * b[i];
    }
}

static void minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

/* ---- building ---- */

static void measure(const struct surface_tree *tree, struct surface_node *node)
{
    double whole = 0, square = 0;
    for (int k = 0; k < 3; ++k) {
        node->low[k] = (double)INFINITY;
        node->high[k] = -(double)INFINITY;
        node->middle[k] = node->area[k] = 0;
    }
    for (uint32_t i = node->first; i < node->first + node->count; ++i) {
        double ab[3], ac[3], area[3];
        const double *a = corner(tree, tree->order[i], 0), *b = corner(tree, tree->order[i], 1);
        const double *c = corner(tree, tree->order[i], 2);
        minus(b, a, ab);
        minus(c, a, ac);
        cross(ab, ac, area);
        const double size = sqrt(dot(area, area)) / 2;
        whole += size;
        for (int k = 0; k < 3; ++k) {
            node->low[k] = fmin(node->low[k], fmin(a[k], fmin(b[k], c[k])));
            node->high[k] = fmax(node->high[k], fmax(a[k], fmax(b[k], c[k])));
            node->area[k] += area[k] / 2;
            node->middle[k] += size * (a[k] + b[k] + c[k]) / 3;
        }
    }
    for (int k = 0; k < 3; ++k) {
        node->middle[k] = whole > 0 ? node->middle[k] / whole : (node->low[k] + node->high[k]) / 2;
        const double side = fmax(node->high[k] - node->middle[k], node->middle[k] - node->low[k]);
        square += side * side;
    }
    node->radius = sqrt(square);
}

struct placed {
    double at;
    uint32_t triangle;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

/* Halves the triangles by the order of their middles along the longest side. */
static void split(struct surface_tree *tree, uint32_t index, struct placed *placed)
{
    struct surface_node *node = &tree->nodes[index];
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (node->high[k] - node->low[k] > node->high[axis] - node->low[axis])
            axis = k;
    for (uint32_t i = 0; i < node->count; ++i) {
        const uint32_t t = tree->order[node->first + i];
        placed[i] = (struct placed){
            corner(tree, t, 0)[axis] + corner(tree, t, 1)[axis] + corner(tree, t, 2)[axis], t};
    }
    qsort(placed, node->count, sizeof *placed, compare_placed);
    for (uint32_t i = 0; i < node->count; ++i)
        tree->order[node->first + i] = placed[i].triangle;
    node->left = tree->node_count;
    tree->node_count += 2;
    struct surface_node *two = &tree->nodes[node->left];
    two[0] = (struct surface_node){.first = node->first, .count = node->count / 2};
    two[1] = (struct surface_node){.first = node->first + two[0].count,
                                   .count = node->count - two[0].count};
    measure(tree, &two[0]);
    measure(tree, &two[1]);
}

bool surface_tree_make(struct surface_tree *tree, const struct meshgen *surface)
{
    const size_t count = surface->triangle_count;
    *tree = (struct surface_tree){.surface = surface};
    tree->order = memory_take((count + 1) * sizeof *tree->order);
    tree->nodes = memory_take((2 * count + 2) * sizeof *tree->nodes);
    struct placed *placed = memory_take((count + 1) * sizeof *placed);
    const bool good = tree->order && tree->nodes && placed;
    for (uint32_t t = 0; good && t < count; ++t)
        tree->order[t] = t;
    if (good) {
        tree->nodes[0] = (struct surface_node){.count = (uint32_t)count};
        tree->node_count = 1;
        measure(tree, &tree->nodes[0]);
    }
    for (uint32_t i = 0; good && i < tree->node_count; ++i)
        if (tree->nodes[i].count > LEAF)
            split(tree, i, placed);
    memory_give(placed);
    if (!good)
        surface_tree_free(tree);
    return good;
}

void surface_tree_free(struct surface_tree *tree)
{
    memory_give(tree->nodes);
    memory_give(tree->order);
    memset(tree, 0, sizeof *tree);
}

/* ---- the nearest point ---- */

static double box_square(const struct surface_node *node, const double p[3])
{
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = fmax(fmax(node->low[k] - p[k], p[k] - node->high[k]), 0);
        square += d * d;
    }
    return square;
}

/* The nearest point of an edge from a to b; its squared distance. */
static double near_edge(const double a[3], const double b[3], const double p[3], double out[3])
{
    double ab[3], ap[3], square = 0;
    minus(b, a, ab);
    minus(p, a, ap);
    const double length = dot(ab, ab);
    const double t = length > 0 ? fmin(1, fmax(0, dot(ap, ab) / length)) : 0;
    for (int k = 0; k < 3; ++k) {
        out[k] = a[k] + t * ab[k];
        square += (p[k] - out[k]) * (p[k] - out[k]);
    }
    return square;
}

/* Over the face when p lies above it, else the best of three edges. */
static double near_triangle(const double *const v[3], const double p[3], double out[3])
{
    double best = (double)INFINITY, ab[3], ac[3], ap[3], normal[3], side[3], edge[3], q[3];
    minus(v[1], v[0], ab);
    minus(v[2], v[0], ac);
    minus(p, v[0], ap);
    cross(ab, ac, normal);
    const double square = dot(normal, normal);
    bool above = square > 0;
    for (int c = 0; c < 3 && above; ++c) {
        double from[3];
        minus(v[(c + 1) % 3], v[c], edge);
        minus(p, v[c], from);
        cross(normal, edge, side);
        above = dot(side, from) >= 0;
    }
    if (above) {
        const double t = dot(ap, normal) / square;
        for (int k = 0; k < 3; ++k)
            out[k] = p[k] - t * normal[k];
        return t * t * square;
    }
    for (int c = 0; c < 3; ++c) {
        const double d = near_edge(v[c], v[(c + 1) % 3], p, q);
        if (d < best) {
            best = d;
            memcpy(out, q, sizeof q);
        }
    }
    return best;
}

double surface_tree_nearest(const struct surface_tree *tree, const double p[3], double nearest[3])
{
    uint32_t waiting[DEEP], count = 0;
    double best = (double)INFINITY;
    memcpy(nearest, tree->nodes[0].middle, 3 * sizeof *nearest);
    waiting[count++] = 0;
    while (count > 0) {
        const struct surface_node *node = &tree->nodes[waiting[--count]];
        if (box_square(node, p) >= best)
            continue;
        if (node->left) {
            const struct surface_node *two = &tree->nodes[node->left];
            const bool first = box_square(&two[0], p) <= box_square(&two[1], p);
            waiting[count++] = node->left + (first ? 1 : 0);
            waiting[count++] = node->left + (first ? 0 : 1);
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; ++i) {
            const double *const v[3] = {corner(tree, tree->order[i], 0),
                                        corner(tree, tree->order[i], 1),
                                        corner(tree, tree->order[i], 2)};
            double q[3];
            const double square = near_triangle(v, p, q);
            if (square < best) {
                best = square;
                memcpy(nearest, q, sizeof q);
            }
        }
    }
    return sqrt(best);
}

/* ---- the winding number ---- */

/* The solid angle of a triangle seen from p (Van Oosterom and Strackee 1983). */
static double solid_angle(const struct surface_tree *tree, uint32_t triangle, const double p[3])
{
    double a[3], b[3], c[3], bc[3];
    minus(corner(tree, triangle, 0), p, a);
    minus(corner(tree, triangle, 1), p, b);
    minus(corner(tree, triangle, 2), p, c);
    cross(b, c, bc);
    const double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
    return 2 * atan2(dot(a, bc), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
}

double surface_tree_winding(const struct surface_tree *tree, const double p[3])
{
    uint32_t waiting[DEEP], count = 0;
    double sum = 0;
    waiting[count++] = 0;
    while (count > 0) {
        const struct surface_node *node = &tree->nodes[waiting[--count]];
        double way[3];
        minus(node->middle, p, way);
        const double far = sqrt(dot(way, way));
        if (far > FAR_RADII * node->radius) {
            sum += dot(way, node->area) / (far * far * far);
            continue;
        }
        if (node->left) {
            waiting[count++] = node->left;
            waiting[count++] = node->left + 1;
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; ++i)
            sum += solid_angle(tree, tree->order[i], p);
    }
    return sum / (4 * 3.14159265358979323846);
}
