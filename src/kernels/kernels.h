/* kernels.h - the ISPC kernels as C sees them: prototypes, and one table per instruction set.
 *
 * Each kernel is listed once: by families in rows KERNEL(name, job), which take one struct
 * pk_..._job and return nothing, others in KERNELS(X): X(return type, name, (arguments)), likewise
 * with a job where they need more than six arguments. Each has one function per instruction set,
 * named pk_<name>_<isa>, and one member in struct kernels. The arguments mirror the `export` in
 * ispc/; streams are whole quads that start at multiples of 64 bytes, counts of particles are
 * multiples of PK_LANES.
 */
#ifndef PIOLA_KERNELS_H
#define PIOLA_KERNELS_H

#include "kernels/arithmetic.h"
#include "kernels/kernels_bends.h"
#include "kernels/kernels_cloth.h"
#include "kernels/kernels_coarse.h"
#include "kernels/kernels_detail.h"
#include "kernels/kernels_forces.h"
#include "kernels/kernels_motion.h"
#include "kernels/kernels_query.h"
#include "kernels/kernels_solids.h"
#include "kernels/kernels_state.h"
#include "kernels/kernels_surface.h"
#include "kernels/packs.h"
#include "piola/piola.h"

#define KERNELS(X)                                                                                 \
    KERNELS_ARITHMETIC(X)                                                                          \
    KERNELS_MOTION(X)                                                                              \
    KERNELS_SOLIDS(X)                                                                              \
    KERNELS_STATE(X)                                                                               \
    KERNELS_COARSE(X)                                                                              \
    KERNELS_BENDS(X)                                                                               \
    KERNELS_DETAIL(X)                                                                              \
    KERNELS_CLOTH(X)                                                                               \
    KERNELS_CONTACT(X)                                                                             \
    KERNELS_QUERY(X)

#define KERNEL(name, job) struct job;
#include "families/families.def"

struct kernels {
#define X(type, name, arguments) type(*name) arguments;
    KERNELS(X)
#undef X
#define KERNEL(name, job) void (*name)(const struct job *);
#include "families/families.def"
};

/* The kernels of an instruction set that piola_isa_available() said yes to; AUTO is the widest. */
const struct kernels *kernels_for(piola_isa isa);
/* AUTO becomes what it stands for here; others stay. */
piola_isa isa_resolve(piola_isa isa);

#endif
