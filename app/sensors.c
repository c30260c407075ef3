/* sensors.c - see sensors.h. */
#include "sensors.h"

#include "sensor_look.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static bool info_of(const struct look *look, uint32_t body, piola_body_info *info)
{
    return piola_body_inspect(look->stage->world, look->stage->bodies[body].handle, info) ==
           PIOLA_OK;
}

static bool vertex_of(const struct look *look, bool velocity, double *values)
{
    const piola_body body = look->stage->bodies[look->sensor->first].handle;
    float xyz[3] = {0};
    const piola_status status =
        velocity ? piola_body_velocities(look->stage->world, body, look->sensor->vertex, 1, xyz)
                 : piola_body_positions(look->stage->world, body, look->sensor->vertex, 1, xyz);
    for (int k = 0; k < 3; ++k)
        values[k] = (double)xyz[k];
    return status == PIOLA_OK;
}

static bool position(const struct look *look, double *values)
{
    return vertex_of(look, false, values);
}

static bool velocity(const struct look *look, double *values)
{
    return vertex_of(look, true, values);
}

/* Of all its pins together. */
static bool reaction(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        const struct stage_body *body = &look->stage->bodies[b];
        const uint32_t count = body->asset->stats.vertices;
        if (piola_body_reactions(look->stage->world, body->handle, 0, count, look->xyz) != PIOLA_OK)
            return false;
        for (size_t i = 0; i < 3 * (size_t)count; ++i)
            values[i % 3] += (double)look->xyz[i];
    }
    return true;
}

static bool centre(const struct look *look, double *values)
{
    double mass = 0;
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        piola_body_info info;
        if (!info_of(look, b, &info))
            return false;
        mass += info.mass;
        for (int k = 0; k < 3; ++k)
            values[k] += info.mass * info.centre[k];
    }
    for (int k = 0; k < 3; ++k)
        values[k] /= mass;
    return true;
}

static bool momentum(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        piola_body_info info;
        if (!info_of(look, b, &info))
            return false;
        for (int k = 0; k < 3; ++k)
            values[k] += info.momentum[k];
    }
    return true;
}

static bool angular_momentum(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        piola_body_info info;
        if (!info_of(look, b, &info))
            return false;
        for (int k = 0; k < 3; ++k)
            values[k] += info.angular_momentum[k];
    }
    return true;
}

static bool mass(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        piola_body_info info;
        if (!info_of(look, b, &info))
            return false;
        values[0] += info.mass;
    }
    return true;
}

static bool kinetic_energy(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        piola_body_info info;
        if (!info_of(look, b, &info))
            return false;
        values[0] += info.kinetic_energy;
    }
    return true;
}

static bool elastic_energy(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        double energy;
        if (piola_body_elastic_energy(look->stage->world, look->stage->bodies[b].handle, &energy) !=
            PIOLA_OK)
            return false;
        values[0] += energy;
    }
    return true;
}

static bool potential_energy(const struct look *look, double *values)
{
    const float *gravity = look->stage->desc.gravity;
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        const piola_body_desc *desc = &look->stage->bodies[b].desc;
        piola_body_info info;
        if (!info_of(look, b, &info))
            return false;
        for (int k = 0; k < 3; ++k)
            values[0] -= info.mass * info.centre[k] *
                         (double)(desc->gravity_scale * gravity[k] + desc->acceleration[k]);
    }
    return true;
}

static bool facts_of(const struct look *look, struct shape_facts *sum)
{
    *sum = (struct shape_facts){0};
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        const struct stage_body *body = &look->stage->bodies[b];
        struct shape_facts facts;
        if (piola_body_positions(look->stage->world, body->handle, 0, body->asset->stats.vertices,
                                 look->xyz) != PIOLA_OK)
            return false;
        shape_measure(body->asset->mesh, look->xyz, &facts, NULL, NULL);
        sum->volume += facts.volume;
        sum->inverted += facts.inverted;
        sum->max_stretch = fmax(sum->max_stretch, facts.max_stretch);
    }
    return true;
}

