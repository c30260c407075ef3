/* asset.h - the layout of a compiled asset: one block, offsets only, the same in memory and in a
 * file.
 *
 * Lives here: the header, the table of sections, accessors. How an asset is made: plan.c and the
 * phases in plan.h, then build.c. How a stored one is checked: verify.c. Nothing here allocates or
 * writes.
 */
#ifndef PIOLA_ASSET_H
#define PIOLA_ASSET_H

#include "kernels/kernels_coarse.h"
#include "kernels/packs.h"
#include "piola/piola.h"

/* Kinds of elements. Links have no energy: descent does not see them. Clusters of vertices have one
 * kind of pack, which stands in the first place. */
enum {
    KIND_TET,
    KIND_TRIANGLE,
    KIND_BEND,
    KIND_LINK,
    KIND_COUNT,
    KIND_ELASTIC_COUNT = KIND_LINK,
    KIND_VERTEX = 0
};

#define ASSET_MAGIC   UINT64_C(0x3154455341414c50) /* "PLAASET1", little-endian */
#define ASSET_VERSION 2u
/* Of clusters: a stage of the job system names one in 12 bits, and one value more means all. */
#define ASSET_COLOURS_MAX 4094u

/* Particles: the vertices, in the order in which elements along the space-filling curve first touch
 * them; then, from the next multiple of 4, four dummies per element cluster and four per vertex
 * cluster (a cache line each); then padding up to a multiple of 16.
 *
 * Materials: constants for tetrahedra, one per described material; then as many for triangles if
 * there are any; then for bends. Those of unused ones are zero. */

/* A run of packs that one worker does without a barrier. Element clusters of one colour share no
 * particle; vertex clusters of one colour share no element. A body of one cluster is "small". */
struct asset_cluster {
    struct pk_run packs[KIND_COUNT];
};

/* X(name, element type, count in the header) - every array of an asset, in the order of the block.
 * Each starts at a multiple of PIOLA_ALIGNMENT. Drives layout, build, validation and the accessors.
 */
#define ASSET_SECTIONS(X)                                                                          \
    X(rest, struct pk_quad, particles)         /* m, inverse mass; particle order */               \
    X(mass, float, particles)                  /* kg, 0 for dummies */                             \
    X(vertex_of_particle, uint32_t, particles) /* UINT32_MAX for dummies and padding */            \
    X(particle_of_vertex, uint32_t, vertices)                                                      \
    X(materials, struct pk_material, materials) /* for tets, then triangles, then bends */         \
    X(tet_packs, struct pk_tet_pack, tet_packs)                                                    \
    X(tet_pack_materials, uint32_t, tet_packs) /* all 16 lanes are of one material */              \
    X(tet_pack_plastic, uint32_t, tet_packs)   /* index of its plastic pack or UINT32_MAX */       \
    X(tet_of_lane, uint32_t, tet_lanes)        /* element number, UINT32_MAX if unused */          \
    X(triangle_packs, struct pk_triangle_pack, triangle_packs)                                     \
    X(triangle_pack_materials, uint32_t, triangle_packs)                                           \
    X(triangle_pack_plastic, uint32_t, triangle_packs) /* as tet_pack_plastic; cells follow */     \
    X(triangle_of_lane, uint32_t, triangle_lanes) /* as tet_of_lane, among the triangles */        \
    X(sheet_thickness, float, sheet_materials) /* m, of each described material, 0: none */        \
    X(bend_packs, struct pk_bend_pack, bend_packs)                                                 \
    X(bend_pack_materials, uint32_t, bend_packs)                                                   \
    X(bend_pack_plastic, uint32_t, bend_packs) /* as tet_pack_plastic; cells come last */          \
    X(link_packs, struct pk_link_pack, link_packs)                                                 \
    X(clusters, struct asset_cluster, clusters)    /* element clusters, by colour */               \
    X(cluster_colours, uint32_t, cluster_colours1) /* first cluster of each colour, and the end */ \
    X(vertex_packs, struct pk_vertex_pack, vertex_packs)                                           \
    X(visits, struct pk_visit, visits)             /* empty when visits_snh is used */             \
    X(visits_snh, struct pk_visit_snh, visits_snh) /* when all materials are stable Neo-Hookean */ \
    X(visit_plastic, uint32_t, visit_lanes)        /* lane's plastic cell, when any is plastic */  \
    X(triangle_visits, struct pk_triangle_visit, triangle_visits)                                  \
    X(triangle_visit_plastic, uint32_t, triangle_visit_lanes) /* as visit_plastic */               \
    X(bend_rows, struct pk_bend_row, bend_rows)                                                    \
    X(fold_visits, struct pk_fold_visit, fold_visits)                                              \
    X(fold_visit_plastic, uint32_t, fold_visit_lanes) /* as visit_plastic */                       \
    X(vertex_clusters, struct asset_cluster, vertex_clusters)                                      \
    X(vertex_cluster_colours, uint32_t, vertex_cluster_colours1)                                   \
    X(tether_first, uint32_t, tether_groups1) /* of 16 particles: their first pack; and the end */ \
    X(tethers, struct pk_tether_pack, tether_packs)                                                \
    X(coarse_heads, struct pk_coarse, coarse_heads) /* one, or none: then all these are empty */   \
    X(coarse_nodes, struct pk_coarse_node, coarse_nodes)                                           \
    X(coarse_frames, struct pk_tet_pack, coarse_frames) /* 16 groups each; volumes are 0 */        \
    X(cage_packs, struct pk_cage_pack, cage_packs)                                                 \
    X(coarse_pairs, struct pk_coarse_pairs, coarse_pairs)                                          \
    X(coarse_blocks, struct pk_coarse_block, coarse_blocks)                                        \
    X(coarse_stiffness, float, coarse_stiff) /* N/m, of particles, a third of the trace */         \
    X(surface, uint32_t, surface_indices)    /* 3 vertex numbers per triangle */

struct asset_section {
    uint64_t offset; /* bytes from the header */
    uint64_t count;  /* elements */
};

struct piola_asset {
    uint64_t magic;
    uint32_t version;
    uint32_t
        layout; /* hash of section names, element sizes and PK_LANES: differs when structs change */
    uint64_t bytes;    /* of the whole block, a multiple of PIOLA_ALIGNMENT */
    uint64_t checksum; /* over everything behind this field; also the asset's identity */
    piola_asset_stats stats;
    uint32_t families;
    uint32_t plastic_cells;  /* 16-lane cells of plastic strain each body needs */
    uint32_t sheet_material; /* plain cloth: the one material of all elements but bends, which are
                                triangles, elastic and St Venant-Kirchhoff; else UINT32_MAX */
    uint32_t reserved;
    struct {
#define X(name, type, count) struct asset_section name;
        ASSET_SECTIONS(X)
#undef X
    } at;
};

#define X(name, type, count)                                                                       \
    static inline const type *asset_##name(const piola_asset *asset)                               \
    {                                                                                              \
        return (const type *)(const void *)((const char *)asset + asset->at.name.offset);          \
    }
ASSET_SECTIONS(X)
#undef X

#endif
