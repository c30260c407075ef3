/* shapes.h - the layout of a compiled shape, and the calls between the files that make and ask it.
 *
 * shape_build.c: descriptions are checked, and become a shape. shape_hull.c: the hull of points.
 * shape_mesh.c: triangles in an order and a tree. shape_heights.c, shape_grid.c: the two that have
 * samples. shape_tree.c: the nearest triangle, and the first on a way. shape_distance.c: distances
 * of all of them. shape_triangle.c: distances of triangles. shape_registry.c: the shapes that a
 * world knows. No particles here, no motion.
 */
#ifndef PIOLA_SHAPES_H
#define PIOLA_SHAPES_H

#include "base/arena.h"
#include "piola/piola.h"
#include "shapes/form.h"

#include <math.h>

#define SHAPE_MAGIC     UINT64_C(0x3145504148535050) /* "PPSHAPE1", little-endian */
#define SHAPE_VERSION   1u
#define SHAPE_LEVELS    18u
#define SHAPE_CHILDREN  4u /* of a node; facets of a leaf */
#define SHAPE_COORDS    1e6
#define SHAPE_SAMPLES   (1u << 26)
#define SHAPE_VERTICES  (1u << 26)
#define SHAPE_FACETS    (1u << 24)
#define SHAPE_HULL      8192u  /* points */
#define SHAPE_HEIGHTS   65536u /* samples along an axis */
#define SHAPE_LEAF_MOST 10u    /* triangles of a leaf: two of a cell, and two under each side */

struct shape_point {
    float at[3];     /* m */
    float normal[3]; /* mean of its facets', by their angles */
};

struct shape_facet {
    uint32_t corner[3];
    uint32_t beside[3]; /* the facet beyond the edge from corner k to the next; of a WALL none */
};

struct shape_box {
    float low[3], high[3];
};

/* Lowest and highest of some heights. */
struct shape_span {
    float low, high;
};

/* Nodes of a tree, in rows; a node's children are the up to 4 (HEIGHTS: 2 by 2) below it. */
struct shape_level {
    uint32_t count[2]; /* nodes along x and z; of facets along one line */
    uint64_t first;    /* its first box or span; level 0 of HEIGHTS are the cells, without spans */
};

struct piola_shape_data {
    uint64_t magic;
    uint32_t version, reserved;
    uint64_t bytes;    /* of the whole block, a multiple of PIOLA_ALIGNMENT */
    uint64_t checksum; /* of everything behind this field */
    piola_shape_stats stats;
    uint32_t count[3]; /* samples */
    float origin[3], spacing;
    float rim; /* DISTANCES: the least sample at the border */
    uint32_t levels;
    uint32_t spare;
    struct shape_level level[SHAPE_LEVELS];
    uint64_t at_points, at_facets, at_boxes, at_spans, at_samples; /* bytes from the header */
};

#define SHAPE_AT(type, shape, name)                                                                \
    static inline type *shape_##name(const piola_shape_data *shape_)                               \
    {                                                                                              \
        return (type *)(void *)((char *)(uintptr_t)shape_ + shape_->at_##name);                    \
    }
SHAPE_AT(struct shape_point, shape, points)
SHAPE_AT(struct shape_facet, shape, facets)
SHAPE_AT(struct shape_box, shape, boxes)
SHAPE_AT(struct shape_span, shape, spans)
SHAPE_AT(float, shape, samples)
#undef SHAPE_AT

static inline double shape_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void shape_minus(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[k] - b[k];
}

static inline void shape_cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; ++k)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The box around points, 3 numbers each. */
static inline void shape_box_of(const double (*x)[3], unsigned count, double low[3], double high[3])
{
    for (int k = 0; k < 3; ++k) {
        low[k] = high[k] = x[0][k];
        for (unsigned i = 1; i < count; ++i) {
            low[k] = x[i][k] < low[k] ? x[i][k] : low[k];
            high[k] = x[i][k] > high[k] ? x[i][k] : high[k];
        }
    }
}

/* To unit length, where it has any. */
static inline bool shape_unit(double v[3])
{
    const double length = sqrt(shape_dot(v, v));
    for (int k = 0; k < 3 && length > 0; ++k)
        v[k] /= length;
    return length > 0;
}