/* The corner of the box around the bodies on this side, -1 or 1. */
static bool corner_of(const struct look *look, double side, double *values)
{
    for (int k = 0; k < 3; ++k)
        values[k] = -side * (double)INFINITY;
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        const struct stage_body *body = &look->stage->bodies[b];
        const uint32_t count = body->asset->stats.vertices;
        if (piola_body_positions(look->stage->world, body->handle, 0, count, look->xyz) != PIOLA_OK)
            return false;
        for (size_t i = 0; i < 3 * (size_t)count; ++i) {
            const double x = (double)look->xyz[i];
            values[i % 3] = side > 0 ? fmax(values[i % 3], x) : fmin(values[i % 3], x);
        }
    }
    return true;
}

static bool low(const struct look *look, double *values)
{
    return corner_of(look, -1, values);
}

static bool high(const struct look *look, double *values)
{
    return corner_of(look, 1, values);
}

static bool volume(const struct look *look, double *values)
{
    struct shape_facts facts;
    const bool good = facts_of(look, &facts);
    values[0] = facts.volume;
    return good;
}

static bool inverted(const struct look *look, double *values)
{
    struct shape_facts facts;
    const bool good = facts_of(look, &facts);
    values[0] = facts.inverted;
    return good;
}

static bool max_stretch(const struct look *look, double *values)
{
    struct shape_facts facts;
    const bool good = facts_of(look, &facts);
    values[0] = facts.max_stretch;
    return good;
}

/* The largest Frobenius norm of the plastic strains of packs. Shears are there twice. */
static double largest_strain(const struct pk_plastic *cells, const uint32_t *list, uint64_t packs)
{
    double most = 0;
    for (uint64_t p = 0; p < packs; ++p)
        for (uint32_t lane = 0; list[p] != UINT32_MAX && lane < PK_LANES; ++lane) {
            double square = 0;
            for (int k = 0; k < 6; ++k) {
                const double e = (double)cells[list[p]].e[k][lane];
                square += (k < 3 ? 1 : 2) * e * e;
            }
            most = fmax(most, square);
        }
    return sqrt(most);
}

static bool plastic_strain(const struct look *look, double *values)
{
    for (uint32_t b = look->sensor->first; b < look->sensor->last; ++b) {
        const struct body *body = body_find(look->stage->world, look->stage->bodies[b].handle);
        if (!body)
            return false;
        const struct pk_plastic *cells = world_plastic(look->stage->world) + body->plastic_first;
        const piola_asset *a = body_asset(look->stage->world, body);
        if (body->plastic_count == 0)
            continue;
        values[0] = fmax(values[0],
                         largest_strain(cells, asset_tet_pack_plastic(a), a->at.tet_packs.count));
        values[0] = fmax(values[0], largest_strain(cells, asset_triangle_pack_plastic(a),
                                                   a->at.triangle_packs.count));
        values[0] = fmax(values[0],
                         largest_strain(cells, asset_bend_pack_plastic(a), a->at.bend_packs.count));
    }
    return true;
}

static bool pressure(const struct look *look, double *values)
{
    piola_body_info info;
    const bool good = info_of(look, look->sensor->first, &info);
    values[0] = info.pressure;
    return good;
}

static bool residual(const struct look *look, double *values)
{
    values[0] = look->report->residual;
    return true;
}

static bool objective(const struct look *look, double *values)
{
    values[0] = look->report->objective;
    return true;
}

/* In the order of sensor_kind_names. */
static const struct kind {
    measure *take;
    unsigned columns;
} kinds[] = {
    {position, 3},
    {velocity, 3},
    {centre, 3},
    {momentum, 3},
    {angular_momentum, 3},
    {mass, 1},
    {kinetic_energy, 1},
    {potential_energy, 1},
    {elastic_energy, 1},
    {low, 3},
    {high, 3},
    {volume, 1},
    {inverted, 1},
    {max_stretch, 1},
    {plastic_strain, 1},
    {pressure, 1},
    {reaction, 3},
    {sensor_attachment_force, 3},
    {sensor_contact_force, 3},
    {sensor_touches, 1},
    {sensor_collider_position, 3},
    {sensor_collider_velocity, 3},
    {sensor_body_contact_force, 3},
    {sensor_vertex_contact_force, 3},
    {sensor_contacts, 1},
    {sensor_point, 3},
    {residual, 1},
    {objective, 1},
    {sensor_tool_force, 3},
    {sensor_tool_torque, 3},
    {sensor_tool_position, 3},
    {sensor_tool_held, 1},
    {sensor_tension, 1},
    {sensor_bending_moment, 1},
    {sensor_torque, 1},
    {sensor_joint_force, 3},
    {sensor_joint_torque, 3},
    {sensor_joint_position, 3},
    {sensor_joint_angles, 3},
    {sensor_joint_push, 3},
    {sensor_joint_turn, 3},
    {sensor_joint_gap, 1},
    {sensor_joint_holds, 1},
};

