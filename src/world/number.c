/* number.c - one number of all that two worlds must have in common.
 *
 * Found once, when a world is made: nothing of it changes after that.
 */
#include "base/hash.h"
#include "world/world.h"

#include <string.h>

#define WORLD_NUMBER_SEED 1u

/* What two worlds must have in common for a snapshot of one to mean the same in the other. */
uint64_t world_number(const piola_world *world)
{
    const piola_world_desc *d = &world->desc;
    const uint32_t settings[] = {d->max_packs,
                                 world->described.substeps,
                                 world->described.iterations,
                                 d->max_substeps,
                                 d->max_iterations,
                                 (uint32_t)d->solver,
                                 (uint32_t)d->integrator,
                                 d->keep_momentum,
                                 d->guard_energy,
                                 d->couplings,
                                 d->max_link_packs,
                                 d->max_colliders,
                                 d->max_rigids,
                                 d->max_joints,
                                 d->max_tools,
                                 d->max_tool_holds,
                                 d->max_contacts,
                                 d->max_contact_faces,
                                 d->coarse_level,
                                 d->contact_searches,
                                 d->contact_rounds,
                                 d->contact_tests,
                                 d->sleep};
    const float values[] = {d->contact_thickness, d->contact_friction, world->described.dt,
                            d->relaxation,        d->chebyshev,        d->air_density,
                            d->catch_up_speed,    d->sleep_speed,      d->sleep_time};
    uint64_t number = hash_bytes(settings, sizeof settings, WORLD_NUMBER_SEED);
    number = hash_join(number, hash_bytes(values, sizeof values, 0));
    for (int i = 0; i < FIELD_COUNT; ++i) {
        const struct field_info *info = &world_fields[i];
        const uint64_t size[] = {info->element, world->dim[info->dimension].capacity};
        if (field_kept(i))
            number = hash_join(number, hash_bytes(info->name, strlen(info->name),
                                                  hash_bytes(size, sizeof size, 0)));
    }
    return number;
}
