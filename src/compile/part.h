/* part.h - what a family adds to assets: sections of its own, from the description of a mesh to
 * bytes that were checked. One row PART(name) in its .def file, beside its SECTION and COUNT rows,
 * and one struct asset_part part_name; any entry may be null.
 */
#ifndef PIOLA_PART_H
#define PIOLA_PART_H

#include "asset/asset.h"
#include "base/arena.h"

struct build;      /* compile/build.h */
struct open;       /* verify/verify.h */
struct piola_plan; /* compile/plan.h */

enum part {
#define PART(name) PART_##name,
#include "families/families.def"
    PART_COUNT
};

struct asset_part {
    const char *name; /* what is told of stored bytes that `verify` refuses */
    /* The description: its counts and settings; then, once its elements are sound, its content.
     * `seen`: a byte per vertex, zero. */
    piola_status (*check_counts)(const piola_mesh_desc *mesh, piola_error *error);
    /* Elements of its own, which no kind of mesh.h is: checks them, and marks their vertices in
     * `touched`; what they give a vertex of mass, kg. */
    piola_status (*elements)(const piola_mesh_desc *mesh, unsigned char *touched,
                             piola_error *error);
    double (*mass)(const piola_mesh_desc *mesh, const struct piola_plan *plan, uint32_t vertex);
    piola_status (*check)(const piola_mesh_desc *mesh, unsigned char *seen, piola_error *error);
    /* What the plan keeps: plan->parts[PART_name], or only its size when the arena counts. Then the
     * size of the work space of `plan`. */
    void *(*take)(const piola_mesh_desc *mesh, struct arena *arena);
    void (*work)(const piola_mesh_desc *mesh, struct arena *arena);
    /* The last phase, after particles and incidences are known; then its counts and statistics. */
    void (*plan)(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena);
    void (*count)(struct piola_plan *plan);
    /* False when the mesh is more than the part can plan: `refused`, of `field`. */
    bool (*fits)(const struct piola_plan *plan);
    piola_status refused;
    const char *field;
    void (*build)(const struct build *build);
    /* Particles, materials, packs and visits are sound. */
    bool (*verify)(const struct open *open);
};

#define PART(name) extern const struct asset_part part_##name;
#include "families/families.def"

/* families/tables.c: all of them, in the order of the rows. */
extern const struct asset_part *const asset_parts[PART_COUNT];

#endif
