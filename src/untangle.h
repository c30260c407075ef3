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

#include "phases.h"

/* In some of a body's flags: at how many looks it was being led back, and one; 0 when it is not. */
#define UNTANGLE_SHIFT 8
#define UNTANGLE_LAST  12u
#define UNTANGLE_FLAGS (15u << UNTANGLE_SHIFT)

static inline uint32_t untangle_wish(piola_untangle wish)
{
    return wish == PIOLA_UNTANGLE_NONE  ? BODY_TANGLES
           : wish == PIOLA_UNTANGLE_ALL ? BODY_UNFOLDS
                                        : 0;
}

static inline uint32_t untangle_stage(const struct body *body)
{
    return (body->flags & UNTANGLE_FLAGS) >> UNTANGLE_SHIFT;
}

/* True while the body's elements rest. */
static inline bool untangles(const struct body *body)
{
    return untangle_stage(body) > 0;
}

/* Where the particles of such a body go in this substep. */
void untangle_pull(const struct step *step, const struct body *body);

/* Something acts on the body from outside: what was seen of it no longer tells how it will rest. */
void untangle_disturb(const piola_world *world, struct body *body);

/* After a body's step: whether it is tangled, or, untangled, is back. Touches nothing of others. */
void untangle_look(const struct step *step, uint32_t index);
/* After a step: the same of all bodies that are not done whole, by whose worker they were seen. */
void untangle_watch(const struct step *step);

#endif