_Static_assert(sizeof kinds / sizeof kinds[0] == SENSOR_KIND_COUNT, "one row a kind");

/* ---- finding what is measured ---- */

static bool find(const struct stage *stage, struct sensor_state *sensor, struct problem *problem)
{
    const struct scene_sensor *scene = sensor->scene;
    sensor->last = stage->body_count;
    if (!scene->body)
        return true;
    const struct stage_body *body = stage_body_named(stage, scene->body, scene->copy);
    if (!body)
        return problem_set(problem, EXIT_SCENE,
                           "%s: the sensor \"%s\": the body \"%s\" has no copy %u", stage->path,
                           scene->name, scene->body, scene->copy);
    sensor->first = (uint32_t)(body - stage->bodies);
    sensor->last = sensor->first + 1;
    const struct meshgen *mesh = body->asset->mesh;
    if (sensor_scope(scene->kind) == SENSOR_OF_POINT)
        return sensor_point_find(mesh, scene->near, sensor) ||
               problem_set(problem, EXIT_SCENE,
                           "%s: the sensor \"%s\": (%g, %g, %g) is not in the mesh \"%s\"",
                           stage->path, scene->name, scene->near[0], scene->near[1], scene->near[2],
                           body->scene->mesh);
    if (sensor_scope(scene->kind) == SENSOR_OF_ROD && !mesh->rod)
        return problem_set(problem, EXIT_SCENE,
                           "%s: the sensor \"%s\": the body \"%s\" is not of rods", stage->path,
                           scene->name, scene->body);
    sensor->vertex = keys_given(&scene_sensor_table, scene, "near")
                         ? stage_nearest_vertex(mesh, scene->near)
                         : scene->vertex;
    return sensor->vertex < mesh->vertex_count ||
           problem_set(problem, EXIT_SCENE,
                       "%s: the sensor \"%s\": the body \"%s\" has %u vertices, so there is no "
                       "vertex %u",
                       stage->path, scene->name, scene->body, mesh->vertex_count, sensor->vertex);
}

/* ---- the file ---- */

static void write_header(const struct sensors *sensors)
{
    static const char *const axes[] = {".x", ".y", ".z"};
    FILE *file = sensors->draft.file;
    fprintf(file, "step,time");
    for (uint32_t i = 0; i < sensors->stage->scene->sensors.count; ++i) {
        const struct scene_sensor *sensor = sensors->items[i].scene;
        const unsigned columns = kinds[sensor->kind].columns;
        for (unsigned k = 0; k < columns; ++k)
            fprintf(file, ",%s%s", sensor->name, columns > 1 ? axes[k % 3] : "");
    }
    fputc('\n', file);
}

static bool open_file(struct sensors *sensors, const char *path, struct problem *problem)
{
    const char *extension = path_extension(path);
    sensors->is_csv = strcmp(extension, "csv") == 0;
    if (!sensors->is_csv && strcmp(extension, "jsonl") != 0)
        return problem_set(problem, EXIT_USAGE, "%s: a sensors' file ends in .csv or .jsonl", path);
    if (sensors->stage->scene->sensors.count == 0)
        return problem_set(problem, EXIT_USAGE, "--sensors: the scene %s has no sensors",
                           sensors->stage->path);
    if (!draft_open(&sensors->draft, path, problem))
        return false;
    sensors->has_file = true;
    if (sensors->is_csv)
        write_header(sensors);
    return true;
}

bool sensors_open(struct sensors *sensors, const struct stage *stage, const char *path,
                  struct problem *problem)
{
    memset(sensors, 0, sizeof *sensors);
    sensors->stage = stage;
    const struct list *list = &stage->scene->sensors;
    uint32_t most = 0;
    for (uint32_t b = 0; b < stage->body_count; ++b)
        if (stage->bodies[b].asset->stats.vertices > most)
            most = stage->bodies[b].asset->stats.vertices;
    sensors->items =
        pool_take(&sensors->pool, list->count, sizeof *sensors->items, "sensors", problem);
    sensors->values =
        pool_take(&sensors->pool, list->count, 3 * sizeof *sensors->values, "sensors", problem);
    sensors->xyz = pool_take(&sensors->pool, most, 3 * sizeof *sensors->xyz, "sensors", problem);
    if (!sensors->items || !sensors->values || !sensors->xyz)
        return false;
    for (uint32_t i = 0; i < list->count; ++i) {
        sensors->items[i].scene = (const struct scene_sensor *)list->items + i;
        sensors->columns += kinds[sensors->items[i].scene->kind].columns;
        if (!find(stage, &sensors->items[i], problem))
            return false;
    }
    return !path || open_file(sensors, path, problem);
}