/* ---- asking ---- */

/* A triangle of the tree; `facet` is UINT32_MAX for those of HEIGHTS. */
struct shape_triangle {
    double x[3][3];
    uint32_t facet;
};

/* The nearest place of a surface of triangles. */
struct shape_foot {
    double distance, between[3]; /* m, from the place to the point */
    double weight[3];            /* of the triangle's corners */
    struct shape_triangle triangle;
};

/* A way, and how near to the triangles it may lead. */
struct shape_way {
    double from[3], along[3], length; /* m */
    double keep, hair;                /* m; distances are not told apart closer than `hair` */
    double reached;                   /* share of the way that is free, 0 to 1 */
    double normal[3];                 /* where it ends, if that is before 1: from the triangle */
};

/* shape_tree.c, of shapes with triangles. `below` (m): surely more than the distance, with which it
 * is found sooner; INFINITY where nothing is known. */
void shape_tree_nearest(const piola_shape_data *shape, const double p[3], double below,
                        struct shape_foot *foot);
/* Shortens the way to what keeps its distance from all triangles. */
void shape_tree_sweep(const piola_shape_data *shape, struct shape_way *way);
/* Shortens a way that need keep no distance to where it first meets a triangle, from either side;
 * `normal` is then the triangle's outward one. */
void shape_tree_cross(const piola_shape_data *shape, struct shape_way *way);

/* Its triangles that meet a box, and have an edge that could pierce: in a rising order of numbers,
 * by which shape_tree_triangle finds one again. */
void shape_tree_each(const piola_shape_data *shape, const double low[3], const double high[3],
                     void (*use)(void *context, const struct shape_triangle *triangle,
                                 uint32_t number),
                     void *context);
/* `lowest` (m): how far down the sides of HEIGHTS must reach. */
void shape_tree_triangle(const piola_shape_data *shape, uint32_t number, double lowest,
                         struct shape_triangle *triangle);

/* shape_heights.c: a cell's triangles; those under the field's sides reach down to `bottom`. */
unsigned shape_heights_cell(const piola_shape_data *shape, uint32_t cell, double bottom,
                            struct shape_triangle out[SHAPE_LEAF_MOST]);
/* A node's box, likewise. */
void shape_heights_box(const piola_shape_data *shape, uint32_t level, uint32_t index, double bottom,
                       double low[3], double high[3]);
/* As SHARP in shape_tree.c, of one of a cell's two upper triangles. */
bool shape_heights_sharp(const piola_shape_data *shape, uint32_t cell, unsigned which,
                         double sharp);
bool shape_heights_under(const piola_shape_data *shape, const double p[3]);

/* shape_grid.c, of DISTANCES: the value, and its gradient where it is not null. */
double shape_grid_value(const piola_shape_data *shape, const double p[3], double gradient[3]);
/* As shape_tree_sweep, of where the value is below way->keep; without a normal. */
void shape_grid_sweep(const piola_shape_data *shape, struct shape_way *way);

/* shape_distance.c: distance and unit normal at a point in the shape's frame. */
double shape_compiled_distance(const piola_shape_data *shape, const double p[3], double normal[3]);
/* The same, when it is known to be nearer than `below`, inside or outside; see shape_tree_nearest.
 */
double shape_compiled_distance_below(const piola_shape_data *shape, const double p[3], double below,
                                     double normal[3]);
/* How far the plane is that touches the shape, grown by a margin, near a point: not a bound, for
 * DISTANCES it is what is missing over the slope. `below`: of the distance. */
double shape_compiled_gap(const piola_shape_data *shape, const double p[3], double margin,
                          double below, double normal[3]);

/* shape_triangle.c: the convex core of a shape, in its frame, and how far its surface is around
 * that, margin included, m. Shapes made of triangles have a core for each. */
enum shape_core_kind { SHAPE_CORE_POINT, SHAPE_CORE_SEGMENT, SHAPE_CORE_BOX, SHAPE_CORE_TRIANGLE };
struct shape_core {
    enum shape_core_kind kind;
    double half[3];      /* m, of a box; of a segment, which lies along y, half[1] */
    double corner[3][3]; /* m, of a triangle */
    float round;
};
/* False for shapes that have none of their own. */
bool shape_core_of(const struct form *form, struct shape_core *core);
/* Of a shape made of triangles: its margin, or, of a hull, which need not have any, that and a
 * little, by which its triangles are within. */
