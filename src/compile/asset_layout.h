/* asset_layout.h - how many elements each section of an asset has, and where it begins.
 * One table drives it, the SECTION rows; used alike by plan, build and open. */
#ifndef PIOLA_ASSET_LAYOUT_H
#define PIOLA_ASSET_LAYOUT_H

#include "compile/plan.h"

/* Fills plan->counts and the counts in plan->stats from what the phases found. */
void layout_asset_count(struct piola_plan *plan);

/* Bytes of the whole asset. */
size_t layout_asset_bytes(const struct piola_plan *plan);

/* Writes the sections' offsets and counts into a header. Returns the bytes of the whole asset, or 0
 * when they cannot be addressed. */
size_t layout_asset_sections(const struct section_counts *counts, struct piola_asset *asset);

/* A number that changes when a struct, a section or their order changes. */
uint32_t layout_asset_hash(void);

/* Where the constants for triangles and for bends begin in the section of materials: those for
 * tetrahedra come first, one per described material, then those of each kind the mesh has. */
uint32_t layout_asset_material_base(uint32_t described, const uint32_t kind_count[KIND_COUNT],
                                    unsigned kind);

#endif
