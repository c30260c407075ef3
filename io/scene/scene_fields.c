/* scene_fields.c - the keys of a scene's fields. */
#include "io/scene/scene_fields.h"

#include "io/scene/key_rows.h"
#include "io/scene/scene.h"

#include <math.h>

/* ---- pressure ---- */

static const char *const pressure_kinds[] = {"gauge", "gas", "volume"};
_Static_assert(COUNT(pressure_kinds) + 1 == PIOLA_PRESSURE_COUNT, "one name a kind");

static const struct key pressure_frame_keys[] = {
    {KEY(pressure_frame, time, KEY_DOUBLE, "s"), RANGE(0, 1e9), .required = true},
    {KEY(pressure_frame, value, KEY_DOUBLE, "Pa; of a volume its share of that at rest"),
     RANGE(-1e9, 1e9), .required = true},
};

static const struct table pressure_frame_table = {
    TABLE("a pressure at a time", pressure_frame, pressure_frame_keys,
          "What is held at a time; straight lines lie between."),
};

static const struct key pressure_keys[] = {
    {KEY(scene_pressure, kind, KEY_CHOICE,
         "gauge: a pressure whatever the volume; gas: an amount of it; volume: a liquid"),
     CHOICES(pressure_kinds), .required = true},
    {KEY(scene_pressure, pressure, KEY_FLOAT,
         "of gauge above the surroundings; of gas absolute, at the rest volume times scale, Pa"),
     RANGE(-1e9, 1e9)},
    {KEY(scene_pressure, ambient, KEY_FLOAT, "of the surroundings of gas, Pa"), RANGE(0, 1e9)},
    {KEY(scene_pressure, scale, KEY_FLOAT, "volume held over that at rest"), ABOVE(0, 1e6)},
    {KEY(scene_pressure, compliance, KEY_FLOAT, "how a volume gives way, m^3/Pa"), RANGE(0, 1e9)},
    {KEY(scene_pressure, frames, KEY_LIST, "how it changes, in order of time"),
     .table = &pressure_frame_table, .length = 100000},
};

static void pressure_defaults(void *item)
{
    struct scene_pressure *pressure = item;
    const piola_body_desc desc = piola_body_desc_default();
    pressure->pressure = desc.ambient_pressure;
    pressure->ambient = desc.ambient_pressure;
    pressure->scale = 1;
}

static bool pressure_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct scene_pressure *pressure = item;
    const struct pressure_frame *frames = pressure->frames.items;
    for (uint32_t i = 1; i < pressure->frames.count; ++i)
        if (frames[i].time <= frames[i - 1].time)
            return trail_problem(trail, problem, "frames[%u].time is not after the frame before",
                                 i);
    const bool given = keys_given(&scene_pressure_table, item, "pressure");
    if (pressure->kind + 1 != PIOLA_PRESSURE_VOLUME && !given && pressure->frames.count == 0)
        return trail_problem(trail, problem, "%s needs a \"pressure\" or \"frames\"",
                             pressure_kinds[pressure->kind]);
    return true;
}

const struct table scene_pressure_table = {
    TABLE("pressure", scene_pressure, pressure_keys, "What a closed skin of cloth holds."),
    .defaults = pressure_defaults,
    .check = pressure_check,
};

/* ---- fields ---- */

static const struct key wind_frame_keys[] = {
    {KEY(wind_frame, time, KEY_DOUBLE, "s"), RANGE(0, 1e9), .required = true},
    {KEY(wind_frame, velocity, KEY_DOUBLES, "m/s"), VECTOR(3), .required = true},
};

static const struct table wind_frame_table = {
    TABLE("a wind at a time", wind_frame, wind_frame_keys,
          "How the wind blows at a time; straight lines lie between."),
};

static const struct key wind_keys[] = {
    {KEY(field_wind, velocity, KEY_DOUBLES, "steady, m/s"), VECTOR(3)},
    {KEY(field_wind, frames, KEY_LIST, "instead: in order of time"), .table = &wind_frame_table,
     .length = 100000},
    {KEY(field_wind, repeat, KEY_DOUBLE, "the frames begin again after this time, s"),
     ABOVE(0, 1e9)},
};

