/* tethers.h - what a plan keeps of tethers between the search for anchors (tether_anchors.c) and
 * the sections of the asset (tether_sections.c). */
#ifndef PIOLA_TETHERS_H
#define PIOLA_TETHERS_H

#include "compile/plan.h"

#define TETHERS_MOST 4u /* per vertex */

struct tether_plan {
    uint32_t *anchor; /* TETHERS_MOST per vertex, nearest first, PLAN_NONE: no more */
    double *length;   /* m, along the mesh */
    uint32_t packs;
};

static inline struct tether_plan *tether_plan(const struct piola_plan *plan)
{
    return plan->parts[PART_tethers];
}

/* tether_anchors.c: entries of part_tethers. */
void *tether_take(const piola_mesh_desc *mesh, struct arena *arena);
void tether_work(const piola_mesh_desc *mesh, struct arena *arena);
void tether_find(struct piola_plan *plan, const piola_mesh_desc *mesh, struct arena *arena);

#endif
