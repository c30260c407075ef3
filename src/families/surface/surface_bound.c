/* surface_bound.c - the most that contact between surfaces can take of a step, from the world's
 * description alone. Each number follows from a budget that the code counts down; the tests count.
 */
#include "families/surface/surface.h"
#include "families/surface/surface_balance.h"

#include "base/refuse.h"

/* In a substep besides contact_searches: the first, and one for all ways in each of the two last
 * tries of surface_limit.c. */
#define SEARCHES 3u

piola_status piola_world_bound(const piola_world_desc *desc, piola_contact_work *bound,
                               piola_error *error)
{
    piola_world world;
    if (!bound)
        return refuse(error, PIOLA_ERROR_NULL, "bound");
    const piola_status status = layout_plan(desc, &world, error);
    if (status != PIOLA_OK)
        return status;
    *bound = (piola_contact_work){0};
    if (!surface_any(&world))
        return PIOLA_OK;
    const uint64_t substeps = world.desc.max_substeps, pairs = world.dim[DIM_pair_packs].capacity;
    bound->searches = 2 * substeps * (SEARCHES + desc->contact_searches);
    bound->tests = bound->searches * world.dim[DIM_face_packs].capacity * desc->contact_tests;
    bound->rounds = substeps * desc->contact_rounds;
    bound->proofs = bound->rounds * pairs;
    const uint64_t balances = world.dim[DIM_balance_ties].capacity > 0 ? BALANCE_PUSHES : 0;
    bound->pushes = substeps * (world.desc.max_iterations + balances) * pairs;
    return PIOLA_OK;
}
