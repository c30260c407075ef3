/* wind_grid.c - the grid of winds: checked, kept, carried. How it is sampled: ispc/air/wind.ispc.
 */
#include "base/cookies.h"
#include "base/ranges.h"
#include "base/refuse.h"
#include "families/air/wind.h"
#include "world/commands.h"
#include "world/record.h"
#include "world/rest.h"

#define COUNT_MOST    65536u /* a coordinate in cells is then good to 1/128 of a cell at least */
#define SPACING_LEAST 1e-6f
#define SPACING_MOST  1e6f
#define SPEED_MOST    1e4f
#define FAR           1e9f /* as any command's value */

piola_wind_grid_desc piola_wind_grid_desc_default(void)
{
    return (piola_wind_grid_desc){
        .cookie_ = COOKIE_WIND_GRID,
        .spacing = {1, 1, 1},
        .strength = 1,
    };
}

static piola_status check_axis(const piola_wind_grid_desc *desc, uint32_t k, piola_error *error)
{
    if (desc->count[k] < 1 || desc->count[k] > COUNT_MOST)
        return refuse_item(error, PIOLA_ERROR_RANGE, "piola_wind_grid_desc.count", k);
    piola_status status = range_check(&desc->spacing[k], 1, SPACING_LEAST, SPACING_MOST);
    if (status != PIOLA_OK)
        return refuse_item(error, status, "piola_wind_grid_desc.spacing", k);
    status = range_check(&desc->origin[k], 1, -FAR, FAR);
    if (status != PIOLA_OK)
        return refuse_item(error, status, "piola_wind_grid_desc.origin", k);
    return PIOLA_OK;
}

static uint64_t nodes_of(const uint32_t count[3])
{
    return (uint64_t)count[0] * count[1] * count[2];
}

static piola_status check(const piola_world *world, const piola_wind_grid_desc *desc,
                          piola_error *error)
{
    if (desc->cookie_ != COOKIE_WIND_GRID)
        return refuse(error, PIOLA_ERROR_COOKIE, "piola_wind_grid_desc");
    if (!desc->nodes)
        return refuse(error, PIOLA_ERROR_NULL, "piola_wind_grid_desc.nodes");
    for (uint32_t k = 0; k < 3; ++k) {
        const piola_status status = check_axis(desc, k, error);
        if (status != PIOLA_OK)
            return status;
    }
    piola_status status = range_check(&desc->strength, 1, -FAR, FAR);
    if (status != PIOLA_OK)
        return refuse(error, status, "piola_wind_grid_desc.strength");
    if (world->dim[DIM_air].capacity == 0)
        return refuse(error, PIOLA_ERROR_RANGE, "piola_world_desc.air_density");
    const uint64_t nodes = nodes_of(desc->count);
    if (nodes > world->dim[DIM_wind_nodes].capacity)
        return refuse(error, PIOLA_ERROR_WIND_FULL, "piola_world_desc.max_wind_nodes");
    for (uint64_t i = 0; i < 3 * nodes; ++i) {
        status = range_check(&desc->nodes[i], 1, -SPEED_MOST, SPEED_MOST);
        if (status != PIOLA_OK)
            return refuse_item(error, status, "piola_wind_grid_desc.nodes", i / 3);
    }
    return PIOLA_OK;
}

/* What is not in use is zero, as in every array of the state. */
static void use_nodes(piola_world *world, uint64_t used)
{
    const uint64_t before = world->dim[DIM_wind_nodes].used;
    if (before > used)
        memset(world_wind_nodes(world) + used, 0, (size_t)(before - used) * sizeof(struct pk_quad));
    dimension_use(world, DIM_wind_nodes, used);
}