static bool wind_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct field_wind *wind = item;
    const struct wind_frame *frames = wind->frames.items;
    for (uint32_t i = 1; i < wind->frames.count; ++i)
        if (frames[i].time <= frames[i - 1].time)
            return trail_problem(trail, problem, "frames[%u].time is not after the frame before",
                                 i);
    if (wind->repeat > 0 && wind->frames.count == 0)
        return trail_problem(trail, problem, "\"repeat\" needs frames");
    return true;
}

static const struct table wind_table = {
    TABLE("wind", field_wind, wind_keys,
          "The air's velocity everywhere. Cloth with a drag feels it in a world with air_density."),
    .check = wind_check,
    .one_of = 2,
};

/* ---- wind that differs from place to place ---- */

static const struct key whirl_keys[] = {
    {KEY(wind_whirl, centre, KEY_DOUBLES, "a point of its axis, m"), VECTOR(3), .required = true},
    {KEY(wind_whirl, axis, KEY_DOUBLES,
         "its direction: seen from where it points to, the air goes round against the clock"),
     VECTOR(3)},
    {KEY(wind_whirl, radius, KEY_DOUBLE, "where it is fastest, m"), ABOVE(0, FAR),
     .required = true},
    {KEY(wind_whirl, speed, KEY_DOUBLE, "there, m/s; negative: the other way round"),
     RANGE(-5000, 5000), .required = true},
};

static void whirl_defaults(void *item)
{
    ((struct wind_whirl *)item)->axis[1] = 1;
}

/* Refuses a direction that has none. */
static bool check_direction(const double v[3], const char *name, const struct trail *trail,
                            struct problem *problem)
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 1e-12 ||
           trail_problem(trail, problem, "\"%s\" has no direction", name);
}

static bool whirl_check(const void *item, const struct trail *trail, struct problem *problem)
{
    return check_direction(((const struct wind_whirl *)item)->axis, "axis", trail, problem);
}

static const struct table whirl_table = {
    TABLE("a whirl", wind_whirl, whirl_keys, "Air that goes round an axis, and soon none."),
    .defaults = whirl_defaults,
    .check = whirl_check,
};

static const struct key front_keys[] = {
    {KEY(wind_front, at, KEY_DOUBLES, "a point of it, m"), VECTOR(3), .required = true},
    {KEY(wind_front, velocity, KEY_DOUBLES, "of the air behind it, across it, m/s"), .least = -5000,
     .most = 5000, .length = 3, .required = true},
    {KEY(wind_front, width, KEY_DOUBLE, "over which the wind rises, m"), ABOVE(0, FAR),
     .required = true},
};

static bool front_check(const void *item, const struct trail *trail, struct problem *problem)
{
    return check_direction(((const struct wind_front *)item)->velocity, "velocity", trail, problem);
}

static const struct table front_table = {
    TABLE("a gust front", wind_front, front_keys, "Behind it the air moves, before it stands."),
    .check = front_check,
};

static const struct key strength_keys[] = {
    {KEY(wind_strength, time, KEY_DOUBLE, "s"), RANGE(0, 1e9), .required = true},
    {KEY(wind_strength, strength, KEY_DOUBLE, "factor on the velocities"), RANGE(-1000, 1000),
     .required = true},
};

static const struct table strength_table = {
    TABLE("a strength at a time", wind_strength, strength_keys,
          "How strong the wind is at a time; straight lines lie between."),
};

