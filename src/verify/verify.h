/* verify.h - what the checks of a stored asset share. Each check trusts only what an earlier one
 * proved, reads inside the sections, and returns false for content that no plan could have made. */
#ifndef PIOLA_VERIFY_H
#define PIOLA_VERIFY_H

#include "compile/plan.h"

/* A stored asset whose sections are known to lie inside its bytes. */
struct open {
    const struct piola_asset *asset;
    struct section_counts counts;
    uint32_t described;   /* materials in the description */
    uint32_t vertices;    /* particles below this are vertices */
    uint32_t first_dummy; /* fours of element clusters, then of vertex clusters */
    uint32_t kind_count[KIND_COUNT];
};

static inline bool open_finite(const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(values[i] - values[i] == 0))
            return false;
    return true;
}

/* True when `material` is an index into the constants of this kind that are in use. */
bool open_material_used(const struct open *o, unsigned kind, uint32_t material);

bool open_check_packs(const struct open *o);  /* verify_packs.c: element packs and their clusters */
bool open_check_visits(const struct open *o); /* verify_visits.c: vertex packs and their clusters */
bool open_check_colours(
    const struct open *o); /* verify_colours.c: clusters of one colour are apart */

bool open_check_coarse(const struct open *o);    /* verify_coarse.c */
bool open_check_viscosity(const struct open *o); /* verify_viscosity.c: before the packs */

/* Clusters in order, and the first of each colour: rising from 0 to the number of clusters. */
bool open_check_colour_list(const uint32_t *first, uint64_t colours1, uint64_t clusters);

#endif
