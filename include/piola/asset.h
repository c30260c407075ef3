/* asset.h - materials and compiled meshes. Included by piola.h: include that. */
#ifndef PIOLA_PIOLA_ASSET_H
#define PIOLA_PIOLA_ASSET_H

#include "piola/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- materials ---------------------------------------------------------------------------------
 */

typedef enum piola_model {
    PIOLA_MODEL_STABLE_NEO_HOOKEAN = 0, /* the default: inversion-proof, cheapest with DESCENT */
    PIOLA_MODEL_STVK,                   /* St Venant-Kirchhoff, isotropic */
    PIOLA_MODEL_STVK_ORTHOTROPIC,       /* nine constants along the element's frame */
    PIOLA_MODEL_STVK_GENERAL,           /* 21 constants along the element's frame */
    PIOLA_MODEL_NEO_HOOKEAN,            /* the paper's eq. (8), continued linearly where crushed */
    PIOLA_MODEL_COUNT
} piola_model;

/* Of bends. Isometric: quadratic in the positions, the cheapest, zero when flat. Dihedral: of the
 * angle between the triangles, zero at its value at rest, for shapes that are curved at rest. */
typedef enum piola_bend_model {
    PIOLA_BEND_ISOMETRIC = 0, /* the paper's, section 4.3 */
    PIOLA_BEND_DIHEDRAL,
    PIOLA_BEND_MODEL_COUNT
} piola_bend_model;

/* Branches of a material that relaxes. */
#define PIOLA_RELAXATIONS 3
typedef struct piola_relaxation {
    float share; /* 0: no branch; or up to 1e6: its stiffness over the material's */
    float time;  /* s, 1e-9 to 1e9, where share is above 0 */
} piola_relaxation;

typedef struct piola_material {
    uint32_t cookie_;
    piola_model model;
    piola_bend_model bend_model; /* of bends */
    /* Of bends: bending stiffness, N m, > 0. 0 (default): that of an isotropic plate as thick as
     * `thickness`, young thickness^3 / (12 (1 - poisson^2)); then a thickness is needed. Leave
     * bends out of the mesh where nothing resists bending. */
    float bend;
    float density; /* kg/m^3 (kg/m^2 for triangles), > 0 */
    /* isotropic models */
    float young;   /* Pa, > 0 (N/m for triangles) */
    float poisson; /* -0.9 to 0.499 */
    /* PIOLA_MODEL_STVK_ORTHOTROPIC: along axes 1, 2, 3 of the element's frame */
    float young_axis[3];   /* E1, E2, E3, Pa */
    float poisson_axis[3]; /* nu12, nu23, nu31: contraction along the second axis under pull along
                              the first. Of triangles: nu12 and nu21, which must agree, E1 nu21 =
                              E2 nu12 within 1e-3 of them; 0 derives nu21 */
    float shear_axis[3];   /* G12, G23, G31, Pa */
    /* PIOLA_MODEL_STVK_GENERAL: the upper triangle, row by row, of the symmetric 6x6 matrix from
     * strain (xx yy zz 2yz 2xz 2xy) to stress (xx yy zz yz xz xy), Pa. Must be positive definite.
     */
    float stiffness[21];
    float damping; /* s, 0 to 1e6: viscous stress is damping times the rate of the elastic stress;
                      of bends, moments by the rate of the angle. Rayleigh's beta */
    float mass_damping; /* 1/s, 0 to 1e6: force against the velocity over mass, of tetrahedra,
                           triangles and links. Rayleigh's alpha */
    /* plasticity; off while plastic_yield is 0. Strains are Frobenius norms of Green strain; of
     * bends of the dihedral model they are angles in rad, and the isometric one cannot flow. */
    float plastic_yield; /* elastic deviatoric strain above which material flows */
    float plastic_creep; /* 1/s, share of that strain absorbed per second */
    float plastic_max;   /* bound of the plastic strain; of bends at most pi */
    /* Of triangles, m: when > 0, all of the above moduli are in Pa and the density in kg/m^3, as of
     * the stuff the sheet is made of, and are multiplied by it; when 0 they are per area already.
     * Tetrahedra do not read it. 0, or 1e-9 to 1e3. */
    float thickness;
    /* Triangles only: hard bounds of both principal stretches, held by every solver whatever the
     * stiffness; 0 is no bound. */
    float stretch_min; /* 0, or 0.01 to 1 */
    float stretch_max; /* 0, or 1 to 100 */
    /* Tetrahedra only: branches of a spring and a dashpot in a row, beside what the material is
     * without them. All other constants are those of a slow load; a sudden one meets 1 + the sum of
     * the shares times the stiffness, which falls back by share exp(-t / time). */
    piola_relaxation relaxation[PIOLA_RELAXATIONS];
} piola_material;

