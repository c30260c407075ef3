/* untangle.h - free bodies that are caught in a tangle are brought back to their rest shape.
 *
 * Elastic energies of meshes have minima that no material has: a vertex star wound twice around an
 * edge is one, and no local solver leaves it. A solid that nothing touches, holds, pushes or
 * deforms for good can only rest in its rest shape; one that stays elsewhere, gets no nearer and
 * has elements strained as in a tangle (tangle.h), is tangled. For a while its elements then rest
 * and all particles approach their places in the rest shape, placed as the body lies. What must not
 * live here: what elements do.
 */
#ifndef PIOLA_UNTANGLE_H
#define PIOLA_UNTANGLE_H

#include "motion/phases.h"

/* What is remembered of a body that may be tangled (untangle.c); zero while nothing speaks for it.
 */
struct watch {
    uint32_t looks;      /* since it was nearest to its rest shape; 0: it is not watched */
    uint32_t still;      /* looks in a row at which it lay still and got no nearer */
    float nearest, last; /* sizes from the rest shape */
    uint32_t corner[4];  /* of a solid: particles of the element that is watched */
    uint32_t others;     /* 1: since it was nearest it was another element, too */
};

#define ARRAYS_OF "families/solids/solids.def"
#include "world/arrays.h"

static inline uint32_t untangle_wish(piola_untangle wish)
{
    return wish == PIOLA_UNTANGLE_NONE  ? BODY_TANGLES
           : wish == PIOLA_UNTANGLE_ALL ? BODY_UNFOLDS
                                        : 0;
}

#endif
