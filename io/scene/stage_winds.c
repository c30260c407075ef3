/* stage_winds.c - winds: what the air of a world is told, the same everywhere or from place to
 * place.
 *
 * Like all inputs of a step, it depends on the step's number alone.
 */
#include "io/scene/stage.h"

#include <math.h>
#include <string.h>

static const struct scene_field *field_at(const struct stage *stage, uint32_t index)
{
    return (const struct scene_field *)stage->scene->fields.items + index;
}

bool stage_winds_make(struct stage *stage, struct problem *problem)
{
    uint32_t winds = 0, grids = 0;
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i) {
        const struct field_wind_grid *grid = field_at(stage, i)->wind_grid;
        winds += field_at(stage, i)->wind != NULL;
        grids += grid != NULL;
        if (grid)
            stage->desc.max_wind_nodes = grid->count[0] * grid->count[1] * grid->count[2];
    }
    if (winds > 1 || grids > 1)
        return problem_set(problem, EXIT_SCENE, "%s: fields: there are %u %ss; there can be one",
                           stage->path, winds > 1 ? winds : grids,
                           winds > 1 ? "wind" : "wind_grid");
    if (winds + grids > 0 && !(stage->scene->world->air_density > 0))
        return problem_set(problem, EXIT_SCENE,
                           "%s: a wind needs world.air_density (1.2 kg/m^3 at sea level)",
                           stage->path);
    return true;
}

/* ---- a grid's nodes ---- */

static double inner(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A vortex with a core: as a turning body inside, gone beyond some three radii; fastest at one. */
static void add_whirl(const struct wind_whirl *whirl, const double place[3], double velocity[3])
{
    const double length = sqrt(inner(whirl->axis, whirl->axis));
    double away[3], axis[3];
    for (int k = 0; k < 3; ++k) {
        axis[k] = whirl->axis[k] / length;
        away[k] = place[k] - whirl->centre[k];
    }
    const double along = inner(away, axis);
    for (int k = 0; k < 3; ++k)
        away[k] = (away[k] - along * axis[k]) / whirl->radius;
    const double speed = whirl->speed * exp(0.5 * (1 - inner(away, away)));
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        velocity[k] += speed * (axis[i] * away[j] - axis[j] * away[i]);
    }
}

static void add_front(const struct wind_front *front, const double place[3], double velocity[3])
{
    double behind[3];
    for (int k = 0; k < 3; ++k)
        behind[k] = front->at[k] - place[k];
    const double speed = sqrt(inner(front->velocity, front->velocity));
    const double way = inner(behind, front->velocity) / (speed * front->width);
    const double s = way < 0 ? 0 : way > 1 ? 1 : way;
    for (int k = 0; k < 3; ++k)
        velocity[k] += s * s * (3 - 2 * s) * front->velocity[k];
}

static void fill(const struct field_wind_grid *grid, float *nodes)
{
    const float *given = grid->nodes.count > 0 ? grid->nodes.items : NULL;
    uint32_t at[3];
    size_t node = 0;
    for (at[2] = 0; at[2] < grid->count[2]; ++at[2])
        for (at[1] = 0; at[1] < grid->count[1]; ++at[1])
            for (at[0] = 0; at[0] < grid->count[0]; ++at[0], ++node) {
                double place[3], velocity[3];
                for (size_t k = 0; k < 3; ++k) {
                    place[k] = grid->origin[k] + at[k] * grid->spacing[k];
                    velocity[k] = given ? (double)given[3 * node + k] : 0;
                }
                for (uint32_t i = 0; i < grid->whirls.count; ++i)
                    add_whirl((const struct wind_whirl *)grid->whirls.items + i, place, velocity);
                for (uint32_t i = 0; i < grid->fronts.count; ++i)
                    add_front((const struct wind_front *)grid->fronts.items + i, place, velocity);
                for (size_t k = 0; k < 3; ++k)
                    nodes[3 * node + k] = (float)velocity[k];
            }
}