/* Soft rubber: stable Neo-Hookean, 1e5 Pa, 0.45, 1000 kg/m^3, no damping, no plasticity. */
PIOLA_API piola_material piola_material_default(void);

/* ---- assets: meshes compiled for the kernels ----------------------------------------------------
 */

/* What to compile for; what is left out costs no memory. */
typedef enum piola_compile_for {
    PIOLA_COMPILE_FOR_PROJECTION = 1, /* solvers ENERGY, COMPLIANT, EXPLICIT */
    PIOLA_COMPILE_FOR_DESCENT = 2     /* solver DESCENT */
} piola_compile_for;

/* How far a tethered vertex may be from its anchor: as far as along the mesh, or in a straight line
 * at rest. */
typedef enum piola_tether_mode {
    PIOLA_TETHER_GEODESIC = 0, /* along edges and, where bends are described, across them; of a flat
                                  sheet some percent more than the straight line */
    PIOLA_TETHER_EUCLIDEAN,    /* for meshes that are flat or straight at rest */
    PIOLA_TETHER_MODE_COUNT
} piola_tether_mode;

/* What a constraint measures. */
typedef enum piola_constraint_kind {
    PIOLA_CONSTRAINT_DISTANCE = 0, /* of two vertices, m */
    PIOLA_CONSTRAINT_AREA,         /* of the triangle of three, m^2 */
    PIOLA_CONSTRAINT_VOLUME,       /* of the tetrahedron of four, m^3: negative when it is turned
                                      inside out */
    PIOLA_CONSTRAINT_STRETCH,      /* of a direction in a triangle or tetrahedron: 1 at rest */
    PIOLA_CONSTRAINT_SHEAR, /* of two such directions: 1 and the cosine between them, less that
                               at rest. The stretch of either does not change it */
    PIOLA_CONSTRAINT_KIND_COUNT
} piola_constraint_kind;

/* Instead of a vertex, where there is none. */
#define PIOLA_NO_VERTEX UINT32_MAX

/* A constraint: what it measures stays between two bounds, held by every solver. */
typedef struct piola_constraint {
    piola_constraint_kind kind;
    uint32_t vertices[4]; /* as many as the kind has, in any order; of stretch and shear of a
                             triangle the last is PIOLA_NO_VERTEX */
    float axes[2][3];     /* of stretch the first, of shear both: directions at rest, any length but
                             0, in no triangle's normal */
    float least, most;    /* 0 to 1e6, least <= most, most > 0: factors of what it measures at rest;
                             1 and 1 hold just that */
    float compliance; /* >= 0; 0 is rigid. m/N of distances, m^4/J of areas, m^6/J of volumes, 1/J
                         of stretch and shear: energy is (measure - bound)^2 / (2 compliance) */
    float stiffness;  /* k of the first position-based methods, above 0 to 1: each step takes
                         the share k of what is out of bounds away, in equal parts an iteration;
                         depends on the step, has no unit. Below 1 only without compliance; 1 is
                         the usual */
} piola_constraint;

