/* pace.c - see pace.h. The pace is state once a command has changed it, and takes no room before.
 */
#include "world/pace.h"

#include "world/commands.h"
#include "world/pins.h"
#include "world/rest.h"

static struct pace described(const piola_world *world)
{
    return (struct pace){.dt = world->described.dt,
                         .substeps = world->described.substeps,
                         .iterations = world->described.iterations};
}

static void take(piola_world *world, const struct pace *pace)
{
    world->desc.dt = pace->dt;
    world->desc.substeps = pace->substeps;
    world->desc.iterations = pace->iterations;
}

void pace_recount(piola_world *world)
{
    const struct pace pace = world->dim[DIM_pace].used > 0 ? *world_pace(world) : described(world);
    take(world, &pace);
}

double pace_time(const piola_world *world)
{
    const uint64_t step = world_clock(world)->step;
    const struct pace *pace = world_pace(world);
    return world->dim[DIM_pace].used > 0
               ? pace->time + (double)(step - pace->since) * (double)pace->dt
               : (double)step * (double)world->desc.dt;
}

/* BDF2 goes on from two substeps of one length. */
static void forget_history(const piola_world *world)
{
    for (uint32_t i = 0; i < world->desc.max_bodies; ++i)
        if (world->desc.integrator == PIOLA_INTEGRATOR_BDF2)
            world_bodies(world)[i].history = 0;
}

static void change(piola_world *world, struct pace pace)
{
    const float before = world->desc.dt;
    const uint32_t substeps = world->desc.substeps;
    pace.time = pace_time(world);
    pace.since = world_clock(world)->step;
    *world_pace(world) = pace;
    dimension_use(world, DIM_pace, 1);
    take(world, &pace);
    if (before != pace.dt)
        pins_pace(world, before / pace.dt);
    if (before != pace.dt || substeps != pace.substeps)
        forget_history(world);
    world_wake(world);
    world->scheduled = false; /* who helps: a step takes longer or shorter now */
}

bool pace_apply_command(piola_world *world, const piola_command *command)
{
    struct pace pace = described(world);
    pace.dt = world->desc.dt;
    pace.substeps = world->desc.substeps;
    pace.iterations = world->desc.iterations;
    const struct pace before = pace;
    const uint32_t count = command->as.world_count.count;
    if (command->kind == PIOLA_COMMAND_WORLD_DT)
        pace.dt = command->as.world_dt.dt;
    else if (command->kind == PIOLA_COMMAND_WORLD_SUBSTEPS)
        pace.substeps = count;
    else
        pace.iterations = count;
    if (pace.substeps < 1 || pace.substeps > world->desc.max_substeps ||
        pace.iterations > world->desc.max_iterations)
        return false;
    if (!same_bytes(&before, &pace, sizeof pace))
        change(world, pace);
    return true;
}

bool pace_valid(const struct stored *stored, enum field field)
{
    const piola_world_desc *desc = &stored->world->desc;
    const uint64_t used = stored->dim[DIM_pace].used;
    (void)field;
    if (used == 0)
        return true;
    const struct pace p = stored_pace(stored, 0);
    return used == 1 && p.dt >= 1e-6f && p.dt <= 1 && p.substeps >= 1 &&
           p.substeps <= desc->max_substeps && p.iterations <= desc->max_iterations &&
           p.reserved == 0 && p.time >= 0 && p.time <= 1e300 &&
           p.since <= stored_clock(stored, 0).step;
}