piola_status piola_world_set_wind_grid(piola_world *world, const piola_wind_grid_desc *desc,
                                       piola_error *error)
{
    piola_status status = world_check(world);
    if (status != PIOLA_OK || !desc)
        return refuse(error, desc ? status : PIOLA_ERROR_NULL,
                      desc ? "world" : "piola_wind_grid_desc");
    status = check(world, desc, error);
    world->dim[DIM_wind_nodes].dropped += status == PIOLA_ERROR_WIND_FULL;
    if (status != PIOLA_OK)
        return status;
    struct wind_grid *grid = world_wind_grid(world);
    struct pk_quad *to = world_wind_nodes(world);
    const uint64_t nodes = nodes_of(desc->count);
    for (int k = 0; k < 3; ++k) {
        grid->origin[k] = desc->origin[k];
        grid->spacing[k] = desc->spacing[k];
        grid->count[k] = desc->count[k];
    }
    grid->strength = desc->strength;
    for (uint64_t i = 0; i < nodes; ++i) {
        const float *from = desc->nodes + 3 * i;
        to[i] = (struct pk_quad){from[0], from[1], from[2], 0};
    }
    dimension_use(world, DIM_wind_grids, 1);
    use_nodes(world, nodes);
    world_wake_airborne(world);
    piola_wind_grid_desc plain = *desc;
    const struct record_call call = {.kind = RECORDED_WIND_GRID,
                                     .list_bytes = 3 * nodes * sizeof *desc->nodes};
    plain.nodes = NULL;
    record_call(world, &call, &plain, desc->nodes);
    return PIOLA_OK;
}

piola_status piola_world_drop_wind_grid(piola_world *world)
{
    const piola_status status = world_check(world);
    if (status != PIOLA_OK)
        return status;
    if (world->dim[DIM_wind_grids].used == 0)
        return PIOLA_OK;
    world_wake_airborne(world);
    record_named(world, RECORDED_WIND_GRID_DROP, 0, 0);
    memset(world_wind_grid(world), 0, sizeof(struct wind_grid));
    dimension_use(world, DIM_wind_grids, 0);
    use_nodes(world, 0);
    return PIOLA_OK;
}

bool wind_grid_apply(piola_world *world, const piola_command *command)
{
    if (world->dim[DIM_wind_grids].used == 0)
        return false;
    struct wind_grid *grid = world_wind_grid(world);
    world_wake_airborne(world);
    if (command->kind == PIOLA_COMMAND_WORLD_WIND_STRENGTH)
        grid->strength = command->as.wind_strength.factor;
    else
        memcpy(grid->origin, command->as.wind_origin.position, sizeof grid->origin);
    return true;
}

bool wind_grid_valid(const struct stored *stored, enum field field)
{
    const uint64_t nodes = stored->dim[DIM_wind_nodes].used;
    (void)field;
    if (stored->dim[DIM_wind_grids].used == 0)
        return nodes == 0;
    const struct wind_grid g = stored_wind_grid(stored, 0);
    bool sane = range_check(&g.strength, 1, -FAR, FAR) == PIOLA_OK;
    for (int k = 0; k < 3; ++k)
        sane = sane && g.count[k] >= 1 && g.count[k] <= COUNT_MOST &&
               range_check(&g.spacing[k], 1, SPACING_LEAST, SPACING_MOST) == PIOLA_OK &&
               range_check(&g.origin[k], 1, -FAR, FAR) == PIOLA_OK;
    return sane && nodes_of(g.count) == nodes;
}

bool wind_nodes_valid(const struct stored *stored, enum field field)
{
    bool sane = true;
    (void)field;
    for (uint64_t i = 0; sane && i < stored->dim[DIM_wind_nodes].used; ++i) {
        const struct pk_quad node = stored_wind_nodes(stored, i);
        sane = range_check(&node.x, 1, -SPEED_MOST, SPEED_MOST) == PIOLA_OK &&
               range_check(&node.y, 1, -SPEED_MOST, SPEED_MOST) == PIOLA_OK &&
               range_check(&node.z, 1, -SPEED_MOST, SPEED_MOST) == PIOLA_OK && node.w == 0;
    }
    return sane;
}

const struct pk_wind_grid *wind_grid_around(const piola_world *world, struct pk_wind_grid *grid)
{
    if (world->dim[DIM_wind_grids].used == 0)
        return NULL;
    const struct wind_grid *from = world_wind_grid(world);
    const uint32_t stride[3] = {1, from->count[0], from->count[0] * from->count[1]};
    for (int k = 0; k < 3; ++k) {
        const uint32_t cells = from->count[k] - 1;
        grid->origin[k] = from->origin[k];
        grid->per_metre[k] = 1 / from->spacing[k];
        grid->end[k] = (float)cells;
        grid->last[k] = cells > 0 ? cells - 1 : 0;
        grid->next[k] = cells > 0 ? stride[k] : 0;
    }
    grid->strength = from->strength;
    return grid;
}
