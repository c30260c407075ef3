/* plan.h - a mesh on its way to an asset: what each phase of piola_asset_plan leaves for the next
 * ones and for piola_asset_build. All arrays live in the caller's scratch.
 *
 * Each phase has its own file and a pair of functions: NAME_take reserves its work space (and tells
 * its size when the arena only counts), NAME does the work.
 */
#ifndef PIOLA_PLAN_H
#define PIOLA_PLAN_H

#include "asset/asset.h"
#include "base/arena.h"
#include "compile/coarse_plan.h"
#include "compile/mesh.h"
#include "compile/part.h"

#define PLAN_NONE UINT32_MAX

/* Which elements of one kind each vertex belongs to. */
struct plan_incidence {
    uint32_t *first; /* vertices + 1 */
    uint32_t *item;  /* element ids, in curve order for each vertex */
};

/* Isometric bending: see bend_matrix.h. Rows are the vertices', entries in the order of particles.
 */
struct plan_rows {
    uint32_t *first; /* vertices + 1 */
    uint32_t *other; /* particle */
    double *weight;  /* N/m */
    double *self;    /* N/m, one per vertex */
};

/* Items cut into clusters and the clusters' colours. Clusters are numbered by colour. */
struct plan_clusters {
    uint32_t count, colours;
    struct asset_cluster *cluster; /* pack ranges */
    uint32_t *colour_first;        /* count + 1, of which colours + 1 are used */
    uint32_t *item_first;          /* count + 1: where its items begin in `items` */
    uint32_t *items;               /* element ids or vertices, cluster by cluster */
};

struct piola_plan {
    uint32_t cookie;
    uint32_t compile_for;
    bool packs;  /* element packs are wanted: for projections, plastic strain or limits */
    bool visits; /* vertex packs are wanted */
    bool snh;    /* every tetrahedron is stable Neo-Hookean, and there is nothing else */
    uint32_t sheet_material; /* piola_asset.sheet_material */
    bool plastic;            /* some tetrahedron, triangle or bend is plastic or relaxes */
    uint32_t vertices, elements, kind_count[KIND_COUNT], material_count; /* as described */

    uint32_t *order;              /* element ids along the curve */
    uint32_t *particle_of_vertex; /* by first touch along the curve */
    uint32_t *vertex_of_particle; /* the first `vertices` particles */
    struct plan_incidence incidence[KIND_COUNT];

    struct plan_rows rows;

    struct plan_clusters elements_cut;
    uint32_t *lane_of_element; /* pack * 16 + lane, in the packs of its kind */
    uint32_t element_packs[KIND_COUNT];

    struct plan_clusters vertices_cut;
    uint32_t *lane_of_vertex;
    uint32_t vertex_packs;
    uint32_t visits_of_kind[PK_VISIT_KINDS]; /* slots of 16 visits; of bends, of row entries */

    void *parts[PART_COUNT]; /* what families keep: compile/part.h */

    struct plan_coarse coarse;

    unsigned char *face_used; /* 4 per tetrahedron: 1 when no other tetrahedron has this face */
    uint32_t plastic_packs;
    uint32_t first_dummy; /* particle; element clusters' fours, then vertex clusters' */

    piola_asset_stats stats;
    struct section_counts counts;
};

/* Cells of history that a pack of the material takes. */
uint32_t plan_history(const piola_material *material);
bool plan_relaxes(const piola_material *material);
/* viscosity.c: which sections of damping and relaxation the asset has, once all others are counted.
 */
void plan_viscosity(struct piola_plan *plan, const piola_mesh_desc *mesh);

struct order_work {
    uint64_t *keys, *keys_work;
    uint32_t *items_work;
};
void order_take(const piola_mesh_desc *mesh, struct arena *arena, struct order_work *work);
/* Elements along a space-filling curve, particles by first touch, incidences. */
void order_elements(struct piola_plan *plan, const piola_mesh_desc *mesh,
                    const struct order_work *work);
void order_particles(struct piola_plan *plan, const piola_mesh_desc *mesh);
void order_incidence(struct piola_plan *plan, const piola_mesh_desc *mesh, unsigned kind);

struct cluster_work {
    uint32_t *cluster_of_vertex;
    uint32_t *collide_first;         /* vertices + 1: clusters that touch each vertex */
    uint32_t *touch;                 /* at most one per (vertex, element) pair */
    uint32_t *next;                  /* per vertex: lowest colour still free at a crowded one */
    uint32_t *colour, *mark, *place; /* one per cluster, + 1 */
};
void cluster_take(const piola_mesh_desc *mesh, struct arena *arena, struct cluster_work *work);
/* Clusters along the curve, coloured: of one colour, no two share a particle (cluster_elements), or
 * are joined by an element (cluster_vertices). */
void cluster_elements(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct cluster_work *work);
void cluster_vertices(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct cluster_work *work);
/* Clusters for a number of items: 1, or as many of cluster_size as it takes. */
uint32_t cluster_count(const piola_mesh_desc *mesh, uint32_t items);

struct pack_work {
    uint64_t *taken;                     /* 1 per vertex: open packs that hold it */
    uint32_t *items, *items_work, *keys; /* the cluster being packed */
};
void pack_take(const piola_mesh_desc *mesh, struct arena *arena, struct pack_work *work);
void pack_elements(struct piola_plan *plan, const piola_mesh_desc *mesh,
                   const struct pack_work *work);
void pack_vertices(struct piola_plan *plan, const piola_mesh_desc *mesh,
                   const struct pack_work *work);

struct outer_faces_work {
    uint32_t *keys; /* 3 per face */
    uint32_t *items, *items_work;
};
void outer_faces_take(const piola_mesh_desc *mesh, struct arena *arena,
                      struct outer_faces_work *work);
/* Sets stats.enclosed. */
void enclose_volume(struct piola_plan *plan, const piola_mesh_desc *mesh);
void outer_faces_find(struct piola_plan *plan, const piola_mesh_desc *mesh,
                      const struct outer_faces_work *work);
/* Corners of face 0 to 3 of a tetrahedron, counter-clockwise seen from outside. */
extern const unsigned char surface_face[4][3];

struct colour_work {
    uint64_t *used;          /* 4 per vertex: colours 0 to 255 of its elements */
    uint32_t *next;          /* per vertex: colours from 256 on begin here */
    uint32_t *colour, *mark; /* per vertex */
};
void colour_take(const piola_mesh_desc *mesh, struct arena *arena, struct colour_work *work);
/* Colours a plain greedy colouring would need: of elements that share a vertex (the kinds apart,
 * summed), of vertices that share an element. */
void colour_greedy(struct piola_plan *plan, const piola_mesh_desc *mesh,
                   const struct colour_work *work);

#endif