float shape_triangle_round(const struct form *form);
void shape_core_of_triangle(const struct form *form, const struct shape_triangle *triangle,
                            struct shape_core *core);
/* True for shapes whose edges could pierce between vertices, and of which that is known: not of
 * planes, nor of grids of distances. */
static inline bool shape_pierces(uint32_t kind)
{
    return kind != PIOLA_SHAPE_PLANE && kind != PIOLA_SHAPE_DISTANCES;
}
static inline bool shape_has_triangles(uint32_t kind)
{
    return kind >= PIOLA_SHAPE_HULL && kind != PIOLA_SHAPE_DISTANCES;
}

/* The nearest places of a triangle, given by its corners' weights, and of a core. */
struct shape_near {
    double distance, weight[3], place[3], normal[3]; /* m; the normal leads to the triangle */
};
/* Both in the shape's frame: of all, and of those that are not at a corner of the triangle, whose
 * distance is infinite when there are none. A triangle that cuts the core is 0 away, and its
 * normals mean nothing. */
void shape_near_triangle(const struct shape_core *core, const double x[3][3],
                         struct shape_near *near, struct shape_near *inner);

/* shape_registry.c: the slot of a shape of this content, or the first empty one, or max_shapes. */
uint32_t shape_registry_find(const piola_world *world, const piola_shape_data *shape);
/* Where samples are, as a caller says it, and what errors call that. */
struct shape_grid_input {
    const uint32_t *count;
    float spacing;
    const float *origin;
    bool field; /* of heights: flat */
    const char *count_name, *spacing_name, *origin_name;
};
/* Refuses what no grid has. */
piola_status shape_check_grid(const struct shape_grid_input *grid, piola_error *error);
/* Is it one, by its header? */
piola_status shape_registry_check(const piola_shape_data *shape);
/* Puts it there if the slot is empty. */
void shape_registry_keep(piola_world *world, uint32_t slot, const piola_shape_data *shape);

/* ---- making ---- */

/* Triangles on their way to a shape. */
struct shape_soup {
    float *at;         /* 3 a point, m */
    uint32_t *corners; /* 3 a triangle */
    uint32_t points, triangles;
};

/* Scratch of shape_mesh_build, for so many points and triangles. */
struct shape_mesh_work {
    uint64_t *keys, *keys_work;
    uint32_t *items, *items_work;
    uint32_t *weld;             /* 1 a point: the first at the same place */
    struct shape_facet *facets; /* in the order of the description */
    double *normals;            /* 3 a point */
};

void shape_mesh_take(struct arena *arena, uint32_t points, uint32_t triangles,
                     struct shape_mesh_work *work);
/* `shape` has its kind and the room for points, facets and boxes; fills these, and the stats. */
piola_status shape_mesh_build(struct shape_soup *soup, const struct shape_mesh_work *work,
                              piola_shape_data *shape, piola_error *error);
/* Levels over so many leaves; returns the number of boxes. */
uint64_t shape_mesh_levels(uint32_t facets, piola_shape_data *shape);

struct hull_face {
    uint32_t corner[3];
    uint32_t beside[3]; /* as shape_facet */
    uint32_t state;     /* enum in shape_hull.c */
};
struct shape_hull_work {
    int32_t *step; /* 3 a point: of 2^20 steps */
    struct hull_face *faces;
    uint32_t *free, *seen, *from; /* free faces; faces a point sees; by point: its new face */
};
void shape_hull_take(struct arena *arena, uint32_t points, struct shape_hull_work *work);
/* Moves soup->at to steps and writes soup->corners. False when all points lie in one plane. */
bool shape_hull_build(const struct shape_hull_work *work, struct shape_soup *soup);

/* Levels over a field's cells; returns the number of spans. */
uint64_t shape_heights_levels(piola_shape_data *shape);
void shape_heights_build(const float *samples, piola_shape_data *shape);
/* False when a sample at the border is not positive: `item` is one. */
bool shape_grid_build(const float *samples, piola_shape_data *shape, uint64_t *item);

#endif
