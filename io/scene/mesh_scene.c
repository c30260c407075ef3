/* mesh_scene.c - a scene around a mesh file: what `piola run bunny.stl` runs.
 *
 * The mesh falls on a floor, as soft rubber: a surface is filled with tetrahedra first. What is
 * smaller than a fist or larger than a room is drawn in other units than metres, most likely, and
 * is made half a metre long.
 */
#include "io/base/file.h"
#include "io/mesh/meshes.h"
#include "io/scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LEAST 0.05 /* m: sizes that are believed */
#define SIZE_MOST  5.0
#define SIZE_ELSE  0.5
#define DENSITY    1000.0 /* kg/m^3 */
#define GRAVITY    9.81
/* Of its height the body sags half a hundredth under its weight: soft, and still itself. */
#define SAG 0.005

struct facts {
    double scale, offset[3], size;
    double low[3], high[3]; /* of the body as it begins, m */
    bool solid;
};

static bool look(const char *path, struct facts *f, struct problem *problem)
{
    struct meshgen mesh;
    double low[3] = {(double)INFINITY, (double)INFINITY, (double)INFINITY};
    double high[3] = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY}, side = 0;
    if (!mesh_read(&mesh, path, problem))
        return false;
    for (size_t i = 0; i < 3 * (size_t)mesh.vertex_count; ++i) {
        low[i % 3] = fmin(low[i % 3], mesh.vertices[i]);
        high[i % 3] = fmax(high[i % 3], mesh.vertices[i]);
    }
    f->solid = mesh_is_solid(&mesh);
    meshgen_free(&mesh);
    for (int k = 0; k < 3; ++k)
        side = fmax(side, high[k] - low[k]);
    if (!(side > 1e-9))
        return problem_at(problem, EXIT_SCENE, path, 0, "all its vertices are in one place");
    f->scale = side >= SIZE_LEAST && side <= SIZE_MOST ? 1 : SIZE_ELSE / side;
    f->size = f->scale * side;
    for (int k = 0; k < 3; ++k) {
        f->offset[k] =
            k == 1 ? 0.3 * f->size - f->scale * low[1] : -f->scale * (low[k] + high[k]) / 2;
        f->low[k] = f->scale * low[k] + f->offset[k];
        f->high[k] = f->scale * high[k] + f->offset[k];
    }
    return true;
}

static json_t *around(const char *path, const struct facts *f)
{
    char name[256], text[400];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%.250s", slash ? slash + 1 : path);
    if (f->scale == 1)
        snprintf(text, sizeof text, "%s falls on a floor, as soft rubber.", name);
    else
        snprintf(text, sizeof text,
                 "%s falls on a floor, as soft rubber, scaled by %.3g to %.3g m.", name, f->scale,
                 f->size);
    json_t *mesh =
        json_pack("{s:s, s:[f,f,f], s:[f,f,f]}", "file", slash ? slash + 1 : path, "scale",
                  f->scale, f->scale, f->scale, "offset", f->offset[0], f->offset[1], f->offset[2]);
    if (mesh && !f->solid)
        (void)json_object_set_new(mesh, "fill", json_object());
    const double young = DENSITY * GRAVITY * f->size / (2 * SAG), side = f->size;
    return json_pack(
        "{s:s, s:f, s:{s:f, s:i}, s:{s:{s:f, s:f, s:f, s:f}}, s:{s:o}, s:[{s:s, s:s, s:s}], "
        "s:[{s:s, s:s, s:f, s:f}], s:{s:[f,f,f], s:[f,f,f], s:f, s:f, "
        "s:[{s:f},{s:f},{s:f},{s:f}]}}",
        "description", text, "seconds", 3.0, "world", "dt", 0.005, "substeps", 4, "materials",
        "rubber", "young", young, "poisson", 0.45, "density", DENSITY, "damping", 0.005, "meshes",
        "mesh", mesh, "bodies", "name", "body", "mesh", "mesh", "material", "rubber", "colliders",
        "name", "floor", "shape", "plane", "friction_static", 0.6, "friction_kinetic", 0.5, "view",
        "min", f->low[0] - 0.05 * side, 0.0, f->low[2] - 0.05 * side, "max",
        f->high[0] + 0.05 * side, f->high[1], f->high[2] + 0.05 * side, "ground", 0.0, "grid",
        side / 4, "moments", "time", 0.0, "time", 0.4, "time", 1.0, "time", 3.0);
}

bool mesh_scene_is(const char *path)
{
    struct problem none = {0};
    const char *extension = path_extension(path);
    return extension[0] && strcmp(extension, "json") != 0 && mesh_format_of(path, true, &none);
}

bool mesh_scene_read(const char *path, struct scene *scene, struct pool *pool,
                     struct problem *problem)
{
    struct facts facts = {0};
    if (!look(path, &facts, problem))
        return false;
    json_t *object = around(path, &facts);
    char *text = object ? json_dumps(object, 0) : NULL;
    const bool good = text && scene_parse(text, strlen(text), path, scene, pool, problem);
    free(text); /* of jansson's */
    json_decref(object);
    return good || problem_memory(problem, "a scene", 0);
}