/* In which order the constraints of a body are projected. */
typedef enum piola_constraint_order {
    PIOLA_ORDER_SEIDEL = 0, /* one after the other: each sees what those before did */
    PIOLA_ORDER_AVERAGED,   /* all from the same positions; a vertex takes the mean of what its
                               constraints ask. Momentum is lost where vertices have unlike numbers
                               of constraints; none may have a compliance */
    PIOLA_ORDER_SPLIT,      /* all from the same positions, each with its share of the vertices'
                               masses: keeps momentum */
    PIOLA_ORDER_COUNT
} piola_constraint_order;

/* The section and the stuff of a rod. */
typedef struct piola_rod {
    uint32_t cookie_;
    float radius;  /* m, 1e-6 to 1e3, of the round section */
    float density; /* kg/m^3, > 0 */
    float young;   /* Pa, > 0 */
    float poisson; /* -0.9 to 0.499 */
    /* Instead of what follows from the above, where above 0: E A and kappa G A (N), E I about d1
     * and d2, G J (N m^2). Round sections have kappa = 0.9. */
    float stretch, shear, bend[2], twist;
    /* 1/m, of the rest shape, besides that of the mesh: how fast the axes turn about d1, d2 and d3
     * along the rod, from each segment's first vertex to its second. */
    float curvature[3];
} piola_rod;

/* Rubber cord: 1 cm thick, 1e6 Pa, 0.45, 1000 kg/m^3, no curvature but the mesh's. */
PIOLA_API piola_rod piola_rod_default(void);

/* A mesh as it comes from a modeller. All pointers are read during piola_asset_plan and
 * piola_asset_build only. Optional pointers may be null. */
typedef struct piola_mesh_desc {
    uint32_t cookie_;
    uint32_t compile_for;       /* piola_compile_for bits; default both */
    const double *vertices;     /* 3 per vertex, m */
    uint32_t vertex_count;      /* 1 to 2^26 */
    const uint32_t *tetrahedra; /* 4 per tetrahedron; (v1-v4, v2-v4, v3-v4) right-handed */
    uint32_t tetrahedron_count;
    const uint32_t *tetrahedron_materials; /* 1 per tetrahedron; null means material 0 */
    const float *tetrahedron_frames; /* 6 per tetrahedron: first and second material axis; null
                                        means x and y */
    const uint32_t *triangles; /* 3 per triangle, cloth elements (not the surface of a solid) */
    uint32_t triangle_count;
    const uint32_t *triangle_materials;
    const double *triangle_patterns;  /* 6 per triangle: u, v of its corners in the pattern that it
                                         is cut from, m; its rest shape and mass. Either side may be
                                         up. Null: the rest shape is that of `vertices` */
    const float *triangle_directions; /* 3 per triangle: warp direction, in space, or with patterns
                                         as u, v and 0; null means its first edge, or u */
    const uint32_t
        *bends; /* 4 per bending edge: the edge's two vertices, then the two opposite ones */
    uint32_t bend_count;
    const uint32_t *bend_materials;
    /* Links: hard constraints on the distance of two vertices, held by every solver; no energy. A
     * vertex that belongs to links only gets its mass from them, density then in kg/m. */
    const uint32_t *links; /* 2 per link */
    uint32_t link_count;
    const uint32_t *link_materials; /* only the density counts; null means material 0 */
    const float *link_lengths;      /* m, 1 per link, > 0; null means as far apart as at rest */
    const float *link_bounds;       /* 2 per link: least and largest length allowed, as factors of
                                       the link's length; null means 1, 1 */
    const float *link_compliances;  /* m/N, 1 per link, >= 0; null means 0, rigid */
    const float *link_dampings;     /* N s/m, 1 per link, 0 to 1e12: a dashpot beside the spring; a
                                       rigid link has no spring to damp. Null means 0 */
    /* Tethers (long-range attachments): no vertex gets farther from the anchors it hangs on than
     * the mesh allows, while they are pinned. Each vertex has tethers to the up to four anchors
     * nearest to it along the mesh. */
    const uint32_t *tether_anchors; /* vertices, those that will be pinned */
    uint32_t tether_anchor_count;
    piola_tether_mode tether_mode; /* default PIOLA_TETHER_GEODESIC */
    float tether_slack;            /* factor on the lengths, 0.1 to 100; default 1 */
    const piola_constraint
        *constraints; /* distances, areas, volumes; no mass, no energy in reports */
    uint32_t constraint_count;
    piola_constraint_order constraint_order; /* default PIOLA_ORDER_SEIDEL */
    float constraint_relaxation; /* factor on their corrections, above 0 to below 2; default 1 */
    /* Rods, for DESCENT: segments between two vertices, clamped to each other where they share one.
     * A mesh has either rods alone, or none. At rest the rods are as the mesh has them. Trees, and
     * rings; of segments no more than vertices. */
    const uint32_t *segments; /* 2 per segment */
    uint32_t segment_count;
    const uint32_t *segment_rods;    /* 1 per segment; null means rod 0 */
    const float *segment_directions; /* 3 per segment: d1, the first axis of its section, as far as
                                        it stands across the segment. Null: any for the first,
                                        carried along the rod without twist for others */
    const piola_rod *rods;
    uint32_t rod_count;
    const piola_material *materials;
    uint32_t material_count; /* at least 1; of rods none is needed */
    uint32_t cluster_limit;  /* a body with more elements is cut into clusters; default 16384 */
    uint32_t cluster_size;   /* elements per cluster then; default 1024 */
    /* A coarse level for DESCENT, of meshes of tetrahedra alone and of triangles alone (default
     * true): low modes of stiff or long bodies are solved for at once. Acts in worlds whose
     * coarse_level is set too. */
    bool coarse_level;
} piola_mesh_desc;

