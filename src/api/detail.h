/* detail.h - the layout of a detail binding and of a pose, and the phases that make them.
 *
 * Lives here: what detail_build.c, detail_grid.c, detail_bind.c and detail_pose.c share. Nothing
 * here knows how particles move.
 */
#ifndef PIOLA_DETAIL_INTERNAL_H
#define PIOLA_DETAIL_INTERNAL_H

#include "asset/asset.h"
#include "base/size.h"
#include "compile/mesh.h"
#include "kernels/kernels.h"

#define DETAIL_MAGIC UINT64_C(0x314c494154454450) /* "PDETAIL1", little-endian */
#define POSE_MAGIC   UINT64_C(0x3145534f50444550) /* "PEDPOSE1" */

/* Surface vertices have numbers of their own, in the order in which the surface's triangles first
 * name them. Offsets are bytes from the header. */
struct piola_detail {
    uint64_t magic, bytes;
    uint64_t asset; /* hash of the asset */
    piola_detail_stats stats;
    uint32_t points; /* surface vertices */
    uint32_t packs;
    uint32_t cells;    /* triangles, or tetrahedra when it is embedded */
    uint32_t embedded; /* 1 when it is; then all vertices of tetrahedra count as surface vertices */
    uint32_t normals;  /* 1 when it has some */
    uint32_t reserved;
    uint64_t at_particles; /* uint32_t, 1 per surface vertex: its particle in a body */
    uint64_t at_sizes;   /* double, 1 per surface vertex: 2 x area of its triangles at rest, m^2 */
    uint64_t at_corners; /* uint32_t, 3 per surface triangle, 4 per tetrahedron: surface vertices */
    uint64_t at_packs;   /* struct pk_detail_pack */
};

struct piola_detail_pose {
    uint64_t magic, bytes;
    uint64_t asset;
    uint64_t isa;        /* piola_isa, resolved */
    uint64_t at_points;  /* struct pk_quad, 1 per surface vertex */
    uint64_t at_normals; /* struct detail_normal, 1 per surface vertex */
    uint64_t at_frames;  /* struct pk_quad, PK_DETAIL_QUADS per triangle or tetrahedron */
};

/* While the surface is walked over: twice the area of the triangles around a vertex, as vectors and
 * as numbers; then, in `sum`, the vertex's normal. */
struct detail_normal {
    struct vec3 sum;
    double size;
};

#define DETAIL_AT(type, block, offset) ((type *)(void *)((char *)(uintptr_t)(block) + (offset)))

/* detail_pose.c: fills normals and frames from the points. Without sizes, which are those at rest,
 * all normals are unit vectors, and `normals[].size` keeps the sizes. */
void detail_frames(const uint32_t *corners, uint32_t triangles, uint32_t points,
                   const struct pk_quad *at, const double *sizes, struct detail_normal *normals,
                   struct pk_quad *frames);

static inline uint32_t detail_corners(bool embedded)
{
    return embedded ? 4 : 3;
}

/* detail_embed.c: the same of tetrahedra, whose third edge stands for the normal, which nothing
 * turns; vertex numbers of their corners, as described; where a point is in one, as a bond. */
void detail_embed_frames(const uint32_t *corners, uint32_t tets, const struct pk_quad *at,
                         struct pk_quad *frames);
void detail_embed_corners(const piola_asset *asset, uint32_t *corners);
struct detail_bond;
void detail_embed_bind(const struct pk_quad *frame, struct vec3 point, struct detail_bond *bond);
void detail_embed_normal(const struct pk_quad *frame, const struct vec3 *normal, double c[3]);

/* ---- the surface's triangles in a uniform grid of cubic cells ---- */

struct detail_grid {
    const struct pk_quad *frames;
    uint32_t triangles;
    bool solid;          /* they are tetrahedra */
    double low[3], cell; /* m */
    uint32_t count[3];   /* cells along each axis */
    uint32_t *first;     /* of each cell's triangles, and the end */
    uint32_t *items;
};

/* Most cells, and most entries of all cells, for so many triangles. */
static inline uint64_t detail_grid_cells(uint32_t triangles)
{
    return 2 * (uint64_t)triangles + 1;
}
static inline uint64_t detail_grid_items(uint32_t triangles)
{
    return 8 * (uint64_t)triangles;
}

/* Chooses cells and sorts the triangles into them; first and items are the caller's arrays. */
void detail_grid_make(struct detail_grid *grid, const struct pk_quad *frames, uint32_t triangles);
/* The triangle nearest to a point, and the barycentric coordinates of its nearest point; or the
 * tetrahedron. Of equals the one with the lowest number. `square` may be null: the distance's. */
uint32_t detail_grid_nearest(const struct detail_grid *grid, struct vec3 point, double b[2],
                             double *square);

/* ---- binding ---- */

/* A barycentric coordinate may be so far below 0 by rounding. */
#define DETAIL_INSIDE 1e-6

/* A triangle with its normals, and where a point is in its prism. */
struct detail_bond {
    uint32_t triangle;
    double b[2], d;
    double outside;  /* how far the least barycentric coordinate is below 0 */
    double distance; /* m */
};

/* What detail_bind needs beside the grid: the triangles around each surface vertex. */
struct detail_ring {
    const uint32_t *corners;
    uint32_t *first, *items;
};

void detail_ring_make(struct detail_ring *ring, uint32_t triangles, uint32_t points);
/* Finds the prism that holds the point; else the one beside which it is least. False when no normal
 * of the triangles around the nearest one leads to it. */
bool detail_bind(const struct detail_grid *grid, const struct detail_ring *ring, struct vec3 point,
                 struct detail_bond *bond);
/* What the kernel needs to turn the normal with the surface. A null normal is the surface's own. */
void detail_bind_normal(const struct pk_quad *frames, const struct detail_bond *bond,
                        const struct vec3 *normal, double c[3]);

#endif
