/* scene.c - reading a scene file, and what its parts say about each other. */
#include "io/scene/scene.h"

#include "io/base/file.h"
#include "io/base/words.h"
#include "io/scene/sensor_kinds.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_MAX 1000 /* of materials and of meshes; the tables say so too */

static const char *name_at(const struct list *map, size_t item_bytes, uint32_t index)
{
    const char *name;
    memcpy(&name, (const char *)map->items + index * item_bytes, sizeof name);
    return name;
}

/* False, with what was probably meant. */
static bool unknown(const char *what, const char *name, const char *const *names, uint32_t count,
                    const struct trail *trail, struct problem *problem)
{
    const int closest = words_closest(name, names, count);
    if (closest >= 0)
        return trail_problem(trail, problem, "there is no %s \"%.60s\"; did you mean \"%.60s\"?",
                             what, name, names[closest]);
    char list[400];
    return trail_problem(trail, problem, "there is no %s \"%.60s\"; there is %s", what, name,
                         count ? words_join(list, sizeof list, names, count, "\"") : "none");
}

/* Finds a name that a list's items may have at `offset`; null finds itself. `names` is room for all
 * of them. */
static bool known_in(const struct list *list, size_t item_bytes, size_t offset, const char *what,
                     const char *name, const char **names, const struct trail *trail,
                     struct problem *problem)
{
    uint32_t count = 0;
    for (uint32_t i = 0; name && i < list->count; ++i) {
        memcpy(&names[count], (const char *)list->items + i * item_bytes + offset, sizeof *names);
        if (!names[count])
            continue;
        if (strcmp(names[count], name) == 0)
            return true;
        ++count;
    }
    return !name || unknown(what, name, names, count, trail, problem);
}

/* The same of a body. */
static bool known_body(const struct scene *scene, const char *name, const char **names,
                       const struct trail *trail, struct problem *problem)
{
    return known_in(&scene->bodies, sizeof(struct scene_body), offsetof(struct scene_body, name),
                    "body", name, names, trail, problem);
}

