/* detail.h - fine meshes that follow a body's surface. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_DETAIL_H
#define PIOLA_PIOLA_DETAIL_H

#include "piola/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a fine mesh follows. */
typedef enum piola_detail_mode {
    PIOLA_DETAIL_SURFACE = 0, /* the surface: each vertex a triangle and its interpolated normal */
    PIOLA_DETAIL_EMBED,       /* the inside: each vertex the tetrahedron that it lies in */
    PIOLA_DETAIL_MODE_COUNT
} piola_detail_mode;

/* A fine mesh, for rendering, bound to the surface of an asset or embedded in its tetrahedra. All
 * pointers are read during piola_detail_build only. */
typedef struct piola_detail_desc {
    uint32_t cookie_;
    const piola_asset *asset;
    const double *vertices; /* 3 per vertex, m, in the coordinates of the asset's mesh */
    const float *normals;   /* 3 per vertex, any length but 0; null: those of the surface, and for
                               an embedded mesh none */
    uint32_t vertex_count;  /* 1 to 2^26 */
    piola_detail_mode mode; /* default PIOLA_DETAIL_SURFACE */
} piola_detail_desc;

/* Empty: set the asset and the vertices. */
PIOLA_API piola_detail_desc piola_detail_desc_default(void);

/* A binding, compiled: immutable, holds no pointers, serves all bodies of the asset. */
typedef struct piola_detail piola_detail;

/* Bytes of the binding, and of the scratch that piola_detail_build needs. PIOLA_ERROR_TOO_LARGE. */
PIOLA_API piola_status piola_detail_size(const piola_detail_desc *desc, size_t *bytes,
                                         size_t *scratch_bytes, piola_error *error);
/* Binds each vertex to the surface triangle whose interpolated normal leads to it: point p is
 * sum b_i (x_i + distance n_i). An embedded one to the tetrahedron that holds it, or that is
 * nearest: p is sum b_i x_i; PIOLA_ERROR_COMPILE_FOR where the asset has no tetrahedra, or no packs
 * of them (it was compiled for DESCENT alone). Takes seconds for a million vertices: not for a
 * frame. The binding lives in `memory`; scratch and description are no longer needed then, the
 * asset is only where a pose is taken. PIOLA_ERROR_DETAIL_FAR names a vertex to which no normal
 * leads. */
PIOLA_API piola_status piola_detail_build(const piola_detail_desc *desc, void *scratch,
                                          size_t scratch_bytes, void *memory, size_t bytes,
                                          const piola_detail **detail, piola_error *error);

typedef struct piola_detail_bond {
    uint32_t triangle;    /* of piola_asset_surface(); embedded: tetrahedron, as described */
    float barycentric[3]; /* of its corners, in their order; of a tetrahedron's first three */
    float distance;       /* in units of the interpolated normal, which is about 1 at rest: m;
                             embedded: 0 */
} piola_detail_bond;

/* How one vertex is bound. */
PIOLA_API piola_status piola_detail_vertex_bond(const piola_detail *detail, uint32_t vertex,
                                                piola_detail_bond *bond);

typedef struct piola_detail_stats {
    uint32_t vertices, triangles; /* of the fine mesh; of the surface, 0 when embedded */
    uint32_t tetrahedra;          /* when embedded, those of the asset */
    uint32_t outside; /* vertices beside every triangle, as beyond the edge of a cloth, or
                         outside of all tetrahedra: bound to the nearest one, with a
                         barycentric coordinate below 0 */
    float distance;   /* largest from the surface, or the tetrahedra, m */
} piola_detail_stats;

/* Copies what was counted when the detail was bound. */
PIOLA_API piola_status piola_detail_inspect(const piola_detail *detail, piola_detail_stats *stats);

/* What a body's surface looks like at one moment: its triangles and normals, from which any thread
 * may then evaluate the fine mesh, also while the world goes on. Not changed by a move of memory.
 */
typedef struct piola_detail_pose piola_detail_pose;

/* Bytes of a pose; 0 of null. */
PIOLA_API size_t piola_detail_pose_size(const piola_detail *detail);
/* Between steps only. `memory` may be that of an older pose. */
PIOLA_API piola_status piola_detail_pose_take(const piola_detail *detail, const piola_world *world,
                                              piola_body body, void *memory, size_t bytes,
                                              const piola_detail_pose **pose);

/* Positions (m) and unit normals of fine vertices first .. first+count-1, 3 floats each, in the
 * description's order; `normals` may be null, and must be of an embedded mesh that has none. Ranges
 * may be split over threads as one likes: the bits are the same. Runs of 16 from a multiple of 16
 * on are quickest. */
PIOLA_API piola_status piola_detail_evaluate(const piola_detail *detail,
                                             const piola_detail_pose *pose, uint32_t first,
                                             uint32_t count, float *positions, float *normals);

#ifdef __cplusplus
}
#endif

#endif
