/* example.c - a whole small family, for the tests and as a model for others: some bodies are
 * pulled, each by an acceleration of its own. It has state, a capacity, a stage, a kernel, a
 * command and a status. What it cost: docs/method/house.md.
 */
#include "families/example/example.h"

#include "base/refuse.h"
#include "families/example/kernels_example.h"
#include "world/commands.h"
#include "world/family.h"
#include "world/islands.h"

#include <string.h>

static struct example *of_body(const piola_world *world, const struct body *body)
{
    const uint32_t index = (uint32_t)(body - world_bodies(world)) + 1;
    for (uint64_t i = 0; i < world->dim[DIM_examples].used; ++i)
        if (world_examples(world)[i].body == index)
            return &world_examples(world)[i];
    return NULL;
}

static bool finite_vector(const float v[3])
{
    return v[0] - v[0] == 0 && v[1] - v[1] == 0 && v[2] - v[2] == 0;
}

static bool in_range(const float v[3])
{
    bool fits = true;
    for (int k = 0; k < 3; ++k)
        fits = fits && v[k] >= -1e9f && v[k] <= 1e9f;
    return fits;
}

/* ---- between steps ---- */

/* Used means up to the last one in use: what snapshots and hashes cover. */
static void recount(piola_world *world)
{
    uint64_t used = 0;
    for (uint64_t i = 0; i < world->dim[DIM_examples].capacity; ++i)
        used = world_examples(world)[i].body ? i + 1 : used;
    dimension_use(world, DIM_examples, used);
}

piola_status piola_body_add_example(piola_world *world, piola_body handle, const float pull[3],
                                    piola_error *error)
{
    const piola_status sound = world_check(world);
    if (sound != PIOLA_OK || !pull)
        return refuse(error, pull ? sound : PIOLA_ERROR_NULL, pull ? "world" : "pull");
    if (world->record.memory)
        return refuse(error, PIOLA_ERROR_RECORDING, "world");
    const struct body *body = body_find(world, handle);
    if (!body)
        return refuse(error, PIOLA_ERROR_STALE, "body");
    if (!finite_vector(pull))
        return refuse(error, PIOLA_ERROR_NOT_FINITE, "pull");
    if (!in_range(pull))
        return refuse(error, PIOLA_ERROR_RANGE, "pull");
    if (of_body(world, body))
        return refuse(error, PIOLA_ERROR_RANGE, "body");
    const uint64_t capacity = world->dim[DIM_examples].capacity;
    uint64_t slot = 0;
    while (slot < capacity && world_examples(world)[slot].body)
        ++slot;
    world->dim[DIM_examples].dropped += slot == capacity;
    if (slot == capacity)
        return refuse(error, PIOLA_ERROR_EXAMPLES_FULL, "piola_world_desc.max_examples");
    world_examples(world)[slot] = (struct example){handle.index, {pull[0], pull[1], pull[2]}};
    recount(world);
    return PIOLA_OK;
}

bool example_apply(piola_world *world, const piola_command *command)
{
    const struct body *body = body_find(world, command->as.body_acceleration.body);
    struct example *pulls = body ? of_body(world, body) : NULL;
    if (pulls)
        memcpy(pulls->pull, command->as.body_acceleration.acceleration, sizeof pulls->pull);
    return pulls != NULL;
}

/* What pulls a body ends with it. */
static void set(piola_world *world, uint32_t body, const piola_body_desc *desc)
{
    struct example *pulls = desc ? NULL : of_body(world, &world_bodies(world)[body]);
    if (!pulls)
        return;
    *pulls = (struct example){0};
    recount(world);
}

/* Each pulls a body that lives, and no two the same. */
bool examples_valid(const struct stored *stored, enum field field)
{
    uint32_t *pulled = world_example_of(stored->world); /* scratch */
    (void)field;
    memset(pulled, 0, stored->world->dim[DIM_example_of].capacity * sizeof *pulled);
    for (uint64_t i = 0; i < stored->dim[DIM_examples].used; ++i) {
        const struct example e = stored_examples(stored, i);
        if (e.body == 0 && e.pull[0] == 0 && e.pull[1] == 0 && e.pull[2] == 0)
            continue;
        if (e.body == 0 || e.body > stored->world->desc.max_bodies || pulled[e.body - 1] ||
            !(stored_bodies(stored, e.body - 1).flags & BODY_ALIVE) || !in_range(e.pull))
            return false;
        pulled[e.body - 1] = 1;
    }
    return true;
}

/* ---- in a step ---- */

static bool acts(const piola_world *world)
{
    return world->dim[DIM_examples].used > 0;
}

static void before(piola_world *world)
{
    uint32_t *slot = world_example_of(world);
    memset(slot, 0, world->dim[DIM_example_of].capacity * sizeof *slot);
    for (uint32_t i = 0; i < world->dim[DIM_examples].used; ++i)
        if (world_examples(world)[i].body)
            slot[world_examples(world)[i].body - 1] = i + 1;
}

void each_example_pull(const struct step *step, uint32_t argument, uint32_t chunk)
{
    const piola_world *w = step->world;
    const struct piece p = piece_of(step, chunk);
    const uint32_t slot = world_example_of(w)[p.index];
    (void)argument;
    if (!p.moves || slot == 0)
        return;
    const float *pull = world_examples(w)[slot - 1].pull;
    const struct pk_example_job job = {
        .x = world_position(w) + p.first,
        .v = world_velocity(w) + p.first,
        .change = {step->dt * pull[0], step->dt * pull[1], step->dt * pull[2]},
        .count = p.count,
    };
    step->kernels->example_pull(&job);
}

/* Who is pulled is tied to the next that is. */
static void link(const piola_world *world, struct islands all)
{
    uint32_t last = 0;
    for (uint64_t i = 0; i < world->dim[DIM_examples].used; ++i) {
        const uint32_t body = world_examples(world)[i].body;
        if (body && last)
            islands_join(all, body - 1, last - 1);
        last = body ? body : last;
    }
}

static void pull(struct step *step)
{
    run_stage(step, STAGE_EXAMPLE_PULL, 0);
}

const struct family family_example = {
    .name = "example",
    .acts = acts,
    .at = {[FORCES] = pull},
    .link = link,
    .before = before,
    .recount = recount,
    .set = set,
};