static const struct key wind_grid_keys[] = {
    {KEY(field_wind_grid, origin, KEY_DOUBLES, "of the first node, m"), VECTOR(3),
     .required = true},
    {KEY(field_wind_grid, spacing, KEY_DOUBLES, "of the nodes along x, y and z, m"), .least = 1e-6,
     .most = FAR, .length = 3, .required = true},
    {KEY(field_wind_grid, count, KEY_COUNTS,
         "of the nodes along x, y and z; 1: the same all along that axis"),
     RANGE(1, 65536), .length = 3, .required = true},
    {KEY(field_wind_grid, nodes, KEY_REALS,
         "three numbers for each node, along x first, then y, then z, m/s"),
     RANGE(-5000, 5000)},
    {KEY(field_wind_grid, whirls, KEY_LIST, "add to the nodes"), .table = &whirl_table,
     .length = 10000},
    {KEY(field_wind_grid, fronts, KEY_LIST, "add to the nodes"), .table = &front_table,
     .length = 10000},
    {KEY(field_wind_grid, drift, KEY_DOUBLES, "at which the whole grid moves, m/s"), .least = -5000,
     .most = 5000, .length = 3},
    {KEY(field_wind_grid, frames, KEY_LIST, "how strong it is, in order of time"),
     .table = &strength_table, .length = 100000},
    {KEY(field_wind_grid, repeat, KEY_DOUBLE,
         "it drifts from its origin, and the frames begin, again after this time, s"),
     ABOVE(0, 1e9)},
};

static bool wind_grid_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct field_wind_grid *grid = item;
    const struct wind_strength *frames = grid->frames.items;
    const uint64_t nodes = (uint64_t)grid->count[0] * grid->count[1] * grid->count[2];
    for (uint32_t i = 1; i < grid->frames.count; ++i)
        if (frames[i].time <= frames[i - 1].time)
            return trail_problem(trail, problem, "frames[%u].time is not after the frame before",
                                 i);
    if (nodes > WIND_NODES_MAX)
        return trail_problem(trail, problem, "\"count\" makes %llu nodes, more than %u",
                             (unsigned long long)nodes, WIND_NODES_MAX);
    if (grid->nodes.count > 0 && grid->nodes.count != 3 * nodes)
        return trail_problem(trail, problem,
                             "\"nodes\" are three numbers for each of %llu, and there are %u",
                             (unsigned long long)nodes, grid->nodes.count);
    if (grid->nodes.count == 0 && grid->whirls.count == 0 && grid->fronts.count == 0)
        return trail_problem(trail, problem, "needs \"nodes\", \"whirls\" or \"fronts\"");
    return true;
}

static const struct table wind_grid_table = {
    TABLE("a grid of winds", field_wind_grid, wind_grid_keys,
          "Air that moves otherwise from place to place, besides the wind that is the same "
          "everywhere."),
    .check = wind_grid_check,
};

static const struct key force_keys[] = {
    {KEY(field_force, body, KEY_TEXT, "name of the body"), .required = true},
    {KEY(field_force, copy, KEY_COUNT, "which of its copies, from 0"), RANGE(0, 65534)},
    {KEY(field_force, vertices, KEY_NUMBERS, "that share the force, numbered from 0"),
     RANGE(0, 67108863)},
    {KEY(field_force, near, KEY_DOUBLES,
         "instead: the vertex nearest to this place in the mesh's own coordinates, m"),
     VECTOR(3)},
    {KEY(field_force, force, KEY_DOUBLES, "N"), .least = -1e12, .most = 1e12, .length = 3,
     .required = true},
    {KEY(field_force, from, KEY_DOUBLE, "when it begins, s"), RANGE(0, 1e9)},
    {KEY(field_force, until, KEY_DOUBLE, "when it ends, s; without it never"), RANGE(0, 1e9)},
    {KEY(field_force, ramp, KEY_DOUBLE, "over which it grows, s"), RANGE(0, 1e9)},
};

static void force_defaults(void *item)
{
    ((struct field_force *)item)->until = (double)INFINITY;
}

/* What ends before it begins never acts, which nobody means. */
static bool span_check(double from, double until, const struct trail *trail,
                       struct problem *problem)
{
    return until > from ||
           trail_problem(trail, problem, "\"until\" (%g s) is not after \"from\" (%g s)", until,
                         from);
}

static bool force_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct field_force *force = item;
    const bool vertices = keys_given(&field_force_table, item, "vertices");
    const bool near = keys_given(&field_force_table, item, "near");
    if (vertices == near)
        return trail_problem(trail, problem, "needs either \"vertices\" or \"near\"");
    if (vertices && force->vertices.count == 0)
        return trail_problem(trail, problem, "\"vertices\" is empty: name at least one");
    return span_check(force->from, force->until, trail, problem);
}