/* True when the map has an item of that name; suggests one when it has not. */
static bool known(const struct list *map, size_t item_bytes, const char *what, const char *name,
                  const struct trail *trail, struct problem *problem)
{
    const char *names[NAMES_MAX];
    names[0] = NULL;
    for (uint32_t i = 0; i < map->count; ++i) {
        names[i] = name_at(map, item_bytes, i);
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return unknown(what, name, names, map->count, trail, problem);
}

/* Sets the place in the document for messages about single values. */
static void trail_at(struct trail *trail, const char *list, uint32_t index, const char *key)
{
    const int n = snprintf(trail->text, sizeof trail->text, "%s[%u]%s%s", list, index,
                           key[0] ? "." : "", key);
    trail->used = n > 0 ? (size_t)n : 0;
}

static int compare_names(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* Sorts the names; the first that comes twice, or null. */
static const char *repeated(const char **names, uint32_t count)
{
    qsort(names, count, sizeof *names, compare_names);
    for (uint32_t i = 1; i < count; ++i)
        if (strcmp(names[i - 1], names[i]) == 0)
            return names[i];
    return NULL;
}

static bool check_regions(const struct scene *scene, const struct scene_body *body, uint32_t index,
                          struct trail *trail, struct problem *problem)
{
    const struct scene_region *regions = body->regions.items;
    for (uint32_t r = 0; r < body->regions.count; ++r) {
        char key[64];
        snprintf(key, sizeof key, "regions[%u]", r);
        trail_at(trail, "bodies", index, key);
        if (regions[r].material && !known(&scene->materials, sizeof(struct scene_material),
                                          "material", regions[r].material, trail, problem))
            return false;
    }
    return true;
}

/* Names become lines of .obj files. */
static bool printable(const char *name)
{
    const char *at = name;
    while ((unsigned char)*at >= ' ' && *at != 0x7f)
        ++at;
    return *name != 0 && *at == 0;
}

static bool check_bodies(const struct scene *scene, const char **names, struct trail *trail,
                         struct problem *problem)
{
    const struct scene_body *bodies = scene->bodies.items;
    uint32_t named = 0;
    for (uint32_t i = 0; i < scene->bodies.count; ++i) {
        trail_at(trail, "bodies", i, "mesh");
        if (!known(&scene->meshes, sizeof(struct scene_mesh), "mesh", bodies[i].mesh, trail,
                   problem))
            return false;
        trail_at(trail, "bodies", i, "detail.mesh");
        const char *detail = bodies[i].detail ? bodies[i].detail->mesh : NULL;
        if (detail &&
            !known(&scene->meshes, sizeof(struct scene_mesh), "mesh", detail, trail, problem))
            return false;
        trail_at(trail, "bodies", i, "material");
        if (!known(&scene->materials, sizeof(struct scene_material), "material", bodies[i].material,
                   trail, problem) ||
            !check_regions(scene, &bodies[i], i, trail, problem))
            return false;
        trail_at(trail, "bodies", i, "name");
        if (bodies[i].name && !printable(bodies[i].name))
            return trail_problem(trail, problem, "is empty, or has control characters");
        if (bodies[i].name)
            names[named++] = bodies[i].name;
    }
    const char *twice = repeated(names, named);
    trail_at(trail, "bodies", 0, "");
    trail->used = 6;
    trail->text[6] = 0;
    return !twice || trail_problem(trail, problem, "two bodies have the name \"%.60s\"", twice);
}

/* Names become columns of a CSV file and keys of JSON lines. */
static bool plain_name(const char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return name[0] != 0 && strspn(name, letters) == strlen(name) && strcmp(name, "step") != 0 &&
           strcmp(name, "time") != 0;
}

static bool check_colliders(const struct scene *scene, struct trail *trail, struct problem *problem)
{
    const struct scene_collider *colliders = scene->colliders.items;
    for (uint32_t i = 0; i < scene->colliders.count; ++i) {
        trail_at(trail, "colliders", i, "mesh");
        if (colliders[i].mesh && !known(&scene->meshes, sizeof(struct scene_mesh), "mesh",
                                        colliders[i].mesh, trail, problem))
            return false;
    }
    return true;
}

static bool check_attachments(const struct scene *scene, const char **names, struct trail *trail,
                              struct problem *problem)
{
    const struct scene_attachment *attachments = scene->attachments.items;
    for (uint32_t i = 0; i < scene->attachments.count; ++i) {
        trail_at(trail, "attachments", i, "body");
        if (!known_body(scene, attachments[i].body, names, trail, problem))
            return false;
        trail_at(trail, "attachments", i, "to");
        if (!known_body(scene, attachments[i].to, names, trail, problem))
            return false;
    }
    return true;
}

static bool check_forces(const struct scene *scene, const char **names, struct trail *trail,
                         struct problem *problem)
{
    const struct scene_field *fields = scene->fields.items;
    for (uint32_t i = 0; i < scene->fields.count; ++i) {
        trail_at(trail, "fields", i, "force.body");
        if (fields[i].force && !known_body(scene, fields[i].force->body, names, trail, problem))
            return false;
    }
    return true;
}

/* Among the colliders that are rigid bodies, or those of them that hands hold. */
static bool known_rigid(const struct scene *scene, bool tool, const char *name, const char **names,
                        const struct trail *trail, struct problem *problem)
{
    const struct scene_collider *colliders = scene->colliders.items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < scene->colliders.count; ++i) {
        if (!(tool ? colliders[i].tool != NULL : colliders[i].desc.mass > 0) || !colliders[i].name)
            continue;
        if (strcmp(colliders[i].name, name) == 0)
            return true;
        names[count++] = colliders[i].name;
    }
    return unknown(tool ? "tool" : "rigid body", name, names, count, trail, problem);
}

static bool known_collider(const struct scene *scene, const char *name, const char **names,
                           const struct trail *trail, struct problem *problem)
{
    return known_in(&scene->colliders, sizeof(struct scene_collider),
                    offsetof(struct scene_collider, name), "collider", name, names, trail, problem);
}

static bool check_joints(const struct scene *scene, const char **names, struct trail *trail,
                         struct problem *problem)
{
    const struct scene_joint *joints = scene->joints.items;
    for (uint32_t i = 0; i < scene->joints.count; ++i) {
        trail_at(trail, "joints", i, "base");
        if (!known_collider(scene, joints[i].base, names, trail, problem))
            return false;
        trail_at(trail, "joints", i, "moved");
        if (!known_rigid(scene, false, joints[i].moved, names, trail, problem))
            return false;
    }
    return true;
}

static bool check_sensor_name(const struct scene_sensor *sensor, uint32_t index,
                              struct trail *trail, struct problem *problem)
{
    trail_at(trail, "sensors", index, "name");
    return plain_name(sensor->name) ||
           trail_problem(trail, problem,
                         "\"%.60s\" cannot be a column: letters, digits, \"_\", \"-\" and "
                         "\".\" can, but not \"step\" and \"time\"",
                         sensor->name);
}

static bool check_sensor(const struct scene *scene, uint32_t index, const char **names,
                         struct trail *trail, struct problem *problem)
{
    const struct scene_sensor *sensor = (const struct scene_sensor *)scene->sensors.items + index;
    const bool vertex = keys_given(&scene_sensor_table, sensor, "vertex");
    const bool near = keys_given(&scene_sensor_table, sensor, "near");
    if (!check_sensor_name(sensor, index, trail, problem))
        return false;
    trail_at(trail, "sensors", index, "");
    const char *kind = sensor_kind_names[sensor->kind];
    switch (sensor_scope(sensor->kind)) {
    case SENSOR_OF_ROD:
    case SENSOR_OF_VERTEX:
        if (!sensor->body || vertex == near)
            return trail_problem(
                trail, problem, "\"%s\" needs a \"body\", and either \"vertex\" or \"near\"", kind);
        break;
    case SENSOR_OF_POINT:
        if (!sensor->body || vertex || !near)
            return trail_problem(trail, problem, "\"%s\" needs a \"body\" and \"near\"", kind);
        break;
    case SENSOR_OF_ATTACHMENT:
        if (sensor->body || vertex || near || !sensor->attachment)
            return trail_problem(trail, problem, "\"%s\" needs an \"attachment\", and nothing else",
                                 kind);
        return known_in(&scene->attachments, sizeof(struct scene_attachment),
                        offsetof(struct scene_attachment, pin.name), "attachment",
                        sensor->attachment, names, trail, problem);
    case SENSOR_OF_COLLIDER:
        if (sensor->body || vertex || near || !sensor->collider)
            return trail_problem(trail, problem, "\"%s\" needs a \"collider\", and nothing else",
                                 kind);
        return known_collider(scene, sensor->collider, names, trail, problem);
    case SENSOR_OF_JOINT:
        if (sensor->body || vertex || near || !sensor->joint)
            return trail_problem(trail, problem, "\"%s\" needs a \"joint\", and nothing else",
                                 kind);
        return known_in(&scene->joints, sizeof(struct scene_joint),
                        offsetof(struct scene_joint, name), "joint", sensor->joint, names, trail,
                        problem);
    case SENSOR_OF_TOOL:
        if (sensor->body || vertex || near || !sensor->collider)
            return trail_problem(trail, problem,
                                 "\"%s\" needs a \"collider\" that is a tool, and nothing else",
                                 kind);
        return known_rigid(scene, true, sensor->collider, names, trail, problem);
    case SENSOR_OF_ONE_BODY:
        if (!sensor->body)
            return trail_problem(trail, problem, "\"%s\" needs a \"body\"", kind);
        if (vertex || near)
            return trail_problem(trail, problem, "\"%s\" has no \"vertex\" and no \"near\"", kind);
        break;
    case SENSOR_OF_WORLD:
        if (sensor->body)
            return trail_problem(trail, problem, "\"%s\" is of the whole world, not of a \"body\"",
                                 kind);
        /* fall through */
    default:
        if (vertex || near)
            return trail_problem(trail, problem, "\"%s\" has no \"vertex\" and no \"near\"", kind);
    }
    return true;
}

static bool check_sensors(const struct scene *scene, const char **names, struct trail *trail,
                          struct problem *problem)
{
    const struct scene_sensor *sensors = scene->sensors.items;
    for (uint32_t i = 0; i < scene->sensors.count; ++i) {
        if (!check_sensor(scene, i, names, trail, problem))
            return false;
        trail_at(trail, "sensors", i, "body");
        if (!known_body(scene, sensors[i].body, names, trail, problem))
            return false;
    }
    for (uint32_t i = 0; i < scene->sensors.count; ++i)
        names[i] = sensors[i].name;
    const char *twice = repeated(names, scene->sensors.count);
    trail->used = 0;
    trail->text[0] = 0;
    return !twice || trail_problem(trail, problem, "two sensors have the name \"%.60s\"", twice);
}

static bool has_rigid(const struct scene *scene)
{
    const struct scene_collider *colliders = scene->colliders.items;
    bool any = false;
    for (uint32_t i = 0; i < scene->colliders.count; ++i)
        any = any || colliders[i].desc.mass > 0;
    return any;
}

static bool check_scene(const struct scene *scene, struct trail *trail, struct pool *pool,
                        struct problem *problem)
{
    const size_t most = (size_t)scene->bodies.count + scene->sensors.count +
                        scene->colliders.count + scene->attachments.count + scene->joints.count;
    const char **names = pool_take(pool, most, sizeof *names, "names", problem);
    if (!names)
        return false;
    if (scene->bodies.count == 0 && !has_rigid(scene))
        return trail_problem(trail, problem, "the scene has no bodies, and no rigid ones");
    return check_bodies(scene, names, trail, problem) && check_colliders(scene, trail, problem) &&
           check_attachments(scene, names, trail, problem) &&
           check_joints(scene, names, trail, problem) &&
           check_forces(scene, names, trail, problem) &&
           check_sensors(scene, names, trail, problem);
}

/* A scene without "world" has the default one. */
static bool complete_world(struct scene *scene, struct pool *pool, struct problem *problem)
{
    if (scene->world)
        return true;
    struct scene_world *world = pool_take(pool, 1, sizeof *world, "the world", problem);
    if (world)
        scene_world_table.defaults(world);
    scene->world = world;
    return world != NULL;
}

/* Does it look like one? */
static bool is_object(const char *text, size_t bytes)
{
    size_t i = 0;
    while (i < bytes && strchr(" \t\r\n", text[i]))
        ++i;
    return i < bytes && text[i] == '{';
}

bool scene_parse(const char *text, size_t bytes, const char *name, struct scene *scene,
                 struct pool *pool, struct problem *problem)
{
    json_error_t error;
    struct trail trail = {.file = name};
    memset(scene, 0, sizeof *scene);
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return problem_at(problem, EXIT_SCENE, name, error.line > 0 ? (size_t)error.line : 0,
                          "%d: %s%s", error.column, error.text,
                          is_object(text, bytes)
                              ? ""
                              : "; this is not a scene, which is a JSON file that begins with {");
    const bool good = keys_read(&scene_table, root, scene, &trail, pool, problem) &&
                      complete_world(scene, pool, problem) &&
                      check_scene(scene, &trail, pool, problem);
    json_decref(root);
    return good;
}

bool scene_read(const char *path, struct scene *scene, struct pool *pool, struct problem *problem)
{
    struct pool file = {0};
    size_t bytes = 0;
    if (mesh_scene_is(path))
        return mesh_scene_read(path, scene, pool, problem);
    const char *text = file_read(path, SCENE_FILE_MAX, &file, &bytes, problem);
    const bool good = text && scene_parse(text, bytes, path, scene, pool, problem);
    pool_free(&file);
    return good;
}
