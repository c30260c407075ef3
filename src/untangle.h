/* untangle.h - free bodies that came to rest in a tangle are brought back to their rest shape.
 *
 * Elastic energies of meshes have minima that no material has: a vertex star wound twice around an
 * edge is one, and no local solver leaves it. A solid that nothing touches, holds or deforms for
 * good, and that has come to rest, can only rest in its rest shape; one that is found elsewhere is
 * tangled. For a while its elements then rest and all particles approach their places in the rest
 * shape, placed as the body lies. What must not live here: what elements do.
 */
#ifndef PIOLA_UNTANGLE_H
#define PIOLA_UNTANGLE_H

#include "phases.h"

/* How far a body is, in some of its flags: 0: nothing seen; below UNTANGLE_SURE: so many times in a
 * row it lay still elsewhere than it should; from there on it is being untangled. */
#define UNTANGLE_SHIFT 8
#define UNTANGLE_SURE  3u
#define UNTANGLE_LAST  15u
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
    return untangle_stage(body) >= UNTANGLE_SURE;
}

/* Where the particles of such a body go in this substep. */
void untangle_pull(const struct step *step, const struct body *body);

/* After a step: looks for tangled bodies, and whether those that are untangled are back. */
void untangle_watch(const struct step *step);

#endif
