/* constraints.h - what a body's mesh ties together besides its elements: distances of two vertices,
 * areas of three, volumes of four. */
#ifndef PIOLA_CONSTRAINTS_H
#define PIOLA_CONSTRAINTS_H

#include "compile/plan.h"
#include "families/constraints/kernels_constraints.h"
#include "motion/phases.h"

#define CONSTRAINTS_MAX (1u << 26)

/* Of an asset that has some. */
struct constraint_head {
    uint32_t order; /* piola_constraint_order */
    float relaxation;
    uint32_t count, reserved;
};

/* What a plan keeps: which pack and lane each has, and how many each vertex has. */
struct constraint_plan {
    uint32_t *lane; /* pack * 16 + lane */
    uint32_t *shares;
    uint32_t packs;
};

static inline struct constraint_plan *constraint_plan(const struct piola_plan *plan)
{
    return plan->parts[PART_constraints];
}

static inline unsigned constraint_corners(const piola_constraint *c)
{
    if (c->kind <= PIOLA_CONSTRAINT_VOLUME)
        return c->kind + 2;
    return c->vertices[3] == PIOLA_NO_VERTEX ? 3 : 4;
}

/* constraint_check.c: what a description says, and what stored bytes may be. Entries of
 * part_constraints. */
piola_status constraint_check_counts(const piola_mesh_desc *mesh, piola_error *error);
piola_status constraint_check(const piola_mesh_desc *mesh, unsigned char *seen, piola_error *error);
bool constraint_verify(const struct open *o);
/* Of stretch and shear: the corners' shares of F times one of its directions, made a unit vector;
 * false where it has none in the triangle. And the cosine between both at rest. */
bool constraint_along(const piola_mesh_desc *mesh, const piola_constraint *constraint,
                      unsigned axis, double along[4]);
double constraint_cosine(const piola_mesh_desc *mesh, const piola_constraint *constraint);
/* What it measures of the mesh at rest: m, m^2, m^3. Of volumes the sign says how they are turned.
 */
double constraint_measure(const piola_mesh_desc *mesh, const piola_constraint *constraint);

#define ARRAYS_OF "families/constraints/constraints.def"
#include "world/arrays.h"

#endif
