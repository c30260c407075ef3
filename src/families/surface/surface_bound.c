/* surface_bound.c - the most that contact between surfaces can take of a step, from the world's
 * description alone. Each number follows from a budget that the code counts down; the tests count.
 */
#include "families/surface/surface.h"
#include "families/surface/surface_balance.h"

#include "base/refuse.h"
#include "families/collide/collide_faces.h"

/* In a substep besides contact_searches: the first, and one for all ways in each of the two last
 * tries of surface_limit.c. */
#define SEARCHES 3u

/* Edges and faces at colliders: sought once, then in the rounds of both limits. */
static void bound_faces(const piola_world *world, piola_contact_work *bound)
{
    const uint64_t substeps = world->desc.max_substeps;
    const uint64_t ways = 1 + FACES_ROUNDS + SURFACE_OUTSIDE_CHECKS;
    const uint64_t packs = world->dim[DIM_face_packs].capacity,
                   room = world->dim[DIM_face_contacts].capacity;
    if (room == 0)
        return;
    bound->face_pushes = substeps * world->desc.max_iterations * room;
    bound->face_looks = surface_any(world)
                            ? substeps * ways * packs * world->desc.contact_tests * FACES_LOOKS
                            : UINT64_MAX;
}

piola_status piola_world_bound(const piola_world_desc *desc, piola_contact_work *bound,
                               piola_error *error)
{
    piola_world world;
    if (!bound)
        return refuse(error, PIOLA_ERROR_NULL, "bound");
    const piola_status status = layout_plan(desc, &world, error);
    if (status != PIOLA_OK)
        return status;
    const uint64_t substeps = world.desc.max_substeps, pairs = world.dim[DIM_pair_packs].capacity;
    *bound = (piola_contact_work){0};
    bound_faces(&world, bound);
    if (!surface_any(&world))
        return PIOLA_OK;
    bound->searches = 2 * substeps * (SEARCHES + desc->contact_searches);
    bound->tests = bound->searches * world.dim[DIM_face_packs].capacity * desc->contact_tests;
    bound->rounds = substeps * desc->contact_rounds;
    bound->proofs = bound->rounds * pairs;
    const uint64_t balances = world.dim[DIM_balance_ties].capacity > 0 ? BALANCE_PUSHES : 0;
    bound->pushes = substeps * (world.desc.max_iterations + balances) * pairs;
    return PIOLA_OK;
}
