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

/* An asset's arrays are its sections, rows SECTION(name, element type, count) of the .def files, in
 * their order. Each starts at a multiple of PIOLA_ALIGNMENT. What they are counted in has a row
 * COUNT(name): sections that share it are equally long. The rows drive layout, build, verification
 * and the accessors asset_NAME. Those of families belong to a PART: compile/part.h. */
enum section {
#define SECTION(name, type, count) SECTION_##name,
#include "families/families.def"
    SECTION_COUNT
};
struct section_counts {
#define COUNT(name) uint64_t name;
#include "families/families.def"
};

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
    uint32_t compile_for;
    uint32_t plastic_cells;  /* 16-lane cells of plastic strain each body needs */
    uint32_t sheet_material; /* plain cloth: the one material of all elements but bends, which are
                                triangles, elastic and St Venant-Kirchhoff; else UINT32_MAX */
    uint32_t reserved;
    union {
        struct {
#define SECTION(name, type, count) struct asset_section name;
#include "families/families.def"
        } at;
        struct asset_section sections[SECTION_COUNT];
    };
};

/* families/tables.c, where the types of all sections are known. */
struct section_info {
    const char *row; /* name, type and count */
    size_t element;  /* bytes */
    size_t counted;  /* offset of its count in struct section_counts */
};
extern const struct section_info asset_sections[SECTION_COUNT];

/* In struct section_counts. */
static inline uint64_t *section_count(struct section_counts *counts, int section)
{
    return (uint64_t *)(void *)((char *)counts + asset_sections[section].counted);
}

/* Cells of history that a pack of the material takes: pk_relaxing_cell. */
static inline uint32_t asset_history(const struct pk_material *material)
{
    return material->branches > 0 ? PK_RELAXING_BRANCHES + material->branches : material->yield > 0;
}

/* Which strains of their tetrahedra bodies keep in a substep, one for each visit: asset.c. */
struct asset_strains {
    bool began, held; /* the strain where it began; the plastic one */
    uint64_t packs;   /* of both, of 16 lanes each */
};
struct asset_strains asset_strains(const piola_asset *asset);

#define SECTION(name, type, count)                                                                 \
    static inline const type *asset_##name(const piola_asset *asset)                               \
    {                                                                                              \
        return (const type *)(const void *)((const char *)asset + asset->at.name.offset);          \
    }
#include "families/families.def"

#endif