static bool set(struct stage *stage, const struct field_wind_grid *grid, uint32_t index,
                struct problem *problem)
{
    piola_wind_grid_desc desc = piola_wind_grid_desc_default();
    struct pool pool = {0};
    char what[40];
    snprintf(what, sizeof what, "fields[%u].wind_grid", index);
    float *nodes = pool_take(&pool, stage->desc.max_wind_nodes, 3 * sizeof *nodes, what, problem);
    if (!nodes)
        return false;
    fill(grid, nodes);
    for (int k = 0; k < 3; ++k) {
        desc.origin[k] = (float)grid->origin[k];
        desc.spacing[k] = (float)grid->spacing[k];
        desc.count[k] = grid->count[k];
    }
    desc.nodes = nodes;
    piola_error error = {0};
    const piola_status status = piola_world_set_wind_grid(stage->world, &desc, &error);
    pool_free(&pool);
    return status == PIOLA_OK || problem_engine(problem, EXIT_SCENE, what, status, &error);
}

bool stage_winds_create(struct stage *stage, struct problem *problem)
{
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i) {
        const struct field_wind_grid *grid = field_at(stage, i)->wind_grid;
        if (grid && !set(stage, grid, i, problem))
            return false;
    }
    return true;
}

/* ---- steps ---- */

/* What of the time counts where all begins again. */
static double folded(double time, double repeat)
{
    return repeat > 0 ? time - repeat * floor(time / repeat) : time;
}

static void wind_at(const struct field_wind *wind, double time, float velocity[3])
{
    const struct wind_frame *frame = wind->frames.items;
    const uint32_t count = wind->frames.count;
    uint32_t after = 0;
    while (after < count && frame[after].time <= time)
        ++after;
    for (int k = 0; k < 3; ++k) {
        velocity[k] = (float)wind->velocity[k];
        if (count == 0)
            continue;
        const struct wind_frame *a = &frame[after > 0 ? after - 1 : 0];
        const struct wind_frame *b = &frame[after < count ? after : count - 1];
        const double share = a == b ? 0 : (time - a->time) / (b->time - a->time);
        velocity[k] = (float)(a->velocity[k] + share * (b->velocity[k] - a->velocity[k]));
    }
}

static double strength_at(const struct field_wind_grid *grid, double time)
{
    const struct wind_strength *frame = grid->frames.items;
    const uint32_t count = grid->frames.count;
    uint32_t after = 0;
    while (after < count && frame[after].time <= time)
        ++after;
    const struct wind_strength *a = &frame[after > 0 ? after - 1 : 0];
    const struct wind_strength *b = &frame[after < count ? after : count - 1];
    const double share = a == b ? 0 : (time - a->time) / (b->time - a->time);
    return a->strength + share * (b->strength - a->strength);
}

static bool good(piola_status status, struct problem *problem)
{
    return status == PIOLA_OK || problem_engine(problem, EXIT_RUNTIME, "a wind", status, NULL);
}

static bool push_wind(const struct field_wind *wind, piola_world *world, uint64_t step, double time,
                      struct problem *problem)
{
    float velocity[3];
    if (step > 1 && wind->frames.count == 0)
        return true;
    wind_at(wind, folded(time, wind->repeat), velocity);
    return good(piola_world_set_wind(world, velocity), problem);
}

static bool push_grid(const struct field_wind_grid *grid, piola_world *world, double time,
                      struct problem *problem)
{
    float origin[3];
    const double now = folded(time, grid->repeat);
    for (int k = 0; k < 3; ++k)
        origin[k] = (float)(grid->origin[k] + now * grid->drift[k]);
    if (inner(grid->drift, grid->drift) > 0 &&
        !good(piola_world_set_wind_origin(world, origin), problem))
        return false;
    if (grid->frames.count == 0)
        return true;
    return good(piola_world_set_wind_strength(world, (float)strength_at(grid, now)), problem);
}

bool stage_winds_push(const struct stage *stage, piola_world *world, uint64_t step, double time,
                      struct problem *problem)
{
    for (uint32_t i = 0; i < stage->scene->fields.count; ++i) {
        const struct scene_field *field = field_at(stage, i);
        if (field->wind && !push_wind(field->wind, world, step, time, problem))
            return false;
        if (field->wind_grid && !push_grid(field->wind_grid, world, time, problem))
            return false;
    }
    return true;
}