/* No mesh yet: both kinds of solvers, limits and modes as said above. */
PIOLA_API piola_mesh_desc piola_mesh_desc_default(void);

/* The bending edges of a triangle mesh, for piola_mesh_desc: one for each edge that two triangles
 * share, by rising vertices of the edge. Edges of one triangle are the boundary and have none. */
typedef struct piola_bends {
    const uint32_t *bends;   /* in `memory`: as piola_mesh_desc.bends */
    uint32_t count;          /* bends */
    uint32_t boundary_edges; /* edges of one triangle */
    uint32_t crowded_edges;  /* edges of three or more triangles: no bend is made for them, they
                                hinge freely; add the pairs you want to be stiff */
    uint32_t crowded[2];     /* the first of these edges, if there is any */
    uint32_t reserved;
} piola_bends;

/* Bytes of memory that piola_mesh_bends needs, 0 when triangle_count is 0 or above 2^26. */
PIOLA_API size_t piola_mesh_bends_size(uint32_t triangle_count);
/* Finds them in `memory`, of which the first 16 bytes per bend must live as long as `bends->bends`
 * is used. Refuses triangles that name a vertex twice or that repeat another one. */
PIOLA_API piola_status piola_mesh_bends(const uint32_t *triangles, uint32_t triangle_count,
                                        uint32_t *memory, size_t bytes, piola_bends *bends,
                                        piola_error *error);

typedef struct piola_plan
    piola_plan; /* a mesh, checked, ordered and coloured; lives in scratch memory */
typedef struct piola_asset
    piola_asset; /* the compiled mesh: immutable, holds no pointers, can be stored */

/* Bytes of scratch that piola_asset_plan needs for this description. Looks at its counts alone;
 * PIOLA_ERROR_TOO_LARGE, PIOLA_ERROR_MESH_EMPTY. */
PIOLA_API piola_status piola_plan_size(const piola_mesh_desc *mesh, size_t *bytes,
                                       piola_error *error);

