/* contact.c - the stages of surface contact: how many blocks each has, and where they are done. */
#include "contact.h"

#include "stages.h"

uint32_t contact_stage_count(const piola_world *world, uint32_t stage)
{
    switch (stage) {
    case CONTACT_REST:
    case CONTACT_STRAY:
    case CONTACT_GO:
    case CONTACT_BREAK:
    case CONTACT_CARRY:
    case CONTACT_OUTSIDE:
        return world->chunk_count;
    case CONTACT_TREES:
    case CONTACT_REACH:
    case CONTACT_PARTNERS:
    case CONTACT_BEFORE:
    case CONTACT_DRIFT:
    case CONTACT_AFTER:
        return world->large_count;
    case CONTACT_PUSH:
    case CONTACT_BOUND:
    case CONTACT_RECALL:
    case CONTACT_DRAW:
        return (world->pair_pack_end + CONTACT_RUN - 1) / CONTACT_RUN;
    case CONTACT_LAY:
        return (uint32_t)(world->dim[DIM_buckets].used);
    default:
        return world->block_count;
    }
}

void contact_stage(const struct step *step, uint32_t stage, uint32_t block)
{
    switch (stage) {
    case CONTACT_SEARCH:
        contact_search_block(step, block);
        break;
    case CONTACT_COPY:
        contact_copy_block(step->world, block);
        break;
    case CONTACT_PUSH:
    case CONTACT_LAY:
        contact_force_stage(step, stage, block);
        break;
    case CONTACT_STRAY:
    case CONTACT_LOSE:
    case CONTACT_BOUND:
    case CONTACT_GO:
    case CONTACT_BREAK:
        contact_limit_stage(step, stage, block);
        break;
    case CONTACT_RECALL:
    case CONTACT_DRAW:
        contact_grip_stage(step, stage, block);
        break;
    case CONTACT_BEFORE:
    case CONTACT_AFTER:
        contact_momentum_stage(step, stage, world_large(step->world)[block]);
        break;
    case CONTACT_REACH:
        contact_reach_stage(step->world, world_large(step->world)[block]);
        break;
    case CONTACT_CARRY:
        contact_carry_stage(step, &world_chunks(step->world)[block]);
        break;
    case CONTACT_OUTSIDE:
        contact_outside_stage(step, &world_chunks(step->world)[block]);
        break;
    case CONTACT_DRIFT:
        contact_drift_stage(step, world_large(step->world)[block]);
        break;
    default:
        contact_find_stage(step, stage, block);
    }
}

struct pk_contact contact_told(const struct step *step)
{
    const piola_world *w = step->world;
    const float thickness = w->desc.contact_thickness;
    return (struct pk_contact){.thickness = thickness,
                               .slack = 0.5f * thickness,
                               .stretch = 0.1f,
                               .friction = w->desc.contact_friction,
                               .mixed = w->dim[DIM_coats].used > 0,
                               .inertia = 2 / (step->dt * step->dt),
                               .start = world_start(w),
                               .base = contact_from(w),
                               .to = world_expected(w),
                               .x = world_position(w),
                               .strayed = NULL,
                               .star = world_star(w),
                               .room = world_star_room(w),
                               .astray = world_astray(w),
                               .share = world_share(w)};
}