const struct table field_force_table = {
    TABLE("a force", field_force, force_keys, "A steady force on some vertices."),
    .defaults = force_defaults,
    .check = force_check,
};

static const struct key sphere_keys[] = {
    {KEY(field_sphere, centre, KEY_DOUBLES, "m, in the world"), VECTOR(3), .required = true},
    {KEY(field_sphere, radius, KEY_DOUBLE, "where it ends, m"), ABOVE(0, FAR), .required = true},
    {KEY(field_sphere, strength, KEY_DOUBLE,
         "acceleration away from the centre, m/s^2; falls to 0 at the radius, pulls when negative"),
     RANGE(-1e9, 1e9), .required = true},
    {KEY(field_sphere, from, KEY_DOUBLE, "when it begins, s"), RANGE(0, 1e9)},
    {KEY(field_sphere, until, KEY_DOUBLE, "when it ends, s; without it never"), RANGE(0, 1e9)},
};

static void sphere_defaults(void *item)
{
    ((struct field_sphere *)item)->until = (double)INFINITY;
}

static bool sphere_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct field_sphere *sphere = item;
    return span_check(sphere->from, sphere->until, trail, problem);
}

static const struct table field_sphere_table = {
    TABLE("a sphere force", field_sphere, sphere_keys,
          "Pushes what is inside a ball away from its middle, or pulls it there."),
    .defaults = sphere_defaults,
    .check = sphere_check,
};

static const struct key traction_keys[] = {
    {KEY(field_traction, body, KEY_TEXT, "name of the body"), .required = true},
    {KEY(field_traction, copy, KEY_COUNT, "which of its copies, from 0"), RANGE(0, 65534)},
    {KEY(field_traction, box, KEY_OBJECT, "the triangles of its surface that lie in a box"),
     .table = &scene_box_table, .required = true},
    {KEY(field_traction, traction, KEY_DOUBLES, "of the surface at rest, Pa"), .least = -1e12,
     .most = 1e12, .length = 3},
    {KEY(field_traction, pressure, KEY_DOUBLE, "inwards, on the surface as it is now, Pa"),
     RANGE(-1e12, 1e12)},
    {KEY(field_traction, from, KEY_DOUBLE, "when it begins, s"), RANGE(0, 1e9)},
    {KEY(field_traction, until, KEY_DOUBLE, "when it ends, s; without it never"), RANGE(0, 1e9)},
    {KEY(field_traction, ramp, KEY_DOUBLE, "over which it grows, s"), RANGE(0, 1e9)},
};

static void traction_defaults(void *item)
{
    ((struct field_traction *)item)->until = (double)INFINITY;
}

static bool traction_check(const void *item, const struct trail *trail, struct problem *problem)
{
    const struct field_traction *traction = item;
    if (!keys_given(&field_traction_table, item, "traction") &&
        !keys_given(&field_traction_table, item, "pressure"))
        return trail_problem(trail, problem, "needs a \"traction\" or a \"pressure\"");
    return span_check(traction->from, traction->until, trail, problem);
}

const struct table field_traction_table = {
    TABLE("a traction", field_traction, traction_keys,
          "A force per area on a part of a body's surface."),
    .defaults = traction_defaults,
    .check = traction_check,
};

static const struct key field_keys[] = {
    {KEY(scene_field, wind, KEY_OBJECT, "moving air"), .table = &wind_table},
    {KEY(scene_field, wind_grid, KEY_OBJECT, "air that moves otherwise from place to place"),
     .table = &wind_grid_table},
    {KEY(scene_field, force, KEY_OBJECT, "a force on vertices"), .table = &field_force_table},
    {KEY(scene_field, sphere, KEY_OBJECT, "a force about a point"), .table = &field_sphere_table},
    {KEY(scene_field, traction, KEY_OBJECT, "a force per area on a surface"),
     .table = &field_traction_table},
};

const struct table scene_field_table = {
    TABLE("a field", scene_field, field_keys, "What acts on bodies from outside."),
    .one_of = 5,
};