bool sensors_take(struct sensors *sensors, const piola_report *report, struct problem *problem)
{
    double *values = sensors->values;
    memset(values, 0, sensors->columns * sizeof *values);
    for (uint32_t i = 0; i < sensors->stage->scene->sensors.count; ++i) {
        const struct look look = {sensors->stage, &sensors->items[i], report, sensors->xyz};
        const struct scene_sensor *sensor = sensors->items[i].scene;
        if (!kinds[sensor->kind].take(&look, values))
            return problem_set(problem, EXIT_RUNTIME, "the sensor \"%s\" cannot be read",
                               sensor->name);
        values += kinds[sensor->kind].columns;
    }
    return true;
}

bool sensors_shape(struct sensors *sensors, struct shape_facts *facts)
{
    const struct sensor_state all = {.last = sensors->stage->body_count};
    const struct look look = {sensors->stage, &all, NULL, sensors->xyz};
    return facts_of(&look, facts);
}

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *sensors_json(const struct sensors *sensors)
{
    json_t *object = json_object();
    const double *value = sensors->values;
    for (uint32_t i = 0; i < sensors->stage->scene->sensors.count; ++i) {
        const struct scene_sensor *sensor = sensors->items[i].scene;
        json_t *one =
            kinds[sensor->kind].columns == 1
                ? number(value[0])
                : json_pack("[o, o, o]", number(value[0]), number(value[1]), number(value[2]));
        (void)json_object_set_new(object, sensor->name, one);
        value += kinds[sensor->kind].columns;
    }
    return object;
}

void sensors_write(struct sensors *sensors, uint64_t step, double time)
{
    if (!sensors->has_file)
        return;
    FILE *file = sensors->draft.file;
    if (sensors->is_csv) {
        fprintf(file, "%llu,%.7g", (unsigned long long)step, time);
        for (uint32_t i = 0; i < sensors->columns; ++i) {
            fputc(',', file);
            if (isfinite(sensors->values[i]))
                fprintf(file, "%.9g", sensors->values[i]);
        }
        fputc('\n', file);
        return;
    }
    json_t *object = sensors_json(sensors);
    (void)json_object_set_new(object, "step", json_integer((json_int_t)step));
    (void)json_object_set_new(object, "time", json_real(time));
    (void)json_dumpf(object, file, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(object);
    fputc('\n', file);
}

static void print_value(const json_t *value, FILE *file)
{
    if (json_is_number(value))
        fprintf(file, "%.6g", json_number_value(value));
    else
        fputs("not finite", file);
}

/* The unit of the sensor of that name, or "". */
static const char *unit_of(const struct scene *scene, const char *name)
{
    const struct scene_sensor *sensors = scene->sensors.items;
    for (uint32_t i = 0; i < scene->sensors.count; ++i)
        if (strcmp(sensors[i].name, name) == 0)
            return sensor_unit(sensors[i].kind);
    return "";
}

void sensors_print(const struct scene *scene, json_t *sensors, FILE *file)
{
    const char *name;
    json_t *value;
    json_object_foreach(sensors, name, value)
    {
        fprintf(file, "sensor %-20s ", name);
        for (size_t i = 0; i < json_array_size(value); ++i) {
            fputs(i ? ", " : "", file);
            print_value(json_array_get(value, i), file);
        }
        if (!json_is_array(value))
            print_value(value, file);
        const char *unit = unit_of(scene, name);
        fprintf(file, "%s%s\n", unit[0] ? " " : "", unit);
    }
}

bool sensors_commit(struct sensors *sensors, struct problem *problem)
{
    return !sensors->has_file || draft_commit(&sensors->draft, problem);
}

void sensors_drop(struct sensors *sensors)
{
    draft_drop(&sensors->draft);
    pool_free(&sensors->pool);
}