/* Checks the whole mesh, then orders and colours it in `scratch`, which must stay alive and
 * unchanged until piola_asset_build has run. Takes seconds for millions of elements: not for a
 * frame. Any PIOLA_ERROR_MESH_..., PIOLA_ERROR_MATERIAL, PIOLA_ERROR_COLOURS; `error` names the
 * element. */
PIOLA_API piola_status piola_asset_plan(const piola_mesh_desc *mesh, void *scratch, size_t bytes,
                                        piola_plan **plan, piola_error *error);
/* Exact bytes of the asset that the plan will become; 0 of null. */
PIOLA_API size_t piola_plan_asset_size(const piola_plan *plan);
/* Writes the asset into `memory`, where it lives: at least piola_plan_asset_size() bytes. The mesh
 * description and the plan must still be valid; they are no longer needed afterwards. */
PIOLA_API piola_status piola_asset_build(const piola_plan *plan, const piola_mesh_desc *mesh,
                                         void *memory, size_t bytes, const piola_asset **asset,
                                         piola_error *error);

/* An asset is its own file format: store piola_asset_bytes(asset) bytes from its address; read them
 * back to aligned memory and open them in place. Opening trusts nothing: every count, index and
 * number is checked. The memory must stay alive and unchanged while any world uses the asset. */
PIOLA_API size_t piola_asset_bytes(const piola_asset *asset);
/* As above; the asset is the memory itself. Any PIOLA_ERROR_BLOB_...; `error` names what is wrong.
 */
PIOLA_API piola_status piola_asset_open(const void *memory, size_t bytes, const piola_asset **asset,
                                        piola_error *error);
/* Same content, same number, on every machine. */
PIOLA_API uint64_t piola_asset_hash(const piola_asset *asset);

typedef struct piola_asset_stats {
    uint32_t vertices;  /* as described */
    uint32_t particles; /* that each body takes of piola_world_desc.max_particles */
    uint32_t tetrahedra, triangles, bends, links, segments;
    uint32_t tethers;           /* pairs of a vertex and an anchor */
    uint32_t limited_triangles; /* with bounds of their stretches */
    uint32_t constraints;       /* as described */
    uint32_t constraint_packs;  /* that each body takes of piola_world_desc.max_constraint_packs */
    uint32_t link_packs;        /* that each body takes of piola_world_desc.max_link_packs */
    uint32_t packs;             /* that each body takes of piola_world_desc.max_packs */
    uint32_t plastic_packs;     /* that each body takes of piola_world_desc.max_plastic_packs: 1 for
                                   16 elements that may flow, 3 and one a branch where they relax */
    uint32_t surface_triangles;
    uint32_t clusters, vertex_clusters;
    uint32_t cluster_colours, vertex_cluster_colours;
    uint32_t element_colours, vertex_colours; /* of a plain greedy colouring, for comparison */
    float fill_elements; /* share of the lanes of all element packs that hold an element, 0 to 1 */
    float fill_vertices; /* share of the lanes of all vertex slots that hold a visit, 0 to 1 */
    double mass;         /* kg */
    double volume;       /* m^3 at rest, tetrahedra only */
    /* m^3 at rest inside the triangles: 0 when they leave an edge open, negative when they face
     * inwards; bodies hold pressure where it is positive */
    double enclosed;
} piola_asset_stats;

/* Copies what was counted when the asset was compiled. */
PIOLA_API piola_status piola_asset_inspect(const piola_asset *asset, piola_asset_stats *stats);

/* Outer faces of the tetrahedra and all cloth triangles, 3 vertex numbers (of the description)
 * each, counter-clockwise seen from outside. Lives as long as the asset. */
PIOLA_API const uint32_t *piola_asset_surface(const piola_asset *asset, uint32_t *triangle_count);

#ifdef __cplusplus
}
#endif

#endif
